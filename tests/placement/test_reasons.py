"""Why a pod does not fit a NodePool, or is not certain to, in Karpenter's terms."""

from typing import Any

import pytest

from nodepools import AksNodePool, EksNodeClass, EksNodePool, Requirement, Taint, UserPool, WindowsPool, keys
from nodepools.eks import CapacityReservationTerm
from nodepools.manifests.existing.existing_pools import read_existing_pools
from nodepools.model.derive import derive
from nodepools.model.kubernetes.label import Values
from nodepools.model.kubernetes.pod import Expression
from nodepools.placement.explain import Explainer
from nodepools.placement.machine_filter import values_text
from nodepools.placement.suggestions import suggest_key, suggest_value
from nodepools.placement.workloads.reader import read_workloads
from tests.placement.conftest import SIZE, aks, eks, nap, pod, preferred, reported, required, template, wants

ON_PORT_80 = {"ports": [{"containerPort": 80, "hostPort": 80}]}

ARCH, ZONE, CATEGORY = "kubernetes.io/arch", "topology.kubernetes.io/zone", "eks.amazonaws.com/instance-category"
AMD64 = keys.eks.arch.one_of("amd64")
SMALL = [AMD64, keys.eks.instance_family.one_of("c5a"), keys.eks.instance_cpu.one_of(2)]


def pool(*requirements: Requirement, **fields: Any) -> Any:
    return eks(a=EksNodePool.model_validate({"requirements": list(requirements), **fields}))


