"""Values that a cloud certainly rejects, each kind with its relatives, next to those that it accepts."""

from collections.abc import Callable

import pytest

from nodepools import AksClusterArgs, AksNodePool, EksNodePool, ExistingEksNetwork, Platform, Requirement, StackOutput, UserPool
from nodepools.aks import (
    AzureRole,
    Dates,
    EtcdKey,
    HttpProxy,
    KeyVaultProvider,
    Machines,
    MaintenanceWindow,
    WeeklySchedule,
    WindowsProfile,
    WorkloadIdentity,
)
from nodepools.eks import AccessEntry
from nodepools.model.base import Model
from nodepools.rules.engine.runner import check
from nodepools.rules.engine.samples import SIZE, aks, eks, platform, provisioning
from tests.rules.conftest import DAY

CODES = frozenset(
    {
        *("AKS237", "AKS351", "AKS352", "AKS353", "AKS354", "AKS355", "AKS356", "AKS357", "NAP009", "NAP037", "NAP060", "NAP070", "KAR040", "KAR043"),
        *("EKS008", "EKS068", "EKS083", "EKS084", "EKS132", "EKS147", "EKS178", "EKS179", "EKS190", "EKS191", "EKS192", "EKS193", "EKS194"),
    }
)
ROLE_ARN, OTHER = "arn:aws:iam::111122223333:role/team/web", "arn:aws:iam::444455556666:role/web"
USER, GROUP, BOUNDARY = (f"arn:aws:iam::111122223333:{one}" for one in ("user/ada", "group/devs", "policy/limit"))
KMS = "arn:aws:kms:us-east-1:111122223333:key/1234abcd"
OWN = {"id": "111122223333"}
ZONE, REGION, ARCH, CAPACITY, SYSTEM = (
    "topology.kubernetes.io/zone",
    "topology.kubernetes.io/region",
    "kubernetes.io/arch",
    "karpenter.sh/capacity-type",
    "kubernetes.io/os",
)
VAULT = "/subscriptions/s/resourceGroups/g/providers/Microsoft.KeyVault/vaults/own"
KEY = "https://OWN.vault.azure.net/keys/etcd/0123456789abcdef"
OUTPUT = StackOutput("org/a/b", "id")
GUID = "9999999a-9999-9999-9999-999999999999"
REGISTRY = "/subscriptions/s/resourceGroups/g/providers/Microsoft.ContainerRegistry/registries/own"
MESH = {"revisions": ["asm-1-30"], "certificate_authority": {"vault_id": VAULT, "root": "a", "intermediate": "b", "key": "c", "chain": "d"}}
ROLE = AzureRole("Reader", VAULT)


def told(declared: Model) -> list[str]:
    return [f"{found.code} {found.path}" for found in check(declared, today=DAY) if found.code in CODES]


def entry(principal: str = ROLE_ARN, **fields: object) -> AccessEntry:
    return AccessEntry.model_validate({"principal": principal, **fields})


def selected(*requirements: tuple[str, str, list[str]], **fields: object) -> dict[str, object]:
    return {
        "requirements": [Requirement.model_validate(dict(zip(("key", "operator", "values"), one, strict=True))) for one in requirements],
        **fields,
    }


def nap(*requirements: tuple[str, str, list[str]], **fields: object) -> AksClusterArgs:
    return provisioning({"web": AksNodePool.model_validate(selected(*requirements, **fields))})


def auto(*requirements: tuple[str, str, list[str]], **fields: object) -> EksNodePool:
    return EksNodePool.model_validate(selected(*requirements, **fields))


def of_one_subscription(**fields: object) -> Platform:
    return platform(weu=aks(resource_group="shop"), neu=aks(network={"cidr": "10.60.0.0/16"}, **fields))


