"""The declaration of an EKS cluster and its network. Facts: docs/facts/eks.md § 1, § 12, § 16, C27, C28, C37, C43, C49.

Next to it can be objects that EKS does not create, and the log group and settings of its control plane.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from ipaddress import IPv4Network
from typing import Annotated, Literal

from pydantic import Discriminator, Field, field_validator
from pydantic_core import PydanticCustomError

from nodepools.model.access import ApiServer
from nodepools.model.base import Model
from nodepools.model.cidr import Cidr, first_free, part
from nodepools.model.eks.access import AccessEntry, AddOn, IdentityProvider, PodIdentity
from nodepools.model.eks.node_class import AutoMode, EksNodeClass, EksNodePool
from nodepools.model.karpenter import NodePool
from nodepools.model.kubernetes.duration import Timeouts
from nodepools.model.maintenance import MaybeWindow
from nodepools.model.ref import KNOWN, Ref
from nodepools.model.steps import Steps
from nodepools.model.values import dataclass

_ZONE = re.compile(r"[a-z]{2,3}(?:-[a-z]+)+-[0-9](?P<letter>[a-f])|[a-z]+[0-9]-az(?P<number>[1-6])")
_SERVICE = re.compile(r"[a-z0-9][a-z0-9.-]*")
_SMALLEST = 28
"""AWS creates no subnet smaller than /28."""
_ZONES, _ZONES_OF = 3, {"us-west-1": 2}
"""Number of zones of a new network. Each region has at least three, of which an account sees two in `us-west-1`."""

_MOST_ZONES_OF = {"ap-northeast-1": 4, "ap-northeast-2": 4, "ca-central-1": 4, "cn-north-1": 4, "us-east-1": 6, "us-west-2": 4}
"""Regions with more than three zones, or with a zone of the fourth letter.

Source: docs.aws.amazon.com/global-infrastructure/latest/regions/aws-availability-zones.html, 2026-11."""


REFUSED_ZONES = ("use1-az3", "usw1-az2", "cac1-az3")
"""Zones that cannot hold a control plane. Source: https://docs.aws.amazon.com/eks/latest/userguide/network-reqs.html."""


def default_zone_count(region: str) -> int:
    """Number of zones of a new network that declares none."""
    return _ZONES_OF.get(region, _ZONES)


def most_zones(region: str) -> int:
    """The most availability zones that a region has; an account can see fewer."""
    return _MOST_ZONES_OF.get(region, _ZONES)


def zone_place(zone: str) -> int | None:
    """Number of a zone in its region, from 0: by letter (`us-east-1c` is 2) or by id (`use1-az3` is 2). `None` if it is not an availability zone."""
    spelled = _ZONE.fullmatch(zone)
    if spelled is None:
        return None
    return int(spelled["number"]) - 1 if spelled["number"] else ord(spelled["letter"]) - ord("a")


def _is_id(zone: str) -> bool:
    return "-az" in zone


@dataclass(frozen=True, slots=True)
class ZoneRanges:
    """The subnets of one zone."""

    place: int
    """Number of the zone in its region, from 0. All resources of the zone are named by it."""
    private: str
    """An eighth of the VPC, for nodes and pods."""
    public: str
    """A thirty-second of the VPC, for NAT gateways and load balancers."""


