"""What differs between the clouds: how a cluster is drafted, and how its declaration is proved."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from nodepools.adoption.aks.draft import aks_draft
from nodepools.adoption.draft import Draft
from nodepools.adoption.eks.draft import eks_draft
from nodepools.adoption.eks.observed import ObservedEksCluster
from nodepools.adoption.eks.proof import eks_proof
from nodepools.adoption.proof import proof
from nodepools.adoption.read_exports import Observed
from nodepools.adoption.request_pair import Compared
from nodepools.model.platform import Platform


@dataclass(frozen=True, slots=True)
class Adoption:
    """How one cluster is adopted."""

    component: str
    """Type of its component."""
    draft: Callable[[], Draft]
    proof: Callable[[Platform, str], list[Compared]]
    """Compares what the declaration of the cluster under a key registers with what was exported."""


def adoption_of(observed: Observed) -> Adoption:
    """How the cluster is adopted."""
    if isinstance(observed, ObservedEksCluster):
        return Adoption("nodepools:index:EksCluster", partial(eks_draft, observed), partial(eks_proof, observed=observed))
    return Adoption("nodepools:index:AksCluster", partial(aks_draft, observed), partial(proof, observed=observed))
