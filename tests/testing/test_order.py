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
