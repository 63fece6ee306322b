"""`--record`, `nodepools compare` and `nodepools ledger`: predictions next to simulated histories of clusters."""

import json
import subprocess
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest

from nodepools.ledger.record import Compared, PoolResult, Record
from tests.cli.inputs import BLOCKED
from tests.ledger.history import AFTER, HOUR, NOW, Cluster, at

OLD = """name: shop
clusters:
  weu:
    kind: AksCluster
    location: westeurope
    kubernetes_version: "1.35"
    network: {kind: AksNetwork, cidr: 10.10.0.0/16}
    system_pool: {vm_size: Standard_D4ds_v5, count: 2}
    pools:
      web: {kind: UserPool, vm_size: Standard_D4ds_v5, count: 2}
      batch: {kind: UserPool, vm_size: Standard_D4ds_v5, scale: {min: 1, max: 5}}
    node_provisioning:
      node_pools:
        general: {requirements: [{key: kubernetes.io/arch, operator: In, values: [amd64]}]}
        spare: {requirements: [{key: kubernetes.io/arch, operator: In, values: [amd64]}]}
"""
NEW = OLD.replace("web: {kind: UserPool, vm_size: Standard_D4ds_v5", "web: {kind: UserPool, vm_size: Standard_D8ds_v5").replace(
    "general: {", "general: {labels: {tier: app}, "
)
"""The agent pool `web` rotates, and Karpenter replaces the nodes of `general`."""
WEB_OLD, WEB_NEW = "webcaq1", "webi6o9"

WORKLOADS = """
apiVersion: apps/v1
kind: Deployment
metadata: {name: app, namespace: shop}
spec:
  replicas: 2
  template:
    metadata: {labels: {app: app}}
    spec: {nodeSelector: {karpenter.sh/nodepool: general}, containers: [{name: app, image: i}]}
"""


def running() -> Cluster:
    cluster = Cluster().agent("s0", "system", "system").agent("s1", "system", "system")
    cluster.agent("w0", WEB_OLD, "web").agent("w1", WEB_OLD, "web").agent("b0", "batchgy1s", "batch")
    return cluster.karpenter("g0", "general", "1").karpenter("g1", "general", "1").karpenter("p0", "spare", "7").pod("web-5d4f-x")


def changed(*, old: Sequence[str] = ("w0", "w1", "g0", "g1")) -> Cluster:
    """What the edit does."""
    later = running().without(*old)
    later.agent("w2", WEB_NEW, "web").agent("w3", WEB_NEW, "web")
    later.time += HOUR
    return later.karpenter("g2", "general", "2").karpenter("g3", "general", "2")


class Ledger:
    """A folder with a record."""

    def __init__(self, run: Any, folder: Path) -> None:
        self.folder = folder
        self.run = lambda *arguments, **how: run(*arguments, cwd=folder, **how)
        (folder / "old.yaml").write_text(OLD)
        (folder / "new.yaml").write_text(NEW)

    def record(self, *more: str, cluster: Cluster | None = None) -> Any:
        existing = ("--existing", cluster.export(self.folder, "before")) if cluster is not None else ()
        return self.run("diff", "old.yaml", "new.yaml", "--record", "r.json", *existing, *more)

    def compare(self, cluster: Cluster, *more: str) -> Any:
        return self.run("compare", "r.json", "--file", "new.yaml", "--existing", cluster.export(self.folder, "after"), *more)

    def verdicts(self, cluster: Cluster, *more: str) -> dict[str, str]:
        told = self.compare(cluster, "--format", "json", *more).json
        return {one["pool"]: one["verdict"] for one in told["results"]}


@pytest.fixture
def book(nodepools, tmp_path):
    return Ledger(nodepools, tmp_path)


@pytest.fixture
def recorded(book):
    assert book.record(cluster=running()).status == 0
    return book


def test_a_change_that_did_what_was_predicted(recorded):
    answer = recorded.compare(changed(), "-o", "compared.json")
    assert answer.status == 0, answer.all
    assert answer.out.splitlines()[:8] == [
        "shop: 5 of 5 predictions came true",
        "",
        "Came true",
        "  rotates    weu/web               no node of agent pool `webcaq1` is left, and 2 nodes of `webi6o9` exist",
        "  no change  weu/batch, weu/spare  1 of 1 node is the same",
        "  no change  weu/system            2 of 2 nodes are the same",
        "  rolls      weu/general           none of 2 old nodes is left, and 2 new nodes exist: their NodeClaims have another hash",
        "",
    ]
    assert "| predicted | pool | seen |" in recorded.compare(changed(), "--format", "markdown").out
    told = recorded.run("ledger", "compared.json", "r.json")
    assert (told.status, told.out.splitlines()[0]) == (0, "5 of 5 decided predictions came true (100 %) in 1 comparison"), told.all
    assert "1 record not compared yet" in told.out


