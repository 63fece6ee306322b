"""Operations on YAML and JSON text."""

from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodepools.manifests.edits import yaml_edit
from nodepools.manifests.edits.yaml_edit import NotEditableError, edited, edited_objects, spliced
from nodepools.model.kubernetes.label import Taint
from nodepools.reading.yaml_documents import documents
from nodepools.rules.engine.finding import Operation, add, remove, rename, set_to

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
        '{"spec": {"c": 2, "b": [1, 2]}}'
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


VALUES = st.sampled_from(["web", "on-demand", "a b", "yes", "1.30", "12", "it's", 'a "word"', "é☃", "x: y", "#no", "*.corp", "null", "", "~"])
QUOTES = st.sampled_from(["{}", "'{}'", '"{}"', "&a {}", "!!str {}"])
ENDS = st.sampled_from(["\n", "\r\n"])


@given(old=st.sampled_from(["old", "o-1", "two words"]), new=VALUES, quotes=QUOTES, end=ENDS, flow=st.booleans(), empty=st.integers(0, 3))
def test_every_byte_outside_of_the_value_stays(old: str, new: str, quotes: str, end: str, empty: int, *, flow: bool) -> None:
    """In any quotes, line ends and style, with comments, anchors, empty documents and a last line without an end."""
    entry = f"- {{k:   {quotes.format(old)}   , z: [ 1,2 ]}}" if flow else f"- k:   {quotes.format(old)}   # why"
    head, tail = f"# first{end}---{end}a:{end}{entry.partition(quotes.format(old))[0]}", f"{entry.partition(quotes.format(old))[2]}"
    rest = f"{tail}{end}   {end}b: *c{end}".replace("*c", "2") + f"---{end}" * empty + "c: 3"
    text = f"{head}{quotes.format(old)}{rest}"
    made = edited(text, [set_to(("a", 0, "k"), new)])
    assert made.startswith(head)
    assert made.endswith(rest)
    [first, *_] = documents(made, "x.yaml")
    assert first.value["a"][0]["k"] == new  # type: ignore[index]  # YAML of this test


def test_what_is_written_again_keeps_anchors_that_nothing_uses() -> None:
    text = "a: &a {b: 1}\nc: &c\n- &d 1\n- &e {f: &f [1]}\ng: |\n  x\nh: *a\n"
    assert edited(text, [set_to(("g",), "y")]) == text.replace("  x", "  y").replace("|", "|-")


ENTRIES = [
    pytest.param("a: [1, 2,  3] # c\n", remove(("a", 0)), "a: [2,  3] # c\n", id="the first"),
    pytest.param("a: [1, 2,  3] # c\n", remove(("a", 1)), "a: [1,  3] # c\n", id="one in the middle"),
    pytest.param("a: [1, 2,  3] # c\n", remove(("a", 2)), "a: [1, 2] # c\n", id="the last"),
    pytest.param("b: {a: [1]}\nc: 2\n", remove(("b", "a", 0)), "c: 2\n", id="the only one, with its parents"),
    pytest.param("b: {a: 1, c: 2}\n", remove(("b", "a")), "b: {c: 2}\n", id="of a mapping"),
    pytest.param("b: [{a: 1}, 2]\n", remove(("b", 0, "a")), "b: [2]\n", id="the only one of an entry"),
    pytest.param("[[1], 2]\n", remove((0, 0)), "[2]\n", id="inside another"),
    pytest.param("{a: 1}\n", remove(("a",)), "{}\n", id="all there is"),
    pytest.param("a: [1, # c\n  2]\n", remove(("a", 0)), None, id="a comment between them"),
    pytest.param("a: [x, y]\n", set_to(("a",), ["x", "z"]), "a: [x, z]\n", id="another item"),
    pytest.param("a: 1\na: 2\n", set_to(("a",), 3), "a: 1\na: 3\n", id="the key that counts"),
    pytest.param("'a': 1\n", rename(("a",), "b"), "'b': 1\n", id="a key in quotes"),
    pytest.param('{"a": {"b": [1,2]}}', set_to(("a", "b", 1), "x"), '{"a": {"b": [1,"x"]}}', id="JSON on one line"),
    pytest.param("a: |\n  x\nb: 1\n", set_to(("a",), "y"), None, id="a block of text"),
    pytest.param("a: [x]\n", set_to(("a",), [["z"]]), None, id="a list in a list"),
    pytest.param("a: [[x], y]\n", set_to(("a",), [["z"], "y"]), "a: [[z], y]\n", id="inside an item"),
    pytest.param("a: [x, y]\n", set_to(("a",), ["x"]), "a: [x]\n", id="fewer items"),
    pytest.param("a:\n- {b: 1}\n- {b: 1} # c\n-   2\n", set_to(("a",), [{"b": 1}, 2]), "a:\n- {b: 1}\n-   2\n", id="an item twice"),
    pytest.param("a: [x, y]\n", set_to(("a",), ["z"]), None, id="other items"),
    pytest.param("a: [x, y]\n", set_to(("a",), []), None, id="no items"),
    pytest.param("a: {b:   [1, 2]} # c\n", add(("a", "b"), 3), "a: {b:   [1, 2, 3]} # c\n", id="another item in brackets"),
    pytest.param("a:\n  - b:  1\n  # c\nd: [ 2 ]\n", add(("a",), {"b": 3}), "a:\n  - b:  1\n  - b: 3\n  # c\nd: [ 2 ]\n", id="another item"),
    pytest.param("a:\r\n    b: 1 # c\r\n", set_to(("a", "d", "e"), "x"), "a:\r\n    b: 1 # c\r\n    d:\r\n      e: x\r\n", id="another entry"),
    pytest.param("a: 1", set_to(("b",), "1.30"), "a: 1\nb: '1.30'", id="after a line without an end"),
    pytest.param("a: {}\n", set_to(("a", "b"), ["1", True]), 'a: {b: ["1", true]}\n', id="the first entry"),
    pytest.param("a: 1\n", add(("b",), 2), "a: 1\nb:\n- 2\n", id="a list"),
    pytest.param('{\n "a": 1\n}', set_to(("b",), {"c": "x"}), '{\n "a": 1,\n "b": {"c": "x"}\n}', id="JSON on several lines"),
    pytest.param("a: &x {b: 1}\nc: *x\n", set_to(("d",), 2), "a: &x {b: 1}\nd: 2\nc: *x\n", id="behind an alias"),
    pytest.param("- 1\n- 2\n", rename((0,), "b"), None, id="an item has no name"),
    pytest.param("a: 1\n", remove(("b",)), None, id="what is not there"),
    pytest.param("a: x\n", set_to(("a", "b"), 1), None, id="inside a text"),
    pytest.param("x", set_to(("a",), 1), None, id="no mapping"),
    pytest.param("a: 1\n", add(("a",), 1), None, id="one more"),
    pytest.param("a: [", remove(("a",)), None, id="no YAML"),
    pytest.param("a:\n- x\n- 2024-13-45\n", set_to(("a",), ["x"]), None, id="an item is a date that does not exist"),
    pytest.param("a:\n- x\n- !foo z\n", set_to(("a",), ["x"]), None, id="an item has a tag that is not known"),
]


