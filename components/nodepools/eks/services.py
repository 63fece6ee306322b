"""What of EKS and IAM is set up beside a cluster: pod identities, add-ons, the identity provider of its service accounts."""

import json
from collections.abc import Iterable

import pulumi
from pulumi_aws import eks, iam

from nodepools.eks.site import Site
from nodepools.model.base import plain

_AUDIENCE = "sts.amazonaws.com"


def give_pod_identities(site: Site, cluster: eks.Cluster) -> None:
    """Associates the roles with the service accounts; Auto Mode brings the agent."""
    for key, declared in site.args.pod_identities.items():
        eks.PodIdentityAssociation(
            site.scope.name("pod-identity", key),
            cluster_name=cluster.name,
            namespace=declared.namespace,
            service_account=declared.service_account,
            role_arn=site.scope.value(declared.role),
            target_role_arn=site.scope.value(declared.target_role) if declared.target_role is not None else None,
            region=site.args.region,
            tags=dict(site.scope.tags),
            opts=site.scope.options(),
        )


def install_add_ons(site: Site, cluster: eks.Cluster, pools: Iterable[pulumi.Resource]) -> None:
    """Installs the declared add-ons, after the `pools` whose nodes they wait for."""
    hosts = list(pools)
    for name, declared in site.args.add_ons.items():
        eks.Addon(
            site.scope.name("add-on", name),
            cluster_name=cluster.name,
            addon_name=name,
            addon_version=declared.version,
            configuration_values=json.dumps(plain(declared.configuration)) if declared.configuration else None,
            service_account_role_arn=site.scope.value(declared.role) if declared.role is not None else None,
            preserve=declared.keep,
            resolve_conflicts_on_create="OVERWRITE",
            resolve_conflicts_on_update="OVERWRITE",
            region=site.args.region,
            tags=dict(site.scope.tags),
            opts=site.scope.options(depends_on=hosts),
        )


def identity_provider(site: Site, issuer: pulumi.Output[str]) -> pulumi.Output[str | None]:
    """ARN of the provider that roles can trust, where one is asked for."""
    if not site.args.oidc_provider:
        return pulumi.Output.from_input(None)
    made = iam.OpenIdConnectProvider(
        site.scope.name("oidc"), url=issuer, client_id_lists=[_AUDIENCE], tags=dict(site.scope.tags), opts=site.scope.options()
    )
    return made.arn.apply(lambda arn: arn)
