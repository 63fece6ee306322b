"""Where a server of the CRDs at hand and we differ, on purpose. Listed for people in ../known_differences.md."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

RUNTIME = {
    "CFG003": "a class of another kind is admitted, and the pool never works",
    "EKS045": "labels of self-hosted Karpenter are admitted, and no node has them",
    "KAR013": "a limit below any node is admitted, and no node is started",
    "KAR021": "a schedule that cannot be read is admitted, and nothing is disrupted",
    "KAR030": "a taint given twice is admitted, and the pool is never ready",
    "KAR033": "values that no label has are admitted, and the pool is never ready",
    "KAR040": "requirements that contradict each other are admitted, and no node is started",
    "KAR043": "an unknown capacity type is admitted, and the pool is never ready",
}
"""Errors about what is admitted, and refused or punished by the controller later."""


@dataclass(frozen=True)
class Difference:
    name: str
    kind: str
    path: str
    value: Any
    """One example, which must still differ."""
    covers_value: Callable[[Any], bool]

    def covers(self, kind: str, path: str, value: Any) -> bool:
        return (kind, path) == (self.kind, self.path) and self.covers_value(value)


def unanchored(value: Any) -> bool:
    return isinstance(value, str) and re.fullmatch(r"([0-9]+[smh])+|Never", value) is None


def only(example: Any) -> Callable[[Any], bool]:
    return lambda value: value == example


LABELS = "spec.template.metadata.labels"
TERMS = [{"id": "subnet-1", "tags": {"a": "b"}}]
GROUPS = [{"id": "sg-1", "name": "x"}]
REASONS = [{"nodes": "0", "reasons": ["Empty", "Empty"]}]

KNOWN: tuple[Difference, ...] = (
    Difference("crd-eks-consolidate-after", "eks pool", "spec.disruption.consolidateAfter", "1h 30m", unanchored),
    *(
        Difference(name, kind, LABELS, {label: "x"}, only({label: "x"}))
        for name, kind, label in (
            ("crd-eks-unknown-label", "eks pool", "eks.amazonaws.com/unheard"),
            ("crd-eks-kubernetes-label", "eks pool", "app.kubernetes.io/name"),
            ("crd-aks-unknown-label", "aks pool", "kubernetes.azure.com/unheard"),
            ("crd-aks-unknown-sku", "aks pool", "karpenter.azure.com/sku-unheard"),
        )
    ),
    Difference("crd-eks-mixed-subnet", "eks class", "spec.subnetSelectorTerms", TERMS, only(TERMS)),
    Difference("crd-eks-mixed-group", "eks class", "spec.securityGroupSelectorTerms", GROUPS, only(GROUPS)),
    Difference("crd-aks-reasons", "aks pool", "spec.disruption.budgets", REASONS, only(REASONS)),
)
