"""Good clusters of many kinds have nothing wrong with them: no rule refuses what AKS takes."""

from datetime import date
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nodepools import AksClusterArgs, AksNodeClass, AksNodePool, Autoscale, NodeProvisioning, Spot, Taint, UpgradeSettings, UserPool, keys
from nodepools.model.aks.agent_pool import AnyPool, GpuPool, SystemPool, WindowsPool
from nodepools.model.severity import Severity
from nodepools.rules.engine.runner import check
from nodepools.rules.engine.samples import NIGHTLY_MAINTENANCE, OFFICE_API_SERVER

pytestmark = pytest.mark.sweep


def wrong(cluster: AksClusterArgs) -> list[str]:
    """Errors, and warnings of AKS; that one NodePool is in the shade of another may be."""
    findings = check(cluster, today=date(2026, 11, 21))
    return [str(one) for one in findings if one.severity is Severity.ERROR or (one.severity is Severity.WARNING and one.code[:3] in ("AKS", "NAP"))]


SIZES = st.sampled_from(["Standard_D4ds_v5", "Standard_E8ds_v5", "Standard_F8s_v2", "Standard_D16ds_v6"])
ZONES = st.lists(st.sampled_from([1, 2, 3]), unique=True)
SURGE = st.none() | st.builds(UpgradeSettings, max_surge=st.sampled_from(["1", "10%", "33%"]), soak=st.sampled_from([None, "5m", "30m"]))
MACHINE = {
    "zones": ZONES,
    "disk": st.one_of(
        st.tuples(st.sampled_from([None, "Managed"]), st.none() | st.integers(30, 2048)),
        st.tuples(st.just("Ephemeral"), st.none() | st.integers(30, 128)),  # what the smallest of SIZES can hold
    ),
    "max_pods": st.none() | st.integers(30, 250),
    "os_sku": st.sampled_from([None, "Ubuntu", "AzureLinux"]),
    "fips": st.booleans(),
    "encryption_at_host": st.booleans(),
    "kubernetes_version": st.sampled_from([None, "1.36", "1.35"]),
    "labels": st.dictionaries(st.sampled_from(["team", "example.com/tier"]), st.sampled_from(["a", "b-1", ""])),
}
SCALE = st.integers(0, 5).flatmap(lambda least: st.builds(Autoscale, st.just(least), st.integers(max(least, 1), 700)))


BEFORE = UserPool(vm_size="Standard_D2ds_v5", count=1)
"""Of no size that the pools have."""


def _with_disk(drawn: dict[str, Any]) -> dict[str, Any]:
    """The two fields of a disk, and the image and FIPS, go together."""
    kind, gib = drawn["disk"]
    rest = {field: value for field, value in drawn.items() if field != "disk"}
    fips = drawn["fips"] and drawn["os_sku"] == "AzureLinux"  # AKS documents no FIPS image of the other default
    return {**rest, "fips": fips, "os_disk_type": kind, "os_disk_size_gb": gib}


def pools() -> st.SearchStrategy[AnyPool]:
    turned = {"generation": st.sampled_from([None, "b"]), "previous": st.sampled_from([None, BEFORE])}
    user = st.fixed_dictionaries({"vm_size": SIZES, "upgrade": SURGE, "scale": SCALE, **turned, **MACHINE}).map(_with_disk)
    spot = st.fixed_dictionaries({"vm_size": SIZES, "scale": SCALE, "spot": st.just(Spot()), **MACHINE}).map(_with_disk)
    gpu = st.fixed_dictionaries({"vm_size": st.just("Standard_NC24ads_A100_v4"), "scale": SCALE, "mig": st.sampled_from([None, "MIG1g"])})
    system = st.fixed_dictionaries({"vm_size": SIZES, "scale": SCALE.filter(lambda scale: scale.min > 0), "upgrade": SURGE})
    return st.one_of(
        user.map(UserPool.model_validate), spot.map(UserPool.model_validate), gpu.map(GpuPool.model_validate), system.map(SystemPool.model_validate)
    )


WINDOWS = st.dictionaries(st.sampled_from(["win", "iis"]), st.builds(WindowsPool, vm_size=SIZES, scale=SCALE, fips=st.booleans()), max_size=1)
OVERLAY = {"pod_cidr": "100.64.0.0/10"}
NETWORKS = {
    "overlay on Cilium": {"network_profile": OVERLAY},
    "overlay": {"network_profile": {**OVERLAY, "dataplane": "azure"}},
    "overlay with policies": {"network_profile": {**OVERLAY, "dataplane": "azure", "policy": "calico"}},
    "a subnet of pods": {
        "network_profile": {"plugin_mode": None, "dataplane": "azure"},
        "network": {"kind": "AksNetwork", "cidr": "10.0.0.0/8", "pod_subnet_cidr": "10.128.0.0/9"},
    },
    "the nodes' subnet on Cilium": {"network_profile": {"plugin_mode": None}, "network": {"kind": "AksNetwork", "cidr": "10.0.0.0/8"}},
    "a plugin of one's own": {"network_profile": {"plugin": "none"}},
}
LINUX_ONLY = {"overlay on Cilium", "the nodes' subnet on Cilium", "a plugin of one's own"}


