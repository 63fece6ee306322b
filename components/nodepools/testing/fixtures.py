"""Fixtures and an option for pytest. A project enables them, so that pytest of other projects does not start slower.

In the `conftest.py` of its root:

    pytest_plugins = ["nodepools.testing.fixtures"]

Their types are `Golden` and `Stacks` of `nodepools.testing`: pytest warns if this module is imported before pytest loads it as a plugin.
"""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from nodepools.reading.project_folder import project_folder
from nodepools.testing.golden import REWRITE, compared, stored
from nodepools.testing.graph import Golden, Graph, Stacks
from nodepools.testing.runner import run

_WRITTEN = pytest.StashKey[list[Path]]()
_GRAPHS = pytest.StashKey[dict[tuple[Path, str, bool], Graph]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds `--rewrite-golden`."""
    parser.getgroup("nodepools").addoption(REWRITE, action="store_true", help="store the plans instead of comparing them")


def pytest_configure(config: pytest.Config) -> None:
    """Starts with no written plans and no graphs."""
    config.stash[_WRITTEN] = []
    config.stash[_GRAPHS] = {}


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Lists the golden plans that were written, for review."""
    for path in config.stash[_WRITTEN]:
        terminalreporter.write_line(f"golden plan written: {path} (review its diff as a change of contract)")


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Golden:
    """Compares a plan with the one stored next to the test; `--rewrite-golden` stores it."""

    def compare(plan: Graph | Mapping[str, object], name: str | None = None) -> None:
        __tracebackhide__ = True
        data = plan.to_json() if isinstance(plan, Graph) else plan
        path = request.path.parent / "golden" / f"{_file_name(str(data['stack']) if name is None else name)}.json"
        if request.config.getoption(REWRITE):
            if stored(data, path):
                request.config.stash[_WRITTEN].append(path)
            return
        answer = compared(data, path)
        if not answer:
            raise AssertionError(answer.reason)

    return compare


@pytest.fixture
def stack_graph(request: pytest.FixtureRequest) -> Stacks:
    """Runs the program of the project in a stack: `stack_graph("prod").one("AksCluster/weu")`."""
    graphs = request.config.stash[_GRAPHS]

    def graph_of(stack: str, *, preview: bool = True) -> Graph:
        __tracebackhide__ = True
        key = (_project(request.path), stack, preview)
        if key not in graphs:
            graphs[key] = run(key[0], stack=stack, preview=preview)
        return graphs[key]

    return graph_of


def _file_name(name: str) -> str:
    if not re.fullmatch(r"\w[\w.-]*", name):
        raise ValueError(f"a golden plan cannot be named {name!r}: use letters, digits, '.', '-' and '_'")
    return name


def _project(path: Path) -> Path:
    """The nearest folder above a test that contains a Pulumi program."""
    found = project_folder(path.parent)
    if found is None:
        raise FileNotFoundError(f"no folder above {path} contains a Pulumi.yaml")
    return found
