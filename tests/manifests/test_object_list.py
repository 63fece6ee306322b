"""Long lists are read object by object: the same objects as from the whole text, without the parts that nobody needs."""

import re
from collections.abc import Iterator
from io import BytesIO
from typing import Literal

import pytest
import yaml

from nodepools.manifests.existing.existing_pools import read_existing_pools
from nodepools.manifests.manifest_objects import ManifestObject, objects
from nodepools.manifests.object_list import listed_objects
from nodepools.reading import yaml_documents
from nodepools.reading.bounded_input import LISTED_VALUES, TextError
from nodepools.reading.selection import EVERYTHING, Selection
from tests.kubectl_nodes import kubectl_nodes

NODE = "apiVersion: v1\nkind: Node\nmetadata: {name: a}\n"
SAME = [
    pytest.param(NODE, id="one object"),
    pytest.param(f"{NODE}---\n# nothing\n---\n{NODE}", id="several documents"),
    pytest.param("", id="nothing"),
    pytest.param("apiVersion: v1\nitems:\n- {kind: Node, metadata: {name: a}}\n- {kind: Pod}\nkind: List\n", id="a list as kubectl prints it"),
    pytest.param("{kind: NodeList, apiVersion: v1, items: [{metadata: {name: a}}, {kind: Pod}]}", id="a list of a kind"),
    pytest.param("{items: [{metadata: {name: a}}, {metadata: {name: b}}], apiVersion: v1, kind: NodeList}", id="a list that names its kind last"),
    pytest.param("kind: List\nitems:\n- kind: List\n  items: [{kind: Node, metadata: {name: a}}]\n", id="a list in a list"),
    pytest.param("kind: List\nitems:\n", id="a list without items"),
    pytest.param("kind: List\nitems: []\n", id="an empty list"),
    pytest.param("kind: List\nx: &x {labels: {a: b}}\nitems:\n- {kind: Node, metadata: *x}\n- {kind: Node, <<: *x}\n", id="aliases"),
    pytest.param("kind: List\nitems:\n- &x {kind: Node, metadata: {name: a}}\n- *x\n", id="an item that is an alias"),
    pytest.param('{"kind": "ConfigMap", "data": {"items": "text"}}', id="another object with items inside"),
]
REJECTED = [
    pytest.param("- a\n", "x.yaml:1:1: should be a Kubernetes object, not a list", id="a list that is no object"),
    pytest.param("a\n", "x.yaml:1:1: should be a Kubernetes object, not text", id="a word"),
    pytest.param("DB_PASSWORD=hunter2\n", "x.yaml:1:1: should be a Kubernetes object, not text", id="a file of environment variables"),
    pytest.param("7\n", "x.yaml:1:1: should be a Kubernetes object, not 7", id="a number"),
    pytest.param("kind: List\nitems: {a: b}\n", "x.yaml:2:1: items should be a list, not a mapping", id="items that are a mapping"),
    pytest.param("kind: List\nitems:\n- a\n", "x.yaml:3:3: should be a Kubernetes object, not text", id="an item that is a word"),
    pytest.param("items:\n- {a: b}\nkind: List\n", "x.yaml:2:3: should be a Kubernetes object: it has no kind", id="an item without a kind"),
    pytest.param("items:\n- {kind: Node}\n", "x.yaml:1:1: should be a Kubernetes object: it has no kind", id="a list without a kind"),
    pytest.param("kind: List\nitems:\n- {? [a] : b}\n", "x.yaml:3:8: a key must be text", id="a key that is a list"),
    pytest.param("kind: List\nitems:\n- {kind: Node,\n", "x.yaml:4:1", id="a text that ends early"),
    pytest.param("kind: List\nitems:\n- &a [*a]\n", "x.yaml:3:7: contains itself", id="an anchor within itself"),
]


