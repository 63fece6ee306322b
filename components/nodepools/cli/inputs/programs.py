"""Runs the program of a project, and reads the clusters that it declares."""

import json
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Collection, Generator, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from datetime import date
from functools import lru_cache
from itertools import count
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Final, NamedTuple, cast
from urllib.request import url2pathname

import typer

from nodepools.cli.command_run import CommandRun
from nodepools.cli.output.output_formats import ReportFormat
from nodepools.cli.problem import InputError, InvalidError, Problem, usage_error
from nodepools.clouds.change import AKS_CLUSTER, EKS_CLUSTER, NODE_GROUP
from nodepools.clouds.eks.node_groups import node_group, node_groups_in
from nodepools.clouds.eks.nodes_of_others import NodesOfOthers
from nodepools.clouds.registry import cloud_of
from nodepools.component.handed_over import HANDED_OVER, Declared, Refused, is_own
from nodepools.engine.declarations import CLUSTER
from nodepools.engine.errors import EngineError, ProgramFailed, ProgramTimedOut
from nodepools.engine.invokes import ASSUMED
from nodepools.engine.plan import Diagnostic, Plan, PlannedResource
from nodepools.engine.process import end_children_of
from nodepools.engine.project import PLACEHOLDER, read_project
from nodepools.engine.run import Program
from nodepools.engine.run import run as engine_run
from nodepools.engine.time_limit import VARIABLE as SECONDS_VARIABLE
from nodepools.engine.time_limit import seconds_of, usual_seconds
from nodepools.loading import UnreadableError
from nodepools.manifests.supported_kinds import Cloud
from nodepools.model.base import FrozenDict, Model
from nodepools.model.listing import joined, listed
from nodepools.model.path import path_text
from nodepools.model.platform import AnyCluster, Platform
from nodepools.model.redaction import contents_of
from nodepools.model.ref import SecretValue, is_output
from nodepools.model.steps import Steps, scalars
from nodepools.model.unknowns import UNKNOWN, assembled, attach, with_field
from nodepools.model.values import dataclass, field, replace
from nodepools.reading.bounded_input import TextError, is_allowed, turned_off
from nodepools.reading.project_folder import PLATFORM_PROGRAM
from nodepools.resources.kubernetes_objects import read_object
from nodepools.resources.raw_clusters import raw_clusters, registered_alone
from nodepools.resources.resource import Kind, Resource, kind_of
from nodepools.resources.resource_checks import check_stack
from nodepools.resources.resource_set import named_owner, reached_owner
from nodepools.rules.engine.accepted_findings import without_accepted
from nodepools.rules.engine.finding import Finding, Fix, SourcePosition
from nodepools.wire.eks.terraform import PULUMI_NAMES

if TYPE_CHECKING:
    from nodepools.cli.inputs.terraform_files import PrintedSide

_ERROR: Final = "error"
"""The severity of messages of `pulumi.log.error`."""
_LISTED: Final = 5
_MOMENT: Final = 0.05
_NODES: Final = re.compile(r"aws:(eks/fargateProfile|autoscaling/group):\w+")
"""What can have nodes, and is not read."""
_OF_API: Final = {registered: name for name, registered in PULUMI_NAMES.items()}
_CLUSTERS: Final = (Kind.AKS_CLUSTER, Kind.EKS_CLUSTER)
_NOUNS: Final = {
    Kind.AKS_CLUSTER: "cluster",
    Kind.EKS_CLUSTER: "cluster",
    Kind.AGENT_POOL: "agent pool",
    Kind.MAINTENANCE: "maintenance configuration",
    Kind.OBJECT: "Kubernetes object",
}
_JOINING: Final = (Kind.AGENT_POOL, Kind.OBJECT)
"""What a program can register in the cluster of a component."""
_PARTS: Final = (("", "pools"), *((holder, parts) for holder in ("auto_mode", "node_provisioning") for parts in ("node_pools", "node_classes")))
_NAME: Final = re.compile(r"[a-z][a-z0-9-]{0,29}")


