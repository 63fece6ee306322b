"""What an editor underlines: every line that ends in a word of pyright's, and no other."""

import pulumi

import nodepools
from nodepools import (
    AksClusterArgs,
    AksNodePool,
    AutoMode,
    Autoscale,
    EksNodePool,
    Platform,
    SystemPool,
    Taint,
    UserPool,
    derive,
    keys,
    partial,
)

network = pulumi.StackReference("org/network/prod")
number: pulumi.Output[int] = network.require_output("subnet").apply(lambda text: len(str(text)))
system = SystemPool(vm_size="x")
platform = Platform(name="dev", clusters={})

_ = nodepools.AksClustr  # reportAttributeAccessIssue
_ = nodepools.Platfrom  # reportAttributeAccessIssue
_ = keys.eks.instance_cpus  # reportAttributeAccessIssue
keys.eks.instance_cpu.one_of("2")  # reportArgumentType
keys.eks.arch.one_of("x86_64")  # reportArgumentType
keys.eks.instance_memory.more_than(16)  # reportArgumentType
keys.aks.capacity_type.one_of("reserved")  # reportArgumentType
UserPool(vm_sze="x")  # reportCallIssue
UserPool("x")  # reportCallIssue
UserPool(vm_size="x", scale=Autoscale(2))  # reportCallIssue
UserPool(vm_size="x", scale=Autoscale("2", 10))  # reportArgumentType
UserPool(vm_size="x", scale=(2, 10))  # reportArgumentType
UserPool(vm_size="x", zones=(1, 2, 4))  # reportArgumentType
UserPool(vm_size="x", taints=["sku=gpu:NoSchedule"])  # reportArgumentType
UserPool(vm_size="x", taints=[Taint("sku", "gpu", "Noschedule")])  # reportArgumentType
UserPool(vm_size="x", vnet_subnet_id=3)  # reportArgumentType
UserPool(vm_size="x", vnet_subnet_id=number)  # reportArgumentType
UserPool(vm_size="x", vnet_subnet_id=network)  # reportArgumentType
SystemPool(vm_size="x", spot=None)  # reportCallIssue
AutoMode(built_in_node_pools=("system"))  # reportArgumentType
AksClusterArgs(location="x", kubernetes_version=1.35, system_pool=system)  # reportArgumentType
AksClusterArgs(location="x", kubernetes_version="1.35", system_pool=UserPool(vm_size="x"))  # reportArgumentType
AksClusterArgs(location="x", kubernetes_version="1.35", system_pool=system, pools={"np": AksNodePool(weight=1)})  # reportArgumentType
EksNodePool(limits={"cpu": 2.5})  # reportArgumentType
Platform(name="dev", clusters={"weu": system})  # reportArgumentType
platform.name = "prod"  # reportAttributeAccessIssue
platform.clusters["x"] = derive(platform).clusters["y"]  # reportIndexIssue
platform.pool(3)  # reportArgumentType
partial.UserPool(zonez=[1])  # reportCallIssue
partial.UserPol(zones=[1])  # reportAttributeAccessIssue
derive(platform, clusters={"weu": partial.AksClusterArgs(pools={"web": partial.UserPool(zonez=[1])})})  # reportCallIssue
derive(platform, clusters={"weu": {"pools": {"web": {"zonez": [1]}}}})  # reportArgumentType
derive(platform, clusters={"weu": partial.AksClusterArgs(kubernetes_version=1.36)})  # reportArgumentType
derive(platform, clusters={"weu": partial.AksClusterArgs(pools={"web": AksNodePool()})})  # reportArgumentType
derive(platform, clutsers={})  # reportCallIssue
