"""The kubeconfig of an EKS cluster. It logs in with the AWS CLI, so it contains no secret."""

import json


def kubeconfig(name: str, endpoint: str, authority: str, region: str, *, profile: str | None = None, role_arn: str | None = None) -> str:
    """A kubeconfig for one cluster as JSON, which is valid YAML.

    Args:
        name: name of the cluster.
        endpoint: URL of its API server.
        authority: its certificate authority, base64.
        region: AWS region of the cluster.
        profile: profile of the AWS configuration for the login (default: from the environment).
        role_arn: role to assume for the login.
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
