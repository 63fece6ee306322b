"""The pools of an EKS cluster as placement sees them, with their region, zones and capacity types. Facts: docs/facts/eks.md § 1.3, 2, 3.4 and 4.3."""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Final, TypeAlias

from nodepools.data.eks_instance_types import TOO_SMALL, InstanceType, eks_instance_types
from nodepools.data.version_support import minor
from nodepools.keys import eks
from nodepools.keys.kinds import Key
from nodepools.model.eks.cluster import REFUSED_ZONES, EksClusterArgs, EksNetworkArgs, default_zone_count, most_zones
from nodepools.model.eks.node_class import BUILT_IN_CLASS, EksNodeClass, EksNodePool
from nodepools.model.eks.node_class_names import class_name, class_role
from nodepools.model.karpenter import NodePool, Requirement
from nodepools.model.kubernetes.label import Taint
from nodepools.model.kubernetes.pod import Expression, Term, thousandths
from nodepools.model.kubernetes.raw_fields import entries, mapping, text
from nodepools.model.kubernetes.volumes import VolumeClass
from nodepools.model.ref import Ref
from nodepools.model.values import dataclass
from nodepools.placement.allocatable import disk, eks_offers
from nodepools.placement.cloud_labels import (
    CAPACITY,
    HOSTNAME,
    KARPENTER_LABELS,
    NODE_GROUP,
    REGION,
    UNRESERVED,
    ZONE,
    ZONE_ID,
    Cloud,
    ExistingClass,
    LabelValues,
    OfClass,
    RawObject,
    found,
    unknown,
)
from nodepools.placement.machine_index import UNKNOWN_AMOUNT, Bounds, Machine, TypeIndex
from nodepools.placement.node_pools import ClusterPools, KarpenterPool, overridden, provisioned

Count: TypeAlias = tuple[int, int | None]
"""The fewest and the most values, known or not."""
_TWO_OR_MORE: Count = (2, None)
"""A cluster is in at least two zones."""
_ANY: Count = (1, None)
_OF_AN_ID: Final = r"-(az[1-6]|(?!az[0-9]+$).+)"
"""No region has more than six availability zones; Local Zones and Wavelength Zones have a name of their own in the ID."""
_ZONE_ID = re.compile(rf"[a-z]+[0-9]+{_OF_AN_ID}")
_ZONE_OF_REGION = re.compile(r"(?P<region>[a-z]{2,4}(?:-[a-z]+)+-[0-9]+)(?:[a-z]|-[a-z0-9-]+)")
_REGION_IN_IDS = re.compile(r"(?P<partition>[a-z]{2})(?:-(?P<gov>g)ov)?-(?P<first>[a-z])[a-z]*?(?P<second>east|west)?-(?P<number>[0-9]+)")


def eks_choices(
    region: str, zones: Iterable[str] = (), many: Count = _TWO_OR_MORE, *, own_subnets: bool = False, refused: Iterable[str] = ()
) -> dict[str, LabelValues]:
    """Label values of a declared cluster with so many zones, none `refused`. They are known by name or by ID: neither follows from the other."""
    names = frozenset(zone for zone in zones if zone.startswith(region))
    ids = frozenset(zones) - names
    return {
        REGION: LabelValues(frozenset({region})),
        ZONE: _declared(names, re.compile(rf"{re.escape(region)}[a-z]|{re.escape(region)}-[a-z0-9-]+"), many, own_subnets=own_subnets),
        ZONE_ID: _declared(ids, re.compile(rf"(?!({'|'.join((*refused, 'none'))})$){_in_ids(region)}{_OF_AN_ID}"), many, own_subnets=own_subnets),
    }


def _in_ids(region: str) -> str:
    """The pattern of a region in the ids of its zones: `apse2` of `ap-southeast-2`. It is not known of regions of isolated partitions."""
    match = _REGION_IN_IDS.fullmatch(region)
    return (
        r"[a-z]+[0-9]+" if match is None else "".join(part[0] if name != "partition" else part for name, part in match.groupdict("").items() if part)
    )


