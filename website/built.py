"""What the built site must have: the page to which the findings of every code link, and a page for unknown addresses."""

from collections.abc import Iterator
from html import escape
from pathlib import Path

from nodepools.rules.engine.codes import OTHER_CODES, rule_page
from nodepools.rules.engine.registry import all_rules


def missing_pages(folder: Path) -> Iterator[str]:
    """Returns the addresses, relative to the built site, to which findings link and which it does not have."""
    addresses = (rule_page(code, "") or "" for code in (*all_rules(), *OTHER_CODES))
    return (address for address in addresses if not (folder / address).is_file())


def link_from_everywhere(page: Path, site: str) -> None:
    """Makes the links of a page relative to the address of the site: a server shows the page at any address."""
    page.write_text(page.read_text(encoding="utf-8").replace("<head>", f'<head><base href="{escape(site)}">', 1), encoding="utf-8")
