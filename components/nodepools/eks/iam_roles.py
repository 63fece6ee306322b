"""IAM roles of a cluster and of its nodes: existing ones, or created. Facts: docs/facts/eks.md C15 to C22, C38, § 1.2."""

import json
from collections.abc import Mapping, Sequence

import pulumi
from pulumi_aws import iam

from nodepools.eks.cluster_context import ClusterContext
from nodepools.model.eks.access import CLUSTER_POLICIES, NODE_POLICIES, PodRole
from nodepools.model.eks.node_class_names import (
    cluster_role_name,
    node_role_name,
    pod_role_name,
    policy_word,
    role_reference,
    role_word,
    shared_role_name,
)
from nodepools.model.ref import Ref
from nodepools.model.values import dataclass


@dataclass(frozen=True, slots=True)
class ClusterRole:
    """The role of the control plane."""

    arn: pulumi.Input[str]
    policies: Sequence[pulumi.Resource] = ()
    """Users of the role are created after its policies and deleted before them; empty for an existing role."""


@dataclass(frozen=True, slots=True)
class NodeRole:
    """A node role."""

    name: str
    """Unique among the node roles of the cluster; part of resource names."""
    arn: pulumi.Input[str]
    reference: pulumi.Input[str]
    """The role in a NodeClass: its path and name, not its ARN."""
    known: str | None
    """`reference` as plain text, if it is known before deployment."""
    policies: Sequence[pulumi.Resource] = ()
    """Nodes are created after these policies and deleted before them; empty for an existing role."""


@dataclass(frozen=True, slots=True)
class NodeRoles:
    """The node roles of a cluster."""

    built_in: NodeRole | None
    """Role of the built-in NodePools; `None` if none is enabled."""
    shared: NodeRole | None
    """Role of NodeClasses without a role of their own, if there are any. The same object as `built_in` if `node_role` is set."""
    classes: Mapping[str, NodeRole]
    """Role of each NodeClass, except those with an instance profile. NodeClasses with the same role share the object."""

    @property
    def policies(self) -> list[pulumi.Resource]:
        """Policies of all created roles."""
        distinct = {role.name: role for role in (self.built_in, *self.classes.values()) if role is not None}
        return [policy for role in distinct.values() for policy in role.policies]


def cluster_role(site: ClusterContext, secrets: Sequence[pulumi.Input[str]]) -> ClusterRole:
    """The existing role of the control plane, or a created one, which can use the keys of `secrets`."""
    if site.args.cluster_role is not None:
        return ClusterRole(site.scope.value(site.args.cluster_role))
    scope = site.scope
    role = _role(site, "cluster-role", cluster_role_name(scope.stem, site.args), pulumi.Output.from_input(cluster_trust()))
    policies = _attachments(site, "cluster-role", role, CLUSTER_POLICIES)
    policies += _declared_attachments(site, "cluster-role", role, site.args.cluster_policies)
    if any(node_class.has_tags for _, _, node_class in site.args.auto_mode.all_classes()):
        policies.append(_inline(site, "cluster-role", role, "custom-tags", site.partition.apply(custom_tags)))
    if secrets:
        policies.append(_inline(site, "cluster-role", role, "secrets-key", pulumi.Output.all(*secrets).apply(secrets_keys)))
    return ClusterRole(role.arn, [*policies, *_declared_statements(site, "cluster-role", role, site.args.cluster_statements)])


def node_roles(site: ClusterContext) -> NodeRoles:
    """Creates roles for built-in NodePools, for NodeClasses without a role of their own, and for NodeClasses with `create_role`.

    An existing `node_role` replaces the first two.
    """
    auto_mode = site.args.auto_mode
    existing = _existing(site, site.args.node_role) if site.args.node_role is not None else None
    built_in = (existing if existing is not None else _created(site)) if auto_mode.built_in_node_pools else None
    shared = (existing if existing is not None else _created_for_classes(site)) if auto_mode.shares_a_role else None
    found: dict[Ref, NodeRole] = {role.known: role for role in (built_in, shared) if role is not None and role.known is not None}
    classes: dict[str, NodeRole] = {}
    for place, key, declared in auto_mode.all_classes():
        if declared.create_role:
            classes[place] = _created(site, key)
        elif declared.role is not None:
            role = declared.role
            if role not in found:
                found[role] = _existing_of_class(site, key, role)
            classes[place] = found[role]
        elif declared.has_shared_role and shared is not None:
            classes[place] = shared
    return NodeRoles(built_in, shared, classes)


