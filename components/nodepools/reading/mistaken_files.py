"""Files that are missing, or something else than what they were given as: what to use instead."""

import json
from collections.abc import Mapping
from errno import EISDIR, ENOENT
from pathlib import Path
from typing import Final

from nodepools.model.nearest import nearest

_SETTINGS: Final = frozenset({"config", "secretsprovider", "encryptionsalt", "encryptedkey", "environment"})
"""The fields of `Pulumi.STACK.yaml`."""


def os_reason(path: Path, error: OSError) -> str:
    """Why a file cannot be opened, and which file can."""
    reason = error.strerror if error.strerror else "cannot be read"
    if error.errno == EISDIR:
        return f"{reason}: name a file in it"
    if error.errno != ENOENT:
        return reason
    try:
        names = sorted(entry.name for entry in path.parent.iterdir())
    except OSError:
        return f"{reason}: there is no folder `{path.parent}`"
    if path.parent.joinpath("stacks", f"{path.name}.py").is_file():
        return f"{reason}: `{path.name}` is a stack: use `--stack {path.name}`"
    near = nearest(path.name, names)
    return f"{reason}: use `{path.with_name(near)}`" if near is not None else reason


def not_an_object(raw: Mapping[str, object], file: str) -> str:
    """Why a mapping is not a Kubernetes object."""
    other = _other(raw, file)
    if other is None and isinstance(raw.get("clusters"), Mapping):
        other = f"is a platform: use `--file {file}`"
    return other if other is not None else "should be a Kubernetes object: it has no kind"


def not_a_platform(raw: Mapping[str, object], file: str) -> str | None:
    """What a mapping is, if it is not a platform."""
    kind = raw.get("kind")
    if isinstance(kind, str) and "apiVersion" in raw and "clusters" not in raw:
        return f"is a Kubernetes manifest ({kind}), not a platform: `nodepools check {file}`"
    return _other(raw, file)


def json_error(text: str, file: str) -> str | None:
    """Where and why the text of a JSON file is not JSON, as a JSON parser states it: parsers of YAML expect other text."""
    if not file.endswith(".json"):
        return None
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        if error.msg == "Extra data":
            return None  # several documents, of which readers say more
        return f"{file}:{error.lineno}:{error.colno}: is not valid JSON: {error.msg}"
    except (ValueError, RecursionError):  # a number or a depth beyond the limits of Python
        return None
    return None


def _other(raw: Mapping[str, object], file: str) -> str | None:
    """A file of Pulumi."""
    if raw and raw.keys() <= _SETTINGS:
        return "has settings of a Pulumi stack: exclude it, such as with `--exclude 'Pulumi.*'`"
    if isinstance(raw.get("runtime"), str | dict) and "clusters" not in raw:
        return "is the project file of Pulumi: exclude it, such as with `--exclude 'Pulumi.*'`"
    return f"is a state of Pulumi: `nodepools diff {file}` compares it" if isinstance(raw.get("deployment"), Mapping) else None
