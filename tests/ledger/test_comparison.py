"""What is seen of a prediction: each row is a history, and why it proves something or leaves it open."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import pytest

from nodepools.ledger.comparison import compared, rates
from nodepools.ledger.observation import Observation
from nodepools.ledger.record import Bounds, ClusterPrediction, PoolPrediction, PoolResult, Record
from tests.ledger.history import AFTER, BEFORE, HOUR, NOW, Cluster, at

AGENTS = {"kubernetes.azure.com/agentpool": "web1", "nodepools/name": "web"}
ROTATED = {**AGENTS, "kubernetes.azure.com/agentpool": "web2"}
CLAIMED = {"karpenter.sh/nodepool": "web"}
BOTH = Bounds(minimum=2, maximum=2)
SCALED = Bounds(minimum=0, maximum=None)


def agents(*, version: str = "v1.35.2") -> Cluster:
    return Cluster().agent("w0", "web1", "web", version=version).agent("w1", "web1", "web", version=version)


def claimed() -> Cluster:
    return Cluster().karpenter("w0", "web", "1").karpenter("w1", "web", "1")


def later(before: Cluster, *gone: str) -> Cluster:
    return before.without(*gone)


def all_gone(before: Cluster) -> Cluster:
    return before.without("w0", "w1")


@dataclass
class History:
    """One pool, before and after."""

    effect: str
    before: Cluster | None
    after: Cluster
    size: Bounds = BOTH
    labels: tuple[dict[str, str] | None, dict[str, str] | None] = (AGENTS, AGENTS)
    versions: tuple[str, str] = ("1.35", "1.35")
    applied: datetime | None = None
    nodes: Bounds | None = None

    def result(self) -> PoolResult:
        pool = PoolPrediction(pool="web", effect=self.effect, nodes=self.nodes, size=self.size, before=self.labels[0], after=self.labels[1])
        nodes = None if self.before is None else observed(self.before).nodes([("web", labels) for labels in self.labels if labels is not None])
        old, new = self.versions
        cluster = ClusterPrediction(
            stack="shop", cluster="weu", cloud="AKS", declaration="d", old_version=old, new_version=new, pools=(pool,), nodes=nodes
        )
        record = Record(command="diff", recorded_at=NOW, library="1", options="--stack shop", clusters=(cluster,))
        return compared(record, cluster, observed(self.after), self.applied).results[0]


def observed(cluster: Cluster) -> Observation:
    found = Observation()
    found.add(cluster.exported(), is_list=True)
    return found


class Untimed(Cluster):
    """A cluster whose nodes report no time."""

    def exported(self) -> list[dict[str, Any]]:
        return self.objects


def karpenter(effect: str, after: Callable[[Cluster], Cluster], **more: object) -> History:
    return History(effect, claimed(), after(claimed()), SCALED, (CLAIMED, CLAIMED), **more)  # type: ignore[arg-type]


SEEN = {
    "a rotated pool": History("rotates", agents(), all_gone(agents()).agent("x0", "web2", "web"), labels=(AGENTS, ROTATED)),
    "a rotated pool that had nodes for certain": History("rotates", None, all_gone(agents()).agent("x0", "web2", "web"), labels=(AGENTS, ROTATED)),
    "drift, by the hash": karpenter("rolls", lambda old: all_gone(old).karpenter("x0", "web", "2")),
    "drift, by events": karpenter(
        "rolls",
        lambda old: all_gone(old).karpenter("x0", "web", "1").event("w0", "Disrupting Node: Drifted").event("w1", "Disrupting Node: Drift/Replace"),
    ),
    "drift, by the version": karpenter("rolls", lambda old: all_gone(old).karpenter("x0", "web", "1", version="v1.36.1"), versions=("1.35", "1.36")),
    "drift by a version, without the nodes of before": History(
        "rolls", None, Cluster(AFTER).karpenter("x0", "web", "1", version="v1.36.1"), BOTH, (CLAIMED, CLAIMED), ("1.35", "1.36")
    ),
    "some of them": karpenter("rolls_some", lambda old: later(old, "w0").karpenter("x0", "web", "2"), nodes=Bounds(minimum=0, maximum=2)),
    "reimaged to a version": History(
        "reimages",
        agents(),
        later(agents()).reimaged("w0", "2", "v1.36.1").reimaged("w1", "2", "v1.36.1"),
        versions=("1.35", "1.36"),
    ),
    "another installation of the image": History(
        "reimages", agents(), later(agents()).reimaged("w0", "AKSUbuntu-2404-1").reimaged("w1", "AKSUbuntu-2404-1")
    ),
    "another image, and it was applied": History("reimages", agents(), later(agents()).reimaged("w0", "2").reimaged("w1", "2"), applied=NOW + HOUR),
    "a fixed pool under the same name": History("replaces", agents(), all_gone(agents()).agent("x0", "web1", "web")),
    "a deleted pool": History("removes_nodes", agents(), all_gone(agents()).agent("o0", "other", "other"), labels=(AGENTS, None)),
    "fewer nodes": History("removes_nodes", agents(), later(agents(), "w0"), nodes=Bounds(minimum=1, maximum=1)),
    "a new pool": History("creates", Cluster().agent("s", "s", "s"), Cluster(AFTER).agent("w0", "web1", "web"), labels=(None, AGENTS)),
    "nodes that stay": History("none", agents(), later(agents()), applied=NOW + HOUR),
    "nodes of a pool next to which something is created": History("creates", agents(), later(agents()), applied=NOW + HOUR),
    "nodes that stay, and more": History("in_place", agents(), later(agents()).agent("x0", "web1", "web"), applied=NOW + HOUR),
    "nodes that consolidation removed": karpenter(
        "none", lambda old: later(old, "w0").event("w0", "Disrupting Node: Underutilized"), applied=NOW + HOUR
    ),
    "nodes that are older than the record": History("none", None, later(claimed()), Bounds(minimum=1), (CLAIMED, CLAIMED), applied=NOW + HOUR),
}
OPEN = {
    "consolidation looks like replacement": (karpenter("rolls", lambda old: all_gone(old).karpenter("x0", "web", "1")), "nothing shows why"),
    "a pool that was scaled to zero": (karpenter("rolls", lambda old: all_gone(old).agent("o", "o", "o")), "scaled to zero"),
    "old nodes": (karpenter("rolls", later), "not applied yet, under way, or wrong"),
    "both generations": (
        History("rotates", agents(), later(agents()).agent("x0", "web2", "web"), labels=(AGENTS, ROTATED)),
        "2 old nodes are left: not applied yet",
    ),
    "a generation that existed": (
        History("rotates", Cluster().agent("x0", "web2", "web"), Cluster(AFTER).agent("x1", "web2", "web"), labels=(AGENTS, ROTATED)),
        "can have existed",
    ),
    "a generation that is older than the record": (
        History("rotates", agents(), all_gone(agents()).moved(NOW - HOUR).agent("x0", "web2", "web").moved(AFTER), labels=(AGENTS, ROTATED)),
        "can have existed",
    ),
    "nodes of another cluster": (
        History("rotates", agents(), all_gone(agents()).moved(BEFORE - HOUR).agent("x0", "web2", "web").moved(AFTER), labels=(AGENTS, ROTATED)),
        "`x0` existed before the record, which does not have it: these exports are of another cluster",
    ),
    "a new generation without nodes": (
        History("rotates", agents(), all_gone(agents()).agent("o", "o", "o"), labels=(AGENTS, ROTATED)),
        "has no node yet",
    ),
    "a pool that can have been empty": (
        History("rolls", None, Cluster(AFTER).karpenter("x0", "web", "1"), SCALED, (CLAIMED, CLAIMED)),
        "can have been empty",
    ),
    "some are older than the record": (
        History("rolls", None, later(claimed()).karpenter("x0", "web", "1"), SCALED, (CLAIMED, CLAIMED)),
        "2 of 3 nodes are older",
    ),
    "an image upgrade looks like a reimage": (
        History("reimages", agents(), later(agents()).reimaged("w0", "2").reimaged("w1", "2")),
        "An image upgrade does that, too",
    ),
    "a reimage of which one node is left": (History("reimages", agents(), later(agents()).reimaged("w0", "2")), "1 old node is left"),
    "an autoscaled pool under the same name": (
        History("replaces", agents(), all_gone(agents()).agent("x0", "web1", "web"), SCALED),
        "nothing shows why",
    ),
    "fewer nodes of a pool that is scaled": (History("removes_nodes", agents(), later(agents(), "w0"), SCALED), "something scales"),
    "a deleted pool that can have been empty": (
        History("removes_nodes", None, Cluster(AFTER).agent("o", "o", "o"), SCALED, (AGENTS, None)),
        "can have had none",
    ),
    "a new pool without nodes": (History("creates", None, later(agents(), "w0", "w1").agent("o", "o", "o"), labels=(None, AGENTS)), "no new node"),
    "an effect that is not known": (History("unknown", agents(), later(agents())), "predicts nothing"),
    "nodes that stay, and nothing shows that it was applied": (History("none", agents(), later(agents())), "nothing shows that the change"),
    "nodes that are gone without a reason": (
        History("none", agents(), later(agents(), "w0"), applied=NOW + HOUR),
        "1 of 2 old nodes gone, and nothing shows why",
    ),
    "nodes that an image upgrade replaced": (
        History("none", agents(), later(agents()).reimaged("w0", "2"), applied=NOW + HOUR),
        "image upgrades and repairs do that",
    ),
    "nodes that another upgrade reimaged": (
        History("none", agents(), later(agents()).reimaged("w0", "2", "v1.36.1"), applied=NOW + HOUR),
        "upgrades of the Kubernetes version do that, too",
    ),
    "a node that the cloud repaired": (
        History("none", agents(), later(agents()).reimaged("w0", "AKSUbuntu-2404-1"), applied=NOW + HOUR),
        "another installation of the same image: image upgrades and repairs do that",
    ),
    "a new version, which can come later": (
        karpenter("rolls", later, versions=("1.35", "1.36"), applied=NOW + HOUR),
        "Karpenter can still find drift",
    ),
    "agent pools of which the record has no node": (History("none", None, later(agents()), applied=NOW + HOUR), "does not have its nodes"),
    "nodes that started again": (History("none", agents(), later(agents()).restarted("w0"), applied=NOW + HOUR), "1 node started again"),
    "drift before the record": (
        karpenter("none", lambda old: later(old, "w0").event("w0", "Disrupting Node: Empty", NOW - HOUR), applied=NOW + HOUR),
        "nothing shows why",
    ),
    "nodes that were launched with the same hash": (
        karpenter("rolls", lambda old: all_gone(old).karpenter("x0", "web", "1")),
        "and the NodeClaims of both times have the same hash: events decide it",
    ),
    "nodes that were there when it was recorded": (
        History("replaces", agents(), all_gone(agents()).moved(NOW - HOUR).agent("x0", "web1", "web")),
        "1 old node is left",
    ),
}
CONTRADICTED = {
    "a pool that was rotated": (History("in_place", agents(), all_gone(agents()).agent("x0", "web2", "web")), "agent pool `web2` now"),
    "nodes that were reimaged with the same image": (
        History("in_place", agents(), later(agents()).reimaged("w0", "AKSUbuntu-2404-1").reimaged("w1", "AKSUbuntu-2404-1")),
        "all were reimaged, with the same version and image: `w0`, `w1`",
    ),
    "nodes that were replaced for another hash": (
        karpenter("none", lambda old: later(old, "w0").karpenter("x0", "web", "2")),
        "another hash",
    ),
    "nodes that drift by an edit": (
        History("none", claimed(), Cluster(AFTER).karpenter("x0", "web", "1", drift="NodePoolDrifted"), SCALED, (CLAIMED, CLAIMED)),
        "1 node with drift by an edit (NodePoolDrifted)",
    ),
    "old nodes of an agent pool after it was applied": (
        History("reimages", agents(), later(agents()), applied=NOW + HOUR),
        "2 old nodes are left after the change was applied: `w0`, `w1`",
    ),
    "old nodes without drift, long after it was applied": (
        karpenter("rolls", later, applied=NOW + HOUR),
        "without drift an hour after",
    ),
}


@pytest.mark.parametrize("history", SEEN.values(), ids=SEEN)
def test_what_is_proved_is_seen(history: History):
    found = history.result()
    assert found.verdict == "seen", found.message


@pytest.mark.parametrize(("history", "why"), OPEN.values(), ids=OPEN)
def test_what_is_not_proved_is_unknown(history: History, why: str):
    found = history.result()
    assert (found.verdict, why in found.message) == ("unknown", True), found


@pytest.mark.parametrize(("history", "why"), CONTRADICTED.values(), ids=CONTRADICTED)
def test_what_cannot_be_is_contradicted(history: History, why: str):
    found = history.result()
    assert (found.verdict, why in found.message) == ("contradicted", True), found


@pytest.mark.parametrize(("applied", "why"), [(None, "`--applied INSTANT` says"), (NOW + HOUR, "a later time than `--applied`")])
def test_nodes_without_a_time_say_nothing_about_later(applied: datetime | None, why: str):
    found = karpenter("rolls", lambda _: Untimed().karpenter("w0", "web", "1").karpenter("w1", "web", "1"), applied=applied).result()
    assert (found.verdict, why in found.message) == ("unknown", True), found


def test_old_nodes_with_drift_are_under_way():
    after = Cluster().karpenter("w0", "web", "1", drift="NodePoolDrifted").karpenter("w1", "web", "1").moved(AFTER)
    found = History("rolls", claimed(), after, SCALED, (CLAIMED, CLAIMED), applied=NOW + HOUR).result()
    assert (found.verdict, found.message) == ("unknown", "under way: 2 old nodes are left, 1 with drift (NodePoolDrifted)")


@pytest.mark.parametrize(
    ("change", "why"),
    [
        pytest.param(lambda one: [each for each in one.exported() if each["kind"] != "Node"], "have no nodes", id="no nodes"),
        pytest.param(
            lambda one: [each for each in one.exported() if each["metadata"]["name"] != "w1"],
            "NodeClaims or pods name nodes",
            id="a part of the nodes",
        ),
    ],
)
def test_an_export_without_all_nodes_proves_nothing(change, why):
    history = karpenter("rolls", lambda old: all_gone(old).karpenter("w1", "web", "2").karpenter("x0", "web", "2"))
    history.after.objects = change(history.after)
    found = history.result()
    assert (found.verdict, why in found.message) == ("unknown", True), found


def test_a_pool_without_nodes_predicts_nothing():
    empty = Cluster().agent("o", "o", "o")
    with pytest.raises(IndexError):
        History("rolls", empty, Cluster(AFTER).karpenter("x0", "web", "2"), SCALED, (CLAIMED, CLAIMED)).result()


@pytest.mark.parametrize(
    ("kept", "why"),
    [
        pytest.param({"w0", "w1"}, "", id="the same list twice"),
        pytest.param({"w0"}, "two exports have different nodes, such as `w1`", id="lists of two times"),
    ],
)
def test_nodes_of_two_times_are_no_list(kept: set[str], why: str):
    found = Observation()
    found.add(agents().exported(), is_list=True)
    found.add([one for one in agents().exported() if one["metadata"]["name"] in kept], is_list=True)
    assert found.why_not_whole.startswith(why)
    assert bool(found.why_not_whole) == bool(why)


@pytest.mark.parametrize(
    ("status", "more", "is_told"),
    [
        pytest.param("Running", {}, True, id="it runs"),
        pytest.param("Succeeded", {}, False, id="it has ended"),
        pytest.param("Running", {"deletionTimestamp": at(NOW)}, False, id="it ends"),
    ],
)
def test_nodes_that_pods_name_are_among_all_nodes(status: str, more: dict[str, str], *, is_told: bool):
    found, pod = Observation(), {"kind": "Pod", "metadata": {"name": "p", **more}, "spec": {"nodeName": "gone"}, "status": {"phase": status}}
    found.add([*agents().exported(), pod], is_list=True)
    assert ("such as `gone`: export all nodes" in found.why_not_whole) == is_told


def test_exports_without_the_nodes_of_a_pool_that_stays_prove_nothing():
    found = History("none", agents(), Cluster(AFTER).agent("o", "other", "other"), applied=NOW + HOUR).result()
    assert (found.verdict, "the exports have no node of `web`, which has at least" in found.message) == ("unknown", True), found


def test_single_nodes_are_no_list():
    found = Observation()
    found.add(agents().exported(), is_list=False)
    assert "others can exist" in found.why_not_whole


def test_durations_are_compared_with_their_bounds():
    after = all_gone(agents()).moved(NOW + HOUR).agent("x0", "web2", "web").moved(NOW + 2 * HOUR).agent("x1", "web2", "web").moved(AFTER)
    found = History("rotates", agents(), after, labels=(AGENTS, ROTATED), applied=NOW + HOUR).result()
    assert found.observed_minutes == 60
    drifted = karpenter(
        "rolls", lambda old: all_gone(old).moved(NOW + 2 * HOUR).karpenter("x0", "web", "2").moved(AFTER), applied=NOW + HOUR
    ).result()
    assert drifted.observed_minutes == 60
    results = [found.model_copy(update={"bounded_minutes": bound}) for bound in (30, 90, None)]
    wrong = History("in_place", agents(), all_gone(agents()).agent("x0", "web2", "web")).result()
    rotated, in_place = rates([wrong, *results])
    assert rotated.to_json() == {
        "effect": "rotates",
        "cloud": "AKS",
        "version": "1.35",
        "seen": 3,
        "contradicted": 0,
        "unknown": 0,
        "observed_minutes": [60, 60, 60],
        "with_bound": 2,
        "over_bound": 1,
    }
    assert (in_place.effect, in_place.count("contradicted")) == ("in_place", 1)
