"""Where the upgrade of a running cluster is: its nodes, the steps that are left, the next command, how to stop, and the last point of return."""

import pytest

from nodepools import AutoMode, EksNodePool, Requirement
from nodepools.clouds.fleet import Fleet
from nodepools.clouds.registry import cloud_of
from nodepools.clouds.step import Kind
from nodepools.eks import AddOn
from tests.upgrades.declared import aks, eks, nap, pool, steps
from tests.upgrades.running import budget, drifting, node, pod, progress, resumed, shown

BOTH = {**aks().clusters, **eks().clusters}
SYSTEM = [node("system", number) for number in range(2)]
MIDWAY = {
    "control_plane": "1.36.2",
    "nodes": (node("web", 0, "1.36.2"), node("web", 1, leaving="cordoned"), node("web", 2), *SYSTEM),
}
AZ = "az aks nodepool"
NAME = "--resource-group dev-weu --cluster-name dev-weu --name"


def two_node_pools():
    amd = [Requirement("kubernetes.io/arch", "In", ["amd64"])]
    mode = AutoMode(built_in_node_pools=[], node_pools={name: EksNodePool(requirements=amd) for name in ("compute", "more")})
    return eks(kubernetes_version="1.36", auto_mode=mode)


# Each case is made by its test, not by every process that collects them.
LEFT = {
    "before it begins, every step is left": (
        lambda: resumed(aks(), "1.36", control_plane="1.35.4", nodes=(node("web", 0), *SYSTEM)),
        ["control_plane weu 1.35 → 1.36", "pool web 1.35 → 1.36", "first_pool system 1.35 → 1.36"],
    ),
    "a control plane that has the version is done": (
        lambda: resumed(aks(kubernetes_version="1.36"), "1.36", **MIDWAY),
        ["pool web 1.35 → 1.36", "first_pool system 1.35 → 1.36"],
    ),
    "a pool whose nodes have the version is done": (
        lambda: resumed(aks(kubernetes_version="1.36"), "1.36", control_plane="1.36.2", nodes=(node("web", 0, "1.36.2"), *SYSTEM)),
        ["first_pool system 1.35 → 1.36"],
    ),
    "a pool that lags by two versions catches up first": (
        lambda: resumed(
            aks(kubernetes_version="1.36"), "1.37", control_plane="1.36.2", nodes=(node("web", 0, "1.36.2"), node("system", 0, "1.34.9"))
        ),
        [
            "first_pool system 1.34 → 1.35",
            "first_pool system 1.35 → 1.36",
            "control_plane weu 1.36 → 1.37",
            "pool web 1.36 → 1.37",
            "first_pool system 1.36 → 1.37",
        ],
    ),
    "the versions of pools without nodes are those that the cloud shows": (
        lambda: resumed(aks(kubernetes_version="1.36"), "1.36", control_plane="1.36.2", pools={"system": shown("1.35.4")}),
        ["pool web 1.35 → 1.36", "first_pool system 1.35 → 1.36"][1:],
    ),
    "without the control plane, the newest node shows what it has at least": (
        lambda: resumed(aks(kubernetes_version="1.36"), "1.36", nodes=MIDWAY["nodes"]),
        ["pool web 1.35 → 1.36", "first_pool system 1.35 → 1.36"],
    ),
    "without nodes and control plane, the newest pool shows it": (
        lambda: resumed(aks(), "1.36", pools={"system": shown("1.36.2")}),
        ["pool web 1.35 → 1.36"],
    ),
    "an empty export leaves the declaration": (
        lambda: resumed(aks(), "1.36"),
        ["control_plane weu 1.35 → 1.36", "pool web 1.35 → 1.36", "first_pool system 1.35 → 1.36"],
    ),
    "old nodes of a NodePool drift after the control plane, whatever they skip": (
        lambda: resumed(eks(kubernetes_version="1.36"), "1.36", control_plane="1.36", nodes=(drifting("compute", 0, "1.34.1"),)),
        ["node_pool compute 1.34 → 1.36"],
    ),
    "NAP nodes too": (
        lambda: resumed(
            nap(),
            "1.36",
            control_plane="1.36.2",
            nodes=(drifting("general", 0), node("system", 0, "1.36.2")),
        ),
        ["node_pool general 1.35 → 1.36"],
    ),
    "nothing is left when all nodes have the version": (
        lambda: resumed(eks(kubernetes_version="1.36"), "1.36", control_plane="1.36", nodes=(drifting("compute", 0, "1.36.1"),)),
        [],
    ),
    "add-ons belong to the control plane": (
        lambda: resumed(eks(add_ons={"x": AddOn()}), "1.36", control_plane="1.35"),
        ["control_plane use1 1.35 → 1.36", "add_on x unknown → a version for 1.36", "node_pool compute 1.35 → 1.36"],
    ),
}


