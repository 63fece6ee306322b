"""Objects of files in the model, each as far as it is well formed."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from nodepools.manifests.aks_node_class import AKS_NODE_CLASS_SPEC, aks_node_class_in, aks_node_pool_in
from nodepools.manifests.built_in import is_of_the_cloud
from nodepools.manifests.eks_node_class import EKS_NODE_CLASS_SPEC, eks_node_class_in, eks_node_pool_in
from nodepools.manifests.kinds import Cloud, Out, classless_pool_in, sorted_out
from nodepools.manifests.node_pool import AKS_NODE_CLASS, EKS_NODE_CLASS
from nodepools.manifests.objects import Written
from nodepools.manifests.read import Known, node_pool_spec
from nodepools.manifests.spelling import Table
from nodepools.model.aks.node_class import AksNodeClass
from nodepools.model.aks.provisioning import AksNodePool
from nodepools.model.eks.auto_mode import EksNodePool
from nodepools.model.eks.node_class import EksNodeClass
from nodepools.model.karpenter import NodePool
from nodepools.rules.finding import Finding

Readable: TypeAlias = NodePool | EksNodePool | AksNodePool | EksNodeClass | AksNodeClass

_POOL_TABLES: Final = {Cloud.EKS: node_pool_spec(EKS_NODE_CLASS), Cloud.AKS: node_pool_spec(AKS_NODE_CLASS)}
_CLASS_TABLES: Final = {Cloud.EKS: EKS_NODE_CLASS_SPEC, Cloud.AKS: AKS_NODE_CLASS_SPEC}
_READERS: Final[Mapping[tuple[Cloud, bool], Callable[[Mapping[str, object]], Known[Readable]]]] = {
    (Cloud.EKS, True): eks_node_pool_in,
    (Cloud.AKS, True): aks_node_pool_in,
    (Cloud.EKS, False): eks_node_class_in,
    (Cloud.AKS, False): aks_node_class_in,
}
_NAMELESS: Final = "object"
"""Stands for the name that an object has not; nothing is said of it."""


@dataclass(frozen=True, slots=True)
class Read:
    """An object that the model holds, as far as it is well formed."""

    written: Written
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
        return (_POOL_TABLES if self.is_pool else _CLASS_TABLES)[self.cloud if self.cloud is not None else Cloud.EKS]

    @property
    def is_of_the_cloud(self) -> bool:
        """The cloud made it, and it was printed from a cluster."""
        return self.cloud is not None and is_of_the_cloud(self.written, self.cloud)


def read_object(written: Written) -> tuple[Read | None, tuple[Finding, ...]]:
    """The object in the model, where it is a matter of ours and leaves anything to judge, and what of it is malformed."""
    cloud = sorted_out(written)
    if not isinstance(cloud, Out):
        return _read(written, cloud, ())
    if cloud.is_classless:
        return _made(written, None, classless_pool_in(written.raw), cloud.findings)
    return _read(written, cloud.like, cloud.findings) if cloud.like is not None else (None, cloud.findings)


def _read(written: Written, cloud: Cloud, told: tuple[Finding, ...]) -> tuple[Read | None, tuple[Finding, ...]]:
    return _made(written, cloud, _READERS[cloud, written.kind == "NodePool"](written.raw), told)


def _made(written: Written, cloud: Cloud | None, known: Known[Readable], told: tuple[Finding, ...]) -> tuple[Read | None, tuple[Finding, ...]]:
    """What is `told` of the kind of an object is not told again by its schema."""
    paths = {finding.path for finding in told}
    findings = (*told, *(finding for finding in known.findings if finding.path not in paths))
    if known.model is None:
        return None, findings
    name = known.name if known.name is not None else _NAMELESS
    return Read(written, cloud, name, known.model, known.name is not None, known.is_whole), findings
