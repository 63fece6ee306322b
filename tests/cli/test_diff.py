"""`nodepools diff`: each kind of source, each format, and what fails."""

import json
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from nodepools.cli.demands.acceptances import acceptances

from .inputs import WITH_POOL

OLD = f"{WITH_POOL}      batch: {{kind: UserPool, vm_size: Standard_D2ds_v5, count: 3}}\n"
LARGER = OLD.replace("web: {kind: UserPool, vm_size: Standard_D2ds_v5", "web: {kind: UserPool, vm_size: Standard_D4ds_v5")
MOVED = OLD.replace("westeurope", "francecentral")
STACK = "from nodepools import load_file\nfrom pathlib import Path\n\nPLATFORM = load_file(Path(__file__).parent / 'dev.yaml')\n"
POOL = """apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: general}
spec:
  template:
    spec:
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: default}
      requirements: []
      expireAfter: 24h
"""
NODE_CLASS = "apiVersion: karpenter.azure.com/v1beta1\nkind: AKSNodeClass\nmetadata: {name: default}\nspec: {}\n"
CONFIG = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\ndata: {a: b}\n"


@pytest.fixture
def files(tmp_path: Path) -> Path:
    for name, text in {"old": OLD, "larger": LARGER, "moved": MOVED}.items():
        (tmp_path / f"{name}.yaml").write_text(text)
    return tmp_path


def git(folder: Path, *arguments: str) -> str:
    command = ["git", "-c", "user.name=a", "-c", "user.email=a@example.com", *arguments]
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A project of two commits: the branch `main`, and `feature` with a larger pool."""
    (tmp_path / "stacks").mkdir()
    (tmp_path / "Pulumi.yaml").write_text("name: project\nruntime: python\n")
    (tmp_path / "stacks/dev.py").write_text(STACK.replace("dev.yaml", "dev.txt"))
    (tmp_path / "stacks/dev.txt").write_text(OLD)
    git(tmp_path, "init", "--quiet", "--initial-branch=main")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "-m", "first")
    git(tmp_path, "checkout", "--quiet", "-b", "feature")
    (tmp_path / "stacks/dev.txt").write_text(LARGER)
    return tmp_path


def _accept(acceptance):
    what = "changes nothing; accepts the edit, if it is intended; REASON: why you accept it"
    return f"nodepools diff old.yaml new.yaml --accept '{acceptance}: REASON'  # {what}"


FIRST_LINES = {
    "nothing": (OLD, [], "nothing changes (7 resources are equal)", []),
    "an edit that must be accepted": (
        MOVED,
        [],
        "1 edit deletes and recreates cluster weu (6 to 10 nodes): not accepted",
        ["new.yaml: weu: Set `location` back to `westeurope`", _accept('clusters.weu.location replaces "francecentral"')],
    ),
    "an edit that is accepted": (
        MOVED,
        ["--accept", "clusters.weu.location replaces francecentral: we move"],
        "1 edit deletes and recreates cluster weu (6 to 10 nodes); 1 accepted by --accept",
        [],
    ),
    "an edit that only rotates": (LARGER, [], "1 edit rotates weu/web (1 to 5 nodes, 1 to 5 extra); no edit needs `--accept`", []),
    "several edits that need no acceptance": (
        LARGER.replace("count: 3", "count: 4"),
        [],
        "2 edits; the worst one rotates weu/web (1 to 5 nodes, 1 to 5 extra); no edit needs `--accept`",
        [],
    ),
    "one of several edits must be accepted": (
        LARGER.replace("count: 3", "count: 2"),
        [],
        "1 of 2 edits removes nodes of weu/batch (1 node): not accepted; also rotates weu/web (1 to 5 nodes, 1 to 5 extra)",
        ["new.yaml: weu/batch: Set `count` back to `3`", _accept("clusters.weu.pools.batch.count removes_nodes 2")],
    ),
    "the cloud rejects an edit": (
        OLD.replace('"1.35"', '"1.37"'),
        [],
        "3 edits are rejected, so `pulumi up` fails: kubernetes_version of weu, weu/batch, weu/web",
        ["new.yaml: weu, weu/batch, weu/web: Set `kubernetes_version` back to `1.35`"],
    ),
    "no one knows the effect": (
        OLD.replace("Standard_D4ds_v5", "standard_d4ds_v5"),
        [],
        "unknown: the effect of 1 edit of weu/system",
        [
            "new.yaml: weu/system: Set `system_pool.vm_size` back to `Standard_D4ds_v5`",
            _accept('clusters.weu.system_pool.vm_size unknown "standard_d4ds_v5"'),
        ],
    ),
    "values that are the same": (OLD.replace("westeurope", "WestEurope"), [], "nothing changes: 1 edit without effect", []),
}


@pytest.mark.parametrize(("new", "options", "answer", "steps"), FIRST_LINES.values(), ids=FIRST_LINES)
def test_the_first_line_is_the_answer_and_the_next_one_what_to_do(nodepools, files, new, options, answer, steps):
    (files / "new.yaml").write_text(new)
    found = nodepools("diff", "old.yaml", "new.yaml", *options, cwd=files)
    lines = [re.sub(r"(new\.yaml):\d+:\d+: ", r"\1: ", line) for line in found.out.splitlines()]
    assert lines[: 1 + len(steps)] == [
        f"old.yaml → new.yaml: {answer}",
        *(f"{label:>5} {step}" for label, step in zip(("next:", "or:"), steps, strict=False)),
    ]
    assert found.status == bool(steps)


def test_a_diff_without_objections_goes_on_unless_something_was_not_read(nodepools, files):
    (files / "new.yaml").write_text(LARGER)
    (files / "pod.yaml").write_text("apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n")
    what = "changes nothing; in the project whose program loads new.yaml; must show only what is below"
    go = (f"next: pulumi preview  # {what}", "then: pulumi up  # changes the cloud; only if the preview shows only what is below")
    whole, partial = (nodepools("diff", "old.yaml", "new.yaml", *more, cwd=files) for more in ((), ("--existing", "pod.yaml")))
    assert (whole.status, partial.status) == (0, 2)
    assert tuple(whole.out.splitlines()[1:3]) == go
    assert "pulumi preview" not in partial.out


def test_exports_without_a_node_in_common_that_differ_in_what_is_immutable_are_of_two_clusters(nodepools, tmp_path):
    def export(role, node):
        spec = {"role": role, "subnetSelectorTerms": [{"id": "subnet-1"}], "securityGroupSelectorTerms": [{"id": "sg-1"}]}
        items = [
            {"apiVersion": "eks.amazonaws.com/v1", "kind": "NodeClass", "metadata": {"name": "default"}, "spec": spec},
            {"apiVersion": "v1", "kind": "Node", "metadata": {"name": node}},
        ]
        return json.dumps({"apiVersion": "v1", "kind": "List", "items": items})

    for name, role, node in (("old", "a", "i-1"), ("other", "b", "i-2"), ("new", "b", "i-1")):
        (tmp_path / f"{name}.json").write_text(export(role, node))
    other = nodepools("diff", "old.json", "other.json", cwd=tmp_path)
    assert other.status == 1
    assert other.out.startswith("old.json → other.json: not comparable: OLD and NEW look like two clusters: no node in common, and not the same ")
    assert other.out.splitlines()[1].startswith("next: nodepools diff old.json NEW  # changes nothing")
    assert "Set `spec.role` back" not in other.out
    same = nodepools("diff", "old.json", "new.json", cwd=tmp_path)
    assert "next: new.json:1:150: default: Set `spec.role` back to `a`" in same.out


def test_a_stack_is_named_and_a_schema_error_is_an_answer(nodepools, repository):
    assert nodepools("diff", "main", cwd=repository).out.startswith("dev: 1 edit rotates weu/web ")
    (repository / "stacks/dev.txt").write_text(OLD.replace("count: 3}", "count: x}"))
    answer = nodepools("diff", "main", cwd=repository)
    assert (answer.status, answer.out, answer.err.splitlines()[0]) == (1, "", "dev: 1 error in the new side: not compared")
    found = nodepools("diff", "main", "--format", "json", cwd=repository)
    assert (found.status, found.json["complete"], len(found.json["findings"])) == (1, False, 1)


def test_a_part_that_is_removed_is_one_edit(nodepools, files):
    (files / "new.yaml").write_text(OLD.replace("scale: {min: 1, max: 5}", "count: 5"))
    found = nodepools("diff", "old.yaml", "new.yaml", "--format", "json", cwd=files).json["changes"]
    assert [(change["path"], change["new"]) for change in found if change["path"].endswith("scale")] == [("clusters.weu.pools.web.scale", None)]


def test_rows_are_grouped_by_their_effect(nodepools, files):
    (files / "new.yaml").write_text(LARGER.replace("count: 3}", "count: 2, labels: {a: b}}"))
    lines = nodepools("diff", "old.yaml", "new.yaml", cwd=files).out.splitlines()
    groups = ("Nodes, pools or clusters deleted", "Nodes replaced", "Created, or updated in place: nodes stay")
    assert [lines[lines.index(group) + 1].split()[0] for group in groups] == ["removes_nodes", "rotates", "in_place"]
    assert "    1 to 5 nodes, 1 to 5 extra: A pool under a new name is created, then the old one is deleted" in lines


def test_rows_that_fail_are_always_shown_and_others_are_details(nodepools, files):
    pools = "".join(f"      p{number}: {{kind: UserPool, vm_size: Standard_D2ds_v5, count: {3 + number}LABEL}}\n" for number in range(20))
    (files / "a.yaml").write_text(OLD + pools.replace("LABEL", ""))
    labeled = [line.replace("LABEL", f", labels: {{a: v{number}}}") for number, line in enumerate(pools.splitlines(keepends=True))]
    (files / "b.yaml").write_text((OLD + "".join(labeled)).replace("count: 3}", "count: 2}"))
    few, every = (nodepools("diff", "a.yaml", "b.yaml", *option, cwd=files).out for option in ((), ("--details",)))
    assert "Created, or updated in place: nodes stay (7 of 20 rows)" in few
    assert (few.count("in_place"), every.count("in_place"), few.count("removes_nodes")) == (7, 20, 2)
    assert "source: Facts about the clouds (AKS) § 2.10" in every


def test_more_than_three_acceptances_are_one_step(nodepools, files):
    pools = "".join(f"      p{number}: {{kind: UserPool, vm_size: Standard_D2ds_v5, count: {3 + number}}}\n" for number in range(5))
    (files / "a.yaml").write_text(OLD + pools)
    answer = nodepools("diff", "a.yaml", "old.yaml", "--details", cwd=files)
    steps = [line for line in answer.out.splitlines() if line.startswith(("next: ", "then: ", "  or: "))]
    assert re.fullmatch(r"next: old\.yaml:\d+:\d+: Restore `weu/p0` as it is in `a\.yaml`", steps[0])
    assert steps[-1].startswith("  or: nodepools diff a.yaml old.yaml --details --accept FILE  # changes nothing; only if all 5 edits are intended")
    lines = answer.out.partition("Lines for a file of `--accept`\n")[2].partition("\n\n")[0]
    (files / "accepted.txt").write_text(lines.replace("REASON", "moved"))
    assert nodepools("diff", "a.yaml", "old.yaml", "--accept", "accepted.txt", cwd=files).status == 0


def test_json(nodepools, files):
    found = nodepools("diff", "old.yaml", "larger.yaml", "--format", "json", cwd=files).json
    [change] = found["changes"]
    assert (change["cluster"], change["pool"], change["path"]) == ("weu", "web", "clusters.weu.pools.web.vm_size")
    assert (change["effect"], change["message"]) == ("rotates", "A pool under a new name is created, then the old one is deleted")
    assert change["nodes"] == change["extra_nodes"] == {"minimum": 1, "maximum": 5}
    assert change["resource"]["type"] == "azure-native:containerservice:AgentPool"
    assert found["summary"] == {"rotates": 1}
    assert [wave[0].split()[0] for wave in found["order"]] == ["create", "delete"]


def test_markdown_shows_what_matters_and_folds_the_rest(nodepools, files):
    shown = nodepools("diff", "old.yaml", "moved.yaml", "--format", "markdown", cwd=files).out
    told = r"\*\*old\.yaml → moved\.yaml: 1 edit deletes and recreates cluster weu \(6 to 10 nodes\): not accepted\*\*"
    assert re.match(rf"{told}\n\n\* next: moved\.yaml:\d+:\d+: weu: Set `location` back to ", shown)
    visible, _, folded = shown.partition("<details>")
    assert "| replaces | weu | location: westeurope → francecentral | 6 to 10 nodes: Pulumi deletes the cluster with all nodes" in visible
    assert "pace: " not in visible
    assert "pace: " in folded


def test_github_annotations(nodepools, files):
    [first] = nodepools("diff", "old.yaml", "moved.yaml", "--format", "github", cwd=files).out.splitlines()
    assert first.startswith("::error file=moved.yaml,line=5,col=5,title=replaces%3A weu::location: westeurope → francecentral%0A6 to 10 nodes: ")
    [line] = nodepools("diff", "old.yaml", "larger.yaml", "--format", "github", cwd=files).out.splitlines()
    assert line.startswith("::warning file=larger.yaml,line=9,col=29,title=rotates%3A weu/web::")
    assert "%0Apace: Pulumi, during `pulumi up`: " in line
    assert line.endswith("%0Asource: Facts about the clouds (AKS) § 2.10: immutable%0Apath: clusters.weu.pools.web.vm_size")


PYTHON = """from nodepools import *

