"""The effects of changes that depend on their direction, such as a greater or a smaller count. Sources are those of the rows."""

from collections.abc import Callable, Mapping
from ipaddress import ip_network
from typing import Final

from nodepools.changes.nodes import fewer_machines
from nodepools.clouds.amounts import NOTHING
from nodepools.clouds.change import AGENT_POOL, AKS_CLUSTER, AZURE_NETWORK, EKS_CLUSTER, NODE_GROUP, NODE_POOL, OWN_IDENTITY
from nodepools.clouds.reasons import HURTS_PODS, of_pool
from nodepools.data.version_support import minor
from nodepools.model.cidr import inside
from nodepools.model.steps import mapping, sequence
from nodepools.wire.table import Effect, Pattern

Direction = Callable[[object, object], Effect]
"""The effect of a change from one value to another."""
_MODES: Final = ("CONFIG_MAP", "API_AND_CONFIG_MAP", "API")


def direction(resource_type: str, wire: Pattern) -> Direction | None:
    """The function for an argument; `None` if its row has the effect of every change."""
    resource_type, wire = of_pool(resource_type, wire)
    return _DIRECTIONS.get(resource_type, {}).get(".".join(map(str, wire)))


def _upgraded(effect: Effect, between: Callable[[str, str], Effect | None]) -> Direction:
    """The effect of an upgrade, if `between` has no other one for two minor versions.

    A version without a patch version stands for any of its patch versions.
    """

    def upgrade(old: object, new: object) -> Effect:
        before, after = _version_numbers(old), _version_numbers(new)
        if before is None or after is None:
            return effect
        shared = min(len(before), len(after))
        if before[0] == after[0] and before[1] != after[1]:
            other = between(str(old), str(new))
            return effect if other is None else other
        if after[:shared] < before[:shared] or after[0] != before[0]:
            return Effect.REFUSED
        if before[:2] == after[:2] and len(before) != len(after):
            return Effect.UNKNOWN if len(after) > len(before) else Effect.NONE
        return effect

    return upgrade


def _of_aks(old: str, new: str) -> Effect | None:
    """AKS skips no supported minor version, and goes back to none."""
    return None if minor(new) == minor(old) + 1 else Effect.REFUSED


def _of_eks(old: str, new: str) -> Effect | None:
    """EKS upgrades to the next minor version, and takes the previous one for 7 days."""
    if minor(new) == minor(old) - 1:
        return Effect.UNKNOWN
    return None if minor(new) == minor(old) + 1 else Effect.REFUSED


def _version_numbers(version: object) -> list[int] | None:
    parts = str(version).split(".")
    return [int(part) for part in parts] if len(parts) > 1 and all(part.isascii() and part.isdigit() for part in parts) else None


def _only_on(on: Effect, off: Effect, *, value: object = True) -> Direction:
    """One effect of turning it on, that is setting it to `value`, another of any other change."""
    return lambda _, new: on if new == value else off


def _identity_direction(_: object, new: object) -> Effect:
    """A new identity gets its roles before the cluster has it. Whether another one has them is not known."""
    return Effect.IN_PLACE if new == [OWN_IDENTITY] else Effect.UNKNOWN


def _count_direction(old: object, new: object) -> Effect:
    fewer = isinstance(old, int) and isinstance(new, int) and new < old
    return Effect.REMOVES_NODES if fewer else Effect.IN_PLACE


def _taints(old: object, new: object) -> Effect:
    before, after = ({str(taint) for taint in sequence(held)} for held in (old, new))
    return Effect.IN_PLACE_PODS if any(taint.endswith(":NoExecute") for taint in after - before) else Effect.IN_PLACE


def _group_taints(old: object, new: object) -> Effect:
    before, after = ([mapping(taint) for taint in sequence(held)] for held in (old, new))
    return Effect.IN_PLACE_PODS if any(taint.get("effect") == "NO_EXECUTE" for taint in after if taint not in before) else Effect.IN_PLACE


def _built_in(old: object, new: object) -> Effect:
    before, after = ({str(name) for name in sequence(held)} for held in (old, new))
    return Effect.REMOVES_NODES if before - after else Effect.IN_PLACE


def _access_mode(old: object, new: object) -> Effect:
    known = old in _MODES and new in _MODES
    return Effect.IN_PLACE if known and _MODES.index(str(new)) > _MODES.index(str(old)) else Effect.REFUSED


