"""Inputs without an end, and inputs that are small as text and large as values."""

import os
from pathlib import Path
from typing import Final

from tests.hostile.case import Case
from tests.hostile.render import RENDER
from tests.kubectl_nodes import kubectl_nodes

_PLATFORM: Final = "name: dev\nclusters: {}\n"
_CLUSTER: Final = """name: dev
clusters:
  weu: {kind: AksCluster, location: westeurope, kubernetes_version: "1.35", system_pool: {vm_size: Standard_D4ds_v5, count: 2}}
"""
_BOMB: Final = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{level}: &a{level} [{', '.join([f'*a{level - 1}'] * 10)}]\n" for level in range(1, 9)
)
_MERGES: Final = f"base: &base {{{', '.join(f'k{number}: 1' for number in range(20_000))}}}\nall:\n" + "- {<<: *base}\n" * 20_000
"""Each mapping merges the same 20,000 keys: 400 million entries."""


def _project(config: str, project: str = "") -> dict[str, str]:
    return {"Pulumi.yaml": f"name: shop\nruntime: python\n{project}", "__main__.py": "", "Pulumi.dev.yaml": config}


def _pipe_without_writer(folder: Path) -> None:
    os.mkfifo(folder / "pipe.yaml")


def _sparse(folder: Path) -> None:
    with (folder / "large.yaml").open("wb") as file:
        file.truncate(100 * 1024**3)


def _nodes(folder: Path) -> None:
    with (folder / "nodes.yaml").open("w") as file:
        file.writelines(kubectl_nodes(1000, 50, "yaml"))


BOUNDS: Final = (
    Case(
        "1,000 nodes with 50 images each are the pools of a pod",
        ("explain", "pod.yaml", "--existing", "nodes.yaml", "--pool", "aks-pool3-28345671-vmss000003"),
        0,
        "? aks-pool3-28345671-vmss000003",
        {"pod.yaml": "kind: Pod\nmetadata: {name: web}\nspec: {nodeSelector: {agentpool: pool3}, containers: [{name: web}]}\n"},
        prepare=_nodes,
        seconds=20,
        megabytes=200,
    ),
    Case("a device is not a platform", ("check", "--file", "/dev/zero"), 2, "/dev/zero: is a device, not a file", megabytes=200),
    Case("a device has no pools", ("explain", "pod.yaml", "--existing", "/dev/zero"), 2, "/dev/zero: is a device, not a file", megabytes=200),
    Case(
        "a running cluster of aliases that repeat aliases",
        ("explain", "pod.yaml", "--existing", "node.yaml", "--existing", "cluster.yaml"),
        2,
        "has more than 2,000,000 values once aliases are expanded",
        {
            "pod.yaml": "kind: Pod\nmetadata: {name: web}\nspec: {}\n",
            "node.yaml": "kind: Node\nmetadata: {name: node}\n",
            "cluster.yaml": f"kind: Pod\n{_BOMB}spec: *a8\n",
        },
        megabytes=200,
    ),
    Case(
        "a StatefulSet of 2 billion pods with a volume each",
        ("explain", "set.yaml", "--existing", "node.yaml"),
        1,
        "web (StatefulSet ×2,147,483,647): up to 30 of 2,147,483,647 are scheduled",
        {
            "set.yaml": "kind: StatefulSet\nmetadata: {name: web}\nspec:\n  replicas: 2147483647\n"
            "  volumeClaimTemplates: [{metadata: {name: data}}]\n  template: {spec: {containers: [{name: web}]}}\n"
            "---\nkind: PersistentVolumeClaim\nmetadata: {name: data-web-2147483645}\n",
            "node.yaml": "kind: Node\nmetadata: {name: node}\nstatus: {allocatable: {cpu: 2, pods: 30}}\n",
        },
        megabytes=200,
    ),
    Case(
        "a platform of 100 GiB is not read",
        ("check", "--file", "large.yaml"),
        2,
        "error: large.yaml: is larger than 32 MiB; the environment variable `NODEPOOLS_MAX_MIB` raises the limit",
        prepare=_sparse,
        megabytes=200,
    ),
    Case(
        "a pipe without a writer is not waited for without an end",
        ("check", "--file", "pipe.yaml"),
        2,
        "error: pipe.yaml: cannot be read within 1 s; the environment variable `NODEPOOLS_MAX_SECONDS` raises the limit",
        environment={"NODEPOOLS_MAX_SECONDS": "1"},
        prepare=_pipe_without_writer,
        megabytes=200,
    ),
    Case(
        "aliases that repeat aliases in the configuration of a stack",
        ("preview", "--stack", "dev"),
        2,
        "has more than 500,000 values once aliases are expanded; the environment variable `NODEPOOLS_MAX_VALUES` raises the limit",
        _project(f"{_BOMB}config:\n  all: *a8\n"),
        megabytes=200,
    ),
    Case(
        "lists in lists in the project file",
        ("preview", "--stack", "dev"),
        2,
        "is nested too deeply: more than 100 levels; the environment variable `NODEPOOLS_MAX_DEPTH` raises the limit",
        _project("", f"main: {'[' * 100_000}"),
        megabytes=200,
    ),
    Case(
        "mappings that merge a large one again and again",
        ("check", "--file", "merges.yaml"),
        2,
        "has more than 500,000 values",
        {"merges.yaml": _MERGES},
        megabytes=200,
    ),
    Case(
        "a limit that is not a number",
        ("check", "--file", "platform.yaml"),
        2,
        "error: the environment variable `NODEPOOLS_MAX_VALUES` must be a whole number from 1 to 1000000000, not `many`",
        {"platform.yaml": _PLATFORM},
        {"NODEPOOLS_MAX_VALUES": "many"},
    ),
    Case(
        "settings that are nested without an end",
        ("check", "--file", "platform.yaml"),
        2,
        "pyproject.toml: is not valid TOML",
        {"platform.yaml": _PLATFORM, "pyproject.toml": f"[tool.nodepools]\nselect = {'[' * 100_000}"},
    ),
    Case(
        "usage of Azure with numbers that are none",
        ("capacity", "--file", "platform.yaml", "--existing", "usage", "--format", "json"),
        2,
        "`limit` of `cores",
        {
            "platform.yaml": _CLUSTER,
            "usage/a.json": '[{"name": {"value": "cores\\u001b[31m"}, "limit": "1e999", "currentValue": "0"}]',
            "usage/b.json": '{"Quotas": [{"QuotaCode": "L-1216C47A", "QuotaArn": "a:b:c:d:e:f", "Value": .nan}]}',
            "usage/c.json": "[" * 100_000,
            "usage/d.json": '{"items": [null, 1, {"kind": "Node", "metadata": [], "spec": "x", "status": {"capacity": {"cpu": "1e400"}}}]}',
        },
        is_json=True,
    ),
    Case(
        "an export that is a device",
        ("capacity", "--file", "platform.yaml", "--existing", "/dev/zero"),
        2,
        "/dev/zero: is a device, not a file",
        {"platform.yaml": _CLUSTER},
        megabytes=200,
    ),
    Case(
        "subnets that repeat aliases",
        ("capacity", "--file", "platform.yaml", "--existing", "subnets.yaml"),
        2,
        "has more than 500,000 values once aliases are expanded",
        {"platform.yaml": _CLUSTER, "subnets.yaml": f"{_BOMB}Subnets: *a8\n"},
        megabytes=200,
    ),
    *RENDER,
)
