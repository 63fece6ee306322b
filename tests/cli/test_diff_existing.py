"""`nodepools diff` with exports of what is live: what the next `pulumi up` changes, and what was changed outside of Pulumi."""

import json
import re
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import yaml

from nodepools.adoption.read_exports import Exports, existing_state
from nodepools.changes.platform_changes import request_set_changes, requests_of
from nodepools.cli.command_run import CommandRun
from nodepools.cli.diff.existing import compared
from nodepools.cli.diff.files import Part, Side
from nodepools.clouds.eks.auto_mode_objects import cluster_security_group, private_subnets
from nodepools.loading import load_text
from tests.adoption.exported import SUBSCRIPTION, exported
from tests.cli.conftest import Run

PLATFORM = """name: dev
clusters:
  weu:
    kind: AksCluster
    location: westeurope
    kubernetes_version: "1.35"
    system_pool: {vm_size: Standard_D4ds_v5, count: 2}
    maintenance: {kind: Weekly, days: sun, start: "02:00", hours: 6}
    pools:
      web: {kind: UserPool, vm_size: Standard_D2ds_v5, zones: [1, 2], labels: {team: web}, scale: {min: 1, max: 5}}
      batch: {kind: UserPool, vm_size: Standard_D2ds_v5, count: 3}
    node_provisioning: {node_pools: {general: {limits: {cpu: "100"}}}, node_classes: {large: {os_disk_size_gb: 256}}}
  use1:
    kind: EksCluster
    region: us-east-1
    kubernetes_version: "1.35"
    network: {kind: EksNetwork, cidr: 10.0.0.0/16, zones: [us-east-1a, us-east-1b]}
    access_entries: {ci: {principal: "arn:aws:iam::111122223333:role/ci", policies: [{name: AmazonEKSClusterAdminPolicy}]}}
    auto_mode: {node_pools: {general: {}}}
"""
DECLARED = load_text(PLATFORM, "platform.yaml")
Edit = Callable[[dict[str, Any]], Any]


def named(name: str) -> Callable[[Any], bool]:
    """Recognizes a resource of Azure by the beginning of its name."""
    return lambda one: str(one.get("name", "")).startswith(name)


def edited(is_it: Callable[[Any], bool], edit: Edit) -> Callable[[list[Any]], list[Any]]:
    def apply(documents: list[Any]) -> list[Any]:
        [one] = [document for document in documents if is_it(document)]
        edit(one)
        return documents

    return apply


def cluster(edit: Edit) -> Callable[[list[Any]], list[Any]]:
    return edited(named("dev-weu"), edit)


def pool(name: str, edit: Edit) -> Callable[[list[Any]], list[Any]]:
    return edited(named(name), edit)


def eks(edit: Edit) -> Callable[[list[Any]], list[Any]]:
    return edited(lambda one: "cluster" in one, lambda one: edit(one["cluster"]))


def node_pool(edit: Edit) -> Callable[[list[Any]], list[Any]]:
    """Edits the NodePool of AKS."""
    return edited(lambda one: "AKSNodeClass" in json.dumps(one), lambda one: edit(next(item for item in one["items"] if item["kind"] == "NodePool")))


def another_pool(documents: list[Any]) -> list[Any]:
    [web] = [one for one in documents if named("web")(one)]
    return [*documents, {**web, "id": web["id"].replace(web["name"], "extra"), "name": "extra", "nodeLabels": {}}]


def without(name: str) -> Callable[[list[Any]], list[Any]]:
    return lambda documents: [one for one in documents if not named(name)(one)]


def renamed_web(documents: list[Any]) -> list[Any]:
    """Another generation of the pool: of another size, so that its name in Azure is another one."""
    return pool("web", lambda one: one.update(id=one["id"].replace(one["name"], "web1234"), name="web1234", vmSize="Standard_D8ds_v5"))(documents)


def drift(documents: list[Any], *, existing_is_old: bool = True) -> set[tuple[str, str]]:
    """The path and the effect of each change."""
    read = Exports()
    for number, document in enumerate(documents):
        read.add(document, f"live/{number}.json")
    found, wrong = read.clusters()
    assert wrong == []
    run = CommandRun("diff", "json")
    live = Side("live", "existing", {}, clusters=tuple(found))
    declared = Side("p", "declaration", {"dev": Part("dev", requests_of(DECLARED), DECLARED)})
    both = compared(live, declared, run) if existing_is_old else compared(declared, live, run)
    changes = request_set_changes(both.before.parts["dev"].requests, both.after.parts["dev"].requests)
    assert run.problems == []
    return {(change.path, change.effect.value) for change in both.changes("dev", changes, None).all}


