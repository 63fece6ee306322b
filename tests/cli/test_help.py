"""Help pages, and errors in the arguments of commands."""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import cast

import pytest
from typer.main import get_command

from nodepools.cli.examples import COMMANDS, EXAMPLES, OPTIONS, PROGRAM
from nodepools.cli.program import Program, app
from tests.cli.conftest import Run, Starter

APP = cast("Program", get_command(app))
OPTION_NAMES = {name for command in APP.commands.values() for param in command.params for name in param.opts}
PAGES = [pytest.param("", id="the program"), *(pytest.param(name, id=name) for name in APP.commands)]
PLATFORM = """name: dev
clusters:
  weu: {kind: AksCluster, location: westeurope, kubernetes_version: "1.35", system_pool: {vm_size: Standard_D4ds_v5, count: 2}}
"""
LINES = [pytest.param(example.line, id=example.line) for examples in EXAMPLES.values() for example in examples]

STACK = "urn:pulumi:dev::nodepools::pulumi:pulumi:Stack::nodepools-dev"
MANIFESTS = """\
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: web}
spec:
  template:
    spec:
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: default}
      requirements:
        - {key: karpenter.sh/capacity-type, operator: In, values: [on-demand]}
        - {key: kubernetes.io/arch, operator: In, values: [amd64]}
---
apiVersion: v1
kind: Pod
metadata: {name: small}
spec: {containers: [{name: small, image: nginx, resources: {requests: {cpu: 100m}}}]}
"""
CRD = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: nodepools.karpenter.sh}
spec:
  group: karpenter.sh
  names: {kind: NodePool, plural: nodepools}
  scope: Cluster
  versions:
    - name: v1
      served: true
      storage: true
      schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
