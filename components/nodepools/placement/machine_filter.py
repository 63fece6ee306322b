"""Filters the instance types of a NodePool for one pod, and reports the requirement or request that excludes the last of them."""

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import cached_property
from typing import Final

from nodepools.model.kubernetes.label import GENERATIONS, POOL_LABEL, Values, current_label
from nodepools.model.kubernetes.pod import Expression, Pod, Requests
from nodepools.placement.allocatable import DEVICES, GPU_RESOURCES, spelled
from nodepools.placement.cloud_labels import CAPACITY, POOL, TYPE_KEYS
from nodepools.placement.machine_index import LEAST_OF_A_MACHINE, UNKNOWN_AMOUNT, Bounds, Split
from nodepools.placement.node_pools import KarpenterPool
from nodepools.placement.static_pools import device, insufficient, requested
from nodepools.placement.suggestions import POOL_NAME_LABELS, label, suggest_key, suggest_value
from nodepools.placement.verdict import Kind, Reason, Verdict
from nodepools.placement.workloads.pod_changes import Change, Remove, Select
from nodepools.placement.workloads.pod_requirements import RequirementSet

_DISK = "ephemeral-storage"
_NODE_CLASS_DISK = "the disk of the node class"
_FAMILY = "eks.amazonaws.com/instance-family"
_NO_RESOURCES = "no instance type satisfied resources"
"""As Karpenter reports it."""


