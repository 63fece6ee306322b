"""NodePools of self-managed Karpenter: the NodePool decides for certain, its EC2NodeClass and missing types never exclude a pod."""

from typing import Any

import pytest

from nodepools.manifests.existing.existing_pools import read_existing_pools
from nodepools.placement.explain import Answer, Explainer
from nodepools.placement.workloads.reader import read_workloads
from tests.placement.conftest import pod, reported

ARCH, OS, ZONE = "kubernetes.io/arch", "kubernetes.io/os", "topology.kubernetes.io/zone"
POOL = """
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: web}
spec:
  template:
    metadata: {labels: {team: a}}
    spec:
      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
      requirements: [{key: karpenter.k8s.aws/instance-category, operator: In, values: [c]}]
"""
CLASS = """
apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata: {name: default}
spec: {role: nodes, amiSelectorTerms: [{alias: al2023@latest}]}
status: {subnets: [{id: subnet-1, zone: us-east-1a, zoneID: use1-az1}]}
"""
LINUX = POOL.replace("values: [c]}", "values: [c]}, {key: kubernetes.io/os, operator: In, values: [linux]}")
WINDOWS = CLASS.replace("al2023@latest", "windows2022@latest")
BY_ID = CLASS.replace("alias: al2023@latest", "id: ami-1")
TUNED = CLASS.replace("role: nodes", "role: nodes, kubelet: {systemReserved: {cpu: 1000m}}")
SCRIPTED = CLASS.replace("role: nodes", "role: nodes, userData: '#!/bin/bash'")
RESERVING = CLASS.replace("role: nodes", "role: nodes, capacityReservationSelectorTerms: [{id: cr-1}]")
LARGE = CLASS.replace("role: nodes", "role: nodes, blockDeviceMappings: [{deviceName: /dev/xvda, ebs: {volumeSize: 200Gi}}]")
RAID = CLASS.replace("role: nodes", "role: nodes, instanceStorePolicy: RAID0")
ALONE, BOTH = (POOL,), (POOL, CLASS)


def explained(raw: dict[str, Any], *files: str) -> Answer:
    [workload] = read_workloads(raw)
    return Explainer(read_existing_pools([(text, f"{number}.yaml") for number, text in enumerate(files)])).answer(workload)


EXPRESSIONS = (
    "maxPods: vcpus * 10",
    "kubeReserved: {cpu: vcpus * 10}",
    "evictionHard: {memory.available: many%}",
    "evictionHard: {memory.available: 5}",
)


def located(zones: str, regions: str) -> str:
    """The NodePool with a requirement on zones and one on regions."""
    of_zone, of_region = (f"{{key: topology.kubernetes.io/{key}, operator: {text}}}" for key, text in (("zone", zones), ("region", regions)))
    return POOL.replace("values: [c]}", f"values: [c]}}, {of_zone}, {of_region}")


def tuned(kubelet: str) -> str:
    return CLASS.replace("role: nodes", f"role: nodes, kubelet: {{{kubelet}}}")


def disk(size: str) -> dict[str, Any]:
    return pod(containers=[{"resources": {"requests": {"ephemeral-storage": size}}}])


def selects(key: str, value: str) -> dict[str, Any]:
    return pod(nodeSelector={key: value})


