"""The plan of an upgrade as text for a terminal."""

from collections.abc import Iterator, Sequence
from typing import Final

import typer

from nodepools.cli.output.progress_text import progress_lines
from nodepools.cli.output.step_text import ROOM, changes_text, command_text, need_text, node_text, room_lines, step_text, time_text, window_text
from nodepools.rules.engine.finding import Severity
from nodepools.upgrades.blocker import Blocker
from nodepools.upgrades.cluster_upgrade import ClusterUpgrade
from nodepools.upgrades.step import Step

_COLORS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.NOTE: None}


def upgrade_lines(title: str, to: str, plans: Sequence[tuple[str, ClusterUpgrade]]) -> Iterator[str]:
    """Each cluster with its rounds, commands and steps. What blocks several steps is printed once."""
    for name, plan in plans:
        yield typer.style(heading(name, plan), bold=True)
        yield from _cluster(plan)
        yield ""
    yield verdict(title, to, plans)


_ADD_NODES: Final = "`--existing` reads `kubectl get nodes -o yaml` and `az aks nodepool list`"


def heading(name: str, plan: ClusterUpgrade) -> str:
    """The cluster, its versions, and the end of support."""
    ends = f" (standard support of {plan.old} {'ended' if plan.is_over else 'ends'} on {plan.support_ends})" if plan.support_ends is not None else ""
    return f"{name}: {plan.old} → {plan.new}{ends}"


def verdict(title: str, to: str, plans: Sequence[tuple[str, ClusterUpgrade]]) -> str:
    """The result in one sentence."""
    steps = sum(len(plan.steps) for _, plan in plans)
    commands = sum(bool(command.how) for _, plan in plans for each in plan.rounds for command in each.commands)
    found = {(name, blocker) for name, plan in plans for blocker in plan.blockers}
    errors, warnings = (sum(blocker.severity is severity for _, blocker in found) for severity in (Severity.ERROR, Severity.WARNING))
    held = [hold.is_draining for _, plan in plans if plan.progress is not None for hold in plan.progress.holds]
    errors, warnings = errors + sum(held), warnings + len(held) - sum(held)
    counts = f"{_count(steps, 'step')} by {_count(commands, 'command')} in {_count(len(plans), 'cluster')}"
    return f"{title} to {to}: {counts}, {_count(errors, 'error')}, {_count(warnings, 'warning')}"


def done_text(plan: ClusterUpgrade) -> str:
    """Why there are no steps."""
    if plan.progress is not None and plan.progress.has_pools:
        return "All nodes in the exports have this version"
    return f"Every pool is declared with this version. Whether nodes have it cannot be determined offline: {_ADD_NODES}"


def _cluster(plan: ClusterUpgrade) -> Iterator[str]:
    yield from (line for blocker in plan.blocked_by for line in _blocker(blocker, "  "))
    if plan.progress is not None:
        yield from (f"  {line}" for line in progress_lines(plan.progress))
    if not plan.steps and not plan.blocked_by:
        yield f"  {done_text(plan)}"
        return
    seen: dict[Blocker, int] = {}
    number = 0
    for each in plan.rounds:
        yield f"  Steps to {each.version}:"
        yield from (f"    {text}" for text in window_text(each))
        for command in each.commands:
            yield f"    {command_text(command)}:"
            for step in command.steps:
                number += 1
                yield from _step(number, step, seen)
    if room := room_lines(plan):
        yield f"  {ROOM}:"
        yield from (f"    {line}" for line in room)
    if plan.not_checked:
        yield "  Check before you start, because it cannot be determined offline:"
        yield from (f"    {check}" for check in plan.not_checked)


def _step(number: int, step: Step, seen: dict[Blocker, int]) -> Iterator[str]:
    yield f"      {number}. {step_text(step)}: {step.old} → {step.new}"
    time = time_text(step)
    facts = [text for text in (node_text(step), need_text(step), f"time: {time}" if time else "", step.note, changes_text(step)) if text]
    yield from (f"         {fact[:1].upper()}{fact[1:]}" for fact in facts)
    if step.window.applies:
        yield f"         Maintenance window `{step.window.window}`: {step.window.note}"
    for blocker in step.blocked_by:
        if blocker in seen:
            yield f"         {blocker.severity.value}: as in step {seen[blocker]} ({blocker.refusal or blocker.kind})"
        else:
            seen[blocker] = number
            yield from _blocker(blocker, "         ")


def _blocker(blocker: Blocker, indent: str) -> Iterator[str]:
    code = f" {blocker.refusal}" if blocker.refusal else ""
    label = typer.style(f"{blocker.severity.value}{code}", fg=_COLORS[blocker.severity])
    yield f"{indent}{label}: {blocker.message}"
    if blocker.fix is not None:
        yield f"{indent}  fix: {blocker.fix}"


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"
