"""The tables of EKS: complete on both sides, undone by reading, right about what a change does, and readable in AWS's own spelling."""

import inspect
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from pulumi import _types
from pulumi_aws import cloudwatch, eks, kms
from pulumi_aws.eks import _inputs

from nodepools.adoption.eks import draft
from nodepools.eks.network import ec2
from nodepools.model.access import ApiServer
from nodepools.model.base import Model
from nodepools.model.eks.access import AccessEntry, AccessPolicy, AddOn, IdentityProvider, PodIdentity, PodRole
from nodepools.model.eks.cluster import ControlPlane, EksClusterArgs, EksNetworkArgs, ExistingEksNetwork, LogGroup, NewKey
from nodepools.model.eks.node_class import AutoMode
from nodepools.model.ref import StackOutput
from nodepools.model.unknowns import UNKNOWN, partial
from nodepools.wire.eks import access, cluster, network
from nodepools.wire.eks import access as add_on_tables
from nodepools.wire.eks.cluster import CLUSTER, LOG_GROUP, SECRETS_KEY
from nodepools.wire.paths import differences, effect_of, model_of, wire_of
from nodepools.wire.reading import Reading, Why, read, write
from nodepools.wire.rows import Note, Part
from nodepools.wire.table import Effect, Table, python_name
from tests.wire.eks_declared import AROUND, NODES, ROLE, SUBNETS, add_ons, clusters, entries, log_groups, pod_identities, policies

OBSERVED = Path(__file__).parents[3] / "shared/data/observed"
RESOURCES: list[tuple[str, Table, Any]] = [
    ("Cluster", CLUSTER, eks.Cluster),
    ("AccessEntry", access.ENTRY, eks.AccessEntry),
    ("AccessPolicyAssociation", access.POLICY, eks.AccessPolicyAssociation),
    ("PodIdentityAssociation", add_on_tables.POD_IDENTITY, eks.PodIdentityAssociation),
    ("Addon", add_on_tables.ADD_ON, eks.Addon),
    ("IdentityProviderConfig", access.IDENTITY_PROVIDER, eks.IdentityProviderConfig),
    ("LogGroup", LOG_GROUP, cloudwatch.LogGroup),
    ("Key", SECRETS_KEY, kms.Key),
    ("Vpc", network.VPC, ec2.Vpc),
    *((name, table, getattr(ec2, name)) for name, table in network.INSIDE.items()),
]
TABLES = [
    *(table for _, table, _ in RESOURCES),
    *(cluster.NETWORK, cluster.AUTO_MODE, cluster.API_SERVER, cluster.CONTROL_PLANE),
    *(draft.DESCRIBED, draft.DESCRIBED_ENTRY, draft.LISTED_POLICY, draft.LISTED_GROUP),
]


def arguments(resource: Any) -> dict[str, str]:
    """The arguments of a resource of the SDK, in Python and on the wire."""
    names = set(inspect.signature(resource._internal_init).parameters) - {"__self__", "resource_name", "opts", "__props__"}
    module = inspect.getmodule(resource)
    wire = _types.input_type_py_to_pulumi_names(getattr(module, f"{resource.__name__}Args"))
    assert wire.keys() == names
    return wire


@pytest.mark.parametrize(("table", "resource"), [row[1:] for row in RESOURCES], ids=[row[0] for row in RESOURCES])
def test_every_argument_of_the_sdk_has_a_row(table: Table, resource: Any) -> None:
    names = arguments(resource)
    assert {str(way.wire[0]) for way in table.leaves if way.wire} == set(names.values())
    assert all(python_name(wire) == python for python, wire in names.items())


@pytest.mark.parametrize("table", TABLES)
def test_every_argument_has_one_row(table: Table) -> None:
    places = [way.wire for way in table.leaves if way.wire]
    assert len(places) == len(set(places))
    above = {place[:length] for place in places for length in range(1, len(place))}
    assert above.isdisjoint(places)


