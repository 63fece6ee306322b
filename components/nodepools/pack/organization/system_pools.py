"""System pools of AKS: isolated, and in more than one zone."""

from collections.abc import Iterator
from typing import Annotated

from pydantic import Field

from nodepools.pack.input_values import InputValue, agent_pools
from nodepools.pack.policy import PolicyFunction, ResourceUnderCheck
from nodepools.resources.violation_text import ViolationText

_TAINT = "CriticalAddonsOnly=true:NoSchedule"


class IsolatedSystemPools(PolicyFunction):
    """System pools of AKS have the taint `CriticalAddonsOnly`: applications do not use the capacity of system pods."""

    def of_resource(self, requested: ResourceUnderCheck) -> Iterator[ViolationText]:
        """A system pool without the taint."""
        for pool in _system_pools(requested):
            taints = pool.at("nodeTaints")
            if not taints.known or any(not taint.known or taint.text == _TAINT for taint in taints.items()):
                continue
            yield ViolationText(
                taints.path,
                taints.value,
                "The system pool accepts application pods",
                f"Add `{_TAINT}` to `nodeTaints`, and a user pool for applications",
            )


class ZoneRedundantSystemPools(PolicyFunction):
    """System pools of AKS have nodes in several zones, so that the cluster works when one fails."""

    zones: Annotated[int, Field(ge=1, le=3)] = 2
    """The minimum number of zones."""

    def of_resource(self, requested: ResourceUnderCheck) -> Iterator[ViolationText]:
        """A system pool in too few zones, or with fewer nodes than zones."""
        for pool in _system_pools(requested):
            zones = pool.at("availabilityZones")
            if not zones.known:
                continue
            named = {zone.text for zone in zones.items()}
            if len(named) < self.zones:
                yield ViolationText(
                    zones.path,
                    zones.value,
                    f"The system pool is in {len(named)} zones: {self.zones} are required",
                    "Add zones to `availabilityZones`",
                )
                continue
            name = "minCount" if pool.at("enableAutoScaling").plain is True else "count"
            nodes = pool.at(name)
            if nodes.number is not None and nodes.number < self.zones:
                message = f"The system pool has {nodes.number} nodes: {self.zones} zones require at least {self.zones}"
                yield ViolationText(nodes.path, nodes.value, message, f"Set `{name}` to {self.zones} or more")


def _system_pools(requested: ResourceUnderCheck) -> Iterator[InputValue]:
    yield from (pool for pool in agent_pools(requested.resource) if pool.at("mode").text == "System")
