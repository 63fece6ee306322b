"""Services and networks of EKS clusters: combinations that EKS, IAM or CloudWatch reject, or that have no effect, beside those that are right."""

import pytest

from nodepools import EksNodeClass, ExistingEksNetwork, StackOutput
from nodepools.keys import presets
from nodepools.model.base import Model
from nodepools.model.derive import derive
from nodepools.rules.engine.runner import check
from nodepools.rules.engine.samples import auto_mode, eks
from tests.rules.conftest import DAY

ROLE = "arn:aws:iam::111122223333:role/web"
KEY = "arn:aws:kms:us-east-1:111122223333:key/a"
ALIAS = "arn:aws:kms:us-east-1:111122223333:alias/logs"
OUTPUT = StackOutput("o/p/s", "value")
CLOSED = {"public_subnets": False, "nat": None, "endpoints": presets.eks_private_endpoints}
IPV6 = {"ip_family": "IPv6", "network": {"ipv6": True}}
STATEMENT = {"Effect": "Allow", "Action": ["s3:GetObject"], "Resource": ["*"]}
POLICY = {"Version": "2012-10-17", "Statement": [STATEMENT]}
POD, ADD_ON = "pod_identities.web", "add_ons.amazon-cloudwatch-observability.pod_identity.agent"


def pod(**fields: object) -> Model:
    return eks(pod_identities={"web": {"namespace": "shop", "service_account": "web", **fields}})


def agent(**fields: object) -> Model:
    return eks(add_ons={"amazon-cloudwatch-observability": {"pod_identity": {"agent": fields}}})


def classes(**egress: object) -> Model:
    networking = {"advanced_networking": egress} if egress else {}
    return auto_mode(classes={"own": EksNodeClass.model_validate(networking)})


@pytest.mark.parametrize(
    ("declared", "noted"),
    [
        pytest.param(eks(logs={"kms_key": KEY}), ["EKS141 logs.kms_key"], id="a key, whose policy must allow it"),
        pytest.param(eks(logs={"kms_key": OUTPUT}), ["EKS141 logs.kms_key"], id="a key of another stack"),
        pytest.param(
            derive(classes(network_interfaces=[{"secondary_ipv4_count": 0}]), IPV6),
            ["EKS220 auto_mode.node_classes.own.advanced_networking.network_interfaces[0].secondary_ipv4_count"],
            id="IPv4 addresses in an IPv6 cluster",
        ),
        pytest.param(derive(classes(), IPV6), ["EKS152 auto_mode.node_classes.own.advanced_networking"], id="IPv6 pods that reach no IPv4"),
    ],
)
def test_what_is_good_to_know(declared: Model, noted: list[str]) -> None:
    assert {f"{finding.code} {finding.path}" for finding in check(declared, today=DAY)} >= set(noted)


