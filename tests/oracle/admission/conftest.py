"""The oracle as a fixture."""

from pathlib import Path

import pytest

from tests.oracle.go_programs import built_or_skipped


@pytest.fixture(scope="session")
def admission(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built_or_skipped("admission", "the API server's own validation of pods and workloads", tmp_path_factory)
