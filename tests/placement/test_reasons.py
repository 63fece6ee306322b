"""Why a NodePool does not take a pod, or not for certain, in its own words."""

from typing import Any

import pytest

from nodepools import AksNodePool, CapacityReservationTerm, EksNodeClass, EksNodePool, Requirement, Taint, UserPool, WindowsPool, keys
from nodepools.manifests.live_pools import read_live_pools
from nodepools.model.derive import derive
from nodepools.model.kubernetes.pod import Expression
from nodepools.model.kubernetes.requirement import Values
from nodepools.placement.explain import Explainer
from nodepools.placement.label_reasons import spelled
from nodepools.placement.suggestions import suggest_value
from nodepools.placement.workload_reader import read_workloads
from tests.placement.conftest import SIZE, aks, eks, nap, pod, preferred, required, wants

ARCH, ZONE, CATEGORY = "kubernetes.io/arch", "topology.kubernetes.io/zone", "eks.amazonaws.com/instance-category"
AMD64 = keys.eks.arch.one_of("amd64")
SMALL = [AMD64, keys.eks.instance_family.one_of("c5a"), keys.eks.instance_cpu.one_of(2)]


def pool(*requirements: Requirement, **fields: Any) -> Any:
    return eks(a=EksNodePool.model_validate({"requirements": list(requirements), **fields}))


