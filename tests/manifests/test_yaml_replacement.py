"""Objects of a text get other values; the rest of the text stays as it is."""

import json

import pytest

from nodepools.cli.output.safe_yaml import safe_yaml
from nodepools.manifests.edits.yaml_edit import with_objects
from nodepools.manifests.manifest_objects import objects

TEXT = """\
# the pools of the shop
apiVersion: karpenter.sh/v1
kind: NodePool
metadata:
  name: web # of the shop
spec:
  a: "1"
  # about b
  b: [p,  q]
  c:
    - key: k/one
      value: 'one' # first
    - key: k/two
    - key: k/three
---
# not ours
kind: ConfigMap
data:   {a:   b}
"""


def replaced(text, **spec):
    found = list(objects(text, "a.yaml"))
    new = [{**found[0].raw, "spec": spec}, *(one.raw for one in found[1:])]
    return with_objects(text, found, new, safe_yaml)


def test_a_text_without_changes_is_the_same():
    found = list(objects(TEXT, "a.yaml"))
    assert with_objects(TEXT, found, [one.raw for one in found], safe_yaml) is TEXT


POD = '{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}}'
OTHER = POD.replace('"a"', '"b"')


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (POD, ""),
        (f"---\n{POD}\n", ""),
        (f"# all\n---\n{POD}\n---\n# b\n{OTHER}\n", f"---\n# b\n{OTHER}\n"),
        (f"apiVersion: v1\nkind: List\nitems:\n- {POD}\n- {OTHER}\n", OTHER),
        (f'{{"apiVersion": "v1", "kind": "PodList", "items": [{POD}, {OTHER}]}}', OTHER),
    ],
    ids=["JSON", "YAML", "documents", "a list", "a list in JSON"],
)
def test_what_becomes_empty_is_omitted(text, left):
    found = list(objects(text, "a.yaml"))
    made = with_objects(text, found, [{}, *(one.raw for one in found[1:])], safe_yaml)
    assert [one.raw for one in objects(made, "")] == [one.raw for one in objects(left, "")]
    assert made.endswith(left) or "List" in made


def test_a_text_of_windows_keeps_its_line_ends():
    text = replaced(TEXT.replace("\n", "\r\n"), a="2", d={"e": 1})
    assert text.count("\n") == text.count("\r\n") == text.count("\r")
    assert text.replace("\r\n", "\n") == replaced(TEXT, a="2", d={"e": 1})


EDITS = {
    "a value": ({"a": "2", "b": ["p", "q"], "c": None}, '  a: "1"', '  a: "2"'),
    "a value of a list": ({"a": "1", "b": ["p", "z"], "c": None}, "[p,  q]", "[p, z]"),
    "a shorter list": ({"a": "1", "b": ["z"], "c": None}, "[p,  q]", "[z]"),
    "a longer list": ({"a": "1", "b": ["p", "q", "z"], "c": None}, "[p,  q]", "[p, q, z]"),
}


@pytest.mark.parametrize(("spec", "old", "new"), EDITS.values(), ids=EDITS)
def test_an_edit_keeps_comments_and_other_documents(spec, old, new):
    listed = [{"key": "k/one", "value": "one"}, {"key": "k/two"}, {"key": "k/three"}]
    text = replaced(TEXT, **{**spec, "c": listed})
    assert new in text
    assert old not in text
    for kept in ("# the pools of the shop", "# of the shop", "# about b", "# first", "---\n# not ours\nkind: ConfigMap\ndata:   {a:   b}\n"):
        assert kept in text


def test_entries_of_a_list_are_found_by_their_names():
    text = replaced(TEXT, a="1", b=["p", "q"], c=[{"key": "other/one", "value": "one"}, {"key": "k/three"}])
    assert "    - key: other/one\n      value: 'one' # first\n    - key: k/three\n" in text
    assert "k/two" not in text


def test_a_new_field_is_at_its_place():
    text = replaced("kind: A\nspec:\n  a: 1\n  c: 3\n", a=1, b={"x": [1]}, c=3)
    assert text == "kind: A\nspec:\n  a: 1\n  b:\n    x:\n    - 1\n  c: 3\n"


def test_items_of_a_list_object():
    text = "apiVersion: v1\nkind: List\nitems:\n- kind: A # first\n  spec: {a: 1}\n- kind: B\n  spec: {}\n"
    assert replaced(text, a=2) == text.replace("a: 1", "a: 2")


def test_json_stays_json():
    text = json.dumps({"kind": "List", "items": [{"kind": "A", "spec": {"a": 1}}, {"kind": "B"}]})
    assert json.loads(replaced(text, a=2)) == {"kind": "List", "items": [{"kind": "A", "spec": {"a": 2}}, {"kind": "B"}]}


ANEW = {
    "a text that YAML 1.1 reads as a boolean": ("kind: A\nspec: {a: x}\n", "on"),
    "an anchor that another object has": ("kind: List\nitems:\n- kind: A\n  spec: &s\n    a: 1\n- kind: B\n  spec: *s\n", 2),
}


@pytest.mark.parametrize(("text", "value"), ANEW.values(), ids=ANEW)
def test_what_cannot_be_edited_in_place_is_written_again(text, value):
    found = [one.raw for one in objects(replaced(text, a=value), "")]
    assert [one.get("spec") for one in found] == [{"a": value}, *([{"a": 1}] if len(found) > 1 else [])]
