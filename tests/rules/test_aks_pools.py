"""Agent pools: what is refused beside what is taken."""

import pytest

from nodepools import AksClusterArgs, Autoscale, GpuPool, Spot, SystemPool, Taint, UserPool
from nodepools.model.base import Model
from nodepools.rules.engine.samples import SIZE, aks
from tests.rules.conftest import Judged


def pools(**pools: object) -> AksClusterArgs:
    return aks(pools=pools)


def user(**fields: object) -> UserPool:
    return UserPool.model_validate({"vm_size": SIZE, **fields})


def system(**fields: object) -> SystemPool:
    return SystemPool.model_validate({"vm_size": SIZE, **fields})


@pytest.mark.parametrize(
    ("declared", "found"),
    [
        pytest.param(aks(pools={"web-1": user()}), [], id="a key of letters, digits and hyphens names a pool"),
        pytest.param(aks(pools={"w" * 63: user()}), [], id="63 characters are the value of a label"),
        pytest.param(aks(pools={"w" * 64: user()}), [f"AKS001 pools.{'w' * 64}"], id="64 are not"),
        pytest.param(aks(pools={"web-": user()}), ["AKS001 pools.web-"], id="nor is a hyphen last"),
        pytest.param(aks(pools={"1web": user()}), ['AKS001 pools["1web"]'], id="a digit first names no pool"),
        pytest.param(aks(pools={"": user()}), ['AKS001 pools[""]'], id="nor does nothing"),
        pytest.param(aks(pools={"aksmanagedap": user()}), [], id="the name of AKS's own pool is never met: names end in a fingerprint"),
        pytest.param(Autoscale(2, 2), [], id="a scale may be one size"),
        pytest.param(user(count=1, scale=Autoscale(1, 5)), [], id="a pool may begin at its least"),
        pytest.param(user(count=5, scale=Autoscale(1, 5)), [], id="or at its most"),
        pytest.param(user(count=0, scale=Autoscale(1, 5)), ["AKS011 count"], id="but not below"),
        pytest.param(user(count=3, scale=Autoscale(5, 1)), ["AKS010 scale.min"], id="a scale that is upside down is one finding"),
        pytest.param(user(count=0), [], id="a user pool may be empty"),
        pytest.param(user(scale=Autoscale(0, 5)), [], id="and be scaled to zero"),
        pytest.param(system(count=0), ["AKS012 count"], id="a system pool may not be empty"),
        pytest.param(system(scale=Autoscale(1, 5)), [], id="a system pool may be scaled from one"),
        pytest.param(aks(system_pool={"count": 2}), [], id="two system nodes will do"),
        pytest.param(aks(system_pool={"count": None}), ["AKS013 system_pool"], id="one, by default, is too few"),
        pytest.param(
            aks(system_pool={"count": 3, "scale": Autoscale(1, 3)}),
            ["AKS013 system_pool"],
            id="scaled down to one is too few",
        ),
        pytest.param(aks(system_pool={"count": 1}, pools={"more": system()}), [], id="a second system pool counts"),
        pytest.param(system(taints=[Taint("dedicated", "system", "PreferNoSchedule")]), [], id="a soft taint is taken on a system pool"),
        pytest.param(system(taints=[Taint("CriticalAddonsOnly", "true", "NoExecute")]), [], id="and CriticalAddonsOnly, however hard"),
        pytest.param(user(taints=[Taint("dedicated", "system")]), [], id="any other on a user pool"),
        pytest.param(
            system(taints=[Taint("a"), Taint("b", effect="NoExecute")]), ["AKS014 taints[0]", "AKS014 taints[1]"], id="each hard one is told"
        ),
        pytest.param(user(taints=[Taint("team", "ml"), Taint("team", "ml", "NoExecute")]), [], id="one key may have two effects"),
        pytest.param(user(taints=[Taint("team", "ml"), Taint("team", "ml")]), [], id="a taint that is there twice is there once"),
        pytest.param(
            GpuPool(vm_size="Standard_NC4as_T4_v3", taints=[Taint("sku", "cpu")]),
            ["AKS015 taints[0]"],
            id="a taint that comes with the kind of pool counts",
        ),
        pytest.param(user(scale=Autoscale(0, 5), spot=Spot(max_price=0.01234)), [], id="a price has up to five decimals"),
        pytest.param(user(scale=Autoscale(0, 5), spot=Spot(max_price=0.012345)), ["AKS016 spot.max_price"], id="not six"),
        pytest.param(user(scale=Autoscale(0, 5), spot=Spot(max_price=-0.5)), ["AKS016 spot.max_price"], id="and is not negative"),
        pytest.param(user(scale=Autoscale(0, 5), spot=Spot(max_price=float("inf"))), ["AKS016 spot.max_price"], id="nor without end"),
        pytest.param(user(scale=Autoscale(0, 5), spot=Spot()), [], id="a spot pool that is scaled fills up again"),
        pytest.param(
            system(vm_size="standard_b2s"), ["AKS018 vm_size", "AKS047 vm_size", "AKS328 vm_size"], id="Azure's names have no capitals of their own"
        ),
        pytest.param(user(vm_size="Standard_B2s"), [], id="a user pool may be burstable"),
    ],
)
def test_pools(declared: Model, found: list[str], judged) -> None:
    assert judged(declared) == found


