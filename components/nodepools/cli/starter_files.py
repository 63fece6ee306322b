"""The files of a new project: layers of templates, of which later ones replace files of earlier ones."""

import json
import re
from collections.abc import Iterable, Mapping
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from importlib.metadata import Distribution

_TEMPLATES: Final = Path(__file__).with_name("starter")
_STACKS: Final = "stacks"
_YAML: Final = "yaml"
"""The folder of platforms as files, in parts."""
_SUFFIX: Final = ".template"
"""With it, a template is not a module of this package, nor its settings those of this repository."""
_PLACEHOLDER: Final = re.compile(r"@(project|source|suffix|derived)@")


class Cloud(StrEnum):
    """The clouds of a new project."""

    AKS = "aks"
    EKS = "eks"
    BOTH = "both"


class Ci(StrEnum):
    """Services that run the checks of a new project."""

    GITHUB = "github"
    GITLAB = "gitlab"


_LAYERS: Final[Mapping[Cloud, tuple[str, ...]]] = {Cloud.AKS: ("aks",), Cloud.EKS: ("eks",), Cloud.BOTH: ("aks", "eks", "both")}


def project_files(name: str, cloud: Cloud, ci: Ci | None, source: str, *, yaml: bool = False) -> dict[Path, str]:
    """Returns the text of each file of a project called `name`. `source` is what follows `nodepools[…]` in its requirements.

    With `yaml`, its stacks are platform files.
    """
    derived = "" if yaml else "; production is derived from development"
    values = {"project": name, "source": source, "suffix": "yaml" if yaml else "py", "derived": derived}
    layers = ("project", *_LAYERS[cloud], *([ci.value] if ci is not None else []))
    texts = {path: text for layer in layers for path, text in _layer(_TEMPLATES / layer)}
    if yaml:
        texts = {path: text for path, text in texts.items() if path.parts[0] != _STACKS} | dict(_platform_files(cloud))
    return {path: _PLACEHOLDER.sub(lambda found: values[found[1]], text) for path, text in texts.items()}


def _platform_files(cloud: Cloud) -> Iterable[tuple[Path, str]]:
    """The platform of each stack: what both clouds have, and a cluster in each."""
    parts = {path.stem: text for path, text in _layer(_TEMPLATES / _YAML)}
    for stack in ("dev", "prod"):
        names = [stack, *(f"{stack}-{layer}" for layer in _LAYERS[cloud] if layer != Cloud.BOTH)]
        yield Path(_STACKS, f"{stack}.yaml"), "".join(parts[name] for name in names)


def _layer(folder: Path) -> Iterable[tuple[Path, str]]:
    for file in sorted(folder.rglob(f"*{_SUFFIX}")):
        yield file.relative_to(folder).with_name(file.name.removesuffix(_SUFFIX)), file.read_text(encoding="utf-8")


def own_source() -> str:
    """Where this installation comes from, as requirements write it: `==1.2.0` from an index, otherwise ` @ ` and an address."""
    from importlib.metadata import PackageNotFoundError, distribution  # half as slow to import as all commands

    try:
        return _source(distribution("nodepools"))
    except PackageNotFoundError:  # its folder is on the path, and it is not installed
        return ""


def is_local(source: str) -> bool:
    """Whether only this machine can install from there."""
    return urlsplit(source.removeprefix(" @ ")).scheme == "file"


def _source(installed: "Distribution") -> str:
    recorded = installed.read_text("direct_url.json")
    if recorded is None:
        return f"=={installed.version}"
    direct = cast("Mapping[str, object]", json.loads(recorded))
    version = cast("Mapping[str, str] | None", direct.get("vcs_info"))
    return f" @ {direct['url']}" if version is None else f" @ {version['vcs']}+{direct['url']}@{version['commit_id']}"
