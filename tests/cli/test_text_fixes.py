"""Fixes are applied to texts, and only what another check confirms is kept."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date

import pytest

from nodepools.cli.check.fixes import Edit, ManifestView, PlatformView, Select, fixed
from nodepools.manifests.edits.yaml_edit import NotEditableError
from nodepools.rules.engine.finding import Finding, Fix, Severity, certain, remove

DAY = date(2026, 11, 22)
PLATFORM = """\
name: dev
clusters:
  weu:
    kind: AksCluster
    location: westeurope
    kubernetes_version: "1.36"   # supported
    tier: Standard
    network: {kind: AksNetwork, cidr: 10.10.0.0/16}
    system_pool:
      vm_size: Standard_D4ds_v5
      count: 3
      # AKS spells it in another way
      os_sku: Azure_Linux
    pools:
      web:
        kind: UserPool
        vm_size: Standard_D4ds_v5
        scale: {min: 2, max: 5}
    http_proxy: {https: "http://proxy.corp:3128", no_proxy: ["*.corp"]}   # as in curl
"""


def codes(findings: Sequence[Finding]) -> set[str]:
    return {one.code for one in findings if one.severity is not Severity.NOTE}


def test_a_platform_file() -> None:
    before = PlatformView.of("platform.yaml", PLATFORM, today=DAY)
    assert {"AKS152", "AKS288"} <= codes(before.findings)
    made = fixed(before)
    assert {one.code for one in made.fixed} >= {"AKS152", "AKS288"}
    assert not {"AKS152", "AKS288"} & codes(made.left)
    text = made.texts["platform.yaml"]
    assert 'no_proxy: [".corp"]}   # as in curl' in text
    assert "# AKS spells it in another way\n      os_sku: AzureLinux" in text
    assert made.left == tuple(PlatformView.of("platform.yaml", text, today=DAY).findings)


LEFT_OUT = [
    pytest.param(PLATFORM, lambda found: [one for one in found if one.code != "AKS288"], id="the configuration leaves it out"),
    pytest.param(PLATFORM.replace("   # as in curl", "   # nodepools: ignore AKS288 for now"), list, id="a comment cannot accept an error"),
]


@pytest.mark.parametrize(("text", "left"), LEFT_OUT)
def test_what_is_left_out_is_not_fixed(text: str, left: Select) -> None:
    made = fixed(PlatformView.of("platform.yaml", text, left, DAY))
    assert ('[".corp"]' in made.texts["platform.yaml"]) is (text != PLATFORM)


def test_a_platform_with_findings_of_shape_is_mended_where_rules_know_it() -> None:
    made = fixed(PlatformView.of("platform.yaml", PLATFORM.replace("count: 3", "count: three"), today=DAY))
    assert "CFG004" in codes(made.left)
    assert '[".corp"]' in made.texts["platform.yaml"]


def found(code: str, severity: Severity = Severity.ERROR) -> Finding:
    return Finding(code, severity, code.lower(), None, "m", certain(Fix("f", (remove("a"),))), "s", object=code)


@dataclass
class Fake:
    """A check in which the fix of each finding leaves certain findings behind."""

    after: dict[str, list[str]]
    held: list[str]
    texts: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def findings(self) -> list[Finding]:
        return [found(code) for code in self.held]

    def edits_of(self, finding: Finding) -> Sequence[Edit]:
        return [Edit("x.yaml", 1, finding, operation, None) for operation in finding.operations]

    def with_fixes(self, findings: Sequence[Finding]) -> "Fake":
        left = list(self.held)
        for one in findings:
            if one.code == "LOST":
                raise NotEditableError("gone")
            left.remove(one.code)
            left += self.after.get(one.code, [])
        return replace(self, held=left)


ROWS = [
    pytest.param({}, ["A", "B"], ["A", "B"], [], id="both at once"),
    pytest.param({"A": ["C"]}, ["A", "B"], ["B"], ["A"], id="one causes another finding: it is left"),
    pytest.param({"A": ["A"]}, ["A", "B"], ["B"], ["A"], id="one does not help: it is left"),
    pytest.param({}, ["LOST", "B"], ["B"], ["LOST"], id="one cannot be applied: it is left"),
    pytest.param({"A": ["B"], "B": ["A"]}, ["A"], [], ["A"], id="two that cause each other: nothing goes round in circles"),
]


@pytest.mark.parametrize(("after", "held", "expected", "left"), ROWS)
def test_nothing_is_kept_that_does_not_help(after: dict[str, list[str]], held: list[str], expected: list[str], left: list[str]) -> None:
    made = fixed(Fake(after, held))
    assert ([one.code for one in made.fixed], [one.code for one in made.left]) == (expected, left)


def test_the_fix_of_a_note_is_an_option_and_is_not_applied() -> None:
    view = PlatformView("x", "a: 1\n", None, [found("N", Severity.NOTE)], list, DAY)
    assert fixed(view).fixed == ()


def test_an_object_that_is_there_twice_is_left() -> None:
    view = ManifestView({"x.yaml": ""}, [found("A")], {}, list, DAY)
    assert [one.code for one in fixed(view).left] == ["A"]


LIST = """apiVersion: v1
kind: List
items:
- apiVersion: karpenter.sh/v1
  kind: NodePool
  metadata: {{name: a}}
  spec: &spec
    limits: {{cpu: "10"}}
    template:
      metadata: {{labels: {{mode: {label}}}}}
      spec:
        expireAfter: 480h
        nodeClassRef: {{group: eks.amazonaws.com, kind: NodeClass, name: default}}
        requirements:
        - {{key: karpenter.sh/capacity-type, operator: In, values: [{value}]}}
        - {{key: kubernetes.io/arch, operator: In, values: [amd64]}}
"""
SECOND = """- apiVersion: karpenter.sh/v1
  kind: NodePool
  metadata: {name: b}
  spec: *spec
"""
ALIASES = [
    pytest.param(LIST.format(label="any", value="ondemand"), 1, id="one use"),
    pytest.param(LIST.format(label="any", value="ondemand") + SECOND, 2, id="right for both uses"),
    pytest.param(LIST.format(label="&mode ondemand", value="*mode"), 0, id="another label has the value, too"),
    pytest.param(LIST.format(label="any", value="ondemand") + SECOND.replace("*spec", "{<<: *spec, weight: 3}"), 2, id="merged"),
]


@pytest.mark.parametrize(("text", "fixes"), ALIASES)
def test_a_part_with_an_alias_is_fixed_if_that_is_right_for_all_its_uses(text: str, fixes: int) -> None:
    made = fixed(ManifestView.of({"pools.yaml": text}, today=DAY))
    assert [one.code for one in made.fixed] == ["KAR043"] * fixes
    assert made.texts["pools.yaml"] == (text.replace("[ondemand]", "[on-demand]") if fixes else text)
