"""What a state records: resources, and operations that did not end."""

from collections.abc import Mapping, Sequence
from typing import cast

from nodepools.engine.property_values import provider_urn
from nodepools.model.steps import mapping, sequence
from nodepools.model.values import dataclass


class NotStateError(Exception):
    """A value that is not a state. The message says why."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """A resource in a state, or in a pending operation."""

    entry: Mapping[str, object]

    @property
    def urn(self) -> str:
        """Its URN."""
        return str(self.entry.get("urn"))

    @property
    def name(self) -> str:
        """Its name in Pulumi."""
        return self.urn.rpartition("::")[2]

    @property
    def type(self) -> str:
        """The type token, `azure-native:containerservice:AgentPool`."""
        return str(self.entry.get("type"))

    @property
    def kind(self) -> str:
        """The last part of the type token: `AgentPool`."""
        return self.type.rpartition(":")[2]

    @property
    def label(self) -> str:
        """Kind and name."""
        return f"{self.kind} {self.name}"

    @property
    def id(self) -> str:
        """Its id at the provider; empty for components."""
        found = self.entry.get("id")
        return found if isinstance(found, str) else ""

    @property
    def parent(self) -> str:
        """URN of its parent."""
        return str(self.entry.get("parent"))

    @property
    def provider(self) -> str:
        """URN of its provider."""
        return provider_urn(str(self.entry.get("provider")))

    @property
    def inputs(self) -> Mapping[str, object]:
        """Its inputs."""
        return mapping(self.entry.get("inputs"))

    @property
    def outputs(self) -> Mapping[str, object]:
        """Its outputs."""
        return mapping(self.entry.get("outputs"))

    @property
    def is_imported(self) -> bool:
        """It was imported, and no `pulumi up` has recorded it since: only that records what a resource depends on."""
        return self.id != "" and not self.entry.get("dependencies") and not self.entry.get("propertyDependencies")


@dataclass(frozen=True, slots=True)
class Pending:
    """An operation that did not end."""

    resource: Recorded
    operation: str
    """`creating`, `updating`, `deleting`, …."""


@dataclass(frozen=True, slots=True)
class State:
    """A state, with everything that it has."""

    whole: Mapping[str, object]
    resources: tuple[Recorded, ...]
    pending: tuple[Pending, ...]

    @property
    def stack(self) -> str:
        """The name of its stack."""
        return self._part(2)

    @property
    def project(self) -> str:
        """The name of its project."""
        return self._part(4)

    def by_urn(self) -> dict[str, Recorded]:
        """Each resource by its URN, without those that Pulumi is about to delete."""
        return {one.urn: one for one in self.resources if one.entry.get("delete") is not True}

    def replaced(self, resources: Mapping[str, Mapping[str, object]], pending: Sequence[Pending]) -> dict[str, object]:
        """The state with other entries for the resources with these URNs, and with other pending operations."""
        deployment = mapping(self.whole["deployment"])
        entries = [resources.get(one.urn, one.entry) if one.entry.get("delete") is not True else one.entry for one in self.resources]
        left = {"pending_operations": [{"resource": one.resource.entry, "type": one.operation} for one in pending]}
        others = {name: value for name, value in deployment.items() if name != "pending_operations"}
        return {**self.whole, "deployment": {**others, "resources": entries, **(left if pending else {})}}

    def _part(self, number: int) -> str:
        first = next((one.urn for one in (*self.resources, *(pending.resource for pending in self.pending))), "")
        parts = first.split(":")
        return parts[number] if len(parts) > number else ""


def state_of(value: object) -> State:
    """Reads what `pulumi stack export` prints.

    Raises:
        NotStateError: the value is something else.
    """
    whole = mapping(value)
    deployment = mapping(whole.get("deployment"))
    if not deployment:
        raise NotStateError("is not a state: export one with `pulumi stack export`")
    resources = [Recorded(cast("Mapping[str, object]", entry)) for entry in sequence(deployment.get("resources")) if isinstance(entry, Mapping)]
    pending = [
        Pending(Recorded(mapping(one.get("resource"))), str(one.get("type"))) for one in map(mapping, sequence(deployment.get("pending_operations")))
    ]
    if not resources and not pending:
        raise NotStateError("is a state without resources")
    return State(whole, tuple(resources), tuple(pending))