PARTS = {
    "accessConfig": "ClusterAccessConfigArgs",
    "computeConfig": "ClusterComputeConfigArgs",
    "controlPlaneScalingConfig": "ClusterControlPlaneScalingConfigArgs",
    "encryptionConfig": "ClusterEncryptionConfigArgs",
    "encryptionConfig.provider": "ClusterEncryptionConfigProviderArgs",
    "kubeApiServerConfig": "ClusterKubeApiServerConfigArgs",
    "kubeApiServerConfig.serviceNodePortRange": "ClusterKubeApiServerConfigServiceNodePortRangeArgs",
    "kubeControllerManagerConfig": "ClusterKubeControllerManagerConfigArgs",
    "kubeControllerManagerConfig.horizontalPodAutoscalerControllerConfig": (
        "ClusterKubeControllerManagerConfigHorizontalPodAutoscalerControllerConfigArgs"
    ),
    "kubeControllerManagerConfig.podGcControllerConfig": "ClusterKubeControllerManagerConfigPodGcControllerConfigArgs",
    "kubeSchedulerConfig": "ClusterKubeSchedulerConfigArgs",
    "kubeSchedulerConfig.nodeResourcesFit": "ClusterKubeSchedulerConfigNodeResourcesFitArgs",
    "kubeSchedulerConfig.nodeResourcesFit.scoringStrategy": "ClusterKubeSchedulerConfigNodeResourcesFitScoringStrategyArgs",
    "kubernetesNetworkConfig": "ClusterKubernetesNetworkConfigArgs",
    "kubernetesNetworkConfig.elasticLoadBalancing": "ClusterKubernetesNetworkConfigElasticLoadBalancingArgs",
    "storageConfig": "ClusterStorageConfigArgs",
    "storageConfig.blockStorage": "ClusterStorageConfigBlockStorageArgs",
    "upgradePolicy": "ClusterUpgradePolicyArgs",
    "vpcConfig": "ClusterVpcConfigArgs",
    "zonalShiftConfig": "ClusterZonalShiftConfigArgs",
}


@pytest.mark.parametrize("place", PARTS)
def test_every_argument_of_a_part_of_the_cluster_has_a_row(place: str) -> None:
    steps = tuple(place.split("."))
    inside = {str(way.wire[len(steps)]) for way in CLUSTER.leaves if way.wire[: len(steps)] == steps}
    assert inside == set(_types.input_type_py_to_pulumi_names(getattr(_inputs, PARTS[place])).values())


def test_every_part_of_the_cluster_that_has_rows_is_compared_with_the_sdk() -> None:
    assert {".".join(map(str, way.wire[:length])) for way in CLUSTER.leaves for length in range(1, len(way.wire))} == PARTS.keys()


def test_every_argument_of_a_scope_has_a_row() -> None:
    inside = {str(way.wire[1]) for way in access.POLICY.leaves if way.wire[:1] == ("accessScope",)}
    assert inside == set(_types.input_type_py_to_pulumi_names(_inputs.AccessPolicyAssociationAccessScopeArgs).values())


def test_every_argument_of_an_identity_provider_has_a_row() -> None:
    inside = {str(way.wire[1]) for way in access.IDENTITY_PROVIDER.leaves if way.wire[:1] == ("oidc",)}
    assert inside == set(_types.input_type_py_to_pulumi_names(_inputs.IdentityProviderConfigOidcArgs).values())


MODELS: list[tuple[Table, Sequence[type[Model]]]] = [
    (CLUSTER, [EksClusterArgs]),
    (cluster.NETWORK, [EksNetworkArgs, ExistingEksNetwork]),
    (cluster.AUTO_MODE, [AutoMode]),
    (cluster.API_SERVER, [ApiServer]),
    (cluster.CONTROL_PLANE, [ControlPlane]),
    (access.ENTRY, [AccessEntry]),
    (access.POLICY, [AccessPolicy]),
    (add_on_tables.POD_IDENTITY, [PodIdentity]),
    (add_on_tables.ADD_ON, [AddOn]),
    (access.IDENTITY_PROVIDER, [IdentityProvider]),
    (network.VPC, [EksNetworkArgs]),
    (LOG_GROUP, [LogGroup]),
    (SECRETS_KEY, [NewKey]),
]


@pytest.mark.parametrize(("table", "models"), MODELS, ids=[models[0].__name__ for _, models in MODELS])
def test_every_field_has_one_row(table: Table, models: Sequence[type[Model]]) -> None:
    fields = [str(way.model[0]) for way in table.leaves if len(way.model) == 1]
    assert sorted(fields) == sorted({name for model in models for name in model.model_fields})


