"""`explain node/NAME`: why a node was replaced, only as far as events and NodeClaims prove it."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run

DECLARED = """\
name: dev
clusters:
  weu:
    kind: AksCluster
    location: westeurope
    kubernetes_version: "1.35"
    system_pool: {vm_size: Standard_D4ds_v5, count: 3}
    node_provisioning: {node_pools: {web: {}}}
"""
CREATED = "2026-11-24T09:00:00Z"


def node(created: str = CREATED, name: str = "web-1") -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name, "uid": f"of-{name}", "creationTimestamp": created}}


def claim(*, drift: str = "", is_going: bool = False) -> dict[str, Any]:
    going = {"deletionTimestamp": "2026-11-24T10:00:00Z"} if is_going else {}
    conditions = [{"type": "Drifted", "status": "True", "reason": drift}] if drift else []
    status = {"nodeName": "web-1", "conditions": conditions}
    return {"apiVersion": "karpenter.sh/v1", "kind": "NodeClaim", "metadata": {"name": "web-c1", "uid": "c1", **going}, "status": status}


OF_WEB = {"labels": {"karpenter.sh/nodepool": "web"}}


def drifted(*, node: Any = None, **spec: Any) -> list[dict[str, Any]]:
    """A node that has drifted."""
    of_node = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "web-1", "uid": "of-web-1", "creationTimestamp": CREATED, **(node or {})}}
    found = claim(drift="ImageDrift")
    return [of_node, {**found, "metadata": {**found["metadata"], "creationTimestamp": "2026-11-20T00:00:00Z", **OF_WEB}, "spec": spec}]


def db(value: str | None = None, phase: str = "Running", node: str = "web-1", **status: Any) -> dict[str, Any]:
    annotations = {"annotations": {"karpenter.sh/do-not-disrupt": value}} if value else {}
    metadata = {"name": "db-0", "labels": {"app": "db"}, **annotations}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": {"nodeName": node}, "status": {"phase": phase, **status}}


def pdb(name: str = "db", allowed: int | None = None, **spec: Any) -> dict[str, Any]:
    status = {} if allowed is None else {"status": {"disruptionsAllowed": allowed}}
    of_db = {"selector": {"matchLabels": {"app": "db"}}, **spec}
    return {"apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": {"name": name, "namespace": "default"}, "spec": of_db, **status}


PROTECTED = {"annotations": {"karpenter.sh/do-not-disrupt": "true"}}
SOON, KEPT = "will be replaced, within the disruption budgets, because of drift (ImageDrift)", "does not replace it as long as "
KEEPING = [
    pytest.param([*drifted(), db("true")], f"{KEPT}pod `default/db-0` has annotation", id="a pod"),
    pytest.param([*drifted(), db("99999h")], f"{KEPT}pod `default/db-0` has annotation", id="for a time"),
    pytest.param([*drifted(), db("1h", startTime="2026-11-20T00:00:00Z")], SOON, id="a time that is over"),
    pytest.param([*drifted(), db("false")], SOON, id="a value without effect"),
    pytest.param([*drifted(), db("true", phase="Succeeded")], SOON, id="a pod that has run"),
    pytest.param([*drifted(), db("true", node="web-2")], SOON, id="a pod elsewhere"),
    pytest.param([*drifted(terminationGracePeriod="1h"), db("true"), pdb(maxUnavailable=0)], SOON, id="the drain ends anyway"),
    pytest.param([*drifted(terminationGracePeriod="1h", node=PROTECTED)], f"{KEPT}the node has annotation", id="its own annotation, always"),
    pytest.param([*drifted(), db(), pdb(maxUnavailable=0)], f"{KEPT}PodDisruptionBudget `db` allows no eviction", id="a budget"),
    pytest.param([*drifted(), db(), pdb(allowed=0, minAvailable=1)], f"{KEPT}PodDisruptionBudget `db`", id="a budget that is used up"),
    pytest.param([*drifted(), db(), pdb(allowed=1, minAvailable=1)], SOON, id="a budget that allows one"),
    pytest.param([*drifted(), db(), pdb(allowed=1), pdb("b", 1)], f"{KEPT}several PodDisruptionBudgets select pod", id="two budgets"),
    pytest.param([*drifted(), db(), pdb(maxUnavailable="no")], SOON, id="a budget that is not valid"),
    pytest.param(drifted(), "unless pods keep Karpenter from it: export `pods,pdb`, too", id="no pods were exported"),
    pytest.param([*drifted(expireAfter="900000h"), db("true")], "it will be replaced because of expiry, at 2129-", id="until it expires"),
]


@pytest.mark.parametrize(("objects", "text"), KEEPING)
def test_what_keeps_karpenter_from_replacing_a_node_that_has_drifted(nodepools: Run, tmp_path: Path, objects: Any, text: str):
    status, answer, _ = explained(nodepools, tmp_path, objects)
    assert (status, text in answer) == (0, True), answer


@pytest.mark.parametrize(
    ("age", "text"),
    [
        ("900000h", "nothing in the exports replaces it before it expires, at 2129-"),
        ("1h", "is due to be replaced because of expiry, at 2026-11-20 01:00Z"),
    ],
)
def test_a_node_that_expires_is_replaced(nodepools: Run, tmp_path: Path, age: str, text: str):
    of_node, found = drifted(expireAfter=age)
    _, answer, _ = explained(nodepools, tmp_path, [of_node, {**found, "status": {"nodeName": "web-1"}}])
    assert text in answer, answer


def test_budgets_that_never_allow_a_replacement_are_named(nodepools: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(globals(), "DECLARED", DECLARED.replace("{web: {}}", '{web: {disruption: {budgets: [{nodes: "0"}]}}}'))
    _, answer, _ = explained(nodepools, tmp_path, [*drifted(), db()])
    assert f"{KEPT}its disruption budgets allow none" in answer, answer


def event(why: str, *, about: str = "Node", name: str = "web-1", at: str = "2026-11-24T10:00:00Z", reason: str = "DisruptionTerminating") -> Any:
    metadata, involved = {"name": f"{name}.{at}"}, {"kind": about, "name": name}
    message = f"Disrupting Node: {why}"
    return {
        "apiVersion": "v1",
        "kind": "Event",
        "metadata": metadata,
        "involvedObject": involved,
        "reason": reason,
        "message": message,
        "lastTimestamp": at,
    }


def explained(nodepools: Run, folder: Path, objects: list[Mapping[str, Any]], name: str = "web-1") -> tuple[int, str, dict[str, Any]]:
    (folder / "dev.yaml").write_text(DECLARED)
    (folder / "weu.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": [node(name="web-2"), *objects]}))
    words = ("explain", f"node/{name}", "--file", "dev.yaml", "--existing", "weu.json")
    told = json.loads(nodepools(*words, "--format", "json", cwd=folder).out)
    answer = nodepools(*words, cwd=folder)
    return answer.status, " ".join(f"{answer.out}{answer.err}".split()), told


@pytest.mark.parametrize(
    ("objects", "text"),
    [
        pytest.param([event("Underutilized")], "was replaced because of consolidation: its pods had room", id="consolidation"),
        pytest.param([event("Drifted")], "was replaced because of drift, from an edit", id="drift"),
        pytest.param([event("Drift/Replace")], "was replaced because of drift, from an edit", id="drift, in an older version"),
        pytest.param([event("", reason="SpotInterrupted", about="NodeClaim")], "was replaced because of interruption", id="interruption"),
        pytest.param([event("Odd")], "was replaced because of `Odd`, as Karpenter says", id="another reason"),
        pytest.param([claim(), event("Empty", about="NodeClaim", name="web-c1")], "was replaced because of consolidation", id="about its NodeClaim"),
        pytest.param([node(), claim(), event("Empty")], "is being replaced because of consolidation", id="the node still exists"),
        pytest.param([event("Empty"), event("Drifted", at="2026-11-24T10:30:00Z")], "of drift, from an edit", id="the last of two"),
        pytest.param(
            [node(), claim(drift="NodePoolDrifted")], "will be replaced, within the disruption budgets, because of drift (NodePoolDrifted)", id="soon"
        ),
        pytest.param([node(), claim(drift="NodePoolDrifted", is_going=True)], "is being replaced because of drift (NodePoolDrifted)", id="now"),
        pytest.param([node("2026-11-24T11:00:00Z"), claim(), event("Empty")], "exists, and nothing in the exports replaces it", id="an older node"),
    ],
)
def test_why_a_node_is_replaced(nodepools: Run, tmp_path: Path, objects: list[Mapping[str, Any]], text: str):
    status, answer, _ = explained(nodepools, tmp_path, objects)
    assert (status, text in answer) == (0, True), answer


def test_exports_alone_say_why_where_no_project_is(nodepools: Run, tmp_path: Path):
    (tmp_path / "found.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": [event("Empty")]}), encoding="utf-8")
    answer = nodepools("explain", "node/web-1", "--existing", "found.json", cwd=tmp_path)
    assert (answer.status, "because of consolidation: it had no pods" in answer.out) == (0, True), answer


@pytest.mark.parametrize(
    ("objects", "text"),
    [
        pytest.param([node()], "no Event and no NodeClaim was read", id="another node, without events"),
        pytest.param([node(), claim(), event("Empty")], "no event and no NodeClaim in the exports is about it", id="another node, with events"),
        pytest.param([event("", reason="Rebooted", name="gone")], "no NodeClaim", id="an event of another kind"),
    ],
)
def test_nothing_is_said_without_proof(nodepools: Run, tmp_path: Path, objects: list[Mapping[str, Any]], text: str):
    status, answer, told = explained(nodepools, tmp_path, objects, "gone")
    assert (status, "unknown why it was replaced" in answer, told["reason"], told["complete"]) == (2, True, None, False)
    assert text in answer
    assert "next: nodepools diff OLD --existing EXPORTS --record FILE" in answer


def test_events_of_a_running_cluster_are_read_and_only_where_they_answer(nodepools: Run, kubectl: Any, tmp_path: Path):
    (tmp_path / "dev.yaml").write_text(DECLARED)
    objects = {"nodes": [node(name="web-2")], "pods": [], "nodeclaims.karpenter.sh": [], "events": [event("Underutilized")]}
    log = kubectl(objects=objects, contexts=[{"name": "dev", "context": {"cluster": "dev-weu"}}])
    answer = nodepools("explain", "node/web-1", "--file", "dev.yaml", "--context", "dev", cwd=tmp_path)
    assert (answer.status, "was replaced because of consolidation" in answer.out) == (0, True), answer.all
    assert [call for call in log.read_text().splitlines() if "events" in call and "involvedObject.kind!=Pod" in call]
    log.unlink()
    nodepools("capacity", "--file", "dev.yaml", "--context", "dev", cwd=tmp_path)
    assert "events" not in log.read_text()


def test_a_name_in_two_clusters_is_not_decided(nodepools: Run, tmp_path: Path):
    (tmp_path / "dev.yaml").write_text(DECLARED + DECLARED.partition("clusters:\n")[2].replace("weu", "neu").replace("westeurope", "northeurope"))
    for cluster, why in (("weu", "Empty"), ("neu", "Underutilized")):
        items = [node(name="web-2"), event(why)]
        (tmp_path / f"{cluster}.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}))
    words = ("explain", "node/web-1", "--file", "dev.yaml", "--existing", "weu.json")
    answer = nodepools(*words, "--existing", "neu.json", cwd=tmp_path)
    assert (answer.status, answer.out) == (2, ""), answer.all
    assert "node/web-1: is in `dev/weu` and `dev/neu`: use the exports of one of them" in answer.err
    assert nodepools(*words, cwd=tmp_path).status == 0


def test_events_in_a_file_of_their_own_are_those_of_the_cluster_of_its_folder(nodepools: Run, tmp_path: Path):
    (tmp_path / "dev.yaml").write_text(DECLARED)
    (tmp_path / "weu").mkdir()
    for name, item in (("nodes", node(name="web-2")), ("events", event("Underutilized"))):
        (tmp_path / "weu" / f"{name}.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": [item]}))
    answer = nodepools("explain", "node/web-1", "--file", "dev.yaml", "--existing", "weu", cwd=tmp_path)
    assert (answer.status, "was replaced because of consolidation" in answer.out) == (0, True), answer.all


def test_events_that_may_not_be_listed_are_named(nodepools: Run, kubectl: Any, tmp_path: Path):
    (tmp_path / "dev.yaml").write_text(DECLARED)
    objects = {"nodes": [node(name="web-2")], "pods": [], "events": []}
    kubectl(objects=objects, forbidden=["events"], contexts=[{"name": "dev", "context": {"cluster": "dev-weu"}}])
    answer = nodepools("explain", "node/web-1", "--file", "dev.yaml", "--context", "dev", cwd=tmp_path)
    assert (answer.status, "unknown why it was replaced" in answer.out) == (2, True), answer.all
    assert "you may not list `events`: why Karpenter replaced nodes is not known" in answer.err


@pytest.mark.parametrize(
    ("words", "text"),
    [(("node/a",), "`node/NAME` needs `--context NAME`, or"), (("node/a", "pod.yaml"), "explained alone"), (("node/a", "node/b"), "explained alone")],
)
def test_what_else_is_needed(nodepools: Run, tmp_path: Path, words: tuple[str, ...], text: str):
    (tmp_path / "dev.yaml").write_text(DECLARED)
    answer = nodepools("explain", *words, "--file", "dev.yaml", cwd=tmp_path)
    assert (answer.status, text in answer.err) == (2, True), answer.err


@pytest.mark.parametrize("path", ["node/web.yaml", "./node/web.yaml"])
def test_a_manifest_in_a_folder_named_node_has_workloads(nodepools: Run, tmp_path: Path, path: str):
    (tmp_path / "dev.yaml").write_text(DECLARED)
    (tmp_path / "node").mkdir()
    (tmp_path / "node/web.yaml").write_text(
        "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {containers: [{name: web, image: web, resources: {requests: {cpu: 1}}}]}\n"
    )
    answer = nodepools("explain", path, "--file", "dev.yaml", "--format", "json", cwd=tmp_path)
    assert [one["name"] for one in json.loads(answer.out)["workloads"]] == ["web"], answer.err
