"""How to reach the cluster: with the AWS CLI as the log-in, so that there is no secret to keep or to renew."""

import json


def kubeconfig(name: str, endpoint: str, authority: str, region: str, *, profile: str | None = None, role_arn: str | None = None) -> str:
    """A kubeconfig for one cluster, as JSON, which is YAML too.

    Args:
        name: of the cluster.
        endpoint: URL of its API server.
        authority: its certificate authority, base64.
        region: where it stands.
        profile: profile of the AWS configuration to log in with; what the environment says when left out.
        role_arn: role to assume for the log-in.
    """
    arguments = ["eks", "get-token", "--cluster-name", name, "--region", region, "--output", "json"]
    arguments += ["--role-arn", role_arn] if role_arn is not None else []
    arguments += ["--profile", profile] if profile is not None else []
    login = {
        "apiVersion": "client.authentication.k8s.io/v1beta1",
        "command": "aws",
        "args": arguments,
        "interactiveMode": "Never",
        "installHint": "the AWS CLI is not on PATH: https://docs.aws.amazon.com/cli/latest/userguide/getting-started-install.html",
    }
    return json.dumps(
        {
            "apiVersion": "v1",
            "kind": "Config",
            "clusters": [{"name": name, "cluster": {"server": endpoint, "certificate-authority-data": authority}}],
            "contexts": [{"name": name, "context": {"cluster": name, "user": name}}],
            "current-context": name,
            "users": [{"name": name, "user": {"exec": login}}],
        }
    )
