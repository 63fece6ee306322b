"""Who may enter the cluster: people, and nodes. Facts: docs/facts/eks.md C5, C21 to C23, § 1.4."""

from collections.abc import Mapping

import pulumi
from pulumi_aws import eks

from nodepools.eks.roles import NodeRoles
from nodepools.eks.site import Site
from nodepools.model.eks.access import AccessEntry, AccessPolicy
from nodepools.model.names import fingerprint
from nodepools.model.ref import Ref, StackOutput

_ADMIN = ("STANDARD", "AmazonEKSClusterAdminPolicy")
_NODE = ("EC2", "AmazonEKSAutoNodePolicy")
"""The type of the entry, and the access policy that goes with it; `EC2_LINUX` is for nodes outside Auto Mode."""


def admit_admins(site: Site, cluster: eks.Cluster) -> list[pulumi.Resource]:
    """Gives every declared admin the cluster-admin policy, and every other declared principal its own.

    All that goes through the API server comes after these and goes before them: whoever runs Pulumi may be one of them.
    """
    made: list[pulumi.Resource] = []
    for place, admin in enumerate(site.args.admins, start=1):
        made += _admit(site, cluster, f"admin-{_admin_word(admin, place)}", site.scope.value(admin), _ADMIN)
    for key, entry in site.args.access_entries.items():
        made += _admit_declared(site, cluster, key, entry)
    return made


def _admit_declared(site: Site, cluster: eks.Cluster, key: str, declared: AccessEntry) -> list[pulumi.Resource]:
    entry = eks.AccessEntry(
        site.scope.name("entry", key),
        cluster_name=cluster.name,
        principal_arn=site.scope.value(declared.principal),
        type=declared.type,
        kubernetes_groups=list(declared.groups) if declared.groups else None,
        user_name=declared.user_name,
        region=site.args.region,
        tags=dict(site.scope.tags),
        opts=site.scope.options(),
    )
    return [entry, *(_associated(site, f"entry-{key}-{policy.name}", entry, cluster, policy) for policy in declared.policies)]


def _associated(site: Site, word: str, entry: eks.AccessEntry, cluster: eks.Cluster, policy: AccessPolicy) -> eks.AccessPolicyAssociation:
    scope: eks.AccessPolicyAssociationAccessScopeArgsDict = {"type": "cluster"}
    if policy.namespaces:
        scope = {"type": "namespace", "namespaces": list(policy.namespaces)}
    return eks.AccessPolicyAssociation(
        site.scope.name(word),
        cluster_name=cluster.name,
        principal_arn=entry.principal_arn,
        policy_arn=site.access_policy(policy.name),
        access_scope=scope,
        region=site.args.region,
        opts=site.scope.options(depends_on=[entry]),
    )


def admit_nodes(site: Site, cluster: eks.Cluster, roles: NodeRoles) -> Mapping[str, pulumi.Resource]:
    """Admits the nodes of every NodeClass, one entry a role: the association with its policy, by the place of the class.

    Not those with the role of the built-in pools, which only a brought role can be: EKS makes that entry itself, and refuses a second one.
    """
    made: dict[str, pulumi.Resource] = {}
    admitted: dict[str, pulumi.Resource] = {}
    for key, role in roles.classes.items():
        if role is roles.built_in:
            continue
        if role.word not in made:
            [_, made[role.word]] = _admit(site, cluster, f"access-{role.word}", role.arn, _NODE)
        admitted[key] = made[role.word]
    return admitted


def _admit(site: Site, cluster: eks.Cluster, word: str, principal: pulumi.Input[str], right: tuple[str, str]) -> list[pulumi.Resource]:
    kind, name = right
    entry = eks.AccessEntry(
        site.scope.name(word),
        cluster_name=cluster.name,
        principal_arn=principal,
        type=kind,
        region=site.args.region,
        tags=dict(site.scope.tags),
        opts=site.scope.options(),
    )
    return [entry, _associated(site, f"{word}-policy", entry, cluster, AccessPolicy(name))]


def _admin_word(admin: Ref, place: int) -> str:
    """A word that stays when other admins come and go; an Output, whose value nobody knows yet, is told by its place."""
    if isinstance(admin, str):
        return f"{admin.rpartition('/')[2]}-{fingerprint(admin)}"
    return fingerprint(str(admin), 8) if isinstance(admin, StackOutput) else str(place)
