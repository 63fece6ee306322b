"""Plans and states of Terraform are read into resources: what is unknown and secret stays so, and pools belong to their clusters."""

import json
from time import process_time

import pytest

from nodepools.clouds.change import AGENT_POOL
from nodepools.model.unknowns import UNKNOWN
from nodepools.resources.resource import Secret
from nodepools.resources.resource_checks import check_stack
from nodepools.resources.terraform import NotTerraformError, terraform_source, terraform_value
from tests.terraform_plans import AKS, EKS, GROUPS, POOL, change, cluster, plan, pool, state, system, text


def read(*changes, **more):
    return terraform_source(plan(*changes, **more))


def only(source):
    [one] = source.planned
    return one


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"version": 4, "terraform_version": "1.9", "lineage": "a", "serial": 3}, "raw state"),
        ({"format_version": "2.0", "values": {}}, "format version `2.0`"),
        (plan(errored=True), "ended with an error"),
        ({"format_version": "1.2", "planned_values": {}}, "no list `resource_changes`"),
        ({"format_version": "1.2", "terraform_version": "1.14.1", "resource_changes": None}, "no list `resource_changes`"),
    ],
)
def test_what_cannot_be_read_is_told_with_what_to_use(value, message):
    assert terraform_value(text(value)) is not None
    with pytest.raises(NotTerraformError, match=message):
        terraform_source(value)


@pytest.mark.parametrize("written", ["kind: NodePool", '{"format_version": "1.2", "resource_ch', '{"format_version": 3}', '["lineage"]'])
def test_other_text_is_not_terraform(written):
    assert terraform_value(written) is None


def test_a_cluster_has_its_pool_its_windows_and_no_printed_secret():
    window = {"frequency": "Weekly", "interval": 1, "day_of_week": "Sunday", "duration": 4, "start_time": "01:00", "utc_offset": "+00:00"}
    values = cluster(maintenance_window_auto_upgrade=[window], maintenance_window=[{"allowed": [{"day": "Sunday", "hours": [1]}]}])
    source = read(change(AKS, values, values))
    of_cluster, auto, legacy = source.after
    [system_pool] = of_cluster.inputs["agentPoolProfiles"]
    assert (system_pool["vmSize"], system_pool["mode"], "minCount" in system_pool) == ("Standard_D4ds_v5", "System", False)
    assert system_pool["nodeTaints"] == ["CriticalAddonsOnly=true:NoSchedule"]
    assert auto.inputs["maintenanceWindow"]["schedule"] == {"weekly": {"intervalWeeks": 1, "dayOfWeek": "Sunday"}}
    assert legacy.inputs["timeInWeek"] == [{"day": "Sunday", "hours": [1]}]
    assert "password" not in repr(source.after)


def test_secrets_of_the_plan_stay_secret():
    secret = change(POOL, None, pool(node_labels={"a": "b"}), sensitive={"node_labels": True})
    assert isinstance(only(read(secret)).after.inputs["nodeLabels"], Secret)


def test_a_value_that_is_known_later_is_unknown_unless_the_configuration_does_not_set_it():
    values = {name: value for name, value in pool().items() if name not in ("max_pods", "os_sku")}
    created = change(POOL, None, values, unknown={"max_pods": True, "os_sku": True})
    assert only(read(created)).after.inputs["maxPods"] is UNKNOWN
    block = {"address": f"{POOL}.this", "expressions": {"max_pods": {"references": ["var.pods"]}, "upgrade_settings": [{"max_surge": {}}]}}
    inputs = only(read(created, configuration={"root_module": {"resources": [block]}})).after.inputs
    assert (inputs["maxPods"], inputs.get("osSKU"), inputs["upgradeSettings"]) == (UNKNOWN, None, {"maxSurge": "33%"})


def test_ports_and_spot_are_as_azure_has_them():
    sysctls = {"net_ipv4_ip_local_port_range_min": 1024, "net_ipv4_ip_local_port_range_max": 60999, "vm_swappiness": 0}
    spot = pool(priority="Spot", eviction_policy="Delete", linux_os_config=[{"sysctl_config": [sysctls]}])
    inputs = only(read(change(POOL, None, spot))).after.inputs
    assert inputs["linuxOSConfig"] == {"sysctls": {"netIpv4IpLocalPortRange": "1024 60999"}}
    assert (inputs["scaleSetEvictionPolicy"], inputs["spotMaxPrice"]) == ("Delete", -1)
    assert "spotMaxPrice" not in only(read(change(POOL, None, pool()))).after.inputs


def owners(*changes, **more):
    return [one.after.dependencies for one in read(*changes, **more).planned if one.type == POOL]


