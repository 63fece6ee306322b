"""EKS clusters, NodeClasses and NodePools: what is refused beside what is taken."""

import pytest

from nodepools import EksNodeClass, ExistingEksNetwork, Requirement, StackOutput, Taint, derive, keys
from nodepools.eks import SelectorTerm
from nodepools.model.base import Model
from nodepools.rules.engine.samples import auto_mode, eks, eks_pool, platform

ARN = "arn:aws:iam::111122223333:role/a"
OTHER = "arn:aws:iam::111122223333:role/b"
OUTPUT = StackOutput("org/iam/prod", "role")
OWN = {"own": EksNodeClass()}


def existing(*subnets: str, control_plane: tuple[str, ...] = ()) -> ExistingEksNetwork:
    return ExistingEksNetwork(vpc_id="vpc-1", private_subnet_ids=subnets, control_plane_subnet_ids=control_plane)


@pytest.mark.parametrize(
    ("declared", "found"),
    [
        pytest.param(eks(kubernetes_version="1.32"), ["EKS070 kubernetes_version"], id="a version in extended support"),
        pytest.param(platform(use_1=eks()), [], id="a name with an underscore"),
        pytest.param(platform(**{"u" * 97: eks(name="billing")}), [], id="a key that is not in the name"),
        pytest.param(platform(a=eks(name="dev-b"), b=eks(network={"cidr": "10.66.0.0/16"})), ["EKS131 clusters.b"], id="the name that a key makes"),
        pytest.param(
            platform(a=eks(name="x"), b=eks(name="x", region="eu-west-1", network={"cidr": "10.66.0.0/16"})), [], id="one name in two regions"
        ),
        pytest.param(platform(**{"u" * 97: eks()}), [f"EKS002 clusters.{'u' * 97}"], id="a name of 101 characters"),
        pytest.param(eks(service_cidr="172.20.0.0/16"), [], id="a private range for services"),
        pytest.param(eks(service_cidr="100.64.0.0/16"), ["EKS003 service_cidr"], id="one that is not private"),
        pytest.param(eks(service_cidr="10.96.0.0/25"), ["EKS003 service_cidr"], id="one that is too small"),
        pytest.param(eks(network={"cidr": "172.20.0.0/16"}), [], id="the default gives way to the VPC"),
        pytest.param(eks(network={"zones": ["us-east-1a", "us-east-1b"]}), [], id="two zones of the region"),
        pytest.param(eks(network={"zones": ["use1-az1", "use1-az2"]}), [], id="two zones by id"),
        pytest.param(eks(network={"nat": "single"}), [], id="one way out"),
        pytest.param(eks(network=existing("subnet-1", "subnet-2")), [], id="two subnets that exist"),
        pytest.param(eks(network=existing("subnet-1", control_plane=("subnet-2", "subnet-3"))), [], id="two for the control plane"),
        pytest.param(
            eks(network=existing("subnet-1", "subnet-2", control_plane=("subnet-3",))),
            ["EKS008 network.control_plane_subnet_ids"],
            id="one for it alone",
        ),
        pytest.param(eks(cluster_role=ARN, node_role=OTHER, admins=[ARN]), [], id="roles by ARN"),
        pytest.param(eks(cluster_role=OUTPUT, node_role=OUTPUT, admins=[OUTPUT]), [], id="roles that are not known yet"),
        pytest.param(eks(admins=[ARN, "alice"]), ["EKS009 admins[1]"], id="an admin by name"),
        pytest.param(eks(permissions_boundary="boundary"), ["EKS009 permissions_boundary"], id="a boundary by name"),
        pytest.param(derive(auto_mode(classes=OWN, built_in_node_pools=[]), node_role=ARN), ["PLT001 auto_mode"], id="a node role for a class"),
        pytest.param(eks(network={"cidr": "10.0.0.0/23"}), [], id="a /23 holds the subnets of every zone"),
        pytest.param(eks(network={"cidr": "10.0.0.0/24"}), [], id="a /24 those of the first three"),
        pytest.param(eks(network={"cidr": "10.0.0.0/24", "zones": ["us-east-1a", "us-east-1f"]}), ["EKS012 network.cidr"], id="but not of the sixth"),
        pytest.param(eks(network={"cidr": "10.0.0.0/31"}), ["EKS012 network.cidr"], id="a /31 holds none"),
    ],
)
def test_clusters(declared: Model, found: list[str], judged) -> None:
    assert judged(declared) == found


