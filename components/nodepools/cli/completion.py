"""Values that shells complete: stacks, clusters, pools and rules. Nothing of the project is executed, and no SDK is imported."""

from collections.abc import Iterable
from pathlib import Path

import typer

from nodepools.reading.project_folder import DEFAULT_STACK, known_stacks, project_folder


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
    from nodepools.cli.declared_names import names_in_stack

    stack = ctx.params.get("stack")
    return names_in_stack(project / "stacks", stack if isinstance(stack, str) else DEFAULT_STACK)


def _matching(names: Iterable[str], incomplete: str) -> list[str]:
    return sorted({name for name in names if name.startswith(incomplete)})
