"""How resources are named, and what is said of a name that is wrong."""

import pulumi
import pytest

from nodepools import testing

NAMES = ["prod-weu", "prod-neu", "prod-weu-web", "prod-neu-web", "web"]


@pytest.fixture
def graph(thing):
    return testing.run(lambda: [thing(name) for name in NAMES])


FOUND = [
    pytest.param("Thing/web", ["web"], id="a whole name stands before the end of another"),
    pytest.param("Thing/weu", ["prod-weu"], id="the end of a name, after a dash"),
    pytest.param("Thing/weu-web", ["prod-weu-web"], id="an end may hold dashes"),
    pytest.param("Thing/eu", [], id="no end within a word"),
    pytest.param("Thing/prod-?eu", ["prod-neu", "prod-weu"], id="part of a name left open"),
    pytest.param("Thing/?eu", ["prod-neu", "prod-weu"], id="part of an end left open"),
    pytest.param("Thing", sorted(NAMES), id="a type alone"),
    pytest.param("thing", [], id="types are spelled as they are"),
    pytest.param("T*/web", ["web"], id="part of a type left open"),
    pytest.param("*", sorted(NAMES), id="all"),
    pytest.param("urn:pulumi:dev::nodepools::cloud:index/thing:Thing::web", ["web"], id="a URN"),
    pytest.param("urn:pulumi:dev::nodepools::cloud:index/thing:Thing::we*", [], id="a URN is whole"),
]


@pytest.mark.parametrize(("what", "names"), FOUND)
def test_what_a_name_finds(graph, what, names):
    assert sorted(node.name for node in graph.all(what)) == names


REFUSED = [
    pytest.param(
        "Thing/prod-wue", "`Thing/prod-wue` not found among 5 resources; closest: Thing/prod-weu, Thing/prod-neu, Thing/prod-weu-web", id="misspelt"
    ),
    pytest.param(
        "Thign/web", "`Thign/web` not found among 5 resources; closest: Thing/web, Thing/prod-weu, Thing/prod-weu-web", id="a misspelt type"
    ),
    pytest.param(
        "Thing/q",
        "`Thing/q` not found among 5 resources; closest: Thing/web, Thing/prod-weu, Thing/prod-neu",
        id="a name like none of its type",
    ),
    pytest.param("Zoo/qqqqqqqqqqqqqqq", "`Zoo/qqqqqqqqqqqqqqq` not found among 5 resources; available types: Thing", id="like nothing at all"),
    pytest.param(
        "Thing/qqqqqqqqqqqqqqqqqqqq",
        "`Thing/qqqqqqqqqqqqqqqqqqqq` not found among 5 resources; available of type Thing: "
        "Thing/prod-neu, Thing/prod-neu-web, Thing/prod-weu, Thing/prod-weu-web, Thing/web",
        id="a name like none, of a type that is there",
    ),
    pytest.param("Thingies", "`Thingies` not found among 5 resources; closest: Thing/web, Thing/prod-weu, Thing/prod-neu", id="a type alone"),
    pytest.param("Thing/prod-?eu", "`Thing/prod-?eu` matches 2 resources: Thing/prod-neu, Thing/prod-weu", id="several"),
]


@pytest.mark.parametrize(("what", "said"), REFUSED)
def test_what_is_said_of_a_name_that_is_not_one(graph, what, said):
    with pytest.raises(testing.NoSuchResourceError) as refused:
        graph.one(what)
    assert str(refused.value) == said


def test_of_an_empty_program_nothing_is_registered():
    with pytest.raises(LookupError, match=r"^`Thing/web` not found \(nothing is registered\)$"):
        testing.run(lambda: None).one("Thing/web")


def test_long_lists_are_cut(thing):
    graph = testing.run(lambda: [thing(f"a{number:02}") for number in range(15)])
    with pytest.raises(AssertionError, match=r"`Thing` matches 15 resources: Thing/a00, .*Thing/a11 and 3 more$"):
        graph.one("Thing")


def test_two_that_read_alike_are_told_by_their_urns(thing, group):
    graph = testing.run(lambda: (thing("x"), thing("x", pulumi.ResourceOptions(parent=group("g")))))
    with pytest.raises(AssertionError, match=r"matches 2 resources: urn:.*::cloud:index/thing:Thing::x, urn:.*Group\$cloud:index/thing:Thing::x"):
        graph.one("Thing/x")
