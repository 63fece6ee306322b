"""Access to EKS clusters: access entries, and roles of service accounts. Facts: docs/facts/eks.md C5, C21 to C23, C48, § 17."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from nodepools.model.derive import derive
from nodepools.model.eks.access import CLUSTER_POLICIES, NODE_POLICIES, AccessEntry, AccessPolicy, AddOn, IdentityProvider, PodIdentity, PodRole
from nodepools.model.eks.cluster import EksClusterArgs, IngressClass, StorageClass
from nodepools.model.eks.node_class import EksNodeClass
from nodepools.model.kubernetes.label import is_namespace, is_object_name
from nodepools.model.listing import nearest
from nodepools.model.ref import Ref, StackOutput
from nodepools.model.steps import Step
from nodepools.rules.engine.finding import Fix, PartFinding, add, certain, correct_spelling, literal, ref, remove, set_to
from nodepools.rules.engine.registry import POLICIES, Limit, Where, error, finding, limited, note, sample, warning
from nodepools.rules.engine.samples import auto_mode, eks, eks_pool

_POD_ROLE: Final = "arn:aws:iam::111122223333:role/web"
_POLICY: Final = "AmazonS3ReadOnlyAccess"
_POLICY_ARN: Final = re.compile(r"arn:[^:]+:iam::(aws|[0-9]{12}):policy/.+")
_GIVEN: Final = {"cluster_policies": CLUSTER_POLICIES, "node_policies": NODE_POLICIES}
"""The policies that each role has that is created."""
_POLICY_NAME: Final = re.compile(r"([\w+=,.@-]+/)*[\w+=,.@-]+")


@error("EKS144", "EKS API reference, CreatePodIdentityAssociation: roleArn is required")
@limited(POLICIES)
@sample("policies", lambda: PodIdentity(namespace="shop", service_account="web"))
def pod_identity_without_role(part: PodRole) -> Iterator[PartFinding]:
    """A pod identity needs an IAM role: an existing one, or policies for a new one."""
    if part.role is None and not part.policies and not part.statements:
        message = "This service account gets no permissions: it has neither a role nor policies for a new role"
        yield finding(part, message, path="policies", value=None, fix=f"Set {ref('policies')} to IAM policies, or {ref('role')} to the ARN of a role")


@warning("EKS145", "nodepools: policies are attached to roles that the library creates")
@limited(POLICIES)
@sample("policies", lambda: PodIdentity(namespace="shop", service_account="web", role=_POD_ROLE, policies=[_POLICY]))
def policies_of_existing_role(part: PodRole | EksClusterArgs) -> Iterator[PartFinding]:
    """Policies are attached only to a role that is created."""
    for field, role in _without_a_new_role(part):
        if getattr(part, field):
            message = f"{ref(field)} has no effect on the existing role in {ref(role)}: attach the policies where the role is created"
            yield finding(part, message, path=field, fix=remove(field))


def _without_a_new_role(part: PodRole | EksClusterArgs) -> Iterator[tuple[str, str]]:
    """The fields that need a new role, with the field that has an existing one."""
    if isinstance(part, PodRole):
        yield from (("policies", "role"), ("statements", "role")) if part.role is not None else ()
        return
    if part.cluster_role is not None:
        yield from (("cluster_policies", "cluster_role"), ("cluster_statements", "cluster_role"))
    if part.node_role is not None and not any(declared.create_role for _, _, declared in part.auto_mode.all_classes()):
        yield from (("node_policies", "node_role"), ("node_statements", "node_role"))


_NAMESPACES: Final = {
    **dict.fromkeys(("vpc-cni", "aws-ebs-csi-driver", "aws-efs-csi-driver", "aws-mountpoint-s3-csi-driver"), "kube-system"),
    "amazon-cloudwatch-observability": "amazon-cloudwatch",
}
"""Namespaces of add-ons that use pod identities, as far as they are known."""


@error("EKS146", "https://docs.aws.amazon.com/eks/latest/userguide/pod-identities.html: one role for each service account of a cluster")
@sample(
    "pod_identities.b", lambda: eks(pod_identities={key: PodIdentity(namespace="shop", service_account="web", role=_POD_ROLE) for key in ("a", "b")})
)
def duplicate_pod_identity(cluster: EksClusterArgs) -> Iterator[PartFinding]:
    """EKS rejects a second pod identity association of a service account."""
    taken: dict[tuple[str, str], tuple[str, ...]] = {}
    for name, add_on in cluster.add_ons.items():
        namespace = add_on.namespace if add_on.namespace is not None else _NAMESPACES.get(name, f"add-on {name}")
        taken.update({(namespace, account): ("add_ons", name, "pod_identity", account) for account in add_on.pod_identity})
    for key, identity in cluster.pod_identities.items():
        account, at = (identity.namespace, identity.service_account), ("pod_identities", key)
        first = taken.setdefault(account, at)
        if first != at:
            of = f"`{first[1]}`" if first[0] == at[0] else f"that of the add-on `{first[1]}`"
            message = f"EKS rejects a second pod identity of the service account `{'/'.join(account)}`: {of} is the first"
            yield finding(cluster, message, path=at, value=None, fix=remove(at))


@error("EKS147", "IAM API reference, AttachRolePolicy: policyArn")
@limited(POLICIES)
@sample("policies[0]", lambda: PodIdentity(namespace="shop", service_account="web", policies=[_POD_ROLE]))
def invalid_iam_policy(part: PodRole | EksClusterArgs) -> Iterator[PartFinding]:
    """IAM attaches each policy once, by the ARN of the policy; AWS managed policies are also declared by their names."""
    for field, index, policy in _policies(part):
        if not (_POLICY_ARN if policy.startswith("arn:") else _POLICY_NAME).fullmatch(policy):
            message = f"`{policy}` is neither the ARN of an IAM policy nor the name of an AWS managed policy"
            fix = f"Use an ARN such as `arn:aws:iam::111122223333:policy/web`, or a name such as `{_POLICY}`"
            yield finding(part, message, path=(field, index), fix=fix)
        elif _name(policy) in [_name(one) for one in getattr(part, field)[:index] if isinstance(one, str)]:
            yield finding(part, f"`{policy}` is listed twice", path=(field, index), fix=remove((field, index)))
        elif _name(policy) in _GIVEN.get(field, ()):
            yield finding(part, f"The role that is created has `{policy}` already", path=(field, index), fix=remove((field, index)))


def _name(policy: str) -> str:
    """The name of an AWS managed policy, for its ARN too; other ARNs as they are."""
    return policy.partition(":iam::aws:policy/")[2] or policy


def _policies(part: PodRole | EksClusterArgs) -> Iterator[tuple[str, int, str]]:
    """The policies that are known, with their field and place."""
    for field in ("policies",) if isinstance(part, PodRole) else tuple(_GIVEN):
        yield from ((field, index, policy) for index, policy in enumerate(getattr(part, field)) if isinstance(policy, str))


_PROVIDER: Final = "https://docs.aws.amazon.com/eks/latest/APIReference/API_OidcIdentityProviderConfigRequest.html"
_ISSUER: Final = "https://login.example.com"


def _provider(**fields: object) -> IdentityProvider:
    return derive(IdentityProvider(name="people", issuer_url=_ISSUER, client_id="kubernetes"), **fields)


@error("EKS210", f"{_PROVIDER}: issuerUrl is an HTTPS address without query parameters (2026-11)")
@sample("issuer_url", lambda: _provider(issuer_url="http://login.example.com"))
def issuer_without_https(provider: IdentityProvider) -> Iterator[PartFinding]:
    """EKS reads the keys of an identity provider below its URL, which begins with `https://` and has no query."""
    url = provider.issuer_url
    if isinstance(url, str) and (not url.startswith("https://") or "?" in url):
        wrong = "has a query" if url.startswith("https://") else "does not begin with `https://`"
        message = f"EKS rejects the URL `{url}` of the identity provider: it {wrong}"
        yield finding(provider, message, path="issuer_url", fix=f"Use the `iss` of its tokens, such as `{_ISSUER}`")


@error("EKS211", f"{_PROVIDER}: usernamePrefix, groupsPrefix (2026-11)")
@sample("groups_prefix", lambda: _provider(groups_claim="groups", groups_prefix="system:"))
def prefix_of_the_system(provider: IdentityProvider) -> Iterator[PartFinding]:
    """EKS rejects prefixes with `system:`, which begins the names of users and groups of Kubernetes itself."""
    for field in ("username_prefix", "groups_prefix"):
        prefix = getattr(provider, field)
        if prefix is not None and "system:" in prefix:
            yield finding(provider, f"EKS rejects the prefix `{prefix}`: `system:` is reserved", path=field, fix="Use another one, such as `oidc:`")


@note("EKS212", f"{_PROVIDER}: the prefix prevents clashes with existing names (2026-11)")
@sample("groups_prefix", lambda: _provider(groups_claim="groups"))
def groups_without_prefix(provider: IdentityProvider) -> Iterator[PartFinding]:
    """Without a prefix, a group of the provider has the permissions of each group of that name in the cluster."""
    if provider.groups_claim is not None and provider.groups_prefix is None:
        message = f"Without {ref('groups_prefix')}, a group of the identity provider has the permissions of a group of that name in the cluster"
        yield finding(provider, message, path="groups_prefix", value=None)


@error("EKS187", "EKS API reference, CreatePodIdentityAssociation (2026-11): a policy requires that session tags are disabled")
@sample("session_tags", lambda: PodIdentity(namespace="shop", service_account="web", role=_POD_ROLE, session_policy={"Statement": []}))
def session_policy_with_session_tags(identity: PodIdentity) -> Iterator[PartFinding]:
    """EKS takes a session policy only for sessions without tags."""
    if identity.session_policy is not None and identity.session_tags:
        message = f"EKS rejects {ref('session_policy')} while {ref('session_tags')} is on"
        text = f"Set {ref('session_tags')} to {literal(value=False)}; policies that require these tags then deny access"
        yield finding(identity, message, path="session_tags", fix=Fix(text, (set_to("session_tags", value=False),)))


@error(
    "EKS188",
    "IAM user guide, reference_policies_grammar (2026-11): Effect, Action or NotAction, Resource or NotResource; no Principal;"
    " reference_policies_elements_sid (2026-11-29): letters and digits, each once in a policy",
)
@limited(POLICIES)
@sample("statements[0]", lambda: PodIdentity(namespace="shop", service_account="web", statements=[{"Effect": "Allow", "Action": "s3:*"}]))
def malformed_statement(part: PodRole | EksClusterArgs) -> Iterator[PartFinding]:
    """IAM rejects a statement of a role that lacks an element, has both of a pair or those of a resource's policy, or whose `Sid` is not valid."""
    fields = ("statements",) if isinstance(part, PodRole) else ("cluster_statements", "node_statements")
    known = set[tuple[str, str]]()
    for at, statement in (((field, index), one) for field in fields for index, one in enumerate(getattr(part, field))):
        both = next((pair for pair in _ELEMENTS if len(pair) > 1 and all(name in statement for name in pair)), None)
        sid, conditions = statement.get("Sid", ""), statement.get("Condition")
        is_twice = isinstance(sid, str) and bool(sid) and (at[0], sid) in known
        known |= {(at[0], sid)} if isinstance(sid, str) else set()
        lacks = [pair for pair in _ELEMENTS if not any(name in statement for name in pair)]
        wrong = [name for name in statement if name not in _KNOWN]
        if lacks:
            missing = [" or ".join(f"`{name}`" for name in pair) for pair in lacks]
            yield finding(part, f"IAM rejects the statement: it has no {' and no '.join(missing)}", path=at, fix=f"Add {' and '.join(missing)}")
        elif wrong:
            message = f"IAM rejects the statement: a policy of a role has no element {literal(wrong[0])}"
            yield finding(part, message, path=at, fix=remove((*at, wrong[0])))
        elif statement["Effect"] not in _EFFECTS:
            effect = statement["Effect"]
            given = literal(effect) if isinstance(effect, str) else "not text"
            message = f"IAM rejects the statement: its effect is {given}, not one of {', '.join(map(literal, _EFFECTS))}"
            yield finding(part, message, path=at, fix=f"Set its effect to {literal('Allow')} or {literal('Deny')}")
        elif both is not None:
            message = f"IAM rejects the statement: it has both {' and '.join(map(literal, both))}"
            yield finding(part, message, path=at, fix="Make two statements of it")
        elif is_twice or (isinstance(sid, str) and not _SID.fullmatch(sid)):
            why = "another statement of the policy has it" if is_twice else "only ASCII letters and digits are valid in it"
            yield finding(part, f"IAM rejects the `Sid` {literal(sid)}: {why}", path=(*at, "Sid"), fix=remove((*at, "Sid")))
        elif isinstance(sid, Sequence | Mapping) and not isinstance(sid, str):
            yield finding(part, "IAM rejects the `Sid`: it is not text", path=(*at, "Sid"), fix=remove((*at, "Sid")))
        elif isinstance(conditions, str | int | float | Sequence):
            yield finding(part, "IAM rejects the statement: its conditions are not a mapping", path=(*at, "Condition"), fix=_CONDITIONS)


