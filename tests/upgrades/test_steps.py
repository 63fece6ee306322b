"""The steps of an upgrade: order, versions, commands, edits and windows."""

import pytest

from nodepools import NodeProvisioning, Spot, SystemPool, UpgradeSettings, Weekly
from nodepools.clouds.fleet import VersionsNow
from nodepools.clouds.registry import cloud_of
from nodepools.eks import AddOn
from nodepools.upgrades.platform_upgrades import with_edits
from tests.upgrades.declared import SIZE, aks, eks, nap, plan, pool, step, steps, told

WEU = "control_plane weu"
SYSTEM = "first_pool system"

ORDERS = {
    "one minor version: control plane, pools in turn, then the first pool": (
        aks(pools={"web": pool(), "api": pool()}),
        "1.36",
        [f"{WEU} 1.35 → 1.36", "pool web 1.35 → 1.36", "pool api 1.35 → 1.36", f"{SYSTEM} 1.35 → 1.36"],
    ),
    "two minor versions: a round for each": (
        aks(),
        "1.37",
        [
            f"{WEU} 1.35 → 1.36",
            "pool web 1.35 → 1.36",
            f"{SYSTEM} 1.35 → 1.36",
            f"{WEU} 1.36 → 1.37",
            "pool web 1.36 → 1.37",
            f"{SYSTEM} 1.36 → 1.37",
        ],
    ),
    "a pool that is behind catches up first, step by step": (
        aks(pools={"old": pool(kubernetes_version="1.33"), "web": pool()}),
        "1.36",
        [
            "pool old 1.33 → 1.34",
            "pool old 1.34 → 1.35",
            f"{WEU} 1.35 → 1.36",
            "pool old 1.35 → 1.36",
            "pool web 1.35 → 1.36",
            f"{SYSTEM} 1.35 → 1.36",
        ],
    ),
    "a pool that is behind, without a new version of the cluster": (
        aks(pools={"old": pool(kubernetes_version="1.34")}),
        "1.35",
        ["pool old 1.34 → 1.35", f"{SYSTEM} 1.34 → 1.35"],
    ),
    "the declared version, which no request has of the first pool": (aks(), "1.35", [f"{SYSTEM} 1.34 → 1.35"]),
    "the declared version of EKS": (eks(), "1.35", []),
    "a full version is asked for in the last round only": (
        aks(kubernetes_version="1.34.7", pools={}),
        "1.36.2",
        [f"{WEU} 1.34 → 1.35", f"{SYSTEM} 1.34 → 1.35", f"{WEU} 1.35 → 1.36.2", f"{SYSTEM} 1.35 → 1.36.2"],
    ),
    "the previous generation of a pool is upgraded too": (
        aks(pools={"web": pool(previous=pool(max_pods=50))}),
        "1.36",
        [f"{WEU} 1.35 → 1.36", "pool web 1.35 → 1.36", "pool web (previous) 1.35 → 1.36", f"{SYSTEM} 1.35 → 1.36"],
    ),
    "NodePools of node auto provisioning follow by drift": (
        nap(),
        "1.36",
        [f"{WEU} 1.35 → 1.36", f"{SYSTEM} 1.35 → 1.36", "node_pool general 1.35 → 1.36"],
    ),
    "built-in NodePools of node auto provisioning too": (
        aks(pools={}, node_provisioning=NodeProvisioning()),
        "1.36",
        [f"{WEU} 1.35 → 1.36", f"{SYSTEM} 1.35 → 1.36", "node_pool default 1.35 → 1.36", "node_pool system-surge 1.35 → 1.36"],
    ),
    "Auto Mode: control plane, then nodes by drift": (eks(), "1.36", ["control_plane use1 1.35 → 1.36", "node_pool compute 1.35 → 1.36"]),
    "add-ons of EKS are looked up after the control plane": (
        eks(add_ons={"metrics-server": AddOn(version="v1")}),
        "1.36",
        ["control_plane use1 1.35 → 1.36", "add_on metrics-server v1 → a version for 1.36", "node_pool compute 1.35 → 1.36"],
    ),
}


