"""Devices that pods claim: which nodes have them free, for how many pods, and what decides where that is not known."""

import re
from collections.abc import Mapping
from dataclasses import replace
from itertools import permutations, product
from random import Random
from typing import Any

import pytest

from nodepools.model.kubernetes.raw_fields import PodError
from nodepools.model.listing import saved
from nodepools.placement.existing_nodes import ExistingPods, existing_pools
from nodepools.placement.machine_index import Bounds
from nodepools.placement.node_pools import ClusterPools
from nodepools.placement.static_pools import StaticPool
from nodepools.placement.workloads.objects import read_workload_objects
from nodepools.placement.workloads.reader import read_workloads
from nodepools.replicas.explained import Explained, explain_replicas

GPU = 'device.driver == "gpu.example.com"'
LARGE = 'device.attributes["gpu.example.com"].model == "large"'


def device(name: str, model: str = "small", memory: str = "16Gi", **fields: Any) -> dict[str, Any]:
    attributes = {"model": {"string": model}, "gpu.example.com/index": {"int": int(name[-1])}, "driver": {"version": "1.2.0"}}
    return {"name": name, "attributes": attributes, "capacity": {"memory": {"value": memory}}, **fields}


def slices(*devices: dict[str, Any], node: str = "n1", driver: str = "gpu.example.com", pool: Any = None, **spec: Any) -> dict[str, Any]:
    of: dict[str, Any] = {"name": node, "generation": 1, "resourceSliceCount": 1, **(pool or {})}
    where = spec or {"nodeName": node}
    return {"kind": "ResourceSlice", "metadata": {"name": f"{node}-s"}, "spec": {"driver": driver, "pool": of, "devices": [*devices], **where}}


def selectors(*expressions: str) -> list[dict[str, Any]]:
    return [{"cel": {"expression": expression}} for expression in expressions]


def device_class(name: str = "gpu", *expressions: str) -> dict[str, Any]:
    return {"kind": "DeviceClass", "metadata": {"name": name}, "spec": {"selectors": selectors(*(expressions or (GPU,)))}}


def exactly(name: str = "gpu", *expressions: str, **fields: Any) -> dict[str, Any]:
    return {"name": name, "exactly": {"deviceClassName": "gpu", **({"selectors": selectors(*expressions)} if expressions else {}), **fields}}


def spec_of(*requests: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"devices": {"requests": [*requests] or [exactly()], **fields}}


def template(*requests: dict[str, Any], name: str = "t", **fields: Any) -> dict[str, Any]:
    return {"kind": "ResourceClaimTemplate", "metadata": {"name": name}, "spec": {"spec": spec_of(*requests, **fields)}}


def claim(name: str = "c", *requests: dict[str, Any], devices: tuple[str, ...] = (), users: tuple[str, ...] = (), node: str = "n1") -> dict[str, Any]:
    term = {"matchFields": [{"key": "metadata.name", "operator": "In", "values": [node]}]}
    results = [{"request": "gpu", "driver": "gpu.example.com", "pool": node, "device": one} for one in devices]
    allocation = {"devices": {"results": results}, "nodeSelector": {"nodeSelectorTerms": [term]}} if devices else None
    reserved = [{"resource": "pods", "name": user} for user in users]
    status = {"status": {"allocation": allocation, "reservedFor": reserved}} if allocation else {}
    return {"kind": "ResourceClaim", "metadata": {"name": name}, "spec": spec_of(*requests), **status}


def pods(many: int = 1, *claims: dict[str, str], name: str = "web", kind: str = "Deployment", **spec: Any) -> dict[str, Any]:
    own = [{"name": f"c{number}", **one} for number, one in enumerate(claims or ({"resourceClaimTemplateName": "t"},))]
    inner = {"spec": {"containers": [{"name": "c"}], "resourceClaims": own, **spec}}
    return {"kind": kind, "metadata": {"name": name}, "spec": {"template": inner, **({} if kind == "DaemonSet" else {"replicas": many})}}


def running(name: str = "old", node: str = "n1", **fields: Any) -> dict[str, Any]:
    claims = [{"name": "c", "resourceClaimTemplateName": "t"}]
    metadata = {"name": name, "uid": "1", **fields.pop("metadata", {})}
    return {"kind": "Pod", "metadata": metadata, "spec": {"nodeName": node, "containers": [{"name": "c"}], "resourceClaims": claims, **fields}}


