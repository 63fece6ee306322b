"""Settings of Karpenter's Deployment: what stops the controller, what it does not read, and what NodePools need of them."""

import json

import pytest

from nodepools.data.karpenter_releases import karpenter_release
from nodepools.manifests.existing.existing_pools import CloudCluster
from nodepools.manifests.karpenter_controller import feature_gate, spreads_by_default
from nodepools.manifests.manifest_objects import objects
from nodepools.manifests.object_checks import check_objects
from tests.karpenter_deployment import KARPENTER
from tests.rules.test_karpenter_alpha import AUTO_MODE, OWN

SPREAD = {"maxSkew": 1, "topologyKey": "topology.kubernetes.io/zone", "whenUnsatisfiable": "ScheduleAnyway"}


def deployment(env=None, args=None, version=":1.15.1", **more) -> str:
    variables = [{"name": name, "value": value} if isinstance(value, str) else {"name": name} | value for name, value in (env or {}).items()]
    container = {"name": "controller", "image": f"public.ecr.aws/karpenter/controller{version}", "env": variables, **({"args": args} if args else {})}
    spec = {"replicas": 2, "template": {"spec": {"containers": [container | more]}}}
    return json.dumps({"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "karpenter"}, "spec": spec})


def config(*constraints, **more) -> str:
    return json.dumps({"podTopologySpread": {"defaultConstraints": list(constraints), **more}})


def found(*texts: str) -> list[tuple[str, str]]:
    read = [one for text in texts for one in objects(text, "f.yaml")]
    return [(one.code, one.message) for one in check_objects(read).findings if one.code in ("OBJ028", "OBJ054", "OBJ055", "SMK050")]


def codes(*texts: str) -> list[str]:
    return [code for code, _ in found(*texts)]


STOPS, UNREAD = ["OBJ054"], ["OBJ055"]


@pytest.mark.parametrize(
    ("name", "value", "of_variable", "of_argument"),
    [
        ("LOG_LEVEL", "info", [], []),
        ("LOG_LEVEL", "", [], []),
        ("LOG_LEVEL", "warn", STOPS, STOPS),
        ("PREFERENCE_POLICY", "Ignore", [], []),
        ("PREFERENCE_POLICY", "ignore", STOPS, STOPS),
        ("PREFERENCE_POLICY", "", STOPS, STOPS),
        ("MIN_VALUES_POLICY", "besteffort", STOPS, STOPS),
        ("FEATURE_GATES", "NodeOverlay=true, StaticCapacity = T,", [], []),
        ("FEATURE_GATES", "NodeOverlay", STOPS, STOPS),
        ("FEATURE_GATES", "NodeOverlay=on", STOPS, STOPS),
        ("FEATURE_GATES", "nodeOverlay=true", UNREAD, UNREAD),
        ("FEATURE_GATES", "Drift=true", [], []),
        ("AWS_FEATURE_GATES", "NodeClassCel=true", UNREAD, UNREAD),
        ("CLUSTER_NAME", "", STOPS, STOPS),
        ("CLUSTER_NAME", "shop", [], []),
        ("BATCH_MAX_DURATION", "1m30s", [], []),
        ("BATCH_MAX_DURATION", "30", UNREAD, STOPS),
        ("AMI_REFRESH_INTERVAL", "59s", STOPS, STOPS),
        ("SUBNET_REFRESH_INTERVAL", "1m", [], []),
        ("RESERVED_ENIS", "1", [], []),
        ("RESERVED_ENIS", "-1", STOPS, STOPS),
        ("KUBE_CLIENT_QPS", "1.5", UNREAD, STOPS),
        ("VM_MEMORY_OVERHEAD_PERCENT", "0", [], []),
        ("VM_MEMORY_OVERHEAD_PERCENT", "-0.1", STOPS, STOPS),
        ("VM_MEMORY_OVERHEAD_PERCENT", "7.5", UNREAD, UNREAD),
        ("VM_MEMORY_OVERHEAD_PERCENT", "7.5%", UNREAD, STOPS),
        ("ISOLATED_VPC", "TRUE", [], STOPS),
        ("ISOLATED_VPC", "yes", UNREAD, STOPS),
        ("DISABLE_LEADER_ELECTION", "true", UNREAD, UNREAD),
        ("SCHEDULER_CONFIG", "", [], []),
        ("SCHEDULER_CONFIG", config(SPREAD), [], []),
        ("SCHEDULER_CONFIG", config(SPREAD, SPREAD), STOPS, STOPS),
        ("SCHEDULER_CONFIG", config(SPREAD | {"labelSelector": {}}), STOPS, STOPS),
        ("SCHEDULER_CONFIG", config(SPREAD | {"maxSkew": 0}), STOPS, STOPS),
        ("SCHEDULER_CONFIG", config(SPREAD | {"topologyKey": ["zone"]}), STOPS, STOPS),
        ("SCHEDULER_CONFIG", config(SPREAD, defaultingType="List"), STOPS, STOPS),
        ("SCHEDULER_CONFIG", "[", STOPS, STOPS),
    ],
)
def test_a_setting(name, value, of_variable, of_argument):
    flag = f"--{name.lower().replace('_', '-')}={value}"
    assert codes(deployment({name: value})) == of_variable
    assert codes(deployment({name: value}, version="@sha256:0a1b")) == of_variable
    assert codes(deployment({name: "$(X)"}, [flag])) == of_argument


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(deployment({"LOG_LEVEL": {"valueFrom": {}}}), id="from elsewhere"),
        pytest.param(deployment({"LOG_LEVEL": "$(LEVEL)"}), id="a reference"),
        pytest.param(deployment({"LOG_LEVEL": "warn"}, ["--log-level", "info"]), id="an argument goes first"),
        pytest.param(deployment({"LOG_LEVEL": "warn"}, ["x"]), id="arguments that are not known"),
        pytest.param(deployment({"LOG_LEVEL": "warn"}, command=["sh", "-c", "x"]), id="a shell"),
        pytest.param(deployment({"SCHEDULER_CONFIG": "["}, version=":1.14.2"), id="a setting of a later version"),
        pytest.param(deployment({"DISABLE_LEADER_ELECTION": "true"}).replace('"replicas": 2', '"replicas": 1'), id="one replica"),
        pytest.param(deployment({"LOG_LEVEL": "warn"}).replace("karpenter/controller", "shop/web"), id="not Karpenter"),
    ],
)
def test_what_is_not_known_or_right_is_not_reported(text):
    assert codes(text) == []


