"""Output that pages quote is what the command prints."""

import json
import re
import shlex
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest
import yaml

from tests.cli.conftest import Answer, started
from tests.docs.walkthrough import matches

pytestmark = pytest.mark.program

NARROW = {"COLUMNS": "100"}
"""As wide as output that is not a terminal."""
TAINTED = {
    "    SystemPool,\n": "    SystemPool,\n    Taint,\n",
    "count=2, zones=[1, 2])": 'count=2, zones=[1, 2], taints=[Taint("dedicated", "web")])',
}
"""A change of the stack `dev` that AKS would reject."""


@pytest.mark.parametrize(
    ("page", "command", "also", "edits"),
    [
        pytest.param("README.md", "check", ["--today", "2026-11-22"], TAINTED, id="README: check of a tainted system pool"),
        pytest.param("docs/guides/capacity.md", "capacity", [], {}, id="guide: capacity of the stack dev"),
        pytest.param("docs/guides/cost.md", "cost --stack dev", [], {}, id="guide: cost of the stack dev"),
    ],
)
def test_quoted_output_is_printed(project: Path, tmp_path: Path, page: str, command: str, also: list[str], edits: Mapping[str, str]):
    stack = (project / "stacks/dev.py").read_text(encoding="utf-8")
    for old, new in edits.items():
        assert stack.count(old) == 1, old
        stack = stack.replace(old, new)
    (tmp_path / "stacks").mkdir()
    (tmp_path / "stacks/dev.py").write_text(stack, encoding="utf-8")
    (tmp_path / "Pulumi.yaml").write_text((project / "Pulumi.yaml").read_text(encoding="utf-8"), encoding="utf-8")
    text = (project / page).read_text(encoding="utf-8")
    [block] = re.findall(rf"^```text\n\$ nodepools {re.escape(command)}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    printed = started(*command.split(), *also, cwd=tmp_path, env=NARROW).out.splitlines()
    assert [line for line in block.splitlines() if line not in (*printed, "...")] == []


PAIR = re.compile(r'<div class="pair">\n\n```\w+\n(# (\S+)\n.*?)```\n\n```text\n\$ nodepools (.*?)\n(.*?)```', re.DOTALL)
"""A declaration of the start page, its file, and what a command says of it."""


@pytest.mark.parametrize("number", range(3))
def test_the_start_page_shows_what_the_command_says_of_each_declaration(project: Path, tmp_path: Path, number: int):
    declaration, file, command, shown = PAIR.findall((project / "docs/start/index.md").read_text(encoding="utf-8"))[number]
    (tmp_path / "stacks").mkdir()
    (tmp_path / file).write_text(declaration, encoding="utf-8")
    (tmp_path / "Pulumi.yaml").write_text("name: shop\nruntime: python\n", encoding="utf-8")
    assert shown.split() == started(*command.split(), "--today", "2026-11-22", cwd=tmp_path, env=NARROW).out.partition("--details")[0].split()


def test_the_start_page_shows_a_plan_of_terraform_as_its_guide_does(project: Path):
    shown = (project / "docs/start/index.md").read_text(encoding="utf-8").partition("$ nodepools diff plan.json\n")[2].partition("```")[0]
    assert shown in (project / "docs/guides/terraform.md").read_text(encoding="utf-8")


def test_the_page_on_speed_counts_the_resources_that_a_preview_counts(project: Path):
    plan = json.loads((project / "tests/golden/plans/dev.json").read_text(encoding="utf-8"))
    count = sum(resource["type"] != "pulumi:pulumi:Stack" for resource in plan["resources"])
    assert f"`nodepools preview --stack dev`, {count} resources" in (project / "docs/background/speed.md").read_text(encoding="utf-8")


EDITED = {
    "scale=Autoscale(1, 5), labels": "scale=Autoscale(1, 5), fips=True, labels",
    'location="northeurope"': 'location="uksouth"',
    "weight=20,": 'weight=20,\n                        labels={"team": "data"},',
}
"""The edits of the guide on changes."""


def without_versions(printed: str) -> str:
    """Output with the commits, the version and the days of the guide."""
    printed = re.sub(r"\((on )?[0-9a-f]{10}\)", r"(\g<1>1a2b3c4d5e)", printed)
    return re.sub(
        r"read by nodepools \S+, whose tables are of \S+ to [0-9-]+", "read by nodepools 0.2.0, whose tables are of 2026-06-18 to 2026-11-22", printed
    )


def test_the_changes_of_the_guide_are_printed(project: Path, tmp_path: Path):
    (tmp_path / "stacks").mkdir()
    stack = (project / "stacks/dev.py").read_text(encoding="utf-8")
    (tmp_path / "stacks/dev.py").write_text(stack, encoding="utf-8")
    (tmp_path / "Pulumi.yaml").write_text((project / "Pulumi.yaml").read_text(encoding="utf-8"), encoding="utf-8")
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.com"]
    for step in (["init", "--quiet", "--initial-branch=main"], ["add", "."], ["commit", "--quiet", "-m", "all"]):
        subprocess.run([*git, *step], cwd=tmp_path, check=True)
    for old, new in EDITED.items():
        assert stack.count(old) == 1, old
        stack = stack.replace(old, new)
    (tmp_path / "stacks/dev.py").write_text(stack, encoding="utf-8")
    text = (project / "docs/guides/diff.md").read_text(encoding="utf-8")
    for command, opened in (("diff main", "text\n$ nodepools diff main\n"), ("diff main --format markdown", "markdown\n")):
        printed = without_versions(started(*command.split(), cwd=tmp_path, env=NARROW).out)
        assert matches(text.partition(f"```{opened}")[2].partition("```")[0], printed)


def test_the_drift_report_of_the_guide_is_printed(project: Path):
    text = (project / "docs/guides/diff.md").read_text(encoding="utf-8")
    command = "diff examples/drift/live examples/drift/platform.yaml"
    [block] = re.findall(rf"^```text\n\$ nodepools {command}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert without_versions(started(*command.split(), "--today", "2026-11-22", cwd=project, env=NARROW).out) == block


@pytest.mark.parametrize(
    ("page", "command"),
    [
        ("plan-upgrades.md", "upgrade --stack prod --today 2026-11-22"),
        ("plan-upgrades.md", "upgrade --stack prod --to 1.36 --workloads examples/upgrade --today 2026-11-22"),
        ("plan-upgrades.md", "upgrade --stack prod --to 1.36 --existing examples/upgrade-in-progress --today 2026-11-22"),
        ("maintenance-windows.md", "calendar --stack prod --tz Europe/Paris --at 2026-11-25T22:30Z"),
        ("maintenance-windows.md", "calendar --stack prod --tz Europe/Paris --start 2026-11-28 --days 3 --details"),
    ],
)
def test_plans_and_windows_of_the_guides_are_printed_and_fit_a_screen(project: Path, page: str, command: str):
    text = (project / "docs/guides" / page).read_text(encoding="utf-8")
    [block] = re.findall(rf"^```text\n\$ nodepools {re.escape(command)}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    answer = started(*command.split(), cwd=project, env={"COLUMNS": "100"})
    assert answer.status in (0, 1), answer.err
    assert matches(block, answer.out)
    lines = answer.out.splitlines()
    assert max(map(len, lines)) <= 100
    assert "--details" in command or len(lines) <= 42


def test_the_comparison_and_the_ledger_of_the_guide_are_printed(project: Path, tmp_path: Path):
    text = (project / "docs/guides/ledger.md").read_text(encoding="utf-8")
    [recorded] = re.findall(r"^```sh\nnodepools (.*)$", text, re.MULTILINE)
    shown = re.findall(r"^```text\n\$ nodepools (.*?)\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert len(shown) == 2
    assert [started(*command.split(), cwd=project, env=NARROW).out for command, _ in shown] == [block for _, block in shown]
    shutil.copytree(project / "examples/ledger", tmp_path / "examples/ledger")
    started(*recorded.split(), cwd=tmp_path)
    new, old = (json.loads(file.read_text()) for file in (tmp_path / "edit.json", project / "examples/ledger/edit.json"))
    assert {name for name in new if new[name] != old[name]} <= {"digest", "recorded_at", "library"}


@pytest.mark.parametrize("files", ["examples/adopt", "examples/adopt-eks", "examples/adopt examples/adopt-terraform"])
def test_the_report_of_adopt_in_the_guide_is_printed(project: Path, tmp_path: Path, files: str):
    text = (project / "docs/guides/adopt.md").read_text(encoding="utf-8")
    [(arguments, block)] = re.findall(rf"^```text\n\$ nodepools adopt {files} (-o .*?)\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    shutil.copytree(project / "examples", tmp_path / "examples", ignore=shutil.ignore_patterns(".*"))
    answer = started("adopt", *files.split(), *arguments.split(), cwd=tmp_path, env=NARROW)
    assert answer.all.startswith(block.partition("...")[0])
    assert [line for line in block.splitlines() if line not in (*answer.all.splitlines(), "...")] == []


def test_the_interrupted_creations_in_the_guide_are_printed(project: Path, tmp_path: Path):
    text = (project / "docs/guides/interrupted-up.md").read_text(encoding="utf-8")
    [(arguments, block)] = re.findall(r"^```text\n\$ nodepools (.*?)\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    shutil.copytree(project / "examples/interrupted", tmp_path / "examples/interrupted")
    assert started(*arguments.split(), cwd=tmp_path, env=NARROW).out == block


def converted(project: Path, arguments: str, folder: Path) -> Answer:
    shutil.copytree(project / "examples", folder / "examples", ignore=shutil.ignore_patterns(".*"), dirs_exist_ok=True)
    return started("convert", *shlex.split(arguments), cwd=folder, env=NARROW)


GUIDES = Path(__file__).parent.parent.parent / "docs/guides"
GUIDES_OF_MOVES = "".join((GUIDES / page).read_text(encoding="utf-8") for page in ("enable-auto-mode.md", "migrate-to-nap.md"))


@pytest.mark.parametrize("number", range(4))
def test_the_conversions_of_the_guide_are_printed(project: Path, tmp_path: Path, number: int):
    shown = re.findall(r"^```text\n\$ nodepools convert (.*?)\n(.*?)^```", GUIDES_OF_MOVES, re.MULTILINE | re.DOTALL)
    assert len(shown) == 4
    arguments, block = shown[number]
    answer = converted(project, arguments, tmp_path)
    assert answer.err == ""
    assert [line for line in block.splitlines() if line not in (*answer.out.splitlines(), "...")] == []
    if "..." not in block:
        assert answer.out == block
    assert answer.status == int(number == 0)  # the first one shows what has to be decided
    again = started("convert", "auto", *re.findall(r"--to \S+", arguments)[0].split(), "-o", "again", cwd=tmp_path)
    assert re.search(r" 0 of \d+ objects converted", again.out)


def test_the_steps_of_the_move_name_objects_that_exist(project: Path, tmp_path: Path):
    steps = GUIDES_OF_MOVES.partition("### The move, step by step")[2].partition("\n## ")[0]
    commands = re.findall(r"^ *(kubectl .*)$", steps, re.MULTILINE)
    assert len(commands) == 13
    converted(project, "examples/convert --to auto-mode -o auto", tmp_path)
    old, new = (
        {(one["kind"].lower(), one["metadata"]["name"]) for file in sorted(folder.iterdir()) for one in yaml.safe_load_all(file.read_text())}
        for folder in (project / "examples/convert", tmp_path / "auto")
    )
    applied = [word for command in commands if " apply " in command for word in command.split() if word.endswith(".yaml")]
    waited = {tuple(word.split("/")) for command in commands if " wait " in command for word in command.split() if re.fullmatch(r"[a-z]+/\S+", word)}
    others = {
        (kind, name)
        for kind, names in re.findall(r"kubectl (?:patch|delete) (\w+) ([a-z -]+?)(?: --|$)", "\n".join(commands), re.MULTILINE)
        for name in names.split()
    }
    assert all((tmp_path / file).is_file() for file in applied)
    assert waited
    assert waited <= new
    before = {("nodepool", "general"), ("nodepool", "spot"), ("ec2nodeclass", "default")}
    after = {("nodepool", "general-auto"), ("nodepool", "spot-auto")}
    assert others == before | after
    assert before <= old
    assert after <= new
