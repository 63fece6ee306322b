"""Managed node groups of EKS: groups of nodes that an Auto Scaling group launches, as `aws eks describe-nodegroup` shows them.

A launch template can contain an image, instance types and user data: what it hides is unknown. Secrets of launch templates are not kept. Source:
https://docs.aws.amazon.com/eks/latest/userguide/managed-node-groups.html and launch-templates.html (2026-01).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, cast

from nodepools.clouds.eks.kubelet import PODS, Kubelet, by_interfaces, room_on_disk
from nodepools.clouds.eks.pools import NODE_GROUP_CAPACITY, NODE_GROUP_LABELS
from nodepools.clouds.eks.self_managed import ARCH, left_by_system_pods, node_offers
from nodepools.clouds.rows import PoolRow
from nodepools.data.eks_instance_types import InstanceType, ec2_interfaces, eks_instance_types
from nodepools.model.kubernetes.label import DEPRECATED_LABELS, Taint, domain
from nodepools.model.kubernetes.raw_fields import PodError, entries, mapping, number, text, texts
from nodepools.model.steps import mapping as plain_mapping
from nodepools.model.values import dataclass, field
from nodepools.placement.cloud_labels import HOSTNAME, NODE_GROUP, OS, REGION, ZONE, of_node_software
from nodepools.placement.coverage import EXPORT
from nodepools.placement.machine_index import UNKNOWN_AMOUNT, Bounds, hull
from nodepools.placement.static_pools import StaticPool

TYPE: Final = "node.kubernetes.io/instance-type"
_FORMER: Final = {current: deprecated for deprecated, current in DEPRECATED_LABELS.items()}
"""Labels that nodes also have under a deprecated name."""
_DOMAINS: Final = frozenset({"topology.k8s.aws", "k8s.io", "node.kubernetes.io", "topology.kubernetes.io"})
"""Domains of labels that the cloud controller and the kubelet add to nodes."""
_DISK: Final = "ephemeral-storage"
_GIB: Final = 1024**3 * 1000
_FEW_CPUS, _OF_FEW, _OF_MANY = 30, 110, 250
"""EKS runs at most 110 pods on types with fewer than 30 vCPUs, and 250 on others."""
_LEAVING: Final = ("DELETING", "DELETE_FAILED", "CREATE_FAILED")
"""States in which its nodes go, or are not certain to come."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeGroup:
    """A managed node group."""

    name: str
    """Ends with `*` if the rest of it is not known yet."""
    cluster: str
    region: str
    ami_type: str
    """Such as `AL2023_x86_64_STANDARD`; `CUSTOM`: an image of the launch template."""
    least: int
    desired: int
    most: int
    instance_types: tuple[str, ...] = ()
    """Empty: the launch template decides."""
    capacity_type: str = "ON_DEMAND"
    version: str = ""
    status: str = "ACTIVE"
    labels: Mapping[str, str] = field(default_factory=dict[str, str])
    taints: tuple[Taint, ...] = ()
    subnets: tuple[str, ...] = ()
    template: str = ""
    """Launch template of the user; empty: none."""
    template_id: str = ""
    template_version: str = ""
    has_user_data: bool | None = None
    """The template has user data; `None`: the template is not in the input."""
    disk_gib: int | None = None
    """`None`: the launch template decides."""
    unavailable: str = "1"
    """How many nodes an update replaces at a time: a number or a percentage."""
    has_minimal_update: bool = False
    """An update removes nodes before it adds new ones."""

    @property
    def hides(self) -> bool:
        """The kubelet can have settings, labels and taints that the node group does not show."""
        return bool(self.template) and self.has_user_data is not False

    @property
    def is_spot(self) -> bool:
        """Its nodes are spot instances."""
        return self.capacity_type == "SPOT"

    @property
    def family(self) -> str:
        """The family of its image in lower case; `custom` for another image."""
        return self.ami_type.partition("_")[0].lower()

    @property
    def system(self) -> str:
        """Operating system; empty: not known."""
        return "" if self.family == "custom" else "windows" if self.family == "windows" else "linux"

    @property
    def arch(self) -> str | None:
        """Architecture; `None`: not known."""
        of_types = {known.labels[ARCH] for known in self.known_types} if self.known_types is not None else set[str]()
        return "arm64" if "ARM_64" in self.ami_type else "amd64" if "x86_64" in self.ami_type else of_types.pop() if len(of_types) == 1 else None

    @property
    def kubelet(self) -> Kubelet | None:
        """What decides the room on its nodes; `None`: not known."""
        return Kubelet(self.family) if self.family in ("al2", "al2023", "bottlerocket") and not self.hides else None

    @property
    def known_types(self) -> list[InstanceType] | None:
        """Its instance types; `None` if one of them is not known."""
        table = eks_instance_types().types
        found = [table[name] for name in self.instance_types if name in table]
        return found if found and len(found) == len(self.instance_types) else None

    @property
    def why_no_type(self) -> str:
        """Why no instance type is known; empty: one is."""
        if self.instance_types:
            return ""
        if not self.template or self.has_user_data is not None:
            return "neither the node group nor its launch template names an instance type"
        return f"its launch template `{self.template}` determines the instance type: {self._export} prints it"

    @property
    def _export(self) -> str:
        """The command that prints the launch template."""
        named = f"--launch-template-id {self.template_id}" if self.template_id else f"--launch-template-name {self.template}"
        version = f" --versions {self.template_version}" if self.template_version else ""
        return f"`aws ec2 describe-launch-template-versions {named}{version}`"

    def why_unsure(self, *, autoscaled: bool | None) -> str | None:
        """Why it is not certain that a pod for which these nodes have room can run on them; `None`: it is."""
        if self.status in _LEAVING:
            return f"the node group is `{self.status}` in the export"
        if self.hides:
            data = f"user data of its launch template `{self.template}` can add taints and kubelet settings, which the node group does not show"
            also = "" if self.instance_types else ", and the instance type"
            return data if self.has_user_data else f"{data}: {self._export} prints whether there is any{also}"
        if self.why_no_type:
            return self.why_no_type
        if autoscaled is None and not self.desired and self.most:
            return f"the node group has no nodes now, and whether a cluster autoscaler adds one is not in the input: {EXPORT}"
        return None

    def row(self, cluster: str) -> PoolRow:
        """Its row in diagrams."""
        labels = tuple(f"{key}={value}" for key, value in self.labels.items())
        return PoolRow(cluster, self.name, "node group", self.instance_types, f"{self.least} to {self.most}", tuple(map(str, self.taints)), labels)

    def nodes(self, zones: Iterable[str] | None, *, autoscaled: bool | None) -> StaticPool:
        """Its nodes. `zones` are those of its subnets, and whether the cluster autoscaler scales it; `None`: not known."""
        labels, choices = self._labels(), dict[str, frozenset[str]]()
        known: dict[str, frozenset[str]] = {TYPE: frozenset(self.instance_types), ZONE: frozenset(zones if zones is not None else ())}
        for key, values in known.items():
            for label in (key, _FORMER[key]):
                if len(values) == 1:
                    labels |= dict.fromkeys([label], *values)
                elif values:
                    choices[label] = values
        missing = {label for key in (TYPE, ZONE, ARCH, OS) for label in (key, _FORMER[key])} - labels.keys()
        least, most = (self.least, self.most) if autoscaled is not False else (self.desired, self.desired)
        return StaticPool(
            self.name,
            (labels,),
            self.taints,
            self._offers(),
            size=self.instance_types[0] if len(self.instance_types) == 1 else "",
            min_nodes=least,
            max_nodes=most,
            may_grow=least < most,
            now=self.desired,
            sure_nodes=most if autoscaled else self.desired,
            choices=choices,
            may_set=lambda key: key in missing or self._may_set(key),
            system=self.system,
            name_rotates=False,
        )

    def _labels(self) -> dict[str, str]:
        own = {ARCH: self.arch, OS: self.system, REGION: self.region}
        known = {key: value for key, value in own.items() if value}
        former = {_FORMER[key]: value for key, value in known.items()}
        named = {} if self.name.endswith("*") else {NODE_GROUP: self.name}
        return {**known, **former, **named, NODE_GROUP_CAPACITY: self.capacity_type, **self.labels}

    def _may_set(self, key: str) -> bool:
        return self.hides or key in (HOSTNAME, NODE_GROUP) or key in NODE_GROUP_LABELS or domain(key) in _DOMAINS or of_node_software(key)

    def _offers(self) -> dict[str, Bounds] | None:
        """The room on a node of whichever of its types; Windows and other images publish no formula."""
        types = self.known_types
        if types is None:
            return None
        every = [self._of_type(known) for known in types]
        names = {name for offers in every for name in offers}
        disk = UNKNOWN_AMOUNT if self.disk_gib is None or self.kubelet is None else room_on_disk(self.disk_gib * _GIB)
        return {**{name: hull([offers.get(name, UNKNOWN_AMOUNT) for offers in every]) for name in names}, _DISK: disk}

    def _of_type(self, known: InstanceType) -> dict[str, Bounds]:
        """The room on a node of one type. Device plug-ins, which count GPUs and accelerators, are not part of a node group.

        EKS sets the maximum number of pods by type and by the settings of its network plug-in, which can take one interface from pods.
        """
        offers = {**node_offers(known, None), **{name: Bounds(0, count * 1000) for name, count in known.devices.items()}}
        ceiling = _OF_FEW if known.cpu < _FEW_CPUS else _OF_MANY
        by_types = by_interfaces(known.name)
        if self.kubelet is None or by_types is None:
            return offers | ({} if self.hides else {PODS: Bounds(0, ceiling * 1000)})
        reserved = Kubelet("bottlerocket", max_pods=max(ceiling, by_types)).offers(known)
        pods = Bounds(min(_without_one_interface(known.name), ceiling) * 1000, ceiling * 1000)
        return {**offers, **left_by_system_pods({**reserved, PODS: pods})}


