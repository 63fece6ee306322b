"""Stored plans: what a difference looks like, and that nothing is written unasked."""

import copy
import json
import re

import pulumi
import pytest

from nodepools import testing
from nodepools.testing.golden import compared, stored

URN = "urn:pulumi:dev::shop::cloud:index/thing:Thing::{}"


def resource(name, inputs=None, dependencies=(), **options):
    return {
        "urn": URN.format(name),
        "type": "cloud:index/thing:Thing",
        "name": name,
        "parent": None,
        "inputs": inputs or {},
        "dependencies": [URN.format(one) for one in dependencies],
        "options": options,
    }


def plan(*resources, **outputs):
    return {"stack": "dev", "resources": list(resources), "outputs": outputs}


WEB = {"size": 3, "deep": {"a": 1, "b": [1, 2]}, "taints": [{"key": "a"}], "token": {"$secret": True}, "id": {"$unknown": True}}

DIFFERENCES = [
    pytest.param([resource("web", WEB), resource("new")], ["+ Thing/new  cloud:index/thing:Thing"], id="one came"),
    pytest.param([], ["- Thing/web  cloud:index/thing:Thing"], id="one went"),
    pytest.param([resource("web", WEB | {"size": 4})], ["~ Thing/web  cloud:index/thing:Thing", "    inputs.size: 3 → 4"], id="a value"),
    pytest.param([resource("web", WEB | {"size": True})], ["~ Thing/web  cloud:index/thing:Thing", "    inputs.size: 3 → true"], id="another type"),
    pytest.param(
        [resource("web", WEB | {"deep": {"a": True, "b": [1, 2]}})],
        ["~ Thing/web  cloud:index/thing:Thing", "    inputs.deep.a: 1 → true"],
        id="true is not one",
    ),
    pytest.param(
        [resource("web", WEB | {"deep": {"a": 1, "b": [2, 3, 4]}})],
        [
            "~ Thing/web  cloud:index/thing:Thing",
            "    inputs.deep.b: - 1",
            "    inputs.deep.b: + 3",
            "    inputs.deep.b: + 4",
        ],
        id="items of a list",
    ),
    pytest.param(
        [resource("web", WEB | {"deep": {"a": 1, "b": [2, 1]}})],
        ["~ Thing/web  cloud:index/thing:Thing", "    inputs.deep.b: [1, 2] → [2, 1]"],
        id="their order",
    ),
    pytest.param(
        [resource("web", WEB | {"taints": [{"key": "b", "value": None}]})],
        ["~ Thing/web  cloud:index/thing:Thing", '    inputs.taints[0].key: "a" → "b"', "    inputs.taints[0].value: + null"],
        id="inside an item",
    ),
    pytest.param(
        [resource("web", {name: value for name, value in WEB.items() if name != "taints"})],
        ["~ Thing/web  cloud:index/thing:Thing", '    inputs.taints: - [{"key": "a"}]'],
        id="an input went",
    ),
    pytest.param(
        [resource("web", WEB | {"token": "open"})],
        ["~ Thing/web  cloud:index/thing:Thing", '    inputs.token: (secret) → "open"'],
        id="a secret is none any more",
    ),
    pytest.param(
        [resource("web", WEB | {"id": {"$secret": True}})],
        ["~ Thing/web  cloud:index/thing:Thing", "    inputs.id: (unknown) → (secret)"],
        id="what is not known is a secret",
    ),
    pytest.param(
        [resource("web", WEB | {"taints": [{"$secret": True}]})],
        ["~ Thing/web  cloud:index/thing:Thing", '    inputs.taints[0]: {"key": "a"} → (secret)'],
        id="a secret inside a list",
    ),
    pytest.param(
        [resource("web", WEB | {"more": {"list": [{"$unknown": True}], "b": {"$secret": True}}})],
        ["~ Thing/web  cloud:index/thing:Thing", '    inputs.more: + {"b": "(secret)", "list": ["(unknown)"]}'],
        id="secrets inside what came",
    ),
    pytest.param(
        [resource("web", WEB, dependencies=["base"], protect=True)],
        ["~ Thing/web  cloud:index/thing:Thing", "    dependencies: + Thing/base", "    options.protect: + true"],
        id="an edge and an option",
    ),
    pytest.param(
        [resource("web", WEB | {"size": "x" * 200})],
        ["~ Thing/web  cloud:index/thing:Thing", f'    inputs.size: 3 → "{"x" * 99}…'],
        id="a long value is cut",
    ),
]


@pytest.mark.parametrize(("resources", "lines"), DIFFERENCES)
def test_what_differs_is_told_in_lines(tmp_path, resources, lines):
    path = tmp_path / "dev.json"
    stored(plan(resource("web", WEB)), path)
    answer = compared(plan(*resources), path)
    assert not answer
    assert answer.reason.splitlines()[1:-1] == lines
    assert answer.reason.splitlines()[-1] == "If the change is intended, run `pytest --rewrite-golden`, and review the diff as a change of contract."


