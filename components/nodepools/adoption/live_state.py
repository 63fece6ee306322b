"""The state of a cluster that exists: its version, and whether it and its pools are ready."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Final, Literal

from nodepools.adoption.eks.observed import ObservedEksCluster
from nodepools.adoption.observed import ObservedCluster
from nodepools.adoption.read_exports import Observed
from nodepools.data.version_support import AKS_SUPPORT, EKS_SUPPORT, LONG_TERM, SOON, SupportTable, minor
from nodepools.model.plain_data import mapping
from nodepools.wire.table import Written

_READY: Final = ("Succeeded", "Running", "ACTIVE")
Support = Literal["ended", "soon", "supported", "unknown"]


@dataclass(frozen=True, slots=True)
class LiveState:
    """The state that an export shows."""

    version: str
    """The version that the control plane runs."""
    table: SupportTable
    extended: bool
    """It is supported longer, at no cost per hour."""
    not_ready: tuple[str, ...]
    """What is not ready, such as `web: Failed`; the cluster itself without a name."""
    pools: int
    """The pools that the cloud knows; those of Karpenter are objects."""

    @property
    def support_ends(self) -> date | None:
        """The end of the support that it has; `None` if it is not known."""
        return self.table.end(self.version, extended=self.extended) if _is_version(self.version) else None

    @property
    def behind(self) -> int | None:
        """How many minor versions it is behind the newest one of its cloud."""
        return max(self.table.newest.minor - minor(self.version), 0) if _is_version(self.version) else None

    def support(self, today: date) -> Support:
        """Whether support has ended, or ends soon."""
        end = self.support_ends
        if end is None:
            return "ended" if _is_version(self.version) and minor(self.version) < self.table.oldest.minor else "unknown"
        return "ended" if end < today else "soon" if end <= today + SOON else "supported"


def live_state(observed: Observed) -> LiveState:
    """The state of an exported cluster."""
    return _aks(observed) if isinstance(observed, ObservedCluster) else _eks(observed)


def _aks(observed: ObservedCluster) -> LiveState:
    shown = observed.shown
    current = shown.get("currentKubernetesVersion")
    version = str(current if isinstance(current, str) and current else shown.get("kubernetesVersion"))
    own = [*_not_ready("", shown), *(line for name, pool in observed.pools.items() for line in _not_ready(f"{name}: ", pool))]
    return LiveState(version, AKS_SUPPORT, extended=shown.get("supportPlan") == LONG_TERM, not_ready=tuple(own), pools=len(observed.pools))


def _not_ready(prefix: str, written: Written) -> Iterator[str]:
    states = (written.get("provisioningState"), mapping(written.get("powerState")).get("code"))
    yield from (f"{prefix}{state}" for state in states if isinstance(state, str) and state not in _READY)


def _eks(observed: ObservedEksCluster) -> LiveState:
    described = observed.described
    status = described.get("status")
    own = (status,) if isinstance(status, str) and status not in _READY else ()
    return LiveState(str(described.get("version")), EKS_SUPPORT, extended=False, not_ready=own, pools=0)


def _is_version(version: str) -> bool:
    parts = version.split(".")
    return len(parts) > 1 and all(part.isascii() and part.isdigit() for part in parts[:2])
