"""The workloads of `must_fit` of which not all replicas are certain to be scheduled."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from nodepools.clouds.registry import catalog
from nodepools.model.platform import Platform
from nodepools.placement.causes import advice, cause
from nodepools.placement.must_fit import numbered_workloads, objects_of
from nodepools.placement.verdict import Verdict
from nodepools.placement.verdict import best as best_verdict
from nodepools.replicas.count import Count, Outcome, PendingReason, best
from nodepools.replicas.explained import Explained, explain_replicas

if TYPE_CHECKING:
    from nodepools.replicas.losses import Loss


class Unplaced(NamedTuple):
    """A workload of which pods stay Pending, or may stay Pending."""

    entry: int
    """Its position in `must_fit`."""
    name: str
    certain: bool
    """Pods stay Pending for certain, in each cluster."""
    problem: str
    """What the schedulers do, and why: `fits no pool and stays Pending (…)`."""
    fix: str
    """The change after which the pods are guaranteed to fit a pool, or several of which one is enough; empty if none was found."""


def unplaced(platform: Platform, losses: "Sequence[Loss]" = ()) -> Iterator[Unplaced]:
    """The workloads that no cluster is certain to run completely, after a loss; an object that cannot be read is ignored."""
    numbered = numbered_workloads(platform)
    pools = catalog(platform)
    workloads = [workload for _, workload in numbered]
    if losses:
        from nodepools.replicas.losses import explain_without  # few ask for it

        found = explain_without(workloads, pools, losses, objects_of(platform))
    else:
        found = explain_replicas(workloads, pools, objects_of(platform))
    for number, (index, workload) in enumerate(numbered):
        mine = found[number * len(pools) : (number + 1) * len(pools)]
        count = best([explained.count for explained in mine])
        if count.verdict is not Outcome.FITS:
            certain = all(explained.count.misses_some for explained in mine)
            yield Unplaced(index, f"{workload.kind}/{workload.name}", certain, *_problem(mine, count, certain=certain))


def _problem(found: Sequence[Explained], count: Count, *, certain: bool) -> tuple[str, str]:
    """What happens, and the change that helps."""
    verdict = best_verdict(explained.answer.verdict for explained in found)
    reason = count.decisive
    if verdict is not Verdict.FITS and (reason is None or reason.kind is PendingReason.NO_POOL):
        answers = [explained.answer for explained in found]
        return f"{'fits no pool and stays Pending' if verdict is Verdict.CANNOT else 'may stay Pending'} ({cause(answers)})", advice(answers)
    message, fix = (reason.message, reason.fix) if reason is not None else ("", "")
    if certain:
        return f"runs at most {count.scheduled.maximum:,} of {count.wanted:,} pods: {message}", fix
    return f"is certain to run only {count.scheduled.minimum:,} of {count.wanted:,} pods: {message}", fix