def same(documents: list[Any]) -> list[Any]:
    return documents


WEB, BATCH = "clusters.weu.pools.web", "clusters.weu.pools.batch"
DRIFTS: dict[str, tuple[Callable[[list[Any]], list[Any]], set[tuple[str, str]]]] = {
    "what pulumi up created has no drift": (same, set()),
    "a patch version of the declared minor version is the same": (cluster(lambda it: it.update(kubernetesVersion="1.35.4")), set()),
    "a minor version behind is an upgrade": (cluster(lambda it: it.update(kubernetesVersion="1.34")), {("clusters.weu.kubernetes_version", "rolls")}),
    "a minor version ahead cannot be taken back": (
        cluster(lambda it: it.update(kubernetesVersion="1.36")),
        {("clusters.weu.kubernetes_version", "refused")},
    ),
    "arguments that are not sent are not compared": (cluster(lambda it: it.update(autoScalerProfile={"expander": "priority"})), set()),
    "capitals of Azure's own words are the same": (cluster(lambda it: it.update(location="WestEurope")), set()),
    "the issuer that was turned off is turned on": (
        cluster(lambda it: it.update(oidcIssuerProfile={"enabled": False})),
        {("clusters.weu.oidc_issuer", "in_place")},
    ),
    "tags of others are removed": (cluster(lambda it: it["tags"].update(owner="ops")), {("clusters.weu.tags.owner", "in_place")}),
    "a pool that was scaled by hand": (pool("batch", lambda it: it.update(count=5)), {(f"{BATCH}.count", "removes_nodes")}),
    "the autoscaler scales as it likes": (pool("web", lambda it: it.update(count=4)), set()),
    "other bounds of the autoscaler": (pool("web", lambda it: it.update(maxCount=9)), {(f"{WEB}.scale.max", "in_place")}),
    "zones in another order are the same": (pool("web", lambda it: it.update(availabilityZones=["2", "1"])), set()),
    "a label that was changed": (pool("web", lambda it: it["nodeLabels"].update(team="ops")), {(f"{WEB}.labels.team", "in_place")}),
    "a generation that is not applied yet": (renamed_web, {(f"{WEB}.vm_size", "rotates")}),
    "another size of the pool with this name": (
        pool("web", lambda it: it.update(vmSize="Standard_D2s_v5")),
        {(f"{WEB}.vm_size", "replaces")},
    ),
    "a pool that is not declared": (another_pool, {("clusters.weu.pools.extra", "unknown")}),
    "a pool that was deleted": (without("batch"), {(BATCH, "creates")}),
    "a limit of a NodePool": (
        node_pool(lambda it: it["spec"]["limits"].update(cpu="500")),
        {("clusters.weu.node_provisioning.node_pools.general.limits.cpu", "in_place")},
    ),
    "a label that only the NodePool has": (
        node_pool(lambda it: it["spec"]["template"]["metadata"]["labels"].update(team="ops")),
        {("clusters.weu.node_provisioning.node_pools.general.labels.team", "unknown")},
    ),
    "an EKS version behind": (eks(lambda it: it.update(version="1.34")), {("clusters.use1.kubernetes_version", "rolls")}),
    "deletion protection that was turned on": (
        eks(lambda it: it.update(deletionProtection=True)),
        {("clusters.use1.deletion_protection", "in_place")},
    ),
    "tags of AWS are not ours": (eks(lambda it: it["tags"].update({"aws:cloudformation:stack-name": "s"})), set()),
    "a built-in NodePool that was turned off": (
        eks(lambda it: it["computeConfig"].update(nodePools=["system"])),
        {("clusters.use1.auto_mode.built_in_node_pools", "in_place")},
    ),
    "groups of an access entry": (
        edited(lambda one: "accessEntry" in one, lambda one: one["accessEntry"].update(kubernetesGroups=["ops"])),
        set(),  # not sent
    ),
    "a cluster that no export has": (
        lambda documents: [one for one in documents if not {"dev-weu", "AKSNodeClass"} & set(re.split(r'[/"]', json.dumps(one)))],
        {("clusters.weu", "unknown")},
    ),
}


@pytest.mark.parametrize(("edit", "found"), DRIFTS.values(), ids=DRIFTS)
def test_drift(edit: Callable[[list[Any]], list[Any]], found: set[tuple[str, str]]) -> None:
    assert drift(edit(exported(DECLARED))) == found


