"""The oracle as a fixture."""

from pathlib import Path

import pytest

from tests.oracle.go_programs import built_or_skipped


@pytest.fixture(scope="session")
def instance_types_of_karpenter(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built_or_skipped("kubelet", "the instance types of Karpenter on AWS", tmp_path_factory)
