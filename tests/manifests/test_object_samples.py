"""Every code of shapes and of objects has a sample that has it."""

import pytest

from nodepools.manifests.object_samples import SAMPLES, findings_of
from nodepools.model.severity import Severity
from nodepools.rules.engine.codes import OTHER_CODES

NOTES = {"OBJ009"}
"""A warning where the files hold nodes, and a note in the sample, which holds none."""


def test_every_code_has_one() -> None:
    assert set(SAMPLES) == {*OTHER_CODES} - {"CFG010", "CFG012", "CFG015"}  # of Outputs, of derive() and of programs, which no file holds


@pytest.mark.parametrize("code", SAMPLES)
def test_the_sample_has_its_code_once(code: str) -> None:
    [finding] = findings_of(code)
    severity = OTHER_CODES[code].severity
    assert finding.severity is (Severity.NOTE if code in NOTES else severity)
    assert finding.message
    assert finding.source
