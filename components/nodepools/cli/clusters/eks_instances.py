"""`nodepools instances`: the EC2 instance types that a NodePool allows, and how many each requirement excludes."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final

from nodepools.cli.command_run import CommandRun, Result
from nodepools.cli.output.report import Report, Row, Section, Step, edit, lines_of
from nodepools.cli.problem import Problem
from nodepools.clouds.node_pool_cost import unknown_names
from nodepools.data.eks_instance_types import InstanceType, eks_instance_types, origin, requirements_of
from nodepools.loading import UnreadableError
from nodepools.model.kubernetes.label import Requirements
from nodepools.model.listing import as_code, counted
from nodepools.model.values import dataclass, replace
from nodepools.placement.cloud_labels import REGION
from nodepools.placement.node_pools import ClusterPools, KarpenterPool
from nodepools.rules.eks.instance_types import FEW_FOR_SPOT
from nodepools.rules.platform.labels import is_spot_only

_SIZES: Final = ("nano", "micro", "small", "medium", "large", "xlarge")
_FAMILIES: Final = 30
_STEPS: Final = 3
_PRICED: Final = "us-east-1"
"""The region of the prices."""


@dataclass(frozen=True, slots=True)
class RequirementEffect:
    """What one requirement or label excludes."""

    requirement: str
    excluded: int
    """Number of types that it excludes alone."""
    without: int
    """Number of allowed types without it."""


def instances(about: str, pools: Iterable[ClusterPools], address: str | None, run: CommandRun) -> Result:
    """The instance types that the NodePool at `address` allows; without an address, those of the only one.

    Raises:
        UnreadableError: there is no such NodePool of EKS Auto Mode.
    """
    place = _place([pool for cluster in pools for pool in cluster.provisioned], address)
    table = eks_instance_types()
    admitted = table.admitted(requirements_of(place.pool.requirements, place.labels.items()))
    names = sorted(admitted, key=_by_size)
    effects = list(_effects(place)) if len(names) < FEW_FOR_SPOT else []
    if is_spot_only(place.pool) and len(names) < FEW_FOR_SPOT:
        run.notes.append(Problem(place.address, f"spot only with fewer than {FEW_FOR_SPOT} instance types: capacity is often unavailable"))
    beyond = len(place.cloud.index.taken(place.types.possible & ~place.affordable.possible))
    if 0 < beyond < len(names):
        run.notes.append(Problem(place.address, f"one node of {beyond:,} of these types would exceed its limits ({place.limits_text})"))
    if newer := unknown_names(place):
        run.notes.append(Problem(place.address, f"{newer}: whether Auto Mode can launch it is not known here"))
    region = _region(place)
    cheapest = table.cheapest(admitted) if region in ("", _PRICED) else None
    over = f"its limits ({place.limits_text}) are below the smallest" if names and beyond == len(names) else "; ".join(_too_few(place))
    report = Report(about, _answer(place.address, names, over, newer), _next(names, effects), tuple(_sections(names, cheapest, effects, region)))
    return Result(lambda: _json(place.address, names, cheapest, effects), report=report)


def _too_few(place: KarpenterPool) -> Iterator[str]:
    """The labels of which the known types have fewer values than `min_values`, which Karpenter requires."""
    for key, least in place.least_values.items():
        if place.cloud.index.knows(key) and 0 < (number := len(place.cloud.index.values(key, place.types.possible))) < least:
            yield f"`min_values` of `{key}` is {least}, and they have {counted(number, 'value')}"


def _region(place: KarpenterPool) -> str:
    """The region of its nodes; empty: not known."""
    regions = place.choices[REGION].certain if REGION in place.choices else frozenset[str]()
    return next(iter(regions)) if len(regions) == 1 else ""


def _by_size(name: str) -> tuple[str, bool, float, str]:
    """Family, then size as a number, bare metal last: `m7i.xlarge`, `m7i.2xlarge`, `m7i.metal-24xl`."""
    family, _, size = name.partition(".")
    times = size.removesuffix("xlarge")
    order = float(_SIZES.index(size)) if size in _SIZES else len(_SIZES) + float(times) if times.isdecimal() else float("inf")
    return family, size.startswith("metal"), order, size


def _place(places: Sequence[KarpenterPool], address: str | None) -> KarpenterPool:
    eks = [place for place in places if place.cloud.name == "eks"]
    found = [place for place in eks if address in (None, place.address)] or [place for place in eks if place.address.endswith(f"/{address}")]
    if len(found) == 1:
        return found[0]
    if found:
        why = f"{len(found)} NodePools are named `{address}`" if address is not None else "`--pool` is required"
        raise UnreadableError(f"{why}: use one of {as_code(place.address for place in found)}")
    if not eks:
        why = "`instances` is about NodePools of EKS Auto Mode, and there is none: `nodepools cost` prices other pools of a stack or a file"
        raise UnreadableError(f"`{address}`: {why}" if address is not None else why)
    raise UnreadableError(f"EKS Auto Mode NodePool `{address}` not found (available: {', '.join(place.address for place in eks)})")


def _effects(place: KarpenterPool) -> Iterator[RequirementEffect]:
    table, requirements, labels = eks_instance_types(), place.pool.requirements, tuple(place.labels.items())
    for index, requirement in enumerate(requirements):
        if table.decides(requirement.key):
            rest = [*requirements[:index], *requirements[index + 1 :]]
            yield _effect(str(requirement), requirements_of([requirement]), requirements_of(rest, labels))
    for label in labels:
        if table.decides(label[0]):
            rest = [other for other in labels if other != label]
            yield _effect(f"label {label[0]}={label[1]}", requirements_of([], [label]), requirements_of(requirements, rest))


def _effect(requirement: str, alone: Requirements, rest: Requirements) -> RequirementEffect:
    table = eks_instance_types()
    return RequirementEffect(requirement, len(table.types) - len(table.admitted(alone)), len(table.admitted(rest)))


def _json(address: str, names: Sequence[str], cheapest: InstanceType | None, effects: Sequence[RequirementEffect]) -> dict[str, object]:
    answer: dict[str, object] = {"pool": address, "instance_types": list(names)}
    if cheapest is not None:
        answer["cheapest"] = {"instance_type": cheapest.name, "usd_per_hour": cheapest.usd_per_hour, "region": _PRICED}
    if effects:
        answer["removed"] = [{"by": effect.requirement, "removes": effect.excluded, "without_it": effect.without} for effect in effects]
    return answer


def _answer(address: str, names: Sequence[str], over: str, newer: str) -> str:
    allows = f"{address} allows {counted(len(names), 'instance type') if names else 'no instance type'}"
    never = "whether it launches a node is unknown" if newer else "it never launches a node"
    return f"{allows}, but launches none of them: {over}" if over else allows if names else f"{allows}{' that is known' * bool(newer)}: {never}"


def _next(names: Sequence[str], effects: Sequence[RequirementEffect]) -> tuple[Step, ...]:
    """Without an instance type: the requirements of which it is enough to change one."""
    alone = [effect for effect in effects if effect.without]
    return tuple(edit(f"Remove `{effect.requirement}`: {effect.without:,} types remain without it") for effect in alone[:_STEPS]) if not names else ()


def _sections(names: Sequence[str], cheapest: InstanceType | None, effects: Sequence[RequirementEffect], region: str) -> Iterator[Section]:
    """The types of each family, the requirements that exclude many, and what the answer rests on."""
    families = groupby(names, key=lambda name: name.partition(".")[0])
    rows = [Row((family, ", ".join(name.partition(".")[2] for name in own))) for family, own in families]
    yield Section("", tuple(replace(row, is_detail=number >= _FAMILIES) for number, row in enumerate(rows)))
    effect_rows = [Row((effect.requirement, f"{effect.excluded:,}", f"{effect.without:,}")) for effect in effects]
    yield Section("Requirements", tuple(effect_rows), ("requirement", "excludes", "types without it"), frozenset({1, 2}))
    total = f"Auto Mode has {len(eks_instance_types().types):,} instance types"
    if cheapest is not None:
        yield lines_of("", f"cheapest: {cheapest.name}, {cheapest.usd_per_hour} USD per hour on demand in {_PRICED}")
        yield lines_of("", f"{total}; prices: {origin()['prices']}", is_detail=True)
    else:
        yield lines_of("", *([f"no price table for {region}"] if region not in ("", _PRICED) else []))
        yield lines_of("", total, is_detail=True)
