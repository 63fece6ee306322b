"""Azure role assignments reach the API server of a cluster some minutes after they are made."""

import asyncio

import pulumi

SECONDS = 300
"""That a new assignment may take: learn.microsoft.com/azure/aks/manage-azure-rbac."""


class Propagation:
    """What depends on a new assignment waits for it, and nothing else does.

    A hook that waits would stop the whole update: Pulumi starts no other resource until it returns. So the hook only notes that the
    assignment is new, and its dependents depend on an output that waits. Where nothing is made (a preview, a test with mocks, an update
    that finds the assignment there) no hook runs, and nobody waits.
    """

    def __init__(self) -> None:
        """Nothing is new yet."""
        self._new: set[str] = set()
        self.hooks = pulumi.ResourceHookBinding(after_create=[self._note])
        """Of the assignments that are awaited."""

    def awaited(self, assignment: pulumi.CustomResource) -> pulumi.Output[pulumi.Resource]:
        """`assignment`, once it has reached the API server: for `depends_on`."""

        async def effective(known: list[str]) -> pulumi.Resource:
            if known[0] in self._new:
                await asyncio.sleep(SECONDS)
            return assignment

        return pulumi.Output.all(assignment.urn, assignment.id).apply(effective)

    def _note(self, made: pulumi.ResourceHookArgs) -> None:
        self._new.add(made.urn)
