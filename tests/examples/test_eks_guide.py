"""What the guide on services of EKS clusters shows is a declaration, its command names what is registered, and its fields exist."""

import ast
import re
from pathlib import Path
from typing import Any

import pytest

from nodepools import EksCluster, EksClusterArgs, EksNodeClass, check, testing
from nodepools.eks import AdvancedNetworking, NewKey, PodIdentity
from tests.examples.test_guides import blocks


def eks_services(project: Path) -> str:
    return (project / "docs/guides/eks-services.md").read_text()


@pytest.mark.parametrize("number", range(8))
def test_the_services_of_eks(project: Path, number: int) -> None:
    """Each block makes one cluster, and nothing is wrong with it."""
    shown = blocks(eks_services(project))
    assert len(shown) == 8
    *imports, declared = ast.parse(shown[number]).body
    names: dict[str, Any] = {}
    assert isinstance(declared, ast.Expr)
    exec(compile(ast.Module(imports, []), "guide", "exec"), names)  # noqa: S102  # of our own pages
    cluster = eval(compile(ast.Expression(declared.value), "guide", "eval"), names)  # noqa: S307  # of our own pages
    found = [finding for finding in check(cluster) if finding.severity != "note"]
    of_key = [finding for finding in found if finding.code == "EKS141" and finding.path == "logs.kms_key"]  # its policy is not in a declaration
    assert [str(finding) for finding in found if finding not in of_key] == []
    assert testing.run(lambda: EksCluster("prod-use1", cluster), preview=True).one("EksCluster")


def test_the_import_of_a_log_group_names_what_is_registered(project: Path) -> None:
    [command] = [line.split() for line in eks_services(project).splitlines() if "pulumi import" in line]
    group = testing.run(lambda: EksCluster("prod-use1", EksClusterArgs(region="us-east-1", kubernetes_version="1.35"))).one("LogGroup")
    assert command[2:5] == [group.type, group.name, group.inputs["name"]]
    assert group.parent is not None
    assert command[6] == f"cluster=urn:pulumi:prod::platform::{group.parent.type}::{group.parent.name}"


def test_the_fields_of_the_guide_exist(project: Path) -> None:
    fields = set(re.findall(r"`([a-z]+(?:_[a-z0-9]+)+)`", eks_services(project)))
    known = {
        *EksClusterArgs.model_fields,
        *EksCluster.__annotations__,
        *EksNodeClass.model_fields,
        *AdvancedNetworking.model_fields,
        *NewKey.model_fields,
        *PodIdentity.model_fields,
        "network_policies",
    }
    assert fields - known == set()
