"""What files contain that can be compared: a platform, manifests, a plan, or a state; and where the declaration of a change is in them."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from nodepools.adoption.read_exports import AnyExisting
from nodepools.changes.platform_changes import requests_of
from nodepools.cli.command_run import CommandRun
from nodepools.cli.existing.cloud_exports import ClusterFiles
from nodepools.cli.inputs.input_files import exported, text
from nodepools.cli.problem import InvalidError, Problem, usage_error
from nodepools.clouds.change import CLUSTER, EC2_NODE_CLASS, Requests
from nodepools.clouds.karpenter_requests import as_object, object_request
from nodepools.conversion.raw_parts import V1BETA1, convert_to_v1
from nodepools.data.karpenter_releases import KarpenterRelease
from nodepools.loading import UnreadableError, load_text
from nodepools.model.listing import grouped
from nodepools.model.platform import Platform
from nodepools.model.steps import Steps, mapping, sequence
from nodepools.model.values import dataclass, replace
from nodepools.reading.bounded_input import is_terraform
from nodepools.reading.yaml_documents import documents
from nodepools.resources.plan_requests import OF_PULUMI, plan_requests
from nodepools.resources.resource import Resource, of_plan_json
from nodepools.rules.engine.finding import DeclarationError, SourcePosition

if TYPE_CHECKING:
    from nodepools.manifests.manifest_objects import ManifestObject
    from nodepools.resources.terraform import TerraformSource


_OF_SERVER = ("apiVersion", "status", "metadata")
_NOTES_OF_SERVER = ("kubectl.kubernetes.io/last-applied-configuration", "karpenter.sh/", "karpenter.azure.com/", "karpenter.k8s.aws/")
"""Annotations of an object that is read from a cluster."""


@dataclass(frozen=True, slots=True)
class Place:
    """A file, and the line of a field or of the nearest part that contains it."""

    file: str
    position: SourcePosition | None = None


Places = Callable[[Steps], Place | None]
"""Finds the declaration of a field. Nothing is parsed before it is called."""
_CLUSTER = len(("clusters", "weu"))


def nowhere(_: Steps) -> None:
    """The places of a plan, of a state and of exports."""


def in_file(file: str) -> Places:
    """A file whose lines are not known."""
    return lambda _: Place(file)


def in_platform(text: str, file: str) -> Places:
    """The places in a platform file."""

    @cache
    def marks() -> Callable[[Steps], SourcePosition] | None:
        from nodepools.manifests.platform_yaml import parse

        return parse(text, file).marks

    def find(steps: Steps) -> Place:
        found = marks()
        return Place(file, found(steps) if found is not None else None)

    return find


def in_stack(text: str, file: str) -> Places:
    """The places in the file of a stack: lines only of clusters, and of parts of them, that its literals, keywords and names declare."""

    @cache
    def position(steps: Steps) -> SourcePosition | None:
        from nodepools.manifests.stack_source import StackSource

        source = StackSource.of(text, file)
        return source.position(steps) if source.entry(steps[:_CLUSTER]) is not None else None

    return lambda steps: Place(file, position(steps) if len(steps) >= _CLUSTER else None)


def in_manifests(objects: "Sequence[ManifestObject]") -> Places:
    """The places of objects; those of an object that is gone are not known."""

    def find(steps: Steps) -> Place | None:
        named = next((one for one in objects if (one.kind, one.name) == steps[:2]), None)
        return Place(named.file, named.position(steps[2:])) if named is not None else None

    return find


@dataclass(frozen=True, slots=True)
class Part:
    """One stack of a side."""

    name: str
    requests: Requests
    platform: Platform | None = None
    """The declaration; `None` for a plan, a state, or manifests."""
    places: Places = nowhere
    unknown: Sequence[str] = ()
    """Paths of fields that a program knows only after `pulumi up`: whether they changed is not known."""
    modeled: Platform | None = None
    """The declaration with the clusters of a program that no component declares, for capacity, cost and workloads; `None` if there are none."""


@dataclass(frozen=True, slots=True)
class Side:
    """What is compared with the other side."""

    title: str
    """How the header names it."""
    kind: str
    """`declaration`, `resources` (of a plan or a state), `manifests`, `existing` (exports), or `terraform` (a plan with both sides)."""
    parts: Mapping[str, Part]
    commit: str | None = None
    """The commit that it is read from; for the working tree, the one that it is based on."""
    is_recorded: bool = False
    """It was written earlier, maybe by another version of this library: a plan, or a state."""
    clusters: tuple[AnyExisting, ...] = ()
    """Clusters that exist, of a side of exports."""
    objects: "tuple[ManifestObject, ...]" = ()
    """The objects of manifests."""
    resources: Sequence[Resource] = ()
    """Everything that a program registers: of a plan, and of the working tree that is compared with one."""
    project: str = ""
    """The project of a state or a plan; empty if it is not known."""
    terraform: "TerraformSource | None" = None
    """A plan or a state of Terraform."""

    def with_karpenter(self, release: KarpenterRelease) -> "Side":
        """The side, with EC2NodeClasses as this version of Karpenter compares them."""
        return replace(self, parts={name: replace(part, requests=_of_release(part.requests, release)) for name, part in self.parts.items()})


def _of_release(requests: Requests, release: KarpenterRelease) -> Requests:
    every = (replace(one, karpenter=release) if one.resource.type == EC2_NODE_CLASS else one for one in requests.all)
    return replace(requests, all=tuple(every))


def resources_side(title: str, name: str, resources: Sequence[Resource], run: CommandRun, places: Places, *, is_whole: bool) -> Side:
    """What a program registers. It `is_whole` if the other side is a plan: a state has what the engine makes of the inputs of other resources."""
    found = plan_requests(resources)
    if found.others and not is_whole:
        run.notes.append(Problem(title, f"changes of {found.others} other resources are not compared"))
    return Side(title, "resources", {name: Part(name, found.requests, places=places)}, resources=resources if is_whole else ())


def only_objects(side: Side, other: Side) -> Side:
    """The NodePools and node classes of a side, as manifests: without their clusters. Of several clusters, the one that has objects of `other`.

    Raises:
        InputError: several clusters have such objects.
    """
    if side.kind == "manifests":
        return side
    wanted = {request.key[1:3] for part in other.parts.values() for request in part.requests.all}
    every = [request for part in side.parts.values() for request in part.requests.all if request.resource.type.startswith("kubernetes:")]
    clusters = {request.cluster for request in every}
    named = {request.cluster for request in every if request.key[1:3] in wanted} if len(clusters) > 1 else clusters
    if len(named) != 1 and len(clusters) > 1:
        usage_error(f"{side.title}: several clusters have NodePools, and manifests are those of one: compare a platform file with one cluster")
    stems = {request.cluster: request.resource.name for part in side.parts.values() for request in part.requests.all if request.subject == CLUSTER}
    found = [as_object(request, stems.get(request.cluster, "")) for request in every if request.cluster in named]
    return Side(side.title, "manifests", {"": Part("", Requests(tuple(found)))})


def declared(name: str, read: Callable[[], Platform], run: CommandRun, places: Places) -> Part:
    """A declaration. Its secrets are not in messages of the run.

    Raises:
        UnreadableError: it cannot be read.
        InvalidError: it has schema errors.
    """
    try:
        platform = read()
    except DeclarationError as error:
        run.hide(error.rest)
        raise InvalidError(name, error.findings) from None
    run.hide(platform)
    return Part(platform.name, requests_of(platform), platform, places)


def file_side(file: Path, run: CommandRun) -> Side:
    """A file by its content.

    Raises:
        UnreadableError: it cannot be read, or is of no known kind.
        InputError: it is Python.
    """
    name = str(file)
    if file.suffix == ".py":
        usage_error(f"{name}: is Python, which `diff` reads as a stack of a project: run `nodepools diff HEAD --stack {file.stem}` in its folder")
    written = text(file)
    plan = _plan_of_terraform(written, name)
    if plan is not None:
        return Side(name, "terraform", {}, terraform=plan)
    read = list(documents(exported(written, file, run), name))
    values = [document.value for document in read]
    first = mapping(next(iter(values), None))
    if "deployment" in first:
        return _state(name, first, run)
    if isinstance(first.get("resources"), list) and "stack" in first:
        entries = cast("Sequence[object]", first["resources"])
        return replace(
            _of_resources(name, str(first["stack"]), entries),
            resources=(held := of_plan_json(entries)),
            project=project_of(held[0].urn if held else ""),
        )
    if "clusters" in first:
        one = declared(name, lambda: load_text(written, name), run, in_platform(written, name))
        return Side(name, "declaration", {one.name: one})
    files = ClusterFiles.of([(name, values)])
    if files.has_clusters:
        return existing_side(name, files, run)
    if first.get("kind") is not None:
        from nodepools.manifests.manifest_objects import objects_in

        return manifests_side(name, [one for document in read for one in objects_in(document, name)])
    raise UnreadableError(
        f"{name}: is neither a platform, manifests, a plan (`nodepools preview --format json`), a `pulumi stack export`, nor an export"
    )


def _plan_of_terraform(written: str, name: str) -> "TerraformSource | None":
    if not is_terraform(written):
        return None
    from nodepools.cli.inputs.terraform_files import terraform_in  # few sides are plans

    source = terraform_in(written, name)
    return source if source is not None and source.is_plan else None


def existing_side(title: str, files: ClusterFiles, run: CommandRun) -> Side:
    """Exports of what exists."""
    return Side(title, "existing", {}, clusters=files.clusters(run))


def manifests_side(title: str, objects: "Sequence[ManifestObject]", name: str = "") -> Side:
    """The NodePools and node classes among objects."""
    found = [request for one in objects if (request := object_request(_in_v1(one.raw))) is not None]
    return Side(title, "manifests", {name: Part(name, Requests(tuple(found)), places=in_manifests(objects))}, objects=tuple(objects))


def of_each_cluster(before: Side, after: Side) -> tuple[Side, Side]:
    """Manifests of two folders. A name in several files is that of several clusters: a part for each folder, or file, in which no name is again.

    Raises:
        InputError: one of them is not a folder, or has none of these in common: it is not known which of the clusters it is.
    """
    every = ([_folders(side, depth) for side in (before, after)] for depth in count())
    split = next(both for both in every if all(_is_once(group) for groups in both for group in groups.values()))
    names = dict.fromkeys(name for groups in split for name in groups)
    if names.keys() <= {""}:
        return before, after
    if "" in names or split[0].keys().isdisjoint(split[1]):
        usage_error(f"{before.title}, {after.title}: files of one side have the same names, as those of several clusters: compare the folder of one")
    old, new = ({name: manifests_side("", groups.get(name, ()), name).parts[name] for name in names} for groups in split)
    return replace(before, parts=old), replace(after, parts=new)


def _folders(side: Side, depth: int) -> "Mapping[str, Sequence[ManifestObject]]":
    """The objects by this many steps of the path inside of the side."""
    above = len(Path(side.title).parts)
    return grouped(("/".join(Path(one.file).parts[above : above + depth]), one) for one in side.objects)


def _is_once(objects: "Sequence[ManifestObject]") -> bool:
    """No NodePool and no node class is in several files."""
    found = {(_identity(one), one.file) for one in objects if object_request(one.raw) is not None}
    return len(found) == len({identity for identity, _ in found})


def _in_v1(raw: "Mapping[str, object]") -> "Mapping[str, object]":
    """A NodePool of v1beta1 as its cluster has it since Karpenter 1.0, which converts it and replaces no node for it: docs/facts/changes.md § 2.1."""
    return convert_to_v1(raw, has_kubelet=True) if raw.get("kind") == "NodePool" and raw.get("apiVersion") == V1BETA1 else raw


METADATA: Final = "labels or annotations of"


def other_objects(before: Side, after: Side) -> list[str]:
    """What differs in objects of manifests and is not compared: all of other kinds, and `labels or annotations` of NodePools and classes."""
    old, new = (_by_identity(side) for side in (before, after))
    both, every = old.keys() & new.keys(), {**old, **new}
    differ = [key for key in both if _uncompared(old[key]) != _uncompared(new[key])]
    differ += [key for key in every.keys() - both if any(object_request(one.raw) is None for _, one in every[key])]
    return sorted(f"{'' if object_request(every[key][0][1].raw) is None else f'{METADATA} '}{key[1]} {key[3]}" for key in differ)


def _by_identity(side: Side) -> "Mapping[tuple[str, str, str, str], Sequence[tuple[str, ManifestObject]]]":
    """The objects with their folders: those of several clusters can have one name."""
    above = len(Path(side.title).parts)
    return grouped((_identity(one), ("/".join(Path(one.file).parts[above:-1]), one)) for one in side.objects)


def _identity(one: "ManifestObject") -> tuple[str, str, str, str]:
    return one.group, one.kind, str(mapping(one.raw.get("metadata")).get("namespace", "")), one.name


def _uncompared(found: "Sequence[tuple[str, ManifestObject]]") -> Sequence[tuple[str, str]]:
    """Each with its folder, unless it is alone: an object that moves is the same."""
    return sorted((folder if len(found) > 1 else "", json.dumps(_parts(one), sort_keys=True, default=str)) for folder, one in found)


def _parts(one: "ManifestObject") -> Mapping[str, object]:
    metadata = mapping(one.raw.get("metadata"))
    annotations = {key: value for key, value in mapping(metadata.get("annotations")).items() if not key.startswith(_NOTES_OF_SERVER)}
    named = {name: held for name, held in (("labels", metadata.get("labels")), ("annotations", annotations)) if held}
    is_other = object_request(one.raw) is None
    return {**({name: part for name, part in one.raw.items() if name not in _OF_SERVER} if is_other else {}), "metadata": named}


def _state(name: str, state: Mapping[str, object], run: CommandRun) -> Side:
    deployment = mapping(state["deployment"])
    held = deployment.get("resources")
    if not isinstance(held, list):
        raise UnreadableError(f"{name}: `deployment` has no list `resources`: export the state with `pulumi stack export`")
    entries = [cast("Mapping[str, object]", entry) for entry in cast("list[object]", held) if isinstance(entry, Mapping)]
    alive = [entry for entry in entries if entry.get("delete") is not True]
    run.problems.extend(Problem(name, one) for one in _unfinished(entries, sequence(deployment.get("pending_operations"))))
    urn = next((str(entry["urn"]) for entry in alive if isinstance(entry.get("urn"), str)), "urn:pulumi:::")
    return replace(_of_resources(name, (urn.split(":") + [""] * 3)[2], alive), project=project_of(urn))


def project_of(urn: str) -> str:
    """Of `urn:pulumi:STACK::PROJECT::…`; empty if it is another text."""
    return urn.partition("::")[2].partition("::")[0]


def _unfinished(entries: Sequence[Mapping[str, object]], pending: Sequence[object]) -> Iterator[str]:
    """What an interrupted `pulumi up` left: no comparison of what is declared shows it."""
    for one in entries:
        if one.get("delete") is True and one.get("custom") is True and not str(one.get("type")).startswith(OF_PULUMI):
            old = f"{str(one.get('type')).rpartition(':')[2]} `{one.get('id')}`"
            yield f"an interrupted replacement left the old {old}: the next `pulumi up` deletes it, with its nodes and pods if it has any"
    for operation, left in ((one.get("type"), mapping(one.get("resource"))) for one in map(mapping, pending)):
        name = f"{str(left.get('type')).rpartition(':')[2]} `{str(left.get('urn')).rpartition('::')[2]}`"
        cure = "`nodepools adopt pending` recovers it" if operation == "creating" else "run `pulumi refresh`, and export it again"
        yield f"{operation} {name} was interrupted, and the state does not say how far it came: {cure}"


def _of_resources(name: str, stack: str, entries: Sequence[object]) -> Side:
    found = plan_requests(of_plan_json(entries))
    return Side(name, "resources", {stack: Part(stack, found.requests)}, is_recorded=True)
