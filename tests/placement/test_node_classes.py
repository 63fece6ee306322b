"""What node classes say of the nodes of their pools."""

from typing import Any

import pytest

from nodepools import (
    AksClusterArgs,
    AksNodeClass,
    AksNodePool,
    AutoMode,
    EksClusterArgs,
    EksNodeClass,
    EksNodePool,
    NodeProvisioning,
    SystemPool,
    keys,
    load,
)
from nodepools.clouds.registry import catalog, cloud_of
from nodepools.model.aks.node_settings import LocalDns
from nodepools.model.eks.node_class import SelectorTerm
from nodepools.model.karpenter import Requirement
from nodepools.model.ref import StackOutput
from tests.placement.conftest import SIZE, pod, required, wants

CLASS, ZONE, OS_SKU = "eks.amazonaws.com/nodeclass", "topology.kubernetes.io/zone", "kubernetes.azure.com/os-sku"
FIPS = "kubernetes.azure.com/fips_enabled"
ARN = "arn:aws:iam::123456789012:role/nodes"
D_FAMILY = keys.aks.sku_family.one_of("D")


def eks(declared: EksNodeClass | None, name: str = "own", **fields: Any) -> EksClusterArgs:
    classes = {} if declared is None else {name: declared}
    mode = AutoMode(built_in_node_pools=[], node_classes=classes, node_pools={"a": EksNodePool(node_class=name)})
    network = {"kind": "EksNetwork", "zones": ["us-east-1a", "us-east-1b"]}
    return EksClusterArgs.model_validate({"region": "us-east-1", "kubernetes_version": "1.35", "auto_mode": mode, "network": network, **fields})


def aks(declared: AksNodeClass | None, name: str = "own", *requirements: Any) -> AksClusterArgs:
    classes = {} if declared is None else {name: declared}
    pool = AksNodePool(node_class=name, requirements=requirements)
    return AksClusterArgs(
        location="westeurope",
        kubernetes_version="1.35",
        system_pool=SystemPool(vm_size=SIZE, count=2),
        node_provisioning=NodeProvisioning(default_node_pools="None", node_classes=classes, node_pools={"a": pool}),
    )


def of_disk(size: str) -> dict[str, Any]:
    return pod(containers=[{"name": "main", "resources": {"requests": {"ephemeral-storage": size}}}])


