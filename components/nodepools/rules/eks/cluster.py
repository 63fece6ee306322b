"""EKS clusters with Auto Mode: names, ARNs, versions, networks, logs and settings. Facts: docs/facts/eks.md § 7, § 16."""

import re
from collections.abc import Iterator, Sequence
from ipaddress import IPv4Network
from typing import Final, cast

from nodepools.data.limits import EKS_SECURITY_GROUPS
from nodepools.keys import eks as keys
from nodepools.model.cidr import PRIVATE_RANGES, inside, overlap
from nodepools.model.derive import derive
from nodepools.model.eks.cluster import REFUSED_ZONES, EksClusterArgs, EksNetworkArgs, ExistingEksNetwork, LogGroup, NewKey, most_zones, zone_place
from nodepools.model.eks.node_class import EksNodeClass
from nodepools.model.karpenter import Requirement
from nodepools.model.listing import as_code
from nodepools.model.platform import Platform
from nodepools.model.ref import Ref
from nodepools.model.steps import Step
from nodepools.rules.eks.node_classes import is_aws_id
from nodepools.rules.engine.finding import Fix, FixLike, PartFinding, literal, ref, remove, rename, set_to
from nodepools.rules.engine.registry import (
    FILES_WITHOUT_NETWORK,
    LOG_GROUPS,
    NAMES_OF_RESOURCES,
    NETWORKS,
    PLATFORMS,
    Limit,
    Where,
    error,
    finding,
    limited,
    sample,
    warning,
)
from nodepools.rules.engine.samples import auto_mode, eks, eks_pool, platform

_LETTER: Final = re.compile(r"([a-z]{2,3}(?:-[a-z]+)+-[0-9])([a-z])")
_PARTITIONS = {"cn-": "aws-cn", "us-gov-": "aws-us-gov"}
_SESSION = re.compile(r"arn:(?P<partition>[^:]+):sts::(?P<account>[^:]*):(?:assumed-role/(?P<role>[^/]+))?.*")
_ARN_KEY = re.compile(r"arn:([^:]+):kms:([^:]+):")
_NOT_CHECKED = ("us-iso", "eu-iso", "eusc-")
"""Regions of isolated and sovereign partitions, which are not checked."""


@error("EKS095", "https://docs.aws.amazon.com/IAM/latest/UserGuide/reference-arns.html: partition")
@sample("admins[0]", lambda: eks(region="us-gov-west-1", admins=["arn:aws:iam::111122223333:role/admins"]))
def arn_in_other_partition(cluster: EksClusterArgs) -> Iterator[PartFinding]:
    """Roles and keys are in the AWS partition of the cluster: `aws`, `aws-cn` and `aws-us-gov` have no access to each other."""
    own = partition(cluster.region)
    for at, value in _references(cluster):
        if isinstance(value, str) and value.startswith("arn:") and own is not None and value.split(":")[1] != own:
            message = f"`{value}` is in another AWS partition than {cluster.region}"
            yield finding(cluster, message, path=at, fix=f"Use an ARN that starts with `arn:{own}:`")


@error("EKS185", "EKS API reference, Provider (2026-11): the key is in the region of the cluster; KMS keys are regional")
@sample("secrets_key", lambda: eks(secrets_key="arn:aws:kms:eu-west-1:111122223333:key/0a1b2c3d"))
def key_in_other_region(cluster: EksClusterArgs) -> Iterator[PartFinding]:
    """A service uses the KMS keys of its own region only."""
    for at, value in _references(cluster):
        key = _ARN_KEY.match(value) if isinstance(value, str) else None
        if key is not None and key[1] == partition(cluster.region) and key[2] != cluster.region:
            message = f"AWS rejects the key `{value}`: it is in {key[2]}, and the cluster is in {cluster.region}"
            yield finding(cluster, message, path=at, fix=f"Use a key, or the replica of a key, in {cluster.region}")


