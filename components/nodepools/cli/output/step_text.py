"""The steps of an upgrade in words: what starts them, what they do to nodes, and how long they take."""

from collections.abc import Iterator, Mapping
from typing import Final

from nodepools.changes.change import summary
from nodepools.model.listing import joined
from nodepools.needs.amounts import Amount
from nodepools.rules.engine.path import path_text
from nodepools.upgrades.blocker import Kind
from nodepools.upgrades.cluster_upgrade import ClusterUpgrade
from nodepools.upgrades.duration_text import minutes_text
from nodepools.upgrades.step import PULUMI_UP, Command, Round, Step, Unbounded, What

ROOM: Final = "Addresses, ports and quotas with surge nodes at the largest size of the pools"
_WHATS: Final[Mapping[What, str]] = {
    "control_plane": "control plane",
    "pool": "pool",
    "first_pool": "first system pool",
    "node_pool": "NodePool",
    "add_on": "add-on",
}
_UNBOUNDED: Final[Mapping[Unbounded, str]] = {
    "control_plane": "the update of the control plane",
    "reimage": "reimaging",
    "launch": "the launch of nodes",
    "drain": "drains",
    "capacity": "capacity of the cloud",
}


def step_text(step: Step) -> str:
    """What the step upgrades: ``pool `web` ``."""
    return f"{_WHATS[step.what]} `{step.name}`"


def command_text(command: Command) -> str:
    """What starts the steps, as a sentence without an end."""
    if not command.how:
        return "No command: Karpenter replaces the nodes of NodePools by drift, at the same time"
    sets = " and ".join(f"`{path_text(edit.path)}` to `{edit.value}`" for edit in command.edits)
    if command.steps[0].what == "add_on":
        return f"Run `{command.how}`" + (f", set the version that it marks as default, and run `{PULUMI_UP}`" if sets else "")
    start = f"Set {sets}, and run `{command.how}`" if sets else f"Run `{command.how}`"
    return f"{start}, which upgrades one after another" if len(command.steps) > 1 else start


def window_text(each: Round) -> Iterator[str]:
    """The window of the control plane and the agent pools, once for each round; nothing if a blocker of the round says it with more."""
    use = each.steps[0].window
    is_told = any(blocker.kind is Kind.WINDOW for step in each.steps for blocker in step.blocked_by)
    if use.window is not None and not use.applies and not is_told:
        yield f"Maintenance window `{use.window}`: {use.note}"


def node_text(step: Step) -> str:
    """Nodes, extra nodes and batches."""
    if step.drain is None:
        return ""
    if step.nodes.maximum is None:
        return "no limit on the number of nodes"
    extra = f", {step.extra_nodes} extra" if step.extra_nodes != Amount(0, 0) else ""
    return f"{_nodes(step.nodes)}{extra}, {step.batches} batch{'' if step.batches.exact == 1 else 'es'}"


def need_text(step: Step) -> str:
    """What it takes in addition while it runs."""
    needs = ", ".join(f"{need.amount} {need.what} ({need.name})" for need in step.needs)
    return f"needs in addition: {needs}" if needs else ""


def room_lines(plan: ClusterUpgrade) -> list[str]:
    """What is available for surge nodes, as far as it is known. Limits of nodes are large, and reported if they do not suffice."""
    return [str(room) for room in plan.room if room.available is not None and room.what != "nodes"]


def time_text(step: Step) -> str:
    """The part of the time that has a limit, and what has none."""
    rest = joined([_UNBOUNDED[part] for part in step.unbounded])
    if step.bounded_minutes is None:
        return f"no limit for {rest}"
    limit = f"at most {minutes_text(step.bounded_minutes)} {_limited(step)}" if step.bounded_minutes else ""
    without = f"no limit for {rest}" if rest else ""
    return "; ".join(text for text in (limit, without) if text)


def changes_text(step: Step) -> str:
    """What the edits of the round do here, as `diff` counts it."""
    counts = ", ".join(f"{number} `{effect}`" for effect, number in summary(step.changes).items())
    return f"`nodepools diff` shows {counts}" if counts else ""


def _limited(step: Step) -> str:
    return "for drains" if step.is_of_agent_pool else "until old nodes have expired"


def _nodes(amount: Amount) -> str:
    return f"{amount} node{'' if amount.exact == 1 else 's'}"
