"""Creations that Pulumi began and did not record: the cloud can have created the resource, and rejects a second creation.

A killed `pulumi up` leaves a record of the operation. If only the answer of the cloud was lost, there is none: the next `pulumi up` fails because the
resource exists. Its output then names the resource, and a preview has its inputs and its parent.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from nodepools.engine.urns import PROVIDER_PREFIX, STACK_TYPE
from nodepools.model.steps import mapping, sequence
from nodepools.state.deployment import Pending, Recorded, State
from nodepools.state.resource_ids import needs_subscription, resource_id

_SUBSCRIPTION: Final = re.compile(r"/subscriptions/([^/]+)/", re.IGNORECASE)
PLACEHOLDER: Final = "<PLACEHOLDER>"
_HEADING: Final = re.compile(r"\s*\S+:(?P<kind>\w+) \((?P<name>[^()]+)\):\s*$")
_EXISTS: Final = re.compile(r"already exist|already in use|AlreadyExist|ResourceInUse", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class PendingCreation:
    """A resource that the cloud may have, and the state does not."""

    resource: Recorded
    id: str | None
    """`None` if the cloud chose it, or the subscription is not known."""
    lacks_subscription: bool = False


@dataclass(frozen=True, slots=True)
class Interrupted:
    """The operations of a state that did not end."""

    creations: tuple[PendingCreation, ...]
    recorded: tuple[Recorded, ...]
    """Creations that the state has now: they are recovered."""
    others: tuple[Pending, ...]
    """Updates, deletions and others: the next `pulumi up` does them again."""


def interrupted(state: State, subscription: str | None = None, rejected: Sequence[Recorded] = ()) -> Interrupted:
    """What did not end.

    Args:
        state: the state.
        subscription: that of resources whose provider has none in the state.
        rejected: creations that failed because the resource exists.
    """
    known = state.by_urn()
    recorded = [one.resource for one in state.pending if one.operation == "creating"]
    creating = list({one.urn: one for one in (*rejected, *recorded)}.values())
    lost = [one for one in creating if one.urn not in known]
    return Interrupted(
        tuple(_creation(one, _subscription(one, known, subscription)) for one in lost),
        tuple(one for one in creating if one.urn in known),
        tuple(one for one in state.pending if one.operation != "creating"),
    )


def _creation(one: Recorded, subscription: str | None) -> PendingCreation:
    return PendingCreation(one, resource_id(one.type, one.inputs, subscription), subscription is None and needs_subscription(one.type))


def _subscription(one: Recorded, known: Mapping[str, Recorded], default: str | None) -> str | None:
    """The subscription of its provider, or of another resource of that provider."""
    provider = known.get(one.provider)
    declared = provider.inputs.get("subscriptionId") if provider is not None else None
    if isinstance(declared, str):
        return declared
    found = (_SUBSCRIPTION.match(other.id) for other in known.values() if other.provider == one.provider)
    return next((match[1] for match in found if match is not None), default)


def pending_imports(creations: Iterable[PendingCreation], state: State) -> dict[str, object]:
    """The import file of the creations. An id that is not known is a placeholder, as in the import files of Pulumi.

    Parents and providers are already in the state: the file names them in its `nameTable`, by keys that no resource of the file has.
    """
    known = state.by_urn()
    found = list(creations)
    names = [one.resource.name for one in found]
    table: dict[str, str] = {}
    entries: list[dict[str, object]] = []
    for one in found:
        resource = one.resource
        provider = known.get(resource.provider)
        by_default = provider is None or provider.name.startswith("default")
        handle = resource.name if names.count(resource.name) == 1 else f"{resource.name}-{resource.kind}"
        version = provider.inputs.get("version") if provider is not None and by_default else None
        entries.append(
            {
                "type": resource.type,
                "name": handle,
                **({"logicalName": resource.name} if handle != resource.name else {}),
                "id": one.id if one.id is not None else PLACEHOLDER,
                **_reference("parent", known.get(resource.parent), table),
                **({} if by_default else _reference("provider", provider, table)),
                **({"version": version} if isinstance(version, str) else {}),
            }
        )
    return {"nameTable": table, "resources": entries}


def _reference(field: str, to: Recorded | None, table: dict[str, str]) -> dict[str, str]:
    if to is None or to.type == STACK_TYPE:
        return {}
    key = f"{to.name} ({to.kind if not to.type.startswith(PROVIDER_PREFIX) else f'provider {to.kind}'})"
    table[key] = to.urn
    return {field: key}


class NotPreviewError(Exception):
    """A value that is not a preview. The message says why."""


def refused_creations(preview: object, output: str) -> list[Recorded]:
    """Creations that failed because the resource exists.

    Args:
        preview: what `pulumi preview --json` prints: the inputs, the parent and the provider of each resource to create.
        output: what the failed `pulumi up` printed.

    Raises:
        NotPreviewError: `preview` is something else.
    """
    steps = mapping(preview).get("steps")
    if not sequence(steps):
        raise NotPreviewError("is not a preview: write one with `pulumi preview --json`")
    created = [mapping(step) for step in sequence(steps)]
    planned = [Recorded(mapping(step.get("newState"))) for step in created if step.get("op") == "create"]
    existing = set(_existing(output))
    return [one for one in planned if (one.kind, one.name) in existing]


def _existing(output: str) -> Iterator[tuple[str, str]]:
    """Kinds and names of resources whose creation failed because they exist: Pulumi prints a heading for each resource, and errors below it."""
    heading: tuple[str, str] | None = None
    for line in output.splitlines():
        found = _HEADING.match(line)
        if found is not None:
            heading = (found["kind"], found["name"])
        elif heading is not None and _EXISTS.search(line):
            yield heading
