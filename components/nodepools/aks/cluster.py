"""An AKS cluster with its network, identity, pools and in-cluster objects."""

import base64
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from inspect import get_annotations
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import pulumi
import yaml
from pulumi_azure_native import Provider, containerservice, resources

from nodepools.aks import api_version as sent_with
from nodepools.aks.first_pool_count import RECORD, last_up, sent_count
from nodepools.aks.identity import Identities, cluster_identities, workload_identities
from nodepools.aks.logs import audit_logs, container_insights, managed_prometheus
from nodepools.aks.network import NO_SUBNETS, AksNetwork, Subnets, existing_subnets, subnets_of, text
from nodepools.aks.role_assignments import admins, known_after_creation, vault_rights
from nodepools.component.errors import as_checked, reject_arguments, reject_invalid, unless_failed
from nodepools.component.scope import ChildScope, after, one_at_a_time, with_secrets
from nodepools.model.aks.agent_pool import RETIRING, AgentPool, SystemPool
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.maintenance import MaintenanceConfigurations
from nodepools.model.aks.network import AksNetworkArgs, ManagedAksNetwork
from nodepools.model.ref import Ref
from nodepools.reading.yaml_documents import LOADER
from nodepools.reading.yaml_scalars import TextDumper
from nodepools.wire.aks.agent_pool import POOL, AgentPoolContext
from nodepools.wire.aks.cluster import CLUSTER
from nodepools.wire.aks.cluster_context import AksClusterContext, KubeletIds
from nodepools.wire.aks.generation import SYSTEM, first_pool_name, generations, pool_name
from nodepools.wire.aks.maintenance import CONFIGURATION
from nodepools.wire.overrides import merge_overrides
from nodepools.wire.reading import write
from nodepools.wire.table import python_name

if TYPE_CHECKING:
    from pulumi_kubernetes.apiextensions import CustomResource

Resolve = Callable[[Ref], object]
"""Returns the value of a reference."""


def agent_pool_arguments(pool: AgentPool, around: AgentPoolContext, *, resolve: Resolve = lambda ref: ref) -> dict[str, object]:
    """The common arguments of the pool inside the cluster and of separate pools.

    Labels and taints are always sent: a later PUT replaces them as a whole, and one with labels but without the spot label removes that label
    (Azure/AKS#3152). So are the type, whose default changed from scale sets to VMs, and whether the pool is autoscaled: omitting it
    would not turn it off. `count` is required on creation even when the pool is autoscaled.

    The version is sent for separate pools, which follow their cluster. It is never sent for the pool inside the cluster: while other
    pools are resources of their own, AKS rejects a new version of the cluster in a request that has one of a pool
    (NotAllAgentPoolOrchestratorVersionSpecifiedAndUnchanged, Azure/AKS#4765).

    Args:
        pool: the declared pool.
        around: values that come from the cluster.
        resolve: returns the value of a reference.
    """
    return merge_overrides(write(POOL, pool, around, spell=python_name, resolve=resolve), pool.overrides, resolve)


_TYPE = "nodepools:index:AksCluster"


