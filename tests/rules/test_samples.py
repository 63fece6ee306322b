"""Every rule: its sample breaks it, and nothing else, where the table says."""

import re
from datetime import date

import pytest

from nodepools.model.base import Model
from nodepools.rules.fault import Severity
from nodepools.rules.judge import check
from nodepools.rules.registry import RULES, Rule, all_rules
from nodepools.rules.samples import aks, aks_pool, auto_mode, eks, eks_pool, platform, provisioning

DAY = date(2026, 11, 21)

PATHS = {
    "AKS001": "pools.Web_1",
    "AKS002": "pools.system",
    "AKS003": "pools.web.previous",
    "AKS004": "pools.web.name",
    "AKS005": "system_pool.previous",
    "AKS006": "name",
    "AKS007": "system_pool.name",
    "AKS008": "system_pool.isolated",
    "AKS009": "pools.web.zones",
    "AKS010": "scale.min",
    "AKS011": "count",
    "AKS012": "scale.min",
    "AKS013": "system_pool",
    "AKS014": "taints[0]",
    "AKS015": "taints[1]",
    "AKS016": "spot.max_price",
    "AKS017": "spot",
    "AKS018": "vm_size",
    "AKS019": "upgrade.max_unavailable",
    "AKS020": "max_surge",
    "AKS021": 'labels["kubernetes.azure.com/mode"]',
    "AKS022": 'labels["node-role.kubernetes.io/worker"]',
    "AKS023": "labels.team",
    "AKS024": "taints[0].key",
    "AKS025": "labels.agentpool",
    "AKS026": "max_unavailable",
    "AKS027": "scale.max",
    "AKS028": "soak",
    "AKS029": "scale_down_mode",
    "AKS030": "eviction",
    "AKS031": "linux_os.swap_file_size",
    "AKS032": "image_gc_high_threshold",
    "AKS033": "fips",
    "AKS034": "secure_boot",
    "AKS035": "pools.web.os_sku",
    "AKS036": "power_state",
    "AKS037": "kubelet.container_log_max_size",
    "AKS038": "proximity_placement_group_id",
    "AKS039": "max_pods",
    "AKS040": "network_profile.service_cidr",
    "AKS041": "network_profile.pod_cidr",
    "AKS042": "network.pool_subnets.web",
    "AKS043": "network.pool_subnets.wbe",
    "AKS044": "outbound_type",
    "AKS045": "policy",
    "AKS046": "network_profile.outbound_type",
    "AKS047": "vm_size",
    "AKS048": "pools.web.pod_ip_allocation",
    "AKS049": "pools.web.pod_subnet_id",
    "AKS050": "pools.api.vnet_subnet_id",
    "AKS051": "network_profile.pod_cidr",
    "AKS052": "network.node_subnet_cidr",
    "AKS053": "network_profile.load_balancer",
    "AKS054": "idle_timeout",
    "AKS055": "private_dns_zone",
    "AKS056": "node_public_ip_prefix_id",
    "AKS057": "local_dns",
    "AKS058": "pools.web.node_public_ip",
    "AKS059": "start",
    "AKS060": "pools.web.kubernetes_version",
    "AKS061": "pools.web.kubernetes_version",
    "AKS062": "entra",
    "AKS063": "clusters.we_u",
    "AKS064": "support_plan",
    "AKS065": "pools.web.kubernetes_version",
    "AKS066": "kubernetes_version",
    "AKS067": "auto_upgrade",
    "AKS068": "node_os_upgrade",
    "AKS069": "pools.web.kubernetes_version",
    "AKS070": "kubernetes_version",
    "AKS071": "kubernetes_version",
    "AKS072": "maintenance.upgrades.schedule",
    "AKS073": "maintenance.upgrades",
    "AKS074": "start",
    "AKS075": "pools.gpu.os_sku",
    "AKS076": "priorities",
    "AKS077": "autoscaler.priorities[10][0]",
    "AKS078": "tier",
    "AKS079": "pools",
    "AKS080": "mig",
    "AKS081": "device_plugin.mig_strategy",
    "AKS082": "tainted",
    "AKS083": "vm_size",
    "AKS084": "device_plugin",
    "AKS085": "pools.train.driver",
    "AKS086": "secure_boot",
    "AKS090": "pools.win",
    "AKS091": "pools.win.os_sku",
    "AKS092": "pools.win.os_sku",
    "AKS093": "pools.win.outbound_nat",
    "AKS094": "vm_size",
    "AKS095": "admin_password",
    "AKS096": "admin_password",
    "AKS097": "network.pod_subnet_cidr",
    "NAP001": "pools.web.scale",
    "NAP002": "network_profile.policy",
    "NAP003": "network_profile.ip_families",
    "NAP004": "node_provisioning.default_node_pools",
    "NAP005": "node_provisioning.node_pools.default",
    "NAP006": "node_provisioning.node_pools.general.node_class",
    "NAP007": 'labels["kubernetes.azure.com/agentpool"]',
    "NAP008": "requirements[2].key",
    "NAP009": "node_provisioning.node_pools.general.requirements[2].values",
    "NAP010": "network.pod_subnet_cidr",
    "NAP011": "pools.web.power_state",
    "NAP012": "maintenance",
    "NAP013": "node_provisioning.node_pools.cheap.taints",
    "NAP014": "node_provisioning.cilium_marks",
    "NAP015": "pools.web.taints",
    "NAP020": "fips_mode",
    "NAP021": "vtpm",
    "NAP022": "linux_os.swap_file_size",
    "NAP023": "linux_os.sysctls.net_core_rmem_default",
    "NAP024": "local_dns.kube_dns",
    "NAP025": "forward_destination",
    "NAP026": "local_dns.vnet_dns[0].forward_destination",
    "NAP027": 'tags["a?b"]',
    "NAP028": "node_provisioning.node_classes.big.vnet_subnet_id",
    "NAP029": "node_provisioning.node_pools.general.requirements",
    "EKS001": "kubernetes_version",
    "EKS002": 'clusters["use.1"]',
    "EKS003": "service_cidr",
    "EKS004": "network.zones",
    "EKS005": "network.zones[1]",
    "EKS006": "network.zones[1]",
    "EKS007": "network.nat",
    "EKS008": "network.private_subnet_ids",
    "EKS009": "node_role",
    "EKS010": "node_role",
    "EKS011": "node_role",
    "EKS012": "network.cidr",
    "EKS013": "overrides.compute_config.enabled",
    "EKS014": "overrides.access_config.authentication_mode",
    "EKS015": "overrides.zonal_shift_config.enabled",
    "EKS016": "tags.team",
    "EKS017": "upgrade_policy",
    "EKS018": "deletion_protection",
    "EKS019": "auto_mode.node_classes.own.security_groups",
    "EKS020": "auto_mode.node_classes.default",
    "EKS021": "own_role",
    "EKS022": "role",
    "EKS023": "ephemeral_storage",
    "EKS024": 'tags["karpenter.sh/nodepool"]',
    "EKS025": "subnets[0]",
    "EKS026": "security_groups[0].id",
    "EKS027": "instance_profile",
    "EKS028": "auto_mode.node_classes.own.ephemeral_storage_kms_key_id",
    "EKS029": "auto_mode.node_classes.own.tags",
    "EKS030": "tags.team",
    "EKS031": "pod_subnets",
    "EKS032": "ephemeral_storage",
    "EKS033": "ephemeral_storage_kms_key_id",
    "EKS034": "capacity_reservations[0]",
    "EKS035": "data",
    "EKS036": "no_proxy[0]",
    "EKS037": "enable_v4_egress",
    "EKS038": "id",
    "EKS039": "auto_mode.node_classes.own.fips",
    "EKS040": "auto_mode.node_pools.system",
    "EKS041": "auto_mode.node_pools.system",
    "EKS042": "auto_mode.node_pools.web.node_class",
    "EKS043": "auto_mode.node_pools.web.node_class",
    "EKS044": "expire_after",
    "EKS045": "requirements[2].key",
    "EKS046": 'labels["eks.amazonaws.com/nodegroup"]',
    "EKS047": "requirements[2].key",
    "EKS048": 'labels["app.kubernetes.io/managed-by"]',
    "EKS049": "auto_mode.node_pools.web.requirements[2].values",
    "EKS050": "network_interfaces",
    "EKS051": "secondary_ipv4_prefix_count",
    "EKS052": "associate_public_ip_address",
    "EKS053": "auto_mode.node_classes.other",
    "EKS054": "auto_mode.node_pools.web.requirements[0]",
    "EKS055": "auto_mode.node_pools.web.node_class",
    "EKS056": "disruption.budgets[0].reasons",
    "EKS057": "requirements[2].operator",
    "EKS060": "requirements",
    "EKS061": "requirements",
    "EKS062": "requirements[2].values[0]",
    "EKS063": "requirements",
    "EKS064": "requirements[2].values[0]",
    "EKS065": "requirements[2]",
    "EKS070": "kubernetes_version",
    "EKS071": "kubernetes_version",
    "EKS080": "access_entries.team.principal",
    "EKS081": "principal",
    "EKS082": "name",
    "EKS083": "groups",
    "EKS084": "type",
    "EKS085": "add_ons.snapshot-controller.version",
    "EKS086": "add_ons.vpc-cni",
    "EKS087": "previous",
    "EKS088": "previous",
    "EKS089": "overrides.compute_config.enabled",
    "KAR001": "auto_mode.node_pools.Web",
    "KAR010": "weight",
    "KAR011": "limits.cpu",
    "KAR012": "limits.nodes",
    "KAR013": "limits.cpu",
    "KAR014": "limits.nodes",
    "KAR020": "budgets[0].schedule",
    "KAR021": "budgets[0].schedule",
    "KAR022": "budgets[0].nodes",
    "KAR023": "budgets[0].schedule",
    "KAR024": "disruption.budgets[0].reasons",
    "KAR030": "startup_taints[0]",
    "KAR031": "labels.team",
    "KAR032": "taints[0].key",
    "KAR033": "requirements[2].values[0]",
    "KAR034": 'labels["karpenter.sh/nodepool"]',
    "KAR040": "requirements[2]",
    "KAR041": "labels.team",
    "KAR042": "requirements[2].min_values",
    "KAR043": "requirements[1].values",
    "KAR044": "requirements[1].values[1]",
    "KAR045": "requirements",
    "KAR046": "requirements",
    "KAR047": "requirements[2].values",
    "KAR048": "requirements[2].values[0]",
    "KAR049": "requirements",
    "KAR050": "requirements[2].operator",
    "KAR051": "taints[0].effect",
    "KAR052": "auto_mode.node_pools.arm",
    "KAR060": "auto_mode.node_pools.web.weight",
    "KAR061": "auto_mode.node_classes.private",
    "PLT001": "pools",
    "PLT002": "node_provisioning.node_pools.web",
    "PLT003": 'pools.web.labels["nodepools/name"]',
    "PLT004": "clusters.two.network.cidr",
    "PLT010": "api_server.authorized_ip_ranges",
    "PLT011": "api_server.authorized_ip_ranges[0]",
    "PLT012": "api_server.authorized_ip_ranges",
    "PLT013": "apply",
    "PLT020": "overrides.enable_fips",
    "PLT030": "must_fit[0]",
    "PLT031": "must_fit[0]",
    "PLT032": "must_fit[0]",
}
"""A code is never used again for something else: rows are added, and changed only with the sample."""


