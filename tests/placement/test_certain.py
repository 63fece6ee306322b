"""`cannot` and `fits` are certain: they hold whatever the truth is about all that is not known offline.

A world of which not all is known is filled in at random, every figure between its bounds, every untold label with some value, zones and types
that may be there with or without; the exact answer never contradicts the one given without knowing. Only that a pool's own zones and
capacity are to be had somewhere is taken from whoever declared it.
"""

import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from nodepools.clouds.aks.pools import aks_choices, aks_cloud
from nodepools.clouds.eks.pools import eks_capacities, eks_choices, eks_cloud
from nodepools.keys import aks, eks
from nodepools.model.aks.cluster import AksNodePool
from nodepools.model.eks.node_class import EksNodePool
from nodepools.model.karpenter import NodePool, Requirement
from nodepools.model.kubernetes.label import Taint
from nodepools.model.kubernetes.pod import Pod, Requests, read_pod
from nodepools.placement.allocatable import disk
from nodepools.placement.cloud_labels import CAPACITY, REGION, ZONE, Cloud, LabelValues
from nodepools.placement.karpenter import evaluate
from nodepools.placement.machine_index import NO_AMOUNT, UNKNOWN_AMOUNT, Bounds, Machine, TypeIndex
from nodepools.placement.node_pools import KarpenterPool
from nodepools.placement.static_pools import StaticPool
from nodepools.placement.verdict import Verdict
from nodepools.placement.workloads.pod_requirements import PodRequirements

pytestmark = pytest.mark.sweep

GIB = 1024**3 * 1000
PLENTY = 10**6 * GIB
DISK = "example.com/disk"
"""What a pod gets of a machine's disk, once that is known."""
RESOURCES = ("cpu", "memory", "ephemeral-storage", "nvidia.com/gpu")


def few(cloud: Cloud) -> Cloud:
    """Every eleventh type, and some with devices and local disks."""
    kept = tuple(
        one for place, one in enumerate(cloud.index.machines) if place % 11 == 0 or one.name.startswith(("g4dn", "Standard_NC", "i3en", "r8id"))
    )
    return replace(cloud, index=TypeIndex(kept, cloud.index.well_known, cloud.index.rare))


EKS, AKS = few(eks_cloud()), few(aks_cloud())
CLOUDS = {"eks": EKS, "aks": AKS}
UNTOLD_LABELS = AKS.index.well_known
ZONES = {"eks": ("us-east-1a", "us-east-1b", "us-east-1c", "eu-west-1a"), "aks": ("westeurope-1", "westeurope-2", "0", "northeurope-1")}
KEYS: dict[str, dict[str, tuple[str, ...]]] = {
    "eks": {
        ZONE: ZONES["eks"],
        CAPACITY: ("spot", "on-demand", "reserved"),
        REGION: ("us-east-1", "eu-west-1"),
        "kubernetes.io/arch": ("amd64", "arm64"),
        "team": ("a", "b"),
        eks.instance_category.name: ("c", "g", "m", "r", "i"),
        eks.instance_cpu.name: ("2", "4", "8"),
        "eks.amazonaws.com/capacity-reservation-id": ("cr-1",),
    },
    "aks": {
        ZONE: ZONES["aks"],
        CAPACITY: ("spot", "on-demand"),
        "kubernetes.io/arch": ("amd64", "arm64"),
        "team": ("a", "b"),
        aks.sku_family.name: ("D", "E", "N"),
        aks.sku_cpu.name: ("2", "4", "8"),
        aks.sku_gpu_name.name: ("A100", "T4"),
        "karpenter.azure.com/sku-series": ("Dpls_v6",),
    },
}
PLACES = {
    "eks": [
        {**place, CAPACITY: eks_capacities(selected=selected)}
        for place in (eks_choices("us-east-1"), eks_choices("us-east-1", ["us-east-1a", "us-east-1b"]), eks_choices("us-east-1", own_subnets=True))
        for selected in (True, False, None)
    ],
    "aks": [aks_choices("westeurope"), aks_choices("westeurope", frozenset({1, 2}))],
}


@st.composite
def expressions(draw: st.DrawFn, cloud: str) -> dict[str, Any]:
    key = draw(st.sampled_from(sorted(KEYS[cloud])))
    values = KEYS[cloud][key]
    numeric = key in (eks.instance_cpu.name, aks.sku_cpu.name)
    operator = draw(st.sampled_from(["In", "In", "NotIn", "Exists", "DoesNotExist", *(["Gt", "Lt"] if numeric else [])]))
    if operator in ("Exists", "DoesNotExist"):
        return {"key": key, "operator": operator}
    most = 1 if operator in ("Gt", "Lt") else 2
    return {"key": key, "operator": operator, "values": draw(st.lists(st.sampled_from(values), min_size=1, max_size=most, unique=True))}


