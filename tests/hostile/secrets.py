"""Secrets in the wrong place: the answer names the place, and not the secret."""

from typing import Final

from tests.hostile.case import Case

_PLATFORM: Final = """
name: dev
clusters:
  weu:
    kind: AksCluster
    location: westeurope
    kubernetes_version: "1.35"
    system_pool: {vm_size: Standard_D4ds_v5, count: 2}
    windows_profile: {admin_pasword: correct-horse}
    overrides: {service_principal_profile: {secret: correct-horse}}
"""
_NODE: Final = "kind: Node\nmetadata: {name: node}\n"
_BROKEN_POD: Final = "kind: Pod\nmetadata: {name: web}\nspec: {containers: [{env: [{value: correct-horse}], resources: 1}]}\n"

SECRETS: Final = (
    Case(
        "a secret under a name with a typing error is not printed",
        ("check", "--file", "platform.yaml"),
        1,
        "admin_pasword: [secret]",
        {"platform.yaml": _PLATFORM},
        hidden="correct-horse",
    ),
    Case(
        "a secret is marked in JSON",
        ("check", "--file", "platform.yaml", "--format", "json"),
        1,
        '"$secret": true',
        {"platform.yaml": _PLATFORM},
        hidden="correct-horse",
        is_json=True,
    ),
    Case(
        "a secret of a running pod that is not valid is not printed",
        ("explain", "pod.yaml", "--existing", "node.yaml", "--existing", "cluster.yaml"),
        2,
        "Pod/web",
        {
            "pod.yaml": "kind: Pod\nmetadata: {name: web}\nspec: {}\n",
            "node.yaml": _NODE,
            "cluster.yaml": f"{_NODE}---\n{_BROKEN_POD}",
        },
        hidden="correct-horse",
    ),
    Case(
        "a program that prints its configuration and what it marked as secret",
        ("preview", "--stack", "dev"),
        2,
        "[secret]",
        {
            "Pulumi.yaml": "name: p\nruntime: python\n",
            "Pulumi.dev.yaml": "config: {p:token: correct-horse-1}\n",
            "__main__.py": (
                "import pulumi\ntoken = pulumi.Config().require('token')\npulumi.log.info(token)\n"
                "pulumi.export('marked', pulumi.Output.secret('correct-horse-2'))\npulumi.log.warn('correct-horse-2')\n"
                "pulumi.export('url', f'http://ops:{token}@host')\nraise ValueError(token)\n"
            ),
        },
        hidden="correct-horse",
    ),
)