def eks_capacities(*, selected: bool | None) -> LabelValues:
    """Only node classes that select reservations have reserved capacity; without a selector, Auto Mode reports `on-demand`."""
    if selected is False:
        return UNRESERVED
    reason = "NodePool requires reserved capacity: whether its node class selects a reservation cannot be determined offline"
    return LabelValues(UNRESERVED.certain, possible=frozenset({"reserved"}), unknown_reason=reason if selected is None else "")


def _declared(values: frozenset[str], pattern: re.Pattern[str], many: Count, *, own_subnets: bool) -> LabelValues:
    """A node class with its own subnets can be in other zones than the cluster."""
    if values and not own_subnets:
        return LabelValues(values)
    least, most = _ANY if own_subnets else many
    return LabelValues(may_include=lambda value: pattern.fullmatch(value) is not None, min_count=least, max_count=most)


def eks_choices_of(node_class: RawObject, regions: frozenset[str]) -> dict[str, LabelValues]:
    """Label values of a running cluster: the status of the node class has its subnets, each with the name and the ID of its zone."""
    shown = entries(mapping(node_class, "status"), "subnets")
    subnets = [(text(subnet.get("zone"), "zone"), text(subnet.get("zoneID"), "zoneID")) for subnet in shown]
    names, ids = frozenset(name for name, _ in subnets if name), frozenset(of for _, of in subnets if of)
    within = frozenset(match["region"] for name in names if (match := _ZONE_OF_REGION.fullmatch(name)) is not None)
    return {
        REGION: found(within if len(within) == 1 else regions),
        ZONE: LabelValues(names) if names else unknown(lambda zone: _is_zone(zone, regions)),
        ZONE_ID: LabelValues(ids) if ids else unknown(lambda zone: _ZONE_ID.fullmatch(zone) is not None),
    }


def _is_zone(zone: str, regions: frozenset[str]) -> bool:
    match = _ZONE_OF_REGION.fullmatch(zone)
    return match is not None and (not regions or match["region"] in regions)


@dataclass(frozen=True, slots=True)
class EksPools:
    """The pools of an EKS cluster: all are NodePools."""

    cluster: EksClusterArgs

    def pools(self, key: str, stem: str) -> ClusterPools:
        """The built-in NodePools that are on, then the declared ones."""
        fields, classes = overridden(key, self.cluster.node_pools.items()), tuple(eks_classes(self.cluster))
        version = minor(self.cluster.kubernetes_version)
        return ClusterPools(key, (), tuple(self._all(key, stem)), fields, classes, minor=version, adds_node_selectors=False)

    def _all(self, key: str, stem: str) -> Iterator[KarpenterPool]:
        built_in = eks_cloud().built_in
        for name in self.cluster.built_in_node_pools:
            yield self._pool(f"{key}/{name}", stem, built_in[name], labels={})
        for name, pool in self.cluster.node_pools.items():
            yield self._pool(f"{key}/{name}", stem, pool, labels=pool.node_labels(name))

    def _pool(self, address: str, stem: str, pool: NodePool, *, labels: Mapping[str, str]) -> KarpenterPool:
        class_key = _class_of(pool)
        choices = self.locations(pool)
        return provisioned(address, eks_cloud(), pool, labels, cluster=eks_class(stem, self.cluster, class_key), choices=choices)

    def locations(self, pool: NodePool) -> Mapping[str, LabelValues]:
        """The regions and zones that nodes of a NodePool can be in."""
        key = _class_of(pool)
        own = own_subnets(self.cluster, key)
        refused = () if own or self._is_apart(key) else REFUSED_ZONES
        return eks_choices(self.cluster.region, self._zones, self._zone_count(key), own_subnets=own, refused=refused)

    def _is_apart(self, class_key: str) -> bool:
        """Nodes are in other subnets than the control plane."""
        network = self.cluster.network
        return not isinstance(network, EksNetworkArgs) and bool(network.control_plane_subnet_ids) and class_key != BUILT_IN_CLASS

    @property
    def _zones(self) -> tuple[str, ...]:
        """Zones of the VPC that the cluster creates; those of an existing VPC cannot be determined offline."""
        return tuple(self.cluster.network.zones) if isinstance(self.cluster.network, EksNetworkArgs) else ()

    def _zone_count(self, class_key: str) -> tuple[int, int]:
        """The fewest and the most zones of nodes in the network of the cluster. The control plane is in at least two, and never in a local zone."""
        network, region = self.cluster.network, self.cluster.region
        if isinstance(network, EksNetworkArgs):
            count = len(self._zones) if self._zones else default_zone_count(region)
            return count, count
        if self._is_apart(class_key):
            return 1, len(network.private_subnet_ids)
        subnets = network.control_plane_subnet_ids if network.control_plane_subnet_ids else network.private_subnet_ids
        most = min(len(subnets), most_zones(region))
        return min(2, most), most


