"""The plan of an upgrade as a runbook in Markdown, for a change request."""

from collections.abc import Iterator, Sequence
from typing import Final

from nodepools.cli.output.markdown_text import escaped
from nodepools.cli.output.progress_text import progress_lines
from nodepools.cli.output.step_text import ROOM, command_text, need_text, node_text, room_lines, step_text, time_text, window_text
from nodepools.cli.upgrade.text import done_text, heading, verdict
from nodepools.rules.engine.finding import Severity
from nodepools.upgrades.blocker import Blocker
from nodepools.upgrades.cluster_upgrade import ClusterUpgrade
from nodepools.upgrades.step import Step

_HEADS: Final = ("step", "what", "from → to", "nodes", "time", "effects", "note")
_GROUPS: Final = {
    Severity.ERROR: "These stop the upgrade: fix them first.",
    Severity.WARNING: "These can stop or delay it:",
    Severity.NOTE: "Good to know:",
}


def runbook(title: str, to: str, plans: Sequence[tuple[str, ClusterUpgrade]]) -> Iterator[str]:
    """One section for each cluster: what to fix, the steps, and what to check."""
    yield from (f"# Upgrade of `{title}` to Kubernetes {to}", "", f"**{verdict(title, to, plans)}.**")
    for name, plan in plans:
        yield from ("", f"## {heading(name, plan)}", "")
        yield from _cluster(plan)


def _cluster(plan: ClusterUpgrade) -> Iterator[str]:
    if plan.progress is not None:
        yield from (*(f"{line[: len(line) - len(line.lstrip())]}- {escaped(line.strip())}" for line in progress_lines(plan.progress)), "")
    if not plan.steps and not plan.blocked_by:
        yield f"{done_text(plan)}."
        return
    for severity, text in _GROUPS.items():
        found = _blockers(plan, severity)
        if found:
            yield from (text, "")
            yield from (line for blocker, numbers in found.items() for line in _blocker(blocker, numbers))
            yield ""
    if plan.steps:
        yield from _steps(plan)
    if room := room_lines(plan):
        yield from ("", f"{ROOM}:", "", *(f"- {escaped(line)}" for line in room))
    if plan.not_checked:
        yield from (
            "",
            "Check before you start, because it cannot be determined offline:",
            "",
            *(f"- [ ] {escaped(text)}" for text in plan.not_checked),
        )
    if plan.steps:
        yield from ("", "The commands, and what to see after each:", "", *_checklist(plan))


def _steps(plan: ClusterUpgrade) -> Iterator[str]:
    yield from (_row(_HEADS), _row(["---"] * len(_HEADS)))
    yield from (_row(_cells(number, step)) for number, step in enumerate(plan.steps, 1))
    windows = dict.fromkeys(text for each in plan.rounds for text in window_text(each))
    yield from (line for text in windows for line in ("", escaped(text)))


def _checklist(plan: ClusterUpgrade) -> Iterator[str]:
    """One item for each command, with an item for each step that it starts."""
    number = 0
    for command in (command for each in plan.rounds for command in each.commands):
        yield f"- [ ] {escaped(command_text(command))}"
        for step in command.steps:
            number += 1
            yield f"  - [ ] Step {number}: {step_text(step)} has {step.new}"


def _blockers(plan: ClusterUpgrade, severity: Severity) -> dict[Blocker, list[int]]:
    """What blocks, with the steps; no steps for what blocks the whole upgrade."""
    found: dict[Blocker, list[int]] = {blocker: [] for blocker in plan.blocked_by if blocker.severity is severity}
    for number, step in enumerate(plan.steps, 1):
        for blocker in step.blocked_by:
            if blocker.severity is severity:
                found.setdefault(blocker, []).append(number)
    return found


def _blocker(blocker: Blocker, numbers: Sequence[int]) -> Iterator[str]:
    code = f"`{blocker.refusal}` " if blocker.refusal else ""
    where = f" (step{'s' * (len(numbers) != 1)} {', '.join(map(str, numbers))})" if numbers else ""
    box = "" if blocker.severity is Severity.NOTE else "[ ] "
    yield f"- {box}{code}{escaped(blocker.message)}{where}"
    if blocker.fix is not None:
        yield f"  Fix: {escaped(blocker.fix)}"


def _cells(number: int, step: Step) -> Sequence[str]:
    window = f"Maintenance window `{step.window.window}`: {step.window.note}" if step.window.applies else ""
    return (
        str(number),
        step_text(step),
        f"{step.old} → {step.new}",
        "; ".join(text for text in (node_text(step), need_text(step)) if text),
        time_text(step),
        _effects(step),
        ". ".join(text for text in (step.note, window) if text),
    )


def _effects(step: Step) -> str:
    """The fields that are sent differently, with what that does."""
    return ", ".join(f"`{change.path}`: `{change.effect.value}`" for change in step.changes)


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(escaped(cell) for cell in cells)} |"
