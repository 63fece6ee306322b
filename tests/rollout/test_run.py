"""A rollout stops at a failure, goes on where it stopped, and repeats nothing, whatever fails and whenever the program is killed."""

import json
import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest
from pulumi import automation

from nodepools import AksClusterArgs, Daily, Platform, SystemPool, UserPool, Weekly, derive
from nodepools.rollout.plan import Check, Plan, PlannedWave
from nodepools.rollout.run import AutomationRunner, Clock, RolloutStoppedError, opening, require_fit, require_open, run

START = datetime(2026, 11, 30, 9, tzinfo=UTC)  # a Monday
CAUSES = ("409 Conflict: Another update is currently in progress", "429 TooManyRequests", "500 InternalServerError")


class KilledError(BaseException):
    """The process ends here: nothing of it runs after this."""


@dataclass
class Time:
    """A clock that moves when something waits."""

    at: datetime = START
    waits: list[float] = field(default_factory=list)

    def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.at += timedelta(seconds=seconds)

    @property
    def clock(self) -> Clock:
        return Clock(lambda: self.at, self.sleep)


@dataclass
class Stacks:
    """Simulated stacks; `fate` says what happens to the nth call for a stack or a gate."""

    fate: Callable[[str, int], BaseException | None] = lambda _, __: None
    calls: list[str] = field(default_factory=list)
    updated: list[str] = field(default_factory=list)
    passed: list[Check] = field(default_factory=list)
    running: set[str] = field(default_factory=set)
    together: list[frozenset[str]] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def up(self, stack: str) -> None:
        with self.lock:
            self.running.add(stack)
            self.together.append(frozenset(self.running))
        try:
            self._happens(stack)
            with self.lock:
                self.updated.append(stack)
        finally:
            with self.lock:
                self.running.remove(stack)

    def check(self, check: Check) -> None:
        self._happens(" ".join(check.command))
        self.passed.append(check)

    def _happens(self, what: str) -> None:
        with self.lock:
            self.calls.append(what)
            number = self.calls.count(what)
        error = self.fate(what, number)
        if error is not None:
            raise error


PLAN = Plan(
    "fleet",
    (
        PlannedWave("dev", (("dev-1", "dev-2"), ("dev-3",)), (Check("no change is rejected", ("diff", "dev")),), 3600),
        PlannedWave("prod", (("prod-1",), ("prod-2", "prod-3")), (Check("ok", ("smoke",)), Check("must fit", ("fit",), "prod-1")), 7200),
    ),
)


def carried_out(plan: Plan, folder: Path, stacks: Stacks, time: Time | None = None) -> int:
    return run(plan, journal=folder / "journal.jsonl", runner=stacks, clock=(time if time is not None else Time()).clock)


def events(folder: Path) -> list[str]:
    lines = [json.loads(line) for line in (folder / "journal.jsonl").read_text(encoding="utf-8").splitlines()]
    return [f"{line['event']} {line.get('stack', line.get('wave', ''))}" for line in lines]


def test_waves_follow_each_other_after_their_gates_and_soaks(tmp_path: Path):
    stacks, time = Stacks(), Time()
    assert carried_out(PLAN, tmp_path, stacks, time) == 0
    assert [set(stacks.updated[:2]), *stacks.updated[2:4]] == [{"dev-1", "dev-2"}, "dev-3", "prod-1"]
    assert stacks.calls[0] == "diff dev"
    assert stacks.calls[4:7] == ["smoke", "fit", "prod-1"]
    assert sum(time.waits) == pytest.approx(3600), "there is no soak after the last wave"
    assert events(tmp_path)[-1] == "wave prod"


