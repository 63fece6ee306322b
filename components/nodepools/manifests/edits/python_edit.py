"""Applies operations to a stack in Python that is declared with literals, keywords and names of the module."""

import ast
from collections.abc import Mapping, Sequence
from typing import NamedTuple, cast

from nodepools.manifests.stack_source import StackSource
from nodepools.model.path import Operation
from nodepools.model.steps import Step
from nodepools.rules.engine.finding import PYTHON, literal_in


class _Edit(NamedTuple):
    """A range of the source, and the text that replaces it."""

    start: int
    end: int
    text: str


def python_edited(source: str, operations: Sequence[Operation]) -> str | None:
    """Returns `source` with all `operations` applied; `None` if one of them is about a field that is not a literal.

    Args:
        source: the source of a stack, which Python can read and which assigns `PLATFORM`.
        operations: their paths start at the platform.
    """
    for operation in operations:
        edit = _Editor(source).edit(operation)
        if edit is None:
            return None
        source = source[: edit.start] + edit.text + source[edit.end :]
    return source


class _Editor:
    """One stack, with the offsets of its lines."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.source = StackSource.of(text, "")
        self.lines = text.splitlines(keepends=True)
        self.offsets = [0]
        for line in self.lines:
            self.offsets.append(self.offsets[-1] + len(line))

    def edit(self, operation: Operation) -> _Edit | None:
        """Returns the edit that applies an operation."""
        *above, last = operation.path
        parent, entry = self.source.entry(above), self.source.entry(operation.path)
        if operation.op == "remove":
            return self._removed(*entry) if entry is not None else None
        if operation.op == "rename":
            key = entry[0] if entry is not None else None
            return _Edit(*self._span(key), literal_in(str(operation.value), PYTHON)) if isinstance(key, ast.Constant) else None
        if operation.op == "add":
            value = operation.value
            if entry is not None:
                return self._added(entry[1], value)
            first = cast("object", value if isinstance(value, Mapping) else [value])
            return self._new(parent[1], last, literal_in(first, PYTHON)) if parent is not None else None
        text = literal_in(operation.value, PYTHON)
        if entry is not None:
            return _Edit(*self._span(entry[1]), text)
        return self._new(parent[1], last, text) if parent is not None else None

    def _new(self, parent: ast.expr, step: Step, text: str) -> _Edit | None:
        """Adds a new keyword to a call, or a new entry to a mapping."""
        if isinstance(parent, ast.Call) and not _is_requirement(parent) and all(keyword.arg is not None for keyword in parent.keywords):
            return self._appended(parent, [*parent.args, *(keyword.value for keyword in parent.keywords)], f"{step}={text}")
        if isinstance(parent, ast.BinOp):  # `|` of two dicts
            return self._new(parent.right, step, text)
        if isinstance(parent, ast.Dict):
            return self._appended(parent, parent.values, f"{literal_in(str(step), PYTHON)}: {text}")
        return None

    def _added(self, parent: ast.expr, value: object) -> _Edit | None:
        if isinstance(parent, ast.List) and not isinstance(value, Mapping):
            return self._appended(parent, parent.elts, literal_in(value, PYTHON))
        if isinstance(parent, ast.Dict) and isinstance(value, Mapping):
            return self._appended(parent, parent.values, literal_in(cast("object", value), PYTHON)[1:-1])
        return None

    def _appended(self, parent: ast.expr, parts: Sequence[ast.expr], text: str) -> _Edit:
        """Adds `text` after the last part; on a separate line if each part has its own."""
        closing = self._span(parent)[1] - 1
        if not parts:
            return _Edit(closing, closing, text)
        end = self._span(parts[-1])[1]
        line = self.lines[parts[-1].lineno - 1]
        indent = line[: len(line) - len(line.lstrip())]
        after = self.text[end:closing].lstrip(",").lstrip(" ")
        return _Edit(end, end, f",\n{indent}{text}" if after.startswith(("\n", "#")) else f", {text}")

    def _removed(self, begin: ast.expr | ast.keyword, value: ast.expr) -> _Edit:
        """Removes a keyword, a key or an entry with its comma, and its lines if they contain nothing more."""
        first, last = self._span(begin)[0], self._span(value)[1]
        rest = self.text[last:]
        has_comma = rest.lstrip().startswith(",")
        if has_comma:
            last += rest.index(",") + 1
        start, end = self.text.rfind("\n", 0, first) + 1, self.text.find("\n", last)
        tail = self.text[last:end].strip()
        if not self.text[start:first].strip() and (not tail or tail.startswith("#")):
            return _Edit(start, end + 1, "")
        if has_comma:
            return _Edit(first, last + len(self.text[last:]) - len(self.text[last:].lstrip(" ")), "")
        before = self.text[:first].rstrip()
        return _Edit(len(before) - 1 if before.endswith(",") else first, last, "")

    def _span(self, node: ast.expr | ast.keyword) -> tuple[int, int]:
        return self._offset(node.lineno, node.col_offset), self._offset(node.end_lineno or 0, node.end_col_offset or 0)

    def _offset(self, line: int, column: int) -> int:
        """Returns the offset of a position of `ast`, whose columns count bytes of UTF-8."""
        return self.offsets[line - 1] + len(self.lines[line - 1].encode()[:column].decode())


def _is_requirement(call: ast.Call) -> bool:
    """Whether the call makes a requirement from its values, as in `keys.eks.arch.one_of("amd64")`: it has no keywords for the fields."""
    return ast.unparse(call.func).startswith("keys.")
