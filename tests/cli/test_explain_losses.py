"""`nodepools explain --without`: which workloads survive a loss of capacity."""

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from nodepools import AksClusterArgs, Platform, SystemPool, UserPool, testing
from nodepools.replicas.losses import UnknownLossError
from tests.cli.conftest import Run

SIZE = "Standard_D4ds_v5"
PLATFORM = """
name: dev
clusters:
  weu:
    kind: AksCluster
    location: westeurope
    kubernetes_version: "1.35"
    system_pool: {vm_size: Standard_D4ds_v5, count: 3, zones: [1, 2, 3]}
    pools:
      web: {kind: UserPool, vm_size: Standard_D4ds_v5, count: 2, zones: [1]}
      spare: {kind: UserPool, vm_size: Standard_D4ds_v5, count: 3, zones: [1, 2], labels: {spare: "true"}}
      third: {kind: UserPool, vm_size: Standard_D4ds_v5, count: 4, zones: [3], labels: {spare: "true"}}
"""
PINNED = "{nodeSelector: {nodepools/name: web}, containers: [{name: main}]}"
WORKLOADS = f"""
{{kind: Deployment, metadata: {{name: pinned}}, spec: {{replicas: 2, template: {{spec: {PINNED}}}}}}}
---
{{kind: Deployment, metadata: {{name: free}}, spec: {{replicas: 3, template: {{spec: {{containers: [{{name: main}}]}}}}}}}}
---
{{kind: Deployment, metadata: {{name: wide}}, spec: {{replicas: 6, template: {{spec: {{nodeSelector: {{spare: "true"}}, containers: [
  {{name: main, resources: {{requests: {{cpu: "3"}}}}}}]}}}}}}}}
---
{{kind: Pod, metadata: {{name: lost}}, spec: {{nodeSelector: {{tier: wbe}}, containers: [{{name: main}}]}}}}
"""


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """The platform and the workloads, as arguments."""
    (tmp_path / "dev.yaml").write_text(PLATFORM)
    (tmp_path / "pods.yaml").write_text(WORKLOADS)
    return ["explain", str(tmp_path / "pods.yaml"), "--file", str(tmp_path / "dev.yaml")]


def test_what_survives_a_zone(nodepools: Run, files: list[str], tmp_path: Path) -> None:
    answer = nodepools(*files, "--without", "zone=1", cwd=tmp_path)
    assert answer.status == 1
    lines = answer.out.splitlines()
    harmed = "the loss harms 1: pinned; the loss can harm 1: wide; short or unknown before it, too: lost; 1 unharmed: free"
    assert lines[0].endswith(f" without zone 1: of 4 workloads, {harmed}")
    headings = ["The loss harms", "The loss can harm", "Short or unknown before the loss, too", "Unharmed"]
    assert [line for line in lines if line in headings] == headings
    assert "✔ fits free (Deployment ×3) weu/third; without the loss, it fits weu/web, weu/spare or weu/third" in " ".join(answer.out.split())
    assert "; without the loss, it fits weu/web" in " ".join(lines[lines.index(headings[0]) + 1 : lines.index(headings[1])])
    steps = nodepools(*files, "--without", "zone=1", "--format", "json", cwd=tmp_path).json["next"]
    assert "pinned" in steps[0]
    [before] = [step for step in steps if step.startswith("nodepools explain ")]
    assert "--without" not in before
    assert "shows the steps of lost, without the loss" in before
    assert any("wide" in step for step in steps)


@pytest.mark.parametrize("options", ["--stack dev", "--stack dev --without zone=1", "--stack dev --without spot", "--all"])
def test_each_workload_in_trouble_has_a_step_or_is_counted(nodepools: Run, project: Path, options: str) -> None:
    found = nodepools("explain", "examples/workloads", *options.split(), "--format", "json", cwd=project).json
    short = {one["name"] for one in found["workloads"] if one["verdict"] != "fits"}
    told = " ".join(found["next"])
    left = [name for name in short if re.search(rf"\b{name}\b", told) is None]
    assert len(left) <= sum(map(int, re.findall(r"and (\d+) more", told))), (left, told)


def test_workloads_whose_steps_are_not_looked_for_are_counted(nodepools: Run, files: list[str], tmp_path: Path) -> None:
    each = "".join(
        f"---\n{{kind: Pod, metadata: {{name: p{number}}}, spec: {{nodeSelector: {{tier: a}}, containers: [{{name: main}}]}}}}\n"
        for number in range(40)
    )
    (tmp_path / "pods.yaml").write_text(each)
    steps = nodepools(*files, "--format", "json", cwd=tmp_path).json["next"]
    assert steps[-1] == "more: Add `--details` for the steps of p3, p4, p5 and 26 more; Explain the other 8 workloads alone"