@pytest.mark.parametrize(
    ("fields", "found"),
    [
        pytest.param({}, [], id="all by default"),
        pytest.param({"role": "teams/web/node"}, [], id="a role by name and path"),
        pytest.param({"role": OUTPUT}, [], id="a role that is not known yet"),
        pytest.param({"role": "r" * 65}, ["EKS022 role"], id="a name that is too long"),
        pytest.param({"role": "arn:aws:iam::111122223333:instance-profile/x"}, ["EKS022 role"], id="the ARN of something else"),
        pytest.param({"create_role": True}, [], id="a role to be made"),
        *[pytest.param({"ephemeral_storage": size}, [], id=f"{size} of storage") for size in ("1Gi", "59000Gi", "64000G", "58Ti", "64T")],
        *[
            pytest.param({"ephemeral_storage": size}, ["EKS023 ephemeral_storage"], id=f"{size} is no storage")
            for size in ("80", "0Gi", "1.5Ti", "59001Gi", "59Ti", "512Mi", "-1Gi")
        ],
        pytest.param({"tags": {"team": "web"}}, [], id="a tag"),
        pytest.param({"tags": {"": "web", "aws:team": "x"}}, ['EKS024 tags[""]', 'EKS024 tags["aws:team"]'], id="tags that cannot be"),
        pytest.param({"subnets": [SelectorTerm(id="subnet-0a1"), SelectorTerm(tags={"tier": "*"})]}, [], id="subnets by id and by tag"),
        pytest.param({"subnets": [SelectorTerm(id=OUTPUT)]}, [], id="a subnet that is not known yet"),
        pytest.param({"subnets": [SelectorTerm(name="web")]}, ["EKS025 subnets[0].name"], id="subnets have no name"),
        pytest.param({"subnets": [SelectorTerm(id="arn:aws:ec2:us-east-1:1:subnet/subnet-1")]}, ["EKS025 subnets[0].id"], id="an ARN is no id"),
        pytest.param({"security_groups": [SelectorTerm(name="web"), SelectorTerm(id="sg-1")]}, [], id="security groups by name and id"),
        pytest.param({"security_groups": [SelectorTerm(id="subnet-1")]}, ["EKS025 security_groups[0].id"], id="a subnet is no security group"),
        pytest.param({"security_groups": [SelectorTerm(id="sg-1", name="web")]}, ["EKS110 security_groups[0].id"], id="an id or a name"),
        pytest.param({"security_groups": [SelectorTerm(name="web", tags={"a": "b"})]}, ["EKS110 security_groups[0].name"], id="a name or tags"),
        pytest.param(
            {"subnets": [SelectorTerm(id="subnet-1", tags={"a": "b"}), SelectorTerm(id="subnet-2", tags={"c": "d"})]},
            ["EKS110 subnets[0].id", "EKS110 subnets[1].id"],
            id="every selector has two",
        ),
        pytest.param(
            {"subnets": [SelectorTerm(id="subnet-1", tags={"a": "b"}), SelectorTerm(id="subnet-2")]},
            ["EKS026 subnets[0].id"],
            id="one that has not is enough for the API server",
        ),
        pytest.param(
            {"security_groups": [SelectorTerm(id="sg-1", tags={"a": "b"}), SelectorTerm(name="web", tags={"a": "b"})]},
            ["EKS026 security_groups[0].id", "EKS026 security_groups[1].name"],
            id="two of different kinds are taken",
        ),
        pytest.param(
            {"pod_subnets": [SelectorTerm(id="subnet-1", tags={"a": "b"})], "pod_security_groups": [SelectorTerm(id="sg-1")]},
            ["EKS026 pod_subnets[0].id"],
            id="of pods no published CRD judges it",
        ),
    ],
)
def test_node_classes(fields: dict[str, object], found: list[str], judged) -> None:
    assert judged(EksNodeClass.model_validate(fields)) == found