WEB = UserPool(vm_size="Standard_D2ds_v5", count=3)
PLATFORM = Platform(
    name="dev",
    clusters={
        "weu": AksClusterArgs(
            location="westeurope",
            kubernetes_version="1.35",
            system_pool=SystemPool(vm_size="Standard_D4ds_v5", count=2),
            pools={"web": WEB, "batch": UserPool(vm_size="Standard_D2ds_v5", count=3)},
        )
    },
)
"""
PLACES = {
    "a field": (PYTHON, PYTHON.replace("1.35", "1.36"), "line=9,col=13", "weu"),
    "a field of a pool that has a name": (PYTHON, PYTHON.replace("count=3)\nP", "count=3, fips=True)\nP"), "line=3,col=53", "weu/web"),
    "a pool that is removed is at the pools": (
        PYTHON,
        PYTHON.replace(', "batch": UserPool(vm_size="Standard_D2ds_v5", count=3)', ""),
        "line=11,col=13",
        "weu/batch",
    ),
    "a declaration that code computes has no lines": (
        f"{PYTHON}PLATFORM = derive(PLATFORM, {{}})\n",
        f'{PYTHON}PLATFORM = derive(PLATFORM, {{"clusters": {{"weu": {{"tier": "Free"}}}}}})\n',
        "",
        "weu",
    ),
}


@pytest.mark.parametrize(("old", "new", "line", "where"), PLACES.values(), ids=PLACES)
def test_annotations_of_a_stack_are_at_its_lines(nodepools, repository, old, new, line, where):
    (repository / "stacks/dev.py").write_text(old)
    git(repository, "commit", "--quiet", "-am", "python")
    (repository / "stacks/dev.py").write_text(new)
    lines = nodepools("diff", "HEAD", "--format", "github", cwd=repository).out.splitlines()
    [found] = [one for one in lines if one.partition("::")[2].partition("::")[0].endswith(f"%3A {where}")]
    assert f" file=stacks/dev.py,{line}{',' if line else ''}title=" in found


def test_annotations_of_manifests_are_at_the_fields(nodepools, files):
    (files / "a.yaml").write_text(POOL)
    (files / "b.yaml").write_text(POOL.replace("24h", "48h"))
    [line] = nodepools("diff", "a.yaml", "b.yaml", "--format", "github", cwd=files).out.splitlines()
    assert line.startswith("::warning file=b.yaml,line=9,col=7,title=rolls%3A general::spec.template.spec.expireAfter: ")


PACES = {
    "a reimage": (
        ", fips: true",
        "pace: AKS, during `pulumi up`: 1 node at a time after a surge node is ready; a drain of more than 30 minutes stops it",
    ),
    "a larger surge": (
        ", fips: true, upgrade: {max_surge: '2', undrainable: Cordon, soak: 5m, drain_timeout: 60m}",
        "2 nodes at a time after as many surge nodes are ready; a drain of more than 60 minutes leaves the node cordoned; it waits 5 minutes after",
    ),
    "without surge": (", fips: true, upgrade: {max_unavailable: '1'}", "pace: AKS, during `pulumi up`: 1 node at a time without extra nodes; "),
    "a surge of 0": (
        ", fips: true, upgrade: {max_surge: '0', max_unavailable: '2'}",
        "pace: AKS, during `pulumi up`: 2 nodes at a time without extra nodes; ",
    ),
    "spot": (", fips: true, spot: {}", "pace: AKS, during `pulumi up`: it does not drain spot nodes, and does not document how many"),
    "a rotation": (", zones: [1]", "pace: Pulumi, during `pulumi up`: it deletes the old pool as soon as the new one exists"),
    "pods": (", taints: [{key: a, value: b, effect: NoExecute}]", "pace: Kubernetes, at once: pods are evicted without regard to"),
    "the next image": (", ssh_access: Disabled", "pace: You, with the next image upgrade of the pool"),
}


@pytest.mark.parametrize(("fields", "told"), PACES.values(), ids=PACES)
def test_the_pace_of_agent_pools(nodepools, files, fields, told):
    spot = OLD.replace("count: 3}", "count: 3, spot: {}}") if "spot" in fields else OLD
    (files / "a.yaml").write_text(spot)
    (files / "b.yaml").write_text(OLD.replace("count: 3}", f"count: 3{fields}}}"))
    assert told in nodepools("diff", "a.yaml", "b.yaml", "--details", cwd=files).out
    assert told in nodepools("diff", "a.yaml", "b.yaml", "--format", "markdown", cwd=files).out


BUDGETS = {
    "none": ("budgets: []", "no disruption budget limits it"),
    "the default": ("{}", "at most 10% of the nodes at a time"),
    "a number": ("budgets: [{nodes: '3'}]", "at most 3 at a time"),
    "of another reason": ("budgets: [{nodes: '3', reasons: [Empty]}]", "no disruption budget limits it"),
    "a window": ("budgets: [{nodes: '0', schedule: '0 8 * * mon-fri', duration: 9h}]", "no node for 9h from `0 8 * * mon-fri` (UTC)"),
}


@pytest.mark.parametrize(("written", "told"), BUDGETS.values(), ids=BUDGETS)
def test_the_pace_of_node_pools(nodepools, files, written, told):
    disruption = f"  disruption: {{{written.strip('{}')}}}\n"
    (files / "a.yaml").write_text(POOL + disruption)
    (files / "b.yaml").write_text(POOL.replace("24h", "48h") + disruption)
    assert f"    pace: Karpenter, after the change is applied: {told}\n" in nodepools("diff", "a.yaml", "b.yaml", "--details", cwd=files).out


HELD = {
    "none": "budgets: [{nodes: '0'}]",
    "none for drift, next to others": "budgets: [{nodes: 50%}, {nodes: 0%, reasons: [Drifted, Empty]}]",
    "a schedule that Karpenter cannot read": "budgets: [{nodes: '3', schedule: '0 8 * * 7', duration: 1h, reasons: [Empty]}]",
}


@pytest.mark.parametrize("budgets", HELD.values(), ids=HELD)
def test_budgets_that_hold_every_node_are_said_without_details(nodepools, files, budgets):
    """A reader takes `rolls` for a replacement that begins."""
    (files / "a.yaml").write_text(f"{POOL}  disruption: {{{budgets}}}\n")
    (files / "b.yaml").write_text(f"{POOL.replace('24h', '48h')}  disruption: {{{budgets}}}\n")
    for details in ([], ["--details"]):
        out = nodepools("diff", "a.yaml", "b.yaml", *details, cwd=files).out
        assert out.count("pace: ") == out.count("pace: Karpenter, once the disruption budgets permit a node: until then, it replaces none") == 1


WHOLE = {
    "a pool": (OLD, OLD + "      more: {kind: UserPool, vm_size: Standard_D2ds_v5, count: 1}\n", "1 edit creates weu/more (1 extra node)"),
    "a class": (f"{POOL}---\n{NODE_CLASS}", POOL, "1 edit deletes default"),
    "a NodePool": (CONFIG, f"{CONFIG}---\n{POOL}", "1 edit creates general"),
    "a cluster": (OLD, OLD + OLD.partition("clusters:\n")[2].replace("weu", "neu"), "1 edit creates cluster neu"),
    "the maintenance of a cluster": (
        OLD.replace("    pools:", "    maintenance: {kind: Weekly, days: sun, start: '02:00', hours: 6}\n    pools:"),
        OLD,
        "deletes a part of weu",
    ),
}


@pytest.mark.parametrize(("old", "new", "told"), WHOLE.values(), ids=WHOLE)
def test_what_is_created_or_deleted_is_no_part_of_itself(nodepools, files, old, new, told):
    (files / "a.yaml").write_text(old)
    (files / "b.yaml").write_text(new)
    assert told in nodepools("diff", "a.yaml", "b.yaml", cwd=files).out.partition("\nnext")[0].replace("\n", " ")


def test_a_version_of_aks_rolls_its_node_pools_only(nodepools, files):
    """Agent pools are reimaged, or stay if they have a version of their own."""
    old = OLD.replace("    pools:", "    node_provisioning: {node_pools: {general: {}}}\n    pools:")
    (files / "a.yaml").write_text(old)
    (files / "b.yaml").write_text(old.replace('"1.35"', '"1.36"'))
    assert "rolls weu (all nodes of its NodePools; their number is unknown)" in " ".join(nodepools("diff", "a.yaml", "b.yaml", cwd=files).out.split())


def test_each_pool_of_a_cluster_has_its_own_pace(nodepools, files):
    (files / "b.yaml").write_text(OLD.replace("    system_pool", "    node_os_upgrade: Unmanaged\n    system_pool"))
    [change] = nodepools("diff", "old.yaml", "b.yaml", "--format", "json", cwd=files).json["changes"]
    assert change["pace"]["pools"].keys() == {"weu/system", "weu/web", "weu/batch"}
    assert "    pace: AKS, during `pulumi up`: 1 node at a time" in nodepools("diff", "old.yaml", "b.yaml", "--details", cwd=files).out


ACCEPTED = "clusters.weu.location replaces francecentral: we move"


def test_one_acceptance_covers_the_cluster_and_its_network(nodepools, files):
    assert nodepools("diff", "old.yaml", "moved.yaml", "--accept", ACCEPTED, cwd=files).status == 0
    (files / "accepted.txt").write_text(f"# moves\n\n{ACCEPTED}\n")
    assert nodepools("diff", "old.yaml", "moved.yaml", "--accept", "accepted.txt", cwd=files).status == 0
    assert nodepools("diff", "old.yaml", "moved.yaml", cwd=files).out.count("--accept") == 1


EKS = """name: dev
clusters:
  use1: {kind: EksCluster, region: us-east-1, kubernetes_version: "1.35", network: NETWORK}
