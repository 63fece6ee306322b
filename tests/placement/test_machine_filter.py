"""Requirements and requests that exclude the last instance type only together."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from nodepools import AksNodePool, EksNodePool
from nodepools.clouds.aks.pools import aks_cloud
from nodepools.clouds.eks.pools import eks_cloud
from nodepools.model.karpenter import Operator, Requirement
from nodepools.model.kubernetes.pod import read_pod
from nodepools.placement.karpenter import evaluate
from nodepools.placement.machine_index import UNKNOWN_AMOUNT, Bounds, Machine, TypeIndex
from nodepools.placement.node_pools import KarpenterPool
from nodepools.placement.workloads.pod_requirements import PodRequirements
from tests.placement.conftest import pod, required, wants

GIB = 1024**3 * 1000
SIZE, FAMILY = "eks.amazonaws.com/instance-size", "eks.amazonaws.com/instance-family"


def machine(name: str, cpu: Bounds, memory: Bounds, **labels: str | None) -> Machine:
    family, size = name.split(".")
    return Machine(name, {FAMILY: family, SIZE: size, **labels}, {"cpu": cpu, "memory": memory})


def exactly(amount: int) -> Bounds:
    return Bounds(amount, amount)


WIDE = machine("c1.large", exactly(8000), exactly(4 * GIB))
DEEP = machine("r1.large", exactly(2000), exactly(32 * GIB))
OPEN = machine("x1.large", UNKNOWN_AMOUNT, exactly(32 * GIB))
VAGUE = machine("v1.large", Bounds(3000, 8000), exactly(32 * GIB))
ROWS: list[Any] = [
    pytest.param(
        [WIDE, DEEP],
        pod(cpu="4", memory="16Gi"),
        "cannot",
        "no instance type satisfied resources and requirements: 4 cpu, 16Gi memory",
        id="two amounts",
    ),
    pytest.param(
        [WIDE, DEEP],
        pod(memory="16Gi", cpu="1", nodeSelector={FAMILY: "c1"}),
        "cannot",
        "pod requests 16Gi memory, the largest type that matches the pod's requirements, `c1.large`, has 4Gi",
        id="a label and the second of two amounts",
    ),
    pytest.param(
        [WIDE, machine("c2.huge", UNKNOWN_AMOUNT, UNKNOWN_AMOUNT), DEEP],
        pod(cpu="16", nodeSelector={FAMILY: "c1"}),
        "cannot",
        "pod requests 16 cpu, the largest type that matches the pod's requirements, `c1.large`, has 8",
        id="a label and an amount that only a type of unknown size may have",
    ),
    pytest.param(
        [WIDE, replace(DEEP, labels={FAMILY: "c1", SIZE: "huge"})],
        pod(nodeSelector={FAMILY: "c1", SIZE: "large"}, memory="16Gi"),
        "cannot",
        "pod requests 16Gi memory, the largest type that matches the pod's requirements",
        id="labels that leave one type",
    ),
    pytest.param(
        [replace(WIDE, offers={**WIDE.offers, "nvidia.com/gpu": exactly(0)}), replace(DEEP, offers={**DEEP.offers, "nvidia.com/gpu": exactly(1000)})],
        pod(gpu="1", nodeSelector={FAMILY: "c1"}),
        "cannot",
        f"no instance type satisfied resources and requirements: `{FAMILY}=c1`, 1 nvidia.com/gpu",
        id="a label and a device that other types have",
    ),
    pytest.param(
        [WIDE, replace(DEEP, labels={FAMILY: "r1"})], pod(affinity=required([wants(SIZE, "NotIn", "large")])), "fits", "", id="types without a label"
    ),
    pytest.param(
        [WIDE, DEEP],
        pod(nodeSelector={FAMILY: "c1", SIZE: "large"}, cpu="1", memory="1Gi"),
        "fits",
        "",
        id="a type that has all of it",
    ),
    pytest.param(
        [WIDE, VAGUE],
        pod(cpu="4", memory="16Gi"),
        "unknown",
        "whether an allowed instance type satisfies all of 4 cpu, 16Gi memory cannot be determined offline",
        id="one type has the cpu for sure, another the memory",
    ),
    pytest.param(
        [DEEP, VAGUE],
        pod(cpu="4", memory="16Gi"),
        "unknown",
        "pod requests 4 cpu: `v1.large` has 8, of which at least 3 is allocatable",
        id="no type has the cpu for sure",
    ),
    pytest.param(
        [DEEP, OPEN],
        pod(cpu="4", memory="1Gi"),
        "unknown",
        "no known type has enough, and how much `x1.large` and others have cannot be determined offline",
        id="a type of unknown size",
    ),
    pytest.param(
        [WIDE, replace(DEEP, labels={FAMILY: None, SIZE: "huge"})],
        pod(nodeSelector={FAMILY: "c1", SIZE: "huge"}),
        "unknown",
        f"whether an allowed instance type satisfies all of `{FAMILY}=c1`, `{SIZE}=huge` cannot be determined offline",
        id="labels of which each is sure of some type",
    ),
    pytest.param(
        [WIDE, replace(DEEP, labels={FAMILY: None, SIZE: "large"})],
        pod(nodeSelector={FAMILY: "q9"}),
        "unknown",
        f"pod requires `{FAMILY}=q9`: which instance types have it cannot be determined offline",
        id="a label that is sure of none",
    ),
]


@pytest.mark.parametrize(("machines", "raw", "verdict", "reason"), ROWS)
def test_several_words_together(machines: list[Machine], raw: Mapping[str, Any], verdict: str, reason: str) -> None:
    cloud = replace(eks_cloud(), index=TypeIndex(tuple(machines)))
    judged = evaluate(KarpenterPool("a", "a", cloud, EksNodePool(), {}), PodRequirements(read_pod(raw["spec"]), cloud))
    assert judged.verdict.value == verdict, judged.reasons
    assert reason in "; ".join(one.message for one in judged.reasons)


TYPE = "node.kubernetes.io/instance-type"


@pytest.mark.parametrize(
    ("name", "verdict"), [("z9.large", "unknown"), ("Standard_D4s_v5", "cannot")], ids=["a newer type", "a size of another cloud"]
)
def test_a_type_that_is_not_in_the_tables(name: str, verdict: str) -> None:
    cloud = eks_cloud()
    judged = evaluate(KarpenterPool("a", "a", cloud, EksNodePool(), {}), PodRequirements(read_pod(pod(nodeSelector={TYPE: name})["spec"]), cloud))
    assert judged.verdict.value == verdict, judged.reasons


GENERATION, VERSION = "eks.amazonaws.com/instance-generation", "karpenter.azure.com/sku-version"


@pytest.mark.parametrize(
    ("operator", "value", "verdict"),
    [("Gt", "80", "unknown"), ("In", "99", "unknown"), ("In", "0", "cannot"), ("Lt", "1", "cannot"), ("Gt", "5", "fits")],
)
@pytest.mark.parametrize("key", [GENERATION, VERSION])
@pytest.mark.parametrize("of_pool", [True, False], ids=["required by the pool", "required by the pod"])
def test_a_generation_above_those_of_the_tables(operator: Operator, value: str, verdict: str, key: str, *, of_pool: bool) -> None:
    cloud, kind = (eks_cloud(), EksNodePool) if key == GENERATION else (aks_cloud(), AksNodePool)
    requirement = Requirement(key, operator, [value])
    raw = pod(affinity=required([wants(key, operator, value)]))
    own = kind(requirements=[requirement] if of_pool else [])
    judged = evaluate(KarpenterPool("a", "a", cloud, own, {}), PodRequirements(read_pod((pod() if of_pool else raw)["spec"]), cloud))
    assert judged.verdict.value == verdict, judged.reasons


def test_a_request_that_no_type_has_where_none_is_certain_to_be_allowed() -> None:
    cloud = replace(eks_cloud(), index=TypeIndex((replace(WIDE, labels={FAMILY: None}),)))
    own = EksNodePool(requirements=[Requirement(FAMILY, "In", ["c5"])])
    judged = evaluate(KarpenterPool("a", "a", cloud, own, {}), PodRequirements(read_pod(pod(cpu="16")["spec"]), cloud))
    assert judged.verdict.value == "cannot"
    assert "pod requests 16 cpu, the largest allowed type, `c1.large`, has 8" in judged.reasons[0].message


@pytest.mark.parametrize(
    ("machines", "unknown", "fewest"),
    [
        pytest.param([WIDE, DEEP], 0, 2000, id="the smallest of known amounts"),
        pytest.param([WIDE, OPEN], 1000, 1000, id="an unknown amount can be the smallest"),
        pytest.param([VAGUE], 0, 8000, id="of an amount between bounds, the upper one"),
    ],
)
def test_the_smallest_amount(machines: list[Machine], unknown: int, fewest: int) -> None:
    index = TypeIndex(tuple(machines))
    assert [index.fewest("cpu", index.everything.possible, unknown) for _ in range(2)] == [fewest, fewest]
