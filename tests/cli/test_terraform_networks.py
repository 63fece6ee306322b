"""Rules about subnets apply to subnets of a plan: those that its clusters name by id, or refer to through variables and outputs of modules."""

import pytest

from tests.terraform_plans import AKS, CLUSTER_ID, EKS, POOL, change, cluster, eks, plan, pool, system, text, without

VNET, SUBNET = "azurerm_virtual_network", "azurerm_subnet"
FLAT = {
    "network_plugin": "azure",
    "service_cidr": "10.200.0.0/16",
    "dns_service_ip": "10.200.0.10",
    "load_balancer_sku": "standard",
    "outbound_type": "loadBalancer",
}
NETWORK = "/subscriptions/s/resourceGroups/rg/providers/Microsoft.Network/virtualNetworks/v"


def refs(*names):
    return {"references": list(names)}


def to_subnet(name):
    return refs(f"{SUBNET}.{name}.id", f"{SUBNET}.{name}")


def vnet(*space):
    return change(VNET, None, {"name": "v", "resource_group_name": "rg", "address_space": list(space)}, unknown={"id": True}, name="v")


def subnet(name, *ranges, known=False, module=""):
    values = {"name": name, "virtual_network_name": "v", "resource_group_name": "rg", "address_prefixes": list(ranges)}
    values |= {"id": f"{NETWORK}/subnets/{name}"} if known else {}
    return change(SUBNET, None, values, unknown={} if known else {"id": True}, name=name, module=module)


def shop(**profile):
    """A cluster whose subnet is known later, or by its id."""
    given = system(**{"vnet_subnet_id": None, **profile})
    unknown = {name: True for name, value in given.items() if value is Ellipsis}
    return change(AKS, None, cluster(without(given, *unknown), network_profile=[FLAT]), unknown={"default_node_pool": [unknown]})


def expressions(values, **of_subnets):
    return {**{name: {} for name in values}, **of_subnets}


def of_cluster(reference, **more):
    block = {"default_node_pool": [expressions(system(), vnet_subnet_id=reference, **more)]}
    return {"address": f"{AKS}.this", "expressions": expressions(cluster(), **block)}


def root(*resources, **calls):
    return {"configuration": {"root_module": {"resources": list(resources), "module_calls": calls}}}


@pytest.fixture
def check(nodepools, tmp_path):
    """The findings of errors and warnings about subnets: code, and the place."""

    def run(*changes, **more):
        (tmp_path / "plan.json").write_text(text(plan(*changes, **more)))
        found = nodepools("check", "plan.json", "--format", "json", cwd=tmp_path).json["findings"]
        places = [(one["code"], f"{one['object']} {one['path']}".removeprefix("plan.json#")) for one in found]
        return {one for one in places if one[0] in {"AKS040", "AKS042", "AKS052", "AKS097", "AKS144", "AKS225", "AKS227", "EKS003", "EKS004"}}

    return run


NODES = f"{SUBNET}.nodes address_prefixes[0]"


@pytest.mark.parametrize(
    ("space", "prefix", "found"),
    [
        ("10.0.0.0/16", "10.0.0.0/26", {("AKS227", NODES)}),
        ("10.0.0.0/16", "10.0.0.0/30", {("AKS144", NODES)}),
        ("10.0.0.0/16", "10.9.0.0/22", {("AKS042", NODES)}),
        ("10.0.0.0/16", "10.0.0.0/22", set()),
        ("10.200.0.0/15", "10.200.0.0/22", {("AKS040", f"{AKS}.this network_profile[0].service_cidr")}),
    ],
)
def test_rules_about_ranges_apply_to_a_subnet_of_the_plan(check, space, prefix, found):
    assert check(vnet(space), subnet("nodes", prefix), shop(vnet_subnet_id=...), **root(of_cluster(to_subnet("nodes")))) == found
    by_id = shop(vnet_subnet_id=f"{NETWORK}/subnets/NODES")
    assert check(vnet(space), subnet("nodes", prefix, known=True), by_id) == found


def test_a_network_of_the_same_name_in_another_group_is_another(check):
    other = vnet("10.9.0.0/16")
    other["change"]["after"]["resource_group_name"] = "hub"
    by_id = shop(vnet_subnet_id=f"{NETWORK}/subnets/nodes")
    assert check(other, subnet("nodes", "10.0.0.0/22", known=True), by_id) == set()
    later = without(other["change"]["after"], "resource_group_name")
    unknown = change(VNET, None, later, unknown={"id": True, "resource_group_name": True}, name="v")
    assert check(unknown, subnet("nodes", "10.0.0.0/22", known=True), by_id) == set()


