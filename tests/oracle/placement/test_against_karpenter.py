"""Random pods and pools: what we say is what Karpenter's own library and kube-scheduler's own matching say."""

import os
import random
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from nodepools.clouds.eks.pools import eks_cloud
from nodepools.keys import eks
from nodepools.model.eks.node_class import EksNodePool
from nodepools.model.karpenter import Requirement
from nodepools.model.kubernetes.label import Taint
from nodepools.model.kubernetes.pod import Pod, read_pod
from nodepools.placement.allocatable import ACCELERATOR_RESOURCES, GPU_RESOURCES
from nodepools.placement.cloud_labels import CAPACITY, REGION, ZONE, LabelValues
from nodepools.placement.explain import Explainer
from nodepools.placement.machine_index import Bounds, Machine, TypeIndex
from nodepools.placement.node_pools import ClusterPools, KarpenterPool
from nodepools.placement.static_pools import StaticPool
from nodepools.placement.verdict import Kind, Verdict
from nodepools.placement.workloads.pod_requirements import PodRequirements
from nodepools.placement.workloads.workload import Workload
from tests.oracle.placement.asking import Oracle, described, raw_node, raw_pool

KNOWN_SEEDS = [
    pytest.param(1, 250, id="seed 1"),
    pytest.param(42, 250, id="seed 42"),
    pytest.param(20261121, 250, id="seed 20261121"),
]
FRESH = int(os.environ.get("PLACEMENT_SEED", random.SystemRandom().randrange(10**9)))  # printed with the counts
EXAMPLES = int(os.environ.get("PLACEMENT_EXAMPLES", "1250"))
ZONES, CAPACITIES = ("us-east-1a", "us-east-1b"), ("on-demand", "spot")
ARCH, CATEGORY, CPU = "kubernetes.io/arch", eks.instance_category.name, eks.instance_cpu.name
GENERATION, GPU, TYPE = eks.instance_generation.name, eks.instance_gpu_name.name, "node.kubernetes.io/instance-type"


def exact() -> TypeIndex:
    """Every seventh type of the table, and all with devices, with exactly what it has for pods."""
    devices = (*GPU_RESOURCES, *ACCELERATOR_RESOURCES)
    some = [one for place, one in enumerate(eks_cloud().index.machines) if place % 7 == 0 or any(one.offers[name].most for name in devices)]
    return TypeIndex(tuple(Machine(one.name, one.labels, {name: _exactly(bounds) for name, bounds in one.offers.items()}) for one in some))


def _exactly(bounds: Bounds) -> Bounds:
    most = bounds.most if bounds.most is not None else 0
    return Bounds(most, most)


CLOUD = replace(eks_cloud(), index=exact())
PLACES = {ZONE: LabelValues(frozenset(ZONES)), CAPACITY: LabelValues(frozenset(CAPACITIES)), REGION: LabelValues(frozenset({"us-east-1"}))}
WORLD = described(CLOUD, ZONES, CAPACITIES, "us-east-1")

VALUES = {
    "team": ("ml", "web", "data"),
    "tier": ("a", "b"),
    "rank": ("1", "3", "7"),
    ARCH: ("amd64", "arm64"),
    "beta.kubernetes.io/arch": ("amd64", "arm64"),
    CATEGORY: ("c", "m", "r", "g", "p"),
    CPU: ("2", "4", "8", "96"),
    GENERATION: ("4", "5", "6", "7"),
    GPU: ("t4", "l4", "a100"),
    ZONE: (*ZONES, "us-east-1f"),
    CAPACITY: CAPACITIES,
    TYPE: tuple(one.name for one in CLOUD.index.machines[::40]),
    eks.instance_local_nvme.name: ("475", "950"),
}
NUMERIC = ("rank", CPU, GENERATION)
COMMON = ("team", ARCH, CATEGORY, CPU, ZONE, CAPACITY)
KEYS = st.sampled_from([*COMMON, *COMMON, *VALUES])


@st.composite
def expressions(draw: st.DrawFn, *, own: bool = False) -> dict[str, object]:
    key = draw(KEYS)
    bounds = ["Gt", "Lt"] if key in NUMERIC else []
    operator = draw(
        st.sampled_from(["In", "In", "In", "NotIn", "NotIn", "Exists", *bounds, *bounds, "DoesNotExist"] + (["Gte", "Lte"] if own else []))
    )
    if operator in ("Gte", "Lte") and key not in NUMERIC:
        operator = "In"
    if operator in ("Exists", "DoesNotExist"):
        return {"key": key, "operator": operator}
    if operator in ("Gt", "Lt", "Gte", "Lte"):
        return {"key": key, "operator": operator, "values": [draw(st.sampled_from(VALUES[key]))]}
    return {"key": key, "operator": operator, "values": draw(st.lists(st.sampled_from(VALUES[key]), min_size=1, max_size=3, unique=True))}


