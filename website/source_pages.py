"""Pages that show files of the project: the examples, and whatever else pages link to."""

import posixpath
from collections.abc import Sequence
from pathlib import Path

from website.layout import PROJECT

_LANGUAGES = {".py": "python", ".yaml": "yaml", ".json": "json", ".toml": "toml", ".md": "markdown", ".yml": "yaml"}
_TEXTS = ("Makefile", "LICENSE")
"""Files without a suffix that are shown."""
_HIDDEN = ("__pycache__", "venv", "node_modules")


def files_of(path: str) -> Sequence[str]:
    """Returns the files at `path`: itself, or those in the folder, as the version control would list them."""
    place = PROJECT / path
    if place.is_file():
        return [path]
    return [
        posixpath.join(path, file.relative_to(place).as_posix())
        for file in sorted(place.rglob("*"))
        if file.is_file() and not any(part in _HIDDEN or part.startswith(".") or part.endswith(".egg-info") for part in file.relative_to(place).parts)
    ]


def source_page(path: str) -> str:
    """Returns the page of a file, or of all files of a folder."""
    shown = [name for name in files_of(path) if Path(name).suffix in _LANGUAGES or Path(name).name in _TEXTS]
    parts = ["---", "orphan: true", "---", "", f"# `{path}`", ""]
    for name in shown:
        fence = "````"
        text = (PROJECT / name).read_text(encoding="utf-8").rstrip()
        parts += [
            *([f"## `{posixpath.relpath(name, path)}`", ""] if name != path else []),
            f"{fence}{_LANGUAGES.get(Path(name).suffix, 'text')}",
            text,
            fence,
            "",
        ]
    return "\n".join(parts)
