"""The tables of NodePools and node classes have every field of the model and every property of the schema."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, get_args

import pytest
import yaml

from nodepools.model.base import Model
from nodepools.wire.aks import node_class as aks
from nodepools.wire.eks import ec2_node_class as ec2
from nodepools.wire.eks import node_class as eks
from nodepools.wire.rows import Always, Each, Note, Part, Row
from nodepools.wire.table import Table
from tests.wire.object_tables import AKS_POOL, EKS_POOL, each_table

CRDS = Path(__file__).parents[3] / "shared" / "crds"


def inner_models(annotation: object) -> Iterator[type[Model]]:
    if isinstance(annotation, type) and issubclass(annotation, Model):
        yield annotation
    for inside in get_args(annotation):
        yield from inner_models(inside)


def parts(table: Table, model: type[Model]) -> Iterator[tuple[Table, type[Model]]]:
    """A table and the model it is of, and those inside."""
    yield table, model
    for row in table.rows:
        if isinstance(row, Part | Each):
            yield from parts(row.rows, next(inner_models(model.model_fields[row.field].annotation)))


@each_table
def test_every_field_of_the_model_has_one_row(table: Table, model: type[Model]) -> None:
    for rows, of in parts(table, model):
        fields = [str(way.model[0]) for way in rows.leaves if len(way.model) == 1]
        assert sorted(fields) == sorted(of.model_fields), of.__name__


@each_table
def test_a_field_that_no_object_has_says_why(table: Table, model: type[Model]) -> None:
    del model
    assert [row.name for row in table.rows if isinstance(row, Note) and not row.why] == []


def places(table: Table, above: str = "") -> Iterator[str]:
    """What rows have on the wire, to the last level."""
    for row in table.rows:
        if isinstance(row, Part | Each):
            yield from places(row.rows, f"{above}{row.wire}{'[]' if isinstance(row, Each) else ''}.")
        elif isinstance(row, Row | Always):
            yield f"{above}{row.wire}"


def properties(schema: Mapping[str, Any], above: str = "") -> Iterator[str]:
    if "properties" in schema:
        for name, inner in schema["properties"].items():
            yield from properties(inner, f"{above}.{name}" if above else name)
    elif schema.get("type") == "array" and "properties" in schema["items"]:
        yield from properties(schema["items"], f"{above}[]")
    else:
        yield above


def spec_of(file: str, version: str) -> Mapping[str, Any]:
    path = CRDS / file
    if not path.exists():
        pytest.skip(f"{file} is not beside the project")
    read = json.loads(path.read_text()) if path.suffix == ".json" else yaml.safe_load(path.read_text())
    versions = [one["schema"]["openAPIV3Schema"] for one in read["spec"]["versions"] if one["name"] == version] if "spec" in read else [read]
    return versions[0]["properties"]["spec"]


TERMS = ("podSubnetSelectorTerms", "podSecurityGroupSelectorTerms", "capacityReservationSelectorTerms")
SINCE_2024 = {
    "instanceProfile",
    *(f"{list_}[].{field}" for list_ in TERMS for field in ("id", "tags")),
    "capacityReservationSelectorTerms[].owner",
    "ephemeralStorage.kmsKeyID",
    *(f"advancedNetworking.{field}" for field in ("httpsProxy", "noProxy", "associatePublicIPAddress", "ipv4PrefixSize", "enableV4Egress")),
    *(f"advancedNetworking.networkInterfaces[].{row.wire}" for row in eks.INTERFACE.rows if isinstance(row, Row)),
    "advancedSecurity.fips",
    *("placementGroupSelector.name", "placementGroupSelector.id", "certificateBundles[].name", "certificateBundles[].data"),
}
"""Fields of a NodeClass that are younger than the schema at hand, with their dates in the model."""
NO_NAMES = {f"{list_}[].name" for list_ in ("subnetSelectorTerms", *TERMS[:2])}
"""One model for all terms: a rule reports a name where only security groups of nodes have one."""
SERVED: list[tuple[str, Table, str, str, set[str]]] = [
    ("NodePool of EKS", EKS_POOL, "eks-auto/karpenter.sh_nodepool_v1.json", "", {"replicas"}),
    ("NodePool of AKS", AKS_POOL, "aks/karpenter.sh_nodepools.yaml", "v1", set()),
    ("NodePool of Karpenter", AKS_POOL, "karpenter/karpenter.sh_nodepools.yaml", "v1", set()),
    ("NodeClass", eks.NODE_CLASS, "eks-auto/eks.amazonaws.com_nodeclass_v1.json", "", SINCE_2024 | NO_NAMES),
    ("EC2NodeClass", ec2.NODE_CLASS, "karpenter/karpenter.k8s.aws_ec2nodeclasses.yaml", "v1", set()),
    (
        "AKSNodeClass",
        aks.NODE_CLASS,
        "aks/karpenter.azure.com_aksnodeclasses.yaml",
        "v1beta1",
        {"security.trustedLaunch.secureBoot", "security.trustedLaunch.vtpm"},  # newer than Karpenter 1.14
    ),
]


@pytest.mark.parametrize(("table", "file", "version", "more"), [row[1:] for row in SERVED], ids=[row[0] for row in SERVED])
def test_every_property_of_the_schema_has_a_row(table: Table, file: str, version: str, more: set[str]) -> None:
    """Of `spec`: version, kind and metadata are those of every object, and only the cluster writes `status`."""
    schema = set(properties(spec_of(file, version)))
    assert sorted(schema - set(places(table))) == []
    assert set(places(table)) - schema == more


def test_kernel_settings_have_the_acronyms_of_the_object() -> None:
    assert [aks.sysctl_name(name) for name in ("vm_swappiness", "net_ipv4_ip_local_port_range", "net_ipv4_neigh_default_gc_thresh1")] == [
        "vmSwappiness",
        "netIPv4IPLocalPortRange",
        "netIPv4NeighDefaultGcThresh1",
    ]
