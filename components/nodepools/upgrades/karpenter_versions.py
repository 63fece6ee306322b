"""The Karpenter that people install on AWS, by the image of its controller: the Kubernetes versions that it supports, and removed API versions."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from nodepools.clouds.step import Blocker, Kind, ServerChecks
from nodepools.data.version_support import KARPENTER_SOURCE, SOURCE, Removal, karpenter_versions, minor, short
from nodepools.model.severity import Severity
from nodepools.model.values import dataclass


@dataclass(frozen=True, slots=True)
class UsedApi:
    """An object in an API version that Kubernetes removes."""

    api_version: str
    kind: str
    name: str
    where: str
    """File, line and column."""
    removal: Removal


def api_blockers(used: Iterable[UsedApi], old: str, new: str, checks: ServerChecks) -> Iterator[Blocker]:
    """The objects that the API server rejects from the version `new` on, those first that it accepts before."""
    found = [api for api in used if api.removal.minor <= minor(new)]
    for api in sorted(found, key=lambda api: (api.removal.minor <= minor(old), api.where)):
        is_new = api.removal.minor > minor(old)
        api_text = f"`{api.api_version}` of {api.kind} `{api.name}`"
        removed = f"Kubernetes 1.{api.removal.minor} does not serve {api_text}"
        message = f"{removed if is_new else f'Kubernetes has not served {api_text} since 1.{api.removal.minor}'} ({api.where})"
        if is_new and checks.apis:
            message += f"; if a client called it in the last 12 hours, the cloud rejects the upgrade ({checks.apis})"
        removal = api.removal
        fix = f"Use `apiVersion: {removal.replacement}`" if removal.replacement is not None else f"Remove it: nothing replaces {api.kind}"
        if is_new and checks.apis:
            fix += f", stop the clients that call the old one, and wait 12 hours. Otherwise, {checks.override}"
        yield Blocker(
            kind=Kind.REMOVED_API,
            severity=Severity.ERROR if is_new else Severity.WARNING,
            message=message,
            fix=fix,
            source=SOURCE,
            refusal=checks.apis if is_new else "",
            subject=f"{api.kind}/{api.name}",
        )


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


def installed_before(image: str, number: int) -> bool:
    """The image is of an older version of Karpenter than 1.`number`; without a tag, it is of the newest."""
    one = karpenter_of("", image)
    return one is not None and () < _numbers(one.tag) < (1, number)


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
    return Blocker(kind=Kind.CONTROLLER, severity=severity, message=f"{one.name}: {message}", fix=fix, source=KARPENTER_SOURCE, subject=one.name)
