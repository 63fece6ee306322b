"""One reader for platforms, workloads and objects, with libyaml and without: what bare words are, where things stand, what is refused."""

import json
import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import cast

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML

from nodepools.manifests.object_list import listed_objects
from nodepools.manifests.platform_yaml import parse
from nodepools.model.path import path_text
from nodepools.reading import yaml_documents as reader
from nodepools.reading.bounded_input import TextError
from nodepools.reading.pulumi_scalars import PULUMI
from nodepools.reading.selection import EVERYTHING
from nodepools.reading.yaml_documents import Document, documents, only_value, source_position
from nodepools.reading.yaml_scalars import KUBERNETES, PLATFORM, Dialect, TextDumper


@pytest.fixture(params=["CSafeLoader", "SafeLoader"], autouse=True)
def loader(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Without libyaml the parser in Python reads the same."""
    monkeypatch.setattr(reader, "LOADER", getattr(yaml, request.param))
    return request.param


WORDS = [
    # written, in a platform, in an object
    ("no", "no", False),
    ("Yes", "Yes", True),
    ("on", "on", True),
    ("true", True, True),
    ("TRUE", "TRUE", True),
    ("null", None, None),
    ("~", None, None),
    ("1.30", "1.30", 1.3),
    ("1.0", "1.0", 1),
    ("1e3", "1e3", 1000),
    ("12", 12, 12),
    ("-3", -3, -3),
    ("012", "012", 10),
    ("0x1F", "0x1F", 31),
    ("1_000", "1_000", 1000),
    ("12:30", "12:30", "12:30"),
    ("2024-01-01", "2024-01-01", "2024-01-01"),
    (".inf", ".inf", ".inf"),
    ("9" * 200, "9" * 200, 1e200 - 1e200 + float("9" * 200)),
    ('"12"', "12", "12"),
    ("'no'", "no", "no"),
    ("!!str 12", "12", "12"),
    ("!!int '12'", 12, 12),
    ("a b", "a b", "a b"),
]


@pytest.mark.parametrize(("written", "of_platform", "of_object"), WORDS, ids=[one[0][:20] for one in WORDS])
def test_words(written: str, of_platform: object, of_object: object) -> None:
    for dialect, value in ((PLATFORM, of_platform), (KUBERNETES, of_object)):
        [found] = documents(f"a: {written}\n", "x.yaml", dialect)
        held = cast("dict[str, object]", found.value)
        assert held == {"a": value}
        assert type(held["a"]) is type(value)


def test_keys_are_text_in_objects_and_as_they_are_in_platforms() -> None:
    text = "2: a\nno: b\n"
    [of_object], [of_platform] = documents(text, "x.yaml"), documents(text, "x.yaml", PLATFORM)
    assert of_object.value == {"2": "a", "false": "b"}
    assert of_platform.value == {2: "a", "no": "b"}


def at(found: Document, *steps: str | int) -> tuple[int, int]:
    places = found.places
    for step in steps[:-1]:
        places = places[step][1] or {}
    where = places[steps[-1]][0]
    return where.line + 1, where.column + 1


def test_everything_has_its_place() -> None:
    [first, second] = documents("a:\n- b: 1\n  c: [x, {d: 2}]\n---\ne: &x {f: 1}\ng: *x\n", "x.yaml")
    assert [at(first, "a"), at(first, "a", 0), at(first, "a", 0, "c"), at(first, "a", 0, "c", 1, "d")] == [(1, 1), (2, 3), (3, 3), (3, 11)]
    assert (second.start.line, at(second, "g"), at(second, "g", "f")) == (4, (6, 1), (5, 8))


def test_an_alias_is_what_it_names_and_merged_keys_give_way() -> None:
    [found] = documents("a: &a {x: 1, z: 2}\nb: *a\nc: {<<: *a, z: 3}\nd: {<<: [{x: 4}, *a]}\n", "x.yaml")
    assert found.value == {"a": {"x": 1, "z": 2}, "b": {"x": 1, "z": 2}, "c": {"z": 3, "x": 1}, "d": {"x": 4, "z": 2}}


REFUSED = [
    pytest.param("a: [\n", "x.yaml:2:1", id="a text that ends early"),
    pytest.param("\ta: 1\n", "x.yaml:1:1", id="a tab"),
    pytest.param("a: &a [*a]\n", "contains itself", id="an anchor within itself"),
    pytest.param("a: *b\n", "the alias has no anchor before it: quote the value if it is text", id="an alias of nothing"),
    pytest.param("a: &b 1\n---\nc: *b\n", "the alias has no anchor", id="an alias of another document"),
    pytest.param("[" * 5000, "nested too deeply", id="deep nesting"),
    pytest.param("? [a]\n: b\n", "a key must be text", id="a list for a key"),
    pytest.param("a: !!python/object:os.system x\n", "has a tag that is not supported for the value", id="a tag of Python"),
    pytest.param("a: !mine {b: 1}\n", "has a tag, which is not supported: quote the value if it is text", id="a tag of one's own"),
    pytest.param("a: {<<: 1}\n", "merges a value that is not a mapping", id="a merge of a number"),
    pytest.param("a: \x07\n", "not allowed", id="a control character"),
    pytest.param(
        "a: &a [x, x]\n" + "".join(f"a{i}: &a{i} [*a{i - 1 if i else ''}, *a{i - 1 if i else ''}]\n" for i in range(40)),
        "once aliases are expanded",
        id="a bomb",
    ),
]


@pytest.mark.parametrize(
    "value", ["*{}", "!{}", "!{} x", "!<{}> x", "!a!{} x", "&{} *{}", "%{}", "@{}", "`{}", "[{}", "{{{}", '"{}', "'{}", "{}: {}: x", "- {}"]
)
def test_no_error_quotes_a_value(value: str) -> None:
    """An unquoted password can begin with each of these."""
    assert "sEEd7Qz" not in refusal(f"a:\n  password: {value.format(*['sEEd7Qz'] * 2)}\n  b: 1\n")


def refusal(text: str) -> str:
    """Why a text is not read; empty if it is."""
    try:
        list(documents(text, "x.yaml"))
    except TextError as error:
        return str(error)
    return ""


@pytest.mark.parametrize(("text", "said"), REFUSED)
@pytest.mark.parametrize("dialect", [KUBERNETES, PLATFORM], ids=["object", "platform"])
def test_what_is_not_read(text: str, said: str, dialect: Dialect) -> None:
    with pytest.raises(TextError) as error:
        list(documents(text, "x.yaml", dialect))
    assert said in str(error.value)
    assert str(error.value).startswith("x.yaml")
    assert "\n" not in str(error.value)


def test_where_nothing_stands() -> None:
    found = parse("a:\nb: null\nc: [x, ]\nd:\n- \n- e:\nf: ''\n", "x.yaml")
    assert found.empty == (("a",), ("d", 0), ("d", 1, "e"))
    assert parse("# nothing\n", "x.yaml").value is None


def test_a_platform_is_one_document() -> None:
    with pytest.raises(TextError, match=r"x\.yaml:3:1: a second document begins here: a platform is one document"):
        parse("a: 1\n---\nb: 2\n", "x.yaml")


scalars = st.one_of(st.none(), st.booleans(), st.integers(-(10**9), 10**9), st.text(st.characters(codec="utf-8", exclude_categories=["C"])))
values = st.recursive(scalars, lambda inner: st.lists(inner) | st.dictionaries(st.text("abc", min_size=1), inner), max_leaves=20)


@given(values=st.lists(values.filter(lambda value: value is not None), min_size=1, max_size=3))
def test_what_is_written_is_read_by_both_parsers(values: list[object]) -> None:
    for load in (yaml.CSafeLoader, yaml.SafeLoader):
        reader.LOADER = load  # the fixture puts it back
        text = "\n---\n".join(json.dumps(value, ensure_ascii=False) for value in values)
        assert [one.value for one in documents(text, "x.yaml")] == values


json_texts = st.text(st.characters(exclude_categories=["Cs", "Co", "Cn"]) | st.sampled_from("\\\u2028\u2029\x7f\x85\x9f\U0001f680")) | st.just(
    "\\ud83d\\ude80"
)


@given(text=json_texts, escaped=st.booleans(), name=st.sampled_from(["x.json", "stdin"]))
def test_any_text_of_json_is_read_and_keeps_its_place(*, text: str, escaped: bool, name: str) -> None:
    """Characters of two halves too, which YAML rejects as escapes, and line breaks of Unicode, which YAML folds."""
    written = json.dumps([{"a": text, "b": 1}], ensure_ascii=escaped)
    for load in (yaml.CSafeLoader, yaml.SafeLoader):
        reader.LOADER = load  # the fixture puts it back
        [document] = documents(written, name)
        assert document.value == [{"a": text, "b": 1}]
        assert source_position(name, document.start, document.places, (0, "b")).column == written.rindex('"b"') + 1


@pytest.mark.parametrize("half", ["\\ud83d", "\\uDE80", "\\ud83d\\ud83d", "\\ude80\\ud83d"])
def test_half_a_character_of_json_is_the_one_that_go_reads(half: str) -> None:
    [document] = documents(f'{{"a": "x{half}y", "b": "\\\\ud83d"}}', "x.json")
    assert document.value == {"a": "x" + "\ufffd" * half.count("u") + "y", "b": "\\ud83d"}


def test_manifests_of_others_are_read_alike_by_both_parsers(project: Path, loader: str) -> None:
    folder = project.parent / "shared" / "manifests"
    if not folder.is_dir():
        pytest.skip("the manifests of others are not at hand: they are not ours to ship")
    text = (folder / "Azure-karpenter-provider-azure.yaml").read_text()
    found = list(documents(text, "x.yaml"))
    reader.LOADER = yaml.CSafeLoader
    assert [one.value for one in found] == [one.value for one in documents(text, "x.yaml")], loader


DOUBTS = [
    pytest.param("a: 1\nb: {c: 1,\n  c: 2}\na: 3\n", {"a": 3, "b": {"c": 2}}, [("b.c", "c", 2), ("a", "a", 1)], id="keys"),
    pytest.param("a:\n- {b: 1}\n- {b: 1, b: 2}\n", {"a": [{"b": 1}, {"b": 2}]}, [("a[1].b", "b", 3)], id="a key of an entry"),
    pytest.param("a: 010\nb: '010'\nc: 07\nd: 0\ne: 08\nf: 0.10\n", None, [("a", "010", None)], id="numbers"),
]


@pytest.mark.parametrize(("text", "value", "doubts"), DOUBTS)
def test_what_readers_of_yaml_understand_in_different_ways(text: str, value: object, doubts: list[tuple[str, str, int | None]]) -> None:
    [document] = documents(text, "x.yaml")
    assert [(path_text(doubt.steps), doubt.text, doubt.first) for doubt in document.doubts] == doubts
    assert value is None or document.value == value


NUMBER_LIKE = st.one_of(
    st.text("0123456789+-._eExXoObBinfaNyYtrue~:=", max_size=8),
    st.sampled_from(["5e10", "12e4567", "0o17", "0b11", "1_000", "y", "N", "on", ".inf", "1:20", "2026-11-30", "=", "null", "~", "", "0x_1"]),
)


@given(NUMBER_LIKE)
@settings(max_examples=400)
def test_text_is_text_for_every_reader(text: str) -> None:
    """The dialects here, PyYAML, and ruamel.yaml, which reads YAML 1.2: as a value and as a key."""
    written = yaml.dump({"value": text, text: 1}, Dumper=TextDumper)
    read = [next(documents(written, "x", dialect)).value for dialect in (KUBERNETES, PLATFORM)]
    read += [yaml.safe_load(written), dict(YAML(typ="safe", pure=True).load(written))]
    assert read == [{"value": text, text: 1}] * 4


def test_the_text_of_a_number_is_kept() -> None:
    written = "a: {v: 1.10, k: 5, 0x1F: 5, o: 0o17, w: 7}\nb: [1_000, 3, 0.5]\n"
    [document] = documents(written, "x")
    assert document.spelled == {("a", "v"): "1.10", ("a", "o"): "0o17", ("b", 0): "1_000"}


def test_a_file_of_pulumi_has_no_key_twice() -> None:
    with pytest.raises(TextError, match=re.escape("x.yaml:2:1: the key `a` is in this mapping twice")):
        only_value("a: 1\na: 2\n", "x.yaml", PULUMI)
    assert only_value("a: 010\n", "x.yaml", PLATFORM) == {"a": "010"}


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ('{"kind": "Pod",, "a": 1}\n', "-:1:16: is not valid JSON: Expecting property name enclosed in double quotes"),
        ('{"kind": "Pod"', "-:1:15: is not valid JSON: Expecting ',' delimiter: the file ends too early, write or export it again"),
        (f'{{"kind": "Pod",, "a": "{"long" * 20_000}"}}\n', "-:1:16: is not valid JSON: Expecting property name enclosed in double quotes"),
        ("a: [b\nc: 1\n", "-:2:2: is not valid YAML"),
        ("a:\n  {b: 1,\n  c: 2\n", " while parsing a flow mapping that begins in line 2"),
    ],
    ids=["JSON", "cut off", "with more to read", "YAML", "YAML that is not closed"],
)
def test_what_cannot_be_read_again_is_described_as_a_file_is(written: str, said: str) -> None:
    with pytest.raises(TextError, match=re.escape(said)):
        list(listed_objects(BytesIO(written.encode()), "-", lambda _: EVERYTHING))


@pytest.mark.parametrize("indent", [pytest.param(None, id="one a line"), pytest.param(2, id="as kubectl writes them")])
def test_objects_of_json_one_after_the_other_are_documents(indent: int | None) -> None:
    """As `jq '.items[]'` writes them, and `kubectl apply` reads them."""
    values = [{"a": {"b": [1, "}\n{"]}}, {"c": [{}, {"d": 2}]}, {"e": ""}]
    text = "\n".join(json.dumps(value, indent=indent) for value in values) + "\n"
    found = list(documents(text, "stdin"))
    assert [document.value for document in found] == values
    place = source_position("stdin", found[1].start, found[1].places, ("c", 1, "d"))
    row = text.splitlines()[place.line - 1]
    assert row[place.column - 1 :].startswith('"d"')


def test_a_mistake_in_a_later_object_of_json_has_its_line() -> None:
    with pytest.raises(TextError, match=r"^x\.json:3:9: is not valid JSON"):
        list(documents('{"a": 1}\n{"b": 2}\n{"c": 3 "d": 4}\n', "x.json"))


def test_a_wrong_escape_of_json_has_its_place() -> None:
    with pytest.raises(TextError, match=r"^x\.json:1:9: "):
        list(documents('{"a": "\\ud8zz\\udc00"}\n', "x.json"))


def test_of_a_long_stream_nothing_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NODEPOOLS_MAX_MIB", "1")
    written = f'{{"a": "{"long" * 300_000}",, }}'
    with pytest.raises(TextError, match="is not valid YAML"):
        list(listed_objects(BytesIO(written.encode()), "-", lambda _: EVERYTHING))
