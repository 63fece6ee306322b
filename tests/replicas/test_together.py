"""How many replicas run next to other workloads of the input."""

import random
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from nodepools import Autoscale, EksNodePool, Platform, Taint, UserPool
from nodepools.clouds.registry import catalog
from nodepools.model.karpenter import Requirement
from nodepools.placement.machine_index import Bounds
from nodepools.placement.node_pools import ClusterPools
from nodepools.placement.static_pools import StaticPool
from nodepools.placement.workloads.objects import read_workload_objects
from nodepools.placement.workloads.reader import read_workloads
from nodepools.replicas.demand import Usage
from nodepools.replicas.explained import explain_replicas
from nodepools.replicas.shortages import with_shortages
from tests.replicas.clusters import HOST, SMALL, ZONE, aks, apart, count, eks, near, spread, told, web

FIVE = aks(web=UserPool(vm_size=SMALL, count=5))
TWO_ZONES = eks("a", "b", any=EksNodePool())
LIMITED = eks("a", "b", any=EksNodePool(limits={"cpu": "1000"}))
TIGHT = eks("a", "b", any=EksNodePool(limits={"cpu": "8"}, requirements=[Requirement("node.kubernetes.io/instance-type", "In", ["c5.xlarge"])]))


def other(replicas: int = 2, **kwargs: Any) -> dict[str, Any]:
    return web(replicas, **{"name": "other", "labels": {"app": "other"}, **kwargs})


IN_A = {ZONE: "us-east-1a"}
ANY_RACK = Requirement("rack", "Exists")
ALSO_WEB = other(labels={"app": "web"})
DAEMON = web(None, name="agent", labels={}, kind="DaemonSet")
TO_OTHER = {"labelSelector": {"matchLabels": {"app": "other"}}}

ONE_CPU = {"cpu": "1"}
OVER_ZONES = aks(web=UserPool(vm_size=SMALL, count=6, zones=[1, 2, 3]))


def on_port(address: str = "") -> dict[str, Any]:
    """Containers that use port 80 of the node, at one of its addresses or at all."""
    port = {"containerPort": 80, "hostPort": 80, **({"hostIP": address} if address else {})}
    return {"containers": [{"name": "main", "ports": [port], "resources": {"requests": {"cpu": "100m"}}}]}


