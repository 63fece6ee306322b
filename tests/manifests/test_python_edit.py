"""Operations on a stack in Python."""

import ast

import pytest

from nodepools import Autoscale, Taint
from nodepools.manifests.edits.python_edit import python_edited
from nodepools.rules.engine.finding import Operation, add, remove, rename, set_to

STACK = '''\
"""The stack of the team."""

from nodepools import AksClusterArgs, Autoscale, Platform, SystemPool, Taint, UserPool

SIZE = "Standard_D4ds_v5"  # ä: two bytes
WEB = UserPool(
    vm_size=SIZE,
    count=3,  # enough
    taints=[Taint("team", "web"), Taint("tier", "x")],
    labels={"team": "web"},
)
PLATFORM = Platform(
    name="dev",
    clusters={
        "weu": AksClusterArgs(
            location="westeurope",
            system_pool=SystemPool(vm_size=SIZE, count=1),
            pools={"web": WEB, "jobs": UserPool(vm_size=SIZE, scale=Autoscale(3, 2))},
        ),
    },
)
'''
WEU = ("clusters", "weu")
ROWS = [
    pytest.param(set_to((*WEU, "location"), "northeurope"), 'location="westeurope"', 'location="northeurope"', id="a keyword"),
    pytest.param(set_to((*WEU, "pools", "web", "count"), 5), "count=3,  # enough", "count=5,  # enough", id="behind a name"),
    pytest.param(set_to((*WEU, "pools", "jobs", "scale", "min"), 2), "Autoscale(3, 2)", "Autoscale(2, 2)", id="an argument by position"),
    pytest.param(set_to((*WEU, "system_pool", "zones"), [1, 2]), "count=1)", "count=1, zones=[1, 2])", id="a keyword that is not there, in a line"),
    pytest.param(
        set_to((*WEU, "pools", "web", "scale"), Autoscale(1, 3)),
        'labels={"team": "web"},\n',
        'labels={"team": "web"},\n    scale=Autoscale(1, 3),\n',
        id="a keyword that is not there, on a line of its own",
    ),
    pytest.param(remove((*WEU, "pools", "web", "count")), "    count=3,  # enough\n", "", id="a line"),
    pytest.param(remove((*WEU, "system_pool", "count")), ", count=1)", ")", id="the last of a line"),
    pytest.param(remove((*WEU, "pools", "web", "taints", 0)), 'Taint("team", "web"), ', "", id="the first of a list"),
    pytest.param(
        add((*WEU, "pools", "web", "taints"), Taint("a", "b")), 'Taint("tier", "x")]', 'Taint("tier", "x"), Taint("a", "b")]', id="an entry"
    ),
    pytest.param(add((*WEU, "pools", "web", "labels"), {"a/b": "c"}), '"team": "web"}', '"team": "web", "a/b": "c"}', id="a label"),
    pytest.param(
        add((*WEU, "system_pool", "taints"), "a=b:NoExecute"), "count=1)", 'count=1, taints=["a=b:NoExecute"])', id="a list that is not there"
    ),
    pytest.param(rename((*WEU, "pools", "web"), "api"), '{"web": WEB', '{"api": WEB', id="a key"),
]


def test_a_keyword_is_added_to_the_right_of_two_dicts() -> None:
    source = "PLATFORM = derive(BASE, clusters={'weu': ALL | partial.AksClusterArgs(tier='Free')})\n"
    assert python_edited(source, [set_to((*WEU, "private"), value=True)]) == source.replace("'Free')", "'Free', private=True)")


@pytest.mark.parametrize(("operation", "old", "new"), ROWS)
def test_an_operation(operation: Operation, old: str, new: str) -> None:
    made = python_edited(STACK, [operation])
    assert made is not None
    assert made == STACK.replace(old, new, 1)
    ast.parse(made)


NOT_LITERAL = [
    pytest.param(STACK, set_to(("clusters", "neu", "location"), "x"), id="a cluster that is not there"),
    pytest.param(STACK, remove((*WEU, "tier")), id="a keyword that is not there"),
    pytest.param(STACK, set_to((*WEU, "pools", "web", "vm_size", "x"), 1), id="inside a text"),
    pytest.param(
        STACK.replace('{"web": WEB', '{key: WEB for key in NAMES} | {"api": WEB'), set_to((*WEU, "pools", "web", "count"), 1), id="a comprehension"
    ),
    pytest.param(STACK.replace("vm_size=SIZE, count=1", "**DEFAULTS"), set_to((*WEU, "system_pool", "count"), 3), id="keywords of a mapping"),
    pytest.param(STACK.replace("PLATFORM =", "OTHER ="), remove((*WEU, "location")), id="no platform"),
    pytest.param(STACK, rename((*WEU, "system_pool"), "x"), id="a keyword is no key"),
    pytest.param(STACK, add((*WEU, "pools", "web", "labels"), "x"), id="an entry of a mapping without a key"),
    pytest.param(
        STACK.replace('taints=[Taint("team", "web"), Taint("tier", "x")]', 'requirements=[keys.eks.capacity_type.one_of("ondemand")]'),
        set_to((*WEU, "pools", "web", "requirements", 0, "values"), ["on-demand"]),
        id="the values of a requirement that a key makes",
    ),
]


@pytest.mark.parametrize(("source", "operation"), NOT_LITERAL)
def test_what_no_literal_says_is_left(source: str, operation: Operation) -> None:
    assert python_edited(source, [operation]) is None