ROWS = [
    pytest.param(ALONE, pod(), "fits", id="a pod that asks for nothing"),
    pytest.param(ALONE, selects("team", "b"), "cannot", id="another value of a label of the NodePool"),
    pytest.param(ALONE, selects("tier", "web"), "cannot", id="a label that the NodePool does not set"),
    pytest.param(ALONE, selects("karpenter.k8s.aws/instance-category", "m"), "cannot", id="a category that the NodePool excludes"),
    pytest.param(ALONE, selects("karpenter.k8s.aws/instance-size", "xlarge"), "fits", id="a size of known types"),
    pytest.param(ALONE, selects("karpenter.k8s.aws/instance-size", "nano"), "unknown", id="a size of types that the tables do not have"),
    pytest.param(ALONE, selects("node.kubernetes.io/instance-type", "c99z.large"), "unknown", id="a type that the tables do not have"),
    pytest.param(ALONE, selects("karpenter.k8s.aws/instance-tenancy", "default"), "unknown", id="a label without a table"),
    pytest.param(ALONE, selects("karpenter.k8s.aws/of-next-year", "x"), "unknown", id="a label that is newer than the tables"),
    pytest.param(ALONE, selects("karpenter.k8s.aws/capacity-reservation-id", "cr-1"), "unknown", id="a label of reserved capacity"),
    pytest.param(ALONE, selects("karpenter.k8s.aws/ec2nodeclass", "default"), "fits", id="the class by name"),
    pytest.param(ALONE, selects("karpenter.k8s.aws/ec2nodeclass", "other"), "cannot", id="another class"),
    pytest.param(ALONE, selects("eks.amazonaws.com/compute-type", "auto"), "cannot", id="Auto Mode by its label"),
    pytest.param(ALONE, pod(cpu="1"), "unknown", id="what a class that is not given reserves"),
    pytest.param(BOTH, pod(cpu="1"), "fits", id="a class with the settings of its image"),
    pytest.param((POOL, TUNED), pod(cpu="1"), "fits", id="a class that reserves a CPU for the system"),
    *(pytest.param((POOL, tuned(text)), pod(cpu="1"), "unknown", id=f"a kubelet with {text}") for text in EXPRESSIONS),
    pytest.param((located("In, values: [eu-west-1a]", "In, values: [us-east-1]"),), pod(), "cannot", id="a zone of another region"),
    pytest.param((located("In, values: [eu-west-1a]", "NotIn, values: [eu-west-1]"),), pod(), "cannot", id="a zone of a region that is excluded"),
    pytest.param((located("In, values: [eu-west-1a, us-east-1-bos-1a]", "In, values: [us-east-1]"),), pod(), "fits", id="a Local Zone of it"),
    pytest.param((located("In, values: [rack]", "In, values: [us-east-1]"),), pod(), "cannot", id="a name that no zone has"),
    pytest.param((located("NotIn, values: [eu-west-1a]", "In, values: [us-east-1]"),), pod(), "fits", id="any zone but one"),
    pytest.param((POOL, tuned("maxPods: 0")), pod(), "cannot", id="a kubelet that runs no pod"),
    pytest.param((POOL, tuned("maxPods: 3")), pod(), "fits", id="one that runs three"),
    pytest.param((POOL, tuned("evictionHard: {memory.available: 5%}")), pod(cpu="1"), "fits", id="a percentage"),
    pytest.param(BOTH, pod(cpu="382"), "fits", id="nearly all of the largest type"),
    pytest.param((POOL, TUNED), pod(cpu="382"), "unknown", id="of which a class reserves a part"),
    pytest.param((POOL, SCRIPTED), pod(memory="1Gi"), "unknown", id="a class with user data"),
    pytest.param(BOTH, pod(cpu="1000"), "unknown", id="more than every known type has"),
    pytest.param(BOTH, pod(gpu="1"), "unknown", id="a GPU, which other types of the category may have"),
    pytest.param(
        BOTH, pod(containers=[{"resources": {"requests": {"ephemeral-storage": "500Gi"}}}]), "cannot", id="more disk than the default of the image"
    ),
    pytest.param((POOL, LARGE), disk("150Gi"), "fits", id="a disk that the class sets"),
    pytest.param((POOL, LARGE), disk("190Gi"), "unknown", id="a disk of which the kubelet keeps a part"),
    pytest.param((POOL, RAID), disk("500Gi"), "unknown", id="local disks, which some types have"),
    pytest.param((POOL, BY_ID), disk("500Gi"), "unknown", id="the disk of an image of one's own"),
    pytest.param(ALONE, disk("500Gi"), "unknown", id="the disk of a class that is not given"),
    pytest.param(
        BOTH, pod(containers=[{"resources": {"limits": {"vpc.amazonaws.com/pod-eni": 1}}}]), "unknown", id="security groups for pods"
    ),
    pytest.param(ALONE, selects(ARCH, "arm64"), "unknown", id="an architecture, which images decide"),
    pytest.param(BOTH, selects(ARCH, "arm64"), "fits", id="images for both"),
    pytest.param(ALONE, selects(ARCH, "riscv"), "cannot", id="an architecture that EC2 does not have"),
    pytest.param(ALONE, selects(OS, "linux"), "unknown", id="an operating system, which images decide"),
    pytest.param((LINUX,), selects(OS, "linux"), "fits", id="that the NodePool names"),
    pytest.param((LINUX,), pod(os={"name": "windows"}), "cannot", id="and no other"),
    pytest.param(ALONE, pod(os={"name": "windows"}), "fits", id="nor is another one excluded where nothing is named"),
    pytest.param(BOTH, pod(os={"name": "windows"}), "cannot", id="images of Linux"),
    pytest.param((POOL, WINDOWS), pod(os={"name": "windows"}), "fits", id="images of Windows"),
    pytest.param((POOL, WINDOWS), selects(OS, "linux"), "cannot", id="exclude Linux"),
    pytest.param((LINUX, WINDOWS), pod(), "cannot", id="a NodePool and a class that contradict each other"),
    pytest.param((POOL, WINDOWS), pod(os={"name": "windows"}, nodeSelector={ARCH: "arm64"}), "cannot", id="which needs amd64"),
    pytest.param((located("In, values: ['']", "Exists"),), pod(), "cannot", id="a zone that is no name"),
    pytest.param((located("In, values: [us-east-1]", "Exists"),), pod(), "cannot", id="a region in place of a zone"),
    pytest.param((POOL, BY_ID), selects(OS, "linux"), "unknown", id="images by ID"),
    pytest.param(ALONE, selects(ZONE, "us-east-1a"), "unknown", id="zones of a class that is not given"),
    pytest.param(BOTH, selects(ZONE, "us-east-1a"), "fits", id="a zone of its subnets"),
    pytest.param(BOTH, selects(ZONE, "us-east-1b"), "cannot", id="a zone without a subnet"),
    pytest.param(ALONE, selects("karpenter.sh/capacity-type", "reserved"), "unknown", id="reserved capacity"),
    pytest.param(BOTH, selects("karpenter.sh/capacity-type", "reserved"), "cannot", id="which the class does not select"),
    pytest.param((POOL, RESERVING), selects("karpenter.sh/capacity-type", "reserved"), "unknown", id="or selects"),
]  # fmt: skip