@pytest.mark.parametrize(
    ("declared", "found"),
    [
        pytest.param(auto_mode({"default": eks_pool()}), [], id="default is an ordinary name of a pool"),
        pytest.param(auto_mode({"web": eks_pool(node_class="default")}), [], id="the class of the built-in pools"),
        pytest.param(auto_mode({"web": eks_pool(node_class="own")}, OWN, built_in_node_pools=[]), [], id="a class of its own, no built-in pool"),
        pytest.param(
            auto_mode({"web": eks_pool(node_class="default")}, OWN, built_in_node_pools=[]),
            ["EKS043 auto_mode.node_pools.web.node_class"],
            id="the built-in class without the built-in pools",
        ),
        pytest.param(
            auto_mode({"web": eks_pool()}, {"default": EksNodeClass()}, built_in_node_pools=[]),
            ["EKS020 auto_mode.node_classes.default"],
            id="a class named as the built-in one is one finding",
        ),
        pytest.param(auto_mode({"web": eks_pool(node_class="onw")}, OWN), ["EKS042 auto_mode.node_pools.web.node_class"], id="a class misspelt"),
        pytest.param(auto_mode({"web": eks_pool(node_class="there")}, existing_node_classes=["there"]), [], id="a class that another tool makes"),
        pytest.param(
            auto_mode({"web": eks_pool(node_class="web")}, {"web": EksNodeClass(name="there")}, existing_node_classes=["there"]),
            ["EKS133 auto_mode.node_classes.web.name"],
            id="a fixed name that it has",
        ),
        pytest.param(
            auto_mode({"web": eks_pool(node_class="web")}, {"web": EksNodeClass(name="default")}),
            ["EKS133 auto_mode.node_classes.web.name"],
            id="or that the class of EKS has",
        ),
        pytest.param(auto_mode({"web": eks_pool(node_class="web")}, {"web": EksNodeClass(name="own")}), [], id="a fixed name of its own"),
        pytest.param(auto_mode(built_in_node_pools=["system"]), ["PLT001 auto_mode"], id="the built-in system pool is tainted"),
        pytest.param(
            auto_mode({"ml": eks_pool(taints=[Taint("team")])}, built_in_node_pools=["system"]), ["PLT001 auto_mode"], id="so is every other"
        ),
        pytest.param(auto_mode({"web": eks_pool(limits={"cpu": 0})}, built_in_node_pools=["system"]), ["PLT001 auto_mode"], id="one is turned off"),
        pytest.param(auto_mode({"web": eks_pool(replicas=0)}, built_in_node_pools=["system"]), ["PLT001 auto_mode"], id="one is empty"),
        pytest.param(auto_mode({"web": eks_pool(startup_taints=[Taint("x")])}, built_in_node_pools=["system"]), [], id="startup taints go away"),
        pytest.param(
            auto_mode({"web": eks_pool(Requirement("topology.kubernetes.io/zone", "In", ["us-east-1a", "eu-west-1a"]))}),
            ["EKS180 auto_mode.node_pools.web.requirements[2].values[1]"],
            id="one zone of the region will do, and the other is ignored",
        ),
    ],
)
def test_auto_mode(declared: Model, found: list[str], judged) -> None:
    assert judged(declared) == found


@pytest.mark.parametrize(
    ("expire_after", "grace", "found"),
    [
        pytest.param(None, None, [], id="336h and 24h by default"),
        pytest.param("480h", None, [], id="480h with the default day of grace"),
        pytest.param("481h", None, ["EKS044 expire_after"], id="one hour more"),
        pytest.param("503h", "1h", [], id="504h in all"),
        pytest.param(None, "168h", [], id="a week of grace with the default age"),
        pytest.param(None, "168h1s", ["EKS044 termination_grace_period"], id="one second more"),
        pytest.param("1h", "504h", ["KAR076 expire_after", "EKS044 termination_grace_period"], id="nothing but grace"),
        pytest.param("Never", None, ["EKS044 expire_after"], id="for ever"),
    ],
)
def test_life(expire_after: str | None, grace: str | None, found: list[str], judged) -> None:
    assert judged(eks_pool(expire_after=expire_after, termination_grace_period=grace)) == found


