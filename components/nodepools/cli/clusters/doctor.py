"""`nodepools doctor`: tools that a first `pulumi up` needs on this machine, what to check manually in each account, and tables that are old."""

import shutil
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import date
from typing import Final, Protocol

import typer

from nodepools.cli.clusters.aks_prerequisites import AksNeeds
from nodepools.cli.clusters.eks_prerequisites import EksNeeds
from nodepools.cli.command_run import Result
from nodepools.cli.existing.export_commands import export_commands
from nodepools.data.table_dates import OLD, TABLES, TableDate
from nodepools.data.version_support import day_or_today
from nodepools.model.per_cloud import PerCloud
from nodepools.model.platform import Platform

_TOOLS: Final = {
    "pulumi": "deploys; `check` and `preview` do not need it",
    "kubelogin": "logs in to AKS clusters with Entra ID",
    "aws": "gets tokens for EKS clusters",
}
"""What each tool is for, in the order of the output."""


class ClusterNeeds(Protocol):
    """Prerequisites of a cluster; each cloud has one implementation."""

    def tools(self) -> Iterator[str]:
        """Names of tools."""
        ...

    def environment(self) -> Iterator[tuple[str, str]]:
        """Missing settings of this machine: topic and text."""
        ...

    def account(self) -> Iterator[tuple[str, str]]:
        """Roles and quota to check manually: topic and text."""
        ...


_needs_of: Final[PerCloud[[], ClusterNeeds]] = PerCloud(aks=AksNeeds, eks=EksNeeds)
"""The prerequisites of a cluster."""


@dataclass(frozen=True, slots=True)
class Tool:
    """A program that Pulumi or a kubeconfig calls."""

    name: str
    why: str
    path: str | None


@dataclass(frozen=True, slots=True)
class Need:
    """A prerequisite that cannot be checked offline."""

    cluster: str
    what: str
    need: str


def exports(platform: Platform) -> Result:
    """The commands that export its clusters: a script of a shell, with a comment for each cluster."""
    commands = export_commands(platform)
    listed = [{"cluster": key, "command": command} for key, of_cluster in commands.items() for command in of_cluster]

    def show() -> None:
        for key, of_cluster in commands.items():
            typer.echo("\n".join((f"# {key}", *of_cluster)))

    return Result(lambda: {"exports": listed}, show)


def diagnose(platform: Platform, today: date | None) -> Result:
    """Tools, prerequisites, and the age of tables at `today`. It fails if a tool is missing."""
    day = day_or_today(today)
    tools, needs = list(_tools(platform)), list(_needs(platform))
    missing = [tool.name for tool in tools if tool.path is None]
    fields = {
        "tools": [asdict(tool) for tool in tools],
        "needs": [asdict(need) for need in needs],
        "missing": missing,
        "tables": [_table_json(table, day) for table in TABLES],
    }
    return Result(lambda: fields, lambda: _print(tools, needs, day), fails=bool(missing))


def _table_json(table: TableDate, today: date) -> dict[str, object]:
    return {"name": table.name, "day": table.day.isoformat(), "age_days": table.age(today), "is_old": table.is_old(today), "source": table.source}


def _print(tools: list[Tool], needs: list[Need], today: date) -> None:
    typer.echo("Tools on this machine")
    for tool in tools:
        typer.echo(f"  {'found  ' if tool.path else 'missing'}  {tool.name:<10} {tool.why}{f'  ({tool.path})' if tool.path else ''}")
    typer.echo("\nCheck manually")
    for need in needs:
        typer.echo(f"  {need.cluster:<8} {need.what:<7} {need.need}")
    typer.echo("\nTables of this version of nodepools")
    for line in _table_lines(today):
        typer.echo(f"  {line}")


def _table_lines(today: date) -> Iterator[str]:
    old = [table for table in TABLES if table.is_old(today)]
    if not old:
        yield f"all {len(TABLES)} are at most {OLD.days} days old"
        return
    width = max(len(table.name) for table in old)
    yield from (f"warning  {table.name:<{width}}  as of {table.day}, {table.age(today)} days old" for table in old)
    yield f"Tables older than {OLD.days} days can lack new versions, sizes and prices: install a newer version of nodepools"


def _tools(platform: Platform) -> Iterator[Tool]:
    needed = {"pulumi", *(name for cluster in platform.clusters.values() for name in _needs_of(cluster).tools())}
    yield from (Tool(name, why, shutil.which(name)) for name, why in _TOOLS.items() if name in needed)


def _needs(platform: Platform) -> Iterator[Need]:
    """First the environment of every cluster, then the accounts."""
    of_clusters = {key: _needs_of(cluster) for key, cluster in platform.clusters.items()}
    yield from (Need(key, what, need) for key, needs in of_clusters.items() for what, need in needs.environment())
    yield from (Need(key, what, need) for key, needs in of_clusters.items() for what, need in needs.account())
