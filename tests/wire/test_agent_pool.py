"""The table of agent pools: complete on both sides, undone by reading, and right about names that must not change."""

import inspect

import pytest
from hypothesis import HealthCheck, given, settings
from pulumi import _types
from pulumi_azure_native.containerservice import _inputs
from pulumi_azure_native.containerservice.agent_pool import AgentPool as Resource
from pulumi_azure_native.containerservice.agent_pool import AgentPoolArgs

from nodepools import GpuPool, SystemPool, UserPool, WindowsPool
from nodepools.model.aks.agent_pool import AgentPool
from nodepools.wire.aks.agent_pool import DNS_OVERRIDE, HOST_PORTS, INLINE, KUBELET, LINUX_OS, LOCAL_DNS, POOL, UPGRADE, AgentPoolContext
from nodepools.wire.paths import differences, effect_of, fixed_fields, model_of, wire_of
from nodepools.wire.reading import Reading, Why, read, write
from nodepools.wire.rows import Each, Note, Part, Row
from nodepools.wire.table import Effect, Table, python_name
from tests.aks.test_inputs import pools

KINDS = (SystemPool, UserPool, GpuPool, WindowsPool)
AROUND = AgentPoolContext("web", "1.36", "/net/subnets/nodes", {"platform": "dev"})


NEWEST = "2026-08-01"


def inputs(pool: AgentPool) -> dict[str, object]:
    return write(POOL, pool, AROUND)


def test_every_argument_of_the_sdk_has_one_row() -> None:
    arguments = set(inspect.signature(Resource._internal_init).parameters) - {"__self__", "resource_name", "opts", "__props__"}
    told = {one.wire for one in POOL.leaves if isinstance(one.row, Note) and one.row.kind == "read_only"}
    assert {python_name(str(one.wire[0])) for one in POOL.leaves if one.wire and one.wire not in told and not one.since} == arguments
    for wire in {one.wire for one in POOL.leaves if one.wire}:
        assert len({id(one.row) for one in POOL.leaves if one.wire == wire}) == 1, wire
    names = _types.input_type_py_to_pulumi_names(AgentPoolArgs)
    assert all(python_name(wire) == py for py, wire in names.items() if py != "resource_name")