ROWS = [
    pytest.param(
        pool(AMD64),
        pod(nodeSelector={ARCH: "arm64"}),
        "incompatible requirements: pod requires `kubernetes.io/arch=arm64`, nodes have `kubernetes.io/arch=amd64`",
        id="another value",
    ),
    pytest.param(
        pool(AMD64), pod(nodeSelector={"beta.kubernetes.io/arch": "arm64"}), "nodes have `beta.kubernetes.io/arch=amd64`", id="by its former name"
    ),
    pytest.param(pool(labels={"tier": "web"}), pod(nodeSelector={"tier": "wbe"}), "→ change `tier=wbe` to `tier=web`", id="a misspelt value"),
    pytest.param(pool(labels={"tier": "web"}), pod(nodeSelector={"teir": "web"}), "→ change `teir=web` to `tier=web`", id="a misspelt label"),
    pytest.param(
        pool(labels={"tier": "web"}),
        pod(nodeSelector={"owner": "me"}),
        "nodes have no label `owner` → remove the selector `owner=me`",
        id="an unknown label",
    ),
    pytest.param(
        pool(),
        pod(nodeSelector={"agentpool": "web"}),
        "nodes have no label `agentpool` → change `agentpool=web` to `karpenter.sh/nodepool=",
        id="the pool of another cluster by its name",
    ),
    pytest.param(
        pool(AMD64),
        {"kind": "Pod", "spec": {"containers": [{"resources": {"limits": {"vpc.amazonaws.com/pod-eni": 1}}}]}},
        "no instance type satisfied resources: no allowed type has `vpc.amazonaws.com/pod-eni`",
        id="security groups for pods, which Auto Mode does not have",
    ),
    pytest.param(
        pool(Requirement("rank", "Gt", ["4"])),
        pod(nodeSelector={"rank": "3"}),
        "nodes have `rank >= 5` → remove the selector `rank=3`",
        id="outside bounds",
    ),
    pytest.param(
        pool(Requirement("team", "In", ["ml", "web"])),
        pod(affinity=required([wants("team", "NotIn", "ml", "web")])),
        "pod requires `team NotIn [ml, web]`, nodes have `team In [ml, web]` → remove the selector `team NotIn [ml, web]`",
        id="all that it has is excluded",
    ),
    pytest.param(
        pool(keys.eks.instance_category.one_of("c", "m"), keys.eks.instance_generation.more_than(6)),
        pod(nodeSelector={"eks.amazonaws.com/instance-gpu-name": "a100"}),
        "no allowed type has the label `eks.amazonaws.com/instance-gpu-name`",
        id="types without the label",
    ),
    pytest.param(
        pool(keys.eks.instance_family.one_of("c5a")),
        pod(nodeSelector={"eks.amazonaws.com/instance-size": "lrage"}),
        "no instance type satisfied requirement `eks.amazonaws.com/instance-size=lrage`: allowed types have `large`",
        id="types with other values",
    ),
    pytest.param(
        pool(keys.eks.instance_category.one_of("c")),
        pod(nodeSelector={"eks.amazonaws.com/instance-family": "m7i"}),
        "allowed types have `c4`, `c5`, `c5a`, `c5d`, `c5n`, `c6a`, `c6g`, `c6i`, … → change `eks.amazonaws.com/instance-family=m7i` to one of "
        "`eks.amazonaws.com/instance-family=c4`, `eks.amazonaws.com/instance-family=c5`, `eks.amazonaws.com/instance-family=c5a`",
        id="and only some of many are told",
    ),
    pytest.param(
        pool(*SMALL),
        pod(gpu="1"),
        "no instance type satisfied resources: no allowed type has an NVIDIA GPU (`nvidia.com/gpu`)",
        id="a GPU where there is none",
    ),
    pytest.param(
        pool(*SMALL),
        pod(cpu="3"),
        "no instance type satisfied resources: pod requests 3 cpu, the largest allowed type, `c5a.large`, has 2 → request at most `1400m` cpu",
        id="more than the largest has",
    ),
    pytest.param(
        pool(AMD64, keys.eks.instance_family.one_of("c5a"), limits={"cpu": "4"}),
        pod(cpu="6"),
        "pod requests 6 cpu, the largest type within its limits (cpu 4), `c5a.xlarge`, has 4",
        id="limits exclude the types that have enough",
    ),
    pytest.param(
        pool(AMD64, keys.eks.instance_category.one_of("g")),
        pod(gpu="16"),
        "pod requests 16 nvidia.com/gpu, the largest allowed type",
        id="more GPUs than the largest has",
    ),
    pytest.param(
        pool(*SMALL),
        pod(memory="3Gi"),
        "`c5a.large` has 4Gi, of which at least 2Gi is allocatable → request at most `2Gi` memory",
        id="between both figures",
    ),
    pytest.param(
        pool(AMD64, keys.eks.instance_category.one_of("c"), keys.eks.instance_cpu.one_of(2, 96)),
        pod(cpu="50", memory="100Gi", nodeSelector={"eks.amazonaws.com/instance-cpu": "2"}),
        "pod requests 50 cpu, the largest type that matches the pod's requirements",
        id="words that leave no type together, by amount",
    ),
    pytest.param(
        pool(AMD64),
        pod(nodeSelector={"eks.amazonaws.com/instance-family": "c7i", CATEGORY: "m"}),
        f"no instance type satisfied resources and requirements: `{CATEGORY}=m`, `eks.amazonaws.com/instance-family=c7i`",
        id="and by label",
    ),
    pytest.param(
        pool(keys.eks.instance_family.one_of("c7g"), AMD64), pod(), "NodePool requirements filtered out all instance types", id="a pool of nothing"
    ),
    pytest.param(
        pool(AMD64, limits={"cpu": 1, "memory": "1Gi"}),
        pod(),
        "one node of any allowed instance type would exceed the NodePool's limits (cpu 1, memory 1Gi)",
        id="limits",
    ),
    pytest.param(
        pool(keys.eks.zone.one_of("eu-west-1a")),
        pod(),
        f"NodePool requires a value of `{ZONE}` that does not exist in the cluster",
        id="a pool of another region",
    ),
    pytest.param(
        pool(keys.eks.instance_category.one_of("c", "m", min_values=2), keys.eks.instance_family.one_of("c7i")),
        pod(),
        f"`minValues` requires 2 values of `{CATEGORY}`, the NodePool has 1: under the policy Strict Karpenter launches no node",
        id="a pool that cannot be as flexible as it asks",
    ),
    pytest.param(
        pool(keys.eks.instance_family.one_of("c5a", "m5a"), keys.eks.instance_type.one_of("c5a.large", "m5a.large", min_values=2)),
        pod(memory="6Gi"),
        "1 left for this pod: Karpenter launches no node for it",
        id="a pod that leaves too few values",
    ),
    pytest.param(
        pool(keys.eks.instance_family.one_of("c5a", "m5a"), keys.eks.instance_type.one_of("c5a.large", "m5a.large", min_values=2)),
        pod(memory="3Gi"),
        "whether enough are left for this pod cannot be determined offline",
        id="or perhaps does",
    ),
    pytest.param(
        nap(a=AksNodePool(requirements=[Requirement("karpenter.azure.com/sku-series", "Exists", min_values=3)])),
        pod(),
        "`minValues` requires 3 values of `karpenter.azure.com/sku-series`: whether enough are left for this pod cannot be determined offline",
        id="values that no table tells are not counted",
    ),
    pytest.param(
        pool(keys.eks.capacity_type.one_of("spot", "on-demand", min_values=3)),
        pod(),
        "`minValues` requires 3 values of `karpenter.sh/capacity-type`",
        id="two capacity types",
    ),
    pytest.param(
        pool(keys.eks.zone.one_of("us-east-1a", "us-east-1b", min_values=2)),
        pod(cpu="1000"),
        "pod requests 1000 cpu",
        id="zones are not counted offline",
    ),
    pytest.param(
        pool(),
        pod(nodeSelector={"kubernetes.io/hostname": "n"}, tolerations=[]),
        "Karpenter launches no node for a pod that selects the restricted label `kubernetes.io/hostname`",
        id="a label that Karpenter keeps",
    ),
    pytest.param(
        pool(),
        pod(affinity=required([wants("team", "NotIn", "x")], [wants("cpu", "Gt", "many")])),
        "requires `cpu Gt [many]`, which Karpenter cannot parse",
        id="a word that it cannot read",
    ),
    pytest.param(
        pool(),
        pod(affinity=required([wants("team", "NotIn", "x")], [wants("karpenter.sh/capacity-type", "In", "ondemand")])),
        "must be one of `spot`, `on-demand`, `reserved` → change `karpenter.sh/capacity-type=ondemand` to `karpenter.sh/capacity-type=on-demand`",
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
        "in `matchFields` → remove `matchFields` from the node affinity",
        id="fields",
    ),
    pytest.param(
        pool(),
        pod(affinity={**required([wants("karpenter.sh/nodepool", "DoesNotExist")])}),
        "pod requires `karpenter.sh/nodepool DoesNotExist`, nodes have `karpenter.sh/nodepool=a`",
        id="a pod for other nodes",
    ),
    pytest.param(
        pool(Requirement("rank", "DoesNotExist")),
        pod(affinity=required([wants("rank", "NotIn", "1"), wants("rank", "Exists")])),
        "pod requires `rank Exists`, nodes have `rank DoesNotExist`",
        id="a label that must exist, with another value, and does not",
    ),
    pytest.param(
        pool(Requirement("rank", "DoesNotExist")),
        pod(affinity=required([wants("rank", "Exists"), wants("rank", "NotIn", "1")])),
        "pod requires `rank Exists`, nodes have `rank DoesNotExist`",
        id="in the other order",
    ),
    pytest.param(
        pool(Requirement("rank", "DoesNotExist")),
        pod(affinity=required([wants("rank", "Gt", "1"), wants("rank", "NotIn", "5")])),
        "pod requires `rank Exists`, nodes have `rank DoesNotExist`",
        id="and with a bound",
    ),
    pytest.param(
        pool(),
        pod(affinity=required([wants("rank", "In", "1"), wants("rank", "In", "2")])),
        "pod requires `rank=1` and contradicts it in another requirement of `rank`",
        id="a pod against itself",
    ),
    pytest.param(
        pool(),
        pod(affinity=required([wants("rank", "Gt", "4"), wants("rank", "Lt", "6"), wants("rank", "NotIn", "5")])),
        "contradicts it in another requirement of `rank`",
        id="and within bounds that leave no number",
    ),
    pytest.param(
        pool(),
        pod(affinity=required([wants("team", "Gt", "x")])),
        "`team Gt [x]` is not valid in Kubernetes: it matches no node → remove the selector `team Gt [x]`",
        id="Gt of no number",
    ),
    pytest.param(
        pool(),
        pod(affinity=required([])),
        "an empty node selector term matches no node → remove the empty term of the node affinity",
        id="an empty term",
    ),
    pytest.param(
        pool(taints=[Taint("team", "ml", "PreferNoSchedule")]),
        pod(),
        "pod did not tolerate taint `team=ml:PreferNoSchedule`: scheduled here only if no better node exists",
        id="put up with",
    ),
    pytest.param(
        pool(AMD64),
        pod(affinity=preferred((1, [wants(ARCH, "In", "arm64")]))),
        "nodes didn't match the preference `kubernetes.io/arch=arm64`",
        id="a preference dropped",
    ),
    pytest.param(
        pool(AMD64),
        pod(affinity=preferred((9, [wants(ARCH, "In", "arm64")]), (5, [wants(ARCH, "In", "amd64")]))),
        "nodes didn't match the preference `kubernetes.io/arch=arm64`",
        id="the heavier of two",
    ),
    pytest.param(
        pool(AMD64),
        pod(affinity=preferred((1, [wants("team", "Gt", "x")]))),
        "nodes didn't match the preference `team Gt [x]`",
        id="a preference that cannot be read",
    ),
    pytest.param(
        pool(),
        {**pod(), "spec": {"containers": [{"resources": {"requests": {"ephemeral-storage": "75Gi"}}}]}},
        "pod requests 75Gi ephemeral-storage: the disk of the node class has 80Gi, of which at least 68Gi is allocatable",
        id="a disk, between both figures",
    ),
    pytest.param(
        pool(*SMALL),
        {**pod(), "spec": {"containers": [{"resources": {"requests": {"ephemeral-storage": "90Gi"}}}]}},
        "Insufficient ephemeral-storage: pod requests 90Gi ephemeral-storage, the disk of the node class has 80Gi",
        id="more than the disk",
    ),
    pytest.param(
        pool(),
        {**pod(), "spec": {"containers": [{"resources": {"limits": {"example.com/foo": "1"}}}]}},
        "pod requests 1 example.com/foo",
        id="a resource that nobody knows",
    ),
    pytest.param(
        nap(a=AksNodePool(requirements=[keys.aks.sku_family.one_of("N")])),
        pod(gpu="1"),
        "the GPU sizes of the region cannot be determined offline",
        id="GPUs of Azure",
    ),
    pytest.param(
        nap(a=AksNodePool(requirements=[keys.aks.sku_name.one_of("Standard_NV8as_v4")])),
        pod(),
        "whether the cloud offers an instance type that the NodePool allows cannot be determined offline",
        id="a size of which not all is known",
    ),
    pytest.param(
        nap(a=AksNodePool(requirements=[keys.aks.sku_name.one_of("Standard_E128ads_v7")])),
        pod(memory="6Gi"),
        "no known type has enough, and how much `Standard_E128ads_v7` and others have cannot be determined offline",
        id="a size of unknown memory",
    ),
    pytest.param(
        nap(a=AksNodePool()),
        pod(nodeSelector={"karpenter.azure.com/sku-series": "Dpls_v6"}),
        "pod requires `karpenter.azure.com/sku-series=Dpls_v6`: which instance types have it cannot be determined offline",
        id="a label of unknown values",
    ),
    pytest.param(
        nap(a=AksNodePool()),
        pod(nodeSelector={"agentpool": "a"}),
        "pod requires `agentpool=a`: which value nodes have cannot be determined offline",
        id="a label of AKS",
    ),
    pytest.param(
        pool(replicas=2),
        pod(nodeSelector={CATEGORY: "c"}),
        "the NodePool is static: the instance types and labels of its nodes cannot be determined offline",
        id="static",
    ),
    pytest.param(pool(replicas=0), pod(), "`replicas` is 0: the static NodePool has no nodes", id="static, and empty"),
    pytest.param(pool(limits={"nodes": 0}), pod(), "`limits.nodes` is 0: the NodePool launches no node", id="limited to nothing"),
]


