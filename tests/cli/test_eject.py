"""docs/guides/leaving.md: an ejected program registers what the program of the stack registers: in a preview, and with every output known."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from nodepools.engine.ejection import ejected
from nodepools.engine.monitor import OutputFixture
from nodepools.engine.plan import Plan, PlannedResource
from nodepools.engine.project import read_project
from nodepools.engine.run import Program, run
from tests.cli.conftest import Run

DEPLOYER = "00000000-0000-0000-0000-000000000000"
"""The identity that deploys where there is no cloud."""


class Outputs(dict[str, OutputFixture]):
    """Every type has outputs that are not those of another resource."""

    def get(self, key: str, default: object = None) -> OutputFixture:  # type: ignore[override]  # noqa: ARG002
        return lambda name, inputs: {
            one: f"{one} of {key} {name}"
            for one in ("name", "arn", "principalId", "clientId", "endpoint", "allocationId", "fqdn", "ipAddress")
            if one not in inputs
        }


def an_id(type_: str, name: str) -> str:
    return f"/subscriptions/of-{name}/resourceGroups/x/providers/{type_}"


def registered(plan: Plan) -> dict[str, dict[str, Any]]:
    """Everything but hooks, and `ignoreChanges`, which autoscaled first pools get: tests/pulumi/test_eject.py."""
    return {one.urn: _plain(one) for one in plan.resources if one.type != "pulumi:pulumi:Stack"}


def _plain(one: PlannedResource) -> dict[str, Any]:
    options = {name: value for name, value in one.options.items() if name not in ("hooks", "ignoreChanges")}
    return {**one.to_json(), "options": options, "needs": dict(one.property_dependencies), "wire": str(one.wire[0])}


def written(program: Program, folder: Path, text: str, secrets: Mapping[str, str]) -> Program:
    folder.mkdir()
    (folder / "__main__.py").write_text(text)
    own = {f"{program.project}:{key}": value for key, value in secrets.items()}
    return replace(program, directory=folder, config={**program.config, **own}, secret_keys=(*program.secret_keys, *own))


@pytest.mark.parametrize(
    ("folder", "stack"),
    [(".", "dev"), (".", "staging"), (".", "prod"), ("examples/eks-gpu-arm", "dev"), ("examples/aks-nap", "dev"), ("examples/shop", "dev")],
)
@pytest.mark.program
@pytest.mark.usefixtures("hosts")
def test_an_ejected_program_registers_the_same(project: Path, tmp_path: Path, folder: str, stack: str) -> None:
    found = read_project(project / folder, stack)
    program = Program(found.directory, found.name, found.stack, found.config, found.secret_keys)
    made = ejected(program, DEPLOYER)
    assert made.secrets == ()
    plain = written(program, tmp_path / "plain", made.text, {})
    assert "nodepools" not in "".join(line for line in made.text.splitlines() if "import" in line)
    assert registered(run(plain)) == registered(run(program))
    outputs = Outputs()
    assert registered(run(plain, ids=an_id, outputs=outputs)) == registered(run(program, ids=an_id, outputs=outputs))


SECRET = 'hush"\nquiet'  # noqa: S105  # of nothing
"""Is not what Python or JSON write of it."""
VAULT = """import pulumi
import pulumi_aws as aws
import pulumi_azure_native as azure_native

