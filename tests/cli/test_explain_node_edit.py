"""`explain node/NAME`: the field, the commit, the budget and the window of a replacement, and what stays unknown."""

import json
import re
import shutil
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import yaml

from nodepools.changes.drift import aks_node_class_hash, node_pool_hash
from nodepools.changes.platform_changes import requests_of
from nodepools.clouds.change import AKS_NODE_CLASS, NODE_POOL
from nodepools.loading import load_text
from tests.cli.conftest import Run, started

POOL, CLASS = "karpenter.sh/nodepool-hash", "karpenter.azure.com/aksnodeclass-hash"
SATURDAY = "2026-11-21T02:00:00Z"
BUDGETS = [{"nodes": "0", "schedule": "0 6 * * SUN", "duration": "139h"}, {"nodes": "20%"}]
"""Open on Saturdays from 01:00 to Sunday at 06:00."""


def declared(**pool: Any) -> str:
    """A platform file; `own` is a node class."""
    provisioning: dict[str, Any] = {"node_pools": {"general": {"node_class": "own", "disruption": {"budgets": BUDGETS}, **pool}}}
    provisioning["node_classes"] = {"own": {"os_disk_size_gb": pool.pop("disk", 128)}}
    provisioning["node_pools"]["general"].pop("disk", None)
    cluster = {
        "kind": "AksCluster",
        "location": "westeurope",
        "kubernetes_version": "1.35",
        "system_pool": {"vm_size": "Standard_D4ds_v5", "count": 3},
        "node_provisioning": provisioning,
    }
    return yaml.safe_dump({"name": "dev", "clusters": {"weu": cluster}})


def hashes(text: str) -> dict[str, str]:
    sent = {one.resource.type: one.sent for one in requests_of(load_text(text, "dev.yaml")).all}
    found = {POOL: node_pool_hash(sent[NODE_POOL]), CLASS: aks_node_class_hash(sent[AKS_NODE_CLASS])}
    return {**found, **{f"{key}-version": "v3" for key in found}}


class Repository:
    """A git repository with one platform file, and the cluster that it declares."""

    def __init__(self, folder: Path, nodepools: Run) -> None:
        self.folder, self.nodepools, self.objects = folder, nodepools, list[dict[str, Any]]()
        self.git("init", "--quiet")
        self.node("other", hashes(declared()))

    def git(self, *words: str) -> str:
        identity = ("-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false")
        return subprocess.run(["git", *identity, *words], cwd=self.folder, check=True, capture_output=True, text=True).stdout.strip()

    def commit(self, text: str) -> str:
        (self.folder / "dev.yaml").write_text(text)
        self.git("add", "dev.yaml")
        self.git("commit", "--quiet", "-m", "edit")
        return self.git("rev-parse", "HEAD")

    def node(self, name: str, launched: dict[str, str], drift: str = "", **more: Any) -> None:
        conditions = [{"type": "Drifted", "status": "True", "reason": drift}] if drift else []
        labels = {"karpenter.sh/nodepool": "general", **more.pop("labels", {})}
        annotations = {**launched, **more.pop("annotations", {})}
        spec = more.pop("spec", {})
        metadata = {
            "name": f"{name}-claim",
            "uid": f"{name}-claim",
            "annotations": annotations,
            "labels": labels,
            "creationTimestamp": SATURDAY,
            **more,
        }
        status = {"nodeName": name, "conditions": conditions}
        self.objects.append({"apiVersion": "karpenter.sh/v1", "kind": "NodeClaim", "metadata": metadata, "spec": spec, "status": status})
        metadata = {"name": name, "uid": name, "creationTimestamp": "2026-11-01T09:00:00Z", "labels": labels}
        self.objects.append({"apiVersion": "v1", "kind": "Node", "metadata": metadata})

    def event(self, name: str, why: str, at: str = SATURDAY) -> None:
        about = {"kind": "Node", "name": name}
        event = {
            "apiVersion": "v1",
            "kind": "Event",
            "metadata": {"name": f"{name}.{at}"},
            "involvedObject": about,
            "reason": "DisruptionTerminating",
        }
        self.objects.append({**event, "message": f"Disrupting Node: {why}", "lastTimestamp": at})

    def explained(self, name: str = "old", *more: str) -> tuple[int, str, dict[str, Any]]:
        (self.folder / "weu.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": self.objects}))
        words = ("explain", f"node/{name}", "--file", "dev.yaml", "--existing", "weu.json", *more)
        told = json.loads(self.nodepools(*words, "--format", "json", cwd=self.folder).out)
        answer = self.nodepools(*words, cwd=self.folder)
        return answer.status, " ".join(f"{answer.out}{answer.err}".split()), told