def test_every_rule_has_its_row() -> None:
    assert set(all_rules()) == set(PATHS)


@pytest.mark.parametrize("code", PATHS)
def test_the_sample_breaks_its_rule_alone(code: str) -> None:
    faults = check(all_rules()[code].sample(), today=DAY)
    assert [(fault.code, fault.path) for fault in faults] == [(code, PATHS[code])]


@pytest.mark.parametrize("rule", all_rules().values(), ids=all_rules())
def test_a_rule_is_told_in_full(rule: Rule) -> None:
    assert re.fullmatch(r"(AKS|NAP|EKS|KAR|PLT)[0-9]{3}", rule.code)
    assert rule.summary.endswith(".")
    assert rule.source
    for fault in check(rule.sample(), today=DAY):
        assert fault.severity is rule.severity
        assert fault.source == rule.source
        assert fault.message
        assert fault.fix
        assert not fault.message.endswith(".")
        assert not fault.fix.endswith(".")


def test_severities_are_as_certain_as_the_rule() -> None:
    notes = {code for code, rule in all_rules().items() if rule.severity is Severity.NOTE}
    assert notes == {
        "AKS008",
        "AKS009",
        "EKS018",
        "EKS019",
        "EKS028",
        "EKS029",
        "EKS055",
        "EKS088",
        "KAR050",
        "KAR051",
        "KAR052",
        "KAR061",
        "PLT010",
        "PLT020",
    }
    assert all_rules()["NAP001"].severity is Severity.WARNING  # AKS takes it where the subscription has the feature


def test_a_code_is_taken_once() -> None:
    from nodepools.rules.registry import rule

    with pytest.raises(ValueError, match="AKS014 is taken by hard_taint_on_system_pool"):
        rule("AKS014", Severity.ERROR, source="again", sample=aks)(lambda _: iter(()))
    assert RULES["AKS014"].find.__name__ == "hard_taint_on_system_pool"


@pytest.mark.parametrize(
    "sound",
    [aks(), eks(), platform(weu=aks(), use1=eks()), eks_pool(), aks_pool(), provisioning({"general": aks_pool()}), auto_mode({"web": eks_pool()})],
    ids=["an AKS cluster", "an EKS cluster", "both", "an EKS pool", "an AKS pool", "provisioning", "auto mode"],
)
def test_what_samples_begin_with_is_sound(sound: Model) -> None:
    assert check(sound, today=DAY) == []
