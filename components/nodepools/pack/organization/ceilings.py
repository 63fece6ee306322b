"""How far a pool may grow."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Annotated

from pydantic import Field

from nodepools.data.azure_vm_sizes import azure_vm_sizes
from nodepools.model.kubernetes.quantity import amount
from nodepools.pack.input_values import InputValue, agent_pools, node_pools
from nodepools.pack.policy import PolicyFunction, ResourceUnderCheck
from nodepools.pack.violation_text import ViolationText


class NodePoolLimits(PolicyFunction):
    """Every NodePool has limits: without them a mistake in a workload buys machines until the quota of the account ends."""

    resources: Sequence[str] = ("cpu",)
    """What must be limited: `cpu`, `memory`, `nodes`, `nvidia.com/gpu`."""

    def of_resource(self, asked: ResourceUnderCheck) -> Iterator[ViolationText]:
        """A NodePool without them; one of a fixed size needs none."""
        for pool in node_pools(asked.resource):
            limits, replicas = pool.at("spec", "limits"), pool.at("spec", "replicas")
            missing = [name for name in self.resources if limits.at(name).missing]
            if missing and replicas.missing:
                yield ViolationText(limits.path, limits.value, f"set no limit for {' and '.join(missing)}", f"set spec.limits: {missing[0]} first")


class MaximumVcpus(PolicyFunction):
    """No pool can grow beyond a number of vCPUs."""

    vcpus: Annotated[int, Field(ge=0)] | None = None
    """The most that one pool may reach; nothing: there is no such bound."""

    def of_resource(self, asked: ResourceUnderCheck) -> Iterator[ViolationText]:
        """A NodePool whose limits allow more, or that has none; an agent pool whose largest size is more."""
        if self.vcpus is None:
            return
        for pool in node_pools(asked.resource):
            yield from self._of_node_pool(pool, self.vcpus)
        for pool in agent_pools(asked.resource):
            yield from self._of_agent_pool(pool, self.vcpus)

    def _of_node_pool(self, pool: InputValue, most: int) -> Iterator[ViolationText]:
        cpu = pool.at("spec", "limits", "cpu")
        if cpu.missing and pool.at("spec", "replicas").missing:
            yield ViolationText(cpu.path, None, "is not set: there is no bound to what the pool may buy", f"set it to {most} or less")
        written = cpu.text if cpu.text is not None else str(cpu.number)
        if cpu.known and not cpu.missing and (cores := _cores(written)) is not None and cores > most:
            yield ViolationText(cpu.path, cpu.value, f"allows more than {most} vCPUs", f"set it to {most} or less")

    def _of_agent_pool(self, pool: InputValue, most: int) -> Iterator[ViolationText]:
        nodes = pool.at("maxCount" if pool.at("enableAutoScaling").plain is True else "count")
        size = azure_vm_sizes().get(pool.at("vmSize").text or "")
        if nodes.number is None or size is None or size.cpu is None or nodes.number * size.cpu <= most:
            return
        message = f"of {size.name} are {nodes.number * size.cpu} vCPUs: the pool may reach {most}"
        yield ViolationText(nodes.path, nodes.value, message, f"allow {most // size.cpu} nodes or fewer")


def _cores(written: str) -> Decimal | None:
    try:
        return amount(written)
    except ValueError:
        return None
