"""Effects of edits of a declaration. The rows are those of docs/facts: each property with what a change of it does."""

from dataclasses import replace
from datetime import date
from typing import cast

import pytest

from nodepools import (
    AksClusterArgs,
    AksNetworkArgs,
    AksNodePool,
    ApiServer,
    Autoscale,
    Budget,
    Disruption,
    EksClusterArgs,
    ExistingEksNetwork,
    NodeProvisioning,
    Platform,
    Requirement,
    SystemPool,
    Taint,
    UpgradeSettings,
    UserPool,
    Weekly,
    WindowsPool,
    derive,
)
from nodepools.aks import (
    Entra,
    EtcdKey,
    ImageCache,
    KeyVaultProvider,
    KubeletIdentity,
    NatGateway,
    NetworkProfile,
)
from nodepools.changes.platform_changes import diff, request_set_changes, requests_of
from nodepools.clouds.amounts import NOTHING, Amount, exactly
from nodepools.clouds.change import Requests
from nodepools.clouds.reasons import reason
from nodepools.eks import AccessEntry, AddOn, ControlPlane, IdentityProvider, LogGroup, NewKey, PodIdentity, PodRole
from nodepools.model.aks.cluster import CAS_BLOCK, NAP_BLOCK
from nodepools.wire.table import Effect
from tests.changes.declared import ARCH, PLATFORM, ZONE, ZONES, Edit, agent_pool, changed, cluster, eks_class, nap_class, nap_pool, one, without

WEU, NAP = cast("AksClusterArgs", PLATFORM.clusters["weu"]), cast("AksClusterArgs", PLATFORM.clusters["nap"])
USE1 = cast("EksClusterArgs", PLATFORM.clusters["use1"])
PROVISIONING = cast("NodeProvisioning", NAP.node_provisioning)
Fields = dict[str, object]


def compute(**fields: object) -> Fields:
    return {"auto_mode": {"node_pools": {"compute": fields}}}


def network(cidr: str) -> Fields:
    return {"network": AksNetworkArgs(cidr=cidr, node_subnet_cidr="10.10.0.0/18")}


SMALL_NODES = network("10.10.0.0/16")
WINDOWS: Fields = {
    "network_profile": {"dataplane": "azure", "policy": "azure"},
    "windows_profile": {"admin_username": "ops", "admin_password": "Passw0rd-Passw0rd"},
    "pools": {"win": WindowsPool(vm_size="Standard_D4ds_v5", count=2)},
}
GRACE = "auto_mode.node_pools.compute.termination_grace_period"
PROXY, NO_PROXY = {"http": "http://proxy:3128", "https": "http://proxy:3128", "no_proxy": ["a", "b"]}, "http_proxy.no_proxy"
UNSCALED: Fields = {"pools": {"web": {"scale": None, "count": 20}}}
BOTH = NodeProvisioning(with_cluster_autoscaler=True)
NO_POOLS = NodeProvisioning(default_node_pools="None")
SCALED = UserPool(vm_size="Standard_D2ds_v5", scale=Autoscale(1, 5))
GIVEN = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Other/a"
CLASSES = ("AKSNodeClass/dev-nap-big", "AKSNodeClass/dev-nap-other")
SAME_ZONES = Requirement(ZONE, "In", ["westeurope-2", "westeurope-1"])

