"""Every hostile input ends with the expected exit code and line, within its time and memory, and without a traceback."""

from pathlib import Path

import pytest

from tests.hostile.bounds import BOUNDS
from tests.hostile.case import Case, problems, run
from tests.hostile.crds import CRDS
from tests.hostile.diffs import DIFFS
from tests.hostile.exports import EXPORTS
from tests.hostile.files import FILES
from tests.hostile.output import OUTPUT
from tests.hostile.programs import PROGRAMS
from tests.hostile.secrets import SECRETS
from tests.hostile.upgrades import UPGRADES

pytestmark = pytest.mark.sweep

CASES = (*CRDS, *FILES, *PROGRAMS, *BOUNDS, *OUTPUT, *SECRETS, *DIFFS, *UPGRADES, *EXPORTS)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.title)
def test_hostile_input_is_one_clear_answer(case: Case, tmp_path: Path) -> None:
    folder = tmp_path / "work"
    folder.mkdir()
    outcome = run(case, folder)
    found = problems(case, outcome)
    assert not found, f"{'; '.join(found)}\n{outcome.stdout.decode(errors='replace')[-2000:]}\n{outcome.stderr.decode(errors='replace')[-2000:]}"
