"""The fixtures of nodepools, and the plan of each stack."""

import pytest
from nodepools.testing import Graph, Stacks

pytest_plugins = ["nodepools.testing.fixtures"]


@pytest.fixture(params=["dev", "prod"])
def graph(request: pytest.FixtureRequest, stack_graph: Stacks) -> Graph:
    """What the program registers, in each stack."""
    return stack_graph(request.param)