def _without_one_interface(name: str) -> int:
    """The pods of a node if the network plug-in uses other subnets for pods than for nodes."""
    found = ec2_interfaces()[name]
    return (found.count - 1) * (found.addresses - 1) + 2


Raw = Mapping[str, object]
_EFFECTS: Final = {"NO_SCHEDULE": "NoSchedule", "NO_EXECUTE": "NoExecute", "PREFER_NO_SCHEDULE": "PreferNoSchedule"}
_ARN_PARTS: Final = 6


@dataclass(frozen=True, slots=True)
class Template:
    """A version of a launch template, without the values that can be secret."""

    id: str
    name: str
    version: str
    has_user_data: bool
    instance_type: str

    def is_of(self, named: Raw) -> bool:
        """A node group names it."""
        of = self.id == named.get("id") or (bool(self.name) and self.name == named.get("name"))
        return of and self.version == str(named.get("version"))


def node_groups_in(value: object) -> list[Raw] | None:
    """The output of `aws eks describe-nodegroup`, once or several times in a list; `None` if it is something else."""
    listed = cast("Sequence[object]", value) if isinstance(value, list) else [value]
    found = [cast("Raw", group) for one in listed if isinstance(group := plain_mapping(one).get("nodegroup"), Mapping)]
    return found if found and len(found) == len(listed) else None


