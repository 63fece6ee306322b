"""Plans and states of Terraform in the commands: what a plan does to nodes, what the rules find, and what cannot be read."""

import pytest

from tests.terraform_plans import AKS, EKS, GROUPS, POOL, SUBNET, auto_mode, change, cluster, eks, group, plan, pool, state, system, text, without

from .inputs import WITH_POOL

WEB = 'this["web"]'


@pytest.fixture
def diff(nodepools, tmp_path):
    def run(*changes, options=(), **more):
        (tmp_path / "plan.json").write_text(text(plan(*changes, **more)))
        return nodepools("diff", "plan.json", *options, cwd=tmp_path)

    return run


def effects(answer):
    return {(one["path"], one["effect"]) for one in answer.json["changes"]}


def test_a_plan_without_changes_changes_nothing(diff):
    answer = diff(change(AKS, cluster(), cluster()), change(POOL, pool(), pool(), name=WEB))
    assert answer.status == 0
    assert answer.out.startswith("plan.json: nothing changes (2 resources are equal)")


def test_an_update_in_place_that_replaces_nodes_is_said(diff):
    answer = diff(change(AKS, cluster(), cluster(system(vm_size="Standard_D8ds_v5"))), module_address="")
    assert answer.status == 1
    assert answer.out.startswith("plan.json: 1 edit deletes and recreates shop/system (3 nodes, 3 extra): not accepted")
    assert "The plan shows `update in-place`, and the provider creates the temporary pool `systemtmp`" in answer.out


def test_without_a_temporary_name_the_apply_fails(diff):
    answer = diff(change(POOL, pool(), pool(max_pods=60), name=WEB, module="module.aks"), options=("--format", "json"))
    [one] = answer.json["changes"]
    assert (one["path"], one["effect"]) == (f"module.aks.{POOL}.{WEB}.max_pods", "refused")
    assert "`terraform apply` fails without it" in one["message"]
    assert one["resource"] == {"type": POOL, "name": f"module.aks.{POOL}.{WEB}"}


@pytest.mark.parametrize(("sku", "effect"), [("AzureLinux", "reimages"), ("Windows2022", "refused")])
def test_another_system_is_not_updated_in_place(diff, sku, effect):
    answer = diff(change(POOL, pool(), pool(os_sku=sku), name=WEB), options=("--format", "json"))
    assert effects(answer) == {(f"{POOL}.{WEB}.os_sku", effect)}


def test_a_replacement_is_told_by_the_arguments_that_cause_it(diff):
    spot = pool(priority="Spot", eviction_policy="Delete")
    paths = [["priority"], ["eviction_policy"]]
    answer = diff(change(POOL, pool(), spot, name=WEB, actions=["delete", "create"], paths=paths), options=("--format", "json"))
    assert effects(answer) == {(f"{POOL}.{WEB}.priority", "replaces"), (f"{POOL}.{WEB}.eviction_policy", "replaces")}
    assert answer.json["changes"][0]["nodes"] == {"minimum": 2, "maximum": 6}
    assert answer.json["terraform"] == [{"address": f"{POOL}.{WEB}", "actions": ["delete", "create"], "replace_paths": paths}]


def test_a_replacement_without_reasons_is_a_replacement_of_the_whole(diff):
    answer = diff(change(AKS, cluster(), cluster(location="northeurope"), actions=["delete", "create"]))
    assert answer.out.startswith("plan.json: 1 edit deletes and recreates cluster shop (3 nodes): not accepted")
    assert "  replaces  shop  replaced\n" in answer.out


@pytest.mark.parametrize(
    ("reason", "told"),
    [
        ("replace_because_tainted", f"`terraform untaint '{POOL}.{WEB}'` keeps it, if nothing is wrong with it"),
        ("replace_by_request", "Plan without `-replace` to keep it"),
        ("replace_by_triggers", "Change nothing that triggers it"),
    ],
)
def test_what_replaces_a_resource_that_no_argument_replaces(diff, reason, told):
    tainted = {**change(POOL, pool(), pool(), name=WEB, actions=["delete", "create"]), "action_reason": reason}
    answer = diff(change(AKS, cluster(), cluster()), tainted)
    assert f"next: plan.json: shop/web: {told}" in " ".join(answer.out.split())
    assert "not set" not in answer.out


@pytest.mark.parametrize(
    ("new", "unknown", "effect"),
    [(pool(max_pods=60), None, "refused"), (pool("web2"), None, "replaces"), (without(pool(), "name"), {"name": True}, "replaces")],
    ids=["the same name", "another name", "a name that is known later"],
)
def test_two_with_one_name_cannot_exist_at_a_time(diff, new, unknown, effect):
    """`create_before_destroy`, without which the pool is replaced."""
    for actions, expected in ((["create", "delete"], effect), (["delete", "create"], "replaces")):
        edit = change(POOL, pool(), new, name=WEB, actions=actions, paths=[["max_pods"]], unknown=unknown)
        [one] = diff(change(AKS, cluster(), cluster()), edit, options=("--format", "json")).json["changes"]
        assert one["effect"] == expected, actions


def test_a_pool_that_has_another_address_needs_a_moved_block(diff):
    new, other = f'{POOL}.web["a"]', f"{POOL}.other"
    edits = [change(POOL, pool(), None, name="web[0]"), change(POOL, None, pool(), name='web["a"]'), change(POOL, None, pool("o"), name="other")]
    answer = diff(change(AKS, cluster(), cluster()), *edits, options=("--format", "json"))
    moved = {one["path"]: "`moved` block" in one["message"] for one in answer.json["changes"]}
    assert moved == {f"{POOL}.web[0]": True, new: True, other: False}
    assert answer.json["next"][0].endswith(f"a `moved` block from `{POOL}.web[0]` to `{new}` keeps it with its nodes")


def test_a_pool_that_also_changes_is_not_kept_by_a_moved_block(diff):
    edits = [change(POOL, pool(), None, name="old"), change(POOL, None, pool(zones=["3"]), name="new")]
    answer = diff(change(AKS, cluster(), cluster()), *edits, options=("--format", "json"))
    assert [one["message"] for one in answer.json["changes"] if "moved" in one["message"]] == []


def test_a_replacement_without_a_reason_is_to_be_undone(diff):
    answer = diff(change(AKS, cluster(), cluster()), change(POOL, pool(), pool(), name=WEB, actions=["delete", "create"]))
    assert "web: Undo what replaces `shop/web`" in " ".join(answer.out.split())


def test_a_text_of_several_lines_is_one_row(diff):
    answer = diff(change(AKS, cluster(), cluster(tags={"a": "one\ntwo"})))
    assert "in_place  shop  tags.a: not set → one\\ntwo\n" in answer.out


