"""`nodepools convert`: objects of self-managed Karpenter and of node groups, for EKS Auto Mode or node auto provisioning."""

import json
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import mkdtemp
from typing import Final, cast

import typer

from nodepools.cli.check.templates_not_rendered import text_problem, unrendered
from nodepools.cli.command_run import CommandRun, Result
from nodepools.cli.convert.converted_workloads import Moved, moved
from nodepools.cli.exit_codes import usage_error
from nodepools.cli.explain.command import raw_pools
from nodepools.cli.inputs.file_search import files
from nodepools.cli.inputs.input_files import STDIN, text
from nodepools.cli.inputs.selected_inputs import InputFiles
from nodepools.cli.os_error import os_error_text
from nodepools.cli.output.finding_lines import has_errors, print_by_object, summary
from nodepools.cli.output.markdown_text import code_span, escaped
from nodepools.cli.output.output_formats import ReportFormat
from nodepools.cli.output.safe_text import safe
from nodepools.cli.output.safe_yaml import safe_yaml
from nodepools.cli.problem import Problem
from nodepools.conversion.converted import Converted, convert
from nodepools.conversion.targets import ConversionOptions, Target
from nodepools.conversion.unconverted import Outcome, Unconverted
from nodepools.manifests.edits.yaml_replacement import with_objects
from nodepools.manifests.manifest_objects import ManifestObject, objects
from nodepools.manifests.object_checks import check_objects
from nodepools.model.redaction import MARK, redacted
from nodepools.model.secret import HIDDEN
from nodepools.placement.cluster_pools import ClusterPools
from nodepools.reading.limits import TextError
from nodepools.reading.yaml_documents import documents
from nodepools.rules.engine.finding import Finding, Severity

_LONGEST_VALUE: Final = 80
_LOST: Final = "loses its pool"
_MEANING: Final = {
    Outcome.REMOVED: "not in the output",
    Outcome.KEPT: "in the output as it was, without its effect",
    Outcome.CHANGED: "in the output with another meaning",
    Outcome.MISSING: "needed, and not in the input",
}


@dataclass(frozen=True, slots=True)
class Reported:
    """What a report is about."""

    target: Target
    objects: tuple[tuple[ManifestObject, Converted], ...]
    workloads: tuple[Moved, ...]
    checked: str
    """The summary of the check of the output."""

    @property
    def listed(self) -> Iterator[tuple[ManifestObject, Converted]]:
        """The objects with values that have no equivalent."""
        return (pair for pair in self.objects if pair[1].unconverted)

    @property
    def summary(self) -> Iterator[str]:
        """The counts."""
        changed = sum(result.is_changed for _, result in self.objects)
        yield f"{_counted(len(self.objects), 'object')}: {changed} converted to {self.target.title}, {len(self.objects) - changed} unchanged"
        entries = [entry for _, result in self.objects for entry in result.unconverted]
        counts = [f"{number} {outcome.value}" for outcome in Outcome if (number := sum(entry.outcome is outcome for entry in entries))]
        yield f"{_counted(len(entries), 'value')} without an exact equivalent{': ' if counts else ''}{', '.join(counts)}"
        if self.workloads:
            lost, accepted = [one for one in self.workloads if one.loses], sum(one.loses and one.accepted is not None for one in self.workloads)
            losing = f"{len(lost)} of {len(self.workloads):,} workloads lose{'s' * (len(lost) == 1)} a pool"
            yield f"{losing}{f', {accepted} accepted' if accepted else ''}"
        yield f"check of the output: {self.checked}"