class ProgramPlatform(Platform):
    """The clusters of a program. Their components have the names of the keys, without a prefix."""

    def stem(self, cluster: str) -> str:
        """The name of the component."""
        return cluster


@dataclass(frozen=True, slots=True)
class ProgramClusters:
    """What a program declares."""

    stack: str
    directory: Path
    """The folder of its `__main__.py`."""
    clusters: Mapping[str, AnyCluster]
    positions: Mapping[str, SourcePosition]
    """Of the line that declares a cluster."""
    stems: Mapping[str, str] = field(default_factory=dict[str, str])
    """The name of the component of each."""
    declared: Platform | None = None
    """The platform that the program deploys, if it is all that it declares."""
    raw: tuple[Resource, ...] = ()
    """What it registers without a component."""
    handed_over: tuple[Resource, ...] = ()
    """The clusters of components, if it registers anything without one."""
    raw_clusters: Mapping[str, AnyCluster] = field(default_factory=dict[str, AnyCluster])
    lines: Mapping[str, SourcePosition] = field(default_factory=dict[str, SourcePosition])
    """Of the lines that register it, by URN."""
    unmodeled: tuple[Problem, ...] = ()
    """What of it is checked, and has nodes that are not known here."""
    with_raw: Mapping[str, AnyCluster] = field(default_factory=dict[str, AnyCluster])
    """Clusters of components with the pools that it registers next to them."""
    idle: tuple[tuple[str, Finding], ...] = ()
    """The URN of each object in the cluster of a component that launches no node for it, with the finding that says so."""
    open_groups: tuple[Problem, ...] = ()
    """Of the others, why they are not."""

    def declared_platform(self) -> Platform:
        """The clusters of components as one platform.

        Raises:
            DeclarationError: they are not a valid one.
        """
        if self.declared is not None:
            return self.declared
        return ProgramPlatform(name=self._name, clusters=self.clusters, standard_tags=False)

    def platform(self) -> Platform | None:
        """All clusters as one platform; `None` without a cluster that is known.

        Raises:
            DeclarationError: those of components are not a valid one.
        """
        if not self.clusters:
            made = ProgramPlatform.model_construct(name=self._name, standard_tags=False) if self.raw_clusters else None
        else:
            made = self.declared_platform()
        if made is not None and (self.raw_clusters or self.with_raw):
            made = assembled(made, clusters=FrozenDict({**self.clusters, **self.with_raw, **self.raw_clusters}))
        return made

    @property
    def _name(self) -> str:
        return self.stack if _NAME.fullmatch(self.stack) else "program"

    def is_alone(self, cluster: str) -> bool:
        """All pools of the cluster of a component are declared in it."""
        return cluster not in self.with_raw and not self.open()

    def open(self) -> tuple[Problem, ...]:
        """The same, and node groups that are not read: a change of them is known here, and not which pods they run."""
        return (*self.unmodeled, *self.open_groups)

    def raw_findings(self, today: date | None) -> Iterator[Finding]:
        """What the rules find in resources without a component, in their terms, at the lines that register them."""
        names = {resource.urn: resource.name for resource in self.raw}
        checked = [(one.urn, one.finding) for one in (check_stack(self.raw, today=today) if self.raw else ())]
        told = {(urn, one.code) for urn, one in checked}
        for urn, found in (*checked, *((urn, one) for urn, one in self.idle if (urn, one.code) not in told)):
            name = names[urn]
            fix = Fix(found.fix.text) if found.fix is not None else None  # its operations are those of a declaration
            path = f"{name}.{found.path}" if found.path else name
            yield replace(found, path=path, steps=(name, *found.steps), fix=fix, position=self.lines.get(urn))

    def left(self, findings: Sequence[Finding]) -> Iterator[Finding]:
        """Those that comments in the files of the program do not accept."""
        from nodepools.manifests.stack_source import StackSource  # only findings and comments need it

        files = dict.fromkeys(("__main__.py", *(finding.position.file for finding in findings if finding.position is not None)))
        texts = {name: (self.directory / name).read_text(encoding="utf-8-sig") for name in files}
        comments = [one for name, text in texts.items() if "nodepools:" in text for one in StackSource.of(text, name).ignores()]
        return without_accepted(findings, comments)

    @property
    def unknown(self) -> list[str]:
        """The paths of fields that are known after `pulumi up`, and of inputs of what has no component."""
        subjects = [resource for resource in self.raw if kind_of(resource) is not Kind.OTHER]
        later = [path_text((one.name, *steps)) for one in subjects for steps, value in scalars(one.inputs) if value is UNKNOWN]
        return [*self._paths(is_output), *later]

    @property
    def encrypted(self) -> list[str]:
        """The paths of fields with a value of an encrypted setting, which the program did not get."""
        return self._paths(lambda value: isinstance(value, str) and PLACEHOLDER in value)

    def _paths(self, is_meant: Callable[[object], bool]) -> list[str]:
        """The paths of the fields whose values are meant."""
        return [
            path_text(("clusters", name, *steps))
            for name, cluster in self.clusters.items()
            for steps, value in scalars(cluster)
            if is_meant(value.reveal() if isinstance(value, SecretValue) else value)
        ]

    def position(self, steps: Steps) -> SourcePosition | None:
        """The line that declares the cluster of a path."""
        return self.positions.get(str(steps[1])) if len(steps) > 1 else None