def later(name, module=""):
    values = {key: value for key, value in pool(name).items() if key != "kubernetes_cluster_id"}
    return change(POOL, None, values, name=name, unknown={"kubernetes_cluster_id": True}, module=module)


def test_a_pool_belongs_to_the_cluster_of_its_id():
    other = change(AKS, None, cluster(name="other"), name="other")
    assert owners(change(AKS, None, cluster()), other, change(POOL, None, pool())) == [(f"{AKS}.this",)]


def test_a_pool_without_a_known_id_belongs_to_the_cluster_of_its_module_or_to_the_one_that_it_refers_to():
    first, second = (change(AKS, None, cluster(name=name), module=f"module.{name}") for name in ("a", "b"))
    assert owners(first, second, later("web", "module.b")) == [(f"module.b.{AKS}.this",)]
    one, two = (change(AKS, None, cluster(name=name), name=name) for name in ("a", "b"))
    assert owners(one, two, later("web")) == [()]
    block = {"address": f"{POOL}.web", "expressions": {"kubernetes_cluster_id": {"references": [f"{AKS}.b.id", f"{AKS}.b"]}}}
    assert owners(one, two, later("web"), configuration={"root_module": {"resources": [block]}}) == [(f"{AKS}.b",)]


def test_azapi_bodies_are_the_api_itself():
    body = {"properties": {"kubernetesVersion": "1.35", "agentPoolProfiles": [{"name": "system", "mode": "System", "count": 3}]}}
    kind = "Microsoft.ContainerService/managedClusters@2025-10-01"
    values = {"type": kind, "name": "shop", "parent_id": "/subscriptions/s/resourceGroups/rg", "location": "westeurope", "body": body}
    inside = {"type": f"{kind.partition('@')[0]}/agentPools@2025-10-01", "name": "web", "body": json.dumps({"properties": {"count": 2}})}
    source = read(
        change("azapi_resource", None, {**values, "identity": [{"type": "SystemAssigned", "identity_ids": None}], "tags": {"a": "b"}}),
        change("azapi_resource", None, {**inside, "parent_id": None}, name="web", unknown={"parent_id": True}),
        change("azapi_resource", None, {**inside, "name": "bad", "body": "{", "parent_id": None}, name="bad"),
        change("azapi_resource", None, {"type": "Microsoft.Storage/storageAccounts@2025-01-01"}, name="other"),
    )
    made, web, bad = source.after
    assert (made.inputs["resourceGroupName"], made.inputs["identity"], made.inputs["tags"]) == ("rg", {"type": "SystemAssigned"}, {"a": "b"})
    assert (web.inputs["count"], web.inputs["resourceName"], web.dependencies) == (2, "shop", ("azapi_resource.this",))
    assert "count" not in bad.inputs
    assert source.others == 1
    assert source.planned[1].place(("count",)) == ("body", "properties", "count")


def test_eks_and_objects_are_read():
    node_pool = {"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": {"name": "general"}, "spec": {"weight": 500}}
    vpc = {"subnet_ids": ["a", "b"], "vpc_id": "v"}
    source = read(
        change(EKS, None, {"name": "shop", "version": "1.35", "role_arn": "arn:aws:iam::111122223333:role/r", "vpc_config": [vpc]}),
        change(GROUPS, None, {"cluster_name": "shop", "node_group_name": "web", "scaling_config": [{"min_size": 1}]}),
        change("aws_eks_addon", None, {"cluster_name": "shop", "addon_name": "coredns"}),
        change("kubernetes_manifest", None, {"manifest": node_pool}),
        change("kubectl_manifest", None, {"yaml_body_parsed": json.dumps(node_pool)}),
        change("kubectl_manifest", None, {"yaml_body": "{"}, name="bad"),
        change("kubectl_manifest", None, {"yaml_body": None}, name="later", unknown={"yaml_body": True}),
        change("helm_release", None, {"chart": "karpenter"}),
    )
    assert [one.type.rpartition(":")[2] for one in source.after] == ["Cluster", "NodeGroup", "Addon", "NodePool", "NodePool"]
    assert source.after[1].dependencies == (f"{EKS}.this",)
    assert source.unread == {"kubectl_manifest": ["kubectl_manifest.bad", "kubectl_manifest.later"], "helm_release": ["helm_release.this"]}
    assert any(violation.finding.path == "spec.weight" for violation in check_stack(source.after))


def test_a_state_is_what_exists_and_modules_are_read():
    value = state((AKS, "this", cluster()))
    value["values"]["root_module"]["child_modules"] = [
        {"address": "module.pools", "resources": [{"address": "module.pools.x", "mode": "managed", "type": POOL, "values": pool()}]}
    ]
    source = terraform_source(value)
    assert not source.is_plan
    assert [one.address for one in source.planned] == [f"{AKS}.this", "module.pools.x"]
    assert all(one.before == one.after for one in source.planned)


