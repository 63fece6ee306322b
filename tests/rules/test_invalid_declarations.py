"""Findings of shape hide nothing: what is well formed of the same declaration is judged in the same run."""

import copy
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from functools import reduce
from pathlib import Path
from typing import Any, cast

import pytest

from nodepools import AksClusterArgs, Autoscale, DeclarationError, EksClusterArgs, Platform, SystemPool, UserPool, check
from nodepools.loading import load_file
from nodepools.model.base import Model
from nodepools.model.maintenance import Daily
from nodepools.rules.engine.partial_validation import readable
from nodepools.rules.engine.runner import recheck
from tests.rules.test_bad_stacks import declared
from tests.untried import untried_fixes

DAY = date(2026, 11, 21)
SIZE = "Standard_D2ds_v5"
RESERVED = {"kubernetes.azure.com/x": "y"}

ROWS = [
    ("a misspelt field leaves the others", {"web": UserPool(vm_size=SIZE, labels=RESERVED, cuont=3)}, ["CFG002 web.cuont", "AKS021 web.labels"]),  # type: ignore[call-arg]  # what people write
    ("a field that was meant is not judged as left out", {"web": UserPool(vm_size=SIZE, scael=Autoscale(0, 3), count=1)}, ["CFG002 web.scael"]),  # type: ignore[call-arg]  # what people write
    ("a missing size leaves the labels", {"web": UserPool(labels=RESERVED)}, ["CFG001 web.vm_size", "AKS021 web.labels"]),  # type: ignore[call-arg]  # what people write
    ("a text for a number leaves the labels", {"web": UserPool(vm_size=SIZE, count="x", labels=RESERVED)}, ["CFG004 web.count", "AKS021 web.labels"]),  # type: ignore[arg-type]  # what people write
    (
        "a pool that is none leaves the others",
        {"odd": 3, "web": UserPool(vm_size=SIZE, labels=RESERVED)},
        ["CFG003 odd", "AKS021 web.labels"],
    ),
    (
        "a pool that is written as a dict, and is faulty, leaves the others",
        {"spot": {"kind": "UserPool", "vm_size": 3}, "web": {"kind": "UserPool", "vm_size": SIZE, "labels": RESERVED}},
        ["CFG004 spot.vm_size", "AKS021 web.labels"],
    ),
]


@pytest.mark.parametrize(("pools", "told"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_pools(pools: Mapping[str, Any], told: Sequence[str]) -> None:
    with pytest.raises(DeclarationError) as refused:
        Platform(
            name="dev",
            clusters={"weu": AksClusterArgs(location="westeurope", kubernetes_version="1.35", system_pool=SystemPool(vm_size=SIZE), pools=pools)},
        )
    assert [_short(finding.code, finding.path) for finding in refused.value.findings] == told


def _short(code: str, path: str) -> str:
    return f"{code} {path.removeprefix('clusters.weu.pools.').partition('[')[0]}"


def test_a_part_by_itself_is_judged_too() -> None:
    pool = UserPool(vm_size=SIZE, labels=RESERVED, cuont=3)  # type: ignore[call-arg]  # that is the point
    assert [finding.code for finding in check(pool, "pools.web", DAY)] == ["CFG002", "AKS021"]


def test_the_message_of_a_program_has_errors_and_no_warnings() -> None:
    with pytest.raises(DeclarationError, match=r"^2 errors, nothing was deployed") as refused:
        Platform(name="dev", clusters={"e": EksClusterArgs(region="banana", kubernetes_version="1.20", bogus=1)})  # type: ignore[call-arg]  # what people write
    assert [finding.code for finding in refused.value.findings] == ["CFG002", "EKS001"]
    warned = recheck(refused.value, DAY)
    assert [finding.code for finding in warned] == ["CFG002", "EKS100", "EKS001", "PLT010"]


def test_a_file_is_judged_but_for_its_empty_fields(tmp_path: Path) -> None:
    file = tmp_path / "dev.yaml"
    file.write_text(
        "name: dev\nclusters:\n  weu:\n    kind: AksCluster\n    location: westeurope\n    kubernetes_version: '1.35'\n"
        "    system_pool: \n      vm_size: Standard_D4ds_v5\n      taints:\n    pools:\n      Web_1: {kind: UserPool, vm_size: Standard_D4ds_v5}\n"
    )
    with pytest.raises(DeclarationError) as refused:
        load_file(file)
    assert [f"{finding.code} {finding.path}" for finding in refused.value.findings] == [
        "CFG011 clusters.weu.system_pool.taints",
        "AKS001 clusters.weu.pools.Web_1",
    ]


def test_where_too_little_is_left_the_findings_of_shape_come_alone() -> None:
    with pytest.raises(DeclarationError) as refused:
        Platform(name="dev", clusters=3)  # type: ignore[arg-type]  # that is the point
    assert refused.value.rest is None
    assert [finding.code for finding in recheck(refused.value, DAY)] == ["CFG004"]


def test_what_is_wrong_as_a_whole_leaves_nothing_to_judge() -> None:
    assert readable(Daily, {"start": "01:00", "hours": 1, "tz": "Europe/Paris"}) is None


class Odd:
    """Belongs nowhere."""


@pytest.mark.sweep
def test_whatever_one_field_holds_rules_find_nothing_that_they_would_not_find_otherwise() -> None:
    platform = declared("wrong")
    written, known = said_in_a_file(platform), {(finding.code, finding.path) for finding in check(platform, today=DAY)}
    for way in _ways(written, ()):
        with untried_fixes():
            with pytest.raises(DeclarationError) as refused:
                Platform(**_with(written, way, Odd()))
            found = {(finding.code, finding.path) for finding in recheck(refused.value, DAY) if not finding.code.startswith("CFG")}
        assert found <= known, way


def said_in_a_file(part: object) -> Any:
    """As a file would say it."""
    if isinstance(part, Model):
        kind = {"kind": part.kind} if "kind" in type(part).model_fields else {}  # type: ignore[attr-defined]  # most have one
        return kind | {name: said_in_a_file(getattr(part, name)) for name in part.model_fields_set}
    if isinstance(part, dict):
        return {key: said_in_a_file(value) for key, value in cast("dict[str, object]", part).items()}
    return [said_in_a_file(value) for value in cast("tuple[object, ...]", part)] if isinstance(part, tuple) else part


def _ways(part: Any, way: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    steps = part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list) else ()
    for step, value in cast("Any", steps):
        yield (*way, step)
        yield from _ways(value, (*way, step))


def _with(written: Any, way: tuple[Any, ...], value: object) -> Any:
    changed = copy.deepcopy(written)
    reduce(lambda part, step: part[step], way[:-1], changed)[way[-1]] = value
    return changed
