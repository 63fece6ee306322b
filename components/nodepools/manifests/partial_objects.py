"""Objects of files in the model, each as far as it is well formed."""

from dataclasses import dataclass
from typing import Final, TypeAlias

from nodepools.manifests.built_in import is_of_the_cloud
from nodepools.manifests.manifest_objects import ManifestObject
from nodepools.manifests.object_forms import form_of
from nodepools.manifests.object_reader import Known
from nodepools.manifests.supported_kinds import Cloud, Out, classless_pool_in, sorted_out
from nodepools.model.aks.node_class import AksNodeClass
from nodepools.model.aks.node_provisioning import AksNodePool
from nodepools.model.eks.auto_mode import EksNodePool
from nodepools.model.eks.node_class import EksNodeClass
from nodepools.model.karpenter import NodePool
from nodepools.rules.finding import Finding
from nodepools.wire.table import Table

Readable: TypeAlias = NodePool | EksNodePool | AksNodePool | EksNodeClass | AksNodeClass

_NAMELESS: Final = "object"
"""Stands for the name that an object has not; nothing is said of it."""


@dataclass(frozen=True, slots=True)
class Read:
    """An object that the model holds, as far as it is well formed."""

    written: ManifestObject
    cloud: Cloud | None
    """`None` for a NodePool that does not say of which cloud its class is."""
    name: str
    model: Readable
    is_named: bool
    """It says its name."""
    is_whole: bool
    """Nothing of it is malformed."""

    @property
    def is_pool(self) -> bool:
        """A NodePool, and no class."""
        return isinstance(self.model, NodePool)

    @property
    def table(self) -> Table:
        """How it is spelled."""
        return form_of(self.cloud if self.cloud is not None else Cloud.EKS, is_pool=self.is_pool).table

    @property
    def is_of_the_cloud(self) -> bool:
        """The cloud made it, and it was printed from a cluster."""
        return self.cloud is not None and is_of_the_cloud(self.written, self.cloud)


def read_object(written: ManifestObject) -> tuple[Read | None, tuple[Finding, ...]]:
    """The object in the model, where it is a matter of ours and leaves anything to judge, and what of it is malformed."""
    cloud = sorted_out(written)
    if not isinstance(cloud, Out):
        return _read(written, cloud, ())
    if cloud.is_classless:
        return _made(written, None, classless_pool_in(written.raw), cloud.findings)
    return _read(written, cloud.like, cloud.findings) if cloud.like is not None else (None, cloud.findings)


def _read(written: ManifestObject, cloud: Cloud, told: tuple[Finding, ...]) -> tuple[Read | None, tuple[Finding, ...]]:
    return _made(written, cloud, form_of(cloud, is_pool=written.kind == "NodePool").read(written.raw), told)


def _made(written: ManifestObject, cloud: Cloud | None, known: Known[Readable], told: tuple[Finding, ...]) -> tuple[Read | None, tuple[Finding, ...]]:
    """What is `told` of the kind of an object is not told again by its schema."""
    paths = {finding.path for finding in told}
    findings = (*told, *(finding for finding in known.findings if finding.path not in paths))
    if known.model is None:
        return None, findings
    name = known.name if known.name is not None else _NAMELESS
    return Read(written, cloud, name, known.model, known.name is not None, known.is_whole), findings