def test_the_other_direction_says_what_was_done() -> None:
    found = drift(another_pool(without("batch")(exported(DECLARED))), existing_is_old=False)
    assert found == {("clusters.weu.pools.extra", "creates"), (BATCH, "removes_nodes")}


def test_the_state_of_a_cluster() -> None:
    read = Exports()
    edit = pool("web", lambda it: it.update(provisioningState="Failed", powerState={"code": "Stopped"}))
    for document in edit(cluster(lambda it: it.update(currentKubernetesVersion="1.30.2"))(exported(DECLARED))):
        read.add(document, "f")
    aks, of_eks = map(existing_state, read.clusters()[0])
    assert (aks.version, aks.behind, aks.support(date(2026, 11, 23)), aks.support_ends) == ("1.30.2", 7, "ended", date(2025, 8, 22))
    assert [state.partition(": ")[2] for state in aks.not_ready] == ["Failed", "Stopped"]
    assert (of_eks.support(date(2026, 11, 23)), of_eks.support(date(2027, 3, 1)), of_eks.not_ready) == ("supported", "soon", ())


@pytest.mark.parametrize(
    ("declared", "exported_as", "state"), [("Stopped", "Stopped", "ready"), ("Running", "Stopped", "Stopped"), ("Stopped", "Running", "ready")]
)
def test_a_pool_that_is_declared_stopped_is_ready(tmp_path: Path, nodepools: Run, declared: str, exported_as: str, state: str) -> None:
    text = PLATFORM.replace("count: 3", f"count: 3, power_state: {declared}")
    edit = pool("batch", lambda it: it.update(powerState={"code": exported_as}))
    (tmp_path / "platform.yaml").write_text(text)
    (tmp_path / "live.yaml").write_text(yaml.safe_dump_all(edit(exported(load_text(text, "platform.yaml")))))
    for sides in (("live.yaml", "platform.yaml"), ("platform.yaml", "live.yaml")):
        answer = nodepools("diff", *sides, "--format", "json", cwd=tmp_path)
        [found] = [one["not_ready"] for one in answer.json["clusters"] if one["cluster"] == "weu"]
        assert [each.partition(": ")[2] for each in found] == ([] if state == "ready" else [state])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "platform.yaml").write_text(PLATFORM)
    write(tmp_path / "live", another_pool(pool("batch", lambda it: it.update(count=5))(exported(DECLARED))))
    return tmp_path


def write(into: Path, documents: list[Any]) -> None:
    into.mkdir(exist_ok=True)
    for number, document in enumerate(documents):
        (into / f"{number:02}.json").write_text(json.dumps(document, default=str))


def test_a_folder_of_exports_is_a_side(nodepools: Any, folder: Path) -> None:
    answer = nodepools("diff", "live", "platform.yaml", "--today", "2026-11-23", cwd=folder)
    assert answer.status == 1
    assert answer.out.startswith(
        "live → platform.yaml: 1 of 2 edits removes nodes of weu/batch (2 nodes): not accepted; unknown: the effect of 1 edit of weu/extra (1 node)\n"
    )
    assert "  removes_nodes  weu/batch  count: 5 → 3\n    2 nodes: " in answer.out
    assert "  unknown  weu/extra  removed: extra" in answer.out
    assert "  weu      dev-weu   1.35.4, 2 behind 1.37  supported until 2027-03-31  ready" in answer.out
    every = nodepools("diff", "live", "platform.yaml", "--today", "2026-11-23", "--details", cwd=folder).out
    assert "it differs because an edit is not applied yet, or because something was changed without Pulumi" in every
    assert "hunter2" not in answer.out + answer.err
    assert nodepools("diff", "platform.yaml", "live", cwd=folder).status == 0


SHOWN = ("id", "name", "type", "location", "kubernetesVersion", "currentKubernetesVersion", "agentPoolProfiles", "arn", "version", "status")


def shortened_pools(edit: Edit) -> Callable[[list[Any]], list[Any]]:
    """The first pool in the cluster, and another one, with what a person keeps of both."""

    def apply(documents: list[Any]) -> list[Any]:
        for one in documents:
            if "/agentPools/" in str(one.get("id")):
                for name in one.keys() - {"id", "name", "type", "typePropertiesType", "count", "vmSize", "mode", "osType", "orchestratorVersion"}:
                    del one[name]
        return cluster(edit)(documents)

    return apply


