"""Objects read back: every field of both CRDs through its typed attribute, and findings with the object's own paths."""

import json
import re
from collections.abc import Iterator, Mapping

import pytest

from nodepools import Budget, Disruption, EksNodeClass, EksNodePool, Requirement, Taint
from nodepools.clouds.karpenter_objects import eks_node_class, node_pool
from nodepools.eks import (
    AdvancedNetworking,
    CapacityReservationTerm,
    CertificateBundle,
    NetworkInterface,
    PlacementGroup,
    SelectorTerm,
)
from nodepools.manifests.supported_kinds import EKS_CLASS, EKS_POOL, UnreadableObjectError, object_steps
from nodepools.model.karpenter import NodePool
from nodepools.model.path import path_text
from nodepools.model.schema import field_docs
from nodepools.wire.eks.node_class import NODE_CLASS
from nodepools.wire.karpenter import EKS_NODE_CLASS, node_pool_table
from nodepools.wire.rows import Each, Part, Row

CLASS = EksNodeClass(
    role="nodes",
    subnets=[SelectorTerm(id="subnet-1"), SelectorTerm(tags={"tier": "private"})],
    security_groups=[SelectorTerm(id="sg-1"), SelectorTerm(name="nodes"), SelectorTerm(tags={"aws:eks:cluster-name": "dev-use1"})],
    pod_subnets=[SelectorTerm(id="subnet-2"), SelectorTerm(tags={"tier": "pods"})],
    pod_security_groups=[SelectorTerm(id="sg-2"), SelectorTerm(tags={"tier": "pods"})],
    capacity_reservations=[CapacityReservationTerm(id="cr-1"), CapacityReservationTerm(tags={"team": "ml"}, owner="012345678901")],
    ephemeral_storage="200Gi",
    ephemeral_storage_iops=4000,
    ephemeral_storage_throughput=250,
    ephemeral_storage_kms_key_id="alias/nodes",
    network_policy="DefaultDeny",
    network_policy_event_logs="Enabled",
    snat_policy="Disabled",
    advanced_networking=AdvancedNetworking(
        https_proxy="http://proxy.example.com:3128",
        no_proxy=["localhost", ".internal"],
        associate_public_ip_address=False,
        ipv4_prefix_size="32",
        enable_v4_egress=True,
        network_interfaces=[
            NetworkInterface(secondary_ipv4_count=4),
            NetworkInterface(device_index=1, secondary_ipv4_prefix_count=0),
            NetworkInterface(network_card_index=1, device_index=1, interface_type="efa-only"),
        ],
    ),
    fips=True,
    placement_group=PlacementGroup(name="hpc", id="pg-1"),
    certificate_bundles=[CertificateBundle(name="corporate", data="LS0tLS1CRUdJTg==")],
    tags={"team": "ml"},
)
"""Everything that a NodeClass with a role can say."""

POOL = EksNodePool(
    node_class="private",
    weight=20,
    replicas=3,
    limits={"cpu": "100", "nvidia.com/gpu": "4"},
    requirements=[
        Requirement("karpenter.sh/capacity-type", "In", ["spot", "on-demand"], min_values=2),
        Requirement("eks.amazonaws.com/instance-generation", "Gte", ["5"]),
        Requirement("eks.amazonaws.com/instance-local-nvme", "Exists"),
    ],
    labels={"team": "ml"},
    annotations={"example.com/note": "x"},
    taints=[Taint("team", "ml", "NoExecute", time_added="2026-11-21T04:40:00Z"), Taint("nvidia.com/gpu")],
    startup_taints=[Taint("agent", "starting", "NoSchedule", time_added="2026-11-21T04:40:00Z")],
    disruption=Disruption(
        consolidation_policy="WhenEmpty",
        consolidate_after="5m",
        budgets=[Budget(nodes="20%"), Budget(nodes="0", schedule="0 9 * * mon-fri", duration="8h", reasons=["Drifted", "NodeNotHealthy"])],
    ),
    expire_after="300h",
    termination_grace_period="1h",
)
"""Everything that a NodePool can say; replicas beside weight is a matter of rules."""

