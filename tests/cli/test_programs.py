"""Commands in the folder of a program without `stacks`, as in docs/guides/programs.md: they read the clusters that its components declare."""

import json
import os
import subprocess
import sys
from hashlib import sha1
from pathlib import Path

import pytest

pytestmark = [pytest.mark.program, pytest.mark.usefixtures("hosts")]

SCRIPT = Path(sys.executable).with_name("nodepools")
PROGRAM = """
import pulumi
from pulumi_azure_native import containerregistry, network, operationalinsights, resources

from nodepools import AksCluster, AksClusterArgs, Autoscale, ExistingAksNetwork, SystemPool, UserPool

location = pulumi.Config().require("location")
group = resources.ResourceGroup("shop", location=location)
vnet = network.VirtualNetwork("shop", resource_group_name=group.name, address_space={"address_prefixes": ["10.20.0.0/16"]})
nodes = network.Subnet("nodes", resource_group_name=group.name, virtual_network_name=vnet.name, address_prefix="10.20.0.0/20")
containerregistry.Registry("shop", resource_group_name=group.name, sku={"name": "Standard"})
operationalinsights.Workspace("shop", resource_group_name=group.name)
cluster = AksCluster(
    "shop",
    AksClusterArgs(
        location=location,
        resource_group=group.name,
        kubernetes_version="1.35",
        network=ExistingAksNetwork(subnet_id=nodes.id),
        system_pool=SystemPool(vm_size="Standard_D4ds_v5", count=3),
        pools={"web": UserPool(vm_size="Standard_D4ds_v5", scale=Autoscale(min=1, max=4))},
    ),
)
"""
RELEASE = """
from pulumi_kubernetes import Provider, helm

there = pulumi.ResourceOptions(provider=Provider("shop", kubeconfig=cluster.kubeconfig), depends_on=[cluster.agent_pools["web"]])
helm.v3.Release("ingress", chart="ingress-nginx", opts=there)
"""
POD = """
apiVersion: v1
kind: Pod
metadata: {name: web}
spec: {containers: [{name: web, image: web, resources: {requests: {cpu: "1"}}}]}
"""
RAW = """
import pulumi
from pulumi_aws import eks
from pulumi_azure_native import containerservice, resources
from pulumi_kubernetes import Provider
from pulumi_kubernetes.apiextensions import CustomResource

group = resources.ResourceGroup("shop", location="westeurope")
SIZE = "Standard_D4ds_v5"
weu = containerservice.ManagedCluster(
    "weu",
    resource_group_name=group.name,
    location="westeurope",
    kubernetes_version="1.35",
    dns_prefix="weu",
    network_profile={"network_plugin": "azure", "network_plugin_mode": "overlay"},
    agent_pool_profiles=[{"name": "system", "mode": "System", "count": 3, "vm_size": SIZE, "os_type": "Linux"}],
)
around = {"resource_group_name": group.name, "resource_name_": weu.name}
containerservice.AgentPool("web", agent_pool_name="web", vm_size=SIZE, enable_auto_scaling=True, min_count=1, max_count=4, **around)
use1 = eks.Cluster(
    "use1",
    version="1.35",
    role_arn="arn:aws:iam::123456789012:role/a",
    compute_config={"enabled": True, "node_pools": ["general-purpose"], "node_role_arn": "arn:aws:iam::123456789012:role/n"},
    kubernetes_network_config={"elastic_load_balancing": {"enabled": True}},
    storage_config={"block_storage": {"enabled": True}},
    vpc_config={"subnet_ids": ["subnet-a", "subnet-b"]},
)
NODES = {
    "nodeClassRef": {"group": "eks.amazonaws.com", "kind": "NodeClass", "name": "default"},
    "requirements": [{"key": "eks.amazonaws.com/instance-category", "operator": "In", "values": ["c", "m"]}],
}
CustomResource(
    "batch",
    api_version="karpenter.sh/v1",
    kind="NodePool",
    metadata={"name": "batch"},
    spec={"template": {"spec": NODES}},
    opts=pulumi.ResourceOptions(provider=Provider("use1", kubeconfig=use1.endpoint)),
)
"""
CLASSIC = "from pulumi_aws import eks\neks.Cluster('old', role_arn='arn:aws:iam::123456789012:role/a', vpc_config={'subnet_ids': ['a', 'b']})\n"
REMOTE = "import pulumi\npulumi.ComponentResource('a:b:C', 'far', {}, None, remote=True)\n"
FARGATE = "from pulumi_aws import eks\neks.FargateProfile('old', cluster_name='a', pod_execution_role_arn='b', selectors=[{'namespace': 'c'}])\n"
GROUPS = """
import pulumi
from pulumi_aws import ec2, eks, iam

role = iam.Role("nodes", assume_role_policy="{}")
use1 = eks.Cluster("use1", version="1.35", role_arn=role.arn, vpc_config={"subnet_ids": ["subnet-a", "subnet-b"]})
around = {"cluster_name": use1.name, "node_role_arn": role.arn, "subnet_ids": ["subnet-a"], "instance_types": ["m6i.large"]}
linux = {**around, "ami_type": "AL2023_x86_64_STANDARD", "scaling_config": {"desired_size": 2, "min_size": 2, "max_size": 4}}
eks.NodeGroup("web", labels={"tier": "web"}, taints=[{"key": "team", "value": "web", "effect": "NO_SCHEDULE"}], **linux)
eks.NodeGroup("plain", node_group_name="plain", **linux)
"""
OBJECT = "from pulumi_kubernetes.apiextensions import CustomResource\nCustomResource('old', api_version='karpenter.sh/v1', kind='NodePool')\n"

