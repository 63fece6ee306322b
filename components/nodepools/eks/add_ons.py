"""Pod identities, add-ons, and the identity provider of the service accounts of an EKS cluster."""

from collections.abc import Iterable, Mapping
from typing import Any

import pulumi
from pulumi_aws import eks, iam

from nodepools.component.secrets import with_secrets
from nodepools.eks.cluster_context import ClusterContext
from nodepools.eks.iam_roles import pod_role
from nodepools.model.eks.access import AddOn
from nodepools.model.redaction import has_secret
from nodepools.wire.eks.add_ons import ADD_ON, POD_IDENTITY
from nodepools.wire.names import python_name
from nodepools.wire.writing import write

_AUDIENCE = "sts.amazonaws.com"


def give_pod_identities(site: ClusterContext, cluster: eks.Cluster) -> Mapping[str, pulumi.Input[str]]:
    """Associates roles with service accounts; Auto Mode includes the agent. Returns the ARN of each role."""
    roles: dict[str, pulumi.Input[str]] = {}
    for key, declared in site.args.pod_identities.items():
        target = site.scope.value(declared.target_role) if declared.target_role is not None else None
        role = pod_role(site, declared, "pod", key, target=target)
        roles[key] = role.arn
        eks.PodIdentityAssociation(
            site.scope.name("pod-identity", key),
            **write(POD_IDENTITY, declared, role.arn, spell=python_name, resolve=site.scope.value),  # type: ignore[arg-type]  # its arguments
            cluster_name=cluster.name,
            region=site.args.region,
            tags=dict(site.scope.tags),
            opts=site.scope.options(depends_on=role.policies),
        )
    return roles


def install_add_ons(site: ClusterContext, cluster: eks.Cluster, pools: Iterable[pulumi.Resource]) -> None:
    """Installs the declared add-ons, after the `pools` whose nodes they wait for, and after the roles of their pods."""
    hosts = list(pools)
    for name, declared in site.args.add_ons.items():
        roles = {account: pod_role(site, role, "add-on", name, account) for account, role in declared.pod_identity.items()}
        eks.Addon(
            site.scope.name("add-on", name),
            cluster_name=cluster.name,
            addon_name=name,
            **_arguments(site, declared, {account: role.arn for account, role in roles.items()}),
            region=site.args.region,
            tags=dict(site.scope.tags),
            opts=site.scope.options(depends_on=[*hosts, *(policy for role in roles.values() for policy in role.policies)]),
        )


def _arguments(site: ClusterContext, declared: AddOn, roles: Mapping[str, pulumi.Input[str]]) -> dict[str, Any]:
    """The configuration is one text: all of it is secret if it contains a secret."""
    made = write(ADD_ON, declared, roles, spell=python_name, resolve=site.scope.value)
    if has_secret(declared.configuration):
        made["configuration_values"] = pulumi.Output.secret(made["configuration_values"])
    return with_secrets(made)


def identity_provider(site: ClusterContext, issuer: pulumi.Output[str]) -> pulumi.Output[str | None]:
    """ARN of the identity provider that roles can trust, if it is declared."""
    if not site.args.oidc_provider:
        return pulumi.Output.from_input(None)
    made = iam.OpenIdConnectProvider(
        site.scope.name("oidc"), url=issuer, client_id_lists=[_AUDIENCE], tags=dict(site.scope.tags), opts=site.scope.options()
    )
    return made.arn.apply(lambda arn: arn)
