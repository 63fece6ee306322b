"""The `count` that an update of a cluster sends for its first pool, while the cluster autoscaler changes it.

AKS requires `count` in each request of a cluster, so the request must have the number of nodes at that time, and no other request may have it:
it would be an update of its own. The component therefore records what the last request was made of, in its outputs. As long as the request is the
same, the count is the recorded one, and nothing is updated. Otherwise it is the count that Azure returns now.
docs/decisions/0025-the-count-of-an-autoscaled-first-pool.md
"""

import hashlib
import re
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from typing import Final, cast

import pulumi
from pulumi.runtime.mocks import MockMonitor
from pulumi.runtime.settings import get_monitor
from pulumi_azure_native import containerservice

from nodepools.component.scope import ChildScope
from nodepools.model.steps import mapping, sequence
from nodepools.model.values import dataclass

STATE: Final = "pulumi:pulumi:readStackResourceOutputs"
"""The engine's function that returns the outputs of all resources in the state of a stack, by URN."""
RECORD: Final = "firstPoolRequest"
"""The output of the component with the record."""
_PROFILES: Final = "agent_pool_profiles"
_INSIDE: Final = r"\$azure-native(?:_containerservice_v\d+)?:containerservice:ManagedCluster::"
"""The cluster in the component, with any version of the API."""


@dataclass(frozen=True, slots=True)
class LastUp:
    """What the state has of a cluster before this run."""

    exists: bool
    record: Mapping[str, object]
    """Empty if the last `pulumi up` of the cluster failed, or did not record anything yet."""
    pools: str
    """The pools that the cluster had when it was last updated or refreshed."""


def last_up(component: str, name: str) -> LastUp:
    """Reads the state. It must be read before the component is registered: the engine then forgets its outputs.

    Args:
        component: the type of the component.
        name: its name.
    """
    resources = read_state()
    inside = re.compile(rf"(.*(?:::|\$){re.escape(component)}){_INSIDE}{re.escape(name)}")
    found = [one for urn in resources if (one := inside.fullmatch(urn)) is not None]
    if len(found) != 1:
        return LastUp(exists=bool(found), record={}, pools="")
    of_component = f"{found[0][1]}::{name}"
    pools = _pools([mapping(one) for one in sequence(_outputs(resources, found[0][0]).get("agentPoolProfiles"))])
    return LastUp(exists=True, record=mapping(_outputs(resources, of_component).get(RECORD)), pools=pools)


def read_state() -> Mapping[str, object]:
    """The outputs in the state of this stack; empty with mocks, which have none and can reject functions that they do not know."""
    if isinstance(get_monitor(), MockMonitor):
        return {}
    stack = f"{pulumi.get_organization()}/{pulumi.get_project()}/{pulumi.get_stack()}"
    return mapping(mapping(pulumi.runtime.invoke(STATE, {"stackName": stack}).value).get("outputs"))


def _outputs(resources: Mapping[str, object], urn: str) -> Mapping[str, object]:
    return mapping(mapping(resources.get(urn)).get("outputs"))


def _pools(profiles: Sequence[Mapping[str, object]]) -> str:
    return ",".join(f"{one.get('name')}={int(cast('float', one.get('count') or 0))}" for one in profiles)


@dataclass(frozen=True, slots=True)
class SentCount:
    """The count of the first pool in the request of a cluster, and why."""

    count: pulumi.Output[int]
    request: pulumi.Output[str]

    def arguments(self, declared: Mapping[str, object]) -> Mapping[str, object]:
        """The arguments of the cluster with this count."""
        [pool] = cast("Sequence[Mapping[str, object]]", declared[_PROFILES])
        return {**declared, _PROFILES: [{**pool, "count": self.count}]}

    def record(self, cluster: containerservice.ManagedCluster) -> pulumi.Output[Mapping[str, object]]:
        """What the component records once the cluster has the request."""
        told = cluster.agent_pool_profiles.apply(lambda profiles: _pools([_plain(one) for one in profiles or ()]))
        return pulumi.Output.all(request=self.request, count=self.count, pools=told)


def _plain(profile: object) -> Mapping[str, object]:
    return mapping(profile) or {name: getattr(profile, name, None) for name in ("name", "count")}


def sent_count(scope: ChildScope, arguments: Mapping[str, object], last: LastUp, resource_group: pulumi.Input[str]) -> SentCount:
    """The count for the first pool. `arguments` are all arguments of the cluster, with the declared count."""
    [pool] = cast("Sequence[Mapping[str, object]]", arguments[_PROFILES])
    rest = {**arguments, _PROFILES: [{name: value for name, value in pool.items() if name != "count"}]}
    request = pulumi.Output.json_dumps(rest, sort_keys=True).apply(_fingerprint)
    if not last.exists:
        return SentCount(pulumi.Output.from_input(cast("int", pool["count"])), request)

    def count(now: str) -> pulumi.Input[int]:
        recorded = last.record
        if recorded.get("request") == now and recorded.get("pools") == last.pools:
            return int(cast("float", recorded["count"]))
        return _present_count(scope, arguments, str(pool["name"]), resource_group)

    return SentCount(request.apply(count), request)


def _fingerprint(request: str) -> str:
    """Marks a request of these versions: another one of the provider can send more for the same arguments."""
    made = "\n".join((request, version("pulumi-azure-native"), version("nodepools")))
    return hashlib.sha256(made.encode()).hexdigest()[:16]


def _present_count(scope: ChildScope, arguments: Mapping[str, object], pool: str, resource_group: pulumi.Input[str]) -> pulumi.Output[int]:
    found = containerservice.get_agent_pool_output(
        agent_pool_name=pool,
        resource_group_name=resource_group,
        resource_name=cast("str", arguments["resource_name_"]),
        opts=pulumi.InvokeOutputOptions(parent=scope.parent, provider=scope.provider),
    )
    return found.apply(lambda pool: int(pool.count or 0))
