"""What a command answers, as a value: every format is made of it."""

import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NewType

from nodepools.cli.problem import Problem
from nodepools.model.listing import counted, quoted
from nodepools.model.severity import Severity
from nodepools.model.values import dataclass, replace

if TYPE_CHECKING:
    from nodepools.rules.engine.finding import Finding

MOST_STEPS: Final = 3
NOWHERE: Final[Mapping[str, str]] = MappingProxyType({})
"""No places of declarations."""
_SHORT: Final = 120
"""Characters of a problem that the first line tells itself."""
COMMENT: Final = "  # "
"""What a comment of a command begins with."""
Step = NewType("Step", str)
"""What to do next, made by `command` or `edit`: one of both, never half a command. A choice is a step of its own, behind the recommended one."""
OR: Final = "or: "
"""Begins a step that is another way to the goal of the one before."""
MORE: Final = "more: "
"""Begins what a report says of the steps that it does not show."""
_CODES: Final = 5


class Act(StrEnum):
    """What a command does, as a comment of the step says."""

    CLOUD = "changes the cloud"
    CLUSTER = "changes the cluster"
    STATE = "changes only the state of Pulumi"
    INSTALLS = "installs software on this machine"
    FILES = "writes files only"
    NONE = "changes nothing"


_WRITING: Final = frozenset({"-o", "--output", "--import", "--fix", "--write-baseline", "--record", "--ics", "--report", "--write"})
"""Options with which a command that otherwise only reads writes files."""
_PLACEHOLDERS: Final[Mapping[str, str]] = {
    "CONTEXT": "that of the cluster, as `kubectl config get-contexts` lists it",
    "MANIFESTS": "a folder of manifests, or of what `kubectl get deploy,sts,ds,job,cronjob,pdb,pvc -A -o yaml` prints",
    "EXPORTS": "a folder that the commands of `nodepools doctor --exports` write",
    "FOLDER": "a new folder",
    "RESOURCE_GROUP": "that of the cluster",
    "REGION": "that of the cluster",
    "REASON": "why you accept it",
}
"""What only the reader of a command knows, and how to get it."""


def act_of(typed: str) -> Act:
    """What a command that only reads does with the options that were typed."""
    return Act.FILES if _WRITING.intersection(word.partition("=")[0] for word in shlex.split(typed)) else Act.NONE


def typed(path: object) -> str:
    """A path as an argument in a shell: a name that begins with `-` is not an option."""
    return shlex.quote(re.sub("^-(?=.)", "./-", str(path)))


def command(line: str, act: Act | None, why: str = "") -> Step:
    """A command for a shell, with all of its options. A comment of the shell says what it does, `why`, and what to write for words in capitals."""
    asked, told = ({word for word in _PLACEHOLDERS if re.search(rf"\b{word}\b", text)} for text in (line, why))
    known = [f"{word}: {_PLACEHOLDERS[word]}" for words in (told - asked, asked - told) for word in _PLACEHOLDERS if word in words]
    comment = "; ".join(filter(None, [act, why, *known]))
    return Step(f"{line}{COMMENT}{comment}" if comment else line)


NOTHING_LOST: Final = "no create, no replace and no delete"
"""What a preview must show after an import."""


def previewed(shows: str, stack: str = "", where: str = "", also: str = "") -> Iterator[Step]:
    """The preview that decides whether `pulumi up` may run, then that; `where` they run, if it is not the current folder."""
    yield command(f"pulumi preview{stack}", Act.NONE, f"{where}must show {shows}{also}")
    yield command(f"pulumi up{stack}", Act.CLOUD, f"only if the preview shows {shows}")


def pasted(line: str) -> str:
    """A command below a row, which is broken as one."""
    return f"{line}{COMMENT}"


def edit(what: str, at: str = "") -> Step:
    """An edit: `what` is an imperative with the field, file or object and the new value in backticks, `at` the clusters, pools or files."""
    return Step(f"{at}: {what}" if at else what)


def instead(step: Step) -> Step:
    """The step as the other way to the goal of the one before, which is recommended."""
    return Step(f"{OR}{step}")


def labeled(steps: Sequence[Step]) -> Iterator[tuple[str, str]]:
    """Each step with what it is next to the others: the first thing to do, what follows, or another way."""
    for number, step in enumerate(steps):
        mark = next((mark for mark in (OR, MORE) if step.startswith(mark)), "")
        yield mark.strip() or ("then:" if number else "next:"), step.removeprefix(mark)


def first_steps(steps: Sequence[Step], most: int = MOST_STEPS) -> Sequence[Step]:
    """The first of them, next to one other way."""
    return steps[: most + any(step.startswith(OR) for step in steps[: most + 1])]


