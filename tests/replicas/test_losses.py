"""Pools after a loss of capacity, and what workloads then do: nothing fits that did not fit before."""

import random
from dataclasses import replace
from typing import Any

import pytest

from nodepools import AksClusterArgs, AksNodePool, Autoscale, EksClusterArgs, EksNodePool, NodeProvisioning, Platform, SpotPool, SystemPool, UserPool
from nodepools.answers import explain
from nodepools.clouds.amounts import Amount
from nodepools.clouds.registry import catalog
from nodepools.loading import UnreadableError
from nodepools.model.karpenter import Requirement
from nodepools.placement.cloud_labels import unknown_provider
from nodepools.placement.existing_nodes import ExistingPods
from nodepools.placement.node_pools import KarpenterPool
from nodepools.placement.static_pools import StaticPool
from nodepools.placement.verdict import Verdict
from nodepools.placement.workloads.objects import read_workload_objects
from nodepools.placement.workloads.reader import read_workloads
from nodepools.replicas.count import Outcome
from nodepools.replicas.explained import explain_replicas
from nodepools.replicas.losses import (
    Loss,
    UnknownLossError,
    after_a_loss,
    explain_without,
    read_losses,
    remaining,
    single_losses,
    unknown_zones,
    without,
)
from nodepools.replicas.must_fit import unplaced
from tests.replicas import random_clusters as made
from tests.replicas.clusters import aks, eks, spread, web

SIZE = "Standard_D4ds_v5"
ZONE, TYPE, CAPACITY = "topology.kubernetes.io/zone", "node.kubernetes.io/instance-type", "karpenter.sh/capacity-type"


def pool(**fields: Any) -> UserPool:
    return UserPool.model_validate({"vm_size": SIZE, "count": 6, "zones": [1, 2, 3], **fields})


def counts(cluster: Any, workload: Any, *losses: str) -> tuple[str, str]:
    """The verdict on a workload after a loss, and how many of its pods are scheduled."""
    pools = catalog(Platform(name="dev", clusters={"c": cluster}))
    [found] = explain_without(list(read_workloads(workload)), pools, read_losses(losses, pools))
    return found.count.verdict.value, str(found.count)


def named(operator: Any = "In", *values: str, key: str = ZONE) -> EksNodePool:
    return EksNodePool(requirements=[Requirement(key, operator, list(values))])


ON_WEB: Any = {"nodeSelector": {"nodepools/name": "web"}}
ONE_EACH: Any = {"requests": {"cpu": "3"}}  # a node has room for one
SPREAD = spread(ZONE)
EACH_ZONE = aks(**{f"web{zone}": pool(zones=[zone]) for zone in (1, 2, 3)})

