"""What EKS is sent for a cluster: one row a fact of its API."""

import pytest

from nodepools import ApiServer, AutoMode, EksNetworkArgs, EksNodeClass
from nodepools.clouds.registry import cloud_of
from nodepools.eks.cluster import cluster_arguments
from nodepools.wire.eks.cluster import EksClusterContext

ROLE = "arn:aws:iam::111122223333:role/nodes"


@pytest.fixture
def sent(declare):
    def arguments(node_role=ROLE, **fields):
        around = EksClusterContext("dev-use1", "arn:aws:iam::1:role/cluster", node_role, ["a", "b"])
        return cluster_arguments(declare(**fields), around, resolve=str)

    return arguments


@pytest.mark.parametrize(("declared", "name"), [({}, "dev-use1"), ({"name": "data_EU"}, "data_EU")], ids=["as its key says", "as it exists"])
def test_the_name_of_a_cluster(sent, declare, deploy, declared, name):
    assert sent(**declared)["name"] == name
    graph = deploy(auto_mode=AutoMode(node_classes={"own": EksNodeClass()}), **declared)
    groups = [{"tags": {"aws:eks:cluster-name": name}}]
    assert graph.one("Cluster").inputs["name"] == name
    assert graph.one("NodeClass").inputs["spec"]["securityGroupSelectorTerms"] == groups
    rendered = list(cloud_of(declare(auto_mode=AutoMode(node_classes={"own": EksNodeClass()}), **declared)).objects("dev-use1", str))
    assert [made["spec"]["securityGroupSelectorTerms"] for made in rendered if made["kind"] == "NodeClass"] == [groups]


@pytest.mark.parametrize("auto_mode", [AutoMode(), AutoMode(built_in_node_pools=[])], ids=["with built-in pools", "without"])
def test_the_three_switches_are_on_and_plain(sent, auto_mode):
    made = sent(auto_mode=auto_mode)
    switches = [
        made["compute_config"]["enabled"],
        made["storage_config"]["block_storage"]["enabled"],
        made["kubernetes_network_config"]["elastic_load_balancing"]["enabled"],
    ]
    assert switches == [True, True, True]
    assert all(type(switch) is bool for switch in switches)
    assert made["bootstrap_self_managed_addons"] is False


@pytest.mark.parametrize(
    ("built_in", "node_role", "compute"),
    [
        pytest.param(["system"], ROLE, {"enabled": True, "node_pools": ["system"], "node_role_arn": ROLE}, id="C9: pools with their role"),
        pytest.param([], ROLE, {"enabled": True}, id="C10: no role without pools, though classes have it"),
        pytest.param([], None, {"enabled": True}, id="C12: neither"),
    ],
)
def test_built_in_pools_and_their_role_go_together(sent, built_in, node_role, compute):
    assert sent(node_role, auto_mode=AutoMode(built_in_node_pools=built_in))["compute_config"] == compute


@pytest.mark.parametrize("creator", [True, False])
def test_access_goes_by_entries_and_says_whether_the_creator_has_one(sent, creator):
    expected = {"authentication_mode": "API", "bootstrap_cluster_creator_admin_permissions": creator}
    assert sent(creator_is_admin=creator)["access_config"] == expected


@pytest.mark.parametrize(
    ("api_server", "reach"),
    [
        pytest.param(ApiServer(), {"endpoint_public_access": True}, id="from everywhere"),
        pytest.param(
            ApiServer(authorized_ip_ranges=["203.0.113.0/24"]),
            {"endpoint_public_access": True, "public_access_cidrs": ["203.0.113.0/24"]},
            id="from some ranges",
        ),
        pytest.param(ApiServer(private=True), {"endpoint_public_access": False}, id="from the VPC only"),
    ],
)
def test_the_api_server_is_reached_from_the_vpc_always(sent, api_server, reach):
    assert sent(api_server=api_server)["vpc_config"] == {"subnet_ids": ["a", "b"], "endpoint_private_access": True, **reach}


@pytest.mark.parametrize(
    ("fields", "services"),
    [
        pytest.param({}, "172.20.0.0/16", id="by default outside the VPC"),
        pytest.param({"network": EksNetworkArgs(cidr="172.20.0.0/16")}, "10.100.0.0/16", id="outside a VPC that lies there too"),
        pytest.param({"service_cidr": "192.168.0.0/20"}, "192.168.0.0/20", id="as declared"),
    ],
)
def test_services_have_a_range(sent, fields, services):
    assert sent(**fields)["kubernetes_network_config"]["service_ipv4_cidr"] == services


def test_what_is_not_modelled_is_laid_over_the_rest(sent):
    made = sent(
        overrides={"upgrade_policy": {"support_type": "STANDARD"}, "vpc_config": {"security_group_ids": ["sg-1"]}, "enabled_cluster_log_types": None}
    )
    assert made["upgrade_policy"] == {"support_type": "STANDARD"}
    assert made["vpc_config"]["security_group_ids"] == ["sg-1"]
    assert made["vpc_config"]["subnet_ids"] == ["a", "b"]
    assert "enabled_cluster_log_types" not in made


def test_the_rest_is_as_declared(sent):
    made = sent(deletion_protection=True, log_types=["audit"], tags={"team": "core"})
    assert (made["name"], made["region"], made["version"]) == ("dev-use1", "us-east-1", "1.35")
    assert made["deletion_protection"] is True
    assert made["enabled_cluster_log_types"] == ["audit"]
    assert made["tags"] == {"team": "core"}


@pytest.mark.parametrize(
    ("fields", "services"),
    [
        pytest.param({}, {"service_ipv4_cidr": "172.20.0.0/16"}, id="IPv4, which is not sent"),
        pytest.param({"ip_family": "IPv6", "network": EksNetworkArgs(ipv6=True)}, {"ip_family": "ipv6"}, id="IPv6, whose range EKS chooses"),
    ],
)
def test_the_family_of_pods_and_services(sent, fields, services):
    assert sent(**fields)["kubernetes_network_config"] == {"elastic_load_balancing": {"enabled": True}, **services}
