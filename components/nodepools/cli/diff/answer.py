"""The answer of `nodepools diff`: its first line, what to do next, the rows and sections, and annotations of GitHub."""

import json
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from nodepools.changes.change import Change
from nodepools.changes.platform_changes import Changes
from nodepools.changes.request import CLUSTER
from nodepools.cli.diff.demands import Judged
from nodepools.cli.diff.places import Place
from nodepools.cli.diff.rows import Fold, Subject, change_sections, count, folded, order_section
from nodepools.cli.output.report import Report, Section, lines_of
from nodepools.rules.engine.finding import Finding
from nodepools.wire.effects import Effect

_STEPS: Final = 3
"""Steps that are listed."""
_ROWS_OF_MARKDOWN: Final = 20
_VERBS: Final[Mapping[Effect, str]] = {
    Effect.REPLACES: "deletes and recreates {}",
    Effect.REMOVES_NODES: "removes nodes of {}",
    Effect.DELETES: "deletes {}",
    Effect.ROLLS: "rolls {}",
    Effect.ROLLS_SOME: "rolls some nodes of {}",
    Effect.ROTATES: "rotates {}",
    Effect.REIMAGES: "reimages {}",
    Effect.IN_PLACE_PODS: "evicts or breaks pods of {}",
    Effect.IN_PLACE_LATER: "changes {} at its next image upgrade",
    Effect.IN_PLACE: "updates {} in place",
    Effect.CREATES: "creates a part of {}",
    Effect.IGNORED: "has no effect on {}",
    Effect.REFUSED: "is rejected for {}",
    Effect.UNKNOWN: "has an unknown effect on {}",
}


