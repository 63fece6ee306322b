"""What changes Karpenter's hash, and what does not: pairs that were compared with Karpenter's own libraries (docs/facts)."""

from dataclasses import replace
from datetime import date

import pytest

from nodepools.changes.drift import aks_node_class_hash, drift, duration, node_pool_hash, of_aks_node_class, of_ec2_node_class, of_node_pool
from nodepools.changes.request_changes import request_changes
from nodepools.clouds.change import Change
from nodepools.clouds.karpenter_requests import object_request
from nodepools.data.karpenter_releases import KarpenterRelease, karpenter_release
from nodepools.wire.table import Effect

CLASS = {"group": "karpenter.azure.com", "kind": "AKSNodeClass", "name": "default"}
ZONE, TEAM = "topology.kubernetes.io/zone", "example.com/team"


def pool(metadata=None, **spec: object) -> dict[str, object]:
    template: dict[str, object] = {"spec": {"nodeClassRef": CLASS, "requirements": [], **spec}}
    return {"template": template if metadata is None else {**template, "metadata": metadata}}


TAINT, OTHER = {"key": "a", "value": "b", "effect": "NoSchedule"}, {"key": "c", "effect": "NoSchedule"}
BARE = {"key": "a", "effect": "NoSchedule"}
POOLS = {
    "labels: {}": (pool({}), pool({"labels": {}}), True),
    "metadata: {}": (pool(), pool({}), False),
    "annotations: {}": (pool(), pool({"annotations": {}}), True),
    "taints: []": (pool(), pool(taints=[]), True),
    "startupTaints: []": (pool(), pool(startupTaints=[]), True),
    "a label": (pool({"labels": {"a": "b"}}), pool({"labels": {"a": "c"}}), True),
    "taints in another order": (pool(taints=[TAINT, OTHER]), pool(taints=[OTHER, TAINT]), False),
    "a taint twice": (pool(taints=[TAINT]), pool(taints=[TAINT, TAINT]), True),
    "a taint three times": (pool(taints=[TAINT]), pool(taints=[TAINT, TAINT, TAINT]), False),
    "a taint twice next to another one": (pool(taints=[OTHER]), pool(taints=[TAINT, OTHER, TAINT]), False),
    "a taint moved to startupTaints": (pool(taints=[TAINT]), pool(startupTaints=[TAINT]), True),
    "the value of a taint removed": (pool(taints=[TAINT]), pool(taints=[BARE]), True),
    "an empty value of a taint": (pool(taints=[BARE]), pool(taints=[{**BARE, "value": ""}]), False),
    "an empty value of a startup taint": (pool(startupTaints=[{**BARE, "value": ""}]), pool(startupTaints=[BARE]), False),
    "a label with an empty value": (pool({"labels": {"a": "b"}}), pool({"labels": {"a": "b", "value": ""}}), True),
    "metadata with nothing that is hashed": (pool(), pool({"labels": None, "creationTimestamp": None}), False),
    "a duration respelled": (pool(expireAfter="24h"), pool(expireAfter="1440m"), False),
    "30m and 1800s": (pool(terminationGracePeriod="30m"), pool(terminationGracePeriod="1800s"), False),
    "the default of expireAfter": (pool(), pool(expireAfter="720h"), False),
    "Never": (pool(expireAfter="Never"), pool(), True),
    "a grace period of zero": (pool(), pool(terminationGracePeriod="0s"), True),
    "requirements": (pool(), pool(requirements=[{"key": ZONE, "operator": "Exists"}]), False),
    "weight": (pool(), {**pool(), "weight": 5}, False),
    "disruption": (pool(), {**pool(), "disruption": {"consolidateAfter": "5m"}}, False),
}


@pytest.mark.parametrize(("old", "new", "drifts"), POOLS.values(), ids=POOLS)
def test_node_pool(old, new, drifts):
    assert (of_node_pool(old, "720h") != of_node_pool(new, "720h")) is drifts
    assert (node_pool_hash(old) != node_pool_hash(new)) is drifts


def test_null_is_absent():
    """Templates of charts write `labels:` with nothing below it. The API server drops it, and fills in the default."""
    written, without = pool({"labels": None}, expireAfter=None, taints=[{**BARE, "value": None}]), pool({}, taints=[BARE])
    base = {"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": {"name": "a"}}
    one, other = (object_request({**base, "spec": spec}) for spec in (written, without))
    assert one == other


