"""NodePools of other Karpenters."""

import pytest

from nodepools.conversion.converted import convert
from nodepools.conversion.raw_parts import convert_to_v1
from nodepools.conversion.unconverted import ConversionOptions
from tests.conversion.objects import AUTO, NAP, entry, listed, node_class, nodes, one, pool, requirement, spec

OF_AZURE = {"group": "karpenter.azure.com", "kind": "AKSNodeClass"}
OF_AUTO_MODE = {"group": "eks.amazonaws.com", "kind": "NodeClass"}
TERM, AGE = "spec.template.spec.terminationGracePeriod", "spec.template.spec.expireAfter"


def test_a_pool_gets_a_new_name_and_the_node_class_of_the_target():
    found = one(pool(requirement("karpenter.k8s.aws/instance-cpu", "4")))
    assert found.new["metadata"] == {"name": "general-auto"}
    assert nodes(found)["nodeClassRef"] == {"group": "eks.amazonaws.com", "kind": "NodeClass", "name": "default-auto"}
    assert nodes(found)["requirements"] == [requirement("eks.amazonaws.com/instance-cpu", "4")]


def test_a_pool_of_the_target_is_untouched():
    raw = pool(requirement("team", "web"), **OF_AUTO_MODE)
    assert one(raw).new is raw


def test_a_long_name_stays_a_label_value():
    raw = pool() | {"metadata": {"name": "x" * 63}}
    name = one(raw).new["metadata"]["name"]
    assert (len(name), name[:50], name[-5:]) == (63, "x" * 50, "-auto")


def test_long_names_that_begin_alike_stay_two():
    both = [{**pool(), "metadata": {"name": f"{'a' * 60}{end}"}} for end in "12"]
    names = [found.new["metadata"]["name"] for found in convert(both, ConversionOptions(AUTO, AUTO.suffix))]
    assert len(set(names)) == 2
    assert all(len(name) <= 63 for name in names)


@pytest.mark.parametrize("target", [AUTO, NAP])
def test_reasons_that_no_target_has_are_removed(target):
    raw, budgets = pool(), [{"nodes": "0", "reasons": ["Unhealthy"]}, {"nodes": "1", "reasons": ["Drifted", "Unhealthy"]}, {"nodes": "2"}]
    raw["spec"]["disruption"] = {"budgets": budgets}
    found = one(raw, target)
    assert spec(found)["disruption"]["budgets"] == [{"nodes": "1", "reasons": ["Drifted"]}, {"nodes": "2"}]
    assert [path for outcome, path in listed(found) if outcome == "removed"] == [
        "spec.disruption.budgets[1].reasons[1]",
        "spec.disruption.budgets[0]",
    ]


def test_what_describes_the_old_object_is_removed():
    annotations = {"karpenter.sh/nodepool-hash": "1", "kubectl.kubernetes.io/last-applied-configuration": "{}"}
    raw = pool() | {"metadata": {"name": "general", "uid": "1", "resourceVersion": "2", "annotations": annotations}, "status": {"resources": {}}}
    found = one(raw)
    assert found.new["metadata"] == {"name": "general-auto"}
    assert "status" not in found.new


def test_annotations_of_the_user_stay():
    raw = pool() | {"metadata": {"name": "general", "annotations": {"karpenter.sh/nodepool-hash": "1", "team": "web"}}}
    assert one(raw).new["metadata"] == {"name": "general-auto", "annotations": {"team": "web"}}


LIFE = {
    "nothing is set": ({}, None, None, [("changed", TERM), ("changed", AGE)]),
    "a short life": ({"expireAfter": "200h", "terminationGracePeriod": "1h"}, "200h", "1h", []),
    "never": ({"expireAfter": "Never", "terminationGracePeriod": "4h"}, "500h", "4h", [("changed", AGE)]),
    "never, without a grace period": ({"expireAfter": "Never"}, "480h", None, [("changed", TERM), ("changed", AGE)]),
    "720h": ({"expireAfter": "720h", "terminationGracePeriod": "24h"}, "480h", "24h", [("changed", AGE)]),
    "a grace period that leaves less than the default": ({"terminationGracePeriod": "200h"}, "304h", "200h", [("changed", AGE)]),
    "a grace period above the limit": ({"expireAfter": "24h", "terminationGracePeriod": "600h"}, "24h", "24h", [("changed", TERM)]),
    "an age that cannot be read": ({"expireAfter": "30d", "terminationGracePeriod": "1h"}, "30d", "1h", []),
    "a grace period that cannot be read": ({"expireAfter": "Never", "terminationGracePeriod": 5}, "Never", 5, []),
}


