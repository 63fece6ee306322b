"""Node images of AKS by size, feature, version of Kubernetes and day: what AKS rejects, what it advises against, and what it accepts nearby.

Each row is read from Microsoft's page that its id names; a row without findings is a combination that AKS accepts.
"""

from collections.abc import Mapping
from datetime import date

import pytest

from nodepools import AksNodeClass, GpuPool, SystemPool, UserPool, WindowsPool, derive
from nodepools.data.aks_images import OS_SKUS, RETIREMENTS, is_later, os_sku
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.base import Model
from nodepools.rules.engine.runner import check
from nodepools.rules.engine.samples import SIZE, aks, aks_pool, provisioning

DAY = date(2026, 11, 21)
SNP, SNP_E, SNP_V6 = "Standard_DC4as_v5", "Standard_EC96iads_v5", "Standard_DC4ads_v6"
TDX, ENCLAVE, PARENT = "Standard_EC8eds_v5", "Standard_DC4s_v3", "Standard_DC8as_cc_v5"
ARM, COBALT = "Standard_D4pds_v5", "Standard_D4pds_v6"
T4, AMD = "Standard_NC4as_T4_v3", "Standard_ND96isr_MI300X_v5"
KATA = "KataVmIsolation"
NGINX = {"enabled": True}
AT_NGINX = "app_routing.enabled"
MINE = ("AKS035", "AKS075", "AKS091", "AKS092", "AKS101", "AKS102", "AKS103")


def user(vm_size: str = SIZE, **fields: object) -> UserPool:
    return UserPool.model_validate({"vm_size": vm_size, **fields})


def gpu(vm_size: str = T4, **fields: object) -> GpuPool:
    return GpuPool.model_validate({"vm_size": vm_size, **fields})


def windows(vm_size: str = SIZE, **fields: object) -> WindowsPool:
    return WindowsPool.model_validate({"vm_size": vm_size, **fields})


def cluster(version: str = "1.36", pool: Model | None = None, **changes: object) -> AksClusterArgs:
    """A cluster of that version with `pool` in it."""
    pools = {} if pool is None else {"pools": {"p": pool}}
    return aks(kubernetes_version=version, **pools, **changes)


def images(declared: Model, day: date = DAY) -> list[str]:
    """Errors, warnings and notes of the codes of this table, as `CODE severity path`."""
    found = check(declared, today=day)
    return [f"{one.code} {one.severity} {one.path}" for one in found if one.code in MINE or "AKS150" <= one.code <= "AKS174"]


