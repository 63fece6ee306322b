"""What the server asks of every field, broken once: it refuses, and we have an error for it there; what it only just takes, we take."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from nodepools.rules.engine.finding import Finding
from tests.oracle.crds.breaks import Case, cases
from tests.oracle.crds.constraints import Constraint, constraints
from tests.oracle.crds.known import KNOWN
from tests.oracle.crds.manifests import SOUND
from tests.oracle.crds.rules_broken import RULES
from tests.oracle.crds.test_against_server import VINTAGES, difference, errors, served
from tests.oracle.crds.whole import WHOLE

OF_CHANGE = "is a rule about a change, asked of an object that is there already: a file does not say how it was"
NOT_BROKEN = {
    "immutable field changed": OF_CHANGE,
    "nodeClassRef.group is immutable": OF_CHANGE,
    "nodeClassRef.kind is immutable": OF_CHANGE,
    "Cannot transition NodePool between static (replicas set) and dynamic (replicas unset) provisioning modes": OF_CHANGE,
    "spec.disruption.budgets.[] required 'nodes'": "has a default, which the server fills in first",
}
"""Constraints that no object breaks, by their message or as they are written, and why."""


def asked(kind: str, crds: Any) -> list[Constraint]:
    [one] = [one for one in served(crds, VINTAGES[kind]).served if (one.api_version, one.kind) == (SOUND[kind]["apiVersion"], SOUND[kind]["kind"])]
    return list(constraints(one.schema))


def reason(of: Constraint) -> str | None:
    return NOT_BROKEN.get(str(of.of)) if of.keyword == "rule" else NOT_BROKEN.get(str(of))


def all_cases(found: list[Constraint], kind: str, *, broken: bool) -> Iterator[tuple[Constraint, list[Case]]]:
    """Each constraint with its cases; a pattern is tried with every text once."""
    patterns = Counter[str]()
    for of in found:
        again = of.keyword == "pattern" and patterns[of.of] > 0
        patterns.update([of.of] if of.keyword == "pattern" else [])
        yield of, cases(kind, of, broken=broken, again=again) if reason(of) is None else []


def is_there(finding: Finding, case: Case) -> bool:
    """It is told of the field that is wrong, of what holds it, or of what is in it."""
    return finding.steps[: len(case.at)] == case.at or case.at[: len(finding.steps)] == finding.steps


def differs(kind: str, case: Case, refusal: str | None, *, there: bool) -> str | None:
    """What the two say differently; also, of what breaks the constraint of the case, that we say it of another field."""
    ours = errors(case.manifest)
    said = difference(refusal, ours)
    if there and said is None and refusal is not None and not any(is_there(finding, case) for finding in ours):
        said = f"told elsewhere: {ours[0]}"
    return None if said is None or any(row.covers(kind, case.manifest) for row in KNOWN) else f"{case}: {said}"


@pytest.mark.parametrize("kind", WHOLE)
def test_an_object_that_says_every_field_is_taken_by_both(kind, server):
    assert server(VINTAGES[kind]).refuses(WHOLE[kind]) is None
    assert errors(WHOLE[kind]) == []
    assert not any(row.covers(kind, whole) for row in KNOWN for whole in (WHOLE[kind], SOUND[kind]))


@pytest.mark.parametrize("kind", WHOLE)
def test_what_breaks_a_constraint_is_refused_by_both(kind, server, crds):
    not_broken, wrong = [], []
    for of, broken in all_cases(asked(kind, crds), kind, broken=True):
        refusals = [(case, server(VINTAGES[kind]).refuses(case.manifest, WHOLE[kind])) for case in broken]
        if reason(of) is None and not any(refusal is not None and case.is_told(refusal) for case, refusal in refusals):
            not_broken.append(f"{of}: {[refusal for _, refusal in refusals]}")
        wrong += [said for case, refusal in refusals if (said := differs(kind, case, refusal, there=True)) is not None]
    assert not_broken == [], "constraints that nothing breaks"
    assert wrong == [], f"{len(wrong)} differences"


@pytest.mark.parametrize("kind", WHOLE)
def test_what_only_just_keeps_a_constraint_is_taken_by_both(kind, server, crds):
    told = [
        differs(kind, case, server(VINTAGES[kind]).refuses(case.manifest, WHOLE[kind]), there=False)
        for _, kept in all_cases(asked(kind, crds), kind, broken=False)
        for case in kept
    ]
    assert [said for said in told if said is not None] == []


def test_every_reason_is_about_a_constraint_that_is_there_and_every_row_breaks_one(crds):
    found = [of for kind in WHOLE for of in asked(kind, crds)]
    names = {str(of.of) if of.keyword == "rule" else str(of) for of in found}
    assert set(NOT_BROKEN) <= names
    assert {text for _, text in RULES} <= {of.of for of in found if of.keyword == "rule"}


def test_the_older_version_of_a_class_asks_the_same(crds):
    versions = {one.api_version: list(constraints(one.schema)) for one in served(crds, "aks").served if one.kind == "AKSNodeClass"}
    assert versions["karpenter.azure.com/v1alpha2"] == versions["karpenter.azure.com/v1beta1"]
