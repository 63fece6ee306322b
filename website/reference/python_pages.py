"""The reference of the Python API: every public function and class with its parameters, units and errors, read from signatures and docstrings."""

import ast
import importlib
import inspect
import re
from collections.abc import Iterator, Sequence
from enum import Enum
from itertools import pairwise
from textwrap import dedent
from types import FunctionType, ModuleType
from typing import Final

from pulumi import ComponentResource

import nodepools
from nodepools import keys, pack, testing
from nodepools.keys import kinds, presets
from nodepools.rules.type_hints import is_model
from nodepools.testing import fixtures
from website.cited import linked
from website.reference.field_values import anchor

_ADDRESS: Final = "reference/python"
_WIDTH: Final = 110
_SECTION: Final = re.compile(r"^(Args|Returns|Raises|Yields):\n", re.MULTILINE)
_ENTRY: Final = re.compile(r"^ {4}(\w+): ", re.MULTILINE)
_TITLES: Final = {"Args": "Parameters", "Raises": "Errors"}
_HEAD: Final = """# Python API

The names on this page are public. Other modules are private, and can change in every version.
[Fields](fields.md) has the parameters of the classes of a declaration, with the unit, the default and the effect of a change of each."""


def python_pages() -> Iterator[tuple[str, str]]:
    """Yields the address and the text of the page."""
    lines = [_HEAD, "", *_package(nodepools), *_declaration(), *_module(testing), *_fixtures(), *_keys(), *_module(pack)]
    yield _ADDRESS, linked("\n".join(lines), _ADDRESS)


