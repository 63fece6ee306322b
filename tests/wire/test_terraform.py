"""Every argument that the documentation of a provider lists has a row or a reason, and every row has an argument or a reason."""

import inspect
import re
from pathlib import Path

import pytest

from nodepools.model.unknowns import UNKNOWN
from nodepools.wire.aks import agent_pool, azurerm, cluster
from nodepools.wire.eks import access
from nodepools.wire.eks import cluster as eks_cluster
from nodepools.wire.eks import terraform as aws
from nodepools.wire.reading import Reading, read
from nodepools.wire.rows import Note
from nodepools.wire.table import Entry
from nodepools.wire.terraform import NOT_ZERO, TEXT, block_of, listed_entries, pairs, text_list, written_by

DOCUMENTED = Path(__file__).with_name("terraform_arguments.txt")
OF_AWS = (aws.CLUSTER, aws.NODE_GROUP, aws.ADD_ON, aws.ACCESS_ENTRY, aws.ACCESS_POLICY, aws.POD_IDENTITY, aws.IDENTITY_PROVIDER)
ARGUMENTS = {one.type: one for one in (azurerm.CLUSTER, azurerm.POOL, *OF_AWS)}
TABLES = {
    "azurerm pool": (agent_pool.POOL, azurerm.POOL),
    "azurerm cluster": (cluster.CLUSTER, azurerm.CLUSTER),
    "aws cluster": (eks_cluster.CLUSTER, aws.CLUSTER),
    "aws access entry": (access.ENTRY, aws.ACCESS_ENTRY),
    "aws access policy": (access.POLICY, aws.ACCESS_POLICY),
    "aws pod identity": (access.POD_IDENTITY, aws.POD_IDENTITY),
    "aws identity provider": (access.IDENTITY_PROVIDER, aws.IDENTITY_PROVIDER),
    "aws add-on": (access.ADD_ON, aws.ADD_ON),
    "aws node group": (aws.NODE_GROUPS, aws.NODE_GROUP),
}
NOT_OFFERED = "azurerm 5.2 does not offer it: azapi does"
DERIVED = "follows from other arguments"
OF_CLUSTER = "a system pool of Linux is never spot and has no profile of Windows"
WITHOUT_ARGUMENT = {
    **dict.fromkeys(("gatewayProfile.publicIPPrefixSize", "kubeletConfig.failSwapOn", "podIPAllocationMode", "powerState.code"), NOT_OFFERED),
    **dict.fromkeys(("localDNSProfile.kubeDNSOverrides", "localDNSProfile.mode", "localDNSProfile.vnetDNSOverrides"), NOT_OFFERED),
    **dict.fromkeys(("securityProfile.enableSecureBoot", "securityProfile.enableVTPM", "securityProfile.sshAccess"), NOT_OFFERED),
    **dict.fromkeys(("virtualMachineNodesStatus", "virtualMachinesProfile"), NOT_OFFERED),
    **dict.fromkeys(("linuxOSConfig.sysctls.netIpv4IpLocalPortRange", "resourceGroupName", "resourceName", "type", "mode", "osType"), DERIVED),
    **dict.fromkeys(("scaleSetEvictionPolicy", "scaleSetPriority", "spotMaxPrice", "windowsProfile.disableOutboundNat"), OF_CLUSTER),
    **dict.fromkeys(("identity.delegatedResources", "kind", "podIdentityProfile", "privateLinkResources"), NOT_OFFERED),
    **dict.fromkeys(("networkProfile.loadBalancerProfile.enableMultipleStandardLoadBalancers",), NOT_OFFERED),
    **dict.fromkeys(("networkProfile.staticEgressGatewayProfile.enabled", "nodeResourceGroupProfile.restrictionLevel", "sku.name"), NOT_OFFERED),
    **dict.fromkeys(("securityProfile.azureKeyVaultKms.keyVaultResourceId", "windowsProfile.enableCSIProxy"), NOT_OFFERED),
    "networkProfile.advancedNetworking.security.advancedNetworkPolicies": NOT_OFFERED,
    "serviceMeshProfile.istio.components.egressGateways": "listed as an add-on",
    "serviceMeshProfile.istio.components.ingressGateways": "listed as an add-on",
}
"""Rows that no argument of azurerm has, with the reason."""


