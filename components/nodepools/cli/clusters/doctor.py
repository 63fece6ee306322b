"""`nodepools doctor`: tools that a first `pulumi up` needs on this machine, what to check manually in each account, and tables that are old."""

import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import date
from typing import Final

import typer

from nodepools.cli.command_run import Result
from nodepools.cli.output.report import COMMENT, MOST_STEPS, Act, Report, Row, Section, Step, Tone, command, edit, lines_of
from nodepools.clouds.cloud import Prerequisites
from nodepools.clouds.registry import cloud_of
from nodepools.data.table_files import OLD, TABLES, TableDate
from nodepools.data.version_support import day_or_today
from nodepools.model.listing import counted, grouped
from nodepools.model.platform import Platform
from nodepools.model.values import dataclass


@dataclass(frozen=True, slots=True)
class _Known:
    """What a tool is for, and how its makers install it."""

    purpose: str
    command: str
    """One that installs it on Linux and macOS; empty if there is none."""
    page: str
    is_required: bool = True


_TOOLS: Final = {
    "pulumi": _Known(
        "deploys; `check` and `preview` do not need it", "curl -fsSL https://get.pulumi.com | sh", "https://www.pulumi.com/docs/iac/download-install/"
    ),
    "az": _Known(
        "logs in to Azure, reads quotas, exports AKS clusters", "", "https://learn.microsoft.com/cli/azure/install-azure-cli", is_required=False
    ),
    "kubelogin": _Known("logs in to AKS clusters with Entra ID", "az aks install-cli", "https://azure.github.io/kubelogin/install.html"),
    "aws": _Known("gets tokens for EKS clusters", "", "https://docs.aws.amazon.com/cli/latest/userguide/getting-started-install.html"),
    "kubectl": _Known("exports the objects of clusters", "", "https://kubernetes.io/docs/tasks/tools/", is_required=False),
}
"""In the order of the output, and of installing them."""
_ROOT: Final = "live"
_TOPICS: Final = ("login", "package", "group", "role", "region", "quota")
"""What prerequisites are about, in the order of the output."""


@dataclass(frozen=True, slots=True)
class Tool:
    """A program that Pulumi, a kubeconfig or an export calls."""

    name: str
    purpose: str
    install: Step
    """A command, or the page of its makers."""
    is_required: bool
    """`pulumi up` needs it."""
    path: str | None

    @property
    def is_missing(self) -> bool:
        """It is required, and not here."""
        return self.path is None and self.is_required

    @property
    def row(self) -> Row:
        """Its row, with its path or how to install it."""
        found = ("✔ found", Tone.GOOD) if self.path is not None else ("✘ missing", Tone.BAD) if self.is_required else ("- not here", Tone.PLAIN)
        return Row(
            (found[0], self.name, f"{self.purpose}{'' if self.is_required else ': not for `pulumi up`'}"),
            found[1],
            details=(self.path if self.path is not None else f"install: {self.install}",),
        )


@dataclass(frozen=True, slots=True)
class Need:
    """A prerequisite that cannot be checked offline."""

    cluster: str
    what: str
    need: str


def export_commands(*platforms: Platform) -> dict[str, list[str]]:
    """The shell commands by cluster, with the folder of each under `live`: `weu`, or `dev/weu` if there are several platforms.

    They only read; `adopt` and `--existing` read the folder.
    """
    several = len(platforms) > 1
    return {
        name: list(_commands(platform, key, f"{_ROOT}/{name}"))
        for platform in platforms
        for key in platform.clusters
        for name in [f"{platform.name}/{key}" if several else key]
    }


def _commands(platform: Platform, key: str, folder: str) -> Iterator[str]:
    yield f"mkdir -p {folder}"
    yield from cloud_of(platform.cluster(key)).export_commands(platform.stem(key), folder)


def exports(platforms: Sequence[Platform]) -> Result:
    """The commands that export their clusters: a script of a shell, with a comment for each cluster."""
    commands = export_commands(*platforms)
    every = [{"cluster": key, "command": command} for key, of_cluster in commands.items() for command in of_cluster]

    def show() -> None:
        for key, of_cluster in commands.items():
            typer.echo("\n".join((f"# {key}", *of_cluster)))

    return Result(lambda: {"exports": every}, show)


