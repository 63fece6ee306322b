"""Identity, network, tags and kubelet of EC2NodeClasses of self-managed Karpenter, and its NodePools. Source: karpenter-provider-aws 1.15.

Since Karpenter 1.15, its controller checks settings of the kubelet, and the condition `ValidationSucceeded` says what is wrong; with one that is
not valid, it launches no node. Before, the API server rejected them.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, TypeGuard, cast

from nodepools.clouds.eks.kubelet import least_by_interfaces
from nodepools.model.eks.ec2_node_class import (
    AUTO_MODE_TYPES,
    OWN_DOMAIN,
    OWN_LABELS,
    OWN_TYPES,
    AmiTerm,
    ConnectionTracking,
    Ec2NodeClass,
    Ec2PlacementGroup,
    Ec2ReservationTerm,
    MetadataOptions,
    SecurityGroupTerm,
    SelfManagedKarpenter,
    SubnetTerm,
)
from nodepools.model.karpenter import NodePool, Requirement
from nodepools.model.kubernetes.quantity import amount
from nodepools.model.listing import nearest
from nodepools.model.steps import mapping
from nodepools.rules.eks.node_class_fields import empty_tags, name_or_id
from nodepools.rules.engine.finding import Fix, PartFinding, correct_spelling, literal, ref, remove, rename, set_to
from nodepools.rules.engine.registry import Limit, Where, error, finding, limited, sample, warning
from nodepools.rules.engine.samples import AMD64_ON_DEMAND, ec2_class, self_managed
from nodepools.rules.platform.labels import in_domain, misspelt_label, named_labels


@warning("SMK040", "https://karpenter.sh/docs/concepts/scheduling/#well-known-labels: karpenter.k8s.aws/instance-*")
@sample("node_pools.web.requirements[2]", lambda: self_managed(Requirement("eks.amazonaws.com/instance-cpu", "In", ["4"])))
def auto_mode_label_in_self_managed_pool(pool: NodePool, _: SelfManagedKarpenter) -> Iterator[PartFinding]:
    """Self-managed Karpenter knows properties of instance types under `karpenter.k8s.aws/`; other keys are labels without a meaning."""
    for index, requirement in enumerate(pool.requirements):
        if requirement.key.startswith(AUTO_MODE_TYPES):
            own = requirement.key.replace(AUTO_MODE_TYPES, OWN_TYPES)
            message = f"`{requirement.key}` selects no instance types here: it is a label of EKS Auto Mode, not of self-managed Karpenter"
            yield finding(pool, message, path=("requirements", index), fix=set_to(("requirements", index, "key"), own))


@error(
    "SMK041", "https://karpenter.sh/docs/concepts/nodepools/#spectemplatespecnodeclassref: a NodePool of a missing EC2NodeClass never becomes ready"
)
@limited(Limit(Where.MISSING_CLASS, "others can create node classes in the cluster too", "EC2NodeClass"))
@sample(
    "node_pools.web.node_class",
    lambda: SelfManagedKarpenter(
        node_pools={
            "api": NodePool(requirements=AMD64_ON_DEMAND, node_class="own", expire_after="720h", weight=10),
            "web": NodePool(requirements=AMD64_ON_DEMAND, node_class="missing", expire_after="720h"),
        },
        node_classes={"own": ec2_class()},
    ),
)
def missing_ec2_node_class(pool: NodePool, parent: SelfManagedKarpenter) -> Iterator[PartFinding]:
    """A NodePool whose EC2NodeClass does not exist never becomes ready. Without any EC2NodeClass, the objects are a part of a cluster."""
    name = pool.node_class
    if name is not None and parent.node_classes and name not in parent.node_classes:
        near = nearest(str(name), parent.node_classes)
        message = f"The EC2NodeClass `{name}` is not among these objects: without it the NodePool never becomes ready"
        fix = correct_spelling("node_class", str(name), near) if near is not None else f"Add the EC2NodeClass `{name}`, or use one that exists"
        yield finding(pool, message, path="node_class", fix=fix)


@warning("SMK042", 'karpenter-provider-aws 1.15, CRD of NodePools: label domain "karpenter.k8s.aws" is restricted')
@sample("node_pools.web.requirements[2].key", lambda: self_managed(Requirement("karpenter.k8s.aws/rack", "In", ["4"])))
def label_unknown_to_self_managed_karpenter(pool: NodePool, _: SelfManagedKarpenter) -> Iterator[PartFinding]:
    """Under `karpenter.k8s.aws`, the CRD of self-managed Karpenter accepts only the labels that its version knows."""
    for key, at in named_labels(pool):
        if in_domain(key, OWN_DOMAIN) and key not in OWN_LABELS and misspelt_label(pool, key) is None:
            fix = "Use a label that Karpenter documents, or a prefix of your own, such as `example.com/`"
            message = f"`{key}` is not a label that Karpenter knows: the API server rejects others of the domain `{OWN_DOMAIN}`"
            yield finding(pool, message, path=at, value=key, fix=fix)


_SOURCE: Final = "karpenter-provider-aws 1.15, pkg/apis/v1/kubeletconfiguration_validation.go, pkg/controllers/nodeclass/validation.go"
_RESERVED: Final = ("cpu", "memory", "ephemeral-storage", "pid")
_SIGNALS: Final = ("memory.available", "nodefs.available", "nodefs.inodesFree", "imagefs.available", "imagefs.inodesFree", "pid.available")
_KEYS: Final = {
    **dict.fromkeys(("kubeReserved", "systemReserved"), _RESERVED),
    **dict.fromkeys(("evictionHard", "evictionSoft", "evictionSoftGracePeriod", "evictionMinimumReclaim"), _SIGNALS),
}
_PAIR: Final = ("evictionSoft", "evictionSoftGracePeriod")
_COUNTS: Final = ("maxPods", "podsPerCore", "evictionMaxPodGracePeriod")
_PERCENTAGES: Final = ("imageGCHighThresholdPercent", "imageGCLowThresholdPercent")
_MOST: Final = 100
_ONE_OF: Final = cast("Mapping[str, str]", json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8")))
KUBELET_FIELDS: Final = {field: kind for kind, fields in _ONE_OF.items() for field in fields.split()}
"""The fields of the kubelet's configuration with the type of their values. Source: k8s.io/kubelet 0.36.3, config/v1beta1, of Karpenter 1.15."""
_TYPES: Final[Mapping[str, tuple[type, ...]]] = {
    "switch": (bool,),
    "list": (list, tuple),
    **dict.fromkeys(("whole number", "number"), (int, float)),
    **dict.fromkeys(("text", "duration"), (str,)),
    **dict.fromkeys(("mapping of text", "mapping"), (Mapping,)),
}
_APPLIED: Final = frozenset((*_KEYS, *_COUNTS, *_PERCENTAGES, "clusterDNS", "cpuCFSQuota")) - {"evictionMinimumReclaim"}
"""The fields that Karpenter hands over to images other than those of Amazon Linux 2023."""
_GO_DURATION: Final = re.compile(r"[+-]?(0|(([0-9]+(\.[0-9]*)?|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+)")
_NO_NODE: Final = "Karpenter launches no node"