def _cluster(network: str, windows: dict[str, WindowsPool], system: SystemPool, more: dict[str, AnyPool], **options: object) -> AksClusterArgs:
    mixed = {} if network in LINUX_ONLY else windows
    profile = {"windows_profile": {"admin_password": {"stack": "org/secrets/prod", "output": "windows"}}} if mixed else {}
    return AksClusterArgs.model_validate(
        {
            "location": "westeurope",
            "kubernetes_version": "1.36",
            "api_server": OFFICE_API_SERVER,
            "system_pool": system,
            "pools": {"web": UserPool(vm_size="Standard_D4ds_v5"), **more, **mixed},
            **NETWORKS[network],
            **profile,
            **options,
        }
    )


CLUSTERS = st.builds(
    _cluster,
    st.sampled_from(sorted(NETWORKS)),
    WINDOWS,
    st.fixed_dictionaries({"vm_size": SIZES, "count": st.integers(2, 9), "zones": ZONES, "upgrade": SURGE}).map(SystemPool.model_validate),
    st.dictionaries(st.sampled_from(["api", "batch", "train-2", "x"]), pools(), max_size=4),
    auto_upgrade=st.sampled_from([None, "none"]),
    node_os_upgrade=st.sampled_from([None, "NodeImage", "Unmanaged"]),
)


@given(CLUSTERS)
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_good_clusters(cluster: AksClusterArgs) -> None:
    assert wrong(cluster) == []


MORE = [
    keys.aks.zone.one_of("westeurope-1", "westeurope-3"),
    keys.aks.sku_memory.more_than("7Gi"),
    keys.aks.sku_version.one_of(5, 6),
    keys.aks.sku_version.more_than(3),
    keys.aks.sku_gpu_count.one_of(0),
    keys.aks.sku_networking_accelerated.is_true(),
    keys.aks.sku_name.not_in("Standard_D4s_v3"),
    keys.aks.placement_scope.one_of("zonal"),
    keys.aks.mode.one_of("user"),
    keys.aks.os.one_of("linux"),
]
NODE_POOLS = st.builds(
    lambda weight, families, cpus, capacity, limits, tainted, more, expires: AksNodePool(
        weight=weight,
        node_class="own",
        requirements=[
            keys.aks.arch.one_of("amd64"),
            keys.aks.sku_family.one_of(*families),
            keys.aks.sku_cpu.one_of(*cpus),
            keys.aks.capacity_type.one_of(*capacity),
            *more,
        ],
        expire_after=expires,
        limits=limits,
        taints=[Taint("team", "ml")] if tainted or capacity == ["spot"] else [],
    ),
    st.none() | st.integers(1, 100),
    st.lists(st.sampled_from(["D", "E", "F"]), min_size=1, unique=True),
    st.lists(st.sampled_from([2, 4, 8, 16]), min_size=1, unique=True),
    st.lists(st.sampled_from(["spot", "on-demand"]), min_size=1, unique=True),
    st.fixed_dictionaries(
        {},
        optional={"cpu": st.integers(16, 500).map(str), "memory": st.integers(128, 999).map("{}Gi".format), "nodes": st.integers(8, 500).map(str)},
    ),
    st.booleans(),
    st.lists(st.sampled_from(MORE), unique_by=lambda one: one.key, max_size=4),
    st.sampled_from([None, "720h", "Never"]),
)
VNET = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/v"
CLASSES = st.builds(
    AksNodeClass,
    image_family=st.sampled_from(["Ubuntu", "AzureLinux"]),
    os_disk_size_gb=st.none() | st.integers(30, 2048),
    max_pods=st.none() | st.integers(10, 250),
    fips_mode=st.sampled_from([None, "FIPS", "Disabled"]),
    encryption_at_host=st.sampled_from([None, True]),
    artifact_streaming=st.sampled_from([None, True]),
    gpu_mode=st.sampled_from([None, "Driver"]),
    vnet_subnet_id=st.sampled_from([None, f"{VNET}/subnets/more"]),
    tags=st.dictionaries(st.sampled_from(["team", "cost-center"]), st.text(max_size=20)),
).filter(lambda own: (own.image_family, own.fips_mode) != ("Ubuntu", "FIPS"))  # Ubuntu 20.04, which retires


@given(
    st.dictionaries(st.sampled_from(["general", "batch", "big"]), NODE_POOLS, max_size=3),
    CLASSES,
    st.sampled_from(["overlay on Cilium", "overlay", "the nodes' subnet on Cilium", "a plugin of one's own"]),
)
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_good_provisioning(node_pools: dict[str, AksNodePool], own: AksNodeClass, network: str) -> None:
    cluster = _cluster(
        network,
        {},
        SystemPool(vm_size="Standard_D4ds_v5", count=3),
        {},
        node_provisioning=NodeProvisioning(node_pools=node_pools, node_classes={"own": own}),
        maintenance_configurations=NIGHTLY_MAINTENANCE,
    )
    assert wrong(cluster) == []