CASES: list[tuple[str, Any, Any, str, tuple[str, str]]] = [
    ("no cloud promises nodes in the other zones", aks(web=pool()), web(4, **ONE_EACH), "zone=1", ("unknown", "up to 4 of 4")),
    ("a pool in another zone is left", aks(web=pool(zones=[1]), other=pool(zones=[2])), web(6, **ONE_EACH), "zone=1", ("fits", "6 of 6")),
    ("of two pools one may be left", aks(web=pool(zones=[1, 2]), other=pool(zones=[3])), web(7, **ONE_EACH), "zone=1", ("unknown", "6 to 7 of 7")),
    ("all of a pool in one zone is lost", aks(web=pool(zones=[1])), web(1, **ON_WEB), "zone=westeurope-1", ("cannot", "0 of 1")),
    ("zones of other regions are not", aks(web=pool(zones=[1])), web(1, **ON_WEB), "pool=c/system", ("fits", "1 of 1")),
    ("nodes without a zone can be in any", aks(web=pool(zones=[]), other=pool()), web(1, **ON_WEB), "zone=1", ("unknown", "up to 1 of 1")),
    ("a pool", aks(web=pool(), other=pool()), web(1, **ON_WEB), "pool=web", ("cannot", "0 of 1")),
    ("another pool saves the pods", aks(web=pool(), other=pool()), web(3), "pool=c/web", ("fits", "3 of 3")),
    ("spot capacity", aks(web=SpotPool(vm_size=SIZE, count=2)), web(1, **ON_WEB, tolerations=[{"operator": "Exists"}]), "spot", ("cannot", "0 of 1")),
    ("a size", aks(web=pool(vm_size="Standard_E4s_v5")), web(1, **ON_WEB), "size=Standard_E4s_v5", ("cannot", "0 of 1")),
    ("a family", aks(web=pool(vm_size="Standard_E4s_v5")), web(1, **ON_WEB), "size=Esv5", ("cannot", "0 of 1")),
    ("a zone that still has Nodes counts", EACH_ZONE, web(4, **SPREAD), "zone=1", ("unknown", "1 to 4 of 4")),
    ("unless taints are honored", EACH_ZONE, web(4, **spread(ZONE, nodeTaintsPolicy="Honor")), "zone=1", ("fits", "4 of 4")),
    ("Karpenter counts its zones", eks("a", "b", any=EksNodePool()), web(4, **SPREAD), "zone=us-east-1a", ("unknown", "1 to 4 of 4")),
    ("a zone of two", eks("a", "b", any=EksNodePool()), web(4), "zone=us-east-1a", ("fits", "4 of 4")),
    ("both", eks("a", "b", any=EksNodePool()), web(4), "zone=us-east-1a,zone=us-east-1b", ("cannot", "0 of 4")),
    ("the only one of a pool", eks("a", "b", any=named("In", "us-east-1a")), web(4), "zone=us-east-1a", ("cannot", "0 of 4")),
    (
        "one that the pods require",
        eks("a", "b", any=EksNodePool()),
        web(1, nodeSelector={ZONE: "us-east-1b"}),
        "zone=us-east-1b",
        ("cannot", "0 of 1"),
    ),
    ("its identifier is not known", eks("a", "b", any=EksNodePool()), web(1), "zone=use1-az1", ("unknown", "up to 1 of 1")),
    ("spot only", eks("a", any=named("In", "spot", key=CAPACITY)), web(1), "spot", ("cannot", "0 of 1")),
    ("spot or not", eks("a", any=EksNodePool()), web(1), "spot", ("fits", "1 of 1")),
    ("never spot", eks("a", any=named("In", "on-demand", key=CAPACITY)), web(1), "spot", ("fits", "1 of 1")),
    ("a type of many", eks("a", any=EksNodePool()), web(1), "size=m5.large", ("fits", "1 of 1")),
    ("the family of a pool", eks("a", any=named("In", "m5.large", "m5.xlarge", key=TYPE)), web(1), "size=m5", ("cannot", "0 of 1")),
    ("a NodePool", eks("a", any=EksNodePool()), web(1), "pool=any", ("cannot", "0 of 1")),
    ("a static one, in part", eks("a", "b", any=EksNodePool(replicas=2)), web(1), "zone=us-east-1a", ("unknown", "up to 1 of 1")),
]