@pytest.fixture
def repository(tmp_path: Path, nodepools: Run) -> Repository:
    return Repository(tmp_path, nodepools)


OLD, NEW, LATER = declared(labels={"tier": "web"}), declared(labels={"tier": "app"}), declared(labels={"tier": "app"}, expire_after="100h")


def test_the_field_the_commit_the_budget_and_the_window(repository: Repository):
    repository.commit(OLD)
    commit = repository.commit(NEW)
    repository.commit(LATER)
    repository.node("old", hashes(OLD), "NodePoolDrifted")
    repository.node("new", hashes(LATER))
    repository.event("old", "Drifted")
    status, answer, told = repository.explained()
    assert (status, told["commit"], told["applied"], told["reason"]) == (0, commit, True, "Drifted")
    assert told["edits"] == [{"path": "clusters.weu.node_provisioning.node_pools.general.labels.tier", "old": "web", "new": "app"}]
    assert told["budgets"] == ["20%"]
    assert told["window"] == {"start": "2026-11-21T01:00:00+00:00", "end": "2026-11-22T06:00:00+00:00", "open": True}
    assert f"because of drift (NodePoolDrifted) by `clusters.weu.node_provisioning.node_pools.general.labels.tier` in commit {commit[:10]}" in answer
    assert f"next: nodepools diff {commit[:10]}~1 {commit[:10]} --file dev.yaml" in answer
    assert "open from Sat 2026-11-21 01:00Z until Sun 2026-11-22 06:00Z" in answer
    again = repository.nodepools("diff", f"{commit[:10]}~1", commit[:10], "--file", "dev.yaml", cwd=repository.folder)
    assert "labels.tier" in again.out


@pytest.mark.parametrize(
    ("drift", "field"), [("NodePoolDrifted", "taints"), ("NodeClassDrift", "os_disk_size_gb"), ("RequirementsDrifted", "requirements")]
)
def test_only_the_fields_for_the_reason_of_the_drift(repository: Repository, drift: str, field: str):
    old, new = (
        declared(disk=disk, taints=taints, requirements=[{"key": "kubernetes.io/arch", "operator": "In", "values": [arch]}])
        for disk, taints, arch in ((64, [], "arm64"), (256, [{"key": "a", "effect": "NoSchedule"}], "amd64"))
    )
    repository.commit(old)
    commit = repository.commit(new)
    repository.node("old", hashes(old), drift, labels={"kubernetes.io/arch": "arm64"})
    repository.node("new", hashes(new))
    _, answer, told = repository.explained()
    assert (told["commit"], {one["path"].partition("[")[0].rpartition(".")[2] for one in told["edits"]}) == (commit, {field}), answer


def test_a_commit_without_the_pool_is_not_the_answer(repository: Repository):
    repository.commit(OLD)
    repository.commit(OLD.replace("general:", "other:"))
    repository.commit(NEW)
    repository.node("old", hashes(OLD), "NodePoolDrifted")
    repository.node("new", hashes(NEW))
    _, answer, told = repository.explained()
    assert (told["commit"], "does not have the pool, or not all of its values are known" in answer) == (None, True), answer


@pytest.mark.parametrize(
    ("live", "created", "drift"),
    [
        pytest.param(hashes(NEW), "2026-11-21T01:59:00Z", "NodePoolDrifted", id="launched before the other went"),
        pytest.param(hashes(NEW), "2026-11-21T02:01:00Z", None, id="the NodePool can have been edited afterwards"),
        pytest.param({**hashes(NEW), f"{POOL}-version": "v9"}, "2026-11-21T01:59:00Z", None, id="another version of the hash"),
    ],
)
def test_a_node_that_went_drifted_from_what_was_there_before(repository: Repository, live: dict[str, str], created: str, drift: str | None):
    repository.commit(OLD)
    repository.commit(NEW)
    repository.objects = [{"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": {"name": "general", "annotations": live}}]
    repository.node("old", hashes(OLD), deletionTimestamp=SATURDAY)
    repository.node("new", {key: value for key, value in live.items() if not key.startswith(CLASS)}, creationTimestamp=created)
    repository.event("old", "Drifted")
    assert repository.explained()[2]["drift"] == drift


