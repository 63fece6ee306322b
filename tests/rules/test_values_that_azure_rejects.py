"""Values that Azure certainly rejects, or with which no node is launched: each kind with its relatives, next to those that it accepts."""

import re
from collections.abc import Callable

import pytest

from nodepools import AksClusterArgs, AksNodePool, Platform, Requirement, StackOutput, UserPool, derive
from nodepools.aks import (
    AzureRole,
    Dates,
    EtcdKey,
    Gmsa,
    HttpProxy,
    KeyVaultProvider,
    Machines,
    MaintenanceWindow,
    WeeklySchedule,
    WindowsProfile,
    WorkloadIdentity,
)
from nodepools.model.base import Model
from nodepools.rules.engine.runner import check
from nodepools.rules.engine.samples import SIZE, aks, platform, provisioning
from tests.rules.conftest import DAY

CODES = re.compile("AKS(140|141|168|237|35[1-7]|36[567]|37[0-4]|384)|NAP(009|033|037|060)|KAR04[03]|PLT020")
VAULT = "/subscriptions/s/resourceGroups/g/providers/Microsoft.KeyVault/vaults/own"
KEY = "https://OWN.vault.azure.net/keys/etcd/0123456789abcdef"
GUID = "9999999a-9999-9999-9999-999999999999"
REGISTRY = "/subscriptions/s/resourceGroups/g/providers/Microsoft.ContainerRegistry/registries/own"
MESH = {"revisions": ["asm-1-30"], "certificate_authority": {"vault_id": VAULT, "root": "a", "intermediate": "b", "key": "c", "chain": "d"}}
GATEWAYS = {"gateways": UserPool(vm_size=SIZE, count=2, gateway_prefix_size=31)}
EGRESS = {"revisions": ["asm-1-30"], "egress": [{"name": "out", "configuration": "fixed"}]}
ROLE = AzureRole("Reader", VAULT)
SCOPE = "karpenter.azure.com/placement-scope"
ZONE, REGION, CAPACITY = "topology.kubernetes.io/zone", "topology.kubernetes.io/region", "karpenter.sh/capacity-type"


def told(declared: Model) -> list[str]:
    return [f"{found.code} {found.path}" for found in check(declared, today=DAY) if CODES.fullmatch(found.code)]


def of_one_subscription(**fields: object) -> Platform:
    return platform(weu=aks(resource_group="shop"), neu=aks(network={"cidr": "10.60.0.0/16"}, **fields))


def overridden_gateway(*, enabled: bool) -> dict[str, object]:
    return {"network_profile": {"static_egress_gateway_profile": {"enabled": enabled}}}


SWAP = "AKS384 linux_os.swap_file_size"


def swapping(size: str, swap: str, **fields: object) -> UserPool:
    whole = {"vm_size": size, "kubelet": {"fail_swap_on": False}, "linux_os": {"swap_file_size": swap}, **fields}
    return UserPool.model_validate(whole)


def nap(*requirements: tuple[str, str, list[str]], **fields: object) -> AksClusterArgs:
    required = [Requirement.model_validate(dict(zip(("key", "operator", "values"), one, strict=True))) for one in requirements]
    return provisioning({"web": AksNodePool.model_validate({"requirements": required, **fields})})