def test_created_and_deleted_pools_keep_their_addresses(diff):
    answer = diff(
        change(AKS, cluster(), cluster()), change(POOL, pool("old"), None, name='p["old"]'), change(POOL, None, pool("new"), name='p["new"]')
    )
    assert f'removed: {POOL}.p["old"]' in answer.out
    assert "Terraform deletes the pool with its nodes" in answer.out
    assert answer.out.startswith("plan.json: 1 of 2 edits deletes shop/old (2 to 6 nodes): not accepted")


def test_what_the_rows_have_as_immutable_and_the_plan_updates_is_unknown(diff):
    network = [{**cluster()["network_profile"][0], "outbound_type": "userDefinedRouting"}]
    answer = diff(change(AKS, cluster(), cluster(network_profile=network)), options=("--format", "json"))
    [one] = answer.json["changes"]
    assert (one["path"], one["effect"]) == (f"{AKS}.this.network_profile[0].outbound_type", "unknown")
    assert "the two disagree" in one["message"]


def test_cilium_reimages_all_pools_at_the_same_time(diff):
    network = [{**cluster()["network_profile"][0], "network_data_plane": "cilium"}]
    answer = diff(change(AKS, cluster(), cluster(network_profile=network)))
    assert "AKS reimages the nodes of all pools at the same time" in answer.out


def test_the_policy_moves_to_cilium_with_the_data_plane_and_not_alone(diff):
    network = cluster()["network_profile"][0] | {"network_policy": None, "network_data_plane": "azure"}
    both, alone = ({**network, "network_policy": "cilium", "network_data_plane": plane} for plane in ("cilium", "azure"))
    for new, effect in ((both, "reimages"), (alone, "unknown")):
        answer = diff(change(AKS, cluster(network_profile=[network]), cluster(network_profile=[new])), options=("--format", "json"))
        assert {kind for path, kind in effects(answer) if path.endswith("network_policy")} == {effect}


def test_a_value_that_is_known_later_decides_the_effect(diff):
    created = {name: value for name, value in pool().items() if name not in ("vnet_subnet_id", "tags")}
    answer = diff(change(POOL, pool(), created, name=WEB, unknown={"vnet_subnet_id": True, "tags": True}), options=("--format", "json"))
    assert effects(answer) == {(f"{POOL}.{WEB}.vnet_subnet_id", "unknown"), (f"{POOL}.{WEB}.tags", "in_place")}


def test_an_argument_that_no_row_has_is_unknown(diff):
    answer = diff(change(POOL, pool(), pool(unheard="of"), name=WEB), options=("--format", "json"))
    assert effects(answer) == {(f"{POOL}.{WEB}.unheard", "unknown")}


def test_more_or_fewer_nodes_of_an_autoscaled_pool_are_sent_by_terraform(diff):
    fewer = diff(change(POOL, pool(), pool(node_count=2), name=WEB), options=("--format", "json"))
    assert effects(fewer) == {(f"{POOL}.{WEB}.node_count", "removes_nodes")}
    more = diff(change(POOL, pool(), pool(node_count=5), name=WEB), options=("--format", "json"))
    assert effects(more) == {(f"{POOL}.{WEB}.node_count", "in_place")}


def test_node_groups_are_rolled_scaled_and_tainted(diff):
    group = {
        "cluster_name": "shop",
        "node_group_name": "web",
        "version": "1.34",
        "scaling_config": [{"min_size": 1, "max_size": 4, "desired_size": 3}],
    }
    smaller = {
        **group,
        "version": "1.35",
        "scaling_config": [{**group["scaling_config"][0], "desired_size": 2}],
        "update_config": [{"max_unavailable": 2}],
    }
    tainted = {**smaller, "taint": [{"key": "a", "value": None, "effect": "NO_EXECUTE"}]}
    answer = diff(change(EKS, {"name": "shop"}, {"name": "shop"}), change(GROUPS, group, tainted), options=("--details",))
    assert "removes_nodes  shop/web  scaling_config[0].desired_size: 3 → 2" in answer.out
    assert "EKS, during `terraform apply`: 1 to 2 nodes at a time" in " ".join(answer.out.split())
    assert "in_place_pods" in answer.out
    assert "EKS launches new nodes, then drains and terminates every node of the group" in answer.out


def test_objects_have_the_effects_of_manifests(diff):
    def node_pool(days):
        spec = {
            "template": {"spec": {"nodeClassRef": {"group": "karpenter.azure.com", "kind": "AKSNodeClass", "name": "default"}, "expireAfter": days}}
        }
        return {"manifest": {"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": {"name": "general"}, "spec": spec}}

    answer = diff(change("kubernetes_manifest", node_pool("24h"), node_pool("48h")), options=("--format", "json"))
    assert effects(answer) == {("kubernetes_manifest.this.manifest.spec.template.spec.expireAfter", "rolls")}


def test_what_is_not_read_is_told(diff):
    chart = change("helm_release", {"version": "1"}, {"version": "2"})
    account = change("azurerm_storage_account", {"a": 1}, {"a": 2})
    answer = diff(chart, account, change(AKS, cluster(), cluster()))
    assert (answer.status, "not read: helm_release.this (helm_release)" in answer.err) == (0, True)
    assert "changes of 1 other resource are not compared" in answer.err
    incomplete = diff(change("azapi_update_resource", {"a": 1}, {"a": 2}))
    assert (incomplete.status, incomplete.out.startswith("plan.json: nothing was compared (not complete: ")) == (2, True)
    empty = diff(account)
    assert (empty.status, empty.out) == (2, "")
    assert "error: plan.json: has no cluster, agent pool or node group, so nothing was compared" in empty.err


def test_an_accepted_replacement_does_not_fail(diff):
    new = change(AKS, cluster(), cluster(system(vm_size="Standard_D8ds_v5")))
    [step] = [line for line in diff(new).out.splitlines() if "--accept" in line]
    option = step.partition("--accept ")[2].strip("'").replace("REASON", "agreed")
    assert diff(new, options=("--accept", option)).status == 0


def test_markdown_names_terraform(diff):
    answer = diff(change(POOL, pool(), pool(os_sku="AzureLinux"), name=WEB), options=("--format", "markdown"))
    assert "Pulumi" not in answer.out
    assert "pulumi" not in answer.out


def test_a_plan_is_compared_alone(nodepools, tmp_path):
    (tmp_path / "plan.json").write_text(text(plan(change(AKS, cluster(), cluster()))))
    (tmp_path / "state.json").write_text(text(state((AKS, "this", cluster()))))
    (tmp_path / "dev.yaml").write_text(WITH_POOL)
    both = nodepools("diff", "plan.json", "plan.json", cwd=tmp_path)
    assert (both.status, "has both sides: `nodepools diff plan.json`" in both.err) == (2, True)
    assert nodepools("diff", "dev.yaml", "plan.json", cwd=tmp_path).status == 2


def test_a_plan_on_stdin(nodepools, tmp_path):
    written = text(plan(change(POOL, pool(), pool(max_pods=60), name=WEB)))
    assert "max_pods" in nodepools("diff", "-", cwd=tmp_path, stdin=written).out
    assert "1 object" in nodepools("check", "-", cwd=tmp_path, stdin=written).out


