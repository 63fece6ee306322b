"""Recognizes what `aws eks`, `aws ec2` and `aws logs` print about clusters, by content."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final, cast

from nodepools.adoption.exports import more_pages
from nodepools.wire.table import Written

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
    """The file."""


class NotEksExportError(Exception):
    """An export of AWS that cannot be read. The message says why."""


_WRAPPED: Final = {"cluster": EksKind.CLUSTER, "accessEntry": EksKind.ENTRY, "addon": EksKind.ADD_ON, "association": EksKind.IDENTITY}
"""The key around one resource."""
_NAMES: Final = {"accessEntries": EksKind.ENTRIES, "addons": EksKind.ADD_ONS}
"""Lists of names."""
_RESOURCES: Final = {"Vpcs": (EksKind.VPC, "VpcId"), "Subnets": (EksKind.SUBNET, "SubnetId")}
_LOG_GROUPS: Final = "logGroups"
_ARNS: Final = {
    EksKind.CLUSTER: "arn",
    EksKind.ENTRY: "accessEntryArn",
    EksKind.ADD_ON: "addonArn",
    EksKind.IDENTITY: "associationArn",
    EksKind.IDENTITIES: "associationArn",
}
_NAMED: Final = {
    EksKind.CLUSTER: "name",
    EksKind.ENTRY: "principalArn",
    EksKind.ADD_ON: "addonName",
    EksKind.IDENTITY: "associationId",
    EksKind.IDENTITIES: "associationId",
}


def eks_exports(written: Written, source: str) -> Iterator[EksExport] | None:
    """The resources in the output of one command; `None` if it is not an output of `aws eks`, `aws ec2` or `aws logs`.

    Raises:
        NotEksExportError: it is one, and something is missing in it.
    """
    incomplete = more_pages(written) if _is_export(written) else None
    if incomplete is not None:
        raise NotEksExportError(incomplete)
    for name, kind in _WRAPPED.items():
        if isinstance(written.get(name), Mapping):
            return iter([_resource(kind, cast("Written", written[name]), source)])
    return _listed(written, source)


def _listed(written: Written, source: str) -> Iterator[EksExport] | None:
    """The resources in the output of a command that lists."""
    for name, kind in _NAMES.items():
        if isinstance(written.get(name), list):
            return iter([EksExport(kind, None, None, "", {"names": written[name]}, source)])
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
