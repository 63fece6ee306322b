"""Texts in the source of rules: every template of a message or a fix, also those that no sample has."""

import ast
import inspect
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module

from nodepools.rules.engine.registry import rule_modules

_MESSAGES, _FIXES = frozenset({"message"}), frozenset({"fix", "text"})
_SLOT = "…"
"""Stands for what a template is filled with."""


@dataclass(frozen=True)
class Template:
    """A text in a module of rules."""

    place: str
    text: str
    role: str
    """`message` or `fix`, where the source says so; otherwise a part of one of them."""


def templates() -> Iterator[Template]:
    """Every text of at least two words in the functions of the modules of rules."""
    for module in rule_modules():
        tree = ast.parse(inspect.getsource(import_module(module)))
        for node in tree.body:
            if isinstance(node, ast.FunctionDef):
                yield from _of(node.body, f"{module}:{node.name}")


def _of(body: list[ast.stmt], place: str) -> Iterator[Template]:
    roles = {id(value): role for statement in body for role, value in _roles(statement)}
    pending: list[tuple[ast.AST, str]] = [(statement, "") for statement in body if not _is_docstring(statement)]
    while pending:
        node, above = pending.pop()
        role = roles.get(id(node), above)
        text = _text(node)
        if text is not None and " " in text.strip():
            yield Template(place, text, role)
        inner = (
            [part for part in node.values if not isinstance(part, ast.Constant)] if isinstance(node, ast.JoinedStr) else ast.iter_child_nodes(node)
        )
        pending += [(child, role if isinstance(node, ast.IfExp) else "") for child in inner]


def _roles(statement: ast.stmt) -> Iterator[tuple[str, ast.expr]]:
    """Expressions that are a whole message or a whole fix: by the variable, the keyword, or the place among arguments."""
    for node in ast.walk(statement):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            yield _role(node.targets[0].id), node.value
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield from ((_role(keyword.arg or ""), keyword.value) for keyword in node.keywords)
            if node.func.id == "finding" and len(node.args) > 1:
                yield "message", node.args[1]
            if node.func.id == "Fix" and node.args:
                yield "fix", node.args[0]


def _role(name: str) -> str:
    return "message" if name in _MESSAGES else "fix" if name in _FIXES else ""


def _text(node: ast.AST) -> str | None:
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else _SLOT for part in node.values)
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
