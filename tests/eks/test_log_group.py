"""The log group of the control plane: made before the cluster writes to it, or left to others."""

import json

import pytest

from nodepools import StackOutput
from nodepools.eks import LogGroup, NewKey

KEY = "arn:aws:kms:us-east-1:111122223333:key/a"


@pytest.mark.parametrize(
    ("declared", "sent"),
    [
        pytest.param(LogGroup(), {"retentionInDays": 90, "skipDestroy": False}, id="by default for 90 days"),
        pytest.param(LogGroup(retention_days=0), {"retentionInDays": 0}, id="for ever"),
        pytest.param(LogGroup(kms_key=KEY, keep=True), {"kmsKeyId": KEY, "skipDestroy": True}, id="with a key, and kept"),
        pytest.param(LogGroup(kms_key=StackOutput("acme/keys/prod", "logs")), {"kmsKeyId": KEY}, id="with a key of another stack"),
    ],
)
def test_the_log_group_is_sent_what_is_declared(deploy, preview, declared, sent):
    group = deploy(logs=declared, stacks={"acme/keys/prod": {"logs": KEY}}, preview=preview).one("LogGroup/dev-use1-logs")
    assert sent.items() <= group.inputs.items()
    assert ("kmsKeyId" in group.inputs) is ("kmsKeyId" in sent)


def test_it_has_the_name_to_which_eks_writes(deploy):
    assert deploy().one("LogGroup").inputs["name"] == "/aws/eks/dev-use1/cluster"
    assert deploy(name="shop").one("LogGroup").inputs["name"] == "/aws/eks/shop/cluster"


def test_it_is_there_before_the_cluster_and_goes_after_it(deploy, preview):
    graph = deploy(preview=preview)
    assert graph.creates("Cluster").after("LogGroup")
    assert graph.deletes("Cluster").before("LogGroup")


def test_one_of_another_owner_is_left_alone(deploy):
    graph = deploy(logs=LogGroup(existing=True))
    assert not graph.all("LogGroup")
    assert graph.one("EksCluster").outputs["log_group"] == "/aws/eks/dev-use1/cluster"


def test_it_stays_with_its_logs_when_no_type_is_sent_any_more(deploy):
    assert deploy(log_types=[]).one("LogGroup")


def test_the_cluster_role_can_use_the_key_of_the_secrets(deploy, preview):
    graph = deploy(secrets_key=KEY, preview=preview)
    policy = graph.one("RolePolicy/dev-use1-cluster-role-secrets-key")
    [statement] = json.loads(policy.inputs["policy"])["Statement"]
    assert statement["Resource"] == [KEY]
    assert {"kms:Encrypt", "kms:Decrypt", "kms:ListGrants", "kms:DescribeKey"} == set(statement["Action"])
    assert graph.one("Cluster").depends_on(policy)
    assert not deploy().all("RolePolicy")
    assert not deploy(secrets_key=KEY, cluster_role="arn:aws:iam::111122223333:role/eks").all("RolePolicy")


def test_a_new_key_of_secrets_is_rotated_and_protected(deploy, preview):
    graph = deploy(new_secrets_key=NewKey(rotation_days=90), preview=preview)
    key, cluster = graph.one("Key/dev-use1-secrets-key"), graph.one("Cluster")
    sent = {name: key.inputs[name] for name in ("enableKeyRotation", "rotationPeriodInDays", "deletionWindowInDays", "region")}
    assert sent == {"enableKeyRotation": True, "rotationPeriodInDays": 90, "deletionWindowInDays": 30, "region": "us-east-1"}
    assert key.protect
    assert cluster.depends_on(key)
    assert cluster.inputs["encryptionConfig"]["resources"] == ["secrets"]
    assert graph.one("RolePolicy/dev-use1-cluster-role-secrets-key").depends_on(key)


def test_the_existing_key_wins(deploy):
    assert not deploy(new_secrets_key=NewKey(), secrets_key=KEY).all("Key")