ROWS = [
    pytest.param(FIVE, web(3), other(), ("fits", 3, 3, []), id="enough for both"),
    pytest.param(FIVE, web(5, requests={"cpu": "1"}), other(4, requests={"cpu": "1"}), ("unknown", 1, 5, ["together"]), id="the other may be first"),
    pytest.param(FIVE, web(30), other(4, requests={"cpu": "1"}), ("unknown", 21, 30, ["together"]), id="small pods next to large ones"),
    pytest.param(TWO_ZONES, web(300), other(300), ("fits", 300, 300, []), id="Karpenter launches for both"),
    pytest.param(LIMITED, web(20), other(20), ("fits", 20, 20, []), id="within a limit that is far away"),
    pytest.param(TIGHT, web(2, **apart(HOST)), other(2), ("unknown", 0, 2, ["together", "anti_affinity"]), id="a limit that the other may use up"),
    pytest.param(
        TIGHT,
        web(1, nodeSelector=IN_A),
        other(2),
        ("unknown", 0, 1, ["together"]),
        id="a limit that nodes in another zone may use up, where none fits",
    ),
    pytest.param(TIGHT, web(1, nodeSelector=IN_A), other(1), ("fits", 1, 1, []), id="next to one node in another zone"),
    pytest.param(
        eks("a", any=EksNodePool(requirements=[ANY_RACK]), gpu=EksNodePool(requirements=[ANY_RACK], taints=[Taint("gpu")])),
        web(3, nodeSelector={"karpenter.sh/nodepool": "gpu"}, tolerations=[{"key": "gpu", "operator": "Exists"}], **spread("rack")),
        other(),
        ("unknown", 0, 3, ["spread"]),
        id="a key that must only exist takes the values of nodes that the other has",
    ),
    pytest.param(FIVE, web(3, **near(ZONE, **TO_OTHER)), other(), ("unknown", 0, 3, ["affinity"]), id="affinity to the other"),
    pytest.param(FIVE, web(3, **apart(ZONE, **TO_OTHER)), other(), ("unknown", 0, 3, ["anti_affinity"]), id="anti-affinity to the other"),
    pytest.param(TWO_ZONES, web(3, **apart(HOST, **TO_OTHER)), other(), ("fits", 3, 3, []), id="Karpenter launches nodes that are empty at first"),
    pytest.param(
        TWO_ZONES,
        web(3, **apart(HOST, labelSelector={"matchLabels": {"app": "agent"}})),
        web(None, name="agent", labels={"app": "agent"}, kind="DaemonSet"),
        ("unknown", 0, 3, ["anti_affinity"]),
        id="a DaemonSet is on each of them",
    ),
    pytest.param(FIVE, web(3), other(**apart(ZONE)), ("unknown", 0, 3, ["anti_affinity"]), id="anti-affinity of the other works both ways"),
    pytest.param(TWO_ZONES, web(3), other(**apart(HOST)), ("fits", 3, 3, []), id="Karpenter launches nodes without the other"),
    pytest.param(
        TWO_ZONES,
        web(3),
        web(None, name="agent", labels={}, kind="DaemonSet", **apart(HOST)),
        ("unknown", 0, 3, ["anti_affinity"]),
        id="and with the pod of a DaemonSet that may be there first",
    ),
    pytest.param(FIVE, web(3, **apart(HOST)), ALSO_WEB, ("unknown", 1, 3, ["anti_affinity"]), id="nodes that the other may take"),
    pytest.param(
        TWO_ZONES, web(2, **apart(ZONE)), other(1, labels={"app": "web"}), ("unknown", 1, 2, ["anti_affinity"]), id="zones that it may take"
    ),
    pytest.param(TWO_ZONES, web(3, **spread(ZONE)), ALSO_WEB, ("unknown", 0, 3, ["spread"]), id="a spread that counts the other"),
    pytest.param(TWO_ZONES, web(3, **spread(HOST)), ALSO_WEB, ("fits", 3, 3, []), id="one over nodes, which are empty at first"),
    pytest.param(
        TWO_ZONES,
        web(3, **spread(HOST)),
        web(None, name="agent", kind="DaemonSet"),
        ("unknown", 0, 3, ["spread"]),
        id="and one that counts the pods of a DaemonSet",
    ),
    pytest.param(TWO_ZONES, web(3, **near(ZONE)), ALSO_WEB, ("unknown", 0, 3, ["affinity"]), id="an affinity that selects the other too"),
    pytest.param(FIVE, web(5, **spread(HOST)), other(5, labels={"app": "web"}), ("unknown", 0, 5, ["spread"]), id="one over nodes counts it too"),
    pytest.param(TWO_ZONES, web(5, **spread(HOST)), ALSO_WEB, ("fits", 5, 5, []), id="but not on nodes that Karpenter launches"),
    pytest.param(
        FIVE,
        web(3, **spread(HOST, matchLabelKeys=["pod-template-hash"])),
        ALSO_WEB,
        ("fits", 3, 3, []),
        id="a spread of one revision does not count it",
    ),
    pytest.param(
        FIVE,
        web(3, containers=[{"ports": [{"containerPort": 80, "hostPort": 80}]}]),
        other(containers=[{"ports": [{"containerPort": 80, "hostPort": 80}]}]),
        ("fits", 3, 3, []),
        id="the same host port on two of five nodes",
    ),
    pytest.param(
        FIVE, web(4, **on_port()), other(2, **on_port()), ("unknown", 3, 4, ["room"]), id="the same host port on two of five nodes, for four"
    ),
    pytest.param(FIVE, web(5, **on_port("127.0.0.1")), other(5, **on_port("127.0.0.2")), ("fits", 5, 5, []), id="at another address"),
    pytest.param(FIVE, web(4, **on_port("127.0.0.1")), other(2, **on_port()), ("unknown", 3, 4, ["room"]), id="at every address"),
    pytest.param(FIVE, web(3, **apart(HOST, **TO_OTHER)), other(2), ("fits", 3, 3, []), id="apart from two of five nodes"),
    pytest.param(
        FIVE,
        web(4, requests=ONE_CPU, **apart(HOST, **TO_OTHER)),
        other(2),
        ("unknown", 3, 4, ["anti_affinity"]),
        id="apart from two of five nodes, for four",
    ),
    pytest.param(
        FIVE,
        web(2, **on_port(), **apart(HOST, **TO_OTHER)),
        other(2, **on_port()),
        ("fits", 2, 2, []),
        id="the same pods close a node by their port and by their labels",
    ),
    pytest.param(
        OVER_ZONES,
        web(6, requests=ONE_CPU, **spread(ZONE, nodeTaintsPolicy="Honor")),
        other(2, **apart(HOST)),
        ("unknown", 1, 6, ["spread", "unknown", "anti_affinity"]),
        id="the other can close a zone that a spread counts",
    ),
    pytest.param(
        TWO_ZONES,
        web(3, containers=[{"ports": [{"containerPort": 80, "hostPort": 80}]}]),
        {**DAEMON, "spec": {"template": {"spec": {"containers": [{"ports": [{"containerPort": 80, "hostPort": 80}]}]}}}},
        ("unknown", 0, 3, ["room"]),
        id="the host port of a DaemonSet",
    ),
    pytest.param(FIVE, web(5, requests={"cpu": "1450m"}), DAEMON, ("unknown", 0, 5, ["no_pool"]), id="DaemonSets use their share"),
    pytest.param(
        eks("a", any=EksNodePool(requirements=[Requirement("rack", "Exists")])),
        web(3, **spread("rack")),
        other(),
        ("unknown", 0, 3, ["spread"]),
        id="nodes of the other may have a value of the key",
    ),
    pytest.param(FIVE, web(3, **apart(ZONE, namespaces=["b"])), ALSO_WEB, ("fits", 3, 3, []), id="only pods of another namespace"),
    pytest.param(
        FIVE,
        web(3, **apart(ZONE, namespaceSelector={})),
        ALSO_WEB,
        ("unknown", 0, 3, ["anti_affinity"]),
        id="pods of any namespace",
    ),
]