_EFFECTS: Final = ("Allow", "Deny")
_SID: Final = re.compile("[A-Za-z0-9]*")
_CONDITIONS: Final = "Write them as `{StringEquals: {KEY: VALUE}}`"
_ELEMENTS: Final = (("Effect",), ("Action", "NotAction"), ("Resource", "NotResource"))
_KNOWN: Final = frozenset({"Sid", "Condition", *(name for pair in _ELEMENTS for name in pair)})


_ENTRY = "https://docs.aws.amazon.com/eks/latest/userguide/access-entries.html"
_ROLE = "arn:aws:iam::111122223333:role/team"
_ADMIN_POLICY = "AmazonEKSClusterAdminPolicy"
_NODES_POLICY = "AmazonEKSAutoNodePolicy"
_RESERVED = {"groups": ("system:",), "user_name": ("system:", "eks:", "aws:", "amazon:", "iam:")}
"""Prefixes of names that EKS keeps for itself. Source: EKS user guide, creating-access-entries, 2026-11."""


@error("EKS080", f"{_ENTRY}: a principal has one access entry in a cluster")
@sample("access_entries.team.principal", lambda: eks(admins=[_ROLE], access_entries={"team": AccessEntry(principal=_ROLE)}))
def duplicate_access_entry(cluster: EksClusterArgs) -> Iterator[PartFinding]:
    """EKS rejects a second access entry for a principal; those of node roles are created by EKS (built-in NodePools) and with NodeClasses."""
    built_in = cluster.node_role if cluster.auto_mode.built_in_node_pools and isinstance(cluster.node_role, str) else None
    taken = {built_in: "EKS creates the entry for the node role of the built-in NodePools"} if built_in is not None else {}
    roles = {declared.role: key for _, key, declared in cluster.auto_mode.all_classes() if isinstance(declared.role, str)}
    for at, principal in _principals(cluster):
        named = str(principal) if isinstance(principal, str | StackOutput) else None
        if named is None:
            continue
        field, which, *_ = at
        owner = roles.get(named.partition(":role/")[2])
        if owner is not None and _is_of_nodes(cluster, at, named):
            taken.setdefault(named, f"the one of the NodeClass `{owner}` is created with it")
        if named in taken:
            message = f"EKS rejects a second access entry for `{named}`: {taken[named]}"
            fix = remove((field, which)) if named == built_in or owner is not None or field == "admins" else "Remove one of the two entries"
            yield finding(cluster, message, path=at, fix=fix)
        taken.setdefault(named, f"the principal is also in {ref('admins')}" if field == "admins" else "another entry has the same principal")


