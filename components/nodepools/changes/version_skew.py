"""How far the pools of a cluster are behind a new version of its control plane, which is upgraded before them."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from nodepools.changes.nodes import first_pool, pools_of
from nodepools.clouds.change import AGENT_POOL, EKS_CLUSTER, NODE_GROUP, Change, Request, Requests
from nodepools.data.version_support import EKS_GROUP_SKEW, EKS_SKEW_LIMITS, aks_skew, minor
from nodepools.model.listing import joined
from nodepools.wire.table import Effect

_VERSION: Final = re.compile(r"\d+\.\d+(\.\d+)?")
_OF_POOLS: Final = {AGENT_POOL: "orchestratorVersion", NODE_GROUP: "version"}
_AKS: Final = "https://learn.microsoft.com/azure/aks/upgrade-aks-control-plane: version skew"
_EKS: Final = "https://docs.aws.amazon.com/eks/latest/userguide/update-cluster.html: managed nodes have the version of the control plane before"


def with_pools_behind(change: Change, cluster: Request, old: Requests) -> Change | None:
    """The upgrade of a control plane with what its cloud does if pools are too far behind; `None` if none is, as far as it is known."""
    before = old.by_key().get(cluster.key)
    if before is None or not _is_version(change.new):
        return None
    versions, new = dict(_versions(before, old)), minor(str(change.new))
    behind = new - min(map(minor, versions.values()), default=new)
    if cluster.resource.type == EKS_CLUSTER:
        rule, source = (False, EKS_SKEW_LIMITS) if behind > EKS_GROUP_SKEW else None, _EKS
    else:
        rule, source = aks_skew(behind), _AKS
    if rule is None:
        return None
    last = joined([f"`{name}` with Kubernetes {version}" for name, version in versions.items() if new - minor(version) == behind])
    sentence = f"{last} would be {behind} minor versions behind the control plane: {rule[1]}; upgrade the nodes first"
    return replace(change, effect=Effect.REFUSED if rule[0] else Effect.UNKNOWN, message=sentence, source=source)


def _versions(cluster: Request, old: Requests) -> Iterator[tuple[str, str]]:
    """The versions that pools have before the change, by their names."""
    pools = [(pool.pool, pool.sent.get(_OF_POOLS.get(pool.resource.type, ""))) for pool in pools_of(old, cluster.cluster)]
    first = first_pool(cluster)
    return ((name, str(version)) for name, version in (*pools, (str(first.get("name")), first.get(_OF_POOLS[AGENT_POOL]))) if _is_version(version))


def _is_version(value: object) -> bool:
    return isinstance(value, str) and _VERSION.fullmatch(value) is not None
