"""Counts of random workloads on random pools: bounds are in order, verdicts follow from them, and texts name what they are about.

`python -m tests.replicas.test_random SEED CASES` tries other cases.
"""

import json
import random
import re
import sys
from collections.abc import Iterator

import pytest
import yaml

from nodepools import Platform
from nodepools.cli.convert.command import moved
from nodepools.cli.explain.outcome import placements
from nodepools.cli.explain.text import report
from nodepools.cli.output.text_report import text_lines
from nodepools.clouds.registry import catalog
from nodepools.conversion.converted import convert
from nodepools.conversion.unconverted import ConversionOptions, Target
from nodepools.manifests.existing.existing_pools import pools_of
from nodepools.manifests.manifest_objects import ManifestObject
from nodepools.placement.node_pools import ClusterPools
from nodepools.placement.verdict import Verdict
from nodepools.placement.workloads.objects import read_workload_objects
from nodepools.placement.workloads.reader import read_workloads
from nodepools.reading.bounded_input import TextError
from nodepools.replicas.count import Outcome, PendingReason
from nodepools.replicas.explained import Explained, explain_replicas
from tests.replicas import random_clusters as made

pytestmark = pytest.mark.sweep

SEED, CASES = 20261126, 2_000
_START = yaml.Mark("", 0, 0, 0, None, None)
_EMPTY = re.compile(r"(?<![`:]): ?\.|:\s*$|\bof \.|(?<=\S)  +\S|, ,|, \.|``|\(\)| \.( |$)|: Fix|: ,| and $|None\b|\bnan\b")
"""Signs of a list or a name that is missing in a sentence."""


def explained(chance: random.Random) -> list[Explained]:
    """The counts in a random cluster that is declared, runs, or is converted."""
    raw = made.workloads(chance)
    kind = chance.choice(("declared AKS", "declared EKS", "running", "converted"))
    if kind == "converted":
        return _converted(chance, raw)
    if kind == "running":
        pools = [_pools([ManifestObject("f", one, _START, {}) for one in made.objects(chance)])]
    else:
        cluster = made.declared_aks(chance) if kind == "declared AKS" else made.declared_eks(chance)
        pools = catalog(Platform(name="dev", clusters={"c": cluster}))
    return explain_replicas(list(read_workloads(raw)), pools, read_workload_objects(raw))


def _converted(chance: random.Random, raw: list[made.Object]) -> list[Explained]:
    target = chance.choice(list(Target))
    found = [ManifestObject("f", one, _START, {}) for one in (*made.objects(chance), *raw)]
    sides = moved(found, convert([one.raw for one in found], ConversionOptions(target, target.suffix)), target, ClusterPools(None), _dropped)
    return [side.found for one in sides for side in (one.old, one.new) if side.found is not None]


def _dropped(_: TextError) -> None:
    """Objects that the API server rejects are not what is tested."""


def _pools(found: list[ManifestObject]) -> ClusterPools:
    return pools_of(found, _dropped)


def flaws(one: Explained) -> Iterator[str]:
    """What is wrong with an answer."""
    count, amount, workload = one.count, one.count.scheduled, one.answer.workload
    most = count.wanted if amount.maximum is None else amount.maximum
    if not 0 <= amount.minimum <= most <= count.wanted:
        yield f"the bounds {amount} of {count.wanted}"
    verdict = (
        Outcome.FITS
        if amount.minimum >= count.wanted
        else Outcome.CANNOT
        if most == 0
        else Outcome.PARTLY
        if most < count.wanted
        else Outcome.UNKNOWN
    )
    if count.verdict is not verdict:
        yield f"{count.verdict} of {amount} of {count.wanted}"
    if count.wanted and amount.minimum > 0 and one.answer.verdict is Verdict.CANNOT:
        yield f"{amount} pods are scheduled, and no pool fits"
    if not workload.is_daemon and count.wanted:
        yield from _of_pending(one, most)
    for text in _texts(one):
        if _EMPTY.search(text):
            yield f"a text with a gap: {text}"


def _of_pending(one: Explained, most: int) -> Iterator[str]:
    """The reasons say together what the bounds say."""
    count = one.count
    missing = (count.wanted - most, count.wanted - count.scheduled.minimum)
    found = (max((each.minimum for each in count.pending), default=0), max((each.maximum for each in count.pending), default=0))
    if found != missing:
        yield f"{missing} pods are missing, and the reasons are for {found}"
    for each in count.pending:
        if not 0 <= each.minimum <= each.maximum <= count.wanted or not each.maximum or not each.message:
            yield f"the reason {each}"
        if "ScheduleAnyway" in each.fix:
            yield f"a spread is weakened: {each.fix}"
        if each.kind is PendingReason.NO_POOL and one.answer.verdict is Verdict.FITS:
            yield f"no pool, and one fits: {each.message}"


def _texts(one: Explained) -> Iterator[str]:
    for pending in one.count.pending:
        yield from (pending.message, pending.fix)
    for evaluated in one.answer.pools:
        yield from (reason.message for reason in evaluated.reasons)
        yield str(one.answer.fix(evaluated) or "")
    yield from one.answer.notices
    for warning in one.answer.warnings:
        yield from (warning.message, warning.fix)


def _printed(answers: list[Explained], *, forced: bool) -> Iterator[str]:
    yield from text_lines(report("dev", placements(answers), forced=forced, covered=None, again="", places={}), columns=100, details=True)


def found(seed: int, cases: int, offset: int = 0) -> Iterator[str]:
    """The flaws of so many cases, each with the seed that repeats it."""
    for number in range(offset, offset + cases):
        chance = random.Random(f"{seed}/{number}")  # noqa: S311  # the same cases for a seed
        try:
            answers = explained(chance)
            texts = [line for forced in (False, True) for line in _printed(answers, forced=forced)] if number % 10 == 0 else []
            json.dumps([one.to_json() for one in answers])
        except Exception as error:
            error.add_note(f"case {seed}/{number}")
            raise
        for one in answers:
            yield from (f"case {seed}/{number}: {flaw}" for flaw in flaws(one))
        yield from (f"case {seed}/{number}: {line}" for line in texts if "ScheduleAnyway" in line and "ix: " in line)


def test_random_clusters() -> None:
    assert not list(found(SEED, CASES))


if __name__ == "__main__":
    for said in found(int(sys.argv[1]), int(sys.argv[2])):
        sys.stdout.write(f"{said}\n")