def test_a_subnet_is_found_through_variables_and_outputs_of_modules(check):
    inner = {"resources": [], "outputs": {"ids": {"expression": to_subnet("nodes")}}}
    aks = {
        "expressions": {"subnet_id": refs("module.network.ids", "module.network")},
        "module": {"resources": [of_cluster(refs("var.subnet_id"))]},
    }
    given = {**shop(vnet_subnet_id=...), "module_address": 'module.aks["a.b"]', "address": f'module.aks["a.b"].{AKS}.this'}
    network = {"expressions": {}, "module": inner}
    found = check(subnet("nodes", "10.0.0.0/26", module="module.network"), given, **root(aks=aks, network=network))
    assert found == {("AKS227", f"module.network.{NODES}")}


@pytest.mark.parametrize(
    "reference",
    [
        refs("local.subnet_id"),
        refs("var.subnet_id"),
        refs(f"{SUBNET}.nodes.id", f"{SUBNET}.nodes", "var.other"),
        refs(f"{SUBNET}.nodes.id", f"{SUBNET}.nodes", f"{SUBNET}.other.id", f"{SUBNET}.other"),
        refs("module.gone.id", "module.gone"),
        refs("each.value"),
        {},
    ],
)
def test_what_is_not_certainly_one_subnet_is_not_checked(check, reference):
    subnets = [subnet(name, "10.0.0.0/28") for name in ("nodes", "other")]
    assert check(vnet("10.0.0.0/16"), *subnets, shop(vnet_subnet_id=...), **root(of_cluster(reference))) == set()


@pytest.mark.parametrize("ranges", [(), ("10.0.0.0/28", "10.1.0.0/28"), ("fd00::/64",), ("10.0.0.0/ 28",)])
def test_a_subnet_without_one_range_is_not_checked(check, ranges):
    assert check(vnet("10.0.0.0/16"), subnet("nodes", *ranges, known=True), shop(vnet_subnet_id=f"{NETWORK}/subnets/nodes")) == set()


def test_each_pool_counts_in_its_own_subnet(check):
    later = without(pool(mode="User", max_count=40), "vnet_subnet_id", "kubernetes_cluster_id")
    web = change(POOL, None, later, name="web", unknown={"vnet_subnet_id": True, "kubernetes_cluster_id": True})
    own = {"address": f"{POOL}.web", "expressions": expressions(pool(), vnet_subnet_id=to_subnet("web"), kubernetes_cluster_id=refs(f"{AKS}.this"))}
    subnets = subnet("nodes", "10.0.0.0/24"), subnet("web", "10.0.1.0/24")
    configured = root(of_cluster(to_subnet("nodes")), own)
    assert check(vnet("10.0.0.0/16"), *subnets, shop(vnet_subnet_id=...), web, **configured) == {("AKS227", f"{SUBNET}.web address_prefixes[0]")}
    shared = {**own, "expressions": {**own["expressions"], "vnet_subnet_id": to_subnet("nodes")}}
    configured = root(of_cluster(to_subnet("nodes")), shared)
    assert check(vnet("10.0.0.0/16"), *subnets, shop(vnet_subnet_id=...), web, **configured) == {("AKS227", NODES)}


@pytest.mark.parametrize(
    ("pods", "found"),
    [
        ("10.0.4.0/22", set()),
        ("10.0.4.0/29", {("AKS225", f"{SUBNET}.pods address_prefixes[0]")}),
        ("10.0.0.0/23", {("AKS097", f"{SUBNET}.pods address_prefixes[0]")}),
        ("10.8.0.0/22", {("AKS097", f"{SUBNET}.pods address_prefixes[0]")}),
    ],
)
def test_the_subnet_of_pods_is_checked_too(check, pods, found):
    configured = root(of_cluster(to_subnet("nodes"), pod_subnet_id=to_subnet("pods")))
    subnets = subnet("nodes", "10.0.0.0/24"), subnet("pods", pods)
    assert check(vnet("10.0.0.0/16", "10.1.0.0/16"), *subnets, shop(vnet_subnet_id=..., pod_subnet_id=...), **configured) == found
    without_network = check(*subnets, shop(vnet_subnet_id=..., pod_subnet_id=...), **configured)
    assert without_network == set()