def first_way(fix: str) -> str:
    """A fix without its alternatives, which are in the finding."""
    first = fix.partition(", or ")[0]
    return first if first.count("`") % 2 == 0 and first.count("(") == first.count(")") else fix


def first_fixes(findings: "Sequence[Finding]", file: str = "", most: int = MOST_STEPS) -> Iterator[Step]:
    """The edits that clear the first errors, at `most` so many; without an error, that of the first finding; none if there is no finding."""
    errors = [finding for finding in findings if finding.severity is Severity.ERROR]
    others = errors[most:] if errors else [one for one in findings[1:] if one.severity is Severity.WARNING]
    codes, unless = quoted(list(dict.fromkeys(one.code for one in others)), _CODES), "" if errors else ", unless they are meant"
    yield from [edit(f"{MORE}Correct {counted(len(others), f'more {others[0].severity.value}')} ({codes}), too{unless}")] if others else []
    for finding in errors[:most] if errors else findings[:1]:
        place = str(finding.position) if finding.position is not None else file
        what = (
            first_way(finding.fix.text.partition("\n")[0].rstrip(":")) if finding.fix is not None else f"Correct `{finding.path}`: {finding.message}"
        )
        path = f"`{finding.path}`" if what.endswith(" it") else finding.path
        yield edit(what, ": ".join(filter(None, [place, path])))


class Tone(StrEnum):
    """What the first cell of a row means to its reader; on a terminal, its color."""

    GOOD = "good"
    CAUTION = "caution"
    BAD = "bad"
    PLAIN = "plain"


@dataclass(frozen=True, slots=True)
class Row:
    """One fact: cells of a table, or one cell that is a line."""

    cells: tuple[str, ...]
    tone: Tone = Tone.PLAIN
    reasons: tuple[str, ...] = ()
    """Lines below it."""
    details: tuple[str, ...] = ()
    """More lines below it, shown with `--details`."""
    is_detail: bool = False
    """The whole row is shown with `--details` only."""

    def edited(self, edit: Callable[[str], str]) -> "Row":
        """The row with each text after `edit`."""
        cells, reasons, details = (tuple(map(edit, texts)) for texts in (self.cells, self.reasons, self.details))
        return replace(self, cells=cells, reasons=reasons, details=details)


@dataclass(frozen=True, slots=True)
class Section:
    """Rows that belong together."""

    heading: str
    """A few words without a period; empty for rows that follow the answer at once."""
    rows: tuple[Row, ...]
    heads: tuple[str, ...] = ()
    """Names of the columns; empty if the cells speak for themselves."""
    numbers: frozenset[int] = frozenset()
    """Columns that are aligned to the right."""
    is_detail: bool = False
    """The whole section is shown with `--details` only."""
    is_checklist: bool = False
    """Its rows are tasks: Markdown does not fold them, and has a box for each."""


@dataclass(frozen=True, slots=True)
class Report:
    """The answer of a command."""

    about: str
    """What it is about: stacks, files, a program or a cluster."""
    answer: str
    """One sentence without a period, which answers the question."""
    next: tuple[Step, ...] = ()
    """What to do next: the first one is recommended. Of more than `MOST_STEPS`, the first are kept, next to another way and `MORE`."""
    sections: tuple[Section, ...] = ()
    findings: "tuple[Finding, ...]" = ()
    notices: tuple[Problem, ...] = ()
    """What was excluded on purpose, and settings without effect."""
    problems: tuple[Problem, ...] = ()
    """What could not be read or checked: the answer is not complete."""

    def __post_init__(self) -> None:
        """Keeps what a person can keep in mind."""
        steps = [step for step in self.next if not step.startswith(MORE)]
        object.__setattr__(self, "next", (*first_steps(steps), *(step for step in self.next if step.startswith(MORE))))

    def edited(self, edit: Callable[[str], str]) -> "Report":
        """The report with each text after `edit`; findings contain no secrets."""
        sections = tuple(
            replace(section, heading=edit(section.heading), rows=tuple(row.edited(edit) for row in section.rows)) for section in self.sections
        )
        return replace(self, about=edit(self.about), answer=edit(self.answer), next=tuple(Step(edit(step)) for step in self.next), sections=sections)

    @property
    def first_line(self) -> str:
        """What it is about and the answer; if something was not checked, it says so: a short problem in its own words."""
        count = len(self.problems)
        told = str(self.problems[0]) if count == 1 else ""
        rest = f" (not complete: {told if 0 < len(told) <= _SHORT else counted(count, 'problem')})" if count else ""
        return f"{self.about}: {self.answer}{rest}" if self.about else f"{self.answer}{rest}"


def lines_of(heading: str, *texts: str, is_detail: bool = False) -> Section:
    """A section of plain lines."""
    return Section(heading, tuple(Row((text,)) for text in texts), is_detail=is_detail)
