"""Regions, VM sizes and the smallest of subnets: what is told of a misspelt word, beside all that the clouds take."""

import pytest

from nodepools import AksNetworkArgs, GpuPool, Requirement, Spot, SystemPool, Taint, UserPool, WindowsPool
from nodepools.aks import DevicePlugin
from nodepools.model.aks.agent_pool import Autoscale
from nodepools.model.base import Model
from nodepools.rules.engine.runner import check
from nodepools.rules.engine.samples import SIZE, aks, aks_pool, eks, platform
from tests.rules.test_samples import DAY

TYPE = "node.kubernetes.io/instance-type"
T4 = "Standard_NC4as_T4_v3"
WEB = UserPool(vm_size=SIZE)


def network(**fields: object) -> Model:
    return AksNetworkArgs.model_validate(fields)


def gpus(pool: UserPool, **cluster: object) -> Model:
    return aks(pools={"web": WEB, "train": pool}, **cluster)


@pytest.mark.parametrize(
    ("declared", "found", "fix"),
    [
        pytest.param(
            aks(location="westeuropa"), "PLT051 location", 'Set `location` to `"westeurope"`, if that is meant', id="a region of Azure, nearly"
        ),
        pytest.param(aks(location="west-europe"), "PLT051 location", 'Set `location` to `"westeurope"`', id="with a hyphen"),
        pytest.param(aks(location="atlantis-on-sea"), "AKS140 location", "Use a name that `az account list-locations` lists", id="nothing like it"),
        pytest.param(
            eks(region="eu-centrall-1"), "PLT051 region", 'Set `region` to `"eu-central-1"`, if that is meant', id="a region of AWS, nearly"
        ),
        pytest.param(eks(region="US-EAST-1"), "PLT051 region", 'Set `region` to `"us-east-1"`', id="in capitals, which AWS does not take"),
        pytest.param(eks(region="us-east-1\n"), "PLT051 region", 'Set `region` to `"us-east-1"`, if that is meant', id="with the end of a line"),
        *(
            pytest.param(aks(location=written), "PLT051 location", 'Set `location` to `"westeurope"`, if that is meant', id=kind)
            for written, kind in (("west\u200beurope", "with an invisible character"), ("westeurope\u00a0", "with a space of another kind"))
        ),
        pytest.param(
            eks(region="\u200bus-east-1"), "PLT051 region", 'Set `region` to `"us-east-1"`, if that is meant', id="after what cannot be seen"
        ),
        pytest.param(eks(region="zz"), "EKS100 region", "Use a name that `aws account list-regions` lists", id="nothing like that"),
        pytest.param(
            UserPool(vm_size="Standard_D4ds_v55"), "AKS141 vm_size", 'Set `vm_size` to `"Standard_D4ds_v5"`, if that is meant', id="a size, nearly"
        ),
        pytest.param(
            SystemPool(vm_size="D4ds_v5", count=3), "AKS141 vm_size", 'Set `vm_size` to `"Standard_D4ds_v5"`', id="a size without its first word"
        ),
        pytest.param(
            UserPool(vm_size="banana"),
            "AKS141 vm_size",
            "Use a name that `az vm list-skus --resource-type virtualMachines` lists",
            id="no size at all",
        ),
        pytest.param(
            aks_pool(Requirement(TYPE, "In", ["Standard_D4ds_v55"])),
            "NAP045 requirements[2].values[0]",
            'Set `values[0]` to `"Standard_D4ds_v5"`, if that is meant',
            id="of a NodePool",
        ),
        pytest.param(
            aks_pool(Requirement("karpenter.azure.com/sku-name", "In", ["standard_d4ds_v5"])),
            "NAP045 requirements[2].values[0]",
            'Set `values[0]` to `"Standard_D4ds_v5"`',
            id="a label in other capitals, which no node has",
        ),
        *(
            pytest.param(
                aks_pool(Requirement("karpenter.azure.com/sku-name", "NotIn", [name])),
                "NAP045 requirements[2].values[0]",
                'Set `values[0]` to `"Standard_D4ds_v5"`',
                id=f"{name} is kept out, which no node has",
            )
            for name in ("D4ds_v5", "standard_d4ds_v5")
        ),
    ],
)
def test_a_name_that_is_not_known_is_told_the_nearest(declared: Model, found: str, fix: str) -> None:
    [told] = check(declared, today=DAY)
    assert (f"{told.code} {told.path}", told.fix.text) == (found, fix)
    assert "is not a known" in told.message or told.code in ("NAP045", "PLT051")