def _is_of_nodes(cluster: EksClusterArgs, at: Sequence[Step], principal: str) -> bool:
    """The role of this name is in the account of the cluster: the account is declared, or the entry is for nodes, which are always there."""
    if cluster.account is not None:
        return f":iam::{cluster.account.id}:" in principal
    return at[0] == "access_entries" and cluster.access_entries[str(at[1])].type == "EC2"


def _principals(cluster: EksClusterArgs) -> Iterator[tuple[tuple[Step, ...], Ref]]:
    """Each principal of an access entry that the cluster creates, with its path."""
    yield from ((("admins", index), admin) for index, admin in enumerate(cluster.admins))
    yield from ((("access_entries", key, "principal"), entry.principal) for key, entry in cluster.access_entries.items())


@error("EKS081", "EKS API reference, CreateAccessEntry: principalArn; CreatePodIdentityAssociation: roleArn")
@sample("principal", lambda: AccessEntry(principal="alice"))
def principal_is_not_an_arn(part: AccessEntry | PodRole) -> Iterator[PartFinding]:
    """EKS requires ARNs for the principals of access entries and for the roles of pods."""
    fields = ("principal",) if isinstance(part, AccessEntry) else ("role", "target_role") if isinstance(part, PodIdentity) else ("role",)
    for field in fields:
        value = getattr(part, field)
        if isinstance(value, str) and not value.startswith("arn:"):
            fix = f"Use the full ARN, such as `arn:aws:iam::111122223333:role/{value}`"
            yield finding(part, f"{ref(field)} must be an ARN, not the name `{value}`", path=field, fix=fix)


