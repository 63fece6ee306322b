"""Every kind of row on small tables: written, read back, found by path; what is not understood is listed."""

from collections.abc import Mapping, Sequence

import pytest

from nodepools.model.aks.agent_pool import HostPorts, UpgradeSettings, UserPool
from nodepools.model.aks.node_settings import LocalDns, LocalDnsOverride
from nodepools.model.ref import StackOutput
from nodepools.model.unknowns import UNKNOWN, partial
from nodepools.wire.aks.agent_pool import HOST_PORTS, LOCAL_DNS, POOL, UPGRADE, AgentPoolContext
from nodepools.wire.paths import differences, effect_of, value_at, wire_of
from nodepools.wire.reading import Reading, Why, read, write
from nodepools.wire.rows import (
    BASE64,
    BOOL_AS_TEXT,
    IDS,
    INVERTED,
    MINUTES,
    NUMBER_AS_TEXT,
    NUMBERS_AS_TEXT,
    OPPOSITE,
    SECONDS,
    TEXTS,
    UNLESS_ZERO,
    WHOLE_AS_TEXT,
    Always,
    Codec,
    Each,
    Note,
    Part,
    Row,
)
from nodepools.wire.table import Change, Effect, Table, camel, python_name

SIZE = "Standard_D4ds_v5"
CONVERTED = [
    ("a duration in minutes", MINUTES, "2h", 120, "120m"),
    ("a duration in seconds", SECONDS, "90s", 90, "90s"),
    ("whole hours stay hours", SECONDS, "2h", 7200, "2h"),
    ("text in base 64", BASE64, "Grüße", "R3LDvMOfZQ==", "Grüße"),
    ("zones are text on the wire", NUMBERS_AS_TEXT, [1, 3], ["1", "3"], [1, 3]),
    ("each entry is text", TEXTS, {"cpu": 200}, {"cpu": "200"}, {"cpu": "200"}),
    ("the wire asks whether it is off", INVERTED, False, True, False),
    ("zero is the cloud default", UNLESS_ZERO, 30, 30, 30),
    ("the wire is told whether it is off", OPPOSITE, True, False, True),
    ("true is text on the wire", BOOL_AS_TEXT, True, "true", True),
    ("so is a whole number", WHOLE_AS_TEXT, 5, "5", 5),
    ("and any other", NUMBER_AS_TEXT, 0.25, "0.25", 0.25),
    ("each entry is its id", IDS, ["a"], [{"id": "a"}], ["a"]),
]


@pytest.mark.parametrize(("codec", "ours", "theirs", "back"), [row[1:] for row in CONVERTED], ids=[row[0] for row in CONVERTED])
def test_a_value_is_converted_both_ways(codec: Codec, ours: object, theirs: object, back: object) -> None:
    assert codec.write(ours) == theirs
    assert codec.read(theirs) == back


def test_zero_is_read_as_nothing() -> None:
    assert UNLESS_ZERO.read(0) is None
    assert INVERTED.write(True) is None


@pytest.mark.parametrize(
    ("wire", "python"),
    [
        ("enableFIPS", "enable_fips"),
        ("osDiskSizeGB", "os_disk_size_gb"),
        ("podIPAllocationMode", "pod_ip_allocation_mode"),
        ("resourceName", "resource_name_"),
        ("managedOutboundIPs", "managed_outbound_ips"),
        ("publicIPPrefixes", "public_ip_prefixes"),
        ("adminGroupObjectIDs", "admin_group_object_ids"),
        ("logAnalyticsWorkspaceResourceID", "logAnalyticsWorkspaceResourceID"),
    ],
)
def test_one_spelling_follows_from_the_other(wire: str, python: str) -> None:
    assert python_name(wire) == python


def test_capitals_begin_words() -> None:
    assert camel("max_pods") == "maxPods"


def pool(**fields: object) -> UserPool:
    return UserPool.model_validate({"vm_size": SIZE, **fields})


def sent(declared: UserPool) -> dict[str, object]:
    return write(POOL, declared, AgentPoolContext("web", "1.36", "/net/subnets/nodes", {"platform": "dev"}))


