"""The nodes of pools as their requests declare them, and what limits their replacement. Facts: docs/facts/aks.md § 2.8, docs/facts/eks.md § 3."""

from collections.abc import Mapping, Sequence
from math import ceil
from typing import Final

from nodepools.clouds.aks.agent_pool_nodes import counted
from nodepools.clouds.amounts import NOTHING, Amount, exactly, total
from nodepools.clouds.change import AGENT_POOL, AKS_CLUSTER, NODE_GROUP, NODE_POOL, POOL, Pace, Request, Requests
from nodepools.model.kubernetes.cron import unreadable
from nodepools.model.steps import mapping, scalars, sequence
from nodepools.model.values import dataclass
from nodepools.wire.paths import value_at

_DEFAULT_SURGE: Final = "10%"
_DEFAULT_BUDGET: Final[Mapping[str, object]] = {"nodes": "10%"}
_DRAIN, _SOAK = 30, 0
"""Minutes: defaults of AKS."""
_SPOT: Final[Pace] = {"by": "spot"}
_UNKNOWN: Final[Pace] = {"by": "unknown"}
_DRIFT: Final = "Drifted"


@dataclass(frozen=True, slots=True)
class Replacement:
    """The nodes of a pool, and how they are replaced in place."""

    nodes: Amount
    extra: Amount
    pace: Pace

    @property
    def is_spot(self) -> bool:
        """The nodes are spot nodes of AKS, which it does not drain."""
        return self.pace == _SPOT


def pools_of(requests: Requests, cluster: str) -> list[Request]:
    """The pools of a cluster; the first system pool is part of the cluster."""
    return requests.of(cluster, POOL)


def first_pool(cluster: Request) -> Mapping[str, object]:
    """The pool inside an AKS cluster; empty for other clusters."""
    return mapping(value_at(cluster.sent, ("agentPoolProfiles", 0)))


def nodes(sent: Mapping[str, object], *, agent_pool: bool) -> Amount:
    """The number of nodes that a pool can have."""
    return _agent_nodes(sent) if agent_pool else _karpenter_nodes(sent)


def nodes_now(request: Request, side: Requests) -> Amount:
    """The number of nodes of a pool, or of the first system pool of an AKS cluster: exact if those of its cluster, or NodeClaims, were exported."""
    running = side.running_in(request.cluster, request.pool, is_object=request.resource.type == NODE_POOL)
    claims = side.claims_in(request.cluster, request.pool) if running is None and request.resource.type == NODE_POOL else None
    running = len(claims) if claims is not None else running
    if running is not None:
        return exactly(running)
    if request.resource.type == NODE_GROUP:
        scaling = mapping(request.sent.get("scalingConfig"))
        return Amount(_number(scaling.get("minSize"), 0), _maybe(scaling.get("maxSize")))
    return nodes(_pool_sent(request), agent_pool=request.resource.type in (AGENT_POOL, AKS_CLUSTER))


def replacement(request: Request, side: Requests, before: Request | None = None) -> Replacement:
    """How the nodes of a pool are replaced in place. For an AKS cluster: those of its first system pool. `before` is what it is before the edit."""
    number = nodes_now(before if before is not None else request, side)
    if not _is_known(request):
        return Replacement(number, Amount(0, number.maximum), _UNKNOWN)
    if request.resource.type in (AGENT_POOL, AKS_CLUSTER):
        return _agent_replacement(_pool_sent(request), number)
    if request.resource.type == NODE_GROUP:
        return _group_replacement(request.sent, number)
    return _karpenter_replacement(request.sent, number)


def _pool_sent(request: Request) -> Mapping[str, object]:
    return first_pool(request) if request.resource.type == AKS_CLUSTER else request.sent


def _agent_nodes(sent: Mapping[str, object]) -> Amount:
    if value_at(sent, ("powerState", "code")) == "Stopped":
        return NOTHING
    if sent.get("enableAutoScaling") is True:
        return Amount(_number(sent.get("minCount"), 0), _maybe(sent.get("maxCount")))
    if profile := mapping(value_at(sent, ("virtualMachinesProfile", "scale"))):
        return total(machines_of(profile).values())
    count = _maybe(sent.get("count"))
    return Amount(count if count is not None else 0, count)


def machines_of(held: object) -> dict[str, Amount]:
    """The nodes of each VM size of a pool of single virtual machines, of its profile or the `scale` of that."""
    profile = mapping(mapping(held).get("scale", held))
    fixed, scaled = (list(map(mapping, sequence(profile.get(name)))) for name in ("manual", "autoscale"))
    found = {str(one.get("size")): Amount(_number(one.get("count"), 0), _maybe(one.get("count"))) for one in fixed}
    return found | {str(one.get("size")): Amount(_number(one.get("minCount"), 0), _maybe(one.get("maxCount"))) for one in scaled}


def fewer(had: Amount, gets: Amount) -> Amount:
    """The nodes that are removed if the number falls from one interval to another."""
    most = max(had.maximum - gets.minimum, 0) if had.maximum is not None else None
    return Amount(max(had.minimum - gets.maximum, 0) if gets.maximum is not None else 0, most)


def fewer_machines(old: object, new: object) -> Amount:
    """The nodes that are removed from a pool of single virtual machines. Those that an autoscaler keeps managing are not counted."""
    after = machines_of(new)
    pairs = [(had, after.get(size, NOTHING)) for size, had in machines_of(old).items()]
    return total(fewer(had, left) for had, left in pairs if left.minimum == left.maximum)