def told(answer: Any, address: str) -> list[str]:
    judged = next(judged for judged in answer.pools if judged.pool == address)
    return reported(answer, judged)


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
        (Values(complement=False), " DoesNotExist"),
        (Values(frozenset({"a"}), complement=False), "=a"),
        (Values(frozenset({"a"})), " NotIn [a]"),
        (Values(maximum=4), " <= 4"),
        (Values(), " Exists"),
    ],
)
def test_the_values_of_a_pool_are_spelled(values: Values, text: str) -> None:
    assert values_text(values) == text


@pytest.mark.parametrize(
    ("required", "values", "change"),
    [
        pytest.param(Expression("a", "In", ("x",)), ["long", "longer"], "change `a=x` to one of `a=long`, `a=longer`", id="several to choose from"),
        pytest.param(Expression("a", "In", ("x",)), ["long"], "change `a=x` to `a=long`", id="one to choose"),
        pytest.param(Expression("a", "NotIn", ("x",)), ["x"], "remove the selector `a NotIn [x]`", id="nothing to choose"),
        pytest.param(Expression("cpu", "In", ("3",)), ["2", "32"], "change `cpu=3` to one of `cpu=2`, `cpu=32`", id="numbers are not spelled alike"),
    ],
)
def test_what_to_select_instead(required: Expression, values: list[str], change: str) -> None:
    assert str(suggest_value(required, values)) == change