@pytest.mark.parametrize(("cluster", "workload", "beside", "expected"), ROWS)
def test_the_first_of_two_workloads(cluster: Any, workload: Any, beside: Any, expected: tuple[object, ...]) -> None:
    assert told(count(cluster, workload, beside)[0]) == expected


def test_affinity_that_the_others_may_satisfy_is_not_advised_away() -> None:
    first, _ = count(FIVE, web(3, **near(ZONE, **TO_OTHER)), other())
    assert [waiting.fix for waiting in first.pending if waiting.kind == "affinity"] == [
        "Save the output of `kubectl get pods -A -o yaml` in a file, and add `--existing FILE`, once pods of `Deployment/other` run"
    ]


def test_the_count_as_text_and_as_json() -> None:
    pools = catalog(Platform(name="dev", clusters={"c": FIVE}))
    [explained] = explain_replicas(list(read_workloads(web(40, requests={"cpu": "600m"}))), pools)
    counted = explained.count
    assert explained.to_json() == {**explained.answer.to_json(), **counted.to_json()}
    assert str(counted) == "10 to 15 of 40"
    decisive = counted.decisive
    assert decisive is not None
    assert decisive.message == "room on `c/web` at most 15 (at most 5 nodes with at most 3 each, 10 certain)"
    assert decisive.fix == "Raise the number of `c/web` from 5 to at least 20 nodes (to be certain; 14 at best), or request less"
    assert counted.to_json() == {
        "verdict": "partly",
        "replicas": 40,
        "scheduled": {"minimum": 10, "maximum": 15},
        "pending": [{"kind": "room", "message": decisive.message, "fix": decisive.fix, "minimum": 25, "maximum": 30}],
    }


def test_the_workloads_that_can_use_the_room_are_named() -> None:
    others = [other(number, name=f"o{number}") for number in range(1, 8)]
    [together] = [reason for reason in count(FIVE, web(5, requests={"cpu": "1"}), *others)[0].pending if reason.kind == "together"]
    assert together.message == (
        "5 pods are certain to be scheduled alone, 0 next to pods of other workloads that can use `c/web`: "
        "`Deployment/o7` (7), `Deployment/o6` (6), `Deployment/o5` (5), `Deployment/o4` (4), `Deployment/o3` (3) and 2 more"
    )


def test_a_daemon_set_is_counted_as_one_pod() -> None:
    [counted] = count(FIVE, DAEMON)
    assert told(counted) == ("fits", 1, 1, [])
    assert counted.replicas is None


def test_a_selector_without_a_label_that_must_have_a_value() -> None:
    exists = {"labelSelector": {"matchExpressions": [{"key": "app", "operator": "Exists"}]}}
    assert told(count(FIVE, web(3, **apart(ZONE, **exists)), other())[0]) == ("unknown", 0, 3, ["anti_affinity"])