def test_a_network_of_azure_and_unknown_pools_are_not_checked(check):
    assert check(vnet("10.0.0.0/16"), subnet("nodes", "10.0.0.0/28"), shop()) == set()


def zone(number, name, *, known=False):
    values = {"cidr_block": "10.64.1.0/24", "availability_zone": name, "tags_all": {}, **({"id": f"subnet-{number}"} if known else {})}
    return change("aws_subnet", None, values, name=f"private[{number}]", unknown={"vpc_id": True} if known else {"vpc_id": True, "id": True})


def control_plane(cidr, *ids):
    values = eks(vpc_config=[{"endpoint_public_access": True, **({"subnet_ids": list(ids)} if ids else {})}])
    values["kubernetes_network_config"] = [{"service_ipv4_cidr": cidr, "ip_family": "ipv4"}]
    return change(EKS, None, values, unknown={} if ids else {"vpc_config": [{"subnet_ids": True}]})


VPC = change("aws_vpc", None, {"cidr_block": "10.64.0.0/16"}, unknown={"id": True}, name="this")
OF_SUBNETS = {"address": "aws_subnet.private", "expressions": {"vpc_id": refs("aws_vpc.this.id", "aws_vpc.this")}}
OF_EKS = {
    "address": f"{EKS}.this",
    "expressions": expressions(
        eks(),
        vpc_config=[{"subnet_ids": refs("aws_subnet.private"), "endpoint_public_access": {}}],
        kubernetes_network_config=[{"service_ipv4_cidr": {}, "ip_family": {}}],
    ),
}
ONE_ZONE = ("EKS004", f"{EKS}.this vpc_config[0].subnet_ids")


@pytest.mark.parametrize(
    ("zones", "cidr", "found"),
    [
        (("us-east-1a", "us-east-1a"), "172.20.0.0/16", {ONE_ZONE}),
        (("us-east-1a", "us-east-1b"), "172.20.0.0/16", set()),
        (("us-east-1a", None), "172.20.0.0/16", set()),
        (("us-east-1-bos-1a",), "172.20.0.0/16", set()),
        (("us-east-1a", "us-east-1b"), "10.64.128.0/20", {("EKS003", f"{EKS}.this kubernetes_network_config[0].service_ipv4_cidr")}),
    ],
)
def test_zones_and_ranges_of_an_eks_cluster(check, zones, cidr, found):
    later = [zone(number, name) for number, name in enumerate(zones)]
    assert check(VPC, *later, control_plane(cidr), **root(OF_SUBNETS, OF_EKS)) == found
    known = [zone(number, name, known=True) for number, name in enumerate(zones)]
    by_id = control_plane(cidr, *(f"subnet-{number}" for number in range(len(zones))))
    assert check(VPC, *known, by_id, **root(OF_SUBNETS)) == found


def test_a_subnet_outside_of_the_plan_can_be_in_another_zone(check):
    assert check(VPC, zone(0, "us-east-1a", known=True), control_plane("172.20.0.0/16", "subnet-0", "subnet-9")) == set()


def test_ids_of_new_subnets_stay_known_after_apply_in_a_comparison(nodepools, tmp_path):
    old = change(POOL, pool(), without(pool(temporary_name_for_rotation="webtmp"), "vnet_subnet_id"), name="web", unknown={"vnet_subnet_id": True})
    own = {"address": f"{POOL}.web", "expressions": expressions(pool(), vnet_subnet_id=to_subnet("nodes"))}
    (tmp_path / "plan.json").write_text(text(plan(subnet("nodes", "10.0.0.0/24"), old, **root(own))))
    changes = nodepools("diff", "plan.json", "--format", "json", cwd=tmp_path).json["changes"]
    assert "known after apply" in {one["new"] for one in changes}
    assert CLUSTER_ID not in {one["new"] for one in changes}


def test_a_cluster_whose_system_pool_azure_chooses_is_not_checked(check):
    body = {"sku": {"name": "Automatic", "tier": "Standard"}, "properties": {"agentPoolProfiles": [{"name": "a", "mode": "System"}]}}
    values = {"type": "Microsoft.ContainerService/managedClusters@2025-10-01", "name": "shop", "location": "westeurope", "body": body}
    assert check(subnet("nodes", "10.0.0.0/28", known=True), change("azapi_resource", None, values)) == set()


