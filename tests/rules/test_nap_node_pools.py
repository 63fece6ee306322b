"""NodePools of node auto provisioning: what none of their nodes can be, beside what some can."""

from typing import Any

import pytest

from nodepools import AksNodeClass, AksNodePool, derive, keys
from nodepools.aks import LocalDns, LocalDnsOverride
from nodepools.model.base import Model
from nodepools.model.karpenter import Requirement
from nodepools.rules.engine.runner import check
from nodepools.rules.engine.samples import AMD64, LIMITS_AND_EXPIRY, ON_DEMAND, SIZE, aks, aks_pool, eks_pool, provisioning
from tests.azure_ids import SUBNET

ZONES = [LocalDnsOverride(zone=".", forward_destination="VnetDNS"), LocalDnsOverride(zone="cluster.local", forward_destination="ClusterCoreDNS")]
DNS = LocalDns(vnet_dns=ZONES, kube_dns=ZONES)
FIPS = "kubernetes.azure.com/fips_enabled"
MEMORY, SERIES, GPU = "karpenter.azure.com/sku-memory", "karpenter.azure.com/sku-series", "nvidia.com/gpu"
POOL = "node_provisioning.node_pools.own"
RETIRING = "AKS162 node_provisioning.node_classes.own.image_family"
"""FIPS of Ubuntu is 20.04 for Karpenter."""


def of(pool: AksNodePool, **fields: object):
    """A pool with a node class of its own."""
    return provisioning({"own": derive(pool, node_class="own")}, node_classes={"own": AksNodeClass.model_validate(fields)})


def arm(*requirements: Requirement) -> AksNodePool:
    return AksNodePool.model_validate({"requirements": [ON_DEMAND, keys.aks.arch.one_of("arm64"), *requirements], **LIMITS_AND_EXPIRY})


def spot(*sizes: str) -> AksNodePool:
    requirements = [keys.aks.capacity_type.one_of("spot"), keys.aks.sku_name.one_of(*sizes)]
    return AksNodePool.model_validate({"requirements": requirements, "taints": [{"key": "spot"}], **LIMITS_AND_EXPIRY})