def test_a_running_node_whose_places_for_pods_are_not_known() -> None:
    node = StaticPool("node", ({},), offers={"cpu": Bounds(1900, 1900)}, names=frozenset({"node"}))
    [explained] = explain_replicas(list(read_workloads(web(30))), [ClusterPools(None, (node,))])
    assert told(explained.count) == ("partly", 19, 19, ["room"])


@pytest.mark.parametrize("constraint", [spread("rack"), near("rack")], ids=["of a spread", "of an affinity"])
def test_room_on_nodes_without_the_key_is_none(constraint: dict[str, Any]) -> None:
    racks = {"large": {HOST: "large"}, "small": {HOST: "small", "rack": "1"}}
    room = {"large": Bounds(3900, 3900), "small": Bounds(1900, 1900)}
    nodes = (StaticPool(name, (labels,), offers={"cpu": room[name]}, names=frozenset({name})) for name, labels in racks.items())
    beside = other(2, requests={"cpu": "900m"}, **near(HOST, labelSelector={"matchLabels": {"app": "other"}}))
    found = list(read_workloads([web(1, requests={"cpu": "900m"}, **constraint), beside]))
    assert told(explain_replicas(found, [ClusterPools(None, tuple(nodes))])[0].count)[:3] == ("unknown", 0, 1)


FOUR_CORES = "Standard_D4ds_v5"
BOTH_MAY = ["together", "anti_affinity"]
WHOLE = [
    pytest.param([other(8, requests={"cpu": "1"})], ("fits", 3, 3, []), id="three whole pods of 1 CPU leave room for a small one on each node"),
    pytest.param(
        [other(9, requests={"cpu": "550m"})], ("unknown", 2, 3, BOTH_MAY), id="six of 550m may fill a node, and there are not enough for two"
    ),
    pytest.param([other(20, requests={"cpu": "200m"})], ("unknown", 2, 3, BOTH_MAY), id="small ones"),
    pytest.param([other(1, name=f"o{cpu}", requests={"cpu": f"{cpu}m"}) for cpu in range(301, 320)], ("unknown", 2, 3, BOTH_MAY), id="many sizes"),
]


@pytest.mark.parametrize(("beside", "expected"), WHOLE)
def test_others_are_whole_pods(beside: list[dict[str, Any]], expected: tuple[object, ...]) -> None:
    cluster = aks(web=UserPool(vm_size=FOUR_CORES, count=3))
    assert told(count(cluster, web(3, requests={"cpu": "250m"}, **apart(HOST)), *beside)[0]) == expected


BIG, HALF = {"cpu": "1800m"}, {"cpu": "900m"}
AMPLE = UserPool(vm_size=SMALL, count=9, labels={"pool": "ample"})
LARGE = [Requirement("node.kubernetes.io/instance-type", "In", ["c5.2xlarge"])]
LIMITS = [{"cpu": "8"}, {"memory": "16Gi"}]


def job(name: str) -> dict[str, Any]:
    made = web(4, name=name, kind="Job", requests=HALF, restartPolicy="Never")
    return {**made, "spec": {"parallelism": 4, "template": made["spec"]["template"]}}


def both(first: dict[str, Any], second: dict[str, Any]) -> list[dict[str, Any]]:
    return [{**one, "metadata": {"name": name}} for name, one in (("web", first), ("api", second))]