TAINTS = st.builds(
    Taint,
    st.sampled_from(["dedicated", "sku"]),
    st.sampled_from(["gpu", "", "7"]),
    st.sampled_from(["NoSchedule", "NoExecute", "PreferNoSchedule"]),
)
TOLERATIONS = st.one_of(
    st.builds(lambda key: {"key": key, "operator": "Exists"}, st.sampled_from(["dedicated", "sku"])),
    st.builds(
        lambda key, value, effect: {"key": key, "value": value, "effect": effect}, st.just("sku"), st.just("gpu"), st.sampled_from(["NoSchedule", ""])
    ),
    st.builds(lambda operator: {"key": "sku", "operator": operator, "value": "5"}, st.sampled_from(["Gt", "Lt"])),
    st.just({"operator": "Exists"}),
)


def rarely(strategy: st.SearchStrategy[object], *, one_in: int) -> st.SearchStrategy[object | None]:
    return st.integers(1, one_in).flatmap(lambda drawn: strategy if drawn == (one_in + 1) // 2 else st.none())


@st.composite
def pools(draw: st.DrawFn, *, odd: bool = False) -> EksNodePool:
    """`odd`: often with minValues, by which Karpenter starts no node for narrow pods."""
    asked = [Requirement.model_validate(one) for one in draw(st.lists(expressions(own=True), max_size=3))]
    flexible = draw(rarely(st.sampled_from([(TYPE, 5), (CATEGORY, 3), (TYPE, 50), (CAPACITY, 2)]), one_in=4 if odd else 50))
    if flexible:
        asked.append(Requirement(flexible[0], "Exists", min_values=flexible[1]))
    labels = draw(st.dictionaries(st.sampled_from(["team", "tier"]), st.sampled_from(["ml", "web", "a"]), max_size=1))
    limits = {"cpu": draw(st.sampled_from([1, 3, 8, 1000]))} if draw(st.integers(1, 9)) in (3, 7) else {}
    weight = draw(st.sampled_from([None, None, 10, 50]))
    taints = draw(st.lists(TAINTS, max_size=1)) if draw(st.booleans()) else []
    return EksNodePool(weight=weight, requirements=asked, labels=labels, limits=limits, taints=taints)


@st.composite
def pods(draw: st.DrawFn, *, odd: bool = False) -> dict[str, object]:
    """`odd`: with a term for which Karpenter passes it over, so that a node of any pool may or may not be there for it.

    So it is with several terms and a preference, of which there are fewer else: Karpenter drops terms before preferences.
    """
    selector = {one["key"]: one["values"][0] for one in draw(st.lists(expressions(), max_size=1)) if one["operator"] == "In"}
    affinity: dict[str, object] = {}
    if odd or draw(st.booleans()):
        terms = draw(st.lists(st.lists(expressions(), min_size=1, max_size=2), min_size=1, max_size=2))
        affinity["requiredDuringSchedulingIgnoredDuringExecution"] = {"nodeSelectorTerms": [{"matchExpressions": term} for term in terms]}
        if odd:
            term = draw(st.sampled_from(ODD_TERMS))
            others = affinity["requiredDuringSchedulingIgnoredDuringExecution"]["nodeSelectorTerms"]
            affinity["requiredDuringSchedulingIgnoredDuringExecution"] = {"nodeSelectorTerms": [term] if term == {} else [*others, term]}
    several = len(affinity.get("requiredDuringSchedulingIgnoredDuringExecution", {}).get("nodeSelectorTerms", ())) > 1
    if draw(st.integers(1, 4)) == 2 and (odd or not several or draw(st.integers(1, 4)) == 2):
        weights = draw(st.lists(st.integers(1, 100), min_size=1, max_size=2, unique=True))
        affinity["preferredDuringSchedulingIgnoredDuringExecution"] = [
            {"weight": weight, "preference": {"matchExpressions": [draw(expressions())]}} for weight in weights
        ]
    requests = {"cpu": draw(st.sampled_from(["100m", "1", "3", "7"])), "memory": draw(st.sampled_from(["128Mi", "4Gi", "20Gi"]))}
    if big := draw(rarely(st.sampled_from([{"cpu": "200"}, {"memory": "30000Gi"}, {"nvidia.com/gpu": "1"}, {"nvidia.com/gpu": "4"}]), one_in=10)):
        requests |= big
    return {
        "nodeSelector": selector,
        **({"affinity": {"nodeAffinity": affinity}} if affinity else {}),
        "tolerations": draw(st.lists(TOLERATIONS, max_size=2)),
        "containers": [{"name": "main", "resources": {"requests": requests}}],
    }


ODD_TERMS = [
    {},
    {"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["node-1"]}]},
    {"matchExpressions": [{"key": "kubernetes.io/hostname", "operator": "In", "values": ["node-1"]}]},
    {"matchExpressions": [{"key": CAPACITY, "operator": "In", "values": ["ondemand"]}]},
    {"matchExpressions": [{"key": "karpenter.sh/nodepool", "operator": "DoesNotExist"}]},
]


@st.composite
def nodes(draw: st.DrawFn) -> tuple[dict[str, str], list[Taint], dict[str, int], bool]:
    keys = draw(st.lists(KEYS, max_size=5, unique=True))
    labels = {key: draw(st.sampled_from(VALUES[key])) for key in keys}
    taints = draw(st.lists(TAINTS, max_size=2, unique_by=lambda taint: (taint.key, taint.effect)))
    has = {"cpu": draw(st.sampled_from([2000, 8000])), "memory": 16 * 1024**3 * 1000, "nvidia.com/gpu": draw(st.sampled_from([0, 0, 1000]))}
    return labels, taints, has, draw(st.integers(1, 9)) in (3, 7)


def cases(*, odd: bool = False) -> st.SearchStrategy[object]:
    return st.tuples(pods(odd=odd), st.lists(pools(odd=odd), min_size=4, max_size=4), st.lists(nodes(), min_size=2, max_size=2))


def node(name: str, labels: dict[str, str], taints: list[Taint], has: dict[str, int], cordoned: bool) -> StaticPool:
    offers = {resource: Bounds(amount, amount) for resource, amount in has.items()}
    return StaticPool(name, (labels,), tuple(taints), offers, names=frozenset({name}), cordoned=cordoned)


def expected(fits: bool, existing: bool) -> Verdict:
    if fits:
        return Verdict.FITS
    return Verdict.UNKNOWN if existing else Verdict.CANNOT


def compared(oracle: Oracle, number: int, examples: int, strategy: st.SearchStrategy[object]) -> Counter[str]:
    """Asks both about random cases, and counts what we say."""
    oracle.begin(WORLD)
    counts: Counter[str] = Counter()

    @seed(number)
    @settings(max_examples=examples, deadline=None, database=None, phases=[Phase.generate, Phase.shrink], suppress_health_check=list(HealthCheck))
    @given(strategy)
    def same(case):
        raw, declared, made = case
        pod: Pod = read_pod(raw)
        provisioned = tuple(KarpenterPool(f"pool-{n}", f"pool-{n}", CLOUD, pool, pool.labels, {}, PLACES) for n, pool in enumerate(declared))
        raw_nodes = [raw_node(f"node-{n}", *one) for n, one in enumerate(made)]
        truth = oracle.ask({"pod": raw, "pools": [raw_pool(place) for place in provisioned], "nodes": raw_nodes})
        answer = Explainer(ClusterPools("c", provisioned=provisioned)).answer(Workload("pod", "default", "Pod", pod))
        for place, fits, existing in zip(provisioned, truth["fits"], truth["existing"], strict=True):
            judged = next(one for one in answer.pools if one.pool == place.address)
            counts.update(["pairs", judged.verdict.value, *{reason.kind.value for reason in judged.reasons}])
            assert judged.verdict is expected(fits, existing), (judged.verdict, judged.reasons, truth)
        taken = (PodRequirements(pod, CLOUD).ignored == () and truth["taken"]) or None
        assert (answer.pool or None) == taken, (answer.ranks, truth)
        for n, (one, fits) in enumerate(zip(made, truth["nodes"], strict=True)):
            judged = node(f"node-{n}", *one).evaluate(pod)
            counts.update(["pairs", judged.verdict.value, *{reason.kind.value for reason in judged.reasons}])
            assert judged.verdict is (Verdict.FITS if fits else Verdict.CANNOT), judged

    try:
        same()
    finally:
        oracle.end()
    return counts


def told(number: int, counts: Counter[str]) -> str:
    shares = {name: f"{count / max(counts['pairs'], 1):.1%}" for name, count in counts.most_common() if name != "pairs"}
    return f"seed {number}: {counts['pairs']} pairs, {shares}"


@pytest.mark.parametrize(("number", "examples"), [*KNOWN_SEEDS, pytest.param(FRESH, EXAMPLES, id="a fresh seed")])
def test_the_verdict_and_the_order_are_karpenters(oracle, capsys, number, examples):
    with capsys.disabled():
        print(f"\nseed {number}", end="\r")  # said before, for a run that ends badly
    counts = compared(oracle, number, examples, cases())
    with capsys.disabled():
        print(f"\n{told(number, counts)}")
    if examples >= EXAMPLES:
        assert counts["fits"] >= 0.30 * counts["pairs"]
        assert counts["unknown"] < 0.01 * counts["pairs"]
        seen = set(Kind) - {Kind.VOLUME, Kind.PODS}  # which need the count of replicas and pods that run: tests/oracle/replicas, tests/replicas
        assert all(counts[kind.value] >= 0.01 * counts["pairs"] for kind in seen), counts


@pytest.mark.parametrize("number", [pytest.param(7, id="seed 7"), pytest.param(FRESH + 1, id="a fresh seed")])
def test_pods_that_karpenter_passes_over_may_land_where_nodes_are_there(oracle, capsys, number):
    counts = compared(oracle, number, 200, cases(odd=True))
    with capsys.disabled():
        print(f"\nodd pods, {told(number, counts)}")
    assert counts["unknown"] >= 0.05 * counts["pairs"], counts
