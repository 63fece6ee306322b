"""`nodepools instances`: what a pool admits, and which requirement leaves out how many."""

import pytest

PLATFORM = """
name: a
clusters:
  use1:
    kind: EksCluster
    region: us-east-1
    kubernetes_version: "1.36"
    auto_mode:
      node_pools:
        web:
          requirements:
            - {key: karpenter.sh/capacity-type, operator: In, values: [spot, on-demand]}
            - {key: eks.amazonaws.com/instance-category, operator: In, values: [c, m, r]}
            - {key: eks.amazonaws.com/instance-cpu, operator: In, values: ["2", "4", "8"]}
            - {key: kubernetes.io/arch, operator: In, values: [amd64]}
        few:
          requirements:
            - {key: karpenter.sh/capacity-type, operator: In, values: [spot]}
            - {key: eks.amazonaws.com/instance-gpu-name, operator: In, values: [t4]}
            - {key: eks.amazonaws.com/instance-memory, operator: Gt, values: ["300000"]}
          labels: {kubernetes.io/arch: amd64}
        none:
          requirements:
            - {key: kubernetes.io/arch, operator: In, values: [arm64]}
            - {key: eks.amazonaws.com/instance-gpu-name, operator: In, values: [h100]}
        limited:
          limits: {cpu: "7"}
          requirements:
            - {key: eks.amazonaws.com/instance-family, operator: In, values: [m7i]}
            - {key: eks.amazonaws.com/instance-size, operator: In, values: [xlarge, 2xlarge, 4xlarge]}
        newer:
          requirements:
            - {key: node.kubernetes.io/instance-type, operator: In, values: [m7i.large, m99.large]}
        generation:
          requirements:
            - {key: eks.amazonaws.com/instance-generation, operator: Gt, values: ["80"]}
        various:
          requirements:
            - {key: eks.amazonaws.com/instance-family, operator: In, values: [m7i, m7a], min_values: 2}
            - {key: eks.amazonaws.com/instance-cpu, operator: In, values: ["2"]}
            - {key: eks.amazonaws.com/instance-size, operator: Exists, min_values: 2}
        tiny:
          limits: {cpu: "100"}
          requirements:
            - {key: kubernetes.io/arch, operator: In, values: [amd64]}
            - {key: eks.amazonaws.com/instance-cpu, operator: Gt, values: ["191"]}
"""


@pytest.fixture
def asked(nodepools, tmp_path):
    (tmp_path / "p.yaml").write_text(PLATFORM)
    return lambda pool, *options: nodepools("instances", "--file", "p.yaml", "--pool", pool, *options, cwd=tmp_path)


def test_json_is_that_of_the_contract(asked):
    answer = asked("use1/web", "--format", "json")
    assert answer.status == 0
    of_every_command = {"schema", "command", "answer", "next", "complete", "problems", "notices", "findings"}
    assert set(answer.json) == {*of_every_command, "pool", "instance_types", "cheapest"}
    assert (answer.json["pool"], len(answer.json["instance_types"])) == ("use1/web", 173)
    sizes = [name.partition(".")[2] for name in answer.json["instance_types"] if name.startswith("m7i.")]
    assert sizes == ["large", "xlarge", "2xlarge"], "sizes are numbers, not text"
    assert answer.json["cheapest"]["instance_type"] in answer.json["instance_types"]


def test_a_name_alone_will_do_and_people_get_text(asked):
    answer = asked("web")
    assert answer.status == 0
    assert answer.out.startswith("p.yaml: use1/web allows 173 instance types\n")
    assert "  c5        large, xlarge, 2xlarge\n" in answer.out
    assert "USD per hour" in answer.out
    assert "excludes" not in answer.out


def test_types_of_which_one_node_exceeds_the_limits_are_told(asked):
    assert asked("limited").err == "notice: use1/limited: one node of 2 of these types would exceed its limits (cpu 7)\n"


def test_types_newer_than_the_table_are_told(asked):
    answer = asked("newer")
    assert answer.out.startswith("p.yaml: use1/newer allows 1 instance type\n")
    assert answer.err == "notice: use1/newer: `m99.large` is not in the tables: whether Auto Mode can launch it is not known here\n"


def test_a_generation_newer_than_the_table_is_not_refused(asked):
    answer = asked("generation")
    assert answer.out.startswith("p.yaml: use1/generation allows no instance type that is known: whether it launches a node is unknown\n")
    assert "`eks.amazonaws.com/instance-generation above " in answer.err


def test_fewer_values_than_karpenter_requires(asked):
    allows = "p.yaml: use1/various allows 2 instance types, but launches none of them: "
    assert asked("various").out.startswith(f"{allows}`min_values` of `eks.amazonaws.com/instance-size` is 2, and they have 1 value\n")


def test_limits_below_the_smallest_type(asked):
    answer = asked("tiny")
    assert " instance types, but launches none of them: its limits (cpu 100) are below the smallest\n" in answer.out
    assert not answer.err


