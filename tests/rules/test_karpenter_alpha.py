"""NodeOverlays and CapacityBuffers in files, alone and next to NodePools and Karpenter's Deployment."""

import pytest

from nodepools.manifests.manifest_objects import objects
from nodepools.manifests.object_checks import check_objects
from tests.karpenter_deployment import KARPENTER

POOL = """apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: web}
spec:
  template:
    spec:
      nodeClassRef: {group: GROUP, kind: KIND, name: default}
      requirements:
      - {key: karpenter.sh/capacity-type, operator: In, values: [on-demand]}
      - {key: kubernetes.io/arch, operator: In, values: [amd64]}
      expireAfter: 300h
"""
OWN = POOL.replace("GROUP", "karpenter.k8s.aws").replace("KIND", "EC2NodeClass")
AUTO_MODE = POOL.replace("GROUP", "eks.amazonaws.com").replace("KIND", "NodeClass")
NAP = POOL.replace("GROUP", "karpenter.azure.com").replace("KIND", "AKSNodeClass")
TYPE = "{key: node.kubernetes.io/instance-type, operator: In, values: [m5.large, m5.xlarge]}"


SPOT, ON_DEMAND = (f"{{key: karpenter.sh/capacity-type, operator: In, values: [{one}]}}" for one in ("spot", "on-demand"))


def overlay(spec: str, name: str = "gpu", requirements: str = TYPE) -> str:
    return f"apiVersion: karpenter.sh/v1alpha1\nkind: NodeOverlay\nmetadata: {{name: {name}}}\nspec: {{requirements: [{requirements}], {spec}}}\n"


def buffer(spec: str, version: str = "v1beta1") -> str:
    return f"apiVersion: autoscaling.x-k8s.io/{version}\nkind: CapacityBuffer\nmetadata: {{name: room, namespace: web}}\nspec: {{{spec}}}\n"


def template(kind: str = "PodTemplate", namespace: str = "namespace: web", pod: str = "") -> str:
    spec = f"template: {{spec: {{{pod}containers: [{{name: a, image: a, resources: {{requests: {{cpu: 4}}}}}}]}}}}"
    api, body = ("v1", spec) if kind == "PodTemplate" else ("apps/v1", f"spec: {{replicas: 2, {spec}}}")
    return f"apiVersion: {api}\nkind: {kind}\nmetadata: {{name: a, {namespace}}}\n{body}\n"


def found(*texts: str) -> list[str]:
    read = [one for text in texts for one in objects(text, "f.yaml")]
    return [f"{one.code} {one.severity} {one.path}" for one in check_objects(read).findings if one.code[:3] in ("OBJ", "CFG")]


def karpenter(gates: str) -> str:
    return KARPENTER.replace("SETTINGS", gates)


ON = karpenter("ReservedCapacity=false,NodeOverlay=true, CapacityBuffer=True")


