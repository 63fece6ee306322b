"""Outputs of a cluster that others need: identities, outbound addresses, names. Unknown in previews, and never `None`."""

import base64
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias, cast

import pulumi
import yaml
from pulumi_azure_native import containerservice

from nodepools.aks.after_creation import known_after_creation, text
from nodepools.aks.identity import Identities
from nodepools.component.scope import ChildScope
from nodepools.model.aks.cluster import AksClusterArgs

Cluster: TypeAlias = containerservice.ManagedCluster
_KUBELET = "kubeletidentity"
_ROUTING = "webAppRouting"
"""Key of the application routing add-on, which has a profile of its own."""


def cluster_principal(cluster: Cluster, identities: Identities) -> pulumi.Output[str]:
    """Object id of the identity of the cluster."""
    if identities.principal_id is not None:
        return pulumi.Output.from_input(identities.principal_id).apply(text)
    return known_after_creation(cluster, lambda created: cast("pulumi.Output[Any]", created.identity).apply(_principal))


def kubelet_ids(scope: ChildScope, args: AksClusterArgs, cluster: Cluster, identities: Identities) -> tuple[pulumi.Output[str], pulumi.Output[str]]:
    """Client id and object id of the identity of the nodes."""
    declared, created = args.kubelet_identity, identities.kubelet
    if created is not None:
        ids = (created.client_id, created.object_id)
    elif declared is not None and declared.client_id is not None and declared.object_id is not None:
        ids = (scope.value(declared.client_id), scope.value(declared.object_id))
    else:
        return _of_kubelets(cluster, "client_id"), _of_kubelets(cluster, "object_id")
    client, object_ = (pulumi.Output.from_input(cast("pulumi.Input[str]", one)).apply(text) for one in ids)
    return client, object_


def add_on_ids(cluster: Cluster, name: str) -> pulumi.Output[dict[str, str]]:
    """One id of the identity of each add-on that has one: `client_id` or `object_id`."""
    return known_after_creation(
        cluster,
        lambda created: created.addon_profiles.apply(
            lambda profiles: created.ingress_profile.apply(lambda ingress: dict(_of_add_ons(profiles, ingress, name)))
        ),
    )


def outbound_ids(cluster: Cluster) -> pulumi.Output[list[str]]:
    """Ids of the public IP addresses of outbound connections, of the load balancer or of a NAT gateway that AKS manages."""
    return known_after_creation(cluster, lambda created: created.network_profile.apply(lambda profile: list(_addresses(profile))))


def private_name(cluster: Cluster, *, private: bool) -> pulumi.Output[str]:
    """Name of a private API server in private DNS."""
    return cluster.private_fqdn.apply(text) if private else pulumi.Output.from_input("")


def _principal(identity: object) -> str:
    """That of the identity that AKS assigns, or of the user-assigned one."""
    if not isinstance(identity, Mapping):
        return ""
    held = cast("Mapping[str, object]", identity)
    assigned = held.get("userAssignedIdentities")
    entries = list(cast("Mapping[str, object]", assigned).values()) if isinstance(assigned, Mapping) else []
    mappings = [cast("Mapping[str, object]", one) for one in (held, *entries) if isinstance(one, Mapping)]
    return next((found for one in mappings if (found := text(one.get("principalId")))), "")


def _of_kubelets(cluster: Cluster, name: str) -> pulumi.Output[str]:
    return known_after_creation(
        cluster, lambda created: created.identity_profile.apply(lambda profile: text(getattr((profile or {}).get(_KUBELET), name, None)))
    )


def _of_add_ons(
    profiles: Mapping[str, containerservice.outputs.ManagedClusterAddonProfileResponse] | None,
    ingress: containerservice.outputs.ManagedClusterIngressProfileResponse | None,
    name: str,
) -> Iterator[tuple[str, str]]:
    identities: dict[str, object] = {add_on: profile.identity for add_on, profile in (profiles or {}).items()}
    if ingress is not None and ingress.web_app_routing is not None:
        identities[_ROUTING] = ingress.web_app_routing.identity
    for add_on, identity in identities.items():
        if found := text(getattr(identity, name, None)):
            yield add_on, found


def _addresses(profile: containerservice.outputs.ContainerServiceNetworkProfileResponse | None) -> Iterator[str]:
    if profile is None:
        return
    for gateway in (profile.load_balancer_profile, profile.nat_gateway_profile):
        effective: Iterable[object] = (gateway.effective_outbound_ips if gateway is not None else None) or ()
        yield from (text(getattr(address, "id", None)) for address in effective)


_LOGIN = ("--login", "-l")
NOWHERE = "apiVersion: v1\nkind: Config\nclusters: []\ncontexts: []\nusers: []\n"
"""A kubeconfig without clusters. With an empty text the provider would use the current cluster of the machine."""


def kubeconfig(scope: ChildScope, cluster: containerservice.ManagedCluster, resource_group: pulumi.Input[str]) -> pulumi.Output[str]:
    """The user kubeconfig, as a secret.

    The invoke depends on an output of the cluster, so that it runs after the cluster exists. That output is the name only: in the preview of
    an update all other outputs are unknown, and every in-cluster object would show as replaced.

    The result depends on the arguments in previews too. There the invoke of a new cluster has no result, and an unknown result loses what it
    depends on: `pulumi up --plan` would then reject the dependencies of the Kubernetes provider.
    """
    found = containerservice.list_managed_cluster_user_credentials_output(
        resource_group_name=resource_group,
        resource_name=cluster.name,
        format="exec",
        opts=pulumi.InvokeOutputOptions(parent=scope.parent, provider=scope.provider, depends_on=[cluster]),
    )
    with_arguments = pulumi.Output.all(found, resource_group, cluster.name)
    return pulumi.Output.secret(with_arguments.apply(lambda known: _first_kubeconfig(known[0])))


def _first_kubeconfig(credentials: containerservice.ListManagedClusterUserCredentialsResult) -> str:
    """The only kubeconfig of the response; one without clusters if Pulumi mocks return none."""
    answered = cast("Sequence[containerservice.outputs.CredentialResultResponse] | None", credentials.kubeconfigs)
    return environment_logs_in(base64.b64decode(answered[0].value).decode()) if answered else NOWHERE


def environment_logs_in(text: str) -> str:
    """A kubeconfig whose `kubelogin` reads its login method from the environment (`AAD_LOGIN_METHOD`) instead of an argument.

    AKS writes `--login devicecode`, which waits for a user with a browser. A kubeconfig without exec, as clusters without
    Entra ID have it, is returned unchanged.
    """
    config = cast("dict[str, object]", yaml.safe_load(text))
    users = cast("Sequence[dict[str, dict[str, object]]]", config.get("users") or ())
    commands = [cast("dict[str, object]", user["user"]["exec"]) for user in users if "exec" in user["user"]]
    if not commands:
        return text
    for command in commands:
        command["args"] = list(_without_login(cast("Sequence[str]", command.get("args") or ())))
    return yaml.safe_dump(config, sort_keys=False)


def _without_login(arguments: Sequence[str]) -> Iterator[str]:
    left = iter(arguments)
    for argument in left:
        if argument in _LOGIN:
            next(left, None)
        elif not argument.startswith("--login="):
            yield argument