CLASSES = {
    "tags": ({}, {"tags": {"a": "b"}}, False),
    "a default at the top": ({}, {"imageFamily": "Ubuntu", "osDiskSizeGB": 128}, False),
    "another image": ({}, {"imageFamily": "AzureLinux"}, True),
    "an empty gpu block": ({}, {"gpu": {}}, True),
    "a default inside a block": ({"gpu": {}}, {"gpu": {"mode": "Driver"}}, False),
    "a default of the kubelet": ({"kubelet": {}}, {"kubelet": {"containerLogMaxFiles": 5}}, False),
    "an empty kubelet block": ({}, {"kubelet": {}}, True),
    "security: {}": ({}, {"security": {}}, True),
    "fipsMode: Disabled": ({}, {"fipsMode": "Disabled"}, True),
    "artifactStreaming off": ({}, {"artifactStreaming": {"enabled": False}}, True),
    "a quota period respelled": ({"kubelet": {"cpuCFSQuotaPeriod": "100ms"}}, {"kubelet": {"cpuCFSQuotaPeriod": "0.1s"}}, False),
    "sysctls in another order": (
        {"kubelet": {"allowedUnsafeSysctls": ["a", "b"]}},
        {"kubelet": {"allowedUnsafeSysctls": ["b", "a"]}},
        False,
    ),
    "a size respelled": ({"kubelet": {"containerLogMaxSize": "50Mi"}}, {"kubelet": {"containerLogMaxSize": "51200Ki"}}, True),
    "a subnet in another case": ({"vnetSubnetID": "/a/B"}, {"vnetSubnetID": "/a/b"}, True),
    "true is not 1": ({"kubelet": {"podPidsLimit": 1}}, {"kubelet": {"podPidsLimit": True}}, True),
}


@pytest.mark.parametrize(("old", "new", "drifts"), CLASSES.values(), ids=CLASSES)
def test_aks_node_class(old, new, drifts):
    assert (of_aks_node_class(old) != of_aks_node_class(new)) is drifts
    assert (aks_node_class_hash(old) != aks_node_class_hash(new)) is drifts


AUTO_MODE = {
    "ephemeralStorage": {"iops": 3000, "size": "80Gi", "throughput": 125},
    "networkPolicy": "DefaultAllow",
    "networkPolicyEventLogs": "Disabled",
    "snatPolicy": "Random",
}
"""All defaults of the CRD of NodeClasses of EKS Auto Mode: the API server had filled them in."""


@pytest.mark.parametrize("field", AUTO_MODE)
def test_a_default_of_a_node_class_of_auto_mode_changes_nothing(field):
    base = {"apiVersion": "eks.amazonaws.com/v1", "kind": "NodeClass", "metadata": {"name": "a"}}
    one, other = (object_request({**base, "spec": spec}) for spec in ({"role": "nodes"}, {"role": "nodes", field: AUTO_MODE[field]}))
    assert one is not None
    assert other is not None
    day = date(2026, 12, 1)
    assert {change.effect.value for pair in ((one, other), (other, one)) for change in request_changes(*pair, day)} <= {"none"}


@pytest.mark.parametrize(
    ("text", "length"),
    [("1h30m", 5400), ("100ms", 0.1), ("0.1s", 0.1), ("479h60m", 1728000), ("0s", 0), ("", None), ("5", None), ("1d", None), ("h", None)],
)
def test_duration(text, length):
    assert duration(text) == length


def needs(key: str, operator: str, *values: str) -> dict[str, object]:
    return {"key": key, "operator": operator, **({"values": list(values)} if values else {})}


