"""The oracle as a fixture."""

from pathlib import Path

import pytest

from tests.oracle.go_programs import built_or_skipped


@pytest.fixture(scope="session")
def hashes_of_karpenter(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built_or_skipped("drift", "Karpenter's own hashes", tmp_path_factory)
