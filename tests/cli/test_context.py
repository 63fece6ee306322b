"""`--context`: a running cluster, read with the user's own kubectl."""

import json
import time

import pytest

from nodepools.cli.inputs.kubectl import RESOURCES, WORKLOADS
from tests.cli.conftest import Run
from tests.cli.inputs import PLATFORM
from tests.cli.running import SPEC, agent, deployment, node
from tests.cluster_role import allowed, cluster_role


@pytest.mark.parametrize(("workload", "status", "first"), [("deploy/web", 0, "web (Deployment) fits n0"), ("deploy/big", 1, "stays Pending")])
def test_a_workload_of_the_cluster(nodepools: Run, kubectl, tmp_path, workload, status, first):
    kubectl()
    answer = nodepools("explain", workload, "--context", "dev", cwd=tmp_path)
    assert answer.status == status, answer.all
    assert first in answer.out.splitlines()[0]
    assert "dev" in answer.out.splitlines()[0]


def test_secrets_are_not_requested_and_nothing_is_changed(nodepools: Run, kubectl, tmp_path):
    log = kubectl()
    nodepools("explain", "deploy/web", "--context", "dev", cwd=tmp_path)
    calls = log.read_text().splitlines()
    verbs = {next(word for word in call.split() if not word.startswith("--") and word != "dev") for call in calls}
    assert verbs == {"config", "api-resources", "get"}
    assert not any(word in call for call in calls for word in ("secrets", "configmaps"))


@pytest.mark.parametrize(
    ("cluster", "message"),
    [
        ({"behaviour": "expired"}, "the login has expired or is not valid"),
        ({"behaviour": "unreachable"}, "the cluster cannot be reached"),
        ({"behaviour": "rubbish"}, "did not print JSON"),
        ({"behaviour": "hangs"}, "did not end within 1 s"),
        ({"forbidden": ["nodes", "pods"]}, "you may not list nodes and pods"),
        ({"contexts": []}, "it has no context"),
        ({"contexts": [{"name": "dve", "context": {"cluster": "x"}}]}, "use `dve`"),
    ],
)
def test_one_clear_message_for_what_cannot_be_read(nodepools: Run, kubectl, tmp_path, monkeypatch, cluster, message):
    kubectl(**cluster)
    monkeypatch.setenv("NODEPOOLS_MAX_SECONDS", "1" if cluster.get("behaviour") == "hangs" else "60")
    (tmp_path / "w.yaml").write_text(json.dumps(deployment("web", "1")))
    answer = nodepools("explain", "w.yaml", "--context", "dev", cwd=tmp_path)
    assert answer.status == 2
    assert answer.out == ""
    assert message in answer.err
    assert answer.err.count("error:") == 1


def test_no_kubectl(nodepools: Run, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    answer = nodepools("explain", "deploy/web", "--context", "dev", cwd=tmp_path)
    assert answer.status == 2
    assert "--context needs `kubectl` on PATH: install it" in answer.err


def test_what_may_not_be_listed_is_named(nodepools: Run, kubectl, tmp_path):
    kubectl(forbidden=["pods", "poddisruptionbudgets.policy"], objects={"nodes": [node()], "pods": [], "poddisruptionbudgets.policy": []})
    answer = nodepools("explain", "deploy/web", "--context", "dev", cwd=tmp_path)
    assert answer.status == 2
    assert "you may not list `pods`: how much room nodes have is not known" in answer.err
    assert "you may not list `poddisruptionbudgets.policy`" in answer.err
    assert "web (Deployment) fits n0" not in answer.out


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (("deploy/wbe", "--context", "dev"), "deploy/wbe: not found: use `deployment/web` (namespace `default` of context `dev`"),
        (("deploy/web", "--context", "prod-weu"), "deploy/web: is in namespace `default`: use `-n default` (namespace `shop` of context `prod-weu`"),
        (("deploy/wbe", "--context", "prod-weu"), "deploy/wbe: not found: use `deployment/web -n default`"),
        (("sts/web", "--context", "dev"), "sts/web: not found (namespace"),
        (("nodes/n0", "--context", "dev"), "nodes/n0: is a node, not a workload: name its pods"),
    ],
)
def test_a_workload_that_does_not_exist(nodepools: Run, kubectl, tmp_path, asked, message):
    kubectl()
    answer = nodepools("explain", *asked, cwd=tmp_path)
    assert answer.status == 2
    assert message in answer.err
    assert answer.err.count("error:") == 1


