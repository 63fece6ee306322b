"""Ranges that can reach the API server."""

import pytest

from nodepools.model.base import Model
from nodepools.rules.engine.finding import Severity
from nodepools.rules.engine.runner import check
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


@pytest.mark.parametrize(
    ("ranges", "code"),
    [
        pytest.param(["10.0.0.0/8"], "EKS186", id="a private range"),
        pytest.param(["2001:db8::/32"], "EKS219", id="a range of IPv6"),
        pytest.param([f"203.0.113.{number}/32" for number in range(41)], "EKS182", id="41 ranges"),
    ],
)
def test_eks_rejects_ranges_that_it_gets(ranges: list[str], code: str) -> None:
    """A private API server gets none: PLT012 warns that they have no effect."""
    public, private = (check(eks(api_server={"authorized_ip_ranges": ranges, "private": alone})) for alone in (False, True))
    assert {one.code for one in public if one.severity is Severity.ERROR} == {code}
    assert {one.code for one in private if one.severity is Severity.ERROR} == set()
    assert "PLT012" in {one.code for one in private}
