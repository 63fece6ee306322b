"""Changes of the network of an EKS cluster, which stays in the VPC and in the zones in which it was created."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final, NamedTuple

from nodepools.clouds.change import Change
from nodepools.clouds.request import EKS_CLUSTER
from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.model.eks.network import EksNetworkArgs, ExistingEksNetwork, default_zone_count
from nodepools.model.platform import Platform
from nodepools.wire.effects import Effect

_SUBNETS, _ZONES, _CIDR = ("control_plane_subnet_ids", "private_subnet_ids"), "zones", "cidr"
_VPC: Final = "EKS keeps a cluster in its VPC and rejects subnets of another one: `pulumi up` fails; declare a new cluster"
_NEW_VPC: Final = "Pulumi creates another VPC, then fails at the cluster, which EKS keeps in its VPC: nodes stay where they are"
_KIND: Final = "EKS keeps a cluster in its VPC: `pulumi up` fails unless the other network is in the same VPC"
_LEFT: Final = "EKS requires a subnet in each zone in which the cluster was created, and rejects the update: `pulumi up` fails"
_MORE: Final = "Nodes stay. AWS documents updates to subnets only in the zones in which the cluster was created"
_UNCLEAR: Final = "The account decides which zones these are; EKS rejects an update that leaves a zone in which the cluster was created"
_SAME: Final = "The same zones: nothing changes"
_SOURCE: Final = "AWS: EKS user guide, network-reqs; EKS API reference, UpdateClusterConfig (2026-11)"


class _Verdict(NamedTuple):
    effect: Effect
    reason: str
    field: str
    """The field that decides which subnets the cluster has."""
    before: object
    after: object


def network_changes(old: Platform, new: Platform, found: Iterable[Change]) -> list[Change]:
    """The changes, with what EKS does with other subnets of a cluster; a cluster that is replaced can be anywhere."""
    every = list(found)
    replaced = {change.steps[1] for change in every if change.resource.type == EKS_CLUSTER and change.effect is Effect.REPLACES}
    verdicts = {key: _verdict(old.clusters[key], new.clusters[key]) for key in old.clusters.keys() & new.clusters.keys() - replaced}
    judged = [_judged(change, verdicts.get(str(change.steps[1]))) if change.steps[2:3] == ("network",) else change for change in every]
    return [change for place, change in enumerate(judged) if change.steps[2:3] != ("network",) or change not in judged[:place]]


def _judged(change: Change, verdict: _Verdict | None) -> Change:
    if verdict is None:
        return change
    if change.steps[-1] == _CIDR and change.effect is Effect.REPLACES:
        return replace(change, message=_NEW_VPC, source=f"{change.source}; {_SOURCE}")
    of_cluster = change.steps[-1] in _SUBNETS and change.resource.type == EKS_CLUSTER
    if not of_cluster and change.steps[-1] not in (_ZONES, verdict.field):
        return change
    steps = (*change.steps[:3], verdict.field)
    values = (verdict.before, verdict.after)
    return replace(change, steps=steps, old=values[0], new=values[1], effect=verdict.effect, message=verdict.reason, source=_SOURCE)


def _verdict(before: object, after: object) -> _Verdict | None:
    if not isinstance(before, EksClusterArgs) or not isinstance(after, EksClusterArgs):
        return None
    old, new = before.network, after.network
    if isinstance(old, EksNetworkArgs) and isinstance(new, EksNetworkArgs):
        if old.cidr != new.cidr:
            return _Verdict(Effect.REFUSED, _VPC, _CIDR, old.cidr, new.cidr)
        return _of_zones(old, new, default_zone_count(after.region)) if old.zones != new.zones else None
    if isinstance(old, ExistingEksNetwork) and isinstance(new, ExistingEksNetwork):
        known = isinstance(old.vpc_id, str) and isinstance(new.vpc_id, str)
        is_another = known and old.vpc_id != new.vpc_id and any(getattr(old, name) != getattr(new, name) for name in _SUBNETS)
        return _Verdict(Effect.REFUSED, _VPC, "vpc_id", old.vpc_id, new.vpc_id) if is_another else None
    return _Verdict(Effect.UNKNOWN, _KIND, "kind", old.kind, new.kind)


def _of_zones(old: EksNetworkArgs, new: EksNetworkArgs, default: int) -> _Verdict:
    """Zones that are not declared, or are spelled by name on one side and by id on the other, can be compared only by their number."""
    first, second = set(old.zones), set(new.zones)

    def verdict(effect: Effect, reason: str) -> _Verdict:
        return _Verdict(effect, reason, _ZONES, old.zones, new.zones)

    if (len(second) if second else default) < (len(first) if first else default):
        return verdict(Effect.REFUSED, _LEFT)
    if not first or not second or _by_id(first) != _by_id(second):
        return verdict(Effect.UNKNOWN, _UNCLEAR)
    if first - second:
        return verdict(Effect.REFUSED, _LEFT)
    return verdict(Effect.UNKNOWN, _MORE) if second - first else verdict(Effect.NONE, _SAME)


def _by_id(zones: Iterable[str]) -> bool:
    return any("-az" in zone for zone in zones)
