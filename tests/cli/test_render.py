"""`nodepools render`: the same objects as Pulumi applies, without it."""

import json

import pytest
import yaml

from nodepools.clouds.registry import cloud_of
from nodepools.loading import load


@pytest.mark.parametrize("stack", ["dev", "staging", "prod"])
@pytest.mark.program
def test_what_is_rendered_is_what_is_applied(project, planned, stack):
    applied = [
        one.inputs
        for one in planned(".", stack).resources
        if one.type.startswith("kubernetes:") and not one.type.endswith(("/v1:ConfigMap", "/v1:Namespace"))
    ]
    platform = load(stack, project)
    direct = {key: platform.cluster(key) for key, cluster in platform.clusters.items() if cluster.apply == "direct"}
    rendered = [made for key, cluster in direct.items() for made in list(cloud_of(cluster).objects(platform.stem(key), str))]

    def sorted_texts(objects):
        return sorted(json.dumps(one, sort_keys=True) for one in objects)

    assert sorted_texts(rendered) == sorted_texts(applied)


def test_it_prints_yaml_documents(nodepools, project):
    answer = nodepools("render", cwd=project)
    assert answer.status == 0
    kinds = [one["kind"] for one in yaml.safe_load_all(answer.out)]
    assert kinds == ["NodePool", "NodeClass", "NodePool", "StorageClass", "IngressClassParams", "IngressClass"]


def test_all_stacks_have_their_names_before_their_clusters(nodepools, project, tmp_path):
    answer = nodepools("render", "--all", "--cluster", "neu", "-o", str(tmp_path), cwd=project)
    assert answer.status == 0
    assert [str(path.relative_to(tmp_path)) for path in sorted(tmp_path.rglob("*.yaml"))] == [
        f"{stack}/neu/nodepool-general.yaml" for stack in ("dev", "prod", "staging")
    ]
    one = nodepools("render", "--all", "--cluster", "prod/neu", cwd=project)
    assert one.out.startswith("# prod/neu\n---\n")
    assert nodepools("render", "--all", "--cluster", "nowhere", cwd=project).err.startswith(
        "error: cluster `nowhere` not found (available: dev/weu, dev/neu"
    )


def test_json_has_a_list_of_objects(nodepools, project):
    answer = nodepools("render", "--cluster", "use1", "--format", "json", cwd=project)
    assert [one["metadata"]["name"] for one in answer.json["objects"]] == ["private", "compute", "auto-ebs", "alb", "alb"]


def test_a_cluster_that_is_only_rendered_is_rendered(nodepools, project):
    answer = nodepools("render", "--stack", "prod", "--cluster", "weu", "--format", "json", cwd=project)
    assert [one["kind"] for one in answer.json["objects"]] == ["DaemonSet"]


def test_a_folder_gets_a_file_for_each_object(nodepools, project, tmp_path):
    answer = nodepools("render", "-o", str(tmp_path / "out"), cwd=project)
    written = sorted(str(path.relative_to(tmp_path / "out")) for path in (tmp_path / "out").rglob("*") if path.is_file())
    assert written == [
        ".nodepools-rendered",
        "neu/nodepool-general.yaml",
        "use1/ingressclass-alb.yaml",
        "use1/ingressclassparams-alb.yaml",
        "use1/nodeclass-private.yaml",
        "use1/nodepool-compute.yaml",
        "use1/storageclass-auto-ebs.yaml",
    ]
    assert all(name in answer.out for name in written[1:])


def test_a_folder_that_cannot_be_written_is_one_line(nodepools, project, tmp_path):
    (tmp_path / "out").write_text("a file")
    answer = nodepools("render", "-o", str(tmp_path / "out"), cwd=project)
    assert (answer.status, answer.out) == (2, "")
    assert answer.err.count("\n") == 1


def test_an_unknown_cluster_lists_the_known_ones(nodepools, project):
    answer = nodepools("render", "--cluster", "nope", cwd=project)
    assert answer.status == 2
    assert "(available: weu, neu, use1)" in answer.err