DOCUMENTED = {
    "role",
    "instanceProfile",
    *(
        f"{list_}[].{field}"
        for list_ in ("subnetSelectorTerms", "podSubnetSelectorTerms", "podSecurityGroupSelectorTerms")
        for field in ("id", "tags")
    ),
    *(f"securityGroupSelectorTerms[].{field}" for field in ("id", "name", "tags")),
    *(f"capacityReservationSelectorTerms[].{field}" for field in ("id", "owner", "tags")),
    "snatPolicy",
    "networkPolicy",
    "networkPolicyEventLogs",
    *(f"ephemeralStorage.{field}" for field in ("size", "iops", "throughput", "kmsKeyID")),
    "tags",
    "certificateBundles[].name",
    "certificateBundles[].data",
    *(f"advancedNetworking.{field}" for field in ("httpsProxy", "noProxy", "associatePublicIPAddress", "ipv4PrefixSize", "enableV4Egress")),
    *(
        f"advancedNetworking.networkInterfaces[].{field}"
        for field in ("networkCardIndex", "deviceIndex", "interfaceType", "secondaryIPv4Count", "secondaryIPv4PrefixCount")
    ),
    "advancedSecurity.fips",
    "placementGroupSelector.name",
    "placementGroupSelector.id",
}
"""The fields of a NodeClass as the user guide of EKS and its list of changes have them, 2026-11-20."""


def class_object(declared: EksNodeClass) -> dict[str, object]:
    return eks_node_class("private", declared, str, role="cluster", subnets=[{"id": "subnet-0"}], security_groups=[{"id": "sg-0"}])


def leaves(part: object, path: str = "") -> Iterator[str]:
    """Paths of all that is set, without the place in lists; maps of one's own keys are one leaf."""
    if isinstance(part, Mapping) and path.rpartition(".")[2] not in ("tags", "labels", "annotations", "limits"):
        for key, value in part.items():
            yield from leaves(value, f"{path}.{key}" if path else key)
    elif isinstance(part, list) and part and isinstance(part[0], Mapping):
        for value in part:
            yield from leaves(value, f"{path}[]")
    else:
        yield path


def schema_leaves(schema: Mapping, path: str = "") -> Iterator[str]:
    if "properties" in schema:
        for key, value in schema["properties"].items():
            yield from schema_leaves(value, f"{path}.{key}" if path else key)
    elif schema.get("type") == "array" and "properties" in schema["items"]:
        yield from schema_leaves(schema["items"], f"{path}[]")
    else:
        yield path


@pytest.fixture
def crd(project):
    folder = project.parent / "shared" / "crds" / "eks-auto"
    if not folder.is_dir():
        pytest.skip("the CRDs of EKS Auto Mode are not at hand")
    return lambda name: json.loads((folder / name).read_text())["properties"]["spec"]


def test_every_leaf_of_the_node_class_is_set_through_its_attribute(crd):
    rendered = class_object(CLASS)
    assert set(schema_leaves(crd("eks.amazonaws.com_nodeclass_v1.json"))) <= set(leaves(rendered["spec"]))
    assert EKS_CLASS.read(rendered).whole() == ("private", CLASS)


def test_every_leaf_of_the_node_pool_is_set_through_its_attribute(crd):
    rendered = node_pool("gpu", POOL, EKS_NODE_CLASS)
    assert {*schema_leaves(crd("karpenter.sh_nodepool_v1.json")), "replicas"} == set(leaves(rendered["spec"]))
    assert EKS_POOL.read(rendered).whole() == ("gpu", POOL)


def test_a_node_class_has_the_documented_fields_and_no_other():
    profile = class_object(EksNodeClass(instance_profile="eks-nodes"))
    assert set(leaves(class_object(CLASS)["spec"])) | set(leaves(profile["spec"])) == DOCUMENTED
    assert set(table_leaves(NODE_CLASS)) - {f"pod{kind}SelectorTerms[].name" for kind in ("Subnet", "SecurityGroup")} == DOCUMENTED | {
        "subnetSelectorTerms[].name"  # refused by a rule that says what to write
    }


SINCE = {
    "EksNodeClass": {
        "instance_profile": "2025-09-30",
        "pod_subnets": "2025-06-13",
        "pod_security_groups": "2025-06-13",
        "capacity_reservations": "2025-06-20",
        "ephemeral_storage_kms_key_id": "2025-04-11",
        "certificate_bundles": "2025-04-11",
        "fips": "2025-10-23",
        "placement_group": "2026-05-05",
    },
    "AdvancedNetworking": {
        "https_proxy": "2025-04-30",
        "no_proxy": "2025-04-30",
        "associate_public_ip_address": "2025-08-06",
        "ipv4_prefix_size": "2025-12-19",
        "enable_v4_egress": "2026-02-02",
        "network_interfaces": "2026-07-21",
    },
    "NodePool": {"replicas": "2025-11-19"},
    "Disruption": {"consolidation_policy": "2026-07-27"},
}
"""When AWS's list of changes has the fields that came after the stored schema; all others are as old as Auto Mode."""


