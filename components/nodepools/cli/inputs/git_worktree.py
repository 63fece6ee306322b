"""Commits of the repository around the working directory, each checked out in a temporary worktree."""

import os
import re
import subprocess
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from nodepools.cli.problem import InputError, Problem, usage_error
from nodepools.model.values import dataclass

_SECONDS: Final = 120
_RELATIVE: Final = re.compile(r"[~^@]|^HEAD$")
"""A commit that is named by its distance from another one: `git fetch origin` has no such name."""
_OF_FILES: Final = (".yaml", ".yml", ".json", ".py")
"""Ends of names that are files, and no branches."""
SHORT: Final = 10
"""Characters of a commit that are shown."""


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit, and how the user named it."""

    ref: str
    sha: str

    def __str__(self) -> str:
        short = self.sha[:SHORT]
        return short if self.ref == self.sha else f"{self.ref} ({short})"


def merge_base(ref: str, other: str = "HEAD") -> Commit:
    """The last commit that both have in common: what a branch is compared with.

    Raises:
        InputError: there is no such commit, or git cannot be run.
    """
    one, two = commit(ref), commit(other)
    found = _git("merge-base", one.sha, two.sha)
    if found is None and _is_shallow():
        usage_error(f"this clone is shallow and lacks the common commit of `{ref}` and `{other}`: run `git fetch --unshallow`")
    if found is None:
        usage_error(f"`{ref}` and `{other}` have no common commit")
    return Commit(one.ref, found)


def commit(ref: str) -> Commit:
    """The commit that `ref` names, also as a branch of `origin`.

    Raises:
        InputError: there is no such commit, or git cannot be run.
    """
    for name in (ref, f"origin/{ref}"):
        found = _git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
        if found is not None:
            return Commit(name, found)
    raise InputError(Problem.of(_why_missing(ref)))


def commits(paths: Iterable[Path], most: int) -> list[str]:
    """The newest commits that changed one of the paths, as hashes, the newest first; none outside of a repository.

    Raises:
        InputError: git cannot be run.
    """
    found = _git("log", "--first-parent", f"--max-count={most}", "--format=%H", "--", *map(str, paths))
    return found.split() if found is not None else []


def head_of(paths: Iterable[Path]) -> str | None:
    """The commit that files of the repository are based on; `None` if it has none of them, and without git."""
    try:
        return commit("HEAD").sha if commits(paths, 1) else None
    except InputError:
        return None


def _why_missing(ref: str) -> str:
    if ref.endswith("/"):
        return f"{ref}: no such folder: name an existing one, or a branch: `nodepools diff main`"
    if Path(ref).suffix in _OF_FILES:
        return f"{ref}: no such file: `nodepools diff OLD NEW` compares two that exist, and `nodepools diff main --file FILE` one with a branch"
    if _git("rev-parse", "--git-dir") is None:
        return f"`{ref}` is neither a file nor a folder, and this is not a git repository"
    if _is_shallow():
        by_name = f"git fetch origin {ref.removeprefix('origin/')} && git fetch --unshallow"
        command = "git fetch --deepen=50`, or `git fetch --unshallow" if _RELATIVE.search(ref) else by_name
        return f"this clone is shallow and lacks `{ref}`: run `{command}`"
    missing = f"`{ref}` is neither a file, a folder nor a commit of this repository"
    if not _git("remote"):
        return f"{missing}: the branch here is `{_git('branch', '--show-current') or 'HEAD'}`"
    return f"{missing}: run `git fetch origin` if it is a new branch"


@contextmanager
def checked_out(at: Commit) -> Generator[Path]:
    """The folder that the working directory is at in a commit, during the `with` block.

    Raises:
        InputError: the commit cannot be checked out.
    """
    inside = _git("rev-parse", "--show-prefix")
    with TemporaryDirectory(prefix="nodepools-diff-") as folder:
        tree = Path(folder, "tree")
        if _git("-c", "core.hooksPath=/dev/null", "worktree", "add", "--detach", "--quiet", str(tree), at.sha) is None:
            usage_error(f"`git worktree add` cannot check out {at}")
        try:
            at_commit = tree / (inside if inside is not None else "")
            if not at_commit.is_dir():  # a search upwards would find the project of a folder above it
                usage_error(f"the folder `{inside}` does not exist in {at}: all of it is new, and there is nothing to compare")
            yield at_commit
        finally:
            _git("worktree", "remove", "--force", str(tree))


def _is_shallow() -> bool:
    return _git("rev-parse", "--is-shallow-repository") == "true"


def _git(*arguments: str) -> str | None:
    """What git prints; `None` if it fails."""
    environment = {**os.environ, "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}
    try:
        done = subprocess.run(  # noqa: S603  # arguments are a list, and a ref follows --end-of-options
            ["git", *arguments],  # noqa: S607  # the git of the user
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            timeout=_SECONDS,
            env=environment,
        )
    except FileNotFoundError:
        usage_error("`git` is not installed: a branch or a commit cannot be compared")
    except subprocess.TimeoutExpired:
        usage_error(f"`git {arguments[0]}` did not end within {_SECONDS} seconds")
    except ValueError as error:  # a null character
        usage_error(str(error))
    return done.stdout.strip() if done.returncode == 0 else None