WITHOUT_NAP = """
from pulumi_kubernetes import Provider
from pulumi_kubernetes.apiextensions import CustomResource

NODES = {
    "requirements": [{"key": "kubernetes.io/arch", "operator": "In", "values": ["amd64"]}],
    "nodeClassRef": {"group": "karpenter.azure.com", "kind": "AKSNodeClass", "name": "default"},
}
there = pulumi.ResourceOptions(provider=Provider("shop", kubeconfig=cluster.kubeconfig))
CustomResource("idle", api_version="karpenter.sh/v1", kind="NodePool", metadata={"name": "idle"}, spec={"template": {"spec": NODES}}, opts=there)
"""


@pytest.fixture
def nodepools(tmp_path):
    (tmp_path / "Pulumi.yaml").write_text("name: shop\nruntime: python\n")
    (tmp_path / "Pulumi.live.yaml").write_text("config:\n  shop:location: westeurope\n")
    (tmp_path / "__main__.py").write_text(PROGRAM)
    (tmp_path / "pod.yaml").write_text(POD)

    def answer(*options, **environment):
        return subprocess.run(
            [SCRIPT, *options], cwd=tmp_path, env={**os.environ, **environment}, capture_output=True, text=True, check=False, timeout=120
        )

    return answer


def commit(folder):
    author = ("-c", "user.name=a", "-c", "user.email=a@example.com")
    for command in (["init", "--quiet"], ["add", "--all"], [*author, "commit", "--quiet", "--message", "one"]):
        subprocess.run(["git", *command], cwd=folder, check=True)


@pytest.mark.parametrize(
    ("command", "first"),
    [
        pytest.param(["check"], "live: no errors or warnings", id="check"),
        pytest.param(["explain", "pod.yaml"], "live: web (Pod) fits shop/web", id="explain"),
        pytest.param(["cost"], "live: 794 to 1,390 USD per month for nodes", id="cost"),
        pytest.param(["upgrade", "--to", "1.36"], "live to 1.36: unknown", id="upgrade"),
        pytest.param(["capacity"], "live: unknown", id="capacity"),
        pytest.param(["calendar"], "live: automatic upgrades of shop: open at all times", id="calendar"),
    ],
)
def test_a_command_answers_for_the_only_stack_of_a_program(nodepools, command, first):
    done = nodepools(*command)
    assert done.stdout.startswith(first), done.stderr
    assert "clusters.shop.network.subnet_id, clusters.shop.resource_group are known after `pulumi up`" in done.stdout + done.stderr


def test_a_release_in_the_cluster_is_no_problem(nodepools, tmp_path):
    (tmp_path / "__main__.py").write_text(PROGRAM + RELEASE)
    done = nodepools("check")
    assert done.stdout.startswith("live: no errors or warnings"), done.stderr
    assert done.returncode == 0


@pytest.fixture
def raw(nodepools, tmp_path):
    (tmp_path / "Pulumi.live.yaml").write_text("config:\n  aws:region: us-east-1\n")
    (tmp_path / "__main__.py").write_text(RAW)
    return nodepools


@pytest.mark.parametrize(
    ("command", "first"),
    [
        pytest.param(["check"], "live: no errors, 4 warnings", id="check"),
        pytest.param(["explain", "pod.yaml"], "live: web (Pod) fits weu/system, weu/web or use1/general-purpose", id="explain"),
        pytest.param(["cost"], "live: at least 794 USD per month for nodes: use1/batch, use1/general-purpose have no maximum", id="cost"),
        pytest.param(["upgrade", "--to", "1.36"], "live to 1.36: unknown", id="upgrade"),
    ],
)
def test_a_command_answers_for_resources_without_a_component(raw, command, first):
    done = raw(*command)
    assert done.stdout.startswith(first), done.stderr
    assert done.returncode == 0
    assert "weu.resourceGroupName are known after `pulumi up`" in " ".join((done.stdout + done.stderr).split())


def test_findings_of_resources_are_in_their_terms_at_their_lines(raw, tmp_path):
    (tmp_path / "__main__.py").write_text(RAW.replace("min_count=1", "min_count=9"))
    done = raw("check")
    line = next(number for number, text in enumerate(RAW.splitlines(), 1) if "AgentPool(" in text)
    assert done.returncode == 1
    assert f"__main__.py:{line}:1: AKS010 error at web.minCount: 9" in done.stdout


