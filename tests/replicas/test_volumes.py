"""How many replicas run with their volumes, and in the order of a StatefulSet."""

from typing import Any

import pytest

from nodepools import EksNodePool, Platform, Taint, UserPool, keys
from nodepools.clouds.registry import catalog
from nodepools.eks import ClusterObjects
from nodepools.model.derive import derive
from nodepools.placement.verdict import Kind, Verdict
from nodepools.placement.workloads.objects import read_workload_objects
from nodepools.placement.workloads.reader import read_workloads
from nodepools.replicas.explained import explain_replicas
from tests.replicas.clusters import HOST, SMALL, ZONE, aks, apart, count, eks, near, spread, told, web

TWO_ZONES = eks("a", "b", any=EksNodePool())
NO_CLASS = derive(TWO_ZONES, objects=ClusterObjects(storage_class=None))
FIVE = aks(web=UserPool(vm_size=SMALL, count=5))
ZONAL = aks(web=UserPool(vm_size=SMALL, count=4, zones=[1]), more=UserPool(vm_size=SMALL, count=4, zones=[2]))
NO_POOLS = eks()
AZURE_ZONE, EBS_ZONE = "topology.disk.csi.azure.com/zone", "topology.ebs.csi.aws.com/zone"


FAST_DISK = {
    "volumeClaimTemplate": {
        "spec": {"storageClassName": "fast", "accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}},
    }
}


def uses(*claims: str) -> list[dict[str, Any]]:
    return [{"name": f"v{number}", "persistentVolumeClaim": {"claimName": name}} for number, name in enumerate(claims)]


def claim(name: str = "data", **fields: Any) -> dict[str, Any]:
    spec = {key: value for key, value in fields.items() if key not in ("metadata", "status")}
    metadata = {"name": name, **fields.get("metadata", {})}
    return {"kind": "PersistentVolumeClaim", "metadata": metadata, "spec": spec, "status": fields.get("status", {})}


def volume(name: str, *zones: str, key: str = ZONE, phase: str = "Bound", **spec: Any) -> dict[str, Any]:
    """A PersistentVolume in one of several zones; without zones, everywhere."""
    terms = [{"matchExpressions": [{"key": key, "operator": "In", "values": [zone]}]} for zone in zones]
    affinity = {"nodeAffinity": {"required": {"nodeSelectorTerms": terms}}} if zones else {}
    return {"kind": "PersistentVolume", "metadata": {"name": name}, "spec": {**affinity, **spec}, "status": {"phase": phase}}


def of_claim(name: str, namespace: str = "default") -> dict[str, Any]:
    return {"claimRef": {"namespace": namespace, "name": name}}


def storage(
    name: str, *zones: str, driver: str = "ebs.csi.eks.amazonaws.com", mode: str | None = "WaitForFirstConsumer", **fields: Any
) -> dict[str, Any]:
    topologies = {"allowedTopologies": [{"matchLabelExpressions": [{"key": ZONE, "values": list(zones)}]}]} if zones else {}
    return {"kind": "StorageClass", "metadata": {"name": name}, "provisioner": driver, "volumeBindingMode": mode, **topologies, **fields}


def db(replicas: int = 3, *, storage_class: str | None = "fast", policy: str = "OrderedReady", first: int = 0, **spec: Any) -> dict[str, Any]:
    """A StatefulSet, each of whose pods has a claim `data-db-N`."""
    made = web(replicas, name="db", kind="StatefulSet", **spec)
    templates = [{"metadata": {"name": "data"}, "spec": {"storageClassName": storage_class}}]
    made["spec"] |= {"volumeClaimTemplates": templates, "podManagementPolicy": policy, "ordinals": {"start": first}}
    return made


AMD64 = {"nodeSelector": {"kubernetes.io/arch": "amd64"}}


def two_volumes(made: dict[str, Any]) -> dict[str, Any]:
    made["spec"]["volumeClaimTemplates"].append({"metadata": {"name": "log"}, "spec": {"storageClassName": "fast"}})
    return made


def bound(number: int, zone: str) -> list[dict[str, Any]]:
    """The claim of one pod of `db`, with its volume in a zone."""
    return [claim(f"data-db-{number}", volumeName=f"pv-{number}"), volume(f"pv-{number}", f"us-east-1{zone}", **of_claim(f"data-db-{number}"))]


DATA = web(1, volumes=uses("data"))
MANY = web(3, volumes=uses("data"))
FAST = storage("fast")
ELSEWHERE = volume("pv", "us-east-1c", **of_claim("data"))

ROWS = [
    # volumes that exist
    pytest.param(TWO_ZONES, [DATA, claim(volumeName="pv"), volume("pv", "us-east-1a")], ("fits", 1, 1, []), id="a volume in a zone of the cluster"),
    pytest.param(TWO_ZONES, [DATA, claim(volumeName="pv"), ELSEWHERE], ("cannot", 0, 0, ["volume"]), id="in no zone of the cluster"),
    pytest.param(TWO_ZONES, [DATA, ELSEWHERE], ("cannot", 0, 0, ["volume"]), id="a volume that is reserved for the claim"),
    pytest.param(TWO_ZONES, [DATA, claim(volumeName="pv"), volume("pv", "us-east-1c", "us-east-1a")], ("fits", 1, 1, []), id="in one of two zones"),
    pytest.param(TWO_ZONES, [DATA, claim(volumeName="pv"), volume("pv")], ("fits", 1, 1, []), id="on every node"),
    pytest.param(
        TWO_ZONES,
        [DATA, claim(volumeName="pv"), volume("pv", "us-east-1c", key=EBS_ZONE)],
        ("cannot", 0, 0, ["volume"]),
        id="by the driver's own label",
    ),
    pytest.param(
        TWO_ZONES,
        [DATA, claim(volumeName="pv"), volume("pv", nodeAffinity={"required": {"nodeSelectorTerms": []}})],
        ("cannot", 0, 0, ["volume"]),
        id="terms that match no node",
    ),
    pytest.param(TWO_ZONES, [DATA, claim(volumeName="pv")], ("unknown", 0, 1, ["volume"]), id="a volume that is not in the input"),
    pytest.param(TWO_ZONES, [DATA], ("unknown", 0, 1, ["volume"]), id="a claim that is not in the input"),
    pytest.param(
        TWO_ZONES,
        [DATA, claim(volumeName="pv"), volume("pv", "us-east-1a", **of_claim("data", "other"))],
        ("cannot", 0, 0, ["volume"]),
        id="the volume of another claim",
    ),
    pytest.param(
        TWO_ZONES, [DATA, claim(volumeName="pv"), volume("pv", "us-east-1a", phase="Released")], ("unknown", 0, 1, ["volume"]), id="a released volume"
    ),
    pytest.param(
        TWO_ZONES, [DATA, claim(status={"phase": "Lost"}, volumeName="pv")], ("cannot", 0, 0, ["volume"]), id="a claim that lost its volume"
    ),
    pytest.param(
        TWO_ZONES, [DATA, claim(metadata={"deletionTimestamp": "2026-11-22T00:00:00Z"})], ("cannot", 0, 0, ["volume"]), id="that is being deleted"
    ),
    pytest.param(
        TWO_ZONES,
        [DATA, claim(volumeName="pv"), volume("pv", "ip-10-0-0-1", key=HOST)],
        ("unknown", 0, 1, ["volume"]),
        id="a disk of one node, which may exist",
    ),
    pytest.param(NO_POOLS, [DATA, claim(volumeName="pv"), volume("pv", "us-east-1a")], ("cannot", 0, 0, ["no_pool", "volume"]), id="no pool at all"),
    pytest.param(
        TWO_ZONES,
        [
            web(1, volumes=uses("a", "b")),
            claim("a", volumeName="pa"),
            claim("b", volumeName="pb"),
            volume("pa", "us-east-1a"),
            volume("pb", "us-east-1b"),
        ],
        ("cannot", 0, 0, ["volume"]),
        id="two volumes in different zones",
    ),
    pytest.param(
        TWO_ZONES,
        [
            web(1, volumes=uses("a", "b")),
            claim("a", volumeName="pa"),
            claim("b", volumeName="pb"),
            volume("pa", "us-east-1a", "us-east-1b"),
            volume("pb", "us-east-1b", "us-east-1c"),
        ],
        ("fits", 1, 1, []),
        id="two volumes with a zone in common",
    ),
    pytest.param(
        TWO_ZONES,
        [
            web(1, volumes=uses("a", "b")),
            claim("a", volumeName="pa"),
            claim("b", volumeName="pb"),
            *(volume(name, *(f"{name}{number}" for number in range(9))) for name in ("pa", "pb")),
        ],
        ("unknown", 0, 1, ["volume"]),
        id="too many combinations",
    ),
    pytest.param(
        TWO_ZONES,
        [web(1, volumes=uses("a", "b", "c")), claim("a", status={"phase": "Lost"}), claim("b"), claim("c", status={"phase": "Lost"})],
        ("cannot", 0, 0, ["volume"]),
        id="one volume that is lost, and one that is unknown",
    ),
    pytest.param(
        TWO_ZONES,
        [web(1, nodeSelector={ZONE: "us-east-1b"}, volumes=uses("data")), claim(volumeName="pv"), volume("pv", "us-east-1a")],
        ("cannot", 0, 0, ["volume"]),
        id="the pod selects another zone",
    ),
    pytest.param(
        TWO_ZONES,
        [
            web(
                1,
                volumes=uses("data"),
                affinity={
                    "nodeAffinity": {
                        "requiredDuringSchedulingIgnoredDuringExecution": {
                            "nodeSelectorTerms": [{}, {"matchExpressions": [{"key": ZONE, "operator": "In", "values": ["us-east-1a"]}]}]
                        }
                    }
                },
            ),
            claim(volumeName="pv"),
            volume("pv", "us-east-1b"),
        ],
        ("cannot", 0, 0, ["volume"]),
        id="no term of its node affinity matches the zone",
    ),
    pytest.param(TWO_ZONES, [MANY, claim(volumeName="pv"), volume("pv", "us-east-1a")], ("fits", 3, 3, []), id="all pods in the zone of a volume"),
    pytest.param(
        ZONAL,
        [web(9, requests={"cpu": "1"}, volumes=uses("data")), claim(volumeName="pv"), volume("pv", "westeurope-2", key=AZURE_ZONE)],
        ("partly", 4, 4, ["volume", "room"]),
        id="only the nodes in the zone of the volume have room",
    ),
    pytest.param(
        FIVE, [DATA, claim(volumeName="pv"), volume("pv", "", key=AZURE_ZONE)], ("fits", 1, 1, []), id="a volume in no zone, for nodes in no zone"
    ),
    pytest.param(
        ZONAL, [DATA, claim(volumeName="pv"), volume("pv", "", key=AZURE_ZONE)], ("cannot", 0, 0, ["volume"]), id="but not for those in zones"
    ),
    pytest.param(
        TWO_ZONES,
        [web(2, volumes=uses("data"), **spread(ZONE)), claim(volumeName="pv"), volume("pv", "us-east-1a")],
        ("unknown", 1, 2, ["volume"]),
        id="a spread over zones does not know of the volume",
    ),
    pytest.param(TWO_ZONES, [web(1, volumes=[{"name": "e", "emptyDir": {}}])], ("fits", 1, 1, []), id="an empty directory"),
    # volumes that are created
    pytest.param(TWO_ZONES, [DATA, claim(storageClassName="fast"), FAST], ("fits", 1, 1, []), id="in the zone of the pod"),
    pytest.param(TWO_ZONES, [MANY, claim(storageClassName="fast"), FAST], ("fits", 3, 3, []), id="shared: in the zone of the first pod"),
    pytest.param(
        ZONAL,
        [web(5, requests={"cpu": "1"}, volumes=uses("data")), claim(storageClassName="fast"), FAST],
        ("unknown", 4, 5, ["volume"]),
        id="which may have few nodes",
    ),
    pytest.param(
        TWO_ZONES,
        [DATA, web(1, name="other", volumes=uses("data")), claim(storageClassName="fast"), FAST],
        ("unknown", 0, 1, ["volume"]),
        id="in the zone of whichever workload is first",
    ),
    pytest.param(TWO_ZONES, [DATA, claim(storageClassName="fast"), storage("fast", "us-east-1a")], ("fits", 1, 1, []), id="in an allowed zone"),
    pytest.param(
        TWO_ZONES, [DATA, claim(storageClassName="fast"), storage("fast", "us-east-1c")], ("cannot", 0, 0, ["volume"]), id="in no allowed zone"
    ),
    pytest.param(TWO_ZONES, [DATA, claim(storageClassName="fast"), storage("fast", mode=None)], ("unknown", 0, 1, ["volume"]), id="before the pod"),
    pytest.param(
        TWO_ZONES,
        [MANY, claim(storageClassName="fast"), storage("fast", mode="Immediate", driver="efs.csi.aws.com")],
        ("fits", 3, 3, []),
        id="a file system in the network",
    ),
    pytest.param(
        TWO_ZONES,
        [DATA, claim(storageClassName="fast"), storage("fast", driver="kubernetes.io/no-provisioner")],
        ("unknown", 0, 1, ["volume"]),
        id="by an administrator",
    ),
    pytest.param(
        TWO_ZONES,
        [DATA, claim(storageClassName="fast"), FAST, volume("pv", "us-east-1c", phase="Available", storageClassName="fast")],
        ("unknown", 0, 1, ["volume"]),
        id="unless one of the class is free",
    ),
    pytest.param(TWO_ZONES, [DATA, claim(storageClassName="")], ("unknown", 0, 1, ["volume"]), id="without a class"),
    pytest.param(TWO_ZONES, [DATA, claim(storageClassName="slow")], ("unknown", 0, 1, ["volume"]), id="by a class that is not in the input"),
    pytest.param(TWO_ZONES, [DATA, claim()], ("fits", 1, 1, []), id="by the default class of a declared cluster"),
    pytest.param(NO_CLASS, [DATA, claim()], ("unknown", 0, 1, ["volume"]), id="which it may not have"),
    pytest.param(FIVE, [DATA, claim(storageClassName="managed-csi")], ("fits", 1, 1, []), id="by a class that AKS creates"),
    pytest.param(FIVE, [MANY, claim(storageClassName="azurefile-csi")], ("fits", 3, 3, []), id="by its class of file systems"),
    pytest.param(
        TWO_ZONES,
        [MANY, claim(storageClassName="fast", accessModes=["ReadWriteOncePod"]), FAST],
        ("partly", 1, 1, ["volume"]),
        id="for one pod at a time",
    ),
    pytest.param(
        TWO_ZONES,
        [
            web(1, kind="DaemonSet", volumes=uses("data")),
            claim(volumeName="pv", accessModes=["ReadWriteOncePod"]),
            volume("pv", **of_claim("data")),
        ],
        ("unknown", 0, 1, ["volume"]),
        id="of a DaemonSet, whose pods are on all nodes",
    ),
    pytest.param(
        TWO_ZONES,
        [DATA, web(1, name="other", volumes=uses("data")), claim(volumeName="pv", accessModes=["ReadWriteOncePod"]), volume("pv")],
        ("unknown", 0, 1, ["volume"]),
        id="which may be the other workload's",
    ),
    # StatefulSets
    pytest.param(TWO_ZONES, [db(), FAST], ("fits", 3, 3, []), id="a volume for each pod"),
    pytest.param(TWO_ZONES, [db(storage_class=None)], ("fits", 3, 3, []), id="of the default class"),
    pytest.param(NO_CLASS, [db(2**31 - 1)], ("unknown", 0, 2**31 - 1, ["volume"]), id="of a class that is not in the input"),
    pytest.param(FIVE, [db(9, storage_class="managed-csi")], ("unknown", 5, 9, ["room"]), id="a node is certain to mount the volumes of one pod"),
    pytest.param(TWO_ZONES, [db(), FAST, *bound(0, "a"), *bound(1, "b")], ("fits", 3, 3, []), id="with volumes of earlier pods"),
    pytest.param(TWO_ZONES, [db(), FAST, *bound(1, "c")], ("partly", 1, 1, ["order", "volume"]), id="the second pod stops the third"),
    pytest.param(TWO_ZONES, [db(policy="Parallel"), FAST, *bound(1, "c")], ("partly", 2, 2, ["volume"]), id="unless pods are created in parallel"),
    pytest.param(
        TWO_ZONES, [db(4), FAST, *bound(1, "a"), claim("data-db-2", volumeName="x")], ("unknown", 2, 4, ["order", "volume"]), id="it may stop there"
    ),
    pytest.param(TWO_ZONES, [db(2, first=5), FAST, *bound(1, "c"), *bound(6, "c")], ("partly", 1, 1, ["volume"]), id="ordinals from 5"),
    pytest.param(TWO_ZONES, [db(1), FAST, *bound(0, "a")], ("fits", 1, 1, []), id="all volumes exist"),
    pytest.param(
        TWO_ZONES,
        [db(), storage("fast", mode=None), *bound(2, "a")],
        ("unknown", 0, 3, ["order", "volume"]),
        id="only the volume of the last pod exists",
    ),
    pytest.param(TWO_ZONES, [two_volumes(db(1)), FAST, *bound(0, "c")], ("cannot", 0, 0, ["volume"]), id="one of two volumes exists"),
    pytest.param(TWO_ZONES, [db(), FAST, claim("data-db-007", volumeName="x"), claim("data-db-x")], ("fits", 3, 3, []), id="names of other claims"),
    pytest.param(
        TWO_ZONES, [db(), storage("fast", mode="Immediate"), *bound(0, "a")], ("unknown", 1, 3, ["volume"]), id="volumes to come are unknown"
    ),
    pytest.param(
        TWO_ZONES,
        [db(**apart(HOST)), FAST, *bound(0, "a"), *bound(1, "b")],
        ("unknown", 1, 3, ["volume"]),
        id="which group is first decides, if they repel",
    ),
    pytest.param(
        TWO_ZONES,
        [
            web(3, volumes=[{"name": "e", "ephemeral": FAST_DISK}]),
            storage("fast", "us-east-1b"),
        ],
        ("fits", 3, 3, []),
        id="ephemeral volumes",
    ),
]


@pytest.mark.parametrize(("cluster", "found", "expected"), ROWS)
def test_the_first_workload(cluster: Any, found: list[dict[str, Any]], expected: tuple[object, ...]) -> None:
    counted = count(cluster, *found)[0]
    assert told(counted) == expected
    assert all(pending.message for pending in counted.pending)


MESSAGES = [
    pytest.param(
        [DATA, claim(volumeName="pv"), ELSEWHERE],
        [
            (
                "PersistentVolume `pv` of PersistentVolumeClaim `data` requires `topology.kubernetes.io/zone=us-east-1c`; "
                "no pool has such nodes. "
                "Add a pool whose nodes have `topology.kubernetes.io/zone=us-east-1c`, or use a volume in a place where pools have nodes"
            )
        ],
        id="a volume elsewhere",
    ),
    pytest.param(
        [DATA, claim(storageClassName="fast"), storage("fast", mode=None)],
        [
            (
                "storage class `fast` creates PersistentVolumeClaim `data` before the pod is scheduled, in a zone that cannot be determined offline. "
                "Use a StorageClass with `volumeBindingMode: WaitForFirstConsumer`"
            )
        ],
        id="binding mode",
    ),
    pytest.param(
        [db(), FAST, claim("data-db-1", status={"phase": "Lost"})],
        [
            (
                "a StatefulSet creates a pod when the one before it is ready: none after `db-1` while that one is Pending "
                "(PersistentVolumeClaim `data-db-1` lost its PersistentVolume). Create the claim again"
            ),
            "PersistentVolumeClaim `data-db-1` lost its PersistentVolume. Create the claim again",
        ],
        id="order",
    ),
]


@pytest.mark.parametrize(("found", "messages"), MESSAGES)
def test_messages(found: list[dict[str, Any]], messages: list[str]) -> None:
    pending = count(TWO_ZONES, *found)[0].pending
    assert [f"{waiting.message}. {waiting.fix}".removesuffix(". ") for waiting in pending] == messages


A_TAINT = [Taint("a", "b", "NoSchedule")]
MIXED = aks(
    one=UserPool(vm_size=SMALL, count=4, zones=[1]),
    two=UserPool(vm_size=SMALL, count=4, zones=[2]),
    kept=UserPool(vm_size=SMALL, count=4, zones=[1], taints=A_TAINT),
)
IN_TWO, IN_THREE = (volume("pv", f"westeurope-{number}", **of_claim("data")) for number in (2, 3))
REQUIRES = "PersistentVolume `pv` of PersistentVolumeClaim `data` requires "
AFFINITY = f"node(s) didn't match PersistentVolume's node affinity: {REQUIRES}"
ALLOWED = "node(s) didn't find available persistent volumes to bind: storage class `fast` of PersistentVolumeClaim `data` allows only "
LACKING = "PersistentVolumeClaim `data` is not in the input"
UNTOLERATED = "pod did not tolerate taint `a=b:NoSchedule`"
TWO, THREE = (f"`{ZONE}=westeurope-{number}`" for number in (2, 3))
VERDICTS = [
    pytest.param(
        [DATA, IN_TWO], {"c/one": [AFFINITY + TWO], "c/kept": [UNTOLERATED, AFFINITY + TWO], "c/two": []}, "c/two", id="one pool has its zone"
    ),
    pytest.param(
        [DATA, IN_THREE],
        {"c/one": [AFFINITY + THREE], "c/two": [AFFINITY + THREE], "c/kept": [UNTOLERATED, AFFINITY + THREE]},
        None,
        id="no pool has its zone",
    ),
    pytest.param(
        [DATA, claim(storageClassName="fast"), storage("fast", "westeurope-2", driver="disk.csi.azure.com")],
        {"c/one": [ALLOWED + TWO], "c/kept": [UNTOLERATED, ALLOWED + TWO], "c/two": []},
        "c/two",
        id="a class that allows one zone",
    ),
    pytest.param([DATA], {"c/one": [LACKING], "c/kept": [UNTOLERATED], "c/two": [LACKING]}, None, id="a volume that is not in the input"),
    pytest.param(
        [DATA, volume("pv", "westeurope-1", "westeurope-2", **of_claim("data"))],
        {"c/one": [], "c/kept": [UNTOLERATED], "c/two": []},
        "c/one",
        id="every pool has one of its zones",
    ),
    pytest.param(
        [db(2), volume("p0", "westeurope-1", **of_claim("data-db-0")), volume("p1", "westeurope-2", **of_claim("data-db-1"))],
        {"c/one": [], "c/kept": [UNTOLERATED], "c/two": []},
        "c/one",
        id="each pod of a StatefulSet in another zone",
    ),
    pytest.param(
        [web(None, kind="DaemonSet", volumes=uses("data")), IN_TWO],
        {"c/one": [REQUIRES + TWO], "c/kept": [UNTOLERATED], "c/two": [REQUIRES + TWO]},
        None,
        id="a DaemonSet, whose pods are on nodes of every zone",
    ),
]


@pytest.mark.parametrize(("found", "reasons", "chosen"), VERDICTS)
def test_pools_that_volumes_exclude(found: list[dict[str, Any]], reasons: dict[str, list[str]], chosen: str | None) -> None:
    pools = catalog(Platform(name="dev", clusters={"c": MIXED}))
    answer = explain_replicas(list(read_workloads(found)), pools, read_workload_objects(found))[0].answer
    told_of = {one.pool: [reason.message for reason in one.reasons] for one in answer.pools if one.pool != "c/system"}
    assert told_of == reasons
    assert answer.pool == chosen
    excluded = [one for one in answer.pools if any(reason.kind is Kind.VOLUME for reason in one.reasons)]
    assert all(one.verdict is Verdict.CANNOT and answer.fix(one) is None for one in excluded)
    assert all(answer.fix(one) is not None for one in answer.pools if one.pool == "c/kept" and one not in excluded)


def test_karpenter_has_its_own_words() -> None:
    pools = catalog(Platform(name="dev", clusters={"c": TWO_ZONES}))
    found = [DATA, ELSEWHERE]
    [explained] = explain_replicas(list(read_workloads(found)), pools, read_workload_objects(found))
    assert [reason.message.partition(":")[0] for reason in explained.answer.pools[0].reasons] == ["incompatible volume requirements"]


def test_the_other_pods_of_a_workload_compete_for_the_nodes_of_one_zone() -> None:
    first = [claim("data-db-0", volumeName="pv-0"), volume("pv-0", "westeurope-3", key=AZURE_ZONE, **of_claim("data-db-0"))]
    cluster = aks(web=UserPool(vm_size=SMALL, count=1, zones=[3]), other=UserPool(vm_size=SMALL, count=2, zones=[1]))
    [counted, *_] = count(cluster, db(2, policy="Parallel", **apart(HOST, labelSelector={"matchLabels": {"app": "web"}})), *first, FAST)
    messages = [pending.message for pending in counted.pending]
    assert any(message.endswith("next to the workload's other pods, which can use `c/web` too") for message in messages), messages


APART = aks(web=UserPool(vm_size=SMALL, count=1, zones=[3]), other=UserPool(vm_size=SMALL, count=1, zones=[1]))
IN_THREE, IN_ONE = (
    [
        claim(f"data-db-{number}", volumeName=f"pv-{number}"),
        volume(f"pv-{number}", f"westeurope-{zone}", key=AZURE_ZONE, **of_claim(f"data-db-{number}")),
    ]
    for number, zone in enumerate((3, 1))
)
HALF = {"requests": {"cpu": "1"}}
LOST = claim("data-db-0", status={"phase": "Lost"})


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        pytest.param([*IN_THREE, *IN_ONE], (2, 2), id="in two zones"),
        pytest.param([LOST, *IN_ONE], (1, 1), id="one is lost"),
        pytest.param(IN_ONE, (0, 2), id="one is still to be created, in any zone"),
        pytest.param([*IN_THREE, *IN_ONE, web(2, name="rival", **HALF)], (0, 2), id="next to pods of others"),
    ],
)
def test_pods_whose_volumes_are_elsewhere_take_no_room(found: list[dict[str, Any]], expected: tuple[int, int]) -> None:
    [counted, *_] = count(APART, db(2, policy="Parallel", **HALF), FAST, *found)
    assert (counted.scheduled.minimum, counted.scheduled.maximum) == expected


