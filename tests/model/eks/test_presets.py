"""Presets of NodePools: they say what they are, and are ordinary pools."""

import pytest

from nodepools import Disruption, EksNodePool, Requirement, Taint, check, keys
from nodepools.data.eks_instance_types import eks_instance_types, requirements_of
from nodepools.rules.engine.samples import auto_mode

MORE = keys.eks.instance_cpu.less_than(33)


def words(pool: EksNodePool) -> dict[str, tuple[str, ...]]:
    return {requirement.key.rpartition("/")[2]: tuple(requirement.values) for requirement in pool.requirements}


def admitted(pool: EksNodePool) -> set[str]:
    return set(eks_instance_types().admitted(requirements_of(pool.requirements)))


def test_spot_first_is_a_weighted_pair():
    pair = EksNodePool.spot_first("web", requirements=[keys.eks.arch.one_of("amd64")], limits={"cpu": 100}, node_class="default")
    assert list(pair) == ["web-spot", "web"]
    assert [pool.weight for pool in pair.values()] == [20, 10]
    assert [words(pool)["capacity-type"] for pool in pair.values()] == [("spot",), ("on-demand",)]
    assert {(words(pool)["arch"], pool.limits["cpu"], pool.node_class) for pool in pair.values()} == {(("amd64",), "100", "default")}


@pytest.mark.parametrize(("weight", "weights"), [(None, [20, 10]), (100, [100, 50]), (2, [2, 1])])
def test_the_weight_of_the_pair_is_that_of_its_spot_pool(weight, weights):
    assert [pool.weight for pool in EksNodePool.spot_first("web", weight=weight).values()] == weights


def test_gpus_are_of_nvidia_and_their_nodes_are_tainted():
    pool = EksNodePool.gpu(limits={"nvidia.com/gpu": 8}, weight=5, taints=[Taint("team", "ml")])
    assert words(pool) == {"instance-gpu-manufacturer": ("nvidia",), "arch": ("amd64",), "capacity-type": ("on-demand",)}
    assert [str(taint) for taint in pool.taints] == ["nvidia.com/gpu:NoSchedule", "team=ml:NoSchedule"]
    assert (pool.weight, pool.limits) == (5, {"nvidia.com/gpu": "8"})
    assert not any(name.startswith(("g4ad", "g5g")) for name in admitted(pool))
    assert "g6.xlarge" in admitted(pool)


def test_gpus_may_be_named_and_of_arm64():
    assert {name.partition(".")[0] for name in admitted(EksNodePool.gpu(gpus=["l4"], requirements=[keys.eks.instance_category.one_of("g")]))} == {
        "g6"
    }
    assert {name.partition(".")[0] for name in admitted(EksNodePool.gpu(arch="arm64"))} == {"g5g"}


def test_neuron_is_inferentia_and_trainium():
    pool = EksNodePool.neuron(capacity=["spot", "on-demand"])
    assert {name.partition(".")[0].rstrip("0123456789n") for name in admitted(pool)} == {"inf", "tr"}
    assert [str(taint) for taint in pool.taints] == ["aws.amazon.com/neuron:NoSchedule"]
    assert {name.partition(".")[0] for name in admitted(EksNodePool.neuron(accelerators=["inferentia2"]))} == {"inf2"}


def test_arm64_is_graviton():
    pool = EksNodePool.arm64(requirements=[MORE])
    assert {eks_instance_types().types[name].labels["eks.amazonaws.com/instance-cpu-manufacturer"] for name in admitted(pool)} == {"aws"}
    assert pool.requirements[-1] == MORE
    assert pool.taints == ()


def test_static_has_a_node_to_spare():
    pool = EksNodePool.static(replicas=3)
    assert (pool.replicas, pool.limits, pool.weight) == (3, {"nodes": "4"}, None)
    assert words(pool) == {"capacity-type": ("on-demand",), "arch": ("amd64",)}


@pytest.mark.parametrize(
    "pools",
    [
        pytest.param(EksNodePool.spot_first("web", requirements=[keys.eks.arch.one_of("amd64")]), id="spot first"),
        pytest.param({"gpu": EksNodePool.gpu(limits={"nvidia.com/gpu": "8"})}, id="gpu"),
        pytest.param({"neuron": EksNodePool.neuron(limits={"aws.amazon.com/neuron": "8"})}, id="neuron"),
        pytest.param({"arm": EksNodePool.arm64()}, id="arm64"),
        pytest.param({"static": EksNodePool.static(replicas=2)}, id="static"),
    ],
)
def test_nothing_is_wrong_with_a_preset(pools):
    assert [str(finding) for finding in check(auto_mode(pools))] == []


def test_a_preset_is_an_ordinary_pool_that_can_be_written_out():
    pool = EksNodePool.gpu()
    assert EksNodePool.model_validate(pool.model_dump()) == pool
    assert pool == EksNodePool(
        requirements=[
            Requirement("eks.amazonaws.com/instance-gpu-manufacturer", "In", ["nvidia"]),
            Requirement("kubernetes.io/arch", "In", ["amd64"]),
            Requirement("karpenter.sh/capacity-type", "In", ["on-demand"]),
        ],
        taints=[Taint("nvidia.com/gpu")],
        disruption=Disruption(consolidate_after="10m"),
    )


def test_the_disruption_of_a_preset_can_be_set() -> None:
    assert EksNodePool.neuron(disruption=Disruption(consolidate_after="1h")).disruption.consolidate_after == "1h"


def test_a_faulty_preset_is_a_faulty_pool():
    found = [(finding.code, finding.path) for finding in check(EksNodePool.static(replicas=-1))]
    assert found == [("CFG007", "replicas"), ("KAR083", "limits.nodes")]
