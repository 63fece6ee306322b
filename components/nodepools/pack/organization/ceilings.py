"""Limits of the size of a pool."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Annotated

from pydantic import Field

from nodepools.data.azure_vm_sizes import azure_vm_sizes
from nodepools.model.kubernetes.quantity import amount
from nodepools.pack.input_values import InputValue, agent_pools, node_pools
from nodepools.pack.policy import PolicyFunction, ResourceUnderCheck
from nodepools.resources.violation_text import ViolationText


class NodePoolLimits(PolicyFunction):
    """Every NodePool has limits: without them a mistake in a workload launches nodes until the quota of the account is used up."""

    resources: Sequence[str] = ("cpu",)
    """What must be limited: `cpu`, `memory`, `nodes`, `nvidia.com/gpu`."""

    def of_resource(self, requested: ResourceUnderCheck) -> Iterator[ViolationText]:
        """A NodePool without them, unless it has a fixed size."""
        for pool in node_pools(requested.resource):
            limits, replicas = pool.at("spec", "limits"), pool.at("spec", "replicas")
            missing = [name for name in self.resources if limits.at(name).missing]
            if missing and replicas.missing:
                names = ", ".join(f"`{name}`" for name in missing)
                yield ViolationText(limits.path, limits.value, f"The NodePool has no limit for {names}", f"Add {names} to `spec.limits`")


class MaximumVcpus(PolicyFunction):
    """No pool can grow beyond a number of vCPUs."""

    vcpus: Annotated[int, Field(ge=0)] | None = None
    """The maximum for one pool; not set: no maximum."""

    def of_resource(self, requested: ResourceUnderCheck) -> Iterator[ViolationText]:
        """A NodePool with higher limits or without limits, or an agent pool with a larger maximum size."""
        if self.vcpus is None:
            return
        for pool in node_pools(requested.resource):
            yield from self._of_node_pool(pool, self.vcpus)
        for pool in agent_pools(requested.resource):
            yield from self._of_agent_pool(pool, self.vcpus)

    def _of_node_pool(self, pool: InputValue, most: int) -> Iterator[ViolationText]:
        cpu = pool.at("spec", "limits", "cpu")
        if cpu.missing and pool.at("spec", "replicas").missing:
            yield ViolationText(cpu.path, None, "The NodePool has no limit for `cpu`", f"Set `spec.limits.cpu` to {most} or less")
        written = cpu.text if cpu.text is not None else str(cpu.number)
        if cpu.known and not cpu.missing and (cores := _cores(written)) is not None and cores > most:
            yield ViolationText(
                cpu.path, cpu.value, f"`spec.limits.cpu` ({written}) is more than {most} vCPUs", f"Set `spec.limits.cpu` to {most} or less"
            )

    def _of_agent_pool(self, pool: InputValue, most: int) -> Iterator[ViolationText]:
        name = "maxCount" if pool.at("enableAutoScaling").plain is True else "count"
        nodes = pool.at(name)
        size = azure_vm_sizes().get(pool.at("vmSize").text or "")
        if nodes.number is None or size is None or size.cpu is None or nodes.number * size.cpu <= most:
            return
        message = f"{nodes.number} nodes of `{size.name}` have {nodes.number * size.cpu} vCPUs: the organization allows {most} in one pool"
        yield ViolationText(nodes.path, nodes.value, message, f"Set `{name}` to {most // size.cpu} or less")


def _cores(written: str) -> Decimal | None:
    try:
        return amount(written)
    except ValueError:
        return None