SHORT = [
    pytest.param([FIVE], both(web(4, requests=HALF), web(4, requests=HALF)), [], id="both may fit"),
    pytest.param([FIVE], both(web(5, requests=BIG), web(5, requests=BIG)), [("web api", 10, 5)], id="one on each of five nodes"),
    pytest.param([FIVE], both(web(5, requests=HALF), web(9, requests=HALF)), [("web api", 14, 10)], id="two on each node"),
    pytest.param(
        [FIVE], both(web(5, requests={"cpu": "1100m"}), web(9, requests=HALF)), [("web api", 14, 10)], id="two small ones on each node at most"
    ),
    pytest.param(
        [FIVE],
        [*both(web(4, requests=BIG), web(4, requests=BIG)), other(30, requests={"cpu": "1m"})],
        [("web api", 8, 5)],
        id="not the small one",
    ),
    pytest.param([FIVE], [*both(web(5, requests=HALF), web(5, requests=HALF)), job("c")], [], id="a Job ends, and leaves its room to others"),
    pytest.param([FIVE], both(web(5, requests=BIG), web(5, requests=BIG, schedulerName="own")), [], id="what another scheduler decides"),
    pytest.param([FIVE], both(web(5, requests=BIG), {**DAEMON}), [], id="a DaemonSet is not counted"),
    pytest.param([FIVE], both(web(0, requests=BIG), web(5, requests=BIG)), [], id="no pods"),
    pytest.param([TWO_ZONES], both(web(50, requests=BIG), web(50, requests=BIG)), [], id="Karpenter launches for both"),
    *(
        pytest.param(
            [eks("a", any=EksNodePool(limits=limits, requirements=LARGE))],
            both(web(6, requests={"cpu": "1", "memory": "2Gi"}), web(6, requests={"cpu": "1", "memory": "2Gi"})),
            [("web api", 12, 8)],
            id=f"a limit of {limits}",
        )
        for limits in LIMITS
    ),
    pytest.param(
        [eks("a", any=EksNodePool(limits={"cpu": "8"}, requirements=LARGE))],
        both(web(5, requests={"cpu": "1"}), web(3, requests={"cpu": "3"})),
        [("web api", 8, 6)],
        id="more than the limit of CPUs",
    ),
    pytest.param([FIVE, FIVE], both(web(5, requests=BIG), web(5, requests=BIG)), [], id="one cluster for each"),
    pytest.param(
        [FIVE, FIVE],
        [*both(web(5, requests=BIG), web(5, requests=BIG)), other(5, requests=BIG)],
        [("web api other", 15, 10)],
        id="both clusters together",
    ),
    pytest.param(
        [aks(web=UserPool(vm_size=SMALL, count=5), ample=AMPLE)],
        [*both(web(5, requests=BIG, nodeSelector={"pool": "ample"}), web(6, requests=BIG)), other(4, requests=BIG)],
        [("web api other", 15, 14)],
        id="pools that some of them can use",
    ),
    pytest.param(
        [aks(web=UserPool(vm_size=SMALL, count=5), ample=AMPLE)],
        [
            *both(web(8, requests=BIG, nodeSelector={"pool": "ample"}), web(9, requests=BIG, nodeSelector={"pool": "ample"})),
            other(3, requests=BIG),
        ],
        [("web api", 17, 9)],
        id="those whose pods can go nowhere but there",
    ),
]


@pytest.mark.parametrize(("clusters", "found", "expected"), SHORT)
def test_workloads_that_share_pools_without_room_for_all(
    clusters: list[Any], found: list[dict[str, Any]], expected: list[tuple[str, int, int]]
) -> None:
    pools = catalog(Platform(name="dev", clusters={f"c{number}": cluster for number, cluster in enumerate(clusters)}))
    answered = with_shortages(explain_replicas(list(read_workloads(found)), pools), pools)
    shortages = list({id(one.shortage): one.shortage for one in answered if one.shortage is not None}.values())
    assert [(" ".join(one.name for one in short.workloads), short.wanted, short.most) for short in shortages] == expected
    for short in shortages:
        assert f"at least {short.wanted - short.most}" in str(short)
        assert short.to_json()["pending"] == short.wanted - short.most


def test_a_pod_with_a_priority_can_evict_others() -> None:
    node = StaticPool("node", ({},), offers={"cpu": Bounds(1900, 1900)}, names=frozenset({"node"}), max_pods=30)
    runs = next(iter(read_workloads({"kind": "Pod", "metadata": {"name": "p"}, "spec": {"nodeName": "node", "containers": [{"name": "c"}]}})))
    for priority, expected in (({}, 2), ({"priorityClassName": "high"}, 0)):
        found = list(read_workloads(both(web(1, requests=BIG), web(1, requests=BIG, **priority))))
        pools = [ClusterPools(None, (node,), bound=(runs,))]
        assert sum(one.shortage is not None for one in with_shortages(explain_replicas(found, pools), pools)) == expected


def test_each_stack_has_its_own() -> None:
    def pools(stack: str, cpu: int) -> ClusterPools:
        offers = {"cpu": Bounds(cpu, cpu)}
        return ClusterPools(f"{stack}/c", (StaticPool(f"{stack}/c/n", ({},), offers=offers, names=frozenset({"n"}), max_pods=30),))

    found, both_stacks = list(read_workloads(both(web(1, requests=BIG), web(1, requests=BIG)))), [pools("dev", 1900), pools("prod", 3900)]
    answered = with_shortages(explain_replicas(found, both_stacks), both_stacks)
    assert [one.answer.cluster for one in answered if one.shortage is not None] == ["dev/c", "dev/c"]


