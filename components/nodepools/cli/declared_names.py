"""Names of clusters and pools in the text of a stack, as far as they are written there: the stack is not executed.

Stacks are programs, so names that a function computes are not found. For suggestions only.
"""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

_CLUSTERS: Final = frozenset({"AksClusterArgs", "EksClusterArgs"})
_POOLS: Final = frozenset({"pools", "node_pools"})
_SYSTEM: Final = {"system_pool": "system"}
"""Fields that are one pool, with its key."""


def names_in_stack(folder: Path, stack: str) -> dict[str, list[str]]:
    """The pools of each cluster in `stack`, and in the stacks that it imports."""
    trees = list(_trees(folder, stack, set()))
    found: dict[str, list[str]] = {}
    for tree in trees:
        for name, call in _entries(tree):
            if isinstance(call, ast.Call) and _called(call) in _CLUSTERS:
                found.setdefault(name, [])
    for tree in trees:
        for name, part in _entries(tree):
            if name in found:
                found[name] += [pool for pool in _pools(part) if pool not in found[name]]
    return found


def _trees(folder: Path, stack: str, seen: set[str]) -> Iterator[ast.Module]:
    """The text of a stack, after those that it imports."""
    file = folder / f"{stack}.py"
    if stack in seen or not file.is_file():
        return
    seen.add(stack)
    tree = ast.parse(file.read_text(encoding="utf-8-sig"))
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module is not None and node.module.split(".")[0] == folder.name:
            for name in (*(alias.name for alias in node.names), node.module.rpartition(".")[2]):
                yield from _trees(folder, name, seen)
    yield tree


def _entries(tree: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """The entries of all mappings whose key is text."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                if isinstance(key, ast.Constant) and isinstance(key.value, str):
                    yield key.value, value


def _pools(part: ast.expr) -> Iterator[str]:
    """Keys of `pools={…}` and `"node_pools": {…}` within a cluster, and that of `system_pool`."""
    keywords = ((node.arg, node.value) for node in ast.walk(part) if isinstance(node, ast.keyword) and node.arg is not None)
    for name, value in (*keywords, *_entries(part)):
        if name in _POOLS:
            yield from _keys(value)
        elif name in _SYSTEM:
            yield _SYSTEM[name]


def _keys(value: ast.expr) -> Iterator[str]:
    if isinstance(value, ast.Dict):
        yield from (key.value for key in value.keys if isinstance(key, ast.Constant) and isinstance(key.value, str))


def _called(call: ast.Call) -> str:
    match call.func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""