@pytest.mark.parametrize(("found", "left"), LEFT.values(), ids=LEFT)
def test_the_plan_begins_where_the_fleet_is(found, left):
    assert steps(found()) == left


def test_nodes_are_finished_draining_quarantined_or_untouched():
    nodes = (*MIDWAY["nodes"], node("web", 3, leaving="cordoned", is_quarantined=True), node("web", 4, "", image="b"))
    found = {one.name: one for one in progress(aks(kubernetes_version="1.36"), "1.36", control_plane="1.36.2", nodes=nodes).pools}
    web = found["web"]
    assert (web.finished, web.draining, web.untouched, web.quarantined) == (("web-0",), ("web-1",), ("web-2", "web-4"), ("web-3",))
    assert (web.nodes, found["system"].untouched) == (5, ("system-0", "system-1"))
    assert web.to_json()["images"] == {"b": 1}


DESCRIBE = "aws eks describe-cluster --name dev-use1 --region us-east-1"
NEXT = {
    "what holds a draining node is changed first": (
        lambda: progress(
            aks(kubernetes_version="1.36"), "1.36", **MIDWAY, state="Failed", pods=(pod("a", "web-1"),), budgets=(budget(maxUnavailable=None),)
        ),
        [
            (
                "Run `kubectl patch poddisruptionbudget web --namespace shop --type merge --patch "
                '\'{"spec":{"minAvailable":null,"maxUnavailable":1}}\' --context CONTEXT`'
            ),
            "Run `pulumi up`",
        ],
    ),
    "an operation that runs is waited for": (
        lambda: progress(
            aks(kubernetes_version="1.36"), "1.36", **MIDWAY, state="Succeeded", pools={"web0000": shown("1.35"), "system": shown("1.35")}
        ),
        ["Run `pulumi up`"],
    ),
    "a cluster that is upgraded is waited for": (
        lambda: progress(aks(), "1.36", control_plane="1.35.4", state="Upgrading"),
        [
            (
                "Wait until the operation that runs (`Upgrading`) ends: `az aks show --resource-group dev-weu --name dev-weu "
                "--query provisioningState` shows it"
            )
        ],
    ),
    "a pool that is upgraded is waited for": (
        lambda: progress(
            aks(kubernetes_version="1.36", pools={"web": pool(name="web")}),
            "1.36",
            **MIDWAY,
            state="Succeeded",
            pools={"web": shown("1.35.4", "Upgrading")},
        ),
        [f"Wait until the operation that runs (`Upgrading`) ends: `{AZ} show {NAME} web --query provisioningState` shows it"],
    ),
    "without a state, it has to be looked up": (
        lambda: progress(aks(kubernetes_version="1.36", pools={"web": pool(name="web")}), "1.36", **MIDWAY),
        [
            (
                f"Look whether the upgrade of pool `web` runs (`{AZ} show {NAME} web --query provisioningState`): if so, wait until it ends; "
                "otherwise run `pulumi up`"
            )
        ],
    ),
    "a declaration that is behind is edited": (
        lambda: progress(aks(), "1.36", **MIDWAY, state="Failed"),
        ["Set `clusters.weu.kubernetes_version` to `1.36`", "Run `pulumi up`"],
    ),
    "the first pool has a command": (
        lambda: progress(aks(kubernetes_version="1.36"), "1.36", control_plane="1.36.2", nodes=(node("web", 0, "1.36.2"), *SYSTEM)),
        [f"Run `{AZ} upgrade {NAME} system --kubernetes-version 1.36`"],
    ),
    "drift is waited for": (
        lambda: progress(eks(kubernetes_version="1.36"), "1.36", control_plane="1.36", state="ACTIVE", nodes=(drifting("compute", 0),)),
        [
            (
                "Wait until drift has replaced the old nodes of NodePool `compute`: `kubectl get nodes --selector "
                "karpenter.sh/nodepool=compute --context CONTEXT` shows them"
            )
        ],
    ),
    "an update of EKS is waited for": (
        lambda: progress(eks(), "1.36", control_plane="1.35", state="UPDATING"),
        [f"Wait until the operation that runs (`UPDATING`) ends: `{DESCRIBE} --query cluster.status` shows it"],
    ),
    "drift of several NodePools is waited for together": (
        lambda: progress(two_node_pools(), "1.36", control_plane="1.36", state="ACTIVE", nodes=(drifting("compute", 0), drifting("more", 0))),
        [
            (
                "Wait until drift has replaced the old nodes of NodePools `compute` and `more`: `kubectl get nodes --selector "
                "'karpenter.sh/nodepool in (compute,more)' --context CONTEXT` shows them"
            )
        ],
    ),
    "a first pool that is left alone also has its command after the declaration is raised": (
        lambda: progress(aks(), "1.36", control_plane="1.36.2", state="Succeeded", nodes=(node("web", 0, "1.36.2"), *SYSTEM)),
        ["Set `clusters.weu.kubernetes_version` to `1.36`", f"Run `{AZ} upgrade {NAME} system --kubernetes-version 1.36`"],
    ),
    "nothing is left to do": (lambda: progress(eks(kubernetes_version="1.36"), "1.36", control_plane="1.36"), []),
}


