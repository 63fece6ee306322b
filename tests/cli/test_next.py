"""What `next` says: one command that the program reads, or one edit that names what is edited, never a choice."""

import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from nodepools.cli.output.report import MOST_STEPS, command
from nodepools.cli.program import Commands
from tests.cli.conftest import Run
from tests.cli.test_brevity import CASES, NOON

TOOLS = ("nodepools", "pulumi", "az", "aws", "kubectl", "git", "terraform", "pip", "sh", "python", "curl", "cd", ".venv/bin/nodepools")
"""What a step that is a command begins with."""
VERBS = (
    *(
        "Add",
        "Change",
        "Convert",
        "Correct",
        "Declare",
        "Install",
        "Lower",
        "Make",
        "Move",
        "Raise",
        "Remove",
        "Rename",
        "Replace",
        "Request",
        "Require",
    ),
    *("Restore", "Run", "Set", "Undo", "Use", "Wait", "Write", "Look", "Uncordon", "Quote", "Enable", "Give"),
)
CHOICE = re.compile(r"^(if |or )|the same command|, or --|; then ")


def parsed(command: str) -> None:
    """The options of the program itself read it; what only its reader knows is in capitals."""
    words = shlex.split(command, comments=True)[1:]
    words = words[: words.index("|")] if "|" in words else words[: words.index(">")] if ">" in words else words
    commands: Any = Commands()
    name = " ".join(words[:2]) if " ".join(words[:2]) in commands else words[0]
    values = [{"NAME": "dev", "VERSION": "1.36", "REASON": "x"}.get(word, word) for word in words[len(name.split()) :]]
    commands[name].make_context(name, values, resilient_parsing=False)


def is_good(step: str) -> bool:
    """A command of a known tool, or an edit with an imperative and something in backticks or a link."""
    if CHOICE.search(step):
        return False
    line = step.partition("  # ")[0]
    if line.split()[0] in TOOLS:
        for part in line.split(" && "):
            if part.startswith("nodepools "):
                parsed(part)
        return True
    imperative = step.split(maxsplit=1)[0] in VERBS or any(f": {verb} " in f": {step}" for verb in VERBS)
    return imperative and ("`" in step or "https://" in step)


CASES_WITHOUT_FILES = [case for case in CASES if "-o" not in str(case.values[1]).split()]


@pytest.mark.parametrize(("folder", "command", "about"), CASES_WITHOUT_FILES)
def test_each_step_is_one_command_or_one_edit(nodepools: Run, project: Path, folder: str, command: str, about: str) -> None:
    place = project / folder if folder != "observed" else project.parent / "shared/data/observed"
    if not place.is_dir():
        pytest.skip("the exports of observed clusters are not next to this project")
    arguments = [str(project / "examples/workloads") if word == "WORKLOADS" else word for word in command.split()]
    if command.partition(" ")[0] != "rules":
        arguments += ["--format", "json"]
        steps = nodepools(*arguments, cwd=place, env={"RUN_AT": NOON}).json["next"]
    else:
        out = nodepools(*arguments, cwd=place, env={"RUN_AT": NOON}).out
        steps = [line.removeprefix("next: ") for line in out.splitlines() if line.startswith("next: ")]
    assert [step for step in steps if not is_good(step)] == [], about
    assert len(steps) <= MOST_STEPS  # what a person can keep in mind


@pytest.mark.parametrize(
    "step",
    ["the same command with -o FOLDER writes the files", "set limits", "if it is intended, add --accept X", "correct the errors below", "Raise it"],
)
def test_half_a_command_and_a_choice_are_found(step: str) -> None:
    assert not is_good(step)


WORDS = re.compile(r"\b[A-Z]{4,}\b")


@pytest.mark.parametrize(
    ("line", "does"),
    [
        ("nodepools upgrade --stack dev --to 1.36", "changes nothing"),
        ("nodepools adopt . -o stacks/dev.py --import import.json", "writes files only"),
        ("nodepools check --stack dev --dry-run | patch -p1", "writes files only"),
        ("nodepools rollout plan rollout.yaml main --format json > plan.json", "writes files only"),
        ("pulumi stack export --file a && nodepools adopt settle a -o b && pulumi stack import --file b", "changes only the state of Pulumi"),
        ("pulumi preview --stack dev", "changes nothing"),
        ("pulumi up --stack dev", "changes the cloud"),
        ("cd shop && python3 -m venv .venv", "installs software on this machine"),
        ("nodepools init shop", "writes files only"),
        ("git checkout main", ""),
        ("nodepools check && git push", ""),
        ("terraform apply", "changes the cloud"),
        ("kubectl diff -f auto", "changes nothing"),
        ("nodepools diff main --accept 'weu rolls: with -o x && pulumi up > y'", "changes nothing"),
        ("kubectl apply -f auto", "changes the cluster"),
        ("pip install --upgrade nodepools", "installs software on this machine"),
        ("nodepools capacity --context CONTEXT --cloud", "changes nothing; CONTEXT: one that `kubectl config get-contexts` lists"),
    ],
)
def test_a_command_says_what_it_does_and_how_to_get_what_is_in_capitals(line: str, does: str) -> None:
    step = command(line)
    said = step.partition("  # ")[2]
    assert said.startswith(does) if does else not said, step
    assert all(f"{word}: " in step for word in WORDS.findall(line))


def test_every_option_that_writes_a_file_is_known() -> None:
    commands: Any = Commands()
    writing = [
        (name, option.opts[-1])
        for name in commands
        for option in commands[name].params
        if option.opts[-1].startswith("--") and re.match(r"(Write|Add) .*(this file|into)", option.help or "")
    ]
    assert len(writing) > 12
    assert not [one for one in writing if "writes files" not in command(f"nodepools {' '.join(one)} x")]


def test_an_option_that_does_not_exist_is_found() -> None:
    with pytest.raises(Exception, match="does not have an option"):
        is_good("nodepools capacity --contxt NAME")