@pytest.mark.parametrize(
    ("declared", "found"),
    [
        pytest.param(user(SNP), [], id="use-cvm: a confidential VM of AMD with Ubuntu"),
        pytest.param(user(SNP_V6, os_sku="Ubuntu2404"), [], id="use-cvm: with Ubuntu 24.04"),
        pytest.param(user(SNP_E, os_sku="AzureLinux"), [], id="use-cvm: with Azure Linux"),
        pytest.param(user(SNP, os_sku="AzureLinux3"), [], id="use-cvm: with Azure Linux 3"),
        pytest.param(cluster("1.33", user(SNP, os_sku="AzureLinux")), [], id="use-cvm: Azure Linux on a confidential VM is 3.0 from 1.28 on"),
        pytest.param(cluster("1.30", user(SNP, os_sku="AzureLinux")), [], id="use-cvm: and so has not retired there"),
        pytest.param(user(SNP, fips=True), ["AKS150 error fips"], id="use-cvm: FIPS on a confidential VM"),
        pytest.param(user(SNP, fips=True, os_sku="AzureLinux"), ["AKS150 error fips"], id="use-cvm: FIPS of Azure Linux on a confidential VM"),
        pytest.param(user(SNP, fips=True, os_sku="Ubuntu2404"), ["AKS150 error fips"], id="one cause: the size refuses FIPS of every image"),
        pytest.param(user(SNP, secure_boot=False, vtpm=False), [], id="trusted launch that is off"),
        pytest.param(user(SNP, workload_runtime=KATA, os_sku="AzureLinux"), ["AKS150 error workload_runtime"], id="use-cvm: pod sandboxing"),
        pytest.param(user(SNP, workload_runtime="OCIContainer"), [], id="containers as ever"),
        pytest.param(windows(SNP, os_sku="Windows2025", fips=True), ["AKS150 error vm_size"], id="use-cvm: Windows on a confidential VM, told once"),
        pytest.param(user(SNP, os_sku="AzureContainerLinux"), ["AKS150 error os_sku"], id="use-cvm: Azure Container Linux"),
        pytest.param(user(SNP, os_sku="AzureLinuxOSGuard"), ["AKS150 error os_sku"], id="use-cvm: OS Guard"),
        pytest.param(user(SNP, os_sku="Ubuntu2204"), ["AKS103 warning os_sku", "AKS150 error os_sku"], id="use-cvm: Ubuntu 22.04, which retires too"),
        pytest.param(SystemPool(vm_size=SNP, count=3, os_sku="Ubuntu2404"), [], id="a system pool of confidential VMs"),
        pytest.param(SystemPool(vm_size=SNP.lower(), count=3, fips=True), ["AKS150 error fips"], id="a size in lower case"),
        pytest.param(user(TDX), ["AKS151 error vm_size"], id="use-cvm: Intel TDX"),
        pytest.param(user("Standard_DC2es_v6", fips=True), ["AKS151 error vm_size"], id="one cause: TDX whatever else is said"),
        pytest.param(user(ENCLAVE, fips=True), [], id="enclaves are no confidential VMs"),
        pytest.param(user(PARENT, os_sku="AzureLinux", workload_runtime=KATA), [], id="parents of confidential containers are none"),
        pytest.param(user("Standard_E4as_v5", fips=True), [], id="a plain size of AMD"),
        pytest.param(user("Standard_EC999as_v9", fips=True), ["AKS150 error fips"], id="a size that is newer than the table, by its name"),
    ],
)
def test_confidential_vms(declared: Model, found: list[str]) -> None:
    assert images(declared) == found


@pytest.mark.parametrize(
    ("declared", "found"),
    [
        pytest.param(user(os_sku="Ubuntu"), [], id="Ubuntu"),
        pytest.param(user(os_sku="azurelinux"), [], id="in lower case, as Microsoft's examples have it"),
        pytest.param(user(os_sku="Debian"), ["AKS152 error os_sku"], id="a name that does not exist"),
        pytest.param(user(os_sku="FlatcarContainerLinux"), ["AKS152 error os_sku"], id="a name of the product, not of the SKU"),
        pytest.param(user(os_sku="Ubuntu2004"), ["AKS152 error os_sku"], id="a release that never had a SKU"),
        pytest.param(user(os_sku=""), ["AKS152 error os_sku"], id="no name at all"),
        pytest.param(user(os_sku="Ubuntu2604"), ["AKS153 warning os_sku"], id="a release that may have come since"),
        pytest.param(user(os_sku="AzureLinux4"), ["AKS153 warning os_sku"], id="of Azure Linux too"),
        pytest.param(user(os_sku="Windows2025"), ["AKS154 error os_sku"], id="Windows on a Linux pool"),
        pytest.param(SystemPool(vm_size=SIZE, count=3, os_sku="windowsannual"), ["AKS154 error os_sku"], id="on a system pool"),
        pytest.param(windows(os_sku="Windows2025", fips=True), [], id="Windows on a Windows pool"),
        pytest.param(windows(os_sku="Windows2025"), ["AKS092 error os_sku"], id="upgrade-os-version: Windows Server 2025 requires FIPS"),
        pytest.param(user(fips=True, os_sku="Ubuntu"), [], id="enable-fips-nodes: of Ubuntu AKS takes the newest that has it"),
        pytest.param(user(fips=True, os_sku="AzureLinux3"), [], id="enable-fips-nodes: of Azure Linux"),
        pytest.param(user(fips=True, os_sku="AzureContainerLinux"), [], id="node-images: of Azure Container Linux"),
        pytest.param(user(fips=True, vtpm=True, os_sku="AzureContainerLinux"), [], id="node-images: with trusted launch"),
        pytest.param(user(fips=True, vtpm=True, os_sku="AzureLinuxOSGuard"), [], id="node-images: OS Guard has both"),
        pytest.param(user(ARM, fips=True, os_sku="azurelinux"), [], id="use-arm64-vms: FIPS of Azure Linux"),
        pytest.param(user(COBALT, fips=True, os_sku="AzureContainerLinux"), [], id="node-images: FIPS of Azure Container Linux on arm64"),
        pytest.param(user(fips=True, os_sku="Debian"), ["AKS152 error os_sku"], id="of an image that does not exist nothing else is told"),
    ],
)
def test_os_skus(declared: Model, found: list[str]) -> None:
    assert images(declared) == found


