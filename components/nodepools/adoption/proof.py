"""The proof: the arguments that a declaration sends, against what exists, path by path.

Whether a request without add-ons keeps them is not documented, so all are declared: by their fields, or by `overrides`. Arguments that are not sent
are not compared: the cloud has its own values for them.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias, cast

from nodepools.changes.drift import canonical
from nodepools.changes.platform_changes import requests_of
from nodepools.clouds.aks.existing import ExistingAksCluster
from nodepools.clouds.change import AKS_NODE_CLASS, CLUSTER, MAINTENANCE, NEW_KEY, NODE_POOL, POOL, Request
from nodepools.clouds.existing_objects import ObjectExport
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.maintenance import CONFIGURATIONS
from nodepools.model.aks.services import AksServices
from nodepools.model.platform import Platform
from nodepools.model.ref import SecretValue
from nodepools.model.steps import mapping, sequence
from nodepools.model.unknowns import UNKNOWN
from nodepools.model.values import dataclass, replace
from nodepools.wire.aks.cluster_context import STANDALONE
from nodepools.wire.aks.services import SERVICES
from nodepools.wire.overrides import merge_overrides
from nodepools.wire.reading import write
from nodepools.wire.table import Table, Written, folded, python_name

Tree: TypeAlias = Mapping[str, object]
Branch: TypeAlias = tuple[str, ...]


def paths(tree: Tree) -> Iterator[Branch]:
    """Every path, the innermost ones first."""
    for name, value in tree.items():
        if isinstance(value, Mapping):
            yield from ((name, *below) for below in paths(cast("Tree", value)))
        yield (name,)


def values(tree: Tree) -> Iterator[Branch]:
    """The path of every value that is not a mapping of others."""
    for name, value in tree.items():
        if isinstance(value, Mapping) and value:
            yield from ((name, *below) for below in values(cast("Tree", value)))
        else:
            yield (name,)


def without(tree: Tree, path: Branch) -> dict[str, object]:
    """`tree` without the entry at `path`."""
    first, *rest = path
    if not rest:
        return {name: value for name, value in tree.items() if name != first}
    inner = tree.get(first)
    return {**tree, first: without(cast("Tree", inner), tuple(rest))} if isinstance(inner, Mapping) else dict(tree)


def with_value(tree: Tree, path: Branch, value: object) -> dict[str, object]:
    """`tree` with `value` at `path`."""
    first, *rest = path
    if not rest:
        return {**tree, first: value}
    inner = tree.get(first)
    return {**tree, first: with_value(cast("Tree", inner) if isinstance(inner, Mapping) else {}, tuple(rest), value)}


def known(tree: Tree) -> dict[str, object]:
    """`tree` without unknown values."""
    inner = {name: known(cast("Tree", value)) if isinstance(value, Mapping) else value for name, value in tree.items()}
    return {name: value for name, value in inner.items() if value is not UNKNOWN}


def platform_of(tree: Tree) -> Platform:
    """The platform that plain data declares.

    Raises:
        DeclarationError: the model rejects a value.
    """
    return Platform(**cast("dict[str, Any]", dict(tree)))


_CREDENTIALS: Final = ("secret", "password", "token", "key")
_FIELDS: Final = {"azurepolicy": "azure_policy", "azureKeyvaultSecretsProvider": "key_vault_provider"}
"""Fields of add-ons. The log agent has none here: its field also creates the resources that collect logs, and those exist."""
_TABLE: Final = Table(*SERVICES)


def add_ons(profile: object) -> dict[str, object]:
    """Add-ons without what only Azure sets, and without values that can be credentials: Azure keeps those."""
    entries = cast("Written", profile).items() if isinstance(profile, Mapping) else ()
    return {name: _add_on(cast("Written", one)) for name, one in entries if isinstance(one, Mapping)}


def _add_on(one: Written) -> dict[str, object]:
    config = one.get("config")
    kept = {key: value for key, value in cast("Written", config).items() if not _is_credential(key, value)} if isinstance(config, Mapping) else {}
    return {"enabled": one.get("enabled"), **({"config": kept} if kept else {})}


def running(profile: Written) -> dict[str, object]:
    """The add-ons that are on: one that is off is not sent, and stays off."""
    return {name: one for name, one in profile.items() if not isinstance(one, Mapping) or cast("Written", one).get("enabled") is not False}


def by_fields(profile: Mapping[str, object], fields: Written) -> tuple[dict[str, object], dict[str, object]]:
    """The fields that send add-ons exactly as they are, and the other add-ons, which `overrides` have."""
    found = {name: field for name, field in _FIELDS.items() if name in profile}
    held = {field: fields[field] for field in found.values() if field in fields}
    sent = cast("Written", write(_TABLE, AksServices.model_validate(held), STANDALONE).get("addonProfiles", {}))
    own = {name for name in found if sent.get(name) == profile[name] or name not in running(profile)}
    rest = {name: one for name, one in profile.items() if name not in own}
    return {field: held[field] for name, field in found.items() if name in own and field in held}, rest


def has_credential(configuration: object) -> bool:
    """A key at some depth names a credential."""
    if isinstance(configuration, Mapping):
        values = cast("Written", configuration).items()
        return any(has_credential(value) or (not isinstance(value, Mapping | list) and _is_credential(key, value)) for key, value in values)
    return isinstance(configuration, list) and any(map(has_credential, cast("list[object]", configuration)))


def _is_credential(key: str, value: object) -> bool:
    return any(part in key.lower() for part in _CREDENTIALS) and str(value).lower() not in ("true", "false")


_IN_CLUSTER: Final = "kubernetes:"
"""How the types of objects inside clusters begin."""


@dataclass(frozen=True, slots=True)
class Difference:
    """An argument that a declaration would send with another value than the cloud has."""

    resource: tuple[str, ...]
    """The part of the declaration whose `overrides` have the argument: `()` for the cluster, `("pools", "web")`."""
    path: tuple[str, ...]
    """Its path in the provider's Python spelling."""
    existing: object
    sent: object
    reason: str = ""
    """Why it is left; empty if nothing explains it."""


