"""Prerequisites for network policies in NodeClasses of EKS Auto Mode. Facts: docs/facts/eks.md § 13."""

from collections.abc import Iterator
from typing import Final

from nodepools.model.derive import derive
from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.model.eks.node_class import EksNodeClass
from nodepools.rules.engine.finding import PartFinding, Severity
from nodepools.rules.engine.fix import Fix, remove
from nodepools.rules.engine.registry import Sample, finding, rule
from nodepools.rules.engine.samples import auto_mode

GUIDE: Final = "https://docs.aws.amazon.com/eks/latest/userguide/auto-net-pol.html: the ConfigMap first, then the NodeClass (2026-01)"


@rule(
    "EKS096",
    Severity.WARNING,
    source=GUIDE,
    sample=Sample(
        "auto_mode.node_classes.strict.network_policy",
        lambda: derive(auto_mode(classes={"strict": EksNodeClass(network_policy="DefaultDeny")}), objects={"network_policies": False}),
    ),
)
def network_policy_without_controller(node_class: EksNodeClass, cluster: EksClusterArgs) -> Iterator[PartFinding]:
    """Network policies are enforced only where ConfigMap `kube-system/amazon-vpc-cni` turns their controller on."""
    if node_class.needs_network_policies and cluster.objects.network_policies is False:
        off = remove("objects.network_policies", part=EksClusterArgs)
        fix = Fix(f"{off.text} (default: the ConfigMap is created)", (off,))
        yield finding(node_class, without_effect(node_class), path=field_of(node_class), fix=fix)


def field_of(node_class: EksNodeClass) -> str:
    """The field that has no effect while the controller is off."""
    return "network_policy" if node_class.network_policy == "DefaultDeny" else "network_policy_event_logs"


def without_effect(node_class: EksNodeClass) -> str:
    """The message for a NodeClass if the network policy controller is off."""
    value = node_class.network_policy if node_class.network_policy == "DefaultDeny" else node_class.network_policy_event_logs
    return (
        f"`{value}` has no effect without the ConfigMap `kube-system/amazon-vpc-cni`, which is not declared here "
        '(`enable-network-policy-controller: "true"`)'
    )