@error("EKS082", "https://docs.aws.amazon.com/eks/latest/userguide/access-policies.html")
@limited(Limit(Where.UNREAD, "the name is read from the ARN"))
@sample("name", lambda: AccessPolicy("arn:aws:eks::aws:cluster-access-policy/AmazonEKSViewPolicy"))
def access_policy_is_not_a_name(policy: AccessPolicy) -> Iterator[PartFinding]:
    """An access policy is declared by its name; its ARN follows from the AWS partition of the cluster."""
    if policy.name.startswith("arn:"):
        message = f"{ref('name')} must be the name of the access policy, not its ARN"
        yield finding(policy, message, path="name", fix=certain(set_to("name", policy.name.rpartition("/")[2])))


_SESSION: Final = "{{SessionName"
"""The beginning of what stands for the name of a session, raw or not."""
_NODES: Final = ("EC2_LINUX", "EC2_WINDOWS", "FARGATE_LINUX", "HYBRID_LINUX")
"""Types of the entries of nodes outside Auto Mode."""
_ACCESS_POLICIES: Final = frozenset(
    {
        *("AmazonEKSAdminPolicy", "AmazonEKSClusterAdminPolicy", "AmazonEKSAdminViewPolicy", "AmazonEKSEditPolicy", "AmazonEKSViewPolicy"),
        *("AmazonEKSSecretReaderPolicy", "AmazonEKSAutoNodePolicy", "AmazonEKSBlockStoragePolicy", "AmazonEKSLoadBalancingPolicy"),
        *("AmazonEKSNetworkingPolicy", "AmazonEKSComputePolicy", "AmazonEKSBlockStorageClusterPolicy", "AmazonEKSComputeClusterPolicy"),
        *("AmazonEKSLoadBalancingClusterPolicy", "AmazonEKSNetworkingClusterPolicy", "AmazonEKSHybridPolicy", "AmazonEKSClusterInsightsPolicy"),
        *("AmazonEKSEventPolicy", "AmazonEKSACKPolicy", "AmazonEKSArgoCDPolicy", "AmazonEKSArgoCDClusterPolicy", "AmazonEKSKROPolicy"),
        *("AmazonEKSPodIdentityPolicy", "AmazonEKSSecretAdminPolicy", "AmazonEMRJobPolicy"),
        *("AmazonARCRegionSwitchScalingPolicy", "AWSBackupFullAccessPolicyForBackup", "AWSBackupFullAccessPolicyForRestore"),
    }
)
"""Source: EKS user guide, access-policy-permissions, 2026-11, and what `aws eks list-access-policies` printed in 2026-04."""


