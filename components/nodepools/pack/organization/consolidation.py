"""How soon Karpenter consolidates nodes."""

from collections.abc import Iterator

from google.protobuf.struct_pb2 import Struct

from nodepools.model.kubernetes.duration import NEVER, Duration, seconds
from nodepools.pack.input_values import InputValue, inputs, mapping_at, node_pools
from nodepools.pack.policy import PolicyFunction, ResourceUnderCheck
from nodepools.resources.resource import Resource
from nodepools.resources.violation_text import ViolationText


class ConsolidateAfter(PolicyFunction):
    """Karpenter waits before it consolidates nodes, so that a rollout does not move its pods twice."""

    after: Duration | None = None
    """The shortest time, such as `30s` or `5m`; not set: any time is valid."""

    def of_resource(self, requested: ResourceUnderCheck) -> Iterator[ViolationText]:
        """A NodePool that waits for a shorter time."""
        for pool in node_pools(requested.resource):
            after = pool.at("spec", "disruption", "consolidateAfter")
            if self.after is not None and _is_shorter(after, self.after):
                given = "is not set (default: `0s`)" if after.missing else "is too short"
                message = f"`consolidateAfter` {given}: the organization requires at least `{self.after}`"
                yield ViolationText(after.path, after.value, message, f"Set `consolidateAfter` to `{self.after}` or more")

    def remedy(self, resource: Resource, properties: Struct) -> bool:
        """Sets the shortest time that is valid."""
        after = inputs(resource).at("spec", "disruption", "consolidateAfter")
        if self.after is None or not any(node_pools(resource)) or not _is_shorter(after, self.after):
            return False
        disruption = mapping_at(properties, "spec", "disruption")
        if disruption is None:
            return False
        disruption.fields["consolidateAfter"].string_value = self.after
        return True


def _is_shorter(after: InputValue, requested: str) -> bool:
    if not after.known or after.text == NEVER:
        return False
    try:
        return seconds(after.text if after.text is not None else "0s") < seconds(requested)
    except ValueError:
        return False
