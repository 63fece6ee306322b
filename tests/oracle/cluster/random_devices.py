"""Random devices of nodes, and claims of them (dynamic resource allocation)."""

import random
from collections.abc import Iterator, Sequence
from typing import Any, Final

from tests.oracle.cluster.control_plane import Object
from tests.oracle.cluster.random_platforms import ZONE

VERSION: Final = "resource.k8s.io/v1"
DRIVER, OTHER_DRIVER = "gpu.example.com", "nic.example.com"
EXTENDED: Final = ("example.com/gpu", "nvidia.com/gpu")
"""Extended resources that a DeviceClass can stand for."""
IMPLICIT: Final = "deviceclass.resource.kubernetes.io/gpu"
LARGE: Final = {"cel": {"expression": f'device.attributes["{DRIVER}"].model == "large"'}}
SMALL_ENOUGH: Final = {"cel": {"expression": f'device.capacity["{DRIVER}"].memory.compareTo(quantity("40Gi")) < 0'}}
FAILS: Final = {"cel": {"expression": f'device.attributes["{DRIVER}"].lacking == "x"'}}
ODD: Final[Sequence[Object]] = (
    {"taints": [{"key": "broken", "value": "x", "effect": "NoSchedule"}]},
    {"taints": [{"key": "broken", "value": "x", "effect": "None"}]},
    {"allowMultipleAllocations": True},
)
SPACES: Final = ("default", "shop")
TEMPLATES: Final = ("one", "two", "large", "first", "pair", "every", "nic", "classless", "tolerant", "fails")


def devices(nodes: Sequence[Object], chance: random.Random) -> list[Object]:
    """DeviceClasses, the devices of nodes, and claims and templates of both namespaces."""
    own = [one for one in nodes if one["kind"] == "Node"]
    extended = {"extendedResourceName": chance.choice(EXTENDED)} if chance.random() < 0.4 else {}
    found = [_class("gpu", DRIVER, extended), _class("nic", OTHER_DRIVER, {})]
    found += [one for node in own if chance.random() < 0.75 for one in _slices(node["metadata"]["name"], DRIVER, chance)]
    found += [one for node in own if chance.random() < 0.2 for one in _slices(node["metadata"]["name"], OTHER_DRIVER, chance)]
    if own and chance.random() < 0.25:
        found.append(_shared(own, chance))
    if own and chance.random() < 0.1:
        found.append(_rule(chance.choice(own)["metadata"]["name"], chance))
    for space in SPACES:
        found += [_template(name, space, chance) for name in TEMPLATES]
        claim = {"apiVersion": VERSION, "kind": "ResourceClaim", "metadata": {"name": "shared", "namespace": space}}
        found.append({**claim, "spec": {"devices": {"requests": [_exactly()]}}})
    return found


def _class(name: str, driver: str, fields: Object) -> Object:
    selector = {"cel": {"expression": f'device.driver == "{driver}"'}}
    return {"apiVersion": VERSION, "kind": "DeviceClass", "metadata": {"name": name}, "spec": {"selectors": [selector], **fields}}


def _device(number: int, chance: random.Random) -> Object:
    odd = chance.choice(ODD) if chance.random() < 0.06 else {}
    attributes = {"model": {"string": chance.choice(("small", "small", "large"))}, "index": {"int": number}}
    return {"name": f"d{number}", "attributes": attributes, "capacity": {"memory": {"value": chance.choice(("16Gi", "80Gi"))}}, **odd}


def _slice(name: str, driver: str, spec: Object) -> Object:
    return {"apiVersion": VERSION, "kind": "ResourceSlice", "metadata": {"name": f"{name}-{driver[:3]}"}, "spec": {"driver": driver, **spec}}


def _slices(node: str, driver: str, chance: random.Random) -> Iterator[Object]:
    """Those of a node; few pools lack one of their slices, or have an old one."""
    pool = {"name": node, "generation": 2, "resourceSliceCount": 2 if chance.random() < 0.05 else 1}
    made = [_device(number, chance) for number in range(chance.choice((0, 1, 1, 2, 2, 4)))]
    yield _slice(node, driver, {"nodeName": node, "pool": pool, "devices": made})
    if chance.random() < 0.05:
        old = {"nodeName": node, "pool": {**pool, "generation": 1}, "devices": [_device(number, chance) for number in range(4, 6)]}
        yield _slice(f"{node}-old", driver, old)


