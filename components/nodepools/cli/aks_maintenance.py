"""When AKS upgrades a cluster and its node images, according to the maintenance configurations."""

from collections.abc import Iterator
from datetime import datetime

from nodepools.cli.maintenance import AksMaintenance
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.maintenance import Configuration
from nodepools.model.aks.maintenance_calendar import open_windows
from nodepools.model.disruption_calendar import State, Window

_KINDS: dict[Configuration, str] = {
    "releases": "AKS releases (control plane and add-ons)",
    "upgrades": "Kubernetes upgrades",
    "node_images": "node image upgrades (agent pools and node auto provisioning)",
}


def aks_maintenance(cluster: AksClusterArgs, address: str, start: datetime, end: datetime) -> Iterator[AksMaintenance]:
    """Yields each kind of automatic AKS maintenance of the cluster, with its windows."""
    for configuration in cluster.effective_configurations:
        window = getattr(cluster.applied_maintenance, configuration)
        open_at = open_windows(window, start, end) if window is not None else [Window(start, end, State.OPEN)]
        suffix = ": at any time" if window is None else "" if open_at is not None else ": on dates that only AKS knows"
        yield AksMaintenance(address, configuration, f"{_KINDS[configuration]}{suffix}", open_at)