class EksNetworkArgs(Model):
    """A new VPC for the cluster, with a public and a private subnet in each zone."""

    kind: Literal["EksNetwork"] = "EksNetwork"
    cidr: Cidr = "10.64.0.0/16"
    """Address range of the VPC, /16 to /23. Each zone gets an eighth of it for nodes and pods."""
    zones: Sequence[str] = ()
    """Availability zones, at least 2, all by name (`us-east-1a`) or all by id (`use1-az1`, the same place in every account). Default: the first three
    zones of the region that support a control plane. Adding a zone does not change the others."""
    nat: Literal["per-zone", "single"] | None = "per-zone"
    """Outbound route of private subnets: a NAT gateway in each zone (`per-zone`), one for all zones (`single`), or none. NAT gateways are in public
    subnets."""
    public_subnets: bool = True
    """Whether each zone has a public subnet, with one internet gateway, for NAT gateways and internet-facing load balancers. `False` requires
    `nat=None`: the VPC then has no route to the internet, and load balancers are internal. A change creates or deletes subnets and routes in place;
    AWS deletes no subnet while load balancers are in it."""
    endpoints: Sequence[str] = ()
    """VPC endpoints, by AWS service as in `com.amazonaws.REGION.SERVICE`: `ecr.api`, `sts`, …; a full service name is used unchanged. `s3` and
    `dynamodb` are gateway endpoints in the routes of private subnets, free of charge. The others have an interface in each private subnet, at an
    hourly price, with private DNS, and accept HTTPS from the VPC. `presets.eks_private_endpoints` has those that AWS lists for clusters without
    internet access. They are created before the cluster and deleted after it. A change is in place."""
    ipv6: bool = False
    """Whether the VPC also has an IPv6 range, which AWS assigns: a /56, of which each subnet has a /64. Private subnets reach the internet over IPv6
    through an egress-only gateway. Required for clusters with `ip_family="IPv6"`. A change is in place."""

    @field_validator("zones")
    @classmethod
    def _each_in_its_own_place(cls, zones: Sequence[str]) -> Sequence[str]:
        places: dict[int, str] = {}
        for zone in zones:
            place = zone_place(zone)
            if place is None:
                raise PydanticCustomError("zones", "must be availability zones such as `us-east-1a` or `use1-az1`, not {zone}", {"zone": repr(zone)})
            same = places.get(place, next((known for known in places.values() if _is_id(known) is not _is_id(zone)), None))
            if same is not None:
                message = "must be in one spelling, each once: {one} and {other} may be the same zone"
                raise PydanticCustomError("zones", message, {"one": same, "other": zone})
            places[place] = zone
        return zones

    @field_validator("endpoints")
    @classmethod
    def _each_service_once(cls, endpoints: Sequence[str]) -> Sequence[str]:
        for number, service in enumerate(endpoints):
            if _SERVICE.fullmatch(service) is None:
                raise PydanticCustomError("endpoints", "must be names of AWS services such as `ecr.api`, not {service}", {"service": repr(service)})
            if service in endpoints[:number]:
                raise PydanticCustomError("endpoints", "must be each service once: {service} is listed twice", {"service": repr(service)})
        return endpoints

    def ranges(self, place: int) -> ZoneRanges:
        """The subnets of zone number `place` in its region, 0 to 5: six eighths of the VPC are private, the rest is public.

        They depend only on the zone, so zones can be added, removed and reordered.
        """
        prefix = IPv4Network(self.cidr).prefixlen
        public = part(self.cidr, prefix + 2, 3)
        return ZoneRanges(place, private=part(self.cidr, prefix + 3, place), public=part(public, min(prefix + 5, _SMALLEST), place))


class ExistingEksNetwork(Model):
    """An existing VPC. Its owner has tagged the subnets for load balancers."""

    kind: Literal["ExistingEksNetwork"] = "ExistingEksNetwork"
    vpc_id: Ref
    """Id of the VPC."""
    private_subnet_ids: Sequence[Ref] = Field(min_length=1)
    """Ids of the subnets for nodes."""
    control_plane_subnet_ids: Sequence[Ref] = ()
    """Ids of the subnets for the control plane, in at least 2 zones. Default: the subnets for nodes."""
    cidr: Cidr | None = None
    """Range of the VPC, for checks and for the default service CIDR."""
    public_subnets: bool = True
    """Whether the VPC has public subnets for internet-facing load balancers. `False` makes the load balancers of the ingress class internal, unless
    its `scheme` is set. A change replaces the load balancers of Ingresses."""


