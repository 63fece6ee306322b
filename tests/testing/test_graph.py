"""Questions about what was registered."""

import pulumi
import pytest

from nodepools import testing


@pytest.fixture
def graph(group):
    """Two groups, the second after the first."""

    def program():
        one = group("one")
        group("two", pulumi.ResourceOptions(depends_on=[one]))

    return testing.run(program)


def test_one_resource_is_named_by_the_last_word_of_its_type_and_its_name(graph):
    assert graph.one("Thing/one-first").type == "cloud:index/thing:Thing"


def test_part_of_a_name_may_be_left_open(graph):
    assert graph.one("Thing/one-f*").name == "one-first"
    assert graph.one("Group/on?").name == "one"


def test_a_urn_names_one_too(graph):
    urn = "urn:pulumi:dev::nodepools::lab:index:Group$cloud:index/thing:Thing::one-first"
    assert graph.one(urn).name == "one-first"


def test_all_of_a_type(graph):
    assert [node.name for node in graph.all("Thing")] == ["one-first", "one-second", "two-first", "two-second"]


def test_there_may_be_none_among_all_but_not_among_some(graph):
    assert graph.all("Bucket") == []
    with pytest.raises(LookupError):
        graph.some("Bucket")


def test_parents_are_nodes_and_the_stack_is_none(graph):
    assert graph.one("Thing/one-first").parent is graph.one("Group/one")
    assert graph.one("Group/one").parent is None


def test_direct_edges(graph):
    second = graph.one("Thing/one-second")
    assert second.depends_on("Thing/one-first")
    assert not second.depends_on(graph.one("Thing/two-first"))


def test_an_input_makes_an_edge(thing):
    graph = testing.run(lambda: thing("b", of=thing("a").id), preview=True)
    assert graph.one("Thing/b").depends_on("Thing/a")


def test_order_follows_edges_and_parents(graph):
    assert graph.creates("Thing/one-second").after("Thing/one-first")
    assert graph.creates("Thing/one-first").before("Thing/one-second")
    assert graph.deletes("Thing/one-second").before("Thing/one-first")
    assert graph.deletes("Thing/one-first").after("Thing/one-second")
    assert graph.deletes("Thing/one-*").before("Group/one")


def test_a_pattern_asks_for_all_of_them(thing):
    def program():
        base = thing("base")
        thing("x1", pulumi.ResourceOptions(depends_on=[base]))
        thing("x2")

    graph = testing.run(program)
    assert graph.creates("Thing/x1").after("Thing/base")
    assert not graph.creates("Thing/x*").after("Thing/base")


def test_the_dependency_of_a_component_does_not_reach_its_children(graph):
    """The trap that the harness must show: Pulumi records it on the component alone."""
    assert graph.one("Group/two").depends_on("Thing/one-second")
    assert not graph.one("Thing/two-first").depends_on("Thing/one-second")


def test_options_are_told_as_the_engine_spells_them(thing):
    def program():
        thing("a", pulumi.ResourceOptions(protect=True, ignore_changes=["size"], custom_timeouts=pulumi.CustomTimeouts(create="5m"), aliases=["old"]))

    node = testing.run(program).one("Thing/a")
    assert node.protect
    assert node.ignore_changes == ("size",)
    assert node.timeouts == {"create": "5m"}
    assert node.options["ignoreChanges"] == ["size"]


def test_the_aliases_of_api_versions_are_left_out():
    from pulumi_azure_native import resources

    node = testing.run(lambda: resources.ResourceGroup("g")).one("ResourceGroup/g")
    assert node.request.aliases
    assert "aliases" not in node.options


def test_the_provider_is_a_node(thing):
    class Provider(pulumi.ProviderResource):
        def __init__(self):
            super().__init__("cloud", "own", {})

    graph = testing.run(lambda: (thing("a", pulumi.ResourceOptions(provider=Provider())), thing("b")))
    assert graph.one("Thing/a").provider is graph.one("cloud/own")
    assert graph.one("Thing/b").provider is None
    assert graph.deletes("Thing/a").before("cloud/own")


def test_outputs_of_components(graph):
    assert graph.one("Group/one").outputs["first"] == "one-first-id"
    assert graph.one("Group/one").is_component


def test_the_options_that_are_asked_for_by_name(thing):
    def program():
        base = thing("base")
        thing("a", pulumi.ResourceOptions(retain_on_delete=True, delete_before_replace=True, deleted_with=base, replace_on_changes=["size"]))
        thing("plain")

    graph = testing.run(program)
    node, plain = graph.one("Thing/a"), graph.one("Thing/plain")
    assert (node.retain_on_delete, node.delete_before_replace, node.replace_on_changes) == (True, True, ("size",))
    assert node.deleted_with is graph.one("Thing/base")
    assert (plain.retain_on_delete, plain.delete_before_replace, plain.replace_on_changes, plain.deleted_with) == (False, False, (), None)


def test_children_take_over_what_the_engine_hands_down(group):
    graph = testing.run(lambda: group("g", pulumi.ResourceOptions(retain_on_delete=True)))
    assert graph.one("Thing/g-first").retain_on_delete


def test_what_is_below_a_component_can_be_asked_alone(graph):
    one = graph.one("Group/one")
    assert [node.display_name for node in one.children] == ["Thing/one-first", "Thing/one-second"]
    assert one.all("Thing/*-first") == [graph.one("Thing/one-first")]
    assert one.one("Thing/first") is graph.one("Thing/one-first")
    assert len(one.some("Thing")) == 2
    assert graph.one("Thing/one-first").children == []


def test_what_is_below_grandchildren_is_below_too(group):
    class Outer(pulumi.ComponentResource):
        def __init__(self):
            super().__init__("lab:index:Outer", "outer", {})
            group("inner", pulumi.ResourceOptions(parent=self))

    graph = testing.run(Outer)
    assert [node.display_name for node in graph.one("Outer").all()] == ["Thing/inner-first", "Thing/inner-second", "Group/inner"]


def test_a_name_that_is_not_below_a_component_is_told_with_what_is(graph):
    with pytest.raises(AssertionError, match="`Thing/two-first` not found among 2 resources; closest: Thing/one-first"):
        graph.one("Group/one").one("Thing/two-first")


def test_whether_something_is_there_can_be_asked(graph):
    assert "Thing/one-first" in graph
    assert "Thing/first" in graph, "by the end of its name, twice even"
    assert "Thing/third" not in graph
    assert graph.one("Group/one") in graph
    assert 3 not in graph


def test_what_the_program_warned_of_is_kept(caplog):
    def program():
        pulumi.log.info("all is well")
        pulumi.log.warn("look out")

    graph = testing.run(program)
    assert graph.warnings == ("look out",)
    assert [(message.severity, message.message) for message in graph.messages] == [("info", "all is well"), ("warning", "look out")]
    assert "look out" in caplog.text, "what captures logs hears them too"
    assert testing.run(lambda: None).warnings == ()


def test_what_is_only_read_says_so(thing):
    def program():
        thing("there", pulumi.ResourceOptions(id="r-1"))

    node = testing.run(program).one("Thing/there")
    assert node.options["read"] == "r-1"


def test_a_graph_can_be_counted_and_gone_through(graph):
    assert len(graph) == 6
    assert {node.display_name for node in graph} == {
        "Group/one",
        "Group/two",
        "Thing/one-first",
        "Thing/one-second",
        "Thing/two-first",
        "Thing/two-second",
    }
    assert "Thing/one-first" in repr(graph)