@pytest.mark.parametrize(("text", "operation", "expected"), ENTRIES)
def test_entries_in_place(text: str, operation: Operation, expected: str | None) -> None:
    assert spliced(text, operation, None, lambda _: None) == expected


def test_lines_that_are_written_again_keep_their_line_ends() -> None:
    text = "a:\r\n  b: 1\r\n---\r\nc: [ 1,2 ]\r\n---\r\n"
    made = edited(text, [add(("x",), "new")], position=(0, 0))
    assert made == "a:\r\n  b: 1\r\nx:\r\n- new\r\n---\r\nc: [ 1,2 ]\r\n---\r\n"
    assert edited("---\n# only\n---\na: 1\n", [add(("x",), "new")]) == "---\n# only\n---\na: 1\nx:\n- new\n"


def test_an_edit_reads_only_the_document_of_its_object(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    monkeypatch.setattr(yaml_edit, "spliced", lambda text, *how: read.append(text) or spliced(text, *how))
    pools = ["a: 1\n", "---\na: 2\n", "---\na: 3\n"]
    made = edited_objects("".join(pools), [((line, 0), [set_to(("a",), 7)]) for line in (4, 2)])
    assert (made, read) == ("a: 1\n---\na: 7\n---\na: 7\n", [pools[2], pools[1]])


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\u2028", "\x85"])
def test_the_object_is_where_readers_of_yaml_count_it(end: str) -> None:
    text = f"a: 1{end}b:{end}  a: 2\n---\nc:\n  a: 3\n"
    second = list(documents(text, "x"))[1]
    made = edited(text, [remove(("c", "a"))], position=(second.start.line, second.start.column))
    assert made == text.partition("c:")[0]


@pytest.mark.parametrize("style", ["labels:\n  {}: 5  # why\n", "labels: {{a: b, {}: 5}}\n"])
@pytest.mark.parametrize("key", ["n", "Yes", "on", "off", "true", "1", "0x10", "010", '"n"', "'on'", "z"])
def test_a_key_that_kubernetes_reads_as_another_one_is_edited(key: str, style: str) -> None:
    """Not added a second time: `n` is `false` for kubectl."""
    text = style.format(key)
    [read] = documents(text, "")
    name = list(read.value["labels"])[-1]  # type: ignore[index]  # YAML of this test
    assert edited(text, [set_to(("labels", name), "5")]) == text.replace("5", '"5"')
    assert f"{key}:" not in edited(text, [remove(("labels", name))])