EksNetwork = Annotated[EksNetworkArgs | ExistingEksNetwork, Discriminator("kind"), KNOWN]


Retention = Literal[0, 1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653]


_FIRST_PORT, _LAST_PORT = 30000, 32767
"""Cloud defaults of node ports."""


class LogGroup(Model):
    """The log group of the control plane logs, `/aws/eks/NAME/cluster`, which is created before the cluster.

    EKS itself creates a missing one without retention and without a key.
    """

    retention_days: Retention = 90
    """Days after which CloudWatch deletes log events; 0 keeps them forever. A change is in place, and a shorter time deletes older events. Cloud
    default 0, at the price of storage."""
    kms_key: Ref | None = None
    """ARN of a symmetric KMS key that encrypts the logs, in the region of the cluster. Its key policy must allow `logs.REGION.amazonaws.com` to use
    it: otherwise `pulumi up` fails. A change is in place and applies to new log events; older ones need the former key. Cloud default: a key of
    CloudWatch."""
    keep: bool = False
    """Whether the log group stays in AWS when it is removed from the declaration or destroyed. To create a cluster of the same name again, first set
    `existing`, or import the group. Cloud default false."""
    existing: bool = False
    """Whether the log group is left alone: it exists and another tool manages it, or EKS creates it with the cluster. Set it for a cluster whose log
    group Pulumi does not manage, or import the group (docs/guides/eks-services.md): otherwise `pulumi up` fails with
    ResourceAlreadyExistsException. A change to true deletes the group with its logs, unless `keep` was applied before."""


class NewKey(Model):
    """A symmetric KMS key that is created with the cluster. IAM policies of the account decide who may use and delete it, as by default in KMS.

    Source: KMS developer guide, key-policy-default, rotate-keys, deleting-keys (2026-11).
    """

    rotation_days: int = Field(default=365, ge=90, le=2560)
    """Days between rotations, in which KMS keeps the older key material: nothing is encrypted again. A change is in place."""
    deletion_days: int = Field(default=30, ge=7, le=30)
    """Days until AWS deletes the key after `pulumi destroy`, in which the deletion can be canceled. A change is in place."""


class ControlPlane(Model):
    """Settings of kube-apiserver, kube-controller-manager and kube-scheduler, which hold for every workload of the cluster.

    They require Kubernetes 1.31. Changes are in place. To go back, set the default: what EKS does with a setting that is no longer sent is not
    documented. Source: EKS user guide, control-plane-configuration (2026-11).
    """

    event_ttl: str | None = Field(default=None, pattern=r"^[0-9]{1,9}[smh]$")
    """How long the API server keeps events, in one unit, such as `30m`: 10m to 60m. Cloud default `1h`."""
    first_node_port: int | None = Field(default=None, ge=1, le=65535)
    """First port of Services of type NodePort: 10260 to 32767. Cloud default 30000."""
    last_node_port: int | None = Field(default=None, ge=1, le=65535)
    """Last port of Services of type NodePort: 10260 to 32767. Cloud default 32767."""
    autoscaler_sync_period: str | None = Field(default=None, pattern=r"^[0-9]{1,9}[smh]$")
    """How often HorizontalPodAutoscalers are evaluated, in one unit: 10s to 15s. It requires a `control_plane_tier` above `standard`. Cloud default
    `15s`."""
    terminated_pods: int | None = Field(default=None, ge=0)
    """How many terminated pods the cluster keeps before the oldest are deleted: 0 to 12500. Default: the one of EKS for the version."""
    scoring: Literal["LeastAllocated", "MostAllocated"] | None = None
    """Which nodes kube-scheduler prefers, among those that a pod fits on: the emptiest (`LeastAllocated`, cloud default), or the fullest
    (`MostAllocated`), which leaves more nodes empty for consolidation. It moves no running pod, and Karpenter launches the same nodes."""
    scoring_weights: Mapping[str, Annotated[int, Field(ge=1, le=100)]] = Field(default={}, max_length=100)
    """Weights of resources in `scoring`, 1 to 100 by resource, such as `{"cpu": 2, "memory": 1}`. Default: the weights of EKS."""

    @property
    def node_ports(self) -> tuple[int, int]:
        """First and last port, with the defaults filled in."""
        first, last = self.first_node_port, self.last_node_port
        return first if first is not None else _FIRST_PORT, last if last is not None else _LAST_PORT


