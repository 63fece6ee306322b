"""`nodepools adopt`: declares clusters that exist, and proves that the declaration changes nothing."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from io import StringIO
from pathlib import Path
from shlex import quote
from typing import Final, TypeAlias

import typer

from nodepools.adoption.adopted import Adopted, adopt, first_changes, platform_data
from nodepools.adoption.draft import CannotAdoptError
from nodepools.adoption.import_file import import_entries, object_entries, python_text
from nodepools.adoption.proof import platform_of, with_value
from nodepools.adoption.read_exports import AnyExisting, Exports
from nodepools.adoption.terraform import Managed, managed_resources, one_of_several, removed_blocks, still_managed
from nodepools.cli.adopt.report import WAIT, FirstUp, later_fixes, moving, paths, report
from nodepools.cli.command_run import CommandRun, Result
from nodepools.cli.demands.demands import UNKNOWN, Demands, of_finding, verdict
from nodepools.cli.inputs import input_files
from nodepools.cli.inputs.assumptions import note_unread, types_in
from nodepools.cli.inputs.file_search import files
from nodepools.cli.inputs.input_files import STDIN, InputFiles
from nodepools.cli.inputs.sources import project_directory
from nodepools.cli.output.envelope import json_text
from nodepools.cli.output.markdown_report import markdown_lines
from nodepools.cli.output.output_formats import Format
from nodepools.cli.output.report import MORE, MOST_STEPS, NOTHING_LOST, Act, Report, Step, command, edit, first_fixes, previewed, typed
from nodepools.cli.output.safe_yaml import safe_yaml
from nodepools.cli.output.text_report import text_lines
from nodepools.cli.problem import Problem, os_error_text, usage_error
from nodepools.cli.written_file import check_not_read, write_file
from nodepools.clouds.eks.node_groups import node_groups_in
from nodepools.clouds.existing_objects import NotExportError, OtherExportError
from nodepools.engine.errors import EngineError
from nodepools.engine.project import project_name
from nodepools.engine.property_values import make_urn
from nodepools.loading import UnreadableError
from nodepools.model.listing import listed, quoted, saved
from nodepools.model.redaction import scrubbed
from nodepools.model.steps import mapping
from nodepools.model.values import dataclass, replace
from nodepools.reading.bounded_input import TextError, is_terraform
from nodepools.reading.yaml_documents import documents
from nodepools.rules.engine.finding import Finding, Severity
from nodepools.rules.engine.registry import About, Where, all_rules, limit_of
from nodepools.rules.engine.runner import check

Entry: TypeAlias = Mapping[str, object]
_USUAL_PROJECT: Final = "nodepools"
"""The name of the project, if there is no `Pulumi.yaml` here."""
_REMOVED_FILE: Final = "removed.tf"
_OBJECTS: Final = "-objects"
"""The suffix of the import file for objects inside clusters."""
_NAMED_RESOURCES: Final = 3
_PROTECTED: Final = "protected at least until the first complete `pulumi up`"
_FORGETS: Final = "its next destroy would delete them. Run `pulumi state delete URN --stack STACK` there, then export its state again"
_INSIDE: Final = "objects inside clusters are not in this output: they have an import file of their own, which `--import FILE` writes"


@dataclass(frozen=True, slots=True)
class ClusterImports:
    """The entries of one cluster."""

    name: str
    component: str
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
            yield imports.with_name(f"{imports.stem}{_OBJECTS}{imports.suffix}"), text + "\n"

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
        alone = one_of_several(held, managed)
        whole = [one for one in held if one not in alone]
        ways = [*([f"apply `{blocks}`"] if whole else []), *(["run `terraform state rm`, as below"] if alone else [])]
        lets_go = f"{' and '.join(ways)}, then export its state again"
        run.problems.append(
            Problem(str(imports), f"not written, because Terraform manages {quoted([one.address for one in held], _NAMED_RESOURCES)}: {lets_go}")
        )
        if whole:
            yield blocks, removed_blocks(whole)


def _project() -> str:
    """The name of the Pulumi project here, which URNs contain."""
    try:
        return project_name(project_directory())
    except (UnreadableError, EngineError):
        return _USUAL_PROJECT


_PLATFORM: Final = re.compile(r"[a-z][a-z0-9-]{0,29}")
_STACKS: Final = "stacks"
_COLUMNS: Final = 120
"""Of a report in a file."""
_MOVING: Final = "export it again when no operation runs, because one can be about to change it"
_OF_STATE: Final = {
    "Failed": "the next request of `pulumi up` takes up the operation that failed, such as an upgrade. Repair it first, then export again"
}
_OF_STATE_ALONE: Final = (
    "is all that is known of the clusters: it has what its provider knows, and the cloud can have more. Add what `az aks show` or "
    "`aws eks describe-cluster` prints"
)
_EXISTS: Final = "it exists"
_DOCSTRING: Final = "Clusters that exist"
"""Begins the declarations that it writes in Python: no other file is overwritten."""
_NAMED: Final = 5
_YAML: Final = (".yaml", ".yml")
_JSON: Final = ".json"
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
    def names_stack(self) -> bool:
        """Whether it is known which stack imports: otherwise it is the selected one."""
        return self.stack is not None or (self.output is not None and self.output.absolute().parent.name == _STACKS)

    @property
    def stack_name(self) -> str:
        """The stack: the one in the option, otherwise the one that the file of the declaration is for."""
        named = self.stack if self.stack is not None else self.output.stem if self.output is not None and not _is_stdout(self.output) else None
        return named if named is not None else self.platform


def result(inputs: InputFiles, wanted: AdoptOptions, run: CommandRun, demands: Demands) -> Result:
    """The declaration of every cluster in the files, with the proof. What cannot be read is a problem of `run`."""
    _check_options(wanted)
    managed: list[Managed] = []
    found = list(files(inputs, run))
    existing, wrong = _read(found, managed, run).clusters()
    run.problems.extend(Problem.of(line) for line in wrong)
    adopted = _adopted(existing, wanted.platform, run)
    if not adopted:
        if not run.problems:
            run.problems.append(Problem.of(f"no cluster is in these files. {saved('`az aks show` or `aws eks describe-cluster`')}"))
        return Result()
    data = _accepting(platform_data(wanted.platform, {one.key: one.declared for one in adopted}))
    platform = platform_of(data)
    suffix = wanted.output.suffix.lower() if wanted.output is not None else ""
    if suffix == _JSON:
        text = json_text(data) + "\n"
    else:
        text = (
            safe_yaml(data)
            if wanted.yaml or suffix in _YAML
            else python_text(platform, f"{_DOCSTRING}: {', '.join(one.existing.name for one in adopted)}.")
        )
    first = FirstUp.of(adopted)
    things = [verdict("changes", path) for path in (*first.changed, *first.created, *first.secret)]
    things += [verdict(UNKNOWN, path) for path in (*first.unknown, *first.moving)]
    decided = demands.decided([*map(of_finding, _of_all_pools(check(platform), adopted)), *things], lambda one: one.kind == "verdict")
    findings = decided.findings
    imports = Imports.of(wanted.platform, adopted)
    import_files = imports.files_unless_managed(wanted.imports, wanted.stack_name, managed, run) if wanted.imports is not None else ()
    outputs = [*_declaration(wanted, text), *import_files]
    places = [*(file for file, _ in outputs), *([wanted.report] if wanted.report is not None else [])]
    _check_outputs(places, found)
    held = imports.held(managed)
    alone = one_of_several([one for one in held if not one.is_of_pulumi], managed)
    of_pulumi = [one.address for one in held if one.is_of_pulumi]
    if of_pulumi and wanted.imports is None:
        run.notes.append(
            Problem("", f"a stack of Pulumi has {quoted(of_pulumi, _NAMED_RESOURCES)}, and must let go of them before they are imported")
        )
    run.notes.extend(_states(adopted))
    run.notes.extend(Problem(one.existing.name, f"{quoted(paths(one.secrets), _NAMED)}: {_SECRETS}") for one in adopted if one.secrets)
    written = [file for file in places if not _is_stdout(file)]
    steps = list(_steps(wanted, findings, [file for file, _ in outputs], first, run.again, alone=alone, is_held=bool(held)))
    told = report(adopted, findings, written, steps, held if wanted.imports is not None else ())
    for file, content in (*outputs, *_report_file(wanted, told, run)):
        if not _is_stdout(file):
            _create_folder(file)
            write_file(file, content)
    printed = "".join(content for file, content in outputs if _is_stdout(file))
    return Result(lambda: _fields(adopted, imports, written), findings=findings, decided=decided, report=told, printed=printed)


def _create_folder(file: Path) -> None:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        usage_error(os_error_text(error))


def _steps(
    wanted: AdoptOptions, findings: Sequence[Finding], written: Sequence[Path], first: FirstUp, again: str, *, alone: Sequence[Managed], is_held: bool
) -> Iterator[Step]:
    """What to do next: correct errors, let others let go, import, settle, and only then `pulumi up`."""
    stack = f" --stack {wanted.stack_name}" if wanted.names_stack else ""
    file = "the declaration" if wanted.output is None or _is_stdout(wanted.output) else str(wanted.output)
    errors = [finding for finding in findings if finding.severity is Severity.ERROR]
    yield from first_fixes(errors, file, MOST_STEPS - 1)
    advice = [f"Declare the value of the cloud at `{path}`, unless `pulumi up` may change it" for path in (*first.changed, *first.created)]
    advice += [f"Set `{path}` from a secret of the Pulumi configuration, unless `pulumi up` may remove it" for path in first.secret]
    yield from (edit(text, file) for text in advice[: not errors])
    yield from [edit(f"{MORE}After the import, before the next automatic upgrade: {'; '.join(late)}") for late in [later_fixes(findings)] if late]
    if wanted.imports is None:
        own = [f"-o stacks/{wanted.platform}.py"] if wanted.output is None else []
        if wanted.output is not None and wanted.output.name == str(wanted.output) and wanted.output.suffix == ".py":
            again = again.replace(quote(wanted.output.name), quote(f"stacks/{wanted.output.name}"))  # what `pulumi up` reads
        yield command(
            " ".join([again, *own, "--import import.json"]), Act.FILES, "the declaration where `pulumi up` reads it, and the file for `pulumi import`"
        )
        return
    blocks = [file for file in written if file.name == _REMOVED_FILE]
    if blocks:
        yield command("terraform plan", Act.NONE, f"after you add {blocks[0]} and delete the resource blocks: it must destroy 0")
        yield command("terraform apply", Act.CLOUD, "only if that plan destroys 0")
    if alone:
        addresses = " ".join(quote(one.address) for one in alone)
        yield command(f"terraform state rm {addresses}", None, "other instances stay; take the key out of `for_each` or `count`: it must create 0")
    if is_held:
        yield command(again, Act.FILES, "the file for `pulumi import`, after a new export of the state")
        return
    files = [
        file for file in written if file.suffix == wanted.imports.suffix and file.stem in {wanted.imports.stem, f"{wanted.imports.stem}{_OBJECTS}"}
    ]
    named = [("FILE" if _is_stdout(file) else typed(file)) for file in files]
    brought = [*(f"pulumi import{stack} --file {name} --generate-code=false" for name in named), f"pulumi stack export{stack} --file state.json"]
    brought += ["nodepools adopt settle state.json -o settled.json", f"pulumi stack import{stack} --file settled.json"]
    is_loaded = wanted.output is None or _is_stdout(wanted.output) or wanted.output.parent.name == _STACKS
    where = "" if is_loaded else f"in the project whose program loads {wanted.output}; "
    yield command(" && ".join(brought), Act.STATE, f"{where}{_PROTECTED}")
    expected = WAIT.partition(":")[0] if {*first.expected} == {WAIT} else "those below"
    yield from previewed(NOTHING_LOST, stack, also=f"; expected updates: {expected}" if first.expected else "")


def _accepting(data: dict[str, object]) -> dict[str, object]:
    """`data`, whose clusters accept the errors of rules about creation: what exists is not created."""
    for finding in check(platform_of(data), fixes=False):
        rule = all_rules().get(finding.code)
        if rule is not None and rule.about is About.CREATION and finding.severity is Severity.ERROR:
            data = with_value(data, (*map(str, finding.steps[:2]), "accepted_errors", finding.code), _EXISTS)
    return data


def _of_all_pools(findings: Iterable[Finding], adopted: Iterable[Adopted]) -> Iterator[Finding]:
    """The findings, without those that need all pools of a cluster in which others have pools too."""
    shared = {one.key for one in adopted if one.has_pools_of_others}
    for finding in findings:
        if limit_of(finding.code, Where.OPEN_CLUSTER) is None or not shared.intersection(map(str, finding.steps[1:2])):
            yield finding


def _states(adopted: Iterable[Adopted]) -> Iterator[Problem]:
    """A note for each cluster and pool that is not at rest: its export can show values that an operation is about to change."""
    for one in adopted:
        for what, state in moving(one):
            yield Problem(one.existing.name, f"the state of {what} is `{state}`: {_OF_STATE.get(state, _MOVING)}")
        if mapping(one.existing.described.get("powerState")).get("code") == "Stopped":
            yield Problem(one.existing.name, "the cluster is stopped: run `az aks start` before `pulumi up`, and export it again")


def platform_name(named: str | None, output: Path | None) -> str:
    """The name of the platform: that of the file of a stack, which must have the same name."""
    stack = output.stem if output is not None and output.absolute().parent.name == _STACKS else None
    if named is not None and stack is not None and named != stack:
        usage_error(f"{output}: the platform of this file must be called `{stack}`, and `--platform` is `{named}`")
    return next(name for name in (named, stack, _ADOPTED) if name is not None)


def _check_options(wanted: AdoptOptions) -> None:
    if _PLATFORM.fullmatch(wanted.platform) is None:
        usage_error("`--platform` must start with a lowercase letter, followed by at most 29 lowercase letters, digits and hyphens")
    if wanted.report is not None and _is_stdout(wanted.report):
        usage_error("`--report` is a file; `--details` prints the whole report")
    if wanted.form is Format.JSON:
        printed = [file for file in (wanted.output, wanted.imports) if file is not None and _is_stdout(file)]
        if printed:
            usage_error("`--format json` prints the result to stdout: write the other outputs to files instead of `-`")
    elif (wanted.output is None or _is_stdout(wanted.output)) and wanted.imports is not None and _is_stdout(wanted.imports):
        usage_error("only one output can be `-`; the declaration is also printed to stdout unless `-o FILE` is set")


def _check_outputs(written: Sequence[Path], read: Sequence[Path]) -> None:
    """Before any output is written, so that none is without the others."""
    places = [file.resolve() for file in written if not _is_stdout(file)]
    for file in places:
        check_not_read(file, read)
        if file.suffix == ".py" and file.is_file() and _DOCSTRING not in file.read_text(encoding="utf-8", errors="replace"):
            usage_error(f"{file}: exists, and `nodepools adopt` did not write it: name a new file")
        if places.count(file) > 1 and (file.is_file() or not file.exists()):
            usage_error(f"{file}: is the name of two outputs")


def _is_stdout(file: Path) -> bool:
    return str(file) == STDIN


def _declaration(wanted: AdoptOptions, text: str) -> Iterable[tuple[Path, str]]:
    if wanted.output is not None or wanted.form is Format.TEXT:
        yield wanted.output if wanted.output is not None else Path(STDIN), text


def _report_file(wanted: AdoptOptions, told: Report, run: CommandRun) -> Iterable[tuple[Path, str]]:
    if wanted.report is not None:
        whole = replace(told, notices=tuple(run.notes), problems=tuple(run.problems))
        lines = markdown_lines(whole) if wanted.report.suffix == ".md" else text_lines(whole, columns=_COLUMNS, details=True)
        without_colors = StringIO()
        typer.echo("\n".join(lines), file=without_colors, color=False)
        yield wanted.report, scrubbed(without_colors.getvalue())


def _read(inputs: Iterable[Path], managed: list[Managed], run: CommandRun) -> Exports:
    """The exports in the files, and in `managed`, the resources that states have."""
    found, states = Exports(), list[tuple[str, str]]()
    for file in inputs:
        name = input_files.shown(file)
        try:
            written = input_files.text(file)
            is_state = _is_of_terraform(written, name)
            states.extend([(written, name)] if is_state else [])
            for document in documents(written, name):
                held = managed_resources(document.value)
                managed.extend(held if held is not None else ())
                if held is None and not is_state:
                    _add(found, document.value, name, run)
        except TextError as error:
            run.problems.append(Problem.of(str(error), name))
        except NotExportError as error:
            run.problems.append(Problem(name, str(error)))
    for written, name in states if not (found.aks or found.eks) else ():
        _add_state(found, written, name, run)
    return found


def _add(found: Exports, value: object, name: str, run: CommandRun) -> None:
    note_unread(types_in(value), run)
    try:
        found.add(value, name)
    except OtherExportError as error:
        groups = [str(group.get("nodegroupName")) for group in node_groups_in(value) or ()]
        run.notes.append(Problem(name, f"node groups are not declared, and stay as they are: {listed(groups, _NAMED)}" if groups else str(error)))


def _is_of_terraform(written: str, name: str) -> bool:
    if not is_terraform(written):
        return False
    from nodepools.cli.inputs.terraform_files import terraform_in  # few exports are states

    return terraform_in(written, name) is not None


def _add_state(found: Exports, written: str, name: str, run: CommandRun) -> None:
    """What a state of Terraform has, if no export shows its clusters. Objects are those of exports, if there are any."""
    from nodepools.cli.inputs.terraform_files import NOT_DECLARED, exports_of, sensitive_places  # few states are all that there is

    with_objects = bool(found.objects)
    try:
        for document in documents(exports_of(written, name, run), name):
            if not (mapping(document.value).keys() & NOT_DECLARED or (with_objects and "apiVersion" in mapping(document.value))):
                found.add(document.value, name)
        run.problems.append(Problem(name, _OF_STATE_ALONE))
        hidden = sensitive_places(written, name)
        if hidden:
            run.problems.append(Problem(name, f"sensitive, so not declared, and `pulumi up` can remove it: {listed(hidden, _NAMED)}"))
    except (TextError, NotExportError) as error:
        run.problems.append(Problem.of(str(error), name))


def _adopted(existing: Sequence[AnyExisting], platform: str, run: CommandRun) -> list[Adopted]:
    made: list[Adopted] = []
    for cluster, key in zip(existing, _keys(existing), strict=True):
        try:
            made.append(adopt(cluster, platform, key))
        except CannotAdoptError as error:
            run.problems.append(Problem("", f"the cluster `{cluster.name}` {error}"))
    return made


def _keys(existing: Sequence[AnyExisting]) -> list[str]:
    """A key for each cluster: its name, with the resource group or the region if another cluster has the same name."""
    names = [_key(one.name) for one in existing]
    keys = [name if names.count(name) == 1 else _key(f"{name}-{one.place}") for name, one in zip(names, existing, strict=True)]
    return [key if keys.count(key) == 1 else f"{key}-{index}" for index, key in enumerate(keys, 1)]


def _key(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def _fields(adopted: Sequence[Adopted], imports: Imports, written: Sequence[Path]) -> Mapping[str, object]:
    clusters = [
        {
            "cluster": one.key,
            "name": one.existing.name,
            "declared": one.declared_count,
            "defaults": len(one.defaults),
            "overrides": paths(one.overrides),
            "unreadable": paths((*one.unreadable, *one.unknown, *one.rejected)),
            "secrets": paths(one.secrets),
            "outside": dict(one.outside),
            "unknown": paths(one.unknown),
            "fixed_names": sorted(one.fixed_names),
        }
        for one in adopted
    ]
    today = date.today()  # noqa: DTZ011  # the day where people are
    differences = [change.to_json() for one in adopted for change in first_changes(one, today)]
    return {"clusters": clusters, "resources": imports.entries, "differences": differences, "files": [str(file) for file in written]}