def test_what_is_under_way_is_neither_seen_nor_wrong(recorded):
    half = changed(old=("w0", "g0"))
    answer = recorded.compare(half)
    assert answer.status == 2
    assert answer.out.startswith("shop: none of 5 predictions is decided yet (not complete: ")
    assert "2 old nodes are left" not in answer.out
    assert answer.err.startswith("not complete: weu/web, weu/batch, weu/system and 2 more: not decided"), answer.err
    recorded.compare(half, "-o", "half.json")
    again = "nodepools compare r.json --file new.yaml --existing EXPORTS"
    told = recorded.run("ledger", "half.json").out
    assert told.splitlines()[0] == "no prediction was decided in 1 comparison; 5 not decided yet: weu/web, weu/batch, weu/system and 2 more"
    assert told.splitlines()[1].startswith(
        f"next: {again} -o half.json  # writes files only; not urgent: newer exports can decide more; EXPORTS, "
    ), told
    found = Compared.read((recorded.folder / "half.json").read_text())
    (recorded.folder / "half.json").write_text(found.model_copy(update={"arguments": ()}).text())
    told = recorded.run("ledger", "half.json").out
    assert "\nnext: nodepools compare RECORD OPTIONS --existing EXPORTS -o half.json  # " in told
    digest = found.record[:17]
    assert f"""RECORD: the file that `grep -rl '"digest": "{digest}' .` names; OPTIONS: its `options`; EXPORTS, made then: """ in told
    assert "1 old node is left: not applied yet, under way, or wrong" in answer.out


def test_what_should_stay_and_does_not_fails(recorded):
    after = (
        changed(old=("w0", "w1", "g0", "g1", "p0"))
        .karpenter("p1", "spare", "8")
        .reimaged("s0", "AKSUbuntu-2404-1")
        .reimaged("s1", "AKSUbuntu-2404-1")
    )
    answer = recorded.compare(after)
    assert answer.status == 1
    assert answer.out.startswith("shop: 2 contradicted, 3 of 5 predictions came true\n"), answer.out
    assert "  no change  weu/system  all were reimaged, with the same version and image: `s0`, `s1`" in answer.out
    assert "  no change  weu/spare   1 node replaced, and the NodeClaims of the new ones have another hash" in answer.out


def test_versions_that_were_not_predicted_fail(recorded):
    answer = recorded.compare(changed().agent("b1", "batchgy1s", "batch", version="v1.37.0"))
    assert answer.status == 1
    assert answer.out.startswith("shop: 1 change not predicted, 5 of 5 predictions came true\n"), answer.out
    assert "weu: 1 node at 1.37.0, which was not predicted: `b1`" in answer.out


def test_without_the_nodes_of_before_less_is_proved(book):
    answer = book.record()
    assert "notice: weu: the record has no nodes of it" in answer.err
    assert book.verdicts(changed()) == {
        "web": "seen",
        "general": "unknown",
        **dict.fromkeys(("batch", "system", "default", "system-surge", "spare"), "unknown"),
    }


def listed(cluster: Cluster) -> dict[str, list[dict[str, Any]]]:
    """The objects as `kubectl` lists them, by resource."""
    names = {"nodes": "Node", "pods": "Pod", "nodeclaims.karpenter.sh": "NodeClaim"}
    group = "shop-weu-nodes"
    objects = [one for one in cluster.exported() if one["kind"] in names.values()]
    for one in objects:
        held = one.get("spec", {}) if one["kind"] == "Node" else one["status"]
        if "providerID" in held:
            held["providerID"] = (
                f"azure:///subscriptions/0/resourceGroups/{group}/providers/Microsoft.Compute/virtualMachines{held['providerID'][8:]}"
            )
    return {resource: [one for one in objects if one["kind"] == kind] for resource, kind in names.items()}


