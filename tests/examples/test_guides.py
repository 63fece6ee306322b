"""What guides show in Python is a declaration, and nothing is wrong with it that is certain."""

import re
import textwrap
from datetime import date
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from nodepools import AksClusterArgs, UserPool, check, derive
from nodepools.public_names import DOORS
from nodepools.rules.engine.samples import SIZE, aks, aks_pool, provisioning


def blocks(text: str) -> list[str]:
    return [textwrap.dedent(block) for block in re.findall(r"^ *```python\n(.*?)^ *```", text, flags=re.DOTALL | re.MULTILINE)]


WRITTEN = date(2026, 11, 21)
BEFORE = {"pools": {"web": UserPool(vm_size=SIZE, count=2)}}


def public() -> dict[str, Any]:
    return {name: getattr(door, name) for door in map(import_module, DOORS) for name in dir(door)}


ACCEPTED = ("AKS321",)
"""Warnings that a page names, and says how to accept."""


@pytest.mark.parametrize("number", [0, 1, 2])
def test_the_moves_to_node_auto_provisioning(project: Path, number: int) -> None:
    shown = blocks((project / "docs/guides/migrate-to-nap.md").read_text())
    assert len(shown) == 3
    before = derive(provisioning({"general": aks_pool()}), BEFORE) if number == len(shown) - 1 else aks(**BEFORE)
    names: dict[str, Any] = {**public(), "weu": before}
    exec(shown[number], names)  # noqa: S102  # of our own pages
    assert names["weu"].node_pools
    assert [str(finding) for finding in check(names["weu"]) if finding.severity == "error"] == []


@pytest.mark.parametrize("part", [pytest.param(0, id="identities"), pytest.param(2, id="services")])
def test_the_guide_on_parts_of_a_cluster(project: Path, part: int) -> None:
    page = (project / "docs/guides/identities.md").read_text()
    shown = blocks(page.partition("## Logs, metrics, audit logs")[part])
    assert shown
    names = {**public(), "weu": aks(**BEFORE)}
    for block in shown:
        exec(block, names)  # noqa: S102  # of our own pages
        clusters = [value for value in names.values() if isinstance(value, AksClusterArgs)]
        found = [finding for one in clusters for finding in check(one, today=WRITTEN) if finding.severity != "note"]
        assert [str(finding) for finding in found if finding.code not in ACCEPTED] == []
