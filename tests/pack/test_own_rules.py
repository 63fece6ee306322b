"""Rules of teams in the policy pack: those of packages that are installed."""

import subprocess
import sys

import pytest

from nodepools.pack.policy import Level, ResourceUnderCheck, rule_policies
from nodepools.resources.resource import Resource
from nodepools.rules.engine.registry import RULES, all_rules
from tests.runner_caches import forget_rules

RULE = '''from nodepools.rules import AgentPool, finding, rule


@rule("ACME001", "error", source="https://wiki.example.com/tiers")
def pool_without_tier(pool: AgentPool):
    """Every agent pool has the label `tier`."""
    if "tier" not in pool.labels:
        yield finding(pool, "The pool has no label `tier`", path="labels", fix="Add the label")
'''
POOL = "azure-native:containerservice:AgentPool"


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """Installs a package with rules."""
    before = dict(all_rules())

    def install(text):
        (tmp_path / "acme_rules.py").write_text(text)
        (tmp_path / "acme-1.dist-info").mkdir()
        (tmp_path / "acme-1.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: acme\nVersion: 1\n")
        (tmp_path / "acme-1.dist-info" / "entry_points.txt").write_text("[nodepools.rules]\nacme = acme_rules\n")
        monkeypatch.syspath_prepend(str(tmp_path))
        return {policy.name: policy for policy in rule_policies()}["ACME001"]

    forget_rules()
    yield install
    sys.modules.pop("acme_rules", None)
    RULES.clear()
    RULES.update(before)
    forget_rules()


def complaints(policy, **inputs):
    return list(
        policy.function({}).of_resource(ResourceUnderCheck(Resource("urn", POOL, "web", {"vmSize": "Standard_D4ds_v5", "mode": "User", **inputs})))
    )


def test_it_is_a_policy_of_its_code(installed):
    policy = installed(RULE)
    assert (policy.title, policy.level, policy.source) == ("pool-without-tier", Level.MANDATORY, "https://wiki.example.com/tiers")
    assert [(one.path, one.message) for one in complaints(policy)] == [("nodeLabels", "The pool has no label `tier`")]
    assert complaints(policy, nodeLabels={"tier": "web"}) == []


def test_one_that_raises_is_a_violation_with_file_and_line(installed):
    policy = installed(RULE.replace('"tier" not in pool.labels', 'pool.labels["tier"]'))
    [complaint] = complaints(policy)
    assert complaint.message.endswith("acme_rules.py:7: the rule ACME001 pool-without-tier raised KeyError: 'tier'")


def test_a_pack_with_a_rule_that_cannot_be_taken_ends_with_one_line(installed, tmp_path):
    installed(RULE)
    (tmp_path / "acme_rules.py").write_text(RULE.replace("ACME001", "AKS900"))
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); from nodepools.pack import serve; serve()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert "acme_rules.py:4: the code AKS900 starts like a code of nodepools" in done.stderr
