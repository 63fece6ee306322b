"""The images of self-managed Karpenter during an upgrade.

An alias names an image of EKS for the version of the control plane: nodes drift to the image for the new version, even those of a pinned alias.
An image that is selected by its id stays. Source: https://karpenter.sh/docs/tasks/managing-amis/; karpenter-provider-aws 1.14,
`pkg/providers/amifamily`.
"""

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Final

from nodepools.clouds.eks.steps import AL2, LAST_AL2
from nodepools.clouds.step import Blocker, Kind, Step
from nodepools.data.version_support import minor
from nodepools.model.kubernetes.raw_fields import entries
from nodepools.model.severity import Severity
from nodepools.model.values import dataclass, replace

_SOURCE: Final = "https://karpenter.sh/docs/tasks/managing-amis/"


class Selected(Enum):
    """By what images are selected."""

    LATEST = "the newest image of a family"
    PINNED = "one release of a family"
    IDS = "ids"
    OTHERS = "names, tags or SSM parameters"


@dataclass(frozen=True, slots=True)
class Images:
    """The images of one EC2NodeClass."""

    node_class: str
    by: Selected
    alias: str = ""

    @property
    def family(self) -> str:
        """The family of the alias, in lower case."""
        return self.alias.partition("@")[0].lower()


def images_by_pool(classes: Mapping[str, tuple[str, Mapping[str, object]]]) -> Mapping[str, Images]:
    """The images of NodePools by their names, from name and `spec` of the class of each."""
    return {name: images_of(node_class, entries(spec, "amiSelectorTerms")) for name, (node_class, spec) in classes.items()}


def images_of(node_class: str, terms: Sequence[Mapping[str, object]]) -> Images:
    """What `amiSelectorTerms` select."""
    alias = next((str(term["alias"]) for term in terms if term.get("alias")), "")
    if alias:
        return Images(node_class, Selected.LATEST if alias.endswith("@latest") else Selected.PINNED, alias)
    return Images(node_class, Selected.IDS if terms and all(term.get("id") for term in terms) else Selected.OTHERS)


def with_images(step: Step, images: Images, new: str) -> Step:
    """The step of a NodePool whose nodes have these images."""
    found = _blocker(images, new)
    note = "" if images.by is not Selected.LATEST else f"`{images.alias}` is the image for the new version: nodes drift to it. {step.note}".strip()
    return replace(step, note=note if note else step.note, blocked_by=(*step.blocked_by, *([] if found is None else [found])))


def _blocker(images: Images, new: str) -> Blocker | None:
    if images.family == "al2" and minor(new) > LAST_AL2:
        message = f"EKS publishes no images of Amazon Linux 2 for Kubernetes {new}: EC2NodeClass `{images.node_class}` launches no node"
        return _of(Severity.ERROR, message, "Use an alias of `al2023` with a release, such as `al2023@v20260801`", AL2)
    match images.by:
        case Selected.LATEST:
            return None
        case Selected.PINNED:
            message = f"`{images.alias}` is pinned, and nodes drift to this release for {new}: no node launches if EKS did not publish it for {new}"
            return _of(Severity.NOTE, message, "Compare it with the releases of the image, and pin one that exists for both versions", _SOURCE)
        case Selected.IDS:
            message = f"EC2NodeClass `{images.node_class}` selects images by id: its nodes do not drift, and keep the old version"
            return _of(Severity.WARNING, message, f"Select images for {new} after the control plane has it", _SOURCE)
        case _:
            message = f"EC2NodeClass `{images.node_class}` selects images by name, tags or SSM parameter: which version they have is unknown offline"
            return _of(Severity.NOTE, message, f"Make sure that an image for {new} is selected after the control plane has it", _SOURCE)


def _of(severity: Severity, message: str, fix: str, source: str) -> Blocker:
    return Blocker(kind=Kind.NODE_IMAGE, severity=severity, message=message, fix=fix, source=source)
