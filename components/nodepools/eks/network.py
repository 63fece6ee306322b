"""The network of an EKS cluster. Facts: docs/facts/eks.md C27, C37, § 1.4, § 12."""

from collections.abc import Mapping, Sequence

import pulumi
from pulumi_aws import ec2

from nodepools.component.errors import refuse_faulty
from nodepools.component.scope import ChildScope
from nodepools.eks.egress import ZoneSubnets, egress, named
from nodepools.eks.zones import Zone, network_zones
from nodepools.manifests.eks_selectors import INTERNAL_ELB, NETWORK_TAG
from nodepools.model.eks.network import EksNetworkArgs
from nodepools.wire.eks.network import VPC
from nodepools.wire.names import python_name
from nodepools.wire.writing import write

_ELB = {"kubernetes.io/role/elb": "1"}


class EksNetwork(pulumi.ComponentResource):
    """A VPC with a public and a private subnet in each zone, for one or several EKS clusters.

    Its subnets carry the tag `nodepools/network` with the component's name.
    """

    vpc_id: pulumi.Output[str]
    private_subnet_ids: pulumi.Output[Sequence[str]]
    public_subnet_ids: pulumi.Output[Sequence[str]]

    def __init__(
        self, name: str, args: EksNetworkArgs, region: str, tags: Mapping[str, str] | None = None, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        """Registers the network.

        Args:
            name: begins the name of all that is made.
            args: its addresses, zones and NAT gateways.
            region: AWS region, `us-east-1`.
            tags: AWS tags of all resources.
            opts: options of the component; a provider in them is that of all resources.

        Raises:
            InvalidDeclarationError: `args` have errors; nothing has been registered.
            WrongArgumentError: `args` are not a declaration.
        """
        refuse_faulty(args, EksNetworkArgs, "EksNetwork")
        super().__init__("nodepools:index:EksNetwork", name, {}, opts)
        scope = ChildScope(self, name, tags if tags is not None else {})
        vpc = ec2.Vpc(
            scope.name("vpc"),
            **write(VPC, args, spell=python_name),  # type: ignore[arg-type]  # its arguments
            region=region,
            tags=named(scope, "vpc"),
            opts=scope.options(),
        )
        subnets = [_subnets(scope, args, region, vpc, zone) for zone in network_zones(scope, args, region)]
        self.egress: Sequence[pulumi.Resource] = egress(scope, region, vpc, subnets, args.nat)
        """What nodes reach the internet by. NodeClasses depend on all of it directly: nodes that have lost their way out never finish draining."""
        self.private_subnets: Sequence[ec2.Subnet] = [of.private for of in subnets]
        """Where nodes and the control plane are."""
        self.vpc_id = vpc.id
        self.private_subnet_ids = _ids([of.private for of in subnets])
        self.public_subnet_ids = _ids([of.public for of in subnets])
        self.register_outputs({"vpc_id": self.vpc_id, "private_subnet_ids": self.private_subnet_ids, "public_subnet_ids": self.public_subnet_ids})


def _subnets(scope: ChildScope, args: EksNetworkArgs, region: str, vpc: ec2.Vpc, zone: Zone) -> ZoneSubnets:
    ranges = args.ranges(zone.place)
    return ZoneSubnets(
        zone,
        public=_subnet(scope, vpc, zone, f"public-{zone.word}", region=region, cidr=ranges.public, elb=_ELB),
        private=_subnet(scope, vpc, zone, f"private-{zone.word}", region=region, cidr=ranges.private, elb=INTERNAL_ELB),
    )


def _subnet(scope: ChildScope, vpc: ec2.Vpc, zone: Zone, word: str, *, region: str, cidr: str, elb: Mapping[str, str]) -> ec2.Subnet:
    """A zone that we chose is kept: the region's list may change, and another zone would be another subnet."""
    return ec2.Subnet(
        scope.name(word),
        vpc_id=vpc.id,
        cidr_block=cidr,
        availability_zone=zone.name,
        availability_zone_id=zone.id,
        region=region,
        tags=named(scope, word, **elb, **{NETWORK_TAG: scope.stem}),
        opts=scope.options(ignore_changes=() if zone.fixed else ["availabilityZone"]),
    )


def _ids(subnets: Sequence[ec2.Subnet]) -> pulumi.Output[Sequence[str]]:
    return pulumi.Output.all(*[subnet.id for subnet in subnets])
