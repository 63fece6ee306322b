"""Affinity and anti-affinity next to pods that run, against every order of scheduling."""

import random
import sys
from collections.abc import Iterator
from itertools import product
from typing import Any, NamedTuple

import pytest

from nodepools.placement.cluster_pools import ClusterPools
from nodepools.placement.existing_nodes import RunningPods, existing_pools
from nodepools.placement.machine_index import Bounds
from nodepools.placement.static_pools import StaticPool
from nodepools.placement.verdict import Verdict
from nodepools.placement.workloads.reader import read_workloads
from nodepools.replicas.explained import Explained, explain_replicas
from tests.replicas.clusters import HOST, ZONE, apart, near, web

TERMS = {"none": None, "web": {"matchLabels": {"app": "web"}}, "api": {"matchLabels": {"app": "api"}}, "all": {}}
CPU: dict[str, Any] = {"requests": {"cpu": "1"}, "priority": 0}
Runs = tuple[tuple[str, int], ...]
"""The app of each pod, and the number of its node."""


class Case(NamedTuple):
    """Nodes with their room and zone, and the pods: two terms of `web`, and one of the pods that run."""

    nodes: tuple[tuple[int, str], ...]
    near: tuple[str, str]
    apart: tuple[str, str]
    repelled: tuple[str, str]
    replicas: int
    others: int
    runs: Runs

    def domain(self, key: str, number: int) -> str:
        """The value of a topology key on a node; empty: none."""
        return f"n{number}" if key == HOST else self.nodes[number][1]


def _spec(case: Case) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, (term, key), made in (("podAffinity", case.near, near), ("podAntiAffinity", case.apart, apart)):
        if TERMS[term] is not None:
            found[name] = made(key, labelSelector=TERMS[term])["affinity"][name]
    return {"affinity": found} if found else {}


def explained(case: Case) -> Explained:
    raw = [web(case.replicas, **CPU, **_spec(case)), *([web(case.others, name="api", labels={"app": "api"}, **CPU)] if case.others else [])]
    repelled = apart(case.repelled[1], labelSelector=TERMS[case.repelled[0]]) if TERMS[case.repelled[0]] is not None else {}
    runs = [
        {
            "kind": "Pod",
            "metadata": {"name": f"{app}-{place}", "labels": {"app": app}},
            "spec": {"nodeName": f"n{number}", "priority": 0, "containers": [{"resources": {"requests": {"cpu": "1"}}}], **repelled},
        }
        for place, (app, number) in enumerate(case.runs)
    ]
    bound = tuple(pod for one in runs for pod in read_workloads(one))
    nodes = [
        StaticPool(
            name := f"n{number}",
            ({HOST: name, **({ZONE: zone} if zone else {})},),
            offers={"cpu": Bounds(room * 1000, room * 1000)},
            names=frozenset({name}),
            max_pods=30,
        )
        for number, (room, zone) in enumerate(case.nodes)
    ]
    return explain_replicas(list(read_workloads(raw)), [existing_pools(ClusterPools(None), nodes, RunningPods(bound))])[0]


def _selects(term: str, app: str) -> bool:
    return term in ("all", app)


def _allowed(case: Case, app: str, number: int, placed: Runs) -> bool:
    """kube-scheduler, plugin InterPodAffinity."""
    there = case.runs
    if _selects(case.repelled[0], app) and any(_shared(case, case.repelled[1], number, other) for _, other in there):
        return False
    (term, key), every = case.apart, (*there, *placed)
    if app == "web":
        if any(_selects(term, other) and _shared(case, key, number, at) for other, at in every):
            return False
        return _is_near(case, number, every)
    return not any(other == "web" and _selects(term, app) and _shared(case, key, number, at) for other, at in placed)


def _is_near(case: Case, number: int, every: Runs) -> bool:
    term, key = case.near
    if term == "none":
        return True
    found = [at for other, at in every if _selects(term, other)]
    has = bool(case.domain(key, number))
    return has and (any(_shared(case, key, number, at) for at in found) or (not any(case.domain(key, at) for at in found) and _selects(term, "web")))


def _shared(case: Case, key: str, one: int, other: int) -> bool:
    return case.domain(key, one) == case.domain(key, other) != ""


def outcomes(case: Case) -> Iterator[int]:
    """How many pods of `web` are scheduled, in every order and with every choice of nodes."""
    stack: list[tuple[int, int, Runs]] = [(case.replicas, case.others, ())]
    seen = set(stack)
    while stack:
        webs, others, placed = stack.pop()
        further: list[tuple[int, int, Runs]] = [
            (webs - (app == "web"), others - (app == "api"), tuple(sorted((*placed, (app, number)))))
            for (app, left), number in product((("web", webs), ("api", others)), range(len(case.nodes)))
            if left and _used(case, number, placed) < case.nodes[number][0] and _allowed(case, app, number, placed)
        ]
        stack += (state for state in further if state not in seen)
        seen.update(further)
        if not further:
            yield case.replicas - webs