def test_newer_fields_say_since_when_they_are_there():
    models = (EksNodeClass, AdvancedNetworking, NodePool, Disruption)
    dates = {model.__name__: {name: re.findall(r"[Ss]ince\s+([0-9-]{10})", text) for name, text in field_docs(model).items()} for model in models}
    assert {model: {name: date for name, said in found.items() for date in said} for model, found in dates.items()} == SINCE


def table_leaves(table, path=""):
    for row in table.rows:
        here = f"{path}{getattr(row, 'wire', '')}"
        if isinstance(row, Part | Each):
            yield from table_leaves(row.rows, f"{here}[]." if isinstance(row, Each) else f"{here}.")
        elif isinstance(row, Row):
            yield here


@pytest.mark.parametrize(
    "declared",
    [
        pytest.param(CLASS, id="everything"),
        pytest.param(
            EksNodeClass(instance_profile="eks-nodes", subnets=[SelectorTerm(id="subnet-0")], security_groups=[SelectorTerm(id="sg-0")]),
            id="a profile",
        ),
        pytest.param(EksNodeClass(role="cluster", subnets=[SelectorTerm(id="subnet-0")], security_groups=[SelectorTerm(id="sg-0")]), id="defaults"),
    ],
)
def test_a_class_comes_back_as_it_was(declared):
    assert EKS_CLASS.read(class_object(declared)).whole() == ("private", declared)


@pytest.mark.parametrize(
    "declared",
    [
        pytest.param(POOL, id="everything"),
        pytest.param(EksNodePool(node_class="default"), id="nothing but a class"),
        pytest.param(EksNodePool(node_class="default", labels={"nodepools/name": "other"}), id="a label of ours that says something else"),
    ],
)
def test_a_pool_comes_back_as_it_was(declared):
    assert EKS_POOL.read(node_pool("web", declared, EKS_NODE_CLASS)).whole() == ("web", declared)


LIVE = {
    "apiVersion": "karpenter.sh/v1",
    "kind": "NodePool",
    "metadata": {"name": "general-purpose", "labels": {"app.kubernetes.io/managed-by": "eks"}, "uid": "0", "generation": 1},
    "spec": {
        "disruption": {"budgets": [{"nodes": "10%"}], "consolidateAfter": "30s", "consolidationPolicy": "WhenEmptyOrUnderutilized"},
        "template": {
            "metadata": {},
            "spec": {
                "expireAfter": "336h",
                "nodeClassRef": {"group": "eks.amazonaws.com", "kind": "NodeClass", "name": "default"},
                "requirements": [{"key": "kubernetes.io/arch", "operator": "In", "values": ["amd64"]}],
                "taints": None,
            },
        },
        "weight": None,
    },
    "status": {"conditions": []},
}


def test_what_a_cluster_adds_is_no_matter():
    name, pool = EKS_POOL.read(LIVE).whole()
    assert (name, pool.node_class, pool.disruption.consolidate_after, pool.weight, pool.taints) == ("general-purpose", "default", "30s", None, ())


def changed(path: str, value: object) -> dict[str, object]:
    """LIVE, with one thing in it changed."""
    copy = json.loads(json.dumps(LIVE))
    *steps, last = path.split(".")
    here = copy
    for step in steps:
        here = here[step]
    here[last] = value
    return copy


@pytest.mark.parametrize(
    ("path", "value", "code", "at"),
    [
        pytest.param("spec.wieght", 10, "CFG002", "spec.wieght", id="a misspelt field"),
        pytest.param("spec.template.spec.kubelet", {}, "CFG002", "spec.template.spec.kubelet", id="a field of a former version"),
        pytest.param("spec.weight", 200, "CFG007", "spec.weight", id="a number out of range"),
        pytest.param("spec.template.spec.expireAfter", "14d", "CFG009", "spec.template.spec.expireAfter", id="a duration in days"),
        pytest.param("spec.disruption.consolidateAfter", "x", "CFG009", "spec.disruption.consolidateAfter", id="a part's own field"),
        pytest.param(
            "spec.template.spec.requirements",
            [{"key": "team", "operator": "Is", "values": ["ml"]}],
            "CFG005",
            "spec.template.spec.requirements[0].operator",
            id="a field of an entry of a list",
        ),
        pytest.param("spec.template.spec.requirements", "team=ml", "CFG004", "spec.template.spec.requirements", id="text for a list"),
        pytest.param("spec.template.spec.requirements", ["team"], "CFG003", "spec.template.spec.requirements[0]", id="text for an entry"),
        pytest.param(
            "spec.template.spec.nodeClassRef.kind", "EC2NodeClass", "CFG003", "spec.template.spec.nodeClassRef.kind", id="another kind of class"
        ),
        pytest.param(
            "spec.template.spec.nodeClassRef", {"name": "x", "kind": "NodeClass"}, "CFG001", "spec.template.spec.nodeClassRef.group", id="no group"
        ),
        pytest.param("spec.template.metadata", "x", "CFG004", "spec.template.metadata", id="text for a mapping"),
        pytest.param("spec", "x", "CFG004", "spec", id="text for all of it"),
        pytest.param("apiVersion", "karpenter.sh/v1beta1", "CFG003", "apiVersion", id="a former version"),
        pytest.param("metadata", {}, "CFG001", "metadata.name", id="no name"),
    ],
)
def test_what_is_wrong_is_told_where_the_object_has_it(path, value, code, at):
    with pytest.raises(UnreadableObjectError) as refused:
        EKS_POOL.read(changed(path, value)).whole()
    assert (refused.value.findings[0].code, refused.value.findings[0].path) == (code, at)


