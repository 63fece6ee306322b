"""`--context` with a real kubectl and a real API server, whose RBAC allows what the ClusterRole of the guide says."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from nodepools.cli.inputs.kubectl import RESOURCES
from tests.cli.conftest import Answer, started
from tests.cli.running import SPEC, agent, deployment, node
from tests.cluster_role import cluster_role
from tests.oracle.api_server.conftest import Cluster

NODES = 520
"""kubectl reads pages of 500."""
NOT_SERVED = {
    "capacitybuffers.autoscaling.x-k8s.io",
    "nodeclaims.karpenter.sh",
    "nodeclasses.eks.amazonaws.com",
    "nodeoverlays.karpenter.sh",
    "ec2nodeclasses.karpenter.k8s.aws",
    "scaledobjects.keda.sh",
    "verticalpodautoscalers.autoscaling.k8s.io",
}
"""Resources without a CRD in this cluster."""


@pytest.fixture(scope="module")
def filled(cluster: Cluster) -> Cluster:
    """With nodes, pods, Deployments and a NodePool. One Deployment needs an architecture that no node has."""
    cluster.add("/api/v1/nodes", *(_named(node(number)) for number in range(NODES)))
    cluster.add("/api/v1/namespaces", {"metadata": {"name": "kube-node"}}, {"metadata": {"name": "shop"}})
    pending = {**agent(1), "metadata": {"name": "web-0"}, "spec": {"containers": agent(1)["spec"]["containers"]}, "status": {"phase": "Pending"}}
    for space, pods in (("kube-system", [agent(0)]), ("default", [pending])):
        cluster.add(f"/api/v1/namespaces/{space}/pods", *({**pod, "metadata": {"name": pod["metadata"]["name"]}} for pod in pods))
    arm = deployment("arm", "1")
    arm["spec"]["template"]["spec"]["nodeSelector"] = {"kubernetes.io/arch": "arm64"}
    cluster.add("/apis/apps/v1/namespaces/default/deployments", *(deployment("web", "1"), arm))
    shop = deployment("api", "1")
    cluster.add("/apis/apps/v1/namespaces/shop/deployments", {**shop, "metadata": {"name": "api"}})
    requirements = [{"key": "kubernetes.io/arch", "operator": "In", "values": ["amd64"]}]
    pool = {"metadata": {"name": "web"}, "spec": {"template": {"spec": {**SPEC, "requirements": requirements}}}}
    cluster.add("/apis/karpenter.sh/v1/nodepools", {"apiVersion": "karpenter.sh/v1", "kind": "NodePool", **pool})
    return cluster


def _named(made: dict[str, Any]) -> dict[str, Any]:
    return {**made, "metadata": {key: value for key, value in made["metadata"].items() if key != "uid"}}


@pytest.fixture(scope="module")
def reader(filled: Cluster, project: Path) -> Path:
    """The kubeconfig of a service account with the ClusterRole of the guide."""
    return filled.context("reader", cluster_role(project)["rules"])


@pytest.fixture
def asked(path_with_kubectl: str, tmp_path: Path):
    def run(kubeconfig: Path, *arguments: str) -> Answer:
        env = {"PATH": path_with_kubectl, "KUBECONFIG": str(kubeconfig), "HOME": str(tmp_path)}
        return started(*arguments, "--context", "oracle", cwd=tmp_path, env={**os.environ, **env})

    return run


@pytest.mark.parametrize(
    ("workload", "status", "first"),
    [
        (("deploy/web",), 0, "web (Deployment) fits"),
        (("deploy/arm",), 1, "stays Pending"),
        (("pod/web-0",), 0, "web-0 (Pod) fits"),
        (("deploy/api", "-n", "shop"), 0, "api (Deployment) fits"),
    ],
)
def test_the_cluster_role_is_enough(asked, reader, workload, status, first):
    answer = asked(reader, "explain", *workload)
    assert answer.status == status, answer.all
    assert "not known" not in answer.all
    assert first in answer.out.splitlines()[0]


def test_all_pages_are_read(asked, reader):
    answer = asked(reader, "explain", "deploy/web", "--format", "json")
    assert answer.json["coverage"]["nodes"] == NODES


@pytest.mark.parametrize(("command", "word"), [(("calendar",), "web"), (("check",), "no error"), (("capacity",), "unknown")])
def test_other_commands(asked, reader, command, word):
    answer = asked(reader, *command)
    assert answer.status in (0, 1), answer.all
    assert word in answer.out


@pytest.mark.parametrize(
    ("workload", "message"),
    [
        (("deploy/wbe",), "deploy/wbe: not found: use `deployment/web`"),
        (("deploy/api",), "deploy/api: is in namespace `shop`: use `-n shop`"),
    ],
)
def test_names_that_are_not_found(asked, reader, workload, message):
    answer = asked(reader, "explain", *workload)
    assert answer.status == 2
    assert message in answer.err


@pytest.mark.parametrize("missing", sorted({*RESOURCES} - NOT_SERVED - {"events"}))  # only what needs a declaration reads events
def test_each_kind_that_is_forbidden_is_named(asked, filled, project, missing):
    resource, _, group = missing.partition(".")
    rules = [
        {**rule, "resources": [one for one in rule["resources"] if (one, rule["apiGroups"]) != (resource, [group])]}
        for rule in cluster_role(project)["rules"]
    ]
    account = filled.context(f"without-{resource}", [rule for rule in rules if rule["resources"]])
    answer = asked(account, "explain", "deploy/web" if missing != "deployments.apps" else "pod/web-0")
    assert answer.status == 2, answer.all
    named = set(re.findall(r"you may not list `([^`]+)`", answer.err))
    assert named == {missing} if missing != "nodes" else "nodes" in answer.err
    assert RESOURCES[missing] in answer.err


def test_a_plugin_of_kubectl(reader, path_with_kubectl, tmp_path):
    path = f"{Path(sys.executable).parent}{os.pathsep}{path_with_kubectl}"
    env = {**os.environ, "PATH": path, "KUBECONFIG": str(reader), "COLUMNS": "200"}
    command = ["kubectl", "nodepools", "explain", "deploy/web", "--context", "oracle"]
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "web (Deployment) fits" in done.stdout.splitlines()[0]


def test_nothing_is_allowed(asked, filled):
    answer = asked(filled.context("nobody", []), "capacity")
    assert (answer.status, answer.out) == (2, "")
    assert "you may not list nodes and pods of this cluster" in answer.err


def test_a_token_that_is_not_valid(asked, filled):
    answer = asked(filled.kubeconfig("expired", "x.y.z"), "capacity")
    assert (answer.status, answer.out) == (2, "")
    assert "the login has expired or is not valid" in answer.err