@pytest.mark.parametrize(
    ("key", "change"),
    [
        ("node-role.kubernetes.io/worker", "remove the selector `node-role.kubernetes.io/worker=x`"),
        ("topology.kubernetes.io/zones", "change `topology.kubernetes.io/zones=x` to `topology.kubernetes.io/zone=x`"),
        ("topology.kuberntes.io/zone", "change `topology.kuberntes.io/zone=x` to `topology.kubernetes.io/zone=x`"),
        ("teir", "change `teir=x` to `tier=x`"),
    ],
)
def test_a_domain_that_keys_share_makes_them_not_similar(key: str, change: str) -> None:
    keys = ["beta.kubernetes.io/os", "kubernetes.io/arch", "tier", "topology.kubernetes.io/region", "topology.kubernetes.io/zone"]
    assert str(suggest_key(Expression(key, "In", ("x",)), keys)) == change


def test_a_zone_in_which_there_is_nothing_names_those_in_which_there_is(ask: Any) -> None:
    answer = ask(eks(zones=("us-east-1a", "us-east-1b"), a=EksNodePool()), pod(nodeSelector={ZONE: "us-east-1c"}))
    [reason] = told(answer, "c/a")
    assert reason == (
        f"incompatible requirements: pod requires `{ZONE}=us-east-1c`, the cluster has `us-east-1a`, `us-east-1b` → "
        f"change `{ZONE}=us-east-1c` to one of `{ZONE}=us-east-1a`, `{ZONE}=us-east-1b`"
    )


