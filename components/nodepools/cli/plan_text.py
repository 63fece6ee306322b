"""A registration plan as text: resources as a tree, then clusters and pools, outputs and findings."""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from typing import cast

from rich.box import HORIZONTALS
from rich.console import Console
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from nodepools.cli import overview
from nodepools.cli.cluster_rows import ClusterRow, PoolRow
from nodepools.cli.report import listed, print_findings, summary
from nodepools.engine.plan import Plan, PlannedResource
from nodepools.model.platform import Platform
from nodepools.rules.finding import Finding

_ROOT = "pulumi:pulumi:Stack"
_UNCUT = 500
_TABLE_WIDTH = 170
_LONGEST_OUTPUT = 160
_MARKS = {"$secret": "(secret)", "$unknown": "(known after `pulumi up`)"}


def print_plan(plan: Plan, platform: Platform | None, findings: Sequence[Finding], *, notes: bool = True) -> None:
    """Prints the plan. Without a terminal, output is wide and plain: nothing is cut."""
    console = Console(highlight=False, soft_wrap=False)
    if not console.is_terminal:
        console.width = _UNCUT
    console.print(_tree(plan))
    if platform is not None:
        _print_clusters(console, platform)
        _print_pools(console, platform)
    for name, value in plan.outputs.items():
        console.print(Text(f"\nOutput {name}", style="bold"))
        _print_output(console, value)
    for diagnostic in plan.diagnostics:
        console.print(Text(f"{diagnostic.severity}: {diagnostic.message}"))
    console.print()
    print_findings(listed(findings, notes=notes))
    number = sum(resource.type != _ROOT for resource in plan.resources)
    console.print(Text(f"{plan.stack}: {number} resource{'s' * (number != 1)} would be registered; {summary(findings, notes=notes)}.", style="bold"))
    console.print("This plan lists what the program registers. Run `pulumi preview` to compare it with what exists.")


def _tree(plan: Plan) -> Tree:
    children: dict[str | None, list[PlannedResource]] = defaultdict(list)
    known = {resource.urn for resource in plan.resources if resource.type != _ROOT}
    for resource in plan.resources:
        if resource.type != _ROOT:
            children[resource.parent if resource.parent in known else None].append(resource)
    tree = Tree(Text(f"stack {plan.stack}", style="bold"))
    _grow(tree, None, children)
    return tree


def _grow(branch: Tree, parent: str | None, children: Mapping[str | None, Sequence[PlannedResource]]) -> None:
    for resource in sorted(children.get(parent, ()), key=lambda child: (child.type, child.name)):
        label = Text.assemble((resource.name, "bold"), "  ", (resource.type, "dim"), _marks(resource))
        _grow(branch.add(label), resource.urn, children)


def _marks(resource: PlannedResource) -> str:
    marks = [name for name in ("protect", "retainOnDelete") if resource.options.get(name)]
    ignored = resource.options.get("ignoreChanges")
    if isinstance(ignored, list) and ignored:
        marks.append(f"ignores changes of {', '.join(map(str, ignored))}")
    return f"  [{'; '.join(marks)}]" if marks else ""


def _print_clusters(console: Console, platform: Platform) -> None:
    rows = overview.clusters(platform)
    _print_table(
        console, "Clusters", ClusterRow, [(r.cluster, r.cloud, r.region, r.version, r.network, r.api_server, r.node_provisioning) for r in rows]
    )


def _print_pools(console: Console, platform: Platform) -> None:
    rows = overview.pools(platform)
    if console.width >= _TABLE_WIDTH:
        cells = [(r.cluster, r.pool, r.kind, "\n".join(r.sizes), r.scale, "\n".join(r.taints), "\n".join(r.labels)) for r in rows]
        _print_table(console, "Pools", PoolRow, cells)
        return
    console.print(Text("\nPools", style="bold"))
    for row in rows:
        console.print(Text.assemble((f"{row.cluster}/{row.pool}", "bold"), f"  {row.kind}, {row.scale}"))
        for name, lines in (("sizes", row.sizes), ("taints", row.taints), ("labels", row.labels)):
            for line in lines:
                console.print(Text(f"    {name:<7}{line}"))


def _print_table(console: Console, title: str, row: type[ClusterRow | PoolRow], cells: Iterable[Sequence[str]]) -> None:
    table = Table(box=HORIZONTALS, show_lines=True, pad_edge=False)
    for column in fields(row):
        table.add_column(column.name.replace("_", " "), overflow="fold", no_wrap=not console.is_terminal)
    for line in cells:
        table.add_row(*map(Text, line))
    console.print(Text(f"\n{title}", style="bold"))
    console.print(table)


def _print_output(console: Console, value: object, indent: str = "  ") -> None:
    inside = _inside(value)
    if not inside:
        console.print(Text(f"{indent}{_shown(value)}"))
    for key, part in inside.items():
        if _inside(part):
            console.print(Text(f"{indent}{key}"))
            _print_output(console, part, f"{indent}  ")
        else:
            console.print(Text(f"{indent}{key}: {_shown(part)}"))


def _inside(value: object) -> Mapping[str, object]:
    """The entries of a mapping; none if it represents a secret or unknown value."""
    if not isinstance(value, Mapping) or any(mark in value for mark in _MARKS):
        return {}
    return cast("Mapping[str, object]", value)


def _shown(value: object) -> str:
    if isinstance(value, Mapping):
        for mark, text in _MARKS.items():
            if mark in value:
                return text
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST_OUTPUT else f"{text[:_LONGEST_OUTPUT]}…"
