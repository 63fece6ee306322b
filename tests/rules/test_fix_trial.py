"""Many fixes of one rule are tried together, so that a large declaration with many findings is checked in little more than one check."""

from collections.abc import Sequence

import pytest

from nodepools import Autoscale, UserPool, derive
from nodepools.model.base import Model
from nodepools.rules.engine import samples
from nodepools.rules.engine.finding import Finding, Severity, fix_of, set_to
from nodepools.rules.engine.runner import Outcome, check, keep_fixes_that_help

POOLS = 100


class Check:
    """A check that reports every pool whose count is not 5, and counts how often it ran."""

    def __init__(self, stubborn: frozenset[int] = frozenset()) -> None:
        self.stubborn = stubborn
        self.times = 0

    def __call__(self, model: Model) -> Sequence[Outcome]:
        self.times += 1
        return [("ACME001", Severity.WARNING)] * len(self.found(model))

    def found(self, model: Model) -> list[Finding]:
        pools = vars(model)["pools"]
        return [finding(number) for number in range(POOLS) if number in self.stubborn or pools[f"p{number}"].count != 5]


def finding(number: int) -> Finding:
    path = ("pools", f"p{number}", "count")
    fix = fix_of(set_to(path, 5))
    return Finding("ACME001", Severity.WARNING, f"pools.p{number}.count", 3, "The pool has too few nodes", fix, "docs", steps=path)


CASES = [
    ("all help: one trial", frozenset[int](), 100, 1),
    ("one does not: it is found by halves", frozenset({70}), 99, 16),
    ("none helps: the trials end", frozenset(range(POOLS)), 0, 32),
]


@pytest.mark.parametrize(("stubborn", "fixes", "most"), [row[1:] for row in CASES], ids=[row[0] for row in CASES])
def test_many_fixes_take_few_checks(stubborn: frozenset[int], fixes: int, most: int) -> None:
    whole = derive(samples.aks(), pools={f"p{number}": UserPool(vm_size="Standard_D4ds_v5", count=3) for number in range(POOLS)})
    again = Check(stubborn)
    found = again.found(whole)
    offered = keep_fixes_that_help(found, whole, again)
    assert [one.path for one in offered] == [one.path for one in found]
    assert {number for number, one in enumerate(offered) if one.fix is None} == stubborn
    assert sum(one.fix is not None for one in offered) == fixes
    assert again.times <= most


def test_together_or_alone_the_same_fixes_are_offered() -> None:
    pools = {f"p{number}": UserPool(vm_size="Standard_D4ds_v5", scale=Autoscale(5, 5), count=3) for number in range(20)}
    many = check(derive(samples.aks(), pools=pools))
    few = check(derive(samples.aks(), pools={"p0": pools["p0"]}))
    assert {(one.code, one.fix.text if one.fix else None) for one in many} == {(one.code, one.fix.text if one.fix else None) for one in few}
    assert sum(one.code == "AKS011" for one in many) == 20
    assert all(one.fix is not None and one.fix.operations for one in many if one.code == "AKS011")
