"""The cases that people ask about: a row a case; the pool that is taken, what is said of the others, and what to change."""

from typing import Any

import pytest

from nodepools import (
    AksNodePool,
    Autoscale,
    EksNodeClass,
    EksNodePool,
    GpuPool,
    Platform,
    Requirement,
    Spot,
    SystemPool,
    Taint,
    UserPool,
    WindowsPool,
    keys,
)
from nodepools.clouds.registry import catalog, catalogs
from nodepools.eks import CapacityReservationTerm
from nodepools.manifests.existing.existing_pools import read_existing_pools
from nodepools.model.derive import derive
from nodepools.placement.causes import remedies
from nodepools.placement.explain import Explainer, explain
from nodepools.placement.verdict import Verdict
from nodepools.placement.workloads.reader import read_workloads
from tests.placement.conftest import SIZE, aks, eks, nap, pod, preferred, reported, required, template, wants

SPOT = {"key": "kubernetes.azure.com/scalesetpriority", "operator": "Equal", "value": "spot", "effect": "NoSchedule"}
WEB = UserPool(vm_size=SIZE, scale=Autoscale(1, 5), labels={"tier": "web"})
BATCH = UserPool(vm_size=SIZE, scale=Autoscale(0, 5), spot=Spot())
WIN = WindowsPool(vm_size=SIZE, scale=Autoscale(1, 3))
OPEN_WIN = WindowsPool(vm_size=SIZE, scale=Autoscale(1, 3), tainted=False)
TO_WINDOWS = [{"key": "os", "operator": "Equal", "value": "windows", "effect": "NoSchedule"}]
CRITICAL = {"key": "CriticalAddonsOnly", "operator": "Exists"}
ON_DEMAND = keys.eks.capacity_type.one_of("on-demand")
AMD64 = keys.eks.arch.one_of("amd64")