def _used(case: Case, number: int, placed: Runs) -> int:
    return sum(at == number for _, at in (*case.runs, *placed))


def drawn(chance: random.Random) -> Case:
    nodes = tuple((chance.choice((1, 2, 3)), chance.choice(("a", "a", "b", ""))) for _ in range(chance.choice((1, 2, 3))))
    runs = tuple((chance.choice(("web", "api")), number) for number, (room, _) in enumerate(nodes) for _ in range(chance.choice((0, 0, 1))) if room)

    def term(*names: str) -> tuple[str, str]:
        return chance.choice(("none", *names)), chance.choice((HOST, ZONE))

    few = chance.choice((1, 2, 3))
    return Case(nodes, term("web", "api", "all"), term("none", "web", "api"), term("none", "none", "web", "all"), few, chance.choice((0, 0, 1)), runs)


def wrong(seed: int, many: int) -> Iterator[str]:
    chance = random.Random(seed)  # noqa: S311  # the same cases for a seed
    for _ in range(many):
        case = drawn(chance)
        one, found = explained(case), list(outcomes(case))
        amount = one.count.scheduled
        if not (amount.minimum <= min(found) and max(found) <= (case.replicas if amount.maximum is None else amount.maximum)):
            yield f"{case}: {amount}, and {min(found)} to {max(found)} are scheduled"
        if one.answer.verdict is Verdict.CANNOT and max(found):
            yield f"{case}: no pool, and {max(found)} are scheduled"


def test_bounds_hold_in_every_order() -> None:
    assert not list(wrong(33, 400))


CACHE: Runs = (("api", 0), ("api", 2))
ZONES = ((9, "a"), (9, "b"), (9, "c"))
NONE = ("none", HOST)


@pytest.mark.parametrize(
    ("case", "closed", "why"),
    [
        pytest.param(Case(ZONES, ("api", HOST), NONE, NONE, 3, 0, CACHE), ["n1"], "`api-0`, `api-1` run on `n0`, `n2`", id="affinity"),
        pytest.param(Case(ZONES, NONE, ("api", HOST), NONE, 3, 0, CACHE), ["n0", "n2"], "pod `api-0` runs on it", id="anti-affinity"),
        pytest.param(Case(ZONES, NONE, ("api", ZONE), NONE, 3, 0, CACHE), ["n0", "n2"], f"in the same `{ZONE}`, `a`", id="over zones"),
        pytest.param(Case(ZONES, NONE, NONE, ("web", ZONE), 3, 0, CACHE), ["n0", "n2"], "existing pods anti-affinity", id="of the others"),
        pytest.param(Case(ZONES, ("web", HOST), NONE, NONE, 3, 0, (("web", 1),)), ["n0", "n2"], "`web-0` runs on `n1`", id="its own pods"),
    ],
)
def test_nodes_that_running_pods_close(case: Case, closed: list[str], why: str) -> None:
    one = explained(case)
    assert sorted(pool.pool for pool in one.answer.pools if pool.verdict is Verdict.CANNOT) == closed
    assert why in " ".join(reason.message for pool in one.answer.pools for reason in pool.reasons)
    assert one.count.scheduled.minimum == 3, "the nodes that are left have room for all"


def test_pods_that_can_be_evicted_close_nothing_for_certain() -> None:
    case = Case(ZONES, NONE, ("api", HOST), NONE, 3, 0, CACHE)
    raw = web(3, requests={"cpu": "1"}, priority=100, **_spec(case))
    pools = existing_pools(ClusterPools(None), [StaticPool("n0", ({HOST: "n0"},), offers={}, names=frozenset({"n0"}))], RunningPods(_api()))
    [one] = explain_replicas(list(read_workloads(raw)), [pools])
    assert one.answer.verdict is Verdict.UNKNOWN
    assert "which kube-scheduler evicts" in one.answer.pools[0].reasons[-1].message


def _api() -> Any:
    spec = {"nodeName": "n0", "priority": 0, "containers": [{"name": "c"}]}
    return tuple(read_workloads({"kind": "Pod", "metadata": {"name": "api-0", "labels": {"app": "api"}}, "spec": spec}))


if __name__ == "__main__":
    for said in wrong(int(sys.argv[1]), int(sys.argv[2])):
        sys.stdout.write(f"{said}\n")
