"""Paths in code reviews: GitHub and GitLab expect them from the root of the repository, also if the command runs in a folder of it."""

import os
from pathlib import Path
from typing import Final

_ROOTS: Final = ("GITHUB_WORKSPACE", "CI_PROJECT_DIR")
"""Environment variables of CI runners with the root of the checkout."""


def in_repository(file: str) -> str:
    """The path from the root of the checkout, on a runner; otherwise as it is."""
    for variable in _ROOTS:
        root = os.environ.get(variable)
        if not root or not file:
            continue
        inside = os.path.relpath(Path.cwd() / file, root)
        if not inside.startswith(os.pardir):
            return inside
    return file
