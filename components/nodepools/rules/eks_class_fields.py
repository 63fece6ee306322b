"""What EKS Auto Mode asks of the single fields of a NodeClass. Facts: docs/facts/eks.md N2, N5 to N12, N14."""

import base64
import binascii
import re
from collections.abc import Iterator

from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.model.eks.node_class import AdvancedNetworking, CapacityReservationTerm, CertificateBundle, EksNodeClass, PlacementGroup, SelectorTerm
from nodepools.rules.finding import PartFinding, Severity
from nodepools.rules.registry import finding, rule
from nodepools.rules.samples import eks

_CRD = "NodeClass CRD of EKS Auto Mode (eks.amazonaws.com/v1)"
_GUIDE = "https://docs.aws.amazon.com/eks/latest/userguide/create-node-class.html"
_KEY = re.compile(r"arn:[a-z-]+:kms:[^:]+:[0-9]{12}:(key|alias)/.+|alias/.+|mrk-[0-9a-f]{32}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_GAP = re.compile(r"[1-4][89]Ti")
_LONGEST_NO_PROXY = 255


@rule("EKS027", Severity.WARNING, source=f"{_GUIDE}, 2025-09-30: a temporary limitation", sample=lambda: EksNodeClass(instance_profile="nodes"))
def instance_profile_without_prefix(node_class: EksNodeClass) -> Iterator[PartFinding]:
    """The name of an instance profile begins with `eks`; it is a name, not an ARN."""
    name = node_class.instance_profile
    if isinstance(name, str) and not name.startswith("eks"):
        yield finding(
            node_class, "does not begin with eks, as EKS asked for", at="instance_profile", fix="name a profile that does, by name and not by ARN"
        )


@rule("EKS030", Severity.ERROR, source=f"{_CRD}: empty tag keys or values aren't supported", sample=lambda: SelectorTerm(tags={"team": ""}))
def empty_selector_tag(term: SelectorTerm | CapacityReservationTerm) -> Iterator[PartFinding]:
    """Tags to select by have a key and a value; `*` is any value."""
    for key, value in term.tags.items():
        if key == "" or value == "":
            yield finding(
                term, "has no value" if key else "has no key", at=("tags", key), value=key, fix='write "*" for any value' if key else "remove it"
            )


@rule(
    "EKS031",
    Severity.ERROR,
    source=f"{_GUIDE}: podSubnetSelectorTerms and podSecurityGroupSelectorTerms go together",
    sample=lambda: EksNodeClass(pod_subnets=[SelectorTerm(id="subnet-1")]),
)
def incomplete_pod_network(node_class: EksNodeClass) -> Iterator[PartFinding]:
    """Pods have subnets and security groups of their own, or neither."""
    if bool(node_class.pod_subnets) is not bool(node_class.pod_security_groups):
        field, other = ("pod_subnets", "pod_security_groups") if node_class.pod_subnets else ("pod_security_groups", "pod_subnets")
        yield finding(node_class, f"needs {other}", at=field, value=None, fix=f"add {other}, or remove {field}")


@rule(
    "EKS032",
    Severity.ERROR,
    source=f"{_CRD} of 2024-12: the pattern of ephemeralStorage.size leaves these out",
    sample=lambda: EksNodeClass(ephemeral_storage="18Ti"),
)
def storage_size_rejected_by_pattern(node_class: EksNodeClass) -> Iterator[PartFinding]:
    """The pattern for sizes refuses 18Ti and 19Ti, 28Ti and 29Ti, 38Ti and 39Ti, 48Ti and 49Ti."""
    size = str(node_class.ephemeral_storage)
    if _GAP.fullmatch(size):
        yield finding(node_class, "is refused by an oversight of the pattern", at="ephemeral_storage", fix=f'write "{int(size[:-2]) * 1024}Gi"')


@rule(
    "EKS033",
    Severity.ERROR,
    source="https://docs.aws.amazon.com/eks/latest/userguide/auto-kms.html: id, key ARN, alias/name or alias ARN",
    sample=lambda: EksNodeClass(ephemeral_storage_kms_key_id="nodes"),
)
def invalid_kms_key(node_class: EksNodeClass) -> Iterator[PartFinding]:
    """A key is named by its id, its ARN, `alias/…` or the ARN of an alias."""
    key = node_class.ephemeral_storage_kms_key_id
    if isinstance(key, str) and not _KEY.fullmatch(key):
        yield finding(
            node_class, "is neither the id of a key nor an ARN nor an alias", at="ephemeral_storage_kms_key_id", fix='write "alias/nodes", or the id'
        )


@rule(
    "EKS034",
    Severity.ERROR,
    source=f"{_GUIDE}: capacityReservationSelectorTerms; open-source Karpenter: id excludes the others",
    sample=lambda: EksNodeClass(capacity_reservations=[CapacityReservationTerm()]),
)
def invalid_reservation_selector(node_class: EksNodeClass) -> Iterator[PartFinding]:
    """A reservation is picked by its id, or by tags and owner; the owner is the twelve digits of an account."""
    for index, term in enumerate(node_class.capacity_reservations):
        if term.id is None and not term.tags:
            yield finding(node_class, "selects nothing", at=("capacity_reservations", index), fix="write an id, or tags")
        if isinstance(term.id, str) and not re.fullmatch(r"cr-[0-9a-z]+", term.id):
            yield finding(term, "is no id of the form cr-…", at="id", fix="write the id, cr-0123456789abcdef0")
        if term.id is not None and (term.tags or term.owner is not None):
            yield finding(term, "stands beside tags or an owner, with which it cannot be combined", at="id", fix="write two terms")
        if term.owner is not None and not re.fullmatch(r"[0-9]{12}", term.owner):
            yield finding(term, "is no account", at="owner", fix='write its twelve digits, in quotes: "012345678901"')


@rule("EKS035", Severity.ERROR, source=f"{_GUIDE}: certificateBundles", sample=lambda: CertificateBundle(name="own", data="-----BEGIN"))
def certificate_not_base64(bundle: CertificateBundle) -> Iterator[PartFinding]:
    """Certificates are given in base64, as a whole."""
    try:
        base64.b64decode("".join(bundle.data.split()), validate=True)
    except (binascii.Error, ValueError):
        yield finding(bundle, "is not base64", at="data", value=None, fix="encode the PEM file: base64 -w0 ca.pem")


@rule(
    "EKS036",
    Severity.ERROR,
    source=f"{_GUIDE}: advancedNetworking",
    sample=lambda: AdvancedNetworking(https_proxy="http://proxy:3128", no_proxy=["x" * 256]),
)
def no_proxy_entry_too_long(networking: AdvancedNetworking) -> Iterator[PartFinding]:
    """An entry of `no_proxy` has 255 characters at most."""
    for index, entry in enumerate(networking.no_proxy):
        if len(entry) > _LONGEST_NO_PROXY:
            yield finding(networking, "is longer than 255 characters", at=("no_proxy", index), fix="shorten it, or write two")


@rule(
    "EKS037",
    Severity.WARNING,
    source=f"{_GUIDE}, 2026-02-02: of IPv6 clusters only; clusters made here are of IPv4",
    sample=lambda: AdvancedNetworking(enable_v4_egress=True),
)
def ipv4_egress_without_ipv6(networking: AdvancedNetworking) -> Iterator[PartFinding]:
    """Egress to IPv4 is a matter of IPv6 clusters."""
    if networking.enable_v4_egress is not None:
        yield finding(networking, "says something of IPv6 clusters only", at="enable_v4_egress", fix="leave it out")


@rule(
    "EKS038",
    Severity.ERROR,
    source=f"{_GUIDE}, 2026-05-05: placementGroupSelector, name or id; open-source Karpenter: the form of ids",
    sample=lambda: PlacementGroup(name="hpc", id="pg-1"),
)
def invalid_placement_group(group: PlacementGroup) -> Iterator[PartFinding]:
    """A placement group is picked by its name or by its id, by one of them."""
    if (group.name is None) is (group.id is None):
        at, value = (("id",), group.id) if group.id is not None else ((), None)
        yield finding(group, "is picked by its name or its id, by one of them", at=at, value=value, fix="write one of name and id")
    elif isinstance(group.id, str) and not re.fullmatch(r"pg-[0-9a-z]+", group.id):
        yield finding(group, "is no id of the form pg-…", at="id", fix="write the id, pg-0123456789abcdef0, or the name")


@rule(
    "EKS039",
    Severity.WARNING,
    source=f"{_GUIDE}, 2025-10-23: FIPS, in regions of the US only",
    sample=lambda: eks(region="eu-west-1", auto_mode={"node_classes": {"own": EksNodeClass(fips=True)}}),
)
def fips_outside_us_regions(node_class: EksNodeClass, cluster: EksClusterArgs) -> Iterator[PartFinding]:
    """Nodes with cryptography of FIPS 140 are for regions of the US."""
    if node_class.fips and not cluster.region.startswith("us-"):
        yield finding(node_class, f"is for regions of the US, not for {cluster.region}", at="fips", fix="leave it out")


@rule(
    "EKS093",
    Severity.WARNING,
    source="open-source Karpenter: eks:eks-cluster-name is a restricted tag; Auto Mode tags what it makes under eks: itself",
    sample=lambda: EksNodeClass(tags={"eks:eks-cluster-name": "web"}),
)
def reserved_eks_tag(node_class: EksNodeClass) -> Iterator[PartFinding]:
    """Tags under `eks:` are those by which Auto Mode knows what is its own, and which its rights depend on."""
    for key in node_class.tags:
        if key.startswith("eks:"):
            yield finding(node_class, "is a tag that Auto Mode sets itself", at=("tags", key), value=key, fix="use a key of your own")
