"""Round trips: what an EKS cluster sends is read back into one that sends the same."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pulumi_aws import eks as sdk

from nodepools import testing
from nodepools.eks.access_inputs import access_entry, access_policy, add_on, pod_identity
from nodepools.eks.arguments import cluster_arguments
from nodepools.eks.cluster_inputs import eks_cluster, is_auto_mode
from nodepools.engine.values import plain_of
from nodepools.model.base import FrozenDict
from nodepools.model.eks.access import AccessEntry, AccessPolicy, AddOn, PodIdentity
from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.model.partial import UNKNOWN, NotKnownError, assembled, unread

ROLE, NODES = "arn:aws:iam::111122223333:role/cluster", "arn:aws:iam::111122223333:role/nodes"
SUBNETS = ("subnet-1", "subnet-2")
clusters = st.builds(
    lambda said: EksClusterArgs.model_validate({"region": "us-east-1", "kubernetes_version": "1.36", **said}),
    st.fixed_dictionaries(
        {},
        optional={
            "auto_mode": st.sampled_from([{"built_in_node_pools": []}, {"built_in_node_pools": ["system"]}]),
            "service_cidr": st.sampled_from(["10.100.0.0/16", "172.20.0.0/16"]),
            "creator_is_admin": st.booleans(),
            "api_server": st.sampled_from([{"private": True}, {"authorized_ip_ranges": ["203.0.113.0/24"]}, {}]),
            "upgrade_policy": st.sampled_from(["STANDARD", "EXTENDED"]),
            "control_plane_tier": st.sampled_from(["standard", "tier-xl"]),
            "control_plane_egress": st.sampled_from(["AWS_MANAGED", "CUSTOMER_ROUTED"]),
            "secrets_key": st.just("arn:aws:kms:us-east-1:111122223333:key/k"),
            "log_types": st.sampled_from([[], ["audit"], ["api", "scheduler"]]),
            "deletion_protection": st.booleans(),
            "tags": st.dictionaries(st.sampled_from(["a", "b"]), st.sampled_from(["x", "y"])),
        },
    ),
)


def sent(cluster, role=ROLE, nodes=NODES, subnets=SUBNETS):
    return cluster_arguments("shop", cluster, role=role, node_role=nodes, subnets=subnets, secrets_key=cluster.secrets_key)


@settings(max_examples=4, suppress_health_check=list(HealthCheck))
@given(st.lists(clusters, min_size=8, max_size=8))
def test_a_cluster_comes_back_as_it_was_sent(declared):
    def program():
        for number, one in enumerate(declared):
            sdk.Cluster(f"c{number}", **sent(one))

    graph = testing.run(program)
    for number, cluster in enumerate(declared):
        wire = plain_of(graph.one(f"Cluster/c{number}").request.object)
        read = eks_cluster(wire)
        assert is_auto_mode(wire)
        assert read.overrides["compute_config"]["enabled"] is True
        assert read.overrides["bootstrap_self_managed_addons"] is False
        plain = assembled(read, overrides=FrozenDict())
        assert sent(plain, read.cluster_role, read.node_role, read.network.control_plane_subnet_ids) == sent(cluster)


@pytest.mark.parametrize("field", ["apply", "objects", "account", "oidc_provider", "protect", "timeouts", "iam_path"])
def test_what_no_input_says_is_not_known(field):
    read = eks_cluster({"version": "1.36", "computeConfig": {"enabled": True}})
    with pytest.raises(NotKnownError):
        getattr(read, field)


SWITCHES = [
    ("all are on", {"computeConfig": True, "storageConfig": True, "kubernetesNetworkConfig": True}, True, (True, True, True)),
    ("one is on, and those left out are off", {"computeConfig": True}, True, (True, False, False)),
    ("one is on, and one is not known", {"computeConfig": True, "storageConfig": UNKNOWN}, True, (True, None, False)),
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
    read = eks_cluster(wire)
    assert is_auto_mode(wire) is auto
    assert ("auto_mode" in unread(read)) is not auto
    overrides = {} if "overrides" in unread(read) else read.overrides
    at = [("compute_config",), ("storage_config", "block_storage"), ("kubernetes_network_config", "elastic_load_balancing")]
    found = []
    for way in at:
        here = overrides
        for step in way:
            here = here.get(step, {})
        found.append(here.get("enabled"))
    assert tuple(found) == told


PARTS = [
    (
        access_entry,
        {"principalArn": ROLE, "type": "STANDARD", "kubernetesGroups": ["viewers"], "userName": "me", "clusterName": "shop"},
        AccessEntry(principal=ROLE, groups=["viewers"], user_name="me"),
    ),
    (
        access_policy,
        {"policyArn": "arn:aws:eks::aws:cluster-access-policy/AmazonEKSViewPolicy", "accessScope": {"type": "namespace", "namespaces": ["web"]}},
        AccessPolicy("AmazonEKSViewPolicy", namespaces=["web"]),
    ),
    (
        pod_identity,
        {"namespace": "web", "serviceAccount": "app", "roleArn": ROLE, "targetRoleArn": NODES},
        PodIdentity(namespace="web", service_account="app", role=ROLE, target_role=NODES),
    ),
    (
        add_on,
        {"addonName": "x", "addonVersion": "v1.0.0-eksbuild.1", "configurationValues": '{"replicas": 2}', "preserve": True},
        AddOn(version="v1.0.0-eksbuild.1", configuration={"replicas": 2}, keep=True),
    ),
]


@pytest.mark.parametrize(("read", "wire", "part"), PARTS, ids=[row[0].__name__ for row in PARTS])
def test_a_part_is_read(read, wire, part):
    assert read(wire) == part


@pytest.mark.parametrize("read", [row[0] for row in PARTS], ids=[row[0].__name__ for row in PARTS])
def test_a_part_of_which_nothing_is_known_is_one_all_the_same(read):
    wire = dict.fromkeys(("principalArn", "policyArn", "namespace", "addonVersion"), UNKNOWN)
    assert unread(read(wire))


def test_settings_that_are_no_json_are_not_known():
    assert unread(add_on({"configurationValues": "{"})) == {"configuration"}
