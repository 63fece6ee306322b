"""An EKS cluster that exists is declared as it is, with its access, its add-ons and what is inside it."""

from collections.abc import Callable
from datetime import date
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from nodepools import ExistingEksNetwork, testing
from nodepools.adoption.adopted import Adopted, adopt, platform_data
from nodepools.adoption.draft import CannotAdoptError
from nodepools.adoption.eks.proof import eks_pairs
from nodepools.adoption.import_file import import_entries, object_entries, python_text
from nodepools.adoption.proof import platform_of
from nodepools.adoption.read_exports import Exports, NotExportError
from nodepools.changes.platform_changes import requests_of
from nodepools.changes.request_changes import request_changes
from nodepools.clouds.eks.existing import ExistingEksCluster
from nodepools.eks import AccessEntry, AccessPolicy, IdentityProvider, LogGroup, NewKey, PodRole
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.model.listing import saved
from nodepools.model.platform import Platform
from nodepools.reading.yaml_documents import documents
from nodepools.wire.table import Effect
from tests.adoption.existing import cluster, pool
from tests.adoption.existing_eks import ACCOUNT, ADMIN, NODES, REGION, SUBNETS, described, entry, listed, node_class, node_pool, policies

OBSERVED = Path(__file__).parents[3] / "shared/data/observed"
DATA_NODES = f"arn:aws:iam::{ACCOUNT}:role/data-nodes"
USER = f"arn:aws:iam::{ACCOUNT}:user/anna"
Files = tuple[dict[str, Any], ...]


def adopted(*written: dict[str, Any]) -> Adopted:
    found = Exports()
    for value in written:
        found.add(value, "shop/export.json")
    [one], wrong = found.clusters()
    assert wrong == []
    return adopt(one, "west", "shop")


def declared(one: Adopted) -> Platform:
    return platform_of(platform_data("west", {"shop": one.declared}))


def whole(*written: dict[str, Any]) -> EksClusterArgs:
    found = declared(adopted(*written)).clusters["shop"]
    assert isinstance(found, EksClusterArgs)
    return found


def add_on(name: str, **others: object) -> dict[str, Any]:
    arn = f"arn:aws:eks:{REGION}:{ACCOUNT}:addon/shop/{name}/1"
    return {"addon": {"addonName": name, "clusterName": "shop", "addonArn": arn, "addonVersion": "v1.0", "tags": {}, "status": "ACTIVE", **others}}


def test_what_applies_at_creation_only_is_no_open_setting() -> None:
    access = {"authenticationMode": "API", "bootstrapClusterCreatorAdminPermissions": True}
    found = adopted(described(accessConfig=access, bootstrapSelfManagedAddons=False))
    assert not [one for one in found.unknown if "ootstrap" in str(one)]


def identity(**others: object) -> dict[str, Any]:
    names = {"clusterName": "shop", "namespace": "web", "serviceAccount": "api", "roleArn": f"arn:aws:iam::{ACCOUNT}:role/api"}
    arn = f"arn:aws:eks:{REGION}:{ACCOUNT}:podidentityassociation/shop/a-1"
    return {"association": {**names, "associationArn": arn, "associationId": "a-1", "tags": {"team": "shop"}, **others}}


def log_group(cluster: str, **others: object) -> dict[str, Any]:
    """`aws logs describe-log-groups`."""
    name = f"/aws/eks/{cluster}/cluster"
    arn = f"arn:aws:logs:{REGION}:{ACCOUNT}:log-group:{name}"
    read_only = {"creationTime": 1, "metricFilterCount": 0, "storedBytes": 9, "logGroupClass": "STANDARD", "logGroupArn": arn, "arn": f"{arn}:*"}
    return {"logGroups": [{"logGroupName": name, **read_only, **others}]}