EDITS = {
    # agent pools
    "a vm size rotates": (lambda: agent_pool("web", vm_size="Standard_D4ds_v5"), "web.vm_size", "rotates"),
    "zones in another order are the same": (lambda: agent_pool("fixed", zones=[2, 1]), "fixed.zones", "none"),
    "other zones rotate": (lambda: agent_pool("fixed", zones=[1, 3]), "fixed.zones", "rotates"),
    "a generation rotates": (lambda: agent_pool("web", generation="2"), "web.generation", "rotates"),
    "a subnet of its own rotates": (
        lambda: cluster("weu", network=AksNetworkArgs(cidr="10.10.0.0/16", pool_subnets={"web": "10.10.128.0/20"})),
        "web.vnet_subnet_id",
        "rotates",
    ),
    "a pool with a fixed name cannot rotate": (lambda: agent_pool("own", max_pods=60), "own.max_pods", "refused"),
    "another size of a pool with a fixed name replaces it": (lambda: agent_pool("own", vm_size="Standard_D4ds_v5"), "own.vm_size", "replaces"),
    "a generation is no part of a fixed name": (lambda: agent_pool("own", generation="2"), "own.generation", "none"),
    "the default image is none": (lambda: agent_pool("web", os_sku="Ubuntu"), "web.os_sku", "none"),
    "a version reimages": (lambda: agent_pool("own", kubernetes_version="1.35"), "own.kubernetes_version", "reimages"),
    "a lower version is rejected": (lambda: agent_pool("own", kubernetes_version="1.33"), "own.kubernetes_version", "refused"),
    "a pool follows its cluster": (lambda: cluster("weu", kubernetes_version="1.36"), "web.kubernetes_version", "reimages"),
    "a node image reimages": (lambda: agent_pool("web", os_sku="AzureLinux"), "web.os_sku", "reimages"),
    "FIPS reimages": (lambda: agent_pool("web", fips=True), "web.fips", "reimages"),
    "the default of FIPS is none": (lambda: agent_pool("web", fips=False), "web.fips", "none"),
    "SSH access waits for an image": (lambda: agent_pool("web", ssh_access="Disabled"), "web.ssh_access", "in_place_later"),
    "a label is in place": (lambda: agent_pool("web", labels={"tier": "api"}), "web.labels.tier", "in_place"),
    "the label of the pool is in place": (lambda: agent_pool("own", labeled=False), 'own.labels["nodepools/name"]', "in_place"),
    "a taint is in place": (lambda: agent_pool("web", taints=[Taint("a", "b")]), "web.taints", "in_place"),
    "a NoExecute taint evicts pods": (lambda: agent_pool("web", taints=[Taint("a", "b", "NoExecute")]), "web.taints", "in_place_pods"),
    "taints in another order are the same": (
        lambda: agent_pool("fixed", taints=[Taint("c", "d"), Taint("a", "b")]),
        "fixed.taints",
        "none",
    ),
    "scale bounds are in place": (lambda: agent_pool("web", scale=Autoscale(2, 10)), "web.scale.max", "in_place"),
    "the count of a scaled pool is ignored": (lambda: agent_pool("web", count=5), "web.count", "ignored"),
    "a lower count removes nodes": (lambda: agent_pool("fixed", count=1), "fixed.count", "removes_nodes"),
    "a higher count is in place": (lambda: agent_pool("fixed", count=5), "fixed.count", "in_place"),
    "a stopped pool has no nodes": (lambda: agent_pool("fixed", power_state="Stopped"), "fixed.power_state", "removes_nodes"),
    "upgrade settings are kept": (lambda: agent_pool("web", upgrade=None), "web.upgrade", "ignored"),
    "an override of an unknown argument": (lambda: agent_pool("web", overrides={"new_thing": 1}), "web.overrides.new_thing", "unknown"),
    "an override of a known argument": (lambda: agent_pool("web", overrides={"tags": {"a": "b"}}), "web.overrides.tags.a", "in_place"),
    "a pool that is removed": (lambda: without("weu", "pools", "fixed"), "pools.fixed", "removes_nodes"),
    "a pool that is added": (lambda: cluster("weu", pools={"new": UserPool(vm_size="Standard_D2ds_v5")}), "pools.new", "creates"),
    "a fixed field of the first pool": (
        lambda: cluster("weu", system_pool=derive(WEU.system_pool, vm_size="Standard_D8ds_v5")),
        "system_pool.vm_size",
        "refused",
    ),
    "the count of the first pool": (lambda: cluster("weu", system_pool=derive(WEU.system_pool, count=1)), "system_pool.count", "removes_nodes"),
    # AKS clusters
    "a location replaces": (lambda: cluster("weu", location="francecentral"), "weu.location", "replaces"),
    "a dataplane replaces": (lambda: cluster("weu", network_profile=NetworkProfile(dataplane="azure", policy="azure")), "dataplane", "replaces"),
    "an outbound type replaces": (
        lambda: cluster("weu", network_profile=NetworkProfile(outbound_type="userDefinedRouting")),
        "outbound_type",
        "replaces",
    ),
    "a control plane is upgraded in place": (lambda: cluster("weu", kubernetes_version="1.36"), "weu.kubernetes_version", "in_place"),
    "no version is skipped": (lambda: cluster("weu", kubernetes_version="1.37"), "weu.kubernetes_version", "refused"),
    "no version is lower": (lambda: cluster("weu", kubernetes_version="1.34"), "weu.kubernetes_version", "refused"),
    "a minor version can stand for any patch": (lambda: cluster("weu", kubernetes_version="1.35.4"), "weu.kubernetes_version", "unknown"),
    "a version rolls NodePools": (lambda: cluster("nap", kubernetes_version="1.36"), "nap.kubernetes_version", "rolls"),
    "Entra cannot be turned off": (lambda: cluster("weu", entra=None), "weu.entra", "refused"),
    "a tier is in place": (lambda: cluster("weu", tier="Free"), "weu.tier", "in_place"),
    "Unmanaged reimages": (lambda: cluster("weu", node_os_upgrade="Unmanaged"), "weu.node_os_upgrade", "reimages"),
    "another image channel is in place": (lambda: cluster("weu", node_os_upgrade="SecurityPatch"), "weu.node_os_upgrade", "in_place"),
    "an upgrade channel is in place": (lambda: cluster("weu", auto_upgrade="patch"), "weu.auto_upgrade", "in_place"),
    "node provisioning is turned off": (lambda: cluster("nap", node_provisioning=None), "nap.node_provisioning", "refused"),
    "built-in NodePools off": (
        lambda: cluster("nap", node_provisioning=derive(PROVISIONING, default_node_pools="None")),
        "default_node_pools",
        "unknown",
    ),
    "the first registry gives nodes another identity": (lambda: cluster("weu", registries=["/acr"]), "weu.registries", "reimages"),
    "an identity of nodes": (lambda: cluster("weu", kubelet_identity=KubeletIdentity()), "weu.kubelet_identity", "reimages"),
    "the scope of the network right": (lambda: cluster("weu", network_rights="subnets"), "weu.network_rights", "in_place"),
    "a NAT gateway moves the traffic": (
        lambda: cluster("weu", network=AksNetworkArgs(cidr="10.10.0.0/16", nat=NatGateway())),
        "weu.network.nat",
        "in_place_pods",
    ),
    "a force of upgrades": (lambda: cluster("weu", force_upgrade_until="2026-12-01T00:00:00Z"), "weu.force_upgrade_until", "in_place"),
    "images from a cache": (lambda: cluster("weu", image_cache=ImageCache()), "weu.image_cache", "in_place_later"),
    "the protection that is the default": (lambda: cluster("weu", protect=True), "weu.protect", "none"),
    "without protection": (lambda: cluster("weu", protect=False), "weu.protect", "none"),
    "another resource group replaces": (lambda: cluster("weu", resource_group="rg-b"), "weu.resource_group", "replaces"),
    "an identity whose roles nobody knows": (lambda: cluster("weu", identity=f"{GIVEN}/i"), "weu.identity", "unknown"),
    "the identity that AKS assigns": (lambda: cluster("weu", identity="system"), "weu.identity", "unknown"),
    "disks without their driver": (lambda: cluster("weu", storage={"disk": False}), "storage.disk", "in_place_pods"),
    "a driver that is on by default": (lambda: cluster("weu", storage={"disk": True}), "storage.disk", "none"),
    "a driver that is turned on": (lambda: cluster("weu", storage={"blob": True}), "storage.blob", "in_place"),
    "no workload identity": (lambda: cluster("weu", workload_identity=False), "weu.workload_identity", "in_place_pods"),
    "an override of the first pool": (
        lambda: cluster("weu", system_pool=derive(WEU.system_pool, overrides={"tags": {"a": "b"}})),
        "system_pool.overrides.tags.a",
        "in_place",
    ),
    "an override that the first pool rejects": (
        lambda: cluster("weu", system_pool=derive(WEU.system_pool, overrides={"max_pods": 50})),
        "system_pool.overrides.max_pods",
        "refused",
    ),
    "the first pool has no generation": (
        lambda: cluster("weu", system_pool=derive(WEU.system_pool, generation="2")),
        "system_pool.generation",
        "none",
    ),
    "a size of the first pool in other capitals": (
        lambda: cluster("weu", system_pool=derive(WEU.system_pool, vm_size="standard_d4ds_v5")),
        "system_pool.vm_size",
        "unknown",
    ),
    "a role without a change of the cluster": (lambda: cluster("weu", private_dns_zone=f"{GIVEN}/z"), "weu.private_dns_zone", "in_place"),
    "a device plugin without GPU pools": (lambda: cluster("weu", gpu_operator=True), "weu.gpu_operator", "none"),
    "objects that no longer exist in Pulumi": (lambda: cluster("nap", apply="render"), "nap.apply", "unknown"),
    "another tool for no objects": (lambda: cluster("weu", apply="render"), "weu.apply", "none"),
    "an override of the cluster": (
        lambda: cluster("weu", overrides={"http_proxy_config": {"http_proxy": "x"}}),
        "http_proxy_config.http_proxy",
        "reimages",
    ),
    # NodePools
    "the label of the pool rolls": (lambda: nap_pool("general", labeled=False), 'general.labels["nodepools/name"]', "rolls"),
    "a label rolls": (lambda: nap_pool("general", labels={"a": "b"}), "general.labels.a", "rolls"),
    "a duration respelled is the same": (lambda: nap_pool("general", expire_after="28800m"), "general.expire_after", "none"),
    "another duration rolls": (lambda: nap_pool("general", expire_after="240h"), "general.expire_after", "rolls"),
    "Never rolls": (lambda: nap_pool("general", expire_after="Never"), "general.expire_after", "rolls"),
    "a default said aloud is no change": (lambda: nap_pool("fixed", expire_after="720h"), "fixed.expire_after", "none"),
    "a grace period of zero rolls": (lambda: nap_pool("general", termination_grace_period="0s"), "termination_grace_period", "rolls"),
    "requirements in another order": (lambda: nap_pool("general", requirements=[SAME_ZONES, ARCH]), "general.requirements", "none"),
    "a requirement removed": (lambda: nap_pool("general", requirements=[ARCH]), "general.requirements", "in_place"),
    "a requirement narrowed": (
        lambda: nap_pool("general", requirements=[ARCH, Requirement(ZONE, "In", ["westeurope-1"])]),
        "general.requirements",
        "rolls_some",
    ),
    "a wrong unit": (lambda: nap_pool("general", requirements=[ARCH, Requirement(ZONE, "In", ["1"])]), "general.requirements", "rolls"),
    "a requirement on a key of one's own": (
        lambda: nap_pool("general", requirements=[ARCH, ZONES, Requirement("team", "In", ["a"])]),
        "general.requirements",
        "rolls",
    ),
    "an exclusion of a key of one's own": (
        lambda: nap_pool("general", requirements=[ARCH, ZONES, Requirement("team", "NotIn", ["a"])]),
        "general.requirements",
        "in_place",
    ),
    "weight never drifts": (lambda: nap_pool("general", weight=7), "general.weight", "in_place"),
    "a limit never drifts": (lambda: nap_pool("general", limits={"nodes": 5}), "general.limits.nodes", "in_place"),
    "disruption never drifts": (lambda: nap_pool("general", disruption=Disruption(consolidate_after="5m")), "consolidate_after", "in_place"),
    "fewer replicas": (lambda: nap_pool("fixed", replicas=1), "fixed.replicas", "removes_nodes"),
    "static becomes dynamic": (lambda: nap_pool("fixed", replicas=None), "fixed.replicas", "refused"),
    "another node class rolls": (lambda: nap_pool("general", node_class="other"), "general.node_class", "rolls"),
    "a NodePool that is removed": (lambda: without("nap", "node_provisioning", "node_pools", "general"), "node_pools.general", "removes_nodes"),
    "a window is sent as budgets": (
        lambda: cluster("nap", maintenance=Weekly(days="sun", start="02:00", hours=6)),
        "general.disruption.budgets",
        "in_place",
    ),
    # node classes
    "a field of a class rolls its pools": (lambda: nap_class("big", os_disk_size_gb=512), "big.os_disk_size_gb", "rolls"),
    "tags of a class are patched": (lambda: nap_class("big", tags={"a": "b"}), "big.tags.a", "in_place"),
    "a default of a class is no change": (lambda: nap_class("other", os_disk_size_gb=128), "other.os_disk_size_gb", "none"),
    "a block that changes nothing rolls": (lambda: nap_class("big", gpu_mode="Driver"), "big.gpu_mode", "rolls"),
    # EKS
    "a region replaces": (lambda: cluster("use1", region="us-west-2"), "use1.region", "replaces"),
    "a version rolls Auto Mode": (lambda: cluster("use1", kubernetes_version="1.36"), "use1.kubernetes_version", "rolls"),
    "EKS skips no version": (lambda: cluster("use1", kubernetes_version="1.37"), "use1.kubernetes_version", "refused"),
    "a built-in pool off": (
        lambda: cluster("use1", auto_mode=derive(USE1.auto_mode, built_in_node_pools=["system"])),
        "built_in_node_pools",
        "removes_nodes",
    ),
    "a service range replaces": (lambda: cluster("use1", service_cidr="10.99.0.0/16"), "use1.service_cidr", "replaces"),
    "the creator is ignored": (lambda: cluster("use1", creator_is_admin=False), "use1.creator_is_admin", "ignored"),
    "logs are in place": (lambda: cluster("use1", log_types=["api"]), "use1.log_types", "in_place"),
    "a key is added in place": (lambda: cluster("use1", secrets_key="arn:aws:kms:us-east-1:1:key/a"), "use1.secrets_key", "in_place"),
    "routed egress is in place": (lambda: cluster("use1", control_plane_egress="CUSTOMER_ROUTED"), "control_plane_egress", "in_place"),
    "storage of a class rolls": (lambda: eks_class(ephemeral_storage="200Gi"), "private.ephemeral_storage", "rolls"),
    "a policy of a class": (lambda: eks_class(network_policy="DefaultDeny"), "private.network_policy", "unknown"),
    "a role of a class": (lambda: eks_class(role="another"), "private.role", "rolls"),
    "an add-on": (lambda: cluster("use1", add_ons={"metrics-server": AddOn()}), "metrics-server", "creates"),
    "the retention of logs": (lambda: cluster("use1", logs=LogGroup(retention_days=30)), "logs.retention_days", "in_place"),
    "a log group that is left to others": (lambda: cluster("use1", logs=LogGroup(existing=True)), "use1.logs", "deletes"),
    "pods are packed": (lambda: cluster("use1", control_plane=ControlPlane(scoring="MostAllocated")), "control_plane.scoring", "in_place"),
    "zonal shift": (lambda: cluster("use1", zonal_shift=True), "use1.zonal_shift", "in_place"),
    "the other family": (lambda: cluster("use1", ip_family="IPv6"), "use1.ip_family", "replaces"),
    "names of roles": (lambda: cluster("use1", role_names="regional"), "use1.role_names", "replaces"),
    "endpoints": (lambda: cluster("use1", network=derive(USE1.network, endpoints=["s3"])), "network.endpoints", "in_place"),
    "a second family": (lambda: cluster("use1", network=derive(USE1.network, ipv6=True)), "network.ipv6", "in_place"),
    "no public subnets": (
        lambda: cluster("use1", network=derive(USE1.network, public_subnets=False, nat=None)),
        "network.public_subnets",
        "in_place_pods",
    ),
    "access": (lambda: cluster("use1", access_entries={"a": AccessEntry(principal="arn:aws:iam::1:role/a")}), "access_entries.a", "creates"),
    "a path of roles": (lambda: cluster("use1", iam_path="/a/"), "use1.cluster_role", "replaces"),
    "an admin": (lambda: cluster("use1", admins=["arn:aws:iam::1:role/a"]), "use1.admins[0]", "creates"),
    "a VPC, which the cluster stays in": (lambda: cluster("use1", network=derive(USE1.network, cidr="10.31.0.0/16")), "network.cidr", "refused"),
    "zones": (lambda: cluster("use1", network=derive(USE1.network, zones=["us-east-1a", "us-east-1b"])), "network.zones", "refused"),
    "nat": (lambda: cluster("use1", network=derive(USE1.network, nat="single")), "network.nat", "in_place_pods"),
}


