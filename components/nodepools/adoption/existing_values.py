"""A request with the values that the cloud has. Arguments that are not sent are not compared: the cloud has its own values for them."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final, cast

from nodepools.adoption.proof import FREE, Difference, argument_differences, respelled, with_value, without
from nodepools.changes.drift import canonical
from nodepools.clouds.change import Request
from nodepools.model.ref import SecretValue
from nodepools.model.steps import mapping, sequence
from nodepools.model.unknowns import UNKNOWN
from nodepools.wire.overrides import merge_overrides
from nodepools.wire.table import Written, folded

_KNOWN_LATER: Final = ("output", "its identity", "its kubelet identity", "its NAT gateway", "address of its NAT gateway")
"""What stands for a value that only `pulumi up` knows."""
_OWN_SUBNET: Final = "subnet of "
_VERSIONS: Final = ("kubernetes_version", "orchestrator_version")
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
    if name in _VERSIONS:
        return str(one.existing).startswith(f"{one.sent}.")
    if name in _LAST_NAMES and isinstance(one.sent, str) and isinstance(one.existing, str):
        return f"/{one.existing}".lower().endswith(f"/{one.sent.removeprefix('/')}".lower())
    free = any(step in FREE for step in one.path)
    return canonical(_text(_parsed(one.sent), free=free)) == canonical(_text(_parsed(_existing_value(one)), free=free))


def is_known_later(value: object) -> bool:
    """Only `pulumi up` knows the value, or it is a secret, which the clouds do not return."""
    if isinstance(value, str):
        return value in _KNOWN_LATER or value.startswith(_OWN_SUBNET)
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
