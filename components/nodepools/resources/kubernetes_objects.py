"""Reads Karpenter objects of any program into the model, as far as they are known."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, TypeVar, cast

from nodepools.manifests.manifest_objects import ManifestObject
from nodepools.manifests.supported_kinds import Cloud, Out, form_of, holds, pool_form, sorted_out
from nodepools.model.aks.cluster import AksNodeClass
from nodepools.model.base import FrozenDict, Model
from nodepools.model.eks.node_class import EksNodeClass
from nodepools.model.karpenter import NodePool
from nodepools.model.steps import mapping, scalars
from nodepools.model.unknowns import UNKNOWN, assembled
from nodepools.model.values import dataclass, replace
from nodepools.resources.resource import Resource, Secret, manifest_of, name_of
from nodepools.resources.source_map import SourceLocation
from nodepools.rules.engine.finding import Finding, Severity
from nodepools.wire.karpenter import EKS_NODE_CLASS

P = TypeVar("P", bound=Model)

_REFERENCE: Final = ("spec", "template", "spec", "nodeClassRef", "group")
_NOT_OURS: Final = "OBJ003"
_UNKNOWN_FIELD: Final = "CFG002"


@dataclass(slots=True)
class _Nowhere:
    """The position of an object that is not in a file."""

    line: int = 0
    column: int = 0


_NOWHERE: Final = _Nowhere()


@dataclass(frozen=True, slots=True)
class Object:
    """A Karpenter object as a part of the model."""

    resource: Resource
    cloud: Cloud | None
    """`None` for a NodePool whose node class, and therefore whose cloud, is unknown."""
    name: str
    """The name of the object; the URN if the name is unknown."""
    model: NodePool | EksNodeClass | AksNodeClass | None
    rejected: Sequence[Finding]
    """The findings that the API server is guaranteed to reject, in the terms of the object."""
    is_pool: bool
    named: bool

    def place(self, *steps: str) -> SourceLocation:
        """Returns the location of the object, which is at `steps` of the model."""
        table = form_of(self.cloud if self.cloud is not None else Cloud.EKS, is_pool=self.is_pool).table
        return SourceLocation(steps, self.resource.urn, table, ("spec",), is_object=True, named=self.named)


def read_object(resource: Resource) -> Object:
    """Returns the object that `resource` creates."""
    manifest = manifest_of(resource)
    name = name_of(manifest)
    is_pool = manifest.get("kind") == "NodePool"
    made = Object(resource, None, name if name is not None else resource.urn, None, (), is_pool=is_pool, named=name is not None)
    if manifest.get("spec") is UNKNOWN:
        return made
    group = _at(manifest, _REFERENCE)
    if is_pool and manifest.get("apiVersion") == "karpenter.sh/v1" and (group is None or group is UNKNOWN):
        model, findings = pool_form(NodePool, EKS_NODE_CLASS).known(manifest)
        return replace(made, model=model, rejected=_certain(finding for finding in findings if not _of_the_class(finding, known=group is None)))
    cloud = sorted_out(ManifestObject("", cast("Mapping[str, object]", _shown(manifest)), _NOWHERE, {}))
    if isinstance(cloud, Out):
        return replace(made, rejected=[finding for finding in cloud.findings if finding.code != _NOT_OURS])
    model, findings = form_of(cloud, is_pool=is_pool).known(manifest)
    return replace(made, cloud=cloud, model=model, rejected=_certain(findings))


def with_objects(parent: P, objects: Iterable[Object], *steps: str) -> tuple[P, list[SourceLocation]]:
    """Returns `parent`, which is at `steps` of the model, with the readable objects of its cloud, and the location of each of them."""
    readable = [obj for obj in objects if obj.cloud is not None and obj.model is not None and holds(parent, obj.cloud)]
    pools = FrozenDict({obj.name: obj.model for obj in readable if obj.is_pool})
    classes = FrozenDict({obj.name: obj.model for obj in readable if not obj.is_pool})
    places = [obj.place(*steps, "node_pools" if obj.is_pool else "node_classes", obj.name) for obj in readable]
    return assembled(parent, node_pools=pools, node_classes=classes), places


def _of_the_class(finding: Finding, *, known: bool) -> bool:
    """Tells whether the finding is about a node class of an unknown cloud: its right kind is then unknown, and the finding can be wrong."""
    return "nodeClassRef" in finding.steps and (not known or finding.steps[-1] in ("kind", "name"))


def _certain(findings: Iterable[Finding]) -> list[Finding]:
    """Returns the findings without unknown fields, which can be new ones.

    An unknown field is reported only with a mechanical fix: its name is close to a known one, or belongs to another provider.
    """
    return [
        finding if finding.code != _UNKNOWN_FIELD else replace(finding, severity=Severity.WARNING)
        for finding in findings
        if finding.code != _UNKNOWN_FIELD or (finding.fix is not None and finding.fix.operations)
    ]


def _shown(value: object) -> object:
    """Returns the value with a placeholder text for unknown values, which no object contains otherwise."""
    if isinstance(value, Mapping):
        return {name: _shown(part) for name, part in cast("Mapping[str, object]", value).items()}
    if isinstance(value, list | tuple):
        return [_shown(part) for part in cast("Sequence[object]", value)]
    return "(not known yet)" if value is UNKNOWN else value


def _at(value: object, steps: Sequence[str]) -> object:
    if not steps or not isinstance(value, Mapping):
        return value
    return _at(cast("Mapping[str, object]", value).get(steps[0]), steps[1:])


def terraform_manifest(values: Mapping[str, object]) -> Mapping[str, object] | None:
    """The object of a manifest of Terraform, also as text, in which what the provider hides is secret; `None` if that is more than a value."""
    body, shown = values.get("yaml_body"), _object(values.get("yaml_body_parsed"))
    given = _object(values.get("manifest", body.value if isinstance(body, Secret) else body))
    made = _concealed(given if given is not None else shown, shown)
    found = cast("Mapping[str, object]", made) if isinstance(made, Mapping) and made else None
    return found if found is not None and all(_is_value(one) for _, one in scalars(found)) else None


_CONCEALED: Final = "(sensitive value)"
"""What provider kubectl has in `yaml_body_parsed` instead of `sensitive_fields`."""


def _is_value(value: object) -> bool:
    """It is not a secret with something inside, which no row has."""
    return not isinstance(value, Secret) or (value.value != _CONCEALED and not isinstance(value.value, Mapping | list))


def _concealed(value: object, shown: object) -> object:
    """A value with what the provider hides as secrets: fields, by their paths."""
    if shown == _CONCEALED:
        return Secret(value)
    inside = mapping(value)
    return {name: _concealed(one, mapping(shown).get(name)) for name, one in inside.items()} if inside else value


def _object(held: object) -> Mapping[str, object] | None:
    """A mapping, or the only one of a text in YAML."""
    if isinstance(held, Mapping):
        return cast("Mapping[str, object]", held)
    if not isinstance(held, str):
        return None
    from nodepools.reading.bounded_input import TextError
    from nodepools.reading.yaml_documents import documents  # only these manifests need PyYAML

    try:
        read = [document.value for document in documents(held, "yaml_body")]
    except TextError:
        return None
    return mapping(read[0]) if len(read) == 1 else None
