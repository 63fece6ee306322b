"""Every field of the services of clusters: the real engine creates it, and a second `up` does nothing. The plan of the same stack is stored."""

from pathlib import Path

import pytest

from tests.golden.conftest import DECLARATIONS
from tests.pulumi.cloud_copies import Clouds
from tests.pulumi.conftest import Engine

APPLIED_TWICE = DECLARATIONS["services"]


@pytest.fixture
def stack(project: Path) -> str:
    folder, name = APPLIED_TWICE
    return (project / folder / "stacks" / f"{name}.py").read_text()


def test_a_second_up_does_nothing(engine: Engine, stack: str) -> None:
    engine.declare_stack(stack)
    assert engine.up() != []
    assert engine.up() == []


def test_a_second_up_does_nothing_in_clouds_that_fill_in_what_is_not_sent(empty_clouds: Clouds, stack: str) -> None:
    first = empty_clouds.up(stack)
    assert not first.failed, first.output
    done = [str(one) for one in first.done]
    for cluster in ("dev-six", "dev-private"):
        assert done.index(f"create LogGroup/{cluster}-logs") < done.index(f"create Cluster/{cluster}")
    second = empty_clouds.up(stack)
    assert (second.done, second.failed) == ((), frozenset())
