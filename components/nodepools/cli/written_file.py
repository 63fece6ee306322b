"""Writes files of users: all of the new content or none, and never over a file that the command read."""

import os
import shutil
import stat
from codecs import BOM_UTF8
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack, suppress
from errno import EACCES, ELOOP
from pathlib import Path
from secrets import token_hex
from tempfile import mkdtemp
from typing import Final

from nodepools.cli.problem import os_error_text, usage_error

_WRITABLE: Final = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH


def write_file(file: Path, text: str, read: Iterable[Path] = ()) -> None:
    """Writes an output.

    Raises:
        InputError: it is one of the files that were `read`, or cannot be written.
    """
    check_not_read(file, read)
    try:
        replace_content(file, text)
    except OSError as error:
        usage_error(os_error_text(error))


def write_folder(output: Path, contents: Iterable[tuple[Path, str]]) -> None:
    """Writes all files of a new or empty folder, or none.

    Raises:
        InputError: the folder contains files, or cannot be written.
    """
    try:
        if output.exists() and (not output.is_dir() or any(output.iterdir())):
            usage_error(f"{output}: is not an empty folder: name a new one")
        output.parent.mkdir(parents=True, exist_ok=True)
        draft = Path(mkdtemp(dir=output.parent, prefix=f".{output.name}."))
        try:
            for place, content in contents:
                file = draft / place
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(content, encoding="utf-8", newline="")
            draft.chmod(0o755)
            if output.exists():
                output.rmdir()
            draft.replace(output)
        finally:
            shutil.rmtree(draft, ignore_errors=True)
    except OSError as error:
        usage_error(os_error_text(error))


def check_not_read(file: Path, read: Iterable[Path]) -> None:
    """An output is not an input.

    Raises:
        InputError: it is one of the files that were `read`.
    """
    if any(_is_same(file, one) for one in read):
        usage_error(f"{file}: is an input of this command: write to another file")


def rewrite(file: Path, text: str) -> None:
    """Replaces the text of a file that was read. A byte order mark stays.

    Raises:
        OSError: the file is read-only, or cannot be written.
    """
    with file.open("rb") as before:
        mark = before.read(len(BOM_UTF8))
    replace_content(file, "\ufeff" + text if mark == BOM_UTF8 else text)


def replace_content(file: Path, content: str | bytes) -> None:
    """Replaces the content of a file, or creates it: an interrupted write leaves it unchanged. A link stays a link, and the mode stays.

    A device or a pipe is written to.

    Raises:
        OSError: the file is read-only, or cannot be written.
    """
    encoded = content.encode() if isinstance(content, str) else content
    try:
        target = file.resolve()
        before = target.stat() if target.exists() else None
    except RuntimeError:  # before Python 3.13: links in a circle
        raise OSError(ELOOP, os.strerror(ELOOP), str(file)) from None
    if before is not None and not stat.S_ISREG(before.st_mode):
        _write_through(file, encoded)
    elif before is None or before.st_mode & _WRITABLE:
        _replace(file, target, encoded, before)
    else:
        raise PermissionError(EACCES, "is read-only", str(file))


def _write_through(file: Path, content: bytes) -> None:
    try:
        file.write_bytes(content)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(file)) from None


def _replace(file: Path, target: Path, content: bytes, before: os.stat_result | None) -> None:
    draft = target.with_name(f".nodepools-{token_hex(8)}")
    try:
        number = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
        with open(number, "wb") as opened:  # noqa: PTH123  # of a descriptor
            opened.write(content)
            opened.flush()
            os.fsync(number)
        if before is not None:
            with suppress(OSError, AttributeError):  # only an administrator, and not on Windows
                os.chown(draft, before.st_uid, before.st_gid)
            draft.chmod(stat.S_IMODE(before.st_mode))
        draft.replace(target)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(file)) from None
    finally:
        draft.unlink(missing_ok=True)


def _is_same(file: Path, other: Path) -> bool:
    try:
        return file.samefile(other)
    except (OSError, ValueError):  # there is none, or it is stdin
        return False


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
            for missing in reversed([item for item in target.parents if not item.exists()]):  # the outermost first
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
