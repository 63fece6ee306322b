"""Waits for new Azure role assignments, which take some minutes to reach the API server of a cluster."""

import asyncio
from datetime import UTC, datetime

import pulumi
from pulumi_azure_native import authorization

SECONDS = 300
"""Time that a new assignment can take: learn.microsoft.com/azure/aks/manage-azure-rbac."""


class Propagation:
    """Makes the dependents of a new assignment wait for it, and no other resource.

    A hook that waits would stop the whole update: Pulumi starts no other resource until it returns. So the hook only records that the
    assignment is new, and its dependents depend on an output that waits. If nothing is created (a preview, a test with mocks, an update
    with an existing assignment), no hook runs and nothing waits.

    An `up` that fails does not wait. The next one waits for the rest of the time, from when Azure created the assignment: its state has that.
    """

    def __init__(self) -> None:
        """Starts without new assignments."""
        self._new: set[str] = set()
        self.hooks = pulumi.ResourceHookBinding(after_create=[self._note])
        """Hooks of the assignments to wait for."""

    def awaited(self, assignment: authorization.RoleAssignment) -> pulumi.Output[pulumi.Resource]:
        """`assignment`, once it has reached the API server: for `depends_on`."""

        async def effective(known: list[str]) -> pulumi.Resource:
            urn, _, created = known
            seconds = SECONDS if urn in self._new else seconds_left(created)
            if seconds > 0 and not pulumi.runtime.is_dry_run():
                pulumi.info(f"Waiting for {seconds} seconds: a new role assignment can take that long to reach the API server", assignment)
                await asyncio.sleep(seconds)
            return assignment

        return pulumi.Output.all(assignment.urn, assignment.id, assignment.created_on).apply(effective)

    def _note(self, created: pulumi.ResourceHookArgs) -> None:
        self._new.add(created.urn)


def seconds_left(created: object) -> int:
    """The rest of the time that an assignment can take; `created` is not text with mocks, which return what was sent."""
    if not isinstance(created, str):
        return 0
    moment = datetime.fromisoformat(created)
    age = (datetime.now(UTC) - (moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC))).total_seconds()
    return round(min(SECONDS - age, SECONDS))