def node(name: str, **labels: str) -> StaticPool:
    offers = {"cpu": Bounds(4000, 4000)}
    return StaticPool(name, ({"kubernetes.io/hostname": name, **labels},), offers=offers, names=frozenset({name}), max_pods=30)


NODES = (node("n1"), node("n2"))


def explained(*found: dict[str, Any], bound: tuple[dict[str, Any], ...] = (), nodes: tuple[StaticPool, ...] = NODES) -> list[Explained]:
    on_nodes = ExistingPods(tuple(one for raw in bound for one in read_workloads(raw, existing=True)))
    return explain_replicas(list(read_workloads(list(found))), [existing_pools(ClusterPools(None), nodes, on_nodes)], read_workload_objects(found))


def told(one: Explained) -> tuple[dict[str, str], int, int | None]:
    return {pool.pool: pool.verdict.value for pool in one.answer.pools}, one.count.scheduled.minimum, one.count.scheduled.maximum


TWO = (slices(device("g0"), device("g1")), device_class())
BOTH = (*TWO, slices(device("g0"), node="n2"))
IDLE = running(metadata={"namespace": "default"})
CASES: list[Any] = []


def case(name: str, expected: tuple[Mapping[str, str], int, int | None], *found: dict[str, Any], bound: tuple[dict[str, Any], ...] = ()) -> None:
    CASES.append(pytest.param(found, bound, expected, id=name))


FITS, CANNOT, UNKNOWN = "fits", "cannot", "unknown"
case("a device for each pod", ({"n1": FITS, "n2": FITS}, 3, 3), *BOTH, template(), pods(3))
case("more pods than devices", ({"n1": FITS, "n2": FITS}, 3, 3), *BOTH, template(), pods(5))
case("no slice of a node matches", ({"n1": FITS, "n2": CANNOT}, 1, 1), *TWO, slices(driver="nic.example.com", node="n2"), template(), pods())
case("slices of one node alone", ({"n1": FITS, "n2": UNKNOWN}, 1, 1), *TWO, template(), pods())
case("two devices for each pod", ({"n1": FITS, "n2": CANNOT}, 1, 1), *BOTH, template(exactly(count=2)), pods(2))
case("three devices", ({"n1": CANNOT, "n2": CANNOT}, 0, 0), *BOTH, template(exactly(count=3)), pods())
case(
    "a selector",
    ({"n1": FITS, "n2": CANNOT}, 1, 1),
    *(slices(device("g0"), device("g1", "large")), slices(device("g0"), node="n2"), device_class(), template(exactly("gpu", LARGE)), pods(2)),
)
case(
    "a version and a capacity",
    ({"n1": FITS, "n2": CANNOT}, 1, 1),
    *(slices(device("g0", memory="80Gi")), slices(device("g0"), node="n2"), device_class()),
    template(
        exactly(
            "gpu",
            'device.attributes["gpu.example.com"].driver.isGreaterThan(semver("1.0.0"))',
            'device.capacity["gpu.example.com"].memory.compareTo(quantity("40Gi")) >= 0',
        )
    ),
    pods(),
)
case("a selector that fails", ({"n1": UNKNOWN, "n2": UNKNOWN}, 0, 1), *BOTH, template(exactly("gpu", 'device.attributes["a.b"].c == 1')), pods())
FIRST = {"name": "gpu", "firstAvailable": [{"name": "a", "deviceClassName": "gpu", "count": 2}, {"name": "b", "deviceClassName": "gpu"}]}
case("the first available", ({"n1": FITS, "n2": FITS}, 1, 1), *BOTH, template(FIRST), pods())
case("the first available, for several", ({"n1": FITS, "n2": FITS}, 2, 3), *BOTH, template(FIRST), pods(3))
case("all of them", ({"n1": FITS, "n2": FITS}, 2, 2), *BOTH, template(exactly(allocationMode="All")), pods(2))
EQUAL = [{"requests": ["a", "b"], "matchAttribute": "gpu.example.com/model"}]
MIXED = (slices(device("g0"), device("g1", "large")), slices(device("g0"), device("g1"), node="n2"), device_class())
case("equal ones", ({"n1": CANNOT, "n2": FITS}, 1, 1), *MIXED, template(exactly("a"), exactly("b"), constraints=EQUAL), pods())
case("an attribute that is missing", ({"n1": CANNOT, "n2": CANNOT}, 0, 0), *MIXED, template(constraints=[{"matchAttribute": "a.b/c"}]), pods())
case("values that differ", ({"n1": UNKNOWN, "n2": UNKNOWN}, 0, 1), *MIXED, template(constraints=[{"distinctAttribute": "a.b/c"}]), pods())
USED = claim("old-c", devices=("g0",), users=("old",))
case("one is in use", ({"n1": FITS, "n2": FITS}, 2, 2), *BOTH, template(), USED, pods(2), bound=(IDLE,))
case("whose pod can be evicted", ({"n1": UNKNOWN, "n2": CANNOT}, 0, 1), *BOTH, template(exactly(count=2)), USED, pods(priority=5), bound=(IDLE,))
case("whose pod cannot", ({"n1": CANNOT, "n2": CANNOT}, 0, 0), *BOTH, template(exactly(count=2)), USED, pods(), bound=(IDLE,))
case("all, and one is in use", ({"n1": CANNOT, "n2": FITS}, 1, 1), *BOTH, template(exactly(allocationMode="All")), USED, pods(), bound=(IDLE,))
case("pods run, and their claims are not known", ({"n1": UNKNOWN, "n2": UNKNOWN}, 0, 1), *BOTH, template(), pods(), bound=(IDLE,))
SHARED = pods(2, {"resourceClaimName": "c"})
USER = running("x", metadata={"namespace": "default"}, resourceClaims=[{"name": "c", "resourceClaimName": "c"}])
case("a claim with its devices", ({"n1": FITS, "n2": CANNOT}, 2, 2), *BOTH, claim(devices=("g0",), users=("x",)), SHARED, bound=(USER,))
case("one whose user is gone", ({"n1": FITS, "n2": UNKNOWN}, 2, 2), *BOTH, claim(devices=("g0",), users=("x",)), SHARED)
case("one that nobody uses", ({"n1": FITS, "n2": UNKNOWN}, 2, 2), *BOTH, claim(devices=("g0",)), SHARED)
NETWORK = {**claim(devices=("g0",), users=("x",))}
NETWORK["status"] = {**NETWORK["status"], "allocation": {"devices": NETWORK["status"]["allocation"]["devices"]}}
case("a claim with devices that every node can use", ({"n1": FITS, "n2": FITS}, 2, 2), *BOTH, NETWORK, SHARED)
case("a claim without devices", ({"n1": FITS, "n2": FITS}, 1, 2), *BOTH, claim(), SHARED)
case("of a DaemonSet", ({"n1": UNKNOWN, "n2": UNKNOWN}, 0, 1), *BOTH, claim(), pods(1, {"resourceClaimName": "c"}, kind="DaemonSet"))
case("a taint of a device", ({"n1": UNKNOWN, "n2": FITS}, 1, 1), slices(device("g0", taints=[{"key": "a"}])), *BOTH[1:], template(), pods())


