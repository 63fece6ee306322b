"""Who may enter: one entry a principal, and none that EKS makes itself."""

import pulumi
import pytest

from nodepools import AutoMode, EksNodeClass, StackOutput
from nodepools.eks import AccessEntry, AccessPolicy, AwsAccount, IdentityProvider

ADMIN = "arn:aws:iam::111122223333:role/platform/admins"
NODES = "arn:aws:iam::111122223333:role/teams/nodes"


def classes(built_in=("system",), **node_classes):
    return AutoMode(built_in_node_pools=built_in, node_classes=node_classes)


def entries(graph, kind="EC2"):
    return [entry for entry in graph.all("AccessEntry") if entry.inputs["type"] == kind]


def test_a_class_with_a_role_of_its_own_is_let_in(deploy, preview):
    graph = deploy(auto_mode=classes(private=EksNodeClass(create_role=True)), preview=preview)
    [entry] = entries(graph)
    [association] = graph.some("AccessPolicyAssociation")
    assert entry.depends_on("Role/dev-use1-node-role-private")
    assert association.depends_on(entry)
    assert association.inputs["policyArn"] == "arn:aws:eks::aws:cluster-access-policy/AmazonEKSAutoNodePolicy"
    assert association.inputs["accessScope"] == {"type": "cluster"}
    assert not {"kubernetesGroups", "userName"} & entry.inputs.keys()


def test_a_class_with_the_brought_role_of_the_built_in_pools_is_let_in_by_eks(deploy, preview):
    graph = deploy(auto_mode=classes(private=EksNodeClass()), node_role=NODES, preview=preview)
    assert not graph.all("AccessEntry")
    assert not graph.all("AccessPolicyAssociation")


def test_without_built_in_pools_nobody_else_lets_it_in(deploy):
    [entry] = entries(deploy(auto_mode=classes([], private=EksNodeClass()), node_role=NODES))
    assert entry.inputs["principalArn"] == NODES


@pytest.mark.parametrize("built_in", [["system"], []], ids=["built-in pools on", "built-in pools off"])
def test_the_role_that_is_made_for_classes_is_let_in_by_us(deploy, built_in):
    [entry] = entries(deploy(auto_mode=classes(built_in, private=EksNodeClass())))
    assert entry.inputs["principalArn"] == "arn:aws:iam::123456789012:role/dev-use1-class-node"


@pytest.mark.parametrize(
    ("auto_mode", "count"),
    [
        pytest.param(classes([], a=EksNodeClass(), b=EksNodeClass()), 1, id="the shared role, twice"),
        pytest.param(classes([], a=EksNodeClass(role="nodes"), b=EksNodeClass(role="nodes")), 1, id="a brought role, twice"),
        pytest.param(classes(a=EksNodeClass(role="nodes"), b=EksNodeClass(role="other")), 2, id="two brought roles"),
        pytest.param(classes(a=EksNodeClass(create_role=True), b=EksNodeClass(create_role=True)), 2, id="two own roles"),
        pytest.param(classes(a=EksNodeClass(role="dev-use1-node")), 0, id="the role of the built-in pools, by its name"),
    ],
)
def test_a_role_has_one_entry_however_many_classes_share_it(deploy, auto_mode, count):
    assert len(entries(deploy(auto_mode=auto_mode))) == count


def test_the_brought_role_of_the_built_in_pools_is_known_by_its_name_too(deploy):
    assert not entries(deploy(node_role=NODES, auto_mode=classes(a=EksNodeClass(role="teams/nodes"))))


@pytest.mark.parametrize(("region", "partition"), [("us-east-1", "aws"), ("cn-north-1", "aws-cn"), ("us-gov-west-1", "aws-us-gov")])
def test_arns_are_those_of_the_partition(deploy, region, partition):
    admin = ADMIN.replace("arn:aws:", f"arn:{partition}:")
    graph = deploy(region=region, config={"aws:region": region}, admins=[admin], auto_mode=classes(a=EksNodeClass(role="teams/nodes")))
    assert [entry.inputs["principalArn"] for entry in entries(graph)] == [f"arn:{partition}:iam::123456789012:role/teams/nodes"]
    assert {node.inputs["policyArn"] for node in graph.some("AccessPolicyAssociation")} == {
        f"arn:{partition}:eks::aws:cluster-access-policy/AmazonEKSAutoNodePolicy",
        f"arn:{partition}:eks::aws:cluster-access-policy/AmazonEKSClusterAdminPolicy",
    }


def test_a_role_by_name_is_one_of_the_declared_account(deploy):
    graph = deploy(account=AwsAccount(id="111122223333"), auto_mode=classes(a=EksNodeClass(role="nodes")))
    assert [entry.inputs["principalArn"] for entry in entries(graph)] == ["arn:aws:iam::111122223333:role/nodes"]


def test_a_role_may_be_the_output_of_another_stack(deploy):
    role = StackOutput("acme/iam/prod", "nodes")
    graph = deploy(auto_mode=classes(a=EksNodeClass(role=role), b=EksNodeClass(role=role)), stacks={"acme/iam/prod": {"nodes": "web"}})
    assert [entry.inputs["principalArn"] for entry in entries(graph)] == ["arn:aws:iam::123456789012:role/web"]
    assert {made.inputs["spec"]["role"] for made in graph.some("NodeClass")} == {"web"}


def test_a_role_may_be_an_output(deploy):
    def auto_mode():
        role = pulumi.Output.from_input("web")
        return classes(a=EksNodeClass(role=role), b=EksNodeClass(role=role))

    graph = deploy(auto_mode=auto_mode)
    assert [entry.inputs["principalArn"] for entry in entries(graph)] == ["arn:aws:iam::123456789012:role/web"]


