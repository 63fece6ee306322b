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
)