def documented():
    found, of = {}, []
    for line in DOCUMENTED.read_text().splitlines():
        if line.startswith("["):
            of = found.setdefault(line.strip("[]"), [])
        elif line and not line.startswith("#"):
            of.append(line)
    return found


OF_AZAPI = {
    **dict.fromkeys(("type", "name", "parent_id", "resource_id"), "which resource it is"),
    **dict.fromkeys(("body", "location", "tags", "identity"), "read as the API has it"),
    **dict.fromkeys(("sensitive_body", "sensitive_body_version"), "no plan has the body; another version of it is an unknown effect"),
    **dict.fromkeys(("replace_triggers_external_values", "replace_triggers_refs"), "the plan says what is replaced"),
    **dict.fromkeys(("ignore_body_changes", "ignore_casing", "ignore_missing_property", "ignore_null_property"), "the plan says what is sent"),
    **dict.fromkeys(("ignore_other_items_in_list", "list_unique_id_property"), "the plan says what is sent"),
    **dict.fromkeys(("locks", "retry", "timeouts", "schema_validation_enabled", "response_export_values"), "how Terraform sends it"),
    **{f"{verb}_{what}": "how Terraform sends it" for verb in ("create", "read", "update", "delete") for what in ("headers", "query_parameters")},
}


@pytest.mark.parametrize("kind", ["azapi_resource", "azapi_update_resource"])
def test_each_argument_of_azapi_is_read_or_has_a_reason(kind):
    assert set(documented()[kind]) <= OF_AZAPI.keys()


RANGE, PLACE, READ = "the range of a subnet or a network", "where it is", "which nodes it launches, and with which data"
ROUTES = "how traffic goes, which pools do not depend on"
IPV6 = "no rule is about IPv6 of VPCs"
OWNER = "set by IPAM: the ranges are known after `terraform apply`"
DETAILS = "how an instance is made: another one is another version, for which the node group is rolled"
OF_NEIGHBOURS = {
    "azurerm_subnet": {
        **dict.fromkeys(("name", "resource_group_name", "virtual_network_name"), PLACE),
        "address_prefixes": RANGE,
        "ip_address_pool": OWNER,
        **dict.fromkeys(
            ("default_outbound_access_enabled", "private_endpoint_network_policies", "private_link_service_network_policies_enabled"), ROUTES
        ),
        **dict.fromkeys(
            ("sharing_scope", "service_endpoint", "service_endpoint_policy_ids", "network_security_group_id_wo", "route_table_id_wo"), ROUTES
        ),
        **dict.fromkeys(("network_security_group_id_wo_version", "route_table_id_wo_version"), ROUTES),
        "delegation": "AKS rejects another delegation when it creates the pool, which no plan shows",
    },
    "azurerm_virtual_network": {
        **dict.fromkeys(("name", "resource_group_name", "location", "edge_zone"), PLACE),
        **dict.fromkeys(("address_space", "subnet"), RANGE),
        "ip_address_pool": OWNER,
        **dict.fromkeys(("bgp_community", "ddos_protection_plan", "encryption", "dns_servers", "flow_timeout_in_minutes", "tags"), ROUTES),
        "private_endpoint_vnet_policies": ROUTES,
    },
    "aws_subnet": {
        **dict.fromkeys(("availability_zone", "availability_zone_id", "region", "vpc_id", "outpost_arn", "tags"), PLACE),
        "cidr_block": RANGE,
        **dict.fromkeys(("ipv4_ipam_pool_id", "ipv4_netmask_length", "ipv6_ipam_pool_id", "ipv6_netmask_length"), OWNER),
        **dict.fromkeys(("ipv6_cidr_block", "ipv6_native", "assign_ipv6_address_on_creation"), IPV6),
        **dict.fromkeys(("customer_owned_ipv4_pool", "map_customer_owned_ip_on_launch", "map_public_ip_on_launch", "enable_dns64"), ROUTES),
        **dict.fromkeys(("enable_lni_at_device_index", "enable_resource_name_dns_a_record_on_launch", "private_dns_hostname_type_on_launch"), ROUTES),
        "enable_resource_name_dns_aaaa_record_on_launch": ROUTES,
    },
    "aws_vpc": {
        "region": PLACE,
        "cidr_block": RANGE,
        **dict.fromkeys(("ipv4_ipam_pool_id", "ipv4_netmask_length", "ipv6_ipam_pool_id", "ipv6_netmask_length"), OWNER),
        **dict.fromkeys(
            ("ipv6_cidr_block", "ipv6_cidr_block_network_border_group", "assign_generated_ipv6_cidr_block"), "no rule is about IPv6 of VPCs"
        ),
        **dict.fromkeys(("enable_dns_hostnames", "enable_dns_support", "enable_network_address_usage_metrics", "instance_tenancy", "tags"), ROUTES),
    },
    "aws_launch_template": {
        **dict.fromkeys(("name", "region", "default_version"), PLACE),
        **dict.fromkeys(("instance_type", "user_data"), READ),
        "image_id": "a node group of it has the image type `CUSTOM`",
        **dict.fromkeys(("description", "tags", "update_default_version"), "of the template, not of nodes"),
        **dict.fromkeys(
            (
                *("tag_specifications", "block_device_mappings", "capacity_reservation_specification", "cpu_options", "credit_specification"),
                *("disable_api_stop", "disable_api_termination", "ebs_optimized", "enclave_options", "hibernation_options"),
                *("iam_instance_profile", "instance_initiated_shutdown_behavior", "instance_market_options", "instance_requirements", "kernel_id"),
                *("key_name", "license_specification", "maintenance_options", "metadata_options", "monitoring"),
                *("network_interfaces", "network_performance_options", "placement", "private_dns_name_options", "ram_disk_id"),
                *("secondary_interfaces", "security_group_names", "vpc_security_group_ids"),
            ),
            DETAILS,
        ),
    },
}
"""What is read of subnets, networks and launch templates, and why the rest is not."""


