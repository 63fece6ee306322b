"""`nodepools doctor`: what a first deployment needs."""

import os
import re
import stat
import subprocess

import pytest

from nodepools import AksClusterArgs, Platform, StackOutput, SystemPool
from nodepools.cli.clusters.doctor import export_commands
from nodepools.data.table_files import TABLES

WORKSPACE = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/g/providers/Microsoft.OperationalInsights/workspaces/w"


@pytest.fixture
def tools(tmp_path):
    """A folder with the three tools, for PATH."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("pulumi", "kubelogin", "aws"):
        tool = folder / name
        tool.write_text("#!/bin/sh\n")
        tool.chmod(tool.stat().st_mode | stat.S_IXUSR)
    return folder


def test_with_all_tools_there_is_nothing_missing(nodepools, project, tools):
    answer = nodepools("doctor", "--format", "json", cwd=project, env={"PATH": str(tools)})
    assert (answer.status, answer.json["missing"], answer.json["answer"]) == (
        0,
        [],
        "dev: all 3 required tools are here; 20 needs of the accounts to check by hand",
    )
    assert [tool["name"] for tool in answer.json["tools"] if not tool["is_required"]] == ["az", "kubectl"]


def test_what_all_clusters_need_is_one_line(nodepools, project, tools, monkeypatch):
    monkeypatch.delenv("AAD_LOGIN_METHOD", raising=False)
    answer = nodepools("doctor", cwd=project, env={"PATH": str(tools)})
    assert [line.split()[:3] for line in answer.out.splitlines() if "AAD_LOGIN_METHOD is" in line] == [["login", "weu,", "neu"]]
    assert answer.out.count("Contributor on the subscription") == 1


@pytest.mark.parametrize("name", ["pulumi", "kubelogin", "aws"])
def test_a_missing_tool_is_status_1(nodepools, project, tools, name):
    (tools / name).unlink()
    answer = nodepools("doctor", cwd=project, env={"PATH": str(tools)})
    assert answer.status == 1
    first, second, *_ = answer.out.splitlines()
    assert first.startswith(f"dev: 1 of 3 required tools is missing: {name}; ")
    assert second.startswith("next: ")
    assert name in second
    assert f"✘ missing   {name}" in answer.out


def test_what_the_command_for_quotas_needs_is_installed_before_it(nodepools, project, tools):
    (tools / "kubectl").unlink(missing_ok=True)
    steps = nodepools("doctor", "--format", "json", cwd=project, env={"PATH": str(tools)}).json["next"]
    assert steps[0].startswith("Install `az` (")
    assert ", then `kubectl` (" in steps[0]
    assert "nodepools capacity --stack dev" in steps[1]


def test_what_deploys_is_installed_and_logged_in_before(nodepools, project, tools, monkeypatch):
    monkeypatch.delenv("AAD_LOGIN_METHOD", raising=False)
    (tools / "kubelogin").unlink()
    steps = nodepools("doctor", "--format", "json", cwd=project, env={"PATH": str(tools)}).json["next"]
    kubelogin = "`az aks install-cli` or https://azure.github.io/kubelogin/install.html"
    assert f", then `kubelogin` ({kubelogin})" in steps[0]
    assert steps[1].startswith("export AAD_LOGIN_METHOD=azurecli && nodepools capacity --stack dev --context CONTEXT --cloud  # changes nothing; ")
    assert "of one cluster at a time" in steps[1]
    (tools / "az").symlink_to("aws")
    steps = nodepools("doctor", "--format", "json", cwd=project, env={"PATH": str(tools), "AAD_LOGIN_METHOD": "spn"}).json["next"]
    assert [step.partition("  #")[0] for step in steps if not step.startswith("Install `kubectl`")] == [
        "az aks install-cli",
        "nodepools capacity --stack dev --context CONTEXT --cloud",
    ]


def test_it_lists_roles_and_quotas_of_each_cluster(nodepools, project, tools):
    needs = nodepools("doctor", "--format", "json", cwd=project, env={"PATH": str(tools), "AAD_LOGIN_METHOD": "azurecli"}).json["needs"]
    told = {(need["cluster"], need["what"]) for need in needs}
    assert told == {(cluster, what) for cluster in ("weu", "neu", "use1") for what in ("role", "quota")}


SPOT_TOO = """
name: a
clusters:
  weu:
    kind: AksCluster
    location: West Europe
    kubernetes_version: "1.35"
    system_pool: {vm_size: Standard_D4ds_v5, count: 2}
    pools:
      web: {kind: UserPool, vm_size: Standard_D2ds_v5, scale: {min: 1, max: 5}}
      batch: {kind: UserPool, vm_size: Standard_E4ds_v5, scale: {min: 0, max: 20}, spot: {}}
