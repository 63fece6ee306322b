"""How many replicas run, of one workload alone."""

import re
from dataclasses import replace
from typing import Any

import pytest

from nodepools import AksClusterArgs, AksNodePool, Autoscale, EksNodePool, NodeProvisioning, Platform, Spot, SystemPool, Taint, UserPool
from nodepools.clouds.registry import catalog
from nodepools.model.karpenter import Requirement
from nodepools.placement.workloads.reader import read_workloads
from nodepools.replicas.explained import explain_replicas
from nodepools.replicas.shortages import with_shortages
from tests.replicas.clusters import HOST, SMALL, ZONE, aks, apart, count, eks, existing, near, spread, told, web

ON_PORT_80 = {"ports": [{"containerPort": 80, "hostPort": 80}]}

FIVE = aks(web=UserPool(vm_size=SMALL, count=5))
ZONAL = aks(web=UserPool(vm_size=SMALL, count=5, zones=[1, 2]))
TWO_ZONES = eks("a", "b", any=EksNodePool())
THREE_ZONES = eks("a", "b", "c", any=EksNodePool())
UNKNOWN_ZONES = eks(any=EksNodePool())
NOT_IN_A = Requirement(ZONE, "NotIn", ["us-east-1a"])
OWN_SUBNETS = eks(any=EksNodePool(node_class="declared-elsewhere"))
RACKS = Requirement("rack", "In", ["r1", "r2"])
ONE_SIZE = Requirement("node.kubernetes.io/instance-type", "In", ["c5.xlarge"])
ANY_RACK = Requirement("rack", "Exists")
OTHER_RACK = EksNodePool(labels={"rack": "r1"}, taints=[Taint("gpu")])
EACH_CPU = {"requests": {"cpu": "1"}}


def zonal(**pools: Any) -> AksClusterArgs:
    """A cluster whose system pool is in three zones."""
    system = SystemPool(vm_size="Standard_D4ds_v5", count=3, zones=[1, 2, 3])
    return AksClusterArgs(location="westeurope", kubernetes_version="1.35", system_pool=system, pools=pools)


HIGHLY_AVAILABLE = zonal(
    web=UserPool(vm_size="Standard_D4ds_v5", scale=Autoscale(3, 12), zones=[1, 2, 3]),
    spot=UserPool(vm_size=SMALL, scale=Autoscale(0, 9), zones=[1, 2, 3], spot=Spot()),
)
SIX_OVER_ZONES = web(6, requests={"cpu": "250m", "memory": "256Mi"}, **spread(ZONE))


def nap(**limits: str) -> AksClusterArgs:
    pool = AksNodePool(limits=limits, requirements=[Requirement("kubernetes.io/arch", "In", ["amd64"])])
    provisioning = NodeProvisioning(default_node_pools="None", node_pools={"any": pool})
    system = SystemPool(vm_size="Standard_D4ds_v5", count=2)
    return AksClusterArgs(location="westeurope", kubernetes_version="1.35", system_pool=system, node_provisioning=provisioning)


def limited(**limits: str) -> Any:
    return eks("a", "b", any=EksNodePool(limits=limits, requirements=[ONE_SIZE]))