@lru_cache(maxsize=64)
def read_program(stack: str, directory: Path, run: CommandRun) -> ProgramClusters:
    """Runs the program of a project, and returns the clusters that it declares. What it cannot read of it is a problem of `run`.

    `diff` compares it and checks it: it runs once for a command.

    Raises:
        InputError: the program cannot run, or fails.
        InvalidError: it fails because of findings.
        UnreadableError: it declares none.
    """
    ahead = _AHEAD.pop((stack, directory, run), None)
    if ahead is None:
        return _read(stack, directory, run)
    own, outcome = ahead
    try:
        return outcome.result()
    finally:
        run.problems.extend(own.problems)
        run.notes.extend(own.notes)
        run.declared.extend(own.declared)


_AHEAD: Final[dict[tuple[str, Path, CommandRun], "tuple[CommandRun, Future[ProgramClusters]]"]] = {}


@contextmanager
def read_ahead(stack: str, directory: Path, run: CommandRun) -> Generator[None]:
    """The program runs next to the `with` block, and `read_program` then has its outcome. An error of the block ends it."""
    own, outcome = CommandRun(run.command, run.form), Future[ProgramClusters]()

    def read() -> None:
        try:
            outcome.set_result(_read(stack, directory, own))
        except BaseException as error:  # noqa: BLE001  # `read_program` raises it
            outcome.set_exception(error)

    thread = Thread(target=read, name="nodepools-program")
    thread.start()
    try:
        yield
        _AHEAD[stack, directory, run] = own, outcome
    except BaseException:
        while thread.is_alive():  # it may not have started the program yet
            end_children_of(thread.ident if thread.ident is not None else 0)
            thread.join(_MOMENT)
        raise
    finally:
        thread.join()


