"""`nodepools adopt`: declares clusters that exist, and proves that the declaration changes nothing."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Final, TypeAlias

import typer

from nodepools.adoption.adopted import Adopted, adopt, platform_data
from nodepools.adoption.draft import CannotAdoptError
from nodepools.adoption.exports import NotExportError
from nodepools.adoption.first_changes import first_changes
from nodepools.adoption.import_file import import_entries, object_entries
from nodepools.adoption.plain_trees import platform_of, with_value
from nodepools.adoption.python_text import python_text
from nodepools.adoption.read_exports import Exports, Observed
from nodepools.adoption.request_pair import Difference
from nodepools.adoption.terraform import Managed, managed_resources, removed_blocks, still_managed
from nodepools.changes.request import CLASS, CLUSTER, MAINTENANCE, POOL, Request
from nodepools.cli.command_run import CommandRun, Result
from nodepools.cli.exit_codes import usage_error
from nodepools.cli.inputs import input_files
from nodepools.cli.inputs.file_search import files
from nodepools.cli.inputs.input_files import STDIN
from nodepools.cli.inputs.selected_inputs import InputFiles
from nodepools.cli.inputs.sources import project_directory
from nodepools.cli.output.envelope import json_text
from nodepools.cli.output.markdown_text import escaped
from nodepools.cli.output.output_formats import Format
from nodepools.cli.output.safe_yaml import safe_yaml
from nodepools.cli.problem import Problem
from nodepools.cli.written_file import check_not_read, write_file
from nodepools.engine.errors import EngineError
from nodepools.engine.project import project_name
from nodepools.engine.urns import make_urn
from nodepools.loading import UnreadableError
from nodepools.model.listing import quoted
from nodepools.model.plain_data import mapping
from nodepools.model.redaction import scrubbed
from nodepools.reading.limits import TextError
from nodepools.reading.yaml_documents import documents
from nodepools.rules.engine.finding import Finding, Severity
from nodepools.rules.engine.path import path_text
from nodepools.rules.engine.registry import About, all_rules
from nodepools.rules.engine.runner import check

Entry: TypeAlias = Mapping[str, object]
_USUAL_PROJECT: Final = "nodepools"
"""The name of the project, if there is no `Pulumi.yaml` here."""
_REMOVED_FILE: Final = "removed.tf"
_NAMED_RESOURCES: Final = 3
_FORGETS: Final = "its next destroy would delete them. Run `pulumi state delete URN --stack STACK` there, then export its state again"
_INSIDE: Final = "objects inside clusters are not in this output: they have an import file of their own, which `--import FILE` writes"


@dataclass(frozen=True, slots=True)
class ClusterImports:
    """The entries of one cluster."""

    name: str
    """Of its component."""
    component: str
    """The type of its component."""
    outside: Sequence[Entry]
    """The component, and the resources outside the cluster."""
    inside: Sequence[Entry]
    """The objects in the cluster, after the provider for them."""


@dataclass(frozen=True, slots=True)
class Imports:
    """The entries of all clusters."""

    clusters: Sequence[ClusterImports]

    @classmethod
    def of(cls, platform: str, adopted: Iterable[Adopted]) -> "Imports":
        """What the declarations register, as far as it exists."""
        return cls(
            [
                ClusterImports(f"{platform}-{one.key}", one.component, list(import_entries(platform, one)), object_entries(platform, one))
                for one in adopted
            ]
        )

    @property
    def entries(self) -> list[Entry]:
        """All of them."""
        return [entry for one in self.clusters for entry in (*one.outside, *one.inside)]

    def files(self, imports: Path, stack: str, run: CommandRun) -> Iterator[tuple[Path, str]]:
        """The import files with their texts: objects are imported after their clusters."""
        yield imports, json_text({"resources": [entry for one in self.clusters for entry in one.outside]}) + "\n"
        inside = [one for one in self.clusters if one.inside]
        if inside and str(imports) == STDIN:
            run.notes.append(Problem("--import", _INSIDE))
        elif inside:
            project = _project()
            table = {one.name: make_urn(stack, project, "", one.component, one.name) for one in inside}
            text = json_text({"nameTable": table, "resources": [entry for one in inside for entry in one.inside]})
            yield imports.with_name(f"{imports.stem}-objects{imports.suffix}"), text + "\n"

    def held(self, managed: Sequence[Managed]) -> list[Managed]:
        """The resources that states have already."""
        return still_managed(managed, ((str(entry["type"]), str(entry["id"])) for entry in self.entries if "id" in entry))

    def files_unless_managed(self, imports: Path, stack: str, managed: Sequence[Managed], run: CommandRun) -> Iterator[tuple[Path, str]]:
        """The same, unless others manage some of the resources: they would delete them. Of Terraform, the blocks that let go of them."""
        every = self.held(managed)
        held = [one for one in every if not one.is_of_pulumi]
        if not every:
            yield from self.files(imports, stack, run)
        if len(held) < len(every):
            named = quoted([one.address for one in every if one.is_of_pulumi], _NAMED_RESOURCES)
            run.problems.append(Problem(str(imports), f"not written, because a stack of Pulumi has {named}: {_FORGETS}"))
        if not held:
            return
        blocks = imports.with_name(_REMOVED_FILE)
        lets_go = f"apply `{blocks}`, then export its state again"
        run.problems.append(
            Problem(str(imports), f"not written, because Terraform manages {quoted([one.address for one in held], _NAMED_RESOURCES)}: {lets_go}")
        )
        yield blocks, removed_blocks(held)


def _project() -> str:
    """The name of the Pulumi project here, which URNs contain."""
    try:
        return project_name(project_directory())
    except (UnreadableError, EngineError):
        return _USUAL_PROJECT


_PLATFORM: Final = re.compile(r"[a-z][a-z0-9-]{0,29}")
_STACKS: Final = "stacks"
_STATES: Final = ("provisioningState", "status")
_AT_REST: Final = ("Succeeded", "ACTIVE")
_MOVING: Final = "export it again when no operation runs, because one can be about to change it"
_OF_STATE: Final = {
    "Failed": "the next request of `pulumi up` takes up the operation that failed, such as an upgrade. Repair it first, then export again"
}
_EXISTS: Final = "it exists"
_NAMED: Final = 5
_SECRETS: Final = "can be a secret, and is not declared: set it from a secret of the Pulumi configuration, or `pulumi up` removes it"
_ADOPTED: Final = "adopted"
"""The name of the platform, if no option has one."""


@dataclass(frozen=True, slots=True)
class AdoptOptions:
    """The options."""

    platform: str
    stack: str | None
    output: Path | None
    imports: Path | None
    report: Path | None
    yaml: bool
    form: Format

    @property
    def stack_name(self) -> str:
        """The stack: the one in the option, otherwise the one that the file of the declaration is for."""
        named = self.stack if self.stack is not None else self.output.stem if self.output is not None and not _is_stdout(self.output) else None
        return named if named is not None else self.platform


def result(inputs: InputFiles, wanted: AdoptOptions, run: CommandRun) -> Result:
    """The declaration of every cluster in the files, with the proof. What cannot be read is a problem of `run`."""
    _check_options(wanted)
    managed: list[Managed] = []
    found = list(files(inputs, run))
    observed, wrong = _read(found, managed, run).clusters()
    run.problems.extend(Problem.of(line) for line in wrong)
    adopted = _adopted(observed, wanted.platform, run)
    if not adopted:
        if not run.problems:
            run.problems.append(Problem.of("no cluster is in these files: add what `az aks show` or `aws eks describe-cluster` prints"))
        return Result()
    data = _accepting(platform_data(wanted.platform, {one.key: one.declared for one in adopted}))
    platform = platform_of(data)
    text = safe_yaml(data) if wanted.yaml else python_text(platform, f"Clusters that exist: {_names(adopted)}.")
    findings = check(platform)
    imports = Imports.of(wanted.platform, adopted)
    import_files = imports.files_unless_managed(wanted.imports, wanted.stack_name, managed, run) if wanted.imports is not None else ()
    printed = [*_declaration(wanted, text), *import_files, *_report(wanted, adopted, findings)]
    _check_outputs([file for file, _ in printed], found)
    for file, content in printed:
        if not _is_stdout(file):
            write_file(file, content)

    def show() -> None:
        for file, content in printed:
            if _is_stdout(file):
                typer.echo(content, nl=False)
        if wanted.report is None or not _is_stdout(wanted.report):
            typer.echo("\n".join(text_report(adopted, findings, whole=False)), err=any(_is_stdout(file) for file, _ in printed))

    held = [one.address for one in imports.held(managed) if one.is_of_pulumi]
    if held and wanted.imports is None:
        run.notes.append(Problem("", f"a stack of Pulumi has {quoted(held, _NAMED_RESOURCES)}, and must let go of them before they are imported"))
    run.notes.extend(_states(adopted))
    run.notes.extend(Problem(one.observed.name, f"{quoted(paths(one.secrets), _NAMED)}: {_SECRETS}") for one in adopted if one.secrets)
    is_wrong = any(finding.severity is Severity.ERROR for finding in findings)
    return Result(lambda: _fields(adopted, imports), show, findings, fails=is_wrong or any(one.changes for one in adopted))


def _accepting(data: dict[str, object]) -> dict[str, object]:
    """`data`, whose clusters accept the errors of rules about creation: what exists is not created."""
    for finding in check(platform_of(data), fixes=False):
        rule = all_rules().get(finding.code)
        if rule is not None and rule.about is About.CREATION and finding.severity is Severity.ERROR:
            data = with_value(data, (*map(str, finding.steps[:2]), "accepted_errors", finding.code), _EXISTS)
    return data


def _states(adopted: Iterable[Adopted]) -> Iterator[Problem]:
    """A note for each cluster and pool that is not at rest: its export can show values that an operation is about to change."""
    for one in adopted:
        pools = getattr(one.observed, "pools", {})
        for what, told in (("the cluster", one.observed.described), *((f"pool `{name}`", pool) for name, pool in mapping(pools).items())):
            written = mapping(told)
            state = next((str(written[name]) for name in _STATES if name in written), "")
            if state and state not in _AT_REST:
                yield Problem(one.observed.name, f"the state of {what} is `{state}`: {_OF_STATE.get(state, _MOVING)}")
        if mapping(one.observed.described.get("powerState")).get("code") == "Stopped":
            yield Problem(one.observed.name, "the cluster is stopped: run `az aks start` before `pulumi up`, and export it again")


def platform_name(named: str | None, output: Path | None) -> str:
    """The name of the platform: that of the file of a stack, which must have the same name."""
    stack = output.stem if output is not None and output.absolute().parent.name == _STACKS else None
    if named is not None and stack is not None and named != stack:
        usage_error(f"{output}: the platform of this file must be called `{stack}`, and `--platform` is `{named}`")
    return next(name for name in (named, stack, _ADOPTED) if name is not None)


def _check_options(wanted: AdoptOptions) -> None:
    if _PLATFORM.fullmatch(wanted.platform) is None:
        usage_error("`--platform` must start with a lowercase letter, followed by at most 29 lowercase letters, digits and hyphens")
    if wanted.form is Format.JSON:
        printed = [file for file in (wanted.output, wanted.imports, wanted.report) if file is not None and _is_stdout(file)]
        if printed:
            usage_error("`--format json` prints the result to stdout: write the other outputs to files instead of `-`")
    elif sum(map(_is_stdout, (wanted.output or Path(STDIN), *(file for file in (wanted.imports, wanted.report) if file is not None)))) > 1:
        usage_error("only one output can be `-`; the declaration is also printed to stdout unless `-o FILE` is set")


def _check_outputs(written: Sequence[Path], read: Sequence[Path]) -> None:
    """Before any output is written, so that none is without the others."""
    places = [file.resolve() for file in written if not _is_stdout(file)]
    for file in places:
        check_not_read(file, read)
        if places.count(file) > 1 and (file.is_file() or not file.exists()):
            usage_error(f"{file}: is the name of two outputs")


def _is_stdout(file: Path) -> bool:
    return str(file) == STDIN


def _names(adopted: Sequence[Adopted]) -> str:
    return ", ".join(one.observed.name for one in adopted)


def _declaration(wanted: AdoptOptions, text: str) -> Iterable[tuple[Path, str]]:
    if wanted.output is not None or wanted.form is Format.TEXT:
        yield wanted.output if wanted.output is not None else Path(STDIN), text


def _report(wanted: AdoptOptions, adopted: Sequence[Adopted], findings: Sequence[Finding]) -> Iterable[tuple[Path, str]]:
    if wanted.report is not None:
        markdown = wanted.report.suffix == ".md"
        lines = markdown_report(adopted, findings) if markdown else text_report(adopted, findings, whole=True)
        yield wanted.report, scrubbed("\n".join(lines)) + "\n"


def _read(inputs: Iterable[Path], managed: list[Managed], run: CommandRun) -> Exports:
    """The exports in the files, and in `managed`, the resources that states have."""
    found = Exports()
    for file in inputs:
        name = input_files.shown(file)
        try:
            for document in documents(input_files.text(file), name):
                held = managed_resources(document.value)
                managed.extend(held if held is not None else ())
                if held is None:
                    found.add(document.value, name)
        except TextError as error:
            run.problems.append(Problem.of(str(error), name))
        except NotExportError as error:
            run.problems.append(Problem(name, str(error)))
    return found


def _adopted(observed: Sequence[Observed], platform: str, run: CommandRun) -> list[Adopted]:
    made: list[Adopted] = []
    for cluster, key in zip(observed, _keys(observed), strict=True):
        try:
            made.append(adopt(cluster, platform, key))
        except CannotAdoptError as error:
            run.problems.append(Problem("", f"the cluster `{cluster.name}` {error}"))
    return made


def _keys(observed: Sequence[Observed]) -> list[str]:
    """A key for each cluster: its name, with the resource group or the region if another cluster has the same name."""
    names = [_key(one.name) for one in observed]
    keys = [name if names.count(name) == 1 else _key(f"{name}-{one.place}") for name, one in zip(names, observed, strict=True)]
    return [key if keys.count(key) == 1 else f"{key}-{index}" for index, key in enumerate(keys, 1)]


def _key(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def _fields(adopted: Sequence[Adopted], imports: Imports) -> Mapping[str, object]:
    clusters = [
        {
            "cluster": one.key,
            "name": one.observed.name,
            "declared": one.declared_count,
            "defaults": len(one.defaults),
            "overrides": paths(one.overrides),
            "unreadable": paths((*one.unreadable, *one.unknown, *one.rejected)),
            "secrets": paths(one.secrets),
            "outside": dict(one.outside),
            "fixed_names": sorted(one.fixed_names),
        }
        for one in adopted
    ]
    today = date.today()  # noqa: DTZ011  # the day where people are
    differences = [change.to_json() for one in adopted for change in first_changes(one, today)]
    return {"clusters": clusters, "resources": imports.entries, "differences": differences}


_MOST_SHOWN: Final = 5
_NO_FINDINGS: Final = "none"
_FINDINGS_HEADING: Final = "Findings of `nodepools check`"
_PROVIDER: Final = "the Kubernetes provider"
_WAIT: Final = "annotation `pulumi.com/waitFor` of objects: no node is affected"
_WOULD_CHANGE: Final = "would change"
_WOULD_CREATE: Final = "would be created"
_KNOWN: Final = "changes with a known reason"
_MORE: Final = "all values and findings: use `--report FILE`"
_WITH_FIELDS: Final = (CLUSTER, POOL, CLASS, MAINTENANCE)
_UNKNOWN: Final = "settings that are not known here: nothing is sent for them, and what the cloud then does is not known"
_SECRETS_HEADING: Final = "values that can be secrets, not declared"
_WHOLE: Final = frozenset({_WOULD_CHANGE, _WOULD_CREATE, _KNOWN, _UNKNOWN, _SECRETS_HEADING})
"""Sections that are never cut: they say what the first `pulumi up` does."""
_ERRORS: Final = "`nodepools preview` and `pulumi up` stop at these errors of the declaration. Correct them before you import"


def sections(one: Adopted) -> Mapping[str, Sequence[str]]:
    """What there is to know about a cluster, by title. Empty sections are included."""
    differences = [(item.request, difference) for item in one.compared for difference in item.differences]
    return {
        _WOULD_CHANGE: [_field_path(request, difference) for request, difference in differences if not difference.reason],
        _WOULD_CREATE: [str(item.request.resource) for item in one.compared if item.import_id is None],
        _KNOWN: [
            *(f"{_field_path(request, difference)} ({difference.reason})" for request, difference in differences if difference.reason),
            *([_WAIT] if one.has_objects else []),
        ],
        "created in the state only": [_PROVIDER] if one.has_objects else [],
        "unchanged resources": [item.request.resource.name for item in one.compared if one.is_unchanged(item)],
        "cloud defaults, not declared": paths(one.defaults),
        "declared in `overrides`": paths(one.overrides),
        "values that no field accepts, not declared": paths(one.rejected),
        _SECRETS_HEADING: paths(one.secrets),
        "settings without a field: not sent, and the cloud keeps them": paths(one.unreadable),
        _UNKNOWN: paths(one.unknown),
        "outside the declaration": [f"{name} ({why})" for name, why in one.outside.items()],
    }


def paths(found: Iterable[Sequence[str]]) -> list[str]:
    """Paths as text, each once."""
    return sorted(set(map(_spelled, found)))


def text_report(adopted: Sequence[Adopted], findings: Sequence[Finding], *, whole: bool) -> Iterator[str]:
    """The lines of the report, errors first; unless it is `whole`, long lists are cut."""
    is_cut = False
    errors = [finding for finding in findings if finding.severity is Severity.ERROR]
    if errors:
        yield f"{_ERRORS}:"
        for finding in errors:
            yield f"  {finding.code} at {finding.path}: {finding.message}{f'. Fix: {finding.fix.text}' if finding.fix is not None else ''}"
        yield ""
    for one in adopted:
        yield f"{one.observed.name}: cluster `{one.key}`, {_declared_counts(one)}"
        for title, values in sections(one).items():
            shown = values if whole or title in _WHOLE else values[:_MOST_SHOWN]
            more = f", and {len(values) - len(shown)} more" if len(values) > len(shown) else ""
            is_cut = is_cut or bool(more)
            if values:
                yield f"  {title}: {', '.join(shown)}{more}"
        yield ""
    codes = sorted({finding.code for finding in findings})
    yield f"findings of `nodepools check`: {', '.join(codes) if codes else _NO_FINDINGS}"
    if is_cut:
        yield _MORE


def markdown_report(adopted: Sequence[Adopted], findings: Sequence[Finding]) -> Iterator[str]:
    """The lines of the report, for a pull request or a ticket."""
    ordered = [finding for severity in (Severity.ERROR, Severity.WARNING, Severity.NOTE) for finding in findings if finding.severity is severity]
    yield from ("# Adopted clusters", "")
    errors = [finding for finding in ordered if finding.severity is Severity.ERROR]
    if errors:
        yield from (f"**{_ERRORS}:**", "", *map(_finding_line, errors), "")
    for one in adopted:
        yield from (f"## `{one.observed.name}`: cluster `{one.key}`", "", f"{_declared_counts(one).capitalize()}.", "")
        for title, values in sections(one).items():
            if values:
                yield from (f"### {title.capitalize()}", "", *(f"* {_escaped(value)}" for value in values), "")
    yield from (f"## {_FINDINGS_HEADING}", "")
    yield from [_finding_line(finding) for finding in ordered] if ordered else (_NO_FINDINGS,)


def _finding_line(finding: Finding) -> str:
    return f"* {finding.severity.value} {finding.code} at `{finding.path}`: {_escaped(finding.message)}"


def _declared_counts(one: Adopted) -> str:
    resources = sum(1 for item in one.compared if item.import_id is not None)
    return f"{one.declared_count} values of {resources} resources are declared"


def _field_path(request: Request, difference: Difference) -> str:
    """The declared field; of resources that a field creates besides others, the resource: its arguments have no fields."""
    if request.subject in _WITH_FIELDS:
        return _spelled((*difference.resource, *difference.path))
    return f"{_spelled(difference.path)} of {request.resource}"


def _spelled(path: Sequence[str]) -> str:
    return path_text(int(step) if step.isdecimal() else step for step in path)


def _escaped(text: str) -> str:
    return escaped(text).replace("*", "\\*")