@pytest.mark.parametrize("option", [[], ["--file"]])
def test_the_rules_check_what_is_planned(nodepools, tmp_path, option):
    spot = pool(priority="Spot", eviction_policy="Delete", kubelet_config=[{"image_gc_high_threshold": 50, "image_gc_low_threshold": 80}])
    (tmp_path / "plan.json").write_text(text(plan(change(AKS, None, cluster()), change(POOL, None, spot, name=WEB))))
    answer = nodepools("check", *option, "plan.json", cwd=tmp_path)
    assert answer.status == 1
    assert f"plan.json#{POOL}.{WEB} upgrade_settings[0].max_surge: '33%'" in answer.out
    assert "AKS does not support `max_surge` on a spot pool" in answer.out
    assert "to try" not in answer.out
    assert "password" not in answer.all


def test_a_sound_plan_has_no_false_error(nodepools, tmp_path):
    (tmp_path / "plan.json").write_text(text(plan(change(AKS, None, cluster()), change(POOL, None, pool(), name=WEB))))
    assert nodepools("check", "plan.json", "--format", "json", cwd=tmp_path).json["errors"] == 0


def test_what_is_known_later_or_not_known_here_is_not_checked(nodepools, tmp_path):
    values = {name: value for name, value in pool(unheard="of").items() if name != "max_pods"}
    (tmp_path / "plan.json").write_text(text(plan(change(POOL, None, values, name=WEB, unknown={"max_pods": True}))))
    answer = nodepools("check", "plan.json", cwd=tmp_path)
    assert f"1 value is known after `terraform apply`, such as {POOL}.{WEB}.max_pods: not checked" in answer.err
    assert f"{POOL}.{WEB}.unheard is not known to this version: not checked" in answer.err


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("terraform.tfstate", b'{"version": 4, "terraform_version": "1.9.0", "serial": 3, "lineage": "x", "resources": []}', "terraform show -json"),
        ("main.tf", b'resource "azurerm_kubernetes_cluster" "this" {\n  name = "shop"\n}\n', "is a configuration of Terraform"),
        ("plan.out", b"PK\x03\x04\xff\xfe", "if it is a plan of Terraform, use `terraform show -json PLAN > plan.json`"),
        ("new.json", b'{"format_version": "2.1", "planned_values": {}}', "format version `2.1`"),
        (
            "schema.json",
            b'{"format_version": "1.0", "provider_schemas": {"aws": {"resource_schemas": {}}}}',
            "is the schema of providers of Terraform, which",
        ),
        ("half.json", b'{"format_version": "1.2", "resource_changes": [{"address"', "half.json"),
    ],
)
@pytest.mark.parametrize("command", [["check"], ["check", "--file"], ["diff"], ["adopt"], ["explain", "--file"], ["explain", "--existing"]])
def test_what_cannot_be_read_is_one_message(nodepools, tmp_path, name, content, message, command):
    (tmp_path / name).write_bytes(content)
    (tmp_path / "pod.yaml").write_text("apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: a, image: b}]}\n")
    arguments = ["explain", "pod.yaml", command[1], name] if command[0] == "explain" else [*command, name]
    answer = nodepools(*arguments, cwd=tmp_path)
    assert answer.status == 2
    assert message in answer.err
    assert answer.err.count("error: ") == 1


DEPLOYMENT = """apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 3
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      nodeSelector: {tier: web}
      containers: [{name: a, image: b, resources: {requests: {cpu: "1", memory: 1Gi}}}]
"""
BODY = {
    "type": "Microsoft.ContainerService/managedClusters/agentPools@2025-10-01",
    "name": "web",
    "parent_id": "/subscriptions/s/resourceGroups/rg/providers/Microsoft.ContainerService/managedClusters/shop",
    "body": {"properties": {"count": 3, "vmSize": "Standard_D4ds_v5"}},
}
WINDOW = {"frequency": "Weekly", "interval": 1, "day_of_week": "Sunday", "duration": 4, "start_time": "01:00", "utc_offset": "+00:00"}
GENERAL = {
    "apiVersion": "karpenter.sh/v1",
    "kind": "NodePool",
    "metadata": {"name": "general"},
    "spec": {"template": {"spec": {"nodeClassRef": {"group": "karpenter.azure.com", "kind": "AKSNodeClass", "name": "default"}, "requirements": []}}},
}


@pytest.fixture
def declared(nodepools, tmp_path):
    """Runs a command for a plan that declares these resources."""

    def run(command, *changes):
        (tmp_path / "plan.json").write_text(text(plan(*changes)))
        (tmp_path / "web.yaml").write_text(DEPLOYMENT)
        return nodepools(*command.split(), "--file", "plan.json", cwd=tmp_path)

    return run


def test_an_upgrade_of_a_plan_is_applied_by_terraform(declared):
    for form in ("text", "json", "markdown"):
        answer = declared(f"upgrade --to 1.37 --today 2026-11-28 --format {form}", *SHOP)
        assert "pulumi" not in answer.out.lower()
    text = " ".join(declared("upgrade --to 1.36 --today 2026-11-28", *SHOP).out.split())
    assert (
        "set the version of cluster `shop` and the version of pool `shop/web` to `1.36` in the `.tf` files, and run `terraform plan`, then "
        "`terraform apply`: upgrades control plane `shop`"
    ) in text
    assert "the same `terraform apply` upgrades pool `web`" in text
    assert "system pool `system` (3 nodes), unless `default_node_pool` has `orchestrator_version`: then set it there az aks nodepool upgrade" in text
    text = " ".join(declared("upgrade --to 1.35 --today 2026-11-28", *SHOP).out.split())
    assert "its version is `orchestrator_version` of `default_node_pool`: if that is not set, its nodes keep their version" in text
    assert "never contains its version" not in text


SHOP = (change(AKS, None, cluster()), change(POOL, None, pool(), name=WEB))


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        ("explain web.yaml", "plan.json: web (Deployment ×3) fits shop/web"),
        ("upgrade --to 1.36 --today 2026-11-28", "plan.json"),
        ("capacity", "plan.json: unknown: no shortage found, but 2 of 9 rows are unknown"),
    ],
)
def test_a_plan_is_declared(declared, command, answer):
    found = declared(command, *SHOP)
    assert found.status == 0, found.all
    assert found.out.startswith(answer)


def test_what_a_plan_costs(nodepools, tmp_path):
    (tmp_path / "plan.json").write_text(text(plan(*SHOP)))
    assert "3 x Standard_D4ds_v5" in nodepools("cost", "--file", "plan.json", cwd=tmp_path).out