SENT = [
    ("a part by itself", {"upgrade": {"soak": "5m"}}, {"upgradeSettings": {"nodeSoakDurationInMinutes": 5}}),
    ("a part among its neighbours", {"scale": {"min": 0, "max": 3}}, {"enableAutoScaling": True, "minCount": 0, "maxCount": 3}),
    ("a part that is not there", {}, {"enableAutoScaling": False}),
    ("off, where that is declared", {"fips": False}, {"enableFIPS": False, "enableUltraSSD": None}),
    ("two fields in one mapping", {"vtpm": False, "ssh_access": "Disabled"}, {"securityProfile": {"enableVTPM": False, "sshAccess": "Disabled"}}),
    (
        "a list of parts",
        {"allowed_host_ports": [{"start": 1, "end": 2}]},
        {"networkProfile": {"allowedHostPorts": [{"portStart": 1, "portEnd": 2, "protocol": "TCP"}]}},
    ),
    ("a mapping that is a list", {"node_public_ip_tags": {"a": "b"}}, {"networkProfile": {"nodePublicIPTags": [{"ipTagType": "a", "tag": "b"}]}}),
    ("parts by the name in them", {"local_dns": {"vnet_dns": [{"zone": ".", "forward_destination": "VnetDNS"}]}}, {}),
]


@pytest.mark.parametrize(("fields", "wire"), [row[1:] for row in SENT], ids=[row[0] for row in SENT])
def test_what_is_declared_is_sent_and_read_back(fields: Mapping[str, object], wire: Mapping[str, object]) -> None:
    made = sent(pool(**fields))
    assert {name: made.get(name) for name in wire} == wire
    reading = Reading()
    found = read(POOL, made, reading)
    assert reading.left == []
    assert sent(pool(**{name: value for name, value in found.items() if name in UserPool.model_fields})) == made


def test_parts_are_named_by_a_field_of_theirs() -> None:
    zone = LocalDnsOverride(zone="a.", forward_destination="VnetDNS")
    made = write(LOCAL_DNS, LocalDns(vnet_dns=[zone]))
    assert list(made["vnetDNSOverrides"]) == ["a."]  # type: ignore[call-overload]  # a mapping


def test_what_is_unknown_is_sent_as_unknown() -> None:
    made = sent(partial(pool(taints=["a=b:NoSchedule"], spot={"max_price": 0.5}), ("taints", "upgrade", "scale")))
    assert made["nodeTaints"] is UNKNOWN
    assert made["upgradeSettings"] is UNKNOWN
    assert (made["enableAutoScaling"], made["minCount"], made["count"]) == (UNKNOWN, UNKNOWN, UNKNOWN)
    assert made["spotMaxPrice"] == 0.5


