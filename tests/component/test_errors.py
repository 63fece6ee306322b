"""What a plain Pulumi program is told of a faulty declaration, before anything is registered."""

import re
from collections.abc import Callable

import pulumi
import pytest

from nodepools import (
    AksCluster,
    AksClusterArgs,
    DeclarationError,
    EksCluster,
    EksClusterArgs,
    SystemPool,
    UserPool,
    deploy,
)
from nodepools.aks import AksNetwork
from nodepools.component.errors import reject_arguments
from nodepools.eks import EksNetwork

SIZE = "Standard_D4ds_v5"


def test_a_cluster_reports_the_findings_of_all_its_parts_at_once() -> None:
    with pytest.raises(DeclarationError) as refused:
        AksCluster(
            "shop",
            AksClusterArgs(
                location="westeurope",
                kubernetes_version=1.35,
                system_pool=SystemPool(vm_size=SIZE, cuont=3),
                pools={"web": UserPool(vm_size=SIZE, count="three"), "api": UserPool(vm_sise=SIZE)},
            ),
        )
    assert isinstance(refused.value, pulumi.RunError)  # Pulumi shows its message alone
    assert [(finding.code, finding.path) for finding in refused.value.findings] == [
        ("CFG004", "kubernetes_version"),
        ("CFG002", "system_pool.cuont"),
        ("CFG004", "pools.web.count"),
        ("CFG002", "pools.api.vm_sise"),
    ]
    assert str(refused.value).startswith("4 errors, nothing was deployed\n\nCFG004 error at kubernetes_version: 1.35\n")
    assert "pydantic" not in str(refused.value)


AKS, EKS = "AksCluster accepts `args` of AksClusterArgs, not", "EksCluster accepts `args` of EksClusterArgs, not"
FIELDS = "a dict: pass its fields with two asterisks, as in AksClusterArgs(**fields)"
OUTPUT = "a pulumi.Output: a declaration is plain data, and only references in it, such as ids, can be Outputs"


@pytest.mark.usefixtures("loop")
@pytest.mark.parametrize(
    ("register", "said"),
    [
        pytest.param(lambda: AksCluster("shop", {"location": "westeurope"}), f"{AKS} {FIELDS}", id="a dict"),
        pytest.param(lambda: AksCluster("shop", None), f"{AKS} None", id="nothing"),
        pytest.param(lambda: AksCluster("shop", pulumi.Output.from_input({})), f"{AKS} {OUTPUT}", id="an Output"),
        pytest.param(lambda: AksCluster("shop", AksClusterArgs), f"{AKS} the class AksClusterArgs: call it with its fields", id="the class"),
        pytest.param(
            lambda: AksCluster("shop", EksClusterArgs(region="us-east-1", kubernetes_version="1.35")),
            f"{AKS} an EksClusterArgs",
            id="the declaration of the other cloud",
        ),
        pytest.param(lambda: EksCluster("shop", None), f"{EKS} None", id="nothing, on EKS"),
        pytest.param(
            lambda: AksNetwork("shop", None, resource_group_name="shop", location="westeurope"),
            "AksNetwork accepts `args` of AksNetworkArgs, not None",
            id="an AKS network of nothing",
        ),
        pytest.param(
            lambda: EksNetwork("shop", None, "us-east-1"), "EksNetwork accepts `args` of EksNetworkArgs, not None", id="an EKS network of nothing"
        ),
        pytest.param(lambda: deploy(None), "deploy() accepts a Platform, not None", id="a platform of nothing"),
        pytest.param(
            lambda: deploy({}), f"deploy() accepts a Platform, not {FIELDS.replace('AksClusterArgs', 'Platform')}", id="the fields of a platform"
        ),
    ],
)
def test_what_is_no_declaration_is_told_in_one_line(register: Callable[[], object], said: str) -> None:
    with pytest.raises(pulumi.RunError) as refused:
        register()
    assert str(refused.value) == said


class NewerArgs:
    """Arguments of an SDK of another version."""

    def __init__(self, *, location: str, resource_name: str) -> None:
        del location, resource_name


def test_an_argument_that_the_installed_sdk_lacks_is_one_finding_each() -> None:
    NewerArgs.__module__ = "pulumi_azure_native.containerservice"
    reject_arguments(("overrides", {"location": "x", "resource_name_": "y"}, NewerArgs))
    with pytest.raises(DeclarationError) as refused:
        reject_arguments(("overrides", {"hosted": {}}, NewerArgs), ("pools.web.overrides", {"location": 1, "managed": 2}, NewerArgs))
    assert [(finding.code, finding.path) for finding in refused.value.findings] == [
        ("PLT022", "overrides.hosted"),
        ("PLT022", "pools.web.overrides.managed"),
    ]
    assert re.fullmatch(r"The installed pulumi-azure-native [0-9.]+ has no argument `hosted`", refused.value.findings[0].message)


def test_a_cluster_with_an_argument_that_the_sdk_lacks_registers_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The table of the rules is of another version than the installed SDK."""
    monkeypatch.setattr("nodepools.rules.engine.runner.check", lambda *_, **__: [])
    with pytest.raises(DeclarationError, match=r"has no argument `vpc`"):
        EksCluster("shop", EksClusterArgs(region="us-east-1", kubernetes_version="1.36", overrides={"vpc": {}}))
    pools = {"web": UserPool(vm_size=SIZE, overrides={"fips": True})}
    with pytest.raises(DeclarationError, match=r"has no argument `fips`"):
        AksCluster(
            "shop", AksClusterArgs(location="westeurope", kubernetes_version="1.36", system_pool=SystemPool(vm_size=SIZE, count=3), pools=pools)
        )