@warning("EKS213", "nodepools: the key that exists is the one that is sent")
@sample("new_secrets_key", lambda: eks(secrets_key="arn:aws:kms:us-east-1:111122223333:key/0a1b2c3d", new_secrets_key=NewKey()))
def new_key_next_to_existing_one(cluster: EksClusterArgs) -> Iterator[PartFinding]:
    """A cluster has one key of secrets: the existing one, or one that is created."""
    if cluster.secrets_key is not None and cluster.new_secrets_key is not None:
        message = f"{ref('new_secrets_key')} has no effect: {ref('secrets_key')} is set too, and EKS uses that key"
        fix = "Remove one of the two; on an existing cluster, keep the one that it has: EKS cannot change the key"
        yield finding(cluster, message, path="new_secrets_key", fix=fix)


@error(
    "EKS177", "EKS API reference, CreateAccessEntry (2026-11): no STS session principals; IAM user guide: the ARN of a role begins with arn:aws:iam"
)
@sample("admins[0]", lambda: eks(admins=["arn:aws:sts::111122223333:assumed-role/team/ada"]))
def sts_session_as_principal(cluster: EksClusterArgs) -> Iterator[PartFinding]:
    """AWS accepts the ARNs of roles and users, not those of their sessions."""
    for at, value in _references(cluster):
        session = _SESSION.fullmatch(value) if isinstance(value, str) else None
        if session is not None:
            role = f"arn:{session['partition']}:iam::{session['account']}:role/"
            example = f"{role}{session['role']}" if session["role"] else f"{role}NAME"
            message = f"AWS rejects `{value}`: it is a session of AWS STS, not a role or a user"
            yield finding(cluster, message, path=at, fix=f"Use the ARN of the role with its path, such as `{example}`")


def partition(region: str) -> str | None:
    """The AWS partition of a region; `None` for isolated and sovereign partitions."""
    if region.startswith(_NOT_CHECKED):
        return None
    return next((partition for prefix, partition in _PARTITIONS.items() if region.startswith(prefix)), "aws")


def _references(cluster: EksClusterArgs) -> Iterator[tuple[tuple[Step, ...], object]]:
    """Every value that may be an ARN, with its path."""
    for field in ("cluster_role", "node_role", "permissions_boundary", "secrets_key"):
        yield (field,), getattr(cluster, field)
    yield from ((("admins", index), admin) for index, admin in enumerate(cluster.admins))
    yield from ((("access_entries", key, "principal"), entry.principal) for key, entry in cluster.access_entries.items())
    for key, identity in cluster.pod_identities.items():
        yield ("pod_identities", key, "role"), identity.role
        yield ("pod_identities", key, "target_role"), identity.target_role
        yield from ((("pod_identities", key, "policies", index), policy) for index, policy in enumerate(identity.policies))
    for field in ("cluster_policies", "node_policies"):
        yield from (((field, index), policy) for index, policy in enumerate(getattr(cluster, field)))
    yield ("logs", "kms_key"), cluster.logs.kms_key
    for key, add_on in cluster.add_ons.items():
        yield ("add_ons", key, "role"), add_on.role
        for account, role in add_on.pod_identity.items():
            at = ("add_ons", key, "pod_identity", account)
            yield (*at, "role"), role.role
            yield from (((*at, "policies", index), policy) for index, policy in enumerate(role.policies))
    yield from (
        (("auto_mode", "node_classes", key, "ephemeral_storage_kms_key_id"), declared.ephemeral_storage_kms_key_id)
        for key, declared in cluster.auto_mode.node_classes.items()
    )
    if cluster.objects.storage_class is not None:
        yield ("objects", "storage_class", "kms_key"), cluster.objects.storage_class.kms_key
    if cluster.account is not None:
        yield ("account", "role_arn"), cluster.account.role_arn


_ARN: Final = re.compile(r"arn:[^:]+:(?P<service>[^:]*):[^:]*:(?P<account>[^:]*):(?P<resource>.+)")
_ARNS: Final = {
    "role": ("an IAM role", "iam", ("role/",)),
    "principal": ("an IAM role or user", "iam", ("role/", "user/", "root")),
    "policy": ("an IAM policy", "iam", ("policy/",)),
    "key": ("a KMS key", "kms", ("key/", "alias/")),
}
"""What an ARN can be of: in words, the service, and the beginnings of the resource."""