READ = [
    ("a flat part of an unknown switch", {"enableAutoScaling": UNKNOWN, "minCount": 1}, {"scale": UNKNOWN}, []),
    ("a switch that nobody has", {"enableAutoScaling": "odd"}, {"scale": UNKNOWN}, [(("enableAutoScaling",), Why.UNREADABLE)]),
    ("an unknown part", {"upgradeSettings": UNKNOWN}, {"upgrade": UNKNOWN}, []),
    ("an empty part", {"upgradeSettings": {}}, {}, []),
    ("a part that is no mapping", {"kubeletConfig": "x"}, {"kubelet": UNKNOWN}, [(("kubeletConfig",), Why.NO_PART)]),
    (
        "a mapping of fields that is none",
        {"securityProfile": 7},
        {"secure_boot": UNKNOWN, "vtpm": UNKNOWN, "ssh_access": UNKNOWN},
        [(("securityProfile",), Why.NO_MAPPING)],
    ),
    (
        "a value that cannot be converted",
        {"messageOfTheDay": "no base 64!"},
        {"message_of_the_day": UNKNOWN},
        [(("messageOfTheDay",), Why.UNREADABLE)],
    ),
    ("a value of which some is unknown", {"nodeTaints": ["a", UNKNOWN]}, {"taints": UNKNOWN}, []),
    (
        "a switch that is none",
        {"windowsProfile": {"disableOutboundNat": "no"}},
        {"outbound_nat": UNKNOWN},
        [(("windowsProfile", "disableOutboundNat"), Why.UNREADABLE)],
    ),
    ("an argument that no row has", {"color": "red"}, {}, [(("color",), Why.NO_SUCH_FIELD)]),
    ("one inside a part", {"upgradeSettings": {"maxBlockedNodes": "2"}}, {}, [(("upgradeSettings", "maxBlockedNodes"), Why.NO_SUCH_FIELD)]),
    ("one that is refused", {"virtualMachineNodesStatus": [{}]}, {}, [(("virtualMachineNodesStatus",), Why.UNMODELED)]),
    ("a gateway pool", {"mode": "gateway", "gatewayProfile": {"publicIPPrefixSize": 30}}, {"gateway_prefix_size": 30}, []),
    ("one with the prefix that AKS uses", {"mode": "Gateway"}, {"gateway_prefix_size": 31}, []),
    ("one that may be one", {"mode": UNKNOWN}, {"gateway_prefix_size": UNKNOWN}, []),
    ("no gateway pool", {"mode": "User", "gatewayProfile": None}, {}, []),
    ("null says nothing", {"color": None, "maxPods": None}, {}, []),
    ("a list that is none", {"networkProfile": {"allowedHostPorts": 7}}, {"allowed_host_ports": UNKNOWN}, []),
    ("an unknown entry", {"networkProfile": {"allowedHostPorts": [UNKNOWN]}}, {"allowed_host_ports": UNKNOWN}, []),
    (
        "an entry that is no mapping",
        {"networkProfile": {"allowedHostPorts": [7]}},
        {"allowed_host_ports": UNKNOWN},
        [(("networkProfile", "allowedHostPorts", 0), Why.NO_PART)],
    ),
    ("pairs that are none", {"networkProfile": {"nodePublicIPTags": [{"tag": "x"}]}}, {"node_public_ip_tags": UNKNOWN}, []),
    ("unknown pairs", {"networkProfile": {"nodePublicIPTags": [UNKNOWN]}}, {"node_public_ip_tags": UNKNOWN}, []),
]


@pytest.mark.parametrize(("written", "found", "left"), [row[1:] for row in READ], ids=[row[0] for row in READ])
def test_what_is_not_understood_is_unknown_and_listed(written: Mapping[str, object], found: object, left: Sequence[object]) -> None:
    reading = Reading()
    assert read(POOL, written, reading) == found
    assert [(one.steps, one.why) for one in reading.left] == left


def test_az_prints_other_capitals() -> None:
    reading = Reading(fold=True)
    assert read(POOL, {"enableFips": True, "osSku": "Ubuntu", "securityProfile": {"enableVtpm": True}, "Color": "red"}, reading) == {
        "fips": True,
        "os_sku": "Ubuntu",
        "vtpm": True,
    }
    assert [(one.steps, one.why) for one in reading.left] == [(("Color",), Why.NO_SUCH_FIELD)]


def test_a_list_that_is_unknown_is_sent_as_unknown() -> None:
    made = sent(partial(pool(), ("allowed_host_ports", "node_public_ip_tags")))
    assert made["networkProfile"] == {"allowedHostPorts": UNKNOWN, "nodePublicIPTags": UNKNOWN}


def test_a_reference_is_sent_as_what_it_stands_for() -> None:
    declared = pool(host_group_id=StackOutput("o/p/s", "group"), application_security_group_ids=["plain", StackOutput("o/p/s", "other")])
    made = write(POOL, declared, AgentPoolContext("web", None, "subnet"), resolve=lambda ref: ref.output)
    assert (made["hostGroupID"], made["networkProfile"]) == ("group", {"applicationSecurityGroups": ["plain", "other"]})
    assert "orchestratorVersion" not in made, "the pool inside the cluster has no version of its own"


def test_a_part_among_its_neighbours_needs_no_word_of_its_own() -> None:
    table = Table(Part("upgrade", "", UPGRADE))
    wire = write(table, pool(upgrade={"soak": "5m"}))
    assert wire == {"nodeSoakDurationInMinutes": 5}
    reading = Reading()
    assert read(table, wire, reading) == {"upgrade": {"soak": "5m"}}
    assert reading.left == []
    assert write(table, pool()) == {}


