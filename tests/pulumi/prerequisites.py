"""What tests of the real engine need. `make test-engine` requires the CLI; without it, the tests are skipped visibly."""

import os
import shutil
from pathlib import Path

import pytest

AT_ONCE = "from nodepools.aks import role_assignments\n\nassert role_assignments.SECONDS\nrole_assignments.SECONDS = 0\n"
"""Lines of a program whose objects do not wait for a role that the simulated clouds do not check. They fail when the wait has another name."""


def require_engine() -> None:
    """Skips the test unless the real engine is required, and fails it if the engine is required and missing."""
    if os.environ.get("ENGINE") != "required":
        pytest.skip("`make test-engine` runs the real engine")
    if shutil.which("pulumi") is None:
        pytest.fail("ENGINE=required, and there is no pulumi on PATH")


def required_clouds() -> Path:
    """The simulated clouds. They are next to the project only where it is developed: elsewhere the test is skipped."""
    require_engine()
    found = [place for folder in Path(__file__).parents if (place := folder / "shared/tools/simcloud").exists()]
    return found[0] if found else pytest.skip("the simulated clouds are next to the project only where it is developed")
