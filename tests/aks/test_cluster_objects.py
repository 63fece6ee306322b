"""What is applied inside a cluster, and in which order it comes and goes."""

import subprocess
import sys
from itertools import pairwise

import pytest

from nodepools import AksNodeClass, AksNodePool, GpuPool, NodeProvisioning, Timeouts

PROVISIONED = {
    "node_provisioning": NodeProvisioning(
        node_classes={"big": AksNodeClass(os_disk_size_gb=256)},
        node_pools={"general": AksNodePool(), "batch": AksNodePool(node_class="big", timeouts=Timeouts(delete="2h"))},
    )
}
GPU = {"pools": {"gpu": GpuPool(vm_size="Standard_NC24ads_A100_v4")}}


def test_objects_go_through_a_provider_of_the_clusters_own_kubeconfig(deploy, preview):
    graph = deploy(**PROVISIONED, preview=preview)
    provider = graph.one("kubernetes/dev-weu-kubernetes")
    assert provider.depends_on("ManagedCluster/dev-weu")
    for made in [*graph.all("NodePool"), *graph.all("AKSNodeClass")]:
        assert made.provider is provider
        assert made.parent.display_name == "AksCluster/dev-weu"


def test_the_kubeconfig_is_a_secret_of_the_provider(deploy):
    assert deploy(**PROVISIONED).one("kubernetes/dev-weu-kubernetes").secret("kubeconfig")


def test_a_pool_names_its_class_by_the_class_itself(deploy, preview):
    graph = deploy(**PROVISIONED, preview=preview)
    assert graph.one("NodePool/dev-weu-batch").depends_on("AKSNodeClass/dev-weu-big")
    assert graph.one("NodePool/dev-weu-batch").inputs["spec"]["template"]["spec"]["nodeClassRef"]["name"] == "big"


def test_a_pool_without_a_class_has_the_built_in_one(deploy):
    pool = deploy(**PROVISIONED).one("NodePool/dev-weu-general")
    assert pool.inputs["spec"]["template"]["spec"]["nodeClassRef"]["name"] == "default"
    assert not pool.depends_on("AKSNodeClass/dev-weu-big")


@pytest.mark.parametrize("object_", ["AKSNodeClass/dev-weu-big", "NodePool/dev-weu-general", "NodePool/dev-weu-batch"])
@pytest.mark.parametrize("need", ["ManagedCluster/dev-weu", "RoleAssignment/dev-weu-network", "RoleAssignment/dev-weu-admin-????"])
def test_objects_depend_on_the_cluster_and_on_every_right_that_they_need(provisioned, object_, need):
    assert provisioned.one(object_).depends_on(provisioned.one(need))


@pytest.fixture(scope="module")
def provisioned():
    """One cluster with node auto provisioning, for questions only."""
    from nodepools import AksClusterArgs, SystemPool, testing
    from nodepools.aks.cluster import AksCluster

    args = AksClusterArgs(
        location="westeurope", kubernetes_version="1.35", system_pool=SystemPool(vm_size="Standard_D4ds_v5", count=3), **PROVISIONED
    )
    return testing.run(lambda: AksCluster("dev-weu", args))


GOES = ["NodePool/*-batch", "AKSNodeClass", "RoleAssignment/*-admin-*", "ManagedCluster", "RoleAssignment/*-network", "VirtualNetwork"]


@pytest.mark.parametrize(("first", "then"), list(pairwise(GOES)))
def test_a_destroy_keeps_what_nodes_need_until_they_are_gone(provisioned, first, then):
    assert provisioned.deletes(first).before(then)
    assert provisioned.creates(first).after(then)


def test_the_network_goes_last_but_for_its_group(provisioned):
    assert provisioned.deletes("Subnet").before("VirtualNetwork")
    assert provisioned.waves().deletes[-1] == {"ResourceGroup/dev-weu"}


def test_pulumi_waits_as_long_as_declared(provisioned):
    assert provisioned.one("NodePool/dev-weu-batch").timeouts["delete"] == "2h"
    assert provisioned.one("AKSNodeClass").timeouts["delete"] == "60m"


def test_objects_that_hold_nodes_are_never_left_to_go_with_the_cluster(provisioned):
    assert all("deletedWith" not in node.options for node in [*provisioned.all("NodePool"), *provisioned.all("AKSNodeClass")])


def test_gpu_pools_bring_the_device_plugin(deploy):
    plugin = deploy(**GPU).one("DaemonSet/dev-weu-nvidia-device-plugin")
    assert plugin.depends_on("ManagedCluster/dev-weu")
    assert plugin.options["deletedWith"].endswith("ManagedCluster::dev-weu")
    tolerated = plugin.inputs["spec"]["template"]["spec"]["tolerations"]
    assert {"key": "sku", "operator": "Exists"} in tolerated


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param({}, id="nothing is declared"),
        pytest.param({"node_provisioning": NodeProvisioning()}, id="only what Azure makes itself"),
        pytest.param({**PROVISIONED, **GPU, "apply": "render"}, id="it is rendered for others to apply"),
        pytest.param({**GPU, "device_plugin": None}, id="someone else brings the device plugin"),
    ],
)
def test_no_object_and_no_provider_is_registered_where(deploy, fields):
    types = {node.type for node in deploy(**fields)}
    assert not [type_ for type_ in types if "kubernetes" in type_]


@pytest.mark.program
def test_the_kubernetes_sdk_is_imported_only_where_it_is_needed():
    program = """
import sys
from itertools import pairwise
from nodepools import AksClusterArgs, SystemPool, testing
from nodepools.aks.cluster import AksCluster
args = AksClusterArgs(location="westeurope", kubernetes_version="1.35", system_pool=SystemPool(vm_size="Standard_D4ds_v5", count=3))
testing.run(lambda: AksCluster("dev-weu", args))
sys.exit("pulumi_kubernetes" in sys.modules)
"""
    subprocess.run([sys.executable, "-c", program], check=True)
