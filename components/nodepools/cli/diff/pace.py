"""Who sets the pace of changes, what limits it, and who says so."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from nodepools.changes.change import Change, Pace
from nodepools.model.plain_data import mapping, sequence
from nodepools.wire.effects import Effect

_BY_PULUMI: Final = {
    Effect.ROTATES: "Pulumi, during `pulumi up`: it deletes the old pool as soon as the new one exists",
    Effect.REPLACES: "Pulumi, during `pulumi up`: it deletes before it creates, and nothing limits how many nodes at a time",
}
_WITHOUT_PACE: Final = {
    Effect.IN_PLACE_PODS: "Kubernetes, at once: pods are evicted without regard to PodDisruptionBudgets",
    Effect.IN_PLACE_LATER: "You, with the next image upgrade of the pool",
    Effect.REMOVES_NODES: "The cloud, during `pulumi up`: no disruption budget limits how many nodes at a time",
}
"""Effects on nodes that nothing of the declaration limits."""
_OF_SPOT: Final = "AKS, during `pulumi up`: it does not drain spot nodes, and does not document how many it reimages at a time"
_NO_BUDGETS: Final = "Karpenter, after the change is applied: no disruption budget limits it"
_OF_CLOUD: Final = "Karpenter, after the change is applied: within the disruption budgets that the cloud gives its own NodePools"


def paces(changes: Sequence[tuple[str, Change]]) -> dict[str, list[str]]:
    """Who sets the pace and what limits it, each with the clusters or pools that it is about. Each change has the name of its place."""
    found: dict[str, list[str]] = {}
    for place, change in changes:
        for where, text in _of_change(place, change):
            if where not in found.setdefault(text, []):
                found[text].append(where)
    return found


def _of_change(place: str, change: Change) -> Iterator[tuple[str, str]]:
    if change.nodes is None or change.nodes.maximum == 0:
        return
    pace = change.pace
    if pace is None:
        if change.effect in _WITHOUT_PACE:
            yield place, _WITHOUT_PACE[change.effect]
        return
    stack = place.removesuffix(change.at)
    each = mapping(pace.get("pools"))
    for where, of_pool in [(f"{stack}{pool}", mapping(one)) for pool, one in each.items()] if each else [(place, pace)]:
        yield where, pace_text(of_pool, change.effect)


def pace_text(pace: Pace, effect: Effect) -> str:
    """One sentence about a pace."""
    match pace.get("by"):
        case "pulumi":
            return _BY_PULUMI[effect]
        case "cloud":
            return _OF_CLOUD
        case "spot":
            return _OF_SPOT
        case "budgets":
            return _of_budgets([mapping(budget) for budget in sequence(pace.get("budgets"))])
        case by:
            return _of_upgrade(pace, with_surge=by == "surge")


def _of_upgrade(pace: Pace, *, with_surge: bool) -> str:
    least, most = (mapping(pace.get("batch")).get(name) for name in ("minimum", "maximum"))
    bounds = f"{least} to {most}" if least else f"up to {most}"
    number = f"{most}" if least == most else f"{least} or more" if most is None else bounds
    first = "a surge node is" if most == 1 else "as many surge nodes are"
    extra = f" after {first} ready" if with_surge else " without extra nodes"
    minutes, soak = pace.get("drain_timeout_minutes"), pace.get("soak_minutes")
    late = "leaves the node cordoned" if pace.get("undrainable") == "Cordon" else "stops it"
    waits = f"; it waits {soak} minutes after each drain" if soak else ""
    return f"AKS, during `pulumi up`: {number} node{'' if most == 1 else 's'} at a time{extra}; a drain of more than {minutes} minutes {late}{waits}"


def _of_budgets(budgets: Sequence[Mapping[str, object]]) -> str:
    if not budgets:
        return _NO_BUDGETS
    return f"Karpenter, after the change is applied: {'; '.join(map(_of_budget, budgets))}"


def _of_budget(budget: Mapping[str, object]) -> str:
    nodes, schedule = str(budget.get("nodes", "10%")), budget.get("schedule")
    number = "no node" if nodes in ("0", "0%") else f"at most {nodes} of the nodes at a time" if nodes.endswith("%") else f"at most {nodes} at a time"
    return number if schedule is None else f"{number} for {budget.get('duration')} from `{schedule}` (UTC)"


def sources(changes: Sequence[Change]) -> dict[str, int]:
    """Who says what the changes do, each with its number in the order of the changes."""
    return {source: number for number, source in enumerate(dict.fromkeys(change.source for change in changes), 1)}
