"""Karpenter NodePools of both clouds."""

from collections.abc import Callable

import pytest

from nodepools import Autoscale, Budget, Headroom, Requirement, Taint, UserPool, derive, keys
from nodepools.model.base import Model
from nodepools.model.eks.ec2_node_class import SelfManagedKarpenter
from nodepools.model.karpenter import NodePool
from nodepools.model.kubernetes.cron import unreadable
from nodepools.rules.engine.runner import check
from nodepools.rules.engine.samples import AMD64, ON_DEMAND, aks_pool, auto_mode, eks_pool, provisioning

ARCH, CAPACITY = "kubernetes.io/arch", "karpenter.sh/capacity-type"
UNHEALTHY = {"budgets": [{}, {"nodes": "0", "reasons": ["Unhealthy"], "schedule": "0 9 * * *", "duration": "8h"}]}
ZONE_A, REGION = keys.eks.zone.one_of("us-east-1a"), "topology.kubernetes.io/region"
HEALTH = "KAR024 node_pools.web.disruption.budgets[1].reasons"
CLASS, NVME = NodePool.class_label, "eks.amazonaws.com/instance-local-nvme"
EXCLUDED = "KAR041 node_pools.web.requirements[2]"


def own(**fields) -> SelfManagedKarpenter:
    return SelfManagedKarpenter(node_pools={"web": of_any_provider(**fields)})


def of_any_provider(**fields) -> NodePool:
    return NodePool(**{"requirements": [AMD64, ON_DEMAND], "expire_after": "720h", **fields})


def of_agents(**fields) -> UserPool:
    return UserPool(**{"vm_size": "Standard_D2ds_v5", "headroom": Headroom(3, {"cpu": "1"}), **fields})


