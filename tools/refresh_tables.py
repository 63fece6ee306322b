"""Refreshes the tables of the clouds whose source is a public repository, and prints what changed, as Markdown for a pull request.

`python tools/refresh_tables.py [SOURCES [DATA]]`: SOURCES is where the repositories are, `https://github.com` by default; DATA is the folder of the
tables. A table is written only if its source could be read, keeps nine of ten of its rows, and is not older; otherwise it stays as it is, the report
says why, and the exit code is 1. Same source, same bytes. What people edit (`compare_…`) is compared, and the differences are in the report.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from table_file import rows_of

from nodepools.data.table_files import TABLES, TableDate

TOOLS: Final = Path(__file__).resolve().parent
DATA: Final = TOOLS.parent / "components/nodepools/data"
GITHUB: Final = "https://github.com"
_DAY: Final = re.compile(r"20[0-9]{2}-[0-9]{2}-[0-9]{2}")
_GIT: Final = {**os.environ, "GIT_TERMINAL_PROMPT": "0"}
_KEPT: Final = 0.9


class UnreadableError(Exception):
    """The source of a table cannot be read, or is not what it was."""


class Checkout(NamedTuple):
    """One commit of a repository, with the files of a table."""

    folder: Path
    name: str
    """The tag, or the commit."""
    day: str


class Source(NamedTuple):
    """Where a table comes from."""

    repository: str
    path: str
    """The file or folder that the tool reads."""
    arguments: Callable[[Checkout], Sequence[str]]
    """The arguments of the tool between the source and the table."""
    tags: str | None = None
    """Tags of its releases: the newest one is read, instead of the newest commit."""


def _origin(read: Checkout) -> Sequence[str]:
    return (f"{read.name}, {read.day}",)


def _day(read: Checkout) -> Sequence[str]:
    return (read.day,)


def _name_and_day(read: Checkout) -> Sequence[str]:
    return read.name, read.day


def _nothing(_: Checkout) -> Sequence[str]:
    return ()


_AKS_DOCS, _EKS_DOCS, _KARPENTER = "MicrosoftDocs/azure-aks-docs", "awsdocs/amazon-eks-user-guide", "aws/karpenter-provider-aws"
SOURCES: Final = {
    "fold_aks_versions.py": Source(_AKS_DOCS, "articles/aks/supported-kubernetes-versions.md", _origin),
    "fold_eks_versions.py": Source(_EKS_DOCS, "latest/ug/versioning/kubernetes-versions.adoc", _origin),
    "fold_add_on_minimums.py": Source(_EKS_DOCS, "latest/ug/automode/auto-enable-existing.adoc", _day),
    "fold_karpenter_versions.py": Source(_KARPENTER, "website/content/en/docs/upgrading/compatibility.md", _origin),
    "fold_aws_regions.py": Source("boto/botocore", "botocore/data/partitions.json", _name_and_day, tags=r"1\.[0-9]+\.[0-9]+"),
    "fold_removed_apis.py": Source("kubernetes/api", ".", _origin, tags=r"v0\.[0-9]+\.[0-9]+"),
    "fold_kubernetes_fields.py": Source("kubernetes-client/python", "kubernetes/client/models", _origin, tags=r"v[0-9]+\.[0-9]+\.[0-9]+"),
    "compare_aks_images.py": Source(_AKS_DOCS, "articles/aks/upgrade-os-version.md", _nothing),
    "compare_aks_retirements.py": Source(_AKS_DOCS, "articles/aks/includes", _nothing),
}
"""By the tool of the table. The others need an account or several releases: `make tables` names them when they are old."""


def git(*arguments: str) -> str:
    """What git prints."""
    done = subprocess.run(["git", *arguments], capture_output=True, text=True, check=False, env=_GIT)  # noqa: S603, S607  # our own words
    if done.returncode:
        raise UnreadableError(last_line(done.stderr))
    return done.stdout


def last_line(text: str) -> str:
    """The line that says what went wrong; git explains its first one."""
    lines = text.strip().splitlines()
    return next((line for line in lines if line.startswith("fatal:")), lines[-1] if lines else "no reason was printed")


def checkout(source: Source, base: str, folder: Path) -> Checkout:
    """A shallow clone with the path of the table only."""
    url = f"{base}/{source.repository}"
    tag = newest_tag(source.tags, url) if source.tags is not None else None
    of_tag = ("--branch", tag) if tag is not None else ()
    git("clone", "--quiet", "--depth=1", "--filter=blob:none", "--sparse", "--config=advice.detachedHead=false", *of_tag, url, str(folder))
    git("-C", str(folder), "sparse-checkout", "set", "--no-cone", "/*" if source.path == "." else f"/{source.path}")
    commit, _, day = git("-C", str(folder), "log", "-1", "--date=short", "--abbrev=8", "--format=%h %cd").strip().partition(" ")
    if not (folder / source.path).exists():
        raise UnreadableError(f"{source.repository} has no `{source.path}`")
    return Checkout(folder, tag if tag is not None else commit, day)


def newest_tag(tags: str, url: str) -> str:
    """The tag with the highest numbers."""
    listed = re.findall(rf"refs/tags/({tags})$", git("ls-remote", "--tags", "--refs", url), re.MULTILINE)
    if not listed:
        raise UnreadableError(f"no tag matches `{tags}`")
    return max(listed, key=lambda tag: [int(number) for number in re.findall(r"[0-9]+", tag)])


def run(tool: str, arguments: Sequence[str]) -> str:
    """What a tool prints. A tool that compares exits with 1 and prints no error if something differs."""
    done = subprocess.run([sys.executable, str(TOOLS / tool), *arguments], capture_output=True, text=True, check=False)  # noqa: S603  # our own tools
    if done.stderr or (done.returncode and tool.startswith("fold_")):
        raise UnreadableError(last_line(done.stderr))
    return done.stdout


def refreshed(table: TableDate, source: Source, base: str, data: Path) -> str:
    """What changed in a table, which is written."""
    with TemporaryDirectory() as place:
        work = Path(place)
        read = checkout(source, base, work / "source")
        given = [str(read.folder / source.path), *source.arguments(read)]
        if not table.is_written:
            return run(table.tool, given)
        made, stored = work / table.file, data / table.file
        shutil.copy(stored, made)
        run(table.tool, [*given, str(made)])
        before, after = lines_of(stored), lines_of(made)
        lost = {row[0] for row in rows_of(stored)} - {row[0] for row in rows_of(made)}
        if len(lost) > (1 - _KEPT) * len(before):
            raise UnreadableError(f"{len(lost)} of {len(before)} rows are missing in it: {', '.join(sorted(lost))}")
        if before != after and day_in(made) < day_in(stored):
            raise UnreadableError(f"its source is of {day_in(made)}, and the table of {day_in(stored)}")
        if before != after or day_in(made) > day_in(stored):
            shutil.copyfile(made, stored)
        new, gone = [f"+{row}" for row in after if row not in before], [f"-{row}" for row in before if row not in after]
        return "\n".join([*gone, *new])


def lines_of(table: Path) -> Sequence[str]:
    """The rows as text."""
    return [" ".join(row) for row in rows_of(table)]


def day_in(table: Path) -> str:
    """The day in the first line."""
    found = _DAY.search(table.read_text(encoding="utf-8").partition("\n")[0])
    if found is None:
        raise UnreadableError("its first line would have no day")
    return found[0]


def main(base: str = GITHUB, data: str = str(DATA)) -> int:
    """Prints the report, and returns the exit code."""
    failed = False
    for table in TABLES:
        source = SOURCES.get(table.tool)
        if source is None:
            continue
        try:
            changed = refreshed(table, source, base, Path(data)).strip()
            verdict = f"```diff\n{changed}\n```" if changed else "No row differs."
        except UnreadableError as error:
            verdict, failed = f"**Not refreshed:** {error}", True
        sys.stdout.write(f"### {table.name} (`{table.file}`)\n\n{verdict}\n\n")
    sys.stdout.write(f"{len(TABLES) - len(SOURCES)} other tables have no public repository: `make tables` lists those that are old.\n")
    return failed


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
