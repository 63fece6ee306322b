"""Names of resources, by the engine's own rules."""

import pytest

from nodepools.engine.property_values import make_urn, package_of, provider_urn, type_of

pytestmark = pytest.mark.program

STACK = "urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev"


@pytest.mark.parametrize(
    ("parent", "urn"),
    [
        pytest.param("", "urn:pulumi:dev::shop::a:b:C::name", id="without a parent"),
        pytest.param(STACK, "urn:pulumi:dev::shop::a:b:C::name", id="below the stack"),
        pytest.param("urn:pulumi:dev::shop::x:y:Z::parent", "urn:pulumi:dev::shop::x:y:Z$a:b:C::name", id="below a resource"),
        pytest.param("urn:pulumi:dev::shop::p:q:R$x:y:Z::a::b", "urn:pulumi:dev::shop::p:q:R$x:y:Z$a:b:C::name", id="below a name with colons"),
    ],
)
def test_a_urn_has_the_types_of_its_parents(parent: str, urn: str) -> None:
    assert make_urn("dev", "shop", parent, "a:b:C", "name") == urn
    assert type_of(urn) == "a:b:C"


@pytest.mark.parametrize(
    ("token", "package"),
    [
        pytest.param("aws:eks/cluster:Cluster", "aws", id="a resource"),
        pytest.param("pulumi:providers:azure-native", "azure-native", id="a provider serves its own package"),
        pytest.param("aws:index/getPartition:getPartition", "aws", id="a function"),
    ],
)
def test_the_package_of_a_token(token: str, package: str) -> None:
    assert package_of(token) == package


def test_a_provider_reference_is_a_urn_and_an_id() -> None:
    assert provider_urn("urn:pulumi:dev::shop::pulumi:providers:aws::use1::id-1") == "urn:pulumi:dev::shop::pulumi:providers:aws::use1"
    assert provider_urn("") == ""
