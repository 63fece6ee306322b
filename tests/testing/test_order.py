"""What comes, and goes, before what: the answers, and why."""

import pulumi
import pytest

from nodepools import testing


@pytest.fixture
def graph(thing):
    """`top` needs `middle`, which needs `base`; nothing leads to `alone`."""

    def program():
        base = thing("base")
        middle = thing("middle", pulumi.ResourceOptions(depends_on=[base]))
        thing("top", pulumi.ResourceOptions(depends_on=[middle]))
        thing("alone")

    return testing.run(program)


ORDERS = [
    pytest.param(lambda g: g.creates("Thing/base").before("Thing/top"), True, "Thing/top needs Thing/middle needs Thing/base", id="comes before"),
    pytest.param(lambda g: g.creates("Thing/top").after("Thing/base"), True, "Thing/top needs Thing/middle needs Thing/base", id="comes after"),
    pytest.param(lambda g: g.deletes("Thing/top").before("Thing/base"), True, "Thing/top needs Thing/middle needs Thing/base", id="goes before"),
    pytest.param(lambda g: g.deletes("Thing/base").after("Thing/top"), True, "Thing/top needs Thing/middle needs Thing/base", id="goes after"),
    pytest.param(
        lambda g: g.deletes("Thing/base").before("Thing/middle"),
        False,
        "the order is reversed: Thing/middle needs Thing/base",
        id="the other way round",
    ),
    pytest.param(
        lambda g: g.creates("Thing/top").after("Thing/alone"),
        False,
        "Thing/top does not need Thing/alone; it needs ['Thing/middle', 'Stack/nodepools-dev']",
        id="no way at all",
    ),
    pytest.param(
        lambda g: g.creates("Thing/*o*").after("Thing/base"),
        False,
        "Thing/alone does not need Thing/base; it needs ['Stack/nodepools-dev']",
        id="of several all must",
    ),
    pytest.param(
        lambda g: g.creates(g.one("Thing/middle")).after(g.one("Thing/base")), True, "Thing/middle needs Thing/base", id="nodes in place of names"
    ),
    pytest.param(
        lambda g: g.one("Thing/top").depends_on("Thing/base"),
        False,
        "Thing/top depends directly on Thing/middle; on Thing/base through others",
        id="not by an edge of its own",
    ),
    pytest.param(lambda g: g.one("Thing/base").depends_on("Thing/top"), False, "Thing/base depends directly on nothing", id="on nothing"),
    pytest.param(lambda g: g.one("Thing/top").depends_on("Thing/middle"), True, "Thing/top depends directly on Thing/middle", id="directly"),
]


@pytest.mark.parametrize(("ask", "yes", "why"), ORDERS)
def test_an_order_and_why(graph, ask, yes, why):
    answer = ask(graph)
    assert bool(answer) is yes
    assert repr(answer) == f"<{'yes' if yes else 'no'}: {why}>"


@pytest.mark.parametrize(
    "ask",
    [
        lambda g: g.creates("Thing/gone").before("Thing/base"),
        lambda g: g.creates("Thing/base").before("Thing/gone"),
        lambda g: g.deletes("Thing/gone").after("Thing/base"),
        lambda g: g.one("Thing/base").depends_on("Thing/gone"),
    ],
)
def test_a_name_that_is_none_is_an_error_and_no_answer(graph, ask):
    with pytest.raises(testing.NoSuchResourceError, match="`Thing/gone` not found"):
        ask(graph)


def test_answers_compare_as_what_they_say():
    assert testing.CheckResult(ok=True, reason="a") == True  # noqa: E712  # an answer is no bool
    assert testing.CheckResult(ok=False, reason="a") == testing.CheckResult(ok=False, reason="b")
    assert testing.CheckResult(ok=True, reason="a") != testing.CheckResult(ok=False, reason="a")
    assert len({testing.CheckResult(ok=True, reason="a"), testing.CheckResult(ok=True, reason="b")}) == 1


@pytest.fixture
def registered(thing):
    """A graph of things: each name with the names that it depends on; `inputs` by name."""

    def run(edges, inputs=None):
        def program():
            made = {}
            for name, needs in edges.items():
                made[name] = thing(name, pulumi.ResourceOptions(depends_on=[made[need] for need in needs]), **(inputs or {}).get(name, {}))

        return testing.run(program)

    return run


def waved(waves):
    return [{label.removeprefix("Thing/") for label in wave} for wave in waves]


def test_what_needs_another_comes_after_it_and_goes_before(registered):
    waves = registered({"a": "", "b": "a", "c": "a", "d": "bc"}).waves()
    assert waved(waves.creates) == [{"a"}, {"b", "c"}, {"d"}]
    assert waved(waves.deletes) == [{"d"}, {"b", "c"}, {"a"}]


def test_components_are_not_listed_but_keep_their_place(group):
    waves = testing.run(lambda: group("g")).waves()
    assert waved(waves.creates) == [{"g-first"}, {"g-second"}]


def test_nothing_changes_where_nothing_changed(registered):
    waves = registered({"a": "", "b": "a"}).waves(since=registered({"a": "", "b": "a"}))
    assert waves == testing.Waves((), frozenset(), ())


def test_other_inputs_are_an_update(registered):
    old, new = registered({"a": "", "b": "a"}, {"a": {"size": 1}}), registered({"a": "", "b": "a"}, {"a": {"size": 2}})
    assert new.waves(since=old).updates == {"Thing/a"}


def test_what_is_made_waits_through_what_stays(registered):
    old, new = registered({"b": ""}), registered({"a": "", "b": "a", "c": "b"})
    assert waved(new.waves(since=old).creates) == [{"a"}, {"c"}]


def test_what_goes_does_not_wait_through_what_stays(registered):
    """So the engine does it: of what is deleted, only direct edges count."""
    old, new = registered({"a": "", "b": "a", "c": "b"}), registered({"b": ""})
    assert waved(new.waves(since=old).deletes) == [{"a", "c"}]


def test_a_direct_edge_keeps_them_apart(registered):
    old, new = registered({"a": "", "b": "a", "c": "ab"}), registered({"b": ""})
    assert waved(new.waves(since=old).deletes) == [{"c"}, {"a"}]


def test_destroy_goes_level_by_level_so_that_a_missing_edge_may_pass_by_luck(registered):
    assert waved(registered({"a": "", "b": "a", "alone": ""}).waves().deletes) == [{"b"}, {"a", "alone"}]


def test_a_circle_is_told():
    from pulumi.runtime.proto.resource_pb2 import RegisterResourceRequest

    urns = {name: f"urn:pulumi:dev::p::x:y:T::{name}" for name in "ab"}
    requests = {
        urns["a"]: RegisterResourceRequest(type="x:y:T", name="a", custom=True, dependencies=[urns["b"]]),
        urns["b"]: RegisterResourceRequest(type="x:y:T", name="b", custom=True, dependencies=[urns["a"]]),
    }
    with pytest.raises(AssertionError, match=r"these resources need each other: \['T/a', 'T/b'\]"):
        testing.Graph(requests, {}).waves()
