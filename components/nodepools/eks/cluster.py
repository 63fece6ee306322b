"""An EKS cluster in Auto Mode with all its pools."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, cast

import pulumi
from pulumi_aws import cloudwatch, eks, iam, kms
from pulumi_aws.eks.outputs import ClusterIdentity, ClusterVpcConfig

from nodepools.component.errors import reject_arguments, reject_invalid, unless_failed
from nodepools.component.scope import after, one_at_a_time, with_secrets
from nodepools.eks.cluster_context import ClusterContext
from nodepools.eks.iam_roles import NodeRoles, cluster_role, node_roles, pod_role
from nodepools.eks.network import network_location
from nodepools.model.eks.access import AccessEntry, AccessPolicy, AddOn
from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.model.eks.node_class_names import admin_word
from nodepools.model.redaction import has_secret
from nodepools.model.ref import Ref
from nodepools.wire.eks.access import ADD_ON, ENTRY, IDENTITY_PROVIDER, POD_IDENTITY, POLICY
from nodepools.wire.eks.cluster import CLUSTER, LOG_GROUP, SECRETS_KEY, EksClusterContext, kubeconfig, log_group_name
from nodepools.wire.overrides import merge_overrides
from nodepools.wire.reading import write
from nodepools.wire.table import python_name

if TYPE_CHECKING:
    from pulumi_kubernetes.apiextensions import CustomResource


def log_group(site: ClusterContext) -> Sequence[pulumi.Resource]:
    """Creates the log group, on which the cluster depends: EKS creates a missing one without retention and without a key."""
    declared = site.args.logs
    if declared.existing:
        return ()
    sent = write(LOG_GROUP, declared, site.args.cluster_name(site.scope.stem), spell=python_name, resolve=site.scope.value)
    return [
        cloudwatch.LogGroup(
            site.scope.name("logs"),
            **sent,  # type: ignore[arg-type]  # its arguments
            region=site.args.region,
            tags=dict(site.scope.tags),
            opts=site.scope.options(),
        )
    ]


def keys_of_secrets(site: ClusterContext) -> Sequence[pulumi.Input[str]]:
    """ARNs of the existing key and of the one that is created, which is protected like the cluster: the first is sent.

    EKS goes on with the first key that a cluster ever had, so a created one stays for as long as it is declared.
    """
    args, declared = site.args, site.args.new_secrets_key
    existing = [site.scope.value(args.secrets_key)] if args.secrets_key is not None else []
    if declared is None:
        return existing
    made = kms.Key(
        site.scope.name("secrets-key"),
        **write(SECRETS_KEY, declared, args.cluster_name(site.scope.stem), spell=python_name),  # type: ignore[arg-type]  # its arguments
        region=args.region,
        tags=dict(site.scope.tags),
        opts=site.scope.options(protect=args.is_protected),
    )
    return [*existing, made.arn]


_OUTPUTS: Final = (
    *("name", "endpoint", "kubeconfig", "oidc_issuer", "oidc_provider_arn", "cluster_role", "node_role", "class_node_role", "pod_identity_roles"),
    *("cluster_security_group", "vpc_id", "private_subnet_ids", "log_group", "pools"),
)


class EksCluster(pulumi.ComponentResource):
    """A cluster with its network, roles, access entries, NodeClasses and NodePools: an empty account is enough.

    Resources are deleted in reverse order: NodePools and NodeClasses first, while their nodes can still drain; then access, cluster, roles, network.
    """

    name: pulumi.Output[str]
    """Name of the cluster in AWS."""
    endpoint: pulumi.Output[str]
    """URL of the API server."""
    kubeconfig: pulumi.Output[str]
    """Secret. Logs in with the AWS CLI. A resource that uses it, such as a Kubernetes provider, is created after the NodePools and the access of
    the admins, and deleted before them."""
    oidc_issuer: pulumi.Output[str]
    """URL of the identity provider of its service accounts."""
    oidc_provider_arn: pulumi.Output[str | None]
    """ARN of the IAM identity provider of its service accounts, with `oidc_provider=True`."""
    node_role: pulumi.Output[str | None]
    """ARN of the node role of its built-in NodePools, if one is enabled."""
    class_node_role: pulumi.Output[str | None]
    """ARN of the node role of its NodeClasses without a role of their own, if there are any."""
    cluster_role: pulumi.Output[str]
    """ARN of the role of its control plane."""
    cluster_security_group: pulumi.Output[str]
    """Id of the security group that EKS creates, `eks-cluster-sg-…`: nodes of Auto Mode have it unless their NodeClass selects others. Databases
    and file systems let it in."""
    vpc_id: pulumi.Output[str]
    """Id of its VPC."""
    private_subnet_ids: pulumi.Output[Sequence[str]]
    """Ids of the subnets of its nodes."""
    log_group: pulumi.Output[str]
    """Name of the CloudWatch log group of its control plane logs."""
    pod_identity_roles: pulumi.Output[Mapping[str, str]]
    """ARNs of the roles of its pod identities, by key: to attach more policies to a role that was created."""
    pools: pulumi.Output[Mapping[str, str]]
    """Names of the NodePools by key, including the built-in ones."""

    @one_at_a_time
    def __init__(self, name: str, args: EksClusterArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        """Registers the cluster.

        Args:
            name: name of the cluster, and prefix of all names in Pulumi and in AWS.
            args: the declaration.
            opts: options of the component; all resources use a provider in them, unless `args.account` is set.

        Raises:
            InvalidDeclarationError: the declaration has errors. Nothing is registered.
            WrongArgumentError: `args` are not a declaration.
        """
        reject_invalid(args, EksClusterArgs, "EksCluster", name)
        of_identities = (
            (f"pod_identities.{key}.overrides", one.overrides, eks.PodIdentityAssociationArgs) for key, one in args.pod_identities.items()
        )
        reject_arguments(("overrides", args.overrides, eks.ClusterArgs), *of_identities)
        super().__init__("nodepools:index:EksCluster", name, {}, opts)
        self._site = site = ClusterContext.of(self, name, args)
        keys = keys_of_secrets(site)
        place, control, nodes = network_location(site), cluster_role(site, keys), node_roles(site)
        built_in = nodes.built_in.arn if nodes.built_in is not None else None
        around = EksClusterContext(name, control.arn, built_in, place.control_plane_subnets, keys[0] if keys else None)
        cluster = eks.Cluster(
            name,
            **with_secrets(cluster_arguments(args, around, resolve=site.scope.value)),
            opts=site.scope.options(
                depends_on=[
                    *control.policies,
                    *nodes.policies,
                    *place.egress,
                    *log_group(site),
                ],  # nodes of built-in NodePools are created and deleted with the cluster
                # EKS reads them only at creation: a change of them would replace an existing cluster (C4, C48).
                ignore_changes=[".".join(map(str, way.wire)) for way in CLUSTER.leaves if way.change is not None and way.change.ignored],
                protect=args.is_protected,
                timeouts=args.timeouts,
            ),
        )
        admins, admitted = admit_admins(site, cluster), admit_nodes(site, cluster, nodes)
        self.name, self.endpoint = cluster.name, cluster.endpoint
        reached = _kubeconfig(site, cluster)
        self.oidc_issuer = cluster.identities.apply(_issuer)
        self.oidc_provider_arn = identity_provider(site, self.oidc_issuer)
        admit_users_of_provider(site, cluster)
        self.node_role = pulumi.Output.from_input(built_in)
        self.class_node_role = pulumi.Output.from_input(nodes.shared.arn if nodes.shared is not None else None)
        self.cluster_role = pulumi.Output.from_input(control.arn)
        self.cluster_security_group = cluster.arn.apply(lambda _: cluster.vpc_config).apply(_security_group)
        self.vpc_id = pulumi.Output.from_input(place.vpc_id)
        self.private_subnet_ids = pulumi.Output.all(*place.private_subnet_ids)
        self.log_group = cluster.name.apply(log_group_name)
        self.pod_identity_roles = cast("pulumi.Output[Mapping[str, str]]", pulumi.Output.from_input(dict(give_pod_identities(site, cluster))))
        pools: dict[str, pulumi.Input[str]] = {key: key for key in (*args.auto_mode.built_in_node_pools, *args.auto_mode.node_pools)}
        made: Mapping[str, CustomResource] = {}
        sent: Mapping[str, pulumi.Output[str]] = {}
        if args.apply == "direct" and args.has_objects:
            from nodepools.eks.cluster_objects import (  # imports the Kubernetes SDK, which is needed for objects only
                ClusterConnection,
                register_objects,
            )
            from nodepools.kubernetes.provider import object_name

            made = register_objects(site, ClusterConnection(cluster, reached, admins, place, nodes, admitted))
            sent = {key: object_name(pool) for key, pool in made.items()}
            pools |= sent
        install_add_ons(site, cluster, made.values())
        self._node_pools = made
        self.kubeconfig = after(reached, [*admins, *made.values()])
        complete = unless_failed(None, {site.scope.name(key): name for key, name in sent.items()})
        self.pools = cast(
            "pulumi.Output[Mapping[str, str]]", pulumi.Output.all(pulumi.Output.from_input(pools), complete).apply(lambda both: both[0])
        )
        self.register_outputs({output: getattr(self, output) for output in _OUTPUTS})

    @property
    def node_pools(self) -> Mapping[str, "CustomResource"]:
        """The NodePools that Pulumi applies, by their keys: built-in ones are part of the cluster, and with `apply="render"` there are none."""
        return self._node_pools

    def render(self) -> pulumi.Output[str]:
        """The objects inside the cluster as YAML: those that Pulumi applies, or with `apply="render"`, leaves to other tools.

        Known once all references of the declaration are known. `nodepools render` writes the same without running the program.
        """
        from nodepools.kubernetes.provider import rendered_objects

        return rendered_objects(self._site.scope, self._site.args)


def _issuer(identities: Sequence[ClusterIdentity] | None) -> str:
    """The issuer URL, which every cluster has; empty with mocks that return the inputs."""
    return next((oidc.issuer for identity in identities or () for oidc in identity.oidcs or () if oidc.issuer is not None), "")


def _security_group(known: ClusterVpcConfig) -> str:
    """The id, which AWS sets in a part that is sent; empty with mocks that return the inputs.

    It is read after the ARN, which no preview of a new cluster knows: there, the id would be `None`.
    """
    return known.cluster_security_group_id if known.cluster_security_group_id is not None else ""


def _kubeconfig(site: ClusterContext, cluster: eks.Cluster) -> pulumi.Output[str]:
    """Uses outputs of the cluster only, so that an update of the cluster does not change in-cluster objects."""
    account, region = site.args.account, site.args.region
    role = site.scope.value(account.role_arn) if account is not None and account.role_arn is not None else None
    profile = account.profile if account is not None else None
    authority = cluster.certificate_authority.apply(lambda known: known.data if known else "")  # missing with mocks that return the inputs
    known = pulumi.Output.all(cluster.name, cluster.endpoint, authority, role)
    return pulumi.Output.secret(known.apply(lambda k: kubeconfig(k[0], k[1], k[2], region, profile=profile, role_arn=k[3])))


Resolve = Callable[[Ref], object]
"""Returns the value of a reference."""


def cluster_arguments(args: EksClusterArgs, around: EksClusterContext, *, resolve: Resolve) -> dict[str, object]:
    """A cluster in Auto Mode: its three switches are plain values, because the provider treats an unknown value as "off" (C1, C2).

    Args:
        args: the declaration.
        around: values that are not part of the declaration.
        resolve: returns the value of a reference.
    """
    return merge_overrides(write(CLUSTER, args, around, spell=python_name, resolve=resolve), args.overrides, resolve)


_ADMIN_POLICY = (AccessPolicy("AmazonEKSClusterAdminPolicy"),)
_NODE = (AccessPolicy("AmazonEKSAutoNodePolicy"),)
"""The access policy for the type `EC2`; `EC2_LINUX` is for nodes outside Auto Mode."""


def admit_admins(site: ClusterContext, cluster: eks.Cluster) -> list[pulumi.Resource]:
    """Gives each admin the cluster-admin policy, and other principals their declared policies.

    In-cluster objects are created after these entries and deleted before them: the identity that runs Pulumi can be one of the principals.
    """
    made: list[pulumi.Resource] = []
    for place, admin in enumerate(site.args.admins, start=1):
        made += _admit_with(site, cluster, f"admin-{admin_word(admin, place)}", AccessEntry(principal=admin, policies=_ADMIN_POLICY))
    for key, declared in site.args.access_entries.items():
        entry = _access_entry(site, cluster, f"entry-{key}", declared)
        made += [entry, *(_associate_policies(site, f"entry-{key}-{policy.name}", entry, cluster, policy) for policy in declared.policies)]
    return made


def _access_entry(site: ClusterContext, cluster: eks.Cluster, word: str, declared: AccessEntry) -> eks.AccessEntry:
    return eks.AccessEntry(
        site.scope.name(word),
        **write(ENTRY, declared, spell=python_name, resolve=site.scope.value),  # type: ignore[arg-type]  # its arguments
        cluster_name=cluster.name,
        region=site.args.region,
        tags=dict(site.scope.tags),
        opts=site.scope.options(),
    )


def _associate_policies(
    site: ClusterContext, word: str, entry: eks.AccessEntry, cluster: eks.Cluster, policy: AccessPolicy
) -> eks.AccessPolicyAssociation:
    return eks.AccessPolicyAssociation(
        site.scope.name(word),
        **write(POLICY, policy, site.access_policy(policy.name), spell=python_name, resolve=site.scope.value),  # type: ignore[arg-type]  # its arguments
        cluster_name=cluster.name,
        principal_arn=entry.principal_arn,
        region=site.args.region,
        opts=site.scope.options(depends_on=[entry]),
    )


def admit_nodes(site: ClusterContext, cluster: eks.Cluster, roles: NodeRoles) -> Mapping[str, pulumi.Resource]:
    """Gives access to the nodes of every NodeClass, with one entry for each role. Returns the policy association by NodeClass.

    The role of the built-in NodePools, which can also be an existing role of NodeClasses, is skipped: EKS creates its entry and rejects a second one.
    """
    made: dict[str, pulumi.Resource] = {}
    admitted: dict[str, pulumi.Resource] = {}
    for key, role in roles.classes.items():
        if role is roles.built_in:
            continue
        if role.name not in made:
            declared = AccessEntry(principal=cast("Ref", role.arn), type="EC2", policies=_NODE)  # text, or an Output
            [_, made[role.name]] = _admit_with(site, cluster, f"access-{role.name}", declared)
        admitted[key] = made[role.name]
    return admitted


def _admit_with(site: ClusterContext, cluster: eks.Cluster, word: str, declared: AccessEntry) -> list[pulumi.Resource]:
    """An entry with one policy, which is not part of the resource names."""
    entry = _access_entry(site, cluster, word, declared)
    return [entry, *(_associate_policies(site, f"{word}-policy", entry, cluster, policy) for policy in declared.policies)]


def give_pod_identities(site: ClusterContext, cluster: eks.Cluster) -> Mapping[str, pulumi.Input[str]]:
    """Associates roles with service accounts; Auto Mode includes the agent. Returns the ARN of each role."""
    roles: dict[str, pulumi.Input[str]] = {}
    for key, declared in site.args.pod_identities.items():
        target = site.scope.value(declared.target_role) if declared.target_role is not None else None
        role = pod_role(site, declared, "pod", key, target=target)
        roles[key] = role.arn
        made = write(POD_IDENTITY, declared, role.arn, spell=python_name, resolve=site.scope.value)
        placed = {**made, "cluster_name": cluster.name, "region": site.args.region, "tags": dict(site.scope.tags)}
        eks.PodIdentityAssociation(
            site.scope.name("pod-identity", key),
            **with_secrets(merge_overrides(placed, declared.overrides, site.scope.value)),
            opts=site.scope.options(depends_on=role.policies),
        )
    return roles


def install_add_ons(site: ClusterContext, cluster: eks.Cluster, pools: Iterable[pulumi.Resource]) -> None:
    """Installs the declared add-ons, after the `pools` whose nodes they wait for, and after the roles of their pods."""
    hosts = list(pools)
    for name, declared in site.args.add_ons.items():
        roles = {account: pod_role(site, role, "add-on", name, account) for account, role in declared.pod_identity.items()}
        eks.Addon(
            site.scope.name("add-on", name),
            cluster_name=cluster.name,
            addon_name=name,
            **_add_on_arguments(site, declared, {account: role.arn for account, role in roles.items()}),
            region=site.args.region,
            tags=dict(site.scope.tags),
            opts=site.scope.options(depends_on=[*hosts, *(policy for role in roles.values() for policy in role.policies)]),
        )


def _add_on_arguments(site: ClusterContext, declared: AddOn, roles: Mapping[str, pulumi.Input[str]]) -> dict[str, Any]:
    """The configuration is one text: all of it is secret if it contains a secret."""
    made = write(ADD_ON, declared, roles, spell=python_name, resolve=site.scope.value)
    if has_secret(declared.configuration):
        made["configuration_values"] = pulumi.Output.secret(made["configuration_values"])
    return with_secrets(made)


def admit_users_of_provider(site: ClusterContext, cluster: eks.Cluster) -> None:
    """Associates the declared provider. EKS takes one: a replaced one is deleted before the new one is created."""
    if site.args.identity_provider is not None:
        eks.IdentityProviderConfig(
            site.scope.name("identity-provider"),
            **write(IDENTITY_PROVIDER, site.args.identity_provider, spell=python_name, resolve=site.scope.value),  # type: ignore[arg-type]  # its arguments
            cluster_name=cluster.name,
            region=site.args.region,
            tags=dict(site.scope.tags),
            opts=pulumi.ResourceOptions.merge(site.scope.options(), pulumi.ResourceOptions(delete_before_replace=True)),
        )


def identity_provider(site: ClusterContext, issuer: pulumi.Output[str]) -> pulumi.Output[str | None]:
    """ARN of the identity provider that roles can trust, if it is declared."""
    if not site.args.oidc_provider:
        return pulumi.Output.from_input(None)
    made = iam.OpenIdConnectProvider(
        site.scope.name("oidc"), url=issuer, client_id_lists=["sts.amazonaws.com"], tags=dict(site.scope.tags), opts=site.scope.options()
    )
    return made.arn.apply(lambda arn: arn)
