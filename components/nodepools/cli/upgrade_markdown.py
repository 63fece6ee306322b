"""The plan of an upgrade as a runbook in Markdown, for a change request."""

from collections.abc import Iterator, Sequence
from typing import Final

from nodepools.cli.progress_text import progress_lines
from nodepools.cli.upgrade_text import WHATS, done_text, heading, how_text, node_text, time_text, verdict
from nodepools.rules.finding import Severity
from nodepools.upgrades.blocker import Blocker
from nodepools.upgrades.platform_upgrades import ClusterUpgrade
from nodepools.upgrades.step import Step

_HEADS: Final = ("step", "what", "from → to", "start it", "nodes", "time", "effects")
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
        yield from (*(f"- {_safe(line.strip())}" for line in progress_lines(plan.progress)), "")
    if not plan.steps and not plan.blocked_by:
        yield f"{done_text(plan)}."
        return
    steps = list(enumerate(plan.steps, 1))
    for severity, text in _GROUPS.items():
        found = _blockers(plan, severity)
        if found:
            yield from (text, "")
            yield from (line for blocker, numbers in found.items() for line in _blocker(blocker, numbers))
            yield ""
    if steps:
        yield from (_row(_HEADS), _row(["---"] * len(_HEADS)))
        yield from (_row(_cells(number, step)) for number, step in steps)
        yield from ("", *(f"- [ ] Step {number}: {WHATS[step.what]} `{step.name}` has {step.new}" for number, step in steps))
    if plan.not_checked:
        yield from (
            "",
            "Check before you start, because it cannot be determined offline:",
            "",
            *(f"- [ ] {_safe(text)}" for text in plan.not_checked),
        )


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
    yield f"- [ ] {code}{_safe(blocker.message)}{where}"
    if blocker.fix is not None:
        yield f"  Fix: {_safe(blocker.fix)}"


def _cells(number: int, step: Step) -> Sequence[str]:
    return (
        str(number),
        f"{WHATS[step.what]} `{step.name}`",
        f"{step.old} → {step.new}",
        _how(step),
        node_text(step),
        time_text(step),
        _effects(step),
    )


def _effects(step: Step) -> str:
    """The fields that are sent differently, with what that does."""
    return ", ".join(f"`{change.path}`: `{change.effect.value}`" for change in step.changes)


def _how(step: Step) -> str:
    return f"{how_text(step)}. {step.note}" if step.note else how_text(step)


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(_safe(cell).replace('|', chr(92) + '|') for cell in cells)} |"


def _safe(text: str) -> str:
    return text.replace("\n", " ").replace("<", "&lt;")
