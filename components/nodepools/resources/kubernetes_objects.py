"""Objects of Karpenter in any program, read as far as they are known."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeVar, cast

from nodepools.manifests.built_in import holds
from nodepools.manifests.manifest_objects import ManifestObject
from nodepools.manifests.object_forms import form_of
from nodepools.manifests.object_reader import pool_form
from nodepools.manifests.supported_kinds import Cloud, Out, sorted_out
from nodepools.model.aks.node_class import AksNodeClass
from nodepools.model.base import FrozenDict, Model
from nodepools.model.eks.node_class import EksNodeClass
from nodepools.model.karpenter import NodePool
from nodepools.model.unknowns import UNKNOWN, assembled
from nodepools.resources.resource import Resource
from nodepools.resources.resource_kinds import manifest_of, name_of
from nodepools.resources.source_map import SourceLocation
from nodepools.rules.finding import Finding, Severity
from nodepools.wire.karpenter import EKS_NODE_CLASS

H = TypeVar("H", bound=Model)

_REFERENCE: Final = ("spec", "template", "spec", "nodeClassRef", "group")
_SERVED: Final = "karpenter.sh/v1"
_NOT_OURS: Final = "OBJ003"
_UNKNOWN_FIELD: Final = "CFG002"


@dataclass(slots=True)
class _Nowhere:
    """No place in a file."""

    line: int = 0
    column: int = 0


_NOWHERE: Final = _Nowhere()


@dataclass(frozen=True, slots=True)
class Object:
    """An object in the model."""

    resource: Resource
    cloud: Cloud | None
    """`None` for a NodePool whose class, and so whose cloud, is not known."""
    name: str
    """Its name; where that is not known one that nothing else has."""
    model: NodePool | EksNodeClass | AksNodeClass | None
    refused: Sequence[Finding]
    """What is sure to be refused, in the words of the object."""
    is_pool: bool
    named: bool

    def place(self, *steps: str) -> SourceLocation:
        """Where it is, in a model that holds it at `steps`."""
        table = form_of(self.cloud if self.cloud is not None else Cloud.EKS, is_pool=self.is_pool).table
        return SourceLocation(steps, self.resource.urn, table, ("spec",), is_object=True, named=self.named)


def read_object(resource: Resource) -> Object:
    """The object that `resource` is."""
    manifest = manifest_of(resource)
    name = name_of(manifest)
    is_pool = manifest.get("kind") == "NodePool"
    made = Object(resource, None, name if name is not None else resource.urn, None, (), is_pool=is_pool, named=name is not None)
    if manifest.get("spec") is UNKNOWN:
        return made
    group = _at(manifest, _REFERENCE)
    if is_pool and manifest.get("apiVersion") == _SERVED and (group is None or group is UNKNOWN):
        model, findings = pool_form(NodePool, EKS_NODE_CLASS).known(manifest)
        return replace(made, model=model, refused=_certain(finding for finding in findings if not _of_the_class(finding, known=group is None)))
    cloud = sorted_out(ManifestObject("", cast("Mapping[str, object]", _shown(manifest)), _NOWHERE, {}))
    if isinstance(cloud, Out):
        return replace(made, refused=[finding for finding in cloud.findings if finding.code != _NOT_OURS])
    model, findings = form_of(cloud, is_pool=is_pool).known(manifest)
    return replace(made, cloud=cloud, model=model, refused=_certain(findings))


def with_objects(holder: H, objects: Iterable[Object], *steps: str) -> tuple[H, list[SourceLocation]]:
    """`holder`, which is at `steps` of the model, with those of its cloud that can be read; and where each of them is."""
    held = [one for one in objects if one.cloud is not None and one.model is not None and holds(holder, one.cloud)]
    pools = FrozenDict({one.name: one.model for one in held if one.is_pool})
    classes = FrozenDict({one.name: one.model for one in held if not one.is_pool})
    places = [one.place(*steps, "node_pools" if one.is_pool else "node_classes", one.name) for one in held]
    return assembled(holder, node_pools=pools, node_classes=classes), places


def _of_the_class(finding: Finding, *, known: bool) -> bool:
    """It is about a class of which the cloud is not known: there is no right kind then, and perhaps no finding at all."""
    return "nodeClassRef" in finding.steps and (not known or finding.steps[-1] in ("kind", "name"))


def _certain(findings: Iterable[Finding]) -> list[Finding]:
    """A field that we do not know may be new: reported only where the name is nearly right, or of another provider, so that a fix is mechanical."""
    return [
        finding if finding.code != _UNKNOWN_FIELD else replace(finding, severity=Severity.WARNING)
        for finding in findings
        if finding.code != _UNKNOWN_FIELD or (finding.fix is not None and finding.fix.operations)
    ]


def _shown(value: object) -> object:
    """With words for what is not known: no text of a cluster is like them."""
    if isinstance(value, Mapping):
        return {name: _shown(part) for name, part in cast("Mapping[str, object]", value).items()}
    if isinstance(value, list | tuple):
        return [_shown(part) for part in cast("Sequence[object]", value)]
    return "(not known yet)" if value is UNKNOWN else value


def _at(held: object, steps: Sequence[str]) -> object:
    if not steps or not isinstance(held, Mapping):
        return held
    return _at(cast("Mapping[str, object]", held).get(steps[0]), steps[1:])
