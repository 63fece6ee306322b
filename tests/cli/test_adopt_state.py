"""`nodepools adopt settle` and `adopt pending`: one line for what cannot be used, and nothing half-written."""

import json
from pathlib import Path

import pytest

from nodepools.cli.adopt.settle import _answer, _is_severe, _rows, _steps
from nodepools.engine.signatures import SECRET, SIGNATURE
from nodepools.state.deployment import state_of
from nodepools.state.settled import settled

STACK = "urn:pulumi:dev::nodepools::pulumi:pulumi:Stack::nodepools-dev"
EMPTY = {"deployment": {"resources": [{"urn": STACK, "type": "pulumi:pulumi:Stack"}]}}
SETTLE = "pulumi stack export --file state.json && nodepools adopt settle state.json -o settled.json && pulumi stack import --file settled.json"
SETTLE += " && pulumi preview"
SETTLE += "  # changes only the state of Pulumi; in the folder of the project shop; not protected: `pulumi up` may replace what is incomplete"
LAST = "then: pulumi up  # changes the cloud; only if the preview shows no create of what was imported"
NOTHING = (
    "dev: no operation was interrupted\n"
    "next: nodepools adopt pending state.json --preview preview.json --failed failed.txt"
    "  # changes nothing; if `pulumi up` says that a resource exists\n"
)
WRONG = {
    "text": ("name: a", "state.json: is not JSON: Expecting value: line 1 column 1 (char 0)"),
    "a list": ("[]", "state.json: is not a state: export one with `pulumi stack export`"),
    "a plan": ('{"stack": "dev", "resources": []}', "state.json: is not a state: export one with `pulumi stack export`"),
    "an empty stack": ('{"deployment": {"manifest": {}}}', "state.json: is a state without resources"),
    "nested too deep": ("[" * 100_000, "state.json: is not JSON: "),
}


@pytest.mark.parametrize("command", ["settle", "pending"])
@pytest.mark.parametrize("title", WRONG)
def test_what_is_not_a_state_is_told_in_one_line(nodepools, copy, title, command):
    text, expected = WRONG[title]
    (copy / "state.json").write_text(text)
    answer = nodepools("adopt", command, "state.json", "-o", "out.json", cwd=copy)
    assert (answer.status, answer.out) == (2, "")
    assert answer.err.startswith(f"error: {expected}")
    assert len(answer.err.splitlines()) == 1
    assert not (copy / "out.json").exists()


def test_a_state_of_another_project_is_not_settled(nodepools, copy):
    (copy / "state.json").write_text(json.dumps(EMPTY).replace("nodepools", "shop"))
    answer = nodepools("adopt", "settle", "state.json", cwd=copy)
    assert answer.status == 2
    assert "the state is of the project `shop`, and this is `nodepools`" in answer.err


@pytest.mark.program
def test_there_can_be_nothing_to_do(nodepools, project, copy):
    (copy / "state.json").write_text(json.dumps(EMPTY))
    settled = nodepools("adopt", "settle", "state.json", cwd=copy, env={"PYTHONPATH": str(project / "components")})
    assert settled.status == 0
    assert settled.out.startswith("dev: no imported resource is left to settle; not in the state: ")
    assert "\n  not in the state  pulumi up would create " in settled.out
    pending = nodepools("adopt", "pending", "state.json", cwd=copy)
    assert (pending.status, pending.out) == (0, NOTHING)


@pytest.mark.parametrize(("command", "field"), [("settle", "settled"), ("pending", "pending")])
def test_json_has_its_fields_even_if_nothing_is_read(nodepools, copy, command, field):
    (copy / "state.json").write_text("{}")
    answer = nodepools("adopt", command, "state.json", "--format", "json", cwd=copy)
    assert (answer.json["command"], answer.json["complete"], answer.json[field]) == (f"adopt {command}", False, [])


def test_what_was_recovered_is_settled_in_the_file_that_has_it(nodepools, copy, project):
    whole = json.loads((project / "examples/interrupted/state.json").read_text())["deployment"]
    pending = whole["pending_operations"][:1]
    made = {**pending[0]["resource"], "id": "/agentPools/web", "outputs": {}}
    (copy / "before.json").write_text(json.dumps({"deployment": {"resources": [*whole["resources"], made], "pending_operations": pending}}))
    answer = nodepools("adopt", "pending", "before.json", cwd=copy)
    assert answer.status == 0
    assert "next: nodepools adopt settle before.json -o settled.json" in answer.out


def test_a_state_on_stdin(nodepools, copy):
    assert nodepools("adopt", "pending", "-", cwd=copy, stdin=json.dumps(EMPTY)).out == NOTHING.replace("state.json", "-")
    assert nodepools("adopt", "pending", "-", cwd=copy, stdin="x").err.startswith("error: stdin: is not JSON")


