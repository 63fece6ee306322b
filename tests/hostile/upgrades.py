"""Versions, manifests and calendar files of `upgrade` that cannot be used."""

from typing import Final

from tests.hostile.case import Case

_PLATFORM: Final = """name: dev
clusters:
  weu: {kind: AksCluster, location: westeurope, kubernetes_version: "1.35", system_pool: {vm_size: Standard_D4ds_v5, count: 2}}
"""
_FILES: Final = {"p.yaml": _PLATFORM}
_UPGRADE: Final = ("upgrade", "--file", "p.yaml")
_WRONG_PDB: Final = "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: a}\nspec: {minAvailable: 1, maxUnavailable: [2]}\n"

UPGRADES: Final = (
    Case("a version with a number that is too long", (*_UPGRADE, "--to", f"1.{'9' * 5000}"), 2, "error: `--to` must be a Kubernetes version", _FILES),
    Case("a version that is far away", (*_UPGRADE, "--to", "1.999"), 2, "error: `--to 1.999` is newer than the newest known versions", _FILES),
    Case(
        "a PodDisruptionBudget of another type",
        (*_UPGRADE, "--to", "1.36", "--workloads", "a.yaml", "--format", "json"),
        2,
        "PodDisruptionBudget/a",
        {**_FILES, "a.yaml": _WRONG_PDB},
        is_json=True,
    ),
    Case("a calendar file in a folder that does not exist", (*_UPGRADE, "--ics", "no/such/support.ics"), 2, "error: no/such/support.ics", _FILES),
)
