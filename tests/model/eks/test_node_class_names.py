"""What NodeClasses and the roles of their nodes are called, before anything exists."""

import pytest

from nodepools import EksClusterArgs, EksNetworkArgs, EksNodeClass
from nodepools.model.eks.node_class_names import class_name, class_role, role_reference
from nodepools.model.ref import Ref

STEM = "dev-use1"


def resolve(ref: Ref) -> str:
    assert isinstance(ref, str)
    return ref


def cluster(**fields):
    return EksClusterArgs(region="us-east-1", kubernetes_version="1.35", network=EksNetworkArgs(cidr="10.30.0.0/16"), **fields)


ROLES = [
    pytest.param(EksNodeClass(), {}, "dev-use1-class-node", id="all classes share one of theirs"),
    pytest.param(EksNodeClass(create_role=True), {}, "dev-use1-node-private", id="a role of its own has its key"),
    pytest.param(EksNodeClass(), {"iam_path": "/teams/"}, "teams/dev-use1-class-node", id="with the path that roles are made under"),
    pytest.param(EksNodeClass(), {"node_role": "arn:aws:iam::123456789012:role/teams/web"}, "teams/web", id="the role that the cluster was given"),
    pytest.param(EksNodeClass(role="brought"), {}, "brought", id="one that the class was given"),
    pytest.param(EksNodeClass(instance_profile="made"), {}, "instance-profile/made", id="an instance profile in place of one"),
]


@pytest.mark.parametrize(("declared", "fields", "called"), ROLES)
def test_the_role_of_a_class(declared, fields, called):
    assert class_role(STEM, cluster(**fields), "private", declared, resolve) == called


@pytest.mark.parametrize(
    ("written", "called"),
    [
        pytest.param("arn:aws:iam::123456789012:role/nodes", "nodes", id="of an ARN"),
        pytest.param("arn:aws-cn:iam::123456789012:role/teams/web/nodes", "teams/web/nodes", id="of an ARN with a path"),
        pytest.param("/teams/web/nodes", "teams/web/nodes", id="of a path and a name"),
        pytest.param("nodes", "nodes", id="of a name"),
    ],
)
def test_a_role_is_called_by_its_path_and_name(written, called):
    assert role_reference(written) == called


def test_a_class_with_the_usual_role_has_its_key_and_any_other_a_name_of_its_own():
    assert class_name("private", "dev-use1-class-node", STEM) == "private"
    others = {class_name("private", role, STEM) for role in ("teams/web", "teams/api")}
    assert len(others) == 2
    assert all(name.startswith("private-") for name in others)


def test_a_fixed_name_does_not_depend_on_the_role() -> None:
    assert class_name("web", "teams/web/nodes", "dev-use1", "shop-web") == "shop-web"