@dataclass(frozen=True, slots=True)
class RoleOfPods:
    """The role of the pods of a service account."""

    arn: pulumi.Input[str]
    policies: Sequence[pulumi.Resource] = ()
    """Pods get the role after its policies; empty for an existing role."""


def pod_role(site: ClusterContext, declared: PodRole, *word: str, target: pulumi.Input[str] | None = None) -> RoleOfPods:
    """The existing role, or a created one with the declared policies. With a `target` it can assume that role."""
    if declared.role is not None:
        return RoleOfPods(site.scope.value(declared.role))
    resource = "-".join([*word, "role"])
    role = _role(site, resource, pod_role_name(site.scope.stem, site.args, *word), pulumi.Output.from_input(pod_trust()))
    policies = _declared_attachments(site, resource, role, declared.policies)
    policies += _declared_statements(site, resource, role, declared.statements)
    if target is not None:
        policies.append(_inline(site, resource, role, "assume-target", pulumi.Output.from_input(target).apply(assuming)))
    return RoleOfPods(role.arn, policies)


def _arn(site: ClusterContext, policy: Ref) -> pulumi.Input[str]:
    """ARN of a policy; text without `arn:` is the name of an AWS managed policy."""
    value = site.scope.value(policy)
    return site.policy(value) if isinstance(value, str) and not value.startswith("arn:") else value


def _existing(site: ClusterContext, role: Ref) -> NodeRole:
    arn = site.scope.value(role)
    reference = role_reference(arn) if isinstance(arn, str) else pulumi.Output.from_input(arn).apply(role_reference)
    return NodeRole("node", arn, reference, known=reference if isinstance(reference, str) else None)


def _existing_of_class(site: ClusterContext, key: str, role: Ref) -> NodeRole:
    reference = site.scope.value(role)
    known = reference if isinstance(reference, str) else None
    return NodeRole(role_word(role, key), site.role(reference), reference, known)


def _created(site: ClusterContext, *of_class: str) -> NodeRole:
    return _created_as(site, "-".join(["node", *of_class]), "-".join(["node-role", *of_class]), node_role_name(site.scope.stem, site.args, *of_class))


def _created_for_classes(site: ClusterContext) -> NodeRole:
    return _created_as(site, "class-node", "class-node-role", shared_role_name(site.scope.stem, site.args))


def _created_as(site: ClusterContext, word: str, resource: str, name: str) -> NodeRole:
    role = _role(site, resource, name, site.partition.apply(node_trust))
    prefix = role_reference(site.args.iam_path)
    reference = role.name.apply(lambda known: f"{prefix}{known}")
    policies = [*_attachments(site, resource, role, NODE_POLICIES), *_declared_attachments(site, resource, role, site.args.node_policies)]
    policies += _declared_statements(site, resource, role, site.args.node_statements)
    return NodeRole(word, role.arn, reference, f"{prefix}{name}", policies)


def _role(site: ClusterContext, word: str, name: str, trust: pulumi.Output[str]) -> iam.Role:
    boundary = site.args.permissions_boundary
    return iam.Role(
        site.scope.name(word),
        name=name,
        path=site.args.iam_path,
        permissions_boundary=site.scope.value(boundary) if boundary is not None else None,
        assume_role_policy=trust,
        tags=dict(site.scope.tags),
        opts=site.scope.options(),
    )


def _inline(site: ClusterContext, word: str, role: iam.Role, name: str, policy: pulumi.Output[str]) -> pulumi.Resource:
    return iam.RolePolicy(site.scope.name(word, name), name=name, role=role.name, policy=policy, opts=site.scope.options())


def _attachments(site: ClusterContext, word: str, role: iam.Role, policies: Sequence[str]) -> list[pulumi.Resource]:
    return [
        iam.RolePolicyAttachment(site.scope.name(word, policy), role=role.name, policy_arn=site.policy(policy), opts=site.scope.options())
        for policy in policies
    ]


def _declared_attachments(site: ClusterContext, word: str, role: iam.Role, policies: Sequence[Ref]) -> list[pulumi.Resource]:
    return [
        iam.RolePolicyAttachment(
            site.scope.name(word, policy_word(policy, place)), role=role.name, policy_arn=_arn(site, policy), opts=site.scope.options()
        )
        for place, policy in enumerate(policies, start=1)
    ]


