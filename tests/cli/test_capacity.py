"""`nodepools capacity`: one screen, worst first; exports of the clouds, recognized by their content."""

import json

import pytest

from nodepools.cli.output.report import MOST_STEPS

USAGE = [
    {"currentValue": "10", "limit": "100", "name": {"localizedValue": "Total Regional vCPUs", "value": "cores"}},
    {"currentValue": "0", "limit": "4", "name": {"localizedValue": "Spot", "value": "lowPriorityCores"}},
    {"currentValue": 10, "limit": 20, "name": {"localizedValue": "DDSv5", "value": "standardDDSv5Family"}},
]
VNET = "/subscriptions/0/resourceGroups/net/providers/Microsoft.Network/virtualNetworks/hub"
SCALE_SET = "/subscriptions/0/resourceGroups/MC_a_b_c/providers/Microsoft.Compute/virtualMachineScaleSets/aks-web-1-vmss/virtualMachines/0"
SUBNETS = [
    {
        "id": f"{VNET}/subnets/Nodes",
        "addressPrefix": "10.0.0.0/28",
        "ipConfigurations": [{"id": f"{SCALE_SET}/x/ipConfigurations/a"}, {"id": "/subscriptions/0/resourceGroups/db/x/ipConfigurations/b"}],
    },
    {
        "id": f"{VNET}/subnets/pods",
        "addressPrefixes": ["10.1.0.0/24", "fd00::/64"],
        "delegations": [{"serviceName": "Microsoft.ContainerService/managedClusters"}],
    },
]
PLATFORM = f"""name: shop
clusters:
  weu:
    kind: AksCluster
    location: westeurope
    kubernetes_version: "1.35"
    network: {{kind: ExistingAksNetwork, subnet_id: {VNET}/subnets/nodes, pod_subnet_id: {VNET}/subnets/pods}}
    network_profile: {{plugin_mode: null}}
    system_pool: {{vm_size: Standard_D2ds_v5, count: 2}}
    pools:
      web: {{kind: UserPool, vm_size: Standard_D2ds_v5, scale: {{min: 1, max: 11}}}}
"""


def quota(code, value, place="us-east-1:123456789012"):
    return {"ServiceCode": "ec2", "QuotaArn": f"arn:aws:servicequotas:{place}:ec2/{code}", "QuotaCode": code, "Value": value}


def node(name, size="Standard_D2ds_v5", region="westeurope", *, spot=False):
    labels = {"topology.kubernetes.io/region": region, "node.kubernetes.io/instance-type": size}
    labels |= {"kubernetes.azure.com/scalesetpriority": "spot"} if spot else {}
    spec = {"providerID": f"azure:///subscriptions/0/resourceGroups/mc/virtualMachines/{name}"}
    return {"kind": "Node", "metadata": {"name": name, "labels": labels}, "spec": spec, "status": {"capacity": {"cpu": "2"}}}


@pytest.fixture
def asked(nodepools, project, tmp_path):
    """Runs the command with exports, given by the names of their files."""

    def run(*arguments, **exports):
        for name, value in exports.items():
            (tmp_path / f"{name}.json").write_text(value if isinstance(value, str) else json.dumps(value))
        options = [part for name in exports for part in ("--existing", str(tmp_path / f"{name}.json"))]
        source = [] if "--all" in arguments or "--file" in arguments else ["--stack", "dev"]
        return nodepools("capacity", *source, *options, *arguments, cwd=project)

    return run


def item(answer, cluster, what, name, checked_by="true_use"):
    [found] = [one for one in answer.json["clusters"] if one["cluster"] == cluster]
    [chosen] = [one for one in found["items"] if (one["what"], one["name"], one["checked_by"]) == (what, name, checked_by)]
    return chosen


def test_the_declaration_alone(asked):
    said = asked()
    assert said.status == 0
    lines = said.out.splitlines()
    assert lines[0] == (
        "dev: unknown: no shortage found, but 9 of 23 rows are unknown: quotas or subnets were not read in 5, the need has no maximum in 4"
    )
    assert lines[1].startswith("next: nodepools capacity --stack dev --context CONTEXT --cloud  # changes nothing; reads quotas")
    assert lines[2].startswith("then: stacks/dev.py:45: neu/general: Add `limits` with the most vCPUs that it may launch, such as ")
    assert lines[2].endswith('`limits={"cpu": "100"}`: it has no maximum')
    assert next(line for line in lines if "verdict" in line).split() == ["verdict", "clusters", "what", "needed", "available"]
    assert "? unknown  weu       vCPUs: standardDDSv5Family, cores" in said.out
    assert "there is room for 253 of their nodes with 256 addresses each" not in said.out
    assert "there is room for 253 of their nodes with 256 addresses each" in asked("--details").out
    assert len(lines) < 20