def test_resources_of_two_commits_are_compared(raw, tmp_path):
    commit(tmp_path)
    (tmp_path / "__main__.py").write_text(
        RAW.replace('"count": 3', '"count": 4').replace('["c", "m"]', '["c"]').replace("max_count=4", "max_count=5")
    )
    done = raw("diff", "HEAD")
    text = " ".join(done.stdout.split())
    assert "use1/batch spec.template.spec.requirements" in text, done.stderr
    assert "weu/system weu.system_pool.count: 3 → 4" in text
    assert "weu/web" in text
    assert "scale.max: 4 → 5" in text


def test_nodes_that_are_not_known_are_said_and_no_answer_is_complete(raw, tmp_path):
    later = 'containerservice.AgentPool("later", vm_size=group.id.apply(lambda _: SIZE), count=1, **around)\n'
    (tmp_path / "__main__.py").write_text(RAW + later + CLASSIC)
    done = raw("cost")
    assert done.returncode == 2
    assert "cluster `weu` (azure-native:containerservice:ManagedCluster) is read without what is not known here: `pools.later.vm_size`" in done.stderr
    assert "cluster `old` (aws:eks/cluster:Cluster) is checked, and its nodes are not known here: it has no EKS Auto Mode" in done.stderr


@pytest.fixture
def groups(raw, tmp_path):
    (tmp_path / "__main__.py").write_text(GROUPS)
    return raw


def test_node_groups_are_those_that_exist_after_the_update(groups, tmp_path):
    group = "eks.amazonaws.com/nodegroup"
    selectors = {"any": {}, "intolerant": {"tier": "web"}, "named": {group: "plain"}, "prefix": {group: "web"}}
    pods = [
        {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name}, "spec": {"nodeSelector": selector, "containers": [{"name": "a"}]}}
        for name, selector in selectors.items()
    ]
    pods[-1]["spec"]["tolerations"] = [{"operator": "Exists"}]
    (tmp_path / "pods.yaml").write_text("\n---\n".join(map(json.dumps, pods)))
    done = groups("explain", "pods.yaml", "--stack", "live", "--format", "json")
    verdicts = {one["name"]: (one["verdict"], one["pools"]) for one in json.loads(done.stdout)["workloads"]}
    assert verdicts == {"any": ("fits", ["use1/plain"]), "intolerant": ("cannot", []), "named": ("fits", ["use1/plain"]), "prefix": ("unknown", [])}


def test_node_groups_cost_what_their_types_cost(groups):
    done = groups("cost", "--format", "json")
    assert done.returncode == 0, done.stderr
    [platform] = json.loads(done.stdout)["platforms"]
    assert {one["pool"]: one["what"] for one in platform["pools"]} == {"use1/plain": "2 to 4 x `m6i.large`", "use1/web-*": "2 to 4 x `m6i.large`"}


def test_node_groups_of_two_commits_are_compared(groups, tmp_path):
    commit(tmp_path)
    (tmp_path / "__main__.py").write_text(GROUPS.replace("m6i.large", "m6i.xlarge"))
    done = groups("diff", "HEAD")
    assert "rotates  use1/web  instanceTypes" in done.stdout, done.stderr
    assert "replaces  use1/plain  instanceTypes" in done.stdout
    assert "is not read" not in done.stderr


def test_an_edit_of_a_node_group_that_keeps_its_nodes_is_a_complete_answer(groups, tmp_path):
    commit(tmp_path)
    other = "eks.Cluster('other', role_arn=role.arn, vpc_config={'subnet_ids': ['subnet-a', 'subnet-b']})\n"
    (tmp_path / "__main__.py").write_text(GROUPS.replace('"max_size": 4', '"max_size": 5'))
    done = groups("diff", "HEAD")
    assert (done.returncode, "not known here" in done.stderr) == (0, False), done.stderr
    (tmp_path / "__main__.py").write_text(GROUPS + other)
    done = groups("diff", "HEAD")
    assert "cluster `use1`" not in done.stderr
    assert "cluster `other` (aws:eks/cluster:Cluster) is checked, and its nodes are not known here" in done.stderr


def test_check_says_that_no_rule_is_about_node_groups(groups):
    done = groups("check")
    assert done.returncode == 0
    assert "no rule checks node groups: plain, web" in done.stderr
    assert "CFG" not in done.stdout


MIXED = """
from nodepools import AutoMode, EksCluster, EksClusterArgs, EksNetworkArgs

own = EksNetworkArgs(cidr="10.30.0.0/16", nat="single")
use2 = EksCluster("use2", EksClusterArgs(region="us-east-1", kubernetes_version="1.35", network=own, auto_mode=AutoMode(built_in_node_pools=())))
eks.NodeGroup("batch", **{**linux, "cluster_name": use2.name, "labels": {"tier": "batch"}})
for name, pool in (("late", "late"), ("double", "web")):  # the component has a pool `web` of its own
    containerservice.AgentPool(
        name, resource_group_name=group.name, resource_name_=cluster.name, agent_pool_name=pool, vm_size="Standard_D4ds_v5", count=2,
        node_labels={"tier": name}
    )
"""
TIERS = """
apiVersion: v1
kind: Pod
metadata: {name: TIER}
spec: {nodeSelector: {tier: TIER}, tolerations: [{operator: Exists}], containers: [{name: web, image: web, resources: {requests: {cpu: "1"}}}]}
---"""