@pytest.mark.parametrize(
    ("table", "sdk"),
    [
        (KUBELET, "KubeletConfigArgs"),
        (LINUX_OS, "LinuxOSConfigArgs"),
        (UPGRADE, "AgentPoolUpgradeSettingsArgs"),
        (LOCAL_DNS, "LocalDNSProfileArgs"),
        (DNS_OVERRIDE, "LocalDNSOverrideArgs"),
        (HOST_PORTS, "PortRangeArgs"),
        (next(row.rows for row in LINUX_OS.rows if isinstance(row, Part)), "SysctlConfigArgs"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_every_argument_of_a_part_has_one_row(table: Table, sdk: str) -> None:
    names = _types.input_type_py_to_pulumi_names(getattr(_inputs, sdk))
    assert sorted(str(row.wire) for row in table.rows if isinstance(row, Row | Part | Each)) == sorted(names.values())
    assert all(python_name(wire) == py for py, wire in names.items())


def test_every_field_of_every_kind_has_one_row() -> None:
    fields = [str(one.model[0]) for one in POOL.leaves if len(one.model) == 1]
    assert sorted(fields) == sorted({name for kind in KINDS for name in kind.model_fields})


@settings(max_examples=60, suppress_health_check=list(HealthCheck))
@given(pools())
def test_what_is_written_is_read_and_written_again(pool: AgentPool) -> None:
    wire = inputs(pool)
    reading = Reading(api_version=NEWEST)
    found = read(POOL, wire, reading)
    assert reading.left == []
    kind = type(pool)
    read_back = {name: value for name, value in found.items() if name in kind.model_fields}
    own = {name: getattr(pool, name) for name in ("isolated", "tainted", "driver", "labeled") if name in kind.model_fields}
    assert inputs(kind.model_validate({**read_back, **own})) == wire


SENT = {
    "artifact_streaming": (True, ("artifactStreamingProfile", {"enabled": True})),
    "node_image_version": ("AKSUbuntu-2204gen2containerd-202610.12.0", ("nodeImageVersion", "AKSUbuntu-2204gen2containerd-202610.12.0")),
    "dranet": ("Managed", ("networkProfile", {"dranet": {"mode": "Managed"}})),
    "management": ("Managed", ("gpuProfile", {"driver": "Install", "nvidia": {"managementMode": "Managed"}})),
}
"""Fields that are newer than the version of the API that is sent by default, with a value and what is sent."""


def test_every_newer_field_is_in_the_list() -> None:
    assert {str(one.model[0]) for one in POOL.leaves if one.since} == SENT.keys()


@pytest.mark.parametrize(("field", "value", "sent"), [(field, value, sent) for field, (value, sent) in SENT.items()], ids=list(SENT))
def test_a_newer_field_is_sent_and_read_in_its_version_alone(field: str, value: object, sent: tuple[str, object]) -> None:
    wire = inputs(GpuPool.model_validate({"vm_size": "Standard_NC24ads_A100_v4", field: value}))
    name, expected = sent
    assert wire[name] == expected
    since = next(one.since for one in POOL.leaves if one.model == (field,))
    old, new = Reading(), Reading(api_version=since)
    assert field not in read(POOL, wire, old)
    told = read(POOL, wire, new)
    if field == "node_image_version":
        assert (old.left, field in told) == ([], False), "AKS reports the image of every pool"
    else:
        assert [(one.why, one.known) for one in old.left] == [(Why.NEWER, since)]
        assert told[field] == value


def test_a_newer_value_of_a_field_is_read_in_its_version_alone() -> None:
    wire = {"securityProfile": {"sshAccess": "EntraId"}}
    old, new = Reading(), Reading(api_version="2026-06-01")
    assert (read(POOL, wire, old), [one.known for one in old.left]) == ({}, ["2026-06-01"])
    assert (read(POOL, wire, new), new.left) == ({"ssh_access": "EntraId"}, [])


def test_the_default_of_a_newer_field_is_not_reported() -> None:
    reading = Reading()
    assert read(POOL, {"artifactStreamingProfile": {"enabled": False}, "networkProfile": {"dranet": {"mode": "Unmanaged"}}}, reading) == {}
    assert reading.left == []


_OF_OTHERS = {"isolated": ("taints",), "tainted": ("taints",), "labeled": ("labels",)}
"""Fields whose place is that of another field."""
PLACES = [(one.model, one.wire) for one in POOL.leaves if one.model and one.wire]


@pytest.mark.parametrize(("model", "wire"), PLACES, ids=[".".join(map(str, row[0])) for row in PLACES])
def test_paths_go_both_ways(model: tuple[str, ...], wire: tuple[str, ...]) -> None:
    assert wire_of(POOL, model) == wire
    assert model_of(POOL, wire) == _OF_OTHERS.get(model[0], model)


INSIDE = [
    (("taints", 2), ("nodeTaints", 2)),
    (("labels", "a.b/c"), ("nodeLabels", "a.b/c")),
    (("zones", 1), ("availabilityZones", 1)),
    (("allowed_host_ports", 3, "end"), ("networkProfile", "allowedHostPorts", 3, "portEnd")),
    (("linux_os", "sysctls", "vm_swappiness"), ("linuxOSConfig", "sysctls", "vmSwappiness")),
    (("local_dns", "kube_dns", 1, "cache_duration"), ("localDNSProfile", "kubeDNSOverrides", "a.", "cacheDurationInSeconds")),
    (("node_public_ip_tags", "Kind"), ("networkProfile", "nodePublicIPTags", 1, "tag")),
]
WRITTEN = {
    "localDNSProfile": {"kubeDNSOverrides": {".": {}, "a.": {}}},
    "networkProfile": {"nodePublicIPTags": [{"ipTagType": "x", "tag": "y"}, {"ipTagType": "Kind", "tag": "z"}]},
}


@pytest.mark.parametrize(("model", "wire"), INSIDE)
def test_paths_go_inside(model: tuple[str | int, ...], wire: tuple[str | int, ...]) -> None:
    assert wire_of(POOL, model, WRITTEN) == wire
    assert model_of(POOL, wire, WRITTEN) == model


def test_a_path_ends_before_an_entry_that_cannot_be_found() -> None:
    assert wire_of(POOL, ("local_dns", "kube_dns", 1, "protocol")) == ("localDNSProfile", "kubeDNSOverrides")
    assert wire_of(POOL, ("nowhere",)) == ()


FIXED = {
    *("vm_size", "zones", "os_disk_size_gb", "os_disk_type", "max_pods", "kubelet_disk_type", "ultra_ssd", "encryption_at_host", "kubelet"),
    *("proximity_placement_group_id", "capacity_reservation_group_id", "host_group_id", "vnet_subnet_id", "pod_subnet_id", "pod_ip_allocation"),
    *("node_public_ip", "node_public_ip_prefix_id", "node_public_ip_tags", "generation"),
}
LINUX = {"linux_os", "message_of_the_day", "dranet"}
OF_KIND = {
    SystemPool: LINUX,
    UserPool: {*LINUX, "spot", "gateway_prefix_size"},
    GpuPool: {*LINUX, "spot", "driver", "management", "mig"},
    WindowsPool: {"os_sku", "outbound_nat"},
}


@pytest.mark.parametrize("kind", KINDS)
def test_these_fields_are_in_the_names_of_pools_that_exist(kind: type[AgentPool]) -> None:
    """One more or less here gives every pool another name."""
    assert fixed_fields(POOL, kind.__name__) & kind.model_fields.keys() == FIXED | OF_KIND[kind]


@pytest.mark.parametrize(
    ("wire", "effect"),
    [
        (("enableFIPS",), Effect.REIMAGES),
        (("securityProfile",), Effect.REIMAGES),
        (("securityProfile", "sshAccess"), Effect.IN_PLACE_LATER),
        (("networkProfile",), Effect.ROTATES),
        (("networkProfile", "allowedHostPorts"), Effect.IN_PLACE),
        (("agentPoolName",), Effect.REPLACES),
        (("somethingNew",), Effect.ROTATES),
    ],
)
def test_the_effect_of_an_argument_is_the_worst_below_it(wire: tuple[str, ...], effect: Effect) -> None:
    assert effect_of(POOL, wire, "UserPool") is effect


def test_every_change_has_a_source() -> None:
    assert not [one for one in POOL.leaves if one.change is not None and not one.change.source]
    assert not [one.model for one in POOL.leaves if one.model and one.change is None]


def test_a_change_is_found_in_the_words_of_the_model() -> None:
    before = UserPool(vm_size="D2", upgrade={"max_surge": "1"}, scale_down_mode="Delete", fips=True)  # type: ignore[arg-type]  # as YAML says it
    after = UserPool(vm_size="D4", upgrade={"max_surge": "33%", "soak": "5m"}, labels={"a": "b"})  # type: ignore[arg-type]  # what people write
    found = {one.model: (one.before, one.effect) for one in differences(POOL, inputs(before), inputs(after), "UserPool")}
    assert {model: effect for model, (_, effect) in found.items()} == {
        ("vm_size",): Effect.ROTATES,
        ("labels",): Effect.IN_PLACE,
        ("upgrade", "max_surge"): Effect.IN_PLACE,
        ("upgrade", "soak"): Effect.IN_PLACE,
        ("fips",): Effect.REIMAGES,
    }
    assert found["upgrade", "soak"][0] == 0, "the cloud default"


def test_a_pool_inside_the_cluster_has_another_name_for_its_name_alone() -> None:
    assert {one.wire for one in INLINE.leaves} ^ {one.wire for one in POOL.leaves} == {("agentPoolName",)}
    assert wire_of(INLINE, ("name",)) == ("name",)


def test_a_table_claims_every_argument_and_no_field_of_ours() -> None:
    """Of a new table: what the one of the module has found before stays with it."""
    fresh = Table(*POOL.rows)
    assert fresh.read_paths >= {
        ("enableAutoScaling",),
        ("kubeletConfig",),
        ("networkProfile", "nodePublicIPTags"),
        ("gatewayProfile", "publicIPPrefixSize"),
        ("minCount",),
    }
    assert ("generation",) not in fresh.read_paths
    assert ("enablefips",) in fresh.folded_read_paths
    assert ("networkProfile",) in fresh.above
    assert fresh.words == POOL.words


def test_each_field_has_a_word_on_the_wire() -> None:
    assert {
        "vm_size": "vmSize",
        "min": "minCount",
        "pod_max_pids": "podMaxPids",
        "labels": "nodeLabels",
        "secure_boot": "enableSecureBoot",
        "cache_duration": "cacheDurationInSeconds",
    }.items() <= POOL.words.items()
    assert "generation" not in POOL.words
