"""The oracle as a fixture."""

from pathlib import Path

import pytest

from tests.oracle.go_programs import built_or_skipped


@pytest.fixture(scope="session")
def schedulers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built_or_skipped("replicas", "kube-scheduler's own filters and Karpenter's own provisioner", tmp_path_factory)
