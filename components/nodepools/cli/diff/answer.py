"""The answer of `nodepools diff`: its first line, what to do next, rows by what changes do, the worst first, and annotations of GitHub."""

import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Final

from nodepools.changes.platform_changes import Changes
from nodepools.cli.diff.demands import Decided, Stranded
from nodepools.cli.diff.folds import GROUPS, NAMED, Fold, change_sections, folded, order_section, shown_value
from nodepools.cli.diff.pairs import REJECTS
from nodepools.cli.output.report import MOST_STEPS, Act, Report, Section, Step, act_of, command, edit, first_fixes, instead, lines_of, typed
from nodepools.clouds.amounts import NOTHING
from nodepools.clouds.change import CLUSTER, Address, Change
from nodepools.model.base import Model
from nodepools.model.listing import counted, joined, listed
from nodepools.model.values import dataclass, field, replace
from nodepools.rules.engine.finding import Finding
from nodepools.wire.table import Effect

if TYPE_CHECKING:
    from nodepools.cli.diff.files import Place

_WHOLE: Final = ("ManagedCluster", "Cluster", CLUSTER, "azurerm_kubernetes_cluster", "aws_eks_cluster")
"""Types of clusters, without their package."""
_CLUSTER: Final = "cluster "
_UNDONE: Final = 2
"""Edits that are undone as steps of their own."""
_OPTIONS: Final = 2
"""Acceptances that are listed as options of the command; more are a file."""
VERBS: Final[Mapping[Effect, str]] = {
    Effect.REPLACES: "deletes and recreates {}",
    Effect.REMOVES_NODES: "removes nodes of {}",
    Effect.DELETES: "deletes {}",
    Effect.ROLLS: "rolls {}",
    Effect.ROLLS_SOME: "rolls some nodes of {}",
    Effect.ROTATES: "rotates {}",
    Effect.REIMAGES: "reimages {}",
    Effect.IN_PLACE_PODS: "evicts or disturbs pods of {}",
    Effect.IN_PLACE_LATER: "changes {} at its next image upgrade",
    Effect.IN_PLACE: "updates {} in place",
    Effect.CREATES: "creates {}",
    Effect.IGNORED: "has no effect on {}",
    Effect.REFUSED: "is rejected for {}",
    Effect.UNKNOWN: "has an unknown effect on {}",
}
"""What an edit, or `pulumi up`, does to a resource."""


