"""The two sides of a comparison: stacks of a commit, a folder or the working tree; a platform file, manifests, a plan, or a state."""

import sys
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, cast

from nodepools.changes.plain_data import mapping
from nodepools.changes.platform_requests import requests_of
from nodepools.changes.request import POOL, Request, Requests
from nodepools.cli.command_run import CommandRun
from nodepools.cli.exclusion import Inputs
from nodepools.cli.exit_codes import InvalidError, usage_error
from nodepools.cli.file_search import files
from nodepools.cli.git_worktree import Commit, checked_out, commit, merge_base
from nodepools.cli.input_files import STDIN, source, text
from nodepools.cli.problem import Problem
from nodepools.cli.sources import Source, project_directory
from nodepools.cli.user_code import user_code
from nodepools.loading import UnreadableError, known_stacks, load_text, read_stack
from nodepools.model.platform import Platform
from nodepools.reading.limits import LISTED_MIB, TextError
from nodepools.reading.yaml_documents import documents
from nodepools.resources.plan_requests import object_request, plan_requests
from nodepools.resources.resource import Resource, of_engine
from nodepools.rules.finding import DeclarationError

_GIT: Final = "git:"
_COMPONENTS: Final = ("nodepools:", "pulumi:pulumi:")


@dataclass(frozen=True, slots=True)
class Part:
    """One stack of a side."""

    name: str
    requests: Requests
    platform: Platform | None = None
    """The declaration; `None` for a plan, a state, or manifests."""


@dataclass(frozen=True, slots=True)
class Side:
    """What is compared with the other side."""

    title: str
    """How the header names it."""
    kind: str
    """`declaration`, `resources` (of a plan or a state), or `manifests`."""
    parts: Mapping[str, Part]


def working_tree(selected: Source) -> Side:
    """The stacks of the project, or a platform file.

    Raises:
        UnreadableError: a declaration cannot be read.
        InvalidError: a declaration has schema errors.
    """
    if selected.file is not None:
        return _file_side(selected.file)
    return _stacks(project_directory(), "working tree", selected)


def read_side(argument: str, selected: Source, run: CommandRun, inputs: Callable[[Path], Inputs]) -> Side:
    """The side that an argument names: an existing path, otherwise a commit of git.

    Raises:
        UnreadableError: it cannot be read.
        InputError: there is no such path and no such commit.
    """
    path = Path(argument)
    if argument == STDIN:
        return _file_side(path)
    if argument and not argument.startswith(_GIT) and _exists(path):
        return _folder_side(path, selected, run, inputs) if path.is_dir() else _file_side(path)
    return _commit_side(merge_base(argument.removeprefix(_GIT)), selected)


def new_side(argument: str, selected: Source, run: CommandRun, inputs: Callable[[Path], Inputs]) -> Side:
    """As `read_side`, but a commit is compared as it is, and not where its branch began."""
    if argument.startswith(_GIT) or not argument or (argument != STDIN and not _exists(Path(argument))):
        return _commit_side(commit(argument.removeprefix(_GIT)), selected)
    return read_side(argument, selected, run, inputs)


def resources_side(title: str, name: str, resources: Sequence[Resource], run: CommandRun) -> Side:
    """A plan or a state."""
    found = plan_requests(resources)
    if found.others:
        run.notes.append(Problem(title, f"changes of {found.others} other resources are not compared"))
    return Side(title, "resources", {name: Part(name, found.requests)})


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
    found = [_unclustered(request) for request in every if request.cluster in named]
    return Side(side.title, "manifests", {"": Part("", Requests(tuple(found)))})


def _unclustered(request: Request) -> Request:
    name = request.resource.name
    key = ("", request.subject, request.key[2] if request.subject == POOL else name)
    kind = request.resource.type.rpartition(":")[2]
    manifest = {
        "apiVersion": request.resource.type.partition(":")[2].rpartition(":")[0],
        "kind": kind,
        "metadata": {"name": key[2]},
        "spec": request.sent,
    }
    made = object_request(manifest)
    return made if made is not None else request


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def _commit_side(at: Commit, selected: Source) -> Side:
    if selected.file is not None:
        file = selected.file
        with checked_out(at) as folder:
            return _named(_file_side(folder / file), str(at))
    with checked_out(at) as folder:
        project = next((parent for parent in (folder, *folder.parents) if (parent / "Pulumi.yaml").is_file()), folder)
        return _stacks(project, str(at), selected)


def _named(side: Side, title: str) -> Side:
    return Side(title, side.kind, side.parts)


def _folder_side(folder: Path, selected: Source, run: CommandRun, inputs: Callable[[Path], Inputs]) -> Side:
    if (folder / "stacks").is_dir():
        return _stacks(folder.absolute(), str(folder), selected)
    before = len(run.problems)
    found = [request for file in files(inputs(folder), run) for request in _objects(file, run)]
    if not found and len(run.problems) == before:
        usage_error(f"{folder}: contains neither stacks nor a NodePool or node class")
    return Side(str(folder), "manifests", {"": Part("", Requests(tuple(found)))})