@pytest.mark.parametrize(
    ("declared", "found"),
    [
        pytest.param(of(arm()), [], id="arm64"),
        pytest.param(of(aks_pool(), artifact_streaming=True), [], id="streaming on amd64"),
        pytest.param(of(arm(), artifact_streaming=True), [f"NAP032 {POOL}.node_class"], id="streaming on arm64"),
        pytest.param(of(arm(), artifact_streaming=False), [], id="streaming that is off"),
        pytest.param(
            of(arm(), vtpm=True), ["NAP021 node_provisioning.node_classes.own.vtpm", f"NAP032 {POOL}.node_class"], id="trusted launch on arm64"
        ),
        pytest.param(of(arm(), fips_mode="FIPS"), [RETIRING, f"NAP032 {POOL}.node_class"], id="FIPS of Ubuntu on arm64"),
        pytest.param(of(arm(), fips_mode="FIPS", image_family="AzureLinux"), [], id="FIPS of Azure Linux on arm64"),
        pytest.param(of(aks_pool(keys.aks.sku_cpu.one_of(2, 4)), local_dns=DNS), [], id="local DNS on some of the sizes"),
        pytest.param(of(aks_pool(keys.aks.sku_cpu.one_of(2)), local_dns=DNS), [f"NAP032 {POOL}.node_class"], id="local DNS on none"),
        pytest.param(of(aks_pool(keys.aks.sku_cpu.one_of(2)), local_dns=derive(DNS, mode="Disabled")), [], id="local DNS that is off"),
        pytest.param(of(aks_pool(Requirement(FIPS, "In", ["true"]))), [f"NAP032 {POOL}.node_class"], id="FIPS asked of a class without"),
        pytest.param(of(aks_pool(Requirement(FIPS, "In", ["true"])), fips_mode="FIPS"), [RETIRING], id="FIPS asked of a class with it"),
        pytest.param(of(aks_pool(Requirement(FIPS, "DoesNotExist"))), [], id="FIPS not wanted"),
        pytest.param(
            provisioning({"own": aks_pool(Requirement(FIPS, "In", ["true"]))}), [f"NAP032 {POOL}.node_class"], id="FIPS of the built-in class"
        ),
        pytest.param(provisioning({"own": aks_pool(node_class="system-surge")}), [], id="a class that AKS makes is not known"),
        pytest.param(aks_pool(keys.aks.sku_version.one_of(5), keys.aks.sku_memory.one_of("16Gi")), [], id="numbers"),
        pytest.param(
            aks_pool(Requirement("karpenter.azure.com/sku-memory", "In", ["128Gi"])), ["NAP033 requirements[2].values[0]"], id="memory with a unit"
        ),
        pytest.param(
            aks_pool(Requirement("karpenter.azure.com/sku-networking-accelerated", "In", ["True"])),
            ["NAP033 requirements[2].values[0]"],
            id="yes in another case",
        ),
        pytest.param(aks_pool(Requirement("kubernetes.azure.com/os-sku", "In", ["ubuntu"])), ["NAP033 requirements[2].values[0]"], id="ubuntu"),
        pytest.param(
            aks_pool(keys.aks.sku_name.one_of("Standard_D4ds_v5", "Standard_Own_v9")), ["NAP045 requirements[2].values[1]"], id="sizes, one not known"
        ),
        pytest.param(aks_pool(keys.aks.instance_type.one_of("Standard_DC4as_v5")), ["NAP034 requirements[2].values[0]"], id="a confidential size"),
        pytest.param(aks_pool(keys.aks.sku_name.not_in("Standard_E4-2s_v5")), [], id="a constrained size that is excluded"),
        pytest.param(aks_pool(keys.aks.sku_cpu.one_of(1)), ["NAP034 requirements[2].values"], id="one vCPU"),
        pytest.param(aks_pool(keys.aks.sku_cpu.more_than(1)), [], id="more than one"),
        pytest.param(aks_pool(Requirement("kubernetes.azure.com/sku-cpu", "In", ["1"])), ["NAP034 requirements[2].values"], id="one vCPU, by AKS"),
        pytest.param(aks_pool(keys.aks.sku_cpu.one_of(7)), ["NAP075 requirements"], id="a number of vCPUs that no size has"),
        pytest.param(aks_pool(Requirement(MEMORY, "Lt", ["3584"])), ["NAP034 requirements[2].values"], id="less memory than 3.5 GiB"),
        pytest.param(aks_pool(Requirement(MEMORY, "Lte", ["3584"])), [], id="3.5 GiB"),
        *(pytest.param(aks_pool(Requirement(MEMORY, operator, ["16384"])), [], id=f"the fix, {operator}") for operator in ("In", "Lt", "Lte")),
        *(pytest.param(aks_pool(Requirement(SERIES, "In", [name])), [], id=name) for name in ("Dads_v5", "NCads_v4", "DS_v2", "Dnds_v6", "Ms_v2")),
        *(
            pytest.param(aks_pool(Requirement(SERIES, "In", [name])), ["NAP033 requirements[2].values[0]"], id=name)
            for name in ("dads_v5", "Dsv5", "NCads_A100_v4", "D4ds_v5")
        ),
        pytest.param(aks_pool(Requirement(SERIES, "In", ["Dads_v9"])), ["NAP075 requirements"], id="a series that is not there"),
        *(
            pytest.param(aks_pool(Requirement(key, "DoesNotExist")), ["KAR040 requirements[2]"], id=f"without {key}")
            for key in (SERIES, "karpenter.azure.com/sku-gpu-count", "karpenter.azure.com/placement-scope", "kubernetes.azure.com/mode")
        ),
        pytest.param(aks_pool(Requirement("karpenter.azure.com/sku-gpu-name", "DoesNotExist")), [], id="no GPUs by name"),
        pytest.param(spot("Standard_B4ms", "Standard_B4s_v2"), ["NAP034 requirements[1].values[0]"], id="a size that is not sold as spot"),
        pytest.param(aks_pool(keys.aks.sku_name.one_of("Standard_B4ms")), [], id="and on demand"),
        pytest.param(
            aks_pool(keys.aks.sku_cpu.more_than(4), keys.aks.sku_cpu.less_than(5)),
            ["KAR040 requirements[3]"],
            id="none at all is another finding",
        ),
        pytest.param(provisioning({"own": aks_pool(keys.aks.sku_family.one_of("N"))}), [f"NAP035 {POOL}"], id="GPUs by family"),
        pytest.param(provisioning({"own": aks_pool(keys.aks.sku_gpu_count.more_than(0))}), [f"NAP035 {POOL}"], id="GPUs by number"),
        pytest.param(provisioning({"own": aks_pool(keys.aks.sku_gpu_count.one_of(0))}), [], id="no GPUs by number"),
        pytest.param(provisioning({"own": aks_pool(keys.aks.sku_family.one_of("D", "N"))}), [], id="GPUs or not"),
        pytest.param(of(aks_pool(keys.aks.sku_family.one_of("N")), tags={"EnableManagedGPUExperience": "true"}), [], id="GPUs managed by AKS"),
        pytest.param(derive(provisioning({"own": aks_pool(keys.aks.sku_family.one_of("N"))}), gpu_operator=True), [], id="GPUs of the operator"),
        pytest.param(derive(provisioning({"own": aks_pool(keys.aks.sku_family.one_of("N"))}), device_plugin=None), [], id="a plugin of others"),
        pytest.param(aks(), [], id="no provisioning"),
        pytest.param(aks_pool(Requirement("kubernetes.io/os", "In", ["windows"])), ["KAR043 requirements[2].values"], id="Windows"),
        pytest.param(aks_pool(Requirement("kubernetes.io/os", "NotIn", ["linux"])), ["KAR043 requirements[2]"], id="all but Linux"),
        pytest.param(aks_pool(Requirement("kubernetes.io/os", "NotIn", ["windows"])), [], id="all but Windows"),
        pytest.param(AksNodeClass(vnet_subnet_id="/subscriptions/s/resourceGroups/g/subnets/n"), ["NAP017 vnet_subnet_id"], id="half an id"),
    ],
)
def test_what_no_node_is(declared: Model, found: list[str], judged) -> None:
    assert [one for one in judged(declared) if not one.startswith("KAR086")] == found  # which pool is tried first is not asked here


