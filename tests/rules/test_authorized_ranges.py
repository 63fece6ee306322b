"""Ranges that can reach the API server."""

import pytest

from nodepools.model.base import Model
from nodepools.rules.engine.samples import aks, eks
from tests.rules.conftest import Judged

AT = "api_server.authorized_ip_ranges[0]"


@pytest.mark.parametrize(
    ("made", "text", "expected"),
    [
        pytest.param(aks, "203.0.113.9/24", [f"AKS343 {AT}"], id="within its range"),
        pytest.param(aks, "203.0.113.0/24", [], id="from the first address on"),
        pytest.param(aks, "203.0.113.9", [], id="an address"),
        pytest.param(aks, "203.0.113.9/33", [f"PLT011 {AT}"], id="no range"),
        pytest.param(aks, "AzureCloud", [], id="a service tag"),
        pytest.param(eks, "10.0.0.0/8", [f"EKS186 {AT}"], id="a private range"),
        pytest.param(eks, "10.0.0.0/7", [], id="more than a private range"),
        pytest.param(eks, "100.64.0.0/10", [], id="a shared range"),
    ],
)
def test_a_range(made: type[Model], text: str, expected: list[str], judged: Judged) -> None:
    codes = ("AKS343", "PLT011", "EKS186")
    assert [one for one in judged(made(api_server={"authorized_ip_ranges": [text]})) if one.startswith(codes)] == expected
