"""EKS clusters of any program: from the inputs of `aws:eks:Cluster` to the model, the inverse of arguments.py. No SDK is needed.

The three switches of Auto Mode, and what it needs beside them, are read as overrides: ours are always on.
"""

from collections.abc import Mapping
from typing import Final, cast

from nodepools.manifests.inputs import Spelling, field, said
from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.model.partial import UNKNOWN, partial_below
from nodepools.rules.validated import validated
from nodepools.wire.codecs import INVERTED

_SWITCHES: Final = (
    ("computeConfig", "enabled"),
    ("kubernetesNetworkConfig", "elasticLoadBalancing", "enabled"),
    ("storageConfig", "blockStorage", "enabled"),
)
_COMPUTE: Final = ("overrides", "compute_config")


CLUSTER: Final[Spelling] = {
    "region": field("region"),
    "version": field("kubernetes_version"),
    "roleArn": field("cluster_role"),
    "accessConfig": {
        "authenticationMode": field("overrides", "access_config", "authentication_mode"),
        "bootstrapClusterCreatorAdminPermissions": field("creator_is_admin"),
    },
    "bootstrapSelfManagedAddons": field("overrides", "bootstrap_self_managed_addons"),
    "computeConfig": {
        "enabled": field(*_COMPUTE, "enabled"),
        "nodePools": field("auto_mode", "built_in_node_pools", also=((*_COMPUTE, "node_pools"),)),
        "nodeRoleArn": field("node_role", also=((*_COMPUTE, "node_role_arn"),)),
    },
    "storageConfig": {"blockStorage": {"enabled": field("overrides", "storage_config", "block_storage", "enabled")}},
    "kubernetesNetworkConfig": {
        "elasticLoadBalancing": {"enabled": field("overrides", "kubernetes_network_config", "elastic_load_balancing", "enabled")},
        "serviceIpv4Cidr": field("service_cidr"),
    },
    "zonalShiftConfig": {"enabled": field("overrides", "zonal_shift_config", "enabled")},
    "vpcConfig": {
        "subnetIds": field("network", "control_plane_subnet_ids"),
        "endpointPublicAccess": field("api_server", "private", read=INVERTED.read),
        "publicAccessCidrs": field("api_server", "authorized_ip_ranges"),
        "controlPlaneEgressMode": field("control_plane_egress"),
    },
    "enabledClusterLogTypes": field("log_types"),
    "upgradePolicy": {"supportType": field("upgrade_policy")},
    "controlPlaneScalingConfig": {"tier": field("control_plane_tier")},
    "encryptionConfig": {"provider": {"keyArn": field("secrets_key")}},
    "deletionProtection": field("deletion_protection"),
    "tags": field("tags"),
}
"""The inputs of a Cluster."""

_NOT_SAID: Final = ("oidc_provider", "apply", "account", "iam_path", "protect", "timeouts")
"""Fields that are ours alone."""


def is_auto_mode(written: Mapping[str, object]) -> bool:
    """Some switch of Auto Mode is certainly on."""
    return any(_at(written, switch) is True for switch in _SWITCHES)


def eks_cluster(written: Mapping[str, object], *, policies_off: bool = False) -> EksClusterArgs | None:
    """The cluster as far as it is known; of one without Auto Mode nothing is known that has to do with it.

    Args:
        written: the inputs.
        policies_off: nothing turns the controller of network policies on.
    """
    found = said(CLUSTER, written)
    if policies_off:
        found["objects"] = {"network_policies": False, "storage_class": UNKNOWN, "ingress_class": UNKNOWN}
    auto = is_auto_mode(written)
    found["overrides"] = _without_unknown(_overrides(found, written)) if auto and found.get("overrides") is not UNKNOWN else {}
    found.setdefault("log_types", [])
    network = {"kind": "ExistingEksNetwork", "vpc_id": UNKNOWN, "private_subnet_ids": UNKNOWN, "control_plane_subnet_ids": UNKNOWN}
    found["network"] = {**network, **_part(found, "network")}
    if found.get("auto_mode") is not UNKNOWN:
        found["auto_mode"] = {"built_in_node_pools": [], **_part(found, "auto_mode")}
    made, _ = validated(EksClusterArgs, found)
    unsaid = (*_NOT_SAID, *(() if policies_off else ("objects",)), *(() if auto else ("auto_mode", "overrides")))
    return partial_below(made, [(name,) for name in unsaid]) if made is not None else None


def _part(found: Mapping[str, object], name: str) -> dict[str, object]:
    part = found.get(name)
    return cast("dict[str, object]", part) if isinstance(part, dict) else {}


def _overrides(found: Mapping[str, object], written: Mapping[str, object]) -> dict[str, object]:
    """What is said of the switches, those that are left out among them: they are off."""
    told = cast("dict[str, dict[str, object]]", _part(found, "overrides"))
    network, storage = told.get("kubernetes_network_config", {}), told.get("storage_config", {})
    compute = {"enabled": False, **told.get("compute_config", {})}
    for name, place in (("node_pools", "nodePools"), ("node_role_arn", "nodeRoleArn")):
        compute[name] = _presence(_at(written, ("computeConfig", place)))
    return {
        "bootstrap_self_managed_addons": None,  # true, where nothing is said
        **told,
        "compute_config": compute,
        "kubernetes_network_config": {"elastic_load_balancing": {"enabled": False}, **network},
        "storage_config": {"block_storage": {"enabled": False}, **storage},
    }


def _presence(value: object) -> object:
    """Whether something is said, if not what: a role that is made with the cluster is no less there."""
    return "there" if value is UNKNOWN or value else None


def _without_unknown(told: Mapping[str, object]) -> dict[str, object]:
    """Of a switch that is not known nothing is said: it is taken for what it should be."""
    return {
        name: _without_unknown(cast("Mapping[str, object]", value)) if isinstance(value, Mapping) else value
        for name, value in told.items()
        if value is not UNKNOWN
    }


def _at(held: object, way: tuple[str, ...]) -> object:
    if not way or not isinstance(held, Mapping):
        return held
    return _at(cast("Mapping[str, object]", held).get(way[0]), way[1:])
