"""What NodeOverlays add to the instance types of a running cluster, as Karpenter 1.14 applies them (pkg/controllers/nodeoverlay)."""

import pytest

from nodepools.manifests.existing.existing_pools import read_existing_pools
from nodepools.model.karpenter import Requirement
from nodepools.model.karpenter_alpha import NodeOverlay
from nodepools.placement.explain import explain
from nodepools.placement.overlays import Overlay
from nodepools.placement.workloads.reader import read_workloads
from nodepools.reading.bounded_input import TextError
from tests.karpenter_deployment import KARPENTER

POOL = """apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: NAME}
spec:
  template:
    metadata: {labels: {team: NAME}}
    spec:
      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
      requirements:
      - {key: node.kubernetes.io/instance-type, operator: In, values: [TYPES]}
"""
CLASS = """apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata: {name: default}
spec:
  role: nodes
  amiSelectorTerms: [{alias: al2023@latest}]
  subnetSelectorTerms: [{tags: {a: b}}]
  securityGroupSelectorTerms: [{tags: {a: b}}]
"""
ON = KARPENTER.replace("SETTINGS", "NodeOverlay=true,CapacityBuffer=true")
OFF = KARPENTER.replace("SETTINGS", "SpotToSpotConsolidation=true")
LARGE = "{key: node.kubernetes.io/instance-type, operator: In, values: [m5.large]}"
AMD64 = "{key: kubernetes.io/arch, operator: In, values: [amd64]}"
BUFFER = "apiVersion: autoscaling.x-k8s.io/v1beta1\nkind: CapacityBuffer\nmetadata: {name: room}\nspec: {}\n"


def pool(types: str = "m5.large", name: str = "web", more: str = "") -> str:
    return POOL.replace("NAME", name).replace("TYPES", types) + more


def overlay(name: str, amount: int, requirements: str = LARGE, weight: int = 0, resource: str = "example.com/gpu") -> str:
    weighted = f", weight: {weight}" if weight else ""
    kind = f"apiVersion: karpenter.sh/v1alpha1\nkind: NodeOverlay\nmetadata: {{name: {name}}}\n"
    return f"{kind}spec: {{requirements: [{requirements}], capacity: {{{resource}: {amount}}}{weighted}}}\n"


def answer(number: int, *texts: str):
    pools = read_existing_pools([("---\n".join([CLASS, *texts]), "cluster.yaml")])
    limits = {"limits": {"example.com/gpu": str(number)}, "requests": {"cpu": "1"}}
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}, "spec": {"containers": [{"name": "a", "image": "a", "resources": limits}]}}
    [found] = explain(list(read_workloads(pod)), [pools])
    return found, pools