@pytest.mark.parametrize(("found", "commands"), NEXT.values(), ids=NEXT)
def test_the_next_command_is_exact(found, commands):
    assert list(map(str, found().next)) == commands


STOPS = {
    "an upgrade of an agent pool is aborted, and its nodes uncordoned": (
        lambda: progress(aks(kubernetes_version="1.36", pools={"web": pool(name="web")}), "1.36", **MIDWAY),
        [
            (
                f"The exports do not say whether an operation runs: `{AZ} show {NAME} web --query provisioningState` shows it. If one runs: "
                f"`{AZ} operation-abort {NAME} web` ends the operation"
            ),
            "`kubectl uncordon web-1 --context CONTEXT`",
        ],
    ),
    "an upgrade of an agent pool that runs is aborted": (
        lambda: progress(
            aks(kubernetes_version="1.36", pools={"web": pool(name="web")}),
            "1.36",
            **MIDWAY,
            state="Succeeded",
            pools={"web": shown("1.35", "Upgrading")},
        ),
        [f"`{AZ} operation-abort {NAME} web` ends the operation", "`kubectl uncordon web-1 --context CONTEXT`"],
    ),
    "an upgrade of a control plane of AKS is aborted": (
        lambda: progress(aks(), "1.36", control_plane="1.35.4", state="Upgrading"),
        ["`az aks operation-abort --resource-group dev-weu --name dev-weu`"],
    ),
    "an operation that has failed is not stopped": (
        lambda: progress(aks(kubernetes_version="1.36"), "1.36", **MIDWAY, state="Failed"),
        ["No operation runs (`Failed`): `kubectl uncordon web-1 --context CONTEXT` allows"],
    ),
    "EKS cannot stop an update of a control plane": (
        lambda: progress(eks(), "1.36", control_plane="1.35", state="UPDATING"),
        ["EKS cannot stop an update of a control plane"],
    ),
    "drift on EKS is stopped by a budget": (
        lambda: progress(eks(kubernetes_version="1.36"), "1.36", control_plane="1.36", state="ACTIVE", nodes=(drifting("compute", 0),)),
        ['`nodes="0"` for the reason `Drifted` to NodePool `compute`'],
    ),
    "drift on AKS too": (
        lambda: progress(nap(), "1.36", control_plane="1.36.2", nodes=(drifting("general", 0), node("system", 0, "1.36.2"))),
        ['`nodes="0"` for the reason `Drifted` to NodePool `general`'],
    ),
}


@pytest.mark.parametrize(("found", "words"), STOPS.values(), ids=STOPS)
def test_a_step_is_stopped_safely(found, words):
    stop = found().stop
    assert len(stop) == len(words)
    assert all(word in text for word, text in zip(words, stop, strict=True))


RETURNS = {
    "a pool returns without an upgrade channel": (
        lambda: progress(aks(auto_upgrade="patch"), "1.36", control_plane="1.35.4"),
        "(`az aks nodepool rollback`) or image (`node_image_version`), after you set `auto_upgrade` to `none`",
    ),
    "the control plane of AKS is the last point": (
        lambda: progress(aks(), "1.36", control_plane="1.35.4"),
        "The upgrade of the control plane is the last point of return: once it has 1.36, AKS cannot return it to 1.35. For 7 days",
    ),
    "which can have passed": (
        lambda: progress(aks(kubernetes_version="1.36"), "1.36", **MIDWAY),
        "The control plane has 1.36: it is past the last point of return, because AKS cannot return it to 1.35.",
    ),
    "EKS has seven days": (
        lambda: progress(eks(kubernetes_version="1.36"), "1.36", control_plane="1.36"),
        "got 1.36. Until then, `aws eks update-cluster-version --name dev-use1 --region us-east-1 --kubernetes-version 1.35` rolls",
    ),
    "which begin with the upgrade": (lambda: progress(eks(), "1.36", control_plane="1.35"), "7 days after the control plane gets 1.36."),
}


@pytest.mark.parametrize(("found", "words"), RETURNS.values(), ids=RETURNS)
def test_the_last_point_of_return_is_named(found, words):
    assert words in found().way_back


