"""Resources of AKS that are sent with another version of the API: their types, their package, their provider and their names."""

from typing import Any

import pulumi
import pytest
from pulumi_azure_native import Provider

from nodepools import AksCluster, AksClusterArgs, Platform, SystemPool, UserPool
from nodepools import testing as kit
from nodepools.aks.api_version import spelled

SIZE = "Standard_D4ds_v5"
PACKAGE = "azure-native_containerservice_v20260501"
KINDS = ("ManagedCluster", "AgentPool")


def cluster(**fields: Any) -> AksClusterArgs:
    web = UserPool(vm_size=SIZE, count=3, artifact_streaming=True if fields.get("api_version") == "2026-05-01" else None)
    return AksClusterArgs(
        location="westeurope", kubernetes_version="1.35", system_pool=SystemPool(vm_size=SIZE, count=3), pools={"web": web}, **fields
    )


def graph(**fields: Any) -> Any:
    return kit.run(Platform(name="dev", clusters={"weu": cluster(**fields)}))


def test_every_resource_of_aks_has_the_type_the_package_and_the_provider_of_its_version() -> None:
    made = graph(api_version="2026-05-01", overrides={"hosted_system_profile": {"node_subnet_id": "n"}})
    for kind in KINDS:
        [one] = made.some(kind)
        assert one.type == f"{PACKAGE}:containerservice:{kind}"
        assert one.options["packageRef"]
        assert one.options["provider"].endswith(f"$pulumi:providers:{PACKAGE}::dev-weu-containerservice")
        assert {"type": f"azure-native:containerservice:{kind}"} in one.options["aliases"]
    [sent] = made.some("ManagedCluster")
    assert sent.inputs["hostedSystemProfile"] == {"nodeSubnetID": "n"}
    [pool] = made.some("AgentPool")
    assert pool.inputs["artifactStreamingProfile"] == {"enabled": True}


@pytest.mark.parametrize("version", [None, "2025-09-01"])
def test_the_default_is_sent_as_before(version: str | None) -> None:
    for kind in KINDS:
        [one] = graph(api_version=version).some(kind)
        assert one.type == f"azure-native:containerservice:{kind}"
        assert "packageRef" not in one.options
        assert "provider" not in one.options


def test_the_arguments_of_both_are_the_same() -> None:
    default, newer = (graph(api_version=version) for version in (None, "2026-02-01"))
    for kind in KINDS:
        [one], [other] = default.some(kind), newer.some(kind)
        assert dict(one.inputs) == dict(other.inputs)


def test_the_provider_has_the_settings_of_the_other_resources() -> None:
    subscription = "00000000-0000-0000-0000-000000000001"
    [own] = [one for one in graph(api_version="2026-05-01", subscription_id=subscription) if one.type == f"pulumi:providers:{PACKAGE}"]
    assert dict(own.inputs) == {"subscriptionId": subscription}
    config = {"azure-native:subscriptionId": subscription, "azure-native:clientSecret": "correct horse", "azure-native:useMsi": "true"}
    configured = kit.run(Platform(name="dev", clusters={"weu": cluster(api_version="2026-05-01")}), config=config)
    [own] = [one for one in configured if one.type == f"pulumi:providers:{PACKAGE}"]
    assert own.inputs["subscriptionId"] == subscription
    assert own.inputs["useMsi"] == "true"


def test_a_provider_whose_settings_are_not_known_is_refused() -> None:
    def program() -> None:
        given = Provider("given", subscription_id="00000000-0000-0000-0000-000000000001")
        AksCluster("weu", cluster(api_version="2026-05-01"), pulumi.ResourceOptions(providers=[given]))

    with pytest.raises(pulumi.RunError, match="weu: `api_version` cannot be used with a provider of azure-native"):
        kit.run(program)


def test_names_are_spelled_as_the_api_has_them() -> None:
    given = {"network_profile": {"load_balancer_profile": {"managed_outbound_ips": {"count": 1}}}, "tags": {"a_b": "c"}, "other": [1]}
    expected = {"networkProfile": {"loadBalancerProfile": {"managedOutboundIPs": {"count": 1}}}, "tags": {"a_b": "c"}, "other": [1]}
    assert spelled("ManagedCluster", given) == expected
