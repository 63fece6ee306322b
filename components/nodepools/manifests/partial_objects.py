"""Reads objects of files into the model, each as far as it is valid."""

from dataclasses import dataclass
from typing import Final, TypeAlias

from nodepools.manifests.built_in import is_of_the_cloud
from nodepools.manifests.manifest_objects import ManifestObject
from nodepools.manifests.object_forms import form_of
from nodepools.manifests.object_reader import Known
from nodepools.manifests.supported_kinds import Cloud, Out, classless_pool_in, sorted_out
from nodepools.model.aks.node_provisioning import AksNodeClass, AksNodePool
from nodepools.model.eks.auto_mode import EksNodePool
from nodepools.model.eks.ec2_node_class import Ec2NodeClass
from nodepools.model.eks.node_class import EksNodeClass
from nodepools.model.karpenter import NodePool
from nodepools.rules.engine.finding import Finding
from nodepools.wire.table import Table

Readable: TypeAlias = NodePool | EksNodePool | AksNodePool | EksNodeClass | AksNodeClass | Ec2NodeClass

_NAMELESS: Final = "object"
"""The placeholder name of an object without a name; no finding is about it."""


@dataclass(frozen=True, slots=True)
class Read:
    """An object in the model, as far as it is valid."""

    written: ManifestObject
    cloud: Cloud | None
    """`None` for a NodePool whose node class has an unknown cloud."""
    name: str
    model: Readable
    is_named: bool
    """The object has a name."""
    is_whole: bool
    """No field of the object is invalid."""

    @property
    def is_pool(self) -> bool:
        """The object is a NodePool, not a node class."""
        return isinstance(self.model, NodePool)

    @property
    def table(self) -> Table:
        """The table of the object's spelling."""
        return form_of(self.cloud if self.cloud is not None else Cloud.EKS, is_pool=self.is_pool).table

    @property
    def is_of_the_cloud(self) -> bool:
        """The cloud created the object, which was printed from a cluster."""
        return self.cloud is not None and is_of_the_cloud(self.written, self.cloud)


def read_object(written: ManifestObject) -> tuple[Read | None, tuple[Finding, ...]]:
    """Reads an object into the model, and returns it with the findings about its invalid fields.

    The object is `None` if its kind is not checked, or nothing valid is left to check.
    """
    cloud = sorted_out(written)
    if not isinstance(cloud, Out):
        return _read(written, cloud, ())
    if cloud.is_classless:
        return _made(written, None, classless_pool_in(written.raw), cloud.findings)
    return _read(written, cloud.like, cloud.findings) if cloud.like is not None else (None, cloud.findings)


def _read(written: ManifestObject, cloud: Cloud, reported: tuple[Finding, ...]) -> tuple[Read | None, tuple[Finding, ...]]:
    return _made(written, cloud, form_of(cloud, is_pool=written.kind == "NodePool").read(written.raw), reported)


def _made(
    written: ManifestObject, cloud: Cloud | None, known: Known[Readable], reported: tuple[Finding, ...]
) -> tuple[Read | None, tuple[Finding, ...]]:
    """Returns the object with its findings. The schema does not repeat those about the kind, which are `reported` already."""
    paths = {finding.path for finding in reported}
    findings = (*reported, *(finding for finding in known.findings if finding.path not in paths))
    if known.model is None:
        return None, findings
    name = known.name if known.name is not None else _NAMELESS
    return Read(written, cloud, name, known.model, known.name is not None, known.is_whole), findings
