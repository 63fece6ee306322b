"""What is granted to the identities of a cluster, and on what: before the cluster, and no more than is used."""

import pulumi
import pytest

from nodepools import (
    AksNetworkArgs,
    AksNodeClass,
    ExistingAksNetwork,
    NodeProvisioning,
    StackOutput,
    UserPool,
)
from nodepools.aks import KubeletIdentity, ManagedAksNetwork
from nodepools.aks.role_assignments import CONTRIBUTOR, NETWORK_CONTRIBUTOR, OPERATOR, PULL

GIVEN = "/subscriptions/11111111-1111-1111-1111-111111111111/resourceGroups/net/providers"
REGISTRY = f"{GIVEN}/Microsoft.ContainerRegistry/registries/shop"
OTHER = f"{GIVEN}/Microsoft.ContainerRegistry/registries/other"
NETWORK = f"{GIVEN}/Microsoft.Network/virtualNetworks/hub"
BROUGHT = KubeletIdentity(id=f"{GIVEN}/Microsoft.ManagedIdentity/userAssignedIdentities/nodes", client_id="c", object_id="o")
SIZE = "Standard_D4ds_v5"


def granted(graph, word):
    """The scopes of the grants whose name goes on with a word, and their roles."""
    found = [node for node in graph.all("RoleAssignment") if node.name.startswith(f"dev-weu-{word}")]
    return sorted((node.inputs["roleDefinitionId"].rpartition("/")[2], node.inputs["scope"]) for node in found)


def roles(graph):
    return {node.name.removeprefix("dev-weu-") for node in graph.all("RoleAssignment") if "admin" not in node.name}


def test_a_plain_cluster_has_the_rights_that_it_always_had(deploy):
    graph = deploy()
    assert roles(graph) == {"network"}
    assert [node.name for node in graph.all("UserAssignedIdentity")] == ["dev-weu"]
    assert "identityProfile" not in graph.one("ManagedCluster").inputs


@pytest.mark.parametrize("fields", [{"registries": [REGISTRY]}, {"kubelet_identity": KubeletIdentity()}], ids=["registries", "an identity"])
def test_nodes_have_an_identity_that_the_cluster_may_give_them(deploy, fields, preview):
    graph = deploy(**fields, preview=preview)
    kubelet, cluster = graph.one("UserAssignedIdentity/dev-weu-kubelet"), graph.one("ManagedCluster")
    operator = graph.one("RoleAssignment/dev-weu-kubelet-operator")
    assert preview or operator.inputs["roleDefinitionId"].endswith(OPERATOR)
    assert operator.depends_on(kubelet)
    assert operator.depends_on("UserAssignedIdentity/dev-weu")
    assert cluster.depends_on(operator)
    assert graph.deletes("ManagedCluster").before("RoleAssignment/dev-weu-kubelet-operator")


def test_all_three_ids_are_sent(deploy):
    graph = deploy(registries=[REGISTRY])
    zero = "00000000-0000-0000-0000-000000000000"
    ids = {"resourceId": "dev-weu-kubelet-id", "clientId": zero, "objectId": zero}
    assert graph.one("ManagedCluster").inputs["identityProfile"] == {"kubeletidentity": ids}


def test_nodes_may_pull_in_either_mode_of_a_registry_before_there_is_a_node(deploy, preview):
    graph = deploy(registries=[REGISTRY, OTHER], preview=preview)
    assert granted(graph, "pull-") == [(PULL["pull"], OTHER), (PULL["pull"], REGISTRY)]
    assert granted(graph, "read-") == [(PULL["read"], OTHER), (PULL["read"], REGISTRY)]
    for node in graph.all("RoleAssignment"):
        assert "admin" in node.name or graph.one("ManagedCluster").depends_on(node)


def test_the_order_of_registries_is_of_no_importance(deploy):
    one, other = deploy(registries=[REGISTRY, OTHER]), deploy(registries=[OTHER, REGISTRY.lower(), REGISTRY])
    assert roles(one) == roles(other)


def test_a_brought_identity_is_sent_as_it_is_and_may_pull(deploy):
    graph = deploy(kubelet_identity=BROUGHT, registries=[REGISTRY])
    assert graph.one("ManagedCluster").inputs["identityProfile"]["kubeletidentity"]["resourceId"] == BROUGHT.id
    assert [node.name for node in graph.all("UserAssignedIdentity")] == ["dev-weu"]
    assert {node.inputs["principalId"] for node in graph.all("RoleAssignment") if "pull" in node.name or "read" in node.name} == {"o"}
    assert "kubelet-operator" not in roles(graph)


def test_with_a_brought_cluster_identity_only_the_nodes_get_rights(deploy):
    graph = deploy(identity=f"{GIVEN}/Microsoft.ManagedIdentity/userAssignedIdentities/i", registries=[REGISTRY])
    assert {name.partition("-")[0] for name in roles(graph)} == {"pull", "read"}