def test_worst_first_with_a_fix(asked):
    said = asked(westeurope=USAGE)
    lines = said.out.splitlines()
    assert lines[0].startswith(
        "dev: fits only at smaller sizes: at the largest, weu needs 20 to 22 spot vCPUs, 4 available (1 more below); 7 of 24 rows"
    )
    raised = "Raise the quota of `lowPriorityCores in westeurope` from 4 to `22` in the Azure portal (Quotas)"
    assert lines[1] == f"next: {raised}: weu needs 20 to 22 spot vCPUs, 4 available"
    worst = next(number for number, line in enumerate(lines) if line.startswith("  ✘ does not fit  weu "))
    assert lines[worst - 1].split()[0] == "verdict"
    assert lines[worst + 1 : worst + 3] == [
        "    The quota of lowPriorityCores in westeurope is 4, of which 0 are in use; the cluster needs 20 to 22",
        "    fix: Raise the quota in the Azure portal (Quotas), or lower the sizes of the pools",
    ]
    assert said.status == 0
    assert asked("--strict", westeurope=USAGE).status == 1


def test_a_quota_is_raised_once(asked, tmp_path):
    """To what upgrades need: the request for less is followed by another."""
    (tmp_path / "p.yaml").write_text(PLATFORM)
    usage = [{**one, "limit": 4, "currentValue": 0} for one in USAGE if "cores" not in str(one)]
    said = asked("--file", str(tmp_path / "p.yaml"), westeurope=usage)
    assert "from 4 to `30` in the Azure portal (Quotas): weu needs " in said.out
    again = asked("--file", str(tmp_path / "p.yaml"), westeurope=[{**one, "limit": 30} for one in usage])
    assert "Raise the quota" not in again.out


def test_what_azure_rejects_is_an_error(asked):
    usage = [{**one, "limit": 11} for one in USAGE]
    said = asked("--format", "json", westeurope=usage)
    found = item(said, "weu", "vcpus", "cores in westeurope", "server")
    assert (found["needed"], found["available"], found["verdict"]) == (10, None, "unknown"), "the 10 in use can be those of the cluster"
    others = asked("--format", "json", westeurope=[{**one, "limit": 9} for one in USAGE])
    assert item(others, "weu", "vcpus", "cores in westeurope", "server")["verdict"] == "does_not_fit"
    assert others.status == 1


def test_running_nodes_are_not_counted_twice(asked):
    nodes = {"kind": "List", "items": [*(node(f"n{number}") for number in range(5)), node("s", spot=True), node("x", region="northeurope")]}
    said = asked("--format", "json", westeurope=[{**one, "limit": 22} for one in USAGE], nodes=nodes, again=nodes)
    found = item(said, "weu", "vcpus", "standardDDSv5Family in westeurope")
    assert (found["needed"], found["available"], found["verdict"]) == (22, 22, "fits")
    assert "of which 10 are in use, 10 or more of them by nodes of the clusters" in found["message"]


def test_quotas_of_aws(asked):
    quotas = {"Quotas": [quota("L-1216C47A", 64.0), quota("L-34B43A08", 300), quota("L-FE5A380F", 0.0), quota("L-UNKNOWN", 1)]}
    said = asked("--format", "json", quotas=quotas)
    spot = item(said, "use1", "spot_vcpus", "Standard in us-east-1")
    assert (spot["available"], spot["verdict"]) == (None, "unknown"), "AWS's quotas do not say what is in use"
    assert "is 300; how much of it is in use is not known" in spot["message"]
    assert item(said, "use1", "nat_gateways", "NAT gateways of zone 1 in us-east-1", "server")["verdict"] == "does_not_fit"
    assert said.status == 1, "the quota of the account, not the default of a new one, is too small"


def test_subnets_of_azure(nodepools, tmp_path):
    (tmp_path / "shop.yaml").write_text(PLATFORM)
    (tmp_path / "subnets.json").write_text(json.dumps(SUBNETS))
    said = nodepools("capacity", "--file", "shop.yaml", "--existing", "subnets.json", "--format", "json", cwd=tmp_path)
    nodes, pods = f"{VNET}/subnets/nodes".lower(), f"{VNET}/subnets/pods".lower()
    found = item(said, "weu", "node_subnet", nodes, "server")
    assert (found["needed"], found["verdict"]) == (13, "does_not_fit"), "11 usable addresses, one of them of a database"
    assert "`10.0.0.0/28` has 9 to 10 usable addresses" in found["message"]
    shared = item(said, "weu", "pod_subnet", pods)
    assert "`10.1.0.0/24` has 0 to 251 usable addresses" in shared["message"], "Azure does not report addresses of pods"