def _is_known(request: Request) -> bool:
    """What limits a replacement is neither secret nor known later."""
    settings = [_pool_sent(request).get("upgradeSettings"), request.sent.get("updateConfig"), request.sent.get("disruption")]
    return all(value is None or isinstance(value, str | int | float) for _, value in scalars(settings))


def _agent_replacement(sent: Mapping[str, object], number: Amount) -> Replacement:
    said = mapping(sent.get("upgradeSettings"))
    surge, unavailable = said.get("maxSurge"), said.get("maxUnavailable")
    instead = isinstance(unavailable, str) and counted(unavailable) > 0 and counted(None if surge is None else str(surge)) == 0
    amount = None if instead else str(surge) if surge is not None else _DEFAULT_SURGE
    if sent.get("scaleSetPriority") == "Spot":
        return Replacement(number, NOTHING, _SPOT)
    extra = _share(number, amount) if amount is not None else NOTHING
    batch = extra if not instead and extra != NOTHING else _share(number, str(unavailable) if instead else "1")
    pace = {
        "by": "surge" if not instead else "max_unavailable",
        "batch": batch.to_json(),
        "drain_timeout_minutes": _number(said.get("drainTimeoutInMinutes"), _DRAIN),
        "soak_minutes": _number(said.get("nodeSoakDurationInMinutes"), _SOAK),
        "undrainable": said.get("undrainableNodeBehavior", "Schedule"),
    }
    return Replacement(number, extra, pace)


def _group_replacement(sent: Mapping[str, object], number: Amount) -> Replacement:
    """EKS launches new nodes first, unless the strategy is `MINIMAL`. Source: EKS user guide, managed-node-update-behavior (2026-01)."""
    said = mapping(sent.get("updateConfig"))
    percentage = said.get("maxUnavailablePercentage")
    batch = _share(number, f"{percentage}%" if percentage is not None else str(_number(said.get("maxUnavailable"), 1)))
    extra = NOTHING if said.get("updateStrategy") == "MINIMAL" else Amount(0, None)
    return Replacement(number, extra, {"by": "update_config", "batch": batch.to_json()})


def _share(number: Amount, amount: str) -> Amount:
    """A count or a percentage of a number of nodes, and never more than that number."""
    least = min(counted(amount, total=number.minimum), number.minimum)
    most = number.maximum
    return Amount(least, min(counted(amount, total=most), most) if most is not None else None)


def _karpenter_nodes(sent: Mapping[str, object]) -> Amount:
    replicas = _maybe(sent.get("replicas"))
    if replicas is not None:
        return exactly(replicas)
    return Amount(0, _maybe(value_at(sent, ("limits", "nodes"))))


def _karpenter_replacement(sent: Mapping[str, object], number: Amount) -> Replacement:
    held = value_at(sent, ("disruption", "budgets"))
    budgets = [dict(mapping(budget)) for budget in sequence(held)]
    drift = [budget for budget in (budgets if held is not None else [dict(_DEFAULT_BUDGET)]) if _limits_drift(budget)]
    if any(unreadable(schedule) for budget in budgets if isinstance(schedule := budget.get("schedule"), str)):
        drift = [{"nodes": "0"}]  # Karpenter then disrupts no node
    always = [str(budget.get("nodes", "10%")) for budget in drift if budget.get("schedule") is None]
    replicas, limit = _static(sent)
    room = max(limit - replicas, 0) if replicas is not None and limit is not None else None
    return Replacement(number, _allowed(number, always).limited(Amount(0, room)), {"by": "budgets", "budgets": drift})


def has_no_room(request: Request) -> bool:
    """It is a static NodePool whose limit has no room for a replacement, which Karpenter launches first: no node of it is replaced for drift."""
    replicas, limit = _static(request.sent)
    return request.resource.type == NODE_POOL and replicas is not None and limit is not None and 0 < replicas >= limit


def _static(sent: Mapping[str, object]) -> tuple[int | None, int | None]:
    """The nodes of a static NodePool, and their limit."""
    return _maybe(sent.get("replicas")), _maybe(value_at(sent, ("limits", "nodes")))


def _limits_drift(budget: Mapping[str, object]) -> bool:
    reasons = budget.get("reasons")
    return reasons is None or _DRIFT in sequence(reasons)


def _allowed(number: Amount, budgets: Sequence[str]) -> Amount:
    """The nodes that can be replaced at the same time: each replacement is launched before its node is drained."""
    if number.maximum is None and all(budget.endswith("%") for budget in budgets):
        return Amount(0, None)
    limits = [_of_budget(budget, number.maximum) for budget in budgets]
    most = min([limit for limit in limits if limit is not None], default=number.maximum)
    return Amount(0, most if number.maximum is None or most is None else min(most, number.maximum))


def _of_budget(budget: str, total: int | None) -> int | None:
    if not budget.endswith("%"):
        return _number(budget, 0)
    return ceil(total * _number(budget.rstrip("%"), 0) / 100) if total is not None else None


def _maybe(value: object) -> int | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    return int(value) if isinstance(value, str) and value.isascii() and value.isdigit() else None


def _number(value: object, otherwise: int) -> int:
    found = _maybe(value)
    return found if found is not None else otherwise
