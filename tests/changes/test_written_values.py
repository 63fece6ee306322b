"""The values of changes are plain data, as they are written in a declaration."""

import json
import sys
from typing import Any, cast

import pytest

from nodepools import EksClusterArgs, EksNodeClass, Requirement, StackOutput, Taint, UserPool, derive
from nodepools.changes.platform_changes import diff
from nodepools.clouds.change import Change, ResourceName, written_value
from nodepools.model.base import Model
from nodepools.model.eks.node_class import SelectorTerm
from nodepools.model.invalid_parts import is_faulty
from nodepools.wire.table import Effect
from tests.changes.declared import PLATFORM

TERM = SelectorTerm(tags={"tier": "private"})


def change(value: object) -> Change:
    return Change("weu", ("clusters", "weu"), value, None, Effect.ROLLS, "", "", ResourceName("a:b:C", "weu"))


@pytest.mark.parametrize(
    ("value", "written"),
    [
        pytest.param(TERM, {"tags": {"tier": "private"}}, id="selector term"),
        pytest.param((TERM,), [{"tags": {"tier": "private"}}], id="list of terms"),
        pytest.param({"a": TERM}, {"a": {"tags": {"tier": "private"}}}, id="map of terms"),
        pytest.param(Taint("a", "b"), {"key": "a", "value": "b"}, id="an effect that is the default"),
        pytest.param(
            Requirement("a", "In", ["b"], min_values=1), {"key": "a", "operator": "In", "values": ["b"], "min_values": 1}, id="nothing is lost"
        ),
        pytest.param(StackOutput("acme/network/dev", "subnet"), str(StackOutput("acme/network/dev", "subnet")), id="output of a stack"),
        pytest.param("text", "text", id="text"),
        pytest.param(0, 0, id="zero"),
        pytest.param(None, None, id="nothing"),
    ],
)
def test_values(value: object, written: object) -> None:
    assert written_value(value) == written
    assert change(value).old == written


def parts(value: object) -> list[Model]:
    """Every part of a declaration."""
    if isinstance(value, Model):
        return [value, *(part for held in vars(value).values() for part in parts(held))]
    if isinstance(value, dict):
        return [part for held in cast("dict[str, object]", value).values() for part in parts(held)]
    return [part for held in cast("tuple[object, ...]", value) for part in parts(held)] if isinstance(value, tuple) else []


def classes(of: type[Model]) -> list[type[Model]]:
    return [each for sub in of.__subclasses__() for each in (sub, *classes(sub))]


def built(of: type[Model]) -> Any:
    """One with every field that it requires; the values need not be valid, because only their form counts."""
    required: dict[str, Any] = {name: "x" for name, field in of.model_fields.items() if field.is_required()}
    return of.model_construct(None, **required)


def is_declared(of: type[Model]) -> bool:
    """It is the class of its module, not one that was put before it for an invalid part, or for one with unknown fields."""
    return vars(sys.modules[of.__module__]).get(of.__name__) is of


@pytest.mark.parametrize(
    "of", [each for each in classes(Model) if each.__module__.startswith("nodepools.") and is_declared(each)], ids=lambda each: each.__name__
)
def test_no_model_appears_as_a_python_object(of: type[Model]) -> None:
    part = built(of)
    assert not is_faulty(part)
    text = json.dumps(change([part]).to_json())  # without `default`: anything but plain data raises
    assert "None" not in text


def test_parts_of_a_platform() -> None:
    for part in parts(PLATFORM):
        json.dumps(change(part).to_json())


def test_terms_in_a_change() -> None:
    before = PLATFORM.clusters["use1"]
    assert isinstance(before, EksClusterArgs)
    after = derive(before, auto_mode=derive(before.auto_mode, node_classes={"private": EksNodeClass(ephemeral_storage="100Gi", subnets=[TERM])}))
    [found] = [one for one in diff(PLATFORM, derive(PLATFORM, clusters={"use1": after})).all if "subnets" in one.path]
    assert (found.old, found.new) == ([], [{"tags": {"tier": "private"}}])


def test_pools_are_plain() -> None:
    assert written_value(UserPool(vm_size="Standard_D2ds_v5", count=1, taints=[Taint("a", "b")])) == {
        "vm_size": "Standard_D2ds_v5",
        "count": 1,
        "taints": [{"key": "a", "value": "b"}],
    }