@error(
    "EKS191", "Service authorization reference: ARNs of IAM and KMS; EKS API reference: roles of the account; access entries: no IAM groups (2026-11)"
)
@sample("permissions_boundary", lambda: eks(permissions_boundary="arn:aws:iam::111122223333:role/limit"))
def arn_of_another_kind(cluster: EksClusterArgs) -> Iterator[PartFinding]:
    """A field with an ARN takes that of one kind of resource, and the roles of a cluster are in its own account."""
    own = cluster.account.id if cluster.account is not None else None
    for at, value in _references(cluster):
        arn, kind = _ARN.fullmatch(value) if isinstance(value, str) else None, _kind(cluster, at)
        if arn is None or kind is None or arn["service"] == "sts":  # EKS177
            continue
        what, service, starts = _ARNS[kind]
        if arn["service"] != service or not arn["resource"].startswith(starts):
            yield finding(cluster, f"AWS rejects `{value}`: it is not the ARN of {what}", path=at, fix=f"Use the ARN of {what}")
        elif own is not None and kind in ("role", "policy") and arn["account"] not in (own, "aws") and at[-1] != "target_role":
            message = f"AWS rejects `{value}`: it is in the account {arn['account']}, and the cluster is in {own}"
            yield finding(cluster, message, path=at, fix=f"Use one of the account {own}")


def _kind(cluster: EksClusterArgs, at: Sequence[Step]) -> str | None:
    """The kind of ARN at a path of `_references`; `None` for policies, which EKS147 checks."""
    field, last = at[0], str(at[-1])
    if field == "access_entries" and cluster.access_entries[str(at[1])].type != "STANDARD":
        return "role"
    if field in ("admins", "access_entries"):
        return "principal"
    if "policies" in at or str(field).endswith("policies"):
        return None
    return "policy" if last == "permissions_boundary" else "key" if "key" in last else "role"


_IDS: Final = {"security_group_ids": "sg-", "vpc_id": "vpc-", "private_subnet_ids": "subnet-", "control_plane_subnet_ids": "subnet-"}


@error("EKS132", "EKS API reference, VpcConfigRequest: securityGroupIds and subnetIds; EKS user guide, network-reqs: up to five security groups")
@sample("security_group_ids[0]", lambda: eks(security_group_ids=["web"]))
def rejected_network_id(part: EksClusterArgs | ExistingEksNetwork) -> Iterator[PartFinding]:
    """EKS accepts networks, subnets and security groups by id only, and at most five security groups."""
    for field, start in _IDS.items():
        value = cast("Ref | tuple[Ref, ...]", getattr(part, field, ()))
        for at, one in [((field, index), one) for index, one in enumerate(value)] if isinstance(value, tuple) else [((field,), value)]:
            if isinstance(one, str) and not is_aws_id(one, start):
                yield finding(part, f"EKS rejects `{one}`: it is not an id", path=at, fix=f"Use its id, such as `{start}0123456789abcdef0`")
    if isinstance(part, EksClusterArgs) and len(part.security_group_ids) > EKS_SECURITY_GROUPS:
        number = len(part.security_group_ids)
        message = f"EKS rejects {number} security groups: it accepts at most {EKS_SECURITY_GROUPS}"
        yield finding(part, message, path="security_group_ids", value=number, fix=f"Keep {EKS_SECURITY_GROUPS}, or move rules from one to another")


_KEYS: Final = "https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/encrypt-log-data-kms.html"
_KEY: Final = "arn:aws:kms:us-east-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab"


@error("EKS140", "CloudWatch Logs API reference, AssociateKmsKey: the ARN of a key, not of an alias")
@limited(LOG_GROUPS)
@sample("logs.kms_key", lambda: eks(logs={"kms_key": "alias/logs"}))
def log_group_key_is_not_an_arn(group: LogGroup) -> Iterator[PartFinding]:
    """CloudWatch Logs accepts a KMS key by the ARN of the key, not by an alias or an id."""
    if _is_rejected(group.kms_key):
        message = f"CloudWatch Logs rejects `{group.kms_key}`: a log group requires the ARN of its KMS key"
        yield finding(group, message, path="kms_key", fix=f"Use the ARN of the key, such as `{_KEY}`")