NOTES = [
    pytest.param({"nodeName": "n"}, "`spec.nodeName` is `n`: no scheduler is involved", id="a node by name"),
    pytest.param({"schedulerName": "mine"}, "`spec.schedulerName` is `mine`", id="another scheduler"),
    pytest.param({"schedulingGates": [{"name": "a"}]}, "the pod has scheduling gates", id="gates"),
    pytest.param(
        {"containers": [ON_PORT_80]},
        "the pod uses host port `80`: a node can run one such pod",
        id="host ports",
    ),
    pytest.param(
        {"affinity": required([], [wants("a", "DoesNotExist")])}, "the required node affinity has an empty term", id="an empty term among others"
    ),
]


@pytest.mark.parametrize(("spec", "note"), NOTES)
def test_what_declarations_do_not_tell_is_noted(ask: Any, spec: Any, note: str) -> None:
    assert any(note in one for one in ask(aks(), pod(**spec)).notices)


@pytest.mark.parametrize(
    ("raw", "noted"),
    [
        (pod(tolerations=[{"operator": "Exists"}]), True),
        ({"kind": "DaemonSet", "metadata": {"name": "a"}, "spec": {"template": template(tolerations=[{"operator": "Exists"}])}}, True),
        (pod(), False),
        (pod(tolerations=[{"operator": "Exists"}], nodeSelector={"kubernetes.io/os": "windows"}), False),
        (pod(tolerations=[{"operator": "Exists"}], os={"name": "windows"}), False),
    ],
)
def test_nodes_of_windows_that_pods_do_not_select_are_noted_wherever_they_fit(ask: Any, raw: Any, *, noted: bool) -> None:
    cluster = aks(web=UserPool(vm_size=SIZE, count=3), win=WindowsPool(vm_size=SIZE))
    found = [warning.message for warning in ask(cluster, raw).warnings if warning.kind == "operating_system"]
    assert found == ["The pods can land on Windows nodes of `c/win`: an image for Linux does not start there"] * noted