def _default(name: str, created: str, mode: str) -> dict[str, Any]:
    metadata = {"name": name, "annotations": {"storageclass.kubernetes.io/is-default-class": "true"}, "creationTimestamp": created}
    return {"kind": "StorageClass", "metadata": metadata, "provisioner": "ebs.csi.eks.amazonaws.com", "volumeBindingMode": mode}


DEFAULTS = [
    (("", "WaitForFirstConsumer"), ("", "Immediate"), "unknown"),
    (("2026-01-01T00:00:00Z", "WaitForFirstConsumer"), ("", "Immediate"), "unknown"),
    (("2026-01-02T00:00:00Z", "WaitForFirstConsumer"), ("2026-01-01T00:00:00Z", "Immediate"), "fits"),
    (("2026-01-01T00:00:00Z", "WaitForFirstConsumer"), ("2026-01-02T00:00:00Z", "Immediate"), "unknown"),
    (("2026-01-01T00:00:00Z", "WaitForFirstConsumer"), ("2026-01-01T00:00:00Z", "Immediate"), "fits"),
]


@pytest.mark.parametrize(("one", "other", "expected"), DEFAULTS)
def test_of_several_default_classes_the_newest_is_taken(one: tuple[str, str], other: tuple[str, str], expected: str) -> None:
    [found] = count(TWO_ZONES, web(1, volumes=uses("data")), claim(), _default("a", *one), _default("b", *other))
    assert found.verdict.value == expected


