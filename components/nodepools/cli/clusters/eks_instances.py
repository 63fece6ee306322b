"""`nodepools instances`: the EC2 instance types that a NodePool allows, and how many each requirement excludes."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import typer

from nodepools.cli.command_run import CommandRun, Result
from nodepools.cli.problem import Problem
from nodepools.data.eks_instance_types import InstanceType, eks_instance_types, origin, requirements_of
from nodepools.loading import UnreadableError
from nodepools.model.kubernetes.requirement import Requirements
from nodepools.placement.cluster_pools import ClusterPools
from nodepools.placement.node_pools import KarpenterPool
from nodepools.rules.eks.admitted_types import FEW_FOR_SPOT, is_spot_only

_WIDTH = 78


@dataclass(frozen=True, slots=True)
class RequirementEffect:
    """What one requirement or label excludes."""

    requirement: str
    excluded: int
    """Number of types that it excludes alone."""
    without: int
    """Number of allowed types without it."""


def instances(pools: Iterable[ClusterPools], address: str, run: CommandRun) -> Result:
    """The instance types that the NodePool at `address` allows.

    Raises:
        UnreadableError: there is no such NodePool of EKS Auto Mode.
    """
    place = _place([pool for cluster in pools for pool in cluster.provisioned], address)
    table = eks_instance_types()
    requirements = requirements_of(place.pool.requirements, place.labels.items())
    names = table.admitted(requirements)
    effects = list(_effects(place)) if len(names) < FEW_FOR_SPOT else []
    if is_spot_only(requirements) and len(names) < FEW_FOR_SPOT:
        run.notes.append(Problem(place.address, f"spot only with fewer than {FEW_FOR_SPOT} instance types: capacity is often unavailable"))
    names, cheapest = sorted(names), table.cheapest(names)
    return Result(lambda: _json(place.address, names, cheapest, effects), lambda: typer.echo("\n".join(_text(place, names, cheapest, effects))))


def _place(places: Sequence[KarpenterPool], address: str) -> KarpenterPool:
    eks = [place for place in places if place.cloud.name == "eks"]
    found = [place for place in eks if place.address == address] or [place for place in eks if place.address.endswith(f"/{address}")]
    if len(found) == 1:
        return found[0]
    if found:
        raise UnreadableError(f"{len(found)} NodePools are named `{address}`: use one of {', '.join(place.address for place in found)}")
    raise UnreadableError(f"EKS Auto Mode NodePool `{address}` not found (available: {', '.join(place.address for place in eks) or 'none'})")


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
        answer["cheapest"] = {"instance_type": cheapest.name, "usd_per_hour": cheapest.usd_per_hour, "region": "us-east-1"}
    if effects:
        answer["removed"] = [{"by": effect.requirement, "removes": effect.excluded, "without_it": effect.without} for effect in effects]
    return answer


def _text(place: KarpenterPool, names: Sequence[str], cheapest: InstanceType | None, effects: Sequence[RequirementEffect]) -> Iterator[str]:
    total = len(eks_instance_types().types)
    yield f"{place.address} allows {len(names)} of {total:,} EKS Auto Mode instance types"
    yield from _columns(names)
    if cheapest is not None:
        yield f"cheapest: {cheapest.name}, {cheapest.usd_per_hour} USD per hour (prices: {origin()['prices']})"
    for effect in effects:
        yield f"  {effect.requirement}: excludes {effect.excluded:,}; without it {effect.without:,} remain"


def _columns(names: Sequence[str]) -> Iterator[str]:
    width = max(map(len, names), default=0) + 2
    across = max(_WIDTH // width, 1) if names else 1
    for start in range(0, len(names), across):
        yield "  " + "".join(name.ljust(width) for name in names[start : start + across]).rstrip()