class MachineFilter:
    """The instance types of a NodePool that a pod can run on."""

    def __init__(self, pool: KarpenterPool, pod: Pod, required: RequirementSet, overhead: Requests) -> None:
        self._pool: Final = pool
        self._index: Final = pool.cloud.index
        self._required: Final = required
        self._daemons: Final = dict(overhead)
        self._requests: Final = tuple((name, amount + self._daemons.get(name, 0)) for name, amount in pod.requests)

    @cached_property
    def left(self) -> Split:
        """The types that the pod can run on."""
        found = self._pool.typed.get(self._required)
        if found is None:
            found = self._pool.typed[self._required] = self._labeled()
        for resource, amount in self._requests:
            found &= self._with(resource, amount)
        return found

    def _labeled(self) -> Split:
        found = self._pool.affordable
        for key, values in self._required_of_types():
            found &= self._index.admitting(key, values)
        return found

    def reasons(self) -> Iterator[Reason]:
        """Why no type is left, or none for certain, or too few."""
        if not self.left.possible:
            unlisted = [] if self._pool.is_off else sorted(self._unlisted())
            if unlisted:
                types = ", ".join(f"`{name}`" for name in unlisted)
                yield Reason(Kind.INSTANCE, f"instance type {types} is not in the tables: it cannot be checked offline", verdict=Verdict.UNKNOWN)
                return
            verdict = Verdict.UNKNOWN if self._would_fit_alone() else Verdict.CANNOT
            yield from (replace(reason, verdict=verdict) for reason in self._none())
        elif not self.left.certain:
            yield from self._uncertain()
        yield from self._too_few()

    def _unlisted(self) -> Iterator[str]:
        """Types that both the pool and the pod name, and families of the pool, that are not in the tables: newer ones, perhaps."""
        listed, offered = self._pool.cloud.listed, self._pool.offered
        of_ec2 = any("." in name for name in listed)  # no name of another cloud has a dot
        known_by: dict[str, AbstractSet[str]] = dict.fromkeys(TYPE_KEYS, listed)
        if _FAMILY in offered:
            known_by[_FAMILY] = frozenset(name.partition(".")[0] for name in listed)
        for key, known in known_by.items():
            both = offered.get(key, Values()) & self._required.values.get(key, Values())
            named = both.members - known if listed and not both.complement else ()
            yield from (name for name in named if (name.islower() if key == _FAMILY else ("." in name) is of_ec2))
        for key in GENERATIONS:
            newer = self._index.newer(key, offered.get(key, Values()) & self._required.values.get(key, Values()))
            yield from (name for name in newer if name.startswith(key))

    def _would_fit_alone(self) -> bool:
        """The pod fits without the DaemonSets: it may be scheduled on a node before their pods."""
        found = self._labeled()
        for resource, amount in self._requests:
            found &= self._with(resource, amount - self._daemons.get(resource, 0))
        return bool(found.possible)

    def _required_of_types(self) -> Iterator[tuple[str, Values]]:
        """The pod's requirements that instance types decide."""
        for key, values in self._required.values.items():
            if self._index.decides(key) and not self._pool.settles(key, values):
                yield key, values

    def _with(self, resource: str, amount: int) -> Split:
        if resource != _DISK:
            return self._index.holding(resource, amount)
        disk, everything = self._pool.disk, self._index.everything
        if amount <= disk.least:
            return everything
        return Split(0, everything.possible if disk.most is None or amount <= disk.most else self._index.holding(resource, amount).possible)

    def _none(self) -> Iterator[Reason]:
        pool = self._pool
        if not pool.types.possible:
            yield Reason(Kind.INSTANCE, "NodePool requirements filtered out all instance types")
            return
        if not pool.affordable.possible:
            yield Reason(Kind.LIMIT, f"one node of any allowed instance type would exceed the NodePool's limits ({pool.limits_text})")
            return
        blamed = [*self._by_labels(), *self._by_resources()]
        yield from blamed or [self._together()]

    def _by_labels(self) -> Iterator[Reason]:
        for key, values in self._required_of_types():
            if not (self._pool.affordable & self._index.admitting(key, values)).possible:
                yield no_type_with_label(self._pool, self._required.expression(key))

    def _by_resources(self) -> Iterator[Reason]:
        for resource, amount in self._requests:
            if not (self._pool.affordable & self._with(resource, amount)).possible:
                yield self._lacking(resource, amount)

    def _lacking(self, resource: str, amount: int) -> Reason:
        if resource == _DISK:
            return self._insufficient(resource, amount, self._pool.disk, _NODE_CLASS_DISK, term="Insufficient ephemeral-storage")
        name, has = self._index.most(resource, self._pool.affordable.possible)
        if not has:
            missing = f"{DEVICES[resource]} (`{resource}`)" if resource in DEVICES else f"`{resource}`"
            return Reason(Kind.INSTANCE, f"{_NO_RESOURCES}: no allowed type has {missing}", subject=device(resource))
        is_limited = (self._pool.types & self._with(resource, amount)).possible
        largest = f"the largest type within its limits ({self._pool.limits_text})" if is_limited else "the largest allowed type"
        return self._insufficient(resource, amount, self._bounds(resource, has, self._pool.affordable), f"{largest}, `{name}`,")

    def _bounds(self, resource: str, has: int, among: Split) -> Bounds:
        """The guaranteed allocatable amount of the type that has most of it, and the amount of the largest type."""
        if not among.certain:
            return Bounds(0, has)
        return Bounds(self._index.roomiest(resource, among.certain).offers.get(resource, UNKNOWN_AMOUNT).least, has)

    def _together(self) -> Reason:
        narrow = self._labeled()
        for resource, amount in self._requests:
            if narrow.possible and not (narrow & self._with(resource, amount)).possible:
                name, has = self._index.most(resource, narrow.possible)
                if has:
                    machine = f"the largest type that matches the pod's requirements, `{name}`,"
                    reason = self._insufficient(resource, amount, self._bounds(resource, has, narrow), machine)
                    required = " and ".join(f"`{self._required.expression(key)}`" for key, _ in self._required_of_types())
                    return replace(reason, subject=f"{reason.subject} on types with {required}") if required else reason
        return Reason(Kind.INSTANCE, f"no instance type satisfied resources and requirements: {self._all()}")

    def _all(self) -> str:
        required = [f"`{self._required.expression(key)}`" for key, _ in self._required_of_types()]
        return ", ".join([*required, *(f"{spelled(name, amount)} {name}" for name, amount in self._requests)])

    def _uncertain(self) -> Iterator[Reason]:
        pool, blamed = self._pool, False
        if not pool.affordable.certain:
            message = "whether the cloud offers an instance type that the NodePool allows cannot be determined offline"
            yield Reason(Kind.INSTANCE, pool.cloud.unknown if pool.cloud.unknown else message, verdict=Verdict.UNKNOWN)
            return
        for key, values in self._required_of_types():
            if not (pool.affordable & self._index.admitting(key, values)).certain:
                blamed = True
                message = f"pod requires `{self._required.expression(key)}`: which instance types have it cannot be determined offline"
                yield Reason(Kind.REQUIREMENT, message, verdict=Verdict.UNKNOWN, subject=label(self._required.expression(key)))
        for resource, amount in self._requests:
            if not (pool.affordable & self._with(resource, amount)).certain:
                blamed = True
                yield self._between(resource, amount)
        if not blamed:
            message = f"whether an allowed instance type satisfies all of {self._all()} cannot be determined offline"
            yield Reason(Kind.INSTANCE, message, verdict=Verdict.UNKNOWN)

    def _between(self, resource: str, amount: int) -> Reason:
        """More than what is certain to be allocatable, less than what the machine has."""
        if resource == _DISK:
            return self._between_disks(amount)
        if self._pool.unsized and resource in LEAST_OF_A_MACHINE:
            return Reason(Kind.RESOURCES, f"{self._requested(resource, amount)}: {self._pool.unsized}", verdict=Verdict.UNKNOWN)
        largest = self._index.roomiest(resource, self.left.possible)
        if resource in GPU_RESOURCES and largest.name:
            message = f"{self._requested(resource, amount)}: the GPU sizes of the region cannot be determined offline"
            return Reason(Kind.INSTANCE, message, verdict=Verdict.UNKNOWN)
        offered = largest.offers.get(resource, Bounds())
        if offered.most is None:
            requests = self._requested(resource, amount)
            others = f"`{largest.name}` and others" if largest.name else "other types"
            message = f"{requests}: no known type has enough, and how much {others} have cannot be determined offline"
            return Reason(Kind.RESOURCES, message, verdict=Verdict.UNKNOWN)
        return self._insufficient(resource, amount, offered, f"`{largest.name}`")

    def _requested(self, resource: str, amount: int) -> str:
        return requested(resource, amount, self._daemons.get(resource, 0))

    def _between_disks(self, amount: int) -> Reason:
        """A machine with more local NVMe storage than the node class declares gives that to pods."""
        reason = self._insufficient(_DISK, amount, self._pool.disk, _NODE_CLASS_DISK)
        if reason.verdict is Verdict.UNKNOWN:
            return reason
        message = f"{self._requested(_DISK, amount)}: {_NODE_CLASS_DISK} has less; what machines with local NVMe offer cannot be determined offline"
        return replace(reason, message=message, verdict=Verdict.UNKNOWN)

    def _insufficient(self, resource: str, amount: int, offered: Bounds, machine: str, term: str = _NO_RESOURCES) -> Reason:
        return insufficient(resource, amount, offered, machine, daemons=self._daemons.get(resource, 0), term=term)

    def _too_few(self) -> Iterator[Reason]:
        """With fewer values than `minValues`, Karpenter launches no node for the pod; it may still fit a node that runs already.

        It is not certain either of a pool that can never have enough values: the clouds do not document the policy they run with, and under
        the policy BestEffort Karpenter relaxes `minValues`.
        """
        if not self.left.possible:
            return
        for key, least in self._pool.least_values.items():
            certain = self._count(key, self.left.certain, certain=True)
            found, own = (self._count(key, bits, certain=False) for bits in (self.left.possible, self._pool.affordable.possible))
            needs = f"`minValues` requires {least} values of `{key}`"
            if own < least:
                message = f"{needs}, the NodePool has {own}: under the policy Strict Karpenter launches no node"
                yield Reason(Kind.INSTANCE, message, verdict=Verdict.UNKNOWN)
            elif found < least:
                yield Reason(Kind.INSTANCE, f"{needs}, {found} left for this pod: Karpenter launches no node for it", verdict=Verdict.UNKNOWN)
            elif certain < least:
                message = f"{needs}: whether enough are left for this pod cannot be determined offline"
                yield Reason(Kind.INSTANCE, message, verdict=Verdict.UNKNOWN)

    def _count(self, key: str, bits: int, *, certain: bool) -> int:
        choices = self._pool.choices.get(key)
        if choices is not None:
            return choices.many(certain=certain)
        return len(self._index.values(key, bits)) if certain else self._index.many(key, bits)