def sums(found: dict[int, int]) -> Iterator[int]:
    return (sum(size * count for size, count in zip(found, counts, strict=True)) for counts in product(*(range(many + 1) for many in found.values())))


@pytest.mark.parametrize("unit", [1, 100, 10**9], ids=["small amounts", "some", "too many different amounts for a table"])
def test_the_least_that_whole_pods_use(unit: int) -> None:
    chance = random.Random(40)  # noqa: S311  # cases, no secrets
    for _ in range(100):
        found = {size * unit + (unit > 100): chance.randint(1, 4) for size in chance.sample(range(1, 14), 3)}
        amount, most = chance.randint(0, 40) * unit, chance.choice((None, chance.randint(0, 60) * unit))
        expected = min((total for total in sums(found) if total > amount and (most is None or total <= most)), default=None)
        assert Usage({}, {"cpu": found}).least_above("cpu", amount, most) == expected


def test_of_too_many_sums_the_least_is_assumed() -> None:
    assert Usage({}, {"cpu": {10**9 + size: 9 for size in range(1, 20)}}).least_above("cpu", 40 * 10**9, None) == 40 * 10**9 + 1


NEXT_TO = [
    pytest.param([], "fits", id="alone"),
    pytest.param([other(50, requests={"cpu": "100m"})], "unknown", id="pods that can fill a node first"),
    pytest.param([other(1, requests={"cpu": "100m"})], "fits", id="a pod that leaves room"),
    pytest.param([other(50, requests={"cpu": "100m"}, nodeSelector={"pool": "elsewhere"})], "fits", id="pods of no pool"),
]


@pytest.mark.parametrize(("others", "expected"), NEXT_TO)
def test_a_daemon_set_on_declared_nodes_is_certain_only_if_others_leave_room(others: list[dict[str, Any]], expected: str) -> None:
    daemon = web(kind="DaemonSet", name="agent", requests={"cpu": "500m"})
    first, *_ = count(FIVE, daemon, *others)
    assert first.verdict.value == expected


CRITICAL = {"priorityClassName": "system-node-critical"}
ONE_TYPE = eks("a", any=EksNodePool(requirements=[Requirement("node.kubernetes.io/instance-type", "In", ["c5.xlarge"])]))
LAUNCHED = [
    pytest.param(TWO_ZONES, other(20, requests={"cpu": "500m"}), {}, "unknown", id="20 pods can fill a small node"),
    pytest.param(TWO_ZONES, other(20, requests={"cpu": "500m"}), CRITICAL, "fits", id="it evicts them"),
    pytest.param(TWO_ZONES, other(1), {}, "fits", id="one pod fits next to it on the smallest node"),
    pytest.param(TWO_ZONES, other(0), {}, "fits", id="no pod"),
    pytest.param(ONE_TYPE, other(1, requests={"cpu": "2"}), {}, "fits", id="one pod for which the node has room"),
    pytest.param(ONE_TYPE, other(3, requests={"cpu": "1200m"}), {}, "unknown", id="three can be on one node"),
    pytest.param(ONE_TYPE, {**web(1, name="second", labels={}, requests={"cpu": "2"}), "kind": "DaemonSet"}, {}, "fits", id="Karpenter plans both"),
]


@pytest.mark.parametrize(("cluster", "rival", "spec", "expected"), LAUNCHED)
def test_a_daemon_set_on_launched_nodes_is_certain_only_if_others_leave_room(cluster: Any, rival: Any, spec: Any, expected: str) -> None:
    """Karpenter plans room for it on each node, and kube-scheduler binds pods there that are planned for others."""
    if rival["kind"] == "DaemonSet":
        rival["spec"].pop("replicas")
    first, *_ = count(cluster, web(kind="DaemonSet", name="agent", labels={}, requests={"cpu": "500m"}, **spec), rival)
    assert first.verdict.value == expected
    assert all(pending.fix.startswith("Give its pods a higher priority") for pending in first.pending)


ON_A = {"nodeSelector": {"nodepools/name": "a"}}
OF_EACH_POOL = [
    pytest.param({}, [other(50, **ON_A)], {"c/a": "unknown", "c/b": "fits"}, id="pods that can fill the nodes of one pool"),
    pytest.param(
        {"nodeSelector": {"kubernetes.azure.com/node-image-version": "x"}}, [], {"c/a": "unknown", "c/b": "unknown"}, id="a label that is not known"
    ),
    pytest.param(apart(ZONE), [other(1, **ON_A)], {"c/a": "unknown", "c/b": "unknown"}, id="a term that concerns all"),
]


