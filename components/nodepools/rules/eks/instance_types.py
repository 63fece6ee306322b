"""The instance types that a NodePool of EKS Auto Mode allows: none, of two makers, too large for a limit, or too few for spot capacity.

Facts: docs/facts/eks.md § 3.4, § 3.5, § 5.3, § 7. The table of types has a date, and AWS adds types: findings from it are warnings.
"""

from collections.abc import Iterator
from functools import cache
from typing import Final

from nodepools.data.eks_instance_types import InstanceType, eks_instance_types, requirements_of
from nodepools.keys import eks as keys
from nodepools.model.eks.node_class import EksNodePool
from nodepools.model.karpenter import Requirement
from nodepools.model.kubernetes.label import Requirements
from nodepools.model.kubernetes.quantity import amount
from nodepools.model.nearest import nearest
from nodepools.rules.engine.finding import Fix, PartFinding, add, literal, ref, set_to
from nodepools.rules.engine.registry import Sample, error, finding, note, warning
from nodepools.rules.engine.samples import AMD64, KEPT_A_WHILE, eks_pool
from nodepools.rules.karpenter.disruption_budgets import happens
from nodepools.rules.karpenter.node_pools import LEAST_MEMORY
from nodepools.rules.platform.labels import closed_values, without_value

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


def is_spot_only(requirements: Requirements) -> bool:
    """Karpenter launches only spot nodes for a NodePool with these requirements."""
    capacity = requirements.get(keys.capacity_type.name)
    return capacity is not None and "spot" in capacity and "on-demand" not in capacity and "reserved" not in capacity


_TYPES = "https://docs.aws.amazon.com/eks/latest/userguide/automode-learn-instances.html"
_SMALL = ("nano", "micro", "small")


@warning(
    "EKS060",
    source=f"{_TYPES}, 2026; `nodepools instances` lists what a pool admits",
    sample=Sample("requirements", lambda: eks_pool(keys.instance_cpu.one_of(2), keys.instance_memory.more_than("512Gi"))),
)
def no_matching_instance_type(pool: EksNodePool) -> Iterator[PartFinding]:
    """A NodePool whose requirements no instance type of Auto Mode meets reports ready, but never launches a node."""
    if not admitted_types(pool) and not _is_reported_elsewhere(pool) and _named_types(pool) is None:
        message = "No instance type of Auto Mode meets these requirements: the NodePool reports ready, but never launches a node"
        fix = "Relax a requirement: `nodepools instances` shows how many types each one excludes"
        yield finding(pool, message, path="requirements", value=None, fix=fix)


@error(
    "EKS184",
    source=f"{_TYPES}, 2026; the types of a family do not change",
    sample=Sample("requirements", lambda: eks_pool(keys.instance_family.one_of("m7g", "c7g"))),
)
def named_instance_types_excluded(pool: EksNodePool) -> Iterator[PartFinding]:
    """If other requirements exclude every type of the families and types that a NodePool names, it reports ready, but never launches a node."""
    named = _named_types(pool)
    if named is not None and not admitted_types(pool) and not _is_reported_elsewhere(pool):
        table = eks_instance_types()
        alone = [key for key, values in admitting_requirements(pool).items() if named.isdisjoint(table.admitting(key, values))]
        why = (
            f"`{alone[0]}` excludes every instance type that the other requirements name" if alone else "the requirements exclude each other's types"
        )
        fix = (
            f"Change the requirement on `{alone[0]}`, or name other families"
            if alone
            else "Relax a requirement: `nodepools instances` shows what each one excludes"
        )
        yield finding(pool, f"No node is ever launched: {why}", path="requirements", value=None, fix=fix)