@pytest.mark.parametrize(("edit", "path", "effect"), EDITS.values(), ids=EDITS)
def test_effect(edit: Edit, path: str, effect: str) -> None:
    found = one(edit(), path)
    assert found.effect.value == effect
    assert found.message
    assert found.source


DAY = date(2026, 11, 26)
VERSIONS = [
    pytest.param("weu", "1.35", "1.37", {}, "refused", id="AKS skips no version"),
    pytest.param("weu", "1.35", "1.37", {"support_plan": "AKSLongTermSupport", "tier": "Premium"}, "unknown", id="long-term support can skip"),
    pytest.param("weu", "1.32", "1.34", {}, "unknown", id="a version without support can go to the oldest that has it"),
    pytest.param("weu", "1.32", "1.33", {}, "unknown", id="a version without support is not offered"),
    pytest.param("weu", "1.36", "1.35", {}, "refused", id="AKS goes back to no version"),
    pytest.param("use1", "1.35", "1.37", {}, "refused", id="EKS skips no version"),
    pytest.param("use1", "1.36", "1.35", {}, "unknown", id="EKS goes back by one for some days"),
    pytest.param("use1", "1.36", "1.34", {}, "refused", id="and by no more"),
]


@pytest.mark.parametrize(("key", "old", "new", "fields", "effect"), VERSIONS)
def test_which_versions_a_cluster_can_have_next(key: str, old: str, new: str, fields: Fields, effect: str) -> None:
    sides = [cluster(key, kubernetes_version=version, **fields) for version in (old, new)]
    found = diff(*sides, DAY).all
    effects = {change.effect.value for change in found if change.steps == ("clusters", key, "kubernetes_version")}
    assert effects == {effect}


@pytest.mark.parametrize(("version", "effect"), [("1.33", "refused"), ("1.36", "in_place")])
def test_an_upgrade_policy_changes_only_in_standard_support(version: str, effect: str) -> None:
    old, new = (cluster("use1", kubernetes_version=version, upgrade_policy=policy) for policy in ("EXTENDED", "STANDARD"))
    assert [change.effect.value for change in diff(old, new, DAY).all] == [effect]


def test_what_depends_on_support_is_judged_for_the_day() -> None:
    """In standard support on one day, and not on another."""
    old, new = (cluster("use1", kubernetes_version="1.35", upgrade_policy=policy) for policy in ("EXTENDED", "STANDARD"))
    assert [[change.effect.value for change in diff(old, new, day).all] for day in (DAY, date(2028, 1, 1))] == [["in_place"], ["refused"]]