@pytest.mark.parametrize(
    ("declared", "found"),
    [
        pytest.param(auto_mode({"web-1.eu": eks_pool()}), [], id="a name with dots"),
        pytest.param(auto_mode({"w" * 64: eks_pool()}), [f"KAR001 auto_mode.node_pools.{'w' * 64}"], id="a name of 64 characters"),
        pytest.param(
            provisioning(node_classes={"My_Class": {}}), ["KAR001 node_provisioning.node_classes.My_Class"], id="a class named as no object can be"
        ),
        pytest.param(eks_pool(weight=10, limits={"cpu": 100, "memory": "1Ti"}), [], id="weight and limits of a dynamic pool"),
        pytest.param(eks_pool(replicas=3, limits={"nodes": 4}), [], id="a static pool may limit nodes"),
        pytest.param(eks_pool(replicas=0, weight=1), ["KAR010 weight"], id="also an empty static pool has no weight"),
        pytest.param(eks_pool(limits={"cpu": 4}, headroom=Headroom(4, {"cpu": "1"})), [], id="headroom within limits"),
        pytest.param(eks_pool(limits={"cpu": 4}, headroom=Headroom(5, {"cpu": "1"})), ["KAR092 headroom"], id="headroom beyond limits"),
        pytest.param(eks_pool(limits={"cpu": 0}, headroom=Headroom(5, {"cpu": "1"})), ["KAR091 headroom"], id="headroom of a pool that is off"),
        pytest.param(eks_pool(replicas=2, headroom=Headroom(1, {"cpu": "1"})), ["KAR091 headroom"], id="headroom of a static pool"),
        pytest.param(aks_pool(headroom=Headroom(1, {"cpu": "1"}, by="capacity-buffer")), ["KAR090 headroom.by"], id="a buffer on AKS"),
        pytest.param(of_any_provider(headroom=Headroom(1, {"cpu": "1"}, by="capacity-buffer")), [], id="a buffer for a Karpenter of your own"),
        pytest.param(of_agents(scale=Autoscale(1, 3)), [], id="headroom of an agent pool"),
        pytest.param(of_agents(scale=Autoscale(1, 2)), ["KAR092 headroom"], id="headroom beyond the range of an agent pool"),
        pytest.param(of_agents(scale=Autoscale(1, 2), headroom=Headroom(1, {"cpu": "2"})), ["KAR092 headroom"], id="a pod too large for its nodes"),
        pytest.param(of_agents(count=3), ["KAR091 headroom"], id="headroom of an agent pool of a fixed size"),
        pytest.param(of_agents(scale=Autoscale(1, 3), power_state="Stopped"), ["KAR091 headroom"], id="headroom of a stopped agent pool"),
        pytest.param(of_agents(vm_size="Standard_D2_v99", scale=Autoscale(1, 2)), ["AKS141 vm_size"], id="headroom on a size that is not known"),
        pytest.param(eks_pool(limits={"cpu": 0}), [], id="a limit of zero turns a pool off"),
        pytest.param(eks_pool(limits={"cpus": 100}), ["KAR081 limits.cpus"], id="a misspelt resource"),
        pytest.param(aks_pool(limits={"cpu": 100, "memroy": "1Ti"}), ["KAR081 limits.memroy"], id="of node auto provisioning"),
        pytest.param(NodePool(requirements=[AMD64, ON_DEMAND], limits={"gpu": 1}), ["KAR081 limits.gpu"], id="of self-managed Karpenter"),
        pytest.param(eks_pool(limits={"nvidia.com/gpus": 8}), ['KAR081 limits["nvidia.com/gpus"]'], id="of a device"),
        pytest.param(eks_pool(limits={"example.com/dongle": 1, "hugepages-2Mi": "1Gi", "ephemeral-storage": "1Ti", "pods": 100}), [], id="others"),
        pytest.param(eks_pool(limits={"cpu": "100Gi"}), ["KAR082 limits.cpu"], id="CPUs in bytes"),
        pytest.param(aks_pool(limits={"nodes": "10M", "cpu": "1k"}), ["KAR082 limits.nodes"], id="millions of nodes, a thousand CPUs"),
        pytest.param(eks_pool(limits={"nodes": ".5Gi"}), ["KAR082 limits.nodes"], id="half of a gibi"),
        pytest.param(eks_pool(limits={"nodes": "500m"}), ["KAR013 limits.nodes"], id="half a node"),
        pytest.param(eks_pool(limits={"cpu": 100, "nodes": 0}), ["KAR084 limits.nodes"], id="a limit of zero next to another"),
        pytest.param(eks_pool(limits={"cpu": 0, "nvidia.com/gpu": 0}), ["KAR084 limits.cpu"], id="of which only one is about all nodes"),
        pytest.param(eks_pool(limits={"cpu": 2}), [], id="two vCPUs are the smallest node"),
        pytest.param(eks_pool(limits={"cpu": 1}), ["KAR013 limits.cpu"], id="one vCPU is not a node of Auto Mode"),
        pytest.param(NodePool(requirements=[AMD64, ON_DEMAND], limits={"cpu": 1}), [], id="one vCPU is a node of self-managed Karpenter"),
        pytest.param(NodePool(requirements=[AMD64, ON_DEMAND], limits={"cpu": "500m"}), ["KAR013 limits.cpu"], id="half a vCPU is not"),
        pytest.param(aks_pool(limits={"memory": "40"}), ["KAR013 limits.memory"], id="forty bytes"),
        pytest.param(aks_pool(limits={"memory": "200Mi"}), ["KAR013 limits.memory"], id="less memory than any node has"),
        pytest.param(aks_pool(limits={"memory": "2Gi"}), ["KAR013 limits.memory"], id="less memory than a size of AKS that NAP uses"),
        pytest.param(aks_pool(limits={"memory": "3Gi"}), [], id="as much memory as the smallest size"),
        pytest.param(aks_pool(limits={"memory": "0"}), [], id="no memory turns a pool off"),
        pytest.param(eks_pool(limits={"memory": "-1Gi"}), ["KAR013 limits.memory"], id="a negative limit"),
        pytest.param(Budget(nodes="0", schedule="0 9 * * mon-fri", duration="8h"), [], id="a window"),
        pytest.param(Budget(nodes="5", duration="8h"), ["KAR020 duration"], id="a duration of nothing"),
        pytest.param(Budget(nodes="0", reasons=["Drifted"]), [], id="no drift, ever, is a choice"),
        pytest.param(Budget(nodes="00%"), ["KAR022 nodes"], id="zero per cent, always"),
        pytest.param(Budget(nodes="10"), [], id="ten nodes"),
        pytest.param(eks_pool(taints=[Taint("a"), Taint("a", effect="NoExecute")]), [], id="two effects of one key"),
        pytest.param(Budget(nodes="0", reasons=["Empty", "Drifted", "Underutilized"]), ["KAR022 nodes"], id="zero for every reason"),
        pytest.param(eks_pool(taints=[Taint("a"), Taint("a")]), ["KAR030 taints[1]"], id="one taint twice"),
        pytest.param(eks_pool(labels={"te am": "ml", "team": "-"}), ['KAR031 labels["te am"]', "KAR031 labels.team"], id="labels that are none"),
        pytest.param(eks_pool(startup_taints=[Taint("team", "a b")]), ["KAR032 startup_taints[0].value"], id="a startup taint that is none"),
        pytest.param(eks_pool(Requirement("te am", "Exists")), ["KAR033 requirements[2].key"], id="a requirement of no label"),
        pytest.param(eks_pool(labels={"x.karpenter.sh/y": "z"}), ['KAR034 labels["x.karpenter.sh/y"]'], id="a subdomain of Karpenter"),
        pytest.param(eks_pool(labels={"my-karpenter.sh/y": "z"}), ['KAR034 labels["my-karpenter.sh/y"]'], id="what ends as Karpenter's domain"),
        pytest.param(eks_pool(labels={"karpenter.sh": "z"}), ['KAR034 labels["karpenter.sh"]'], id="the domain of Karpenter without a name"),
        pytest.param(eks_pool(disruption={"budgets": [{}, {"reasons": ["Drifted", "Drifted"]}]}), [], id="on EKS a reason twice is taken"),
        pytest.param(
            aks_pool(disruption={"budgets": [{}, {"reasons": ["Empty", "Drifted", "Empty"]}]}),
            ["KAR080 disruption.budgets[1].reasons[2]"],
            id="not on AKS",
        ),
        pytest.param(aks_pool(disruption={"budgets": [{}, {"reasons": ["Empty", "Drifted"]}]}), [], id="two reasons"),
        pytest.param(aks_pool(disruption=UNHEALTHY), ["KAR024 disruption.budgets[1].reasons"], id="a reason of newer versions, on AKS"),
        pytest.param(eks_pool(disruption=UNHEALTHY), ["EKS056 disruption.budgets[1].reasons"], id="on EKS, it is not documented"),
        pytest.param(own(disruption=UNHEALTHY), [], id="of self-managed Karpenter"),
        pytest.param(own(disruption={"budgets": [{}, {"reasons": ["Empty", "NodeNotHealthy"]}]}), [HEALTH], id="which never had another one"),
        pytest.param(eks_pool(requirements=[AMD64], labels={CAPACITY: "spot"}), [], id="the capacity type as a label"),
        pytest.param(own(node_class="web", requirements=[AMD64, ON_DEMAND, Requirement(CLASS, "In", ["gpu"])]), [EXCLUDED], id="another class"),
        pytest.param(own(requirements=[AMD64, ON_DEMAND, Requirement(CLASS, "DoesNotExist")]), [EXCLUDED], id="no class at all"),
        pytest.param(own(requirements=[AMD64, ON_DEMAND, Requirement(CLASS, "In", ["default", "gpu"])]), [], id="its class, and another one"),
        pytest.param(own(node_class="web", requirements=[AMD64, ON_DEMAND, Requirement(CLASS, "In", ["web-1a2b"])]), [], id="a class with a suffix"),
        pytest.param(
            eks_pool(Requirement("team", "NotIn", ["web"]), labels={"team": "web"}), ["KAR041 labels.team"], id="a label of its own excluded"
        ),
        pytest.param(eks_pool(Requirement(NVME, "Gt", ["100"]), labels={NVME: "50"}), [f'KAR094 labels["{NVME}"]'], id="types decide it"),
    ],
)
def test_pools(declared: Model, found: list[str], judged) -> None:
    assert judged(declared) == found


