"""Invokes are answered from fixtures, by name; all others are refused."""

import base64
from collections.abc import Callable
from typing import Any

import pytest
import yaml

from nodepools.engine.errors import ProgramFailed
from nodepools.engine.invokes import ASSUMED, DEFAULTS, ZERO

pytestmark = pytest.mark.program

Engine = Callable[..., Any]

ZONES = DEFAULTS["aws:index/getAvailabilityZones:getAvailabilityZones"]
PARTITION = DEFAULTS["aws:index/getPartition:getPartition"]
IDENTITY = DEFAULTS["aws:index/getCallerIdentity:getCallerIdentity"]
CLIENT = DEFAULTS["azure-native:authorization:getClientConfig"]
CREDENTIALS = DEFAULTS["azure-native:containerservice:listManagedClusterUserCredentials"]


@pytest.mark.parametrize(
    ("region", "partition", "suffix"),
    [
        pytest.param("eu-west-1", "aws", "amazonaws.com", id="most regions"),
        pytest.param("cn-north-1", "aws-cn", "amazonaws.com.cn", id="China"),
        pytest.param("us-gov-west-1", "aws-us-gov", "amazonaws.com", id="the government of the United States"),
        pytest.param(None, "aws", "amazonaws.com", id="no region"),
    ],
)
def test_the_partition_is_that_of_the_region(region: str | None, partition: str, suffix: str) -> None:
    answer = PARTITION({"region": region})
    assert (answer["partition"], answer["dnsSuffix"]) == (partition, suffix)
    assert IDENTITY({"region": region})["arn"] == f"arn:{partition}:iam::123456789012:user/example"


@pytest.mark.parametrize(
    ("region", "ids"),
    [
        pytest.param("eu-west-1", ["euw1-az1", "euw1-az2", "euw1-az3"], id="three zones as a rule"),
        pytest.param("us-west-1", ["usw1-az1", "usw1-az2"], id="two in northern California"),
        pytest.param("ap-southeast-2", ["apse2-az1", "apse2-az2", "apse2-az3"], id="directions of two words"),
        pytest.param("us-gov-east-1", ["usge1-az1", "usge1-az2", "usge1-az3"], id="four words"),
    ],
)
def test_zones_have_names_and_ids(region: str, ids: list[str]) -> None:
    answer = ZONES({"region": region})
    assert answer["zoneIds"] == ids
    assert answer["names"] == [region + letter for letter in "abc"[: len(ids)]]


def test_excluded_zones_are_left_out_of_names_and_ids_alike() -> None:
    answer = ZONES({"region": "us-east-1", "excludeZoneIds": ["use1-az3"], "excludeNames": ["us-east-1a"]})
    assert answer["zoneIds"] == ["use1-az2", "use1-az4", "use1-az5", "use1-az6"]
    assert answer["names"] == ["us-east-1b", "us-east-1d", "us-east-1e", "us-east-1f"]


def test_credentials_are_a_kubeconfig_that_logs_in_through_entra() -> None:
    (entry,) = CREDENTIALS({"resourceGroupName": "group", "resourceName": "cluster"})["kubeconfigs"]  # type: ignore[misc, union-attr]  # plain data
    kubeconfig = yaml.safe_load(base64.b64decode(entry["value"]))  # type: ignore[index, call-overload, arg-type]  # plain data
    assert kubeconfig["current-context"] == "cluster"
    (user,) = kubeconfig["users"]
    assert user["name"] == "clusterUser_group_cluster"
    assert user["user"]["exec"]["command"] == "kubelogin"
    assert user["user"]["exec"]["args"][-2:] == ["--login", "devicecode"]
    assert "token" not in user["user"]


def test_nobody_deploys_to_azure_unless_configured() -> None:
    assert CLIENT({}) == dict.fromkeys(("clientId", "objectId", "subscriptionId", "tenantId"), ZERO)
    assert CLIENT({"subscriptionId": "of-the-stack"})["subscriptionId"] == "of-the-stack"


def test_the_sdks_of_the_clouds_find_every_field_that_they_look_for(engine: Engine) -> None:
    """Also: the call, the explicit provider and the configuration are asked for the region, in this order."""
    graph = engine(
        """
        import pulumi_aws as aws
        from pulumi_azure_native import authorization, containerservice

        china = aws.Provider("china", region="cn-north-1")
        client = authorization.get_client_config()
        pulumi.export("azure", [client.client_id, client.object_id, client.subscription_id, client.tenant_id])
        credentials = containerservice.list_managed_cluster_user_credentials_output
        pulumi.export("user", credentials(resource_group_name="g", resource_name="c").kubeconfigs[0].name)
        pulumi.export("asked", credentials(resource_group_name="g", resource_name=china.id).kubeconfigs)
        identity, partition = aws.get_caller_identity(), aws.get_partition(opts=pulumi.InvokeOptions(provider=china))
        pulumi.export("aws", [identity.account_id, identity.arn, identity.user_id, partition.partition, partition.reverse_dns_prefix])
        pulumi.export("configured", aws.get_availability_zones(state="available").zone_ids)
        pulumi.export("given", aws.get_availability_zones(region="eu-west-1").names)
        """,
        config={"aws:region": "us-west-1", "azure-native:subscriptionId": "of-the-stack"},
    )
    assert graph.outputs == {
        "asked": {"$unknown": True},
        "aws": ["123456789012", "arn:aws:iam::123456789012:user/example", "AIDAEXAMPLEEXAMPLE00", "aws-cn", "cn.com.amazonaws"],
        "azure": [ZERO, ZERO, "of-the-stack", ZERO],
        "configured": ["usw1-az1", "usw1-az2"],
        "given": ["eu-west-1a", "eu-west-1b", "eu-west-1c"],
        "user": "clusterUser",
    }
    assert graph.plan.assumed == tuple(sorted(ASSUMED.keys() - {"pulumi:pulumi:readStackResourceOutputs"}))


def test_a_fixture_of_the_caller_wins(engine: Engine) -> None:
    graph = engine(
        """
        answer = pulumi.runtime.invoke("aws:index/getPartition:getPartition", {"secret": Output.secret("hush"), "words": ["a", 2]})
        pulumi.export("answer", answer.value)
        """,
        fixtures={"aws:index/getPartition:getPartition": lambda args: {"saw": args}},
        config={"aws:region": "eu-west-1"},
    )
    assert graph.outputs == {"answer": {"saw": {"region": "eu-west-1", "secret": "hush", "words": ["a", 2]}}}
    assert graph.plan.assumed == ()


def fails(_: object) -> dict[str, str]:
    raise KeyError("size")


@pytest.mark.parametrize(
    ("fixtures", "says"),
    [
        pytest.param(
            {},
            'no cloud is queried here: run `pulumi preview`, or set the result in a test (`calls={"test:index:ask": …}` of `nodepools.testing.run`)',
            id="without a fixture",
        ),
        pytest.param({"test:index:ask": fails}, "the fixture failed: KeyError: 'size'", id="with one that fails"),
        pytest.param(
            {"test:index:ask": lambda _: {"size": object()}},
            "the fixture failed: ValueError: Unexpected type",
            id="with an answer that is no JSON",
        ),
    ],
)
def test_an_invoke_without_an_answer_is_told_by_its_token(engine: Engine, fixtures: dict[str, Any], says: str) -> None:
    with pytest.raises(ProgramFailed) as failure:
        engine('pulumi.runtime.invoke("test:index:ask", {})', fixtures=fixtures)
    assert failure.value.message.splitlines()[-1] == f"invoke of test:index:ask failed: {says}"
    assert "__main__.py" in failure.value.message
