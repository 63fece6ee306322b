"""EKS clusters that exist, from what `aws eks`, `aws ec2` and `aws logs` print, recognized by content: with access, add-ons and objects."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from pathlib import Path
from typing import Final, cast

from nodepools.clouds.existing_objects import ObjectExport, Objects, WithObjects, exported_twice, more_pages
from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.model.listing import saved
from nodepools.model.steps import mapping, sequence
from nodepools.model.values import dataclass, field
from nodepools.wire.karpenter import EKS_NODE_CLASS
from nodepools.wire.table import Written

NO_REGION: Final = "unknown"
"""In the ARN of a cluster that is planned, and whose region no file shows."""
_ARN: Final = re.compile(r"arn:(?P<partition>[^:]+):eks:(?P<region>[^:]+):(?P<account>[^:]+):[a-z-]+/(?P<cluster>[^/]+)(/.*)?")
_GROUP: Final = re.compile(
    r"arn:(?P<partition>[^:]+):logs:(?P<region>[^:]+):(?P<account>[^:]+):log-group:(?P<name>/aws/eks/(?P<cluster>[^/]+)/cluster)(:\*)?"
)
"""The ARN of the log group of a cluster; other groups are not read."""


class EksKind(Enum):
    """What an export of AWS is about, by the command that prints it."""

    CLUSTER = "describe-cluster"
    ENTRY = "describe-access-entry"
    ENTRIES = "list-access-entries"
    POLICIES = "list-associated-access-policies"
    ADD_ON = "describe-addon"
    ADD_ONS = "list-addons"
    IDENTITY = "describe-pod-identity-association"
    IDENTITIES = "list-pod-identity-associations"
    VPC = "describe-vpcs"
    SUBNET = "describe-subnets"
    LOG_GROUP = "describe-log-groups"
    PROVIDER = "describe-identity-provider-config"
    PROVIDERS = "list-identity-provider-configs"
    KEY = "describe-key"
    ROTATION = "get-key-rotation-status"


@dataclass(frozen=True, slots=True)
class EksClusterId:
    """The place of a cluster in AWS."""

    partition: str
    account: str
    region: str
    name: str

    def __str__(self) -> str:
        """The ARN."""
        return f"arn:{self.partition}:eks:{self.region}:{self.account}:cluster/{self.name}"

    def role(self, reference: str) -> str:
        """ARN of a role of its account, by its path and name."""
        return f"arn:{self.partition}:iam::{self.account}:role/{reference}"


def cluster_in(arn: str) -> EksClusterId | None:
    """The cluster in the ARN of a resource of EKS; `None` if it is another ARN."""
    match = _ARN.fullmatch(arn)
    return None if match is None else EksClusterId(match["partition"], match["account"], match["region"], match["cluster"])


@dataclass(frozen=True, slots=True)
class EksExport:
    """One resource of AWS, or the list of names of some."""

    kind: EksKind
    cluster: EksClusterId | None
    """`None` if the output has no ARN of the cluster."""
    cluster_name: str | None
    """`None` if the output has not even the name of its cluster."""
    name: str
    """The principal of an entry, the name of an add-on, the id of the others."""
    written: Written
    source: str


class NotEksExportError(Exception):
    """An export of AWS that cannot be read. The message says why."""


_WRAPPED: Final = {"cluster": EksKind.CLUSTER, "accessEntry": EksKind.ENTRY, "addon": EksKind.ADD_ON, "association": EksKind.IDENTITY}
"""The key around one resource."""
_NAMES: Final = {"accessEntries": EksKind.ENTRIES, "addons": EksKind.ADD_ONS, "identityProviderConfigs": EksKind.PROVIDERS}
_RESOURCES: Final = {"Vpcs": (EksKind.VPC, "VpcId"), "Subnets": (EksKind.SUBNET, "SubnetId")}
_LOG_GROUPS: Final = "logGroups"
_PROVIDER: Final = "identityProviderConfig"
_KEY, _ROTATION = "KeyMetadata", "KeyRotationEnabled"
_ARNS: Final = {
    EksKind.CLUSTER: "arn",
    EksKind.ENTRY: "accessEntryArn",
    EksKind.ADD_ON: "addonArn",
    EksKind.IDENTITY: "associationArn",
    EksKind.IDENTITIES: "associationArn",
    EksKind.PROVIDER: "identityProviderConfigArn",
}
_NAMED: Final = {
    EksKind.CLUSTER: "name",
    EksKind.ENTRY: "principalArn",
    EksKind.ADD_ON: "addonName",
    EksKind.IDENTITY: "associationId",
    EksKind.IDENTITIES: "associationId",
    EksKind.PROVIDER: "identityProviderConfigName",
}
_DESCRIBED: Final = {EksKind.ENTRIES: EksKind.ENTRY, EksKind.ADD_ONS: EksKind.ADD_ON, EksKind.PROVIDERS: EksKind.PROVIDER}
"""The command that describes what a list of names has."""
_OF_KEY: Final = (EksKind.KEY, EksKind.ROTATION)
_OF_NO_CLUSTER: Final = (EksKind.CLUSTER, EksKind.VPC, EksKind.SUBNET, *_OF_KEY)


def eks_exports(written: Written, source: str) -> Iterator[EksExport] | None:
    """The resources in the output of one command; `None` if it is not an output of `aws eks`, `aws ec2`, `aws kms` or `aws logs`.

    Raises:
        NotEksExportError: it is one, and something is missing in it.
    """
    incomplete = more_pages(written) if _is_export(written) else None
    if incomplete is not None:
        raise NotEksExportError(incomplete)
    for name, kind in _WRAPPED.items():
        if isinstance(written.get(name), Mapping):
            return iter([_resource(kind, cast("Written", written[name]), source)])
    if isinstance(written.get(_PROVIDER), Mapping):
        return iter([_resource(EksKind.PROVIDER, mapping(mapping(written[_PROVIDER]).get("oidc")), source)])
    if isinstance(written.get(_KEY), Mapping):
        return iter([_key(EksKind.KEY, cast("Written", written[_KEY]), source)])
    if isinstance(written.get(_ROTATION), bool):
        return iter([_key(EksKind.ROTATION, written, source)])
    return _listed(written, source)


def _listed(written: Written, source: str) -> Iterator[EksExport] | None:
    """The resources in the output of a command that lists."""
    for name, kind in _NAMES.items():
        if isinstance(written.get(name), list):
            names = [mapping(one).get("name", one) for one in sequence(written[name])]
            return iter([EksExport(kind, None, None, "", {"names": names}, source)])
    if isinstance(written.get("associatedAccessPolicies"), list):
        return iter([_policies(written, source)])
    if isinstance(written.get("associations"), list):
        return iter([_resource(EksKind.IDENTITIES, one, source) for one in _mappings(written["associations"])])
    if isinstance(written.get(_LOG_GROUPS), list):
        return _log_groups(_mappings(written[_LOG_GROUPS]), source)
    for name, (kind, id_name) in _RESOURCES.items():
        if isinstance(written.get(name), list):
            return iter([EksExport(kind, None, None, str(one.get(id_name)), one, source) for one in _mappings(written[name])])
    return None


def _is_export(written: Written) -> bool:
    return any(name in written for name in (*_WRAPPED, *_NAMES, *_RESOURCES, _LOG_GROUPS, "associatedAccessPolicies", "associations"))


def _resource(kind: EksKind, written: Written, source: str) -> EksExport:
    arn, name = written.get(_ARNS[kind]), written.get(_NAMED[kind])
    cluster = cluster_in(str(arn))
    if cluster is None or not isinstance(name, str):
        raise NotEksExportError(f"has no `{_ARNS[kind]}` or no `{_NAMED[kind]}`, which `aws eks {kind.value}` prints")
    return EksExport(kind, cluster, cluster.name, name, written, source)


def _key(kind: EksKind, written: Written, source: str) -> EksExport:
    """A KMS key, or its rotation: the last part of its ARN is its id."""
    name = written.get("KeyId")
    if not isinstance(name, str):
        raise NotEksExportError(f"has no `KeyId`, which `aws kms {kind.value}` prints")
    return EksExport(kind, None, None, name.rpartition("/")[2], written, source)


def _policies(written: Written, source: str) -> EksExport:
    cluster, principal = written.get("clusterName"), written.get("principalArn")
    if not isinstance(cluster, str) or not isinstance(principal, str):
        raise NotEksExportError(f"has no `clusterName` or no `principalArn`, which `aws eks {EksKind.POLICIES.value}` prints")
    return EksExport(EksKind.POLICIES, None, cluster, principal, written, source)


def _log_groups(groups: Iterable[Written], source: str) -> Iterator[EksExport]:
    for group in groups:
        match = _GROUP.fullmatch(str(group.get("arn")))
        if match is not None:
            cluster = EksClusterId(match["partition"], match["account"], match["region"], match["cluster"])
            yield EksExport(EksKind.LOG_GROUP, cluster, cluster.name, match["name"], group, source)


def _mappings(listed: object) -> list[Written]:
    found = [cast("Written", one) for one in cast("Sequence[object]", listed) if isinstance(one, Mapping)]
    if len(found) != len(cast("Sequence[object]", listed)):
        raise NotEksExportError("has a list with other entries than mappings")
    return found


_ZONE: Final = re.compile(r"aws:///(?P<zone>[^/]+)/")
_EKSCTL: Final = "alpha.eksctl.io/cluster-name"
"""The label that eksctl puts on the nodes of its node groups."""
_PROFILE: Final = re.compile(r"eks-(?P<place>.+)-\d+")
"""The instance profile that Auto Mode creates for a NodeClass: its region, its cluster and a number. The format is not documented, so only a match
says something."""


@dataclass(frozen=True, slots=True)
class ExistingEksCluster(WithObjects):
    """Everything that was exported about one cluster."""

    id: EksClusterId
    described: Written
    """`cluster` of `aws eks describe-cluster`."""
    entries: Mapping[str, Written]
    """Access entries by principal."""
    policies: Mapping[str, Sequence[Written]]
    """Access policies of each principal whose policies were exported."""
    add_ons: Mapping[str, Written]
    identities: Mapping[str, Written]
    """Pod identity associations by id."""
    vpcs: Mapping[str, Written]
    log_group: Written | None = None
    """The group of its control plane logs, if it was exported."""
    providers: Mapping[str, Written] = field(default_factory=dict[str, Written])
    """Identity providers of users by name."""
    key: Written | None = None
    """The KMS key of its secrets with its rotation, if both were exported."""
    objects: tuple[ObjectExport, ...] = ()

    @property
    def name(self) -> str:
        """The name in AWS."""
        return self.id.name

    @property
    def place(self) -> str:
        """What tells it from other clusters of its name."""
        return self.id.region

    def identities_of(self, add_on: Written) -> list[Written]:
        """The pod identity associations that an add-on owns, as far as they were exported."""
        owner = add_on.get("addonArn")
        return [identity for identity in self.identities.values() if owner is not None and identity.get("ownerArn") == owner]


def eks_clusters_of(found: Sequence[EksExport]) -> tuple[list[ExistingEksCluster], list[str]]:
    """Returns the clusters without objects, and what is wrong with the rest, such as an access entry without its cluster."""
    clusters = {one.cluster: one for one in reversed(found) if one.kind is EksKind.CLUSTER and one.cluster is not None}
    wrong: list[str] = []
    owned: dict[EksClusterId, list[EksExport]] = {cluster: [] for cluster in clusters}
    for one in found:
        is_other_group = one.kind is EksKind.LOG_GROUP and one.cluster not in clusters  # one output can list the groups of a whole account
        if one.kind not in _OF_NO_CLUSTER and not is_other_group:
            owner = _owner(one, clusters)
            if isinstance(owner, str):
                wrong.append(owner)
            else:
                owned[owner].append(one)
    vpcs = {one.name: one.written for one in found if one.kind is EksKind.VPC}
    names = {cluster: secrets_key(one.written).rpartition("/")[2] for cluster, one in clusters.items()}
    keys = {cluster: {one.kind: one for one in found if one.kind in _OF_KEY and one.name == name} for cluster, name in names.items()}
    made = [_cluster(one, [*owned[cluster], *keys[cluster].values()], vpcs) for cluster, one in reversed(clusters.items())]
    wrong += exported_twice((one.kind.value, str(one.cluster), one.name, one.written, one.source) for one in found if one.kind in _NAMED)
    wrong += [_lacks_half(of_key) for of_key in keys.values() if len(of_key) == 1]
    wrong += [line for cluster in clusters for line in _incomplete(cluster, owned[cluster])]
    return made, wrong


def secrets_key(described: Written) -> str:
    """ARN of the KMS key that encrypts the secrets of a cluster; empty without one."""
    return next((str(mapping(mapping(one).get("provider")).get("keyArn")) for one in sequence(described.get("encryptionConfig"))), "")


def _lacks_half(of_key: Mapping[EksKind, EksExport]) -> str:
    [one], [other] = of_key.values(), [kind for kind in _OF_KEY if kind not in of_key]
    return f"{one.source}: not all of the KMS key `{one.name}` is in the files. {saved(f'`aws kms {other.value}`')}"


def _owner(one: EksExport, clusters: Mapping[EksClusterId, EksExport]) -> EksClusterId | str:
    """The cluster of a resource: the one in its ARN, otherwise the one with its name, otherwise the one in its folder; or why there is none."""
    if one.cluster is not None:
        missing = f"{one.source}: `{one.name}` is of the cluster `{one.cluster.name}`, which is in no file. {saved('`aws eks describe-cluster`')}"
        return one.cluster if one.cluster in clusters else missing
    fitting = [cluster for cluster in clusters if one.cluster_name in (None, cluster.name)]
    if len(fitting) > 1:
        fitting = [cluster for cluster in fitting if Path(clusters[cluster].source).parent == Path(one.source).parent]
    if len(fitting) == 1:
        return fitting[0]
    of = f"`{one.name}` of the cluster `{one.cluster_name}`" if one.cluster_name is not None else f"the output of `aws eks {one.kind.value}`"
    if fitting or any(one.cluster_name in (None, cluster.name) for cluster in clusters):
        return f"{one.source}: {of} can belong to several clusters: put the files of each cluster into a folder of its own"
    return f"{one.source}: {of} belongs to no cluster in these files. {saved('`aws eks describe-cluster`')}"


def _cluster(described: EksExport, own: Iterable[EksExport], vpcs: Mapping[str, Written]) -> ExistingEksCluster:
    by_kind: dict[EksKind, dict[str, Written]] = {kind: {} for kind in EksKind}
    for one in own:
        by_kind[one.kind][one.name] = one.written
    halves = [one for kind in _OF_KEY for one in by_kind[kind].values()]
    return ExistingEksCluster(
        cast("EksClusterId", described.cluster),
        described.written,
        by_kind[EksKind.ENTRY],
        {principal: policies(written) for principal, written in by_kind[EksKind.POLICIES].items()},
        by_kind[EksKind.ADD_ON],
        by_kind[EksKind.IDENTITY],
        vpcs,
        next(iter(by_kind[EksKind.LOG_GROUP].values()), None),
        by_kind[EksKind.PROVIDER],
        {name: value for one in halves for name, value in one.items()} if len(halves) == len(_OF_KEY) else None,
    )


def policies(written: Written) -> list[Written]:
    """The associations in the output of `aws eks list-associated-access-policies`."""
    return [cast("Written", one) for one in cast("Sequence[object]", written["associatedAccessPolicies"]) if isinstance(one, Mapping)]


WITH_POLICIES: Final = ("STANDARD", "EC2", "HYBRID_LINUX")
"""Types of access entries that are adopted. EKS associates no policies with those of other nodes."""


def _incomplete(cluster: EksClusterId, own: Sequence[EksExport]) -> Iterator[str]:
    """What a list names and no file describes."""
    there = {kind: {one.name for one in own if one.kind is kind} for kind in EksKind}
    for one in own:
        described = _DESCRIBED.get(one.kind)
        if described is not None:
            missing = [str(name) for name in cast("Sequence[object]", one.written["names"]) if name not in there[described]]
            for name in missing:
                yield f"{one.source}: `{name}` of the cluster `{cluster.name}` is in no file. {saved(f'`aws eks {described.value}`')}"
        if one.kind is EksKind.IDENTITIES and one.name not in there[EksKind.IDENTITY]:
            yield f"{one.source}: the role of `{one.name}` is in no file. {saved(f'`aws eks {EksKind.IDENTITY.value}`')}"
        if one.kind is EksKind.ENTRY and one.written.get("type", "STANDARD") in WITH_POLICIES and one.name not in there[EksKind.POLICIES]:
            yield f"{one.source}: the policies of `{one.name}` are in no file. {saved(f'`aws eks {EksKind.POLICIES.value}`')}"
        if one.kind is EksKind.POLICIES and one.name not in there[EksKind.ENTRY]:
            yield f"{one.source}: the access entry of `{one.name}` is in no file. {saved(f'`aws eks {EksKind.ENTRY.value}`')}"


def holds_eks(cluster: ExistingEksCluster, objects: Objects) -> bool | None:
    """Tells whether the objects are in the cluster; `None` if they do not say."""
    if objects.clouds - {EKS_NODE_CLASS}:
        return False
    if objects.regions and cluster.id.region not in objects.regions:
        return False
    return True if f"{cluster.id.region}-{cluster.id.name}" in instance_profile_places(objects) else None


def instance_profile_places(objects: Objects) -> frozenset[str]:
    """Regions and names of the clusters that the instance profiles of NodeClasses are of, as far as their names say it."""
    profiles = [one.status.get("instanceProfile") for one in objects.found if one.kind == EKS_NODE_CLASS.kind]
    return frozenset(match["place"] for profile in profiles if (match := _PROFILE.fullmatch(str(profile))) is not None)


@dataclass(frozen=True, slots=True)
class EksIdentity:
    """What tells a declared cluster from others in exports."""

    name: str
    region: str
    account: str | None

    def is_called(self, existing: object) -> bool:
        """The output of AWS is about this cluster, as far as the declaration says where it is."""
        return (
            isinstance(existing, EksClusterId)
            and (existing.name, existing.region) == (self.name, self.region)
            and (self.account is None or existing.account == self.account)
        )

    def holds(self, objects: Objects) -> bool | None:
        """Tells whether objects are in it: instance profiles and eksctl's label name the cluster. `None` if they do not say."""
        if objects.clouds - {EKS_NODE_CLASS} or any(not provider_id.startswith("aws://") for provider_id in objects.provider_ids):
            return False
        zones = {match["zone"] for provider_id in objects.provider_ids if (match := _ZONE.match(provider_id)) is not None}
        if any(not zone.startswith(self.region) for zone in zones) or any(region != self.region for region in objects.regions):
            return False
        labels = {str(one.labels[_EKSCTL]) for one in objects.found if _EKSCTL in one.labels}
        if labels:
            return labels == {self.name}
        places = instance_profile_places(objects)
        return f"{self.region}-{self.name}" in places if places else None


def eks_identity(cluster: EksClusterArgs, stem: str, /) -> EksIdentity:
    """The identity of a declared cluster."""
    return EksIdentity(cluster.cluster_name(stem), cluster.region, None if cluster.account is None else cluster.account.id)
