"""What Karpenter compares to decide that nodes drift: hashes of NodePools and node classes, requirements, and security groups.

Two objects have the same hash if, and only if, their canonical forms are equal: with the defaults of the CRD, durations as numbers, lists in any
order, and empty maps, lists and blocks kept apart from absent ones. An element that a list has twice does not count: the hash of a list is the XOR of
those of its elements (hashstructure with SlicesAsSets). Sources: `NodePool.Hash` of Karpenter 1.14, `AKSNodeClass.Hash` of
karpenter-provider-azure 1.14, and the CRDs of both. EKS does not publish how a NodeClass is compared.

Requirements of a NodePool are compared with the labels of each NodeClaim. Without the NodeClaims, the labels are known as far as the old
requirements and the labels of the template determine them. Source: Karpenter 1.14, nodeclaim/disruption/drift.go.

Of an EC2NodeClass, `EC2NodeClass.Hash` of karpenter-provider-aws 1.15 has hash version v6. Subnets, security groups, images, reservations and the
count of prefixes are not in it. The family of the images is, as it is resolved: so an alias instead of a family changes nothing. The kubelet's
settings are compared as text, the size of a disk as an amount, and `false` counts as absent only for the root volume. Karpenter never compares hashes
of two hash versions. Of security groups, an id decides alone, then a name, then tags (`areSecurityGroupsDrifted`, pkg/providers/securitygroup).
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from pathlib import Path
from typing import Final, cast

from nodepools.clouds.change import NodeClaim
from nodepools.model.kubernetes.duration import NEVER
from nodepools.model.kubernetes.label import ABSENT, Operator, Requirements, Values, current_label
from nodepools.model.steps import mapping, sequence
from nodepools.placement.cloud_labels import CAPACITY, KARPENTER_LABELS, OS, POOL, ZONE
from nodepools.wire.karpenter import AKS_NODE_CLASS, EKS_NODE_CLASS
from nodepools.wire.paths import value_at
from nodepools.wire.table import Effect, worst

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


_UNITS: Final = {"h": 3600.0, "m": 60.0, "s": 1.0, "ms": 1e-3, "us": 1e-6, "µs": 1e-6, "ns": 1e-9}
_DURATION: Final = re.compile(r"([0-9]+(?:\.[0-9]*)?|\.[0-9]+)(h|ms|m|s|us|µs|ns)")
_DURATIONS: Final = frozenset({"expireAfter", "terminationGracePeriod", "cacheDuration", "serveStaleDuration", "cpuCFSQuotaPeriod"})
_TABLES: Final = cast("Mapping[str, Mapping[str, object]]", json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8")))
"""Defaults of CRDs; structures of Go by field, with their names and fields in the order of the source; texts; fields of EC2NodeClasses."""
_TOP_LEVEL: Final = _TABLES["defaults of an AKSNodeClass"]
_IN_BLOCKS: Final = cast("Mapping[str, Mapping[str, object]]", _TABLES["defaults in its blocks"])
"""Defaults of the AKSNodeClass CRD. Those of a block apply only where the block is set."""


def of_node_pool(spec: Mapping[str, object], expire_after: str | None) -> object:
    """The canonical form of the `spec` of a NodePool; `expire_after` is the default of its CRD, `None` if it is not certain."""
    template = dict(mapping(spec.get("template")))
    nodes = {name: value for name, value in mapping(template.get("spec")).items() if name != "requirements"}
    if expire_after is not None:
        nodes.setdefault("expireAfter", expire_after)
    if nodes.get("expireAfter") == NEVER:
        del nodes["expireAfter"]
    metadata = mapping(template.pop("metadata", None))
    kept = {name: metadata[name] for name in _TYPES["metadata"][1].split() if metadata.get(name) is not None}
    template |= {"metadata": kept} if kept else {}
    return canonical({**template, "spec": nodes})


def of_aks_node_class(spec: Mapping[str, object]) -> object:
    """The canonical form of the `spec` of an AKSNodeClass."""
    return canonical({name: value for name, value in with_aks_defaults(spec).items() if name != "tags"})


def with_aks_defaults(spec: Mapping[str, object]) -> Mapping[str, object]:
    """The `spec` of an AKSNodeClass with the defaults of its CRD, as the API server stores it."""
    made = {**_TOP_LEVEL, **spec}
    for block, defaults in _IN_BLOCKS.items():
        if isinstance(made.get(block), Mapping):
            made[block] = {**defaults, **mapping(made[block])}
    return made


def canonical(value: object, name: str = "") -> object:
    """A hashable value that is equal for equal meanings: a duration by its length, a list by the elements that it has an odd number of times.

    In a structure of Go, an empty text is as if it were absent.
    """
    if isinstance(value, Mapping):
        texts = _TEXTS if name in _TYPES else ()
        parts = mapping(cast("object", value)).items()
        return frozenset((key, canonical(part, key)) for key, part in parts if part is not None and (part != "" or key not in texts))
    if isinstance(value, list | tuple):
        times = Counter(canonical(part, name) for part in sequence(cast("object", value)))
        return ("list", frozenset(part for part, number in times.items() if number % 2))
    if isinstance(value, str) and name in _DURATIONS:
        length = duration(value)
        return ("seconds", length) if length is not None else value
    return (type(value).__name__, value)


def duration(text: str) -> float | None:
    """Seconds of a duration of Go, such as `1h30m` or `100ms`; `None` for other texts."""
    parts = _DURATION.findall(text)
    if not parts or "".join(number + unit for number, unit in parts) != text:
        return None
    return round(sum(float(number) * _UNITS[unit] for number, unit in parts), 9)


Canonical = Callable[[Mapping[str, object]], object]


_NOT_HASHED: Final = str(_TABLES["not hashed"]).split()
"""Fields that are not hashed, or not as they are written."""
_METADATA: Final = _TABLES["defaults of metadataOptions"]
"""Defaults of the CRD."""
NEWEST: Final = "v6"
"""Since Karpenter 1.15: the kubelet as text."""
WITHOUT_KUBELET: Final = "v3"
"""Before Karpenter 1.1: without the kubelet. The versions between compare its values by meaning."""
_PERIODS: Final = "evictionSoftGracePeriod"
_SIZE: Final = re.compile(r"([0-9]+)([GT])(i?)")
_SIZE_UNITS: Final = {"G": 1, "T": 1000, "Gi": 1, "Ti": 1024}


def of_ec2_node_class(spec: Mapping[str, object], hash_version: str = NEWEST) -> object:
    """The canonical form of the `spec` of an EC2NodeClass."""
    return frozenset(hashed_of_ec2(spec, hash_version).items())


def hashed_of_ec2(spec: Mapping[str, object], hash_version: str = NEWEST) -> Mapping[str, object]:
    """The canonical form of each field of the hash."""
    made = {name: canonical(value) for name, value in spec.items() if name not in _NOT_HASHED and value is not None}
    kubelet = mapping(spec.get("kubelet"))
    if kubelet and hash_version == NEWEST:
        made["kubelet"] = json.dumps(kubelet, sort_keys=True)
    elif spec.get("kubelet") is not None and hash_version not in (NEWEST, WITHOUT_KUBELET):
        made["kubelet"] = _typed(kubelet)
    if spec.get("blockDeviceMappings") is not None:
        made["blockDeviceMappings"] = canonical([_device(mapping(entry)) for entry in sequence(spec["blockDeviceMappings"])])
    return {**made, "amiFamily": ec2_family(spec), "metadataOptions": canonical({**_METADATA, **mapping(spec.get("metadataOptions"))})}


def _typed(kubelet: Mapping[str, object]) -> object:
    """The kubelet as a structure: lists are sets, grace periods are durations."""
    periods = {signal: duration(str(length)) for signal, length in mapping(kubelet.get(_PERIODS)).items()}
    return canonical({**kubelet, **({_PERIODS: periods} if periods else {})})


def ec2_family(spec: Mapping[str, object]) -> str:
    """The family of the images: the one that is set, or that of the alias."""
    if isinstance(spec.get("amiFamily"), str):
        return str(spec["amiFamily"]).lower()
    aliases = [str(alias) for term in map(mapping, sequence(spec.get("amiSelectorTerms"))) if (alias := term.get("alias"))]
    return aliases[0].partition("@")[0].lower() if aliases else "custom"


def _device(entry: Mapping[str, object]) -> Mapping[str, object]:
    disk = entry.get("ebs")
    kept = {name: value for name, value in entry.items() if not (name == "rootVolume" and value is False)}
    if isinstance(disk, Mapping):
        sized = mapping(cast("object", disk))
        kept["ebs"] = {**sized, "volumeSize": _amount(sized.get("volumeSize"))}
    return kept


def _amount(size: object) -> object:
    """`1Ti` and `1024Gi` are the same; `100G` and `100Gi` are not."""
    found = _SIZE.fullmatch(str(size))
    return (int(found[1]) * _SIZE_UNITS[found[2] + found[3]], found[3]) if found is not None else size


TERMS: Final = "securityGroupSelectorTerms"


def selects_others(old: object, new: object) -> bool:
    """It is certain that both select other groups: both by ids, or both by names, which are not the same. Tags can be those of the same groups."""
    first, second = _named_terms(old), _named_terms(new)
    return first is not None and second is not None and first[0] == second[0] and first[1] != second[1]


def _named_terms(terms: object) -> tuple[str, frozenset[str]] | None:
    """What all terms name, `id` or `name`, and the values; `None` if not all of them name the same."""
    found = [next(((key, str(term[key])) for key in ("id", "name") if term.get(key)), None) for term in map(mapping, sequence(terms))]
    exact = [one for one in found if one is not None and not any(mark in one[1] for mark in ("*", "?"))]
    kinds = {kind for kind, _ in exact}
    return (kinds.pop(), frozenset(value for _, value in exact)) if len(exact) == len(found) and len(kinds) == 1 else None


HASH_VERSION: Final = "v3"
"""Of the hashes below, which Karpenter writes on NodePools, node classes and NodeClaims. It compares those of one version only.

