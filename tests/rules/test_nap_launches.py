"""What `check` says of NodePools that, for `explain`, never launch a node: both read the same sizes, limits, labels and node classes."""

import random
from collections.abc import Mapping, Sequence

import pytest

from nodepools import keys
from nodepools.clouds.aks.pools import AksPools
from nodepools.model.aks.cluster import AksClusterArgs, AksNodeClass
from nodepools.model.derive import derive
from nodepools.model.karpenter import Requirement
from nodepools.model.kubernetes.label import Values
from nodepools.placement.cloud_labels import CAPACITY
from nodepools.placement.node_pools import KarpenterPool
from nodepools.placement.verdict import Verdict
from nodepools.rules.engine.runner import check
from nodepools.rules.engine.samples import aks_pool, provisioning

CASES = 150
"""Of so many NodePools; others with SEED."""
NEVER = ("o node is ever launched", "never launches", "launches no node")
AZURE, AKS = "karpenter.azure.com/sku-", "kubernetes.azure.com/"
REQUIREMENTS = [
    Requirement("karpenter.sh/capacity-type", "NotIn", ["on-demand"]),
    Requirement("kubernetes.io/arch", "In", ["arm64"]),
    Requirement("node.kubernetes.io/instance-type", "In", ["Standard_D4_v2"]),
    Requirement(f"{AZURE}name", "In", ["Standard_D8ds_v5"]),
    Requirement(f"{AZURE}name", "In", ["Standard_D8ps_v5", "Standard_E4ds_v5"]),
    Requirement(f"{AZURE}name", "In", ["Standard_NC96ads_A100_v4"]),
    Requirement(f"{AZURE}name", "In", ["Standard_NV12ads_V710_v5"]),
    Requirement(f"{AZURE}name", "In", ["Standard_B2ts_v2"]),
    Requirement(f"{AZURE}family", "In", ["D"]),
    Requirement(f"{AZURE}family", "In", ["N"]),
    Requirement(f"{AZURE}cpu", "Gt", ["64"]),
    Requirement(f"{AZURE}cpu", "In", ["2"]),
    Requirement(f"{AZURE}memory", "Gt", ["131072"]),
    Requirement(f"{AZURE}gpu-manufacturer", "In", ["amd"]),
    Requirement(f"{AZURE}gpu-count", "Gt", ["3"]),
    Requirement(f"{AKS}sku-cpu", "In", ["8", "16"]),
    Requirement(f"{AKS}sku-memory", "Lt", ["16384"]),
    Requirement(f"{AKS}scalesetpriority", "In", ["spot"]),
    Requirement(f"{AKS}priority", "In", ["regular"]),
    Requirement(f"{AKS}fips_enabled", "In", ["true"]),
    Requirement(f"{AKS}fips_enabled", "NotIn", ["true"]),
    Requirement(f"{AKS}os-sku", "In", ["AzureLinux"]),
    Requirement(f"{AKS}cluster", "In", ["weu"]),
]
LABELS: Sequence[Mapping[str, str]] = [
    {},
    {},
    {f"{AKS}scalesetpriority": "spot"},
    {"node.kubernetes.io/instance-type": "Standard_D8ds_v5"},
    {f"{AKS}sku-cpu": "8"},
]
CLASSES = [
    None,
    AksNodeClass(),
    AksNodeClass(encryption_at_host=True),
    AksNodeClass(gpu_mode="None"),
    AksNodeClass(artifact_streaming=True),
    AksNodeClass(secure_boot=True, vtpm=True),
    AksNodeClass(fips_mode="FIPS", image_family="AzureLinux"),
]
LIMITS: Sequence[Mapping[str, str]] = [{"cpu": "1000"}, {"cpu": "4"}, {"cpu": "64"}, {"memory": "8Gi"}, {"nvidia.com/gpu": "2"}, {"cpu": "0"}]


def declared(seed: int) -> AksClusterArgs:
    """A cluster with one NodePool of some of these."""
    drawn = random.Random(seed)  # noqa: S311
    node_class = drawn.choice(CLASSES)
    key = "own" if node_class is not None else None
    fields: dict[str, object] = {"labels": drawn.choice(LABELS), "limits": drawn.choice(LIMITS), "node_class": key}
    some = drawn.sample(REQUIREMENTS, drawn.randint(1, 2))
    arch = Requirement("kubernetes.io/arch", "In", ["amd64", "arm64"])
    cluster = provisioning(
        {"web": aks_pool(requirements=[arch, *some], **fields)}, node_classes={"own": node_class} if node_class is not None else {}
    )
    return derive(cluster, node_resource_group="shop-nodes")


def launches(pool: KarpenterPool) -> bool:
    """For `explain`, Karpenter launches nodes of the NodePool for some pod."""
    capacity = pool.choices[CAPACITY].verdict(pool.offered.get(CAPACITY, Values()))
    return bool(pool.affordable.possible) and not pool.is_off and not pool.excluded_labels and capacity is not Verdict.CANNOT


@pytest.mark.parametrize("seed", range(CASES))
def test_explain_and_check_agree(seed: int) -> None:
    """Each is silent where the other is."""
    cluster = declared(seed)
    pool = next(one for one in AksPools(cluster).pools("weu", "dev-weu").provisioned if one.name == "web")
    said = [f"{one.code}: {one.message}" for one in check(cluster)]
    never = [one for one in said if any(words in one for words in NEVER)]
    # For `explain` the built-in class may be changed in the cluster, and an unknown amount may be small; the requirements can say otherwise.
    is_open = pool.pool.node_class is None or not pool.cloud.index.knows_amounts("memory", pool.types.possible)
    assert bool(never) is not launches(pool) or (never and is_open), (str(pool.pool), said)


FAMILY, D_AND_E = keys.aks.sku_family.name, keys.aks.sku_family.one_of("D", "E")


@pytest.mark.parametrize(
    ("requirements", "told"),
    [
        ([D_AND_E, Requirement(FAMILY, "Exists", min_values=2)], False),
        ([D_AND_E, Requirement(FAMILY, "Exists", min_values=3)], True),
        ([Requirement(FAMILY, "In", ["D", "E"], min_values=3)], False),  # KAR042
        ([keys.aks.sku_name.one_of("Standard_D4s_v5"), Requirement("node.kubernetes.io/instance-type", "Exists", min_values=2)], True),
        ([keys.aks.sku_cpu.one_of(4), Requirement(keys.aks.sku_memory.name, "Exists", min_values=50)], False),  # not every amount is known
        ([Requirement("topology.kubernetes.io/zone", "Exists", min_values=3)], False),
        ([Requirement("team", "Exists", min_values=2)], True),
    ],
)
def test_flexibility_of_sizes(requirements: list[Requirement], *, told: bool) -> None:
    assert ("NAP078" in {one.code for one in check(aks_pool(*requirements))}) is told


def test_a_label_that_sizes_may_lack_is_no_contradiction() -> None:
    without = Requirement(keys.aks.sku_gpu_name.name, "DoesNotExist")
    assert "NAP074" in {one.code for one in check(aks_pool(without, keys.aks.sku_name.one_of("Standard_D4s_v5"), keys.aks.sku_cpu.one_of(8)))}
