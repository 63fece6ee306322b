"""Arguments without a field: sent alike, read as overrides where they differ, found by the path that overrides have; and tables in other dialects."""

from collections.abc import Mapping

import pytest

from nodepools.model.aks.agent_pool import UpgradeSettings
from nodepools.model.eks.access import AccessPolicy
from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.model.ref import StackOutput
from nodepools.model.unknowns import UNKNOWN, partial
from nodepools.wire.dialects import respelled
from nodepools.wire.overrides import Argument, Overrides, merge_overrides, without_unknown
from nodepools.wire.paths import model_of, wire_of
from nodepools.wire.reading import Reading, Why, read, write
from nodepools.wire.rows import JSON, MINUTES, OPPOSITE, Always, Codec, Each, Note, Pairs, Part, Row
from nodepools.wire.table import Table

TABLE = Table(
    Row("max_surge", "settings.maxSurge"),
    Overrides(
        (
            Argument("settings.isOn", value=True, default=False),
            Argument("settings.addOns", default=[]),
            Argument("settings.mode", value="API"),
        )
    ),
    Note("unmodeled", "settings.color", why="nobody needs it"),
)
ON = {"isOn": True, "mode": "API"}
READ = [
    ("what is as in every request is no override", ON, {}),
    ("another value is", {"isOn": False, "mode": "MAP"}, {"settings": {"is_on": False, "mode": "MAP"}}),
    ("what is left out is as the cloud has it, where that is known", {}, {"settings": {"is_on": False}}),
    ("null is left out", {**ON, "mode": None, "addOns": None}, {}),
    ("the default of the cloud is no override where nothing is sent", {**ON, "addOns": []}, {}),
    ("something else is", {**ON, "addOns": ["dns"]}, {"settings": {"add_ons": ["dns"]}}),
    ("what is not known stays so", {**ON, "isOn": UNKNOWN}, {"settings": {"is_on": UNKNOWN}}),
    ("one entry that is not known makes all of it so", {**ON, "addOns": ["dns", UNKNOWN]}, {"settings": {"add_ons": UNKNOWN}}),
]


@pytest.mark.parametrize(("written", "overrides"), [row[1:] for row in READ], ids=[row[0] for row in READ])
def test_an_argument_that_differs_is_an_override(written: Mapping[str, object], overrides: Mapping[str, object]) -> None:
    reading = Reading()
    assert read(TABLE, {"settings": written}, reading).get("overrides", {}) == overrides
    assert reading.left == []


def test_arguments_are_the_same_in_every_request() -> None:
    assert write(TABLE, UpgradeSettings(max_surge="1")) == {"settings": {"maxSurge": "1", **ON}}


WRITTEN = [
    ("nothing is laid over", {}, {"isOn": True, "mode": "API"}),
    ("another value", {"settings": {"is_on": False}}, {"isOn": False, "mode": "API"}),
    ("one that is sent by overrides alone", {"settings": {"add_ons": ["dns"]}}, {"isOn": True, "mode": "API", "addOns": ["dns"]}),
    ("one that is taken away", {"settings": {"is_on": None}}, {"mode": "API"}),
    ("all that are taken away", {"settings": None}, None),
    ("another argument", {"more": 1}, {"isOn": True, "mode": "API"}),
]


@pytest.mark.parametrize(("overrides", "wire"), [row[1:] for row in WRITTEN], ids=[row[0] for row in WRITTEN])
def test_overrides_are_written_where_they_are_read(overrides: Mapping[str, object], wire: object) -> None:
    declared = EksClusterArgs(region="us-east-1", kubernetes_version="1.36", overrides=overrides)
    assert write(TABLE, declared).get("settings") == wire


def test_of_overrides_that_are_not_known_nothing_is_written() -> None:
    declared = EksClusterArgs(region="us-east-1", kubernetes_version="1.36", overrides={"settings": None})
    assert write(TABLE, partial(declared, ("overrides",))) == {"settings": ON}


def test_of_what_is_not_known_nothing_is_said() -> None:
    assert without_unknown({"a": {"b": UNKNOWN, "c": 1}, "d": UNKNOWN, "e": {"f": UNKNOWN}}) == {"a": {"c": 1}}


@pytest.mark.parametrize(
    ("model", "wire"),
    [
        (("overrides", "settings", "add_ons"), ("settings", "addOns")),
        (("overrides", "settings", "add_ons", 1), ("settings", "addOns", 1)),
        (("overrides", "settings", "max_surge"), ("settings", "maxSurge")),
        (("overrides", "settings", "color"), ("settings", "color")),
        (("overrides", "settings"), ("settings", "isOn")),
        (("overrides", "nowhere"), ()),
        ((), ()),
    ],
)
def test_a_path_in_overrides_is_one_on_the_wire(model: tuple[str | int, ...], wire: tuple[str | int, ...]) -> None:
    assert wire_of(TABLE, model) == wire


