"""Rights whose scope is known only during `pulumi up`, and rights that an existing identity of nodes gets."""

from collections.abc import Callable
from typing import Any

import pytest

from nodepools import StackOutput, UserPool
from nodepools.aks import ImageCache, KubeletIdentity
from nodepools.testing import Graph

GROUPS = "/subscriptions/11111111-1111-1111-1111-111111111111/resourceGroups"
NET, OTHER = f"{GROUPS}/net", f"{GROUPS}/other"
RESERVED = "providers/Microsoft.Compute/capacityReservationGroups"
WEB, BATCH, FAR = f"{NET}/{RESERVED}/web", f"{NET.replace('net', 'NET')}/{RESERVED}/batch", f"{OTHER}/{RESERVED}/far"
STACK = "acme/capacity/dev"
CACHE = f"{NET}/providers/Microsoft.ContainerRegistry/registries/cache"
BROUGHT = KubeletIdentity(id=f"{NET}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/nodes", client_id="c", object_id="o")
Deploy = Callable[..., Graph]


def scopes(graph: Graph, word: str) -> list[str]:
    return sorted(str(node.inputs["scope"]) for node in graph.all("RoleAssignment") if node.name.startswith(f"dev-weu-{word}"))


RESERVATIONS: dict[str, tuple[dict[str, str | StackOutput], list[str]]] = {
    "two outputs in one resource group": ({"web": StackOutput(STACK, "web"), "batch": StackOutput(STACK, "batch")}, [NET, BATCH]),
    "two outputs in different resource groups": ({"web": StackOutput(STACK, "web"), "far": StackOutput(STACK, "far")}, [NET, OTHER]),
    "an output in the resource group of an id": ({"web": StackOutput(STACK, "web"), "batch": BATCH}, [BATCH.partition("/providers")[0], WEB]),
    "one output for two pools": ({"web": StackOutput(STACK, "web"), "batch": StackOutput(STACK, "web")}, [NET]),
}


@pytest.mark.parametrize("title", RESERVATIONS)
def test_no_role_on_reserved_capacity_is_assigned_twice(deploy: Deploy, title: str) -> None:
    reserved, expected = RESERVATIONS[title]
    pools = {key: UserPool(vm_size="Standard_D4ds_v5", capacity_reservation_group_id=group) for key, group in reserved.items()}
    stacks: Any = {STACK: {"web": WEB, "batch": BATCH, "far": FAR}}
    assert scopes(deploy(pools=pools, stacks=stacks), "reservations") == sorted(expected)


PULLS: dict[str, tuple[dict[str, object], list[str]]] = {
    "a new identity": ({}, [CACHE, CACHE]),
    "an existing identity": ({"kubelet_identity": BROUGHT}, []),
    "an existing identity, and the registry is listed": ({"kubelet_identity": BROUGHT, "registries": [CACHE]}, [CACHE, CACHE]),
}


@pytest.mark.parametrize("title", PULLS)
def test_who_gets_roles_on_the_registry_of_system_images(deploy: Deploy, title: str) -> None:
    fields, expected = PULLS[title]
    graph = deploy(image_cache=ImageCache(registry_id=CACHE), **fields)
    assert scopes(graph, "pull") + scopes(graph, "read") == expected