@dataclass(frozen=True)
class Difference:
    """Everything that changed."""

    about: str
    """The stacks, or both sides."""
    compared: Section
    """What was compared, and with what."""
    all: Sequence[Change]
    """The changes of all stacks, the worst first."""
    stacks: Sequence[tuple[str, Changes]]
    judged: Judged
    equal: int
    """Resources that were compared."""
    findings: Sequence[Finding] = ()
    """Errors of the rules in the new side."""
    subjects: Sequence[Subject] = ()
    stack_of: Mapping[int, str] = field(default_factory=dict[int, str])
    """The stack of each change by its identity, if there are several."""
    only: str = ""
    """What was compared, if something else differs."""

    @cached_property
    def folds(self) -> Sequence[Fold]:
        """Changes that differ only in their cluster or pool, as one."""
        return folded(self.all, self.place, self.judged.reason)

    @property
    def fails(self) -> bool:
        """A change must be accepted or undone, or the new side has errors."""
        return bool(self.judged.failing or self.findings)

    def place(self, change: Change) -> str:
        """The cluster or the pool, with its stack if there are several."""
        stack = self.stack_of.get(id(change))
        return change.at if stack is None else f"{stack}/{change.at}"

    def report(self, *, is_markdown: bool) -> Report:
        """The report: rows by their effect, then what they do to others, the order, and what was compared."""
        rows = {"rows": _ROWS_OF_MARKDOWN} if is_markdown else {}
        sections = (
            *change_sections(self.folds, self.judged.reason, self.judged.failing, **rows),
            *(subject.section for subject in self.subjects if subject.section is not None),
            *order_section([(name, changes.order) for name, changes in self.stacks], stops=bool(self._rejected)),
            *(
                [lines_of("Lines for a file of `--accept`", *(f"{one}: REASON" for one in self._acceptances), is_detail=True)]
                * bool(self._acceptances)
            ),
            self.compared,
        )
        return Report(self.about, self._answer, tuple(self._next), sections, tuple(self.findings))

    @property
    def _answer(self) -> str:
        errors = [f"{count(len(self.findings), 'error')} in the new side"] if self.findings else []
        return "; ".join([*self._of_changes(), *errors, *(subject.verdict for subject in self.subjects if subject.verdict)])

    def _of_changes(self) -> Iterator[str]:
        """Certain effects first: what is rejected, what must be accepted, what is unknown; otherwise the worst."""
        if not self.all:
            yield f"nothing changes{self.only} ({count(self.equal, 'resource')} {'is' if self.equal == 1 else 'are'} equal)"
            return
        edits = self._edits(self.all)
        unknown = [change for change in self._left if change.effect is Effect.UNKNOWN]
        known = [change for change in self._left if change.effect is not Effect.UNKNOWN]
        if self._rejected:
            worst = self._rejected[0]
            yield f"{_edits(self._edits(self._rejected), edits)} rejected, so `pulumi up` fails: {self._fold(worst).subject}"
        if known:
            number = self._edits(known)
            if number == 1:
                yield f"{'1 edit' if edits == 1 else f'1 of {edits} edits'} {self._done(known[0])}: not accepted"
            else:
                yield f"{_edits(number, edits)} not accepted, the worst {self._done(known[0])}"
        if unknown:
            number, where = self._edits(unknown), f"{self._named(unknown[0])}{self._reached(unknown[0])}"
            yield f"unknown: what 1 edit does to {where}" if number == 1 else f"unknown: what {number:,} edits do, such as that of {where}"
        if not self._left and not self._rejected:
            yield self._of_harmless(edits)

    def _of_harmless(self, edits: int) -> str:
        worst = self.all[0]
        if worst.effect is Effect.NONE:
            return f"nothing changes: {count(edits, 'edit')} without effect"
        accepted = ": accepted" if self.judged.reason(worst) else ""
        return f"1 edit {self._done(worst)}{accepted}" if edits == 1 else f"{edits:,} edits, the worst {self._done(worst)}{accepted}"

    def _done(self, change: Change) -> str:
        """What a change does to which cluster or pool, and how many nodes it reaches."""
        whole = change.effect is Effect.REMOVES_NODES and change.new is None
        verb = _VERBS[Effect.DELETES if whole else change.effect]
        return f"{verb.format(self._named(change))}{self._reached(change)}"

    def _reached(self, change: Change) -> str:
        fold = self._fold(change)
        nodes = f"{fold.nodes}; their number is unknown" if fold.is_uncounted else fold.nodes
        return f" ({nodes})" if nodes else ""

    def _named(self, change: Change) -> str:
        """`cluster neu`, `weu/web`, and further ones with the same edit."""
        where = self._fold(change).where
        is_whole = change.pool is None and change.resource.type.rpartition(":")[2] in ("ManagedCluster", "Cluster", CLUSTER)
        return f"cluster {where}" if is_whole and change.effect in (Effect.REPLACES, Effect.DELETES) else where

    def _fold(self, change: Change) -> Fold:
        return next(fold for fold in self.folds if any(one is change for one in fold.changes))

    def _edits(self, changes: Sequence[Change]) -> int:
        """One field that is changed to one value is one edit, whatever it changes."""
        return len({(self.stack_of.get(id(change)), change.path, json.dumps(change.new, default=str, sort_keys=True)) for change in changes})

    @property
    def _failing(self) -> list[Change]:
        return [change for change in self.all if self.judged.fails(change)]

    @property
    def _rejected(self) -> list[Change]:
        """Those of edits that a cloud rejects."""
        return [change for change in self._failing if self.judged.is_rejected(change)]

    @property
    def _left(self) -> list[Change]:
        """Those that can be accepted."""
        return [change for change in self._failing if not self.judged.is_rejected(change)]

    @property
    def _acceptances(self) -> list[str]:
        return list(dict.fromkeys(str(self.judged.acceptance(change)) for change in self._left))

    @property
    def _next(self) -> Iterator[str]:
        if self.findings:
            yield "correct the errors below, then compare again"
        if self._rejected:
            yield "change or undo what is rejected: the rows say what to do instead"
        free = _STEPS - bool(self.findings) - bool(self._rejected)
        if len(self._acceptances) <= free:
            yield from (f"if it is intended, add {_option(one)}" for one in self._acceptances)
        else:
            yield (
                f"if all {len(self._acceptances)} edits are intended, add --accept FILE with a line for each: "
                "--details lists them, and each needs a reason"
            )

    def annotations(self, place: Callable[[Change], Place | None]) -> Iterator[str]:
        """One for each row, at its declaration: an error if it fails the command, a warning if it replaces nodes, otherwise a notice."""
        from nodepools.cli.output.review_formats import command, properties

        for fold in self.folds:
            failing = any(self.judged.fails(change) for change in fold.changes)
            level = "error" if failing else "warning" if fold.first.effect.severity >= Effect.IN_PLACE_PODS.severity else "notice"
            found = place(fold.first)
            at = properties(found.file, found.position) if found is not None else {}
            title = {"title": f"{fold.first.effect.value}: {fold.where}"}
            row = fold.row(self.judged.reason(fold.first), is_detail=False)
            nodes = f" ({fold.nodes})" if fold.nodes else ""
            yield command(level, {**at, **title}, "\n".join([f"{fold.edit}{nodes}", *row.reasons, *row.details]))


def _edits(number: int, of: int) -> str:
    counted = count(number, "edit") if number == of else f"{number:,} of {of:,} edits"
    return f"{counted} {'is' if number == 1 else 'are'}"


def _option(acceptance: str) -> str:
    return f"--accept {shlex.quote(f'{acceptance}: REASON')}"
