"""Who has access to an EKS cluster, and what is installed in it: access entries, pod identities and add-ons."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from nodepools.changes.change import ResourceName
from nodepools.changes.karpenter_requests import Site, resolved
from nodepools.changes.request import ADD_ON, ENTRY, IDENTITY, POLICY, Request
from nodepools.model.eks.access import AccessEntry, AccessPolicy
from nodepools.model.eks.access_names import admin_word, role_word
from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.model.eks.node_class_names import role_reference
from nodepools.model.ref import Ref
from nodepools.wire.eks import access, add_ons
from nodepools.wire.table import Table
from nodepools.wire.writing import write

_TYPES: Final = {
    ENTRY: "aws:eks/accessEntry:AccessEntry",
    POLICY: "aws:eks/accessPolicyAssociation:AccessPolicyAssociation",
    IDENTITY: "aws:eks/podIdentityAssociation:PodIdentityAssociation",
    ADD_ON: "aws:eks/addon:Addon",
}
_PREFIXES: Final = {ENTRY: "entry", POLICY: "entry", IDENTITY: "pod-identity", ADD_ON: "add-on"}
"""First word of the names in Pulumi."""
_ADMIN: Final = AccessPolicy("AmazonEKSClusterAdminPolicy")
_NODE: Final = AccessPolicy("AmazonEKSAutoNodePolicy")


def declared_access(cluster: EksClusterArgs, site: Site) -> Iterator[Request]:
    """Access entries, pod identities and add-ons that are declared under keys of their own."""
    for key, entry in cluster.access_entries.items():
        steps = ("access_entries", key)
        yield _request(site, ENTRY, key, steps, (access.ENTRY, write(access.ENTRY, entry, resolve=resolved)))
        for number, policy in enumerate(entry.policies):
            made = write(access.POLICY, policy, policy.name)
            yield _request(site, POLICY, f"{key}-{policy.name}", (*steps, "policies", number), (access.POLICY, made))
    for key, identity in cluster.pod_identities.items():
        made = write(add_ons.POD_IDENTITY, identity, resolve=resolved)
        yield _request(site, IDENTITY, key, ("pod_identities", key), (add_ons.POD_IDENTITY, made))
    for key, declared in cluster.add_ons.items():
        made = write(add_ons.ADD_ON, declared, resolve=resolved)
        yield _request(site, ADD_ON, key, ("add_ons", key), (add_ons.ADD_ON, made))


def implied_access(cluster: EksClusterArgs, site: Site, role_arn: Callable[[Ref], Ref]) -> Iterator[Request]:
    """Access entries of the admins, and of the existing roles of NodeClasses. Comparisons of declarations report them as `admins` and as NodeClasses.

    `role_arn` returns the ARN of a role that a NodeClass names.
    """
    for place, admin in enumerate(cluster.admins, start=1):
        yield from _with_policy(site, f"admin-{admin_word(admin, place)}", ("admins", place - 1), AccessEntry(principal=admin, policies=[_ADMIN]))
    entered = {role_reference(str(cluster.node_role))} if cluster.node_role is not None else set[str]()
    for place, key, declared in cluster.auto_mode.all_classes():
        if declared.role is not None and str(declared.role) not in entered:
            entered.add(str(declared.role))
            entry = AccessEntry(principal=role_arn(declared.role), type="EC2", policies=[_NODE])
            steps = ("auto_mode", "node_classes", place)
            yield from _with_policy(site, f"access-{role_word(declared.role, key)}", steps, entry)


def _with_policy(site: Site, word: str, steps: tuple[str | int, ...], entry: AccessEntry) -> Iterator[Request]:
    """An entry with one policy, which is not part of the resource names."""
    made = write(access.ENTRY, entry, resolve=resolved)
    yield _named(site, (ENTRY, word), steps, word, (access.ENTRY, made))
    [policy] = entry.policies
    yield _named(site, (POLICY, word), steps, f"{word}-policy", (access.POLICY, write(access.POLICY, policy, policy.name)))


def _request(site: Site, subject: str, key: str, steps: tuple[str | int, ...], written: tuple[Table, Mapping[str, object]]) -> Request:
    return _named(site, (subject, key), steps, f"{_PREFIXES[subject]}-{key}", written)


def _named(site: Site, key: tuple[str, str], steps: tuple[str | int, ...], word: str, written: tuple[Table, Mapping[str, object]]) -> Request:
    resource = ResourceName(_TYPES[key[0]], f"{site.stem}-{word}")
    return Request((site.key, *key), site.key, (*site.steps, *steps), resource, *written, needs=frozenset({site.cluster}))
