"""Judges objects by the rules of declarations: read into the model, asked every rule, told in the words of the object."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from datetime import date
from typing import Final, TypeAlias

from nodepools.manifests.aks_node_class import AKS_NODE_CLASS_SPEC, read_aks_node_class, read_aks_node_pool
from nodepools.manifests.eks_node_class import EKS_NODE_CLASS_SPEC, read_eks_node_class, read_eks_node_pool
from nodepools.manifests.kinds import Cloud, Out, sorted_out
from nodepools.manifests.network_policies import without_controller
from nodepools.manifests.node_pool import AKS_NODE_CLASS, EKS_NODE_CLASS
from nodepools.manifests.objects import Written
from nodepools.manifests.read import UnreadableObjectError, as_written, node_pool_spec
from nodepools.manifests.spelling import Always, Each, Part, Table, in_words
from nodepools.model.aks.node_class import AksNodeClass
from nodepools.model.aks.provisioning import AksNodePool, NodeProvisioning
from nodepools.model.base import FrozenDict, Model
from nodepools.model.eks.auto_mode import AutoMode, EksNodePool
from nodepools.model.eks.node_class import EksNodeClass
from nodepools.rules.fault import Fault, Severity
from nodepools.rules.judge import check
from nodepools.rules.objects import object_fault
from nodepools.rules.path import Step

Readable: TypeAlias = EksNodePool | AksNodePool | EksNodeClass | AksNodeClass

POOL_TABLES: Final = {Cloud.EKS: node_pool_spec(EKS_NODE_CLASS), Cloud.AKS: node_pool_spec(AKS_NODE_CLASS)}
CLASS_TABLES: Final = {Cloud.EKS: EKS_NODE_CLASS_SPEC, Cloud.AKS: AKS_NODE_CLASS_SPEC}
NOT_ASKED: Final = frozenset({"EKS020", "EKS040", "EKS041", "EKS043", "NAP004", "NAP005"})
"""Rules about what the cloud itself makes in a cluster: files do not say what is on there, and may be printed from it."""
MISSING_CLASS: Final = frozenset({"EKS042", "NAP006"})
"""Rules that are certain where all of a cluster is known; of files, a class may be in another one."""


@dataclass(frozen=True, slots=True)
class Read:
    """An object that the model holds."""

    written: Written
    cloud: Cloud
    name: str
    model: Readable

    @property
    def is_pool(self) -> bool:
        """A NodePool, and no class."""
        return isinstance(self.model, EksNodePool | AksNodePool)

    @property
    def table(self) -> Table:
        """How it is spelled."""
        return (POOL_TABLES if self.is_pool else CLASS_TABLES)[self.cloud]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is found in files."""

    read: tuple[Read, ...]
    faults: tuple[Fault, ...]
    """In the order of the objects, and within one in that of its lines."""


def judge(found: Sequence[Written], today: date | None = None) -> Verdict:
    """Everything that is wrong with `found`: each by itself, and together where it is certain that they are one cluster."""
    read: list[Read] = []
    faults: list[tuple[Written, Fault]] = []
    for written in found:
        one = _read(written)
        if isinstance(one, Read):
            read.append(one)
        else:
            faults.extend((written, fault) for fault in one)
    faults += [(again, _twice(again)) for again in _repeated(found)]
    classes = {written.name for written in found if written.kind in ("NodeClass", "AKSNodeClass")}
    for cluster in _clusters(read):
        faults.extend(_judged(cluster, classes, today))
    if _is_one_cluster(read):
        faults.extend(_together(found, read))
        faults.extend(without_controller(found, [(one.written, one.model) for one in read if isinstance(one.model, EksNodeClass)]))
    return Verdict(tuple(read), tuple(_in_order(found, faults)))


def _read(written: Written) -> Read | list[Fault]:
    """The object in the model; its faults where no model can hold it, or none where it is no matter of ours."""
    cloud = sorted_out(written)
    if isinstance(cloud, Out):
        return list(cloud.faults)
    try:
        name, model = _reader(written, cloud)(written.raw)
    except UnreadableObjectError as refused:
        return list(refused.faults)
    return Read(written, cloud, name, model)