@pytest.mark.parametrize(("platform", "to", "expected"), ORDERS.values(), ids=ORDERS)
def test_steps_follow_in_order(platform, to, expected):
    assert steps(plan(platform, to)) == expected


def test_the_next_steps_are_those_of_the_first_round():
    assert [one.new for one in plan(aks(pools={}), "1.37").next_steps] == ["1.36", "1.36"]
    assert plan(eks(), "1.35").next_steps == ()


def test_the_rounds_are_named_by_their_versions():
    assert [each.version for each in plan(aks(), "1.37").rounds] == ["1.36", "1.37"]


@pytest.mark.parametrize(
    ("changes", "command"),
    [
        pytest.param({}, "--resource-group dev-weu --cluster-name dev-weu --name system", id="names of the declaration"),
        pytest.param({"name": "own", "resource_group": "group"}, "--resource-group group --cluster-name own --name system", id="names that exist"),
        pytest.param(
            {"system_pool": SystemPool(vm_size=SIZE, count=2, name="first")},
            "--resource-group dev-weu --cluster-name dev-weu --name first",
            id="a pool",
        ),
    ],
)
def test_the_first_pool_is_upgraded_by_a_command(changes, command):
    assert step(plan(aks(**changes), "1.36"), "system").how == f"az aks nodepool upgrade {command} --kubernetes-version 1.36"


def test_a_resource_group_that_is_known_later_is_a_placeholder():
    reference = {"stack": "a/b/c", "output": "group"}
    assert "--resource-group RESOURCE_GROUP " in step(plan(aks(resource_group=reference), "1.36"), "system").how


def test_all_other_steps_are_pulumi_up_or_follow_on_their_own():
    assert {(one.what, one.how) for one in plan(nap(), "1.36").steps if one.what != "first_pool"} == {
        ("control_plane", "pulumi up"),
        ("node_pool", ""),
    }


def test_the_edits_of_a_round_are_the_fields_to_set():
    found = plan(aks(pools={"old": pool(kubernetes_version="1.35", previous=pool(max_pods=50, kubernetes_version="1.35")), "web": pool()}), "1.36")
    assert [edit.to_json(edit.value) for one in found.steps for edit in one.edits] == [
        {"op": "set", "path": "clusters.weu.kubernetes_version", "value": "1.36"},
        {"op": "set", "path": "clusters.weu.pools.old.kubernetes_version", "value": "1.36"},
        {"op": "set", "path": "clusters.weu.pools.old.previous.kubernetes_version", "value": "1.36"},
    ]


def test_each_step_says_what_the_edits_of_its_round_do_there():
    """As `diff` does: the control plane in place, and the nodes of the pools that follow, each at its own step."""
    found = plan(aks(pools={"old": pool(kubernetes_version="1.34"), "web": pool()}), "1.36")
    assert [(one.name, one.new, [(change.at, change.effect.value) for change in one.changes]) for one in found.steps if one.changes] == [
        ("old", "1.35", [("weu/old", "reimages")]),
        ("weu", "1.36", [("weu", "in_place")]),
        ("old", "1.36", [("weu/old", "reimages")]),
        ("web", "1.36", [("weu/web", "reimages")]),
    ]


def test_a_pool_that_is_upgraded_by_a_command_alone_changes_no_request():
    [_, first] = plan(aks(pools={}), "1.36").steps
    assert (first.what, first.edits, first.changes) == ("first_pool", (), ())


def test_the_edited_declaration_has_the_new_versions():
    platform = aks(pools={"old": pool(kubernetes_version="1.35")})
    edited = with_edits(platform, [edit for one in plan(platform, "1.36").steps for edit in one.edits])
    assert steps(plan(edited, "1.36")) == [f"{SYSTEM} 1.35 → 1.36"]