def test_running_clusters_are_recorded_and_compared(book, kubectl):
    context = [{"name": "weu", "context": {"cluster": "shop-weu", "user": "jane"}}]
    kubectl(contexts=context, objects=listed(running()))
    answer = book.record("--context", "weu")
    assert (answer.status, "the record has no nodes of it" in answer.err) == (0, False), answer.all
    kubectl(contexts=context, objects=listed(changed()))
    answer = book.run("compare", "r.json", "--file", "new.yaml", "--context", "weu")
    assert (answer.status, answer.out.partition("\n")[0]) == (0, "shop: 5 of 5 predictions came true"), answer.all


def test_pods_that_are_pending_are_told(book):
    (book.folder / "w.yaml").write_text(WORKLOADS)
    (book.folder / "new.yaml").write_text(OLD.replace("general:", "other:"))
    book.record("--workloads", "w.yaml", cluster=running())
    after = running().without("g0", "g1").pod("app-1", pending=True, owner="app-5d4f").pod("other-1", pending=True, owner="other-5d4f")
    answer = book.compare(after)
    assert "weu: shop/app-1 is Pending, as predicted" in answer.out
    assert "weu: shop/other-1 is Pending, which was not predicted" in answer.out
    assert (
        "next: kubectl describe pod -n shop other-1 --context CONTEXT  # changes nothing; shows why it is Pending in weu; CONTEXT: that of weu"
        in answer.out.splitlines()
    )


def test_a_pod_that_the_change_cannot_have_made_pending_is_not_blamed_on_it(recorded):
    after = changed().pod("old-1", pending=True, lastTransitionTime=at(NOW - HOUR), message="0/2 nodes are available: 2 Insufficient cpu.")
    after.pod("db-1", pending=True, lastTransitionTime=at(NOW + HOUR), message="0/2 nodes: pod has unbound immediate PersistentVolumeClaims.")
    after.pod("db-2", pending=True, message='persistentvolumeclaim "data" not found')
    answer = recorded.compare(after)
    assert "weu: shop/old-1 is Pending, and was before the change" in answer.out
    assert all(f"weu: shop/{name} is Pending, because a claim of it has no volume" in answer.out for name in ("db-1", "db-2"))
    assert ("not predicted" in answer.out, "kubectl describe" in answer.out) == (False, False), answer.all
    assert "shop/late is Pending, which was not predicted" in recorded.compare(after.pod("late", pending=True, lastTransitionTime=at(NOW + HOUR))).out


def test_nodes_that_are_not_ready_are_named(recorded):
    after = changed()
    assert "not ready" not in recorded.compare(after).err
    after.ready = {"w2": "Unknown", "g3": "False", "g2": "True"}
    answer = recorded.compare(after)
    assert (answer.status, "weu: 2 nodes not ready: `g3`, `w2`" in answer.err) == (0, True), answer.all


def test_exports_without_pods_are_not_complete(recorded):
    after = changed()
    after.objects = [one for one in after.objects if one["kind"] != "Pod"]
    answer = recorded.compare(after)
    assert (answer.status, "error: weu: the exports have no pods" in answer.err) == (2, True), answer.all


def test_predictions_of_a_cluster_that_was_not_exported_are_not_decided(book):
    for file, text in (("old.yaml", OLD), ("new.yaml", NEW)):
        (book.folder / file).write_text(f"{text}{text.partition('clusters:')[2].replace('weu:', 'neu:').replace('10.10.', '10.11.')[1:]}")
    assert book.record(cluster=running()).status == 0
    answer = book.compare(changed())
    assert (answer.status, answer.out.partition("\n")[0].partition(" (")[0]) == (2, "shop: 5 of 5 decided predictions came true"), answer.all
    assert "  rotates    neu/web" in answer.out
    assert "error: neu: the exports have nothing of it" in answer.err
    assert sum(one["verdict"] == "unknown" for one in book.compare(changed(), "--format", "json").json["results"]) == 7


