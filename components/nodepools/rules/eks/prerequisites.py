"""What an EKS cluster needs that its declaration cannot show, its add-ons and its control plane. Facts: docs/facts/eks.md C29 to C42, C49."""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Final

from nodepools.clouds.eks.auto_mode_objects import INTERNAL_ELB, NETWORK_TAG
from nodepools.data.limits import AWS_TAGS, EKS_PUBLIC_RANGES, IAM_TAGS, refused_by_iam
from nodepools.data.version_support import ADD_ON_SOURCE, EKS_SUPPORT, is_older_add_on, least_add_on
from nodepools.model.cidr import is_private
from nodepools.model.eks.access import AddOn
from nodepools.model.eks.cluster import ControlPlane, EksClusterArgs, EksNetworkArgs
from nodepools.model.eks.node_class import AutoMode, EksNodeClass, SelectorTerm
from nodepools.model.kubernetes.duration import seconds
from nodepools.model.listing import nearest
from nodepools.model.platform import Platform
from nodepools.rules.engine.finding import Fix, PartFinding, literal, ref, remove, rename, set_to
from nodepools.rules.engine.registry import WITHOUT_AUTO_MODE, Limit, Where, error, finding, limited, note, sample, warning
from nodepools.rules.engine.samples import auto_mode, eks

_ENABLE = f"{ADD_ON_SOURCE}: required add-on versions"
_NOT_NEEDED = "vpc-cni kube-proxy coredns aws-ebs-csi-driver eks-pod-identity-agent"
_KNOWN = frozenset(
    {
        *("adot", "amazon-cloudwatch-observability", "aws-ebs-csi-driver", "aws-efs-csi-driver", "aws-fsx-csi-driver", "aws-guardduty-agent"),
        *("aws-mountpoint-s3-csi-driver", "aws-network-flow-monitoring-agent", "aws-privateca-connector-for-kubernetes", "cert-manager", "coredns"),
        *("aws-secrets-store-csi-driver-provider", "amazon-sagemaker-hyperpod-taskgovernance", "amazon-sagemaker-hyperpod-training-operator"),
        *("amazon-sagemaker-hyperpod-inference", "eks-node-monitoring-agent", "eks-pod-identity-agent", "external-dns", "fluent-bit"),
        *("kube-proxy", "kube-state-metrics", "metrics-server", "prometheus-node-exporter", "snapshot-controller", "vpc-cni"),
    }
)
"""Add-ons of AWS and of the community. Source: EKS user guide, workloads-add-ons-available-eks and community-addons, 2026-11."""
_EXISTING = frozenset(_NOT_NEEDED.split())


@warning("EKS085", _ENABLE)
@limited(WITHOUT_AUTO_MODE)
@sample("add_ons.snapshot-controller.version", lambda: eks(add_ons={"snapshot-controller": AddOn(version="v8.0.0-eksbuild.1")}))
def add_on_too_old_for_auto_mode(cluster: EksClusterArgs) -> Iterator[PartFinding]:
    """Enabling Auto Mode on an existing cluster requires minimum versions of its add-ons."""
    for name, add_on in cluster.add_ons.items():
        least = least_add_on(name, add_on.version)
        if add_on.version is not None and least is not None and is_older_add_on(add_on.version, least):
            at = ("add_ons", name, "version")
            message = f"Turning Auto Mode on in an existing cluster requires at least `{least}` of the add-on `{name}`, not `{add_on.version}`"
            yield finding(cluster, message, path=at, fix=Fix(f"Set {ref(at)} to {literal(least)} or newer", (set_to(at, least),)))


@warning("EKS086", "https://docs.aws.amazon.com/eks/latest/userguide/eks-add-ons.html: not needed with Auto Mode, unless there are other nodes")
@limited(WITHOUT_AUTO_MODE)
@sample("add_ons.vpc-cni", lambda: eks(add_ons={"vpc-cni": AddOn()}))
def add_on_included_in_auto_mode(cluster: EksClusterArgs) -> Iterator[PartFinding]:
    """Auto Mode includes networking, DNS, block storage and pod identity: these add-ons serve other nodes only."""
    for name in cluster.add_ons:
        if name in _EXISTING:
            message = f"Auto Mode nodes do not need the add-on `{name}`, which is built into them"
            fix = "Remove the add-on once all nodes are Auto Mode nodes"
            yield finding(cluster, message, path=("add_ons", name), value=name, fix=fix)