REFS = [
    pytest.param(StackOutput("acme/images/dev", "registry"), id="of another stack"),
    pytest.param(lambda: [pulumi.Output.from_input(REGISTRY)], id="an output"),
]


@pytest.mark.parametrize("ref", REFS)
def test_a_registry_may_be_known_to_others(deploy, ref):
    registries = ref if callable(ref) else [ref]
    graph = deploy(registries=registries, stacks={"acme/images/dev": {"registry": REGISTRY}})
    assert granted(graph, "pull") == [(PULL["pull"], REGISTRY)]


def test_a_new_network_can_be_granted_by_its_subnets(deploy, preview):
    network = AksNetworkArgs(cidr="10.10.0.0/16", pool_subnets={"web": "10.10.64.0/24"}, pod_subnet_cidr="10.10.128.0/18")
    graph = deploy(
        network=network, network_profile={"plugin_mode": None}, network_rights="subnets", pools={"web": UserPool(vm_size=SIZE)}, preview=preview
    )
    assert roles(graph) == {"network-nodes", "network-pool-web", "network-pods"}
    if not preview:
        assert len({scope for _, scope in granted(graph, "network")}) == 3
        assert all("/subnets/" in scope for _, scope in granted(graph, "network"))


def test_of_an_existing_network_every_subnet_in_use_is_granted_once(deploy):
    graph = deploy(
        network=ExistingAksNetwork(subnet_id=f"{NETWORK}/subnets/nodes"),
        network_rights="subnets",
        api_server_subnet_id=f"{NETWORK}/subnets/api",
        pools={
            "web": UserPool(vm_size=SIZE, vnet_subnet_id=f"{NETWORK}/subnets/Nodes"),
            "own": UserPool(vm_size=SIZE, vnet_subnet_id=f"{NETWORK}/subnets/own"),
        },
        node_provisioning=NodeProvisioning(node_classes={"far": AksNodeClass(vnet_subnet_id=f"{NETWORK}/subnets/far")}),
        apply="render",
    )
    ends = sorted(scope.rpartition("/")[2].lower() for _, scope in granted(graph, "network"))
    assert ends == ["api", "far", "nodes", "own"]
    assert {role for role, _ in granted(graph, "network")} == {NETWORK_CONTRIBUTOR}


def test_a_network_of_aks_needs_no_grant(deploy):
    for rights in ("network", "subnets"):
        assert roles(deploy(network=ManagedAksNetwork(), network_rights=rights)) == set()


ADDRESSES = {"load_balancer": {"outbound_ip_ids": [f"{GIVEN}/Microsoft.Network/publicIPAddresses/out"]}}
PREFIXES = {"load_balancer": {"outbound_ip_prefix_ids": [f"{GIVEN}/Microsoft.Network/publicIPPrefixes/out"]}}


@pytest.mark.parametrize(("profile", "word"), [(ADDRESSES, "address"), (PREFIXES, "prefix")], ids=["addresses", "prefixes"])
def test_outbound_addresses_may_be_joined(deploy, profile, word):
    [(role, scope)] = granted(deploy(network_profile=profile), word)
    assert (role, scope.rpartition("/")[2]) == (NETWORK_CONTRIBUTOR, "out")


def test_addresses_that_are_not_used_are_not_granted(deploy):
    network = ExistingAksNetwork(subnet_id=f"{NETWORK}/subnets/nodes")
    assert roles(deploy(network=network, network_profile={**ADDRESSES, "outbound_type": "userAssignedNATGateway"})) == {"network"}


def test_the_group_of_reserved_capacity_is_granted_once(deploy):
    group = f"{GIVEN}/Microsoft.Compute/capacityReservationGroups"
    pools = {key: UserPool(vm_size=SIZE, capacity_reservation_group_id=f"{group}/{key}") for key in ("web", "batch")}
    assert granted(deploy(pools=pools), "reservations") == [(CONTRIBUTOR, GIVEN.removesuffix("/providers"))]


def test_reserved_capacity_of_another_stack_is_granted_too(deploy):
    ref = StackOutput("acme/capacity/dev", "group")
    stacks = {"acme/capacity/dev": {"group": f"{GIVEN}/Microsoft.Compute/capacityReservationGroups/web"}}
    graph = deploy(pools={"web": UserPool(vm_size=SIZE, capacity_reservation_group_id=ref)}, stacks=stacks)
    assert granted(graph, "reservations") == [(CONTRIBUTOR, GIVEN.removesuffix("/providers"))]


def test_a_pool_that_is_replaced_keeps_its_reserved_capacity(deploy):
    group = f"{GIVEN}/Microsoft.Compute/capacityReservationGroups/web"
    old = UserPool(vm_size=SIZE, capacity_reservation_group_id=group)
    graph = deploy(pools={"web": UserPool(vm_size="Standard_D8ds_v5", previous=old)})
    assert granted(graph, "reservations") == [(CONTRIBUTOR, GIVEN.removesuffix("/providers"))]
