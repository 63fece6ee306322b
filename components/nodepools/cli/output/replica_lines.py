"""How many replicas are scheduled, and why others stay Pending, as text."""

from collections.abc import Iterator, Sequence

from nodepools.needs.amounts import Amount
from nodepools.replicas.bound import PendingReason
from nodepools.replicas.count import Outcome
from nodepools.replicas.explained import Explained


def count_lines(group: Sequence[Explained]) -> Iterator[str]:
    """The lines about one workload: none where one pod fits or fits no pool, which the pools already show."""
    for explained in group:
        count, workload = explained.count, explained.answer.workload
        pending = [reason for reason in count.pending if reason.kind is not PendingReason.NO_POOL]
        if workload.is_daemon or (not pending and not workload.running and (count.pending or count.wanted == 1)):
            continue
        within = f"in `{explained.answer.cluster}`: " if len(group) > 1 else ""
        already = (
            f": {_of(Amount(workload.running, workload.running), None)} running, and the pools are those for further pods" if workload.running else ""
        )
        yield f"{within}{_of(count.scheduled, count.wanted)} scheduled{already}"
        if count.verdict is not Outcome.FITS:
            for reason in pending:
                fix = f". Fix: {reason.fix}" if reason.fix else ""
                yield f"  {_of(Amount(reason.minimum, reason.maximum), None)} Pending: {reason.message}{fix}"


def short_count(explained: Explained) -> str:
    """`5-18/40`; empty for a DaemonSet, which runs on every node that it fits."""
    if explained.answer.workload.is_daemon:
        return ""
    count = explained.count
    least, most = count.scheduled.minimum, count.scheduled.maximum
    return f"{least}/{count.wanted}" if least == most else f"{least}-{most}/{count.wanted}"


def _of(amount: Amount, wanted: int | None) -> str:
    """`5 to 18 of 40 pods are`, `1 pod is`."""
    total = "" if wanted is None else f" of {wanted:,}"
    single = (amount.exact if wanted is None else wanted) == 1
    shown = f"{amount.minimum:,}" if amount.exact is not None else f"{amount.minimum:,} to {amount.maximum:,}"
    return f"{shown}{total} {'pod is' if single else 'pods are'}"