def test_a_creation_whose_answer_was_lost_is_found_in_the_output_of_the_failed_up(nodepools, copy):
    urn = "urn:pulumi:dev::nodepools::nodepools:index:EksCluster$aws:cloudwatch/logGroup:LogGroup::dev-use1-logs"
    group = {"urn": urn, "type": "aws:cloudwatch/logGroup:LogGroup", "inputs": {"name": "/aws/eks/dev-use1/cluster"}}
    (copy / "state.json").write_text(json.dumps(EMPTY))
    (copy / "preview.json").write_text(json.dumps({"steps": [{"op": "create", "urn": urn, "newState": group}]}))
    (copy / "failed.txt").write_text("  aws:cloudwatch:LogGroup (dev-use1-logs):\n    error: The specified log group already exists\n")
    found = nodepools("adopt", "pending", "state.json", "--preview", "preview.json", "--failed", "failed.txt", cwd=copy)
    told = found.out.splitlines()
    assert (found.status, told[:3]) == (
        0,
        [
            "dev: 1 resource may exist that the state does not know",
            "next: nodepools adopt pending state.json -o pending.json  # writes files only",
            "then: pending.json: Remove the entries of resources that do not exist: they were not created",
        ],
    )
    assert told[-1] == "  LogGroup dev-use1-logs  /aws/eks/dev-use1/cluster"
    alone = nodepools("adopt", "pending", "state.json", "--preview", "preview.json", cwd=copy)
    assert (alone.status, "--preview and --failed belong together" in alone.err) == (2, True)
    wrong = nodepools("adopt", "pending", "state.json", "--preview", "state.json", "--failed", "failed.txt", cwd=copy)
    assert (wrong.status, wrong.err) == (2, "error: state.json: is not a preview: write one with `pulumi preview --json`\n")
    broken = nodepools("adopt", "pending", "state.json", "--preview", "failed.txt", "--failed", "failed.txt", cwd=copy)
    assert broken.err.startswith("error: failed.txt: is not JSON")
    absent = nodepools("adopt", "pending", "state.json", "--preview", "absent.json", "--failed", "failed.txt", cwd=copy)
    assert absent.status == 2


def test_an_import_file_on_stdout(nodepools, copy, project):
    file = str(project / "examples/interrupted/state.json")
    printed = nodepools("adopt", "pending", file, "-o", "-", cwd=copy)
    ids = {entry["name"]: entry["id"] for entry in json.loads(printed.out)["resources"]}
    assert ids["dev-weu-web"].endswith("/agentPools/web")
    assert ids["dev-use1"] == "<PLACEHOLDER>"
    assert printed.err.startswith("dev: 2 resources may exist that the state does not know, 1 of them with an id that is not known\n")
    assert "aws ec2 describe-egress-only-internet-gateways --filters Name=tag:Name,Values=dev-use1-outbound-ipv6" in printed.err
    assert printed.status == 1
    assert not (copy / "-").exists()
    twice = nodepools("adopt", "pending", file, "-o", "-", "--format", "json", cwd=copy)
    assert twice.status == 2
    assert "write the other output to a file instead of `-`" in twice.json["problems"][0]["message"]


def test_what_to_do_with_pending_creations(nodepools, copy, project):
    written = nodepools("adopt", "pending", str(project / "examples/interrupted/state.json"), "-o", "p.json", cwd=copy)
    assert written.out.splitlines()[:5] == [
        "dev: 2 resources may exist that the state does not know, 1 of them with an id that is not known; wrote p.json",
        (
            "next: p.json: Replace `<PLACEHOLDER>` by the ids that the rows below say how to find, "
            "and remove the entries of resources that do not exist: they were not created"
        ),
        f"then: pulumi import --file p.json --generate-code=false --protect=false && {SETTLE}",
        LAST,
        "",
    ]
    group = "-g dev-weu --cluster-name dev-weu -n web --subscription 11111111-2222-4333-8444-555555555555"
    assert f"    this command shows it, if it exists\n      az aks nodepool show {group}\n" in written.out
    found = nodepools("adopt", "pending", str(project / "examples/interrupted/state.json"), "-o", "q.json", "--format", "json", cwd=copy).json
    assert found["files"] == ["q.json"]
    assert [one["message"] is None for one in found["pending"]] == [True, False]


