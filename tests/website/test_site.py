"""The site has every page of the project, every rule and every field. `make docs` builds it, and fails on a broken link."""

import re
from pathlib import Path

import pytest

from nodepools import Platform
from nodepools.rules.codes import IGNORE_CODES, OBJECT_CODES, SCHEMA_CODES
from nodepools.rules.registry import all_rules
from nodepools.rules.type_hints import reachable
from nodepools.wire.effects import Effect
from website.layout import PROJECT, pages
from website.reference.command_pages import command_pages
from website.reference.field_changes import TABLES, sent
from website.reference.field_pages import WORDS, anchor, field_pages
from website.reference.key_pages import key_pages
from website.reference.rule_pages import rule_pages
from website.staging import stage
from website.version import short


@pytest.fixture(scope="module")
def staged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    stage(folder, with_playground=False)
    return folder


REPLACED = {"docs/rules.md", "docs/facts/README.md", "docs/start/index.md"}
"""The reference of rules, the index of facts and the start page take the place of these."""


def test_every_page_of_the_project_is_on_the_site():
    written = {str(page.relative_to(PROJECT)) for page in (PROJECT / "docs").rglob("*.md")} - REPLACED
    assert written - {page.source for page in pages()} == set()


def test_every_rule_has_a_permanent_anchor():
    anchors = {found for _, text in rule_pages() for found in re.findall(r"^```{index} ! \w+\n:name: (\w+)\n```$", text, re.MULTILINE)}
    assert anchors == {code.lower() for code in (*all_rules(), *SCHEMA_CODES, *OBJECT_CODES, *IGNORE_CODES)}


def test_every_field_of_a_declaration_has_an_entry():
    headings = {found for _, text in field_pages() for found in re.findall(r"^\((\w[\w-]*)\)=$", text, re.MULTILINE)}
    assert {anchor(model.__name__) for model in reachable(Platform)} - headings == set()


def test_a_field_shows_its_argument_and_the_effect_of_a_change():
    [text] = [text for address, text in field_pages() if address.endswith("aks-pools")]
    entry = text.partition("### `vm_size`\n")[2].partition("### ")[0]
    assert "* Default: required" in entry
    assert "Sent as `vmSize`. Effect of a change: rotates" in entry


def test_every_effect_has_words():
    assert set(WORDS) == set(Effect)


def test_every_table_of_a_class_tells_its_changes():
    told = {model for model, _ in sent()}
    assert [model.__name__ for model, _ in TABLES if not any(issubclass(model, each) for each in told)] == []


def test_every_command_has_a_page():
    found = dict(command_pages())
    assert "`--fail-on EFFECT,…`" in found["reference/commands/diff"]
    assert found["reference/commands"].count("(commands/") == len(found) - 1


def test_label_keys_tell_their_unit():
    [(_, text)] = key_pages()
    assert "| `sku_cpu` | `karpenter.azure.com/sku-cpu` | a whole number, in vCPU | Number of vCPUs. |" in text


def test_links_to_rules_lead_to_their_anchors(staged: Path):
    text = (staged / "guides/testing.md").read_text(encoding="utf-8")
    assert "docs/rules.md" not in text


def test_files_that_pages_link_to_are_shown(staged: Path):
    shown = (staged / "source/stacks/dev.py.md").read_text(encoding="utf-8")
    assert (PROJECT / "stacks/dev.py").read_text(encoding="utf-8").rstrip() in shown


def test_the_site_says_which_version_it_documents(staged: Path):
    [version] = re.findall(r'^version = "(.*)"$', (PROJECT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)
    assert f"This site documents nodepools {version}" in (staged / "index.md").read_text(encoding="utf-8")
    assert short() == version


@pytest.mark.parametrize(("is_built", "links"), [pytest.param(True, 1, id="it is built"), pytest.param(False, 0, id="only the site is built")])
def test_the_site_links_to_the_playground_that_it_has(tmp_path: Path, is_built: bool, links: int):  # noqa: FBT001  # a row of the table
    stage(tmp_path, with_playground=is_built)
    page = (tmp_path / "start/playground.md").read_text(encoding="utf-8")
    assert page.count('<a href="../playground/index.html">') == links


def test_no_two_pages_have_the_same_title(staged: Path):
    addresses = ["index", *(page.address for page in pages())]
    titles = [re.findall(r"^# .*", (staged / f"{address}.md").read_text(encoding="utf-8"), re.MULTILINE)[0] for address in addresses]
    assert sorted(titles) == sorted(set(titles))


def test_sources_of_rules_are_links():
    text = "".join(text for _, text in rule_pages())
    sources = re.findall(r"^\* Source: (.*)$", text, re.MULTILINE)
    assert [source for source in sources if re.search(r"(?<!<)https?://", source)] == []
    assert "<https://learn.microsoft.com/azure/aks/create-node-pools>: names of node pools" in text
