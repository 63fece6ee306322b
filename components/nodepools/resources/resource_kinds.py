"""Tells which resources are checked: by type token, in any API version, and Kubernetes objects of any resource type that creates them."""

import re
from collections.abc import Mapping
from enum import Enum
from typing import Final, cast

from nodepools.resources.resource import Resource

_AZURE: Final = re.compile(r"azure-native(?:_\w+)?:containerservice(?:/v\w+)?:(\w+)")
"""`azure-native:containerservice:AgentPool`, `…/v20240901:AgentPool`, and packages that are generated for one API version."""
_LOGS: Final = re.compile(r"azure-native(?:_\w+)?:(?:insights|monitor)(?:/v\w+)?:(\w+)|azure:monitoring/\w+:(\w+)")
"""Azure Monitor, which is `insights` in version 2 of the SDK. The provider `azure` can associate resources of `azure-native`."""
_AWS: Final = re.compile(r"aws:eks/\w+:(\w+)")
_OBJECT: Final = re.compile(r"kubernetes:(?P<version>[^:]+):(?P<kind>\w+)")
_GROUPS: Final = ("karpenter.sh", "eks.amazonaws.com", "karpenter.azure.com", "karpenter.k8s.aws")


class Kind(Enum):
    """The kinds of resources that rules distinguish."""

    AKS_CLUSTER = "ManagedCluster"
    AGENT_POOL = "AgentPool"
    MAINTENANCE = "MaintenanceConfiguration"
    LOG_RULE = "DataCollectionRule"
    LOG_ASSOCIATION = "DataCollectionRuleAssociation"
    EKS_CLUSTER = "Cluster"
    ACCESS_ENTRY = "AccessEntry"
    ACCESS_POLICY = "AccessPolicyAssociation"
    POD_IDENTITY = "PodIdentityAssociation"
    ADD_ON = "Addon"
    OBJECT = "a Karpenter object"
    OTHER = "not checked"


_OF_AZURE: Final = {kind.value: kind for kind in (Kind.AKS_CLUSTER, Kind.AGENT_POOL, Kind.MAINTENANCE)}
_OF_LOGS: Final = {kind.value: kind for kind in (Kind.LOG_RULE, Kind.LOG_ASSOCIATION)}
_OF_AWS: Final = {kind.value: kind for kind in (Kind.EKS_CLUSTER, Kind.ACCESS_ENTRY, Kind.ACCESS_POLICY, Kind.POD_IDENTITY, Kind.ADD_ON)}


def kind_of(resource: Resource) -> Kind:
    """Returns the kind of `resource`."""
    azure, logs, aws = (pattern.fullmatch(resource.type) for pattern in (_AZURE, _LOGS, _AWS))
    if azure is not None:
        return _OF_AZURE.get(azure[1], Kind.OTHER)
    if logs is not None:
        return _OF_LOGS.get(logs[1] if logs[1] is not None else logs[2], Kind.OTHER)
    if aws is not None:
        return _OF_AWS.get(aws[1], Kind.OTHER)
    version = manifest_of(resource).get("apiVersion")
    return Kind.OBJECT if isinstance(version, str) and version.partition("/")[0] in _GROUPS else Kind.OTHER


def manifest_of(resource: Resource) -> Mapping[str, object]:
    """Returns the Kubernetes object of the resource, with the kind of its type token; an empty one for other resources."""
    token = _OBJECT.fullmatch(resource.type)
    if token is None:
        return {}
    typed = {"apiVersion": token["version"], "kind": token["kind"]} if "/" in token["version"] else {}
    return {**typed, **resource.inputs}


def name_of(manifest: Mapping[str, object]) -> str | None:
    """Returns the name of the object, if it is known."""
    metadata = manifest.get("metadata")
    name = cast("Mapping[str, object]", metadata).get("name") if isinstance(metadata, Mapping) else None
    return name if isinstance(name, str) else None