@pytest.mark.parametrize(("files", "raw", "verdict"), ROWS)
def test_a_pool_of_self_managed_karpenter(files: tuple[str, ...], raw: Any, verdict: str) -> None:
    [judged] = explained(raw, *files).pools
    assert judged.verdict.value == verdict, judged.reasons


TEXTS = [
    pytest.param(
        BOTH, pod(gpu="1"), "pod requests 1 nvidia.com/gpu: no known type has enough, and how much other types have cannot be determined offline",
        id="types that the tables do not have",
    ),
    pytest.param(
        ALONE, selects("eks.amazonaws.com/instance-size", "large"),
        "incompatible requirements: pod requires `eks.amazonaws.com/instance-size=large`, nodes have no label `eks.amazonaws.com/instance-size` → "
        "change `eks.amazonaws.com/instance-size=large` to `karpenter.k8s.aws/instance-size=large`",
        id="a label of Auto Mode",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("files", "raw", "text"), TEXTS)
def test_reasons(files: tuple[str, ...], raw: Any, text: str) -> None:
    answer = explained(raw, *files)
    assert reported(answer, *answer.pools) == [text]


def test_types_are_those_that_are_known_by_name() -> None:
    [judged] = explained(selects("karpenter.k8s.aws/instance-family", "c5a"), *BOTH).pools
    assert judged.instance_types is not None
    assert "c5a.large" in judged.instance_types
    assert all(name.startswith("c5a.") for name in judged.instance_types)


AUTO = (
    POOL.replace("karpenter.k8s.aws, kind: EC2NodeClass", "eks.amazonaws.com, kind: NodeClass")
    .replace("name: web", "name: auto")
    .replace("karpenter.k8s.aws/instance-category", "eks.amazonaws.com/instance-category")
)
HEAVY = POOL.replace("name: web", "name: heavy").replace("spec:\n  template", "spec:\n  weight: 9\n  template", 1)
MEMORY = pod(memory="1Gi")
KARPENTERS = [
    pytest.param(
        (POOL, HEAVY, AUTO), pod(),
        {"heavy": "first choice by weight (9); the Karpenter of `auto` can launch a node for it too",
         "web": "fallback by weight (0)",
         "auto": "first choice by weight (0); the Karpenter of `heavy` can launch a node for it too"},
        id="the weight counts among the pools of one Karpenter",
    ),
    pytest.param(
        (POOL, HEAVY, AUTO), MEMORY,
        {"auto": "first choice by weight (0); the Karpenter of `heavy` can launch a node for it too, if the pod fits"},
        id="a pool that may fit is no earlier choice of another Karpenter",
    ),
    pytest.param((POOL, HEAVY), pod(), {"heavy": "first choice by weight (9)", "web": "fallback by weight (0)"}, id="one Karpenter"),
]  # fmt: skip


@pytest.mark.parametrize(("files", "raw", "said"), KARPENTERS)
def test_each_karpenter_has_its_own_order(files: tuple[str, ...], raw: Any, said: dict[str, str]) -> None:
    answer = explained(raw, *files)
    assert {pool: rank.why for pool, rank in answer.ranks.items()} == said