@pytest.mark.parametrize("launch", [{}, {"secure_boot": True}, {"vtpm": True}])
def test_the_successor_of_a_fips_image_is_not_refused(launch: Mapping[str, bool]) -> None:
    [fix] = [str(one.fix) for one in check(user(SIZE, os_sku="Ubuntu2204", fips=True, **launch), today=DAY) if one.code == "AKS103"]
    assert ("`AzureLinux` without trusted launch" in fix) is bool(launch)
    assert [one.code for one in check(user(SIZE, os_sku="AzureLinux", fips=True, **launch), today=DAY) if one.code == "AKS033"] == ["AKS033"] * bool(
        launch
    )
    assert [one.code for one in check(user(os_sku="AzureLinux", fips=True), today=DAY) if one.code == "AKS033"] == []


@pytest.mark.parametrize(
    ("version", "pool", "found"),
    [
        pytest.param("1.36", {"os_sku": "Ubuntu2204"}, ["AKS101 warning", "AKS103 warning"], id="Ubuntu 22.04 at its last version"),
        pytest.param("1.37", {"os_sku": "Ubuntu2204"}, ["AKS035 error"], id="and after it, told once"),
        pytest.param("1.38", {"os_sku": "Ubuntu2404"}, ["AKS101 warning"], id="Ubuntu 24.04 at its last"),
        pytest.param("1.39", {"os_sku": "Ubuntu2404"}, ["AKS035 error"], id="and after it"),
        pytest.param("1.31", {"os_sku": "Ubuntu2404"}, ["AKS035 error"], id="and before its first"),
        pytest.param("1.32", {"os_sku": "ubuntu2404"}, [], id="its first"),
        pytest.param("1.37", {"os_sku": "AzureLinux3"}, ["AKS035 error"], id="Azure Linux 3 after its last"),
        pytest.param("1.37", {"os_sku": "AzureLinux"}, [], id="Azure Linux moves along"),
        pytest.param("1.33", {"os_sku": "AzureContainerLinux"}, ["AKS035 error"], id="Azure Container Linux before 1.34"),
        pytest.param("1.34", {"os_sku": "AzureContainerLinux"}, [], id="from 1.34 on"),
        pytest.param("1.31", {"os_sku": "AzureLinuxOSGuard"}, ["AKS035 error"], id="OS Guard before 1.32"),
        pytest.param("1.32", {"os_sku": "AzureLinuxOSGuard"}, [], id="from 1.32 on"),
        pytest.param("1.37", {"os_sku": "Ubuntu2204", "kubernetes_version": "1.35"}, ["AKS103 warning"], id="the version of the pool counts"),
        pytest.param("1.36", {"os_sku": "AzureContainerLinux", "secure_boot": True, "vtpm": True}, [], id="with what it needs"),
        pytest.param("1.36", {"os_sku": "AzureContainerLinux", "vm_size": ARM}, ["AKS155 error"], id="on arm64 of v5"),
        pytest.param("1.36", {"os_sku": "AzureContainerLinux", "vm_size": COBALT}, [], id="on arm64 of v6"),
        pytest.param("1.36", {"os_sku": "AzureContainerLinux", "vm_size": "Standard_Own_v9"}, [], id="on a size that is not known"),
        pytest.param("1.36", {"os_sku": "AzureLinux", "vm_size": ARM}, [], id="Azure Linux on any arm64"),
    ],
)
def test_versions_and_machines(version: str, pool: Mapping[str, object], found: list[str]) -> None:
    declared = cluster(version, UserPool.model_validate({"vm_size": SIZE, **pool}))
    assert [text.rpartition(" ")[0] for text in images(declared)] == found