@pytest.mark.program
def test_an_imported_resource_that_the_program_does_not_have_would_be_deleted(nodepools, project, copy):
    urn = "urn:pulumi:dev::nodepools::aws:cloudwatch/logGroup:LogGroup::other"
    imported = {"urn": urn, "type": "aws:cloudwatch/logGroup:LogGroup", "custom": True, "id": "other", "importID": "other", "inputs": {}}
    (copy / "state.json").write_text(json.dumps({"deployment": {"resources": [*EMPTY["deployment"]["resources"], imported]}}))
    settled = nodepools("adopt", "settle", "state.json", cwd=copy, env={"PYTHONPATH": str(project / "components")})
    assert settled.status == 1
    assert settled.out.splitlines()[:2] == [
        "dev: pulumi up would delete 1 imported resource: not in the program; not in the state: 66 resources",
        f"next: pulumi state delete '{urn}'  # changes only the state of Pulumi; unless you declare LogGroup other",
    ]


OTHER = "urn:pulumi:dev::nodepools::azure-native:containerservice:AgentPool::other"


@pytest.mark.parametrize("output", [None, Path("out.json")])
def test_a_resource_is_deleted_from_the_state_that_has_it_for_good(output):
    """The settled state has it, too: deleted before the import, it would come back. Pulumi deletes a protected one only with `--force`."""
    other = {"urn": OTHER, "type": "azure-native:containerservice:AgentPool", "id": "/other", "protect": True, "inputs": {}}
    web = {**other, "urn": OTHER.replace("other", "web"), "id": "/web", "inputs": {"count": 1, "tags": {SIGNATURE: SECRET, "ciphertext": "v1:x"}}}
    found = settled(state_of({"deployment": {"resources": [other, web]}}), {web["urn"]: {"count": 1, "tags": {"a": "b"}}})
    steps = [step.partition("  #")[0] for step in _steps(found, Path("state.json"), output)]
    after = ["pulumi stack import --file out.json", f"pulumi state delete '{OTHER}' --force", "pulumi preview", "pulumi up"]
    assert steps == (["nodepools adopt settle state.json -o settled.json"] if output is None else after)


@pytest.mark.parametrize(
    ("count", "answer"),
    [
        (1, "unknown whether pulumi up changes something of 1 imported resource: 1 secret cannot be compared"),
        (2, "pulumi up changes 1 value of 1 imported resource, and 1 secret cannot be compared"),
    ],
)
def test_a_secret_is_never_unchanged(count, answer):
    web = {"urn": OTHER, "type": "azure-native:containerservice:AgentPool", "id": "/web", "inputs": {"count": 1, "tags": {SIGNATURE: SECRET}}}
    found = settled(state_of({"deployment": {"resources": [web]}}), {OTHER: {"count": count, "tags": {"a": "b"}}})
    assert _answer(found, []) == answer
    assert [row.cells[1] for row in _rows(found)] == [f"{'pulumi up changes count; ' * (count > 1)}unknown, a secret: tags"]


EFFECTS = [
    pytest.param("ManagedCluster", {"dnsPrefix": "a"}, {"dnsPrefix": "b"}, "deletes and recreates", id="a cluster that is replaced"),
    pytest.param("ManagedCluster", {"tags": {"a": "b"}}, {"tags": {"a": "c"}}, "", id="in place"),
    pytest.param("AgentPool", {"vmSize": "a"}, {"vmSize": "b"}, "deletes and recreates", id="a pool that is replaced"),
    pytest.param("AgentPool", {"count": 1}, {"count": 2, "nodeLabels": {"nodepools/name": "x"}}, "", id="the same pool with its first label"),
    pytest.param("AgentPool", {"count": 1}, {"count": 1}, "", id="nothing"),
    pytest.param("AgentPool", {"count": 1}, {"count": 1, "newer": 1}, "has an unknown effect on", id="an argument that no table has"),
    pytest.param("ManagedClusterSnapshot", {"a": 1}, {"a": 2}, "has an unknown effect on", id="a resource that no table has"),
]


@pytest.mark.parametrize(("kind", "has", "sent", "verb"), EFFECTS)
def test_the_effect_of_a_change_is_that_of_a_diff(kind, has, sent, verb):
    urn = OTHER.replace("AgentPool", kind)
    whole = {"deployment": {"resources": [{"urn": urn, "type": f"azure-native:containerservice:{kind}", "id": "/other", "inputs": has}]}}
    found = settled(state_of(whole), {urn: sent})
    [row] = _rows(found)
    assert _answer(found, []).startswith(f"pulumi up {verb} {kind} other, and changes 1 value " if verb else "pulumi up changes ")
    assert (bool(row.reasons), _is_severe(found)) == (bool(verb), verb == "deletes and recreates")


def test_what_an_import_left_out_is_named():
    web = {"urn": OTHER, "type": "azure-native:containerservice:AgentPool", "id": "/other", "inputs": {"count": 1}}
    provider = OTHER.replace("azure-native:containerservice:AgentPool", "pulumi:providers:kubernetes")
    found = settled(state_of({"deployment": {"resources": [web]}}), {OTHER: {"count": 1}, f"{OTHER}-2": {}, provider: {}})
    assert _answer(found, []).endswith("changes nothing of 1 imported resource; not in the state: 1 resource")
    assert [row.cells for row in _rows(found)][1:] == [("not in the state", "pulumi up would create AgentPool other-2")]


