"""Objects that have to be right: what does not fit is listed in its order, and kept for the model to reject."""

from collections.abc import Mapping, Sequence

import pytest

from nodepools.model.unknowns import UNKNOWN
from nodepools.wire.reading import Why
from nodepools.wire.rows import EMPTY_IS_NONE, FILLED, IF_ON, MINUTES, TEXTS, Always, Each, Note, Pairs, Part, Row
from nodepools.wire.strict_reading import read_object, unknown_names
from nodepools.wire.table import Table

Found = Mapping[str, object]


def table() -> Table:
    """A new one: what the one of another test has been compiled to stays with it."""
    port = Table(Row("start", "start"), Row("note", "note", codec=FILLED), required=[("start",)])
    return Table(
        Always("ref.group", "karpenter.sh"),
        Row("name", "ref.name"),
        Row("labels", "meta.labels"),
        Row("more", "meta.more", codec=MINUTES, also=("most",)),
        Each("ports", "ports", port, always=True),
        Each("terms", "terms", port),
        Part("after", "after", Table(Row("days", "days"), Row("limits", "limits", codec=TEXTS))),
        Row("role", "role"),
        Row("profile", "profile"),
        Pairs("tags", "tagList", "name", "value"),
        Note("ours", "timeouts"),
        required=[("role", "profile"), ("terms",)],
        foreign={"amiFamily": "EC2NodeClass"},
    )


RIGHT = {"ref": {"group": "karpenter.sh", "name": "x"}, "ports": [], "terms": [{"start": 1}], "role": "r"}
WITHOUT_ROLE = {name: value for name, value in RIGHT.items() if name != "role"}
SAID = {"name": "x", "ports": [], "terms": [{"start": 1}], "role": "r"}
OPEN = {"name": UNKNOWN}

READ: list[tuple[str, Found, Found, list[tuple[tuple[str | int, ...], Why, object]]]] = [
    ("all that is right", RIGHT, SAID, []),
    ("null says nothing", {**RIGHT, "after": None, "meta": None}, SAID, []),
    ("what is required, in the order of the table", {}, {"name": UNKNOWN, "ports": UNKNOWN, "terms": UNKNOWN, "role": UNKNOWN}, [
        (("ref",), Why.MISSING, None), (("ports",), Why.MISSING, None), (("terms",), Why.MISSING, None), (("role",), Why.MISSING, "profile"),
    ]),
    ("as far as it is missing", {**RIGHT, "ref": {"name": "x"}}, SAID, [(("ref", "group"), Why.MISSING, None)]),
    ("an empty list, where one is required", {**RIGHT, "terms": []}, {**SAID, "terms": UNKNOWN}, [(("terms",), Why.NO_ENTRY, None)]),
    ("what will do instead", {**WITHOUT_ROLE, "profile": "p"}, {"profile": "p"}, []),
    ("what an entry requires", {**RIGHT, "ports": [{}]}, {"ports": [{"start": UNKNOWN}]}, [(("ports", 0, "start"), Why.MISSING, None)]),
    ("another word", {**RIGHT, "ref": {"group": "k", "name": "x"}}, SAID, [(("ref", "group"), Why.ANOTHER_WORD, "karpenter.sh")]),
    ("text for a level", {**RIGHT, "meta": 7}, {**SAID, "labels": UNKNOWN, "more": UNKNOWN, "most": UNKNOWN}, [(("meta",), Why.NO_MAPPING, None)]),
    ("a level that is unknown", {**RIGHT, "meta": UNKNOWN}, {"labels": UNKNOWN, "most": UNKNOWN}, []),
    ("an unknown word", {**RIGHT, "ref": {"group": UNKNOWN, "name": UNKNOWN}}, OPEN, []),
    ("text for a part", {**RIGHT, "after": 7}, {"after": None}, [(("after",), Why.NO_PART, None)]),
    ("text for an entry", {**RIGHT, "ports": [7]}, {"ports": [None]}, [(("ports", 0), Why.NO_PART, None)]),
    ("text for a list", {**RIGHT, "ports": "x"}, {"ports": UNKNOWN}, [(("ports",), Why.NO_LIST, "start")]),
    ("an unknown entry", {**RIGHT, "ports": [UNKNOWN, 7]}, {"ports": UNKNOWN}, []),
    ("text that is empty stays", {**RIGHT, "ports": [{"start": 1, "note": ""}]}, {"ports": [{"start": 1, "note": ""}]}, [
        (("ports", 0, "note"), Why.EMPTY, None),
    ]),
    ("text that is not", {**RIGHT, "ports": [{"start": 1, "note": "x"}]}, {"ports": [{"start": 1, "note": "x"}]}, []),
    ("a value that cannot be converted stays", {**RIGHT, "meta": {"more": "odd"}}, {"more": "odd"}, [(("meta", "more"), Why.UNREADABLE, None)]),
    ("one that is partly unknown", {**RIGHT, "meta": {"more": [UNKNOWN]}}, {"more": [UNKNOWN]}, []),
    ("one that can", {**RIGHT, "meta": {"more": 5}}, {"more": "5m"}, []),
    ("entries of a mapping stay unknown one by one", {**RIGHT, "after": {"limits": {"a": UNKNOWN}}}, {"after": {"limits": {"a": UNKNOWN}}}, []),
    ("a field of a level, at the top", {**RIGHT, "labels": {"a": "b"}}, SAID, [(("labels",), Why.ELSEWHERE, "meta.labels")]),
    ("a field of a part, at the top", {**RIGHT, "days": 2}, SAID, [(("days",), Why.ELSEWHERE, "after.days")]),
    ("a field of a part that is written there, too", {**RIGHT, "days": 2, "after": {"days": 1}}, {**SAID, "after": {"days": 1}}, [
        (("days",), Why.NO_SUCH_FIELD, None),
    ]),
    ("a misspelled field next to the right one", {**RIGHT, "rol": "r", "role": "s"}, {"role": "s"}, [(("rol",), Why.NO_SUCH_FIELD, None)]),
    ("a misspelled field", {**WITHOUT_ROLE, "rol": "r"}, {"role": UNKNOWN}, [(("rol",), Why.NO_SUCH_FIELD, "role")]),
    ("one that says what nobody knows", {**RIGHT, "aftr": {}}, {"after": UNKNOWN}, [(("aftr",), Why.NO_SUCH_FIELD, "after")]),
    ("a misspelled level", {**RIGHT, "Meta": {}}, {"labels": UNKNOWN}, [(("Meta",), Why.NO_SUCH_FIELD, "meta")]),
    ("a field like no other", {**RIGHT, "zzz": None}, SAID, [(("zzz",), Why.NO_SUCH_FIELD, None)]),
    ("a field of another kind, at any depth", {**RIGHT, "after": {"amiFamily": "x"}}, {"after": {}}, [
        (("after", "amiFamily"), Why.FOREIGN, "EC2NodeClass"),
    ]),
    ("a field that only a row of another kind has", {**RIGHT, "tagList": []}, SAID, [(("tagList",), Why.NO_SUCH_FIELD, None)]),
]  # fmt: skip


