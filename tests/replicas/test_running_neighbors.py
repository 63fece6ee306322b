"""Affinity and anti-affinity next to pods that run, against every order of scheduling."""

import random
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Any, NamedTuple

import pytest

from nodepools import EksNodePool, Platform
from nodepools.clouds.registry import catalog
from nodepools.placement.cloud_labels import AGENT_POOL, NODE_GROUP
from nodepools.placement.existing_nodes import ExistingPods, existing_pools, only_namespaces
from nodepools.placement.machine_index import Bounds
from nodepools.placement.node_pools import ClusterPools
from nodepools.placement.static_pools import StaticPool
from nodepools.placement.verdict import Verdict
from nodepools.placement.workloads.reader import read_workloads
from nodepools.replicas.explained import Explained, explain_replicas
from tests.replicas.clusters import HOST, ZONE, apart, eks, near, web

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
    low: frozenset[int] = frozenset()
    """Pods that run, by position, with a lower priority."""
    ending: frozenset[int] = frozenset()
    """Pods that are being deleted."""
    daemon: bool = False
    """`api` runs on each node that is added."""
    more: int = 0
    """So many nodes a pool can add."""
    everywhere: bool = False
    """The affinity is to pods of all namespaces, of which one was exported."""
    hidden: Runs = ()
    """Pods of another namespace, which are not in the export, and request nothing."""

    def domain(self, key: str, number: int) -> str:
        """The value of a topology key on a node; empty: none."""
        return f"n{number}" if key == HOST else self.nodes[number][1]


def _spec(case: Case) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, (term, key), made in (("podAffinity", case.near, near), ("podAntiAffinity", case.apart, apart)):
        if TERMS[term] is not None:
            wide = {"namespaceSelector": {}} if case.everywhere and made is near else {}
            found[name] = made(key, labelSelector=TERMS[term], **wide)["affinity"][name]
    return {"affinity": found} if found else {}


