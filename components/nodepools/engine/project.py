"""Reads `Pulumi.yaml` and `Pulumi.<stack>.yaml`."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from nodepools.engine.errors import EngineError
from nodepools.reading.bounded_input import file_text
from nodepools.reading.limits import TextError
from nodepools.reading.pulumi_scalars import PULUMI
from nodepools.reading.yaml_documents import only_value

PLACEHOLDER = "[secret]"
"""Stands for an encrypted value, which is not decrypted."""


class ProjectError(EngineError):
    """A project or stack file cannot be read. The message is one line."""


@dataclass(frozen=True, slots=True)
class Project:
    """A project with the configuration of one stack. `directory` has the program; keys are full (`aws:region`)."""

    name: str
    directory: Path
    config: Mapping[str, str]
    secret_keys: tuple[str, ...] = ()


def read_project(directory: Path, stack: str) -> Project:
    """Reads the project in `directory`, and the configuration of a stack, which overrides the defaults of the project.

    As in the Pulumi CLI, a stack without a file has no configuration of its own.
    """
    path = directory / "Pulumi.yaml"
    project = _mapping(_read(path), path)
    name = project.get("name")
    if name is None or name == "":
        raise ProjectError(f"{path}: `name` is missing")
    if not isinstance(name, str):
        raise ProjectError(f"{path}: `name` must be text: write it in quotes")
    of_stack = directory / f"Pulumi.{stack}.yaml"
    settings = _mapping(_read(of_stack), of_stack) if of_stack.exists() else {}
    main = project.get("main")
    values: dict[str, tuple[str, bool]] = {}
    for key, value in _section(project, path):
        values.update(_default(_full(key, name), value))
    for key, value in _section(settings, of_stack):
        values[_full(key, name)] = _value(value)
    return Project(
        name=name,
        directory=directory / main if isinstance(main, str) else directory,
        config={key: text for key, (text, _) in sorted(values.items())},
        secret_keys=tuple(sorted(key for key, (_, secret) in values.items() if secret)),
    )


def _default(key: str, value: object) -> dict[str, tuple[str, bool]]:
    """A value of the project file: plain, or a declaration (`type`, `default`, `value`, `secret`), possibly without a value."""
    if not isinstance(value, dict):
        return {key: _value(value)}
    declared = cast("dict[str, object]", value)
    if "secure" in declared:
        return {key: _value(declared)}
    value = declared.get("value", declared.get("default"))
    return {} if value is None else {key: (_text(value), declared.get("secret") is True)}


def _value(value: object) -> tuple[str, bool]:
    """A value as the program reads it, and whether it is secret. An encrypted part makes the whole object secret."""
    hidden = _without_secrets(value)
    return _text(hidden), hidden != value


def _without_secrets(value: object) -> object:
    if isinstance(value, dict):
        parts = cast("dict[str, object]", value)
        return PLACEHOLDER if parts.keys() == {"secure"} else {key: _without_secrets(part) for key, part in parts.items()}
    if isinstance(value, list):
        return [_without_secrets(part) for part in cast("list[object]", value)]
    return value


def _text(value: object) -> str:
    """Configuration values are strings; other values are written as JSON, as the Pulumi CLI does."""
    return value if isinstance(value, str) else json.dumps(value)


def _full(key: str, project: str) -> str:
    return key if ":" in key else f"{project}:{key}"


def _section(file: Mapping[str, object], path: Path) -> Iterator[tuple[str, object]]:
    section = file.get("config")
    yield from ((str(key), value) for key, value in ({} if section is None else _mapping(section, path, "`config`")).items())


def _mapping(value: object, path: Path, what: str = "the file") -> dict[str, object]:
    if not isinstance(value, dict):
        raise ProjectError(f"{path}: {what} is not a mapping")
    return cast("dict[str, object]", value)


def _read(path: Path) -> object:
    try:
        return only_value(file_text(path), str(path), PULUMI)
    except TextError as error:
        raise ProjectError(str(error)) from None
