"""The fixtures of nodepools, and what the program registers in each stack."""

from pathlib import Path

import pytest
from nodepools.testing import Graph, Stacks

pytest_plugins = ["nodepools.testing.fixtures"]

PROJECT = Path(__file__).parent.parent
STACKS = sorted(path.stem for path in (PROJECT / "stacks").glob("[!_]*.py"))


@pytest.fixture(params=STACKS)
def stack(request: pytest.FixtureRequest) -> str:
    """The name of each stack."""
    return request.param


@pytest.fixture
def graph(stack: str, stack_graph: Stacks) -> Graph:
    """What the program registers, in each stack."""
    return stack_graph(stack)
