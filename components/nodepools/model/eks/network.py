"""Where an EKS cluster stands in the network. Facts: eks.md C27, C28, C37, § 12."""

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import Field

from nodepools.model.address import Cidr
from nodepools.model.base import Model
from nodepools.model.ref import Ref


class EksNetworkArgs(Model):
    """A VPC made for the cluster, with a public and a private subnet in each zone."""

    kind: Literal["EksNetwork"] = "EksNetwork"
    cidr: Cidr = "10.64.0.0/16"
    """Address range of the VPC, /16 to /24."""
    zones: Sequence[str] = ()
    """Zones by name (`us-east-1a`) or by id (`use1-az1`, the same place in every account); two at least.
    The first three of the region that can hold a control plane, when left out."""
    nat: Literal["per-zone", "single"] | None = "per-zone"
    """How private subnets reach the internet: a NAT gateway in each zone, one for all, or not at all."""


class ExistingEksNetwork(Model):
    """A VPC that exists, with its subnets tagged for load balancers by its owner."""

    kind: Literal["ExistingEksNetwork"] = "ExistingEksNetwork"
    vpc_id: Ref
    """Id of the VPC."""
    private_subnet_ids: Sequence[Ref] = Field(min_length=1)
    """Ids of the subnets of the nodes."""
    control_plane_subnet_ids: Sequence[Ref] = ()
    """Ids of the subnets of the control plane, in two zones at least; those of the nodes when left out."""
    cidr: Cidr | None = None
    """Range of the VPC, for the checks and for the default of the service range."""


EksNetwork = Annotated[EksNetworkArgs | ExistingEksNetwork, Field(discriminator="kind")]
