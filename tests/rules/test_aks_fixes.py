"""Fixes of findings about AKS pools and clusters, beyond the samples of the rules: each is applied, and the declaration is checked again."""

import pytest

from nodepools import check
from nodepools.aks import Entra, WorkloadIdentity
from nodepools.model.aks.agent_pool import AgentPool, Autoscale, GpuPool, Spot, SystemPool, UpgradeSettings, UserPool, WindowsPool
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.node_settings import KubeletConfig, LinuxOsConfig, LocalDns, LocalDnsOverride, Sysctls
from nodepools.model.base import Model
from nodepools.rules.engine.finding import Finding, Severity, applied
from nodepools.rules.engine.samples import SIZE, aks, platform
from nodepools.wire.aks.generation import generations
from tests.rules.test_fixes import read_again
from tests.rules.test_samples import DAY

ARM, ARM_6, ACL = "Standard_D4pds_v5", "Standard_D4pds_v6", "AzureContainerLinux"
OVERRIDE = LocalDnsOverride(zone="example.com", forward_destination="VnetDNS")
PASSWORD = {"admin_password": {"stack": "org/secrets/prod", "output": "windows"}}
LONG = "w" * 100
SERVICES_AT, REPLACED = "Set `network_profile.service_cidr` to", "; Pulumi replaces an existing cluster"
ZONES_ADDED = (
    'Add `LocalDnsOverride(zone=".", forward_destination="ClusterCoreDNS")` to `local_dns.kube_dns`, and add '
    '`LocalDnsOverride(zone="cluster.local", forward_destination="ClusterCoreDNS")` to `local_dns.kube_dns`'
)


def user(**fields: object) -> UserPool:
    return UserPool.model_validate({"vm_size": SIZE, **fields})


def upgraded(**settings: object) -> UpgradeSettings:
    return UpgradeSettings.model_validate(settings)


def pool_of(version: str, pool: AgentPool) -> AksClusterArgs:
    return aks(kubernetes_version=version, pools={"p": pool})


def windows(version: str, **fields: object) -> AksClusterArgs:
    pool = WindowsPool.model_validate({"vm_size": SIZE, **fields})
    return aks(kubernetes_version=version, network_profile={"dataplane": "azure"}, pools={"win": pool}, windows_profile=PASSWORD)


def thresholds(high: int | None, low: int | None) -> KubeletConfig:
    return KubeletConfig(image_gc_high_threshold=high, image_gc_low_threshold=low)


def ports(text: str) -> UserPool:
    return user(linux_os=LinuxOsConfig(sysctls=Sysctls(net_ipv4_ip_local_port_range=text)))


def found(whole: Model, code: str) -> list[Finding]:
    return [one for one in check(whole, today=DAY) if one.code == code]


