"""What a team wants to see: ignored first, then severities; errors of the library stay."""

import pytest

from nodepools.rules.engine.accepted_findings import Selection
from nodepools.rules.engine.finding import Finding, Severity

ERROR, WARNING, NOTE = Severity.ERROR, Severity.WARNING, Severity.NOTE
FOUND = [
    Finding(code, severity, "", None, "is so", None, "somebody")
    for code, severity in (("AKS014", ERROR), ("NAP012", WARNING), ("PLT010", NOTE), ("ACME1", ERROR))
]

ROWS = [
    pytest.param(Selection(), "AKS014 error, NAP012 warning, PLT010 note, ACME1 error", id="nothing is configured"),
    pytest.param(Selection(ignore={"NAP012", "PLT010"}), "AKS014 error, ACME1 error", id="two are ignored"),
    pytest.param(Selection(select={"NAP012"}), "AKS014 error, NAP012 warning", id="one is selected: errors of the library stay"),
    pytest.param(Selection(select={"NAP012"}, ignore={"NAP012"}), "AKS014 error", id="selected and ignored"),
    pytest.param(Selection(severity={"NAP012": ERROR, "PLT010": WARNING}), "AKS014 error, NAP012 error, PLT010 warning, ACME1 error", id="raised"),
    pytest.param(Selection(severity={"ACME1": NOTE}), "AKS014 error, NAP012 warning, PLT010 note, ACME1 note", id="an error of the team is lowered"),
    pytest.param(Selection(ignore={"NAP012"}, severity={"NAP012": ERROR}), "AKS014 error, PLT010 note, ACME1 error", id="ignore comes first"),
    pytest.param(Selection(ignore={"AKS014"}), "AKS014 error, NAP012 warning, PLT010 note, ACME1 error", id="an error of the library is ignored"),
    pytest.param(
        Selection(severity={"AKS014": NOTE}), "AKS014 error, NAP012 warning, PLT010 note, ACME1 error", id="an error of the library is lowered"
    ),
]


@pytest.mark.parametrize(("selection", "left"), ROWS)
def test_what_is_left(selection: Selection, left: str) -> None:
    assert ", ".join(f"{one.code} {one.severity}" for one in selection.of(FOUND)) == left


WHY = "the cloud rejects it, or it never works"
WITHOUT_EFFECT = [
    pytest.param(Selection(ignore={"NAP012"}, severity={"AKS014": ERROR}), [], id="nothing is refused"),
    pytest.param(Selection(ignore={"AKS014"}), [f"`ignore` has no effect on AKS014 hard-taint-on-system-pool: {WHY}"], id="it is ignored"),
    pytest.param(
        Selection(severity={"AKS014": WARNING}),
        [f'`severity = "warning"` has no effect on AKS014 hard-taint-on-system-pool: {WHY}'],
        id="it is lowered",
    ),
]


@pytest.mark.parametrize(("selection", "lines"), WITHOUT_EFFECT)
def test_what_cannot_be_hidden_says_why(selection: Selection, lines: list[str]) -> None:
    assert selection.without_effect(FOUND) == lines