@warning(
    "EKS062",
    source=f"{_TYPES}: more than 1 vCPU, not nano, micro or small; the families that Auto Mode supports",
    sample=Sample("requirements[2].values[0]", lambda: eks_pool(keys.instance_type.one_of("t3.micro", "t3.large"))),
)
def unsupported_instance_type(requirement: Requirement, _: EksNodePool) -> Iterator[PartFinding]:
    """Karpenter ignores an instance type, family or size that Auto Mode does not support."""
    table = eks_instance_types()
    if requirement.operator == "In" and requirement.label in (keys.instance_type.name, keys.instance_family.name, keys.instance_size.name):
        for index, value in enumerate(requirement.values):
            if not table.having(requirement.label, value):
                small = value.rpartition(".")[2] in _SMALL
                message = f"`{value}` {'is too small for' if small else 'is not known to be supported by'} Auto Mode: the value is ignored"
                near = None if small else _nearest_value(requirement.label, value)
                fix = (
                    set_to(("values", index), near)
                    if near not in (None, *requirement.values)
                    else without_value(requirement, index, "Use another value")
                )
                yield finding(requirement, message, path=("values", index), fix=fix)


@warning(
    "EKS063",
    source=f"{_TYPES}: category g holds g4ad (AMD) and g5g (arm64)",
    sample=Sample("requirements", lambda: eks_pool(keys.instance_category.one_of("g", "p"), limits={"nodes": 4})),
)
def gpu_manufacturer_not_set(pool: EksNodePool) -> Iterator[PartFinding]:
    """The instance category `g` includes AMD GPUs, on which pods that request `nvidia.com/gpu` do not run."""
    makers = _makers(admitted_types(pool))
    if len(makers - {None}) > 1 and None not in makers:
        message = "These requirements allow both NVIDIA and AMD GPUs: pods that request `nvidia.com/gpu` do not run on AMD"
        fix = add("requirements", Requirement(keys.instance_gpu_manufacturer.name, "In", ["nvidia"]))
        yield finding(pool, message, path="requirements", value=None, fix=fix)


@warning(
    "EKS064",
    source=f"{_TYPES}; what a pool asks holds together",
    sample=Sample(
        "requirements[2].values[0]",
        lambda: eks_pool(
            keys.instance_gpu_name.one_of("l4", "h100"), keys.instance_gpu_memory.more_than("24000Mi"), limits={"nodes": 4}, **KEPT_A_WHILE
        ),
    ),
)
def value_excluded_by_other_requirements(pool: EksNodePool) -> Iterator[PartFinding]:
    """A value has no effect if the other requirements exclude all its instance types: the generation `Gt 4` excludes `g4dn`."""
    table, names = eks_instance_types(), admitted_types(pool)
    for requirement in pool.requirements:
        if names and requirement.operator == "In" and requirement.label in _NAMING:
            for place, value in enumerate(requirement.values):
                having = table.having(requirement.label, value)
                if having and names.isdisjoint(having):
                    message = f"No instance type with `{value}` meets the other requirements of the NodePool: the value has no effect"
                    fix = without_value(requirement, place, "Relax the other requirements")
                    yield finding(requirement, message, path=("values", place), fix=fix)


@warning(
    "EKS066",
    source="https://docs.aws.amazon.com/eks/latest/userguide/auto-accelerated.html; Karpenter: limits hold for each resource separately",
    sample=Sample("limits", lambda: eks_pool(keys.instance_gpu_manufacturer.one_of("nvidia"), limits={"cpu": 100}, **KEPT_A_WHILE)),
)
def accelerators_without_limit(pool: EksNodePool) -> Iterator[PartFinding]:
    """Limits apply to each resource alone: 192 vCPUs are one node with eight GPUs, or 48 nodes with one GPU each."""
    named = _devices(admitted_types(pool))
    if named and pool.replicas is None and (named | {"nodes"}).isdisjoint(pool.limits):
        device = min(named)
        message = f"The number of accelerators, and their cost, has no maximum: {ref('limits')} has no `{device}`"
        yield finding(
            pool, message, path="limits", value=None, fix=f"Add the largest number that you need to {ref('limits')}, such as {literal({device: '8'})}"
        )