def node_group(raw: Raw, templates: Sequence[Template]) -> NodeGroup:
    """A node group, with what is known of its launch template.

    Raises:
        PodError: a field is missing or invalid.
    """
    named = mapping(raw, "launchTemplate")
    template = next((one for one in templates if one.is_of(named)), None)
    scaling, update = mapping(raw, "scalingConfig"), mapping(raw, "updateConfig")
    types = texts(raw, "instanceTypes")
    percentage = update.get("maxUnavailablePercentage")
    return NodeGroup(
        name=_required(raw, "nodegroupName"),
        cluster=_required(raw, "clusterName"),
        region=_region(_required(raw, "nodegroupArn")),
        ami_type=_required(raw, "amiType"),
        least=number(scaling.get("minSize"), "scalingConfig.minSize"),
        desired=number(scaling.get("desiredSize"), "scalingConfig.desiredSize"),
        most=number(scaling.get("maxSize"), "scalingConfig.maxSize"),
        instance_types=types if types or template is None or not template.instance_type else (template.instance_type,),
        capacity_type=text(raw.get("capacityType"), "capacityType") or "ON_DEMAND",
        version=text(raw.get("version"), "version"),
        status=text(raw.get("status"), "status"),
        labels={key: text(label, key) for key, label in mapping(raw, "labels").items()},
        taints=tuple(_taint(taint) for taint in entries(raw, "taints")),
        subnets=texts(raw, "subnets"),
        template=text(named.get("name"), "launchTemplate.name") or text(named.get("id"), "launchTemplate.id"),
        template_id=text(named.get("id"), "launchTemplate.id"),
        template_version=str(named.get("version", "")),
        has_user_data=None if template is None else template.has_user_data,
        disk_gib=None if raw.get("diskSize") is None else number(raw["diskSize"], "diskSize"),
        unavailable=f"{percentage}%" if percentage is not None else str(number(update.get("maxUnavailable", 1), "updateConfig.maxUnavailable")),
        has_minimal_update=update.get("updateStrategy") == "MINIMAL",
    )