def text_report(reported: Reported) -> Iterator[str]:
    """The lines of the report."""
    for written, result in reported.listed:
        yield f"{written.label}{_became(written, result)}"
        for entry in result.unconverted:
            yield f"  {entry.outcome.value:<7}  {entry.path}{_value_text(entry)}"
            yield f"           {entry.reason[0].upper()}{entry.reason[1:]}"
            if entry.instead is not None:
                yield f"           do: {entry.instead}"
        yield ""
    if reported.workloads:
        width = max(len(one.key) for one in reported.workloads)
        yield "Pools of workloads, before → after"
        for one in reported.workloads:
            mark = "✘" if one.fails else "✔" if one.new.pools else "?"
            yield f"  {mark} {one.key:<{width}}  {one.before} → {one.after}{f'; replicas {one.replicas}' if one.replicas else ''}"
        yield ""
    yield from reported.summary


def markdown_report(reported: Reported) -> Iterator[str]:
    """The lines of the report, for a pull request or a ticket."""
    yield from (f"## Conversion to {reported.target.title}", "")
    yield from (f"* {line}" for line in reported.summary)
    if reported.workloads:
        yield from ("", "| workload | before | after | |", "|---|---|---|---|")
        for one in reported.workloads:
            yield f"| {escaped(one.key)} | {escaped(one.before)} | {escaped(one.after)} | {f'**{_LOST}**' if one.fails else one.replicas} |"
    listed = list(reported.listed)
    if listed:
        yield from ("", "| object | path | value | | why | what to do |", "|---|---|---|---|---|---|")
    for written, result in listed:
        for entry in result.unconverted:
            texts = map(escaped, (entry.outcome.value, entry.reason, entry.instead or ""))
            yield f"| {' | '.join((*map(code_span, (written.label, entry.path, _value_text(entry).removeprefix(': '))), *texts))} |"
    if listed:
        used = dict.fromkeys(entry.outcome for _, result in listed for entry in result.unconverted)
        yield from ("", *(f"`{outcome.value}`: {_MEANING[outcome]}  " for outcome in Outcome if outcome in used))


def _became(written: ManifestObject, result: Converted) -> str:
    became = replace(written, raw=result.new)
    new = f"{became.kind}/{became.name}"
    return f" → {new}" if result.is_changed and new != f"{written.kind}/{written.name}" else ""


def _value_text(entry: Unconverted) -> str:
    if entry.value is None:
        return "" if entry.outcome is Outcome.MISSING else ": not set"
    value = HIDDEN if entry.shown == MARK else entry.shown
    shown = " ".join((value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)).split())
    return f": {shown if len(shown) <= _LONGEST_VALUE else f'{shown[:_LONGEST_VALUE]}…'}"


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}{'s' * (number != 1)}"


_SUFFIX: Final = re.compile(r"(-?[a-z0-9]([a-z0-9-]*[a-z0-9])?)?")
_LONGEST_SUFFIX: Final = 20
_GROUP: Final = re.compile(r"([^=\s]+)=([a-z0-9]([a-z0-9.-]*[a-z0-9])?)")
_ACCEPTED: Final = re.compile(r"([A-Za-z]+/[a-z0-9.-]+): (\S.*)")
_ARN: Final = "arn:"


@dataclass(frozen=True, slots=True)
class Options:
    """The options."""

    wanted: ConversionOptions
    accepted: Mapping[str, str]
    """Why workloads may lose their pool, by kind and name."""
    exports: Sequence[Path]
    """Exports of the cluster: its nodes and node groups are pools, too."""
    output: Path | None
    form: ReportFormat


@dataclass(frozen=True, slots=True)
class _File:
    """A file that was read."""

    path: Path
    place: Path
    """Its place below the output folder."""
    text: str
    objects: tuple[ManifestObject, ...]


def wanted(target: Target, suffix: str | None, role: str | None, groups: Sequence[str]) -> ConversionOptions:
    """Reads the options of the conversion.

    Raises:
        InputError: one cannot be used.
    """
    chosen = suffix if suffix is not None else target.suffix
    if _SUFFIX.fullmatch(chosen) is None or len(chosen) > _LONGEST_SUFFIX:
        usage_error(f"`--suffix` must be at most {_LONGEST_SUFFIX} lowercase letters, digits and hyphens, not `{chosen}`")
    if role is not None and (target is Target.NAP or not role or role.startswith(_ARN)):
        usage_error("`--role` is the name of an IAM role, not its ARN, for `--to auto-mode`")
    return ConversionOptions(
        target, chosen, role, dict(_pairs(groups, _GROUP, "`--group` must be `GROUP=NODEPOOL`, such as `--group workers=general`"))
    )


