"""Values as they were sent: plain, secret, unknown."""

import pulumi
import pytest

from nodepools import testing


@pytest.fixture
def properties(thing):
    """The inputs of a thing, by keyword; a function makes what holds outputs."""

    def sent(*, preview=False, **inputs):
        program = lambda: thing("a", **{name: value() if callable(value) else value for name, value in inputs.items()})  # noqa: E731
        return testing.run(program, preview=preview).one("Thing/a").inputs

    return sent


def test_values_are_plain(properties):
    written = {"text": "a", "whole": 2, "part": 2.5, "yes": True, "list": [1, {"b": "c"}], "empty": []}
    assert dict(properties(**written)) == written


def test_whole_numbers_are_whole(properties):
    assert type(properties(whole=2)["whole"]) is int


def test_a_secret_equals_what_it_holds_and_is_known_as_one(properties):
    inputs = properties(text=lambda: pulumi.Output.secret("s"), name="n")
    assert inputs["text"] == "s"
    assert inputs["text"] != "other"
    assert isinstance(inputs["text"], testing.Secret)
    assert inputs["text"].reveal() == "s"
    assert inputs.secret("text")
    assert not inputs.secret("name")


def test_inside_a_secret_all_is_secret(properties):
    inputs = properties(data=lambda: pulumi.Output.secret({"list": [1, 2]}))
    assert inputs["data"] == {"list": [1, 2]}
    assert inputs.secret("data", "list", 1)


def test_a_secret_inside_does_not_make_all_of_it_one(properties):
    inputs = properties(data=lambda: {"token": pulumi.Output.secret("s"), "name": "n"})
    assert not inputs.secret("data")
    assert inputs.secret("data", "token")
    assert not inputs.secret("data", "name")


def test_what_is_not_known_is_unknown(properties):
    inputs = properties(preview=True, of=lambda: pulumi.Output.from_input("x").apply(lambda _: pulumi.output.UNKNOWN), name="n")
    assert inputs["of"] is testing.UNKNOWN
    assert repr(inputs["of"]) == "UNKNOWN"


@pytest.mark.parametrize("ask", [lambda inputs: inputs["naem"], lambda inputs: inputs.secret("naem")])
def test_a_property_that_is_not_there_shows_the_nearest(properties, ask):
    with pytest.raises(KeyError, match="no property `naem`; closest: `name`"):
        ask(properties(name="n"))


def test_a_property_that_is_like_none_shows_all(properties):
    with pytest.raises(KeyError, match=r"no property `x`; available: name"):
        properties(name="n")["x"]


def test_no_message_shows_a_secret(properties):
    inputs = properties(text=lambda: pulumi.Output.secret("hush"), deep=lambda: {"token": pulumi.Output.secret("hush"), "name": "n"})
    assert repr(inputs) == "{'deep': {'name': 'n', 'token': <secret>}, 'text': <secret>}"
    with pytest.raises(testing.NoSuchPropertyError) as refused:
        inputs.number("text")
    assert str(refused.value) == "`text` is <secret>, not a number"


def test_what_lies_inside_a_secret_is_one(properties):
    inputs = properties(data=lambda: pulumi.Output.secret({"users": [{"name": "n"}]}))
    assert isinstance(inputs.at("data", "users", 0, "name"), testing.Secret)
    assert inputs.text("data", "users", 0, "name") == "n"
    [user] = inputs.mappings("data", "users")
    assert isinstance(user["name"], testing.Secret)
    assert user.text("name") == "n"
    assert user.secret("name")
    assert "users" in inputs["data"]
    assert "others" not in inputs["data"]
    assert 1 not in inputs["data"]
    assert {inputs["data"], inputs["data"]} == {inputs["data"]}


def test_a_secret_that_is_not_known_is_unknown(properties):
    inputs = properties(preview=True, of=lambda: pulumi.Output.secret(pulumi.Output.from_input("x").apply(lambda _: pulumi.output.UNKNOWN)))
    assert inputs["of"] is testing.UNKNOWN
    assert inputs.secret("of")


