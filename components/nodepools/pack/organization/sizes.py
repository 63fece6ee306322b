"""The VM sizes and instance types that pools can use.

Limits of the size of a pool.
"""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from fnmatch import fnmatchcase
from typing import Annotated, Final

from pydantic import Field

from nodepools.data.azure_vm_sizes import azure_vm_sizes
from nodepools.model.kubernetes.quantity import amount
from nodepools.pack.input_values import InputValue, admitted, agent_pools, inputs, kind_of, node_pools, requirements
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


_TYPES: Final = ("node.kubernetes.io/instance-type", "karpenter.azure.com/sku-name")
_FAMILIES: Final = ("eks.amazonaws.com/instance-family", "eks.amazonaws.com/instance-category", "karpenter.azure.com/sku-family")

_CATEGORY: Final = re.compile(r"[a-z]+(?=[0-9-])")


class AllowedVmSizes(PolicyFunction):
    """Nodes have sizes that the organization allows: VM sizes of Azure, instance types of EC2."""

    sizes: Sequence[str] = ()
    """Names or patterns, such as `Standard_D*ds_v5` or `m7g.*`; empty: all sizes that are not denied."""
    deny: Sequence[str] = ()
    """Names or patterns that are denied, also where `sizes` allows them."""

    def of_resource(self, requested: ResourceUnderCheck) -> Iterator[ViolationText]:
        """A size that is denied, or that no pattern admits."""
        for size in _sizes(requested) if self.sizes or self.deny else ():
            denied = next((pattern for pattern in self.deny if _matches(size.text, pattern)), None)
            if denied is not None:
                yield ViolationText(size.path, size.value, f"The organization denies `{size.text}` (`{denied}`)", "Use another size")
            elif size.text is not None and self.sizes and not any(_matches(size.text, pattern) for pattern in self.sizes):
                yield ViolationText(size.path, size.value, f"The organization does not allow `{size.text}`", f"Use one of {_listed(self.sizes)}")


class AllowedInstanceFamilies(PolicyFunction):
    """NodePools and node groups are limited to the instance families that the organization allows."""

    families: Sequence[str] = ()
    """Of EC2 `m` or `m7g`; of Azure `D`. Empty: all families."""

    def of_resource(self, requested: ResourceUnderCheck) -> Iterator[ViolationText]:
        """A family that is not among them, or a NodePool without a limit."""
        if not self.families:
            return
        for pool in node_pools(requested.resource):
            yield from self._of_node_pool(pool)
        if kind_of(requested.resource) == "NodeGroup":
            for item in inputs(requested.resource).at("instanceTypes").items():
                if item.text is not None and not self._allows(item.text.partition(".")[0]):
                    yield self._refused(item)

    def _of_node_pool(self, pool: InputValue) -> Iterator[ViolationText]:
        pins = [values for requirement in requirements(pool, *_FAMILIES) if (values := admitted(requirement)) is not None]
        if any(all(self._allows(str(value.text)) for value in values) for values in pins):
            return  # requirements hold together: one that keeps to the families is enough
        yield from (self._refused(value) for values in pins for value in values if not self._allows(str(value.text)))
        requested = pool.at("spec", "template", "spec", "requirements")
        if not pins and not any(requirements(pool, *_TYPES)) and _all_known(requested):
            fix = f"Add a requirement on `{_FAMILIES[0]}`, `{_FAMILIES[1]}` or `{_FAMILIES[2]}` with values among {_listed(self.families)}"
            yield ViolationText(requested.path, None, "The requirements do not limit the instance family", fix)

    def _allows(self, family: str) -> bool:
        """`m` allows `m` and `m7g`; `m7g` allows `m7g` alone."""
        category = _CATEGORY.match(family)
        return family in self.families or (category is not None and category[0] in self.families)

    def _refused(self, family: InputValue) -> ViolationText:
        message = "The organization does not allow this instance family"
        return ViolationText(family.path, family.value, message, f"Use one of {_listed(self.families)}")


def _matches(size: str | None, pattern: str) -> bool:
    return size is not None and fnmatchcase(size.lower(), pattern.lower())


def _sizes(requested: ResourceUnderCheck) -> Iterator[InputValue]:
    for pool in agent_pools(requested.resource):
        yield pool.at("vmSize")
        yield from (profile.at("size") for profile in pool.at("virtualMachinesProfile", "scale", "manual").items())
    for pool in node_pools(requested.resource):
        for requirement in requirements(pool, *_TYPES):
            if requirement.at("operator").text == "In":
                yield from requirement.at("values").items()
    if kind_of(requested.resource) == "NodeGroup":
        yield from inputs(requested.resource).at("instanceTypes").items()


def _all_known(listed: InputValue) -> bool:
    return listed.known and all(item.at("key").known and item.at("operator").known and item.at("values").known for item in listed.items())


def _listed(words: Sequence[str]) -> str:
    return ", ".join(f"`{word}`" for word in words)