@pytest.mark.parametrize("table", TABLES)
def test_every_change_has_a_source_and_what_is_left_a_reason(table: Table) -> None:
    assert not [way for way in table.leaves if way.change is not None and not way.change.source]
    told = {way for way in table.leaves if isinstance(way.row, Note) and way.row.kind == "read_only"}
    assert not [way for way in table.leaves if way.change is None and way not in told and not isinstance(way.row, Part)]
    assert not [row.name for row in table.rows if isinstance(row, Note) and row.kind in ("unmodeled", "derived") and not row.why]


def sent(declared: EksClusterArgs) -> dict[str, object]:
    return write(CLUSTER, declared, AROUND)


def read_back(table: Table, kind: type[Model], wire: Mapping[str, object], **more: object) -> Any:
    reading = Reading()
    found = read(table, wire, reading)
    assert reading.left == []
    return kind.model_validate({**more, **found})


@settings(max_examples=80, suppress_health_check=list(HealthCheck))
@given(clusters)
def test_a_cluster_that_is_written_is_read_and_written_again(declared: EksClusterArgs) -> None:
    wire = sent(declared)
    reading = Reading()
    found = read(CLUSTER, wire, reading)
    assert reading.left == []
    assert "overrides" not in found, "every argument is as ours"
    assert found["cluster_role"] == ROLE
    network = found.pop("network")
    assert network == {"control_plane_subnet_ids": list(SUBNETS)}
    assert sent(EksClusterArgs.model_validate(found)) == wire


@settings(max_examples=40, suppress_health_check=list(HealthCheck))
@given(clusters)
def test_what_aws_tells_of_a_cluster_is_read_and_written_again(declared: EksClusterArgs) -> None:
    wire = write(draft.DESCRIBED, declared, AROUND)
    reading = Reading()
    found = read(draft.DESCRIBED, wire, reading)
    assert reading.left == []
    assert found.pop("network") == {"control_plane_subnet_ids": list(SUBNETS)}
    again = EksClusterArgs.model_validate({**found, "region": declared.region})
    assert write(draft.DESCRIBED, again, AROUND) == wire
    assert sent(again.model_copy()) == {**sent(declared), "accessConfig": sent(again)["accessConfig"]}, "but who creates it, which is not told"


@given(entries)
def test_an_access_entry_that_is_written_is_read(declared: AccessEntry) -> None:
    for table in (access.ENTRY, draft.DESCRIBED_ENTRY):
        assert read_back(table, AccessEntry, write(table, declared)) == declared


@given(policies)
def test_a_policy_that_is_written_is_read(declared: AccessPolicy) -> None:
    arn = f"arn:aws:eks::aws:cluster-access-policy/{declared.name}"
    for table in (access.POLICY, draft.LISTED_POLICY):
        wire = write(table, declared, arn)
        assert wire["policyArn"] == arn
        assert read_back(table, AccessPolicy, wire) == declared


@given(pod_identities)
def test_a_pod_identity_that_is_written_is_read(declared: PodIdentity) -> None:
    assert read_back(add_on_tables.POD_IDENTITY, PodIdentity, write(add_on_tables.POD_IDENTITY, declared)) == declared


@given(add_ons)
def test_an_add_on_that_is_written_is_read(declared: AddOn) -> None:
    assert read_back(add_on_tables.ADD_ON, AddOn, write(add_on_tables.ADD_ON, declared)) == declared


@given(log_groups)
def test_a_log_group_that_is_written_is_read(declared: LogGroup) -> None:
    wire = write(LOG_GROUP, declared, "shop")
    assert wire["name"] == "/aws/eks/shop/cluster"
    assert read_back(LOG_GROUP, LogGroup, wire) == declared
    told = {"logGroupName": "/aws/eks/shop/cluster", **{name: wire[name] for name in ("retentionInDays", "kmsKeyId") if wire.get(name)}}
    assert read_back(draft.LISTED_GROUP, LogGroup, told, keep=declared.keep) == declared


def test_roles_that_are_created_are_those_of_the_context() -> None:
    identity = PodIdentity(namespace="shop", service_account="web", policies=["AmazonS3ReadOnlyAccess"])
    assert write(add_on_tables.POD_IDENTITY, identity, ROLE)["roleArn"] == ROLE
    add_on = AddOn(pod_identity={"b": PodRole(policies=["A"]), "a": PodRole(role=StackOutput("o/p/s", "role"))})
    made = write(add_on_tables.ADD_ON, add_on, {"b": ROLE}, resolve=lambda ref: ref.output)
    assert made["podIdentityAssociations"] == [{"serviceAccount": "a", "roleArn": "role"}, {"serviceAccount": "b", "roleArn": ROLE}]