class AksCluster(pulumi.ComponentResource):
    """An AKS cluster and all its pools, as declared."""

    name: pulumi.Output[str]
    """Name of the cluster in Azure."""
    resource_group: pulumi.Output[str]
    """Name of its resource group."""
    endpoint: pulumi.Output[str]
    """URL of the Kubernetes API."""
    kubeconfig: pulumi.Output[str]
    """Secret. With Entra ID it has no credential: `kubelogin` logs in with the method in `AAD_LOGIN_METHOD`. A resource that uses it, such as a
    Kubernetes provider, is created after the pools, and deleted before them."""
    oidc_issuer: pulumi.Output[str]
    """URL of the OIDC issuer of service account tokens, for workload identity; empty with `oidc_issuer=False`."""
    pools: pulumi.Output[dict[str, str]]
    """Pool key to the name of the agent pool in Azure; NodePools of node auto provisioning under their own names."""

    private_fqdn: pulumi.Output[str]
    """DNS name of a private API server in its private zone; empty without one."""
    node_resource_group: pulumi.Output[str]
    """Name of the resource group that AKS creates for nodes."""
    identity_object_id: pulumi.Output[str]
    """Object id of the identity of the cluster, for role assignments."""
    kubelet_client_id: pulumi.Output[str]
    """Client id of the identity of the nodes."""
    kubelet_object_id: pulumi.Output[str]
    """Object id of the identity of the nodes, for role assignments."""
    add_on_client_ids: pulumi.Output[dict[str, str]]
    """Add-on, such as `azureKeyvaultSecretsProvider`, to the client id of the identity that AKS creates for it."""
    add_on_object_ids: pulumi.Output[dict[str, str]]
    """Add-on to the object id of its identity, for role assignments."""
    outbound_ip_ids: pulumi.Output[list[str]]
    """Ids of the public IP addresses from which nodes and pods connect to the internet; empty with routes and gateways that others
    created."""

    workload_client_ids: pulumi.Output[dict[str, str]]
    """Key of `workload_identities` to the client id of the new identity, for the annotation of its service account."""

    @one_at_a_time
    def __init__(self, name: str, args: AksClusterArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        """Registers the cluster, unless its declaration has errors.

        Args:
            name: prefix of all names, in Pulumi and in Azure.
            args: the declaration.
            opts: options of the component; children inherit its provider, and `protect=True`.

        Raises:
            InvalidDeclarationError: the declaration has errors. Nothing is registered.
            WrongArgumentError: `args` are not a declaration.
        """
        reject_invalid(args, AksClusterArgs, "AksCluster", name)
        of_pools = ((f"pools.{key}.overrides", pool.overrides, containerservice.AgentPoolArgs) for key, pool in args.pools.items())
        if args.api_version is None:  # the installed SDK has the arguments of the default version alone
            reject_arguments(("overrides", args.overrides, containerservice.ManagedClusterArgs), *of_pools)
        last = last_up(_TYPE, name) if args.system_pool is not None and args.system_pool.scale is not None else None
        super().__init__(_TYPE, name, {}, opts)
        self._scope = scope = ChildScope(self, name, with_secrets(args.tags, ("tags",)), _provider(self, name, args))
        api = sent_with.api_of(self, name, args)
        self._args = args
        group = _resource_group(scope, args)
        subnets = _subnets(scope, args, group)
        identities = cluster_identities(scope, args, group, subnets)
        declared = cluster_arguments(
            name,
            args,
            identity_id=identities.id,
            system_subnet_id=subnets.of(scope, SYSTEM, args.system_pool) if args.system_pool is not None else None,
            pod_subnet_id=subnets.pods,
            kubelet=identities.kubelet,
            egress=subnets.egress,
            resolve=scope.value,
        )
        sent = sent_count(scope, with_secrets(declared), last, group) if last is not None else None
        cluster = sent_with.ManagedCluster(
            api,
            name,
            {"resource_group_name": group, **with_secrets(declared if sent is None else sent.arguments(declared))},
            scope.options(depends_on=identities.grants, protect=args.is_protected, timeouts=args.timeouts),
        )
        made = agent_pools(scope, args, cluster, group, subnets, api=api)
        maintenance_configurations(scope, args.applied_maintenance, cluster, group, api=api)
        container_insights(scope, args, cluster, group)
        managed_prometheus(scope, args, cluster, group)
        audit_logs(scope, args, cluster)
        vault_rights(scope, args, cluster)
        self.name = cluster.name
        self.resource_group = pulumi.Output.from_input(group)
        self.endpoint = _endpoint(cluster, private=args.api_server.private)
        self.oidc_issuer = known_after_creation(
            cluster, lambda made: made.oidc_issuer_profile.apply(lambda profile: text(profile.issuer_url) if profile and profile.enabled else "")
        )
        self.pools = unless_failed(_pool_names(args), {scope.name(pool): agent_pool.vm_size for pool, agent_pool in made.items()})
        self.private_fqdn = cluster.private_fqdn.apply(text) if args.api_server.private else pulumi.Output.from_input("")
        self.node_resource_group = cluster.node_resource_group.apply(text)
        self.identity_object_id = cluster_principal(cluster, identities)
        self.kubelet_client_id, self.kubelet_object_id = kubelet_ids(scope, args, cluster, identities)
        self.add_on_client_ids, self.add_on_object_ids = add_on_ids(cluster, "client_id"), add_on_ids(cluster, "object_id")
        self.outbound_ip_ids = pulumi.Output.all(*subnets.egress_ids) if subnets.egress_ids else outbound_ids(cluster)
        self.workload_client_ids = workload_identities(scope, args, self.oidc_issuer, group)
        granted = admins(scope, args, cluster, objects_follow=args.apply == "direct" and args.has_objects)
        reached = kubeconfig(scope, cluster, group)
        self._agent_pools = {one.key: made[one.name] for one in generations(args) if not one.is_previous}
        self._node_pools = self._apply(cluster, reached, [*identities.grants, *granted])
        named = [pool for key, pool in self._agent_pools.items() if args.pools[key].name is not None]  # an edit can replace these
        rotated = [pool for pool in self._agent_pools.values() if pool not in named]
        self.kubeconfig = after(reached, [*granted, *rotated, *self._node_pools.values()], named)
        recorded = {} if sent is None else {RECORD: sent.record(cluster)}
        self.register_outputs({output: getattr(self, output) for output in get_annotations(AksCluster)} | recorded)

    @property
    def agent_pools(self) -> Mapping[str, containerservice.AgentPool]:
        """The agent pools that are resources of their own, by their keys in `pools`; `system_pool` is part of the cluster.

        While a pool rotates with `previous`, this is the new one of its two resources.
        """
        return self._agent_pools

    @property
    def node_pools(self) -> Mapping[str, "CustomResource"]:
        """The NodePools of node auto provisioning that Pulumi applies, by their names: none with `apply="render"`."""
        return self._node_pools

    def render(self) -> pulumi.Output[str]:
        """The objects inside the cluster as YAML: those that Pulumi applies, or with `apply="render"`, leaves to other tools.

        Known once all references of the declaration are known. `nodepools render` writes the same without running the program.
        """
        from nodepools.kubernetes.provider import rendered_objects

        return rendered_objects(self._scope, self._args)

    def _apply(
        self, cluster: containerservice.ManagedCluster, kubeconfig: pulumi.Output[str], rights: Sequence[pulumi.Input[pulumi.Resource]]
    ) -> "Mapping[str, CustomResource]":
        if self._args.apply != "direct" or not self._args.has_objects:
            return {}
        from nodepools.aks.cluster_objects import in_cluster_objects  # imports the Kubernetes SDK, which is needed for objects only

        pools = self._agent_pools
        return in_cluster_objects(self._scope, self._args, cluster, cluster_name=self.name, kubeconfig=kubeconfig, rights=rights, pools=pools)


def _provider(parent: pulumi.Resource, name: str, args: AksClusterArgs) -> Provider | None:
    """A provider for the declared subscription. It uses the credentials of the environment and no settings of the stack."""
    if args.subscription_id is None:
        return None
    return Provider(f"{name}-azure", subscription_id=args.subscription_id, opts=pulumi.ResourceOptions(parent=parent))


def _resource_group(scope: ChildScope, args: AksClusterArgs) -> pulumi.Input[str]:
    if args.resource_group is not None:
        return scope.value(args.resource_group)
    return resources.ResourceGroup(
        scope.stem, resource_group_name=scope.stem, location=args.location, tags=dict(scope.tags), opts=scope.options(protect=args.is_protected)
    ).name


def _subnets(scope: ChildScope, args: AksClusterArgs, group: pulumi.Input[str]) -> Subnets:
    network = args.applied_network
    if isinstance(network, ManagedAksNetwork):
        return NO_SUBNETS
    if not isinstance(network, AksNetworkArgs):
        return existing_subnets(scope, network)
    with as_checked(network):
        opts = scope.component_options()
        made = AksNetwork(
            scope.stem, network, resource_group_name=group, location=args.location, tags=dict(args.tags), protect=args.is_protected, opts=opts
        )
    return subnets_of(made)


def _endpoint(cluster: containerservice.ManagedCluster, *, private: bool) -> pulumi.Output[str]:
    host = cluster.private_fqdn if private else cluster.fqdn
    return host.apply(lambda known: f"https://{known}")


def _pool_names(args: AksClusterArgs) -> dict[str, str]:
    first = {SYSTEM: first_pool_name(args)} if args.system_pool is not None else {}
    return {name: name for name in args.applied_node_pools} | {key: pool_name(args, key) for key in args.pools} | first


def cluster_arguments(
    stem: str,
    args: AksClusterArgs,
    *,
    identity_id: object,
    system_subnet_id: object,
    pod_subnet_id: object = None,
    kubelet: KubeletIds | None = None,
    egress: Sequence[object] = (),
    resolve: Resolve = lambda ref: ref,
) -> dict[str, object]:
    """All arguments except the name of the resource group."""
    system = AgentPoolContext(SYSTEM, version=None, subnet_id=system_subnet_id, tags=args.tags, pod_subnet_id=pod_subnet_id)
    made = write(CLUSTER, args, AksClusterContext(stem, args, identity_id, system, kubelet, tuple(egress)), spell=python_name, resolve=resolve)
    if args.system_pool is None:
        return merge_overrides(made, args.overrides, resolve)
    [pool] = cast("list[dict[str, object]]", made["agent_pool_profiles"])
    inside = [merge_overrides(pool, args.system_pool.overrides, resolve)]
    return merge_overrides({**made, "agent_pool_profiles": inside}, args.overrides, resolve)


def agent_pools(
    scope: ChildScope,
    args: AksClusterArgs,
    cluster: containerservice.ManagedCluster,
    resource_group: pulumi.Input[str],
    subnets: Subnets,
    *,
    api: sent_with.Api = sent_with.DEFAULT,
) -> Mapping[str, containerservice.AgentPool]:
    """Registers the pools in order and returns them by their names in Azure.

    The name of a pool, in Pulumi and in Azure, contains its generation: a change of an immutable field creates another pool before the old
    one is deleted. AKS rejects a second pool operation while one runs (409), so each pool depends on all pools before it: with the last one
    only, two pools that rotate together would be deleted in parallel. Pools are children of the component instead of the cluster, because
    `depends_on=[component]` does not include the children of a custom resource.

    The previous generation of a pool is registered after the current one, under its old name: it gets its taint once the new pool exists.
    """
    made: dict[str, containerservice.AgentPool] = {}
    for generation in generations(args):
        around = AgentPoolContext(
            generation.key,
            version=args.kubernetes_version,
            subnet_id=subnets.of(scope, generation.key, generation.pool),
            tags=args.tags,
            pod_subnet_id=subnets.pods,
            more_taints=(RETIRING,) if generation.is_previous else (),
        )
        arguments = agent_pool_arguments(generation.pool, around, resolve=scope.value)
        place = {"agent_pool_name": generation.name, "resource_group_name": resource_group, "resource_name_": cluster.name}
        made[generation.name] = sent_with.AgentPool(
            api,
            scope.name(generation.name),
            {**place, **with_secrets(arguments)},
            scope.options(
                depends_on=[cluster, *made.values()],
                ignore_changes=["count"] if generation.pool.scale else (),  # the autoscaler owns it
                timeouts=generation.pool.timeouts,
                retain=isinstance(generation.pool, SystemPool) and generation.pool.retain,
            ),
        )
    return made


def maintenance_configurations(
    scope: ChildScope,
    declared: MaintenanceConfigurations,
    cluster: containerservice.ManagedCluster,
    resource_group: pulumi.Input[str],
    *,
    api: sent_with.Api = sent_with.DEFAULT,
) -> Sequence[containerservice.MaintenanceConfiguration]:
    """Registers the maintenance configurations. They depend on the cluster, and nothing depends on them."""
    return [
        sent_with.MaintenanceConfiguration(
            api,
            scope.name(name),
            {"config_name": name, "resource_group_name": resource_group, "resource_name_": cluster.name, **arguments},
            scope.options(depends_on=[cluster]),
        )
        for name, arguments in maintenance_arguments(declared).items()
    ]


def maintenance_arguments(declared: MaintenanceConfigurations) -> dict[str, dict[str, object]]:
    """Arguments by the name of the configuration."""
    return {name: write(CONFIGURATION, window, spell=python_name) for name, window in declared.by_name().items()}


Cluster: TypeAlias = containerservice.ManagedCluster
_KUBELET = "kubeletidentity"
_ROUTING = "webAppRouting"
"""Key of the application routing add-on, which has a profile of its own."""


def cluster_principal(cluster: Cluster, identities: Identities) -> pulumi.Output[str]:
    """Object id of the identity of the cluster."""
    if identities.principal_id is not None:
        return pulumi.Output.from_input(identities.principal_id).apply(text)
    return known_after_creation(cluster, lambda created: cast("pulumi.Output[Any]", created.identity).apply(_principal))


def kubelet_ids(scope: ChildScope, args: AksClusterArgs, cluster: Cluster, identities: Identities) -> tuple[pulumi.Output[str], pulumi.Output[str]]:
    """Client id and object id of the identity of the nodes."""
    declared, created = args.kubelet_identity, identities.kubelet
    if created is not None:
        ids = (created.client_id, created.object_id)
    elif declared is not None and declared.client_id is not None and declared.object_id is not None:
        ids = (scope.value(declared.client_id), scope.value(declared.object_id))
    else:
        return _of_kubelets(cluster, "client_id"), _of_kubelets(cluster, "object_id")
    client, object_ = (pulumi.Output.from_input(cast("pulumi.Input[str]", one)).apply(text) for one in ids)
    return client, object_


def add_on_ids(cluster: Cluster, name: str) -> pulumi.Output[dict[str, str]]:
    """One id of the identity of each add-on that has one: `client_id` or `object_id`."""
    return known_after_creation(
        cluster,
        lambda created: created.addon_profiles.apply(
            lambda profiles: created.ingress_profile.apply(lambda ingress: dict(_of_add_ons(profiles, ingress, name)))
        ),
    )


def outbound_ids(cluster: Cluster) -> pulumi.Output[list[str]]:
    """Ids of the public IP addresses of outbound connections, of the load balancer or of a NAT gateway that AKS manages."""
    return known_after_creation(cluster, lambda created: created.network_profile.apply(lambda profile: list(_addresses(profile))))


def _principal(identity: object) -> str:
    """That of the identity that AKS assigns, or of the user-assigned one."""
    if not isinstance(identity, Mapping):
        return ""
    held = cast("Mapping[str, object]", identity)
    assigned = held.get("userAssignedIdentities")
    entries = list(cast("Mapping[str, object]", assigned).values()) if isinstance(assigned, Mapping) else []
    mappings = [cast("Mapping[str, object]", one) for one in (held, *entries) if isinstance(one, Mapping)]
    return next((found for one in mappings if (found := text(one.get("principalId")))), "")


def _of_kubelets(cluster: Cluster, name: str) -> pulumi.Output[str]:
    return known_after_creation(
        cluster, lambda created: created.identity_profile.apply(lambda profile: text(getattr((profile or {}).get(_KUBELET), name, None)))
    )


def _of_add_ons(
    profiles: Mapping[str, containerservice.outputs.ManagedClusterAddonProfileResponse] | None,
    ingress: containerservice.outputs.ManagedClusterIngressProfileResponse | None,
    name: str,
) -> Iterator[tuple[str, str]]:
    identities: dict[str, object] = {add_on: profile.identity for add_on, profile in (profiles or {}).items()}
    if ingress is not None and ingress.web_app_routing is not None:
        identities[_ROUTING] = ingress.web_app_routing.identity
    for add_on, identity in identities.items():
        if found := text(getattr(identity, name, None)):
            yield add_on, found


def _addresses(profile: containerservice.outputs.ContainerServiceNetworkProfileResponse | None) -> Iterator[str]:
    if profile is None:
        return
    for gateway in (profile.load_balancer_profile, profile.nat_gateway_profile):
        effective: Iterable[object] = (gateway.effective_outbound_ips if gateway is not None else None) or ()
        yield from (text(getattr(address, "id", None)) for address in effective)


NOWHERE = "apiVersion: v1\nkind: Config\nclusters: []\ncontexts: []\nusers: []\n"
"""A kubeconfig without clusters. With an empty text the provider would use the current cluster of the machine."""


def kubeconfig(scope: ChildScope, cluster: containerservice.ManagedCluster, resource_group: pulumi.Input[str]) -> pulumi.Output[str]:
    """The user kubeconfig, as a secret.

    The invoke depends on an output of the cluster, so that it runs after the cluster exists. That output is the name only: in the preview of
    an update all other outputs are unknown, and every in-cluster object would show as replaced.

    The result depends on the arguments in previews too. There the invoke of a new cluster has no result, and an unknown result loses what it
    depends on: `pulumi up --plan` would then reject the dependencies of the Kubernetes provider.
    """
    found = containerservice.list_managed_cluster_user_credentials_output(
        resource_group_name=resource_group,
        resource_name=cluster.name,
        format="exec",
        opts=pulumi.InvokeOutputOptions(parent=scope.parent, provider=scope.provider, depends_on=[cluster]),
    )
    with_arguments = pulumi.Output.all(found, resource_group, cluster.name)
    return pulumi.Output.secret(with_arguments.apply(lambda known: _first_kubeconfig(known[0])))


def _first_kubeconfig(credentials: containerservice.ListManagedClusterUserCredentialsResult) -> str:
    """The only kubeconfig of the response; one without clusters if Pulumi mocks return none."""
    answered = cast("Sequence[containerservice.outputs.CredentialResultResponse] | None", credentials.kubeconfigs)
    return environment_logs_in(base64.b64decode(answered[0].value).decode()) if answered else NOWHERE


def environment_logs_in(text: str) -> str:
    """A kubeconfig whose `kubelogin` reads its login method from the environment (`AAD_LOGIN_METHOD`) instead of an argument.

    AKS writes `--login devicecode`, which waits for a user with a browser. A kubeconfig without exec, as clusters without
    Entra ID have it, is returned unchanged.
    """
    config = cast("dict[str, object]", yaml.load(text, LOADER))  # noqa: S506  # a safe loader, in C where it is there
    users = cast("Sequence[dict[str, dict[str, object]]]", config.get("users") or ())
    commands = [cast("dict[str, object]", user["user"]["exec"]) for user in users if "exec" in user["user"]]
    if not commands:
        return text
    for command in commands:
        command["args"] = list(_without_login(cast("Sequence[str]", command.get("args") or ())))
    return yaml.dump(config, Dumper=TextDumper, sort_keys=False)


def _without_login(arguments: Sequence[str]) -> Iterator[str]:
    left = iter(arguments)
    for argument in left:
        if argument in ("--login", "-l"):
            next(left, None)
        elif not argument.startswith("--login="):
            yield argument