@pytest.fixture
def mixed(nodepools, tmp_path):
    (tmp_path / "Pulumi.live.yaml").write_text("config:\n  shop:location: westeurope\n  aws:region: us-east-1\n")
    (tmp_path / "__main__.py").write_text(f"from pulumi_azure_native import containerservice\n{PROGRAM}{GROUPS}{MIXED}")
    (tmp_path / "pods.yaml").write_text("".join(TIERS.replace("TIER", tier) for tier in ("web", "batch", "late", "double")))
    return nodepools


def test_node_groups_and_agent_pools_next_to_components_run_pods(mixed):
    done = mixed("explain", "pods.yaml", "--format", "json")
    pools = {one["name"]: one["pools"] for one in json.loads(done.stdout)["workloads"]}
    assert pools == {"web": ["use1/web-*"], "batch": ["use2/batch-*"], "late": ["shop/late"], "double": ["shop/web-2"]}, done.stderr
    assert done.returncode == 0


def test_node_groups_and_agent_pools_next_to_components_cost_what_they_cost(mixed):
    done = mixed("cost", "--format", "json")
    [platform] = json.loads(done.stdout)["platforms"]
    pools = {one["pool"]: one["what"] for one in platform["pools"]}
    assert pools["use2/batch-*"] == "2 to 4 x `m6i.large`", done.stderr
    assert pools["shop/late"].startswith("2 x Standard_D4ds_v5")
    assert done.returncode == 0


def test_an_upgrade_of_a_program_names_who_upgrades_its_pools(mixed):
    text = " ".join(mixed("upgrade", "--to", "1.36").stdout.split())
    assert "aws eks update-nodegroup-version --cluster-name use2 --region us-east-1 --nodegroup-name batch-* --kubernetes-version 1.36" in text
    assert "`clusters.shop.pools.late.kubernetes_version` to `1.36`" in text  # without it, no request has the version


def test_pools_next_to_components_leave_no_false_findings(mixed):
    done = mixed("check", "--details")
    assert "PLT001" not in done.stdout, "pods without tolerations run on the node group"


def test_a_node_group_of_a_cluster_that_is_not_known_leaves_the_answer_open(mixed, tmp_path):
    far = 'eks.NodeGroup("far", **{**linux, "cluster_name": "elsewhere", "labels": {"tier": "far"}})\n'
    (tmp_path / "__main__.py").write_text((tmp_path / "__main__.py").read_text() + far)
    (tmp_path / "pods.yaml").write_text(TIERS.replace("TIER", "far"))
    done = mixed("explain", "pods.yaml")
    assert "node group `far` (aws:eks/nodeGroup:NodeGroup) is not read: its cluster is not known" in done.stderr
    assert "stays Pending on the pools that are read" in done.stdout


KARPENTER = """
import pulumi
from pulumi_aws import eks, iam
from pulumi_kubernetes import Provider, yaml
from pulumi_kubernetes.apiextensions import CustomResource

from nodepools import AksCluster, AksClusterArgs, AutoMode, EksCluster, EksClusterArgs, EksNetworkArgs, SystemPool

AksCluster("weu", AksClusterArgs(location="westeurope", kubernetes_version="1.35", system_pool=SystemPool(vm_size="Standard_D4ds_v5", count=3)))
role = iam.Role("nodes", assume_role_policy="{}")
own = EksNetworkArgs(cidr="10.30.0.0/16", nat="single")
auto, two = AutoMode(built_in_node_pools=()), {"subnet_ids": ["subnet-a", "subnet-b"]}
clusters = {name: eks.Cluster(name, version="1.35", role_arn=role.arn, vpc_config=two) for name in ("use1", "use2")}
clusters["use3"] = EksCluster("use3", EksClusterArgs(region="us-east-1", kubernetes_version="1.35", network=own, auto_mode=auto))
NODES = {
    "nodeClassRef": {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": "default"},
    "requirements": [{"key": "karpenter.k8s.aws/instance-category", "operator": "In", "values": ["c"]}],
}
for name, cluster in clusters.items():
    there = pulumi.ResourceOptions(provider=Provider(name, kubeconfig=cluster.kubeconfig if name == "use3" else cluster.endpoint))
    labels, limits = {"tier": name}, {"cpu": 100}
    spec = {"limits": limits, "template": {"metadata": {"labels": labels}, "spec": NODES}}
    if name == "use1":
        CustomResource(name, api_version="karpenter.sh/v1", kind="NodePool", metadata={"name": "batch"}, spec=spec, opts=there)
        yaml.ConfigFile(name, "class.yaml", opts=there)
    else:
        node_pool = {"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": {"name": "batch"}, "spec": spec}
        yaml.v2.ConfigGroup(name, files=["class.yaml"], objs=[node_pool], opts=there)
"""
CLASS = """
apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata: {name: default}
spec:
  role: nodes
  amiSelectorTerms: [{alias: al2023@v20260801}]
  subnetSelectorTerms: [{tags: {team: shop}}]
  securityGroupSelectorTerms: [{tags: {team: shop}}]
"""