@pytest.mark.parametrize(
    ("declared", "expected"),
    [
        pytest.param(WindowsProfile(admin_username="Administrator"), ["AKS352 admin_username"], id="a usual name in another case"),
        pytest.param(WindowsProfile(admin_username="azureuser"), [], id="the default name"),
        pytest.param(WindowsProfile(admin_password="P@$$w0rd"), ["AKS352 admin_password"], id="a usual password"),  # noqa: S106  # rejected
        pytest.param(aks(admins=[{"object_id": GUID}, {"object_id": GUID.upper()}]), ["AKS351 admins[1]"], id="an admin twice"),
        pytest.param(aks(registries=[REGISTRY, REGISTRY.upper()]), ["AKS351 registries[1]"], id="a registry twice"),
        pytest.param(KeyVaultProvider(vaults=[VAULT, f"{VAULT}2", VAULT]), ["AKS351 vaults[2]"], id="a vault twice"),
        pytest.param(WorkloadIdentity("shop", "web", roles=[ROLE, AzureRole("Reader", f"{VAULT}2"), ROLE]), ["AKS351 roles[2]"], id="a role twice"),
        pytest.param(
            aks(registries=[{"stack": "org/a/b", "output": "id"}, {"stack": "org/a/b", "output": "id"}]), [], id="outputs, whose values are not known"
        ),
        pytest.param(
            aks(network_profile={"dataplane": "azure", "advanced": {"observability": True, "policies": "None"}}),
            [],
            id="observability without Cilium",
        ),
        pytest.param(
            aks(network_profile={"advanced": {"security": True, "policies": "L7", "encryption": "WireGuard"}}), [], id="security with Cilium"
        ),
        pytest.param(
            aks(
                network_profile={
                    "dataplane": "azure",
                    "advanced": {"security": False, "policies": "L7", "encryption": "WireGuard", "acceleration": "BpfVeth"},
                }
            ),
            [
                "AKS353 network_profile.advanced.policies",
                "AKS353 network_profile.advanced.encryption",
                "AKS353 network_profile.advanced.acceleration",
            ],
            id="values that need Cilium",
        ),
        pytest.param(HttpProxy(http="proxy:3128", https="proxy:3128"), ["AKS354 http", "AKS354 https"], id="no scheme"),
        pytest.param(HttpProxy(http="HTTP://proxy:3128", https="https://proxy:3128"), [], id="the scheme of each"),
        pytest.param(HttpProxy(https="http://proxy:3128"), [], id="both schemes for HTTPS"),
        pytest.param(aks(istio=MESH), ["AKS355 istio.certificate_authority"], id="a mesh authority without the provider"),
        pytest.param(aks(istio=MESH, key_vault_provider={"enabled": False}), ["AKS355 istio.certificate_authority"], id="with the provider off"),
        pytest.param(aks(istio=MESH, key_vault_provider={}), [], id="with the provider"),
        pytest.param(UserPool(vm_size=SIZE, kubelet_disk_type="Temporary"), [], id="a temporary disk"),
        pytest.param(
            UserPool(vm_size=SIZE, machines=[Machines("Standard_D8s_v5")], kubelet_disk_type="Temporary"),
            ["AKS356 kubelet_disk_type"],
            id="no temporary disk on one of the sizes",
        ),
        pytest.param(UserPool(vm_size="Standard_D4s_v5", kubelet_disk_type="OS"), [], id="the OS disk"),
        pytest.param(EtcdKey(KEY, vault_id=VAULT), [], id="the vault of the key"),
        pytest.param(EtcdKey(KEY, vault_id=f"{VAULT}2"), ["AKS357 vault_id"], id="another vault"),
        pytest.param(EtcdKey(KEY), [], id="a key alone"),
        pytest.param(EtcdKey(StackOutput("org/a/b", "key"), vault_id=VAULT), [], id="a key that is not known"),
        pytest.param(of_one_subscription(node_resource_group="SHOP"), ["AKS237 clusters.neu.node_resource_group"], id="the group of another cluster"),
        pytest.param(
            platform(weu=aks(node_resource_group="dev-weu")), ["AKS237 clusters.weu.node_resource_group"], id="the group that is created for it"
        ),
        pytest.param(of_one_subscription(node_resource_group="shop-nodes"), [], id="a group of its own"),
        pytest.param(of_one_subscription(node_resource_group="shop", subscription_id=GUID), [], id="the same name in another subscription"),
    ],
)
def test_a_value_that_a_cloud_rejects_is_told(declared: Model, expected: list[str]) -> None:
    assert told(declared) == expected


