"""NodePools of self-managed Karpenter on AWS. Source: karpenter-provider-aws 1.15, well-known labels."""

from collections.abc import Iterator
from typing import Final

from nodepools.model.eks.self_managed import SelfManagedKarpenter
from nodepools.model.karpenter import NodePool, Requirement
from nodepools.rules.finding import PartFinding, Severity
from nodepools.rules.fix import set_to
from nodepools.rules.registry import finding, rule
from nodepools.rules.samples import AMD64_ON_DEMAND

_AUTO_MODE: Final = "eks.amazonaws.com/instance-"
_OWN: Final = "karpenter.k8s.aws/instance-"


@rule(
    "SMK040",
    Severity.WARNING,
    source="https://karpenter.sh/docs/concepts/scheduling/#well-known-labels: karpenter.k8s.aws/instance-*",
    sample=lambda: SelfManagedKarpenter(
        node_pools={"web": NodePool(requirements=[*AMD64_ON_DEMAND, Requirement(f"{_AUTO_MODE}cpu", "In", ["4"])], expire_after="720h")}
    ),
)
def auto_mode_label_in_self_managed_pool(pool: NodePool, _: SelfManagedKarpenter) -> Iterator[PartFinding]:
    """Self-managed Karpenter knows properties of instance types under `karpenter.k8s.aws/`; other keys are labels without a meaning."""
    for index, requirement in enumerate(pool.requirements):
        if requirement.key.startswith(_AUTO_MODE):
            own = requirement.key.replace(_AUTO_MODE, _OWN)
            message = f"`{requirement.key}` is a label of EKS Auto Mode: for self-managed Karpenter it selects no instance types"
            yield finding(pool, message, path=("requirements", index), fix=set_to(("requirements", index, "key"), own))
