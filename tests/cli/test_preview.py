"""`nodepools preview`, end to end: the installed script, in a project of one's own."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from nodepools.engine.errors import EngineError
from nodepools.engine.time_limit import seconds_of, usual_seconds

pytestmark = pytest.mark.program

SCRIPT = Path(sys.executable).with_name("nodepools")


@pytest.fixture(scope="module")
def answers(tmp_path_factory, project):
    """The answers for stack dev, from a copy of the project, by the console script."""
    import shutil

    folder = tmp_path_factory.mktemp("project")
    shutil.copytree(project / "stacks", folder / "stacks", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("__main__.py", "Pulumi.yaml", "Pulumi.dev.yaml"):
        shutil.copy(project / name, folder / name)

    def answer(*options):
        done = subprocess.run([SCRIPT, "preview", *options], cwd=folder, capture_output=True, text=True, check=False, timeout=120)
        assert done.returncode == 0, done.stderr
        return done

    return answer("--details"), answer("--stack", "dev", "--format", "json"), answer()


SHOWN = [
    pytest.param("westeurope", id="the first cluster"),
    pytest.param("northeurope", id="the second"),
    pytest.param("us-east-1", id="the third"),
    pytest.param("CriticalAddonsOnly=true:NoSchedule", id="the taint of system pools"),
    pytest.param("kubernetes.azure.com/scalesetpriority=spot:NoSchedule", id="the spot taint"),
    pytest.param("NAP Auto", id="node auto provisioning"),
    pytest.param("karpenter.sh/capacity-type In [spot, on-demand]", id="the first requirement of the EKS pool"),
    pytest.param("eks.amazonaws.com/instance-category In [c, m, r]", id="the second"),
    pytest.param("eks.amazonaws.com/instance-cpu In [2, 4, 8]", id="the third one"),
    pytest.param("kubernetes.io/arch In [amd64]", id="the fourth"),
    pytest.param("kubernetes:karpenter.sh/v1:NodePool", id="a NodePool in the tree"),
    pytest.param("next: pulumi preview --stack dev  # changes nothing; compares with the state", id="what gives the real difference"),
    pytest.param("kubeconfig-weu: (secret)", id="secrets as such"),
]


@pytest.mark.parametrize("part", SHOWN)
def test_the_text_shows(answers, part):
    assert part in answers[0].stdout


def test_the_answer_is_the_first_line_and_the_resources_are_details(answers):
    lines = answers[2].stdout.splitlines()
    assert lines[0].startswith("dev: registers 74 resources in 3 clusters: no errors")
    assert "Pools" in lines
    assert lines[lines.index("Outputs") + 1] == "  clusters, kubeconfig-neu, kubeconfig-use1, kubeconfig-weu"
    assert "(secret)" not in answers[2].stdout
    assert "Resources" not in lines
    assert len(lines) <= 40


def test_text_without_a_terminal_has_no_colour(answers):
    assert "\x1b[" not in answers[0].stdout


def test_json_stands_alone_and_holds_the_contract(answers):
    plan = json.loads(answers[1].stdout)
    assert set(plan) == {"schema", "command", "answer", "next", "complete", "problems", "notices", "stack", "resources", "outputs", "findings"}
    assert all(set(one) == {"urn", "type", "name", "parent", "inputs", "dependencies", "options"} for one in plan["resources"])
    urns = [one["urn"] for one in plan["resources"]]
    assert urns == sorted(urns)
    assert answers[1].stderr.splitlines() == [f"notice: {notice['message']}" for notice in plan["notices"]]
    assert [notice["message"].partition(" are assumed")[0] for notice in plan["notices"]] == ["the zones of the region"]


def test_json_holds_both_kinds_of_object_and_no_secret(answers):
    plan = json.loads(answers[1].stdout)
    types = {one["type"] for one in plan["resources"]}
    assert {"kubernetes:karpenter.sh/v1:NodePool", "kubernetes:eks.amazonaws.com/v1:NodeClass"} <= types
    assert set(plan["outputs"]["clusters"]) == {"weu", "neu", "use1"}
    for cluster in plan["outputs"]["clusters"].values():
        assert set(cluster) >= {"endpoint", "oidc_issuer", "pools"}
    assert {name for name, value in plan["outputs"].items() if value == {"$secret": True}} == {f"kubeconfig-{key}" for key in ("weu", "neu", "use1")}


def test_two_runs_give_the_same_plan(nodepools, answers, copy):
    assert nodepools("preview", "--format", "json", cwd=copy).json == json.loads(answers[1].stdout)


def test_a_faulty_stack_is_not_run(nodepools, copy):
    dev = copy / "stacks" / "dev.py"
    dev.write_text(dev.read_text().replace('labels={"tier": "web"}', 'labels={"kubernetes.azure.com/mode": "web"}'))
    answer = nodepools("preview", cwd=copy)
    assert answer.status == 1
    assert "kubernetes.azure.com/mode" in answer.out
    assert "the program did not run, because the declaration is invalid: " in answer.out
    answer = nodepools("preview", "--format", "json", cwd=copy)
    assert answer.status == 1
    assert answer.json["resources"] == []
    assert answer.json["findings"]


def test_the_program_sees_what_its_stack_changed(nodepools, copy):
    dev = copy / "stacks" / "dev.py"
    dev.write_text(f"import os\n\nos.environ['SEEN'] = 'set by the stack'\n{dev.read_text()}")
    main = copy / "__main__.py"
    before = nodepools("preview", "--format", "json", cwd=copy).json["resources"]
    main.write_text(f"import os\n\nimport pulumi\n\npulumi.export('seen', os.environ.get('SEEN'))\n{main.read_text()}")
    plan = nodepools("preview", "--format", "json", cwd=copy).json
    assert plan["outputs"]["seen"] == "set by the stack"
    assert [one["urn"] for one in plan["resources"]] == [one["urn"] for one in before]


PROGRAMS = [
    pytest.param(
        "import pulumi\n\ndef deep():\n    raise ValueError('mine')\n\ndeep()\n",
        2,
        ["__main__.py", "line 6", "line 4", "ValueError: mine"],
        id="raises",
    ),
    pytest.param("import sys\nsys.exit(3)\n", 2, ["exited with status 3"], id="ends itself"),
    pytest.param("x = (\n", 2, ["__main__.py", "SyntaxError"], id="is no Python"),
    pytest.param(
        "import pulumi\nfrom pulumi_aws import ec2\nec2.get_ami(owners=['self'])\n",
        2,
        ["aws:ec2/getAmi:getAmi"],
        id="asks the cloud something we do not know",
    ),
]


REGISTERS_THEN_FAILS = """
from pulumi_azure_native import resources