@pytest.mark.parametrize(("life", "age", "grace", "changes"), LIFE.values(), ids=LIFE)
def test_the_life_of_nodes_keeps_the_limit_of_auto_mode(life, age, grace, changes):
    found = one(pool(**life))
    assert (nodes(found).get("expireAfter"), nodes(found).get("terminationGracePeriod")) == (age, grace)
    assert [item for item in listed(found) if item[1] in (TERM, AGE)] == changes


def test_a_grace_period_is_advised_for_any_age():
    """The age in the output can be above the default: 168h, what that leaves, is then rejected."""
    assert entry(one(pool(expireAfter="Never")), TERM).fix == "Set `terminationGracePeriod`, with `expireAfter` at most 504h together"


@pytest.mark.parametrize(("life", "changes"), [({}, {TERM, AGE}), ({"terminationGracePeriod": "1h"}, {AGE}), ({"expireAfter": "1h"}, {TERM})])
def test_what_auto_mode_has_by_default_ends_on_azure(life, changes):
    """Drains that Auto Mode ends after a day have no end there."""
    assert {path for outcome, path in listed(one(pool(**life, **OF_AUTO_MODE), NAP)) if outcome == "changed"} & {TERM, AGE} == changes


def test_the_life_of_nodes_is_as_before_on_azure():
    assert nodes(one(pool(expireAfter="Never"), NAP))["expireAfter"] == "Never"


def test_the_default_age_of_auto_mode_is_not_that_of_azure():
    assert entry(one(pool(**OF_AUTO_MODE), NAP), AGE).value is None


REQUIREMENTS = {
    "without an equivalent": (requirement("karpenter.k8s.aws/instance-generation", "4", operator="Gt"), None, [("removed", "{}")]),
    "with some of its values": (requirement("karpenter.sh/capacity-type", "spot", "reserved"), ["spot"], [("removed", "{}.values")]),
    "with none of its values": (requirement("node.kubernetes.io/instance-type", "m5.large"), None, [("removed", "{}")]),
    "that excludes what is not there": (requirement("node.kubernetes.io/instance-type", "m5.large", operator="NotIn"), None, [("removed", "{}")]),
    "with values by purpose": (requirement("karpenter.k8s.aws/instance-category", "m"), ["D"], [("changed", "{}.values")]),
    "with more distinct values than are left": (
        requirement("karpenter.k8s.aws/instance-category", "i", "d", minValues=2),
        ["L"],
        [("changed", "{}.values"), ("changed", "{}.minValues")],
    ),
    "of the user": (requirement("team", "web"), ["web"], []),
    "without a key": ({"operator": "In", "values": ["web"]}, ["web"], []),
}


@pytest.mark.parametrize(("raw", "values", "changes"), REQUIREMENTS.values(), ids=REQUIREMENTS)
def test_a_requirement(raw, values, changes):
    found = one(pool(raw), NAP)
    at = "spec.template.spec.requirements[0]"
    assert [each.get("values") for each in nodes(found)["requirements"]] == ([values] if values else [])
    assert [item for item in listed(found) if item[1].startswith(at)] == [(outcome, path.format(at)) for outcome, path in changes]


def test_an_exclusion_that_is_removed_needs_nothing():
    found = one(pool(requirement("karpenter.k8s.aws/instance-family", "t3", operator="NotIn")), NAP)
    assert entry(found, "spec.template.spec.requirements[0]").fix is None


def test_startup_taints_that_nothing_removes_are_removed():
    taints = [{"key": "ebs.csi.aws.com/agent-not-ready", "effect": "NoExecute"}]
    found = one(pool(startupTaints=[*taints, {"key": "team", "effect": "NoSchedule"}]))
    assert nodes(found)["startupTaints"] == [{"key": "team", "effect": "NoSchedule"}]
    assert ("removed", "spec.template.spec.startupTaints[0]") in listed(found)
    assert "startupTaints" not in nodes(one(pool(startupTaints=taints)))


def test_disruption_gets_what_older_versions_require():
    raw = pool()
    raw["spec"]["disruption"] = {"budgets": [{"nodes": "1"}]}
    assert spec(one(raw))["disruption"] == {"budgets": [{"nodes": "1"}], "consolidateAfter": "0s"}


