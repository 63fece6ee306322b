"""Texts of the command line, of cost and of the test kit avoid the phrases that readers have to puzzle out: in messages, docstrings and comments."""

import ast
import io
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

import nodepools
from tests.language import avoided

ROOT = Path(nodepools.__file__).parent
OTHERS = {ROOT / "cli" / "explain.py"}
FILES = [
    *ROOT.glob("cli/**/*.py"),
    *ROOT.glob("cost/*.py"),
    *ROOT.glob("testing/*.py"),
    *(ROOT / f"{name}.py" for name in ("loading", "public_names", "deployment")),
]


def texts(source: str) -> Iterator[tuple[int, str]]:
    """Line and text of each string and comment."""
    yield from ((node.lineno, node.value) for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant) and isinstance(node.value, str))
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    yield from ((token.start[0], token.string) for token in tokens if token.type == tokenize.COMMENT)


@pytest.mark.parametrize("file", [pytest.param(file, id=str(file.relative_to(ROOT))) for file in sorted(FILES) if file not in OTHERS])
def test_texts_are_plain_english(file):
    found = [f"{line}: {phrase}" for line, text in texts(file.read_text(encoding="utf-8")) for phrase in avoided(text)]
    assert not found, "\n".join(found)
