"""Finds the change that lets a pod fit a pool, by trying it: the pod is changed and evaluated again."""

from collections.abc import Callable, Iterable, Mapping
from functools import reduce
from itertools import islice, product
from typing import Final, NamedTuple

from nodepools.model.kubernetes.pod import Pod
from nodepools.model.values import dataclass, replace
from nodepools.placement.verdict import PoolVerdict, Verdict, best
from nodepools.placement.workloads.pod_changes import Change, Remove, Select

Evaluate = Callable[[Pod], PoolVerdict]
"""Returns the verdict on a pod and one pool."""
_ROUNDS: Final = 4
"""A change can uncover further reasons: the schedulers do not report all at once."""
_TRIED: Final = 24
"""Combinations of options that are tried in one round."""
_SHOWN: Final = 3
"""Options of one change that are shown."""


@dataclass(frozen=True)
class Fix:
    """Changes to make together, and the verdict after them: `fits`, or `unknown` where `cannot` was."""

    steps: Mapping[Change, Change]
    """By the fix of a reason, the change that was tried for it: of its options, those that work."""
    verdict: Verdict

    @property
    def only(self) -> Change | None:
        """The one change after which the pod is guaranteed to fit; `None` if there are several, or more than the declaration decides it."""
        steps = list(self.steps.values())
        if len(steps) != 1 or self.verdict is not Verdict.FITS:
            return None
        return None if isinstance(steps[0], Select) and steps[0].condition else steps[0]

    def __str__(self) -> str:
        return "; ".join(map(str, self.steps.values()))


class _Trial(NamedTuple):
    pod: Pod
    evaluated: PoolVerdict
    steps: Mapping[Change, Change]


def find_fix(pod: Pod, evaluated: PoolVerdict, evaluate: Evaluate) -> Fix | None:
    """The changes after which the pod fits, or may fit where it could not; `None` if none was found."""
    trial = _Trial(pod, evaluated, {})
    reached: _Trial | None = None
    for _ in range(_ROUNDS):
        further = _next(trial, evaluate)
        if further is None:
            break
        trial = further
        if trial.evaluated.verdict is Verdict.FITS or (trial.evaluated.verdict is not evaluated.verdict and reached is None):
            reached = trial
        if trial.evaluated.verdict is Verdict.FITS:
            break
    return None if reached is None else _merged(pod, _with_options(pod, reached, evaluate), evaluate)


def _next(trial: _Trial, evaluate: Evaluate) -> _Trial | None:
    """The trial with a change for each decisive reason; `None` if a reason has none, or the changes do not help."""
    fixes = [reason.fix for reason in trial.evaluated.decisive]
    offered = [fix for fix in dict.fromkeys(fixes) if fix is not None]
    if None in fixes or not offered or any(fix in trial.steps for fix in offered):
        return None
    found: _Trial | None = None
    for chosen in islice(product(*(fix.options for fix in offered)), _TRIED):
        pod = _changed(trial.pod, chosen)
        if pod != trial.pod:
            new = _Trial(pod, evaluate(pod), {**trial.steps, **dict(zip(offered, chosen, strict=True))})
            if found is None or best([found.evaluated.verdict, new.evaluated.verdict]) is not found.evaluated.verdict:
                found = new
            if new.evaluated.verdict is Verdict.FITS:
                break
    return None if found is None or best([found.evaluated.verdict, trial.evaluated.verdict]) is not found.evaluated.verdict else found


def _with_options(pod: Pod, reached: _Trial, evaluate: Evaluate) -> Fix:
    """The fix; where only one of its changes has options, with all options that work."""
    open_ = [fix for fix in reached.steps if isinstance(fix, Select) and len(fix.values) > 1]
    if len(open_) != 1:
        return Fix(reached.steps, reached.evaluated.verdict)
    [fix] = open_
    values: list[str] = []
    for value in fix.values[:_TRIED]:
        chosen = {**reached.steps, fix: replace(fix, values=(value,))}
        if evaluate(_changed(pod, chosen.values())).verdict is reached.evaluated.verdict:
            values.append(value)
    return Fix({**reached.steps, fix: replace(fix, values=tuple(values[:_SHOWN]))}, reached.evaluated.verdict)


def _merged(pod: Pod, fix: Fix, evaluate: Evaluate) -> Fix:
    """The fix with changes of the same expression as one, and no label that is selected already, if that has the same effect."""
    steps: dict[Change, Change] = {}
    for reason, made in fix.steps.items():
        step = Remove(made.old) if isinstance(made, Select) and made.key != made.old.key and (made.key, made.values[0]) in pod.node_selector else made
        joined = next(((first, both) for first, earlier in steps.items() if (both := earlier.then(step)) is not None), (reason, step))
        steps[joined[0]] = joined[1]
    if steps == fix.steps or evaluate(_changed(pod, steps.values())).verdict is not fix.verdict:
        return fix
    return Fix(steps, fix.verdict)


def _changed(pod: Pod, changes: Iterable[Change]) -> Pod:
    return reduce(lambda changed, change: change.apply(changed), changes, pod)