@pytest.mark.parametrize(
    ("requirements", "found"),
    [
        pytest.param([Requirement(ARCH, "In", ["amd64", "arm64"])], [], id="one key twice, with something left"),
        pytest.param([Requirement(ARCH, "NotIn", ["amd64"])], ["KAR040 requirements[2]"], id="asked for and excluded"),
        pytest.param([Requirement("team", "Exists"), Requirement("team", "DoesNotExist")], ["KAR094 requirements[3]"], id="there and not there"),
        pytest.param([Requirement("team", "NotIn", ["a"]), Requirement("team", "DoesNotExist")], [], id="two that permit absence"),
        pytest.param(
            [keys.eks.instance_cpu.more_than(4), keys.eks.instance_cpu.less_than(5)], ["KAR040 requirements[3]"], id="bounds that leave nothing"
        ),
        pytest.param([keys.eks.instance_cpu.more_than(3), keys.eks.instance_cpu.less_than(5)], [], id="bounds that leave something"),
        pytest.param([keys.eks.zone.one_of("us-east-1a", "us-east-1b", min_values=2)], [], id="as many as are named"),
        pytest.param([Requirement(keys.eks.instance_family.name, "Exists", min_values=3)], [], id="flexibility where nothing is named"),
        pytest.param([Requirement(CAPACITY, "Exists", min_values=4)], ["KAR043 requirements[2].min_values"], id="more capacity types than there are"),
        pytest.param([Requirement(ARCH, "NotIn", ["arm64"], min_values=2)], ["KAR043 requirements[2].min_values"], id="more than the others"),
        pytest.param([Requirement("topology.kubernetes.io/zone", "DoesNotExist")], ["KAR040 requirements[2]"], id="every node has a zone"),
        pytest.param(
            [keys.eks.instance_cpu.more_than(2**63 - 2), keys.eks.instance_cpu.less_than(2**63 - 1)], ["KAR040 requirements[3]"], id="64 bits"
        ),
        pytest.param([ZONE_A, Requirement(REGION, "In", ["eu-west-1"])], ["KAR040 requirements[2]"], id="a zone of another region"),
        pytest.param([ZONE_A, keys.eks.zone_id.one_of("usw2-az1", "euc1-az1")], ["KAR040 requirements[2]"], id="the ID of a zone of another region"),
        pytest.param([ZONE_A, keys.eks.zone_id.one_of("usw2-az1", "use1-bos1-az1")], [], id="one of the same region"),
        pytest.param([keys.eks.zone_id.one_of("usw2-az1")], [], id="an ID alone"),
        pytest.param([ZONE_A, Requirement(REGION, "NotIn", ["us-east-1"])], ["KAR040 requirements[2]"], id="a zone of a region that is excluded"),
        pytest.param([ZONE_A, Requirement(REGION, "In", ["us-east-1"])], [], id="a zone of its region"),
        pytest.param([keys.eks.zone.not_in("us-east-1a"), Requirement(REGION, "In", ["eu-west-1"])], [], id="other zones"),
        pytest.param([Requirement("kubernetes.io/os", "In", ["windows"])], ["KAR043 requirements[2].values"], id="no Windows"),
        pytest.param([Requirement("kubernetes.io/os", "NotIn", ["windows"])], [], id="Windows excluded"),
        pytest.param([keys.eks.instance_memory.more_than("16Gi")], [], id="memory by a key"),
        pytest.param([Requirement("eks.amazonaws.com/instance-memory", "Gt", ["0"])], [], id="any memory"),
        pytest.param([Requirement("eks.amazonaws.com/instance-memory", "Exists")], [], id="memory as such"),
        pytest.param([Requirement("eks.amazonaws.com/instance-memory", "NotIn", ["lots"])], [], id="memory in words is left to others"),
    ],
)
def test_requirements(requirements: list[Requirement], found: list[str], judged) -> None:
    assert judged(eks_pool(*requirements)) == found


