"""Prerequisites of an EKS cluster that its declaration cannot show. Facts: docs/facts/eks.md C29, C32, C33, C35, C38 to C40."""

from collections.abc import Iterator
from datetime import date

from nodepools.data.version_support import EKS_SUPPORT
from nodepools.model.eks.auto_mode import AutoMode
from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.model.eks.node_class import EksNodeClass, SelectorTerm
from nodepools.model.platform import Platform
from nodepools.rules.finding import PartFinding, Severity
from nodepools.rules.finding_text import ref
from nodepools.rules.registry import finding, rule
from nodepools.rules.samples import auto_mode, eks

_IAM = "https://docs.aws.amazon.com/eks/latest/userguide/auto-learn-iam.html"
_LONGEST_KEY, _LONGEST_VALUE = 128, 256
_SHOWN = 40
_ROLE = "arn:aws:iam::111122223333:role/eks"


@rule("EKS016", Severity.ERROR, source="EKS API reference: tags", sample=lambda: eks(tags={"team": "x" * 257}))
def invalid_aws_tag(part: Platform | EksClusterArgs | EksNodeClass) -> Iterator[PartFinding]:
    """AWS accepts tags with keys of up to 128 and values of up to 256 characters."""
    if isinstance(part, Platform) and not any(isinstance(cluster, EksClusterArgs) for cluster in part.clusters.values()):
        return
    for key, value in part.tags.items():
        if len(key) > _LONGEST_KEY or len(value) > _LONGEST_VALUE:
            message = f"The tag `{key[:_SHOWN]}` is too long: AWS allows at most {_LONGEST_KEY} characters for a key and {_LONGEST_VALUE} for a value"
            fix = "Shorten the key" if len(key) > _LONGEST_KEY else "Shorten the value"
            yield finding(part, message, path=("tags", key), value=key, fix=fix)


@rule(
    "EKS017",
    Severity.WARNING,
    source="EKS API reference, UpdateClusterConfig: upgradePolicy, while the version is in standard support",
    sample=lambda: eks(kubernetes_version="1.33", upgrade_policy="STANDARD"),
)
def upgrade_policy_too_late(cluster: EksClusterArgs, today: date) -> Iterator[PartFinding]:
    """EKS changes the upgrade policy only while the version is in standard support."""
    version = cluster.kubernetes_version
    end = EKS_SUPPORT.end(version)
    if cluster.upgrade_policy == "STANDARD" and end is not None and end < today and not EKS_SUPPORT.is_over(version, today):
        message = f"EKS rejects the upgrade policy `STANDARD`: standard support of Kubernetes {version} ended on {end}"
        yield finding(cluster, message, path="upgrade_policy", fix=f"Upgrade the cluster first, or remove {ref('upgrade_policy')}")


@rule("EKS018", Severity.NOTE, source="EKS API reference, DeleteCluster: deletionProtection", sample=lambda: eks(deletion_protection=True))
def deletion_protection(cluster: EksClusterArgs) -> Iterator[PartFinding]:
    """AWS rejects the deletion of a protected cluster, and so does Pulumi: `pulumi destroy` stops until both protections are off."""
    if cluster.deletion_protection:
        message = "Deletion protection is on: before `pulumi destroy`, turn it and `protect` off, and run `pulumi up`"
        yield finding(cluster, message, path="deletion_protection")


@rule(
    "EKS019",
    Severity.NOTE,
    source="https://docs.aws.amazon.com/eks/latest/userguide/auto-networking.html: AWS's policy lets EKS change groups called eks-cluster-sg-* only",
    sample=lambda: auto_mode(classes={"own": EksNodeClass(security_groups=[SelectorTerm(id="sg-1")])}),
)
def own_security_groups(node_class: EksNodeClass, _: EksClusterArgs) -> Iterator[PartFinding]:
    """EKS opens the security groups that it created (`eks-cluster-sg-…`) to load balancers; for others the cluster role needs more permissions."""
    if node_class.security_groups:
        message = (
            "These nodes use security groups of your own: EKS adds the rules for load balancers only to `eks-cluster-sg-…`, "
            "unless the cluster role can change other groups"
        )
        yield finding(node_class, message, path="security_groups", value=None)


@rule(
    "EKS028",
    Severity.NOTE,
    source="https://docs.aws.amazon.com/eks/latest/userguide/auto-kms.html",
    sample=lambda: auto_mode(classes={"own": EksNodeClass(ephemeral_storage_kms_key_id="alias/nodes")}),
)
def own_kms_key(node_class: EksNodeClass, _: AutoMode) -> Iterator[PartFinding]:
    """A KMS key for disks must be symmetric, and its policy must let the cluster role use it."""
    if node_class.ephemeral_storage_kms_key_id is not None:
        message = (
            "The policy of this KMS key must allow the cluster role to use the key and to create grants (with the condition "
            "`kms:GrantIsForAWSResource`): otherwise no node is launched"
        )
        yield finding(node_class, message, path="ephemeral_storage_kms_key_id")


@rule(
    "EKS029",
    Severity.NOTE,
    source=f"{_IAM}: custom AWS tags",
    sample=lambda: eks(cluster_role=_ROLE, auto_mode={"node_classes": {"own": EksNodeClass(tags={"team": "web"})}}),
)
def tags_with_existing_role(node_class: EksNodeClass, _: AutoMode, cluster: EksClusterArgs | None) -> Iterator[PartFinding]:
    """Custom tags of a NodeClass need permissions of the cluster role that the managed policies of AWS do not include."""
    if node_class.has_tags and (cluster is None or cluster.cluster_role is not None):
        message = "The AWS managed policies do not allow custom tags: no node is launched until a policy of yours on the cluster role allows them"
        yield finding(node_class, message, path="tags", value=None)


@rule(
    "EKS091",
    Severity.NOTE,
    source="EKS API reference, VpcConfigRequest: controlPlaneEgressMode",
    sample=lambda: eks(control_plane_egress="CUSTOMER_ROUTED"),
)
def irreversible_control_plane_egress(cluster: EksClusterArgs) -> Iterator[PartFinding]:
    """Control plane egress cannot be changed back from `CUSTOMER_ROUTED` in place: that replaces the cluster."""
    if cluster.control_plane_egress == "CUSTOMER_ROUTED":
        message = "Control plane egress cannot be changed back from `CUSTOMER_ROUTED`: returning to `AWS_MANAGED` replaces the cluster"
        yield finding(cluster, message, path="control_plane_egress")