def test_the_switches_of_auto_mode_are_plain_and_on_whatever_is_not_known() -> None:
    declared = EksClusterArgs(region="us-east-1", kubernetes_version="1.36")
    wire: Any = write(CLUSTER, partial(declared, ("auto_mode", "network", "service_cidr", "api_server", "tags")), AROUND)
    assert wire["bootstrapSelfManagedAddons"] is False
    assert wire["computeConfig"] == {"enabled": True, "nodePools": UNKNOWN, "nodeRoleArn": UNKNOWN}
    assert wire["storageConfig"] == {"blockStorage": {"enabled": True}}
    assert wire["kubernetesNetworkConfig"]["elasticLoadBalancing"] == {"enabled": True}
    assert wire["vpcConfig"]["endpointPublicAccess"] is UNKNOWN


def test_references_are_resolved() -> None:
    declared = EksClusterArgs(region="us-east-1", kubernetes_version="1.36", secrets_key=StackOutput("o/p/s", "key"))
    wire: Any = write(CLUSTER, declared, AROUND, resolve=lambda ref: ref.output)
    assert wire["encryptionConfig"] == {"provider": {"keyArn": "key"}, "resources": ["secrets"]}


PATHS = [
    (("kubernetes_version",), ("version",)),
    (("cluster_role",), ("roleArn",)),
    (("auto_mode", "built_in_node_pools", 1), ("computeConfig", "nodePools", 1)),
    (("auto_mode", "built_in_node_pools"), ("computeConfig", "nodePools")),
    (("network", "control_plane_subnet_ids", 2), ("vpcConfig", "subnetIds", 2)),
    (("api_server", "private"), ("vpcConfig", "endpointPublicAccess")),
    (("api_server", "authorized_ip_ranges", 0), ("vpcConfig", "publicAccessCidrs", 0)),
    (("secrets_key",), ("encryptionConfig", "provider", "keyArn")),
    (("tags", "a/b"), ("tags", "a/b")),
    (("overrides", "storage_config", "block_storage", "enabled"), ("storageConfig", "blockStorage", "enabled")),
    (("authentication_mode",), ("accessConfig", "authenticationMode")),
]


@pytest.mark.parametrize(("model", "wire"), PATHS)
def test_paths_go_both_ways(model: tuple[str | int, ...], wire: tuple[str | int, ...]) -> None:
    assert wire_of(CLUSTER, model) == wire
    assert model_of(CLUSTER, wire) == model
    told = tuple({"vpcConfig": "resourcesVpcConfig"}.get(str(step), step) for step in wire)
    if model != ("secrets_key",):
        assert (wire_of(draft.DESCRIBED, model), model_of(draft.DESCRIBED, told)) == (told, model)


ONE_WAY = [
    (("overrides", "compute_config", "node_role_arn"), ("computeConfig", "nodeRoleArn")),
    (("auto_mode",), ("computeConfig", "nodePools")),
    (("network",), ("vpcConfig", "subnetIds")),
    (("api_server",), ("vpcConfig", "endpointPublicAccess")),
    (("oidc_provider",), ()),
]


@pytest.mark.parametrize(("model", "wire"), ONE_WAY)
def test_what_no_argument_has_alone_is_where_it_is_seen(model: tuple[str, ...], wire: tuple[str, ...]) -> None:
    assert wire_of(CLUSTER, model) == wire


def test_fields_have_words_on_the_wire() -> None:
    assert {
        "kubernetes_version": "version",
        "log_types": "enabledClusterLogTypes",
        "private": "endpointPublicAccess",
    }.items() <= CLUSTER.words.items()
    assert {"groups": "kubernetesGroups", "principal": "principalArn"}.items() <= access.ENTRY.words.items()


def test_two_arguments_are_of_the_creation_alone() -> None:
    ignored = [".".join(map(str, way.wire)) for way in CLUSTER.leaves if way.change is not None and way.change.ignored]
    assert ignored == ["bootstrapSelfManagedAddons", "accessConfig.bootstrapClusterCreatorAdminPermissions"]