"""


def test_vcpus_are_stated_by_family_and_region_and_spot_apart(nodepools, tmp_path, tools):
    (tmp_path / "p.yaml").write_text(SPOT_TOO)
    needs = nodepools("doctor", "--file", "p.yaml", "--format", "json", cwd=tmp_path, env={"PATH": str(tools)}).json["needs"]
    assert [need["need"].removesuffix(" at their maximum sizes during an upgrade") for need in needs if need["need"].startswith("vCPUs")] == [
        "vCPUs of `standardDDSv5Family` in westeurope: 10 to create the pools, 22",
        "vCPUs of `cores` (all families together) in westeurope: 10 to create the pools, 22",
        "vCPUs of `lowPriorityCores` (all spot pools together) in westeurope: 0 to create the pools, 80 to 88",
    ]


OF_EC2 = """
name: a
clusters:
  use1:
    kind: EksCluster
    region: us-east-1
    kubernetes_version: "1.35"
    auto_mode:
      built_in_node_pools: [system]
      node_pools:
        web:
          requirements:
          - {key: karpenter.sh/capacity-type, operator: In, values: [spot]}
          - {key: eks.amazonaws.com/instance-category, operator: In, values: [c, m, r]}
          limits: {cpu: 200}
        train:
          requirements:
          - {key: karpenter.sh/capacity-type, operator: In, values: [on-demand]}
          - {key: eks.amazonaws.com/instance-gpu-name, operator: In, values: [h100]}
          limits: {cpu: 384}
        steady:
          requirements:
          - {key: karpenter.sh/capacity-type, operator: In, values: [on-demand]}
          - {key: node.kubernetes.io/instance-type, operator: In, values: [inf1.xlarge]}
          replicas: 3
          limits: {nodes: 5}
"""


def test_vcpus_of_ec2_are_stated_by_class_and_spot_apart(nodepools, tmp_path, tools):
    (tmp_path / "p.yaml").write_text(OF_EC2)
    needs = nodepools("doctor", "--file", "p.yaml", "--format", "json", cwd=tmp_path, env={"PATH": str(tools)}).json["needs"]
    assert [need["need"] for need in needs if need["need"].startswith("vCPUs")] == [
        "vCPUs of on-demand `P` instances in us-east-1: at most 384",
        "vCPUs of on-demand `Inf` instances in us-east-1: 12 to 20",
        "vCPUs of spot `Standard` instances in us-east-1: at most 200",
        "vCPUs without an upper bound, for NodePools without `limits`, in us-east-1: on-demand `Standard`",
    ]


def test_a_login_that_would_wait_for_a_browser_is_told(nodepools, project, tools, monkeypatch):
    monkeypatch.delenv("AAD_LOGIN_METHOD", raising=False)
    needs = nodepools("doctor", "--format", "json", cwd=project, env={"PATH": str(tools)}).json["needs"]
    assert [need["cluster"] for need in needs if need["what"] == "login"] == ["weu", "neu"]
    assert all("AAD_LOGIN_METHOD is not set" in need["need"] for need in needs if need["what"] == "login")


def test_a_platform_on_azure_alone_needs_no_aws(nodepools, tmp_path, tools):
    (tmp_path / "p.yaml").write_text(
        "name: a\nclusters: {weu: {kind: AksCluster, location: westeurope, kubernetes_version: '1.35', system_pool: {vm_size: Standard_D4ds_v5}}}"
    )
    answer = nodepools("doctor", "--file", "p.yaml", "--format", "json", cwd=tmp_path, env={"PATH": str(tools)})
    assert [tool["name"] for tool in answer.json["tools"]] == ["pulumi", "az", "kubelogin", "kubectl"]


EKS = """
name: a
clusters:
  use1:
    kind: EksCluster
    region: us-east-1
    kubernetes_version: "1.36"
    cluster_role: arn:aws:iam::111122223333:role/eks
    auto_mode: {built_in_node_pools: [], node_classes: {own: OWN}}