@warning("EKS141", f"{_KEYS}: permissions on the key")
@limited(LOG_GROUPS)
@sample("logs.kms_key", lambda: eks(logs={"kms_key": _KEY}))
def log_group_key_policy(group: LogGroup) -> Iterator[PartFinding]:
    """CloudWatch Logs uses a KMS key only if the key policy allows its service principal to do so."""
    if group.kms_key is not None and not group.existing and not _is_rejected(group.kms_key):
        message = "`pulumi up` fails at the log group unless the policy of this KMS key allows `logs.REGION.amazonaws.com` to use it"
        yield finding(group, message, path="kms_key", fix="Allow it in the key policy, then accept this warning")


@warning("EKS142", "nodepools: a log group of another owner is left alone")
@limited(LOG_GROUPS)
@sample("logs.retention_days", lambda: eks(logs={"existing": True, "retention_days": 30}))
def unused_log_group_setting(group: LogGroup) -> Iterator[PartFinding]:
    """Settings of a log group that is left alone are not sent."""
    if group.existing:
        for field in ("retention_days", "kms_key", "keep"):
            if getattr(group, field) != LogGroup.model_fields[field].default:
                yield finding(group, f"{ref(field)} has no effect on an {ref('existing')} log group", path=field, fix=remove(field))


def _is_rejected(key: object) -> bool:
    return isinstance(key, str) and not (key.startswith("arn:") and ":key/" in key)


_LONGEST_NAME = 100
_NAME = re.compile(rf"[0-9A-Za-z][A-Za-z0-9_-]{{0,{_LONGEST_NAME - 1}}}")
_LISTED = "`{}`, `{}` or `{}`".format(*PRIVATE_RANGES)
_NETWORK = "https://docs.aws.amazon.com/eks/latest/userguide/network-reqs.html"
_ENDPOINTS = ("ec2", "ecr.api", "ecr.dkr", "s3")
"""Services that the nodes of every private cluster need (EKS user guide, private-clusters)."""
_ROLE = "arn:aws:iam::111122223333:role/eks"


@error("EKS002", "EKS API reference, CreateCluster: name")
@limited(NAMES_OF_RESOURCES)
@sample('clusters["use.1"]', lambda: platform(**{"use.1": eks()}))
def invalid_eks_cluster_name(declared_cluster: Platform) -> Iterator[PartFinding]:
    """EKS accepts cluster names of up to 100 letters, digits, hyphens and underscores; platform name and cluster key make the name."""
    for key, cluster in declared_cluster.clusters.items():
        name = declared_cluster.stem(key)
        if isinstance(cluster, EksClusterArgs) and cluster.name is None and not _NAME.fullmatch(name):
            message = f"`{name}`, platform name and cluster key, must be at most {_LONGEST_NAME} letters, digits, `-` and `_`"
            yield finding(declared_cluster, message, path=("clusters", key), value=key, fix=_new_key(declared_cluster, key))


@error("EKS131", "EKS API reference, CreateCluster: the name is unique in a region of an account")
@limited(PLATFORMS)
@sample("clusters.use2.name", lambda: platform(use=eks(name="shop"), use2=eks(name="shop", network={"cidr": "10.66.0.0/16"})))
def duplicate_eks_cluster_name(declared_cluster: Platform) -> Iterator[PartFinding]:
    """A region of an AWS account can have one cluster of a name."""
    seen: dict[tuple[object, ...], str] = {}
    for key, cluster in declared_cluster.clusters.items():
        if isinstance(cluster, EksClusterArgs):
            name = cluster.cluster_name(declared_cluster.stem(key))
            first = seen.setdefault((cluster.account, cluster.region, name), key)
            if first != key:
                message = f"EKS rejects a second cluster with the name `{name}` in {cluster.region}: `{first}` has it too"
                path = ("clusters", key) if cluster.name is None else ("clusters", key, "name")
                fix = f"Set {ref(('clusters', key, 'name'))} to another name, such as {literal(f'{name}-{key}')}"
                yield finding(declared_cluster, message, path=path, value=name, fix=fix)


