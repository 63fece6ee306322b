"""The oracle as a fixture."""

from pathlib import Path

import pytest

from tests.oracle.go_programs import built_or_skipped


@pytest.fixture(scope="session")
def budgets_of_karpenter(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built_or_skipped("disruption", "Karpenter's own API package", tmp_path_factory)
