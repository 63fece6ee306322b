"""The access entries of an EKS cluster: of admins, of other principals, and of nodes."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from nodepools.changes.change import ResourceName
from nodepools.changes.karpenter_requests import Site, resolved
from nodepools.changes.request import ENTRY, POLICY, Key, Request
from nodepools.model.eks.access import AccessEntry, AccessPolicy
from nodepools.model.eks.access_names import admin_word
from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.model.eks.node_class_names import PROFILE, class_role, entry_word, node_role_name, role_reference
from nodepools.model.steps import Steps
from nodepools.wire.eks import access
from nodepools.wire.writing import write

_ENTRY: Final = "aws:eks/accessEntry:AccessEntry"
_POLICY: Final = "aws:eks/accessPolicyAssociation:AccessPolicyAssociation"
_ADMIN: Final = (AccessPolicy("AmazonEKSClusterAdminPolicy"),)
_NODE: Final = (AccessPolicy("AmazonEKSAutoNodePolicy"),)


@dataclass(frozen=True, slots=True)
class NodeAdmission:
    """The access of the nodes of NodeClasses."""

    requests: tuple[Request, ...]
    of_class: Mapping[str, Key]
    """What each NodeClass needs, by its name in the cluster."""


def admissions_of_principals(cluster: EksClusterArgs, site: Site) -> Iterator[Request]:
    """The entries of admins and other principals, with their policies."""
    for number, admin in enumerate(cluster.admins):
        yield from _with_policy(
            cluster, site, f"admin-{admin_word(admin, number + 1)}", ("admins", number), AccessEntry(principal=admin, policies=_ADMIN)
        )
    for key, declared in cluster.access_entries.items():
        steps = ("access_entries", key)
        entry = _entry(cluster, site, f"entry-{key}", steps, declared)
        yield replace(entry, key=(site.key, ENTRY, key))
        for number, policy in enumerate(declared.policies):
            made = _policy(site, f"entry-{key}-{policy.name}", (*steps, "policies", number), policy, (site.key, ENTRY, key))
            yield replace(made, key=(site.key, POLICY, f"{key}-{policy.name}"))


def admission_of_nodes(cluster: EksClusterArgs, site: Site) -> NodeAdmission:
    """One entry for each node role of NodeClasses, except the role of the built-in NodePools, for which EKS creates it."""
    requests: dict[str, list[Request]] = {}
    of_class: dict[str, Key] = {}
    built_in = _built_in(cluster, site)
    for place, key, declared in cluster.auto_mode.all_classes():
        role = class_role(site.stem, cluster, key, declared, lambda reference: str(resolved(reference)))
        if role.startswith(PROFILE) or role == built_in:
            continue
        word = f"access-{entry_word(cluster, key, declared)}"
        if role not in requests:
            steps = ("auto_mode", "node_classes", *place.split("/"), "role")
            admission = _with_policy(cluster, site, word, steps, AccessEntry(principal=role, type="EC2", policies=_NODE))
            requests[role] = [replace(request, follows=True) for request in admission]
        of_class[place] = requests[role][-1].key
    return NodeAdmission(tuple(request for several in requests.values() for request in several), of_class)


def _built_in(cluster: EksClusterArgs, site: Site) -> str | None:
    if not cluster.auto_mode.built_in_node_pools:
        return None
    if cluster.node_role is not None:
        return role_reference(str(resolved(cluster.node_role)))
    return f"{role_reference(cluster.iam_path)}{node_role_name(site.stem, cluster)}"


def _with_policy(cluster: EksClusterArgs, site: Site, word: str, steps: Steps, declared: AccessEntry) -> list[Request]:
    """An entry with one policy, which is not part of the resource names."""
    entry = _entry(cluster, site, word, steps, declared)
    made = [_policy(site, f"{word}-policy", steps, policy, entry.key) for policy in declared.policies]
    principal = entry.sent.get("principalArn")
    return [entry, *(replace(one, sent={**one.sent, "principalArn": principal}, follows=True) for one in made)]


def _entry(cluster: EksClusterArgs, site: Site, word: str, steps: Steps, declared: AccessEntry) -> Request:
    sent = {**write(access.ENTRY, declared, resolve=resolved), "tags": dict(cluster.tags)}
    name = ResourceName(_ENTRY, f"{site.stem}-{word}")
    return Request((site.key, ENTRY, word), site.key, (*site.steps, *steps), name, access.ENTRY, sent, needs=frozenset({site.cluster}))


def _policy(site: Site, word: str, steps: Steps, policy: AccessPolicy, entry: Key) -> Request:
    sent, name = write(access.POLICY, policy, policy.name), ResourceName(_POLICY, f"{site.stem}-{word}")
    return Request((site.key, POLICY, word), site.key, (*site.steps, *steps), name, access.POLICY, sent, needs=frozenset({site.cluster, entry}))
