"""Every field of the custom resources of node auto provisioning: set by its typed attribute, written, and read back the same."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from nodepools import AksNodeClass, AksNodePool
from nodepools.clouds.karpenter_objects import aks_node_class, node_pool
from nodepools.manifests.supported_kinds import AKS_CLASS, AKS_POOL, UnreadableObjectError
from nodepools.wire.aks.node_class import NODE_CLASS
from nodepools.wire.karpenter import AKS_NODE_CLASS, node_pool_table
from nodepools.wire.rows import Always, Each, Note, Part, Row
from nodepools.wire.table import AnyRow, Table

CRDS = Path(__file__).parents[3] / "shared" / "crds" / "aks"
SUBNET = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/v/subnets/n"
SAMPLES: Mapping[str, object] = {
    "containerLogMaxSize": "20Mi",
    "swapFileSize": "1Gi",
    "netIPv4IPLocalPortRange": "32768 60999",
    "cacheDuration": "90s",
    "serveStaleDuration": "2h",
    "vnetSubnetID": SUBNET,
    "cpuCFSQuotaPeriod": "50ms",
    "imageGCHighThresholdPercent": 90,
    "consolidateAfter": "5m",
    "expireAfter": "48h",
    "terminationGracePeriod": "1h30m",
    "nodes": "20%",
    "schedule": "0 9 * * mon",
    "duration": "8h",
    "operator": "In",
    "timeAdded": "2026-11-21T04:40:00Z",
    "limits": {"cpu": "100", "memory": "400Gi"},
    "minValues": 1,
}
"""What the schema admits, where it does not say so in a way that a program reads."""

NEWER = {"secure_boot", "vtpm"}
"""Attributes of fields that came after the stored schema: trusted launch."""


def schema(file: str, version: str) -> dict[str, Any]:
    path = CRDS / file
    if not path.exists():
        pytest.skip(f"no {file} beside the project")
    crd = yaml.safe_load(path.read_text())
    [served] = [one for one in crd["spec"]["versions"] if one["name"] == version]
    return served["schema"]["openAPIV3Schema"]["properties"]["spec"]


def sample(name: str, leaf: dict[str, Any]) -> object:
    """A value that is not the default."""
    if name in SAMPLES:
        return SAMPLES[name]
    if "enum" in leaf:
        return next(word for word in leaf["enum"] if word != leaf.get("default"))
    if leaf.get("type") == "array":
        return [sample(name, leaf["items"])]
    if leaf.get("type") == "object":
        return {"a": "b"}
    return {"boolean": True, "integer": max(leaf.get("minimum", 0), 3)}.get(leaf.get("type", ""), "x")


def leaves(part: dict[str, Any], path: str = "") -> Iterator[str]:
    """What the schema lets be said."""
    if part.get("type") == "object" and "properties" in part:
        for name, inner in part["properties"].items():
            yield from leaves(inner, f"{path}.{name}")
    elif part.get("type") == "array" and "properties" in part["items"]:
        yield from leaves(part["items"], f"{path}[]")
    else:
        yield path


def said(value: object, known: set[str], path: str = "") -> Iterator[str]:
    """What an object says."""
    if path in known:
        yield path
    elif isinstance(value, Mapping):
        for name, inner in value.items():
            yield from said(inner, known, f"{path}.{name}")
    elif isinstance(value, list):
        for inner in value:
            yield from said(inner, known, f"{path}[]")
    else:
        yield f"not in the schema: {path}"


def attributes(table: Table, part: dict[str, Any], path: str = "") -> dict[str, Any]:
    """A value for the typed attribute of every leaf; one that has none is told by its path."""
    made: dict[str, Any] = {}
    rows = {row.wire: row for row in table.rows if not isinstance(row, Note)}
    for name, inner in fields(part, rows):
        match rows.get(name):
            case Row(field=attribute):
                made[attribute] = sample(name.rpartition(".")[2], inner)
            case Part(field=attribute, rows=own):
                made[attribute] = attributes(own, inner, f"{path}.{name}")
            case Each(field=attribute, rows=own):
                made[attribute] = [attributes(own, inner["items"], f"{path}.{name}[]")]
            case row:
                assert isinstance(row, Always), f"{path}.{name} has no attribute"
    return made


def fields(part: dict[str, Any], rows: Mapping[str, AnyRow], above: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """The places of the schema, down to where a row has one."""
    for name, inner in part["properties"].items():
        here = f"{above}{name}"
        if here not in rows and any(place.startswith(f"{here}.") for place in rows):
            yield from fields(inner, rows, f"{here}.")
        else:
            yield here, inner


def test_every_field_of_an_aks_node_class_is_typed_written_and_read_back() -> None:
    spec = schema("karpenter.azure.com_aksnodeclasses.yaml", "v1beta1")
    given = attributes(NODE_CLASS, spec)
    assert set(given) | NEWER == set(AksNodeClass.model_fields) - {"timeouts", "overrides"}
    declared = AksNodeClass(**given)
    made = aks_node_class("all", declared, str)
    assert made["metadata"] == {"name": "all", "annotations": {"pulumi.com/waitFor": "condition=Ready"}}
    assert set(said(made["spec"], set(leaves(spec)))) == set(leaves(spec))
    assert AKS_CLASS.read(made).whole() == ("all", declared)


def test_every_field_of_a_node_pool_is_typed_written_and_read_back() -> None:
    spec = schema("karpenter.sh_nodepools.yaml", "v1")
    given = attributes(node_pool_table(AKS_NODE_CLASS), spec)
    assert set(given) == set(AksNodePool.model_fields) - {"kind", "timeouts", "overrides", "maintenance", "labeled", "owner", "headroom"}, (
        "maintenance is written as budgets, labeled as a label, headroom as objects of its own"
    )
    declared = AksNodePool(**given)
    made = node_pool("all", declared, AKS_NODE_CLASS)
    assert set(said(made["spec"], set(leaves(spec)))) == set(leaves(spec))
    assert AKS_POOL.read(made).whole() == ("all", declared)


@pytest.mark.parametrize(
    ("spec", "found"),
    [
        pytest.param({"LocalDNS": {}}, "spec.LocalDNS", id="a capital too many"),
        pytest.param({"security": {"encryptionatHost": True}}, "spec.security.encryptionatHost", id="a capital too few"),
        pytest.param({"gpu": {"mode": "driver"}}, "spec.gpu.mode", id="a word in another case"),
        pytest.param({"linuxOSConfig": {"netCoreSomaxconn": 4096}}, "spec.linuxOSConfig.netCoreSomaxconn", id="kernel settings beside sysctls"),
        pytest.param({"imageVersion": "1"}, "spec.imageVersion", id="a field of an old version"),
        pytest.param({"imageFamily": "AzureContainerLinux"}, "spec.imageFamily", id="an image that is none"),
    ],
)
def test_samples_that_are_wrong_are_told_with_their_path(spec: dict[str, object], found: str) -> None:
    manifest = {"apiVersion": "karpenter.azure.com/v1beta1", "kind": "AKSNodeClass", "metadata": {"name": "a"}, "spec": spec}
    with pytest.raises(UnreadableObjectError) as refused:
        AKS_CLASS.read(manifest).whole()
    assert [finding.path for finding in refused.value.findings] == [found]


def test_local_dns_is_read_in_full_only() -> None:
    manifest = {
        "apiVersion": "karpenter.azure.com/v1beta1",
        "kind": "AKSNodeClass",
        "metadata": {"name": "a"},
        "spec": {"localDNS": {"mode": "Disabled"}},
    }
    with pytest.raises(UnreadableObjectError) as refused:
        AKS_CLASS.read(manifest).whole()
    assert sorted(finding.path for finding in refused.value.findings) == ["spec.localDNS.kubeDNSOverrides", "spec.localDNS.vnetDNSOverrides"]