def taint_rule(effect: str = "NoSchedule", **selector: str) -> dict[str, Any]:
    return {"kind": "DeviceTaintRule", "metadata": {"name": "r"}, "spec": {"deviceSelector": selector, "taint": {"key": "a", "effect": effect}}}


SLOW = taint_rule(driver="gpu.example.com", pool="n2", device="g0")
case("a rule taints a device", ({"n1": FITS, "n2": UNKNOWN}, 1, 1), *BOTH, template(), pods(), SLOW)
case("a rule taints every device", ({"n1": UNKNOWN, "n2": UNKNOWN}, 0, 1), *BOTH, template(), pods(), taint_rule())
case("a rule of another driver", ({"n1": FITS, "n2": FITS}, 1, 1), *BOTH, template(), pods(), taint_rule(driver="nic.example.com"))
case("a rule without effect", ({"n1": FITS, "n2": FITS}, 1, 1), *BOTH, template(), pods(), taint_rule("None"))
case("a pool that is not complete", ({"n1": UNKNOWN}, 0, 1), slices(device("g0"), pool={"resourceSliceCount": 2}), device_class(), template(), pods())
OLD = slices(device("g0"), device("g1"), pool={"generation": 0})
case("an older generation", ({"n1": CANNOT}, 0, 0), OLD, slices(device("g0")), device_class(), template(exactly(count=2)), pods())
case("everywhere", ({"n1": FITS, "n2": FITS}, 1, 1), slices(device("g0"), allNodes=True), device_class(), template(), pods())
ADMIN = {"kind": "Namespace", "metadata": {"name": "default", "uid": "1", "labels": {"resource.kubernetes.io/admin-access": "true"}}}
PLAIN = {"kind": "Namespace", "metadata": {"name": "default", "uid": "1"}}
ACCESS = template(exactly(adminAccess=True))
case("an administrator", ({"n1": FITS, "n2": FITS}, 9, 9), *BOTH, ADMIN, ACCESS, USED, pods(9), bound=(IDLE,))
case("an administrator elsewhere", ({"n1": CANNOT, "n2": CANNOT}, 0, 0), *BOTH, PLAIN, ACCESS, pods())
case("perhaps an administrator", ({"n1": UNKNOWN, "n2": UNKNOWN}, 0, 1), *BOTH, ACCESS, pods())
MANY = slices(*(device(f"g{number}") for number in range(40)))
case("more than a claim can have", ({"n1": CANNOT}, 0, 0), MANY, device_class(), template(exactly(count=33)), pods())
case("as many as a claim can have", ({"n1": FITS}, 1, 1), MANY, device_class(), template(exactly(count=32)), pods())
case("all for an administrator", ({"n1": FITS, "n2": FITS}, 2, 2), *BOTH, ADMIN, template(exactly(adminAccess=True, allocationMode="All")), pods(2))
case("a capacity", ({"n1": UNKNOWN, "n2": UNKNOWN}, 0, 1), *BOTH, template(exactly(capacity={"requests": {"memory": "1Gi"}})), pods())
case("no template", ({"n1": UNKNOWN, "n2": UNKNOWN}, 0, 1), *BOTH, pods())
case("no class", ({"n1": UNKNOWN, "n2": UNKNOWN}, 0, 1), BOTH[0], template(), pods())
case("no slices", ({"n1": UNKNOWN, "n2": UNKNOWN}, 0, 1), device_class(), template(), pods())


