"""Sorts what files contain into clusters: exports of `az`, `aws` and `kubectl`, in any order and any number of files."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeAlias, cast

from nodepools.clouds.aks.existing import ExistingAksCluster, Export, Kind, clusters_of, exports, holds_aks
from nodepools.clouds.eks.existing import EksExport, EksKind, ExistingEksCluster, NotEksExportError, eks_clusters_of, eks_exports, holds_eks
from nodepools.clouds.existing_objects import NotExportError, ObjectExport, Objects, object_exports
from nodepools.model.kubernetes.raw_fields import PodError
from nodepools.wire.table import Written

AnyExisting: TypeAlias = ExistingAksCluster | ExistingEksCluster


@dataclass(slots=True)
class Exports:
    """Everything that was read."""

    aks: list[Export] = field(default_factory=list[Export])
    eks: list[EksExport] = field(default_factory=list[EksExport])
    objects: dict[str, list[ObjectExport]] = field(default_factory=dict[str, list[ObjectExport]])
    """By file."""

    def add(self, value: object, source: str) -> None:
        """Adds one document of a file.

        Raises:
            NotExportError: it is not an export that can be read.
        """
        try:
            if not isinstance(value, Mapping) or not self._add(cast("Written", value), source):
                self.aks.extend(exports(cast("object", value), source))
        except (NotEksExportError, PodError) as error:
            raise NotExportError(str(error)) from None

    def _add(self, written: Written, source: str) -> bool:
        objects = object_exports(written, source)
        if objects is not None:
            self.objects.setdefault(source, []).extend(objects)
            return True
        of_aws = eks_exports(written, source)
        if of_aws is not None:
            self.eks.extend(of_aws)
        return of_aws is not None

    def join(self, other: "Exports") -> None:
        """Adds what other documents have."""
        self.aks.extend(other.aks)
        self.eks.extend(other.eks)
        for source, found in other.objects.items():
            self.objects.setdefault(source, []).extend(found)

    def clusters(self) -> tuple[list[AnyExisting], list[str]]:
        """Returns the clusters with the objects inside them, and what is wrong with the rest."""
        aks, wrong = clusters_of(self.aks)
        eks, wrong_in_eks = eks_clusters_of(self.eks)
        of_aks = [Place(one.id.name, self._folders(one), lambda objects, one=one: holds_aks(one, objects)) for one in aks]
        of_eks = [Place(one.id.name, self._eks_folders(one), lambda objects, one=one: holds_eks(one, objects)) for one in eks]
        in_files = [Objects(source, tuple(inside)) for source, inside in self.objects.items() if inside]
        found, unattached = match_objects(in_files, [*of_aks, *of_eks])
        clusters: list[AnyExisting] = [*aks, *eks]
        whole = [replace(one, objects=tuple(item for file in found[number] for item in file.found)) for number, one in enumerate(clusters)]
        return whole, [*wrong, *wrong_in_eks, *unattached, *(told for one in whole for told in _exported_twice(one))]

    def _folders(self, cluster: ExistingAksCluster) -> frozenset[Path]:
        return frozenset(Path(one.source).parent for one in self.aks if one.kind is Kind.CLUSTER and one.cluster.folded == cluster.id.folded)

    def _eks_folders(self, cluster: ExistingEksCluster) -> frozenset[Path]:
        return frozenset(Path(one.source).parent for one in self.eks if one.kind is EksKind.CLUSTER and one.cluster == cluster.id)


def _exported_twice(cluster: AnyExisting) -> Iterator[str]:
    """Exports of different times can contradict each other: which of them holds is not known."""
    seen: dict[tuple[str, str], ObjectExport] = {}
    for one in cluster.objects:
        first = seen.setdefault((one.kind, one.name), one)
        if first.spec != one.spec and one.class_kind is not None:
            files = f"{first.source} and {one.source}" if first.source != one.source else one.source
            yield f"{files}: {one.kind} `{one.name}` is there twice, with another `spec`: keep the newest export of it"


@dataclass(frozen=True, slots=True)
class Place:
    """A cluster as objects can be found in it."""

    name: str
    folders: frozenset[Path]
    """Folders of the files that only describe this cluster."""
    holds: Callable[[Objects], bool | None]
    """Tells whether objects are in it; `None` if they do not say."""


def match_objects(files: Iterable[Objects], places: Sequence[Place]) -> tuple[Mapping[int, Sequence[Objects]], list[str]]:
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
            names = dict.fromkeys(f"`{places[number].name}`" for number in numbers)
            clusters = ", ".join(names) if len(names) > 1 else f"{len(numbers)} clusters called {next(iter(names))}"
            wrong.append(f"{file.source}: the objects can be of {clusters}: put the files of each cluster into a folder of its own")
    return found, wrong


def _fitting(file: Objects, places: Sequence[Place]) -> list[int]:
    says = {number: place.holds(file) for number, place in enumerate(places)}
    possible = [number for number, answer in says.items() if answer is not False]
    certain = [number for number in possible if says[number]]
    if certain:
        possible = certain
    here = [number for number in possible if Path(file.source).parent in places[number].folders]
    return here if here else possible
