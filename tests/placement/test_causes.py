"""Why a workload fits no pool, in one sentence, and the one change after which it fits."""

from typing import Any

import pytest

from nodepools import Autoscale, EksNodePool, Requirement, UserPool, keys
from nodepools.model.derive import derive
from nodepools.placement.causes import advice, cause, remedies, shared_reasons
from nodepools.placement.explain import Answer
from nodepools.placement.suggestions import pool_with
from nodepools.placement.verdict import Kind, PoolVerdict, Reason, Verdict
from nodepools.placement.workloads.reader import read_workloads
from tests.placement.conftest import SIZE, aks, eks, pod

WEB = UserPool(vm_size=SIZE, scale=Autoscale(1, 5), labels={"tier": "web"})
PLAIN = UserPool(vm_size=SIZE, scale=Autoscale(1, 5))
LARGE = UserPool(vm_size="Standard_D8ds_v5", scale=Autoscale(1, 5))
DEDICATED = derive(PLAIN, taints=["dedicated=ml:NoSchedule"])
GPUS = EksNodePool(
    requirements=[
        Requirement("eks.amazonaws.com/instance-gpu-name", "In", ["t4"]),
        keys.eks.capacity_type.one_of("on-demand"),
        keys.eks.arch.one_of("amd64"),
    ]
)
AMD64 = EksNodePool(requirements=[keys.eks.capacity_type.one_of("on-demand"), keys.eks.arch.one_of("amd64")])
ARM = EksNodePool.arm64(taints=["arch=arm64:NoSchedule"])
SMALL = derive(AMD64, limits={"cpu": "32"})
STAMP = "kubernetes.azure.com/node-image-version"

ROWS = [
    pytest.param(
        aks(web=WEB),
        pod(nodeSelector={"tier": "wbe"}),
        "label `tier=wbe`, `c/web` has `tier=web`",
        "change `tier=wbe` to `tier=web`",
        id="a typo: the pool of the system is no candidate",
    ),
    pytest.param(
        aks(web=WEB, plain=PLAIN),
        pod(nodeSelector={"tier": "wbe"}),
        "label `tier=wbe`, `c/web` has `tier=web`",
        "change `tier=wbe` to `tier=web`",
        id="a correction is closer than a selector that is removed",
    ),
    pytest.param(
        aks(a=PLAIN, b=PLAIN),
        pod(nodeSelector={"team": "ml"}),
        "no pool has label `team=ml`",
        "remove the selector `team=ml`",
        id="equal candidates share a change",
    ),
    pytest.param(
        aks(a=DEDICATED, b=DEDICATED),
        pod(),
        "it does not tolerate taint `dedicated` of `c/a`, `c/b`",
        "add toleration `dedicated=ml:NoSchedule`",
        id="a taint of all candidates",
    ),
    pytest.param(
        aks(a=DEDICATED, b=derive(PLAIN, taints=["dedicated=web:NoSchedule"])),
        pod(),
        "1 pool with taint `dedicated=ml`; 1 pool with taint `dedicated=web`; 1 more for other reasons",
        "add toleration `dedicated=ml:NoSchedule` or add toleration `dedicated=web:NoSchedule`",
        id="different changes are alternatives",
    ),
    pytest.param(
        aks(a=PLAIN, b=LARGE),
        pod(cpu="30"),
        "no pool has enough cpu (30)",
        "request at most `7220m` cpu",
        id="the smallest reduction",
    ),
    pytest.param(aks(a=PLAIN), pod(gpu="1"), "no pool has an NVIDIA GPU", "", id="a pool is missing"),
    pytest.param(
        aks(a=PLAIN),
        pod(nodeSelector={STAMP: "x"}),
        f"`c/a` may lack label `{STAMP}=x`",
        "",
        id="unknown",
    ),
    pytest.param(
        aks(a=PLAIN, b=PLAIN),
        pod(nodeSelector={STAMP: "x"}),
        f"`c/a`, `c/b` may lack label `{STAMP}=x`",
        "",
        id="unknown for the same reason",
    ),
    pytest.param(
        eks(gpus=GPUS, any=AMD64),
        pod(nodeSelector={"team": "ml"}),
        "no pool has label `team=ml`",
        "remove the selector `team=ml`",
        id="a pool with accelerators is not for other pods",
    ),
    pytest.param(
        eks(arm=ARM, small=SMALL),
        pod(cpu="40"),
        "1 pool with taint `arch=arm64`; 1 pool without enough cpu (40)",
        "request at most `22400m` cpu",
        id="a pool whose taint says arm64 is not for pods that do not ask for it",
    ),
    pytest.param(
        eks(arm=ARM, small=SMALL),
        pod(nodeSelector={"kubernetes.io/arch": "arm64"}),
        "it does not tolerate taint `arch` of `c/arm`",
        "add toleration `arch=arm64:NoSchedule`",
        id="and is for those that do",
    ),
    pytest.param(
        aks(a=PLAIN), pod(os={"name": "windows"}), "kubelet rejects the pod: `spec.os.name` is `windows`, nodes run `linux`", "", id="a message"
    ),
]


