"""Who waits for a new assignment: what follows it, where it is made, and nothing else."""

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pulumi
import pytest
from pulumi_azure_native import authorization

from nodepools import AksNodePool, NodeProvisioning, testing
from nodepools.aks import role_assignments

PROVISIONED = {"node_provisioning": NodeProvisioning(node_pools={"general": AksNodePool()})}


@pytest.fixture
def slept(monkeypatch):
    """Seconds that were waited; no time passes."""
    waits = []

    async def sleep(seconds):
        waits.append(seconds)

    monkeypatch.setattr(role_assignments, "asyncio", SimpleNamespace(sleep=sleep))
    return waits


def program(note):
    """A grant, and what follows it; `note` is called with the hook and the grant's URN."""

    def registered():
        awaited = role_assignments.Propagation()
        grant = authorization.RoleAssignment(
            "grant", principal_id="p", role_definition_id="r", scope="s", opts=pulumi.ResourceOptions(hooks=awaited.hooks)
        )
        [hook] = awaited.hooks.after_create
        note(hook, grant)
        authorization.RoleAssignment(
            "after", principal_id="q", role_definition_id="r", scope="s", opts=pulumi.ResourceOptions(depends_on=[awaited.awaited(grant)])
        )

    return registered


def as_new(hook, _):
    """As Pulumi's engine does once it has made the grant."""
    urn = "urn:pulumi:dev::nodepools::azure-native:authorization:RoleAssignment::grant"
    hook(pulumi.ResourceHookArgs(urn, "id", "grant", "azure-native:authorization:RoleAssignment"))


def test_what_follows_a_new_grant_waits_as_long_as_azure_may_take(slept):
    graph = testing.run(program(as_new))
    assert slept == [300]
    assert graph.one("RoleAssignment/after").depends_on("RoleAssignment/grant")


def test_what_follows_a_grant_that_is_there_waits_for_nothing(slept):
    graph = testing.run(program(lambda *_: None))
    assert slept == []
    assert graph.one("RoleAssignment/after").depends_on("RoleAssignment/grant")


@pytest.mark.parametrize(
    ("age", "waited"),
    [
        pytest.param(100, [200], id="an up that failed created it: the rest of the time"),
        pytest.param(301, [], id="it is old enough"),
        pytest.param(-900, [300], id="the clock of this machine is late: never longer than for a new one"),
    ],
)
def test_a_grant_of_an_earlier_up_is_waited_for_until_it_is_old_enough(slept, age, waited):
    created = (datetime.now(UTC) - timedelta(seconds=age)).isoformat()
    made = {"azure-native:authorization:RoleAssignment": lambda *_: {"createdOn": created}}
    testing.run(program(lambda *_: None), outputs=made)
    assert [round(seconds, -1) for seconds in slept] == waited


def test_a_time_without_a_zone_is_utc():
    created = (datetime.now(UTC) - timedelta(seconds=100)).replace(tzinfo=None).isoformat()
    assert role_assignments.seconds_left(created) in (199, 200)


def test_the_hook_itself_does_not_wait(slept):
    hook = role_assignments.Propagation().hooks.after_create[0]
    assert hook(pulumi.ResourceHookArgs("urn", "id", "grant", "type")) is None
    assert slept == []


def test_a_preview_waits_for_nothing_and_keeps_the_order(slept):
    graph = testing.run(program(as_new), preview=True)
    assert slept == []
    assert graph.one("RoleAssignment/after").depends_on("RoleAssignment/grant")


def test_only_what_is_in_the_cluster_follows_the_grant(deploy, preview, slept):
    from nodepools import UserPool

    graph = deploy(**PROVISIONED, pools={"web": UserPool(vm_size="Standard_D4ds_v5")}, preview=preview)
    grant = graph.one("RoleAssignment/dev-weu-admin-*")
    followers = {node.type.rpartition(":")[2] for node in graph if node.depends_on(grant)}
    assert followers == {"kubernetes", "NodePool"}
    assert slept == []