BETWEEN: dict[str, tuple[str, Fields, Fields, str, str]] = {
    "a patch of the declared minor version": ("weu", {"kubernetes_version": "1.35.1"}, {"kubernetes_version": "1.35"}, "kubernetes_version", "none"),
    **{
        f"{name} after an autoscaler": (
            "weu",
            {"pools": {"web": {"scale": Autoscale(2, 6)}}},
            {"pools": {"web": {"scale": None, "count": count}}},
            "pools.web.scale",
            effect,
        )
        for name, count, effect in (
            ("the most that it can have given", 6, "in_place"),
            ("fewer than it can have given", 3, "unknown"),
            ("fewer than it gives", 1, "removes_nodes"),
        )
    },
    "the same count after an autoscaler": (
        "weu",
        {"pools": {"web": {"scale": Autoscale(2, 6), "count": 3}}},
        {"pools": {"web": {"scale": None}}},
        "pools.web.scale",
        "unknown",
    ),
    "the first pool after its autoscaler": (
        "weu",
        {"system_pool": {"scale": Autoscale(3, 6)}},
        {"system_pool": {"scale": None, "count": 3}},
        "system_pool.scale",
        "unknown",
    ),
    "a higher patch": ("weu", {"kubernetes_version": "1.35.1"}, {"kubernetes_version": "1.35.3"}, "kubernetes_version", "in_place"),
    "a lower patch": ("weu", {"kubernetes_version": "1.35.3"}, {"kubernetes_version": "1.35.1"}, "kubernetes_version", "refused"),
    "a patch that a channel can have passed": (
        "weu",
        {"kubernetes_version": "1.35.1", "auto_upgrade": "patch"},
        {"kubernetes_version": "1.35.3"},
        "kubernetes_version",
        "unknown",
    ),
    "a version that a channel can have passed": ("weu", {"auto_upgrade": "stable"}, {"kubernetes_version": "1.36"}, "kubernetes_version", "unknown"),
    "a minor version is beyond the channel": ("weu", {"auto_upgrade": "patch"}, {"kubernetes_version": "1.36"}, "kubernetes_version", "in_place"),
    "another group than one that exists": ("weu", {"resource_group": "a"}, {"resource_group": "b"}, "resource_group", "replaces"),
    "a group of its own": ("weu", {"resource_group": "a"}, {"resource_group": None}, "resource_group", "replaces"),
    "an identity of its own": ("weu", {"identity": f"{GIVEN}/i"}, {"identity": None}, "identity", "in_place"),
    "another identity": ("weu", {"identity": f"{GIVEN}/i"}, {"identity": f"{GIVEN}/j"}, "identity", "unknown"),
    "a key that AKS keeps without its role": (
        "weu",
        {"etcd_key": EtcdKey(f"{GIVEN}/k", vault_id=f"{GIVEN}/v")},
        {"etcd_key": None},
        "etcd_key",
        "unknown",
    ),
    "a key without a vault has no role": ("weu", {"etcd_key": EtcdKey(f"{GIVEN}/k")}, {"etcd_key": None}, "etcd_key", "ignored"),
    "addresses that AKS keeps without their role": (
        "weu",
        {"network_profile": {"load_balancer": {"outbound_ip_ids": [f"{GIVEN}/p"]}}},
        {"network_profile": {"load_balancer": None}},
        "network_profile.load_balancer",
        "unknown",
    ),
    "another vault": (
        "weu",
        {"key_vault_provider": KeyVaultProvider(vaults=[f"{GIVEN}/v"])},
        {"key_vault_provider": KeyVaultProvider(vaults=[f"{GIVEN}/w"])},
        "key_vault_provider.vaults",
        "in_place_pods",
    ),
    "one more registry": ("weu", {"registries": ["/a"]}, {"registries": ["/a", "/b"]}, "registries", "in_place"),
    "one registry less": ("weu", {"registries": ["/a", "/b"]}, {"registries": ["/a"]}, "registries", "in_place_pods"),
    "another key, which nobody sends": ("use1", {"secrets_key": "arn:a"}, {"secrets_key": "arn:b"}, "secrets_key", "in_place_pods"),
    "no key": ("use1", {"secrets_key": "arn:a"}, {"secrets_key": None}, "secrets_key", "replaces"),
    "no new key": ("use1", {"new_secrets_key": NewKey()}, {"new_secrets_key": None}, "new_secrets_key", "replaces"),
    "a new key is rotated more often": (
        *("use1", {"new_secrets_key": NewKey()}, {"new_secrets_key": {"rotation_days": 90}}),
        *("new_secrets_key.rotation_days", "in_place"),
    ),
    "a key that Pulumi deletes and EKS goes on with": (
        *("use1", {"new_secrets_key": NewKey()}, {"new_secrets_key": None, "secrets_key": "arn:a"}),
        *("new_secrets_key", "deletes"),
    ),
    "another client of an identity provider": (
        *(
            "use1",
            {"identity_provider": IdentityProvider(name="a", issuer_url="https://a", client_id="a")},
            {"identity_provider": {"client_id": "b"}},
        ),
        *("identity_provider.client_id", "replaces"),
    ),
    "node provisioning next to an autoscaler": ("weu", {}, {"node_provisioning": NodeProvisioning()}, "node_provisioning", "refused"),
    "the autoscaler is turned off after node provisioning is turned on": (
        "weu",
        {},
        {"node_provisioning": NodeProvisioning(), "pools": {"web": {"scale": None, "count": 20}}},
        "node_provisioning",
        "refused",
    ),
    "without an autoscaler": ("weu", UNSCALED, {"node_provisioning": NodeProvisioning()}, "node_provisioning", "in_place"),
    "both of them are declared": ("weu", {}, {"node_provisioning": BOTH}, "node_provisioning", "in_place"),
    "both of them have taints": (
        "weu",
        {"pools": {"web": {"taints": [CAS_BLOCK]}}},
        {"node_provisioning": NodeProvisioning()},
        "node_provisioning",
        "in_place",
    ),
    "both of them, with a label like the key of the taint": (
        "weu",
        {"pools": {"web": {"labels": {CAS_BLOCK.key: "x"}}}},
        {"node_provisioning": NodeProvisioning()},
        "node_provisioning",
        "refused",
    ),
    "both of them, with a taint of a NodePool": (
        "weu",
        {},
        {"node_provisioning": NodeProvisioning(node_pools={"general": AksNodePool(requirements=[ARCH], taints=[NAP_BLOCK])})},
        "node_provisioning",
        "in_place",
    ),
    "node provisioning off next to a NodePool": ("nap", {}, {"node_provisioning": None}, "node_provisioning", "refused"),
    "off without one": ("weu", {**UNSCALED, "node_provisioning": NO_POOLS}, {"node_provisioning": None}, "node_provisioning", "unknown"),
    "off next to one that is off": (
        "weu",
        {**UNSCALED, "node_provisioning": NodeProvisioning(node_pools={"general": AksNodePool(requirements=[ARCH], limits={"cpu": 0})})},
        {"node_provisioning": None},
        "node_provisioning",
        "unknown",
    ),
    "a static NodePool without room": (
        "nap",
        {"node_provisioning": {"node_pools": {"fixed": {"limits": {"nodes": 3}}}}},
        {"node_provisioning": {"node_pools": {"fixed": {"expire_after": "48h"}}}},
        "node_provisioning.node_pools.fixed.expire_after",
        "in_place",
    ),
    "a static NodePool with room": (
        "nap",
        {"node_provisioning": {"node_pools": {"fixed": {"limits": {"nodes": 4}}}}},
        {"node_provisioning": {"node_pools": {"fixed": {"expire_after": "48h"}}}},
        "node_provisioning.node_pools.fixed.expire_after",
        "rolls",
    ),
    "room for those that drifted before": (
        "nap",
        {"node_provisioning": {"node_pools": {"fixed": {"limits": {"nodes": 3}}}}},
        {"node_provisioning": {"node_pools": {"fixed": {"limits": {"nodes": 4}}}}},
        "node_provisioning.node_pools.fixed.limits.nodes",
        "rolls_some",
    ),
    "a class of a NodePool without room": (
        "nap",
        {"node_provisioning": {"node_pools": {"fixed": {"limits": {"nodes": 3}, "node_class": "other"}}}},
        {"node_provisioning": {"node_classes": {"other": {"os_disk_size_gb": 512}}}},
        "node_provisioning.node_classes.other.os_disk_size_gb",
        "in_place",
    ),
    "an autoscaler next to node provisioning": (
        "weu",
        {**UNSCALED, "node_provisioning": NodeProvisioning()},
        {"pools": {"web": {"scale": Autoscale(2, 20), "count": None}}},
        "pools.web.scale",
        "refused",
    ),
    "an autoscaled pool next to node provisioning": ("nap", {}, {"pools": {"web": SCALED}}, "pools.web", "refused"),
    "one more autoscaled pool": (
        "nap",
        {"pools": {"web": SCALED}},
        {"pools": {"more": derive(SCALED, labels={"a": "b"})}},
        "pools.more",
        "creates",
    ),
    "another pool next to node provisioning": ("nap", {}, {"pools": {"web": derive(SCALED, scale=None, count=1)}}, "pools.web", "creates"),
    "a region as the portal writes it": ("weu", {}, {"location": "West Europe"}, "location", "none"),
    "capitals that Pulumi compares": (
        "weu",
        {"disk_encryption_set_id": f"{GIVEN}/d"},
        {"disk_encryption_set_id": f"{GIVEN}/D"},
        "disk_encryption_set_id",
        "replaces",
    ),
    "capitals of a subnet of a pool with a fixed name": (
        "weu",
        {"pools": {"own": {"vnet_subnet_id": f"{GIVEN}/s"}}},
        {"pools": {"own": {"vnet_subnet_id": f"{GIVEN}/S"}}},
        "pools.own.vnet_subnet_id",
        "unknown",
    ),
    "capitals that Karpenter compares": (
        "nap",
        {"node_provisioning": {"node_classes": {"big": {"vnet_subnet_id": f"{GIVEN}/s"}}}},
        {"node_provisioning": {"node_classes": {"big": {"vnet_subnet_id": f"{GIVEN}/S"}}}},
        "node_provisioning.node_classes.big.vnet_subnet_id",
        "rolls",
    ),
    "another subnet of a class": (
        "nap",
        {"node_provisioning": {"node_classes": {"big": {"vnet_subnet_id": f"{GIVEN}/s"}}}},
        {"node_provisioning": {"node_classes": {"big": {"vnet_subnet_id": f"{GIVEN}/t"}}}},
        "node_provisioning.node_classes.big.vnet_subnet_id",
        "unknown",
    ),
    "hosts without the proxy in another order": ("weu", {"http_proxy": PROXY}, {"http_proxy": {"no_proxy": ["b", "a"]}}, NO_PROXY, "unknown"),
    "other hosts without the proxy": ("weu", {"http_proxy": PROXY}, {"http_proxy": {"no_proxy": ["b", "c"]}}, NO_PROXY, "reimages"),
    "a node image that is no longer declared": (
        "weu",
        {"pools": {"web": {"os_sku": "AzureLinux"}}},
        {"pools": {"web": {"os_sku": None}}},
        "pools.web.os_sku",
        "unknown",
    ),
    "a snapshot that is no longer declared": (
        "weu",
        {"pools": {"web": {"snapshot_id": f"{GIVEN}/s"}}},
        {"pools": {"web": {"snapshot_id": None}}},
        "pools.web.snapshot_id",
        "unknown",
    ),
    "a grace period that EKS may have set": ("use1", {}, compute(termination_grace_period="24h"), GRACE, "unknown"),
    "and no longer sets": ("use1", compute(termination_grace_period="24h"), compute(termination_grace_period=None), GRACE, "unknown"),
    "another grace period": ("use1", {}, compute(termination_grace_period="1h"), GRACE, "rolls"),
    "the grace period of node provisioning": (
        "nap",
        {},
        {"node_provisioning": {"node_pools": {"general": {"termination_grace_period": "24h"}}}},
        "node_provisioning.node_pools.general.termination_grace_period",
        "rolls",
    ),
    "a disk of the same size": (
        "use1",
        {},
        {"auto_mode": {"node_classes": {"private": {"ephemeral_storage": "102400Mi"}}}},
        "auto_mode.node_classes.private.ephemeral_storage",
        "unknown",
    ),
    "FIPS on Windows": ("weu", WINDOWS, {"pools": {"win": {"fips": True}}}, "pools.win.fips", "unknown"),
    "secure boot on Windows": ("weu", WINDOWS, {"pools": {"win": {"secure_boot": True}}}, "pools.win.secure_boot", "unknown"),
    "a larger network": ("weu", SMALL_NODES, network("10.10.0.0/15"), "network.cidr", "in_place"),
    "a smaller network": ("weu", SMALL_NODES, network("10.10.0.0/17"), "network.cidr", "unknown"),
    "another network": ("weu", SMALL_NODES, network("10.20.0.0/16"), "network.cidr", "refused"),
    "long-term support that AKS keeps": (
        "weu",
        {"support_plan": "AKSLongTermSupport", "tier": "Premium"},
        {"support_plan": None, "tier": "Standard"},
        "tier",
        "unknown",
    ),
    "the end of long-term support": (
        "weu",
        {"support_plan": "AKSLongTermSupport", "tier": "Premium"},
        {"support_plan": "KubernetesOfficial", "tier": "Standard"},
        "tier",
        "in_place",
    ),
    "no identity provider": ("use1", {"oidc_provider": True}, {"oidc_provider": False}, "oidc_provider", "in_place_pods"),
}