@pytest.fixture
def karpenter(nodepools, tmp_path):
    (tmp_path / "Pulumi.live.yaml").write_text("config:\n  aws:region: us-east-1\n")
    (tmp_path / "__main__.py").write_text(KARPENTER)
    (tmp_path / "class.yaml").write_text(CLASS)
    return nodepools


@pytest.mark.parametrize(
    ("command", "status", "told"),
    [
        pytest.param(["check"], 0, "KAR045", id="check"),
        pytest.param(["cost"], 0, "use1/batch 0.00 at least", id="cost"),
        pytest.param(["upgrade", "--to", "1.36", "--details"], 0, "`al2023@v20260801` is pinned", id="upgrade"),
        pytest.param(["calendar"], 0, "use3/batch, use1/batch, use2/batch: always", id="calendar"),
    ],
)
def test_self_managed_karpenter_next_to_other_clusters_is_known(karpenter, command, status, told):
    done = karpenter(*command)
    assert done.returncode == status, done.stdout + done.stderr
    assert told in " ".join(done.stdout.split())
    assert "not known here" not in done.stderr


def test_pods_run_on_self_managed_karpenter_of_their_cluster(karpenter, tmp_path):
    (tmp_path / "pods.yaml").write_text("".join(TIERS.replace("TIER", tier) for tier in ("use1", "use2", "use3", "nowhere")))
    done = karpenter("explain", "pods.yaml", "--format", "json")
    found = {one["name"]: (one["verdict"], one["pools"]) for one in json.loads(done.stdout)["workloads"]}
    fits = {tier: ("fits", [f"{tier}/batch"]) for tier in ("use1", "use2", "use3")}
    assert found == {**fits, "nowhere": ("cannot", [])}, done.stderr


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        pytest.param('"values": ["c"]', '"values": [role.arn]', "decides the answer", id="a requirement that is known later"),
        pytest.param("opts=there", "opts=None", "its cluster is not known", id="objects of an unknown cluster"),
    ],
)
def test_an_object_of_karpenter_that_is_not_known_leaves_the_answer_open(karpenter, tmp_path, old, new, told):
    (tmp_path / "__main__.py").write_text(KARPENTER.replace(old, new))
    done = karpenter("cost")
    assert (done.returncode, told in done.stderr) == (2, True), done.stdout + done.stderr


def test_an_edit_of_a_node_pool_of_self_managed_karpenter_is_a_complete_answer(karpenter, tmp_path):
    commit(tmp_path)
    (tmp_path / "__main__.py").write_text(KARPENTER.replace('"cpu": 100', '"cpu": 200'))
    done = karpenter("diff", "HEAD")
    assert done.stdout.startswith("live: 1 edit updates use1/batch, use2/batch, use3/batch in place"), done.stdout + done.stderr
    assert done.returncode == 0


def test_a_calendar_of_a_program_with_node_groups_alone_has_nothing_to_wait_for(groups):
    done = groups("calendar")
    assert (done.returncode, done.stdout.strip()) == (0, "live: no NodePools and no maintenance windows"), done.stderr


def test_two_commits_are_compared(nodepools, tmp_path):
    commit(tmp_path)
    edited = PROGRAM.replace('"web": UserPool(vm_size="Standard_D4ds_v5"', '"web": UserPool(vm_size="Standard_D8ds_v5"')
    runs = tmp_path / "runs"
    (tmp_path / "__main__.py").write_text(f"open({str(runs)!r}, 'a').write('x')\n{edited}")
    done = nodepools("diff", "HEAD")
    assert done.stdout.startswith("live: 1 edit rotates shop/web"), done.stderr
    assert "unknown whether these change: clusters.shop.network.subnet_id, clusters.shop.resource_group" in " ".join(done.stdout.split())
    assert runs.read_text() == "x"


MEETING = """
import os, time
from pathlib import Path

there = Path(os.environ["MEETING"])
(there / COUNT).touch()
end = time.monotonic() + 60
while len(list(there.iterdir())) < 2:
    assert time.monotonic() < end, "the other program did not start"
    time.sleep(0.01)
"""


def test_programs_of_both_sides_run_at_the_same_time(nodepools, tmp_path):
    (tmp_path / "__main__.py").write_text(MEETING.replace("COUNT", "'3'") + PROGRAM)
    commit(tmp_path)
    (tmp_path / "__main__.py").write_text(MEETING.replace("COUNT", "'4'") + PROGRAM.replace("count=3", "count=4"))
    (tmp_path / "meeting").mkdir()
    done = nodepools("diff", "HEAD", MEETING=str(tmp_path / "meeting"))
    assert "system_pool.count: 3 → 4" in done.stdout, done.stderr


