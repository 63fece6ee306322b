"""The kubeconfig of an AKS cluster, which works on a laptop and in CI."""

import base64
from collections.abc import Iterator, Sequence
from typing import cast

import pulumi
import yaml
from pulumi_azure_native import containerservice

from nodepools.component.scope import ChildScope

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
    return pulumi.Output.secret(with_arguments.apply(lambda known: _first(known[0])))


def _first(credentials: containerservice.ListManagedClusterUserCredentialsResult) -> str:
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
