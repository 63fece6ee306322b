"""SARIF links rules to their pages once the site is published."""

from typing import cast

import pytest

from nodepools.cli.output.review_formats import Review, sarif
from nodepools.rules.engine import codes
from nodepools.rules.engine.finding import Finding, Severity

REVIEW = Review([Finding(code, Severity.ERROR, "pools.web", None, "A sentence", None, "a fact") for code in ("KAR010", "ORG001")])


def links() -> dict[str, str | None]:
    [run] = cast("list[dict[str, dict[str, dict[str, list[dict[str, str]]]]]]", sarif(REVIEW)["runs"])
    return {rule["id"]: rule.get("helpUri") for rule in run["tool"]["driver"]["rules"]}


def test_there_are_no_links_before():
    assert links() == {"KAR010": None, "ORG001": None}


def test_rules_link_to_their_pages_and_policies_of_others_to_none(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(codes, "SITE", "https://docs.example.com/")
    assert links() == {"KAR010": "https://docs.example.com/reference/rules/kar010.html", "ORG001": None}
