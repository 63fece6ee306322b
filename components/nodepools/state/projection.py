"""Observed values in the shape of what a program sends.

A provider that compares inputs with inputs plans a change for everything that it has read and that the program does not send, and replaces a
cluster for some of it. So the inputs of an imported resource must have the paths of the program, with the values of the cloud. A path that the
program does not send is omitted, and so is a path that the cloud does not have. No value comes from the program: a preview would hide what differs.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, cast

from nodepools.engine.signatures import SIGNATURE

WHOLE: Final = frozenset({"tags", "nodeLabels"})
"""Mappings that a request replaces as a whole: an entry that the program does not send would be removed, so it must be seen."""
_MARKS: Final = ({"$unknown": True}, {"$secret": True})
Path = tuple[str, ...]


def projected(sent: object, observed: object) -> object:
    """`observed` without the paths that `sent` does not have."""
    if isinstance(sent, Mapping) and isinstance(observed, Mapping):
        ours, theirs = cast("Mapping[str, object]", sent), cast("Mapping[str, object]", observed)
        return theirs if ours in _MARKS or SIGNATURE in theirs else _mapping(ours, theirs)
    if isinstance(sent, list | tuple) and isinstance(observed, list | tuple):
        return _list(cast("Sequence[object]", sent), cast("Sequence[object]", observed))
    return observed


def _mapping(sent: Mapping[str, object], observed: Mapping[str, object]) -> dict[str, object]:
    found: dict[str, object] = {}
    for name, value in sent.items():
        if name in observed:
            found[name] = observed[name] if name in WHOLE else projected(value, observed[name])
        elif value in ({}, []):
            found[name] = value  # the cloud has none, and does not say so
    return found


def _list(sent: Sequence[object], observed: Sequence[object]) -> list[object]:
    ours, theirs = _by_name(sent), _by_name(observed)
    if ours is not None and theirs is not None:
        return [projected(value, theirs[name]) for name, value in ours.items() if name in theirs]
    if not all(isinstance(item, Mapping) for item in (*sent, *observed)):
        return list(observed)
    common = [projected(one, other) for one, other in zip(sent, observed, strict=False)]
    return [*common, *observed[len(common) :]]


def _by_name(items: Sequence[object]) -> dict[str, object] | None:
    """The items by their names; `None` if one has none."""
    named = [cast("Mapping[str, object]", item) for item in items if isinstance(item, Mapping)]
    names = [one.get("name") for one in named]
    if not items or len(named) != len(items) or not all(isinstance(name, str) for name in names):
        return None
    return {str(name): one for name, one in zip(names, named, strict=True)}


def differing(sent: object, settled: object, path: Path = ()) -> Iterator[Path]:
    """Paths whose value a program changes. Values that are unknown until an update are not compared."""
    if sent in _MARKS or (isinstance(settled, Mapping) and SIGNATURE in settled):
        return
    if isinstance(sent, Mapping) and isinstance(settled, Mapping):
        ours, theirs = cast("Mapping[str, object]", sent), cast("Mapping[str, object]", settled)
        for name in dict.fromkeys((*ours, *theirs)):
            if name in ours and name in theirs:
                yield from differing(ours[name], theirs[name], (*path, name))
            elif ours.get(name) not in _MARKS:
                yield (*path, name)
    elif isinstance(sent, list | tuple) and isinstance(settled, list | tuple):
        ours, theirs = cast("Sequence[object]", sent), cast("Sequence[object]", settled)
        if len(ours) != len(theirs):
            yield path
            return
        for number, (one, other) in enumerate(zip(ours, theirs, strict=True)):
            yield from differing(one, other, (*path, str(number)))
    elif sent != settled:
        yield path