def test_windows_and_objects_are_those_of_the_cluster(declared):
    provisioned = cluster(
        automatic_upgrade_channel="patch", maintenance_window_auto_upgrade=[WINDOW], node_provisioning_profile=[{"mode": "Auto"}], name="Shop_1"
    )
    answer = declared("calendar --start 2026-11-28", change(AKS, None, provisioned), change("kubernetes_manifest", None, {"manifest": GENERAL}))
    assert "closed  shop-1 (Kubernetes upgrades): until Sun 2026-11-29 01:00 UTC" in answer.out
    assert "shop-1/general" in answer.out


def test_a_subnet_that_is_known_later_is_a_subnet(declared):
    values = {name: value for name, value in system().items() if name != "vnet_subnet_id"}
    created = change(AKS, None, cluster(values), unknown={"default_node_pool": [{"vnet_subnet_id": True}], "tags": True})
    assert declared("explain web.yaml", created).out.startswith("plan.json: web (Deployment ×3) stays Pending everywhere")


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (change(POOL, None, {key: value for key, value in pool("late").items() if key != "vm_size"}, name="l", unknown={"vm_size": True}), "vm_size"),
        (change(AKS, None, cluster(name="b", kubernetes_version=None), name="b"), "`kubernetes_version` is required"),
    ],
)
def test_without_something_that_decides_there_is_no_answer(declared, more, message):
    answer = declared("explain web.yaml", *SHOP, more)
    assert (answer.status, answer.out) == (2, "")
    assert message in answer.err


def test_a_plan_without_clusters_declares_nothing_here(declared):
    answer = declared("explain web.yaml", change("kubernetes_manifest", None, {"manifest": GENERAL}))
    assert "declares no cluster, which this command needs" in answer.err


def test_errors_end_a_command(declared):
    answer = declared("explain web.yaml", *SHOP, change(POOL, None, pool("spot", priority="Spot"), name="spot"))
    assert (answer.status, "AKS019 error" in answer.err) == (1, True)


@pytest.mark.parametrize(
    "hidden",
    [
        change("kubernetes_manifest", {"manifest": GENERAL}, {}, unknown={"manifest": True}),
        change("azapi_resource", BODY, {**BODY, "body": None}, unknown={"body": True}),
        change("kubernetes_manifest", None, {"manifest": {**GENERAL, "apiVersion": "karpenter.sh/v1alpha1", "kind": "NodeOverlay"}}),
        {**change(POOL, pool(), None), "deposed": "1a2b"},
        {**change(AKS, cluster(), None), "deposed": "1a2b"},  # next to the object with its address
        change(POOL, pool(), pool(), actions=["transmute"]),
        change(POOL, {}, {}, actions=["update"]),
    ],
)
def test_what_can_replace_nodes_and_is_not_known_makes_an_answer_incomplete(diff, hidden):
    answer = diff(hidden, change(AKS, cluster(), cluster()))
    assert (answer.status, "nothing changes" in answer.out, "(not complete: " in answer.out) == (2, True, True)
    assert hidden["address"] in answer.err


def test_node_groups_are_not_checked_and_that_is_said(nodepools, tmp_path):
    (tmp_path / "plan.json").write_text(text(plan(change(GROUPS, None, {"cluster_name": "e", "node_group_name": "web"}))))
    answer = nodepools("check", "plan.json", cwd=tmp_path)
    assert "nothing was checked" in answer.out
    assert f"no rule checks node groups: {GROUPS}.this" in answer.err


def test_an_update_without_meaning_for_pools_is_an_update(diff):
    answer = diff(change(AKS, cluster(), cluster(open_service_mesh_enabled=True)), options=("--format", "json"))
    assert effects(answer) == {(f"{AKS}.this.other arguments", "in_place")}


def test_blocks_that_move_and_forget_are_told(diff):
    moved = {**change(POOL, pool(), pool(), name=WEB), "previous_address": f"{POOL}.old"}
    answer = diff(moved, change(POOL, pool("gone"), None, actions=["forget"], name="gone"))
    assert f"{POOL}.{WEB} (moved from {POOL}.old)" in answer.out
    assert f"Terraform forgets {POOL}.gone without deleting: nodes stay" in answer.err


def test_an_update_of_azapi_is_a_change_of_its_cluster(diff):
    body = {"type": "Microsoft.ContainerService/managedClusters@2025-10-01", "resource_id": cluster()["id"]}
    old, new = ({**body, "body": {"properties": {"autoUpgradeProfile": {"upgradeChannel": channel}}}} for channel in ("patch", "stable"))
    answer = diff(change(AKS, cluster(), cluster()), change("azapi_update_resource", old, new), options=("--format", "json"))
    assert effects(answer) == {(f"{AKS}.this.automatic_upgrade_channel", "in_place")}


@pytest.mark.parametrize(
    ("more", "said"),
    [({"complete": False}, "without `-target`"), ({"deferred_changes": [{"resource_change": {"address": f"{POOL}.late"}}]}, f"{POOL}.late")],
)
@pytest.mark.parametrize("command", ["diff", "check"])
def test_a_plan_of_a_part_is_not_a_complete_answer(nodepools, tmp_path, command, more, said):
    (tmp_path / "plan.json").write_text(text(plan(change(AKS, cluster(), cluster()), **more)))
    answer = nodepools(command, "plan.json", cwd=tmp_path)
    assert (answer.status, said in answer.err) == (2, True)


@pytest.mark.parametrize("actions", [["create", "forget"], ["forget", "create"]])
def test_what_a_replacement_forgets_stays(diff, actions):
    paths = [["vm_size"]]
    answer = diff(change(POOL, pool(), pool(vm_size="Standard_D8ds_v5"), name=WEB, actions=actions, paths=paths), options=("--format", "json"))
    assert effects(answer) == {(f"{POOL}.{WEB}.vm_size", "unknown")}
    assert "it stays with its nodes" in answer.json["changes"][0]["message"]


def test_a_node_group_that_is_newer_than_its_cluster_is_rejected(diff):
    old = eks(version="1.34")
    edits = change(GROUPS, group(version="1.34"), group(version="1.35"), name="w"), change(GROUPS, None, group(node_group_name="new"), name="n")
    answer = diff(change(EKS, old, old), *edits, options=("--format", "json"))
    assert effects(answer) == {(f"{GROUPS}.w.version", "refused"), (f"{GROUPS}.n", "refused")}
    assert effects(diff(change(EKS, old, eks()), *edits, options=("--format", "json"))) == {
        (f"{EKS}.this.version", "in_place"),
        (f"{GROUPS}.w.version", "reimages"),
        (f"{GROUPS}.n", "creates"),
    }


def test_a_key_of_another_resource_is_shown_in_a_replacement(diff):
    later = change(
        POOL,
        pool(),
        without(pool(), "kubernetes_cluster_id"),
        actions=["delete", "create"],
        paths=[["kubernetes_cluster_id"]],
        unknown={"kubernetes_cluster_id": True},
    )
    [one] = diff(later, options=("--format", "json")).json["changes"]
    assert (one["old"], one["new"]) == (pool()["kubernetes_cluster_id"], "known after apply")