def either(*zones: str) -> Any:
    terms = [{"matchExpressions": [{"key": ZONE, "operator": "In", "values": [zone]}]} for zone in zones]
    return {"affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}}}


UNEVEN = aks(big=UserPool(vm_size="Standard_D8ds_v5", count=2), small=UserPool(vm_size=SMALL, count=1))
EACH_ZONE = zonal(a=UserPool(vm_size=SMALL, count=3, zones=[1]), b=UserPool(vm_size=SMALL, count=3, zones=[2]))

ROWS = [
    pytest.param(
        UNEVEN,
        web(6, requests={"cpu": "3"}, **spread(HOST, nodeTaintsPolicy="Honor")),
        ("partly", 2, 2, ["spread", "room"]),
        id="a node that is too small for the pods counts, and never runs one",
    ),
    pytest.param(
        EACH_ZONE,
        web(4, nodeSelector={ZONE: "westeurope-1"}, **spread(ZONE, nodeAffinityPolicy="Ignore", nodeTaintsPolicy="Honor")),
        ("partly", 1, 1, ["spread"]),
        id="a zone that the pods do not select counts with nodeAffinityPolicy: Ignore",
    ),
    pytest.param(
        EACH_ZONE,
        web(4, **EACH_CPU, **spread(ZONE)),
        ("unknown", 2, 4, ["spread"]),
        id="a pool in three zones, whose taint the pods do not tolerate, can be in one that no pod reaches",
    ),
    pytest.param(
        FIVE, web(40, **EACH_CPU), ("partly", 5, 5, ["room"]), id="40 pods of 1 CPU on five two-core nodes: the kubelet reserves a part of each"
    ),
    pytest.param(FIVE, web(5, **EACH_CPU), ("fits", 5, 5, []), id="one on each is certain"),
    pytest.param(FIVE, web(None, **EACH_CPU), ("fits", 1, 1, []), id="a number that is not written counts as 1"),
    pytest.param(FIVE, web(0, nodeSelector={"a": "b"}), ("fits", 0, 0, []), id="no pod is wanted"),
    pytest.param(FIVE, web(3, nodeSelector={"a": "b"}), ("cannot", 0, 0, ["no_pool"]), id="no pool"),
    pytest.param(FIVE, web(2**31 - 1, requests={}), ("partly", 5 * 238, 5 * 250, ["room"]), id="max pods bound a pod without requests"),
    pytest.param(FIVE, web(6, containers=[ON_PORT_80]), ("partly", 5, 5, ["room"]), id="a host port: one on each node"),
    pytest.param(
        FIVE, web(6, hostNetwork=True, containers=[{"ports": [{"containerPort": 80}]}]), ("partly", 5, 5, ["room"]), id="a port of the host network"
    ),
    pytest.param(
        aks(web=UserPool(vm_size=SMALL, scale=Autoscale(0, 2))),
        web(3, **EACH_CPU),
        ("partly", 2, 2, ["room"]),
        id="the autoscaler adds nodes up to its maximum",
    ),
    # topology spread
    pytest.param(FIVE, web(3, **spread("rack")), ("cannot", 0, 0, ["spread"]), id="a spread over a key that no pool defines"),
    pytest.param(TWO_ZONES, web(3, **spread("rack")), ("cannot", 0, 0, ["spread"]), id="in no NodePool either"),
    pytest.param(TWO_ZONES, web(3, **spread("rack", whenUnsatisfiable="ScheduleAnyway")), ("fits", 3, 3, []), id="unless it is only a preference"),
    pytest.param(eks("a", any=EksNodePool(requirements=[RACKS])), web(9, **spread("rack")), ("fits", 9, 9, []), id="a key with values"),
    pytest.param(
        eks("a", any=EksNodePool(requirements=[Requirement("rack", "Exists")])),
        web(3, **spread("rack")),
        ("cannot", 0, 0, ["spread"]),
        id="a key that must only exist has no known domain",
    ),
    pytest.param(TWO_ZONES, web(3, **spread(ZONE)), ("fits", 3, 3, []), id="a spread over the zones of a NodePool"),
    pytest.param(UNKNOWN_ZONES, web(9, **spread(ZONE)), ("fits", 9, 9, []), id="over zones that are not known"),
    pytest.param(TWO_ZONES, web(3, **spread(ZONE, minDomains=3)), ("partly", 2, 2, ["spread"]), id="minDomains 3 over two zones: one pod in each"),
    pytest.param(THREE_ZONES, web(9, **spread(ZONE, minDomains=3)), ("fits", 9, 9, []), id="minDomains 3 over three zones"),
    pytest.param(UNKNOWN_ZONES, web(3, **spread(ZONE, minDomains=3)), ("fits", 3, 3, []), id="a new network has three zones"),
    pytest.param(
        eks(any=EksNodePool(), gpu=EksNodePool(taints=[Taint("gpu")])),
        web(9, **spread(ZONE, HOST)),
        ("fits", 9, 9, []),
        id="nodes of a tainted pool are in zones that the other pool has too",
    ),
    pytest.param(
        eks(any=EksNodePool(requirements=[NOT_IN_A]), gpu=EksNodePool(taints=[Taint("gpu")])),
        web(9, **spread(ZONE)),
        ("unknown", 0, 9, ["spread"]),
        id="unless the other pool excludes one",
    ),
    pytest.param(UNKNOWN_ZONES, web(9, **spread(ZONE, minDomains=4)), ("partly", 3, 3, ["spread"]), id="and never a fourth"),
    pytest.param(
        existing("us-east-1", 8), web(3, **spread(ZONE, minDomains=3)), ("unknown", 2, 3, ["spread"]), id="a cluster has at least two zones"
    ),
    pytest.param(existing("us-east-1", 8), web(9, **spread(ZONE, minDomains=7)), ("partly", 2, 6, ["spread"]), id="us-east-1 has six zones"),
    pytest.param(existing("eu-west-1", 8), web(9, **spread(ZONE, minDomains=4)), ("partly", 2, 3, ["spread"]), id="eu-west-1 has three zones"),
    pytest.param(existing("eu-west-1", 2), web(9, **spread(ZONE, minDomains=3)), ("partly", 2, 2, ["spread"]), id="two subnets are in two zones"),
    pytest.param(existing("eu-west-1", 3, 2), web(9, **spread(ZONE, minDomains=4)), ("partly", 2, 2, ["spread"]), id="those of the control plane"),
    pytest.param(
        existing("eu-west-1", 3, 2, own_class=True),
        web(9, **spread(ZONE, minDomains=4)),
        ("partly", 1, 3, ["spread"]),
        id="a NodeClass of your own is in the subnets for nodes",
    ),
    pytest.param(existing("eu-west-1", 8), web(9, **spread(ZONE, minDomains=3)), ("unknown", 2, 9, ["spread"]), id="of which a cluster may use all"),
    pytest.param(
        nap(), web(9, **spread(ZONE, minDomains=7)), ("partly", 1, 4, ["spread"]), id="a region of Azure has three zones, and nodes without a zone"
    ),
    pytest.param(ZONAL, web(3, **spread(ZONE, minDomains=3)), ("partly", 1, 2, ["spread"]), id="minDomains 3 over the two zones of an agent pool"),
    pytest.param(
        ZONAL,
        web(3, **spread(ZONE, minDomains=3, nodeTaintsPolicy="Honor")),
        ("partly", 1, 2, ["spread"]),
        id="it does not count if taints are honored",
    ),
    pytest.param(ZONAL, web(3, **spread(ZONE, nodeTaintsPolicy="Honor")), ("fits", 3, 3, []), id="each zone with nodes has room on one of them"),
    pytest.param(
        TWO_ZONES, web(3, nodeSelector={ZONE: "us-east-1a"}, **spread(ZONE)), ("fits", 3, 3, []), id="only the zone that the pods select counts"
    ),
    pytest.param(
        TWO_ZONES,
        web(3, nodeSelector={ZONE: "us-east-1a"}, **spread(ZONE, nodeAffinityPolicy="Ignore")),
        ("unknown", 1, 3, ["spread"]),
        id="unless node affinity is ignored",
    ),
    pytest.param(
        eks("a", "b", own=EksNodePool(requirements=[Requirement(ZONE, "In", ["us-east-1a"])]), other=EksNodePool(taints=[Taint("team", "x")])),
        web(6, **spread(ZONE)),
        ("unknown", 1, 6, ["spread"]),
        id="a tainted pool in another zone holds the others down",
    ),
    pytest.param(TWO_ZONES, web(7, **spread(HOST)), ("fits", 7, 7, []), id="over nodes: Karpenter launches another"),
    pytest.param(FIVE, web(7, **spread(HOST)), ("partly", 5, 5, ["spread"]), id="the tainted nodes of the system pool never run such a pod"),
    pytest.param(FIVE, web(7, **spread(HOST, nodeTaintsPolicy="Honor")), ("fits", 7, 7, []), id="if they do not count, the nodes fill evenly"),
    pytest.param(FIVE, web(7, **spread(HOST, nodeTaintsPolicy="Honor", minDomains=6)), ("partly", 5, 5, ["spread"]), id="minDomains 6 on five nodes"),
    pytest.param(FIVE, web(7, **spread(HOST, labelSelector=None)), ("fits", 7, 7, []), id="a selector that selects no pod restricts nothing"),
    pytest.param(
        FIVE,
        web(7, **spread(HOST, matchLabelKeys=["pod-template-hash", "none"])),
        ("partly", 5, 5, ["spread"]),
        id="the pods of one revision are counted",
    ),
    pytest.param(TWO_ZONES, web(9, **spread(ZONE, HOST)), ("fits", 9, 9, []), id="over zones and nodes"),
    pytest.param(
        AksClusterArgs(
            location="westeurope",
            kubernetes_version="1.35",
            system_pool=SystemPool(vm_size=SMALL, count=1, zones=[3]),
            pools={"web": UserPool(vm_size=SMALL, count=4, zones=[1, 2])},
        ),
        web(6, **spread(ZONE)),
        ("partly", 1, 2, ["spread"]),
        id="a zone with tainted nodes only holds the others down",
    ),
    pytest.param(
        eks("a", any=EksNodePool()), web(3, **spread("node.kubernetes.io/instance-type")), ("unknown", 0, 3, ["spread"]), id="over machine types"
    ),
    pytest.param(eks("a", any=EksNodePool()), web(3, **spread("eks.amazonaws.com/x")), ("unknown", 0, 3, ["spread"]), id="over a label of the cloud"),
    pytest.param(
        eks("a", any=EksNodePool(requirements=[Requirement("rack", "Exists")])),
        web(3, nodeSelector={"rack": "r1"}, **spread("rack")),
        ("unknown", 0, 3, ["spread"]),
        id="over a key whose value the pods select",
    ),
    pytest.param(
        UNKNOWN_ZONES, web(3, nodeSelector={ZONE: "us-east-1a"}, **spread(ZONE)), ("unknown", 0, 3, ["no_pool", "spread"]), id="a zone that may exist"
    ),
    pytest.param(TWO_ZONES, web(9, **either("us-east-1a", "us-east-1b"), **spread(ZONE)), ("fits", 9, 9, []), id="over the zones of two terms"),
    pytest.param(
        ZONAL,
        web(3, **either("westeurope-1"), **spread(ZONE, nodeTaintsPolicy="Honor")),
        ("unknown", 0, 3, ["no_pool", "spread"]),
        id="a zone that nodes of a scale set may be in",
    ),
    pytest.param(
        aks(web=UserPool(vm_size=SMALL, count=5, zones=[1, 2]), more=UserPool(vm_size=SMALL, count=2)),
        web(6, **spread(ZONE, "nodepools/name")),
        ("partly", 1, 2, ["spread", "spread", "unknown"]),
        id="over zones and pools",
    ),
    pytest.param(ZONAL, web(3, nodeSelector={ZONE: "westeurope-1"}), ("unknown", 0, 3, ["no_pool"]), id="the cloud balances zones by best effort"),
    pytest.param(EACH_ZONE, web(3, nodeSelector={ZONE: "westeurope-1"}), ("fits", 3, 3, []), id="a pool in the zone that the pods select"),
    pytest.param(
        aks(web=UserPool(vm_size=SMALL, scale=Autoscale(1, 5), zones=[1, 2, 3])),
        web(3, nodeSelector={ZONE: "westeurope-1"}),
        ("unknown", 0, 3, ["no_pool"]),
        id="a zone in which an autoscaled pool may have no node",
    ),
    pytest.param(
        FIVE, web(9, **spread(HOST, nodeTaintsPolicy="Honor", minDomains=6)), ("partly", 5, 5, ["spread"]), id="fewer nodes than domains are required"
    ),
    pytest.param(FIVE, web(3, **spread(HOST, "kubernetes.azure.com/x")), ("unknown", 0, 3, ["spread"]), id="nodes that may have a key"),
    pytest.param(HIGHLY_AVAILABLE, SIX_OVER_ZONES, ("unknown", 1, 6, ["spread"]), id="six over the zones of an autoscaled pool"),
    pytest.param(
        aks(web=UserPool(vm_size="Standard_D4ds_v5", count=3, zones=[1, 2, 3])),
        SIX_OVER_ZONES,
        ("unknown", 1, 6, ["spread"]),
        id="next to tainted nodes without a zone, which are domains of their own",
    ),
    pytest.param(
        zonal(web=UserPool(vm_size=SMALL, scale=Autoscale(3, 12), zones=[1, 2, 3])),
        web(9, **EACH_CPU, **spread(ZONE)),
        ("unknown", 1, 9, ["spread"]),
        id="its smallest size is certain, and the zones of these nodes are not",
    ),
    pytest.param(
        zonal(**{f"web{zone}": UserPool(vm_size=SMALL, scale=Autoscale(0, 4), zones=[zone]) for zone in (1, 2, 3)}),
        web(9, **EACH_CPU, **spread(ZONE)),
        ("fits", 9, 9, []),
        id="a pool for each zone: the autoscaler adds nodes where pods need them",
    ),
    pytest.param(eks("a", "b", "c", web=EksNodePool(limits={"cpu": 200})), SIX_OVER_ZONES, ("fits", 6, 6, []), id="within limits that are ample"),
    pytest.param(
        eks(web=EksNodePool(limits={"cpu": 200, "memory": "2000Gi", "nodes": 50}), gpu=EksNodePool(taints=[Taint("gpu")])),
        web(6, **spread(ZONE, HOST)),
        ("fits", 6, 6, []),
        id="over zones and nodes, next to a tainted pool",
    ),
    pytest.param(eks("a", "b", "c", web=EksNodePool(limits={"cpu": 200})), web(20, requests={"cpu": "2"}), ("fits", 20, 20, []), id="40 of 200 CPUs"),
    # anti-affinity and affinity to itself
    pytest.param(TWO_ZONES, web(5, **apart(ZONE)), ("partly", 2, 2, ["anti_affinity"]), id="five that exclude each other from two zones"),
    pytest.param(ZONAL, web(5, **apart(ZONE)), ("partly", 1, 2, ["anti_affinity"]), id="nodes of a scale set can be in each of its zones"),
    pytest.param(EACH_ZONE, web(5, **apart(ZONE)), ("partly", 2, 2, ["anti_affinity"]), id="from a pool in each of two zones"),
    pytest.param(
        aks(web=UserPool(vm_size=SMALL, scale=Autoscale(1, 9), zones=[1, 2, 3])),
        web(3, **apart(ZONE)),
        ("unknown", 1, 3, ["anti_affinity"]),
        id="which zone the autoscaler tries next is not certain",
    ),
    pytest.param(UNKNOWN_ZONES, web(5, **apart(ZONE)), ("partly", 3, 3, ["anti_affinity"]), id="from the three zones of a new network"),
    pytest.param(
        existing("us-west-2", 8), web(5, **apart(ZONE)), ("partly", 2, 4, ["anti_affinity"]), id="from two to four zones of an existing one"
    ),
    pytest.param(OWN_SUBNETS, web(5, **apart(ZONE)), ("unknown", 1, 5, ["anti_affinity"]), id="subnets of a NodeClass, which can be in local zones"),
    pytest.param(TWO_ZONES, web(5, **apart(HOST)), ("fits", 5, 5, []), id="from nodes that Karpenter launches"),
    pytest.param(FIVE, web(7, **apart(HOST)), ("partly", 5, 5, ["anti_affinity"]), id="from five nodes"),
    pytest.param(FIVE, web(7, **apart("rack")), ("fits", 7, 7, []), id="nodes without the key separate nothing"),
    pytest.param(TWO_ZONES, web(7, **apart("rack")), ("cannot", 0, 0, ["anti_affinity"]), id="and Karpenter launches none"),
    pytest.param(
        eks("a", any=EksNodePool(requirements=[Requirement("rack", "Exists")])),
        web(3, **apart("rack")),
        ("cannot", 0, 0, ["anti_affinity"]),
        id="nor one with a value that is not known",
    ),
    pytest.param(TWO_ZONES, web(7, **near(ZONE)), ("fits", 7, 7, []), id="all in the zone of the first"),
    pytest.param(TWO_ZONES, web(7, **near(HOST)), ("unknown", 1, 7, ["affinity"]), id="all on the node of the first, whatever its size"),
    pytest.param(FIVE, web(30, **near(HOST)), ("partly", 13, 19, ["affinity"]), id="as many as one node holds"),
    pytest.param(FIVE, web(3, **near("rack")), ("cannot", 0, 0, ["affinity"]), id="affinity over a key that no pool defines"),
    pytest.param(FIVE, web(3, labels={}, **near(ZONE)), ("unknown", 0, 3, ["affinity"]), id="affinity to pods of nobody"),
    pytest.param(FIVE, web(3, labels={}, **apart(ZONE)), ("fits", 3, 3, []), id="anti-affinity to pods of nobody"),
    pytest.param(TWO_ZONES, web(3, **spread(ZONE), **apart("rack")), ("cannot", 0, 0, ["anti_affinity"]), id="several constraints"),
    pytest.param(
        TWO_ZONES, web(3, labels={}, **apart("rack")), ("cannot", 0, 0, ["anti_affinity"]), id="Karpenter needs the key, whomever the term selects"
    ),
    pytest.param(FIVE, web(3, labels={}, **apart("rack")), ("fits", 3, 3, []), id="kube-scheduler does not, on nodes that exist"),
    pytest.param(
        eks("a", any=EksNodePool(), racks=EksNodePool(labels={"rack": "r1"}, limits={"cpu": 4}, requirements=[ONE_SIZE])),
        web(30, labels={}, **EACH_CPU, **apart("rack")),
        ("partly", 2, 4, ["anti_affinity"]),
        id="only the pool with the key has room for them",
    ),
    pytest.param(
        eks("a", any=EksNodePool(requirements=[ANY_RACK]), gpu=OTHER_RACK),
        web(9, **spread("rack")),
        ("unknown", 0, 9, ["spread"]),
        id="a key that must only exist takes the values of other pools",
    ),
    pytest.param(
        eks("a", any=EksNodePool(requirements=[ANY_RACK]), gpu=OTHER_RACK),
        web(9, **apart("rack")),
        ("partly", 0, 1, ["anti_affinity"]),
        id="one pod for the value of the other pool",
    ),
    pytest.param(
        eks("a", any=EksNodePool(requirements=[ANY_RACK]), gpu=OTHER_RACK),
        web(9, **near("rack")),
        ("unknown", 0, 9, ["affinity"]),
        id="all pods in the value of the other pool",
    ),
    pytest.param(
        eks("a", any=EksNodePool(requirements=[ANY_RACK]), more=EksNodePool(requirements=[ANY_RACK])),
        web(9, **spread("rack")),
        ("cannot", 0, 0, ["spread"]),
        id="no pool names a value",
    ),
    pytest.param(
        eks("a", "b", any=EksNodePool(requirements=[RACKS]), more=EksNodePool(limits={"cpu": "4"}, requirements=[RACKS])),
        web(9, **spread("rack", ZONE)),
        ("fits", 9, 9, []),
        id="a pool with each pair of values",
    ),
    pytest.param(
        eks("a", "b", a=EksNodePool(requirements=[Requirement(ZONE, "In", ["us-east-1a"]), RACKS]), any=EksNodePool(labels={"rack": "r1"})),
        web(9, **spread("rack", ZONE)),
        ("unknown", 1, 9, ["unknown"]),
        id="no pool with each pair of values",
    ),
    pytest.param(
        eks("a", "b", "c", own=EksNodePool(labels={"team": "x"}, requirements=[NOT_IN_A]), any=EksNodePool()),
        web(9, nodeSelector={"team": "x"}, **spread(ZONE)),
        ("unknown", 2, 9, ["spread"]),
        id="Karpenter counts the zones of pools that the pods do not select",
    ),
    pytest.param(
        eks("a", "b", "c", own=EksNodePool(labels={"team": "x"}), any=EksNodePool()),
        web(9, nodeSelector={"team": "x"}, **spread(ZONE)),
        ("fits", 9, 9, []),
        id="which are the same in most clusters",
    ),
    pytest.param(
        TWO_ZONES, web(9, **spread(ZONE), **near(ZONE)), ("unknown", 1, 9, ["unknown"]), id="a spread over zones of pods that need one zone"
    ),
    pytest.param(TWO_ZONES, web(9, **spread(ZONE), **apart(HOST)), ("fits", 9, 9, []), id="a spread of pods with a node of their own"),
    pytest.param(
        aks(web=UserPool(vm_size=SMALL, count=1, labels={"disk": "ssd"}), more=UserPool(vm_size=SMALL, count=1)),
        web(6, nodeSelector={"disk": "ssd"}, **spread(HOST, maxSkew=2, nodeAffinityPolicy="Ignore")),
        ("partly", 2, 2, ["spread"]),
        id="nodes that the pods do not select count",
    ),
    pytest.param(TWO_ZONES, web(3, **near("eks.amazonaws.com/x")), ("unknown", 0, 3, ["affinity"]), id="affinity over a label of the cloud"),
    # limits
    pytest.param(limited(cpu="6"), web(9, requests={"cpu": "1"}), ("partly", 2, 4, ["room"]), id="a limit of 6 CPU: one node of 4"),
    pytest.param(limited(cpu="8"), web(2, **apart(HOST)), ("fits", 2, 2, []), id="two nodes of 4"),
    pytest.param(limited(cpu="8"), web(3, **apart(HOST)), ("partly", 2, 2, ["anti_affinity"]), id="and no third one"),
    pytest.param(limited(memory="40"), web(1), ("cannot", 0, 0, ["no_pool"]), id="40 bytes of memory"),
    pytest.param(limited(memory="17Gi"), web(3, **apart(HOST)), ("partly", 2, 2, ["anti_affinity"]), id="memory counts as the machine has it"),
    pytest.param(limited(nodes="2"), web(6, **apart(HOST)), ("unknown", 2, 6, ["anti_affinity"]), id="a batch can exceed `nodes`"),
    pytest.param(limited(nodes="0"), web(1), ("cannot", 0, 0, ["no_pool"]), id="but not a limit of 0"),
    pytest.param(
        eks("a", any=EksNodePool(limits={"cpu": "1000"})),
        web(30, requests={"cpu": "1", "memory": "1Gi"}),
        ("fits", 30, 30, []),
        id="a limit that is far away",
    ),
    pytest.param(
        eks("a", any=EksNodePool(replicas=2, requirements=[ONE_SIZE])),
        web(9, requests={"cpu": "2"}),
        ("partly", 2, 4, ["room"]),
        id="a static NodePool",
    ),
    pytest.param(limited(cpu="8"), web(9, requests={"ephemeral-storage": "30Gi"}), ("partly", 4, 4, ["room"]), id="the disk of the node class"),
    pytest.param(nap(cpu="400"), web(3, requests={"cpu": "1"}), ("fits", 3, 3, []), id="the vCPUs of every size are known"),
    pytest.param(
        eks("a", any=EksNodePool(replicas=2, requirements=[ONE_SIZE], limits={"cpu": "100", "nodes": "0"})),
        web(2),
        ("cannot", 0, 0, ["no_pool"]),
        id="a static NodePool with a limit of 0 nodes",
    ),
    pytest.param(
        eks("a", any=EksNodePool(replicas=2, requirements=[ONE_SIZE])), web(9), ("unknown", 2, 9, ["room"]), id="each of its nodes runs a pod"
    ),
    pytest.param(
        nap(memory="4000Gi"), web(3, requests={"cpu": "1"}), ("unknown", 1, 3, ["room"]), id="a limit on memory, which is not known of some sizes"
    ),
    pytest.param(
        limited(cpu="8"),
        web(99, requests={"cpu": "1"}, nodeSelector={"eks.amazonaws.com/x": "1"}),
        ("partly", 0, 8, ["room", "no_pool"]),
        id="a limit of a pool that the pods may not fit",
    ),
    # what decides, and is not in the input
    pytest.param(FIVE, web(2, schedulingGates=[{"name": "a"}]), ("unknown", 0, 2, ["unknown"]), id="scheduling gates"),
    pytest.param(FIVE, web(2, schedulerName="mine"), ("unknown", 0, 2, ["unknown"]), id="another scheduler"),
    pytest.param(FIVE, web(2, resourceClaims=[{"name": "a", "resourceClaimName": "a"}]), ("unknown", 0, 2, ["unknown", "no_pool"]), id="devices"),
    pytest.param(FIVE, web(2, runtimeClassName="kata"), ("unknown", 0, 2, ["unknown"]), id="a runtime class"),
    pytest.param(FIVE, web(2, nodeSelector={"kubernetes.azure.com/x": "1"}), ("unknown", 0, 2, ["no_pool"]), id="a label that is not known"),
    pytest.param(eks(), web(2), ("cannot", 0, 0, ["no_pool"]), id="a cluster without pools"),
    pytest.param(
        aks(web=UserPool(vm_size=SMALL, count=1, overrides={"count": 9})),
        web(99, **spread(ZONE)),
        ("unknown", 0, 99, ["no_pool", "spread"]),
        id="overrides decide",
    ),
]


@pytest.mark.parametrize(("cluster", "workload", "expected"), ROWS)
def test_a_workload_alone(cluster: Any, workload: Any, expected: tuple[object, ...]) -> None:
    [counted] = count(cluster, workload)
    assert told(counted) == expected
    assert all(pending.message for pending in counted.pending)


def test_nodes_in_zones_that_are_not_known_can_be_in_one_of_their_own() -> None:
    [found] = count(aks(web=UserPool(vm_size=SMALL, count=5)), web(3, **spread(ZONE)))
    assert "of `c/system`, which the pods cannot use" in found.pending[0].message
    assert found.pending[0].fix == "Set `nodeTaintsPolicy: Honor`"


HOLDING_UP = [
    pytest.param([2, 1], 1, 5, ["b"], id="the smaller zone"),
    pytest.param([9, 1], 1, 5, ["b"], id="room for all in the other one"),
    pytest.param([2, 2], 1, 9, ["a", "b"], id="equal zones"),
    pytest.param([3, 2], 2, 9, ["a", "b"], id="both are within the skew"),
    pytest.param([3, 1, 1], 1, 9, ["b", "c"], id="two of three zones"),
    pytest.param([4, 3], 1, 9, ["b"], id="as many as the skew allows"),
]


@pytest.mark.parametrize(("nodes", "skew", "replicas", "expected"), HOLDING_UP)
def test_more_nodes_are_told_of_zones_that_hold_up_the_others(nodes: list[int], skew: int, replicas: int, expected: list[str]) -> None:
    def cluster(more: str = "") -> AksClusterArgs:
        pools = {name: UserPool(vm_size=SMALL, count=many + 9 * (name in more), zones=[zone]) for zone, (name, many) in each.items()}
        return zonal(**pools)

    each = dict(enumerate(zip("abc", nodes, strict=False), 1))
    pods = web(replicas, requests={"cpu": "1"}, **spread(ZONE, maxSkew=skew, nodeTaintsPolicy="Honor"))
    [found] = count(cluster(), pods)
    named = {name for pending in found.pending for name in re.findall("`c/([abc])`", pending.fix)}
    assert named == set(expected), [pending.fix for pending in found.pending]
    assert count(cluster("".join(expected)), pods)[0].scheduled.minimum > found.scheduled.minimum
    others = "".join(name for name, _ in each.values() if name not in expected)
    assert not others or count(cluster(others), pods)[0].scheduled.minimum == found.scheduled.minimum


IN_TWO: dict[str, Any] = {"nodeSelector": {ZONE: "westeurope-2"}}


@pytest.mark.parametrize(
    ("system", "certain"),
    [
        pytest.param([3], {"nodeAffinityPolicy", "nodeTaintsPolicy"}, id="zones of pools that the pods use, and of others"),
        pytest.param([2], {"nodeAffinityPolicy"}, id="zones of the pool that the pods use"),
    ],
)
def test_the_policies_that_a_fix_names_let_all_pods_run(system: list[int], certain: set[str]) -> None:
    cluster = AksClusterArgs.model_validate({**EACH_ZONE.model_dump(), "system_pool": SystemPool(vm_size="Standard_D4ds_v5", count=3, zones=system)})
    [found] = count(cluster, web(4, **IN_TWO, **spread(ZONE, nodeAffinityPolicy="Ignore")))
    named = dict(re.findall(r"`(\w+): (\w+)`", found.pending[0].fix))
    assert (told(found), named.keys()) == (("partly", 1, 1, ["spread"]), certain)
    assert told(count(cluster, web(4, **IN_TWO, **spread(ZONE, **{"nodeAffinityPolicy": "Ignore", **named})))[0])[0] == "fits"


def test_zones_that_the_pods_do_not_select_are_told_of_pools_that_are_scaled() -> None:
    cluster = zonal(web=UserPool(vm_size=SMALL, scale=Autoscale(0, 9), zones=[1, 2, 3]))
    [found] = count(cluster, web(4, **IN_TWO, **spread(ZONE, nodeAffinityPolicy="Ignore", nodeTaintsPolicy="Honor")))
    [spreads] = [pending for pending in found.pending if pending.kind == "spread"]
    assert "and counts `westeurope-1`, `westeurope-3` of `c/web`, which the pods cannot use" in spreads.message
    assert spreads.fix == "Set `nodeAffinityPolicy: Honor`"


@pytest.mark.parametrize("cluster", [FIVE, TWO_ZONES, limited(cpu="8"), zonal(web=UserPool(vm_size=SMALL, count=3, zones=[1, 2, 3]))])
@pytest.mark.parametrize("alone", [apart(HOST), {**apart(HOST), **spread(ZONE)}])
def test_pods_that_need_a_node_each_are_not_told_to_request_less(cluster: Any, alone: dict[str, Any]) -> None:
    [found] = count(cluster, web(9, **alone))
    assert not [pending.fix for pending in found.pending if "request less" in pending.fix.lower()]


NEEDS = "requiredDuringSchedulingIgnoredDuringExecution"
NO_NODE_POOL = {"matchExpressions": [{"key": "karpenter.sh/nodepool", "operator": "DoesNotExist"}]}
UNREAD = [
    pytest.param({"nodeSelector": {"eks.amazonaws.com/nodegroup": "system"}}, "unknown", id="nodes of a node group"),
    pytest.param({"nodeSelector": {"tier": "system"}}, "unknown", id="a label that no NodePool sets"),
    pytest.param({"affinity": {"nodeAffinity": {NEEDS: {"nodeSelectorTerms": [NO_NODE_POOL]}}}}, "unknown", id="nodes of no NodePool"),
    pytest.param({"requests": {"cpu": "900"}}, "unknown", id="a machine that no NodePool launches"),
    pytest.param({"nodeSelector": {"karpenter.sh/nodepool": "none"}}, "cannot", id="a NodePool that does not exist"),
    pytest.param({"requests": {"cpu": "900"}, "nodeSelector": {"team": "a"}}, "cannot", id="a label that a NodePool sets"),
    pytest.param({"nodeSelector": {"team": "a"}}, "fits", id="a NodePool"),
]


@pytest.mark.parametrize(("spec", "expected"), UNREAD)
def test_pods_that_fit_no_node_pool_can_run_on_nodes_that_were_not_read(spec: Any, expected: str) -> None:
    pools = catalog(Platform(name="dev", clusters={"c": eks("a", any=EksNodePool(labels={"team": "a"}))}))
    unread = [replace(cluster, unread=True) for cluster in pools]
    found = with_shortages(explain_replicas(list(read_workloads(web(2, **spec))), unread), unread)
    assert [(one.count.verdict.value, one.shortage) for one in found] == [(expected, None)]


def grown(fix: str, pool: UserPool) -> UserPool:
    """The pool with the nodes that a fix names."""
    found = re.match(r"Raise the (number|minimum|maximum) of `c/web` (?:from ([0-9]+) )?to (?:at least )?([0-9]+) nodes", fix)
    assert found is not None, fix
    field, many = found[1], int(found[3])
    now = {"number": pool.count} if pool.scale is None else {"minimum": pool.scale.min, "maximum": pool.scale.max}
    assert found[2] in (None, str(now[field])), fix
    assert many > (now[field] or 0), fix
    if pool.scale is None:
        return UserPool(vm_size=SMALL, count=many)
    return UserPool(vm_size=SMALL, scale=Autoscale(**{"min": pool.scale.min, "max": pool.scale.max, field[:3]: many}))


TO_GROW = [UserPool(vm_size=SMALL, count=2), UserPool(vm_size=SMALL, scale=Autoscale(1, 9)), UserPool(vm_size=SMALL, scale=Autoscale(1, 2))]
OPEN = UserPool(vm_size=SMALL, count=4, zones=[1, 2])
IN_ONE = {"nodeSelector": {ZONE: "westeurope-1", "nodepools/name": "web"}}


@pytest.mark.parametrize("pool", TO_GROW)
@pytest.mark.parametrize("replicas", [1, 2, 5, 8, 20])
def test_the_number_of_nodes_in_a_fix_is_more_than_there_are_and_enough(pool: UserPool, replicas: int) -> None:
    pods = web(replicas, requests={"cpu": "800m"})
    found = count(aks(web=pool), pods)[0]
    fixes = [one.fix for one in found.pending if "`c/web`" in one.fix]
    assert bool(fixes) is (found.verdict.value != "fits")
    for fix in fixes:
        assert count(aks(web=grown(fix, pool)), pods)[0].verdict.value == "fits", fix


@pytest.mark.parametrize(
    "found",
    [
        pytest.param([web(3, requests={"cpu": "1500m"}, **IN_ONE)], id="nodes of one zone"),
        pytest.param([web(4, requests={"cpu": "1500m"}), web(4, name="b", labels={}, requests={"cpu": "1500m"})], id="other pods use them"),
        pytest.param([web(3, requests={"cpu": "1500m"}, **spread(HOST), **IN_ONE)], id="a spread"),
    ],
)
def test_no_number_of_nodes_is_named_where_it_may_not_be_enough(found: list[Any]) -> None:
    fixes = [one.fix for one in count(aks(web=OPEN), *found)[0].pending]
    assert fixes
    assert not [fix for fix in fixes if re.search("[0-9] node", fix)], fixes
