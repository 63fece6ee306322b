"""Overrides of a cluster's arguments that Auto Mode does not survive. Facts: docs/facts/eks.md C1, C2, C3, C5, C30."""

from collections.abc import Iterator, Mapping
from typing import cast

from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.rules.fault import Finding, Severity
from nodepools.rules.registry import fault, rule
from nodepools.rules.samples import eks

_SWITCHES = (("compute_config",), ("kubernetes_network_config", "elastic_load_balancing"), ("storage_config", "block_storage"))
_CREATE = "https://docs.aws.amazon.com/eks/latest/userguide/automode-get-started-cli.html"

JUDGED = frozenset({"zonal_shift_config", "bootstrap_self_managed_addons", "access_config"} | {switch[0] for switch in _SWITCHES})
"""The fields of which something is said here."""


@rule(
    "EKS013",
    Severity.ERROR,
    source="EKS API: computeConfig, kubernetesNetworkConfig and blockStorage, all enabled or all disabled; pulumi-aws takes an unknown one for off",
    sample=lambda: eks(overrides={"compute_config": {"enabled": False}}),
)
def switch_turned_off(cluster: EksClusterArgs) -> Iterator[Finding]:
    """The three switches of Auto Mode are on or off together, as plain values: one that is off alone, or not known yet, is refused."""
    for switch in _SWITCHES:
        at = (*switch, "enabled")
        said, value = _overridden(cluster, at)
        if said and value is not True and not _all_off(cluster):
            yield fault(cluster, "turns one of the three switches of Auto Mode off", at=("overrides", *at), fix="remove it")


@rule(
    "EKS089",
    Severity.WARNING,
    source="https://docs.aws.amazon.com/eks/latest/userguide/auto-disable.html",
    sample=lambda: eks(
        overrides={
            "compute_config": {"enabled": False},
            "kubernetes_network_config": {"elastic_load_balancing": {"enabled": False}},
            "storage_config": {"block_storage": {"enabled": False}},
        }
    ),
)
def auto_mode_turned_off(cluster: EksClusterArgs) -> Iterator[Finding]:
    """Turning Auto Mode off ends its instances and deletes its load balancers; volumes stay."""
    if _all_off(cluster):
        fix = "take workloads and load balancers away first, or remove it"
        yield fault(
            cluster, "turns Auto Mode off: its instances and load balancers go at once", at=("overrides", "compute_config", "enabled"), fix=fix
        )


@rule(
    "EKS014",
    Severity.ERROR,
    source=f"{_CREATE}: bootstrapSelfManagedAddons must be false; access entries cannot be turned off",
    sample=lambda: eks(overrides={"access_config": {"authentication_mode": "CONFIG_MAP"}}),
)
def not_as_auto_mode_needs_it(cluster: EksClusterArgs) -> Iterator[Finding]:
    """A cluster of Auto Mode is made without EKS's own add-ons, and lets people and nodes in by access entries."""
    said, value = _overridden(cluster, ("bootstrap_self_managed_addons",))
    if said and value is True:
        fix = "remove it: of a cluster that exists, what was said at its creation is kept"
        yield fault(cluster, "is refused for a new cluster of Auto Mode", at=("overrides", "bootstrap_self_managed_addons"), fix=fix)
    said, value = _overridden(cluster, ("access_config", "authentication_mode"))
    if said and value == "CONFIG_MAP":
        at = ("overrides", "access_config", "authentication_mode")
        yield fault(cluster, "has no access entries, which Auto Mode needs", at=at, fix='remove it, or write "API_AND_CONFIG_MAP"')


@rule(
    "EKS015",
    Severity.ERROR,
    source="https://docs.aws.amazon.com/eks/latest/userguide/zone-shift-enable.html: not supported with Auto Mode",
    sample=lambda: eks(overrides={"zonal_shift_config": {"enabled": True}}),
)
def zonal_shift(cluster: EksClusterArgs) -> Iterator[Finding]:
    """Zonal shift is not supported with Auto Mode."""
    said, value = _overridden(cluster, ("zonal_shift_config", "enabled"))
    if said and value is not False:
        yield fault(cluster, "is not supported with Auto Mode", at=("overrides", "zonal_shift_config", "enabled"), fix="remove it")


def _all_off(cluster: EksClusterArgs) -> bool:
    return all(_overridden(cluster, (*switch, "enabled")) == (True, False) for switch in _SWITCHES)


def _overridden(cluster: EksClusterArgs, at: tuple[str, ...]) -> tuple[bool, object]:
    """Whether something is said there, and what."""
    here: Mapping[str, object] = cluster.overrides
    for step in at[:-1]:
        inner = here.get(step)
        if not isinstance(inner, Mapping):
            return False, None
        here = cast("Mapping[str, object]", inner)
    return at[-1] in here, here.get(at[-1])