REQUIREMENTS = {
    "nothing": ([], [], "in_place"),
    "minValues": ([needs(ZONE, "In", "a")], [{**needs(ZONE, "In", "a"), "minValues": 1}], "in_place"),
    "another operator with the same meaning": ([needs("n", "Gt", "3")], [needs("n", "Gte", "4")], "in_place"),
    "widened": ([needs(ZONE, "In", "a")], [needs(ZONE, "In", "a", "b")], "in_place"),
    "removed": ([needs(ZONE, "In", "a")], [], "in_place"),
    "narrowed": ([needs(ZONE, "In", "a", "b")], [needs(ZONE, "In", "a")], "rolls_some"),
    "other values": ([needs(ZONE, "In", "westeurope-1")], [needs(ZONE, "In", "1")], "rolls"),
    "a label of machines": ([], [needs("karpenter.azure.com/sku-cpu", "Lt", "9")], "rolls_some"),
    "a key that no claim has, In": ([], [needs(TEAM, "In", "a")], "rolls"),
    "a key that no claim has, Exists": ([], [needs(TEAM, "Exists")], "rolls"),
    "a key that no claim has, Gt": ([], [needs(TEAM, "Gt", "3")], "rolls"),
    "a key that no claim has, NotIn": ([], [needs(TEAM, "NotIn", "a")], "in_place"),
    "a key that no claim has, DoesNotExist": ([], [needs(TEAM, "DoesNotExist")], "in_place"),
    "excluded after any": ([needs(TEAM, "Exists")], [needs(TEAM, "NotIn", "a")], "rolls_some"),
    "a range within another": ([needs("n", "Gt", "5")], [needs("n", "Gt", "3")], "in_place"),
    "a range across another": ([needs("n", "Gt", "3")], [needs("n", "Gt", "5")], "rolls_some"),
    "an upper bound": ([needs("n", "Lt", "3")], [needs("n", "Lt", "2")], "rolls_some"),
    "absent before and allowed to be": ([needs(TEAM, "DoesNotExist")], [needs(TEAM, "NotIn", "a")], "in_place"),
    "absent before and required now": ([needs(TEAM, "DoesNotExist")], [needs(TEAM, "Exists")], "rolls"),
    "an old name of a label": ([needs(ZONE, "In", "a")], [needs("failure-domain.beta.kubernetes.io/zone", "In", "a")], "in_place"),
    "excluded, then finite": ([needs(TEAM, "NotIn", "a")], [needs(TEAM, "In", "b")], "rolls_some"),
    "possibly absent, then required": ([needs(TEAM, "NotIn", "a")], [needs(TEAM, "Exists")], "rolls_some"),
    "an operator that does not exist": ([], [needs(TEAM, "Like", "a")], "unknown"),
    "every node has a zone": ([], [needs(ZONE, "Exists")], "in_place"),
    "every node has a machine": ([], [needs("node.kubernetes.io/instance-type", "DoesNotExist")], "rolls"),
    "both architectures": ([], [needs("kubernetes.io/arch", "In", "arm64", "amd64")], "in_place"),
    "one architecture": ([], [needs("kubernetes.io/arch", "In", "arm64")], "rolls_some"),
    "no machine has more": ([], [needs("karpenter.azure.com/sku-memory", "Lt", "256")], "rolls"),
}
KINDS = {
    "nodes of node auto provisioning run Linux": ("AKSNodeClass", needs("kubernetes.io/os", "In", "linux"), "in_place"),
    "none of them runs Windows": ("AKSNodeClass", needs("kubernetes.io/os", "In", "windows"), "rolls"),
    "nodes of EC2 run either": ("EC2NodeClass", needs("kubernetes.io/os", "In", "linux"), "rolls_some"),
    "no node of AKS is in zone 1": ("AKSNodeClass", needs(ZONE, "In", "1", "2"), "rolls"),
    "nor is it left out": ("AKSNodeClass", needs(ZONE, "NotIn", "1"), "in_place"),
    "a node of AKS can be in no zone": ("AKSNodeClass", needs(ZONE, "In", "0"), "rolls_some"),
    "a zone of AKS": ("AKSNodeClass", needs(ZONE, "In", "westeurope-1", "2"), "rolls_some"),
    "the id of a zone is not its name": ("NodeClass", needs(ZONE, "In", "use1-az1"), "rolls"),
    "a zone of AWS": ("NodeClass", needs(ZONE, "In", "us-east-1a"), "rolls_some"),
    "GiB for MiB": ("AKSNodeClass", needs("karpenter.azure.com/sku-memory", "In", "16"), "rolls"),
    "a minimum in GiB": ("NodeClass", needs("eks.amazonaws.com/instance-memory", "Gt", "16"), "in_place"),
    "labels of self-managed Karpenter": ("NodeClass", needs("karpenter.k8s.aws/instance-cpu", "Gt", "2"), "rolls"),
    "which are left out": ("NodeClass", needs("karpenter.k8s.aws/instance-family", "NotIn", "t3"), "in_place"),
    "its own are those of its machines": ("EC2NodeClass", needs("karpenter.k8s.aws/instance-cpu", "Gt", "2"), "rolls_some"),
}


@pytest.mark.parametrize(("kind", "new", "effect"), KINDS.values(), ids=KINDS)
def test_requirements_on_labels_of_a_cloud(kind, new, effect):
    assert drift([], [new], {}, kind) is Effect(effect)


@pytest.mark.parametrize(("old", "new", "effect"), REQUIREMENTS.values(), ids=REQUIREMENTS)
def test_requirements(old, new, effect):
    assert drift(old, new, {}) is Effect(effect)


@pytest.mark.parametrize(("values", "effect"), [(["a"], "in_place"), (["b"], "rolls")])
def test_a_label_of_the_template_is_known(values, effect):
    assert drift([], [needs(TEAM, "In", *values)], {TEAM: "a"}) is Effect(effect)


