"""Capacity reservations, local disks and placement groups: what a NodeClass and its pools say together. Facts: docs/facts/eks.md N14 to N17."""

from collections.abc import Iterator

from nodepools.data.eks_instance_types import asked, eks_instance_types
from nodepools.keys import eks as keys
from nodepools.model.eks.auto_mode import BUILT_IN_CLASS, AutoMode, EksNodePool
from nodepools.model.eks.node_class import CapacityReservationTerm, EksNodeClass, PlacementGroup
from nodepools.model.kubernetes.quantity import amount
from nodepools.rules.finding import PartFinding, Severity
from nodepools.rules.labels import asked as asked_of
from nodepools.rules.registry import finding, rule
from nodepools.rules.samples import AMD64, ON_DEMAND, auto_mode, eks_pool

_GUIDE = "https://docs.aws.amazon.com/eks/latest/userguide/create-node-class.html"
_RESERVED = EksNodeClass(capacity_reservations=[CapacityReservationTerm(id="cr-1")])
_GIBIBYTE = 1024**3
_OTHER_CLASS = 'Use a NodeClass of your own with capacity_reservations, or allow "on-demand"'


@rule(
    "EKS053",
    Severity.WARNING,
    source=f"{_GUIDE}: no NodeClass of the cluster uses open reservations any more",
    sample=lambda: auto_mode(classes={"reserved": _RESERVED, "other": EksNodeClass()}),
)
def open_reservations_not_used(auto: AutoMode) -> Iterator[PartFinding]:
    """Where one class names its capacity reservations, no other uses open ones by itself."""
    if any(declared.capacity_reservations for declared in auto.node_classes.values()):
        for name, declared in auto.node_classes.items():
            if not declared.capacity_reservations:
                fix = "name its reservations too, if it should use some"
                yield finding(auto, "uses no open reservation, since another class names its own", at=("node_classes", name), value=name, fix=fix)


@rule(
    "EKS054",
    Severity.WARNING,
    source=f"{_GUIDE}: reserved capacity is used by pools whose capacity type allows it",
    sample=lambda: auto_mode({"web": eks_pool(node_class="reserved")}, {"reserved": _RESERVED}),
)
def unused_capacity_reservations(pool: EksNodePool, auto: AutoMode) -> Iterator[PartFinding]:
    """A pool uses the reservations of its class only if its capacity types have `reserved` among them."""
    declared = auto.node_classes.get(pool.node_class) if pool.node_class is not None else None
    for index, requirement in enumerate(pool.requirements):
        if (
            declared is not None
            and declared.capacity_reservations
            and requirement.key == keys.capacity_type.name
            and "reserved" not in requirement.allowed
        ):
            yield finding(pool, "leaves out reserved: the reservations of its class are never used", at=("requirements", index), fix='add "reserved"')


@rule(
    "EKS130",
    Severity.ERROR,
    source="https://docs.aws.amazon.com/eks/latest/userguide/auto-odcr.html, 2026: nodes in open reservations without a selector are on-demand",
    sample=lambda: auto_mode(
        {"web": eks_pool(requirements=[AMD64, keys.capacity_type.one_of("reserved")], node_class="own")}, {"own": EksNodeClass()}
    ),
)
def reserved_capacity_not_selected(pool: EksNodePool, auto: AutoMode) -> Iterator[PartFinding]:
    """Nodes are `reserved` only where their NodeClass selects capacity reservations: a pool of nothing else has such a class."""
    capacity = asked_of(pool, keys.capacity_type.name)
    if "reserved" not in capacity or "on-demand" in capacity or "spot" in capacity:
        return
    name = pool.node_class if pool.node_class is not None else BUILT_IN_CLASS
    declared = auto.node_classes.get(name)
    is_built_in = name == BUILT_IN_CLASS and bool(auto.built_in_node_pools)
    selects = not is_built_in if declared is None else declared.selects_reservations  # of a class that is not here nothing is certain
    if selects is False:
        message = f"Reserved capacity alone is allowed, and the NodeClass `{name}` selects no capacity reservation: no node is ever launched"
        fix = f'Select capacity reservations in the NodeClass `{name}`, or allow "on-demand"' if declared is not None else _OTHER_CLASS
        yield finding(pool, message, at="requirements", value=None, fix=fix)


@rule(
    "EKS055",
    Severity.NOTE,
    source=f"{_GUIDE}: a disk as large as the local NVMe leaves that raw",
    sample=lambda: auto_mode(
        {"web": eks_pool(requirements=[ON_DEMAND, AMD64, keys.instance_type.one_of(*_WITH_NVME)], node_class="own")},
        {"own": EksNodeClass(ephemeral_storage="500Gi")},
    ),
)
def unused_local_disks(pool: EksNodePool, auto: AutoMode) -> Iterator[PartFinding]:
    """Local NVMe disks hold the pods' ephemeral data only if they are larger than the disk that the class asks for."""
    declared = auto.node_classes.get(pool.node_class) if pool.node_class is not None else None
    if declared is None:
        return
    table = eks_instance_types()
    sizes = [int(table.types[name].labels.get(keys.instance_local_nvme.name, 0)) for name in table.admitted(asked(pool.requirements))]
    if sizes and 0 < max(sizes) * _GIBIBYTE <= amount(str(declared.ephemeral_storage)) and min(sizes) > 0:
        fix = f"ask for less than {min(sizes)}Gi of ephemeral_storage, or use the raw disks"
        yield finding(pool, "gives nodes NVMe disks that stay raw: the class asks for a disk as large", at="node_class", fix=fix)


@rule(
    "EKS058",
    Severity.NOTE,
    source=f"{_GUIDE}, 2026-05-05: placementGroupSelector; EC2: a cluster placement group lies in one zone",
    sample=lambda: auto_mode({"web": eks_pool(node_class="own")}, {"own": EksNodeClass(placement_group=PlacementGroup(name="hpc"))}),
)
def placement_group_without_zone(pool: EksNodePool, auto: AutoMode) -> Iterator[PartFinding]:
    """A cluster placement group lies in one zone: a pool of its class names that zone, or pods that must be elsewhere wait for nodes in vain."""
    declared = auto.node_classes.get(pool.node_class) if pool.node_class is not None else None
    together = asked(pool.requirements, pool.labels.items())
    zones = [together[key] for key in (keys.zone.name, keys.zone_id.name) if key in together]
    if declared is not None and declared.placement_group is not None and not any(len(zone.members) == 1 and not zone.complement for zone in zones):
        fix = "if it is a cluster group, ask for its zone"
        yield finding(pool, "does not say the zone of the placement group of its class", at="node_class", fix=fix)


_WITH_NVME = ("m6id.large", "m5d.large", "c6id.large", "r6id.large")