@pytest.mark.parametrize(
    ("text", "findings"),
    [
        pytest.param(overlay("capacity: {example.com/gpu: 2}, weight: 10000"), [], id="a capacity"),
        pytest.param(overlay("capacity: {example.com/gpu: 2, cpu: 2}"), ["CFG009 error spec.capacity"], id="not cpu"),
        pytest.param(overlay("capacity: {pods: 200}"), ["CFG009 error spec.capacity"], id="not pods"),
        *(
            pytest.param(overlay(f"priceAdjustment: '{one}'"), [], id=one)
            for one in ("-0.5", "+1.2", "+10%", "+250%", "-15%", "-99.5%", "-100%", "+.5")
        ),
        *(
            pytest.param(overlay(f"priceAdjustment: '{one}'"), ["CFG009 error spec.priceAdjustment"], id=one)
            for one in ("0.5", "10%", "-150%", "+", "+10 %", "half")
        ),
        *(pytest.param(overlay(f"price: '{one}'"), [], id=one) for one in ("0", "1", "0.25")),
        *(pytest.param(overlay(f"price: '{one}'"), ["CFG009 error spec.price"], id=one) for one in ("-1", "+1", ".5", "5%", "1.")),
        pytest.param(overlay("price: 0.25"), ["CFG004 error spec.price"], id="a price is text"),
        pytest.param(overlay("price: '1', priceAdjustment: '+1'"), ["CFG009 error spec.priceAdjustment"], id="one of them"),
        pytest.param(overlay("price: '1', weight: 0"), ["CFG007 error spec.weight"], id="weight from 1"),
        pytest.param(overlay("price: '1', weight: 10001"), ["CFG007 error spec.weight"], id="weight to 10000"),
        pytest.param(overlay("price: '1', wieght: 1"), ["CFG002 error spec.wieght"], id="a typo"),
        pytest.param(overlay("price: '1'", requirements="{key: a/b, operator: NotIn}"), ["CFG009 error spec.requirements"], id="NotIn of nothing"),
        pytest.param(
            overlay("price: '1'", requirements="{key: a/b, operator: Gt, values: [x]}"), ["CFG009 error spec.requirements[0].values"], id="Gt"
        ),
        pytest.param(overlay("price: '1'", requirements="{key: karpenter.sh/nodepool, operator: In, values: [a]}"), [], id="a NodePool"),
        pytest.param(
            overlay("price: '1'", requirements="{key: karpenter.sh/x, operator: Exists}"), ["CFG009 error spec.requirements"], id="own label"
        ),
        pytest.param(
            overlay("price: '1'", requirements="{key: kubernetes.io/hostname, operator: Exists}"), ["CFG009 error spec.requirements"], id="hostname"
        ),
        pytest.param(
            overlay("price: '1'", requirements="{key: a/b, operator: Exists, minValues: 2}"),
            ["CFG002 error spec.requirements[0].minValues"],
            id="no minimum",
        ),
        pytest.param(
            overlay("price: '1'").replace("requirements", "weight: 1, x"), ["CFG001 error spec.requirements", "CFG002 error spec.x"], id="all"
        ),
        pytest.param(overlay("price: '1'", requirements=""), [], id="every instance type"),
        pytest.param(overlay("weight: 1"), ["OBJ030 warning spec"], id="changes nothing"),
        pytest.param(overlay("price: '1'").replace("v1alpha1", "v1"), ["CFG003 error apiVersion"], id="a version that does not exist"),
        pytest.param(buffer("podTemplateRef: {name: a}, replicas: 2"), [], id="pods of a template"),
        pytest.param(buffer("podTemplateRef: {name: a}, limits: {cpu: 2}"), [], id="up to a limit"),
        pytest.param(buffer("scalableRef: {kind: Deployment, name: a, apiGroup: apps}, percentage: 10"), [], id="of a Deployment"),
        pytest.param(buffer("podTemplateRef: {name: a}"), ["CFG009 error spec.podTemplateRef.name"], id="how many"),
        pytest.param(buffer("podTemplateRef: {name: a}, replicas: -1"), ["CFG007 error spec.replicas"], id="how many, but not so"),
        pytest.param(buffer("podTemplateRef: {name: a}, limits: {cpu: ten}"), ["CFG009 error spec.limits.cpu"], id="a limit, but not so"),
        pytest.param(buffer("replicas: 2"), ["CFG001 error spec.podTemplateRef"], id="of what"),
        pytest.param(buffer("scalableRef: {kind: Deployment}, replicas: 2"), ["CFG001 error spec.scalableRef.name"], id="which"),
        pytest.param(
            buffer("podTemplateRef: {name: a}, replicas: 2, scalableRef: {kind: Deployment, name: a}"),
            ["CFG009 error spec.podTemplateRef.name"],
            id="one reference",
        ),
        pytest.param(buffer("scalableRef: {kind: Deployment, name: a}, replicas: -1"), ["CFG007 error spec.replicas"], id="not negative"),
        pytest.param(buffer("podTemplateRef: {name: a}, replicas: 0"), ["OBJ030 warning spec.replicas"], id="none"),
        pytest.param(buffer("scalableRef: {kind: Deployment, name: a}"), ["OBJ030 warning spec.replicas"], id="no number"),
        pytest.param(buffer("podTemplateRef: {name: a}, replicas: 1, percentage: 9"), ["OBJ030 warning spec.percentage"], id="percentage of nothing"),
        pytest.param(buffer("podTemplateRef: {name: a}, replicas: 1", "v1alpha1"), ["OBJ002 warning apiVersion"], id="the first version"),
    ],
)
def test_one_object(text, findings):
    assert found(text, OWN, ON) == findings


