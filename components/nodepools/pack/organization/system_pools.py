"""System pools of AKS: alone, and in more than one zone."""

from collections.abc import Iterator
from typing import Annotated

from pydantic import Field

from nodepools.pack.input_values import InputValue, agent_pools
from nodepools.pack.policy import PolicyFunction, ResourceUnderCheck
from nodepools.pack.violation_text import ViolationText

_TAINT = "CriticalAddonsOnly=true:NoSchedule"


class IsolatedSystemPools(PolicyFunction):
    """System pools of AKS carry the taint CriticalAddonsOnly: no application displaces what the cluster lives on."""

    def of_resource(self, asked: ResourceUnderCheck) -> Iterator[ViolationText]:
        """A system pool without the taint."""
        for pool in _system_pools(asked):
            taints = pool.at("nodeTaints")
            if not taints.known or any(not taint.known or taint.text == _TAINT for taint in taints.items()):
                continue
            yield ViolationText(
                taints.path, taints.value, "lets applications run on a system pool", f"add {_TAINT}, and give applications a user pool"
            )


class ZoneRedundantSystemPools(PolicyFunction):
    """System pools of AKS have nodes in several zones: one that fails leaves the cluster working."""

    zones: Annotated[int, Field(ge=1, le=3)] = 2
    """How many zones at least."""

    def of_resource(self, asked: ResourceUnderCheck) -> Iterator[ViolationText]:
        """A system pool in too few zones, or with too few nodes to be in as many."""
        for pool in _system_pools(asked):
            zones = pool.at("availabilityZones")
            if not zones.known:
                continue
            named = {zone.text for zone in zones.items()}
            if len(named) < self.zones:
                yield ViolationText(
                    zones.path, zones.value, f"are {len(named)} zones of the {self.zones} asked for", f"name {self.zones} zones or more"
                )
                continue
            nodes = pool.at("minCount" if pool.at("enableAutoScaling").plain is True else "count")
            if nodes.number is not None and nodes.number < self.zones:
                fix = f"have {self.zones} nodes or more"
                yield ViolationText(nodes.path, nodes.value, f"are too few nodes to be in {self.zones} zones", fix)


def _system_pools(asked: ResourceUnderCheck) -> Iterator[InputValue]:
    yield from (pool for pool in agent_pools(asked.resource) if pool.at("mode").text == "System")