@pytest.mark.parametrize(("written", "found", "left"), [row[1:] for row in READ], ids=[row[0] for row in READ])
def test_an_object_has_to_be_right(written: Found, found: Found, left: Sequence[object]) -> None:
    made, listed = read_object(table(), written)
    assert {name: made.get(name) for name in found} == found
    assert [(one.steps, one.why, one.known) for one in listed] == left


def test_places_begin_where_the_object_is() -> None:
    _, left = read_object(table(), {**RIGHT, "ports": 7, "zzz": 1}, ("spec",))
    assert [one.steps for one in left] == [("spec", "ports"), ("spec", "zzz")]


def test_a_table_is_compiled_once_and_says_the_same_again() -> None:
    once = table()
    assert read_object(once, RIGHT) == read_object(once, RIGHT)


def test_names_of_a_mapping_that_no_table_has() -> None:
    left = unknown_names({"Kinds": 2, "kubelet": 3}, ["kind"], ("metadata",), {"kubelet": "EC2NodeClass"})
    assert [(one.steps, one.why, one.known) for one in left] == [
        (("metadata", "Kinds"), Why.NO_SUCH_FIELD, "kind"),
        (("metadata", "kubelet"), Why.FOREIGN, "EC2NodeClass"),
    ]


def test_a_name_is_not_intended_for_one_that_is_written_too() -> None:
    [left] = unknown_names({"kind": 1, "Kinds": 2}, ["kind"], (), {})
    assert left.known is None


def test_text_that_is_empty_can_mean_none() -> None:
    assert (EMPTY_IS_NONE.read(""), EMPTY_IS_NONE.read("x"), EMPTY_IS_NONE.write("x")) == (None, "x", "x")


def test_text_that_is_empty_is_left_out_and_off_is_not_sent() -> None:
    assert (FILLED.write(""), FILLED.write("x"), IF_ON.write(False), IF_ON.write(True)) == (None, "x", None, True)
