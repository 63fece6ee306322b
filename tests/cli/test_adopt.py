"""What `nodepools adopt` says of a declaration that cannot be deployed, and of what it does not know."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from nodepools.rules.engine.registry import About, all_rules
from tests.cli.conftest import Answer, Run

ID = "/subscriptions/00000000-0000-0000-0000-000000000000/resourcegroups/shop/providers/Microsoft.ContainerService/managedClusters/shop"
POOL = {"name": "system", "mode": "System", "osType": "Linux", "type": "VirtualMachineScaleSets", "vmSize": "Standard_D4ds_v5", "count": 3}
SPOT = {**POOL, "name": "spot", "mode": "User", "scaleSetPriority": "Spot", "upgradeSettings": {"maxSurge": "10%"}}


@pytest.fixture
def adopted(nodepools: Run, tmp_path: Path) -> Any:
    """Runs `adopt` on a cluster with these fields."""

    def run(*options: str, pools: tuple[dict[str, Any], ...] = (POOL,), **fields: Any) -> Answer:
        shown = {"id": ID, "name": "shop", "location": "westeurope", "kubernetesVersion": "1.35", "identity": {"type": "SystemAssigned"}}
        shown |= {"type": "Microsoft.ContainerService/ManagedClusters", "agentPoolProfiles": pools}
        (tmp_path / "show.json").write_text(json.dumps({**shown, **fields}))
        return nodepools("adopt", "show.json", *options, cwd=tmp_path)

    return run


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        pytest.param({"pools": (POOL, SPOT)}, "AKS019", id="a field that this kind of pool does not have"),
    ],
)
@pytest.mark.parametrize("form", ["text", "json", "markdown"])
def test_errors_of_the_declaration_come_first_and_fail(adopted: Any, tmp_path: Path, fields: dict[str, Any], code: str, form: str) -> None:
    options = ("--format", "json") if form == "json" else ("-o", "x.py", "--report", "r.md")
    answer = adopted(*options, **fields)
    assert answer.status == 1
    if form == "json":
        assert code in [finding["code"] for finding in answer.json["findings"] if finding["severity"] == "error"]
    else:
        text = answer.out if form == "text" else (tmp_path / "r.md").read_text()
        assert text.removeprefix("**").startswith(
            "shop: 1 error of the declaration stops pulumi up: correct it before the import; wrote x.py and r.md"
        )
        assert "next: x.py: clusters.shop." in text
        assert text.index(code) < text.index("values of 2 resources are declared")


_NOT_YET = "not imported yet: do not run pulumi up before the import; after it, "


def test_the_answer_says_what_the_first_up_does_and_which_files_were_written(nodepools: Run, project: Path, tmp_path: Path) -> None:
    examples = project / "examples"
    answer = nodepools("adopt", str(examples / "adopt"), "-o", "stacks/shop.py", "--import", "import.json", cwd=tmp_path)
    assert answer.status == 0
    assert answer.out.splitlines()[:4] == [
        f"shop-west: {_NOT_YET}the first pulumi up changes nothing; wrote stacks/shop.py and import.json",
        (
            "next: pulumi import --stack shop --file import.json --generate-code=false && pulumi stack export --stack shop --file state.json"
            " && nodepools adopt settle state.json -o settled.json && pulumi stack import --stack shop --file settled.json"
            "  # changes only the state of Pulumi; protected at least until the first complete `pulumi up`"
        ),
        "then: pulumi preview --stack shop  # changes nothing; must show no create, no replace and no delete",
        "then: pulumi up --stack shop  # changes the cloud; only if the preview shows no create, no replace and no delete",
    ]
    assert (tmp_path / "stacks/shop.py").exists(), "the folder is created"
    eks = nodepools("adopt", str(examples / "adopt-eks"), "-o", "x.py", "--import", "i.json", "--report", "r.txt", cwd=tmp_path)
    assert eks.out.startswith(
        f"shop: {_NOT_YET}pulumi up makes only 1 expected change; wrote x.py, i.json, i-objects.json and r.txt\n"
        "next: pulumi import --file i.json --generate-code=false && pulumi import --file i-objects.json --generate-code=false && pulumi"
    )
    assert "\x1b" not in (tmp_path / "r.txt").read_text()
    assert nodepools("adopt", str(examples / "adopt"), "--format", "json", "-o", "y.py", cwd=tmp_path).json["files"] == ["y.py"]


def test_a_secret_is_a_change(adopted: Any) -> None:
    answer = adopted("-o", "x.py", tags={"password": "hunter2"})
    assert answer.status == 1
    assert answer.out.startswith(f"shop: {_NOT_YET}pulumi up would change 1 thing: tags.password; wrote x.py\n")
    assert "next: x.py: Set `tags.password` from a secret of the Pulumi configuration, unless `pulumi up` may remove it\n" in answer.out
    assert "hunter2" not in answer.all


def test_values_are_details(nodepools: Run, project: Path, tmp_path: Path) -> None:
    path = "pools.web.overrides.tags.team"
    short, whole = (nodepools("adopt", str(project / "examples/adopt"), "-o", "x.py", *more, cwd=tmp_path).out for more in ((), ("--details",)))
    assert path not in short
    assert path in whole
    assert re.search(r"^  declared in `overrides` +6$", short, re.MULTILINE)
    wrong = nodepools("adopt", str(project / "examples/adopt"), "--report", "-", cwd=tmp_path)
    assert (wrong.status, wrong.err) == (2, "error: `--report` is a file; `--details` prints the whole report\n")


def test_what_is_not_known_is_not_said_to_stay(adopted: Any) -> None:
    answer = adopted("-o", "x.py", totallyNewProfile={"enabled": True}, provisioningState="Failed")
    assert answer.out.startswith(f"shop: {_NOT_YET}unknown whether pulumi up changes something: 1 setting is not known here, ")
    lines = answer.out.splitlines()
    assert "what the cloud then does is unknown" in lines[lines.index("    totallyNewProfile") - 1]
    assert "shop: the state of the cluster is `Failed`" in answer.err


def test_a_cluster_that_is_stopped_is_told(adopted: Any) -> None:
    answer = adopted("-o", "x.py", powerState={"code": "Stopped"}, provisioningState="Updating")
    assert "shop: the cluster is stopped: run `az aks start`" in answer.err
    assert "shop: the state of the cluster is `Updating`: export it again" in answer.err


def test_a_cluster_that_is_stopped_with_its_pools_is_exported_again(adopted: Any) -> None:
    stopped = {"code": "Stopped"}
    answer = adopted("-o", "x.py", powerState=stopped, pools=({**POOL, "count": 0, "powerState": stopped},))
    assert answer.status == 2
    assert "`shop` is stopped, and its export has no nodes of its pools: run `az aks start`, and export it again" in answer.err


@pytest.mark.parametrize("name", ["x.yaml", "X.YAML", "x.yml", "x.json", "x.JSON"])
def test_the_ending_of_the_output_says_in_what_form_it_is(adopted: Any, nodepools: Run, tmp_path: Path, name: str) -> None:
    adopted("-o", name)
    assert "no errors" in nodepools("check", "--file", name, cwd=tmp_path).out
    if name.lower().endswith(".json"):
        assert "shop" in json.loads((tmp_path / name).read_text())["clusters"]


@pytest.mark.parametrize(("state", "told"), [("Failed", "takes up the operation that failed"), ("Upgrading", "export it again"), ("Succeeded", "")])
def test_a_pool_that_is_not_at_rest_is_told(nodepools: Any, project: Path, tmp_path: Path, state: str, told: str) -> None:
    pools = json.loads((project / "examples/adopt/nodepool-list.json").read_text())
    pools[1]["provisioningState"] = state
    (tmp_path / "pools.json").write_text(json.dumps(pools))
    answer = nodepools("adopt", str(project / "examples/adopt/show.json"), "pools.json", "-o", "x.py", cwd=tmp_path)
    assert answer.status == 0
    assert (f"the state of pool `web` is `{state}`: " in answer.err) is bool(told)
    assert told in answer.err


def test_errors_about_creation_are_accepted_with_a_reason(adopted: Any, tmp_path: Path) -> None:
    answer = adopted("-o", "x.py", kubernetesVersion="1.24")
    assert answer.status == 0
    assert '"AKS142": "it exists"' in (tmp_path / "x.py").read_text()


@pytest.mark.parametrize(
    ("options", "why"),
    [
        pytest.param(("-o", "show.json"), "show.json: is an input of this command", id="the declaration"),
        pytest.param(("-o", "a.py", "--import", "show.json"), "show.json: is an input of this command", id="the import file"),
        pytest.param(("-o", "a.py", "--report", "./a.py"), "a.py: is the name of two outputs", id="two outputs"),
    ],
)
def test_no_output_is_written_over_an_input_or_another_output(adopted: Any, tmp_path: Path, options: tuple[str, ...], why: str) -> None:
    answer = adopted(*options)
    assert (answer.status, why in answer.err) == (2, True), answer.all
    assert sorted(file.name for file in tmp_path.iterdir()) == ["show.json"]
    assert json.loads((tmp_path / "show.json").read_text())["name"] == "shop"


def test_what_a_later_up_does_is_not_hidden_by_the_first_one(adopted: Any) -> None:
    """No warning that `pulumi up` fails stands below a line that only says that nothing changes."""
    assert {rule.code for rule in all_rules().values() if rule.about is About.LATER} == {"AKS066", "AKS067", "AKS069"}
    answer = adopted("-o", "x.py", kubernetesVersion="1.35.1", autoUpgradeProfile={"upgradeChannel": "patch"})
    assert ", but a later one can fail, after an automatic upgrade; wrote x.py" in " ".join(answer.out.split())


def test_a_pool_of_others_takes_pods_too(nodepools: Run, project: Path, tmp_path: Path) -> None:
    place = project.parent / "shared/data/observed/eks-platform-prod"
    if not place.is_dir():
        pytest.skip("the exports of observed clusters are not next to this project")
    assert "PLT001" not in nodepools("adopt", str(place), "-o", "x.py", cwd=tmp_path).out


def test_many_clusters_are_one_row_each(nodepools: Run, tmp_path: Path) -> None:
    for number in range(4):
        shown = {"id": ID.replace("shop", f"s{number}"), "name": f"s{number}", "location": "westeurope", "kubernetesVersion": "1.35"}
        shown |= {"type": "Microsoft.ContainerService/ManagedClusters", "agentPoolProfiles": [POOL], "identity": {"type": "SystemAssigned"}}
        secret = {"tags": {"password": "hunter2"}} if number else {}
        (tmp_path / f"{number}.json").write_text(json.dumps({**shown, **secret}))
    lines = nodepools("adopt", *(f"{number}.json" for number in range(4)), "-o", "x.py", cwd=tmp_path).out.splitlines()
    at = next(number for number, line in enumerate(lines) if line.split()[:2] == ["cluster", "values"])
    assert [line.split()[0] for line in lines[at + 1 :] if line.startswith("  s")] == ["s0", "s1", "s2", "s3"]
    assert "1 would change" in lines[at + 2]
    assert "pulumi up removes them: tags.password" in lines[at + 3]


@pytest.mark.parametrize("name", ["weu.yaml", "weu.json", "weu.py"])
def test_a_second_run_does_not_read_the_outputs_of_the_first(nodepools: Run, project: Path, tmp_path: Path, name: str) -> None:
    shutil.copytree(project / "examples/adopt", tmp_path / "exports")
    words = ("adopt", ".", "-o", f"out/{name}", "--import", "import.json", "--report", "r.md")
    first = nodepools(*words, cwd=tmp_path / "exports")
    written = tmp_path / "exports/out" / name
    written.write_bytes(b"\xef\xbb\xbf" + written.read_bytes().replace(b"\n", b"\r\n"))  # as an editor on Windows saves it
    again = nodepools(*words, cwd=tmp_path / "exports")

    assert (first.status, first.out) == (again.status, again.out)
    assert "import.json" in again.err
    assert "an output of nodepools: not read as part of a folder" in again.err
    assert ("a declaration of nodepools: not read as part of a folder" in again.err) == (not name.endswith(".py"))


def test_records_comparisons_and_baselines_next_to_exports_are_not_exports(nodepools: Run, project: Path, tmp_path: Path) -> None:
    shutil.copytree(project / "examples/ledger", tmp_path / "shop")
    for output in ("edit.json", "compared.json"):
        words = ("compare", "edit.json", "--file", "platform.yaml", "--existing", "after", "-o", f"after/{output}")
        first, again = (nodepools(*words, cwd=tmp_path / "shop") for _ in range(2))
        assert "1 of 1 decided prediction came true" in first.out
        assert again.out == first.out
        assert "not recognized" not in again.err


NODE_GROUP = {"nodegroupName": "web", "nodegroupArn": "arn:aws:eks:us-east-1:111122223333:nodegroup/shop/web/a", "clusterName": "shop"}
VNET = {"id": "/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/v", "type": "Microsoft.Network/virtualNetworks"}


@pytest.mark.parametrize(
    ("content", "told"),
    [
        pytest.param({"nodegroup": NODE_GROUP}, "notice: x.json: node groups are not declared, and stay as they are: web", id="a node group"),
        pytest.param([{"nodegroup": NODE_GROUP}] * 2, "notice: x.json: node groups are not declared", id="several node groups"),
        pytest.param(
            {"nodegroups": ["other"]}, "error: x.json: has only the names of node groups: export each of them with `aws eks describe-", id="names"
        ),
        pytest.param({"nodegroups": []}, "notice: x.json: is an output of `aws eks list-nodegroups`: nothing in it is used here", id="no names"),
        pytest.param({"clusters": ["shop"]}, "error: x.json: has only the names of clusters: export each of them", id="names of clusters"),
        pytest.param({"fargateProfileNames": ["f"]}, "error: x.json: has only the names of Fargate profiles: export each", id="names of profiles"),
        pytest.param({"Reservations": []}, "notice: x.json: is an output of `aws ec2 describe-instances`", id="instances"),
        pytest.param([VNET], "notice: x.json: is an output of `az` about `Microsoft.Network/virtualNetworks`", id="a network of Azure"),
        pytest.param([VNET, {"something": 1}], "error: x.json:", id="a network next to something else"),
        pytest.param({"name": "p", "clusters": {"weu": {}}}, "error: x.json:", id="a declaration"),
        pytest.param({"something": 1}, "error: x.json:", id="something else"),
    ],
)
def test_other_outputs_of_the_clouds_are_named_by_each_reader(nodepools: Run, project: Path, tmp_path: Path, content: Any, told: str) -> None:
    """A node group is read by those that count pools; all others say what they cannot use, and what to run instead of a list of names."""
    (tmp_path / "x.json").write_text(json.dumps(content))
    example, groups = str(project / "examples/adopt-eks"), str(project / "examples/node-groups")
    status = 2 if told.startswith("error") else 0
    adopted = nodepools("adopt", example, "x.json", "-o", "p.yaml", cwd=tmp_path)
    assert (adopted.status, told in adopted.err) == (status, True), adopted.err
    nodepools("adopt", example, "-o", "p.yaml", cwd=tmp_path)
    for words in (
        ("capacity", "--file", "p.yaml", "--existing", "x.json"),
        ("explain", f"{groups}/workloads.yaml", "--existing", f"{groups}/exports", "--existing", "x.json"),
    ):
        answer = nodepools(*words, cwd=tmp_path)
        assert ("" if "not declared" in told else told) in answer.err
