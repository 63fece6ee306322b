"""What is not known at a preview gives no false finding: whatever the value turns out to be, what is said holds."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest

from nodepools.resources.resource import UNKNOWN, Resource, Secret
from nodepools.resources.resource_checks import check_resource, check_stack
from tests.resources.test_foreign import DAY, PROGRAMS

pytestmark = pytest.mark.sweep

NAMES = [row[0] for row in PROGRAMS]
MANY = [row[1] for row in PROGRAMS if row[0].startswith(("a sound cluster", "a pool that Azure", "network ranges", "Auto Mode", "raw NodePools"))]
"""Those with most to be changed."""


def ways(value: Any, way: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Every place in the inputs, parts before what is in them."""
    if way:
        yield way
    inside = value.items() if isinstance(value, Mapping) else enumerate(value) if isinstance(value, list) else ()
    for step, part in inside:
        yield from ways(part, (*way, step))


def put(value: Any, way: tuple[str | int, ...], other: Any) -> Any:
    """`value` with `other` in place of what stands at `way`."""
    if not way:
        return other(value)
    first, rest = way[0], way[1:]
    if isinstance(value, Mapping):
        return {name: put(part, rest, other) if name == first else part for name, part in value.items()}
    return [put(part, rest, other) if index == first else part for index, part in enumerate(value)]


def varied(program: list[Resource], other: Any) -> Iterator[tuple[str, list[Resource]]]:
    """The program with one place changed, each in turn."""
    for number, one in enumerate(program):
        for way in ways(one.inputs):
            inputs = put(one.inputs, way, other)
            yield f"{one.name}: {way}", [*program[:number], replace(one, inputs=inputs), *program[number + 1 :]]


def said(program: list[Resource]) -> set[tuple[str, str, str, str]]:
    return {(one.urn, one.finding.code, one.finding.path, str(one.finding.severity)) for one in check_stack(program, today=DAY, fixes=False)}


@pytest.mark.parametrize("program", [row[1] for row in PROGRAMS], ids=NAMES)
def test_with_any_one_value_unknown_nothing_else_is_said(program):
    known = said(program)
    for place, less in varied(program, lambda _: UNKNOWN):
        more = said(less) - known
        assert not more, f"{place} unknown: {more}"


@pytest.mark.parametrize("program", [row[1] for row in PROGRAMS], ids=NAMES)
def test_where_nothing_is_known_nothing_is_said(program):
    for one in program:
        blank = replace(one, inputs=dict.fromkeys(one.inputs, UNKNOWN))
        assert check_resource(blank, today=DAY) == [], one.name


@pytest.mark.parametrize("other", [7, [None], {"a": {}}], ids=repr)
@pytest.mark.parametrize("program", MANY)
def test_whatever_value_stands_there_nothing_breaks(program, other):
    for _, changed in varied(program, lambda _: other):
        assert all(one.finding.message for one in check_stack(changed, today=DAY, fixes=False))


def secret(value: Any) -> Secret:
    """The value as a secret: text thwrongs would show is marked, so that it is found in them."""
    return Secret(value)


@pytest.mark.parametrize("program", MANY)
def test_a_secret_is_judged_as_any_other_value(program):
    known = {code for _, code, _, _ in said(program)}
    for place, hidden in varied(program, secret):
        codes = {code for _, code, _, _ in said(hidden)}
        assert codes == known, f"{place} secret: {codes ^ known}"


TEXTS = [
    ("a taint", "nodeTaints", ["hunter2=x:NoSchedule", "hunter2=y:NoSchedule"]),
    ("a label", "nodeLabels", {"team": "hunter2 & co"}),
    ("the key of a label", "nodeLabels", {"kubernetes.azure.com/hunter2": "x"}),
    ("a size", "vmSize", "Standard_B2hunter2"),
    ("a name that is refused", "agentPoolName", "HUNTER2"),
]


@pytest.mark.parametrize(("name", "value"), [row[1:] for row in TEXTS], ids=[row[0] for row in TEXTS])
def test_no_finding_prints_a_secret(name, value):
    [cluster, pool] = PROGRAMS[0][1]
    made = replace(pool, inputs={**pool.inputs, "mode": "System", name: Secret(value)})
    plain = replace(pool, inputs={**pool.inputs, "mode": "System", name: value})
    told = [*check_resource(made, today=DAY), *(one.finding for one in check_stack([cluster, made], today=DAY))]
    assert told
    for finding in told:
        assert "hunter2" not in f"{finding} {finding.to_json()} {finding!r}".lower()
    assert {finding.code for finding in check_resource(made, today=DAY)} == {finding.code for finding in check_resource(plain, today=DAY)}


def test_a_password_is_told_apart_from_one_in_the_open():
    [cluster, pool] = PROGRAMS[0][1]
    profile = {"adminUsername": "azureuser", "adminPassword": "Correct horse battery staple"}
    plain = replace(cluster, inputs={**cluster.inputs, "windowsProfile": profile})
    hidden = replace(cluster, inputs={**cluster.inputs, "windowsProfile": {**profile, "adminPassword": Secret(profile["adminPassword"])}})
    assert "AKS096" in {one.finding.code for one in check_stack([plain, pool], today=DAY)}
    assert {one.finding.code for one in check_stack([hidden, pool], today=DAY)} == set()
    short = replace(cluster, inputs={**cluster.inputs, "windowsProfile": {**profile, "adminPassword": Secret("hunter2")}})
    [one] = check_stack([short, pool], today=DAY)
    assert (one.finding.code, one.finding.path, one.finding.value) == ("AKS095", "windowsProfile.adminPassword", None)
    assert "hunter2" not in str(one.finding)
