"""Tests of every stack."""

from pathlib import Path

from nodepools import check, load

PROJECT = Path(__file__).parent.parent


def test_the_declaration_has_no_errors(stack: str) -> None:
    assert [str(finding) for finding in check(load(stack, PROJECT)) if finding.severity == "error"] == []