@st.composite
def pods(draw: st.DrawFn, cloud: str) -> Pod:
    requests = {
        "cpu": draw(st.sampled_from(["100m", "1", "1700m", "6", "200"])),
        "memory": draw(st.sampled_from(["128Mi", "3Gi", "12Gi", "100Gi", "9000Gi"])),
        **draw(st.sampled_from([{}, {}, {"nvidia.com/gpu": "1"}, {"ephemeral-storage": "75Gi"}, {"ephemeral-storage": "400Gi"}])),
    }
    terms = draw(st.lists(st.lists(expressions(cloud), min_size=1, max_size=2), max_size=2))
    required = (
        {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [{"matchExpressions": term} for term in terms]}} if terms else {}
    )
    wishes = draw(st.lists(expressions(cloud), max_size=1))
    preferred = {"preferredDuringSchedulingIgnoredDuringExecution": [{"weight": 1, "preference": {"matchExpressions": wishes}}]} if wishes else {}
    return read_pod(
        {
            "affinity": {"nodeAffinity": required | preferred},
            "tolerations": draw(st.sampled_from([[], [{"operator": "Exists"}]])),
            "containers": [{"resources": {"requests": requests}}],
        }
    )


@st.composite
def places(draw: st.DrawFn, cloud: Cloud) -> tuple[str, NodePool, int, Bounds]:
    """The cloud, the pool, which of the places it is in, and the disk of its class."""
    kind: type[NodePool] = EksNodePool if cloud.name == "eks" else AksNodePool
    asked = [Requirement.model_validate(one) for one in draw(st.lists(expressions(cloud.name), max_size=2))]
    if draw(st.integers(0, 7)) == 0:
        flexible = st.sampled_from(["node.kubernetes.io/instance-type", *sorted(KEYS[cloud.name].keys() - {"team", ZONE, REGION})])
        asked.append(Requirement(draw(flexible), "Exists", min_values=draw(st.sampled_from([2, 3, 10]))))
    limits = draw(st.sampled_from([{}, {}, {}, {"cpu": 3}, {"memory": "10Gi"}]))
    taints = draw(st.sampled_from([[], [], [Taint("team", "a")], [Taint("team", "a", "PreferNoSchedule")]]))
    pool = kind(requirements=asked, limits=limits, taints=taints)
    size = draw(st.sampled_from([UNKNOWN_AMOUNT, disk(80 * GIB), disk(200 * GIB)]))
    return cloud.name, pool, draw(st.integers(0, len(PLACES[cloud.name]) - 1)), size


def place_of(cloud: str, pool: NodePool, where: int, size: Bounds) -> KarpenterPool:
    return KarpenterPool("a", "a", CLOUDS[cloud], pool, {}, {}, PLACES[cloud][where], size)


def true_amount(bounds: Bounds, pick: random.Random) -> Bounds:
    most = bounds.most if bounds.most is not None else pick.choice([bounds.least, PLENTY])
    amount = pick.choice([bounds.least, most, pick.randint(bounds.least, most)])
    return Bounds(amount, amount)


def true_machine(machine: Machine, disks: Bounds, kinds: dict[str, tuple[str, ...]], pick: random.Random) -> Machine:
    """A machine with more local NVMe than its node class says gives that to pods, and so never less.

    Labels of which no value is told it has, or has not.
    """
    untold = {key: pick.choice([*values, "other"]) for key, values in kinds.items() if key in UNTOLD_LABELS and pick.random() < 0.7}
    labels: dict[str, str | None] = untold | {
        key: value if value is not None else pick.choice([*kinds.get(key, ()), "other"]) for key, value in machine.labels.items()
    }
    offers = {name: true_amount(machine.offers.get(name, UNKNOWN_AMOUNT), pick) for name in sorted({*machine.offers, *RESOURCES})}
    nvme = machine.offers.get("ephemeral-storage", UNKNOWN_AMOUNT)
    has = max(disks.least, true_amount(nvme, pick).least) if nvme.most is None else disks.least
    return Machine(machine.name, labels, {**offers, DISK: Bounds(has, has)})


