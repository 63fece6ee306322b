"""Roles of service accounts that are made, with their policies: of pod identities and of add-ons."""

import json

import pulumi_aws
import pytest

from nodepools import StackOutput
from nodepools.eks import AddOn, PodIdentity, PodRole

OWN = "arn:aws:iam::111122223333:policy/web"
FAR = "arn:aws:iam::444455556666:role/far"


def identity(**fields):
    return {"web": PodIdentity(namespace="shop", service_account="web", **fields)}


def attached(graph):
    return [node.inputs["policyArn"] for node in graph.all("RolePolicyAttachment/dev-use1-pod-web-role-*")]


@pytest.mark.parametrize(
    ("policies", "arns"),
    [
        pytest.param(["AmazonS3ReadOnlyAccess"], ["arn:aws:iam::aws:policy/AmazonS3ReadOnlyAccess"], id="a policy of AWS by its name"),
        pytest.param(
            ["service-role/AmazonEFSCSIDriverPolicy"], ["arn:aws:iam::aws:policy/service-role/AmazonEFSCSIDriverPolicy"], id="with its path"
        ),
        pytest.param([OWN], [OWN], id="an own policy by its ARN"),
        pytest.param([StackOutput("acme/iam/prod", "web")], [OWN], id="a policy of another stack"),
    ],
)
def test_a_role_is_made_with_the_policies(deploy, preview, policies, arns):
    graph = deploy(pod_identities=identity(policies=policies), stacks={"acme/iam/prod": {"web": OWN}}, preview=preview)
    role = graph.one("Role/dev-use1-pod-web-role")
    assert role.inputs["name"] == "dev-use1-pod-web"
    [statement] = json.loads(role.inputs["assumeRolePolicy"])["Statement"]
    assert statement["Principal"] == {"Service": "pods.eks.amazonaws.com"}
    assert statement["Action"] == ["sts:AssumeRole", "sts:TagSession"]
    assert attached(graph) == arns
    association = graph.one("PodIdentityAssociation")
    assert association.depends_on("Role/dev-use1-pod-web-role")
    assert all(association.depends_on(policy) for policy in graph.all("RolePolicyAttachment/dev-use1-pod-web-role-*"))


def test_statements_become_an_inline_policy(deploy, preview):
    statement = {"Effect": "Allow", "Action": ["s3:GetObject"], "Resource": ["arn:aws:s3:::shop/*"]}
    graph = deploy(pod_identities=identity(statements=[statement]), preview=preview)
    inline = graph.one("RolePolicy/dev-use1-pod-web-role-statements")
    assert json.loads(inline.inputs["policy"]) == {"Version": "2012-10-17", "Statement": [statement]}
    assert graph.one("PodIdentityAssociation").depends_on(inline)


def test_statements_can_name_a_resource_of_the_program(deploy):
    def declared():
        bucket = pulumi_aws.iam.Policy("web", name="web", policy="{}").arn
        return identity(statements=[{"Effect": "Allow", "Action": "s3:*", "Resource": bucket}])

    graph = deploy(pod_identities=declared, outputs={"aws:iam/policy:Policy": lambda *_: {"arn": OWN}})
    assert json.loads(graph.one("RolePolicy/dev-use1-pod-web-role-statements").inputs["policy"])["Statement"][0]["Resource"] == OWN


def test_a_session_policy_is_sent_with_the_association(deploy, preview):
    policy = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "s3:*", "Resource": "*"}]}
    graph = deploy(pod_identities=identity(policies=[OWN], session_tags=False, session_policy=policy), preview=preview)
    sent = graph.one("PodIdentityAssociation").inputs
    assert (json.loads(sent["policy"]), sent["disableSessionTags"]) == (policy, True)


def test_a_policy_of_the_same_program_is_attached(deploy):
    def declared():
        return identity(policies=[pulumi_aws.iam.Policy("web", name="web", policy="{}").arn])

    graph = deploy(pod_identities=declared, outputs={"aws:iam/policy:Policy": lambda *_: {"arn": OWN}})
    assert attached(graph) == [OWN]
    assert graph.one("RolePolicyAttachment/dev-use1-pod-web-role-1").depends_on("Policy/web")