class StorageClass(Model):
    """A storage class for EBS volumes of Auto Mode. Volumes of the EBS CSI add-on can be attached only to nodes outside Auto Mode."""

    name: str = Field(default="auto-ebs", min_length=1)
    """Name of the storage class. Most fields of a storage class are immutable: to change them, use another name."""
    default: bool = True
    """Whether PersistentVolumeClaims without a storage class use it."""
    volume_type: Literal["gp3", "gp2", "io1", "io2", "st1", "sc1"] = "gp3"
    """EBS volume type. Cloud default `gp3`; `io1` and `io2` need `iops`."""
    iops: int | None = None
    """IOPS of each volume of the types `gp3`, `io1` and `io2`. Default: 3,000 of `gp3`."""
    encrypted: bool = True
    """Whether volumes are encrypted."""
    kms_key: Ref | None = None
    """KMS key that encrypts volumes: id, ARN or alias. Default: the account's key for EBS."""
    reclaim: Literal["Delete", "Retain"] = "Delete"
    """What happens to a volume when its PersistentVolumeClaim is deleted."""
    expansion: bool = True
    """Whether PersistentVolumeClaims can be expanded."""


class IngressClass(Model):
    """An ingress class for application load balancers of Auto Mode."""

    name: str = Field(default="alb", min_length=1)
    """Name of the ingress class and of its parameters."""
    default: bool = True
    """Whether Ingresses without an ingress class use it."""
    scheme: Literal["internet-facing", "internal"] | None = None
    """Who can reach the load balancers: the internet, through public subnets, or only the VPC. Default: `internal` if the network has no public
    subnets (`public_subnets=False`), otherwise `internet-facing`. A change replaces the load balancers of Ingresses."""


class ClusterObjects(Model):
    """Objects inside the cluster in addition to NodeClasses and NodePools. `None` creates no such object."""

    storage_class: StorageClass | None = StorageClass()
    """A storage class. Without one, PersistentVolumeClaims stay Pending."""
    ingress_class: IngressClass | None = IngressClass()
    """An ingress class. Without one, Ingresses get no load balancer."""
    network_policies: bool | None = None
    """Whether network policies are enforced: the ConfigMap `kube-system/amazon-vpc-cni` turns the controller on. Default: on if a NodeClass sets
    `network_policy`. Set `True` for network policies without such a NodeClass, `False` if another tool applies the ConfigMap."""


_SERVICE_RANGES = ("172.20.0.0/16", "10.100.0.0/16", "192.168.0.0/16")


class AwsAccount(Model):
    """The AWS account of a cluster. Pulumi reports an error instead of changing any other account."""

    id: str = Field(pattern=r"^[0-9]{12}$")
    """Account id: 12 digits, in quotes."""
    profile: str | None = None
    """Profile of the AWS configuration to use."""
    role_arn: Ref | None = None
    """ARN of the IAM role to assume."""


