"""Where the volumes of a pod can be. Source: kube-scheduler 1.35, plugin VolumeBinding; Karpenter 1.14, `scheduling/volumetopology.go`."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from nodepools.model.kubernetes.pod import Pod, Term
from nodepools.model.kubernetes.pod_lifecycle import VolumeUse
from nodepools.model.kubernetes.volumes import DISKS, FOR_ONE_NODE, FOR_ONE_POD, NO_PROVISIONER, Claim, Place, VolumeClass
from nodepools.model.listing import saved
from nodepools.model.values import dataclass, replace
from nodepools.placement.static_pools import spell
from nodepools.placement.verdict import Verdict
from nodepools.placement.workloads.objects import NETWORK_FILE_SYSTEMS, WorkloadObjects, class_named
from nodepools.placement.workloads.workload import Workload
from nodepools.replicas.count import PoolEdit

_MOST_TERMS: Final = 64
"""Combinations of the places of several volumes that are evaluated."""
_OF_EVERY_NODE: Final = NETWORK_FILE_SYSTEMS | {NO_PROVISIONER}
"""Drivers that attach nothing to a node."""
_BOUND_ELSEWHERE: Final = "node(s) didn't match PersistentVolume's node affinity"
_ZONE_DECIDES: Final = f"{saved('`kubectl get pvc,pv -A -o yaml`')}: the zone of its PersistentVolume decides"
_CREATED_ELSEWHERE: Final = "node(s) didn't find available persistent volumes to bind"


@dataclass(frozen=True, slots=True)
class Where:
    """The nodes that can mount a volume, or all volumes of a pod."""

    terms: tuple[Term, ...] | None = None
    """One of these must match; `None`: every node."""
    verdict: Verdict = Verdict.FITS
    """`cannot`: the volume is certain not to be mounted; `unknown`: where it is cannot be determined offline."""
    why: str = ""
    fix: str = ""
    conflict: str = ""
    """What kube-scheduler reports of nodes elsewhere."""
    settles: bool = False
    """A volume that all pods share is created for the first one, in the zone of its node."""

    def pinned(self, pod: Pod) -> Pod:
        """The pod, with the nodes of its volumes as required node affinity, which decides the same."""
        return pod if self.terms is None else replace(pod, required=_both(pod.required, self.terms))


def _both(left: Sequence[Term] | None, right: Sequence[Term]) -> tuple[Term, ...]:
    if left is None:
        return tuple(right)
    pairs = ((one, other) for one in left for other in right)
    return tuple(dict.fromkeys(_joined(one, other) for one, other in pairs))


def _joined(one: Term, other: Term) -> Term:
    """Both terms; one without expressions matches no node."""
    if one.empty or other.empty:
        return Term()
    return Term(tuple(dict.fromkeys((*one.expressions, *other.expressions))), (*one.fields, *other.fields))


def all_of(found: Iterable[Where]) -> Where:
    """Where a pod with all these volumes can be."""
    joined = Where()
    for one in found:
        where = _after(joined, one)
        terms = where.terms if joined.terms is None else joined.terms if where.terms is None else _both(joined.terms, where.terms)
        if terms is not None and len(terms) > _MOST_TERMS:
            return Where(None, Verdict.UNKNOWN, "the volumes can be in too many places to combine")
        worse = where.verdict is Verdict.CANNOT or joined.verdict is Verdict.FITS
        decisive = where if worse and where.why else joined
        verdict = where.verdict if worse else joined.verdict
        joined = Where(terms, verdict, decisive.why, decisive.fix, decisive.conflict, where.settles or joined.settles)
    return joined


def _after(before: Where, where: Where) -> Where:
    """A further volume: if both decide, the reason is about both, and nodes in the place of one do not help."""
    both = before.terms is not None and where.terms is not None and {before.verdict, where.verdict} == {Verdict.FITS}
    return replace(where, why=f"{before.why}, and {where.why}", fix="") if both else where


class Storage:
    """The claims, volumes and classes of the input, and the classes of the cluster."""

    def __init__(self, objects: WorkloadObjects, classes: Iterable[VolumeClass], workloads: Iterable[Workload]) -> None:
        self._objects: Final = objects.with_classes(classes)
        self._users: Final[dict[Place, list[Workload]]] = {}
        for workload in workloads:
            for claim in {use.claim for use in workload.lifecycle.volumes if use.claim}:
                self._users.setdefault((workload.namespace, claim), []).append(workload)
        self._reserved: Final = {volume.claim: volume.name for volume in objects.volumes.values() if volume.claim is not None}
        self._free: Final = {volume.storage_class: volume.name for volume in objects.volumes.values() if volume.claim is None and not volume.released}
        self._ordinals: Final = _ordinals({*objects.claims, *self._reserved})

    def of(self, workload: Workload, ordinal: int | None = None) -> Where:
        """Where the volumes of a pod are; without an ordinal, of a pod for which claims are still to be created."""
        return all_of(self._of_use(use, workload, ordinal) for use in workload.lifecycle.volumes)

    def kept(self, workload: Workload) -> list[int]:
        """Ordinals of a StatefulSet for which claims exist, or volumes are reserved."""
        stems = {f"{use.name}-{workload.name}" for use in workload.lifecycle.volumes if use.per_replica}
        return sorted({ordinal for stem in stems for ordinal in self._ordinals.get((workload.namespace, stem), ())})

    def unplaced(self, workload: Workload) -> Where:
        """`unknown` with the places of the volumes if one of them can exist, and be in one zone, which the input does not determine."""
        for use in workload.lifecycle.volumes:
            own = [f"{use.name}-{workload.name}-{ordinal}" for ordinal in self.kept(workload) or [workload.first]]
            for place in ((workload.namespace, name) for name in (own if use.per_replica else [use.claim] if use.claim else [])):
                claim = self._objects.claims.get(place, Claim(place, storage_class=use.storage_class))
                of = None if claim.volume or claim.is_new or place in self._reserved else class_named(self._objects.classes, claim.storage_class)
                if of is not None and (of.is_zonal or of.driver not in _OF_EVERY_NODE | DISKS):
                    why = f"the disk of PersistentVolumeClaim `{place[1]}` can be in the lost zone (StorageClass `{of.name}`)"
                    return replace(self.of(workload), verdict=Verdict.UNKNOWN, why=why, fix=_ZONE_DECIDES)
        return Where()

    def exclusive(self, workload: Workload) -> Claim | None:
        """A claim that only one pod at a time can use, or of a disk that only one node at a time can; one for a pod first."""
        uses = [(use, claim) for use in workload.lifecycle.volumes if (claim := self._objects.claims.get((workload.namespace, use.claim)))]
        disks = (
            claim for use, claim in uses if {*claim.modes} == {FOR_ONE_NODE} and self._objects.driver(use, workload.namespace) not in _OF_EVERY_NODE
        )
        return next((claim for _, claim in uses if FOR_ONE_POD in claim.modes), next(disks, None))

    def others_with(self, workload: Workload, claim: Claim) -> list[Workload]:
        """The other workloads of the input that use a claim."""
        return [other for other in self._users.get(claim.place, ()) if other.identity != workload.identity]

    def _of_use(self, use: VolumeUse, workload: Workload, ordinal: int | None) -> Where:
        if use.claim:
            return self._of_claim((workload.namespace, use.claim))
        if use.per_replica and ordinal is not None:
            place = workload.namespace, f"{use.name}-{workload.name}-{ordinal}"
            if place in self._objects.claims or place in self._reserved:
                return self._of_claim(place)
        if use.created and workload.kind == "Pod" and (place := (workload.namespace, f"{workload.name}-{use.name}")) in self._objects.claims:
            if workload.exists:
                return self._of_claim(place)
            return _unknown(f"PersistentVolumeClaim `{place[1]}` exists: the pod of that name can use it only if it was created for that very pod")
        return self._of_class(use.storage_class, f"volume `{use.name}`") if use.created else Where()

    def _of_claim(self, place: Place) -> Where:
        claim, name = self._objects.claims.get(place), f"PersistentVolumeClaim `{place[1]}`"
        if claim is not None and claim.problem:
            return Where(None, Verdict.CANNOT, f"{name} {claim.problem}", "Create the claim again")
        bound = claim.volume if claim is not None and claim.volume else self._reserved.get(place)
        if bound is not None:
            return self._of_volume(bound, place, name)
        if claim is None:
            return _unknown(f"{name} is not in the input", _ZONE_DECIDES)
        found = self._of_class(claim.storage_class, name)
        if found.verdict is not Verdict.FITS or self._is_everywhere(claim.storage_class):
            return found
        if len(self._users.get(place, ())) > 1:
            why = f"{name} gets the zone of the first pod of several workloads, which cannot be determined offline"
            return replace(found, verdict=Verdict.UNKNOWN, why=why)
        return replace(found, settles=True)

    def _of_volume(self, bound: str, place: Place, name: str) -> Where:
        volume = self._objects.volumes.get(bound)
        if volume is None:
            return _unknown(f"PersistentVolume `{bound}` of {name} is not in the input", f"{saved('`kubectl get pv -o yaml`')}: its zone decides")
        if volume.claim is not None and volume.claim != place:
            owner = "/".join(volume.claim)
            why = f"{name} requires PersistentVolume `{bound}`, which belongs to claim `{owner}`"
            return Where(None, Verdict.CANNOT, why, "Use another PersistentVolume")
        if volume.released:
            return _unknown(f"PersistentVolume `{bound}` of {name} is released: whether the claim can bind to it depends on the cluster")
        if volume.terms is None:
            return Where()
        why = f"PersistentVolume `{bound}` of {name} requires {' or '.join(map(_spelled, volume.terms))}"
        return Where(volume.terms, why=why, fix=_elsewhere(volume.terms), conflict=_BOUND_ELSEWHERE)

    def _is_everywhere(self, name: str | None) -> bool:
        found = class_named(self._objects.classes, name)
        return found is not None and found.driver in NETWORK_FILE_SYSTEMS

    def _of_class(self, name: str | None, of: str) -> Where:
        if name == "":
            return _unknown(f"{of} has no storage class: which PersistentVolume it gets cannot be determined offline")
        found, named = class_named(self._objects.classes, name), "the default storage class" if name is None else f"storage class `{name}`"
        if found is None:
            return _unknown(f"{named} of {of} is not in the input", f"{saved('`kubectl get sc -o yaml`')}: its binding mode and topologies decide")
        if found.driver in NETWORK_FILE_SYSTEMS:
            return Where()
        if found.driver == NO_PROVISIONER or found.name in self._free:
            return _unknown(f"{of} can bind to an existing PersistentVolume of {named}: which one cannot be determined offline")
        return _created(found, named, of)


def _created(found: VolumeClass, named: str, of: str) -> Where:
    """Where a class creates a volume."""
    if found.immediate:
        why = f"{named} creates {of} before the pod is scheduled, in a zone that cannot be determined offline"
        return _unknown(why, "Use a StorageClass with `volumeBindingMode: WaitForFirstConsumer`")
    if found.topologies is None:
        return Where()
    why = f"{named} of {of} allows only {' or '.join(map(_spelled, found.topologies))}"
    return Where(found.topologies, why=why, fix=_elsewhere(found.topologies), conflict=_CREATED_ELSEWHERE)


def _elsewhere(terms: Sequence[Term]) -> str:
    """What helps where no pool has the nodes."""
    return PoolEdit(f"Add a pool whose nodes have {' or '.join(map(_spelled, terms))}, or use a volume in a place where pools have nodes")


def _unknown(why: str, fix: str = "") -> Where:
    return Where(None, Verdict.UNKNOWN, why, fix)


def _ordinals(places: Iterable[Place]) -> Mapping[Place, list[int]]:
    """The ordinals in names of claims, by namespace and the part before the ordinal."""
    found: dict[Place, list[int]] = {}
    for namespace, name in places:
        stem, _, ordinal = name.rpartition("-")
        if ordinal.isascii() and ordinal.isdigit() and str(int(ordinal[:10])) == ordinal:
            found.setdefault((namespace, stem), []).append(int(ordinal))
    return found


def _spelled(term: Term) -> str:
    return "no node" if term.empty else f"`{spell(term)}`"