@error("SMK032", _SOURCE)
@sample('kubelet.evictionSoft["memory.available"]', lambda: ec2_class(kubelet={"evictionSoft": {"memory.available": "5%"}}))
def invalid_kubelet_setting(node_class: Ec2NodeClass) -> Iterator[PartFinding]:
    """Settings are fields of the kubelet with values of their type; reservations, thresholds and numbers are in range; Karpenter sets the taints."""
    for name, value in node_class.kubelet.items():
        what = _wrong_value(name, value)
        if name == "registerWithTaints":
            message = f"{_NO_NODE}: it sets `{name}` itself, from the taints of the NodePool"
            yield finding(node_class, message, path=("kubelet", name), fix="Set `taints` or `startupTaints` of the NodePool, and remove it")
        elif name not in KUBELET_FIELDS and (near := nearest(name, KUBELET_FIELDS)) is not None:
            message = f"{_NO_NODE}: the kubelet has no setting `{name}`"
            yield finding(node_class, message, path=("kubelet", name), value=name, fix=rename(("kubelet", name), near))
        elif what is not None and (name != "maxPods" or not isinstance(value, str) or not _is_expression(value)):
            yield finding(node_class, f"{_NO_NODE}: `{name}` must be a {what}", path=("kubelet", name), fix=f"Write a {what}")
        else:
            yield from _wrong_entries(node_class, name, mapping(value))
    yield from _without_counterpart(node_class)
    yield from _out_of_range(node_class)


