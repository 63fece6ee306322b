"""The roles that Pulumi assigns with an AKS cluster, on what its fields name. They are removed with the value, also where AKS keeps it.

aks/rights.py, aks/identity.py and aks/access.py assign them: to new identities of the cluster and of its nodes, and to the one that AKS creates
for the Key Vault provider.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from nodepools.clouds.change import Change, written_value
from nodepools.clouds.reasons import LOST_RIGHTS
from nodepools.clouds.request import AKS_CLUSTER, CLUSTER, Requests
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.platform import Platform
from nodepools.model.steps import Steps
from nodepools.wire.effects import Effect

_ASSIGNED: Final = "Role assignments of the identity are created or deleted; nodes stay"
_SOURCE: Final = "docs/facts/aks.md § 9; § 4: G19, AKS keeps a value that is no longer sent"


def with_rights(old: Platform, new: Platform, requests: Requests, found: Iterable[Change]) -> list[Change]:
    """The changes, and what they do to roles: a value without a change can have one, and a value that AKS keeps can lose it."""
    every = list(found)
    for key in old.clusters.keys() & new.clusters.keys():
        before, after = old.clusters[key], new.clusters[key]
        if isinstance(before, AksClusterArgs) and isinstance(after, AksClusterArgs):
            for field, had, gets in _differing(_rights(before), _rights(after)):
                every = list(_told(every, ("clusters", key, *field), requests, (had, gets)))
    return every


def _told(every: Sequence[Change], place: Steps, requests: Requests, values: tuple[object, object]) -> Iterator[Change]:
    near = [change for change in every if change.resource.type == AKS_CLUSTER and _is_at(change.steps, place)]
    part = place[:-1] if len(place) > len(("clusters", "weu", "private_dns_zone")) else place
    for change in every:
        is_lost = values[1] is None and change.effect is Effect.IGNORED and _is_at(change.steps, part)
        yield replace(change, effect=Effect.UNKNOWN, message=LOST_RIGHTS, source=_SOURCE) if is_lost else change
    if all(change.effect in (Effect.NONE, Effect.IGNORED) for change in near):
        cluster = next(iter(requests.of(str(place[1]), CLUSTER)))
        yield Change(cluster.at, place, *values, Effect.IN_PLACE, _ASSIGNED, _SOURCE, cluster.resource)


def _is_at(steps: Steps, place: Steps) -> bool:
    """One is inside the other."""
    shared = min(len(steps), len(place))
    return shared > len(("clusters", "weu")) and steps[:shared] == place[:shared]


def _differing(before: Mapping[Steps, object], after: Mapping[Steps, object]) -> Iterator[tuple[Steps, object, object]]:
    yield from ((field, before[field], after[field]) for field in before if before[field] != after[field])


def _rights(cluster: AksClusterArgs) -> Mapping[Steps, object]:
    """What the identities have roles on, by the field that names it."""
    is_created = cluster.identity is None
    cache = cluster.image_cache.registry_id if cluster.image_cache is not None and cluster.creates_kubelet_identity else None
    key, provider, profile = cluster.etcd_key, cluster.key_vault_provider, cluster.network_profile
    balancer = profile.load_balancer if profile.outbound_type == "loadBalancer" else None
    zone = cluster.private_dns_zone if cluster.private_dns_zone not in ("system", "none") else None
    subnet = cluster.api_server_subnet_id if cluster.network_rights == "subnets" else None
    own: dict[Steps, object] = {
        ("private_dns_zone",): zone,
        ("disk_encryption_set_id",): cluster.disk_encryption_set_id,
        ("api_server_subnet_id",): subnet,
        ("etcd_key", "vault_id"): key.vault_id if key is not None else None,
        ("network_profile", "load_balancer", "outbound_ip_ids"): balancer.outbound_ip_ids if balancer is not None else (),
        ("network_profile", "load_balancer", "outbound_ip_prefix_ids"): balancer.outbound_ip_prefix_ids if balancer is not None else (),
    }
    return {
        **{field: written_value(named) if is_created and named else None for field, named in own.items()},
        ("image_cache", "registry_id"): written_value(cache) if cache is not None else None,
        ("key_vault_provider", "vaults"): written_value(provider.vaults) if provider is not None and provider.enabled and provider.vaults else None,
    }
