"""Fixes were tried: a declaration to which the operations of a fix are applied does not break the rule, and gets no new error."""

from dataclasses import replace
from typing import Any

import pytest

from nodepools import Autoscale, NodeProvisioning, Spot, UserPool, check
from nodepools.model.base import Model
from nodepools.model.invalid_parts import is_faulty
from nodepools.rules.finding import Finding, Severity
from nodepools.rules.fix import Fix, remove, set_to
from nodepools.rules.fix_application import applied
from nodepools.rules.fix_trial import tried
from nodepools.rules.registry import all_rules
from nodepools.rules.runner import untried
from nodepools.rules.samples import SIZE, aks
from tests.rules.test_samples import DAY

MECHANICAL = [
    code
    for code, rule in all_rules().items()
    for found in ([] if is_faulty(rule.sample()) else untried(rule.sample(), "", DAY))
    if found.fix and found.fix.operations
]
"""Rules that give operations, whether they help or not."""


def read_again(whole: Model) -> Model:
    """`whole` as its class reads it from what it says: values of operations are not validated when they are applied."""
    return type(whole).model_validate(said(whole))


def said(value: Any) -> Any:
    if isinstance(value, Model):
        held = {name: said(part) for name, part in vars(value).items() if name in value.model_fields_set}
        return type(value)(**held) if not is_faulty(value) else value
    if isinstance(value, dict):
        return {key: said(part) for key, part in value.items()}
    return [said(part) for part in value] if isinstance(value, tuple | list) else value


@pytest.mark.parametrize("code", MECHANICAL)
def test_the_fix_of_a_sample_clears_it_and_breaks_nothing(code: str) -> None:
    whole = all_rules()[code].sample()
    before = check(whole, today=DAY)
    [found] = [one for one in before if one.code == code]
    assert found.fix is not None, "check() tried the fix: it does not clear the finding, or causes another one"
    mended = read_again(applied(whole, found.fix.operations))
    after = check(mended, today=DAY)
    assert code not in {one.code for one in after}
    assert not {one.code for one in after if one.severity is Severity.ERROR} - {one.code for one in before}


def fixed(whole: Model, code: str) -> str | None:
    [found] = [one for one in check(whole, today=DAY) if one.code == code]
    return found.fix.text if found.fix is not None else None


SPOT = UserPool(vm_size=SIZE, count=3, spot=Spot())


def test_a_fix_that_causes_a_finding_as_severe_is_not_offered() -> None:
    beside = aks(pools={"batch": SPOT}, node_provisioning=NodeProvisioning())
    assert fixed(SPOT, "AKS017") == "Set `scale` to `Autoscale(0, 3)`, and remove `count`"
    assert "NAP001" in {one.code for one in check(applied(beside, [set_to("pools.batch.scale", Autoscale(0, 3))]), today=DAY)}
    assert fixed(beside, "AKS017") is None


def test_a_fix_of_something_that_is_not_there_is_not_offered() -> None:
    whole = aks(pools={"batch": SPOT})
    finding = Finding("X", Severity.ERROR, "", None, "m", Fix("f", (remove("pools.nope"),)), "s")
    advice = replace(finding, fix=Fix("f"))
    [without, same] = tried([finding, advice], whole, lambda _: [])
    assert (without.fix, same) == (None, advice)


def test_most_rules_with_a_fix_say_it_as_operations() -> None:
    assert len(MECHANICAL) >= 10
