"""Fields of a NodeClass of EKS Auto Mode, alone and together with its NodePools. Facts: docs/facts/eks.md N2, N5 to N17."""

import base64
import binascii
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import partial
from typing import Final

from nodepools.data.eks_instance_types import eks_instance_types, requirements_of
from nodepools.keys import eks as keys
from nodepools.model.base import Model
from nodepools.model.eks.cluster import EksClusterArgs, StorageClass
from nodepools.model.eks.ec2_node_class import Ec2NodeClass, Ec2PlacementGroup, SelfManagedKarpenter
from nodepools.model.eks.node_class import (
    BUILT_IN_CLASS,
    AdvancedNetworking,
    AutoMode,
    CapacityReservationTerm,
    CertificateBundle,
    EksNodeClass,
    EksNodePool,
    NetworkInterface,
    PlacementGroup,
    SelectorTerm,
)
from nodepools.model.karpenter import NodePool
from nodepools.model.kubernetes.quantity import amount
from nodepools.rules.eks.node_classes import whole_id
from nodepools.rules.engine.finding import Fix, Operation, PartFinding, add, certain, literal, ref, remove, set_to
from nodepools.rules.engine.registry import FILES_WITHOUT_FAMILY, Limit, Where, error, finding, limited, note, sample, warning
from nodepools.rules.engine.samples import AMD64, KEPT_A_WHILE, ON_DEMAND, auto_mode, eks, eks_pool
from nodepools.rules.platform.labels import allowed_values

_GUIDE = "https://docs.aws.amazon.com/eks/latest/userguide/create-node-class.html"
_reserved = partial(EksNodeClass.model_validate, {"capacity_reservations": [{"id": "cr-1"}]})
_GIBIBYTE = 1024**3
_ENCODE: Final = "Encode the PEM file: `base64 -w0 ca.pem`"


@warning("EKS053", f"{_GUIDE}: no NodeClass of the cluster uses open reservations any more")
@sample("auto_mode.node_classes.other", lambda: auto_mode(classes={"reserved": _reserved(), "other": EksNodeClass()}))
def open_reservations_not_used(auto: AutoMode) -> Iterator[PartFinding]:
    """Once a NodeClass selects capacity reservations, no other NodeClass of the cluster uses open ones."""
    if any(declared.capacity_reservations for declared in auto.node_classes.values()):
        for name, declared in auto.node_classes.items():
            if not declared.capacity_reservations:
                message = f"Because another NodeClass selects capacity reservations, nodes of the NodeClass `{name}` use none, not even open ones"
                fix = "Select the reservations here too, if this NodeClass needs any"
                yield finding(auto, message, path=("node_classes", name), value=name, fix=fix)


@warning("EKS054", f"{_GUIDE}: reserved capacity is used by pools whose capacity type allows it")
@sample("auto_mode.node_pools.web.requirements[0]", lambda: auto_mode({"web": eks_pool(node_class="reserved")}, {"reserved": _reserved()}))
def unused_capacity_reservations(pool: NodePool, auto: AutoMode | SelfManagedKarpenter) -> Iterator[PartFinding]:
    """A NodePool uses the capacity reservations of its NodeClass only if its capacity types include `reserved`."""
    declared = auto.node_classes.get(pool.node_class) if pool.node_class is not None else None
    reserves = declared is not None and bool(declared.capacity_reservations)
    for index, requirement in enumerate(pool.requirements):
        if reserves and requirement.label == keys.capacity_type.name and "reserved" not in requirement.allowed:
            message = "The NodePool never uses the capacity reservations of its NodeClass: its capacity types do not include `reserved`"
            fix = add(("requirements", index, "values"), "reserved") if requirement.operator == "In" else "Allow the capacity type `reserved`"
            yield finding(pool, message, path=("requirements", index), fix=fix)


