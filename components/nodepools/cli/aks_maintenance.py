"""When AKS upgrades a cluster and its node images, by its maintenance configurations."""

from collections.abc import Iterator
from datetime import datetime

from nodepools.cli.maintenance import AksMaintenance
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.maintenance import Configuration
from nodepools.model.aks.maintenance_calendar import open_windows
from nodepools.model.disruption_calendar import State, Window

_WORDS: dict[Configuration, str] = {
    "releases": "AKS releases (control plane and add-ons)",
    "upgrades": "Kubernetes upgrades",
    "node_images": "node image upgrades (agent pools and node auto provisioning)",
}


def aks_upkeep(cluster: AksClusterArgs, address: str, start: datetime, end: datetime) -> Iterator[AksMaintenance]:
    """What AKS does to the cluster by itself, each kind with its window."""
    for configuration in cluster.effective_configurations:
        window = getattr(cluster.applied_maintenance, configuration)
        open_at = open_windows(window, start, end) if window is not None else [Window(start, end, State.FREE, "100%")]
        remark = ": at any time" if window is None else "" if open_at is not None else ": on dates that only AKS knows"
        yield AksMaintenance(address, configuration, f"{_WORDS[configuration]}{remark}", open_at)
