"""Options and fixtures of all tests."""

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

PROJECT = Path(__file__).resolve().parent.parent

# Properties are tried on machines that do other things too: no example has a deadline. Where a run decides whether a change may land it is
# the same every time; everywhere else each run looks further.
settings.register_profile("exploring", deadline=None)
settings.register_profile("deciding", deadline=None, derandomize=True)
settings.load_profile("deciding" if os.environ.get("CI") else "exploring")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--rewrite-golden", action="store_true", help="write the stored plans anew, in place of comparing")


@pytest.fixture(scope="session")
def project() -> Path:
    """The project itself."""
    return PROJECT


@pytest.fixture
def loop() -> Iterator[None]:
    """Outputs are made within an event loop, which a program has and a test has not."""
    made = asyncio.new_event_loop()
    asyncio.set_event_loop(made)
    yield
    made.run_until_complete(asyncio.sleep(0))
    asyncio.set_event_loop(None)
    made.close()