def _read(stack: str, directory: Path, run: CommandRun) -> ProgramClusters:
    from nodepools.engine.declarations import read_declarations

    program = stack_program(stack, directory, run)
    with tempfile.TemporaryDirectory(prefix="nodepools-") as folder:
        file = Path(folder, "declarations")
        try:
            plan = engine_run(replace(program, environment={HANDED_OVER: str(file)}), timeout=program_seconds(None))
        except ProgramFailed as failed:
            ended = read_declarations(file).refused
            if ended is None:
                report_failure(failed, run)
                run.problems.extend(_placeholders(program))
                raise InputError from None  # what it did not reach is not known
            hide_secrets(failed.plan, run)
            run.problems.append(Problem("__main__.py", "the program stops at this error: what it declares is not read"))
            raise InvalidError(program.stack, _placed(ended, program.directory)) from None
        except EngineError as error:
            usage_error(str(error))
        handed_over = read_declarations(file)
    declared = handed_over.declared
    hide_secrets(plan, run)
    raw = registered_alone(plan, program.config.get("aws:region"))
    run.problems.extend(_unread(raw))
    groups = [resource.name for resource in raw if resource.type == NODE_GROUP]
    if groups and run.command == "check":
        run.notes.append(Problem("", f"no rule checks node groups: {listed(groups, _LISTED)}"))
    run.notes.extend(assumed(plan))
    for one in dict.fromkeys(handed_over.skipped):
        run.problems.append(Problem(f"{_shown(one.file, program.directory)}:{one.line}", f"{one.what}: what follows from it is not read"))
    if not declared and all(map(_is_other, raw)):
        if run.problems:
            raise InputError
        raise UnreadableError(f"{Path(program.directory).name}/__main__.py: the program declares no cluster, no pool and no object of Karpenter")
    found = _with_raw(_clusters(program.stack, declared, program.directory), raw, plan, program.directory)
    if found.encrypted:
        has, are = ("has a value", "it is") if len(found.encrypted) == 1 else ("have values", "they are")
        text = f"{listed(found.encrypted, _LISTED)} {has} of an encrypted setting, which is not decrypted here ({program.sealed}): {are} not checked"
        run.problems.append(Problem("", text))
    if later := found.unknown:
        verb = "is" if len(later) == 1 else "are"
        run.notes.append(Problem("", f"{listed(later, _LISTED)} {verb} known after `pulumi up`: not checked and not compared here"))
    return found


def _placeholders(program: Program) -> Iterator[Problem]:
    """The settings that a program that failed got no value of."""
    keys = [key for key, value in program.config.items() if PLACEHOLDER in value]
    if keys:
        are = "is encrypted, and is" if len(keys) == 1 else "are encrypted, and are"
        text = f"{listed(keys, _LISTED)} {are} not decrypted here, so the program gets `{PLACEHOLDER}`: {program.sealed}"
        yield Problem(f"Pulumi.{program.stack}.yaml", text)


def _placed(refused: Refused, directory: Path) -> list[Finding]:
    position = SourcePosition(_shown(refused.file, directory), refused.line, 1) if refused.file else None
    return [replace(finding, position=position) for finding in refused.findings]


def _shown(name: str, directory: Path) -> str:
    file = Path(name)
    return str(file.relative_to(directory) if file.is_relative_to(directory) else file)


def _clusters(stack: str, declared: Sequence[Declared], directory: Path) -> ProgramClusters:
    clusters: dict[str, AnyCluster] = {}
    stems: dict[str, str] = {}
    positions: dict[str, SourcePosition] = {}
    for name, cluster, one, stem in _named(declared):
        clusters[name], stems[name] = cluster, stem
        if one.file:
            positions[name] = SourcePosition(_shown(one.file, directory), one.line, 1)
    only = declared[0].args if len(declared) == 1 else None
    return ProgramClusters(stack, directory, clusters, positions, stems, only if isinstance(only, Platform) else None)


def _named(declared: Sequence[Declared]) -> Iterator[tuple[str, AnyCluster, Declared, str]]:
    """Each cluster by its name, with the name of its component. If two clouds have the same name, the second gets a number."""
    seen = Counter[str]()
    for one in declared:
        parts: Mapping[str, AnyCluster] = one.args.clusters if isinstance(one.args, Platform) else {one.name: one.args}  # type: ignore[dict-item]  # of components
        for key, cluster in parts.items():
            stem = one.args.stem(key) if isinstance(one.args, Platform) else key
            name = stem if len(declared) > 1 else key
            seen[name] += 1
            yield (name if seen[name] == 1 else f"{name}-{seen[name]}"), cluster, one, stem