ROWS = [
    pytest.param(
        pool(AMD64), pod(nodeSelector={ARCH: "arm64"}), "kubernetes.io/arch=arm64: its nodes have kubernetes.io/arch=amd64", id="another value"
    ),
    pytest.param(
        pool(AMD64), pod(nodeSelector={"beta.kubernetes.io/arch": "arm64"}), "its nodes have beta.kubernetes.io/arch=amd64", id="by its former name"
    ),
    pytest.param(pool(labels={"tier": "web"}), pod(nodeSelector={"tier": "wbe"}), "→ selector tier=wbe: did you mean web", id="a misspelt value"),
    pytest.param(pool(labels={"tier": "web"}), pod(nodeSelector={"teir": "web"}), "→ selector teir=web: did you mean tier", id="a misspelt label"),
    pytest.param(
        pool(labels={"tier": "web"}), pod(nodeSelector={"owner": "me"}), "its nodes have no label owner → remove owner=me", id="an unknown label"
    ),
    pytest.param(
        pool(Requirement("rank", "Gt", ["4"])), pod(nodeSelector={"rank": "3"}), "its nodes have rank 5 or more → remove rank=3", id="outside bounds"
    ),
    pytest.param(
        pool(Requirement("team", "In", ["ml", "web"])),
        pod(affinity=required([wants("team", "NotIn", "ml", "web")])),
        "team NotIn [ml, web]: its nodes have team In [ml, web] → remove team NotIn [ml, web]",
        id="all that it has is excluded",
    ),
    pytest.param(
        pool(keys.eks.instance_category.one_of("c", "m"), keys.eks.instance_generation.more_than(6)),
        pod(nodeSelector={"eks.amazonaws.com/instance-gpu-name": "a100"}),
        "no instance type that it admits has eks.amazonaws.com/instance-gpu-name",
        id="types without the label",
    ),
    pytest.param(
        pool(keys.eks.instance_family.one_of("c5a")),
        pod(nodeSelector={"eks.amazonaws.com/instance-size": "lrage"}),
        "did you mean large",
        id="types with other values",
    ),
    pytest.param(
        pool(keys.eks.instance_category.one_of("c")),
        pod(nodeSelector={"eks.amazonaws.com/instance-family": "m7i"}),
        "its instance types have c4, c5, c5a, c5d, c5n, c6a, c6g, c6i, … → selector eks.amazonaws.com/instance-family with one of c4, c5",
        id="and only some of many are told",
    ),
    pytest.param(pool(*SMALL), pod(gpu="1"), "no instance type with an NVIDIA GPU", id="a GPU where there is none"),
    pytest.param(pool(*SMALL), pod(cpu="3"), "wants 3 cpu: its largest type, c5a.large, has 2", id="more than the largest has"),
    pytest.param(
        pool(AMD64, keys.eks.instance_category.one_of("g")),
        pod(gpu="16"),
        "wants 16 nvidia.com/gpu: its largest type",
        id="more GPUs than the largest has",
    ),
    pytest.param(
        pool(*SMALL), pod(memory="3Gi"), "c5a.large has 4Gi, of which 2Gi at least are for pods → ask for 2Gi to be sure", id="between both figures"
    ),
    pytest.param(
        pool(AMD64, keys.eks.instance_category.one_of("c"), keys.eks.instance_cpu.one_of(2, 96)),
        pod(cpu="50", memory="100Gi", nodeSelector={"eks.amazonaws.com/instance-cpu": "2"}),
        "wants 50 cpu: the largest type that it admits for this pod",
        id="words that leave no type together, by amount",
    ),
    pytest.param(
        pool(AMD64),
        pod(nodeSelector={"eks.amazonaws.com/instance-family": "c7i", CATEGORY: "m"}),
        f"no instance type that it admits has all of: {CATEGORY}=m, eks.amazonaws.com/instance-family=c7i",
        id="and by label",
    ),
    pytest.param(pool(keys.eks.instance_family.one_of("a1")), pod(), "its own requirements admit no instance type", id="a pool of nothing"),
    pytest.param(
        pool(AMD64, limits={"cpu": 1, "memory": "1Gi"}),
        pod(),
        "one node of any type that it admits is beyond its limits: cpu 1, memory 1Gi",
        id="limits",
    ),
    pytest.param(
        pool(keys.eks.zone.one_of("eu-west-1a")), pod(), f"its own requirement of {ZONE} is met nowhere in the cluster", id="a pool of another region"
    ),
    pytest.param(
        pool(keys.eks.instance_category.one_of("c", "m", min_values=2), keys.eks.instance_family.one_of("c7i")),
        pod(),
        "must remain possible, and the pool has 1: under the policy Strict no node is ever started",
        id="a pool that cannot be as flexible as it asks",
    ),
    pytest.param(
        pool(keys.eks.instance_family.one_of("c5a", "m5a"), keys.eks.instance_type.one_of("c5a.large", "m5a.large", min_values=2)),
        pod(memory="6Gi"),
        "and for this pod 1 would",
        id="a pod that leaves too few values",
    ),
    pytest.param(
        pool(keys.eks.instance_family.one_of("c5a", "m5a"), keys.eks.instance_type.one_of("c5a.large", "m5a.large", min_values=2)),
        pod(memory="3Gi"),
        "must remain possible: whether they do is not known offline",
        id="or perhaps does",
    ),
    pytest.param(
        nap(a=AksNodePool(requirements=[Requirement("karpenter.azure.com/sku-series", "Exists", min_values=3)])),
        pod(),
        "3 values of karpenter.azure.com/sku-series must remain possible: whether they do is not known offline",
        id="values that no table tells are not counted",
    ),
    pytest.param(
        pool(keys.eks.capacity_type.one_of("spot", "on-demand", min_values=3)),
        pod(),
        "values of karpenter.sh/capacity-type must",
        id="two capacity types",
    ),
    pytest.param(
        pool(keys.eks.zone.one_of("us-east-1a", "us-east-1b", min_values=2)), pod(cpu="1000"), "wants 1000 cpu", id="zones are not counted offline"
    ),
    pytest.param(
        pool(),
        pod(nodeSelector={"kubernetes.io/hostname": "n"}, tolerations=[]),
        "Karpenter starts no node for a pod that names kubernetes.io/hostname",
        id="a label that Karpenter keeps",
    ),
    pytest.param(
        pool(),
        pod(affinity=required([wants("team", "NotIn", "x")], [wants("cpu", "Gt", "many")])),
        "asks for cpu Gt [many], which Karpenter cannot read",
        id="a word that it cannot read",
    ),
    pytest.param(
        pool(),
        pod(affinity=required([wants("team", "NotIn", "x")], [wants("karpenter.sh/capacity-type", "In", "ondemand")])),
        "there is spot, on-demand, reserved → correct karpenter.sh/capacity-type=ondemand",
        id="a capacity type that is none",
    ),
    pytest.param(
        pool(),
        pod(
            affinity={
                "nodeAffinity": {
                    "requiredDuringSchedulingIgnoredDuringExecution": {
                        "nodeSelectorTerms": [{"matchExpressions": [wants("team", "NotIn", "x")], "matchFields": [wants("metadata.name", "In", "n")]}]
                    }
                }
            }
        ),
        "by matchFields → remove matchFields",
        id="fields",
    ),
    pytest.param(
        pool(),
        pod(affinity={**required([wants("karpenter.sh/nodepool", "DoesNotExist")])}),
        "karpenter.sh/nodepool DoesNotExist: its nodes have karpenter.sh/nodepool=a",
        id="a pod for other nodes",
    ),
    pytest.param(
        pool(),
        pod(affinity=required([wants("rank", "In", "1"), wants("rank", "In", "2")])),
        "rank=1 contradicts what the pod also asks of rank",
        id="a pod against itself",
    ),
    pytest.param(
        pool(),
        pod(affinity=required([wants("rank", "Gt", "4"), wants("rank", "Lt", "6"), wants("rank", "NotIn", "5")])),
        "contradicts what the pod also asks of rank",
        id="and within bounds that leave no number",
    ),
    pytest.param(pool(), pod(affinity=required([wants("team", "In")])), "team In [] matches no node: Kubernetes cannot read it", id="In of nothing"),
    pytest.param(pool(), pod(affinity=required([])), "an empty node selector term matches no node", id="an empty term"),
    pytest.param(
        pool(taints=[Taint("team", "ml", "PreferNoSchedule")]), pod(), "would rather not: team=ml:PreferNoSchedule → add toleration", id="put up with"
    ),
    pytest.param(
        pool(AMD64),
        pod(affinity=preferred((1, [wants(ARCH, "In", "arm64")]))),
        "not what it prefers: kubernetes.io/arch=arm64",
        id="a preference dropped",
    ),
    pytest.param(
        pool(AMD64),
        pod(affinity=preferred((9, [wants(ARCH, "In", "arm64")]), (5, [wants(ARCH, "In", "amd64")]))),
        "not what it prefers: kubernetes.io/arch=arm64",
        id="the heavier of two",
    ),
    pytest.param(
        pool(AMD64), pod(affinity=preferred((1, [wants("team", "In")]))), "not what it prefers: team In []", id="a preference that cannot be read"
    ),
    pytest.param(
        pool(),
        {**pod(), "spec": {"containers": [{"resources": {"requests": {"ephemeral-storage": "75Gi"}}}]}},
        "wants 75Gi ephemeral-storage: the disk of its node class has 80Gi, of which 68Gi at least are for pods",
        id="a disk, between both figures",
    ),
    pytest.param(
        pool(*SMALL),
        {**pod(), "spec": {"containers": [{"resources": {"requests": {"ephemeral-storage": "90Gi"}}}]}},
        "wants 90Gi ephemeral-storage: the disk of its node class has 80Gi",
        id="more than the disk",
    ),
    pytest.param(
        pool(),
        {**pod(), "spec": {"containers": [{"resources": {"requests": {"example.com/foo": "1"}}}]}},
        "wants 1 example.com/foo",
        id="a resource that nobody knows",
    ),
    pytest.param(
        nap(a=AksNodePool(requirements=[keys.aks.sku_family.one_of("N")])),
        pod(gpu="1"),
        "which GPU sizes the region has is not known offline",
        id="GPUs of Azure",
    ),
    pytest.param(
        nap(a=AksNodePool(requirements=[keys.aks.sku_name.one_of("Standard_NV8as_v4")])),
        pod(),
        "whether the cloud has a type that its requirements admit is not known offline",
        id="a size of which not all is known",
    ),
    pytest.param(
        nap(a=AksNodePool(requirements=[keys.aks.sku_name.one_of("Standard_D2_v2")])),
        pod(memory="6Gi"),
        "no type of which it is known has so much memory; how much Standard_D2_v2 and others have is not known offline",
        id="a size of unknown memory",
    ),
    pytest.param(
        nap(a=AksNodePool()),
        pod(nodeSelector={"karpenter.azure.com/sku-series": "Dpls_v6"}),
        "karpenter.azure.com/sku-series=Dpls_v6: which types have that is not known offline",
        id="a label of unknown values",
    ),
    pytest.param(
        nap(a=AksNodePool()), pod(nodeSelector={"agentpool": "a"}), "agentpool=a: what its nodes have there is not known offline", id="a label of AKS"
    ),
    pytest.param(
        pool(replicas=2),
        pod(nodeSelector={CATEGORY: "c"}),
        "is static: which types and labels its nodes were given is not known offline",
        id="static",
    ),
    pytest.param(pool(replicas=0), pod(), "is static, with no nodes: replicas is 0", id="static, and empty"),
    pytest.param(pool(limits={"nodes": 0}), pod(), "may have no nodes: limits.nodes is 0", id="limited to nothing"),
]