CHANGES = [
    ("a minor version", {"kubernetes_version": "1.35"}, {"kubernetes_version": "1.36"}, {("kubernetes_version",): Effect.ROLLS}),
    ("a built-in pool less", {}, {"auto_mode": {"built_in_node_pools": ["system"]}}, {("auto_mode", "built_in_node_pools"): Effect.REMOVES_NODES}),
    (
        "no built-in pool",
        {},
        {"auto_mode": {"built_in_node_pools": []}},
        {("auto_mode", "built_in_node_pools"): Effect.REMOVES_NODES, ("node_role",): Effect.REPLACES},
    ),
    ("a private API server", {}, {"api_server": {"private": True}}, {("api_server", "private"): Effect.IN_PLACE}),
    ("a range of services", {}, {"service_cidr": "10.100.0.0/16"}, {("service_cidr",): Effect.REPLACES}),
    ("the default of EKS", {}, {"upgrade_policy": "EXTENDED", "control_plane_tier": "standard", "control_plane_egress": "AWS_MANAGED"}, {}),
    ("a key for secrets", {}, {"secrets_key": "arn:key"}, {("secrets_key",): Effect.REPLACES, (): Effect.REPLACES}),
    (
        "a setting of kube-scheduler",
        {},
        {"control_plane": {"scoring": "MostAllocated"}},
        {("control_plane", "scoring"): Effect.IN_PLACE},
    ),
    ("a field of ours", {}, {"protect": True, "oidc_provider": True}, {}),
]


@pytest.mark.parametrize(("before", "after", "effects"), [row[1:] for row in CHANGES], ids=[row[0] for row in CHANGES])
def test_a_change_has_its_effect(before: Mapping[str, object], after: Mapping[str, object], effects: Mapping[Any, Effect]) -> None:
    one, other = (EksClusterArgs.model_validate({"region": "us-east-1", "kubernetes_version": "1.36", **said}) for said in (before, after))
    found = {change.model: change.effect for change in differences(CLUSTER, sent(one), sent(other), "EksClusterArgs")}
    assert found == effects


def test_the_default_of_eks_is_no_change_from_an_argument_that_is_not_sent() -> None:
    family = {"kubernetesNetworkConfig": {"ipFamily": "ipv4"}, "zonalShiftConfig": {"enabled": False}}
    assert list(differences(CLUSTER, {}, family, "")) == []
    [change] = differences(CLUSTER, family, {"kubernetesNetworkConfig": {"ipFamily": "ipv6"}}, "")
    assert (change.model, change.effect) == (("ip_family",), Effect.REPLACES)


@pytest.mark.parametrize(
    ("table", "wire", "effect"),
    [
        (CLUSTER, ("computeConfig",), Effect.REPLACES),
        (CLUSTER, ("storageConfig",), Effect.REMOVES_NODES),
        (CLUSTER, ("vpcConfig", "securityGroupIds"), Effect.IN_PLACE),
        (CLUSTER, ("kubeSchedulerConfig",), Effect.IN_PLACE),
        (CLUSTER, ("forceUpdateVersion",), Effect.UNKNOWN),
        (access.ENTRY, ("kubernetesGroups",), Effect.IN_PLACE),
        (access.ENTRY, ("principalArn",), Effect.REPLACES),
        (access.POLICY, ("accessScope", "namespaces"), Effect.REPLACES),
        (add_on_tables.ADD_ON, ("addonVersion",), Effect.IN_PLACE),
        (network.INSIDE["Subnet"], ("tags",), Effect.ROLLS_SOME),
        (network.INSIDE["NatGateway"], ("allocationId",), Effect.REPLACES),
    ],
)
def test_the_effect_of_an_argument(table: Table, wire: tuple[str, ...], effect: Effect) -> None:
    assert effect_of(table, wire, "") is effect


UNREAD = [
    (CLUSTER, {"computConfig": {}}, [(("computConfig",), Why.NO_SUCH_FIELD)]),
    (CLUSTER, {"computeConfig": {"nodePool": []}}, [(("computeConfig", "nodePool"), Why.NO_SUCH_FIELD)]),
    (CLUSTER, {"outpostConfig": {"a": 1}}, [(("outpostConfig",), Why.UNMODELED)]),
    (CLUSTER, {"vpcConfig": {"endpointPublicAccess": "yes"}}, [(("vpcConfig", "endpointPublicAccess"), Why.UNREADABLE)]),
    (CLUSTER, {"upgradePolicy": 7}, [(("upgradePolicy",), Why.NO_MAPPING)]),
    (access.ENTRY, {"username": "ada"}, [(("username",), Why.NO_SUCH_FIELD)]),
    (draft.DESCRIBED, {"logging": {"clusterLogging": [{"types": ["api"]}]}}, [(("logging",), Why.UNREADABLE)]),
    (draft.DESCRIBED, {"encryptionConfig": []}, [(("encryptionConfig",), Why.UNREADABLE)]),
    (draft.DESCRIBED, {"vpcConfig": {}}, [(("vpcConfig",), Why.NO_SUCH_FIELD)]),
]