def test_objects_have_an_import_file_of_their_own(nodepools, copy, project):
    printed = nodepools("adopt", str(project / "examples/adopt-eks"), "-o", "west.py", "--import", "-", cwd=copy)
    assert "notice: --import: objects inside clusters are not in this output" in printed.err
    assert "next: pulumi import --file FILE --generate-code=false && pulumi stack export --file state.json && " in printed.err
    assert json.loads(printed.out)["resources"][0]["component"] is True


def adopt(nodepools, copy, project, *options, files=("adopt",)):
    return nodepools("adopt", *(str(project / "examples" / name) for name in files), "--import", "i.json", *options, cwd=copy)


def test_a_platform_is_called_like_its_stack(nodepools, copy, project):
    assert adopt(nodepools, copy, project, "-o", "stacks/west.py").status == 0
    assert 'name="west"' in (copy / "stacks/west.py").read_text()
    entries = json.loads((copy / "i.json").read_text())["resources"]
    assert {entry["name"].partition("-")[0] for entry in entries} == {"west"}
    other = adopt(nodepools, copy, project, "-o", "stacks/west.py", "--platform", "shop")
    assert (other.status, other.err) == (2, "error: stacks/west.py: the platform of this file must be called `west`, and `--platform` is `shop`\n")


def test_objects_refer_to_the_project_in_which_they_are_imported(nodepools, copy, project):
    (copy / "Pulumi.yaml").write_text("name: fleet\nruntime: python\n")
    assert adopt(nodepools, copy, project, "-o", "stacks/west.py", files=("adopt-eks",)).status == 0
    [urn] = json.loads((copy / "i-objects.json").read_text())["nameTable"].values()
    assert urn == "urn:pulumi:west::fleet::nodepools:index:EksCluster::west-shop"


def test_what_terraform_manages_is_not_imported(nodepools, copy, project):
    held = adopt(nodepools, copy, project, "-o", "stacks/west.py", files=("adopt", "adopt-terraform"))
    assert held.status == 2
    assert held.out.startswith(
        "shop-west: not to be imported yet: Terraform still manages 2 resources; wrote stacks/west.py and removed.tf (not complete: 1 problem)\n"
        "next: terraform plan  # changes nothing; after you add removed.tf and delete the resource blocks: "
    )
    assert not (copy / "i.json").exists()
    blocks = (copy / "removed.tf").read_text()
    assert [line.split()[-1] for line in blocks.splitlines() if "from" in line] == [
        "azurerm_kubernetes_cluster.shop",
        "azurerm_kubernetes_cluster_node_pool.pools",
    ], "the resource group stays"


def test_a_raw_state_in_a_folder_is_not_passed_over(nodepools, copy, project):
    """What it manages must not be imported, and a folder of exports is where people put it."""
    folder = copy / "live"
    folder.mkdir()
    for name in ("show.json", "nodepool-list.json"):
        (folder / name).write_text((project / "examples/adopt" / name).read_text())
    (folder / "terraform.tfstate").write_text(json.dumps({"version": 4, "terraform_version": "1.9.8", "lineage": "a", "serial": 3, "resources": []}))
    answer = nodepools("adopt", "live", "-o", "west.py", "--import", "i.json", cwd=copy)
    assert answer.status == 2
    assert "live/terraform.tfstate: is a raw state of Terraform: use `terraform show -json > state.json`" in answer.err


@pytest.mark.parametrize("imports", [True, False], ids=["an import file", "none"])
def test_what_another_stack_has_is_not_imported(nodepools, copy, project, imports):
    urn = "urn:pulumi:prod::other::azure-native:containerservice:ManagedCluster::shop"
    entries = json.loads((project / "examples" / "adopt" / "show.json").read_text())
    entry = {"urn": urn, "type": "azure-native:containerservice:ManagedCluster", "id": entries["id"], "inputs": {"password": "hunter2"}}
    (copy / "state.json").write_text(json.dumps({"version": 3, "deployment": {"resources": [entry]}}))
    more = ("--import", "i.json") if imports else ()
    answer = nodepools("adopt", str(project / "examples" / "adopt"), "state.json", "-o", "west.py", *more, cwd=copy)
    assert (answer.status, (copy / "i.json").exists()) == (2 if imports else 0, False)
    assert f"a stack of Pulumi has `{urn}`" in answer.err
    assert "hunter2" not in answer.all


def test_without_an_import_file_terraform_is_of_no_matter(nodepools, copy, project):
    files = [str(project / "examples" / name) for name in ("adopt", "adopt-terraform")]
    assert nodepools("adopt", *files, "-o", "west.py", cwd=copy).status == 0