def _class_of(pool: NodePool) -> str:
    return pool.node_class if pool.node_class is not None else BUILT_IN_CLASS


_ON_AUTO_MODE: Final = (Term((Expression("eks.amazonaws.com/compute-type", "In", ("auto",)),)),)


def eks_classes(cluster: EksClusterArgs) -> Iterator[VolumeClass]:
    """It creates volumes in the zone of the pod, on nodes of Auto Mode."""
    declared = cluster.objects.storage_class
    if declared is not None:
        yield VolumeClass(declared.name, "ebs.csi.eks.amazonaws.com", topologies=_ON_AUTO_MODE, is_default=declared.default, is_zonal=True)


RESERVATION_LABELS = ("capacity-reservation-id", "capacity-reservation-interruptible", "capacity-reservation-type")
"""Names of the labels that only reserved nodes have."""
WINDOWS_BUILD = "node.kubernetes.io/windows-build"
_RARE = frozenset({*(f"eks.amazonaws.com/{name}" for name in (*RESERVATION_LABELS, "placement-group-id")), WINDOWS_BUILD})
"""Labels that few nodes have."""
NODE_GROUP_CAPACITY: Final = "eks.amazonaws.com/capacityType"
NODE_GROUP_LABELS: Final = {
    NODE_GROUP: "",
    "eks.amazonaws.com/nodegroup-image": "",
    NODE_GROUP_CAPACITY: CAPACITY,
    "eks.amazonaws.com/sourceLaunchTemplateId": "",
    "eks.amazonaws.com/sourceLaunchTemplateVersion": "",
}
"""Labels of managed node groups (https://docs.aws.amazon.com/eks/latest/userguide/managed-node-groups.html, 2026-11)."""
_REQUIREMENTS: Final = (
    Requirement(CAPACITY, "In", ["on-demand"]),
    Requirement("eks.amazonaws.com/instance-category", "In", ["c", "m", "r"]),
    Requirement("eks.amazonaws.com/instance-generation", "Gt", ["4"]),
    Requirement("kubernetes.io/os", "In", ["linux"]),
)
_BUILT_IN: Final[Mapping[str, EksNodePool]] = {
    "general-purpose": EksNodePool(requirements=[*_REQUIREMENTS, Requirement("kubernetes.io/arch", "In", ["amd64"])]),
    "system": EksNodePool(
        requirements=[*_REQUIREMENTS, Requirement("kubernetes.io/arch", "In", ["amd64", "arm64"])],
        taints=[Taint("CriticalAddonsOnly", "", "NoSchedule")],
    ),
}


@cache
def eks_cloud() -> Cloud:
    """EKS Auto Mode."""
    types = eks_instance_types().types
    index = TypeIndex(tuple(map(_ec2, types.values())), rare=_RARE)
    own = {key.name for key in vars(eks).values() if isinstance(key, Key)} | _RARE
    return Cloud(
        "eks",
        KARPENTER_LABELS | own,
        frozenset({"karpenter.sh", "karpenter.k8s.aws"}),
        ("eks.amazonaws.com", "node.kubernetes.io", "topology.k8s.aws"),
        frozenset({HOSTNAME, "app.kubernetes.io/managed-by"}),
        EKS_CLASS,
        {"eks.amazonaws.com/compute-type": "auto"},
        _BUILT_IN,
        lambda regions: eks_choices_of({}, regions),
        index,
        agent_pool_label=NODE_GROUP,
        listed=frozenset({*types, *(f"{name.partition('.')[0]}.{size}" for name in types for size in TOO_SMALL)}),
        claims="EKS Auto Mode does not support dynamic resource allocation",  # docs/facts/eks.md
        volume_drivers={"ebs.csi.aws.com": "ebs.csi.eks.amazonaws.com"},
        foreign={**NODE_GROUP_LABELS, **dict(_self_managed(own))},
    )