def test_a_failed_gate_starts_no_stack_of_its_wave(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    stacks = Stacks(lambda what, _: ValueError("exit code 1") if what == "fit" else None)
    assert carried_out(PLAN, tmp_path, stacks) == 1
    assert sorted(stacks.updated) == ["dev-1", "dev-2", "dev-3"]
    assert capsys.readouterr().err == "error: wave prod: gate `must fit` for prod-1 does not hold: exit code 1: no stack of the wave is started\n"


@pytest.mark.parametrize("cause", CAUSES)
def test_a_failed_stack_stops_the_next_batch_but_not_its_own(tmp_path: Path, capsys: pytest.CaptureFixture[str], cause: str):
    stacks = Stacks(lambda what, number: RuntimeError(cause) if what == "dev-1" and number == 1 else None)
    assert carried_out(PLAN, tmp_path, stacks) == 1
    assert stacks.updated == ["dev-2"]
    assert capsys.readouterr().err == f"error: dev-1: {cause}: no further batch starts; run this again to go on\n"
    assert carried_out(PLAN, tmp_path, stacks) == 0
    assert Counter(stacks.updated) == dict.fromkeys(("dev-1", "dev-2", "dev-3", "prod-1", "prod-2", "prod-3"), 1)
    assert stacks.calls.count("diff dev") == 1, "a gate that held is not asked twice"


@pytest.mark.parametrize("seed", range(30))
def test_random_fleets_converge_whatever_fails(tmp_path: Path, seed: int):
    """Stacks and gates fail, and the program is killed at any moment, also while it writes its journal."""
    random = Random(seed)  # noqa: S311  # a test
    names = iter(f"stack-{number}" for number in range(60))
    waves = tuple(
        PlannedWave(
            f"wave-{wave}",
            tuple(tuple(next(names) for _ in range(random.randint(1, 5))) for _ in range(random.randint(1, 3))),
            tuple(Check("gate", (f"gate-{wave}-{number}",)) for number in range(random.randint(0, 2))),
            random.choice((0, 60)),
        )
        for wave in range(random.randint(1, 4))
    )
    plan = Plan("fleet", waves)
    chances = [None] * 6 + [*map(RuntimeError, CAUSES), KilledError()]
    stacks, time, journal = Stacks(lambda _, __: random.choice(chances)), Time(), tmp_path / "journal.jsonl"
    for _ in range(500):
        try:
            if carried_out(plan, tmp_path, stacks, time) == 0:
                break
        except KilledError:
            if random.random() < 0.5:  # a line that was being written
                journal.write_text(journal.read_text(encoding="utf-8") + '{"at": "2026-', encoding="utf-8")
    else:
        pytest.fail("it does not converge")
    every = [name for wave in waves for name in wave.stacks]
    assert Counter(stacks.updated) == Counter(every), "each stack is updated once: nothing is repeated"
    assert len(stacks.passed) == sum(len(wave.gates) for wave in waves)
    batches = [set(batch) for wave in waves for batch in wave.batches]
    assert all(any(together <= batch for batch in batches) for together in stacks.together), "only stacks of one batch run at the same time"
    order = {name: number for number, batch in enumerate(batches) for name in batch}
    assert [order[name] for name in stacks.updated] == sorted(order[name] for name in stacks.updated), "a failure stops what follows"


def test_a_killed_program_repeats_only_the_stack_that_it_was_updating(tmp_path: Path):
    stacks = Stacks(lambda what, number: KilledError() if what == "prod-1" and number == 1 else None)
    with pytest.raises(KilledError):
        carried_out(PLAN, tmp_path, stacks)
    assert events(tmp_path)[-1] == "start prod-1"
    assert carried_out(PLAN, tmp_path, stacks) == 0
    assert Counter(stacks.calls)["prod-1"] == 2
    assert {what for what, count in Counter(stacks.calls).items() if count > 1} == {"prod-1"}


def test_a_soak_that_was_interrupted_goes_on_with_what_is_left_of_it(tmp_path: Path):
    stacks, time = Stacks(), Time()

    def killed(seconds: float) -> None:
        time.sleep(seconds)
        if len(time.waits) == 10:
            raise KilledError

    with pytest.raises(KilledError):
        run(PLAN, journal=tmp_path / "journal.jsonl", runner=stacks, clock=Clock(lambda: time.at, killed))
    time.at += timedelta(minutes=20)
    assert carried_out(PLAN, tmp_path, stacks, time) == 0
    assert sum(time.waits) == pytest.approx(3600 - 20 * 60)


def test_a_batch_starts_only_while_the_window_is_open(tmp_path: Path):
    window = Weekly(days="mon-thu", start="10:00", hours=8, tz="UTC")
    time = Time()
    plan = replace(PLAN, window=window)
    started: list[datetime] = []
    assert carried_out(plan, tmp_path, Stacks(lambda what, _: started.append(time.at) if "-" in what else None), time) == 0
    assert started[0] == datetime(2026, 11, 30, 10, tzinfo=UTC)
    assert all(opening(window, at) == at for at in started)


@pytest.mark.parametrize(
    ("now", "opens"),
    [
        ("2026-11-27T12:00", "2026-11-28T23:00"),
        ("2026-11-28T23:00", "2026-11-28T23:00"),
        ("2026-11-29T03:59", "2026-11-29T03:59"),
        ("2026-11-29T04:00", "2026-12-05T23:00"),
    ],
)
def test_a_window_that_passes_midnight_is_open_on_the_next_day(now: str, opens: str):
    window = Weekly(days="sat", start="23:00", hours=5, tz="UTC")
    assert opening(window, datetime.fromisoformat(f"{now}+00:00")) == datetime.fromisoformat(f"{opens}+00:00")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"at": "2026-11-30T09:00:00+00:00", "event": "plan", "plan": "another"}\n', "is the journal of another plan"),
        ("hello\n", "is not a journal of a rollout"),
        ("[]\n", "is not a journal of a rollout"),
    ],
)
def test_the_journal_of_something_else_is_not_continued(tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, message: str):
    (tmp_path / "journal.jsonl").write_text(text, encoding="utf-8")
    stacks = Stacks()
    assert carried_out(PLAN, tmp_path, stacks) == 1
    assert message in capsys.readouterr().err
    assert not stacks.calls
    assert (tmp_path / "journal.jsonl").read_text(encoding="utf-8") == text


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (("python3", "-c", "import sys; sys.exit(3)"), "exit code 3"),
        (("no-such-program",), "no-such-program: No such file or directory"),
    ],
)
def test_a_gate_that_is_a_command_holds_if_it_ends_with_0(tmp_path: Path, command: tuple[str, ...], message: str):
    runner = AutomationRunner(tmp_path)
    runner.check(Check("ok", ("python3", "-c", "open('here', 'w')")))
    assert (tmp_path / "here").exists()
    with pytest.raises(RolloutStoppedError, match=message):
        runner.check(Check("ok", command))


