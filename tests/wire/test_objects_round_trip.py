"""Reading undoes writing, for generated NodePools and node classes; nothing that is empty is written where it would roll nodes."""

from collections.abc import Iterator, Mapping
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nodepools import AksNodeClass, AksNodePool, EksNodeClass, EksNodePool
from nodepools.model.base import Model
from nodepools.model.kubernetes.label import POOL_LABEL
from nodepools.rules.engine.partial_validation import always, validate_partial
from nodepools.wire.aks import node_class as aks
from nodepools.wire.eks import node_class as eks
from nodepools.wire.karpenter import ObjectContext
from nodepools.wire.reading import write
from nodepools.wire.strict_reading import read_object
from nodepools.wire.table import Table
from tests.wire.object_tables import AKS_POOL, EKS_POOL

DNS = {
    "zone": "a.",
    "forward_destination": "VnetDNS",
    "forward_policy": "Random",
    "query_logging": "Log",
    "protocol": "ForceTCP",
    "max_concurrent": 0,
    "cache_duration": "5m",
    "serve_stale": "Disable",
    "serve_stale_duration": "90s",
}
TERM = [{"id": "x-1"}, {"name": "nodes"}, {"tags": {"tier": "private"}}]
POOL: dict[str, Any] = {
    "node_class": "private",
    "weight": 20,
    "replicas": 0,
    "requirements": [{"key": "a", "operator": "In", "values": ["b"], "min_values": 1}, {"key": "c", "operator": "Exists"}],
    "labels": {"team": "ml"},
    "annotations": {"example.com/note": "x"},
    "taints": [{"key": "a", "value": "b", "effect": "NoExecute", "time_added": "2026-11-21T04:40:00Z"}, {"key": "c"}],
    "startup_taints": [{"key": "c"}],
    "limits": {"cpu": 200, "memory": "1Gi"},
    "disruption": {
        "consolidation_policy": "WhenEmpty",
        "consolidate_after": "Never",
        "budgets": [{"nodes": "0", "schedule": "0 9 * * *", "duration": "8h", "reasons": ["Empty"]}, {}],
    },
    "expire_after": "Never",
    "termination_grace_period": "1h",
}
NODE_CLASS: dict[str, Any] = {
    "role": "nodes",
    "instance_profile": "eks-nodes",
    "subnets": TERM,
    "security_groups": TERM,
    "pod_subnets": TERM,
    "pod_security_groups": TERM,
    "capacity_reservations": [{"id": "cr-1"}, {"tags": {"a": "b"}, "owner": "012345678901"}],
    "ephemeral_storage": "1Ti",
    "ephemeral_storage_iops": 4000,
    "ephemeral_storage_throughput": 250,
    "ephemeral_storage_kms_key_id": "alias/a",
    "network_policy": "DefaultDeny",
    "network_policy_event_logs": "Enabled",
    "snat_policy": "Disabled",
    "advanced_networking": {
        "https_proxy": "http://proxy",
        "no_proxy": ["a"],
        "associate_public_ip_address": False,
        "ipv4_prefix_size": "32",
        "enable_v4_egress": True,
        "network_interfaces": [{"secondary_ipv4_count": 0}, {"device_index": 1, "secondary_ipv4_prefix_count": 2, "interface_type": "efa-only"}],
    },
    "fips": True,
    "placement_group": {"name": "hpc", "id": "pg-1"},
    "certificate_bundles": [{"name": "a", "data": "b"}],
    "tags": {"team": "ml"},
}
AKS_CLASS: dict[str, Any] = {
    "image_family": "AzureLinux",
    "fips_mode": "FIPS",
    "os_disk_size_gb": 64,
    "max_pods": 30,
    "vnet_subnet_id": "/s",
    "gpu_mode": "None",
    "artifact_streaming": False,
    "encryption_at_host": False,
    "secure_boot": False,
    "vtpm": True,
    "kubelet": {
        "cpu_manager_policy": "static",
        "cpu_cfs_quota": False,
        "cpu_cfs_quota_period": "50ms",
        "topology_manager_policy": "best-effort",
        "image_gc_high_threshold": 0,
        "image_gc_low_threshold": 0,
        "allowed_unsafe_sysctls": ["net.*"],
        "container_log_max_size": "20Mi",
        "container_log_max_files": 2,
        "pod_max_pids": -1,
        "fail_swap_on": False,
    },
    "linux_os": {
        "sysctls": {"vm_swappiness": 0, "net_ipv4_tcp_fin_timeout": 30, "net_ipv4_tcp_tw_reuse": False},
        "transparent_huge_page_enabled": "never",
        "transparent_huge_page_defrag": "defer",
        "swap_file_size": "1Gi",
    },
    "local_dns": {"mode": "Required", "vnet_dns": [DNS], "kube_dns": [DNS, {**DNS, "zone": "."}]},
    "tags": {"team": "ml"},
}
NEEDED = {"zone", "forward_destination", "key", "operator", "values", "vnet_dns", "kube_dns", "data"}
"""What its part, or the object, is not there without; `name` too where it tells entries from each other."""


