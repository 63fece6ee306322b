"""NodePools and classes of one cluster, seen together."""

import pytest

from nodepools import Autoscale, Requirement, Taint, UserPool, derive, keys
from nodepools.model.base import Model
from nodepools.model.eks.ec2_node_class import SelfManagedKarpenter
from nodepools.model.eks.node_class import EksNodeClass
from nodepools.model.karpenter import NodePool
from nodepools.rules.engine.registry import described
from nodepools.rules.engine.runner import check
from nodepools.rules.engine.samples import AMD64, SIZE, aks, aks_pool, auto_mode, eks, eks_pool, platform, provisioning

WIDE = eks_pool(weight=20)
TEAM = Requirement("team", "In", ["ml"])


def told(declared: Model) -> list[str]:
    return [f"{finding.code} {finding.steps[-2]}" for finding in check(declared) if finding.code in ("KAR060", "KAR061")]


@pytest.mark.parametrize(
    ("pools", "found"),
    [
        pytest.param({"any": WIDE, "web": eks_pool(weight=10)}, ["KAR060 web"], id="the same, with less weight"),
        pytest.param({"any": WIDE, "web": eks_pool()}, ["KAR060 web"], id="without a weight"),
        pytest.param({"any": WIDE, "web": eks_pool(keys.eks.instance_cpu.one_of(4))}, ["KAR060 web"], id="narrower"),
        pytest.param({"any": WIDE, "web": eks_pool(weight=20)}, [], id="of the same weight"),
        pytest.param({"any": eks_pool(weight=20, limits={"cpu": 100}), "web": eks_pool()}, [], id="limits leave it what is beyond"),
        pytest.param({"any": eks_pool(weight=20, taints=[Taint("a")]), "web": eks_pool()}, [], id="a taint keeps pods away"),
        pytest.param(
            {"any": eks_pool(weight=20, taints=[Taint("a", effect="PreferNoSchedule")]), "web": eks_pool()}, ["KAR060 web"], id="a soft one not"
        ),
        pytest.param({"any": WIDE, "web": eks_pool(TEAM)}, [], id="a label of its own can be asked for"),
        pytest.param({"any": eks_pool(TEAM, weight=20), "web": eks_pool(labels={"team": "ml"})}, ["KAR060 web"], id="the same label of both"),
        pytest.param({"any": eks_pool(keys.eks.instance_cpu.one_of(4), weight=20), "web": eks_pool()}, [], id="wider"),
        pytest.param({"any": eks_pool(weight=20, replicas=3), "web": eks_pool()}, [], id="a static pool takes no pods that wait"),
        pytest.param({"any": WIDE, "web": eks_pool(limits={"cpu": 0})}, [], id="a pool that is turned off"),
        pytest.param(
            {
                "any": eks_pool(keys.eks.zone.one_of("us-east-1a", "us-east-1b", min_values=2), weight=20),
                "web": eks_pool(keys.eks.zone.one_of("us-east-1a")),
            },
            [],
            id="flexibility that it asks for",
        ),
    ],
)
def test_shadows(pools: dict[str, object], found: list[str]) -> None:
    assert told(auto_mode(pools)) == found


def test_classes_that_nobody_uses() -> None:
    assert told(auto_mode({"web": eks_pool(node_class="a")}, {"a": EksNodeClass(), "b": EksNodeClass()})) == ["KAR061 node_classes"]
    assert told(auto_mode({}, {"b": EksNodeClass()})) == []
    assert told(provisioning(node_classes={"b": {}})) == []


CAS, NAP = Taint("autoscaling.azure.com/cas-block", "true"), Taint("autoscaling.azure.com/nap-block", "true")
ANY = [{"operator": "Exists"}]


def beside(kind: str = "Pod", *, fixed: bool = False, **spec: object) -> Model:
    web = UserPool(vm_size=SIZE, taints=[CAS], **({"count": 3} if fixed else {"scale": Autoscale(1, 5)}))
    auto = {"with_cluster_autoscaler": True, "default_node_pools": "None", "node_pools": {"general": aks_pool(taints=[NAP])}}
    cluster = derive(provisioning(), pools={"plain": UserPool(vm_size=SIZE), "web": web}, node_provisioning=auto)
    valid = {"containers": [{"name": "web"}], **spec}
    template = {"template": {"spec": valid}} if kind == "DaemonSet" else valid
    return derive(platform(weu=cluster, use1=eks(), neu=aks()), must_fit=[{"kind": kind, "metadata": {"name": "web"}, "spec": template}])