ROLE = EksNodeClass(role="my-nodes")
ROWS = [
    pytest.param(eks(EksNodeClass()), pod(nodeSelector={CLASS: "own"}), "fits", id="with the cluster's role a class has its key as its name"),
    pytest.param(eks(EksNodeClass()), pod(nodeSelector={CLASS: "other"}), "cannot", id="and no other"),
    pytest.param(eks(ROLE), pod(nodeSelector={CLASS: "own"}), "cannot", id="with another role it has another name"),
    pytest.param(eks(ROLE), pod(nodeSelector={CLASS: "own-5xg0"}), "fits", id="which follows from the role"),
    pytest.param(eks(EksNodeClass(create_role=True)), pod(nodeSelector={CLASS: "own"}), "cannot", id="as with a role of its own"),
    pytest.param(eks(EksNodeClass(), node_role=ARN), pod(nodeSelector={CLASS: "own"}), "cannot", id="or with a cluster role that was brought"),
    pytest.param(
        eks(EksNodeClass(role=StackOutput(stack="o/p/s", output="role"), name="there")),
        pod(nodeSelector={CLASS: "there"}),
        "fits",
        id="a fixed name, whatever the role",
    ),
    pytest.param(
        eks(EksNodeClass(role=StackOutput(stack="o/p/s", output="role"))),
        pod(nodeSelector={CLASS: "own-1234"}),
        "unknown",
        id="a role that only Pulumi knows",
    ),
    pytest.param(
        eks(EksNodeClass(role=StackOutput(stack="o/p/s", output="role"))),
        pod(nodeSelector={CLASS: "other"}),
        "cannot",
        id="even so it begins with its key",
    ),
    pytest.param(
        eks(EksNodeClass(role=StackOutput(stack="o/p/s", output="role"))),
        pod(affinity=required([wants(CLASS, "NotIn", "own-1234")])),
        "unknown",
        id="and may be the one that is excluded",
    ),
    pytest.param(eks(None, "default"), pod(nodeSelector={CLASS: "default"}), "fits", id="the built-in class"),
    pytest.param(
        aks(AksNodeClass(), "own", Requirement("kubernetes.azure.com/os-sku", "In", ["AzureLinux"])),
        pod(),
        "cannot",
        id="a NodePool that asks for other images than its class has",
    ),
    pytest.param(eks(None, "default"), of_disk("60Gi"), "fits", id="has 80Gi of disk"),
    pytest.param(eks(None, "theirs"), of_disk("60Gi"), "unknown", id="the disk of a class of someone else"),
    pytest.param(eks(None, "theirs"), pod(nodeSelector={ZONE: "us-east-1a"}), "unknown", id="and its zones"),
    pytest.param(eks(EksNodeClass(ephemeral_storage="200Gi")), of_disk("150Gi"), "fits", id="a larger disk"),
    pytest.param(
        eks(EksNodeClass(overrides={"ephemeralStorage": {"size": "20Gi"}})), of_disk("60Gi"), "unknown", id="overrides of the disk are not read"
    ),
    pytest.param(eks(EksNodeClass()), pod(nodeSelector={ZONE: "us-east-1a"}), "fits", id="zones of the network"),
    pytest.param(
        eks(EksNodeClass(subnets=[SelectorTerm(tags={"a": "b"})])),
        pod(nodeSelector={ZONE: "us-east-1a"}),
        "unknown",
        id="zones of subnets of its own",
    ),
    pytest.param(
        eks(EksNodeClass(subnets=[SelectorTerm(tags={"a": "b"})])),
        pod(affinity=required([wants(ZONE, "NotIn", "us-east-1a")])),
        "unknown",
        id="which may all be in one zone",
    ),
    pytest.param(
        eks(EksNodeClass(overrides={"subnetSelectorTerms": []})), pod(nodeSelector={ZONE: "us-east-1a"}), "unknown", id="overrides of the subnets"
    ),
    pytest.param(aks(AksNodeClass(), "own", D_FAMILY), pod(nodeSelector={OS_SKU: "Ubuntu"}), "fits", id="the image of a class"),
    pytest.param(aks(AksNodeClass(image_family="Ubuntu2204"), "own", D_FAMILY), pod(nodeSelector={OS_SKU: "Ubuntu"}), "fits", id="of a version too"),
    pytest.param(aks(AksNodeClass(image_family="AzureLinux")), pod(nodeSelector={OS_SKU: "Ubuntu"}), "cannot", id="another image"),
    pytest.param(aks(None, "default"), pod(nodeSelector={OS_SKU: "Ubuntu"}), "unknown", id="the built-in class may be changed in the cluster"),
    pytest.param(aks(AksNodeClass(fips_mode="FIPS"), "own", D_FAMILY), pod(nodeSelector={FIPS: "true"}), "fits", id="an image that is validated"),
    pytest.param(aks(AksNodeClass(), "own", D_FAMILY), pod(nodeSelector={FIPS: "true"}), "cannot", id="no FIPS: no label"),
    pytest.param(aks(AksNodeClass(artifact_streaming=True)), pod(nodeSelector={"kubernetes.io/arch": "arm64"}), "cannot", id="streaming: no arm64"),
    pytest.param(
        aks(AksNodeClass(local_dns=LocalDns(mode="Required")), "own", D_FAMILY),
        pod(nodeSelector={"karpenter.azure.com/sku-cpu": "2"}),
        "cannot",
        id="a DNS cache: no 2 vCPUs",
    ),
    pytest.param(aks(AksNodeClass(), "own", D_FAMILY), of_disk("100Gi"), "fits", id="128 GiB of disk"),
    pytest.param(aks(AksNodeClass(os_disk_size_gb=64), "own", D_FAMILY), of_disk("100Gi"), "cannot", id="a smaller disk"),
    pytest.param(aks(AksNodeClass(overrides={"osDiskSizeGB": 30}), "own", D_FAMILY), of_disk("100Gi"), "unknown", id="what is laid over is not read"),
    pytest.param(aks(None, "theirs", D_FAMILY), of_disk("100Gi"), "unknown", id="the disk of a class that is not declared"),
    pytest.param(aks(None, "default", D_FAMILY), of_disk("100Gi"), "fits", id="that of the built-in one"),
]


@pytest.mark.parametrize(("cluster", "raw", "verdict"), ROWS)
def test_a_pool_of_a_class(ask: Any, cluster: Any, raw: Any, verdict: str) -> None:
    told = {one.pool: one for one in ask(cluster, raw).pools}
    assert told["c/a"].verdict.value == verdict, told["c/a"].reasons


def test_node_pools_on_cilium_have_its_label(ask: Any) -> None:
    pool = AksNodePool(requirements=[D_FAMILY])
    cluster = AksClusterArgs.model_validate(
        {
            "location": "westeurope",
            "kubernetes_version": "1.35",
            "system_pool": SystemPool(vm_size=SIZE, count=2),
            "network_profile": {"dataplane": "cilium"},
            "node_provisioning": NodeProvisioning(default_node_pools="None", node_pools={"a": pool}),
        }
    )
    assert ask(cluster, pod(nodeSelector={"kubernetes.azure.com/ebpf-dataplane": "cilium"})).pool == "c/a"


def test_classes_are_called_as_they_are_rendered(project: Any) -> None:
    platform = load("prod", project)
    rendered = list(cloud_of(platform.clusters["use1"]).objects(platform.stem("use1"), str))
    names = {one["metadata"]["name"] for one in rendered if one["kind"] == "NodeClass"}  # type: ignore[index]  # plain data
    [pools] = [one for one in catalog(platform) if one.cluster == "use1"]
    assert {place.own[CLASS] for place in pools.provisioned if place.name != "system"} == names
