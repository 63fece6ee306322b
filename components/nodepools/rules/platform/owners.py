"""What an organization requires of owners: that there is one, and what its pools can have together."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from nodepools.model.aks.agent_pool import UserPool
from nodepools.model.derive import derive
from nodepools.model.listing import listed, nearest
from nodepools.model.platform import Platform
from nodepools.model.steps import Steps
from nodepools.model.values import dataclass
from nodepools.rules.engine.finding import Fix, PartFinding, ref, set_to
from nodepools.rules.engine.registry import PLATFORMS, finding, limited, sample, warning
from nodepools.rules.engine.samples import SIZE, aks, platform

if TYPE_CHECKING:
    from nodepools.clouds.prices import PoolCost

_NAMED: Final = 3
_OURS: Final = "nodepools: `owners` of the platform is what an organization requires"


def _sample(owners: dict[str, object], **pool: object) -> Platform:
    web = derive(UserPool(vm_size=SIZE, count=3), pool)
    return derive(platform(one=aks(owner=None if owners.get("required") else "core", pools={"web": web})), owners=owners)


def _owners(whole: Platform) -> Iterator[tuple[Steps, str]]:
    """Each declared owner with the path of its field."""
    for key, cluster in whole.clusters.items():
        own = [((), cluster), *((steps, pool) for steps, _, pool in cluster.declared_pools())]
        yield from ((("clusters", key, *steps, "owner"), part.owner) for steps, part in own if part.owner is not None)


@warning("PLT069", _OURS)
@limited(PLATFORMS)
@sample("clusters.one.system_pool.owner", partial(_sample, {"required": True}, owner="shop"))
def pool_without_owner(whole: Platform) -> Iterator[PartFinding]:
    """Every pool has an owner, its own or that of its cluster, if the platform requires it."""
    for key, cluster in whole.clusters.items() if whole.owners.required else ():
        for steps, name, pool in cluster.declared_pools():
            if pool.owner is None and cluster.owner is None:
                at = ("clusters", key, *steps, "owner")
                yield finding(whole, f"The pool `{key}/{name}` has no owner: the platform requires one", path=at, fix=f"Set {ref(at)}")


@dataclass(frozen=True, slots=True)
class _Most:
    """A limit of a team, with what its pools can have."""

    field: str
    limit: float
    most: float | None
    """`None`: no maximum is known."""
    unit: str
    without: tuple[str, ...]
    """The pools that have no known maximum."""

    @property
    def is_kept(self) -> bool:
        return self.most is not None and self.most <= self.limit

    def message(self, owner: str) -> str:
        if self.most is None:
            return f"The owner `{owner}` is limited to {self.limit:,.10g} {self.unit}: no maximum is known for {listed(self.without, _NAMED)}"
        return f"The pools of `{owner}` can have {self.most:,.10g} {self.unit} together: {self.limit:,.10g} are allowed"


@warning("PLT070", _OURS)
@limited(PLATFORMS)
@sample("owners.teams.shop.nodes", partial(_sample, {"teams": {"shop": {"nodes": 2}, "core": {}}}, owner="shop"))
def owner_over_its_limits(whole: Platform) -> Iterator[PartFinding]:
    """The pools of an owner have no more nodes, vCPUs and monthly cost together than the platform allows it."""
    for owner, one in _limits(whole):
        if not one.is_kept:
            at = ("owners", "teams", owner, one.field)
            lower = "Lower `scale`, `count` or `limits` of its pools, or raise the limit of the owner"
            bound = "Set `limits` of these pools, turn off built-in ones, which have none, or remove the limit of the owner"
            fix = lower if one.most is not None else bound
            yield finding(whole, one.message(owner), path=at, value=one.limit, fix=fix)


def _limits(whole: Platform) -> Iterator[tuple[str, _Most]]:
    """The limits of each team that owns a pool."""
    limited = {owner: team for owner, team in whole.owners.teams.items() if {team.nodes, team.vcpus, team.monthly} != {None}}
    if not limited:
        return
    from nodepools.clouds.prices import ShippedPrices  # few platforms have teams
    from nodepools.clouds.registry import pool_costs
    from nodepools.needs.owners import needs_by_owner

    costs = pool_costs(whole, ShippedPrices()) if any(team.monthly is not None for team in limited.values()) else ()
    own = whole.by_owner(costs, lambda cost: cost.pool)
    for needs in needs_by_owner(whole):
        team = limited.get(needs.owner) if needs.owner is not None else None
        if team is None or needs.owner is None:
            continue
        if team.nodes is not None:
            without = tuple(pool.address for pool in needs.pools if pool.nodes.maximum is None)
            yield needs.owner, _Most("nodes", team.nodes, needs.nodes.maximum, "nodes", without)
        if team.vcpus is not None:
            without = tuple(pool.address for pool in needs.pools if pool.vcpus.maximum is None)
            yield needs.owner, _Most("vcpus", team.vcpus, needs.vcpus.maximum, "vCPUs", without)
        if team.monthly is not None:
            yield needs.owner, _monthly(own.get(needs.owner, ()), team.monthly)


def _monthly(own: "Sequence[PoolCost]", limit: float) -> _Most:
    from nodepools.clouds.prices import total

    without = tuple(cost.pool for cost in own if cost.max.figure is None)
    return _Most("monthly", limit, total(cost.max for cost in own).figure, "USD per month", without)


@warning("PLT071", _OURS)
@limited(PLATFORMS)
@sample("clusters.one.pools.web.owner", partial(_sample, {"teams": {"shop": {}, "core": {}}}, owner="shpo"))
def owner_without_team(whole: Platform) -> Iterator[PartFinding]:
    """Owners are among the teams of the platform, if it names any: no limit and no approver applies to another one."""
    teams = whole.owners.teams
    for at, owner in _owners(whole) if teams else ():
        if owner not in teams:
            near = nearest(owner, teams)
            fix = Fix(f"Use `{near}`, if that is meant", (set_to(at, near),)) if near is not None else f"Add `{owner}` to `owners.teams`"
            yield finding(whole, f"`{owner}` is not a team of the platform: none of its limits applies", path=at, value=owner, fix=fix)