def fail(_):
    raise ValueError("mine")

resources.ResourceGroup("group", location="westeurope").location.apply(fail)
"""


@pytest.mark.parametrize(("program", "status", "said"), PROGRAMS)
def test_a_program_that_fails_is_told_by_its_own_lines(copy, program, status, said):
    (copy / "__main__.py").write_text(program)
    answer = started_quietly(copy)
    assert answer.returncode == status
    assert answer.stdout.startswith("dev: the program failed after it registered 0 resources; a preview changes no cloud")
    for part in said:
        assert part in answer.stderr
    assert "site-packages" not in answer.stderr
    assert "nodepools/engine" not in answer.stderr


def test_resources_that_no_rule_has_read_are_not_said_to_be_right(copy):
    shutil.rmtree(copy / "stacks")
    (copy / "__main__.py").write_text("from pulumi_azure_native import resources\n\nresources.ResourceGroup('group', location='westeurope')\n")
    answer = started_quietly(copy)
    assert answer.stdout.startswith("dev: registers 1 resource: not checked here\nnext: nodepools preview --policy-pack")
    assert answer.returncode == 0


def test_the_document_of_a_program_that_fails_has_what_it_registered_before(copy):
    (copy / "__main__.py").write_text(REGISTERS_THEN_FAILS)
    answer = started_quietly(copy, "--format", "json")
    document = json.loads(answer.stdout)
    assert (answer.returncode, document["complete"]) == (2, False)
    assert {resource["type"] for resource in document["resources"]} == {"pulumi:pulumi:Stack", "azure-native:resources:ResourceGroup"}
    assert [problem["path"] for problem in document["problems"]] == ["__main__.py"]
    assert "ValueError: mine" in document["problems"][0]["message"]


def started_quietly(folder, *options):
    return subprocess.run([SCRIPT, "preview", *options], cwd=folder, capture_output=True, text=True, check=False, timeout=120)


@pytest.mark.parametrize(
    ("dev", "said"),
    [
        pytest.param("1 / 0\n", "stacks/dev.py:1: ZeroDivisionError", id="a stack that raises"),
        pytest.param("", "stacks/dev.py: `PLATFORM` is not defined", id="a stack without a platform"),
    ],
)
def test_a_stack_that_cannot_be_read_is_one_line(nodepools, copy, dev, said):
    (copy / "stacks" / "dev.py").write_text(dev)
    answer = nodepools("preview", cwd=copy)
    assert (answer.status, answer.out, answer.err.count("\n")) == (2, "", 1)
    assert said in answer.err


def test_an_unknown_stack_lists_the_known_ones(nodepools, copy):
    answer = nodepools("preview", "--stack", "prodd", cwd=copy)
    assert (answer.status, answer.out) == (2, "")
    assert answer.err == "error: stack `prodd` not found (available: dev, prod, staging): use `--stack prod`\n"


def test_a_project_without_a_program_says_so(nodepools, copy):
    (copy / "__main__.py").unlink()
    answer = nodepools("preview", cwd=copy)
    assert answer.status == 2
    assert "no program found" in answer.err


def test_an_unreadable_settings_file_is_one_line(nodepools, copy):
    (copy / "Pulumi.dev.yaml").write_text("config: [\n")
    answer = nodepools("preview", cwd=copy)
    assert answer.status == 2
    assert "Pulumi.dev.yaml" in answer.err


def test_a_program_that_hangs_is_ended(nodepools, copy):
    (copy / "__main__.py").write_text("import time\ntime.sleep(60)\n")
    answer = nodepools("preview", "--timeout", "2", cwd=copy)
    assert answer.status == 2
    assert "did not end within 2 seconds and was stopped; `--timeout` raises the limit" in answer.err


def test_a_plan_of_terraform_registers_nothing(nodepools, tmp_path):
    block = {"name": "s", "vm_size": "Standard_D4ds_v5", "node_count": 3}
    made = {"name": "shop", "location": "westeurope", "resource_group_name": "shop", "kubernetes_version": "1.35", "default_node_pool": [block]}
    kind = "azurerm_kubernetes_cluster"
    one = {"address": f"{kind}.this", "mode": "managed", "type": kind, "change": {"actions": ["create"], "before": None, "after": made}}
    (tmp_path / "plan.json").write_text(json.dumps({"format_version": "1.2", "terraform_version": "1.14.1", "resource_changes": [one]}))
    answer = nodepools("preview", "--file", "plan.json", cwd=tmp_path)
    assert (answer.status, answer.out) == (2, "")
    assert "plan.json: is of Terraform, which registers nothing with Pulumi" in answer.err


@pytest.mark.parametrize("limit", ["-1", "inf", "nan", "1e300", "x"])
def test_a_time_limit_that_is_none_is_wrong_use(nodepools, copy, limit):
    answer = nodepools("preview", "--timeout", limit, cwd=copy)
    assert (answer.status, answer.out) == (2, "")
    assert "--timeout" in answer.err


@pytest.mark.parametrize("limit", ["0", "none"])
def test_the_time_limit_can_be_turned_off(limit):
    assert seconds_of(limit, "`--timeout`") is None


def test_the_usual_time_limit_is_that_of_the_environment(monkeypatch):
    monkeypatch.delenv("NODEPOOLS_PROGRAM_SECONDS", raising=False)
    assert usual_seconds() == 300
    monkeypatch.setenv("NODEPOOLS_PROGRAM_SECONDS", "7.5")
    assert usual_seconds() == 7.5
    monkeypatch.setenv("NODEPOOLS_PROGRAM_SECONDS", "none")
    assert usual_seconds() is None
    monkeypatch.setenv("NODEPOOLS_PROGRAM_SECONDS", "long")
    with pytest.raises(EngineError, match="`NODEPOOLS_PROGRAM_SECONDS` must be a number of seconds"):
        usual_seconds()


@pytest.mark.usefixtures("interruptible")
def test_an_interrupt_leaves_no_process_behind(copy):
    (copy / "__main__.py").write_text(f"import os, time\nopen({str(copy / 'child')!r}, 'w').write(str(os.getpid()))\ntime.sleep(60)\n")
    running = subprocess.Popen([SCRIPT, "preview"], cwd=copy, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
    child = wait_for(copy / "child")
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=30)
    assert (running.returncode, out) == (130, "")
    assert err == "error: interrupted\n"
    with pytest.raises(ProcessLookupError):
        os.kill(child, 0)


def wait_for(path):
    for _ in range(1200):
        if path.exists() and path.read_text():
            return int(path.read_text())
        time.sleep(0.1)
    raise AssertionError(f"{path} never came")


HIDDEN = [
    pytest.param("pulumi_aws", ["preview"], 2, "pip install 'nodepools[eks]'", id="the AWS SDK"),
    pytest.param("pulumi_azure_native", ["preview"], 2, "pip install 'nodepools[aks]'", id="the Azure SDK"),
    pytest.param("grpc", ["preview"], 2, "pip install 'nodepools[cli]'", id="gRPC"),
    pytest.param("typer", ["check"], 2, "pip install 'nodepools[cli]'", id="typer"),
]


@pytest.mark.parametrize(("package", "command", "status", "said"), HIDDEN)
def test_a_missing_package_is_told_with_what_to_install(nodepools, copy, package, command, status, said):
    hook = copy / "hidden" / "sitecustomize.py"
    hook.parent.mkdir()
    hook.write_text(f"import sys\nsys.modules[{package!r}] = None\n")
    answer = nodepools(*command, cwd=copy, env={"PYTHONPATH": str(hook.parent)})
    assert answer.status == status
    assert said in answer.err


DECLARED = """
from nodepools import AksClusterArgs, EksClusterArgs, Platform, SystemPool, UserPool