@warning("EKS193", "https://docs.aws.amazon.com/eks/latest/userguide/access-policy-permissions.html (2026-11)")
@sample("name", lambda: AccessPolicy("AmazonEKSReadOnlyPolicy"))
def unknown_access_policy(policy: AccessPolicy) -> Iterator[PartFinding]:
    """EKS rejects an access policy that it does not know; new ones can be missing in this table, and those of SageMaker are."""
    if policy.name not in _ACCESS_POLICIES and not policy.name.startswith(("arn:", "AmazonSagemaker")):
        near = nearest(policy.name, _ACCESS_POLICIES)
        message = f"`{policy.name}` is not a known access policy of EKS, which rejects names that it does not know"
        fix = correct_spelling("name", policy.name, near) if near is not None else "Use a name that `aws eks list-access-policies` prints"
        yield finding(policy, message, path="name", fix=fix)


@error("EKS083", f"{_ENTRY}: user name and groups are those of standard entries; of others, EKS accepts neither these nor access policies (2026-11)")
@sample("groups", lambda: AccessEntry(principal=_ROLE, type="FARGATE_LINUX", groups=["viewers"]))
def groups_on_non_standard_entry(entry: AccessEntry) -> Iterator[PartFinding]:
    """EKS accepts groups and a user name only for access entries of type `STANDARD`, and access policies not for nodes outside Auto Mode."""
    if entry.type in _NODES and entry.policies and not any(policy.name == _NODES_POLICY for policy in entry.policies):  # EKS084
        message = f"EKS rejects access policies of an access entry of type `{entry.type}`: it gives nodes their permissions itself"
        yield finding(entry, message, path="policies", value=None, fix=remove("policies"))
    for field in ("groups", "user_name"):
        if entry.type != "STANDARD" and getattr(entry, field):
            message = f"{ref(field)} is only for access entries of type `STANDARD`: this one has type `{entry.type}`"
            yield finding(entry, message, path=field, fix=remove(field))


