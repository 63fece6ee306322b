"""Support of Kubernetes versions."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Final

from pydantic import Field

from nodepools.data.version_support import AKS_SUPPORT, EKS_SUPPORT, SupportTable, day_or_today
from nodepools.pack.input_values import InputValue, inputs, kind_of
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
