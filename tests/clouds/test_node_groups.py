"""Managed node groups: what they show decides, what their launch template hides is unknown."""

from dataclasses import replace
from typing import Any

import pytest

from nodepools.clouds.eks.node_groups import NodeGroup
from nodepools.manifests.existing.existing_pools import read_existing_pools
from nodepools.model.kubernetes.label import Taint
from nodepools.placement.coverage import EXPORT
from nodepools.placement.explain import Answer, Explainer
from nodepools.placement.node_pools import ClusterPools
from nodepools.placement.workloads.reader import read_workloads
from tests.clouds.test_eks_self_managed import LINUX
from tests.placement.conftest import pod

TYPE, ZONE, ARCH, OS = "node.kubernetes.io/instance-type", "topology.kubernetes.io/zone", "kubernetes.io/arch", "kubernetes.io/os"
WEB = NodeGroup(
    name="web",
    cluster="shop",
    region="eu-west-1",
    ami_type="AL2023_x86_64_STANDARD",
    least=1,
    desired=3,
    most=6,
    instance_types=("m6i.large",),
    labels={"tier": "web"},
    disk_gib=50,
)
SEVERAL = replace(WEB, instance_types=("m6i.large", "m6i.xlarge"))
NEWER = replace(WEB, instance_types=("m99.large",))
HIDDEN = replace(WEB, template="shop-web", disk_gib=None)
SHOWN = replace(HIDDEN, has_user_data=False)
CUSTOM = replace(SHOWN, ami_type="CUSTOM")
NO_TYPES = replace(SHOWN, instance_types=())
EMPTY = replace(WEB, least=0, desired=0)
GPU = replace(WEB, instance_types=("g5.xlarge",), ami_type="AL2023_x86_64_NVIDIA")
WINDOWS = replace(WEB, ami_type="WINDOWS_CORE_2022_x86_64")
ARM = replace(WEB, ami_type="BOTTLEROCKET_ARM_64", instance_types=("m6g.large",))
OWN_ARM = replace(CUSTOM, instance_types=("m6g.large",))
TAINTED = replace(WEB, taints=(Taint("team", "a", "NoSchedule"),))


def answered(group: NodeGroup, raw: dict[str, Any], zones: tuple[str, ...] | None = ("eu-west-1a",), *, autoscaled: bool | None = None) -> Answer:
    [workload] = read_workloads(raw)
    found, why = group.nodes(zones, autoscaled=autoscaled), group.why_unsure(autoscaled=autoscaled)
    return Explainer(ClusterPools(None, (found,), unsure={} if why is None else {found.address: why})).answer(workload)


def selects(key: str, value: str) -> dict[str, Any]:
    return pod(nodeSelector={key: value})


def disk(size: str) -> dict[str, Any]:
    return pod(containers=[{"resources": {"requests": {"ephemeral-storage": size}}}])