_CAPACITY = "karpenter.sh/capacity-type"
_RESERVED = {_CAPACITY: "reserved"}
_RESERVED_ALONE = Requirement(_CAPACITY, "In", ["reserved"])
_RESERVING = EksNodeClass(capacity_reservations=[CapacityReservationTerm(id="cr-1")])
_LAID_OVER = EksNodeClass(overrides={"capacityReservationSelectorTerms": [{"id": "cr-1"}]})
IN_ZONE_1 = pod(nodeSelector={"topology.kubernetes.io/zone": "westeurope-1"})
CASES = [
    pytest.param(
        aks(web=WEB, batch=BATCH), pod(nodeSelector={"nodepools/name": "web"}), "c/web", {"c/batch": "cannot"}, id="a selector for one pool takes it"
    ),
    pytest.param(
        aks(web=WEB),
        pod(nodeSelector={"nodepools/name": "system"}),
        None,
        {"c/system": "cannot"},
        id="without its toleration none is on the system pool",
    ),
    pytest.param(
        aks(web=WEB),
        pod(nodeSelector={"nodepools/name": "system"}, tolerations=[CRITICAL]),
        "c/system",
        {},
        id="with it the pod is on the system pool",
    ),
    pytest.param(aks(web=WEB, batch=BATCH), pod(), "c/web", {"c/batch": "cannot", "c/system": "cannot"}, id="a pod that says nothing avoids taints"),
    pytest.param(
        aks(web=WEB, batch=BATCH),
        pod(nodeSelector={"kubernetes.azure.com/scalesetpriority": "spot"}),
        None,
        {"c/batch": "cannot", "c/web": "cannot"},
        id="selector and taint in conflict stay Pending",
    ),
    pytest.param(
        aks(web=WEB, batch=BATCH),
        pod(tolerations=[SPOT], affinity=required([wants("kubernetes.azure.com/scalesetpriority", "In", "spot")])),
        "c/batch",
        {"c/web": "cannot"},
        id="spot by toleration and required affinity",
    ),
    pytest.param(
        aks(web=WEB, batch=BATCH),
        pod(tolerations=[SPOT], affinity=preferred((1, [wants("kubernetes.azure.com/scalesetpriority", "In", "spot")]))),
        "c/batch",
        {"c/web": "fits"},
        id="spot first by preference, with a fallback",
    ),
    pytest.param(
        aks(web=WEB, hard=UserPool(vm_size=SIZE, taints=[Taint("team", "ml", "NoExecute")])),
        pod(tolerations=[{"key": "team", "operator": "Equal", "value": "ml", "effect": "NoSchedule"}]),
        "c/web",
        {"c/hard": "cannot"},
        id="a toleration of NoSchedule is none of NoExecute",
    ),
    pytest.param(
        aks(soft=UserPool(vm_size=SIZE, taints=[Taint("team", "ml", "PreferNoSchedule")]), web=WEB),
        pod(),
        "c/web",
        {"c/soft": "fits"},
        id="a pool that would rather not is second",
    ),
    pytest.param(
        eks(spot=EksNodePool(requirements=[keys.eks.capacity_type.one_of("spot"), AMD64])),
        pod(nodeSelector={"karpenter.sh/nodepool": "spot", "karpenter.sh/capacity-type": "spot"}),
        "c/spot",
        {},
        id="a NodePool by name, with the capacity type that it has",
    ),
    pytest.param(
        eks(web=EksNodePool(requirements=[ON_DEMAND, AMD64])),
        pod(nodeSelector={"karpenter.sh/nodepool": "web", "karpenter.sh/capacity-type": "spot"}),
        None,
        {"c/web": "cannot"},
        id="and with one that it has not",
    ),
    pytest.param(
        eks("general-purpose", default=EksNodePool(requirements=[ON_DEMAND, AMD64])),
        pod(cpu="1", memory="1Gi"),
        "c/general-purpose",
        {"c/default": "fits"},
        id="of equal weights the last name wins, general-purpose before default",
    ),
    pytest.param(
        eks("general-purpose", default=EksNodePool(weight=1, requirements=[ON_DEMAND, AMD64])),
        pod(cpu="1", memory="1Gi"),
        "c/default",
        {"c/general-purpose": "fits"},
        id="any weight is tried before the built-in pools",
    ),
    pytest.param(
        eks("system", "general-purpose"),
        pod(tolerations=[CRITICAL], nodeSelector={"karpenter.sh/nodepool": "system"}),
        "c/system",
        {"c/general-purpose": "cannot"},
        id="the built-in system pool, with its toleration",
    ),
    pytest.param(
        eks("system"),
        pod(tolerations=[{"key": "CriticalAddonsOnly", "operator": "Equal", "value": "true", "effect": "NoSchedule"}]),
        None,
        {"c/system": "cannot"},
        id="a taint without a value is not equal to true",
    ),
    pytest.param(
        nap(memory=AksNodePool(requirements=[keys.aks.capacity_type.one_of("on-demand"), keys.aks.sku_memory.more_than("127Gi")])),
        pod(memory="60Gi"),
        "c/memory",
        {"c/system": "cannot"},
        id="128 GiB by sku-memory",
    ),
    pytest.param(
        nap(memory=AksNodePool(requirements=[keys.aks.sku_family.one_of("E")])),
        pod(nodeSelector={"karpenter.azure.com/sku-memory": "131072"}, memory="60Gi"),
        "c/memory",
        {"c/system": "cannot"},
        id="128 GiB by sku-memory, asked for in MiB by the pod",
    ),
    pytest.param(
        nap(memory=AksNodePool(requirements=[keys.aks.sku_family.one_of("E")])),
        pod(nodeSelector={"karpenter.azure.com/sku-memory": "128"}),
        None,
        {"c/memory": "unknown"},
        id="128 MiB are no 128 GiB",
    ),
    pytest.param(
        nap(
            memory=AksNodePool(
                requirements=[
                    keys.aks.sku_family.one_of("E"),
                    keys.aks.sku_version.one_of(5),
                    keys.aks.sku_cpu.one_of(8),
                    keys.aks.sku_memory.one_of("128Gi"),
                ]
            )
        ),
        pod(),
        None,
        {"c/memory": "cannot"},
        id="8 vCPUs with 128 GiB are nothing but constrained sizes, which are never offered",
    ),
    pytest.param(
        nap(new=AksNodePool(requirements=[keys.aks.sku_name.one_of("Standard_Z8_v9")])),
        pod(cpu="2"),
        None,
        {"c/new": "unknown"},
        id="a size of next year",
    ),
    pytest.param(
        eks(
            new=EksNodePool(requirements=[keys.eks.instance_family.one_of("m99")]),
            typo=EksNodePool(requirements=[keys.eks.instance_family.one_of("M7i")]),
        ),
        pod(cpu="2"),
        None,
        {"c/new": "unknown", "c/typo": "cannot"},
        id="a family of next year, and one that no cloud spells so",
    ),
    pytest.param(
        nap(small=AksNodePool(requirements=[keys.aks.sku_name.one_of("Standard_B1s")])),
        pod(cpu="100m"),
        None,
        {"c/small": "cannot"},
        id="a size that is never offered",
    ),
    pytest.param(
        eks(new=EksNodePool(requirements=[keys.eks.instance_type.one_of("z9.large", "c5a.large")])),
        pod(cpu="6"),
        None,
        {"c/new": "unknown"},
        id="a type of next year beside one that is too small",
    ),
    pytest.param(
        eks(small=EksNodePool(requirements=[keys.eks.instance_type.one_of("t3.nano")])), pod(), None, {"c/small": "cannot"}, id="a size that never is"
    ),
    pytest.param(
        eks(new=EksNodePool(requirements=[keys.eks.instance_type.one_of("z9.large", "c5a.large")])), pod(cpu="1"), "c/new", {}, id="or large enough"
    ),
    pytest.param(
        eks(a=EksNodePool(requirements=[AMD64])),
        pod(nodeSelector={"node.kubernetes.io/instance-type": "z9.large"}),
        None,
        {"c/a": "unknown"},
        id="a pod for a type of next year",
    ),
    pytest.param(
        eks(a=EksNodePool(requirements=[keys.eks.instance_type.one_of("z9.large", "c5a.large")])),
        pod(nodeSelector={"node.kubernetes.io/instance-type": "c5a.large"}, cpu="6"),
        None,
        {"c/a": "cannot"},
        id="a pod for a type that is known to be too small",
    ),
    pytest.param(
        nap(p=AksNodePool(requirements=[Requirement("karpenter.azure.com/sku-series", "In", ["Dpls_v6"])])),
        pod(),
        None,
        {"c/p": "unknown"},
        id="a pool of machines by what no table tells",
    ),
    pytest.param(nap("Auto"), pod(), "c/default", {"c/system-surge": "cannot"}, id="the built-in default of node auto provisioning"),
    pytest.param(
        nap("Auto"),
        pod(tolerations=[CRITICAL], nodeSelector={"kubernetes.azure.com/mode": "system"}),
        "c/system",
        {"c/system-surge": "fits", "c/default": "cannot"},
        id="nodes that are there come before the surge of the system pool",
    ),
    pytest.param(
        eks(web=EksNodePool(requirements=[AMD64], startup_taints=[Taint("starting")])), pod(), "c/web", {}, id="startup taints keep no pod away"
    ),
    pytest.param(
        eks(web=EksNodePool(requirements=[AMD64], taints=[Taint("team", "ml", "PreferNoSchedule")])),
        pod(),
        "c/web",
        {},
        id="PreferNoSchedule is put up with at last",
    ),
    pytest.param(eks(fixed=EksNodePool(requirements=[AMD64], replicas=0)), pod(), None, {"c/fixed": "cannot"}, id="a static pool of no nodes"),
    pytest.param(eks(fixed=EksNodePool(requirements=[AMD64], replicas=2)), pod(), "c/fixed", {}, id="a static pool that takes all"),
    pytest.param(
        eks(fixed=EksNodePool(requirements=[AMD64], replicas=2)),
        pod(nodeSelector={"eks.amazonaws.com/instance-category": "m"}),
        None,
        {"c/fixed": "unknown"},
        id="a static pool chose its types before",
    ),
    pytest.param(eks(none=EksNodePool(requirements=[AMD64], limits={"nodes": 0})), pod(), None, {"c/none": "cannot"}, id="a limit of no nodes"),
    pytest.param(
        eks(never=EksNodePool(requirements=[AMD64], startup_taints=[Taint("a"), Taint("b"), Taint("a", "x")])),
        pod(),
        None,
        {"c/never": "cannot"},
        id="a taint twice: the NodePool never becomes ready",
    ),
    *(
        pytest.param(eks(never=EksNodePool(**{"requirements": [AMD64], **fields})), pod(), None, {"c/never": "cannot"}, id=f"never ready: {fields}")
        for fields in (
            {"labels": {"team": "a b"}},
            {"requirements": [AMD64, Requirement("te am", "Exists")]},
            {"requirements": [AMD64, Requirement("team", "NotIn", ["a b"])]},
            {"startup_taints": [Taint("team", "a b")]},
        )
    ),
    pytest.param(eks(none=EksNodePool(requirements=[AMD64], limits={"cpu": 1})), pod(), None, {"c/none": "cannot"}, id="a limit below any type"),
    pytest.param(eks(web=EksNodePool(requirements=[AMD64])), pod(gpu="16"), None, {"c/web": "cannot"}, id="more GPUs than any type has"),
    pytest.param(eks(web=EksNodePool(requirements=[AMD64])), pod(gpu="8"), "c/web", {}, id="as many as the largest has"),
    pytest.param(eks(web=EksNodePool(requirements=[AMD64])), pod(cpu="1000"), None, {"c/web": "cannot"}, id="more CPUs than any type has"),
    pytest.param(
        eks(web=EksNodePool(requirements=[AMD64, keys.eks.instance_cpu.one_of(2)])),
        pod(cpu="1700m"),
        None,
        {"c/web": "unknown"},
        id="between the figures",
    ),
    pytest.param(
        eks(web=EksNodePool(requirements=[AMD64, keys.eks.instance_cpu.one_of(2)])), pod(cpu="1400m"), "c/web", {}, id="below the lower figure"
    ),
    pytest.param(
        eks(web=EksNodePool(requirements=[AMD64])), pod(nodeSelector={"kubernetes.io/arch": "arm64"}), None, {"c/web": "cannot"}, id="arm64 of amd64"
    ),
    pytest.param(
        eks(web=EksNodePool()), pod(nodeSelector={"topology.kubernetes.io/zone": "us-east-1a"}), None, {"c/web": "unknown"}, id="zones undeclared"
    ),
    pytest.param(
        eks(zones=("us-east-1a", "us-east-1b"), web=EksNodePool()),
        pod(nodeSelector={"topology.kubernetes.io/zone": "us-east-1a"}),
        "c/web",
        {},
        id="a zone that is declared",
    ),
    pytest.param(
        eks(zones=("us-east-1a", "us-east-1b"), web=EksNodePool()),
        pod(nodeSelector={"topology.kubernetes.io/zone": "us-east-1c"}),
        None,
        {"c/web": "cannot"},
        id="and one that is not",
    ),
    pytest.param(
        eks(web=EksNodePool()),
        pod(nodeSelector={"topology.kubernetes.io/zone": "eu-west-1a"}),
        None,
        {"c/web": "cannot"},
        id="a zone of another region",
    ),
    *(
        pytest.param(
            derive(eks("system", web=EksNodePool(node_class=name, requirements=requirements)), auto_mode={"node_classes": {"own": node_class}}),
            pod(nodeSelector=selector),
            "c/web" if verdict == "fits" else None,
            {"c/web": verdict} if verdict != "fits" else {},
            id=words,
        )
        for words, name, node_class, requirements, selector, verdict in (
            ("a pod for reserved capacity, a class that selects none", "own", EksNodeClass(), [], _RESERVED, "cannot"),
            ("one that selects some", "own", _RESERVING, [], _RESERVED, "unknown"),
            ("the built-in class, which selects none", None, EksNodeClass(), [], _RESERVED, "cannot"),
            ("a class of somebody else", "other", EksNodeClass(), [], _RESERVED, "unknown"),
            ("reserved capacity alone, and the class selects some", "own", _RESERVING, [_RESERVED_ALONE], {}, "fits"),
            ("and it selects none", "own", EksNodeClass(), [_RESERVED_ALONE], {}, "cannot"),
            ("and it is the built-in one", None, EksNodeClass(), [_RESERVED_ALONE], {}, "cannot"),
            ("and it is of somebody else", "other", EksNodeClass(), [_RESERVED_ALONE], {}, "unknown"),
            ("and what it selects is laid over it", "own", _LAID_OVER, [_RESERVED_ALONE], {}, "unknown"),
            ("reserved capacity, or on demand", "own", EksNodeClass(), [Requirement(_CAPACITY, "In", ["reserved", "on-demand"])], {}, "fits"),
        )
    ),
    pytest.param(
        eks(web=EksNodePool(requirements=[Requirement("team", "Exists")])),
        pod(nodeSelector={"team": "ml"}),
        "c/web",
        {},
        id="a wildcard label adopts",
    ),
    pytest.param(
        eks(web=EksNodePool()), pod(nodeSelector={"kubernetes.io/hostname": "ip-10-0-0-1"}), None, {"c/web": "unknown"}, id="a pod for one node"
    ),
    pytest.param(
        eks(web=EksNodePool()),
        pod(nodeSelector={"karpenter.k8s.aws/instance-cpu": "4"}),
        None,
        {"c/web": "cannot"},
        id="labels of self-hosted Karpenter",
    ),
    pytest.param(
        eks(few=EksNodePool(requirements=[keys.eks.instance_category.one_of("c", "m", "r", min_values=2)])),
        pod(nodeSelector={"eks.amazonaws.com/instance-category": "c"}),
        None,
        {"c/few": "unknown"},
        id="minValues keep Karpenter from a node for a narrow pod",
    ),
    pytest.param(
        eks(few=EksNodePool(requirements=[keys.eks.instance_generation.one_of(7), keys.eks.instance_family.one_of("c7i", min_values=1)])),
        pod(nodeSelector={"eks.amazonaws.com/instance-category": "c"}),
        "c/few",
        {},
        id="and do not where enough remains",
    ),
    pytest.param(
        eks(a=EksNodePool(labels={"tier": "a"})),
        pod(affinity={**required([wants("tier", "In", "a")], [wants("tier", "In", "b")])}),
        "c/a",
        {},
        id="any required term will do",
    ),
    pytest.param(
        eks(a=EksNodePool(labels={"tier": "a"})),
        pod(
            affinity={
                "nodeAffinity": required([wants("tier", "In", "a")], [wants("tier", "In", "b")])["nodeAffinity"]
                | preferred((1, [wants("team", "In", "ml")]))["nodeAffinity"]
            }
        ),
        None,
        {"c/a": "unknown"},
        id="but the first is dropped before a preference is, and Karpenter starts no node",
    ),
    pytest.param(eks(a=EksNodePool()), pod(affinity=required([])), None, {"c/a": "cannot"}, id="an empty term matches nothing"),
    pytest.param(
        eks(a=EksNodePool()),
        pod(affinity=required([wants("team", "In", "a"), wants("team", "In", "b")])),
        None,
        {"c/a": "cannot"},
        id="a pod that contradicts itself",
    ),
    pytest.param(
        aks(gpu=GpuPool(vm_size="Standard_NC24ads_A100_v4", scale=Autoscale(0, 4))),
        pod(gpu="1", tolerations=[{"key": "sku", "value": "gpu", "effect": "NoSchedule"}]),
        "c/gpu",
        {"c/system": "cannot"},
        id="a GPU pod on its pool",
    ),
    pytest.param(
        aks(gpu=UserPool(vm_size="Standard_NC24ads_A100_v4")), pod(gpu="1"), None, {"c/gpu": "unknown"}, id="GPUs without our device plugin"
    ),
    pytest.param(aks(odd=UserPool(vm_size="Standard_Z9_v9")), pod(cpu="1"), None, {"c/odd": "unknown"}, id="a size that is not in the table"),
    pytest.param(
        aks(zoned=UserPool(vm_size=SIZE, count=3, zones=[1, 2])),
        IN_ZONE_1,
        None,
        {"c/system": "cannot", "c/zoned": "unknown"},
        id="a zone of a pool whose nodes may all be in the other zone",
    ),
    pytest.param(
        aks(zoned=UserPool(vm_size=SIZE, scale=Autoscale(3, 5), zones=[1, 2, 3])),
        IN_ZONE_1,
        None,
        {"c/zoned": "unknown"},
        id="an autoscaler adds nodes to a pool, and not to one of its zones",
    ),
    pytest.param(
        aks(zoned=UserPool(vm_size=SIZE, scale=Autoscale(0, 5), zones=[1])),
        IN_ZONE_1,
        "c/zoned",
        {},
        id="a pool in one zone grows there",
    ),
    pytest.param(
        aks(web=UserPool(vm_size=SIZE, overrides={"node_labels": {"a": "b"}})), pod(), None, {"c/web": "unknown"}, id="overrides are not read"
    ),
    pytest.param(
        aks(web=UserPool(vm_size=SIZE, previous=UserPool(vm_size="Standard_D2ds_v5"))),
        pod(),
        "c/web",
        {"c/web (previous)": "cannot"},
        id="a generation that goes takes no new pods",
    ),
    pytest.param(aks(web=UserPool(vm_size=SIZE, count=0)), pod(), None, {"c/web": "cannot"}, id="a pool of no nodes"),
    pytest.param(
        aks(more=SystemPool(vm_size=SIZE, isolated=False)), pod(), "c/more", {"c/system": "cannot"}, id="a system pool that is not isolated"
    ),
    pytest.param(
        nap(gpu=AksNodePool(requirements=[keys.aks.sku_family.one_of("N")])),
        pod(gpu="1"),
        None,
        {"c/gpu": "unknown"},
        id="GPUs of node auto provisioning",
    ),
    pytest.param(
        nap(web=AksNodePool()), pod(nodeSelector={"kubernetes.azure.com/os-sku": "Ubuntu"}), None, {"c/web": "unknown"}, id="a label untold on Azure"
    ),
    pytest.param(
        eks(a=EksNodePool()),
        pod(
            affinity={
                "nodeAffinity": required([wants("team", "Exists")])["nodeAffinity"] | preferred((1, [wants("team", "NotIn", "ml")]))["nodeAffinity"]
            }
        ),
        "c/a",
        {},
        id="with a preference that excludes a value, Karpenter starts a node with some value of a label that the pool does not set",
    ),
    pytest.param(
        eks(a=EksNodePool()),
        pod(
            affinity={
                "nodeAffinity": required([wants("team", "In", "a")])["nodeAffinity"] | preferred((1, [wants("team", "NotIn", "ml")]))["nodeAffinity"]
            }
        ),
        None,
        {"c/a": "cannot"},
        id="but none with a value that the pod asks for",
    ),
    pytest.param(
        eks(a=EksNodePool(taints=[Taint("team")])),
        pod(
            affinity={
                "nodeAffinity": required([wants("team", "Exists")])["nodeAffinity"] | preferred((1, [wants("team", "NotIn", "ml")]))["nodeAffinity"]
            }
        ),
        None,
        {"c/a": "cannot"},
        id="nor where a taint keeps it off",
    ),
    pytest.param(
        eks(a=EksNodePool(requirements=[AMD64])),
        pod(
            affinity={
                "nodeAffinity": required([wants("team", "Exists"), wants("kubernetes.io/arch", "In", "arm64")])["nodeAffinity"]
                | preferred((1, [wants("team", "NotIn", "ml")]))["nodeAffinity"]
            }
        ),
        None,
        {"c/a": "cannot"},
        id="nor where something else keeps it off",
    ),
    pytest.param(
        eks(a=EksNodePool(requirements=[Requirement("team", "NotIn", ["z"])])),
        pod(
            affinity={
                "nodeAffinity": required([wants("team", "In", "a")])["nodeAffinity"] | preferred((1, [wants("team", "In", "b")]))["nodeAffinity"]
            }
        ),
        "c/a",
        {},
        id="a preference against what is required is dropped",
    ),
    pytest.param(aks(win=WIN), pod(), None, {"c/win": "cannot"}, id="a plain pod stays off Windows, which is tainted"),
    pytest.param(aks(win=WIN), pod(os={"name": "windows"}), None, {"c/win": "cannot"}, id="a pod of Windows that does not tolerate the taint"),
    pytest.param(aks(win=WIN), pod(os={"name": "windows"}, tolerations=TO_WINDOWS), "c/win", {"c/system": "cannot"}, id="a pod of Windows"),
    pytest.param(aks(win=OPEN_WIN), pod(), "c/win", {}, id="a plain pod on Windows without a taint"),
    pytest.param(aks(win=OPEN_WIN), pod(os={"name": "windows"}), "c/win", {"c/system": "cannot"}, id="a pod of Windows, no taint"),
    pytest.param(aks(win=OPEN_WIN), pod(os={"name": "linux"}), None, {"c/win": "cannot"}, id="a pod of Linux stays off Windows"),
    pytest.param(eks(a=EksNodePool()), pod(os={"name": "windows"}), None, {"c/a": "cannot"}, id="Auto Mode runs no Windows"),
    pytest.param(
        aks(win=OPEN_WIN),
        pod(nodeSelector={"kubernetes.io/os": "windows", "node.kubernetes.io/windows-build": "10.0.20348"}),
        "c/win",
        {"c/system": "cannot"},
        id="Windows by its label and its build",
    ),
    pytest.param(
        aks(fips=UserPool(vm_size=SIZE, fips=True), web=WEB),
        pod(nodeSelector={"kubernetes.azure.com/fips_enabled": "true"}),
        "c/fips",
        {"c/web": "unknown"},
        id="an image that is validated by FIPS",
    ),
    pytest.param(aks(off=UserPool(vm_size=SIZE, count=3, power_state="Stopped")), pod(), None, {"c/off": "cannot"}, id="a pool that is stopped"),
    pytest.param(
        aks(disk=UserPool(vm_size=SIZE, os_disk_size_gb=64)),
        pod(containers=[{"name": "main", "resources": {"requests": {"ephemeral-storage": "50Gi"}}}]),
        "c/disk",
        {},
        id="the disk of the OS is shared with pods",
    ),
    pytest.param(nap("Auto", default=AksNodePool(weight=5)), pod(), "c/default", {"c/system-surge": "cannot"}, id="a default pool of one's own"),
    pytest.param(
        eks(a=EksNodePool(requirements=[AMD64], taints=[Taint("team", "ml"), Taint("rare", "", "PreferNoSchedule")])),
        pod(tolerations=[{"key": "team", "operator": "Exists"}]),
        "c/a",
        {},
        id="of two taints one is tolerated, the other put up with",
    ),
    pytest.param(
        aks(web=WEB),
        pod(affinity=required([wants("tier", "Gt", "many")])),
        None,
        {"c/web": "cannot"},
        id="what Kubernetes cannot read matches no node",
    ),
    pytest.param(
        aks(temp=UserPool(vm_size=SIZE, os_disk_size_gb=64, kubelet_disk_type="Temporary")),
        pod(containers=[{"name": "main", "resources": {"requests": {"ephemeral-storage": "100Gi"}}}]),
        None,
        {"c/temp": "unknown"},
        id="the disk of the OS is not that of pods",
    ),
    pytest.param(
        aks(web=WEB), pod(nodeSelector={"nvidia.com/gpu.product": "A100"}), None, {"c/web": "unknown"}, id="a label that discovery of GPUs sets"
    ),
    pytest.param(
        eks(a=EksNodePool()),
        pod(nodeSelector={"topology.ebs.csi.aws.com/zone": "us-east-1a"}),
        None,
        {"c/a": "unknown"},
        id="a label that a driver of volumes sets",
    ),
]