@pytest.mark.parametrize("at", ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "0001-01-01T00:00:00+14:00"])
def test_times_without_a_meaning(repository: Repository, at: str):
    repository.commit(OLD)
    repository.node("old", hashes(OLD), spec={"expireAfter": "99999999999h"})
    repository.event("old", "Empty", at)
    status, answer, _ = repository.explained()
    assert (status, "nothing in the exports replaces it" in answer) == (0, True), answer
    repository.objects[-1] |= {"eventTime": SATURDAY}
    assert repository.explained()[2]["at"] == "2026-11-21T02:00:00+00:00"


def test_a_number_that_no_object_has():
    overrides = {"maxPods": 99999999999, "kubelet": {"cpuCFSQuotaPeriod": "99999999999h"}}
    assert aks_node_class_hash(overrides) != aks_node_class_hash({})


def test_an_edit_of_the_node_class(repository: Repository):
    old, new = declared(disk=64), declared(disk=256)
    repository.commit(old)
    commit = repository.commit(new)
    repository.node("old", hashes(old), "NodeClassDrift")
    repository.node("new", hashes(new))
    status, answer, told = repository.explained()
    assert (status, told["commit"], [one["new"] for one in told["edits"]]) == (0, commit, [256])
    assert "will be replaced, within the disruption budgets, because of drift (NodeClassDrift) by" in answer


def test_requirements_that_a_node_no_longer_meets(repository: Repository):
    arm, amd = (declared(requirements=[{"key": "kubernetes.io/arch", "operator": "In", "values": [arch]}]) for arch in ("arm64", "amd64"))
    repository.commit(arm)
    commit = repository.commit(amd)
    repository.node("old", hashes(arm), "RequirementsDrifted", labels={"kubernetes.io/arch": "arm64"})
    status, _, told = repository.explained()
    assert (status, told["commit"]) == (0, commit)
    assert told["edits"][0]["path"].startswith("clusters.weu.node_provisioning.node_pools.general.requirements")


def test_a_node_that_is_gone_is_known_from_a_record(repository: Repository):
    """Its NodeClaim is deleted with it: the record has the hash of before."""
    repository.commit(OLD)
    repository.node("old", hashes(OLD))
    repository.explained()
    (repository.folder / "before").mkdir()
    (repository.folder / "weu.json").rename(repository.folder / "before/weu.json")
    (repository.folder / "old.yaml").write_text(OLD)
    commit = repository.commit(NEW)
    recorded = repository.nodepools("diff", "old.yaml", "dev.yaml", "--existing", "before", "--record", "record.json", cwd=repository.folder)
    assert (repository.folder / "record.json").is_file(), recorded.err
    repository.objects = []
    repository.node("new", hashes(NEW))
    repository.event("old", "Drifted")
    assert repository.explained()[2]["commit"] is None
    status, answer, told = repository.explained("old", "--existing", "record.json")
    assert (status, told["commit"], told["exists"]) == (0, commit, False), answer
    assert (
        f"was replaced because of drift (NodePoolDrifted) by `clusters.weu.node_provisioning.node_pools.general.labels.tier` in commit {commit[:10]}"
        in answer
    )


@pytest.mark.parametrize(
    ("launched", "live", "text"),
    [
        pytest.param({**hashes(OLD), POOL: "1"}, hashes(NEW), "of the last 20 commits in git, none has the declaration", id="a hash of no commit"),
        pytest.param(hashes(NEW), {**hashes(NEW), POOL: "2"}, "the cluster has an edit that is not declared", id="kubectl edit"),
        pytest.param(hashes(OLD), {**hashes(NEW), POOL: "2"}, "the cluster has an edit that is in none of the commits", id="another edit is applied"),
        pytest.param({**hashes(OLD), f"{POOL}-version": "v9"}, hashes(NEW), "has no hash of version v3", id="another version of the hash"),
        pytest.param({}, hashes(NEW), "has no hash of version v3", id="no hash"),
    ],
)
def test_no_commit_is_named_without_proof(repository: Repository, launched: dict[str, str], live: dict[str, str], text: str):
    repository.commit(OLD)
    repository.commit(NEW)
    repository.objects = []
    repository.node("old", launched, "NodePoolDrifted")
    repository.node("new", live)
    _, answer, told = repository.explained()
    assert (told["commit"], text in answer) == (None, True), answer
    assert "next: nodepools diff OLD --existing EXPORTS --record FILE" in answer