@pytest.mark.parametrize(
    ("declared", "expected"),
    [
        pytest.param(WindowsProfile(admin_username="Administrator"), ["AKS352 admin_username"], id="a usual name in another case"),
        pytest.param(WindowsProfile(admin_username="azureuser"), [], id="the default name"),
        pytest.param(WindowsProfile(admin_password="P@$$w0rd"), ["AKS352 admin_password"], id="a usual password"),  # noqa: S106  # rejected
        pytest.param(aks(admins=[{"object_id": GUID}, {"object_id": GUID.upper()}]), ["AKS351 admins[1]"], id="an admin twice"),
        pytest.param(aks(registries=[REGISTRY, REGISTRY.upper()]), [], id="a registry twice, which is sent once"),
        pytest.param(KeyVaultProvider(vaults=[VAULT, f"{VAULT}2", VAULT]), [], id="a vault twice, which is sent once"),
        pytest.param(WorkloadIdentity("shop", "web", roles=[ROLE, AzureRole("Reader", f"{VAULT}2"), ROLE]), [], id="a role twice"),
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
        pytest.param(HttpProxy(http="http://proxy:99999", https="http://proxy:0"), ["AKS354 http", "AKS354 https"], id="ports that do not exist"),
        pytest.param(HttpProxy(http="http://proxy"), [], id="the port of the scheme"),
        pytest.param(UserPool(vm_size=f"{SIZE} "), ["AKS370 vm_size"], id="a space at the end of a size"),
        pytest.param(UserPool(vm_size=SIZE.replace("a", "\u0430")), ["AKS370 vm_size"], id="a letter of another alphabet"),
        pytest.param(
            UserPool(vm_size=SIZE, machines=[Machines(f"\ufeff{SIZE}")]), ["AKS370 machines[0].vm_size"], id="an invisible character of another size"
        ),
        pytest.param(aks(location="w\u0435steurope"), ["AKS370 location"], id="a letter of another alphabet in a region"),
        pytest.param(aks(location="West Europe"), [], id="a display name"),
        pytest.param(WindowsProfile(gmsa=Gmsa(root_domain_name="acme.com")), ["AKS371 gmsa"], id="a domain without its server"),
        pytest.param(WindowsProfile(gmsa=Gmsa(dns_server="10.0.0.4")), ["AKS371 gmsa"], id="a server without its domain"),
        pytest.param(WindowsProfile(gmsa=Gmsa(dns_server="10.0.0.4", root_domain_name="acme.com")), [], id="a server and a domain"),
        pytest.param(WindowsProfile(gmsa=Gmsa()), [], id="those of the network"),
        pytest.param(UserPool(vm_size=SIZE, zones=[1, 2, 1]), ["AKS372 zones[2]"], id="a zone twice"),
        pytest.param(
            aks(istio={"revisions": ["asm-1-30", "asm-1-30"], "ingress": ["External", "External"]}),
            ["AKS372 istio.revisions[1]", "AKS372 istio.ingress[1]"],
            id="a revision and a gateway twice",
        ),
        pytest.param(aks(entra={"admin_groups": [GUID, GUID]}), ["AKS372 entra.admin_groups[1]"], id="a group twice"),
        pytest.param(aks(pools=GATEWAYS), ["AKS365 pools.gateways.gateway_prefix_size"], id="gateways without the feature"),
        pytest.param(aks(pools=GATEWAYS, overrides=overridden_gateway(enabled=True)), [], id="gateways with the feature by overrides"),
        pytest.param(
            aks(pools=GATEWAYS, overrides=overridden_gateway(enabled=False), network_profile={"static_egress_gateway": True}),
            ["AKS365 pools.gateways.gateway_prefix_size"],
            id="overrides turn it off",
        ),
        pytest.param(aks(istio=EGRESS, overrides=overridden_gateway(enabled=True)), [], id="gateways of the mesh, by overrides"),
        pytest.param(aks(istio=EGRESS), ["AKS367 istio.egress"], id="gateways of the mesh without the feature"),
        pytest.param(
            aks(network={"pod_subnet_cidr": "10.224.128.0/17"}, network_profile={"plugin_mode": None}, overrides=overridden_gateway(enabled=True)),
            ["AKS366 overrides.network_profile.static_egress_gateway_profile.enabled"],
            id="overrides turn it on where it is not supported",
        ),
        pytest.param(
            aks(overrides={"ingress_profile": {"web_app_routing": {"enabled": True}}}),
            ["AKS168 overrides.ingress_profile.web_app_routing.enabled"],
            id="managed NGINX by overrides",
        ),
        pytest.param(
            aks(
                overrides={"ingress_profile": {"web_app_routing": {"enabled": True, "nginx": {"default_ingress_controller_type": "None"}}}},
                app_routing={"enabled": True},
            ),
            [],
            id="application routing without NGINX by overrides",
        ),
        pytest.param(
            aks(overrides={"ingress_profile": {"web_app_routing": {"dns_zone_resource_ids": []}}}, app_routing={"enabled": True}),
            ["AKS168 app_routing.enabled"],
            id="overrides of something else in it",
        ),
        pytest.param(
            aks(overrides={"ingress_profile": {"web_app_routing": {"enabled": False, "dns_zone_resource_ids": ["/zone"]}}}),
            ["PLT020 overrides.ingress_profile"],
            id="zones in overrides are not checked",
        ),
        pytest.param(
            aks(overrides={"ingress_profile": {"web_app_routing": {"enabled": True}}}, app_routing={"enabled": False, "nginx": "None"}),
            [],
            id="a field turns NGINX off, and overrides the rest on",
        ),
        pytest.param(
            nap(("karpenter.azure.com/sku-gpu-name", "In", ["A100", "a100"])),
            ["NAP033 node_provisioning.node_pools.web.requirements[0].values[1]"],
            id="a GPU in lower case",
        ),
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
        *(
            pytest.param(swapping(size, swap, **fields), found, id=f"{swap} of swap on {size} {fields}")
            for size, swap, fields, found in (
                ("Standard_D4ds_v5", "149Gi", {}, []),
                ("Standard_D4ds_v5", "150Gi", {}, [SWAP]),
                ("Standard_D4ds_v5", "200Gi", {"os_disk_size_gb": 256, "os_disk_type": "Managed"}, []),
                ("Standard_D4s_v5", "1500Mi", {}, []),
                ("Standard_D4s_v5", "128Gi", {}, [SWAP]),
                ("Standard_D8s_v5", "128Gi", {}, []),
                ("Standard_D8s_v5", "149Gi", {"machines": [Machines(SIZE)]}, []),
                ("Standard_D8s_v5", "149Gi", {"machines": [Machines("Standard_D4s_v5")]}, [SWAP]),
                ("Standard_L8s_v3", "4Ti", {}, []),
            )
        ),
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
        pytest.param(
            nap((CAPACITY, "NotIn", ["on-demand", "spot"])), ["KAR043 node_provisioning.node_pools.web.requirements[0]"], id="reserved in Azure"
        ),
        pytest.param(nap((ZONE, "In", ["westeurope-4"])), ["NAP009 node_provisioning.node_pools.web.requirements[0].values"], id="a fourth zone"),
        pytest.param(
            nap((ZONE, "NotIn", ["0", "westeurope-1", "westeurope-2", "westeurope-3"])),
            ["NAP060 node_provisioning.node_pools.web.requirements"],
            id="none",
        ),
        pytest.param(nap((ZONE, "NotIn", ["westeurope-1"]), (REGION, "In", ["westeurope"])), [], id="zones of the region"),
        pytest.param(nap(labels={ZONE: "northeurope-1"}), [f'NAP060 node_provisioning.node_pools.web.labels["{ZONE}"]'], id="a zone elsewhere"),
        *(
            pytest.param(
                derive(nap((SCOPE, "In", [scope])), location=place),
                found,
                id=f"{scope} placement in {place}",
            )
            for scope, place, found in (
                ("zonal", "westus", ["NAP060 node_provisioning.node_pools.web.requirements"]),
                ("regional", "westus", []),
                ("zonal", "West US 2", []),
            )
        ),
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
        pytest.param(
            nap(("karpenter.azure.com/sku-gpu-count", "In", ["4"]), limits={"nvidia.com/gpu": 0}),
            ['NAP037 node_provisioning.node_pools.web.limits["nvidia.com/gpu"]'],
            id="no GPUs, which are required",
        ),
        pytest.param(nap(("karpenter.azure.com/sku-cpu", "Lt", ["9"]), limits={"cpu": 4}), [], id="no lower bound"),
    ],
)
def test_a_value_that_a_cloud_rejects_is_told(declared: Model, expected: list[str]) -> None:
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
