"""Agent pools that others manage: labels, zones and room as AKS has them."""

from dataclasses import replace
from typing import Any

import pytest

from nodepools.clouds.aks.existing import clusters_of, exports
from nodepools.clouds.aks.existing_agent_pools import ExistingAgentPool, read_agent_pools
from nodepools.model.kubernetes.label import Taint
from nodepools.placement.explain import Explainer
from nodepools.placement.node_pools import ClusterPools
from nodepools.placement.workloads.reader import read_workloads
from tests.adoption.existing import cluster, pool
from tests.placement.conftest import pod

WEB = ExistingAgentPool(
    name="web",
    cluster="shop",
    vm_sizes=("Standard_D4s_v5",),
    count=3,
    least=3,
    most=3,
    version="1.34.2",
    labels={"tier": "web"},
    max_pods=110,
    disk_gib=128,
)
ZONAL = replace(WEB, zones=("1", "2"))
EMPTY = replace(WEB, count=0, least=0, most=0)
SEVERAL_SIZES = replace(WEB, vm_sizes=("Standard_D4s_v5", "Standard_D8s_v5"))
TWO_ARCHITECTURES = replace(WEB, vm_sizes=("Standard_D4s_v5", "Standard_D4ps_v5"))
ONE_NEW_SIZE = replace(WEB, vm_sizes=("Standard_D4s_v5", "Standard_New"))
LOWER_CASE = replace(WEB, vm_sizes=("standard_d4s_v5",))
ANY_SIZE = replace(WEB, vm_sizes=())
GPU = replace(WEB, vm_sizes=("Standard_NC24ads_A100_v4",))
TYPE = "node.kubernetes.io/instance-type"
OLD = replace(WEB, version="", max_pods=None, disk_gib=None)


def selects(key: str, value: str) -> dict[str, Any]:
    return pod(nodeSelector={key: value})


ROWS = [
    pytest.param(WEB, pod(), "fits", id="a pod that asks for nothing"),
    pytest.param(WEB, selects("tier", "web"), "fits", id="a label of the pool"),
    pytest.param(WEB, selects("tier", "api"), "cannot", id="another value of it"),
    pytest.param(WEB, selects("agentpool", "web"), "fits", id="the pool by name"),
    pytest.param(WEB, selects("kubernetes.azure.com/mode", "system"), "cannot", id="another mode"),
    pytest.param(WEB, selects("kubernetes.azure.com/os-sku", "Ubuntu"), "fits", id="its image"),
    pytest.param(WEB, selects("topology.kubernetes.io/region", "westeurope"), "fits", id="its region"),
    pytest.param(WEB, selects("topology.kubernetes.io/zone", "0"), "unknown", id="one of the fault domains of a pool without zones"),
    pytest.param(ZONAL, selects("topology.kubernetes.io/zone", "westeurope-2"), "unknown", id="one of its zones"),
    pytest.param(ZONAL, selects("topology.kubernetes.io/zone", "westeurope-3"), "cannot", id="another zone"),
    pytest.param(replace(WEB, taints=(Taint("team", "a", "NoSchedule"),)), pod(), "cannot", id="a taint"),
    pytest.param(WEB, pod(cpu="3"), "fits", id="what AKS leaves of four CPUs"),
    pytest.param(WEB, pod(cpu="5"), "cannot", id="more than the size has"),
    pytest.param(OLD, pod(memory="8Gi"), "fits", id="what any version leaves"),
    pytest.param(SEVERAL_SIZES, pod(cpu="3"), "fits", id="what a node of each of two sizes has"),
    pytest.param(SEVERAL_SIZES, pod(cpu="6"), "unknown", id="what a node of one of two sizes has"),
    pytest.param(SEVERAL_SIZES, pod(cpu="9"), "cannot", id="what no node of two sizes has"),
    pytest.param(SEVERAL_SIZES, selects(TYPE, "Standard_D8s_v5"), "unknown", id="one of two sizes"),
    pytest.param(SEVERAL_SIZES, selects(TYPE, "Standard_D16s_v5"), "cannot", id="none of two sizes"),
    pytest.param(LOWER_CASE, selects(TYPE, "Standard_D4s_v5"), "unknown", id="the size in Azure's spelling"),
    pytest.param(LOWER_CASE, selects(TYPE, "Standard_E8s_v5"), "cannot", id="another size than that in lower case"),
    pytest.param(SEVERAL_SIZES, selects("kubernetes.io/arch", "amd64"), "fits", id="the architecture of both sizes"),
    pytest.param(SEVERAL_SIZES, selects("kubernetes.io/arch", "arm64"), "cannot", id="the architecture of none of them"),
    pytest.param(TWO_ARCHITECTURES, selects("kubernetes.io/arch", "arm64"), "unknown", id="the architecture of one of them"),
    pytest.param(ONE_NEW_SIZE, pod(cpu="64"), "unknown", id="a size that no table has, next to a known one"),
    pytest.param(ONE_NEW_SIZE, selects("kubernetes.io/arch", "arm64"), "unknown", id="the architecture of a size that no table has"),
    pytest.param(ANY_SIZE, pod(cpu="64"), "unknown", id="sizes that the export does not contain"),
    pytest.param(ANY_SIZE, selects(TYPE, "Standard_D8s_v5"), "unknown", id="one of them by name"),
    pytest.param(ANY_SIZE, selects("beta.kubernetes.io/arch", "arm64"), "unknown", id="the architecture of one of them"),
    pytest.param(replace(EMPTY, is_counted=False), pod(), "fits", id="a pool with an unknown number of nodes, which `explain` reports"),
    pytest.param(WEB, pod(gpu="1"), "cannot", id="a GPU without one"),
    pytest.param(GPU, pod(gpu="1"), "unknown", id="a GPU, which needs a device plug-in"),
    pytest.param(EMPTY, pod(), "cannot", id="a pool without nodes"),
]


