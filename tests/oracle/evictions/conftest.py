"""The oracle as a fixture."""

from pathlib import Path

import pytest

from tests.oracle.go_programs import built_or_skipped


@pytest.fixture(scope="session")
def evictions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built_or_skipped("evictions", "Kubernetes' own disruption controller and eviction subresource", tmp_path_factory)