def explained(case: Case) -> Explained:
    raw = [web(case.replicas, **CPU, **_spec(case)), *([web(case.others, name="api", labels={"app": "api"}, **CPU)] if case.others else [])]
    repelled = apart(case.repelled[1], labelSelector=TERMS[case.repelled[0]]) if TERMS[case.repelled[0]] is not None else {}
    runs = [
        {
            "kind": "Pod",
            "metadata": {"name": f"{app}-{place}", "labels": {"app": app}, **_metadata(case, place, app)},
            "spec": {
                "nodeName": f"n{number}",
                "priority": -9 if place in case.low else 0,
                "containers": [{"resources": {"requests": {"cpu": "1"}}}],
                **repelled,
            },
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
    added = StaticPool("more", ({ZONE: "a"},), offers={"cpu": Bounds(2000, 2000)}, max_pods=30, max_nodes=case.more, min_nodes=0, sure_nodes=0)
    declared = ClusterPools(None, static=(added,) if case.more else ())
    return explain_replicas(list(read_workloads(raw)), [existing_pools(declared, nodes, ExistingPods(bound))])[0]


def _metadata(case: Case, place: int, app: str) -> dict[str, Any]:
    owner = {"apiVersion": "apps/v1", "kind": "DaemonSet", "name": app, "controller": True}
    owned = {"ownerReferences": [owner]} if case.daemon and app == "api" else {}
    return owned | ({"deletionTimestamp": "2026-11-29T00:00:00Z"} if place in case.ending else {})


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
        return _is_near(case, number, (*every, *(case.hidden if case.everywhere else ())))
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


def worlds(case: Case) -> Iterator[Case]:
    """What a cluster can become: pods that are being deleted leave or not, and the pool adds nodes, with a pod of the DaemonSet or not."""
    for leaves, more, runs_there in product((False, True), range(case.more + 1), {False, case.daemon}):
        added = range(len(case.nodes), len(case.nodes) + more)
        left = _without(case, case.ending if leaves else frozenset())
        daemons = tuple(("api", number) for number in added) if runs_there else ()
        yield left._replace(nodes=(*case.nodes, *((2 + runs_there, "a") for _ in added)), runs=(*left.runs, *daemons))


def _without(case: Case, gone: frozenset[int]) -> Case:
    kept = [place for place, _ in enumerate(case.runs) if place not in gone]
    low = frozenset(new for new, place in enumerate(kept) if place in case.low)
    return case._replace(runs=tuple(case.runs[place] for place in kept), low=low)


def outcomes(case: Case) -> Iterator[int]:
    """How many pods of `web` are scheduled, in every order and with every choice of nodes."""
    for world in worlds(case):
        stack: list[tuple[int, int, Runs, Case]] = [(case.replicas, case.others, (), world)]
        seen = set(stack)
        while stack:
            webs, others, placed, now = stack.pop()
            further: list[tuple[int, int, Runs, Case]] = []
            for app, left in (("web", webs), ("api", others)):
                free = [(at, now) for at in range(len(now.nodes)) if left and _fits(now, app, at, placed)]
                evicting = (one for at in range(len(now.nodes)) if left for one in _evicting(now, app, at, placed))
                for number, then in free or list(evicting):
                    further.append((webs - (app == "web"), others - (app == "api"), tuple(sorted((*placed, (app, number)))), then))
            stack += (state for state in further if state not in seen)
            seen.update(further)
            if not further:
                yield case.replicas - webs


def _fits(case: Case, app: str, number: int, placed: Runs) -> bool:
    return _used(case, number, placed) < case.nodes[number][0] and _allowed(case, app, number, placed)


def _evicting(case: Case, app: str, number: int, placed: Runs) -> Iterator[tuple[int, Case]]:
    """kube-scheduler evicts all pods of lower priority from a node, and spares those without which the pod fits too."""
    victims = frozenset(place for place in case.low if case.runs[place][1] == number)
    if victims and _fits(_without(case, victims), app, number, placed):
        for place in sorted(victims):
            if _fits(_without(case, victims - {place}), app, number, placed):
                victims -= {place}
        yield number, _without(case, victims)


def _used(case: Case, number: int, placed: Runs) -> int:
    return sum(at == number for _, at in (*case.runs, *placed))


def drawn(chance: random.Random) -> Case:
    nodes = tuple((chance.choice((1, 2, 3)), chance.choice(("a", "a", "b", ""))) for _ in range(chance.choice((1, 2, 3))))
    runs = tuple((chance.choice(("web", "api")), number) for number, (room, _) in enumerate(nodes) for _ in range(chance.choice((0, 0, 1))) if room)

    def term(*names: str) -> tuple[str, str]:
        return chance.choice(("none", *names)), chance.choice((HOST, ZONE))

    few, every = chance.choice((1, 2, 3)), range(len(runs))
    case = Case(nodes, term("web", "api", "all"), term("none", "web", "api"), term("none", "none", "web", "all"), few, chance.choice((0, 0, 1)), runs)
    low, ending = (frozenset(place for place in every if chance.random() < 0.2) for _ in range(2))
    hidden = tuple((chance.choice(("web", "api")), number) for number in range(len(nodes)) if chance.random() < 0.3)
    daemon = chance.random() < 0.4 and any(app == "api" for app, _ in runs)
    more, everywhere = chance.choice((0, 0, 1)), chance.random() < 0.3
    return case._replace(low=low, ending=ending, daemon=daemon, more=more, everywhere=everywhere, hidden=hidden)


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


RUNS: dict[str, Any] = {"app": "api", "node": "n0", "priority": 0, "namespace": "default", "by": "", "cpu": "1", "more": {}}
WEB: dict[str, Any] = {"requests": {"cpu": "100m"}, "priority": 0}
SHOP = {"namespaceSelector": {}, "labelSelector": {"matchLabels": {"app": "api"}}}
API = {"labelSelector": {"matchLabels": {"app": "api"}}}


def run(*pods: dict[str, Any], **given: Any) -> Explained:
    """One workload next to pods on two full-size nodes; NodePool `more` adds others."""
    bound = []
    for number, raw in enumerate(pods):
        pod = RUNS | raw
        owner = {"apiVersion": "apps/v1", "kind": pod["by"], "name": pod["app"], "controller": True}
        metadata: dict[str, Any] = {"name": f"{pod['app']}-{number}", "namespace": pod["namespace"], "labels": {"app": pod["app"]}}
        metadata |= ({"ownerReferences": [owner]} if pod["by"] else {}) | pod.get("metadata", {})
        spec = {"nodeName": pod["node"], "priority": pod["priority"], "containers": [{"resources": {"requests": {"cpu": pod["cpu"]}}}], **pod["more"]}
        bound += read_workloads({"kind": "Pod", "metadata": metadata, "spec": spec})
    nodes = [
        StaticPool(name, ({HOST: name, ZONE: "a"},), offers={"cpu": Bounds(1000, 1000)}, names=frozenset({name}), max_pods=9) for name in ("n0", "n1")
    ]
    more = StaticPool("more", ({ZONE: "a"},), offers={"cpu": Bounds(1000, 1000)}, max_nodes=2, min_nodes=2, sure_nodes=2)
    waiting = given.pop("waiting", [web(1, **(WEB | given))])
    pools = existing_pools(ClusterPools(None, static=(more,)), nodes, ExistingPods(tuple(bound)))
    return explain_replicas([one for raw in waiting for one in read_workloads(raw)], [replace(pools, unsure={})])[0]


def verdicts(one: Explained) -> dict[str, str]:
    return {pool.pool: pool.verdict.value for pool in one.answer.pools}


LOW, HIGH = {"app": "api", "priority": -9, "cpu": "100m"}, {"app": "api", "priority": 99, "cpu": "100m"}


@pytest.mark.parametrize("pods", [[LOW, HIGH], [HIGH, LOW]])
def test_the_pod_that_stays_decides_in_whatever_order(pods: list[dict[str, Any]]) -> None:
    one = run(*pods, **apart(HOST, **API))
    assert verdicts(one) == {"n0": "cannot", "n1": "fits", "more": "fits"}
    assert verdicts(run(LOW, LOW, **apart(HOST, **API)))["n0"] == "unknown", "kube-scheduler evicts both"


def test_a_node_without_the_neighbor_stays_closed_beside_one_that_can_be_evicted() -> None:
    both = {"affinity": near(HOST, **API)["affinity"] | apart(HOST, labelSelector={"matchLabels": {"app": "db"}})["affinity"]}
    found = verdicts(run({}, {"app": "db", "node": "n1", "priority": -9, "cpu": "100m"}, **both))
    assert (found["n0"], found["n1"]) == ("cannot", "cannot")


@pytest.mark.parametrize(("by", "expected"), [("ReplicaSet", "cannot"), ("DaemonSet", "unknown"), ("Node", "unknown"), ("", "cannot")])
def test_a_node_that_is_added_runs_pods_of_daemons(by: str, expected: str) -> None:
    one = run({"by": by}, **near(HOST, **API))
    assert verdicts(one) == {"n0": "cannot", "n1": "cannot", "more": expected}
    reasons = [reason.message for pool in one.answer.pools if pool.pool == "more" for reason in pool.reasons]
    assert (f"if `{by}/api` runs a pod there" in " ".join(reasons)) == (expected == "unknown")


@pytest.mark.parametrize(
    ("namespaces", "term", "expected"),
    [
        pytest.param(["default"], SHOP, "unknown", id="all namespaces, and pods of one"),
        pytest.param(["default", "shop"], SHOP, "unknown", id="two exports of a namespace have several, too"),
        pytest.param(["default", "kube-system"], SHOP, "cannot", id="all namespaces"),
        pytest.param(["default"], API, "cannot", id="its own namespace"),
        pytest.param(["default"], {"namespaces": ["default", "data"], **API}, "unknown", id="one of two named namespaces"),
        pytest.param(["default", "data"], {"namespaces": ["default", "data"], **API}, "cannot", id="both named namespaces"),
    ],
)
def test_an_export_of_some_namespaces_closes_no_node(namespaces: list[str], term: dict[str, Any], expected: str) -> None:
    pods = [{"app": "api" if place == "default" else "other", "namespace": place, "cpu": "100m"} for place in namespaces]
    one = run(*pods, **near(HOST, **term))
    assert verdicts(one)["n1"] == expected
    assert (one.count.scheduled.minimum == 1) == (expected == "cannot"), "no certain answer from pods that are not known"


@pytest.mark.parametrize(
    ("term", "message"),
    [
        pytest.param({"namespaces": ["data"], **API}, "selects pods of namespace `data`", id="of others"),
        pytest.param({"namespaces": ["x", "y"], **API}, "selects pods of namespaces `x`, `y`", id="of two"),
        pytest.param({"namespaceSelector": {}, "labelSelector": {"matchLabels": {"app": "web"}}}, "also selects pods of other", id="of its own, too"),
    ],
)
def test_pods_of_namespaces_that_the_export_lacks(term: dict[str, Any], message: str) -> None:
    one = run({"app": "db"}, **near(HOST, **term))
    assert one.count.scheduled.minimum == 0
    assert any(message in reason.message and "kubectl get pods -A" in reason.fix for reason in one.count.pending)


def test_siblings_that_wait_open_no_node() -> None:
    term = near(HOST, labelSelector={"matchLabels": {"app": "web"}})
    waiting = [{"kind": "Pod", "metadata": {"name": f"web-{n}", "labels": {"app": "web"}}, "spec": {**term, **_box()}} for n in (1, 2)]
    one = run({"app": "web", "cpu": "100m"}, waiting=waiting)
    assert verdicts(one) == {"n0": "fits", "n1": "cannot", "more": "cannot"}
    assert one.count.scheduled.minimum == 1
    stranger = {"kind": "Pod", "metadata": {"name": "free", "labels": {"app": "web"}}, "spec": _box()}
    assert set(verdicts(run({"app": "web", "cpu": "100m"}, waiting=[waiting[0], stranger])).values()) == {"unknown"}, "it can be anywhere"


def _box() -> dict[str, Any]:
    return {"priority": 0, "containers": [{"resources": {"requests": {"cpu": "100m"}}}]}


if __name__ == "__main__":
    for said in wrong(int(sys.argv[1]), int(sys.argv[2])):
        sys.stdout.write(f"{said}\n")


API_APART: dict[str, Any] = {"affinity": {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [{"topologyKey": ZONE, **API}]}}}


@pytest.mark.parametrize(
    ("zones", "verdict", "most"),
    [
        pytest.param(["us-east-1a"], Verdict.CANNOT, 0, id="the zone of the pod is the only one"),
        pytest.param(["us-east-1a", "us-east-1b"], Verdict.UNKNOWN, 1, id="another zone is open"),
    ],
)
def test_node_pools_in_zones_that_pods_close(zones: list[str], verdict: Verdict, most: int) -> None:
    pool = EksNodePool.model_validate({"requirements": [{"key": ZONE, "operator": "In", "values": zones}]})
    [declared] = catalog(Platform(name="dev", clusters={"c": eks("a", "b", more=pool)}))
    node = StaticPool("n0", ({HOST: "n0", ZONE: "us-east-1a"},), offers={"cpu": Bounds(1000, 1000)}, names=frozenset({"n0"}), max_pods=9)
    raw = {"metadata": {"name": "api", "labels": {"app": "api"}}, "spec": {"nodeName": "n0", "containers": [{"name": "main"}]}}
    pools = existing_pools(declared, [node], ExistingPods(tuple(read_workloads({"kind": "Pod", **raw}))))
    [one] = explain_replicas(list(read_workloads(web(1, **API_APART))), [pools])
    assert {found.verdict for found in one.answer.pools if found.pool.endswith("more")} == {verdict}
    assert one.count.scheduled.maximum == most


def test_agent_pools_in_the_zone_that_pods_close() -> None:
    found = run({}, **API_APART)
    assert {pool.pool: pool.verdict for pool in found.answer.pools} == dict.fromkeys(("n0", "n1", "more"), Verdict.CANNOT)


def test_an_export_of_one_namespace_proves_no_room() -> None:
    node = StaticPool("n0", ({HOST: "n0"},), offers={"cpu": Bounds(1000, 1000)}, names=frozenset({"n0"}), max_pods=9)
    pools = existing_pools(ClusterPools(None), [node], ExistingPods(only=("shop",)))
    found = explain_replicas(list(read_workloads([web(1, requests={"cpu": "500m"}), web(1, requests={"cpu": "2"})])), [pools])
    assert [one.answer.verdict for one in found] == [Verdict.UNKNOWN, Verdict.CANNOT]
    assert found[0].answer.pools[0].reasons[0].message.endswith("because the export has pods of namespace `shop` only")


AUTO = "eks.amazonaws.com/compute-type"


@pytest.mark.parametrize(
    ("files", "labels", "only"),
    [
        pytest.param([{"shop"}], {AGENT_POOL: "web"}, ("shop",), id="one"),
        pytest.param([{"shop", "web"}], {AGENT_POOL: "web"}, ("shop", "web"), id="two on AKS, which runs pods of its own"),
        pytest.param([{"shop", "kube-system"}], {AGENT_POOL: "web"}, (), id="all"),
        pytest.param([{"shop", "web"}], {NODE_GROUP: "web"}, ("shop", "web"), id="two on nodes of EKS, which run pods of its own"),
        pytest.param([{"shop", "kube-system"}], {NODE_GROUP: "web"}, (), id="all of EKS"),
        pytest.param([{"shop", "web"}], {AUTO: "auto"}, (), id="Auto Mode need not run any"),
        pytest.param([{"shop"}, {"web"}], {AUTO: "auto"}, ("shop", "web"), id="a file for each of two namespaces"),
        pytest.param([{"shop"}, {"kube-system"}], {NODE_GROUP: "web"}, ("kube-system", "shop"), id="a file for each, and one is that of the system"),
        pytest.param([{"shop"}, {"shop", "kube-system"}], {NODE_GROUP: "web"}, (), id="one namespace again, next to all"),
        pytest.param([{""}], {AGENT_POOL: "web"}, (), id="written by hand"),
        pytest.param([], {AGENT_POOL: "web"}, (), id="no pods"),
    ],
)
def test_namespaces_that_an_export_lacks(files: list[set[str]], labels: dict[str, str], only: tuple[str, ...]) -> None:
    assert only_namespaces(files, [StaticPool("n0", ({HOST: "n0", **labels},))]) == only


@pytest.mark.parametrize(("expecting", "only"), [([], ()), (["shop"], ()), (["shop", "bank"], ("shop", "web"))])
def test_a_budget_with_pods_of_another_namespace_shows_that_the_export_lacks_it(expecting: list[str], only: tuple[str, ...]) -> None:
    assert only_namespaces([{"shop", "web"}], [StaticPool("n0", ({HOST: "n0", AUTO: "auto"},))], expecting) == only
