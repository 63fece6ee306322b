"""Findings as people and as programs read them."""

import json
from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal

import pulumi
import pytest

from nodepools import Autoscale, DeclarationError, Finding, Taint, UserPool
from nodepools.aks import WindowsProfile
from nodepools.model.path import jsonable, path_text, shown
from nodepools.rules.engine.api_findings import object_finding
from nodepools.rules.engine.finding import PYTHON, Fix, Severity, Texts, counted, literal, remove, set_to, without_secrets


def finding(value: object = None, *, severity: Severity = Severity.ERROR, of: str | None = None) -> Finding:
    return Finding("AKS014", severity, "clusters.weu.system_pool.taints[0]", value, "is refused on a system pool", Fix("remove it"), "AKS", of)


def as_written() -> UserPool:
    return UserPool(vm_size=3, scale=Autoscale(1, "x"))  # type: ignore[arg-type]  # what people write


def test_json_has_the_keys_of_the_contract() -> None:
    assert finding(Taint("a", "b")).to_json() == {
        "code": "AKS014",
        "name": "hard-taint-on-system-pool",
        "severity": "error",
        "path": "clusters.weu.system_pool.taints[0]",
        "value": {"key": "a", "value": "b", "effect": "NoSchedule"},
        "message": "is refused on a system pool",
        "fix": {"text": "remove it", "operations": []},
        "source": "AKS",
        "url": None,
        "object": None,
        "line": None,
        "column": None,
    }


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        pytest.param(None, None, id="nothing"),
        pytest.param(True, True, id="a truth"),
        pytest.param(2.5, 2.5, id="a number"),
        pytest.param(float("nan"), "nan", id="no number"),
        pytest.param(float("-inf"), "-inf", id="no end"),
        pytest.param((1, ["x"]), [1, ["x"]], id="lists in lists"),
        pytest.param({"a": (1,), 3: 4}, {"a": [1], "3": 4}, id="a mapping, with keys as text"),
        pytest.param({"b", "a"}, ["a", "b"], id="a set"),
        pytest.param(Decimal("1.5"), "1.5", id="anything else as text"),
        pytest.param(Autoscale(1, 2), {"min": 1, "max": 2}, id="a model"),
    ],
)
def test_values_are_plain(value: object, plain: object) -> None:
    assert jsonable(value) == plain
    json.dumps(jsonable(value), allow_nan=False)


@pytest.mark.usefixtures("loop")
def test_what_is_not_known_yet_says_so() -> None:
    assert finding([pulumi.Output.from_input("x")]).to_json()["value"] == [{"$unknown": True}]


SEEDED = "correct horse battery"
PLACE = ("clusters", "weu", "windows_profile", "admin_password")
HELD = [
    pytest.param(PLACE, SEEDED, {"$secret": True}, id="a secret"),
    pytest.param((*PLACE[:-1], "adminPasword"), SEEDED, {"$secret": True}, id="a misspelt secret"),
    pytest.param(PLACE, WindowsProfile(admin_password=SEEDED).admin_password, {"$secret": True}, id="a secret that is a type"),
    pytest.param(PLACE[:-1], WindowsProfile(admin_password=SEEDED), None, id="a part"),
    pytest.param(PLACE[:-1], {"admin_password": SEEDED}, None, id="a mapping"),
    pytest.param(PLACE[:2], [{"admin_password": SEEDED}], None, id="a list of parts"),
    pytest.param(("overrides", "proxy"), f"http://ops:{SEEDED.replace(' ', '-')}@proxy:3128", "http://[secret]@proxy:3128", id="part of a URL"),
]


@pytest.mark.parametrize(("steps", "value", "json_value"), HELD)
def test_a_finding_holds_no_secret(steps: tuple[str, ...], value: object, json_value: object) -> None:
    one = Finding("X", Severity.ERROR, path_text(steps), value, f"{SEEDED} is wrong", Fix(f"Replace {SEEDED}"), "s", steps=steps)
    assert one.to_json()["value"] == json_value
    told = f"{one.shown_value} {one.value!r}"
    assert "battery" not in told
    if value == SEEDED:
        assert (one.message, one.fix) == ("[secret] is wrong", Fix("Replace [secret]"))
        assert str(one).endswith("[secret]\n    [secret] is wrong\n    fix: Replace [secret]")


TOKEN = "ghp_" + "0123456789abcdef" * 2


@pytest.mark.parametrize("steps", [("pools", TOKEN), ("labels", f"{TOKEN}/x", "y"), ("tags", 0, f"a {TOKEN}"), (TOKEN,)])
def test_a_token_in_a_key_or_in_the_name_of_an_object_is_not_printed(steps: tuple[str | int, ...]) -> None:
    """Keys, unknown fields and names of objects are in paths, and are printed everywhere."""
    one = Finding("X", Severity.ERROR, path_text(steps), 1, "It is wrong", None, "s", steps=steps, object=f"{TOKEN}.yaml#NodePool/{TOKEN}")
    assert TOKEN not in f"{one} {one.to_json()} {one.named} {one.path}"
    assert one.steps == steps
    assert one.path == path_text(step.replace(TOKEN, "[secret]") if isinstance(step, str) else step for step in steps)


def test_a_message_does_not_repeat_a_secret_of_another_place() -> None:
    told = Texts(f"`{literal(SEEDED)}` is bad", None)
    one = Finding("X", Severity.ERROR, "name", SEEDED, f"{SEEDED} is bad", None, "s", texts=told)
    [clean] = without_secrets([one], {"tags": {"token": SEEDED}})
    assert clean.value == "[secret]"
    assert clean.message == "[secret] is bad"
    assert clean.spelled(PYTHON).message == '``"[secret]"`` is bad'
    assert without_secrets([one], {"tags": {"team": SEEDED}}) == [one]
    assert without_secrets([], {"tags": {"token": SEEDED}}) == []


