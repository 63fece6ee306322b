"""What `nodepools adopt` says of a declaration that cannot be deployed, and of what it does not know."""

import json
from pathlib import Path
from typing import Any

import pytest

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
        first = (answer.out if form == "text" else (tmp_path / "r.md").read_text()).partition("shop: cluster" if form == "text" else "## ")[0]
        assert "`nodepools preview` and `pulumi up` stop at these errors" in first
        assert code in first


def test_what_is_not_known_is_not_said_to_stay(adopted: Any) -> None:
    answer = adopted("-o", "x.py", totallyNewProfile={"enabled": True}, provisioningState="Failed")
    [line] = [line for line in answer.out.splitlines() if "totallyNewProfile" in line]
    assert "what the cloud then does is not known" in line
    assert "shop: the state of the cluster is `Failed`" in answer.err


def test_a_cluster_that_is_stopped_is_told(adopted: Any) -> None:
    answer = adopted("-o", "x.py", powerState={"code": "Stopped"}, provisioningState="Updating")
    assert "shop: the cluster is stopped: run `az aks start`" in answer.err
    assert "shop: the state of the cluster is `Updating`: export it again" in answer.err


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