def test_an_add_on_whose_version_is_not_known_is_not_edited():
    platform = eks(add_ons={"metrics-server": AddOn(version="v1"), "other": AddOn()})
    found = plan(platform, "1.36")
    assert [step(found, name).old for name in ("metrics-server", "other")] == ["v1", "unknown"]
    assert told(step(found, "metrics-server").blocked_by) == ["note add-on"]
    assert step(found, "other").blocked_by == ()
    edited = with_edits(platform, [edit for one in found.steps for edit in one.edits])
    assert edited.clusters["use1"].add_ons["metrics-server"].version == "v1"  # type: ignore[union-attr]


WINDOW = Weekly(days="sun", start="02:00", hours=6)
WINDOWS = {
    "AKS starts a declared change at once": (aks(maintenance=WINDOW), "weu", (str(WINDOW), False)),
    "and so for its pools": (aks(maintenance=WINDOW), "web", (str(WINDOW), False)),
    "drift waits for the window of the NodePool": (eks({"maintenance": WINDOW}), "compute", (str(WINDOW), True)),
    "or for that of the cluster": (eks(maintenance=WINDOW), "compute", (str(WINDOW), True)),
    "not for a window without the reason Drifted": (
        eks(maintenance=Weekly(days="sun", start="02:00", hours=6, reasons=["Empty"])),
        "compute",
        (None, False),
    ),
    "without a window": (eks(), "compute", (None, False)),
    "EKS has none for the control plane": (eks(maintenance=WINDOW), "use1", (None, False)),
    "nodes of node auto provisioning wait too": (nap(maintenance=WINDOW), "general", (str(WINDOW), True)),
}


@pytest.mark.parametrize(("platform", "name", "expected"), WINDOWS.values(), ids=WINDOWS)
def test_a_window_applies_to_drift_alone(platform, name, expected):
    window = step(plan(platform, "1.36"), name).window
    assert window.applies is expected[1]
    assert expected[0] is None or window.window == expected[0]


def test_a_built_in_node_pool_follows_no_window():
    platform = aks(pools={}, node_provisioning=NodeProvisioning(), maintenance=WINDOW)
    assert step(plan(platform, "1.36"), "default").window.window is None


SKEWS = {
    "nodes two minor versions behind": (["1.36", "1.37"], []),
    "three: AKS's pages differ": (["1.38"], ["warning version-skew NodePoolMcVersionIncompatible"]),
    "four: rejected": (["1.39"], ["error version-skew NodePoolMcVersionIncompatible"]),
}


@pytest.mark.parametrize(("targets", "expected"), SKEWS.values(), ids=SKEWS)
def test_a_pool_that_cannot_follow_is_left_behind(targets, expected):
    """The snapshot determines the version of the pool."""
    snapshot = "/subscriptions/s/resourceGroups/g/providers/Microsoft.ContainerService/snapshots/s"
    found = plan(aks(pools={"web": pool(snapshot_id=snapshot)}), "1.39")
    assert told(step(found, "web").blocked_by)[:1] == ["warning node-image"]
    for target in targets:
        control_plane = next(one for one in found.steps if one.what == "control_plane" and one.new == target)
        assert [text for text in told(control_plane.blocked_by) if "skew" in text] == expected


def test_a_pool_that_cannot_catch_up_has_one_step():
    snapshot = "/subscriptions/s/resourceGroups/g/providers/Microsoft.ContainerService/snapshots/s"
    found = plan(aks(pools={"web": pool(snapshot_id=snapshot, kubernetes_version="1.33")}), "1.35")
    assert steps(found) == ["pool web 1.33 → 1.34", f"{SYSTEM} 1.34 → 1.35"]


def test_a_node_image_that_the_new_version_drops_is_told_at_its_pool():
    found = plan(aks(pools={"web": pool(os_sku="Ubuntu2204")}), "1.37")
    blocked = [one for one in found.steps if any(blocker.path == "clusters.weu.pools.web.os_sku" and blocker.is_error for blocker in one.blocked_by)]
    assert [(one.name, one.new) for one in blocked] == [("web", "1.37")]


SUPPORT = [
    pytest.param(aks(kubernetes_version="1.32"), [[], ["warning version-support"], [], [], [], []], id="a version without support on the way"),
    pytest.param(aks(kubernetes_version="1.32", support_plan="AKSLongTermSupport", tier="Premium"), [[]] * 6, id="long-term support"),
    pytest.param(aks(kubernetes_version="1.33"), [[]] * 3, id="the step from one"),
]