@pytest.fixture
def export(tmp_path):
    """A folder with a cluster: `web` is in one namespace, `api` in two."""
    several = [deployment("web", "1"), deployment("api", "1"), {**deployment("api", "1"), "metadata": {"name": "api", "namespace": "shop"}}]
    other = {**agent(0), "metadata": {"name": "tool", "namespace": "tools", "uid": "t"}}
    (tmp_path / "export").mkdir()
    (tmp_path / "export" / "objects.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": [node(), agent(0), other, *several]}))
    return tmp_path


@pytest.mark.parametrize("asked", [("deploy/web",), ("deployments/api", "-n", "shop")])
def test_a_workload_in_files(nodepools: Run, export, asked):
    answer = nodepools("explain", *asked, "--existing", "export", cwd=export)
    assert answer.status == 0, answer.all
    assert "(Deployment) fits n0" in answer.out.splitlines()[0]


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (("deploy/api",), "deploy/api: is in namespaces `default`, `shop`: use `-n default` (in the files of `--existing`)"),
        (("deploy/wbe",), "deploy/wbe: not found: use `deployment/web`"),
        (("deploy/web", "-n", "shop"), "deploy/web: is in namespace `default`: use `-n default`"),
        (("web.yaml", "-n", "shop"), "`--namespace` is of workloads such as `deploy/web`: manifests have `metadata.namespace`"),
        (("deploy/web", "web.yaml", "-n", "default"), "`--namespace` is of workloads such as `deploy/web`"),
        (("job/web",), "job/web: the files of `--existing` have no Job. Save the output of `kubectl get jobs.batch -A -o yaml` in a file"),
    ],
)
def test_a_workload_that_files_do_not_have(nodepools: Run, export, asked, message):
    answer = nodepools("explain", *asked, "--existing", "export", cwd=export)
    assert (answer.status, answer.out) == (2, "")
    assert message in answer.err


def test_a_file_of_that_name(nodepools: Run, export):
    (export / "deploy").mkdir()
    (export / "deploy" / "web").write_text(json.dumps(deployment("other", "1")))
    answer = nodepools("explain", "deploy/web", "--existing", "export", cwd=export)
    assert "other (Deployment) fits n0" in answer.out.splitlines()[0]
    assert "deploy/web: is a file here, which is read: a workload of the cluster with this name is not" in answer.all


def test_a_cluster_that_is_not_declared(nodepools: Run, kubectl, tmp_path):
    kubectl(objects={"nodes": [node(group="MC_other_other_northeurope")], "pods": []}, contexts=[{"name": "dev", "context": {"cluster": "other"}}])
    (tmp_path / "platform.yaml").write_text(PLATFORM)
    answer = nodepools("explain", "deploy/web", "--file", "platform.yaml", "--context", "dev", cwd=tmp_path)
    assert answer.status == 2
    assert "in no declared cluster" in answer.err


def test_many_nodes(nodepools: Run, kubectl, tmp_path):
    kubectl(objects={"nodes": [node(number) for number in range(5_000)], "pods": [agent(number) for number in range(5_000)]})
    started = time.monotonic()
    answer = nodepools("explain", "deploy/web", "--context", "dev", cwd=tmp_path)
    assert answer.status == 0, answer.all
    assert time.monotonic() - started < 60


def test_commands_read_the_same(nodepools: Run, kubectl, tmp_path):
    pool = {"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": {"name": "web", "uid": "1"}, "spec": {"template": {"spec": SPEC}}}
    kubectl(objects={"nodes": [node()], "pods": [], "nodepools.karpenter.sh": [pool]})
    for command, status, first in (("capacity", 0, "unknown:"), ("calendar", 0, "web"), ("check", 1, "dev-weu")):
        answer = nodepools(command, "--context", "dev", cwd=tmp_path)
        assert answer.status == status, answer.all
        assert first in answer.out.splitlines()[0], answer.all
    answer = nodepools("upgrade", "--to", "1.36", "--context", "dev", cwd=tmp_path)
    assert answer.status == 2
    assert "Save the output of `aws eks describe-cluster` or `az aks show` in a file" in answer.err