@pytest.mark.parametrize(("spec", "others", "expected"), OF_EACH_POOL)
def test_a_daemon_set_is_unknown_only_where_it_is(spec: Any, others: list[dict[str, Any]], expected: dict[str, str]) -> None:
    pools = catalog(Platform(name="dev", clusters={"c": aks(a=UserPool(vm_size=SMALL, count=5), b=UserPool(vm_size=SMALL, count=1))}))
    found = [web(kind="DaemonSet", name="agent", requests={"cpu": "500m"}, **spec), *others]
    first, *_ = explain_replicas(list(read_workloads(found)), pools)
    assert first.count.verdict.value == "unknown"
    assert {one.pool: one.verdict.value for one in first.answer.pools if one.pool != "c/system"} == expected


def of_a_controller(requests: Any = None, **spec: Any) -> dict[str, Any]:
    """A Job of Volcano, whose pods only Volcano counts."""
    template = {"metadata": {"labels": {"app": "train"}}, "spec": {"containers": [{"name": "c", "resources": {"requests": requests or {}}}], **spec}}
    spec = {"tasks": [{"replicas": 3, "template": template}]}
    return {"apiVersion": "batch.volcano.sh/v1alpha1", "kind": "Job", "metadata": {"name": "train"}, "spec": spec}


NOT_COUNTED = [
    pytest.param(web(3), of_a_controller({"cpu": "1"}), ("unknown", 0, 3, ["together"]), id="they can take all of the room"),
    pytest.param(web(3), of_a_controller({"cpu": "1"}, nodeSelector={"pool": "elsewhere"}), ("fits", 3, 3, []), id="of another pool"),
    pytest.param(web(2), of_a_controller(**apart(HOST)), ("unknown", 0, 2, ["anti_affinity", "together"]), id="they can close all nodes"),
]


@pytest.mark.parametrize(("own", "controlled", "expected"), NOT_COUNTED)
def test_pods_that_only_a_controller_counts_can_be_many(own: dict[str, Any], controlled: dict[str, Any], expected: tuple[object, ...]) -> None:
    first, second = count(FIVE, own, controlled)
    status, least, most, kinds = told(first)
    assert (status, least, most, sorted(kinds)) == expected
    assert second.scheduled.minimum == 0


_CLASS = {"kind": "PriorityClass", "metadata": {"name": "high"}, "value": 1000}
_POLITE = {**_CLASS, "preemptionPolicy": "Never"}
_LOW = {"kind": "PriorityClass", "metadata": {"name": "low"}, "value": -1}
_ALONE = {"requests": {"cpu": "1"}}
"""One of the pods on each node."""
PRIORITIES = [
    pytest.param([_CLASS], {"priorityClassName": "high"}, {}, (5, 5), id="it evicts the others"),
    pytest.param([_CLASS], {"priorityClassName": "system-cluster-critical"}, {"priorityClassName": "high"}, (5, 5), id="a class of every cluster"),
    pytest.param([_LOW], {}, {"priorityClassName": "low"}, (5, 5), id="less than none"),
    pytest.param([_POLITE], {"priorityClassName": "high"}, {}, (0, 5), id="it evicts none"),
    pytest.param([_CLASS], {"priorityClassName": "high"}, {"priorityClassName": "high"}, (0, 5), id="the same"),
    pytest.param([], {}, {"priorityClassName": "unknown"}, (0, 5), id="a class that is not in the input"),
    pytest.param([_CLASS], {}, {"priorityClassName": "high"}, (0, 5), id="the others evict it"),
]


@pytest.mark.parametrize(("classes", "own", "others", "expected"), PRIORITIES)
def test_pods_are_certain_where_all_others_have_a_lower_priority(classes: list[Any], own: Any, others: Any, expected: tuple[int, int]) -> None:
    rival = web(5, name="second", labels={"app": "second"}, **_ALONE, **others)
    found, *_ = count(FIVE, web(5, **_ALONE, **own), rival, *classes)
    assert (found.scheduled.minimum, found.scheduled.maximum) == expected


def test_two_that_evict_the_same_pods_leave_room_for_each_other() -> None:
    one = web(2, **_ALONE, priorityClassName="high")
    other = web(1, name="second", labels={"app": "second"}, requests={"cpu": "900m"}, priorityClassName="high")
    found = count(FIVE, one, other, web(5, name="third", labels={"app": "third"}, **_ALONE), _CLASS)
    assert [(each.scheduled.minimum, each.scheduled.maximum) for each in found[:2]] == [(2, 2), (1, 1)]