@pytest.mark.parametrize(("platform", "expected"), SUPPORT)
def test_a_step_to_a_version_without_support_is_doubted(platform, expected):
    each = [[kind for kind in told(one.blocked_by) if "version-support" in kind] for one in plan(platform, "1.34").steps]
    assert sorted(each) == sorted(expected)


def test_rules_that_only_the_new_version_breaks_are_told_with_their_codes():
    found = plan(aks(pools={"web": pool(os_sku="Ubuntu2204")}, kubernetes_version="1.34"), "1.37")
    assert [told(one.blocked_by) for one in found.steps if one.name == "web"] == [[], ["warning rule AKS101"], ["error rule AKS035"]]


def test_a_step_to_a_version_that_is_newer_than_the_table_is_doubted():
    found = plan(eks(), "1.38")
    assert [told(one.blocked_by) for one in found.steps if one.what == "control_plane"] == [[], [], ["warning version-support"]]
    assert all(blocker.fix is None for blocker in found.blockers)


@pytest.mark.parametrize(("channel", "expected"), [("patch", ["warning auto-upgrade"]), ("none", []), (None, [])])
def test_an_upgrade_channel_can_stop_the_control_plane(channel, expected):
    found = plan(aks(auto_upgrade=channel), "1.36")
    assert [text for text in told(step(found, "weu").blocked_by) if "auto-upgrade" in text] == expected


def test_no_step_turns_off_the_channel_that_automatic_fixes():
    [blocker] = step(plan(aks(sku="Automatic"), "1.36"), "weu").blocked_by
    assert "`stable`" in blocker.message
    assert blocker.fix == "Wait until AKS Automatic has upgraded the cluster, then set `kubernetes_version` to the version that it has"


DOWNGRADES = {
    "AKS cannot go back": (aks(), "1.34", "error downgrade", "7 days"),
    "EKS can, by one version, for a week": (
        eks(),
        "1.34",
        "warning downgrade",
        "aws eks update-cluster-version --name dev-use1 --region us-east-1 --kubernetes-version 1.34",
    ),
    "EKS cannot by two": (eks(), "1.33", "error downgrade", "new cluster"),
    "AKS cannot to an older patch version": (aks(kubernetes_version="1.35.4"), "1.35.2", "error downgrade", "7 days"),
    "overrides of a cluster set its version": (aks(overrides={"kubernetes_version": "1.36"}), "1.36", "error rule", "Move the version"),
    "overrides of a pool set its version": (aks(pools={"web": pool(overrides={"orchestrator_version": "1.35"})}), "1.36", "error rule", "field"),
    "overrides of a cluster of EKS": (eks(overrides={"version": "1.35"}), "1.36", "error rule", "Move the version"),
    "EKS has no patch versions": (eks(), "1.36.2", "error version-support", "`--to 1.36`"),
}


@pytest.mark.parametrize(("platform", "to", "expected", "fix"), DOWNGRADES.values(), ids=DOWNGRADES)
def test_a_lower_version_has_no_steps(platform, to, expected, fix):
    found = plan(platform, to)
    assert (found.steps, told(found.blockers)) == ([], [expected])
    assert found.blocked_by[0].fix is not None
    assert fix in found.blocked_by[0].fix


PATCHES = {
    "a newer patch version moves everything": (
        aks(kubernetes_version="1.35.2"),
        ["weu 1.35.2 → 1.35.5", "web 1.35.2 → 1.35.5", "system 1.35.2 → 1.35.5"],
    ),
    "that of a version that stands for any": (aks(), ["weu 1.35 → 1.35.5", "web 1.35 → 1.35.5", "system 1.35 → 1.35.5"]),
    "nodes of Karpenter follow": (nap(), ["weu 1.35 → 1.35.5", "system 1.35 → 1.35.5", "general 1.35 → 1.35.5"]),
}


