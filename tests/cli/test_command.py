"""The command itself."""

import os
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest


def test_without_a_command_it_shows_its_help(nodepools, tmp_path):
    answer = nodepools(cwd=tmp_path)
    assert answer.status == 2
    assert "check" in answer.all
    assert "preview" in answer.all


def test_version(nodepools, tmp_path):
    answer = nodepools("--version", cwd=tmp_path)
    assert (answer.status, answer.out.strip()) == (0, version("nodepools"))


def test_plugins_that_watch_validations_of_other_programs_are_not_loaded(copy, tmp_path_factory):
    packages = tmp_path_factory.mktemp("packages")
    described = packages / "watcher-1.dist-info"
    described.mkdir()
    (described / "METADATA").write_text("Metadata-Version: 2.1\nName: watcher\nVersion: 1\n")
    (described / "entry_points.txt").write_text("[pydantic]\nwatcher = watcher:plugin\n")
    (packages / "watcher.py").write_text("raise RuntimeError('loaded')\n")
    command, environment = (sys.executable, "-m", "nodepools", "check", "--stack", "dev"), {**os.environ, "PYTHONPATH": str(packages)}

    def loads(**variables: str) -> bool:
        done = subprocess.run(command, cwd=copy, env={**environment, **variables}, capture_output=True, text=True, check=False)
        return "loaded" in done.stderr

    assert not loads()
    assert loads(PYDANTIC_DISABLE_PLUGINS="no")


def test_a_reader_that_goes_away_is_no_finding(project):
    command = f"{sys.executable} -m nodepools check --all --format json | head -c 1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], cwd=project, capture_output=True, text=True, check=False, timeout=60)
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("command", "environment", "coloured"),
    [
        pytest.param("check --details", {}, True, id="findings have colour on a terminal"),
        pytest.param("explain examples/workloads", {}, True, id="so has the answer about pods"),
        pytest.param("rules", {}, True, id="and a list"),
        pytest.param("rules", {"NO_COLOR": "1"}, False, id="none where it is not wanted"),
        pytest.param("rules", {"NO_COLOR": ""}, True, id="an empty wish is none"),
    ],
)
def test_colour(project, command, environment, coloured):
    ours, theirs = os.openpty()
    surroundings = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    running = subprocess.Popen(
        [sys.executable, "-m", "nodepools", *command.split()], cwd=project, env={**surroundings, "TERM": "xterm", **environment}, stdout=theirs
    )
    os.close(theirs)
    said = b"".join(iter(lambda: _read(ours), b""))
    os.close(ours)
    assert running.wait(timeout=60) in {0, 1}
    assert (b"\x1b[" in said) == coloured


def _read(terminal: int) -> bytes:
    """What is there; nothing when the other side is closed, which Linux tells as an error."""
    try:
        return os.read(terminal, 65536)
    except OSError:
        return b""


NOT_TEXT = ("< $BINARY", "error: stdin: is not UTF-8 text\n")
CLOSED = ("<&-", "error: stdin: is closed\n")


@pytest.mark.parametrize(
    ("command", "redirection", "said"),
    [
        pytest.param("check", *NOT_TEXT, id="manifests that are not text"),
        pytest.param("calendar", *NOT_TEXT, id="pools that are not text"),
        pytest.param("check", *CLOSED, id="manifests of a closed one"),
        pytest.param("explain", *CLOSED, id="pods of a closed one"),
    ],
)
def test_standard_input_that_cannot_be_read(project, tmp_path, command, redirection, said):
    (tmp_path / "binary").write_bytes(b"\xff\x00\xfe")
    shell = f"exec {sys.executable} -m nodepools {command} - {redirection}"
    surroundings = {**os.environ, "BINARY": str(tmp_path / "binary"), "LC_ALL": "C"}  # where Python reads bytes that are no text as if they were
    done = subprocess.run(["bash", "-c", shell], cwd=project, env=surroundings, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (2, said)
    assert done.stdout in {"", f"stdin: no NodePool could be read (not complete: {said.removeprefix('error: ').strip()})\n"}


@pytest.mark.parametrize("command", ["check --format json", "rules", "mcp", "--help", "--version"])
def test_a_closed_standard_output_is_one_line(project, command):
    shell = f"exec {sys.executable} -m nodepools {command} >&-"
    done = subprocess.run(["bash", "-c", shell], cwd=project, stderr=subprocess.PIPE, text=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (2, "error: stdout is closed\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full to stand for a full disk")
@pytest.mark.parametrize("command", ["check", "rules", "check --format json", "--help", "check --help", "--version"])
def test_an_answer_that_cannot_be_written_is_one_line(project, command):
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "nodepools", *command.split()],
            cwd=project,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            timeout=60,
        )
    assert (done.returncode, done.stderr) == (2, "error: stdout: No space left on device\n")