def _wrong_value(name: str, value: object) -> str | None:
    """The type that a value should have; `None` if it has it, or if the setting is not known."""
    kind = KUBELET_FIELDS.get(name)
    if kind is None or value is None:
        return None
    fits = isinstance(value, _TYPES[kind]) and isinstance(value, bool) is (kind == "switch")
    if kind == "whole number" and isinstance(value, float):
        fits = value.is_integer()
    return None if fits and (kind != "duration" or _GO_DURATION.fullmatch(str(value))) else kind


def _wrong_entries(node_class: Ec2NodeClass, name: str, entries: Mapping[str, object]) -> Iterator[PartFinding]:
    known = _KEYS.get(name)
    for key, value in entries.items():
        at = ("kubelet", name, key)
        if known is not None and key not in known:
            message = f"{_NO_NODE}: `{key}` is not a key of `{name}`"
            yield finding(node_class, message, path=at, value=key, fix=f"Use one of {', '.join(f'`{one}`' for one in known)}")
        elif KUBELET_FIELDS.get(name) == "mapping of text" and not isinstance(value, str):
            yield finding(node_class, f"{_NO_NODE}: `{key}` of `{name}` must be text", path=at, value=value, fix=set_to(at, f"{value}"))
        elif known is not None and str(value).startswith("-"):
            yield finding(node_class, f"{_NO_NODE}: `{key}` of `{name}` is negative", path=at, value=value, fix=remove(at))
        elif name == _PAIR[1] and not _GO_DURATION.fullmatch(str(value)):
            yield finding(node_class, f"{_NO_NODE}: `{value}` is not a duration", path=at, value=value, fix='Write a duration such as `"1m30s"`')
        elif known is _SIGNALS and name != _PAIR[1] and not _is_threshold(str(value)):
            message = f"{_NO_NODE}: `{value}` is neither an amount nor a percentage from 0 to 100"
            yield finding(node_class, message, path=at, value=value, fix='Write an amount such as `"500Mi"`, or `"5%"`')
        elif known is _RESERVED and not _is_amount(str(value)) and not _is_expression(str(value)):
            message = f"{_NO_NODE}: `{value}` is neither an amount nor an expression"
            yield finding(node_class, message, path=at, value=value, fix='Write an amount such as `"500m"` or `"1Gi"`')


@warning("SMK047", _SOURCE)
@sample("kubelet.maxPods", lambda: ec2_class(kubelet={"maxPods": "110"}))
def kubelet_expression(node_class: Ec2NodeClass) -> Iterator[PartFinding]:
    """`maxPods` as text, or a reservation that is not an amount, is an expression, for which Karpenter 1.15 needs a feature gate."""
    kubelet = node_class.kubelet
    found = [(("maxPods",), kubelet.get("maxPods"))]
    found += [((name, key), value) for name in ("kubeReserved", "systemReserved") for key, value in mapping(kubelet.get(name)).items()]
    for steps, value in found:
        is_amount = steps != ("maxPods",) and _is_amount(str(value))
        if isinstance(value, str) and not is_amount and not value.startswith("-") and _is_expression(value):
            at = ("kubelet", *steps)
            number = set_to(at, int(value)) if steps == ("maxPods",) and value.isdecimal() and value.isascii() else None
            message = f"{_NO_NODE} unless `AWS_FEATURE_GATES` has `NodeClassCEL=true`: {literal(value)} is an expression, not a number (new in 1.15)"
            yield finding(node_class, message, path=at, fix=number if number is not None else "Write a number, or turn the feature gate on")