def of_users(**others: object) -> dict[str, Any]:
    """`aws eks describe-identity-provider-config`."""
    arn = f"arn:aws:eks:{REGION}:{ACCOUNT}:identityproviderconfig/shop/oidc/people/1"
    names = {"identityProviderConfigName": "people", "identityProviderConfigArn": arn, "clusterName": "shop", "status": "ACTIVE"}
    claims = {"issuerUrl": "https://login.example.com", "clientId": "kubernetes", "groupsClaim": "groups", "groupsPrefix": "oidc:"}
    return {"identityProviderConfig": {"oidc": {**names, **claims, "requiredClaims": {}, "tags": {"team": "shop"}, **others}}}


KEY_ID = "1234abcd-12ab-34cd-56ef-1234567890ab"
KEY = f"arn:aws:kms:{REGION}:{ACCOUNT}:key/{KEY_ID}"
ENCRYPTED = described(encryptionConfig=[{"resources": ["secrets"], "provider": {"keyArn": KEY}}])


def key(**others: object) -> dict[str, Any]:
    """`aws kms describe-key`."""
    made = {"AWSAccountId": ACCOUNT, "KeyId": KEY_ID, "Arn": KEY, "CreationDate": "2026-11-01T10:00:00Z", "Enabled": True, "KeyState": "Enabled"}
    of_kind = {"KeyUsage": "ENCRYPT_DECRYPT", "Origin": "AWS_KMS", "KeyManager": "CUSTOMER", "KeySpec": "SYMMETRIC_DEFAULT", "MultiRegion": False}
    described = {"Description": "Secrets of the EKS cluster shop", "CustomerMasterKeySpec": "SYMMETRIC_DEFAULT"}
    return {"KeyMetadata": {**made, **of_kind, **described, "EncryptionAlgorithms": ["SYMMETRIC_DEFAULT"], **others}}


def rotation(days: int = 180, *, on: bool = True) -> dict[str, Any]:
    """`aws kms get-key-rotation-status`."""
    return {"KeyId": KEY_ID, "KeyRotationEnabled": on, "RotationPeriodInDays": days, "NextRotationDate": "2027-05-01T10:00:00Z"}


