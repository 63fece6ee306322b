"""Pools as a cluster holds them: node classes tell zones, disk and image of their pools; nodes tell the region."""

from typing import Any

import pytest

from nodepools.clouds.aks.pools import aks_choices_of
from nodepools.manifests.existing.existing_pools import read_existing_pools
from nodepools.placement.explain import Answer, Explainer
from nodepools.placement.workloads.reader import read_workloads
from nodepools.reading.bounded_input import TextError
from tests.placement.conftest import pod, reported, required, wants

ZONE, ZONE_ID, REGION = "topology.kubernetes.io/zone", "topology.k8s.aws/zone-id", "topology.kubernetes.io/region"
EKS_POOL = """
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: compute, generation: 3, uid: 0c6e}
spec:
  template:
    spec:
      nodeClassRef: {group: eks.amazonaws.com, kind: NodeClass, name: private-5xg0}
      requirements: [{key: kubernetes.io/arch, operator: In, values: [amd64]}]
status: {nodes: 2, resources: {cpu: "8"}}
"""
EKS_CLASS = """
apiVersion: eks.amazonaws.com/v1
kind: NodeClass
metadata: {name: private-5xg0}
spec:
  role: nodes
  ephemeralStorage: {size: 200Gi}
  aFieldOfNextYear: {}
status:
  subnets:
  - {id: subnet-1, zone: us-east-1a, zoneID: use1-az1}
  - {id: subnet-2, zone: us-east-1b, zoneID: use1-az2}
"""
_RESERVED = {"karpenter.sh/capacity-type": "reserved"}
_RESERVING = EKS_CLASS.replace("  role: nodes\n", "  role: nodes\n  capacityReservationSelectorTerms: [{id: cr-1}]\n")
_RESERVED_ALONE = EKS_POOL.replace(
    "kubernetes.io/arch, operator: In, values: [amd64]", "karpenter.sh/capacity-type, operator: In, values: [reserved]"
)
AKS_POOL = """
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: general}
spec:
  template:
    spec:
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: own}
      requirements: [{key: karpenter.azure.com/sku-family, operator: In, values: [D]}]
"""
_IN_TWO_ZONES = EKS_POOL.replace(
    "values: [amd64]}", "values: [amd64]}, {key: topology.kubernetes.io/zone, operator: In, values: [us-east-1a, us-east-1b]}"
)
_ZONAL_NAP = AKS_POOL.replace(
    "values: [D]}", 'values: [D]}, {key: topology.kubernetes.io/zone, operator: In, values: ["0", westeurope-1, westeurope-2, northeurope-1]}'
)
AKS_CLASS = """
apiVersion: karpenter.azure.com/v1beta1
kind: AKSNodeClass
metadata: {name: own}
spec: {imageFamily: AzureLinux, osDiskSizeGB: 64, fipsMode: FIPS, artifactStreaming: {enabled: true}, localDNS: {mode: Required}}
"""
NODE = """
apiVersion: v1
kind: Node
metadata:
  name: aks-1
  labels: {kubernetes.io/os: windows, topology.kubernetes.io/region: westeurope, topology.kubernetes.io/zone: westeurope-1}
spec: {unschedulable: true}
status: {allocatable: {cpu: 1900m, pods: "30"}}
"""
OTHER_REGION = NODE.replace("westeurope", "northeurope").replace("aks-1", "aks-2")


def explained(raw: dict[str, Any], *files: str) -> Answer:
    [workload] = read_workloads(raw)
    return Explainer(read_existing_pools([(text, f"{number}.yaml") for number, text in enumerate(files)])).answer(workload)


def of_disk(size: str) -> dict[str, Any]:
    return pod(containers=[{"name": "main", "resources": {"requests": {"ephemeral-storage": size}}}])


