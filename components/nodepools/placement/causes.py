"""Why a workload fits no pool, over all clusters: reasons that pools have in common, and the one change after which it fits."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from nodepools.model.listing import counted, joined, quoted
from nodepools.model.values import dataclass
from nodepools.placement.explain import Answer
from nodepools.placement.verdict import PoolVerdict, Purpose, Reason, Verdict
from nodepools.placement.workloads.pod_changes import AddToleration, Change, Select

_NAMED = 3
"""Pools that a sentence names."""
_COUNTED = 2
"""Reasons that a sentence counts."""
_TRIED = 50
"""Pools for which changes are tried once one is found: thousands of nodes have the same labels."""


@dataclass(frozen=True, slots=True)
class SharedReason:
    """A reason, and the pools of which it is the most common one."""

    reason: Reason
    pools: tuple[PoolVerdict, ...]

    @property
    def of_each(self) -> str:
        """What it says about the pools: in full about one, in short about several."""
        messages = {reason.message for pool in self.pools for reason in pool.reasons if _topic(reason) == _topic(self.reason)}
        if len(messages) == 1:
            return messages.pop()
        if self.reason.verdict is Verdict.UNKNOWN:
            return f"whether they have {self.reason.subject} cannot be determined offline"
        return self.reason.short


@dataclass(frozen=True, slots=True)
class Remedy:
    """One change after which a pod is guaranteed to fit some pools; no other single change is closer to what was meant."""

    change: Change
    pools: tuple[str, ...]

    def __str__(self) -> str:
        text = str(self.change)
        return f"{text[0].upper()}{text[1:]}"

    @property
    def cause(self) -> str:
        """What is wrong, if it is certain: ``label `tier=wbe`, `weu/web` has `tier=web` ``; empty otherwise."""
        pool, *others = self.pools
        match self.change:
            case Select(old, key, values, similar=True) if not others:
                return f"label `{old}`, `{pool}` has `{key}={values[0]}`"
            case AddToleration(taint):
                return f"it does not tolerate taint `{taint.key}` of {quoted(self.pools, _NAMED)}"
            case _:
                return ""


def shared_reasons(pools: Iterable[PoolVerdict], verdict: Verdict) -> list[SharedReason]:
    """The reasons of the pools with a verdict, the most common first; each pool is counted once."""
    left = {number: pool for number, pool in enumerate(pools) if pool.verdict is verdict}
    found: list[SharedReason] = []
    while left:
        counts = Counter(topic for pool in left.values() for topic in dict.fromkeys(map(_topic, pool.decisive)))
        if not counts:
            break
        [(topic, _)] = counts.most_common(1)
        own = {number: reason for number, pool in left.items() for reason in pool.decisive if _topic(reason) == topic}
        found.append(SharedReason(next(iter(own.values())), tuple(left.pop(number) for number in own)))
    return found


def _topic(reason: Reason) -> str:
    return reason.subject if reason.subject else reason.message


def remedies(answers: Iterable[Answer]) -> list[Remedy]:
    """The single changes after which the pods are guaranteed to fit, those that are equally close.

    If the pods may fit pools, or name pools, these are the only candidates. Pools of the system and with special hardware are not offered to others.
    """
    offered = [(pool, answer) for answer in answers for pool in answer.pools if pool.purpose <= Purpose.ORDINARY]
    decides = Verdict.UNKNOWN if any(pool.verdict is Verdict.UNKNOWN for pool, _ in offered) else Verdict.CANNOT
    pairs = [(pool, answer) for pool, answer in offered if pool.verdict is decides]
    if any(pool.purpose is Purpose.NAMED for pool, _ in pairs):
        pairs = [(pool, answer) for pool, answer in pairs if pool.purpose is Purpose.NAMED]
    found: dict[tuple[int, ...], dict[str, tuple[Change, list[str]]]] = {}
    for tried, (pool, answer) in enumerate(sorted(pairs, key=lambda pair: pair[0].distance)):
        if found and (pool.distance > min(found)[:-1] or tried >= _TRIED):
            break
        fix = answer.fix(pool)
        if fix is not None and fix.only is not None:
            found.setdefault((*pool.distance, fix.only.guess), {}).setdefault(str(fix), (fix.only, []))[1].append(pool.pool)
    equal = [Remedy(change, tuple(dict.fromkeys(names))) for change, names in found[min(found)].values()] if found else []
    return equal if len(equal) <= _NAMED else []  # so many say nothing


def advice(answers: Iterable[Answer]) -> str:
    """The changes of which one is enough, as one instruction; empty if there is none."""
    return joined([str(remedy.change) for remedy in remedies(answers)], "or")


def cause(answers: Sequence[Answer]) -> str:
    """Why the pods fit no pool, or may fit none, in one sentence."""
    pools = [pool for answer in answers for pool in answer.pools]
    unknown = shared_reasons(pools, Verdict.UNKNOWN)
    if unknown:
        return _undecided(unknown)
    offered = remedies(answers)
    if len(offered) == 1 and offered[0].cause:
        return offered[0].cause
    found = shared_reasons(pools, Verdict.CANNOT)
    if not found:
        return "the cluster has no pools" if len(answers) == 1 else "the clusters have no pools"
    if len(found) == 1:
        return found[0].reason.of_all if found[0].reason.subject else found[0].of_each
    return "; ".join(_counted(found))


def _undecided(found: Sequence[SharedReason]) -> str:
    names = [pool.pool for one in found for pool in one.pools]
    if len(found) > 1:
        return f"{len(names):,} pools decide it: {quoted(names, _NAMED)}"
    [one] = found
    if one.reason.subject:
        return f"{quoted(names, _NAMED)} may lack {one.reason.subject}"
    return f"{quoted(names, _NAMED)}: {one.of_each}"


def _counted(found: Sequence[SharedReason]) -> Iterator[str]:
    for one in found[:_COUNTED]:
        names = [pool.pool for pool in one.pools]
        several = f"{counted(len(names), 'pool')} {one.reason.of_some}"
        yield several if one.reason.subject else f"{quoted(names, _NAMED)}: {one.reason.message}"
    if left := sum(len(one.pools) for one in found[_COUNTED:]):
        yield f"{left:,} more for other reasons"