def test_workloads_that_no_change_helps_are_named(nodepools: Run, project: Path) -> None:
    steps = nodepools("explain", "examples/workloads", "--stack", "dev", "--without", "zone=1", "--format", "json", cwd=project).json["next"]
    assert steps[-1] == "more: Change nothing for `cache`, `report`: no change is known that helps"


def test_json_has_the_answer_before(nodepools: Run, files: list[str], tmp_path: Path) -> None:
    found = nodepools(*files, "--without", "zone=1", "--without", "spot", "--format", "json", cwd=tmp_path).json
    assert found["without"] == ["zone=1", "spot"]
    answers = [(one["name"], one["verdict"], one["before"], one["scheduled"]["minimum"]) for one in found["workloads"]]
    assert answers == [("pinned", "cannot", "fits", 0), ("free", "fits", "fits", 3), ("wide", "unknown", "fits", 4), ("lost", "cannot", "cannot", 0)]
    assert "before" not in nodepools(*files, "--format", "json", cwd=tmp_path).json["workloads"][0]


def test_each_loss_is_a_row(nodepools: Run, files: list[str], tmp_path: Path) -> None:
    answer = nodepools(*files, "--without", "each", cwd=tmp_path)
    lines = answer.out.splitlines()
    assert answer.status == 1
    head = "of 7 simulated losses, wide survives 2 (not without zone westeurope-3, pool weu/spare, pool weu/third; unknown without "
    unknown = ", ".join(f"zone westeurope-{zone}" for zone in (1, 2))
    rest = "), pinned survives 5 (not without zone westeurope-1, pool weu/web), 1 workload survives all"
    assert f"{head}{unknown}{rest}; pods of lost stay Pending" in " ".join(" ".join(lines[:6]).split())
    for row in (
        "  zone=westeurope-1  ✘       ? 4-6/6",
        "  zone=westeurope-2  ✔       ? 4-6/6",
        "  pool=weu/web       ✘       ✔",
        "  zone=westeurope-3  ✔       ✘ 3/6",
        "  pool=weu/spare     ✔       ✘ 4/6",
        "  ✔ 1 workload survives each loss: free",
        "  ✔ 3 workloads survive without pool=weu/system",
    ):
        assert row in lines
    assert max(map(len, lines[3:])) <= 100
    detailed = nodepools(*files, "--without", "each", "--details", cwd=tmp_path).out
    assert "  free without pool=weu/web       weu/spare instead of weu/web" in detailed


def test_json_of_each(nodepools: Run, files: list[str], tmp_path: Path) -> None:
    found = nodepools(*files, "--without", "each", "--format", "json", cwd=tmp_path).json
    zones = [f"zone=westeurope-{zone}" for zone in (1, 2, 3)]
    assert [each["without"] for each in found["losses"]] == [*zones, "pool=weu/system", "pool=weu/web", "pool=weu/spare", "pool=weu/third"]
    assert [one["verdict"] for one in found["losses"][0]["workloads"]] == ["cannot", "fits", "unknown", "cannot"]


SPOT = "{nodepools/name: spots, kubernetes.azure.com/scalesetpriority: spot}"
SIZED = "{nodepools/name: spots, node.kubernetes.io/instance-type: Standard_D4pds_v5}"
ARM64 = "{kubernetes.io/arch: arm64}"
WAYS = [
    pytest.param(
        "{nodepools/name: web, topology.kubernetes.io/zone: westeurope-1}", "zone=1", "Let the pods run without zone 1, which", id="its zone"
    ),
    pytest.param("{topology.kubernetes.io/zone: westeurope-1}", "zone=1", "Change `topology.kubernetes.io/zone=westeurope-1`", id="another zone"),
    pytest.param("{nodepools/name: web, agentpool: web}", "pool=web", "Let the pods run without pool web, which they require", id="its pool"),
    pytest.param("{nodepools/name: web, agentpool: web}", "zone=1", "Add a pool that the pods fit, outside of zone 1", id="a pool in the zone"),
    pytest.param(SPOT, "spot", "Let the pods run without spot capacity, which they require", id="spot"),
    pytest.param(ARM64, "spot", "Add a pool that the pods fit, without spot capacity", id="what spot nodes have"),
    pytest.param(SIZED, "size=Standard_D4pds_v5", "Let the pods run without size Standard_D4pds_v5, which they require", id="its size"),
    pytest.param(ARM64, "size=Standard_D4pds_v5", "Add a pool that the pods fit, of another size than Standard_D4pds_v5", id="what the size has"),
    pytest.param(ARM64, "pool=spots", "Add a pool that the pods fit: ", id="what the pool has"),
]
ONE_EACH = """
name: dev
clusters:
  weu:
    kind: AksCluster
    location: westeurope
    kubernetes_version: "1.36"
    system_pool: {vm_size: Standard_D4ds_v5, count: 3, zones: [2]}
    pools:
      web: {kind: UserPool, vm_size: Standard_D4ds_v5, count: 2, zones: [1], name: web}
      other: {kind: UserPool, vm_size: Standard_D4ds_v5, count: 2, zones: [2], taints: ["team=other:NoSchedule"]}
      spots: {kind: UserPool, vm_size: Standard_D4pds_v5, count: 2, zones: [3], spot: {}}
"""
TOLERATES = "tolerations: [{key: kubernetes.azure.com/scalesetpriority, operator: Exists}]"