Spec = dict[str, object]
LATEST: Spec = {"amiSelectorTerms": [{"alias": "al2023@latest"}]}

DAY = date(2026, 11, 26)


def disks(**disk: object) -> dict[str, object]:
    return {"blockDeviceMappings": [{"deviceName": "/dev/xvda", "ebs": disk}]}


EC2_DRIFT_CLASSES: dict[str, tuple[Spec, Spec, bool]] = {
    "tags": (LATEST, {**LATEST, "tags": {"a": "b"}}, True),
    "tags: {}": (LATEST, {**LATEST, "tags": {}}, True),
    "a family instead of the same alias": ({**LATEST, "amiFamily": "AL2023"}, LATEST, False),
    "another family": (LATEST, {"amiSelectorTerms": [{"alias": "bottlerocket@latest"}]}, True),
    "another version of an alias": (LATEST, {"amiSelectorTerms": [{"alias": "al2023@v20260101"}]}, False),
    "Custom, of images by their id": ({"amiSelectorTerms": [{"id": "ami-1"}]}, {"amiFamily": "Custom"}, False),
    "subnets": (LATEST, {**LATEST, "subnetSelectorTerms": [{"id": "subnet-1"}]}, False),
    "defaults of the metadata options": (LATEST, {**LATEST, "metadataOptions": {"httpTokens": "required"}}, False),
    "a hop limit": (LATEST, {**LATEST, "metadataOptions": {"httpPutResponseHopLimit": 2}}, True),
    "kubelet: {}": (LATEST, {**LATEST, "kubelet": {}}, False),
    "fields of the kubelet in another order": ({"kubelet": {"maxPods": 9, "podsPerCore": 2}}, {"kubelet": {"podsPerCore": 2, "maxPods": 9}}, False),
    "a duration of the kubelet respelled": ({"kubelet": {"cpuCFSQuotaPeriod": "100ms"}}, {"kubelet": {"cpuCFSQuotaPeriod": "0.1s"}}, True),
    "a size respelled": (disks(volumeSize="1Ti"), disks(volumeSize="1024Gi"), False),
    "a decimal size respelled": (disks(volumeSize="1T"), disks(volumeSize="1000G"), False),
    "a decimal and a binary size": (disks(volumeSize="100G"), disks(volumeSize="100Gi"), True),
    "a size that no CRD accepts": (disks(volumeSize="big"), disks(volumeSize="bigger"), True),
    "rootVolume: false": ({"blockDeviceMappings": [{}]}, {"blockDeviceMappings": [{"rootVolume": False}]}, False),
    "rootVolume: true": ({"blockDeviceMappings": [{}]}, {"blockDeviceMappings": [{"rootVolume": True}]}, True),
    "blockDeviceMappings: []": ({}, {"blockDeviceMappings": []}, True),
    "encrypted: false": (disks(), disks(encrypted=False), True),
    "detailedMonitoring: false": ({}, {"detailedMonitoring": False}, True),
}


@pytest.mark.parametrize(("old", "new", "drifts"), EC2_DRIFT_CLASSES.values(), ids=EC2_DRIFT_CLASSES)
def test_ec2_node_class(old: Spec, new: Spec, drifts: bool) -> None:  # noqa: FBT001  # a row
    assert (of_ec2_node_class(old) != of_ec2_node_class(new)) is drifts


def kubelet(period: str) -> dict[str, object]:
    return {"kubelet": {"cpuCFSQuotaPeriod": period}}


def effects(old: dict[str, object], new: dict[str, object], karpenter: KarpenterRelease | None = None) -> dict[str, str]:
    base = {"apiVersion": "karpenter.k8s.aws/v1", "kind": "EC2NodeClass", "metadata": {"name": "default"}}
    before, after = (object_request({**base, "spec": {"role": "r", **LATEST, **spec}}) for spec in (old, new))
    assert before is not None
    assert after is not None
    return {".".join(map(str, change.steps[3:])): change.effect.value for change in request_changes(before, replace(after, karpenter=karpenter), DAY)}