ALONE = " (AKS accepts 1, but cluster DNS then fails with its node)"
DNS = WorkloadIdentity("dns", "external-dns")
APPLIED: dict[str, tuple[Model, str, str]] = {
    "unavailable nodes of a system pool without surge": (
        SystemPool(vm_size=SIZE, count=3, upgrade=upgraded(max_surge="0", max_unavailable="1")),
        "AKS019",
        "Remove `max_unavailable`, and remove `max_surge`",
    ),
    "surge of a spot pool": (user(scale=Autoscale(0, 3), spot=Spot(), upgrade=upgraded(max_surge="1")), "AKS019", "Remove `max_surge`"),
    "no surge of a spot pool": (user(scale=Autoscale(0, 3), spot=Spot(), upgrade=upgraded(max_surge="0")), "AKS020", "Remove `max_surge`"),
    "a full pool of a fixed size": (user(count=1000, upgrade=upgraded(max_surge="50%")), "AKS027", "Set `count` to `666`"),
    "parts of a minute": (upgraded(soak="90s"), "AKS028", 'Set `soak` to `"2m"`'),
    "a drain of seconds is as long as all pages want it": (upgraded(drain_timeout="30s"), "AKS028", 'Set `drain_timeout` to `"5m"`'),
    "a Cilium policy without its dataplane": (
        aks(network_profile={"dataplane": "azure", "policy": "cilium"}),
        "AKS045",
        'Set `dataplane` to `"cilium"`; Pulumi replaces an existing cluster',
    ),
    "a Cilium policy beside Windows": (
        aks(
            kubernetes_version="1.35",
            network_profile={"dataplane": "azure", "policy": "cilium"},
            pools={"win": WindowsPool(vm_size=SIZE)},
            windows_profile=PASSWORD,
        ),
        "AKS045",
        'Set `policy` to `"calico"`',
    ),
    "Windows on Cilium with its policies": (
        aks(
            kubernetes_version="1.35",
            network_profile={"policy": "cilium"},
            pools={"win": WindowsPool(vm_size=SIZE)},
            windows_profile=PASSWORD,
        ),
        "AKS098",
        'Set `network_profile.dataplane` to `"azure"`, and remove `network_profile.policy` (an existing cluster must be replaced)',
    ),
    "a pool that has the fixed name of its previous generation": (
        aks(pools={"web": user(name="web", previous=user(name="web"))}),
        "AKS003",
        "Remove `pools.web.name`",
    ),
    "a generation that is taken": (
        aks(pools={"web": user(generation="b", previous=user(generation="b"))}),
        "AKS003",
        'Set `pools.web.generation` to `"c"`',
    ),
    "swap beside a kubelet": (
        user(linux_os=LinuxOsConfig(swap_file_size="1Gi"), kubelet=KubeletConfig(pod_max_pids=100)),
        "AKS031",
        "Set `kubelet.fail_swap_on` to `False`",
    ),
    "a FIPS image of a release that ends": (
        pool_of("1.37", user(os_sku="AzureLinux3", fips=True)),
        "AKS035",
        'Set `os_sku` to `"AzureLinux"`, which follows the Kubernetes version',
    ),
    "FIPS of the default image of 1.35": (pool_of("1.35", user(fips=True)), "AKS387", 'Set `os_sku` to `"AzureLinux"`'),
    "an image without FIPS for Ubuntu on arm64": (user(vm_size=ARM, fips=True), "AKS033", 'Set `os_sku` to `"AzureLinux"`'),
    "Azure Linux with FIPS and trusted launch": (user(os_sku="AzureLinux", fips=True, vtpm=True), "AKS033", 'Set `os_sku` to `"Ubuntu"`'),
    "Ubuntu on arm64 with FIPS and trusted launch": (
        user(vm_size=ARM_6, os_sku="Ubuntu2404", fips=True, vtpm=True),
        "AKS033",
        'Set `os_sku` to `"AzureLinux"`, and remove `vtpm`',
    ),
    "Azure Linux on arm64 with FIPS and trusted launch": (
        user(vm_size=ARM_6, os_sku="AzureLinux", fips=True, vtpm=True),
        "AKS033",
        "Remove `vtpm`",
    ),
    "trusted launch on a size of generation 1": (
        user(vm_size="Standard_D4_v3", vtpm=True),
        "AKS034",
        f"Remove `vtpm`, or use a newer size such as `{SIZE}`",
    ),
    "pod sandboxing on Windows": (
        WindowsPool(vm_size="Standard_D4s_v3", os_sku="Windows2025", fips=False, workload_runtime="KataVmIsolation"),
        "AKS175",
        "Remove `workload_runtime`",
    ),
    "an OS disk that is too large": (user(os_disk_type="Ephemeral", os_disk_size_gb=2000), "AKS177", "Set `os_disk_size_gb` to `150`"),
    "an OS disk on a size with less than the default": (
        user(vm_size="Standard_D2s_v3", os_disk_type="Ephemeral"),
        "AKS177",
        "Set `os_disk_size_gb` to `50`",
    ),
    "an OS disk on a size with less than the smallest": (
        user(vm_size="Standard_B2s", os_disk_type="Ephemeral", vtpm=True),
        "AKS177",
        "Remove `os_disk_type`",
    ),
    "a high threshold at the default low one": (thresholds(70, None), "AKS032", "Set `image_gc_low_threshold` to `65`"),
    "a high threshold of nothing": (thresholds(0, None), "AKS032", "Set `image_gc_high_threshold` to `85`"),
    "a low threshold at the default high one": (thresholds(None, 90), "AKS032", "Set `image_gc_high_threshold` to `95`"),
    "a low threshold of a full disk": (
        thresholds(None, 100),
        "AKS032",
        "Set `image_gc_high_threshold` to `100`, and set `image_gc_low_threshold` to `95`",
    ),
    "a period that is no duration": (KubeletConfig(cpu_cfs_quota_period="1 s"), "AKS185", 'Set `cpu_cfs_quota_period` to `"100ms"`'),
    "ports in the wrong order": (ports("50000 40000"), "AKS186", 'Set `net_ipv4_ip_local_port_range` to `"32768 60999"`'),
    "LocalDNS without its zones": (
        user(local_dns=LocalDns(kube_dns=[OVERRIDE])),
        "AKS057",
        ZONES_ADDED,
    ),
    "LocalDNS on Windows": (WindowsPool(vm_size=SIZE, os_sku="Windows2025", fips=True, local_dns=LocalDns()), "AKS057", "Remove `local_dns`"),
    "AMD GPUs with a driver of NVIDIA": (GpuPool(vm_size="Standard_ND96isr_MI300X_v5"), "AKS083", 'Set `driver` to `"None"`'),
    "a size for GRID with secure boot": (
        GpuPool(vm_size="Standard_NC36lds_xl_RTXPRO6000BSE_v6", os_sku="AzureLinux", secure_boot=True),
        "AKS191",
        'Set `os_sku` to `"Ubuntu"`, and remove `secure_boot`',
    ),
    "Windows Server 2022 after its last version": (
        windows("1.37", os_sku="Windows2022"),
        "AKS091",
        'Set `os_sku` to `"Windows2025"`, and set `fips` to `True`',
    ),
    "Windows Server 2025 before its first version": (windows("1.31", os_sku="Windows2025", fips=True), "AKS091", 'Set `os_sku` to `"Windows2022"`'),
    "an image without confidential VMs": (user(vm_size="Standard_DC4as_v5", os_sku="Ubuntu2204"), "AKS150", 'Set `os_sku` to `"Ubuntu"`'),
    "pod sandboxing on a confidential VM": (
        user(vm_size="Standard_DC4as_v5", os_sku="AzureLinux", workload_runtime="KataVmIsolation"),
        "AKS150",
        f"Remove `workload_runtime`, or use a size such as `{SIZE}`",
    ),
    "an OS SKU in another case": (user(os_sku="azure-linux"), "AKS152", 'Set `os_sku` to `"AzureLinux"`'),
    "an OS SKU with a typo": (user(os_sku="Ubunto"), "AKS152", 'Set `os_sku` to `"Ubuntu"`, if that is meant'),
    "the tag of a pool that is not a GPU pool": (
        user(vm_size="Standard_NC4as_T4_v3", tags={"SkipGPUDriverInstall": "true"}),
        "AKS164",
        "Remove `tags.SkipGPUDriverInstall`",
    ),
    "a system pool that is empty": (SystemPool(vm_size=SIZE, count=0), "AKS012", f"Set `count` to `2`{ALONE}"),
    "a system pool of one node that scales to zero": (
        SystemPool(vm_size=SIZE, scale=Autoscale(0, 1)),
        "AKS012",
        f"Set `min` to `2`, and set `max` to `2`{ALONE}",
    ),
    "the static credential": (aks(entra=Entra(local_accounts=True)), "AKS240", "Set `entra.local_accounts` to `False`"),
    "identities without an issuer": (
        aks(oidc_issuer=False, workload_identity=False, workload_identities={"dns": DNS}),
        "AKS270",
        "Set `oidc_issuer` to `True`, and set `workload_identity` to `True`",
    ),
    "a large range of public services": (aks(network_profile={"service_cidr": "8.0.0.0/11"}), "AKS218", f'{SERVICES_AT} `"10.0.0.0/16"`{REPLACED}'),
    "a large range of services around the network": (
        aks(network={"cidr": "10.64.0.0/16"}, network_profile={"service_cidr": "10.64.0.0/11"}),
        "AKS218",
        f'{SERVICES_AT} `"10.0.0.0/16"`{REPLACED}',
    ),
    "identities without tokens": (
        aks(workload_identity=False, workload_identities={"dns": DNS}),
        "AKS271",
        "Set `workload_identity` to `True`",
    ),
}
"""Declarations, the code of the finding, and its fix."""


