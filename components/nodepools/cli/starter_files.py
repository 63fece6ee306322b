"""The files of a new project: layers of templates, of which later ones replace files of earlier ones."""

import json
import re
from base64 import urlsafe_b64encode
from collections.abc import Iterable, Mapping
from enum import StrEnum
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast
from urllib.parse import urlsplit

from nodepools.model.values import dataclass

if TYPE_CHECKING:
    from importlib.metadata import Distribution

_TEMPLATES: Final = Path(__file__).with_name("starter")
_STACKS: Final = "stacks"
_YAML: Final = "yaml"
"""The folder of platforms as files, in parts."""
_SUFFIX: Final = ".template"
"""With it, a template is not a module of this package, nor its settings those of this repository."""
_PLACEHOLDER: Final = re.compile(r"@(project|nodepools|source|vendored|suffix|derived)@")


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


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a new project gets nodepools from: an index, an address, or a wheel in the project, if only this machine has the source."""

    source: str
    """What follows `nodepools[…]` in its requirements: `==1.2.0`, or ` @ ` and an address."""
    wheel: str = ""
    """The name of the wheel in `vendor`."""
    content: bytes = b""

    @property
    def values(self) -> Mapping[str, str]:
        """The placeholders of the requirements."""
        told = (
            f" `vendor` has the wheel of the installation that wrote this project, sha256 {sha256(self.content).hexdigest()}." if self.wheel else ""
        )
        return {"nodepools": f"./vendor/{self.wheel}" if self.wheel else "nodepools", "source": self.source, "vendored": told}

    @property
    def files(self) -> Mapping[Path, bytes]:
        """What it adds to the project."""
        return {Path("vendor", self.wheel): self.content} if self.wheel else {}


def project_files(name: str, cloud: Cloud, ci: Ci | None, origin: Origin, *, yaml: bool = False) -> dict[Path, str]:
    """Returns the text of each file of a project called `name`. With `yaml`, its stacks are platform files."""
    derived = "" if yaml else "; production is derived from development"
    values = {"project": name, "suffix": "yaml" if yaml else "py", "derived": derived, **origin.values}
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


def own_origin() -> Origin:
    """Where this installation comes from. Of a folder or a wheel of this machine, the project gets a copy, as another machine cannot read it."""
    from importlib.metadata import PackageNotFoundError, distribution  # half as slow to import as all commands

    try:
        installed = distribution("nodepools")
    except PackageNotFoundError:  # its folder is on the path, and it is not installed
        return Origin("")
    source = _source(installed)
    is_local = urlsplit(source.removeprefix(" @ ")).scheme == "file"
    return Origin("", f"nodepools-{installed.version}-py3-none-any.whl", _wheel(installed)) if is_local else Origin(source)


def _source(installed: "Distribution") -> str:
    recorded = installed.read_text("direct_url.json")
    if recorded is None:
        return f"=={installed.version}"
    direct = cast("Mapping[str, object]", json.loads(recorded))
    version = cast("Mapping[str, str] | None", direct.get("vcs_info"))
    return f" @ {direct['url']}" if version is None else f" @ {version['vcs']}+{direct['url']}@{version['commit_id']}"


_OF_INSTALLATION: Final = frozenset({"RECORD", "INSTALLER", "REQUESTED", "direct_url.json", "uv_cache.json"})
"""Files next to the metadata that an installer writes."""


def _wheel(installed: "Distribution") -> bytes:
    """The wheel of what is installed, also of a folder that is edited: the same bytes for the same files."""
    from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

    package, information = Path(__file__).parents[1], f"nodepools-{installed.version}.dist-info"
    held = [path for path in sorted(package.rglob("*")) if path.is_file() and "__pycache__" not in path.parts]
    parts = {path.relative_to(package.parent).as_posix(): path.read_bytes() for path in held}
    told = [path for path in installed.files or () if path.parts[0] == information and path.name not in _OF_INSTALLATION]
    parts |= {path.as_posix(): path.read_binary() for path in told}
    rows = [f"{name},sha256={urlsafe_b64encode(sha256(part).digest()).decode().rstrip('=')},{len(part)}" for name, part in parts.items()]
    record = f"{information}/RECORD"
    parts[record] = "\n".join([*rows, f"{record},,", ""]).encode()
    with BytesIO() as written:
        with ZipFile(written, "w", ZIP_DEFLATED) as archive:
            for name, part in sorted(parts.items()):
                archive.writestr(ZipInfo(name), part, ZIP_DEFLATED)
        return written.getvalue()
