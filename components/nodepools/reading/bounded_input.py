"""Reads files, stdin and pipes: at most so many bytes, and for at most so long. Devices are rejected, and missing files have a suggestion.

The limits are those of every reader; environment variables change them. Links of untrusted projects are data only: a link could show any file of the
machine.
"""

import json
import os
import re
import select
import stat
import sys
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from errno import EEXIST, EISDIR, ENOENT, ENOTDIR
from io import FileIO, UnsupportedOperation
from pathlib import Path
from time import monotonic
from typing import Final, Protocol, TextIO
from weakref import WeakSet

from nodepools.model.listing import nearest, quoted
from nodepools.model.values import dataclass, field
from nodepools.reading.project_folder import configured_stacks

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


class UnreadableError(Exception):
    """The input is not a readable declaration. The message is one line and names the fix."""


class TextError(UnreadableError):
    """The text cannot be read, is not valid, or exceeds a limit. The message is one line: the position and the error."""


class LimitError(TextError):
    """The text exceeds a limit."""


class OtherTextError(TextError):
    """The text is complete, and for other programs: it has no Kubernetes object."""


@dataclass(frozen=True, slots=True)
class Limit:
    """A limit of every reader."""

    variable: str
    """The environment variable that changes it."""
    default: int
    most: int
    """The highest value that the variable can set."""
    exceeded: str
    """What is wrong with a text beyond the limit."""

    def value(self) -> int:
        """Returns the limit.

        Raises:
            TextError: the environment variable is not a number in the valid range.
        """
        written = os.environ.get(self.variable)
        if written is None:
            return self.default
        if not (written.isascii() and written.isdigit() and len(written) <= len(str(self.most)) and 1 <= int(written) <= self.most):
            raise TextError(f"the environment variable `{self.variable}` must be a whole number from 1 to {self.most}, not `{written[:40]}`")
        return int(written)

    def error(self, place: str) -> LimitError:
        """Returns the error for a text that exceeds the limit, at its position or in the file `place`."""
        return LimitError(f"{place}: {self.exceeded.format(f'{self.value():,}')}; the environment variable `{self.variable}` raises the limit")


@dataclass(frozen=True, slots=True)
class Deadline:
    """The end of the time for one text."""

    at: float

    @classmethod
    def start(cls) -> "Deadline":
        """Returns the deadline of a text that is opened now."""
        return cls(monotonic() + SECONDS.value())

    @property
    def left(self) -> float:
        """The seconds that remain, at least 0."""
        return max(0.0, self.at - monotonic())


MIB: Final = Limit("NODEPOOLS_MAX_MIB", 32, 65_536, "is larger than {} MiB")
LISTED_MIB: Final = Limit("NODEPOOLS_MAX_LISTED_MIB", 2_048, 65_536, "is larger than {} MiB")
"""For lists of objects that are read one after the other: their size does not determine the memory."""
VALUES: Final = Limit("NODEPOOLS_MAX_VALUES", 500_000, 1_000_000_000, "has more than {} values once aliases are expanded")
LISTED_VALUES: Final = Limit("NODEPOOLS_MAX_LISTED_VALUES", 2_000_000, 1_000_000_000, VALUES.exceeded)
"""For lists of objects of which only parts are read: the other parts do not count."""
DEPTH: Final = Limit("NODEPOOLS_MAX_DEPTH", 100, 250, "is nested too deeply: more than {} levels")
"""The highest value is what functions that call themselves for each level can process."""
SECONDS: Final = Limit("NODEPOOLS_MAX_SECONDS", 120, 86_400, "cannot be read within {} s")
LIMITS: Final = (MIB, LISTED_MIB, VALUES, LISTED_VALUES, DEPTH, SECONDS)


_NAMED: Final = 3
_SETTINGS: Final = frozenset({"config", "secretsprovider", "encryptionsalt", "encryptedkey", "environment"})
"""The fields of `Pulumi.STACK.yaml`."""


def os_reason(path: Path, error: OSError) -> str:
    """Why a file cannot be opened, and which file can."""
    reason = error.strerror if error.strerror else "cannot be read"
    if error.errno == EISDIR:
        return f"{reason}: name a file in it"
    if error.errno in (EEXIST, ENOTDIR):
        return f"{reason}: name a new folder"
    if error.errno != ENOENT or path.is_symlink():
        return reason if error.errno != ENOENT else f"is a link to `{path.readlink()}`, which does not exist"
    try:
        names = sorted(entry.name for entry in path.parent.iterdir())
    except OSError:
        return f"{reason}: there is no folder `{path.parent}`"
    if path.parent.joinpath("stacks", f"{path.name}.py").is_file():
        return f"{reason}: `{path.name}` is a stack: use `--stack {path.name}`"
    near = nearest(path.name, names)
    alike = [name for name in names if path.suffix and name.endswith(path.suffix) and not name.startswith(".")]
    if not path.suffix:
        alike = [name for name in names if not name.startswith((".", "_"))]
    others = [name for name in alike if not name.startswith("Pulumi.")]
    stacks = [f"--stack {stack}" for stack in configured_stacks(path.parent)]
    instead = f": correct the path, or use {quoted(stacks, _NAMED)} instead" if stacks else ""
    there = (
        f"has {quoted(others, _NAMED)}"
        if others
        else f"does not have any other file `*{path.suffix}`{instead}"
        if path.suffix or alike
        else "is empty"
    )
    return f"{reason}: use `{path.with_name(near)}`" if near is not None else f"{reason}: the folder `{path.parent}` {there}"