def test_the_same_word_is_written_into_every_object() -> None:
    table = Table(Always("spec.kind", "NodePool"), Row("max_surge", "spec.surge"))
    assert write(table, UpgradeSettings(max_surge="1")) == {"spec": {"kind": "NodePool", "surge": "1"}}
    assert [(way.model, way.wire) for way in table.field_paths] == [((), ("spec", "kind")), (("max_surge",), ("spec", "surge"))]


def test_another_word_is_listed_also_where_not_all_has_to_be_right() -> None:
    table = Table(Always("enabled", True, CHANGED))
    reading = Reading()
    assert read(table, {"enabled": False}, reading) == {}
    assert [(one.steps, one.value, one.why, one.known) for one in reading.left] == [(("enabled",), False, Why.ANOTHER_WORD, True)]
    assert effect_of(table, ("enabled",), "") is Effect.IN_PLACE


CHANGED = Change(Effect.IN_PLACE, "a page")
AMONG = Table(Note("ours", "undrainable", CHANGED), Row("soak", "soakTime", CHANGED), Row("max_surge", "surge", CHANGED))


def test_of_a_part_among_its_neighbours_that_is_not_known_no_field_is() -> None:
    table = Table(Part("upgrade", "", AMONG))
    assert write(table, partial(pool(), ("upgrade",))) == {"soakTime": UNKNOWN, "surge": UNKNOWN}


def test_a_part_that_several_arguments_make_is_at_the_first_of_them() -> None:
    table = Table(Part("upgrade", "", AMONG))
    assert wire_of(table, ("upgrade",)) == ("soakTime",)
    assert wire_of(table, ("upgrade", "undrainable")) == ()
    assert wire_of(Table(Part("upgrade", "settings", AMONG)), ("upgrade", "undrainable")) == ("settings",)


def test_a_field_of_a_part_that_is_not_sent_is_no_difference() -> None:
    table = Table(Part("upgrade", "settings", AMONG))
    before, after = ({"upgrade": {"undrainable": one, "soak": "5m"}} for one in ("Cordon", "Schedule"))
    assert list(differences(table, write(table, pool(**before)), write(table, pool(**after)), "")) == []


def test_a_change_inside_a_list_is_found_by_the_index() -> None:
    assert value_at({"pools": [{"count": 1}]}, ("pools", 0, "count")) == 1
    assert value_at({"pools": [{"count": 1}]}, ("pools", 1, "count")) is None
    assert value_at({"pools": 7}, ("pools", 0)) is None


@pytest.mark.parametrize(("kind", "left"), [("NodePool", []), (None, []), (UNKNOWN, []), ("Pool", [(("spec", "kind"), Why.ANOTHER_WORD)])])
def test_another_word_is_listed(kind: object, left: object) -> None:
    reading = Reading()
    assert read(Table(Always("spec.kind", "NodePool")), {"spec": {"kind": kind}}, reading) == {}
    assert [(one.steps, one.why) for one in reading.left] == left


def _lent(_: object, around: object) -> object:
    return around


def test_entries_can_be_given_as_they_are_sent() -> None:
    table = Table(Each("allowed_host_ports", "ports", HOST_PORTS, always=True, compute=_lent))
    assert write(table, pool(), [{"portStart": 1}, HostPorts(start=2, end=3)]) == {
        "ports": [{"portStart": 1}, {"portStart": 2, "portEnd": 3, "protocol": "TCP"}]
    }
    assert write(table, pool(), []) == {"ports": []}, "it is sent even when empty"


def test_an_entry_has_the_effect_of_its_list_or_its_own() -> None:
    rolls, in_place = Change(Effect.ROLLS, "x"), Change(Effect.IN_PLACE, "y")
    table = Table(Each("ports", "ports", Table(Row("start", "from"), Row("end", "to", in_place)), rolls))
    assert {way.model[-1]: way.change for way in table.field_paths if len(way.model) == 3} == {"start": rolls, "end": in_place}


def test_effects_compare_by_severity_and_by_name() -> None:
    assert Effect.IN_PLACE < "rolls"
    assert Effect.ROLLS <= "rolls"
    assert Effect.REPLACES > "rolls"
    assert Effect.ROLLS >= Effect.ROLLS_SOME
    with pytest.raises(ValueError, match="explodes"):
        assert Effect.ROLLS <= "explodes"
