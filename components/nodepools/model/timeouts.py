"""How long Pulumi waits for a resource."""

from nodepools.model.base import Model
from nodepools.model.kubernetes.duration import Duration


class Timeouts(Model):
    """How long Pulumi waits for a resource before it gives up; what runs in the cloud goes on."""

    create: Duration = "60m"
    """For its making."""
    update: Duration = "60m"
    """For a change."""
    delete: Duration = "60m"
    """For its end."""
