"""The text of a violation is formatted and parsed back, and has no secret in it."""

import pytest

from nodepools.resources.resource import UNKNOWN, Secret
from nodepools.resources.violation_text import ViolationText, format_violation, parse_violation, secrets_in

COMPLAINTS = [
    pytest.param(ViolationText("tags.owner", "x", "is wrong", "write y", "https://example.com"), id="all of it"),
    pytest.param(ViolationText("", None, "is wrong", "write y"), id="without path, value and source"),
    pytest.param(ViolationText("a", ["b", {"c": 1}], "is wrong", "write y", "source"), id="a value of many parts"),
    pytest.param(ViolationText("a", 0, "is wrong", "write y", "source"), id="zero is a value"),
    pytest.param(ViolationText("a", None, "is wrong\nin two lines", "write\n  y: 1\n  z: 2", "source"), id="message and fix of several lines"),
    pytest.param(ViolationText("a", "é\nü", "is wrong", "write y"), id="a value of several lines"),
]


@pytest.mark.parametrize("complaint", COMPLAINTS)
def test_what_is_written_is_read_back(complaint):
    assert parse_violation(format_violation(complaint)) == complaint


OF_OTHERS = [
    pytest.param("S3 buckets should not be public", id="one line"),
    pytest.param("fix: nothing\npath: no", id="lines that look like ours"),
    pytest.param("", id="nothing"),
]


@pytest.mark.parametrize("text", OF_OTHERS)
def test_what_other_packs_say_is_all_message(text):
    assert parse_violation(text) == ViolationText("", None, text, "")


HIDDEN = [
    pytest.param(Secret("hunter22"), ["hunter22"], id="a value"),
    pytest.param({"a": [Secret("hunter22")]}, ["hunter22"], id="inside of others"),
    pytest.param(Secret({"a": ["hunter22", {"b": "hunter33"}]}), ["hunter22", "hunter33"], id="parts of a secret"),
    pytest.param(Secret(Secret("hunter22")), ["hunter22"], id="a secret secret"),
    pytest.param(Secret(12345), ["12345"], id="a number"),
    pytest.param(Secret("line one\nline two"), ["line one\nline two", "line one", "line two"], id="lines of a secret text"),
    pytest.param({"a": "plain", "b": Secret("ab"), "c": Secret(True), "d": Secret(UNKNOWN)}, [], id="not what is plain, short, yes or unknown"),
]


@pytest.mark.parametrize(("value", "found"), HIDDEN)
def test_secrets_are_found_at_any_depth(value, found):
    assert sorted(set(secrets_in(value))) == sorted(found)


@pytest.mark.parametrize("value", [Secret("hunter22"), {"password": Secret("hunter22")}, [Secret("hunter22")], "hunter22", "say hunter22 please"])
def test_no_secret_is_written(value):
    complaint = ViolationText('tags["hunter22"]', value, "hunter22 is refused", "do not write hunter22")
    text = format_violation(complaint, ["hunter22"])
    assert "hunter22" not in text
    assert "[secret]" in text
    assert parse_violation(text).fix == "do not write [secret]"


def test_the_longer_of_two_secrets_goes_first():
    assert "-suffix" not in format_violation(ViolationText("", None, "hunter-suffix", "x"), ["hunter", "hunter-suffix"])


def test_what_is_unknown_is_named_so():
    assert parse_violation(format_violation(ViolationText("a", [UNKNOWN], "b", "c"))).value == [{"$unknown": True}]


def test_a_value_that_is_no_json_any_more_is_text():
    assert parse_violation("path: a\nvalue: [secret\nb\nfix: c").value == "[secret"


def test_a_long_value_is_left_out():
    assert parse_violation(format_violation(ViolationText("a", ["x" * 300], "b", "c"))) == ViolationText("a", None, "b", "c")
