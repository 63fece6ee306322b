"""The network of an EKS cluster. Facts: docs/facts/eks.md C27, C37, § 1.4, § 12."""

from collections.abc import Mapping, Sequence

import pulumi
from pulumi_aws import ec2

from nodepools.component.errors import reject_invalid
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

    Its subnets have the tag `nodepools/network` with the name of the component.
    """

    vpc_id: pulumi.Output[str]
    private_subnet_ids: pulumi.Output[Sequence[str]]
    public_subnet_ids: pulumi.Output[Sequence[str]]

    def __init__(
        self,
        name: str,
        args: EksNetworkArgs,
        region: str,
        tags: Mapping[str, pulumi.Input[str]] | None = None,
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        """Registers the network.

        Args:
            name: prefix of all names.
            args: its addresses, zones and NAT gateways.
            region: AWS region, `us-east-1`.
            tags: AWS tags of all resources.
            opts: options of the component; all resources use a provider in them.

        Raises:
            InvalidDeclarationError: `args` have errors. Nothing is registered.
            WrongArgumentError: `args` are not a declaration.
        """
        reject_invalid(args, EksNetworkArgs, "EksNetwork")
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
        """Outbound routes of the nodes. NodeClasses depend on all of them directly: without them nodes never finish draining."""
        self.private_subnets: Sequence[ec2.Subnet] = [of.private for of in subnets]
        """Subnets of the nodes and of the control plane."""
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
    """A zone that was selected automatically is kept: the list of zones can change, and another zone would replace the subnet."""
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
