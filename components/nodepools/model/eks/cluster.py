"""The EKS cluster. Facts: docs/facts/eks.md § 1."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from pydantic import Field

from nodepools.model.access import ApiServer
from nodepools.model.base import Model
from nodepools.model.cidr import Cidr, first_free
from nodepools.model.eks.access import AccessEntry, AddOn, PodIdentity
from nodepools.model.eks.auto_mode import AutoMode, EksNodePool
from nodepools.model.eks.cluster_objects import ClusterObjects
from nodepools.model.eks.network import EksNetwork, EksNetworkArgs
from nodepools.model.eks.node_class import EksNodeClass
from nodepools.model.karpenter import NodePool
from nodepools.model.maintenance import MaybeWindow
from nodepools.model.ref import Ref
from nodepools.model.steps import Steps
from nodepools.model.timeouts import Timeouts

_SERVICE_RANGES = ("172.20.0.0/16", "10.100.0.0/16", "192.168.0.0/16")


class AwsAccount(Model):
    """The account of a cluster: Pulumi refuses to touch any other."""

    id: str = Field(pattern=r"^[0-9]{12}$")
    """Twelve digits, in quotes."""
    profile: str | None = None
    """Profile of the AWS configuration to log in with."""
    role_arn: Ref | None = None
    """Role to assume."""


class EksClusterArgs(Model):
    """An EKS Auto Mode cluster and all its pools."""

    kind: Literal["EksCluster"] = "EksCluster"
    region: str = Field(min_length=1)
    """AWS region, `us-east-1`."""
    kubernetes_version: str = Field(pattern=r"^1\.[0-9]+$")
    """Minor version of the control plane, in quotes: `"1.35"`; 1.29 at least."""
    auto_mode: AutoMode = AutoMode()
    """Built-in and custom pools."""
    maintenance: MaybeWindow = None
    """When Karpenter may disrupt the nodes of its NodePools; NodePools may have one of their own. That of the platform when left out;
    at any time where that has none. EKS itself has no windows, and its built-in pools keep none."""
    network: EksNetwork = EksNetworkArgs()
    """The VPC."""
    service_cidr: Cidr | None = None
    """Range of the services, /12 to /24 in private space; one that does not meet the VPC when left out. Fixed for the cluster's life."""
    admins: Sequence[Ref] = ()
    """ARNs of IAM roles and users that get the cluster-admin policy, beside the creator. Not the creator itself: EKS refuses a second entry."""
    creator_is_admin: bool = True
    """Whether the principal that creates the cluster becomes an admin. Said at its creation alone: a later change here has no effect.
    Cloud default true."""
    access_entries: Mapping[str, AccessEntry] = {}
    """Further principals, by keys of your own, with what they may do."""
    pod_identities: Mapping[str, PodIdentity] = {}
    """IAM roles of service accounts, by keys of your own."""
    oidc_provider: bool = False
    """Whether an IAM identity provider of the cluster is made, for roles that trust its service accounts; pod identities need none."""
    add_ons: Mapping[str, AddOn] = {}
    """EKS add-ons by their names, `metrics-server`; not those that Auto Mode brings itself."""
    objects: ClusterObjects = ClusterObjects()
    """What Auto Mode can use and does not make: a storage class, an ingress class, the switch of network policies."""
    api_server: ApiServer = ApiServer()
    """From where the API can be reached; from the VPC always."""
    apply: Literal["direct", "render"] = "direct"
    """In-cluster objects by Pulumi, or only as YAML for others to apply."""
    account: AwsAccount | None = None
    """AWS account; that of the stack's provider when left out."""
    cluster_role: Ref | None = None
    """ARN of an existing cluster role with the five policies of Auto Mode; one is made when left out. Fixed: with another it is another cluster."""
    node_role: Ref | None = None
    """ARN of an existing node role with the two policies of Auto Mode, for the built-in pools and for the classes that name none. When left out,
    one is made for the built-in pools and another for the classes, so that built-in pools can be turned on and off beside the classes.
    Fixed while a built-in pool is on: with another it is another cluster."""
    iam_path: str = Field(default="/", pattern=r"^/([!-~]+/)?$", max_length=40)
    """Path of the roles that are made, 40 characters at most: a NodeClass names its role with the path, in 64. Fixed for the cluster's life."""
    permissions_boundary: Ref | None = None
    """ARN of the policy that bounds the roles that are made."""
    upgrade_policy: Literal["STANDARD", "EXTENDED"] | None = None
    """What happens when standard support of the version ends, after 14 months: `STANDARD` upgrades the cluster, `EXTENDED` keeps it 12 months
    more, at a price. Can be changed until then. Cloud default `EXTENDED`."""
    control_plane_tier: Literal["standard", "tier-xl", "tier-2xl", "tier-4xl", "tier-8xl"] | None = None
    """Capacity that the control plane has at least, at a price. Cloud default `standard`."""
    control_plane_egress: Literal["AWS_MANAGED", "CUSTOMER_ROUTED"] | None = None
    """Who routes what the control plane sends to the internet. From `CUSTOMER_ROUTED` there is no way back but another cluster.
    Cloud default `AWS_MANAGED`."""
    secrets_key: Ref | None = None
    """ARN of a symmetric KMS key of yours for secrets. All API data is encrypted without it too since 1.28. Removing it makes another cluster."""
    log_types: Sequence[Literal["api", "audit", "authenticator", "controllerManager", "scheduler"]] = ("api", "audit", "authenticator")
    """Control plane logs sent to CloudWatch. Cloud default none."""
    deletion_protection: bool = False
    """Whether AWS refuses to delete the cluster, whoever asks: it has to be turned off, and applied, before a destroy. Cloud default false."""
    protect: bool = False
    """Whether Pulumi refuses to delete the cluster; its pools and objects can still go, and AWS would delete it for anyone else."""
    tags: Mapping[str, str] = Field(default={}, max_length=50)
    """AWS tags of all resources."""
    timeouts: Timeouts = Timeouts(create="30m", update="60m", delete="30m")
    """How long Pulumi waits for the cluster."""
    overrides: Mapping[str, object] = {}
    """Laid over the arguments of `aws:eks:Cluster`, in its Python spelling, for what is not modelled yet."""

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
        """Something is made inside the cluster."""
        declared = self.node_classes or self.node_pools or self.objects.storage_class or self.objects.ingress_class
        return bool(declared) or self.enforces_network_policies

    @property
    def enforces_network_policies(self) -> bool:
        """The controller of network policies is turned on here."""
        if self.objects.network_policies is not None:
            return self.objects.network_policies
        return any(declared.wants_network_policies for _, _, declared in self.auto_mode.all_classes())

    @property
    def applied_node_pools(self) -> dict[str, EksNodePool]:
        """The NodePools, with budgets for the window of the cluster."""
        return {name: pool.within(self.maintenance) for name, pool in self.auto_mode.node_pools.items()}

    @property
    def service_range(self) -> str:
        """Range of the services, with the default filled in."""
        return self.service_cidr or first_free(_SERVICE_RANGES, [self.network.cidr] if self.network.cidr else [])