def test_where_few_are_left_it_says_which_requirement_leaves_out_how_many(asked):
    answer = asked("few", "--format", "json")
    removed = {one["by"]: one for one in answer.json["removed"]}
    assert set(removed) == {
        "eks.amazonaws.com/instance-gpu-name In [t4]",
        "eks.amazonaws.com/instance-memory Gt [300000]",
        "label kubernetes.io/arch=amd64",
    }
    assert removed["eks.amazonaws.com/instance-gpu-name In [t4]"]["without_it"] > len(answer.json["instance_types"])
    assert all(one["removes"] > 0 for one in removed.values())


def test_few_types_for_spot_are_a_warning(asked):
    for options in ([], ["--format", "json"]):
        answer = asked("few", *options)
        assert "spot only with fewer than 10 instance types" in answer.err
        assert answer.status == 0
    assert asked("web").err == asked("none").err == ""


def test_none_at_all_is_an_answer_too(asked):
    answer = asked("use1/none")
    assert answer.status == 0
    first, step, *lines = answer.out.splitlines()
    assert first == "p.yaml: use1/none allows no instance type: it never launches a node"
    assert step == "next: Remove `kubernetes.io/arch In [arm64]`: 2 types remain without it"
    assert any(line.startswith("  eks.amazonaws.com/instance-gpu-name In [h100] ") for line in lines)
    assert "cheapest" not in asked("use1/none", "--format", "json").json


def test_built_in_pools_are_pools_too(asked):
    assert len(asked("use1/general-purpose", "--format", "json").json["instance_types"]) > 173


def test_sizes_are_ordered_as_numbers(asked):
    names = asked("use1/general-purpose", "--format", "json").json["instance_types"]
    sizes = [name.removeprefix("m7i.") for name in names if name.startswith("m7i.")]
    assert sizes[:7] == ["large", "xlarge", "2xlarge", "4xlarge", "8xlarge", "12xlarge", "16xlarge"]


def test_an_unknown_pool_lists_the_known_ones(asked):
    answer = asked("use1/wbe")
    assert (answer.status, answer.out) == (2, "")
    assert "use1/web" in answer.err


def test_pools_of_a_stack(nodepools, project):
    answer = nodepools("instances", "--stack", "dev", "--pool", "use1/compute", "--format", "json", cwd=project)
    assert len(answer.json["instance_types"]) == 173


POOL = """
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: web}
spec:
  template:
    spec:
      nodeClassRef: {group: eks.amazonaws.com, kind: NodeClass, name: default}
      requirements:
        - {key: node.kubernetes.io/instance-type, operator: In, values: [m7i.large]}
"""


def test_pools_of_a_cluster_that_runs(nodepools, tmp_path):
    (tmp_path / "pools.yaml").write_text(POOL)
    answer = nodepools("instances", "--existing", "pools.yaml", "--pool", "web", "--format", "json", cwd=tmp_path)
    assert answer.json["instance_types"] == ["m7i.large"]


CLASS = """
---
apiVersion: eks.amazonaws.com/v1
kind: NodeClass
metadata: {name: default}
status: {subnets: [{id: subnet-1, zone: %sa, zoneID: x-az1}]}
"""


@pytest.mark.parametrize(("region", "told"), [("us-east-1", "cheapest: m7i.large"), ("eu-central-1", "no price table for eu-central-1")])
def test_prices_are_those_of_one_region(nodepools, tmp_path, region, told):
    (tmp_path / "pools.yaml").write_text(POOL + CLASS % region)
    assert told in nodepools("instances", "--existing", "pools.yaml", "--pool", "web", cwd=tmp_path).out
    answer = nodepools("instances", "--existing", "pools.yaml", "--pool", "web", "--format", "json", cwd=tmp_path).json
    assert ("cheapest" in answer) == (region == "us-east-1")


def test_without_a_pool_the_only_one_is_used_and_several_are_listed(nodepools, asked, tmp_path):
    asked("use1/web")
    answer = nodepools("instances", "--file", "p.yaml", cwd=tmp_path)
    assert (answer.status, answer.out) == (2, "")
    assert "`--pool` is required: use one of `use1/general-purpose`, `use1/system`, `use1/web`, `use1/few`" in answer.err
    auto = "    auto_mode: {built_in_node_pools: [general-purpose]}\n"
    (tmp_path / "p.yaml").write_text(PLATFORM.partition("    auto_mode:")[0] + auto)
    assert nodepools("instances", "--file", "p.yaml", cwd=tmp_path).out.startswith("p.yaml: use1/general-purpose allows ")
    size = "{vm_size: Standard_D4ds_v5, count: 2}"
    cluster = f"{{kind: AksCluster, location: westeurope, kubernetes_version: '1.35', system_pool: {size}}}"
    (tmp_path / "p.yaml").write_text(f"name: a\nclusters:\n  weu: {cluster}\n")
    answer = nodepools("instances", "--file", "p.yaml", cwd=tmp_path)
    assert (answer.status, "`nodepools cost` prices other pools of a stack or a file" in answer.err) == (2, True)
