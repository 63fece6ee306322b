"""Random workloads with PodDisruptionBudgets: what we say of evictions is what Kubernetes' own disruption controller and eviction subresource say."""

import json
import os
import random
import subprocess
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from nodepools.model.kubernetes.disruption_budget import DisruptionBudget
from nodepools.placement.workloads.objects import read_workload_objects
from nodepools.placement.workloads.reader import read_workloads
from nodepools.placement.workloads.warnings import MatchedBudgets
from nodepools.placement.workloads.workload import Workload
from tests.oracle.evictions.random_states import READY, UNREADY, State, state

FRESH = int(os.environ.get("PLACEMENT_SEED", random.SystemRandom().randrange(10**9)))  # printed with the counts
CASES = 600
EVICTED, REFUSED, BROKEN = 200, 429, 500


def theirs(program: Path, states: Sequence[State]) -> list[Any]:
    lines = "".join(f"{json.dumps(one.asked())}\n" for one in states)
    done = subprocess.run([str(program)], input=lines, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


class Ours:
    """What we say of one state."""

    def __init__(self, made: State) -> None:
        self.state = made
        self.workloads: list[Workload] = list(read_workloads(made.workloads))
        self.objects = read_workload_objects(made.budgets)
        self.matched = MatchedBudgets(self.workloads, self.objects)

    def counted(self, budget: DisruptionBudget) -> bool:
        """The declarations tell how many pods there are."""
        return not any(workload.is_daemon for workload in self.matched.workloads(budget))

    def healthy(self, budget: DisruptionBudget) -> int:
        selected = [self.workloads.index(workload) for workload in self.matched.workloads(budget)]
        return sum(condition == READY for number, condition in self.state.of if number in selected)

    def eviction(self, workload: Workload, condition: str) -> int:
        """The answer of the server to the eviction of a pod."""
        if condition not in (READY, UNREADY):
            return EVICTED
        budgets = self.matched.of(workload)
        if len(budgets) != 1:
            return BROKEN if budgets else EVICTED
        [budget] = budgets
        allowance, healthy = budget.allowance(self.matched.pods(budget)), self.healthy(budget)
        if allowance is None:
            return EVICTED if condition == UNREADY and budget.always_evicts_unready else REFUSED
        if condition == UNREADY:
            return EVICTED if allowance.evicts_unready(healthy, always=budget.always_evicts_unready) else REFUSED
        return EVICTED if allowance.evictions(healthy) else REFUSED


def differences(ours: Ours, given: Mapping[str, Any]) -> list[str]:
    found: list[str] = []
    for budget, status in zip(ours.objects.budgets, given["budgets"], strict=True):
        if not ours.matched.workloads(budget) or not ours.counted(budget):
            continue
        allowance = budget.allowance(ours.matched.pods(budget))
        if (allowance is None) != status["failed"]:
            found.append(f"{budget}: {allowance}, {status}")
        elif allowance is not None and (allowance.desired, allowance.evictions(ours.healthy(budget))) != (status["desired"], status["allowed"]):
            found.append(f"{budget}: {allowance} with {ours.healthy(budget)} healthy, {status}")
        if ours.matched.never_allows(budget) and status["allowed"]:
            found.append(f"{budget} never allows an eviction, {status}")
        if ours.state.healthy and ours.matched.never_allows(budget) == bool(status["allowed"]):
            found.append(f"{budget} with all pods ready: {ours.matched.never_allows(budget)}, {status}")
        if ours.state.healthy and ours.matched.of_unknown_size(budget) != (status["failed"] or not status["expected"]):
            found.append(f"{budget}, unknown size: {ours.matched.of_unknown_size(budget)}, {status}")
    for (number, condition), code in zip(ours.state.of, given["evictions"], strict=True):
        workload = ours.workloads[number]
        if all(map(ours.counted, ours.matched.of(workload))) and (expected := ours.eviction(workload, condition)) != code:
            found.append(f"{workload.kind}, a pod that is {condition}: {expected}, {code}")
    return found


@pytest.mark.parametrize("seed", [1, 20261122, pytest.param(FRESH, id="a fresh seed")])
def test_evictions_are_answered_as_we_say(evictions: Path, seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311  # the same states for a seed
    states = [state(chance) for _ in range(CASES)]
    counts: Counter[object] = Counter()
    wrong: list[object] = []
    for made, given in zip(states, theirs(evictions, states), strict=True):
        ours = Ours(made)
        counts.update(given["evictions"])
        counts.update("failed" for status in given["budgets"] if status["failed"])
        counts.update("never" for budget in ours.objects.budgets if ours.matched.never_allows(budget))
        if found := differences(ours, given):
            wrong.append((found, made.budgets, made.of))
    print(f"\nseed {seed}: {dict(counts)}")
    assert not wrong, (len(wrong), wrong[0])
    assert min(counts[code] for code in (EVICTED, REFUSED, BROKEN, "failed", "never")) > 50