@dataclass(frozen=True, slots=True)
class Compared:
    """One resource, and how it differs."""

    request: Request
    import_id: str | None
    """`None` if it does not exist in the cloud, and would be created."""
    differences: tuple[Difference, ...]

    @property
    def is_object(self) -> bool:
        """It is inside the cluster."""
        return self.request.resource.type.startswith(_IN_CLUSTER)


def object_compared(request: Request, name: str, have: ObjectExport | None) -> Compared:
    """An object inside a cluster: fields that are not sent stay."""
    if have is None:
        return Compared(request, None, ())
    return Compared(request, name, tuple(_one_way(request.sent, have.spec, tuple(map(str, request.steps[2:])), ())))


def _one_way(sent: Written, have: Written, resource: Branch, path: Branch) -> Iterator[Difference]:
    for name, value in sent.items():
        there = have.get(name)
        if isinstance(value, Mapping) and isinstance(there, Mapping):
            yield from _one_way(cast("Written", value), cast("Written", there), resource, (*path, name))
        elif not _equal(name, cast("object", value), cast("object", there)):
            yield Difference(resource, (*path, name), cast("object", there), cast("object", value))


def _equal(name: str, sent: object, have: object) -> bool:
    """An object can have a number where text is sent, as in `limits`."""
    if canonical(sent, name) == canonical(have, name) or (sent in ({}, []) and have is None):
        return True
    return isinstance(sent, str) and isinstance(have, int) and sent == str(have)


FREE: Final = frozenset({"node_labels", "tags", "config", "addon_profiles"})
"""Arguments whose keys are not names of arguments."""
_BY_NAME: Final = frozenset({"resource_group_name", "agent_pool_name", "config_name"})
"""Arguments that are in the id."""


def proof(platform: Platform, key: str, existing: ExistingAksCluster) -> list[Compared]:
    """Compares every resource that the declaration registers."""
    cluster = cast("AksClusterArgs", platform.cluster(key))
    return [_compared(request, cluster, existing) for request in requests_of(platform).of_cluster(key)]


def _compared(request: Request, cluster: AksClusterArgs, existing: ExistingAksCluster) -> Compared:
    sent = merge_overrides(respelled(request.sent), request.overrides)
    if request.subject == CLUSTER:
        return Compared(request, str(existing.id), tuple(_of_cluster(sent, cluster, existing)))
    if request.resource.type in (NODE_POOL, AKS_NODE_CLASS):
        name = str(request.steps[-1])
        return object_compared(request, name, existing.named(request.resource.type.rpartition(":")[2], name))
    if request.subject == POOL:
        name = cast("str", cluster.pools[request.key[2]].name)
        have = pool_as_sent(existing.pools[name])
        return Compared(request, f"{existing.id}/agentPools/{name}", tuple(argument_differences(sent, have, request.steps[2:])))
    if request.subject == MAINTENANCE and request.key[2] in existing.configurations:
        name = request.key[2]
        have = existing.configurations[name]
        at = ("maintenance_configurations", CONFIGURATIONS[name])
        return Compared(request, f"{existing.id}/maintenanceConfigurations/{name}", tuple(argument_differences(sent, have, at)))
    return Compared(request, None, ())