def test_an_upgrade_is_recorded_and_compared(book):
    book.run("upgrade", "--file", "old.yaml", "--to", "1.36", "--existing", running().export(book.folder, "before"), "--record", "r.json")
    (book.folder / "new.yaml").write_text(OLD.replace('"1.35"', '"1.36"'))
    after = running().without("g0", "g1", "p0")
    for name in ("s0", "s1", "w0", "w1", "b0"):
        after.reimaged(name, "AKSUbuntu-2404-2", "v1.36.1")
    after.karpenter("g2", "general", "1", version="v1.36.1").karpenter("p2", "spare", "1", version="v1.36.1")
    answer = book.compare(after, "--applied", at(NOW + HOUR), "-o", "u.json")
    assert (answer.status, answer.out.splitlines()[0]) == (0, "shop: 5 of 5 predictions came true"), answer.all
    record = json.loads((book.folder / "r.json").read_text())["clusters"][0]
    agents = [pool for pool in record["pools"] if pool["effect"] == "reimages"]
    assert sorted((pool["order"], pool["pool"]) for pool in agents) == [(2, "web"), (3, "batch"), (4, "system")]
    assert all(pool["bounded_minutes"] for pool in agents)
    told = book.run("ledger", "u.json", "--format", "json").json["rates"]
    assert [(one["effect"], one["version"], one["seen"]) for one in told] == [("rolls", "1.36", 2), ("reimages", "1.36", 3)]


def test_records_have_the_commit_of_their_declaration_and_can_be_its_note(book):
    def git(*words: str) -> str:
        who = ("-c", "user.name=a", "-c", "user.email=a@example.com")
        return subprocess.run(["git", *who, *words], cwd=book.folder, capture_output=True, text=True, check=True).stdout

    def commit_of_record() -> str | None:
        return json.loads((book.folder / "r.json").read_text()).get("commit")

    book.record()
    assert commit_of_record() is None
    git("init", "--quiet")
    git("add", "old.yaml", "new.yaml")
    git("commit", "--quiet", "-m", "edit")
    head = git("rev-parse", "HEAD").strip()
    book.run("upgrade", "--file", "old.yaml", "--to", "1.36", "--record", "r.json")
    assert commit_of_record() == head
    book.record(cluster=running())
    assert commit_of_record() == head
    git("notes", "--ref=nodepools", "add", "-F", "r.json")
    (book.folder / "r.json").unlink()
    note = git("notes", "--ref=nodepools", "show")
    words = ("--file", "new.yaml", "--existing", changed().export(book.folder, "after"))
    answer = book.run("compare", "-", *words, "--applied", at(NOW + HOUR), stdin=note)
    assert answer.out.startswith("shop: 5 of 5 predictions came true"), answer.all


NOT_USABLE = {
    "not JSON": ("r.json", lambda text: text[:-40], "r.json: is not JSON, or damaged"),
    "edited": ("r.json", lambda text: text.replace("rotates", "rolls"), "r.json: was changed after it was written"),
    "another version": ("r.json", lambda text: text.replace("record/1", "record/9"), "has the schema `nodepools/record/9` of another version"),
    "no record": ("r.json", lambda _: "[]", "r.json: is not written by `nodepools diff` or `upgrade` with `--record FILE`"),
    "a field that is missing": ("r.json", lambda text: text.replace('"options"', '"option"'), "r.json: `options` is not valid (field required)"),
    "an effect that is not one": ("r.json", lambda text: text.replace("rotates", "rotate"), "`clusters.0.pools.0.effect` is not valid"),
    "another declaration": ("new.yaml", lambda text: text.replace("count: 2", "count: 3"), "r.json: is about another declaration of cluster `weu`"),
    "another stack": ("new.yaml", lambda text: text.replace("name: shop", "name: cart"), "r.json: is about stack `shop`, and `cart` was read"),
    "another cluster": ("new.yaml", lambda text: text.replace("weu:", "neu:"), "r.json: is about cluster `weu`, which is not declared"),
}


@pytest.mark.parametrize(("name", "edit", "message"), NOT_USABLE.values(), ids=NOT_USABLE)
def test_what_cannot_be_compared_is_one_message(recorded, name, edit, message):
    file = recorded.folder / name
    file.write_text(edit(file.read_text()))
    answer = recorded.compare(changed())
    assert (answer.status, answer.out) == (2, ""), answer.all
    assert message in answer.err
    assert len([line for line in answer.err.splitlines() if line.startswith("error: ")]) == 1


def test_a_time_without_seconds_can_be_in_the_minute_of_the_record(recorded):
    record = Record.read((recorded.folder / "r.json").read_text())
    minute = record.recorded_at.replace(second=0, microsecond=0)
    (recorded.folder / "r.json").write_text(record.model_copy(update={"recorded_at": minute + timedelta(seconds=40)}).text())
    assert recorded.compare(changed(), "--applied", f"{minute:%Y-%m-%dT%H:%MZ}").status == 0
    for earlier in (minute + timedelta(seconds=39), minute - timedelta(seconds=1)):
        assert "is before the record was made" in recorded.compare(changed(), "--applied", earlier.isoformat()).err