def in_azapi(kind, name, body, *, parent=None, address="", **more):
    """A network or a subnet of azapi, whose parent is known later without one."""
    values = {"type": f"Microsoft.Network/{kind}@2024-05-01", "name": name, "body": {"properties": body}, **more}
    unknown = {} if "id" in more else {"id": True}
    known = {"parent_id": parent} if parent is not None else {}
    return change("azapi_resource", None, {**values, **known}, unknown=unknown if known else {**unknown, "parent_id": True}, name=address or name)


RG = "/subscriptions/s/resourceGroups/rg"
SPACE = {"addressSpace": {"addressPrefixes": ["10.0.0.0/16"]}}
OF_NODES = {"address": "azapi_resource.nodes", "expressions": {"type": {}, "parent_id": refs("azapi_resource.v.id", "azapi_resource.v"), "body": {}}}
IN_AZAPI = refs("azapi_resource.nodes.id", "azapi_resource.nodes")


@pytest.mark.parametrize(
    ("written", "found"),
    [
        ({"addressPrefix": "10.0.0.0/26"}, {("AKS227", "azapi_resource.nodes body.properties.addressPrefix")}),
        ({"addressPrefixes": ["10.0.0.0/26"]}, {("AKS227", "azapi_resource.nodes body.properties.addressPrefixes[0]")}),
        ({"addressPrefixes": ["10.9.0.0/22"]}, {("AKS042", "azapi_resource.nodes body.properties.addressPrefixes[0]")}),
        ({"addressPrefixes": ["10.0.0.0/22"]}, set()),
        ({"addressPrefixes": ["10.0.0.0/28", "fd00::/64"]}, set()),
        ({"ipamPoolPrefixAllocations": [{"numberOfIpAddresses": "16"}]}, set()),
    ],
)
def test_networks_of_azapi_are_those_of_azurerm(check, written, found):
    network, kind = in_azapi("virtualNetworks", "v", SPACE, parent=RG), "virtualNetworks/subnets"
    configured = root(of_cluster(IN_AZAPI), OF_NODES)
    assert check(network, in_azapi(kind, "nodes", written), shop(vnet_subnet_id=...), **configured) == found
    known = in_azapi(kind, "nodes", written, parent=NETWORK, id=f"{NETWORK}/subnets/nodes")
    assert check(network, known, shop(vnet_subnet_id=f"{NETWORK}/subnets/nodes")) == found
    assert check(vnet("10.0.0.0/16"), known, shop(vnet_subnet_id=f"{NETWORK}/subnets/nodes")) == found
    later = in_azapi("virtualNetworks", "v", {"addressSpace": {}}, parent=RG)
    assert check(later, known, shop(vnet_subnet_id=f"{NETWORK}/subnets/nodes")) <= found


def test_a_network_with_a_range_that_is_known_later_can_contain_a_subnet(check):
    given = {"name": "v", "resource_group_name": "rg", "address_space": ["10.0.0.0/16"]}
    later = change(VNET, None, given, unknown={"id": True, "address_space": [False, True]}, name="v")
    outside = subnet("nodes", "10.9.0.0/22", known=True)
    assert check(later, outside, shop(vnet_subnet_id=f"{NETWORK}/subnets/nodes")) == set()
    assert check(vnet("10.0.0.0/16"), outside, shop(vnet_subnet_id=f"{NETWORK}/subnets/nodes")) == {("AKS042", NODES)}


def test_a_subnet_with_a_second_range_that_is_known_later_is_not_checked(check):
    small = subnet("nodes", "10.0.0.0/28", known=True)
    small["change"]["after_unknown"] = {"address_prefixes": [False, True]}
    assert check(small, shop(vnet_subnet_id=f"{NETWORK}/subnets/nodes")) == set()


def test_a_text_that_is_no_body_has_no_range(check):
    broken = {**in_azapi("virtualNetworks/subnets", "nodes", {}, parent=NETWORK, id=f"{NETWORK}/subnets/nodes")}
    broken["change"]["after"]["body"] = "{"
    assert check(broken, shop(vnet_subnet_id=f"{NETWORK}/subnets/nodes")) == set()


def azapi_cluster(*, reference):
    """A cluster of azapi, whose body refers to something: a plan has the references of a body as a whole."""
    pools = [{"name": "system", "mode": "System", "count": 3, "vmSize": "Standard_D4ds_v5"}]
    body = {"sku": {"name": "Base", "tier": "Standard"}, "properties": {"dnsPrefix": "shop", "kubernetesVersion": "1.35", "agentPoolProfiles": pools}}
    values = {
        "type": "Microsoft.ContainerService/managedClusters@2025-05-01",
        "name": "shop",
        "location": "westeurope",
        "parent_id": RG,
        "body": body,
    }
    values["identity"] = [{"type": "SystemAssigned", "identity_ids": None}]
    unknown = {"id": True, "body": {"properties": {"agentPoolProfiles": [{"vnetSubnetID": True}]}}}
    own = {
        "address": "azapi_resource.aks",
        "expressions": {"body": reference, "name": {}, "location": {}, "identity": [{"type": {}}], "parent_id": {}},
    }
    return change("azapi_resource", None, values, name="aks", unknown=unknown), own


