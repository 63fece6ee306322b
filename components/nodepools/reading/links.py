"""Links of untrusted projects. Where no code of the project runs, its files are those of a stranger: a link could show any file of the machine."""

import os
from pathlib import Path

_GIT = ".git"


def leads_out(path: Path) -> bool:
    """Whether a path in a checkout, or below the working directory, leads out of it through a link, or into the data of git."""
    named = Path(os.path.abspath(path))  # noqa: PTH100  # as written: `resolve` would follow the link
    found = Path(os.path.realpath(named))
    checkout = next((parent for parent in named.parents if (parent / _GIT).exists()), None)
    root = checkout if checkout is not None else Path.cwd()
    if not named.is_relative_to(root):
        return False
    real = Path(os.path.realpath(root))
    return not found.is_relative_to(real) or found.is_relative_to(real / _GIT)