@pytest.mark.parametrize(("cluster", "raw", "expected", "change"), ROWS)
def test_the_cause_and_the_change(ask: Any, cluster: Any, raw: Any, expected: str, change: str) -> None:
    answer = ask(cluster, raw)
    assert (cause([answer]), advice([answer])) == (expected, change)


@pytest.mark.parametrize(
    ("subjects", "pool"),
    [
        (["label `beta.kubernetes.io/arch=arm64`"], "a pool of `arm64` machines"),
        (
            ["label `node.kubernetes.io/instance-type In [m6i.large, m7i.large]`", "label `tier=web`"],
            "a pool of `m6i.large` or `m7i.large` machines that has label `tier=web`",
        ),
        (["label `tier=web`", "an NVIDIA GPU"], "a pool that has label `tier=web` and an NVIDIA GPU"),
    ],
)
def test_the_pool_that_is_missing(subjects: list[str], pool: str) -> None:
    assert pool_with(subjects) == pool


def test_many_different_changes_are_no_advice(ask: Any) -> None:
    pools = {name: derive(PLAIN, taints=[f"dedicated={name}:NoSchedule"]) for name in ("a", "b", "c", "d")}
    assert remedies([ask(aks(**pools), pod())]) == []


def test_pools_with_accelerators_are_none_of_the_candidates(ask: Any) -> None:
    [remedy] = remedies([ask(eks(gpus=GPUS, any=AMD64), pod(nodeSelector={"team": "ml"}))])
    assert (str(remedy), remedy.pools) == ("Remove the selector `team=ml`", ("c/any",))


def _answer(*pools: PoolVerdict) -> Answer:
    [workload] = read_workloads(pod())
    return Answer(workload, "c", pools)


def test_without_pools() -> None:
    assert cause([_answer()]) == "the cluster has no pools"
    assert cause([_answer(), _answer()]) == "the clusters have no pools"
    assert shared_reasons([PoolVerdict("a", Verdict.CANNOT)], Verdict.CANNOT) == []


def test_several_things_decide(ask: Any) -> None:
    unknown = ask(aks(a=PLAIN), pod(nodeSelector={STAMP: "x"}))
    other = ask(aks(b=PLAIN), pod(nodeSelector={"kubernetes.azure.com/other": "x"}))
    assert cause([unknown, other]) == "2 pools decide it: `c/a`, `c/b`"


def test_a_reason_of_several_pools_is_short_and_of_one_complete(ask: Any) -> None:
    small, large = ask(aks(a=PLAIN), pod(cpu="30")), ask(aks(a=PLAIN, b=LARGE), pod(cpu="30"))
    pools = [pool for pool in large.pools if pool.pool != "c/system"]
    assert [one.of_each for one in shared_reasons(pools, Verdict.CANNOT)] == ["without enough cpu (30)"]
    [one, *_] = shared_reasons([pool for pool in small.pools if pool.pool == "c/a"], Verdict.CANNOT)
    assert one.of_each.startswith("Insufficient cpu: pod requests 30 cpu, ")


def _unknown(pool: str, message: str, subject: str = "") -> PoolVerdict:
    return PoolVerdict(pool, Verdict.UNKNOWN, (Reason(Kind.LIMIT, message, verdict=Verdict.UNKNOWN, subject=subject),))


def test_what_is_unknown_of_several_pools_for_different_numbers() -> None:
    pools = [_unknown("a", "a has 1", "enough cpu (2)"), _unknown("b", "b has 2", "enough cpu (2)")]
    assert [one.of_each for one in shared_reasons(pools, Verdict.UNKNOWN)] == ["whether they have enough cpu (2) cannot be determined offline"]
    assert cause([_answer(_unknown("a", "the pool has overrides"))]) == "`a`: the pool has overrides"


def test_reasons_without_a_subject_are_told_with_their_pools() -> None:
    off = PoolVerdict("a", Verdict.CANNOT, (Reason(Kind.LIMIT, "the pool has no nodes"),))
    taken = PoolVerdict("b", Verdict.CANNOT, (Reason(Kind.TAINT, "no", subject="taint `x`"),))
    assert cause([_answer(off, taken)]) == "`a`: the pool has no nodes; 1 pool with taint `x`"