@pytest.mark.parametrize(
    ("expire_after", "sent", "found"),
    [
        pytest.param(None, {"expireAfter": "480h"}, [], id="504h in all"),
        pytest.param("720h", {"expireAfter": "480h"}, [], id="the field is not sent"),
        pytest.param("480h", {"expireAfter": "481h"}, ["EKS044 overrides.template.spec.expireAfter"], id="one hour more than the field"),
        pytest.param("480h", {"terminationGracePeriod": "25h"}, ["EKS044 expire_after"], id="one hour more of grace"),
        pytest.param("720h", {"expireAfter": None}, [], id="the field is removed: the default of Auto Mode"),
        pytest.param("480h", {"terminationGracePeriod": "Never"}, ["PLT024 overrides.template.spec.terminationGracePeriod"], id="no duration"),
    ],
)
def test_life_is_that_of_the_object(expire_after: str | None, sent: dict[str, object], found: list[str], judged) -> None:
    pool = eks_pool(expire_after=expire_after, overrides={"template": {"spec": sent}})
    assert [one for one in judged(pool) if not one.startswith("PLT020")] == found


@pytest.mark.parametrize(
    ("key", "found"),
    [
        pytest.param("team", [], id="a label of your own"),
        pytest.param("eks.amazonaws.com/instance-cpu", [], id="a label of Auto Mode"),
        pytest.param("topology.k8s.aws/zone-id", [], id="the id of a zone"),
        pytest.param("node.kubernetes.io/instance-type", [], id="the type of an instance"),
        pytest.param("example-node.kubernetes.io/x", [], id="what ends as the kubelet's labels do"),
        pytest.param("kops.k8s.io/x", [], id="the one exception under k8s.io"),
        pytest.param("karpenter.sh/nodepool", ["KAR034"], id="Karpenter's own"),
        pytest.param("kubernetes.io/hostname", ["KAR034"], id="a host name is told once"),
        pytest.param("karpenter.k8s.aws/instance-cpu", ["EKS045"], id="self-hosted Karpenter's"),
        pytest.param("karpenter.k8s.aws/instance-tenancy", ["EKS045"], id="one that Auto Mode has nothing for"),
        pytest.param("ai.eks.amazonaws.com/team", ["EKS046"], id="a subdomain of EKS"),
        pytest.param("my-eks.amazonaws.com/team", ["EKS046"], id="what ends as EKS does"),
        pytest.param("eks.amazonaws.com", ["EKS046"], id="the domain itself, without a name"),
        pytest.param("my-karpenter.k8s.aws/team", ["EKS046"], id="what ends as self-hosted Karpenter's"),
        pytest.param("my-karpenter.sh/team", ["KAR034"], id="what ends as Karpenter's"),
        pytest.param("karpenter.sh.example.com/team", [], id="what only begins so"),
        pytest.param("eks.amazonaws.com.example.com/team", [], id="what only begins as EKS does"),
        pytest.param("node-role.kubernetes.io/web", ["EKS048"], id="a role of nodes"),
        pytest.param("scheduling.k8s.io/x", ["EKS048"], id="k8s.io"),
    ],
)
def test_labels_that_may_be_named(key: str, found: list[str], judged) -> None:
    labelled = [finding for finding in judged(eks_pool(labels={key: "1"})) if not finding.startswith("EKS060")]  # no type has one vCPU
    at = f'labels["{key}"]' if "/" in key or "." in key else f"labels.{key}"
    assert labelled == [f"{code} {at}" for code in found]
    assert judged(eks_pool(Requirement(key, "Exists"))) == [f"{code} requirements[2].key" for code in found]


def test_what_to_write_in_place_of_a_label_of_self_hosted_karpenter() -> None:
    from nodepools import check

    def fix(key: str) -> str:
        return check(eks_pool(Requirement(key, "Exists")))[0].fix.text

    assert fix("karpenter.k8s.aws/instance-cpu") == f'Set `requirements[2].key` to `"{keys.eks.instance_cpu.name}"`'
    assert fix("karpenter.k8s.aws/instance-family") == 'Set `requirements[2].key` to `"eks.amazonaws.com/instance-family"`'
    assert fix("karpenter.k8s.aws/ec2nodeclass") == 'Set `requirements[2].key` to `"eks.amazonaws.com/nodeclass"`'
    assert fix("karpenter.k8s.aws/instance-tenancy") == "Remove the label: Auto Mode has no such label"
