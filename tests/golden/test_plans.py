"""The plans of the stacks are public contract: a change of them is a change for everyone who has deployed."""

import json
from pathlib import Path

import pytest

STORED = Path(__file__).parent / "plans"


def test_a_plan_is_the_stored_one(plan, request):
    stored = STORED / f"{plan.stack}.json"
    text = json.dumps(plan.json, indent=1, ensure_ascii=False) + "\n"
    if request.config.getoption("--rewrite-golden"):
        STORED.mkdir(exist_ok=True)
        stored.write_text(text)
        pytest.skip("written anew: review the difference as a change of contract")
    assert json.loads(text) == json.loads(stored.read_text()), "the plan changed: `make golden`, and review the difference"
