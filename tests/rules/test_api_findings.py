"""Findings in the words of the object that a declaration was read from."""

from dataclasses import replace

import pytest

from nodepools import Autoscale, Spot, SystemPool, Taint, UpgradeSettings, UserPool, WindowsPool, check
from nodepools.model.base import Model
from nodepools.model.steps import Steps
from nodepools.rules.engine.api_findings import Source, wired
from nodepools.rules.engine.finding import Finding, Fix, Severity, Texts, anchor_refs, fix_of, ref, set_to
from nodepools.rules.engine.samples import aks
from nodepools.wire.aks.agent_pool import INLINE, POOL
from nodepools.wire.paths import wire_of

SIZE = "Standard_D4ds_v5"


def told(pool: Model, code: str) -> tuple[str, str | None, list[tuple[str, str, object]]]:
    """Message, fix and operations of a finding of an agent pool that is a resource of its own."""
    [found] = [one for one in check(pool) if one.code == code]
    said = wired(found, pool, Source((), (), POOL), lambda steps: wire_of(POOL, steps))
    operations = said.fix.operations if said.fix is not None else ()
    return said.message, said.fix.text if said.fix is not None else None, [(one.op, ".".join(map(str, one.path)), one.value) for one in operations]


ROWS = [
    pytest.param(
        UserPool(vm_size=SIZE, scale=Autoscale(3, 2)),
        "AKS010",
        "`minCount` (3) is greater than `maxCount` (2)",
        "Lower `minCount` to `2`, or raise `maxCount` to `3`",
        [],
        id="fields of a part that the wire has flat",
    ),
    pytest.param(
        UserPool(vm_size=SIZE, count=3, spot=Spot()),
        "AKS017",
        "Nodes that Azure evicts are not replaced: this spot pool has a fixed `count`",
        "Set `enableAutoScaling` to `true`, set `minCount` to `0`, and set `maxCount` to `3`",
        [("set", "enableAutoScaling", True), ("set", "minCount", 0), ("set", "maxCount", 3)],
        id="a part with a switch",
    ),
    pytest.param(
        SystemPool(vm_size=SIZE, taints=[Taint("a", "b")]),
        "AKS014",
        "AKS rejects the taint `a=b:NoSchedule` on a system pool (SystemPoolHasRestrictedTaint)",
        "Move the taint to a user pool, or set its effect to `PreferNoSchedule`, which only discourages other pods",
        [("set", "nodeTaints.1", "a=b:PreferNoSchedule")],
        id="a taint is text on the wire",
    ),
    pytest.param(UserPool(vm_size=SIZE, scale=Autoscale(1, 2), zones=[1, 2]), "AKS009", None, None, [], id="a note has no fix"),
]


@pytest.mark.parametrize(("pool", "code", "message", "fix", "operations"), ROWS)
def test_a_finding_of_a_resource(pool: Model, code: str, message: str | None, fix: str | None, operations: list[tuple[str, str, object]]) -> None:
    found = told(pool, code)
    assert found[1:] == (fix, operations)
    assert message is None or found[0] == message


def test_a_fix_of_another_object_is_left_out() -> None:
    whole = aks(system_pool={"count": 1})
    [found] = [one for one in check(whole) if one.code == "AKS013"]
    inside = wired(found, whole, Source(("system_pool",), ("agentPoolProfiles", 0), INLINE), lambda steps: wire_of(INLINE, steps[1:]))
    assert inside.fix is not None
    assert [(one.path, one.value) for one in inside.fix.operations] == [(("agentPoolProfiles", 0, "count"), 2)]
    elsewhere = wired(found, whole, Source(("pools", "web"), (), POOL), lambda steps: wire_of(POOL, steps[2:]))
    assert elsewhere.fix is None


def test_a_part_as_a_whole_is_not_changed_in_its_object() -> None:
    whole = aks(pools={"system": UserPool(vm_size=SIZE)})
    [found] = [one for one in check(whole) if one.code == "AKS002"]
    assert wired(found, whole, Source(("pools", "system"), (), POOL), lambda steps: wire_of(POOL, steps[2:])).fix is None


def finding(message: str, fix: Fix | None, value: object = None) -> Finding:
    here: Steps = ("upgrade",)
    texts = Texts(anchor_refs(message, lambda of: here if of is None else None), fix)
    return Finding("X", Severity.NOTE, "upgrade", value, "", fix, "", texts=texts)


POOL_WITH_UPGRADE = WindowsPool(vm_size=SIZE, upgrade=UpgradeSettings(max_surge="1"))
TEXTS = [
    pytest.param(ref("max_surge"), "`maxSurge`", id="a field of the part"),
    pytest.param(ref("max_surge", part=WindowsPool), "max surge", id="a part that is not known here"),
    pytest.param(ref("previous"), "previous", id="a field that only declarations have"),
    pytest.param("plain", "plain", id="a text without references"),
]


@pytest.mark.parametrize(("message", "expected"), TEXTS)
def test_references(message: str, expected: str) -> None:
    def wire(steps: Steps) -> Steps | None:
        found = wire_of(POOL, steps)
        return found if len(found) == len(steps) else None

    found = finding(message, fix_of("Do it"))
    said = wired(found, POOL_WITH_UPGRADE, Source((), (), POOL), wire)
    assert said.message == expected
    assert said.fix == Fix("Do it")


def test_what_no_rule_said_stays_as_it_is() -> None:
    plain = replace(finding("m", None), texts=None)
    assert wired(plain, POOL_WITH_UPGRADE, Source((), (), POOL), lambda steps: steps) is plain
    assert plain.spelled(None) is plain  # type: ignore[arg-type]  # it is not asked


def test_an_object_is_not_told_a_fix_of_declarations() -> None:
    found = finding("m", Fix("Set it", only_in_declarations=True))
    assert wired(found, POOL_WITH_UPGRADE, Source((), (), POOL), lambda steps: steps).fix is None


def test_a_text_of_its_own_goes_with_operations() -> None:
    operations = (set_to(("upgrade", "max_surge"), "2"),)
    said = wired(
        finding("m", Fix(f"Raise {anchor_refs(ref('max_surge'), lambda _: ('upgrade',))}", operations)),
        POOL_WITH_UPGRADE,
        Source((), (), POOL),
        lambda steps: wire_of(POOL, steps),
    )
    assert said.fix is not None
    assert said.fix.text == "Raise `maxSurge`"
    assert [(one.path, one.value) for one in said.fix.operations] == [(("upgradeSettings", "maxSurge"), "2")]


def test_containers_of_an_object_are_not_told() -> None:
    said = wired(
        finding(ref("max_surge"), None),
        POOL_WITH_UPGRADE,
        Source((), (), POOL),
        lambda steps: ("spec", "template", "spec", "a") if len(steps) > 1 else (),
    )
    assert said.message == "`a`"