ALL = (EKS_POOL, EKS_CLASS)
NAP = (AKS_POOL, AKS_CLASS)
ROWS = [
    pytest.param(ALL, pod(), "fits", id="a pod that asks for nothing"),
    pytest.param(ALL, pod(nodeSelector={ZONE: "us-east-1a"}), "fits", id="a zone in which the class has a subnet"),
    pytest.param(ALL, pod(nodeSelector={ZONE: "us-east-1c"}), "cannot", id="and one in which it has none"),
    pytest.param(ALL, pod(nodeSelector={ZONE_ID: "use1-az2"}), "fits", id="by its id"),
    pytest.param(ALL, pod(nodeSelector={ZONE_ID: "use1-az3"}), "cannot", id="another id"),
    pytest.param(ALL, pod(nodeSelector={REGION: "us-east-1"}), "fits", id="the region follows from the zones"),
    pytest.param(ALL, pod(nodeSelector={REGION: "us-east-2"}), "cannot", id="another region"),
    pytest.param(ALL, pod(nodeSelector=_RESERVED), "cannot", id="reserved capacity"),
    pytest.param((EKS_POOL, _RESERVING), pod(nodeSelector=_RESERVED), "unknown", id="and reservations that the class selects"),
    pytest.param((EKS_POOL,), pod(nodeSelector=_RESERVED), "unknown", id="and a class that is not given"),
    pytest.param((_RESERVED_ALONE, EKS_CLASS), pod(), "cannot", id="a pool of reserved capacity alone, and a class that selects none"),
    pytest.param((_RESERVED_ALONE, _RESERVING), pod(), "fits", id="and one that selects some"),
    pytest.param((_RESERVED_ALONE,), pod(), "unknown", id="and one that is not given"),
    pytest.param(ALL, pod(nodeSelector={"eks.amazonaws.com/nodeclass": "private-5xg0"}), "fits", id="the class by name"),
    pytest.param(ALL, pod(nodeSelector={"eks.amazonaws.com/compute-type": "auto"}), "fits", id="Auto Mode by its label"),
    pytest.param(ALL, of_disk("150Gi"), "fits", id="the disk of the class"),
    pytest.param(ALL, of_disk("250Gi"), "unknown", id="more than it, unless the machine has more of its own"),
    pytest.param((EKS_POOL,), pod(nodeSelector={ZONE: "us-east-1a"}), "unknown", id="zones of a class that is not given"),
    pytest.param((EKS_POOL,), pod(affinity=required([wants(ZONE, "NotIn", "us-east-1a")])), "unknown", id="none of which is excluded for certain"),
    pytest.param((EKS_POOL,), pod(nodeSelector={REGION: "us-east-1"}), "unknown", id="nor is its region known"),
    pytest.param((EKS_POOL,), of_disk("60Gi"), "unknown", id="nor its disk"),
    pytest.param((EKS_POOL, EKS_CLASS.replace("  ephemeralStorage: {size: 200Gi}\n", "")), of_disk("60Gi"), "fits", id="80Gi where it says nothing"),
    pytest.param(
        (EKS_POOL, EKS_CLASS.replace("us-east-1b", "us-east-1-bos-1a")),
        pod(nodeSelector={REGION: "us-east-1"}),
        "fits",
        id="a local zone is in a region",
    ),
    pytest.param(
        (EKS_POOL, EKS_CLASS.replace(", zoneID: use1-az1", "").replace(", zoneID: use1-az2", "")),
        pod(nodeSelector={ZONE_ID: "use1-az1"}),
        "unknown",
        id="ids that the class does not tell",
    ),
    pytest.param((_IN_TWO_ZONES,), pod(nodeSelector={ZONE: "us-east-1a"}), "fits", id="a zone that the NodePool names, of a class that is not given"),
    pytest.param((_IN_TWO_ZONES,), pod(nodeSelector={ZONE: "us-east-1c"}), "cannot", id="and one that it does not name"),
    pytest.param(
        (_IN_TWO_ZONES, EKS_CLASS.replace("us-east-1b", "us-east-1d")),
        pod(nodeSelector={ZONE: "us-east-1b"}),
        "cannot",
        id="and one that it names, in which the class has no subnet",
    ),
    pytest.param((_ZONAL_NAP, AKS_CLASS, NODE), pod(nodeSelector={ZONE: "westeurope-2"}), "fits", id="a zone that a NodePool of AKS names"),
    pytest.param((_ZONAL_NAP, AKS_CLASS, NODE), pod(nodeSelector={ZONE: "0"}), "unknown", id="and nodes without a zone"),
    pytest.param((_ZONAL_NAP, AKS_CLASS, NODE), pod(nodeSelector={ZONE: "northeurope-1"}), "cannot", id="and a zone of another region"),
    pytest.param(NAP, pod(), "fits", id="node auto provisioning"),
    pytest.param(NAP, pod(nodeSelector={"kubernetes.azure.com/os-sku": "AzureLinux"}), "fits", id="the image of its class"),
    pytest.param(NAP, pod(nodeSelector={"kubernetes.azure.com/os-sku": "Ubuntu"}), "cannot", id="and another"),
    pytest.param(NAP, pod(nodeSelector={"kubernetes.azure.com/fips_enabled": "true"}), "fits", id="validated by FIPS"),
    pytest.param(NAP, of_disk("100Gi"), "cannot", id="its disk"),
    pytest.param(NAP, pod(nodeSelector={"kubernetes.io/arch": "arm64"}), "cannot", id="streaming: no arm64"),
    pytest.param(NAP, pod(nodeSelector={"karpenter.azure.com/sku-cpu": "2"}), "cannot", id="a DNS cache: no 2 vCPUs"),
    pytest.param(
        (AKS_POOL, AKS_CLASS.replace("imageFamily: AzureLinux, osDiskSizeGB: 64, ", "")), of_disk("100Gi"), "fits", id="128 GiB where it says nothing"
    ),
    pytest.param((AKS_POOL,), of_disk("100Gi"), "unknown", id="the disk of a class that is not given"),
    pytest.param(NAP, pod(nodeSelector={ZONE: "westeurope-1"}), "unknown", id="a zone, where nothing tells the region"),
    pytest.param((*NAP, NODE), pod(nodeSelector={REGION: "westeurope"}), "fits", id="nodes tell the region"),
    pytest.param((*NAP, NODE), pod(nodeSelector={ZONE: "northeurope-1"}), "cannot", id="and so where no zone is"),
    pytest.param((*NAP, NODE), pod(nodeSelector={ZONE: "westeurope-2"}), "unknown", id="but not which zones there are"),
    pytest.param((*NAP, NODE, OTHER_REGION), pod(nodeSelector={ZONE: "northeurope-1"}), "unknown", id="nodes of two clusters"),
]


