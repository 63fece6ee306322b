"""How long a Kubernetes version is supported."""

from collections.abc import Iterator
from datetime import date
from typing import Annotated

from pydantic import Field

from nodepools.pack.message import Complaint
from nodepools.pack.places import Place, inputs, kind_of
from nodepools.pack.policy import Asked, Judge
from nodepools.rules.support import AKS, AKS_ENDS, EKS, EKS_ENDS

_LONG_TERM = "AKSLongTermSupport"


class KubernetesVersionSupport(Judge):
    """The Kubernetes version of a cluster is in standard support, and will be for a while."""

    days: Annotated[int, Field(ge=0)] = 30
    """For how many days it must be supported yet."""
    today: date | None = None
    """The day for which it is judged; the day of the run when left out."""

    def of_resource(self, asked: Asked) -> Iterator[Complaint]:
        """A version whose support ends too soon; of a version that is not in the table nothing is said."""
        given = inputs(asked.resource)
        match kind_of(asked.resource):
            case "ManagedCluster" if given.at("supportPlan").text != _LONG_TERM:
                yield from self._judged(given.at("kubernetesVersion"), AKS_ENDS, AKS)
            case "EksCluster":
                yield from self._judged(given.at("version"), EKS_ENDS, EKS)
            case _:
                pass

    def _judged(self, version: Place, ends: dict[str, date], source: str) -> Iterator[Complaint]:
        end = ends.get(".".join((version.text or "").split(".")[:2]))
        today = self.today if self.today is not None else date.today()  # noqa: DTZ011  # the day where people are
        if end is None or (end - today).days >= self.days:
            return
        left = (end - today).days
        message = f"is supported for {left} more days, until {end}" if left >= 0 else f"is out of standard support since {end}"
        fix = "upgrade, one minor version at a time" if left < 0 else f"plan the upgrade: {self.days} days are asked for"
        yield Complaint(version.path, version.value, message, fix, source)