@error("SMK048", _SOURCE)
@sample("kubelet.podsPerCore", lambda: ec2_class(ami_terms=[{"alias": "bottlerocket@v1.50.0"}], kubelet={"podsPerCore": 5}))
def kubelet_setting_of_other_images(node_class: Ec2NodeClass) -> Iterator[PartFinding]:
    """Only images of Amazon Linux 2023 get all settings of the kubelet; Karpenter 1.15 rejects those that a family of images does not get."""
    family = node_class.image_family
    if family in (None, "AL2023", "Custom"):
        return
    applied = _APPLIED - ({"podsPerCore"} if family == "Bottlerocket" else set())
    for name, value in node_class.kubelet.items():
        many = name == "clusterDNS" and isinstance(value, list | tuple) and len(cast("Sequence[object]", value)) > 1
        if many or (name in KUBELET_FIELDS and name not in applied and name != "registerWithTaints"):
            what = "only the first entry of `clusterDNS`" if many else f"no `{name}`"
            message = f"Karpenter 1.15 launches no node: images of `{family}` accept {what} (older versions of Karpenter ignore it)"
            at = ("kubelet", name)
            yield finding(node_class, message, path=at, fix="Keep one entry" if many else remove(at))


@warning("SMK049", _SOURCE)
@sample("kubelet.swapMode", lambda: ec2_class(kubelet={"swapMode": "x"}))
def unknown_kubelet_setting(node_class: Ec2NodeClass) -> Iterator[PartFinding]:
    """Karpenter 1.15 launches no node with a setting that the kubelet of Kubernetes 1.36 does not have."""
    for name in node_class.kubelet:
        if name not in KUBELET_FIELDS and nearest(name, KUBELET_FIELDS) is None:
            message = f"Karpenter 1.15 launches no node: the kubelet of Kubernetes 1.36 has no setting `{name}`"
            yield finding(node_class, message, path=("kubelet", name), value=name, fix=remove(("kubelet", name)))


def _without_counterpart(node_class: Ec2NodeClass) -> Iterator[PartFinding]:
    for name, other in (_PAIR, _PAIR[::-1]):
        for key, value in mapping(node_class.kubelet.get(name)).items():
            if key not in mapping(node_class.kubelet.get(other)):
                message = f"{_NO_NODE}: `{key}` is in `{name}`, but not in `{other}`"
                yield finding(node_class, message, path=("kubelet", name, key), value=value, fix=f"Add `{key}` to `{other}`")


def _out_of_range(node_class: Ec2NodeClass) -> Iterator[PartFinding]:
    kubelet = node_class.kubelet
    for name in (*_COUNTS, *_PERCENTAGES):
        value = kubelet.get(name)
        if _is_number(value) and (value < 0 or (name in _PERCENTAGES and value > _MOST)):
            message = f"{_NO_NODE}: `{name}` must be {'from 0 to 100' if name in _PERCENTAGES else '0 or more'}"
            yield finding(node_class, message, path=("kubelet", name), value=value, fix=remove(("kubelet", name)))
    if kubelet.get("maxPods") == 0 and _is_number(kubelet["maxPods"]):
        message = f"{_NO_NODE}: with `maxPods` 0, no pod fits on one"
        yield finding(node_class, message, path=("kubelet", "maxPods"), value=0, fix=remove(("kubelet", "maxPods")))
    high, low = (kubelet.get(name) for name in _PERCENTAGES)
    if _is_number(high) and _is_number(low) and high <= low:
        message = f"{_NO_NODE}: `{_PERCENTAGES[0]}` ({high}) must be greater than `{_PERCENTAGES[1]}` ({low})"
        yield finding(node_class, message, path=("kubelet", _PERCENTAGES[0]), value=high, fix=f"Raise `{_PERCENTAGES[0]}` above {low}")


def _is_threshold(value: str) -> bool:
    """An amount such as `500Mi`, or a percentage."""
    if not value.endswith("%"):
        return _is_amount(value)
    try:
        return 0 <= float(value[:-1]) <= _MOST
    except ValueError:
        return False


def _is_amount(value: str) -> bool:
    try:
        amount(value)
    except ValueError:
        return False
    return True


def _is_expression(value: str) -> bool:
    """An expression, as far as its syntax tells."""
    from nodepools.cel.parser import NotCheckedError, RuleSyntaxError, parse  # only texts that are not amounts need it

    try:
        parse(value)
    except RuleSyntaxError:
        return False
    except NotCheckedError:
        return True
    return True


