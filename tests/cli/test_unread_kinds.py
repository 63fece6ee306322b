"""Kinds of Karpenter's groups that are not read are said by every command that reads manifests."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from nodepools.cli.program import app
from tests.cli.conftest import Answer

OTHERS = {
    "karpenter.sh/v1": "NodeClaim",
    "karpenter.sh/v1alpha5": "Machine",
    "eks.amazonaws.com/v1": "NodeDiagnostic",
    "karpenter.azure.com/v1": "Something",
    "karpenter.k8s.aws/v1alpha1": "Something",
    "autoscaling.x-k8s.io/v1": "Something",
}
POOL = {
    "apiVersion": "karpenter.sh/v1",
    "kind": "NodePool",
    "metadata": {"name": "web"},
    "spec": {"template": {"spec": {"nodeClassRef": {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": "default"}, "requirements": []}}},
}
POD = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web"}, "spec": {"containers": [{"name": "web"}]}}


EVERY = ", ".join(sorted(f"{kind} of {version.partition('/')[0]} (1 object)" for version, kind in OTHERS.items()))


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.chdir(Path(__file__).parents[2])

    def started(command: str, *next_to: object) -> Answer:
        others = [{"apiVersion": version, "kind": kind, "metadata": {"name": "other", "uid": "1"}, "spec": {}} for version, kind in OTHERS.items()]
        (tmp_path / "others.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": [*next_to, *others]}))
        done = CliRunner().invoke(app, [*command.split(), str(tmp_path / "others.json")])
        assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
        return Answer(done.exit_code, done.stdout, done.stderr)

    return started


@pytest.mark.parametrize(
    ("command", "next_to"),
    [
        ("check", [POOL]),
        ("explain", [POD]),
        ("upgrade --to 1.37 --workloads", [POD]),
        ("convert --to auto-mode", [POOL]),
        ("calendar --existing", [POOL]),
        ("adopt", []),
    ],
)
def test_every_command_says_what_it_does_not_read(run, command, next_to):
    assert EVERY in run(command, *next_to).err


@pytest.mark.parametrize(
    "command", ["explain pod/web --existing", "capacity --existing", "capacity --stack dev --existing", "instances --pool web --existing"]
)
def test_node_claims_of_a_cluster_are_read_or_say_nothing_more(run, command):
    assert "not read: Machine of karpenter.sh (1 object), NodeDiagnostic of eks" in run(command, POOL, POD).err


def test_nothing_is_checked(run):
    answer = run("check")
    assert "nothing was checked: no NodePool and no node class, only Machine of karpenter.sh (1 object), NodeClaim" in answer.out


def test_files_without_a_workload_stay_a_problem(run):
    answer = run("explain --stack dev")
    assert (answer.status, EVERY in answer.err) == (2, True)


CUSTOM = [
    ("argoproj.io/v1alpha1", "Workflow", {"templates": [{"name": "main", "container": {"image": "x"}}]}),
    ("sparkoperator.k8s.io/v1beta2", "SparkApplication", {"image": "spark", "executor": {"cores": 4}}),
    ("tekton.dev/v1", "PipelineRun", {"pipelineRef": {"name": "build"}}),
    ("postgresql.cnpg.io/v1", "Cluster", {"instances": 3}),
    ("helm.toolkit.fluxcd.io/v2", "HelmRelease", {"values": {"web": {"replicas": 2}}}),
]
WITHOUT_PODS = [
    ("monitoring.coreos.com/v1", "ServiceMonitor", {"selector": {"matchLabels": {"app": "web"}}}),
    ("external-secrets.io/v1", "ExternalSecret", {"data": []}),
    ("example.com/v1", "Nothing", None),
    ("ray.io/v1", "RayCluster", {"headGroupSpec": {"template": {"spec": {"containers": [{"name": "head", "image": "ray"}]}}}}),
    ("autoscaling/v2", "HorizontalPodAutoscaler", {"maxReplicas": 2, "scaleTargetRef": {"kind": "Deployment", "name": "web"}}),
]


def custom(found):
    return [{"apiVersion": version, "kind": kind, "metadata": {"name": "one"}, "spec": spec} for version, kind, spec in found]


def test_objects_of_others_that_can_run_pods_are_named(run):
    err = run("explain", POD, *custom([*CUSTOM, *WITHOUT_PODS])).err
    named = ", ".join(sorted(f"{kind} of {version.partition('/')[0]} (1 object)" for version, kind, _ in CUSTOM))
    assert f"not read: {named}, which can run pods" in err


def test_objects_without_pods_are_not_named(run):
    assert "which can run pods" not in run("explain", POD, *custom(WITHOUT_PODS)).err
