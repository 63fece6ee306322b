"""The managed identities of an AKS cluster: its own, that of its nodes, and those of workloads, each of which trusts one service account.

Facts: docs/facts/aks.md § 9.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Final, NamedTuple

import pulumi
from pulumi_azure_native import managedidentity

from nodepools.aks import role_assignments as roles
from nodepools.aks.network import Subnets
from nodepools.component.errors import as_checked, reject_invalid
from nodepools.component.scope import ChildScope, with_secrets
from nodepools.model.aks.agent_pool import AgentPool
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.network import ExistingAksNetwork
from nodepools.model.aks.workload_identity import KubeletIdentity, WorkloadIdentity
from nodepools.model.name_limits import cut, fingerprint
from nodepools.model.ref import Ref, is_output
from nodepools.model.values import dataclass
from nodepools.wire.aks.cluster_context import SYSTEM_ASSIGNED, KubeletIds
from nodepools.wire.aks.generation import SYSTEM, generations

_LONGEST_NAME: Final = 120


@dataclass(frozen=True, slots=True)
class Identities:
    """The identities of a cluster, and their role assignments, which must exist before the cluster."""

    id: pulumi.Input[str] | None
    """Id of the identity of the cluster; `None` if AKS assigns it, with the cluster."""
    principal_id: pulumi.Input[str] | None = None
    kubelet: KubeletIds | None = None
    """The identity that is created for nodes."""
    grants: Sequence[pulumi.Resource] = ()


def cluster_identities(scope: ChildScope, args: AksClusterArgs, resource_group: pulumi.Input[str], subnets: Subnets) -> Identities:
    """The existing identity or the one that AKS assigns, which get no roles, or a new one for the cluster; and a new one for nodes if it is declared.

    A new identity and its roles exist before the cluster, unlike an identity that AKS creates with it: so the first node can pull from registries.
    """
    created = _created(scope, args, resource_group) if args.identity is None else None
    kubelet = _created(scope, args, resource_group, "kubelet") if args.creates_kubelet_identity else None
    given = scope.value(args.identity) if args.identity not in (None, SYSTEM_ASSIGNED) else None  # type: ignore[arg-type]  # not None here
    grants = [
        *(cluster_rights(scope, args, created.principal_id, subnets) if created is not None else ()),
        *(_operator(scope, created, kubelet) if created is not None and kubelet is not None else ()),
        *_pull(scope, args, kubelet),
    ]
    return Identities(
        created.id if created is not None else given,
        created.principal_id if created is not None else None,
        KubeletIds(kubelet.id, kubelet.client_id, kubelet.principal_id) if kubelet is not None else None,
        grants,
    )


def _created(scope: ChildScope, args: AksClusterArgs, resource_group: pulumi.Input[str], *words: str) -> managedidentity.UserAssignedIdentity:
    name = scope.name(*words)
    return managedidentity.UserAssignedIdentity(
        name, resource_name_=name, resource_group_name=resource_group, location=args.location, tags=dict(scope.tags), opts=scope.options()
    )


def _operator(
    scope: ChildScope, cluster: managedidentity.UserAssignedIdentity, kubelet: managedidentity.UserAssignedIdentity
) -> Iterator[pulumi.Resource]:
    """The right to give the identity to nodes: on the identity itself, because AKS looks for the assignment there."""
    yield roles.granted(scope, scope.name("kubelet-operator"), roles.OPERATOR, to=cluster.principal_id, on=kubelet.id)


def _pull(scope: ChildScope, args: AksClusterArgs, kubelet: managedidentity.UserAssignedIdentity | None) -> Iterator[pulumi.Resource]:
    """Both roles on each registry. With an identity that AKS creates, or whose object id is not declared, there is no principal."""
    declared = args.kubelet_identity if args.kubelet_identity is not None else KubeletIdentity()
    principal = kubelet.principal_id if kubelet is not None else scope.value(declared.object_id) if declared.object_id is not None else None
    if principal is None:
        return
    for (number, registry), (word, role) in product(enumerate(roles.distinct(args.pulled_registries)), roles.PULL.items()):
        yield roles.granted(scope, scope.name(word, roles.mark(registry, number)), role, to=principal, on=scope.value(registry))


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
        yield roles.granted(scope, scope.name(*right.words), right.role, to=principal, on=right.on)


def _of_network(scope: ChildScope, args: AksClusterArgs, subnets: Subnets) -> Iterator[Right]:
    """The network, or its subnets. One that AKS manages is in the node resource group, on which AKS assigns the roles itself."""
    if subnets.vnet_id is None:
        return
    if args.network_rights == "network":
        yield Right(("network",), roles.NETWORK_CONTRIBUTOR, subnets.vnet_id)
        return
    if not isinstance(args.network, ExistingAksNetwork):
        created = {("nodes",): subnets.nodes, ("pods",): subnets.pods, **{("pool", key): subnet for key, subnet in subnets.own.items()}}
        yield from (Right(("network", *words), roles.NETWORK_CONTRIBUTOR, subnet) for words, subnet in created.items() if subnet is not None)
    for number, subnet in enumerate(roles.distinct(_existing_subnets(args))):
        yield Right(("network", roles.mark(subnet, number)), roles.NETWORK_CONTRIBUTOR, scope.value(subnet))


def _existing_subnets(args: AksClusterArgs) -> Iterator[Ref | None]:
    if isinstance(args.network, ExistingAksNetwork):
        yield from (args.network.subnet_id, args.network.pod_subnet_id)
    yield args.api_server_subnet_id
    for pool in _agent_pools(args).values():
        yield from (pool.vnet_subnet_id, pool.pod_subnet_id)
    yield from (node_class.vnet_subnet_id for node_class in args.node_classes.values())


def _of_options(scope: ChildScope, args: AksClusterArgs) -> Iterator[Right]:
    """The disk encryption set, without which no node starts, the DNS zone of a private API server, and the vault of the key of etcd."""
    zone = args.private_dns_zone if args.private_dns_zone not in ("system", "none") else None
    vault = args.etcd_key.vault_id if args.etcd_key is not None else None
    private = vault if args.etcd_key is not None and args.etcd_key.vault_access == "Private" else None
    uses = {
        "disks": (roles.READER, args.disk_encryption_set_id),
        "zone": (roles.ZONE_CONTRIBUTOR, zone),
        "etcd-key": (roles.CRYPTO_USER, vault),
        "etcd-vault": (roles.VAULT_CONTRIBUTOR, private),
    }
    yield from (Right((word,), role, scope.value(used)) for word, (role, used) in uses.items() if used is not None)


def _of_addresses(scope: ChildScope, args: AksClusterArgs) -> Iterator[Right]:
    """Outbound addresses: each Service of type LoadBalancer writes the same load balancer, which needs the right to join all of them."""
    balancer = args.network_profile.load_balancer if args.network_profile.outbound_type == "loadBalancer" else None
    addresses, prefixes = (balancer.outbound_ip_ids, balancer.outbound_ip_prefix_ids) if balancer is not None else ((), ())
    of_gateways = [one.prefix_id for _, _, one in args.egress_configurations if one.prefix_id is not None]
    for word, used in {"address": addresses, "prefix": [*prefixes, *of_gateways]}.items():
        for number, address in enumerate(roles.distinct(used)):
            yield Right((word, roles.mark(address, number)), roles.NETWORK_CONTRIBUTOR, scope.value(address))


def _of_reservations(scope: ChildScope, args: AksClusterArgs) -> Iterator[Right]:
    """The resource groups of capacity reservation groups: AKS documents the role on nothing narrower."""
    groups: dict[object, tuple[str, Ref]] = {}
    for key, pool in _agent_pools(args).items():
        group = pool.capacity_reservation_group_id
        if group is not None:
            where = _resource_group(group) if isinstance(group, str) else group
            groups.setdefault(roles.same(where), (key if is_output(group) else roles.mark(where, 0), group))
    earlier: list[pulumi.Output[str]] = []
    for word, group in sorted(groups.values(), key=lambda named: not isinstance(named[1], str)):
        known = pulumi.Output.from_input(scope.value(group))
        yield Right(("reservations", word), roles.CONTRIBUTOR, pulumi.Output.all(known, *earlier).apply(_of_reservation))
        earlier.append(known)


def _agent_pools(args: AksClusterArgs) -> Mapping[str, AgentPool]:
    """All pools by key, including those that are being replaced."""
    both = {f"{one.key}-previous" if one.is_previous else one.key: one.pool for one in generations(args)}
    return {**({SYSTEM: args.system_pool} if args.system_pool is not None else {}), **both}


def _of_reservation(ids: Sequence[str]) -> str:
    """Where the first of these reservation groups gets its role: on itself if another one has it on their resource group.

    Whether two outputs are in one resource group is known only now, and Azure rejects the same assignment twice.
    """
    own, *others = ids
    where = _resource_group(own)
    return own if where.lower() in {_resource_group(other).lower() for other in others} else where


def _resource_group(resource_id: str) -> str:
    return resource_id.partition("/providers/")[0]


class AksWorkloadIdentity(pulumi.ComponentResource):
    """An identity for the pods of one service account, with its roles."""

    client_id: pulumi.Output[str]
    """Client id, for the annotation `azure.workload.identity/client-id` of the service account; empty for an existing identity."""
    object_id: pulumi.Output[str]
    """Object id, for further role assignments; empty for an existing identity."""

    def __init__(
        self,
        name: str,
        args: WorkloadIdentity,
        *,
        issuer: pulumi.Input[str],
        resource_group_name: pulumi.Input[str],
        location: str,
        tags: Mapping[str, str] | None = None,
        after: Sequence[pulumi.Resource] = (),
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        """Registers the identity, its roles and its credential.

        Args:
            name: name of the identity and of its credential, and prefix of all names.
            args: the service account and the roles.
            issuer: URL of the OIDC issuer of the cluster: its output `oidc_issuer`.
            resource_group_name: an existing resource group, for a new identity.
            location: Azure region.
            tags: tags of a new identity.
            after: credentials of the same existing identity: Azure rejects changes of two at once (409).
            opts: options of the component; children inherit its provider and `protect`.

        Raises:
            InvalidDeclarationError: `args` have errors. Nothing is registered.
            WrongArgumentError: `args` are not a declaration.
        """
        reject_invalid(args, WorkloadIdentity, "AksWorkloadIdentity")
        super().__init__("nodepools:index:AksWorkloadIdentity", name, {}, opts)
        scope = ChildScope(self, name, with_secrets(tags, ("tags",)) if tags is not None else {})
        created = None
        if args.identity is None:
            created = managedidentity.UserAssignedIdentity(
                name, resource_name_=name, resource_group_name=resource_group_name, location=location, tags=dict(scope.tags), opts=scope.options()
            )
            for number, (role, on) in enumerate({(roles.definition(held.role), roles.same(held.on)): held.on for held in args.roles}.items()):
                name_of_grant = scope.name(fingerprint(role[0]), roles.mark(on, number))
                roles.granted(scope, name_of_grant, role[0], to=created.principal_id, on=scope.value(on))
        existing = pulumi.Output.from_input(scope.value(args.identity)) if args.identity is not None else None
        self.credential = managedidentity.FederatedIdentityCredential(
            name,
            federated_identity_credential_resource_name=cut(name, _LONGEST_NAME),
            resource_name_=created.name if created is not None else existing.apply(_name) if existing is not None else None,
            resource_group_name=resource_group_name if existing is None else existing.apply(_group),
            issuer=issuer,
            subject=f"system:serviceaccount:{args.namespace}:{args.service_account}",
            audiences=["api://AzureADTokenExchange"],
            opts=scope.options(depends_on=after),
        )
        nothing = pulumi.Output.from_input("")
        self.client_id = created.client_id if created is not None else nothing
        self.object_id = created.principal_id if created is not None else nothing
        self.register_outputs({"client_id": self.client_id, "object_id": self.object_id})


def workload_identities(
    scope: ChildScope, args: AksClusterArgs, issuer: pulumi.Output[str], resource_group: pulumi.Input[str]
) -> pulumi.Output[dict[str, str]]:
    """Registers the declared identities, and returns the client id of each new one by its key.

    Credentials of one existing identity are created one after another.
    """
    made: dict[str, AksWorkloadIdentity] = {}
    for key, declared in args.workload_identities.items():
        before = [one.credential for other, one in made.items() if args.workload_identities[other].identity == declared.identity]
        with as_checked(declared):
            made[key] = AksWorkloadIdentity(
                scope.name("workload", key),
                declared,
                issuer=issuer,
                resource_group_name=resource_group,
                location=args.location,
                tags=dict(args.tags),
                after=before if declared.identity is not None else (),
                opts=scope.component_options(),
            )
    own = {key: one.client_id for key, one in made.items() if args.workload_identities[key].identity is None}
    return pulumi.Output.all(**own).apply(dict)  # a list if it is empty


def _name(identity_id: str) -> str:
    return identity_id.rpartition("/")[2]


def _group(identity_id: str) -> str:
    """The resource group in the id, whose names ignore case."""
    steps = identity_id.split("/")
    return next((steps[place + 1] for place, step in enumerate(steps[:-1]) if step.lower() == "resourcegroups"), "")
