"""The most pods and nodes within one limit."""

import pytest

from nodepools.placement.machine_index import Bounds, Machine
from nodepools.replicas.demand import Usage
from nodepools.replicas.room import Launching, Size, counted, most_nodes_within, most_within

CPU = 1000
ROWS = [
    pytest.param([], 0, 0, id="no type"),
    pytest.param([Size(8 * CPU, 8 * CPU, 8)], 0, 0, id="none within the limit"),
    pytest.param([Size(4 * CPU, 4 * CPU, 3)], 3, 1, id="one node of 4 within 6"),
    pytest.param([Size(4 * CPU, 4 * CPU, 3), Size(2 * CPU, 2 * CPU, 1)], 4, 3, id="the best filling"),
    pytest.param([Size(0, 0, 3)], None, None, id="an amount that is not known"),
    pytest.param([Size(7, 7, 3)], 2571, 857, id="too many for a table: what the best size allows"),
]


@pytest.mark.parametrize(("sizes", "pods", "nodes"), ROWS)
def test_within_6_cpu(sizes: list[Size], pods: int | None, nodes: int | None) -> None:
    assert (most_within(6 * CPU, sizes, 10**9), most_nodes_within(6 * CPU, sizes)) == (pods, nodes)


def test_memory_of_which_a_machine_keeps_a_part() -> None:
    assert counted(Machine("a", {}, {"memory": Bounds(500, 1000)}), "memory") == (900, 1000)


def test_a_machine_of_unknown_size_has_a_cpu_and_makes_nothing_certain() -> None:
    unknown = Machine("a", {}, {})
    assert counted(unknown, "cpu") == (CPU, 0)
    assert Launching([unknown], [unknown], [], {"pods": 1000}, {}, Usage()).guaranteed("cpu", 9 * CPU, 5) == 1


def test_a_limit_that_is_far_away_by_the_share_of_a_pod() -> None:
    machine = Machine("a", {}, {"cpu": Bounds(700, CPU)})
    launching = Launching([machine], [machine], [], {"cpu": 300}, {}, Usage())
    assert launching.guaranteed("cpu", 600 * CPU, 10_000) == 1199