@warning("EKS178", "https://docs.aws.amazon.com/eks/latest/userguide/workloads-add-ons-available-eks.html (2026-11), and community-addons")
@sample("add_ons.metric-server", lambda: eks(add_ons={"metric-server": AddOn()}))
def unknown_add_on(cluster: EksClusterArgs) -> Iterator[PartFinding]:
    """EKS rejects an add-on whose name or version it does not know; new names can be missing in this table."""
    for name, add_on in cluster.add_ons.items():
        if add_on.version is not None and not re.match("v[0-9]", add_on.version):
            at = ("add_ons", name, "version")
            message = f"`{add_on.version}` is not a version of the add-on `{name}`: EKS writes them as `v1.19.0-eksbuild.1`"
            yield finding(cluster, message, path=at, fix=f"Use a version that `aws eks describe-addon-versions --addon-name {name}` lists")
        # With an underscore: publisher and name in the marketplace. With a colon: the URN of a resource whose name is unknown or taken
        if name not in _KNOWN and "_" not in name and ":" not in name:
            near = nearest(name, _KNOWN - set(cluster.add_ons))
            message = f"`{name}` is not a known add-on of EKS, which rejects names that it does not know"
            command = "Use a name that `aws eks describe-addon-versions` lists"
            yield finding(cluster, message, path=("add_ons", name), value=name, fix=rename(("add_ons", name), near) if near is not None else command)


_IAM = "https://docs.aws.amazon.com/eks/latest/userguide/auto-learn-iam.html"
_AUTO_MODE_TAGS = ("eks:eks-cluster-name", "eks:kubernetes-node-class-name", "eks:kubernetes-node-pool-name")
"""Tags that Auto Mode sets on each node: its IAM policies require them."""
_ROLE = "arn:aws:iam::111122223333:role/eks"


@error("EKS016", AWS_TAGS.source)
@sample("tags.team", lambda: eks(tags={"team": "x" * 257}))
def invalid_aws_tag(
    part: Platform | EksClusterArgs | EksNodeClass, cluster: EksClusterArgs | None, platform: Platform | None
) -> Iterator[PartFinding]:
    """AWS accepts 50 tags on a resource, with keys of up to 128 and values of up to 256 characters; Auto Mode adds 3 to those of a NodeClass."""
    if isinstance(part, Platform) and not any(isinstance(cluster, EksClusterArgs) for cluster in part.clusters.values()):
        return
    for violation in AWS_TAGS.violations(part.tags, {**_inherited(part, cluster, platform), **_of_subnets(part)}):
        at = ("tags", violation.key) if violation.key is not None else "tags"
        if violation.key == "" and isinstance(part, EksNodeClass):  # EKS024
            continue
        yield finding(part, violation.message, path=at, value=violation.key, fix=violation.fix)


def _inherited(part: Platform | EksClusterArgs | EksNodeClass, cluster: EksClusterArgs | None, platform: Platform | None) -> Mapping[str, str]:
    """Tags that the resources of `part` also get."""
    if isinstance(part, EksNodeClass):
        return dict.fromkeys(_AUTO_MODE_TAGS, "")
    if isinstance(part, Platform):
        added = (part.default_tags(key) for key, one in part.clusters.items() if isinstance(one, EksClusterArgs))
        return {key: value for tags in added for key, value in tags.items() if key not in part.tags}
    key = next((key for key, one in platform.clusters.items() if one is part), None) if platform is not None and cluster is None else None
    return platform.default_tags(key) if platform is not None and key is not None else {}


def _of_subnets(part: Platform | EksClusterArgs | EksNodeClass) -> Mapping[str, str]:
    """Tags that the subnets of a new network have besides those of the cluster."""
    made = part.clusters.values() if isinstance(part, Platform) else (part,)
    creates = any(isinstance(one, EksClusterArgs) and isinstance(one.network, EksNetworkArgs) for one in made)
    return dict.fromkeys((*INTERNAL_ELB, "Name", NETWORK_TAG), "") if creates else {}


