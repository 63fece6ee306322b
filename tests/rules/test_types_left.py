"""A NodePool is reported for its instance types exactly if Karpenter's comparison of requirements, written again here, leaves no type."""

import random
import re
from collections.abc import Mapping
from typing import Any

import pytest

from nodepools import Requirement
from nodepools.data.eks_instance_types import eks_instance_types, labels_of_ec2_types
from nodepools.model.eks.ec2_node_class import SelfManagedKarpenter
from nodepools.model.severity import Severity
from nodepools.rules import NodePool
from nodepools.rules.engine.runner import check
from nodepools.rules.engine.samples import ON_DEMAND, auto_mode, ec2_class, eks_pool

AUTO, OWN = "eks.amazonaws.com/instance-", "karpenter.k8s.aws/instance-"
Asked = list[tuple[str, str, list[str]]]
LABELS = {
    "eks": {name: dict(one.labels) for name, one in eks_instance_types().types.items()},
    "self-managed": {
        name: {key.replace(AUTO, OWN): value for key, value in labels.items() if value is not None}
        for name, labels in labels_of_ec2_types().items()
        if not name.startswith(("a1.", "i3.metal"))  # no image; of which the source lacks labels
    },
}


def allows(asked: list[tuple[str, list[str]]], value: str | None) -> bool:
    """Karpenter joins the requirements of a key: values that exclude each other are as if the label must be absent."""
    lists, excluded = (
        [set(values) for operator, values in asked if operator == "In"],
        {one for op, values in asked if op == "NotIn" for one in values},
    )
    above = max((int(values[0]) for operator, values in asked if operator == "Gt"), default=None)
    below = min((int(values[0]) for operator, values in asked if operator == "Lt"), default=None)
    bounded = above is not None or below is not None

    def within(text: str) -> bool:
        number = int(text) if text.isdecimal() else None
        return not bounded or (number is not None and (above is None or number > above) and (below is None or number < below))

    if ("DoesNotExist", []) in asked or (above is not None and below is not None and above >= below):
        return value is None
    if lists:
        members = {one for one in set[str].intersection(*lists) - excluded if within(one)}
        return value in members if value is not None else not members
    return (bool(excluded) and not bounded) if value is None else value not in excluded and within(value)


def left(asked: Asked, types: Mapping[str, Mapping[str, str]]) -> list[str]:
    by_key: dict[str, list[tuple[str, list[str]]]] = {}
    for key, operator, values in asked:
        by_key.setdefault(key, []).append((operator, values))
    return [
        name
        for name, labels in types.items()
        if all(allows(of_key, labels.get(key, "" if key.endswith("hypervisor") else None)) for key, of_key in by_key.items())
    ]


def drawn(randomly: random.Random, types: Mapping[str, Mapping[str, str]]) -> Asked:
    keys = sorted({key for labels in types.values() for key in labels} - {"eks.amazonaws.com/compute-type", "kubernetes.io/os"})
    likely = types[randomly.choice(sorted(types))]
    asked: Asked = []
    for key in randomly.choices(keys, k=randomly.randint(1, 5)):
        values = sorted({labels[key] for labels in types.values() if key in labels})
        numbers = ["Gt", "Lt"] * 2 if all(map(str.isdecimal, values)) else []
        operator = randomly.choice(["In", "In", "In", "NotIn", "Exists", "DoesNotExist", *numbers])
        chosen = randomly.sample(values, min(len(values), randomly.randint(1, 4)))
        if operator == "In" and key in likely and randomly.random() < 0.5:
            chosen = sorted({*chosen[1:], likely[key]})
        asked.append((key, operator, [] if operator in ("Exists", "DoesNotExist") else chosen[:1] if operator in ("Gt", "Lt") else chosen))
    return asked


def reported(cloud: str, asked: Asked) -> list[str]:
    requirements = [ON_DEMAND, *(Requirement(key, operator, values) for key, operator, values in asked)]  # pyright: ignore[reportArgumentType]
    declared: Any = auto_mode({"web": eks_pool(requirements=requirements, limits={})})
    if cloud != "eks":
        pool = NodePool(requirements=requirements, expire_after="336h", node_class="own")
        declared = SelfManagedKarpenter(node_pools={"web": pool}, node_classes={"own": ec2_class()})
    found = check(declared)
    return [
        one.code
        for one in found
        if one.severity is Severity.ERROR or re.search("no node is ever launched|never launches", str(one.message), re.IGNORECASE)
    ]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("cloud", sorted(LABELS))
def test_a_pool_is_reported_exactly_if_no_type_is_left(cloud: str, seed: int) -> None:
    randomly = random.Random(seed)  # noqa: S311  # cases of a test
    for _ in range(25):
        asked = drawn(randomly, LABELS[cloud])
        assert bool(left(asked, LABELS[cloud])) is not bool(reported(cloud, asked)), asked