They are those of Go structures: names of types and fields, in the order of the source, mixed with FNV-1 of 64 bits (hashstructure 2 with FormatV2,
SlicesAsSets, IgnoreZeroValue, ZeroNil). Sources as above, read 2026-11-29.
"""
_TYPES: Final = cast("Mapping[str, Sequence[str]]", _TABLES["structures"])
"""The structure of a field, or of the elements of a list: its name in Go, and its fields in the order of the source."""
_NILLABLE: Final = ("expireAfter", "cacheDuration", "serveStaleDuration")
_TEXTS: Final = str(_TABLES["texts"]).split()
"""Texts, not pointers to them: an empty one is as if it were absent."""
_LONG: Final = "podPidsLimit"
"""The only number of 64 bits; others have 32."""
_GO_NAMES: Final[Mapping[str, str]] = {"vnetSubnetID": "VNETSubnetID", "metadata": "ObjectMeta"}
_ACRONYM: Final = re.compile(r"(os|fips|gpu|cpu|vm)(?![a-z])")


def default_expiry(spec: Mapping[str, object]) -> str:
    """`expireAfter` of a NodePool with this `spec` that has none."""
    is_of_eks = value_at(spec, ("template", "spec", "nodeClassRef", "kind")) == EKS_NODE_CLASS.kind
    return (EKS_NODE_CLASS if is_of_eks else AKS_NODE_CLASS).expire_after


def node_pool_hash(spec: Mapping[str, object]) -> str:
    """The hash of a NodePool with this `spec`."""
    template = mapping(spec.get("template"))
    nodes = {"expireAfter": default_expiry(spec), **mapping(template.get("spec"))}
    return str(_structure(_TYPES["template"], {**template, "spec": nodes}))


def aks_node_class_hash(spec: Mapping[str, object]) -> str:
    """The hash of an AKSNodeClass with this `spec`."""
    return str(_structure(_TYPES["nodeClass"], with_aks_defaults(spec)))


def _structure(of: Sequence[str], fields: Mapping[str, object]) -> int:
    name, names = of
    found = _text(name)
    for field in names.split():
        value = fields.get(field)
        if not _is_zero(field, value):
            found = _mixed(found ^ _mixed(_text(_go_name(field)), _value(field, value)))
    return found


def _is_zero(field: str, value: object) -> bool:
    """Go's zero value, which is not hashed: an absent field, and what a field without a pointer has without a value."""
    if field in _NILLABLE:
        return value is None or value == NEVER
    if field == "metadata":
        return mapping(value).get("labels") is None and mapping(value).get("annotations") is None
    if field == "cpuCFSQuotaPeriod":
        return value is None or duration(str(value)) == 0
    return value is None or (value == "" and field in _TEXTS)