def options(wanted: ConversionOptions, accept: Sequence[str], exports: Sequence[Path], output: Path | None, form: ReportFormat) -> Options:
    """Reads the options of the output.

    Raises:
        InputError: one cannot be used.
    """
    if output is not None and str(output) == STDIN:
        usage_error("`-o` is a folder; without it, the objects are printed to stdout")
    accepted = _pairs(accept, _ACCEPTED, "`--accept` must be `KIND/NAME: REASON`, such as `--accept 'Deployment/web: moves later'`")
    return Options(wanted, dict(accepted), exports, output, form)


def _pairs(given: Sequence[str], form: re.Pattern[str], usage: str) -> Iterator[tuple[str, str]]:
    for one in given:
        found = form.fullmatch(one)
        if found is None:
            usage_error(f"{usage}, not `{one}`")
        yield found[1], found[2]


def result(inputs: InputFiles, chosen: Options, run: CommandRun) -> Result:
    """Converts the objects in all files together. What cannot be read is a problem of `run`, and then nothing is written."""
    read = list(_read(inputs, run, to_folder=chosen.output is not None))
    found = [one for file in read for one in file.objects]
    if not found:
        if not run.problems:
            run.problems.append(Problem(", ".join(map(str, inputs.paths)), "contains no Kubernetes object"))
        return Result()
    converted = convert([one.raw for one in found], chosen.wanted)
    texts = _texts(read, converted)
    findings = _checked(read, texts)
    unread: list[Problem] = []
    workloads = _workloads(found, converted, chosen, run, unread)
    reported = Reported(chosen.wanted.target, tuple(zip(found, converted, strict=True)), workloads, summary(findings))
    is_printed, is_whole = chosen.output is None and chosen.form is ReportFormat.TEXT, not run.problems
    if chosen.output is not None and run.problems:
        run.problems.append(Problem(str(chosen.output), "not written: correct the other errors first"))
    elif chosen.output is not None:
        _write(chosen.output, zip((file.place for file in read), texts, strict=True))

    def show() -> None:
        if is_printed and is_whole:
            typer.echo(_joined(texts), nl=False)
        report = markdown_report if chosen.form is ReportFormat.MARKDOWN else text_report
        typer.echo("\n".join(report(reported)), err=is_printed)
        errors = [finding for finding in findings if finding.severity is Severity.ERROR]
        if errors and chosen.form is ReportFormat.TEXT:
            typer.echo(err=is_printed)
            print_by_object(errors, err=is_printed)

    (run.notes if has_errors(findings) else run.problems).extend(unread)  # the objects are written all the same
    fails = has_errors(findings) or any(one.fails for one in reported.workloads)
    return Result(lambda: _fields(reported), show, findings, fails=fails)


def _read(inputs: InputFiles, run: CommandRun, *, to_folder: bool) -> Iterator[_File]:
    places: dict[Path, Path] = {}
    for root in inputs.paths:
        for path in files(InputFiles([root], inputs.exclusion), run):
            written = ""
            try:
                written = text(path)
                template = unrendered(path, written, run.command)
                if template is not None:
                    run.problems.append(Problem(str(path), template))
                    continue
                found = tuple(objects(written, "stdin" if str(path) == STDIN else str(path)))
            except TextError as error:
                run.problems.append(text_problem(error, str(path), written, run.command))
                continue
            place = Path("stdin.yaml") if str(path) == STDIN else path.relative_to(root) if root.is_dir() else Path(path.name)
            if to_folder and place in places:
                run.problems.append(Problem(str(path), f"has the same name in the output as `{places[place]}`: give the folder that contains both"))
                continue
            places[place] = path
            yield _File(path, place, written, found)