FIELDS: dict[str, tuple[Spec, Spec, dict[str, str]]] = {
    "a role, which Karpenter permits": ({}, {"role": "s"}, {"role": "rolls"}),
    "a pinned image": ({}, {"amiSelectorTerms": [{"alias": "al2023@v20260101"}]}, {"amiSelectorTerms": "rolls_some"}),
    "another family": ({}, {"amiSelectorTerms": [{"alias": "bottlerocket@latest"}]}, {"amiSelectorTerms": "rolls"}),
    "the family of the alias": ({}, {"amiFamily": "AL2023"}, {"amiFamily": "none"}),
    "no family of the alias": ({}, {"amiFamily": "Custom"}, {"amiFamily": "rolls"}),
    "subnets": ({}, {"subnetSelectorTerms": [{"id": "subnet-1"}]}, {"subnetSelectorTerms": "rolls_some"}),
    "security groups by tags, then by id, which can be the same": (
        {},
        {"securityGroupSelectorTerms": [{"id": "sg-1"}]},
        {"securityGroupSelectorTerms": "rolls_some"},
    ),
    "other security groups by id": (
        {"securityGroupSelectorTerms": [{"id": "sg-1"}]},
        {"securityGroupSelectorTerms": [{"id": "sg-1"}, {"id": "sg-2"}]},
        {"securityGroupSelectorTerms": "rolls"},
    ),
    "other security groups by name": (
        {"securityGroupSelectorTerms": [{"name": "web"}]},
        {"securityGroupSelectorTerms": [{"name": "api"}]},
        {"securityGroupSelectorTerms": "rolls"},
    ),
    "security groups by a pattern of names": (
        {"securityGroupSelectorTerms": [{"name": "web"}]},
        {"securityGroupSelectorTerms": [{"name": "we*"}]},
        {"securityGroupSelectorTerms": "rolls_some"},
    ),
    "security groups by other tags, which the same groups can have": (
        {"securityGroupSelectorTerms": [{"tags": {"a": "b"}}]},
        {"securityGroupSelectorTerms": [{"tags": {"c": "d"}}]},
        {"securityGroupSelectorTerms": "rolls_some"},
    ),
    "prefixes": ({}, {"ipPrefixCount": 1}, {"ipPrefixCount": "in_place"}),
    "a duration of the kubelet": (kubelet("100ms"), kubelet("0.1s"), {"kubelet.cpuCFSQuotaPeriod": "rolls"}),
    "an empty kubelet": ({}, {"kubelet": {}}, {}),
    "user data": ({"userData": "a"}, {"userData": "b"}, {"userData": "rolls"}),
    "an empty map": ({}, {"tags": {}}, {"tags": "rolls"}),
    "a size respelled": (disks(volumeSize="1Ti"), disks(volumeSize="1024Gi"), {"blockDeviceMappings": "none"}),
}


@pytest.mark.parametrize(("old", "new", "said"), FIELDS.values(), ids=FIELDS)
def test_the_effect_of_each_field(old: Spec, new: Spec, said: dict[str, str]) -> None:
    assert effects(old, new) == said


def test_user_data_is_not_shown() -> None:
    [change] = request_changes_of("echo a", "echo b")
    assert (change.old, change.new) == ({"$secret": True}, {"$secret": True})


def request_changes_of(old: str, new: str) -> list[Change]:
    base = {"apiVersion": "karpenter.k8s.aws/v1", "kind": "EC2NodeClass", "metadata": {"name": "default"}}
    before, after = (object_request({**base, "spec": {"userData": text}}) for text in (old, new))
    assert before is not None
    assert after is not None
    return list(request_changes(before, after, DAY))


def grace(period: str) -> dict[str, object]:
    return {"evictionSoftGracePeriod": {"memory.available": period}}


def release(version: str) -> KarpenterRelease:
    found = karpenter_release(version)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("version", "old", "new", "effect"),
    [
        pytest.param("1.14", grace("1m"), grace("60s"), ["none"], id="a duration by its meaning"),
        pytest.param("1.15", grace("1m"), grace("60s"), ["rolls"], id="by its text"),
        pytest.param("1.14", {"maxPods": 8}, {"maxPods": 9}, ["rolls"], id="another number"),
        pytest.param("1.0", {"maxPods": 8}, {"maxPods": 9}, ["in_place"], id="not compared at all"),
    ],
)
def test_versions_of_karpenter_compare_the_kubelet_differently(version: str, old: object, new: object, effect: list[str]) -> None:
    assert list(effects({"kubelet": old}, {"kubelet": new}, release(version)).values()) == effect


@pytest.mark.parametrize(
    ("version", "old", "new", "found"),
    [
        pytest.param("1.6", {}, {"role": "s"}, {"role": "refused"}, id="a role that is fixed"),
        pytest.param("1.7", {}, {"role": "s"}, {"role": "rolls"}, id="a role that is not"),
        pytest.param("1.6", {"role": None, "instanceProfile": "p"}, {}, {"instanceProfile": "rolls", "role": "refused"}, id="a role for a profile"),
    ],
)
def test_a_role_could_not_change_before_1_7(version: str, old: dict[str, object], new: dict[str, object], found: dict[str, str]) -> None:
    assert effects(old, new, release(version)) == found