@pytest.mark.parametrize(("files", "raw", "verdict"), ROWS)
def test_a_pool_with_its_class(files: tuple[str, ...], raw: Any, verdict: str) -> None:
    judged = next(one for one in explained(raw, *files).pools if one.pool in ("compute", "general"))
    assert judged.verdict.value == verdict, judged.reasons


def test_zones_that_only_the_node_pool_names_are_noted() -> None:
    note = (
        "`compute` names `us-east-1a`, `us-east-1b` of `topology.kubernetes.io/zone`: whether nodes can launch in each cannot be determined offline"
    )
    old_name = pod(nodeSelector={"failure-domain.beta.kubernetes.io/zone": "us-east-1a"})
    assert explained(old_name, _IN_TWO_ZONES).notices == (note,)
    assert explained(old_name, _IN_TWO_ZONES, EKS_CLASS).notices == ()
    assert explained(pod(), _IN_TWO_ZONES).notices == ()


def test_a_node_without_the_label_of_agent_pools() -> None:
    answer = explained(pod(nodeSelector={"agentpool": "web"}, tolerations=[{"operator": "Exists"}]), NODE)
    assert reported(answer, *answer.pools) == [
        "nodes didn't match node affinity/selector `agentpool=web`: they have no label `agentpool` → remove the selector `agentpool=web`"
    ]


def test_a_node_is_judged_by_its_own_system_and_state() -> None:
    [judged] = explained(pod(os={"name": "linux"}), NODE).pools
    assert [reason.kind.value for reason in judged.reasons] == ["label", "unschedulable"]
    unlabelled = NODE.replace("kubernetes.io/os: windows, ", "").replace("unschedulable: true", "")
    assert explained(pod(os={"name": "linux"}), unlabelled).verdict.value == "fits"


FAULTY = [
    pytest.param(EKS_POOL.replace("operator: In", "operator: in"), "NodePool/compute: spec.template.spec.requirements[0]", id="a NodePool"),
    pytest.param(
        EKS_POOL + "---" + EKS_CLASS.replace("{size: 200Gi}", "[a]"), "NodePool/compute: `ephemeralStorage` must be an object", id="a class"
    ),
    pytest.param(
        EKS_POOL + "---" + EKS_CLASS.replace("200Gi", "200 GB"),
        "NodePool/compute: `ephemeralStorage.size` must be a quantity, such as `500m` or `2Gi`, but is `'200 GB'`",
        id="its disk",
    ),
    pytest.param(AKS_POOL + "---" + AKS_CLASS.replace("64", "large"), "NodePool/general: `osDiskSizeGB` must be a whole number", id="a number"),
    pytest.param(NODE.replace("1900m", "two"), "Node/aks-1: `cpu` must be a quantity, such as `500m` or `2Gi`, but is `'two'`", id="a node"),
    pytest.param("kind: Node\nmetadata: a\n", "`metadata` must be an object", id="an object without a name"),
    pytest.param("kind: List\nitems: 3\n", "items", id="a list that is none"),
]


COUNTED = [
    pytest.param("", {"cpu": 8000, "memory": 16 * 1024**3 * 1000, "nodes": 1000}, id="its whole capacity"),
    pytest.param("  deletionTimestamp: 2026-11-22T03:00:00Z\n", {}, id="a node that is being deleted"),
    pytest.param("spec: {taints: [{key: karpenter.sh/disrupted, effect: NoSchedule}]}\n", {}, id="a node that Karpenter replaces"),
]


@pytest.mark.parametrize(("more", "counts"), COUNTED)
def test_what_a_node_counts_against_limits(more: str, counts: dict[str, int]) -> None:
    node = f"apiVersion: v1\nkind: Node\nmetadata:\n  name: n1\n{more}status: {{capacity: {{cpu: '8', memory: 16Gi}}, allocatable: {{cpu: 7910m}}}}\n"
    [pool] = read_existing_pools([(node, "nodes.yaml")]).static
    assert pool.counts == counts


@pytest.mark.parametrize(("text", "said"), FAULTY)
def test_what_cannot_be_read_is_told_by_file_and_object(text: str, said: str) -> None:
    with pytest.raises(TextError) as told:
        read_existing_pools([(text, "0.yaml")])
    assert str(told.value).startswith("0.yaml:")
    assert said in str(told.value)
    assert "\n" not in str(told.value)


def test_nodes_of_a_region_without_zones_have_the_zone_0() -> None:
    assert aks_choices_of(frozenset({"westus"}))[ZONE].certain == frozenset({"0"})