SIZE = "Standard_D4ds_v5"
PLATFORM = Platform(
    name="dev",
    clusters={
        "weu": AksClusterArgs(
            location="westeurope",
            kubernetes_version="1.36",
            system_pool=SystemPool(vm_size=SIZE, count=3, overrides={"agent_pool_name": "first"}),
            pools={"web": UserPool(vm_size=SIZE, overrides={"agent_pool_name": "web", "max_pods": {30}})},
            overrides={"network_profil": {}, "resource_group_name": "shop", "opts": 1},
        ),
        "use1": EksClusterArgs(region="us-east-1", kubernetes_version="1.36", overrides={"role_arn": None, "vpc_config": "x"}),
    },
)
"""


def test_wrong_overrides_are_findings_and_no_traceback(tmp_path, project):
    """The SDKs would raise a TypeError or a ValueError for each, one at a time."""
    for name in ("__main__.py", "Pulumi.yaml"):
        (tmp_path / name).write_text((project / name).read_text())
    (tmp_path / "stacks").mkdir()
    (tmp_path / "stacks/__init__.py").touch()
    (tmp_path / "stacks/dev.py").write_text(DECLARED)
    done = subprocess.run([SCRIPT, "preview", "--stack", "dev"], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120)
    said = done.stdout + done.stderr
    assert done.returncode == 1
    assert "Traceback" not in said
    assert said.count("PLT022 error") == 5
    assert said.count("PLT024 error") == 3
    assert "the program did not run, because the declaration is invalid: " in said