@pytest.mark.parametrize(
    ("pool", "found"),
    [
        pytest.param(gpu(os_sku="AzureContainerLinux"), [], id="azure-container-linux-overview: NVIDIA GPUs"),
        pytest.param(gpu(os_sku="AzureLinux"), [], id="use-nvidia-gpu: Azure Linux"),
        pytest.param(gpu(os_sku="Debian"), ["AKS152 error os_sku"], id="an image that does not exist"),
        pytest.param(gpu(tags={"SkipGPUDriverInstall": "true"}), ["AKS164 error tags.SkipGPUDriverInstall"], id="use-nvidia-gpu: the old tag"),
        pytest.param(gpu(tags={"SkipGPUDriverInstall": "false"}), [], id="the tag that skips nothing"),
        pytest.param(gpu(driver="None"), [], id="the driver that is skipped as it should be"),
        pytest.param(user(tags={"SkipGPUDriverInstall": "true"}), [], id="the tag where there is no GPU"),
        pytest.param(user(AMD, tags={"skipgpudriverinstall": "True"}), ["AKS164 error tags.skipgpudriverinstall"], id="names of tags have no case"),
    ],
)
def test_gpus(pool: Model, found: list[str]) -> None:
    assert images(pool) == found


@pytest.mark.parametrize(
    ("channel", "pool", "found"),
    [
        pytest.param("SecurityPatch", user(os_sku="AzureContainerLinux"), ["AKS157 error"], id="Azure Container Linux cannot be patched"),
        pytest.param("Unmanaged", user(os_sku="AzureContainerLinux"), ["AKS157 error"], id="nor patch itself"),
        pytest.param("NodeImage", user(os_sku="AzureContainerLinux"), [], id="it has new images"),
        pytest.param("None", user(os_sku="AzureContainerLinux"), [], id="or none"),
        pytest.param(None, user(os_sku="AzureContainerLinux"), [], id="the default is new images"),
        pytest.param("SecurityPatch", user(os_sku="AzureLinuxOSGuard"), ["AKS157 error"], id="OS Guard cannot be patched"),
        pytest.param("Unmanaged", user(os_sku="AzureLinuxOSGuard"), ["AKS157 error"], id="nor patch itself: OS Guard"),
        pytest.param("SecurityPatch", user(os_sku="AzureLinux"), [], id="Azure Linux can"),
        pytest.param("SecurityPatch", gpu(os_sku="AzureLinux"), ["AKS075 warning"], id="not with GPUs"),
        pytest.param("SecurityPatch", gpu(), [], id="Ubuntu with GPUs can"),
        pytest.param("SecurityPatch", windows(os_sku="Windows2025", fips=True), ["AKS075 warning"], id="Windows gets no patches"),
        pytest.param("Unmanaged", windows(os_sku="Windows2025", fips=True), [], id="Windows leaves itself alone"),
    ],
)
def test_channels(channel: str | None, pool: Model, found: list[str]) -> None:
    assert [text.rpartition(" ")[0] for text in images(cluster("1.36", pool, node_os_upgrade=channel))] == found


