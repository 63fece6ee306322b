"""Every rule: its sample breaks it, and nothing else, where the table says."""

import re
from collections.abc import Iterator
from datetime import date
from typing import Any

import pytest

from nodepools.changes.platform_changes import diff
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.base import Model
from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.model.platform import Platform
from nodepools.model.severity import Severity
from nodepools.rules.engine.finding import applied
from nodepools.rules.engine.registry import API_VERSIONS, RULES, Rule, Sample, Sampled, all_rules
from nodepools.rules.engine.runner import check
from nodepools.rules.engine.samples import aks, aks_pool, auto_mode, eks, eks_pool, platform, provisioning
from nodepools.wire.table import Effect
from tests.rules.finding_language import flaws_in_files, flaws_of_finding, unnamed_defaults

DAY = date(2026, 11, 21)


def nothing(_: object) -> Iterator[Any]:
    return iter(())


@pytest.mark.parametrize("rule", all_rules().values(), ids=all_rules())
def test_the_sample_breaks_its_rule_alone_and_is_told_in_full(rule: Rule) -> None:
    assert re.fullmatch(r"(AKS|NAP|EKS|KAR|PLT|SMK)[0-9]{3}", rule.code)
    assert rule.summary.endswith(".")
    assert rule.source
    assert isinstance(rule.sample, Sample)
    sample = rule.sample()
    found = check(sample, today=DAY)
    refused = {"AKS344"} if API_VERSIONS in rule.limits else set[str]()  # its field is newer than the version of the API that is sent
    ours = [finding for finding in found if finding.code == rule.code or finding.code not in refused]
    findings = [finding for finding in ours if finding.code == rule.code or finding.severity is not Severity.NOTE]  # an override is a note too
    assert [(finding.code, finding.path) for finding in findings] == [(rule.code, rule.sample.path)]
    assert [(finding.severity, finding.source) for finding in findings] == [(rule.severity, rule.source)]
    assert [flaw for finding in findings for flaw in (*flaws_of_finding(finding), *flaws_in_files(finding))] == []
    assert [flaw for finding in findings for flaw in unnamed_defaults(sample, finding)] == []


def test_a_code_is_taken_once() -> None:
    from nodepools.rules.engine.registry import rule

    with pytest.raises(ValueError, match="the code AKS014 is already used by hard-taint-on-system-pool"):
        rule("AKS014", "again", severity=Severity.ERROR)(Sampled(nothing, Sample("", aks)))
    assert RULES["AKS014"].name == "hard-taint-on-system-pool"


@pytest.mark.parametrize(
    "sound",
    [aks(), eks(), platform(weu=aks(), use1=eks()), eks_pool(), aks_pool(), provisioning({"general": aks_pool()}), auto_mode({"web": eks_pool()})],
    ids=["an AKS cluster", "an EKS cluster", "both", "an EKS pool", "an AKS pool", "provisioning", "auto mode"],
)
def test_what_samples_begin_with_is_sound(sound: Model) -> None:
    assert check(sound, today=DAY) == []


@pytest.mark.parametrize("rule", [one for one in all_rules().values() if one.severity is not Severity.ERROR], ids=lambda one: one.code)
def test_a_fix_that_replaces_a_cluster_that_can_exist_says_so(rule: Rule) -> None:
    assert rule.sample is not None
    sample = rule.sample()
    declared = platform(c=sample) if isinstance(sample, AksClusterArgs | EksClusterArgs) else sample
    if not isinstance(declared, Platform):
        return
    for found in check(declared, today=DAY):
        if found.code == rule.code and found.fix is not None and found.fix.operations:
            edits = diff(declared, applied(declared, found.fix.operations)).all
            replaced = [edit for edit in edits if edit.effect is Effect.REPLACES and ".pools" not in edit.path]
            assert not replaced or "replaces" in found.fix.text, found.fix.text


def test_no_source_is_a_path_of_this_repository() -> None:
    assert [rule.code for rule in all_rules().values() if re.search(r"(^|[ (])docs/|\.md\b", re.sub(r"https://[^ ,]+", "", rule.source))] == []