@pytest.mark.parametrize(
    ("declared", "expected"),
    [
        pytest.param(eks(cluster_role=ROLE_ARN, node_role=ROLE_ARN, permissions_boundary=BOUNDARY, secrets_key=KMS), [], id="each of its kind"),
        pytest.param(
            eks(cluster_role=USER, node_role=BOUNDARY, permissions_boundary=ROLE_ARN, secrets_key=ROLE_ARN),
            ["EKS191 cluster_role", "EKS191 node_role", "EKS191 permissions_boundary", "EKS191 secrets_key"],
            id="each of another kind",
        ),
        pytest.param(eks(admins=[ROLE_ARN, USER, GROUP]), ["EKS191 admins[2]"], id="a group as admin"),
        pytest.param(eks(admins=["arn:aws:iam::111122223333:root"]), [], id="the account"),
        pytest.param(eks(access_entries={"a": entry(GROUP)}), ["EKS191 access_entries.a.principal"], id="the entry of a group"),
        pytest.param(eks(access_entries={"a": entry(USER, type="EC2_LINUX")}), ["EKS191 access_entries.a.principal"], id="a user as node"),
        pytest.param(eks(account=OWN, cluster_role=OTHER), ["EKS191 cluster_role"], id="the role of another account"),
        pytest.param(eks(account=OWN, permissions_boundary="arn:aws:iam::aws:policy/PowerUserAccess"), [], id="a policy of AWS as boundary"),
        pytest.param(
            eks(
                account=OWN, pod_identities={"a": {"namespace": "a", "service_account": "b", "role": ROLE_ARN, "target_role": OTHER}}, admins=[OTHER]
            ),
            [],
            id="what can be in another account",
        ),
        pytest.param(
            eks(pod_identities={"a": {"namespace": "a", "service_account": "b", "role": USER}}), ["EKS191 pod_identities.a.role"], id="pods of a user"
        ),
        pytest.param(eks(security_group_ids=[f"sg-{number}" for number in range(6)]), ["EKS132 security_group_ids"], id="six security groups"),
        pytest.param(
            eks(network=ExistingEksNetwork(vpc_id="shop", private_subnet_ids=["subnet-1", "b"], control_plane_subnet_ids=["c", "subnet-2"])),
            ["EKS132 network.vpc_id", "EKS132 network.private_subnet_ids[1]", "EKS132 network.control_plane_subnet_ids[0]"],
            id="names of a network",
        ),
        pytest.param(
            eks(network=ExistingEksNetwork(vpc_id="vpc-1", private_subnet_ids=["subnet-1", "subnet-1"])),
            ["EKS008 network.private_subnet_ids"],
            id="one subnet twice",
        ),
        pytest.param(eks(network=ExistingEksNetwork(vpc_id=OUTPUT, private_subnet_ids=[OUTPUT, OUTPUT])), [], id="a network whose ids are not known"),
        pytest.param(
            eks(network={"endpoints": ["com.amazonaws.us-west-2.sts", "s3", "com.amazonaws.us-east-1.s3", "com.amazonaws.us-east-1.ecr.api"]}),
            ["EKS192 network.endpoints[0]", "EKS192 network.endpoints[2]"],
            id="endpoints",
        ),
        pytest.param(
            eks(region="eu-west-1", network={"zones": ["euw1-az1", "euw1-az4"]}), ["EKS194 network.zones[1]"], id="the fourth of three zones"
        ),
        pytest.param(eks(region="ca-central-1", network={"zones": ["ca-central-1a", "ca-central-1d"]}), [], id="a letter that is left over"),
        pytest.param(
            eks(cluster_policies=["arn:aws:iam::aws:policy/AmazonEKSClusterPolicy"], node_policies=["A", "arn:aws:iam::aws:policy/A"]),
            ["EKS147 cluster_policies[0]", "EKS147 node_policies[1]"],
            id="a policy by its name and by its ARN",
        ),
        pytest.param(eks(tags={"Environment": "dev", "environment": "dev"}), ["EKS190 tags.environment"], id="a key in two cases"),
        pytest.param(eks(tags={"Environment": "dev", "environment": "dev"}, cluster_role=ROLE_ARN), [], id="without a new role"),
        pytest.param(
            eks(tags={"team (web)": "a", "owner": "b; c", "Größe": "1.5 m²"}), ['EKS190 tags["team (web)"]', "EKS190 tags.owner"], id="characters"
        ),
        pytest.param(platform(weu=aks(), use1=eks()), [], id="the tags of a platform"),
        pytest.param(Platform.model_validate({**platform(use1=eks()).model_dump(), "tags": {"a": "b#c"}}), ["EKS190 tags.a"], id="its own tags"),
        pytest.param(Platform.model_validate({**platform(weu=aks()).model_dump(), "tags": {"a": "b#c"}}), [], id="tags of a platform in Azure"),
        pytest.param(entry(type="EC2_LINUX", policies=[{"name": "AmazonEKSViewPolicy"}]), ["EKS083 policies"], id="policies of nodes"),
        pytest.param(entry(type="EC2_LINUX", policies=[{"name": "AmazonEKSAutoNodePolicy"}]), ["EKS084 type"], id="the policy of other nodes"),
        pytest.param(entry(policies=[{"name": "AmazonEKSVeiwPolicy"}]), ["EKS193 policies[0].name"], id="a misspelt access policy"),
        pytest.param(entry(policies=[{"name": "AmazonSagemakerHyperpodClusterPolicy"}]), [], id="an access policy of SageMaker"),
        pytest.param(
            eks(add_ons={"metrics-server": {"version": "0.7.2"}}), ["EKS178 add_ons.metrics-server.version"], id="a version without its form"
        ),
        pytest.param(eks(add_ons={"metrics-server": {"version": "v0.7.2-eksbuild.1"}}), [], id="a version in its form"),
        pytest.param(
            auto(("eks.amazonaws.com/instance-gpu-count", "In", ["8"]), limits={"nvidia.com/gpu": 4}),
            ['EKS068 limits["nvidia.com/gpu"]'],
            id="fewer GPUs than a node has",
        ),
        pytest.param(auto(("eks.amazonaws.com/instance-gpu-count", "In", ["8"]), limits={"nvidia.com/gpu": 8}), [], id="the GPUs of one node"),
        pytest.param(auto(limits={"nvidia.com/gpu": 1}), [], id="a limit on GPUs in a pool of any type"),
        pytest.param(auto((ARCH, "NotIn", ["amd64"]), (ARCH, "NotIn", ["arm64"])), ["KAR043 requirements[0]"], id="no architecture is left"),
        pytest.param(auto((ARCH, "DoesNotExist", [])), ["KAR043 requirements[0]"], id="no architecture"),
        pytest.param(auto((ARCH, "NotIn", ["arm64"]), (CAPACITY, "NotIn", ["spot"])), [], id="some are left"),
        pytest.param(
            auto(labels={ARCH: "x86_64", CAPACITY: "Spot", SYSTEM: "windows"}),
            [f'KAR043 labels["{ARCH}"]', f'KAR043 labels["{CAPACITY}"]', f'KAR043 labels["{SYSTEM}"]'],
            id="labels that no node has",
        ),
        pytest.param(auto(labels={"beta.kubernetes.io/arch": "x86"}), ['KAR043 labels["beta.kubernetes.io/arch"]'], id="a deprecated label"),
        pytest.param(auto((ARCH, "In", ["amd64"]), labels={ARCH: "arm64"}), [f'KAR040 labels["{ARCH}"]'], id="a contradiction"),
        pytest.param(
            nap((CAPACITY, "NotIn", ["on-demand", "spot"])), ["NAP070 node_provisioning.node_pools.web.requirements"], id="reserved in Azure"
        ),
        pytest.param(nap((ZONE, "In", ["westeurope-4"])), ["NAP009 node_provisioning.node_pools.web.requirements[0].values"], id="a fourth zone"),
        pytest.param(
            nap((ZONE, "NotIn", ["0", "westeurope-1", "westeurope-2", "westeurope-3"])),
            ["NAP060 node_provisioning.node_pools.web.requirements"],
            id="none",
        ),
        pytest.param(nap((ZONE, "NotIn", ["westeurope-1"]), (REGION, "In", ["westeurope"])), [], id="zones of the region"),
        pytest.param(nap(labels={ZONE: "northeurope-1"}), [f'NAP060 node_provisioning.node_pools.web.labels["{ZONE}"]'], id="a zone elsewhere"),
        pytest.param(nap((REGION, "In", ["northeurope"])), ["NAP060 node_provisioning.node_pools.web.requirements"], id="another region"),
        pytest.param(
            nap((ZONE, "Exists", []), (ZONE, "DoesNotExist", [])), ["KAR040 node_provisioning.node_pools.web.requirements[1]"], id="no zone"
        ),
        pytest.param(
            nap(("karpenter.azure.com/sku-memory", "Gt", ["131071"]), limits={"memory": "64Gi"}),
            ["NAP037 node_provisioning.node_pools.web.limits.memory"],
            id="less memory than a node has",
        ),
        pytest.param(nap(("karpenter.azure.com/sku-memory", "Gt", ["131071"]), limits={"memory": "120Gi"}), [], id="what a node reports of it"),
        pytest.param(
            nap(("karpenter.azure.com/sku-gpu-count", "In", ["4", "8"]), limits={"nvidia.com/gpu": 2}),
            ['NAP037 node_provisioning.node_pools.web.limits["nvidia.com/gpu"]'],
            id="fewer GPUs",
        ),
        pytest.param(nap(("karpenter.azure.com/sku-gpu-count", "In", ["0", "4"]), limits={"nvidia.com/gpu": 2}), [], id="nodes without GPUs too"),
        pytest.param(nap(("karpenter.azure.com/sku-cpu", "Lt", ["9"]), limits={"cpu": 4}), [], id="no lower bound"),
    ],
)
def test_a_value_that_aws_or_karpenter_rejects_is_told(declared: Model, expected: list[str]) -> None:
    assert told(declared) == expected


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(lambda: Dates("2027-02-29", "2027-03-01"), id="the start of a range"),
        pytest.param(lambda: Dates("2027-02-01", "2027-06-31"), id="the end of a range"),
        pytest.param(lambda: MaintenanceWindow(schedule=WeeklySchedule("Sunday"), start_date="2026-11-31"), id="the first day of a window"),
        pytest.param(lambda: aks(force_upgrade_until="2026-12-01T25:00:00Z"), id="an hour"),
        pytest.param(lambda: aks(force_upgrade_until="2026-02-30T05:00:00Z"), id="the day of a time"),
    ],
)
def test_a_day_that_does_not_exist_is_told(make: Callable[[], Model]) -> None:
    (found,) = check(make(), today=DAY)
    assert (found.code, "exist" in found.message) == ("CFG009", True)


def test_a_leap_day_exists() -> None:
    assert Dates("2028-02-29", "2028-03-01").start == "2028-02-29"
    assert isinstance(aks(force_upgrade_until="2028-02-29T05:00:00+01:00"), AksClusterArgs)
