"""Finds the positions of a platform's parts in the Python file of a stack, and the comments there that accept findings."""

import ast
import io
import tokenize
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from nodepools.model.base import Model
from nodepools.model.steps import Step
from nodepools.model.values import dataclass
from nodepools.rules.engine.accepted_findings import Ignore, line_ignores
from nodepools.rules.engine.finding import SourcePosition

_PLATFORM = "PLATFORM"
_MARK = "nodepools:"
Entry: TypeAlias = "tuple[ast.expr | ast.keyword, ast.expr]"
"""The start of an entry, and its value."""


@dataclass(frozen=True, slots=True)
class StackSource:
    """The text of a stack, parsed."""

    text: str
    file: str
    tree: ast.Module
    assigned: Mapping[str, ast.expr]
    """The value of each name of the module that is assigned exactly once."""

    @classmethod
    def of(cls, text: str, file: str) -> "StackSource":
        """Reads the text of the file."""
        tree = ast.parse(text)
        return cls(text, file, tree, _assigned(tree))

    def position(self, steps: Sequence[Step]) -> SourcePosition | None:
        """Returns the position of the field at `steps`, or of its nearest parent that literals, keywords and names of the module declare."""
        found = self.assigned.get(_PLATFORM)
        place: ast.expr | ast.keyword | None = found
        seen: set[str] = set()
        for step in steps:
            found = self._resolved(found, seen)
            inside = self._inside(found, step) if found is not None else None
            if inside is None:
                break
            place, found = inside
        return SourcePosition(self.file, place.lineno, place.col_offset + 1) if place is not None else None

    def entry(self, steps: Sequence[Step]) -> "Entry | None":
        """Returns the entry at `steps`; `None` if no literal, keyword or name of the module declares it."""
        found = self.assigned.get(_PLATFORM)
        if found is None:
            return None
        begin: ast.expr | ast.keyword = found
        seen: set[str] = set()
        for step in steps:
            inside = self._inside(found, step) if found is not None else None
            if inside is None:
                return None
            begin, value = inside
            found = self._resolved(value, seen)
        return (begin, found) if found is not None else None

    def ignores(self) -> list[Ignore]:
        """Returns the comments that accept findings. Those before the first statement (except the docstring) are about the whole stack."""
        if _MARK not in self.text:
            return []
        tokens = tokenize.generate_tokens(io.StringIO(self.text).readline)
        comments = [(token.start[0], token.line) for token in tokens if token.type == tokenize.COMMENT and _MARK in token.string]
        body = self.tree.body[1:] if ast.get_docstring(self.tree, clean=False) is not None else self.tree.body
        code = {line for statement in body for line in self._lines(statement)}
        return list(line_ignores(comments, code, self.file))

    def _lines(self, statement: ast.stmt) -> set[int]:
        """Returns the lines on which a node of a statement begins."""
        return {line for node in ast.walk(statement) if isinstance(line := getattr(node, "lineno", None), int)}

    def _resolved(self, node: ast.expr | None, seen: set[str]) -> ast.expr | None:
        """Returns the value of a name of the module."""
        while isinstance(node, ast.Name) and node.id not in seen:
            seen.add(node.id)
            node = self.assigned.get(node.id)
        return node

    def _inside(self, node: ast.expr, step: Step) -> tuple[ast.expr | ast.keyword, ast.expr] | None:
        """Returns the entry at `step` of a call, a list, a dict, or `|` of dicts."""
        if isinstance(node, ast.Call):
            named = next(((keyword, keyword.value) for keyword in node.keywords if keyword.arg == step), None)
            return named if named is not None else _positional(node, step)
        if isinstance(node, ast.Dict):
            pairs = zip(node.keys, node.values, strict=True)
            return next(((key, value) for key, value in pairs if isinstance(key, ast.Constant) and key.value == step), None)
        if isinstance(node, ast.List | ast.Tuple) and isinstance(step, int) and step < len(node.elts):
            plain = not any(isinstance(element, ast.Starred) for element in node.elts[: step + 1])
            return (node.elts[step], node.elts[step]) if plain else None
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):  # of two dicts, the right one overrides
            return self._inside(node.right, step)
        return None


def _positional(call: ast.Call, step: Step) -> "Entry | None":
    """Returns a positional argument: `Taint("team", "web")`."""
    import nodepools  # the classes of a declaration

    name = call.func.attr if isinstance(call.func, ast.Attribute) else call.func.id if isinstance(call.func, ast.Name) else ""
    model = getattr(nodepools, name, None)
    if not (isinstance(model, type) and issubclass(model, Model)):
        return None
    names = [field for field, info in model.model_fields.items() if info.kw_only is False]
    index = names.index(str(step)) if step in names else len(call.args)
    return (call.args[index], call.args[index]) if index < len(call.args) else None


def _assigned(tree: ast.Module) -> dict[str, ast.expr]:
    found: dict[str, ast.expr] = {}
    twice: set[str] = set()
    for statement in tree.body:
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target] if isinstance(statement, ast.AnnAssign) else []
        value = statement.value if isinstance(statement, ast.Assign | ast.AnnAssign) else None
        for target in targets:
            if isinstance(target, ast.Name) and value is not None:
                twice.update({target.id} & found.keys())
                found[target.id] = value
    return {name: value for name, value in found.items() if name not in twice}