def _key_direction(old: object, new: object) -> Effect:
    """The provider does not send another key."""
    return Effect.IN_PLACE if old is None else Effect.REPLACES if new is None else Effect.IGNORED


def _address_space(old: object, new: object) -> Effect:
    """Azure keeps ranges that subnets use. Whether those of the old range are in a smaller one, their own ranges say."""
    before, after = ([str(ip_network(str(prefix), strict=False)) for prefix in sequence(held)] for held in (old, new))
    if all(any(inside(one, wide) for wide in after) for one in before):
        return Effect.IN_PLACE
    kept = all(any(inside(part, one) or inside(one, part) for part in after) for one in before)
    return Effect.UNKNOWN if kept else Effect.REFUSED


_DIRECTIONS: Final[Mapping[str, Mapping[str, Direction]]] = {
    AZURE_NETWORK: {"addressSpace.addressPrefixes": _address_space},
    AKS_CLUSTER: {
        "kubernetesVersion": _upgraded(Effect.IN_PLACE, _of_aks),
        **dict.fromkeys(HURTS_PODS, lambda _, new: Effect.IN_PLACE_PODS if new in (False, "Disabled") else Effect.IN_PLACE),
        "identity.userAssignedIdentities": _identity_direction,
        "sku.name": _only_on(Effect.UNKNOWN, Effect.REFUSED, value="Base"),
        "hostedSystemProfile.enabled": _only_on(Effect.UNKNOWN, Effect.REFUSED),
        "oidcIssuerProfile.enabled": _only_on(Effect.IN_PLACE, Effect.REFUSED),
        "aadProfile.managed": _only_on(Effect.IN_PLACE, Effect.REFUSED),
        "aadProfile.enableAzureRBAC": _only_on(Effect.IN_PLACE, Effect.IN_PLACE),
        "nodeProvisioningProfile.mode": _only_on(Effect.IN_PLACE, Effect.REFUSED, value="Auto"),
        "nodeProvisioningProfile.defaultNodePools": _only_on(Effect.UNKNOWN, Effect.IN_PLACE, value="None"),
        "apiServerAccessProfile.subnetId": lambda old, _: Effect.REIMAGES if old is None else Effect.REFUSED,
        "apiServerAccessProfile.enableVnetIntegration": _only_on(Effect.REIMAGES, Effect.REFUSED),
        "autoUpgradeProfile.nodeOSUpgradeChannel": lambda old, new: Effect.REIMAGES if "Unmanaged" in (old, new) else Effect.IN_PLACE,
    },
    AGENT_POOL: {
        "count": _count_direction,
        "nodeTaints": _taints,
        "orchestratorVersion": _upgraded(Effect.REIMAGES, _of_aks),
        "powerState.code": _only_on(Effect.REMOVES_NODES, Effect.IN_PLACE, value="Stopped"),
        "virtualMachinesProfile": lambda old, new: Effect.IN_PLACE if fewer_machines(old, new) == NOTHING else Effect.REMOVES_NODES,
    },
    NODE_GROUP: {"scalingConfig.desiredSize": _count_direction, "taints": _group_taints},
    NODE_POOL: {"replicas": lambda old, new: Effect.REFUSED if old is None or new is None else _count_direction(old, new)},
    EKS_CLUSTER: {
        "version": _upgraded(Effect.ROLLS, _of_eks),
        "computeConfig.enabled": _only_on(Effect.IN_PLACE, Effect.REMOVES_NODES),
        "kubernetesNetworkConfig.elasticLoadBalancing.enabled": _only_on(Effect.IN_PLACE, Effect.REMOVES_NODES),
        "storageConfig.blockStorage.enabled": _only_on(Effect.IN_PLACE, Effect.REMOVES_NODES),
        "computeConfig.nodePools": _built_in,
        "computeConfig.nodeRoleArn": lambda old, new: Effect.IN_PLACE if old is None or new is None else Effect.REPLACES,
        "vpcConfig.controlPlaneEgressMode": _only_on(Effect.IN_PLACE, Effect.REPLACES, value="CUSTOMER_ROUTED"),
        "encryptionConfig.provider.keyArn": _key_direction,
        "encryptionConfig.resources": _key_direction,
        "accessConfig.authenticationMode": _access_mode,
    },
}
