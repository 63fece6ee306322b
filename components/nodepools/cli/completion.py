"""Values that shells complete: stacks, clusters, pools and rules. Nothing of the project is executed, and no SDK is imported.

Stacks are programs, so names that a function computes are not found.
"""

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import typer

from nodepools.reading.project_folder import DEFAULT_STACK, known_stacks, project_folder

_CLUSTERS: Final = frozenset({"AksClusterArgs", "EksClusterArgs"})
_POOLS: Final = frozenset({"pools", "node_pools"})
_SYSTEM: Final = {"system_pool": "system"}
"""Fields that are one pool, with its key."""


def stacks(incomplete: str) -> list[str]:
    """The stacks of the project around the working directory."""
    project = project_folder(Path.cwd())
    return _matching(known_stacks(project) if project is not None else (), incomplete)


def clusters(ctx: typer.Context, incomplete: str) -> list[str]:
    """The clusters that the stack declares."""
    return _matching(_declared(ctx), incomplete)


def pools(ctx: typer.Context, incomplete: str) -> list[str]:
    """The pools that the stack declares, as `CLUSTER/POOL`."""
    return _matching((f"{cluster}/{pool}" for cluster, found in _declared(ctx).items() for pool in found), incomplete)


def rules(incomplete: str) -> list[tuple[str, str]]:
    """Rules by code, with their names; by name for what begins in lower case."""
    from nodepools.rules.engine.registry import all_codes  # imports all rules

    rows = [(code.name, code.code) if incomplete[:1].islower() else (code.code, code.name) for code in all_codes()]
    return sorted(row for row in rows if row[0].startswith(incomplete))


def adopt_files(incomplete: str) -> list[str]:
    """The commands below `adopt`, where no file has such a name: shells complete files only if nothing else matches."""
    taken = bool(incomplete) and any(Path.cwd().glob(f"{incomplete}*"))
    return _matching(("settle", "pending"), incomplete) if incomplete and not taken else []


def _declared(ctx: typer.Context) -> dict[str, list[str]]:
    project = project_folder(Path.cwd())
    if project is None or ctx.params.get("file"):
        return {}
    stack = ctx.params.get("stack")
    return names_in_stack(project / "stacks", stack if isinstance(stack, str) else DEFAULT_STACK)


def names_in_stack(folder: Path, stack: str) -> dict[str, list[str]]:
    """The pools of each cluster in the text of `stack`, and of the stacks that it imports, as far as they are written there."""
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


def _matching(names: Iterable[str], incomplete: str) -> list[str]:
    return sorted({name for name in names if name.startswith(incomplete)})
