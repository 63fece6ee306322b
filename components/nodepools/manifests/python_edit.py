"""Applies operations to a stack in Python, where literals, keywords and names of the module say what is declared."""

import ast
from collections.abc import Mapping, Sequence
from typing import NamedTuple, cast

from nodepools.manifests.stack_source import StackSource
from nodepools.model.steps import Step
from nodepools.rules.finding_text import PYTHON, spelled_as
from nodepools.rules.fix import Operation


class _Edit(NamedTuple):
    """Characters of the source that become other ones."""

    start: int
    end: int
    text: str


def python_edited(source: str, operations: Sequence[Operation]) -> str | None:
    """`source` with all `operations` applied; `None` where one of them is about something that no literal says.

    Args:
        source: of a stack, which Python can read and which assigns `PLATFORM`.
        operations: their paths start at the platform.
    """
    for one in operations:
        edit = _Editor(source).edit(one)
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
        """The edit that an operation is."""
        *above, last = operation.path
        holder, entry = self.source.entry(above), self.source.entry(operation.path)
        if operation.op == "remove":
            return self._removed(*entry) if entry is not None else None
        if operation.op == "rename":
            key = entry[0] if entry is not None else None
            return _Edit(*self._span(key), spelled_as(str(operation.value), PYTHON)) if isinstance(key, ast.Constant) else None
        if operation.op == "add":
            value = operation.value
            if entry is not None:
                return self._added(entry[1], value)
            first = cast("object", value if isinstance(value, Mapping) else [value])
            return self._new(holder[1], last, spelled_as(first, PYTHON)) if holder is not None else None
        text = spelled_as(operation.value, PYTHON)
        if entry is not None:
            return _Edit(*self._span(entry[1]), text)
        return self._new(holder[1], last, text) if holder is not None else None

    def _new(self, holder: ast.expr, step: Step, text: str) -> _Edit | None:
        """A keyword of a call, or an entry of a mapping, that is not there yet."""
        if isinstance(holder, ast.Call) and all(one.arg is not None for one in holder.keywords):
            return self._appended(holder, [*holder.args, *(one.value for one in holder.keywords)], f"{step}={text}")
        if isinstance(holder, ast.Dict):
            return self._appended(holder, holder.values, f"{spelled_as(str(step), PYTHON)}: {text}")
        return None

    def _added(self, whole: ast.expr, value: object) -> _Edit | None:
        if isinstance(whole, ast.List) and not isinstance(value, Mapping):
            return self._appended(whole, whole.elts, spelled_as(value, PYTHON))
        if isinstance(whole, ast.Dict) and isinstance(value, Mapping):
            return self._appended(whole, whole.values, spelled_as(cast("object", value), PYTHON)[1:-1])
        return None

    def _appended(self, whole: ast.expr, parts: Sequence[ast.expr], text: str) -> _Edit:
        """After the last part; on a line of its own, where the parts have one each."""
        closing = self._span(whole)[1] - 1
        if not parts:
            return _Edit(closing, closing, text)
        end = self._span(parts[-1])[1]
        line = self.lines[parts[-1].lineno - 1]
        indent = line[: len(line) - len(line.lstrip())]
        after = self.text[end:closing].lstrip(",").lstrip(" ")
        return _Edit(end, end, f",\n{indent}{text}" if after.startswith(("\n", "#")) else f", {text}")

    def _removed(self, begin: ast.expr | ast.keyword, value: ast.expr) -> _Edit:
        """A keyword, a key or an entry, with its comma; with its lines, where nothing else is on them."""
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
        """Columns of `ast` count bytes of UTF-8."""
        return self.offsets[line - 1] + len(self.lines[line - 1].encode()[:column].decode())
