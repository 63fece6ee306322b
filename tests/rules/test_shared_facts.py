"""Facts that one rule, `explain` or `upgrade` already knew, and that the rules around it share: each row is a relative of one mistake."""

import pytest

from nodepools import GpuPool, UserPool
from nodepools.model.aks.agent_pool import Autoscale, Machines, Spot
from nodepools.model.aks.cluster import AksClusterArgs, AksNodeClass
from nodepools.model.aks.network import ExistingAksNetwork, ManagedAksNetwork
from nodepools.model.aks.node_settings import WindowsProfile
from nodepools.model.base import Model
from nodepools.model.derive import derive
from nodepools.model.karpenter import Requirement
from nodepools.rules.engine.runner import check
from nodepools.rules.engine.samples import SIZE, aks, aks_pool, platform, provisioning
from tests.azure_ids import NEAR
from tests.rules.conftest import Judged

OTHER = "/subscriptions/a/resourceGroups/net/providers/Microsoft.Network/virtualNetworks/hub/subnets/{}"
OWN = "/subscriptions/a/resourceGroups/DEV-weu/providers/microsoft.network/virtualNetworks/dev-weu/subnets/more"
OF_CLASS = "clusters.weu.node_provisioning.node_classes.own.vnet_subnet_id"
CLUSTER = "kubernetes.azure.com/cluster"


def in_subnet(subnet: str, **cluster: object) -> Model:
    return platform(weu=aks(pools={"web": UserPool(vm_size=SIZE, vnet_subnet_id=subnet)}, **cluster))


def class_in(subnet: str, **cluster: object) -> Model:
    classes = {"own": AksNodeClass(vnet_subnet_id=subnet)}
    return platform(weu=derive(provisioning({"general": aks_pool(node_class="own")}, node_classes=classes), **cluster))


def machines(**fields: object) -> AksClusterArgs:
    return aks(
        pools={
            "plain": UserPool(vm_size=SIZE),
            "web": UserPool.model_validate({"vm_size": SIZE, "machines": [Machines("Standard_D8ds_v5")], **fields}),
        }
    )


ROWS = [
    pytest.param(in_subnet(OTHER.format("a")), ["AKS050 clusters.weu.pools.web.vnet_subnet_id"], id="a pool beside the network that is created"),
    pytest.param(in_subnet(OWN), [], id="a subnet of the network that is created, in another case"),
    pytest.param(in_subnet(OTHER.format("a"), system_pool={"vnet_subnet_id": OTHER.format("b")}), [], id="all pools in another network"),
    pytest.param(in_subnet(OTHER.format("a"), network=ExistingAksNetwork(subnet_id=OTHER.format("b"))), [], id="an existing network"),
    pytest.param(
        platform(weu=aks(api_server_subnet_id=OTHER.format("api"))), ["AKS050 clusters.weu.api_server_subnet_id"], id="the subnet of the API server"
    ),
    pytest.param(class_in(OTHER.format("a")), [f"NAP028 {OF_CLASS}"], id="a node class beside the network that is created"),
    pytest.param(class_in(OWN), [], id="a node class in it"),
    pytest.param(class_in(OTHER.format("a"), network=ManagedAksNetwork()), [f"NAP028 {OF_CLASS}"], id="a node class in a network of AKS"),
    pytest.param(machines(spot=Spot(), scale=Autoscale(1, 3)), ["AKS348 pools.web.spot"], id="single machines on spot"),
    pytest.param(machines(proximity_placement_group_id=NEAR), ["AKS348 pools.web.proximity_placement_group_id"], id="single machines near others"),
    pytest.param(GpuPool(vm_size="Standard_NV28adms_V710_v5"), ["AKS083 vm_size"], id="GPUs of AMD by the table"),
    pytest.param(GpuPool(vm_size="Standard_NP10s"), ["AKS083 vm_size"], id="FPGAs"),
    pytest.param(GpuPool(vm_size="Standard_NP10s", driver="None"), [], id="with a driver of one's own"),
    pytest.param(WindowsProfile(admin_password="abcdefghijklmnop1"), ["AKS095 admin_password", "AKS096 admin_password"], id="two kinds"),  # noqa: S106
    pytest.param(WindowsProfile(admin_password="Abcdefghijklmnop1"), ["AKS096 admin_password"], id="three kinds"),  # noqa: S106
    pytest.param(
        platform(weu=provisioning({"general": aks_pool(Requirement(CLUSTER, "In", ["weu"]))})),
        ["NAP077 clusters.weu.node_provisioning.node_pools.general.requirements"],
        id="the name of the cluster, where nodes have their group's",
    ),
    pytest.param(platform(weu=provisioning({"general": aks_pool(Requirement(CLUSTER, "In", ["dev-weu-nodes"]))})), [], id="that of the group"),
    pytest.param(provisioning({"general": aks_pool(Requirement(CLUSTER, "In", ["weu"]))}), [], id="a group that is not known"),
]


@pytest.mark.parametrize(("declared", "found"), ROWS)
def test_shared(declared: Model, found: list[str], judged: Judged) -> None:
    ours = {"AKS050", "NAP028", "AKS348", "AKS083", "AKS095", "AKS096", "NAP077"}
    assert [one for one in judged(declared) if one.partition(" ")[0] in ours] == found


FIXES = [
    pytest.param(aks(admins=[{"object_id": "a@b.c", "principal_type": "User"}]), "`az ad user show --id NAME --query id`", id="a user"),
    pytest.param(aks(admins=[{"object_id": "x", "principal_type": "ServicePrincipal"}]), "`az ad sp show", id="a service principal"),
    pytest.param(aks(entra={"tenant_id": "b.c"}), "`az account show --query tenantId`", id="a tenant"),
    pytest.param(aks(identity="SystemAssigned"), 'Use `"system"`', id="the identity of the cluster, in the word of Azure"),
    pytest.param(aks(network_profile={"dataplane": "azure", "policy": "cilium"}), "Pulumi replaces an existing cluster", id="the dataplane"),
    pytest.param(platform(weu=aks(), WEU=aks(network={"cidr": "10.9.0.0/16"})), 'such as `"WEU-nodes"`, or rename the cluster', id="a default"),
]


@pytest.mark.parametrize(("declared", "words"), FIXES)
def test_fix(declared: Model, words: str) -> None:
    assert any(words in str(one.fix) for one in check(declared)), [str(one.fix) for one in check(declared)]