@error("EKS130", "https://docs.aws.amazon.com/eks/latest/userguide/auto-odcr.html, 2026: nodes in open reservations without a selector are on-demand")
@sample(
    "auto_mode.node_pools.web.requirements",
    lambda: auto_mode(
        {"web": eks_pool(requirements=[AMD64, keys.capacity_type.one_of("reserved")], node_class="own", **KEPT_A_WHILE)}, {"own": EksNodeClass()}
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
    ids, required = [term.id for term in declared.capacity_reservations] if declared is not None else [], keys.capacity_reservation_id.name
    permitted = allowed_values(pool, required)
    is_other = selects and declared is not None and all(isinstance(one, str) and one not in permitted for one in ids)
    if selects is False or is_other:
        allowing, or_ = (
            (f" that `{required}` allows", f"change the requirement on `{required}`") if is_other else ("", "allow the capacity type `on-demand`")
        )
        message = f"No node is ever launched: only reserved capacity is allowed, and the NodeClass `{name}` selects no capacity reservation{allowing}"
        where = f"Select one in the NodeClass `{name}`" if declared is not None else "Use a NodeClass that selects capacity reservations"
        yield finding(pool, message, path="requirements", value=None, fix=f"{where}, or {or_}")


@note("EKS055", f"{_GUIDE}: a disk as large as the local NVMe leaves that raw")
@sample(
    "auto_mode.node_pools.web.node_class",
    lambda: auto_mode(
        {"web": eks_pool(requirements=[ON_DEMAND, AMD64, keys.instance_type.one_of(*_WITH_NVME)], node_class="own")},
        {"own": EksNodeClass(ephemeral_storage="500Gi")},
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
        disk = f"the disk of the NodeClass `{pool.node_class}` (`{declared.ephemeral_storage}`)"
        unused = f"Pods get no space on the local NVMe disks of these instances (`{min(sizes)}Gi` or more)"
        yield finding(pool, f"{unused}: EKS uses them only if they are larger than {disk}", path="node_class")


@note("EKS058", f"{_GUIDE}, 2026-05-05: placementGroupSelector; EC2: a cluster placement group lies in one zone")
@sample(
    "auto_mode.node_pools.web.node_class",
    lambda: auto_mode({"web": eks_pool(node_class="own")}, {"own": EksNodeClass(placement_group=PlacementGroup(name="hpc"))}),
)
def placement_group_without_zone(pool: EksNodePool, auto: AutoMode) -> Iterator[PartFinding]:
    """A cluster placement group is in one zone: a NodePool that uses it requires that zone."""
    declared = auto.node_classes.get(pool.node_class) if pool.node_class is not None else None
    together = requirements_of(pool.requirements, pool.labels.items())
    zones = [together[key] for key in (keys.zone.name, keys.zone_id.name) if key in together]
    if declared is not None and declared.placement_group is not None and not any(len(zone.members) == 1 and not zone.complement for zone in zones):
        group = f"the placement group of the NodeClass `{pool.node_class}` is a cluster placement group"
        yield finding(pool, f"Pods bound to other zones stay Pending if {group}, which is in one zone", path="node_class")


_WITH_NVME = ("m6id.large", "m5d.large", "c6id.large", "r6id.large")


_SOURCE = "https://docs.aws.amazon.com/eks/latest/userguide/create-node-class.html, 2026-07-21: networkInterfaces"
_efa = partial(NetworkInterface, device_index=1, interface_type="efa-only")


@error("EKS050", _SOURCE)
@sample("network_interfaces", lambda: AdvancedNetworking(network_interfaces=[_efa()]))
def invalid_network_interfaces(networking: AdvancedNetworking) -> Iterator[PartFinding]:
    """A node needs a primary interface (card 0, device 0, type `interface`) and has at most one interface for each device of a card."""
    interfaces = networking.network_interfaces
    places = [(interface.network_card_index, interface.device_index) for interface in interfaces]
    for index, (card, device) in enumerate(places):
        if (card, device) in places[:index]:
            free = next(number for number in range(len(places) + 1) if (card, number) not in places)
            message = f"Two network interfaces have card {card}, device {device}"
            yield finding(networking, message, path=("network_interfaces", index), fix=set_to(("network_interfaces", index, "device_index"), free))
    primary = places.index((0, 0)) if (0, 0) in places else None
    if interfaces and (primary is None or interfaces[primary].interface_type != "interface"):
        message = f"{ref('network_interfaces')} has no primary interface (card 0, device 0, type `interface`)"
        fix = _with_primary(networking) if primary is None else (set_to(("network_interfaces", primary, "interface_type"), "interface"),)
        yield finding(networking, message, path="network_interfaces", value=None, fix=fix)


def _with_primary(networking: AdvancedNetworking) -> tuple[Operation, ...]:
    """Adds a primary interface; AWS assigns no public address to nodes with several interfaces."""
    public = vars(networking)["associate_public_ip_address"] is True  # where it is not known, the finding stays
    several = (remove("associate_public_ip_address"),) if public else ()
    return (add("network_interfaces", NetworkInterface(network_card_index=0, device_index=0)), *several)


@error("EKS051", _SOURCE)
@sample("secondary_ipv4_prefix_count", lambda: NetworkInterface(secondary_ipv4_count=1, secondary_ipv4_prefix_count=1))
def conflicting_interface_addresses(interface: NetworkInterface) -> Iterator[PartFinding]:
    """An interface can have either additional addresses or prefixes, and only if it carries IP traffic on card 0."""
    given = [name for name in ("secondary_ipv4_count", "secondary_ipv4_prefix_count") if getattr(interface, name) is not None]
    carries = interface.interface_type == "interface" and interface.network_card_index == 0
    if len(given) > 1:
        fix = Fix(f"Remove {ref(given[1])} or {ref(given[0])}", (remove(given[1]),)) if carries else tuple(map(remove, given))
        yield finding(interface, f"{ref(given[1])} and {ref(given[0])} cannot both be set", path=given[1], fix=fix)
    elif given and not carries:
        only = "interfaces of the type `interface`" if interface.interface_type == "efa-only" else "interfaces of network card 0"
        yield finding(interface, f"{ref(given[0])} is only for {only}", path=given[0], fix=remove(given[0]))


@error("EKS052", f"{_SOURCE}; EC2: one EFA a network card, no public address with several interfaces")
@sample("associate_public_ip_address", lambda: AdvancedNetworking(network_interfaces=[NetworkInterface(), _efa()], associate_public_ip_address=True))
def conflicting_network_interfaces(networking: AdvancedNetworking | Ec2NodeClass) -> Iterator[PartFinding]:
    """EC2 allows one `efa-only` interface for each network card, and assigns no public address to a node with several interfaces."""
    is_own = isinstance(networking, Ec2NodeClass)  # its Karpenter asks for the address of the one interface that is not `efa-only`
    counted = [card for card in networking.network_interfaces if not is_own or card.interface_type == "interface"]
    if networking.associate_public_ip_address and len(counted) > 1:
        public = "associate_public_ip_address"
        yield finding(networking, f"EC2 rejects {ref(public)} for a node with several network interfaces", path=public, fix=remove(public))
    seen: set[int] = set()
    for index, card in enumerate(() if is_own else networking.network_interfaces):  # SMK018
        if card.interface_type == "efa-only" and card.network_card_index in seen:
            message = f"Network card {card.network_card_index} has more than one `efa-only` interface: EC2 allows one"
            fix = Fix("Remove the interface, or move it to another network card", (remove(("network_interfaces", index)),))
            yield finding(networking, message, path=("network_interfaces", index), fix=fix)
        if card.interface_type == "efa-only":
            seen.add(card.network_card_index)


_CRD = "NodeClass CRD of EKS Auto Mode (eks.amazonaws.com/v1)"
KMS_KEY = re.compile(r"arn:[a-z-]+:kms:[^:]+:[0-9]{12}:(key|alias)/.+|alias/.+|mrk-[0-9a-f]{32}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
GAP = re.compile(r"[1-4][89]Ti")
_LONGEST_NO_PROXY = 255
_ACCOUNT = re.compile(r"[0-9]{12}")


@warning("EKS027", f"{_GUIDE}, 2025-09-30: a temporary limitation")
@sample("instance_profile", lambda: EksNodeClass(instance_profile="nodes"))
def instance_profile_without_prefix(node_class: EksNodeClass) -> Iterator[PartFinding]:
    """EKS requires instance profiles whose name starts with `eks`; a NodeClass takes the name, not the ARN."""
    name = node_class.instance_profile
    if isinstance(name, str) and not name.startswith("eks"):
        short = name.rpartition("/")[2]
        fix = set_to("instance_profile", short) if short.startswith("eks") else "Use an instance profile whose name starts with `eks`"
        message = f"`{name}` is not the name of an instance profile for Auto Mode: such names start with `eks`"
        yield finding(node_class, message, path="instance_profile", fix=fix)


@error("EKS030", f"{_CRD}: empty tag keys or values aren't supported")
@sample("tags.team", lambda: SelectorTerm(tags={"team": ""}))
def empty_selector_tag(term: SelectorTerm | CapacityReservationTerm) -> Iterator[PartFinding]:
    """Tags in selectors have a key and a value; `*` matches any value."""
    yield from empty_tags(term, term.tags, "selector")


def empty_tags(term: Model, tags: Mapping[str, str], noun: str) -> Iterator[PartFinding]:
    """Yields the tags of a term of a node class that have no key or no value."""
    for key, value in tags.items():
        at = ("tags", key)
        if key == "":
            fix = remove(at) if len(tags) > 1 else "Use the key of a tag"
            yield finding(term, f"A tag of this {noun} has an empty key", path=at, value=key, fix=fix)
        elif value == "":
            fix = Fix(f"Set {ref(at)} to a value, or to {literal('*')} for any value", (set_to(at, "*"),))
            yield finding(term, f"The tag `{key}` of this {noun} has no value", path=at, value=key, fix=fix)


@error("EKS031", f"{_GUIDE}: podSubnetSelectorTerms and podSecurityGroupSelectorTerms go together")
@sample("pod_subnets", lambda: EksNodeClass(pod_subnets=[SelectorTerm(id="subnet-1")]))
def incomplete_pod_network(node_class: EksNodeClass) -> Iterator[PartFinding]:
    """Subnets for pods require security groups for pods, and vice versa."""
    if bool(node_class.pod_subnets) is not bool(node_class.pod_security_groups):
        field, other = ("pod_subnets", "pod_security_groups") if node_class.pod_subnets else ("pod_security_groups", "pod_subnets")
        fix = Fix(f"Add {ref(other)}, or remove {ref(field)}", (remove(field),))
        yield finding(node_class, f"{ref(field)} requires {ref(other)}", path=field, value=None, fix=fix)


@error("EKS032", f"{_CRD} of 2024-12: the pattern of ephemeralStorage.size leaves these out")
@sample("ephemeral_storage", lambda: EksNodeClass(ephemeral_storage="18Ti"))
def storage_size_rejected_by_pattern(node_class: EksNodeClass) -> Iterator[PartFinding]:
    """The pattern by which EKS validates disk sizes rejects 18Ti and 19Ti, 28Ti and 29Ti, 38Ti and 39Ti, 48Ti and 49Ti."""
    size = str(node_class.ephemeral_storage)
    if GAP.fullmatch(size):
        message = f"EKS rejects the disk size `{size}`: the pattern of the CRD does not accept this number of Ti"
        yield finding(node_class, message, path="ephemeral_storage", fix=certain(set_to("ephemeral_storage", f"{int(size[:-2]) * 1024}Gi")))


@error("EKS033", "https://docs.aws.amazon.com/eks/latest/userguide/auto-kms.html: id, key ARN, alias/name or alias ARN")
@sample("ephemeral_storage_kms_key_id", lambda: EksNodeClass(ephemeral_storage_kms_key_id="nodes"))
def invalid_kms_key(part: EksNodeClass | StorageClass) -> Iterator[PartFinding]:
    """A KMS key is given by its ID, its ARN, `alias/…` or the ARN of an alias."""
    field = "kms_key" if isinstance(part, StorageClass) else "ephemeral_storage_kms_key_id"
    key = getattr(part, field)
    if isinstance(key, str) and not KMS_KEY.fullmatch(key):
        near = f"alias/{key}" if re.fullmatch(r"[A-Za-z0-9_-]+", key) else "alias/nodes"
        message = f"`{key}` is not the ID, the ARN or an alias of a KMS key"
        yield finding(part, message, path=field, fix=f"Use the ID or an alias of the key, such as `{near}`")


@error("EKS034", f"{_GUIDE}: capacityReservationSelectorTerms; open-source Karpenter: id excludes the others")
@sample("capacity_reservations[0]", lambda: EksNodeClass(capacity_reservations=[CapacityReservationTerm()]))
def invalid_reservation_selector(node_class: EksNodeClass) -> Iterator[PartFinding]:
    """Capacity reservations are selected by ID, or by tags and owner; the owner is a 12-digit account ID."""
    for index, term in enumerate(node_class.capacity_reservations):
        if term.id is None and not term.tags:
            fix = f"Set {ref(('capacity_reservations', index, 'id'))} or {ref(('capacity_reservations', index, 'tags'))}"
            message = "This capacity reservation term selects nothing: it has neither an ID nor tags"
            yield finding(node_class, message, path=("capacity_reservations", index), fix=fix)
        if isinstance(term.id, str) and not re.fullmatch(r"cr-[0-9a-z]+", term.id):
            yield finding(term, f"`{term.id}` is not the ID of a capacity reservation", path="id", fix=whole_id(term.id, "cr"))
        others = [name for name, is_set in (("tags", bool(term.tags)), ("owner", term.owner is not None)) if is_set]
        if term.id is not None and others:
            message = f"{ref('id')} cannot be combined with {ref(others[0])} in one capacity reservation term"
            fix = Fix(f"Remove {' and '.join(map(ref, others))}, or split the term in two", tuple(map(remove, others)))
            yield finding(term, message, path="id", fix=fix)
        if term.owner is not None and not _ACCOUNT.fullmatch(term.owner):
            digits = re.sub(r"[ -]", "", term.owner)
            fix = set_to("owner", digits) if _ACCOUNT.fullmatch(digits) else "Use all 12 digits of the account ID, in quotes, with leading zeros"
            yield finding(term, f"`{term.owner}` is not the ID of an AWS account (12 digits)", path="owner", fix=fix)


@error("EKS035", f"{_GUIDE}: certificateBundles")
@sample("data", lambda: CertificateBundle(name="own", data="-----BEGIN"))
def certificate_not_base64(bundle: CertificateBundle) -> Iterator[PartFinding]:
    """Certificates must be PEM files in base64."""
    try:
        base64.b64decode("".join(bundle.data.split()), validate=True)
    except (binascii.Error, ValueError):
        yield finding(bundle, f"{ref('data')} is not base64", path="data", value=None, fix=_ENCODE)


@warning("EKS198", f"{_GUIDE}: certificateBundles")
@sample("data", lambda: CertificateBundle(name="own", data="MIIB"))
def bundle_without_pem(bundle: CertificateBundle) -> Iterator[PartFinding]:
    """The base64 of a certificate bundle contains a PEM file, with its `BEGIN` lines."""
    with suppress(binascii.Error, ValueError):  # EKS035
        if b"-----BEGIN" not in base64.b64decode("".join(bundle.data.split()), validate=True):
            message = f"{ref('data')} is not the base64 of a PEM file: nodes can fail to trust its certificates"
            yield finding(bundle, message, path="data", value=None, fix=_ENCODE)


@error("EKS036", f"{_GUIDE}: advancedNetworking")
@sample("no_proxy[0]", lambda: AdvancedNetworking(https_proxy="http://proxy:3128", no_proxy=["x" * 256]))
def no_proxy_entry_too_long(networking: AdvancedNetworking) -> Iterator[PartFinding]:
    """An entry of `no_proxy` has at most 255 characters."""
    for index, entry in enumerate(networking.no_proxy):
        if len(entry) > _LONGEST_NO_PROXY:
            message = f"An entry of {ref('no_proxy')} has {len(entry)} characters: EKS allows at most {_LONGEST_NO_PROXY}"
            yield finding(networking, message, path=("no_proxy", index), fix="Shorten the entry, or split it into two")


@warning("EKS037", f"{_GUIDE}, 2026-02-02: of IPv6 clusters only")
@limited(FILES_WITHOUT_FAMILY)
@sample(
    "auto_mode.node_classes.own.advanced_networking.enable_v4_egress",
    lambda: auto_mode(classes={"own": EksNodeClass(advanced_networking=AdvancedNetworking(enable_v4_egress=True))}),
)
def ipv4_egress_without_ipv6(node_class: EksNodeClass, cluster: EksClusterArgs) -> Iterator[PartFinding]:
    """Egress to IPv4 applies to IPv6 clusters only."""
    networking = node_class.advanced_networking
    if cluster.ip_family == "IPv4" and networking is not None and networking.enable_v4_egress is not None:
        message = f"{ref('advanced_networking.enable_v4_egress')} applies to IPv6 clusters only: it has no effect in an IPv4 cluster"
        path = ("advanced_networking", "enable_v4_egress")
        yield finding(node_class, message, path=path, fix=remove(path))


@error("EKS038", f"{_GUIDE}, 2026-05-05: placementGroupSelector, name or id; open-source Karpenter: the form of ids")
@sample("id", lambda: PlacementGroup(name="hpc", id="pg-1"))
def invalid_placement_group(group: PlacementGroup) -> Iterator[PartFinding]:
    """A placement group is selected by its name or by its ID, not by both."""
    yield from name_or_id(group)
    if group.name is None and isinstance(group.id, str) and not re.fullmatch(r"pg-[0-9a-z]+", group.id):
        yield finding(group, f"`{group.id}` is not the ID of a placement group", path="id", fix=f"Use the ID (`pg-…`), or set {ref('name')} instead")


def name_or_id(group: PlacementGroup | Ec2PlacementGroup) -> Iterator[PartFinding]:
    """Yields what is wrong with a placement group that does not have exactly one of both."""
    name, of = ref("name"), ref("id")
    if group.name is None and group.id is None:
        message = "A placement group is selected by its name or ID: this one has neither"
        yield finding(group, message, value=None, fix=f"Set {name} or {of}")
    elif group.name is not None and group.id is not None:
        fix = Fix(f"Remove {of} or {name}", (remove("id"),))
        yield finding(group, f"{name} and {of} of a placement group cannot both be set", path="id", fix=fix)


@warning("EKS039", f"{_GUIDE}, 2025-10-23: FIPS, in regions of the US only")
@limited(Limit(Where.FILES, "files do not contain the region of the cluster"))
@sample("auto_mode.node_classes.own.fips", lambda: eks(region="eu-west-1", auto_mode={"node_classes": {"own": EksNodeClass(fips=True)}}))
def fips_outside_us_regions(node_class: EksNodeClass, cluster: EksClusterArgs) -> Iterator[PartFinding]:
    """EKS offers nodes with FIPS 140 cryptography in US regions only."""
    if node_class.fips and not cluster.region.startswith("us-"):
        yield finding(node_class, f"FIPS nodes are available in US regions only, not in {cluster.region}", path="fips", fix=remove("fips"))


@warning("EKS093", "open-source Karpenter: eks:eks-cluster-name is a restricted tag; Auto Mode tags what it makes under eks: itself")
@sample('tags["eks:eks-cluster-name"]', lambda: EksNodeClass(tags={"eks:eks-cluster-name": "web"}))
def reserved_eks_tag(node_class: EksNodeClass) -> Iterator[PartFinding]:
    """Auto Mode sets the tags under `eks:` itself, and its permissions depend on them."""
    for key in node_class.tags:
        if key.startswith("eks:"):
            message = f"The tag `{key}` can break the permissions of Auto Mode, which sets tags under `eks:` itself"
            fix = Fix("Remove the tag, or use a key of your own", (remove(("tags", key)),))
            yield finding(node_class, message, path=("tags", key), value=key, fix=fix)
