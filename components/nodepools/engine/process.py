"""A child process that never outlives the run: not its time, not Ctrl-C, not a termination signal."""

import contextlib
import os
import signal
import subprocess
import threading
from collections.abc import Generator, Mapping, Sequence
from pathlib import Path
from types import FrameType
from typing import IO

GRACE_SECONDS = 2.0
STDERR = 2


def run_child(command: Sequence[str], environment: Mapping[str, str], directory: Path, timeout: float | None) -> int | None:
    """Runs a command and returns its exit status (negative: the signal that ended it), or None when its time was over.

    It is in a process group of its own: Ctrl-C reaches us alone, and we end the whole group. It has no standard input, and what it
    prints goes to our standard error, so that our standard output holds nothing but ours.
    """
    with _termination_as_exit():
        child = subprocess.Popen(  # noqa: S603 - the command is ours: this Python and our own module
            command, env=environment, cwd=directory, stdin=subprocess.DEVNULL, stdout=STDERR, process_group=0
        )
        # A thread waits, so that the time limit needs no polling and signals are handled at once.
        waiter = threading.Thread(target=child.wait, name="nodepools-engine-child", daemon=True)
        try:
            waiter.start()
            waiter.join(timeout)
            return child.returncode
        finally:
            if child.returncode is None:
                _end_group(child.pid, waiter)


@contextlib.contextmanager
def serving(command: Sequence[str], environment: Mapping[str, str], directory: Path, errors: IO[bytes]) -> Generator[subprocess.Popen[bytes]]:
    """Runs a command that serves, for as long as the block lasts; then ends it, and all that it started.

    What it prints can be read from it, what it complains of goes to `errors`.
    """
    with _termination_as_exit():
        child = subprocess.Popen(  # noqa: S603 - the command is ours: a Python and the module that runs policy packs
            command, env=environment, cwd=directory, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors, process_group=0
        )
        waiter = threading.Thread(target=child.wait, name="nodepools-engine-server", daemon=True)
        try:
            waiter.start()
            yield child
        finally:
            _end_group(child.pid, waiter)
            if child.stdout is not None:
                child.stdout.close()


def _end_group(group: int, leader: threading.Thread) -> None:
    try:
        _signal_group(group, signal.SIGTERM)
        leader.join(GRACE_SECONDS)
    finally:
        _signal_group(group, signal.SIGKILL)  # also what the program started and left behind
        leader.join()


def _signal_group(group: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(group, number)


@contextlib.contextmanager
def _termination_as_exit() -> Generator[None]:
    """Makes a termination signal an ordinary exit, so that the child is ended on the way. A handler that somebody set stays."""
    mine = [number for number in (signal.SIGTERM, signal.SIGHUP) if signal.getsignal(number) is signal.SIG_DFL]
    if threading.current_thread() is not threading.main_thread():
        mine = []
    for number in mine:
        signal.signal(number, _exit)
    try:
        yield
    finally:
        for number in mine:
            signal.signal(number, signal.SIG_DFL)


def _exit(number: int, _frame: FrameType | None) -> None:
    raise SystemExit(128 + number)