@pytest.mark.parametrize("kind", sorted(OF_NEIGHBOURS))
def test_each_argument_next_to_clusters_is_read_or_has_a_reason(kind):
    known = OF_NEIGHBOURS[kind]
    assert {name.split(".")[0] for name in documented()[kind]} == known.keys()


def test_every_type_has_a_list_of_its_documentation():
    assert documented().keys() == {*ARGUMENTS, *OF_NEIGHBOURS, "azapi_resource", "azapi_update_resource"}


@pytest.mark.parametrize("kind", sorted(ARGUMENTS))
def test_a_documented_argument_has_a_row_or_a_reason(kind):
    arguments = ARGUMENTS[kind]
    known = {*arguments.places, *arguments.others}
    covered = [name for name in documented()[kind] if not any(f"{name}.".startswith(f"{one}.") for one in known)]
    assert covered == []


NEWER = [
    (aws.CLUSTER, "Cluster"),
    (aws.NODE_GROUP, "NodeGroup"),
    (aws.ADD_ON, "Addon"),
    (aws.ACCESS_ENTRY, "AccessEntry"),
    (aws.ACCESS_POLICY, "AccessPolicyAssociation"),
    (aws.POD_IDENTITY, "PodIdentityAssociation"),
    (aws.IDENTITY_PROVIDER, "IdentityProviderConfig"),
]
PLURAL = {"taints", "default_addons_to_removes", "pod_identity_associations"}
"""Names that the Pulumi provider writes as a plural."""


@pytest.mark.program
@pytest.mark.parametrize(("arguments", "name"), NEWER)
def test_an_argument_of_the_installed_provider_of_pulumi_is_known(arguments, name):
    """The Pulumi provider is made of the schema of Terraform's, and follows it within days."""
    eks = pytest.importorskip("pulumi_aws.eks")
    known = {*arguments.places, *arguments.others}
    every = list(nested(eks, getattr(eks, f"{name}Args")))
    left = [one for one in every if one.split(".")[0] not in PLURAL and not any(f"{one}.".startswith(f"{row}.") for row in known)]
    assert left == []
    assert {one.split(".")[0] for one in every} <= {one.split(".")[0] for one in documented()[arguments.type]} | PLURAL