def true_choices(choices: LabelValues, values: tuple[str, ...], pick: random.Random) -> LabelValues:
    """The values of a place: those that are sure, and some that may be, at least as many as there must be."""

    def may_have(value: str) -> bool:
        return value in choices.possible or (choices.may_include is not None and choices.may_include(value))

    possible = [value for value in values if value not in choices.certain and may_have(value)]
    needed = choices.min_count - len(choices.certain)
    more = pick.sample(possible, pick.randint(min(max(needed, 0), len(possible)), len(possible)))
    return LabelValues(choices.certain | frozenset(more))


def true_place(place: KarpenterPool, pick: random.Random) -> KarpenterPool:
    """With machines that are within its limits: those count what a machine has, not what it leaves for pods."""
    disks = true_amount(place.disk, pick)
    kinds = KEYS[place.cloud.name]
    old = place.cloud.index
    within = old.everything
    for resource, limit in place.limits.items():
        within &= old.within(resource, limit)
    sure = {one.name for one in old.taken(within.certain)}
    kept = [one for one in old.taken(within.possible) if one.name in sure or pick.random() < 0.5]
    empty = Machine(
        "empty", dict.fromkeys({key for one in old.machines for key in one.labels}, "none"), dict.fromkeys(RESOURCES, NO_AMOUNT)
    )  # labels stay labels of types
    index = TypeIndex((empty, *(true_machine(one, disks, kinds, pick) for one in kept)))
    choices = {key: true_choices(one, kinds.get(key, ()), pick) for key, one in place.choices.items()}
    pool = type(place.pool)(requirements=place.pool.requirements, taints=place.pool.taints)
    return replace(place, cloud=replace(place.cloud, index=index), pool=pool, choices=choices, disk=Bounds(0, 0), known={})


def may_be(told: Verdict, truth: Verdict) -> bool:
    """What is unknown even then is that a node may run already which Karpenter would not start."""
    return told is Verdict.UNKNOWN or (truth is not Verdict.FITS if told is Verdict.CANNOT else truth is Verdict.FITS)


RANDOM = st.integers(0, 10**9).map(random.Random)


CASES = st.sampled_from([EKS, AKS]).flatmap(lambda cloud: st.tuples(pods(cloud.name), places(cloud)))
DAEMONS = st.sampled_from([(), (("cpu", 500), ("memory", GIB))])


@settings(max_examples=250)
@given(CASES, DAEMONS, st.booleans(), RANDOM)
def test_of_a_node_pool(case: Any, daemons: Requests, there: bool, pick: random.Random) -> None:  # noqa: FBT001  # drawn
    pod, drawn = case
    place = place_of(*drawn)
    told = evaluate(place, PodRequirements(pod, place.cloud), daemons)
    real = true_place(place, pick)
    assume(all(real.choices[key].verdict(values) is not Verdict.CANNOT for key, values in real.offered.items() if key in real.choices))
    beside = daemons if there or told.verdict is Verdict.FITS else ()
    same = replace(pod, requests=tuple((DISK if name == "ephemeral-storage" else name, amount) for name, amount in pod.requests))
    truth = evaluate(real, PodRequirements(same, real.cloud), beside)
    assert may_be(told.verdict, truth.verdict), (told.verdict, told.reasons, truth.verdict, truth.reasons)


@settings(max_examples=150)
@given(pods("aks"), st.integers(1, 3), RANDOM)
def test_of_an_agent_pool(pod: Pod, most: int, pick: random.Random) -> None:
    variants = tuple({ZONE: zone, "team": "a", "kubernetes.io/arch": "amd64"} for zone in ("westeurope-1", "westeurope-2"))
    offers = {"cpu": Bounds(1200, 2000), "memory": Bounds(3 * GIB, 8 * GIB), "ephemeral-storage": UNKNOWN_AMOUNT}
    may_set = {CAPACITY: "spot", "karpenter.azure.com/sku-family": "D"}
    nodes = StaticPool("a", variants, offers=offers, max_nodes=most, may_set=may_set.__contains__)
    told = nodes.evaluate(pod, (("cpu", 500),)).verdict
    has = {name: true_amount(offers.get(name, UNKNOWN_AMOUNT), pick) for name in RESOURCES}
    extra = {key: value for key, value in may_set.items() if pick.random() < 0.5}
    there = [{**pick.choice(variants), **extra} for _ in range(most)] if most < len(variants) else [{**one, **extra} for one in variants]
    beside = () if told is Verdict.CANNOT else (("cpu", 500),)
    truths = [StaticPool("a", (labels,), offers=has).evaluate(pod, beside).verdict for labels in there]
    assert may_be(told, Verdict.FITS if Verdict.FITS in truths else Verdict.CANNOT), (told, truths)
