"""Rules of CRDs, as an API server evaluates them: the table that the oracle confirms, without a server."""

import pytest

from nodepools.cel.meter import CostLimitError, EvaluationError, Meter, MismatchError, NotCheckedError
from nodepools.cel.program import Program
from nodepools.manifests.crds.validation import Views
from tests.manifests.cel_cases import CASES, COSTLY, FAILS, NOT_CHECKED, SCHEMA, SELF


def said(rule: str) -> object:
    try:
        return Program(rule, ("self",)).evaluate({"self": Views().value(SCHEMA, SELF)}, Meter())
    except MismatchError:
        return FAILS if "self.ios" in rule else NOT_CHECKED
    except NotCheckedError:
        return NOT_CHECKED
    except EvaluationError:
        return FAILS


@pytest.mark.parametrize(("rule", "expected"), CASES, ids=[rule for rule, _ in CASES])
def test_a_rule(rule, expected):
    assert said(rule) == expected


def test_a_rule_that_costs_too_much_fails_as_in_the_api_server():
    with pytest.raises(CostLimitError, match="costs more than the 1,000,000 units"):
        Program(COSTLY, ("self",)).evaluate({"self": None}, Meter())
