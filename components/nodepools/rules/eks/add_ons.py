"""Add-ons in clusters with Auto Mode, and the add-on versions that Auto Mode requires. Facts: docs/facts/eks.md C41, C42."""

from collections.abc import Iterator

from nodepools.data.version_support import ADD_ON_SOURCE, is_older_add_on, least_add_on
from nodepools.model.eks.access import AddOn
from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.model.nearest import nearest
from nodepools.rules.engine.finding import PartFinding, Severity
from nodepools.rules.engine.finding_text import literal, ref
from nodepools.rules.engine.fix import Fix, rename, set_to
from nodepools.rules.engine.registry import WITHOUT_AUTO_MODE, Sample, finding, rule
from nodepools.rules.engine.samples import eks

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


@rule(
    "EKS085",
    Severity.WARNING,
    source=_ENABLE,
    sample=Sample("add_ons.snapshot-controller.version", lambda: eks(add_ons={"snapshot-controller": AddOn(version="v8.0.0-eksbuild.1")})),
    limits=(WITHOUT_AUTO_MODE,),
)
def add_on_too_old_for_auto_mode(cluster: EksClusterArgs) -> Iterator[PartFinding]:
    """Enabling Auto Mode on an existing cluster requires minimum versions of its add-ons."""
    for name, add_on in cluster.add_ons.items():
        least = least_add_on(name, add_on.version)
        if add_on.version is not None and least is not None and is_older_add_on(add_on.version, least):
            at = ("add_ons", name, "version")
            message = f"Turning Auto Mode on in an existing cluster requires at least `{least}` of the add-on `{name}`, not `{add_on.version}`"
            yield finding(cluster, message, path=at, fix=Fix(f"Set {ref(at)} to {literal(least)} or newer", (set_to(at, least),)))


@rule(
    "EKS086",
    Severity.WARNING,
    source="https://docs.aws.amazon.com/eks/latest/userguide/eks-add-ons.html: not needed with Auto Mode, unless there are other nodes",
    sample=Sample("add_ons.vpc-cni", lambda: eks(add_ons={"vpc-cni": AddOn()})),
    limits=(WITHOUT_AUTO_MODE,),
)
def add_on_included_in_auto_mode(cluster: EksClusterArgs) -> Iterator[PartFinding]:
    """Auto Mode includes networking, DNS, block storage and pod identity: these add-ons serve other nodes only."""
    for name in cluster.add_ons:
        if name in _EXISTING:
            message = f"Auto Mode nodes do not need the add-on `{name}`, which is built into them"
            fix = "Remove the add-on once no other node is left"
            yield finding(cluster, message, path=("add_ons", name), value=name, fix=fix)


@rule(
    "EKS178",
    Severity.WARNING,
    source="https://docs.aws.amazon.com/eks/latest/userguide/workloads-add-ons-available-eks.html (2026-11), and community-addons",
    sample=Sample("add_ons.metric-server", lambda: eks(add_ons={"metric-server": AddOn()})),
)
def unknown_add_on(cluster: EksClusterArgs) -> Iterator[PartFinding]:
    """EKS rejects an add-on whose name it does not know; new ones can be missing in this table."""
    for name in cluster.add_ons:
        # With an underscore: publisher and name in the marketplace. With a colon: the URN of a resource whose name is unknown or taken
        if name not in _KNOWN and "_" not in name and ":" not in name:
            near = nearest(name, _KNOWN - set(cluster.add_ons))
            message = f"`{name}` is not a known add-on of EKS, which rejects names that it does not know"
            command = "Use a name that `aws eks describe-addon-versions` lists"
            yield finding(cluster, message, path=("add_ons", name), value=name, fix=rename(("add_ons", name), near) if near is not None else command)
