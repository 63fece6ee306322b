"""What the autoscaler's priority expander reads."""

from nodepools import Autoscale, UserPool
from nodepools.aks import AutoscalerProfile
from nodepools.clouds.aks.device_plugin import priority_config_map
from nodepools.wire.aks.generation import pool_name

SIZE = "Standard_D4ds_v5"
POOL = UserPool(vm_size=SIZE, scale=Autoscale(0, 5))
PROFILE = AutoscalerProfile(expander="priority", priorities={10: ["web", "system"], 50: ["batch"]})


def test_the_highest_comes_first_and_pools_by_their_names_in_azure(declare):
    args = declare(pools={"web": POOL, "batch": POOL}, autoscaler=PROFILE)
    made = priority_config_map(args, args.priorities)
    assert made["metadata"] == {"name": "cluster-autoscaler-priority-expander", "namespace": "kube-system"}
    web, batch = pool_name(args, "web"), pool_name(args, "batch")
    assert made["data"] == {"priorities": f"50:\n  - ^aks-{batch}-.*\n10:\n  - ^aks-{web}-.*\n  - ^aks-system-.*\n"}


def test_it_is_applied_after_the_cluster_and_may_go_with_it(deploy):
    made = deploy(pools={"web": POOL, "batch": POOL}, autoscaler=PROFILE).one("ConfigMap")
    assert made.depends_on("ManagedCluster/dev-weu")
    assert made.options["deletedWith"].endswith("ManagedCluster::dev-weu")


def test_nothing_is_applied_without_priorities(deploy):
    assert not deploy(pools={"web": POOL}, autoscaler=AutoscalerProfile(expander="random")).all("ConfigMap")