def test_data_and_forgotten_resources_are_no_resources():
    data = {**change(AKS, cluster(), cluster()), "mode": "data"}
    assert read(data, change(POOL, pool(), None, actions=["forget"])).planned == ()


def test_arguments_that_no_row_has_are_kept_with_both_values():
    source = read(change(AKS, cluster(unheard="a"), cluster(unheard="b")))
    assert only(source).left == ((("unheard",), "a", "b"),)


def test_texts_have_the_names_of_arguments():
    one = only(read(change(AKS, None, cluster(system()))))
    assert one.spelled("`agentPoolProfiles[0].maxPods` and `maxSurge` of `shop`") == "`default_node_pool[0].max_pods` and `max_surge` of `shop`"


UPDATE = "azapi_update_resource"
CLUSTER_TYPE = "Microsoft.ContainerService/managedClusters@2025-10-01"


def update(before, after, **more):
    def values(properties):
        return properties and {"type": CLUSTER_TYPE, "body": {"properties": properties}, **more}

    return change(UPDATE, values(before), values(after))


def test_an_update_of_azapi_belongs_to_the_resource_with_its_id():
    profile = {"networkProfile": {"advancedNetworking": {"enabled": True}}}
    source = read(change(AKS, cluster(), cluster()), update(None, profile, resource_id=cluster()["id"]))
    one = only(source)
    assert one.actions == ("update",)
    assert one.after.inputs["networkProfile"]["advancedNetworking"] == {"enabled": True}
    assert one.after.inputs["networkProfile"]["networkPlugin"] == "azure"
    assert "advancedNetworking" not in one.before.inputs["networkProfile"]
    assert not source.unread


def test_an_update_of_azapi_belongs_to_the_resource_that_it_refers_to():
    block = {"address": f"{UPDATE}.this", "expressions": {"resource_id": {"references": [f"{AKS}.this.id", f"{AKS}.this"]}}}
    configuration = {"root_module": {"resources": [block]}}
    source = read(change(AKS, None, cluster()), update(None, {"kind": "Base"}), configuration=configuration)
    assert (only(source).after.inputs["kind"], only(source).actions) == ("Base", ("create",))


def test_an_update_of_azapi_of_something_that_is_not_there_is_not_read():
    assert read(change(AKS, cluster(), cluster()), update(None, {"kind": "Base"}, resource_id="/other")).unread == {UPDATE: [f"{UPDATE}.this"]}
    assert read(change(UPDATE, None, {"type": "Microsoft.Storage/x@1"})).others == 1


def test_blocks_that_move_import_and_forget():
    moved, imported = {**change(POOL, pool(), pool()), "previous_address": f"{POOL}.old"}, change(AKS, cluster(), cluster())
    imported["change"]["importing"] = {"id": "x"}
    forgotten = {**change(POOL, pool("gone"), None, actions=["forget"], name="gone")}
    source = read(moved, imported, forgotten)
    assert [one.note for one in source.planned] == [f"moved from {POOL}.old", "imported"]
    assert source.forgotten == (f"{POOL}.gone",)


def test_regions_are_those_of_the_providers_of_aws():
    expressions = {"region": {"references": ["var.region"]}}
    providers = {
        "aws": {"name": "aws", "expressions": expressions},
        "azurerm": {"name": "azurerm", "expressions": {"region": {"constant_value": "x"}}},
    }
    assert read(configuration={"provider_config": providers}, variables={"region": {"value": "eu-west-1"}}).regions == {"eu-west-1"}


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ('{"@level":"info","@module":"terraform.ui","type":"version"}\n{"@level":"info"}\n', "add `-out PLAN` to it"),
        ("Terraform will perform the following actions:\n\n  # aws_eks_cluster.this will be updated in-place\n", "add `-out PLAN` to it"),
        ('{"serial": 1, "lineage": "x", "encrypted_data": "AAAA", "encryption_version": "v0"}', "encrypted state of OpenTofu"),
        ('{"format_version": "1.0", "provider_schemas": {"aws": {}}}', "is the schema of providers of Terraform"),
        ('{"format_version": "1.0", "function_signatures": {"abs": {}}}', "is the list of functions of Terraform"),
        ('{"format_version": "1.0", "valid": true, "diagnostics": []}', "is the result of `validate` of Terraform"),
    ],
)
def test_what_terraform_prints_otherwise_is_told_with_what_to_use(written, message):
    with pytest.raises(NotTerraformError, match=message):
        terraform_value(written)