def _reader(written: Written, cloud: Cloud) -> Callable[[Mapping[str, object]], tuple[str, Readable]]:
    if written.kind == "NodePool":
        return read_eks_node_pool if cloud is Cloud.EKS else read_aks_node_pool
    return read_eks_node_class if cloud is Cloud.EKS else read_aks_node_class


def _clusters(read: Iterable[Read]) -> Iterator[list[Read]]:
    """Those of one cloud, where no name is there twice; else each by itself: overlays of one cluster, or parts of several."""
    for cloud in Cloud:
        of_cloud = [one for one in read if one.cloud is cloud]
        times = Counter((one.is_pool, one.name) for one in of_cloud)
        if max(times.values(), default=0) > 1:
            yield from ([one] for one in of_cloud)
        elif of_cloud:
            yield of_cloud


def _is_one_cluster(read: Sequence[Read]) -> bool:
    """No name is there twice, of any kind."""
    return max(Counter((one.cloud, one.is_pool, one.name) for one in read).values(), default=1) == 1


def _together(found: Sequence[Written], read: Sequence[Read]) -> Iterator[tuple[Written, Fault]]:
    from nodepools.manifests.together import Cluster, judge_together  # tables of types are read only where workloads ask for pools

    return judge_together(Cluster.of(found, {id(one.written): one.model for one in read}))


def _judged(cluster: Sequence[Read], classes: AbstractSet[str], today: date | None) -> Iterator[tuple[Written, Fault]]:
    by_place: dict[tuple[Step, ...], Read] = {("node_pools" if one.is_pool else "node_classes", one.name): one for one in cluster}
    for fault in check(_holder(cluster), today=today):
        one = by_place.get(fault.steps[:2])
        unknown = fault.code in MISSING_CLASS and (not classes or fault.value in classes)
        if one is None or fault.code in NOT_ASKED or unknown:
            continue
        severity = Severity.WARNING if fault.code in MISSING_CLASS else fault.severity
        yield one.written, replace(_translated(fault, one), severity=severity)


def _holder(cluster: Sequence[Read]) -> Model:
    """The model that holds them, of parts that are valid already."""
    pools = FrozenDict({one.name: one.model for one in cluster if one.is_pool})
    classes = FrozenDict({one.name: one.model for one in cluster if not one.is_pool})
    kind = AutoMode if cluster[0].cloud is Cloud.EKS else NodeProvisioning
    return kind.model_construct(node_pools=pools, node_classes=classes)


def _translated(fault: Fault, one: Read) -> Fault:
    """In the words of the object: `minValues` for `min_values`."""
    steps = fault.steps[2:]
    if not steps:
        return replace(fault, path="metadata.name", steps=("metadata", "name"))
    spelled = as_written(replace(fault, steps=steps), one.table)
    words = _words(one.table)
    return replace(spelled, message=in_words(fault.message, words), fix=in_words(fault.fix, words))


def _words(table: Table) -> dict[str, str]:
    """Each field of the model, as the object calls it."""
    found: dict[str, str] = {}
    for name, node in table.items():
        if isinstance(node, str):
            found[node] = name
        elif isinstance(node, Part | Each):
            found |= {node.name: name, **_words(node.table)}
        elif not isinstance(node, Always):
            found |= _words(node)
    return found


def _repeated(found: Sequence[Written]) -> Iterator[Written]:
    seen: set[tuple[str, str, str, str]] = set()
    for written in found:
        key = (written.file, written.group, written.kind, written.name)
        if key in seen and written.name and not isinstance(sorted_out(written), Out):
            yield written
        seen.add(key)


def _twice(again: Written) -> Fault:
    message = "is there twice in this file: the last one wins"
    return object_fault("OBJ005", ("metadata", "name"), message, fix="give it another name, or remove it", value=again.name, source="kubectl")


def _in_order(found: Sequence[Written], faults: Iterable[tuple[Written, Fault]]) -> Iterator[Fault]:
    of: dict[int, list[Fault]] = {}
    for written, fault in faults:
        of.setdefault(id(written), []).append(replace(fault, object=written.label, mark=written.mark(fault.steps)))
    for written in found:
        yield from sorted(of.get(id(written), ()), key=lambda fault: (fault.mark.line, fault.mark.column) if fault.mark else (0, 0))