def _with_raw(found: ProgramClusters, raw: Sequence[Resource], plan: Plan, directory: Path) -> ProgramClusters:
    """The program with what it registers without a component."""
    if all(map(_is_other, raw)):
        return found
    handed = list(_handed_over(found, plan))
    named = {resource.urn: resource for resource in (*raw, *(one for one, _ in handed))}
    of_others = _nodes_of_others(raw, named)
    read = raw_clusters([*raw, *(one for one, _ in handed if any(kind_of(each) in _JOINING for each in raw))], of_others.urns)
    keys = {one.urn: key for one, key in handed}
    clusters: dict[str, AnyCluster] = {}
    lines = {one.urn: at for one in plan.resources if one.urn in named and (at := _line(one, directory)) is not None}
    for urn, cluster in read.clusters.items():
        if urn in keys:
            continue
        name = named[urn].name
        taken = found.clusters.keys() | clusters.keys()
        key = _free(name, taken)
        clusters[key], keys[urn] = cluster, key
    joined = {key: _joined(found.clusters[key], read.clusters[one.urn]) for one, key in handed if one.urn in read.clusters}
    for urn, own in of_others.nodes.items():
        if (key := keys.get(urn)) is not None:
            held = clusters if key in clusters else joined
            held[key] = assembled(held[key] if key in held else found.clusters[key])
            attach(held[key], own)
    with_raw = {key: cluster for key, cluster in joined.items() if cluster is not found.clusters[key]}
    return replace(
        found,
        raw=tuple(raw),
        handed_over=tuple(one for one, _ in handed),
        raw_clusters=clusters,
        lines=lines,
        unmodeled=tuple(Problem("", f"{_called(named[urn])} {why}") for urn, why in read.unread),
        with_raw=with_raw,
        idle=read.idle,
        open_groups=of_others.left,
    )


def _free(name: str, taken: Collection[str]) -> str:
    """The name, with a number if it is taken."""
    return name if name not in taken else next(each for number in count(2) if (each := f"{name}-{number}") not in taken)


def _handed_over(found: ProgramClusters, plan: Plan) -> Iterator[tuple[Resource, str]]:
    """The clusters of components, as they would be registered, with the key of each. Their URN is that from which others get their outputs."""
    parents = {one.urn: one for one in plan.resources}
    outputs = [(parents[one.parent], one.urn) for one in plan.resources if one.type == CLUSTER and one.parent in parents]
    for key, cluster in found.clusters.items():
        stem = found.stems[key]
        sent = next(one for one in cloud_of(cluster).requests(key, stem) if one.resource.type in (AKS_CLUSTER, EKS_CLUSTER))
        kind = f"nodepools:index:{type(cluster).__name__.removesuffix('Args')}"
        for urn in (urn for component, urn in outputs if (component.type, component.name) == (kind, stem)):
            yield Resource(urn, sent.resource.type, key, sent.sent), key


def _joined(declared: AnyCluster, read: AnyCluster) -> AnyCluster:
    """A declared cluster with the pools and the node classes that are registered next to it."""
    for holder, parts in _PARTS:
        own, other = (getattr(each, holder, None) if holder else each for each in (declared, read))
        held, found = (cast("Mapping[str, object]", getattr(each, parts, {})) for each in (own, other))
        added = {_free(key, held): part for key, part in found.items() if held.get(key) != part}
        if isinstance(own, Model) and added:
            whole = with_field(own, parts, FrozenDict({**held, **added}), is_set=True)
            declared = with_field(declared, holder, whole, is_set=True) if holder else cast("AnyCluster", whole)
    return declared


class _Others(NamedTuple):
    """Node groups and self-managed Karpenter, by the URN of their cluster; the URNs of what is read, and of its clusters; why others are not."""

    nodes: Mapping[str, NodesOfOthers]
    urns: frozenset[str]
    left: tuple[Problem, ...]


def _nodes_of_others(raw: Sequence[Resource], named: Mapping[str, Resource]) -> _Others:
    """Reads them among the resources `raw`; `named` are these and the clusters of components, by URN."""
    found: dict[str, list[Mapping[str, object]]] = {}
    urns, left, clusters = set[str](), list[Problem](), [one for one in named.values() if kind_of(one) in _CLUSTERS]
    for one in raw:
        if one.type != NODE_GROUP and (kind_of(one) is not Kind.OBJECT or read_object(one).cloud is not Cloud.SELF_MANAGED):
            continue
        owner = _owner(one, clusters, named)
        if owner is None:
            left.extend([Problem("", f"{_called(one)} is not read: its cluster is not known")] if one.type == NODE_GROUP else [])
            continue
        own = CommandRun("", ReportFormat.TEXT)
        documents = list(_printed([owner, one] if one.type == NODE_GROUP else [one], {one.urn: owner}, own).documents())
        urns |= {owner.urn, one.urn}
        left.extend(own.problems)
        found.setdefault(owner.urn, []).extend(documents if not own.problems else ())
    return _Others({urn: _nodes(every, left) for urn, every in found.items()}, frozenset(urns), tuple(left))


