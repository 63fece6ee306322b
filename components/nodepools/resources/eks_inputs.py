"""Reads the inputs of EKS resources of any program into the model, by the tables that also write requests. No SDK is needed."""

from collections.abc import Mapping
from typing import Final, TypeVar, cast

from nodepools.model.base import Model
from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.model.unknowns import UNKNOWN, partial_below
from nodepools.rules.partial_validation import validate_partial
from nodepools.wire.eks.cluster import CLUSTER
from nodepools.wire.overrides import without_unknown
from nodepools.wire.reading import Reading, read
from nodepools.wire.table import Table

M = TypeVar("M", bound=Model)

_SWITCHES: Final = ("computeConfig.enabled", "kubernetesNetworkConfig.elasticLoadBalancing.enabled", "storageConfig.blockStorage.enabled")
_UNKNOWN: Final = ("oidc_provider", "logs", "apply", "account", "iam_path", "role_names", "protect", "timeouts")
"""Fields that only declarations have."""
_NETWORK: Final = {"kind": "ExistingEksNetwork", "vpc_id": UNKNOWN, "private_subnet_ids": UNKNOWN, "control_plane_subnet_ids": UNKNOWN}
"""The network of a cluster: the inputs of the cluster have only a part of it."""


def known_part(kind: type[M], table: Table, written: Mapping[str, object]) -> M | None:
    """Returns a part that is a separate resource, as far as it is known."""
    return validate_partial(kind, read(table, written, Reading()))[0]


def is_auto_mode(written: Mapping[str, object]) -> bool:
    """Tells whether at least one switch of Auto Mode is known to be on."""
    return any(Reading().at(written, switch) is True for switch in _SWITCHES)


def eks_cluster(written: Mapping[str, object], *, policies_off: bool = False) -> EksClusterArgs | None:
    """Returns the cluster as far as it is known. Without Auto Mode, the fields of Auto Mode are unknown.

    The three switches, and the inputs that Auto Mode requires with them, are overrides if they differ from those of declarations.

    Args:
        written: the inputs.
        policies_off: nothing turns on the network policy controller.
    """
    found = read(CLUSTER, written, Reading())
    auto = is_auto_mode(written)
    found["overrides"] = _overrides(found, written) if auto else {}
    found.setdefault("authentication_mode", UNKNOWN)  # the default depends on how the cluster is created
    found["network"] = {**_NETWORK, **cast("Mapping[str, object]", found["network"])}
    if policies_off:
        found["objects"] = {"network_policies": False, "storage_class": UNKNOWN, "ingress_class": UNKNOWN}
    made, _ = validate_partial(EksClusterArgs, found)
    unknown = (*_UNKNOWN, *(() if policies_off else ("objects",)), *(() if auto else ("auto_mode", "overrides", "authentication_mode")))
    return partial_below(made, [(name,) for name in unknown]) if made is not None else None


def _overrides(found: Mapping[str, object], written: Mapping[str, object]) -> dict[str, object]:
    """Returns the overrides, with markers for the built-in NodePools and their role if the inputs set them: their values can be unknown."""
    known = without_unknown(cast("Mapping[str, object]", found.get("overrides", {})))
    markers = (("node_pools", "computeConfig.nodePools"), ("node_role_arn", "computeConfig.nodeRoleArn"))
    compute = {name: _presence(Reading().at(written, place)) for name, place in markers}
    return {**known, "compute_config": {**cast("Mapping[str, object]", known.get("compute_config", {})), **compute}}


def _presence(value: object) -> object:
    """Returns a marker if the input is set, even to an unknown value: a role that the same program creates is set too."""
    return "there" if value is UNKNOWN or value else None
