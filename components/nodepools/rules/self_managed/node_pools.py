"""NodePools of self-managed Karpenter on AWS. Source: karpenter-provider-aws 1.15, well-known labels."""

from collections.abc import Iterator

from nodepools.model.eks.ec2_node_class import AUTO_MODE_TYPES, OWN_DOMAIN, OWN_LABELS, OWN_TYPES, SelfManagedKarpenter
from nodepools.model.karpenter import NodePool, Requirement
from nodepools.model.nearest import nearest
from nodepools.rules.engine.finding import PartFinding, Severity
from nodepools.rules.engine.fix import correct_spelling, set_to
from nodepools.rules.engine.registry import Limit, Sample, Where, finding, rule
from nodepools.rules.engine.samples import AMD64_ON_DEMAND, ec2_class
from nodepools.rules.platform.labels import allowed_values, in_domain, misspelt_label, named_labels

_SHOWN = 5


@rule(
    "SMK040",
    Severity.WARNING,
    source="https://karpenter.sh/docs/concepts/scheduling/#well-known-labels: karpenter.k8s.aws/instance-*",
    sample=Sample(
        "node_pools.web.requirements[2]",
        lambda: SelfManagedKarpenter(
            node_pools={
                "web": NodePool(requirements=[*AMD64_ON_DEMAND, Requirement("eks.amazonaws.com/instance-cpu", "In", ["4"])], expire_after="720h")
            }
        ),
    ),
)
def auto_mode_label_in_self_managed_pool(pool: NodePool, _: SelfManagedKarpenter) -> Iterator[PartFinding]:
    """Self-managed Karpenter knows properties of instance types under `karpenter.k8s.aws/`; other keys are labels without a meaning."""
    for index, requirement in enumerate(pool.requirements):
        if requirement.key.startswith(AUTO_MODE_TYPES):
            own = requirement.key.replace(AUTO_MODE_TYPES, OWN_TYPES)
            message = f"`{requirement.key}` selects no instance types here: it is a label of EKS Auto Mode, not of self-managed Karpenter"
            yield finding(pool, message, path=("requirements", index), fix=set_to(("requirements", index, "key"), own))


@rule(
    "SMK041",
    Severity.ERROR,
    source="https://karpenter.sh/docs/concepts/nodepools/#spectemplatespecnodeclassref: a NodePool of a missing EC2NodeClass never becomes ready",
    sample=Sample(
        "node_pools.web.node_class",
        lambda: SelfManagedKarpenter(
            node_pools={
                "api": NodePool(requirements=AMD64_ON_DEMAND, node_class="own", expire_after="720h", weight=10),
                "web": NodePool(requirements=AMD64_ON_DEMAND, node_class="missing", expire_after="720h"),
            },
            node_classes={"own": ec2_class()},
        ),
    ),
    limits=(Limit(Where.MISSING_CLASS, "others can create node classes in the cluster too", "EC2NodeClass"),),
)
def missing_ec2_node_class(pool: NodePool, parent: SelfManagedKarpenter) -> Iterator[PartFinding]:
    """A NodePool whose EC2NodeClass does not exist never becomes ready. Without any EC2NodeClass, the objects are a part of a cluster."""
    name = pool.node_class
    if name is not None and parent.node_classes and name not in parent.node_classes:
        near = nearest(str(name), parent.node_classes)
        message = f"The EC2NodeClass `{name}` is not among these objects: without it the NodePool never becomes ready"
        fix = correct_spelling("node_class", str(name), near) if near is not None else f"Add the EC2NodeClass `{name}`, or use one that exists"
        yield finding(pool, message, path="node_class", fix=fix)


@rule(
    "SMK042",
    Severity.WARNING,
    source='karpenter-provider-aws 1.15, CRD of NodePools: label domain "karpenter.k8s.aws" is restricted',
    sample=Sample(
        "node_pools.web.requirements[2].key",
        lambda: SelfManagedKarpenter(
            node_pools={"web": NodePool(requirements=[*AMD64_ON_DEMAND, Requirement("karpenter.k8s.aws/rack", "In", ["4"])], expire_after="720h")}
        ),
    ),
)
def label_unknown_to_self_managed_karpenter(pool: NodePool, _: SelfManagedKarpenter) -> Iterator[PartFinding]:
    """Under `karpenter.k8s.aws`, the CRD of self-managed Karpenter accepts only the labels that its version knows."""
    for key, at in named_labels(pool):
        if in_domain(key, OWN_DOMAIN) and key not in OWN_LABELS and misspelt_label(pool, key) is None:
            fix = "Use a label that Karpenter documents, or a prefix of your own, such as `example.com/`"
            message = f"`{key}` is not a label that Karpenter knows: the API server rejects others of the domain `{OWN_DOMAIN}`"
            yield finding(pool, message, path=at, value=key, fix=fix)


@rule(
    "SMK045",
    Severity.ERROR,
    source="https://docs.aws.amazon.com/ec2/latest/instancetypes/instance-type-names.html (2026-11): a family has one architecture",
    sample=Sample(
        "node_pools.web.requirements",
        lambda: SelfManagedKarpenter(
            node_pools={"web": NodePool(requirements=[*AMD64_ON_DEMAND, Requirement(f"{OWN_TYPES}family", "In", ["m7g"])], expire_after="720h")}
        ),
    ),
)
def families_of_other_architecture(pool: NodePool, _: SelfManagedKarpenter) -> Iterator[PartFinding]:
    """An instance family has one architecture: a NodePool that names only families of another one never launches a node."""
    arches = allowed_values(pool, "kubernetes.io/arch")
    for key in (f"{OWN_TYPES}family", "node.kubernetes.io/instance-type"):
        named = allowed_values(pool, key)
        if named.complement or not named.members or arches.complement:
            continue
        from nodepools.data.eks_instance_types import eks_instance_types  # read only for pools that name families

        known = {one.labels[f"{AUTO_MODE_TYPES}family"]: one.labels["kubernetes.io/arch"] for one in eks_instance_types().types.values()}
        found = [known.get(value.partition(".")[0]) for value in sorted(named.members)]
        if not any(arch is None or arch in arches for arch in found):
            listed = ", ".join(f"`{value}`" for value in sorted(named.members)[:_SHOWN])
            message = f"No node is ever launched: {listed} {'is' if len(found) == 1 else 'are'} `{found[0]}`, which `kubernetes.io/arch` excludes"
            yield finding(pool, message, path="requirements", value=None, fix="Change the architecture, or name families of it")