def test_a_part_of_a_body_that_is_not_known_is_unknown(diff):
    body = {**BODY, "body": {**BODY["body"], "zoneRedundancy": "on"}}
    answer = diff(change("azapi_resource", BODY, body), options=("--format", "json"))
    assert effects(answer) == {("azapi_resource.this.body.zoneRedundancy", "unknown")}


def _marks(value):
    """Marks for all of a value, and for each of its parts, as Terraform has them next to it."""
    yield True
    for key, part in value.items() if isinstance(value, dict) else ():
        yield from ({key: mark} for mark in _marks(part))
    for number, part in enumerate(value if isinstance(value, list) else ()):
        yield from ([False] * number + [mark] for mark in _marks(part))


SYSCTLS = [{"sysctl_config": [{"net_ipv4_ip_local_port_range_min": 32768, "net_ipv4_ip_local_port_range_max": 60999}]}]
ALLOWED = {"allowed": [{"day": "Sunday", "hours": [1]}], "not_allowed": [{"start": "2026-12-24T00:00:00Z", "end": "2026-12-27T00:00:00Z"}]}
EVERY = cluster(
    system(linux_os_config=SYSCTLS),
    maintenance_window=[ALLOWED],
    maintenance_window_node_os=[{"frequency": "Daily", "interval": 1, "duration": 4, "start_date": "2026-01-01T00:00:00Z", **ALLOWED}],
)


@pytest.mark.parametrize("mark", ["after_unknown", "after_sensitive"])
def test_every_value_can_be_known_later_or_sensitive(diff, mark):
    """All at once, in one plan: no text has the mark itself, and nothing is certain about such a value."""
    several = [(AKS, EVERY), (POOL, pool(linux_os_config=SYSCTLS)), (EKS, eks()), (GROUPS, group())]
    edits = [(of_type, values, marks) for of_type, values in several for marks in _marks(values)]
    changes = [change(of_type, values, values, name=f"n{number}", actions=["update"]) for number, (of_type, values, _) in enumerate(edits)]
    for one, (_, _, marks) in zip(changes, edits, strict=True):
        one["change"][mark] = marks
    answer = diff(*changes, options=("--format", "json"))
    assert "Unknown" not in answer.out
    assert "unexpected error" not in answer.all
    assert {effect for _, effect in effects(answer)} <= ({"unknown", "in_place"} if mark == "after_unknown" else {"none", "in_place"})


def test_clusters_with_one_name_and_plans_with_one_cluster_are_told_apart(nodepools, tmp_path):
    groups = [without(cluster(resource_group_name=name), "id") for name in ("blue", "green")]
    both = plan(*(change(AKS, None, values, name=values["resource_group_name"], unknown={"id": True}) for values in groups))
    (tmp_path / "plans").mkdir()
    for name in ("dev", "prod"):
        (tmp_path / "plans" / f"{name}.json").write_text(text(both))
    answer = nodepools("cost", "--file", "plans", "--details", cwd=tmp_path)
    assert all(named in answer.out for named in ("plans-dev", "plans-prod", "shop-blue/system", "shop-green/system")), answer.all


