"""The command itself."""

import subprocess
import sys
from importlib.metadata import version


def test_without_a_command_it_shows_its_help(nodepools, tmp_path):
    answer = nodepools(cwd=tmp_path)
    assert answer.status == 2
    assert "check" in answer.all
    assert "preview" in answer.all


def test_help_tells_the_exit_statuses(nodepools, tmp_path):
    answer = nodepools("--help", cwd=tmp_path)
    assert answer.status == 0
    assert "Exit status: 0 nothing wrong, 1 faults, 2 wrong usage" in answer.out


def test_version(nodepools, tmp_path):
    answer = nodepools("--version", cwd=tmp_path)
    assert (answer.status, answer.out.strip()) == (0, version("nodepools"))


def test_a_reader_that_goes_away_is_no_fault(project):
    command = f"{sys.executable} -m nodepools check --all --format json | head -c 1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], cwd=project, capture_output=True, text=True, check=False, timeout=60)
    assert done.stderr == ""