@error("EKS190", IAM_TAGS.source)
@limited(Limit(Where.UNREAD, "roles are separate resources, which are not checked"))
@sample("tags.team", lambda: eks(tags={"team": "web, mobile"}))
def tag_rejected_by_iam(part: Platform | EksClusterArgs, cluster: EksClusterArgs | None, platform: Platform | None) -> Iterator[PartFinding]:
    """The roles that are created get the tags of the cluster: IAM accepts fewer characters than other services, and ignores the case of keys."""
    made = [one for one in (part.clusters.values() if isinstance(part, Platform) else (part,)) if isinstance(one, EksClusterArgs)]
    if all(one.cluster_role is not None for one in made):
        return
    for violation in IAM_TAGS.repeated(part.tags, _inherited(part, cluster, platform)):
        yield finding(part, violation.message, path=("tags", str(violation.key)), value=violation.key, fix=violation.fix)
    for key, value in part.tags.items():
        for what, text in (("key", key), ("value", value)):
            wrong = refused_by_iam(text)
            if wrong:
                message = f"IAM rejects the tag `{key}` on the roles of the cluster: its {what} contains `{wrong}`"
                yield finding(part, message, path=("tags", key), fix="Use letters, digits, spaces, and `_`, `.`, `:`, `/`, `=`, `+`, `-`, `@`")


@error("EKS181", f"{AWS_TAGS.source}: the prefix aws: is reserved")
@sample('tags["aws:team"]', lambda: eks(tags={"aws:team": "web"}))
def reserved_aws_tag(part: Platform | EksClusterArgs) -> Iterator[PartFinding]:
    """AWS rejects keys of tags that begin with `aws:`. EKS024 checks NodeClasses."""
    if isinstance(part, Platform) and not any(isinstance(cluster, EksClusterArgs) for cluster in part.clusters.values()):
        return
    for key in part.tags:
        if AWS_TAGS.reserved_prefix(key) is not None:
            message = f"AWS rejects the tag `{key}`: the prefix `aws:` is reserved"
            yield finding(part, message, path=("tags", key), value=key, fix="Use another prefix")


@error("EKS182", "Service Quotas, L-93A74D60 (2026-11-25): public endpoint access CIDR ranges per cluster, not adjustable")
@sample(
    "api_server.authorized_ip_ranges",
    lambda: eks(api_server={"authorized_ip_ranges": [f"203.0.113.{number}/32" for number in range(EKS_PUBLIC_RANGES + 1)]}),
)
def too_many_public_ranges(cluster: EksClusterArgs) -> Iterator[PartFinding]:
    """EKS accepts at most 40 ranges that can reach the public endpoint."""
    at, count = ("api_server", "authorized_ip_ranges"), len(_public_ranges(cluster))
    if count > EKS_PUBLIC_RANGES:
        fix = f"Merge or remove ranges until at most {EKS_PUBLIC_RANGES} are left"
        yield finding(cluster, f"{ref(at)} has {count} entries: EKS accepts at most {EKS_PUBLIC_RANGES}", path=at, value=count, fix=fix)


@error("EKS186", "EKS API (InvalidParameterException): The following CIDRs are not allowed in publicAccessCidrs: [10.1.0.128/27, …]")
@sample("api_server.authorized_ip_ranges[1]", lambda: eks(api_server={"authorized_ip_ranges": ["203.0.113.0/24", "10.0.0.0/8"]}))
def private_range_at_public_endpoint(cluster: EksClusterArgs) -> Iterator[PartFinding]:
    """EKS rejects private ranges for the public endpoint: requests reach it from public addresses."""
    for index, written in enumerate(_public_ranges(cluster)):
        if is_private(written):
            message = f"EKS rejects the private range `{written}`: requests reach the public endpoint from public addresses"
            fix = "Use the public addresses of the NAT gateways or the office, or the private endpoint"
            yield finding(cluster, message, path=("api_server", "authorized_ip_ranges", index), fix=fix)


@error("EKS219", "EKS API reference, VpcConfigRequest.publicAccessCidrs (2026-11): IPv4 clusters accept no IPv6 ranges")
@sample("api_server.authorized_ip_ranges[1]", lambda: eks(api_server={"authorized_ip_ranges": ["203.0.113.0/24", "2001:db8::/32"]}))
def ipv6_range_at_ipv4_cluster(cluster: EksClusterArgs) -> Iterator[PartFinding]:
    """EKS accepts IPv6 ranges for the public endpoint of IPv6 clusters only."""
    for index, written in enumerate(_public_ranges(cluster)):
        if ":" in written and cluster.ip_family == "IPv4":
            at = ("api_server", "authorized_ip_ranges", index)
            yield finding(cluster, f"EKS rejects the IPv6 range `{written}`: the cluster is an IPv4 cluster", path=at, fix=remove(at))