def _value(field: str, value: object) -> int:
    if isinstance(value, list | tuple):
        return _unordered(_value(field, part) for part in sequence(cast("object", value)))
    if field in _TYPES:
        return _structure(_TYPES[field], mapping(value))
    if isinstance(value, Mapping):
        return _mixed(_unordered(_mixed(_text(key), _text(str(part))) for key, part in mapping(cast("object", value)).items()))
    if field in _DURATIONS:
        return _duration("NillableDuration" if field in _NILLABLE else "Duration", str(value), is_pointer=field in _NILLABLE)
    if isinstance(value, bool):
        return _fnv(bytes([value]))
    return _number(value, 8 if field == _LONG else 4) if isinstance(value, int) else _text(str(value))


def _duration(name: str, written: str, *, is_pointer: bool) -> int:
    """A structure around nanoseconds."""
    length = duration(written)
    nanoseconds = round(length * 1e9) if length is not None else 0
    found = _text(name)
    if nanoseconds or is_pointer:
        found = _mixed(found ^ _mixed(_text("Duration"), _number(nanoseconds, 8)))
    return found


def _number(value: int, size: int) -> int:
    """Of one that is too large for the field, which no object has, the lowest bytes."""
    return _fnv((value % 256**size).to_bytes(size, "little"))


def _unordered(hashes: Iterable[int]) -> int:
    """The hash of what has no order."""
    return reduce(lambda one, other: one ^ other, hashes, 0)


def _mixed(*hashes: int) -> int:
    """The hash of hashes."""
    return _fnv(b"".join(one.to_bytes(8, "little") for one in hashes))


def _text(text: str) -> int:
    return _fnv(text.encode())


def _fnv(data: bytes) -> int:
    """FNV-1 of 64 bits."""
    found = 0xCBF29CE484222325
    for byte in data:
        found = found * 0x100000001B3 % 2**64 ^ byte
    return found


def _go_name(field: str) -> str:
    acronym = _ACRONYM.match(field)
    if field in _GO_NAMES:
        return _GO_NAMES[field]
    return acronym[0].upper() + field[acronym.end() :] if acronym is not None else field[:1].upper() + field[1:]