def test_no_pool_of_aks_automatic_returns():
    found = progress(aks(sku="Automatic"), "1.36", control_plane="1.35.4")
    assert found.way_back == "The upgrade of the control plane is the last point of return: once it has 1.36, AKS cannot return it to 1.35"


NOTES = {
    "a control plane that is not exported": (
        lambda: progress(aks(), "1.36", nodes=tuple(SYSTEM)),
        ["The exports do not have the version of the control plane: `az aks show --resource-group dev-weu --name dev-weu` prints it"],
    ),
    "a control plane that is not exported, of a cluster of EKS, with a declaration that would go back": (
        lambda: progress(eks(), "1.36", nodes=(drifting("compute", 0, "1.36.1"), drifting("compute", 1))),
        [
            "The exports do not have the version of the control plane: `aws eks describe-cluster --name dev-use1 --region us-east-1` prints it",
            (
                "The control plane has at least 1.36, and the declaration says 1.35: set `kubernetes_version` to `1.36` first, because "
                "`pulumi up` would send the lower version"
            ),
        ],
    ),
    "a declaration that would go back": (
        lambda: progress(aks(), "1.36", control_plane="1.36.2"),
        [
            (
                "The control plane has 1.36, and the declaration says 1.35: set `kubernetes_version` to `1.36` first, because `pulumi up` would "
                "send the lower version"
            )
        ],
    ),
    "nodes of other pools, and nodes without a version": (
        lambda: progress(aks(), "1.36", control_plane="1.35", nodes=(node("other", 0), node("more", 0), node("web", 0, ""), node("web", 1, ""))),
        [
            "2 nodes belong to no declared pool, and are not counted",
            "The exports have no kubelet version of 2 nodes, which are not counted as finished",
        ],
    ),
    "one of each": (
        lambda: progress(aks(), "1.36", control_plane="1.35", nodes=(node("other", 0, ""),)),
        ["1 node belongs to no declared pool, and is not counted", "The exports have no kubelet version of 1 node, which is not counted as finished"],
    ),
}


@pytest.mark.parametrize(("found", "notes"), NOTES.values(), ids=NOTES)
def test_what_is_not_certain_is_noted(found, notes):
    assert list(found().notes) == notes


def test_a_lower_version_than_what_runs_has_no_progress():
    found = resumed(aks(), "1.35", control_plane="1.36.2")
    assert (found.progress, [blocker.kind for blocker in found.blocked_by]) == (None, ["downgrade"])
    assert resumed(aks(), "1.36", control_plane="1.35").to_json()["progress"] is not None


def test_exports_of_one_cluster_are_joined():
    first = Fleet(control_plane="1.35", state="Succeeded", nodes=(node("web", 0),))
    later = Fleet(pools={"web": shown("1.35")}, nodes=(node("web", 0), node("web", 1)), pods=(pod("a", "web-0"),), budgets=(budget(),))
    joined = first.joined(later)
    assert (joined.control_plane, joined.state, len(joined.nodes), len(joined.pods)) == ("1.35", "Succeeded", 2, 1)
    assert later.joined(first).control_plane == "1.35"


def test_exports_name_clusters_as_the_clouds_do():
    names = [cloud_of(cluster).upgrade(key, f"dev-{key}", cloud_of(cluster).pools(key, f"dev-{key}")).cloud_name for key, cluster in BOTH.items()]
    assert names == ["dev-weu", "dev-use1"]


@pytest.mark.parametrize("declared", ["1.35.5", "1.35.2"])
def test_patch_versions_that_run_are_not_proved(declared):
    found = resumed(aks(kubernetes_version=declared), "1.35.5", control_plane="1.35.2", pools={"web": shown("1.35.2"), "system": shown("1.35.2")})
    assert found.verdict == "unknown"
    assert any(str(one).startswith("the patch versions that run") for one in found.undecided)


@pytest.mark.parametrize(
    ("nodes", "told"),
    [
        pytest.param((node("other", 0, "1.33.1"),), [], id="within the skew"),
        pytest.param((node("other", 0, ""),), [], id="without a version"),
        pytest.param((node("web", 0, "1.32.1"),), [], id="of a declared pool, which catches up first"),
        pytest.param(
            (node("other", 0, "1.32.1"), node("more", 0, "1.32.1")),
            ["`other-0`, `more-0` would be 4 minor versions behind the control plane: Kubernetes supports 3"],
            id="of no declared pool",
        ),
    ],
)
def test_nodes_of_no_declared_pool_are_judged_before_the_control_plane(nodes, told):
    steps = resumed(aks(), "1.36", control_plane="1.35", nodes=nodes).steps
    assert [one.message for step in steps if step.what == "control_plane" for one in step.blocked_by if one.kind is Kind.SKEW] == told
