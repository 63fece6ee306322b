"""Fixes were tried: a declaration to which the operations of a fix are applied does not break the rule, and gets no new error."""

from dataclasses import replace
from typing import Any

import pytest

from nodepools import Autoscale, NodeProvisioning, Spot, UserPool, check
from nodepools.model.base import Model
from nodepools.model.invalid_parts import is_faulty
from nodepools.model.kubernetes.quantity import amount
from nodepools.model.listing import respelled
from nodepools.model.path import Operation, value_at
from nodepools.rules.engine.finding import Finding, Fix, Severity, applied, certain, remove, sentence, set_to
from nodepools.rules.engine.registry import all_rules
from nodepools.rules.engine.runner import findings_without_fix_trial, keep_fixes_that_help
from nodepools.rules.engine.samples import SIZE, aks
from tests.rules.test_samples import DAY


def with_operations() -> list[str]:
    """Rules that give operations, whether they help or not."""
    found = {code: findings_without_fix_trial(whole, "", DAY) for code, rule in all_rules().items() if not is_faulty(whole := rule.sample())}
    return [code for code, findings in found.items() if any(one.fix and one.fix.operations for one in findings)]


def read_again(whole: Model) -> Model:
    """`whole` as its class reads it from what it says: values of operations are not validated when they are applied."""
    return type(whole).model_validate(said(whole))


def said(value: Any) -> Any:
    if isinstance(value, Model):
        held = {name: said(part) for name, part in vars(value).items() if name in value.model_fields_set}
        return type(value)(**held) if not is_faulty(value) else value
    if isinstance(value, dict):
        return {key: said(part) for key, part in value.items()}
    return [said(part) for part in value] if isinstance(value, tuple | list) else value


def test_the_fix_of_each_sample_clears_it_and_breaks_nothing() -> None:
    codes = with_operations()
    assert len(codes) >= 100
    assert {code: told for code in codes if (told := flaw_of_fix(code))} == {}


def flaw_of_fix(code: str) -> str | None:
    whole = all_rules()[code].sample()
    before = check(whole, today=DAY)
    [fix] = [one.fix for one in before if one.code == code]
    if fix is None:
        return "check() tried the fix: it does not clear the finding, or causes another one"
    after = check(read_again(applied(whole, fix.operations)), today=DAY)
    errors = {one.code for one in after if one.severity is Severity.ERROR} - {one.code for one in before}
    return "still there" if code in {one.code for one in after} else ", ".join(sorted(errors))


def fixed(whole: Model, code: str) -> str | None:
    [found] = [one for one in check(whole, today=DAY) if one.code == code]
    return found.fix.text if found.fix is not None else None


SPOT = UserPool(vm_size=SIZE, count=3, spot=Spot())


def test_a_fix_that_causes_a_finding_as_severe_is_not_offered() -> None:
    beside = aks(pools={"batch": SPOT}, node_provisioning=NodeProvisioning())
    assert fixed(SPOT, "AKS017") == "Set `scale` to `Autoscale(0, 3)`, and remove `count`"
    assert "NAP001" in {one.code for one in check(applied(beside, [set_to("pools.batch.scale", Autoscale(0, 3))]), today=DAY)}
    assert fixed(beside, "AKS017") is None


def test_a_fix_of_something_that_is_not_there_is_not_offered() -> None:
    whole = aks(pools={"batch": SPOT})
    finding = Finding("X", Severity.ERROR, "", None, "m", Fix("f", (remove("pools.nope"),)), "s")
    advice = replace(finding, fix=Fix("f"))
    [without, same] = keep_fixes_that_help([finding, advice], whole, lambda _: [])
    assert (without.fix, same) == (None, advice)


SAME_MEANING = {
    "AKS164": "the driver setting replaces the tag",
    "AKS288": "a leading dot stands for the wildcard",
    "AKS324": "a time that is over has no effect",
    "AKS370": "the characters that are gone cannot be seen",
    "EKS022": "the ARN contains the name",
    "EKS032": "the same size in another unit",
    "EKS045": "the label of Auto Mode with the same name",
    "EKS057": "the same bound of whole numbers",
    "EKS082": "the ARN contains the name",
    "KAR001": "the name in lower case",
    "KAR021": "the same days, one by one",
    "KAR043": "the value in its spelling",
    "KAR080": "the reason is there twice",
    "NAP009": "the zone with its region",
    "NAP018": "the zone with its region",
    "PLT022": "the name in the spelling of Python",
    "PLT024": "the same number",
}
"""Rules whose sample has a fix that `check --fix` writes, and why one edit is what is meant. Think twice before you add one."""
DECIDED_BY_THE_USER = {
    *("vm_size", "count", "scale", "min", "max", "zones", "spot", "max_price", "os_sku", "os_disk_type", "os_disk_size_gb", "tier", "effect"),
    *("image_family", "eviction", "max_pods", "max_surge", "max_unavailable", "weight", "limits", "replicas", "expire_after", "budgets", "nodes"),
    *("taints", "labels", "tainted", "location", "region", "network", "network_profile", "node_class", "duration", "ephemeral_storage", "cidr"),
    *("kubernetes_version", "min_values", "requirements", "operator", "values", "key", "entra", "identity", "public", "private", "protect"),
}
"""Hardware, scale, price and behavior."""


def certain_operations() -> list[tuple[str, Model, Operation]]:
    samples = [rule.sample() for rule in all_rules().values() if rule.sample is not None]
    found = [(whole, one) for whole in samples if not is_faulty(whole) for one in check(whole, today=DAY)]
    return [(one.code, whole, operation) for whole, one in found for operation in one.operations]


def test_a_fix_is_written_only_where_one_edit_keeps_the_meaning() -> None:
    assert {code for code, _, _ in certain_operations()} == set(SAME_MEANING)


def test_no_fix_that_is_written_decides_about_hardware_scale_price_or_behavior() -> None:
    wrong = []
    for code, whole, operation in certain_operations():
        old, new = value_at(whole, operation.path), operation.value
        decides = DECIDED_BY_THE_USER & {step for step in operation.path if isinstance(step, str)}
        if decides and operation.op == "set" and not is_same(old, new) and code not in ("EKS057", "KAR021"):
            wrong.append(f"{code}: {sentence([operation])} (was {old})")
    assert wrong == []


def is_same(old: object, new: object) -> bool:
    """The value is the same in another spelling, unit or domain."""
    if isinstance(old, tuple) and isinstance(new, list):
        return len(old) == len(new) and all(map(is_same, old, new))
    one, other = str(old), str(new)
    if (
        "".join(filter(str.isprintable, one)).strip() == other
        or respelled(one, [other]) is not None
        or one.rpartition("/")[2] == other.rpartition("/")[2]
        or other.endswith(f"-{one}")
    ):
        return True
    return one.endswith("Ti") and amount(one) == amount(other)


@pytest.mark.parametrize("fix", [None, "Do it", Fix("Do it")])
def test_only_operations_can_be_certain(fix: Any) -> None:
    with pytest.raises(ValueError, match="without operations"):
        certain(fix)