HCL: Final = re.compile(
    r'^(?:resource|data|module|variable|output|provider|terraform|locals)(?:[ \t]+"[\w./-]+")*[ \t]*\{[ \t]*(?:#.*)?$', re.MULTILINE
)
"""A block of a configuration of Terraform."""


LOGGED: Final = re.compile(
    r'"@module":\s*"(?:terraform|tofu)\.ui"|^(?:Terraform|OpenTofu) (?:will perform|used the selected providers)', re.MULTILINE
)
"""What `terraform plan` prints, with or without `-json`."""


def is_terraform(text: str) -> bool:
    """The text can be what Terraform reads or writes: it has one of the names that only its JSON has, a block of a configuration, or a log."""
    return '"format_version"' in text or '"lineage"' in text or HCL.search(text) is not None or LOGGED.search(text) is not None


def not_an_object(raw: Mapping[str, object], file: str, where: str) -> TextError:
    """The error of a mapping at `where` that is not a Kubernetes object."""
    others, read = _of_others(raw), _read_otherwise(raw, file)
    if others is None and read is None and isinstance(raw.get("clusters"), Mapping):
        read = f"is a platform: `nodepools check --file {file}`"
    if others is None and read is not None:
        return TextError(f"{where}: {read}")
    return OtherTextError(f"{where}: {others or 'should be a Kubernetes object: it has no kind'}")


def not_a_platform(raw: Mapping[str, object], file: str) -> str | None:
    """What a mapping is, if it is not a platform."""
    kind = raw.get("kind")
    if isinstance(kind, str) and "apiVersion" in raw and "clusters" not in raw:
        pools = f"; for `explain`, its pools are read with `--existing {file}`" if "Node" in kind else ""
        return f"is a Kubernetes manifest ({kind}), not a platform: `nodepools check {file}`{pools}"
    return _of_others(raw) or _read_otherwise(raw, file)


_JSON: Final = re.compile(r'\s*(?:\[\s*)?\{\s*"')
"""The beginning of an object, or of a list of them, that a program has written, also on stdin or in a file with another name."""


def is_json(text: str, file: str) -> bool:
    """The text is meant as JSON."""
    return file.endswith(".json") or _JSON.match(text) is not None


def json_error(text: str, file: str) -> str | None:
    """Where and why the text of a JSON file is not JSON, as a JSON parser states it: parsers of YAML expect other text."""
    if not is_json(text, file):
        return None
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        if error.msg == "Extra data":
            return None  # several documents, of which readers say more
        ends = ": the file ends too early, write or export it again" if error.pos >= len(text.rstrip()) else ""
        return f"{file}:{error.lineno}:{error.colno}: is not valid JSON: {error.msg}{ends}"
    except (ValueError, RecursionError):  # a number or a depth beyond the limits of Python
        return None
    return None


def _read_otherwise(raw: Mapping[str, object], file: str) -> str | None:
    """A state of Pulumi, or a file of Terraform in another encoding, of which only readers of YAML know."""
    if "terraform_version" in raw:
        return f"is of Terraform: `nodepools check {file}` reads it as UTF-8, which `| Out-File -Encoding utf8 FILE` of Windows PowerShell writes"
    return f"is a state of Pulumi: `nodepools diff {file}` compares it" if isinstance(raw.get("deployment"), Mapping) else None


def _of_others(raw: Mapping[str, object]) -> str | None:
    """A file of Pulumi or Helm without anything to check."""
    if raw and raw.keys() <= _SETTINGS:
        return "has settings of a Pulumi stack: exclude it, such as with `--exclude 'Pulumi.*'`"
    if isinstance(raw.get("runtime"), str | dict) and "clusters" not in raw:
        return "is the project file of Pulumi: exclude it, such as with `--exclude 'Pulumi.*'`"
    if raw.keys() & {"replicaCount", "image", "nameOverride", "fullnameOverride"} and "clusters" not in raw:
        return "has values of a Helm chart: exclude it, such as with `--exclude 'values*.yaml'`"
    return None


_ZIP: Final = b"PK"
_UTF_16: Final = (BOM_UTF16_LE, BOM_UTF16_BE)
_CHUNK: Final = 1024 * 1024
_STDIN: Final = "stdin"
_OPENED: Final[WeakSet[TextIO]] = WeakSet()
_DEVICES: Final = (stat.S_ISCHR, stat.S_ISBLK)


