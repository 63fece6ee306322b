"""What the built site must have: the page and the anchor to which the findings of every code link, and a page for unknown addresses."""

import re
from collections.abc import Iterator
from html import escape
from pathlib import Path

from nodepools.rules.engine.codes import OTHER_CODES, rule_page
from nodepools.rules.engine.registry import all_rules


def anchors(page: Path) -> set[str]:
    """Returns the anchors of a built page."""
    return set(re.findall(r'\bid="([^"]+)"', page.read_text(encoding="utf-8"))) if page.is_file() else set()


def missing_pages(folder: Path) -> Iterator[str]:
    """Returns the addresses, relative to the built site, to which findings link and which it does not have."""
    known: dict[str, set[str]] = {}
    for code in (*all_rules(), *OTHER_CODES):
        address = rule_page(code, "") or ""
        page, _, anchor = address.partition("#")
        if anchor not in known.setdefault(page, anchors(folder / page)):
            yield address


def link_from_everywhere(page: Path, site: str) -> None:
    """Makes the links of a page relative to the address of the site: a server shows the page at any address."""
    page.write_text(page.read_text(encoding="utf-8").replace("<head>", f'<head><base href="{escape(site)}">', 1), encoding="utf-8")