@pytest.mark.parametrize(
    ("declared", "found"),
    [
        pytest.param(beside(tolerations=ANY), 1, id="it fits both"),
        pytest.param(beside(tolerations=[{"key": CAS.key, "operator": "Exists"}]), 0, id="one of them is fenced off"),
        pytest.param(beside(fixed=True, tolerations=ANY), 0, id="the agent pool has its size"),
        pytest.param(beside("DaemonSet", tolerations=ANY), 0, id="daemons start nothing"),
        pytest.param(beside("Pod", tolerations=3), 0, id="what is no pod is told elsewhere"),
        pytest.param(derive(beside(), must_fit=[]), 0, id="no workload"),
    ],
)
def test_workloads_that_start_two_nodes(declared: Model, found: int) -> None:
    assert sum(finding.code == "NAP040" for finding in check(declared)) == found


@pytest.mark.parametrize("code", ["CFG001", "OBJ001", "KAR060"])
def test_every_code_is_described(code: str) -> None:
    assert described(code).endswith(".")


SPOT, ARM = keys.eks.capacity_type.one_of("spot"), keys.eks.arch.one_of("arm64")
GPU = keys.eks.instance_gpu_manufacturer.one_of("nvidia")


def first(declared: Model) -> list[str]:
    return [f"{finding.message} / {finding.fix.text}" for finding in check(declared) if finding.code == "KAR086" and finding.fix is not None]


def pool(*requirements: Requirement, **fields: object) -> NodePool:
    return NodePool.model_validate({"requirements": requirements, **fields})


@pytest.mark.parametrize(
    ("pools", "told"),
    [
        pytest.param(
            {"web": pool(), "worker": pool(SPOT)}, "run on `worker` first (last name in alphabetical order), which has only spot", id="a tie"
        ),
        pytest.param({"web": pool(SPOT), "api": pool(AMD64), "z": pool(taints=[Taint("a")])}, "run on `web` first", id="a tainted pool is not tried"),
        pytest.param({"web": pool(weight=9), "cheap": pool(SPOT, weight=10)}, "run on `cheap` first (by weight)", id="by weight"),
        pytest.param({"web": pool(weight=9), "worker": pool(SPOT)}, None, id="the ordinary pool is first"),
        pytest.param({"web": pool(), "web-arm": pool(ARM)}, "which has only arm64 nodes: images for amd64 do not start there", id="arm64"),
        pytest.param({"web": pool(), "web-gpu": pool(GPU)}, "which has only nodes with accelerators", id="GPUs"),
        pytest.param({"a": pool(ARM), "b": pool(ARM)}, None, id="there are only arm64 nodes"),
        pytest.param({"web": pool(), "worker": pool(SPOT, taints=[Taint("a")])}, None, id="a taint"),
        pytest.param({"web": pool(), "worker": pool(SPOT, limits={"cpu": 0})}, None, id="a pool that is off"),
        pytest.param({"web": pool(), "worker": pool(SPOT, replicas=3)}, None, id="a static pool launches nothing for pods"),
        pytest.param({"web": pool(weight=10), "web-spot": pool(SPOT, weight=20)}, None, id="spot first, then on demand"),
        pytest.param({"web": pool(), "web-spot": pool(SPOT)}, "run on `web-spot` first", id="without a weight that says so"),
        pytest.param({"web": pool(), "other-spot": pool(SPOT, weight=20)}, "run on `other-spot` first", id="the spot pool of another"),
        pytest.param({}, None, id="no pools"),
    ],
)
def test_where_ordinary_pods_run_first(pools: dict[str, NodePool], told: str | None) -> None:
    found = first(SelfManagedKarpenter(node_pools=pools))
    assert len(found) == (told is not None)
    assert told is None or told in found[0]


def test_where_ordinary_pods_run_first_in_each_cloud() -> None:
    spot = {"requirements": [AMD64, SPOT]}
    [told] = first(auto_mode({"web": eks_pool(), "worker": eks_pool(**spot)}))
    assert told.endswith("they can be interrupted at any time / Add a taint to `worker`, or give `web` a higher weight")
    [told] = first(auto_mode({"worker": eks_pool(**spot)}))
    assert told.endswith("/ Add a taint to `worker`")  # `general-purpose` has no weight that could be set
    assert not first(auto_mode({"batch": eks_pool(**spot)}))  # `general-purpose` is later in the alphabet
    assert not first(auto_mode({"worker": eks_pool(**spot)}, built_in_node_pools=["system"]))
    assert first(auto_mode({"batch": eks_pool(**spot, weight=1)}))
    assert first(provisioning({"web": aks_pool(), "worker": aks_pool(requirements=[ARM, SPOT])}))
    assert first(provisioning({"e": aks_pool(requirements=[ARM])}))
    assert not first(provisioning({"e": aks_pool(requirements=[ARM])}, default_node_pools="None"))
    assert not first(provisioning({"a": aks_pool(requirements=[ARM])}))  # `default` is later in the alphabet
