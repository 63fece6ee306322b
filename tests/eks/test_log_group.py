"""The log group of the control plane: made before the cluster writes to it, or left to others."""

import pytest

from nodepools import StackOutput
from nodepools.eks import LogGroup

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
