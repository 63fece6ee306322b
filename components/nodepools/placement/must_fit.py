"""The workloads of `must_fit`, and whether they fit a pool of their platform."""

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
    """A workload that is not certain to fit a pool."""

    entry: int
    """Its position in `must_fit`."""
    name: str
    verdict: str
    nearest: str
    """The closest pool, and why the workload does not fit it."""
    fix: str
    """The change after which it fits that pool for certain; empty if none was found."""


def named_workloads(platform: Platform) -> list[Workload]:
    """The workloads of `must_fit`; an object that cannot be read is ignored."""
    return [workload for raw in platform.must_fit for workload in _read(raw)]


def unplaced(platform: Platform) -> Iterator[Unplaced]:
    """The workloads of `must_fit` that are not certain to fit a pool of any cluster; an object that cannot be read is ignored."""
    named = [(index, workload) for index, raw in enumerate(platform.must_fit) for workload in _read(raw)]
    pools = catalog(platform)
    answers = explain([workload for _, workload in named], pools)
    for number, (index, workload) in enumerate(named):
        mine = answers[number * len(pools) : (number + 1) * len(pools)]
        verdict = best(answer.verdict for answer in mine)
        if verdict is not Verdict.FITS:
            yield Unplaced(index, f"{workload.kind}/{workload.name}", verdict.value, *_nearest(mine, verdict))


class NamedAfterGeneration(NamedTuple):
    """A workload that selects an agent pool by a name that changes when the pool rotates."""

    entry: int
    """Its position in `must_fit`."""
    name: str
    label: str
    """The label that it selects: `agentpool=webcaq1`."""
    pool: str
    """Key of the pool."""


def named_after_generations(platform: Platform) -> Iterator[NamedAfterGeneration]:
    """The workloads of `must_fit` that select an agent pool by its name in Azure, unless the declaration sets that name."""
    rotating = {name: key for cluster in platform.clusters.values() for name, key in pools_of(cluster).changing_names.items()}
    for index, raw in enumerate(platform.must_fit):
        for workload in _read(raw):
            for expression in workload.pod.required_labels:
                if expression.key in POOL_NAME_LABELS and expression.operator == "In":
                    yield from (
                        NamedAfterGeneration(index, f"{workload.kind}/{workload.name}", f"{expression.key}={value}", rotating[value])
                        for value in expression.values
                        if value in rotating
                    )


def _read(raw: object) -> list[Workload]:
    try:
        return list(read_workloads(raw))
    except PodError:
        return []


def _nearest(answers: list[Answer], verdict: Verdict) -> tuple[str, str]:
    """The closest pool with the reasons, and the change after which the workload fits it."""
    found = [(evaluated, answer) for answer in answers for evaluated in answer.pools if evaluated.verdict is verdict]
    evaluated, answer = min(found, key=lambda item: item[0].distance)
    fix = answer.fix(evaluated)
    nearest = f"`{evaluated.pool}`: {'; '.join(reason.message for reason in evaluated.reasons)}"
    return nearest, str(fix) if fix is not None and fix.verdict is Verdict.FITS else ""