@pytest.mark.parametrize(("cluster", "raw", "taken", "others"), CASES)
def test_where_a_pod_lands(ask: Any, cluster: Any, raw: Any, taken: str | None, others: dict[str, str]) -> None:
    answer = ask(cluster, raw)
    told = {one.pool: one.verdict.value for one in answer.pools}
    assert answer.pool == taken, answer.pools
    assert {pool: told[pool] for pool in others} == others, answer.pools


def said(answer: Any, pool: str) -> list[str]:
    [judged] = [judged for judged in answer.pools if judged.pool == pool]
    return [f"{reason.kind.value}: {text}" for reason, text in zip(judged.reasons, reported(answer, judged), strict=True)]


REASONS = [
    pytest.param(
        pod(nodeSelector={"kubernetes.azure.com/scalesetpriority": "spot"}),
        "c/batch",
        "taint: pod did not tolerate taint `kubernetes.azure.com/scalesetpriority=spot:NoSchedule` → add toleration "
        "`kubernetes.azure.com/scalesetpriority=spot:NoSchedule`",
        id="selector and taint in conflict: why",
    ),
    pytest.param(
        pod(nodeSelector={"tier": "wbe"}),
        "c/web",
        "label: nodes didn't match node affinity/selector `tier=wbe`: they have `tier=web` → change `tier=wbe` to `tier=web`",
        id="a misspelt value",
    ),
    pytest.param(
        pod(nodeSelector={"teir": "web"}),
        "c/web",
        "label: nodes didn't match node affinity/selector `teir=web`: they have no label `teir` → change `teir=web` to `tier=web`",
        id="or key",
    ),
    pytest.param(
        pod(),
        "c/system",
        "taint: pod did not tolerate taint `CriticalAddonsOnly=true:NoSchedule`",
        id="a toleration is missing, and none is offered for a pool of the system",
    ),
    pytest.param(
        pod(cpu="16"),
        "c/web",
        f"resources: Insufficient cpu: pod requests 16 cpu, `{SIZE}` has 3860m → request at most `3260m` cpu",
        id="too large a request, with figures",
    ),
    pytest.param(
        pod(memory="12Gi"),
        "c/web",
        f"resources: pod requests 12Gi memory: `{SIZE}` has 12383Mi, of which at least 9976Mi is allocatable → request at most `9976Mi` memory",
        id="between both figures",
    ),
    pytest.param(
        pod(nodeSelector={"agentpool": "web"}),
        "c/web",
        "→ change `agentpool=web` to `nodepools/name=web`",
        id="the name of a pool that rotates",
    ),
]