ASSOCIATION = f"arn:aws:eks:{REGION}:{ACCOUNT}:podidentityassociation/shop/a-1"
VELERO = f"arn:aws:eks:{REGION}:{ACCOUNT}:addon/shop/velero/1"
ADMIN_FILES = (entry(ADMIN), policies(ADMIN, "AmazonEKSClusterAdminPolicy"))
NODE_FILES = (
    entry(DATA_NODES, type="EC2", username="system:node:{{EC2PrivateDNSName}}", kubernetesGroups=["system:nodes"]),
    policies(DATA_NODES, "AmazonEKSAutoNodePolicy"),
)
OF_HELM = {"name": "nvme", "labels": {"app.kubernetes.io/managed-by": "Helm"}}
OUTPOST = {"controlPlaneInstanceType": "m5.large"}
CLUSTERS: dict[str, tuple[Files, Callable[[EksClusterArgs], object], object]] = {
    "names, version and region stay": ((described(),), lambda it: (it.name, it.kubernetes_version, it.region), ("shop", "1.34", REGION)),
    "the VPC and its subnets are an existing network": (
        (described(),),
        lambda it: it.network,
        ExistingEksNetwork(vpc_id="vpc-1", private_subnet_ids=SUBNETS),
    ),
    "the range of the VPC is that of `aws ec2 describe-vpcs`": (
        (described(), {"Vpcs": [{"VpcId": "vpc-1", "CidrBlock": "10.1.0.0/16"}]}),
        lambda it: it.network.cidr,
        "10.1.0.0/16",
    ),
    "nodes are in the subnets of the NodeClass `default`": (
        (described(), node_class("default", subnetSelectorTerms=[{"id": "subnet-c"}])),
        lambda it: it.network,
        ExistingEksNetwork(vpc_id="vpc-1", private_subnet_ids=["subnet-c"], control_plane_subnet_ids=SUBNETS),
    ),
    "roles are existing ones": ((described(),), lambda it: (it.cluster_role, it.node_role), (f"arn:aws:iam::{ACCOUNT}:role/cluster", NODES)),
    "built-in NodePools": ((described(),), lambda it: it.auto_mode.built_in_node_pools, ("system",)),
    "logs that are off stay off": ((described(),), lambda it: it.log_types, ("api",)),
    "no objects are added": ((described(),), lambda it: (it.objects.storage_class, it.objects.ingress_class), (None, None)),
    "tags of AWS are not declared": ((described(),), lambda it: it.tags, {"team": "shop"}),
    "tags that an access entry lacks are those of the cluster alone": (
        (described(), *ADMIN_FILES),
        lambda it: (it.tags, it.overrides),
        ({}, {"tags": {"team": "shop"}}),
    ),
    "a cluster admin": ((described(), *ADMIN_FILES), lambda it: (it.admins, it.access_entries), ((ADMIN,), {})),
    "a user as admin": (
        (described(), entry(USER, username=USER), policies(USER, "AmazonEKSClusterAdminPolicy")),
        lambda it: it.admins,
        (USER,),
    ),
    "an access entry with groups and namespaces": (
        (described(), entry(ADMIN, kubernetesGroups=["ops"]), policies(ADMIN, "AmazonEKSEditPolicy", namespaces=("web",))),
        lambda it: it.access_entries,
        {"admins": AccessEntry(principal=ADMIN, groups=["ops"], policies=[AccessPolicy("AmazonEKSEditPolicy", namespaces=["web"])])},
    ),
    "an access entry with a user name of its own": (
        (described(), entry(ADMIN, username="ops"), policies(ADMIN)),
        lambda it: it.access_entries["admins"].user_name,
        "ops",
    ),
    "entries with one last name have keys of their own": (
        (described(), entry(ADMIN), policies(ADMIN), entry(ADMIN.replace("admins", "b/admins")), policies(ADMIN.replace("admins", "b/admins"))),
        lambda it: len(it.access_entries),
        2,
    ),
    "the role of a NodeClass has no entry of its own": (
        (described(), node_class("nvme"), *NODE_FILES),
        lambda it: (it.node_classes["nvme"].name, it.node_classes["nvme"].role, it.access_entries),
        ("nvme", "data-nodes", {}),
    ),
    "the role of nodes without a NodeClass": ((described(), *NODE_FILES), lambda it: it.access_entries["data-nodes"].type, "EC2"),
    "a NodePool keeps its name, without our label": (
        (described(), listed(node_pool("web", limits={"cpu": 64}))),
        lambda it: (it.node_pools["web"].labeled, it.node_pools["web"].limits, it.node_pools["web"].disruption.budgets),
        (False, {"cpu": "64"}, None),
    ),
    "a NodePool on a NodeClass of another tool": (
        (
            described(),
            node_pool("web", "nvme"),
            {**node_class("nvme"), "metadata": {"name": "nvme", "labels": {"app.kubernetes.io/managed-by": "Helm"}}},
        ),
        lambda it: (it.node_pools["web"].node_class, it.auto_mode.existing_node_classes, it.node_classes),
        ("nvme", ("nvme",), {}),
    ),
    "network policies stay as they are": (
        (described(), node_class("strict", networkPolicy="DefaultDeny"), *NODE_FILES),
        lambda it: it.objects.network_policies,
        False,
    ),
    "an add-on": (
        (described(), add_on("velero", configurationValues='{"replicas": 2}')),
        lambda it: (it.add_ons["velero"].version, it.add_ons["velero"].configuration),
        ("v1.0", {"replicas": 2}),
    ),
    "an add-on without configuration": ((described(), add_on("velero", configurationValues="{}")), lambda it: it.add_ons["velero"].configuration, {}),
    "a pod identity": ((described(), identity()), lambda it: it.pod_identities["web-api"].role, f"arn:aws:iam::{ACCOUNT}:role/api"),
    "an add-on with a namespace and the roles of its pods": (
        (described(), add_on("velero", namespaceConfig={"namespace": "backup"}, podIdentityAssociations=[ASSOCIATION]), identity(ownerArn=VELERO)),
        lambda it: (it.add_ons["velero"].namespace, it.add_ons["velero"].pod_identity, it.pod_identities),
        ("backup", {"api": PodRole(role=f"arn:aws:iam::{ACCOUNT}:role/api")}, {}),
    ),
    "an IPv6 cluster": (
        (described(kubernetesNetworkConfig={"serviceIpv6Cidr": "fd00::/108", "ipFamily": "ipv6", "elasticLoadBalancing": {"enabled": True}}),),
        lambda it: (it.ip_family, it.service_cidr),
        ("IPv6", None),
    ),
    "packed pods": (
        (described(kubeSchedulerConfig={"nodeResourcesFit": {"scoringStrategy": {"type": "MostAllocated"}}}),),
        lambda it: it.control_plane.scoring,
        "MostAllocated",
    ),
    "zonal shift": ((described(zonalShiftConfig={"enabled": True}),), lambda it: it.zonal_shift, True),
    "the log group is left alone": ((described(),), lambda it: it.logs, LogGroup(existing=True)),
    "the log group of other clusters too": ((described(), log_group("other")), lambda it: it.logs, LogGroup(existing=True)),
    "an exported log group is declared": (
        (described(), log_group("shop", retentionInDays=30, kmsKeyId="arn:aws:kms:eu-west-1:1:key/a")),
        lambda it: it.logs,
        LogGroup(retention_days=30, kms_key="arn:aws:kms:eu-west-1:1:key/a"),
    ),
    "a log group that keeps everything": ((described(), log_group("shop")), lambda it: it.logs, LogGroup(retention_days=0)),
    "a private cluster": (
        (described(resourcesVpcConfig={**described()["cluster"]["resourcesVpcConfig"], "endpointPublicAccess": False, "publicAccessCidrs": []}),),
        lambda it: it.api_server.private,
        True,
    ),
    "a key that encrypts secrets": (
        (described(encryptionConfig=[{"resources": ["secrets"], "provider": {"keyArn": "arn:aws:kms:eu-west-1:1:key/a"}}]),),
        lambda it: it.secrets_key,
        "arn:aws:kms:eu-west-1:1:key/a",
    ),
    "a key of its own is one that is created": (
        (ENCRYPTED, key(), rotation()),
        lambda it: (it.secrets_key, it.new_secrets_key),
        (None, NewKey(rotation_days=180)),
    ),
    "a key of its own with AWS's own rotation": ((ENCRYPTED, key(), rotation(365)), lambda it: it.new_secrets_key, NewKey()),
    "a key that is not exported stays outside": ((ENCRYPTED,), lambda it: (it.secrets_key, it.new_secrets_key), (KEY, None)),
    "an identity provider of users": (
        (described(), of_users(requiredClaims={"tenant": "shop"})),
        lambda it: (it.identity_provider, it.tags),
        (
            IdentityProvider(
                name="people",
                issuer_url="https://login.example.com",
                client_id="kubernetes",
                groups_claim="groups",
                groups_prefix="oidc:",
                required_claims={"tenant": "shop"},
            ),
            {"team": "shop"},
        ),
    ),
    "an argument without a field is an override": (
        (described(outpostConfig=OUTPOST),),
        lambda it: it.overrides,
        {"outpost_config": {"control_plane_instance_type": "m5.large"}},
    ),
}