def test_limits_and_replicas_are_noted(ask: Any) -> None:
    many = {"kind": "Deployment", "metadata": {"name": "web"}, "spec": {"replicas": 100, "template": template(cpu="4")}}
    [used, beyond] = ask(pool(AMD64, limits={"cpu": 200}), many).notices
    assert used == "`c/a` has limits (cpu 200): how much is used cannot be determined offline"
    assert beyond == "100 pods request 400 cpu: the limit of `c/a` is 200"


def test_capacity_that_someone_must_have_reserved_is_noted(ask: Any) -> None:
    reserving = EksNodeClass(capacity_reservations=[CapacityReservationTerm(id="cr-1")])
    reserved = pool(AMD64, keys.eks.capacity_type.one_of("reserved"), node_class="own")
    answer = ask(derive(reserved, auto_mode={"node_classes": {"own": reserving}}), pod())
    assert answer.notices == ("`c/a` launches only reserved capacity: what is reserved cannot be determined offline",)


def test_of_many_pods_on_a_node_of_unknown_size_nothing_is_counted() -> None:
    nodes = "kind: Node\napiVersion: v1\nmetadata: {name: one}\n---\nkind: Node\napiVersion: v1\nmetadata: {name: two}\nspec: {unschedulable: true}\n"
    [many] = read_workloads({"kind": "Deployment", "metadata": {"name": "web"}, "spec": {"replicas": 3, "template": template()}})
    answer = Explainer(read_existing_pools([(nodes, "nodes.yaml")])).answer(many)
    assert answer.notices == ("how many nodes 3 pods need cannot be determined offline",)


def test_many_pods_within_limits_are_not_noted(ask: Any) -> None:
    many = {"kind": "Deployment", "metadata": {"name": "web"}, "spec": {"replicas": 3, "template": template(cpu="1", memory="1Gi")}}
    cluster = eks(a=EksNodePool(requirements=[AMD64], limits={"cpu": 200}), b=EksNodePool(weight=50, taints=[Taint("a")]))
    assert ask(cluster, many).notices == ("`c/a` has limits (cpu 200): how much is used cannot be determined offline",)