@dataclass(frozen=True, slots=True)
class Subject:
    """What is shown next to the changes, such as the cost."""

    key: str
    """Its key in `--format json`."""
    data: object
    """Its value in `--format json`."""
    section: Section | None = None
    verdict: str = ""
    """The worst of it in a few words, for the first line."""
    stranded: Sequence[Stranded] = ()
    next: Sequence[Step] = ()
    """What shows why it is so."""


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
    decided: Decided
    equal: int
    """Resources that were compared."""
    findings: Sequence[Finding] = ()
    """Errors of the rules in the new side."""
    subjects: Sequence[Subject] = ()
    stack_of: Mapping[int, str] = field(default_factory=dict[int, str])
    """The stack of each change by its identity, if there are several."""
    only: str = ""
    """What was compared, if something else differs."""
    unknown: Sequence[str] = ()
    """Fields of which is not known whether they change."""
    apart: str = ""
    """Why both sides cannot be compared, if they are perhaps two stacks or clusters."""
    sides: tuple[str, str] = ("", "")
    """Their titles."""
    again: str = "nodepools diff"
    """The command."""
    is_made: bool = False
    """The new side is what exists: its changes are made already."""
    was_made: bool = False
    """The old side is what exists."""
    existing: Sequence[Path] = ()
    """Exports that were given next to both sides."""
    applied: Sequence[Step] = ()
    """The steps that apply the new side, if they are known."""
    placed: "Callable[[Change], Place | None]" = lambda _: None
    """Where a change is declared in the new side."""
    declared: Callable[[Change], tuple[object, object]] = lambda change: (change.old, change.new)
    """What the old and the new declaration say; `None` if the value is a default, or another field decides it."""

    @cached_property
    def folds(self) -> Sequence[Fold]:
        """Changes that differ only in their cluster or pool, as one."""
        return folded(self.all, self.place, self.decided.reason)

    @property
    def fails(self) -> bool:
        """A change or a Pending workload must be accepted or undone, or the new side has errors."""
        return bool(self.decided.failing or self.decided.stranded or self.findings)

    def place(self, change: Change) -> str:
        """The cluster or the pool, with its stack if there are several."""
        stack = self.stack_of.get(id(change))
        return change.at if stack is None else f"{stack}/{change.at}"

    def report(self, *, is_markdown: bool) -> Report:
        """The report: rows by their effect, then what they do to others, the order, and what was compared."""
        sections = (
            *change_sections(self.folds, self.decided.reason, self.decided.failing, is_markdown=is_markdown),
            *(subject.section for subject in self.subjects if subject.section is not None),
            *order_section([(name, changes.order) for name, changes in self.stacks], stops=bool(self._rejected)),
            *self._lines,
            self.compared,
        )
        if self.apart:  # what `pulumi up` would do has no sense between two clusters
            sections = tuple(replace(section, is_detail=True) for section in sections)
        return Report(self.about, self._answer, tuple(self._next), sections, tuple(self.findings))

    @property
    def _answer(self) -> str:
        errors = [f"{counted(len(self.findings), 'error')} in the new side"] if self.findings else []
        others = [subject.verdict for subject in self.subjects if subject.verdict and not subject.stranded]
        if self.apart:
            deleted = list(dict.fromkeys(map(self.place, (one for one in self._left if one.effect in (Effect.REPLACES, Effect.DELETES)))))
            once = f"; if they are the same stack, `pulumi up` deletes {listed(deleted, NAMED)}" if deleted and not self.existing else ""
            how = "`--existing` only counts nodes, and " if self.existing else ""
            return "; ".join([f"not comparable: {how}{self.apart}{once}", *errors])
        return "; ".join([*self._of_workloads(), *self._of_changes(), *errors, *others])

    def _of_workloads(self) -> Iterator[str]:
        """The workloads that can use no pool any more."""
        for subject in self.subjects:
            if subject.stranded:
                yield f"{subject.verdict}{': not accepted' if self.decided.stranded else ''}"

    def _of_changes(self) -> Iterator[str]:
        """Certain effects first: what is rejected, what must be accepted, what is unknown; otherwise the worst."""
        if not self.all:
            verb = "is" if len(self.unknown) == 1 else "are"
            if not self.equal and not self.unknown:
                yield "nothing was compared"
                return
            others = f", except perhaps {listed(self.unknown, NAMED)}, which {verb} known after `pulumi up`" if self.unknown else ""
            yield f"nothing changes{self.only}{others} ({counted(self.equal, 'resource')} {'is' if self.equal == 1 else 'are'} equal)"
            return
        edits = self._edits(self.all)
        also = next((one for one in self.all if one.effect in GROUPS["Nodes replaced"] and one not in self._failing), None)
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
                yield f"{_edits(number, edits)} not accepted, the worst {self._worst(known)}"
        if unknown:
            number, where = self._edits(unknown), listed(list(dict.fromkeys(map(self.place, unknown))), NAMED)
            yield f"unknown: the effect of {counted(number, 'edit')} of {where}{self._reached(unknown[0]) if number == 1 else ''}"
        if not self._left and not self._rejected:
            yield self._of_harmless(edits)
        elif also is not None:
            yield f"also {self._worst([one for one in self.all if one.effect is also.effect])}"
        if self.unknown:
            yield f"unknown whether {'this changes' if len(self.unknown) == 1 else 'these change'}: {listed(self.unknown, NAMED)}"

    def _of_harmless(self, edits: int) -> str:
        worst = self.all[0]
        if worst.effect is Effect.NONE:
            return f"{'' if self.unknown else 'nothing changes: '}{counted(edits, 'edit')} without effect"
        free = "; no edit needs `--accept`" if worst.effect in GROUPS["Nodes replaced"] else ""
        return f"1 edit {self._done(worst)}{free}" if edits == 1 else f"{edits:,} edits; the worst one {self._worst(self.all)}{free}"

    def _worst(self, changes: Sequence[Change]) -> str:
        """The worst edit; if several have the same effect on whole clusters, their names."""
        worst = max(changes, key=lambda change: (change.effect.severity, self._named(change).startswith(_CLUSTER), *self._size(change)))
        same = [change for change in changes if change.effect is worst.effect and self._named(change).startswith(_CLUSTER)]
        names = list(dict.fromkeys(self._fold(change).where for change in same))
        if worst not in same or len(names) == 1:
            return self._done(worst)
        return VERBS[worst.effect].format(f"{_CLUSTER.rstrip()}s {listed(names, NAMED)}")

    def _size(self, change: Change) -> tuple[float, float]:
        """The nodes that it reaches, for comparisons."""
        nodes = change.nodes if change.nodes is not None else NOTHING
        return nodes.maximum if nodes.maximum is not None else inf, nodes.minimum

    def _done(self, change: Change) -> str:
        """What a change does to which cluster or pool, and how many nodes it reaches."""
        whole = change.effect is Effect.REMOVES_NODES and change.new is None and change.pool is not None
        return f"{VERBS[Effect.DELETES if whole else change.effect].format(self._named(change))}{self._reached(change)}"

    def _reached(self, change: Change) -> str:
        fold = self._fold(change)
        nodes = f"{fold.nodes}; their number is unknown" if fold.is_uncounted else fold.nodes
        return f" ({nodes})" if nodes else ""

    def _named(self, change: Change) -> str:
        """`cluster neu`, `a part of neu`, `weu/web`, and further ones with the same edit."""
        where = self._fold(change).where
        if change.effect not in (Effect.REPLACES, Effect.DELETES, Effect.CREATES):
            return where
        if change.pool is None and change.resource.type.rpartition(":")[2] in _WHOLE:
            return f"{_CLUSTER}{where}"
        return where if "/" in change.at or isinstance(change.steps[-1], Address) or change.at == change.resource.name else f"a part of {where}"

    def _fold(self, change: Change) -> Fold:
        return self._folds[id(change)]

    @cached_property
    def _folds(self) -> Mapping[int, Fold]:
        return {id(change): fold for fold in self.folds for change in fold.changes}

    def _edits(self, changes: Sequence[Change]) -> int:
        """One field that is changed is one edit, whatever it changes."""
        return len({(self.stack_of.get(id(change)), change.path) for change in changes})

    @property
    def _failing(self) -> list[Change]:
        return [change for change in self.all if self.decided.fails(change)]

    @property
    def _rejected(self) -> list[Change]:
        """Those of edits that a cloud rejects."""
        return [change for change in self._failing if self.decided.is_rejected(change)]

    @property
    def _left(self) -> list[Change]:
        """Those that can be accepted."""
        return [change for change in self._failing if not self.decided.is_rejected(change)]

    @property
    def _acceptances(self) -> list[str]:
        changes = map(self.decided.acceptance, self._left)
        return list(dict.fromkeys(map(str, (*changes, *(one.thing.acceptance for one in self.decided.stranded)))))

    @property
    def _lines(self) -> Iterator[Section]:
        if len(self._acceptances) > _OPTIONS:
            yield lines_of("Lines for a file of `--accept`", *(f"{one}: REASON" for one in self._acceptances), is_detail=True)

    @property
    def _next(self) -> Iterator[Step]:
        """What makes the edit harmless comes before what accepts it."""
        yield from first_fixes(self.findings, most=MOST_STEPS - 1)
        if self.apart:
            old, _ = self.sides
            if self.was_made:
                yield command(f"nodepools adopt {typed(old)}", Act.NONE, "prints a declaration of it")
            for path in self.existing[:1]:  # what was meant as a side
                yield command(f"nodepools diff {typed(path)} {typed(old)}", Act.NONE, f"what {path} has, compared with {old}")
            other = command(f"nodepools diff {typed(old)} NEW", Act.NONE, f"NEW: another version or export of what {old} has")
            if not self.existing:
                yield instead(other) if self.was_made else other
            return
        if self._failing and not self.is_made:
            fixed = REJECTS if self.findings else ""  # errors have fixes, which leave what is about the edit itself
            rejected = [one for one in self._rejected if not fixed or not one.message.startswith(fixed) or one.message.startswith(f"{REJECTS} it: ")]
            places = {change.steps for change in self._left}
            derived = {(*steps[:-1], "count") for steps in places if steps[-1:] == ("scale",)}  # of a pool with an autoscaler that has it again
            left = [change for change in self._left if change.steps not in derived]
            said = {change.effect for change in (*rejected, *left) if self._is_said(change)}  # what follows from it is undone with it
            undone = [change for change in (*rejected, *left) if self._is_said(change) or change.effect not in said]
            yield from dict.fromkeys(map(self._undone, undone[:_UNDONE]))
        yield from self._accepting
        yield from (step for subject in self.subjects for step in subject.next)
        yield from self.applied if self._is_free else ()

    @property
    def _accepting(self) -> Iterator[Step]:
        """The command that accepts the edits, if they are intended: what undoes them is recommended, unless they were made already."""
        count = len(self._acceptances)
        options = "".join(f" --accept {shlex.quote(f'{one}: REASON')}" for one in self._acceptances)
        why = f"accepts the edit{'s' * (count != 1)}, if {'it is' if count == 1 else 'they are'} intended"
        if count > _OPTIONS:
            kind = "changes" if self.decided.stranded else "edits"
            options, why = " --accept FILE", f"only if all {count} {kind} are intended; FILE: the lines that --details lists, with reasons"
        step = command(f"{self.again}{options}", act_of(self.again), why)
        yield from [instead(step) if self._failing and not self.is_made else step][: bool(count)]

    @property
    def _is_free(self) -> bool:
        """Something changes, and nothing is against it."""
        idle = (Effect.NONE, Effect.IGNORED)
        return any(one.effect not in idle for one in self.all) and not (self.fails or self.unknown or any(one.verdict for one in self.subjects))

    def _is_said(self, change: Change) -> bool:
        return self.declared(change) != (None, None)

    def _undone(self, change: Change) -> Step:
        """The edit that undoes this one."""
        fold = self._fold(change)
        where, old, name = fold.where, change.old, fold.field
        place, title = self.placed(change), self.sides[1] if self.sides[1].endswith((".yaml", ".yml", ".py", ".tf")) else ""
        file = title if place is None else str(place.position) if place.position is not None else place.file
        if fold.edit.startswith(("removed: ", "added: ")):
            is_part = name and name != "spec"  # of a manifest, everything that is declared is in it
            names = joined([f"`{one}`" for one in ([name] if is_part else dict.fromkeys(fold.places))])
            if self.was_made and not is_part and (change.new is None or change.effect is Effect.UNKNOWN):
                at, line = f": add it at {file}" if file else "", f"nodepools adopt {typed(self.sides[0])}"
                why = f"prints a declaration with {names.replace('`', '')}{at}"
                if change.new is not None:  # it can exist without an export
                    line, why = (
                        self.again,
                        f"after you add what exists of {names} to {self.sides[0]}: `nodepools doctor --exports` prints the commands",
                    )
                return command(line, act_of(line), why)
            is_one = self.sides[0] == self.sides[1]  # a plan has both sides
            if is_one and ". " in change.message:
                return edit(change.message.rpartition(". ")[2], file)
            verb, like = ("Remove", "") if change.new is not None else ("Restore", "" if is_one else f" as it is in `{self.sides[0]}`")
            return edit(f"{verb} {names}{like}", ": ".join(filter(None, [file, where])) if is_part else file)
        if not name and old is None:
            _, has_fix, fix = change.message.rpartition(". ")
            return edit(fix if has_fix else f"Undo what replaces `{fold.where}`", ": ".join(filter(None, [file, where])))
        said, says = self.declared(change)
        if old is None or (said is None and says is not None):
            kept = command(f"nodepools adopt {typed(self.sides[0])}", Act.NONE, f"prints a declaration that keeps what {where} has")
            is_default = self.was_made and says is None
            return kept if is_default else edit(f"Remove `{name}`", ": ".join(filter(None, [file, where])))
        is_part = isinstance(said, Model)
        undo = f"Undo the edit of `{name}`" if is_part or isinstance(old, list | dict) else f"Set `{name}` back to `{shown_value(old)}`"
        return edit(undo, ": ".join(filter(None, [file, where])))

    @property
    def annotations(self) -> Iterator[str]:
        """One for each row, at its declaration: an error if it fails the command, a warning if it replaces nodes, otherwise a notice."""
        from nodepools.cli.output.review_formats import command, properties

        for fold in self.folds:
            failing = any(self.decided.fails(change) for change in fold.changes)
            level = "error" if failing else "warning" if fold.first.effect.severity >= Effect.IN_PLACE_PODS.severity else "notice"
            found = self.placed(fold.first)
            at = properties(found.file, found.position) if found is not None else {}
            title = {"title": f"{fold.first.effect.value}: {fold.where}"}
            row = fold.row(self.decided.reason(fold.first), is_detail=False)
            yield command(level, {**at, **title}, "\n".join([fold.edit, *row.reasons, *row.details]))


def _edits(number: int, of: int) -> str:
    edits = counted(number, "edit") if number == of else f"{number:,} of {of:,} edits"
    return f"{edits} {'is' if number == 1 else 'are'}"
