"""What guides show in Python is a declaration, and nothing is wrong with it that is certain."""

import re
import textwrap

import pytest

import nodepools
from nodepools import UserPool, check
from nodepools.rules.samples import SIZE, aks


def blocks(text):
    return [textwrap.dedent(block) for block in re.findall(r"^ *```python\n(.*?)^ *```", text, flags=re.DOTALL | re.MULTILINE)]


@pytest.mark.parametrize("number", [0, 1])
def test_the_moves_to_node_auto_provisioning(project, number):
    shown = blocks((project / "docs/guides/migrate-to-nap.md").read_text())
    assert len(shown) == 2
    names = {name: getattr(nodepools, name) for name in nodepools.__all__} | {"weu": aks(pools={"web": UserPool(vm_size=SIZE, count=2)})}
    exec(shown[number], names)  # noqa: S102  # of our own pages
    assert names["weu"].node_provisioning.node_pools
    assert [str(fault) for fault in check(names["weu"]) if fault.severity == "error"] == []