def test_host_ports_take_a_node_each(ask: Any) -> None:
    raw = {
        "kind": "Deployment",
        "metadata": {"name": "web"},
        "spec": {"replicas": 3, "template": template(containers=[ON_PORT_80])},
    }
    isolated = {"tolerations": [{"operator": "Exists"}]}
    raw["spec"]["template"]["spec"] |= isolated
    assert "3 pods need at least 3 nodes of `c/system` (at most 1 per node, limited by host ports): it has at most 2" in ask(aks(), raw).notices


def test_the_name_of_a_pool_that_rotates_is_noted(ask: Any) -> None:
    term = {"matchExpressions": [{"key": "kubernetes.azure.com/agentpool", "operator": "In", "values": ["system"]}]}
    anywhere = {"tolerations": [{"operator": "Exists"}]}
    required = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [term]}}
    preferred = {"preferredDuringSchedulingIgnoredDuringExecution": [{"weight": 1, "preference": term}]}
    note = "changes when `c/system` rotates: select `nodepools/name=system`"
    assert ask(aks(), pod(nodeSelector={"agentpool": "system"}, **anywhere)).notices == (f"the value of `agentpool` {note}",)
    assert ask(aks(), pod(affinity={"nodeAffinity": required}, **anywhere)).notices == (f"the value of `kubernetes.azure.com/agentpool` {note}",)
    assert ask(aks(), pod(affinity={"nodeAffinity": preferred}, **anywhere)).notices == (f"the value of `kubernetes.azure.com/agentpool` {note}",)


def test_the_name_of_a_pool_that_keeps_it_is_not(ask: Any) -> None:
    fixed = aks(web=UserPool(vm_size=SIZE, name="web"))
    assert ask(fixed, pod(nodeSelector={"agentpool": "web"})).notices == ()


def test_whether_karpenter_launches_nodes_for_resource_claims_is_its_version_and_a_setting(ask: Any) -> None:
    claims = {"resourceClaims": [{"name": "gpu", "resourceClaimName": "g"}]}
    general = AksNodePool(requirements=[Requirement("karpenter.azure.com/sku-family", "In", ["D"])])
    [evaluated] = [one for one in ask(nap(general=general), pod(**claims)).pools if one.pool == "c/general"]
    assert any("`IGNORE_DRA_REQUESTS=false`" in reason.message for reason in evaluated.reasons)


WINDOWS = [
    pytest.param({}, True, id="a pod that does not say"),
    pytest.param({"os": {"name": "windows"}}, False, id="one that is for Windows"),
    pytest.param({"nodeSelector": {"kubernetes.io/os": "windows"}}, False, id="one that selects Windows"),
    pytest.param({"affinity": required([wants("kubernetes.io/os", "In", "windows")])}, False, id="or requires it"),
]


@pytest.mark.parametrize(("spec", "noted"), WINDOWS)
def test_a_pod_that_lands_on_windows_unawares_is_noted(ask: Any, spec: Any, noted: bool) -> None:  # noqa: FBT001  # a column of the table
    answer = ask(aks(win=WindowsPool(vm_size=SIZE, count=2, tainted=False)), pod(**spec))
    assert answer.pool == "c/win"
    assert any("Windows nodes of" in one.message for one in answer.warnings) is noted


def test_an_unknown_pool_that_is_heavier_says_that_it_would_come_first(ask: Any) -> None:
    cluster = eks(a=EksNodePool(requirements=SMALL, weight=50), b=EksNodePool(requirements=[AMD64]))
    answer = ask(cluster, pod(memory="3Gi"))
    assert (answer.pool, told(answer, "c/a")[-1]) == ("c/b", "first choice by weight (50) before `c/b`, if the pod fits")
    assert answer.ranks["c/b"].why == "first choice by weight (0), unless the pod fits NodePool `c/a`"
    lighter = eks(a=EksNodePool(requirements=SMALL), b=EksNodePool(requirements=[AMD64], weight=50))
    assert "first choice" not in told(ask(lighter, pod(memory="3Gi")), "c/a")[-1]