def _owner(resource: Resource, clusters: Sequence[Resource], named: Mapping[str, Resource]) -> Resource | None:
    """The cluster of a node group or of an object: the one that it reaches, or the only one of EKS."""
    owners = [one for one in clusters if kind_of(one) is Kind.EKS_CLUSTER]
    if kind_of(resource) is Kind.OBJECT:
        reached = reached_owner(resource, clusters, named)
        found = reached if reached is not None else owners[0] if len(owners) == 1 else None
    elif len(owners) == 1 and not isinstance(resource.inputs.get("clusterName"), str):
        [found] = owners
    else:
        found = named_owner(resource, "clusterName", owners, "name")
    return found if isinstance(found, Resource) and found in owners else None


def _nodes(documents: Sequence[Mapping[str, object]], left: list[Problem]) -> NodesOfOthers:
    groups = [node_group(group, ()) for each in documents for group in node_groups_in(each) or ()]
    objects = "".join(f"---\n{json.dumps(one)}\n" for one in documents if "kind" in one)
    if not objects:
        return NodesOfOthers(groups)
    from nodepools.manifests.existing.existing_pools import read_existing  # few programs run Karpenter

    def failed(error: TextError) -> None:
        left.append(Problem.of(str(error)))

    found = read_existing([(objects, "program")], failed)
    return NodesOfOthers(groups, found.nodes.provisioned, found.nodes.unsure, found.classes)


def _printed(subjects: Sequence[Resource], owners: Mapping[str, Resource], run: CommandRun) -> "PrintedSide":
    """Resources of EKS as the clouds print them after `pulumi up`; `owners` has the cluster of each that is in one."""
    from nodepools.cli.inputs.terraform_files import PrintedSide  # few programs have node groups
    from nodepools.resources.terraform import Planned, TerraformSource

    planned: list[Planned] = []
    for one in subjects:
        inputs = {_OF_API.get(name, name): value for name, value in one.inputs.items() if not name.startswith("__")}
        owner = owners.get(one.urn)
        if owner is None:
            inputs.setdefault("name", one.name)
        around = (_address(owner),) if owner is not None else ()
        template: object = inputs.get("launchTemplate")
        region = inputs.get("region", owner.inputs.get("region") if owner is not None else None)
        values = {"region": region, "launch_template": template if template in (None, UNKNOWN) else [template]}
        planned.append(Planned(_address(one), one.type, (), (), None, replace(one, inputs=inputs, dependencies=around), values))
    return PrintedSide(TerraformSource(True, tuple(planned), {}, 0), "", run, is_after=True, later="pulumi up")


def _address(resource: Resource) -> str:
    """The name of a resource. Pulumi adds characters to that of a node group without one, so that its label has no value that is known."""
    return f"{resource.name}-*" if resource.type == NODE_GROUP else f"{resource.type} {resource.name}"


def _called(resource: Resource) -> str:
    return f"{_NOUNS.get(kind_of(resource), 'node group' if resource.type == NODE_GROUP else 'resource')} `{resource.name}` ({resource.type})"


def _line(planned: PlannedResource, directory: Path) -> SourcePosition | None:
    for uri, line in planned.calls:
        file = url2pathname(uri.removeprefix("file://"))
        if is_own(file):
            return SourcePosition(_shown(file, directory.resolve()), line, 1)
    return None


def _is_other(resource: Resource) -> bool:
    """It has neither nodes nor objects of Karpenter."""
    return kind_of(resource) is Kind.OTHER and resource.type != NODE_GROUP


