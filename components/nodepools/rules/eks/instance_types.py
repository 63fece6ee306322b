"""The instance types that a NodePool on AWS allows: none, of two makers, too large for a limit, or too few for spot capacity.

Facts: docs/facts/eks.md § 3.4, § 3.5, § 5.3, § 7. The table of types has a date, and AWS adds types: findings from it are warnings.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from itertools import takewhile
from typing import Final

from nodepools.clouds.eks.kubelet import least_by_interfaces
from nodepools.data.eks_instance_types import TOO_SMALL, eks_instance_types, labels_of_ec2_types, requirements_of
from nodepools.keys import eks as keys
from nodepools.model.derive import derive
from nodepools.model.eks.ec2_node_class import AUTO_MODE_TYPES, OWN_DOMAIN, OWN_TYPES, Ec2NodeClass, SelfManagedKarpenter
from nodepools.model.eks.node_class import AutoMode, EksNodePool
from nodepools.model.karpenter import Headroom, NodePool, Requirement
from nodepools.model.kubernetes.label import Requirements, Values, domain
from nodepools.model.kubernetes.pod import thousandths
from nodepools.model.kubernetes.quantity import amount
from nodepools.model.listing import as_code, nearest
from nodepools.placement.allocatable import ACCELERATOR_RESOURCES, eks_offers
from nodepools.placement.machine_index import UNKNOWN_AMOUNT
from nodepools.placement.verdict import Verdict
from nodepools.rules.engine.finding import Fix, FixLike, PartFinding, add, literal, ref, remove, set_to
from nodepools.rules.engine.registry import DECLARED_FIELDS, HEADROOMS, error, finding, limited, note, sample, warning
from nodepools.rules.engine.samples import AMD64, KEPT_A_WHILE, ec2_class, eks_pool, self_managed
from nodepools.rules.karpenter.disruption_budgets import happens
from nodepools.rules.platform.labels import allowing, closed_values, is_spot_only, well_known, without_value
from nodepools.rules.self_managed.node_classes import amounts_of_class, exclusions

FEW_FOR_SPOT: Final = 10
"""With fewer types, a spot pool is often without capacity, and `nodepools instances` shows what each requirement excludes."""

_latest: list[tuple[EksNodePool, Requirements, frozenset[str]]] = []


def admitted_types(pool: EksNodePool) -> frozenset[str]:
    """The names of the instance types that the requirements of the pool allow."""
    return _known(pool)[1]


def admitting_requirements(pool: EksNodePool) -> Requirements:
    """The requirements of the pool, joined for each key, with its labels."""
    return _known(pool)[0]


def _known(pool: EksNodePool) -> tuple[Requirements, frozenset[str]]:
    """Rules run on one pool after another, so the latest result is kept."""
    if not _latest or _latest[0][0] is not pool:
        together = requirements_of(pool.requirements, pool.labels.items())
        _latest[:] = [(pool, together, eks_instance_types().admitted(together))]
    return _latest[0][1:]


_TYPES = "https://docs.aws.amazon.com/eks/latest/userguide/automode-learn-instances.html"
_FEW = 3
"""Values of a label that a message lists."""


@warning("EKS060", f"{_TYPES}, 2026; `nodepools instances` lists what a pool admits")
@sample("requirements", lambda: eks_pool(keys.instance_cpu.one_of(2), keys.instance_memory.more_than("512Gi")))
def no_matching_instance_type(pool: EksNodePool) -> Iterator[PartFinding]:
    """A NodePool whose requirements no instance type of Auto Mode meets reports ready, but never launches a node."""
    if not admitted_types(pool) and not _is_reported_elsewhere(pool) and _named_types(pool) is None:
        message = "No known instance type of Auto Mode meets these requirements: unless a newer one does, the NodePool never launches a node"
        yield finding(pool, message, path="requirements", value=None, fix=_RELAX)


@error("EKS184", f"{_TYPES}, 2026; the types of a family do not change")
@sample("requirements", lambda: eks_pool(keys.instance_family.one_of("m7g", "c7g")))
def named_instance_types_excluded(pool: EksNodePool) -> Iterator[PartFinding]:
    """If other requirements exclude every type of the families and types that a NodePool names, it reports ready, but never launches a node."""
    named = _named_types(pool)
    if named is not None and not admitted_types(pool) and not _is_reported_elsewhere(pool):
        table = eks_instance_types()
        alone = [key for key, values in admitting_requirements(pool).items() if named.isdisjoint(table.admitting(key, values))]
        why = "the requirements exclude each other's types"
        if alone:
            have = sorted({value for name in named if (value := table.types[name].labels.get(alone[0])) is not None})
            why = f"`{alone[0]}` excludes every instance type that the other requirements name"
            why += f" ({as_code(have)})" if 0 < len(have) <= _FEW else ""
        yield finding(pool, f"No node is ever launched: {why}", path="requirements", value=None, fix=_allowing(pool, named) if named else _RELAX)


_RELAX: Final = "Relax a requirement: `nodepools instances` shows how many types each one excludes"


def _allowing(pool: EksNodePool, named: frozenset[str]) -> str:
    """What has to be allowed for the smallest type that the fewest requirements exclude; or families that they allow, and that are named like it."""
    table, required = eks_instance_types(), admitting_requirements(pool)
    lacking = {name: [key for key, values in required.items() if name not in table.admitting(key, values)] for name in sorted(named)}
    first = min(lacking, key=lambda name: (len(lacking[name]), table.types[name].cpu))
    rest = {key: values for key, values in required.items() if key not in (keys.instance_type.name, keys.instance_family.name)}
    near = nearest(first.partition(".")[0], {name.partition(".")[0] for name in table.admitted(rest)})
    fix = allowing({key: table.types[first].labels.get(key) for key in lacking[first]})
    return fix if near is None else f"{fix}, or name families that the requirements allow, such as `{near}`"


@warning("EKS062", f"{_TYPES}: more than 1 vCPU, not nano, micro or small; the families that Auto Mode supports")
@sample("requirements[2].values[0]", lambda: eks_pool(keys.instance_type.one_of("t3.micro", "t3.large")))
def unsupported_instance_type(requirement: Requirement, _: EksNodePool) -> Iterator[PartFinding]:
    """Karpenter ignores a value that no instance type of Auto Mode has, such as a type, family or size that Auto Mode does not support."""
    key, types = requirement.label, eks_instance_types().types.values()
    if key in eks_instance_types().keys - {keys.arch.name}:  # KAR044
        for index, value, near in (unknown := list(_unknown_values(requirement, key, [one.labels for one in types]))):
            small = value.rpartition(".")[2] in TOO_SMALL
            why = "is too small for" if small else "is not known to be supported by"
            message = f"`{value}` {why} Auto Mode: the value {_effect(requirement, None if small else value)}"
            yield finding(requirement, message, path=("values", index), fix=_meant(requirement, index, len(unknown), None if small else near))


@warning(
    "SMK057",
    "karpenter-provider-aws 1.15.1, pkg/providers/instancetype/zz_generated.vpclimits.go, generated 2026-08; names of types are in lower case",
)
@sample(
    "node_pools.web.requirements[2].values[0]",
    lambda: self_managed(Requirement("node.kubernetes.io/instance-type", "In", ["M7i.large", "m7i.large"])),
)
def unknown_ec2_type(requirement: Requirement, _: NodePool, __: SelfManagedKarpenter) -> Iterator[PartFinding]:
    """Karpenter compares types, families and sizes as EC2 spells them, and ignores others."""
    key = requirement.label.replace(OWN_TYPES, AUTO_MODE_TYPES)
    if key in _SPELLED_BY_TYPE and not requirement.label.startswith(AUTO_MODE_TYPES):
        for index, value, near in (unknown := list(_unknown_values(requirement, key, labels_of_ec2_types().values()))):
            message = f"Karpenter finds no `{value}` among the types of EC2 of 2026-08: the value {_effect(requirement, value)}"
            yield finding(requirement, message, path=("values", index), fix=_meant(requirement, index, len(unknown), near))


def _unknown_values(requirement: Requirement, key: str, types: Iterable[Mapping[str, str | None]]) -> Iterator[tuple[int, str, str | None]]:
    """The values that no type has, each with the closest one; of `NotIn` only those with another spelling of a known one."""
    if requirement.operator in ("In", "NotIn") and not eks_instance_types().has_numbers(key):
        known = {value for labels in types if (value := labels.get(key)) is not None}
        for index, value in enumerate(requirement.values if known else ()):
            if value not in known and (requirement.operator == "In" or value.lower() in known):
                yield index, value, _nearest_value(key, value, known)


def _effect(requirement: Requirement, possible: str | None) -> str:
    """What the value does; a `possible` one that is spelled as types are can be newer than the table."""
    newer = ", unless it is newer than the table" if possible is not None and possible == possible.lower() else ""
    return f"is ignored{newer}" if requirement.operator == "In" else "excludes nothing"


def _meant(requirement: Requirement, index: int, gone: int, near: str | None) -> FixLike:
    is_new = near not in (None, *requirement.values)
    return set_to(("values", index), near) if is_new else without_value(requirement, index, gone, "Use another value")


@warning("EKS063", f"{_TYPES}: category g holds g4ad (AMD) and g5g (arm64)")
@sample("requirements", lambda: eks_pool(keys.instance_category.one_of("g", "p"), limits={"nodes": 4}))
def gpu_manufacturer_not_set(pool: EksNodePool) -> Iterator[PartFinding]:
    """The instance category `g` includes AMD GPUs, on which pods that request `nvidia.com/gpu` do not run."""
    makers = _makers(admitted_types(pool))
    if len(makers - {None}) > 1 and None not in makers:
        message = "These requirements allow both NVIDIA and AMD GPUs: pods that request `nvidia.com/gpu` do not run on AMD"
        fix = add("requirements", Requirement(keys.instance_gpu_manufacturer.name, "In", ["nvidia"]))
        yield finding(pool, message, path="requirements", value=None, fix=fix)


@warning("EKS064", f"{_TYPES}; what a pool asks holds together")
@sample(
    "requirements[2].values[0]",
    lambda: eks_pool(keys.instance_gpu_name.one_of("l4", "h100"), keys.instance_gpu_memory.more_than("24000Mi"), limits={"nodes": 4}, **KEPT_A_WHILE),
)
def value_excluded_by_other_requirements(pool: EksNodePool) -> Iterator[PartFinding]:
    """A value has no effect if the other requirements exclude all its instance types: the generation `Gt 4` excludes `g4dn`."""
    table, names = eks_instance_types(), admitted_types(pool)
    for requirement in pool.requirements:
        if names and requirement.operator == "In" and requirement.label in _NAMING:
            having = [table.having(requirement.label, value) for value in requirement.values]
            excluded = [place for place, types in enumerate(having) if types and names.isdisjoint(types)]
            for place in excluded:
                message = f"No instance type with `{requirement.values[place]}` meets the other requirements of the NodePool: the value has no effect"
                fix = without_value(requirement, place, len(excluded), "Relax the other requirements")
                yield finding(requirement, message, path=("values", place), fix=fix)


@warning("EKS066", "https://docs.aws.amazon.com/eks/latest/userguide/auto-accelerated.html; Karpenter: limits hold for each resource separately")
@sample("limits", lambda: eks_pool(keys.instance_gpu_manufacturer.one_of("nvidia"), limits={"cpu": 100}, **KEPT_A_WHILE))
def accelerators_without_limit(pool: EksNodePool) -> Iterator[PartFinding]:
    """Limits apply to each resource alone: 192 vCPUs are one node with eight GPUs, or 48 nodes with one GPU each."""
    named = _devices(admitted_types(pool))
    if named and pool.replicas is None and (named | {"nodes"}).isdisjoint(pool.limits):
        device = min(named)
        message = f"The number of accelerators, and their cost, has no maximum: {ref('limits')} has no `{device}`"
        fix = f"Add the largest number that you need to {ref('limits')}, such as {literal({device: '8'})}"
        yield finding(pool, message, path="limits", value=None, fix=fix)


@warning("EKS067", "Karpenter: minValues, policy Strict: with fewer different values among the types no node is started")
@sample(
    "requirements[3].min_values", lambda: eks_pool(keys.instance_category.one_of("z"), Requirement(keys.instance_family.name, "Exists", min_values=5))
)
def min_values_unreachable(requirement: Requirement, pool: EksNodePool) -> Iterator[PartFinding]:
    """Karpenter launches no node if the allowed instance types have fewer different values than `min_values` requires."""
    types, minimum = eks_instance_types().types, requirement.min_values
    named = closed_values(pool, requirement.label) or (requirement.values if requirement.operator == "In" else ())
    listed = [value for value in named if value in requirement.allowed]
    short_already = minimum is not None and 0 < len(listed) < minimum  # KAR042 and KAR043 tell that
    if minimum is not None and not short_already:
        yield from fewer_values(requirement, pool, requirement.label, [types[name].labels for name in admitted_types(pool)])


_OF_A_CLOUD: Final = re.compile("aws|azure|k8s|karpenter|kubernetes")


def fewer_values(requirement: Requirement, pool: NodePool, key: str, types: Collection[Mapping[str, str | None]]) -> Iterator[PartFinding]:
    """Karpenter counts the values that instance types have of the label: of a label of the user none."""
    least, count = requirement.min_values, len({labels.get(key) for labels in types} - {None})
    is_own = requirement.label not in well_known(pool) and not _OF_A_CLOUD.search(domain(requirement.label))
    if least is not None and (is_own or 0 < count < least):
        have = "no value" if is_own else "only 1 value" if count == 1 else f"only {count} different values"
        message = f"{ref('min_values')} is {least}, but the known types that are allowed have {have} of `{requirement.key}`: no node is ever launched"
        lower = Fix(f"Set {ref('min_values')} to {literal(count)}, or relax the other requirements", (set_to("min_values", count),))
        yield finding(requirement, message, path="min_values", fix=remove("min_values") if is_own else lower)


@warning("EKS068", "Karpenter, scheduler.go: types whose capacity is above what is left of a limit are dropped")
@sample("limits.cpu", lambda: eks_pool(keys.instance_cpu.more_than(15), limits={"cpu": 8}))
def limit_below_smallest_instance_type(pool: EksNodePool, parent: AutoMode | None) -> Iterator[PartFinding]:
    """Karpenter launches no node if a limit is below the smallest instance type that the NodePool allows; 0 turns a NodePool off."""
    names, is_single, disk = admitted_types(pool), False, _disk_of(pool, parent)
    for resource, quantity in pool.limits.items():
        least = disk if resource == _DISK else _least(names, resource)
        if _is_above(pool, {resource: least}):
            is_single = True
            at = ("limits", resource)
            enough = f"{int(least) // _MEBIBYTE}Mi" if resource in ("memory", _DISK) else str(int(least))
            what, smaller = ("disk of the NodeClass", "set a smaller one") if resource == _DISK else (_SMALLEST, "allow smaller instance types")
            message = f"{ref(at)} ({quantity}) is below the {what}: no node is ever launched"
            yield finding(pool, message, path=at, fix=Fix(f"Set {ref(at)} to at least {literal(enough)}, or {smaller}", (set_to(at, enough),)))
    if names and not is_single and len(pool.limits) > 1 and all(_is_above(pool, _amounts(eks_instance_types().types[name].labels)) for name in names):
        yield finding(pool, "No instance type that the NodePool allows is within all limits: no node is ever launched", path="limits", fix=_ROOM)


_SMALLEST: Final = "smallest instance type that the NodePool allows"
_ROOM: Final = "Raise a limit, or allow smaller instance types"
_DISK: Final = "ephemeral-storage"
_MOST_PODS: Final = 110
"""No node of Auto Mode was seen to run more pods. With fewer, it has those of its interfaces: docs/facts/eks.md § 11."""


def _disk_of(pool: EksNodePool, parent: AutoMode | None) -> float:
    """Bytes that the disk of each node has at least; 0 if its NodeClass is not known."""
    declared = parent.node_classes.get(pool.node_class) if parent is not None and pool.node_class is not None else None
    size = declared.ephemeral_storage if declared is not None else "80Gi" if pool.node_class in (None, "default") else "0"
    return float(amount(str(size)))


def _is_above(pool: NodePool, amounts: Mapping[str, float]) -> bool:
    """A type with these amounts has more of a resource than its limit. Limits that are too small for every type, and 0, are reported by others."""
    lowest = {"cpu": pool.fewest_cpus, "memory": pool.least_memory, "pods": _SOME, _DISK: _SOME}
    limits = ((resource, amount(str(quantity))) for resource, quantity in pool.limits.items())
    return any(lowest.get(resource, 0) <= limit < amounts.get(resource, 0) * _SHARE.get(resource, 1) for resource, limit in limits)


def _amounts(labels: Mapping[str, str | None]) -> dict[str, float]:
    """What a type with these labels has of the resources that limits can name; what is not known is missing."""
    own = {"cpu": (labels.get(keys.instance_cpu.name), 1), "memory": (labels.get(keys.instance_memory.name), _MEBIBYTE)}
    for resource, (kind, maker) in _DEVICES.items():
        if labels.get(f"{AUTO_MODE_TYPES}{kind}-manufacturer") == maker:
            own[resource] = (labels.get(f"{AUTO_MODE_TYPES}{kind}-count"), 1)
    exact = eks_instance_types().types.get(str(labels.get(keys.instance_type.name)))
    return {**{one: int(value) * unit for one, (value, unit) in own.items() if value is not None}, **(exact.devices if exact is not None else {})}


@warning("SMK054", "Karpenter, scheduler.go: types whose capacity is above what is left of a limit are dropped; the types of a family do not change")
@sample("node_pools.web.limits", lambda: self_managed(Requirement(keys.instance_type.name, "In", ["m7i.4xlarge"]), cpu="8"))
def limits_below_named_types(pool: NodePool, parent: SelfManagedKarpenter) -> Iterator[PartFinding]:
    """Karpenter launches no node if nodes of each instance type that a NodePool allows are above a limit; 0 turns a NodePool off."""
    known, own = _admitted(_with_keys_of_table(pool)) if pool.limits else (), _class_of(pool, parent)
    if known and all(_is_above(pool, {**_amounts(one), **(amounts_of_class(own, one) if own is not None else {})}) for one in known):
        message = "No known instance type that the NodePool requires is within all limits: no node is ever launched"
        yield finding(pool, message, path="limits", fix=_ROOM)


@warning(
    "SMK058", "Karpenter 1.15, resources.Fits: no pod fits where less than nothing is left; pkg/providers/instancetype: types.go, compatibility.go"
)
@sample(
    "node_pools.web.node_class",
    lambda: derive(
        self_managed(Requirement(keys.instance_type.name, "In", ["m7i.large"]), node_class="own"),
        node_classes={"own": ec2_class(kubelet={"systemReserved": {"memory": "16Gi"}})},
    ),
)
def node_class_excludes_instance_types(pool: NodePool, parent: SelfManagedKarpenter) -> Iterator[PartFinding]:
    """Karpenter launches no type that has less than what the kubelet keeps from pods, or that other settings of the EC2NodeClass exclude."""
    known, own = _admitted(_with_keys_of_table(pool)), _class_of(pool, parent)
    excluded = list(takewhile(bool, (exclusions(own, one) for one in known))) if own is not None else list[set[str]]()
    if known and len(excluded) == len(known):
        what = " and ".join(sorted(set[str].intersection(*excluded)) or sorted(set[str].union(*excluded)))
        message = f"No node is ever launched: {what} of the EC2NodeClass `{pool.node_class}` exclude every known instance type that is allowed"
        yield finding(pool, message, path="node_class", fix="Allow other instance types, or change these settings of the EC2NodeClass")


def _class_of(pool: NodePool, parent: SelfManagedKarpenter) -> Ec2NodeClass | None:
    return parent.node_classes.get(pool.node_class) if pool.node_class is not None else None


_SHARED: Final = ("cpu", "memory")
"""Resources of which the kubelet and the system always take a part."""


@warning("EKS218", "Karpenter launches a node for a pod only if an instance type has the room for it")
@limited(HEADROOMS, DECLARED_FIELDS)
@sample("headroom", lambda: eks_pool(keys.instance_cpu.one_of(4), headroom=Headroom(1, {"cpu": "6"})))
def headroom_larger_than_instance_types(pool: EksNodePool) -> Iterator[PartFinding]:
    """A pod of the headroom as large as every instance type that the NodePool allows, or larger, stays Pending: the node itself needs some room."""
    names = admitted_types(pool)
    for resource, each in pool.headroom.requests.items() if pool.headroom is not None and names else ():
        known = [eks_instance_types().types[name] for name in names]
        room = [eks_offers(one.cpu, one.memory_mib, one.devices, 0).get(resource, UNKNOWN_AMOUNT).most for one in known]
        least = thousandths(each, resource) + (resource in _SHARED)
        if all(most is not None and most < least for most in room):
            message = f"No instance type that the NodePool allows has room for a pod of the headroom ({pool.headroom}): it lacks {resource}"
            yield finding(pool, message, path="headroom", fix=f"Lower {ref('headroom')}, or allow larger instance types")


_SCHEME: Final = "karpenter-provider-aws 1.15, pkg/providers/instancetype/types.go: category, generation, family and size are of the name"


@error("SMK045", f"{_SCHEME}; the types of a family do not change")
@sample("node_pools.web.requirements", lambda: self_managed(Requirement(f"{OWN_TYPES}family", "In", ["m7g"])))
def instance_types_excluded(pool: NodePool, _: SelfManagedKarpenter) -> Iterator[PartFinding]:
    """If requirements exclude every type of the families and types that a NodePool names, or no type can have such a label, no node is launched."""
    together = _with_keys_of_table(pool)
    if _is_contradictory(together):
        return
    excluded = _excluding(together)
    if all(excluded):
        naming, key = (keys.instance_type.name, keys.instance_family.name), min(set[str].intersection(*excluded), default="")
        why = f"`{key}` excludes every instance type that the other requirements name" if key else "the requirements exclude each other's types"
        if key and (key in naming or not _members(together, naming)):
            why = f"no instance type has a value of `{key}` that is allowed"
        why = why.replace(AUTO_MODE_TYPES, OWN_TYPES)
        yield finding(pool, f"No node is ever launched: {why}", path="requirements", value=None, fix="Change one of these requirements")


@warning("SMK056", "karpenter-provider-aws 1.15.1, pkg/providers/instancetype/zz_generated.vpclimits.go, generated 2026-08")
@sample("node_pools.web.requirements", lambda: self_managed(Requirement(f"{OWN_TYPES}generation", "Gt", ["12"])))
def no_known_ec2_type(pool: NodePool, _: SelfManagedKarpenter) -> Iterator[PartFinding]:
    """Karpenter launches no node if no instance type of EC2 meets the requirements of a NodePool."""
    table, together = eks_instance_types(), _with_keys_of_table(pool)
    asked = {key: values for key, values in together.items() if key in table.keys}
    if asked.keys() <= {keys.arch.name} or _is_contradictory(together) or all(_excluding(together)):
        return
    if not _admitted(together):
        types = [named for named in _named_labels(together, every_size=True) if named] or labels_of_ec2_types().values()
        alone = [key for key, values in asked.items() if not any(_may_have(labels, key, values) for labels in types)]
        which = as_code(key.replace(AUTO_MODE_TYPES, OWN_TYPES) for key in alone or asked)
        message = f"No node is ever launched: no instance type of 2026-08 meets the requirements on {which}"
        yield finding(pool, message, path="requirements", value=None, fix="Change one of these requirements")


_SPELLED: Final = re.compile(r"(?!mac)[a-z][a-z0-9-]*[0-9][a-z0-9-]*")
_SPELLED_BY_TYPE: Final = frozenset({keys.instance_type.name, *(f"{AUTO_MODE_TYPES}{name}" for name in ("category", "family", "size"))})
"""Labels that are parts of the name of each type."""


def _excluding(together: Requirements) -> list[set[str]]:
    """The requirements that exclude each of the types that are named."""
    return [{key for key, values in together.items() if not _may_have(labels, key, values)} for labels in _named_labels(together)]


@error("SMK051", "karpenter-provider-aws 1.15, pkg/providers/instancetype: getOS of types.go; offerings of selected capacity reservations")
@sample(
    "node_pools.web.requirements",
    lambda: derive(
        self_managed(Requirement("kubernetes.io/os", "In", ["linux"]), node_class="own"),
        node_classes={"own": ec2_class(ami_terms=[{"alias": "windows2022@latest"}])},
    ),
)
def node_pool_outside_of_node_class(pool: NodePool, parent: SelfManagedKarpenter) -> Iterator[PartFinding]:
    """Images decide the operating system and architectures of nodes, and reservations whether there is reserved capacity."""
    declared = _class_of(pool, parent)
    if declared is None:
        return
    from nodepools.clouds.eks.self_managed import RESERVATION_LABELS, WINDOWS_BUILD, Ec2Class, systems_of  # few NodePools need it

    selects, asked, lacking = bool(declared.capacity_reservations), pool.asked(), dict[str, str]()
    for key, values in Ec2Class("", systems_of(declared.image_family), reserves=selects).nodes.choices.items():
        allowed = asked.get(key, Values())
        if values.verdict(allowed) is Verdict.CANNOT and any(word in allowed for word in closed_values(pool, key)):  # else KAR040 or KAR043
            lacking[key] = f"`{key}` {' or '.join(f'`{value}`' for value in sorted(values.certain))}, which the NodePool excludes"
    build, builds = _BUILDS.get(str(declared.image_family).lower()), asked.get(WINDOWS_BUILD)
    if builds is not None and declared.image_family is not None and not (builds.permits_absence if build is None else build in builds):
        lacking[WINDOWS_BUILD] = f"`{WINDOWS_BUILD}` `{build}`, which is excluded" if build else f"no `{WINDOWS_BUILD}`, which is required"
    capacity, ids = asked.get(keys.capacity_type.name, Values()), [term.id for term in declared.capacity_reservations]
    free, held = "on-demand" in capacity or "spot" in capacity, selects and "reserved" in capacity
    for key in asked.keys() & {f"{OWN_DOMAIN}/{name}" for name in RESERVATION_LABELS} if free or held else ():
        fits = held and (not key.endswith("-id") or any(one is None or one in asked[key] for one in ids))
        if not fits and not (free and asked[key].permits_absence):
            lacking[key] = f"`{key}` {as_code(map(str, ids))}, which is excluded" if held else f"no `{key}`: only reserved capacity has it"
    for key, have in sorted(lacking.items()):
        message = f"No node is ever launched: nodes of the EC2NodeClass `{pool.node_class}` have {have}"
        fix = f"Change the requirement on `{key}`, or use another EC2NodeClass"
        if key == keys.capacity_type.name:
            fix = f"Select capacity reservations in the EC2NodeClass `{pool.node_class}`, or allow the capacity type `on-demand`"
        yield finding(pool, message, path="requirements", value=None, fix=fix)


_BUILDS: Final = {"windows2019": "10.0.17763", "windows2022": "10.0.20348", "windows2025": "10.0.26100"}
"""The build of each family of images. Source: karpenter-provider-aws 1.15, pkg/apis/v1/labels.go."""


@warning("SMK050", "Karpenter: minValues, policy Strict: with fewer different values among the types no node is started")
@sample(
    "node_pools.web.requirements[3].min_values",
    lambda: self_managed(Requirement(f"{OWN_TYPES}family", "In", ["m7i", "m6i"]), Requirement(f"{OWN_TYPES}category", "Exists", min_values=2)),
)
def min_values_beyond_named_types(requirement: Requirement, pool: NodePool, _: SelfManagedKarpenter) -> Iterator[PartFinding]:
    """Karpenter launches no node if the types that a NodePool allows have fewer different values than `min_values` requires."""
    least = requirement.min_values
    if least is not None and (requirement.operator != "In" or len(requirement.values) >= least):  # else KAR042
        known, key = _admitted(_with_keys_of_table(pool)), requirement.label.replace(OWN_TYPES, AUTO_MODE_TYPES)
        yield from fewer_values(requirement, pool, key, known if all(key in labels for labels in known) else ())


def _is_contradictory(together: Requirements) -> bool:
    """Nothing is left of a label that every type has, of which KAR040 and KAR043 tell. A label that some lack can be absent."""
    return any(values.absent and not eks_instance_types().admitting(key, values) for key, values in together.items())


def _with_keys_of_table(pool: NodePool) -> Requirements:
    """What a NodePool of self-managed Karpenter requires, with the keys of Auto Mode, whose own labels mean nothing there."""
    together = requirements_of(pool.requirements, pool.labels.items())
    return Requirements({key.replace(OWN_TYPES, AUTO_MODE_TYPES): values for key, values in together.items() if not key.startswith(AUTO_MODE_TYPES)})


def _members(together: Requirements, of: Iterable[str]) -> dict[str, frozenset[str]]:
    return {key: together[key].members for key in of if key in together and not together[key].complement}


def _named_labels(together: Requirements, *, every_size: bool = False) -> list[Mapping[str, str | None]]:
    """What is certain of the types that requirements name, or of `every_size` known of families; one without labels if they name none."""
    table, lists = eks_instance_types(), _members(together, (keys.instance_type.name, keys.instance_family.name, keys.instance_size.name))
    if keys.instance_type.name in lists:
        named = [(family, size if dot else None) for value in lists[keys.instance_type.name] for family, dot, size in (value.partition("."),)]
        spelled = (size == (size or "-").lower() and _SPELLED.fullmatch(family) is not None for family, size in named)
        no_type = {keys.instance_type.name: None}
        return [table.labels_by_name(*one) if is_type else no_type for one, is_type in zip(named, spelled, strict=True)]
    sizes: Iterable[str | None] = lists.get(keys.instance_size.name, (None,))
    families = set(lists.get(keys.instance_family.name, ()))
    of_ec2 = [one for one in labels_of_ec2_types().values() if one[keys.instance_family.name] in families] if every_size and families else []
    every = [one for one in of_ec2 if None in sizes or one[keys.instance_size.name] in sizes]
    other = sorted(families - {labels[keys.instance_family.name] for labels in of_ec2})
    no_family: Mapping[str, str | None] = {keys.instance_family.name: None}
    spelled = [table.labels_by_name(one, size) if _SPELLED.fullmatch(one) else no_family for one in other for size in sizes]
    return [*every, *spelled] or [{keys.instance_size.name: None} if families else {}]


def _admitted(together: Requirements) -> list[Mapping[str, str | None]]:
    """What is certain of the types that requirements name, or of all of EC2 if they name none, without those that they exclude."""
    named, known = [one for one in _named_labels(together, every_size=True) if one], labels_of_ec2_types()
    if named:
        return [labels for labels in named if all(_may_have(labels, key, values) for key, values in together.items())]
    return [known[name] for name in set(known).intersection(*(_types_with(*one) for one in together.items()))]


@cache
def _types_with(key: str, allowed: Values) -> frozenset[str]:
    return frozenset(name for name, labels in labels_of_ec2_types().items() if _may_have(labels, key, allowed))


def _may_have(labels: Mapping[str, str | None], key: str, allowed: Values) -> bool:
    """A type with these labels may have an allowed value. Values are in lower case; numbers are above 0, unless a type is known with 0: `g6f`."""
    table = eks_instance_types()
    if key in labels or allowed.permits_absence:
        value = labels.get(key)
        return allowed.permits_absence if value is None else value in allowed
    if not table.decides(key) or key == keys.arch.name or ("0" in allowed and _types_with(key, Values(frozenset("0"), complement=False))):  # KAR043
        return True
    numbers = table.has_numbers(key)
    if allowed.complement:
        return not numbers or allowed.maximum is None or allowed.maximum > 0
    return any(value == value.lower() and (not numbers or (value.isdecimal() and value[0] != "0")) for value in allowed.members)


_MEBIBYTE = 1024**2
_SOME: Final = 1e-9
_SHARE: Final = {"memory": 0.9}
"""The least share of its memory that a node reports."""
_DEVICES: Final = {
    **{resource: ("gpu", maker) for resource, maker in (("nvidia.com/gpu", "nvidia"), ("amd.com/gpu", "amd"), ("habana.ai/gaudi", "habana"))},
    **dict.fromkeys(ACCELERATOR_RESOURCES, ("accelerator", "aws")),
}
"""The kind and the maker of devices, in labels. Each Neuron device has one core at least."""
_OF_NAMES: Final = ("category", "family", "size", "cpu", "generation", "cpu-manufacturer", "gpu-name", "accelerator-name")
_NAMING: Final = frozenset({keys.instance_type.name, *(f"{AUTO_MODE_TYPES}{name}" for name in _OF_NAMES)})


def _named_types(pool: EksNodePool) -> frozenset[str] | None:
    """The instance types that the pool lists, by name or by family; `None` if it lists none, or one that is not in the table: AWS adds types."""
    table, named = eks_instance_types(), list[frozenset[str]]()
    for key in (keys.instance_type.name, keys.instance_family.name):
        values = admitting_requirements(pool).get(key)
        if values is not None and not values.complement and values.members:
            of_values = [table.having(key, value) for value in values.members]
            if not all(of_values):
                return None
            named.append(frozenset[str]().union(*of_values))
    return named[0].intersection(*named) if named else None


def _nearest_value(key: str, value: str, known: Collection[str]) -> str | None:
    """The known value that is closest to an unknown one; the size of a type only within its family."""
    if key != keys.instance_type.name:
        return nearest(value, known)
    family, _, size = value.lower().partition(".")
    near = nearest(size, {name.partition(".")[2] for name in known if name.startswith(f"{family}.")})
    return f"{family}.{near}" if near is not None else None


@cache
def _makers(names: frozenset[str]) -> frozenset[str | None]:
    """The makers of the GPUs of these types, `None` for a type without GPUs."""
    types = eks_instance_types().types
    return frozenset(types[name].labels.get(keys.instance_gpu_manufacturer.name) for name in names)


@cache
def _devices(names: frozenset[str]) -> frozenset[str]:
    """The accelerators of these types; empty if one of them has none."""
    of_types = [eks_instance_types().types[name].devices.keys() for name in names]
    return frozenset(device for of_type in of_types for device in of_type) if all(of_types) else frozenset()


@cache
def _least(names: frozenset[str], resource: str) -> float:
    """The amount of `resource` that the smallest of these types has."""
    if resource == "pods":
        return min((min(least_by_interfaces(name) - 2, _MOST_PODS) for name in names), default=0)
    return min((_amounts(eks_instance_types().types[name].labels).get(resource, 0) for name in names), default=0)


def _is_reported_elsewhere(pool: EksNodePool) -> bool:
    """Other rules report the pool: requirements contradict each other, or name an unknown architecture or operating system."""
    together = admitting_requirements(pool)
    system = {key: together[key] for key in (keys.arch.name, keys.os.name) if key in together}
    return _is_contradictory(together) or not eks_instance_types().admitted(system)


_FEW_FOR_CONSOLIDATION = 15
_CONSOLIDATION = "https://karpenter.sh/docs/concepts/disruption/#spot-consolidation (2026-11): at least 15 cheaper instance types"
_SPOT = "https://karpenter.sh/docs/concepts/nodepools/#capacity-type and EC2 spot best practices: be flexible about instance types"
_TWO = keys.instance_type.one_of("m7i.large", "m7a.large")
_TWELVE = [f"{family}.{size}" for family in ("m7i", "m7a", "c7i", "c7a") for size in ("large", "xlarge", "2xlarge")]


@warning("EKS061", _SPOT)
@sample("requirements", lambda: eks_pool(requirements=[AMD64, keys.capacity_type.one_of("spot"), _TWO]))
def few_instance_types_for_spot(pool: EksNodePool) -> Iterator[PartFinding]:
    """Spot capacity of fewer than ten instance types is often unavailable."""
    count = len(admitted_types(pool))
    if is_spot_only(pool) and 0 < count < FEW_FOR_SPOT:
        types = "1 instance type meets" if count == 1 else f"{count} instance types meet"
        message = f"Only {types} the requirements of this spot-only NodePool: spot capacity is often unavailable"
        fix = "Allow more instance sizes, generations or families, or the capacity type `on-demand`"
        yield finding(pool, message, path="requirements", value=None, fix=fix)


@warning("EKS065", _SPOT)
@sample("requirements[2]", lambda: eks_pool(requirements=[AMD64, keys.capacity_type.one_of("spot"), keys.zone.one_of("us-east-1a")]))
def single_zone_spot(pool: EksNodePool) -> Iterator[PartFinding]:
    """Spot capacity differs by instance type and zone: in a single zone it can run out."""
    for index, requirement in enumerate(pool.requirements):
        pinned = requirement.operator == "In" and len(requirement.values) == 1 and requirement.label in (keys.zone.name, keys.zone_id.name)
        if pinned and is_spot_only(pool):
            message = f"This spot-only NodePool is limited to the zone `{requirement.values[0]}`, where spot capacity can run out"
            yield finding(pool, message, path=("requirements", index), fix="Allow more zones, or the capacity type `on-demand`")


@note("EKS069", _CONSOLIDATION)
@sample("requirements", lambda: eks_pool(requirements=[AMD64, keys.capacity_type.one_of("spot"), keys.instance_type.one_of(*_TWELVE)]))
def few_instance_types_for_spot_consolidation(pool: EksNodePool) -> Iterator[PartFinding]:
    """Karpenter replaces a single spot node by a cheaper spot node only if at least 15 cheaper instance types are possible."""
    count = len(admitted_types(pool))
    is_few = FEW_FOR_SPOT <= count < _FEW_FOR_CONSOLIDATION  # EKS061 reports fewer
    if is_few and is_spot_only(pool) and happens("Underutilized", pool):
        needs = f"that needs {_FEW_FOR_CONSOLIDATION} instance types, and this NodePool allows {count}"
        yield finding(pool, f"Karpenter does not replace a single spot node by a cheaper one: {needs}", path="requirements", value=None)
