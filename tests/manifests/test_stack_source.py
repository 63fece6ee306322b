"""Where parts of a platform are written in Python, and which findings comments there accept."""

import pytest

from nodepools.manifests.stack_source import StackSource
from nodepools.rules.engine.accepted_findings import without_accepted
from nodepools.rules.engine.finding import Finding, Severity

STACK = '''"""The platform."""

from nodepools import *

POOLS = {
    "web": UserPool(vm_size="D", labels={"a/b": "c"}),
    **more(),
}
WEU = AksClusterArgs(location="westeurope", pools=POOLS)
PLATFORM = Platform(
    name="dev",
    clusters={
        "weu": WEU,
        "neu": AksClusterArgs(
            system_pool=SystemPool(
                vm_size="D",
                taints=["a=b:NoSchedule", Taint("c")],
            ),
        ),
        "many": cluster(*all_pools),
    },
)
'''

PLACES = [
    pytest.param((), "10:12", id="the platform"),
    pytest.param(("name",), "11:5", id="a field"),
    pytest.param(("maintenance",), "10:12", id="a field that is not written"),
    pytest.param(("clusters", "neu"), "14:9", id="an entry of a dict"),
    pytest.param(("clusters", "neu", "system_pool", "taints", 1), "17:43", id="an entry of a list"),
    pytest.param(("clusters", "neu", "system_pool", "taints", 1, "key"), "17:49", id="an argument by position"),
    pytest.param(("clusters", "neu", "system_pool", "taints", 7), "17:17", id="an entry that is not there"),
    pytest.param(("clusters", "weu", "location"), "9:22", id="of a name of the module"),
    pytest.param(("clusters", "weu", "pools", "web", "labels", "a/b"), "6:42", id="of a name of a name"),
    pytest.param(("clusters", "weu", "pools", "batch"), "9:45", id="an entry that a function makes"),
    pytest.param(("clusters", "many", "pools", "web"), "20:9", id="of a function"),
    pytest.param(("clusters", "use1"), "12:5", id="a cluster that is not there"),
]


@pytest.mark.parametrize(("steps", "place"), PLACES)
def test_where_it_is_written(steps: tuple[str | int, ...], place: str) -> None:
    assert str(StackSource.of(STACK, "dev.py").position(steps)) == f"dev.py:{place}"


UNKNOWN = [
    pytest.param("from stacks.dev import PLATFORM\n", None, id="imported"),
    pytest.param("PLATFORM = a\nPLATFORM = b\n", None, id="assigned twice"),
    pytest.param("PLATFORM = PLATFORM\n", "dev.py:1:12", id="named after itself"),
    pytest.param("PLATFORM: Platform = Platform(name='dev')\n", "dev.py:1:31", id="with a type hint"),
    pytest.param("PLATFORM = derive(BASE, {'name': 'dev'})\n", "dev.py:1:12", id="derived"),
    pytest.param("PLATFORM = BASE | derive(BASE, name='dev')\n", "dev.py:1:32", id="the right of two dicts"),
    pytest.param("PLATFORM = derive(BASE, name='dev')\n", "dev.py:1:25", id="derived by keywords"),
    pytest.param("PLATFORM = Platform(name=[*names, 'dev'])\n", "dev.py:1:21", id="in a list"),
    pytest.param("PLATFORM: Platform\na.b = 1\n", None, id="never assigned"),
]


@pytest.mark.parametrize(("text", "place"), UNKNOWN)
def test_what_no_literal_tells(text: str, place: str | None) -> None:
    position = StackSource.of(text, "dev.py").position(("name", 0) if "*" in text else ("name",))
    assert (str(position) if position is not None else None) == place


def left(text: str, *steps: str) -> list[str]:
    source = StackSource.of(text, "dev.py")
    finding = Finding("AKS104", Severity.NOTE, "", None, "is so", None, "somebody", steps=steps, position=source.position(steps))
    return [one.code for one in without_accepted([finding], source.ignores())]


IGNORE = "# nodepools: ignore two-system-nodes a small cluster"
NEU = ("clusters", "neu", "system_pool")
COMMENTS = [
    pytest.param(STACK.replace("system_pool=SystemPool(", f"system_pool=SystemPool(  {IGNORE}"), [], id="on the line"),
    pytest.param(STACK.replace("            system_pool", f"            {IGNORE}\n            system_pool"), [], id="on the line above"),
    pytest.param(STACK.replace('        "neu"', f'        {IGNORE}\n        "neu"'), ["AKS104", "IGN001"], id="on the line of another part"),
    pytest.param(f"{IGNORE}\n{STACK}", [], id="above the docstring"),
    pytest.param(STACK.replace("\nfrom", f"\n{IGNORE}\nfrom"), [], id="below the docstring"),
    pytest.param(f"{IGNORE}\nfrom stacks.dev import PLATFORM\n", [], id="at the top of a stack without literals"),
    pytest.param(STACK.replace("POOLS = {", f"{IGNORE}\nPOOLS = {{"), ["AKS104", "IGN001"], id="below the first statement"),
    pytest.param(STACK.replace('"D"', f'"{IGNORE}"'), ["AKS104"], id="in a text"),
    pytest.param(STACK + f"\n{IGNORE}\n", ["AKS104", "IGN001"], id="at the end"),
]


@pytest.mark.parametrize(("text", "codes"), COMMENTS)
def test_what_comments_accept(text: str, codes: list[str]) -> None:
    assert left(text, *NEU) == codes