def told(answer: Any, address: str) -> list[str]:
    reasons = next(one.reasons for one in answer.pools if one.pool == address)
    return [f"{reason.message} → {reason.change}" if reason.change else reason.message for reason in reasons]


@pytest.mark.parametrize(("cluster", "raw", "reason"), ROWS)
def test_reason(ask: Any, cluster: Any, raw: Any, reason: str) -> None:
    answer = ask(cluster, raw)
    assert any(reason in one for one in told(answer, "c/a")), told(answer, "c/a")


STATIC = [
    pytest.param(pool(replicas=1), pod(nodeSelector={"team": "ml"}), "cannot", id="a label that its nodes have not"),
    pytest.param(pool(replicas=1), pod(affinity=required([wants("team", "NotIn", "ml")])), "fits", id="or may lack"),
    pytest.param(pool(replicas=1, labels={"team": "ml"}), pod(nodeSelector={"team": "ml"}), "fits", id="a label that all have"),
    pytest.param(pool(Requirement("team", "In", ["ml", "web"]), replicas=1), pod(nodeSelector={"team": "ml"}), "unknown", id="that some may have"),
    pytest.param(
        pool(keys.eks.capacity_type.one_of("spot"), replicas=1), pod(nodeSelector={"karpenter.sh/capacity-type": "spot"}), "fits", id="its capacity"
    ),
    pytest.param(pool(replicas=1), pod(nodeSelector={"karpenter.sh/capacity-type": "spot"}), "unknown", id="one of two capacity types"),
    pytest.param(pool(replicas=1), pod(affinity=required([wants(ZONE, "NotIn", "us-east-1a")])), "unknown", id="a zone that is not told"),
    pytest.param(pool(replicas=1, taints=[Taint("a")]), pod(), "cannot", id="taints hold as elsewhere"),
]


