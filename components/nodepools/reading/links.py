"""Whether commands run code of the project, and links of untrusted ones, which are data only: a link could show any file of the machine."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

VARIABLE: Final = "NODEPOOLS_NO_CODE"
"""The environment variable that turns code off."""
_ON: Final = ("", "0")


def is_allowed() -> bool:
    """Whether code of the project can run."""
    return os.environ.get(VARIABLE, "") in _ON


def turned_off(what: str) -> str:
    """Why `what` does not run, and what to do."""
    return f"{what} is code, which the environment variable `{VARIABLE}` turns off: check manifests, or a platform file with `--file`"


_GIT = ".git"


def refusal(path: Path) -> str | None:
    """Why a file or a folder of a project whose code does not run is not read; `None` if it is."""
    if is_allowed() or not leads_out(path):
        return None
    return f"is a link that leads out of the project: with `{VARIABLE}`, only files in the project are read"


def linked_away(folder: Path, roots: Iterable[Path]) -> str | None:
    """Why a folder below `roots` is not read; `None` if it is, or if its files are read at their own place below one of the roots.

    A link to a folder is not followed: it could lead to itself, or to all files of the machine.
    """
    if not folder.is_symlink() or any(_real(folder).is_relative_to(_real(root)) for root in roots):
        return None
    return refusal(folder) or "is a link to a folder, and its files were not read: name that folder, or exclude the link"


def leads_out(path: Path) -> bool:
    """Whether a path in a checkout, or below the working directory, leads out of it through a link, or into the data of git."""
    named = Path(os.path.abspath(path))  # noqa: PTH100  # as written: `resolve` would follow the link
    found = Path(os.path.realpath(path))
    return any(not found.is_relative_to(root) or found.is_relative_to(root / _GIT) for root in map(_real, _roots(named)))


def _roots(named: Path) -> Iterator[Path]:
    """All checkouts around a path, because the nearest one can itself be behind a link; where none is around it, the working directory."""
    checkouts = [parent for parent in (named, *named.parents) if (parent / _GIT).exists()]
    here = Path.cwd()
    yield from checkouts
    if named.is_relative_to(here) and not any(here.is_relative_to(checkout) for checkout in checkouts):
        yield here


def _real(folder: Path) -> Path:
    return Path(os.path.realpath(folder))