@pytest.mark.parametrize(
    ("number", "texts", "verdict"),
    [
        pytest.param(2, [pool(), ON], "unknown", id="no overlay: a device plugin can add it"),
        pytest.param(2, [pool(), ON, overlay("a", 2)], "fits", id="enough"),
        pytest.param(3, [pool(), ON, overlay("a", 2)], "unknown", id="not enough: the node can have more"),
        pytest.param(2, [pool(), overlay("a", 2)], "unknown", id="nobody knows whether the gate is on"),
        pytest.param(2, [pool(), OFF, overlay("a", 2)], "unknown", id="the gate is off"),
        pytest.param(2, [pool("m5.xlarge"), ON, overlay("a", 2)], "unknown", id="another type"),
        pytest.param(2, [pool(), ON, overlay("a", 2, AMD64)], "fits", id="by architecture"),
        pytest.param(2, [pool(), ON, overlay("a", 2, "{key: karpenter.sh/nodepool, operator: In, values: [web]}")], "fits", id="by NodePool"),
        pytest.param(2, [pool(), ON, overlay("a", 2, "{key: karpenter.sh/nodepool, operator: NotIn, values: [web]}")], "unknown", id="not this one"),
        pytest.param(2, [pool(), ON, overlay("a", 2, "{key: team, operator: In, values: [web]}")], "fits", id="by a label of the NodePool"),
        pytest.param(2, [pool(), ON, overlay("a", 2, "{key: other, operator: Exists}")], "unknown", id="by a label that it does not have"),
        pytest.param(2, [pool(), ON, overlay("a", 2, "{key: other, operator: DoesNotExist}")], "fits", id="by a label that must not exist"),
        pytest.param(2, [pool(), ON, overlay("a", 2, "{key: karpenter.sh/capacity-type, operator: In, values: [spot]}")], "fits", id="one offering"),
        pytest.param(2, [pool(), ON, overlay("a", 2, "{key: topology.kubernetes.io/zone, operator: In, values: [x]}")], "unknown", id="zones"),
        pytest.param(
            2, [pool(), ON, overlay("a", 2, "{key: karpenter.k8s.aws/capacity-reservation-id, operator: Exists}")], "unknown", id="reservations"
        ),
        pytest.param(4, [pool(), ON, overlay("a", 2, weight=1), overlay("b", 4)], "unknown", id="the weight decides"),
        pytest.param(4, [pool(), ON, overlay("a", 2), overlay("b", 4, weight=1)], "fits", id="the higher one"),
        pytest.param(2, [pool(), ON, overlay("a", 2), overlay("b", 4)], "fits", id="a conflict: the last name"),
        pytest.param(4, [pool(), ON, overlay("a", 4), overlay("b", 2)], "unknown", id="a conflict: the first name"),
        pytest.param(2, [pool(), ON, overlay("a", 2), overlay("b", 4, resource="a/b")], "fits", id="no conflict: another resource"),
        pytest.param(2, [pool(), ON, overlay("a", 2), overlay("b", 4, LARGE.replace("large", "xlarge"))], "fits", id="no conflict: another type"),
    ],
)
def test_capacity(number, texts, verdict):
    found, _ = answer(number, *texts)
    assert found.pools[0].verdict.value == verdict


def test_a_conflict_in_one_node_pool_concerns_all():
    both = overlay("a", 2, "{key: node.kubernetes.io/instance-type, operator: In, values: [m5.large, c5.large]}")
    found, _ = answer(2, pool(), pool("c5.large", "other"), ON, both, overlay("b", 4, LARGE.replace("m5", "c5")))
    assert {one.pool: one.verdict.value for one in found.pools} == {"web": "unknown", "other": "fits"}  # `a` comes after `b`, and is not applied


@pytest.mark.parametrize(
    ("text", "note"),
    [
        (overlay("a", 2) + "---\n" + ON, "NodeOverlay `a` gives its instance types 2 `example.com/gpu`"),
        (overlay("a", 2), "NodeOverlay `a` may give its instance types 2 `example.com/gpu`"),
        (
            overlay("a", 2).replace("capacity", "priceAdjustment: '-5%', capacity") + "---\n" + ON,
            "NodeOverlay `a` gives its instance types 2 `example.com/gpu` and the price -5% for Karpenter's choice, not for `cost`",
        ),
        (overlay("a", 2) + "---\n" + OFF, "its Karpenter does not apply NodeOverlays: `nodepools check` says why"),
    ],
)
def test_it_is_noted(text, note):
    _, pools = answer(2, pool(), text)
    assert pools.provisioned[0].assumed == (note,)


def test_what_changes_nothing_is_not_noted():
    without = overlay("a", 2).replace("capacity: {example.com/gpu: 2}", "capacity: {}")
    assert answer(2, pool(), ON, without)[1].provisioned[0].assumed == ()
    assert answer(2, pool(), ON, overlay("a", 2, "{key: other, operator: Exists}"))[1].provisioned[0].assumed == ()


def test_the_clouds_have_none():
    auto_mode = pool().replace("karpenter.k8s.aws", "eks.amazonaws.com").replace("EC2NodeClass", "NodeClass")
    found, pools = answer(2, auto_mode, ON, overlay("a", 2))
    assert found.pools[0].verdict.value == "unknown"
    assert pools.provisioned[0].assumed == ("its Karpenter does not apply NodeOverlays: `nodepools check` says why",)


def test_an_invalid_overlay_is_an_error():
    with pytest.raises(TextError, match=r"NodeOverlay/a: spec\.capacity: `capacity` must not contain `cpu`"):
        answer(2, pool(), overlay("a", 2, resource="cpu"))