OVERLAY = overlay("price: '1'")
BUFFER = buffer("podTemplateRef: {name: a}, replicas: 2")
GATES = "{settings: {featureGates: {nodeOverlay: true}}}"
RELEASE = f"apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {{name: karpenter}}\nspec: {{values: {GATES}}}\n"
APPLICATION = (
    f"apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {{name: karpenter}}\nspec: {{source: {{helm: {{valuesObject: {GATES}}}}}}}\n"
)


@pytest.mark.parametrize(
    ("text", "others", "findings"),
    [
        pytest.param(OVERLAY, [], ["OBJ028 note kind"], id="alone"),
        pytest.param(OVERLAY, [OWN], ["OBJ028 note kind"], id="the Deployment is elsewhere"),
        pytest.param(OVERLAY, [OWN, karpenter("CapacityBuffer=true")], ["OBJ028 warning kind"], id="the gate is off"),
        pytest.param(
            OVERLAY, [OWN, KARPENTER.replace(', env: [{name: FEATURE_GATES, value: "SETTINGS"}]', "")], ["OBJ028 warning kind"], id="by default"
        ),
        pytest.param(OVERLAY, [OWN, KARPENTER.replace('value: "SETTINGS"', "valueFrom: {}")], ["OBJ028 note kind"], id="from elsewhere"),
        pytest.param(OVERLAY, [OWN, KARPENTER.replace("image:", "args: [x], image:")], ["OBJ028 note kind"], id="arguments"),
        pytest.param(OVERLAY, [OWN, ON, karpenter("NodeOverlay=false")], ["OBJ028 note kind"], id="two of them"),
        pytest.param(OVERLAY, [OWN, KARPENTER.replace("containers:", "containers: x\n      y:")], ["OBJ028 note kind"], id="not readable"),
        pytest.param(OVERLAY, [AUTO_MODE], ["OBJ028 warning kind"], id="Auto Mode"),
        pytest.param(OVERLAY, [NAP], ["OBJ028 warning kind"], id="node auto provisioning"),
        pytest.param(OVERLAY, [AUTO_MODE, ON], [], id="a Karpenter next to Auto Mode"),
        pytest.param(BUFFER, [AUTO_MODE], ["OBJ028 note kind"], id="a buffer of Auto Mode"),
        pytest.param(BUFFER, [NAP], ["OBJ028 note kind"], id="a buffer of node auto provisioning"),
        pytest.param(BUFFER, [OWN, ON], [], id="a buffer"),
        pytest.param(OVERLAY, [OWN, RELEASE], [], id="values of Flux"),
        pytest.param(OVERLAY, [OWN, APPLICATION], [], id="values of Argo CD"),
        pytest.param(OVERLAY, [OWN, RELEASE.replace("true", "false")], ["OBJ028 warning kind"], id="values that turn it off"),
        pytest.param(OVERLAY, [OWN, RELEASE, RELEASE.replace("true", "false")], ["OBJ028 note kind"], id="values that differ"),
        pytest.param(OVERLAY, [OWN, RELEASE.replace("nodeOverlay", "spot")], ["OBJ028 note kind"], id="values of another gate"),
        pytest.param(OVERLAY, [OWN, RELEASE, karpenter("NodeOverlay=false")], ["OBJ028 warning kind"], id="the Deployment decides"),
    ],
)
def test_whether_it_is_in_effect(text, others, findings):
    assert [one for one in found(text, *others) if "OBJ028" in one] == findings


LIMITED = buffer("podTemplateRef: {name: a}, limits: {cpu: 2}")
OF_DEPLOYMENT = buffer("scalableRef: {kind: Deployment, name: a}, percentage: 10, limits: {cpu: 2}")
NOWHERE = "nodeSelector: {kubernetes.io/arch: arm64}, "


