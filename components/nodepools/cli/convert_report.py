"""The report of `nodepools convert`: what became of each object, what has no equivalent, and the pools of workloads. As text, or as Markdown."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from nodepools.cli.converted_workloads import Moved
from nodepools.cli.markdown_text import code_span, escaped
from nodepools.conversion.converted import Converted
from nodepools.conversion.targets import Target
from nodepools.conversion.unconverted import Outcome, Unconverted
from nodepools.manifests.manifest_objects import ManifestObject
from nodepools.model.redaction import MARK
from nodepools.model.secret import HIDDEN

_LONGEST: Final = 80
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
            yield f"  {entry.outcome.value:<7}  {entry.path}{_value(entry)}"
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
            yield f"| {' | '.join((*map(code_span, (written.label, entry.path, _value(entry).removeprefix(': '))), *texts))} |"
    if listed:
        used = dict.fromkeys(entry.outcome for _, result in listed for entry in result.unconverted)
        yield from ("", *(f"`{outcome.value}`: {_MEANING[outcome]}  " for outcome in Outcome if outcome in used))


def _became(written: ManifestObject, result: Converted) -> str:
    became = replace(written, raw=result.new)
    new = f"{became.kind}/{became.name}"
    return f" → {new}" if result.is_changed and new != f"{written.kind}/{written.name}" else ""


def _value(entry: Unconverted) -> str:
    if entry.value is None:
        return "" if entry.outcome is Outcome.MISSING else ": not set"
    value = HIDDEN if entry.shown == MARK else entry.shown
    shown = " ".join((value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)).split())
    return f": {shown if len(shown) <= _LONGEST else f'{shown[:_LONGEST]}…'}"


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}{'s' * (number != 1)}"