@pytest.mark.parametrize(("key", "of_cluster"), [("weu", cluster), ("weu", shortened_pools), ("use1", eks)])
def test_what_a_shortened_export_lacks_is_not_compared(nodepools: Any, folder: Path, key: str, of_cluster: Callable[[Edit], Any]) -> None:
    """Both clouds print the network of every cluster; a part of it in a ticket does not say that the rest differs."""

    def shorten(one: dict[str, Any]) -> None:
        for name in one.keys() - set(SHOWN):
            del one[name]

    write(folder / "short", of_cluster(shorten)(exported(DECLARED)))
    answer = nodepools("diff", "short", "platform.yaml", "--today", "2026-11-23", cwd=folder)
    assert answer.status == 2
    assert f"error: {key}: the export of the cluster is shortened: what it lacks is not compared" in answer.err
    assert answer.out.startswith("short → platform.yaml: nothing changes")


def test_a_cluster_that_nobody_exported_is_exported_first(nodepools: Any, folder: Path) -> None:
    """To remove it from the declaration is no way to know whether it exists."""
    write(folder / "alone", [one for one in exported(DECLARED) if "cluster" in one])
    answer = nodepools("diff", "alone", "platform.yaml", "--today", "2026-11-23", cwd=folder)
    assert "next: nodepools diff alone platform.yaml" in answer.out
    assert "after you add what exists of `weu` to alone: `nodepools doctor --exports` prints the commands" in " ".join(answer.out.split())


@pytest.mark.parametrize("pools", ["[general-purpose]", "[]"])
def test_a_version_reaches_node_pools_that_are_not_exported(nodepools: Any, folder: Path, pools: str) -> None:
    """Built-in NodePools are in no export, and `kubectl` is another command than `aws`."""
    (folder / "platform.yaml").write_text(PLATFORM.replace("auto_mode: {node", f"auto_mode: {{built_in_node_pools: {pools}, node"))
    [found] = [one for one in eks(lambda it: it.update(version="1.34"))(exported(DECLARED)) if "cluster" in one]
    write(folder / "alone", [found])
    answer = nodepools("diff", "alone", "platform.yaml", "--today", "2026-11-23", cwd=folder)
    assert "  rolls  use1" in answer.out
    assert "nodes stay\n" not in answer.out.partition("1.34 → 1.35")[2].partition("\n  in_place")[0]


def test_a_dns_prefix_like_the_name_of_the_cluster_is_not_an_added_cluster(nodepools: Any, folder: Path) -> None:
    """Private clusters with a DNS zone of their own have `fqdnSubdomain` instead."""
    write(folder / "private", cluster(lambda it: it.update(dnsPrefix=None, fqdnSubdomain="dev"))(exported(DECLARED)))
    answer = nodepools("diff", "private", "platform.yaml", "--today", "2026-11-23", cwd=folder)
    assert answer.status == 1
    assert "  replaces  weu  dns_prefix: not set → dev-weu" in answer.out
    assert "added: dev-weu" not in answer.out
    assert "next: nodepools adopt private  # changes nothing; prints a declaration that keeps what weu has\n" in answer.out


def test_json_and_markdown_and_annotations(nodepools: Any, folder: Path) -> None:
    found = nodepools("diff", "live", "platform.yaml", "--format", "json", "--today", "2026-11-23", cwd=folder).json
    [weu, use1] = found["clusters"]
    assert (weu["cluster"], weu["name"], weu["version"], weu["behind"], weu["support"]) == ("weu", "dev-weu", "1.35.4", 2, "supported")
    assert (use1["changes"], use1["worst"], use1["support_ends"]) == (0, None, "2027-03-27")
    assert found["basis"]["live"] == ["live"]
    assert {change["effect"] for change in found["changes"]} == {"unknown", "removes_nodes"}
    assert "| weu | dev-weu | 1.35.4, 2 behind 1.37 |" in nodepools("diff", "live", "platform.yaml", "--format", "markdown", cwd=folder).out
    assert nodepools("diff", "live", "platform.yaml", "--format", "github", cwd=folder).out.startswith(
        "::error file=platform.yaml,line=9,col=5,title=unknown%3A weu/extra::"
    )


