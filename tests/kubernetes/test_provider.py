"""What a cluster of AKS renders is what is applied to it; that of EKS is in tests/eks/test_objects.py, with its references."""

import json
import subprocess
import sys

import pytest
import yaml

from nodepools import (
    AksCluster,
    AksClusterArgs,
    AksNodeClass,
    AksNodePool,
    Autoscale,
    GpuPool,
    Headroom,
    NodeProvisioning,
    StackOutput,
    SystemPool,
    UserPool,
    keys,
    testing,
)

SUBNET = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/v/subnets/n"
STACKS = {"acme/net/prod": {"subnet": SUBNET}}


@pytest.fixture
def rendered():
    def asked(apply):
        classes = {"big": AksNodeClass(vnet_subnet_id=StackOutput("acme/net/prod", "subnet"))}
        pool = AksNodePool(node_class="big", requirements=[keys.aks.arch.one_of("amd64"), keys.aks.capacity_type.one_of("on-demand")])
        args = AksClusterArgs(
            location="westeurope",
            kubernetes_version="1.36",
            system_pool=SystemPool(vm_size="Standard_D4ds_v5", count=2),
            pools={
                "train": GpuPool(vm_size="Standard_NC24ads_A100_v4", count=1),
                "web": UserPool(vm_size="Standard_D4ds_v5", scale=Autoscale(1, 3), headroom=Headroom(2, {"cpu": "1"})),
            },
            node_provisioning=NodeProvisioning(node_classes=classes, node_pools={"general": pool}),
            apply=apply,
        )
        texts = []
        graph = testing.run(lambda: AksCluster("dev-weu", args).render().apply(texts.append), stacks=STACKS)
        return list(yaml.safe_load_all(texts[0])), [dict(made.inputs) for made in graph if made.type.startswith("kubernetes:")]

    return asked


def in_order(objects):
    return sorted(json.dumps(one, sort_keys=True) for one in objects)


def test_what_a_cluster_renders_is_what_is_applied(rendered):
    objects, applied = rendered("direct")
    assert {made["kind"] for made in objects} >= {"AKSNodeClass", "NodePool", "PriorityClass", "Deployment"}
    assert in_order(objects) == in_order(applied)


def test_a_cluster_that_leaves_its_objects_to_others_renders_the_same_and_registers_none(rendered):
    objects, applied = rendered("render")
    assert applied == []
    assert in_order(objects) == in_order(rendered("direct")[0])


def test_what_threads_need_is_loaded_with_the_module():
    """Pulumi reads the types of an object when it sends it. A thread that finds a module of the SDK half loaded then fails (seen with ten stacks)."""
    program = """
import sys
import nodepools.kubernetes.provider
names = ("pulumi_kubernetes.meta", "pulumi_kubernetes.meta.v1")
print(*(object.__getattribute__(sys.modules[name], "__class__").__name__ for name in names))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["module", "module"]
