"""The oracle as a fixture."""

from pathlib import Path

import pytest

from tests.oracle.go_programs import built_or_skipped


@pytest.fixture(scope="session")
def kube_scheduler(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built_or_skipped("replicas", "kube-scheduler's own filters", tmp_path_factory)
