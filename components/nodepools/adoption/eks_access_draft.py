"""The draft of who has access to an EKS cluster, and of what is installed in it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, cast

from nodepools.adoption.add_ons import has_credential
from nodepools.adoption.draft import Reader
from nodepools.adoption.eks_inputs import own_tags, usual_user_name
from nodepools.adoption.observed_eks import ObservedEksCluster
from nodepools.model.name_limits import fingerprint
from nodepools.wire.dialects import respelled
from nodepools.wire.eks.access import last_name
from nodepools.wire.eks.add_ons import ADD_ON, POD_IDENTITY
from nodepools.wire.eks.aws_json import DESCRIBED_ENTRY, LISTED_POLICY
from nodepools.wire.table import Table, Written
from nodepools.wire.unmodeled import Note

_ADMIN, _NODE = "AmazonEKSClusterAdminPolicy", "AmazonEKSAutoNodePolicy"
_DECLARED: Final = ("STANDARD", "EC2", "HYBRID_LINUX")
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


def access_draft(cluster: ObservedEksCluster, node_role: object, class_roles: Sequence[str], reader: Reader) -> AccessDraft:
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
        if _is_of(principal, entry, "EC2") and principal in class_roles and _names(listed) == [_NODE]:
            continue
        if _is_of(principal, entry, "STANDARD") and not entry.get("kubernetesGroups") and _is_admin(listed):
            admins.append(principal)
        else:
            entries[_key(principal, entries)] = _entry(principal, entry, listed, reader)
    installed = dict(_add_ons(cluster, made, reader))
    identities = dict(_identities(cluster, made, reader))
    found = {"admins": admins, "access_entries": entries, "add_ons": installed, "pod_identities": identities}
    made.fields = {name: value for name, value in found.items() if value}
    return made


def _outside(principal: str, entry: Written, node_role: object) -> str | None:
    if principal == node_role:
        return "EKS: it created the entry for the built-in NodePools"
    kind = entry.get("type", "STANDARD")
    return f"the owner of the nodes: an entry of the type `{kind}` is for nodes outside Auto Mode" if kind not in _DECLARED else None


def _is_of(principal: str, entry: Written, kind: str) -> bool:
    return entry.get("type", "STANDARD") == kind and (kind != "STANDARD" or entry.get("username") in (None, usual_user_name(principal)))


def _names(listed: Sequence[Written]) -> list[str]:
    return [last_name(policy.get("policyArn")) for policy in listed]


def _is_admin(listed: Sequence[Written]) -> bool:
    return _names(listed) == [_ADMIN] and cast("Written", listed[0].get("accessScope") or {}).get("type") == "cluster"


def _entry(principal: str, entry: Written, listed: Sequence[Written], reader: Reader) -> dict[str, object]:
    where = f"access entry {principal}"
    fields = reader.read(DESCRIBED_ENTRY, entry, where)
    made_by_eks = () if _is_of(principal, entry, "STANDARD") else ("groups", "user_name") if fields.get("type") != "STANDARD" else ()
    if fields.get("user_name") == usual_user_name(principal):
        made_by_eks = (*made_by_eks, "user_name")
    policies = [reader.read(LISTED_POLICY, policy, where) for policy in listed]
    kept = {name: value for name, value in fields.items() if name not in made_by_eks and value not in ([], {})}
    return {**kept, **({"policies": policies} if policies else {})}


def _key(principal: str, taken: Mapping[str, object]) -> str:
    name = re.sub(r"[^a-z0-9]+", "-", principal.rpartition("/")[2].lower()).strip("-")
    return name if name not in taken else f"{name}-{fingerprint(principal)}"


def _add_ons(cluster: ObservedEksCluster, made: AccessDraft, reader: Reader) -> Iterator[tuple[str, dict[str, object]]]:
    for name, add_on in cluster.add_ons.items():
        fields = reader.read(_ADD_ON, add_on, f"add-on {name}")
        if has_credential(fields.get("configuration")):
            made.outside[f"add-on {name}"] = "its configuration can contain a secret, which is not written: declare it with `Secret`"
            continue
        made.tagged.append(own_tags(add_on))
        roles = {str(one.get("serviceAccount")): {"role": one.get("roleArn")} for one in cluster.identities_of(add_on)}
        if len(roles) < len(cast("Sequence[object]", add_on.get(_ASSOCIATIONS) or ())):
            made.outside[f"pod identities of add-on {name}"] = "not in the exports: add `aws eks describe-pod-identity-association`"
        yield name, {**fields, **({"pod_identity": roles} if roles else {})}


def _identities(cluster: ObservedEksCluster, made: AccessDraft, reader: Reader) -> Iterator[tuple[str, dict[str, object]]]:
    owned = {str(one.get("associationId")) for add_on in cluster.add_ons.values() for one in cluster.identities_of(add_on)}
    for number, identity in cluster.identities.items():
        owner = identity.get("ownerArn")
        if number in owned:
            continue
        if owner is not None:
            made.outside[f"pod identity {number}"] = f"{owner}: the add-on owns it"
            continue
        made.tagged.append(own_tags(identity))
        fields = reader.read(_IDENTITY, identity, f"pod identity {number}")
        yield f"{fields.get('namespace')}-{fields.get('service_account')}", fields
