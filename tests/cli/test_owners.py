"""`diff`, `cost` and `capacity` group by owner if any is declared, and `diff` says whose approval an edit needs."""

import json
from pathlib import Path
from typing import Any, cast

import pytest

from nodepools import EksNodePool, Platform, derive
from nodepools.changes.platform_changes import diff
from nodepools.cli.diff.impact import owner_section
from nodepools.cli.diff.pairs import Pair
from nodepools.model.platform import Team
from nodepools.rules.engine.samples import SIZE, aks, auto_mode, platform
from tests.cli.conftest import Run

DECLARED = """\
name: dev
owners:
  teams:
    shop: {approvers: ["@acme/shop"]}
clusters:
  weu:
    kind: AksCluster
    location: westeurope
    kubernetes_version: "1.35"
    system_pool: {vm_size: Standard_D4ds_v5, count: 3}
    pools:
      web: {kind: UserPool, vm_size: Standard_D4ds_v5, count: 2, owner: shop}
"""


def test_cost_has_a_row_for_each_owner(nodepools: Run, tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(DECLARED)
    assert "owner shop" in nodepools("cost", "--file", "a.yaml", cwd=tmp_path).out
    [stack] = json.loads(nodepools("cost", "--file", "a.yaml", "--format", "json", cwd=tmp_path).out)["platforms"]
    assert [(one["owner"], one["pools"], one["minimum"]) for one in stack["owners"]] == [
        ("shop", ["weu/web"], {"amount": 397.12}),
        (None, ["weu/system"], {"amount": 595.68}),
    ]


def test_capacity_has_a_row_for_each_owner(nodepools: Run, tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(DECLARED)
    assert "What the pools of each owner can have" in nodepools("capacity", "--file", "a.yaml", cwd=tmp_path).out
    owners = json.loads(nodepools("capacity", "--file", "a.yaml", "--format", "json", cwd=tmp_path).out)["owners"]
    assert [(one["stack"], one["owner"], one["nodes"]["maximum"], one["vcpus"]["maximum"]) for one in owners] == [
        ("dev", "shop", 2, 8),
        ("dev", None, 3, 12),
    ]


@pytest.mark.parametrize("command", [["cost"], ["capacity"], ["diff", "a.yaml"]])
def test_nothing_is_shown_without_owners(nodepools: Run, tmp_path: Path, command: list[str]) -> None:
    (tmp_path / "a.yaml").write_text(DECLARED.replace(", owner: shop", ""))
    answer = nodepools(*command, *(["a.yaml"] if command[0] == "diff" else ["--file", "a.yaml"]), "--format", "json", cwd=tmp_path).out
    assert "owners" not in json.loads(answer)
    assert '"owner"' not in answer


def test_diff_says_whose_approval_is_needed(nodepools: Run, tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(DECLARED)
    (tmp_path / "b.yaml").write_text(DECLARED.replace("D4ds_v5, count: 2", "D8ds_v5, count: 2"))
    assert "@acme/shop" in nodepools("diff", "a.yaml", "b.yaml", cwd=tmp_path).out
    [one] = json.loads(nodepools("diff", "a.yaml", "b.yaml", "--format", "json", cwd=tmp_path).out)["owners"]
    assert (one["owner"], one["places"], one["effects"], one["needs_approval"], one["approvers"]) == (
        "shop",
        ["weu/web"],
        {"rotates": 1},
        True,
        ["@acme/shop"],
    )


def base(**owners: object) -> Platform:
    web = {"kind": "UserPool", "vm_size": SIZE, "count": 2, "owner": "shop"}
    use1 = derive(auto_mode({"web": EksNodePool(owner="data")}), owner="core", network={"cidr": "10.9.0.0/16"})
    return derive(platform(weu=aks(owner="core", pools={"web": web, "api": {**web, "owner": None}}), use1=use1), owners=owners)


def approvals(old: Platform, new: Platform) -> dict[str | None, tuple[str, ...]]:
    data = cast("list[dict[str, Any]]", owner_section([Pair("dev", old, new, diff(old, new))]).data)
    return {one["owner"]: tuple(one["approvers"]) for one in data}


def weu(**changes: object) -> dict[str, object]:
    return {"clusters": {"weu": changes}}


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        pytest.param({}, {}, id="no edit"),
        pytest.param(weu(pools={"web": {"count": 3}}), {"shop": ()}, id="in place: nobody approves"),
        pytest.param(
            weu(pools={"web": {"owner": "data"}}), {"shop": ("shop",), "data": ("data",)}, id="a pool is taken away, and no cloud gets the owner"
        ),
        pytest.param(weu(pools={"web": {"owner": None}}), {"shop": ("shop",), "core": ("core",)}, id="a pool falls to the owner of its cluster"),
        pytest.param(weu(pools={"api": {"owner": "shop"}}), {"core": ("core",), "shop": ("shop",)}, id="a pool without an owner of its own is taken"),
        pytest.param(weu(owner="shop"), {"core": ("core",), "shop": ("shop",)}, id="the cluster, with the pools that have its owner"),
        pytest.param(weu(pools={"web": None}), {"shop": ("shop",)}, id="a pool is deleted"),
        pytest.param(weu(pools={"api": None}), {"core": ("core",)}, id="a pool without an owner of its own"),
        pytest.param(weu(tier="Free"), {"core": ()}, id="the cluster, in place"),
        pytest.param(weu(location="northeurope"), {"core": ("core",), "shop": ("shop",)}, id="a cluster with the pools of others is replaced"),
        pytest.param(
            weu(pools={"web": {"vm_size": "Standard_D8ds_v5", "owner": "data"}}),
            {"shop": ("shop",), "data": ("data",)},
            id="who had the pool approves what its new owner does to it",
        ),
        pytest.param({"clusters": {"weu": None}}, {"core": ("core",), "shop": ("shop",)}, id="a cluster is deleted"),
    ],
)
def test_whose_approval_an_edit_needs(edit: dict[str, object], expected: dict[str | None, tuple[str, ...]]) -> None:
    old = base()
    assert approvals(old, derive(old, edit)) == expected


def test_an_edit_does_not_choose_its_own_approvers() -> None:
    old = base(teams={"shop": {"approvers": ["@acme/shop"]}})
    new = derive(old, weu(pools={"web": {"vm_size": "Standard_D8ds_v5"}}), owners={"teams": {"shop": {"approvers": ["@acme/me"]}}})
    assert approvals(old, new) == {"shop": ("@acme/shop",)}


SHOP = {"nodes": 3, "approvers": ["@acme/shop"]}


@pytest.mark.parametrize(
    ("teams", "edit", "expected"),
    [
        pytest.param({"shop": SHOP}, {"shop": {**SHOP, "nodes": 9}}, {"shop": ("@acme/shop",)}, id="a limit"),
        pytest.param({"shop": SHOP}, {"shop": {**SHOP, "nodes": None}}, {"shop": ("@acme/shop",)}, id="no limit any more"),
        pytest.param({"shop": SHOP}, {"shop": {**SHOP, "approvers": ["@acme/me"]}}, {"shop": ("@acme/shop",)}, id="its approvers"),
        pytest.param({"shop": SHOP}, {"shop": {**SHOP, "approvers": []}}, {"shop": ("@acme/shop",)}, id="no approvers any more"),
        pytest.param({"shop": SHOP}, {"shop": None}, {"shop": ("@acme/shop",)}, id="no team any more"),
        pytest.param({}, {"shop": {"approvers": ["@acme/me"]}}, {"shop": ("shop",)}, id="approvers of an owner that approved itself"),
        pytest.param({"shop": {}}, {"shop": {"approvers": ["@acme/me"]}}, {"shop": ("shop",)}, id="approvers of a team that approved itself"),
        pytest.param({"shop": SHOP}, {"new": Team(approvers=["@acme/new"])}, {}, id="a team that owns nothing yet"),
    ],
)
def test_limits_and_approvers_are_changed_with_the_approval_of_before(
    teams: dict[str, object], edit: dict[str, object], expected: dict[str | None, tuple[str, ...]]
) -> None:
    old = base(teams=teams)
    assert approvals(old, derive(old, owners={"teams": edit})) == expected


def test_an_owner_that_is_new_has_its_own_approvers() -> None:
    old = base(teams={"shop": SHOP})
    new = derive(old, weu(pools={"web": {"owner": "new"}}), owners={"teams": {"new": Team(approvers=["@acme/new"])}})
    assert approvals(old, new) == {"shop": ("@acme/shop",), "new": ("@acme/new",)}


@pytest.mark.parametrize("approvers", ["", "['@acme/me']"])
def test_approvers_that_are_replaced_in_the_same_edit_do_not_approve(nodepools: Run, tmp_path: Path, approvers: str) -> None:
    """Although no resource changes: the first line says it."""
    old = DECLARED if approvers else DECLARED.replace("approvers:", "nodes: 2, approvers:")
    (tmp_path / "a.yaml").write_text(old)
    (tmp_path / "b.yaml").write_text(DECLARED.replace('["@acme/shop"]', approvers if approvers else '["@acme/shop"]'))
    answer = nodepools("diff", "a.yaml", "b.yaml", cwd=tmp_path)
    assert "owners or their limits change: needs the approval of @acme/shop" in " ".join(answer.out.partition("\n\n")[0].split())
    [one] = json.loads(nodepools("diff", "a.yaml", "b.yaml", "--format", "json", cwd=tmp_path).out)["owners"]
    assert (one["effects"], one["reassigned"], one["needs_approval"]) == ({}, ["owners.teams.shop"], True)


def test_what_has_no_owner_needs_no_approval() -> None:
    old = derive(base(), weu(owner=None, pools={"api": {"count": 1}}))
    assert approvals(old, derive(old, weu(pools={"api": {"vm_size": "Standard_D8ds_v5"}}))) == {None: ()}


BOTH = """\
name: dev
owners: {label: example.com/owner, tag: owner}
clusters:
  weu:
    kind: AksCluster
    location: westeurope
    kubernetes_version: "1.35"
    owner: core
    system_pool: {vm_size: Standard_D4ds_v5, count: 3, zones: [1, 2, 3]}
    pools:
      web: {kind: UserPool, vm_size: Standard_D4ds_v5, count: 2, owner: shop}
  use:
    kind: EksCluster
    region: us-east-1
    kubernetes_version: "1.35"
    owner: core
    auto_mode:
      node_classes: {own: {}}
      node_pools:
        jobs: {node_class: own, owner: shop, limits: {cpu: 64}}
"""
WRONG = [
    pytest.param("CFG001", "vm_size: Standard_D4ds_v5, count: 2, ", "count: 2, ", id="a required field of a pool"),
    pytest.param("CFG002", "limits: ", "limit: ", id="an unknown field of a NodePool"),
    pytest.param("CFG002", "location: westeurope", "location: westeurope\n    lokation: westeurope", id="an unknown field of a cluster"),
    pytest.param("CFG002", "owners: {", "owners: {labels: a, ", id="an unknown field of the owners"),
    pytest.param("CFG003", "kind: UserPool", "kind: Pool", id="another kind"),
    pytest.param("CFG003", "{node_class: own, owner: shop, limits: {cpu: 64}}", "5", id="no part"),
    pytest.param("CFG004", "vm_size: Standard_D4ds_v5, count: 2", "vm_size: 5, count: 2", id="another type"),
    pytest.param("CFG004", "[1, 2, 3]", "x", id="no list"),
    pytest.param("CFG004", "{cpu: 64}", "{cpu: []}", id="another type in a mapping"),
    pytest.param("CFG006", "owner: shop, limits", 'owner: "", limits', id="an owner of a NodePool without text"),
    pytest.param("CFG006", "owner: core\n    system", 'owner: ""\n    system', id="an owner of a cluster without text"),
    pytest.param("CFG006", "label: example.com/owner", 'label: ""', id="a label without text"),
    pytest.param("CFG006", "tag: owner", 'tag: ""', id="a tag without text"),
    pytest.param("CFG006", "name: dev", "name: Dev", id="a name of the platform that it cannot have"),
    pytest.param("CFG011", "{own: {}}", "", id="no value"),
    pytest.param("CFG013", "owner: shop, limits", "owner: shop, owner: shop, limits", id="a field twice"),
]
ON_A_FILE = ("check", "upgrade", "cost", "capacity", "instances", "calendar", "diagram", "doctor", "render")
POD = '{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}, "spec": {"containers": [{"name": "a", "image": "a:1"}]}}'


@pytest.mark.parametrize(("code", "valid", "written"), WRONG)
def test_every_command_answers_for_a_platform_with_owners_and_a_schema_error(
    nodepools: Run, tmp_path: Path, code: str, valid: str, written: str
) -> None:
    assert BOTH.count(valid) == 1
    (tmp_path / "wrong.yaml").write_text(BOTH.replace(valid, written))
    (tmp_path / "a.yaml").write_text(BOTH)
    (tmp_path / "pod.json").write_text(POD)
    commands = (*ON_A_FILE, "preview") if code == "CFG004" else ON_A_FILE  # a preview takes seconds
    lines = [*([command, "--file", "wrong.yaml"] for command in commands), ["explain", "pod.json", "--file", "wrong.yaml"]]
    for line in [*lines, ["diff", "wrong.yaml", "a.yaml"], ["diff", "a.yaml", "wrong.yaml"]]:
        answer = nodepools(*line, cwd=tmp_path)
        assert "unexpected" not in answer.all, (line, answer.all)
        assert answer.status in (1, 2), (line, answer.all)
    assert code in nodepools("check", "--file", "wrong.yaml", cwd=tmp_path).out