@pytest.mark.parametrize("title", CLUSTERS)
def test_a_cluster_is_declared_as_it_is(title: str) -> None:
    written, ask, expected = CLUSTERS[title]
    assert ask(whole(*written)) == expected


@pytest.mark.parametrize("title", CLUSTERS)
def test_the_declaration_changes_nothing_without_a_reason(title: str) -> None:
    one = adopted(*CLUSTERS[title][0])
    assert [difference for difference in one.differences if not difference.reason] == []
    assert not one.changes
    assert one.rejected == ()


def test_an_argument_that_overrides_have_is_declared() -> None:
    assert adopted(described(outpostConfig=OUTPOST)).unreadable == ()


def test_an_argument_that_the_provider_does_not_have_is_no_override() -> None:
    one = adopted(described(outpostConfig={**OUTPOST, "profile": "a"}))
    [cluster] = declared(one).clusters.values()
    assert cluster.overrides == {"outpost_config": {"control_plane_instance_type": "m5.large"}}
    assert [path[-3:] for path in one.rejected] == [("overrides", "outpost_config", "profile")]


@pytest.mark.parametrize("title", CLUSTERS)
def test_what_is_imported_is_registered(title: str) -> None:
    """The program registers each resource of the import file, under that name, and no other resource of AWS that has no policy or role."""
    one = adopted(*CLUSTERS[title][0])
    platform = declared(one)
    registered = {(node.type, node.name) for node in testing.run(platform).all()}
    entries = [*import_entries("west", one), *object_entries("west", one)]
    imported = {(str(entry["type"]), str(entry.get("logicalName", entry["name"]))) for entry in entries}
    assert imported <= registered
    assert {name for name in registered - imported if not name[0].startswith("pulumi:")} == set()