def _unread(raw: Sequence[Resource]) -> Iterator[Problem]:
    """What no rule is about, and has nodes."""
    found = [_called(resource) for resource in raw if _NODES.fullmatch(resource.type) or ("read" in resource.options and not _is_other(resource))]
    if found:
        is_ = "is" if len(found) == 1 else "are"
        yield Problem("", f"{listed(found, _LISTED)} {is_} not read here: no rule is about {'it' if len(found) == 1 else 'them'}")


def registered(program: Program, run: CommandRun) -> Plan | None:
    """What a program registers; `None` if it fails, and the problems of `run` say why."""
    try:
        plan = engine_run(program, timeout=program_seconds(None))
    except ProgramFailed as failed:
        report_failure(failed, run)
        return None
    except EngineError as error:
        usage_error(str(error))
    run.notes.extend(assumed(plan))
    return plan


def program_seconds(timeout: str | None) -> float | None:
    """The time limit of a program: that of the option, of the environment, or the default."""
    try:
        return usual_seconds() if timeout is None else seconds_of(timeout, "`--timeout`")
    except EngineError as error:
        usage_error(str(error))


def platform_program(file: Path, name: str) -> Program:
    """The program that deploys a platform file, as the stack `name`."""
    return Program(PLATFORM_PROGRAM, "platform", name, environment={"NODEPOOLS_PLATFORM_FILE": str(file.absolute())})


def stack_program(stack: str, directory: Path, run: CommandRun, *, decrypts: bool = True) -> Program:
    """The program of a project, with the configuration of a stack; `decrypts` as in `read_project`.

    Raises:
        InputError: code is turned off, or the project cannot be read.
    """
    if not is_allowed():
        usage_error(turned_off(f"the program of the stack `{stack}`"))
    try:
        project = read_project(directory, stack, decrypts=decrypts)
    except EngineError as error:
        usage_error(str(error))
    run.hide(project.config)
    run.hide([SecretValue(text) for text in project.opened])
    if project.is_closed:
        told = f"encrypted values are not decrypted, and the program gets `{PLACEHOLDER}`: {project.sealed}"
        run.notes.append(Problem(f"Pulumi.{project.stack}.yaml", told))
    if project.rejected:
        raise InputError(*map(Problem.of, project.rejected))
    if project.unread:
        run.notes.append(Problem(project.unread, "has `environment`: values from Pulumi ESC are not read, so the program does not get them"))
    hidden = contents_of(project.opened)
    return Program(project.directory, project.name, project.stack, project.config, project.secret_keys, sealed=project.sealed, hidden=hidden)


def hide_secrets(plan: Plan | None, run: CommandRun) -> None:
    """Messages of a program do not contain what it marked as secret."""
    run.hide([SecretValue(text) for text in plan.secrets] if plan is not None else ())


def report_failure(failed: ProgramFailed, run: CommandRun, raised_by: str = f"the environment variable `{SECONDS_VARIABLE}`") -> None:
    """The failure of a program is a problem, and so are the errors that it logged. Its other messages go to stderr."""
    hide_secrets(failed.plan, run)
    for diagnostic in failed.diagnostics:
        if diagnostic.severity != _ERROR:
            typer.echo(f"{diagnostic.severity}: {run.without_secrets(diagnostic.message)}", err=True)
    limit = f"; {raised_by} raises the limit" if isinstance(failed, ProgramTimedOut) else ""
    run.problems.extend((*logged_errors(failed.diagnostics), Problem("__main__.py", f"{failed}{limit}")))


def logged_errors(diagnostics: Sequence[Diagnostic]) -> list[Problem]:
    """The errors that a program logged."""
    return [
        Problem(diagnostic.urn if diagnostic.urn else "__main__.py", diagnostic.message)
        for diagnostic in diagnostics
        if diagnostic.severity == _ERROR
    ]


def assumed(plan: Plan) -> list[Problem]:
    """A note on what the engine invented, because it queries no cloud."""
    if not plan.assumed:
        return []
    return [Problem("", f"{joined([ASSUMED[token] for token in plan.assumed])} are assumed in this plan: no cloud is queried")]