def public_names(module: ModuleType) -> list[str]:
    """Returns the names that a package exports, without its modules and classes of the declaration."""
    if module is nodepools:
        return [name for name in dir(module) if not name.startswith("_") and _is_shown(getattr(module, name))]
    exported = [alias.asname for node in _parsed(module).body if isinstance(node, ast.ImportFrom) for alias in node.names if alias.asname]
    own = [node.name for node in _parsed(module).body if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")]
    return [name for name in [*exported, *own] if not isinstance(getattr(module, name), ModuleType)]


def _is_shown(value: object) -> bool:
    return not isinstance(value, ModuleType) and not is_model(value)


def _package(module: ModuleType) -> Iterator[str]:
    yield from (f"## `{module.__name__}`", "")
    for name in public_names(module):
        yield from _entry(module, name)


def _module(module: ModuleType) -> Iterator[str]:
    yield from (f"## `{module.__name__}`", "", *_prose(inspect.getdoc(module) or ""))
    for name in public_names(module):
        yield from _entry(module, name)


def _declaration() -> Iterator[str]:
    yield from ("## Classes of a declaration", "", "Imported from `nodepools`. Each is validated when it is created; `check` reports the rest.", "")
    for name in sorted(dir(nodepools), key=str.lower):
        found: object = getattr(nodepools, name)
        if is_model(found):
            yield from (f"[`{name}`](#{anchor(name)})", f": {_first_line(found)}", "")


def _keys() -> Iterator[str]:
    yield from ("## `nodepools.keys`", "", *_prose(inspect.getdoc(keys) or ""), "The [label keys](keys.md) lists every key with its kind.", "")
    yield from _entry(keys, "label")
    for kind in (kinds.Choice, kinds.Text, kinds.Flag, kinds.Number, kinds.Memory):
        yield from _entry(kinds, kind.__name__)
    yield from ("## `nodepools.presets`", "", *_prose(inspect.getdoc(presets) or ""))
    for name, text in _texts(presets).items():
        yield from (f"`{name}`", f": {text}", "")


def _fixtures() -> Iterator[str]:
    yield from ("## `nodepools.testing.fixtures`", "", *_prose(inspect.getdoc(fixtures) or ""))
    for node in _parsed(fixtures).body:
        if isinstance(node, ast.FunctionDef) and any("fixture" in ast.unparse(each) for each in node.decorator_list):
            yield from (f"`{node.name}`", f": {' '.join((ast.get_docstring(node) or '').split())}", "")


def _entry(module: ModuleType, name: str) -> Iterator[str]:
    value: object = getattr(module, name)
    kind = "-function" if isinstance(value, FunctionType) else ""  # `finding` and `Finding` are different names
    yield from (f"(python-{module.__name__.rpartition('.')[2]}-{name.lower()}{kind})=", f"### `{name}`", "")
    if isinstance(value, FunctionType):
        yield from _function(value)
    elif isinstance(value, type):
        yield from _class(value)
    else:
        yield from (_texts(_home(module, name)).get(name, ""), "")


def _class(found: type) -> Iterator[str]:
    yield from _prose(inspect.getdoc(found) or "")
    yield from _members(found)
    created = vars(found).get("__init__")
    if _is_component(found) and isinstance(created, FunctionType):
        yield from _function(created, owner=found.__name__)
    for name, text in _attributes(found).items():
        yield from (f"`{name}`", f": {text}", "")
    for method, is_property in _methods(found):
        yield from _function(method, owner=found.__name__, is_property=is_property)


def _is_component(found: type) -> bool:
    return issubclass(found, ComponentResource)


def _members(found: type) -> Iterator[str]:
    if issubclass(found, Enum):
        yield from (f"Values: {', '.join(f'`{member.name}`' for member in found)}.", "")


def _methods(found: type) -> Iterator[tuple[FunctionType, bool]]:
    """Yields the public methods and properties of a class, and those of the classes of this library that it inherits from."""
    named: dict[str, object] = {name: value for base in _bases(found) for name, value in vars(base).items()}
    for name, value in named.items():
        method = value.fget if isinstance(value, property) else getattr(value, "__func__", value)
        is_public = not name.startswith("_") or (name.endswith("__") and name != "__init__")
        if isinstance(method, FunctionType) and is_public and method.__doc__:
            yield method, isinstance(value, property)


def _bases(found: type) -> list[type]:
    return [base for base in reversed(found.__mro__) if base.__module__.startswith("nodepools")]


def _function(function: FunctionType, owner: str = "", *, is_property: bool = False) -> Iterator[str]:
    node = ast.parse(dedent(inspect.getsource(inspect.unwrap(function)))).body[0]
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        yield from ("```python", _signature(node, owner, is_property=is_property), "```", "")
    yield from _prose(inspect.getdoc(function) or "")


def _signature(node: ast.FunctionDef | ast.AsyncFunctionDef, owner: str, *, is_property: bool) -> str:
    is_created = node.name == "__init__"
    name = owner if is_created else f"{owner}.{node.name}" if owner else node.name
    result = f" -> {_type(node.returns)}" if node.returns and not is_created else ""
    if is_property:
        return name + result.replace(" -> ", ": ")
    if owner:
        node.args.args = [each for each in node.args.args if each.arg not in {"self", "cls"}]
    parameters = list(_parameters(ast.unparse(node.args)))
    text = f"{name}({', '.join(parameters)}){result}"
    return text if len(text) <= _WIDTH else "".join([f"{name}(\n", *(f"    {each},\n" for each in parameters), f"){result}"])


def _type(node: ast.expr) -> str:
    return ast.unparse(node).strip("'")


def _parameters(text: str) -> Iterator[str]:
    """Yields each parameter, with spaces around `=` as formatters write them."""
    depth = start = 0
    for place, sign in enumerate(f"{text},"):
        depth += (sign in "([{") - (sign in ")]}")
        if sign == "," and depth == 0:
            part = text[start:place].strip()
            start = place + 1
            if part:
                yield part.replace("=", " = ", 1) if ":" in part.partition("=")[0] else part


def _prose(text: str) -> Sequence[str]:
    """Returns a docstring with its parameters and errors as lists."""
    head, *sections = _SECTION.split(text)
    lines = [*_paragraphs(head), ""]
    for title, content in zip(sections[::2], sections[1::2], strict=True):
        entries = _ENTRY.split(content)
        lines += [f"{_TITLES.get(title, title)}:", ""]
        lines += [f"* `{name}`: {' '.join(words.split())}" for name, words in zip(entries[1::2], entries[2::2], strict=True)]
        lines.append("")
    return lines


def _paragraphs(text: str) -> Iterator[str]:
    """Yields the lines of a docstring; lines of code that no blank line separates from each other are a block."""
    for paragraph in text.strip().split("\n\n"):
        is_code = all(re.match(r"^(\w+ = |assert |from |import |with | )", line) for line in paragraph.splitlines())
        yield from (["```python", paragraph, "```", ""] if is_code and paragraph else [paragraph, ""])


def _first_line(value: object) -> str:
    return (value.__doc__ or "").strip().partition("\n")[0]


def _attributes(found: type) -> dict[str, str]:
    return {name: text for base in _bases(found) for name, text in _documented(_tree(base)).items()}


def _tree(found: type) -> list[ast.stmt]:
    body = ast.parse(dedent(inspect.getsource(found))).body[0]
    return body.body if isinstance(body, ast.ClassDef) else []


def _texts(module: ModuleType) -> dict[str, str]:
    return _documented(_parsed(module).body)


def _documented(body: Sequence[ast.stmt]) -> dict[str, str]:
    """Returns the public names with a docstring below them."""
    found: dict[str, str] = {}
    for node, text in pairwise(body):
        match node, text:
            case (
                (ast.AnnAssign(target=ast.Name(id=name)) | ast.Assign(targets=[ast.Name(id=name)])),
                ast.Expr(value=ast.Constant(value=str(words))),
            ):
                if not name.startswith("_"):
                    found[name] = " ".join(words.split())
            case _:
                pass
    return found


def _home(module: ModuleType, name: str) -> ModuleType:
    """Returns the module that defines a name which a package exports."""
    for node in _parsed(module).body:
        if isinstance(node, ast.ImportFrom) and node.module and any(alias.asname == name for alias in node.names):
            return importlib.import_module(node.module)
    return module


def _parsed(module: ModuleType) -> ast.Module:
    return ast.parse(inspect.getsource(module))