def test_an_object_that_is_deposed_is_not_the_one_with_its_address():
    written = state((AKS, "this", cluster()), (POOL, "web", pool()), (POOL, "web", pool(vm_size="Standard_D2ds_v5")))
    written["values"]["root_module"]["resources"][2]["deposed_key"] = "1a2b"
    source = terraform_source(written)
    [web] = [one for one in source.after if one.name == "web"]
    assert (web.inputs["vmSize"], source.unread) == ("Standard_D4ds_v5", {f"deposed {POOL}": [f"{POOL}.web"]})


SUBNET = "azurerm_subnet"


def named_cluster(group, name="shop"):
    return change(AKS, None, cluster(name=name, resource_group_name=group, id=None), name=group.lower())


def test_clusters_of_one_name_are_told_apart_by_their_resource_group_in_any_case():
    of = {"kubernetes_cluster_id": "/subscriptions/s/resourceGroups/RG-B/providers/Microsoft.ContainerService/managedClusters/shop"}
    assert owners(named_cluster("rg-a"), named_cluster("rg-b"), change(POOL, None, pool(**of))) == [(f"{AKS}.rg-b",)]
    network = change("azurerm_virtual_network", None, {"name": "v", "resource_group_name": "RG", "address_space": ["10.0.0.0/8"]}, name="v")
    inside = change(SUBNET, None, {"name": "n", "resource_group_name": "rg", "virtual_network_name": "v", "address_prefixes": ["10.1.0.0/24"]})
    assert [one.inputs["network"] for one in read(network, inside).networks] == [["10.0.0.0/8"]]


def test_subnets_in_the_block_of_a_network_are_subnets():
    blocks = [{"name": "a", "address_prefixes": ["10.1.0.0/24"], "id": "/s/a"}, {"name": "b", "address_prefix": "10.2.0.0/24", "id": "/s/b"}]
    network = change("azurerm_virtual_network", None, {"name": "v", "address_space": ["10.0.0.0/8"], "subnet": blocks}, name="v")
    assert [(one.urn, one.name, one.inputs["address_prefixes"], one.inputs["place"], one.inputs["network"]) for one in read(network).networks] == [
        ("azurerm_virtual_network.v.subnet[0]", "azurerm_virtual_network.v", ["10.1.0.0/24"], ("subnet", 0, "address_prefixes", 0), ["10.0.0.0/8"]),
        ("azurerm_virtual_network.v.subnet[1]", "azurerm_virtual_network.v", ["10.2.0.0/24"], ("subnet", 1, "address_prefix"), ["10.0.0.0/8"]),
    ]


def of_subnet(*references, name="web", **module):
    values = {key: value for key, value in pool(name).items() if key != "vnet_subnet_id"}
    blocks = {**{key: {} for key in values}, "vnet_subnet_id": {"references": list(references)}}
    return change(POOL, None, values, unknown={"vnet_subnet_id": True}, name=name, **module), {"address": f"{POOL}.{name}", "expressions": blocks}


def test_references_in_a_circle_reach_nothing_and_end():
    made, block = of_subnet("var.x", module="module.m")
    inner = {"outputs": {"y": {"expression": {"references": ["var.x"]}}}, "resources": [block]}
    root = {"module_calls": {"m": {"expressions": {"x": {"references": ["module.m.y", "module.m"]}}, "module": inner}}}
    subnet = change(SUBNET, None, {"name": "s", "address_prefixes": ["10.0.0.0/24"]}, unknown={"id": True}, name="s")
    source = read(subnet, made, configuration={"root_module": root})
    assert [one.inputs["vnetSubnetID"] for one in source.checked] == [UNKNOWN]


def test_the_time_to_read_grows_with_the_number_of_resources():
    def taken(count):
        changes, blocks = [], []
        for number in range(count):
            group = {"resource_group_name": "rg"}
            kind = {"type": "Microsoft.ContainerService/managedClusters/agentPools@2025-10-01", "body": {"properties": {"count": number}}}
            made, block = of_subnet(f"{SUBNET}.s{number}.id", f"{SUBNET}.s{number}", name=f"p{number}")
            changes += [
                change("azurerm_virtual_network", None, {"name": f"v{number}", **group}, name=f"v{number}"),
                change(SUBNET, None, {"name": "s", "virtual_network_name": f"v{number}", **group}, unknown={"id": True}, name=f"s{number}"),
                change(AKS, None, cluster(name=f"c{number}"), name=f"c{number}"),
                change("azapi_update_resource", None, {**kind, "resource_id": f"/p/{number}"}, name=f"u{number}"),
                made,
            ]
            blocks.append(block)
        started = process_time()
        source = read(*changes, configuration={"root_module": {"resources": blocks}})
        assert [one.inputs["vnetSubnetID"] for one in source.checked if one.type == AGENT_POOL][:2] == [f"{SUBNET}.s0", f"{SUBNET}.s1"]
        return process_time() - started

    assert taken(1200) < 12 * taken(300)
