"""Components work under the mocks that people usually write. In a process of their own: Pulumi's mocks leave event loops open."""

import subprocess
import sys

import pytest

from tests.component.mocked import PROGRAMS

pytestmark = pytest.mark.program


def test_every_program_runs_and_its_outputs_are_known(project):
    ran = subprocess.run([sys.executable, "-m", "tests.component.mocked"], cwd=project, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    none = {name: 1 if name.startswith("EKS") else 0 for name in PROGRAMS}
    """The issuer of EKS clusters is in an output that such mocks do not return."""
    assert ran.stdout.splitlines() == [f"{mocks}, {name}: True, {none[name]} of them None" for name in PROGRAMS for mocks in ("Silent", "Echoing")]