@pytest.mark.parametrize(("key", "before", "after", "path", "effect"), BETWEEN.values(), ids=BETWEEN)
def test_effect_between(key: str, before: Fields, after: Fields, path: str, effect: str) -> None:
    old = derive(PLATFORM, clusters={key: before})
    found = [change for change in diff(old, derive(old, clusters={key: after})).all if change.path == f"clusters.{key}.{path}"]
    assert found[0].effect.value == effect
    assert found[0].message


def test_a_class_rolls_the_other_pools_and_names_those_without_room() -> None:
    old = derive(PLATFORM, clusters={"nap": {"node_provisioning": {"node_pools": {"fixed": {"limits": {"nodes": 3}}}}}})
    [found] = diff(old, derive(old, clusters={"nap": {"node_provisioning": {"node_classes": {"big": {"os_disk_size_gb": 512}}}}})).all
    assert (found.effect, found.nodes, found.pools) == (Effect.ROLLS, Amount(0, 10), ("nap/general",))
    assert "Nodes of `fixed` stay until they expire" in found.message


def test_every_effect_has_a_reason() -> None:
    for request in requests_of(PLATFORM).all:
        assert all(reason(effect, request) for effect in Effect)


def test_the_group_that_is_deleted_is_told_and_comes_last() -> None:
    found = changed(cluster("weu", resource_group="rg-b", tier="Free"))
    assert [change.resource.name for change in found.all if change.effect is Effect.DELETES] == ["dev-weu"]
    assert {change.path for change in found.all} == {"clusters.weu.resource_group", "clusters.weu.tier"}
    assert found.order[-1] == ("delete ResourceGroup/dev-weu",)


def test_objects_that_pulumi_no_longer_applies_are_deleted() -> None:
    away = {operation for wave in changed(cluster("nap", apply="render")).order for operation in wave}
    assert away == {f"delete {name}" for name in ("NodePool/dev-nap-general", "NodePool/dev-nap-fixed", *CLASSES)}
    rendered = cluster("nap", apply="render")
    edited = derive(rendered, clusters={"nap": {"node_provisioning": {"node_pools": {"general": {"weight": 7}}}}})
    assert diff(rendered, edited).order == ()


def test_an_upgrade_names_the_pool_that_stays() -> None:
    assert (
        "az aks nodepool upgrade --name system --kubernetes-version 1.36"
        in one(cluster("weu", kubernetes_version="1.36"), "weu.kubernetes_version").message
    )


def test_nothing_changed() -> None:
    assert changed(PLATFORM).all == ()
    assert changed(PLATFORM).order == ()
    assert changed(PLATFORM).worst is Effect.NONE


NODES = {
    "a rotation has both generations": (lambda: agent_pool("web", vm_size="Standard_D4ds_v5"), "web.vm_size", Amount(2, 20), Amount(2, 20)),
    "a surge is a part of the pool": (lambda: cluster("weu", kubernetes_version="1.36"), "web.kubernetes_version", Amount(2, 20), Amount(1, 7)),
    "the default surge is 10%": (lambda: agent_pool("fixed", fips=True), "fixed.fips", exactly(3), exactly(1)),
    "a changed surge counts": (
        lambda: agent_pool("fixed", fips=True, upgrade=UpgradeSettings(max_surge="2")),
        "fixed.fips",
        exactly(3),
        exactly(2),
    ),
    "without surge": (
        lambda: agent_pool("fixed", fips=True, upgrade=UpgradeSettings(max_unavailable="1")),
        "fixed.fips",
        exactly(3),
        NOTHING,
    ),
    "a static pool with room for one more": (
        lambda: nap_pool("fixed", limits={"nodes": 4}, expire_after="48h", disruption=Disruption(budgets=[Budget(nodes="3")])),
        "fixed.expire_after",
        exactly(3),
        Amount(0, 1),
    ),
    "a schedule that Karpenter cannot read": (
        lambda: nap_pool(
            "fixed", expire_after="48h", disruption=Disruption(budgets=[Budget(nodes="3", schedule="0 9 * * 7", duration="1h", reasons=["Empty"])])
        ),
        "fixed.expire_after",
        exactly(3),
        NOTHING,
    ),
    "an empty list of reasons": (
        lambda: nap_pool("fixed", expire_after="48h", disruption=Disruption(budgets=[Budget(nodes="1", reasons=[])])),
        "fixed.expire_after",
        exactly(3),
        Amount(0, 3),
    ),
    "a lower count removes the difference": (lambda: agent_pool("fixed", count=1), "fixed.count", exactly(2), None),
    "a budget of 10%": (lambda: nap_pool("general", labels={"a": "b"}), "general.labels.a", Amount(0, 10), Amount(0, 1)),
    "some of the nodes": (
        lambda: nap_pool("fixed", requirements=[ARCH, Requirement(ZONE, "In", ["westeurope-1"])]),
        "fixed.requirements",
        Amount(0, 3),
        Amount(0, 1),
    ),
    "a class reaches all its pools": (lambda: nap_class("big", os_disk_size_gb=512), "big.os_disk_size_gb", Amount(3, 13), Amount(0, 2)),
    "a class without pools reaches no node": (
        lambda: nap_class("other", os_disk_size_gb=512),
        "other.os_disk_size_gb",
        NOTHING,
        NOTHING,
    ),
    "a cluster has all its nodes": (lambda: cluster("weu", location="francecentral"), "weu.location", Amount(8, 26), NOTHING),
    "Unmanaged reaches every agent pool": (lambda: cluster("weu", node_os_upgrade="Unmanaged"), "node_os_upgrade", Amount(8, 26), Amount(4, 10)),
    "built-in NodePools are not bounded": (lambda: cluster("use1", kubernetes_version="1.36"), "kubernetes_version", Amount(0), Amount(0)),
    "a removed pool": (lambda: without("weu", "pools", "fixed"), "pools.fixed", exactly(3), None),
}


