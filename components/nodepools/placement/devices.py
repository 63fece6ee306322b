"""Devices that pods claim (dynamic resource allocation): which nodes have them free, and for how many pods, as far as that is certain.

The scheduler tries every combination of devices for the claims of a pod, of pools whose newest generation is complete. Source: Kubernetes 1.36,
`structured` and `cel` in `staging/src/k8s.io/dynamic-resource-allocation`, `pkg/apis/resource/validation`, 2026-11.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import islice, product
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias, cast

from nodepools.cel.meter import EvaluationError, Meter, NotCheckedError, RuleSyntaxError
from nodepools.model.kubernetes.pod import Term, read_terms
from nodepools.model.kubernetes.raw_fields import PodError, entries, flag, mapping, number, text, texts
from nodepools.model.kubernetes.topology import NamespaceLabels
from nodepools.model.kubernetes.validated_part import LABEL, LABEL_LENGTH, SUBDOMAIN, SUBDOMAIN_LENGTH, InvalidField, InvalidWorkloadError, Part
from nodepools.model.kubernetes.volumes import Place, place_of
from nodepools.model.listing import quoted, saved
from nodepools.model.values import dataclass, field, replace
from nodepools.placement.machine_index import UNKNOWN_AMOUNT, Bounds
from nodepools.placement.node_pools import ClusterPools
from nodepools.placement.static_pools import StaticPool
from nodepools.placement.verdict import Kind, Reason, Verdict
from nodepools.placement.workloads.workload import Hold, Workload

if TYPE_CHECKING:
    from nodepools.cel.program import Program
    from nodepools.placement.workloads.objects import WorkloadObjects

_Raw: TypeAlias = Mapping[str, object]
_Key: TypeAlias = tuple[str, str, str]
"""Driver, pool and name of a device."""
_ADMIN: Final = ("resource.kubernetes.io/admin-access", "true")
_AUTO: Final = ("eks.amazonaws.com/compute-type", "auto")
_PARTS: Final = ("taints", "consumesCounters", "allowMultipleAllocations", "bindingConditions", "bindsToNode", "nodeAllocatableResourceMappings")
"""Fields of a device with which it is not certain that a claim gets it, or that it is then in use."""
_IDENTIFIER: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,31}")
_MOST_OF_A_CLAIM: Final = 32
_MOST_USERS: Final = 256
_TRIED: Final = 1000
_ENDLESS: Final = 10**9
_SHOWN: Final = 3


class _Ask(NamedTuple):
    """A request for devices of one class, or one of several alternatives."""

    names: frozenset[str]
    """`gpu`, and `gpu/large` of an alternative."""
    device_class: str
    selectors: tuple[str, ...]
    many: int
    """0: all that match."""
    is_admin: bool
    """It also gets devices that are in use."""
    is_clear: bool


@dataclass(frozen=True, slots=True)
class _Claim:
    """A ResourceClaim, or a template of them."""

    requests: tuple[tuple[_Ask, ...], ...]
    """The alternatives of each."""
    equal: tuple[tuple[frozenset[str], str], ...]
    """An attribute in which the devices of some requests (empty: of all) are equal."""
    is_clear: bool
    allocated: frozenset[_Key] | None
    """`None`: it has no devices yet."""
    nodes: tuple[Term, ...] | None
    """The node selector of its devices; `None`: every node can use them."""
    users: frozenset[Place]
    """The pods that it is reserved for."""

    @property
    def asks(self) -> Iterator[_Ask]:
        """All alternatives of its requests, unless it has its devices."""
        return (ask for request in (self.requests if self.allocated is None else ()) for ask in request)


class _Device(NamedTuple):
    """A device of a ResourceSlice."""

    key: _Key
    view: Mapping[str, object]
    """As selectors see it."""
    at: _Raw
    """Where it is: `nodeName` or `allNodes`."""
    selected: tuple[Term, ...]
    """The nodes that its `nodeSelector` selects."""
    is_whole: bool
    """It is certain to be for one claim, which can use it."""

    def is_on(self, node: StaticPool) -> bool:
        """The node can use it."""
        return self.at.get("allNodes") is True or self.at.get("nodeName") in (node.names or ()) or _selects(self.selected, node)


def _terms(raw: _Raw) -> tuple[Term, ...] | None:
    """Those of a `nodeSelector`; `None` without one."""
    selector = raw.get("nodeSelector")
    if selector is None:
        return None
    return tuple(read_terms(cast("_Raw", selector))) if isinstance(selector, Mapping) else ()


def _selects(terms: tuple[Term, ...], node: StaticPool) -> bool:
    labels = {**node.variants[0], "metadata.name": node.address}
    return any(not term.empty and all(one.matches(labels.get(one.key)) for one in (*term.expressions, *term.fields)) for term in terms)


class _Wish(NamedTuple):
    """The claims of a pod, and the devices that it does not get."""

    claims: Sequence[_Claim]
    left: Sequence[_Claim]
    """Those that have no devices yet."""
    lacks: bool
    """Objects that decide about them are not in the input."""
    users: frozenset[Place]
    """The other pods that run for certain, whichever are evicted: their claims keep their devices. A node that is lost takes its pods with it."""
    used: frozenset[_Key] | None
    """The devices that others have; `None`: not known."""
    kept: frozenset[_Key]
    """Those that others have for certain, whichever pods are evicted."""


class _Domains(dict[object, object]):
    """Attributes or capacities by domain: one that a device does not have is empty."""

    def __contains__(self, _: object) -> bool:
        return True

    def __missing__(self, _: object) -> dict[object, object]:
        return {}


@cache
def _program(expression: str) -> "Program":
    from nodepools.cel.program import Program  # few inputs have devices

    return Program(expression, ["device"])


_OF_ANOTHER: Final = {"driver": "another.invalid", "attributes": _Domains(), "capacity": _Domains(), "allowMultipleAllocations": False}


@dataclass(frozen=True)
class DeviceObjects:
    """The objects of an input that decide about devices."""

    devices: tuple[_Device, ...] = ()
    classes: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """The selectors of each DeviceClass."""
    claims: Mapping[tuple[str, Place], _Claim] = field(default_factory=dict[tuple[str, Place], _Claim])
    """By the field of a pod that names them, and templates too."""
    nodes: frozenset[str] = frozenset()
    """Those of the slices."""
    _known: dict[tuple[_Key, tuple[str, ...]], bool | None] = field(default_factory=dict[tuple[_Key, tuple[str, ...]], bool | None], compare=False)

    def of(self, workload: Workload) -> tuple[list[_Claim], list[tuple[str, str]]]:
        """The claims of one pod, and the kind and name of the objects that the input lacks."""
        named = {(of, name): self.claims.get((of, (workload.namespace, name))) for of, name in workload.pod.devices}
        found = [claim for claim in named.values() if claim is not None]
        lacking = [(of[0].upper() + of[1:].removesuffix("Name"), name) for (of, name), claim in named.items() if claim is None]
        asks = [ask for claim in found for ask in claim.asks]
        lacking += [("DeviceClass", ask.device_class) for ask in asks if ask.device_class not in self.classes]
        return found, list(dict.fromkeys([*lacking, *([("ResourceSlice", "")] if asks and not (self.devices or self.nodes) else [])]))

    def matches(self, ask: _Ask, device: _Device) -> bool | None:
        """The device is one that a request asks for; `None`: not known, or the scheduler fails."""
        key = device.key, (*self.classes[ask.device_class], *ask.selectors)
        if key not in self._known:
            self._known[key] = _matches(key[1], device.view)
        return self._known[key]

    def candidates(self, claims: Iterable[_Claim]) -> set[_Key]:
        """The devices that the claims of a pod may get."""
        asks = {ask for claim in claims for ask in claim.asks if not ask.is_admin}
        return {device.key for device in self.devices for ask in asks if self.matches(ask, device) is not False}

    def _in_use(self, stays: Callable[[_Claim], object]) -> frozenset[_Key]:
        """The devices of the claims that keep theirs."""
        return frozenset[_Key]().union(*(claim.allocated or () for claim in self.claims.values() if stays(claim)))

    def are_known(self, bound: Iterable[Workload]) -> bool:
        """The claims of all pods that run are in the input: they hold devices."""
        users = Counter(user for claim in self.claims.values() for user in claim.users)
        return all(users[pod.namespace, pod.name] >= len(pod.pod.devices) for pod in bound if pod.pod.devices)

    def wish(self, workload: Workload, bound: Sequence[Workload], *, are_known: bool) -> "_Wish":
        """What one pod of a workload gets, on whichever node; `are_known`: the claims of all pods that run are in the input."""
        claims, lacking = self.of(workload)
        own = frozenset({(workload.namespace, workload.name)} if workload.exists else ())
        stay = (pod for pod in bound if not pod.ends and not workload.pod.may_evict(pod.pod))
        users = frozenset((pod.namespace, pod.name) for pod in stay) - own
        left = [claim for claim in claims if claim.allocated is None]
        used = self._in_use(lambda claim: not claim.users or claim.users - own) if are_known else None
        return _Wish(claims, left, bool(lacking), users, used, self._in_use(lambda claim: claim.users & users))

    def bounds(self, wish: "_Wish", node: StaticPool, here: Sequence[_Device]) -> Bounds:
        """How many pods of a workload get their devices on a node, which can use the devices `here`; in thousandths."""
        if _AUTO in node.variants[0].items():
            return Bounds(0, 0)
        if wish.lacks:
            return UNKNOWN_AMOUNT
        if any(claim.nodes is not None and not _selects(claim.nodes, node) for claim in wish.claims):
            return Bounds(0, 0 if all(claim.users & wish.users for claim in wish.claims if claim.nodes is not None) else None)
        least = max(_MOST_USERS - max((len(claim.users) for claim in wish.claims), default=0), 0)
        if not wish.left:
            return Bounds(least * 1000, None)
        certain = _Allocation(self, wish.left, here, wish.used, is_certain=True).least if wish.used is not None else 0
        most = _Allocation(self, wish.left, here, wish.kept, is_certain=False).most if self._is_listed(wish.left, node) else None
        return Bounds(min(least, certain) * 1000, None if most is None else most * 1000)

    def _is_listed(self, claims: Iterable[_Claim], node: StaticPool) -> bool:
        """The input has every device of a node that can match: slices of the node itself, or of several nodes, and no other driver has any."""
        is_whole = node.address in self.nodes or len(self.nodes) > 1
        other = _Device(("", "", ""), _OF_ANOTHER, {}, (), is_whole=True)
        return is_whole and all(self.matches(ask, other) is False for claim in claims for ask in claim.asks)


def _matches(selectors: Iterable[str], view: Mapping[str, object]) -> bool | None:
    for selector in selectors:
        try:
            found = _program(selector).evaluate({"device": view}, Meter())
        except (EvaluationError, NotCheckedError):
            return None
        if found is not True:
            return False if found is False else None
    return True


class _Allocation:
    """The devices of a node that the claims of a pod get for certain, or may get."""

    def __init__(self, objects: DeviceObjects, claims: Sequence[_Claim], here: Sequence[_Device], used: frozenset[_Key], *, is_certain: bool) -> None:
        self._claims: Final = claims
        self._is_certain: Final = is_certain
        self._options: Final[dict[_Ask, list[_Device]]] = {}
        """Of a request that cannot get devices: none."""
        for ask in {ask for claim in claims for ask in claim.asks}:
            every = [(device, match) for device in here if (match := objects.matches(ask, device)) is not False]
            free = [device for device, _ in every if ask.is_admin or device.key not in used or not device.is_whole]
            sure = [device for device, match in every if match and device.is_whole]
            taken = any(device not in free for device in sure) if not ask.many else False
            unclear = not ask.is_clear or any(match is None for _, match in every) or (not ask.many and len(sure) < len(every))
            self._options[ask] = [] if taken or (is_certain and unclear) else [one for one in free if one.is_whole or not is_certain]

    @property
    def _exists(self) -> bool:
        """A combination of devices for one pod; true if there are too many to try, and one is not to be proved."""
        choices = product(*(request for claim in self._claims for request in claim.requests))
        tried = [(choice, values) for choice in islice(choices, _TRIED) for values in islice(product(*self._values()), _TRIED)]
        return any(self._are_there(choice, values) for choice, values in tried) or (not self._is_certain and len(tried) >= _TRIED)

    def _values(self) -> list[set[object]]:
        """What the attribute of each constraint can be."""
        devices = {device.key: device for options in self._options.values() for device in options}.values()
        return [{_attribute(device, name) for device in devices} - {None} for claim in self._claims for _, name in claim.equal]

    def _are_there(self, choice: Sequence[_Ask], values: Sequence[object]) -> bool:
        asks, required = iter(choice), iter(values)
        slots: list[list[_Key]] = []
        for claim in self._claims:
            equal = [(names, name, next(required)) for names, name in claim.equal]
            own: list[list[_Key]] = []
            for _, ask in zip(claim.requests, asks, strict=False):
                wanted = [(name, value) for names, name, value in equal if not names or names & ask.names]
                options = [device.key for device in self._options[ask] if all(_attribute(device, name) == value for name, value in wanted)]
                if len(options) < (ask.many or len(self._options[ask]) or 1):
                    return False
                if self._is_certain or not ask.is_admin:
                    own += [options] * ask.many if ask.many else [[key] for key in options]
            slots += own
            if len(own) > _MOST_OF_A_CLAIM:
                return False
        return _is_matched(slots)

    @property
    def least(self) -> int:
        """So many pods at least: more than one only where it does not matter which devices each gets."""
        if not all(claim.is_clear for claim in self._claims) or not self._exists:
            return 0
        asks = [ask for claim in self._claims for ask in claim.asks if not (ask.is_admin and ask.many)]
        sets = {ask: frozenset(device.key for device in self._options[ask]) for ask in asks}
        is_plain = not any(claim.equal or any(len(request) > 1 for request in claim.requests) for claim in self._claims)
        if not is_plain or not all(ask.many for ask in asks) or any(one & other and one != other for one in sets.values() for other in sets.values()):
            return 1
        return min((len(one) // sum(ask.many for ask in asks if sets[ask] == one) for one in sets.values()), default=_ENDLESS)

    @property
    def most(self) -> int | None:
        """So many pods at most; `None`: not known."""
        requests = [request for claim in self._claims for request in claim.requests]
        every = {device.key: device for options in self._options.values() for device in options}
        if any(not any(self._options[ask] for ask in request) for request in requests):
            return 0
        if not all(device.is_whole for device in every.values()):
            return None
        needed = sum(min(0 if ask.is_admin else ask.many or 1 for ask in request) for request in requests)
        return 0 if not self._exists else max(len(every) // needed, 1) if needed else None


def _is_matched(slots: Sequence[Sequence[_Key]]) -> bool:
    """Each slot gets a device of its own."""
    owners: dict[_Key, int] = {}

    def assign(slot: int, seen: set[_Key]) -> bool:
        for key in slots[slot]:
            if key not in seen:
                seen.add(key)
                if key not in owners or assign(owners[key], seen):
                    owners[key] = slot
                    return True
        return False

    return all(assign(slot, set()) for slot in range(len(slots)))


def _attribute(device: _Device, name: str) -> object:
    """Its type is part of it: `1` differs from `true`."""
    of, _, own = name.rpartition("/")
    value = cast("Mapping[str, Mapping[str, object]]", device.view["attributes"])[of].get(own)
    return None if value is None else (type(value), value)


def claiming(workloads: Sequence[Workload], pools: ClusterPools, among: "WorkloadObjects") -> list[Workload]:
    """The workloads, with the name under which nodes offer the devices that their pods claim, and what keeps that from being certain."""
    objects, spaces = among.devices or DeviceObjects(), among.namespaces
    known = {id(one): objects.of(one) for one in workloads if one.pod.devices}
    shared = {key: None if lacking else objects.candidates(claims) for key, (claims, lacking) in known.items()}

    def of(workload: Workload) -> Workload:
        if id(workload) not in known:
            return workload
        own = shared[id(workload)]
        others = [(one, shared[id(one)]) for one in workloads if id(one) in known and one is not workload]
        rivals = [one.subject for one, its in others if own is None or its is None or own & its]
        holds = [*workload.holds, *map(_lacking, known[id(workload)][1]), *_doubts(workload, known[id(workload)][0], objects, spaces)]
        holds += [Hold(f"{quoted(rivals, _SHOWN)} can get the devices that the pods claim")] if rivals else []
        if not objects.are_known(pools.bound):
            message = "pods that run claim devices, and not all of their ResourceClaims are in the input"
            holds.append(Hold(message, saved("`kubectl get resourceclaims -A -o yaml`", existing=True)))
        return replace(workload, holds=tuple(holds), devices=f"devices of {workload.kind}/{workload.name} in {workload.namespace}")

    return list(map(of, workloads))


def _lacking(lacking: tuple[str, str]) -> Hold:
    kind, name = lacking
    get = f"`kubectl get {kind.lower()}{'' if kind == 'DeviceClass' else ' -A'} -o yaml`"
    if name:
        return Hold(f"{kind} `{name}` is not in the input: it decides which devices the pods get", saved(get))
    message = "ResourceSlices are not in the input: they show which nodes have the devices that the pods claim"
    return Hold(message, saved("`kubectl get resourceslices,resourceclaims -A -o yaml`"))


def _doubts(workload: Workload, claims: Sequence[_Claim], objects: DeviceObjects, spaces: Mapping[str, NamespaceLabels]) -> Iterator[Hold]:
    named = {name: objects.claims.get((of, (workload.namespace, name))) for of, name in workload.pod.devices if of == "resourceClaimName"}
    waiting = [name for name, claim in named.items() if claim is not None and claim.allocated is None]
    if waiting and (workload.is_daemon or workload.unplaced != 1):
        message = f"the pods share the devices of {quoted(waiting, _SHOWN)}: only nodes that can use those of the first pod run others"
        yield Hold(message, "Use `resourceClaimTemplateName`", minimum=0 if workload.is_daemon else 1)
    space = spaces.get(workload.namespace)
    if any(ask.is_admin for claim in claims for ask in claim.asks) and (space is None or _ADMIN not in space.labels):
        message = f'the API server rejects claims with `adminAccess`, unless Namespace `{workload.namespace}` has the label `{_ADMIN[0]}: "true"`'
        yield Hold(message, "Add the label to the Namespace", maximum=0 if space is not None and space.is_complete else None)


def offering(pools: ClusterPools, workloads: Iterable[Workload], objects: DeviceObjects) -> ClusterPools:
    """The pools, with the number of pods of each of these workloads that get devices on a node that runs."""
    are_known = objects.are_known(pools.bound)
    wishes = {one.devices: objects.wish(one, pools.bound, are_known=are_known) for one in workloads if one.devices}

    def of(node: StaticPool) -> StaticPool:
        if node.names is None:
            return node
        here = [device for device in objects.devices if device.is_on(node)]
        return replace(node, offers={**(node.offers or {}), **{name: objects.bounds(wish, node, here) for name, wish in wishes.items()}})

    return replace(pools, static=tuple(map(of, pools.static))) if wishes else pools


def unavailable(devices: str, pools: ClusterPools) -> Iterator[tuple[str, Reason]]:
    """Why pods do not get their devices on nodes, or may not, by the address of the pool."""
    for pool in pools.static:
        offered = (pool.offers or {}).get(devices, UNKNOWN_AMOUNT)
        if offered.most is not None and offered.most < 1000:  # noqa: PLR2004
            message = "no free devices of the node satisfy the resource claims of the pod"
            yield pool.address, Reason(Kind.RESOURCES, message, subject="free devices for its claims")
        elif offered.least < 1000:  # noqa: PLR2004
            what = "nodes that are added have devices once their driver publishes them" if pool.names is None else "its devices are not certain"
            message = f"the pod has resource claims: {what}, and the ResourceSlices of {'such a' if pool.names is None else 'the'} node decide"
            yield pool.address, Reason(Kind.RESOURCES, message, verdict=Verdict.UNKNOWN)


def read_devices(by_kind: Mapping[str, Sequence[_Raw]]) -> DeviceObjects:
    """Reads raw ResourceSlices, DeviceClasses, claims and templates.

    Raises:
        PodError: one of them is not valid; the message says where and why.
    """
    claims = {("resourceClaimName", place_of(raw)): _claim(raw, Part((), raw).part("spec")) for raw in by_kind.get("ResourceClaim", ())}
    templates = by_kind.get("ResourceClaimTemplate", ())
    claims |= {("resourceClaimTemplateName", place_of(raw)): _claim(raw, Part((), raw).part("spec", "spec")) for raw in templates}
    slices = by_kind.get("ResourceSlice", ())
    tainted = [_tainted(mapping(raw, "spec")) for raw in by_kind.get("DeviceTaintRule", ())]
    nodes = frozenset(name for raw in slices if (name := text(mapping(raw, "spec").get("nodeName"), "nodeName")))
    return DeviceObjects(tuple(_devices(slices, tainted)), dict(map(_class, by_kind.get("DeviceClass", ()))), claims, nodes)


def _tainted(rule: _Raw) -> tuple[str, str, str] | None:
    """The devices that a DeviceTaintRule taints; an empty text is any, `None` none. Source: Kubernetes 1.37."""
    selector, effect = mapping(rule, "deviceSelector"), text(mapping(rule, "taint").get("effect"), "effect")
    driver, pool, device = (text(selector.get(name), name) for name in ("driver", "pool", "device"))
    return None if effect == "None" or rule.get("deviceSelector") is None else (driver, pool, device)


def _devices(slices: Sequence[_Raw], tainted: Sequence[tuple[str, str, str] | None]) -> Iterator[_Device]:
    by_pool: dict[tuple[str, str], list[tuple[int, int, _Raw]]] = {}
    for raw in slices:
        spec = mapping(raw, "spec")
        pool = mapping(spec, "pool")
        key = text(spec.get("driver"), "driver"), text(pool.get("name"), "name")
        counts = (number(pool.get(name) or 0, name) for name in ("generation", "resourceSliceCount"))
        by_pool.setdefault(key, []).append((*counts, spec))  # pyright: ignore[reportArgumentType]  # two numbers
    for key, found in by_pool.items():
        newest = max(generation for generation, _, _ in found)
        current = [(count, spec) for generation, count, spec in found if generation == newest]
        is_complete = all(count == len(current) for count, _ in current)
        for _, spec in current:
            for raw in entries(spec, "devices"):
                own = *key, text(raw.get("name"), "name")
                taints = [rule for rule in tainted if rule and all(of in ("", name) for of, name in zip(rule, own, strict=True))]
                device = {**raw, **mapping(raw, "basic"), **({"taints": taints} if taints else {})}  # `basic`: in resource.k8s.io/v1beta1
                try:
                    yield _device(own, device, device if spec.get("perDeviceNodeSelection") else spec, is_complete)
                except (EvaluationError, NotCheckedError) as wrong:
                    raise PodError(f"device `{raw.get('name')}` has an invalid attribute or capacity: {wrong}") from None


def _device(key: _Key, raw: _Raw, at: _Raw, is_complete: bool) -> _Device:  # noqa: FBT001
    attributes, capacity = _Domains(), _Domains()
    for kind, name, value in _values_of(raw):
        of, _, own = name.rpartition("/")
        into = capacity if kind == "value" else attributes
        cast("dict[str, object]", into.setdefault(of or key[0], {}))[own] = value
    view = {**_OF_ANOTHER, "driver": key[0], "attributes": attributes, "capacity": capacity}
    is_whole = is_complete and not any(raw.get(name) for name in _PARTS)
    return _Device(key, {**view, "allowMultipleAllocations": raw.get("allowMultipleAllocations") is True}, at, _terms(at) or (), is_whole)


def _values_of(raw: _Raw) -> Iterator[tuple[str, str, object]]:
    """The attributes and capacities: the type, the name and the value. One of a type that is not known here is not there: selectors then fail."""
    for name in mapping(raw, "attributes"):
        for kind, value in mapping(mapping(raw, "attributes"), name).items():
            if kind in ("string", "bool", "int"):
                yield kind, name, value
            elif kind == "version":
                yield kind, name, _program("semver(device)").evaluate({"device": value}, Meter())
    for name in mapping(raw, "capacity"):
        value = mapping(mapping(raw, "capacity"), name).get("value")
        yield "value", name, _program("quantity(device)").evaluate({"device": "0" if value is None else str(value)}, Meter())


def _class(raw: _Raw) -> tuple[str, tuple[str, ...]]:
    spec = Part((), raw).part("spec")
    _refuse(raw, _invalid_selectors(spec))
    return place_of(raw)[1], _selectors(spec.raw)


def _selectors(raw: _Raw) -> tuple[str, ...]:
    return tuple(text(mapping(one, "cel").get("expression"), "expression") for one in entries(raw, "selectors"))


def _claim(raw: _Raw, spec: Part) -> _Claim:
    devices = spec.part("devices")
    _refuse(raw, _invalid_devices(devices))
    status = mapping(raw, "status")
    allocation = mapping(status, "allocation")
    results = entries(mapping(allocation, "devices"), "results")
    keys = frozenset(tuple(text(one.get(name), name) for name in ("driver", "pool", "device")) for one in results if not one.get("adminAccess"))
    constraints = entries(devices.raw, "constraints")
    users = {(place_of(raw)[0], text(one.get("name"), "name")) for one in entries(status, "reservedFor")} if status else set[Place]()
    return _Claim(
        tuple(tuple(_asks(request)) for request in devices.each("requests")),
        tuple(
            (frozenset(texts(one, "requests")), text(one.get("matchAttribute"), "matchAttribute")) for one in constraints if "matchAttribute" in one
        ),
        all("matchAttribute" in one for one in constraints) and mapping(raw, "metadata").get("deletionTimestamp") is None,
        cast("frozenset[_Key]", keys) if allocation else None,
        _terms(allocation),
        frozenset(users),
    )


def _alternatives(request: Part) -> list[Part]:
    """What a request asks for; before resource.k8s.io/v1beta2, one that has no alternatives has its fields itself."""
    if request.has("firstAvailable"):
        return request.each("firstAvailable")
    return [request.part("exactly") if request.has("exactly") else request]


def _asks(request: Part) -> Iterator[_Ask]:
    for one in _alternatives(request):
        names = frozenset({request.text("name"), f"{request.text('name')}/{one.text('name')}"})
        many = 0 if one.text("allocationMode") == "All" else one.number("count") or 1
        is_admin, is_clear = flag(one.raw, "adminAccess"), not one.has("capacity")
        yield _Ask(names, one.text("deviceClassName"), _selectors(one.raw), many, is_admin, is_clear)


def _refuse(raw: _Raw, found: Iterable[InvalidField]) -> None:
    if wrong := list(found):
        raise InvalidWorkloadError(f"{raw.get('kind')}/{place_of(raw)[1]}", wrong)


def _invalid_devices(devices: Part) -> Iterator[InvalidField]:
    known: set[str] = set()
    for request in devices.each("requests"):
        yield from request.named("name", LABEL, LABEL_LENGTH)
        if request.text("name") in known:
            yield request.wrong(f"must be unique, but another request has `{request.text('name')}` too", "name")
        if request.has("firstAvailable") and request.has("exactly"):
            yield request.wrong("must have one of `exactly` and `firstAvailable`")
        known |= {name for ask in _asks(request) for name in ask.names}
        for one in _alternatives(request):
            yield from _invalid_ask(one)
            yield from one.named("name", LABEL, LABEL_LENGTH) if request.has("firstAvailable") else ()
    for constraint in devices.each("constraints"):
        wrong = [name for name in texts(constraint.raw, "requests") if name not in known]
        yield from (constraint.wrong(f"must be names of `requests`, but has `{name}`", "requests") for name in wrong)
        attribute = constraint.text("matchAttribute")
        if not (constraint.has("matchAttribute") or constraint.has("distinctAttribute")):
            yield constraint.wrong("is required", "matchAttribute")
        domain, _, name = attribute.partition("/")
        if constraint.has("matchAttribute") and not (domain and ("/" in name or _IDENTIFIER.fullmatch(name))):
            yield constraint.wrong(f"must be a domain and a name, such as `gpu.example.com/model`, but is `{attribute}`", "matchAttribute")


def _invalid_ask(one: Part) -> Iterator[InvalidField]:
    yield from one.named("deviceClassName", SUBDOMAIN, SUBDOMAIN_LENGTH)
    yield from one.one_of("allocationMode", ("ExactCount", "All"), "ExactCount")
    count, is_all = one.number("count"), one.text("allocationMode") == "All"
    if count and (count < 0 or is_all):
        yield one.wrong(f"must be {'not set with `allocationMode: All`' if is_all else '1 or more'}, but is `{count}`", "count")
    yield from _invalid_selectors(one)


def _invalid_selectors(of: Part) -> Iterator[InvalidField]:
    for selector in of.each("selectors"):
        expression = selector.part("cel").text("expression")
        try:
            _program(expression)
        except RuleSyntaxError as wrong:
            yield selector.wrong(f"is not an expression of CEL: {wrong}" if expression else "is required", "cel", "expression")
        except NotCheckedError:
            continue  # what is unknown here can be known to the API server