@pytest.mark.parametrize(("selector", "loss", "way"), WAYS)
def test_the_way_out_is_not_what_is_lost(nodepools: Run, tmp_path: Path, selector: str, loss: str, way: str) -> None:
    (tmp_path / "dev.yaml").write_text(ONE_EACH)
    spec = f"{{nodeSelector: {selector}, {TOLERATES}, containers: [{{name: main}}]}}"
    (tmp_path / "pod.yaml").write_text(f"{{kind: Pod, metadata: {{name: web}}, spec: {spec}}}")
    arguments = ["explain", str(tmp_path / "pod.yaml"), "--file", str(tmp_path / "dev.yaml")]
    assert nodepools(*arguments, cwd=tmp_path).status == 0
    assert way in " ".join(nodepools(*arguments, "--without", loss, cwd=tmp_path).out.split())


@pytest.mark.parametrize(
    ("loss", "way"),
    [
        pytest.param("zone=1", "next: Restore the volume from a snapshot in another zone", id="the zone of the volume"),
        pytest.param("pool=web", "Add a pool whose nodes have `topology.kubernetes.io/zone=westeurope-1`", id="the pool in that zone"),
    ],
)
def test_a_volume_in_a_lost_zone(nodepools: Run, tmp_path: Path, loss: str, way: str) -> None:
    (tmp_path / "dev.yaml").write_text(ONE_EACH)
    place = "{key: topology.kubernetes.io/zone, operator: In, values: [westeurope-1]}"
    (tmp_path / "pod.yaml").write_text(f"""
{{kind: PersistentVolume, apiVersion: v1, metadata: {{name: v}}, spec: {{capacity: {{storage: 1Gi}}, accessModes: [ReadWriteOnce],
  storageClassName: a, csi: {{driver: disk.csi.azure.com, volumeHandle: v}}, claimRef: {{name: c, namespace: default}},
  nodeAffinity: {{required: {{nodeSelectorTerms: [{{matchExpressions: [{place}]}}]}}}}}}}}
---
{{kind: PersistentVolumeClaim, apiVersion: v1, metadata: {{name: c}}, spec: {{accessModes: [ReadWriteOnce], storageClassName: a, volumeName: v}}}}
---
{{kind: Pod, metadata: {{name: web}}, spec: {{containers: [{{name: main}}], volumes: [{{name: v, persistentVolumeClaim: {{claimName: c}}}}]}}}}
""")
    found = nodepools("explain", str(tmp_path / "pod.yaml"), "--file", str(tmp_path / "dev.yaml"), "--without", loss, cwd=tmp_path)
    assert way in " ".join(found.out.split())


def test_many_workloads_are_a_list(nodepools: Run, files: list[str], tmp_path: Path) -> None:
    each = "".join(f"---\n{{kind: Pod, metadata: {{name: {'p' * 30}{number}}}, spec: {PINNED}}}\n" for number in range(12))
    (tmp_path / "pods.yaml").write_text(each)
    lines = nodepools(*files, "--without", "each", cwd=tmp_path).out.splitlines()
    assert max(map(len, lines[3:])) <= 100
    assert " survives 5 (not without zone westeurope-1, pool weu/web)" in " ".join(lines[:6])


WRONG = [
    pytest.param(["--without", "zone=7"], "--without: no pool has zone `7`: zones are `westeurope-1`", id="a zone"),
    pytest.param(["--without", "each,spot"], "`each` is not a capacity", id="each with another"),
    pytest.param(["--without", "each", "--pool", "web"], "`--without each` shows workloads and losses, and no pools", id="each of a pool"),
]


@pytest.mark.parametrize(("options", "message"), WRONG)
def test_a_wrong_value_is_one_finding(nodepools: Run, files: list[str], tmp_path: Path, options: list[str], message: str) -> None:
    answer = nodepools(*files, *options, cwd=tmp_path)
    assert answer.status == 2
    assert message in answer.err
    assert len(answer.err.splitlines()) == 1