def test_exports_of_nothing_declared(asked):
    quotas = {"Quotas": [quota("L-1216C47A", 64.0, "sa-east-1:123456789012"), quota("L-34B43A08", 300, "sa-east-1:123456789012")]}
    said = asked(subnets=SUBNETS, quotas=quotas)
    assert "--existing: no declared cluster uses the exported 2 subnets by id: not counted" in said.err
    assert "--existing: no declared cluster is in the region of the exported 2 quotas: not counted (sa-east-1)" in said.err
    assert said.status == 0
    assert "--existing" not in asked(westeurope=USAGE).err


@pytest.mark.parametrize(("value", "why"), [(0.0, "nothing is available in 1"), (32.0, "more can be needed than is available in 1")])
def test_a_quota_of_nothing_is_told(nodepools, tmp_path, value, why):
    pool = "{limits: {cpu: '64'}, requirements: [{key: node.kubernetes.io/instance-type, operator: In, values: [m7i.xlarge]}]}"
    mode = f"{{built_in_node_pools: [system], node_pools: {{a: {pool}, gpu: {pool.replace('m7i', 'g6')}}}}}"
    platform = f"name: shop\nclusters:\n  use1: {{kind: EksCluster, region: us-east-1, kubernetes_version: '1.35', auto_mode: {mode}}}\n"
    (tmp_path / "shop.yaml").write_text(platform)
    (tmp_path / "ec2.json").write_text(json.dumps({"Quotas": [quota("L-DB2E81BA", value)]}))
    assert why in " ".join(nodepools("capacity", "--file", "shop.yaml", "--existing", "ec2.json", cwd=tmp_path).out.splitlines()[:3])


@pytest.mark.parametrize(("name", "available"), [("westeurope", 100), ("usage", 100), ("northeurope", None), ("usage-northeurope-2026", None)])
def test_usage_of_a_region_that_the_name_of_its_file_does_not_name_is_not_counted(nodepools, tmp_path, name, available):
    (tmp_path / "shop.yaml").write_text(PLATFORM)
    usage = [{**USAGE[0], "currentValue": "0"}]
    (tmp_path / f"{name}.json").write_text(json.dumps(usage))
    said = nodepools("capacity", "--file", "shop.yaml", "--existing", f"{name}.json", "--format", "json", cwd=tmp_path)
    assert item(said, "weu", "vcpus", "cores in westeurope")["available"] == available
    assert ("not counted (northeurope)" in said.err) == (available is None)


def test_subnets_of_aws(nodepools, tmp_path):
    platform = "name: shop\nclusters:\n  use1: {kind: EksCluster, region: us-east-1, kubernetes_version: '1.35', network: "
    (tmp_path / "shop.yaml").write_text(platform + "{kind: ExistingEksNetwork, vpc_id: vpc-1, private_subnet_ids: [subnet-1, subnet-2]}}\n")
    subnets = {"Subnets": [{"SubnetId": "subnet-1", "CidrBlock": "10.0.0.0/24", "AvailableIpAddressCount": 100}]}
    (tmp_path / "subnets.json").write_text(json.dumps(subnets))
    said = nodepools("capacity", "--file", "shop.yaml", "--existing", "-", "--format", "json", cwd=tmp_path, stdin=json.dumps(subnets))
    assert "`10.0.0.0/24` has 100 to 251 addresses" in item(said, "use1", "node_subnet", "subnet-1")["message"]


