"""Finds the cluster of Kubernetes objects: `kubectl` prints no name of it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from nodepools.adoption.object_exports import Objects


@dataclass(frozen=True, slots=True)
class Place:
    """A cluster as objects can be found in it."""

    name: str
    folders: frozenset[Path]
    """Folders of the files that only describe this cluster."""
    holds: Callable[[Objects], bool | None]
    """Tells whether objects are in it; `None` if they do not say."""


def attached(files: Iterable[Objects], places: Sequence[Place]) -> tuple[Mapping[int, Sequence[Objects]], list[str]]:
    """The files with objects of each cluster, by its number in `places`, and what is wrong with the others.

    What the objects say comes first: names of instance profiles, regions and ids of nodes. Then the folder counts, then that there is only one
    cluster.
    """
    found: dict[int, list[Objects]] = {number: [] for number in range(len(places))}
    wrong: list[str] = []
    for file in files:
        numbers = _fitting(file, places)
        if len(numbers) == 1:
            found[numbers[0]].append(file)
        elif not numbers:
            wrong.append(f"{file.source}: the objects are not of any cluster in these files: add the export of their cluster")
        else:
            names = ", ".join(f"`{places[number].name}`" for number in numbers)
            wrong.append(f"{file.source}: the objects can be of {names}: put the files of each cluster into a folder of its own")
    return found, wrong


def _fitting(file: Objects, places: Sequence[Place]) -> list[int]:
    says = {number: place.holds(file) for number, place in enumerate(places)}
    possible = [number for number, answer in says.items() if answer is not False]
    certain = [number for number in possible if says[number]]
    if certain:
        possible = certain
    here = [number for number in possible if Path(file.source).parent in places[number].folders]
    return here if here else possible