STATIC = OWN.replace("spec:\n  template", "spec:\n  replicas: 2\n  template", 1)
SPOT = OWN.replace("[on-demand]", "[spot]")
RESERVED = OWN.replace("[on-demand]", "[reserved]")


@pytest.mark.parametrize(
    ("pool", "env", "args", "expected"),
    [
        pytest.param(STATIC, {}, None, ["OBJ028"], id="static by default"),
        pytest.param(STATIC, {"FEATURE_GATES": "StaticCapacity=true"}, None, [], id="static"),
        pytest.param(STATIC, {"FEATURE_GATES": "StaticCapacity=false"}, ["--feature-gates=StaticCapacity=true"], [], id="static by an argument"),
        pytest.param(STATIC, {"FEATURE_GATES": {"valueFrom": {}}}, None, ["OBJ028"], id="not known"),
        pytest.param(RESERVED, {}, None, [], id="reserved by default"),
        pytest.param(RESERVED, {"FEATURE_GATES": {"valueFrom": {}}}, None, [], id="on by default, and not known"),
        pytest.param(RESERVED, {"FEATURE_GATES": "ReservedCapacity=false"}, None, ["OBJ028"], id="no reservations"),
        pytest.param(OWN, {"FEATURE_GATES": "ReservedCapacity=false"}, None, [], id="not reserved"),
        pytest.param(SPOT, {"CLUSTER_NAME": "shop"}, None, ["OBJ055"], id="spot without a queue"),
        pytest.param(SPOT, {"CLUSTER_NAME": "shop", "INTERRUPTION_QUEUE": "shop"}, None, [], id="spot with a queue"),
        pytest.param(SPOT, {}, None, [], id="a part of a Deployment"),
        pytest.param(OWN, {"CLUSTER_NAME": "shop"}, None, [], id="on demand"),
        pytest.param(RESERVED.replace("operator: In", "operator: Is"), {"FEATURE_GATES": "ReservedCapacity=false"}, None, [], id="not readable"),
        pytest.param(RESERVED.replace("values: [reserved]", "values: 3"), {}, None, [], id="another type"),
    ],
)
def test_gates_that_node_pools_need(pool, env, args, expected):
    assert codes(pool, deployment(env, args)) == expected


@pytest.mark.parametrize(
    ("capacity", "told"), [("[reserved]", "launches no node"), ("[reserved, on-demand]", "uses no capacity reservation"), ("[on-demand]", None)]
)
def test_reservations_are_off_by_default_before_1_6(capacity, told):
    pool = OWN.replace("[on-demand]", capacity)
    read = list(objects(pool, "f.yaml"))
    for version, expected in (("1.5", [told] * (told is not None)), ("1.6", [])):
        findings = check_objects(read, karpenter=karpenter_release(version)).findings
        assert [part for one in findings if one.code == "OBJ028" for part in (told,) if part in one.message] == expected
        installed = found(pool, deployment({}, version=f":{version}.0"))
        assert [part for code, message in installed if code == "OBJ028" for part in (told,) if part in message] == expected


@pytest.mark.parametrize("others", [(), (deployment({"FEATURE_GATES": {"valueFrom": {}}}),)])
def test_a_static_pool_whose_gate_is_not_known_is_never_clean(others):
    assert codes(STATIC, *others) == ["OBJ028"]
    assert codes(OWN, *others) == []


