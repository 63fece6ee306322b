"""The maintenance configurations of an AKS cluster."""

from collections.abc import Sequence

import pulumi
from pulumi_azure_native import containerservice

from nodepools.component.scope import ChildScope
from nodepools.model.aks.maintenance import MaintenanceConfigurations
from nodepools.wire.aks.maintenance import CONFIGURATION
from nodepools.wire.names import python_name
from nodepools.wire.writing import write


def maintenance_configurations(
    scope: ChildScope, declared: MaintenanceConfigurations, cluster: containerservice.ManagedCluster, resource_group: pulumi.Input[str]
) -> Sequence[containerservice.MaintenanceConfiguration]:
    """Registers the maintenance configurations. They depend on the cluster, and nothing depends on them."""
    return [
        containerservice.MaintenanceConfiguration(
            scope.name(name),
            config_name=name,
            resource_group_name=resource_group,
            resource_name_=cluster.name,
            **arguments,  # type: ignore[arg-type]  # made for it
            opts=scope.options(depends_on=[cluster]),
        )
        for name, arguments in maintenance_arguments(declared).items()
    ]


def maintenance_arguments(declared: MaintenanceConfigurations) -> dict[str, dict[str, object]]:
    """Arguments by the name of the configuration."""
    return {name: write(CONFIGURATION, window, spell=python_name) for name, window in declared.by_name().items()}
