"""The folder of a Pulumi project, its project file, and its stacks."""

from pathlib import Path
from typing import Final

DEFAULT_STACK: Final = "dev"

_PROJECT_FILES: Final = ("Pulumi.json", "Pulumi.yaml", "Pulumi.yml")
"""In the order in which the Pulumi CLI takes them. Source: `encoding.Exts` of github.com/pulumi/pulumi 3.274.1 (2026-11-27)."""


def project_file(folder: Path) -> Path | None:
    """The project file in a folder; `None` if there is none."""
    return next((file for name in _PROJECT_FILES if (file := folder / name).is_file()), None)


def project_folder(start: Path) -> Path | None:
    """The nearest folder with a project file, from `start` upwards, as Pulumi searches it; `None` if there is none."""
    return next((folder for folder in (start, *start.parents) if project_file(folder) is not None), None)


def known_stacks(directory: Path) -> list[str]:
    """The names of the stacks of a project."""
    return sorted(path.stem for path in (directory / "stacks").glob("*.py") if not path.stem.startswith("_"))
