"""Texts in the code are written in plain American English: docstrings, messages, help and errors."""

import ast
from functools import cache
from pathlib import Path

import pytest

import nodepools
from tests.language import avoided

ROOT = Path(nodepools.__file__).parent


@cache
def texts() -> list[tuple[str, int, str]]:
    """Every text of several words, with its file and line."""
    return [
        (path.relative_to(ROOT).as_posix(), node.lineno, node.value)
        for path in sorted(ROOT.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value
    ]


@pytest.mark.parametrize("package", sorted({name.split("/")[0] for name, _, _ in texts()}))
def test_texts_avoid_these_phrases(package: str) -> None:
    found = [f"{name}:{line}: {phrase}" for name, line, text in texts() if name.split("/")[0] == package for phrase in avoided(text)]
    assert not found, "\n".join(found)