@pytest.mark.parametrize(
    ("requirements", "limits", "found"),
    [
        pytest.param([keys.aks.sku_cpu.one_of(16, 32)], {"cpu": 15}, ["NAP037 limits.cpu"], id="one vCPU less than the smallest has"),
        pytest.param([keys.aks.sku_cpu.one_of(16, 32)], {"cpu": 16}, [], id="room for one"),
        pytest.param([keys.aks.sku_cpu.more_than(7)], {"cpu": "7500m"}, ["NAP037 limits.cpu"], id="half a vCPU less"),
        pytest.param([keys.aks.sku_cpu.one_of(16)], {"cpu": 0}, [], id="a pool that is turned off"),
        pytest.param([keys.aks.sku_cpu.one_of(16)], {"cpu": 1}, ["KAR013 limits.cpu"], id="less than any node has is told once"),
        pytest.param([keys.aks.sku_cpu.one_of(16)], {"memory": "64Gi"}, [], id="no limit of vCPUs"),
        pytest.param([], {"cpu": 2}, [], id="any size"),
        pytest.param([keys.aks.sku_gpu_manufacturer.one_of("nvidia")], {GPU: 0}, [f'NAP037 limits["{GPU}"]'], id="GPUs, of which there may be none"),
        pytest.param([keys.aks.sku_family.one_of("D", "N")], {GPU: 0}, [], id="GPUs are kept out"),
        pytest.param([], {"pods": 29}, ["NAP037 limits.pods"], id="fewer pods than any network plugin has by default"),
        pytest.param([], {"pods": 30, "ephemeral-storage": "128G"}, [], id="room for the pods and the disk of one node"),
        pytest.param([], {"ephemeral-storage": "127G"}, ["NAP037 limits.ephemeral-storage"], id="less than the default disk"),
        pytest.param([], {"ephemeral-storage": 0}, [], id="a pool that a limit of disks turns off"),
    ],
)
def test_limits_below_what_is_required(requirements: list[Requirement], limits: dict[str, object], found: list[str], judged) -> None:
    assert judged(aks_pool(*requirements, limits=limits)) == found


@pytest.mark.parametrize(
    ("fields", "limits", "told"),
    [
        ({"os_disk_size_gb": 64}, {"ephemeral-storage": "64G"}, False),
        ({"os_disk_size_gb": 64}, {"ephemeral-storage": "63G"}, True),
        ({"max_pods": 250}, {"pods": 249}, True),
        ({"max_pods": 10}, {"pods": 10}, False),
    ],
)
def test_limits_below_what_a_class_decides(fields: dict[str, Any], limits: dict[str, object], *, told: bool) -> None:
    declared = provisioning({"web": aks_pool(node_class="own", limits=limits)}, node_classes={"own": AksNodeClass(**fields)})
    assert ("NAP037" in {one.code for one in check(declared)}) is told
    assert "NAP037" not in {one.code for one in check(aks_pool(node_class="others", limits=limits))}


@pytest.mark.parametrize(
    ("overrides", "found"),
    [
        pytest.param({"enable_rbac": True}, [], id="RBAC that is on"),
        pytest.param({"service_principal_profile": {"client_id": "x"}}, ["NAP016 overrides.service_principal_profile"], id="a service principal"),
        pytest.param({"network_profile": "odd"}, ["PLT024 overrides.network_profile"], id="what is no profile"),
    ],
)
def test_overrides_beside_provisioning(overrides: dict[str, object], found: list[str], judged) -> None:
    assert judged(derive(provisioning(), overrides=overrides)) == found
    without = judged(aks(overrides=overrides, network_profile={"dataplane": "azure", "plugin_mode": None}))
    assert [one for one in without if one.startswith("NAP")] == []