@pytest.mark.parametrize(("edit", "path", "nodes", "extra"), NODES.values(), ids=NODES)
def test_nodes(edit: Edit, path: str, nodes: Amount | None, extra: Amount | None) -> None:
    found = one(edit(), path)
    assert (found.nodes, found.extra_nodes) == (nodes, extra)


def test_another_identity_reaches_the_nodes_of_every_pool() -> None:
    agents = one(cluster("weu", registries=["/acr"]), "weu.registries")
    assert agents.pools == ("weu/system", "weu/web", "weu/fixed", "weu/own")
    karpenter = one(cluster("nap", registries=["/acr"]), "nap.registries")
    assert karpenter.pools == ("nap/system", "nap/general", "nap/fixed", "nap/default", "nap/system-surge")
    assert "Karpenter replaces" in karpenter.message


def test_further_registries_change_no_node_and_the_last_one_takes_the_identity_with_it() -> None:
    [old, more, none] = [derive(PLATFORM, clusters={"weu": derive(WEU, registries=names)}) for names in (["/a"], ["/a", "/b"], [])]
    [added] = diff(old, more).all
    assert (added.path, added.effect) == ("clusters.weu.registries", Effect.IN_PLACE)
    [removed] = diff(old, none).all
    assert (removed.path, removed.effect) == ("clusters.weu.registries", Effect.UNKNOWN)
    assert "keep `kubelet_identity`" in removed.message


def test_a_pool_that_rotates_is_created_with_its_other_edits() -> None:
    """It is not reimaged, too: the new nodes have the version from the start."""
    found = changed(agent_pool("web", vm_size="Standard_D4ds_v5", fips=True, labels={"tier": "api"}))
    assert {change.steps[-1]: (change.effect.value, change.nodes) for change in found.all} == {
        "vm_size": ("rotates", Amount(2, 20)),
        "fips": ("rotates", None),
        "tier": ("rotates", None),
    }


def test_a_class_names_the_pools_that_it_reaches() -> None:
    assert one(nap_class("big", os_disk_size_gb=512), "os_disk_size_gb").pools == ("nap/general", "nap/fixed")


def test_a_renamed_pool_is_removed_and_names_the_key_to_keep() -> None:
    renamed = without("weu", "pools", "fixed")
    renamed = derive(renamed, clusters={"weu": derive(renamed.clusters["weu"], pools={"steady": WEU.pools["fixed"]})})
    found = {change.path: change for change in changed(renamed).all}
    assert found["clusters.weu.pools.fixed"].effect is Effect.REMOVES_NODES
    assert "`steady`" in found["clusters.weu.pools.fixed"].message
    assert "keep the key `fixed` to keep the nodes, or set `name` of `steady` to `fixed" in found["clusters.weu.pools.steady"].message


def test_a_renamed_cluster_and_a_renamed_class_name_the_key_to_keep() -> None:
    moved = {("east" if key == "use1" else key): declared for key, declared in PLATFORM.clusters.items()}
    found = {change.path: change.message for change in changed(Platform(name="dev", clusters=moved)).all}
    assert "keep the key `use1` to keep the nodes" in found["clusters.use1"]
    assert "Only the key differs from `use1`" in found["clusters.east"]
    auto = derive(PROVISIONING, node_classes={"large": PROVISIONING.node_classes["big"]})
    pools = {key: derive(pool, node_class="large") for key, pool in auto.node_pools.items()}
    classes = {key: declared for key, declared in auto.node_classes.items() if key != "big"}
    renamed = cluster("nap", node_provisioning=type(auto).model_validate({**vars(auto), "node_classes": classes, "node_pools": pools}))
    reasons = {change.path: change.message for change in changed(Platform(name="dev", clusters=renamed.clusters)).all}
    assert "keep the key `big` to keep the nodes" in " ".join(reasons.values())


def test_a_renamed_pool_that_keeps_its_name_keeps_its_nodes() -> None:
    """What the message on a renamed key advises."""
    renamed = without("weu", "pools", "fixed")
    [removed] = [change for change in changed(renamed).all if change.effect is Effect.REMOVES_NODES]
    name = removed.resource.name.rpartition("-")[2]
    kept = derive(renamed, clusters={"weu": derive(renamed.clusters["weu"], pools={"steady": derive(WEU.pools["fixed"], name=name)})})
    found = changed(kept)
    assert {change.path: change.effect.value for change in found.all} == {
        "clusters.weu.pools.fixed": "none",
        'clusters.weu.pools.steady.labels["nodepools/name"]': "in_place",
    }
    assert found.order == ((f"update AgentPool/dev-weu-{name}",),)


def test_running_nodes_replace_the_bounds_of_the_declaration() -> None:
    old, new = requests_of(PLATFORM), requests_of(cluster("weu", kubernetes_version="1.36"))
    known = {"weu": {"web": 7, "system": 2}}
    changes = request_set_changes(replace(old, running=known), replace(new, running=known))
    found = {change.at: change for change in changes.all}
    assert (found["weu/web"].nodes, found["weu/web"].extra_nodes) == (exactly(7), exactly(3))
    gone = request_set_changes(replace(old, running=known), replace(requests_of(without("weu", "pools", "web")), running=known))
    assert gone.all[0].nodes == exactly(7)


def test_a_removed_cluster_is_one_change() -> None:
    old = derive(PLATFORM, clusters={"neu": NAP})
    [found] = diff(old, PLATFORM).all
    assert (found.at, found.effect, found.nodes) == ("neu", Effect.DELETES, Amount(5))
    [made] = diff(PLATFORM, old).all
    assert (made.at, made.effect) == ("neu", Effect.CREATES)


def test_a_previous_generation_is_neither_created_nor_deleted() -> None:
    former = WEU.pools["web"]
    new = agent_pool("web", vm_size="Standard_D4ds_v5", previous=former)
    found = changed(new)
    [rotated] = [change for change in found.all if change.effect is not Effect.NONE]
    assert rotated.effect is Effect.ROTATES
    assert "the old one stays as `previous`" in rotated.message
    assert found.order == tuple(
        (f"{operation} AgentPool/dev-weu-{pool_name(vm_size)}",)
        for operation, vm_size in (("create", "Standard_D4ds_v5"), ("update", "Standard_D2ds_v5"))
    )


def test_two_generations_that_change_places_swap_the_taint_and_stay() -> None:
    small, large = WEU.pools["web"], derive(WEU.pools["web"], vm_size="Standard_D4ds_v5")
    forth, back = (
        derive(PLATFORM, clusters={"weu": {"pools": {"web": pool}}}) for pool in (derive(large, previous=small), derive(small, previous=large))
    )
    found = diff(forth, back)
    assert {(change.path.rpartition(".")[2], change.effect) for change in found.all} == {("taints", Effect.IN_PLACE), ("vm_size", Effect.NONE)}
    assert sorted(step for wave in found.order for step in wave) == sorted(
        f"update AgentPool/dev-weu-{pool_name(vm_size)}" for vm_size in ("Standard_D2ds_v5", "Standard_D4ds_v5")
    )


