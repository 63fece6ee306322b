"""Requirements of Karpenter NodePools that no node can meet, or that exclude less than expected."""

from collections.abc import Iterator
from functools import reduce
from typing import NamedTuple

from nodepools.model.aks.cluster import NodeProvisioning
from nodepools.model.eks.node_class import AutoMode
from nodepools.model.karpenter import NodePool, Requirement
from nodepools.model.kubernetes.label import POOL_LABEL, Values, current_label, domain, region_of_zone, zone_ids_of
from nodepools.model.listing import as_code, grouped, nearest
from nodepools.model.steps import Step, Steps
from nodepools.rules.engine.finding import Fix, PartFinding, add, correct_spelling, literal, ref, remove, sentence, set_to
from nodepools.rules.engine.registry import DECLARED_FIELDS, NAMES_OF_RESOURCES, error, finding, limited, sample, warning
from nodepools.rules.engine.samples import AMD64, ON_DEMAND, auto_mode, eks_pool
from nodepools.rules.platform.labels import (
    allowed_values,
    closed_values,
    in_domain,
    misspelt_label,
    named_labels,
    near_label,
    of_another_cloud,
    renamed_label,
    well_known,
    without_value,
)

_SCHEDULING = "https://karpenter.sh/docs/concepts/scheduling/"
_CAPACITY, _ARCH, _OS = "karpenter.sh/capacity-type", "kubernetes.io/arch", "kubernetes.io/os"
_ZONE, _REGION, _ZONE_ID = "topology.kubernetes.io/zone", "topology.kubernetes.io/region", "topology.k8s.aws/zone-id"
_AWS = ("eks.amazonaws.com", "karpenter.k8s.aws")
"""Domains of the labels of EC2 instance types: of Auto Mode, and of self-managed Karpenter."""
_OF_EVERY_TYPE = (
    *("category", "family", "generation", "size", "cpu", "memory", "cpu-manufacturer", "cpu-sustained-clock-speed-mhz", "capability-flex"),
    *("encryption-in-transit-supported", "hypervisor"),
)
EVERY_NODE_HAS = frozenset(
    {_CAPACITY, _ARCH, _OS, _ZONE, _REGION, "node.kubernetes.io/instance-type"}
    | {f"{domain}/instance-{name}" for domain in _AWS for name in _OF_EVERY_TYPE}
    | {f"karpenter.azure.com/sku-{name}" for name in ("name", "family", "series", "version", "cpu", "memory", "gpu-count")}
    | {f"karpenter.azure.com/sku-{name}" for name in ("networking-accelerated", "storage-premium-capable")}
    | {"karpenter.azure.com/placement-scope", *(f"kubernetes.azure.com/{name}" for name in ("mode", "os-sku", "cluster"))}
)
"""Of Azure: karpenter-provider-azure, pkg/providers/instancetype/instancetype.go (2026-08-21). Sizes without GPUs have the count 0."""
_SAYS_THE_ARCH = frozenset(
    {"node.kubernetes.io/instance-type"}
    | {f"{domain}/instance-{name}" for domain in _AWS for name in ("family", "cpu-manufacturer")}
    | {"karpenter.azure.com/sku-name", "karpenter.azure.com/sku-series"}
)
_IN_MEBIBYTES = (
    *(f"{domain}/instance-{name}" for domain in _AWS for name in ("memory", "gpu-memory")),
    "karpenter.azure.com/sku-memory",
    "kubernetes.azure.com/sku-memory",
)
_MEBIBYTES_OF_A_GIBIBYTE = 1024


@error("KAR040", f"{_SCHEDULING}: requirements and labels of one key hold together; every node has this label")
@sample("requirements[2]", lambda: eks_pool(Requirement("kubernetes.io/arch", "In", ["arm64"])))
def contradicting_requirements(pool: NodePool) -> Iterator[PartFinding]:
    """Nodes match all requirements and labels of their NodePool: if these leave no value for a label that every node has, no node is launched."""
    for label in _labels(pool):
        is_alone = len(label.parts) == 1
        if label.key not in EVERY_NODE_HAS or not label.allowed.absent or (is_alone and closed_values(pool, label.key)):  # alone: KAR043
            continue
        others = sorted({key for key, (same, _) in pool.synonyms.items() if same == label.key} & pool.asked().keys())
        named = " and ".join(f"`{key}`" for key in (label.key, *others))
        why = f"every node has `{label.key}`" if is_alone else f"the requirements and labels for {named} contradict each other"
        fix = "Remove the requirement or label that is not intended"
        yield finding(pool, f"No node is ever launched: {why}", path=label.at, fix=fix)
    yield from _zones_of_other_regions(pool)