@warning("EKS084", "https://docs.aws.amazon.com/eks/latest/userguide/create-node-class.html: entries of nodes are of the type EC2")
@sample("type", lambda: AccessEntry(principal=_ROLE, policies=[AccessPolicy(_NODES_POLICY)]))
def node_access_entry_mismatch(entry: AccessEntry) -> Iterator[PartFinding]:
    """Nodes of Auto Mode join through access entries of type `EC2` with the access policy AmazonEKSAutoNodePolicy."""
    has = any(policy.name == _NODES_POLICY for policy in entry.policies)
    if has and entry.type != "EC2":
        message = f"Nodes of Auto Mode cannot join through an access entry of type `{entry.type}`, not even with the access policy `{_NODES_POLICY}`"
        yield finding(entry, message, path="type", fix=set_to("type", "EC2"))
    elif entry.type == "EC2" and not has:
        message = f"Nodes of Auto Mode cannot join: an access entry of type `EC2` needs the access policy `{_NODES_POLICY}`"
        yield finding(entry, message, path="policies", fix=add("policies", AccessPolicy(_NODES_POLICY)))


@error("EKS175", "https://docs.aws.amazon.com/eks/latest/userguide/creating-access-entries.html (2026-11): reserved prefixes")
@sample("groups[0]", lambda: AccessEntry(principal=_ROLE, groups=["system:masters"]))
def reserved_access_entry_name(entry: AccessEntry) -> Iterator[PartFinding]:
    """EKS rejects groups that begin with `system:`, and user names that begin with `system:`, `eks:`, `aws:`, `amazon:` or `iam:`."""
    names: list[tuple[tuple[Step, ...], str]] = [(("groups", index), group) for index, group in enumerate(entry.groups)]
    names += [(("user_name",), entry.user_name)] if entry.user_name is not None else []
    for at, name in names:
        prefix = next((prefix for prefix in _RESERVED[str(at[0])] if name.startswith(prefix)), None)
        if prefix is not None:
            what = "group" if at[0] == "groups" else "user name"
            admin = f"Add the access policy `{_ADMIN_POLICY}` in {ref('policies')} instead of the group" if name == "system:masters" else None
            fix = admin if admin is not None else f"Use a name without the prefix, and bind it to roles in the cluster: `{name.removeprefix(prefix)}`"
            yield finding(entry, f"EKS rejects the {what} `{name}`: the prefix `{prefix}` is reserved", path=at, fix=fix)


@error("EKS197", "https://docs.aws.amazon.com/eks/latest/userguide/set-custom-username.html (2026-11): a colon before the name of the session")
@sample("user_name", lambda: AccessEntry(principal=_ROLE, user_name="{{SessionName}}"))
def session_name_without_colon(entry: AccessEntry) -> Iterator[PartFinding]:
    """EKS requires a colon before the name of the session in a user name, so that a session cannot take the name of another user."""
    name = entry.user_name if entry.user_name is not None else ""
    placed = name.find(_SESSION)
    if placed >= 0 and ":" not in name[:placed]:
        message = f"EKS rejects the user name `{name}`: it has no colon before the name of the session"
        yield finding(entry, message, path="user_name", fix=f"Write a name and a colon before it, such as `admin:{name[placed:]}`")


