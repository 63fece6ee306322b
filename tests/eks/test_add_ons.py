"""Pod identities, add-ons and the identity provider of service accounts."""

import json

import pytest

from nodepools import StackOutput
from nodepools.eks import AddOn, PodIdentity

ROLE = "arn:aws:iam::111122223333:role/web"


def test_a_service_account_is_given_a_role(deploy, preview):
    declared = {"web": PodIdentity(namespace="shop", service_account="web", role=ROLE, target_role="arn:aws:iam::444455556666:role/far")}
    made = deploy(pod_identities=declared, preview=preview).one("PodIdentityAssociation/dev-use1-pod-identity-web")
    assert made.inputs["clusterName"] == "dev-use1"
    assert (made.inputs["namespace"], made.inputs["serviceAccount"], made.inputs["roleArn"]) == ("shop", "web", ROLE)
    assert made.inputs["targetRoleArn"] == "arn:aws:iam::444455556666:role/far"
    assert made.depends_on("Cluster")


def test_its_role_may_be_the_output_of_another_stack(deploy):
    declared = {"web": PodIdentity(namespace="shop", service_account="web", role=StackOutput("acme/iam/prod", "web"))}
    made = deploy(pod_identities=declared, stacks={"acme/iam/prod": {"web": ROLE}}).one("PodIdentityAssociation")
    assert made.inputs["roleArn"] == ROLE
    assert "targetRoleArn" not in made.inputs


def test_an_add_on_comes_after_the_pools_whose_nodes_it_waits_for(deploy, preview):
    declared = {"metrics-server": AddOn(version="v0.8.0-eksbuild.2", configuration={"replicas": 1, "args": ["--x"]}, keep=True)}
    graph = deploy(add_ons=declared, preview=preview)
    made = graph.one("Addon/dev-use1-add-on-metrics-server")
    assert (made.inputs["addonName"], made.inputs["addonVersion"], made.inputs["preserve"]) == ("metrics-server", "v0.8.0-eksbuild.2", True)
    assert json.loads(made.inputs["configurationValues"]) == {"replicas": 1, "args": ["--x"]}
    assert made.depends_on("NodePool")
    assert graph.deletes("Addon").before("NodePool")


def test_no_add_on_is_installed_of_itself(deploy):
    assert not deploy().all("Addon")


def test_an_identity_provider_is_made_where_it_is_asked_for(deploy):
    arn = "arn:aws:iam::111122223333:oidc-provider/oidc.example"
    graph = deploy(oidc_provider=True, outputs={"aws:iam/openIdConnectProvider:OpenIdConnectProvider": lambda *_: {"arn": arn}})
    made = graph.one("OpenIdConnectProvider")
    assert made.inputs["clientIdLists"] == ["sts.amazonaws.com"]
    assert made.inputs["url"] == graph.one("EksCluster").outputs["oidc_issuer"]
    assert graph.one("EksCluster").outputs["oidc_provider_arn"] == arn
    assert not deploy().all("OpenIdConnectProvider")


@pytest.mark.parametrize(
    ("fields", "sent"),
    [
        pytest.param({"upgrade_policy": "STANDARD"}, {"upgradePolicy": {"supportType": "STANDARD"}}, id="the upgrade policy"),
        pytest.param({"zonal_shift": True}, {"zonalShiftConfig": {"enabled": True}}, id="zonal shift"),
        pytest.param({"control_plane_tier": "tier-xl"}, {"controlPlaneScalingConfig": {"tier": "tier-xl"}}, id="the tier of the control plane"),
        pytest.param(
            {"secrets_key": StackOutput("acme/keys/prod", "eks")},
            {"encryptionConfig": {"provider": {"keyArn": "arn:aws:kms:us-east-1:1:key/a"}, "resources": ["secrets"]}},
            id="a key for secrets",
        ),
        pytest.param({"deletion_protection": True}, {"deletionProtection": True}, id="AWS's own protection"),
        pytest.param({}, {"deletionProtection": False}, id="which is off unless asked for"),
        pytest.param({"log_types": ["audit"]}, {"enabledClusterLogTypes": ["audit"]}, id="logs"),
    ],
)
def test_the_cluster_is_sent_what_is_declared(deploy, fields, sent):
    inputs = deploy(**fields, stacks={"acme/keys/prod": {"eks": "arn:aws:kms:us-east-1:1:key/a"}}).one("Cluster").inputs
    assert sent.items() <= inputs.items()
    for choice in ("zonalShiftConfig", "upgradePolicy", "controlPlaneScalingConfig", "encryptionConfig"):
        assert (choice in inputs) is (choice in sent)


def test_what_the_control_plane_sends_may_be_routed_by_oneself(deploy):
    assert deploy(control_plane_egress="CUSTOMER_ROUTED").one("Cluster").inputs["vpcConfig"]["controlPlaneEgressMode"] == "CUSTOMER_ROUTED"
    assert "controlPlaneEgressMode" not in deploy().one("Cluster").inputs["vpcConfig"]


def test_pulumis_protection_is_another_thing_than_that_of_aws(deploy):
    protected = deploy(protect=True).one("Cluster")
    assert (protected.protect, protected.inputs["deletionProtection"]) == (True, False)
    assert deploy(deletion_protection=True).one("Cluster").inputs["deletionProtection"] is True


def test_a_cluster_that_exists_is_not_replaced_for_how_it_was_bootstrapped(deploy):
    cluster = deploy().one("Cluster")
    assert cluster.inputs["bootstrapSelfManagedAddons"] is False
    assert cluster.ignore_changes == ("bootstrapSelfManagedAddons", "accessConfig.bootstrapClusterCreatorAdminPermissions")
