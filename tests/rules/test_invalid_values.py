"""An invalid value anywhere in a platform: one finding at its place, and rules that do not fail because of what is missing."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import cycle, islice
from typing import Any

import pytest
from pydantic import ValidationError

from nodepools import Platform
from nodepools.loading import refusal
from nodepools.model.unknowns import UNKNOWN
from nodepools.rules.engine.runner import recheck
from tests.changes.swept import edits

pytestmark = pytest.mark.sweep

WRONG = (["drifted"], "90s", -7, {"x": 1}, None, 1.5)
"""Values that few fields accept."""
EACH = 2
"""So many of them, in turn, for each place."""
WINDOW = {"start": "02:00", "hours": 5, "days": ["sun"]}


BUDGETS = [{"nodes": "1", "schedule": "0 9 * * *", "duration": "1h", "reasons": ["Drifted"]}]
POOL = {
    "disruption": {"budgets": BUDGETS, "consolidate_after": "5m"},
    "requirements": [{"key": "kubernetes.io/arch", "operator": "In", "values": ["amd64"], "min_values": 1}],
    "taints": [{"key": "a", "value": "b", "effect": "NoSchedule"}],
    "limits": {"cpu": "8"},
}
WITH_BUDGETS: dict[str, Any] = {
    "name": "dev",
    "clusters": {
        "weu": {
            "kind": "AksCluster",
            "location": "westeurope",
            "kubernetes_version": "1.35",
            "system_pool": {"vm_size": "Standard_D4ds_v5", "count": 2},
            "node_provisioning": {"node_pools": {"web": POOL}},
        },
        "use1": {"kind": "EksCluster", "region": "us-east-1", "kubernetes_version": "1.36", "auto_mode": {"node_pools": {"web": POOL}}},
    },
}
"""What rules derive other parts from, such as budgets from a window."""


def plain() -> Iterator[dict[str, Any]]:
    """Platforms as plain data that together have every field of every model."""
    yield WITH_BUDGETS
    yield {**WITH_BUDGETS, "maintenance": WINDOW}
    for edit in edits():
        if edit.value != "back":
            yield {**edit.new.model_dump(mode="json", exclude_unset=True, by_alias=True), "maintenance": WINDOW}


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from leaves(inner, (*path, key))
    elif isinstance(value, Sequence) and not isinstance(value, str):
        for index, inner in enumerate(value):
            yield from leaves(inner, (*path, index))
    if path and path[-1] != "kind":
        yield path


def with_value(value: Any, path: tuple[Any, ...], new: object) -> Any:
    if not path:
        return new
    step, *rest = path
    if isinstance(value, list):
        return [with_value(inner, tuple(rest), new) if index == step else inner for index, inner in enumerate(value)]
    return {**value, step: with_value(value[step], tuple(rest), new)}


def wrong(data: dict[str, Any]) -> list[str]:
    try:
        Platform.model_validate(data)
    except ValidationError as error:
        findings = recheck(refusal(error, Platform, data), None)
    else:
        return []
    told = [f"{one.path}: {one.message}" for one in findings if one.code.startswith("CFG") and one.value is UNKNOWN]
    elsewhere = [f"{one.path}: {one.message}" for one in findings if one.steps[:1] not in [(name,) for name in Platform.model_fields]]
    return [*told, *elsewhere, *([] if findings else ["no finding"])]


def test_it_is_told_at_its_place_and_nothing_fails() -> None:
    seen = set[tuple[Any, ...]]()
    values = cycle(WRONG)
    found: list[str] = []
    for number, data in enumerate(plain()):
        for path in leaves(data):
            place = (min(number, 2), *(step for step in path if not isinstance(step, int)))
            if place not in seen:
                seen.add(place)
                found += [f"{path} = {value!r}: {said}" for value in islice(values, EACH) for said in wrong(with_value(data, path, value))]
    assert found == []
    assert len(seen) > 600