@pytest.mark.parametrize(
    ("text", "others", "findings"),
    [
        pytest.param(BUFFER, [template()], [], id="room"),
        pytest.param(BUFFER, [template(namespace="")], [], id="the namespace of a command"),
        pytest.param(BUFFER, [template(namespace="namespace: b")], ["OBJ030 warning spec.podTemplateRef"], id="another namespace"),
        pytest.param(BUFFER, [template(namespace="namespace: b"), template()], [], id="one of them"),
        pytest.param(BUFFER.replace(", namespace: web", ""), [template(namespace="namespace: b")], [], id="not known which"),
        pytest.param(BUFFER, [template(pod=NOWHERE)], ["OBJ030 warning "], id="no NodePool"),
        pytest.param(BUFFER, [template(pod=NOWHERE), OWN.replace("name: web", "name: arm").replace("amd64", "arm64")], [], id="a NodePool"),
        pytest.param(BUFFER, [template(pod="nodeSelector: 3, ")], [], id="invalid pods"),
        pytest.param(LIMITED, [template()], ["OBJ030 warning spec.limits.cpu"], id="limits below a pod"),
        pytest.param(LIMITED.replace("cpu: 2", "cpu: 4"), [template()], [], id="limits for one pod"),
        pytest.param(LIMITED, [], [], id="pods that are elsewhere"),
        pytest.param(OF_DEPLOYMENT, [template("Deployment")], ["OBJ030 warning spec.limits.cpu"], id="limits below a pod of a Deployment"),
        pytest.param(OF_DEPLOYMENT.replace("Deployment", "DaemonSet"), [], ["OBJ030 warning spec.scalableRef.kind"], id="a DaemonSet"),
        pytest.param(
            OF_DEPLOYMENT.replace("name: a", "name: a, apiGroup: argoproj.io"), [], ["OBJ030 warning spec.scalableRef.kind"], id="another group"
        ),
    ],
)
def test_room_that_a_buffer_keeps(text, others, findings):
    assert [one for one in found(text, OWN, ON, *others) if "OBJ030" in one] == findings


@pytest.mark.parametrize(
    ("one", "other", "is_conflict"),
    [
        pytest.param(overlay("price: '1'", "a"), overlay("priceAdjustment: '+1'", "b"), True, id="two prices"),
        pytest.param(overlay("price: '1'", "a"), overlay("price: '1', weight: 1", "b"), False, id="weights"),
        pytest.param(overlay("price: '1'", "a"), overlay("capacity: {a/b: 1}", "b"), False, id="different things"),
        pytest.param(overlay("capacity: {a/b: 1}", "a"), overlay("capacity: {a/b: 1, a/c: 1}", "b"), True, id="one resource"),
        pytest.param(overlay("price: '1'", "a", SPOT), overlay("price: '1'", "b", ON_DEMAND), False, id="prices of different offerings"),
        pytest.param(overlay("capacity: {a/b: 1}", "a", SPOT), overlay("capacity: {a/b: 2}", "b", ON_DEMAND), True, id="capacity is of the type"),
        pytest.param(overlay("capacity: {a/b: 1}", "a", SPOT), overlay("price: '1'", "b", ON_DEMAND), False, id="only one has it"),
        pytest.param(
            overlay("price: '1'", "a"), overlay("price: '1'", "b", TYPE.replace("m5.large, m5.xlarge", "c5.large")), False, id="different types"
        ),
        pytest.param(
            overlay("price: '1'", "a"),
            overlay("price: '1'", "b", "{key: kubernetes.io/arch, operator: In, values: [amd64]}"),
            True,
            id="maybe the same",
        ),
    ],
)
def test_overlays_that_compete(one, other, is_conflict):
    findings = check_objects([written for text in (one, other, ON) for written in objects(text, "f.yaml")]).findings
    assert [(finding.code, finding.object) for finding in findings if finding.code == "OBJ029"] == [("OBJ029", "f.yaml#NodeOverlay/a")] * is_conflict