NODE = """
---
kind: Node
apiVersion: v1
metadata: {{name: n{0}, labels: {{topology.kubernetes.io/zone: westeurope-{0}, topology.kubernetes.io/region: westeurope}}}}
status: {{allocatable: {{cpu: "2", pods: "30"}}}}
"""
POD = """
---
kind: Pod
apiVersion: v1
metadata: {{name: web-{0}, namespace: default, labels: {{app: web, pod-template-hash: 5d}}, ownerReferences: [
  {{apiVersion: apps/v1, kind: ReplicaSet, name: web-5d, uid: "1", controller: true}}]}}
spec: {{nodeName: n{0}, containers: [{{name: main, resources: {{requests: {{cpu: "{1}"}}}}}}]}}
"""
_OF_THE_CLOUD = """
---
kind: Pod
apiVersion: v1
metadata: {name: coredns, namespace: kube-system}
spec: {nodeName: n2, containers: [{name: main}]}
"""
WEB = """
kind: Deployment
apiVersion: apps/v1
metadata: {{name: web, namespace: default}}
spec: {{replicas: 2, selector: {{matchLabels: {{app: web}}}}, template: {{metadata: {{labels: {{app: web}}}}, spec: {{
  containers: [{{name: main, resources: {{requests: {{cpu: "{0}"}}}}}}]}}}}}}
"""


@pytest.mark.parametrize(("cpu", "verdict", "before"), [("1", "fits", "fits"), ("1500m", "partly", "fits")])
def test_pods_of_a_lost_node_of_a_running_cluster(nodepools: Run, tmp_path: Path, cpu: str, verdict: str, before: str) -> None:
    (tmp_path / "cluster.yaml").write_text(NODE.format(1) + NODE.format(2) + POD.format(1, cpu) + POD.format(2, cpu) + _OF_THE_CLOUD)
    (tmp_path / "web.yaml").write_text(WEB.format(cpu))
    answer = nodepools("explain", "web.yaml", "--existing", "cluster.yaml", "--without", "zone=1", "--format", "json", cwd=tmp_path)
    [one] = answer.json["workloads"]
    assert (one["verdict"], one["before"]) == (verdict, before)


def _platform(*, zones: Sequence[Sequence[int]] = ((1,), (2,))) -> Platform:
    pools = {f"web{number}": UserPool(vm_size=SIZE, count=2, zones=[*of], labels={"tier": "web"}) for number, of in enumerate(zones, 1)}
    cluster = AksClusterArgs(location="westeurope", kubernetes_version="1.35", system_pool=SystemPool(vm_size=SIZE, count=3), pools=pools)
    template = {"spec": {"nodeSelector": {"tier": "web"}, "containers": [{"name": "main"}]}}
    return Platform(
        name="dev",
        clusters={"weu": cluster},
        must_fit=[{"kind": "Deployment", "metadata": {"name": "web"}, "spec": {"replicas": 2, "template": template}}],
    )


def test_must_fit() -> None:
    testing.must_fit(_platform())
    testing.must_fit(_platform(), without="zone=1")
    testing.must_fit(_platform(), without=["zone=2", "spot"])
    with pytest.raises(AssertionError, match=r"must_fit\[0\] \(Deployment/web\) fits no pool and stays Pending .* without pool web1"):
        testing.must_fit(_platform(), without="pool=web1,pool=web2")
    with pytest.raises(AssertionError, match=r"may stay Pending .*whether nodes of the pool are left without zone 1"):
        testing.must_fit(_platform(zones=((1, 2),)), without="zone=1")
    with pytest.raises(UnknownLossError, match="no pool has zone `3`"):
        testing.must_fit(_platform(), without="zone=3")


RUNNING_CLASS = {"kind": "StorageClass", "metadata": {"name": "fast"}, "provisioner": "disk.csi.azure.com"}
NOT_PLACED = [
    pytest.param([], "has no workload: there is nothing to place", id="nothing"),
    pytest.param([RUNNING_CLASS], "has no workload: there is nothing to place", id="an object next to workloads"),
    pytest.param([{"kind": "Pod", "spec": {}}], r"must_fit\[0\] is not a valid workload .*containers", id="the API server rejects it"),
    pytest.param([{"kind": "Secret"}], r"must_fit\[0\] creates no pods: its kind is `Secret`", id="another kind"),
    pytest.param([{**RUNNING_CLASS, "volumeBindingMode": "x"}], r"must_fit\[0\] is not a valid workload .*volumeBindingMode", id="a wrong object"),
]


@pytest.mark.parametrize(("entries", "told"), NOT_PLACED)
def test_what_places_nothing_does_not_fit(entries: list[dict[str, object]], told: str) -> None:
    """A test that passes must have placed something."""
    with pytest.raises(AssertionError, match=told):
        testing.must_fit(Platform(name="dev", clusters=_platform().clusters, must_fit=entries))
