"""Findings as text: errors first, one block each."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import typer

from nodepools.cli.output.safe_text import wrapped
from nodepools.model.listing import grouped, listed
from nodepools.rules.engine.finding import Finding, Severity

_COLORS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.NOTE: "cyan"}
_MOST_LINES: Final = 30
"""Longer lists have one entry for each rule, instead of one for each warning. Errors are always shown."""
_PLACES: Final = 3
_URN: Final = "urn:pulumi:"


def finding_lines(findings: Sequence[Finding], columns: int, *, details: bool) -> Iterator[str]:
    """A block for each finding, errors first; notes only with `details`. Equal findings of several clusters are one block that lists the clusters.

    Without `details`, warnings of a long list are counted by rule.
    """
    shown = sorted((one for one in findings if details or one.severity is not Severity.NOTE), key=lambda finding: finding.severity.rank)
    blocks = [_block(*group, columns=columns, details=details) for group in folded(shown)]
    if not details and sum(len(block) + 1 for block in blocks) > _MOST_LINES:
        errors = [finding for finding in shown if finding.severity is Severity.ERROR]
        blocks = [_block(*group, columns=columns, details=False) for group in folded(errors)]
        by_code = grouped((finding.code, finding) for finding in shown[len(errors) :])
        blocks += [_counted(group, columns) for group in by_code.values()]
    for number, block in enumerate(blocks):
        yield from ("", *block) if number else block


def has_errors(findings: Iterable[Finding]) -> bool:
    """Whether there is an error."""
    return any(finding.severity is Severity.ERROR for finding in findings)


def folded(findings: Iterable[Finding]) -> list[list[Finding]]:
    """Groups equal findings of several clusters: same code, message, fix, and path below the cluster."""
    found: dict[tuple[object, ...], list[Finding]] = {}
    for number, finding in enumerate(findings):
        first, *below = (*finding.steps[:1], *finding.steps[2:]) if finding.steps else ("",)
        of_cluster = first == "clusters" and len(finding.steps) > 1
        text = str(finding).split("\n", 1)[1]
        key = (finding.code, finding.severity, finding.object, tuple(below), finding.shown_value, text) if of_cluster else (number,)
        found.setdefault(key, []).append(finding)
    return list(found.values())


def summary(findings: Sequence[Finding]) -> str:
    """`2 errors, 3 warnings in 2 files`; `no errors, 1 warning, 13 notes`; `no findings`."""
    if not findings:
        return "no findings"
    found = [finding for finding in findings if finding.severity is not Severity.NOTE]
    counts = [f"{number:,} {kind}{'s' * (number != 1)}" for kind in Severity if (number := count(findings, kind))]
    notes = [counts.pop()] if len(found) < len(findings) else []
    missing = [] if has_errors(findings) else ["no errors"] if found else ["no errors or warnings"]
    files = {
        finding.position.file if finding.position is not None else (finding.object if finding.object is not None else "").partition("#")[0]
        for finding in found
    }
    return ", ".join([", ".join([*missing, *counts]) + (f" in {len(files):,} files" if len(files) > 1 else ""), *notes])


def count(findings: Iterable[Finding], severity: Severity) -> int:
    """The number of findings of a severity."""
    return sum(finding.severity is severity for finding in findings)


def _block(finding: Finding, *others: Finding, columns: int, details: bool) -> list[str]:
    """The place, the message, and the fix: with `details` all of its lines, which can be a whole object."""
    first, *more = wrapped(_head(finding), columns, "", "    ")
    lines = [_colored(first, finding.severity), *more, *wrapped(finding.message, columns, "    ", "    ")]
    if finding.fix is not None:
        fix, *rest = finding.fix.text.rstrip().split("\n")
        short = f"{fix.rstrip(':')} (--details has the rest)" if rest and not details else fix
        lines += [*wrapped(f"fix: {short}", columns, "    ", " " * 9), *(f"{' ' * 9}{line}" for line in rest if details)]
    also = listed([str(other.steps[1]) for other in others], len(others) if details else _PLACES)
    return [*lines, *(wrapped(f"also in {also}", columns, "    ", "    ") if others else [])]


def _head(finding: Finding) -> str:
    """The position, then code, severity, object, path and value."""
    place = _place(finding)
    value = f": {finding.shown_value}" if finding.shown_value else ""
    position = f"{finding.position}: " if finding.position is not None else ""
    return f"{position}{finding.code} {finding.severity}{f' at {place}' if place else ''}{value}"


def _place(finding: Finding) -> str:
    """The object and the path, without the file if the position names it."""
    named = finding.named
    if named.startswith(_URN):
        named = " ".join(named.split("::")[-2:])  # type and name: the rest is the same for all resources of a stack
    if finding.position is not None:
        named = named.removeprefix(finding.position.file).removeprefix("#")
    place = " ".join(word for word in (named, finding.path) if word)
    return place if place or finding.position is not None else "the top"


def _counted(findings: Sequence[Finding], columns: int) -> list[str]:
    """`7 × AKS055 warning: …`, with the first places."""
    first = findings[0]
    places = listed([str(finding.position) if finding.position is not None else _place(finding) for finding in findings], _PLACES)
    others = ", for example" if any(finding.message != first.message for finding in findings) else ""
    head, *more = wrapped(f"{len(findings)} × {first.code} {first.severity}{others}: {first.message}", columns, "", "    ")
    return [_colored(head, first.severity), *more, *wrapped(f"at {places}", columns, "    ", "    ")]


def _colored(line: str, severity: Severity) -> str:
    return line.replace(f" {severity}", f" {typer.style(str(severity), fg=_COLORS[severity], bold=True)}", 1)
