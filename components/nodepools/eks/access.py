"""Access entries of an EKS cluster, for people and nodes. Facts: docs/facts/eks.md C5, C21 to C23, § 1.4."""

from collections.abc import Mapping
from typing import cast

import pulumi
from pulumi_aws import eks

from nodepools.eks.cluster_context import ClusterContext
from nodepools.eks.iam_roles import NodeRoles
from nodepools.model.eks.access import AccessEntry, AccessPolicy
from nodepools.model.eks.access_names import admin_word
from nodepools.model.ref import Ref
from nodepools.wire.eks.access import ENTRY, POLICY
from nodepools.wire.names import python_name
from nodepools.wire.writing import write

_ADMIN = (AccessPolicy("AmazonEKSClusterAdminPolicy"),)
_NODE = (AccessPolicy("AmazonEKSAutoNodePolicy"),)
"""The access policy for the type `EC2`; `EC2_LINUX` is for nodes outside Auto Mode."""


def admit_admins(site: ClusterContext, cluster: eks.Cluster) -> list[pulumi.Resource]:
    """Gives each admin the cluster-admin policy, and other principals their declared policies.

    In-cluster objects are created after these entries and deleted before them: the identity that runs Pulumi can be one of the principals.
    """
    made: list[pulumi.Resource] = []
    for place, admin in enumerate(site.args.admins, start=1):
        made += _admit_with(site, cluster, f"admin-{admin_word(admin, place)}", AccessEntry(principal=admin, policies=_ADMIN))
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
    """Gives access to the nodes of every NodeClass, with one entry for each role. Returns the policy association by NodeClass.

    The role of the built-in NodePools, which can also be an existing role of NodeClasses, is skipped: EKS creates its entry and rejects a second one.
    """
    made: dict[str, pulumi.Resource] = {}
    admitted: dict[str, pulumi.Resource] = {}
    for key, role in roles.classes.items():
        if role is roles.built_in:
            continue
        if role.name not in made:
            declared = AccessEntry(principal=cast("Ref", role.arn), type="EC2", policies=_NODE)  # text, or an Output
            [_, made[role.name]] = _admit_with(site, cluster, f"access-{role.name}", declared)
        admitted[key] = made[role.name]
    return admitted


def _admit_with(site: ClusterContext, cluster: eks.Cluster, word: str, declared: AccessEntry) -> list[pulumi.Resource]:
    """An entry with one policy, which is not part of the resource names."""
    entry = _entry(site, cluster, word, declared)
    return [entry, *(_associated(site, f"{word}-policy", entry, cluster, policy) for policy in declared.policies)]