@pytest.mark.parametrize(("raw", "pool", "reason"), REASONS)
def test_reasons_are_in_the_terms_of_the_schedulers(ask: Any, raw: Any, pool: str, reason: str) -> None:
    assert any(reason in one for one in said(ask(aks(web=WEB, batch=BATCH), raw), pool)), said(ask(aks(web=WEB, batch=BATCH), raw), pool)


def test_pools_that_are_equally_good_are_named_so(ask: Any) -> None:
    answer = ask(aks(a=WEB, b=WEB), pod(nodeSelector={"tier": "web"}))
    assert {rank.why for rank in answer.ranks.values()} == {"first choice with other pools: the scheduler picks the least used node"}


def test_equal_shapes_are_judged_once() -> None:
    platform = Platform(name="dev", clusters={"c": aks(web=WEB)})
    [pools] = catalog(platform)
    explainer = Explainer(pools)
    [one, other] = read_workloads([pod(), {**pod(), "metadata": {"name": "other"}}])
    assert explainer.answer(one).pools is explainer.answer(other).pools


def test_of_several_platforms_each_pool_is_told_with_its_platform() -> None:
    platforms = [Platform(name=name, clusters={"c": aks(web=WEB)}) for name in ("dev", "prod")]
    assert [nodes.address for pools in catalogs(platforms) for nodes in pools.static] == ["dev/c/system", "dev/c/web", "prod/c/system", "prod/c/web"]
    assert [pools.cluster for pools in catalogs(platforms[:1])] == ["c"]