config = pulumi.Config()
role = aws.iam.Role("web", assume_role_policy="{}")
"""
ROLE = 'aws.iam.Role("{}", assume_role_policy={})\n'
REFUSED = {
    "a secret that is also plain": (
        f'pulumi.export("key", pulumi.Output.secret({SECRET!r}))\n' + ROLE.format("b", repr(SECRET)),
        "a value that is secret is also sent as plain text: it would be written into the program",
    ),
    "a secret that is also inside of a plain text": (
        f'pulumi.export("key", pulumi.Output.secret({SECRET!r}))\n' + ROLE.format("b", repr(f"of {SECRET}!")),
        "a value that is secret is also sent as plain text: it would be written into the program",
    ),
    "a secret that is made of an output": (
        ROLE.format("b", "pulumi.Output.secret(role.id)"),
        "b: assumeRolePolicy is a secret that is made of an output",
    ),
    "a value that is computed from an output": (ROLE.format("b", "role.arn.apply(str.upper)"), "b: a name or an input is computed from an output"),
    "a value of a finished resource alone": (ROLE.format("b", "role.unique_id"), "b: assumeRolePolicy is made of an output that is not known here"),
    "a resource that is read": (
        'aws.iam.Role.get("b", "b")\n',
        "b: reads aws:iam/role:Role, which is not offered: give its values in the declaration",
    ),
    "a package that is not known": ('pulumi.CustomResource("random:index:Pet", "b", {})\n', "b: no class of the SDKs has the type random:index:Pet"),
    "an option that is not known": (
        'aws.iam.Role("b", assume_role_policy="{}", opts=pulumi.ResourceOptions(hide_diffs=["tags"]))\n',
        "b: the option `hideDiffs` cannot be written",
    ),
    "a program that fails": ('raise pulumi.RunError("no such region")\n', "no such region"),
    "outputs of two resources of one type and name": (
        'first, second = (pulumi.ComponentResource(f"shop:index:{name}", name) for name in "AB")\n'
        'made = [aws.iam.Role("same", assume_role_policy="{}", opts=pulumi.ResourceOptions(parent=one)) for one in (first, second)]\n'
        + ROLE.format("b", "made[0].arn.apply(lambda arn: made[1].arn)"),
        "b: assumeRolePolicy is made of an output of same, which is not registered, or not the only one of its type and name",
    ),
}


@pytest.fixture
def plain_project(tmp_path: Path) -> Callable[[str], Path]:
    def made(program: str) -> Path:
        (tmp_path / "Pulumi.yaml").write_text("name: shop\nruntime: python\n")
        (tmp_path / "Pulumi.dev.yaml").write_text("config:\n  aws:region: eu-central-1\n")
        (tmp_path / "__main__.py").write_text(VAULT + program)
        return tmp_path

    return made


@pytest.mark.parametrize("case", REFUSED)
@pytest.mark.program
@pytest.mark.usefixtures("hosts")
def test_a_refusal_is_one_message_and_writes_nothing(nodepools: Run, plain_project: Callable[[str], Path], case: str) -> None:
    program, said = REFUSED[case]
    folder = plain_project(program)
    answer = nodepools("eject", "plain", "--stack", "dev", cwd=folder)
    assert answer.status == 2
    assert said in answer.err
    assert answer.err.count("error: ") == 1
    assert "hush" not in answer.all
    assert "Traceback" not in answer.all
    assert {one.name for one in folder.iterdir()} - {"__pycache__"} == {"Pulumi.yaml", "Pulumi.dev.yaml", "__main__.py"}


@pytest.mark.program
@pytest.mark.usefixtures("hosts")
def test_outside_of_a_project_there_is_no_option_instead(nodepools: Run, tmp_path: Path) -> None:
    answer = nodepools("eject", "plain", cwd=tmp_path)
    assert answer.status == 2
    assert "run this in the project\n" in answer.err
    assert "--file" not in answer.err


@pytest.mark.program
@pytest.mark.usefixtures("hosts")
def test_a_folder_with_files_and_a_deployer_without_an_object_id_are_refused(nodepools: Run, plain_project: Callable[[str], Path]) -> None:
    folder = plain_project("")
    (folder / "plain").mkdir()
    (folder / "plain" / "mine.txt").touch()
    answer = nodepools("eject", "plain", "--stack", "dev", cwd=folder)
    assert (answer.status, answer.err) == (2, "error: plain: is not an empty folder: name a new one\n")
    answer = nodepools("eject", "other", "--stack", "dev", "--deployer", "me@example.com", cwd=folder)
    assert answer.status == 2
    assert "`me@example.com` is not an object id" in answer.err
    assert [one.name for one in folder.iterdir() if one.is_dir() and one.name != "__pycache__"] == ["plain"]


@pytest.mark.program
@pytest.mark.usefixtures("hosts")
def test_a_secret_is_never_written(nodepools: Run, plain_project: Callable[[str], Path]) -> None:
    folder = plain_project(
        ROLE.format("b", f"pulumi.Output.secret({SECRET!r})")
        + f'aws.iam.Policy("c", policy="{{}}", tags=pulumi.Output.secret({{"a": {SECRET!r}}}))\n'
        f'pulumi.export("key", pulumi.Output.secret({SECRET!r}))\n'
    )
    answer = nodepools("eject", "plain", "--stack", "dev", "--format", "json", cwd=folder)
    assert answer.status == 0, answer.err
    assert set(answer.json["secrets"]) == {"b-assumeRolePolicy", "c-tags"}
    assert answer.json["left"] == ["the output `key` of the stack"]
    texts = {one.name: one.read_text() for one in (folder / "plain").iterdir()}
    assert texts.keys() == {"__main__.py", "Pulumi.yaml", "requirements.txt"}
    for text in (*texts.values(), answer.all):
        assert "hush" not in text
        assert "quiet" not in text
    assert 'config.require_secret("b-assumeRolePolicy")' in texts["__main__.py"]
    assert 'config.require_secret_object("c-tags")' in texts["__main__.py"]
