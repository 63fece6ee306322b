"""The steps of CI systems in the guide about Terraform: valid YAML in the form of each system, with both commands."""

import re
from pathlib import Path

import pytest
import yaml

GUIDE = (Path(__file__).parents[2] / "docs" / "guides" / "terraform.md").read_text()
BLOCKS = [yaml.safe_load(block) for block in re.findall(r"```yaml\n(.*?)```", GUIDE, re.DOTALL)]


def lines(value):
    """All scripts in a block."""
    if isinstance(value, dict):
        return [line for part in value.values() for line in lines(part)]
    return [line for part in value for line in lines(part)] if isinstance(value, list) else [value] if isinstance(value, str) else []


@pytest.fixture(params=["steps", "plan", "workflows"])
def system(request):
    [block] = [one for one in BLOCKS if request.param in one]
    return request.param, block


def test_each_system_runs_both_commands(system):
    scripts = " ".join(lines(system[1]))
    assert "nodepools diff" in scripts
    assert "nodepools check" in scripts
    assert "show -json" in scripts or "$SHOWFILE" in scripts


def test_the_steps_have_the_form_of_their_system(system):
    name, block = system
    if name == "steps":
        assert all(set(step) <= {"script", "condition"} and "script" in step for step in block["steps"])
    elif name == "plan":
        assert set(block["plan"]) == {"image", "script", "artifacts"}
        assert block["plan"]["artifacts"]["reports"] == {"codequality": "nodepools.json"}
    else:
        steps = block["workflows"]["nodepools"]["plan"]["steps"]
        assert steps[:3] == ["init", "plan", "show"]
        assert all(set(step) == {"run"} for step in steps[3:])
