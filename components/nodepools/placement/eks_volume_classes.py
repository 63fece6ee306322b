"""The storage class that is declared with an EKS cluster."""

from collections.abc import Iterator
from typing import Final

from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.model.kubernetes.pod import Expression, Term
from nodepools.model.kubernetes.volumes import VolumeClass

_ON_AUTO_MODE: Final = (Term((Expression("eks.amazonaws.com/compute-type", "In", ("auto",)),)),)


def eks_classes(cluster: EksClusterArgs) -> Iterator[VolumeClass]:
    """It creates volumes in the zone of the pod, on nodes of Auto Mode."""
    declared = cluster.objects.storage_class
    if declared is not None:
        yield VolumeClass(declared.name, "ebs.csi.eks.amazonaws.com", topologies=_ON_AUTO_MODE, is_default=declared.default)
