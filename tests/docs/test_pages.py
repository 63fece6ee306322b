"""Links and names in pages point to something that exists."""

import re
import subprocess
import sys
from pathlib import Path
from typing import cast

import pytest
import typer

from nodepools.cli.output.envelope import EMPTY, document
from nodepools.cli.program import Program, app
from nodepools.wire.table import Effect
from website.layout import INDEX, index

PROJECT = Path(__file__).resolve().parents[2]
PAGES = sorted(
    str(page.relative_to(PROJECT)) for pattern in ("*.md", "docs/**/*.md", "examples/*/README.md", "tests/**/*.md") for page in PROJECT.glob(pattern)
)
SOURCES = ("", "components/nodepools/", "tests/")
"""The directories to which ARCHITECTURE.md is relative."""


def text(page: str) -> str:
    return (PROJECT / page).read_text(encoding="utf-8")


def anchors(page: Path) -> set[str]:
    """The headings of a page, as GitHub makes anchors of them."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES)
def test_links_of_a_page_lead_to_files_and_headings(page: str):
    for target in re.findall(r"\]\((?!https?://)([^)\s]+)\)", text(page)):
        path, _, anchor = target.partition("#")
        file = (PROJECT / page).parent / path if path else PROJECT / page
        assert file.exists(), target
        assert not anchor or anchor in anchors(file), target


@pytest.mark.parametrize("page", [page for page in PAGES if page.startswith("docs/decisions/0")])
def test_a_decision_says_what_it_is_not_about(page: str):
    [_, goals] = text(page).split("\n## Non-goals\n")
    assert goals.strip()


def test_the_index_is_that_of_the_navigation():
    assert text(INDEX) == index(), "python -m website.layout rewrites it"


def test_the_page_of_commands_names_every_command():
    named = {" ".join(words.split()) for words in re.findall(r"^\| `nodepools ((?:[a-z]+ ?)+)", text("docs/commands.md"), re.MULTILINE)}
    commands = cast("Program", typer.main.get_command(app)).commands
    assert [name for name in commands if not any(f"{words} ".startswith(f"{name} ") for words in named)] == []


def test_the_readme_is_one_screen_then_depth():
    assert len(text("README.md").split()) <= 900


@pytest.mark.parametrize("command", EMPTY)
def test_every_key_of_the_json_of_a_command_is_on_the_page(command: str):
    [fields] = re.findall(
        rf"^\| `{command}` \| (.*) \|$", text("docs/commands.md").partition("| command | other fields |")[2].partition("\n\n")[0], re.MULTILINE
    )
    assert set(EMPTY[command]) - set(re.findall(r"`(\w+)`", fields)) == set()


def test_every_key_of_the_envelope_is_on_the_page():
    rows = text("docs/commands.md").partition("| field | meaning |")[2].partition("\n\n")[0]
    assert list(re.findall(r"^\| `(\w+)` \|", rows, re.MULTILINE)) == list(document("rules", {}, (), (), ()))


def test_options_that_changed_have_their_new_names():
    """Keys of the JSON are in the tests of each command."""
    table = text("docs/upgrading.md").partition("## Old and new names")[2].partition("\n## ")[0]
    commands = cast("Program", typer.main.get_command(app)).commands
    options = {name: {option for param in command.params for option in param.opts} for name, command in commands.items()}
    wrong: list[tuple[str, str]] = []
    for names, old, new in re.findall(r"^\| (`.*?) \| (.*?) ?\| (.*?) ?\|$", table, re.MULTILINE):
        for command in re.findall(r"`([a-z ]+)`", names):
            gone, now = (set(re.findall(r"^`(--[\w-]+)`", cell)) for cell in (old, new))
            wrong += [(command, option) for option in (gone & options[command]) | (now - options[command])]
    assert re.search(r"^\| `adopt` \| `--stack` \| `--as-stack` \|$", table, re.MULTILINE)
    assert wrong == []


def test_the_guide_on_changes_says_what_each_effect_is():
    named = re.findall(r"^\| `(\w+)` \|", text("docs/guides/diff.md").partition("## Effects\n")[2].partition("\n## ")[0], re.MULTILINE)
    assert sorted(named) == sorted(effect.value for effect in Effect)


def test_modules_named_in_the_architecture_exist():
    page = text("ARCHITECTURE.md")
    for line in page.splitlines():
        folder = ""
        for name in re.findall(r"`([\w/]+\.(?:py|json))`", line):
            folder = f"{name.rpartition('/')[0]}/" if "/" in name else folder
            path = name if "/" in name else f"{folder}{name}"
            assert any((PROJECT / source / path).exists() for source in SOURCES), name


def test_classes_named_in_the_architecture_are_in_their_modules():
    named = re.findall(r"`(\w+)` in `([\w/.]+)`", text("ARCHITECTURE.md"))
    assert named
    for name, module in named:
        assert re.search(rf"^(?:class )?{name}\b", text(f"components/nodepools/{module}"), re.MULTILINE), name


def test_the_layout_of_the_architecture_is_complete():
    [layout] = re.findall(r"^components/nodepools/\n(.*?)^policy/", text("ARCHITECTURE.md"), re.MULTILINE | re.DOTALL)
    shown = {name.rstrip("/") for line in layout.splitlines() for name in re.findall(r"(?:^| )(\w+/)(?= )", line.partition("   ")[0] + " ")}
    folders = {path.parent.name for path in (PROJECT / "components/nodepools").glob("*/__init__.py")}
    assert shown == folders


def test_the_picture_of_the_architecture_is_that_of_the_imports():
    subprocess.run([sys.executable, "tools/arrows.py", "--check"], cwd=PROJECT, check=True)


GUIDES = ["docs/explain.md", *sorted(page for page in PAGES if page.startswith("docs/guides/"))]
LOOKED_UP = ("networks", "pools", "troubleshooting")
"""Guides of sections that are looked up, each of which ends with what the reader sees."""


@pytest.mark.parametrize("page", GUIDES)
def test_a_guide_begins_with_the_problem_of_its_reader_and_ends_with_what_the_reader_sees(page: str):
    _, first, *_ = text(page).split("\n\n")
    assert not first.startswith(("#", "```", "|", "`nodepools")), "begin with the problem, not with the tool"
    last = re.findall(r"^## (.*)$", text(page), re.MULTILINE)[-1]
    assert last == "What you see" or page.rpartition("/")[2].removesuffix(".md") in LOOKED_UP