def _of_cluster(sent: Mapping[str, object], cluster: AksClusterArgs, existing: ExistingAksCluster) -> Iterator[Difference]:
    own = cast("dict[str, object]", sent["identity"])
    identities = {"user_assigned_identities": [cluster.identity]} if "user_assigned_identities" in own else {}
    rest = {name: value for name, value in sent.items() if name != "agent_pool_profiles"} | {"identity": {**own, **identities}}
    yield from argument_differences(rest, cluster_as_sent(existing))
    if cluster.system_pool is None:
        return
    [first] = cast("Sequence[Written]", sent["agent_pool_profiles"])
    name = str(cluster.system_pool.name)
    inside = merge_overrides(first, cluster.system_pool.overrides)
    yield from argument_differences(inside, {**pool_as_sent(existing.pools[name]), "name": name}, ("system_pool",))


def cluster_as_sent(existing: ExistingAksCluster) -> Written:
    """A cluster with the names of arguments: a request has the ids of identities as a list."""
    identity = existing.described.get("identity")
    have: Written = cast("Written", identity) if isinstance(identity, Mapping) else {}
    ids = have.get("userAssignedIdentities")
    return {
        **existing.described,
        "resourceName": existing.id.name,
        "identity": {**have, "userAssignedIdentities": list(cast("Written", ids)) if isinstance(ids, Mapping) else []},
    }


def pool_as_sent(written: Written) -> Written:
    """A pool with the names of arguments: its export has the type of the resource in `type`."""
    return {**written, "type": written.get("typePropertiesType")}


def respelled(sent: Written) -> dict[str, object]:
    """The arguments in the provider's Python spelling; keys that are data stay as they are."""
    return {python_name(name): _value(python_name(name), value) for name, value in sent.items()}


def _value(name: str, value: object) -> object:
    if isinstance(value, Mapping):
        return dict(cast("Written", value)) if name in FREE else respelled(cast("Written", value))
    if isinstance(value, list | tuple):
        return [_value(name, item) for item in cast("Sequence[object]", value)]
    return value


def argument_differences(sent: Written, have: object, resource: Sequence[object] = (), path: tuple[str, ...] = ()) -> Iterator[Difference]:
    """The arguments that are sent, in the provider's Python spelling, with another value than the cloud has. Others are not compared."""
    written: Written = cast("Written", have) if isinstance(have, Mapping) else {}
    at = tuple(map(str, resource))
    for name, value in sent.items():
        if not path and name in _BY_NAME:
            continue
        here, there = (*path, name), _named(written, name)
        if name in FREE or not isinstance(value, Mapping):
            have_on, sent_on = (running(add_ons(there)), running(cast("Written", value))) if name == "addon_profiles" else (there, value)
            if not _same(sent_on, have_on):
                yield Difference(at, here, there, value)
        elif there is None and not all(inner in (None, {}, [], "") for inner in cast("Written", value).values()):
            yield Difference(at, here, None, cast("object", value))
        elif isinstance(there, Mapping):
            yield from argument_differences(cast("Written", value), cast("object", there), resource, here)


def _named(written: Written, name: str) -> object:
    wanted = folded(name)
    return next((value for key, value in written.items() if folded(key) == wanted), None)


def _same(sent: object, have: object) -> bool:
    if have is None or have in ({}, [], ""):
        return sent is None or sent in ({}, [], "", ())
    if isinstance(sent, Mapping) and isinstance(have, Mapping):
        first, second = cast("Written", sent), cast("Written", have)
        return first.keys() == second.keys() and all(_same(first[key], second[key]) for key in first)
    if isinstance(sent, list | tuple) and isinstance(have, list | tuple):
        ours, theirs = cast("Sequence[object]", sent), cast("Sequence[object]", have)
        return len(ours) == len(theirs) and all(_alike(one, other) for one, other in zip(ours, theirs, strict=True))
    return _scalar(cast("object", sent)) == _scalar(have)


def _alike(sent: object, have: object) -> bool:
    """Two items: a mapping in a list has what is sent, in another spelling of names."""
    if isinstance(sent, Mapping):
        return not list(argument_differences(cast("Written", sent), have, (), ("",)))
    return _same(sent, have)