@pytest.mark.parametrize(
    "declared",
    [
        *(
            pytest.param(aks(location=name), id=name)
            for name in ("West Europe", "WestEurope", "chinanorth3", "usgovvirginia", "deloscloudgermanycentral")
        ),
        *(pytest.param(eks(region=name), id=name) for name in ("cn-northwest-1", "us-gov-west-1", "us-iso-east-1", "eusc-de-east-1", "mx-central-1")),
        pytest.param(
            aks_pool(Requirement(TYPE, "NotIn", ["Standard_D4ds_v55", "Standard_D4ds_v5"])), id="sizes that are kept out, one of them not there"
        ),
        pytest.param(aks_pool(Requirement("nodepools.example/size", "In", ["banana"])), id="a label that is no size"),
    ],
)
def test_what_the_clouds_take_is_not_told(declared: Model) -> None:
    assert check(declared, today=DAY) == []


SMALL = "AKS144 network"


@pytest.mark.parametrize(
    ("declared", "found"),
    [
        pytest.param(network(node_subnet_cidr="10.224.0.0/29"), [], id="the smallest subnet"),
        pytest.param(network(node_subnet_cidr="10.224.0.0/31"), [f"{SMALL}.node_subnet_cidr"], id="a subnet of two addresses"),
        pytest.param(network(cidr="10.10.0.0/27"), [], id="a quarter of a /27"),
        pytest.param(network(cidr="10.10.0.0/28"), [f"{SMALL}.cidr"], id="a quarter of a /28"),
        pytest.param(network(cidr="10.10.0.0/32"), [f"{SMALL}.cidr"], id="one address"),
        pytest.param(network(pool_subnets={"web": "10.224.128.0/30"}), [f"{SMALL}.pool_subnets.web"], id="the subnet of a pool"),
    ],
)
def test_subnets_of_azure_have_a_least_size(declared: Model, found: list[str], judged) -> None:
    assert [one for one in judged(aks(network=declared)) if not one.startswith("AKS227")] == found  # AKS227 counts what the pools need


def test_a_subnet_that_cannot_be_is_told_once(judged) -> None:
    flat = aks(
        network={"cidr": "10.10.0.0/16", "node_subnet_cidr": "10.10.0.0/31", "pod_subnet_cidr": "10.10.1.0/30"}, network_profile={"plugin_mode": None}
    )
    assert judged(flat) == [f"{SMALL}.node_subnet_cidr", f"{SMALL}.pod_subnet_cidr"]


OPEN = "AKS145 pools.train.vm_size"


@pytest.mark.parametrize(
    ("declared", "found"),
    [
        pytest.param(gpus(UserPool(vm_size=T4)), [OPEN], id="GPUs of a user pool"),
        pytest.param(gpus(UserPool(vm_size=T4, taints=[Taint("team", "ml")])), [OPEN], id="with a taint, and no device plugin"),
        pytest.param(gpus(UserPool(vm_size=T4), device_plugin=None), [OPEN], id="with a plugin of one's own, and no taint"),
        pytest.param(gpus(UserPool(vm_size=T4, taints=[Taint("team", "ml")]), gpu_operator=True), [], id="with a taint and an operator"),
        pytest.param(gpus(UserPool(vm_size=T4, scale=Autoscale(0, 5), spot=Spot()), device_plugin=None), [], id="spot nodes have a taint"),
        pytest.param(gpus(UserPool(vm_size="Standard_NV8ads_V710_v5")), [], id="GPUs of AMD, which a GPU pool is not for"),
        pytest.param(gpus(UserPool(vm_size="Standard_ND96isr_MI300X_v5")), [], id="and these"),
        pytest.param(gpus(UserPool(vm_size="Standard_NP10s")), [], id="FPGAs"),
        pytest.param(aks(pools={"web": WEB, "train": GpuPool(vm_size=T4)}, device_plugin=DevicePlugin()), [], id="a GPU pool"),
        pytest.param(aks(system_pool=SystemPool(vm_size=T4, count=3)), ["AKS145 system_pool.vm_size"], id="GPUs of a system pool"),
        pytest.param(
            platform(weu=aks(pools={"web": WEB, "win": WindowsPool(vm_size=T4)}, kubernetes_version="1.35")),
            ["AKS098 clusters.weu.pools.win"],
            id="Windows has a plugin of its own",
        ),
    ],
)
def test_gpus_that_a_pool_does_not_offer(declared: Model, found: list[str], judged) -> None:
    assert judged(declared) == found


@pytest.mark.parametrize(
    ("pool", "cluster", "said"),
    [
        pytest.param(UserPool(vm_size=T4), {}, ("sku=gpu:NoSchedule", "device plugin"), id="both"),
        pytest.param(UserPool(vm_size=T4, taints=[Taint("team", "ml")]), {}, ("device plugin",), id="the plugin alone"),
        pytest.param(UserPool(vm_size=T4), {"gpu_operator": True}, ("sku=gpu:NoSchedule",), id="the taint alone"),
    ],
)
def test_what_such_a_pool_lacks_is_named(pool: UserPool, cluster: dict[str, object], said: tuple[str, ...]) -> None:
    [told] = check(gpus(pool, **cluster), today=DAY)
    assert tuple(word for word in ("sku=gpu:NoSchedule", "device plugin") if word in told.message) == said
