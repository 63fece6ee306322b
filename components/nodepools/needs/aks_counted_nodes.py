"""What the nodes of an agent pool have in common: of declared pools, and of those that others manage."""

from typing import Protocol

from nodepools.data.azure_vm_sizes import azure_vm_sizes
from nodepools.needs.amounts import Amount, exactly
from nodepools.needs.sizes import Group


class CountedNodes(Protocol):
    """The nodes of one agent pool: declared, or of others."""

    @property
    def label(self) -> str:
        """The name of the pool for people."""
        ...

    @property
    def vm_size(self) -> str:
        """Empty: not known."""
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
