"""What a program puts into its clusters with `kubeconfig`: after the pools, deleted before them, and never replaced by an edit of a pool."""

from itertools import product

from tests.pulumi.prerequisites import AT_ONCE

PROGRAM = (
    AT_ONCE
    + """import pulumi
import pulumi_kubernetes as k8s
from nodepools import *
from nodepools.aks import *

aks = AksCluster("weu", AksClusterArgs(
    location="westeurope", kubernetes_version="1.35", protect=False, entra=None, system_pool=SystemPool(vm_size="Standard_D4ds_v5", count=2),
    pools={{"web": UserPool(vm_size="{web}"), "old": UserPool(vm_size="{old}", name="old"){more}}},
))
eks = EksCluster("use1", EksClusterArgs(
    region="us-east-1", kubernetes_version="1.35", protect=False, admins=["arn:aws:iam::123456789012:role/admins"],
    network=EksNetworkArgs(cidr="10.30.0.0/16", nat="single"),
    auto_mode=AutoMode(node_classes={{"own": EksNodeClass()}}, node_pools={{"jobs": EksNodePool(node_class="own")}}),
))
for name, cluster in {{"weu": aks, "use1": eks}}.items():
    there = k8s.Provider(f"shop-{{name}}", kubeconfig=cluster.kubeconfig)
    k8s.core.v1.ConfigMap(f"shop-{{name}}", data={{"a": "b"}}, opts=pulumi.ResourceOptions(provider=there))
"""
)
SMALL, LARGE = "Standard_D2ds_v5", "Standard_D4ds_v5"
PLACED = {"weu": ("AgentPool/weu-web", "AgentPool/weu-old"), "use1": ("NodePool/use1-jobs", "AccessPolicyAssociation/use1-admin")}


def test_they_follow_the_pools_and_are_never_replaced(empty_clouds):
    (empty_clouds.folder / "project" / "__main__.py").write_text("import stacks.dev\n")
    first = empty_clouds.up(PROGRAM.format(web=SMALL, old=SMALL, more=""))
    assert not first.failed, first.output
    began = {one.resource: one.began for one in first.done}
    ended = {one.resource: one.ended for one in first.done}
    for cluster, needed in ((cluster, needed) for cluster, all_ in PLACED.items() for needed in all_):
        assert max(ended[name] for name in ended if name.startswith(needed)) <= began[f"ConfigMap/shop-{cluster}"]
    edited = PROGRAM.format(web=LARGE, old=LARGE, more=f', "new": UserPool(vm_size="{SMALL}")')
    planned, second = empty_clouds.planned(edited), empty_clouds.up(edited)
    assert not second.failed, second.output
    assert "replace AgentPool/weu-old" in planned
    touched = {*planned, *map(str, second.done)}
    assert not {f"{kind} ConfigMap/shop-{cluster}" for kind, cluster in product(("replace", "update", "create"), PLACED)} & touched, touched
    empty_clouds.destroy()