def test_a_daemon_set_says_where_it_does_not_reach(ask: Any) -> None:
    said = ask(aks(web=WEB, batch=BATCH), {"kind": "DaemonSet", "metadata": {"name": "logs"}, "spec": {"template": template()}}).to_json()
    assert said["unreached"] == ["c/system", "c/batch"]
    assert "unreached" not in ask(aks(web=WEB), pod()).to_json()


def test_the_nearest_miss_is_told_first(ask: Any) -> None:
    answer = ask(aks(web=WEB, batch=BATCH), pod(nodeSelector={"tier": "wbe"}))
    assert [one.pool for one in answer.pools] == ["c/web", "c/batch", "c/system"]


GPU = GpuPool(vm_size="Standard_NC4as_T4_v3", count=1)
DEDICATED = derive(WEB, taints=["dedicated=web:NoSchedule"])
CLOSEST = [
    pytest.param({}, "c/web", id="pools for special hardware come after others with as many changes"),
    pytest.param(
        {"tolerations": [{"key": "sku", "operator": "Exists"}], "nodeSelector": {"no": "label"}}, "c/a-gpu", id="unless the pod asks for it"
    ),
    pytest.param({"nodeSelector": {"kubernetes.io/os": "windows"}}, None, id="no image of Windows runs on Linux"),
    pytest.param({"os": {"name": "windows"}}, None, id="whichever field says so"),
]


