"""How much of a node is left for pods: CPU, memory and the number of pods, as its kubelet reserves them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from nodepools.placement.allocatable import spelled
from nodepools.placement.cluster_pools import Pools
from nodepools.placement.eks_kubelet import PODS
from nodepools.placement.machine_index import UNKNOWN_AMOUNT, Bounds, Machine
from nodepools.placement.node_pools import KarpenterPool

_SHOWN = ("cpu", "memory", PODS)


@dataclass(frozen=True, slots=True)
class RoomOnNode:
    """What a node of a pool has for pods, those of DaemonSets included. Bounds are in thousandths."""

    pool: str
    machine: str
    """The instance type or VM size; empty: one of several."""
    offers: Mapping[str, Bounds]

    def to_json(self) -> dict[str, object]:
        """As plain data; amounts as Kubernetes spells them, and `null` where they are not known."""
        amounts = {name: _json(name, self.offers.get(name, UNKNOWN_AMOUNT)) for name in _SHOWN}
        return {"pool": self.pool, "type": self.machine if self.machine else None, **amounts}

    def __str__(self) -> str:
        parts = ", ".join(f"{name} {_text(name, self.offers.get(name, UNKNOWN_AMOUNT))}" for name in _SHOWN)
        return f"{self.pool}{f' on {self.machine}' if self.machine else ''}: {parts}"


def rooms(pools: Pools) -> Iterator[RoomOnNode]:
    """The room on a node of each pool; of a NodePool, on its smallest and its largest known type."""
    for pool in pools.static:
        offers = dict(pool.offers) if pool.offers is not None else {}
        if pool.max_pods is not None:
            offers[PODS] = Bounds(pool.max_pods * 1000, pool.max_pods * 1000)
        yield RoomOnNode(pool.address, pool.size, offers)
    for place in pools.provisioned:
        yield from (RoomOnNode(place.address, machine.name, machine.offers) for machine in _ends(place))


def _ends(place: KarpenterPool) -> list[Machine]:
    known = [machine for machine in place.cloud.index.taken(place.affordable.possible) if machine.name and _cpu(machine)]
    known.sort(key=lambda machine: (_cpu(machine), machine.offers.get("memory", UNKNOWN_AMOUNT).most or 0, machine.name))
    return known if len(known) < 2 else [known[0], known[-1]]  # noqa: PLR2004  # the smallest and the largest


def _cpu(machine: Machine) -> int:
    most = machine.offers.get("cpu", UNKNOWN_AMOUNT).most
    return 0 if most is None else most


def _json(name: str, bounds: Bounds) -> dict[str, str | None]:
    return {"at_least": spelled(name, bounds.least), "at_most": None if bounds.most is None else spelled(name, bounds.most)}


def _text(name: str, bounds: Bounds) -> str:
    if bounds.most is None:
        return f"at least {spelled(name, bounds.least)}" if bounds.least else "unknown"
    most = spelled(name, bounds.most)
    return most if bounds.least == bounds.most else f"{spelled(name, bounds.least)} to {most}"
