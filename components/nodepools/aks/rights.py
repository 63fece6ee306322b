"""The role assignments of an identity that is created for a cluster. Facts: docs/facts/aks.md § 9."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import pulumi

from nodepools.aks.network import Subnets
from nodepools.aks.role_assignments import (
    CONTRIBUTOR,
    CRYPTO_USER,
    NETWORK_CONTRIBUTOR,
    READER,
    VAULT_CONTRIBUTOR,
    ZONE_CONTRIBUTOR,
    distinct,
    granted,
    mark,
    same,
)
from nodepools.component.scope import ChildScope
from nodepools.model.aks.agent_pool import AgentPool
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.network import ExistingAksNetwork
from nodepools.model.ref import Ref, is_output
from nodepools.wire.aks.generation import SYSTEM, generations


class Right(NamedTuple):
    """One role on one resource."""

    words: tuple[str, ...]
    """They follow the stem in the name of the assignment."""
    role: str
    on: pulumi.Input[str]


def cluster_rights(scope: ChildScope, args: AksClusterArgs, principal: pulumi.Input[str], subnets: Subnets) -> Iterator[pulumi.Resource]:
    """Assigns the roles on the resources that the cluster uses and does not contain."""
    rights = (*_of_network(scope, args, subnets), *_of_options(scope, args), *_of_addresses(scope, args), *_of_reservations(scope, args))
    for right in rights:
        yield granted(scope, scope.name(*right.words), right.role, to=principal, on=right.on)


def _of_network(scope: ChildScope, args: AksClusterArgs, subnets: Subnets) -> Iterator[Right]:
    """The network, or its subnets. One that AKS manages is in the node resource group, on which AKS assigns the roles itself."""
    if subnets.vnet_id is None:
        return
    if args.network_rights == "network":
        yield Right(("network",), NETWORK_CONTRIBUTOR, subnets.vnet_id)
        return
    if not isinstance(args.network, ExistingAksNetwork):
        created = {("nodes",): subnets.nodes, ("pods",): subnets.pods, **{("pool", key): subnet for key, subnet in subnets.own.items()}}
        yield from (Right(("network", *words), NETWORK_CONTRIBUTOR, subnet) for words, subnet in created.items() if subnet is not None)
    for number, subnet in enumerate(distinct(_existing_subnets(args))):
        yield Right(("network", mark(subnet, number)), NETWORK_CONTRIBUTOR, scope.value(subnet))


def _existing_subnets(args: AksClusterArgs) -> Iterator[Ref | None]:
    if isinstance(args.network, ExistingAksNetwork):
        yield from (args.network.subnet_id, args.network.pod_subnet_id)
    yield args.api_server_subnet_id
    for pool in _pools(args).values():
        yield from (pool.vnet_subnet_id, pool.pod_subnet_id)
    yield from (node_class.vnet_subnet_id for node_class in args.node_classes.values())


def _of_options(scope: ChildScope, args: AksClusterArgs) -> Iterator[Right]:
    """The disk encryption set, without which no node starts, the DNS zone of a private API server, and the vault of the key of etcd."""
    zone = args.private_dns_zone if args.private_dns_zone not in ("system", "none") else None
    vault = args.etcd_key.vault_id if args.etcd_key is not None else None
    private = vault if args.etcd_key is not None and args.etcd_key.vault_access == "Private" else None
    uses = {
        "disks": (READER, args.disk_encryption_set_id),
        "zone": (ZONE_CONTRIBUTOR, zone),
        "etcd-key": (CRYPTO_USER, vault),
        "etcd-vault": (VAULT_CONTRIBUTOR, private),
    }
    yield from (Right((word,), role, scope.value(used)) for word, (role, used) in uses.items() if used is not None)


def _of_addresses(scope: ChildScope, args: AksClusterArgs) -> Iterator[Right]:
    """Outbound addresses: each Service of type LoadBalancer writes the same load balancer, which needs the right to join all of them."""
    balancer = args.network_profile.load_balancer
    if balancer is None or args.network_profile.outbound_type != "loadBalancer":
        return
    for word, addresses in {"address": balancer.outbound_ip_ids, "prefix": balancer.outbound_ip_prefix_ids}.items():
        for number, address in enumerate(distinct(addresses)):
            yield Right((word, mark(address, number)), NETWORK_CONTRIBUTOR, scope.value(address))


def _of_reservations(scope: ChildScope, args: AksClusterArgs) -> Iterator[Right]:
    """The resource groups of capacity reservation groups: AKS documents the role on nothing narrower."""
    groups: dict[object, tuple[str, Ref]] = {}
    for key, pool in _pools(args).items():
        group = pool.capacity_reservation_group_id
        if group is not None:
            where = _resource_group(group) if isinstance(group, str) else group
            groups.setdefault(same(where), (key if is_output(group) else mark(where, 0), group))
    earlier: list[pulumi.Output[str]] = []
    for word, group in sorted(groups.values(), key=lambda named: not isinstance(named[1], str)):
        known = pulumi.Output.from_input(scope.value(group))
        yield Right(("reservations", word), CONTRIBUTOR, pulumi.Output.all(known, *earlier).apply(_of_reservation))
        earlier.append(known)


def _pools(args: AksClusterArgs) -> Mapping[str, AgentPool]:
    """All pools by key, including those that are being replaced."""
    both = {f"{one.key}-previous" if one.is_previous else one.key: one.pool for one in generations(args)}
    return {SYSTEM: args.system_pool, **both}


def _of_reservation(ids: Sequence[str]) -> str:
    """Where the first of these reservation groups gets its role: on itself if another one has it on their resource group.

    Whether two outputs are in one resource group is known only now, and Azure rejects the same assignment twice.
    """
    own, *others = ids
    where = _resource_group(own)
    return own if where.lower() in {_resource_group(other).lower() for other in others} else where


def _resource_group(resource_id: str) -> str:
    return resource_id.partition("/providers/")[0]