@pytest.mark.parametrize(
    ("name", "export", "told"),
    [
        pytest.param("region", USAGE, "names no region, and the clusters are in `northeurope`, `westeurope`", id="usage of which region"),
        pytest.param("westeurope", [], "is not recognized", id="an empty list"),
        pytest.param("westeurope", "", "is not recognized", id="an empty file"),
        pytest.param("westeurope", {"kind": "Pod"}, "is not recognized: use the output of `az vm list-usage`", id="a pod"),
        pytest.param("westeurope", [{**USAGE[0], "limit": "-1"}], "`limit` of `cores` must be a number from 0", id="a negative limit"),
        pytest.param("westeurope", [{**USAGE[0], "limit": True}], "`limit` of `cores` must be a number from 0", id="a truth value"),
        pytest.param("w", {"Quotas": [quota("L-1216C47A", "many")]}, "`Value` of `L-1216C47A` must be a number", id="a word"),
        pytest.param("w", {"Quotas": [{**quota("L-1216C47A", 5), "QuotaArn": "x"}]}, "`QuotaArn` of `L-1216C47A` must be an ARN", id="no ARN"),
        pytest.param("w", {"Quotas": [quota("L-1216C47A", 5)], "NextToken": "x"}, "has more pages", id="one page of several"),
        pytest.param("w", {"accessEntries": [], "nextToken": "x"}, "has more pages", id="one page of another list"),
        pytest.param("w", [{"id": "/subnets/a", "addressPrefix": "10.0.0.0/99"}], "has no IPv4 range", id="a subnet of Azure without a range"),
        pytest.param(
            "w",
            {"Subnets": [{"SubnetId": "s", "CidrBlock": "x", "AvailableIpAddressCount": 1}]},
            "`CidrBlock` of `s` must be an IPv4 range",
            id="a subnet of AWS without a range",
        ),
        pytest.param("w", {**node("n"), "status": {"capacity": {"cpu": "x"}}}, "status.capacity.cpu", id="a node with odd CPUs"),
        pytest.param("w", "{", "w.json:1:2", id="half a file"),
    ],
)
def test_what_cannot_be_used_is_a_problem(asked, name, export, told):
    said = asked("--format", "json", **{name: export})
    assert said.status == 2
    [problem] = said.json["problems"]
    assert told in problem["message"] or told in problem["path"]
    assert (said.json["complete"], len(said.json["clusters"])) == (False, 3), "the rest of the answer is there"


def test_rules_about_what_is_counted_do_not_hide_the_answer(nodepools, tmp_path):
    (tmp_path / "shop.yaml").write_text(
        'name: shop\nclusters:\n  weu: {kind: AksCluster, location: westeurope, kubernetes_version: "1.35", '
        "network_profile: {pod_cidr: 192.168.0.0/22}, system_pool: {vm_size: Standard_D2ds_v5, count: 2}, "
        "pools: {web: {kind: UserPool, vm_size: Standard_D2ds_v5, scale: {min: 1, max: 9}}}}\n"
    )
    said = nodepools("capacity", "--file", "shop.yaml", "--format", "json", cwd=tmp_path)
    found = item(said, "weu", "pod_cidr", "pods", "server")
    assert (found["needed"], found["available"], found["verdict"], said.status) == (11 * 256, 1024, "does_not_fit", 1)
    assert [(finding["code"], finding["path"]) for finding in said.json["findings"]] == [("AKS051", "clusters.weu.network_profile.pod_cidr")]
    text = nodepools("capacity", "--file", "shop.yaml", cwd=tmp_path).out
    assert text.startswith("shop.yaml: does not fit: weu needs 2,816 pod addresses, 1,024 available")
    assert "AKS051 error at clusters.weu.network_profile.pod_cidr" in text


def test_all_stacks_share_quotas(asked):
    said = asked("--all", "--format", "json")
    found = item(said, "dev/use1", "elastic_ips", "Elastic IPs in us-east-1", "planning")
    assert "clusters together need" in found["message"]
    text = asked("--all").out
    assert text.startswith("all stacks: unknown: ")
    assert "dev/use1, prod/use1, staging/use1  spot vCPUs: Standard" in text


def test_markdown_for_a_pull_request(asked):
    said = asked("--format", "markdown", westeurope=USAGE).out
    assert said.startswith("**dev: fits only at smaller sizes: at the largest, weu needs 20 to 22 spot vCPUs, 4 available (1 more below); 7 of")
    assert "| verdict | clusters | what | needed | available |  |\n|---|---|---|---:|---:|---|" in said
    assert "| ✘ does not fit | weu | spot vCPUs: lowPriorityCores | 20 to 22 | 4 | The quota of " in said


def test_quota_is_another_word(nodepools, project):
    said = nodepools("quota", cwd=project)
    assert said.status == 2
    assert "capacity" in said.err


def _declared(nodepools, tmp_path, **fields):
    cluster = {
        "kind": "AksCluster",
        "location": "westeurope",
        "kubernetes_version": "1.35",
        "system_pool": {"vm_size": "Standard_D4ds_v5", "count": 3},
    }
    file = tmp_path / "shop.json"
    file.write_text(json.dumps({"name": "shop", "clusters": {"weu": {**cluster, **fields}}}))
    return nodepools("capacity", "--file", "shop.json", cwd=tmp_path).out.splitlines()


def test_declared_ports_are_counted_and_not_nodes(nodepools, tmp_path):
    balancer = {"managed_outbound_ips": 1, "allocated_outbound_ports": 32000}
    lines = _declared(nodepools, tmp_path, network_profile={"load_balancer": balancer})
    assert "does not fit: weu needs 128,000 outbound ports, 64,000 available; 1 of 8 rows is unknown: " in lines[0]


