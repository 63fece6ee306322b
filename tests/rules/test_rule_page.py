"""The page of a rule: an address on the published site, with an anchor that the site has."""

from pathlib import Path

import pytest

from nodepools.rules.engine import codes
from nodepools.rules.engine.codes import OTHER_CODES, rule_page
from nodepools.rules.engine.finding import Finding, Severity
from nodepools.rules.engine.registry import all_rules
from website.built import anchors
from website.reference.rule_pages import rule_pages

SITE = "https://docs.example.com/nodepools/"


@pytest.mark.parametrize(
    ("code", "site", "page"),
    [
        pytest.param("AKS014", None, None, id="the site is not published"),
        pytest.param("AKS014", SITE, f"{SITE}reference/rules/aks.html#aks014", id="a rule"),
        pytest.param("CFG002", SITE, f"{SITE}reference/rules/cfg.html#cfg002", id="a schema error"),
        pytest.param("OBJ007", SITE, f"{SITE}reference/rules/obj.html#obj007", id="an object in a file"),
        pytest.param("ORG001", SITE, None, id="a policy of others"),
    ],
)
def test_a_code_has_a_page_on_the_published_site(code: str, site: str | None, page: str | None):
    assert rule_page(code, site) == page


def test_every_page_exists_on_the_site():
    text = dict(rule_pages())
    for code in (*all_rules(), *OTHER_CODES):
        address, _, anchor = (rule_page(code, SITE) or "").removeprefix(SITE).partition(".html#")
        assert f":name: {anchor}\n" in text[address]


def test_a_finding_has_the_address_as_data(monkeypatch: pytest.MonkeyPatch):
    finding = Finding("AKS014", Severity.ERROR, "a", None, "message", None, "source")
    assert finding.to_json()["url"] is None
    monkeypatch.setattr(codes, "SITE", SITE)
    assert finding.to_json()["url"] == f"{SITE}reference/rules/aks.html#aks014"


def test_anchors_of_a_page_are_found(tmp_path: Path):
    page = tmp_path / "aks.html"
    page.write_text('<section id="hard-taint">\n<span id="aks014"></span>', encoding="utf-8")
    assert anchors(page) == {"hard-taint", "aks014"}