def test_a_program_ends_with_that_of_the_other_side(nodepools, tmp_path):
    (tmp_path / "__main__.py").write_text('raise SystemExit("no settings")\n')
    commit(tmp_path)
    (tmp_path / "__main__.py").write_text("import time\ntime.sleep(600)\n")
    done = nodepools("diff", "HEAD")
    assert done.returncode == 2
    assert "no settings" in done.stderr


def test_findings_are_at_the_line_of_the_cluster(nodepools, tmp_path):
    (tmp_path / "__main__.py").write_text(PROGRAM.replace("min=1, max=4", "min=4, max=1"))
    done = nodepools("check")
    line = PROGRAM.splitlines().index("cluster = AksCluster(") + 1
    assert done.returncode == 1
    assert f"__main__.py:{line}:1: AKS010 error at clusters.shop.pools.web.scale.min: 4" in done.stdout


@pytest.mark.parametrize(
    ("program", "told"),
    [
        pytest.param("1 / 0\n", "ZeroDivisionError", id="an exception"),
        pytest.param("import pulumi\npulumi.Config().require('nowhere')\n", "shop:nowhere", id="a missing setting"),
        pytest.param("import pulumi\n", "the program declares no cluster", id="no cluster"),
        pytest.param(PROGRAM + FARGATE, "resource `old` (aws:eks/fargateProfile:FargateProfile) is not read here", id="a Fargate profile"),
        pytest.param(PROGRAM + "1 / 0\n", "ZeroDivisionError", id="an exception after a cluster"),
        pytest.param("from pulumi_aws import ec2\nec2.get_ami()\n", "invoke of aws:ec2/getAmi:getAmi failed", id="an invoke"),
        pytest.param(REMOTE, "remote component 'far' (a:b:C): it runs inside a provider plugin", id="a remote component"),
    ],
)
def test_what_is_not_read_is_said_and_no_answer_is_complete(nodepools, tmp_path, program, told):
    (tmp_path / "__main__.py").write_text(program)
    done = nodepools("check")
    assert done.returncode == 2
    assert told in done.stderr


def test_what_is_known_later_can_have_changed(nodepools, tmp_path):
    commit(tmp_path)
    (tmp_path / "__main__.py").write_text(
        PROGRAM.replace("resource_group=group.name,\n        kub", "resource_group=group.id.apply(str),\n        kub")
    )
    done = nodepools("diff", "HEAD")
    assert "nothing changes, except perhaps clusters.shop." in done.stdout.splitlines()[0], done.stderr


@pytest.mark.parametrize(
    ("program", "told"),
    [
        pytest.param(
            PROGRAM.replace("kubernetes_version=", "kubernetes_versio="), "CFG002 error at clusters.shop.kubernetes_versio", id="a component"
        ),
        pytest.param(PROGRAM.replace("max=4", "mx=4"), "CFG002 error at clusters.shop.pools.web.scale.mx", id="a part of it"),
        pytest.param("from nodepools import Platform\nPlatform(name='x', cluster={})\n", "CFG002 error at cluster", id="a platform"),
    ],
)
def test_findings_that_end_a_program_are_errors_at_their_line(nodepools, tmp_path, program, told):
    (tmp_path / "__main__.py").write_text(program)
    done = nodepools("check")
    line = PROGRAM.splitlines().index("cluster = AksCluster(") + 1 if "AksCluster(" in program else 2
    assert done.returncode == 1
    assert "error" in done.stdout.splitlines()[0]
    assert f"__main__.py:{line}:1: {told}" in done.stdout
    assert json.loads(nodepools("check", "--format", "json").stdout)["errors"] > 0
    assert nodepools("cost").returncode == 1


def test_a_field_with_an_encrypted_value_is_not_checked(nodepools, tmp_path):
    (tmp_path / "Pulumi.live.yaml").write_text("config:\n  shop:location: {secure: v1:AAAA}\n")
    done = nodepools("check")
    assert done.returncode == 2
    assert "clusters.shop.location has a value of an encrypted setting" in done.stderr
    assert "not complete" in done.stdout.splitlines()[0]
    assert "AKS140" not in done.stdout


def sealed_stack(folder, name="live"):
    sealed = "v1:F+6ZduKKd8G0/V7L:PGMFeIzwobWRKmEAzUdaQHqC5mMRIQ=="  # `pulumi`, as in tests/engine/test_project.py
    text = f"encryptionsalt: v1:fozI5u6B030=:{sealed}\nconfig:\n  shop:location: westeurope\n  shop:team: {{secure: '{sealed}'}}\n"
    (folder / f"Pulumi.{name}.yaml").write_text(text)


