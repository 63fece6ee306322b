"""A provider without tables here: its zones and instance types are unknown, and its nodes name their node class."""

import pytest

from nodepools.placement.cloud_labels import CAPACITY, OS, REGION, ZONE, unknown, unknown_provider

WHY = "its node class is of `karpenter.kwok.sh`, whose labels and instance types are not known"


@pytest.mark.parametrize("key", [REGION, ZONE, CAPACITY, OS])
def test_where_its_nodes_are_and_how_they_are_bought_is_unknown(key: str) -> None:
    assert unknown_provider("karpenter.kwok.sh/kwoknodeclass", WHY).choices_of(frozenset())[key] == unknown()


def test_one_unnamed_instance_type_stands_for_all() -> None:
    provider = unknown_provider("karpenter.kwok.sh/kwoknodeclass", WHY)
    assert [(machine.name, machine.certain) for machine in provider.index.machines] == [("", False)]
    assert (provider.class_label, provider.unknown) == ("karpenter.kwok.sh/kwoknodeclass", WHY)
