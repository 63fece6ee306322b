"""References in the texts of rules."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Protocol

import pulumi
import pytest

from nodepools import AksClusterArgs, Autoscale, Taint, UserPool
from nodepools.model.base import Model
from nodepools.model.redaction import SECRET
from nodepools.rules.engine.finding import (
    PYTHON,
    YAML,
    Finding,
    FixLike,
    PartFinding,
    Severity,
    certain,
    fix_of,
    in_python,
    literal,
    ref,
    render_refs,
    set_to,
)
from nodepools.rules.engine.registry import RULES, Sample, Sampled, finding, rule
from nodepools.rules.engine.runner import findings_without_fix_trial
from nodepools.rules.engine.samples import SIZE, aks
from tests.rules.test_samples import DAY
from tests.runner_caches import forget_rules


class Ask(Protocol):
    """A check with a rule that gives this message and this fix."""

    def __call__(self, whole: Model, message: str, fix: FixLike = None) -> Finding: ...


LITERALS = [
    pytest.param(None, "`None`", "`null`", id="nothing"),
    pytest.param(1.5, "`1.5`", "`1.5`", id="a number"),
    pytest.param('a"b', '`"a\\"b"`', '`"a\\"b"`', id="a quotation mark"),
    pytest.param({"a b": [True]}, '`{"a b": [True]}`', '`{"a b": [true]}`', id="a mapping"),
    pytest.param(pulumi.Output.from_input("x"), '`"…"`', '`"…"`', id="a value that only Pulumi knows"),
]


@pytest.mark.parametrize(("value", "python", "yaml"), LITERALS)
def test_values(value: object, python: str, yaml: str) -> None:
    text = literal(value)
    assert (render_refs(text, PYTHON), render_refs(text, YAML)) == (python, yaml)


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> Ask:
    """What `check` says where a rule about scales gives this message and this fix."""

    def ask(whole: Model, message: str, fix: FixLike = None) -> Finding:
        monkeypatch.setattr("nodepools.rules.engine.registry.RULES", {})
        monkeypatch.setattr("nodepools.rules.engine.runner.all_rules", lambda: {"X001": made})

        def found(scale: Autoscale) -> Iterator[PartFinding]:
            yield finding(scale, message, path="min", fix=fix)

        from nodepools.rules.engine import registry

        rule("X001", "a test", severity=Severity.NOTE)(Sampled(found, Sample("", lambda: whole)))
        made = registry.RULES["X001"]
        forget_rules()
        try:
            [one] = findings_without_fix_trial(whole, "", DAY)
        finally:
            forget_rules()
        return one

    return ask


WHOLE = aks(pools={"web": UserPool(vm_size=SIZE, scale=Autoscale(1, 2))})


def test_a_reference_starts_at_the_part_or_at_one_around_it(told: Ask) -> None:
    message = f"{ref('min')}, {ref('vm_size', part=UserPool)}, {ref(('pools', 'web', 'count'), part=AksClusterArgs)}"
    one = told(WHOLE, message, certain(set_to("count", 3, part=UserPool)))
    assert one.message == "`min`, `vm_size`, `pools.web.count`"
    assert one.fix is not None
    assert one.fix.text == "Set `count` to `3`"
    assert [operation.path for operation in one.fix.operations] == [("pools", "web", "count")]
    assert one.to_json()["fix"] == {"text": "Set `count` to `3`", "operations": [{"op": "set", "path": "pools.web.count", "value": 3}]}


def test_a_class_is_named_in_python_alone(told: Ask) -> None:
    one = told(WHOLE, f"{ref('min')} of {in_python('`Autoscale`', ref('scale', part=UserPool))}")
    assert (one.message, one.spelled(YAML).message) == ("`min` of `Autoscale`", "`min` of `scale`")


def test_an_operation_on_what_is_not_around_is_advice_alone(told: Ask) -> None:
    one = told(
        UserPool(vm_size=SIZE, scale=Autoscale(1, 2)), f"see {ref('network', part=AksClusterArgs)}", set_to("tier", "Free", part=AksClusterArgs)
    )
    assert one.message == "see `network`"
    assert one.fix is not None
    assert (one.fix.text, one.fix.operations) == ('Set `tier` to `"Free"`', ())


def test_a_finding_without_a_fix_prints_and_says_none(told: Ask) -> None:
    one = told(WHOLE, "is a fact")
    assert one.fix is None
    assert one.to_json()["fix"] is None
    assert str(one).splitlines()[1:] == ["    is a fact"]
    assert one.spelled(YAML) == one


def test_a_fix_is_what_is_given() -> None:
    assert fix_of(fix_of("Do it")) == fix_of("Do it")
    assert "X001" not in RULES


SHOWN = [
    pytest.param([True, None, "x", 1.5], "[True, None, 'x', 1.5]", "[true, null, 'x', 1.5]", id="a list"),
    pytest.param(False, "False", "false", id="a switch"),
    pytest.param([Taint("a", "b")], "a=b:NoSchedule", "", id="parts, each with its text"),
    pytest.param([SECRET, "x"], "[secret], 'x'", "", id="secrets"),
    pytest.param([{"max_surge": "1"}], "", "", id="parts without a text, which can hold anything"),
]


@pytest.mark.parametrize(("value", "python", "yaml"), SHOWN)
def test_a_value_is_shown_as_the_output_writes_it(told: Ask, value: object, python: str, yaml: str) -> None:
    one = replace(told(WHOLE, "is a fact"), value=value)
    assert (one.shown_value, one.spelled(YAML).shown_value) == (python, yaml)
    assert one.spelled(YAML).spelled(PYTHON).shown_value == python
