"""What NodeClasses are called, and what they pick: known without asking AWS."""

import pytest

from nodepools import AutoMode, EksClusterArgs, EksNodeClass
from nodepools.clouds.eks.auto_mode_objects import cluster_security_group, private_subnets
from nodepools.model.eks.node_class_names import class_name, node_role_name, role_reference, shared_role_name


def declared(**fields):
    return EksClusterArgs(region="us-east-1", kubernetes_version="1.35", **fields)


@pytest.mark.parametrize(
    ("written", "reference"),
    [
        pytest.param("arn:aws:iam::111122223333:role/nodes", "nodes", id="an ARN"),
        pytest.param("arn:aws-cn:iam::111122223333:role/teams/web/nodes", "teams/web/nodes", id="an ARN with a path, in China"),
        pytest.param("/teams/web/", "teams/web/", id="a path"),
        pytest.param("nodes", "nodes", id="a name"),
    ],
)
def test_a_class_calls_a_role_by_path_and_name(written, reference):
    assert role_reference(written) == reference


def test_a_class_with_the_shared_role_is_called_by_its_key():
    assert class_name("private", "dev-use1-class-node", "dev-use1") == "private"


def test_a_class_with_another_role_is_another_class():
    one, other = class_name("private", "nodes", "dev-use1"), class_name("private", "nodes-2", "dev-use1")
    assert len({"private", one, other}) == 3
    assert one == class_name("private", "nodes", "dev-use1")
    assert one.startswith("private-")


def test_the_longest_name_of_a_class_is_a_label_value_and_still_tells_roles_apart():
    names = {class_name("x" * 70, role, "dev-use1") for role in ("one", "other")}
    assert len(names) == 2
    assert all(len(name) == 63 for name in names)


@pytest.mark.parametrize("path", ["/", "/teams/web/", "/" + "x" * 38 + "/"])
def test_a_role_fits_into_a_class_with_its_path(path):
    args = declared(iam_path=path)
    for stem in ("dev-use1", "x" * 80):
        names = {node_role_name(stem, args), node_role_name(stem, args, "private"), shared_role_name(stem, args)}
        assert len(names) == 3
        assert all(len(role_reference(path) + name) <= 64 for name in names)


def test_a_class_picks_the_private_subnets_of_one_network():
    assert private_subnets("dev-use1") == [{"tags": {"kubernetes.io/role/internal-elb": "1", "nodepools/network": "dev-use1"}}]


def test_a_class_picks_the_security_group_that_eks_makes():
    assert cluster_security_group("dev-use1") == [{"tags": {"aws:eks:cluster-name": "dev-use1"}}]


@pytest.mark.parametrize(
    ("auto_mode", "shares"),
    [
        pytest.param(AutoMode(), False, id="built-in pools have their own"),
        pytest.param(AutoMode(node_classes={"a": EksNodeClass()}), True, id="a class without a role has it"),
        pytest.param(AutoMode(node_classes={"a": EksNodeClass(create_role=True, previous=EksNodeClass())}), True, id="so has one that retires"),
        pytest.param(AutoMode(node_classes={"a": EksNodeClass(create_role=True)}), False, id="one with its own has not"),
        pytest.param(AutoMode(node_classes={"a": EksNodeClass(role="nodes")}), False, id="one with another has not"),
    ],
)
def test_the_shared_role_of_classes_is_used(auto_mode, shares):
    assert auto_mode.shares_a_role is shares
