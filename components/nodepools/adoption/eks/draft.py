"""The first draft of an EKS cluster: every field that exists, before anything is dropped.

Output of `aws eks`, in the spelling of AWS's API: the same rows at the places that the API has. It lacks the region and arguments that only apply at
creation, and contains values that only AWS sets.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, cast

from nodepools.adoption.draft import BuiltIn, CannotAdoptError, Draft, ObjectsDraft, Reader, objects_draft
from nodepools.adoption.eks.inputs import own_tags, usual_user_name
from nodepools.adoption.proof import has_credential
from nodepools.clouds.eks.existing import WITH_POLICIES, ExistingEksCluster
from nodepools.model.eks.node_class import BUILT_IN_CLASS
from nodepools.model.kubernetes.raw_fields import entries, mapping, texts
from nodepools.model.listing import joined, saved
from nodepools.model.name_limits import fingerprint
from nodepools.wire.dialects import respelled
from nodepools.wire.eks.access import ADD_ON, ENTRY, IDENTITY_PROVIDER, POD_IDENTITY, POLICY, UPDATED, last_name
from nodepools.wire.eks.cluster import CLUSTER, KEY, LOG_GROUP, log_group_name
from nodepools.wire.eks.node_class import NODE_CLASS
from nodepools.wire.karpenter import EKS_NODE_CLASS
from nodepools.wire.rows import Codec, Note, Row, codec
from nodepools.wire.table import Table, Written


def _logged(logging: Mapping[str, Sequence[Written]]) -> list[object]:
    return [type_name for group in logging["clusterLogging"] if group["enabled"] for type_name in cast("Sequence[object]", group["types"])]


def _to_logging(types: Sequence[object]) -> dict[str, object]:
    return {"clusterLogging": [{"types": list(types), "enabled": True}]} if types else {}


def _key(encryption: Sequence[Mapping[str, Written]]) -> object:
    [one] = encryption
    return one["provider"]["keyArn"]


_AT_CREATION: Final = ("bootstrapSelfManagedAddons", "accessConfig.bootstrapClusterCreatorAdminPermissions")
"""A difference is ignored after the creation."""
_NOT_REPORTED: Final = ("region", *_AT_CREATION, "defaultAddonsToRemoves")
_OTHERWISE: Final = ("enabledClusterLogTypes", "encryptionConfig", "forceUpdateVersion")
_FROM_AWS: Final = (
    *("arn", "createdAt", "endpoint", "identity", "status", "certificateAuthority", "clientRequestToken", "platformVersion", "id", "health"),
)

DESCRIBED: Final = Table(
    *respelled(CLUSTER, {"vpcConfig": "resourcesVpcConfig", **dict.fromkeys((*_NOT_REPORTED, *_OTHERWISE))}),
    Row("log_types", "logging", UPDATED, Codec(_to_logging, _logged), absent=[]),
    Row("secrets_key", "encryptionConfig", KEY, codec(lambda key: [{"resources": ["secrets"], "provider": {"keyArn": key}}], _key)),
    *(Note("read_only", name) for name in (*_FROM_AWS, "connectorConfig", *_AT_CREATION)),
)
"""`cluster` of `aws eks describe-cluster`."""
DESCRIBED_ENTRY: Final = Table(
    *respelled(ENTRY, {"userName": "username", "region": None}), *(Note("read_only", name) for name in ("accessEntryArn", "createdAt", "modifiedAt"))
)
"""`accessEntry` of `aws eks describe-access-entry`."""
LISTED_POLICY: Final = Table(
    *respelled(POLICY, dict.fromkeys(("clusterName", "principalArn", "region"))),
    *(Note("read_only", name) for name in ("associatedAt", "modifiedAt")),
)
"""An entry of `associatedAccessPolicies` of `aws eks list-associated-access-policies`."""
LISTED_GROUP: Final = Table(
    *respelled(LOG_GROUP, dict.fromkeys(("name", "region", "tags", "skipDestroy", "logGroupClass", "namePrefix", "deletionProtectionEnabled"))),
    *(
        Note("read_only", name)
        for name in ("logGroupName", "creationTime", "metricFilterCount", "arn", "storedBytes", "logGroupArn", "logGroupClass")
    ),
    *(
        Note("read_only", name)
        for name in ("dataProtectionStatus", "inheritedProperties", "deletionProtectionEnabled", "bearerTokenAuthenticationEnabled")
    ),
)
"""An entry of `logGroups` of `aws logs describe-log-groups`."""
DESCRIBED_PROVIDER: Final = Table(
    *respelled(IDENTITY_PROVIDER, {"clusterName": "oidc.clusterName", "tags": "oidc.tags", "region": None}),
    *(Note("read_only", f"oidc.{name}") for name in ("identityProviderConfigArn", "status")),
)
"""`identityProviderConfig` of `aws eks describe-identity-provider-config`."""
_OF_CREATED_KEY: Final = {"KeyManager": "CUSTOMER", "MultiRegion": False, "KeyState": "Enabled", "KeyRotationEnabled": True}
"""What a key has that `new_secrets_key` declares."""
DESCRIBED_KEY: Final = Table(
    Row("rotation_days", "RotationPeriodInDays", UPDATED),
    *(Note("read_only", name) for name in (*_OF_CREATED_KEY, "AWSAccountId", "KeyId", "Arn", "CreationDate", "Enabled", "Description", "KeyUsage")),
    *(Note("read_only", name) for name in ("CustomerMasterKeySpec", "EncryptionAlgorithms", "Origin", "NextRotationDate", "CurrentKeyMaterialId")),
    *(Note("read_only", name) for name in ("OnDemandRotationStartDate", "KeySpec")),
)
"""`KeyMetadata` of `aws kms describe-key`, with the output of `aws kms get-key-rotation-status`."""


_POLICIES: Final = {"network_policy": "DefaultAllow", "network_policy_event_logs": "Disabled"}
"""Fields of a NodeClass with the only value that does not turn the network policy controller on."""
_NOT_EXPORTED: Final = "it is not in the exports (`aws logs describe-log-groups`), and stays as it is (`logs.existing`)"


def eks_draft(cluster: ExistingEksCluster) -> Draft:
    """Reads everything that exists.

    Raises:
        CannotAdoptError: the cluster does not use Auto Mode.
    """
    if mapping(cluster.described, "computeConfig").get("enabled") is not True:
        raise CannotAdoptError("does not use Auto Mode, which this library requires: enable it first (docs/guides/enable-auto-mode.md)")
    reader = Reader(fold=False)
    fields = reader.read(DESCRIBED, cluster.described, "")
    auto = cast("dict[str, object]", fields.pop("auto_mode", {}))
    key, kept_key = _created_key(cluster, fields, reader)
    built_in = BuiltIn("Auto Mode created it and manages it", texts(auto, "built_in_node_pools"), (BUILT_IN_CLASS,))
    inside = objects_draft(cluster.objects, EKS_NODE_CLASS, NODE_CLASS, built_in, reader)
    class_roles = [cluster.id.role(str(one["role"])) for one in inside.classes.values() if "role" in one]
    access = access_draft(cluster, fields.get("node_role"), class_roles, reader)
    tags, rest = _tags(cluster, access.tagged)
    whole: dict[str, object] = {
        **fields,
        **key,
        "kind": "EksCluster",
        "region": cluster.id.region,
        "network": _network(cluster),
        "logs": reader.read(LISTED_GROUP, cluster.log_group, "log group") if cluster.log_group is not None else {"existing": True},
        **access.fields,
        "objects": _objects(inside),
        "auto_mode": {**auto, **inside.fields, "node_classes": {name: {**one, "name": name} for name, one in inside.classes.items()}},
        "tags": tags,
    }
    overrides = {**cast("Mapping[str, object]", fields.get("overrides", {})), **({"tags": rest} if rest else {})}
    if overrides:
        whole["overrides"] = overrides
    unread = tuple(path for path in reader.unread if path[0] != "tags")
    return Draft(
        whole,
        unread,
        tuple(path for path in reader.unknown if path[0] != "tags"),
        {**inside.outside, **access.outside, **_others(cluster), **kept_key},
        tuple(inside.pools),
    )


def _created_key(cluster: ExistingEksCluster, fields: dict[str, object], reader: Reader) -> tuple[dict[str, object], dict[str, str]]:
    """The exported key of the secrets as one that is created, instead of its ARN; or why it stays outside."""
    if cluster.key is None:
        return {}, {}
    others = joined([f"`{name}` is `{cluster.key.get(name)}`" for name, value in _OF_CREATED_KEY.items() if cluster.key.get(name) != value])
    if others:
        return {}, {f"KMS key {fields.get('secrets_key')}": f"the declaration has its ARN, and does not manage it, because {others}"}
    del fields["secrets_key"]
    return {"new_secrets_key": reader.read(DESCRIBED_KEY, cluster.key, "KMS key")}, {}


def _objects(inside: ObjectsDraft) -> dict[str, object]:
    """No object that the cluster has not got. The network policy controller stays as it is."""
    with_policies = any(one.get(name) != value for one in inside.classes.values() for name, value in _POLICIES.items())
    return {"storage_class": None, "ingress_class": None, **({"network_policies": False} if with_policies else {})}


def _tags(cluster: ExistingEksCluster, tagged: Sequence[Mapping[str, object]]) -> tuple[dict[str, object], dict[str, object]]:
    """The tags that all resources have, and the other ones of the cluster."""
    own = own_tags(cluster.described)
    shared = {key: value for key, value in own.items() if all(tags.get(key) == value for tags in tagged)}
    return shared, {key: value for key, value in own.items() if key not in shared}


def _network(cluster: ExistingEksCluster) -> dict[str, object]:
    """The subnets of nodes are those of the NodeClass `default`, if it was exported: EKS fills them in."""
    described = mapping(cluster.described, "resourcesVpcConfig")
    control_plane = list(texts(described, "subnetIds"))
    made: dict[str, object] = {"kind": "ExistingEksNetwork", "vpc_id": described.get("vpcId")}
    nodes = _node_subnets(cluster)
    if not nodes or sorted(nodes) == sorted(control_plane):
        made["private_subnet_ids"] = control_plane
    else:
        made |= {"private_subnet_ids": nodes, "control_plane_subnet_ids": control_plane}
    vpc = cluster.vpcs.get(str(described.get("vpcId")))
    return {**made, **({"cidr": vpc["CidrBlock"]} if vpc is not None and "CidrBlock" in vpc else {})}


def _node_subnets(cluster: ExistingEksCluster) -> list[str]:
    default = cluster.named(EKS_NODE_CLASS.kind, BUILT_IN_CLASS)
    terms = entries(default.spec, "subnetSelectorTerms") if default is not None else ()
    return [str(term["id"]) for term in terms] if all("id" in term for term in terms) else []


def _others(cluster: ExistingEksCluster) -> dict[str, str]:
    described = mapping(cluster.described, "resourcesVpcConfig")
    roles = [cluster.described.get("roleArn"), mapping(cluster.described, "computeConfig").get("nodeRoleArn")]
    return {
        f"VPC {described.get('vpcId')} and its subnets": "the declaration has their ids, and does not manage them",
        **{f"role {role}": "the declaration has its ARN, and does not manage it" for role in roles if role is not None},
        **({f"log group {log_group_name(cluster.name)}": _NOT_EXPORTED} if cluster.log_group is None else {}),
    }


_ADMIN, _NODE = "AmazonEKSClusterAdminPolicy", "AmazonEKSAutoNodePolicy"
FOR_NODES: Final = "it is for nodes outside Auto Mode"
"""How the reason begins why an access entry stays outside that nodes of others have."""
_ASSOCIATIONS: Final = "podIdentityAssociations"
_DATES: Final = ("createdAt", "modifiedAt")
_OF_IDENTITY: Final = (*_DATES, "associationArn", "associationId", "ownerArn", "externalId")
_OF_ADD_ON: Final = (*_DATES, "addonArn", "status", "health", "marketplaceInformation", "owner", "publisher")
_IDENTITY: Final = Table(*POD_IDENTITY.rows, *(Note("read_only", name) for name in _OF_IDENTITY))
_ADD_ON: Final = Table(*respelled(ADD_ON, {_ASSOCIATIONS: None}), *(Note("read_only", name) for name in (*_OF_ADD_ON, _ASSOCIATIONS)))
"""`addon` of `aws eks describe-addon`, which has only the ARNs of its pod identity associations."""


@dataclass(slots=True)
class AccessDraft:
    """Fields of the cluster about access and add-ons."""

    fields: dict[str, object] = field(default_factory=dict[str, object])
    outside: dict[str, str] = field(default_factory=dict[str, str])
    tagged: list[Mapping[str, object]] = field(default_factory=list[Mapping[str, object]])
    """The tags of each resource that is declared."""


def access_draft(cluster: ExistingEksCluster, node_role: object, class_roles: Sequence[str], reader: Reader) -> AccessDraft:
    """Every access entry is declared where it belongs: by its role in a NodeClass, in `admins`, or under a key of its own."""
    made = AccessDraft()
    admins: list[str] = []
    entries: dict[str, object] = {}
    for principal, entry in cluster.entries.items():
        listed = cluster.policies.get(principal, ())
        why = _outside(principal, entry, node_role)
        if why is not None:
            made.outside[f"access entry {principal}"] = why
            continue
        made.tagged.append(own_tags(entry))
        if _is_of(principal, entry, "EC2") and principal in class_roles and _policy_names(listed) == [_NODE]:
            continue
        if _is_of(principal, entry, "STANDARD") and not entry.get("kubernetesGroups") and _is_admin(listed):
            admins.append(principal)
        else:
            entries[_entry_key(principal, entries)] = _entry(principal, entry, listed, reader)
    installed = dict(_add_ons(cluster, made, reader))
    identities = dict(_identities(cluster, made, reader))
    for name, provider in cluster.providers.items():
        made.tagged.append(own_tags(provider))
        made.fields["identity_provider"] = reader.read(DESCRIBED_PROVIDER, {"oidc": provider}, f"identity provider {name}")
    found = {"admins": admins, "access_entries": entries, "add_ons": installed, "pod_identities": identities}
    made.fields |= {name: value for name, value in found.items() if value}
    return made


def _outside(principal: str, entry: Written, node_role: object) -> str | None:
    if principal == node_role:
        return "EKS created it for the built-in NodePools"
    kind = entry.get("type", "STANDARD")
    return f"{FOR_NODES} (type `{kind}`), which are not adopted" if kind not in WITH_POLICIES else None


def _is_of(principal: str, entry: Written, kind: str) -> bool:
    return entry.get("type", "STANDARD") == kind and (kind != "STANDARD" or entry.get("username") in (None, usual_user_name(principal)))


def _policy_names(listed: Sequence[Written]) -> list[str]:
    return [last_name(policy.get("policyArn")) for policy in listed]


def _is_admin(listed: Sequence[Written]) -> bool:
    return _policy_names(listed) == [_ADMIN] and cast("Written", listed[0].get("accessScope") or {}).get("type") == "cluster"


def _entry(principal: str, entry: Written, listed: Sequence[Written], reader: Reader) -> dict[str, object]:
    where = f"access entry {principal}"
    fields = reader.read(DESCRIBED_ENTRY, entry, where)
    made_by_eks = () if _is_of(principal, entry, "STANDARD") else ("groups", "user_name") if fields.get("type") != "STANDARD" else ()
    if fields.get("user_name") == usual_user_name(principal):
        made_by_eks = (*made_by_eks, "user_name")
    policies = [reader.read(LISTED_POLICY, policy, where) for policy in listed]
    kept = {name: value for name, value in fields.items() if name not in made_by_eks and value not in ([], {})}
    return {**kept, **({"policies": policies} if policies else {})}


def _entry_key(principal: str, taken: Mapping[str, object]) -> str:
    name = re.sub(r"[^a-z0-9]+", "-", principal.rpartition("/")[2].lower()).strip("-")
    return name if name not in taken else f"{name}-{fingerprint(principal)}"


def _add_ons(cluster: ExistingEksCluster, made: AccessDraft, reader: Reader) -> Iterator[tuple[str, dict[str, object]]]:
    for name, add_on in cluster.add_ons.items():
        fields = reader.read(_ADD_ON, add_on, f"add-on {name}")
        if has_credential(fields.get("configuration")):
            made.outside[f"add-on {name}"] = "its configuration can contain a secret, which is not written: declare the configuration with `Secret`"
            continue
        made.tagged.append(own_tags(add_on))
        roles = {str(one.get("serviceAccount")): {"role": one.get("roleArn")} for one in cluster.identities_of(add_on)}
        if len(roles) < len(cast("Sequence[object]", add_on.get(_ASSOCIATIONS) or ())):
            made.outside[f"pod identities of add-on {name}"] = f"they are not in the exports. {saved('`aws eks describe-pod-identity-association`')}"
        yield name, {**fields, **({"pod_identity": roles} if roles else {})}


def _identities(cluster: ExistingEksCluster, made: AccessDraft, reader: Reader) -> Iterator[tuple[str, dict[str, object]]]:
    owned = {str(one.get("associationId")) for add_on in cluster.add_ons.values() for one in cluster.identities_of(add_on)}
    for number, identity in cluster.identities.items():
        owner = identity.get("ownerArn")
        if number in owned:
            continue
        if owner is not None:
            made.outside[f"pod identity {number}"] = f"the add-on {owner} manages it"
            continue
        made.tagged.append(own_tags(identity))
        fields = reader.read(_IDENTITY, identity, f"pod identity {number}")
        yield f"{fields.get('namespace')}-{fields.get('service_account')}", fields
