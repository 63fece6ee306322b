"""Levels and settings of policies: a configuration file overrides the pack, as in Pulumi's engine."""

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final, Protocol, cast

from google.protobuf.json_format import MessageToDict
from pulumi.runtime.proto import analyzer_pb2 as proto

from nodepools.engine.errors import PackError
from nodepools.engine.property_values import JsonValue, struct_of
from nodepools.reading.bounded_input import file_text
from nodepools.reading.limits import TextError

LEVELS: Final = {proto.ADVISORY: "advisory", proto.MANDATORY: "mandatory", proto.REMEDIATE: "remediate", proto.DISABLED: "disabled"}
_NUMBERS: Final = {level: number for number, level in LEVELS.items()}
_LEVEL: Final = "enforcementLevel"
_ALL: Final = "all"


class _Error(Protocol):
    """The attributes of an error that are used, with their types."""

    message: str
    absolute_path: Iterable[object]


class _Validator(Protocol):
    """The methods of a validator that are used, with their types."""

    def iter_errors(self, instance: object) -> Iterable[_Error]: ...


def read_config(file: Path | None) -> Mapping[str, JsonValue]:
    """Reads a file in the format of `pulumi preview --policy-pack-config`, if there is one.

    For each policy, or for `all`, it has a level, or an object with level and settings.

    Raises:
        PackError: the file cannot be read, or does not have this format.
    """
    if file is None:
        return {}
    try:
        text = file_text(file)
        config = cast("object", json.loads(text if text.strip() else "{}"))
    except TextError as error:
        raise PackError(str(error)) from None
    except ValueError as error:
        raise PackError(f"{file}: not JSON: {error}") from None
    except RecursionError:
        raise PackError(f"{file}: is nested too deeply") from None
    if not isinstance(config, dict):
        raise PackError(f"{file}: must be an object with the names of policies as keys")
    findings = [f"{file}: {finding}" for name, entry in cast("Mapping[str, object]", config).items() for finding in _form(name, entry)]
    if findings:
        raise PackError("\n".join(findings))
    return cast("Mapping[str, JsonValue]", config)


def reconciled(
    pack: proto.AnalyzerInfo, config: Mapping[str, JsonValue], everywhere: Mapping[str, JsonValue] | None = None
) -> dict[str, proto.PolicyConfig]:
    """Every policy with its level and settings.

    Later ones override earlier ones: defaults of the pack, settings in `everywhere` that a policy has, initial configuration of the pack, `config`.

    Raises:
        PackError: settings do not match the schema of their policy.
    """
    schemas = {policy.name: cast("Mapping[str, Mapping[str, object]]", MessageToDict(policy.configSchema.properties)) for policy in pack.policies}
    levels = {policy.name: policy.enforcementLevel for policy in pack.policies}
    settings = {name: {key: part["default"] for key, part in schema.items() if "default" in part} for name, schema in schemas.items()}
    for name, schema in schemas.items():
        settings[name] |= {key: everywhere[key] for key in schema if everywhere is not None and key in everywhere}
    initial: dict[str, JsonValue] = {
        name: {_LEVEL: LEVELS[item.enforcementLevel], **cast("Mapping[str, JsonValue]", MessageToDict(item.properties))}
        for name, item in pack.initialConfig.items()
    }
    for source in (initial, config):
        if (level := _level(source.get(_ALL))) is not None:
            levels = dict.fromkeys(levels, _NUMBERS[level])
        for name, entry in source.items():
            if (level := _level(entry)) is not None:
                levels[name] = _NUMBERS[level]
            settings.setdefault(name, {}).update(_settings(entry))
    findings = [finding for policy in pack.policies for finding in _findings(policy, schemas[policy.name], settings[policy.name])]
    if findings:
        raise PackError("\n".join(findings))
    return {name: _made(levels.get(name, proto.ADVISORY), of_policy) for name, of_policy in settings.items()}


def _form(name: str, entry: object) -> Iterator[str]:
    levels = ", ".join(_NUMBERS)
    if not isinstance(entry, str | dict):
        yield f"{name}: must be a level ({levels}), or an object with `{_LEVEL}` and settings"
        return
    level = cast("Mapping[str, object]", entry).get(_LEVEL) if isinstance(entry, dict) else entry
    if level is not None and level not in _NUMBERS:
        yield f"{name}: {level!r} is not a level; use one of {levels}"


def _level(entry: JsonValue) -> str | None:
    level = entry.get(_LEVEL) if isinstance(entry, Mapping) else entry
    return level if isinstance(level, str) else None


def _settings(entry: JsonValue) -> dict[str, object]:
    return {key: value for key, value in entry.items() if key != _LEVEL} if isinstance(entry, Mapping) else {}


def _findings(policy: proto.PolicyInfo, schema: Mapping[str, Mapping[str, object]], settings: Mapping[str, object]) -> Iterator[str]:
    from jsonschema import Draft7Validator  # slow to import, and few previews have a pack

    declaration = {"type": "object", "properties": schema, "required": list(policy.configSchema.required)}
    validator = cast("_Validator", Draft7Validator(declaration))
    for error in validator.iter_errors(settings):
        place = ".".join(str(step) for step in error.absolute_path)
        yield f"{policy.name}: {f'{place}: ' if place else ''}{error.message}"


def _made(level: proto.EnforcementLevel.ValueType, settings: Mapping[str, object]) -> proto.PolicyConfig:
    return proto.PolicyConfig(enforcementLevel=level, properties=struct_of(cast("Mapping[str, JsonValue]", settings)))
