"""Runs the program of a project, and reads the clusters that it declares."""

import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Final

import typer

from nodepools.cli.command_run import CommandRun
from nodepools.cli.exit_codes import InvalidError, usage_error
from nodepools.cli.problem import InputError, Problem
from nodepools.component.handed_over import HANDED_OVER, Declared, Refused
from nodepools.engine.errors import EngineError, ProgramFailed, ProgramTimedOut
from nodepools.engine.invokes import ASSUMED
from nodepools.engine.plan import Diagnostic, Plan
from nodepools.engine.project import PLACEHOLDER, read_project
from nodepools.engine.run import Program
from nodepools.engine.run import run as engine_run
from nodepools.engine.time_limit import VARIABLE as SECONDS_VARIABLE
from nodepools.engine.time_limit import seconds_of, usual_seconds
from nodepools.loading import UnreadableError
from nodepools.model.clusters import AnyCluster
from nodepools.model.listing import joined, listed
from nodepools.model.path import path_text
from nodepools.model.platform import Platform
from nodepools.model.ref import SecretValue, is_output
from nodepools.model.steps import Steps, scalars
from nodepools.reading.links import is_allowed, turned_off
from nodepools.resources.resource import Kind, kind_of, of_plan
from nodepools.rules.engine.finding import Finding, SourcePosition

_ERROR: Final = "error"
"""The severity of messages of `pulumi.log.error`."""
_LISTED: Final = 5
_GROUP: Final = re.compile(r"aws:eks/(nodeGroup|fargateProfile):\w+")
_NOUNS: Final = {
    Kind.AKS_CLUSTER: "cluster",
    Kind.EKS_CLUSTER: "cluster",
    Kind.AGENT_POOL: "agent pool",
    Kind.MAINTENANCE: "maintenance configuration",
    Kind.OBJECT: "Kubernetes object",
}
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
    clusters: Mapping[str, AnyCluster]
    positions: Mapping[str, SourcePosition]
    """Of the line that declares a cluster."""
    declared: Platform | None = None
    """The platform that the program deploys, if it is all that it declares."""

    def platform(self) -> Platform:
        """The clusters as one platform.

        Raises:
            DeclarationError: they are not a valid one.
        """
        if self.declared is not None:
            return self.declared
        name = self.stack if _NAME.fullmatch(self.stack) else "program"
        return ProgramPlatform(name=name, clusters=self.clusters, standard_tags=False)

    @property
    def unknown(self) -> list[str]:
        """The paths of fields that are known after `pulumi up`."""
        return self._paths(is_output)

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


@lru_cache(maxsize=2)
def read_program(stack: str, directory: Path, run: CommandRun) -> ProgramClusters:
    """Runs the program of a project, and returns the clusters that it declares. What it cannot read of it is a problem of `run`.

    `diff` compares it and checks it: it runs once for a command.

    Raises:
        InputError: the program cannot run, or fails.
        InvalidError: it fails because of findings.
        UnreadableError: it declares none.
    """
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
                raise InputError from None  # what it did not reach is not known
            hide_secrets(failed.plan, run)
            run.problems.append(Problem("__main__.py", "the program stops at this error: what it declares is not read"))
            raise InvalidError(program.stack, _placed(ended, program.directory)) from None
        except EngineError as error:
            usage_error(str(error))
        declared = read_declarations(file).declared
    hide_secrets(plan, run)
    run.problems.extend(_unread(plan))
    if not declared:
        if run.problems:
            raise InputError
        raise UnreadableError(f"{Path(program.directory).name}/__main__.py: the program declares no cluster with AksCluster, EksCluster or deploy()")
    found = _clusters(program.stack, declared, program.directory)
    if found.encrypted:
        has, are = ("has a value", "it is") if len(found.encrypted) == 1 else ("have values", "they are")
        text = f"{listed(found.encrypted, _LISTED)} {has} of an encrypted setting, which is not decrypted here: {are} not checked"
        run.problems.append(Problem("", text))
    if found.unknown:
        verb = "is" if len(found.unknown) == 1 else "are"
        run.notes.append(Problem("", f"{listed(found.unknown, _LISTED)} {verb} known after `pulumi up`: not checked and not compared here"))
    return found


def _placed(refused: Refused, directory: Path) -> list[Finding]:
    position = SourcePosition(_shown(refused.file, directory), refused.line, 1) if refused.file else None
    return [replace(finding, position=position) for finding in refused.findings]