@pytest.mark.parametrize(
    ("key", "words"),
    [(ARCH, ["amd64", "arm64"]), ("kubernetes.io/os", ["linux", "windows"]), (CAPACITY, ["on-demand", "spot", "reserved"])],
)
@pytest.mark.parametrize("made", [eks_pool, aks_pool, of_any_provider])
def test_values_that_every_node_has_one_of(key: str, words: list[str], made, judged) -> None:
    """Whatever says so: without one of the values no node is launched, and with one of them nodes are."""
    others = [requirement for requirement in (AMD64, ON_DEMAND) if requirement.key != key]

    def told(*requirements: Requirement) -> set[str]:
        return {one.partition(" ")[0] for one in judged(made(requirements=[*others, *requirements])) if one.startswith(("KAR040", "KAR043"))}

    assert told(Requirement(key, "NotIn", words)) == told(Requirement(key, "DoesNotExist")) == {"KAR043"}
    assert told(Requirement(key, "In", words[:1]), Requirement(key, "NotIn", words[:1])) == {"KAR040"}
    assert told(Requirement(key, "NotIn", words[1:])) == set()


@pytest.mark.parametrize(
    ("declared", "found"),
    [
        pytest.param(eks_pool(requirements=[AMD64, Requirement(CAPACITY, "In", ["reserved"])]), [], id="EKS has reservations"),
        pytest.param(aks_pool(requirements=[AMD64, Requirement(CAPACITY, "In", ["reserved"])]), ["KAR043 requirements[1].values"], id="AKS has none"),
        pytest.param(
            aks_pool(requirements=[AMD64, Requirement(CAPACITY, "In", ["spot", "reserved"])]),
            ["KAR044 requirements[1].values[1]", "NAP013 taints"],
            id="and passes them over, so that spot is left",
        ),
        pytest.param(
            eks_pool(requirements=[ON_DEMAND, Requirement(ARCH, "In", ["x86_64"])]), ["KAR043 requirements[1].values"], id="another name of amd64"
        ),
        pytest.param(eks_pool(requirements=[ON_DEMAND, keys.eks.instance_family.one_of("m7i")]), [], id="a family says its architecture"),
        pytest.param(aks_pool(requirements=[ON_DEMAND], labels={ARCH: "amd64"}), [], id="so does a label"),
        pytest.param(
            eks_pool(requirements=[AMD64, Requirement(CAPACITY, "In", ["spot", "on-demand"], min_values=2)]), [], id="as many capacity types as asked"
        ),
        pytest.param(
            eks_pool(requirements=[AMD64, Requirement(CAPACITY, "In", ["spot", "ondemand"], min_values=2)]),
            ["KAR044 requirements[1].values[1]"],
            id="Karpenter counts all capacity types of each instance type",
        ),
        pytest.param(eks_pool(requirements=[]), ["KAR045 requirements", "KAR046 requirements"], id="a pool that asks for nothing"),
    ],
)
def test_words(declared: Model, found: list[str], judged) -> None:
    assert judged(declared) == found


