"""Fixes were tried: a declaration to which the operations of a fix are applied does not break the rule, and gets no new error."""

from typing import Any

import pytest

from nodepools import check
from nodepools.model.base import Model
from nodepools.model.faulty import is_faulty
from nodepools.rules.applied import applied
from nodepools.rules.finding import Severity
from nodepools.rules.registry import all_rules
from tests.rules.test_samples import DAY

MECHANICAL = [code for code, rule in all_rules().items() for found in check(rule.sample(), today=DAY) if found.fix and found.fix.operations]
SIZE = "Standard_D4ds_v5"


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
    assert found.fix is not None
    mended = read_again(applied(whole, found.fix.operations))
    after = check(mended, today=DAY)
    assert code not in {one.code for one in after}
    assert not {one.code for one in after if one.severity is Severity.ERROR} - {one.code for one in before}


def test_most_rules_with_a_fix_say_it_as_operations() -> None:
    assert len(MECHANICAL) >= 10