def test_a_cluster_without_objects_is_said(nodepools, tmp_path):
    cluster = '{kind: AksCluster, location: westeurope, kubernetes_version: "1.35", system_pool: {vm_size: Standard_D4ds_v5, count: 2}}'
    (tmp_path / "p.yaml").write_text(f"name: shop\nclusters: {{weu: {cluster}}}\n")
    answer = nodepools("render", "--file", "p.yaml", cwd=tmp_path)
    assert (answer.status, answer.out) == (0, "# nothing to do: no NodePool, node class or other Kubernetes object is declared\n")
    assert yaml.safe_load(answer.out) is None


def test_what_is_not_known_offline_is_said(nodepools, tmp_path):
    (tmp_path / "p.yaml").write_text("""
name: a
clusters:
  use1:
    kind: EksCluster
    region: us-east-1
    kubernetes_version: "1.35"
    auto_mode:
      node_classes: {a: {role: {stack: org/net/prod, output: role}}}
      node_pools: {p: {node_class: a}}
""")
    answer = nodepools("render", "--file", "p.yaml", cwd=tmp_path)
    assert (answer.status, answer.out) == (2, "")
    assert "`role` of the stack `org/net/prod`" in answer.err


PLATFORM = """
name: dev
clusters:
  weu:
    kind: AksCluster
    location: westeurope
    kubernetes_version: "1.35"
    system_pool: {vm_size: Standard_D4ds_v5, count: 2}
    pools: {web: {kind: UserPool, vm_size: Standard_D4ds_v5, scale: {min: 1, max: 3}}}
"""
PODS = """
apiVersion: v1
kind: Pod
metadata: {name: fits, namespace: shop}
spec: {containers: [{name: a, image: a:1, resources: {requests: {cpu: 100m, memory: 100Mi}}}]}
---
apiVersion: v1
kind: Pod
metadata: {name: gpu, namespace: shop}
spec: {containers: [{name: a, image: a:1, resources: {limits: {nvidia.com/gpu: 1}}}]}
"""


@pytest.fixture
def small(tmp_path):
    (tmp_path / "platform.yaml").write_text(PLATFORM, encoding="utf-8")
    (tmp_path / "pods.yaml").write_text(PODS, encoding="utf-8")
    return tmp_path


def test_alerts_are_one_rule_file(nodepools, small):
    answer = nodepools("render", "--alerts", "--workloads", "pods.yaml", "--file", "platform.yaml", cwd=small)
    [group] = yaml.safe_load(answer.out)["groups"]
    assert group["name"] == "nodepools/dev-weu"
    assert [(rule["alert"], rule["labels"]["subject"]) for rule in group["rules"]] == [
        ("AgentPoolAtMaximum", "weu/web"),
        ("PodsPendingThatFit", "shop/Pod/fits"),
        ("NodePoolMetricsMissing", "kube_node_labels"),
    ]
    assert nodepools("render", "--alerts", "--file", "platform.yaml", "--format", "json", cwd=small).json["groups"][0]["name"] == group["name"]


def test_alerts_and_objects_never_remove_each_other_s_files(nodepools, small):
    for option in ([], ["--alerts"], []):
        assert nodepools("render", *option, "--file", "platform.yaml", "-o", "out", cwd=small).status == 0
    assert [path.relative_to(small).as_posix() for path in sorted(small.rglob("out/*/*"))] == ["out/weu/alerts.yaml"]
    (small / "platform.yaml").write_text(PLATFORM.replace("weu:", "neu:"), encoding="utf-8")
    answer = nodepools("render", "--alerts", "--file", "platform.yaml", "-o", "out", "--format", "json", cwd=small)
    assert answer.json["removed"] == ["out/weu/alerts.yaml"]


def test_what_has_no_alert_is_said(nodepools, project):
    answer = nodepools("render", "--alerts", "--cluster", "use1", cwd=project)
    assert "no alert on budgets of use1/" in answer.err


def test_workloads_are_for_alerts(nodepools, small):
    answer = nodepools("render", "--workloads", "pods.yaml", "--file", "platform.yaml", cwd=small)
    assert answer.status == 2
    assert "`--workloads` is about Pending pods: it needs `--alerts`" in answer.err.replace("\n", " ")
