"""The page of a rule on the site of the documentation."""

from typing import Final

SITE: Final[str | None] = None
"""Address of the published site, which ends with `/`. The release sets it: `tools/release.py stamp`. `None`: the site is not published."""


def rule_page(code: str, site: str | None = None) -> str | None:
    """Address of the page about a code; `None` for own rules and foreign policies, which have no page, and without a published site."""
    address = site if site is not None else SITE
    if address is None:
        return None
    from nodepools.rules.engine.codes import OTHER_CODES  # imports the registry, which imports findings
    from nodepools.rules.engine.registry import all_rules

    rule = all_rules().get(code)
    has_page = rule.place is None if rule is not None else code in OTHER_CODES
    return f"{address}reference/rules/{code[:3].lower()}.html#{code.lower()}" if has_page else None
