"""Imported resources get the inputs of the program with the values of the cloud; all others stay as they are."""

from typing import Any

import pytest

from nodepools.state.deployment import NotStateError, state_of
from nodepools.state.settled import Settlement, settled
from tests.state.states import CLUSTER, imported_pool, pool, resource, state

SENT = {pool()["urn"]: {"count": 2, "type": "VirtualMachineScaleSets"}}


def settlement(*resources: dict[str, Any], sent: Any = SENT, **others: Any) -> Settlement:
    return settled(state_of(state(*resources, **others)), sent)


def inputs(found: Settlement) -> Any:
    *_, last = state_of(found.state).resources
    return last.inputs


def test_an_imported_resource_is_settled():
    found = settlement(imported_pool())
    assert inputs(found) == {"count": 1}
    assert [one.changes for one in found.settled] == [(("count",), ("type",))]


def test_a_resource_that_an_update_has_recorded_stays():
    assert inputs(settlement({**imported_pool(), "propertyDependencies": {"count": []}})) == imported_pool()["inputs"]


def test_a_resource_that_pulumi_is_about_to_delete_stays():
    found = settlement({**imported_pool(), "delete": True})
    assert (found.settled, inputs(found)) == ((), imported_pool()["inputs"])


def test_the_type_of_a_pool_is_in_the_response_of_its_cluster():
    profiles = [{"name": "other", "type": "X"}, {"name": "web", "type": "VirtualMachineScaleSets"}]
    cluster = resource("azure-native:containerservice:ManagedCluster", "dev-weu", id=CLUSTER, inputs={}, outputs={"agentPoolProfiles": profiles})
    assert inputs(settlement(cluster, imported_pool())) == {"count": 1, "type": "VirtualMachineScaleSets"}


def test_what_the_cloud_does_not_return_is_what_an_interrupted_creation_sent():
    found = settlement(imported_pool(), pending={"creating": pool(inputs={"count": 9, "type": "VirtualMachineScaleSets"})})
    assert inputs(found) == {"count": 1, "type": "VirtualMachineScaleSets"}
    assert [one.name for one in found.forgotten] == ["dev-weu-web"]
    assert state_of(found.state).pending == ()


def test_other_interrupted_operations_stay():
    found = settlement(imported_pool(), pending={"updating": pool(), "creating": pool("jobs")})
    assert [one.operation for one in state_of(found.state).pending] == ["updating", "creating"]


def test_a_custom_resource_has_its_spec_in_the_response():
    of_type = "kubernetes:karpenter.sh/v1:NodePool"
    pools = resource(of_type, "dev-weu-web", id="web", inputs={"kind": "NodePool"}, outputs={"kind": "NodePool", "spec": {"weight": 1, "limits": {}}})
    found = settlement(pools, sent={pools["urn"]: {"kind": "NodePool", "spec": {"weight": 2}}})
    assert inputs(found) == {"kind": "NodePool", "spec": {"weight": 1}}


def test_the_provider_of_aws_reads_inputs_as_it_needs_them():
    cluster = resource("aws:eks/cluster:Cluster", "dev-use1", id="dev-use1", inputs={"name": "dev-use1", "__defaults": []})
    assert settlement(cluster, sent={cluster["urn"]: {"name": "x"}}).settled == ()


def test_an_imported_resource_that_no_program_has_would_be_deleted():
    assert [one.name for one in settlement(imported_pool(), sent={}).undeclared] == ["dev-weu-web"]


@pytest.mark.parametrize("value", [None, [], {}, {"deployment": None}, {"resources": []}])
def test_something_else_is_not_a_state(value: object):
    with pytest.raises(NotStateError, match="is not a state"):
        state_of(value)


def test_an_empty_stack_is_told():
    with pytest.raises(NotStateError, match="without resources"):
        state_of({"deployment": {"manifest": {}}})


def test_an_import_of_aws_that_the_program_does_not_register_is_undeclared():
    """Its provider compares with the cloud, so nothing of it is settled, but `pulumi up` would delete it."""
    gateway = resource("aws:ec2/internetGateway:InternetGateway", "dev-use1", id="igw-1", inputs={})
    assert [one.name for one in settlement(gateway).undeclared] == ["dev-use1"]
    found = settlement(gateway, sent={gateway["urn"]: {}})
    assert (found.undeclared, found.settled) == ((), ())