def test_policies_of_one_name_have_names_of_their_own(deploy):
    graph = deploy(pod_identities=identity(policies=[OWN, OWN.replace("1111", "2222"), "web"]))
    assert len(set(attached(graph))) == 3


def test_roles_of_pods_have_path_boundary_and_tags(deploy):
    boundary = "arn:aws:iam::111122223333:policy/boundary"
    fields = {"iam_path": "/teams/web/", "permissions_boundary": boundary, "tags": {"team": "web"}}
    made = deploy(
        pod_identities=identity(policies=[OWN]),
        add_ons={"cw": AddOn(pod_identity={"agent": PodRole(policies=["A"])})},
        secrets_key="arn:aws:kms:::key/a",
        **fields,
    )
    roles = made.some("Role")
    assert len(roles) == 5
    assert {(role.inputs["path"], role.inputs["permissionsBoundary"], role.inputs["tags"]["team"]) for role in roles} == {
        ("/teams/web/", boundary, "web")
    }


def test_a_role_that_exists_is_used(deploy):
    graph = deploy(pod_identities=identity(role=FAR))
    assert not graph.all("Role/*pod*")
    assert graph.one("EksCluster").outputs["pod_identity_roles"] == {"web": FAR}


def test_the_role_may_assume_the_target(deploy, preview):
    graph = deploy(pod_identities=identity(policies=[OWN], target_role=FAR), preview=preview)
    policy = graph.one("RolePolicy/dev-use1-pod-web-role-assume-target")
    [statement] = json.loads(policy.inputs["policy"])["Statement"]
    assert (statement["Action"], statement["Resource"]) == (["sts:AssumeRole", "sts:TagSession"], [FAR])
    assert graph.one("PodIdentityAssociation").depends_on(policy)


def test_the_pods_of_an_add_on_have_their_roles(deploy, preview):
    roles = {"cloudwatch-agent": PodRole(policies=["CloudWatchAgentServerPolicy"]), "agent-2": PodRole(role=FAR)}
    declared = {"amazon-cloudwatch-observability": AddOn(namespace="monitoring", pod_identity=roles)}
    graph = deploy(add_ons=declared, preview=preview)
    role = graph.one("Role/dev-use1-add-on-amazon-cloudwatch-observability-cloudwatch-agent-role")
    assert role.inputs["name"] == "dev-use1-add-on-amazon-cloudwatch-observability-cloudwatch-agent"
    add_on = graph.one("Addon")
    assert add_on.inputs["namespaceConfig"] == {"namespace": "monitoring"}
    assert [one["serviceAccount"] for one in add_on.inputs["podIdentityAssociations"]] == ["agent-2", "cloudwatch-agent"]
    assert add_on.inputs["podIdentityAssociations"][0]["roleArn"] == FAR
    assert add_on.depends_on(role)
    assert add_on.depends_on("RolePolicyAttachment/*CloudWatchAgentServerPolicy")
    assert not graph.all("PodIdentityAssociation")


def test_nothing_is_sent_where_nothing_is_declared(deploy):
    assert not {"namespaceConfig", "podIdentityAssociations"} & deploy(add_ons={"metrics-server": AddOn()}).one("Addon").inputs.keys()


@pytest.mark.parametrize(
    ("names", "stem"), [pytest.param("plain", "dev-use1", id="as always"), pytest.param("regional", "dev-use1-us-east-1", id="with the region")]
)
def test_names_of_roles_may_have_the_region(deploy, names, stem):
    graph = deploy(role_names=names, pod_identities=identity(policies=[OWN]))
    assert {role.inputs["name"] for role in graph.some("Role")} == {f"{stem}-{word}" for word in ("cluster", "node", "class-node", "pod-web")}
    assert graph.one("NodeClass").inputs["spec"]["role"] == f"{stem}-class-node"
    assert {role.name for role in graph.some("Role")} == {role.name for role in deploy(pod_identities=identity(policies=[OWN])).some("Role")}
