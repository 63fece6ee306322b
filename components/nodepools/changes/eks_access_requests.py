"""Access entries that follow from other parts of a cluster that exists, whose account is known."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from nodepools.changes.change import ResourceName
from nodepools.changes.karpenter_requests import Site, resolved
from nodepools.changes.request import ENTRY, POLICY, Request
from nodepools.model.eks.access import AccessEntry, AccessPolicy
from nodepools.model.eks.access_names import admin_word, role_word
from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.model.eks.node_class_names import role_reference
from nodepools.model.ref import Ref
from nodepools.wire.eks import access
from nodepools.wire.table import Table
from nodepools.wire.writing import write

_TYPES: Final = {
    ENTRY: "aws:eks/accessEntry:AccessEntry",
    POLICY: "aws:eks/accessPolicyAssociation:AccessPolicyAssociation",
}
_ADMIN: Final = AccessPolicy("AmazonEKSClusterAdminPolicy")
_NODE: Final = AccessPolicy("AmazonEKSAutoNodePolicy")


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


def _named(site: Site, key: tuple[str, str], steps: tuple[str | int, ...], word: str, written: tuple[Table, Mapping[str, object]]) -> Request:
    resource = ResourceName(_TYPES[key[0]], f"{site.stem}-{word}")
    return Request((site.key, *key), site.key, (*site.steps, *steps), resource, *written, needs=frozenset({site.cluster}))
