"""Fragments of pod specs bring pods where they say: whatever the pool is."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nodepools import (
    AksNodePool,
    Autoscale,
    EksNodePool,
    GpuPool,
    Platform,
    Spot,
    SystemPool,
    Taint,
    UserPool,
    WindowsPool,
    keys,
    load,
    scheduling,
    spread,
)
from nodepools.clouds.registry import catalog
from nodepools.placement.explain import Answer, explain
from nodepools.placement.verdict import Verdict
from nodepools.placement.workloads.reader import read_workloads
from tests.placement.conftest import SIZE, aks, eks, nap, pod

TAINTS = st.lists(
    st.builds(
        Taint,
        st.sampled_from(["team", "sku", "example.com/x"]),
        st.sampled_from(["", "ml"]),
        st.sampled_from(["NoSchedule", "NoExecute", "PreferNoSchedule"]),
    ),
    max_size=3,
    unique_by=lambda taint: (taint.key, taint.effect),
)
LABELS = st.dictionaries(st.sampled_from(["tier", "team"]), st.sampled_from(["a", "b"]), max_size=2)
SCALE, SPOT = st.just(Autoscale(0, 3)), st.sampled_from([None, Spot()])
GPUS = st.just("Standard_NC24ads_A100_v4")
AGENT = st.one_of(
    st.builds(UserPool, vm_size=st.just(SIZE), scale=SCALE, taints=TAINTS, labels=LABELS, spot=SPOT, fips=st.booleans()),
    st.builds(
        GpuPool, vm_size=GPUS, scale=SCALE, taints=TAINTS, labels=LABELS, spot=SPOT, tainted=st.booleans(), mig=st.sampled_from([None, "MIG1g"])
    ),
    st.builds(SystemPool, vm_size=st.just(SIZE), count=st.just(2), isolated=st.booleans(), labels=LABELS, zones=st.sampled_from([[], [1, 2]])),
    st.builds(WindowsPool, vm_size=st.just(SIZE), scale=SCALE, taints=TAINTS, labels=LABELS, tainted=st.booleans()),
    st.builds(
        UserPool, vm_size=st.just(SIZE), scale=SCALE, taints=TAINTS, previous=st.builds(UserPool, vm_size=st.just("Standard_D2ds_v5"), scale=SCALE)
    ),
)
OF_EKS = st.builds(
    EksNodePool,
    weight=st.sampled_from([None, 5]),
    taints=TAINTS,
    labels=LABELS,
    requirements=st.sampled_from([[], [keys.eks.arch.one_of("arm64")], [keys.eks.instance_gpu_manufacturer.one_of("nvidia")]]),
)
OF_AKS = st.builds(AksNodePool, taints=TAINTS, labels=LABELS, requirements=st.sampled_from([[], [keys.aks.sku_family.one_of("D")]]))


def answers(platform: Platform, spec: dict[str, Any]) -> list[Answer]:
    return explain(list(read_workloads(pod(**spec))), catalog(platform))


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(st.sampled_from(["web", "batch"]), AGENT, min_size=1), OF_EKS, OF_AKS)
def test_a_pod_with_the_scheduling_of_a_pool_gets_that_pool(pools: Any, of_eks: EksNodePool, of_aks: AksNodePool) -> None:
    platform = Platform(name="dev", clusters={"a": aks(**pools), "n": nap(general=of_aks), "e": eks("general-purpose", compute=of_eks)})
    for pool in platform.pools():
        told = {one.pool: one.verdict for answer in answers(platform, pool.scheduling()) for one in answer.pools}
        assert told[str(pool)] is Verdict.FITS
        assert [address for address, verdict in told.items() if verdict is Verdict.FITS and address.startswith(pool.cluster)] == [str(pool)]


@pytest.mark.parametrize("stack", ["dev", "staging", "prod"])
def test_so_does_every_pool_of_this_project(project: Any, stack: str) -> None:
    platform = load(stack, project)
    for pool in platform.pools():
        assert str(pool) in {answer.pool for answer in answers(platform, pool.scheduling())}


PLATFORM = Platform(
    name="dev",
    clusters={
        "a": aks(spot=UserPool(vm_size=SIZE, spot=Spot()), fallback=UserPool(vm_size=SIZE), other=UserPool(vm_size=SIZE)),
        "b": aks(other=SystemPool(vm_size=SIZE)),
    },
)


def test_preferred_pools_come_first_in_their_order_and_no_other_is_taken() -> None:
    asked = scheduling(prefer=[PLATFORM.pool("spot"), PLATFORM.pool("a/other")], otherwise=PLATFORM.pool("fallback"))
    [answer, elsewhere] = answers(PLATFORM, asked)
    assert [one.pool for one in answer.pools if one.verdict is Verdict.FITS] == ["a/spot", "a/other", "a/fallback"]
    assert elsewhere.verdict is Verdict.CANNOT


def test_one_pool_alone_needs_no_preference() -> None:
    affinity: Any = scheduling(prefer=[PLATFORM.pool("spot")])["affinity"]
    assert set(affinity["nodeAffinity"]) == {"requiredDuringSchedulingIgnoredDuringExecution"}


@pytest.mark.parametrize(
    ("named", "said"),
    [
        pytest.param(["spot", "b/other"], "name pools of one cluster, not a/spot, b/other", id="pools of two clusters"),
        pytest.param([], "name a pool", id="no pool"),
    ],
)
def test_what_no_pod_can_be(named: list[str], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        scheduling(prefer=[PLATFORM.pool(name) for name in named])


def test_pods_are_spread_over_zones_and_nodes() -> None:
    [zones, nodes] = spread({"app": "web"}, over=["zone", "node"], hard=True)["topologySpreadConstraints"]  # type: ignore[misc]  # plain data
    assert zones == {
        "maxSkew": 1,
        "topologyKey": "topology.kubernetes.io/zone",
        "whenUnsatisfiable": "DoNotSchedule",
        "labelSelector": {"matchLabels": {"app": "web"}},
    }
    assert nodes["topologyKey"] == "kubernetes.io/hostname"
    assert spread({"app": "web"})["topologySpreadConstraints"][0]["whenUnsatisfiable"] == "ScheduleAnyway"  # type: ignore[index]  # plain data