@pytest.mark.parametrize(("found", "bound", "expected"), CASES)
def test_devices(found: tuple[dict[str, Any], ...], bound: tuple[dict[str, Any], ...], expected: tuple[dict[str, str], int, int]) -> None:
    nodes = tuple(one for one in NODES if one.address in expected[0])
    [one] = explained(*found, bound=bound, nodes=nodes)
    assert told(one) == expected


def test_an_object_that_is_missing_is_named_with_the_command_that_gets_it() -> None:
    [lacks_claim] = explained(*BOTH, pods())
    assert lacks_claim.answer.workload.holds[0].fix == saved("`kubectl get resourceclaimtemplate -A -o yaml`")
    [lacks_class] = explained(BOTH[0], template(), pods())
    assert lacks_class.answer.workload.holds[0].message == "DeviceClass `gpu` is not in the input: it decides which devices the pods get"
    [lacks_slices] = explained(device_class(), template(), pods())
    assert lacks_slices.answer.workload.holds[0].fix == saved("`kubectl get resourceslices,resourceclaims -A -o yaml`")
    [lacks_claims] = explained(*BOTH, template(), pods(), bound=(IDLE,))
    assert lacks_claims.answer.workload.holds[0].fix == saved("`kubectl get resourceclaims -A -o yaml`", existing=True)


def test_other_workloads_do_not_matter() -> None:
    plain = {"kind": "Pod", "metadata": {"name": "p"}, "spec": {"containers": [{"name": "c"}]}}
    assert [told(one)[1:] for one in explained(*BOTH, template(), pods(3), plain)] == [(3, 3), (1, 1)]


def test_workloads_that_can_get_the_same_devices() -> None:
    one, other = explained(*BOTH, template(), pods(name="a"), pods(name="b"))
    assert (told(one), told(other)) == (({"n1": UNKNOWN, "n2": UNKNOWN}, 0, 1),) * 2
    assert one.answer.workload.holds[0].message == "`Deployment/b` can get the devices that the pods claim"
    apart = template(exactly("gpu", LARGE), name="large"), template(exactly("gpu", f"!({LARGE})"))
    claimed = pods(1, {"resourceClaimTemplateName": "large"}, name="a")
    assert [told(one)[1:] for one in explained(*MIXED, *apart, claimed, pods(name="b"))] == [(1, 1), (1, 1)]


def test_a_pod_that_waits_can_hold_devices_of_its_own() -> None:
    waits = {**running(name="p", metadata={"namespace": "default"}), "spec": {**running()["spec"], "nodeName": ""}}
    [found] = explained(*BOTH, template(exactly(count=2)), claim(devices=("g0", "g1"), users=("p",)), waits)
    assert told(found) == ({"n1": FITS, "n2": CANNOT}, 1, 1)