ROWS = [
    pytest.param(WEB, pod(), "fits", id="a pod that asks for nothing"),
    pytest.param(WEB, selects("tier", "web"), "fits", id="a label of the group"),
    pytest.param(WEB, selects("tier", "api"), "cannot", id="another value of it"),
    pytest.param(WEB, selects("team", "a"), "cannot", id="a label that nodes do not have"),
    pytest.param(WEB, selects("eks.amazonaws.com/nodegroup", "web"), "fits", id="the group by name"),
    pytest.param(WEB, selects("eks.amazonaws.com/nodegroup", "api"), "cannot", id="another group"),
    pytest.param(WEB, selects("eks.amazonaws.com/capacityType", "SPOT"), "cannot", id="spot instances"),
    pytest.param(WEB, selects("eks.amazonaws.com/nodegroup-image", "ami-1"), "unknown", id="its image"),
    pytest.param(WEB, selects("eks.amazonaws.com/compute-type", "auto"), "cannot", id="Auto Mode"),
    pytest.param(WEB, selects("karpenter.sh/nodepool", "web"), "cannot", id="a NodePool"),
    pytest.param(WEB, selects("kubernetes.io/hostname", "ip-10-0-0-1"), "unknown", id="a node by name"),
    pytest.param(WEB, selects("topology.k8s.aws/zone-id", "euw1-az1"), "unknown", id="the id of a zone"),
    pytest.param(WEB, selects("topology.kubernetes.io/region", "eu-west-1"), "fits", id="its region"),
    pytest.param(WEB, selects("failure-domain.beta.kubernetes.io/region", "us-east-1"), "cannot", id="another region by a deprecated label"),
    pytest.param(WEB, selects(TYPE, "m6i.large"), "fits", id="its only type"),
    pytest.param(SEVERAL, selects(TYPE, "m6i.large"), "unknown", id="one of its types"),
    pytest.param(SEVERAL, selects(TYPE, "c5.large"), "cannot", id="none of its types"),
    pytest.param(NO_TYPES, selects(TYPE, "c5.large"), "unknown", id="a type that the launch template decides"),
    pytest.param(WEB, selects(ARCH, "amd64"), "fits", id="the architecture of its image"),
    pytest.param(ARM, selects(ARCH, "amd64"), "cannot", id="another architecture"),
    pytest.param(OWN_ARM, selects(ARCH, "arm64"), "fits", id="the architecture of its types"),
    pytest.param(replace(NO_TYPES, ami_type="CUSTOM"), selects(ARCH, "arm64"), "unknown", id="an architecture that the launch template decides"),
    pytest.param(WEB, selects(OS, "windows"), "cannot", id="Windows on Linux"),
    pytest.param(WINDOWS, selects(OS, "windows"), "fits", id="Windows"),
    pytest.param(CUSTOM, selects(OS, "linux"), "unknown", id="the system of an image of one's own"),
    pytest.param(TAINTED, pod(), "cannot", id="a taint"),
    pytest.param(TAINTED, pod(tolerations=[{"key": "team", "operator": "Exists"}]), "fits", id="that the pod tolerates"),
    pytest.param(WEB, pod(cpu="1600m"), "fits", id="what the kubelet and the DaemonSets of EKS leave of two CPUs"),
    pytest.param(WEB, pod(cpu="1900m"), "unknown", id="what the kubelet leaves of two CPUs: DaemonSets of EKS use some of it"),
    pytest.param(WEB, pod(cpu="1950m"), "unknown", id="a part that it keeps"),
    pytest.param(WEB, pod(cpu="3"), "cannot", id="more than the type has"),
    pytest.param(SEVERAL, pod(cpu="3"), "unknown", id="what only one of the types has"),
    pytest.param(SEVERAL, pod(cpu="5"), "cannot", id="what none has"),
    pytest.param(NEWER, pod(cpu="500"), "unknown", id="a type that the tables do not have"),
    pytest.param(NO_TYPES, pod(cpu="500"), "unknown", id="the size of a type in the launch template"),
    pytest.param(WINDOWS, pod(cpu="1"), "unknown", id="what Windows reserves"),
    pytest.param(CUSTOM, pod(cpu="1"), "unknown", id="what another image reserves"),
    pytest.param(CUSTOM, pod(cpu="3"), "cannot", id="more than any image leaves"),
    pytest.param(WEB, pod(gpu="1"), "cannot", id="a GPU without one"),
    pytest.param(GPU, pod(gpu="1"), "unknown", id="a GPU, which needs a device plug-in"),
    pytest.param(replace(WINDOWS, instance_types=("m6i.large", "m99.large")), pod(cpu="9"), "unknown", id="a type that is not known among others"),
    pytest.param(GPU, pod(gpu="2"), "cannot", id="two GPUs where there is one"),
    pytest.param(WEB, disk("40Gi"), "fits", id="a part of the disk"),
    pytest.param(WEB, disk("60Gi"), "cannot", id="more disk than there is"),
    pytest.param(SHOWN, disk("60Gi"), "unknown", id="a disk of the launch template"),
    pytest.param(HIDDEN, pod(), "unknown", id="taints that user data can add"),
    pytest.param(HIDDEN, selects("team", "a"), "unknown", id="a label that user data can add"),
    pytest.param(HIDDEN, selects("tier", "api"), "cannot", id="a label that the group sets"),
    pytest.param(HIDDEN, pod(cpu="3"), "cannot", id="more than the type has, whatever user data does"),
    pytest.param(SHOWN, pod(cpu="1"), "fits", id="a launch template without user data"),
    pytest.param(EMPTY, pod(), "unknown", id="a group without nodes"),
]


@pytest.mark.parametrize(("group", "raw", "verdict"), ROWS)
def test_a_pod_on_a_managed_node_group(group: NodeGroup, raw: dict[str, Any], verdict: str) -> None:
    [judged] = answered(group, raw).pools
    assert judged.verdict.value == verdict, judged.reasons


USER_DATA = "user data of its launch template `shop-web` can add taints and kubelet settings, which the node group does not show"
PRINTS = "`aws ec2 describe-launch-template-versions --launch-template-id lt-1 --versions 3` prints"
BY_ID = replace(HIDDEN, template_id="lt-1", template_version="3")


