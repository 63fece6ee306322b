"""What a configuration asks of the policies."""

import re
from pathlib import Path

import pytest

from nodepools.pack.organization import ORGANIZATION
from nodepools.pack.policy import Level, rule_policies
from nodepools.pack.server import ConfigurationError, configured

EVERY = (*rule_policies(), *ORGANIZATION)


def test_without_a_configuration_every_policy_has_its_own_level():
    assert {one.policy.name: one.level for one in configured(EVERY, {})} == {policy.name: policy.level for policy in EVERY}


def test_levels_and_settings_are_taken():
    asked = {"required-tags": (Level.REMEDIATE, {"tags": {"owner": "web"}}), "AKS014": (Level.ADVISORY, {})}
    made = {one.policy.name: one for one in configured(EVERY, asked)}
    assert (made["required-tags"].level, made["required-tags"].function.model_dump()) == (Level.REMEDIATE, {"tags": {"owner": "web"}})
    assert made["AKS014"].level is Level.ADVISORY
    assert made["AKS070"].level is Level.ADVISORY


def test_whole_numbers_may_come_as_fractions():
    (made,) = (one for one in configured(EVERY, {"maximum-vcpus": (Level.MANDATORY, {"vcpus": 64.0})}) if one.policy.name == "maximum-vcpus")
    assert made.function.model_dump() == {"vcpus": 64}


def test_pulumis_word_for_all_policies_is_no_policy():
    assert configured(EVERY, {"all": (Level.DISABLED, {})})


WRONG = [
    pytest.param(
        {"required-tag": (Level.ADVISORY, {})}, "`required-tag` is not a policy of this pack: use `required-tags`", id="a policy that is none"
    ),
    pytest.param({"zzz": (Level.ADVISORY, {})}, "`zzz` is not a policy of this pack", id="one that is like nothing"),
    pytest.param(
        {"maximum-vcpus": (Level.MANDATORY, {"vcpu": 1})},
        "maximum-vcpus: `vcpu` is not a setting of this policy: use `vcpus`",
        id="a setting that is none",
    ),
    pytest.param(
        {"AKS014": (Level.MANDATORY, {"code": "AKS015"})}, "AKS014: `code` is not a setting of this policy", id="a setting of a rule that has none"
    ),
    pytest.param(
        {"consolidate-after": (Level.MANDATORY, {"after": "1d"})},
        "consolidate-after: after: has days or weeks: durations have hours, minutes and seconds",
        id="no duration",
    ),
    pytest.param(
        {"zone-redundant-system-pools": (Level.MANDATORY, {"zones": 4})}, "zones: Input should be less than or equal to 3", id="out of range"
    ),
    pytest.param({"AKS070": (Level.MANDATORY, {"today": "someday"})}, "AKS070: today: Input should be a valid date", id="no day"),
]


@pytest.mark.parametrize(("asked", "message"), WRONG)
def test_what_does_not_fit_is_refused(asked, message):
    with pytest.raises(ConfigurationError) as refused:
        configured(EVERY, asked)
    assert message in str(refused.value)


def test_all_findings_come_at_once():
    with pytest.raises(ConfigurationError) as refused:
        configured(EVERY, {"zzz": (Level.ADVISORY, {}), "maximum-vcpus": (Level.ADVISORY, {"vcpus": -1, "x": 1})})
    assert len(str(refused.value).splitlines()) == 3


def test_the_guide_names_the_rules_that_have_a_date() -> None:
    guide = (Path(__file__).parents[2] / "docs/guides/policy-pack.md").read_text(encoding="utf-8")
    listed = guide.partition("Rules that depend on the date (")[2].partition(")")[0]
    dated = {policy.name for policy in rule_policies() if "today" in str(policy.settings)}
    assert set(re.findall(r"`(\w+)`", listed)) == dated