@pytest.mark.parametrize(("cluster", "raw", "verdict"), STATIC)
def test_static_node_pool(ask: Any, cluster: Any, raw: Any, verdict: str) -> None:
    assert ask(cluster, raw).verdict.value == verdict


def test_a_disk_of_ones_own_class(ask: Any) -> None:
    cluster = eks(a=EksNodePool(node_class="big", requirements=SMALL))
    with_class = type(cluster).model_validate(
        {**cluster.model_dump(), "auto_mode": {**cluster.auto_mode.model_dump(), "node_classes": {"big": EksNodeClass(ephemeral_storage="200Gi")}}}
    )
    asks = {"kind": "Pod", "metadata": {"name": "p"}, "spec": {"containers": [{"resources": {"requests": {"ephemeral-storage": "90Gi"}}}]}}
    assert ask(with_class, asks).pool == "c/a"


@pytest.mark.parametrize(
    ("values", "text"),
    [
        (Values(complement=False), " not at all"),
        (Values(frozenset({"a"}), complement=False), "=a"),
        (Values(frozenset({"a"})), " NotIn [a]"),
        (Values(at_most=4), " 4 or less"),
        (Values(), " of any value"),
    ],
)
def test_what_a_pool_offers_is_spelled(values: Values, text: str) -> None:
    assert spelled(values) == text


