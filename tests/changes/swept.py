"""Every field of every model with another valid value, found in the models themselves: a new field is in it by itself."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, cast, get_args, get_origin

from pydantic import ValidationError

from nodepools import AksClusterArgs, AksNetworkArgs, AutoMode, EksClusterArgs, ExistingEksNetwork, GpuPool, Platform, SystemPool, WindowsPool
from nodepools.model.aks.agent_pool import AgentPool
from nodepools.model.base import Model
from nodepools.model.platform import AnyCluster
from nodepools.rules.engine.field_annotations import bare, held_models, is_model, kind_of, options
from nodepools.rules.engine.finding import DeclarationError

GIVEN: Final = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Other"
ARN: Final = "arn:aws:iam::111122223333:role/swept"
SIZE: Final = "Standard_D4ds_v5"
Rebuilt = Callable[[object], AnyCluster]
AKS: Final = AksClusterArgs(
    location="westeurope",
    kubernetes_version="1.35",
    network=AksNetworkArgs(cidr="10.10.0.0/16"),
    system_pool=SystemPool(vm_size=SIZE, count=2),
    auto_upgrade="none",
)
NETWORK: Final = ExistingEksNetwork(vpc_id="vpc-1", private_subnet_ids=["subnet-1", "subnet-2"])
EKS: Final = EksClusterArgs(region="us-east-1", kubernetes_version="1.35", network=NETWORK, auto_mode=AutoMode())
CLUSTERS: Final[Sequence[AnyCluster]] = (AKS, EKS)

TEXTS: Final = (
    *("10.77.0.0/17", "fd00:77::/64", "swept", "1.36", "7m", "2h", "03:30", "+03:00", "2036-12-01", "2036-12-01T06:00:00Z"),
    *("60Gi", "42%", "asm-1-31", "mon", "/swept/", "11111111-2222-3333-4444-555555555555", "1000 2000", "444455556666"),
    *("10.78.0.0/17", "04:30", "asm-1-30", "tue", "555566667777", "2036-11-01"),
)
"""Texts of every form; the first that a field accepts is used."""
VALUES: Final[Mapping[str, Sequence[object]]] = {
    "admins": ([{"object_id": "22222222-2222-2222-2222-222222222222"}], [ARN]),
    "allowed_host_ports": ([{"start": 80, "end": 81}],),
    "authorized_ip_ranges": (["203.0.113.0/24"],),
    "count": (3, 5),
    "disruption": ({"consolidate_after": "9m"},),
    "device_plugin": (None,),
    "entra": (None,),
    "ingress_class": (None,),
    "plugin_mode": (None,),
    "storage_class": (None,),
    "timeouts": ({"create": "99m"},),
    "tolerations": ([{"key": "swept", "effect": "NoSchedule"}],),
    "end": ("2036-12-31", 90),
    "endpoints": (["s3"],),
    "gateway_prefix_size": (28,),
    "image": ("registry/plugin:2",),
    "ip_families": (["IPv4", "IPv6"],),
    "key": ("team",),
    "limits": ({"cpu": "7"},),
    "location": ("northeurope",),
    "must_fit": ([{"kind": "Pod"}],),
    "network_rights": ("subnets",),
    "node_class": (None, "other"),
    "overrides": ({"tags": {"swept": "b"}}, {"weight": 3}),
    "pod_cidr": ("10.88.0.0/16",),
    "pool_subnets": ({"web": "10.10.128.0/20"},),
    "previous": (
        {"kind": "UserPool", "vm_size": "Standard_D16ds_v5"},
        {"kind": "GpuPool", "vm_size": "Standard_D16ds_v5"},
        {"kind": "WindowsPool", "vm_size": "Standard_D16ds_v5"},
        {"kind": "SystemPool", "vm_size": "Standard_D16ds_v5"},
        {"role": ARN},
    ),
    "region": ("us-west-2",),
    "requirements": ([{"key": "kubernetes.io/arch", "operator": "In", "values": ["amd64"]}],),
    "role": ("Contributor", ARN),
    "tz": ("Europe/Paris",),
    "vm_size": ("Standard_D8ds_v5",),
    "zones": ([1], ["us-east-1a", "us-east-1b"]),
}
"""Values of fields by their names, where texts of every form do not do."""
MINIMAL: Final[Mapping[str, Mapping[str, object]]] = {
    "EtcdKey": {"key_id": "https://v.vault.azure.net/keys/k/1", "vault_id": f"{GIVEN}/vaults/v"},
    "KeyVaultProvider": {"vaults": [f"{GIVEN}/vaults/v"]},
    "Requirement": {"key": "kubernetes.io/arch", "operator": "In", "values": ["amd64"], "min_values": 1},
}
"""Parts whose fields restrict each other, or that are nothing without some of them."""
SHARED: Final = (GpuPool, WindowsPool)
"""Classes of which only the fields of their own are swept: the others are those of every agent pool."""


@dataclass(frozen=True)
class Edit:
    """One field with another value."""

    field: str
    """`AksClusterArgs.tags`."""
    path: str
    old: Platform
    new: Platform
    value: object

    def __str__(self) -> str:
        return f"{self.path} → {self.value!r}"


def edits() -> Iterator[Edit]:
    """Each field once with another value and, if that can be, without one."""
    seen: set[str] = set()
    for cluster in CLUSTERS:
        key = kind_of(type(cluster)).lower()
        yield from _of_part(cluster, key, lambda made: cast("AnyCluster", made), seen)


def platform(cluster: AnyCluster) -> Platform:
    return Platform(name="dev", clusters={"one": cluster})


def _of_part(part: Model, path: str, rebuilt: Rebuilt, seen: set[str]) -> Iterator[Edit]:
    kind = type(part)
    if kind.__name__ in seen:
        return
    seen.add(kind.__name__)
    for name, info in kind.model_fields.items():
        if name == "kind" or (kind in SHARED and name in AgentPool.model_fields):
            continue
        place = f"{path}.{name}"

        def whole(value: object, name: str = name) -> AnyCluster:
            return rebuilt(_with(part, name, value))

        made = _another(part, name, info.annotation, whole)
        if made is not None:
            value, cluster = made
            yield Edit(f"{kind.__name__}.{name}", place, platform(rebuilt(part)), platform(cluster), value)
            yield Edit(f"{kind.__name__}.{name}", place, platform(cluster), platform(rebuilt(part)), "back")
        yield from _inside(part, name, info.annotation, place, whole, seen)


def _inside(part: Model, name: str, annotation: object, place: str, whole: Rebuilt, seen: set[str]) -> Iterator[Edit]:
    """The fields of the parts that the field can hold."""
    for held in held_models(annotation):
        if held.__name__ in seen or held is type(part):
            continue
        form, minimal = _form(annotation, held), _minimal(held)
        now = getattr(part, name)
        inner = now if isinstance(now, held) else minimal

        def put(value: object, form: str = form) -> AnyCluster:
            return whole({"swept": value} if form == "mapping" else [value] if form == "list" else value)

        try:
            put(inner)
        except (ValidationError, DeclarationError):
            continue
        yield from _of_part(cast("Model", inner), place, put, seen)


def _with(part: Model, name: str, value: object) -> Model:
    return type(part).model_validate({**{field: getattr(part, field) for field in part.model_fields_set}, name: value})


def _another(part: Model, name: str, annotation: object, whole: Rebuilt) -> tuple[object, AnyCluster] | None:
    now = getattr(part, name)
    for value in _candidates(part, name, annotation):
        try:
            made = _with(part, name, value)
            if getattr(made, name) == now:
                continue
            cluster = whole(value)
            platform(cluster)
        except (ValidationError, DeclarationError, TypeError, ValueError):
            continue
        return value, cluster
    return None


def _candidates(part: Model, name: str, annotation: object) -> Iterator[object]:
    yield from VALUES.get(name, ())
    yield from _of_annotation(annotation, name, getattr(part, name))


def _of_annotation(annotation: object, name: str, now: object = None) -> Iterator[object]:
    for option in map(bare, options(annotation)):
        if option is bool:
            yield not now
        elif get_origin(option) is Literal:
            yield from (word for word in get_args(option) if word != now)
        elif option is int or option is float:
            yield from (now + 1 if isinstance(now, int) else 7, *(10**power for power in range(10)), 0, 3000, 8192, 70000, 90000)
        elif option is str:
            yield from TEXTS
        elif option is object:
            yield from (f"{GIVEN}/{name}/swept", ARN, "swept")
        elif is_model(option):
            yield _minimal(option)
        elif get_origin(option) is Mapping or (isinstance(get_origin(option), type) and issubclass(cast("type", get_origin(option)), Mapping)):
            yield from ({key: value} for key in ("swept", "cpu", 7) for value in _of_annotation(get_args(option)[1], name))
        elif isinstance(get_origin(option), type) and issubclass(cast("type", get_origin(option)), Sequence):
            yield from ([value] for value in _of_annotation(get_args(option)[0], name))


def _form(annotation: object, held: type[Model]) -> str:
    for option in options(annotation):
        if option is held:
            return "one"
        origin = get_origin(option)
        if isinstance(origin, type) and held in set(held_models(option)):
            return "mapping" if issubclass(origin, Mapping) else "list"
    return "one"


def _minimal(kind: type[Model]) -> Any:
    """A part with the fields that it requires."""
    said: dict[str, object] = dict(MINIMAL.get(kind.__name__, {}))
    for name, info in kind.model_fields.items():
        if info.is_required() and name not in said:
            values = [*VALUES.get(name, ()), *_of_annotation(info.annotation, name)]
            said[name] = next((value for value in values if _accepts(kind, name, value)), None)
    try:
        return kind.model_validate(said)
    except ValidationError:
        return None


def _accepts(kind: type[Model], name: str, value: object) -> bool:
    try:
        kind.model_validate({name: value})
    except ValidationError as error:
        return not any(problem["loc"][:1] == (name,) for problem in error.errors())
    return True
