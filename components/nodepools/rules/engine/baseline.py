"""The baseline of a platform: whether it asks for the controls of the CIS benchmarks, and clusters that have them all."""

from collections.abc import Callable, Iterator, Mapping
from functools import wraps
from typing import Final, TypeVar

from nodepools.model.aks.agent_pool import UserPool
from nodepools.model.base import Model
from nodepools.model.derive import derive
from nodepools.model.platform import Platform
from nodepools.model.severity import Severity
from nodepools.model.unknowns import unread
from nodepools.rules.engine.finding import PartFinding
from nodepools.rules.engine.registry import BASELINES, Sampled, warning
from nodepools.rules.engine.samples import SIZE, aks, eks

RAISED: Final[Mapping[str, Severity]] = {"PLT010": Severity.WARNING}
"""Notes that the baseline makes warnings, by code."""
_GROUP: Final = "/subscriptions/s/resourceGroups/g/providers"
_WORKSPACE: Final = f"{_GROUP}/Microsoft.OperationalInsights/workspaces/w"
_HARDENED: Final[Mapping[str, object]] = {
    "audit": {"workspace": _WORKSPACE},
    "logs": {"workspace": _WORKSPACE, "location": "westeurope"},
    "etcd_key": {"key_id": "https://v.vault.azure.net/keys/etcd/0123456789abcdef", "vault_id": f"{_GROUP}/Microsoft.KeyVault/vaults/v"},
    "azure_policy": True,
    "defender": {"workspace": _WORKSPACE},
    "run_command": False,
    "image_cleaner": {},
}

P = TypeVar("P", bound=Model)


def asks(whole: Platform) -> bool:
    """The platform has the baseline of the CIS benchmarks."""
    return whole.baseline == "cis"


def control(code: str, source: str) -> Callable[[Sampled[Callable[[P], Iterator[PartFinding]]]], Callable[[P, Platform], Iterator[PartFinding]]]:
    """Registers a rule that reports something only in a platform with the baseline. Its function checks one part."""

    def register(sampled: Sampled[Callable[[P], Iterator[PartFinding]]]) -> Callable[[P, Platform], Iterator[PartFinding]]:
        @wraps(sampled.function)
        def of_baseline(part: P, whole: Platform) -> Iterator[PartFinding]:
            if asks(whole):
                yield from sampled.function(part)

        of_baseline.__annotations__ = {**sampled.function.__annotations__, "whole": Platform}
        return warning(code, source=source)(Sampled(of_baseline, sampled.sample, (BASELINES,)))

    return register


def effective_severity(code: str, severity: Severity, declaration: object) -> Severity:
    """The severity of a rule in a declaration: its own, or the one to which the baseline raises it."""
    if code not in RAISED or not isinstance(declaration, Platform) or "baseline" in unread(declaration) or not asks(declaration):
        return severity
    return RAISED[code]


def opened_aks(**changes: object) -> Platform:
    """A platform with the baseline, and an AKS cluster that has every control except those that `changes` open."""
    cluster = derive(aks(pools={"web": UserPool(vm_size=SIZE)}, **_HARDENED), changes)
    return Platform(name="dev", baseline="cis", clusters={"one": cluster})


def opened_eks(**changes: object) -> Platform:
    """The same with an EKS cluster."""
    key = "arn:aws:kms:us-east-1:111122223333:key/0a1b2c3d"
    cluster = eks(secrets_key=key, deletion_protection=True, objects={"network_policies": True}, apply="render", creator_is_admin=False)
    return Platform(name="dev", baseline="cis", clusters={"one": derive(cluster, changes)})