def test_a_node_of_auto_mode_has_none() -> None:
    [found] = explained(*BOTH, template(), pods(), nodes=(node("n1", **{"eks.amazonaws.com/compute-type": "auto"}),))
    assert told(found) == ({"n1": CANNOT}, 0, 0)


def test_a_pool_that_adds_nodes_is_not_known() -> None:
    [found] = explained(*BOTH, template(), pods(), nodes=(replace(NODES[0], names=None),))
    assert told(found) == ({"n1": UNKNOWN}, 0, 1)


def test_devices_of_several_nodes_and_of_nodes_with_a_label() -> None:
    term = {"nodeSelectorTerms": [{"matchExpressions": [{"key": "rack", "operator": "In", "values": ["a"]}]}]}
    nodes = (node("n1", rack="a"), node("n2", rack="b"))
    [found] = explained(slices(device("g0"), nodeSelector=term), device_class(), template(), pods(2), nodes=nodes)
    assert told(found) == ({"n1": FITS, "n2": UNKNOWN}, 1, 2)
    each = slices(device("g0", nodeName="n1"), device("g1", nodeName="n2"), perDeviceNodeSelection=True)
    [found] = explained(each, device_class(), template(), pods(2), nodes=nodes)
    assert told(found) == ({"n1": FITS, "n2": FITS}, 2, 2)


def test_many_combinations_are_not_tried_to_their_end() -> None:
    alternatives = [{"name": f"s{number}", "deviceClassName": "gpu", "count": 3} for number in range(8)]
    requests = [{"name": f"r{number}", "firstAvailable": alternatives} for number in range(4)]
    [found] = explained(*BOTH, template(*requests), pods())
    assert told(found) == ({"n1": UNKNOWN, "n2": UNKNOWN}, 0, 1)


def test_the_form_of_older_versions() -> None:
    basic = {"name": "g0", "basic": {"attributes": {"model": {"string": "large"}, "other": {"strings": ["a"]}}}}
    request = {"name": "gpu", "deviceClassName": "gpu", "selectors": selectors(LARGE)}
    [found] = explained(slices(basic), device_class(), template(request), pods(), nodes=NODES[:1])
    assert told(found) == ({"n1": FITS}, 1, 1)


INVALID = {"nodeSelectorTerms": [{"matchExpressions": [{"key": "rack", "operator": "Is", "values": ["a"]}]}]}
REJECTED = [
    pytest.param(claim("c", {"name": "A", "exactly": {"deviceClassName": "gpu"}}), "`spec.devices.requests[0].name` must be lower-case", id="name"),
    pytest.param(claim("c", {"name": "a"}), "`spec.devices.requests[0].deviceClassName` is required", id="class"),
    pytest.param(claim("c", exactly(), exactly()), "`spec.devices.requests[1].name` must be unique", id="twice"),
    pytest.param(claim("c", {**exactly(), **FIRST}), "must have one of `exactly` and `firstAvailable`", id="both"),
    pytest.param(claim("c", exactly(allocationMode="Some")), "`spec.devices.requests[0].exactly.allocationMode` must be `ExactCount` or", id="mode"),
    pytest.param(claim("c", exactly(count=-1)), "`spec.devices.requests[0].exactly.count` must be 1 or more, but is `-1`", id="count"),
    pytest.param(
        claim("c", {"name": "a", "firstAvailable": [{"name": "A", "deviceClassName": "x"}]}),
        "firstAvailable[0].name` must be lower",
        id="alternative",
    ),
    pytest.param(template(constraints=[{"requests": []}]), "constraints[0].matchAttribute` is required", id="no constraint"),
    pytest.param(claim("c", exactly(count=1, allocationMode="All")), "must be not set with `allocationMode: All`, but is `1`", id="all"),
    pytest.param(claim("c", exactly("gpu", "device.(")), "cel.expression` is not an expression of CEL: ", id="selector"),
    pytest.param(template(exactly("gpu", "")), "`spec.spec.devices.requests[0].exactly.selectors[0].cel.expression` is required", id="no selector"),
    pytest.param(template(constraints=[{"requests": ["x"], "matchAttribute": "a/b"}]), "constraints[0].requests` must be names of", id="request"),
    pytest.param(template(constraints=[{"matchAttribute": "b"}]), "constraints[0].matchAttribute` must be a domain and a name", id="attribute"),
    pytest.param(device_class("c", ")"), "`spec.selectors[0].cel.expression` is not an expression of CEL", id="class with another"),
    pytest.param(slices({"name": "g"}, nodeSelector=INVALID), "Is", id="operator of a node selector"),
    pytest.param(slices({"name": "g", "capacity": {"m": {"value": "x"}}}), "device `g` has an invalid attribute or capacity", id="capacity"),
    pytest.param(slices({"name": "g", "attributes": {"m": {"version": "x"}}}), "device `g` has an invalid attribute or capacity", id="version"),
]


