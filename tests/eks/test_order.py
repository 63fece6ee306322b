"""In which order everything goes: whatever deletes nodes must still be there when they are deleted."""

from itertools import pairwise

import pulumi
import pulumi_kubernetes
import pytest

from nodepools import AutoMode, EksNetworkArgs, EksNodeClass, EksNodePool, testing
from nodepools.eks import AccessEntry, AccessPolicy, AddOn, PodIdentity
from nodepools.eks.cluster import EksCluster


@pytest.fixture(scope="module")
def where():
    """The cluster's own."""
    return {}


EVERYTHING = AutoMode(
    built_in_node_pools=[],
    node_classes={"own": EksNodeClass(create_role=True, tags={"team": "web"}), "shared": EksNodeClass(), "brought": EksNodeClass(role="nodes")},
    node_pools={"own": EksNodePool(node_class="own"), "shared": EksNodePool(node_class="shared"), "brought": EksNodePool(node_class="brought")},
)


@pytest.fixture(scope="module")
def graph(deploy, preview):
    return deploy(
        auto_mode=EVERYTHING,
        admins=["arn:aws:iam::111122223333:role/admins"],
        access_entries={"team": AccessEntry(principal="arn:aws:iam::111122223333:role/team", policies=[AccessPolicy("AmazonEKSViewPolicy")])},
        pod_identities={"web": PodIdentity(namespace="shop", service_account="web", role="arn:aws:iam::111122223333:role/web")},
        add_ons={"metrics-server": AddOn()},
        oidc_provider=True,
        preview=preview,
    )


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("NodePool/dev-use1-own", "NodeClass/dev-use1-own-*"),
        ("NodePool/dev-use1-shared", "NodeClass/dev-use1-shared"),
        ("NodePool/dev-use1-brought", "NodeClass/dev-use1-brought-*"),
        ("NodeClass/dev-use1-own-*", "AccessPolicyAssociation/dev-use1-access-node-own-policy"),
        ("NodeClass/dev-use1-shared", "AccessPolicyAssociation/dev-use1-access-class-node-policy"),
        ("NodeClass/dev-use1-brought-*", "AccessPolicyAssociation/dev-use1-access-brought-*"),
        ("NodeClass", "AccessPolicyAssociation/dev-use1-admin-*"),
        ("NodePool/dev-use1-own", "AccessEntry/dev-use1-access-node-own"),
        ("AccessPolicyAssociation/dev-use1-access-node-own-policy", "AccessEntry/dev-use1-access-node-own"),
        ("AccessPolicyAssociation/dev-use1-access-class-node-policy", "AccessEntry/dev-use1-access-class-node"),
        ("AccessPolicyAssociation/dev-use1-admin-*", "AccessEntry/dev-use1-admin-*"),
        ("AccessEntry", "Cluster"),
        ("Cluster", "RolePolicyAttachment"),
        ("RolePolicyAttachment/dev-use1-node-role-own-*", "Role/dev-use1-node-role-own"),
        ("RolePolicyAttachment/dev-use1-cluster-role-*", "Role/dev-use1-cluster-role"),
        ("Cluster", "RolePolicy"),
        ("RolePolicy", "Role/dev-use1-cluster-role"),
        ("NodePool", "RolePolicyAttachment"),
        ("NodePool", "AccessPolicyAssociation/dev-use1-admin-*"),
        ("NodePool", "NatGateway"),
        ("NodePool", "Route"),
        ("NodePool", "RouteTableAssociation"),
        ("NodePool", "InternetGateway"),
        ("NodeClass", "Route"),
        ("NodeClass", "RouteTableAssociation"),
        ("NodeClass", "InternetGateway"),
        ("NatGateway", "InternetGateway"),
        ("Subnet", "Vpc"),
        ("InternetGateway", "Vpc"),
        ("Cluster", "NatGateway"),
        ("Cluster", "Route"),
        ("Cluster", "RouteTableAssociation"),
        ("Cluster", "Vpc"),
        ("NodeClass", "NatGateway"),
        ("NodeClass", "Subnet"),
        ("NodePool", "kubernetes"),
        ("kubernetes", "Cluster"),
        ("Addon", "NodePool"),
        ("Addon", "Cluster"),
        ("PodIdentityAssociation", "Cluster"),
        ("OpenIdConnectProvider", "Cluster"),
        ("NodeClass", "AccessPolicyAssociation/dev-use1-entry-*"),
        ("AccessPolicyAssociation/dev-use1-entry-*", "AccessEntry/dev-use1-entry-*"),
        ("StorageClass", "kubernetes"),
        ("StorageClass", "Cluster"),
        ("IngressClass", "IngressClassParams"),
        ("IngressClassParams", "Cluster"),
    ],
)
def test_what_needs_another_goes_before_it(graph, first, then):
    assert graph.deletes(first).before(then)
    assert graph.creates(first).after(then)