def _is_number(value: object) -> TypeGuard[int]:
    """A number; not an expression, and not a boolean."""
    return isinstance(value, int) and not isinstance(value, bool)


_CRD: Final = "EC2NodeClass CRD of karpenter-provider-aws 1.15"
_IMDS: Final = "https://docs.aws.amazon.com/eks/latest/best-practices/identity-and-access-management.html: IMDSv2 only, hop limit 1"
OWN_TAGS: Final = ("eks:eks-cluster-name", "karpenter.sh/nodepool", "karpenter.sh/nodeclaim", "karpenter.k8s.aws/ec2nodeclass")
"""Tags that Karpenter sets, and that no node class can have."""
_TIMEOUTS: Final = ("tcp_established_timeout", "udp_stream_timeout", "udp_timeout")


@error("SMK010", f"{_CRD}: exactly one of role and instanceProfile")
@sample("instance_profile", lambda: ec2_class(instance_profile="nodes"))
def role_and_instance_profile(node_class: Ec2NodeClass) -> Iterator[PartFinding]:
    """Nodes have a role or an instance profile: exactly one of them is set."""
    role, profile = ref("role"), ref("instance_profile")
    if node_class.role is not None and node_class.instance_profile is not None:
        fix = Fix(f"Remove {profile} or {role}", (remove("instance_profile"),))
        yield finding(node_class, f"{role} and {profile} cannot both be set", path="instance_profile", fix=fix)
    elif node_class.role is None and node_class.instance_profile is None:
        yield finding(node_class, f"{role} or {profile} is required", path="role", fix=f"Set {role} to the name of the IAM role of the nodes")


def _selectors(node_class: Ec2NodeClass) -> Iterator[tuple[str, Sequence[SubnetTerm | SecurityGroupTerm]]]:
    yield "subnets", node_class.subnets
    yield "security_groups", node_class.security_groups


def _name(term: SubnetTerm | SecurityGroupTerm) -> str | None:
    return term.name if isinstance(term, SecurityGroupTerm) else None


@error("SMK011", f"{_CRD}: expected at least one")
@sample("subnets[0]", lambda: ec2_class(subnets=[SubnetTerm()]))
def empty_ec2_selector(node_class: Ec2NodeClass) -> Iterator[PartFinding]:
    """A term selects subnets or security groups by ID or tags; security groups also by name."""
    for field, terms in _selectors(node_class):
        for index, term in enumerate(terms):
            if term.id is None and not term.tags and _name(term) is None:
                named = f", {ref((field, index, 'name'))}" if field == "security_groups" else ""
                fix = f"Set {ref((field, index, 'id'))}{named} or {ref((field, index, 'tags'))}"
                yield finding(node_class, "This term selects nothing: it is empty", path=(field, index), fix=fix)


@error("SMK012", f"{_CRD}: id excludes the other fields, if it is so in every term")
@sample("subnets[0].id", lambda: ec2_class(subnets=[{"id": "subnet-1", "tags": {"team": "web"}}]))
def exclusive_ec2_selector_id(node_class: Ec2NodeClass) -> Iterator[PartFinding]:
    """An ID cannot be combined with tags or a name. The API server rejects it only if every term of the list does it."""
    for field, terms in _selectors(node_class):
        if terms and all(term.id is not None and (term.tags or _name(term) is not None) for term in terms):
            message = f"{ref('id')} cannot be combined with {ref('tags') if terms[0].tags else ref('name')} in one term"
            yield finding(node_class, message, path=(field, 0, "id"), fix=remove((field, 0, "tags" if terms[0].tags else "name")))


@error("SMK013", f"{_CRD}: name excludes the other fields, if it is so in every term")
@sample("security_groups[0].name", lambda: ec2_class(security_groups=[{"name": "nodes", "tags": {"team": "web"}}]))
def exclusive_security_group_name(node_class: Ec2NodeClass) -> Iterator[PartFinding]:
    """The name of a security group cannot be combined with tags or an ID. The API server rejects it only if every term does it."""
    terms = node_class.security_groups
    combined = all(term.name is not None and (term.tags or term.id is not None) for term in terms)
    at = next((index for index, term in enumerate(terms) if term.id is None), None)
    if combined and at is not None:  # an ID in every term: SMK012
        message = f"{ref('name')} cannot be combined with {ref('tags')} in one term"
        yield finding(node_class, message, path=("security_groups", at, "name"), fix=remove(("security_groups", at, "tags")))