@pytest.mark.parametrize(
    ("declared", "day", "found"),
    [
        pytest.param(user(os_sku="flatcar"), DAY, ["AKS160 error os_sku"], id="Flatcar: no new pools"),
        pytest.param(
            user(SNP, os_sku="Flatcar", fips=True), DAY, ["AKS160 error os_sku", "AKS150 error fips"], id="FIPS is the size's, Flatcar its own"
        ),
        pytest.param(user(os_sku="Flatcar"), date(2026, 6, 8), ["AKS160 error os_sku"], id="from the day on"),
        pytest.param(user(os_sku="Flatcar"), date(2026, 6, 7), ["AKS103 warning os_sku"], id="the day before: it retires"),
        pytest.param(user(previous=user(os_sku="Flatcar")), DAY, [], id="a generation that goes may have been anything"),
        pytest.param(user(os_sku="Ubuntu2204"), date(2026, 6, 1), [], id="Ubuntu 22.04: more than a year left, no version known"),
        pytest.param(user(os_sku="Ubuntu2204"), date(2026, 6, 30), ["AKS103 warning os_sku"], id="a year left"),
        pytest.param(user(os_sku="Ubuntu2204"), date(2028, 5, 1), ["AKS103 warning os_sku"], id="gone, by an announcement alone: no error"),
        pytest.param(user(os_sku="Ubuntu2404"), DAY, [], id="Ubuntu 24.04: no day yet"),
        pytest.param(windows(), DAY, [], id="Windows Server 2022, no version known"),
        pytest.param(windows(), date(2027, 7, 1), ["AKS103 warning os_sku"], id="within its last year"),
        pytest.param(windows(), date(2029, 7, 1), ["AKS103 warning os_sku"], id="after its last day"),
        pytest.param(windows(os_sku="Windows2019"), DAY, ["AKS103 warning os_sku"], id="Windows Server 2019 on a version that is not known"),
        pytest.param(
            cluster("1.32", windows(os_sku="Windows2019")), DAY, ["AKS102 note pools.p.os_sku", "AKS103 warning pools.p.os_sku"], id="on 1.32"
        ),
        pytest.param(cluster("1.33", windows(os_sku="Windows2019")), DAY, ["AKS091 error pools.p.os_sku"], id="on 1.33 it is refused, told once"),
        pytest.param(cluster("1.35", windows()), DAY, ["AKS161 note pools.p.os_sku"], id="Windows Server 2022 before its last version"),
        pytest.param(cluster("1.36", windows()), DAY, ["AKS102 note pools.p.os_sku"], id="at its last, told once"),
        pytest.param(cluster("1.31", user(os_sku="AzureLinux")), DAY, ["AKS103 warning pools.p.os_sku"], id="Azure Linux on 1.31 is 2.0"),
        pytest.param(cluster("1.32", user(os_sku="AzureLinux")), DAY, [], id="on 1.32 it is 3.0"),
        pytest.param(cluster("1.31", user(os_sku="CBLMariner")), DAY, ["AKS103 warning pools.p.os_sku"], id="by its old name"),
        pytest.param(cluster("1.31", user(os_sku="AzureLinux3")), DAY, [], id="Azure Linux 3 on 1.31"),
        pytest.param(cluster("1.33", user(SNP)), DAY, ["AKS103 warning pools.p.os_sku"], id="Ubuntu 20.04 on confidential VMs"),
        pytest.param(cluster("1.34", user(SNP)), DAY, [], id="which is 24.04 from 1.34 on"),
        pytest.param(cluster("1.33", user(SNP, os_sku="Ubuntu2404")), DAY, [], id="24.04 on 1.33"),
        pytest.param(cluster("1.34", user(fips=True)), DAY, ["AKS103 warning pools.p.os_sku"], id="FIPS of Ubuntu on 1.34 is 20.04"),
        pytest.param(cluster("1.34", user(fips=True, vtpm=True)), DAY, [], id="with trusted launch it is 22.04"),
        pytest.param(cluster("1.35", user(fips=True)), DAY, [], id="and from 1.35 on"),
        pytest.param(cluster("1.33", user()), DAY, [], id="the default of 1.33 goes with its version"),
        pytest.param(
            *(cluster("1.33", user(), tier="Premium", support_plan="AKSLongTermSupport"), DAY),
            [f"AKS103 warning {where}.os_sku" for where in ("system_pool", "pools.web", "pools.p")],
            id="unless long-term support outlives it",
        ),
        pytest.param(cluster("1.34", user(), tier="Premium", support_plan="AKSLongTermSupport"), DAY, [], id="of 1.34 the pages do not agree"),
        pytest.param(gpu(tags={"SkipGPUDriverInstall": "true"}), date(2025, 8, 13), [], id="the tag, the day before it ended"),
        pytest.param(gpu(previous=gpu(tags={"SkipGPUDriverInstall": "true"})), DAY, [], id="a pool with it that goes"),
    ],
)
def test_retirements_of_pools(declared: Model, day: date, found: list[str]) -> None:
    assert images(declared, day) == found


SUITED = {"dataplane": "azure", "plugin_mode": None}
"""What kubenet has."""
PROFILE = "network_profile.policy"
BASIC, KUBENET = {"network_profile": {"load_balancer_sku": "Basic"}}, {"network_profile": {"network_plugin": "kubenet"}}