@error(
    "EKS196",
    "Kubernetes, object names: a namespace is a DNS label, other names are DNS subdomains; EKS user guide, access-policies: `*` in namespaces",
)
@sample("namespace", lambda: PodIdentity(namespace="Shop", service_account="web", policies=["AmazonS3ReadOnlyAccess"]))
def impossible_object_name(part: PodIdentity | AddOn | AccessPolicy | StorageClass | IngressClass) -> Iterator[PartFinding]:
    """Names of namespaces, service accounts and classes have lowercase letters, digits and hyphens; no object can have another one."""
    names: list[tuple[tuple[Step, ...], str | None]] = [((field,), getattr(part, field, None)) for field in ("namespace", "service_account")]
    if isinstance(part, StorageClass | IngressClass):
        names.append((("name",), part.name))
    elif isinstance(part, AddOn):
        names += [(("pod_identity", account), account) for account in part.pod_identity]
    elif isinstance(part, AccessPolicy):
        names += [(("namespaces", at), one.replace("*", "x")) for at, one in enumerate(part.namespaces)]
    for at, name in names:
        of_namespace = str(at[0]).startswith("namespace")
        if name is not None and not (is_namespace(name) if of_namespace else is_object_name(name)):
            what = "a namespace" if of_namespace else "a class" if at == ("name",) else "a service account"
            fix = "Use lowercase letters, digits and hyphens, with a letter or digit at both ends"
            yield finding(part, f"`{name}` cannot be the name of {what}: the API server rejects it", path=at, value=name, fix=fix)


@error("EKS176", "EKS API reference, AssociateAccessPolicy: an access entry has each access policy once")
@limited(Limit(Where.UNREAD, "a program cannot register two associations of one name"))
@sample(
    "policies[1]",
    lambda: AccessEntry(principal=_ROLE, policies=[AccessPolicy("AmazonEKSViewPolicy"), AccessPolicy("AmazonEKSViewPolicy", namespaces=["a"])]),
)
def duplicate_access_policy(entry: AccessEntry) -> Iterator[PartFinding]:
    """An access entry is associated with each access policy once, with one list of namespaces."""
    first: dict[str, int] = {}
    for index, policy in enumerate(entry.policies):
        earlier = first.setdefault(policy.name, index)
        if earlier != index:
            merged = "Keep one of the two, with the `namespaces` of both (without `namespaces`: the whole cluster)"
            fix = remove(("policies", index)) if entry.policies[earlier] == policy else merged
            yield finding(entry, f"`{policy.name}` is listed twice: an access entry has each access policy once", path=("policies", index), fix=fix)


@warning("EKS090", f"{_ENTRY}: a principal without an access entry has no access; the creator has one only if it becomes an admin")
@limited(Limit(Where.UNREAD, "it is not known who applies the objects in the cluster"))
@sample("creator_is_admin", lambda: eks(creator_is_admin=False))
def no_cluster_admin(cluster: EksClusterArgs) -> Iterator[PartFinding]:
    """Only principals with an access entry have access to a cluster; its creator has one only with `creator_is_admin`."""
    entries = cluster.access_entries.values()
    admitted = cluster.admins or any(entry.type == "STANDARD" and (entry.policies or entry.groups) for entry in entries)
    if not (cluster.creator_is_admin or admitted) and cluster.apply == "direct" and cluster.has_objects:
        message = "Pulumi cannot create objects in the cluster: no identity has access to it, not even the one that runs Pulumi"
        fix = f"Add that identity to {ref('admins')}, or set {ref('apply')} to {literal('render')}"
        yield finding(cluster, message, path="creator_is_admin", fix=fix)


@note(
    "EKS094",
    "https://docs.aws.amazon.com/eks/latest/userguide/set-builtin-node-pools.html: what "
    "EKS does with the access entry of that role when the pools go off is not documented",
)
@limited(Limit(Where.UNREAD, "it is not known whose role a class has"))
@sample("node_role", lambda: derive(auto_mode({"web": eks_pool(node_class="own")}, {"own": EksNodeClass()}), node_role=_ROLE))
def same_role_for_built_in_pools_and_classes(cluster: EksClusterArgs) -> Iterator[PartFinding]:
    """NodeClasses with the node role of the built-in NodePools use the access entry that EKS manages while a built-in NodePool is enabled."""
    if cluster.node_role is not None and cluster.auto_mode.built_in_node_pools and cluster.auto_mode.shares_a_role:
        message = (
            f"Turning the built-in NodePools off can remove the access of all nodes: NodeClasses share {ref('node_role')}, "
            "whose access entry EKS manages"
        )
        yield finding(cluster, message, path="node_role")
