"""EKS clusters of any program are read back: what one of ours sends into one that sends the same, and what others say of Auto Mode."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pulumi_aws import eks as sdk

from nodepools import testing
from nodepools.eks.cluster import cluster_arguments
from nodepools.engine.property_values import plain_of
from nodepools.model.base import FrozenDict
from nodepools.model.eks.access import AccessEntry, AccessPolicy, AddOn, PodIdentity
from nodepools.model.unknowns import UNKNOWN, NotKnownError, assembled, unread
from nodepools.resources.eks_clusters import eks_cluster, is_auto_mode, known_part
from nodepools.wire.eks.access import ADD_ON, ENTRY, POD_IDENTITY, POLICY
from nodepools.wire.eks.cluster import EksClusterContext
from nodepools.wire.paths import value_at
from tests.wire.eks_declared import AROUND, NODES, ROLE, clusters


def sent(cluster, around=AROUND):
    return cluster_arguments(cluster, around, resolve=str)


@settings(max_examples=4, suppress_health_check=list(HealthCheck))
@given(st.lists(clusters, min_size=8, max_size=8))
def test_a_cluster_comes_back_as_it_was_sent(declared):
    def program():
        for number, one in enumerate(declared):
            sdk.Cluster(f"c{number}", **sent(one))

    graph = testing.run(program)
    for number, cluster in enumerate(declared):
        wire = plain_of(graph.one(f"Cluster/c{number}").request.object)
        read, _ = eks_cluster(wire)
        assert is_auto_mode(wire)
        built_in = cluster.auto_mode.built_in_node_pools
        assert read.overrides == {"compute_config": dict.fromkeys(("node_pools", "node_role_arn"), "there" if built_in else None)}
        plain = assembled(read, overrides=FrozenDict())
        assert sent(plain, EksClusterContext("shop", read.cluster_role, read.node_role, read.network.control_plane_subnet_ids)) == sent(cluster)


@pytest.mark.parametrize("field", ["apply", "objects", "account", "identity_provider", "oidc_provider", "protect", "timeouts", "iam_path"])
def test_what_no_input_says_is_not_known(field):
    read, _ = eks_cluster({"version": "1.36", "computeConfig": {"enabled": True}})
    with pytest.raises(NotKnownError):
        getattr(read, field)


SWITCHES = [
    ("all are on", {"computeConfig": True, "storageConfig": True, "kubernetesNetworkConfig": True}, True, (None, None, None)),
    ("one is on, and those left out are off", {"computeConfig": True}, True, (None, False, False)),
    ("one is on, and one is not known", {"computeConfig": True, "storageConfig": UNKNOWN}, True, (None, None, False)),
    ("none is on", {"computeConfig": False}, False, (None, None, None)),
    ("none is certainly on", {"computeConfig": UNKNOWN}, False, (None, None, None)),
]


@pytest.mark.parametrize(("switches", "auto", "told"), [row[1:] for row in SWITCHES], ids=[row[0] for row in SWITCHES])
def test_switches(switches, auto, told):
    inside = {"computeConfig": (), "storageConfig": ("blockStorage",), "kubernetesNetworkConfig": ("elasticLoadBalancing",)}
    wire = {"version": "1.36"}
    for name, on in switches.items():
        value = {"enabled": on}
        for step in inside[name]:
            value = {step: value}
        wire[name] = value
    read, _ = eks_cluster(wire)
    assert is_auto_mode(wire) is auto
    assert ("auto_mode" in unread(read)) is not auto
    overrides = {} if "overrides" in unread(read) else read.overrides
    at = [("compute_config",), ("storage_config", "block_storage"), ("kubernetes_network_config", "elastic_load_balancing")]
    assert tuple(value_at(overrides, (*way, "enabled")) for way in at) == told


def test_a_block_that_is_not_known_says_nothing_of_the_others():
    read, _ = eks_cluster({"version": "1.36", "computeConfig": {"enabled": True}, "storageConfig": UNKNOWN, "vpcConfig": UNKNOWN})
    assert read.overrides["kubernetes_network_config"] == {"elastic_load_balancing": {"enabled": False}}
    assert "storage_config" not in read.overrides
    assert unread(read.api_server) == {"private", "authorized_ip_ranges"}


@pytest.mark.parametrize("version", [UNKNOWN, {"a": 1}])
def test_a_cluster_of_an_unknown_version_is_one_all_the_same(version):
    assert unread(eks_cluster({"version": version})[0]) >= {"kubernetes_version"}


PARTS = [
    (
        AccessEntry,
        ENTRY,
        {"principalArn": ROLE, "type": "STANDARD", "kubernetesGroups": ["viewers"], "userName": "me", "clusterName": "shop"},
        AccessEntry(principal=ROLE, groups=["viewers"], user_name="me"),
    ),
    (
        AccessPolicy,
        POLICY,
        {"policyArn": "arn:aws:eks::aws:cluster-access-policy/AmazonEKSViewPolicy", "accessScope": {"type": "namespace", "namespaces": ["web"]}},
        AccessPolicy("AmazonEKSViewPolicy", namespaces=["web"]),
    ),
    (
        PodIdentity,
        POD_IDENTITY,
        {"namespace": "web", "serviceAccount": "app", "roleArn": ROLE, "targetRoleArn": NODES},
        PodIdentity(namespace="web", service_account="app", role=ROLE, target_role=NODES),
    ),
    (
        AddOn,
        ADD_ON,
        {"addonName": "x", "addonVersion": "v1.0.0-eksbuild.1", "configurationValues": '{"replicas": 2}', "preserve": True},
        AddOn(version="v1.0.0-eksbuild.1", configuration={"replicas": 2}, keep=True),
    ),
]


@pytest.mark.parametrize(("kind", "table", "wire", "part"), PARTS, ids=[row[0].__name__ for row in PARTS])
def test_a_part_is_read(kind, table, wire, part):
    assert known_part(kind, table, wire) == part


@pytest.mark.parametrize(("kind", "table"), [row[:2] for row in PARTS], ids=[row[0].__name__ for row in PARTS])
def test_a_part_of_which_nothing_is_known_is_one_all_the_same(kind, table):
    wire = dict.fromkeys(("principalArn", "policyArn", "namespace", "addonVersion"), UNKNOWN)
    assert unread(known_part(kind, table, wire))


def test_settings_that_are_no_json_are_not_known():
    assert unread(known_part(AddOn, ADD_ON, {"configurationValues": "{"})) == {"configuration"}
