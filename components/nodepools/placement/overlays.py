"""NodeOverlays: resources that Karpenter adds to the instance types of a NodePool before it chooses one.

Source: Karpenter 1.14, `pkg/controllers/nodeoverlay`: overlays apply in the order of their weights, and of equal weights the last name first. One
that sets, for any instance type of any NodePool, what another one of its weight has set before, is not applied at all.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TypeAlias

from nodepools.model.karpenter_alpha import NodeOverlay
from nodepools.model.kubernetes.label import Operator, Requirements, Values
from nodepools.model.kubernetes.pod import thousandths
from nodepools.model.values import dataclass, replace
from nodepools.placement.cloud_labels import POOL, TYPE_KEYS
from nodepools.placement.machine_index import UNKNOWN_AMOUNT, Bounds, Machine, TypeIndex, hull
from nodepools.placement.node_pools import KarpenterPool
from nodepools.placement.verdict import Verdict

_OF_OFFERINGS = frozenset({"karpenter.sh/capacity-type", "topology.kubernetes.io/zone", "topology.k8s.aws/zone-id"})
"""The labels that the offerings of one instance type differ in."""


@dataclass(frozen=True, eq=False)
class Overlay:
    """A valid NodeOverlay of a cluster."""

    name: str
    declared: NodeOverlay

    @property
    def weight(self) -> int:
        """The declared weight (default: 0)."""
        return self.declared.weight if self.declared.weight is not None else 0

    @property
    def order(self) -> tuple[int, list[int]]:
        """The sort key: higher weight first; of equal weights, the last name."""
        return -self.weight, [-ord(letter) for letter in self.name] + [1]

    @property
    def price(self) -> str | None:
        """The price, or the difference to it."""
        return self.declared.price if self.declared.price is not None else self.declared.price_adjustment

    @cached_property
    def capacity(self) -> Mapping[str, int]:
        """What it adds, in thousandths."""
        return {resource: thousandths(quantity, resource) for resource, quantity in self.declared.capacity.items()}

    @cached_property
    def required(self) -> Requirements:
        """Its requirements, by label."""
        required = Requirements()
        for one in self.declared.requirements:
            required = required.merged({one.label: one.allowed})
        return required

    def competes(self, other: "Overlay") -> bool:
        """Both have the same weight, and decide the price, or the amount of a resource."""
        is_same = (self.price is not None and other.price is not None) or not self.capacity.keys().isdisjoint(other.capacity)
        return self.name != other.name and self.weight == other.weight and is_same

    def may_meet(self, other: "Overlay") -> bool:
        """No label keeps them apart: an instance type can meet both. Capacity is added to the type, also by an overlay of some of its offerings."""
        apart = {conflict.key for conflict in self.required.conflicts(other.required, frozenset(other.required))}
        return apart <= _OF_OFFERINGS and (not apart or not self.capacity.keys().isdisjoint(other.capacity))

    def meets(self, pool: KarpenterPool, machine: Machine) -> Verdict:
        """Whether it applies to an instance type of a NodePool."""
        each = {_met(pool, machine, key, values) for key, values in self.required.items()}
        return Verdict.CANNOT if Verdict.CANNOT in each else Verdict.UNKNOWN if Verdict.UNKNOWN in each else Verdict.FITS


_Met: TypeAlias = Mapping[tuple[str, str], Sequence[Verdict]]
"""Whether each overlay applies to each instance type, by the address of the NodePool and the name of the overlay."""


def overlaid(pools: Sequence[KarpenterPool], overlays: Iterable[Overlay], *, is_certain: bool) -> tuple[KarpenterPool, ...]:
    """The NodePools with what overlays add to their instance types. `is_certain`: their Karpenter applies overlays."""
    found = sorted(overlays, key=lambda one: one.order)
    met = {(pool.address, one.name): [one.meets(pool, machine) for machine in pool.cloud.index.machines] for pool in pools for one in found}
    doubts = frozenset(
        one.name for place, one in enumerate(found) if not is_certain or any(_conflict(one, before, pools, met) for before in found[:place])
    )
    return tuple(_with_overlays(pool, found, met, doubts) for pool in pools)


def _conflict(one: Overlay, before: Overlay, pools: Iterable[KarpenterPool], met: _Met) -> bool:
    """An instance type may meet both, and both set the same: the second is then not applied."""
    pairs = ((met[pool.address, one.name], met[pool.address, before.name]) for pool in pools)
    return one.competes(before) and any(Verdict.CANNOT not in both for each in pairs for both in zip(*each, strict=True))


def _with_overlays(pool: KarpenterPool, overlays: Sequence[Overlay], met: _Met, doubts: frozenset[str]) -> KarpenterPool:
    index = pool.cloud.index
    machines: list[Machine] = []
    for place, machine in enumerate(index.machines):
        verdicts = {one.name: met[pool.address, one.name][place] for one in overlays}
        changed = {resource: _amount(machine, resource, overlays, verdicts, doubts) for one in overlays for resource in one.capacity}
        machines.append(replace(machine, offers={**machine.offers, **changed}))
    notes = [note for one in overlays if (note := _note(one, met[pool.address, one.name], is_doubtful=one.name in doubts))]
    cloud = replace(pool.cloud, index=TypeIndex(tuple(machines), index.well_known, index.rare))
    return replace(pool, cloud=cloud, assumed=(*pool.assumed, *notes), known={})


def _amount(machine: Machine, resource: str, overlays: Iterable[Overlay], met: Mapping[str, Verdict], doubts: frozenset[str]) -> Bounds:
    """The first overlay that is certain to apply decides; each one before it may."""
    possible: list[Bounds] = []
    for one in overlays:
        amount = one.capacity.get(resource)
        if amount is not None and met[one.name] is not Verdict.CANNOT:
            possible.append(Bounds(amount, amount))
            if met[one.name] is Verdict.FITS and one.name not in doubts:
                return hull(possible)
    return hull([*possible, machine.offers.get(resource, UNKNOWN_AMOUNT)])


def _note(one: Overlay, met: Iterable[Verdict], *, is_doubtful: bool) -> str:
    """What an overlay changes in a NodePool; empty: nothing."""
    verdicts = set(met)
    if verdicts <= {Verdict.CANNOT}:
        return ""
    added = [f"{quantity} `{resource}`" for resource, quantity in one.declared.capacity.items()]
    price = [f"the price {one.price} for Karpenter's choice, not for `cost`"] if one.price is not None else []
    gives = "may give" if is_doubtful or Verdict.FITS not in verdicts else "gives"
    return f"NodeOverlay `{one.name}` {gives} its instance types {' and '.join([*added, *price])}" if added or price else ""


def _met(pool: KarpenterPool, machine: Machine, key: str, values: Values) -> Verdict:
    if key == POOL or key in pool.labels:
        return _of(is_met=values.overlaps(Values.of(Operator.IN, [pool.name if key == POOL else pool.labels[key]])))
    if key in machine.labels:
        value = machine.labels[key]
        if value is None and key in TYPE_KEYS and not values.complement and values.members <= {one.name for one in pool.cloud.index.machines}:
            return Verdict.CANNOT  # it stands for all types that the tables do not have
        return Verdict.UNKNOWN if value is None else _of(is_met=value in values)
    if key in pool.choices:
        return pool.choices[key].verdict(values)
    return Verdict.UNKNOWN if pool.cloud.index.decides(key) and not pool.cloud.index.knows(key) else _of(is_met=values.permits_absence)


def _of(*, is_met: bool) -> Verdict:
    return Verdict.FITS if is_met else Verdict.CANNOT
