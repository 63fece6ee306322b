"""Everything that `nodepools diff` shows, and its verdict."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from nodepools.changes.change import Change, summary
from nodepools.changes.platform_changes import Changes
from nodepools.cli.diff.demands import Verdict
from nodepools.cli.diff.fold import Fold, count, folded
from nodepools.cli.diff.pace import paces, sources
from nodepools.cli.diff.sections import Section, listed
from nodepools.rules.engine.finding import Finding


@dataclass(frozen=True)
class Difference:
    """Everything that changed."""

    title: str
    """Both sides."""
    basis: str
    """What reads both sides."""
    all: Sequence[Change]
    """The changes of all stacks, the worst first."""
    stacks: Sequence[tuple[str, Changes]]
    judged: Verdict
    findings: Sequence[Finding] = ()
    """Errors of the rules in the new side."""
    sections: Sequence[Section] = ()
    stack_of: Mapping[int, str] = field(default_factory=dict[int, str])
    """The stack of each change by its identity, if there are several."""
    compared: str = ""
    """What was compared, if something else differs."""

    @cached_property
    def folds(self) -> Sequence[Fold]:
        """Changes that differ only in their cluster or pool, as one."""
        return folded(self.all, self.place, self.judged.reason)

    @cached_property
    def sources(self) -> Mapping[str, int]:
        """Who says what the changes do, each with its number."""
        return sources(self.all)

    def numbers(self, fold: Fold) -> str:
        """The numbers of the sources of its changes."""
        return ", ".join(str(self.sources[source]) for source in dict.fromkeys(change.source for change in fold.changes))

    @property
    def pace(self) -> Section:
        """Who sets the pace."""
        found = paces([(self.place(change), change) for change in self.all])
        lines = [f"{listed(places)}: {text}" for text, places in found.items()]
        return Section("pace", None, "Who sets the pace, and what limits it", lines)

    @property
    def source_list(self) -> Section:
        """The sources with their numbers."""
        return Section("sources", None, "Sources", [f"[{number}] {source}" for source, number in self.sources.items()])

    @property
    def error_list(self) -> Section:
        """The errors, as a section without JSON: every command has findings there."""
        lines = [f"{finding.code} at {finding.path}: {finding.message}" for finding in self.findings]
        return Section("findings", None, "Errors of `nodepools check` in the new declaration", lines)

    @property
    def failing(self) -> list[Change]:
        """The changes that fail the command."""
        return [change for change in self.all if self.judged.fails(change)]

    @property
    def rejected(self) -> list[Change]:
        """Those of edits that a cloud rejects."""
        return [change for change in self.failing if self.judged.is_rejected(change)]

    @property
    def verdict(self) -> str:
        """The result in one sentence."""
        errors = f"; `nodepools check` reports {count(len(self.findings), 'error')} in the new declaration" if self.findings else ""
        sections = "".join(f"; {section.verdict}" for section in self.sections if section.verdict)
        return f"{self._of_changes()}{errors}{sections}"

    def place(self, change: Change) -> str:
        """The cluster or the pool, with its stack if there are several."""
        stack = self.stack_of.get(id(change))
        return change.at if stack is None else f"{stack}/{change.at}"

    def _of_changes(self) -> str:
        if not self.all:
            return f"Nothing changed{self.compared}"
        total = count(len(self.all), "change")
        left = summary(change for change in self.failing if not self.judged.is_rejected(change))
        accepted = sum(bool(self.judged.reason(change)) for change in self.all)
        parts = [self._of_rejected()] if self.rejected else []
        if left:
            listed = ", ".join(f"{number} `{effect}`" for effect, number in left.items())
            parts.append(f"{sum(left.values())} of {total} must be accepted: {listed}")
        if accepted:
            parts.append(f"{accepted} of {total} {'is' if accepted == 1 else 'are'} accepted")
        return "; ".join(parts) if parts else f"{total}, none of which must be accepted"

    def _of_rejected(self) -> str:
        edits = len({(self.place(change), change.path) for change in self.rejected})
        return f"The cloud rejects {count(edits, 'edit')}: `pulumi up` fails until {'it is' if edits == 1 else 'they are'} undone"