@pytest.mark.parametrize(("platform", "expected"), PATCHES.values(), ids=PATCHES)
def test_a_patch_version_of_aks_is_an_upgrade_of_the_cluster(platform, expected):
    found = plan(platform, "1.35.5")
    assert [f"{step.name} {step.old} → {step.new}" for step in found.steps] == expected
    assert found.steps[0].edits
    is_doubted = any("if it is lower" in blocker.message for blocker in found.blockers)
    assert is_doubted is ("1.35 →" in expected[0])


def test_what_only_the_cloud_knows_is_listed():
    listed = plan(aks(), "1.36").not_checked
    assert "resource locks on the cluster and on its node resource group" in listed
    assert any(text.startswith("vCPUs (standardDDSv5Family") for text in listed)
    assert any("list-insights --cluster-name dev-use1" in text for text in plan(eks(), "1.36").not_checked)


def test_json_has_the_steps_with_their_numbers():
    found = plan(aks(pools={"web": pool(spot=Spot())}), "1.36").to_json()
    assert (found["cluster"], found["from"], found["to"], found["support_ends"]) == ("weu", "1.35", "1.36", "2027-03-31")
    listed = found["steps"]
    assert isinstance(listed, list)
    assert [one["step"] for one in listed] == [1, 2, 3]
    assert listed[0]["window"] == {
        "window": None,
        "applies": False,
        "note": "AKS starts this upgrade when you run the command",
    }
    assert listed[2]["needs"] == [{"what": "vcpus", "name": "standardDDSv5Family", "amount": {"minimum": 4, "maximum": 4}}]


def test_the_end_of_support_that_is_not_announced_is_none():
    assert plan(eks(kubernetes_version="1.37"), "1.37").to_json()["support_ends"] is None


def test_settings_of_a_pool_do_not_move_it():
    settings = UpgradeSettings(max_surge="50%", drain_timeout="1h", soak="5m", undrainable="Cordon")
    assert steps(plan(aks(pools={"web": pool(upgrade=settings)}), "1.36"))[1] == "pool web 1.35 → 1.36"


COMMANDS = {
    "one `pulumi up` upgrades the control plane and the pools, and the first pool has its own command": (
        aks(),
        [("pulumi up", ["weu", "web"]), ("az", ["system"])],
    ),
    "NodePools follow together, without a command": (
        aks(node_provisioning=NodeProvisioning(default_node_pools="Auto")),
        [("pulumi up", ["weu", "web"]), ("az", ["system"]), ("", ["default", "system-surge"])],
    ),
    "each add-on has a command": (
        eks(add_ons={"x": AddOn(), "y": AddOn()}),
        [("pulumi up", ["use1"]), ("aws", ["x"]), ("aws", ["y"]), ("", ["compute"])],
    ),
}


@pytest.mark.parametrize(("platform", "expected"), COMMANDS.values(), ids=COMMANDS)
def test_steps_belong_to_the_command_that_starts_them(platform, expected):
    [each] = plan(platform, "1.36").rounds
    first = {"az": "az", "aws": "aws"}
    found = [(first.get(command.how.split(" ")[0], command.how), [step.name for step in command.steps]) for command in each.commands]
    assert found == expected
    assert [edit for command in each.commands for edit in command.edits] == [edit for step in each.steps for edit in step.edits]


def test_a_first_pool_that_has_the_version_in_the_exports_needs_no_step():
    platform = aks(pools={"web": pool(snapshot_id="/subscriptions/s/resourceGroups/g/providers/Microsoft.ContainerService/snapshots/s")})
    cluster = platform.clusters["weu"]
    steps_of_it = cloud_of(cluster).upgrade("weu", "dev-weu", cloud_of(cluster).pools("weu", "dev-weu"))
    assert [each.version for each in steps_of_it.rounds("1.35", VersionsNow(35, {"system": 35, "web": 33}))] == ["1.34"]


def test_eks_has_no_agent_pools_of_others():
    cluster = eks().clusters["use1"]
    assert not cloud_of(cluster).upgrade("use1", "dev-use1", cloud_of(cluster).pools("use1", "dev-use1")).is_of_others("blue", {})
