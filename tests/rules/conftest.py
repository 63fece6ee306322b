"""How the tables of rules ask."""

from collections.abc import Callable
from datetime import date

import pytest

from nodepools.model.base import Model
from nodepools.model.severity import Severity
from nodepools.rules.engine.runner import check

DAY = date(2026, 11, 21)

Judged = Callable[..., list[str]]


@pytest.fixture
def judged() -> Judged:
    """Errors and warnings of a declaration on a given day, as `CODE path`."""

    def judge(declared: Model, today: date = DAY) -> list[str]:
        return [f"{finding.code} {finding.path}" for finding in check(declared, today=today) if finding.severity is not Severity.NOTE]

    return judge