@pytest.mark.parametrize(
    ("declared", "day", "found", "says"),
    [
        pytest.param(
            aks(network_profile={"policy": "azure", "dataplane": "azure"}),
            *(DAY, [f"AKS165 warning {PROFILE}"], "Linux ends on 2028-09-30"),
            id="Azure network policy on Linux",
        ),
        pytest.param(
            cluster("1.35", windows(os_sku="Windows2025", fips=True), network_profile={"policy": "azure", "dataplane": "azure"}),
            *(DAY, [f"AKS165 warning {PROFILE}"], "Windows ended on 2026-09-30"),
            id="on Windows, where it has ended",
        ),
        pytest.param(aks(network_profile={"policy": "calico", "dataplane": "azure"}), DAY, [], "", id="Calico stays"),
        pytest.param(aks(), DAY, [], "", id="Cilium stays"),
        pytest.param(
            aks(network_profile={"plugin": "none", "policy": "azure", "dataplane": "azure"}), DAY, [], "", id="of a plugin of one's own nobody knows"
        ),
        pytest.param(
            *(
                aks(network_profile=SUITED, overrides=KUBENET),
                DAY,
                ["AKS166 warning overrides.network_profile.network_plugin"],
                "kubenet ends on 2028-03-31",
            ),
            id="kubenet",
        ),
        pytest.param(
            *(
                aks(network_profile=SUITED, overrides=KUBENET),
                date(2028, 4, 1),
                ["AKS166 warning overrides.network_profile.network_plugin"],
                "ended on 2028-03-31",
            ),
            id="kubenet, after its day",
        ),
        pytest.param(
            aks(network_profile={"plugin": "kubenet"}),
            *(DAY, ["AKS166 warning network_profile.plugin"], "kubenet ends on 2028-03-31"),
            id="kubenet by its field",
        ),
        pytest.param(aks(overrides=KUBENET), DAY, [], "", id="with what it has not it is refused already: AKS230"),
        pytest.param(derive(provisioning(), overrides=KUBENET), DAY, [], "", id="with node auto provisioning it is refused already: NAP016"),
        pytest.param(aks(overrides={"network_profile": {"network_plugin": "azure"}}), DAY, [], "", id="another plugin"),
        pytest.param(
            *(
                aks(overrides=BASIC),
                DAY,
                ["AKS167 error overrides.network_profile.load_balancer_sku"],
                "Basic load balancer, which Azure retired on 2025-09-30",
            ),
            id="the Basic load balancer",
        ),
        pytest.param(
            *(derive(provisioning(), overrides=BASIC), DAY, ["AKS167 error overrides.network_profile.load_balancer_sku"], "2025-09-30"),
            id="with node auto provisioning, told once",
        ),
        pytest.param(
            aks(app_routing=NGINX),
            *(DAY, [f"AKS168 warning {AT_NGINX}"], "managed NGINX of application routing ends on 2026-11-30, in 9 days"),
            id="managed NGINX",
        ),
        pytest.param(
            aks(app_routing=NGINX), date(2026, 12, 1), [f"AKS168 warning {AT_NGINX}"], "ended on 2026-11-30", id="managed NGINX, after its day"
        ),
        pytest.param(aks(app_routing={"enabled": False}), DAY, [], "", id="managed NGINX that is off"),
        pytest.param(aks(app_routing={"enabled": True, "nginx": "None"}), DAY, [], "", id="the operator without NGINX"),
        pytest.param(
            aks(app_routing=NGINX, istio={"revisions": ["asm-1-30"]}),
            *(DAY, [f"AKS168 warning {AT_NGINX}"], "managed NGINX"),
            id="next to a mesh, which has Gateways of its own",
        ),
        pytest.param(
            aks(istio={"revisions": ["asm-1-28"]}),
            *(DAY, ["AKS169 warning istio.revisions[0]"], "Support for the Istio revision `asm-1-28` ended about 2026-08"),
            id="an Istio revision that ended",
        ),
        pytest.param(
            aks(istio={"revisions": ["asm-1-27", "asm-1-28"]}),
            *(DAY, ["AKS169 warning istio.revisions[0]", "AKS169 warning istio.revisions[1]"], "ended about 2026-0"),
            id="two Istio revisions that ended",
        ),
        pytest.param(aks(istio={"revisions": ["asm-1-28", "asm-1-30"]}), DAY, [], "", id="an upgrade of Istio that is in progress"),
        pytest.param(aks(istio={"revisions": ["asm-1-28"], "enabled": False}), DAY, [], "", id="an Istio revision of a mesh that is off"),
        pytest.param(aks(istio={"revisions": ["asm-1-30"]}), date(2026, 12, 31), [], "", id="an Istio revision in its last month"),
        pytest.param(
            aks(istio={"revisions": ["asm-1-30", "asm-1-99"]}),
            *(DAY, ["AKS169 warning istio.revisions[1]"], "`asm-1-99` is not a known revision of the Istio add-on"),
            id="an Istio revision that the table does not have",
        ),
        pytest.param(aks(istio={"revisions": ["asm-1-99"], "enabled": False}), DAY, [], "", id="such a revision of a mesh that is off"),
        pytest.param(aks(overrides=BASIC), date(2025, 9, 29), [], "", id="the day before it ended"),
        pytest.param(aks(overrides={"network_profile": {"load_balancer_sku": "Standard"}}), DAY, [], "", id="the Standard load balancer"),
    ],
)
def test_retirements_of_networks(declared: Model, day: date, found: list[str], says: str) -> None:
    told = [one for one in check(declared, today=day) if "AKS160" <= one.code <= "AKS174"]
    assert [f"{one.code} {one.severity} {one.path}" for one in told] == found
    assert all(says in one.message for one in told)