def test_a_pool_without_a_node_class_keeps_its_name():
    raw = pool(requirement("karpenter.k8s.aws/instance-cpu", "4"), group="")
    assert (one(raw).new["metadata"], nodes(one(raw))["requirements"][0]["key"]) == ({"name": "general"}, "eks.amazonaws.com/instance-cpu")


def test_a_node_class_of_another_provider_is_listed():
    found = one(pool(group="karpenter.kwok.sh", kind="KWOKNodeClass"))
    assert entry(found, "spec.template.spec.nodeClassRef.group").value == "karpenter.kwok.sh"
    assert nodes(found)["nodeClassRef"]["group"] == "eks.amazonaws.com"


def test_a_node_class_in_other_files_is_listed():
    """Nobody has written one with the new name, unless the target has it anyway."""
    found, created = one(pool()), one(pool(), suffix="")
    assert ("missing", "spec.template.spec.nodeClassRef.name") in listed(found)
    assert ("changed", "spec.template.spec.nodeClassRef.name") in listed(created)
    assert (found.why_not_ready, created.why_not_ready) == ("EC2NodeClass `default` is not among these files", "")


def test_a_reference_without_a_name():
    raw = pool()
    del raw["spec"]["template"]["spec"]["nodeClassRef"]["name"]
    assert nodes(one(raw))["nodeClassRef"] == {"group": "eks.amazonaws.com", "kind": "NodeClass"}


def former(**more):
    reference = {"apiVersion": "karpenter.k8s.aws/v1beta1", "kind": "EC2NodeClass", "name": "default"}
    return {
        "apiVersion": "karpenter.sh/v1beta1",
        "kind": "NodePool",
        "metadata": {"name": "general"},
        "spec": {
            "template": {"spec": {"nodeClassRef": reference, "kubelet": {"maxPods": 20}}},
            "disruption": {"consolidationPolicy": "WhenUnderutilized", "expireAfter": "720h"},
            **more,
        },
    }


def test_a_pool_of_v1beta1_is_converted_to_v1_first():
    found = one(former())
    assert (found.new["apiVersion"], found.new["metadata"]) == ("karpenter.sh/v1", {"name": "general-auto"})
    assert spec(found)["disruption"] == {"consolidationPolicy": "WhenEmptyOrUnderutilized", "consolidateAfter": "0s"}
    assert nodes(found) == {
        "nodeClassRef": {"group": "eks.amazonaws.com", "kind": "NodeClass", "name": "default-auto"},
        "requirements": [],
        "expireAfter": "480h",
    }
    kubelet = entry(found, "spec.template.spec.kubelet")
    assert (kubelet.value, kubelet.fix) == ({"maxPods": 20}, "Remove what depends on these settings")
    assert "node class" in (entry(one(former(), NAP), "spec.template.spec.kubelet").fix or "")


def test_the_group_of_a_reference_has_one_kind():
    raw = former()
    del raw["spec"]["template"]["spec"]["nodeClassRef"]["kind"]
    assert convert_to_v1(raw)["spec"]["template"]["spec"]["nodeClassRef"] == {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": "default"}
    raw["spec"]["template"]["spec"]["nodeClassRef"]["apiVersion"] = "example.com/v1"
    assert convert_to_v1(raw)["spec"]["template"]["spec"]["nodeClassRef"] == {"group": "example.com", "name": "default"}


def test_a_pool_of_v1beta1_of_the_target_keeps_its_name():
    raw = former()
    raw["spec"]["template"]["spec"]["nodeClassRef"] = {"kind": "AKSNodeClass", "name": "default"}
    found = one(raw, NAP)
    assert (found.new["metadata"], nodes(found)["nodeClassRef"]["group"]) == ({"name": "general"}, "karpenter.azure.com")


@pytest.mark.parametrize("raw", [former() | {"spec": None}, former() | {"spec": {"template": []}}, pool() | {"spec": 3}, pool() | {"metadata": None}])
@pytest.mark.parametrize("target", [AUTO, NAP])
def test_a_pool_with_parts_of_another_type_is_converted_as_far_as_it_can_be_read(raw, target):
    assert one(raw, target).new["kind"] == "NodePool"


def test_a_node_class_of_the_same_files_is_referred_to_by_its_new_name():
    from nodepools.conversion.converted import convert
    from nodepools.conversion.unconverted import ConversionOptions

    [moved, _] = convert([pool(), node_class(role="nodes")], ConversionOptions(AUTO, "-x"))
    assert nodes(moved)["nodeClassRef"]["name"] == "default-x"
    assert not [path for _, path in listed(moved) if "nodeClassRef" in path]