def diagnose(about: str, platforms: Sequence[Platform], today: date | None, options: str) -> Result:
    """Tools, prerequisites, and the age of tables at `today`; `options` name the platforms. It fails if a tool is missing."""
    day = day_or_today(today)
    clusters = {
        key if len(platforms) == 1 else f"{one.name}/{key}": cloud_of(cluster).prerequisites()
        for one in platforms
        for key, cluster in one.clusters.items()
    }
    tools, needs = list(_tools(clusters.values())), list(_needs(clusters))
    missing, required = [tool for tool in tools if tool.is_missing], sum(tool.is_required for tool in tools)
    fields = {
        "tools": [asdict(tool) for tool in tools],
        "needs": [asdict(need) for need in needs],
        "missing": [tool.name for tool in missing],
        "tables": [_table_json(table, day) for table in TABLES],
    }
    old = [table for table in TABLES if table.is_old(day)]
    answer = (
        f"{len(missing)} of {required} required tools {'is' if len(missing) == 1 else 'are'} missing: {', '.join(tool.name for tool in missing)}"
        if missing
        else f"all {required} required tools are here"
    ) + (f"; {counted(len(needs), 'need')} of the accounts to check by hand" if needs else "")
    upgrade = (
        [command("pip install --upgrade nodepools", Act.INSTALLS, f"newer tables than those of {min(table.day for table in old)}")] if old else []
    )
    sections = (Section("Tools on this machine", tuple(tool.row for tool in tools)), _manual(needs), _table_section(old, day))
    login = next((f"export {need.need.partition(' ')[0]}=azurecli && " for need in needs if need.what == "login"), "")  # begins with the variable
    why = f"compares the quotas of one cluster at a time with what it needs{'; azurecli: the login of `az login`' if login else ''}"
    quota = command(f"{login}nodepools capacity {options} --context CONTEXT --cloud", Act.NONE, why)
    quotas = [quota] if any(need.what == "quota" for need in needs) else []
    wanted = [tool.install for tool in tools if tool.path is None and (tool.is_required or quotas)]  # quotas are read with the optional ones
    by_hand = ", then ".join(one.removeprefix("Install ") for one in wanted if COMMENT not in one)
    installs = [*(one for one in wanted if COMMENT in one), *([edit(f"Install {by_hand}")] if by_hand else [])]
    steps = (*installs[: MOST_STEPS - 1], *upgrade, *quotas)
    report = Report(about, f"{answer}{f'; {len(old)} tables are old' if old else ''}", steps, sections)
    return Result(lambda: fields, fails=bool(missing), report=report)


def _manual(needs: Sequence[Need]) -> Section:
    """What to check in the accounts, each once for all clusters that need it."""
    clusters = grouped(((need.what, need.need), need.cluster) for need in sorted(needs, key=lambda need: _TOPICS.index(need.what)))
    rows = [Row((what, ", ".join(keys), text), is_detail=what == "quota") for (what, text), keys in clusters.items()]
    quotas = sum(row.is_detail for row in rows)
    every = Row(("quota", "all", f"{quotas} quotas, each in a row of its own with --details"))
    return Section("Make sure by hand that the accounts have", (*rows, *([every] if quotas else [])))


def _table_section(old: Sequence[TableDate], today: date) -> Section:
    """Old tables; if none is old, one line with the details."""
    if not old:
        return lines_of("Tables of this version", f"all {len(TABLES)} are at most {OLD.days} days old", is_detail=True)
    rows = [Row((table.name, f"as of {table.day}, {table.age(today)} days old"), Tone.CAUTION) for table in old]
    advice = Row((f"Tables older than {OLD.days} days can lack new versions, sizes and prices: install a newer version of nodepools",))
    return Section("Old tables of this version", (*rows, advice))


def _table_json(table: TableDate, today: date) -> dict[str, object]:
    return {"name": table.name, "day": table.day.isoformat(), "age_days": table.age(today), "is_old": table.is_old(today), "source": table.source}


def _tools(clusters: Iterable[Prerequisites]) -> Iterator[Tool]:
    needed = {"pulumi", "kubectl", *(name for cluster in clusters for name in cluster.tools)}
    for name, known in _TOOLS.items():
        if name in needed:
            runs = known.command and shutil.which(known.command.split()[0])  # a command of a tool that is not here installs nothing
            how = f"`{known.command}` or {known.page}" if known.command else known.page
            install = command(known.command, Act.INSTALLS, f"or see {known.page}") if runs else edit(f"Install `{name}` ({how})")
            yield Tool(name, known.purpose, install, known.is_required, shutil.which(name))


def _needs(clusters: Mapping[str, Prerequisites]) -> Iterator[Need]:
    """First the environment of every cluster, then the accounts."""
    yield from (Need(key, what, need) for key, needs in clusters.items() for what, need in needs.environment)
    yield from (Need(key, what, need) for key, needs in clusters.items() for what, need in needs.account)
