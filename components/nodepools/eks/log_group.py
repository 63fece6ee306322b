"""The log group of the control plane. Facts: docs/facts/eks.md § 16."""

from collections.abc import Sequence

import pulumi
from pulumi_aws import cloudwatch

from nodepools.eks.cluster_context import ClusterContext
from nodepools.wire.eks.log_group import LOG_GROUP
from nodepools.wire.names import python_name
from nodepools.wire.writing import write


def log_group(site: ClusterContext) -> Sequence[pulumi.Resource]:
    """Creates the log group, on which the cluster depends: EKS creates a missing one without retention and without a key."""
    declared = site.args.logs
    if declared.existing:
        return ()
    sent = write(LOG_GROUP, declared, site.args.cluster_name(site.scope.stem), spell=python_name, resolve=site.scope.value)
    return [
        cloudwatch.LogGroup(
            site.scope.name("logs"),
            **sent,  # type: ignore[arg-type]  # its arguments
            region=site.args.region,
            tags=dict(site.scope.tags),
            opts=site.scope.options(),
        )
    ]
