"""Components work under the mocks that people usually write. In a process of their own: Pulumi's mocks leave event loops open."""

import subprocess
import sys

from tests.component.mocked import PROGRAMS


def test_every_program_runs_and_its_outputs_are_known(project):
    ran = subprocess.run([sys.executable, "-m", "tests.component.mocked"], cwd=project, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.splitlines() == [f"{mocks}, {name}: 4 outputs" for name in PROGRAMS for mocks in ("Silent", "Echoing")]