@pytest.mark.parametrize(
    "raw",
    [
        claim("c", exactly(count=0)),
        template(constraints=[{"matchAttribute": "A.b/_x"}, {"matchAttribute": "a/b/c"}, {"distinctAttribute": "a/b"}]),
        slices({"name": "g", "capacity": {"m": None, "n": {}}}, pool={"name": "n1", "generation": None, "resourceSliceCount": 1}),
    ],
)
def test_what_it_accepts(raw: dict[str, Any]) -> None:
    read_workload_objects([raw])


@pytest.mark.parametrize(("raw", "message"), REJECTED)
def test_what_the_api_server_rejects(raw: dict[str, Any], message: str) -> None:
    with pytest.raises(PodError, match=f".*{re.escape(message)}.*"):
        read_workload_objects([raw])


def test_an_expression_with_a_function_that_is_not_known_here_is_not_rejected() -> None:
    [found] = explained(*BOTH[::2], device_class("gpu", f"{GPU} && later(device)"), template(), pods())
    assert told(found) == ({"n1": UNKNOWN, "n2": UNKNOWN}, 0, 1)


_RANK = {CANNOT: 0, UNKNOWN: 1, FITS: 2}


def _random(random: Random) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Slices of two nodes, and the other objects."""
    made = [[device(f"g{number}", random.choice(["small", "large"])) for number in range(random.randrange(4))] for _ in NODES]
    found = [slices(*devices, node=node.address) for devices, node in zip(made, NODES, strict=True)]
    asks = [exactly(name, *random.choice([(), (LARGE,)]), **random.choice([{}, {"count": 2}])) for name in "ab"]
    asked = random.choice([asks, asks[:1], [FIRST]])
    return found, [
        device_class(),
        template(*asked, constraints=EQUAL if len(asked) > 1 and random.random() < 0.5 else []),
        pods(random.randrange(1, 4)),
    ]


@pytest.mark.parametrize("seed", range(200))
def test_a_device_less_never_adds_a_fit(seed: int) -> None:
    found, others = _random(Random(seed))  # noqa: S311
    before = told(explained(*found, *others)[0])
    for number, one in enumerate(found):
        for index in range(len(one["spec"]["devices"])):
            devices = [*one["spec"]["devices"][:index], *one["spec"]["devices"][index + 1 :]]
            less = [*found[:number], slices(*devices, node=NODES[number].address), *found[number + 1 :]]
            after = told(explained(*less, *others)[0])
            assert all(_RANK[after[0][address]] <= _RANK[verdict] for address, verdict in before[0].items())
            assert after[1] <= before[1]


def _combinations(devices: list[dict[str, Any]], claimed: dict[str, Any]) -> list[tuple[dict[str, Any], ...]]:
    """Every set of devices for one pod, tried one after the other."""
    asked = claimed["spec"]["spec"]["devices"]
    found: list[tuple[dict[str, Any], ...]] = []
    for choice in product(*([one["exactly"]] if "exactly" in one else one["firstAvailable"] for one in asked["requests"])):
        larges = [bool(one.get("selectors")) for one in choice for _ in range(one.get("count", 1))]
        for chosen in permutations(devices, len(larges)):
            models = [one["attributes"]["model"]["string"] for one in chosen]
            if all(model == "large" for model, is_large in zip(models, larges, strict=True) if is_large):
                found += [chosen] if not asked.get("constraints") or len(set(models)) == 1 else []
    return found


@pytest.mark.parametrize("seed", range(200))
def test_whatever_devices_a_scheduler_chooses_the_pods_are_within_the_bounds(seed: int) -> None:
    random = Random(seed)  # noqa: S311
    found, others = _random(random)
    _, least, most = told(explained(*found, *others)[0])
    for _ in range(5):
        free = {node.address: list(one["spec"]["devices"]) for node, one in zip(NODES, found, strict=True)}
        placed = 0
        for _ in range(others[2]["spec"]["replicas"]):
            ways = [(address, way) for address, devices in free.items() for way in _combinations(devices, others[1])]
            if ways:
                address, way = random.choice(ways)
                free[address] = [one for one in free[address] if one not in way]
                placed += 1
        assert least <= placed <= (most if most is not None else placed)