@pytest.mark.parametrize(("cluster", "workload", "loss", "expected"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_a_loss(cluster: Any, workload: Any, loss: str, expected: tuple[str, str]) -> None:
    assert counts(cluster, workload, loss) == expected


NAP = AksClusterArgs(
    location="westeurope",
    kubernetes_version="1.35",
    system_pool=SystemPool(vm_size=SIZE, count=3, zones=[1, 2, 3]),
    node_provisioning=NodeProvisioning(node_pools={"any": AksNodePool()}),
)


@pytest.mark.parametrize("zone", ["1", "westeurope-1"])
def test_a_zone_of_node_auto_provisioning(zone: str) -> None:
    pinned: Any = {"nodeSelector": {ZONE: "westeurope-1"}}
    assert counts(NAP, web(1, **pinned), f"zone={zone}") == ("cannot", "0 of 1")
    assert counts(NAP, web(1), f"zone={zone}") == ("fits", "1 of 1")


NAMED = [
    (["zone=1", "zone=2", "zone=3"], {"c/web": "zone 1 and zone 2 and zone 3"}),
    (["zone=1,pool=web"], {"c/web": "zone 1 and pool web"}),
    (["pool=web,zone=1"], {"c/web": "pool web"}),
    (["spot,zone=1"], {}),
]


@pytest.mark.parametrize(("written", "expected"), NAMED)
def test_a_pool_is_lost_with_each_loss_that_takes_a_part_of_it(written: list[str], expected: dict[str, str]) -> None:
    [pools] = catalog(Platform(name="dev", clusters={"c": aks(web=pool())}))
    left = without(pools, read_losses(written, [pools]))
    assert {one.address: one.lost for one in left.static if one.lost} == expected


def test_what_was_not_certain_before_is_not_after() -> None:
    pools = catalog(Platform(name="dev", clusters={"c": aks(web=pool(), other=pool())}))
    workloads = list(read_workloads(web(3)))
    whole, less = (explain_replicas(workloads, each) for each in (pools, [without(each, [Loss("pool", "web")]) for each in pools]))
    [found] = after_a_loss(whole, less, pools, [Loss("pool", "web")])
    assert {each.pool: each.verdict.value for each in found.answer.pools} == {"c/web": "unknown", "c/other": "fits", "c/system": "cannot"}
    [found] = after_a_loss(whole, [replace(less[0], count=replace(less[0].count, scheduled=Amount(1, 3)))], pools, [])
    assert (found.count.scheduled, found.count.pending[-1].message) == (Amount(1, 3), "more pods are not certain before the loss either")


def test_zones_by_label() -> None:
    """Of running nodes, and of node groups whose zones are those of their subnets."""
    group = StaticPool("ng", ({},), choices={ZONE: frozenset({"us-east-1a", "us-east-1b"})})
    aws = StaticPool("n1", ({ZONE: "us-east-1a", "topology.k8s.aws/zone-id": "use1-az4", "topology.kubernetes.io/region": "us-east-1"},))
    pools = type(catalog(Platform(name="dev", clusters={"c": aks()}))[0])("c", (group, aws))
    lost = {each: [bool(one.lost) for one in without(pools, [Loss("zone", each)]).static] for each in ("use1-az4", "us-east-1a", "eu-west-1a", "1")}
    assert lost == {"use1-az4": [False, True], "us-east-1a": [False, True], "eu-west-1a": [False, False], "1": [False, False]}
    assert list(without(pools, [Loss("zone", "us-east-1a")]).unsure) == ["ng"]
    assert without(pools, [Loss("zone", "eu-west-1a"), Loss("zone", "us-east-1c")]) is pools
    both = without(pools, [Loss("zone", "us-east-1a"), Loss("zone", "us-east-1b"), Loss("zone", "us-east-1b")])
    assert [one.lost for one in both.static] == ["zone us-east-1a and zone us-east-1b", "zone us-east-1a"]


def test_a_number_is_a_zone_of_azure() -> None:
    pools = catalog(Platform(name="dev", clusters={"c": eks("a", any=EksNodePool())}))[0]
    assert without(pools, [Loss("zone", "1")]) is pools


def test_must_fit_without() -> None:
    platform = Platform(name="dev", clusters={"c": aks(web=pool(count=2, zones=[1]))}, must_fit=[web(2, **ON_WEB)])
    assert [(one.entry, one.certain) for losses in ([], [Loss("zone", "1")]) for one in unplaced(platform, losses)] == [(0, True)]


WRONG = [
    ("zone=9", "no pool has zone `9`: zones are `westeurope-1`, `westeurope-2`, `westeurope-3`"),
    ("pool=wbe", "there is no pool `wbe`: use `web`"),
    ("size=m5", "no pool has size `m5`: sizes are `Standard_D4ds_v5`"),
    ("size=Standard_D4ds_v6", "no pool has size `Standard_D4ds_v6`: use `Standard_D4ds_v5`"),
    ("zones=1", "use `zone`"),
    ("zone", "`zone` is not a capacity: write `zone=1`, `spot`, `pool=web` or `size=Standard_D4s_v5`, with commas between several, or `each` alone"),
    ("spot=1", "`spot=1` is not a capacity"),
    ("", "`` is not a capacity"),
    ("each,spot", "`each` is not a capacity"),
]


@pytest.mark.parametrize(("written", "message"), WRONG, ids=[case[0] for case in WRONG])
def test_what_cannot_be_lost(written: str, message: str) -> None:
    platform = Platform(name="dev", clusters={"c": aks(web=pool())})
    with pytest.raises(UnknownLossError) as refused:
        read_losses([written], catalog(platform))
    assert message in str(refused.value)
    with pytest.raises(UnreadableError):
        explain(platform, "", without=[written])


def test_zones_that_are_not_known() -> None:
    pools = catalog(Platform(name="dev", clusters={"c": EksClusterArgs(region="us-east-1", kubernetes_version="1.35")}))
    assert unknown_zones(pools) == ["c/general-purpose", "c/system"]
    assert read_losses(["zone=us-east-1a"], pools) == (Loss("zone", "us-east-1a"),)
    with pytest.raises(UnknownLossError, match="zones are not known"):
        read_losses(["zone=eu-north-1a"], pools)


def test_each_single_loss() -> None:
    pools = catalog(Platform(name="dev", clusters={"weu": aks(web=pool(zones=[1, 2]), spot=SpotPool(vm_size=SIZE, count=1))}))
    assert list(map(str, single_losses(pools))) == [
        "zone=westeurope-1",
        "zone=westeurope-2",
        "spot",
        "pool=weu/system",
        "pool=weu/web",
        "pool=weu/spot",
    ]


def test_a_provider_that_is_not_known() -> None:
    unread = unknown_provider("", "its node class is not known")
    static = StaticPool("old", ({},), choices={ZONE: frozenset({"eu-1a", "eu-1b"}), TYPE: frozenset({"m5.large"})})
    whole = catalog(Platform(name="dev", clusters={"c": eks("a", any=EksNodePool())}))[0]
    [launching] = whole.provisioned
    pools = type(whole)("c", (static,), (KarpenterPool("c/any", "any", unread, launching.pool, {}, choices=unread.choices_of(frozenset())),))
    for loss, unsure in ((Loss("size", "m5"), ["c/any"]), (Loss("zone", "eu-1a"), ["old", "c/any"]), (Loss("zone", "eu-9z"), ["c/any"])):
        assert list(without(pools, [loss]).unsure) == unsure
    assert without(pools, [Loss("size", "m5")]).static[0].lost == "size m5"
    assert without(pools, [Loss("pool", "other")]) is pools


def test_pods_of_lost_nodes_wait() -> None:
    nodes = [StaticPool(name, ({ZONE: zone},), names=frozenset({name})) for name, zone in (("n1", "r-1"), ("n2", "r-2"))]
    [bare, owned, agent, other] = [
        next(iter(read_workloads({"kind": "Pod", "metadata": {"name": name, **owner}, "spec": {"nodeName": node, "containers": [{"name": "a"}]}})))
        for name, node, owner in (
            ("bare", "n1", {}),
            ("web-1", "n1", {"ownerReferences": [{"kind": "StatefulSet", "name": "web", "controller": True}]}),
            ("agent", "n1", {"ownerReferences": [{"kind": "DaemonSet", "name": "agent", "controller": True}]}),
            ("web-2", "n2", {}),
        )
    ]
    left, pods = remaining(nodes, ExistingPods((bare, owned, agent, other)), [Loss("zone", "1")])
    assert [node.address for node in left] == ["n2"]
    assert pods is not None
    assert ([pod.name for pod in pods.bound], [(pod.name, pod.pod.node_name) for pod in pods.waiting]) == (["web-2"], [("web-1", "")])
    assert remaining(nodes, None, [Loss("zone", "1")]) == (left, None)


@pytest.mark.parametrize("seed", [*range(12), 153, 251])
def test_lost_capacity_adds_nothing(seed: int) -> None:
    """Even where a spread counts what is lost, so that more pods run without it: 153 and 251."""
    chance = random.Random(seed)  # noqa: S311
    raw = made.workloads(chance)
    cluster = made.declared_aks(chance) if chance.choice(("aks", "eks")) == "aks" else made.declared_eks(chance)
    pools = catalog(Platform(name="dev", clusters={"c": cluster}))
    workloads, objects = list(read_workloads(raw)), read_workload_objects(raw)
    for loss in single_losses(pools):
        for after in explain_without(workloads, pools, [loss], objects):
            whole = after.before
            assert whole is not None
            fits = [{each.pool for each in one.answer.pools if each.verdict is Verdict.FITS} for one in (after, whole)]
            assert fits[0] <= fits[1], loss
            assert after.count.scheduled.minimum <= whole.count.scheduled.minimum, loss
            if whole.count.verdict is not Outcome.FITS and after.count.wanted:  # without its nodes, a DaemonSet has no pods
                assert after.count.verdict is not Outcome.FITS, loss


@pytest.mark.parametrize("lost", [["pool=c/other"], ["spot"], ["spot", "pool=c/other"]])
def test_without_karpenter_a_lost_pool_has_no_domains(lost: list[str]) -> None:
    """Nodes of the pool that are gone are in no zone: no scheduler counts them, and the pods fit as before."""
    spot = SpotPool(vm_size=SIZE, scale=Autoscale(min=0, max=9), labels={"tier": "spot"})
    pools = catalog(Platform(name="dev", clusters={"c": aks(web=pool(labels={"tier": "web"}), other=pool(count=3), batch=spot)}))
    both = [web(3, nodeSelector={"tier": "web"}, **SPREAD), web(4, name="zk", labels={"app": "zk"}, nodeSelector={"tier": "none"})]
    [first, _] = explain_without(list(read_workloads(both)), pools, read_losses(lost, pools))
    assert (first.count.verdict, first.count.pending) == (Outcome.FITS, ())


def _claim(**fields: Any) -> dict[str, Any]:
    return {"kind": "PersistentVolumeClaim", "metadata": {"name": "data-web-0"}, "spec": {"storageClassName": "disks"}, **fields}


def _class(**fields: Any) -> dict[str, Any]:
    lrs = {"provisioner": "disk.csi.azure.com", "parameters": {"skuName": "Premium_LRS"}, "volumeBindingMode": "WaitForFirstConsumer"}
    return {"kind": "StorageClass", "metadata": {"name": "disks"}, **lrs, **fields}


def _in_zones(*zones: str) -> dict[str, Any]:
    return {"allowedTopologies": [{"matchLabelExpressions": [{"key": "topology.disk.csi.azure.com/zone", "values": list(zones)}]}]}


_IN_ZONE_2 = {"required": {"nodeSelectorTerms": [{"matchExpressions": [{"key": ZONE, "operator": "In", "values": ["westeurope-2"]}]}]}}
_OF_CLAIM = {"claimRef": {"namespace": "default", "name": "data-web-0"}, "nodeAffinity": _IN_ZONE_2}
_RESERVED = {"kind": "PersistentVolume", "metadata": {"name": "pv"}, "spec": _OF_CLAIM}
_OF_ONE: Any = {"volumes": [{"name": "data", "persistentVolumeClaim": {"claimName": "data-web-0"}}]}
_SPEC = {"storageClassName": "disks", "accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}
_OWN: Any = {"volumes": [{"name": "data", "ephemeral": {"volumeClaimTemplate": {"spec": _SPEC}}}]}
DISKS = [
    pytest.param({}, [_class()], "zone=1", "unknown", id="claims of a StatefulSet"),
    pytest.param({}, [_class(provisioner="acme.io/disks")], "zone=1", "unknown", id="a driver that is not known"),
    pytest.param({}, [_class(provisioner="file.csi.azure.com")], "zone=1", "fits", id="a file system in the network"),
    pytest.param({}, [_class(parameters={"skuName": "Premium_ZRS"})], "zone=1", "fits", id="disks in all zones"),
    pytest.param({}, [_class()], "pool=two", "fits", id="another loss"),
    pytest.param({}, [_class()], "zone=1,pool=two", "unknown", id="and another loss"),
    pytest.param({}, [_class(**_in_zones("westeurope-2", "westeurope-3"))], "zone=1", "fits", id="a class of other zones"),
    pytest.param({}, [_class(**_in_zones("westeurope-1", "westeurope-3"))], "zone=1", "unknown", id="a class of this zone, too"),
    pytest.param({"nodeSelector": {ZONE: "westeurope-2"}}, [_class()], "zone=1", "fits", id="pods in another zone"),
    pytest.param({"nodeSelector": {"nodepools/name": "two"}}, [_class()], "zone=1", "fits", id="pods on a pool in another zone"),
    pytest.param(_OWN, [_class()], "zone=1", "fits", id="disks that end with their pods"),
    pytest.param(_OF_ONE, [_class(), _claim()], "zone=1", "unknown", id="a claim, which the cluster may have bound"),
    pytest.param(_OF_ONE, [_class(), _claim(status={"phase": "Pending"})], "zone=1", "fits", id="a claim that is not bound"),
    pytest.param({}, [_class(), _claim()], "zone=1", "unknown", id="a claim of the StatefulSet, which the cluster may have bound"),
    pytest.param({}, [_class(), _claim(status={"phase": "Pending"})], "zone=1", "fits", id="the claims that exist, and are not bound"),
    pytest.param({}, [_class(), _RESERVED], "zone=1", "fits", id="a volume in another zone"),
]


@pytest.mark.parametrize(("spec", "objects", "loss", "verdict"), DISKS)
def test_a_disk_can_be_in_the_lost_zone(spec: Any, objects: list[dict[str, Any]], loss: str, verdict: str) -> None:
    """Unless something says that it is elsewhere: the zone of a volume decides, or the pods could not run there."""
    raw = web(1, kind="Deployment" if spec in (_OF_ONE, _OWN) else "StatefulSet", **spec)
    if raw["kind"] == "StatefulSet":
        raw["spec"]["volumeClaimTemplates"] = [{"metadata": {"name": "data"}, "spec": _SPEC}]
    pools = catalog(Platform(name="dev", clusters={"c": aks(one=pool(zones=[1]), two=pool(zones=[2]), three=pool(zones=[3]))}))
    [found] = explain_without(list(read_workloads(raw)), pools, read_losses([loss], pools), read_workload_objects(objects))
    assert (found.before.count.verdict.value if found.before else "", found.count.verdict.value) == ("fits", verdict)
    if verdict == "unknown":
        [waits] = found.count.pending
        assert waits.message == "the disk of PersistentVolumeClaim `data-web-0` can be in the lost zone (StorageClass `disks`)"
        assert waits.fix.endswith("the zone of its PersistentVolume decides")
