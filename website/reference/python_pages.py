"""The reference of the Python API: which names are public. Sphinx's autodoc reads signatures and docstrings."""

import inspect
import sys
from collections.abc import Iterator
from importlib import import_module
from types import FunctionType, ModuleType
from typing import Final

from sphinx.pycode import ModuleAnalyzer

from nodepools import keys, pack, partial, testing
from nodepools.keys import presets
from nodepools.public_names import DOORS
from nodepools.rules.engine.field_annotations import is_model
from nodepools.testing import fixtures
from website.cited import linked
from website.reference.field_values import anchor

_ADDRESS: Final = "reference/python"
_HEAD: Final = """# Python API

The names on this page are public. Other modules are private, and can change in every version.
[Fields](fields.md) has the parameters of the classes of a declaration, with the unit, the default and the effect of a change of each.
"""
_MODELS: Final = "Each is validated when it is created; `check` reports the rest.\n"
_KEYS: Final = "The [label keys](keys.md) lists every key with its kind.\n"


def python_pages() -> Iterator[tuple[str, str]]:
    """Yields the address and the text of the page."""
    yield _ADDRESS, "\n".join([_HEAD, *_sections()])


def public_names(module: ModuleType) -> list[str]:
    """Returns the names that a package exports, without its modules and classes of the declaration."""
    named = dir(module) if module.__name__ in DOORS else vars(module)
    return sorted((name for name in named if not name.startswith("_") and _is_shown(getattr(module, name))), key=str.lower)


def _is_shown(value: object) -> bool:
    return not isinstance(value, ModuleType) and not is_model(value)


def _sections() -> Iterator[str]:
    for door in DOORS:
        module = import_module(door)
        yield from (f"## `{door}`", "", linked(inspect.getdoc(module) or "", _ADDRESS), "")
        yield from _block(f".. py:currentmodule:: {door}", *_documented(module))
        yield from ("### Classes of a declaration", "", _MODELS, *_block(f".. py:currentmodule:: {door}", *_models(module)))
    yield from _section("nodepools.partial", partial, iter(()))
    yield from _section("nodepools.testing", testing, _documented(testing))
    yield from _section("nodepools.testing.fixtures", fixtures, _fixtures())
    yield from _section("nodepools.keys", keys, _documented(keys), _KEYS)
    yield from _section("nodepools.keys.presets", presets, _presets())
    yield from _section("nodepools.pack", pack, _documented(pack))


def _section(name: str, module: ModuleType, directives: Iterator[str], more: str = "") -> Iterator[str]:
    yield from (f"## `{name}`", "", linked(inspect.getdoc(module) or "", _ADDRESS), "", more, *_block(f".. py:module:: {name}", *directives))


def _block(*directives: str) -> Iterator[str]:
    yield from ("```{eval-rst}", directives[0], "", *directives[1:], "```", "")


def _documented(module: ModuleType) -> Iterator[str]:
    for name in public_names(module):
        value: object = getattr(module, name)
        if isinstance(value, FunctionType):
            yield from (f".. autofunction:: {name}", "")
        elif isinstance(value, type):
            yield from (f".. auto{'exception' if issubclass(value, BaseException) else 'class'}:: {name}", "")
        else:
            yield from _value(name, _text(module, name))


def _models(module: ModuleType) -> Iterator[str]:
    for name in sorted(dir(module), key=str.lower):
        found: object = getattr(module, name)
        if isinstance(found, type) and is_model(found):
            summary = (found.__doc__ or "").strip().partition("\n")[0]
            yield from (f".. py:class:: {name}", f"   :canonical: {found.__module__}.{name}", "")
            yield from (f"   {summary} :ref:`Fields <{anchor(name)}>`", "")


def _fixtures() -> Iterator[str]:
    for name, value in vars(fixtures).items():
        function = getattr(value, "__wrapped__", None)
        if isinstance(function, FunctionType):
            yield from _value(name, inspect.getdoc(function) or "", f"~nodepools.testing.{function.__annotations__['return'].__name__}")


def _presets() -> Iterator[str]:
    for (_, name), lines in ModuleAnalyzer.for_module(presets.__name__).find_attr_docs().items():
        yield from _value(name, " ".join(lines))


def _value(name: str, text: str, kind: str = "") -> Iterator[str]:
    yield from (f".. py:data:: {name}", *([f"   :type: {kind}"] if kind else []), "", f"   {' '.join(text.split())}", "")


def _text(module: ModuleType, name: str) -> str:
    """Returns the text below a name, in the module of the package that defines it."""
    value: object = getattr(module, name)
    homes = [found for found in sys.modules if found.startswith(f"{module.__name__}.") and vars(sys.modules[found]).get(name) is value]
    found = [lines for home in homes for lines in [ModuleAnalyzer.for_module(home).find_attr_docs().get(("", name))] if lines]
    return " ".join(found[0]) if found else ""