def _objects(file: Path, run: CommandRun) -> list[Request]:
    from nodepools.manifests.manifest_objects import objects

    try:
        with source(file, LISTED_MIB) as opened:
            made = [object_request(found.raw) for found in objects(opened.text(), str(file))]
    except TextError as error:
        run.problems.append(Problem.of(str(error), str(file)))
        return []
    return [request for request in made if request is not None]


def _stacks(project: Path, title: str, selected: Source) -> Side:
    names = known_stacks(project) if selected.every else [selected.stack]
    with _own_modules(project), user_code():
        return Side(title, "declaration", {name: _declared(name, lambda name=name: read_stack(name, project)) for name in names})


def _declared(name: str, read: Callable[[], Platform]) -> Part:
    try:
        platform = read()
    except DeclarationError as error:
        raise InvalidError(name, error.findings) from None
    return Part(platform.name, requests_of(platform), platform)


@contextmanager
def _own_modules(project: Path) -> Generator[None]:
    """Modules of the project that are imported in the `with` block are forgotten after it: the other side has its own."""
    known, paths = set(sys.modules), list(sys.path)
    try:
        yield
    finally:
        sys.path[:] = paths
        for name in set(sys.modules) - known:
            file = getattr(sys.modules[name], "__file__", None)
            if name.split(".")[0] == "stacks" or (isinstance(file, str) and Path(file).is_relative_to(project)):
                del sys.modules[name]


def _file_side(file: Path) -> Side:
    """A file by its content.

    Raises:
        UnreadableError: it cannot be read, or is of no known kind.
    """
    name = str(file)
    try:
        written = text(file)
        values = [document.value for document in documents(written, name)]
    except TextError as error:
        raise UnreadableError(str(error)) from None
    first = mapping(next(iter(values), None))
    if "deployment" in first:
        return _state(name, first)
    if isinstance(first.get("resources"), list) and "stack" in first:
        return _plan(name, first)
    if "clusters" in first:
        one = _declared(name, lambda: load_text(written, name))
        return Side(name, "declaration", {one.name: one})
    if first.get("kind") is not None:
        from nodepools.manifests.manifest_objects import objects

        found = [request for item in objects(written, name) if (request := object_request(item.raw)) is not None]
        return Side(name, "manifests", {"": Part("", Requests(tuple(found)))})
    raise UnreadableError(f"{name}: is neither a platform, manifests, a plan of `nodepools preview --format json`, nor a `pulumi stack export`")


def _plan(name: str, plan: Mapping[str, object]) -> Side:
    return _of_resources(name, str(plan["stack"]), cast("Sequence[object]", plan["resources"]))


def _state(name: str, state: Mapping[str, object]) -> Side:
    deployment = state["deployment"]
    held = cast("Mapping[str, object]", deployment).get("resources") if isinstance(deployment, Mapping) else None
    if not isinstance(held, list):
        raise UnreadableError(f"{name}: `deployment` has no list `resources`: export the state with `pulumi stack export`")
    entries = [cast("Mapping[str, object]", entry) for entry in cast("list[object]", held) if isinstance(entry, Mapping)]
    alive = [entry for entry in entries if entry.get("delete") is not True]
    urn = next((str(entry["urn"]) for entry in alive if isinstance(entry.get("urn"), str)), "urn:pulumi:::")
    return _of_resources(name, (urn.split(":") + [""] * 3)[2], alive)


def _of_resources(name: str, stack: str, entries: Sequence[object]) -> Side:
    found = plan_requests(_resource(cast("Mapping[str, object]", entry)) for entry in entries if isinstance(entry, Mapping))
    return Side(name, "resources", {stack: Part(stack, found.requests)})


def _resource(entry: Mapping[str, object]) -> Resource:
    urn = str(entry.get("urn"))
    inputs = of_engine(_marked(entry.get("inputs")))
    needs = entry.get("dependencies")
    return Resource(
        urn=urn,
        type=str(entry.get("type")),
        name=urn.rpartition("::")[2],
        inputs=cast("Mapping[str, object]", inputs) if isinstance(inputs, Mapping) else {},
        parent=str(entry.get("parent")),
        dependencies=tuple(map(str, cast("Sequence[object]", needs))) if isinstance(needs, list) else (),
    )


def _marked(value: object) -> object:
    """A plan marks secret and unknown values; the engine's own mark of an unknown value stands for both."""
    from nodepools.engine.signatures import UNKNOWNS

    if isinstance(value, Mapping):
        held = cast("Mapping[str, object]", value)
        if held in ({"$secret": True}, {"$unknown": True}):
            return next(iter(UNKNOWNS))
        return {name: _marked(part) for name, part in held.items()}
    return [_marked(part) for part in cast("Sequence[object]", value)] if isinstance(value, list | tuple) else value