def _zones_of_other_regions(pool: NodePool) -> Iterator[PartFinding]:
    """The names and IDs of zones say in which region they are."""
    labels = {label.key: label for label in _labels(pool)}
    zone, region, by_id = (labels.get(key) for key in (_ZONE, _REGION, _ZONE_ID))
    if zone is None or zone.allowed.complement or zone.allowed.absent:
        return
    regions = [region_of_zone(name) for name in zone.allowed.members]
    ids = [] if by_id is None or by_id.allowed.complement else [name.partition("-")[0] for name in by_id.allowed.members]
    if ids and all(region and "-iso" not in region for region in regions) and {*map(zone_ids_of, regions)}.isdisjoint(ids):
        message = f"No node is ever launched: no zone that `{_ZONE}` allows is in a region of those that `{_ZONE_ID}` allows"
        yield finding(pool, message, path=zone.at, fix=f"Remove the requirement on `{_ZONE_ID}`, or use IDs of zones of that region")
    if region is not None and not region.allowed.absent and all(name and name not in region.allowed for name in regions):
        message = f"No node is ever launched: no zone that `{_ZONE}` allows is in a region that `{_REGION}` allows"
        yield finding(pool, message, path=zone.at, fix=f"Remove the requirement on `{_REGION}`, or use zones of that region")


@error("KAR041", "Karpenter 1.15, areRequirementsDrifted: a NodeClaim has the labels of its template, and the name of its node class as one")
@sample("labels.team", lambda: eks_pool(Requirement("team", "In", ["ml"]), labels={"team": "web"}))
def label_contradicts_requirement(pool: NodePool) -> Iterator[PartFinding]:
    """Karpenter replaces nodes that the requirements of their NodePool exclude: if its own labels are, that is every node, again and again."""
    for key, value, at in _given(pool):
        required = [(one.allowed, ("requirements", index)) for index, one in enumerate(pool.requirements) if one.label == key]
        allowed = reduce(Values.__and__, (values for values, _ in required), Values())
        is_name = not at and (allowed.complement or any(one.startswith(f"{value}-") for one in allowed.members))  # a declared class can have a suffix
        if value not in allowed and not is_name:
            told = "Karpenter replaces every node as soon as the disruption budgets allow it, and each new one, too"
            fix = f"Remove the requirement on `{key}`{', or the label' if at else ''}"
            yield finding(pool, f"{told}: the requirements exclude its label `{key}={value}`", path=at if at else required[-1][1], fix=fix)


def _given(pool: NodePool) -> Iterator[tuple[str, str, Steps]]:
    """The labels that every node gets, whatever the requirements: those of the template that no instance type decides, and the name of the class."""
    own = ((current_label(key), key, value) for key, value in pool.labels.items())
    yield from ((label, value, ("labels", key)) for label, key, value in own if label not in well_known(pool) | pool.synonyms.keys())
    yield pool.class_label, pool.node_class if pool.node_class is not None else "default", ()


@warning("KAR094", f"{_SCHEDULING}: an empty intersection silently means that the label is absent")
@sample("requirements[3]", lambda: eks_pool(Requirement("team", "In", ["ml"]), Requirement("team", "In", ["web"])))
def requirements_without_a_value(pool: NodePool) -> Iterator[PartFinding]:
    """If requirements and labels of a NodePool leave no value for a label, its nodes do not have the label."""
    for label in _labels(pool):
        is_meant = all(values.permits_absence for values, _ in label.parts)
        if label.key not in {*EVERY_NODE_HAS, *pool.synonyms, *(key for key, _, _ in _given(pool))} and label.allowed.absent and not is_meant:
            why = "nodes do not get this label, because requirements and labels for it contradict each other"
            message = f"Pods that select `{label.key}` stay Pending: {why}"
            yield finding(pool, message, path=label.at, fix="Remove the requirement or label that is not intended")