@pytest.mark.parametrize(
    ("reference", "found"),
    [
        (IN_AZAPI, {("AKS144", "azapi_resource.nodes body.properties.addressPrefix")}),
        (refs("each.value", *IN_AZAPI["references"]), set()),
        ({}, set()),
    ],
)
def test_a_cluster_of_azapi_is_in_the_only_subnet_that_its_body_refers_to(check, reference, found):
    made, own = azapi_cluster(reference=reference)
    small = in_azapi("virtualNetworks/subnets", "nodes", {"addressPrefix": "10.1.0.0/30"})
    space = in_azapi("virtualNetworks", "v", {"addressSpace": {"addressPrefixes": ["10.1.0.0/16"]}}, parent=RG)
    assert check(space, small, made, **root(own, OF_NODES)) == found


def test_a_system_pool_in_a_body_is_of_linux_unless_it_says_otherwise(nodepools, tmp_path):
    made, _ = azapi_cluster(reference={})
    (tmp_path / "plan.json").write_text(text(plan(made)))
    assert "system" in nodepools("cost", "--file", "plan.json", cwd=tmp_path).out
    made["change"]["after"]["body"]["properties"]["agentPoolProfiles"][0]["type"] = "AvailabilitySet"
    (tmp_path / "plan.json").write_text(text(plan(made)))
    refused = nodepools("cost", "--file", "plan.json", cwd=tmp_path)
    assert (refused.status, "AvailabilitySet" in refused.err or "scale set" in refused.err) == (2, True)


def test_a_subnet_that_the_plan_creates_has_no_malformed_id(nodepools, tmp_path):
    file = tmp_path / "plan.json"
    file.write_text(text(plan(shop(vnet_subnet_id=...), subnet("nodes", "10.0.0.0/16"), **root(of_cluster(to_subnet("nodes"))))))
    assert "AKS336" not in nodepools("check", str(file), "--details", cwd=tmp_path).out


def test_a_subnet_in_the_block_of_a_network_is_checked(check):
    blocks = [{"name": "nodes", "address_prefixes": ["10.200.0.0/24"]}]
    network = change(VNET, None, {"name": "v", "resource_group_name": "rg", "address_space": ["10.0.0.0/8"], "subnet": blocks}, name="v")
    reference = of_cluster(refs(f"{VNET}.v.subnet", f"{VNET}.v"))
    assert check(network, shop(vnet_subnet_id=...), **root(reference)) == {("AKS040", f"{AKS}.this network_profile[0].service_cidr")}


@pytest.mark.parametrize(("written", "at"), [("addressPrefix", "addressPrefix"), ("addressPrefixes", "addressPrefixes[0]")])
def test_a_subnet_in_the_body_of_a_network_is_checked(check, written, at):
    """By its id, or by what azapi returns of its network."""
    ranges = ["10.0.0.0/22", "10.0.4.0/30"]
    inner = [{"name": f"s{number}", "properties": {written: one if written == "addressPrefix" else [one]}} for number, one in enumerate(ranges)]
    known = in_azapi("virtualNetworks", "v", {**SPACE, "subnets": inner}, parent=RG, id=NETWORK)
    found = {("AKS144", f"azapi_resource.v body.properties.subnets[1].properties.{at}")}
    assert check(known, shop(vnet_subnet_id=f"{NETWORK}/subnets/s1")) == found
    assert check(known, shop(vnet_subnet_id=f"{NETWORK}/subnets/s0")) == set()
    later, returned = in_azapi("virtualNetworks", "v", {**SPACE, "subnets": inner}, parent=RG), "azapi_resource.v.output.properties.subnets[1]"
    reference = of_cluster(refs(f"{returned}.id", returned, "azapi_resource.v.output", "azapi_resource.v"))
    assert check(later, shop(vnet_subnet_id=...), **root(reference)) == found
    assert check(later, shop(vnet_subnet_id=...), **root(of_cluster(refs("azapi_resource.v.id", "azapi_resource.v")))) == set()