def test_an_operation_of_a_fix_shows_no_secret_in_json() -> None:
    fix = Fix("Set it", (set_to("overrides", {"user_data": SEEDED, "mode": "System"}),), is_certain=True)
    assert Finding("X", Severity.ERROR, "", None, "m", fix, "s").to_json()["fix"] == {
        "text": "Set it",
        "operations": [{"op": "set", "path": "overrides", "value": {"user_data": {"$secret": True}, "mode": "System"}}],
    }


@pytest.mark.parametrize("text", ["X-Api-Key: 0a1b2c3d", "client-secret: 0a1b2c3d", "http://ops:0a1b2c3d@proxy"])
def test_a_message_that_quotes_a_value_shows_no_secret_of_it(text: str) -> None:
    one = Finding("X", Severity.ERROR, "labels", text, f"`{text}` is not a valid label", Fix(f"Remove `{text}`"), "s")
    assert "0a1b2c3d" not in str(one)
    with pytest.raises(DeclarationError) as raised:
        Taint.parse(text)
    assert "0a1b2c3d" not in str(raised.value)


def test_the_value_of_a_part_shows_no_secret() -> None:
    one = Finding("X", Severity.ERROR, "taints[0]", Taint("a", "Bearer 0a1b2c3d"), "m", None, "s")
    assert "0a1b2c3d" not in one.shown_value
    assert one.to_json()["value"] == {"key": "a", "value": "Bearer [secret]", "effect": "NoSchedule"}


def test_what_is_kept_as_written_is_shown_as_written() -> None:
    assert jsonable(as_written()) == {"kind": "UserPool", "vm_size": 3, "scale": {"min": 1, "max": "x"}}
    assert shown(as_written()) == ""


@pytest.mark.parametrize(
    ("value", "text"),
    [
        pytest.param(Taint("a", "b"), "a=b:NoSchedule", id="a taint as one line"),
        pytest.param(Autoscale(1, 2), "", id="a part is named by its path"),
        pytest.param({"a": 1}, "", id="so is a mapping"),
        pytest.param(None, "", id="nothing is not shown"),
        pytest.param("three", "'three'", id="text"),
        pytest.param((1, 2), "[1, 2]", id="a list"),
        pytest.param("x" * 200, f"'{'x' * 119}…", id="long text is cut"),
        pytest.param(pulumi.Output.from_input("x"), "a pulumi.Output", id="an output"),
        pytest.param(Decimal(1), "a Decimal", id="anything else by its type"),
    ],
)
def test_values_on_one_line(value: object, text: str) -> None:
    assert shown(value) == text


def test_a_finding_is_one_readable_block() -> None:
    assert str(finding(Taint("a", "b"))) == (
        "AKS014 error at clusters.weu.system_pool.taints[0]: a=b:NoSchedule\n    is refused on a system pool\n    fix: remove it"
    )
    assert str(finding(of="pools.yaml#NodePool/web")).splitlines()[0] == "AKS014 error at pools.yaml#NodePool/web clusters.weu.system_pool.taints[0]"
    assert str(Finding("X", Severity.NOTE, "", None, "m", Fix("f"), "s")).splitlines()[0] == "X note at the top"


@pytest.mark.parametrize(
    ("severities", "text"),
    [
        ((), "no findings"),
        (("error",), "1 error"),
        (("error", "note", "error", "warning"), "2 errors, 1 warning, 1 note"),
    ],
)
def test_findings_are_counted(severities: tuple[str, ...], text: str) -> None:
    assert counted([finding(severity=Severity(severity)) for severity in severities]) == text


def test_an_error_lists_all_its_findings_after_their_number() -> None:
    error = DeclarationError([finding("a"), finding("b")])
    assert len(error.findings) == 2
    assert str(error) == f"2 errors, nothing was deployed\n\n{finding('a')}\n\n{finding('b')}"


def test_findings_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        finding().code = "X"  # type: ignore[misc]  # that is the point
    assert not isinstance(finding(), Mapping)


def test_a_finding_of_an_object_is_as_bad_as_its_code() -> None:
    found = object_finding("OBJ010", ("spec", "nodeSelector"), "selects nodes that no pool offers", fix="add a pool", source="nodepools")
    assert (found.severity, found.path, found.steps) == (Severity.WARNING, "spec.nodeSelector", ("spec", "nodeSelector"))


MECHANICAL = Fix("Remove `taints`", (remove("taints"),), is_certain=True)


@pytest.mark.parametrize(
    ("severity", "fix", "fixable"),
    [
        pytest.param(Severity.ERROR, MECHANICAL, True, id="an error with operations"),
        pytest.param(Severity.WARNING, MECHANICAL, True, id="a warning with operations"),
        pytest.param(Severity.NOTE, MECHANICAL, False, id="a note with operations: they are an option"),
        pytest.param(Severity.ERROR, replace(MECHANICAL, is_certain=False), False, id="a suggestion: the user decides"),
        pytest.param(Severity.ERROR, Fix("Remove `taints`"), False, id="a fix of text alone"),
        pytest.param(Severity.ERROR, None, False, id="no fix"),
    ],
)
def test_a_fix_can_be_applied_if_it_is_certain(severity: Severity, fix: Fix | None, *, fixable: bool) -> None:
    found = Finding("AKS014", severity, "taints", None, "m", fix, "AKS")
    assert found.is_fixable is fixable
    assert tuple(found.operations) == (fix.operations if fix is not None and fix.is_certain else ())
