"""Applies operations to a stack in Python, where the declaration is a literal that can be located."""

import ast
from collections.abc import Sequence
from typing import NamedTuple

from nodepools.model.steps import Step, Steps
from nodepools.rules.fix import Operation
from nodepools.rules.texts import PYTHON, literal_of

_ROOT = "PLATFORM"


class _Edit(NamedTuple):
    """Characters of the source that become other ones."""

    start: int
    end: int
    text: str


def python_edited(source: str, operations: Sequence[Operation]) -> str | None:
    """`source` with all `operations` applied; `None` where one of them is about something that no literal says.

    Args:
        source: of `stacks/NAME.py`, which assigns `PLATFORM`.
        operations: their paths start at the platform.
    """
    for one in operations:
        try:
            module = ast.parse(source)
        except SyntaxError:
            return None
        edit = _Source(source, module).edit(one)
        if edit is None:
            return None
        source = source[: edit.start] + edit.text + source[edit.end :]
    return source


class _Source:
    """A module, with the offsets of its nodes."""

    def __init__(self, text: str, module: ast.Module) -> None:
        self.text, self.module = text, module
        lines = text.splitlines(keepends=True)
        self.lines = lines
        self.offsets = [0]
        for line in lines:
            self.offsets.append(self.offsets[-1] + len(line))

    def edit(self, operation: Operation) -> _Edit | None:
        """The edit that an operation is."""
        *above, last = operation.path
        holder = self._at(tuple(above))
        if operation.op == "add":
            whole = self._at(operation.path)
            return self._added(whole, operation.value) if whole is not None else self._set(holder, last, _collection(operation.value))
        if operation.op == "set":
            value = self._at(operation.path)
            text = literal_of(operation.value, PYTHON)
            return self._replaced(value, text) if value is not None else self._set(holder, last, text)
        if operation.op == "rename":
            key = _key(holder, str(last))
            return self._replaced(key, literal_of(str(operation.value), PYTHON)) if key is not None else None
        return self._removed(holder, last)

    def _at(self, steps: Steps) -> ast.expr | None:
        """The expression at some steps of the platform."""
        here: ast.expr | None = self._assigned(_ROOT)
        for step in steps:
            here = _inside(here, step)
            if isinstance(here, ast.Name):
                here = self._assigned(here.id)
        return here

    def _assigned(self, name: str) -> ast.expr | None:
        """What the module assigns to a name, once."""
        found = [
            node.value
            for node in self.module.body
            if isinstance(node, ast.Assign | ast.AnnAssign)
            and any(isinstance(target, ast.Name) and target.id == name for target in (node.targets if isinstance(node, ast.Assign) else [node.target]))
        ]
        return found[0] if len(found) == 1 else None

    def _span(self, node: ast.expr | ast.keyword) -> tuple[int, int]:
        return self._offset(node.lineno, node.col_offset), self._offset(node.end_lineno or 0, node.end_col_offset or 0)

    def _offset(self, line: int, column: int) -> int:
        """Columns of `ast` count bytes of UTF-8."""
        return self.offsets[line - 1] + len(self.lines[line - 1].encode()[:column].decode())

    def _replaced(self, node: ast.expr, text: str) -> _Edit:
        return _Edit(*self._span(node), text)

    def _set(self, holder: ast.expr | None, step: Step, text: str) -> _Edit | None:
        """A keyword, or an entry of a mapping, that is not there yet."""
        if isinstance(holder, ast.Call) and not any(one.arg is None for one in holder.keywords):
            return self._appended(holder, [*holder.args, *(one.value for one in holder.keywords)], f"{step}={text}")
        if isinstance(holder, ast.Dict):
            return self._appended(holder, holder.values, f"{literal_of(str(step), PYTHON)}: {text}")
        return None

    def _added(self, whole: ast.expr, value: object) -> _Edit | None:
        if isinstance(whole, ast.List | ast.Tuple) and not isinstance(value, dict):
            return self._appended(whole, whole.elts, literal_of(value, PYTHON))
        if isinstance(whole, ast.Dict) and isinstance(value, dict):
            entries = literal_of(value, PYTHON)[1:-1]
            return self._appended(whole, whole.values, entries)
        return None

    def _appended(self, whole: ast.expr, parts: Sequence[ast.expr], text: str) -> _Edit:
        """After the last part, on a line of its own where that has one."""
        if not parts:
            end = self._span(whole)[1] - 1
            return _Edit(end, end, text)
        last = parts[-1]
        end = self._span(last)[1]
        line = self.lines[last.lineno - 1]
        alone = self.text[end : self._span(whole)[1]].lstrip(",").startswith("\n") or self.text[end : self._span(whole)[1]].lstrip(", ").startswith("#")
        indent = line[: len(line) - len(line.lstrip())]
        return _Edit(end, end, f",\n{indent}{text}" if alone else f", {text}")

    def _removed(self, holder: ast.expr | None, step: Step) -> _Edit | None:
        """A keyword, a key or an entry, with its comma, and with its line where it is alone there."""
        node = _node(holder, step)
        if node is None:
            return None
        start, end = node[0], node[1]
        first, last = self._offset(start.lineno, start.col_offset), self._span(end)[1]
        rest = self.text[last:]
        comma = len(rest) - len(rest.lstrip().removeprefix(",")) if rest.lstrip().startswith(",") else 0
        last += comma
        line_start = self.text.rfind("\n", 0, first) + 1
        line_end = self.text.find("\n", last)
        if not self.text[line_start:first].strip() and (not self.text[last:line_end].strip() or self.text[last:line_end].lstrip().startswith("#")):
            return _Edit(line_start, line_end + 1, "")
        if comma:
            return _Edit(first, last + len(self.text[last:]) - len(self.text[last:].lstrip(" ")), "")
        before = self.text[:first].rstrip()
        return _Edit(len(before) - 1 if before.endswith(",") else first, last, "")


def _inside(node: ast.expr | None, step: Step) -> ast.expr | None:
    found = _node(node, step)
    return found[1] if found is not None else None


def _node(node: ast.expr | None, step: Step) -> tuple[ast.expr | ast.keyword, ast.expr] | None:
    """Where an entry begins, and its value."""
    if isinstance(node, ast.Call):
        return next(((one, one.value) for one in node.keywords if one.arg == step), None)
    if isinstance(node, ast.Dict):
        return next(((key, value) for key, value in zip(node.keys, node.values, strict=True) if isinstance(key, ast.Constant) and key.value == step), None)
    if isinstance(node, ast.List | ast.Tuple) and isinstance(step, int) and step < len(node.elts):
        return node.elts[step], node.elts[step]
    return None


def _key(node: ast.expr | None, name: str) -> ast.expr | None:
    if not isinstance(node, ast.Dict):
        return None
    return next((key for key in node.keys if isinstance(key, ast.Constant) and key.value == name), None)


def _collection(value: object) -> str:
    return literal_of(value if isinstance(value, dict) else [value], PYTHON)