"""


@pytest.mark.parametrize(
    ("declared", "makes"),
    [
        pytest.param("{role: nodes}", False, id="every role is brought"),
        pytest.param("{create_role: true}", True, id="a class has one made for it"),
        pytest.param("{}", True, id="one is made for the classes"),
    ],
)
def test_who_makes_roles_needs_the_right_to(nodepools, tmp_path, tools, declared, makes):
    (tmp_path / "p.yaml").write_text(EKS.replace("OWN", declared))
    needs = nodepools("doctor", "--file", "p.yaml", "--format", "json", cwd=tmp_path, env={"PATH": str(tools)}).json["needs"]
    assert any("iam:CreateRole" in need["need"] for need in needs) is makes


@pytest.mark.parametrize(
    ("declared", "region"),
    [
        pytest.param("", None, id="no workspace"),
        pytest.param(f", log_analytics_workspace_id: {WORKSPACE}", "westeurope", id="the workspace is where the cluster is"),
        pytest.param(
            f", log_analytics_workspace_id: {WORKSPACE}, log_analytics_workspace_location: northeurope", "northeurope", id="it is elsewhere"
        ),
    ],
)
def test_logs_need_a_right_on_their_workspace(nodepools, tmp_path, tools, declared, region):
    cluster = f"kind: AksCluster, location: westeurope, kubernetes_version: '1.35', system_pool: {{vm_size: Standard_D4ds_v5}}{declared}"
    (tmp_path / "p.yaml").write_text(f"name: a\nclusters: {{weu: {{{cluster}}}}}")
    needs = nodepools("doctor", "--file", "p.yaml", "--format", "json", cwd=tmp_path, env={"PATH": str(tools)}).json["needs"]
    assert any("Log Analytics Contributor" in need["need"] for need in needs) is (region is not None)
    assert [need["need"].split(";")[0] for need in needs if need["what"] == "region"] == ([f"Log Analytics workspace in {region}"] if region else [])


def test_tables_older_than_200_days_are_warned_of(nodepools, project, tools):
    later = nodepools("doctor", "--today", "2027-02-07", cwd=project, env={"PATH": str(tools)})
    assert (later.status, later.out.count(" days old\n")) == (0, 2)
    assert later.out.startswith("dev: all 3 required tools are here; 20 needs of the accounts to check by hand; 2 tables are old\n")
    assert "prices of Azure VM sizes       as of 2026-06-18, 234 days old" in later.out
    fresh = nodepools("doctor", "--today", "2026-12-01", "--details", cwd=project, env={"PATH": str(tools)})
    assert f"all {len(TABLES)} are at most 200 days old" in fresh.out


def test_json_has_the_day_of_every_table(nodepools, project, tools):
    tables = nodepools("doctor", "--today", "2027-02-07", "--format", "json", cwd=project, env={"PATH": str(tools)}).json["tables"]
    assert [table["name"] for table in tables if table["is_old"]] == ["prices of Azure VM sizes", "EC2 instance types and prices"]
    assert {table["age_days"] for table in tables if table["name"] == "Azure regions"} == {170}


EXPORTED = """
name: shop
clusters:
  west:
    kind: AksCluster
    location: westeurope
    kubernetes_version: "1.35"
    name: Shop_West
    resource_group: my(shop)
    subscription_id: 11111111-2222-4333-8444-555555555555
    system_pool: {vm_size: Standard_D4ds_v5, count: 2}
  east:
    kind: EksCluster
    region: us-east-1
    kubernetes_version: "1.35"
    account: {id: "123456789012", profile: ops}
    network: {kind: EksNetwork, zones: [us-east-1a, us-east-1b]}
    new_secrets_key: {}