def test_admins_get_the_cluster_admin_policy(deploy, preview):
    graph = deploy(admins=[ADMIN], preview=preview)
    [entry] = entries(graph, "STANDARD")
    [association] = graph.some("AccessPolicyAssociation/dev-use1-admin-*")
    assert entry.inputs["principalArn"] == association.inputs["principalArn"] == ADMIN
    assert association.inputs["policyArn"] == "arn:aws:eks::aws:cluster-access-policy/AmazonEKSClusterAdminPolicy"
    assert association.inputs["accessScope"] == {"type": "cluster"}
    assert association.depends_on(entry)


def test_one_admin_less_changes_nothing_for_the_others(deploy):
    others = ["arn:aws:iam::111122223333:user/admins", "arn:aws:iam::111122223333:role/ci", StackOutput("acme/iam/prod", "admin")]
    stacks = {"acme/iam/prod": {"admin": "arn:aws:iam::111122223333:role/other"}}
    between = deploy(admins=others, stacks=stacks).waves(since=deploy(admins=[ADMIN, *others], stacks=stacks))
    assert [{label.partition("/")[0] for label in wave} for wave in between.deletes] == [{"AccessPolicyAssociation"}, {"AccessEntry"}]
    assert between.creates == ()


@pytest.mark.parametrize(
    ("declared", "sent"),
    [
        pytest.param(AccessEntry(principal=ADMIN), {"type": "STANDARD"}, id="a principal without rights of its own"),
        pytest.param(
            AccessEntry(principal=ADMIN, groups=["viewers"], user_name="ada"),
            {"type": "STANDARD", "kubernetesGroups": ["viewers"], "userName": "ada"},
            id="a principal with groups",
        ),
        pytest.param(AccessEntry(principal=ADMIN, type="EC2"), {"type": "EC2"}, id="nodes with an instance profile"),
    ],
)
def test_a_declared_principal_is_let_in(deploy, declared, sent):
    entry = deploy(access_entries={"team": declared}).one("AccessEntry/dev-use1-entry-team")
    assert {key: entry.inputs[key] for key in ("type", "kubernetesGroups", "userName") if key in entry.inputs} == sent
    assert entry.inputs["principalArn"] == ADMIN


def test_a_declared_principal_has_its_policies_where_they_are_meant_to_hold(deploy, preview):
    policies = [AccessPolicy("AmazonEKSViewPolicy"), AccessPolicy("AmazonEKSEditPolicy", namespaces=["shop", "blog"])]
    graph = deploy(access_entries={"team": AccessEntry(principal=ADMIN, policies=policies)}, preview=preview)
    view, edit = graph.one("AccessPolicyAssociation/*View*"), graph.one("AccessPolicyAssociation/*Edit*")
    assert view.inputs["accessScope"] == {"type": "cluster"}
    assert edit.inputs["accessScope"] == {"type": "namespace", "namespaces": ["shop", "blog"]}
    assert edit.inputs["policyArn"] == "arn:aws:eks::aws:cluster-access-policy/AmazonEKSEditPolicy"
    assert edit.depends_on("AccessEntry/dev-use1-entry-team")


def test_objects_come_after_declared_principals_and_go_before_them(deploy):
    graph = deploy(access_entries={"team": AccessEntry(principal=ADMIN, policies=[AccessPolicy("AmazonEKSClusterAdminPolicy")])})
    assert graph.deletes("NodeClass").before("AccessPolicyAssociation/dev-use1-entry-*")
    assert graph.one("NodeClass").depends_on("AccessPolicyAssociation/dev-use1-entry-team-AmazonEKSClusterAdminPolicy")


def test_a_class_with_an_instance_profile_has_no_role_of_ours(deploy, preview):
    graph = deploy(auto_mode=classes([], private=EksNodeClass(instance_profile="eks-nodes")), preview=preview)
    assert not graph.all("AccessEntry")
    assert not graph.all("Role/*node-role*")
    made = graph.one("NodeClass").inputs
    assert made["spec"]["instanceProfile"] == "eks-nodes"
    assert "role" not in made["spec"]
    assert made["metadata"]["name"].startswith("private-")


def test_another_instance_profile_is_another_class(deploy):
    later = deploy(auto_mode=lambda: classes([], a=EksNodeClass(instance_profile=pulumi.Output.from_input("eks-one"))))
    names = [later.one("NodeClass").inputs["metadata"]["name"]]
    names += [
        deploy(auto_mode=classes([], a=EksNodeClass(instance_profile=name))).one("NodeClass").inputs["metadata"]["name"]
        for name in ("eks-one", "eks-two")
    ]
    assert names[0] == names[1] != names[2]


def test_people_of_an_identity_provider_are_let_in(deploy, preview):
    provider = IdentityProvider(
        name="people",
        issuer_url=StackOutput("acme/login/prod", "issuer"),
        client_id="kubernetes",
        username_claim="email",
        groups_claim="groups",
        groups_prefix="oidc:",
        required_claims={"tenant": "acme"},
    )
    graph = deploy(identity_provider=provider, stacks={"acme/login/prod": {"issuer": "https://login.example.com"}}, preview=preview)
    made = graph.one("IdentityProviderConfig/dev-use1-identity-provider")
    assert made.depends_on("Cluster/dev-use1")
    assert made.delete_before_replace, "EKS takes one"
    assert made.inputs["tags"] == {"platform": "dev"}
    assert made.inputs["region"] == "us-east-1"
    assert made.inputs["oidc"] == {
        "identityProviderConfigName": "people",
        "issuerUrl": "https://login.example.com",
        "clientId": "kubernetes",
        "usernameClaim": "email",
        "groupsClaim": "groups",
        "groupsPrefix": "oidc:",
        "requiredClaims": {"tenant": "acme"},
    }