def test_a_state_tells_what_was_changed_outside_of_pulumi(nodepools: Any, folder: Path) -> None:
    requests = [one for one in requests_of(DECLARED).all if one.resource.type.startswith("azure-native:containerservice")]
    urn = "urn:pulumi:dev::project::nodepools:index:AksCluster$"
    state = [
        {"urn": f"{urn}{one.resource.type}::{one.resource.name}", "type": one.resource.type, "inputs": {**one.sent, **names(one)}, "custom": True}
        for one in requests
    ]
    (folder / "state.json").write_text(json.dumps({"version": 3, "deployment": {"resources": state}}, default=str))
    found = nodepools("diff", "live", "platform.yaml", "--deployed", "state.json", "--format", "json", cwd=folder).json
    assert [(one["path"], one["effect"]) for one in found["outside"]["changes"] if one["pool"] == "batch"] == [
        ("dev-weu-batchuftd.count", "in_place")
    ]
    assert [one["effect"] for one in found["changes"] if one["path"].endswith("extra")] == ["none"]
    assert nodepools("diff", "state.json", "live", "--format", "json", cwd=folder).json["basis"]["live"] == ["live"]


def names(request: Any) -> dict[str, Any]:
    cluster_name = {"resourceName": "dev-weu", "resourceGroupName": "dev-weu"}
    return {**cluster_name, "agentPoolName": request.agent_pool_name} if request.subject == "pool" else cluster_name


BAD: dict[str, tuple[dict[str, Any], str]] = {
    "a file that is not JSON": ({"broken.json": "{"}, "broken.json"),
    "a file of something else": ({"other.json": {"hello": 1}}, "other.json: is not recognized"),
    "manifests": (
        {"pool.yaml": {"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": {"name": "x"}, "spec": {}}},
        "has manifests, next to exports of clusters",
    ),
    "the same cluster twice": ({"again.json": {**exported(DECLARED)[0], "tags": {"team": "other"}}}, "`dev-weu` is there twice, with other contents"),
    "pools of a cluster that was not exported": (
        {
            "other.json": {
                **exported(DECLARED)[1],
                "id": f"{SUBSCRIPTION}/resourcegroups/g/providers/Microsoft.ContainerService/managedClusters/o/agentPools/p",
            }
        },
        "is of the cluster `o`, which is in no file",
    ),
}


@pytest.mark.parametrize(("files", "told"), BAD.values(), ids=BAD)
def test_one_problem_for_each_file_that_cannot_be_read(nodepools: Any, folder: Path, files: dict[str, Any], told: str) -> None:
    for name, content in files.items():
        (folder / "live" / name).write_text(content if isinstance(content, str) else json.dumps(content))
    answer = nodepools("diff", "live", "platform.yaml", cwd=folder)
    assert (answer.status, len([line for line in answer.err.splitlines() if line.startswith("error: ")])) == (1, 1), "a change fails for certain"
    assert "(not complete: " in answer.out.splitlines()[0]
    assert told in answer.err
    assert "weu/batch" in answer.out


def test_two_clusters_of_the_same_name_are_told_apart_by_their_resource_group(nodepools: Any, folder: Path) -> None:
    other = json.loads(json.dumps(exported(DECLARED)[0]).replace("resourcegroups/dev-weu", "resourcegroups/other"))
    (folder / "live/other.json").write_text(json.dumps(other))
    found = nodepools("diff", "live", "platform.yaml", "--format", "json", cwd=folder).json
    assert [(row["cluster"], row["name"]) for row in found["clusters"]] == [("weu", "dev-weu"), ("use1", "dev-use1"), (None, "dev-weu")]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("live", "live"), "exports can only be compared with a declaration, a plan or a state"),
        (("empty", "platform.yaml"), "empty: contains neither stacks, nor a NodePool or node class, nor exports of clusters"),
        (("live", "pool.yaml"), "manifests do not say which cluster they are for"),
    ],
)
def test_what_cannot_be_compared_with_exports(nodepools: Any, folder: Path, arguments: tuple[str, ...], told: str) -> None:
    (folder / "empty").mkdir()
    (folder / "pool.yaml").write_text(yaml.safe_dump({"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": {"name": "x"}, "spec": {}}))
    answer = nodepools("diff", *arguments, cwd=folder)
    assert answer.status == 2
    assert told in answer.err


NARROWED = PLATFORM.replace('limits: {cpu: "100"}', "requirements: [{key: kubernetes.io/arch, operator: In, values: [VALUES]}]")


def claim(number: int, arch: str) -> dict[str, Any]:
    labels = {"karpenter.sh/nodepool": "general", "kubernetes.io/arch": arch}
    return {"apiVersion": "karpenter.sh/v1", "kind": "NodeClaim", "metadata": {"name": f"c{number}", "uid": f"u{number}", "labels": labels}}