def templates_in(value: object) -> Iterator[Template] | None:
    """The output of `aws ec2 describe-launch-template-versions`; `None` if it is something else. Of user data, only that it is there is kept."""
    raw = plain_mapping(value)
    return map(_template, _listed(raw, "LaunchTemplateVersions")) if isinstance(raw.get("LaunchTemplateVersions"), list) else None


def zones_in(value: object) -> Mapping[str, str] | None:
    """The zones of subnets in the output of `aws ec2 describe-subnets`, by their ids; `None` if it is something else."""
    raw = plain_mapping(value)
    if not isinstance(raw.get("Subnets"), list):
        return None
    return {text(one.get("SubnetId"), "SubnetId"): text(one.get("AvailabilityZone"), "AvailabilityZone") for one in _listed(raw, "Subnets")}


def _listed(raw: Raw, name: str) -> Sequence[Raw]:
    if raw.get("NextToken") is not None:
        raise PodError("has more pages (`NextToken`): export it without `--max-items` and `--no-paginate`")
    return entries(raw, name)


def _template(raw: Raw) -> Template:
    data = mapping(raw, "LaunchTemplateData")
    return Template(
        text(raw.get("LaunchTemplateId"), "LaunchTemplateId"),
        text(raw.get("LaunchTemplateName"), "LaunchTemplateName"),
        str(raw.get("VersionNumber")),
        bool(data.get("UserData")),
        text(data.get("InstanceType"), "InstanceType"),
    )


def _taint(raw: Raw) -> Taint:
    effect = text(raw.get("effect"), "effect")
    if effect not in _EFFECTS:
        raise PodError(f"the effect of a taint must be one of {', '.join(f'`{known}`' for known in _EFFECTS)}, but is `{effect:.60}`")
    return Taint.model_validate({"key": raw.get("key"), "value": text(raw.get("value"), "value"), "effect": _EFFECTS[effect]})


def _required(raw: Raw, name: str) -> str:
    found = text(raw.get(name), name)
    if not found:
        raise PodError(f"it has no `{name}`, which `aws eks describe-nodegroup` prints")
    return found


def _region(arn: str) -> str:
    parts = arn.split(":")
    if len(parts) != _ARN_PARTS or not parts[3]:
        raise PodError(f"`nodegroupArn` must be an ARN with a region, but is `{arn:.60}`")
    return parts[3]
