"""Writes components/nodepools/partial.pyi: each model with all of its fields optional, as a `TypedDict`, and `derive()` with them.

Type checkers read it: at run time, a change is a dict, and the models check it.
"""

import ast
import builtins
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from inspect import getsource
from pathlib import Path
from types import ModuleType, NoneType, UnionType
from typing import Annotated, Union, get_args, get_origin

from nodepools.model.base import Model
from nodepools.model.platform import Platform
from nodepools.model.ref import StackOutput

TARGET = Path(__file__).parents[1] / "components" / "nodepools" / "partial.pyi"
_TITLE = """# Made by tools/partial_stub.py: the models have the descriptions
# ruff: noqa: N802  # functions have the names of models
"""


def models() -> list[type[Model]]:
    """Every part that a platform can have, in the order of their names."""
    found: dict[str, type[Model]] = {}

    def add(kind: type[Model]) -> None:
        if found.setdefault(kind.__name__, kind) is kind and kind is not StackOutput:
            for field in kind.model_fields.values():
                for inner in _models_in(field.annotation):
                    if inner.__name__ not in found:
                        add(inner)

    add(Platform)
    return [found[name] for name in sorted(found) if found[name] is not StackOutput]


def _models_in(annotation: object) -> Iterator[type[Model]]:
    if isinstance(annotation, type) and issubclass(annotation, Model):
        yield annotation
    for inner in get_args(annotation):
        yield from _models_in(inner)


def text() -> str:
    """The text of the file."""
    kinds = models()
    imports = {("typing", name) for name in ("TypedDict", "Unpack", "overload")} | {_import(kind) for kind in kinds}
    parts = [*(_class(kind, imports) for kind in kinds), *map(_function, kinds), *map(_overload, kinds)]
    modules: dict[str, list[str]] = {}
    for module, name in sorted(imports):
        modules.setdefault(module, []).append(name)
    lines = [f"from {module} import {', '.join(names)}\n" for module, names in modules.items()]
    return _in_order("\n".join([_TITLE, "".join(lines), *parts]))


def _in_order(source: str) -> str:
    """As ruff sorts imports and formats."""
    for command in (("check", "--fix-only", "--silent", "--select", "I"), ("format", "--silent")):
        ruff = [sys.executable, "-m", "ruff", *command, "--stdin-filename", str(TARGET), "-"]
        source = subprocess.run(ruff, input=source, capture_output=True, text=True, check=True).stdout  # noqa: S603  # our own words
    return source


def _import(kind: type[Model]) -> tuple[str, str]:
    return kind.__module__, f"{kind.__name__} as _{kind.__name__}"


def _function(kind: type[Model]) -> str:
    partial = f"Partial{kind.__name__}"  # called itself, pyright would not name a wrong field: the constructor of a TypedDict has overloads
    return f"def {kind.__name__}(**fields: Unpack[{partial}]) -> {partial}: ...\n"


def _overload(kind: type[Model]) -> str:
    name, partial = f"_{kind.__name__}", f"Partial{kind.__name__}"
    return f"@overload\ndef derive(base: {name}, changes: {partial} | None = None, /, **more: Unpack[{partial}]) -> {name}: ...\n"


def _class(kind: type[Model], imports: set[tuple[str, str]]) -> str:
    fields = {name: text for base in reversed(kind.__mro__) if issubclass(base, Model) for name, text in _fields(base, imports)}
    lines = [f"    {name}: {text}\n" for name, text in fields.items()] if fields else ["    pass\n"]
    return f"class Partial{kind.__name__}(TypedDict, total=False):\n{''.join(lines)}"


def _fields(kind: type[Model], imports: set[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    module = sys.modules[kind.__module__]
    for part in ast.parse(getsource(kind)).body:
        for line in part.body if isinstance(part, ast.ClassDef) else ():
            if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name) and line.target.id in kind.model_fields:
                yield line.target.id, _Writer(module, imports).written(line.annotation)


class _Writer:
    """Writes the annotations of a module for another file."""

    def __init__(self, module: ModuleType, imports: set[tuple[str, str]]) -> None:
        self._module = module
        self._imports = imports

    def written(self, node: ast.expr, *, partial: bool = True) -> str:
        match node:
            case ast.Constant(value=str(text)):
                written = self.written(ast.parse(text, mode="eval").body, partial=partial)
            case ast.BinOp(left=left, right=right):
                written = f"{self.written(left, partial=partial)} | {self.written(right, partial=partial)}"
            case ast.Subscript(value=ast.Name(id=kind), slice=inner):
                written = self._generic(kind, inner, partial=partial)
            case ast.Name(id=name):
                written = self._named(name, partial=partial)
            case _:
                written = ast.unparse(node)
        return written

    def _generic(self, kind: str, inner: ast.expr, *, partial: bool) -> str:
        match kind, inner:
            case "Annotated", ast.Tuple(elts=[first, *_]):
                return self.written(first, partial=partial)
            case "Literal", _:
                return f"{self._imported(kind)}[{ast.unparse(inner).strip('()')}]"
            case "Mapping", ast.Tuple(elts=[key, value]):  # a change can name one entry, and None removes it
                entry = self.written(value, partial=partial)
                return f"{self._imported(kind)}[{self.written(key)}, {entry if entry == 'object' else _or_none(entry)}]"
            case _:
                return f"{self._imported(kind)}[{self.written(inner, partial=False)}]"

    def _named(self, name: str, *, partial: bool) -> str:
        value = vars(self._module)[name] if name in vars(self._module) else vars(builtins)[name]
        if any(kind is not StackOutput for kind in _models_in(value)):
            return self._of_models(value, partial=partial)
        return name if name in vars(builtins) else self._imported(name)

    def _of_models(self, value: object, *, partial: bool) -> str:
        if isinstance(value, type) and issubclass(value, Model):
            self._imports.add(_import(value))
            return f"_{value.__name__} | Partial{value.__name__}" if partial else f"_{value.__name__}"
        if get_origin(value) is Annotated:
            return self._of_models(get_args(value)[0], partial=partial)
        if get_origin(value) in (Union, UnionType):
            return " | ".join(self._of_models(each, partial=partial) for each in get_args(value))
        if value is not NoneType:
            raise ValueError(value)
        return "None"

    def _imported(self, name: str) -> str:
        self._imports.add(_origin(name, self._module.__name__) if name != "Literal" else ("typing", name))
        return name


def _or_none(entry: str) -> str:
    return entry if entry.endswith("| None") else f"{entry} | None"


@cache
def _origin(name: str, module: str) -> tuple[str, str]:
    """The module that defines a name, and the name."""
    for line in ast.walk(ast.parse(getsource(import_module(module)))):
        if isinstance(line, ast.ImportFrom) and line.module is not None and name in {each.asname or each.name for each in line.names}:
            return _origin(name, line.module) if line.module.startswith("nodepools.") else (line.module, name)
    return module, name


if __name__ == "__main__":
    TARGET.write_text(text(), encoding="utf-8")
