"""The page of a rule: an address on the published site, with an anchor that the site has."""

import pytest

from nodepools.rules.engine import codes
from nodepools.rules.engine.codes import OTHER_CODES, rule_page
from nodepools.rules.engine.finding import Finding, Severity
from nodepools.rules.engine.registry import all_rules
from website.reference.rule_pages import rule_pages

SITE = "https://docs.example.com/nodepools/"


@pytest.mark.parametrize(
    ("code", "site", "page"),
    [
        pytest.param("AKS014", None, None, id="the site is not published"),
        pytest.param("AKS014", SITE, f"{SITE}reference/rules/aks014.html", id="a rule"),
        pytest.param("CFG002", SITE, f"{SITE}reference/rules/cfg002.html", id="a schema error"),
        pytest.param("OBJ007", SITE, f"{SITE}reference/rules/obj007.html", id="an object in a file"),
        pytest.param("ORG001", SITE, None, id="a policy of others"),
    ],
)
def test_a_code_has_a_page_on_the_published_site(code: str, site: str | None, page: str | None):
    assert rule_page(code, site) == page


@pytest.mark.sweep
def test_every_page_exists_on_the_site():
    addresses = {address for address, _ in rule_pages()}
    assert {(rule_page(code, "") or "").removesuffix(".html") for code in (*all_rules(), *OTHER_CODES)} <= addresses


def test_a_finding_has_the_address_as_data(monkeypatch: pytest.MonkeyPatch):
    finding = Finding("AKS014", Severity.ERROR, "a", None, "message", None, "source")
    assert finding.to_json()["url"] is None
    monkeypatch.setattr(codes, "SITE", SITE)
    assert finding.to_json()["url"] == f"{SITE}reference/rules/aks014.html"
