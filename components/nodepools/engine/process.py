"""Runs a child process that ends with the run: at its time limit, on Ctrl-C, on termination signals, and if this process is killed.

What it prints is read all the time: a full pipe would block it. Imports nothing of pulumi, which only the program's process has loaded.
"""

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import ExitStack, nullcontext, suppress
from pathlib import Path
from types import FrameType
from typing import Final

from nodepools.model.values import dataclass
from nodepools.reading.bounded_input import is_allowed
from nodepools.reading.project_folder import PLATFORM_PROGRAM, project_folder

_KEPT: Final = 1 << 16
_MIB: Final = 1 << 20
_SHOWN: Final = _MIB
"""Bytes of one stream that are passed on. A log has no use for more, and a program can write gigabytes."""
_STDERR: Final = 2


class ChildOutput:
    """One stream of a child. Until `forward`, its last 64 KiB are kept; later output goes to standard error of this process, up to 1 MiB."""

    def __init__(self, first: bytes | None = None) -> None:
        self._without: Callable[[bytes], bytes] | None = None
        """Removes what is not shown, from whole lines."""
        self._begun = b""
        self._source, self.end = os.pipe()
        """`end` is where the child writes."""
        self._condition = threading.Condition()
        self._kept = bytearray()
        self._first = first  # the first line, which is not passed on, unless it is given
        self._is_forwarded = False
        self._room = _SHOWN
        self._omitted = 0
        self._thread = threading.Thread(target=self._read, name="nodepools-engine-pack-output", daemon=True)

    def start(self) -> None:
        """Starts reading. The child has its own copy of `end`."""
        os.close(self.end)
        self._thread.start()

    def first_line(self, seconds: float | None) -> bytes | None:
        """Waits for the first line and returns it, incomplete if the output ended before; `None` after the time limit."""
        with self._condition:
            self._condition.wait_for(lambda: self._first is not None, seconds)
            return self._first

    def last_line(self) -> str | None:
        """Waits for the end of the output and returns the last line that is not empty: in a traceback, the error."""
        self._thread.join(1)
        with self._condition:
            lines = [line.strip() for line in self._kept.decode(errors="replace").splitlines() if line.strip()]
        return lines[-1] if lines else None

    def forward(self, without: Callable[[bytes], bytes] | None = None) -> None:
        """Writes what is kept to standard error, and all that follows, through `without`."""
        with self._condition:
            self._is_forwarded, self._without = True, without
            self._write(bytes(self._kept))

    def close(self) -> None:
        """Closes the stream after its end, and says how much of it was not shown. A process that left the child's process group can keep it open."""
        self._thread.join(1)
        if self._omitted:
            with suppress(OSError):
                os.write(_STDERR, f"\nnote: {self._omitted / _MIB:,.1f} MiB of further output are not shown\n".encode())
        if not self._thread.is_alive():
            os.close(self._source)

    def _read(self) -> None:
        while part := os.read(self._source, _KEPT):
            with self._condition:
                self._take(part)
        with self._condition:
            self._show(self._begun if self._without is None else self._without(self._begun))
            if self._first is None:
                self._first = bytes(self._kept)
            self._condition.notify_all()

    def _take(self, part: bytes) -> None:
        if self._is_forwarded:
            self._write(part)
            return
        self._kept += part
        if self._first is None and (b"\n" in part or len(self._kept) > _KEPT):
            line, newline, rest = bytes(self._kept).partition(b"\n")
            self._first, self._kept = line + newline, bytearray(rest)
            self._condition.notify_all()
        del self._kept[:-_KEPT]

    def _write(self, part: bytes) -> None:
        if self._without is not None:
            lines, end, self._begun = (self._begun + part).rpartition(b"\n")
            part = self._without(lines + end)
        self._show(part)
        if len(self._begun) > _SHOWN:  # its end is not shown either: a secret could be cut in two
            self._omitted, self._room, self._begun = self._omitted + len(self._begun), 0, b""

    def _show(self, part: bytes) -> None:
        shown = part[: self._room]
        self._room -= len(shown)
        self._omitted += len(part) - len(shown)
        with suppress(OSError):
            os.write(_STDERR, shown)


GRACE_SECONDS = 2.0
_GUARD: Final = """
import os, signal
signal.signal(signal.SIGTERM, signal.SIG_IGN)
os.read(0, 1)
os.killpg(0, signal.SIGKILL)
"""
"""Waits until its standard input ends, which is when the process that started it is gone. Then it ends its process group."""


@dataclass(frozen=True, slots=True)
class Host:
    """The process of a program that it does not know yet. It imports while this one does something else."""

    child: subprocess.Popen[bytes]
    group: int
    output: ChildOutput
    closing: ExitStack
    directory: Path
    environment: Mapping[str, str]

    def run(
        self, arguments: Sequence[str], environment: Mapping[str, str], timeout: float | None, without: Callable[[bytes], bytes] | None
    ) -> int | None:
        """Runs a program, its output `without` secrets to standard error. The exit status (negative: a signal); `None` after the time limit."""
        told = json.dumps([arguments, environment]).encode()
        with _termination_as_exit(), self.closing:
            self.output.forward(without)
            with _ended(self.child, self.group, told) as waiter:
                waiter.join(timeout)
                return self.child.returncode


