"""Names and paths between here and there."""

import pytest

from nodepools import AksClusterArgs, EksClusterArgs
from nodepools.plugin.provider import field_name, wire_name, wire_steps

NAMES = {
    "one word": ("pools", "pools"),
    "several": ("vm_size", "vmSize"),
    "with digits": ("enable_v4_egress", "enableV4Egress"),
    "a word that begins with a capital": ("_vm_size", "VmSize"),
    "capitals in a row": ("subnet_i_d", "subnetID"),
    "an underscore of the caller's own": ("vm__size", "vm_size"),
}


@pytest.mark.parametrize("case", NAMES)
def test_names_go_both_ways(case):
    ours, theirs = NAMES[case]
    assert (wire_name(ours), field_name(theirs)) == (theirs, ours)


PATHS = {
    "fields": (AksClusterArgs, ["system_pool", "taints", 0, "key"], ["systemPool", "taints", 0, "key"]),
    "keys of the caller's own": (AksClusterArgs, ["pools", "node_pools", "node_public_ip"], ["pools", "node_pools", "nodePublicIp"]),
    "keys that read like fields": (AksClusterArgs, ["pools", "web", "labels", "vm_size"], ["pools", "web", "labels", "vm_size"]),
    "a part of its own kind": (
        AksClusterArgs,
        ["pools", "web", "previous", "previous", "vm_size"],
        ["pools", "web", "previous", "previous", "vmSize"],
    ),
    "a field of one of several kinds": (EksClusterArgs, ["network", "private_subnet_ids", 1], ["network", "privateSubnetIds", 1]),
    "a field that is not there": (EksClusterArgs, ["auto_mode", "node__pools"], ["autoMode", "node_pools"]),
    "what is taken as it is": (
        EksClusterArgs,
        ["add_ons", "coredns", "configuration", "some_key"],
        ["addOns", "coredns", "configuration", "some_key"],
    ),
}


@pytest.mark.parametrize("case", PATHS)
def test_paths(case):
    whole, ours, theirs = PATHS[case]
    assert wire_steps(ours, whole) == theirs