def test_kubenet_beside_provisioning_is_told_once(judged) -> None:
    kubenet = {"network_profile": {"network_plugin": "kubenet"}}
    assert judged(derive(provisioning(), overrides=kubenet)) == ["NAP016 overrides.network_profile.network_plugin"]
    assert judged(aks(overrides=kubenet)) == ["AKS230 overrides.network_profile.network_plugin"]


def test_pod_subnets_of_pools_beside_provisioning(judged) -> None:
    pools = {"web": {"vm_size": SIZE, "pod_subnet_id": SUBNET}}
    cluster = derive(provisioning(), pools=pools, system_pool={"pod_subnet_id": SUBNET}, network_profile={"plugin_mode": None})
    assert judged(cluster) == ["NAP010 system_pool.pod_subnet_id", "NAP010 pools.web.pod_subnet_id"]


def test_age_and_size_are_told_of_each_pool() -> None:
    findings = check(
        provisioning({"a": aks_pool(expire_after=None, limits={}), "b": aks_pool(expire_after=None), "c": aks_pool(replicas=2, limits={})})
    )
    assert sorted(
        f"{finding.code} {finding.path.removeprefix('node_provisioning.node_pools.')}" for finding in findings if finding.code.startswith("NAP")
    ) == [
        "NAP030 a.expire_after",
        "NAP030 b.expire_after",
        "NAP031 a.limits",
    ]


CAPACITY = "karpenter.sh/capacity-type"


@pytest.mark.parametrize(
    ("requirements", "labels", "found"),
    [
        pytest.param([Requirement(CAPACITY, "NotIn", ["on-demand", "spot"])], {}, ["KAR043 requirements[1]"], id="all that Azure has, excluded"),
        pytest.param([Requirement(CAPACITY, "In", ["reserved"])], {}, ["KAR043 requirements[1].values"], id="a list of nothing that there is"),
        pytest.param(
            [Requirement(CAPACITY, "In", ["reserved", "spot"]), Requirement(CAPACITY, "NotIn", ["spot"])],
            {},
            ["KAR043 requirements[1]", "KAR044 requirements[1].values[0]"],
            id="two that leave nothing else",
        ),
        pytest.param([Requirement(CAPACITY, "NotIn", ["spot"])], {}, [], id="on demand is left"),
        pytest.param([Requirement(CAPACITY, "Exists")], {}, [], id="any"),
        pytest.param([], {CAPACITY: "on-demand"}, [], id="a label"),
    ],
)
def test_reserved_capacity_which_azure_has_not(requirements, labels, found, judged) -> None:
    assert sorted(judged(aks_pool(requirements=[AMD64, *requirements], labels=labels))) == found


ZONE = "topology.kubernetes.io/zone"


@pytest.mark.parametrize(
    ("pool", "found"),
    [
        pytest.param(aks_pool(Requirement(ZONE, "In", ["1", "2"])), ["NAP009 requirements[2].values"], id="numbers alone"),
        pytest.param(aks_pool(Requirement(ZONE, "In", ["1", "westeurope-2"])), ["NAP018 requirements[2].values[0]"], id="one of them a number"),
        pytest.param(aks_pool(Requirement(ZONE, "In", ["eastus2-1", "0"])), [], id="zones of some region, or none"),
        pytest.param(
            aks_pool(Requirement(ZONE, "NotIn", ["1", "2"])),
            ["NAP018 requirements[2].values[0]", "NAP018 requirements[2].values[1]"],
            id="numbers exclude nothing",
        ),
        pytest.param(aks_pool(Requirement(ZONE, "NotIn", ["eastus2-1", "0"])), [], id="zones that are excluded"),
        pytest.param(aks_pool(Requirement(ZONE, "NotIn", ["1"])), ["NAP018 requirements[2].values[0]"], id="what excludes nothing"),
        pytest.param(eks_pool(Requirement(ZONE, "In", ["use1-az1", "a"])), ["EKS049 requirements[2].values"], id="ids of zones of AWS"),
        pytest.param(
            eks_pool(Requirement(ZONE, "In", ["us-west-2-lax-1a", "us-gov-east-1b", "eusc-de-east-1a"])),
            [],
            id="zones of several kinds and partitions",
        ),
    ],
)
def test_zones_where_the_region_is_not_known(pool, found, judged) -> None:
    assert judged(pool) == found
