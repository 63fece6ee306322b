"""Software that a target brings itself, among the workloads of a cluster.

Sources, read 2026-11-23: EKS user guide (eks-add-ons, automode, auto-accelerated, auto-migrate-karpenter), AKS (node-auto-provisioning).
Facts: docs/facts/eks.md C42, § 3.6.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from nodepools.conversion.raw_parts import as_list, as_mapping, part, text
from nodepools.conversion.targets import Target
from nodepools.conversion.unconverted import Log

_NOT_IN: Final = "eks.amazonaws.com/compute-type NotIn [auto]"


@dataclass(frozen=True, slots=True)
class Included:
    """Something that a target brings itself."""

    title: str
    targets: tuple[Target, ...] = (Target.AUTO_MODE,)
    scales: bool = False
    """It creates nodes."""


_INCLUDED: Final[Mapping[str, Included]] = {
    "amazon-k8s-cni": Included("The Amazon VPC CNI"),
    "kube-proxy": Included("kube-proxy"),
    "coredns": Included("CoreDNS"),
    "aws-ebs-csi-driver": Included("The EBS CSI driver"),
    "ebs-csi-driver": Included("The EBS CSI driver"),
    "eks-pod-identity-agent": Included("The EKS Pod Identity agent"),
    "aws-load-balancer-controller": Included("The AWS Load Balancer Controller"),
    "eks-node-monitoring-agent": Included("The node monitoring agent"),
    "aws-node-termination-handler": Included("The handling of spot interruptions"),
    "k8s-device-plugin": Included("The NVIDIA device plugin"),
    "neuron-device-plugin": Included("The Neuron device plugin"),
    "karpenter": Included("Karpenter", tuple(Target), scales=True),
    "controller": Included("Karpenter", tuple(Target), scales=True),
    "cluster-autoscaler": Included("The cluster autoscaler", tuple(Target), scales=True),
}
"""By the last part of the name of the image."""
_CONTROLLER: Final = "karpenter/controller"


def list_included(raw: Mapping[str, object], template: object, target: Target, log: Log) -> bool:
    """Adds the containers that the target brings itself. Tells whether there are any."""
    found = False
    for index, container in enumerate(as_list(part(template, "spec").get("containers"))):
        image = text(as_mapping(container).get("image"))
        included = _of_image(image)
        if included is None or target not in included.targets:
            continue
        found = True
        at = ("spec", "template", "spec", "containers", index, "image")
        log.kept(at, image, *_advice(included, target, is_daemon=raw.get("kind") == "DaemonSet"))
    return found


def _of_image(image: str) -> Included | None:
    path = image.partition("@")[0]
    name = path.rpartition("/")[2].partition(":")[0]
    if name == "controller" and _CONTROLLER not in path:
        return None
    return _INCLUDED.get(name)


def _advice(included: Included, target: Target, *, is_daemon: bool) -> tuple[str, str]:
    if included.scales:
        reason = f"{included.title} launches nodes for the same pending pods as {target.title}"
        return reason, "Remove it after its last node"
    reason = f"{included.title} is part of {target.title}"
    if is_daemon:
        return reason, f"Keep it off the new nodes with node affinity `{_NOT_IN}`, and remove it after the last other node"
    return reason, "Remove it after the last other node"
