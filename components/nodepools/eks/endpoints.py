"""VPC endpoints: AWS services that nodes reach without the internet. Facts: docs/facts/eks.md § 19."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import pulumi

from nodepools.component.scope import ChildScope
from nodepools.eks.aws_ec2 import ec2
from nodepools.eks.egress import named

_GATEWAYS: Final = ("s3", "dynamodb")
"""Services whose endpoints are routes, not interfaces."""
_FULL: Final = ("com.amazonaws.", "cn.com.amazonaws.", "aws.")
"""Beginnings of full service names."""
_HTTPS: Final = 443


@dataclass(frozen=True, slots=True)
class Reached:
    """Where endpoints are."""

    vpc: ec2.Vpc
    subnets: Sequence[ec2.Subnet]
    """The private subnets, in which interface endpoints have addresses."""
    tables: Sequence[ec2.RouteTable]
    """The route tables of private subnets, to which gateway endpoints add routes."""


def endpoints(scope: ChildScope, region: str, services: Sequence[str], reached: Reached) -> list[pulumi.Resource]:
    """Creates the endpoints, which must outlive the last node: without them nodes of a private network reach no AWS service."""
    has_interfaces = any(_short(service) not in _GATEWAYS for service in services)
    groups = [_security_group(scope, region, reached.vpc).id] if has_interfaces else []
    made: list[pulumi.Resource] = []
    for service in services:
        word = f"endpoint-{_short(service).replace('.', '-')}"
        is_gateway = _short(service) in _GATEWAYS
        made.append(
            ec2.VpcEndpoint(
                scope.name(word),
                vpc_id=reached.vpc.id,
                vpc_endpoint_type="Gateway" if is_gateway else "Interface",
                service_name=service if service.startswith(_FULL) else f"com.amazonaws.{region}.{service}",
                private_dns_enabled=None if is_gateway else True,
                subnet_ids=None if is_gateway else [subnet.id for subnet in reached.subnets],
                security_group_ids=None if is_gateway else groups,
                route_table_ids=[table.id for table in reached.tables] if is_gateway else None,
                region=region,
                tags=named(scope, word),
                opts=scope.options(),
            )
        )
    return made


def _security_group(scope: ChildScope, region: str, vpc: ec2.Vpc) -> ec2.SecurityGroup:
    return ec2.SecurityGroup(
        scope.name("endpoints"),
        vpc_id=vpc.id,
        description="HTTPS from the VPC to the VPC endpoints",
        ingress=[ec2.SecurityGroupIngressArgs(protocol="tcp", from_port=_HTTPS, to_port=_HTTPS, cidr_blocks=[vpc.cidr_block])],
        region=region,
        tags=named(scope, "endpoints"),
        opts=scope.options(),
    )


def _short(service: str) -> str:
    """`s3` for `com.amazonaws.eu-west-1.s3`."""
    return service.rpartition(".")[2] if service.startswith(_FULL) and service.rpartition(".")[2] in _GATEWAYS else service