@pytest.mark.parametrize(
    "schedule",
    [
        "@daily",
        "0 9 * * mon-fri",
        "*/15 0-6 1,15 JAN-MAR ?",
        "0 22 * * 0",
        "59 23 31 12 6",
        "0 0 * * sat,sun",
        "5/10 * * * *",
        "1,,2 * * * *",
        "*-5 +1 * * *",
    ],
)
def test_schedules_that_can_be_read(schedule: str) -> None:
    assert unreadable(schedule) is None


@pytest.mark.parametrize(
    ("schedule", "why"),
    [
        pytest.param("0 9 * * 7", "invalid day of the week `7`", id="Sunday is 0"),
        pytest.param("0 9 * * sat-sun", "invalid day of the week `sat-sun`", id="the week begins on Sunday"),
        pytest.param("0 0 9 * * *", "6 fields instead of 5", id="no seconds"),
        pytest.param("@every 2h", "2 fields instead of 5", id="no intervals"),
        pytest.param("TZ=UTC 0 9 * * *", "6 fields instead of 5", id="no time zone"),
        pytest.param("60 9 * * *", "invalid minute `60`", id="an hour has 60 minutes"),
        pytest.param("0 9 0 * *", "invalid day of the month `0`", id="months begin with 1"),
        pytest.param("0 9 L * *", "invalid day of the month `L`", id="no last day"),
        pytest.param("*/0 * * * *", "invalid minute `*/0`", id="no step of zero"),
        pytest.param("*/ * * * *", "invalid minute `*/`", id="no step of nothing"),
        pytest.param("0 9 * foo *", "invalid month `foo`", id="no month of that name"),
        pytest.param("0 1-2-3 * * *", "invalid hour `1-2-3`", id="a range has two ends"),
    ],
)
def test_schedules_that_cannot(schedule: str, why: str) -> None:
    assert unreadable(schedule) == why


