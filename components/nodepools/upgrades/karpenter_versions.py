"""The Karpenter that people install themselves on AWS, recognized by the image of its controller, and the Kubernetes versions that it supports."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from nodepools.clouds.blocker import Blocker, Kind
from nodepools.data.version_support import KARPENTER_SOURCE, karpenter_versions, short
from nodepools.model.severity import Severity

_IMAGE: Final = re.compile(r"(?:(?P<before>.+)/)?karpenter/controller(?::(?P<tag>[^@]+))?(?:@.+)?")
_TAG: Final = re.compile(r"v?([0-9]{1,4})\.([0-9]{1,4})(?:\.([0-9]{1,4}))?(?![0-9.])")
_OF_AZURE: Final = "aks"
"""Azure's images are `aks/karpenter/controller`: those versions have another meaning."""


@dataclass(frozen=True, slots=True)
class InstalledKarpenter:
    """A Deployment of Karpenter's controller."""

    name: str
    """Namespace, kind and name."""
    tag: str
    """The tag of its image; empty if the image has none."""


def karpenter_of(name: str, image: str) -> InstalledKarpenter | None:
    """The Karpenter that an image contains; `None` if it is something else. Mirrored images keep the end of the name."""
    match = _IMAGE.fullmatch(image)
    if match is None or (match["before"] or "").rpartition("/")[2] == _OF_AZURE:
        return None
    return InstalledKarpenter(name, match["tag"] or "")


def karpenter_blockers(found: Iterable[InstalledKarpenter], new: str) -> Iterator[Blocker]:
    """What the versions of Karpenter mean for the version `new` of Kubernetes."""
    least = karpenter_versions().get(short(new))
    needed = () if least is None else _numbers(least)
    for one in found:
        own = _numbers(one.tag)
        if least is None:
            yield _blocker(Severity.NOTE, one, f"it is unknown which Karpenter supports Kubernetes {new}", "Look it up in the compatibility matrix")
        elif not own:
            message = f"its image has no version, and Kubernetes {new} requires Karpenter {least} or newer"
            yield _blocker(Severity.NOTE, one, message, f"Compare the version that runs with {least}")
        elif own < needed:
            message = f"Karpenter {one.tag} does not support Kubernetes {new}, which requires {least} or newer"
            yield _blocker(Severity.WARNING, one, message, f"Upgrade Karpenter to {least} or newer before the control plane")


def _numbers(text: str) -> tuple[int, ...]:
    """The version as numbers; empty if there is none."""
    match = _TAG.match(text)
    return tuple(int(part) for part in match.groups(default="0")) if match else ()


def _blocker(severity: Severity, one: InstalledKarpenter, message: str, fix: str) -> Blocker:
    return Blocker(
        kind=Kind.CONTROLLER,
        severity=severity,
        message=f"{one.name}: {message}",
        fix=fix,
        source=KARPENTER_SOURCE,
        subject=one.name,
    )