def test_a_commit_that_is_not_shown_to_be_applied_is_not_the_answer(repository: Repository):
    repository.objects = []
    repository.commit(OLD)
    repository.commit(NEW)
    repository.node("old", hashes(OLD), "NodePoolDrifted")
    _, answer, told = repository.explained()
    assert (told["applied"], "that it is applied is not shown" in answer) == (False, True)
    assert "because of drift (NodePoolDrifted), unless pods" in answer, "the first line does not name it"


def test_an_edit_that_is_not_committed(repository: Repository):
    repository.commit(OLD)
    (repository.folder / "dev.yaml").write_text(NEW)
    repository.node("old", hashes(OLD), "NodePoolDrifted")
    repository.node("new", hashes(NEW))
    _, answer, told = repository.explained()
    assert (told["commit"], "in an edit that is not committed" in answer) == (None, True)


GOING = {"creationTimestamp": "2026-11-01T09:00:00Z", "deletionTimestamp": "2026-11-05T13:00:04Z"}


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        pytest.param({"spec": {"expireAfter": "100h"}}, "Expired", id="at its age"),
        pytest.param({"spec": {"expireAfter": "Never"}}, None, id="it never expires"),
        pytest.param({"spec": {"expireAfter": "101h"}}, None, id="before its age"),
        pytest.param({"spec": {"expireAfter": "90h"}}, None, id="long after its age, when Karpenter did not run"),
        pytest.param(
            {"annotations": {"karpenter.sh/nodeclaim-termination-timestamp": "2026-11-05T13:00:03Z"}}, "Unhealthy", id="without time to drain"
        ),
        pytest.param(
            {"annotations": {"karpenter.sh/nodeclaim-termination-timestamp": "2026-11-05T14:00:03Z"}, "spec": {"terminationGracePeriod": "1h0m0s"}},
            None,
            id="with time to drain",
        ),
        pytest.param(
            {"annotations": {"karpenter.sh/nodeclaim-termination-timestamp": "2026-11-05T13:00:04Z"}, "spec": {"terminationGracePeriod": "0s"}},
            None,
            id="its own time to drain is 0",
        ),
    ],
)
def test_what_karpenter_deletes_without_an_event(repository: Repository, more: dict[str, Any], reason: str | None):
    """Karpenter 1.14: nodeclaim/expiration deletes at the age, node/health sets the end of the drain to now; neither writes an event."""
    repository.commit(OLD)
    repository.node("old", hashes(OLD), **more, **GOING)
    status, answer, told = repository.explained()
    assert (told["reason"], status) == (reason, 0 if reason is not None else 2), answer
    assert ("budgets do not limit it" in answer) is (reason is not None)


def test_a_window_that_was_closed_as_declared_is_said(repository: Repository):
    repository.commit(OLD)
    repository.node("old", hashes(OLD), "NodePoolDrifted")
    repository.event("old", "Drifted", at="2026-11-18T02:00:00Z")
    _, answer, told = repository.explained()
    assert (told["window"]["open"], "as declared now: other budgets applied then" in answer) == (False, True)
    assert datetime.fromisoformat(told["window"]["end"]) == datetime(2026, 11, 21, 1, tzinfo=UTC)


def test_a_damaged_record_is_an_error(repository: Repository):
    repository.commit(OLD)
    (repository.folder / "record.json").write_text(json.dumps({"schema": "nodepools/record/1", "digest": "x"}))
    answer = repository.nodepools("explain", "node/old", "--file", "dev.yaml", "--existing", "record.json", cwd=repository.folder)
    assert (answer.status, "record.json" in answer.err, len(answer.err.splitlines())) == (2, True, 1), answer.err


def test_the_page_shows_what_it_prints(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The example of the ledger, in a repository with one commit before the edit and one with it, at fixed times."""
    example, told = project / "examples/ledger", tmp_path / "shop"
    shutil.copytree(example / "after", told / "after")
    for name in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{name}_DATE", "2026-11-24T09:45:00Z")
    repository = Repository(told, started)
    for declaration in ("old.yaml", "platform.yaml"):
        shutil.copy(example / declaration, told / "platform.yaml")
        repository.git("add", "platform.yaml")
        repository.git("commit", "--quiet", "-m", declaration)
    [shown] = re.findall(r"```text\n\$ nodepools (explain node/.*?)\n(.*?)```", (project / "docs/explain.md").read_text(), re.DOTALL)
    answer = started(*shown[0].split(), cwd=told, env={"COLUMNS": "100"})
    assert (answer.out, answer.status) == (shown[1], 0), answer.err