@pytest.mark.parametrize(
    ("labels", "found"),
    [
        pytest.param({"team": "ml", "example.com/team": ""}, [], id="labels of your own"),
        pytest.param({"node.kubernetes.io/team": "ml"}, [], id="the kubelet may set labels under node.kubernetes.io"),
        pytest.param({"eu.kubelet.kubernetes.io/team": "ml"}, [], id="and under anything of kubelet.kubernetes.io"),
        pytest.param({"beta.kubernetes.io/os": "linux"}, [], id="old names of Kubernetes are let be"),
        pytest.param({"kubernetes.io/arch": "arm64"}, ['AKS021 labels["kubernetes.io/arch"]'], id="labels of Kubernetes are AKS's to set"),
        pytest.param({"topology.kubernetes.io/zone": "1"}, ['AKS021 labels["topology.kubernetes.io/zone"]'], id="zones too"),
        pytest.param({"app.kubernetes.io/part-of": "x"}, ['AKS022 labels["app.kubernetes.io/part-of"]'], id="nodes may not say of what app they are"),
        pytest.param({"sig.k8s.io/x": "x", "k8s.io/x": "x"}, ['AKS022 labels["sig.k8s.io/x"]', 'AKS022 labels["k8s.io/x"]'], id="nor use k8s.io"),
        pytest.param({"te am": "x"}, ['AKS023 labels["te am"]'], id="a key has no spaces"),
        pytest.param({"team": "x" * 64}, ["AKS023 labels.team"], id="a value has 63 characters"),
        pytest.param(
            {"kubernetes.azure.com/scalesetpriority": "spot"},
            ['AKS021 labels["kubernetes.azure.com/scalesetpriority"]'],
            id="no spot label on demand",
        ),
    ],
)
def test_labels(labels: dict[str, str], found: list[str], judged) -> None:
    assert judged(user(labels=labels)) == found


def test_the_spot_label_is_ours_to_add_and_may_be_repeated(judged) -> None:
    spot = user(scale=Autoscale(0, 5), spot=Spot(), labels={"kubernetes.azure.com/scalesetpriority": "spot"})
    assert judged(spot) == []


@pytest.mark.parametrize(
    ("taint", "found"),
    [
        pytest.param(Taint("example.com/team", "ml"), [], id="a qualified name"),
        pytest.param(Taint("team"), [], id="no value"),
        pytest.param(Taint("team", "a/b"), ["AKS024 taints[0].value"], id="a value is that of a label"),
    ],
)
def test_taints(taint: Taint, found: list[str], judged) -> None:
    assert judged(user(taints=[taint])) == found


@pytest.mark.parametrize(
    ("version", "overrides", "found"),
    [
        pytest.param("1.36", {}, ["AKS060 pools.web.overrides.orchestrator_version"], id="newer"),
        pytest.param("1.31", {}, ["AKS061 pools.web.overrides.orchestrator_version"], id="four behind"),
        pytest.param("1.35", {}, [], id="the same"),
        pytest.param("next", {}, [], id="not a version"),
        pytest.param(None, {}, [], id="none is sent"),
        pytest.param("1.36", {"kubernetes_version": "1.36"}, [], id="the cluster has an override too"),
    ],
)
def test_versions_of_pools_in_overrides(version: str | None, overrides: dict[str, str], found: list[str], judged: Judged) -> None:
    pool = UserPool(vm_size=SIZE, kubernetes_version="1.30", overrides={"orchestrator_version": version})
    codes = judged(aks(kubernetes_version="1.35", pools={"web": pool}, overrides=overrides))
    assert [code for code in codes if code.startswith("AKS06")] == found
