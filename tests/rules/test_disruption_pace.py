"""How fast Karpenter replaces the nodes of a NodePool."""

import pytest

from nodepools import Budget, Disruption, EksNodePool, Weekly, check, derive, keys
from nodepools.model.base import Model
from nodepools.rules.engine.samples import AMD64, aks_pool, eks_pool, provisioning

AT = "disruption.budgets"
TWO_HOURS_A_WEEK = Budget(nodes="0", schedule="0 3 * * sun", duration="166h")
"""Open on Sundays from 01:00 to 03:00."""
SATURDAY = Weekly(days="sat", start="01:00", hours=1)
NEVER = Budget(nodes="0", schedule="@hourly", duration="1h")


def static(count: int, *budgets: Budget, **fields: object) -> Model:
    return eks_pool(replicas=count, disruption=Disruption(budgets=budgets), **fields)


def told(declared: Model) -> list[str]:
    return [f"{finding.code} {finding.path}" for finding in check(declared)]


@pytest.mark.parametrize(
    ("declared", "found"),
    [
        pytest.param(static(500, Budget(nodes="1"), TWO_HOURS_A_WEEK), [f"KAR074 {AT}"], id="500 nodes, one after the other, two hours a week"),
        pytest.param(static(264, Budget(nodes="1"), TWO_HOURS_A_WEEK), [], id="as many as two hours a week are enough for"),
        pytest.param(static(265, Budget(nodes="1"), TWO_HOURS_A_WEEK), [f"KAR074 {AT}"], id="one more"),
        pytest.param(static(500, Budget(nodes="2"), TWO_HOURS_A_WEEK), [], id="two at a time"),
        pytest.param(static(500, Budget(nodes="10%"), TWO_HOURS_A_WEEK), [], id="50 at a time"),
        pytest.param(static(500, Budget(nodes="1")), [], id="at any time"),
        pytest.param(
            static(500, Budget(nodes="1"), Budget(nodes="5", schedule="@daily", duration="1h")),
            ["KAR089 disruption.budgets[1]"],
            id="a schedule that locks nothing",
        ),
        pytest.param(static(500, TWO_HOURS_A_WEEK), [], id="all nodes at once in the window"),
        pytest.param(static(500, Budget(nodes="1", reasons=["Drifted"]), TWO_HOURS_A_WEEK), [f"KAR074 {AT}"], id="a budget for drift alone"),
        pytest.param(static(500, Budget(nodes="1"), NEVER), [f"KAR027 {AT}[1].duration"], id="never open: reported once"),
        pytest.param(static(0, Budget(nodes="1"), TWO_HOURS_A_WEEK), [], id="no nodes"),
        pytest.param(eks_pool(disruption=Disruption(budgets=[Budget(nodes="1"), TWO_HOURS_A_WEEK])), [], id="an unknown number of nodes"),
        pytest.param(static(500, Budget(nodes="1"), maintenance=SATURDAY), ["KAR070 maintenance", "KAR074 maintenance"], id="a maintenance window"),
    ],
)
def test_windows_and_the_number_of_nodes(declared: Model, found: list[str]) -> None:
    assert told(declared) == found


def test_the_window_of_the_cluster_applies() -> None:
    pool = aks_pool(replicas=500, limits={}, expire_after="Never", disruption=Disruption(budgets=[Budget(nodes="1")]))
    cluster = derive(provisioning({"jobs": pool}, default_node_pools="None"), maintenance=SATURDAY)
    assert f"KAR074 node_provisioning.node_pools.jobs.{AT}" in told(cluster)


@pytest.mark.parametrize(
    ("declared", "found"),
    [
        pytest.param(
            static(3, Budget(nodes="10%")), ["`10%` of 3 nodes is less than one node: Karpenter rounds it up to 1 node at a time"], id="three"
        ),
        pytest.param(static(1, Budget(nodes="99%")), ["`99%` of 1 node is less than one node: Karpenter rounds it up to 1 node at a time"], id="one"),
        pytest.param(static(10, Budget(nodes="10%")), [], id="exactly one"),
        pytest.param(static(3, Budget(nodes="34%")), [], id="more than one"),
        pytest.param(static(3, Budget(nodes="1")), [], id="a count"),
        pytest.param(static(0, Budget(nodes="10%")), [], id="no nodes"),
        pytest.param(eks_pool(replicas=3), [], id="the default is not the user's percentage"),
        pytest.param(static(3, Budget(nodes="0%", schedule="@daily", duration="8h"), Budget(nodes="1")), [], id="zero is zero"),
        pytest.param(
            eks_pool(limits={"nodes": 5}, disruption=Disruption(budgets=[Budget(nodes="10%")])),
            ["`10%` of at most 5 nodes is less than one node: Karpenter rounds it up to 1 node at a time"],
            id="a limit of nodes",
        ),
        pytest.param(eks_pool(disruption=Disruption(budgets=[Budget(nodes="1%")])), [], id="any number of nodes"),
    ],
)
def test_percentages_of_small_pools(declared: Model, found: list[str]) -> None:
    assert [finding.message for finding in check(declared)] == found


@pytest.mark.parametrize(
    ("expire_after", "found"),
    [("59m", ["KAR076 expire_after"]), ("0s", ["KAR076 expire_after"]), ("23h59m", ["KAR076 expire_after"]), ("24h", []), ("336h", []), (None, [])],
)
def test_nodes_that_expire_at_once(expire_after: str | None, found: list[str]) -> None:
    assert told(eks_pool(expire_after=expire_after)) == found


def test_nodes_that_never_expire() -> None:
    assert told(aks_pool(expire_after="Never")) == []


RESERVED = keys.eks.capacity_type.one_of("reserved")


@pytest.mark.parametrize(
    ("declared", "found"),
    [
        pytest.param(eks_pool(requirements=[AMD64, RESERVED]), True, id="reserved nodes"),
        pytest.param(eks_pool(requirements=[AMD64, keys.eks.capacity_type.one_of("reserved", "on-demand")]), False, id="reserved nodes first"),
        pytest.param(eks_pool(requirements=[AMD64, RESERVED], disruption={"consolidate_after": "59s"}), True, id="59 seconds"),
        pytest.param(eks_pool(requirements=[AMD64, RESERVED], disruption={"consolidate_after": "1m"}), False, id="a minute"),
        pytest.param(eks_pool(requirements=[AMD64, RESERVED], disruption={"consolidate_after": "Never"}), False, id="consolidation is off"),
        pytest.param(eks_pool(requirements=[AMD64, RESERVED], replicas=2), False, id="static pools are not consolidated"),
        pytest.param(eks_pool(keys.eks.instance_gpu_count.more_than(0)), True, id="nodes with GPUs"),
        pytest.param(eks_pool(keys.eks.instance_accelerator_manufacturer.one_of("aws")), True, id="nodes with other accelerators"),
        pytest.param(eks_pool(keys.eks.instance_gpu_count.does_not_exist()), False, id="nodes without GPUs"),
        pytest.param(EksNodePool.gpu(), False, id="a preset keeps them for a while"),
    ],
)
def test_costly_nodes_that_are_consolidated_within_seconds(declared: Model, *, found: bool) -> None:
    assert ("KAR077 disruption.consolidate_after" in told(declared)) is found
