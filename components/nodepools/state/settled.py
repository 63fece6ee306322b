"""Settles imported resources: their inputs become what the cloud has, in the shape of what the program sends."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, cast

from nodepools.clouds.change import AGENT_POOL, AKS_CLUSTER
from nodepools.engine.signatures import SIGNATURE
from nodepools.model.steps import mapping, sequence
from nodepools.model.values import dataclass
from nodepools.state.deployment import Recorded, State

WHOLE: Final = frozenset({"tags", "nodeLabels"})
"""Mappings that a request replaces as a whole: an entry that the program does not send would be removed, so it must be seen."""
_UNKNOWN: Final = {"$unknown": True}
_SECRET: Final = {"$secret": True}
_ABSENT: Final = object()
Path = tuple[str, ...]


def projected(sent: object, existing: object) -> object:
    """`existing` without the paths that `sent` does not have."""
    if isinstance(sent, Mapping) and isinstance(existing, Mapping):
        ours, theirs = cast("Mapping[str, object]", sent), cast("Mapping[str, object]", existing)
        return theirs if ours in (_UNKNOWN, _SECRET) or SIGNATURE in theirs else _mapping(ours, theirs)
    if isinstance(sent, list | tuple) and isinstance(existing, list | tuple):
        return _list(cast("Sequence[object]", sent), cast("Sequence[object]", existing))
    return existing


def _mapping(sent: Mapping[str, object], existing: Mapping[str, object]) -> dict[str, object]:
    found: dict[str, object] = {}
    for name, value in sent.items():
        if name in existing:
            found[name] = existing[name] if name in WHOLE else projected(value, existing[name])
        elif value in ({}, []):
            found[name] = value  # the cloud has none, and does not say so
    return found


def _list(sent: Sequence[object], existing: Sequence[object]) -> list[object]:
    ours, theirs = _by_name(sent), _by_name(existing)
    if ours is not None and theirs is not None:
        return [projected(value, theirs[name]) for name, value in ours.items() if name in theirs]
    if not all(isinstance(item, Mapping) for item in (*sent, *existing)):
        return list(existing)
    common = [projected(one, other) for one, other in zip(sent, existing, strict=False)]
    return [*common, *existing[len(common) :]]


def _by_name(items: Sequence[object]) -> dict[str, object] | None:
    """The items by their names; `None` if one has none."""
    named = [cast("Mapping[str, object]", item) for item in items if isinstance(item, Mapping)]
    names = [one.get("name") for one in named]
    if not items or len(named) != len(items) or not all(isinstance(name, str) for name in names):
        return None
    return {str(name): one for name, one in zip(names, named, strict=True)}


def differing(sent: object, settled: object, path: Path = ()) -> Iterator[tuple[Path, bool]]:
    """Paths whose value a program changes, and whether that is certain: secrets cannot be compared. Values unknown until an update do not count."""
    if sent == _UNKNOWN:
        return
    if sent == _SECRET or (sent is not _ABSENT and isinstance(settled, Mapping) and SIGNATURE in settled):
        yield path, False
    elif isinstance(sent, Mapping) and isinstance(settled, Mapping):
        ours, theirs = cast("Mapping[str, object]", sent), cast("Mapping[str, object]", settled)
        for name in dict.fromkeys((*ours, *theirs)):
            yield from differing(ours.get(name, _ABSENT), theirs.get(name, _ABSENT), (*path, name))
    elif isinstance(sent, list | tuple) and isinstance(settled, list | tuple):
        ours, theirs = cast("Sequence[object]", sent), cast("Sequence[object]", settled)
        if len(ours) != len(theirs):
            yield path, True
            return
        for number, (one, other) in enumerate(zip(ours, theirs, strict=True)):
            yield from differing(one, other, (*path, str(number)))
    elif sent != settled:
        yield path, True


_COMPARING: Final = ("azure-native:", "kubernetes:")
"""Providers that compare the inputs of a program with those of the state. The provider of AWS compares with what AWS has."""


@dataclass(frozen=True, slots=True)
class Settled:
    """An imported resource."""

    resource: Recorded
    inputs: Mapping[str, object]
    sent: Mapping[str, object]
    """The inputs of the program."""
    changes: tuple[Path, ...]
    """What a first `pulumi up` changes."""
    hidden: tuple[Path, ...] = ()
    """Secrets: whether it changes them is unknown."""


@dataclass(frozen=True, slots=True)
class Settlement:
    """A state that is settled."""

    state: Mapping[str, object]
    settled: tuple[Settled, ...]
    undeclared: tuple[Recorded, ...]
    """Imported resources that the program does not register: `pulumi up` would delete them."""
    created: tuple[Recorded, ...]
    """Resources that the program registers, and the state does not have."""
    forgotten: tuple[Recorded, ...]
    """Resources of interrupted creations that the state has now."""


def settled(state: State, registered: Mapping[str, Mapping[str, object]]) -> Settlement:
    """Settles all imported resources. `registered` has the inputs of all custom resources that the program sends, by URN.

    What the cloud does not return of a resource whose creation was interrupted is what that creation sent.
    """
    known = state.by_urn()
    imported = sorted((one for one in known.values() if one.is_imported and not one.type.startswith("pulumi:")), key=lambda one: one.urn)
    over = [one for one in state.pending if one.operation == "creating" and one.resource.urn in known]
    created = {one.resource.urn: one.resource.inputs for one in over}
    found = [
        _settled(one, registered[one.urn], {**created.get(one.urn, {}), **_existing_inputs(one, known)})
        for one in imported
        if one.urn in registered and one.type.startswith(_COMPARING)
    ]
    entries = {one.resource.urn: {**one.resource.entry, "inputs": one.inputs} for one in found}
    left = [one for one in state.pending if one not in over]
    undeclared = tuple(one for one in imported if one.urn not in registered)
    absent = (Recorded({"urn": urn, "type": urn.split("::")[2].rpartition("$")[2]}) for urn in registered if urn not in known)
    created = tuple(one for one in absent if not one.type.startswith("pulumi:"))
    return Settlement(state.replaced(entries, left), tuple(found), undeclared, created, tuple(one.resource for one in over))


def _settled(one: Recorded, sent: Mapping[str, object], existing: Mapping[str, object]) -> Settled:
    inputs = mapping(projected(sent, existing))
    found = list(differing(sent, inputs))
    return Settled(one, inputs, sent, *(tuple(path for path, is_certain in found if is_certain is certain) for certain in (True, False)))


def _existing_inputs(one: Recorded, known: Mapping[str, Recorded]) -> Mapping[str, object]:
    """What the cloud has. The inputs of the import are in the program's spelling; of custom resources, they have only the name."""
    if one.type == AGENT_POOL:
        return {**one.inputs, **_pool_type(one, known)}
    return {**one.inputs, **one.outputs} if one.type.startswith("kubernetes:") else one.inputs


def _pool_type(pool: Recorded, known: Mapping[str, Recorded]) -> Mapping[str, object]:
    """The type of a pool. Its own response has the type of the resource under that name; the response of its cluster has both."""
    listed = [
        mapping(profile)
        for cluster in known.values()
        if cluster.type == AKS_CLUSTER and pool.id.lower().startswith(f"{cluster.id.lower()}/agentpools/")
        for profile in sequence(cluster.outputs.get("agentPoolProfiles"))
    ]
    name = pool.id.rpartition("/")[2]
    found = [{"type": profile["type"]} for profile in listed if profile.get("name") == name and "type" in profile]
    return found[0] if found else {}
