"""Paths in plain values: a declaration before it is validated is mappings in mappings."""

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias, cast

from nodepools.model.platform import Platform
from nodepools.model.unknowns import UNKNOWN

Tree: TypeAlias = Mapping[str, object]
Branch: TypeAlias = tuple[str, ...]


def paths(tree: Tree) -> Iterator[Branch]:
    """Every path, the innermost ones first."""
    for name, value in tree.items():
        if isinstance(value, Mapping):
            yield from ((name, *below) for below in paths(cast("Tree", value)))
        yield (name,)


def values(tree: Tree) -> Iterator[Branch]:
    """The path of every value that is not a mapping of others."""
    for name, value in tree.items():
        if isinstance(value, Mapping) and value:
            yield from ((name, *below) for below in values(cast("Tree", value)))
        else:
            yield (name,)


def without(tree: Tree, path: Branch) -> dict[str, object]:
    """`tree` without the entry at `path`."""
    first, *rest = path
    if not rest:
        return {name: value for name, value in tree.items() if name != first}
    inner = tree.get(first)
    return {**tree, first: without(cast("Tree", inner), tuple(rest))} if isinstance(inner, Mapping) else dict(tree)


def with_value(tree: Tree, path: Branch, value: object) -> dict[str, object]:
    """`tree` with `value` at `path`."""
    first, *rest = path
    if not rest:
        return {**tree, first: value}
    inner = tree.get(first)
    return {**tree, first: with_value(cast("Tree", inner) if isinstance(inner, Mapping) else {}, tuple(rest), value)}


def known(tree: Tree) -> dict[str, object]:
    """`tree` without unknown values."""
    inner = {name: known(cast("Tree", value)) if isinstance(value, Mapping) else value for name, value in tree.items()}
    return {name: value for name, value in inner.items() if value is not UNKNOWN}


def platform_of(tree: Tree) -> Platform:
    """The platform that plain data declares.

    Raises:
        DeclarationError: the model rejects a value.
    """
    return Platform(**cast("dict[str, Any]", dict(tree)))