@warning("KAR093", "nodepools: nodes of a declared pool have its name as `nodepools/name`")
@limited(NAMES_OF_RESOURCES, DECLARED_FIELDS)
@sample("auto_mode.node_pools.web", lambda: auto_mode({"web": eks_pool(Requirement(POOL_LABEL, "In", ["api"]))}))
def name_contradicts_requirement(parent: AutoMode | NodeProvisioning) -> Iterator[PartFinding]:
    """If a requirement excludes the name of its NodePool as `nodepools/name`, its nodes do not have that label."""
    for name, pool in parent.node_pools.items():
        wrong = [index for index, one in enumerate(pool.requirements) if one.label == POOL_LABEL and name not in one.allowed]
        if pool.labeled and wrong:
            at = ("node_pools", name, "requirements")
            fix = Fix(f"Remove the requirement on `{POOL_LABEL}`", tuple(remove((*at, index)) for index in reversed(wrong)))
            message = f"Pods that select `{POOL_LABEL}: {name}` stay Pending: a requirement of the NodePool excludes its own name"
            yield finding(parent, message, path=("node_pools", name), value=name, fix=fix)


@error("KAR042", "NodePool CRD (karpenter.sh/v1): 'minValues' must have at least that many values")
@sample("requirements[2].min_values", lambda: eks_pool(Requirement("node.kubernetes.io/instance-type", "In", ["m7i.large"], min_values=2)))
def min_values_above_value_count(requirement: Requirement) -> Iterator[PartFinding]:
    """A requirement must list at least as many values as its `min_values`."""
    count = len(requirement.values)
    if requirement.operator == "In" and requirement.min_values is not None and requirement.min_values > count:
        message = (
            f"The API server rejects {ref('min_values')} ({requirement.min_values}): only {count} {'value is' if count == 1 else 'values are'} listed"
        )
        yield finding(requirement, message, path="min_values", fix=set_to("min_values", count))


@error("KAR043", "https://karpenter.sh/docs/concepts/nodepools: well-known labels and their values")
@sample("requirements[1].values", lambda: eks_pool(requirements=[AMD64, Requirement("karpenter.sh/capacity-type", "In", ["ondemand"])]))
def no_known_label_value(pool: NodePool) -> Iterator[PartFinding]:
    """Capacity type, architecture and operating system have fixed values; a NodePool that allows only others never launches a node."""
    for number, requirement in enumerate(pool.requirements):
        yield from _unknown_values(pool, ("requirements", number), requirement)
    for key in (_CAPACITY, _ARCH, _OS):
        words, values = closed_values(pool, key), allowed_values(pool, key)
        if not any(word in values for word in words) and not _is_told(pool, key):
            listed = as_code(words)
            at = next(at for label, _, at in pool.label_parts() if label == key)
            own = next(label for label, _, place in pool.label_parts() if place == at)
            listed_here = as_code(pool.synonyms[own][1]) if own in pool.synonyms else listed
            message = f"The NodePool allows no value of `{key}` that nodes can have ({listed}): no node is ever launched"
            yield finding(pool, message, path=at, fix=f"Allow one of {listed_here}" if len(words) > 1 else f"Allow {listed}")


def _is_told(pool: NodePool, key: str) -> bool:
    """A list of unknown values has a finding of its own, and a contradiction is KAR040."""
    lists = any(one.label == key and one.operator == "In" and not set(one.values) & set(closed_values(pool, key)) for one in pool.requirements)
    return lists or (allowed_values(pool, key).absent and sum(label == key for label, _, _ in pool.label_parts()) > 1)


def _unknown_values(pool: NodePool, at: tuple[Step, ...], requirement: Requirement) -> Iterator[PartFinding]:
    words, values = closed_values(pool, requirement.label), requirement.values
    known, least = {word for word in words if word in requirement.allowed}, requirement.min_values if requirement.min_values is not None else 1
    counted = known if requirement.label != _CAPACITY else set(words)  # types count with all of their capacity types
    listed = as_code(words)
    if words and not known and requirement.operator == "In":
        wrong = f"`{values[0]}` is not a value" if len(values) == 1 else "None of these is a value"
        suggestion = [near for value in values if (near := nearest(value, words)) is not None]
        advice = f"Use one of {listed}" if len(words) > 1 else f"Use {listed}"
        fix = correct_spelling((*at, "values"), values, suggestion) if len(set(suggestion)) == len(values) else advice
        yield finding(pool, f"{wrong} of `{requirement.key}` ({listed}): no node is ever launched", path=(*at, "values"), fix=fix)
    elif known and len(counted) < least and (least <= len(values) or requirement.operator != "In"):  # above the number of listed values: KAR042
        least_values = (*at, "min_values")
        message = f"{ref(least_values)} is {least}, but only {len(counted)} of the allowed values can occur on nodes: {as_code(sorted(counted))}"
        yield finding(pool, message, path=least_values, fix=set_to(least_values, len(counted)))


