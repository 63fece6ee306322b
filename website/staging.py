"""Writes the sources of the site: pages of the project with the site's links, and generated pages."""

import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

from website.layout import DECISIONS, FACTS, PROJECT, SECTIONS, Page, pages
from website.links import Links
from website.page_tests import table
from website.reference.command_pages import command_pages
from website.reference.field_pages import field_pages
from website.reference.key_pages import key_pages
from website.reference.python_pages import python_pages
from website.reference.rule_pages import rule_pages
from website.reference.schema_pages import schema_pages
from website.source_pages import source_page
from website.version import documented

_HOME = Page("index", "docs/start/index.md")
_GENERATED = {
    "docs/rules.md": "reference/rules",
    "docs/commands.md": "reference/commands",
    "docs/agent-pool-fields.md": "reference/fields",
    "docs/aks-cluster-fields.md": "reference/coverage",
    "docs/eks-cluster-fields.md": "reference/coverage",
    "CODE_OF_CONDUCT.md": "contributing",
    "docs/decisions": "decisions",
    "docs/facts": "facts",
    "docs/facts/README.md": "facts",
    "docs/README.md": "index",
    "README.md": "index",
}
_TITLES = {"decisions": ("Decisions", DECISIONS), "facts": ("Facts about the clouds", FACTS)}


_COMMANDS = "docs/commands.md"
_PLAYGROUND = "docs/start/playground.md"
_NOT_FOUND = """---
orphan: true
---
# This page does not exist

It may have another address now: use the search, or one of these pages.

* [Start](index.md), with a table of what to read for what
* [Rules](reference/rules.md), [fields](reference/fields.md), [commands](reference/commands.md)
* [Error messages of Azure, AWS and Karpenter](guides/troubleshooting.md)
"""
"""Servers such as GitHub Pages show `404.html` for an unknown address."""
_OPEN = '<p><a href="../playground/index.html"><strong>Open the playground</strong></a></p>'
"""A link that only the site has. Sphinx does not check it: the page is none of its own."""


def stage(folder: Path, *, with_playground: bool, outputs: Mapping[str, str] = MappingProxyType({})) -> None:
    """Writes every source below `folder`, which it empties first. The site links to the playground if it is built.

    `outputs` has what each command prints, by its name.
    """
    shutil.rmtree(folder, ignore_errors=True)
    written = [_HOME, *pages()]
    links = Links(_GENERATED | {page.source: page.address for page in written})
    for page in written:
        text = (PROJECT / page.source).read_text(encoding="utf-8")
        if page.title:
            text = re.sub(r"\A# .*", f"# {page.title}", text)
        if page.source == _PLAYGROUND and with_playground:
            text = text.replace("\n\n", f"\n\n{_OPEN}\n\n", 1)
        _write(folder, page.address, links.rewrite(text, page.source, page.address) + (_version() + _navigation() if page is _HOME else ""))
    _write(folder, "404", _NOT_FOUND)
    commands = links.rewrite((PROJECT / _COMMANDS).read_text(encoding="utf-8"), _COMMANDS, "reference/commands")
    for address, text in (*command_pages(commands, outputs), *_generated()):
        _write(folder, address, text)
    for path in sorted(links.shown):
        _write(folder, f"source/{path}", source_page(path))
    for path in links.pictures:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(PROJECT / path, folder / path)


def _generated() -> Iterator[tuple[str, str]]:
    for generate in (field_pages, key_pages, rule_pages, schema_pages, python_pages):
        yield from generate()
    yield from table()
    yield from _sections()
    for address, (title, held) in _TITLES.items():
        yield address, "\n".join([f"# {title}", "", "```{toctree}", *(page.address for page in held), "```", ""])


def _version() -> str:
    return f"\nThis site documents nodepools {documented()}: [what changed](changelog.md).\n"


def _navigation() -> str:
    """Returns the navigation, which the start page holds: one page for each group: the sidebar opens the group of the page."""
    return "\n".join(["", "```{toctree}", ":hidden:", *(section.address for section in SECTIONS), "```", ""])


def _sections() -> Iterator[tuple[str, str]]:
    for section in SECTIONS:
        addresses = (f"/{address}" for address in (*(page.address for page in section.pages), *section.generated))
        yield section.address, "\n".join([f"# {section.title}", "", section.summary, "", "```{toctree}", ":maxdepth: 1", *addresses, "```", ""])


def _write(folder: Path, address: str, text: str) -> None:
    file = folder / f"{address}.md"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
