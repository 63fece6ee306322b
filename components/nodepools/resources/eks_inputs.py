"""What EKS resources of any program say, read into the model by the tables that requests are written by. No SDK is needed."""

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
_NOT_SAID: Final = ("oidc_provider", "apply", "account", "iam_path", "protect", "timeouts")
"""Fields that are ours alone."""
_OF_ANOTHER: Final = {"kind": "ExistingEksNetwork", "vpc_id": UNKNOWN, "private_subnet_ids": UNKNOWN, "control_plane_subnet_ids": UNKNOWN}
"""The network of a cluster, of which the cluster says little."""


def known_part(kind: type[M], table: Table, written: Mapping[str, object]) -> M | None:
    """A part that is a resource of its own, as far as it is known."""
    return validate_partial(kind, read(table, written, Reading()))[0]


def is_auto_mode(written: Mapping[str, object]) -> bool:
    """Some switch of Auto Mode is certainly on."""
    return any(Reading().at(written, switch) is True for switch in _SWITCHES)


def eks_cluster(written: Mapping[str, object], *, policies_off: bool = False) -> EksClusterArgs | None:
    """The cluster as far as it is known; of one without Auto Mode nothing is known that has to do with it.

    The three switches, and what Auto Mode needs beside them, are overrides where they are not as ours are.

    Args:
        written: the inputs.
        policies_off: nothing turns the controller of network policies on.
    """
    found = read(CLUSTER, written, Reading())
    auto = is_auto_mode(written)
    found["overrides"] = _overrides(found, written) if auto else {}
    found["network"] = {**_OF_ANOTHER, **cast("Mapping[str, object]", found["network"])}
    if policies_off:
        found["objects"] = {"network_policies": False, "storage_class": UNKNOWN, "ingress_class": UNKNOWN}
    made, _ = validate_partial(EksClusterArgs, found)
    unsaid = (*_NOT_SAID, *(() if policies_off else ("objects",)), *(() if auto else ("auto_mode", "overrides")))
    return partial_below(made, [(name,) for name in unsaid]) if made is not None else None


def _overrides(found: Mapping[str, object], written: Mapping[str, object]) -> dict[str, object]:
    """With what is said of the built-in pools and their role, if anything is: what it is may not be known."""
    told = without_unknown(cast("Mapping[str, object]", found.get("overrides", {})))
    said = (("node_pools", "computeConfig.nodePools"), ("node_role_arn", "computeConfig.nodeRoleArn"))
    compute = {name: _presence(Reading().at(written, place)) for name, place in said}
    return {**told, "compute_config": {**cast("Mapping[str, object]", told.get("compute_config", {})), **compute}}


def _presence(value: object) -> object:
    """Whether something is said, if not what: a role that is made with the cluster is no less there."""
    return "there" if value is UNKNOWN or value else None