"""


USUAL = ("notice: requirements.txt: ", "notice: the zones of the region are assumed")
"""Notes about this machine, and about what no cloud was asked."""


@pytest.fixture(scope="module")
def pages(starter: Starter, tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, list[str]]:
    """The help pages of the program, which has no name here, and of each command, in a terminal of 80 columns."""
    folder = tmp_path_factory.mktemp("help")
    return {name: starter(*name.split(), "--help", cwd=folder, env={"COLUMNS": "80"}).out.splitlines() for name in ("", *APP.commands)}


@pytest.mark.parametrize("command", PAGES)
def test_a_page_fits_80_columns(pages: Mapping[str, list[str]], command: str):
    assert [line for line in pages[command] if len(line) > 80] == []


def test_no_summary_is_cut(pages: Mapping[str, list[str]]):
    lines = pages[""]
    summaries = lines[lines.index("Commands:") + 1 : lines.index("Examples:") - 1]
    assert [line.strip().split("  ")[0] for line in summaries] == list(APP.commands)
    assert [line for line in summaries if not line.endswith(".") or "..." in line] == []


@pytest.mark.parametrize("command", PAGES)
def test_a_page_has_examples_and_exit_codes(pages: Mapping[str, list[str]], command: str):
    text = "\n".join(pages[command])
    assert "\nExamples:\n  # " in text
    assert "\nExit codes: 0 " in text


@pytest.mark.parametrize("command", PAGES)
def test_every_option_shows_its_default(pages: Mapping[str, list[str]], command: str):
    lines = pages[command]
    options = "\n".join(lines[lines.index("Options:") + 1 :]).split("\n\n")[0].split("\n  -")
    assert [
        option for option in options if not any(word in option for word in ("[default: ", "[required]", "-help ", "-version ", "-completion "))
    ] == []


@pytest.mark.parametrize("name", APP.commands)
def test_a_default_that_a_page_shows_is_the_default(name: str):
    """Where the help text has it, the signature has none: an option without a value, or one that is off."""
    params = [param for param in APP.commands[name].params if param.param_type_name == "option"]
    assert [param.name for param in params if "[default: " in (getattr(param, "help", "") or "") and param.default not in (None, False)] == []


def test_every_command_has_examples():
    assert list(EXAMPLES) == [PROGRAM, *APP.commands]


@pytest.mark.parametrize("line", LINES)
def test_an_example_has_valid_arguments(line: str):
    first, *arguments = _arguments(line)
    both = " ".join([first, *arguments[:1]])
    name, arguments = (both, arguments[1:]) if both in APP.commands else (first, arguments)
    with APP.commands[name].make_context(name, arguments) as context:
        assert context.params


@pytest.mark.parametrize("line", LINES)
@pytest.mark.sweep
def test_an_example_runs(nodepools: Run, project: Path, copy: Path, line: str):
    arguments = _arguments(line)
    if "svg" in arguments and shutil.which("mmdc") is None:
        pytest.skip("mermaid-cli is not installed")
    if arguments[0] in ("compare", "ledger"):
        pytest.skip("needs a cluster before and after a change: tests/cli/test_ledger.py has one")
    (copy / "k8s").mkdir()
    (copy / "k8s" / "all.yaml").write_text(MANIFESTS)
    (copy / "crds.yaml").write_text(CRD)
    (copy / "prices.yaml").write_text("azure: {}\n")
    (copy / "exports").mkdir()
    (copy / "exports" / "westeurope.json").write_text('[{"name": {"value": "cores"}, "limit": "1000", "currentValue": "0"}]')
    shutil.copy(project / "examples/adopt/show.json", copy / "show.json")
    shutil.copy(project / "examples/adopt/nodepool-list.json", copy / "nodepools.json")
    shutil.copytree(project / "policy", copy / "policy")
    (copy / "rollout.yaml").write_text('name: fleet\nwaves: [{name: dev, stacks: [dev]}, {name: rest, stacks: ["*"]}]\n')
    if {"diff", "rollout"} & {*arguments}:
        _commit(copy)
    if "compile" in arguments:
        (copy / "plan.json").write_text(nodepools("rollout", "plan", "rollout.yaml", "main", "--format", "json", cwd=copy).out)
    (copy / "state.json").write_text(json.dumps({"deployment": {"resources": [{"urn": STACK, "type": "pulumi:pulumi:Stack"}]}}))
    runs = bool({"preview", "settle"} & {*arguments})
    answer = nodepools(*arguments, cwd=copy, stdin=MANIFESTS, env={"PYTHONPATH": str(project / "components")} if runs else None)
    missing = arguments[0] == "doctor" and "missing " in answer.out
    told = [line for line in answer.err.splitlines() if not line.startswith(USUAL)]
    assert (answer.status, told) == (int(missing), [])


def _commit(folder: Path) -> None:
    """A repository with the branches that examples name, and two platforms."""
    for name in ("old", "new"):
        (folder / f"{name}.yaml").write_text(PLATFORM)
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.com"]
    for step in (["init", "--quiet", "--initial-branch=main"], ["add", "."], ["commit", "--quiet", "-m", "all"], ["branch", "origin/main"]):
        subprocess.run([*git, *step], cwd=folder, check=True)


def _arguments(line: str) -> list[str]:
    program, *arguments = line.rsplit(" | ", 1)[-1].split()
    assert program == PROGRAM
    return arguments


ERRORS = [
    pytest.param("plan", "`plan` is not a command of `nodepools`", "nodepools diff", id="the word of another tool"),
    pytest.param("chekc", "`chekc` is not a command of `nodepools`", "nodepools check", id="a command with a typing error"),
    pytest.param("frobnicate", "`frobnicate` is not a command of `nodepools`", "`nodepools --help` shows all options", id="a command like no other"),
    pytest.param(
        "--stak dev", "`nodepools` does not have an option `--stak`", "`nodepools --help` shows all options", id="an option before the command"
    ),
    pytest.param("check --stak dev", "`nodepools check` does not have an option `--stak`", "use `--stack`", id="an option with a typing error"),
    pytest.param("check --json", "`nodepools check` does not have an option `--json`", "use `--format json`", id="an option of another tool"),
    pytest.param(
        "check --tiemzone x",
        "`nodepools check` does not have an option `--tiemzone`",
        "`nodepools check --help` shows all options",
        id="an option like no other",
    ),
    pytest.param("check -z", "`nodepools check` does not have an option `-z`", "`nodepools check --help` shows all options", id="an unknown letter"),
    pytest.param("check --stack", "`--stack` requires a value", "`nodepools check --help` shows all options", id="an option without its value"),
    pytest.param("check --all=3", "`--all` does not accept a value", "`nodepools check --help` shows all options", id="a flag with a value"),
    pytest.param(
        "calendar --days 0", "`--days` must be at least 1, not `0`", "`nodepools calendar --help` shows all options", id="a number that is too small"
    ),
    pytest.param(
        "calendar --node-count 2147483648",
        "`--node-count` must be at most 2147483647, not `2147483648`",
        "`nodepools calendar --help` shows all options",
        id="a number that is too large",
    ),
    pytest.param(
        "calendar --days 400",
        "`--days` must be at most 366, not `400`",
        "`nodepools calendar --help` shows all options",
        id="a number that is too large",
    ),
    pytest.param(
        "calendar --days x", "`--days` must be a whole number, not `x`", "`nodepools calendar --help` shows all options", id="text for a whole number"
    ),
    pytest.param(
        "check --format xml",
        "`--format` must be one of `text`, `json`, `sarif`, `github`, `gitlab`, not `xml`",
        "`nodepools check --help` shows all options",
        id="an unknown format",
    ),
    pytest.param(
        "check --today x",
        "`--today` must be a date such as `2026-11-21`, not `x`",
        "`nodepools check --help` shows all options",
        id="text for a date",
    ),
    pytest.param(
        "diff --file p.yaml --existing live",
        "`OLD` is required: what to compare with",
        "next: nodepools diff --file p.yaml live  # compares what exists with what is declared; "
        "`nodepools diff HEAD --file p.yaml --existing live` shows what the edits since the last commit do to it",
        id="what exists is the old side",
    ),
    pytest.param("explain", "`POD_MANIFEST` is required", "`nodepools explain --help` shows all options", id="a required argument is missing"),
    pytest.param(
        "rollout plan --to 1.36",
        "`ROLLOUT` is required: the rollout file (YAML, JSON, or Python that defines `ROLLOUT`; guide: fleets)",
        "next: nodepools rollout plan ROLLOUT --to 1.36  # ROLLOUT: the rollout file (YAML, JSON, or Python that defines `ROLLOUT`; guide: fleets); "
        "`nodepools rollout plan --help` shows all options",
        id="a required argument is missing behind options",
    ),
    pytest.param(
        "rollout compile x.json -o out",
        "`--to` is required: the engine that carries it out",
        "next: nodepools rollout compile --to TO x.json -o out  # TO: the engine that carries it out; "
        "`nodepools rollout compile --help` shows all options",
        id="a required option is missing behind an argument",
    ),
    pytest.param("help", "`help` is not a command of `nodepools`", "nodepools --help", id="the help of other programs"),
    pytest.param("check -h", "`nodepools check` does not have an option `-h`", "use `--help`", id="its letter"),
    pytest.param("preview --ics x", "`nodepools preview` does not have an option `--ics`; `nodepools upgrade` has it", "", id="of others"),
    pytest.param("rules A B", "unexpected argument `B`", "`nodepools rules --help` shows all options", id="an argument too many"),
]


@pytest.mark.parametrize(("arguments", "message", "hint"), ERRORS)
def test_an_error_in_the_arguments_is_one_line_and_a_hint(nodepools: Run, tmp_path: Path, arguments: str, message: str, hint: str):
    answer = nodepools(*arguments.split(), cwd=tmp_path)
    error, told = answer.err.splitlines()
    assert (answer.status, answer.out) == (2, "")
    assert error.startswith(f"error: {message}")
    assert told.endswith(hint)


@pytest.mark.parametrize("option", [(), ("--file",)], ids=["an argument", "an option"])
def test_a_file_without_permission_is_not_one_that_is_missing(nodepools: Run, tmp_path: Path, option: tuple[str, ...]):
    (tmp_path / "p.yaml").write_text("")
    (tmp_path / "p.yaml").chmod(0)
    if os.access(tmp_path / "p.yaml", os.R_OK):
        pytest.skip("this user can read everything")
    answer = nodepools("check", *option, "p.yaml", cwd=tmp_path)
    assert (answer.status, answer.err.splitlines()[0]) == (2, "error: p.yaml: Permission denied")


@pytest.mark.parametrize(("word", "command"), COMMANDS.items())
def test_other_words_for_commands_lead_to_commands(word: str, command: str):
    assert word not in APP.commands
    assert command in APP.commands


@pytest.mark.parametrize(("word", "option"), OPTIONS.items())
def test_other_words_for_options_lead_to_options(word: str, option: str):
    assert word not in OPTION_NAMES
    assert option.split(maxsplit=1)[0] in OPTION_NAMES


def test_an_option_of_several_commands_has_one_meaning_or_is_in_the_table(project: Path):
    page = (project / "docs/commands.md").read_text(encoding="utf-8")
    own = set(re.findall(r"^\| `(--[a-z-]+)`", page, re.MULTILINE))
    meanings: dict[str, set[str | None]] = {}
    for command in APP.commands.values():
        for param in command.params:
            for name in [name for name in param.opts if name.startswith("--")][-1:]:
                meanings.setdefault(name, set()).add(getattr(param, "help", None))
    assert len(meanings) > 50
    assert {name for name, texts in meanings.items() if len(texts) > 1} == own


def test_a_value_that_says_so_is_not_a_missing_option(nodepools: Run, tmp_path: Path):
    answer = nodepools("rollout", "plan", "--format", "a is required", cwd=tmp_path)
    assert (answer.status, "not `a is required`" in answer.err, "ANSWER" in answer.err) == (2, True, False)
