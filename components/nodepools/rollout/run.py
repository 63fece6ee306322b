"""Carries a plan out with Pulumi's Automation API: the stacks of a batch at the same time, and a journal of what has ended."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Final, Protocol, cast

from nodepools.model.listing import listed
from nodepools.model.maintenance import AnyWindow, opening_on
from nodepools.model.platform import Platform
from nodepools.model.values import dataclass
from nodepools.rollout.plan import MUST_FIT_CODES, Check, Plan, PlannedWave
from nodepools.rules.engine.runner import check

_MOST_DAYS: Final = 8
"""Days within which a window opens."""
_NAMED: Final = 3
_NO_CAUSES: Final = ("update failed", "preview failed")
"""What Pulumi reports after the errors of resources."""
_LONGEST_SLEEP: Final = 60.0
"""Seconds: a machine that was suspended looks at its clock again."""


class RolloutStoppedError(Exception):
    """A gate or a stack failed, or the journal is of another plan. The message is one line."""


class StackRunner(Protocol):
    """What updates stacks. Any exception is a failure."""

    def up(self, stack: str) -> None:
        """Updates one stack. It is called for several at the same time."""
        ...

    def check(self, check: Check) -> None:
        """Runs the command of a gate."""
        ...


class AutomationRunner:
    """Runs `pulumi up` in the folder of a project, by the Automation API."""

    def __init__(self, project: Path) -> None:
        self._project = project

    def up(self, stack: str) -> None:
        """Updates a stack that exists.

        Raises:
            RolloutStoppedError: Pulumi reports an error.
        """
        from pulumi import automation  # only a rollout needs pulumi

        try:
            automation.select_stack(stack_name=stack, work_dir=str(self._project)).up(on_output=lambda text: print(f"[{stack}] {text}"))  # noqa: T201
        except automation.CommandError as error:
            raise RolloutStoppedError(_why(error)) from None

    def require(self, stacks: Iterable[str]) -> None:
        """Requires that Pulumi has the stacks.

        Raises:
            RolloutStoppedError: there is no Pulumi CLI, its backend does not answer, or it lacks one.
        """
        from pulumi import automation

        try:
            known = {found.name.rpartition("/")[2] for found in automation.LocalWorkspace(work_dir=str(self._project)).list_stacks()}
        except Exception as error:
            raise RolloutStoppedError(f"Pulumi does not list its stacks: {_why(error)}: nothing is started") from error
        if missing := [stack for stack in stacks if stack not in known]:
            raise RolloutStoppedError(f"Pulumi has no stack {listed(missing, _NAMED)}: `pulumi stack init` creates it: nothing is started")

    def check(self, check: Check) -> None:
        """Runs a command in the folder of the project.

        Raises:
            RolloutStoppedError: it cannot be run, or ends with another exit code than 0.
        """
        own = {"nodepools": (sys.executable, "-m", "nodepools"), "python3": (sys.executable,)}
        program, *arguments = check.command
        try:
            done = subprocess.run([*own.get(program, (program,)), *arguments], cwd=self._project, check=False)  # noqa: S603  # as it is planned
        except OSError as error:
            raise RolloutStoppedError(f"{program}: {error.strerror}") from None
        if done.returncode:
            raise RolloutStoppedError(f"exit code {done.returncode}")


def _why(error: Exception) -> str:
    """The errors that Pulumi reports, in one line. Its whole output was printed."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    told = dict.fromkeys(line.partition("error: ")[2].rstrip(":") for line in lines if "error: " in line)
    causes = [line for line in told if line not in ("", *_NO_CAUSES)]
    return listed(causes, _NAMED) if causes else next(reversed(lines), type(error).__name__)


@dataclass(frozen=True, slots=True)
class Clock:
    """The time, and how to wait."""

    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    sleep: Callable[[float], None] = time.sleep

    def wait(self, until: datetime) -> None:
        """Returns at that time or later."""
        while (left := (until - self.now()).total_seconds()) > 0:
            self.sleep(min(left, _LONGEST_SLEEP))


class Journal:
    """What has begun and ended, a line each. A line is on the disk before the next step begins, so that a killed program goes on from there."""

    def __init__(self, file: Path, plan: Plan) -> None:
        """Reads the file, or creates it.

        Raises:
            RolloutStoppedError: it is the journal of another plan, or not a journal.
        """
        self._file: Final = file
        self._lock: Final = Lock()
        self.done: Final[set[str]] = set()
        """Stacks."""
        self.passed: Final[set[tuple[str, int]]] = set()
        """Gates, by the wave and their number in it."""
        self.ended: Final[dict[str, datetime]] = {}
        """Waves."""
        mark = sha256(json.dumps(asdict(plan), sort_keys=True, default=str).encode()).hexdigest()
        text = file.read_text(encoding="utf-8") if file.exists() else ""
        whole = text[: text.rfind("\n") + 1]  # a line that was being written when the program was killed never happened
        if whole != text:
            file.write_text(whole, encoding="utf-8")
        lines = whole.splitlines()
        for line in lines:
            self._read(line)
        if not lines:
            self._write("plan", datetime.now(UTC), plan=mark)
        elif mark not in lines[0]:
            raise RolloutStoppedError(f"{file}: is the journal of another plan: remove it to begin again, or run the program that wrote it")

    def _read(self, line: str) -> None:
        try:
            entry = cast("dict[str, str]", json.loads(line))
            self._add(entry, datetime.fromisoformat(entry["at"]))
        except (ValueError, KeyError, TypeError):
            raise RolloutStoppedError(f"{self._file}: is not a journal of a rollout: remove it, or name another file") from None

    def _add(self, entry: dict[str, str], at: datetime) -> None:
        match entry["event"]:
            case "done":
                self.done.add(entry["stack"])
            case "gate":
                self.passed.add((entry["wave"], int(entry["number"])))
            case "wave":
                self.ended[entry["wave"]] = at
            case _:
                pass  # for people: starts and failures

    def add(self, event: str, at: datetime, **fields: str) -> None:
        """Writes a line, also for threads."""
        with self._lock:
            self._write(event, at, **fields)
            self._add({"event": event, **fields}, at)

    def _write(self, event: str, at: datetime, **fields: str) -> None:
        with self._file.open("a", encoding="utf-8") as opened:
            opened.write(json.dumps({"at": at.isoformat(), "event": event, **fields}) + "\n")
            opened.flush()
            os.fsync(opened.fileno())


