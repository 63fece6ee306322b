"""Capacity reservations, local disks and placement groups of a NodeClass, together with its NodePools. Facts: docs/facts/eks.md N14 to N17."""

from collections.abc import Iterator

from nodepools.data.eks_instance_types import eks_instance_types, requirements_of
from nodepools.keys import eks as keys
from nodepools.model.eks.auto_mode import BUILT_IN_CLASS, AutoMode, EksNodePool
from nodepools.model.eks.node_class import CapacityReservationTerm, EksNodeClass, PlacementGroup
from nodepools.model.kubernetes.quantity import amount
from nodepools.rules.engine.finding import PartFinding, Severity
from nodepools.rules.engine.fix import add
from nodepools.rules.engine.registry import Sample, finding, rule
from nodepools.rules.engine.samples import AMD64, KEPT_A_WHILE, ON_DEMAND, auto_mode, eks_pool
from nodepools.rules.platform.labels import allowed_values

_GUIDE = "https://docs.aws.amazon.com/eks/latest/userguide/create-node-class.html"
_RESERVED = EksNodeClass(capacity_reservations=[CapacityReservationTerm(id="cr-1")])
_GIBIBYTE = 1024**3


@rule(
    "EKS053",
    Severity.WARNING,
    source=f"{_GUIDE}: no NodeClass of the cluster uses open reservations any more",
    sample=Sample("auto_mode.node_classes.other", lambda: auto_mode(classes={"reserved": _RESERVED, "other": EksNodeClass()})),
)
def open_reservations_not_used(auto: AutoMode) -> Iterator[PartFinding]:
    """Once a NodeClass selects capacity reservations, no other NodeClass of the cluster uses open ones."""
    if any(declared.capacity_reservations for declared in auto.node_classes.values()):
        for name, declared in auto.node_classes.items():
            if not declared.capacity_reservations:
                message = f"Nodes of the NodeClass `{name}` use no capacity reservations, not even open ones: another NodeClass selects some"
                fix = "Select the reservations here too, if this NodeClass needs any"
                yield finding(auto, message, path=("node_classes", name), value=name, fix=fix)


@rule(
    "EKS054",
    Severity.WARNING,
    source=f"{_GUIDE}: reserved capacity is used by pools whose capacity type allows it",
    sample=Sample("auto_mode.node_pools.web.requirements[0]", lambda: auto_mode({"web": eks_pool(node_class="reserved")}, {"reserved": _RESERVED})),
)
def unused_capacity_reservations(pool: EksNodePool, auto: AutoMode) -> Iterator[PartFinding]:
    """A NodePool uses the capacity reservations of its NodeClass only if its capacity types include `reserved`."""
    declared = auto.node_classes.get(pool.node_class) if pool.node_class is not None else None
    for index, requirement in enumerate(pool.requirements):
        if (
            declared is not None
            and declared.capacity_reservations
            and requirement.label == keys.capacity_type.name
            and "reserved" not in requirement.allowed
        ):
            message = "The NodePool never uses the capacity reservations of its NodeClass: its capacity types do not include `reserved`"
            fix = add(("requirements", index, "values"), "reserved") if requirement.operator == "In" else "Allow the capacity type `reserved`"
            yield finding(pool, message, path=("requirements", index), fix=fix)


@rule(
    "EKS130",
    Severity.ERROR,
    source="https://docs.aws.amazon.com/eks/latest/userguide/auto-odcr.html, 2026: nodes in open reservations without a selector are on-demand",
    sample=Sample(
        "auto_mode.node_pools.web.requirements",
        lambda: auto_mode(
            {"web": eks_pool(requirements=[AMD64, keys.capacity_type.one_of("reserved")], node_class="own", **KEPT_A_WHILE)}, {"own": EksNodeClass()}
        ),
    ),
)
def reserved_capacity_not_selected(pool: EksNodePool, auto: AutoMode) -> Iterator[PartFinding]:
    """Nodes are `reserved` only if their NodeClass selects capacity reservations."""
    capacity = allowed_values(pool, keys.capacity_type.name)
    if "reserved" not in capacity or "on-demand" in capacity or "spot" in capacity:
        return
    name = pool.node_class if pool.node_class is not None else BUILT_IN_CLASS
    declared = auto.node_classes.get(name)
    is_built_in = name == BUILT_IN_CLASS and bool(auto.built_in_node_pools)
    selects = not is_built_in if declared is None else declared.selects_reservations  # of a class that is not here nothing is certain
    if selects is False:
        message = f"No node is ever launched: only reserved capacity is allowed, and the NodeClass `{name}` selects no capacity reservation"
        where = (
            f"Select capacity reservations in the NodeClass `{name}`"
            if declared is not None
            else "Use a NodeClass that selects capacity reservations"
        )
        yield finding(pool, message, path="requirements", value=None, fix=f"{where}, or allow the capacity type `on-demand`")


@rule(
    "EKS055",
    Severity.NOTE,
    source=f"{_GUIDE}: a disk as large as the local NVMe leaves that raw",
    sample=Sample(
        "auto_mode.node_pools.web.node_class",
        lambda: auto_mode(
            {"web": eks_pool(requirements=[ON_DEMAND, AMD64, keys.instance_type.one_of(*_WITH_NVME)], node_class="own")},
            {"own": EksNodeClass(ephemeral_storage="500Gi")},
        ),
    ),
)
def unused_local_disks(pool: EksNodePool, auto: AutoMode) -> Iterator[PartFinding]:
    """Local NVMe disks hold the ephemeral data of pods only if they are larger than the disk of the NodeClass."""
    declared = auto.node_classes.get(pool.node_class) if pool.node_class is not None else None
    if declared is None:
        return
    table = eks_instance_types()
    sizes = [int(table.types[name].labels.get(keys.instance_local_nvme.name, 0)) for name in table.admitted(requirements_of(pool.requirements))]
    if sizes and 0 < max(sizes) * _GIBIBYTE <= amount(str(declared.ephemeral_storage)) and min(sizes) > 0:
        message = (
            f"The local NVMe disks of these instances (`{min(sizes)}Gi` or more) stay unused: "
            f"they are not larger than the disk of the NodeClass `{pool.node_class}`"
        )
        yield finding(pool, message, path="node_class")


@rule(
    "EKS058",
    Severity.NOTE,
    source=f"{_GUIDE}, 2026-05-05: placementGroupSelector; EC2: a cluster placement group lies in one zone",
    sample=Sample(
        "auto_mode.node_pools.web.node_class",
        lambda: auto_mode({"web": eks_pool(node_class="own")}, {"own": EksNodeClass(placement_group=PlacementGroup(name="hpc"))}),
    ),
)
def placement_group_without_zone(pool: EksNodePool, auto: AutoMode) -> Iterator[PartFinding]:
    """A cluster placement group is in one zone: a NodePool that uses it requires that zone."""
    declared = auto.node_classes.get(pool.node_class) if pool.node_class is not None else None
    together = requirements_of(pool.requirements, pool.labels.items())
    zones = [together[key] for key in (keys.zone.name, keys.zone_id.name) if key in together]
    if declared is not None and declared.placement_group is not None and not any(len(zone.members) == 1 and not zone.complement for zone in zones):
        message = (
            f"Pods bound to other zones stay Pending if the placement group of the NodeClass `{pool.node_class}` is a cluster placement group, "
            "which is in one zone"
        )
        yield finding(pool, message, path="node_class")


_WITH_NVME = ("m6id.large", "m5d.large", "c6id.large", "r6id.large")