def shares(replicas: int = 2, *, mode: str = "ReadWriteOnce", driver: str = "disk.csi.azure.com", **spec: Any) -> list[dict[str, Any]]:
    """Pods that share one claim, whose volume is everywhere."""
    bound = volume("pv", csi={"driver": driver, "volumeHandle": "x"}, **of_claim("data"))
    return [web(replicas, volumes=uses("data"), **spec), claim(accessModes=[mode], volumeName="pv"), bound]


SHARED = [
    pytest.param(shares(), ("unknown", 1, 2, ["volume"]), id="a disk is attached to one node"),
    pytest.param(shares(1), ("fits", 1, 1, []), id="one pod"),
    pytest.param(shares(mode="ReadWriteMany"), ("fits", 2, 2, []), id="on many nodes"),
    pytest.param(shares(driver="file.csi.azure.com"), ("fits", 2, 2, []), id="a network file system"),
    pytest.param(shares(**near(HOST)), ("fits", 2, 2, []), id="all pods on one node"),
    pytest.param([*shares(1), web(1, name="other", volumes=uses("data"))], ("unknown", 0, 1, ["volume"]), id="with another workload"),
]


@pytest.mark.parametrize(("found", "expected"), SHARED)
def test_pods_that_share_a_disk(found: list[dict[str, Any]], expected: tuple[object, ...]) -> None:
    assert told(count(FIVE, *found)[0]) == expected


