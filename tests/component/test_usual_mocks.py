"""Pulumi's own mocks, as people write them: new_resource returns an id and the inputs, call returns nothing or its arguments."""

from collections.abc import Callable

import pulumi
import pytest
from pulumi.runtime import Mocks, set_mocks
from pulumi.runtime.mocks import MockCallArgs, MockResourceArgs

from nodepools import (
    AksCluster,
    AksClusterArgs,
    AksNodePool,
    AutoMode,
    EksCluster,
    EksClusterArgs,
    EksNetworkArgs,
    EksNodeClass,
    EksNodePool,
    NodeProvisioning,
    Requirement,
    SystemPool,
    UserPool,
)

SIZE = "Standard_D4ds_v5"
AMD64 = Requirement("kubernetes.io/arch", "In", ["amd64"])


class Silent(Mocks):
    """Answers no question."""

    def new_resource(self, args: MockResourceArgs) -> tuple[str, dict[str, object]]:
        return f"{args.name}_id", args.inputs

    def call(self, _: MockCallArgs) -> dict[str, object]:
        return {}


class Echoing(Silent):
    """Answers a question with what it was asked."""

    def call(self, args: MockCallArgs) -> dict[str, object]:
        return args.args


def aks(**fields: object) -> AksCluster:
    pools = {"web": UserPool(vm_size=SIZE, count=3)}
    system = SystemPool(vm_size=SIZE, count=3)
    return AksCluster("shop", AksClusterArgs(location="westeurope", kubernetes_version="1.35", system_pool=system, pools=pools, **fields))


def eks(**fields: object) -> EksCluster:
    return EksCluster("shop", EksClusterArgs(region="us-east-1", kubernetes_version="1.35", **fields))


def provisioning() -> NodeProvisioning:
    return NodeProvisioning(node_pools={"general": AksNodePool(requirements=[AMD64])})


def auto_mode() -> AutoMode:
    return AutoMode(node_pools={"general": EksNodePool(requirements=[AMD64])}, node_classes={"own": EksNodeClass()})


@pytest.mark.parametrize("mocks", [Silent, Echoing])
@pytest.mark.parametrize("preview", [pytest.param(False, id="up"), pytest.param(True, id="preview")])
@pytest.mark.parametrize(
    "make",
    [
        pytest.param(lambda: aks(node_provisioning=provisioning()), id="AKS with objects in the cluster"),
        pytest.param(lambda: aks(entra=None), id="AKS without Entra ID"),
        pytest.param(lambda: eks(auto_mode=auto_mode()), id="EKS with objects in the cluster, in zones that AWS chooses"),
        pytest.param(lambda: eks(network=EksNetworkArgs(cidr="10.0.0.0/16", zones=["us-east-1a", "us-east-1b"])), id="EKS in named zones"),
    ],
)
def test_a_cluster_is_registered_and_its_outputs_are_known(make: Callable[[], AksCluster | EksCluster], mocks: type[Mocks], *, preview: bool) -> None:
    known: list[object] = []

    @pulumi.runtime.test
    def program() -> pulumi.Output[None]:
        cluster = make()
        return pulumi.Output.all(cluster.kubeconfig, cluster.endpoint, cluster.oidc_issuer, cluster.pools).apply(known.extend)

    set_mocks(mocks(), preview=preview)
    program()
    assert known or preview