def _public_ranges(cluster: EksClusterArgs) -> Sequence[str]:
    """The ranges that EKS gets: a private API server has no public endpoint, and its ranges are not sent (PLT012)."""
    return () if cluster.api_server.private else cluster.api_server.authorized_ip_ranges


@warning("EKS017", "EKS API reference, UpdateClusterConfig: upgradePolicy, while the version is in standard support")
@sample("upgrade_policy", lambda: eks(kubernetes_version="1.33", upgrade_policy="STANDARD"))
def upgrade_policy_too_late(cluster: EksClusterArgs, today: date) -> Iterator[PartFinding]:
    """EKS changes the upgrade policy only while the version is in standard support."""
    version = cluster.kubernetes_version
    has_ended, has_none = (EKS_SUPPORT.has_ended(version, today, extended=extended) for extended in (False, True))
    if cluster.upgrade_policy == "STANDARD" and has_ended and not has_none:
        message = f"EKS rejects the upgrade policy `STANDARD`: standard support of Kubernetes {version} ended on {EKS_SUPPORT.end(version)}"
        fix = f"Upgrade the cluster first, or remove {ref('upgrade_policy')} (default: `EXTENDED`, which costs more)"
        yield finding(cluster, message, path="upgrade_policy", fix=fix)


@note("EKS018", "EKS API reference, DeleteCluster: deletionProtection")
@sample("deletion_protection", lambda: eks(deletion_protection=True))
def deletion_protection(cluster: EksClusterArgs) -> Iterator[PartFinding]:
    """AWS rejects the deletion of a protected cluster, and so does Pulumi: `pulumi destroy` stops until both protections are off."""
    if cluster.deletion_protection:
        message = "Deletion protection is on: before `pulumi destroy`, turn it and `protect` off, and run `pulumi up`"
        yield finding(cluster, message, path="deletion_protection")


@note(
    "EKS019",
    "https://docs.aws.amazon.com/eks/latest/userguide/auto-networking.html: AWS's policy lets EKS change groups called eks-cluster-sg-* only",
)
@limited(
    Limit(Where.RESOURCES, "every NodeClass of a program names security groups, EKS's own among them"),
    Limit(Where.FILES, "every NodeClass names security groups, EKS's own among them"),
)
@sample("auto_mode.node_classes.own.security_groups", lambda: auto_mode(classes={"own": EksNodeClass(security_groups=[SelectorTerm(id="sg-1")])}))
def own_security_groups(node_class: EksNodeClass, _: EksClusterArgs) -> Iterator[PartFinding]:
    """EKS opens the security groups that it created (`eks-cluster-sg-…`) to load balancers; for others the cluster role needs more permissions."""
    if node_class.security_groups:
        message = (
            "Load balancers may not reach these nodes: EKS opens only `eks-cluster-sg-…` for them, "
            "unless the cluster role can change other security groups"
        )
        yield finding(node_class, message, path="security_groups", value=None)


@warning("EKS028", "https://docs.aws.amazon.com/eks/latest/userguide/auto-kms.html")
@sample(
    "auto_mode.node_classes.own.ephemeral_storage_kms_key_id",
    lambda: auto_mode(classes={"own": EksNodeClass(ephemeral_storage_kms_key_id="alias/nodes")}),
)
def own_kms_key(node_class: EksNodeClass, _: AutoMode) -> Iterator[PartFinding]:
    """A KMS key for disks must be symmetric, and its policy must let the cluster role use it."""
    if node_class.ephemeral_storage_kms_key_id is not None:
        message = (
            "No node of this NodeClass is launched unless the policy of the KMS key allows the cluster role to use it and to create grants "
            "(`kms:GrantIsForAWSResource`)"
        )
        fix = "Allow both in the key policy, then accept this warning"
        yield finding(node_class, message, path="ephemeral_storage_kms_key_id", fix=fix)


