"""Pairs what a program sends for an AKS cluster with what Azure has."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from nodepools.adoption.proof import add_ons, cluster_as_sent, pool_as_sent, respelled, with_existing
from nodepools.clouds.aks.existing import ExistingAksCluster
from nodepools.clouds.change import AGENT_POOL, CLUSTER, MAINTENANCE, POOL, Known, Pairs, Request, ResourceName
from nodepools.clouds.existing_objects import not_shown
from nodepools.model.kubernetes.label import POOL_LABEL
from nodepools.model.steps import mapping, sequence
from nodepools.wire.aks.agent_pool import POOL as POOL_TABLE
from nodepools.wire.overrides import merge_overrides
from nodepools.wire.table import Written, folded

_FIRST: Final = "agentPoolProfiles"


def is_aks(cluster: Request, declared: Known, existing: object) -> bool:
    """The exported cluster is the declared one: in Azure, its resource group and its name identify it."""
    if not isinstance(existing, ExistingAksCluster) or str(cluster.sent.get("resourceName")).lower() != existing.name.lower():
        return False
    known = cluster.sent.get("resourceGroupName", declared.group)
    return not isinstance(known, str) or known.lower() == existing.id.group.lower()


def aks_pairs(requests: Sequence[Request], declared: Known, existing: ExistingAksCluster) -> Pairs:
    """The cluster, its agent pools and maintenance configurations. All pools of a cluster are in its export."""
    [cluster] = [_with_overrides(request, declared.inside) for request in requests if request.subject == CLUSTER]
    pools = [request for request in requests if request.resource.type == AGENT_POOL]
    first = _first_pool(cluster, existing)
    names = _names(pools, {name: pool for name, pool in existing.pools.items() if name != first})
    both = [(_existing_pool(request, names[request.key], existing), request) for request in pools if request.key in names]
    others = [name for name in existing.pools if name != first and name not in names.values()]
    windows = _windows([request for request in requests if request.subject == MAINTENANCE], existing)
    return Pairs(
        ((_existing_cluster(cluster, existing, first), cluster), *both, *windows.both),
        tuple(_undeclared(cluster, name, existing.pools[name]) for name in others),
        (*(request for request in pools if request.key not in names), *windows.absent),
        windows.not_exported,
    )


def _with_overrides(cluster: Request, overrides: Mapping[str, object]) -> Request:
    """The cluster with the overrides of the pool inside of it."""
    inside = [mapping(pool) for pool in sequence(cluster.sent.get(_FIRST))]
    if not inside or not overrides:
        return cluster
    whole = merge_overrides(respelled(inside[0]), overrides)
    names = {folded(name): name for name in inside[0]}
    made = {name: value for name, value in inside[0].items() if folded(name) not in map(folded, overrides)}
    made |= {names.get(folded(name), name): whole[name] for name in overrides if name in whole}
    return replace(cluster, sent={**cluster.sent, _FIRST: [made, *inside[1:]]})


def _windows(requests: Sequence[Request], existing: ExistingAksCluster) -> Pairs:
    """Maintenance configurations. An empty list does not say of which cluster it is."""
    have = {request.key: existing.configurations.get(str(request.sent.get("configName", request.key[2]))) for request in requests}
    both = tuple(
        (with_existing(request, {**found, "resourceName": existing.name}), request)
        for request in requests
        if (found := have[request.key]) is not None
    )
    left = tuple(request for request in requests if have[request.key] is None)
    return Pairs(both, absent=left) if existing.configurations else Pairs(both, not_exported=left)


def _first_pool(cluster: Request, existing: ExistingAksCluster) -> str | None:
    """The name of the pool inside of the cluster: the declared one, or the first that Azure has."""
    declared = [str(mapping(pool).get("name")) for pool in sequence(cluster.sent.get(_FIRST))][:1]
    return declared[0] if declared and declared[0] in existing.pools else existing.first_pool


def _names(pools: Iterable[Request], have: Mapping[str, Written]) -> dict[tuple[str, ...], str]:
    """The name in Azure of each pool: its own, or that of the only other generation with its label."""
    pools = list(pools)
    names = {request.key: request.agent_pool_name for request in pools if request.agent_pool_name in have}
    for request in pools:
        label = _label(request.sent)
        same = [name for name, pool in have.items() if name not in names.values() and label is not None and _label(pool) == label]
        if request.key not in names and len(same) == 1:
            names[request.key] = same[0]
    return names


def _label(pool: Written) -> object:
    return mapping(pool.get("nodeLabels")).get(POOL_LABEL)


def _existing_cluster(request: Request, existing: ExistingAksCluster, first: str | None) -> Request:
    shown = cluster_as_sent(existing)
    unknown = not_shown(request.sent, {**existing.described, "resourceName": existing.name}, existing.described)
    have = {**shown, "addonProfiles": _add_ons(request, shown.get("addonProfiles")), **unknown}
    existing_request = with_existing(replace(request, sent={name: value for name, value in request.sent.items() if name != _FIRST}), have)
    inside = [mapping(pool) for pool in sequence(request.sent.get(_FIRST))]
    if first is not None and inside:
        pool = existing.pools[first]
        have = {**pool_as_sent(pool), **not_shown(inside[0], pool, existing.described), "name": first}
        inside = [with_existing(replace(request, sent=inside[0], overrides={}), have).sent, *inside[1:]]
    return replace(existing_request, sent={**existing_request.sent, **({_FIRST: inside} if inside else {})})


def _add_ons(request: Request, have: object) -> Mapping[str, object]:
    """The add-ons that are sent, with the settings that are sent: Azure has others, and settings can be credentials."""
    sent = {**mapping(request.sent.get("addonProfiles")), **mapping(request.overrides.get("addon_profiles"))}
    return {name: _add_on(mapping(sent[name]), mapping(found)) for name, found in add_ons(have).items() if name in sent}


def _add_on(sent: Written, have: Written) -> Written:
    config = {name: value for name, value in mapping(have.get("config")).items() if name in mapping(sent.get("config"))}
    return {"enabled": have.get("enabled"), **({"config": config} if config else {})}


def _existing_pool(request: Request, name: str, existing: ExistingAksCluster) -> Request:
    pool = existing.pools[name]
    have = {**pool_as_sent(pool), **not_shown(request.sent, pool, existing.described), "resourceName": existing.name}
    existing_request = with_existing(request, have)
    if name == request.agent_pool_name:
        return existing_request
    resource = ResourceName(request.resource.type, request.resource.name.removesuffix(request.agent_pool_name) + name)
    named = {"agentPoolName": name} if "agentPoolName" in existing_request.sent else {}
    return replace(existing_request, resource=resource, sent={**existing_request.sent, **named})


def _undeclared(cluster: Request, name: str, written: Written) -> Request:
    resource = ResourceName(AGENT_POOL, f"{cluster.resource.name}-{name}")
    steps = (*cluster.steps, "pools", name)
    return Request((cluster.cluster, POOL, name), f"{cluster.cluster}/{name}", steps, resource, POOL_TABLE, pool_as_sent(written))
