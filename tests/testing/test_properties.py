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


def test_a_secret_is_open_and_known_as_one(properties):
    inputs = properties(text=lambda: pulumi.Output.secret("s"), name="n")
    assert inputs["text"] == "s"
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
    with pytest.raises(KeyError, match="no property 'naem'; nearest: 'name'"):
        ask(properties(name="n"))


def test_a_property_that_is_like_none_shows_all(properties):
    with pytest.raises(KeyError, match=r"no property 'x'; there are \['name'\]"):
        properties(name="n")["x"]


def test_absence_can_be_asked_for(properties):
    inputs = properties(name="n")
    assert "name" in inputs
    assert "other" not in inputs
    assert inputs.get("other") is None
    assert (len(inputs), repr(inputs)) == (1, "{'name': 'n'}")