"""
PRINTS = """#!/bin/sh
case "$*" in
*"--query accessEntries"*) echo arn:a arn:b;;
*"--query identityProviderConfigs"*) echo people;;
*" --query "*) ;;
*) echo "{}";;
esac
echo "$0 $*" >> "$CALLS"
"""


def test_exports_are_commands_that_fill_a_folder(nodepools, tmp_path):
    (tmp_path / "p.yaml").write_text(EXPORTED)
    script = nodepools("doctor", "--file", "p.yaml", "--exports", cwd=tmp_path)
    assert (script.status, script.err) == (0, "")
    for name in ("az", "aws", "kubectl"):
        (tmp_path / name).write_text(PRINTS)
        (tmp_path / name).chmod(0o755)
    environment = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "CALLS": str(tmp_path / "calls")}
    subprocess.run(["sh", "-e", "-c", script.out], cwd=tmp_path, env=environment, check=True)
    assert sorted(str(file.relative_to(tmp_path / "live")) for file in (tmp_path / "live").rglob("*.*")) == [
        "east/describe-access-entry-0.json",
        "east/describe-access-entry-1.json",
        "east/describe-cluster.json",
        "east/describe-identity-provider-config-0.json",
        "east/describe-key.json",
        "east/describe-log-groups.json",
        "east/get-key-rotation-status.json",
        "east/list-access-entries.json",
        "east/list-addons.json",
        "east/list-associated-access-policies-0.json",
        "east/list-associated-access-policies-1.json",
        "east/list-identity-provider-configs.json",
        "east/list-pod-identity-associations.json",
        "east/objects.yaml",
        "west/maintenanceconfiguration-list.json",
        "west/nodepool-list.json",
        "west/objects.yaml",
        "west/show.json",
    ]
    calls = (tmp_path / "calls").read_text()
    assert "--identity-provider-config type=oidc,name=people" in calls
    assert "az aks show --resource-group my(shop) --name Shop_West -o json --subscription 11111111-2222-4333-8444-555555555555" in calls
    assert all(re.search(r"/(az aks (\w+ list|show)|aws (eks|logs|kms) (list|describe|get)-|kubectl get) ?", call) for call in calls.splitlines()), (
        "they only read"
    )


def test_a_resource_group_of_another_stack_is_a_variable():
    group = StackOutput("acme/base/dev", "group")
    cluster = AksClusterArgs(
        location="westeurope", kubernetes_version="1.35", resource_group=group, system_pool=SystemPool(vm_size="Standard_D4ds_v5", count=2)
    )
    commands = export_commands(Platform(name="shop", clusters={"west": cluster}))["west"]
    assert commands[1] == 'az aks show --resource-group "$RESOURCE_GROUP" --name shop-west -o json > live/west/show.json'


def test_a_command_of_a_tool_that_is_not_here_is_no_advice(nodepools, project, tools):
    (tools / "kubelogin").unlink()
    without = nodepools("doctor", cwd=project, env={"PATH": str(tools)}).out
    (tools / "az").symlink_to(tools / "aws")
    with_az = nodepools("doctor", cwd=project, env={"PATH": str(tools)}).out
    assert "next: az aks install-cli" in with_az
    assert "next: az aks install-cli" not in without
    assert "then `kubelogin` (`az aks install-cli` or" in " ".join(without.split())