def some_of(whole: object) -> st.SearchStrategy[Any]:
    """Some of the fields, and some of the entries, of what says everything."""
    if isinstance(whole, Mapping):
        held = {name: some_of(value) for name, value in whole.items()}
        needed = NEEDED | ({"name"} if "data" in whole else set())
        given_always = {name: value for name, value in held.items() if name in needed}
        return st.fixed_dictionaries(given_always, optional={name: value for name, value in held.items() if name not in needed})
    if isinstance(whole, list) and isinstance(whole[0], Mapping):
        return st.sets(st.sampled_from(range(len(whole))), min_size=1).flatmap(
            lambda numbers: st.tuples(*(some_of(whole[number]) for number in sorted(numbers))).map(list)
        )
    return st.just(whole)


def undone(table: Table, declared: Model, around: object) -> Model:
    """`declared`, written and read back as an object that has to be right."""
    wire = write(table, declared, around, resolve=lambda ref: ref)
    found, left = read_object(table, wire)
    assert left == []
    made, findings = validate_partial(type(declared), found, always, strict=True)
    assert findings == []
    assert made is not None
    hashed = {name: value for name, value in wire.items() if name not in ("disruption", "limits")}
    assert set(empty(hashed)) <= {("template", "spec", "requirements")}, "where there was none it would roll every node"
    return made


def empty(value: object, at: tuple[object, ...] = ()) -> Iterator[tuple[object, ...]]:
    """Fields whose mapping or list has nothing in it; an entry of a list is said by being there."""
    if value in ({}, []) and not (at and isinstance(at[-1], int)):
        yield at
    for name, inner in value.items() if isinstance(value, Mapping) else enumerate(value) if isinstance(value, list) else ():
        yield from empty(inner, (*at, name))


GENERATED = settings(max_examples=60, suppress_health_check=list(HealthCheck), deadline=None)


@GENERATED
@given(some_of(POOL), st.sampled_from([(EKS_POOL, EksNodePool), (AKS_POOL, AksNodePool)]))
def test_a_pool_is_read_as_it_was_written(fields: dict[str, Any], of: tuple[Table, type[EksNodePool | AksNodePool]]) -> None:
    table, model = of
    declared = model.model_validate(fields)
    marked = {**fields, "labels": {POOL_LABEL: "web", **fields.get("labels", {})}, "node_class": fields.get("node_class", "default")}
    assert undone(table, declared, ObjectContext("web")) == model.model_validate(marked)


@GENERATED
@given(some_of(NODE_CLASS))
def test_a_node_class_is_read_as_it_was_written(fields: dict[str, Any]) -> None:
    around = eks.NodeClassContext("cluster", [{"id": "subnet-0"}], [{"id": "sg-0"}])
    own = {"subnets": [{"id": "subnet-0"}], "security_groups": [{"id": "sg-0"}]}
    identity = {"role": fields.get("role", "cluster")} if "instance_profile" not in fields else {"role": fields.get("role")}
    expected = EksNodeClass.model_validate(_without_nothing({**own, **fields, **identity}))
    assert undone(eks.NODE_CLASS, EksNodeClass.model_validate(_without_nothing(fields)), around) == expected


@GENERATED
@given(some_of(AKS_CLASS))
def test_an_aks_node_class_is_read_as_it_was_written(fields: dict[str, Any]) -> None:
    declared = AksNodeClass.model_validate(_without_nothing(fields))
    assert undone(aks.NODE_CLASS, declared, None) == declared


def _without_nothing(fields: Any) -> Any:
    """A part that says nothing is not written, and so cannot come back."""
    if not isinstance(fields, Mapping):
        return fields
    held = {name: _without_nothing(value) for name, value in fields.items()}
    return {name: value for name, value in held.items() if value != {}}