class _Raw(Protocol):
    """A binary file without a buffer of its own."""

    def read(self, size: int, /) -> bytes | None: ...


@dataclass(slots=True)
class BoundedInput:
    """An open file, pipe or stdin that stops at its limits."""

    name: str
    raw: _Raw
    limit: Limit
    waits_for: int | None = None
    """The file descriptor to wait for, if its other end can be slow."""
    deadline: Deadline = field(default_factory=Deadline.start)
    count: int = 0

    def read(self, size: int = _CHUNK) -> bytes:
        """Returns the next bytes, at most `size`; none at the end.

        Raises:
            TextError: a limit is exceeded, or the input cannot be read.
        """
        data = None
        while data is None:  # a pipe can be ready without data
            left = self.deadline.left
            if not left or not self._is_ready(left):
                raise SECONDS.error(self.name)
            try:
                data = self.raw.read(size)
            except OSError as error:
                raise TextError(f"{self.name}: {error.strerror}") from None
        self.count += len(data)
        if self.count > self.limit.value() * 1024 * 1024:
            raise self.limit.error(self.name)
        return data

    def _is_ready(self, seconds: float) -> bool:
        return self.waits_for is None or bool(select.select([self.waits_for], [], [], seconds)[0])

    def data(self) -> bytes:
        """Returns everything.

        Raises:
            TextError: a limit is exceeded, or the input cannot be read.
        """
        parts: list[bytes] = []
        while part := self.read():
            parts.append(part)
        return b"".join(parts)

    def text(self) -> str:
        """Returns everything as UTF-8, whatever the locale.

        Raises:
            TextError: a limit is exceeded, or it is not UTF-8 text.
        """
        data = self.data()
        try:
            return data.decode("utf-8-sig")
        except UnicodeDecodeError:
            plan = ": if it is a plan of Terraform, use `terraform show -json PLAN > plan.json`" if data.startswith(_ZIP) else ""
            utf_16 = ": it is UTF-16, as `>` of Windows PowerShell writes it: use `| Out-File -Encoding utf8 FILE`" if data[:2] in _UTF_16 else ""
            raise TextError(f"{self.name}: is not UTF-8 text{plan}{utf_16}") from None


@contextmanager
def opened(path: Path, limit: Limit = MIB) -> Generator[BoundedInput]:
    """Opens a file or a pipe during the `with` block. A pipe without a writer is waited for.

    Raises:
        TextError: it cannot be opened, or is a device.
    """
    raw, is_file = _opened(path)
    with raw:
        yield BoundedInput(str(path), raw, limit, None if is_file else raw.fileno())


def _opened(path: Path) -> tuple[FileIO, bool]:
    """Opens a path, and tells whether it is a regular file."""
    try:
        refused = refusal(path)  # before the file is looked at: whether it exists is not told either
        if refused is not None:
            raise TextError(f"{path}: {refused}")
        status = path.stat()
        if any(is_device(status.st_mode) for is_device in _DEVICES) and not _is_terminal(status):
            raise TextError(f"{path}: is a device, not a file")
        return FileIO(str(path), opener=_open), stat.S_ISREG(status.st_mode)
    except OSError as error:
        raise TextError(f"{path}: {os_reason(path, error)}") from None
    except ValueError as error:  # a null character
        raise TextError(f"{str(path)!r}: {error}") from None


@contextmanager
def opened_stdin(limit: Limit = MIB) -> Generator[BoundedInput]:
    """Opens stdin.

    Raises:
        TextError: it is closed.
    """
    if sys.stdin is None:
        raise TextError(f"{_STDIN}: is closed")
    if sys.stdin in _OPENED:
        raise TextError(f"{_STDIN}: can be read once: save it in a file, and name that twice")
    _OPENED.add(sys.stdin)
    try:
        number = sys.stdin.fileno()
    except UnsupportedOperation:  # text in memory
        yield BoundedInput(_STDIN, sys.stdin.buffer, limit)
        return
    with FileIO(number, closefd=False) as raw:
        yield BoundedInput(_STDIN, raw, limit, number)


def file_text(path: Path) -> str:
    """Reads a file or a pipe as UTF-8.

    Raises:
        TextError: it cannot be read, exceeds a limit, or is not UTF-8 text.
    """
    with opened(path) as source:
        return source.text()


def _open(name: str, flags: int) -> int:
    """Opens without waiting for the writer of a pipe: reading waits, with a time limit."""
    return os.open(name, flags | getattr(os, "O_NONBLOCK", 0))


def _is_terminal(status: os.stat_result) -> bool:
    """Whether a device is the terminal of this process: `/dev/stdin` can be one."""
    return sys.stdin is not None and sys.stdin.isatty() and os.path.samestat(status, os.fstat(sys.stdin.fileno()))