@pytest.mark.parametrize("row", APPLIED)
def test_a_fix_clears_its_finding_and_breaks_nothing(row: str) -> None:
    whole, code, text = APPLIED[row]
    [first, *_] = found(whole, code)
    assert first.fix is not None
    assert first.fix.text == text
    mended = read_again(applied(whole, first.fix.operations))
    assert len(found(mended, code)) < len(found(whole, code))
    before, after = ({one.code for one in check(one, today=DAY) if one.severity is Severity.ERROR} for one in (whole, mended))
    assert after <= before


@pytest.mark.parametrize(
    "pool", [user(), user(fips=True, kubernetes_version="1.34"), user(os_sku="AzureLinux", fips=True), user(vm_size=ARM, fips=True)]
)
def test_other_images_have_fips_or_another_finding(pool: AgentPool) -> None:
    assert found(pool_of("1.36", pool), "AKS387") == []


ADVICE: dict[str, tuple[Model, str, str]] = {
    "FIPS of the default image of 1.35 with trusted launch": (
        pool_of("1.36", user(os_sku="Ubuntu", fips=True, vtpm=True)),
        "AKS387",
        "Set `os_sku` to `Ubuntu2204`, which AKS supports up to Kubernetes 1.36",
    ),
    "a range that is full at its least": (
        user(scale=Autoscale(900, 1000), upgrade=upgraded(max_surge="50%")),
        "AKS027",
        "Lower `upgrade.max_surge`",
    ),
    "a surge of all that there can be": (user(count=10, upgrade=upgraded(max_surge="1000")), "AKS027", "Lower `upgrade.max_surge`"),
    "a subnet of a pool unlike all others": (
        aks(network={"cidr": "10.10.0.0/16", "pool_subnets": {"training": "10.10.64.0/24"}}),
        "AKS043",
        "Use the key of a pool, such as `system` or `web`",
    ),
    "a key without a letter or digit": (
        platform(__=aks()),
        "AKS063",
        "Use at most 86 letters, digits and hyphens, with a letter or digit at the end",
    ),
    "two pools whose names in Azure meet": (aks(pools={"web": user(name="system")}), "AKS003", "Use another `pools.web.name`, or remove it"),
    "a pool without the label needs its name": (aks(pools={"web": user(name="system", labeled=False)}), "AKS003", "Use another `pools.web.name`"),
    "a name that another pool's key makes": (
        aks(system_pool={"name": next(iter(generations(aks(pools={"web": user()})))).name}, pools={"web": user()}),
        "AKS003",
        "Use another key for `web`",
    ),
    "an image with FIPS and trusted launch before its first version": (
        pool_of("1.33", user(os_sku=ACL, fips=True, vtpm=True)),
        "AKS035",
        'Set `os_sku` to `"AzureLinux"`, which follows the Kubernetes version',
    ),
    "an old GPU of AMD": (GpuPool(vm_size="Standard_NV4as_v4"), "AKS083", "Use a size with NVIDIA GPUs, such as `Standard_NC24ads_A100_v4`"),
    "Ubuntu 22.04 with FIPS": (
        user(os_sku="Ubuntu2204", fips=True),
        "AKS103",
        "Set `os_sku` to `AzureLinux`, or to `Ubuntu2404` without FIPS from Kubernetes 1.32 on",
    ),
    "AMD GPUs on Windows": (
        WindowsPool(vm_size="Standard_ND96isr_MI300X_v5", os_sku="Windows2025", fips=True),
        "AKS187",
        "Use a size with NVIDIA GPUs",
    ),
}
"""Findings whose fix is advice alone."""


@pytest.mark.parametrize("row", ADVICE)
def test_where_a_change_is_not_certain_there_is_advice(row: str) -> None:
    whole, code, text = ADVICE[row]
    [first, *_] = found(whole, code)
    assert first.fix is not None
    assert (first.fix.text, first.fix.operations) == (text, ())


def test_long_names_and_values_are_cut_in_messages() -> None:
    [label] = found(user(labels={"team": LONG}), "AKS023")
    [name] = found(platform(**{LONG: aks()}), "AKS063")
    assert label.message == f"`{'w' * 63}…` is not a valid label value"
    assert name.message == f"`dev-{'w' * 26}…`, platform name and cluster key, must be at most 90 letters, digits and hyphens"
    assert label.value == LONG


def test_support_that_ends_tells_the_days_that_are_left() -> None:
    [soon] = found(user(os_sku="Ubuntu2204"), "AKS103")
    assert soon.message.startswith("Support for Ubuntu 22.04 ends on 2027-06-30, in 221 days: no security patches and no new pools after that")
    [gone] = found(user(os_sku="Flatcar"), "AKS160")
    assert gone.message == "AKS retired Flatcar Container Linux on 2026-06-08, and deleted its node images on 2026-09-08: new pools are rejected"
