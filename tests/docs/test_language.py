"""Pages are written in plain American English."""

import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.language import BRITISH, IDIOMS, avoided

PROJECT = Path(__file__).resolve().parents[2]
GENERATED = {"docs/rules.md", "docs/rule-changes.md", "docs/coverage.md", "docs/agent-pool-fields.md"}
"""Pages that are generated from texts in the code. Other tests read these texts."""
PAGES = sorted(
    {
        str(page.relative_to(PROJECT))
        for pattern in ("*.md", "docs/**/*.md", "examples/*/README.md", "tests/**/*.md")
        for page in PROJECT.glob(pattern)
    }
    - GENERATED
)
PROGRAMS = sorted(
    str(file.relative_to(PROJECT))
    for pattern in ("*.py", "stacks/*.py", "policy/*.py", "plugin/*.py", "examples/**/*.py")
    for file in PROJECT.glob(pattern)
    if not {"sdks", "venv", ".venv"} & set(file.relative_to(PROJECT).parts)
)
"""Programs that people read as examples."""


def prose(page: str) -> Iterator[tuple[int, str]]:
    """The paragraphs of a page and their lines, without code blocks and quotations, and only the unreleased part of the changelog."""
    text = (PROJECT / page).read_text(encoding="utf-8")
    text = re.sub(r"^ *```.*?^ *```$", lambda block: "\n" * block.group().count("\n"), text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r'"[^"\n]+"', '"…"', text)
    if page == "CHANGELOG.md":
        text = re.split(r"^## (?!0\.2\.0)", text, flags=re.MULTILINE)[0]
    for found in re.finditer(r"(?:^[^\n]*\S[^\n]*\n?)+", text, re.MULTILINE):
        yield text.count("\n", 0, found.start()) + 1, found.group()


@pytest.mark.parametrize("page", PAGES)
def test_a_page_avoids_these_phrases(page: str):
    found = [(line, phrase) for line, paragraph in prose(page) for phrase in avoided(paragraph)]
    assert [f"{page}:{line}: {phrase}" for line, phrase in found] == []


@pytest.mark.parametrize("program", PROGRAMS)
def test_comments_and_docstrings_of_examples_avoid_them_too(program: str):
    with (PROJECT / program).open("rb") as file:
        said = [token for token in tokenize.tokenize(file.readline) if token.type == tokenize.COMMENT or token.string.startswith('"""')]
    assert [f"{program}:{token.start[0]}: {phrase}" for token in said for phrase in avoided(token.string)] == []


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("`us-east-1x` is no zone of us-east-1", "is no"),
        ("Of these sizes none is to be had", "to be had"),
        ("A DaemonSet beside the pod requests 100m", "beside"),
        ("The pool is made anew", "anew"),
        ("Karpenter replaces nodes\nof its own accord", "of its own accord"),
        ("The value is passed over", "passed over"),
        ("The label goes with the taint", "goes with"),
        ("A pod that wants 4 CPUs", "wants"),
        ("A pool has 100 nodes at the most", "at the most"),
        ("The day to judge for", "judge"),
        ("Overrides are laid over what is sent", "laid over"),
        ("Azure refuses two at once", "refuses"),
        ("Nobody drains the pool", "Nobody"),
        ("in place of a stack", "in place of"),
        ("Azure rejects it, or else waits", "else"),
        ("policies of your organisation", "organisation"),
        ("The default behaviour", "behaviour"),
        ("A modelled field", "modelled"),
        ("The run was cancelled", "cancelled"),
        ("Under this licence", "licence"),
    ],
)
def test_an_avoided_phrase_is_found(text: str, phrase: str):
    assert phrase in [row.split(" → ")[0] for row in avoided(text)]


@pytest.mark.parametrize(
    "text",
    [
        "There is no pool `web`",
        "The pool is no longer declared",
        "`us-east-1x` is not a zone of us-east-1",
        "The field `behaviour` of a file `docs/colour.md` is what someone else wrote, and nothing else",
        "See https://example.org/beside/anew",
        "Pass the file to `check`; the organization cancels it",
        "PDB stands for PodDisruptionBudget",
    ],
)
def test_plain_english_is_left_alone(text: str):
    assert avoided(text) == []


def test_every_row_says_what_to_write():
    assert all(row.use for row in (*IDIOMS, *BRITISH))