@pytest.mark.parametrize(
    ("wanted", "values", "change"),
    [
        pytest.param(Expression("a", "In", ("x",)), ["long", "longer"], "selector a with one of long, longer", id="several to choose from"),
        pytest.param(Expression("a", "In", ("x",)), ["long"], "selector a=long", id="one to choose"),
        pytest.param(Expression("a", "NotIn", ("x",)), ["x"], "remove a NotIn [x]", id="nothing to choose"),
    ],
)
def test_what_may_have_been_meant(wanted: Expression, values: list[str], change: str) -> None:
    assert suggest_value(wanted, values) == change


def test_a_zone_in_which_there_is_nothing_names_those_in_which_there_is(ask: Any) -> None:
    answer = ask(eks(zones=("us-east-1a", "us-east-1b"), a=EksNodePool()), pod(nodeSelector={ZONE: "us-east-1c"}))
    assert told(answer, "c/a") == [f"{ZONE}=us-east-1c: there is us-east-1a, us-east-1b → selector {ZONE} with one of us-east-1a, us-east-1b"]


REMARKS = [
    pytest.param({"nodeName": "n"}, "names its node, n: no scheduler is asked", id="a node by name"),
    pytest.param({"schedulerName": "mine"}, "is for the scheduler mine", id="another scheduler"),
    pytest.param({"schedulingGates": [{"name": "a"}]}, "waits for its scheduling gates", id="gates"),
    pytest.param({"volumes": [{"persistentVolumeClaim": {"claimName": "data"}}]}, "its volumes may hold it to a zone: data", id="volumes"),
    pytest.param({"topologySpreadConstraints": [{"topologyKey": "zone"}]}, "must be spread over zone", id="spread"),
    pytest.param({"containers": [{"ports": [{"hostPort": 80}]}]}, "takes host port 80: one such pod a node", id="host ports"),
    pytest.param({"resourceClaims": [{"name": "a"}]}, "claims devices", id="devices"),
    pytest.param({"runtimeClassName": "gvisor"}, "runs in the runtime class gvisor", id="a runtime class"),
    pytest.param({"affinity": required([], [wants("a", "DoesNotExist")])}, "has an empty term in its node affinity", id="an empty term among others"),
    pytest.param(
        {"affinity": {"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [{"topologyKey": "zone"}]}}},
        "must be near other pods, or far from them",
        id="other pods",
    ),
]


@pytest.mark.parametrize(("spec", "remark"), REMARKS)
def test_what_declarations_do_not_tell_is_remarked(ask: Any, spec: Any, remark: str) -> None:
    assert any(remark in one for one in ask(aks(), pod(**spec)).remarks)


def test_limits_and_replicas_are_remarked(ask: Any) -> None:
    many = {"kind": "Deployment", "metadata": {"name": "web"}, "spec": {"replicas": 100, "template": pod(cpu="4")}}
    [used, beyond] = ask(pool(AMD64, limits={"cpu": 200}), many).remarks
    assert used == "c/a is limited to cpu 200: what is used of it is not known offline"
    assert beyond == "100 pods ask for 400 cpu: c/a is limited to 200"


def test_capacity_that_someone_must_have_reserved_is_remarked(ask: Any) -> None:
    reserving = EksNodeClass(capacity_reservations=[CapacityReservationTerm(id="cr-1")])
    reserved = pool(AMD64, keys.eks.capacity_type.one_of("reserved"), node_class="own")
    answer = ask(derive(reserved, auto_mode={"node_classes": {"own": reserving}}), pod())
    assert answer.remarks == ("c/a starts nodes on reserved capacity alone: what is reserved is not known offline",)


def test_of_many_pods_on_a_node_of_unknown_size_nothing_is_counted() -> None:
    nodes = "kind: Node\napiVersion: v1\nmetadata: {name: one}\n---\nkind: Node\napiVersion: v1\nmetadata: {name: two}\nspec: {unschedulable: true}\n"
    [many] = read_workloads({"kind": "Deployment", "metadata": {"name": "web"}, "spec": {"replicas": 3, "template": pod()}})
    answer = Explainer(read_live_pools([(nodes, "nodes.yaml")])).answer(many)
    assert answer.remarks == ("how many nodes its 3 pods take is not known offline",)


def test_many_pods_within_limits_are_not_remarked(ask: Any) -> None:
    many = {"kind": "Deployment", "metadata": {"name": "web"}, "spec": {"replicas": 3, "template": pod(cpu="1", memory="1Gi")}}
    cluster = eks(a=EksNodePool(requirements=[AMD64], limits={"cpu": 200}), b=EksNodePool(weight=50, taints=[Taint("a")]))
    assert ask(cluster, many).remarks == ("c/a is limited to cpu 200: what is used of it is not known offline",)


def test_host_ports_take_a_node_each(ask: Any) -> None:
    raw = {"kind": "Deployment", "metadata": {"name": "web"}, "spec": {"replicas": 3, "template": pod(containers=[{"ports": [{"hostPort": 80}]}])}}
    isolated = {"tolerations": [{"operator": "Exists"}]}
    raw["spec"]["template"]["spec"] |= isolated
    assert (
        "3 pods take 3 or more nodes of c/system (at most 1 a node, by host ports): it has 2 at most, so 2 of them fit at most"
        in ask(aks(), raw).remarks
    )


def test_the_name_of_a_pool_that_rotates_is_remarked(ask: Any) -> None:
    term = {"matchExpressions": [{"key": "kubernetes.azure.com/agentpool", "operator": "In", "values": ["system"]}]}
    anywhere = {"tolerations": [{"operator": "Exists"}]}
    required = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [term]}}
    preferred = {"preferredDuringSchedulingIgnoredDuringExecution": [{"weight": 1, "preference": term}]}
    told = "changes when c/system is made anew: select nodepools/name=system"
    assert ask(aks(), pod(nodeSelector={"agentpool": "system"}, **anywhere)).remarks == (f"agentpool {told}",)
    assert ask(aks(), pod(affinity={"nodeAffinity": required}, **anywhere)).remarks == (f"kubernetes.azure.com/agentpool {told}",)
    assert ask(aks(), pod(affinity={"nodeAffinity": preferred}, **anywhere)).remarks == (f"kubernetes.azure.com/agentpool {told}",)


