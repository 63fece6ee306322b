"""What each cloud says about the upgrade of a cluster."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from nodepools.clouds.blocker import Blocker
from nodepools.clouds.fleet import VersionsNow
from nodepools.clouds.step import Round, Step
from nodepools.data.version_support import SupportTable


@dataclass(frozen=True, slots=True)
class ServerChecks:
    """What the cloud checks before an upgrade starts, by the error codes with which it rejects the upgrade; empty if it does not check."""

    budgets: str = ""
    """For PodDisruptionBudgets that allow no eviction, in the whole cluster."""
    apis: str = ""
    """For recent use of APIs that the new version does not serve."""
    override: str = ""
    """How to start the upgrade anyway, as a clause."""
    source: str = ""


class Operations(Protocol):
    """The operations of a cluster while it is upgraded."""

    def is_busy(self, state: str) -> bool:
        """An operation runs in this state of a cluster or pool, and the cloud rejects others."""
        ...

    @property
    def show(self) -> str:
        """The command that prints the cluster, with its version and state."""
        ...

    def watch(self, step: Step, /) -> str:
        """The command that shows the state of what the step changes. NodePools have none."""
        ...

    def stop(self, step: Step, /) -> str:
        """How to stop the step without damage while it runs, as a sentence. Drift of NodePools is not an operation."""
        ...

    def way_back(self, old: str, new: str, *, passed: bool) -> str:
        """What can be undone and what cannot, in sentences; `passed`: the control plane has the new version."""
        ...


class ClusterSteps(Protocol):
    """A declared cluster as an upgrade needs it; each cloud has one implementation."""

    @property
    def table(self) -> SupportTable:
        """The versions that the cloud supports."""
        ...

    @property
    def checks(self) -> ServerChecks:
        """What the cloud checks before it starts."""
        ...

    @property
    def refusals(self) -> Mapping[str, str]:
        """The error codes with which the cloud rejects extra nodes, by what `capacity` counts."""
        ...

    @property
    def extends(self) -> bool:
        """The cluster is declared to stay on a version after standard support: with a support plan or at a higher price."""
        ...

    @property
    def if_missed(self) -> str:
        """What happens when its support ends, as a sentence."""
        ...

    @property
    def extra_usd_per_hour(self) -> float:
        """What the cluster costs more per hour after standard support."""
        ...

    @property
    def manual_checks(self) -> tuple[str, ...]:
        """What can stop an upgrade and cannot be determined offline."""
        ...

    @property
    def cloud_name(self) -> str:
        """The name of the cluster in the cloud."""
        ...

    @property
    def cloud_pools(self) -> Mapping[str, str]:
        """The names in the cloud of the pools that it upgrades itself, by the name for people."""
        ...

    @property
    def pool_labels(self) -> Mapping[str, Mapping[str, str]]:
        """Labels by which nodes of each pool are recognized, by the name for people."""
        ...

    def is_of_others(self, name: str, labels: Mapping[str, str], /) -> bool:
        """It is certain that no generation of a declared pool is the agent pool with this name and these labels."""
        ...

    @property
    def operations(self) -> Operations:
        """How to watch and stop what runs."""
        ...

    @property
    def runs_karpenter_of_aws(self) -> bool:
        """The Karpenter that people install themselves on AWS can run in it."""
        ...

    def rounds(self, to: str, now: VersionsNow | None = None) -> Iterator[Round]:
        """The steps to a version that is not lower, one round for each minor version. They begin at what runs `now`, otherwise at the declaration."""
        ...

    def refused(self, to: str, control_plane: int) -> Blocker | None:
        """Why a version is not reached in this way from the minor version of the control plane; `None` if it is."""
        ...