@warning("SMK046", "karpenter-provider-aws 1.14, getFilterSets of pkg/providers/subnet and securitygroup: an ID comes first, then a name")
@sample("subnets[1].tags", lambda: ec2_class(subnets=[{"id": "subnet-1"}, {"id": "subnet-2", "tags": {"team": "web"}}]))
def ignored_part_of_ec2_selector(node_class: Ec2NodeClass) -> Iterator[PartFinding]:
    """Karpenter reads the ID of a term, or its name, and ignores the rest. The API server rejects only lists in which every term has more."""
    for field, terms in _selectors(node_class):
        more = [[name for name in ("id", "name", "tags") if getattr(term, name, None)] for term in terms]
        is_rejected = any(all(own in names and len(names) > 1 for names in more) for own in ("id", "name"))  # SMK012 and SMK013
        for index, names in enumerate(more):
            if len(names) > 1 and not is_rejected:
                at = (field, index, names[1])
                message = (
                    f"Karpenter ignores {' and '.join(ref((field, index, name)) for name in names[1:])}: the term has {ref((field, index, names[0]))}"
                )
                fix = Fix("Remove it, or move it to a term of its own: a resource is selected if one of the terms matches", (remove(at),))
                yield finding(node_class, message, path=at, fix=fix)


@error("SMK014", f"{_CRD}: empty tag keys or values aren't supported")
@sample("subnets[0].tags.team", lambda: ec2_class(subnets=[{"tags": {"team": ""}}]))
def empty_ec2_selector_tag(term: SubnetTerm | SecurityGroupTerm | AmiTerm | Ec2ReservationTerm) -> Iterator[PartFinding]:
    """Tags in terms have a key and a value; `*` matches any value."""
    yield from empty_tags(term, term.tags, "term")


@error("SMK015", f"{_CRD}: capacityReservationSelectorTerms")
@sample("capacity_reservations[0]", lambda: ec2_class(capacity_reservations=[{"owner": "123456789012"}]))
def invalid_ec2_reservation(node_class: Ec2NodeClass) -> Iterator[PartFinding]:
    """Capacity reservations are selected by ID alone, or by tags or match criteria, which the owner can narrow."""
    terms = node_class.capacity_reservations
    for index, term in enumerate(terms):
        if term.id is None and not term.tags and term.instance_match_criteria is None:
            fix = f"Set {ref(('capacity_reservations', index, 'id'))} or {ref(('capacity_reservations', index, 'tags'))}"
            message = "This capacity reservation term selects nothing: it has neither an ID nor tags"
            yield finding(node_class, message, path=("capacity_reservations", index), fix=fix)
    if terms and all(term.id is not None and (term.tags or term.owner is not None or term.instance_match_criteria is not None) for term in terms):
        others = [name for name in ("tags", "owner", "instance_match_criteria") if getattr(terms[0], name)]
        at = ("capacity_reservations", 0)
        fix = Fix(f"Remove {' and '.join(ref((*at, name)) for name in others)}", tuple(remove((*at, name)) for name in others))
        yield finding(node_class, f"{ref('id')} cannot be combined with {ref(others[0])} in one term", path=(*at, "id"), fix=fix)


@error("SMK016", f"{_CRD}: name or id")
@sample("placement_group.id", lambda: ec2_class(placement_group={"name": "hpc", "id": "pg-1"}))
def invalid_ec2_placement_group(group: Ec2PlacementGroup) -> Iterator[PartFinding]:
    """A placement group is selected by its name or by its ID, not by both."""
    yield from name_or_id(group)