@error("EKS003", "EKS API reference, KubernetesNetworkConfigRequest: serviceIpv4Cidr")
@sample("service_cidr", lambda: eks(service_cidr="10.64.0.0/16"))
def invalid_eks_service_range(cluster: EksClusterArgs) -> Iterator[PartFinding]:
    """EKS requires a private service range, /12 to /24, that does not overlap the VPC."""
    given, taken = cluster.service_range, cluster.network.cidr
    if given is None:
        return
    of_ours = Fix(f"Remove {ref('service_cidr')} (default: a free private range of /16)", (remove("service_cidr"),))
    if cluster.service_cidr is not None and not any(inside(cluster.service_cidr, private) for private in PRIVATE_RANGES):
        yield finding(cluster, f"EKS rejects the service range `{given}`: it is not inside {_LISTED}", path="service_cidr", fix=of_ours)
    if not 12 <= IPv4Network(given).prefixlen <= 24:  # noqa: PLR2004  # EKS's own bounds
        yield finding(cluster, f"EKS rejects the service range `{given}`: its size must be from /12 to /24", path="service_cidr", fix=of_ours)
    if taken is not None and overlap(given, taken):
        yield finding(cluster, f"The service range `{given}` overlaps the VPC range `{taken}`", path="service_cidr", value=given, fix=of_ours)


@error("EKS004", f"{_NETWORK}: subnets in at least two availability zones")
@limited(NETWORKS)
@sample("network.zones", lambda: eks(network={"zones": ["us-east-1a"]}))
def too_few_zones(network: EksNetworkArgs) -> Iterator[PartFinding]:
    """EKS requires subnets in at least two availability zones."""
    if len(network.zones) == 1:
        fix = Fix(
            f"Add one or two zones to {ref('zones')}, or remove {ref('zones')} (default: the first three zones of the region)", (remove("zones"),)
        )
        yield finding(network, "EKS requires subnets in at least two availability zones: this network has one", path="zones", fix=fix)


@error("EKS005", f"{_NETWORK}: zones that cannot hold a control plane")
@limited(NETWORKS)
@sample("network.zones[1]", lambda: eks(network={"zones": ["use1-az1", "use1-az3"]}))
def zone_without_control_plane(network: EksNetworkArgs) -> Iterator[PartFinding]:
    """EKS cannot place control planes in the zones use1-az3, usw1-az2 and cac1-az3."""
    for index, zone in enumerate(network.zones):
        if zone in REFUSED_ZONES:
            ids = [f"{zone[:-1]}{number}" for number in range(1, 4)]
            other = next((zone_id for zone_id in ids if zone_id not in (*network.zones, *REFUSED_ZONES)), None)
            fix = set_to(("zones", index), other) if other is not None else remove(("zones", index))
            yield finding(network, f"EKS cannot place a control plane in the zone `{zone}`", path=("zones", index), fix=fix)


@warning("EKS194", "https://docs.aws.amazon.com/global-infrastructure/latest/regions/aws-availability-zones.html (2026-11): zones of each region")
@limited(NETWORKS, FILES_WITHOUT_NETWORK)
@sample("network.zones[1]", lambda: eks(region="eu-west-1", network={"zones": ["eu-west-1a", "eu-west-1d"]}))
def zone_beyond_those_of_region(part: EksNetworkArgs | Requirement, cluster: EksClusterArgs | None) -> Iterator[PartFinding]:
    """A region has a few availability zones: AWS rejects subnets in others, and no node is there. New zones can be missing in this table."""
    if cluster is None or (isinstance(part, Requirement) and (part.label not in (keys.zone.name, keys.zone_id.name) or part.operator != "In")):
        return
    most, field = most_zones(cluster.region), "zones" if isinstance(part, EksNetworkArgs) else "values"
    for index, zone in enumerate(part.zones if isinstance(part, EksNetworkArgs) else part.values):
        letter = _LETTER.fullmatch(zone)
        place = ord(letter[2]) - ord("a") if letter is not None else zone_place(zone)
        if place is not None and place >= most:
            what = f"AWS can reject `{zone}`" if isinstance(part, EksNetworkArgs) else f"No node can be in `{zone}`"
            message = f"{what}: AWS lists {most} availability zones of {cluster.region}"
            fix = "Use zones that `aws ec2 describe-availability-zones` lists"
            yield finding(part, message, path=(field, index), fix=fix)


