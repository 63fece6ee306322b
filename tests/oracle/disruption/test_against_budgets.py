"""Random budgets at random times: what we compute is what Karpenter's own API package computes with a fixed clock."""

import json
import os
import random
import subprocess
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from nodepools import Budget, Disruption
from nodepools.model.disruption_calendar import State, allowed, disruption_calendar
from nodepools.model.maintenance import REASONS
from nodepools.wire.karpenter import DISRUPTION
from nodepools.wire.reading import write

FRESH = int(os.environ.get("PLACEMENT_SEED", random.SystemRandom().randrange(10**9)))  # printed with the counts
CASES, TIMES = 250, 12
START = datetime(2026, 11, 21, tzinfo=UTC)

MINUTES = ("0", "0", "15", "30", "*/15", "59", "*/7", "0-10", "*")
HOURS = ("*", "0", "9", "9-17", "22", "*/6", "23", "1,13")
DAYS = ("*", "*", "*", "1", "31", "29", "*/10", "?")
MONTHS = ("*", "*", "*", "11", "2", "jan-jun")
WEEKDAYS = ("*", "*", "mon-fri", "6", "sat,sun", "0", "*/2", "tue")
NAMED = ("@daily", "@hourly", "@weekly", "@monthly", "@yearly", "@midnight")
UNREADABLE = ("0 9 * * 7", "0 9 * * sat-sun", "0 9 * * monday", "@daily 02:00 x y z", "0 9 * * * *", "CRON_TZ=UTC 0 9 * * *", "60 * * * *")
NEVER = ("0 0 30 2 *", "0 0 31 4 *", "0 0 29 2 *")
DURATIONS = ("0m", "1m", "15m", "45m", "1h", "2h", "8h", "11h30m", "24h", "71h", "163h", "163h", "24h", "9000h", "60000h")
NODES = ("0", "0%", "10%", "10%", "1%", "33%", "100%", "1", "3", "25", "000", "2147483647", "2147483648", "4294967297", "9" * 19, "9" * 30)


def budgets(chance: random.Random) -> list[Budget]:
    return [_budget(chance) for _ in range(chance.choice((0, 1, 1, 2, 2, 3, 5)))]


def _budget(chance: random.Random) -> Budget:
    reasons = chance.choice((None, None, [], *(chance.sample(REASONS, count) for count in (1, 1, 2, 3))))
    kind = chance.random()
    if kind < 0.25:
        schedule, duration = None, None
    elif kind < 0.28:
        schedule, duration = chance.choice((("0 9 * * *", None), (None, "1h"), ("0 0 30 2 *", None)))
    else:
        schedule, duration = _schedule(chance), chance.choice(DURATIONS)
    return Budget(nodes=chance.choice(NODES), schedule=schedule, duration=duration, reasons=reasons)


def _schedule(chance: random.Random) -> str:
    kind = chance.random()
    if kind < 0.06:
        return chance.choice(UNREADABLE)
    if kind < 0.14:
        return chance.choice(NEVER)
    if kind < 0.25:
        return chance.choice(NAMED)
    return " ".join(chance.choice(field) for field in (MINUTES, HOURS, DAYS, MONTHS, WEEKDAYS))


def times(chance: random.Random, disruption: Disruption) -> list[datetime]:
    """Some at random, some in far years, and some at the edges of what we say."""
    near = [START + timedelta(seconds=chance.randrange(400 * 86400)) for _ in range(TIMES // 3)]
    far = [
        datetime(chance.choice((2027, 2028, 2095, 2096, 2098, 2101)), 1, 1, tzinfo=UTC) + timedelta(minutes=chance.randrange(525600)) for _ in near
    ]
    edges = [one.start for one in disruption_calendar(disruption, START, START + timedelta(days=30)).intervals()]
    around = [edge + timedelta(seconds=chance.choice((-1, 0, 1))) for edge in chance.sample(edges, min(len(edges), TIMES // 3))]
    return [*near, *far, *around]


def asked(program: Path, cases: Sequence[tuple[Disruption, int, list[datetime]]]) -> list[list[dict[str, object]]]:
    lines = [
        json.dumps({"disruption": write(DISRUPTION, disruption), "nodes": nodes, "at": [moment.isoformat() for moment in at]})
        for disruption, nodes, at in cases
    ]
    done = subprocess.run([str(program)], input="\n".join(lines) + "\n", capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize("seed", [1, 20261122, pytest.param(FRESH, id="a fresh seed")])
def test_what_is_allowed_for_each_reason(budgets_of_karpenter: Path, seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311  # the same cases for a seed
    disruptions = [Disruption(budgets=budgets(chance)) for _ in range(CASES)]
    cases = [(disruption, chance.choice((0, 1, 2, 9, 10, 11, 33, 100, 1000)), times(chance, disruption)) for disruption in disruptions]
    counts: Counter[str] = Counter()
    for (disruption, nodes, at), answers in zip(cases, asked(budgets_of_karpenter, cases), strict=True):
        for moment, answer in zip(at, answers, strict=True):
            ours = {reason: permitted.of(nodes) for reason, permitted in allowed(disruption, moment).items()}
            theirs = {reason: _permitted(answer, reason) for reason in REASONS}
            assert ours == theirs, (disruption, nodes, moment)
            day = disruption_calendar(disruption, moment - timedelta(hours=1), moment + timedelta(hours=1))
            states = {reason: day.worst(reason, moment.replace(second=0), moment.replace(second=0) + timedelta(minutes=1)) for reason in REASONS}
            for reason in REASONS:
                assert (states[reason] is State.OPEN) == (theirs[reason] is None), (disruption, moment, reason)
                assert states[reason] is not State.CLOSED or theirs[reason] == 0, (disruption, moment, reason)
                assert states[reason] is State.CLOSED or theirs[reason] != 0 or nodes == 0, (disruption, moment, reason)
                counts.update(["reasons", states[reason].value])
            counts.update(["broken"] * bool(answer["broken"]))
    print(f"\nseed {seed}: {dict(counts)}")
    assert min(counts[state.value] for state in State) > CASES
    assert counts["broken"] > CASES / 10


def _permitted(answer: dict[str, object], reason: str) -> int | None:
    """What Karpenter uses: nothing if a budget is broken, and never a negative number."""
    permitted = answer["allowed"]
    assert isinstance(permitted, dict)
    return 0 if answer["broken"] else None if permitted[reason] is None else max(permitted[reason], 0)
