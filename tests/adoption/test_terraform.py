"""Resources that Terraform or another stack manages are found by their ids, and a configuration that lets them go is written."""

from typing import Any

import pytest

from nodepools.adoption.terraform import Managed, managed_resources, one_of_several, removed_blocks, still_managed
from tests.adoption.existing import ID


def resource(address: str, **values: Any) -> dict[str, Any]:
    return {"address": address, "mode": "managed", "type": address.split("[", maxsplit=1)[0].split(".")[-2], "values": values}


def state(*resources: dict[str, Any], modules: Any = ()) -> dict[str, Any]:
    return {
        "format_version": "1.0",
        "terraform_version": "1.9.0",
        "values": {"root_module": {"resources": [*resources], "child_modules": [*modules]}},
    }


def stack(**ids: str) -> dict[str, Any]:
    """The state of a stack of Pulumi with resources by the last word of their type."""
    types = {"ManagedCluster": CLUSTER[0], "Cluster": EKS[0], "NodePool": POOL[0], "Role": "aws:iam/role:Role"}
    return {"version": 3, "deployment": {"resources": [{"urn": f"urn:pulumi:a::b::{kind}", "type": types[kind], "id": ids[kind]} for kind in ids]}}


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
    "another stack of Pulumi": (stack(ManagedCluster=ID.upper()), CLUSTER, ["urn:pulumi:a::b::ManagedCluster"]),
    "an object of a stack can be in another cluster": (stack(NodePool="web", ManagedCluster=f"{ID}2"), POOL, []),
    "a role of a stack is not": (stack(Role="eu", Cluster="us"), EKS, []),
    "a resource that Pulumi only reads is not": (
        {"deployment": {"resources": [{"urn": "urn:pulumi:a", "type": CLUSTER[0], "id": ID, "external": True}]}},
        CLUSTER,
        [],
    ),
    "an empty state of Pulumi": ({"deployment": {}}, CLUSTER, []),
    "a plan has the state that it changes": (
        {
            **state(),
            "values": {},
            "planned_values": {},
            "resource_changes": [],
            "prior_state": state(resource("azurerm_kubernetes_cluster.this", id=ID)),
        },
        CLUSTER,
        ["azurerm_kubernetes_cluster.this"],
    ),
    "an empty state": ({"terraform_version": "1.9.0"}, CLUSTER, []),
}


@pytest.mark.parametrize("title", FOUND)
def test_terraform_still_manages(title: str) -> None:
    value, wanted, expected = FOUND[title]
    assert [one.address for one in still_managed(managed_resources(value) or [], [wanted])] == expected


def test_an_object_of_a_stack_that_has_the_cluster_is_the_same() -> None:
    held = still_managed(managed_resources(stack(NodePool="web", Cluster="eu")) or [], [EKS, POOL])
    assert [one.id for one in held] == ["web", "eu"]


@pytest.mark.parametrize("value", [None, [], {"version": 4, "resources": []}], ids=["nothing", "a list", "a raw state file"])
def test_something_else_is_not_a_state_of_terraform(value: object) -> None:
    assert managed_resources(value) is None


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


@pytest.mark.parametrize(
    ("address", "other", "stays"),
    [
        pytest.param('module.a["shop"].aws_eks_cluster.this', 'module.a["other"].aws_eks_cluster.this', True, id="for_each of a module"),
        pytest.param('aws_eks_cluster.this["shop"]', 'aws_eks_cluster.this["other"]', True, id="for_each"),
        pytest.param("module.a[0].aws_eks_cluster.this[0]", "module.a[0].aws_eks_cluster.this[1]", True, id="count"),
        pytest.param('module.a["shop"].aws_eks_cluster.this', 'module.b["shop"].aws_eks_cluster.this', False, id="another module"),
    ],
)
def test_a_block_would_forget_the_instances_that_stay(address: str, other: str, stays: bool) -> None:  # noqa: FBT001  # a row of the table
    held, left = (Managed(one, "aws_eks_cluster", one) for one in (address, other))
    assert one_of_several([held], [held, left]) == ([held] if stays else [])
    assert one_of_several([held, left], [held, left]) == []