@pytest.mark.parametrize(("found", "raw", "verdict"), ROWS)
def test_a_pod_on_an_agent_pool(found: ExistingAgentPool, raw: dict[str, Any], verdict: str) -> None:
    [workload] = read_workloads(raw)
    [judged] = Explainer(ClusterPools(None, (found.nodes("westeurope"),))).answer(workload).pools
    assert judged.verdict.value == verdict, judged.reasons


@pytest.mark.parametrize("key", ["topology.kubernetes.io/zone", "topology.kubernetes.io/region", "failure-domain.beta.kubernetes.io/zone"])
def test_places_of_a_cluster_whose_region_is_not_in_the_input_are_unknown(key: str) -> None:
    [workload] = read_workloads(selects(key, "westeurope-1"))
    assert Explainer(ClusterPools(None, (ZONAL.nodes(None),))).answer(workload).verdict.value == "unknown"


@pytest.mark.parametrize(
    ("found", "why"),
    [
        pytest.param(EMPTY, None, id="a pool that has no node, which is certain"),
        pytest.param(replace(WEB, state="Deleting"), "the agent pool is being deleted in the export", id="a pool that goes"),
        pytest.param(replace(EMPTY, is_counted=False), "how many nodes it can have is not in the export", id="a pool with unknown nodes"),
    ],
)
def test_why_a_node_is_not_certain(found: ExistingAgentPool, why: str | None) -> None:
    assert found.why_unsure == why


@pytest.mark.parametrize(
    ("written", "stopped"),
    [
        pytest.param({"code": "Stopped"}, True, id="as az prints it"),
        pytest.param("Stopped", True, id="the code alone, as queries print it"),
        pytest.param("Running", False, id="a pool that runs"),
        pytest.param(None, False, id="not exported"),
    ],
)
def test_the_power_state(written: object, *, stopped: bool) -> None:
    [found] = read_agent_pools(exports([pool("web", powerState=written)], "o.json"), pytest.fail)
    assert (found.is_stopped, found.count) == (stopped, 0 if stopped else 3)


@pytest.mark.parametrize("listed", [["web", "jobs"], ["web"], ["jobs"], []], ids=["all", "one", "the other", "none"])
def test_a_pool_that_only_its_cluster_shows_is_there(listed: list[str]) -> None:
    shown = cluster(
        agentPoolProfiles=[{"name": name, "mode": "User", "osType": "Linux", "type": "VirtualMachineScaleSets"} for name in ("web", "jobs")]
    )
    pools = [pool(name) for name in listed]
    [existing], wrong = clusters_of(one for written in (shown, pools) for one in exports(written, "o.json"))
    missing = [name for name in ("web", "jobs") if listed and name not in listed]
    again = "which the list of pools lacks: export `az aks show` and `az aks nodepool list` again"
    assert wrong == [f"o.json: shows the pool `{name}`, {again}" for name in missing]
    assert existing.pools.keys() == {"web", "jobs"}