def test_the_same_step_is_said_once(nodepools, tmp_path):
    pool = {"kind": "UserPool", "vm_size": "Standard_D4ds_v5", "scale": {"min": 0, "max": 1000}}
    lines = _declared(nodepools, tmp_path, pools=dict.fromkeys(("a", "b", "c"), pool))
    steps = [line for line in lines if line.startswith(("next: ", "then: "))]
    assert len(steps) == len({step.partition(": ")[2] for step in steps}) == MOST_STEPS


def test_pools_of_two_clusters_of_one_name_are_told_apart(nodepools, project, tmp_path):
    """EKS: another region; AKS: another resource group."""
    cluster = "  {key}: {{kind: EksCluster, name: shop, region: {region}, kubernetes_version: '1.34', network: NETWORK, auto_mode: {{}}}}\n"
    text = "name: two\nclusters:\n" + cluster.format(key="euw1", region="eu-west-1") + cluster.format(key="use1", region="us-east-1")
    (tmp_path / "p.yaml").write_text(text.replace("NETWORK", "{kind: EksNetwork, cidr: 10.0.0.0/16}"))
    exports = str(project / "examples/node-groups/exports")
    words = [word for name in ("web.json", "launch-templates.json") for word in ("--existing", f"{exports}/{name}")]
    upgrade = nodepools("upgrade", "--file", "p.yaml", *words, "--to", "1.35", "--format", "json", cwd=tmp_path)
    assert {one["cluster"]: "web" in [step["name"] for step in one["steps"]] for one in upgrade.json["clusters"]} == {"euw1": True, "use1": False}
    capacity = nodepools("capacity", "--file", "p.yaml", *words, "--format", "json", cwd=tmp_path)
    assert [one["cluster"] for one in capacity.json["clusters"] if "subnet-0a1" in json.dumps(one)] == ["euw1"]

    azure = "  {key}: {{kind: AksCluster, name: shop, resource_group: {key}, location: westeurope, kubernetes_version: '1.35', system_pool: SIZE}}\n"
    text = "name: two\nclusters:\n" + azure.format(key="blue") + azure.format(key="green")
    (tmp_path / "p.yaml").write_text(text.replace("SIZE", "{vm_size: Standard_D4ds_v5, count: 2}"))
    of = "/subscriptions/s/resourceGroups/blue/providers/Microsoft.ContainerService/managedClusters/shop/agentPools/other"
    pool = {"id": of, "name": "other", "type": "Microsoft.ContainerService/managedClusters/agentPools", "vmSize": "Standard_D2ds_v5", "count": 3}
    (tmp_path / "pools.json").write_text(json.dumps([{**pool, "mode": "User", "orchestratorVersion": "1.34"}]))
    capacity = nodepools("capacity", "--file", "p.yaml", "--existing", "pools.json", "--format", "json", cwd=tmp_path)
    assert {one["cluster"]: item["needed"] for one in capacity.json["clusters"] for item in one["items"] if item["what"] == "agent_pools"} == {
        "blue": 2,
        "green": 1,
    }


ENDLESS = """
name: a
clusters:
  use1:
    kind: EksCluster
    region: us-east-1
    kubernetes_version: "1.36"
    auto_mode: {built_in_node_pools: [system], node_pools: {one: {}, two: {}, three: {limits: {cpu: "8"}}}}
"""


@pytest.mark.parametrize("command", ["capacity", "cost"])
def test_every_pool_without_a_maximum_is_named_with_what_bounds_it(nodepools, tmp_path, command):
    (tmp_path / "p.yaml").write_text(ENDLESS)
    lines = nodepools(command, "--file", "p.yaml", cwd=tmp_path).out.splitlines()
    [step] = [line for line in lines if "Add `limits" in line]
    assert "use1/one, " in step
    assert step.endswith('use1/two: Add `limits` with the most vCPUs to each, such as `limits: {cpu: "100"}`: they have no maximum')
    assert "  no maximum (∞): use1/system: built-in, no `limits`; optional: turn them off" in "\n".join(lines)
    assert "(`built_in_node_pools`; deletes nodes)" in " ".join(line.strip() for line in lines)


def test_a_need_without_a_maximum_says_so_in_its_row(asked):
    lines = asked().out.splitlines()
    assert any(line.split()[-5:] == ["addresses", "768", "to", "∞", "65,536"] for line in lines)
    assert not any("at least" in line for line in lines)
