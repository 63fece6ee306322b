"""Texts in the code are written in plain American English: docstrings, messages, help and errors."""

import ast
import json
from collections.abc import Iterator
from pathlib import Path

import nodepools
from tests.language import avoided

ROOT = Path(nodepools.__file__).parent


def texts() -> Iterator[tuple[str, int, str]]:
    """Every text of several words, with its file and line."""
    for path in sorted(ROOT.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
                yield path.relative_to(ROOT).as_posix(), node.lineno, node.value
    for path in (*ROOT.glob("cli/*.json"), *ROOT.glob("rules/**/*.json")):
        for text in strings(json.loads(path.read_text(encoding="utf-8"))):
            yield path.relative_to(ROOT).as_posix(), 0, text


def strings(value: object) -> Iterator[str]:
    """Every text inside JSON data."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from strings(part)


def test_texts_avoid_these_phrases() -> None:
    found = [f"{name}:{line}: {phrase}" for name, line, text in texts() for phrase in avoided(text)]
    assert not found, "\n".join(found)
