"""Names of access entries in Pulumi, which do not depend on other entries."""

import pytest

from nodepools import AutoMode, EksClusterArgs, EksNodeClass, StackOutput
from nodepools.model.eks.node_class_names import admin_word, entry_word, policy_word
from nodepools.model.name_limits import fingerprint

ADMIN = "arn:aws:iam::123456789012:role/admins"
OUTPUT = StackOutput("org/iam/prod", "role")
ROLE = "arn:aws:iam::123456789012:role/nodes"

ADMINS = {
    "an ARN": (ADMIN, f"admins-{fingerprint(ADMIN)}"),
    "an output of another stack": (OUTPUT, fingerprint(str(OUTPUT), 8)),
    "an output of this program": (object(), "2"),
}
CLASSES = {
    "a shared role": (EksNodeClass(), None, "class-node"),
    "the existing role of all nodes": (EksNodeClass(), ROLE, "node"),
    "the existing role of all nodes, by its name": (EksNodeClass(role="nodes"), ROLE, "node"),
    "a role of its own": (EksNodeClass(create_role=True), ROLE, "node-private"),
    "another existing role": (EksNodeClass(role="others"), ROLE, f"brought-{fingerprint('others', 8)}"),
    "an output": (EksNodeClass.model_construct(role=object()), None, "brought-by-private"),
}


@pytest.mark.parametrize(("admin", "word"), ADMINS.values(), ids=ADMINS)
def test_an_admin(admin, word):
    assert admin_word(admin, 2) == word


@pytest.mark.parametrize(("declared", "role", "word"), CLASSES.values(), ids=CLASSES)
def test_a_node_class(declared, role, word):
    args = EksClusterArgs(region="us-east-1", kubernetes_version="1.35", auto_mode=AutoMode(node_classes={}), node_role=role)
    assert entry_word(args, "private", declared) == word


def test_policies_are_named_by_what_is_known_of_them() -> None:
    own = "arn:aws:iam::111122223333:policy/teams/web"
    assert policy_word("service-role/AmazonEFSCSIDriverPolicy", 1) == "AmazonEFSCSIDriverPolicy"
    assert policy_word(own, 1).startswith("web-")
    assert policy_word(own, 1) != policy_word(own.replace("1111", "2222"), 1)
    assert policy_word(StackOutput("acme/iam/prod", "web"), 1) == policy_word(StackOutput("acme/iam/prod", "web"), 2)
    assert policy_word(object(), 3) == "3"
