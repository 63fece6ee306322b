"""Programs as short texts, run by the embedded engine."""

import textwrap
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from nodepools.engine.plan import Plan, PlannedResource
from nodepools.engine.run import Program, run

PRELUDE = '''\
import pulumi
from pulumi import Alias, CustomTimeouts, Output, ResourceOptions


class Thing(pulumi.CustomResource):
    """A custom resource with any inputs; `made` is an output that only an update tells."""

    made: Output[str]

    def __init__(self, name, opts=None, type_="test:index:Thing", **inputs):
        super().__init__(type_, name, {"made": None, **inputs}, opts)


class Group(pulumi.ComponentResource):
    def __init__(self, name, opts=None, type_="test:index:Group"):
        super().__init__(type_, name, {}, opts)


'''


class Graph:
    """A plan to ask by name: `graph["web"].options`."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan

    def __getitem__(self, name: str) -> PlannedResource:
        (found,) = [resource for resource in self.plan.resources if resource.name == name]
        return found

    @property
    def outputs(self) -> Mapping[str, Any]:
        return self.plan.outputs


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str], Path]:
    """Writes a program, the prelude before it, and returns its folder."""

    def write(text: str) -> Path:
        (tmp_path / "__main__.py").write_text(PRELUDE + textwrap.dedent(text), encoding="utf-8")
        return tmp_path

    return write


@pytest.fixture
def engine(write: Callable[[str], Path]) -> Callable[..., Graph]:
    """Runs a program given as text."""

    def engine(text: str, *, config: Mapping[str, str] | None = None, secret_keys: tuple[str, ...] = (), **options: Any) -> Graph:
        program = Program(write(text), "shop", "dev", config or {}, secret_keys)
        return Graph(run(program, **{"timeout": 60, **options}))

    return engine
