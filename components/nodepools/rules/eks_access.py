"""Who enters an EKS cluster, twice or by a wrong name. Facts: docs/facts/eks.md C5, C21 to C23, C48."""

from collections.abc import Iterator

from nodepools.model.derive import derive
from nodepools.model.eks.access import AccessEntry, AccessPolicy, PodIdentity
from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.model.eks.node_class import EksNodeClass
from nodepools.rules.finding import PartFinding, Severity
from nodepools.rules.registry import finding, rule
from nodepools.rules.samples import auto_mode, eks, eks_pool

_ENTRY = "https://docs.aws.amazon.com/eks/latest/userguide/access-entries.html"
_ROLE = "arn:aws:iam::111122223333:role/team"
_NODES_POLICY = "AmazonEKSAutoNodePolicy"


@rule(
    "EKS080",
    Severity.ERROR,
    source=f"{_ENTRY}: a principal has one access entry in a cluster",
    sample=lambda: eks(admins=[_ROLE], access_entries={"team": AccessEntry(principal=_ROLE)}),
)
def duplicate_access_entry(cluster: EksClusterArgs) -> Iterator[PartFinding]:
    """EKS refuses a second entry for a principal; that of the built-in pools' node role it makes itself."""
    taken = {admin: "an admin too" for admin in cluster.admins if isinstance(admin, str)}
    if cluster.auto_mode.built_in_node_pools and isinstance(cluster.node_role, str):
        taken[cluster.node_role] = "the role of the built-in pools, whose entry EKS makes itself"
    for key, entry in cluster.access_entries.items():
        if isinstance(entry.principal, str):
            if entry.principal in taken:
                yield finding(cluster, f"is {taken[entry.principal]}", at=("access_entries", key, "principal"), fix="keep one of them")
            taken[entry.principal] = f"that of the entry {key} too"


@rule(
    "EKS081",
    Severity.ERROR,
    source="EKS API reference, CreateAccessEntry: principalArn; CreatePodIdentityAssociation: roleArn",
    sample=lambda: AccessEntry(principal="alice"),
)
def principal_is_not_an_arn(of: AccessEntry | PodIdentity) -> Iterator[PartFinding]:
    """Principals and roles of pods are given by ARN."""
    fields = ("principal",) if isinstance(of, AccessEntry) else ("role", "target_role")
    for field in fields:
        value = getattr(of, field)
        if isinstance(value, str) and not value.startswith("arn:"):
            yield finding(of, "is no ARN", at=field, fix=f"write it in full, such as {_ROLE}")


@rule(
    "EKS082",
    Severity.ERROR,
    source="https://docs.aws.amazon.com/eks/latest/userguide/access-policies.html",
    sample=lambda: AccessPolicy("arn:aws:eks::aws:cluster-access-policy/AmazonEKSViewPolicy"),
)
def access_policy_is_not_a_name(policy: AccessPolicy) -> Iterator[PartFinding]:
    """An access policy is given by its name: its ARN follows from the part of AWS that the cluster is in."""
    if policy.name.startswith("arn:"):
        yield finding(policy, "is an ARN", at="name", fix=f'write "{policy.name.rpartition("/")[2]}"')


@rule(
    "EKS083",
    Severity.WARNING,
    source=f"{_ENTRY}: user name and groups are those of standard entries",
    sample=lambda: AccessEntry(principal=_ROLE, type="FARGATE_LINUX", groups=["viewers"]),
)
def groups_on_non_standard_entry(entry: AccessEntry) -> Iterator[PartFinding]:
    """Only a standard entry has groups and a user name of your own."""
    for field in ("groups", "user_name"):
        if entry.type != "STANDARD" and getattr(entry, field):
            yield finding(entry, f"belongs to STANDARD entries, not to {entry.type}", at=field, fix="remove it")


@rule(
    "EKS084",
    Severity.WARNING,
    source="https://docs.aws.amazon.com/eks/latest/userguide/create-node-class.html: entries of nodes are of the type EC2",
    sample=lambda: AccessEntry(principal=_ROLE, policies=[AccessPolicy(_NODES_POLICY)]),
)
def node_access_entry_mismatch(entry: AccessEntry) -> Iterator[PartFinding]:
    """Nodes of Auto Mode enter with the type `EC2` and the access policy AmazonEKSAutoNodePolicy: one without the other admits none."""
    has = any(policy.name == _NODES_POLICY for policy in entry.policies)
    if has and entry.type != "EC2":
        yield finding(entry, f"is no type for nodes of Auto Mode, though {_NODES_POLICY} is theirs", at="type", fix='write "EC2"')
    elif entry.type == "EC2" and not has:
        yield finding(entry, "do not let nodes of Auto Mode in", at="policies", fix=f'add AccessPolicy("{_NODES_POLICY}")')


@rule(
    "EKS090",
    Severity.WARNING,
    source=f"{_ENTRY}: whoever has no access entry is not let in; the creator has one only if it becomes an admin",
    sample=lambda: eks(creator_is_admin=False),
)
def no_cluster_admin(cluster: EksClusterArgs) -> Iterator[PartFinding]:
    """Whoever runs Pulumi has to be let in, to apply the objects inside the cluster: as its creator, or by an entry with rights."""
    entries = cluster.access_entries.values()
    admitted = cluster.admins or any(entry.type == "STANDARD" and (entry.policies or entry.groups) for entry in entries)
    if not (cluster.creator_is_admin or admitted) and cluster.apply == "direct" and cluster.has_objects:
        fix = 'name admins, the one who runs Pulumi among them, or write apply="render"'
        yield finding(cluster, "leaves nobody who may enter: the objects in the cluster are refused", at="creator_is_admin", fix=fix)


@rule(
    "EKS094",
    Severity.NOTE,
    source="docs/guides/built-in-node-pools.md: what EKS does with the access entry of that role when the pools go off is not documented",
    sample=lambda: derive(auto_mode({"web": eks_pool(node_class="own")}, {"own": EksNodeClass()}), node_role=_ROLE),
)
def same_role_for_built_in_pools_and_classes(cluster: EksClusterArgs) -> Iterator[PartFinding]:
    """Classes that have the brought role of the built-in pools enter by the access entry that EKS keeps for those, and only while one is on."""
    if cluster.node_role is not None and cluster.auto_mode.built_in_node_pools and cluster.auto_mode.shares_a_role:
        fix = "before the built-in pools are turned on or off, give the classes another role: role, or own_role"
        yield finding(cluster, "lets nodes of classes in by the access entry of the built-in pools, which EKS keeps", at="node_role", fix=fix)
