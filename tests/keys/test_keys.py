"""Typed label keys."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodepools import DeclarationError, Requirement, keys
from nodepools.keys import presets
from nodepools.keys.kinds import Flag, Key, Memory, mebibytes
from nodepools.model.kubernetes.label import is_key


@pytest.mark.parametrize(
    ("made", "requirement"),
    [
        pytest.param(keys.eks.instance_cpu.one_of(2, 4), Requirement("eks.amazonaws.com/instance-cpu", "In", ["2", "4"]), id="numbers as text"),
        pytest.param(keys.eks.instance_cpu.not_in(2), Requirement("eks.amazonaws.com/instance-cpu", "NotIn", ["2"]), id="numbers excluded"),
        pytest.param(keys.eks.instance_cpu.more_than(2), Requirement("eks.amazonaws.com/instance-cpu", "Gt", ["2"]), id="more than"),
        pytest.param(keys.eks.instance_cpu.less_than(2), Requirement("eks.amazonaws.com/instance-cpu", "Lt", ["2"]), id="less than"),
        pytest.param(keys.eks.arch.one_of("arm64"), Requirement("kubernetes.io/arch", "In", ["arm64"]), id="a word"),
        pytest.param(keys.eks.arch.not_in("arm64"), Requirement("kubernetes.io/arch", "NotIn", ["arm64"]), id="a word excluded"),
        pytest.param(keys.eks.instance_gpu_name.exists(), Requirement("eks.amazonaws.com/instance-gpu-name", "Exists"), id="there"),
        pytest.param(keys.eks.instance_gpu_name.does_not_exist(), Requirement("eks.amazonaws.com/instance-gpu-name", "DoesNotExist"), id="not there"),
        pytest.param(
            keys.eks.instance_family.one_of("m7i", "c7i", min_values=2),
            Requirement("eks.amazonaws.com/instance-family", "In", ["m7i", "c7i"], min_values=2),
            id="with flexibility",
        ),
        pytest.param(
            keys.aks.sku_storage_premium_capable.is_true(), Requirement("karpenter.azure.com/sku-storage-premium-capable", "In", ["true"]), id="true"
        ),
        pytest.param(
            keys.aks.sku_networking_accelerated.is_false(), Requirement("karpenter.azure.com/sku-networking-accelerated", "In", ["false"]), id="false"
        ),
        pytest.param(keys.aks.sku_memory.one_of("128Gi"), Requirement("karpenter.azure.com/sku-memory", "In", ["131072"]), id="memory in MiB"),
        pytest.param(keys.aks.sku_memory.not_in("1Gi"), Requirement("karpenter.azure.com/sku-memory", "NotIn", ["1024"]), id="memory excluded"),
        pytest.param(keys.aks.sku_memory.more_than("1Gi"), Requirement("karpenter.azure.com/sku-memory", "Gt", ["1024"]), id="more memory"),
        pytest.param(keys.aks.sku_memory.less_than("1Gi"), Requirement("karpenter.azure.com/sku-memory", "Lt", ["1024"]), id="less memory"),
        pytest.param(keys.label("team").one_of("ml"), Requirement("team", "In", ["ml"]), id="a label of your own"),
    ],
)
def test_keys_make_requirements(made: Requirement, requirement: Requirement) -> None:
    assert made == requirement


@given(st.integers(1, 10**6))
def test_gibibytes_are_1024_mebibytes(number: int) -> None:
    assert mebibytes(f"{number}Gi") == str(number * 1024)
    assert mebibytes(f"{number}Mi") == str(number)


@pytest.mark.parametrize("wrong", ["16", "16GB", "1.5Mi", "1k", "16000000", ""])
def test_what_is_no_memory_stays_as_written(wrong: str) -> None:
    assert mebibytes(wrong) == wrong


@pytest.mark.parametrize("wrong", ["16GB", "1.5Mi", "much"])
def test_and_is_refused_where_a_number_is_needed(wrong: str) -> None:
    with pytest.raises(DeclarationError):
        _ = keys.eks.instance_memory.more_than(wrong).values


def test_a_bare_number_is_no_memory() -> None:
    assert mebibytes(16) == 16  # type: ignore[arg-type]  # what people write
    assert keys.eks.instance_memory.more_than(16).values == ("16",)  # type: ignore[arg-type]  # what people write


@pytest.mark.parametrize("module", [keys.aks, keys.eks], ids=["aks", "eks"])
def test_every_key_is_a_label_and_none_is_there_twice(module: object) -> None:
    names = [key.name for key in vars(module).values() if isinstance(key, Key)]
    assert len(names) == len(set(names))
    assert all(map(is_key, names))


def test_kinds_of_key() -> None:
    assert isinstance(keys.eks.instance_memory, Memory)
    assert isinstance(keys.eks.instance_capability_flex, Flag)


def test_presets_are_spread_into_requirements() -> None:
    assert [str(requirement) for requirement in presets.eks_general_purpose] == [
        "karpenter.sh/capacity-type In [on-demand]",
        "kubernetes.io/arch In [amd64]",
        "eks.amazonaws.com/instance-category In [c, m, r]",
        "eks.amazonaws.com/instance-generation Gt [4]",
    ]
    assert "karpenter.azure.com/sku-family In [D]" in map(str, presets.aks_general_purpose)
