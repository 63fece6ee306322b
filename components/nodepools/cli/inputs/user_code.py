"""Runs code of the user inside this process: stacks and own rules. It may print and fail, but it does not write or end the answer of a command."""

import atexit
import os
import sys
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager, redirect_stdout, suppress
from typing import Final, TypeAlias

_ENDING: Final = ("_exit", "abort", "execv", "execve")
"""Functions of `os` that end this program at once. Nothing after them could report that the command did not complete."""
_Ending: TypeAlias = Callable[..., None]
_STDOUT: Final = 1
_STDERR: Final = 2


@contextmanager
def user_code() -> Generator[None]:
    """Code in the `with` block writes to standard error instead of standard output, also past `sys.stdout`, and cannot end the process."""
    process = os.getpid()
    with _output_to_stderr(), _no_sudden_end(process):
        try:
            yield
        finally:
            if os.getpid() != process:
                os._exit(0)  # a copy that the code made with `os.fork()`: only the original answers
    atexit.unregister(_end_of_output)
    atexit.register(_end_of_output)  # runs before the functions that the code has registered


@contextmanager
def _output_to_stderr() -> Generator[None]:
    """Points the file descriptor to standard error: subprocesses and C code do not use `sys.stdout`."""
    own = _kept()
    if own is None:
        with redirect_stdout(sys.stderr):
            yield
        return
    try:
        _flush()
        _point_to_stderr()
        with redirect_stdout(sys.stderr):
            yield
    finally:
        _flush()  # of `sys.__stdout__`
        os.dup2(own, _STDOUT)
        os.close(own)


def _kept() -> int | None:
    try:
        return os.dup(_STDOUT)
    except OSError:
        return None  # it is closed


def _point_to_stderr() -> None:
    try:
        os.dup2(_STDERR, _STDOUT)
    except OSError:  # it is closed
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, _STDOUT)
        os.close(nothing)


def _flush() -> None:
    if sys.__stdout__ is not None:
        with suppress(OSError, ValueError):
            sys.__stdout__.flush()


@contextmanager
def _no_sudden_end(process: int) -> Generator[None]:
    originals: dict[str, _Ending] = {name: getattr(os, name) for name in _ENDING}
    _replace({name: _refusing(name, original, process) for name, original in originals.items()})
    try:
        yield
    finally:
        _replace(originals)


def _refusing(name: str, original: _Ending, process: int) -> _Ending:
    def refuse(*arguments: object) -> None:
        if os.getpid() != process:
            original(*arguments)  # subprocesses end like this
        if vars(os)["_exit"] is _ignore:
            return
        raise SystemExit(f"`os.{name}` would end the command")

    return refuse


def _replace(functions: Mapping[str, _Ending]) -> None:
    for module in (os, sys.modules[os.name]):  # `os` has the functions of the second one
        for name, function in functions.items():
            setattr(module, name, function)


def _end_of_output() -> None:
    """When the command has answered: what the code still prints goes to standard error, and the exit code stays."""
    _flush()
    _point_to_stderr()
    _replace({"_exit": _ignore})


def _ignore(_: object) -> None:
    """Does nothing."""