@warning("KAR044", "https://karpenter.sh/docs/concepts/nodepools: well-known labels and their values")
@sample("requirements[1].values[1]", lambda: eks_pool(requirements=[AMD64, Requirement("karpenter.sh/capacity-type", "In", ["spot", "ondemand"])]))
def unknown_label_value(requirement: Requirement, pool: NodePool) -> Iterator[PartFinding]:
    """Karpenter ignores unknown capacity types, architectures and operating systems among known ones."""
    words = closed_values(pool, requirement.label)
    listed = as_code(words)
    unknown = [(index, value) for index, value in enumerate(requirement.values) if value not in words]
    if requirement.operator == "In" and set(words) & set(requirement.values):
        for index, value in unknown:
            near = nearest(value, [word for word in words if word not in requirement.values])
            fix = _if_meant(("values", index), near) if near is not None else without_value(requirement, index, len(unknown), f"Use one of {listed}")
            message = f"`{value}` is not a value of `{requirement.key}` ({listed}): Karpenter ignores it"
            yield finding(requirement, message, path=("values", index), fix=fix)


def _if_meant(at: Steps, value: str) -> Fix:
    """Another spelling adds nodes that were not launched so far: the user decides."""
    return Fix(f"{sentence([set_to(at, value)])}, if such nodes are meant", (set_to(at, value),))


@warning("KAR045", "https://karpenter.sh/docs/concepts/nodepools: without a capacity type, spot may be chosen")
@sample("requirements", lambda: eks_pool(requirements=[AMD64]))
def capacity_type_not_set(pool: NodePool) -> Iterator[PartFinding]:
    """Without a requirement on the capacity type, Karpenter can launch spot nodes, which can be interrupted at any time."""
    if not _speaks_of(pool, frozenset({_CAPACITY, "kubernetes.azure.com/scalesetpriority", "kubernetes.azure.com/priority"})):
        message = f"Without a requirement on `{_CAPACITY}`, the NodePool can launch spot nodes, which can be interrupted at any time"
        yield finding(pool, message, path="requirements", fix=_unless("spot nodes are", ON_DEMAND))


def _unless(wanted: str, requirement: Requirement) -> Fix:
    """Adds a requirement, which is right only if the nodes that it excludes are not meant."""
    operation = add("requirements", requirement)
    return Fix(f"{sentence([operation])}, unless {wanted} meant", (operation,))


@warning("KAR046", "https://karpenter.sh/docs/concepts/nodepools: without an architecture, arm64 may be chosen")
@sample("requirements", lambda: eks_pool(requirements=[ON_DEMAND]))
def architecture_not_set(pool: NodePool) -> Iterator[PartFinding]:
    """Without a requirement on the architecture, Karpenter can launch arm64 nodes, on which images for amd64 do not start."""
    if not _speaks_of(pool, _SAYS_THE_ARCH | {_ARCH}):
        message = f"Without a requirement on `{_ARCH}`, the NodePool can launch arm64 nodes, on which images for amd64 do not start"
        yield finding(pool, message, path="requirements", fix=_unless("arm64 nodes are", AMD64))


@warning("KAR047", "NodePool CRD (karpenter.sh/v1): admitted, and the values ignored")
@sample("requirements[2].values", lambda: eks_pool(Requirement("team", "Exists", ["ml"])))
def ignored_requirement_values(requirement: Requirement) -> Iterator[PartFinding]:
    """The operators Exists and DoesNotExist have no values: any that are given are ignored."""
    if requirement.operator in ("Exists", "DoesNotExist") and requirement.values:
        suggestion = "In" if requirement.operator == "Exists" else "NotIn"
        fix = Fix(f"Remove {ref('values')}, or set {ref('operator')} to {literal(suggestion)}", (remove("values"),))
        yield finding(requirement, f"The operator `{requirement.operator}` ignores {ref('values')}", path="values", fix=fix)