@pytest.mark.parametrize(
    ("declared", "found"),
    [
        pytest.param(eks(), [], id="the log group by default"),
        pytest.param(eks(logs={"kms_key": ALIAS}), ["EKS140 logs.kms_key"], id="an alias"),
        pytest.param(eks(logs={"kms_key": "1234"}), ["EKS140 logs.kms_key"], id="the id of a key"),
        pytest.param(eks(logs={"kms_key": "arn:aws-cn:kms:cn-north-1:1:key/a"}), ["EKS095 logs.kms_key", "EKS141 logs.kms_key"], id="a key of China"),
        pytest.param(eks(logs={"existing": True}), [], id="a group of another owner"),
        pytest.param(eks(logs={"existing": True, "keep": True, "retention_days": 90}), ["EKS142 logs.keep"], id="and a setting of it"),
        pytest.param(pod(role=ROLE), [], id="a role that exists"),
        pytest.param(pod(role=OUTPUT), [], id="a role of another stack"),
        pytest.param(pod(statements=[STATEMENT]), [], id="statements are permissions"),
        pytest.param(eks(cluster_statements=[STATEMENT], node_statements=[STATEMENT]), [], id="statements of the roles of the cluster and its nodes"),
        pytest.param(
            eks(cluster_statements=[{**STATEMENT, "Principal": "*"}], node_statements=[STATEMENT, {"Effect": "Allow"}]),
            ["EKS188 cluster_statements[0]", "EKS188 node_statements[1]"],
            id="statements that IAM rejects",
        ),
        pytest.param(
            eks(cluster_role=ROLE, node_role=ROLE.replace("web", "node"), cluster_statements=[STATEMENT], node_statements=[STATEMENT]),
            ["EKS145 cluster_statements", "EKS145 node_statements"],
            id="statements of existing roles",
        ),
        pytest.param(pod(statements=[STATEMENT], role=ROLE), [f"EKS145 {POD}.statements"], id="statements for a role that exists"),
        pytest.param(pod(statements=[{**STATEMENT, "NotAction": "s3:*"}]), [f"EKS188 {POD}.statements[0]"], id="both of a pair"),
        pytest.param(pod(statements=[{**STATEMENT, "Sid": "Web1"}, STATEMENT]), [], id="a Sid"),
        pytest.param(pod(statements=[{**STATEMENT, "Sid": OUTPUT}, {**STATEMENT, "Sid": OUTPUT}]), [], id="a Sid of another stack"),
        pytest.param(pod(statements=[{**STATEMENT, "Sid": "web-1"}]), [f"EKS188 {POD}.statements[0].Sid"], id="a Sid with other signs"),
        pytest.param(pod(statements=[{**STATEMENT, "Sid": "a"}, {**STATEMENT, "Sid": "a"}]), [f"EKS188 {POD}.statements[1].Sid"], id="a Sid twice"),
        pytest.param(
            eks(cluster_statements=[{**STATEMENT, "Sid": "a"}], node_statements=[{**STATEMENT, "Sid": "a"}]), [], id="a Sid in two policies"
        ),
        pytest.param(pod(statements=[{**STATEMENT, "Condition": ["a"]}]), [f"EKS188 {POD}.statements[0].Condition"], id="a list of conditions"),
        pytest.param(pod(statements=[{"Effect": "Allow"}]), [f"EKS188 {POD}.statements[0]"], id="a statement about nothing"),
        pytest.param(pod(statements=[{**STATEMENT, "Principal": "*"}]), [f"EKS188 {POD}.statements[0]"], id="a statement of a bucket's policy"),
        pytest.param(pod(statements=[{**STATEMENT, "Effect": ["Allow"]}]), [f"EKS188 {POD}.statements[0]"], id="an effect in a list"),
        pytest.param(pod(statements=[{**STATEMENT, "Sid": [1]}]), [f"EKS188 {POD}.statements[0].Sid"], id="a Sid in a list"),
        pytest.param(pod(statements=[{**STATEMENT, "Effect": "allow"}]), [f"EKS188 {POD}.statements[0]"], id="an effect in lower case"),
        pytest.param(pod(role=ROLE, session_policy=POLICY, session_tags=False), [], id="a session policy"),
        pytest.param(pod(role=ROLE, session_tags=False), [], id="sessions without tags"),
        pytest.param(pod(role=ROLE, session_policy=POLICY), [f"EKS187 {POD}.session_tags"], id="a session policy with tags"),
        pytest.param(eks(cluster_policies=["a"], node_policies=[OUTPUT]), [], id="more policies of created roles"),
        pytest.param(
            eks(cluster_policies=["a", "a"], node_policies=["AmazonEKSWorkerNodeMinimalPolicy", ROLE]),
            ["EKS147 cluster_policies[1]", "EKS147 node_policies[0]", "EKS147 node_policies[1]"],
            id="policies that cannot be attached",
        ),
        pytest.param(
            eks(cluster_role=ROLE, node_role=ROLE.replace("web", "node"), cluster_policies=["a"], node_policies=["a"]),
            ["EKS145 cluster_policies", "EKS145 node_policies"],
            id="policies of roles that exist",
        ),
        pytest.param(
            derive(auto_mode(classes={"own": EksNodeClass(create_role=True)}), {"node_role": ROLE, "node_policies": ["a"]}),
            [],
            id="policies of the role of a class",
        ),
        pytest.param(
            pod(policies=["AmazonS3ReadOnlyAccess", "job-function/ViewOnlyAccess", OUTPUT]), [], id="policies of AWS, and one of another stack"
        ),
        pytest.param(pod(policies=["arn:aws:iam::111122223333:policy/web", "arn:aws:iam::aws:policy/A"]), [], id="policies by ARN"),
        pytest.param(pod(), [f"EKS144 {POD}.policies"], id="neither"),
        pytest.param(pod(role=ROLE, policies=["A"]), [f"EKS145 {POD}.policies"], id="both"),
        pytest.param(pod(role="web"), [f"EKS081 {POD}.role"], id="a role by its name"),
        pytest.param(pod(policies=["A"], target_role="far"), [f"EKS081 {POD}.target_role"], id="a target by its name"),
        pytest.param(pod(policies=[ROLE]), [f"EKS147 {POD}.policies[0]"], id="a role where a policy belongs"),
        pytest.param(pod(policies=["a b"]), [f"EKS147 {POD}.policies[0]"], id="no name of a policy"),
        pytest.param(pod(policies=["A", "B", "A"]), [f"EKS147 {POD}.policies[2]"], id="a policy twice"),
        pytest.param(pod(policies=["arn:aws-cn:iam::aws:policy/A"]), [f"EKS095 {POD}.policies[0]"], id="a policy of China"),
        pytest.param(agent(policies=["CloudWatchAgentServerPolicy"]), [], id="an add-on with policies"),
        pytest.param(agent(), [f"EKS144 {ADD_ON}.policies"], id="an add-on with neither"),
        pytest.param(agent(role="web"), [f"EKS081 {ADD_ON}.role"], id="an add-on with a role by its name"),
        pytest.param(agent(role=ROLE.replace("aws", "aws-cn")), [f"EKS095 {ADD_ON}.role"], id="an add-on with a role of China"),
        pytest.param(
            eks(pod_identities={key: {"namespace": key, "service_account": "web", "role": ROLE} for key in "ab"}), [], id="accounts of two namespaces"
        ),
        pytest.param(eks(network=CLOSED), [], id="a private network with endpoints"),
        pytest.param(eks(network={**CLOSED, "endpoints": []}), ["EKS007 network.nat"], id="without endpoints"),
        pytest.param(eks(network={**CLOSED, "endpoints": ["ec2", "ecr.api", "ecr.dkr"]}), ["EKS007 network.nat"], id="without that of images"),
        pytest.param(eks(network={"endpoints": ["s3"]}), [], id="endpoints beside NAT"),
        pytest.param(eks(network={"public_subnets": False}), ["EKS148 network.nat"], id="NAT without public subnets"),
        pytest.param(
            eks(network=CLOSED, objects={"ingress_class": {"scheme": "internet-facing"}}),
            ["EKS151 objects.ingress_class.scheme"],
            id="public load balancers without public subnets",
        ),
        pytest.param(eks(network=CLOSED, objects={"ingress_class": None}), [], id="no ingress class"),
        pytest.param(eks(ip_family="IPv6"), ["EKS149 ip_family"], id="IPv6 in a network of IPv4"),
        pytest.param(eks(**IPV6), [], id="IPv6"),
        pytest.param(eks(network={"ipv6": True}), [], id="an IPv4 cluster where the network has both"),
        pytest.param(
            eks(ip_family="IPv6", network=ExistingEksNetwork(vpc_id="vpc-1", private_subnet_ids=["subnet-1", "subnet-2"])),
            [],
            id="in others' network",
        ),
        pytest.param(eks(**IPV6, service_cidr="172.20.0.0/16"), ["EKS150 service_cidr"], id="IPv6 with a range of services"),
        pytest.param(derive(classes(enable_v4_egress=True), IPV6), [], id="IPv6 pods that do"),
        pytest.param(
            classes(enable_v4_egress=True), ["EKS037 auto_mode.node_classes.own.advanced_networking.enable_v4_egress"], id="of no use with IPv4"
        ),
        pytest.param(eks(secrets_key="arn:aws:kms:us-east-1:111122223333:key/a"), [], id="a key of the region"),
        pytest.param(eks(secrets_key="arn:aws:kms:us-east-2:111122223333:key/a"), ["EKS185 secrets_key"], id="a key of another region"),
        pytest.param(eks(secrets_key="alias/a"), [], id="an alias has no region"),
        pytest.param(eks(control_plane={"event_ttl": "600s", "scoring": "MostAllocated"}), [], id="settings of the control plane"),
        pytest.param(
            eks(kubernetes_version="1.30", control_plane={"scoring_weights": {"cpu": 2}}),
            ["EKS001 kubernetes_version"],
            id="before their version",
        ),
        pytest.param(
            eks(control_plane={"autoscaler_sync_period": "10s"}, control_plane_tier="standard"),
            ["EKS203 control_plane.autoscaler_sync_period"],
            id="the sync period of autoscalers on the standard tier",
        ),
        pytest.param(eks(control_plane={"autoscaler_sync_period": "10s"}, control_plane_tier="tier-xl"), [], id="and on a larger one"),
        pytest.param(eks(control_plane={"first_node_port": 20000, "last_node_port": 29000}), [], id="a range of node ports"),
        pytest.param(
            eks(control_plane={"last_node_port": 29000}), ["EKS203 control_plane.last_node_port"], id="it ends before the default first one"
        ),
        pytest.param(
            eks(control_plane={"first_node_port": 32000, "last_node_port": 31000}),
            ["EKS203 control_plane.first_node_port"],
            id="a range of node ports in the wrong order",
        ),
        pytest.param(
            eks(control_plane={"event_ttl": "9m", "first_node_port": 10259, "last_node_port": 32768, "terminated_pods": 12501}),
            [
                *("EKS204 control_plane.event_ttl", "EKS204 control_plane.first_node_port"),
                *("EKS204 control_plane.last_node_port", "EKS204 control_plane.terminated_pods"),
            ],
            id="settings out of the documented ranges",
        ),
        pytest.param(
            eks(control_plane={"autoscaler_sync_period": "16s"}, control_plane_tier="tier-xl"),
            ["EKS204 control_plane.autoscaler_sync_period"],
            id="a sync period that is too long",
        ),
        pytest.param(
            eks(api_server={"authorized_ip_ranges": ["192.168.7.0/24"]}), ["EKS186 api_server.authorized_ip_ranges[0]"], id="a private range"
        ),
        pytest.param(eks(api_server={"authorized_ip_ranges": ["203.0.113.0/24", "0.0.0.0/0"]}), [], id="public ranges"),
        pytest.param(eks(api_server={"authorized_ip_ranges": ["2001:db8::/32"]}, **IPV6), [], id="a range of IPv6"),
    ],
)
def test_services(declared: Model, found: list[str], judged) -> None:
    assert judged(declared) == found
