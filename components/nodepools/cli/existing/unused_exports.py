"""Exported subnets and quotas that no declared cluster uses: without a note, an export of another network or region would look like an answer."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from nodepools.cli.problem import Problem
from nodepools.clouds.item import ExistingStock
from nodepools.clouds.registry import cloud_of
from nodepools.model.listing import listed
from nodepools.model.platform import Platform
from nodepools.needs.platform_capacity import ClusterCapacity

_NAMED: Final = 3


def unused(observed: ExistingStock, platforms: Iterable[Platform], counted: Sequence[ClusterCapacity]) -> Iterator[Problem]:
    """A note if none of the subnets, or none of the quotas, is of a declared cluster."""
    names = {item.name.lower() for cluster in counted for item in cluster.items}
    if observed.subnets and names.isdisjoint(observed.subnets):
        subnets = _number(len(observed.subnets), "subnet")
        yield Problem("--existing", f"no declared cluster uses the exported {subnets} by id: not counted ({listed(list(observed.subnets), _NAMED)})")
    regions = {cloud_of(cluster).region.name for platform in platforms for cluster in platform.clusters.values()}
    exported = {counter.region for counter in observed.quotas}
    if exported and regions.isdisjoint(exported):
        quotas = _number(len(observed.quotas), "quota")
        yield Problem(
            "--existing", f"no declared cluster is in the region of the exported {quotas}: not counted ({listed(sorted(exported), _NAMED)})"
        )


def _number(count: int, noun: str) -> str:
    return noun if count == 1 else f"{count:,} {noun}s"