DEEP = {"spec": {"taints": [{"key": "a"}], "cpu": 200, "ratio": 0.5, "on": True, "none": None}}


@pytest.mark.parametrize(
    ("ask", "value"),
    [
        pytest.param(lambda i: i.at("spec", "taints", 0, "key"), "a", id="step by step"),
        pytest.param(lambda i: i.at("spec", "taints", -1, "key"), "a", id="from the end"),
        pytest.param(lambda i: i.text("spec", "taints", 0, "key"), "a", id="as a text"),
        pytest.param(lambda i: i.number("spec", "cpu"), 200, id="as a number"),
        pytest.param(lambda i: i.number("spec", "ratio"), 0.5, id="as a fraction"),
        pytest.param(lambda i: i.sequence("spec", "taints"), [{"key": "a"}], id="as a list"),
        pytest.param(lambda i: i.mapping("spec", "taints", 0), {"key": "a"}, id="as a mapping"),
        pytest.param(lambda i: [one.text("key") for one in i.mappings("spec", "taints")], ["a"], id="as mappings"),
        pytest.param(lambda i: i.mapping("spec").mapping("taints", 0).text("key"), "a", id="further"),
        pytest.param(lambda i: i.at("spec", "none"), None, id="nothing said"),
        pytest.param(lambda i: i.has("spec", "cpu"), True, id="there"),
        pytest.param(lambda i: i.has("spec", "gpu"), False, id="not there"),
        pytest.param(lambda i: i.has("spec", "taints", 1), False, id="no such item"),
    ],
)
def test_what_stands_deeper_is_asked_for_step_by_step(properties, ask, value):
    assert ask(properties(**DEEP)) == value


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        pytest.param(lambda i: i.at("spec", "taint"), "no property `spec.taint`; closest: `taints`", id="misspelt"),
        pytest.param(lambda i: i.at("spec", "taints", 3), "no property `spec.taints[3]`; `spec.taints` has 1 items", id="no such item"),
        pytest.param(lambda i: i.at("spec", "cpu", "max"), "`spec.cpu` is 200, not a mapping", id="a step into a number"),
        pytest.param(lambda i: i.at("spec", 0), "`spec` is", id="a number as a step into a mapping"),
        pytest.param(lambda i: i.text("spec", "cpu"), "`spec.cpu` is 200, not text", id="no text"),
        pytest.param(lambda i: i.number("spec", "on"), "`spec.on` is True, not a number", id="a switch is no number"),
        pytest.param(lambda i: i.sequence("spec"), "`spec` is", id="no list"),
        pytest.param(lambda i: i.mapping("spec", "cpu"), "`spec.cpu` is 200, not a mapping", id="no mapping"),
        pytest.param(lambda i: i.mappings("spec", "cpu"), "`spec.cpu` is 200, not a list", id="no list of mappings"),
        pytest.param(lambda i: i["Spec"], "no property `Spec`; closest: `spec`", id="another case"),
        pytest.param(lambda i: i.secret("spec", "gpu"), "no property `spec.gpu`", id="whether it is a secret"),
    ],
)
def test_what_is_said_where_something_else_stands(properties, ask, said):
    with pytest.raises(testing.NoSuchPropertyError) as refused:
        ask(properties(**DEEP))
    assert str(refused.value).startswith(said)


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        pytest.param(lambda i: i.text("of"), "`of` is unknown in this preview, not text", id="as a text"),
        pytest.param(lambda i: i.at("of", "name"), "`of` is unknown in this preview, with everything inside it", id="inside"),
    ],
)
def test_what_is_not_known_is_said_to_be(properties, ask, said):
    inputs = properties(preview=True, of=lambda: pulumi.Output.from_input("x").apply(lambda _: pulumi.output.UNKNOWN))
    with pytest.raises(AssertionError) as refused:
        ask(inputs)
    assert str(refused.value) == said


def test_absence_can_be_asked_for(properties):
    inputs = properties(name="n")
    assert "name" in inputs
    assert "other" not in inputs
    assert inputs.get("other") is None
    assert (len(inputs), repr(inputs)) == (1, "{'name': 'n'}")