@error("EKS006", "https://docs.aws.amazon.com/global-infrastructure/latest/regions/aws-availability-zones.html: a zone's name begins with its region")
@limited(NETWORKS)
@sample("network.zones[1]", lambda: eks(network={"zones": ["us-east-1a", "us-west-2b"]}))
def cluster_zone_in_other_region(network: EksNetworkArgs, cluster: EksClusterArgs) -> Iterator[PartFinding]:
    """The subnets of a cluster are in availability zones of its region."""
    for index, zone in enumerate(network.zones):
        if re.fullmatch(r"[a-z]+(-[a-z]+)+-[0-9]+[a-z]", zone) and zone[:-1] != cluster.region:
            fix = f"Use zones of {cluster.region}, such as `{cluster.region}a`"
            yield finding(network, f"`{zone}` is not a zone of {cluster.region}", path=("zones", index), fix=fix)


@warning("EKS007", "https://docs.aws.amazon.com/eks/latest/userguide/private-clusters.html")
@limited(NETWORKS)
@sample("network.nat", lambda: eks(network={"nat": None}))
def no_eks_outbound_route(network: EksNetworkArgs) -> Iterator[PartFinding]:
    """Without NAT, private nodes reach AWS and registries only through VPC endpoints."""
    if network.nat is not None:
        return
    missing = [name for name in _ENDPOINTS if name not in network.endpoints and not any(one.endswith(f".{name}") for one in network.endpoints)]
    if missing:
        message = "Without NAT, private nodes can join only if the VPC has endpoints for every AWS service and registry that they need"
        lacking = f": {as_code(missing)} {'is' if len(missing) == 1 else 'are'} missing" if network.endpoints else ""
        fix = f"Set {ref('nat')} to {literal('single')} or {literal('per-zone')}, or add endpoints such as `presets.eks_private_endpoints`"
        yield finding(network, f"{message}{lacking}", path="nat", fix=fix)


@error("EKS008", f"{_NETWORK}: at least two subnets, in different zones")
@sample("network.private_subnet_ids", lambda: eks(network=ExistingEksNetwork(vpc_id="vpc-1", private_subnet_ids=["subnet-1"])))
def too_few_subnets(network: ExistingEksNetwork) -> Iterator[PartFinding]:
    """EKS requires at least two subnets for the control plane, in different zones; without subnets of its own it uses those of the nodes."""
    own = bool(network.control_plane_subnet_ids)
    ids = network.control_plane_subnet_ids if own else network.private_subnet_ids
    if len(ids) < 2 or (all(isinstance(one, str) for one in ids) and len(set(ids)) < 2):  # noqa: PLR2004  # two
        message = "EKS requires subnets in at least two availability zones: the control plane has one subnet"
        fix = (
            "Add a subnet in another zone"
            if own
            else f"Add a subnet in another zone, or set {ref('control_plane_subnet_ids')} to subnets in at least two zones"
        )
        yield finding(network, message, path="control_plane_subnet_ids" if own else "private_subnet_ids", fix=fix)


@error("EKS009", "IAM user guide: ARNs of roles; EKS API reference, CreateAccessEntry: principalArn")
@sample("node_role", lambda: eks(node_role="eks-node"))
def role_is_not_an_arn(cluster: EksClusterArgs) -> Iterator[PartFinding]:
    """EKS requires ARNs for roles, permissions boundaries and principals; only a NodeClass names its role."""
    given = [("cluster_role",), ("node_role",), ("permissions_boundary",), *(("admins", index) for index in range(len(cluster.admins)))]
    values = [cluster.cluster_role, cluster.node_role, cluster.permissions_boundary, *cluster.admins]
    for at, value in zip(given, values, strict=True):
        if isinstance(value, str) and not value.startswith("arn:"):
            what = "policy" if at == ("permissions_boundary",) else "role"
            example = f"arn:aws:iam::111122223333:{what}/{value}"
            yield finding(cluster, f"{ref(at)} must be an ARN, not the name `{value}`", path=at, fix=f"Use the full ARN, such as `{example}`")


