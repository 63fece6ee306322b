"""In which waves an engine makes and deletes."""

import pulumi
import pytest

from nodepools import testing


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
