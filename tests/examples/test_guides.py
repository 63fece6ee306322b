"""What guides show in Python is a declaration, and nothing is wrong with it that is certain."""

import re
import textwrap

import pytest

import nodepools
from nodepools import UserPool, check, derive
from nodepools.rules.samples import SIZE, aks, aks_pool, provisioning


def blocks(text):
    return [textwrap.dedent(block) for block in re.findall(r"^ *```python\n(.*?)^ *```", text, flags=re.DOTALL | re.MULTILINE)]


BEFORE = {"pools": {"web": UserPool(vm_size=SIZE, count=2)}}


@pytest.mark.parametrize("number", [0, 1, 2])
def test_the_moves_to_node_auto_provisioning(project, number):
    shown = blocks((project / "docs/guides/migrate-to-nap.md").read_text())
    assert len(shown) == 3
    before = derive(provisioning({"general": aks_pool()}), BEFORE) if number == len(shown) - 1 else aks(**BEFORE)
    names = {name: getattr(nodepools, name) for name in nodepools.__all__} | {"weu": before}
    exec(shown[number], names)  # noqa: S102  # of our own pages
    assert names["weu"].node_provisioning.node_pools
    assert [str(finding) for finding in check(names["weu"]) if finding.severity == "error"] == []


@pytest.mark.parametrize("page", ["identities.md", "cluster-services.md"])
def test_the_guide_on_parts_of_a_cluster(project, page):
    shown = blocks((project / "docs/guides" / page).read_text())
    assert shown
    names = {name: getattr(nodepools, name) for name in nodepools.__all__} | {"weu": aks(**BEFORE)}
    for block in shown:
        exec(block, names)  # noqa: S102  # of our own pages
        assert [str(finding) for finding in check(names["weu"]) if finding.severity != "note"] == []