@pytest.mark.parametrize("name", ["network_plugin", "load_balancer_sku"])
def test_an_override_that_is_judged_is_not_called_unchecked(name: str) -> None:
    def unchecked(**profile: str) -> bool:
        return any(one.code == "PLT020" for one in check(aks(overrides={"network_profile": profile}), today=DAY))

    assert not unchecked(**{name: "azure"})
    assert unchecked(**{name: "azure", "network_mode": "transparent"})


def family(name: str, **fields: object) -> AksNodeClass:
    return AksNodeClass.model_validate({"image_family": name, **fields})


def on(version: str, node_class: AksNodeClass) -> AksClusterArgs:
    return derive(provisioning({"own": aks_pool(node_class="own")}, node_classes={"own": node_class}), kubernetes_version=version)


OWN = "node_provisioning.node_classes.own.image_family"


@pytest.mark.parametrize(
    ("declared", "found"),
    [
        pytest.param(family("Ubuntu"), [], id="Ubuntu"),
        pytest.param(family("AzureLinux"), [], id="Azure Linux"),
        pytest.param(family("Ubuntu2404"), [], id="Ubuntu 24.04"),
        pytest.param(family("Ubuntu2204"), ["AKS162 warning image_family"], id="Ubuntu 22.04"),
        pytest.param(family("Ubuntu", fips_mode="FIPS"), ["AKS162 warning image_family"], id="FIPS of Ubuntu is 20.04 for Karpenter"),
        pytest.param(family("Ubuntu", fips_mode="FIPS", vtpm=True), [], id="with trusted launch it is 22.04"),
        pytest.param(family("AzureLinux", fips_mode="FIPS"), [], id="FIPS of Azure Linux"),
        pytest.param(on("1.31", family("AzureLinux")), [f"AKS162 warning {OWN}"], id="Azure Linux on 1.31 is 2.0"),
        pytest.param(on("1.32", family("AzureLinux")), [], id="on 1.32 it is 3.0"),
        pytest.param(on("1.36", family("Ubuntu2204")), [f"AKS162 warning {OWN}"], id="Ubuntu 22.04 at its last version"),
        pytest.param(on("1.37", family("Ubuntu2204")), [f"AKS162 warning {OWN}"], id="and after it"),
        pytest.param(on("1.37", family("Ubuntu2404")), [], id="on 1.37"),
    ],
)
def test_image_families(declared: Model, found: list[str]) -> None:
    assert images(declared) == found


def test_the_tables_are_of_one_piece() -> None:
    assert {key: row.name.lower() for key, row in OS_SKUS.items()} == {key: key for key in OS_SKUS}
    assert {key: row.name for key, row in RETIREMENTS.items()} == {key: key for key in RETIREMENTS}
    assert all(row.first <= row.last for row in OS_SKUS.values())
    assert all(row.gone is None or row.ends <= row.gone for row in RETIREMENTS.values())
    assert os_sku(None) is os_sku("ubuntu")


@pytest.mark.parametrize(
    ("name", "later"),
    [("Ubuntu2604", True), ("ubuntu2604", True), ("Ubuntu2004", False), ("Windows2028", True), ("Debian12", False), ("Ubuntu", False), ("", False)],
)
def test_later_releases(name: str, *, later: bool) -> None:
    assert is_later(name) is later