@warning(
    "EKS067",
    source="Karpenter: minValues, policy Strict: with fewer different values among the types no node is started",
    sample=Sample(
        "requirements[3].min_values",
        lambda: eks_pool(keys.instance_category.one_of("z"), Requirement(keys.instance_family.name, "Exists", min_values=5)),
    ),
)
def min_values_unreachable(requirement: Requirement, pool: EksNodePool) -> Iterator[PartFinding]:
    """Karpenter launches no node if the allowed instance types have fewer different values than `min_values` requires."""
    types, minimum = eks_instance_types().types, requirement.min_values
    named = closed_values(pool, requirement.label) or (requirement.values if requirement.operator == "In" else ())
    listed = [value for value in named if value in requirement.allowed]
    short_already = minimum is not None and 0 < len(listed) < minimum  # KAR042 and KAR043 tell that
    if minimum is not None and not short_already and eks_instance_types().decides(requirement.label):
        values = {types[name].labels.get(requirement.label) for name in admitted_types(pool)} - {None}
        count = len(values)
        if 0 < count < minimum:
            have = f"only {count} {'value' if count == 1 else 'different values'}"
            message = f"{ref('min_values')} is {minimum}, but the allowed instance types have {have} of `{requirement.key}`: no node is ever launched"
            fix = Fix(f"Set {ref('min_values')} to {literal(count)}, or relax the other requirements", (set_to("min_values", count),))
            yield finding(requirement, message, path="min_values", fix=fix)


@warning(
    "EKS068",
    source="Karpenter, scheduler.go: types whose capacity is above what is left of a limit are dropped",
    sample=Sample("limits.cpu", lambda: eks_pool(keys.instance_cpu.more_than(15), limits={"cpu": 8})),
)
def limit_below_smallest_instance_type(pool: EksNodePool) -> Iterator[PartFinding]:
    """Karpenter launches no node if a limit is below the smallest instance type that the NodePool allows; 0 turns a NodePool off."""
    for resource, (lowest, share) in _LIMITED.items():
        limit = amount(str(pool.limits[resource])) if resource in pool.limits else 0
        least = _least(admitted_types(pool), resource)
        if lowest <= limit < least * share:
            at = ("limits", resource)
            enough = f"{int(least) // _MEBIBYTE}Mi" if resource == "memory" else str(int(least))
            message = f"{ref(at)} ({pool.limits[resource]}) is below the smallest instance type that the NodePool allows: no node is ever launched"
            fix = Fix(f"Set {ref(at)} to at least {literal(enough)}, or allow smaller instance types", (set_to(at, enough),))
            yield finding(pool, message, path=at, fix=fix)


_MEBIBYTE = 1024**2
_LIMITED = {"cpu": (2, 1), "memory": (LEAST_MEMORY, 0.9), "nvidia.com/gpu": (1, 1), "amd.com/gpu": (1, 1)}
"""The smallest limit that this module checks (KAR013 checks lower ones), and the least share of a type's capacity that nodes report."""
_NAMING = (
    keys.instance_category.name,
    keys.instance_family.name,
    keys.instance_type.name,
    keys.instance_size.name,
    keys.instance_cpu.name,
    keys.instance_generation.name,
    keys.instance_cpu_manufacturer.name,
    keys.instance_gpu_name.name,
    keys.instance_accelerator_name.name,
)


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


def _nearest_value(key: str, value: str) -> str | None:
    """The known value that is closest to an unknown one; the size of a type only within its family."""
    table = eks_instance_types()
    if key != keys.instance_type.name:
        return nearest(value, {known.labels[key] for known in table.types.values()})
    family, _, size = value.partition(".")
    near = nearest(size, {name.partition(".")[2] for name in table.having(keys.instance_family.name, family)})
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
    return min((_amount(eks_instance_types().types[name], resource) for name in names), default=0)