def _declared_statements(site: ClusterContext, word: str, role: iam.Role, statements: Sequence[Mapping[str, object]]) -> list[pulumi.Resource]:
    """One inline policy with the declared statements; nothing without any."""
    document = pulumi.Output.json_dumps({"Version": "2012-10-17", "Statement": [dict(one) for one in statements]})
    return [_inline(site, word, role, "statements", document)] if statements else []


def cluster_trust() -> str:
    """Trusts EKS, which tags sessions with the cluster's name.

    The principal is the same in every AWS partition (terraform-aws-eks#1904: `eks.amazonaws.com.cn` is rejected as malformed).
    """
    return _trust("eks.amazonaws.com", "sts:AssumeRole", "sts:TagSession")


def node_trust(partition: str) -> str:
    """Trusts EC2. In China the principal has another name (cdk-eks-blueprints#558: EKS rejects a node role without it)."""
    return _trust("ec2.amazonaws.com.cn" if partition == "aws-cn" else "ec2.amazonaws.com", "sts:AssumeRole")


def pod_trust() -> str:
    """Trusts EKS Pod Identity, which tags sessions with cluster, namespace and service account. The principal is the same in every AWS partition."""
    return _trust("pods.eks.amazonaws.com", "sts:AssumeRole", "sts:TagSession")


def assuming(role: str) -> str:
    """Lets the role of pods assume another role, which must trust it."""
    return _document({"Sid": "TargetRole", "Effect": "Allow", "Action": ["sts:AssumeRole", "sts:TagSession"], "Resource": [role]})


def custom_tags(partition: str) -> str:
    """Lets Auto Mode set custom tags on the resources that it creates.

    AWS managed policies allow only the tag keys of EKS: without this policy no node is launched for a NodeClass with tags, although all is ready.
    Each statement is limited to resources that are tagged with the name of the cluster.
    """
    ec2 = f"arn:{partition}:ec2:*:*"
    return _document(
        _on_own_cluster(
            "Instances",
            ["ec2:CreateFleet", "ec2:RunInstances", "ec2:CreateLaunchTemplate"],
            ["*"],
            {"aws:RequestTag/eks:kubernetes-node-class-name": "*", "aws:RequestTag/eks:kubernetes-node-pool-name": "*"},
        ),
        _on_own_cluster("Disks", ["ec2:CreateVolume", "ec2:CreateSnapshot"], [f"{ec2}:volume/*", f"{ec2}:snapshot/*"]),
        _on_own_cluster("Interfaces", ["ec2:CreateNetworkInterface"], ["*"], {"aws:RequestTag/eks:kubernetes-cni-node-name": "*"}),
        _on_own_cluster(
            "LoadBalancers",
            [f"elasticloadbalancing:Create{made}" for made in ("LoadBalancer", "TargetGroup", "Listener", "Rule")] + ["ec2:CreateSecurityGroup"],
            ["*"],
        ),
        _on_own_cluster("Shields", ["shield:CreateProtection"], ["*"]),
        _on_own_cluster("ShieldTags", ["shield:TagResource"], [f"arn:{partition}:shield::*:protection/*"]),
    )


def secrets_keys(arns: Sequence[str]) -> str:
    """Lets the cluster role use the KMS keys of secrets. EKS also works by a grant, which only a key policy that delegates to IAM allows."""
    actions = [f"kms:{action}" for action in ("Encrypt", "Decrypt", "ListGrants", "DescribeKey")]
    return _document({"Sid": "SecretsKey", "Effect": "Allow", "Action": actions, "Resource": list(arns)})


def _trust(service: str, *actions: str) -> str:
    return _document({"Effect": "Allow", "Principal": {"Service": service}, "Action": list(actions)})


def _on_own_cluster(sid: str, actions: list[str], resources: list[str], like: dict[str, str] | None = None) -> dict[str, object]:
    condition: dict[str, object] = {"StringEquals": {"aws:RequestTag/eks:eks-cluster-name": "${aws:PrincipalTag/eks:eks-cluster-name}"}}
    if like is not None:
        condition["StringLike"] = like
    return {"Sid": sid, "Effect": "Allow", "Action": actions, "Resource": resources, "Condition": condition}


def _document(*statements: dict[str, object]) -> str:
    return json.dumps({"Version": "2012-10-17", "Statement": list(statements)})