def test_a_kind_of_another_group_can_be_right():
    with pytest.raises(UnreadableObjectError) as refused:
        EKS_POOL.read(changed("spec.template.spec.nodeClassRef.kind", "EC2NodeClass")).whole()
    assert "fix: Set `kind` to `NodeClass` or `group` to `karpenter.k8s.aws`" in str(refused.value)


def test_all_is_told_at_once():
    with pytest.raises(UnreadableObjectError) as refused:
        EKS_POOL.read(changed("spec", {"weight": 0, "wieght": 1, "template": {"spec": {"requirements": []}}})).whole()
    paths = [finding.path for finding in refused.value.findings]
    assert paths == ["spec.wieght", "spec.template.spec.nodeClassRef", "spec.weight"]
    assert "`wieght` is not a field of this object" in str(refused.value)
    assert "fix: Remove it\n" in str(refused.value)


def test_a_field_of_self_hosted_karpenter_is_known_as_such():
    written = {"apiVersion": "eks.amazonaws.com/v1", "kind": "NodeClass", "metadata": {"name": "x"}, "spec": {"amiFamily": "AL2023"}}
    with pytest.raises(UnreadableObjectError) as refused:
        EKS_CLASS.read(written).whole()
    finding, *_ = refused.value.findings
    assert finding.path == "spec.amiFamily"
    assert finding.message == "`amiFamily` is a field of `EC2NodeClass` (self-managed Karpenter), and not accepted here"
    assert [(one.op, one.path) for one in finding.fix.operations] == [("remove", ("spec", "amiFamily"))]


@pytest.mark.parametrize(
    ("steps", "path"),
    [
        pytest.param(("weight",), "spec.weight", id="a field"),
        pytest.param(("requirements", 2, "min_values"), "spec.template.spec.requirements[2].minValues", id="a field of an entry"),
        pytest.param(("taints", 0), "spec.template.spec.taints[0]", id="an entry"),
        pytest.param(("disruption", "budgets", 0, "nodes"), "spec.disruption.budgets[0].nodes", id="a part of a part"),
        pytest.param(("labels", "a/b"), 'spec.template.metadata.labels["a/b"]', id="an entry of a map"),
        pytest.param((), "spec", id="all of it"),
        pytest.param(("timeouts", "create"), "spec.timeouts.create", id="what objects have not, in our words"),
    ],
)
def test_paths_of_rules_are_told_as_the_object_spells_them(steps, path):
    assert path_text(object_steps(node_pool_table(EKS_NODE_CLASS), steps)) == path


@pytest.mark.parametrize(
    ("metadata", "code", "advice"),
    [
        pytest.param({}, "CFG001", "`name` is required / Add a name", id="no name"),
        pytest.param(
            {"generateName": "web-"},
            "CFG001",
            "`name` is required: only `kubectl create` makes one from `generateName`; `kubectl apply` and Pulumi do not / Add a name",
            id="one that the server makes",
        ),
        pytest.param({"name": 3}, "CFG004", "`name` must be text / Write it in quotes", id="a number"),
        pytest.param(
            {"name": False},
            "CFG004",
            "`name` must be text / Write it in quotes: without them, Kubernetes reads `n`, `no`, `off` and `false` as false",
            id="a word that YAML reads as false",
        ),
        pytest.param(
            {"name": "web", "labels": {"a": True}},
            "CFG004",
            "`a` must be text / Write it in quotes: without them, Kubernetes reads `y`, `yes`, `on` and `true` as true",
            id="as true",
        ),
    ],
)
def test_names_that_are_none(metadata: dict[str, object], code: str, advice: str) -> None:
    found = EKS_POOL.read({"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": metadata}).findings
    told = [(one.code, f"{one.message} / {one.fix.text}") for one in found if one.steps[:1] == ("metadata",) and one.fix is not None]
    assert told == [(code, advice)]