def test_a_decrypted_setting_is_in_no_answer(nodepools, tmp_path):
    sealed_stack(tmp_path)
    (tmp_path / "__main__.py").write_text(
        "import pulumi\nfrom nodepools import *\n"
        "pool = SystemPool(vm_size='Standard_D4ds_v5', count=3, labels={'team': 'x/' + pulumi.Config().require('team') + '/y'})\n"
        "AksCluster('weu', AksClusterArgs(location='westeurope', kubernetes_version='1.35', system_pool=pool))\n"
    )
    done = nodepools("check", "--format", "json", PULUMI_CONFIG_PASSPHRASE="password")  # noqa: S106  # that of a published test
    assert done.returncode == 1, done.stderr
    [finding] = [one for one in json.loads(done.stdout)["findings"] if one["path"].startswith("clusters.weu.system_pool.labels")]
    assert "x/[secret]/y" in json.dumps(finding)
    assert "x/pulumi" not in done.stdout + done.stderr


PRINTS = """
import base64, sys
team = pulumi.Config().require("team")
print(team, "then", team.upper(), flush=True)
print(base64.b64encode(f"x:{team}".encode()).decode(), team, end="", file=sys.stderr)
"""


@pytest.mark.parametrize("ending", ["", "raise ValueError(team)\n"], ids=["it ends", "it fails"])
def test_what_a_program_prints_has_no_decrypted_setting(nodepools, tmp_path, ending):
    sealed_stack(tmp_path)
    (tmp_path / "__main__.py").write_text(f"{PROGRAM}{PRINTS}{ending}")
    done = nodepools("check", "--format", "json", PULUMI_CONFIG_PASSPHRASE="password")  # noqa: S106  # that of a published test
    assert "[secret] then [secret]\n" in done.stderr
    assert not [form for form in ("pulumi\n", "PULUMI", "cHVsdW1p", "B1bHVta") if form in done.stderr]
    assert ("ValueError" in done.stderr) is bool(ending)


def test_a_stack_with_another_passphrase_has_the_stand_in_and_others_are_checked(nodepools, tmp_path):
    sealed_stack(tmp_path)
    (tmp_path / "Pulumi.dev.yaml").write_text("config:\n  shop:location: westeurope\n")
    done = nodepools("check", "--all", PULUMI_CONFIG_PASSPHRASE="other")  # noqa: S106  # of no stack
    assert done.returncode == 0, done.stderr
    assert "notice: Pulumi.live.yaml: encrypted values are not decrypted" in done.stderr
    (tmp_path / "__main__.py").write_text(PROGRAM.replace("count=3", "count=3, labels={'team': pulumi.Config().get('team') or 'a'}"))
    done = nodepools("check", "--all", PULUMI_CONFIG_PASSPHRASE="other")  # noqa: S106
    assert done.returncode == 2
    assert "clusters.shop.system_pool.labels.team has a value of an encrypted setting" in done.stderr


def test_a_program_without_a_sdk_loads_none(nodepools, tmp_path, monkeypatch):
    monkeypatch.delenv("PROGRAM_HOSTS")  # a process of hosts has loaded them all
    dropped = ("from pulumi_azure", "group", "vnet", "nodes", "container", "operational")
    only = "import sys\n" + "\n".join(line for line in PROGRAM.splitlines() if not line.startswith(dropped))
    only = only.replace("resource_group=group.name,", "").replace("ExistingAksNetwork(subnet_id=nodes.id)", "AksNetworkArgs()")
    use = "\npulumi.export('kubeconfig', cluster.kubeconfig)\npulumi.export('pool', cluster.agent_pools['web'].id)\n"
    after = f"{use}assert not any(name.startswith('pulumi_') for name in sys.modules)\n"
    (tmp_path / "__main__.py").write_text(only.replace("ExistingAksNetwork", "AksNetworkArgs") + after)
    done = nodepools("check")
    assert (done.returncode, done.stderr) == (0, "")


def test_what_depends_on_an_unknown_value_is_not_read(nodepools, tmp_path):
    more = "def other(id):\n    return AksCluster('inner', cluster.args)\n\ngroup.id.apply(lambda id: other(id))\nif cluster.kubeconfig:\n    pass\n"
    (tmp_path / "__main__.py").write_text(PROGRAM + more)
    done = nodepools("check")
    assert done.returncode == 2
    lines = (PROGRAM + more).splitlines()
    assert f"__main__.py:{lines.index('group.id.apply(lambda id: other(id))') + 1}: `apply` of a value that is known after `pulumi up`" in done.stderr
    assert f"__main__.py:{lines.index('if cluster.kubeconfig:') + 1}: a condition is about an Output" in done.stderr


def test_another_unknown_value_is_no_edit_without_effect_alone(nodepools, tmp_path):
    commit(tmp_path)
    (tmp_path / "__main__.py").write_text(PROGRAM.replace("subnet_id=nodes.id", "subnet_id=vnet.id.apply(str)"))
    done = nodepools("diff", "HEAD")
    assert done.stdout.startswith("live: 1 edit without effect; unknown whether these change: clusters.shop.network.subnet_id"), done.stderr


