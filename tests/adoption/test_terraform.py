"""Resources that Terraform manages are found by their ids, and a configuration that lets them go is written."""

from typing import Any

import pytest

from nodepools.adoption.terraform import Managed, removed_blocks, still_managed, terraform_resources
from tests.adoption.observed import ID


def resource(address: str, **values: Any) -> dict[str, Any]:
    return {"address": address, "mode": "managed", "type": address.split("[", maxsplit=1)[0].split(".")[-2], "values": values}


def state(*resources: dict[str, Any], modules: Any = ()) -> dict[str, Any]:
    return {
        "format_version": "1.0",
        "terraform_version": "1.9.0",
        "values": {"root_module": {"resources": [*resources], "child_modules": [*modules]}},
    }


CLUSTER = ("azure-native:containerservice:ManagedCluster", ID)
EKS = ("aws:eks/cluster:Cluster", "eu")
ENTRY = ("aws:eks/accessEntry:AccessEntry", "eu:arn:aws:iam::1:role/a")
POOL = ("kubernetes:karpenter.sh/v1:NodePool", "web")
FOUND: dict[str, tuple[dict[str, Any], tuple[str, str], list[str]]] = {
    "an AKS cluster, whatever the case of its id": (
        state(resource("azurerm_kubernetes_cluster.this", id=ID.upper())),
        CLUSTER,
        ["azurerm_kubernetes_cluster.this"],
    ),
    "another cluster is not": (state(resource("azurerm_kubernetes_cluster.this", id=f"{ID}2")), CLUSTER, []),
    "an EKS cluster in a module": (
        state(modules=[{"address": "module.eks", "resources": [resource("module.eks.aws_eks_cluster.this[0]", id="eu")]}]),
        EKS,
        ["module.eks.aws_eks_cluster.this[0]"],
    ),
    "a role of the same name is not": (state(resource("aws_iam_role.eu", id="eu")), EKS, []),
    "an add-on of the same name is not": (state(resource("aws_eks_addon.eu", id="eu")), EKS, []),
    "an access entry": (state(resource('aws_eks_access_entry.this["a.b"]', id=ENTRY[1])), ENTRY, ['aws_eks_access_entry.this["a.b"]']),
    "a NodePool": (
        state(resource("kubernetes_manifest.web", manifest={"kind": "NodePool", "metadata": {"name": "web"}})),
        POOL,
        ["kubernetes_manifest.web"],
    ),
    "a data source is not": (state({**resource("azurerm_kubernetes_cluster.this", id=ID), "mode": "data"}), CLUSTER, []),
    "an empty state": ({"terraform_version": "1.9.0"}, CLUSTER, []),
}


@pytest.mark.parametrize("title", FOUND)
def test_terraform_still_manages(title: str) -> None:
    value, wanted, expected = FOUND[title]
    assert [one.address for one in still_managed(terraform_resources(value) or [], [wanted])] == expected


@pytest.mark.parametrize("value", [None, [], {"version": 4, "resources": []}], ids=["nothing", "a list", "a raw state file"])
def test_something_else_is_not_a_state_of_terraform(value: object) -> None:
    assert terraform_resources(value) is None


def test_a_removed_block_has_no_key_and_does_not_destroy() -> None:
    both = [Managed(f"aws_eks_cluster.this[{number}]", "aws_eks_cluster", name) for number, name in enumerate(("eu", "us"))]
    assert removed_blocks(both) == (
        "# Delete its `resource` block.\nremoved {\n  from = aws_eks_cluster.this\n\n  lifecycle {\n    destroy = false\n  }\n}\n"
    )


def test_a_resource_in_a_module_is_told() -> None:
    text = removed_blocks([Managed('module.eks["a"].aws_eks_cluster.this[0]', "aws_eks_cluster", "eu")])
    assert "from = module.eks.aws_eks_cluster.this\n" in text
    assert "`module.eks`" in text
    assert "terraform state rm" in text
