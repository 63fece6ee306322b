"""Ten findings at once: each with its full path, none hides another."""

import runpy
from datetime import date
from pathlib import Path

import pytest

from nodepools import DeclarationError, Platform, check
from nodepools.loading import load
from nodepools.model.severity import Severity


def declared(name: str) -> Platform:
    return runpy.run_path(str(Path(__file__).parent / "declarations" / f"{name}.py"))["PLATFORM"]


def test_all_findings_of_shape_come_at_once() -> None:
    with pytest.raises(DeclarationError) as refused:
        declared("bad")
    findings = refused.value.findings
    of_rules = [f"{finding.code} {finding.path}" for finding in findings if not finding.code.startswith("CFG")]
    assert of_rules == ["EKS042 clusters.use1.auto_mode.node_pools.compute.node_class"]
    assert {finding.path: (finding.code, finding.fix.text) for finding in findings if finding.code.startswith("CFG")} == {
        "clusters.weu.kubernetes_version": ("CFG004", 'Write it in quotes: `"1.34"`'),
        "clusters.weu.system_pool.vm_sze": ("CFG002", "Rename it to `vm_size`"),
        "clusters.weu.system_pool.count": ("CFG004", "Write a whole number, without quotes and without a fraction"),
        "clusters.weu.system_pool.zones[2]": ("CFG005", "Remove `zones[2]`, or use `1`, `2` or `3`"),
        "clusters.weu.system_pool.taints[0]": ("CFG009", 'Write `"key=value:NoSchedule"`'),
        "clusters.weu.system_pool.taints[1].effect": ("CFG005", "Use `NoSchedule`"),
        "clusters.weu.pools.web.scale.max": ("CFG001", "Set `max`"),
        "clusters.weu.pools.web.labels.tier": ("CFG004", 'Write it in quotes: `"true"`'),
        "clusters.weu.pools.user.scale.max": ("CFG004", "Write a whole number, without quotes and without a fraction"),
        "clusters.weu.pools.train.spot.eviction": ("CFG005", "Use `Delete`"),
        "clusters.weu.pools.np": ("CFG003", "Move it to `node_pools` of `NodeProvisioning`"),
        "clusters.weu.pools.raw": ("CFG003", "Set `kind` to `UserPool`"),
        "clusters.weu.pools.raw2": ("CFG003", "Set `kind` to `SystemPool`, `UserPool`, `GpuPool` or `WindowsPool`"),
        "clusters.use1.region": ("CFG001", "Set `region`"),
        "clusters.use1.auto_mode.built_in_node_pools": ("CFG004", 'Write `["system"]`'),
        "clusters.use1.auto_mode.node_pools.compute.weight": ("CFG007", "Use 100 or less"),
        "clusters.use1.auto_mode.node_pools.compute.limits.cpu": ("CFG009", 'Write `"2.5"`'),
        "clusters.use1.auto_mode.node_pools.compute.requirements[0].min_values": ("CFG007", "Use 50 or less"),
        "clusters.use1.auto_mode.node_pools.compute.requirements[1].values": ("CFG009", 'Write one number as text, such as `["4"]`'),
        "clusters.use1.auto_mode.node_pools.compute.requirements[2]": ("CFG003", "Write `Requirement`, with its fields"),
    }
    assert str(refused.value).startswith("21 errors, nothing was deployed\n\nCFG")


def test_all_that_rules_find_comes_at_once_in_the_order_of_the_declaration() -> None:
    found = [f"{finding.code} {finding.path}" for finding in check(declared("wrong"), today=date(2026, 11, 21)) if finding.severity is Severity.ERROR]
    assert found == [
        "AKS014 clusters.weu.system_pool.taints[0]",
        "AKS010 clusters.weu.pools.web.scale.min",
        'AKS021 clusters.weu.pools.web.labels["kubernetes.azure.com/tier"]',
        "AKS001 clusters.weu.pools.Batch_1",
        "AKS042 clusters.weu.network.pool_subnets.web",
        "EKS022 clusters.use1.auto_mode.node_classes.private.role",
        "EKS042 clusters.use1.auto_mode.node_pools.compute.node_class",
        "KAR043 clusters.use1.auto_mode.node_pools.compute.requirements[1].values",
        "EKS045 clusters.use1.auto_mode.node_pools.compute.requirements[2].key",
        "KAR030 clusters.use1.auto_mode.node_pools.compute.taints[1]",
        "KAR021 clusters.use1.auto_mode.node_pools.compute.disruption.budgets[0].schedule",
        "EKS044 clusters.use1.auto_mode.node_pools.compute.expire_after",
    ]


@pytest.mark.parametrize("stack", ["dev", "staging", "prod"])
def test_our_own_stacks_have_neither_errors_nor_warnings(stack: str, project: Path) -> None:
    assert [finding for finding in check(load(stack, project), today=date(2026, 11, 21)) if finding.severity is not Severity.NOTE] == []