def test_code_that_is_turned_off_does_not_run(nodepools, tmp_path):
    (tmp_path / "__main__.py").write_text("open('ran', 'w')\n")
    done = nodepools("check", NODEPOOLS_NO_CODE="1")
    assert done.returncode == 2
    assert "NODEPOOLS_NO_CODE" in done.stderr
    assert not (tmp_path / "ran").exists()


def test_of_several_stacks_the_one_that_is_selected_in_pulumi_is_usual(nodepools, tmp_path):
    (tmp_path / "Pulumi.test.yaml").write_text("config:\n  shop:location: westeurope\n")
    done = nodepools("check", PULUMI_HOME=str(tmp_path))
    assert (done.returncode, done.stderr) == (2, "error: the program has several stacks (live, test): use `--stack live`\n")
    place = sha1(str(tmp_path / "Pulumi.yaml").encode(), usedforsecurity=False).hexdigest()
    (tmp_path / "workspaces").mkdir()
    (tmp_path / "workspaces" / f"shop-{place}-workspace.json").write_text('{"stack": "organization/shop/test"}')
    assert nodepools("check", PULUMI_HOME=str(tmp_path)).stdout.startswith("test: no errors")


def test_all_stacks_of_two_commits_are_compared_and_other_packages_are_said(nodepools, tmp_path):
    (tmp_path / "uv.lock").write_text("one")
    commit(tmp_path)
    (tmp_path / "uv.lock").write_text("two")
    (tmp_path / "Pulumi.test.yaml").write_text("config:\n  shop:location: westeurope\n")
    (tmp_path / "__main__.py").write_text(PROGRAM.replace("count=3", "count=4"))
    done = nodepools("diff", "HEAD", "--all")
    text = " ".join((done.stdout + done.stderr).split())
    assert "live/shop/system system_pool.count: 3 → 4" in text
    assert "test/shop added: shop" in text
    assert "and uv.lock differs: changes of packages are not seen" in text


def test_comments_accept_findings(nodepools, tmp_path):
    (tmp_path / "__main__.py").write_text(PROGRAM.replace("cluster = Aks", "# nodepools: ignore PLT010 only from inside\ncluster = Aks"))
    done = nodepools("check", "--details")
    assert "PLT050" in done.stdout
    assert "PLT010" not in done.stdout


def test_what_a_program_asks_a_cloud_is_named(nodepools, tmp_path):
    zones = "import pulumi_aws\nprint(pulumi_aws.get_availability_zones().names)\n"
    (tmp_path / "__main__.py").write_text(f"{zones}{PROGRAM}")
    assert "notice: the zones of the region are assumed in this plan: no cloud is queried" in nodepools("check").stderr
    (tmp_path / "__main__.py").write_text("import pulumi_aws\npulumi_aws.ec2.get_vpc(default=True)\n")
    done = nodepools("check")
    assert done.returncode == 2
    assert "aws:ec2/getVpc:getVpc" in done.stderr


def test_a_program_that_fails_at_an_encrypted_setting_says_so(nodepools, tmp_path):
    (tmp_path / "Pulumi.live.yaml").write_text("config:\n  shop:token: {secure: v1:AAAA}\n")
    (tmp_path / "__main__.py").write_text("import pulumi\nint(pulumi.Config().require('token'))\n")
    done = nodepools("check")
    assert done.returncode == 2
    assert "Pulumi.live.yaml: shop:token is encrypted, and is not decrypted here" in done.stderr


def test_an_argument_that_does_not_exist_is_one_of_the_component(nodepools, tmp_path):
    (tmp_path / "__main__.py").write_text('from nodepools import AksCluster\n\nAksCluster("shop", location="westeurope")\n')
    assert "TypeError: AksCluster.__init__() got an unexpected keyword argument 'location'" in nodepools("check").stderr


def test_a_stack_without_settings_is_told_where_others_have_some(nodepools):
    answer = nodepools("check", "--stack", "lvie")
    assert "Pulumi.lvie.yaml: there is no such file, so the stack has no settings: those with settings are `live`" in answer.stderr


def test_a_program_that_fails_in_a_commit_is_that_of_the_commit(nodepools, tmp_path):
    (tmp_path / "__main__.py").write_text('raise SystemExit("no settings")\n')
    commit(tmp_path)
    (tmp_path / "__main__.py").write_text(PROGRAM)
    done = nodepools("diff", "HEAD")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: HEAD (")
    assert "): __main__.py: no settings" in done.stderr


def test_an_object_of_karpenter_in_a_cluster_without_it_is_said_at_its_line(nodepools, tmp_path):
    (tmp_path / "__main__.py").write_text(PROGRAM + WITHOUT_NAP)
    line = (PROGRAM + WITHOUT_NAP).splitlines().index(WITHOUT_NAP.strip().splitlines()[-1]) + 1
    checked = nodepools("check")
    assert f"__main__.py:{line}:1: OBJ030 warning at idle.metadata.name" in checked.stdout, checked.stderr
    explained = nodepools("explain", "pod.yaml")
    assert explained.returncode == 2
    assert "node auto provisioning of its cluster is off" in explained.stderr
