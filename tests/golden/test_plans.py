"""The plans of the stacks are public contract: a change of them is a change for everyone who has deployed."""

from pathlib import Path

import pytest

from nodepools import testing
from nodepools.testing.golden import compared, stored
from nodepools.testing.plan_diff import differences

STORED = Path(__file__).parent / "plans"


def test_a_plan_is_the_stored_one(plan, request):
    path = STORED / f"{plan.stack}.json"
    if request.config.getoption("--rewrite-golden"):
        stored(plan.json, path)
        pytest.skip("written anew: review the difference as a change of contract")
    answer = compared(plan.json, path)
    assert answer, answer.reason


def test_the_test_kit_sees_what_the_engine_sees(plan, project):
    """What holds in a project's own tests holds in its previews."""
    seen = testing.run(project, stack=plan.stack, preview=True).to_json()
    resources = [one | {"options": {name: value for name, value in one["options"].items() if name != "version"}} for one in plan.json["resources"]]
    assert differences({**seen, "resources": resources, "outputs": plan.json["outputs"]}, seen) == []
