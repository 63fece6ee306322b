"""Comments that accept findings, by their lines."""

import pytest

from nodepools.rules.engine.accepted_findings import line_ignores, without_accepted
from nodepools.rules.engine.finding import Finding, Severity, SourcePosition

LINES = ["# before all code", "name: dev", "a: 1", "b: 2"]
"""Code is in lines 2 to 4."""


def found(code: str, line: int | None, severity: Severity = Severity.WARNING) -> Finding:
    position = SourcePosition("dev.py", line, 1) if line is not None else None
    return Finding(code, severity, "", None, "is so", None, "somebody", position=position)


ROWS = [
    pytest.param((4, "x # nodepools: ignore NAP012 we know"), [found("NAP012", 4)], [], id="on the line"),
    pytest.param((3, "# nodepools: ignore NAP012 we know"), [found("NAP012", 4)], ["NAP012", "IGN001"], id="on another line"),
    pytest.param((5, "# nodepools: ignore NAP012 we know"), [found("NAP012", 4)], ["NAP012", "IGN001"], id="after all code"),
    pytest.param((1, "# nodepools: ignore NAP012 we know"), [found("NAP012", 4), found("NAP012", None)], [], id="before all code"),
    pytest.param((4, "# nodepools: ignore no-node-image-window we know"), [found("NAP012", 4)], [], id="by its name"),
    pytest.param((4, "#nodepools:ignore nap012 we know"), [found("NAP012", 4)], [], id="written closely"),
    pytest.param((4, "# nodepools: ignore NAP012 we know"), [found("NAP012", None)], ["NAP012", "IGN001"], id="where no place is known"),
    pytest.param((4, "# nodepools: ignore NAP012 we know"), [found("NAP013", 4)], ["NAP013", "IGN001"], id="of another code"),
    pytest.param((4, "# nodepools: ignore NAP012"), [found("NAP012", 4)], ["NAP012", "IGN002"], id="without a reason"),
    pytest.param((4, "# nodepools: ignore"), [found("NAP012", 4)], ["NAP012", "IGN002"], id="without a code"),
    pytest.param((4, "# nodepools: ignore NAP999 we know"), [found("NAP012", 4)], ["NAP012", "IGN002"], id="of a code that is not there"),
    pytest.param((4, "# nodepools: ignore AKS014 we know"), [found("AKS014", 4, Severity.ERROR)], ["AKS014", "IGN003"], id="an error of the library"),
    pytest.param((4, "# nodepools: see the guide"), [found("NAP012", 4)], ["NAP012"], id="another comment"),
]


@pytest.mark.parametrize(("comment", "findings", "left"), ROWS)
def test_what_is_left(comment: tuple[int, str], findings: list[Finding], left: list[str]) -> None:
    given = list(line_ignores([comment], [2, 3, 4], "dev.py"))
    assert [one.code for one in without_accepted(findings, given)] == left


def test_a_comment_above_is_about_the_next_line_of_code() -> None:
    given = list(line_ignores([(3, "# nodepools: ignore NAP012 we know"), (4, "# and so on")], [2, 5], "dev.py"))
    assert list(without_accepted([found("NAP012", 5)], given)) == []


def test_in_a_file_without_code_it_is_about_all() -> None:
    given = list(line_ignores([(3, "# nodepools: ignore NAP012 we know")], [], "dev.py"))
    assert list(without_accepted([found("NAP012", None)], given)) == []


MESSAGES = [
    pytest.param("# nodepools: ignore NAP012 why", "This comment has no effect: NAP012 has no finding here", id="unused"),
    pytest.param("# nodepools: ignore NAP012", "This comment gives no reason to ignore NAP012", id="no reason"),
    pytest.param("# nodepools: ignore", "This comment does not name the rule to ignore", id="no code"),
    pytest.param("# nodepools: ignore no-node-image-windo why", "the nearest are NAP012 no-node-image-window", id="a misspelt name"),
]


@pytest.mark.parametrize(("comment", "message"), MESSAGES)
def test_what_is_said_of_a_comment_has_its_place(comment: str, message: str) -> None:
    [finding] = without_accepted([], list(line_ignores([(4, f"web: 1  {comment}")], [2, 4], "dev.py")))
    assert message in finding.message
    assert str(finding.position) == "dev.py:4:9"
