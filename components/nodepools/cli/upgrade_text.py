"""The plan of an upgrade as text for a terminal."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import typer

from nodepools.changes.change import summary
from nodepools.cli.progress_text import progress_lines
from nodepools.needs.amounts import Amount
from nodepools.rules.finding import Severity
from nodepools.rules.path import spelled
from nodepools.upgrades.blocker import Blocker
from nodepools.upgrades.duration_text import minutes_text
from nodepools.upgrades.platform_upgrades import ClusterUpgrade
from nodepools.upgrades.step import Round, Step, Unbounded, What

WHATS: Final[Mapping[What, str]] = {
    "control_plane": "control plane",
    "pool": "pool",
    "first_pool": "first pool",
    "node_pool": "NodePool",
    "add_on": "add-on",
}
UNBOUNDED: Final[Mapping[Unbounded, str]] = {
    "control_plane": "update of the control plane",
    "reimage": "reimaging",
    "launch": "launch of new nodes",
    "drain": "drains",
    "capacity": "capacity of the cloud",
}
_COLORS: Final = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.NOTE: None}


def upgrade_lines(title: str, to: str, plans: Sequence[tuple[str, ClusterUpgrade]]) -> Iterator[str]:
    """Each cluster with its rounds and steps. What blocks several steps is printed once."""
    for name, plan in plans:
        yield typer.style(heading(name, plan), bold=True)
        yield from _cluster(plan)
        yield ""
    yield verdict(title, to, plans)


def heading(name: str, plan: ClusterUpgrade) -> str:
    """The cluster, its versions, and the end of support."""
    ends = f" (standard support of {plan.old} ends on {plan.support_ends})" if plan.support_ends is not None else ""
    return f"{name}: {plan.old} → {plan.new}{ends}"


def verdict(title: str, to: str, plans: Sequence[tuple[str, ClusterUpgrade]]) -> str:
    """The result in one sentence."""
    steps = sum(len(plan.steps) for _, plan in plans)
    found = {(name, blocker) for name, plan in plans for blocker in plan.blockers}
    errors, warnings = (sum(blocker.severity is severity for _, blocker in found) for severity in (Severity.ERROR, Severity.WARNING))
    held = [hold.is_draining for _, plan in plans if plan.progress is not None for hold in plan.progress.holds]
    errors, warnings = errors + sum(held), warnings + len(held) - sum(held)
    return f"{title} to {to}: {_count(steps, 'step')} in {_count(len(plans), 'cluster')}, {_count(errors, 'error')}, {_count(warnings, 'warning')}"


def time_text(step: Step) -> str:
    """The part of the time that has a limit, and what has none."""
    rest = ", ".join(UNBOUNDED[part] for part in step.unbounded)
    without = f"no limit: {rest}" if rest else ""
    if step.bounded_minutes is None:
        return f"how long it takes has no limit ({rest})"
    if not step.bounded_minutes:
        return without
    return "; ".join(text for text in (f"at most {minutes_text(step.bounded_minutes)} {_limited(step)}", without) if text)


def how_text(step: Step) -> str:
    """What starts the step."""
    sets = ", ".join(f"`{spelled(edit.path)}` to `{edit.value}`" for edit in step.edits)
    match step.what:
        case "node_pool":
            return "follows by drift"
        case "add_on":
            return f"run `{step.how}`" + (", then set the version and run `pulumi up`" if step.edits else "")
        case "pool" if not step.edits and step.follows:
            return "in the same `pulumi up`"
        case _:
            return f"set {sets}, run `{step.how}`" if sets else f"run `{step.how}`"


def changes_text(step: Step) -> str:
    """What the edits of the round do here, as `diff` counts it."""
    counts = ", ".join(f"{number} `{effect}`" for effect, number in summary(step.changes).items())
    return f"`nodepools diff` shows {counts}" if counts else ""


def done_text(plan: ClusterUpgrade) -> str:
    """Why there are no steps."""
    return "All pools have this version as declared" if plan.progress is None else "All nodes in the exports have this version"


def node_text(step: Step) -> str:
    """Nodes, extra nodes and batches."""
    if step.drain is None:
        return ""
    if step.nodes.at_most is None:
        return "no limit on the number of nodes"
    extra = f", {step.extra_nodes} extra" if step.extra_nodes != Amount(0, 0) else ""
    return f"{_nodes(step.nodes)}{extra}, {step.batches} batch{'' if step.batches.exact == 1 else 'es'}"


def _limited(step: Step) -> str:
    return "for drains" if step.is_of_agent_pool else "until old nodes have expired"


def _nodes(amount: Amount) -> str:
    return f"{amount} node{'' if amount.exact == 1 else 's'}"


def _cluster(plan: ClusterUpgrade) -> Iterator[str]:
    yield from (line for blocker in plan.blocked_by for line in _blocker(blocker))
    if plan.progress is not None:
        yield from (f"  {line}" for line in progress_lines(plan.progress))
    if not plan.steps and not plan.blocked_by:
        yield f"  {done_text(plan)}"
        return
    seen: dict[Blocker, int] = {}
    number = 0
    for each in plan.rounds:
        yield f"  {each.version}{_window(each)}"
        for step in each.steps:
            number += 1
            yield from _step(number, step, seen)
    if plan.not_checked:
        yield "  Check before you start, because it cannot be determined offline:"
        yield from (f"    {check}" for check in plan.not_checked)


def _window(each: Round) -> str:
    """The window of the control plane and the agent pools, once for each round."""
    use = each.steps[0].window
    return f"   window `{use.window}` does not apply: {use.note}" if use.window is not None and not use.applies else ""


def _step(number: int, step: Step, seen: dict[Blocker, int]) -> Iterator[str]:
    yield f"    {number}. {WHATS[step.what]} {step.name}: {how_text(step)}"
    facts = [text for text in (node_text(step), time_text(step), step.note, changes_text(step)) if text]
    yield from (f"       {fact[:1].upper()}{fact[1:]}" for fact in facts)
    if step.window.applies:
        yield f"       Window `{step.window.window}`: {step.window.note}"
    for blocker in step.blocked_by:
        if blocker in seen:
            yield f"       {blocker.severity.value}: as in step {seen[blocker]} ({blocker.refusal or blocker.kind})"
        else:
            seen[blocker] = number
            yield from _blocker(blocker)


def _blocker(blocker: Blocker) -> Iterator[str]:
    code = f" {blocker.refusal}" if blocker.refusal else ""
    label = typer.style(f"{blocker.severity.value}{code}", fg=_COLORS[blocker.severity])
    yield f"       {label}: {blocker.message}"
    if blocker.fix is not None:
        yield f"         fix: {blocker.fix}"


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"