@pytest.mark.parametrize(
    ("texts", "is_unsure"),
    [
        pytest.param([pool(more="  limits: {cpu: 100}\n"), BUFFER], True, id="limits"),
        pytest.param([pool(), BUFFER], False, id="no limits"),
        pytest.param([pool(more="  limits: {cpu: 100}\n"), BUFFER, OFF], False, id="the gate is off"),
    ],
)
def test_buffers_use_what_limits_leave(texts, is_unsure):
    _, pools = answer(2, *texts)
    assert ("web" in pools.unsure) is is_unsure


HARD = "podTopologySpread: {defaultConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule}]}"
SETTINGS = 'env: [{name: FEATURE_GATES, value: "SETTINGS"}]'


@pytest.mark.parametrize(
    ("settings", "verdict"),
    [
        pytest.param(SETTINGS, "fits", id="none"),
        pytest.param(f'env: [{{name: SCHEDULER_CONFIG, value: "{HARD}"}}]', "unknown", id="hard constraints"),
        pytest.param(f'env: [{{name: SCHEDULER_CONFIG, value: "{HARD.replace("DoNotSchedule", "ScheduleAnyway")}"}}]', "fits", id="soft constraints"),
        pytest.param("env: [{name: SCHEDULER_CONFIG, valueFrom: {}}]", "unknown", id="from elsewhere"),
        pytest.param(f'args: ["--scheduler-config={HARD}"]', "unknown", id="an argument"),
        pytest.param("args: [--log-level=DoNotSchedule]", "fits", id="another argument"),
        pytest.param("env: {a: b}", "fits", id="an invalid environment"),
        pytest.param("args: [1]", "unknown", id="an argument that is none"),
    ],
)
def test_default_spread_constraints_of_karpenter_leave_nothing_certain(settings, verdict):
    """Without the Deployment of a container that runs Karpenter, or with an invalid one, nothing says so."""
    others = KARPENTER.replace("controller:1.14.0", "other").replace("name: karpenter", "name: other", 1)
    read = [CLASS, pool(), KARPENTER.replace(SETTINGS, settings), others]
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}, "spec": {"containers": [{"name": "a", "image": "a"}]}}
    [found] = explain(list(read_workloads(pod)), [read_existing_pools([("---\n".join(read), "cluster.yaml")])])
    assert found.verdict.value == verdict


SPOT, ON_DEMAND = (Requirement("karpenter.sh/capacity-type", "In", [one]) for one in ("spot", "on-demand"))
ONE_TYPE, OTHER_TYPE = (Requirement("node.kubernetes.io/instance-type", "In", [one]) for one in ("m5.4xlarge", "m5.large"))


@pytest.mark.parametrize(
    ("one", "other", "may_meet"),
    [
        pytest.param({"requirements": [ONE_TYPE], "price": "1"}, {"requirements": [SPOT], "price": "2"}, True, id="different labels"),
        pytest.param({"requirements": [ONE_TYPE], "price": "1"}, {"requirements": [OTHER_TYPE], "price": "2"}, False, id="different types"),
        pytest.param({"requirements": [SPOT], "price": "1"}, {"requirements": [ON_DEMAND], "price": "2"}, False, id="different offerings"),
        pytest.param(
            {"requirements": [SPOT], "capacity": {"a/b": "1"}},
            {"requirements": [ON_DEMAND], "capacity": {"a/b": "2"}},
            True,
            id="capacity is of the type, not of the offering",
        ),
        pytest.param(
            {"requirements": [SPOT, ONE_TYPE], "capacity": {"a/b": "1"}},
            {"requirements": [ON_DEMAND, OTHER_TYPE], "capacity": {"a/b": "2"}},
            False,
            id="capacity of different types",
        ),
    ],
)
def test_overlays_that_an_instance_type_can_meet(one, other, may_meet):
    first, second = (Overlay(name, NodeOverlay.model_validate(fields)) for name, fields in (("a", one), ("b", other)))
    assert first.may_meet(second) is second.may_meet(first) is may_meet
