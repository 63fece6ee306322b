"""Docstrings of agent pool fields and the page about them agree with the table of rows."""

import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from nodepools import GpuPool, SystemPool, UserPool, WindowsPool
from nodepools.model.aks.agent_pool import AgentPool
from nodepools.model.base import Model
from nodepools.model.schema import field_docs
from nodepools.wire.aks.agent_pool import POOL
from nodepools.wire.paths import fixed_fields
from nodepools.wire.rows import Note

KINDS = (SystemPool, UserPool, GpuPool, WindowsPool)
OURS = {row.name for row in POOL.rows if isinstance(row, Note) and row.kind == "ours"}
"""Fields that are not sent to Azure."""


@cache
def fields() -> dict[str, str]:
    return {name: text for kind in KINDS for base in kind.__mro__ if issubclass(base, Model) for name, text in field_docs(base).items()}


def test_few_arguments_are_left_each_with_its_reason() -> None:
    left = [row for row in POOL.rows if isinstance(row, Note) and row.kind == "unmodeled"]
    assert len(left) <= 10
    assert all(len(row.why) > 40 for row in left)


@pytest.mark.parametrize("field", sorted({name for kind in KINDS for name in kind.model_fields} - OURS - {"name"}))
def test_the_docstring_says_whether_the_field_is_immutable(field: str) -> None:
    if field == "os_sku":  # on Windows only
        return
    immutable = any(field in fixed_fields(POOL, kind.__name__) & kind.model_fields.keys() for kind in KINDS)
    assert fields()[field].endswith("Immutable.") is immutable, field


@pytest.mark.parametrize("kind", KINDS)
def test_every_field_has_a_docstring(kind: type[AgentPool]) -> None:
    assert not [name for name in kind.model_fields if name != "kind" and not fields().get(name)]


def test_the_page_in_the_docs_is_current(project: Path) -> None:
    subprocess.run([sys.executable, "tools/agent_pool_fields.py", "--check"], cwd=project, check=True)
