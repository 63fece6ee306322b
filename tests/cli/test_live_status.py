"""`preview` says on a terminal what it is doing. The line is gone at the end, and never in the way of what others write."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from nodepools.cli.output.status_line import is_wanted
from tests.cli.terminal import Terminal

pytestmark = pytest.mark.program

NODEPOOLS = Path(sys.executable).with_name("nodepools")
ERASE = "\r\x1b[K"
PROGRAM = "running the program: it registers the resources of dev … "
FILES = {
    "Pulumi.yaml": "name: shop\nruntime: python\n",
    "__main__.py": "import sys, time\ntime.sleep(3)\nprint('from the program')\ntime.sleep(0.5)\n",
}
QUIET = dict.fromkeys(("CI", "NO_COLOR"), "") | {"TERM": "xterm"}


@pytest.fixture
def slow(tmp_path: Path) -> Path:
    """A project whose program takes some seconds."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def on_a_terminal(folder: Path, *options: str, **environment: str) -> str:
    with Terminal([NODEPOOLS, "preview", *options], folder, QUIET | environment, only_stderr=True) as terminal:
        written = terminal.rest()
    assert terminal.process.returncode == 0
    return written


def screen(written: str) -> list[str]:
    """The lines that stay on the screen."""
    return [line.split(ERASE)[-1].rstrip("\r") for line in written.split("\n")]


def test_a_slow_program_is_shown_and_erased(slow: Path):
    written = on_a_terminal(slow)
    assert f"{ERASE}{PROGRAM}" in written
    assert screen(written) == ["from the program", ""]


SHOWN = [
    pytest.param([], {"CI": "true"}, False, id="in CI"),
    pytest.param(["--no-progress"], {}, False, id="turned off"),
    pytest.param([], {"TERM": "dumb"}, False, id="on a terminal that erases nothing"),
    pytest.param(["--progress"], {"CI": "true"}, True, id="turned on in CI"),
]


@pytest.mark.parametrize(("options", "environment", "is_shown"), SHOWN)
def test_it_is_shown_only_to_who_watches(slow: Path, options: list[str], environment: dict[str, str], *, is_shown: bool):
    written = on_a_terminal(slow, *options, **environment)
    assert (PROGRAM in written) is is_shown
    assert screen(written) == ["from the program", ""]


@pytest.mark.parametrize(("options", "is_shown"), [([], False), (["--progress"], True)])
def test_in_a_pipe_it_is_shown_only_if_asked(slow: Path, options: list[str], *, is_shown: bool):
    done = subprocess.run([NODEPOOLS, "preview", *options], cwd=slow, env={**os.environ, **QUIET}, capture_output=True, check=True)
    assert (PROGRAM in done.stderr.decode()) is is_shown
    assert screen(done.stderr.decode()) == ["from the program", ""]
    assert b"\x1b" not in done.stdout


def test_a_program_that_fails_leaves_only_its_error(slow: Path):
    (slow / "__main__.py").write_text("import time\ntime.sleep(3)\nraise SystemExit('broken')\n")
    with Terminal([NODEPOOLS, "preview"], slow, QUIET, only_stderr=True) as terminal:
        written = terminal.rest()
    assert terminal.process.returncode == 2
    assert PROGRAM in written
    assert [line for line in screen(written) if "broken" in line]
    assert not [line for line in screen(written) if " … " in line]


def test_without_a_terminal_nobody_watches(monkeypatch: pytest.MonkeyPatch):
    def answered(_: int) -> bool:
        return True

    assert not is_wanted(asked=None, environment={})
    monkeypatch.setattr(os, "isatty", answered)
    assert is_wanted(asked=None, environment={})