def test_exports_that_cannot_be_used_are_one_message(recorded):
    assert "export the clusters after the change" in recorded.compare(running()).err
    empty = Cluster(AFTER).pod("p")
    answer = recorded.compare(empty)
    assert (answer.status, answer.out) == (2, ""), answer.all
    answer = recorded.run("compare", "r.json", "--file", "new.yaml")
    assert "error: what happened is in exports: add `--context NAME`" in answer.err
    answer = recorded.compare(changed(), "--applied", "2020-01-01T00:00Z")
    assert "is before the record was made" in answer.err
    answer = recorded.compare(changed(), "--applied", "soon")
    assert "`--applied` must be a time such as 2026-11-21T02:30Z, not `soon`" in answer.err
    answer = recorded.compare(changed(), "-o", "r.json")
    assert "error: r.json: is an input of this command" in answer.err


def test_exports_of_two_times_are_no_contradiction(recorded):
    answer = recorded.compare(changed(), "--existing", "before", "--applied", at(NOW + HOUR))
    assert (answer.status, answer.out.splitlines()[0].partition(" (")[0]) == (2, "shop: none of 5 predictions is decided yet"), answer.all
    assert "two exports have different nodes, such as `g0`: use one list of all nodes, of one time" in answer.out
    later = recorded.record("--existing", "before", "--existing", "after")
    assert "weu: two exports have different nodes" in later.err


def test_a_change_that_was_applied_after_the_exports_is_told(recorded):
    answer = recorded.compare(changed(), "--applied", at(AFTER + 2 * HOUR))
    assert f"before `--applied` ({AFTER + 2 * HOUR:%Y-%m-%dT%H:%MZ}), which therefore proves nothing" in answer.err, answer.all


def test_nodes_of_another_cluster_prove_nothing(recorded):
    after = changed()
    for one in after.objects:
        if one["kind"] == "Node":
            one["spec"]["providerID"] = "aws:///eu-west-1a/i-0123456789abcdef0"
    answer = recorded.compare(after)
    assert (answer.status, answer.out) == (2, ""), answer.all


def test_what_predicts_nothing_is_not_recorded(book):
    plan = book.run("diff", "old.yaml", "before", "--record", "r.json")
    assert plan.status == 2
    assert "`--record` writes what an upgrade does: use it with `--to VERSION`" in book.run("upgrade", "--file", "old.yaml", "--record", "r.json").err
    (book.folder / "w.yaml").write_text(BLOCKED)
    answer = book.run("upgrade", "--file", "old.yaml", "--to", "1.36", "--workloads", "w.yaml", "--record", "r.json")
    assert "r.json: not written, because the upgrade is blocked: weu" in answer.err
    book.record("--existing", "missing.json")
    assert not (book.folder / "r.json").exists()


def test_a_record_has_no_secret(book):
    written = "AKIAIOSFODNN7EXAMPLE"
    (book.folder / "new.yaml").write_text(NEW.replace("tier: app", f"tier: {written}"))
    book.record(cluster=running())
    assert written not in (book.folder / "r.json").read_text()


def test_a_ledger_reads_ten_thousand_comparisons(book):
    result = PoolResult(
        stack="shop", cluster="weu", pool="web", cloud="AKS", version="1.35", effect="rotates", verdict="seen", message="m", observed_minutes=7
    )
    folder = book.folder / "many"
    folder.mkdir()
    for number in range(10_000):
        one = Compared(record=f"r{number}", recorded_at=NOW, taken_at=AFTER, results=(result,))
        (folder / f"{number}.json").write_text(one.text())
    (folder / "again.json").write_text(Compared(record="r7", recorded_at=NOW, taken_at=AFTER + HOUR, results=()).text())
    started = perf_counter()
    answer = book.run("ledger", "many")
    assert perf_counter() - started < 60
    assert answer.out.splitlines()[0] == "9,999 of 9,999 decided predictions came true (100 %) in 10,000 comparisons", answer.all
    assert "1 comparison of a record that was compared again" in answer.out


def test_a_ledger_says_what_is_no_comparison(book):
    (book.folder / "x.json").write_text("{}")
    answer = book.run("ledger", "x.json")
    assert (answer.status, answer.out) == (2, "")
    assert "x.json: is not written by `nodepools compare RECORD -o FILE`: it has no `schema`" in answer.err
    book.record(cluster=running())
    assert "no record was compared yet" in book.run("ledger", "r.json").err
