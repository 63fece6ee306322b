"""What the guide says of the policies is what they are."""

import json
import re
from importlib.metadata import version

import pytest
import yaml
from pulumi.runtime.proto.analyzer_pb2 import ConfigureAnalyzerRequest

from nodepools.engine.analyzer import reconciled
from nodepools.pack.organization import ORGANIZATION
from nodepools.pack.policy import Level, rule_policies
from nodepools.pack.server import Analyzer, information, level_of

EVERY = (*rule_policies(), *ORGANIZATION)


@pytest.fixture(scope="module")
def guide(project):
    return (project / "docs" / "guides" / "policy-pack.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def table(guide):
    """Settings and what happens without a configuration, by policy."""
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in guide.splitlines() if re.match(r"\| `[a-z-]+` \|", line)]
    return {cells[0].strip("`"): (set(re.findall(r"(?:^|; )`(\w+)`", cells[2])), cells[1], cells[3]) for cells in rows}


def test_the_table_has_every_policy_of_an_organization_in_order(table):
    assert list(table) == [policy.name for policy in ORGANIZATION]


@pytest.mark.parametrize("policy", [pytest.param(policy, id=policy.name) for policy in ORGANIZATION])
def test_a_row_is_the_policy(table, policy):
    settings, asks, without = table[policy.name]
    assert settings == policy.settings.keys()
    assert ("*repairs*" in asks) is policy.remedies
    needs = policy.level is Level.MANDATORY and bool(policy.settings)
    assert without == ("silent" if needs else policy.level.value)


def test_the_configuration_of_the_guide_is_one(guide):
    (text,) = re.findall(r"```json\n(.*?)```", guide, re.DOTALL)
    asked = reconciled(information("nodepools", EVERY), json.loads(text))
    Analyzer(EVERY).Configure(ConfigureAnalyzerRequest(policyConfig=asked), None)  # there is nothing to abort
    assert level_of(asked["private-api-server"].enforcementLevel) is Level.MANDATORY
    assert level_of(asked["required-tags"].enforcementLevel) is Level.REMEDIATE
    assert level_of(asked["AKS014"].enforcementLevel) is Level.MANDATORY


def test_the_version_of_the_pack_is_that_of_the_package(project):
    assert yaml.safe_load((project / "policy" / "PulumiPolicy.yaml").read_text())["version"] == version("nodepools")