@pytest.fixture(params=["CSafeLoader", "SafeLoader"], autouse=True)
def _loader(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without libyaml the parser in Python reads the same."""
    monkeypatch.setattr(yaml_documents, "LOADER", getattr(yaml, request.param))


def shown(found: Iterator[ManifestObject]) -> list[object]:
    return [(one.kind, one.raw, one.position(()), one.position(("metadata", "name"))) for one in found]


def everything(_: str) -> Selection:
    return EVERYTHING


@pytest.mark.parametrize("text", SAME)
def test_a_list_has_the_objects_of_its_text(text: str) -> None:
    assert shown(listed_objects(text, "x.yaml", everything)) == shown(objects(text, "x.yaml"))


@pytest.mark.parametrize(("text", "message"), REJECTED)
def test_what_is_not_an_object_is_rejected_as_in_other_files(text: str, message: str) -> None:
    for read in (listed_objects(text, "x.yaml", everything), objects(text, "x.yaml")):
        with pytest.raises(TextError, match=re.escape(message)):
            list(read)


def of_kind(kind: str) -> Selection:
    return Selection.only("kind", spec=Selection.without("large")) if kind == "Node" else Selection.without("large")


PARTS = [
    pytest.param("{kind: Node, spec: {a: 1, large: [1, {x: [2]}]}, status: {x: y}}", {"kind": "Node", "spec": {"a": 1}}, id="the kind comes first"),
    pytest.param("{status: 1, large: 2, kind: Node, other: 3}", {"status": 1, "kind": "Node"}, id="the kind comes later"),
    pytest.param("{kind: Pod, large: {a: b}, spec: {large: 1}}", {"kind": "Pod", "spec": {"large": 1}}, id="another kind"),
    pytest.param("{kind: Node, spec: [large]}", {"kind": "Node", "spec": ["large"]}, id="a list instead of a mapping"),
    pytest.param("{kind: Node, <<: {a: b}}", {"kind": "Node"}, id="merged keys are entries as well"),
]


@pytest.mark.parametrize(("item", "raw"), PARTS)
@pytest.mark.parametrize("form", ["items: [{}]\nkind: List\n", "{}\n"], ids=["in a list", "alone"])
def test_only_selected_parts_are_read(item: str, raw: object, form: str) -> None:
    assert [one.raw for one in listed_objects(form.format(item), "x.yaml", of_kind)] == [raw]


def test_parts_that_are_skipped_do_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(LISTED_VALUES.variable, "20")
    text = f"kind: Node\nlarge: [{', '.join('x' * 100)}]\n"
    assert [one.raw for one in listed_objects(text, "x.yaml", of_kind)] == [{"kind": "Node"}]
    with pytest.raises(TextError, match=r"x\.yaml:2:\d+: has more than 20 values .*`NODEPOOLS_MAX_LISTED_VALUES` raises the limit"):
        list(listed_objects(text, "x.yaml", everything))


def test_parts_that_are_skipped_are_not_nested_without_an_end() -> None:
    with pytest.raises(TextError, match=r"x\.yaml:2:\d+: is nested too deeply"):
        list(listed_objects(f"kind: Node\nlarge: {'[' * 5000}", "x.yaml", of_kind))


def test_an_alias_of_a_part_that_is_skipped_is_told() -> None:
    with pytest.raises(TextError, match=r"x\.yaml:3:4: the alias has no anchor"):
        list(listed_objects("kind: Pod\nlarge: &x 1\na: *x\n", "x.yaml", of_kind))


@pytest.mark.parametrize("data", [b"\xff\xfe\x00", b"kind: \xff", b"kind: \xc3", b"kind: a\xe2\x82"])
def test_bytes_that_are_not_text_are_told(data: bytes) -> None:
    with pytest.raises(TextError, match=r"^nodes: is not UTF-8 text$"):
        list(listed_objects(BytesIO(data), "nodes", everything))


@pytest.mark.parametrize("form", ["yaml", "json"])
def test_the_nodes_of_a_cluster(form: Literal["yaml", "json"], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(LISTED_VALUES.variable, "2400")  # 10 nodes have 12,000 values
    pools = read_existing_pools([("".join(kubectl_nodes(10, 50, form)), "nodes")])
    assert [pool.address for pool in pools.static] == [f"aks-pool{number}-28345671-vmss{number:06x}" for number in range(10)]
    assert pools.static[3].max_pods == 110
    assert [len(pool.taints) for pool in pools.static] == [1, 0, 0, 0, 1, 0, 0, 0, 1, 0]