@pytest.mark.parametrize(("table", "written", "left"), UNREAD)
def test_what_is_not_understood_is_listed(table: Table, written: Mapping[str, object], left: object) -> None:
    reading = Reading()
    read(table, written, reading)
    assert [(one.steps, one.why) for one in reading.left] == left


def test_a_network_is_found_by_its_names() -> None:
    assert write(network.VPC, EksNetworkArgs(cidr="10.1.0.0/16")) == {
        "cidrBlock": "10.1.0.0/16",
        "enableDnsHostnames": True,
        "enableDnsSupport": True,
    }


def told(folder: str, file: str) -> Any:
    if not OBSERVED.is_dir():
        pytest.skip("there are no observed clusters here")
    return json.loads((OBSERVED / folder / file).read_text())


CLUSTERS = {
    "eks-shop": {
        "kubernetes_version": "1.33",
        "log_types": [],
        "service_cidr": "172.20.0.0/16",
        "upgrade_policy": "EXTENDED",
        "control_plane_tier": "standard",
        "node_role": "arn:aws:iam::111122223333:role/AmazonEKSAutoNodeRole",
        "auto_mode": {"built_in_node_pools": ["general-purpose", "system"]},
        "api_server": {"private": False, "authorized_ip_ranges": ["0.0.0.0/0"]},
    },
    "eks-data-eu": {
        "kubernetes_version": "1.34",
        "log_types": ["api", "audit"],
        "upgrade_policy": "STANDARD",
        "auto_mode": {"built_in_node_pools": ["system"]},
        "api_server": {"private": True, "authorized_ip_ranges": []},
        "authentication_mode": "API_AND_CONFIG_MAP",
        "security_group_ids": ["sg-73386c23bc78afcd5"],
    },
    "eks-platform-prod": {
        "log_types": ["api", "audit", "authenticator"],
        "deletion_protection": True,
        "control_plane_tier": "tier-xl",
        "auto_mode": {"built_in_node_pools": []},
        "secrets_key": "arn:aws:kms:us-west-2:111122223333:key/0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0",
    },
}


@pytest.mark.parametrize("folder", CLUSTERS)
def test_a_cluster_that_aws_describes_is_read(folder: str) -> None:
    printed = told(folder, "describe-cluster.json")["cluster"]
    reading = Reading()
    found = read(draft.DESCRIBED, printed, reading)
    assert reading.left == []
    assert CLUSTERS[folder].items() <= found.items()
    assert found["network"] == {
        "vpc_id": printed["resourcesVpcConfig"]["vpcId"],
        "control_plane_subnet_ids": printed["resourcesVpcConfig"]["subnetIds"],
    }


@pytest.mark.parametrize("folder", CLUSTERS)
def test_who_has_access_is_read_as_aws_tells_it(folder: str) -> None:
    for number, principal in enumerate(told(folder, "list-access-entries.json")["accessEntries"]):
        entry = read_back(draft.DESCRIBED_ENTRY, AccessEntry, told(folder, f"describe-access-entry-{number}.json")["accessEntry"])
        assert entry.principal == principal
        for printed in told(folder, f"list-associated-access-policies-{number}.json")["associatedAccessPolicies"]:
            policy = read_back(draft.LISTED_POLICY, AccessPolicy, printed)
            assert printed["policyArn"].endswith(f"/{policy.name}")
            assert list(policy.namespaces) == printed["accessScope"]["namespaces"]


def test_nodes_have_the_role_that_the_cluster_names() -> None:
    assert sent(EksClusterArgs(region="us-east-1", kubernetes_version="1.36"))["computeConfig"] == {
        "enabled": True,
        "nodePools": ["general-purpose", "system"],
        "nodeRoleArn": NODES,
    }
    without = write(CLUSTER, EksClusterArgs(region="us-east-1", kubernetes_version="1.36"), cluster.EksClusterContext("shop", ROLE, None, SUBNETS))
    assert without["computeConfig"] == {"enabled": True}
