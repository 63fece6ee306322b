"""Which resources are judged: by their type tokens, of whatever version of an API, and objects of a cluster however they are spelled."""

import re
from collections.abc import Mapping
from enum import Enum
from typing import Final, cast

from nodepools.resources.resource import Resource

_AZURE: Final = re.compile(r"azure-native(?:_\w+)?:containerservice(?:/v\w+)?:(\w+)")
"""`azure-native:containerservice:AgentPool`, `…/v20240901:AgentPool`, and packages that are made for one version."""
_LOGS: Final = re.compile(r"azure-native(?:_\w+)?:(?:insights|monitor)(?:/v\w+)?:(\w+)|azure:monitoring/\w+:(\w+)")
"""Azure Monitor, which was `insights` in version 2 of the SDK; of the provider `azure` too, which may associate what `azure-native` makes."""
_AWS: Final = re.compile(r"aws:eks/\w+:(\w+)")
_OBJECT: Final = re.compile(r"kubernetes:(?P<version>[^:]+):(?P<kind>\w+)")
_GROUPS: Final = ("karpenter.sh", "eks.amazonaws.com", "karpenter.azure.com")


class Kind(Enum):
    """What a resource is to the rules."""

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
    OBJECT = "an object of Karpenter in a cluster"
    OTHER = "no matter of ours"


_OF_AZURE: Final = {kind.value: kind for kind in (Kind.AKS_CLUSTER, Kind.AGENT_POOL, Kind.MAINTENANCE)}
_OF_LOGS: Final = {kind.value: kind for kind in (Kind.LOG_RULE, Kind.LOG_ASSOCIATION)}
_OF_AWS: Final = {kind.value: kind for kind in (Kind.EKS_CLUSTER, Kind.ACCESS_ENTRY, Kind.ACCESS_POLICY, Kind.POD_IDENTITY, Kind.ADD_ON)}


def kind_of(resource: Resource) -> Kind:
    """What it is."""
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
    """The object that the resource is, with the kind that its token says; nothing where it is none."""
    token = _OBJECT.fullmatch(resource.type)
    if token is None:
        return {}
    said = {"apiVersion": token["version"], "kind": token["kind"]} if "/" in token["version"] else {}
    return {**said, **resource.inputs}


def name_of(manifest: Mapping[str, object]) -> str | None:
    """The object's name, where it is known now."""
    metadata = manifest.get("metadata")
    name = cast("Mapping[str, object]", metadata).get("name") if isinstance(metadata, Mapping) else None
    return name if isinstance(name, str) else None
