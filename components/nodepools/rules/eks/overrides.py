"""Overrides of a cluster that break Auto Mode. Facts: docs/facts/eks.md C1 to C3, C5, C9, C10, C13, C14."""

from collections.abc import Iterator, Mapping
from typing import cast

from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.model.values import dataclass
from nodepools.rules.engine.finding import Fix, PartFinding, literal, ref, remove, set_to
from nodepools.rules.engine.registry import Limit, Where, error, finding, limited, sample, warning
from nodepools.rules.engine.samples import eks

_SWITCHES = (("compute_config",), ("kubernetes_network_config", "elastic_load_balancing"), ("storage_config", "block_storage"))
_CREATE = "https://docs.aws.amazon.com/eks/latest/userguide/automode-get-started-cli.html"

_CHECKED = frozenset({"bootstrap_self_managed_addons", "access_config"} | {switch[0] for switch in _SWITCHES})
"""The arguments that this module checks."""


@dataclass(frozen=True, slots=True)
class Override:
    """The override of one argument. `None` removes the argument, or the one that contains it."""

    at: tuple[str, ...]
    """The part of the path that the overrides contain."""
    value: object


@error(
    "EKS013", "EKS API: computeConfig, kubernetesNetworkConfig and blockStorage, all enabled or all disabled; pulumi-aws takes an unknown one for off"
)
@sample("overrides.compute_config.enabled", lambda: eks(overrides={"compute_config": {"enabled": False}}))
def partial_auto_mode(cluster: EksClusterArgs) -> Iterator[PartFinding]:
    """EKS requires the three switches of Auto Mode on or off together; pulumi-aws treats an unknown value as off."""
    for switch in _SWITCHES:
        value = _overridden(cluster, *switch, "enabled")
        if value is not None and value.value is not True and not _all_off(cluster):
            what = "has no value" if value.value is None else "is not on"
            message = f"EKS requires compute, load balancing and block storage of Auto Mode on together: {ref(value.at)} {what}"
            yield finding(cluster, message, path=value.at, fix=remove(value.at) if value.value is None else set_to(value.at, value=True))


@warning("EKS089", "https://docs.aws.amazon.com/eks/latest/userguide/auto-disable.html")
@limited(Limit(Where.UNREAD, "a cluster whose switches are off may never have had them on"))
@sample(
    "overrides.compute_config.enabled",
    lambda: eks(
        overrides={
            "compute_config": {"enabled": False},
            "kubernetes_network_config": {"elastic_load_balancing": {"enabled": False}},
            "storage_config": {"block_storage": {"enabled": False}},
        }
    ),
)
def auto_mode_turned_off(cluster: EksClusterArgs) -> Iterator[PartFinding]:
    """When Auto Mode is turned off, EKS terminates its instances and deletes its load balancers; volumes are kept."""
    if _all_off(cluster):
        value = [one for switch in _SWITCHES if (one := _overridden(cluster, *switch, "enabled")) is not None]
        message = "This turns Auto Mode off: EKS terminates its instances and deletes its load balancers at once"
        fix = Fix("Remove these overrides, or move the workloads and load balancers first", tuple(remove(override.at) for override in value))
        yield finding(cluster, message, path=("overrides", "compute_config", "enabled"), fix=fix)


@error("EKS014", f"{_CREATE}: bootstrapSelfManagedAddons must be false; access entries cannot be turned off")
@limited(Limit(Where.SOFTENED, "an existing cluster keeps the value of its creation"))
@sample("overrides.access_config.authentication_mode", lambda: eks(overrides={"access_config": {"authentication_mode": "CONFIG_MAP"}}))
def incompatible_cluster_override(cluster: EksClusterArgs) -> Iterator[PartFinding]:
    """EKS creates clusters with Auto Mode only without self-managed add-ons, and only with access entries."""
    value = _overridden(cluster, "bootstrap_self_managed_addons")
    if value is not None and value.value in (True, None):
        fix = Fix(f"Set {ref(value.at)} to {literal(value=False)} before the cluster is created", (set_to(value.at, value=False),))
        yield finding(cluster, "EKS rejects a new cluster that has Auto Mode and self-managed add-ons", path=value.at, fix=fix)
    message = "Auto Mode requires access entries: the authentication mode must be `API` or `API_AND_CONFIG_MAP`"
    value = _overridden(cluster, "access_config", "authentication_mode")
    if value is None and cluster.authentication_mode == "CONFIG_MAP":
        fix = set_to("authentication_mode", "API_AND_CONFIG_MAP")
        yield finding(cluster, message, path="authentication_mode", fix=fix)
    if value is not None and value.value in ("CONFIG_MAP", None):
        yield finding(cluster, message, path=value.at, fix=set_to(value.at, "API_AND_CONFIG_MAP") if value.value is not None else remove(value.at))


@error("EKS092", "EKS API: nodeRoleArn and nodePools of computeConfig, both or neither (terraform-aws-eks#3366, aws-cdk#33894)")
@sample("overrides.compute_config.node_pools", lambda: eks(overrides={"compute_config": {"node_pools": []}}))
def built_in_pools_without_node_role(cluster: EksClusterArgs) -> Iterator[PartFinding]:
    """EKS requires a node role for built-in NodePools, and rejects one without them."""
    both = [_overridden(cluster, "compute_config", name) for name in ("node_pools", "node_role_arn")]
    declared = bool(cluster.auto_mode.built_in_node_pools)
    given = [value.value not in (None, "", ()) if value is not None else declared for value in both]
    if given[0] is not given[1]:
        overrides = [value.at for value in both if value is not None]
        message = f"The cluster has {'built-in NodePools without a node role' if given[0] else 'a node role without built-in NodePools'}"
        pools, role = (ref(("overrides", "compute_config", name)) for name in ("node_pools", "node_role_arn"))
        fix = Fix(f"Set {pools} and {role} both, or neither", tuple(map(remove, overrides)))
        yield finding(cluster, f"{message}: EKS requires both or neither", path=overrides[0], fix=fix)


def _all_off(cluster: EksClusterArgs) -> bool:
    value = [_overridden(cluster, *switch, "enabled") for switch in _SWITCHES]
    return all(override is not None and override.value in (False, None) for override in value)


def checked_eks_overrides(part: object) -> frozenset[str]:
    """The arguments in `overrides` of an EKS cluster that the rules of this module check completely; none of another part."""
    return _CHECKED if isinstance(part, EksClusterArgs) else frozenset()


def _overridden(cluster: EksClusterArgs, *at: str) -> Override | None:
    """The override of the argument `at`, if there is one."""
    return _override_in(cluster.overrides, ("overrides",), at)


def _override_in(here: Mapping[str, object], before: tuple[str, ...], path: tuple[str, ...]) -> Override | None:
    step, *rest = path
    if step not in here:
        return None
    value, reached = here[step], (*before, step)
    if not rest or value is None:
        return Override(reached, value)
    return _override_in(cast("Mapping[str, object]", value), reached, tuple(rest)) if isinstance(value, Mapping) else None