def _shown(name: str, directory: Path) -> str:
    file = Path(name)
    return str(file.relative_to(directory) if file.is_relative_to(directory) else file)


def _clusters(stack: str, declared: Sequence[Declared], directory: Path) -> ProgramClusters:
    clusters: dict[str, AnyCluster] = {}
    positions: dict[str, SourcePosition] = {}
    for name, cluster, one in _named(declared):
        clusters[name] = cluster
        if one.file:
            positions[name] = SourcePosition(_shown(one.file, directory), one.line, 1)
    only = declared[0].args if len(declared) == 1 else None
    return ProgramClusters(stack, clusters, positions, only if isinstance(only, Platform) else None)


def _named(declared: Sequence[Declared]) -> Iterator[tuple[str, AnyCluster, Declared]]:
    """Each cluster by its name. If two clouds have the same name, the second gets a number."""
    seen = Counter[str]()
    for one in declared:
        of_platform = isinstance(one.args, Platform)
        parts: Mapping[str, AnyCluster] = one.args.clusters if isinstance(one.args, Platform) else {one.name: one.args}  # type: ignore[dict-item]  # of components
        for key, cluster in parts.items():
            is_prefixed = of_platform and len(declared) > 1
            name = one.args.stem(key) if is_prefixed and isinstance(one.args, Platform) else key
            seen[name] += 1
            yield (name if seen[name] == 1 else f"{name}-{seen[name]}"), cluster, one


def _unread(plan: Plan) -> Iterator[Problem]:
    """What the program registers about clusters and pools without a component."""
    resources = of_plan(plan.resources)
    parents = {resource.urn: resource.parent for resource in resources}
    ours = {resource.urn for resource in resources if resource.type.startswith("nodepools:")}
    found = [
        f"{_NOUNS.get(kind_of(resource), 'node group' if _GROUP.fullmatch(resource.type) else 'resource')} `{resource.name}` ({resource.type})"
        for resource in resources
        if (kind_of(resource) is not Kind.OTHER or _GROUP.fullmatch(resource.type)) and not ours.intersection(_ancestors(resource.urn, parents))
    ]
    if found:
        has, is_, them = ("has", "is", "it") if len(found) == 1 else ("have", "are", "them")
        yield Problem(
            "", f"{listed(found, _LISTED)} {has} no component and {is_} not read here: `nodepools preview --policy-pack policy` checks {them}"
        )


def _ancestors(urn: str, parents: Mapping[str, str | None]) -> Iterator[str]:
    parent = parents.get(urn)
    while parent is not None:
        yield parent
        parent = parents.get(parent)


def registered(stack: str, directory: Path, run: CommandRun) -> Plan | None:
    """What the program of a project registers; `None` if it fails, and the problems of `run` say why."""
    try:
        plan = engine_run(stack_program(stack, directory, run), timeout=program_seconds(None))
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


def stack_program(stack: str, directory: Path, run: CommandRun) -> Program:
    """The program of a project, with the configuration of a stack.

    Raises:
        InputError: code is turned off, or the project cannot be read.
    """
    if not is_allowed():
        usage_error(turned_off(f"the program of the stack `{stack}`"))
    try:
        project = read_project(directory, stack)
    except EngineError as error:
        usage_error(str(error))
    run.hide(project.config)
    if project.rejected:
        raise InputError(*map(Problem.of, project.rejected))
    if project.unread:
        run.notes.append(Problem(project.unread, "has `environment`: values from Pulumi ESC are not read, so the program does not get them"))
    return Program(project.directory, project.name, project.stack, project.config, project.secret_keys)


def hide_secrets(plan: Plan | None, run: CommandRun) -> None:
    """Messages of a program do not contain what it marked as secret."""
    run.hide([SecretValue(text) for text in plan.secrets] if plan is not None else ())


def report_failure(failed: ProgramFailed, run: CommandRun) -> None:
    """The failure of a program is a problem, and so are the errors that it logged. Its other messages go to stderr."""
    hide_secrets(failed.plan, run)
    for diagnostic in failed.diagnostics:
        if diagnostic.severity != _ERROR:
            typer.echo(f"{diagnostic.severity}: {run.without_secrets(diagnostic.message)}", err=True)
    limit = f"; the environment variable `{SECONDS_VARIABLE}` raises the limit" if isinstance(failed, ProgramTimedOut) else ""
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
