"""The baseline: each control is reported only where it is open, and the page lists them all."""

import subprocess
import sys
from pathlib import Path

import pytest

from nodepools.model.base import Model
from nodepools.model.derive import derive
from nodepools.model.platform import Platform
from nodepools.model.severity import Severity
from nodepools.model.unknowns import partial
from nodepools.rules.engine.baseline import opened_aks, opened_eks
from nodepools.rules.engine.registry import all_rules
from nodepools.rules.engine.runner import check
from nodepools.rules.engine.samples import aks, eks, platform
from tests.azure_ids import WORKSPACE
from tools.security_baseline import CONTROLS

OPEN = {"api_server": {"authorized_ip_ranges": []}}
SETTLED = {"AKS296", "EKS018", "PLT020"}
"""Notes about what is declared, not about what is open."""


def found(declared: Model) -> list[str]:
    return [f"{finding.code} {finding.severity}" for finding in check(declared) if finding.code not in SETTLED]


ROWS: list[tuple[str, Platform, list[str]]] = [
    ("an AKS cluster with every control", opened_aks(), []),
    ("an EKS cluster with every control", opened_eks(), []),
    ("an open API server, with the baseline", opened_aks(**OPEN), ["PLT010 warning"]),
    ("an open API server, without", platform(one=aks(**OPEN)), ["PLT010 note"]),
    ("a cluster without any control, and without the baseline", platform(one=aks(), two=eks(network={"cidr": "10.9.0.0/16"})), []),
    ("the logs of every request", opened_aks(audit={"workspace": WORKSPACE, "categories": ["kube-audit"]}), []),
    ("logs of something other than requests", opened_aks(audit={"workspace": WORKSPACE, "categories": ["guard"]}), ["AKS300 warning"]),
    ("services that are declared, and off", opened_aks(defender={"workspace": WORKSPACE, "enabled": False}), ["AKS304 warning"]),
    ("images that are upgraded with the cluster", opened_aks(node_os_upgrade=None, auto_upgrade="node-image"), []),
    ("a plugin of your own, which enforces what it does", opened_aks(network_profile={"plugin": "none", "plugin_mode": None}), []),
    ("a provider of secrets that is off", opened_aks(key_vault_provider={"rotate": False, "enabled": False}), []),
    ("a creator whose program applies the objects", opened_eks(creator_is_admin=True, apply="direct"), []),
    (
        "network policies by a class",
        opened_eks(objects={"network_policies": None}, auto_mode={"node_classes": {"own": {"network_policy": "DefaultAllow"}}}),
        [],
    ),
    ("network policies by another tool", opened_eks(objects={"network_policies": False}), []),
    ("production without a baseline", derive(platform(one=aks()), environment="eu-production"), ["PLT050 note"]),
    ("production with one", derive(opened_aks(), environment="production"), []),
    ("a name that only contains the word", derive(platform(one=aks()), name="product"), []),
]


@pytest.mark.parametrize(("declared", "codes"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_controls(declared: Platform, codes: list[str]) -> None:
    assert found(declared) == codes


def test_with_an_invalid_baseline_a_note_stays_a_note() -> None:
    assert found(partial(platform(one=aks(**OPEN)), ("baseline",))) == ["PLT010 note"]


def test_every_rule_of_the_baseline_is_in_the_table_of_controls() -> None:
    listed = [code for control in CONTROLS for answer in (control.aks, control.eks) for code in answer.rules]
    own = {code for code, rule in all_rules().items() if rule.function.__module__.endswith((".aks.controls", ".eks.controls"))}
    assert own <= set(listed) <= all_rules().keys()
    assert all(all_rules()[code].severity is Severity.WARNING for code in own)


def test_what_has_no_rule_has_a_reason() -> None:
    answers = [answer for control in CONTROLS for answer in (control.aks, control.eks)]
    assert [answer for answer in answers if bool(answer.rules) is bool(answer.why)] == []


def test_the_page_in_the_docs_is_current(project: Path) -> None:
    subprocess.run([sys.executable, "tools/security_baseline.py", "--check"], cwd=project, check=True)


@pytest.mark.parametrize(
    ("fields", "cluster", "reported"),
    [
        ({"name": "prod", "protect": False}, aks(), True),
        ({"name": "shop", "environment": "eu-production"}, aks(protect=False), True),
        ({"name": "prod", "protect": False}, eks(), True),
        ({"name": "prod", "protect": False}, aks(protect=True), False),
        ({"name": "prod", "protect": False}, eks(deletion_protection=True), False),
        ({"name": "prod"}, aks(), False),
        ({"name": "dev", "protect": False}, aks(), False),
        ({"name": "prod", "protect": False, "baseline": "cis"}, aks(), False),
    ],
)
def test_production_that_nothing_protects_is_reported_once(fields, cluster, reported):
    declared = derive(platform(one=cluster), fields)
    codes = [finding.code for finding in check(declared) if finding.code in ("PLT065", "AKS311")]
    assert codes == (["PLT065"] if reported else ["AKS311"] if declared.baseline == "cis" else [])
