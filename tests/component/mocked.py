"""Programs under Pulumi's own mocks, as people write them: new_resource returns an id and the inputs, call returns nothing or its arguments."""

import asyncio
import sys
from collections.abc import Callable
from inspect import get_annotations

import pulumi
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
ACCOUNT = "/subscriptions/s/resourceGroups/g/providers"
IDENTITY = f"{ACCOUNT}/Microsoft.ManagedIdentity/userAssignedIdentities/shop"
VAULTS = {"addon_profiles": {"azureKeyvaultSecretsProvider": {"enabled": True}}}
NAMES = {"name", "resource_group"}
"""Physical names, which such mocks do not return."""
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


PROGRAMS: dict[str, Callable[[], AksCluster | EksCluster]] = {
    "AKS with objects in the cluster": lambda: aks(node_provisioning=provisioning()),
    "AKS without Entra ID": lambda: aks(entra=None),
    "AKS with an add-on and registries": lambda: aks(registries=[f"{ACCOUNT}/Microsoft.ContainerRegistry/registries/shop"], overrides=VAULTS),
    "AKS with identities that others made": lambda: aks(identity=IDENTITY, overrides=VAULTS),
    "AKS with the identity that Azure assigns": lambda: aks(identity="system"),
    "EKS with objects in the cluster, in zones that AWS chooses": lambda: eks(auto_mode=auto_mode()),
    "EKS in named zones": lambda: eks(network=EksNetworkArgs(cidr="10.0.0.0/16", zones=["us-east-1a", "us-east-1b"])),
}


@pulumi.runtime.test
def outputs_of(make: Callable[[], AksCluster | EksCluster], known: list[object]) -> pulumi.Output[None]:
    cluster = make()
    told = get_annotations(AksCluster).keys() - NAMES if isinstance(cluster, AksCluster) else ()
    names = {"kubeconfig", "endpoint", "oidc_issuer", "pools", *told}
    return pulumi.Output.all(*(getattr(cluster, name) for name in names)).apply(known.extend)


def main() -> None:
    """Prints a line for every program that ran with all outputs known."""
    asyncio.set_event_loop(asyncio.new_event_loop())  # Python 3.14 makes none, and Pulumi's mocks need one
    for name, make in PROGRAMS.items():
        for mocks in (Silent(), Echoing()):
            set_mocks(mocks, preview=False)
            known: list[object] = []
            outputs_of(make, known)
            sys.stdout.write(f"{type(mocks).__name__}, {name}: {len(known) > 0}, {known.count(None)} of them None\n")


if __name__ == "__main__":
    main()
