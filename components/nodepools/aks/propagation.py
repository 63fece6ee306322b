"""Waits for new Azure role assignments, which take some minutes to reach the API server of a cluster."""

import asyncio

import pulumi

SECONDS = 300
"""Time that a new assignment can take: learn.microsoft.com/azure/aks/manage-azure-rbac."""


class Propagation:
    """Makes the dependents of a new assignment wait for it, and no other resource.

    A hook that waits would stop the whole update: Pulumi starts no other resource until it returns. So the hook only records that the
    assignment is new, and its dependents depend on an output that waits. If nothing is created (a preview, a test with mocks, an update
    with an existing assignment), no hook runs and nothing waits.
    """

    def __init__(self) -> None:
        """Starts without new assignments."""
        self._new: set[str] = set()
        self.hooks = pulumi.ResourceHookBinding(after_create=[self._note])
        """Hooks of the assignments to wait for."""

    def awaited(self, assignment: pulumi.CustomResource) -> pulumi.Output[pulumi.Resource]:
        """`assignment`, once it has reached the API server: for `depends_on`."""

        async def effective(known: list[str]) -> pulumi.Resource:
            if known[0] in self._new:
                await asyncio.sleep(SECONDS)
            return assignment

        return pulumi.Output.all(assignment.urn, assignment.id).apply(effective)

    def _note(self, created: pulumi.ResourceHookArgs) -> None:
        self._new.add(created.urn)
