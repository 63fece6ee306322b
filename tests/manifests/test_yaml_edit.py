"""Operations on YAML and JSON text."""

from textwrap import dedent

import pytest

from nodepools.manifests.yaml_edit import NotEditableError, edited
from nodepools.model.kubernetes.taint import Taint
from nodepools.rules.fix import Operation, add, remove, rename, set_to

PLATFORM = """\
# who to call
name: dev   # the stack
clusters:
  weu:
    kind: AksCluster
    kubernetes_version: "1.36"
    pools:
      # for the web
      web:
        kind: UserPool
        count: 3   # enough
        # both are needed
        taints:
          - "team=web:NoSchedule"
          - key: tier
            value: web
        zones: [1, 2]
        labels:
          team: web
      # for jobs
      jobs:
        kind: UserPool
"""

WEB = ("clusters", "weu", "pools", "web")
ROWS = [
    pytest.param(set_to((*WEB, "count"), 5), "count: 3   # enough", "count: 5   # enough", id="a value, and its comment stays"),
    pytest.param(set_to(("clusters", "weu", "kubernetes_version"), "1.37"), '"1.36"', '"1.37"', id="a text that would be a number"),
    pytest.param(set_to((*WEB, "taints", 1, "value"), "api"), "            value: web", "            value: api", id="inside an entry"),
    pytest.param(add((*WEB, "zones"), 3), "[1, 2]", "[1, 2, 3]", id="an entry in a line"),
    pytest.param(
        add((*WEB, "taints"), "a=b:NoExecute"),
        "            value: web\n",
        "            value: web\n          - a=b:NoExecute\n",
        id="an entry of a block",
    ),
    pytest.param(
        add((*WEB, "taints"), {"key": "a"}),
        "            value: web\n",
        "            value: web\n          - key: a\n",
        id="a mapping is an entry of a list",
    ),
    pytest.param(
        add(("clusters", "weu", "pools", "jobs", "taints"), Taint("a", "b")),
        "      jobs:\n        kind: UserPool\n",
        "      jobs:\n        kind: UserPool\n        taints:\n          - key: a\n            value: b\n",
        id="a part is the first entry of a list",
    ),
    pytest.param(add((*WEB, "labels"), {"a/b": "c"}), "          team: web\n", "          team: web\n          a/b: c\n", id="a label"),
    pytest.param(
        set_to(("clusters", "weu", "pools", "web", "mode"), "x"),
        "          team: web\n",
        "          team: web\n        mode: x\n",
        id="a field more",
    ),
    pytest.param(remove((*WEB, "count")), "        count: 3   # enough\n", "", id="a field; the comment after it stays"),
    pytest.param(remove((*WEB, "taints", 1)), "          - key: tier\n            value: web\n", "", id="an entry of two lines"),
    pytest.param(remove((*WEB, "labels", "team")), "        labels:\n          team: web\n", "", id="the last entry takes its holder with it"),
    pytest.param(remove((*WEB, "zones", 0)), "[1, 2]", "[2]", id="an entry in a line goes"),
    pytest.param(rename(WEB, "api"), "      web:\n", "      api:\n", id="a key; its comments and its place stay"),
    pytest.param(
        set_to(("clusters", "weu", "upgrade", "max_surge"), "1"),
        "      jobs:\n        kind: UserPool\n",
        "      jobs:\n        kind: UserPool\n    upgrade:\n      max_surge: '1'\n",
        id="below what was not there",
    ),
]


@pytest.mark.parametrize(("operation", "old", "new"), ROWS)
def test_the_rest_stays_as_it_is(operation: Operation, old: str, new: str) -> None:
    assert PLATFORM.count(old) == 1 or old.startswith(" ")
    assert edited(PLATFORM, [operation]) == PLATFORM.replace(old, new, 1)


def test_a_part_that_is_written_as_text_is_written_so_again() -> None:
    operation = set_to((*WEB, "taints", 0, "effect"), "PreferNoSchedule")
    made = edited(PLATFORM, [operation], text_of=lambda steps: str(Taint("team", "web", "PreferNoSchedule")) if steps[-1] == 0 else None)
    assert made == PLATFORM.replace("team=web:NoSchedule", "team=web:PreferNoSchedule")
    with pytest.raises(NotEditableError, match="written as text"):
        edited(PLATFORM, [operation])


MANIFESTS = dedent(
    """\
    ---
    # the first
    apiVersion: v1
    kind: List
    items:
    - kind: A
      spec:
        weight: 1
    - kind: B
      spec:
        weight: 200   # too much
        labels: {team: ml}
    ---
    kind: C
    spec:
      weight: 3
    """
)

OBJECTS = [
    pytest.param((8, 2), set_to(("spec", "weight"), 100), "weight: 200   #", "weight: 100   #", id="an object of a list"),
    pytest.param((13, 0), set_to(("spec", "weight"), 4), "weight: 3", "weight: 4", id="an object of a later document"),
    pytest.param((13, 0), remove(("spec", "weight")), "spec:\n  weight: 3\n", "", id="removed from a later document"),
    pytest.param((8, 2), remove(("kind",)), None, None, id="the first key of an entry"),
]


@pytest.mark.parametrize(("at", "operation", "old", "new"), OBJECTS)
def test_an_object_is_found_where_it_begins(at: tuple[int, int], operation: Operation, old: str | None, new: str) -> None:
    made = edited(MANIFESTS, [operation], position=at)
    if old is None:
        assert "kind: B" not in made
        assert "weight: 200" in made
    else:
        assert made == MANIFESTS.replace(old, new)


def test_json_stays_json() -> None:
    assert edited('{"spec": {"a": 1, "b": [1]}}', [set_to("spec.a", 2), add("spec.b", 2), rename("spec.a", "c")]) == (
        '{\n  "spec": {\n    "c": 2,\n    "b": [\n      1,\n      2\n    ]\n  }\n}\n'
    )


NOT_THERE = [
    pytest.param(PLATFORM, None, set_to(("clusters", "weu", "pools", "web", "taints", 7), "x"), id="an entry that is not there"),
    pytest.param(PLATFORM, None, remove(("clusters", "weu", "nope")), id="a key that is not there"),
    pytest.param(MANIFESTS, (1, 1), set_to(("kind",), "x"), id="no object begins there"),
    pytest.param("a: [", None, set_to(("a",), 1), id="no YAML"),
    pytest.param("{", None, set_to(("a",), 1), id="no JSON"),
]


@pytest.mark.parametrize(("text", "at", "operation"), NOT_THERE)
def test_what_is_not_there_is_told(text: str, at: tuple[int, int] | None, operation: Operation) -> None:
    with pytest.raises(NotEditableError):
        edited(text, [operation], position=at)