"""
ONE = EKS.replace("NETWORK", "{kind: ExistingEksNetwork, vpc_id: vpc-1, private_subnet_ids: [subnet-a, subnet-b]}")
OTHER = ONE.replace("subnet-b", "subnet-c")
EDITS = {
    "the worst effect covers the edit": ("unknown", 0),
    "a lesser effect covers only its own change": ("rolls_some", 1),
    "an effect that no change has": ("replaces", 1),
}


@pytest.mark.parametrize(("effect", "status"), EDITS.values(), ids=EDITS)
def test_one_field_that_changes_several_resources_is_one_edit(nodepools, files, effect, status):
    classes = ", auto_mode: {node_classes: {a: {role: nodes}}, node_pools: {b: {node_class: a}}}}"
    for name, text in (("one", ONE), ("other", OTHER)):
        (files / f"{name}.yaml").write_text(text.replace("}\n", f"{classes}\n"))
    accepted = f'clusters.use1.network.private_subnet_ids {effect} ["subnet-a", "subnet-c"]: the same zones'
    failing = ("--fail-on", "unknown,rolls_some")
    answer = nodepools("diff", "one.yaml", "other.yaml", *failing, "--accept", accepted, cwd=files)
    assert answer.status == status
    if not status:
        assert answer.out.count("accepted: the same zones") == len(("the cluster", "the class"))
    assert nodepools("diff", "one.yaml", "other.yaml", *failing, cwd=files).out.count("--accept") == 1


def test_an_edit_that_the_cloud_rejects_is_not_to_be_accepted(nodepools, files):
    for name, cidr in (("one", "10.30.0.0/16"), ("other", "10.31.0.0/16")):
        (files / f"{name}.yaml").write_text(EKS.replace("NETWORK", f"{{kind: EksNetwork, cidr: {cidr}}}"))
    answer = nodepools("diff", "one.yaml", "other.yaml", cwd=files)
    assert answer.status == 1
    first, step = answer.out.splitlines()[:2]
    assert first.endswith("1 edit is rejected, so `pulumi up` fails: network.cidr of use1")
    assert re.fullmatch(r"next: other\.yaml:3:[0-9]+: use1: Set `network\.cidr` back to `10\.30\.0\.0/16`.*", step)
    assert [line.split()[0] for line in answer.out.splitlines() if "network.cidr: " in line] == ["refused", "replaces"], "one row for each effect"
    assert "--accept" not in answer.out
    accepted = [option for effect in ("refused", "replaces") for option in ("--accept", f"clusters.use1.network.cidr {effect} 10.31.0.0/16: a test")]
    assert nodepools("diff", "one.yaml", "other.yaml", *accepted, cwd=files).status == 0


def test_a_taint_that_deletes_pods_at_once_must_be_accepted(nodepools, files):
    (files / "new.yaml").write_text(OLD.replace("max: 5}", "max: 5}, taints: [{key: a, value: b, effect: NoExecute}]"))
    answer = nodepools("diff", "old.yaml", "new.yaml", cwd=files)
    assert answer.status == 1
    assert "1 edit evicts or disturbs pods of weu/web (1 to 5 nodes): not accepted" in answer.out


def test_one_edit_of_two_resources_is_one_row(nodepools, files):
    declared = OLD.replace("    location:", "    network: {kind: AksNetwork, cidr: 10.1.0.0/16}\n    location:", 1)
    assert declared != OLD
    (files / "old.yaml").write_text(declared)
    (files / "new.yaml").write_text(declared.replace("10.1.0.0", "10.2.0.0"))
    answer = nodepools("diff", "old.yaml", "new.yaml", "--details", cwd=files)
    assert [line.split()[0] for line in answer.out.splitlines() if "network.cidr: " in line] == ["refused"]
    assert "Keep the range" in answer.out
    assert answer.out.count("    source: ") == len(("the network", "its subnet"))


def test_an_acceptance_of_another_value_does_not_count(nodepools, files):
    answer = nodepools("diff", "old.yaml", "moved.yaml", "--accept", ACCEPTED.replace("francecentral", "uksouth"), cwd=files)
    assert answer.status == 1
    assert 'nothing matches `clusters.weu.location replaces "uksouth"`' in answer.err


def test_effects_that_fail_are_chosen(nodepools, files):
    assert nodepools("diff", "old.yaml", "larger.yaml", "--fail-on", "rotates", cwd=files).status == 1
    assert nodepools("diff", "old.yaml", "moved.yaml", "--fail-on", "none", cwd=files).status == 0


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--fail-on", "explodes"), "`--fail-on` of `diff` must be words separated by commas, not `explodes`: use `none`"),
        (("--accept", "all of it"), "`--accept` must be `PATH EFFECT NEW_VALUE: REASON`"),
        (("--accept", "a b c: d"), "`--accept` must be `PATH EFFECT NEW_VALUE: REASON`"),
    ],
)
def test_options_that_cannot_be_read(nodepools, files, arguments, told):
    answer = nodepools("diff", "old.yaml", "moved.yaml", *arguments, cwd=files)
    assert answer.status == 2
    assert told in answer.err


def test_a_branch_is_compared_from_where_it_was_left(nodepools, repository):
    (repository / "stacks/dev.txt").write_text(OLD)
    git(repository, "checkout", "--quiet", "main")
    (repository / "stacks/dev.txt").write_text(MOVED)
    git(repository, "commit", "--quiet", "-am", "main goes on")
    git(repository, "checkout", "--quiet", "feature")
    (repository / "stacks/dev.txt").write_text(LARGER)
    found = nodepools("diff", "main", "--format", "json", cwd=repository).json
    assert [change["effect"] for change in found["changes"]] == ["rotates"]
    assert found["old"].startswith("main (")
    commits = [git(repository, "rev-parse", name) for name in ("main~1", "HEAD")]
    assert found["new"] == f"working tree (on {commits[1][:10]})"
    assert [found["basis"]["old_commit"], found["basis"]["new_commit"]] == commits
    assert git(repository, "worktree", "list").count("\n") == 0


def test_a_path_wins_over_a_ref(nodepools, repository):
    (repository / "main").write_text(MOVED)
    assert [change["effect"] for change in nodepools("diff", "main", "--format", "json", cwd=repository).json["changes"]] == ["replaces"] * 2 + [
        "rotates"
    ]
    forced = nodepools("diff", "git:main", "--format", "json", cwd=repository).json
    assert [change["effect"] for change in forced["changes"]] == ["rotates"]


def test_all_stacks_and_a_stack_that_is_new(nodepools, repository):
    (repository / "stacks/prod.py").write_text(STACK.replace("dev.yaml", "prod.txt"))
    (repository / "stacks/prod.txt").write_text(OLD.replace("name: dev", "name: prod"))
    found = nodepools("diff", "main", "--all", "--format", "json", cwd=repository).json
    assert found["stacks"] == ["dev", "prod"]
    assert found["summary"] == {"rotates": 1, "creates": 1}


def test_folders(nodepools, repository, tmp_path_factory):
    other = tmp_path_factory.mktemp("other")
    subprocess.run(["cp", "-r", f"{repository}/stacks", f"{repository}/Pulumi.yaml", str(other)], check=True)
    (other / "stacks/dev.txt").write_text(OLD)
    assert "rotates" in nodepools("diff", str(other), cwd=repository).out


def test_a_shallow_clone_says_what_to_fetch(nodepools, repository, tmp_path_factory):
    git(repository, "commit", "--quiet", "-am", "larger")
    clone = tmp_path_factory.mktemp("clone")
    git(clone, "clone", "--quiet", "--depth=1", "--branch=feature", f"file://{repository}", ".")
    answer = nodepools("diff", "main", cwd=clone)
    assert answer.status == 2
    assert "this clone is shallow and lacks `main`: run `git fetch origin main" in answer.err
    assert "lacks `HEAD~1`: run `git fetch --deepen=50`, or `git fetch --unshallow`" in nodepools("diff", "HEAD~1", cwd=clone).err


def test_an_error_in_a_commit_names_the_commit(nodepools, repository):
    (repository / "stacks/dev.py").write_text("import no_such_module\n")
    git(repository, "commit", "--quiet", "-am", "broken")
    (repository / "stacks/dev.py").write_text(STACK)
    answer = nodepools("diff", "HEAD", cwd=repository)
    assert answer.status == 2
    assert f"HEAD ({git(repository, 'rev-parse', 'HEAD')[:10]}): stacks/dev.py:1: ModuleNotFoundError" in answer.err


def test_findings_of_a_commit_name_the_commit(nodepools, repository):
    (repository / "stacks/dev.txt").write_text(OLD.replace("count: 3}", "count: -3}"))
    git(repository, "commit", "--quiet", "-am", "invalid")
    (repository / "stacks/dev.txt").write_text(OLD)
    answer = nodepools("diff", "HEAD", cwd=repository)
    commit = f"HEAD ({git(repository, 'rev-parse', 'HEAD')[:10]})"
    assert answer.status == 1
    assert f"{commit}: dev: 1 error in the old side: not compared" in answer.err
    [finding] = nodepools("diff", "HEAD", "--format", "json", cwd=repository).json["findings"]
    assert (finding["path"], finding["object"]) == ("clusters.weu.pools.batch.count", commit)


@pytest.mark.parametrize(
    ("argument", "told"),
    [
        ("nowhere", "`nowhere` is neither a file, a folder nor a commit"),
        ("git:--help", "`--help` is neither"),
        ("", "neither a file"),
        ("nowhere.yaml", "error: nowhere.yaml: no such file: `nodepools diff OLD NEW` compares two that exist"),
        ("nowhere/", "error: nowhere/: no such folder"),
    ],
)
def test_what_is_neither_path_nor_commit(nodepools, repository, argument, told):
    answer = nodepools("diff", argument, cwd=repository)
    assert answer.status == 2
    assert told in answer.err


def test_outside_of_a_repository(nodepools, files):
    answer = nodepools("diff", "main", "old.yaml", cwd=files, env={"GIT_CEILING_DIRECTORIES": str(files.parent)})
    assert answer.status == 2
    assert "this is not a git repository" in answer.err


def test_manifests(nodepools, files):
    (files / "a.yaml").write_text(POOL)
    (files / "b.yaml").write_text(POOL.replace("24h", "1440m") + "  weight: 5\n")
    found = nodepools("diff", "a.yaml", "b.yaml", "--format", "json", cwd=files).json
    assert {change["path"]: change["effect"] for change in found["changes"]} == {
        "NodePool.general.spec.weight": "in_place",
        "NodePool.general.spec.template.spec.expireAfter": "none",
    }


def test_kustomize_folders_have_to_be_built(nodepools, tmp_path):
    """A patch is not a NodePool: the API server never gets it, and so rejects no part of it."""
    for side, amount in (("a", 1), ("b", 2)):
        (tmp_path / side / "prod").mkdir(parents=True)
        (tmp_path / side / "pool.yaml").write_text(POOL)
        (tmp_path / side / "prod/kustomization.yaml").write_text("resources: [../pool.yaml]\npatches: [{path: patch.yaml}]\n")
        (tmp_path / side / "prod/patch.yaml").write_text(f"{POOL.partition('spec:')[0]}spec: {{weight: {amount}}}\n")
    answer = nodepools("diff", "a", "b", cwd=tmp_path)
    assert (answer.status, "reject" in answer.out) == (2, False)
    assert "prod/patch.yaml: This is a Kustomize patch. Build it first: `kubectl kustomize b/prod > FILE`, and compare FILE" in answer.err


def test_what_another_program_fills_in_is_not_rejected(nodepools, files):
    (files / "a.yaml").write_text(POOL)
    (files / "b.yaml").write_text(POOL + "  weight: ${WEIGHT}\n")
    answer = nodepools("diff", "a.yaml", "b.yaml", cwd=files)
    assert (answer.status, "reject" in answer.out) == (2, False)
    assert "`spec.weight` has a placeholder, which is not checked" in answer.err


LABELED = POOL.replace("  template:\n", "  template:\n    metadata: {labels: {team: web}}\n")
TREES = {
    "the first file": ({"dev/a.yaml": POOL, "prod/a.yaml": POOL}, {"dev/a.yaml": LABELED, "prod/a.yaml": POOL}, [("dev", "rolls")]),
    "the last file": ({"dev.yaml": POOL, "prod.yaml": POOL}, {"dev.yaml": POOL, "prod.yaml": LABELED}, [("prod.yaml", "rolls")]),
    "deeper": ({"k/dev/a.yaml": POOL, "k/prod/a.yaml": POOL}, {"k/dev/b.yaml": LABELED, "k/prod/a.yaml": POOL}, [("k/dev", "rolls")]),
    "one is gone": ({"dev/a.yaml": POOL, "prod/a.yaml": POOL}, {"prod/b.yaml": POOL}, [("dev", "removes_nodes")]),
    "only moved": ({"dev/a.yaml": POOL}, {"prod/b.yaml": POOL}, []),
    "one cluster": ({"a.yaml": POOL, "b.yaml": "---"}, {"b.yaml": LABELED}, [("", "rolls")]),
}


def tree(root, held):
    for name, text in held.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)


@pytest.mark.parametrize(("old", "new", "expected"), TREES.values(), ids=TREES)
def test_a_name_in_several_files_is_that_of_several_clusters(nodepools, tmp_path, old, new, expected):
    tree(tmp_path / "old", old)
    tree(tmp_path / "new", new)
    found = nodepools("diff", "old", "new", "--format", "json", cwd=tmp_path).json["changes"]
    assert [(change["stack"], change["effect"]) for change in found] == expected


@pytest.mark.parametrize("one", ["one.yaml", "one"])
def test_one_cluster_is_not_known_to_be_which_of_several(nodepools, tmp_path, one):
    tree(tmp_path, {"one.yaml": POOL, "one/a.yaml": POOL, "new/dev/a.yaml": POOL, "new/prod/a.yaml": POOL})
    answer = nodepools("diff", one, "new", cwd=tmp_path)
    assert (answer.status, "compare the folder of one" in answer.err) == (2, True)


def test_an_error_refuses_only_the_object_of_its_file(nodepools, tmp_path):
    tree(tmp_path / "old", {"dev/a.yaml": POOL, "prod/a.yaml": POOL})
    tree(tmp_path / "new", {"dev/a.yaml": POOL + "  weight: 5\n", "prod/a.yaml": POOL + "  weight: 200\n"})
    found = nodepools("diff", "old", "new", "--format", "json", cwd=tmp_path).json["changes"]
    assert {change["stack"]: change["effect"] for change in found} == {"dev": "in_place", "prod": "refused"}


REJECTED = POOL.replace("name: general", "name: other").rstrip() + "\n  weight: 200\n"


def test_an_object_that_the_api_server_rejects_is_refused(nodepools, files):
    (files / "a.yaml").write_text(POOL)
    (files / "b.yaml").write_text(f"{POOL}---\n{REJECTED}")
    answer = nodepools("diff", "a.yaml", "b.yaml", "--format", "json", cwd=files)
    assert [(change["path"], change["effect"]) for change in answer.json["changes"]] == [("NodePool.other.spec", "refused")]
    assert (answer.status, [finding["code"] for finding in answer.json["findings"]]) == (1, ["CFG007"])
    assert "The API server rejects the object: `weight` must be at most 100" in nodepools("diff", "a.yaml", "b.yaml", cwd=files).out


def test_what_rejects_an_edit_is_told_before_what_else_rejects_its_object(nodepools, files):
    (files / "a.yaml").write_text(POOL)
    (files / "b.yaml").write_text(POOL + "  weight: 200\n  replicas: 2\n")
    found = nodepools("diff", "a.yaml", "b.yaml", "--format", "json", cwd=files).json["changes"]
    assert "from the start or never" in next(change["message"] for change in found if change["path"].endswith("replicas"))


REFUSED_BY_RULES = {
    "a weight of a static NodePool": ("  replicas: 2\n  weight: 5\n", "refused"),
    "a budget with a schedule alone": ("  disruption: {consolidateAfter: 1m, budgets: [{schedule: '0 9 * * *'}]}\n", "refused"),
    "a limit below any node, which is admitted": ("  limits: {memory: '40'}\n", "in_place"),
}


@pytest.mark.parametrize("title", REFUSED_BY_RULES)
def test_what_a_rule_of_the_crd_rejects_is_refused(nodepools, files, title):
    more, effect = REFUSED_BY_RULES[title]
    (files / "a.yaml").write_text(POOL.rstrip() + ("\n  replicas: 2\n" if "replicas" in more else "\n"))
    (files / "b.yaml").write_text(POOL.rstrip() + "\n" + more)
    answer = nodepools("diff", "a.yaml", "b.yaml", "--format", "json", cwd=files)
    assert {change["effect"] for change in answer.json["changes"]} == {effect}
    assert answer.status == 1
    assert not any("API server" in change["message"].partition("API server")[2] for change in answer.json["changes"])


def test_each_edit_of_a_rejected_object_has_its_own_reason(nodepools, files):
    (files / "a.yaml").write_text(POOL.rstrip() + "\n  weight: 3\n  limits: {cpu: 10}\n")
    (files / "b.yaml").write_text(POOL.replace("24h", "1 day").rstrip() + "\n  weight: 200\n  limits: {cpu: 20}\n")
    found = nodepools("diff", "a.yaml", "b.yaml", "--format", "json", cwd=files).json
    messages = {change["path"].partition(".spec.")[2]: change["message"] for change in found["changes"]}
    assert {change["effect"] for change in found["changes"]} == {"refused"}
    assert messages["weight"] == "The API server rejects the object: `weight` must be at most 100"
    assert messages["template.spec.expireAfter"] == "The API server rejects the object: `expireAfter` must be hours, minutes and seconds"
    [other] = [message for path, message in messages.items() if path.startswith("limits")]
    assert other.startswith("The API server rejects the object because of spec.")
    assert "spec.weight" in other
    assert "spec.template.spec.expireAfter" in other
    assert not any("limits" in step for step in found["next"]), "what is right need not be undone: the fixes of both errors are enough"


NOTED = POOL.replace("name: general}", "name: general, annotations: {a: b}}")
IN_OTHERS = "in NodePools and node classes, but in other objects"
OTHERS = {
    "another kind": (f"{POOL}---\n{CONFIG}", f"{POOL}---\n{CONFIG.replace('a: b', 'a: c')}", "ConfigMap web", IN_OTHERS),
    "one more": (POOL, f"{POOL}---\n{CONFIG}", "ConfigMap web", IN_OTHERS),
    "an annotation": (POOL, NOTED, "labels or annotations of NodePool general", "but labels or annotations of objects, which no node has"),
    "both": (POOL, f"{NOTED}---\n{CONFIG}", "ConfigMap web, labels or annotations of NodePool general", IN_OTHERS),
}


@pytest.mark.parametrize(("before", "after", "named", "where"), OTHERS.values(), ids=OTHERS)
def test_what_differs_and_is_not_compared_is_told(nodepools, files, before, after, named, where):
    (files / "a.yaml").write_text(before)
    (files / "b.yaml").write_text(after)
    answer = nodepools("diff", "a.yaml", "b.yaml", cwd=files)
    assert answer.status == 0
    assert answer.out.replace("\n", " ").startswith(f"a.yaml → b.yaml: nothing changes {where} (1 resource is equal)")
    assert answer.err == f"notice: not compared, and different: {named}\n"


def test_what_a_server_adds_is_no_difference(nodepools, files):
    (files / "a.yaml").write_text(f"{POOL}---\n{CONFIG}")
    (files / "b.yaml").write_text(
        f"{POOL.replace('name: general}', 'name: general, uid: u, annotations: {karpenter.sh/nodepool-hash: h}}')}---\n{CONFIG}status: {{a: b}}\n"
    )
    answer = nodepools("diff", "a.yaml", "b.yaml", cwd=files)
    assert (answer.status, answer.out.splitlines()[0], answer.err) == (0, "a.yaml → b.yaml: nothing changes (1 resource is equal)", "")


def test_errors_of_manifests_are_told_even_if_nothing_changes(nodepools, files):
    (files / "b.yaml").write_text(REJECTED)
    answer = nodepools("diff", "b.yaml", "b.yaml", cwd=files)
    assert (answer.status, "CFG007" in answer.out) == (1, True)


def test_a_field_that_the_schema_does_not_have_is_an_error_and_not_certain_to_be_refused(nodepools, files):
    (files / "a.yaml").write_text(POOL)
    (files / "b.yaml").write_text(f"{POOL}---\n{REJECTED.replace('weight: 200', 'weigth: 2')}")
    answer = nodepools("diff", "a.yaml", "b.yaml", "--format", "json", cwd=files)
    assert [change["effect"] for change in answer.json["changes"]] == ["creates"]
    assert (answer.status, [finding["code"] for finding in answer.json["findings"]]) == (1, ["CFG002"])


def test_values_that_the_crd_has_as_defaults_change_nothing(nodepools, files):
    node_class = "apiVersion: karpenter.azure.com/v1beta1\nkind: AKSNodeClass\nmetadata: {name: c}\nspec: "
    (files / "a.yaml").write_text(node_class + "{gpu: {}, kubelet: {}}\n")
    (files / "b.yaml").write_text(node_class + "{gpu: {mode: Driver}, kubelet: {cpuCFSQuota: true}, osDiskSizeGB: 128}\n")
    found = nodepools("diff", "a.yaml", "b.yaml", "--format", "json", cwd=files).json
    assert {change["effect"] for change in found["changes"]} == {"none"}
    assert len(found["changes"]) == 2


SELF_MANAGED = """
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: web}
spec:
  template:
    spec:
      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: web}
      requirements: [{key: karpenter.k8s.aws/instance-category, operator: In, values: [c, m]}]