OUTSIDE: dict[str, tuple[Files, dict[str, str]]] = {
    "built-in objects": (
        (listed(node_pool("system"), node_class("default")),),
        {"NodePool system": "Auto Mode created it and manages it", "NodeClass default": "Auto Mode created it and manages it"},
    ),
    "the entry of the built-in NodePools": (
        (entry(NODES, type="EC2"), policies(NODES, "AmazonEKSAutoNodePolicy")),
        {f"access entry {NODES}": "EKS created it for the built-in NodePools"},
    ),
    "objects of Helm": (
        ({**node_pool("web"), "metadata": {"name": "web", "annotations": {"meta.helm.sh/release-name": "web"}}},),
        {"NodePool web": "Helm manages it"},
    ),
    "an object that is being deleted": (
        ({**node_pool("web"), "metadata": {"name": "web", "deletionTimestamp": "2026-11-28T10:00:00Z"}},),
        {"NodePool web": "it is being deleted: export again when it is gone"},
    ),
    "a pod identity of an add-on that is not exported": (
        (identity(ownerArn="arn:aws:eks:addon"),),
        {"pod identity a-1": "the add-on arn:aws:eks:addon manages it"},
    ),
    "an add-on whose configuration can contain a secret": (
        (add_on("agent", configurationValues='{"auth": {"apiKey": "hunter2"}}'),),
        {"add-on agent": "its configuration can contain a secret, which is not written: declare the configuration with `Secret`"},
    ),
    "a key without rotation": (
        (ENCRYPTED, key(), rotation(on=False)),
        {f"KMS key {KEY}": "the declaration has its ARN, and does not manage it, because `KeyRotationEnabled` is `False`"},
    ),
    "nodes outside Auto Mode": (
        (entry(DATA_NODES, type="EC2_LINUX"),),  # EKS associates no policies with it
        {f"access entry {DATA_NODES}": "it is for nodes outside Auto Mode (type `EC2_LINUX`), which are not adopted"},
    ),
}


@pytest.mark.parametrize("title", OUTSIDE)
def test_what_others_own_stays_outside(title: str) -> None:
    written, expected = OUTSIDE[title]
    one = adopted(*(written if "cluster" in written[0] else (described(), *written)))
    assert one.outside.items() >= expected.items()
    assert "hunter2" not in python_text(declared(one), "Shop")


