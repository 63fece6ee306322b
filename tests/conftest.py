"""Options and fixtures of all tests."""

from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parent.parent


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--rewrite-golden", action="store_true", help="write the stored plans anew, in place of comparing")


@pytest.fixture(scope="session")
def project() -> Path:
    """The project itself."""
    return PROJECT