@contextlib.contextmanager
def host_in(directory: Path, *names: str) -> Generator[Host]:
    """The process of a program, which first imports `names` of this library. What it started ends with its run, or with the `with` block."""
    command = [sys.executable, "-u", "-P", "-m", "nodepools.engine.host", *names]
    with ExitStack() as closing:
        group, output = closing.enter_context(_process_group()), ChildOutput(first=b"")
        child = subprocess.Popen(  # noqa: S603 - the command is fixed: this Python and a module of this library
            command, cwd=directory, stdin=subprocess.PIPE, stdout=output.end, stderr=output.end, process_group=group
        )
        output.start()
        closing.callback(output.close)
        closing.callback(child.communicate)
        closing.callback(_signal_group, group, signal.SIGKILL)
        yield Host(child, group, output, closing, directory, dict(os.environ))


@contextlib.contextmanager
def program_host(*, is_file: bool) -> Generator[Host | None]:
    """The process for the program of the project here, or of a platform file, while its declaration is checked."""
    folder = PLATFORM_PROGRAM if is_file else project_folder(Path.cwd()) if is_allowed() else None
    names = ("deploy", "load") if folder is not None and (is_file or (folder / "stacks").is_dir()) else ()
    with host_in(folder.resolve(), *names) if folder is not None else nullcontext() as host:
        yield host


@contextlib.contextmanager
def serving(command: Sequence[str], environment: Mapping[str, str], directory: Path) -> Generator[tuple[ChildOutput, ChildOutput]]:
    """Runs a server during the `with` block; then ends it and all processes that it started. Yields its standard output and standard error."""
    with _termination_as_exit(), _process_group() as group, ExitStack() as closing:
        streams = ChildOutput(), ChildOutput()
        child = subprocess.Popen(  # noqa: S603 - the command is fixed: a Python and the module that runs policy packs
            command, env=environment, cwd=directory, stdin=subprocess.DEVNULL, stdout=streams[0].end, stderr=streams[1].end, process_group=group
        )
        for stream in streams:
            stream.start()
            closing.callback(stream.close)
        with _ended(child, group):
            yield streams


_GROUPS: Final[set[tuple[int, int]]] = set()
"""The process groups in use, each with the thread that started it. A thread has several while it serves a pack and runs a program."""


def end_children_of(thread: int) -> None:
    """Ends the commands that another thread runs."""
    for owner, group in tuple(_GROUPS):
        if owner == thread:
            _signal_group(group, signal.SIGKILL)


@contextlib.contextmanager
def _process_group() -> Generator[int]:
    """The id of a new process group. It ends with this process, also if that is killed; Ctrl-C in a terminal does not reach it.

    The leader of the group waits at a pipe that only this process holds open, so the id stays valid as long as the group is in use.
    """
    watched, held = os.pipe()
    try:
        with os.fdopen(watched, "rb", buffering=0) as end:
            guard = subprocess.Popen(  # noqa: S603 - the command is fixed
                [sys.executable, "-I", "-S", "-c", _GUARD], stdin=end, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/", process_group=0
            )
        entry = threading.get_ident(), guard.pid
        _GROUPS.add(entry)
        try:
            yield guard.pid
        finally:
            _GROUPS.discard(entry)
            _signal_group(guard.pid, signal.SIGKILL)
            guard.wait()
    finally:
        os.close(held)


@contextlib.contextmanager
def _ended(child: subprocess.Popen[bytes], group: int, told: bytes | None = None) -> Generator[threading.Thread]:
    """A thread that waits for the child, so that time limits need no polling and signals are handled at once. At the end, ends the group."""
    waiter = threading.Thread(target=child.communicate, args=[told], name="nodepools-engine-child", daemon=True)
    try:
        waiter.start()
        yield waiter
    finally:
        try:
            if child.returncode is None:
                _signal_group(group, signal.SIGTERM)
                waiter.join(GRACE_SECONDS)
        finally:
            _signal_group(group, signal.SIGKILL)  # also processes that the child left running
            waiter.join()


def _signal_group(group: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(group, number)


@contextlib.contextmanager
def _termination_as_exit() -> Generator[None]:
    """Turns a termination signal into an ordinary exit, which ends the child. Existing handlers are kept."""
    handled = [number for number in (signal.SIGTERM, signal.SIGHUP) if signal.getsignal(number) is signal.SIG_DFL]
    if threading.current_thread() is not threading.main_thread():
        handled = []
    for number in handled:
        signal.signal(number, _exit)
    try:
        yield
    finally:
        for number in handled:
            signal.signal(number, signal.SIG_DFL)


def _exit(number: int, _frame: FrameType | None) -> None:
    raise SystemExit(128 + number)