EC2 = NodePool(requirements=[AMD64, ON_DEMAND])


@pytest.mark.parametrize(
    ("pool", "key", "found"),
    [
        (eks_pool, "eks.amazonaws.com/instance-familly", ["KAR087 requirements[2].key"]),
        (aks_pool, "karpenter.azure.com/sku-cpus", ["KAR087 requirements[2].key"]),
        (eks_pool, "eks.amazonaws.com/rack", ["EKS047 requirements[2].key"]),
        (eks_pool, "instance-family", ["KAR088 requirements[2].key"]),
        (eks_pool, "family", ["KAR088 requirements[2].key"]),
        (eks_pool, "zone", ["KAR088 requirements[2].key"]),
        (aks_pool, "sku-cpu", ["KAR088 requirements[2].key"]),
        (aks_pool, "instance-family", []),
        (eks_pool, "topology.kubernetes.io/zones", ["KAR088 requirements[2].key"]),
        (aks_pool, "kubernetes.io/archs", ["KAR088 requirements[2].key"]),
        (eks_pool, "team", []),
        (eks_pool, "example.com/instance-family", []),
        (eks_pool, "eks.amazonaws.com/instance-family", []),
        (eks_pool, "karpenter.azure.com/sku-cpu", ["KAR088 requirements[2].key"]),
        (aks_pool, "eks.amazonaws.com/instance-cpu", ["KAR088 requirements[2].key"]),
        (aks_pool, "karpenter.k8s.aws/instance-cpu", ["KAR088 requirements[2].key"]),
    ],
)
def test_keys_of_requirements(pool: Callable[..., NodePool], key: str, found: list[str], judged) -> None:
    assert sorted(judged(pool(Requirement(key, "Exists")))) == found


def test_keys_of_requirements_of_self_managed_karpenter(judged) -> None:
    def ec2(key: str) -> NodePool:
        return derive(EC2, requirements=[*EC2.requirements, Requirement(key, "Exists")])

    assert judged(ec2("karpenter.k8s.aws/instance-familly")) == ["KAR087 requirements[2].key"]
    assert judged(ec2("instance-cpu")) == ["KAR088 requirements[2].key"]
    assert judged(ec2("karpenter.k8s.aws/instance-cpu")) == []
    assert judged(ec2("karpenter.azure.com/sku-cpu")) == ["KAR088 requirements[2].key"]


def test_the_fix_of_a_key_is_the_whole_label() -> None:
    def fix(pool: NodePool) -> str:
        return next(finding.fix.text for finding in check(pool) if finding.code in ("KAR034", "KAR087", "KAR088") and finding.fix is not None)

    assert fix(eks_pool(Requirement("eks.amazonaws.com/instance-familly", "Exists"))).startswith("Use `eks.amazonaws.com/instance-family`")
    assert fix(aks_pool(Requirement("sku-cpu", "Exists"))).startswith("Use `karpenter.azure.com/sku-cpu`")
    typo = Requirement("karpenter.sh/capacity-typ", "In", ["spot"])
    assert fix(eks_pool(requirements=[AMD64, typo])).startswith("Use `karpenter.sh/capacity-type`")


@pytest.mark.parametrize(
    ("field", "name", "message"),
    [
        pytest.param(
            "node_pools", "w" * 64, f"`{'w' * 64}` has 64 characters: it is the value of a label of its nodes, which has at most 63", id="a pool"
        ),
        pytest.param("node_pools", "Web", "`Web` is not a valid name for a Kubernetes object", id="no object has it"),
        pytest.param("existing", "Web", "`Web` is not a valid name for a Kubernetes object: no cluster has this class", id="no class has it"),
        pytest.param(
            "existing", "w" * 64, f"`{'w' * 64}` has 64 characters: it is the value of a label of its nodes, which has at most 63", id="a class"
        ),
    ],
)
def test_a_name_that_objects_can_have_is_only_too_long_for_labels(field: str, name: str, message: str):
    declared = auto_mode({name: eks_pool()}) if field == "node_pools" else provisioning(existing_node_classes=(name,))
    assert [one.message for one in check(declared) if one.code == "KAR001"] == [message]