def nested(module, of):
    """The arguments of a class, and those of the classes of its blocks."""
    for name, parameter in inspect.signature(of.__init__).parameters.items():
        inner = next((getattr(module, found) for found in re.findall(r"\w+Args\b", str(parameter.annotation)) if hasattr(module, found)), None)
        if name not in {"self", "__self__"}:
            yield from (f"{name}.{one}" for one in nested(module, inner)) if inner is not None else [name]


def steps_of(way):
    return ".".join(str(step) for step in way.wire if not isinstance(step, Entry))


@pytest.mark.parametrize("name", TABLES)
def test_a_row_has_an_argument_or_a_reason(name):
    table, arguments = TABLES[name]
    places = {*(argument.wire for argument in arguments.places.values()), *arguments.switches.values()}
    read_only = {row.name for row in (*table.rows, *agent_pool.POOL.rows) if isinstance(row, Note) and row.kind == "read_only"}
    ignored = {*WITHOUT_ARGUMENT, *read_only} if name.startswith("azurerm") else read_only
    ignored |= {"networkProfile.loadBalancerProfile.effectiveOutboundIPs", "networkProfile.natGatewayProfile.effectiveOutboundIPs"}
    left = [
        row
        for row in {steps_of(way).removeprefix("agentPoolProfiles.0.") for way in table.compared.values() if not way.since}
        if row not in ignored
        and not any(near(row, place) for place in places)
        and not any(near(f"agentPoolProfiles.0.{row}", place) for place in places)
    ]
    assert sorted(left) == []


def near(one, other):
    return f"{one}.".startswith(f"{other}.") or f"{other}.".startswith(f"{one}.")


@pytest.mark.parametrize("name", TABLES)
def test_an_argument_is_at_a_place_of_a_row(name):
    table, arguments = TABLES[name]
    rows = {steps_of(way) for way in table.field_paths if way.wire}
    ours = {"clusterId", "criticalAddonsOnly", "portsFrom", "portsTo"}
    """Places that are settled when a resource is read."""
    left = [one.wire for one in arguments.places.values() if one.wire.rpartition(".")[2] not in ours and not any(near(one.wire, row) for row in rows)]
    assert left == []


def test_values_are_in_the_spelling_of_the_api():
    values = {
        "name": "shop",
        "run_command_enabled": False,
        "private_dns_zone_id": "System",
        "auto_scaler_profile": [{"max_unready_nodes": 3, "skip_nodes_with_system_pods": True, "expander": ""}],
        "network_profile": [{"load_balancer_profile": [{"outbound_ip_address_ids": ["a"], "idle_timeout_in_minutes": 0}]}],
        "linux_profile": [{"admin_username": "a", "ssh_key": [{"key_data": "ssh"}]}],
        "http_proxy_config": [{"no_proxy": ["b", "a"]}],
        "oms_agent": [{"log_analytics_workspace_id": UNKNOWN}],
        "microsoft_defender": UNKNOWN,
        "default_node_pool": [{"name": "system", "zones": ["1"], "new_in_6": 3}],
        "kube_config_raw": "secret",
        "unheard": "of",
        "off": False,
    }
    made, left = written_by(azurerm.CLUSTER, values)
    assert made["apiServerAccessProfile"] == {"disableRunCommand": True, "privateDNSZone": "system"}
    assert made["autoScalerProfile"] == {"okTotalUnreadyCount": "3", "skipNodesWithSystemPods": "true"}
    assert made["networkProfile"] == {"loadBalancerProfile": {"outboundIPs": {"publicIPs": [{"id": "a"}]}}}
    assert made["linuxProfile"] == {"adminUsername": "a", "ssh": {"publicKeys": [{"keyData": "ssh"}]}}
    assert made["httpProxyConfig"] == {"noProxy": ["a", "b"]}
    assert made["addonProfiles"] == {"omsagent": {"enabled": True, "config": {"logAnalyticsWorkspaceResourceID": UNKNOWN}}}
    assert made["securityProfile"] == {"defender": {"securityMonitoring": {"enabled": UNKNOWN}, "logAnalyticsWorkspaceResourceId": UNKNOWN}}
    assert made["agentPoolProfiles"] == {"0": {"name": "system", "availabilityZones": ["1"]}}
    assert left == [(("default_node_pool", 0, "new_in_6"), 3), (("unheard",), "of")]