def _closest(answer: Any) -> str | None:
    """The only pool that one change makes the pod fit."""
    found = [pool for remedy in remedies([answer]) for pool in remedy.pools]
    assert len(found) <= 1
    return found[0] if found else None


@pytest.mark.parametrize(("fields", "closest"), CLOSEST)
def test_the_closest_pool_is_one_that_a_change_reaches(ask: Any, fields: dict[str, Any], closest: str | None) -> None:
    answer = ask(aks(**{"a-gpu": GPU, "web": DEDICATED}), pod(**fields))
    assert _closest(answer) == closest


ASKED = [
    pytest.param({"containers": [{"name": "c", "resources": {"limits": {"nvidia.com/gpu": 1}}}]}, "c/a-gpu", id="by a device"),
    pytest.param({"nodeSelector": {"kubernetes.azure.com/scalesetpriority": "spot"}}, "c/batch", id="by the label of spot capacity"),
    pytest.param({"nodeSelector": {"kubernetes.io/os": "windows"}}, "c/win", id="by the label of Windows"),
    pytest.param({"os": {"name": "windows"}}, "c/win", id="by the system of its image"),
    pytest.param({"containers": [{"name": "c", "resources": {"limits": {"nvidia.com/gpu": 2}}}]}, None, id="more devices than it has"),
    pytest.param({"nodeSelector": {"no": "label"}}, "c/web", id="not at all"),
]