def _texts(read: Sequence[_File], converted: Sequence[Converted]) -> list[str]:
    """The text of each file, with its converted objects."""
    rest = iter(converted)
    return [with_objects(file.text, file.objects, [next(rest).new for _ in file.objects], safe_yaml) for file in read]


def _checked(read: Sequence[_File], texts: Sequence[str]) -> list[Finding]:
    """What `nodepools check` finds in the output."""
    written = [one for file, content in zip(read, texts, strict=True) for one in objects(content, str(file.place))]
    return list(check_objects(written).findings)


def _workloads(
    found: Sequence[ManifestObject], converted: Sequence[Converted], chosen: Options, run: CommandRun, unread: list[Problem]
) -> tuple[Moved, ...]:
    """The workloads; `unread` gets what cannot be read, and could lose its pool."""

    def failed(error: TextError) -> None:
        problem = Problem.of(str(error))
        unread.append(replace(problem, message=f"{problem.message}: the table of workloads does not contain it"))

    [exported] = raw_pools(chosen.exports, run) if chosen.exports else (ClusterPools(None),)
    answered = [replace(one, accepted=chosen.accepted.get(one.key)) for one in moved(found, converted, exported, failed)]
    without = [one.key for one in answered if one.had_none]
    if without:
        more = "give its nodes and node groups with `--existing`" if not chosen.exports else "it is not in the input"
        run.notes.extend(Problem(key, f"fits no pool before and after: if one runs its pods, {more}") for key in without)
    losing = {one.key for one in answered if one.loses}
    run.notes.extend(Problem("--accept", f"`{key}` does not lose its pool") for key in chosen.accepted if key not in losing)
    return tuple(answered)


def _joined(texts: Iterable[str]) -> str:
    """All files as one text of several documents. A text that a terminal or a CI runner would read in another way is written again."""
    parts: list[str] = []
    for content in (one if safe(one) == one else _again(one) for one in texts):
        marker = "" if not parts or content.lstrip().startswith("---") else "---\n"
        parts.append(f"{marker}{content if content.endswith(chr(10)) else content + chr(10)}")
    return "".join(parts)


def _again(content: str) -> str:
    return "---\n".join(safe_yaml(cast("Mapping[str, object]", document.value)) for document in documents(content, ""))


def _write(output: Path, contents: Iterable[tuple[Path, str]]) -> None:
    """Writes all files, or none.

    Raises:
        InputError: the folder contains files, or cannot be written.
    """
    try:
        if output.exists() and (not output.is_dir() or any(output.iterdir())):
            usage_error(f"{output}: is not an empty folder: name a new one")
        output.parent.mkdir(parents=True, exist_ok=True)
        draft = Path(mkdtemp(dir=output.parent, prefix=f".{output.name}."))
        try:
            for place, content in contents:
                file = draft / place
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(content, encoding="utf-8", newline="")
            draft.chmod(0o755)
            if output.exists():
                output.rmdir()
            draft.replace(output)
        finally:
            shutil.rmtree(draft, ignore_errors=True)
    except OSError as error:
        usage_error(os_error_text(error))


def _fields(reported: Reported) -> Mapping[str, object]:
    return {
        "target": reported.target.value,
        "objects": [_object(written, one) for written, one in reported.objects],
        "unconverted": [
            {"object": written.label, "line": written.position(entry.steps).line, **entry.to_json()}
            for written, one in reported.objects
            for entry in one.unconverted
        ],
        "workloads": [one.to_json() for one in reported.workloads],
    }


def _object(written: ManifestObject, one: Converted) -> dict[str, object]:
    return {"object": written.label, "changed": one.is_changed, "included": one.included, "manifest": redacted(one.new) if one.is_changed else None}