OUTPUT = """Updating (dev):
Diagnostics:
  azure-native:containerservice:ManagedCluster (dev-weu):
    error: 409 Conflict: Another operation is in progress
  kubernetes:core/v1:ConfigMap (dev-weu):
    error: the cluster has no node
  pulumi:pulumi:Stack (fleet-dev):
    error: update failed

Resources:
    2 unchanged

Duration: 3s
"""


@pytest.mark.parametrize(
    ("listed", "message"),
    [
        (["acme/dev-1", "dev-2"], "Pulumi has no stack dev-3, prod-1, prod-2 and 1 more: `pulumi stack init` creates it: nothing is started"),
        (FileNotFoundError(2, "No such file or directory: 'pulumi'"), "does not list its stacks: [Errno 2] No such file or directory: 'pulumi'"),
        (
            automation.CommandError(automation._cmd.CommandResult("", "error: PULUMI_ACCESS_TOKEN must be set for login", 255)),
            "error: Pulumi does not list its stacks: PULUMI_ACCESS_TOKEN must be set for login: nothing is started",
        ),
        (ValueError(), "error: Pulumi does not list its stacks: ValueError: nothing is started"),
    ],
)
def test_nothing_is_started_without_the_engine_or_a_stack(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], listed: list[str] | Exception, message: str
):
    class Workspace:
        def __init__(self, work_dir: str) -> None:
            assert work_dir == str(tmp_path)

        def list_stacks(self) -> list[SimpleNamespace]:
            if isinstance(listed, Exception):
                raise listed
            return [SimpleNamespace(name=name) for name in listed]

    monkeypatch.setattr(automation, "LocalWorkspace", Workspace)
    assert run(PLAN, journal=tmp_path / "journal.jsonl", project=tmp_path) == 1
    told = capsys.readouterr().err
    assert message in told
    assert len(told.splitlines()) == 1
    assert not (tmp_path / "journal.jsonl").exists()


def test_pulumi_runs_in_the_folder_of_the_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    asked: list[tuple[str, str]] = []

    class Selected:
        def up(self, on_output: Callable[[str], None]) -> None:
            on_output("updating")
            if asked[-1][0] == "locked":
                raise automation.CommandError(automation._cmd.CommandResult(OUTPUT, "", 255))

    def select_stack(*, stack_name: str, work_dir: str) -> Selected:
        asked.append((stack_name, work_dir))
        return Selected()

    monkeypatch.setattr(automation, "select_stack", select_stack)
    runner = AutomationRunner(tmp_path)
    runner.up("dev")
    with pytest.raises(RolloutStoppedError, match=r"^409 Conflict: Another operation is in progress, the cluster has no node$"):
        runner.up("locked")
    assert asked == [("dev", str(tmp_path)), ("locked", str(tmp_path))]
    assert capsys.readouterr().out == "[dev] updating\n[locked] updating\n"


def test_commands_of_compiled_gates_end_with_an_error_unless_they_hold():
    require_open(Daily(start="00:00", hours=24))
    with pytest.raises(SystemExit, match=r"error: the window `.*` is closed until .* UTC: run this again then"):
        require_open(Weekly(days=("sun", "mon", "tue", "wed", "thu", "fri", "sat")[(datetime.now(UTC).isoweekday() + 3) % 7], start="12:00", hours=1))


def test_workloads_that_are_not_certain_to_fit_stop_a_wave():
    cluster = AksClusterArgs(
        location="westeurope",
        kubernetes_version="1.35",
        system_pool=SystemPool(vm_size="Standard_D4ds_v5", count=3),
        pools={"web": UserPool(vm_size="Standard_D4ds_v5", count=2)},
    )
    platform = Platform(name="dev", clusters={"weu": cluster})
    with pytest.raises(SystemExit, match="error: dev: declares no `must_fit`, so nothing shows that workloads fit"):
        require_fit(platform)
    pod = {"kind": "Pod", "metadata": {"name": "web"}, "spec": {"containers": [{"name": "web"}]}}
    require_fit(derive(platform, must_fit=[pod]))
    with pytest.raises(SystemExit, match="Workload `Pod/web` fits no pool"):
        require_fit(derive(platform, must_fit=[{**pod, "spec": {**pod["spec"], "nodeSelector": {"tier": "x"}}}]))
