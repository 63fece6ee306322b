"""Random NodeOverlays: what they make of instance types is what Karpenter's own controller makes of them."""

import random
from collections import Counter

import pytest

from nodepools.model.eks.node_class import EksNodePool
from nodepools.model.karpenter import Requirement
from nodepools.model.karpenter_alpha import NodeOverlay
from nodepools.placement.cloud_labels import CAPACITY, ZONE
from nodepools.placement.machine_index import NO_AMOUNT
from nodepools.placement.node_pools import KarpenterPool
from nodepools.placement.overlays import Overlay, overlaid
from tests.oracle.placement.asking import raw_pool
from tests.oracle.placement.test_against_karpenter import ARCH, CATEGORY, CLOUD, CPU, GENERATION, PLACES, TYPE, WORLD, ZONES

RESOURCES = ("example.com/fuse", "example.com/share", "nvidia.com/gpu")
NAMES = sorted(machine.name for machine in CLOUD.index.machines)


def _requirement(draw: random.Random) -> Requirement:
    choices = {
        ARCH: ["amd64", "arm64"],
        CATEGORY: ["c", "m", "r", "g", "p"],
        ZONE: [*ZONES, "us-east-1z"],
        CAPACITY: ["on-demand", "spot", "reserved"],
        "karpenter.sh/nodepool": ["web", "ml"],
        "team": ["web", "ml"],
        TYPE: draw.sample(NAMES, 5),
        GENERATION: ["5", "6", "7"],
        CPU: ["2", "4", "8"],
    }
    key = draw.choice(sorted(choices))
    operator = draw.choice(["In", "In", "In", "NotIn", "Exists", "DoesNotExist", *(["Gt", "Lt"] if key in (GENERATION, CPU) else [])])
    values = [] if operator in ("Exists", "DoesNotExist") else draw.sample(choices[key], 1 if operator in ("Gt", "Lt") else draw.randint(1, 2))
    return Requirement(key, operator, values)


def _overlay(draw: random.Random, name: str) -> Overlay:
    requirements = {one.key: one for one in (_requirement(draw) for _ in range(draw.randint(1, 2)))}
    capacity = {resource: str(draw.randint(1, 8)) for resource in draw.sample(RESOURCES, draw.randint(0, 2))}
    price = {"price": "0.5"} if draw.random() < 0.3 else {"price_adjustment": "-10%"} if draw.random() < 0.3 else {}
    weight = draw.choice([None, 1, 2])
    return Overlay(name, NodeOverlay(requirements=list(requirements.values()), capacity=capacity, weight=weight, **price))


def _raw(one: Overlay) -> dict[str, object]:
    declared = one.declared
    requirements = [{"key": each.key, "operator": each.operator, "values": list(each.values)} for each in declared.requirements]
    spec = {"requirements": requirements, "capacity": dict(declared.capacity), "price": declared.price, "priceAdjustment": declared.price_adjustment}
    return {"metadata": {"name": one.name}, "spec": {key: value for key, value in {**spec, "weight": declared.weight}.items() if value}}


@pytest.mark.parametrize("number", [1, 42, 20261128])
def test_overlays(oracle, number):
    draw, outcomes = random.Random(number), Counter[str]()  # noqa: S311
    oracle.begin(WORLD)
    for _ in range(40):
        pools = [KarpenterPool(name, name, CLOUD, EksNodePool(), {"team": name}, choices=PLACES) for name in ("web", "ml")]
        overlays = [_overlay(draw, name) for name in draw.sample("abcdef", draw.randint(1, 4))]
        answer = oracle.ask({"pools": [raw_pool(pool) for pool in pools], "overlays": [_raw(one) for one in overlays]})["overlaid"]
        for pool in overlaid(pools, overlays, is_certain=True):
            for machine in pool.cloud.index.machines:
                for resource in RESOURCES:
                    told, real = machine.offers.get(resource, NO_AMOUNT), answer[pool.name][machine.name].get(resource, 0)
                    context = [_raw(one) for one in overlays], pool.name, machine.name, resource, told, real
                    assert told.least <= real, context
                    assert told.most is None or real <= told.most, context
                    outcomes["exact" if told.least == told.most else "between"] += 1
                    outcomes["changed"] += machine.offers.get(resource) != CLOUD.index.taken(1 << NAMES_AT[machine.name])[0].offers.get(resource)
    assert outcomes["exact"] > 2 * outcomes["between"], outcomes  # what nobody adds can come from a device plugin
    assert outcomes["changed"] > 1000, outcomes


NAMES_AT = {machine.name: place for place, machine in enumerate(CLOUD.index.machines)}