@pytest.mark.parametrize(("uid", "least"), [(None, 0), ("u", 1)])
def test_the_claim_of_a_generic_ephemeral_volume(uid: str | None, least: int) -> None:
    spec: dict[str, Any] = {"containers": [{"name": "c"}], "volumes": [{"name": "v", "ephemeral": FAST_DISK}]}
    pod = {"kind": "Pod", "metadata": {"name": "p", **({"uid": uid} if uid else {})}, "spec": spec}
    found = [pod, claim("p-v", volumeName="pv"), volume("pv", "westeurope-1"), storage("fast", driver="disk.csi.azure.com")]
    assert told(count(ZONAL, *found)[0])[1] == least
    nowhere = volume("pv", "westeurope-3")
    assert told(count(ZONAL, pod, found[1], nowhere, found[3])[0])[2] == (0 if uid else 1)


@pytest.mark.parametrize(("zones", "warned"), [(["us-east-1a"], []), (["us-east-1a", "us-east-1b"], ["spread"]), ([], ["spread"])])
def test_a_spread_is_not_told_to_wait_for_a_zone_that_no_volume_can_be_in(zones: list[str], warned: list[str]) -> None:
    """With `minDomains: 2` and volumes in one zone, all pods but `maxSkew` stay Pending."""
    found = [db(**spread(ZONE), **AMD64), storage("fast", *zones)]
    pools = catalog(Platform(name="dev", clusters={"c": TWO_ZONES}))
    [explained] = explain_replicas(list(read_workloads(found)), pools, read_workload_objects(found))
    assert [warning.kind.value for warning in explained.answer.warnings] == warned
    assert not [pending.message for pending in explained.count.pending if pending.message.endswith("; ")]


def test_a_pool_that_the_volumes_exclude_is_not_one_that_spreads() -> None:
    zones = {"one": ["us-east-1a"], "two": ["us-east-1b", "us-east-1c"]}
    pools = {name: EksNodePool(requirements=[keys.eks.zone.one_of(*within)]) for name, within in zones.items()}
    found = [db(**spread(ZONE), **AMD64), storage("fast", "us-east-1a")]
    known = catalog(Platform(name="dev", clusters={"c": eks("a", "b", "c", **pools)}))
    [explained] = explain_replicas(list(read_workloads(found)), known, read_workload_objects(found))
    assert [warning.kind.value for warning in explained.answer.warnings] == []