def test_a_destroy_takes_the_layers_one_after_another(deploy):
    waves = deploy(auto_mode=EVERYTHING).waves().deletes
    when = {label: number for number, wave in enumerate(waves) for label in wave}

    def first(kind):
        return min(number for label, number in when.items() if label.startswith(f"{kind}/"))

    def last(kind):
        return max(number for label, number in when.items() if label.startswith(f"{kind}/"))

    layers = ["NodePool", "NodeClass", "AccessPolicyAssociation", "AccessEntry", "Cluster", "RolePolicyAttachment"]
    for one, other in pairwise(layers):
        assert last(one) < first(other)
    assert last("Cluster") < min(first(kind) for kind in ("NatGateway", "Route", "RouteTableAssociation", "Subnet", "Vpc"))


def test_nodes_of_built_in_pools_go_before_their_way_out_too(deploy):
    graph = deploy(auto_mode=AutoMode(), network=EksNetworkArgs(nat="single"))
    assert all(graph.one("Cluster").depends_on(need) for kind in ("NatGateway", "Route", "RouteTableAssociation") for need in graph.some(kind))


def test_a_pool_of_the_built_in_class_goes_before_all_that_its_nodes_need(deploy, preview):
    graph = deploy(auto_mode=AutoMode(node_pools={"web": EksNodePool()}), preview=preview)
    for then in ("Cluster", "RolePolicyAttachment", "NatGateway", "Route", "RouteTableAssociation", "Subnet", "kubernetes"):
        assert graph.deletes("NodePool").before(then)


def test_only_what_has_no_nodes_goes_with_its_cluster(graph):
    assert {made.type.rpartition(":")[2] for made in graph if made.request.deletedWith} == {"StorageClass", "IngressClass", "IngressClassParams"}


def test_a_gateway_goes_before_its_address(deploy):
    graph = deploy(outputs={"aws:ec2/eip:Eip": lambda name, _: {"allocationId": f"eipalloc-{name}"}})
    for gateway in graph.some("NatGateway"):
        assert graph.deletes(gateway.urn).before(f"Eip/{gateway.name}")


def test_workloads_of_the_program_go_before_the_pools(declare, preview):
    def program():
        cluster = EksCluster("dev-use1", declare(auto_mode=EVERYTHING, admins=["arn:aws:iam::123456789012:role/admins"]))
        there = pulumi_kubernetes.Provider("shop", kubeconfig=cluster.kubeconfig)
        pulumi_kubernetes.core.v1.ConfigMap("web", data={"a": "b"}, opts=pulumi.ResourceOptions(provider=there))

    graph = testing.run(program, preview=preview)
    assert graph.one("kubernetes/shop").inputs.secret("kubeconfig")
    for then in ("NodePool", "NodeClass", "AccessEntry", "Cluster", "NatGateway"):
        assert graph.deletes("ConfigMap").before(then)


def test_node_pools_are_reachable_by_key(declare):
    found = {}

    def program():
        for apply in ("direct", "render"):
            cluster = EksCluster(f"dev-{apply}", declare(auto_mode=EVERYTHING, apply=apply))
            found[apply] = {key: pool.urn for key, pool in cluster.node_pools.items()}

    testing.run(program)
    assert (set(found["direct"]), found["render"]) == (set(EVERYTHING.node_pools), {})
