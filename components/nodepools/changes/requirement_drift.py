"""Which nodes drift when the requirements of a NodePool change. Karpenter compares them with the labels of each NodeClaim.

Source: Karpenter 1.14, nodeclaim/disruption/drift.go. Without the NodeClaims, the labels are known as far as the old requirements and the labels
of the template determine them.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from nodepools.clouds.node_claims import NodeClaim
from nodepools.model.kubernetes.label import current_label
from nodepools.model.kubernetes.requirement import ABSENT, Operator, Requirements, Values
from nodepools.model.plain_data import mapping, sequence
from nodepools.placement.cloud_labels import CAPACITY, KARPENTER_LABELS, OS, POOL, ZONE
from nodepools.wire.effects import Effect, worst

_GENERATED: Final[Mapping[str, tuple[str, ...]]] = {
    "AKSNodeClass": ("karpenter.azure.com/", "kubernetes.azure.com/"),
    "NodeClass": ("eks.amazonaws.com/", "topology.k8s.aws/"),
    "EC2NodeClass": ("karpenter.k8s.aws/", "topology.k8s.aws/"),
}
"""Groups of the labels that Karpenter sets, by kind of the node class. No NodeClaim has those of another kind."""
_ANY_GROUP: Final = tuple(group for groups in _GENERATED.values() for group in groups)
_LINUX: Final = Values.of(Operator.IN, ["linux"])
_ON_EVERY_CLAIM: Final[Mapping[str, Values]] = {
    POOL: Values(),
    ZONE: Values(),
    CAPACITY: Values.of(Operator.IN, ["on-demand", "spot", "reserved"]),
    "kubernetes.io/arch": Values.of(Operator.IN, ["amd64", "arm64"]),
    "node.kubernetes.io/instance-type": Values(),
    **dict.fromkeys(("karpenter.azure.com/sku-cpu", "eks.amazonaws.com/instance-cpu", "karpenter.k8s.aws/instance-cpu"), Values(minimum=1)),
    **dict.fromkeys(
        ("karpenter.azure.com/sku-memory", "eks.amazonaws.com/instance-memory", "karpenter.k8s.aws/instance-memory"), Values(minimum=512)
    ),
}
"""Labels that every NodeClaim has, with the values that they can have. Memory is in MiB, and the smallest machines have 512."""
_ZONES: Final[Mapping[str, str]] = {"AKSNodeClass": r"[a-z0-9]+-\d|0", "NodeClass": r"[a-z0-9-]+-\d[a-z]", "EC2NodeClass": r"[a-z0-9-]+-\d[a-z]"}
"""The form of a zone; `0` is a node of AKS in no zone."""


def drift(before: object, after: object, labels: Mapping[str, object], kind: str = "") -> Effect:
    """The effect of new requirements on the nodes of a pool whose template has `labels`; `kind` is that of its node class."""
    try:
        old, new = _requirements(before), _requirements(after)
    except ValueError:
        return Effect.UNKNOWN  # the CRD rejects it
    return worst(list(_effects(old, new, labels, kind)), Effect.IN_PLACE)


def drifted(after: object, claims: Iterable[NodeClaim]) -> int | None:
    """How many NodeClaims do not meet the requirements; `None` if the CRD rejects these."""
    try:
        wanted = _requirements(after)
    except ValueError:
        return None
    return sum(not all(_meets(claim.labels.get(key), values) for key, values in wanted.items()) for claim in claims)


def _meets(label: str | None, wanted: Values) -> bool:
    return wanted.permits_absence if label is None else label in wanted


def _effects(old: Requirements, new: Requirements, labels: Mapping[str, object], kind: str) -> Iterator[Effect]:
    linux = {OS: _LINUX} if kind in ("AKSNodeClass", "NodeClass") else {}
    known = old.merged({key: values for key, values in {**_ON_EVERY_CLAIM, **linux}.items() if _is_generated(key, kind)})
    for key, wanted in new.items():
        label = labels.get(key)
        if isinstance(label, str):
            yield Effect.IN_PLACE if label in wanted else Effect.ROLLS
        elif key in known:
            yield _narrowed(known[key], _of_form(wanted, _ZONES.get(kind, ".*")) if key == ZONE else wanted)
        elif _is_generated(key, kind):
            yield Effect.ROLLS_SOME
        else:
            yield Effect.IN_PLACE if wanted.permits_absence else Effect.ROLLS


def _of_form(values: Values, form: str) -> Values:
    """Without the values that no label can have."""
    return replace(values, members=frozenset(value for value in values.members if re.fullmatch(form, value)))


def _narrowed(old: Values, new: Values) -> Effect:
    if is_within(old, new):
        return Effect.IN_PLACE
    return Effect.ROLLS_SOME if old.overlaps(new) or (old.permits_absence and new.permits_absence) else Effect.ROLLS


def is_within(inner: Values, outer: Values) -> bool:
    """Every label that `inner` allows, `outer` allows too."""
    if inner == ABSENT:
        return outer.permits_absence
    if not inner.complement:
        return all(value in outer for value in inner.members if value in inner)
    if inner.permits_absence and not outer.permits_absence:
        return False
    lower = outer.minimum is None or (inner.minimum is not None and inner.minimum >= outer.minimum)
    upper = outer.maximum is None or (inner.maximum is not None and inner.maximum <= outer.maximum)
    return outer.complement and lower and upper and all(value not in inner for value in outer.members)


def _is_generated(key: str, kind: str) -> bool:
    """Karpenter sets the label on every node, or on those whose machine has the property."""
    return key in KARPENTER_LABELS or key.startswith(_GENERATED.get(kind, _ANY_GROUP))


def _requirements(written: object) -> Requirements:
    merged = Requirements()
    for entry in map(mapping, sequence(written)):
        key = str(entry.get("key"))
        values = Values.of(Operator(str(entry.get("operator"))), map(str, sequence(entry.get("values"))))
        merged = merged.merged({current_label(key): values})
    return merged
