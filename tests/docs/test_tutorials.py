"""The tutorial in each of its variants, and guides that start from an empty folder: files, edits and commands, and the output that they show."""

import shutil
from pathlib import Path

import pytest

from tests.docs.walkthrough import Walkthrough, matches
from website.code_blocks import variant, variants

TUTORIAL = "docs/start/tutorial.md"
GUIDES = ("docs/guides/gitops.md", "docs/guides/platform-files.md", "docs/guides/teams.md", "docs/guides/terraform.md")
NOT_COPIED = shutil.ignore_patterns(".git", ".venv", "build", "dist", "node_modules", "*.egg-info", "__pycache__")


@pytest.mark.parametrize("page", GUIDES)
@pytest.mark.program
@pytest.mark.usefixtures("hosts")
def test_a_guide_shows_what_happens(project: Path, tmp_path: Path, page: str):
    problems = Walkthrough(tmp_path).follow((project / page).read_text(encoding="utf-8"))
    assert not problems, "\n\n".join(problems)


@pytest.mark.parametrize("choice", ["AKS", "EKS"])
@pytest.mark.program
@pytest.mark.usefixtures("hosts")
def test_the_tutorial_shows_what_happens(project: Path, tmp_path: Path, choice: str):
    problems = Walkthrough(tmp_path).follow(variant((project / TUTORIAL).read_text(encoding="utf-8"), choice))
    assert not problems, "\n\n".join(problems)


@pytest.mark.install
def test_the_tutorial_works_from_an_empty_folder_with_nothing_installed(project: Path, tmp_path: Path):
    """With every line, installs included, in a virtual environment of its own, next to a copy of this project."""
    walkthrough = Walkthrough(tmp_path, installs=True)
    shutil.copytree(project, walkthrough.folder / "nodepools", ignore=NOT_COPIED)
    problems = walkthrough.follow(variant((project / TUTORIAL).read_text(encoding="utf-8"), "AKS"))
    assert not problems, "\n\n".join(problems)
    assert (tmp_path / "work/tools/bin/nodepools").exists()


def first_finding(project: Path) -> str:
    """The start page up to the declarations: its commands install from a clone, and show a finding."""
    return (project / "docs/start/index.md").read_text(encoding="utf-8").partition('<div class="tabs">')[0]


@pytest.mark.program
@pytest.mark.usefixtures("hosts")
def test_the_start_page_shows_the_first_finding(project: Path, tmp_path: Path):
    walkthrough = Walkthrough(tmp_path)
    shutil.copytree(project / "examples/first", walkthrough.folder / "examples/first")
    problems = walkthrough.follow(first_finding(project))
    assert not problems, "\n\n".join(problems)


@pytest.mark.install
def test_the_first_finding_needs_nothing_but_a_clone(project: Path, tmp_path: Path):
    walkthrough = Walkthrough(tmp_path, installs=True)
    shutil.copytree(project, walkthrough.folder, ignore=NOT_COPIED, dirs_exist_ok=True)
    problems = walkthrough.follow(first_finding(project))
    assert not problems, "\n\n".join(problems)
    assert (tmp_path / "work/.venv/bin/nodepools").exists()


def test_each_choice_of_the_tutorial_is_a_page_of_its_own(project: Path):
    page = (project / TUTORIAL).read_text(encoding="utf-8")
    assert variants(page) == ["AKS", "EKS"]
    for choice, other in {"AKS": "use1/web", "EKS": "weu/web"}.items():
        text = variant(page, choice)
        assert other not in text
        assert 'class="tabs"' not in text
        assert text.count("\n## ") == page.count("\n## ")


@pytest.mark.parametrize(
    ("shown", "printed", "expected"),
    [
        pytest.param("a\nb", "a\nb\n", True, id="the same output matches"),
        pytest.param("a", "a\nb", False, id="a line more does not match"),
        pytest.param("a\n...\nd", "a\nb\nc\nd", True, id="dots stand for lines between"),
        pytest.param("a\n...", "a\nb\nc", True, id="dots stand for lines at the end"),
        pytest.param("...\nc", "a\nb\nc", True, id="dots stand for lines at the start"),
        pytest.param("a\n...\nb", "a\nb", True, id="dots can stand for no line"),
        pytest.param("a\n...\nc", "a\nb\ncd", False, id="what follows the dots must end the output"),
        pytest.param("a.b", "axb", False, id="a dot within a line is a dot"),
        pytest.param("1 passed in 0.31s", "1 passed in 1.90s", True, id="durations are ignored"),
        pytest.param("HEAD (0123456789)", "HEAD (abcdefabcd)", True, id="commits are ignored"),
    ],
)
def test_output_that_a_page_shows_is_compared_with_what_is_printed(shown: str, printed: str, expected: bool):  # noqa: FBT001
    assert matches(shown, printed) is expected


@pytest.mark.parametrize(
    ("page", "problem"),
    [
        pytest.param("```python\nx = 1\n```\n", "neither a file", id="a block that is nothing"),
        pytest.param("```sh\nfalse\n```\n", "exit code 1", id="a command that fails"),
        pytest.param("```text\n$ echo a\nb\n```\n", "--- printed\na", id="another output"),
        pytest.param("`a.txt`:\n\n```text\nx\n```\n\nEdit `a.txt`:\n\n```diff\n-y\n+z\n```\n", "0 times", id="an edit of lines that do not exist"),
        pytest.param("```sh\ntouch a.txt\n```\n\n`a.txt`:\n\n```text\nx\n```\n", "a.txt is", id="another file than the command wrote"),
    ],
)
def test_a_page_that_is_wrong_is_found(tmp_path: Path, page: str, problem: str):
    [found] = Walkthrough(tmp_path).follow(page)
    assert problem in found


def test_files_edits_and_commands_are_followed_and_the_rest_is_left_out(tmp_path: Path):
    page = (
        "The file `one/a.txt`:\n\n```text\nx\ny\n```\n\nEdit `one/a.txt`:\n\n```diff\n x\n-y\n+z\n```\n\n"
        "<!-- not run: needs an account -->\n```sh\nfalse\n```\n\n```sh\ncp one/a.txt b.txt\n```\n\n```text\n$ cat b.txt\nx\nz\n```\n"
    )
    assert Walkthrough(tmp_path).follow(page) == []
