"""Agent pools of others on the command line, in what `az` prints next to a declared cluster."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Answer, Run

CLUSTER = "/subscriptions/0/resourceGroups/dev-weu/providers/Microsoft.ContainerService/managedClusters"
PLATFORM = """name: dev
clusters:
  weu: {kind: AksCluster, location: westeurope, kubernetes_version: '1.35', system_pool: {kind: SystemPool, vm_size: Standard_D2ds_v5, count: 2}}
"""
Counted = Callable[..., Answer]


@pytest.fixture
def counted(nodepools: Run, tmp_path: Path) -> Counted:
    """Runs `capacity` with exports, given by the names of their files."""
    (tmp_path / "p.yaml").write_text(PLATFORM)

    def run(**exports: object) -> Answer:
        for name, value in exports.items():
            (tmp_path / f"{name}.json").write_text(json.dumps(value))
        options = [part for name in exports for part in ("--existing", f"{name}.json")]
        return nodepools("capacity", "--file", "p.yaml", "--format", "json", *options, cwd=tmp_path)

    return run


def agent_pool(name: str = "blue", cluster: str = "dev-weu", **fields: Any) -> dict[str, Any]:
    own = {"id": f"{CLUSTER}/{cluster}/agentPools/{name}", "name": name, "vmSize": "Standard_D2ds_v5", "count": 3, "mode": "User"}
    return {**own, **fields}


def cores(answer: Answer) -> int:
    items = answer.json["clusters"][0]["items"]
    [found] = [one for one in items if (one["what"], one["name"], one["checked_by"]) == ("vcpus", "cores in westeurope", "server")]
    return int(found["needed"])


def test_they_are_counted(counted: Counted) -> None:
    assert cores(counted(pools=[agent_pool()])) == cores(counted()) + 6


def test_a_cluster_shows_them_too_and_each_is_one(counted: Counted) -> None:
    shown = {"id": f"{CLUSTER}/dev-weu", "name": "dev-weu", "agentPoolProfiles": [{**agent_pool(), "type": "VirtualMachineScaleSets"}, 7]}
    assert cores(counted(cluster=shown)) == cores(counted(cluster=shown, pools=[agent_pool()])) == cores(counted(pools=[agent_pool()]))


def test_one_that_cannot_be_read_hides_no_other(counted: Counted) -> None:
    answer = counted(pools=[agent_pool(), agent_pool("bad", count="x")])
    assert "pools.json: agent pool `bad`: `count` must be a whole number, but is `'x'`" in answer.err
    assert (answer.status, cores(answer)) == (2, cores(counted(pools=[agent_pool()])))


def test_what_is_said(counted: Counted) -> None:
    assert "not counted" not in counted(pools=[agent_pool()]).err
    other = counted(pools=[agent_pool(cluster="shop")])
    assert (other.status, "managedClusters/shop` is not a cluster that is declared here: what the exports say of it is not used" in other.err) == (
        2,
        True,
    )
    both = counted(pools=[agent_pool(), agent_pool(cluster="shop")])
    assert (both.status, cores(both)) == (2, cores(counted(pools=[agent_pool()])))
    uncounted = agent_pool(vmSize=None, typePropertiesType="VirtualMachines")
    assert "agent pool `blue`: the export does not contain how many nodes can exist" in counted(pools=[uncounted]).err


def test_upgrade_says_it_once(nodepools: Run, tmp_path: Path) -> None:
    (tmp_path / "p.yaml").write_text(PLATFORM)
    (tmp_path / "pools.json").write_text(json.dumps([agent_pool(), agent_pool("bad", count="x")]))
    answer = nodepools("upgrade", "--to", "1.36", "--today", "2026-11-22", "--file", "p.yaml", "--existing", "pools.json", cwd=tmp_path)
    assert answer.err.count("agent pool `bad`") == 1
    assert "pool `blue (not declared)`" in answer.out
