"""The types that are left of a NodePool's for one pod, and which of the pod's words takes away the last of them."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from typing import Final

from nodepools.model.kubernetes.pod import Pod
from nodepools.model.kubernetes.requests import Requests
from nodepools.model.kubernetes.requirement import Values
from nodepools.placement.allocatable import ACCELERATOR_RESOURCES, GPU_RESOURCES, spelled
from nodepools.placement.cloud_labels import TYPE_KEYS
from nodepools.placement.label_reasons import from_types
from nodepools.placement.machine_index import Bounds, Split
from nodepools.placement.node_pools import KarpenterPool
from nodepools.placement.pod_requirements import RequirementSet
from nodepools.placement.static_pools import short, wanted
from nodepools.placement.verdict import Kind, Reason, Verdict

_DISK = "ephemeral-storage"
_DEVICES = {"nvidia.com/gpu": "an NVIDIA GPU", "amd.com/gpu": "an AMD GPU", **dict.fromkeys(ACCELERATOR_RESOURCES, "an AWS accelerator")}


class MachineFilter:
    """What is left of a pool's types."""

    def __init__(self, place: KarpenterPool, pod: Pod, way: RequirementSet, overhead: Requests) -> None:
        self._place: Final = place
        self._index: Final = place.cloud.index
        self._way: Final = way
        self._daemons: Final = dict(overhead)
        self._requests: Final = tuple((name, amount + self._daemons.get(name, 0)) for name, amount in pod.requests)

    @cached_property
    def left(self) -> Split:
        """The types that can host the pod."""
        found = self._place.typed.get(self._way)
        if found is None:
            found = self._place.typed[self._way] = self._labelled()
        for resource, amount in self._requests:
            found &= self._holding(resource, amount)
        return found

    def _labelled(self) -> Split:
        found = self._place.affordable
        for key, values in self._of_types():
            found &= self._index.admitting(key, values)
        return found

    def reasons(self) -> Iterator[Reason]:
        """Why there are none, or none for certain, or not enough of them."""
        if not self.left.possibly:
            unlisted = sorted(self._unlisted())
            if unlisted:
                yield Reason(Kind.INSTANCE, f"{', '.join(unlisted)}: of this type nothing is known offline", says=Verdict.UNKNOWN)
                return
            says = Verdict.UNKNOWN if self._would_fit_alone() else Verdict.CANNOT
            yield from (replace(reason, says=says) for reason in self._none())
        elif not self.left.surely:
            yield from self._unsure()
        yield from self._too_few()

    def _unlisted(self) -> Iterator[str]:
        """Types that pool and pod name together and that no table has: newer ones, perhaps."""
        listed = self._place.cloud.listed
        for key in TYPE_KEYS:
            both = self._place.offered.get(key, Values()) & self._way.wanted.get(key, Values())
            yield from (name for name in both.members if listed and not both.complement and name not in listed)

    def _would_fit_alone(self) -> bool:
        """But for the DaemonSets: it may land on a node before them."""
        found = self._labelled()
        for resource, amount in self._requests:
            found &= self._holding(resource, amount - self._daemons.get(resource, 0))
        return bool(found.possibly)

    def _of_types(self) -> Iterator[tuple[str, Values]]:
        """What the pod asks of the types."""
        for key, values in self._way.wanted.items():
            if self._index.decides(key) and not self._place.settles(key, values):
                yield key, values

    def _holding(self, resource: str, amount: int) -> Split:
        if resource != _DISK:
            return self._index.holding(resource, amount)
        disk, everything = self._place.disk, self._index.everything
        if amount <= disk.least:
            return everything
        return Split(0, everything.possibly if disk.most is None or amount <= disk.most else self._index.holding(resource, amount).possibly)

    def _none(self) -> Iterator[Reason]:
        place = self._place
        if not place.types.possibly:
            yield Reason(Kind.INSTANCE, "its own requirements admit no instance type")
            return
        if not place.affordable.possibly:
            limits = ", ".join(f"{name} {spelled(name, limit)}" for name, limit in place.limits.items())
            yield Reason(Kind.LIMIT, f"one node of any type that it admits is beyond its limits: {limits}")
            return
        blamed = [*self._by_labels(), *self._by_resources()]
        yield from blamed or [self._together()]

    def _by_labels(self) -> Iterator[Reason]:
        for key, values in self._of_types():
            if not (self._place.affordable & self._index.admitting(key, values)).possibly:
                yield from_types(self._place, self._way.said(key))

    def _by_resources(self) -> Iterator[Reason]:
        for resource, amount in self._requests:
            if not (self._place.affordable & self._holding(resource, amount)).possibly:
                yield self._lacking(resource, amount)

    def _lacking(self, resource: str, amount: int) -> Reason:
        if resource == _DISK:
            return self._short(resource, amount, self._place.disk, "the disk of its node class")
        name, has = self._index.most(resource, self._place.affordable.possibly)
        if not has and resource in _DEVICES:
            return Reason(Kind.INSTANCE, f"no instance type with {_DEVICES[resource]}")
        return self._short(resource, amount, Bounds(0, has), f"its largest type, {name},")

    def _together(self) -> Reason:
        narrow = self._labelled()
        for resource, amount in self._requests:
            if narrow.possibly and not (narrow & self._holding(resource, amount)).possibly:
                name, has = self._index.most(resource, narrow.possibly)
                if has:
                    return self._short(resource, amount, Bounds(0, has), f"the largest type that it admits for this pod, {name},")
        return Reason(Kind.INSTANCE, f"no instance type that it admits has all of: {self._all()}")

    def _all(self) -> str:
        asked = [str(self._way.said(key)) for key, _ in self._of_types()]
        return ", ".join([*asked, *(f"{spelled(name, amount)} {name}" for name, amount in self._requests)])

    def _unsure(self) -> Iterator[Reason]:
        place, blamed = self._place, False
        if not place.affordable.surely:
            yield Reason(Kind.INSTANCE, "whether the cloud has a type that its requirements admit is not known offline", says=Verdict.UNKNOWN)
            return
        for key, values in self._of_types():
            if not (place.affordable & self._index.admitting(key, values)).surely:
                blamed = True
                yield Reason(Kind.REQUIREMENT, f"{self._way.said(key)}: which types have that is not known offline", says=Verdict.UNKNOWN)
        for resource, amount in self._requests:
            if not (place.affordable & self._holding(resource, amount)).surely:
                blamed = True
                yield self._between(resource, amount)
        if not blamed:
            yield Reason(
                Kind.INSTANCE, f"whether an instance type that it admits has all of it is not known offline: {self._all()}", says=Verdict.UNKNOWN
            )

    def _between(self, resource: str, amount: int) -> Reason:
        """Between what a node has and what it is known to leave for pods."""
        if resource == _DISK:
            return self._between_disks(amount)
        if resource in GPU_RESOURCES:
            told = f"{self._wanted(resource, amount)}: which GPU sizes the region has is not known offline"
            return Reason(Kind.INSTANCE, told, says=Verdict.UNKNOWN)
        largest = self._index.roomiest(resource, self.left.possibly)
        offered = largest.offers.get(resource, Bounds())
        if offered.most is None:
            wants = self._wanted(resource, amount)
            told = f"{wants}: no type of which it is known has so much {resource}; how much {largest.name} and others have is not known offline"
            return Reason(Kind.RESOURCES, told, says=Verdict.UNKNOWN)
        return self._short(resource, amount, offered, largest.name)

    def _wanted(self, resource: str, amount: int) -> str:
        return wanted(resource, amount, self._daemons.get(resource, 0))

    def _between_disks(self, amount: int) -> Reason:
        """Where a machine has more than its node class says, that is what pods get."""
        told = self._short(_DISK, amount, self._place.disk, "the disk of its node class")
        if told.says is Verdict.UNKNOWN:
            return told
        return replace(told, message=f"{told.message}, and machines with local NVMe what they have of it", says=Verdict.UNKNOWN)

    def _short(self, resource: str, amount: int, offered: Bounds, of: str) -> Reason:
        return short(resource, amount, offered, of, daemons=self._daemons.get(resource, 0))

    def _too_few(self) -> Iterator[Reason]:
        """What is left for the pod may be too little for Karpenter to start a node; that says nothing of the nodes that it started for others.

        Nor is it certain of a pool that can never be as flexible as it asks: which policy the clouds run with is not documented, and of the
        two that there are BestEffort gives way.
        """
        if not self.left.possibly:
            return
        for key, least in self._place.least_values.items():
            sure = self._count(key, self.left.surely, surely=True)
            found, own = (self._count(key, bits, surely=False) for bits in (self.left.possibly, self._place.affordable.possibly))
            told = f"minValues: {least} values of {key} must remain possible"
            if own < least:
                yield Reason(Kind.INSTANCE, f"{told}, and the pool has {own}: under the policy Strict no node is ever started", says=Verdict.UNKNOWN)
            elif found < least:
                yield Reason(Kind.INSTANCE, f"{told}, and for this pod {found} would: Karpenter starts no node for it here", says=Verdict.UNKNOWN)
            elif sure < least:
                yield Reason(Kind.INSTANCE, f"{told}: whether they do is not known offline", says=Verdict.UNKNOWN)

    def _count(self, key: str, bits: int, *, surely: bool) -> int:
        choices = self._place.choices.get(key)
        if choices is not None:
            return choices.many(surely=surely)
        return len(self._index.values(key, bits)) if surely else self._index.many(key, bits)
