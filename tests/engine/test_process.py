"""The program's process: its time, its end, its output."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from nodepools.engine.errors import ProgramFailed, ProgramTimedOut
from nodepools.engine.process import ChildOutput, end_children_of, host_in, serving

pytestmark = pytest.mark.program

Engine = Callable[..., Any]

RUN = """
import json, sys
from pathlib import Path
from nodepools.engine.run import Program, run

print(json.dumps(run(Program(Path(sys.argv[1]), "shop", "dev")).to_json()))
"""

SLEEPS = """
import os, subprocess, sys, time

below = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
with open("pids.partial", "w") as file:
    file.write(f"{os.getpid()} {below.pid}")
os.rename("pids.partial", "pids")
time.sleep(60)
"""

SERVES = [sys.executable, "-c", "import os, time; print(os.getpid(), flush=True); time.sleep(60)"]


def alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"  # a zombie has ended; its parent is not ours to wait for


def wait_for(condition: Callable[[], bool]) -> bool:
    end = time.monotonic() + 10
    while not condition() and time.monotonic() < end:
        time.sleep(0.02)
    return condition()


def open_files() -> int:
    """Files, pipes and sockets. Pollers are left out where links tell: gRPC keeps some for the next server, as many as it has threads."""
    return sum(not str(file.readlink() if file.is_symlink() else file).startswith("anon_inode:") for file in Path("/dev/fd").iterdir())


def files_after_a_run(engine: Engine) -> int:
    engine("Thing('a', ResourceOptions(transforms=[lambda args: None]))")
    return open_files()


def pids_in(folder: Path) -> list[int]:
    return [int(pid) for pid in (folder / "pids").read_text().split()]


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc to see processes")
@pytest.mark.parametrize(
    ("number", "status"),
    [
        pytest.param(signal.SIGINT, -signal.SIGINT, id="Ctrl-C"),
        pytest.param(signal.SIGTERM, 128 + signal.SIGTERM, id="a termination"),
        pytest.param(signal.SIGHUP, 128 + signal.SIGHUP, id="a closed terminal"),
        pytest.param(signal.SIGKILL, -signal.SIGKILL, id="a kill"),
    ],
)
@pytest.mark.usefixtures("interruptible")
def test_a_signal_leaves_no_process_behind(write: Callable[[str], Path], number: signal.Signals, status: int) -> None:
    folder = write(SLEEPS)
    engine = subprocess.Popen([sys.executable, "-c", RUN, str(folder)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    with engine:
        assert wait_for((folder / "pids").exists)
        assert all(map(alive, pids_in(folder)))
        engine.send_signal(number)
        output, _ = engine.communicate(timeout=10)
    assert engine.returncode == status
    assert output == b""
    assert wait_for(lambda: not any(map(alive, pids_in(folder))))


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n" + SLEEPS, id="one that does not listen"),
        pytest.param("import asyncio\nThing('a', size=Output.from_input(asyncio.Future()))", id="one that waits for nothing"),
    ],
)
def test_a_program_is_ended_when_its_time_is_over(engine: Engine, tmp_path: Path, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nodepools.engine.process.GRACE_SECONDS", 0.1)
    with pytest.raises(ProgramTimedOut, match=r"did not end within 0\.6 seconds and was stopped"):
        engine(text, timeout=0.6)
    if (tmp_path / "pids").exists():
        assert wait_for(lambda: not any(map(alive, pids_in(tmp_path))))


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc to see processes")
def test_what_a_program_leaves_running_ends_with_it(engine: Engine, tmp_path: Path) -> None:
    engine(SLEEPS.rpartition("time.sleep")[0])
    assert wait_for(lambda: not any(map(alive, pids_in(tmp_path))))


def test_standard_output_holds_nothing_of_the_programs(write: Callable[[str], Path]) -> None:
    folder = write("""
        import os, subprocess, sys
        print("printed")
        os.write(1, b"written")
        subprocess.run([sys.executable, "-c", "print('from below')"])
        Thing("a", typed=sys.stdin.read())
    """)
    done = subprocess.run([sys.executable, "-c", RUN, str(folder)], input="never read", capture_output=True, text=True, check=True)
    assert done.stdout.startswith('{"stack": "dev"')
    assert '"typed": ""' in done.stdout
    assert len(done.stdout.splitlines()) == 1
    assert all(word in done.stderr for word in ("printed", "written", "from below"))


def test_the_program_sees_itself_as_under_pulumi_whatever_proxy_is_set(engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "grpc_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    monkeypatch.delenv("no_proxy", raising=False)
    graph = engine("""
        import os, sys
        pulumi.export("seen", [pulumi.get_project(), pulumi.get_stack(), pulumi.get_organization(), __name__, pulumi.runtime.is_dry_run()])
        pulumi.export("where", [os.getcwd(), sys.argv])
        Thing("a", ResourceOptions(transforms=[lambda args: None]))
    """)
    assert graph.outputs == {"seen": ["shop", "dev", "organization", "__main__", True], "where": [str(tmp_path), [str(tmp_path)]]}


def test_nothing_stays_open(engine: Engine) -> None:
    before = set(threading.enumerate())
    files = [files_after_a_run(engine) for _ in range(4)]
    assert set(threading.enumerate()) <= before
    assert any(later <= earlier for earlier, later in pairwise(files)), "what stays open adds up with every run; the collector can be late once"
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


def pid_of(server: ChildOutput) -> int:
    return int(server.first_line(10) or b"0")


def test_a_program_runs_while_its_thread_serves_others(engine: Engine, tmp_path: Path) -> None:
    with serving(SERVES, {}, tmp_path) as (outer, _), serving(SERVES, {}, tmp_path) as (inner, _):
        pids = pid_of(outer), pid_of(inner)
        assert engine("Thing('a')")["a"].name == "a"
        assert all(map(alive, pids))
    assert not any(map(alive, pids))


def test_all_that_another_thread_runs_is_ended(tmp_path: Path) -> None:
    with serving(SERVES, {}, tmp_path) as (outer, _), serving(SERVES, {}, tmp_path) as (inner, _):
        pids = pid_of(outer), pid_of(inner)
        thread = threading.Thread(target=end_children_of, args=[threading.get_ident()])
        thread.start()
        thread.join()
        assert wait_for(lambda: not any(map(alive, pids)))


def test_modules_of_the_program_do_not_stand_before_those_of_python(engine: Engine, tmp_path: Path) -> None:
    for name in ("platform", "logging", "nodepools"):
        (tmp_path / f"{name}.py").write_text("raise ImportError('the wrong one')")
    assert engine("import logging, platform\nThing('a')")["a"].name == "a"


def test_many_runs_stand_side_by_side(write: Callable[[str], Path], engine: Engine) -> None:
    graphs: list[Any] = []
    write("Thing('a')")
    threads = [threading.Thread(target=lambda: graphs.append(engine("Thing('a')"))) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [graph["a"].name for graph in graphs] == ["a", "a"]


def test_large_resources_pass(engine: Engine) -> None:
    graph = engine("""
        Thing("large", ResourceOptions(transforms=[lambda args: None]), text="x" * (6 << 20))
    """)
    assert len(graph["large"].inputs["text"]) == 6 << 20


def test_a_handler_that_somebody_set_stays(engine: Engine) -> None:
    heard: list[int] = []
    previous = signal.signal(signal.SIGTERM, lambda number, _: heard.append(number))
    try:
        engine("import os, signal\nos.kill(os.getppid(), signal.SIGTERM)\nThing('a')")
    finally:
        signal.signal(signal.SIGTERM, previous)
    assert heard == [signal.SIGTERM]


STARTED = """
import os, sys
pulumi.export("loaded", "nodepools.deployment" in sys.modules)
pulumi.export("seen", [os.environ.get("PLACE"), os.getcwd(), os.getppid(), sys.stdin.read(), sys.argv])
print("printed")
"""


@pytest.mark.parametrize("names", [pytest.param([], id="a process"), pytest.param(["deploy", "load"], id="one that imported before")])
def test_a_process_that_was_there_before_runs_the_program(
    engine: Engine, tmp_path: Path, names: list[str], capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text("print('first')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "site"))
    with host_in(tmp_path, *names) as host:
        time.sleep(1)
        outputs = engine(STARTED, host=host).outputs
    assert outputs == {"loaded": bool(names), "seen": [None, str(tmp_path), os.getpid(), "", [str(tmp_path)]]}
    assert capfd.readouterr().err == "first\nprinted\n"
    assert not alive(host.child.pid)


def test_a_process_from_before_a_change_does_not_run_the_program(engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "elsewhere").mkdir()
    with host_in(tmp_path / "elsewhere", "deploy") as host:
        outputs = engine(STARTED, host=host).outputs
    assert (outputs["loaded"], *outputs["seen"][:2]) == (False, None, str(tmp_path))
    with host_in(tmp_path, "deploy") as host:
        monkeypatch.setenv("PLACE", "after")
        outputs = engine(STARTED, host=host).outputs
    assert (outputs["loaded"], *outputs["seen"][:2]) == (False, "after", str(tmp_path))


def test_a_process_that_runs_nothing_ends_and_says_nothing(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with host_in(tmp_path) as host:
        pass
    assert not alive(host.child.pid)
    done = subprocess.run([sys.executable, "-m", "nodepools.engine.host"], stdin=subprocess.DEVNULL, capture_output=True, check=True, cwd=tmp_path)
    assert (done.stdout, done.stderr, *capfd.readouterr()) == (b"", b"", "", "")


def test_a_process_that_ended_before_is_a_failure(engine: Engine, tmp_path: Path) -> None:
    with host_in(tmp_path) as host:
        host.child.kill()
        with pytest.raises(ProgramFailed, match="the program was ended by signal SIGKILL"):
            engine("Thing('a')", host=host, config={"shop:large": "x" * (1 << 20)})


def test_a_time_limit_begins_with_the_run(engine: Engine, tmp_path: Path) -> None:
    with host_in(tmp_path) as host:
        time.sleep(0.5)
        with pytest.raises(ProgramTimedOut):
            engine(SLEEPS, host=host, timeout=0.6)
    assert not alive(host.child.pid)