@pytest.mark.parametrize(
    ("archs", "effect", "nodes"),
    [
        pytest.param(["amd64", "amd64"], "in_place", None, id="no node drifts"),
        pytest.param(["amd64", "arm64", "arm64"], "rolls_some", 2, id="some drift"),
        pytest.param(["arm64", "arm64"], "rolls", 2, id="all drift"),
    ],
)
@pytest.mark.parametrize(("before", "after"), [("amd64, arm64", "amd64"), ("arm64", "amd64"), ("amd64", "amd64, s390x")])
def test_node_claims_decide_before_any_guess_of_their_labels(
    nodepools: Any, tmp_path: Path, before: str, after: str, archs: list[str], effect: str, nodes: int | None
) -> None:
    for name, values in (("old", before), ("new", after)):
        (tmp_path / f"{name}.yaml").write_text(NARROWED.replace("VALUES", values))
    claims = [claim(number, arch) for number, arch in enumerate(archs)]
    (tmp_path / "weu.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": claims}))
    [found] = nodepools("diff", "old.yaml", "new.yaml", "--existing", "weu.json", "--format", "json", cwd=tmp_path).json["changes"]
    assert (found["effect"], found["nodes"]) == (effect, None if nodes is None else {"minimum": nodes, "maximum": nodes})


def test_node_claims_say_which_nodes_drift(nodepools: Any, tmp_path: Path) -> None:
    for name, values in (("old", "amd64, arm64"), ("new", "amd64")):
        (tmp_path / f"{name}.yaml").write_text(NARROWED.replace("VALUES", values))
    claims = [claim(number, arch) for number, arch in enumerate(["amd64", "arm64", "arm64"])]
    (tmp_path / "weu.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": claims}))
    [bounds] = nodepools("diff", "old.yaml", "new.yaml", "--format", "json", cwd=tmp_path).json["changes"]
    [exact] = nodepools("diff", "old.yaml", "new.yaml", "--existing", "weu.json", "--format", "json", cwd=tmp_path).json["changes"]
    assert (bounds["effect"], bounds["nodes"]) == ("rolls_some", {"minimum": 0, "maximum": None})
    assert (exact["effect"], exact["nodes"]) == ("rolls_some", {"minimum": 2, "maximum": 2})


def test_nodes_without_an_id_are_counted_out_loud(nodepools: Any, tmp_path: Path) -> None:
    for name, values in (("old", "amd64, arm64"), ("new", "amd64")):
        (tmp_path / f"{name}.yaml").write_text(NARROWED.replace("VALUES", values))
    node = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n"}, "spec": {}}
    (tmp_path / "weu.json").write_text(json.dumps({"apiVersion": "v1", "kind": "NodeList", "items": [node]}))
    answer = nodepools("diff", "old.yaml", "new.yaml", "--existing", "weu.json", cwd=tmp_path)
    assert "notice: weu.json: 1 node without `spec.providerID`: not counted" in answer.all


def test_a_node_class_is_compared_with_what_is_applied() -> None:
    platform = load_text(PLATFORM.replace("auto_mode: {", "auto_mode: {node_classes: {large: {}}, "), "p")
    [sent] = [request.sent for request in requests_of(platform).all if request.resource.type.endswith(":NodeClass")]
    assert (sent["subnetSelectorTerms"], sent["securityGroupSelectorTerms"]) == (private_subnets("dev-use1"), cluster_security_group("dev-use1"))


def test_secrets_are_not_compared(nodepools: Any, tmp_path: Path) -> None:
    """Azure does not return the password, and tags with secrets are not shown."""
    profile = '    windows_profile: {admin_username: azureuser, admin_password: "Hunter2-Hunter2!"}\n    tags: {api_token: hunter3}\n'
    text = PLATFORM.partition("  use1:")[0].replace("    maintenance:", f"{profile}    maintenance:")
    platform = load_text(text, "p")
    (tmp_path / "platform.yaml").write_text(text)
    for_all = exported(platform)
    write(tmp_path / "live", for_all)
    answer = nodepools("diff", "live", "platform.yaml", cwd=tmp_path)
    assert (answer.status, answer.out.startswith("live → platform.yaml: nothing changes (")) == (0, True)
    for_all[0]["tags"].update({"api_token": "hunter4", "owner": "ops"})
    write(tmp_path / "live", for_all)
    answer = nodepools("diff", "live", "platform.yaml", "--format", "json", cwd=tmp_path)
    assert "hunter" not in answer.all