@pytest.mark.parametrize(
    ("group", "why"),
    [
        pytest.param(WEB, None, id="no launch template"),
        pytest.param(BY_ID, f"{USER_DATA}: {PRINTS} whether there is any", id="one that is not in the input"),
        pytest.param(
            HIDDEN,
            f"{USER_DATA}: `aws ec2 describe-launch-template-versions --launch-template-name shop-web` prints whether there is any",
            id="one of which only the name is known",
        ),
        pytest.param(
            replace(BY_ID, instance_types=()), f"{USER_DATA}: {PRINTS} whether there is any, and the instance type", id="it has the type, too"
        ),
        pytest.param(replace(BY_ID, has_user_data=True), USER_DATA, id="one with user data"),
        pytest.param(NO_TYPES, "neither the node group nor its launch template names an instance type", id="one without a type"),
        pytest.param(replace(BY_ID, status="DELETING"), "the node group is `DELETING` in the export", id="one that is being deleted"),
        pytest.param(
            EMPTY, f"the node group has no nodes now, and whether a cluster autoscaler adds one is not in the input: {EXPORT}", id="no nodes"
        ),
    ],
)
def test_why_it_is_not_certain(group: NodeGroup, why: str | None) -> None:
    assert group.why_unsure(autoscaled=None) == why


def test_what_the_launch_template_determines_is_named_with_what_is_unknown() -> None:
    found = replace(BY_ID, instance_types=())
    [judged] = answered(found, pod(cpu="1")).pools
    assert [reason.message for reason in judged.reasons][-1] == found.why_unsure(autoscaled=None)


@pytest.mark.parametrize(
    ("zones", "selected", "verdict"),
    [
        pytest.param(("eu-west-1a",), "eu-west-1a", "fits", id="the only zone"),
        pytest.param(("eu-west-1a",), "eu-west-1b", "cannot", id="another zone"),
        pytest.param(("eu-west-1a", "eu-west-1b"), "eu-west-1b", "unknown", id="one of two zones"),
        pytest.param(("eu-west-1a", "eu-west-1b"), "eu-west-1c", "cannot", id="none of them"),
        pytest.param(None, "eu-west-1a", "unknown", id="zones that are not in the input"),
    ],
)
def test_zones_are_those_of_the_subnets(zones: tuple[str, ...] | None, selected: str, verdict: str) -> None:
    assert answered(WEB, selects(ZONE, selected), zones).verdict.value == verdict


def test_all_of_several_zones_match() -> None:
    affinity = [{"matchExpressions": [{"key": ZONE, "operator": "In", "values": ["eu-west-1a", "eu-west-1b", "eu-west-1c"]}]}]
    raw = pod(affinity={"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": affinity}}})
    assert answered(WEB, raw, ("eu-west-1a", "eu-west-1b")).verdict.value == "fits"


@pytest.mark.parametrize(
    ("group", "autoscaled", "nodes"),
    [
        pytest.param(WEB, True, (1, 6, 6), id="autoscaled: as many as its largest size"),
        pytest.param(WEB, False, (3, 3, 3), id="not autoscaled: those that it has"),
        pytest.param(WEB, None, (1, 6, 3), id="not known: those that it has are certain"),
    ],
)
def test_how_many_nodes_there_are(group: NodeGroup, autoscaled: Any, nodes: tuple[int, int, int]) -> None:
    found = group.nodes(None, autoscaled=autoscaled)
    assert (found.min_nodes, found.max_nodes, found.sure_nodes) == nodes


def test_an_autoscaled_group_without_nodes_gets_one() -> None:
    assert answered(EMPTY, pod(), autoscaled=True).verdict.value == "fits"


@pytest.mark.parametrize(
    ("group", "pods"),
    [
        pytest.param(WEB, (18_000, 110_000), id="interfaces without one, at most the limit of small types"),
        pytest.param(replace(WEB, instance_types=("m6i.12xlarge",)), (203_000, 250_000), id="the limit of large types"),
        pytest.param(WINDOWS, (0, 110_000), id="Windows"),
        pytest.param(HIDDEN, (0, None), id="settings that user data can contain"),
    ],
)
def test_how_many_pods_a_node_runs(group: NodeGroup, pods: tuple[int, int | None]) -> None:
    offers = group.nodes(None, autoscaled=None).offers
    assert offers is not None
    found = offers.get("pods")
    assert pods == ((0, None) if found is None else (found.least, found.most))


def test_both_autoscalers_can_add_a_node_for_one_pod() -> None:
    [workload] = read_workloads(pod())
    provisioned = read_existing_pools([(LINUX.replace("name: web", "name: own"), "own.yaml")]).provisioned
    found = Explainer(ClusterPools(None, (WEB.nodes(None, autoscaled=None),), provisioned))
    assert any(
        note.startswith("if a cluster autoscaler scales `web`, it and the Karpenter of `own` add nodes") for note in found.answer(workload).notices
    )
