"""What the real engine and azure-native do with programs like ours, and that ours is built for it."""

import pytest

from nodepools import AksNodeClass, AksNodePool, NodeProvisioning, UserPool, check

OBJECTS = {"node_provisioning": NodeProvisioning(node_classes={"big": AksNodeClass()}, node_pools={"batch": AksNodePool(node_class="big")})}


# Row 6: in the preview of an update azure-native knows nothing of a cluster but its name and location.
def test_the_preview_of_an_update_changes_nothing_inside_the_cluster(deploy):
    old = deploy(**OBJECTS)
    new = deploy(**OBJECTS, tier="Premium", preview=True, since=old)
    assert repr(new.one("AksCluster").outputs["endpoint"]) == "UNKNOWN"
    waves = new.waves(since=old)
    assert waves.updates == {"ManagedCluster/dev-weu"}
    assert (waves.creates, waves.deletes) == ((), ())


# Row 8: a new server name or certificate would count as another cluster, and every object in it be replaced.
def test_the_provider_knows_which_cluster_it_is_for(deploy, preview):
    provider = deploy(**OBJECTS, preview=preview).one("kubernetes/dev-weu-kubernetes")
    assert provider.inputs["clusterIdentifier"] == provider.graph.one("AksCluster").outputs["name"]


# Row 9: the first `up` would pass, the cluster drop the field, and the next `up` fail.
@pytest.mark.parametrize("made", [AksNodePool, AksNodeClass, UserPool])
def test_a_misspelt_field_is_refused_before_anything_is_applied(made):
    assert [(finding.code, finding.path) for finding in check(made(bogus=1)) if finding.path == "bogus"] == [("CFG002", "bogus")]


# Row 4: a destroy goes level by level, so that a missing edge may pass by luck.
@pytest.mark.parametrize(
    ("who", "what"),
    [
        ("ManagedCluster/dev-weu", "RoleAssignment/dev-weu-network"),
        ("ManagedCluster/dev-weu", "Subnet/dev-weu-nodes"),
        ("AKSNodeClass/*", "RoleAssignment/dev-weu-network"),
        ("AKSNodeClass/*", "RoleAssignment/dev-weu-admin-????"),
        ("NodePool/*", "AKSNodeClass/*"),
    ],
)
def test_what_needs_another_says_so(objects, who, what):
    assert objects.one(who).depends_on(what)


@pytest.fixture(scope="module")
def objects():
    """One cluster with objects in it, for questions only."""
    from nodepools import AksClusterArgs, SystemPool, testing
    from nodepools.aks.cluster import AksCluster

    system = SystemPool(vm_size="Standard_D4ds_v5", count=3)
    args = AksClusterArgs(location="westeurope", kubernetes_version="1.35", system_pool=system, **OBJECTS)
    return testing.run(lambda: AksCluster("dev-weu", args))