def test_the_first_line_counts(tmp_path):
    path = tmp_path / "dev.json"
    stored(plan(resource("a"), resource("b"), resource("c", {"x": 1})), path)
    answer = compared(plan(resource("c", {"x": 2}), resource("d")), path)
    assert answer.reason.splitlines()[0] == f"the plan differs from {path} (1 added, 2 removed, 1 changed)"


def test_outputs_differ_too(tmp_path):
    path = tmp_path / "dev.json"
    stored(plan(url="a"), path)
    told = compared(plan(url="b", more=1), path).reason.splitlines()
    assert told[0].endswith("(outputs changed)")
    assert told[1:-1] == ["outputs.more: + 1", 'outputs.url: "a" → "b"']


def test_a_flood_of_lines_is_cut(tmp_path):
    path = tmp_path / "dev.json"
    stored(plan(), path)
    told = compared(plan(*(resource(f"r{number:03}") for number in range(100))), path).reason.splitlines()
    assert told[0].endswith("(100 added)")
    assert told[-2] == "… and 40 more lines"


@pytest.fixture
def graph(thing):
    def program():
        thing("a", token=pulumi.Output.secret("hush"), size=1)
        pulumi.export("token", pulumi.Output.secret("hush"))

    return testing.run(program)


def test_what_was_stored_matches(graph, tmp_path):
    path = tmp_path / "golden" / "dev.json"
    assert stored(graph.to_json(), path)
    assert graph.matches_golden(path)
    assert not stored(graph.to_json(), path), "nothing changed"


def test_no_secret_is_stored(graph, tmp_path):
    path = tmp_path / "dev.json"
    stored(graph.to_json(), path)
    assert "hush" not in path.read_text()
    assert path.read_text().count('"$secret": true') == 2


def test_it_is_sorted_so_that_a_difference_is_one(thing, tmp_path):
    one = testing.run(lambda: (thing("a", x=1, y=2), thing("b")))
    two = testing.run(lambda: (thing("b"), thing("a", y=2, x=1)))
    stored(one.to_json(), tmp_path / "dev.json")
    text = (tmp_path / "dev.json").read_text()
    stored(two.to_json(), tmp_path / "dev.json")
    assert (tmp_path / "dev.json").read_text() == text


def test_the_versions_of_provider_sdks_are_left_out():
    from pulumi_azure_native import resources

    [_, group] = sorted(testing.run(lambda: resources.ResourceGroup("g")).to_json()["resources"], key=lambda one: one["type"], reverse=True)
    assert group["type"] == "azure-native:resources:ResourceGroup"
    assert "version" not in group["options"]


UNREADABLE = [
    pytest.param(None, r"^golden plan \S*dev.json not found: run `pytest --rewrite-golden` to store this plan, and review it$", id="none is stored"),
    pytest.param("{", r"dev.json is not a golden plan \(Expecting property name", id="no JSON"),
    pytest.param("[]", r"dev.json is not a golden plan \(it has no resources\)", id="a list"),
    pytest.param('{"resources": [{"name": "a"}]}', r"dev.json is not a golden plan \(it has no resources\)", id="resources without URNs"),
]


@pytest.mark.parametrize(("text", "said"), UNREADABLE)
def test_what_is_no_plan_does_not_match_and_is_left_alone(graph, tmp_path, text, said):
    path = tmp_path / "dev.json"
    if text is not None:
        path.write_text(text)
    with pytest.raises(AssertionError) as refused:
        graph.matches_golden(path)
    assert re.search(said, str(refused.value))
    assert (path.read_text() if path.exists() else None) == text


def test_a_plan_that_differs_is_left_alone_and_nothing_is_left_beside_it(graph, tmp_path):
    path = tmp_path / "dev.json"
    other = copy.deepcopy(json.loads(json.dumps(graph.to_json())))
    other["resources"] = []
    stored(other, path)
    before = path.read_text()
    with pytest.raises(AssertionError, match=r"\([12] added\)"):
        graph.matches_golden(path)
    assert path.read_text() == before
    assert [found.name for found in tmp_path.iterdir()] == ["dev.json"]


def test_changes_of_pools_have_their_effect(tmp_path):
    """The same effects as `nodepools diff`: a name in the state, and no second opinion."""

    def pool(name, **inputs):
        urn = f"urn:pulumi:dev::p::azure-native:containerservice:AgentPool::{name}"
        return {"urn": urn, "type": "azure-native:containerservice:AgentPool", "name": name, "inputs": inputs, "dependencies": [], "options": {}}

    path = tmp_path / "dev.json"
    stored(plan(pool("web", enableFIPS=False), pool("old")), path)
    lines = compared(plan(pool("web", enableFIPS=True)), path).reason.splitlines()
    assert "- AgentPool/old  azure-native:containerservice:AgentPool  (removes_nodes)" in lines
    assert "~ AgentPool/web  azure-native:containerservice:AgentPool  (reimages)" in lines
