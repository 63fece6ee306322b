"""The workloads that a platform names, judged against all its pools."""

from collections.abc import Iterator
from typing import NamedTuple

from nodepools.model.kubernetes.raw_fields import PodError
from nodepools.model.platform import Platform
from nodepools.placement.catalog import catalog, pools_of
from nodepools.placement.explain import Answer, explain
from nodepools.placement.suggestions import POOL_NAME_LABELS
from nodepools.placement.verdict import Verdict, best
from nodepools.placement.workload import Workload
from nodepools.placement.workload_reader import read_workloads


class Unplaced(NamedTuple):
    """A workload without a certain pool."""

    place: int
    """Its place in `must_fit`."""
    name: str
    verdict: str
    nearest: str
    """The pool that misses it least, and why."""


def named_workloads(platform: Platform) -> list[Workload]:
    """The workloads of `must_fit`; what cannot be read is passed over."""
    return [workload for raw in platform.must_fit for workload in _read(raw)]


def unplaced(platform: Platform) -> Iterator[Unplaced]:
    """The workloads of `must_fit` that no pool of any cluster takes for certain; what cannot be read is passed over."""
    named = [(index, workload) for index, raw in enumerate(platform.must_fit) for workload in _read(raw)]
    pools = catalog(platform)
    answers = explain([workload for _, workload in named], pools)
    for place, (index, workload) in enumerate(named):
        mine = answers[place * len(pools) : (place + 1) * len(pools)]
        verdict = best(answer.verdict for answer in mine)
        if verdict is not Verdict.FITS:
            yield Unplaced(index, f"{workload.kind}/{workload.name}", verdict.value, _nearest(mine, verdict))


class NamedAfterGeneration(NamedTuple):
    """A workload that names an agent pool by what turns when the pool rotates."""

    place: int
    """Its place in `must_fit`."""
    name: str
    label: str
    """What it asks, `agentpool=webcaq1`."""
    pool: str
    """Key of the pool."""


def named_after_generations(platform: Platform) -> Iterator[NamedAfterGeneration]:
    """The workloads of `must_fit` that ask for an agent pool by its name in Azure, where that is not one of its own."""
    turning = {name: key for cluster in platform.clusters.values() for name, key in pools_of(cluster).changing_names.items()}
    for index, raw in enumerate(platform.must_fit):
        for workload in _read(raw):
            for asked in workload.pod.asked_of_labels:
                if asked.key in POOL_NAME_LABELS and asked.operator == "In":
                    yield from (
                        NamedAfterGeneration(index, f"{workload.kind}/{workload.name}", f"{asked.key}={value}", turning[value])
                        for value in asked.values
                        if value in turning
                    )


def _read(raw: object) -> list[Workload]:
    try:
        return list(read_workloads(raw))
    except PodError:
        return []


def _nearest(answers: list[Answer], verdict: Verdict) -> str:
    judged = min((one for answer in answers for one in answer.pools if one.verdict is verdict), key=lambda one: one.distance)
    return f"{judged.pool}: {', '.join(reason.message for reason in judged.reasons)}"