def test_the_cluster_role_of_the_guide_is_what_is_requested(project):
    """No verb and no resource more: `get` for workloads that are named, `list` for the others."""
    requested = {**{resource: {"list"} for resource in RESOURCES}, **{resource: {"get", "list"} for _, resource, _ in WORKLOADS}}
    assert allowed(cluster_role(project)) == requested


MAPPED = '[tool.nodepools]\ncontexts = {{dev = "{}"}}\n'


@pytest.mark.parametrize(
    ("cluster", "group", "status", "told"),
    [
        pytest.param("dev/weu", "dev-weu-nodes", 0, "dev", id="the nodes are in it"),
        pytest.param(
            "dev/weu", "dev-neu-nodes", 2, "its nodes are in `dev/neu`: the settings say that it is `dev/weu`", id="the nodes are in another one"
        ),
        pytest.param("dev/wue", "dev-weu-nodes", 2, "it is `dev/wue`, which is not declared: use `dev/weu`", id="no such cluster"),
        pytest.param("gone/weu", "dev-weu-nodes", 2, "gone", id="no such stack"),
        pytest.param("weu", "dev-weu-nodes", 2, "`tool.nodepools.contexts.dev` must be `STACK/CLUSTER`, such as `prod/weu`", id="no stack"),
    ],
)
def test_a_context_that_the_settings_map(nodepools: Run, kubectl, copy, cluster, group, status, told):
    kubectl(objects={"nodes": [node(group=group)], "pods": []})
    (copy / "pyproject.toml").write_text(MAPPED.format(cluster))
    answer = nodepools("explain", "deploy/web", "--context", "dev", cwd=copy)
    assert answer.status == status, answer.all
    assert told in (answer.out.splitlines()[0] if status == 0 else answer.err)


def test_a_cluster_without_karpenter(nodepools: Run, kubectl, tmp_path):
    kubectl()
    answer = nodepools("check", "--context", "dev", cwd=tmp_path)
    assert (answer.status, answer.out) == (2, "")
    assert "the cluster has no NodePools and no node classes" in answer.err


def test_a_workload_without_a_cluster(nodepools: Run, tmp_path):
    answer = nodepools("explain", "deploy/web", cwd=tmp_path)
    assert answer.status == 2
    assert "deploy/web: no such file. A workload of a running cluster needs `--context NAME`" in answer.err


@pytest.mark.parametrize("pods", [pytest.param([], id="none"), pytest.param([agent(0)], id="only those of the cloud")])
def test_a_new_cluster_has_room(nodepools: Run, kubectl, tmp_path, pods):
    """The pods of all namespaces were read, although a list of kubectl does not say so."""
    kubectl(objects={"nodes": [node()], "pods": pods})
    (tmp_path / "w.yaml").write_text(json.dumps(deployment("web", "1")))
    answer = nodepools("explain", "w.yaml", "--context", "dev", cwd=tmp_path)
    assert (answer.status, answer.out.splitlines()[0].endswith("web (Deployment) fits n0; nothing to change")) == (0, True), answer.all


def test_a_node_pool_without_its_class_is_told_once(nodepools: Run, tmp_path):
    references = {"group": "eks.amazonaws.com", "kind": "NodeClass", "name": "gone"}
    pool = {"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": {"name": "web"}}
    pool["spec"] = {"template": {"spec": {"nodeClassRef": references, "requirements": []}}}
    other = {"apiVersion": "eks.amazonaws.com/v1", "kind": "NodeClass", "metadata": {"name": "other"}, "spec": {"role": "r"}}
    (tmp_path / "pools.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": [pool, other]}))
    (tmp_path / "w.yaml").write_text(json.dumps(deployment("web", "1")))
    answer = nodepools("explain", "w.yaml", "--existing", "pools.json", cwd=tmp_path)
    assert "its NodeClass `gone` is not in the export" in answer.out
    assert answer.err == ""
