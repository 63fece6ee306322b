"""Timeouts of Pulumi operations on a resource."""

from nodepools.model.base import Model
from nodepools.model.kubernetes.duration import Duration


class Timeouts(Model):
    """How long Pulumi waits for a resource before it reports an error. The operation in the cloud continues."""

    create: Duration = "60m"
    """Timeout for creation."""
    update: Duration = "60m"
    """Timeout for updates."""
    delete: Duration = "60m"
    """Timeout for deletion."""
