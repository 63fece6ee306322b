"""Exchanges files of a folder all at once: if a step fails or is interrupted, the steps before it are undone."""

import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path


def is_there(file: Path) -> bool:
    """Whether there is a file or a link, also one that leads nowhere."""
    return file.is_symlink() or file.exists()


def exchange(folder: Path, scratch: Path, files: Mapping[Path, str | bytes], removed: Sequence[Path]) -> None:
    """Moves new files to their places in `folder`, and removes others. `scratch` is an empty folder on the same disk.

    Nothing changes before all new files and all copies of old ones exist.

    Raises:
        OSError: a step failed; the steps before it are undone.
    """
    new, old = scratch / "new", scratch / "old"
    for path, content in files.items():
        (new / path).parent.mkdir(parents=True, exist_ok=True)
        (new / path).write_bytes(content.encode() if isinstance(content, str) else content)
    for path in (*files, *removed):
        if is_there(folder / path):
            (old / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(folder / path, old / path, follow_symlinks=False)
            if path in files and not (folder / path).is_symlink():
                shutil.copymode(folder / path, new / path)
    with ExitStack() as undo:
        for path in (*removed, *files):
            target = folder / path
            for missing in _missing(target.parent):
                missing.mkdir()
                undo.callback(missing.rmdir)
            undo.callback(_restore, old / path, target)
            if path in files:
                (new / path).replace(target)
            else:
                target.unlink()
        undo.pop_all()


def _restore(copy: Path, target: Path) -> None:
    if is_there(copy):
        copy.replace(target)
    else:
        target.unlink(missing_ok=True)


def _missing(folder: Path) -> Iterator[Path]:
    """Yields the folders that do not exist, the outermost first."""
    yield from reversed([item for item in (folder, *folder.parents) if not item.exists()])