@pytest.mark.parametrize(("region", "is_priced"), [("us-east-1", True), ("eu-west-1", False)])
def test_the_region_of_node_pools_is_that_of_the_cluster(nodepools, tmp_path, region, is_priced):
    pools = {
        **GENERAL,
        "spec": {
            "limits": {"cpu": 8},
            "template": {"spec": {"nodeClassRef": {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": "d"}, "requirements": []}},
        },
    }
    cluster = eks(arn=f"arn:aws:eks:{region}:111122223333:cluster/shop")
    (tmp_path / "plan.json").write_text(text(plan(change(EKS, None, cluster), change("kubernetes_manifest", None, {"manifest": pools}))))
    answer = nodepools("cost", "--file", "plan.json", "--details", cwd=tmp_path)
    assert "the region is not known" not in answer.all
    assert ("USD" in answer.out and "at least" in answer.out) is is_priced, answer.all


def test_sensitive_values_of_a_state_are_not_declared_and_told(nodepools, tmp_path):
    exists = state((AKS, "this", cluster(tags={"owner": "hush"})), (POOL, "web", pool(node_labels={"tier": "hush"})))
    of_cluster, of_pool = exists["values"]["root_module"]["resources"]
    of_cluster["sensitive_values"], of_pool["sensitive_values"] = {"tags": {"owner": True}}, {"node_labels": True}
    (tmp_path / "state.json").write_text(text(exists))
    (tmp_path / "web.yaml").write_text(DEPLOYMENT)
    adopted = nodepools("adopt", "state.json", "-o", "shop.yaml", cwd=tmp_path)
    assert f"`pulumi up` can remove it: {AKS}.this.tags.owner" in adopted.err
    assert (tmp_path / "shop.yaml").read_text().startswith("name: ")
    explained = nodepools("explain", "web.yaml", "--existing", "state.json", cwd=tmp_path)
    assert (explained.status, f"{POOL}.web.node_labels is sensitive, and decides the answer" in explained.err) == (2, True)
    assert "hush" not in f"{adopted.all}{explained.all}{(tmp_path / 'shop.yaml').read_text()}"


def test_a_forced_update_of_a_node_group_is_told(diff):
    old, new = (group(release_version=version, force_update_version=True) for version in ("1.35.0-20260101", "1.35.2-20261101"))
    [one] = diff(change(EKS, eks(), eks()), change(GROUPS, old, new, name="w"), options=("--format", "json")).json["changes"]
    assert (one["effect"], "deletes pods whose PodDisruptionBudget forbids it" in one["message"]) == ("reimages", True)


def test_an_unknown_release_of_a_node_group_that_is_rolled_anyway_is_not_undone(diff):
    """A release of the former version would be rejected next to the new one."""
    old, new = group(version="1.34", release_version="1.34.1-20260101"), group(version="1.35", release_version=None)
    later = change(GROUPS, old, new, name="w", unknown={"release_version": True})
    answer = diff(change(EKS, eks(), eks()), later, options=("--format", "json"))
    assert {one["effect"] for one in answer.json["changes"]} == {"reimages"}
    assert not any("release_version" in step for step in answer.json["next"])
    alone = diff(change(EKS, eks(), eks()), change(GROUPS, {**old, "version": "1.35"}, new, name="w", unknown={"release_version": True}))
    assert "decides the effect" in " ".join(alone.out.split())


def test_fewer_wanted_nodes_of_a_node_group_are_counted_from_what_it_can_have(diff):
    old, new = (group(scaling_config=[{"min_size": 1, "max_size": 8, "desired_size": wanted}]) for wanted in (5, 2))
    [one] = diff(change(EKS, eks(), eks()), change(GROUPS, old, new, name="w"), options=("--format", "json")).json["changes"]
    assert (one["effect"], one["nodes"]) == ("removes_nodes", {"minimum": 0, "maximum": 6})


@pytest.fixture
def configured(tmp_path):
    """A plan with a pool that is rejected, and one that no file declares, in the folder of its configuration."""
    spot = change(POOL, None, pool("spot", priority="Spot"), name=WEB)
    (tmp_path / "infra").mkdir()
    (tmp_path / "infra" / "plan.json").write_text(text(plan(spot, change(POOL, None, pool("gone", priority="Spot"), name="gone"))))
    (tmp_path / "infra" / "main.tf").write_text(f'\nresource "{POOL}" "this" {{\n  upgrade_settings {{\n    max_surge = "33%"\n  }}\n}}\n')
    return tmp_path


SURGE = "::error file=infra/main.tf,line=4,col=5,title=AKS019"


@pytest.mark.parametrize("given", [["infra/plan.json"], ["--file", "infra/plan.json"], ["infra/plan.json", "--hcl", "infra"]])
def test_findings_are_at_the_lines_of_their_blocks(nodepools, configured, given):
    answer = nodepools("check", *given, "--format", "github", cwd=configured)
    assert SURGE in answer.out
    assert "::error file=infra/plan.json,title=AKS019" in answer.out
    assert f"{POOL}.gone has no line: no block in `infra` has it" in answer.err
    shown = nodepools("check", *given, cwd=configured)
    assert f"infra/main.tf:4:5: AKS019 error at infra/plan.json#{POOL}.{WEB} upgrade_settings[0].max_surge" in " ".join(shown.out.split())


def test_sarif_and_gitlab_have_the_lines(nodepools, configured):
    sarif = nodepools("check", "infra/plan.json", "--format", "sarif", cwd=configured).json
    places = [one["locations"][0]["physicalLocation"] for one in sarif["runs"][0]["results"] if one["ruleId"] == "AKS019"]
    assert {"artifactLocation": {"uri": "infra/main.tf"}, "region": {"startLine": 4, "startColumn": 5}} in places
    quality = nodepools("check", "infra/plan.json", "--format", "gitlab", cwd=configured).json
    assert ("infra/main.tf", 4) in {(one["location"]["path"], one["location"]["lines"]["begin"]) for one in quality}


def test_changes_are_at_the_lines_of_their_blocks(nodepools, configured):
    answer = nodepools("diff", "infra/plan.json", "--format", "github", cwd=configured)
    assert "::notice file=infra/main.tf,line=2,col=1,title=creates%3A " in answer.out
    assert "file=infra/plan.json,title=creates" in answer.out
    assert f"{POOL}.gone has no line" in answer.err


def test_without_files_there_is_the_address_and_a_notice(nodepools, configured):
    (configured / "empty").mkdir()
    answer = nodepools("check", "infra/plan.json", "--hcl", "empty", "--format", "github", cwd=configured)
    assert "::error file=infra/plan.json,title=AKS019" in answer.out
    assert "have no line: `--hcl FOLDER` names the folder with the configuration" in answer.err
    for command in ("check", "diff"):
        wrong = nodepools(command, "infra/plan.json", "--hcl", "gone", cwd=configured)
        assert (wrong.status, "--hcl: `gone` is not a folder" in wrong.err) == (2, True)


def test_a_part_of_a_body_that_no_plan_has_is_unknown(diff):
    old, new = ({**BODY, "sensitive_body_version": {"properties.windowsProfile": number}} for number in ("1", "2"))
    answer = diff(change("azapi_resource", old, new), options=("--format", "json"))
    assert effects(answer) == {('azapi_resource.this.sensitive_body_version["properties.windowsProfile"]', "unknown")}
    body = {"type": "Microsoft.ContainerService/managedClusters@2025-10-01", "resource_id": cluster()["id"]}
    old, new = ({**body, "sensitive_body_version": {"properties.servicePrincipalProfile": number}} for number in ("1", "2"))
    updated = diff(change(AKS, cluster(), cluster()), change("azapi_update_resource", old, new))
    assert (updated.status, "not read: azapi_update_resource.this" in updated.err) == (2, True)


@pytest.mark.parametrize("name", ["min", "max"])
def test_a_range_of_ports_is_an_argument_that_replaces_nodes(diff, name):
    old, new = (
        [{"sysctl_config": [{"net_ipv4_ip_local_port_range_min": 1024, "net_ipv4_ip_local_port_range_max": 60999, **edit}]}]
        for edit in ({}, {f"net_ipv4_ip_local_port_range_{name}": 50000})
    )
    of_system = change(AKS, cluster(system(linux_os_config=old)), cluster(system(linux_os_config=new)))
    of_pool = change(POOL, pool(linux_os_config=old), pool(linux_os_config=new), name=WEB)
    place = "linux_os_config[0].sysctl_config[0].net_ipv4_ip_local_port_range_min"
    assert effects(diff(of_system, of_pool, options=("--format", "json"))) == {
        (f"{AKS}.this.default_node_pool[0].{place}", "replaces"),
        (f"{POOL}.{WEB}.{place}", "refused"),
    }


def test_a_rotation_that_stopped_is_completed(diff):
    [one] = diff(change(AKS, cluster(system(name="systemtmp")), cluster()), options=("--format", "json")).json["changes"]
    assert (one["effect"], one["path"], one["nodes"]) == ("replaces", f"{AKS}.this.default_node_pool[0].name", {"minimum": 3, "maximum": 3})
    assert "An earlier rotation stopped" in one["message"]
    [other] = diff(change(AKS, cluster(system(name="old")), cluster()), options=("--format", "json")).json["changes"]
    assert other["effect"] == "unknown"


@pytest.mark.parametrize("option", [["--file"], []])
@pytest.mark.parametrize(
    "without_clusters",
    [
        plan(),
        plan(*(change("aws_s3_bucket", None, {"bucket": f"b{number}"}, name=f"b{number}") for number in range(10_000))),
        state(("aws_s3_bucket", "b", {"bucket": "b"})),
    ],
)
def test_a_plan_without_clusters_is_one_message(nodepools, tmp_path, option, without_clusters):
    (tmp_path / "plan.json").write_text(text(without_clusters))
    answer = nodepools("check", *option, "plan.json", cwd=tmp_path)
    said = "error: plan.json: has no cluster, agent pool, node group, NodePool or node class, so there is nothing to check\n"
    assert (answer.status, answer.out, answer.err) == (2, "", said)


def test_a_pod_subnet_in_overlay_is_one_finding(nodepools, tmp_path):
    (tmp_path / "plan.json").write_text(text(plan(change(AKS, None, cluster(system(pod_subnet_id=f"{SUBNET}-pods"))))))
    found = nodepools("check", "plan.json", "--format", "json", cwd=tmp_path).json["findings"]
    assert [one["path"] for one in found if one["code"] == "AKS049"] == ["default_node_pool[0].pod_subnet_id"]


def test_what_eks_gives_an_entry_of_nodes_and_a_private_server_is_no_error(nodepools, tmp_path):
    entry = {"cluster_name": "shop", "principal_arn": "arn:aws:iam::111122223333:role/nodes", "type": "EC2_LINUX"}
    given = {"kubernetes_groups": ["system:nodes"], "user_name": "system:node:{{EC2PrivateDNSName}}"}
    private = [{**eks()["vpc_config"][0], "endpoint_public_access": False, "public_access_cidrs": ["0.0.0.0/0"]}]
    exists = change(EKS, eks(vpc_config=private), eks(vpc_config=private)), change("aws_eks_access_entry", entry | given, entry | given)
    (tmp_path / "plan.json").write_text(text(plan(*exists)))
    found = {one["code"] for one in nodepools("check", "plan.json", "--format", "json", cwd=tmp_path).json["findings"]}
    assert found.isdisjoint({"EKS083", "EKS175", "PLT012"})
    wrong = private[0] | {"public_access_cidrs": ["198.51.100.0/24"]}
    written = change(EKS, None, eks(vpc_config=[wrong])), change("aws_eks_access_entry", None, entry | given)
    (tmp_path / "plan.json").write_text(text(plan(*written)))
    found = {one["code"] for one in nodepools("check", "plan.json", "--format", "json", cwd=tmp_path).json["findings"]}
    assert found >= {"EKS083", "EKS175", "PLT012"}


TEMPLATE = {"id": "lt-1", "name": "web", "latest_version": 3, "default_version": 1, "instance_type": "", "user_data": "", "tags": {}}


@pytest.mark.parametrize(
    ("edit", "unknown", "effect"),
    [
        ({"user_data": "IyEvYmluL3No"}, {}, "reimages"),
        ({"block_device_mappings": [{"ebs": [{"volume_size": 100}]}]}, {}, "reimages"),
        ({"tags": {"team": "shop"}}, {}, "unknown"),
        ({"maintenance_options": [{"auto_recovery": "disabled"}]}, {}, "unknown"),
        ({"instance_type": None}, {}, "unknown"),
        ({}, {"user_data": True}, "unknown"),
        ({"id": "lt-2", "name": "other", "user_data": "IyEvYmluL3No"}, {}, "unknown"),
    ],
)
def test_a_launch_template_with_another_version_rolls_its_node_group(diff, edit, unknown, effect):
    """Its number is known later. An edit of its tags alone makes no version."""
    before = group(launch_template=[{"id": "lt-1", "name": "web", "version": "3"}])
    after = {**before, "launch_template": [{"id": "lt-1", "name": "web"}]}
    template = {**TEMPLATE, **{name: edit[name] for name in ("id", "name") if name in edit}}
    answer = diff(
        change(EKS, eks(), eks()),
        change(
            "aws_launch_template", template, without({**template, **edit}, "latest_version", *unknown), unknown={"latest_version": True, **unknown}
        ),
        change(GROUPS, before, after, unknown={"launch_template": [{"version": True}]}),
        options=("--format", "json"),
    )
    assert effects(answer) == {(f"{GROUPS}.this.launch_template[0].version", effect)}


def test_a_text_after_a_plan_an_empty_state_and_half_a_file_without_suffix_are_told(nodepools, tmp_path):
    written = text(plan(change(AKS, cluster(), cluster())))
    parts = {
        "two.json": (f"{written}\n{written}", "has something after its end, at line 2"),
        "empty.json": ('{"format_version":"1.0"}', "is a state of Terraform that is empty"),
        "half": (written[: len(written) // 2], "half:1:"),
    }
    for name, (content, message) in parts.items():
        (tmp_path / name).write_text(content)
        for command in ("check", "diff", "adopt"):
            answer = nodepools(command, name, cwd=tmp_path)
            assert (answer.status, message in answer.err, "YAML" in answer.err) == (2, True, False), answer.err
    piped = nodepools("diff", "-", cwd=tmp_path, stdin=parts["half"][0])
    assert (piped.status, "is not valid JSON" in piped.err) == (2, True)


@pytest.mark.parametrize(
    ("top", "effect"), [("1.35.1", "refused"), ("1.36", "reimages"), ("1.36.0", "reimages")], ids=["older cluster", "minor version", "patch version"]
)
def test_a_pool_of_aks_that_is_newer_than_its_cluster_is_rejected(diff, top, effect):
    newer = pool(orchestrator_version="1.36.0")
    answer = diff(change(AKS, cluster(), cluster(kubernetes_version=top)), change(POOL, pool(), newer, name=WEB), options=("--format", "json"))
    assert (f"{POOL}.{WEB}.orchestrator_version", effect) in effects(answer)


def test_a_taint_that_is_an_argument_of_its_own_replaces_the_pool(diff):
    """Azure gets both as taints: `only_critical_addons_enabled` is one of the arguments for which the provider replaces the nodes."""
    path = f"{AKS}.this.default_node_pool[0].node_taints"
    answer = diff(change(AKS, cluster(), cluster(system(only_critical_addons_enabled=False))), options=("--format", "json"))
    assert effects(answer) == {(f"{AKS}.this.default_node_pool[0].only_critical_addons_enabled", "replaces")}
    assert "Set `default_node_pool[0].only_critical_addons_enabled` back to `true`" in answer.json["next"][0]
    both = cluster(system(only_critical_addons_enabled=False, node_taints=["a=b:NoSchedule"]))
    assert effects(diff(change(AKS, cluster(), both), options=("--format", "json"))) == {(path, "replaces")}
    tainted = cluster(system(only_critical_addons_enabled=False, node_taints=["a=b:NoSchedule"]))
    free = cluster(system(only_critical_addons_enabled=False))
    assert effects(diff(change(AKS, free, tainted), options=("--format", "json"))) == {(path, "in_place")}


@pytest.mark.parametrize(
    ("before", "after", "effect"),
    [
        (auto_mode(), auto_mode(version="1.36"), "rolls"),
        (eks(), eks(version="1.36"), "in_place"),
        (eks(compute_config=[{"enabled": True}]), eks(compute_config=[{"enabled": True}], version="1.36"), "rolls"),
    ],
    ids=["built-in NodePools", "node groups only", "NodePools of other tools"],
)
def test_another_version_rolls_the_nodes_that_auto_mode_launches(diff, before, after, effect):
    assert effects(diff(change(EKS, before, after), options=("--format", "json"))) == {(f"{EKS}.this.version", effect)}


@pytest.mark.parametrize(
    ("profile", "effect"), [({"mode": "Auto"}, "rolls"), ({"mode": "Auto", "default_node_pools": "None"}, "rolls"), ({}, "in_place")]
)
def test_another_version_rolls_the_nodes_of_node_auto_provisioning(diff, profile, effect):
    before, after = ({**cluster(), "node_provisioning_profile": [profile], "kubernetes_version": version} for version in ("1.35.1", "1.36.0"))
    assert effects(diff(change(AKS, before, after), options=("--format", "json"))) == {(f"{AKS}.this.kubernetes_version", effect)}


@pytest.mark.parametrize(("kind", "values"), [(AKS, without(cluster(), "kubernetes_version")), (EKS, without(auto_mode(), "version"))])
def test_a_new_cluster_without_a_version_is_declared_with_the_one_that_the_cloud_chooses(nodepools, tmp_path, kind, values):
    given = {"provider_config": {"aws": {"name": "aws", "expressions": {"region": {"constant_value": "us-east-1"}}}}}
    (tmp_path / "plan.json").write_text(text(plan(change(kind, None, values), configuration=given)))
    (tmp_path / "pod.yaml").write_text("apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: a, image: b}]}\n")
    answer = nodepools("cost", "--file", "plan.json", cwd=tmp_path)
    assert (answer.status, f"{kind}.this has no version that is known, and the cloud chooses one: the answer is for 1." in answer.err) == (0, True)
    for line in ("upgrade --to 1.37", "explain pod.yaml"):
        assert nodepools(*line.split(), "--file", "plan.json", cwd=tmp_path).status == 2


def test_an_edit_that_the_rows_have_as_immutable_leaves_the_others_what_they_are(diff):
    """Whatever else Terraform updates in place, each edit of it has the effect that it has alone."""
    network = [{**cluster()["network_profile"][0], "outbound_type": "userDefinedRouting"}]
    edits = {"network_profile": network, "oidc_issuer_enabled": False, "node_os_upgrade_channel": "Unmanaged", "kubernetes_version": "1.36.1"}
    alone = [effects(diff(change(AKS, cluster(), cluster(**{name: value})), options=("--format", "json"))) for name, value in edits.items()]
    together = effects(diff(change(AKS, cluster(), cluster(**edits)), options=("--format", "json")))
    assert together == set().union(*alone)
    assert {effect for _, effect in together} == {"unknown", "refused", "reimages", "in_place"}


MANY = {"update_config": [{"max_unavailable": 9}]}
SIZES = {
    "a minimum above the number of nodes": ({"min_size": 4, "max_size": 5, "desired_size": 3}, {}, "min_size"),
    "a maximum below it": ({"min_size": 2, "max_size": 2, "desired_size": 3}, {}, "max_size"),
    "more at once than there can be": (
        {"min_size": 2, "max_size": 5, "desired_size": 3},
        {"update_config": [{"max_unavailable": 9}]},
        "max_unavailable",
    ),
    "the bounds themselves": ({"min_size": 3, "max_size": 3, "desired_size": 3}, {"update_config": [{"max_unavailable": 3}]}, ""),
}


@pytest.mark.parametrize(("sizes", "more", "refused"), SIZES.values(), ids=SIZES.keys())
def test_sizes_that_eks_rejects_are_refused(diff, sizes, more, refused):
    planned = group(scaling_config=[sizes], **more)
    updated = diff(change(GROUPS, group(), planned), options=("--format", "json")).json["changes"]
    assert [one["path"].rpartition(".")[2] for one in updated if one["effect"] == "refused"] == ([refused] if refused else [])
    made = diff(change(GROUPS, None, planned), options=("--format", "json")).json["changes"]
    assert [one["effect"] for one in made] == ["refused" if refused else "creates"]


COUNTS = {
    "another number": ({"node_count": 4}, "refused", "removes_nodes"),
    "a minimum above the maximum": ({"min_count": 9}, "refused", "refused"),
    "a higher maximum": ({"max_count": 9}, "in_place", "in_place"),
}


@pytest.mark.parametrize(("edit", "of_default", "of_own"), COUNTS.values(), ids=COUNTS.keys())
def test_numbers_that_the_provider_rejects_for_an_autoscaled_pool(diff, edit, of_default, of_own):
    """azurerm, ExpandDefaultNodePool: `node_count` cannot change while it scales; a pool of its own takes another number."""
    scaled = {"auto_scaling_enabled": True, "min_count": 2, "max_count": 6, "node_count": 5}
    inline = diff(change(AKS, cluster(system(**scaled)), cluster(system(**scaled | edit))), options=("--format", "json"))
    assert {effect for _, effect in effects(inline)} == {of_default}
    own = diff(change(POOL, pool(**scaled), pool(**scaled | edit), name=WEB), options=("--format", "json"))
    assert {effect for _, effect in effects(own)} == {of_own}


NODE_CLASS = {
    "apiVersion": "karpenter.k8s.aws/v1",
    "kind": "EC2NodeClass",
    "metadata": {"name": "default"},
    "spec": {"role": "nodes", "userData": "password-a", "amiSelectorTerms": [{"alias": "al2023@v20260101"}]},
}


def applied(data, hides):
    """What provider kubectl has in a plan: the whole text, which is sensitive, and a copy without the sensitive fields."""
    body = {**NODE_CLASS, "spec": {**NODE_CLASS["spec"], "userData": data}}
    shown = {"spec": "(sensitive value)", "userData": {**body["spec"], "userData": "(sensitive value)"}, "": body["spec"]}[hides]
    return {"yaml_body": text(body), "yaml_body_parsed": text({**body, "spec": shown})}


def test_a_hidden_field_of_an_applied_object_is_compared_and_not_printed(diff):
    sides = [applied(data, "userData") for data in ("password-a", "password-b")]
    answer = diff(change("kubectl_manifest", *sides, sensitive={"yaml_body": True}), options=("--format", "json"))
    [one] = answer.json["changes"]
    assert (one["path"].rpartition(".")[2], one["effect"]) == ("userData", "rolls")
    assert "password" not in answer.out


@pytest.mark.parametrize("of_type", ["kubectl_manifest", "kubernetes_manifest"])
def test_an_object_of_which_more_than_a_value_is_hidden_is_not_compared(diff, of_type):
    sides = [applied(data, "spec") for data in ("a", "b")]
    if of_type == "kubernetes_manifest":
        sides = [{"manifest": {**NODE_CLASS, "spec": {"userData": data}}} for data in ("a", "b")]
    answer = diff(change(of_type, *sides, sensitive={"manifest": {"spec": True}}))
    assert answer.status == 2
    assert f"not read: {of_type}.this" in answer.out + answer.err


def test_a_replaced_object_with_a_side_that_is_no_object_changes_something(diff):
    sides = applied("a", ""), {"yaml_body": None, "yaml_body_parsed": "x"}
    answer = diff(change("kubectl_manifest", *sides, actions=["delete", "create"], paths=[["name"]]))
    assert answer.status == 2
    assert "nothing changes" not in answer.out


@pytest.mark.parametrize("after", [None, eks(role_arn="another")])
def test_pools_of_a_cluster_can_be_in_another_state(diff, after):
    actions = ["delete", "create"] if after else None
    paths = [["role_arn"]] if after else ()
    answer = diff(change(EKS, eks(), after, actions=actions, paths=paths), options=("--format", "json"))
    assert [one["nodes"] for one in answer.json["changes"]] == [{"minimum": 0, "maximum": None}]
