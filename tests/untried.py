"""For tests that read what is found, thousands of times, and no fix."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest


@contextmanager
def untried_fixes() -> Iterator[None]:
    """Fixes are not tried: their trials take most of a check's time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("nodepools.rules.engine.runner.keep_fixes_that_help", lambda found, *_: found)
        yield