@pytest.mark.parametrize(("fields", "closest"), ASKED)
def test_special_hardware_is_offered_to_pods_that_ask_for_it(ask: Any, fields: dict[str, Any], closest: str | None) -> None:
    """Its taint is then what keeps them off."""
    assert _closest(ask(aks(**{"a-gpu": GPU, "batch": BATCH, "win": WIN, "web": WEB}), pod(**fields))) == closest


def test_a_pool_of_the_system_is_closest_only_if_the_pod_asks_for_it(ask: Any) -> None:
    wrong = {"nodeSelector": {"no": "label"}}
    assert _closest(ask(aks(), pod(**wrong))) is None
    tolerant = pod(**wrong, tolerations=[{"key": "CriticalAddonsOnly", "operator": "Exists"}])
    assert _closest(ask(aks(), tolerant)) is None, "nodes of an untainted pool of the system are for the system, too"
    asking = pod(
        nodeSelector={"no": "label", "kubernetes.azure.com/mode": "system"}, tolerations=[{"key": "CriticalAddonsOnly", "operator": "Exists"}]
    )
    assert _closest(ask(aks(), asking)) == "c/system"


def test_100_replicas_with_a_selector_for_one_pool_are_counted_in_nodes(ask: Any) -> None:
    asks = template(cpu="500m", memory="1Gi", nodeSelector={"nodepools/name": "web"})
    web = {"kind": "Deployment", "metadata": {"name": "web"}, "spec": {"replicas": 100, "template": asks}}
    answer = ask(aks(web=WEB, other=WEB), web)
    assert answer.pool == "c/web"
    assert answer.notices == ("100 pods need at least 15 nodes of `c/web` (at most 7 per node, limited by cpu): it has at most 5",)


def test_daemons_take_their_share_of_every_node_first() -> None:
    web = {"kind": "Deployment", "metadata": {"name": "web"}, "spec": {"replicas": 16, "template": template(cpu="500m", memory="1Gi")}}
    logs = {"kind": "DaemonSet", "metadata": {"name": "logs"}, "spec": {"template": template(cpu="100m", memory="10Mi")}}
    agents = {"kind": "DaemonSet", "metadata": {"name": "agents"}, "spec": {"template": template(cpu="600m", memory="10Mi")}}
    found = explain([*read_workloads(web), *read_workloads(agents)], catalog(Platform(name="dev", clusters={"c": aks(web=WEB)})))
    share = "at most 7 per node, 6 next to DaemonSets, limited by cpu"
    assert found[0].notices == (f"16 pods need at least 3 nodes of `c/web` ({share}): it has 1 to 5",), "pods can be scheduled before DaemonSets"
    found = explain([*read_workloads(web), *read_workloads(logs)], catalog(Platform(name="dev", clusters={"c": aks(web=WEB)})))
    assert found[0].notices == ("16 pods need at least 3 nodes of `c/web` (at most 7 per node, limited by cpu): it has 1 to 5",)


def test_and_by_max_pods(ask: Any) -> None:
    web = {"kind": "Deployment", "metadata": {"name": "web"}, "spec": {"replicas": 100, "template": template(cpu="10m", memory="10Mi")}}
    small = UserPool(vm_size=SIZE, scale=Autoscale(1, 9), max_pods=30)
    assert ask(aks(web=small), web).notices == (
        "100 pods need at least 4 nodes of `c/web` (at most 30 per node, limited by max-pods): it has 1 to 9",
    )


def test_more_replicas_than_a_node_takes_pods(ask: Any) -> None:
    light = {"kind": "Deployment", "metadata": {"name": "web"}, "spec": {"replicas": 300, "template": template()}}
    assert ask(aks(web=WEB), light).notices == (
        "300 pods need at least 2 nodes of `c/web` (at most 250 per node, limited by max-pods): it has 1 to 5",
    )