INCOMPATIBLE = "incompatible requirements"
"""As Karpenter reports it."""
_SHOWN = 8


def incompatible(pool: KarpenterPool, required: Expression, offered: Values) -> Reason:
    """The NodePool has other values of the label."""
    kind = Kind.REQUIREMENT if current_label(required.key) in pool.cloud.well_known else Kind.LABEL
    values = sorted(offered.members) if not offered.complement else []
    message = f"{INCOMPATIBLE}: pod requires `{required}`, nodes have `{required.key}{values_text(offered)}`"
    return Reason(kind, message, suggest_value(required, values), subject=label(required))


def unset(pool: KarpenterPool, required: Expression) -> Reason:
    """The NodePool does not set the label."""
    if pool.cloud.may_set(required.key):
        return unknown_value(required)
    message = f"{INCOMPATIBLE}: pod requires `{required}`, nodes have no label `{required.key}`"
    if required.key in pool.cloud.foreign:
        return Reason(Kind.LABEL, message, _translated(required, pool.cloud.foreign[required.key]), subject=label(required))
    if required.key in (POOL_LABEL, *POOL_NAME_LABELS):  # pools of another cluster: these have names, too
        return Reason(Kind.LABEL, message, Select(required, POOL, (pool.name,)), subject=label(required))
    keys = sorted({*pool.offered, *pool.cloud.well_known})
    return Reason(Kind.LABEL, message, suggest_key(required, keys), subject=label(required))