def test_a_retained_pool_stays() -> None:
    old = derive(PLATFORM, clusters={"weu": derive(WEU, pools={"sys": SystemPool(vm_size="Standard_D4ds_v5", retain=True)})})
    [found] = diff(old, PLATFORM).all
    assert found.effect is Effect.IN_PLACE


def test_order_of_a_rotation() -> None:
    assert changed(agent_pool("web", vm_size="Standard_D4ds_v5")).order == tuple(
        (f"{operation} AgentPool/dev-weu-{name}",)
        for operation, name in (("create", pool_name("Standard_D4ds_v5")), ("delete", pool_name("Standard_D2ds_v5")))
    )


def pool_name(vm_size: str) -> str:
    from nodepools.wire.aks.generation import pool_name

    return pool_name(cast("AksClusterArgs", agent_pool("web", vm_size=vm_size).clusters["weu"]), "web")


def test_two_rotated_pools_are_deleted_one_after_another() -> None:
    web, fixed = (derive(WEU.pools[key], vm_size="Standard_D8ds_v5") for key in ("web", "fixed"))
    waves = changed(cluster("weu", pools={"web": web, "fixed": fixed})).order
    assert [len(wave) for wave in waves] == [1, 1, 1, 1]
    assert [wave[0].split()[0] for wave in waves] == ["create", "create", "delete", "delete"]


def test_a_replaced_cluster_replaces_what_is_in_it() -> None:
    operations = [step for wave in changed(cluster("weu", location="francecentral")).order for step in wave]
    assert all(operation.startswith("replace ") for operation in operations)
    assert "replace ManagedCluster/dev-weu" in operations


def test_the_role_of_a_class_with_a_fixed_name_cannot_change() -> None:
    before, after = (eks_class(name="private", role=role) for role in ("one", "another"))
    [found] = [change for change in diff(before, after).all if change.steps[-1] == "role"]
    assert (found.effect, found.old, found.new) == (Effect.REFUSED, "one", "another")


def test_a_pool_without_the_label_is_the_same_resource_in_a_plan() -> None:
    pool = next(request for request in requests_of(agent_pool("own", labeled=False)).all if request.key == ("weu", "pool", "own"))
    in_plan = replace(pool, key=("weu", "pool", pool.resource.name), sent={**pool.sent, "count": 2})
    [found] = request_set_changes(Requests((pool,)), Requests((in_plan,))).all
    assert (found.steps[-1], found.effect) == ("count", Effect.IN_PLACE)


OPPOSITES = {
    "local accounts": (lambda: cluster("weu", entra=Entra(local_accounts=True)), "weu.entra.local_accounts", False, True),
    "a private API server of EKS": (lambda: cluster("use1", api_server=ApiServer(private=True)), "use1.api_server.private", False, True),
    "run command": (lambda: cluster("weu", run_command=False), "weu.run_command", True, False),
}


@pytest.mark.parametrize(("edit", "path", "old", "new"), OPPOSITES.values(), ids=OPPOSITES.keys())
def test_values_are_those_of_the_field_where_the_argument_has_the_opposite(edit: Edit, path: str, old: object, new: object) -> None:
    [found] = [change for change in changed(edit()).all if change.path == f"clusters.{path}"]
    assert (found.old, found.new) == (old, new)


@pytest.mark.parametrize(("version", "effect"), [("1.36", Effect.IN_PLACE_LATER), ("1.37", Effect.REIMAGES), ("1.38.1", Effect.REIMAGES)])
def test_from_1_37_on_what_waits_for_the_next_image_reimages_the_nodes_at_once(version: str, effect: Effect) -> None:
    """Of each row with this effect: https://learn.microsoft.com/azure/aks/node-disruption-policy."""
    edits = {"image_cache": ImageCache(), "system_pool": {"ssh_access": "Disabled"}, "pools": {"web": {"ssh_access": "Disabled"}}}
    old = cluster("weu", kubernetes_version=version)
    found = [one for one in diff(old, derive(old, clusters={"weu": edits})).all if one.effect > Effect.IN_PLACE]
    assert [(one.at, one.effect) for one in found] == [("weu", effect), ("weu/system", effect), ("weu/web", effect)]
    assert effect is Effect.IN_PLACE_LATER or ["all agent pools" in one.message for one in found] == [True, False, False]


def test_without_a_version_it_is_not_known_whether_nodes_wait_for_the_next_image() -> None:
    pool = next(request for request in requests_of(PLATFORM).all if request.key == ("weu", "pool", "web"))
    known = {name: value for name, value in pool.sent.items() if name != "orchestratorVersion"}
    sides = ({**known, "securityProfile": {"sshAccess": access}} for access in ("LocalUser", "Disabled"))
    alone = [replace(pool, sent=sent) for sent in sides]
    [found] = request_set_changes(*(Requests((one,)) for one in alone)).all
    assert (found.effect, "1.37" in found.message) == (Effect.UNKNOWN, True)


@pytest.mark.parametrize(
    ("advanced", "effect"),
    [
        ({"observability": True}, Effect.IN_PLACE),
        ({"security": True, "policies": "L7"}, Effect.IN_PLACE),
        ({"observability": True, "acceleration": "BpfVeth"}, Effect.REIMAGES),
    ],
)
def test_of_container_networking_only_acceleration_reimages_nodes(advanced: Fields, effect: Effect) -> None:
    assert changed(cluster("weu", network_profile={"advanced": advanced})).worst is effect


def test_summary_counts_each_effect() -> None:
    assert changed(cluster("weu", kubernetes_version="1.36")).summary == {"reimages": 2, "in_place": 1}


def test_secrets_are_removed() -> None:
    from nodepools.aks import WindowsProfile

    with_password = [
        cluster("weu", windows_profile=WindowsProfile(admin_username="a", admin_password=word)) for word in ("Secret-1234567", "Other-1234567")
    ]
    [found] = [change for change in diff(*with_password).all if change.path.endswith("admin_password")]
    assert found.old == found.new == {"$secret": True}
    assert "1234567" not in str(found.to_json())


RANGES = {
    "the range of the network": (AksNetworkArgs(cidr="10.11.0.0/16"), "cidr", "10.10.0.0/16", "10.11.0.0/16"),
    "a range for nodes": (AksNetworkArgs(cidr="10.10.0.0/16", node_subnet_cidr="10.10.0.0/20"), "node_subnet_cidr", None, "10.10.0.0/20"),
}


@pytest.mark.parametrize(("network", "field", "old", "new"), RANGES.values(), ids=RANGES.keys())
def test_a_subnet_is_replaced_because_of_a_declared_field(network: dict[str, object], field: str, old: object, new: object) -> None:
    found = [change for change in changed(cluster("weu", network=network)).all if change.resource.type.endswith(":Subnet")]
    assert [(change.path, change.old, change.new) for change in found] == [(f"clusters.weu.network.{field}", old, new)]


NODE_POOLS = {"a cluster with NodePools": ("nap", True), "a cluster without": ("weu", False)}


@pytest.mark.parametrize(("key", "told"), NODE_POOLS.values(), ids=NODE_POOLS.keys())
def test_a_replaced_cluster_says_how_if_one_up_cannot(key: str, told: str) -> None:
    found = [change for change in changed(cluster(key, location="francecentral")).all if change.resource.type.endswith(":ManagedCluster")]
    assert [change.effect for change in found] == [Effect.REPLACES]
    assert ("declare a second cluster under another key" in found[0].message) == told


def test_what_an_existing_cluster_rejects_is_part_of_its_replacement() -> None:
    found = changed(cluster("nap", location="francecentral", kubernetes_version="1.34")).all
    of_cluster = {change.steps[-1]: change for change in found if change.resource.type.endswith(":ManagedCluster")}
    version = of_cluster["kubernetes_version"]
    assert version.message.startswith("No extra effect: part of the replacement by `location`. Alone, it would be rejected")
    assert (version.effect, version.nodes) == (Effect.REPLACES, None), "its nodes are counted with the location"
    assert "pulumi#14650" in of_cluster["location"].message


