"""NodePools and classes of one cluster, seen together."""

import pytest

from nodepools import Autoscale, Requirement, Taint, UserPool, derive, keys
from nodepools.model.base import Model
from nodepools.model.eks.node_class import EksNodeClass
from nodepools.rules.codes import described
from nodepools.rules.runner import check
from nodepools.rules.samples import SIZE, aks, aks_pool, auto_mode, eks, eks_pool, platform, provisioning

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
    template = {"template": {"spec": spec}} if kind == "DaemonSet" else spec
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
