"""The upgrade of clusters that others manage: managed node groups, agent pools, and NodePools of self-managed Karpenter."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from nodepools.clouds.aks.existing_agent_pools import ExistingAgentPool
from nodepools.clouds.aks.steps import ExistingAksSteps, agent_pool_step
from nodepools.clouds.eks.nodes_of_others import NodesOfOthers
from nodepools.clouds.eks.steps import ExistingEksSteps, node_group_step
from nodepools.clouds.step import Kind, Step
from nodepools.manifests.existing.existing_pools import read_existing_pools
from nodepools.model.kubernetes.disruption_budget import read_disruption_budget
from nodepools.model.unknowns import assembled, attach
from nodepools.placement.cloud_labels import COMPUTE_TYPE, NODE_GROUP
from nodepools.placement.node_pools import ClusterPools
from nodepools.placement.static_pools import StaticPool
from nodepools.placement.workloads.objects import WorkloadObjects
from nodepools.placement.workloads.reader import read_workloads
from nodepools.upgrades.cluster_upgrade import ClusterUpgrade
from nodepools.upgrades.existing_upgrades import ExistingUpgrade
from nodepools.upgrades.node_images import images_of
from nodepools.upgrades.platform_upgrades import Inputs
from tests.clouds.test_eks_self_managed import LINUX
from tests.clouds.test_node_groups import WEB as GROUP
from tests.upgrades.declared import eks, plan

DAY = date(2026, 11, 23)
WEB = replace(GROUP, version="1.34", subnets=("subnet-1", "subnet-2"))
CUSTOM = replace(WEB, ami_type="CUSTOM", template="shop-web")
OLD_LINUX = replace(WEB, ami_type="AL2_x86_64")
MINIMAL = replace(WEB, has_minimal_update=True)
AGENTS = ExistingAgentPool(name="web", cluster="shop", vm_sizes=("Standard_D4s_v5",), count=3, least=3, most=5, version="1.34.2", surge="1")
NODE_POOLS = read_existing_pools([(LINUX.replace("name: web", "name: own"), "own.yaml")]).provisioned
BUDGET = {
    "kind": "PodDisruptionBudget",
    "metadata": {"name": "web"},
    "spec": {"maxUnavailable": 0, "selector": {"matchLabels": {"app": "web"}}},
}
DEPLOYMENT = {
    "kind": "Deployment",
    "metadata": {"name": "web"},
    "spec": {
        "replicas": 2,
        "selector": {"matchLabels": {"app": "web"}},
        "template": {"metadata": {"labels": {"app": "web"}}, "spec": {"nodeSelector": {"tier": "web"}, "containers": [{"name": "main"}]}},
    },
}


def existing(
    version: str, pools: ClusterPools, *, groups: Any = (), images: Any = None, items: Any = (), nodes: Any = (), **fields: Any
) -> ExistingUpgrade:
    cloud = ExistingAksSteps(name="shop", **fields) if "resource_group" in fields else ExistingEksSteps(name="shop", groups=groups, **fields)
    return ExistingUpgrade(cloud=cloud, version=version, pools=pools, images=images or {}, items=items, nodes=nodes)


def planned(to: str, *groups: Any, version: str = "1.34", inputs: Inputs | None = None, **fields: Any) -> ClusterUpgrade:
    static = tuple(group.nodes(None, autoscaled=None) for group in groups)
    pools = fields.pop("pools", ClusterPools(None, static))
    return existing(version, pools, groups=groups, **fields).plan(to, Inputs() if inputs is None else inputs, DAY)


def test_a_state_that_an_export_shows_is_left_open() -> None:
    agents = existing("1.34", ClusterPools(None, ()), resource_group="g", agent_pools=(AGENTS,))
    for states, number in ((("Succeeded", "Running"), 0), (("Failed", ""), 1)):
        found = replace(agents, states=states).plan("1.35", Inputs(), DAY).undecided
        assert sum("accepts an upgrade in the state" in str(one) for one in found) == number


def told(plan: ClusterUpgrade) -> list[str]:
    return [f"{step.what} {step.name} {step.old} {step.new}" for step in plan.steps]


def test_the_control_plane_comes_first_in_each_round() -> None:
    assert told(planned("1.36", WEB)) == [
        "control_plane shop 1.34 1.35",
        "pool web 1.34 1.35",
        "control_plane shop 1.35 1.36",
        "pool web 1.35 1.36",
    ]


def test_node_groups_that_are_behind_come_before_it() -> None:
    plan = planned("1.35", replace(WEB, version="1.32"))
    assert told(plan) == ["pool web 1.32 1.34", "control_plane shop 1.34 1.35", "pool web 1.34 1.35"]
    assert (plan.old, plan.control_plane) == ("1.32", "1.34")


@pytest.mark.parametrize(
    ("labels", "kubelet", "told"),
    [
        ({}, "1.32.1", ""),
        ({"karpenter.sh/nodepool": "own"}, "1.31.9", "4 minor versions behind the control plane: Kubernetes supports 3"),
        ({NODE_GROUP: "web"}, "1.30.1", ""),
        ({NODE_GROUP: "other"}, "1.34.1", ""),
        ({NODE_GROUP: "other"}, "1.33.1", "2 minor versions behind the control plane: EKS documents"),
        ({NODE_GROUP: "other"}, "1.31.1", "4 minor versions behind the control plane: Kubernetes supports 3"),
        ({NODE_GROUP: "other"}, "", ""),
        ({COMPUTE_TYPE: "fargate"}, "1.33.1", "2 minor versions behind the control plane: EKS documents"),
        ({COMPUTE_TYPE: "fargate"}, "1.34.1", ""),
        ({COMPUTE_TYPE: "auto"}, "1.33.1", ""),
    ],
)
def test_nodes_that_no_step_raises_are_named_before_the_control_plane(labels: dict[str, str], kubelet: str, told: str) -> None:
    """Those of the group `web` get a step of their own. Between two rounds, nodes can get another version."""
    nodes = [StaticPool(f"n{number}", (labels,), kubelet=kubelet) for number in range(3)]
    plan = planned("1.36", WEB, nodes=nodes)
    found = [(step.new, blocker) for step in plan.steps if step.what == "control_plane" for blocker in step.blocked_by if blocker.kind is Kind.SKEW]
    assert [new for new, _ in found] == ["1.35"] * bool(told)
    assert all(blocker.message.startswith(f"`n0`, `n1` and 1 more would be {told}") for _, blocker in found)


def test_nodes_of_a_group_without_a_version_are_named_too() -> None:
    plan = planned("1.35", replace(WEB, version=""), nodes=[StaticPool("n", ({NODE_GROUP: "web"},), kubelet="1.30.1")])
    [found] = [blocker for step in plan.steps for blocker in step.blocked_by if blocker.kind is Kind.SKEW]
    assert found.message.startswith("`n` would be 5 minor versions behind the control plane")


@pytest.mark.parametrize(("version", "behind", "is_over"), [("1.35", "1.32", False), ("1.32", "1.31", True)])
def test_support_is_that_of_the_control_plane(version: str, behind: str, *, is_over: bool) -> None:
    """EKS and AKS charge for, and upgrade, the control plane: shared by clusters whose pools are behind it."""
    for fields in ({}, {"resource_group": "rg", "agent_pools": (replace(AGENTS, version=f"{behind}.1"),)}):
        groups = () if fields else (replace(WEB, version=behind),)
        pools = ClusterPools(None, ())
        cluster = existing(version, pools, groups=groups, **fields)
        plan = cluster.plan(f"1.{int(version[2:]) + 1}", Inputs(), DAY)
        assert (plan.is_over, plan.support_ends) == (is_over, cluster.support(DAY).standard_end)


def test_a_version_that_runs_everywhere_needs_no_step() -> None:
    plan = planned("1.34", WEB)
    assert not plan.steps
    assert not plan.not_checked


def test_an_agent_pool_that_is_behind_is_drained_once_for_a_patch_version() -> None:
    blue = ExistingAgentPool(name="blue", cluster="shop", vm_sizes=("Standard_D4s_v5",), version="1.32.1", count=3, least=3, most=3)
    plan = planned("1.34.7", version="1.34.2", resource_group="rg", agent_pools=(blue,))
    assert told(plan) == ["pool blue 1.32 1.33", "control_plane shop 1.34.2 1.34.7", "pool blue 1.33 1.34.7"]


def test_what_the_files_do_not_show_is_unknown() -> None:
    done = planned("1.34", WEB)
    assert (done.verdict, done.undecided) == ("not_blocked", ())
    for done in (planned("1.34", replace(WEB, version="")), planned("1.34", pools=ClusterPools(None, (), NODE_POOLS))):
        [text] = done.undecided
        assert (done.verdict, str(text).startswith("the versions of the nodes of `")) == ("unknown", True)
    assert len(planned("1.35", WEB).undecided) == 2


def test_a_node_in_quarantine_is_named() -> None:
    node = StaticPool("n", ({NODE_GROUP: "web", "kubernetes.azure.com/upgrade-status": "Quarantined"},), (), ())
    assert "what holds `n` in quarantine: AKS could not drain it" in [str(one) for one in planned("1.35", WEB, nodes=(node,)).undecided]


@pytest.mark.parametrize(
    ("labels", "kubelet", "steps", "open_for"),
    [
        ({"karpenter.sh/nodepool": "own"}, "1.34.2", [], ""),
        ({"karpenter.sh/nodepool": "own"}, "1.33.9", ["node_pool own 1.33 1.34"], ""),
        ({"karpenter.sh/nodepool": "own"}, "", [], "the versions of the nodes of `n`, which"),
        ({"karpenter.sh/nodepool": "other"}, "1.33.9", [], "what moves `n` to 1.34: the files show an older version"),
        ({NODE_GROUP: "web"}, "1.34.2", [], ""),
        ({NODE_GROUP: "web"}, "1.33.9", [], "what moves `n` to 1.34: the files show an older version"),
        ({NODE_GROUP: "web"}, "", [], ""),
        ({}, "1.33.9", [], "what moves `n` to 1.34: the files show an older version"),
    ],
)
def test_running_nodes_say_whether_everything_has_the_version(labels: dict[str, str], kubelet: str, steps: list[str], open_for: str) -> None:
    """Whatever the cloud says of their pool: an upgrade can be under way."""
    plan = planned("1.34", WEB, pools=ClusterPools(None, (), NODE_POOLS), nodes=[StaticPool("n", (labels,), kubelet=kubelet)])
    assert told(plan) == steps
    assert plan.old == ("1.33" if kubelet == "1.33.9" else "1.34")
    assert any(str(one).startswith(open_for) for one in plan.undecided) if open_for else steps or plan.verdict == "not_blocked"


def test_a_node_with_an_older_patch_version_has_not_got_that_version() -> None:
    node = StaticPool("n", ({"karpenter.sh/nodepool": "own"},), kubelet="1.34.2")
    plan = planned("1.34.7", version="1.34.7", resource_group="rg", pools=ClusterPools(None, (), NODE_POOLS), nodes=[node])
    assert [str(one) for one in plan.undecided] == ["what moves `n` to 1.34.7: the files show an older version"]


@pytest.mark.parametrize(("version", "is_over"), [("1.33", True), ("1.34", False), ("1.99", False)])
def test_support_that_has_ended(version: str, *, is_over: bool) -> None:
    assert planned(version, version=version).is_over is is_over


def test_commands() -> None:
    control_plane, pool = planned("1.35", WEB).steps
    assert control_plane.how == "aws eks update-cluster-version --name shop --region REGION --kubernetes-version 1.35"
    assert pool.how == "aws eks update-nodegroup-version --cluster-name shop --region eu-west-1 --nodegroup-name web --kubernetes-version 1.35"


def test_an_image_in_a_launch_template_is_a_version_of_the_template() -> None:
    [step] = [node_group_step(CUSTOM, "1.34", "1.35")]
    assert step.how.endswith("--launch-template name=shop-web,version=VERSION")
    assert [blocker.severity.value for blocker in step.blocked_by] == ["warning"]


@pytest.mark.parametrize(("new", "found"), [("1.32", []), ("1.33", ["error"])])
def test_amazon_linux_2_ends_with_1_32(new: str, found: list[str]) -> None:
    assert [blocker.severity.value for blocker in node_group_step(OLD_LINUX, "1.31", new).blocked_by] == found


@pytest.mark.parametrize(
    ("unavailable", "expected", "minutes"),
    [
        pytest.param("1", (1, 6), 90, id="one at a time"),
        pytest.param("3", (1, 2), 30, id="three at a time"),
        pytest.param("33%", (1, 6), 90, id="a percentage, whose rounding is not documented"),
        pytest.param("100%", (1, 1), 15, id="all of them"),
    ],
)
def test_batches(unavailable: str, expected: tuple[int, int], minutes: int) -> None:
    step = node_group_step(replace(WEB, unavailable=unavailable), "1.34", "1.35")
    assert (step.batches.minimum, step.batches.maximum, step.bounded_minutes) == (*expected, minutes)


@pytest.mark.parametrize(
    ("group", "extra"),
    [
        pytest.param(WEB, (1, 4), id="up to two in each zone"),
        pytest.param(replace(WEB, unavailable="6"), (1, 6), id="or as many as are replaced at once"),
        pytest.param(MINIMAL, (0, 0), id="none with a minimal update"),
    ],
)
def test_extra_nodes(group: Any, extra: tuple[int, int]) -> None:
    step = node_group_step(group, "1.34", "1.35")
    assert (step.extra_nodes.minimum, step.extra_nodes.maximum) == extra


def test_a_budget_that_allows_nothing_ends_the_update_after_15_minutes() -> None:
    inputs = Inputs(tuple(read_workloads(DEPLOYMENT)), WorkloadObjects(budgets=(read_disruption_budget(BUDGET),)))
    _, pool = planned("1.35", WEB, inputs=inputs).steps
    [found] = [blocker for blocker in pool.blocked_by if blocker.refusal]
    assert (found.severity.value, found.refusal) == ("error", "PodEvictionFailure")
    assert "EKS waits 15 minutes, and the update of the node group fails; with `--force`, it deletes the pods then" in found.message


def with_images(terms: Sequence[dict[str, object]], to: str = "1.35", version: str = "1.34") -> Step:
    plan = planned(to, version=version, pools=ClusterPools(None, (), NODE_POOLS), images={"own": images_of("default", terms)})
    return plan.steps[-1]


def in_a_program(terms: Sequence[dict[str, object]]) -> Step:
    """The step next to a declared cluster."""
    use1 = assembled(eks().clusters["use1"])
    attach(use1, NodesOfOthers((), NODE_POOLS, {}, {"own": ("default", {"amiSelectorTerms": terms})}))
    *_, compute, own = plan(assembled(eks(), clusters={"use1": use1}), "1.36").steps
    assert (compute.name, own.name, compute.blocked_by) == ("compute", "own", ())
    return own


@pytest.mark.parametrize(
    ("terms", "found"),
    [
        pytest.param([{"alias": "al2023@latest"}], [], id="the newest image: nodes drift"),
        pytest.param([{"alias": "al2023@v20261009"}], ["note"], id="a pinned image: nodes drift to the one for the new version"),
        pytest.param([{"id": "ami-1"}, {"id": "ami-2"}], ["warning"], id="images by id: no drift"),
        pytest.param([{"name": "mine-*"}], ["note"], id="images by name"),
        pytest.param([], ["note"], id="nothing"),
        pytest.param([{"alias": "al2@latest"}], ["error"], id="Amazon Linux 2"),
    ],
)
def test_images_of_self_managed_karpenter(terms: list[dict[str, object]], found: list[str]) -> None:
    for step in (with_images(terms), in_a_program(terms)):
        assert [blocker.severity.value for blocker in step.blocked_by if blocker.kind == "node-image"] == found


def test_the_newest_image_is_noted() -> None:
    assert with_images([{"alias": "al2023@latest"}]).note.startswith("`al2023@latest` is the image for the new version: nodes drift to it.")


def test_a_node_pool_whose_class_is_not_known_is_a_node_pool() -> None:
    assert told(planned("1.35", pools=ClusterPools(None, (), NODE_POOLS)))[-1] == "node_pool own 1.34 1.35"


@pytest.mark.parametrize(("shown", "expected"), [("1.34.5", 0), ("1.34.2", 1)])
def test_agent_pools_with_another_patch_version_are_unknown(shown: str, expected: int) -> None:
    static = AGENTS.nodes("westeurope")
    pools = (replace(AGENTS, version=shown),)
    plan = planned("1.34.5", version="1.34.5", agent_pools=pools, resource_group="rg", pools=ClusterPools(None, (static,)))
    assert (len(plan.steps), len(plan.undecided)) == (0, expected)
    assert plan.verdict == ("unknown" if expected else "not_blocked")


def test_agent_pools() -> None:
    static = AGENTS.nodes("westeurope")
    plan = planned("1.35", agent_pools=(replace(AGENTS, version="1.33.1"),), resource_group="rg", pools=ClusterPools(None, (static,)))
    assert told(plan) == ["pool web 1.33 1.34", "control_plane shop 1.34 1.35", "pool web 1.34 1.35"]
    assert plan.steps[1].how == "az aks upgrade --resource-group rg --name shop --control-plane-only --kubernetes-version 1.35"
    assert plan.steps[2].how == "az aks nodepool upgrade --resource-group rg --cluster-name shop --name web --kubernetes-version 1.35"
    assert plan.not_checked == ("outbound ports for surge nodes, which AKS checks before it starts",)


@pytest.mark.parametrize(
    ("pool", "expected"),
    [
        pytest.param(AGENTS, ((1, 5), 150, True, "the upgrade of the pool fails"), id="surge nodes"),
        pytest.param(replace(AGENTS, is_counted=False), ((1, None), None, True, "the upgrade of the pool fails"), id="any number of nodes"),
        pytest.param(replace(AGENTS, surge="0"), ((0, 0), 150, False, "the upgrade of the pool fails"), id="no surge nodes"),
        pytest.param(replace(AGENTS, spot=True), ((0, 0), 0, False, "the upgrade of the pool fails"), id="spot nodes"),
        pytest.param(
            replace(AGENTS, drain_minutes=5, undrainable="Cordon"),
            ((1, 5), 25, True, "AKS leaves the node in quarantine, and goes on"),
            id="quarantine",
        ),
    ],
)
def test_how_an_agent_pool_drains(pool: ExistingAgentPool, expected: tuple[tuple[int, int | None], int | None, bool, str]) -> None:
    step = agent_pool_step(pool, "rg", "1.34", "1.35")
    assert step.drain is not None
    extra = step.extra_nodes.minimum, step.extra_nodes.maximum
    assert (extra, step.bounded_minutes, step.drain.adds_nodes, step.drain.outcome) == expected


def test_the_support_of_its_version() -> None:
    found = existing("1.34", ClusterPools(None), groups=(WEB,)).support(DAY)
    assert (found.cluster, found.version, found.following, found.window) == ("shop", "1.34", "1.35", None)


def test_a_cluster_without_pools_is_its_control_plane() -> None:
    assert told(planned("1.35")) == ["control_plane shop 1.34 1.35"]