@warning("KAR048", "https://docs.aws.amazon.com/eks/latest/userguide/create-node-pool.html and Karpenter's Azure labels: memory is in MiB")
@sample("requirements[2].values[0]", lambda: eks_pool(Requirement("eks.amazonaws.com/instance-memory", "Gt", ["16"])))
def memory_not_in_mebibytes(requirement: Requirement) -> Iterator[PartFinding]:
    """The memory labels of instances are in MiB."""
    if requirement.label in _IN_MEBIBYTES:
        for index, value in enumerate(requirement.values):
            if value.isascii() and value.isdecimal() and 0 < int(value) < _MEBIBYTES_OF_A_GIBIBYTE:
                at, mebibytes = ("values", index), str(int(value) * _MEBIBYTES_OF_A_GIBIBYTE)
                fix = Fix(f"Set {ref(at)} to {literal(mebibytes)} for {value} GiB", (set_to(at, mebibytes),))
                yield finding(requirement, f"`{value}` means {value} MiB of memory, less than any instance has: the unit is MiB", path=at, fix=fix)


@error("KAR087", "NodePool CRDs of each provider (2026-11): unknown labels of the provider's domain are restricted")
@sample("requirements[2].key", lambda: eks_pool(Requirement("eks.amazonaws.com/instance-familly", "In", ["m7i"])))
def misspelt_provider_label(pool: NodePool) -> Iterator[PartFinding]:
    """The API server rejects a label of Karpenter's own domain that Karpenter does not know."""
    for key, at in named_labels(pool):
        near = misspelt_label(pool, key)
        if near is not None:
            message = f"The API server rejects the label `{key}`: Karpenter does not know it, and its domain is restricted"
            yield finding(pool, message, path=at, value=key, fix=renamed_label(at, key, near))


@warning("KAR088", "https://karpenter.sh/docs/concepts/scheduling/#well-known-labels (2026-11): any other key is a label without a meaning")
@sample("requirements[2].key", lambda: eks_pool(Requirement("instance-family", "In", ["m7i"])))
def requirement_without_domain(requirement: Requirement, pool: NodePool) -> Iterator[PartFinding]:
    """A requirement on a key that is not a well-known label selects no machine types or zones: it only labels the nodes."""
    key, known = requirement.label, well_known(pool)
    if key in known or domain(key) in pool.label_domains or in_domain(key, "karpenter.sh"):
        return
    is_foreign = of_another_cloud(pool, key)
    full = [] if domain(key) else [one for one in sorted(known) if key.lower() in ((of := one.partition("/")[2]), of.removeprefix("instance-"))]
    near = full[0] if len(full) == 1 else None if full else near_label(pool, key)
    if is_foreign or full or near is not None:
        what = "a label of another cloud" if is_foreign else "not a well-known label"
        message = f"`{key}` is {what}: the requirement does not restrict the nodes, it only labels them"
        text = "Remove the requirement, or use the label of this cloud" if is_foreign else f"Use one of {', '.join(f'`{one}`' for one in full)}"
        yield finding(requirement, message, path="key", fix=text if near is None else renamed_label(("key",), key, near))


class _Label(NamedTuple):
    """What a NodePool says of one label of its nodes."""

    key: str
    parts: list[tuple[Values, tuple[Step, ...]]]

    @property
    def allowed(self) -> Values:
        """The values that all parts allow."""
        return reduce(Values.__and__, (values for values, _ in self.parts))

    @property
    def at(self) -> tuple[Step, ...]:
        """The path of the last part."""
        return self.parts[-1][1]


def _labels(pool: NodePool) -> Iterator[_Label]:
    """The labels that requirements and labels of a NodePool name."""
    parts = grouped((key, (values, at)) for key, values, at in pool.label_parts())
    yield from (_Label(key, of) for key, of in parts.items())


def _speaks_of(pool: NodePool, labels: frozenset[str]) -> bool:
    return any(requirement.label in labels for requirement in pool.requirements) or any(current_label(key) in labels for key in pool.labels)