def _translated(required: Expression, key: str) -> Change:
    """Selects the label that has the same meaning here. Managed node groups spell capacity types `ON_DEMAND` and `SPOT`."""
    if not key or required.operator != "In":
        return Remove(required)
    return Select(required, key, tuple(value.lower().replace("_", "-") if key == CAPACITY else value for value in required.values))


def unknown_value(required: Expression, kind: Kind = Kind.LABEL) -> Reason:
    """The nodes may have the label, with a value that declarations do not determine."""
    message = f"pod requires `{required}`: which value nodes have cannot be determined offline"
    return Reason(kind, message, verdict=Verdict.UNKNOWN, subject=label(required))


def no_type_with_label(pool: KarpenterPool, required: Expression) -> Reason:
    """None of the instance types that the NodePool allows has such a label."""
    key = current_label(required.key)
    values = sorted(pool.cloud.index.values(key, pool.affordable.possible), key=lambda value: (len(value), value))
    shown = ", ".join(f"`{value}`" for value in values[:_SHOWN])
    allowed = f"allowed types have {shown}{', …' if len(values) > _SHOWN else ''}" if values else f"no allowed type has the label `{required.key}`"
    message = f"no instance type satisfied requirement `{required}`: {allowed}"
    return Reason(Kind.INSTANCE, message, suggest_value(required, values), subject=label(required))


def values_text(values: Values) -> str:
    """The text after a label key: `=a`, ` In [a, b]`, ` NotIn [c]`, ` >= 5`."""
    if values.absent:
        return " DoesNotExist"
    if not values.complement:
        members = sorted(values.members)
        return f"={members[0]}" if len(members) == 1 else f" In [{', '.join(members)}]"
    parts = [f"NotIn [{', '.join(sorted(values.members))}]"] if values.members else []
    parts += [f">= {values.minimum}"] if values.minimum is not None else []
    parts += [f"<= {values.maximum}"] if values.maximum is not None else []
    return f" {', '.join(parts)}" if parts else " Exists"