@error("SMK017", f"{_CRD}: at least one timeout")
@sample("connection_tracking", lambda: ec2_class(connection_tracking={}))
def empty_connection_tracking(tracking: ConnectionTracking) -> Iterator[PartFinding]:
    """Connection tracking sets at least one timeout."""
    if all(getattr(tracking, field) is None for field in _TIMEOUTS):
        fix = f"Set one of {', '.join(map(ref, _TIMEOUTS))}, or remove the empty mapping"
        yield finding(tracking, "Connection tracking needs at least one timeout", value=None, fix=fix)


@error("SMK018", f"{_CRD}: a primary interface, each card and device once, one EFA device for each card")
@sample("network_interfaces", lambda: ec2_class(network_interfaces=[{"network_card_index": 0, "device_index": 1, "interface_type": "interface"}]))
def invalid_ec2_interfaces(node_class: Ec2NodeClass) -> Iterator[PartFinding]:
    """Device 0 of card 0 is an interface; each device of a card is listed once, and one of them at most is for EFA only."""
    interfaces = node_class.network_interfaces
    places = Counter((one.network_card_index, one.device_index) for one in interfaces)
    efa = Counter(one.network_card_index for one in interfaces if one.interface_type == "efa-only")
    if interfaces and not any((one.network_card_index, one.device_index, one.interface_type) == (0, 0, "interface") for one in interfaces):
        fix = f"Add an entry with card 0, device 0 and the type {literal('interface')}"
        message = f"{ref('network_interfaces')} has no primary interface (card 0, device 0, type `interface`)"
        yield finding(node_class, message, path="network_interfaces", fix=fix)
    for index, one in enumerate(interfaces):
        if places[one.network_card_index, one.device_index] > 1:
            message = f"Device {one.device_index} of card {one.network_card_index} is listed more than once"
            yield finding(node_class, message, path=("network_interfaces", index), fix=f"Use each {ref('device_index')} of a card once")
        elif one.interface_type == "efa-only" and efa[one.network_card_index] > 1:
            message = f"Card {one.network_card_index} has more than one EFA device"
            yield finding(node_class, message, path=("network_interfaces", index), fix="Keep one EFA device on each card")


@error("SMK019", f"{_CRD}: restricted tags")
@sample('tags["karpenter.sh/nodepool"]', lambda: ec2_class(tags={"karpenter.sh/nodepool": "web"}))
def restricted_ec2_tag(node_class: Ec2NodeClass) -> Iterator[PartFinding]:
    """Karpenter sets its own tags and those of the cluster itself; a tag has a key."""
    for key in node_class.tags:
        if not key or key in OWN_TAGS or key.startswith("kubernetes.io/cluster"):
            message = f"The API server rejects the tag `{key}`: Karpenter sets it itself" if key else "A tag has an empty key"
            yield finding(node_class, message, path=("tags", key), value=key, fix=remove(("tags", key)))


@warning("SMK030", _IMDS)
@sample("metadata_options.http_tokens", lambda: ec2_class(metadata_options={"http_tokens": "optional"}))
def metadata_without_tokens(options: MetadataOptions) -> Iterator[PartFinding]:
    """Without required tokens (IMDSv1), a request that a pod is tricked into sending can read the credentials of the node role."""
    if options.http_tokens == "optional" and options.http_endpoint == "enabled":
        message = "The metadata service accepts requests without tokens (IMDSv1): they can leak the credentials of the node role"
        yield finding(options, message, path="http_tokens", fix=set_to("http_tokens", "required"))


_DISK: Final = "ephemeral-storage"
_NVME, _CPU, _MEMORY, _MAKER = (f"{AUTO_MODE_TYPES}{name}" for name in ("local-nvme", "cpu", "memory", "cpu-manufacturer"))
_NESTING: Final = 8
"""The first generation of Intel types with nested virtualization: https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/amazon-ec2-nested-virtualization.html."""
_DATA: Final = {"Bottlerocket": "/dev/xvdb", **dict.fromkeys(("AL2", "AL2023"), "/dev/xvda")}
"""The device with the data of the kubelet; that of Windows is `/dev/sda1`."""
_PODS_OF_WINDOWS, _MEBIBYTE = 110, 1024**2
_KEPT: Final = {_DISK: ("nodefs.available", "1Gi", "10%"), "memory": ("memory.available", "255Mi", "100Mi"), "cpu": ("", "0", "0")}
"""The threshold of each resource, and what Karpenter plans to be reserved at least, and kept free, without settings."""


