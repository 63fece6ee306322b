"""Converts what objects say about labels of nodes: requirements of NodePools, and what pods select and tolerate.

Sources of the table, read 2026-11-23: karpenter-provider-aws 1.15 (`pkg/apis/v1/labels.go`, https://karpenter.sh/docs/concepts/scheduling/), EKS user
guide (create-node-pool, auto-migrate-karpenter), karpenter-provider-azure 1.14 (`pkg/apis/v1beta1/labels.go`), AKS
(node-auto-provisioning-node-pools). Memory is in MiB in all three. Facts: docs/facts/eks.md § 3.4, docs/facts/aks.md § 3.6.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Final, TypeAlias

from nodepools.conversion.raw_parts import Object, as_list, as_mapping, part, text
from nodepools.conversion.unconverted import ConversionOptions, Log, Target
from nodepools.model.steps import Steps
from nodepools.model.values import dataclass, field
from nodepools.placement.cloud_labels import ZONE
from nodepools.placement.workloads.reader import pod_places

OWN, AUTO, NAP = "karpenter.k8s.aws", "eks.amazonaws.com", "karpenter.azure.com"
"""The domains of the labels."""
EBS_ZONE: Final = "topology.ebs.csi.aws.com/zone"  # of the EBS CSI driver, which does not run on nodes of Auto Mode
_SHARED_BY_ALL: Final = "the value belongs to another cloud"

Values: TypeAlias = Mapping[str, tuple[str, ...]]
"""The values that have another spelling: each with those that mean the same."""


@dataclass(frozen=True, slots=True)
class Label:
    """A property of nodes."""

    names: tuple[str, ...]
    """Its labels on nodes of other autoscalers."""
    to: Mapping[Target, str]
    """Its label on nodes of each target; a target without one has a reason."""
    reason: str = ""
    """Why a target has no such label, or not such values."""
    values: Callable[[Target, str], tuple[str, ...]] = lambda _, value: (value,)
    """Returns the values that mean the same on a target; none if there are none."""
    roughly: Mapping[Target, str] | None = None
    """For targets whose values do not mean quite the same: how they differ."""


def _unchanged(_: Target, value: str) -> tuple[str, ...]:
    return (value,)


def _aws(suffix: str) -> tuple[str, str]:
    return f"{OWN}/{suffix}", f"{AUTO}/{suffix}"


def _every(name: str, reason: str, *, values: Callable[[Target, str], tuple[str, ...]]) -> Label:
    """A label that all nodes have, with values of their cloud."""
    return Label((name,), dict.fromkeys(Target, name), reason, values)


def _same(suffix: str, nap: str, values: Callable[[Target, str], tuple[str, ...]] = _unchanged, roughly: str = "", reason: str = "") -> Label:
    """A label of all three."""
    own, auto = _aws(suffix)
    other = f"{NAP}/{nap}"
    return Label((own, auto, other), {Target.AUTO_MODE: auto, Target.NAP: other}, reason, values, dict.fromkeys(Target, roughly) if roughly else None)


def _only_aws(reason: str, *suffixes: str) -> Iterable[Label]:
    for suffix in suffixes:
        own, auto = _aws(suffix)
        yield Label((own, auto), {Target.AUTO_MODE: auto}, reason)


def _nowhere(reason: str, *names: str) -> Iterable[Label]:
    for name in names:
        yield Label((name,), {}, reason)


def _only_azure(reason: str, *names: str) -> Iterable[Label]:
    for name in names:
        yield Label((name,), {Target.NAP: name}, reason)


_OF_AZURE: Final = {"D": "m", "B": "t", "F": "c", "E": "r", "M": "x", "L": "i im is d", "N": "g gr p"}
_FAMILIES: Final[Values] = {of_aws: (family,) for family, names in _OF_AZURE.items() for of_aws in names.split()}
_CATEGORIES: Final[Values] = {"D": ("m",), "B": ("t",), "F": ("c",), "E": ("r",), "M": ("x",), "L": ("i",), "N": ("g", "p")}
_GPUS: Final[Values] = {name.lower(): (name,) for name in ("T4", "V100", "A100", "H100", "H200")}
_ON_DEMAND: Final = dict.fromkeys(("ON_DEMAND", "regular", "Regular"), ("on-demand",))
_CAPACITY: Final[Values] = {**_ON_DEMAND, **dict.fromkeys(("SPOT", "Spot"), ("spot",)), "CAPACITY_BLOCK": ("reserved",)}
_CAPACITIES: Final = {Target.AUTO_MODE: ("on-demand", "spot", "reserved"), Target.NAP: ("on-demand", "spot")}
_AWS_ZONE: Final = re.compile(r"[a-z]{2}(-[a-z]+)+-\d+[a-z](-.*)?|[a-z]{2}(-[a-z]+)+-\d+-.*")
_AZURE_ZONE: Final = re.compile(r"[a-z0-9]+-\d|\d")
_AWS_REGION: Final = re.compile(r"[a-z]{2}(-[a-z]+)+-\d+")
_AWS_TYPE: Final = re.compile(r"[a-z0-9-]+\.[a-z0-9-]+")
_AZURE_TYPE: Final = re.compile(r"(Standard|Basic)_\S+")
_SMALLEST_MIB: Final = 1024
"""Below, an amount of memory is in GB: no VM has less than 1 GiB."""


def _family(target: Target, value: str) -> tuple[str, ...]:
    if target is Target.AUTO_MODE:
        return _CATEGORIES.get(value, () if value.isupper() else (value,))
    return (value,) if value.isupper() else _FAMILIES.get(value, ())


def _gpu(target: Target, value: str) -> tuple[str, ...]:
    if target is Target.AUTO_MODE:
        return (value.lower(),) if value.lower() in _GPUS or value == value.lower() else ()
    return _GPUS.get(value.lower(), (value,) if value != value.lower() else ())


def _capacity(target: Target, value: str) -> tuple[str, ...]:
    return tuple(one for one in _CAPACITY.get(value, (value,)) if one in _CAPACITIES[target])


def _of_cloud(aws: re.Pattern[str], azure: re.Pattern[str]) -> Callable[[Target, str], tuple[str, ...]]:
    """Keeps the values of the cloud of the target."""
    other = {Target.AUTO_MODE: azure, Target.NAP: aws}
    return lambda target, value: () if other[target].fullmatch(value) else (value,)


def _mebibytes(_: Target, value: str) -> tuple[str, ...]:
    """The label of agent pools is in GB, and the same label of node auto provisioning in MiB."""
    is_gb = value.isdecimal() and int(value) < _SMALLEST_MIB
    return (str(int(value) * 1024),) if is_gb else (value,)


_TYPES_DIFFER: Final = "EC2 instance types and Azure VM sizes are different"
_NOT_AZURE: Final = "nodes of node auto provisioning have no such label"
_NOT_AWS: Final = "nodes of EKS Auto Mode have no such label"
_BY_PURPOSE: Final = "EC2 and Azure have different families: this one has the same purpose"
_OF_GROUP: Final = "only nodes of managed node groups have it"
LABELS: Final[tuple[Label, ...]] = (
    _every("karpenter.sh/capacity-type", "node auto provisioning launches no reserved capacity", values=_capacity),
    Label((ZONE, EBS_ZONE), dict.fromkeys(Target, ZONE), _SHARED_BY_ALL, _of_cloud(_AWS_ZONE, _AZURE_ZONE)),
    _every("topology.kubernetes.io/region", _SHARED_BY_ALL, values=_of_cloud(_AWS_REGION, re.compile(r"[a-z]+\d?"))),
    _every("node.kubernetes.io/instance-type", _TYPES_DIFFER, values=_of_cloud(_AWS_TYPE, _AZURE_TYPE)),
    _every("kubernetes.io/os", "it launches no Windows nodes", values=lambda _, value: () if value == "windows" else (value,)),
    _every("kubernetes.io/arch", "", values=_unchanged),
    _same("instance-cpu", "sku-cpu"),
    _same("instance-memory", "sku-memory"),
    _same("instance-category", "sku-family", _family, _BY_PURPOSE, reason="Azure has no such family"),
    _same("instance-gpu-count", "sku-gpu-count"),
    _same("instance-gpu-manufacturer", "sku-gpu-manufacturer"),
    _same("instance-gpu-name", "sku-gpu-name", _gpu, reason="the other cloud has no such GPU"),
    *_only_aws(_TYPES_DIFFER, "instance-family", "instance-generation", "instance-size"),
    *_only_aws(_NOT_AZURE, "instance-gpu-memory", "instance-accelerator-name", "instance-accelerator-manufacturer", "instance-accelerator-count"),
    *_only_aws(_NOT_AZURE, "instance-cpu-manufacturer", "instance-cpu-sustained-clock-speed-mhz", "instance-capability-flex"),
    *_only_aws(_NOT_AZURE, "instance-ebs-bandwidth", "instance-network-bandwidth", "instance-local-nvme", "instance-hypervisor"),
    *_only_aws(_NOT_AZURE, "instance-encryption-in-transit-supported", "placement-group-id"),
    *_only_aws(_NOT_AZURE, "capacity-reservation-id", "capacity-reservation-type", "capacity-reservation-interruptible"),
    *_nowhere("neither target has such a label: instances have shared tenancy", f"{OWN}/instance-tenancy"),
    *_nowhere("neither target has such a label", *(f"{OWN}/{name}" for name in ("instance-pods", "nitro-sandbox", "placement-group-partition"))),
    *_nowhere("it launches no Windows nodes", "node.kubernetes.io/windows-build"),
    Label(("topology.k8s.aws/zone-id",), {Target.AUTO_MODE: "topology.k8s.aws/zone-id"}, _NOT_AZURE),
    Label((f"{AUTO}/compute-type",), {Target.AUTO_MODE: f"{AUTO}/compute-type"}, _NOT_AZURE),
    Label((f"{NAP}/sku-name",), {Target.NAP: f"{NAP}/sku-name"}, _TYPES_DIFFER),
    *_only_azure(_NOT_AWS, *(f"{NAP}/{name}" for name in ("sku-series", "sku-version", "sku-networking-accelerated", "placement-scope"))),
    *_only_azure(_NOT_AWS, *(f"{NAP}/sku-storage-{name}" for name in ("premium-capable", "ultra-ssd", "ephemeralos-maxsize"))),
    *_only_azure(_NOT_AWS, *(f"kubernetes.azure.com/{name}" for name in ("mode", "fips_enabled", "os-sku", "cluster", "ebpf-dataplane"))),
    *_only_azure(_NOT_AWS, *(f"kubernetes.azure.com/{name}" for name in ("network-policy", "priority", "ebpf-host-routing", "hostedvm"))),
    Label(
        ("kubernetes.azure.com/scalesetpriority",),
        {Target.NAP: "kubernetes.azure.com/scalesetpriority", Target.AUTO_MODE: "karpenter.sh/capacity-type"},
        values=lambda target, value: (value,) if target is Target.NAP else _capacity(target, value),
    ),
    Label(("kubernetes.azure.com/sku-cpu",), {Target.NAP: "kubernetes.azure.com/sku-cpu", Target.AUTO_MODE: f"{AUTO}/instance-cpu"}),
    Label(
        ("kubernetes.azure.com/sku-memory",),
        {Target.NAP: "kubernetes.azure.com/sku-memory", Target.AUTO_MODE: f"{AUTO}/instance-memory"},
        values=_mebibytes,
    ),
    Label((f"{AUTO}/capacityType",), dict.fromkeys(Target, "karpenter.sh/capacity-type"), "it launches no reserved capacity", _capacity),
    *_nowhere(_OF_GROUP, *(f"{AUTO}/{name}" for name in ("nodegroup-image", "sourceLaunchTemplateId", "sourceLaunchTemplateVersion"))),
    *_nowhere("only clusters of eksctl have it", "alpha.eksctl.io/cluster-name", "alpha.eksctl.io/instance-id"),
)
GROUP_LABELS: Final = (f"{AUTO}/nodegroup", "alpha.eksctl.io/nodegroup-name", "agentpool", "kubernetes.azure.com/agentpool")
"""Labels with the name of a node group or an agent pool: there are NodePools instead."""
POOL_LABELS: Final = ("karpenter.sh/nodepool", "karpenter.sh/provisioner-name")
"""Labels with the name of a NodePool; the second one is of Karpenter before 0.32."""
CLASS_LABELS: Final[Mapping[str, Target | None]] = {
    f"{OWN}/ec2nodeclass": None,
    f"{AUTO}/nodeclass": Target.AUTO_MODE,
    f"{NAP}/aksnodeclass": Target.NAP,
}
"""Labels with the name of a node class."""
BY_NAME: Final[Mapping[str, Label]] = {name: label for label in reversed(LABELS) for name in label.names}
"""The rows by the names of labels."""


def group_title(key: str) -> str:
    """What a label of `GROUP_LABELS` names."""
    return "agent pool" if "agentpool" in key else "node group"


_POOL: Final = POOL_LABELS[0]
_CLASS: Final = {target: label for label, target in CLASS_LABELS.items() if target is not None}


@dataclass(frozen=True, slots=True)
class Term:
    """What a requirement or a selector states about one label, for the target."""

    key: str | None
    """The label; `None` if there is none for it."""
    values: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    """Values that have no equivalent."""
    reason: str = ""
    """Why the label or the lost values have no equivalent."""
    instead: str | None = None
    roughly: str = ""
    """How the values differ in meaning from those before; empty if they do not."""


@dataclass(frozen=True, slots=True)
class Labels:
    """Converts terms. `pools` and `classes` have the new names of the objects of all files."""

    wanted: ConversionOptions
    pools: Mapping[str, str] = field(default_factory=dict[str, str])
    """The NodePools of the target in the output, by their names in the input."""
    classes: Mapping[str, str] = field(default_factory=dict[str, str])
    """The same for node classes."""

    def term(self, key: str, values: Sequence[str]) -> Term:
        """Returns the term with another label or other values; a term that needs none is returned as it is."""
        if key in GROUP_LABELS:
            return self._of_group(key, values)
        if key in POOL_LABELS:
            return Term(_POOL, tuple(self.pools.get(value, value) for value in values))
        if key in CLASS_LABELS:
            return Term(_CLASS[self.wanted.target], tuple(self.classes.get(value, value) for value in values))
        label = BY_NAME.get(key)
        if label is None:
            return self._unknown(key, values)
        name = label.to.get(self.wanted.target)
        if name is None:
            return Term(None, reason=label.reason)
        found = {value: label.values(self.wanted.target, value) for value in values}
        new = tuple(dict.fromkeys(one for value in values for one in found[value]))
        lost = tuple(value for value in values if not found[value])
        roughly = label.roughly[self.wanted.target] if label.roughly is not None and new != tuple(values) else ""
        return Term(name, new, lost, label.reason if lost else "", roughly=roughly)

    def _of_group(self, key: str, values: Sequence[str]) -> Term:
        """The NodePools that replace groups: those that the caller names, otherwise those of the same names."""
        named = {value: self.wanted.groups.get(value, self.pools.get(value)) for value in values}
        new = tuple(dict.fromkeys(self.pools.get(name, name) for name in named.values() if name is not None))
        lost = tuple(value for value in values if named[value] is None)
        if not lost and values:
            return Term(_POOL, new)
        instead = f"Name the NodePool for its pods: `--group {lost[0] if lost else 'GROUP'}=NODEPOOL`"
        return Term(_POOL if new else None, new, lost, f"{self.wanted.target.title} has NodePools instead of {group_title(key)}s", instead)

    def _unknown(self, key: str, values: Sequence[str]) -> Term:
        if not key.startswith(f"{OWN}/"):
            return Term(key, tuple(values))
        return Term(None, reason=f"{self.wanted.target.title} has no label of this domain that is known to mean the same")


_WIDER: Final = "Narrow the NodePool with another requirement: without this one, it allows more nodes"


def convert_requirements(requirements: list[object], at: Steps, labels: Labels, log: Log) -> None:
    """Converts requirements of a NodePool in place. Those without an equivalent are removed: the NodePool then allows more nodes than before."""
    for index, entry in reversed(list(enumerate(requirements))):
        requirement, steps = as_mapping(entry), (*at, index)
        term = _term(requirement, labels)
        if term is None:
            continue
        is_exclusion = requirement.get("operator") in ("NotIn", "DoesNotExist")
        advice = None if is_exclusion else term.instead if term.instead is not None else _WIDER
        if term.key is None or (term.lost and not term.values):
            log.removed(steps, dict(requirement), term.reason, advice)
            del requirements[index]
            continue
        if term.lost:
            log.removed((*steps, "values"), list(term.lost), term.reason, None)
        _apply(requirement, term, steps, log)


def convert_expressions(expressions: list[object], at: Steps, labels: Labels, log: Log, *, is_required: bool) -> None:
    """Converts expressions of node affinity in place. Those without an equivalent stay: without them, pods could run on nodes that they exclude."""
    for index, entry in enumerate(expressions):
        expression, steps = as_mapping(entry), (*at, index)
        term = _term(expression, labels)
        if term is None:
            continue
        if term.key is None or (term.lost and not term.values):
            needs_label = expression.get("operator") not in ("NotIn", "DoesNotExist")
            log.kept(steps, dict(expression), term.reason, _advice(term, is_required=is_required and needs_label))
            continue
        if term.lost:
            log.removed((*steps, "values"), list(term.lost), term.reason, None)
        _apply(expression, term, steps, log)


def convert_selector(selector: Object, at: Steps, labels: Labels, log: Log) -> None:
    """Converts a node selector in place. A label without an equivalent stays: without it, pods could run on nodes that they exclude."""
    new: Object = {}
    for key, value in selector.items():
        term = labels.term(key, (text(value),)) if isinstance(value, str) else Term(key, ())
        if isinstance(value, str) and (term.key is None or len(term.values) != 1):
            reason = term.reason if term.reason else f"several values are equivalent: {', '.join(term.values)}"
            log.kept((*at, key), value, reason, _advice(term, is_required=True))
            new[key] = value
        elif not isinstance(value, str) or term.key is None:
            new[key] = value
        else:
            if term.roughly:
                log.changed((*at, key), value, term.roughly, f"Check that `{term.values[0]}` fits")
            new[term.key] = term.values[0]
    if list(new.items()) != list(selector.items()):
        selector.clear()
        selector.update(new)


def list_selected(raw: object, at: Steps, labels: Labels, log: Log) -> None:
    """Lists the labels of nodes in an object of another kind, such as a policy or the values of a chart: it stays as it is."""
    for key, value in (*as_mapping(raw).items(), *enumerate(as_list(raw))):
        named, values = (value, as_mapping(raw).get("values")) if key in ("key", "topologyKey") else (key, [value])
        strings = [one for one in as_list(values) if isinstance(one, str)]
        term = labels.term(named, strings) if isinstance(named, str) and "/" in named else None
        if term is not None and (term.key, list(term.values)) != (named, strings):
            those = ", ".join((f"`{term.key}`", *term.values))
            reason = term.reason if term.reason else f"nodes of {labels.wanted.target.title} have {those} instead"
            log.kept(
                (*at, key),
                value,
                reason,
                f"Change it yourself{f' to {those}' * (not term.reason)}: only NodePools, node classes and pods are converted",
            )
        list_selected(value, (*at, key), labels, log)


def _term(requirement: Object, labels: Labels) -> Term | None:
    """Returns the term for the target; `None` if this is not a term."""
    key = text(requirement.get("key"))
    values = [value for value in as_list(requirement.get("values")) if isinstance(value, str)]
    return labels.term(key, values) if key else None


def _apply(requirement: Object, term: Term, steps: Steps, log: Log) -> None:
    if requirement.get("key") != term.key:
        requirement["key"] = term.key
    old = as_list(requirement.get("values"))
    if not isinstance(requirement.get("values"), list) or [value for value in old if isinstance(value, str)] == list(term.values):
        return
    if term.roughly:
        log.changed((*steps, "values"), list(old), term.roughly, f"Check that {', '.join(term.values)} fits")
    requirement["values"] = list(term.values)
    least = requirement.get("minValues")
    if requirement.get("operator") == "In" and isinstance(least, int) and least > len(term.values):
        log.changed((*steps, "minValues"), least, f"only {len(term.values)} values are left")
        requirement["minValues"] = len(term.values)


def _advice(term: Term, *, is_required: bool) -> str | None:
    return None if not is_required else term.instead if term.instead is not None else FITS_NONE


FITS_NONE: Final = "The pods fit no converted pool: select another label, or remove it if it does not matter"
_REQUIRED, _PREFERRED = "requiredDuringSchedulingIgnoredDuringExecution", "preferredDuringSchedulingIgnoredDuringExecution"
_KEPT: Final = "karpenter.sh/do-not-disrupt"
_SAFE: Final = "cluster-autoscaler.kubernetes.io/safe-to-evict"
_FORMER: Final = ("karpenter.sh/do-not-evict", "karpenter.sh/do-not-consolidate")
"""The annotation of pods before Karpenter 0.32 (https://karpenter.sh/docs/upgrading/upgrade-guide, read 2026-11-23)."""
_TAINTS: Final = {"karpenter.sh/disruption": "karpenter.sh/disrupted"}
"""Taints that v1 renamed (https://karpenter.sh/docs/upgrading/v1-migration)."""
_GRACE: Final = "a drain by Auto Mode ends after terminationGracePeriod, 24h by default: then the pod is deleted all the same"


def convert_pods(made: Object, at: Steps, labels: Labels, log: Log) -> None:
    """Converts the pod at a path of an object in place."""
    template = part(made, *at)
    _annotations(part(template, "metadata", "annotations"), (*at, "metadata", "annotations"), labels.wanted.target, log)
    spec, inside = part(template, "spec"), (*at, "spec")
    convert_selector(part(spec, "nodeSelector"), (*inside, "nodeSelector"), labels, log)
    affinity = part(spec, "affinity", "nodeAffinity")
    here = (*inside, "affinity", "nodeAffinity")
    for index, term in enumerate(as_list(part(affinity, _REQUIRED).get("nodeSelectorTerms"))):
        expressions = as_list(as_mapping(term).get("matchExpressions"))
        convert_expressions(expressions, (*here, _REQUIRED, "nodeSelectorTerms", index, "matchExpressions"), labels, log, is_required=True)
    for index, preferred in enumerate(as_list(affinity.get(_PREFERRED))):
        expressions = as_list(part(preferred, "preference").get("matchExpressions"))
        convert_expressions(expressions, (*here, _PREFERRED, index, "preference", "matchExpressions"), labels, log, is_required=False)
    _topology(spec, inside, labels, log)
    for toleration in as_list(spec.get("tolerations")):
        key = text(as_mapping(toleration).get("key"))
        if key in _TAINTS:
            as_mapping(toleration)["key"] = _TAINTS[key]
            if as_mapping(toleration).get("value") == "disrupting":  # the new taint has no value
                del as_mapping(toleration)["value"]


def _annotations(annotations: Object, at: Steps, target: Target, log: Log) -> None:
    for former in _FORMER:
        if former in annotations:
            annotations.setdefault(_KEPT, annotations.pop(former))
    if target is Target.AUTO_MODE and annotations.get(_KEPT) not in (None, "false"):
        log.kept((*at, _KEPT), annotations[_KEPT], _GRACE, "Raise `terminationGracePeriod` of the NodePool, or let the pod resume")
    if annotations.get(_SAFE) == "false" and _KEPT not in annotations:
        log.kept(
            (*at, _SAFE), "false", "only the cluster autoscaler reads it: Karpenter disrupts the node", f"Add `{_KEPT}`, unless pods may be moved"
        )


def _topology(spec: Object, at: Steps, labels: Labels, log: Log) -> None:
    """Converts the labels that domains of spreading and of pod affinity are made of."""
    for index, constraint in enumerate(as_list(spec.get("topologySpreadConstraints"))):
        _topology_key(as_mapping(constraint), (*at, "topologySpreadConstraints", index), labels, log)
    for kind in ("podAffinity", "podAntiAffinity"):
        terms = part(spec, "affinity", kind)
        for index, term in enumerate(as_list(terms.get(_REQUIRED))):
            _topology_key(as_mapping(term), (*at, "affinity", kind, _REQUIRED, index), labels, log)
        for index, term in enumerate(as_list(terms.get(_PREFERRED))):
            _topology_key(part(term, "podAffinityTerm"), (*at, "affinity", kind, _PREFERRED, index, "podAffinityTerm"), labels, log)


def _topology_key(holder: Object, at: Steps, labels: Labels, log: Log) -> None:
    key = text(holder.get("topologyKey"))
    term = labels.term(key, ())
    if term.key is None:
        log.kept((*at, "topologyKey"), key, term.reason, "Use `topology.kubernetes.io/zone` or `kubernetes.io/hostname`")
    elif term.key != key:
        holder["topologyKey"] = term.key


def selected_groups(raw: object) -> tuple[str, ...]:
    """The node groups and agent pools that the pods of an object require, such as `node group web`: they run there now."""
    return tuple(dict.fromkeys(f"{group_title(key)} {name}" for key, name in _selected(raw, GROUP_LABELS)))


def selected_pools(raw: object) -> tuple[str, ...]:
    """The NodePools that the pods of an object require by name."""
    return tuple(dict.fromkeys(name for _, name in _selected(raw, POOL_LABELS)))


def _selected(raw: object, keys: Collection[str]) -> list[tuple[str, str]]:
    found: list[tuple[str, object]] = []
    for spec in (part(raw, *at, "spec") for at in pod_places(as_mapping(raw))):
        selector = part(spec, "nodeSelector")
        found.extend((key, selector[key]) for key in keys if key in selector)
        for term in as_list(part(spec, "affinity", "nodeAffinity", _REQUIRED).get("nodeSelectorTerms")):
            for expression in map(as_mapping, as_list(as_mapping(term).get("matchExpressions"))):
                if text(expression.get("key")) in keys and expression.get("operator") == "In":
                    found.extend((text(expression["key"]), value) for value in as_list(expression.get("values")))
    return [(key, text(name)) for key, name in found if text(name)]