def test_a_key_of_its_own_names_what_the_state_lacks() -> None:
    one = adopted(ENCRYPTED, key(Description="by hand"), rotation())
    assert {difference.path for difference in one.differences} == {("description",), ("deletion_window_in_days",), ("tags",)}
    assert (one.changes, [item.import_id for item in one.compared]) == (False, [KEY_ID, "shop"])


@pytest.mark.parametrize(
    ("half", "command"), [(key(), "get-key-rotation-status"), (rotation(), "describe-key")], ids=["without rotation", "without the key"]
)
def test_a_half_of_a_key_is_named(half: dict[str, Any], command: str) -> None:
    found = Exports()
    for value in (ENCRYPTED, half):
        found.add(value, "shop/export.json")
    _, [wrong] = found.clusters()
    assert wrong == f"shop/export.json: not all of the KMS key `{KEY_ID}` is in the files. {saved(f'`aws kms {command}`')}"


def drifted(*written: dict[str, Any], **fields: object) -> dict[str, list[str]]:
    """What differs in the clouds from a declaration with these fields, by resource."""
    one = adopted(ENCRYPTED, key(), rotation(), of_users())
    platform = platform_of(platform_data("west", {"shop": {**one.declared, **fields}}))
    exported = adopted(*written).existing
    assert isinstance(exported, ExistingEksCluster)
    pairs = eks_pairs(requests_of(platform).of_cluster("shop"), exported)
    assert not pairs.not_exported
    every = [change for old, new in pairs.both for change in request_changes(old, new, date(2026, 11, 30)) if change.effect is not Effect.IGNORED]
    found = {str(new.resource): [change.path for change in every if change.resource == new.resource] for _, new in pairs.both}
    return {**{name: paths for name, paths in found.items() if paths}, **{str(request.resource): ["absent"] for request in pairs.absent}}


def test_a_key_and_a_provider_drift_as_other_resources_do() -> None:
    assert drifted(ENCRYPTED, key(), rotation(), of_users()) == {}
    assert drifted(ENCRYPTED, key(), rotation(90), of_users(clientId="other")) == {
        "Key/west-shop-secrets-key": ["clusters.shop.new_secrets_key.rotation_days"],
        "IdentityProviderConfig/west-shop-identity-provider": ["clusters.shop.identity_provider.client_id"],
    }
    assert drifted(ENCRYPTED, key(), rotation(), of_users(identityProviderConfigName="others")) == {
        "IdentityProviderConfig/west-shop-identity-provider": ["absent"]
    }


def test_a_key_of_another_cluster_is_ignored() -> None:
    assert adopted(described(), key(), rotation()).existing.key is None  # type: ignore[union-attr]  # of EKS


@pytest.mark.parametrize("value", [{"KeyMetadata": {}}, {"identityProviderConfig": {"oidc": 5}}], ids=["a key", "a provider"])
def test_an_export_without_a_name_cannot_be_read(value: dict[str, Any]) -> None:
    with pytest.raises(NotExportError, match="has no"):
        Exports().add(value, "shop/export.json")


def test_a_listed_provider_that_no_file_describes_is_named() -> None:
    found = Exports()
    for value in (described(), {"identityProviderConfigs": [{"type": "oidc", "name": "people"}]}):
        found.add(value, "shop/export.json")
    _, [wrong] = found.clusters()
    assert "`people` of the cluster `shop` is in no file" in wrong
    assert saved("`aws eks describe-identity-provider-config`") in wrong


def test_an_entry_with_tags_of_its_own_names_the_difference() -> None:
    one = adopted(described(), entry(ADMIN, tags={"owner": "ops"}), policies(ADMIN, "AmazonEKSClusterAdminPolicy"))
    [difference] = one.differences
    assert (difference.path, difference.existing, difference.reason) == (
        ("tags",),
        {"owner": "ops"},
        "tags become those that the field `tags` of the cluster declares, in place (without `owner`)",
    )
    assert not one.changes