def _shared(nodes: Sequence[Object], chance: random.Random) -> Object:
    """Devices that several nodes can use."""
    zone = chance.choice(nodes)["metadata"]["labels"][ZONE]
    term = {"matchExpressions": [{"key": ZONE, "operator": "In", "values": [zone]}]}
    where: Object = chance.choice(({"allNodes": True}, {"nodeSelector": {"nodeSelectorTerms": [term]}}))
    pool = {"name": "network", "generation": 1, "resourceSliceCount": 1}
    return _slice("network", DRIVER, {**where, "pool": pool, "devices": [_device(number, chance) for number in range(chance.choice((1, 2, 3)))]})


def _rule(pool: str, chance: random.Random) -> Object:
    """A taint of the devices of a node."""
    taint = {"key": "slow", "value": "x", "effect": chance.choice(("NoSchedule", "NoExecute", "None"))}
    spec = {"deviceSelector": {"pool": pool, **({"device": "d0"} if chance.random() < 0.5 else {})}, "taint": taint}
    return {"apiVersion": VERSION, "kind": "DeviceTaintRule", "metadata": {"name": "slow"}, "spec": spec}


def _exactly(name: str = "a", device_class: str = "gpu", **fields: Any) -> Object:
    return {"name": name, "exactly": {"deviceClassName": device_class, **fields}}


def _template(name: str, space: str, chance: random.Random) -> Object:
    alternatives = [{"name": "x", "deviceClassName": "gpu", "selectors": [LARGE]}, {"name": "y", "deviceClassName": "gpu", "count": 2}]
    by_name: dict[str, Object] = {
        "one": {"requests": [_exactly(selectors=[SMALL_ENOUGH] if chance.random() < 0.3 else [])]},
        "two": {"requests": [_exactly(count=2)]},
        "large": {"requests": [_exactly(selectors=[LARGE])]},
        "first": {"requests": [{"name": "a", "firstAvailable": alternatives}]},
        "pair": {
            "requests": [_exactly("a"), _exactly("b")],
            "constraints": [{"requests": chance.choice((["a", "b"], [])), "matchAttribute": f"{DRIVER}/model"}],
        },
        "every": {"requests": [_exactly(allocationMode="All")]},
        "nic": {"requests": [_exactly(), _exactly("b", "nic")]},
        "classless": {"requests": [_exactly(device_class="lacking")]},
        "tolerant": {"requests": [_exactly(tolerations=[{"operator": "Exists"}])]},
        "fails": {"requests": [_exactly(selectors=[FAILS])]},
    }
    made = {"apiVersion": VERSION, "kind": "ResourceClaimTemplate", "metadata": {"name": name, "namespace": space}}
    return {**made, "spec": {"spec": {"devices": by_name[name]}}}


def add_novelties(workloads: Sequence[Object], chance: random.Random, *, with_devices: bool) -> None:
    """Some of the workloads claim devices, or ask for them as an extended resource; some have fields whose gates are young."""
    for one in workloads:
        spec = one["spec"] if one["kind"] == "Pod" else one["spec"]["template"]["spec"]
        if with_devices:
            _claim_devices(spec, chance)
        drawn = chance.random()
        if drawn < 0.03:
            spec["schedulingGroup"] = {"podGroupName": "gang"}
        elif drawn < 0.05:
            spec.setdefault("tolerations", []).append({"key": "team", "operator": "Gt", "value": "5"})
        elif drawn < 0.1:
            spec["resources"] = {"limits": {"cpu": chance.choice(("2", "8"))}}


def claims(workload: Object) -> bool:
    """It claims devices."""
    return "resourceClaims" in (workload["spec"] if workload["kind"] == "Pod" else workload["spec"]["template"]["spec"])


def _claim_devices(spec: Object, chance: random.Random) -> None:
    drawn = chance.random()
    if drawn < 0.4:
        names = chance.sample(("one", "one", "one", *TEMPLATES), chance.choice((1, 1, 1, 2)))
        spec["resourceClaims"] = [{"name": f"c{number}", "resourceClaimTemplateName": name} for number, name in enumerate(names)]
        spec["containers"][0]["resources"]["claims"] = [{"name": "c0"}]
    elif drawn < 0.47:
        spec["resourceClaims"] = [{"name": "c0", "resourceClaimName": chance.choice(("shared", "shared", "lacking"))}]
    elif drawn < 0.55:
        limits = spec["containers"][0]["resources"].setdefault("limits", {})
        limits[chance.choice((*EXTENDED, IMPLICIT))] = chance.choice(("1", "1", "2"))