def _amount(of: InstanceType, resource: str) -> float:
    if resource == "cpu":
        return of.cpu
    return of.memory_mib * _MEBIBYTE if resource == "memory" else of.devices.get(resource, 0)


def _is_reported_elsewhere(pool: EksNodePool) -> bool:
    """Other rules report the pool: requirements contradict each other, or name an unknown architecture or operating system."""
    suggestion = {requirement.label for requirement in pool.requirements if requirement.allowed.absent}
    together = admitting_requirements(pool)
    contradiction = any(values.absent and key not in suggestion for key, values in together.items())
    return contradiction or any(key in together and not eks_instance_types().admitting(key, together[key]) for key in (keys.arch.name, keys.os.name))


_FEW_FOR_CONSOLIDATION = 15
_CONSOLIDATION = "https://karpenter.sh/docs/concepts/disruption/#spot-consolidation (2026-11): at least 15 cheaper instance types"
_SPOT = "https://karpenter.sh/docs/concepts/nodepools/#capacity-type and EC2 spot best practices: be flexible about instance types"
_TWO = keys.instance_type.one_of("m7i.large", "m7a.large")
_TWELVE = [f"{family}.{size}" for family in ("m7i", "m7a", "c7i", "c7a") for size in ("large", "xlarge", "2xlarge")]


@warning(
    "EKS061",
    source=_SPOT,
    sample=Sample("requirements", lambda: eks_pool(requirements=[AMD64, keys.capacity_type.one_of("spot"), _TWO])),
)
def few_instance_types_for_spot(pool: EksNodePool) -> Iterator[PartFinding]:
    """Spot capacity of fewer than ten instance types is often unavailable."""
    count = len(admitted_types(pool))
    if is_spot_only(admitting_requirements(pool)) and 0 < count < FEW_FOR_SPOT:
        types = "1 instance type meets" if count == 1 else f"{count} instance types meet"
        message = f"Only {types} the requirements of this spot-only NodePool: spot capacity is often unavailable"
        fix = "Allow more instance sizes, generations or families, or the capacity type `on-demand`"
        yield finding(pool, message, path="requirements", value=None, fix=fix)


@warning(
    "EKS065",
    source=_SPOT,
    sample=Sample("requirements[2]", lambda: eks_pool(requirements=[AMD64, keys.capacity_type.one_of("spot"), keys.zone.one_of("us-east-1a")])),
)
def single_zone_spot(pool: EksNodePool) -> Iterator[PartFinding]:
    """Spot capacity differs by instance type and zone: in a single zone it can run out."""
    for index, requirement in enumerate(pool.requirements):
        pinned = requirement.operator == "In" and len(requirement.values) == 1 and requirement.label in (keys.zone.name, keys.zone_id.name)
        if pinned and is_spot_only(admitting_requirements(pool)):
            message = f"This spot-only NodePool is limited to the zone `{requirement.values[0]}`, where spot capacity can run out"
            yield finding(pool, message, path=("requirements", index), fix="Allow more zones, or the capacity type `on-demand`")


@note(
    "EKS069",
    source=_CONSOLIDATION,
    sample=Sample("requirements", lambda: eks_pool(requirements=[AMD64, keys.capacity_type.one_of("spot"), keys.instance_type.one_of(*_TWELVE)])),
)
def few_instance_types_for_spot_consolidation(pool: EksNodePool) -> Iterator[PartFinding]:
    """Karpenter replaces a single spot node by a cheaper spot node only if at least 15 cheaper instance types are possible."""
    count = len(admitted_types(pool))
    if (
        is_spot_only(admitting_requirements(pool)) and FEW_FOR_SPOT <= count < _FEW_FOR_CONSOLIDATION and happens("Underutilized", pool)
    ):  # EKS061 reports fewer
        message = (
            "Karpenter does not replace a single spot node by a cheaper one: "
            f"that needs {_FEW_FOR_CONSOLIDATION} instance types, and this NodePool allows {count}"
        )
        yield finding(pool, message, path="requirements", value=None)