@error("EKS010", "https://docs.aws.amazon.com/eks/latest/userguide/auto-create-node-role.html: not the role that creates clusters")
@sample("node_role", lambda: eks(cluster_role=_ROLE, node_role=_ROLE))
def same_role_for_cluster_and_nodes(cluster: EksClusterArgs) -> Iterator[PartFinding]:
    """EKS does not accept the role of a cluster as a node role."""
    of_classes = [(("auto_mode", "node_classes", key, "role"), declared.role) for key, declared in cluster.auto_mode.node_classes.items()]
    for at, role in [(("node_role",), cluster.node_role), *of_classes]:
        same = (cluster.cluster_role, cluster.cluster_role.rpartition("/")[2]) if isinstance(cluster.cluster_role, str) else ()
        if isinstance(role, str) and role in same:
            message = f"{ref(at)} and {ref('cluster_role')} are the same role: nodes need a role that no cluster uses"
            yield finding(cluster, message, path=at, fix="Use a separate IAM role for the nodes")


@warning("EKS011", "nodepools: built-in pools and node classes without a role use it")
@limited(Limit(Where.RESOURCES, "the role is set with the pools that use it: EKS092 requires one with the other"))
@sample(
    "node_role",
    lambda: derive(auto_mode({"web": eks_pool(node_class="own")}, {"own": EksNodeClass(create_role=True)}, built_in_node_pools=[]), node_role=_ROLE),
)
def unused_node_role(cluster: EksClusterArgs) -> Iterator[PartFinding]:
    """The node role is used by the built-in NodePools and by NodeClasses without a role of their own."""
    used = cluster.auto_mode.built_in_node_pools or cluster.auto_mode.shares_a_role
    if cluster.node_role is not None and not used:
        message = f"{ref('node_role')} has no effect: no built-in NodePool is enabled, and every NodeClass has a role of its own"
        yield finding(cluster, message, path="node_role", fix=remove("node_role"))


@error("EKS012", "https://docs.aws.amazon.com/vpc/latest/userguide/vpc-cidr-blocks.html: /16 to /28; subnets too")
@limited(NETWORKS)
@sample("network.cidr", lambda: eks(network={"cidr": "10.0.0.0/12"}))
def invalid_vpc_range(network: EksNetworkArgs) -> Iterator[PartFinding]:
    """AWS rejects a VPC larger than /16, and one smaller than /24 has no room for the subnets of all zones."""
    fix = f"Use a range from /16 to /23, such as `{network.cidr.partition('/')[0]}/16`"
    if IPv4Network(network.cidr).prefixlen < 16:  # noqa: PLR2004  # AWS's own bound
        yield finding(network, f"AWS rejects the VPC range `{network.cidr}`: it is larger than /16", path="cidr", fix=fix)
    elif not _has_room(network):
        yield finding(network, f"The VPC range `{network.cidr}` has no room for the subnets of every zone", path="cidr", fix=fix)


def _new_key(cluster: Platform, key: str) -> FixLike:
    """A key like `key` that EKS accepts."""
    longest = _LONGEST_NAME - len(cluster.stem(""))
    near = re.sub(r"[^A-Za-z0-9_-]+", "-", key)[:longest]
    if near not in cluster.clusters and _NAME.fullmatch(cluster.stem(near)):
        return rename(("clusters", key), near)
    return f"Use at most {longest} letters, digits, hyphens and underscores in the key of the cluster"


def _has_room(network: EksNetworkArgs) -> bool:
    places = [place for place in map(zone_place, network.zones) if place is not None]
    try:
        for place in places or range(3):  # the first three of the region
            network.ranges(place)
    except (IndexError, ValueError):
        return False
    return True