---
apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata: {name: web}
spec:
  role: nodes
  amiSelectorTerms: [{alias: al2023@latest}]
  subnetSelectorTerms: [{id: subnet-0123456789abcdef0}]
  securityGroupSelectorTerms: [{id: sg-0123456789abcdef0}]
  userData: export TOKEN=hunter2
---
apiVersion: eks.amazonaws.com/v1
kind: NodeClass
metadata: {name: web}
spec: {role: auto}
"""


def test_manifests_of_self_managed_karpenter(nodepools, files):
    (files / "a.yaml").write_text(SELF_MANAGED)
    (files / "b.yaml").write_text(SELF_MANAGED.replace("hunter2", "hunter3").replace("@latest", "@v20260101").replace("[c, m]", "[c]"))
    answer = nodepools("diff", "a.yaml", "b.yaml", "--format", "json", cwd=files)
    assert {change["path"]: (change["effect"], change["pools"]) for change in answer.json["changes"]} == {
        "EC2NodeClass.web.spec.userData": ("rolls", ["web"]),
        "EC2NodeClass.web.spec.amiSelectorTerms": ("rolls_some", ["web"]),
        "NodePool.web.spec.template.spec.requirements": ("rolls_some", []),
    }
    assert answer.json["order"] == [["update EC2NodeClass/web"], ["update NodePool/web"]]
    shown = nodepools("diff", "a.yaml", "b.yaml", cwd=files)
    assert "userData: (secret) → (secret)\n    all nodes of web: Karpenter" in shown.out
    assert "hunter" not in answer.out + shown.out


def test_a_node_pool_of_v1beta1_is_the_one_that_its_cluster_converts_to(nodepools, files):
    """Karpenter 1.0 gives the converted objects new hashes, and replaces no node."""
    requirements = "requirements: [{key: kubernetes.io/arch, operator: In, values: [amd64]}]"
    former = (
        "apiVersion: karpenter.sh/v1beta1\nkind: NodePool\nmetadata: {name: web}\nspec:\n"
        "  disruption: {consolidationPolicy: WhenUnderutilized, expireAfter: 480h}\n"
        "  template:\n    spec:\n      nodeClassRef: {apiVersion: karpenter.k8s.aws/v1beta1, kind: EC2NodeClass, name: web}\n"
    )
    now = (
        "apiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata: {name: web}\nspec:\n"
        "  disruption: {consolidationPolicy: WhenEmptyOrUnderutilized, consolidateAfter: 0s}\n"
        "  template:\n    spec:\n      expireAfter: 480h\n      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: web}\n"
    )
    (files / "a.yaml").write_text(f"{former}      {requirements}\n")
    (files / "b.yaml").write_text(f"{now}      {requirements}\n")
    answer = nodepools("diff", "a.yaml", "b.yaml", "--format", "json", cwd=files)
    assert (answer.status, answer.json["changes"], answer.json["order"]) == (0, [], [])
    (files / "b.yaml").write_text(f"{now}      {requirements}\n".replace("480h", "100h"))
    [change] = nodepools("diff", "a.yaml", "b.yaml", "--format", "json", cwd=files).json["changes"]
    assert (change["path"], change["effect"]) == ("NodePool.web.spec.template.spec.expireAfter", "rolls")
    kubelet = "      kubelet: {maxPods: 50}\n"
    (files / "a.yaml").write_text(f"{former}{kubelet}      {requirements}\n")
    for written in (former + kubelet.replace("50", "60"), now, former):  # `v1` has no such field: its class can have it
        (files / "b.yaml").write_text(f"{written}      {requirements}\n")
        [change] = nodepools("diff", "a.yaml", "b.yaml", "--format", "json", cwd=files).json["changes"]
        assert (change["path"], change["effect"]) == ("NodePool.web.spec.template.spec.kubelet.maxPods", "unknown")


def test_an_empty_map_in_a_manifest_rolls_every_node(nodepools, files):
    (files / "a.yaml").write_text(POOL)
    (files / "b.yaml").write_text(POOL.replace("  template:\n", "  template:\n    metadata: {labels: {}}\n"))
    [change] = nodepools("diff", "a.yaml", "b.yaml", "--format", "json", cwd=files).json["changes"]
    assert (change["path"], change["old"], change["new"]) == ("NodePool.general.spec.template.metadata.labels", None, {})
    assert change["effect"] == "rolls"
    assert "spec.template.metadata.labels: not set → {}" in nodepools("diff", "a.yaml", "b.yaml", cwd=files).out


LISTS = {
    "an entry is added": ('["a"]', '["a", "b"]', '["a"] → ["a", "b"]'),
    "an entry is another": ('["a", "b"]', '["b", "c"]', '["a", "b"] → ["b", "c"]'),
    "long lists": (json.dumps([f"value-{n:03}" for n in range(20)]), '["value-001", "x"]', '20 entries → 2 entries: +["x"] -["value-000", '),
    "long lists in another order": (
        json.dumps([f"value-{n:03}" for n in range(20)]),
        json.dumps([f"value-{n:03}" for n in reversed(range(20))]),
        "20 entries → 20 entries: another order",
    ),
    "a long list that was not set": ("null", json.dumps(["x" * 99]), "not set → 1 entry: +["),
}


@pytest.mark.parametrize(("old", "new", "shown"), LISTS.values(), ids=LISTS.keys())
def test_whole_lists_are_shown(nodepools, files, old, new, shown):
    (files / "a.yaml").write_text(f"{POOL}  own: {old}\n")
    (files / "b.yaml").write_text(f"{POOL}  own: {new}\n")
    assert f"spec.own: {shown}" in nodepools("diff", "a.yaml", "b.yaml", cwd=files).out


def test_a_minimum_of_values_is_shown(nodepools, files):
    long = [{"key": "topology.kubernetes.io/zone", "operator": "In", "values": [f"us-east-1{zone}" for zone in "abcdef"]}]
    for name, requirements in {"a": [{**long[0], "minValues": 3}], "b": [{**long[0], "minValues": 2}]}.items():
        (files / f"{name}.yaml").write_text(POOL.replace("requirements: []", f"requirements: {json.dumps(requirements)}"))
    told = " ".join(nodepools("diff", "a.yaml", "b.yaml", cwd=files).out.split())
    assert "(minValues 2)" in told
    assert "(minValues 3)" in told


def test_an_edit_that_the_api_server_never_takes_is_undone_next_to_errors_that_are_corrected(nodepools, files):
    (files / "a.yaml").write_text(POOL)
    (files / "b.yaml").write_text(
        POOL.replace("group: karpenter.azure.com, kind: AKSNodeClass", "group: eks.amazonaws.com, kind: NodeClass") + "  weight: 200\n"
    )
    found = nodepools("diff", "a.yaml", "b.yaml", "--format", "json", cwd=files).json
    assert found["findings"]
    assert any("nodeClassRef.group` back to" in step for step in found["next"])


def test_a_pool_without_its_autoscaler_gets_that_back_and_no_count(nodepools, files):
    (files / "fixed.yaml").write_text(OLD)
    (files / "scaled.yaml").write_text(OLD.replace("count: 3", "scale: {min: 1, max: 9}"))
    found = nodepools("diff", "scaled.yaml", "fixed.yaml", "--format", "json", cwd=files).json
    assert "Undo the edit of `scale`" in found["next"][0]
    assert not any("`count` back" in step for step in found["next"])


@pytest.mark.program
def test_a_plan_and_a_state(nodepools, planned, project, tmp_path):
    plan = tmp_path / "plan.json"
    plan.write_text(json.dumps(planned(".", "dev").to_json()))
    assert nodepools("diff", str(plan), cwd=project).out.startswith(f"{plan} → working tree: nothing changes (")
    resources = json.loads(plan.read_text())["resources"]
    edited = [one for one in resources if not one["type"].endswith(":RouteTable")]
    next(one for one in edited if one["name"] == "dev-use1-logs")["inputs"] |= {"retentionInDays": 30, "secret": {"$secret": True}}
    (tmp_path / "edited.json").write_text(json.dumps({"stack": "dev", "resources": edited}))
    answer = nodepools("diff", "edited.json", str(plan), "--format", "json", cwd=tmp_path)
    assert "nothing changes in clusters, pools and what has a table of effects, but in other resources (" in answer.json["answer"]
    assert answer.json["answer"].endswith("; 5 other resources not the same")
    assert [(one["what"], one["fields"]) for one in answer.json["other_resources"]] == [
        ("changed", ["retentionInDays", "secret"]),
        *[("created", [])] * 4,
    ]
    assert nodepools("diff", str(plan), "edited.json", cwd=tmp_path).err.startswith(
        "notice: edited.json: secrets of 1 other resource are not compared"
    )
    resources = json.loads(plan.read_text())["resources"]
    for resource in resources:
        if resource["name"] == "dev-weu":
            resource["inputs"] = {**resource["inputs"], "location": "francecentral", "__defaults": []}
    secret = {"4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", "ciphertext": "v1:do-not-show"}
    resources[-1]["inputs"] = {**resources[-1]["inputs"], "password": secret}
    state = tmp_path / "state.json"
    state.write_text(json.dumps({"version": 3, "deployment": {"resources": resources}}))
    answer = nodepools("diff", str(state), "--format", "json", cwd=project)
    assert [(change["effect"], change["old"], change["new"]) for change in answer.json["changes"]] == [("replaces", "francecentral", "westeurope")]
    assert "do-not-show" not in answer.all
    assert any("other resources are not compared" in note["message"] for note in answer.json["notices"])


@pytest.mark.program
def test_a_plan_is_compared_with_what_a_platform_file_registers(nodepools, files):
    plan = files / "plan.json"
    plan.write_text(json.dumps(nodepools("preview", "--file", "old.yaml", "--format", "json", cwd=files).json))
    assert nodepools("diff", "plan.json", "--file", "old.yaml", cwd=files).out.startswith("plan.json → old.yaml: nothing changes (")
    (files / "fewer.yaml").write_text(OLD.replace("count: 3", "count: 2"))
    for sides, effect in ((("plan.json", "fewer.yaml"), "removes_nodes"), (("fewer.yaml", "plan.json"), "in_place")):
        changes = nodepools("diff", *sides, "--format", "json", cwd=files).json["changes"]
        assert [(change["effect"], change["pool"]) for change in changes] == [(effect, "batch")]
    (files / "other.yaml").write_text(OLD.replace("name: ", "name: other", 1))
    several = nodepools("diff", "plan.json", "--file", "old.yaml", "--file", "other.yaml", cwd=files)
    assert "a plan or a state is compared with another one, a platform file, or one stack" in several.err


HIDDEN = {"4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", "ciphertext": "v1:do-not-show"}


def state(**inputs: object) -> dict[str, object]:
    kind = "azure-native:containerservice:AgentPool"
    sent = {"agentPoolName": "web", "resourceName": "shop", "vmSize": "Standard_D4ds_v5", "count": 2, **inputs}
    return {"urn": f"urn:pulumi:dev::shop::{kind}::web", "custom": True, "id": "pool-of-web", "type": kind, "inputs": sent}


def of_states(nodepools, folder, old, new, *more, pending=()):
    for name, entries, left in (("old", [old, *more], pending), ("new", [new], ())):
        written = {"version": 3, "deployment": {"resources": entries, "pending_operations": list(left)}}
        (folder / f"{name}.json").write_text(json.dumps(written))
    return nodepools("diff", "old.json", "new.json", "--format", "json", cwd=folder)


BESIDE_SECRETS = {
    "a key next to a secret": ({"nodeLabels": {"a": HIDDEN}}, {"nodeLabels": {"a": HIDDEN, "team": "x"}}, {"web.labels.team"}),
    "a key with a secret": ({"nodeLabels": {"a": HIDDEN}}, {"nodeLabels": {"b": "c"}}, {"web.labels.a", "web.labels.b"}),
    "a taint next to a secret": ({"nodeTaints": [HIDDEN, "a=b:NoExecute"]}, {"nodeTaints": []}, {"web.taints"}),
    "another taint next to a secret": ({"nodeTaints": [HIDDEN, "a=b:NoSchedule"]}, {"nodeTaints": ["c:NoSchedule", "d:NoSchedule"]}, {"web.taints"}),
    "an argument without a row": ({"ofLater": [HIDDEN, "a"]}, {"ofLater": [HIDDEN]}, {"web.ofLater"}),
    "a taint that the secret can be": ({"nodeTaints": [HIDDEN]}, {"nodeTaints": ["a=b:NoSchedule"]}, set()),
    "two secrets that can be equal": (
        {"nodeTaints": [HIDDEN], "nodeLabels": {"a": HIDDEN}},
        {"nodeTaints": [HIDDEN], "nodeLabels": {"a": "b"}},
        set(),
    ),
    "a secret instead of all": ({"nodeLabels": HIDDEN}, {"nodeLabels": {"a": "b"}}, set()),
}


@pytest.mark.parametrize(("old", "new", "paths"), BESIDE_SECRETS.values(), ids=BESIDE_SECRETS)
def test_what_differs_next_to_a_secret_is_compared(nodepools, tmp_path, old, new, paths):
    for one, other in ((old, new), (new, old)):
        answer = of_states(nodepools, tmp_path, state(**one), state(**other))
        assert {change["path"].replace('["', ".").replace('"]', "") for change in answer.json["changes"]} == paths
        assert ("nothing changes" in answer.json["answer"]) is not bool(paths)
        assert bool(answer.json["order"]) is bool(paths)
        assert "do-not-show" not in answer.all


def test_what_an_interrupted_up_left_is_no_equal_state(nodepools, tmp_path):
    old = {**state(agentPoolName="webold"), "id": "pool-of-webold", "delete": True}
    gone = {**old, "type": "pulumi:providers:azure-native"}
    pending = [{"resource": state(), "type": operation} for operation in ("updating", "creating")]
    answer = of_states(nodepools, tmp_path, state(), state(), old, gone, pending=pending)
    assert (answer.status, answer.json["complete"]) == (2, False)
    half = "AgentPool `web` was interrupted, and the state does not say how far it came"
    assert [one["message"] for one in answer.json["problems"]] == [
        "an interrupted replacement left the old AgentPool `pool-of-webold`: the next `pulumi up` deletes it, with its nodes and pods if it has any",
        f"updating {half}: run `pulumi refresh`, and export it again",
        f"creating {half}: `nodepools adopt pending` recovers it",
    ]


@pytest.mark.parametrize("where", ["labels", "annotations"])
@pytest.mark.parametrize(("one", "other"), [("team: general", ""), ("general: x", ""), ("general: general", "")])
def test_a_key_or_a_value_of_a_map_with_the_name_of_its_pool_is_not_the_pool(nodepools, files, where, one, other):
    for name, held in (("a", one), ("b", other)):
        (files / f"{name}.yaml").write_text(POOL.replace("  template:\n", f"  template:\n    metadata: {{{where}: {{x: y, {held}}}}}\n", 1))
    for sides in (("a.yaml", "b.yaml"), ("b.yaml", "a.yaml")):
        text = nodepools("diff", *sides, cwd=files).out
        assert "removed: general" not in text
        assert "added: general" not in text
        assert f"spec.template.metadata.{where}." in text
    (files / "p.yaml").write_text(OLD.replace("count: 3", "count: 3, labels: {batch: batch}"))
    assert "removed: " not in nodepools("diff", "p.yaml", "old.yaml", cwd=files).out


UNDONE = {
    "what the old side does not say is removed": ("", "      node_provisioning: {}\n", "Remove `node_provisioning`"),
    "a part is not set back to the word of a cloud": ("      node_provisioning: {}\n", "", "Undo the edit of `node_provisioning`"),
}


@pytest.mark.parametrize(("old", "new", "step"), UNDONE.values(), ids=UNDONE)
def test_what_undoes_an_edit_can_be_written(nodepools, files, old, new, step):
    for name, text in (("one", old), ("other", new)):
        (files / f"{name}.yaml").write_text(OLD.replace("    location:", f"{text[2:]}    location:"))
    found = nodepools("diff", "one.yaml", "other.yaml", "--fail-on", "refused,unknown", "--format", "json", cwd=files).json
    assert step in found["next"][0]


def test_what_follows_from_an_edit_is_undone_with_it(nodepools, files):
    (files / "patch.yaml").write_text(re.sub(r'kubernetes_version: "(1[.][0-9]+)"', r'kubernetes_version: "\1.4"', OLD))
    found = nodepools("diff", "old.yaml", "patch.yaml", "--format", "json", cwd=files).json
    assert ["back to" in step for step in found["next"]] == [True, False]


def test_a_field_that_a_resource_has_in_two_properties_is_one_row(nodepools, files):
    (files / "spot.yaml").write_text(OLD.replace("count: 3", "count: 3, spot: {}"))
    answer = nodepools("diff", "old.yaml", "spot.yaml", cwd=files)
    assert answer.out.count(" spot: not set") == 1
    assert "3 edits; the worst one rotates weu/batch (3 nodes, 3 extra)" in answer.out  # with the label and the taint of spot pools


@pytest.mark.program
def test_sides_without_a_common_cluster_are_perhaps_two_stacks(nodepools, project):
    plans = [f"tests/golden/plans/{stack}.json" for stack in ("dev", "prod")]
    steps = [line for line in nodepools("diff", *plans, cwd=project).out.splitlines() if line.startswith("next: ")]
    plan = "tests/golden/plans/dev.json"
    assert steps[0] == f"next: nodepools diff {plan} NEW  # changes nothing; NEW: another version or export of what {plan} has"
    assert len(steps) == 1, "no line accepts the deletion of another stack"


def test_a_secret_of_a_plan_is_not_taken_for_equal(nodepools, planned, project, tmp_path):
    plan = tmp_path / "plan.json"
    plan.write_text(json.dumps(planned(".", "dev").to_json()))
    for field, effects in {"location": ["unknown"], "dnsPrefix": ["unknown"], "tags": []}.items():
        written = json.loads(plan.read_text())
        [cluster] = [resource for resource in written["resources"] if resource["type"].endswith(":ManagedCluster") and resource["name"] == "dev-weu"]
        cluster["inputs"][field] = {"$secret": True}
        hidden = tmp_path / "hidden.json"
        hidden.write_text(json.dumps(written))
        for old in (plan, hidden):
            answer = nodepools("diff", str(old), str(hidden), "--format", "json", cwd=project)
            assert [change["effect"] for change in answer.json["changes"]] == effects, f"{field} of {old.name}"
            assert answer.status == (1 if effects else 0)
            assert all("the effect is `replaces`" in change["message"] for change in answer.json["changes"])


@pytest.mark.program
def test_what_was_merged_and_never_applied_is_listed_apart(nodepools, repository, project):
    (repository / "__main__.py").write_text((project / "__main__.py").read_text(encoding="utf-8"))
    (repository / "stacks/dev.txt").write_text(OLD)
    (repository / "plan.json").write_text(nodepools("preview", "--format", "json", cwd=repository).out)
    (repository / "stacks/dev.txt").write_text(LARGER)
    git(repository, "add", ".")
    git(repository, "commit", "--quiet", "-m", "merged, and not applied")
    (repository / "stacks/dev.txt").write_text(LARGER.replace("max: 5", "max: 6"))
    found = nodepools("diff", "feature", "--deployed", "plan.json", "--format", "json", cwd=repository).json
    assert [(change["path"], change["effect"]) for change in found["changes"]] == [("clusters.weu.pools.web.scale.max", "in_place")]
    assert found["not_applied"]["summary"] == {"rotates": 1}
    [change] = found["not_applied"]["changes"]
    assert (change["old"], change["new"]) == ("Standard_D2ds_v5", "Standard_D4ds_v5")
    shown = nodepools("diff", "feature", "--deployed", "plan.json", cwd=repository).out
    assert "Merged but not applied yet, and part of the next `pulumi up` (plan.json → feature" in shown
    assert "dev: 1 edit updates weu/web in place; 1 change of OLD not applied yet\n" in shown


@pytest.mark.program
def test_preview_shows_what_changes_since_a_plan(nodepools, repository, project):
    (repository / "__main__.py").write_text((project / "__main__.py").read_text(encoding="utf-8"))
    (repository / "stacks/dev.txt").write_text(OLD)
    (repository / "plan.json").write_text(nodepools("preview", "--format", "json", cwd=repository).out)
    (repository / "stacks/dev.txt").write_text(LARGER)
    shown = nodepools("preview", "--since", "plan.json", cwd=repository).out
    assert "Since plan.json: Nodes replaced" in shown
    assert "  rotates  dev-weu/web  dev-weu-web" in shown
    assert "    1 to 5 nodes, 1 to 5 extra: A pool under a new name is created" in shown
    assert "set `previous` of the pool to its old declaration" in shown
    found = nodepools("preview", "--since", "plan.json", "--format", "json", cwd=repository).json
    assert (found["summary"], found["previous"]) == ({"rotates": 1}, ["dev-weu/web"])
    (repository / "stacks/dev.txt").write_text(LARGER.replace("max: 5}", "max: 5}, previous: {vm_size: Standard_D2ds_v5, scale: {min: 1, max: 5}}"))
    kept = nodepools("preview", "--since", "plan.json", "--format", "json", cwd=repository).json
    assert (kept["summary"].get("rotates"), kept["previous"]) == (1, []), "its `previous` is set"
    plan = (repository / "plan.json").read_text(encoding="utf-8")
    project_ = re.findall(r"urn:pulumi:[^:]+::([^:]+)::", plan)[0]
    (repository / "other.json").write_text(plan.replace(f"::{project_}::", "::other::"), encoding="utf-8")
    urn = "urn:pulumi:dev::third::pulumi:pulumi:Stack::third-dev"
    (repository / "state.json").write_text(json.dumps({"version": 3, "deployment": {"resources": [{"urn": urn, "type": "pulumi:pulumi:Stack"}]}}))
    for file, name in (("other.json", "other"), ("state.json", "third")):
        elsewhere = nodepools("preview", "--since", file, cwd=repository)
        assert (elsewhere.status, f"is of the project `{name}`, and the program of `{project_}`" in elsewhere.err) == (2, True)
    refused = nodepools("preview", "--since", "stacks/dev.txt", cwd=repository)
    assert refused.status == 2
    assert "`--since` must be a state" in refused.err


@pytest.mark.parametrize(
    ("old", "deployed", "told"),
    [
        ("old.yaml", "old.yaml", "`--deployed` must be a state"),
        ("old.yaml", "plan.json", "use a branch, a commit, a project folder or a plan as OLD"),
        ("old.yaml", "nowhere.json", "nowhere.json"),
    ],
)
def test_a_deployed_state_that_cannot_be_compared(nodepools, files, old, deployed, told):
    (files / "plan.json").write_text('{"stack": "dev", "resources": []}')
    answer = nodepools("diff", old, "larger.yaml", "--deployed", deployed, cwd=files)
    assert answer.status == 2
    assert told in answer.err


def test_what_was_compared_is_the_last_detail(nodepools, files):
    few, every = (nodepools("diff", "old.yaml", "larger.yaml", *option, cwd=files).out for option in ((), ("--details",)))
    assert "reads both sides" not in few
    *_, heading, sides, cause, reader = every.splitlines()
    assert (heading, sides) == ("What was compared", "  old.yaml → larger.yaml")
    assert cause == "  the same version reads both sides, so every change comes from an edit"
    assert reader.startswith("  read by nodepools ")
    pool = {"type": "azure-native:containerservice:AgentPool", "name": "web", "inputs": {"count": 1}}
    (files / "plan.json").write_text(json.dumps({"stack": "dev", "resources": [pool]}))
    basis = nodepools("diff", "plan.json", "plan.json", "--format", "json", cwd=files).json["basis"]
    assert basis["recorded"] == ["plan.json", "plan.json"]


BROKEN = LARGER.replace("count: 2}", "count: 2, taints: [{key: dedicated, value: web}]}")
SECRET = "hunter2hunter2"  # noqa: S105  # the value that must not be printed
WITH_SECRET = OLD.replace("    system_pool", f"    overrides: {{windows_profile: {{admin_password: {SECRET}}}}}\n    system_pool")


def test_errors_of_the_new_side_fail(nodepools, files):
    (files / "broken.yaml").write_text(BROKEN)
    answer = nodepools("diff", "old.yaml", "broken.yaml", "--fail-on", "none", cwd=files)
    assert answer.status == 1
    assert "; 1 error in the new side\nnext: broken.yaml:7:65: clusters.weu." in answer.out
    found = nodepools("diff", "old.yaml", "broken.yaml", "--format", "json", cwd=files).json["findings"]
    assert [finding["code"] for finding in found] == ["AKS014"]
    assert nodepools("diff", "broken.yaml", "old.yaml", "--fail-on", "none", cwd=files).status == 0


def test_an_exception_of_one_side_does_not_print_a_secret_of_the_other(nodepools, repository):
    (repository / "stacks/dev.txt").write_text(WITH_SECRET)
    git(repository, "commit", "--quiet", "-am", "a password")
    (repository / "stacks/dev.py").write_text(f"raise ValueError('not {SECRET}')\n")
    answer = nodepools("diff", "feature", "--format", "json", cwd=repository)
    assert "ValueError" in answer.all
    assert SECRET not in answer.all


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a: 1", "is neither a platform, manifests, a plan"),
        ('{"deployment": {}}', "`deployment` has no list `resources`"),
        ("a: [", "x.yaml:2:1: "),
        ("", "is neither a platform"),
    ],
)
def test_files_of_no_known_kind(nodepools, files, text, told):
    (files / "x.yaml").write_text(text)
    answer = nodepools("diff", "x.yaml", "old.yaml", cwd=files)
    assert answer.status == 2
    assert told in answer.err


def test_identical_changes_fold(nodepools, files):
    clusters = [OLD.partition("clusters:\n")[2].replace("weu", f"c{number}") for number in range(5)]
    (files / "many.yaml").write_text("name: dev\nclusters:\n" + "".join(clusters))
    (files / "tagged.yaml").write_text("name: dev\nclusters:\n" + "".join(clusters).replace('"1.35"', '"1.36"'))
    lines = nodepools("diff", "many.yaml", "tagged.yaml", cwd=files).out.splitlines()
    assert any("c0/batch, c0/web, c1/batch and 7 more" in line for line in lines)
    assert any("c0, c1, c2 and 2 more" in line for line in lines)


def test_a_comment_on_a_pull_request_has_the_worst_changes_that_fit(nodepools, files):
    clusters = [OLD.partition("clusters:\n")[2].replace("weu", f"c{number}") for number in range(100)]
    (files / "many.yaml").write_text("name: dev\nclusters:\n" + "".join(clusters))
    edited = [text.replace("count: 3}", f"count: 3, labels: {{a: v{number}}}, fips: true}}") for number, text in enumerate(clusters)]
    edited[50] = edited[50].replace("count: 3", "count: 1")
    (files / "edited.yaml").write_text("name: dev\nclusters:\n" + "".join(edited))
    shown = nodepools("diff", "many.yaml", "edited.yaml", "--format", "markdown", cwd=files).out
    assert shown.startswith("**many.yaml → edited.yaml: 1 of 201 edits removes nodes of c50/batch (2 nodes): not accepted; also reimages c0/batch, ")
    assert len(shown) < 65_000


WORKLOADS = """apiVersion: apps/v1
kind: Deployment
metadata: {name: shop}
spec:
  replicas: 2
  selector: {matchLabels: {app: shop}}
  template:
    metadata: {labels: {app: shop}}
    spec:
      nodeSelector: {nodepools/name: batch}
      containers: [{name: main, image: registry.example.com/a:1, resources: {requests: {cpu: 100m, memory: 100Mi}}}]
