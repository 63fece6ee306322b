"""Sorts what files contain into clusters: exports of `az`, `aws` and `kubectl`, in any order and any number of files.

Each declared cluster is found among them, with its resources, and whether it and its pools are ready.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import date
from itertools import chain
from pathlib import Path
from typing import Final, Literal, TypeAlias, cast

from nodepools.adoption.aks.pairs import aks_pairs, is_aks
from nodepools.adoption.eks.proof import eks_pairs, is_eks
from nodepools.adoption.proof import is_known_later
from nodepools.clouds.aks.existing import ExistingAksCluster, Export, Kind, clusters_of, exports, holds_aks
from nodepools.clouds.change import AKS_CLUSTER, EKS_CLUSTER, Known, Pairs, Request, Requests, joined
from nodepools.clouds.eks.existing import EksExport, EksKind, ExistingEksCluster, NotEksExportError, eks_clusters_of, eks_exports, holds_eks
from nodepools.clouds.existing_objects import NotExportError, ObjectExport, Objects, UnrecognizedError, exported_twice, object_exports, other_export
from nodepools.clouds.karpenter_requests import as_object, object_request
from nodepools.data.version_support import AKS_SUPPORT, EKS_SUPPORT, LONG_TERM, SOON, SupportTable, minor
from nodepools.model.kubernetes.raw_fields import PodError
from nodepools.model.steps import mapping, sequence
from nodepools.model.values import dataclass, field, replace
from nodepools.wire.karpenter import AKS_NODE_CLASS, EKS_NODE_CLASS, NODE_POOL
from nodepools.wire.paths import value_at
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
        except UnrecognizedError as error:
            raise other_export(cast("object", value)) or error from None

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
        kept = [[(item.kind, "", item.name, item.spec, item.source) for item in one.objects if item.class_kind is not None] for one in whole]
        return whole, [*wrong, *wrong_in_eks, *unattached, *(told for objects in kept for told in exported_twice(objects))]

    def _folders(self, cluster: ExistingAksCluster) -> frozenset[Path]:
        return frozenset(Path(one.source).parent for one in self.aks if one.kind is Kind.CLUSTER and one.cluster.folded == cluster.id.folded)

    def _eks_folders(self, cluster: ExistingEksCluster) -> frozenset[Path]:
        return frozenset(Path(one.source).parent for one in self.eks if one.kind is EksKind.CLUSTER and one.cluster == cluster.id)


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


_READY: Final = ("Succeeded", "Running", "ACTIVE")
_POWER: Final = ("powerState", "code")
_STOPPED: Final = "Stopped"
Support = Literal["ended", "soon", "supported", "unknown"]


@dataclass(frozen=True, slots=True)
class ExistingState:
    """The state that an export shows."""

    version: str
    """The version that the control plane runs."""
    table: SupportTable
    extended: bool
    """It is supported longer, at no cost per hour."""
    not_ready: tuple[str, ...]
    """What is not ready, such as `web: Failed`; the cluster itself without a name."""
    shown_by: str
    """The command that shows why the first one is not."""
    pools: int
    """The pools that the cloud knows; those of Karpenter are objects."""

    @property
    def support_ends(self) -> date | None:
        """The end of the support that it has; `None` if it is not known."""
        return self.table.end(self.version, extended=self.extended) if _is_version(self.version) else None

    @property
    def behind(self) -> int | None:
        """How many minor versions it is behind the newest one of its cloud."""
        return max(self.table.newest.minor - minor(self.version), 0) if _is_version(self.version) else None

    def support(self, today: date) -> Support:
        """Whether support has ended, or ends soon."""
        end = self.support_ends
        if end is None:
            return "ended" if _is_version(self.version) and minor(self.version) < self.table.oldest.minor else "unknown"
        return "ended" if end < today else "soon" if end <= today + SOON else "supported"


def existing_state(existing: AnyExisting, pairs: Iterable[tuple[Request, Request]] = ()) -> ExistingState:
    """The state of an exported cluster. In `pairs`, what exists is next to what is declared: a pool that is `Stopped` on both sides is ready."""
    stopped = {have.agent_pool_name for have, declared in pairs if value_at(declared.sent, _POWER) == _STOPPED}
    return _aks(existing, stopped) if isinstance(existing, ExistingAksCluster) else _eks(existing)


def _aks(existing: ExistingAksCluster, stopped: AbstractSet[str]) -> ExistingState:
    shown = existing.described
    current = shown.get("currentKubernetesVersion")
    version = str(current if isinstance(current, str) and current else shown.get("kubernetesVersion"))
    of_pools = (_not_ready(f"{name}: ", pool, is_declared_stopped=name in stopped) for name, pool in existing.pools.items())
    own = [*_not_ready("", shown), *chain.from_iterable(of_pools)]
    pool = own[0].rpartition(": ")[0] if own else ""
    of_pool = f"nodepool show -g {existing.id.group} --cluster-name {existing.name} -n {pool}"
    place = of_pool if pool else f"show -g {existing.id.group} -n {existing.name}"
    extended = shown.get("supportPlan") == LONG_TERM
    return ExistingState(version, AKS_SUPPORT, extended=extended, not_ready=tuple(own), shown_by=f"az aks {place}", pools=len(existing.pools))


def _not_ready(prefix: str, written: Written, *, is_declared_stopped: bool = False) -> Iterator[str]:
    power = value_at(written, _POWER)
    states = (written.get("provisioningState"), None if is_declared_stopped and power == _STOPPED else power)
    yield from (f"{prefix}{state}" for state in states if isinstance(state, str) and state not in _READY)


def _eks(existing: ExistingEksCluster) -> ExistingState:
    described = existing.described
    status = described.get("status")
    own = (status,) if isinstance(status, str) and status not in _READY else ()
    shows = f"aws eks describe-cluster --name {existing.name} --region {existing.id.region}"
    return ExistingState(str(described.get("version")), EKS_SUPPORT, extended=False, not_ready=own, shown_by=shows, pools=0)


def _is_version(version: str) -> bool:
    parts = version.split(".")
    return len(parts) > 1 and all(part.isascii() and part.isdigit() for part in parts[:2])


@dataclass(frozen=True, slots=True)
class Cloud:
    """How the clusters of one cloud are found and compared."""

    finds: Callable[[Request, Known, object], bool]
    pairs: Callable[[Sequence[Request], Known, object], Pairs]


_CLOUDS: Final[Mapping[str, Cloud]] = {
    AKS_CLUSTER: Cloud(is_aks, lambda requests, known, existing: aks_pairs(requests, known, cast("ExistingAksCluster", existing))),
    EKS_CLUSTER: Cloud(is_eks, lambda requests, _, existing: eks_pairs(requests, cast("ExistingEksCluster", existing))),
}


@dataclass(frozen=True, slots=True)
class MatchedCluster:
    """A cluster of one side, with the exported one."""

    request: Request
    existing: AnyExisting | None
    """`None` if it is not exported."""
    pairs: Pairs


class SeveralFoundError(Exception):
    """Several exported clusters can be the declared one. The message says which."""


def matched_cluster(cluster: Request, side: Requests, known: Known, existing: Sequence[AnyExisting]) -> MatchedCluster:
    """The cluster of a side, next to the exported one. `known` is what its declaration has besides requests.

    Raises:
        SeveralFoundError: several exported clusters have its name.
    """
    cloud = _CLOUDS[cluster.resource.type]
    found = [one for one in existing if cloud.finds(cluster, known, one)]
    own = side.of_cluster(cluster.cluster)
    if len(found) > 1:
        places = ", ".join(f"`{one.id}`" for one in found)
        raise SeveralFoundError(f"`{cluster.cluster}` can be any of {places}: exclude the others")
    if not found:
        return MatchedCluster(cluster, None, Pairs(not_exported=tuple(own)))
    [one] = found
    pairs = joined([cloud.pairs(own, known, one), object_pairs(own, one.objects, cluster.resource.name)])
    reached = {request.key for _, request in pairs.both} | {request.key for request in (*pairs.absent, *pairs.not_exported)}
    rest = tuple(request for request in own if request.key not in reached)
    return MatchedCluster(cluster, one, joined([pairs, Pairs(not_exported=rest)]))


_BUILT_IN: Final = ("default", "system-surge", "general-purpose", "system")
"""Names of objects that the clouds create in a cluster."""
_VERSIONS: Final = {kind.kind: kind.api_version for kind in (NODE_POOL, AKS_NODE_CLASS, EKS_NODE_CLASS)}


def object_pairs(requests: Sequence[Request], objects: Sequence[ObjectExport], stem: str) -> Pairs:
    """The objects of one cluster, of the kinds that were exported. Names in Pulumi begin with `stem`."""
    declared = [request for request in requests if request.resource.type.startswith("kubernetes:")]
    have = {(one.kind, one.name): one for one in objects if one.kind != "Node"}
    kinds = {kind for kind, _ in have}
    named = {(_object_kind(request), as_object(request, stem).resource.name): request for request in declared}
    both = [_object_pair(request, have[name], stem) for name, request in named.items() if name in have]
    left = [request for name, request in named.items() if name not in have]
    others = [one for name, one in have.items() if name not in named and one.name not in _BUILT_IN]
    made = [_undeclared(one, requests[0]) for one in others]
    return Pairs(
        tuple(both),
        tuple(request for request in made if request is not None),
        tuple(request for request in left if _object_kind(request) in kinds),
        tuple(request for request in left if _object_kind(request) not in kinds),
    )


def _object_kind(request: Request) -> str:
    return request.resource.type.rpartition(":")[2]


def _object_pair(request: Request, export: ObjectExport, stem: str) -> tuple[Request, Request]:
    """Both with the defaults of the CRD."""
    wanted = replace(request, sent=as_object(request, stem).sent)
    made = object_request(_manifest(export))
    have = made.sent if made is not None else export.spec
    return replace(wanted, sent=mapping(_known(have, wanted.sent))), wanted


def _known(have: object, sent: object) -> object:
    """What the cluster has, with references that only `pulumi up` knows as they are sent."""
    if sent is not None and is_known_later(sent):
        return sent
    if isinstance(have, Mapping):
        return {name: _known(value, mapping(sent).get(name)) for name, value in mapping(cast("object", have)).items()}
    one, other = sequence(have), sequence(sent)
    return [_known(*both) for both in zip(one, other, strict=True)] if one and len(one) == len(other) else have


def _manifest(export: ObjectExport) -> Mapping[str, object]:
    return {"apiVersion": _VERSIONS[export.kind], "kind": export.kind, "metadata": {"name": export.name}, "spec": export.spec}


def _undeclared(export: ObjectExport, near: Request) -> Request | None:
    made = object_request(_manifest(export), near.cluster)
    place = ("clusters", near.cluster) if near.steps[:1] == ("clusters",) else ()
    return replace(made, steps=(*place, export.kind, export.name)) if made is not None else None