def test_kubenet_gives_a_node_110_pods(ask: Any) -> None:
    light = {"kind": "Deployment", "metadata": {"name": "web"}, "spec": {"replicas": 300, "template": template()}}
    cluster = derive(aks(web=WEB), network_profile={"plugin": "kubenet"})
    assert ask(cluster, light).notices == ("300 pods need at least 3 nodes of `c/web` (at most 110 per node, limited by max-pods): it has 1 to 5",)


def test_daemons_take_their_share_of_each_node(ask: Any) -> None:
    daemon = {"kind": "DaemonSet", "metadata": {"name": "logs"}, "spec": {"template": template(cpu="1")}}
    assert ask(aks(web=WEB), pod(cpu="3")).pool == "c/web"
    beside = ask(aks(web=WEB), pod(cpu="3"), daemon)
    assert beside.verdict is Verdict.UNKNOWN
    assert "pod requests 3 cpu (plus 1 for DaemonSets)" in said(beside, "c/web")[0]


DAEMON = {"kind": "DaemonSet", "metadata": {"name": "logs"}, "spec": {"template": template(cpu="1", memory="1Gi")}}
BESIDE = [
    pytest.param(
        aks(web=WEB), pod(cpu="3500m"), "c/web", "unknown", f"pod requests 3500m cpu (plus 1 for DaemonSets), `{SIZE}` has 3860m", id="a node"
    ),
    pytest.param(
        aks(web=WEB), pod(cpu="5"), "c/web", "cannot", f"pod requests 5 cpu (plus 1 for DaemonSets), `{SIZE}` has 3860m", id="too large anyway"
    ),
    pytest.param(
        eks(a=EksNodePool(requirements=[AMD64, keys.eks.instance_cpu.one_of(2)])),
        pod(cpu="1500m"),
        "c/a",
        "unknown",
        "pod requests 1500m cpu (plus 1 for DaemonSets), the largest allowed type,",
        id="a type",
    ),
    pytest.param(
        eks(a=EksNodePool(requirements=[AMD64, keys.eks.instance_cpu.one_of(2)])),
        pod(cpu="3"),
        "c/a",
        "cannot",
        "pod requests 3 cpu (plus 1 for DaemonSets), the largest allowed type,",
        id="a pod too large for any type",
    ),
]


@pytest.mark.parametrize(("cluster", "raw", "pool", "verdict", "reason"), BESIDE)
def test_daemons_never_make_it_certain_that_a_pod_cannot(ask: Any, cluster: Any, raw: Any, pool: str, verdict: str, reason: str) -> None:
    [judged] = [one for one in ask(cluster, raw, DAEMON).pools if one.pool == pool]
    assert judged.verdict.value == verdict
    assert any(reason in one.message for one in judged.reasons), judged.reasons


def test_the_request_that_is_certain_to_fit_is_what_daemons_leave(ask: Any) -> None:
    assert "→ request at most `2260m` cpu" in said(ask(aks(web=WEB), pod(cpu="3"), DAEMON), "c/web")[0]
    most = {"kind": "DaemonSet", "metadata": {"name": "most"}, "spec": {"template": template(cpu="3500m")}}
    assert "→" not in said(ask(aks(web=WEB), pod(cpu="100m"), most), "c/web")[0]


CORDONED = """
apiVersion: v1
kind: List
items:
- {kind: Node, metadata: {name: node-1, labels: {kubernetes.io/hostname: node-1}}, spec: {unschedulable: true,
   taints: [{key: node.kubernetes.io/unschedulable, effect: NoSchedule}]}, status: {allocatable: {cpu: "2", pods: "30"}}}
"""


@pytest.mark.parametrize(
    ("raw", "verdict"),
    [
        pytest.param(pod(), Verdict.CANNOT, id="a cordoned node takes no pod"),
        pytest.param({"kind": "DaemonSet", "metadata": {"name": "d"}, "spec": {"template": template()}}, Verdict.FITS, id="but those of DaemonSets"),
        pytest.param(pod(tolerations=[{"operator": "Exists"}]), Verdict.FITS, id="and those that put up with everything"),
    ],
)
def test_a_cordoned_node(raw: Any, verdict: Verdict) -> None:
    [workload] = read_workloads(raw)
    assert Explainer(read_existing_pools([(CORDONED, "nodes.yaml")])).answer(workload).verdict is verdict


def test_the_closest_pool_is_the_one_that_the_pod_names(ask: Any) -> None:
    pools = aks(web=WEB, one=UserPool(vm_size=SIZE, count=1, taints=["team=ml:NoSchedule"]))
    assert _closest(ask(pools, pod(nodeSelector={"nodepools/name": "one"}))) == "c/one"
    for label in ("kubernetes.azure.com/agentpool", "agentpool"):
        assert _closest(ask(pools, pod(nodeSelector={label: "one"}))) is None, "it takes two changes, and no other pool was meant"


def test_a_pod_with_a_node_needs_to_tolerate_what_evicts_it_alone(ask: Any) -> None:
    pools = aks(one=UserPool(vm_size=SIZE, count=1, taints=["team=ml:NoSchedule"]), two=UserPool(vm_size=SIZE, count=1, taints=["team=ml:NoExecute"]))
    answer = ask(pools, pod(nodeName="node-1"))
    assert {one.pool: one.verdict for one in answer.pools if one.pool != "c/system"} == {"c/one": Verdict.FITS, "c/two": Verdict.CANNOT}