def _scalar(value: object) -> str:
    """Numbers are numbers or text, depending on the version of the API."""
    return f"{value:g}" if isinstance(value, int | float) and not isinstance(value, bool) else str(value)


_KNOWN_LATER: Final = ("output", "its identity", "its kubelet identity", "its NAT gateway", "address of its NAT gateway")
"""What stands for a value that only `pulumi up` knows."""
_LAST_NAMES: Final = ("vnet_subnet_id", "pod_subnet_id", "role_arn", "node_role_arn", "service_account_role_arn", "policy_arn")
"""References to resources of the same program, of which a declaration has only the name."""


def with_existing(request: Request, have: Written) -> Request:
    """The request with the values of the cloud, where they differ in meaning."""
    whole = merge_overrides(respelled(request.sent), request.overrides)
    scaled = request.sent.get("enableAutoScaling") is True and have.get("enableAutoScaling") is True
    sent, overrides = dict(request.sent), dict(request.overrides)
    for one in argument_differences(whole, have):
        if _means_the_same(one) or (scaled and one.path == ("count",)):
            continue
        value = _existing_value(one)
        if _is_in(overrides, one.path):
            overrides = without(overrides, one.path) if value is None else with_value(overrides, one.path, value)
        else:
            sent = _placed(sent, one.path, value)
    return replace(request, sent=sent, overrides=overrides)


def _existing_value(one: Difference) -> object:
    """What the cloud has. Entries of a mapping that only `pulumi up` knows, and secrets, are as they are sent."""
    existing, sent = one.existing, one.sent
    if not isinstance(existing, Mapping) or not isinstance(sent, Mapping):
        return one.existing
    unknown = {name: value for name, value in mapping(cast("object", sent)).items() if is_known_later(value)}
    return {**mapping(cast("object", existing)), **unknown}


def _means_the_same(one: Difference) -> bool:
    """The cloud has it in another spelling, or it is not known before `pulumi up`."""
    if any(map(is_known_later, (one.sent, *sequence(one.sent)))):
        return True
    name = one.path[-1]
    if name in ("kubernetes_version", "orchestrator_version"):
        return str(one.existing).startswith(f"{one.sent}.")
    if name in _LAST_NAMES and isinstance(one.sent, str) and isinstance(one.existing, str):
        return f"/{one.existing}".lower().endswith(f"/{one.sent.removeprefix('/')}".lower())
    free = any(step in FREE for step in one.path)
    return canonical(_text(_parsed(one.sent), free=free)) == canonical(_text(_parsed(_existing_value(one)), free=free))


def is_known_later(value: object) -> bool:
    """Only `pulumi up` knows the value, or it is a secret, which the clouds do not return."""
    if isinstance(value, str):
        return value in _KNOWN_LATER or value.startswith(("subnet of ", NEW_KEY))
    return value is UNKNOWN or value is None or isinstance(value, SecretValue)


def _parsed(value: object) -> object:
    """The data in a text that is JSON: the settings of an add-on."""
    if not isinstance(value, str) or not value.startswith("{"):
        return value
    try:
        return cast("object", json.loads(value))
    except (ValueError, RecursionError):
        return value


def _text(value: object, *, free: bool) -> object:
    """The clouds ignore case in ids and in their own words, and exports have numbers as text."""
    if isinstance(value, Mapping):
        return {name: _text(part, free=free) for name, part in mapping(cast("object", value)).items()}
    if isinstance(value, list | tuple):
        return [_text(part, free=free) for part in sequence(cast("object", value))]
    if value is None or isinstance(value, bool | SecretValue):
        return value
    return str(value) if free else str(value).lower()


def _is_in(tree: Mapping[str, object], path: tuple[str, ...]) -> bool:
    inner: object = tree
    for name in path:
        if not isinstance(inner, Mapping):
            return True
        if name not in inner:
            return False
        inner = mapping(cast("object", inner))[name]
    return True


def _placed(sent: Mapping[str, object], path: tuple[str, ...], value: object) -> dict[str, object]:
    """`sent` with a value at a path in another spelling; `None` removes it."""
    steps = tuple(_steps(sent, path))
    return without(sent, steps) if value is None else with_value(sent, steps, value)


def _steps(sent: Mapping[str, object], path: tuple[str, ...]) -> Iterator[str]:
    for name in path:
        found = next((own for own in sent if folded(own) == folded(name)), name)
        yield found
        sent = mapping(sent.get(found))
