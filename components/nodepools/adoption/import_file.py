"""What an adoption writes: import files with the ids that the resources have, and the declaration as typed Python.

Objects inside a cluster are in a second file: the Pulumi CLI writes a state that it cannot read if a provider and its parent are imported together.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from itertools import groupby
from typing import Final, cast

from nodepools.adoption.adopted import Adopted
from nodepools.clouds.change import CLUSTER
from nodepools.model.base import Model
from nodepools.model.kubernetes.raw_fields import mapping
from nodepools.model.platform import Platform
from nodepools.model.ref import SecretValue
from nodepools.public_names import public_path
from nodepools.wire.eks.cluster import kubeconfig

_RELEASE: Final = re.compile(r"\d+\.\d+\.\d+")


def versioned(type_: str) -> dict[str, str]:
    """The entry's `version`, or nothing: the CLI then uses the newest provider."""
    found = _sdk(type_.removeprefix("pulumi:providers:").partition(":")[0])
    return {"version": found} if found is not None else {}


@cache
def _sdk(package: str) -> str | None:
    """The version of an SDK. Prereleases are spelled differently in Python, and are left to the CLI."""
    try:
        found = version(f"pulumi-{package}")
    except PackageNotFoundError:
        return None
    return found if _RELEASE.fullmatch(found) else None


_PROVIDER = "pulumi:providers:kubernetes"


def import_entries(platform: str, adopted: Adopted) -> Iterator[Mapping[str, object]]:
    """Yields the component of the cluster, and each resource outside the cluster that exists.

    The names of the component and of its cluster are equal, so the entry of the cluster has another handle, and its name as `logicalName`.
    """
    parent = f"{platform}-{adopted.key}"
    yield {"type": adopted.component, "name": parent, "component": True}
    for one in adopted.compared:
        resource = one.request.resource
        if one.import_id is None or one.is_object:
            continue
        names = {"name": f"{resource.name}-cluster", "logicalName": resource.name} if one.request.subject == CLUSTER else {"name": resource.name}
        yield {"type": resource.type, **names, "parent": parent, "id": one.import_id, **versioned(resource.type)}


def object_entries(platform: str, adopted: Adopted) -> list[Mapping[str, object]]:
    """The objects inside the cluster that exist, after the provider for them; nothing if there are none."""
    parent = f"{platform}-{adopted.key}"
    provider = f"{parent}-kubernetes"
    objects: list[Mapping[str, object]] = [
        {"type": found.type, "name": found.name, "id": one.import_id, "parent": parent, "provider": provider, **versioned(found.type)}
        for one in adopted.compared
        for found in (one.request.resource,)
        if one.import_id is not None and one.is_object
    ]
    made = {"type": _PROVIDER, "name": provider, "parent": parent, "inputs": _provider_inputs(adopted), **versioned(_PROVIDER)}
    return [made, *objects] if objects else []


def _provider_inputs(adopted: Adopted) -> dict[str, object]:
    """The cluster, and its kubeconfig if it follows from the export. Without one, the provider uses the current context of `kubectl`."""
    described = adopted.existing.described
    authority = mapping(described, "certificateAuthority").get("data")
    made: dict[str, object] = {"clusterIdentifier": adopted.existing.name}
    if isinstance(authority, str) and isinstance(described.get("endpoint"), str):
        region = str(adopted.declared["region"])
        made["kubeconfig"] = kubeconfig(adopted.existing.name, str(described["endpoint"]), authority, region)
    return made


_WIDTH: Final = 110
_STEP: Final = "    "
_IN_CLASS: Final = frozenset({"kind"})
_OVERRIDES: Final = "overrides"
_COMMENT: Final = "# No field has these values: they are sent as the cloud has them, and `None` sends nothing."


def python_text(platform: Platform, title: str) -> str:
    """Returns the module of a stack."""
    names = sorted({public_path(type(part).__name__) for part in _parts(platform)})
    imports = "".join(
        _import(door, [name.rpartition(".")[2] for name in of_door]) for door, of_door in groupby(names, lambda name: name.rpartition(".")[0])
    )
    return f'"""{title}"""\n\n{imports}\nPLATFORM = {_expression(platform, 0)}\n'


def _import(door: str, names: Sequence[str]) -> str:
    line = f"from {door} import {', '.join(names)}\n"
    return line if len(line) <= _WIDTH else "".join([f"from {door} import (\n", *(f"{_STEP}{name},\n" for name in names), ")\n"])


def _parts(value: object) -> Iterator[Model]:
    if isinstance(value, Model):
        yield value
        for name in value.model_fields_set:
            yield from _parts(getattr(value, name))
    elif isinstance(value, Mapping):
        for inner in cast("Mapping[str, object]", value).values():
            yield from _parts(inner)
    elif isinstance(value, list | tuple):
        for inner in cast("Sequence[object]", value):
            yield from _parts(inner)


def _expression(value: object, depth: int) -> str:
    if isinstance(value, SecretValue):
        return "None"  # exports have no secrets; if one has, it is not written
    if isinstance(value, Model):
        fields = [name for name in type(value).model_fields if name in value.model_fields_set and name not in _IN_CLASS]
        entries = [f"{name}={_expression(getattr(value, name), depth + 1)}" for name in fields]
        return _joined(f"{type(value).__name__}(", entries, ")", depth)
    if isinstance(value, Mapping):
        inner = cast("Mapping[str, object]", value)
        return _joined("{", [f"{key!r}: {_expression(item, depth + 1)}".replace("'", '"', 2) for key, item in inner.items()], "}", depth)
    if isinstance(value, list | tuple):
        return _joined("[", [_expression(item, depth + 1) for item in cast("Sequence[object]", value)], "]", depth)
    return _text(value) if isinstance(value, str) else repr(value)


def _joined(start: str, entries: Sequence[str], end: str, depth: int) -> str:
    line = f"{start}{', '.join(entries)}{end}"
    if "\n" not in line and len(line) + depth * len(_STEP) <= _WIDTH and not any(map(_is_override, entries)):
        return line
    inside = _STEP * (depth + 1)
    lines = [f"{inside}{_noted(entry, inside)},\n" for entry in entries]
    return f"{start}\n{''.join(lines)}{_STEP * depth}{end}"


def _is_override(entry: str) -> bool:
    return entry.startswith(f"{_OVERRIDES}=")


def _noted(entry: str, inside: str) -> str:
    return f"{_COMMENT}\n{inside}{entry}" if _is_override(entry) else entry


def _text(value: str) -> str:
    written = repr(value)
    return f'"{written[1:-1]}"' if written.startswith("'") and '"' not in value else written
