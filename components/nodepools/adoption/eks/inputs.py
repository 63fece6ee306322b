"""Resources of AWS as inputs of pulumi-aws: the same values, at the places of the provider.

Written apart from the tables of requests, so that an error in a table is a difference.
"""

from collections.abc import Mapping, Sequence
from typing import Final, cast

from nodepools.model.kubernetes.raw_fields import entries, mapping, texts
from nodepools.wire.table import Written

_SETS: Final = frozenset(
    {"subnetIds", "securityGroupIds", "publicAccessCidrs", "enabledClusterLogTypes", "nodePools", "kubernetesGroups", "namespaces"}
)
"""Lists whose order the provider ignores."""
_ONLY_AWS: Final = (
    *("arn", "createdAt", "endpoint", "identity", "status", "certificateAuthority", "clientRequestToken", "platformVersion", "id", "health"),
    *("connectorConfig", "resourcesVpcConfig", "logging", "encryptionConfig"),
)
_OWN_TAGS: Final = "aws:"
"""Tags that begin like this are set by AWS, and cannot be sent."""


def cluster_inputs(described: Written, region: str) -> dict[str, object]:
    """Inputs of a Cluster, from `aws eks describe-cluster`."""
    network = mapping(described, "resourcesVpcConfig")
    keys = entries(described, "encryptionConfig")
    made: dict[str, object] = {
        **{name: value for name, value in described.items() if name not in _ONLY_AWS},
        "region": region,
        "vpcConfig": {name: value for name, value in network.items() if name not in ("vpcId", "clusterSecurityGroupId")},
        "enabledClusterLogTypes": log_types(described),
        "tags": own_tags(described),
    }
    services = mapping(described, "kubernetesNetworkConfig")
    if services:
        made["kubernetesNetworkConfig"] = {name: value for name, value in services.items() if name != "serviceIpv6Cidr"}
    if keys:
        made["encryptionConfig"] = {"resources": keys[0].get("resources"), "provider": keys[0].get("provider")}
    return normal(made)


def log_types(described: Written) -> list[str]:
    """The logs that are on."""
    groups = entries(mapping(described, "logging"), "clusterLogging")
    return [one for group in groups if group.get("enabled") for one in texts(group, "types")]


def entry_inputs(entry: Written, region: str) -> dict[str, object]:
    """Inputs of an AccessEntry. EKS makes user names and the groups of nodes, which are sent only if they are not those."""
    principal, kind = str(entry.get("principalArn")), entry.get("type", "STANDARD")
    own: dict[str, object] = {}
    if kind == "STANDARD":
        own = {"kubernetesGroups": entry.get("kubernetesGroups")}
        if entry.get("username") != usual_user_name(principal):
            own["userName"] = entry.get("username")
    return normal(
        {"clusterName": entry.get("clusterName"), "region": region, "principalArn": principal, "type": kind, "tags": own_tags(entry), **own}
    )


def usual_user_name(principal: str) -> str:
    """The user name that EKS gives a principal: a role has sessions."""
    beginning, found, path = principal.partition(":role/")
    return f"{beginning.replace(':iam:', ':sts:')}:assumed-role/{path.rpartition('/')[2]}/{{{{SessionName}}}}" if found else principal


def policy_inputs(policy: Written, cluster: str, principal: str, region: str) -> dict[str, object]:
    """Inputs of an AccessPolicyAssociation."""
    names = {"clusterName": cluster, "principalArn": principal, "region": region}
    return normal({**names, "policyArn": policy.get("policyArn"), "accessScope": policy.get("accessScope")})


def add_on_inputs(add_on: Written, region: str, identities: Sequence[Written]) -> dict[str, object]:
    """Inputs of an Addon with its pod identity associations. How conflicts are resolved is not stored in AWS.

    An association that was not exported is only its ARN: it differs from every declared one.
    """
    known = {str(one.get("associationArn")) for one in identities}
    missing = [{"associationArn": arn} for arn in texts(add_on, "podIdentityAssociations") if arn not in known]
    roles = [{name: one.get(name) for name in ("roleArn", "serviceAccount")} for one in identities]
    roles.sort(key=lambda one: str(one["serviceAccount"]))
    names = ("clusterName", "addonName", "addonVersion", "configurationValues", "serviceAccountRoleArn", "namespaceConfig")
    made = {**{name: add_on.get(name) for name in names}, "region": region, "tags": own_tags(add_on)}
    return normal({**made, "podIdentityAssociations": [*roles, *missing]})


def identity_inputs(identity: Written, region: str) -> dict[str, object]:
    """Inputs of a PodIdentityAssociation."""
    names = ("clusterName", "namespace", "serviceAccount", "roleArn", "targetRoleArn", "disableSessionTags", "policy")
    return normal({**{name: identity.get(name) for name in names}, "region": region, "tags": own_tags(identity)})


def provider_inputs(provider: Written, cluster: str, region: str) -> dict[str, object]:
    """Inputs of an IdentityProviderConfig."""
    names = ("identityProviderConfigName", "issuerUrl", "clientId", "usernameClaim", "usernamePrefix", "groupsClaim", "groupsPrefix")
    claims = {"requiredClaims": dict(mapping(provider, "requiredClaims"))}
    oidc = {**{name: provider.get(name) for name in names}, **claims}
    return normal({"clusterName": cluster, "region": region, "tags": own_tags(provider), "oidc": oidc})


def key_inputs(key: Written, region: str) -> dict[str, object]:
    """Inputs of a Key. Its tags are not in the outputs that are read, and AWS knows no waiting time of a key that stays."""
    made = {"description": key.get("Description"), "enableKeyRotation": key.get("KeyRotationEnabled")}
    return normal({**made, "rotationPeriodInDays": key.get("RotationPeriodInDays"), "region": region})


def log_group_inputs(group: Written, region: str) -> dict[str, object]:
    """Inputs of a LogGroup. Its tags are not in the output that lists groups."""
    names = ("retentionInDays", "kmsKeyId")
    return normal({**{name: group.get(name) for name in names}, "name": group.get("logGroupName"), "region": region})


def own_tags(written: Written) -> dict[str, object]:
    """The tags that can be sent."""
    return {key: value for key, value in mapping(written, "tags").items() if not key.startswith(_OWN_TAGS)}


def normal(written: Written) -> dict[str, object]:
    """`written` without empty values, and with lists whose order does not matter in alphabetical order."""
    inner = {key: _normal(key, value) for key, value in written.items()}
    return {key: value for key, value in inner.items() if value is not None and value not in ({}, [], "")}


def _normal(name: str, value: object) -> object:
    if isinstance(value, Mapping):
        return dict(cast("Written", value)) if name == "tags" else normal(cast("Written", value))
    if isinstance(value, list | tuple) and name in _SETS:
        return sorted(map(str, cast("Sequence[object]", value)))
    return cast("object", value)
