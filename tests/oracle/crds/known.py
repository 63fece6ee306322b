"""Where a server of the CRDs at hand and we differ, on purpose. Listed for people in ../known_differences.md."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

RUNTIME = {
    "AKS185": "a kubelet with such a number of processes is admitted, and does not start",
    "CFG003": "a class of another kind is admitted, and the pool never works",
    "EKS183": "volumes are admitted that EBS does not create",
    "SMK043": "volumes are admitted that EBS does not create",
    "SMK052": "ids, names and root volumes are admitted that EC2 rejects, and no node is started",
    "EKS049": "zones of no region are admitted, and no node is started",
    "EKS045": "labels of self-hosted Karpenter are admitted, and no node has them",
    "KAR013": "a limit below any node is admitted, and no node is started",
    "KAR021": "a schedule that cannot be read is admitted, and nothing is disrupted",
    "KAR030": "a taint given twice is admitted, and the pool is never ready",
    "KAR031": "labels that no node can carry are admitted, and the pool is never ready",
    "KAR032": "taints that no node can carry are admitted, and the pool is never ready",
    "KAR033": "values that no label has are admitted, and the pool is never ready",
    "KAR040": "requirements that contradict each other are admitted, and no node is started",
    "KAR041": "a label that requirements exclude is admitted, and each node is replaced without end",
    "KAR043": "an unknown capacity type is admitted, and the pool is never ready",
    "KAR049": "so many labels are admitted, and the claims of the pool are refused",
    "EKS130": "reserved capacity that no class selects is admitted, and no node is started",
    "NAP037": "a limit below every size that is required is admitted, and no node is started",
    "SMK032": "kubelet settings are admitted since Karpenter 1.15, and no node is started",
    "NAP007": "old labels of AKS are admitted, and the pool is never ready",
    "SMK053": "user data that nodes cannot read is admitted, and no node joins",
}
"""Errors about what is admitted, and refused or punished by the controller later."""


@dataclass(frozen=True)
class Difference:
    name: str
    kind: str
    path: str
    value: Any
    """One example, which must still differ."""
    is_in: Callable[[Mapping[str, Any]], bool]
    """An object has what we say something else of."""
    also: tuple[str, ...] = ()
    """Other kinds of which it is the same."""

    def covers(self, kind: str, manifest: Mapping[str, Any]) -> bool:
        return kind in (self.kind, *self.also) and self.is_in(manifest)


def spec(manifest: Mapping[str, Any], *steps: str) -> Any:
    """What stands there; `None` where nothing does, or something else."""
    here: Any = manifest.get("spec")
    for step in steps:
        here = here.get(step) if isinstance(here, dict) else None
    return here


def entries(value: Any) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def keys(manifest: Mapping[str, Any]) -> Iterator[str]:
    """The labels that a pool names."""
    labels = spec(manifest, "template", "metadata", "labels")
    yield from labels if isinstance(labels, dict) else ()
    yield from (one["key"] for one in entries(spec(manifest, "template", "spec", "requirements")) if isinstance(one.get("key"), str))


def unanchored(manifest: Mapping[str, Any]) -> bool:
    value = spec(manifest, "disruption", "consolidateAfter")
    return isinstance(value, str) and re.fullmatch(r"([0-9]+[smh])+|Never", value) is None


def around_an_id(manifest: Mapping[str, Any]) -> bool:
    lists = {"subnet": spec(manifest, "subnetSelectorTerms"), "sg": spec(manifest, "securityGroupSelectorTerms")}
    ids = ((prefix, term.get("id")) for prefix, terms in lists.items() for term in entries(terms))
    return any(isinstance(one, str) and not re.fullmatch(f"{prefix}-[0-9a-z]+", one) for prefix, one in ids)


def bare_volume_units(manifest: Mapping[str, Any]) -> bool:
    volumes = (device.get("ebs") for device in entries(spec(manifest, "blockDeviceMappings")))
    return any(isinstance(volume, dict) and volume.get("volumeSize") in ("Ti", "T") for volume in volumes)


def labels_of(domain: str) -> Callable[[Mapping[str, Any]], bool]:
    return lambda manifest: any(key.startswith(f"{domain}/") for key in keys(manifest))


def labels_of_kubernetes(manifest: Mapping[str, Any]) -> bool:
    return any(key.partition("/")[0].endswith(("kubernetes.io", "k8s.io")) and key not in OF_NODES for key in keys(manifest))


def fractions(manifest: Mapping[str, Any]) -> bool:
    limits = spec(manifest, "limits")
    return isinstance(limits, dict) and any(isinstance(value, str) and re.search("[eE].*[.]", value) for value in limits.values())


def times_in_lists(manifest: Mapping[str, Any]) -> bool:
    taints = (taint for name in ("taints", "startupTaints") for taint in entries(spec(manifest, "template", "spec", name)))
    return any(isinstance(taint.get("timeAdded"), list) for taint in taints)


OF_NODES = ("kubernetes.io/arch", "kubernetes.io/os", "kubernetes.io/hostname", "topology.kubernetes.io/zone")


def without_consolidate_after(manifest: Mapping[str, Any]) -> bool:
    disruption = spec(manifest, "disruption")
    return isinstance(disruption, dict) and "consolidateAfter" not in disruption


LABELS = "spec.template.metadata.labels"
TAINTS = "spec.template.spec.taints"

KNOWN: tuple[Difference, ...] = (
    Difference("crd-eks-consolidate-after", "eks pool", "spec.disruption.consolidateAfter", "1h 30m", unanchored),
    *(
        Difference(f"crd-{kind[:3]}-no-consolidate-after", kind, "spec.disruption", {"consolidationPolicy": "WhenEmpty"}, without_consolidate_after)
        for kind in ("eks pool", "aks pool")
    ),
    *(
        Difference(name, kind, LABELS, {label: "x"}, is_in)
        for name, kind, label, is_in in (
            ("crd-eks-unknown-label", "eks pool", "eks.amazonaws.com/unheard", labels_of("eks.amazonaws.com")),
            ("crd-eks-kubernetes-label", "eks pool", "app.kubernetes.io/name", labels_of_kubernetes),
            ("crd-aks-unknown-label", "aks pool", "kubernetes.azure.com/unheard", labels_of("kubernetes.azure.com")),
            ("crd-aks-unknown-sku", "aks pool", "karpenter.azure.com/sku-unheard", labels_of("karpenter.azure.com")),
        )
    ),
    Difference("crd-eks-around-an-id", "eks class", "spec.subnetSelectorTerms", [{"id": "xsubnet-1!"}], around_an_id),
    Difference(
        "crd-eks-bare-unit",
        "eks class",
        "spec.ephemeralStorage.size",
        "Ti",
        lambda manifest: spec(manifest, "ephemeralStorage", "size") in ("Ti", "T"),
    ),
    Difference("crd-ec2-bare-unit", "ec2 class", "spec.blockDeviceMappings", [{"ebs": {"volumeSize": "Ti"}}], bare_volume_units),
    Difference("crd-both-fraction", "aks pool", "spec.limits", {"cpu": "1e1.5"}, fractions, ("eks pool", "ec2 pool")),
    Difference(
        "crd-both-time-in-a-list",
        "aks pool",
        TAINTS,
        [{"key": "a", "effect": "NoExecute", "timeAdded": ["x"]}],
        times_in_lists,
        ("eks pool", "ec2 pool"),
    ),
)
