"""Policy packs that print, hang and are killed."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from nodepools.engine.analyzer import analyze
from nodepools.engine.errors import PackError
from nodepools.engine.plan import Plan
from nodepools.engine.run import Program, run
from nodepools.engine.time_limit import TimeLimit

pytestmark = pytest.mark.program

PACK = """
import os, sys, time
from pathlib import Path
from concurrent.futures import ThreadPoolExecutor

import grpc
from google.protobuf.empty_pb2 import Empty
from pulumi.runtime.proto import analyzer_pb2 as proto
from pulumi.runtime.proto.analyzer_pb2_grpc import AnalyzerServicer, add_AnalyzerServicer_to_server


class Analyzer(AnalyzerServicer):
    def GetAnalyzerInfo(self, request, context): return proto.AnalyzerInfo(name="others")
    def Configure(self, request, context): return Empty()
    def Remediate(self, request, context): return proto.RemediateResponse()
    def Analyze(self, request, context): return proto.AnalyzeResponse()
    def AnalyzeStack(self, request, context):
        IN_POLICY
        return proto.AnalyzeResponse()


server = grpc.server(ThreadPoolExecutor())
add_AnalyzerServicer_to_server(Analyzer(), server)
port = server.add_insecure_port("127.0.0.1:0")
server.start()
BEFORE
print(port)
AFTER
Path(__file__).with_name("pid").write_text(str(os.getpid()))
time.sleep(60)
"""
LOUD = """
for stream in (sys.stdout, sys.stderr):
    print(stream.name * 40_000, file=stream)
"""


@pytest.fixture
def plan(write: Callable[[str], Path]) -> Plan:
    return run(Program(write("Thing('a')"), "shop", "dev"), timeout=60)


def pack(folder: Path, *, before: str = "", after: str = "", in_policy: str = "") -> Path:
    folder.mkdir()
    (folder / "PulumiPolicy.yaml").write_text("runtime: python\n")
    text = PACK.replace("BEFORE", before).replace("AFTER", after).replace("IN_POLICY", in_policy.strip().replace("\n", "\n        "))
    (folder / "__main__.py").write_text(text)
    return folder


LOUD_ONES = [
    pytest.param({"before": LOUD.replace("(sys.stdout, sys.stderr)", "(sys.stderr,)")}, id="before its port"),
    pytest.param({"after": LOUD}, id="after its port"),
    pytest.param({"in_policy": LOUD}, id="in a policy"),
]


@pytest.mark.parametrize("loud", LOUD_ONES)
def test_a_pack_can_print_as_much_as_it_likes(plan: Plan, tmp_path: Path, capfd: pytest.CaptureFixture[str], loud: dict[str, str]) -> None:
    folder = pack(tmp_path / "pack", **loud)
    limit = TimeLimit.starting_now(60)
    assert analyze(folder, plan, Program(tmp_path, "shop", "dev"), {}, limit=limit).pack == "others"
    printed = capfd.readouterr()
    assert printed.out == ""
    assert "<stderr>" * 1000 in printed.err


HANGING = [
    pytest.param({"before": "time.sleep(60)"}, id="before its port"),
    pytest.param({"in_policy": "time.sleep(60)"}, id="in a policy"),
]


@pytest.mark.parametrize("hanging", HANGING)
def test_a_pack_that_hangs_ends_at_the_time_limit(plan: Plan, tmp_path: Path, hanging: dict[str, str]) -> None:
    folder = pack(tmp_path / "pack", **hanging)
    with pytest.raises(PackError, match="did not end within 8 seconds, with the program, and was stopped"):
        analyze(folder, plan, Program(tmp_path, "shop", "dev"), {}, limit=TimeLimit.starting_now(8))


RUN = """
import sys
from pathlib import Path
from nodepools.engine.analyzer import analyze
from nodepools.engine.plan import Plan
from nodepools.engine.run import Program
analyze(Path(sys.argv[1]), Plan("dev"), Program(Path(sys.argv[1]), "shop", "dev"), {})
"""


def test_a_kill_of_the_preview_ends_the_pack(tmp_path: Path) -> None:
    folder = pack(tmp_path / "pack", in_policy="time.sleep(60)")
    with subprocess.Popen([sys.executable, "-c", RUN, str(folder)]) as preview:
        pid = folder / "pid"
        assert wait_for(lambda: pid.exists() and pid.read_text() != "")
        preview.send_signal(signal.SIGKILL)
    assert wait_for(lambda: not alive(int(pid.read_text())))


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{pid}/stat")
    return not state.exists() or state.read_text().rpartition(")")[2].split()[0] != "Z"


def wait_for(condition: Callable[[], bool]) -> bool:
    end = time.monotonic() + 30
    while not condition() and time.monotonic() < end:
        time.sleep(0.05)
    return condition()


SPLIT = "import sys, time\nfor part in ('a to', 'ken\\nb', ' to', 'ken'):\n    sys.stderr.write(part)\n    sys.stderr.flush()\n    time.sleep(0.05)\n"


def test_what_a_program_prints_in_parts_has_no_hidden_text(write: Callable[[str], Path], capfd: pytest.CaptureFixture[str]) -> None:
    run(Program(write(SPLIT), "shop", "dev", hidden=("token",)), timeout=60)
    assert capfd.readouterr().err == "a [secret]\nb [secret]"


def test_a_line_that_is_too_long_to_be_searched_is_not_shown(write: Callable[[str], Path], capfd: pytest.CaptureFixture[str]) -> None:
    run(Program(write("print('first\\n' + 'x' * 2_000_000 + 'token\\nlast')"), "shop", "dev", hidden=("token",)), timeout=60)
    shown = capfd.readouterr().err
    assert shown.startswith("first\n\nnote: 1.9 MiB of further output are not shown")
    assert "token" not in shown
