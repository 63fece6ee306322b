"""Reads, checks and compares declarations in forked processes, for `--jobs`. The answer is the same as that of one process, in the same order."""

import os
import pickle
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import BinaryIO, Final, TypeVar

from nodepools.cli.command_run import CommandRun
from nodepools.cli.problem import Problem
from nodepools.model.values import dataclass

T = TypeVar("T")
_SIZE: Final = 8
"""Bytes of the length that is before each message."""


@dataclass(frozen=True, slots=True)
class _Told:
    """An outcome, and what it added to the run."""

    outcome: object
    problems: Sequence[Problem]
    notes: Sequence[Problem]
    declared: Sequence[object]


@dataclass(frozen=True, slots=True)
class _Worker:
    process: int
    answers: BinaryIO


def forked_outcomes(reads: Sequence[tuple[str, Callable[[], T]]], run: CommandRun, jobs: int) -> Iterator[tuple[str, T]]:
    """The outcome of each function, in their order. One whose process ended before it answered is a problem of `run`.

    The first one runs in this process: the others then start with its models and rules.
    """
    yield reads[0][0], reads[0][1]()
    others = reads[1:]
    workers: list[_Worker] = []
    try:
        for number in range(min(jobs, len(others))):
            workers.append(_forked(others[number::jobs], run, workers))
        for number, (name, read) in enumerate(others):
            worker = workers[number % jobs]
            message = _message(worker.answers)
            if message is None:
                run.problems.append(Problem(name, "not read: its process ended before it answered: `--jobs 1` reads it in this one"))
                continue
            told = _told(message)
            if told is None:  # it cannot be handed over
                yield name, read()
                continue
            run.problems.extend(told.problems)
            run.notes.extend(told.notes)
            run.declared.extend(told.declared)
            yield name, told.outcome  # type: ignore[misc]  # what `read` returned
    finally:
        for worker in workers:
            worker.answers.close()
            os.kill(worker.process, signal.SIGKILL)  # one that has ended is still there, until it is waited for
            os.waitpid(worker.process, 0)


def _forked(reads: Sequence[tuple[str, Callable[[], object]]], run: CommandRun, before: Sequence[_Worker]) -> _Worker:
    reading, writing = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    process = os.fork()
    if process:
        os.close(writing)
        return _Worker(process, os.fdopen(reading, "rb"))
    try:
        for worker in before:
            worker.answers.close()
        os.close(reading)
        with os.fdopen(writing, "wb") as answers:
            for _, read in reads:
                message = _answered(read, run)
                answers.write(len(message).to_bytes(_SIZE, "big") + message)
                answers.flush()
        sys.stderr.flush()
    finally:
        os._exit(0)


def _answered(read: Callable[[], object], run: CommandRun) -> bytes:
    """The answer; empty if the first process must ask again, because it fails or cannot be handed over."""
    problems, notes, declared = len(run.problems), len(run.notes), len(run.declared)
    try:
        outcome = read()
        return pickle.dumps(_Told(outcome, run.problems[problems:], run.notes[notes:], run.declared[declared:]))
    except BaseException:  # noqa: BLE001  # what it raises is raised again where it is reported
        return b""


def _message(answers: BinaryIO) -> bytes | None:
    size = answers.read(_SIZE)
    if len(size) < _SIZE:
        return None
    length = int.from_bytes(size, "big")
    message = answers.read(length)
    return message if len(message) == length else None


def _told(message: bytes) -> _Told | None:
    try:
        return pickle.loads(message) if message else None  # noqa: S301  # of a copy of this process
    except Exception:  # noqa: BLE001  # classes of the user
        return None