def _self_managed(own: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The labels of self-managed Karpenter: the same names in another domain."""
    yield "karpenter.k8s.aws/ec2nodeclass", EKS_CLASS
    yield from ((f"karpenter.k8s.aws/{key.partition('/')[2]}", key) for key in own if key.startswith("eks.amazonaws.com/instance-"))


def _ec2(known: InstanceType) -> Machine:
    nvme = known.labels.get("eks.amazonaws.com/instance-local-nvme")
    return Machine(known.name, known.labels, eks_offers(known.cpu, known.memory_mib, known.devices, int(nvme) if nvme is not None else 0))


EKS_CLASS: Final = EksNodePool.class_label
_DISK: Final = "80Gi"
_MAX_STEM = 58
"""The part of a long key that is kept before the fingerprint."""


class _NotKnownError(Exception):
    """A reference that only Pulumi can resolve."""


def eks_class(stem: str, cluster: EksClusterArgs, key: str) -> OfClass:
    """A NodeClass of a declared cluster. Of one that is neither declared nor built in, only the name is known."""
    declared = cluster.auto_mode.node_classes.get(key)
    if declared is None:
        return existing_eks_class(key, "", reserves=False) if key == BUILT_IN_CLASS else existing_eks_class(key, None)
    capacities = {CAPACITY: eks_capacities(selected=declared.selects_reservations)}
    size = UNKNOWN_AMOUNT if "ephemeralStorage" in declared.overrides else _of_size(declared.ephemeral_storage)
    name = _name(stem, cluster, key, declared)
    if name is None:
        names = unknown(lambda value: value == key or value.startswith(f"{key[:_MAX_STEM]}-"))
        return OfClass(choices={EKS_CLASS: names, **capacities}, disk=size)
    return OfClass({EKS_CLASS: name}, capacities, size)


def own_subnets(cluster: EksClusterArgs, key: str) -> bool:
    """It may have other subnets than those of the cluster's network."""
    declared = cluster.auto_mode.node_classes.get(key)
    return key != BUILT_IN_CLASS if declared is None else bool(declared.subnets) or "subnetSelectorTerms" in declared.overrides


def _name(stem: str, cluster: EksClusterArgs, key: str, declared: EksNodeClass) -> str | None:
    def resolve(ref: Ref) -> str:
        if isinstance(ref, str):
            return ref
        raise _NotKnownError

    if declared.name is not None:
        return declared.name
    try:
        return class_name(key, class_role(stem, cluster, key, declared, resolve), stem)
    except _NotKnownError:
        return None


def existing_eks_class(name: str, size: str | None, *, reserves: bool | None = None) -> OfClass:
    """A NodeClass of a running cluster: disk size as written, and whether it selects capacity reservations; both `None` if the class is not known."""
    disk_of = UNKNOWN_AMOUNT if size is None else _of_size(size if size else _DISK)
    return OfClass({EKS_CLASS: name}, {CAPACITY: eks_capacities(selected=reserves)}, disk_of)


def _of_size(size: object) -> Bounds:
    return disk(thousandths(size, "ephemeralStorage.size"))


def existing_eks(name: str, raw: RawObject | None, regions: frozenset[str]) -> ExistingClass:
    """Returns the properties of the nodes of a NodeClass. Their zones are those of the subnets in its status."""
    choices = eks_choices_of({} if raw is None else raw, regions)
    if raw is None:
        return existing_eks_class(name, None), choices
    size = text(mapping(mapping(raw, "spec"), "ephemeralStorage").get("size"), "ephemeralStorage.size")
    reserves = bool(entries(mapping(raw, "spec"), "capacityReservationSelectorTerms"))
    return existing_eks_class(name, size, reserves=reserves), choices