@pytest.mark.parametrize(
    ("key", "version", "message"),
    [
        ("weu", "1.37", "AKS upgrades by one minor version at a time: declare `1.36`, apply it, then go on"),
        ("weu", "1.34", "AKS upgrades to no lower version: keep `1.35`"),
        ("use1", "1.37", "EKS upgrades by one minor version at a time: declare `1.36`, apply it, then go on"),
        ("use1", "1.32", "EKS upgrades to no lower version: keep `1.35`"),
    ],
)
def test_a_rejected_version_names_the_one_that_is_accepted(key: str, version: str, message: str) -> None:
    assert one(cluster(key, kubernetes_version=version), f"{key}.kubernetes_version").message == message


def test_a_field_of_a_pool_that_rotates_names_the_field_that_rotates_it() -> None:
    found = {change.steps[-1]: change for change in changed(agent_pool("web", vm_size="Standard_D4ds_v5", labels={"team": "web"})).all}
    assert found["team"].message == "No extra effect: part of the rotation by `vm_size`"
    assert (found["team"].nodes, found["vm_size"].nodes is None) == (None, False)


def test_platform_tags_reach_every_resource() -> None:
    found = changed(Platform(name="dev", clusters=PLATFORM.clusters, tags={"cost": "a"}))
    assert found.worst is Effect.IN_PLACE
    assert {change.path.rpartition(".")[2] for change in found.all} == {"cost"}


ZONES_OF_EKS = {
    "another zone instead of one": ("ab", "bc", "refused"),
    "two other zones": ("ab", "cd", "refused"),
    "a zone less": ("abc", "ab", "refused"),
    "fewer than the default": ("", "ab", "refused"),
    "the default, which is fewer": ("abcd", "", "refused"),
    "a zone more": ("ab", "abc", "unknown"),
    "as many as the default": ("", "abc", "unknown"),
    "the same in another order": ("ab", "ba", "none"),
}


@pytest.mark.parametrize(("old", "new", "effect"), ZONES_OF_EKS.values(), ids=ZONES_OF_EKS)
def test_eks_keeps_the_zones_of_a_cluster(old: str, new: str, effect: str) -> None:
    sides = [cluster("use1", network=derive(USE1.network, zones=[f"us-east-1{letter}" for letter in zones])) for zones in (old, new)]
    found = diff(*sides)
    assert {change.effect.value for change in found.all if "network" in change.steps} == {effect}
    assert all(change.nodes is None for change in found.all)
    assert any(operation == "update Cluster/dev-use1" for wave in found.order for operation in wave) is (effect == "unknown")


def test_zones_by_name_and_by_id_are_compared_by_number() -> None:
    sides = [cluster("use1", network=derive(USE1.network, zones=zones)) for zones in (["us-east-1a", "us-east-1b"], ["use1-az1", "use1-az2"])]
    assert diff(*sides).worst is Effect.UNKNOWN


def test_an_existing_vpc_keeps_its_cluster() -> None:
    found = diff(existing(vpc_id="vpc-1"), existing(vpc_id="vpc-2", private_subnet_ids=["subnet-x", "subnet-y"]))
    assert [(change.steps[-1], change.effect.value) for change in found.all] == [("vpc_id", "refused"), ("private_subnet_ids", "rolls_some")]
    assert found.order == (("update NodeClass/dev-use1-private",),)


def existing(**fields: object) -> Platform:
    """The platform with a cluster in an existing VPC."""
    return cluster("use1", network=derive(ExistingEksNetwork(vpc_id="vpc-1", private_subnet_ids=["subnet-a", "subnet-b"]), **fields))


SUBNETS = {
    "other subnets": (lambda: existing(private_subnet_ids=["subnet-a", "subnet-c"]), ["private_subnet_ids", "private_subnet_ids"]),
    "subnets of the control plane": (lambda: existing(control_plane_subnet_ids=["subnet-a", "subnet-c"]), ["control_plane_subnet_ids"]),
    "another kind of network": (lambda: PLATFORM, ["kind", "subnets"]),
}


@pytest.mark.parametrize(("edit", "fields"), SUBNETS.values(), ids=SUBNETS)
def test_ids_of_subnets_do_not_say_whether_eks_accepts_them(edit: Edit, fields: list[str]) -> None:
    found = [change for change in diff(existing(), edit()).all if change.effect is not Effect.CREATES]
    assert [change.steps[-1] for change in found] == fields
    assert [change.effect.value for change in found] == ["unknown", "rolls_some"][: len(fields)]
    assert "EKS" in found[0].message


def test_subnets_of_a_plan_have_the_effect_that_those_of_a_declaration_have() -> None:
    one, other = (
        next(request for request in requests_of(side).all if request.subject == "cluster" and request.cluster == "use1")
        for side in (existing(), existing(private_subnet_ids=["subnet-a", "subnet-c"]))
    )
    before, after = (replace(request, steps=("dev-use1",), decided_by={}) for request in (one, other))
    [found] = request_set_changes(Requests((before,)), Requests((after,))).all
    assert found.effect is Effect.UNKNOWN


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        pytest.param({"cidr": "10.31.0.0/16"}, [("cidr", "aws:eks/cluster:Cluster"), ("cidr", "aws:ec2/vpc:Vpc")], id="the cluster and the VPC"),
        pytest.param({"zones": ["us-east-1a", "us-east-1b"]}, [("zones", "aws:eks/cluster:Cluster")], id="the cluster"),
    ],
)
def test_subnets_of_a_new_vpc_are_told_at_the_field_that_decides_them(fields: Fields, told: list[tuple[str, str]]) -> None:
    edited = cluster("use1", network=derive(USE1.network, **fields))
    assert [(change.steps[-1], change.resource.type) for change in diff(PLATFORM, edited).all if "network" in change.steps] == told


def test_a_cluster_that_is_replaced_can_be_in_another_vpc() -> None:
    edited = cluster("use1", network=derive(USE1.network, cidr="10.31.0.0/16"), service_cidr="10.99.0.0/16")
    assert all(change.effect is not Effect.REFUSED for change in diff(PLATFORM, edited).all)


CW: Fields = {"add_ons": {"cw": AddOn(pod_identity={"agent": PodRole(policies=["A"])})}}
WEB: Fields = {"pod_identities": {"web": PodIdentity(namespace="shop", service_account="web", policies=["A"])}}
ROLES: dict[str, tuple[Fields, Fields, str, str]] = {
    "a policy more of a pod identity": (WEB, {"pod_identities": {"web": {"policies": ["A", "B"]}}}, "web.policies", "in_place"),
    "a role that exists in its place": (WEB, {"pod_identities": {"web": {"role": "arn:aws:iam::1:role/a", "policies": []}}}, "web.role", "in_place"),
    "a policy more of an add-on": (CW, {"add_ons": {"cw": {"pod_identity": {"agent": {"policies": ["A", "B"]}}}}}, "agent.policies", "in_place"),
    "a role more of an add-on": (CW, {"add_ons": {"cw": {"pod_identity": {"b": PodRole(policies=["B"])}}}}, "cw.pod_identity", "in_place"),
    "another namespace of an add-on": (CW, {"add_ons": {"cw": {"namespace": "cw"}}}, "cw.namespace", "replaces"),
}


@pytest.mark.parametrize(("before", "edit", "at", "effect"), ROLES.values(), ids=ROLES)
def test_roles_of_pods(before: Fields, edit: Fields, at: str, effect: str) -> None:
    old = cluster("use1", **before)
    found = {".".join(map(str, change.steps)): change.effect for change in diff(old, derive(old, {"clusters": {"use1": edit}})).all}
    assert {path: effect for path, effect in found.items() if path.endswith(at)} == {
        next(path for path in found if path.endswith(at)): Effect(effect)
    }


@pytest.mark.parametrize(
    ("policy", "told"),
    [("WhenEmpty", "empty nodes only"), ("WhenEmptyOrUnderutilized", "also moves pods"), ("Balanced", "only if the savings are worth it")],
)
def test_another_consolidation_policy_says_what_karpenter_then_does(policy, told):
    others = {"WhenEmpty", "Balanced"} - {policy}
    old, new = (nap_pool("general", disruption=Disruption(consolidation_policy=one)) for one in (min(others), policy))
    [change] = [one for one in diff(old, new).all if one.steps[-1] == "consolidation_policy"]
    assert (change.effect, told in change.message) == (Effect.IN_PLACE, True)