class EksClusterArgs(Model):
    """An EKS Auto Mode cluster with all its pools."""

    kind: Literal["EksCluster"] = "EksCluster"
    region: str = Field(min_length=1)
    """AWS region, such as `us-east-1`."""
    kubernetes_version: str = Field(pattern=r"^1\.[0-9]+$")
    """Minor version of the control plane, in quotes, such as `"1.35"`; at least 1.29."""
    auto_mode: AutoMode = AutoMode()
    """Built-in NodePools, NodeClasses and NodePools."""
    maintenance: MaybeWindow = None
    """When Karpenter can disrupt the nodes of NodePools. Default: the window of the platform, or any time. A NodePool can have its own window. EKS
    has no maintenance windows, and the built-in NodePools follow none."""
    network: EksNetwork = EksNetworkArgs()
    """The VPC."""
    service_cidr: Cidr | None = None
    """Service CIDR, /12 to /24, private. Default: a range that does not overlap the VPC. Not for IPv6 clusters, whose range EKS chooses. A change
    replaces the cluster."""
    ip_family: Literal["IPv4", "IPv6"] = "IPv4"
    """Addresses of pods and services. In an IPv6 cluster, each node gives its pods IPv6 addresses of the subnet, and pods reach IPv4 destinations
    only if `advanced_networking.enable_v4_egress` of their NodeClass is on. The VPC and its subnets need IPv6 ranges (`network.ipv6`). A change
    replaces the cluster. Cloud default `IPv4`. Source: EKS user guide, cni-ipv6."""
    admins: Sequence[Ref] = ()
    """ARNs of IAM roles and users that get the cluster-admin policy, in addition to the creator. Not the creator itself: EKS rejects a second
    entry."""
    creator_is_admin: bool = True
    """Whether the principal that creates the cluster becomes an admin. Applies only at creation; later changes are ignored. Cloud default true."""
    authentication_mode: Literal["CONFIG_MAP", "API_AND_CONFIG_MAP", "API"] = "API"
    """Whether access entries (`API`), the ConfigMap `aws-auth`, or both give access. Auto Mode requires access entries. EKS accepts only changes
    towards `API`, in place. Cloud default: depends on how the cluster is created."""
    access_entries: Mapping[str, AccessEntry] = {}
    """More principals with their permissions, by keys that you choose."""
    pod_identities: Mapping[str, PodIdentity] = {}
    """IAM roles of service accounts, existing or created with policies, by keys that you choose."""
    identity_provider: IdentityProvider | None = None
    """An OpenID Connect provider whose users log in to the Kubernetes API. Their permissions are role bindings in the cluster. Default: only IAM."""
    oidc_provider: bool = False
    """Whether to create an IAM OIDC provider for the cluster, for roles that trust its service accounts. Pod identities do not need it."""
    add_ons: Mapping[str, AddOn] = {}
    """EKS add-ons by name, such as `metrics-server`. Not those that Auto Mode includes."""
    objects: ClusterObjects = ClusterObjects()
    """Objects that Auto Mode can use but does not create: a storage class, an ingress class, the setting that enforces network policies."""
    api_server: ApiServer = ApiServer()
    """Network access to the Kubernetes API. It is always reachable from the VPC."""
    apply: Literal["direct", "render"] = "direct"
    """`direct`: Pulumi applies the in-cluster objects. `render`: they are only written as YAML, for another tool to apply."""
    name: str | None = Field(default=None, pattern=r"^[0-9A-Za-z][A-Za-z0-9_-]{0,99}$")
    """Name of the cluster in AWS, for an existing cluster that is named differently. Default: platform name and cluster key. A change replaces the
    cluster."""
    account: AwsAccount | None = None
    """AWS account. Default: the account of the stack's provider."""
    cluster_role: Ref | None = None
    """ARN of an existing cluster role with the five policies of Auto Mode. Default: a new role. A change replaces the cluster."""
    node_role: Ref | None = None
    """ARN of an existing node role with the two policies of Auto Mode, for the built-in NodePools and for NodeClasses without a role. Default: one
    new role for the built-in NodePools and another for NodeClasses, so that built-in NodePools can be turned on and off independently. While a
    built-in NodePool is on, a change replaces the cluster."""
    iam_path: str = Field(default="/", pattern=r"^/([!-~]+/)?$", max_length=40)
    """Path of the roles that are created, at most 40 characters: a NodeClass names its role including the path, in at most 64. A change replaces the
    cluster."""
    permissions_boundary: Ref | None = None
    """ARN of the permissions boundary of all roles that are created: of the cluster, of nodes and of pods."""
    cluster_policies: Sequence[Ref] = ()
    """IAM policies of the created cluster role in addition to the five of Auto Mode: names of AWS managed policies, or ARNs; IAM allows 10 by
    default. A change is in place."""
    node_policies: Sequence[Ref] = ()
    """IAM policies of every node role that is created, in addition to the two of Auto Mode, such as `AmazonSSMManagedInstanceCore`: names of AWS
    managed policies, or ARNs. Every pod that can reach the metadata of its node has them. A change is in place."""
    cluster_statements: Sequence[Mapping[str, object]] = ()
    """Statements of an inline policy of the created cluster role, as IAM spells them: `{"Effect": "Allow", "Action": ["kms:CreateGrant"], "Resource":
    ["arn:…"]}`. A change is in place. Default: none. Source: IAM user guide, reference_policies_elements_statement."""
    node_statements: Sequence[Mapping[str, object]] = ()
    """Statements of an inline policy of every node role that is created. Every pod that can reach the metadata of its node has them. A change is in
    place. Default: none."""
    role_names: Literal["plain", "regional"] = "plain"
    """Names of the roles that are created. IAM names are unique in an account, in all regions: with `regional` they contain the region, for clusters
    of one name in several regions. A change replaces the cluster."""
    upgrade_policy: Literal["STANDARD", "EXTENDED"] | None = None
    """What happens when standard support of the version ends, after 14 months: `STANDARD` upgrades the cluster, `EXTENDED` keeps the version for 12
    more months at extra cost. Can be changed until then. Cloud default `EXTENDED`."""
    zonal_shift: bool | None = None
    """Whether Application Recovery Controller can shift traffic and new nodes away from an impaired zone. While a shift is active, Auto Mode launches
    no nodes in that zone and suspends voluntary disruptions there. Zonal autoshift is configured in Application Recovery Controller. A change is in
    place. Cloud default false. Source: AWS, `whats-new/2026/07/eks-auto-mode-arc-zonal-shift`."""
    control_plane_tier: Literal["standard", "tier-xl", "tier-2xl", "tier-4xl", "tier-8xl"] | None = None
    """Minimum capacity of the control plane, at extra cost. Cloud default `standard`."""
    control_plane: ControlPlane = ControlPlane()
    """Settings of kube-apiserver, kube-controller-manager and kube-scheduler. Default: those of EKS."""
    security_group_ids: Sequence[Ref] = ()
    """Ids of security groups of the control plane's network interfaces, in addition to the one that EKS creates. Nodes of Auto Mode do not get them.
    A change is in place."""
    control_plane_egress: Literal["AWS_MANAGED", "CUSTOMER_ROUTED"] | None = None
    """Who routes the control plane's traffic to the internet. A change from `CUSTOMER_ROUTED` back replaces the cluster. Cloud default
    `AWS_MANAGED`."""
    secrets_key: Ref | None = None
    """ARN of a symmetric KMS key that encrypts secrets. Since Kubernetes 1.28 EKS encrypts all API data even without it. Removing it replaces the
    cluster."""
    new_secrets_key: NewKey | None = None
    """A KMS key that is created, with rotation, and encrypts secrets, instead of `secrets_key`. It is protected like the cluster, which is lost
    without it: EKS goes on with the first key that a cluster had, so keep it declared. Removing the last key replaces the cluster."""
    log_types: Sequence[Literal["api", "audit", "authenticator", "controllerManager", "scheduler"]] = ("api", "audit", "authenticator")
    """Control plane logs that are sent to CloudWatch. Cloud default: none."""
    logs: LogGroup = LogGroup()
    """The log group of the control plane logs: retention and key. It is created before the cluster, and after the cluster it is deleted."""
    deletion_protection: bool = False
    """Whether AWS rejects every deletion of the cluster. Pulumi then rejects it too, so that it does not delete the pools of a cluster that stays. To
    destroy it, first set this and `protect` to false and apply. Cloud default false."""
    protect: bool | None = None
    """Whether Pulumi rejects deletion and replacement of the cluster, and of the VPC that is created for it. Pools and objects are not protected, and
    other tools can delete the cluster. Default: that of the platform; without a platform, true."""
    accepted_errors: Mapping[str, Annotated[str, Field(min_length=1)]] = {}
    """Errors of `check` in this cluster that are accepted, by code, with the reason: they become notes, and nothing stops because of them. For what
    exists although a new one is rejected, and for what is known better than here. No cloud gets it."""
    owner: str | None = Field(default=None, min_length=1, max_length=256)
    """Who is responsible for the cluster, and for its pools without an owner of their own, as free text. Sent only if `owners` of the platform says
    where."""
    tags: Mapping[str, str] = Field(default={}, max_length=50)
    """AWS tags of all resources."""
    timeouts: Timeouts = Timeouts(create="30m", update="60m", delete="30m")
    """How long Pulumi waits for the cluster."""
    overrides: Mapping[str, object] = {}
    """Arguments of `aws:eks:Cluster` in its Python spelling, for arguments that have no field yet. They replace what the fields send."""

    @property
    def is_protected(self) -> bool:
        """Pulumi rejects deletion of the cluster and its network."""
        return self.protect is not False or self.deletion_protection

    def cluster_name(self, stem: str) -> str:
        """The name in AWS; `stem` is the prefix of the names of all resources."""
        return self.name if self.name is not None else stem

    @property
    def node_pools(self) -> Mapping[str, EksNodePool]:
        """The declared NodePools by name."""
        return self.auto_mode.node_pools

    @property
    def node_classes(self) -> Mapping[str, EksNodeClass]:
        """The declared NodeClasses by key."""
        return self.auto_mode.node_classes

    @property
    def built_in_node_pools(self) -> tuple[str, ...]:
        """Names of the NodePools that EKS creates in this cluster."""
        return tuple(self.auto_mode.built_in_node_pools)

    @property
    def takes_ordinary_pods(self) -> bool:
        """A pod without tolerations can be scheduled on some pool, declared or built-in."""
        return any(pool.takes_ordinary_pods for _, _, pool in self.declared_pools()) or "general-purpose" in self.built_in_node_pools

    def declared_pools(self) -> Iterator[tuple[Steps, str, NodePool]]:
        """Every declared pool with its path in the cluster and its key, in the order of the declaration."""
        yield from ((("auto_mode", "node_pools", key), key, pool) for key, pool in self.node_pools.items())

    @property
    def has_objects(self) -> bool:
        """The cluster has objects inside it that this library creates."""
        declared = self.node_classes or self.node_pools or self.objects.storage_class or self.objects.ingress_class
        return bool(declared) or self.enforces_network_policies

    @property
    def enforces_network_policies(self) -> bool:
        """The network policy controller is turned on."""
        if self.objects.network_policies is not None:
            return self.objects.network_policies
        return any(declared.wants_network_policies for _, _, declared in self.auto_mode.all_classes())

    @property
    def applied_node_pools(self) -> dict[str, EksNodePool]:
        """The NodePools as they are applied: with the budgets of the maintenance window."""
        return {name: pool.with_window_budgets(self.maintenance) for name, pool in self.auto_mode.node_pools.items()}

    @property
    def ingress_scheme(self) -> str:
        """The scheme of the ingress class, with the default filled in."""
        declared = self.objects.ingress_class.scheme if self.objects.ingress_class is not None else None
        if declared is not None:
            return declared
        return "internet-facing" if self.network.public_subnets else "internal"

    @property
    def service_range(self) -> str | None:
        """Service CIDR, with the default filled in; `None` for IPv6 clusters, whose range EKS chooses."""
        if self.ip_family == "IPv6":
            return None
        return self.service_cidr or first_free(_SERVICE_RANGES, [self.network.cidr] if self.network.cidr else [])