VOLUME_SIZE: Final = re.compile(r"([1-9][0-9]*)(Gi|G|Ti|T)")


def amounts_of_class(node_class: Ec2NodeClass, labels: Mapping[str, str | None]) -> dict[str, float]:
    """Pods and disk of a node of a type with these labels, which are those of Auto Mode, as far as type and class say it."""
    found = {_DISK: _disk(node_class, labels), "pods": _pods(node_class, labels)}
    return {resource: value for resource, value in found.items() if value is not None}


def exclusions(node_class: Ec2NodeClass, labels: Mapping[str, str | None]) -> set[str]:
    """Why Karpenter launches no type with these labels for the class, as far as it is certain: no pod ever fits, or it is not compatible."""
    cpu, memory, disk = labels.get(_CPU), labels.get(_MEMORY), _disk(node_class, labels)
    has = {"cpu": None if cpu is None else int(cpu), "memory": None if memory is None else int(memory) * _MEBIBYTE, _DISK: disk}
    generation, hypervisor = (labels.get(f"{AUTO_MODE_TYPES}{name}", default) for name, default in (("generation", "8"), ("hypervisor", "nitro")))
    is_old = labels.get(_MAKER, "intel") != "intel" or generation is None or int(generation) < _NESTING
    checks = {
        "images of Amazon Linux 2023": node_class.image_family == "AL2023" and labels.get(f"{AUTO_MODE_TYPES}family") == "a1",
        "timeouts of tracked connections": node_class.connection_tracking is not None and hypervisor != "nitro",
        "nested virtualization": node_class.cpu_options.nested_virtualization == "enabled" and is_old,
        **{f"reservations of {one}": most is not None and most < _kept(node_class.kubelet, one, most) for one, most in has.items()},
    }
    return {why for why, excludes in checks.items() if excludes}


def _kept(kubelet: Mapping[str, object], resource: str, most: float) -> float:
    signal, reserved, free = _KEPT[resource]
    kept_free = str(mapping(kubelet.get("evictionHard")).get(signal, free))
    percent = float(kept_free[:-1]) % 100 if kept_free.endswith("%") and _is_threshold(kept_free) else 0  # 100% turns it off
    of_kube, of_system = (mapping(kubelet.get(name)).get(resource, least) for name, least in (("kubeReserved", reserved), ("systemReserved", "0")))
    return sum(float(amount(one)) for one in (str(of_kube), str(of_system), kept_free) if _is_amount(one)) + most * percent / 100


def _disk(node_class: Ec2NodeClass, labels: Mapping[str, str | None]) -> float | None:
    family, devices = node_class.image_family, node_class.block_devices
    nvme = labels.get(_NVME, "") if node_class.instance_store_policy is not None else None
    if family is None or nvme is not None:
        return float(nvme) * 1000**3 if nvme else None
    own = [one for one in devices if one.device_name == _DATA.get(family, "/dev/sda1")] if family != "Custom" else devices[-1:]
    sizes = [one.ebs.volume_size for one in (*(one for one in devices if one.root_volume), *own) if one.ebs is not None]
    own_size = str(next((size for size in sizes if size is not None), "50Gi" if family.startswith("Windows") else "20Gi"))
    return float(amount(own_size)) if VOLUME_SIZE.fullmatch(own_size) else None  # SMK021


def _pods(node_class: Ec2NodeClass, labels: Mapping[str, str | None]) -> float | None:
    family, most, cpu = str(node_class.image_family), node_class.kubelet.get("maxPods"), labels.get(_CPU)
    if most is None and not node_class.network_interfaces:
        name = str(labels.get("node.kubernetes.io/instance-type"))
        most = _PODS_OF_WINDOWS if family.startswith("Windows") else least_by_interfaces(name)
    each = node_class.kubelet.get("podsPerCore")
    if not _is_number(most) or not _is_number(each) or each == 0 or family == "Bottlerocket":
        return most if _is_number(most) else None
    return None if cpu is None else min(most, each * int(cpu))