def run(plan: Plan, *, journal: Path, project: Path = Path(), runner: StackRunner | None = None, clock: Clock | None = None) -> int:
    """Carries a plan out, and returns the exit code: 0 if all stacks are updated, 1 if a gate or a stack failed, or Pulumi lacks a stack.

    After a failure, or if the program was killed, another call with the same journal goes on where this one stopped: no stack and no gate that has
    succeeded runs again. Of a batch with a failure, the other stacks end; no further batch starts.

    Args:
        plan: the plan.
        journal: the file with what has ended; it is created.
        project: the folder with `Pulumi.yaml`.
        runner: what updates stacks. `None`: `pulumi up` by the Automation API.
        clock: the time. `None`: that of the machine.
    """
    used = clock if clock is not None else Clock()
    try:
        if runner is None:
            runner = AutomationRunner(project)
            runner.require(stack for wave in plan.waves for stack in wave.stacks)
        _carry_out(plan, Journal(journal, plan), runner, used)
    except RolloutStoppedError as stopped:
        print(f"error: {stopped}", file=sys.stderr)  # noqa: T201  # a program of its own calls this
        return 1
    return 0


def _carry_out(plan: Plan, journal: Journal, runner: StackRunner, clock: Clock) -> None:
    for number, wave in enumerate(plan.waves):
        if wave.name in journal.ended:
            continue
        if number:
            before = plan.waves[number - 1]
            clock.wait(journal.ended[before.name] + timedelta(seconds=before.soak))
        _pass_gates(wave, journal, runner, clock)
        for batch in wave.batches:
            _update([stack for stack in batch if stack not in journal.done], plan.window, journal, runner, clock)
        journal.add("wave", clock.now(), wave=wave.name)


def _pass_gates(wave: PlannedWave, journal: Journal, runner: StackRunner, clock: Clock) -> None:
    for number, gate in enumerate(wave.gates):
        if (wave.name, number) in journal.passed:
            continue
        try:
            runner.check(gate)
        except Exception as error:
            about = f" for {gate.stack}" if gate.stack else ""
            raise RolloutStoppedError(
                f"wave {wave.name}: gate `{gate.gate}`{about} does not hold: {error}: no stack of the wave is started"
            ) from error
        journal.add("gate", clock.now(), wave=wave.name, number=str(number))


def _update(stacks: Sequence[str], window: AnyWindow | None, journal: Journal, runner: StackRunner, clock: Clock) -> None:
    """Updates the stacks of a batch that are left, at the same time."""
    if not stacks:
        return
    if window is not None:
        clock.wait(opening(window, clock.now()))

    def one(stack: str) -> str:
        journal.add("start", clock.now(), stack=stack)
        try:
            runner.up(stack)
        except Exception as error:  # noqa: BLE001  # the other stacks of the batch end
            journal.add("failed", clock.now(), stack=stack, error=str(error))
            return f"{stack}: {error}"
        journal.add("done", clock.now(), stack=stack)
        return ""

    with ThreadPoolExecutor(len(stacks)) as pool:
        failed = [text for text in pool.map(one, stacks) if text]
    if failed:
        raise RolloutStoppedError(f"{'; '.join(failed)}: no further batch starts; run this again to go on")


def opening(window: AnyWindow, now: datetime) -> datetime:
    """When a stack can be started: now, if the window is open, otherwise when it opens next.

    >>> opening(Weekly(days="sat", start="01:00", hours=5), datetime(2026, 11, 27, 12, tzinfo=UTC)).isoformat()
    '2026-11-28T01:00:00+00:00'
    """
    first = now.date() - timedelta(days=2)  # a window of 24 hours, in any time zone
    days = (opening_on(window, first + timedelta(days=day)) for day in range(_MOST_DAYS + 4))
    opened = [day.astimezone(UTC) for day in days if day is not None]
    if any(start <= now < start + timedelta(hours=window.hours) for start in opened):
        return now
    return min(start for start in opened if start > now)


def require_open(window: AnyWindow) -> None:
    """Ends the program with an error while a window is closed.

    Raises:
        SystemExit: it is closed.
    """
    now = datetime.now(UTC)
    opens = opening(window, now)
    if opens > now:
        raise SystemExit(f"error: the window `{window}` is closed until {opens:%Y-%m-%d %H:%M} UTC: run this again then")


def require_fit(platform: Platform) -> None:
    """Ends the program with an error unless all workloads of `must_fit` are certain to fit.

    Raises:
        SystemExit: one does not, or the platform has none.
    """
    if not platform.must_fit:
        raise SystemExit(f"error: {platform.name}: declares no `must_fit`, so nothing shows that workloads fit")
    unfit = [finding.message for finding in check(platform, own=False, fixes=False) if finding.code in MUST_FIT_CODES]
    if unfit:
        raise SystemExit(f"error: {platform.name}: {'; '.join(unfit)}")
