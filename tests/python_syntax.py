"""Finds Python in a text that a reader of another language gets."""

import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from functools import cache

from nodepools.model.platform import Platform
from nodepools.rules.engine.field_annotations import kind_of, reachable

_CALL = re.compile(r"\b([A-Z]\w*[a-z]\w*)\((?!s\))")
_KEYWORD = re.compile(r"\b[a-z_]\w*=(?:True\b|False\b|None\b|\"|\[|\{|[A-Z]\w+\()")
_CONSTANT = re.compile(r"`(?:True|False)`|(?<![\w`\"'./-])(?:True|False|None)(?![\w`\"']| of )")
"""`None` in backticks is a value of Azure's API; "None of these" is English."""
_HELPER = re.compile(r"\bkeys\.\w+|\bderive\(")
_NAME = re.compile(r"(?<![\w./-])[a-z][a-z0-9]*(?:_[a-z0-9]+)+(?![\w./-])")
_WORD = re.compile(r"`([A-Z]\w+)`")

SNAKE = frozenset(name for model in reachable(Platform) for name in model.model_fields if "_" in name)
"""Fields of the declaration that other languages and objects spell otherwise."""


@cache
def _classes() -> frozenset[str]:
    """Names of classes that are not a kind of the declaration too."""
    models = reachable(Platform)
    return frozenset(model.__name__ for model in models) - {kind_of(model) for model in models if "kind" in model.model_fields}


def python_in(
    text: str, fields: AbstractSet[str], objects: AbstractSet[str] = frozenset({"Taint", "NodePool", "StorageClass", "IngressClass"})
) -> Iterator[str]:
    """The pieces of `text` that are Python: arguments, calls, constants, and those of `fields` and of our classes that it names.

    Args:
        text: of a finding.
        fields: names with underscores.
        objects: classes that are called like an object of Kubernetes.
    """
    text = re.sub(r"\boverrides[\w.]*", "overrides", text)  # keys of `overrides` are the provider's, in every language
    for pattern in (_CALL, _KEYWORD, _CONSTANT, _HELPER):
        yield from (found[0] for found in pattern.finditer(text))
    yield from (found[0] for found in _NAME.finditer(text) if found[0] in fields)
    yield from (found[0] for found in _WORD.finditer(text) if found[1] in _classes() - objects)
