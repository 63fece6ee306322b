"""Agent pools in the list of a cluster, in states of other programs: AKS knows them by their names, and neither adds nor replaces them there."""

import pytest

from nodepools.changes.platform_changes import request_set_changes
from nodepools.resources.plan_requests import plan_requests
from nodepools.resources.resource import Resource

CLUSTER = "azure-native:containerservice:ManagedCluster"


def pool(name, **values):
    mode = "System" if name == "system" else "User"
    return {"name": name, "count": 3, "vmSize": "Standard_D4ds_v5", "mode": mode, "osType": "Linux", "type": "VirtualMachineScaleSets", **values}


SYSTEM, WEB, BATCH = pool("system"), pool("web"), pool("batch")


def side(pools, **values):
    inputs = {"resourceGroupName": "rg", "resourceName": "shop", "location": "westeurope", "dnsPrefix": "shop", "agentPoolProfiles": pools, **values}
    return plan_requests([Resource("urn", CLUSTER, "aks", inputs)]).requests


def changes(old, new, **values):
    return request_set_changes(side(old), side(new, **values))


@pytest.mark.parametrize(
    ("new", "found"),
    [
        ([SYSTEM, WEB, BATCH], set()),
        ([WEB, BATCH, SYSTEM], set()),
        ([SYSTEM, {**WEB, "vmSize": "Standard_D8ds_v5"}, BATCH], {("aks/web", "agentPoolProfiles.web.vm_size", "refused")}),
        ([{**WEB, "vmSize": "Standard_D8ds_v5"}, SYSTEM, BATCH], {("aks/system", "system_pool.vm_size", "refused")}),
        ([SYSTEM, {**WEB, "count": 1}, BATCH], {("aks/web", "agentPoolProfiles.web.count", "removes_nodes")}),
        ([SYSTEM, {**WEB, "nodeLabels": {"a": "b"}}, BATCH], {("aks/web", "agentPoolProfiles.web.labels.a", "in_place")}),
        ([SYSTEM, {**WEB, "mystery": 3}, BATCH], {("aks/web", "agentPoolProfiles.web.mystery", "unknown")}),
        ([SYSTEM, WEB], {("aks", "agentPoolProfiles.batch", "unknown")}),
        ([WEB, BATCH], {("aks", "agentPoolProfiles.system", "unknown")}),
        ([SYSTEM, WEB, BATCH, pool("new")], {("aks", "agentPoolProfiles.new", "refused")}),
        ([pool("new"), SYSTEM, WEB, BATCH], {("aks", "agentPoolProfiles.new", "refused")}),
    ],
)
def test_each_pool_in_a_list_is_compared(new, found):
    """The rows of a cluster have one pool of its list only."""
    every = changes([SYSTEM, WEB, BATCH], new).all
    assert {(one.at, one.path.removeprefix("aks."), one.effect.value) for one in every} == found
    assert {str(one.resource) for one in every} <= {"ManagedCluster/aks"}


def test_nodes_are_those_of_the_pool_that_changes():
    [change] = changes([SYSTEM, {**WEB, "count": 7}], [SYSTEM, {**WEB, "count": 2}]).all
    assert str(change.nodes) == "5"


def test_pools_of_a_cluster_that_is_created_again_are_created_with_it():
    every = changes([SYSTEM, WEB], [SYSTEM, {**WEB, "vmSize": "Standard_D8ds_v5"}, BATCH], location="northeurope")
    assert {one.effect.value for one in every.all} == {"replaces", "creates"}


def test_a_cluster_that_is_deleted_has_the_nodes_of_every_pool_of_its_list():
    [change] = request_set_changes(side([SYSTEM, WEB, BATCH]), plan_requests([]).requests).all
    assert (change.effect.value, str(change.nodes)) == ("deletes", "9")