"""
WITHOUT_BATCH = "".join(line for line in OLD.splitlines(keepends=True) if "batch" not in line)


@pytest.mark.parametrize(
    ("options", "status", "said"),
    [
        ([], 1, ": not accepted;"),
        (["--accept", 'default/Deployment/shop pending "weu": moved to neu'], 0, "1 accepted by --accept"),
        (["--accept", 'default/Deployment/shop pending "neu": moved to neu'], 1, ": not accepted;"),
        (["--fail-on", "deletes"], 0, "any more;"),
    ],
)
def test_a_workload_without_a_pool_must_be_accepted(nodepools, files, options, status, said):
    (files / "shop.yaml").write_text(WORKLOADS.replace("nodepools/name: batch", "team: batch"))
    (files / "labelled.yaml").write_text(OLD.replace("batch: {", "batch: {labels: {team: batch}, "))
    answer = nodepools("diff", "labelled.yaml", "old.yaml", "--workloads", "shop.yaml", *options, cwd=files)
    assert answer.status == status, answer.all
    assert said in answer.out.splitlines()[0]


def test_a_removed_pool_takes_the_pods_that_selected_it(nodepools, files):
    (files / "fewer.yaml").write_text(WITHOUT_BATCH)
    (files / "shop.yaml").write_text(WORKLOADS)
    found = nodepools("diff", "old.yaml", "fewer.yaml", "--workloads", "shop.yaml", "--format", "json", cwd=files).json
    [moved] = found["workloads"]
    assert (moved["cluster"], moved["name"], moved["lost"]) == ("weu", "shop", ["weu/batch"])
    assert (moved["old"]["verdict"], moved["new"]["verdict"]) == ("fits", "cannot")
    answer = nodepools("diff", "old.yaml", "fewer.yaml", "--workloads", "shop.yaml", cwd=files)
    shown = answer.out
    assert answer.status == 1
    assert "Deployment/shop in weu: weu/batch → no pool, its pods stay Pending; replicas 2 of 2 → 0 of 2" in shown
    assert "Deployment/shop can use no pool of weu any more: not accepted; " in shown
    same = nodepools("diff", "old.yaml", "larger.yaml", "--workloads", "shop.yaml", cwd=files).out
    assert "the same as before for every workload" in same
    unread = nodepools("diff", "old.yaml", "larger.yaml", "--workloads", "nowhere.yaml", cwd=files)
    assert unread.status == 2
    assert "Pools that the pods" not in unread.out


def test_the_cost_of_a_cluster_before_and_after(nodepools, files):
    found = nodepools("diff", "old.yaml", "larger.yaml", "--format", "json", cwd=files).json["cost"]
    [weu] = found
    assert weu["cluster"] == "weu"
    assert weu["old"]["maximum"]["amount"] < weu["new"]["maximum"]["amount"]
    assert weu["old"]["minimum"]["amount"] < weu["new"]["minimum"]["amount"]
    (files / "labeled.yaml").write_text(OLD.replace("count: 3}", "count: 3, labels: {a: b}}"))
    assert nodepools("diff", "old.yaml", "labeled.yaml", "--format", "json", cwd=files).json["cost"] == []


def test_what_does_not_fit_while_a_pool_rotates(nodepools, files):
    """100 nodes with 30 pods each fit the pod range of 256 nodes; two generations of 150 nodes do not."""
    network = "    network_profile: {pod_cidr: 10.244.0.0/16}\n    system_pool"
    old = OLD.replace("    system_pool", network).replace("max: 5", "max: 150")
    (files / "a.yaml").write_text(old)
    (files / "b.yaml").write_text(old.replace("web: {kind: UserPool, vm_size: Standard_D2ds_v5", "web: {kind: UserPool, vm_size: Standard_D4ds_v5"))
    found = nodepools("diff", "a.yaml", "b.yaml", "--format", "json", cwd=files).json["capacity"]
    assert {(need["what"], need["when"], need["verdict"]) for need in found} == {("pod_cidr", "rotation", "does_not_fit")}
    shown = nodepools("diff", "a.yaml", "b.yaml", cwd=files).out
    assert "weu: pod addresses (pods): not enough while a pool rotates: needs " in shown


BUDGET = """apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: shop}
spec: {maxUnavailable: 0, selector: {matchLabels: {app: shop}}}
"""


def test_a_budget_that_blocks_the_change_of_a_pool(nodepools, files):
    (files / "shop.yaml").write_text(f"{WORKLOADS}---\n{BUDGET}")
    (files / "fips.yaml").write_text(OLD.replace("count: 3}", "count: 3, fips: true}"))
    shown = nodepools("diff", "old.yaml", "fips.yaml", "--workloads", "shop.yaml", cwd=files).out
    assert "`shop` (`maxUnavailable: 0`) never allows an eviction: nodes of weu/batch are not drained while its pods run there" in shown
    found = nodepools("diff", "old.yaml", "larger.yaml", "--workloads", "shop.yaml", "--format", "json", cwd=files).json
    assert found["disruption_budgets"] == []


def node(name: str, pool: str) -> dict[str, object]:
    labels = {"kubernetes.azure.com/agentpool": f"{pool}12345", "nodepools/name": pool}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": labels},
        "spec": {"providerID": f"azure:///subscriptions/1/{name}"},
    }


def test_exported_nodes_are_counted(nodepools, files):
    nodes = [node(f"n{number}", "web") for number in range(4)] + [node("other", "gone")]
    (files / "weu.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": nodes}))
    answer = nodepools("diff", "old.yaml", "larger.yaml", "--existing", "weu.json", cwd=files)
    assert "rotates weu/web (4 nodes, 1 to 5 extra)" in answer.out
    assert "weu.json: 1 node is not counted: OLD does not declare their pools" in answer.err


@pytest.mark.parametrize("name", ["web", "other"])
def test_nodes_of_a_node_pool_are_not_those_of_an_agent_pool_of_its_name(nodepools, files, name):
    nap = f"\n    node_provisioning: {{node_pools: {{{name}: {{labels: {{tier: OLD}}, requirements: []}}}}}}"
    with_nap = OLD.replace("    pools:", f"    {nap.strip()}\n    pools:", 1)
    larger = with_nap.replace("vm_size: Standard_D2ds_v5, scale", "vm_size: Standard_D4ds_v5, scale").replace("OLD", "new")
    (files / "a.yaml").write_text(with_nap)
    (files / "b.yaml").write_text(larger)
    launched = node("k", name)
    launched["metadata"] = {"name": "k", "labels": {"karpenter.sh/nodepool": name, "nodepools/name": name}}
    items = [node("n1", "web"), node("n2", "web"), launched]
    (files / "weu.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}))
    found = nodepools("diff", "a.yaml", "b.yaml", "--existing", "weu.json", "--format", "json", cwd=files).json["changes"]
    nodes = {change["resource"]["type"].rpartition(":")[2]: change["nodes"]["minimum"] for change in found}
    assert nodes == {"AgentPool": 2, "NodePool": 1}


def test_a_node_and_its_claim_are_one_node_that_is_not_counted(nodepools, files):
    labels = {"karpenter.sh/nodepool": "of-others"}
    claims = [{"apiVersion": "karpenter.sh/v1", "kind": "NodeClaim", "metadata": {"name": f"c{number}", "labels": labels}} for number in range(2)]
    nodes = [
        {
            "apiVersion": "v1",
            "kind": "Node",
            "metadata": {"name": f"n{number}", "labels": labels},
            "spec": {"providerID": f"azure:///subscriptions/1/{number}"},
        }
        for number in range(2)
    ]
    for items in ([*nodes, *claims], nodes):
        (files / "weu.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}))
        answer = nodepools("diff", "old.yaml", "larger.yaml", "--existing", "weu.json", cwd=files)
        assert "weu.json: 2 nodes are not counted" in answer.err


TERMS = "subnetSelectorTerms: [{id: subnet-0123456789abcdef0}], securityGroupSelectorTerms: [{id: sg-0123456789abcdef0}]"
NODE_CLASSES = [
    ("karpenter.k8s.aws/v1", "EC2NodeClass", "userData: ONE, role: nodes, amiSelectorTerms: [{alias: al2023@v20260101}], " + TERMS, ("a", "b")),
    ("eks.amazonaws.com/v1", "NodeClass", "ephemeralStorage: {size: ONE}, role: nodes, " + TERMS, ("80Gi", "100Gi")),
    ("karpenter.azure.com/v1beta1", "AKSNodeClass", "imageFamily: ONE", ("Ubuntu", "AzureLinux")),
]


@pytest.mark.parametrize(("version", "kind", "spec", "values"), NODE_CLASSES)
def test_a_class_that_is_deleted_names_the_node_pools_that_still_use_it(nodepools, files, version, kind, spec, values):
    """The controller of each cloud keeps a deleted class while NodeClaims have it, and its NodePools are not ready."""
    written = f"---\napiVersion: {version}\nkind: {kind}\nmetadata: {{name: gpu}}\nspec: {{{spec.replace('ONE', values[0])}}}\n"
    group = f"{{group: {version.partition('/')[0]}, kind: {kind}, name: gpu}}"
    pools = "".join(
        f"---\napiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata: {{name: {name}}}\n"
        f"spec: {{template: {{spec: {{nodeClassRef: {group}, requirements: []}}}}}}\n"
        for name in ("train", "infer")
    )
    other = pools.replace("name: gpu", "name: default")
    for kept, told in ((pools, "NodePools that use it (`train` and `infer`) get no more nodes"), (other, "")):
        (files / "a.yaml").write_text(written + pools)
        (files / "b.yaml").write_text(kept)
        answer = nodepools("diff", "a.yaml", "b.yaml", "--format", "json", cwd=files)
        [gone] = [one for one in answer.json["changes"] if one["effect"] == "deletes"]
        assert (answer.status, "get no more nodes" in gone["message"]) == (1, bool(told))
        assert told in gone["message"]


@pytest.mark.parametrize(("version", "kind", "spec", "values"), NODE_CLASSES)
def test_a_node_class_without_its_pools_reaches_an_unknown_number_of_nodes(nodepools, tmp_path, version, kind, spec, values):
    text = f"{{apiVersion: {version}, kind: {kind}, metadata: {{name: default}}, spec: {{{spec}}}}}"
    for name, value in zip(("a.yaml", "b.yaml"), values, strict=True):
        (tmp_path / name).write_text(text.replace("ONE", value))
    answer = nodepools("diff", "a.yaml", "b.yaml", cwd=tmp_path)
    assert answer.out.startswith("a.yaml → b.yaml: 1 edit rolls default (all nodes; their number is unknown)")


def test_built_in_pools_that_are_turned_off_delete_no_cluster(nodepools, tmp_path):
    text = (
        'name: shop\nclusters:\n  use1: {kind: EksCluster, region: us-east-1, kubernetes_version: "1.35", auto_mode: {built_in_node_pools: BUILT}}\n'
    )
    for name, built in {"a.yaml": "[general-purpose, system]", "b.yaml": "[]"}.items():
        (tmp_path / name).write_text(text.replace("BUILT", built))
    answer = nodepools("diff", "a.yaml", "b.yaml", cwd=tmp_path)
    assert "removes nodes of use1 (" in answer.out.partition("next:")[0]
    assert "deletes use1" not in answer.out


def test_nodes_of_pools_that_two_clusters_have_belong_to_the_cluster_in_the_name_of_the_file(nodepools, files):
    twice = OLD + OLD.partition("clusters:\n")[2].replace("weu:", "neu:", 1).replace("westeurope", "northeurope")
    (files / "a.yaml").write_text(twice)
    (files / "b.yaml").write_text(twice.replace("vm_size: Standard_D2ds_v5, scale", "vm_size: Standard_D4ds_v5, scale"))
    written = json.dumps({"apiVersion": "v1", "kind": "List", "items": [node("n1", "web")]})
    for name in ("nodes.json", "neu.json"):
        (files / name).write_text(written)
    answer = nodepools("diff", "a.yaml", "b.yaml", "--existing", "nodes.json", "--format", "json", cwd=files)
    assert "put the key of the cluster into the name of the file" in answer.all
    found = nodepools("diff", "a.yaml", "b.yaml", "--existing", "neu.json", "--format", "json", cwd=files).json
    nodes = {f"{change['cluster']}/{change['pool']}": change["nodes"] for change in found["changes"]}
    assert nodes == {"neu/web": {"minimum": 1, "maximum": 1}, "weu/web": {"minimum": 1, "maximum": 5}}


def test_the_printed_acceptances_are_accepted(nodepools, files):
    """Also of a removed pool, and of values with colons."""
    old = OLD.replace("count: 3}", "count: 3, labels: {a: b}}")
    (files / "a.yaml").write_text(old)
    (files / "b.yaml").write_text(WITHOUT_BATCH.replace("max: 5}", "max: 5}, taints: [{key: a, value: b, effect: NoExecute}]"))
    failing = ("--fail-on", "removes_nodes,in_place_pods")
    shown = nodepools("diff", "a.yaml", "b.yaml", *failing, cwd=files)
    assert shown.status == 1
    assert "removed: dev-weu-batchuftd" in shown.out
    [printed] = [line.removeprefix("  or: ") for line in shown.out.splitlines() if line.startswith("  or: nodepools diff ")]
    again = shlex.split(printed.replace("REASON", "it is meant"), comments=True)
    assert again.count("--accept") == len(["a removed pool", "a taint"])
    assert nodepools(*again[1:], cwd=files).status == 0


def test_an_acceptance_of_json_with_colons_and_of_a_printed_value():
    [one, other] = acceptances("diff", ['a.b in_place [{"nodes": "10%"}]: it is: meant', "a.b removes_nodes not set: moved"])
    assert [one.value for one in acceptances("diff", ["a.b deletes: moved", "a.b deletes null: moved"])] == [None, None]
    assert (one.value, one.reason) == ([{"nodes": "10%"}], "it is: meant")
    assert other.value is None


def test_the_worst_edits_are_those_of_whole_clusters(nodepools, files):
    second = (
        OLD.split("clusters:\n")[1]
        .replace("weu:", "neu:")
        .replace("westeurope", "northeurope")
        .replace("kubernetes_version", "network: {kind: AksNetwork, cidr: 10.30.0.0/16}\n    kubernetes_version")
    )
    (files / "a.yaml").write_text(OLD + second)
    (files / "b.yaml").write_text(OLD.replace("weu:", "frc:").replace("westeurope", "francecentral"))
    lines = nodepools("diff", "a.yaml", "b.yaml", cwd=files).out.splitlines()
    assert lines[0].endswith("no cluster in common; if they are the same stack, `pulumi up` deletes neu, weu"), lines
    assert not any("--accept" in line for line in lines), "no cluster is in both: it is not meant to delete them"


def test_another_key_in_a_working_tree_deletes_the_cluster(nodepools, repository):
    """Both sides are the same stack: nothing has to be found out first."""
    (repository / "stacks/dev.txt").write_text(OLD.replace("weu:", "neu:"))
    said = nodepools("diff", "main", cwd=repository).out
    assert ("deletes cluster weu" in said, "not comparable" in said) == (True, False)


def test_lists_of_fields_are_whole(nodepools, files):
    old = OLD.replace("count: 3}", "count: 3, taints: [{key: a, value: b}, {key: c, value: d}]}")
    (files / "a.yaml").write_text(old)
    (files / "b.yaml").write_text(old.replace("{key: c, value: d}", "{key: e, value: f}"))
    assert (
        'taints: ["a=b:NoSchedule", "c=d:NoSchedule"] → ["a=b:NoSchedule", "e=f:NoSchedule"]' in nodepools("diff", "a.yaml", "b.yaml", cwd=files).out
    )


@pytest.mark.parametrize("names", ["a.yaml pool.yaml", "pool.yaml a.yaml"])
def test_a_platform_without_objects_is_not_compared_with_manifests(nodepools, tmp_path, names):
    (tmp_path / "a.yaml").write_text(
        "name: dev\nclusters:\n  weu: {kind: AksCluster, location: westeurope, kubernetes_version: '1.35',"
        " system_pool: {vm_size: Standard_D4ds_v5, count: 3}}\n"
    )
    (tmp_path / "pool.yaml").write_text("{apiVersion: karpenter.sh/v1, kind: NodePool, metadata: {name: x}, spec: {template: {spec: {}}}}")
    answer = nodepools("diff", *names.split(), cwd=tmp_path)
    assert answer.status == 2
    assert "a.yaml: declares no NodePool and no node class" in answer.err


def test_files_without_anything_to_compare_are_an_error(nodepools, tmp_path):
    for name in ("a.yaml", "b.yaml"):
        (tmp_path / name).write_text("{apiVersion: v1, kind: ConfigMap, metadata: {name: x}}")
    answer = nodepools("diff", "a.yaml", "b.yaml", cwd=tmp_path)
    assert answer.status == 2
    assert "error: a.yaml → b.yaml: neither side has a NodePool or node class, so nothing was compared" in answer.err


@pytest.mark.parametrize("empty", ["{stack: dev, resources: []}", "{deployment: {resources: []}}"])
def test_two_sides_without_clusters_are_not_equal(nodepools, tmp_path, empty):
    for name in ("a.yaml", "b.yaml"):
        (tmp_path / name).write_text(empty)
    answer = nodepools("diff", "a.yaml", "b.yaml", cwd=tmp_path)
    assert (answer.status, answer.out) == (2, "")
    assert "error: a.yaml → b.yaml: neither side has a cluster, agent pool or node group, so nothing was compared" in answer.err


@pytest.mark.parametrize(
    "command",
    [
        ["check"],
        ["explain", "--file", "old.yaml"],
        ["adopt"],
        ["capacity", "--file", "old.yaml", "--existing"],
        ["upgrade", "--file", "old.yaml", "--to", "1.36", "--existing"],
    ],
    ids=lambda command: command[0],
)
def test_a_folder_without_files_is_no_input(nodepools, files, command):
    (files / "none").mkdir()
    answer = nodepools(*command, "none", cwd=files)
    assert answer.status == 2
    assert "error: none: contains no YAML or JSON file" in answer.err


def test_python_is_told_what_reads_it(nodepools, files):
    (files / "dev.py").write_text('"""A stack."""\n')
    answer = nodepools("diff", "dev.py", "old.yaml", cwd=files)
    assert (answer.status, answer.out) == (2, "")
    assert "dev.py: is Python, which `diff` reads as a stack of a project: run `nodepools diff HEAD --stack dev`" in answer.err


def test_a_stack_that_is_not_declared_any_more_is_deleted_by_nobody(nodepools, files):
    """`pulumi up` runs for the stacks that there are."""
    for folder, names in (("before", ("one", "two")), ("after", ("one",))):
        (files / folder / "stacks").mkdir(parents=True)
        (files / folder / "Pulumi.yaml").write_text("name: shop\nruntime: python\n")
        for name in names:
            (files / folder / "stacks" / f"{name}.yaml").write_text((files / "old.yaml").read_text().replace("name: dev", f"name: {name}"))
    answer = nodepools("diff", "before", "after", "--all", "--format", "json", cwd=files)
    [gone] = answer.json["changes"]
    assert (answer.status, gone["effect"], answer.json["order"]) == (1, "deletes", [])
    assert "stays until `pulumi destroy`" in gone["message"]


def test_a_branch_that_a_repository_without_remotes_does_not_have(nodepools, repository):
    assert "of this repository: the branch here is `feature`\n" in nodepools("diff", "master", cwd=repository).err


def test_a_project_that_a_commit_does_not_have_is_not_compared_with_the_one_above_it(nodepools, repository):
    shutil.copytree(repository / "stacks", repository / "shop/stacks")
    shutil.copyfile(repository / "Pulumi.yaml", repository / "shop/Pulumi.yaml")
    answer = nodepools("diff", "main", cwd=repository / "shop")
    assert answer.status == 2
    assert "the folder `shop/` does not exist in main (" in answer.err


def test_objects_of_one_name_in_several_folders_are_all_compared(nodepools, tmp_path):
    """A NodePool of `dev` and one of `prod` make clusters of the folders; the last Deployment of a name is not the only one."""
    for side, of_dev in (("a", 2), ("b", 3), ("c", 2)):
        for folder in ("dev", "prod"):
            (tmp_path / side / folder).mkdir(parents=True)
            text = MANY.replace("REPLICAS", str(of_dev if folder == "dev" else 2))
            (tmp_path / side / folder / "web.yaml").write_text(text)
    assert "not compared, and different: Deployment web" in nodepools("diff", "a", "b", cwd=tmp_path).err
    assert "not compared" not in nodepools("diff", "a", "c", cwd=tmp_path).err


MANY = """
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: web}
spec:
  template:
    spec:
      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
      requirements: [{key: kubernetes.io/arch, operator: In, values: [amd64]}]
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec: {replicas: REPLICAS}
"""


@pytest.mark.parametrize("command", ["diff old new", "calendar old"])
def test_a_declaration_in_a_folder_of_manifests_is_not_passed_over(nodepools, tmp_path, command):
    for folder, declaration in (("old", OLD), ("new", LARGER)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "pool.yaml").write_text(POOL)
        (tmp_path / folder / "platform.yaml").write_text(declaration)
    answer = nodepools(*command.split(), cwd=tmp_path)
    assert answer.status == 2
    assert "not complete" in answer.out
    assert "error: old/platform.yaml" in answer.err
