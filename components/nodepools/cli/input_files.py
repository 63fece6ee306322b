"""Reads the input of commands: files, directories and stdin."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from nodepools.cli.configuration import is_excluded
from nodepools.manifests.yaml_documents import TextError

STDIN: Final = "-"
_SUFFIXES: Final = (".yaml", ".yml", ".json")
_LARGEST: Final = 32 * 1024 * 1024


def files(path: Path) -> Sequence[Path]:
    """All YAML and JSON files in a directory and below, or the path itself, even if it does not exist. Without excluded files."""
    if path.is_dir():
        return sorted(file for file in path.rglob("*") if file.suffix in _SUFFIXES and file.is_file() and not is_excluded(file))
    return [] if str(path) != STDIN and is_excluded(path) else [path]


def text(path: Path) -> str:
    """Reads a file or stdin as UTF-8, whatever the locale. At most 32 MiB, to limit memory use.

    Raises:
        TextError: it cannot be read, is too large, or is not UTF-8 text.
    """
    try:
        data = _from_stdin() if str(path) == STDIN else _from_file(path)
    except OSError as error:
        raise TextError(f"{path}: {error.strerror}") from None
    if len(data) > _LARGEST:
        raise TextError(f"{path}: is larger than 32 MiB")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise TextError(f"{path}: is not UTF-8 text") from None


def _from_stdin() -> bytes:
    if sys.stdin is None:
        raise TextError("-: stdin is closed")
    return sys.stdin.buffer.read(_LARGEST + 1)


def _from_file(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(_LARGEST + 1)
