"""What the baseline asks of EKS clusters: the CIS benchmark and the best practices of AWS. Facts: docs/security-baseline.md."""

from collections.abc import Iterator
from typing import Final

from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.rules.engine.baseline import control, opened_eks
from nodepools.rules.engine.finding import PartFinding, add, ref, set_to
from nodepools.rules.engine.registry import finding, sample

_CIS: Final = "CIS Amazon EKS Benchmark 1.8"
_PRACTICES: Final = "https://docs.aws.amazon.com/eks/latest/best-practices"
_AUDIT: Final = "audit"


@control("EKS170", f"{_CIS}, 2.1.1")
@sample("clusters.one.log_types", lambda: opened_eks(log_types=["api"]))
def eks_audit_logs_off(cluster: EksClusterArgs) -> Iterator[PartFinding]:
    """The baseline asks for audit logs of the control plane."""
    if _AUDIT not in cluster.log_types:
        message = "Changes through the API server cannot be traced later: no audit log is collected"
        yield finding(cluster, message, path="log_types", fix=add("log_types", _AUDIT))


@control("EKS171", f"{_CIS}, 5.3.1")
@sample("clusters.one.secrets_key", lambda: opened_eks(secrets_key=None))
def eks_secrets_without_own_key(cluster: EksClusterArgs) -> Iterator[PartFinding]:
    """The baseline asks that Secrets are encrypted in etcd with a key of your own."""
    if cluster.secrets_key is None and cluster.new_secrets_key is None:
        message = "Secrets are encrypted in etcd with a key of AWS, not with a key of your own"
        fix = f"Set {ref('secrets_key')} to the ARN of a KMS key, or use {ref('new_secrets_key')}; neither can be removed again"
        yield finding(cluster, message, path="secrets_key", fix=fix)


@control("EKS172", f"{_CIS}, 5.4.4")
@sample("clusters.one.objects.network_policies", lambda: opened_eks(objects={"network_policies": None}))
def eks_network_policies_off(cluster: EksClusterArgs) -> Iterator[PartFinding]:
    """The baseline asks that network policies are enforced."""
    if cluster.objects.network_policies is not False and not cluster.enforces_network_policies:
        at = ("objects", "network_policies")
        message = "Nothing enforces network policies: every pod reaches every other pod"
        yield finding(cluster, message, path=at, fix=set_to(at, value=True))


@control("EKS173", f"{_PRACTICES}/identity-and-access-management.html")
@sample("clusters.one.creator_is_admin", lambda: opened_eks(creator_is_admin=True))
def creator_stays_admin(cluster: EksClusterArgs) -> Iterator[PartFinding]:
    """The baseline asks that the creator of a cluster does not stay its admin. Pulumi needs the access where it applies the objects."""
    if cluster.creator_is_admin and cluster.apply == "render":
        message = "The IAM principal that creates the cluster stays its admin, which it does not need: another tool applies the objects"
        yield finding(cluster, message, path="creator_is_admin", fix=set_to("creator_is_admin", value=False))


@control("EKS174", "EKS API reference, DeleteCluster: deletionProtection")
@sample("clusters.one.deletion_protection", lambda: opened_eks(deletion_protection=False))
def eks_cluster_not_protected(cluster: EksClusterArgs) -> Iterator[PartFinding]:
    """The baseline asks that no single command deletes a cluster."""
    if not cluster.deletion_protection:
        message = "Deletion protection is off: one `DeleteCluster` call deletes the cluster"
        yield finding(cluster, message, path="deletion_protection", fix=set_to("deletion_protection", value=True))
