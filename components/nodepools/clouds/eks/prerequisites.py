"""What the first `pulumi up` of an EKS cluster needs, and the commands that export one."""

from collections.abc import Iterator, Mapping, Sequence
from shlex import quote
from typing import Final

from nodepools.clouds.cloud import Prerequisites
from nodepools.clouds.eks.resources import EksResources
from nodepools.clouds.item import What
from nodepools.clouds.rows import Place, kubectl, words
from nodepools.model.eks.cluster import EksClusterArgs, EksNetworkArgs
from nodepools.placement.node_pools import ClusterPools
from nodepools.wire.eks.cluster import log_group_name

_CAPACITY: Final[Mapping[What, str]] = {"vcpus": "on-demand", "spot_vcpus": "spot"}
"""Counters of vCPUs, in words."""


def eks_prerequisites(cluster: EksClusterArgs, pools: ClusterPools) -> Prerequisites:
    """The AWS CLI for tokens, IAM permissions, and quota of VPCs and vCPUs. The AWS CLI finds its own credentials."""
    return Prerequisites(("aws",), (), (*_account(cluster), *_vcpus(cluster, pools)))


def _account(cluster: EksClusterArgs) -> Iterator[tuple[str, str]]:
    """IAM permissions, and quota."""
    yield "role", "eks:*, iam:PassRole, and EC2 networking in the region"
    if _makes_roles(cluster):
        yield "role", f"iam:CreateRole and iam:AttachRolePolicy for the path {cluster.iam_path}"
    if not cluster.logs.existing:
        yield "role", "logs:CreateLogGroup, logs:PutRetentionPolicy, logs:DescribeLogGroups, logs:DeleteLogGroup and logs:TagResource"
    if cluster.logs.kms_key is not None and not cluster.logs.existing:
        yield "role", "logs:AssociateKmsKey and logs:DisassociateKmsKey; the policy of the key of the logs must allow CloudWatch Logs to use it"
    if cluster.secrets_key is not None:
        yield "role", "kms:DescribeKey and kms:CreateGrant on the key of the secrets"
    if cluster.new_secrets_key is not None:
        yield "role", "kms:CreateKey, kms:EnableKeyRotation, kms:DescribeKey, kms:CreateGrant, kms:TagResource and kms:ScheduleKeyDeletion"
    if isinstance(cluster.network, EksNetworkArgs):
        gateways = {"per-zone": "one per zone", "single": "1", None: "0"}[cluster.network.nat]
        yield "quota", f"1 VPC in {cluster.region}; NAT gateways and Elastic IPs: {gateways}"


def _vcpus(cluster: EksClusterArgs, pools: ClusterPools) -> Iterator[tuple[str, str]]:
    """The vCPUs that NodePools can launch, by quota; quotas of which they can need any number share one text."""
    unbounded: list[str] = []
    for use in EksResources(cluster, pools, {}).uses():
        if use.counter.what in _CAPACITY:
            instances = f"{_CAPACITY[use.counter.what]} `{use.counter.name}`"
            most = use.needs.maximum
            if most is None:
                unbounded.append(f"{instances}{f' ({use.needs})' if use.needs.minimum else ''}")
            elif most:
                yield "quota", f"vCPUs of {instances} instances in {cluster.region}: {use.needs if use.needs.minimum else f'at most {most:,}'}"
    if unbounded:
        yield "quota", f"vCPUs without an upper bound, for NodePools without `limits`, in {cluster.region}: {', '.join(unbounded)}"


def _makes_roles(cluster: EksClusterArgs) -> bool:
    mode = cluster.auto_mode
    of_pods = [*cluster.pod_identities.values(), *(role for add_on in cluster.add_ons.values() for role in add_on.pod_identity.values())]
    of_nodes = cluster.node_role is None and (mode.built_in_node_pools or mode.shares_a_role)
    return (
        cluster.cluster_role is None
        or bool(of_nodes)
        or any([*(declared.create_role for _, _, declared in mode.all_classes()), *(role.role is None for role in of_pods)])
    )


_LISTS: Final[Sequence[tuple[str, str, str, Sequence[str]]]] = (
    ("list-access-entries", "accessEntries[]", "--principal-arn ", ("describe-access-entry", "list-associated-access-policies")),
    ("list-addons", "addons[]", "--addon-name ", ("describe-addon",)),
    ("list-pod-identity-associations", "associations[].associationId", "--association-id ", ("describe-pod-identity-association",)),
    (
        *("list-identity-provider-configs", "identityProviderConfigs[].name", "--identity-provider-config type=oidc,name="),
        ("describe-identity-provider-config",),
    ),
)
"""Commands that list, with what they list, and the option and the commands for each of it."""


def eks_commands(cluster: EksClusterArgs, place: Place) -> Iterator[str]:
    """The cluster, its access, its add-ons, its log group, its created key and its objects. What is listed by name is described in a loop."""
    name = cluster.cluster_name(place.stem)
    profile = ["--profile", cluster.account.profile] if cluster.account is not None and cluster.account.profile is not None else []
    rest = words(["--output", "json", "--region", cluster.region, *profile])
    of_cluster = f"--cluster-name {quote(name)}"
    yield f"aws eks describe-cluster --name {quote(name)} {rest} > {place.folder}/describe-cluster.json"
    for kind, listed, option, of_each in _LISTS:
        file = f"{place.folder}/{kind}.json"
        yield f"aws eks {kind} {of_cluster} {rest} > {file}"
        names = f"aws eks {kind} {of_cluster} {words(['--region', cluster.region, *profile])} --output text --query '{listed}'"
        each = " ".join(f'aws eks {one} {of_cluster} {option}"$one" {rest} > {place.folder}/{one}-$n.json;' for one in of_each)
        yield f"n=0; for one in $({names}); do {each} n=$((n+1)); done"
    group = quote(log_group_name(name))
    yield f"aws logs describe-log-groups --log-group-name-prefix {group} {rest} > {place.folder}/describe-log-groups.json"
    described = f"aws eks describe-cluster --name {quote(name)} {words(['--region', cluster.region, *profile])} --output text --query"
    if cluster.new_secrets_key is not None:
        key = f"$({described} 'cluster.encryptionConfig[0].provider.keyArn')"
        for one in ("describe-key", "get-key-rotation-status"):
            yield f'aws kms {one} --key-id "{key}" {rest} > {place.folder}/{one}.json'
    yield kubectl("nodepools,nodeclasses,nodes", f'"$({described} cluster.arn)"', place)
