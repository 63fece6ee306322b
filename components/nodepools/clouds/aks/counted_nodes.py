"""What the nodes of an agent pool have in common: of declared pools, and of those that others manage."""

from collections.abc import Sequence
from typing import Protocol

from nodepools.clouds.amounts import Amount, exactly
from nodepools.clouds.sizes import Group
from nodepools.data.azure_vm_sizes import azure_vm_sizes


class CountedNodes(Protocol):
    """The nodes of one agent pool: declared, or of others."""

    @property
    def label(self) -> str:
        """The name of the pool for people."""
        ...

    @property
    def families(self) -> frozenset[str | None]:
        """The vCPU quotas of its VM sizes; `None`: one that is not known."""
        ...

    @property
    def is_spot(self) -> bool:
        """Its nodes take of the quota of spot vCPUs."""
        ...

    @property
    def has_static_pods(self) -> bool:
        """Its nodes take whole blocks of their pod subnet."""
        ...

    @property
    def created(self) -> Amount:
        """Nodes that the request asks for, or that exist."""
        ...

    @property
    def machines(self) -> Amount:
        """Its smallest number of machines that count against quotas."""
        ...

    @property
    def vcpus(self) -> Amount:
        """VCPUs of each node."""
        ...

    def of_family(self, family: str) -> "CountedNodes | None":
        """Its nodes that use the vCPU quota `family`; `None`: no node can."""
        ...

    def max_pods(self, default: int) -> int:
        """The maximum number of pods per node; `default` is that of the network mode."""
        ...

    def group(self, each: Amount) -> Group:
        """Its nodes, with what each of them needs."""
        ...


def vcpus_of(vm_size: str) -> Amount:
    """The vCPUs of a VM size."""
    size = azure_vm_sizes().get(vm_size)
    return Amount() if size is None or size.cpu is None else exactly(size.cpu)


def vcpus_of_one(vm_sizes: Sequence[str]) -> Amount:
    """The vCPUs of a node that has one of these sizes: at least one, where a size is not known."""
    known = [vcpus_of(size) for size in vm_sizes]
    most = [one.maximum for one in known if one.maximum is not None]
    return Amount(min(one.minimum for one in known), max(most)) if known and len(most) == len(known) else Amount(1, None)