def test_the_name_of_a_pool_that_keeps_it_is_not(ask: Any) -> None:
    fixed = aks(web=UserPool(vm_size=SIZE, name="web"))
    assert ask(fixed, pod(nodeSelector={"agentpool": "web"})).remarks == ()


WINDOWS = [
    pytest.param({}, True, id="a pod that does not say"),
    pytest.param({"os": {"name": "windows"}}, False, id="one that is for Windows"),
    pytest.param({"nodeSelector": {"kubernetes.io/os": "windows"}}, False, id="one that selects Windows"),
    pytest.param({"affinity": required([wants("kubernetes.io/os", "In", "windows")])}, False, id="or requires it"),
]


@pytest.mark.parametrize(("spec", "remarked"), WINDOWS)
def test_a_pod_that_lands_on_windows_unawares_is_remarked(ask: Any, spec: Any, remarked: bool) -> None:  # noqa: FBT001  # a column of the table
    answer = ask(aks(win=WindowsPool(vm_size=SIZE, count=2, tainted=False)), pod(**spec))
    assert answer.pool == "c/win"
    assert any("runs Windows" in one for one in answer.remarks) is remarked


def test_an_unknown_pool_that_is_heavier_says_that_it_would_come_first(ask: Any) -> None:
    cluster = eks(a=EksNodePool(requirements=SMALL, weight=50), b=EksNodePool(requirements=[AMD64]))
    answer = ask(cluster, pod(memory="3Gi"))
    assert (answer.pool, told(answer, "c/a")[-1]) == ("c/b", "weight 50: taken before c/b, if it can")
    assert answer.ranks["c/b"].why == "weight 0: taken first, unless c/a can take it"
    lighter = eks(a=EksNodePool(requirements=SMALL), b=EksNodePool(requirements=[AMD64], weight=50))
    assert "would be taken" not in told(ask(lighter, pod(memory="3Gi")), "c/a")[-1]
