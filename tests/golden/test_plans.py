"""The plans of the stacks are public contract: a change of them is a change for everyone who has deployed."""

from pathlib import Path

import pytest

from nodepools import testing
from nodepools.testing.golden import compared, differences, stored
from tests.golden.conftest import DECLARATIONS, Declared

pytestmark = pytest.mark.program

STORED = Path(__file__).parent / "plans"


def test_a_plan_is_the_stored_one(declared: Declared, request: pytest.FixtureRequest) -> None:
    path = STORED / f"{declared.name}.json"
    if request.config.getoption("--rewrite-golden"):
        stored(declared.plan.json, path)
        pytest.skip("written anew: review the difference as a change of contract")
    answer = compared(declared.plan.json, path)
    assert answer, answer.reason


def test_each_stored_plan_has_its_declaration() -> None:
    assert {path.stem for path in STORED.iterdir()} == DECLARATIONS.keys()


def test_the_test_kit_sees_what_the_engine_sees(declared: Declared, project: Path) -> None:
    """What holds in a project's own tests holds in its previews."""
    plan = declared.plan.json
    seen = testing.run(project / declared.folder, stack=declared.plan.stack, preview=True).to_json()
    resources = [one | {"options": {name: value for name, value in one["options"].items() if name != "version"}} for one in plan["resources"]]
    assert differences({**seen, "resources": resources, "outputs": plan["outputs"]}, seen) == []
