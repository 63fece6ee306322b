"""The pictures of the pages show what the command prints now."""

import html
import importlib.util
import re

import pytest


@pytest.fixture(scope="module")
def pictures(project):
    spec = importlib.util.spec_from_file_location("pictures", project / "tools/pictures.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def shown(svg):
    """The lines of text in a picture, whatever version of rich drew it; spaces are places there, and no text."""
    rows = {}
    for x, y, text in re.findall(r'<text class="[^"]*-r[0-9]+" x="([0-9.]+)" y="([0-9.]+)"[^>]*>(.*?)</text>', svg):
        rows.setdefault(float(y), []).append((float(x), html.unescape(text).replace("\xa0", " ")))
    return [unspaced("".join(text for _, text in sorted(row))) for _, row in sorted(rows.items())]


def unspaced(line):
    return "".join(line.split())


def said(lines):
    return [line for line in (re.sub(r"\x1b\[[0-9;]*m", "", line).rstrip() for line in lines) if line]


@pytest.mark.parametrize("name", ["explain.svg", "explain-matrix.svg"])
def test_a_picture_is_current(pictures, project, name):
    drawn = [line for line in shown((project / "docs/pictures" / name).read_text()) if line]
    assert drawn == [unspaced(line) for line in said(pictures.printed(name))], "draw it anew: python tools/pictures.py"


@pytest.mark.parametrize(("name", "guide"), [("diff-markdown.svg", "diff.md"), ("upgrade-runbook.svg", "plan-upgrades.md")])
def test_the_picture_of_a_page_is_current_and_in_its_guide(pictures, project, name, guide):
    drawn = [line for line in shown((project / "docs/pictures" / name).read_text()) if line]
    assert drawn == [line for line in shown(pictures.pages()[name]) if line], "draw it anew: python tools/pictures.py"
    assert f"../pictures/{name}" in (project / "docs/guides" / guide).read_text(encoding="utf-8")


def test_the_runbook_in_the_picture_is_printed(pictures, nodepools, project):
    answer = nodepools(*pictures.RUNBOOK_COMMAND.split()[1:], "--format", "markdown", cwd=project)
    assert answer.out.startswith(pictures.runbook())
    assert "UnsatisfiablePDB" in pictures.runbook()


@pytest.mark.parametrize(("name", "page"), [("explain.svg", "README.md"), ("explain-matrix.svg", "docs/commands.md")])
def test_a_picture_shows_a_command_and_what_it_prints(pictures, nodepools, project, name, page):
    command, *lines = said(pictures.printed(name))
    answer = nodepools(*command.removeprefix("$ nodepools ").split(), cwd=project, env={"COLUMNS": str(pictures.WIDTH)})
    assert said(answer.out.splitlines()) == lines
    assert f"pictures/{name}" in (project / page).read_text(encoding="utf-8")