def test_a_role_without_an_access_entry_would_get_one() -> None:
    assert [one.request.resource.type for one in adopted(described(), node_class("nvme")).compared if one.import_id is None] == [
        "aws:eks/accessEntry:AccessEntry",
        "aws:eks/accessPolicyAssociation:AccessPolicyAssociation",
    ]


def test_a_cluster_without_auto_mode_is_not_declared() -> None:
    with pytest.raises(CannotAdoptError, match="does not use Auto Mode"):
        adopted(described(computeConfig={"enabled": False}))


@pytest.mark.parametrize(
    "files",
    [
        (described(computeConfig=5),),
        (described(resourcesVpcConfig={"subnetIds": 5}),),
        (described(encryptionConfig=["x"]),),
        (described(logging={"clusterLogging": [5]}),),
        (described(), node_pool("web", [1])),  # type: ignore[arg-type]
    ],
    ids=["a mapping", "a list", "a list of mappings", "mappings in a list", "text"],
)
def test_a_value_of_another_type_is_named(files: Files) -> None:
    with pytest.raises(CannotAdoptError, match="cannot be"):
        adopted(*files)


def test_ids_are_those_that_pulumi_imports() -> None:
    files = (ENCRYPTED, key(), rotation(), *ADMIN_FILES, add_on("velero"), identity(), of_users(), node_pool("web"))
    one = adopted(*files)
    admin, policy = f"shop:{ADMIN}", f"shop#{ADMIN}#arn:aws:eks::aws:cluster-access-policy/AmazonEKSClusterAdminPolicy"
    entries = list(import_entries("west", one))
    assert [entry.get("id") for entry in entries] == [None, KEY_ID, "shop", admin, policy, "shop,a-1", "shop:people", "shop:velero"]
    named = [entry["name"] for entry in entries if entry.get("id") in (KEY_ID, "shop:people")]
    assert named == ["west-shop-secrets-key", "west-shop-identity-provider"]
    assert {entry["parent"] for entry in entries[1:]} == {"west-shop"}
    provider, web = object_entries("west", one)
    assert "aws" in str(provider["inputs"])
    assert web == {
        "type": "kubernetes:karpenter.sh/v1:NodePool",
        "name": "west-shop-web",
        "id": "web",
        "parent": "west-shop",
        "provider": "west-shop-kubernetes",
        "version": version("pulumi-kubernetes"),
    }


def test_node_auto_provisioning_of_aks_is_declared_with_its_pools() -> None:
    reference = {"group": "karpenter.azure.com", "kind": "AKSNodeClass", "name": "zone2"}
    index = node_pool("index")
    index["spec"]["template"]["spec"]["nodeClassRef"] = reference
    zone = {"apiVersion": "karpenter.azure.com/v1beta1", "kind": "AKSNodeClass", "metadata": {"name": "zone2"}, "spec": {"osDiskSizeGB": 256}}
    one = adopted(cluster(nodeProvisioningProfile={"mode": "Auto"}), pool("agentpool", "System"), listed(index, zone))
    found = declared(one).clusters["shop"]
    assert isinstance(found, AksClusterArgs)
    assert found.node_provisioning is not None
    assert found.node_provisioning.node_classes["zone2"].os_disk_size_gb == 256
    assert found.node_provisioning.node_pools["index"].node_class == "zone2"
    assert not one.changes


@pytest.mark.parametrize("folder", ["eks-shop", "eks-data-eu", "eks-platform-prod", "aks-search"])
def test_an_observed_cluster_changes_nothing_without_a_reason(folder: str) -> None:
    if not OBSERVED.is_dir():
        pytest.skip("there are no observed clusters here")
    files = sorted((OBSERVED / folder).glob("*.*"))
    found = Exports()
    for file in files:
        for document in documents(file.read_text(), str(file)):
            found.add(document.value, str(file))
    [one], wrong = found.clusters()
    result = adopt(one, "west", "shop")
    assert (wrong, result.changes, result.rejected) == ([], False, ())
