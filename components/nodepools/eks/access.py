"""Who may enter the cluster: people, and nodes. Facts: docs/facts/eks.md C5, C21 to C23, § 1.4."""

from collections.abc import Mapping
from typing import cast

import pulumi
from pulumi_aws import eks

from nodepools.eks.cluster_context import ClusterContext
from nodepools.eks.iam_roles import NodeRoles
from nodepools.model.eks.access import AccessEntry, AccessPolicy
from nodepools.model.name_limits import fingerprint
from nodepools.model.ref import Ref, StackOutput
from nodepools.wire.eks.access import ENTRY, POLICY
from nodepools.wire.names import python_name
from nodepools.wire.writing import write

_ADMIN = (AccessPolicy("AmazonEKSClusterAdminPolicy"),)
_NODE = (AccessPolicy("AmazonEKSAutoNodePolicy"),)
"""The access policy that goes with the type `EC2`; `EC2_LINUX` is for nodes outside Auto Mode."""


def admit_admins(site: ClusterContext, cluster: eks.Cluster) -> list[pulumi.Resource]:
    """Gives every declared admin the cluster-admin policy, and every other declared principal its own.

    All that goes through the API server comes after these and goes before them: whoever runs Pulumi may be one of them.
    """
    made: list[pulumi.Resource] = []
    for place, admin in enumerate(site.args.admins, start=1):
        made += _admit_with(site, cluster, f"admin-{_admin_word(admin, place)}", AccessEntry(principal=admin, policies=_ADMIN))
    for key, declared in site.args.access_entries.items():
        entry = _entry(site, cluster, f"entry-{key}", declared)
        made += [entry, *(_associated(site, f"entry-{key}-{policy.name}", entry, cluster, policy) for policy in declared.policies)]
    return made


def _entry(site: ClusterContext, cluster: eks.Cluster, word: str, declared: AccessEntry) -> eks.AccessEntry:
    return eks.AccessEntry(
        site.scope.name(word),
        **write(ENTRY, declared, spell=python_name, resolve=site.scope.value),  # type: ignore[arg-type]  # its arguments
        cluster_name=cluster.name,
        region=site.args.region,
        tags=dict(site.scope.tags),
        opts=site.scope.options(),
    )


def _associated(site: ClusterContext, word: str, entry: eks.AccessEntry, cluster: eks.Cluster, policy: AccessPolicy) -> eks.AccessPolicyAssociation:
    return eks.AccessPolicyAssociation(
        site.scope.name(word),
        **write(POLICY, policy, site.access_policy(policy.name), spell=python_name, resolve=site.scope.value),  # type: ignore[arg-type]  # its arguments
        cluster_name=cluster.name,
        principal_arn=entry.principal_arn,
        region=site.args.region,
        opts=site.scope.options(depends_on=[entry]),
    )


def admit_nodes(site: ClusterContext, cluster: eks.Cluster, roles: NodeRoles) -> Mapping[str, pulumi.Resource]:
    """Admits the nodes of every NodeClass, one entry a role: the association with its policy, by the place of the class.

    Not those with the role of the built-in pools, which only a brought role can be: EKS makes that entry itself, and refuses a second one.
    """
    made: dict[str, pulumi.Resource] = {}
    admitted: dict[str, pulumi.Resource] = {}
    for key, role in roles.classes.items():
        if role is roles.built_in:
            continue
        if role.word not in made:
            declared = AccessEntry(principal=cast("Ref", role.arn), type="EC2", policies=_NODE)  # text, or an Output
            [_, made[role.word]] = _admit_with(site, cluster, f"access-{role.word}", declared)
        admitted[key] = made[role.word]
    return admitted


def _admit_with(site: ClusterContext, cluster: eks.Cluster, word: str, declared: AccessEntry) -> list[pulumi.Resource]:
    """With one policy, whose name nobody needs to know."""
    entry = _entry(site, cluster, word, declared)
    return [entry, *(_associated(site, f"{word}-policy", entry, cluster, policy) for policy in declared.policies)]


def _admin_word(admin: Ref, place: int) -> str:
    """A word that stays when other admins come and go; an Output, whose value nobody knows yet, is told by its place."""
    if isinstance(admin, str):
        return f"{admin.rpartition('/')[2]}-{fingerprint(admin)}"
    return fingerprint(str(admin), 8) if isinstance(admin, StackOutput) else str(place)
