"""System pools of AKS: isolated, and in more than one zone.

Support of Kubernetes versions.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Final

from pydantic import Field

from nodepools.data.version_support import AKS_SUPPORT, EKS_SUPPORT, SupportTable, day_or_today
from nodepools.pack.input_values import InputValue, agent_pools, inputs, kind_of
from nodepools.pack.policy import PolicyFunction, ResourceUnderCheck
from nodepools.resources.violation_text import ViolationText


@dataclass(frozen=True, slots=True)
class _Calendar:
    """When standard support of the versions of a cloud ends."""

    version: str
    """The input of a cluster that holds its version."""
    table: SupportTable
    other_plans: frozenset[str] = frozenset()
    """Support plans that have another calendar."""


_CALENDARS: Final = {
    "ManagedCluster": _Calendar("kubernetesVersion", AKS_SUPPORT, frozenset({"AKSLongTermSupport"})),
    "EksCluster": _Calendar("version", EKS_SUPPORT),
}


class KubernetesVersionSupport(PolicyFunction):
    """The Kubernetes version of a cluster is in standard support, for some more days."""

    days: Annotated[int, Field(ge=0)] = 30
    """The minimum number of days until support ends."""
    today: date | None = None
    """The date of the check; today when not set."""

    def of_resource(self, requested: ResourceUnderCheck) -> Iterator[ViolationText]:
        """A version whose support ends too soon. Versions that are not in the table are not checked."""
        calendar = _CALENDARS.get(kind_of(requested.resource))
        given = inputs(requested.resource)
        if calendar is not None and given.at("supportPlan").text not in calendar.other_plans:
            yield from self._check(given.at(calendar.version), calendar)

    def _check(self, version: InputValue, calendar: _Calendar) -> Iterator[ViolationText]:
        end = calendar.table.end(version.text if version.text is not None else "")
        today = day_or_today(self.today)
        if end is None or (end - today).days >= self.days:
            return
        left = (end - today).days
        support = f"Standard support of Kubernetes {version.text}"
        message = f"{support} ended on {end}" if left < 0 else f"{support} ends on {end}, in {left} days: {self.days} days are required"
        fix = "Upgrade the cluster, one minor version at a time"
        yield ViolationText(version.path, version.value, message, fix, calendar.table.source)


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