def test_paths_are_those_of_terraform():
    place = azurerm.CLUSTER.argument
    assert place(("agentPoolProfiles", 0, "vmSize"), {}) == ("default_node_pool", 0, "vm_size")
    assert place(("agentPoolProfiles", 0), {}) == ("default_node_pool", 0)
    assert place(("agentPoolProfiles", 0, "nodeTaints", 1), {}) == ("default_node_pool", 0, "node_taints", 1)
    assert place(("networkProfile",), {}) == ("network_profile", 0)
    assert place(("autoUpgradeProfile", "upgradeChannel"), {"automatic_channel_upgrade": "patch"}) == ("automatic_channel_upgrade",)
    assert place(("autoUpgradeProfile", "upgradeChannel"), {}) == ("automatic_upgrade_channel",)
    assert place(("sku",), {}) == ("sku",)
    assert place(("nothing", "of", "it"), {}) == ("nothing", "of", "it")


def test_conversions():
    assert TEXT(value=True) == "true"
    assert TEXT(3) == "3"
    assert NOT_ZERO(0) is None
    assert text_list(["b", "a"]) == ["a", "b"]
    assert text_list(["b", UNKNOWN]) == ["b", UNKNOWN]
    assert listed_entries({"a": "b"})([{"a": 1}]) == [{"b": 1}]
    assert pairs("k", "v")({"a": 1}) == [{"k": "a", "v": 1}]
    assert block_of([{"a": 1}]) == {"a": 1}
    assert block_of([]) == []


def test_an_identity_of_nodes_that_is_not_known_is_unknown_as_a_whole():
    written = {"identityProfile": {"kubeletidentity": {"resourceId": UNKNOWN, "clientId": "a"}}}
    assert read(cluster.CLUSTER, written, Reading())["kubelet_identity"] is UNKNOWN


def test_windows_are_maintenance_configurations_with_the_day_of_each_time():
    written = {
        "name": "shop",
        "resource_group_name": "rg",
        "maintenance_window": [{"allowed": [{"day": "Sunday", "hours": [1]}]}],
        "maintenance_window_auto_upgrade": [
            {
                "frequency": "Weekly",
                "interval": 2,
                "day_of_week": "Sunday",
                "duration": 4,
                "start_date": "2026-11-28T00:00:00Z",
                "not_allowed": [{"start": "2026-12-24T00:00:00Z", "end": UNKNOWN}],
            }
        ],
        "maintenance_window_node_os": [],
    }
    of = {"resourceName": "shop", "resourceGroupName": "rg"}
    made = dict(azurerm.windows("this", written))
    assert made["this.maintenance_window"] == {"configName": "default", **of, "timeInWeek": [{"day": "Sunday", "hours": [1]}]}
    assert made["this.maintenance_window_auto_upgrade"] == {
        "configName": "aksManagedAutoUpgradeSchedule",
        **of,
        "maintenanceWindow": {
            "schedule": {"weekly": {"intervalWeeks": 2, "dayOfWeek": "Sunday"}},
            "durationHours": 4,
            "startDate": "2026-11-28",
            "notAllowedDates": [{"start": "2026-12-24", "end": UNKNOWN}],
        },
    }
    assert len(made) == len(("maintenance_window", "maintenance_window_auto_upgrade"))
    [(_, unknown)] = azurerm.windows("this", {"maintenance_window_node_os": UNKNOWN})
    assert unknown["maintenanceWindow"] == {"schedule": UNKNOWN, "durationHours": UNKNOWN}