@pytest.mark.parametrize(("policy", "expected"), [("Strict", ["SMK050"]), ("BestEffort", [])])
def test_min_values_are_relaxed_by_a_setting(policy, expected):
    family = "{key: karpenter.k8s.aws/instance-family, operator: In, values: [m7i, m6i], minValues: 2}"
    newer = "{key: karpenter.k8s.aws/instance-generation, operator: Gt, values: ['6']}"
    pool = OWN.replace("      expireAfter", f"      - {family}\n      - {newer}\n      expireAfter")
    assert codes(pool, deployment({"MIN_VALUES_POLICY": policy})) == expected


def test_gates_of_arguments_and_commands():
    def gate(text: str) -> bool | None:
        return feature_gate(list(objects(text, "f.yaml")), "NodeOverlay")

    assert gate(deployment(command=["/controller", "--feature-gates", "NodeOverlay=true"])) is True
    assert gate(deployment({"FEATURE_GATES": "NodeOverlay=true"}, ["--isolated-vpc", "--feature-gates=NodeOverlay=0"])) is False
    assert gate(deployment(args=["--feature-gates"])) is None
    assert gate(deployment(envFrom=[{"configMapRef": {"name": "x"}}])) is None
    assert not spreads_by_default(objects(KARPENTER, "f.yaml"))


NODE_CLASS = """apiVersion: eks.amazonaws.com/v1
kind: NodeClass
metadata: {name: default}
spec: {role: nodes, subnetSelectorTerms: [{tags: {a: b}}], securityGroupSelectorTerms: [{tags: {a: b}}]}
"""
WITHOUT_AFTER = OWN.replace("spec:\n  template", "spec:\n  disruption: {consolidationPolicy: WhenEmpty}\n  template", 1)
CLASS = """apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata: {name: default}
spec:
  role: nodes
  amiSelectorTerms: IMAGES
  subnetSelectorTerms: [{tags: {a: b}}]
  securityGroupSelectorTerms: [{tags: {a: b}}]
"""


@pytest.mark.parametrize(("version", "severities"), [(":1.14.2", ["error"]), (":1.15.0", []), (":latest", ["warning"]), (None, ["warning"])])
def test_the_version_that_runs_decides_what_it_fills_in(version, severities):
    texts = [WITHOUT_AFTER, *([deployment(version=version)] if version is not None else [])]
    findings = check_objects([one for text in texts for one in objects(text, "f.yaml")]).findings
    assert [one.severity.value for one in findings if one.code == "OBJ014"] == severities


@pytest.mark.parametrize(
    ("images", "version", "severity"),
    [
        ("[{alias: al2@latest}]", "1.32", "warning"),
        ("[{alias: al2@latest}]", "1.33", "error"),
        ("[{alias: al2@latest}]", "", "warning"),
        ("[{id: ami-0a1b2c3d}]\n  amiFamily: AL2", "1.33", "warning"),
    ],
)
def test_amazon_linux_2_and_the_version_of_the_cluster(images, version, severity):
    found = list(objects(CLASS.replace("IMAGES", images), "f.yaml"))
    findings = check_objects(found, cloud=CloudCluster(version=version)).findings
    assert [one.severity.value for one in findings if one.code == "SMK008"] == [severity]


STATUS = "status: {subnets: [{id: subnet-0a1, zone: us-east-1a, zoneID: use1-az1}, {id: subnet-0a2, zone: us-east-1b, zoneID: use1-az2}]}\n"
ZONE, ZONE_ID = "topology.kubernetes.io/zone", "topology.k8s.aws/zone-id"


@pytest.mark.parametrize(
    ("label", "values", "status", "expected"),
    [
        pytest.param(ZONE, "us-east-1c", STATUS, ["SMK051 warning"], id="another zone"),
        pytest.param(ZONE, "us-east-1c, us-east-1b", STATUS, [], id="one of them"),
        pytest.param(ZONE_ID, "use1-az6", STATUS, ["SMK051 warning"], id="another zone by its id"),
        pytest.param(ZONE, "us-east-1c", "", [], id="not exported"),
        pytest.param(ZONE, "us-east-1c", "status: {subnets: [{id: subnet-0a1}]}\n", [], id="without zones"),
    ],
)
def test_zones_of_the_subnets_that_a_class_has_found(label, values, status, expected):
    pool = OWN.replace("      expireAfter", f"      - {{key: {label}, operator: In, values: [{values}]}}\n      expireAfter")
    found = [one for text in (pool, CLASS.replace("IMAGES", "[{alias: al2023@v20260801}]") + status) for one in objects(text, "f.yaml")]
    assert [f"{one.code} {one.severity}" for one in check_objects(found).findings if one.code in ("SMK051", "EKS179")] == expected
    of_auto_mode = [
        AUTO_MODE.replace("      expireAfter", f"      - {{key: {label}, operator: In, values: [{values}]}}\n      expireAfter"),
        NODE_CLASS + status,
    ]
    findings = check_objects([one for text in of_auto_mode for one in objects(text, "f.yaml")]).findings
    assert [one.code for one in findings if one.code in ("SMK051", "EKS179")] == ["EKS179"] * len(expected)
