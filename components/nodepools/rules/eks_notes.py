"""What a declaration of an EKS cluster cannot show, and someone has to see to. Facts: docs/facts/eks.md C29, C32, C33, C35, C38 to C40."""

from collections.abc import Iterator
from datetime import date

from nodepools.model.eks.auto_mode import AutoMode
from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.model.eks.node_class import EksNodeClass, SelectorTerm
from nodepools.rules.finding import PartFinding, Severity
from nodepools.rules.registry import finding, rule
from nodepools.rules.samples import auto_mode, eks
from nodepools.rules.support import EKS_ENDS, EKS_LONG_ENDS, is_over

_IAM = "https://docs.aws.amazon.com/eks/latest/userguide/auto-learn-iam.html"
_LONGEST_KEY, _LONGEST_VALUE = 128, 256
_ROLE = "arn:aws:iam::111122223333:role/eks"


@rule("EKS016", Severity.ERROR, source="EKS API reference: tags", sample=lambda: eks(tags={"team": "x" * 257}))
def invalid_aws_tag(of: EksClusterArgs | EksNodeClass) -> Iterator[PartFinding]:
    """AWS takes tags with keys of 128 characters and values of 256 at most."""
    for key, value in of.tags.items():
        if len(key) > _LONGEST_KEY or len(value) > _LONGEST_VALUE:
            fix = f"shorten it: {_LONGEST_KEY} for the key, {_LONGEST_VALUE} for the value"
            yield finding(of, "is longer than AWS takes", at=("tags", key), value=key, fix=fix)


@rule(
    "EKS017",
    Severity.WARNING,
    source="EKS API reference, UpdateClusterConfig: upgradePolicy, while the version is in standard support",
    sample=lambda: eks(kubernetes_version="1.33", upgrade_policy="STANDARD"),
)
def upgrade_policy_too_late(cluster: EksClusterArgs, today: date) -> Iterator[PartFinding]:
    """The upgrade policy can be changed only while the version is in standard support."""
    end = EKS_ENDS.get(cluster.kubernetes_version)
    if cluster.upgrade_policy == "STANDARD" and end is not None and end < today and not is_over(cluster.kubernetes_version, EKS_LONG_ENDS, today):
        yield finding(
            cluster,
            f"cannot be chosen any more: standard support of {cluster.kubernetes_version} ended on {end}",
            at="upgrade_policy",
            fix="upgrade first, or leave it out",
        )


@rule("EKS018", Severity.NOTE, source="EKS API reference, DeleteCluster: deletionProtection", sample=lambda: eks(deletion_protection=True))
def deletion_protection(cluster: EksClusterArgs) -> Iterator[PartFinding]:
    """AWS refuses to delete a protected cluster: `pulumi destroy` would take its pools away and stop at the cluster."""
    if cluster.deletion_protection:
        yield finding(cluster, "has to be turned off, and applied, before a destroy", at="deletion_protection", fix="keep it, and know it")


@rule(
    "EKS019",
    Severity.NOTE,
    source="https://docs.aws.amazon.com/eks/latest/userguide/auto-networking.html: AWS's policy lets EKS change groups called eks-cluster-sg-* only",
    sample=lambda: auto_mode(classes={"own": EksNodeClass(security_groups=[SelectorTerm(id="sg-1")])}),
)
def own_security_groups(node_class: EksNodeClass, _: EksClusterArgs) -> Iterator[PartFinding]:
    """EKS opens the group that it makes, `eks-cluster-sg-…`, for load balancers; any other only with rights that the cluster role is given."""
    if node_class.security_groups:
        yield finding(
            node_class,
            "are opened to load balancers only if the cluster role may change their rules, unless EKS made them",
            at="security_groups",
            value=None,
            fix="allow it to add and remove their ingress rules, or open them to load balancers yourself",
        )


@rule(
    "EKS028",
    Severity.NOTE,
    source="https://docs.aws.amazon.com/eks/latest/userguide/auto-kms.html",
    sample=lambda: auto_mode(classes={"own": EksNodeClass(ephemeral_storage_kms_key_id="alias/nodes")}),
)
def own_kms_key(node_class: EksNodeClass, _: AutoMode) -> Iterator[PartFinding]:
    """A key for disks is symmetric, and its policy lets the cluster role use it; else no node starts."""
    if node_class.ephemeral_storage_kms_key_id is not None:
        yield finding(
            node_class,
            "must allow the cluster role, or no node starts",
            at="ephemeral_storage_kms_key_id",
            fix="allow it kms:CreateGrant where kms:GrantIsForAWSResource, and the use of the key",
        )


@rule(
    "EKS029",
    Severity.NOTE,
    source=f"{_IAM}: custom AWS tags",
    sample=lambda: eks(cluster_role=_ROLE, auto_mode={"node_classes": {"own": EksNodeClass(tags={"team": "web"})}}),
)
def tags_with_existing_role(node_class: EksNodeClass, _: AutoMode, cluster: EksClusterArgs | None) -> Iterator[PartFinding]:
    """Tags of a NodeClass need rights that the policies of AWS do not give: a cluster role that is brought, or not known, must have them."""
    if node_class.has_tags and (cluster is None or cluster.cluster_role is not None):
        yield finding(
            node_class,
            "need rights of the cluster role that AWS's policies do not give: without them no node starts, though all is ready",
            at="tags",
            value=None,
            fix="give the role the policy for custom tags, or let it be made",
        )


@rule(
    "EKS091",
    Severity.NOTE,
    source="EKS API reference, VpcConfigRequest: controlPlaneEgressMode",
    sample=lambda: eks(control_plane_egress="CUSTOMER_ROUTED"),
)
def irreversible_control_plane_egress(cluster: EksClusterArgs) -> Iterator[PartFinding]:
    """From `CUSTOMER_ROUTED` a cluster does not go back: `AWS_MANAGED` would be another cluster."""
    if cluster.control_plane_egress == "CUSTOMER_ROUTED":
        fix = "keep it, and know it: only another cluster is AWS_MANAGED again"
        yield finding(cluster, "cannot be taken back", at="control_plane_egress", fix=fix)