def test_an_argument_without_a_field_is_an_override_in_the_model() -> None:
    assert model_of(TABLE, ("settings", "mode")) == ("overrides", "settings", "mode")


def test_a_part_without_a_place_is_where_its_first_field_is() -> None:
    table = Table(Part("upgrade", "", Table(Note("ours", "soak"), Row("max_surge", "maxSurge"), Row("max_unavailable", "maxUnavailable"))))
    assert wire_of(table, ("upgrade",)) == ("maxSurge",)
    assert wire_of(table, ("upgrade", "soak")) == ()


def test_an_unknown_part_without_a_place_is_unknown_where_its_fields_are() -> None:
    table = Table(Part("api_server", "", Table(Note("ours", "kind"), Row("private", "reach.isPrivate"))))
    cluster = EksClusterArgs(region="us-east-1", kubernetes_version="1.36")
    assert write(table, partial(cluster, ("api_server",))) == {"reach": {"isPrivate": UNKNOWN}}


DIALECT = Table(
    Row("name", "config.name"),
    Part("namespaces", "config.inner", Table(Row("a", "b"))),
    Part("scope", "", Table(Row("kind", "config.kind"), Row("from", "config.creation.from"))),
    Each("one", "config.list", Table()),
    Pairs("two", "other.pairs", "key", "value"),
    Always("config.version", "v1"),
    Overrides((Argument("config.isOn", value=True), Argument("gone.isOn"))),
    Note("ours", "config"),
    Note("read_only", "config.id"),
    Note("unmodeled", "gone.for", why="another reason"),
)


def test_a_table_has_other_places_in_another_dialect() -> None:
    other = Table(*respelled(DIALECT, {"config": "theConfig", "config.creation": None, "gone": None}))
    assert {way.wire for way in other.field_paths if way.whole and way.wire} == {
        ("theConfig", "name"),
        ("theConfig", "inner"),
        ("theConfig", "inner", "b"),
        ("theConfig", "kind"),
        ("theConfig", "list"),
        ("other", "pairs"),
        ("theConfig", "version"),
        ("theConfig", "isOn"),
        ("theConfig", "id"),
    }
    assert wire_of(other, ("config",)) == ()
    assert wire_of(other, ("overrides", "config", "is_on")) == ("theConfig", "isOn"), "overrides are in the provider's spelling"
    assert write(other, AccessPolicy("x")) == {"theConfig": {"name": "x", "version": "v1", "isOn": True}}


def test_a_row_can_be_left_out_by_its_whole_place() -> None:
    assert [way.wire for way in Table(*respelled(DIALECT, {"config": None, "gone": None, "other.pairs": "pairs"})).leaves if way.wire] == [("pairs",)]


@pytest.mark.parametrize(
    ("codec", "ours", "theirs"),
    [(OPPOSITE, True, False), (OPPOSITE, False, True), (JSON, {"a": [1]}, '{"a": [1]}'), (MINUTES, "90m", 90)],
)
def test_a_value_goes_both_ways(codec: Codec, ours: object, theirs: object) -> None:
    assert codec.write(ours) == theirs
    assert codec.read(theirs) == ours


def test_no_settings_are_not_sent() -> None:
    assert JSON.write({}) is None


def test_text_that_is_no_json_is_listed() -> None:
    reading = Reading()
    assert read(Table(Row("configuration", "values", codec=JSON)), {"values": "{"}, reading) == {"configuration": UNKNOWN}
    assert [(one.steps, one.why) for one in reading.left] == [(("values",), Why.UNREADABLE)]


OVERLAYS = [
    pytest.param({"a": 1}, {"a": 2}, {"a": 2}, id="a value is replaced"),
    pytest.param({"a": {"b": 1, "c": 2}}, {"a": {"b": 3}}, {"a": {"b": 3, "c": 2}}, id="mappings are joined"),
    pytest.param({"a": {"b": 1}}, {"a": {"b": None}}, {"a": {}}, id="None takes a field away"),
    pytest.param({"a": [1]}, {"a": [2]}, {"a": [2]}, id="lists are replaced"),
    pytest.param({}, {"a": {"b": 1}}, {"a": {"b": 1}}, id="what was not there is added"),
    pytest.param({"a": 1}, {"a": 0}, {"a": 0}, id="zero is a value"),
]


def test_an_output_of_another_stack_is_resolved() -> None:
    over = {"a": {"b": [StackOutput("org/net/dev", "id")]}, "c": StackOutput("org/net/dev", "id"), "d": 1}
    assert merge_overrides({"a": {}}, over, str) == {"a": {"b": ["org/net/dev#id"]}, "c": "org/net/dev#id", "d": 1}
    assert merge_overrides({}, over)["c"] is over["c"]


@pytest.mark.parametrize(("made", "overrides", "both"), OVERLAYS)
def test_overlay(made, overrides, both):
    before = repr(made)
    assert merge_overrides(made, overrides) == both
    assert repr(made) == before, "what is laid over is not changed"
