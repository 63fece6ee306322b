"""What another version of this library registers for the same declarations: docs/upgrading.md has what it prints, before a release.

`python tools/library_changes.py v0.1.0`: the stacks and examples of this checkout, planned by that commit or tag and by this one, as a table.
`python tools/library_changes.py FOLDER`: the same with the version in a folder that has the package, such as `site-packages` of another environment.
It exits with 1 if a stack cannot be planned by one of the versions; a difference is not an error, but what the page is about.
"""

import io
import json
import os
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

PROJECT: Final = Path(__file__).resolve().parents[1]
NOTHING: Final = "nothing changes"
NOT_PLANNED: Final = "cannot be planned"


@dataclass(frozen=True)
class Target:
    """A stack of a project."""

    folder: str
    stack: str

    @property
    def name(self) -> str:
        """As the table names it."""
        return f"`{self.stack}`" if self.folder == "." else f"`{self.folder}`, `{self.stack}`"


def targets(project: Path = PROJECT) -> Iterator[Target]:
    """The stacks of this repository, and those of the examples that are projects."""
    for folder in (project, *sorted(file.parent for file in project.glob("examples/*/Pulumi.yaml"))):
        stacks = sorted({file.stem for end in ("py", "yaml") for file in (folder / "stacks").glob(f"*.{end}") if not file.stem.startswith("_")})
        for stack in stacks if stacks else ["dev"]:
            yield Target(folder.relative_to(project).as_posix(), stack)


def plan(target: Target, library: Path, to: Path) -> str:
    """Writes what a version registers into a file; returns why it does not, or nothing."""
    command = [sys.executable, "-P", "-m", "nodepools", "preview", "--stack", target.stack, "--today", "2026-11-21", "--format", "json"]
    environment = {**os.environ, "PYTHONPATH": str(library), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(command, cwd=PROJECT / target.folder, env=environment, capture_output=True, text=True, check=False)  # noqa: S603  # our own words
    to.write_text(done.stdout, encoding="utf-8")
    try:
        return "" if json.loads(done.stdout)["resources"] else done.stderr.strip()
    except (ValueError, KeyError):
        return done.stderr.strip()


def difference(target: Target, old: Path, new: Path, folder: Path) -> str:
    """The answer of `nodepools diff` to the plans of both versions, without their names."""
    plans = {which: folder / f"{which}.json" for which in ("old", "new")}
    for which, library in (("old", old), ("new", new)):
        failed = plan(target, library, plans[which])
        if failed:
            return f"{NOT_PLANNED} by the {which} version: {failed.splitlines()[-1]}"
    command = [sys.executable, "-P", "-m", "nodepools", "diff", str(plans["old"]), str(plans["new"]), "--format", "json"]
    environment = {**os.environ, "PYTHONPATH": str(new)}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)  # noqa: S603  # our own words
    found = json.loads(done.stdout)
    if not found["complete"]:
        return f"{NOT_PLANNED}: {found['answer']}"
    answer = str(found["answer"]).partition(": ")[2]
    rest = [f"{one['what']} {one['type'].rpartition(':')[2]} `{one['name']}`" for one in found.get("other_resources", [])]
    return "; ".join([answer, *rest])


def exported(commit: str, folder: Path) -> Path:
    """The library of a commit, in a folder.

    Raises:
        SystemExit: there is no such commit.
    """
    done = subprocess.run(["git", "archive", commit, "components"], cwd=PROJECT, capture_output=True, check=False)  # noqa: S603, S607  # our own words
    if done.returncode:
        raise SystemExit(f"{commit}: {done.stderr.decode().strip()}")
    with tarfile.open(fileobj=io.BytesIO(done.stdout)) as archive:
        archive.extractall(folder, filter="data")
    return folder / "components"


def table(old: str, chosen: Sequence[Target]) -> Iterator[str]:
    """The lines of the table. Stacks with the same difference share one."""
    with tempfile.TemporaryDirectory() as temporary:
        place = Path(temporary)
        library = Path(old).absolute() if (Path(old) / "nodepools").is_dir() else exported(old, place)
        found: dict[str, list[str]] = {}
        for target in chosen:
            found.setdefault(difference(target, library, PROJECT / "components", place), []).append(target.name)
    yield from ("| stacks of the repository | what the upgrade does |", "|---|---|")
    yield from (f"| {'; '.join(names)} | {said} |" for said, names in found.items())


if __name__ == "__main__":
    if len(sys.argv) != 2:  # noqa: PLR2004
        raise SystemExit(__doc__)
    printed = list(table(sys.argv[1], list(targets())))
    sys.stdout.write("\n".join(printed) + "\n")
    raise SystemExit(any(NOT_PLANNED in line for line in printed))
