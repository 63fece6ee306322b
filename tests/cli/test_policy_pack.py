"""`nodepools preview --policy-pack`: what a person sees, and how it ends."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.program

PROGRAM = """
import pulumi
from pulumi_kubernetes.apiextensions import CustomResource

CustomResource(
    "web",
    api_version="karpenter.sh/v1",
    kind="NodePool",
    metadata={"name": "web"},
    spec={
        "disruption": {"consolidationPolicy": "WhenEmptyOrUnderutilized", "consolidateAfter": "0s"},
        "template": {
            "spec": {
                "nodeClassRef": {"group": "eks.amazonaws.com", "kind": "NodeClass", "name": "main"},
                "expireAfter": EXPIRES,
                "requirements": [{"key": "kubernetes.io/arch", "operator": "In", "values": ["amd64"]}],
            }
        }
    },
)
"""


@pytest.fixture
def shop(tmp_path: Path):
    """A project of somebody's own, without a platform."""

    def write(expires: str = '"720h"') -> Path:
        (tmp_path / "Pulumi.yaml").write_text("name: shop\nruntime: python\n")
        (tmp_path / "__main__.py").write_text(PROGRAM.replace("EXPIRES", expires))
        return tmp_path

    return write


@pytest.fixture
def pack(project: Path) -> str:
    return str(project / "policy")


def test_a_mandatory_violation_is_an_error(nodepools, shop, pack):
    answer = nodepools("preview", "--policy-pack", pack, cwd=shop())
    assert answer.status == 1
    assert answer.out.startswith("dev: registers 1 resource: 1 error, 1 warning\n")
    assert "EKS044 error at kubernetes:karpenter.sh/v1:NodePool web spec.template.spec.expireAfter: '720h'" in answer.out
    assert 'fix: Set `expireAfter` to `"480h"`' in answer.out
    assert "KAR045 warning at kubernetes:karpenter.sh/v1:NodePool web spec.template.spec.requirements" in answer.out
    assert f"  policy pack {pack}: 1 error, 1 warning\n" in answer.out


def test_as_json_they_are_findings_of_their_resources(nodepools, shop, pack):
    answer = nodepools("preview", "--policy-pack", pack, "--format", "json", cwd=shop())
    assert answer.status == 1
    assert answer.err == ""
    error, warning = answer.json["findings"]
    assert error["object"] == warning["object"] == "urn:pulumi:dev::shop::kubernetes:karpenter.sh/v1:NodePool::web"
    assert (error["code"], error["severity"], error["path"]) == ("EKS044", "error", "spec.template.spec.expireAfter")
    assert (error["value"], error["fix"]["text"]) == ("720h", 'Set `expireAfter` to `"480h"`')
    assert error["source"]
    assert (warning["code"], warning["severity"]) == ("KAR045", "warning")


@pytest.mark.parametrize(("options", "status"), [pytest.param([], 0, id="a warning"), pytest.param(["--strict"], 1, id="a warning under --strict")])
def test_an_advisory_violation_is_a_warning(nodepools, shop, pack, options, status):
    answer = nodepools("preview", "--policy-pack", pack, *options, cwd=shop('"336h"'))
    assert (answer.status, "1 warning" in answer.out) == (status, True)


def test_a_configuration_gives_levels_and_settings_and_repairs(nodepools, shop, pack):
    folder = shop()
    config = {"EKS044": "advisory", "KAR045": "disabled", "consolidate-after": {"enforcementLevel": "remediate", "after": "30s"}}
    (folder / "policies.json").write_text(json.dumps(config))
    answer = nodepools("preview", "--policy-pack", pack, "--policy-pack-config", "policies.json", "--details", cwd=folder)
    assert answer.status == 0
    assert "EKS044 warning" in answer.out
    assert "consolidate-after note at kubernetes:karpenter.sh/v1:NodePool web spec" in answer.out
    assert "The policy changes this resource" in answer.out
    assert "KAR045" not in answer.out