@warning("EKS029", f"{_IAM}: custom AWS tags")
@sample("auto_mode.node_classes.own.tags", lambda: eks(cluster_role=_ROLE, auto_mode={"node_classes": {"own": EksNodeClass(tags={"team": "web"})}}))
def tags_with_existing_role(node_class: EksNodeClass, _: AutoMode, cluster: EksClusterArgs | None) -> Iterator[PartFinding]:
    """Custom tags of a NodeClass need permissions of the cluster role that the managed policies of AWS do not include."""
    if node_class.has_tags and (cluster is None or cluster.cluster_role is not None):
        message = "No node of this NodeClass is launched unless a policy of the cluster role allows custom tags: the AWS managed policies do not"
        fix = f"Allow it in a policy of the cluster role ({_IAM}), then accept this warning, or remove the tags"
        yield finding(node_class, message, path="tags", value=None, fix=fix)


@note("EKS091", "EKS API reference, VpcConfigRequest: controlPlaneEgressMode")
@sample("control_plane_egress", lambda: eks(control_plane_egress="CUSTOMER_ROUTED"))
def irreversible_control_plane_egress(cluster: EksClusterArgs) -> Iterator[PartFinding]:
    """Control plane egress cannot be changed back from `CUSTOMER_ROUTED` in place: that replaces the cluster."""
    if cluster.control_plane_egress == "CUSTOMER_ROUTED":
        message = "Control plane egress cannot be changed back from `CUSTOMER_ROUTED`: returning to `AWS_MANAGED` replaces the cluster"
        yield finding(cluster, message, path="control_plane_egress")


_SETTINGS: Final = "https://docs.aws.amazon.com/eks/latest/userguide/control-plane-configuration.html (2026-11)"


@error("EKS203", "pulumi-aws 7.51.1, ClusterKubeControllerManagerConfig: not on the tier standard; minPort at most maxPort (2026-11)")
@sample("control_plane.autoscaler_sync_period", lambda: eks(control_plane=ControlPlane(autoscaler_sync_period="10s")))
def settings_that_exclude_each_other(cluster: EksClusterArgs) -> Iterator[PartFinding]:
    """EKS accepts a shorter sync period of autoscalers only on a provisioned tier, and a range of node ports only in its order."""
    settings, standard = cluster.control_plane, cluster.control_plane_tier in (None, "standard")
    if settings.autoscaler_sync_period is not None and standard:
        message = f"{ref('autoscaler_sync_period')} requires a provisioned control plane: the tier is `standard`"
        fix = Fix(
            f"Remove it, or set {ref('control_plane_tier')} to `tier-xl`, at extra cost", (remove(("control_plane", "autoscaler_sync_period")),)
        )
        yield finding(cluster, message, path=("control_plane", "autoscaler_sync_period"), fix=fix)
    first, last = settings.node_ports
    if first > last:
        at = ("control_plane", "first_node_port" if settings.first_node_port is not None else "last_node_port")
        message = f"The first node port ({first}) is greater than the last ({last})"
        yield finding(cluster, message, path=at, fix="Set the smaller port as the first")


_PORTS, _EVENTS, _SYNCS, _TERMINATED = (10260, 32767), (600, 3600), (10, 15), (0, 12500)


@warning("EKS204", f"{_SETTINGS}; pulumi-aws 7.51.1: ranges, which versions and tiers can narrow or widen")
@sample("control_plane.event_ttl", lambda: eks(control_plane=ControlPlane(event_ttl="2h")))
def setting_out_of_range(settings: ControlPlane) -> Iterator[PartFinding]:
    """EKS rejects settings of the control plane out of their range, which can depend on version and tier."""
    checked: tuple[tuple[str, object, int | None, tuple[int, int], str], ...] = (
        ("event_ttl", settings.event_ttl, _length(settings.event_ttl), _EVENTS, "`10m` to `60m`"),
        ("first_node_port", settings.first_node_port, settings.first_node_port, _PORTS, "10260 to 32767"),
        ("last_node_port", settings.last_node_port, settings.last_node_port, _PORTS, "10260 to 32767"),
        ("autoscaler_sync_period", settings.autoscaler_sync_period, _length(settings.autoscaler_sync_period), _SYNCS, "`10s` to `15s`"),
        ("terminated_pods", settings.terminated_pods, settings.terminated_pods, _TERMINATED, "0 to 12500"),
    )
    for field, declared, amount, (least, most), text in checked:
        if amount is not None and not least <= amount <= most:
            message = f"EKS documents {text} for {ref(field)}: it can reject `{declared}`"
            yield finding(settings, message, path=field, fix=f"Use a value that `aws eks describe-cluster-versions` allows, such as {text}")


def _length(duration: str | None) -> int | None:
    return seconds(duration) if duration is not None else None