def test_the_evicted_pods_are_those_that_stay_pending() -> None:
    found = [web(5, **_ALONE, priorityClassName="high"), web(5, name="second", labels={}, **_ALONE)]
    pools = catalog(Platform(name="dev", clusters={"c": FIVE}))
    answered = with_shortages(explain_replicas(list(read_workloads(found)), pools, read_workload_objects([_CLASS])), pools)
    assert [one.shortage.pending if one.shortage is not None else 0 for one in answered] == [0, 5]


def test_affinity_without_a_selector_selects_no_pod() -> None:
    nothing = {"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [{"topologyKey": "kubernetes.io/hostname"}]}}
    [found] = count(FIVE, web(2, affinity=nothing))
    assert told(found) == ("cannot", 0, 0, ["affinity"])


def test_nodes_that_different_workloads_close_add_up() -> None:
    by_port, by_label = other(2, **on_port()), web(2, name="third", labels={"app": "third"}, **apart(HOST))
    assert told(count(FIVE, web(2, **on_port()), by_port, by_label)[0]) == ("unknown", 1, 2, ["unknown"])


ANYWHERE = {"tolerations": [{"operator": "Exists"}]}
MIXED = {"big": UserPool(vm_size="Standard_D8ds_v5", count=2), "small": UserPool(vm_size=SMALL, count=2)}
IDLE = {**MIXED, "small": UserPool(vm_size=SMALL, scale=Autoscale(min=0, max=3))}
TAINTED = {**MIXED, "small": UserPool(vm_size=SMALL, count=2, taints=[Taint.parse("own=1:NoSchedule")])}
GPU = {"containers": [{"name": "main", "resources": {"limits": {"nvidia.com/gpu": 1}}}]}
OF_ROOM = [
    pytest.param(MIXED, {"requests": {"cpu": "5"}}, ("partly", 1, 1, 2), id="the nodes of one pool are too small"),
    pytest.param(MIXED, {"requests": {"cpu": "5"}, **ANYWHERE}, ("partly", 1, 1, 3), id="those of two"),
    pytest.param(MIXED, {"requests": {"cpu": "50"}}, ("cannot", 0, 0, 2), id="those of all"),
    pytest.param(MIXED, GPU, ("cannot", 0, 0, 2), id="none has a GPU, and the pods do not select those that have"),
    pytest.param(MIXED, {"os": {"name": "windows"}}, ("cannot", 0, 0, 2), id="kubelets reject the pods"),
    pytest.param(IDLE, {"requests": {"cpu": "5"}}, ("unknown", 0, 1, 1), id="a pool that can have no nodes"),
    pytest.param(TAINTED, {"requests": {"cpu": "5"}}, ("fits", 1, 1, 1), id="a taint keeps them off the small ones"),
    pytest.param(MIXED, {"requests": {"cpu": "5"}, "nodeSelector": {"nodepools/name": "big"}}, ("fits", 1, 1, 1), id="they select the others"),
    pytest.param(MIXED, {"nodeSelector": {"lost": "label"}}, ("fits", 0, 0, 0), id="no node has to run one"),
]


@pytest.mark.parametrize(("pools", "spec", "expected"), OF_ROOM)
def test_a_daemon_set_runs_on_each_node_that_its_labels_and_taints_allow(pools: Any, spec: Any, expected: tuple[str, int, int, int]) -> None:
    """Room is no reason for its controller to create no pod there: that pod stays Pending."""
    [found] = count(aks(**pools), web(kind="DaemonSet", name="agent", labels={}, **spec))
    assert (found.verdict.value, found.scheduled.minimum, found.scheduled.maximum, found.wanted) == expected
    assert all(pending.message for pending in found.pending)


def test_a_daemon_set_too_large_for_the_nodes_that_karpenter_launches() -> None:
    """Karpenter plans room for it on each node: the NodePool launches none, and those that it has are not known here."""
    both = eks("a", any=EksNodePool(requirements=[Requirement("node.kubernetes.io/instance-type", "In", ["c5.xlarge"])]), big=EksNodePool())
    [found] = count(both, web(kind="DaemonSet", name="agent", labels={}, requests={"cpu": "5"}))
    assert (found.verdict.value, found.pending[0].message.partition(":")[0]) == ("unknown", "its pod can stay Pending on the nodes of `c/any`")