def test_the_day_is_that_of_the_option(nodepools, tmp_path, pack):
    (tmp_path / "Pulumi.yaml").write_text("name: shop\nruntime: python\n")
    cluster = {"name": "web", "region": "us-east-1", "version": "1.35", "role_arn": "arn:aws:iam::111122223333:role/a", "vpc_config": {}}
    (tmp_path / "__main__.py").write_text(f"import pulumi_aws as aws\naws.eks.Cluster('web', **{cluster!r})\n")
    for day, said in (
        ("2026-11-21", "no findings"),
        ("2027-03-01", "EKS071 warning at aws:eks/cluster:Cluster web version"),
        ("2027-04-01", "EKS070 warning at aws:eks/cluster:Cluster web version"),
    ):
        answer = nodepools("preview", "--policy-pack", pack, "--today", day, cwd=tmp_path)
        assert said in answer.out
        assert answer.status == 0


WRONG = [
    pytest.param(["--policy-pack", "none"], "no policy pack at none: none/PulumiPolicy.yaml: No such file or directory", id="no such folder"),
    pytest.param(["--policy-pack-config", "c.json"], "needs `--policy-pack`", id="a configuration without a pack"),
    pytest.param(["--policy-pack", "PACK", "--policy-config", "none.json"], "none.json: No such file or directory", id="no such configuration"),
    pytest.param(["--policy-pack", "PACK", "--policy-config", "bad.json"], "bad.json: EKS044: 'must' is not a level", id="no level"),
    pytest.param(
        ["--policy-pack", "PACK", "--policy-config", "typo.json"],
        "`required-tag` is not a policy of this pack: use `required-tags`",
        id="no policy",
    ),
    pytest.param(["--policy-pack", "PACK", "--policy-config", "long.json"], "maximum-vcpus: vcpus: 'x' is not valid", id="no number"),
    pytest.param(["--policy-pack", "broken"], "does not start: ModuleNotFoundError: No module named 'pulumi_policies'", id="a package is missing"),
]


@pytest.mark.parametrize(("options", "message"), WRONG)
def test_wrong_use_is_one_clear_error(nodepools, shop, pack, options, message):
    folder = shop()
    (folder / "bad.json").write_text('{"EKS044": "must"}')
    (folder / "typo.json").write_text('{"required-tag": "advisory"}')
    (folder / "long.json").write_text('{"maximum-vcpus": {"vcpus": "x"}}')
    (folder / "broken").mkdir()
    (folder / "broken" / "PulumiPolicy.yaml").write_text("runtime: python\n")
    (folder / "broken" / "__main__.py").write_text("import pulumi_policies\n")
    answer = nodepools("preview", *(pack if option == "PACK" else option for option in options), cwd=folder)
    assert (answer.status, answer.out) == (2, "")
    assert answer.err.startswith("error: ")
    assert message in answer.err
    assert len(answer.err.splitlines()) == 1


@pytest.mark.skipif(shutil.which("ps") is None, reason="needs ps to see processes")
@pytest.mark.parametrize("number", [pytest.param(signal.SIGINT, id="Ctrl-C"), pytest.param(signal.SIGTERM, id="a termination")])
@pytest.mark.usefixtures("interruptible")
def test_an_interrupt_leaves_no_pack_behind(shop, number):
    folder = shop()
    (folder / "slow").mkdir()
    (folder / "slow" / "PulumiPolicy.yaml").write_text("runtime: python\n")
    (folder / "slow" / "__main__.py").write_text(
        "import os, time\nfrom pathlib import Path\nPath(__file__).with_name('pid').write_text(str(os.getpid()))\ntime.sleep(60)\n"
    )
    command = [sys.executable, "-m", "nodepools", "preview", "--policy-pack", "slow"]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as preview:
        pid = folder / "slow" / "pid"
        end = time.monotonic() + 60
        while not (pid.exists() and pid.read_text()) and time.monotonic() < end:
            time.sleep(0.05)
        preview.send_signal(number)
        _, err = preview.communicate(timeout=30)
    assert preview.returncode == (130 if number == signal.SIGINT else 128 + number)
    assert "Traceback" not in err
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid.read_text()), 0)
