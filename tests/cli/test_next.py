"""What `next` says: one command that the program reads, or one edit that names what is edited, never a choice."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from nodepools.cli.output.report import MOST_STEPS, Act, act_of, command
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
    line, _, comment = step.partition("  # ")
    if line.split()[0] in TOOLS:
        for part in line.split(" && "):
            if part.startswith("nodepools "):
                parsed(part)
        return comment.startswith(act(line)) and all(f"{word}: " in comment for word in WORDS.findall(QUOTED.sub("_", line)))
    imperative = step.split(maxsplit=1)[0] in VERBS or any(f": {verb} " in f": {step}" for verb in VERBS)
    return imperative and ("`" in step or "https://" in step)


PAGES = {name: (Path(__file__).parents[2] / f"docs/{name}.md").read_text(encoding="utf-8") for name in ("commands", "upgrading")}


def undocumented(document: dict[str, Any]) -> list[str]:
    """The keys that neither the table of all commands nor the row of the command has."""
    tables = PAGES["commands"].partition("| field | meaning |")[2]
    envelope, _, rest = tables.partition("| command | other fields |")
    [row] = re.findall(rf"^\| `{document['command']}` \| (.*) \|$", rest, re.MULTILINE)
    known = {*re.findall(r"^\| `(\w+)` \|", envelope, re.MULTILINE), *re.findall(r"`(\w+)`", row), "accepted"}
    return sorted(document.keys() - known)


def paths(value: Any, path: str = "") -> Iterator[str]:
    """The place of each key: `changes[].path`."""
    if isinstance(value, dict):
        for key, part in value.items():
            here = f"{path}.{key}" if path else key
            yield here
            yield from paths(part, here)
    elif isinstance(value, list):
        for part in value:
            yield from paths(part, f"{path}[]")


def old_names(command: str) -> list[re.Pattern[str]]:
    """The places of the keys that a command no longer has, as the table of old and new names says."""
    found: list[re.Pattern[str]] = []
    table = PAGES["upgrading"].partition("## Old and new names")[2].partition("\n## ")[0]
    for commands, old in re.findall(r"^\| (.*?) \| (.*?) ?\| .*?\|$", table, re.MULTILINE):
        if commands != "all" and f"`{command}`" not in commands:
            continue
        names, _, within = old.partition(" in ")
        within = next(iter(re.findall(r"`([\w.\[\]]+)`", within)), "")
        for name in re.findall(r"`([a-z_.\[\]]+)`", names):
            place = re.escape(f"{within}.{name}" if within else name)
            found.append(re.compile(rf"(.*\.)?{place}" if " of " in old or within else place))
    return found


def test_the_table_of_old_names_is_read() -> None:
    assert any(old.fullmatch("changes[].at") for old in old_names("diff"))
    assert any(old.fullmatch("clusters[].items[].floor") for old in old_names("capacity"))
    assert any(old.fullmatch("pools[].intervals[].from") for old in old_names("calendar"))
    assert undocumented({"command": "cost", "platforms": [], "floor": 1}) == ["floor"]


CASES_WITHOUT_FILES = [case for case in CASES if "-o" not in str(case.values[1]).split()]


@pytest.mark.parametrize(("folder", "command", "about"), CASES_WITHOUT_FILES)
def test_each_step_is_one_command_or_one_edit(nodepools: Run, project: Path, folder: str, command: str, about: str) -> None:
    place = project / folder if folder != "observed" else project.parent / "shared/data/observed"
    if not place.is_dir():
        pytest.skip("the exports of observed clusters are not next to this project")
    arguments = [str(project / "examples/workloads") if word == "WORKLOADS" else word for word in command.split()]
    if command.partition(" ")[0] != "rules":
        document = nodepools(*arguments, "--format", "json", cwd=place, env={"RUN_AT": NOON}).json
        steps = document["next"]
        assert undocumented(document) == []
        assert [path for path in paths(document) for old in old_names(document["command"]) if old.fullmatch(path)] == []
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


ACTS = {
    "changes the cloud": r"(pulumi (-C \S+ )?|terraform )(up|apply|destroy)|az aks operation-abort|python \S+\.py",
    "changes the cluster": r"kubectl (apply|delete)|sh \S+\.sh",
    "changes only the state of Pulumi": r"pulumi (import|state|stack import)",
    "installs software on this machine": r"curl |az aks install-cli|(\S+ -m )?pip install|python3? -m venv",
    "writes files only": (
        r"nodepools (init|eject|.* (-o|--output|--import|--fix|--write-baseline|--record|--ics|--report) )|.* > |cp |patch |pulumi .*config set"
    ),
    "changes nothing": r"",
}
"""How commands begin, by what they do; the worst of several counts."""
QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")


def act(line: str) -> str:
    """What a command does, read from its words: the program knows it where it makes the step."""
    parts = [part for part in re.split(r" (?:&&|\|) ", QUOTED.sub("_", line)) if not part.startswith("cd ")]
    found = {next(does for does, begins in ACTS.items() if re.match(begins, f"{part} ")) for part in parts}
    return next(does for does in ACTS if does in found)


WORDS = re.compile(r"\b[A-Z]{4,}\b")


@pytest.mark.parametrize(
    ("typed", "does"),
    [
        ("nodepools upgrade --stack dev --to 1.36", Act.NONE),
        ("nodepools upgrade --ics=ends.ics", Act.FILES),
        ("nodepools diff main --record edit.json", Act.FILES),
        ("nodepools diff main --accept 'weu rolls: with -o x and --record y'", Act.NONE),
    ],
)
def test_options_that_write_make_a_command_one_that_writes(typed: str, does: Act) -> None:
    assert act_of(typed) is does


def test_a_command_says_what_it_does_and_how_to_get_what_is_in_capitals() -> None:
    step = command("nodepools capacity --context CONTEXT --cloud", Act.NONE, "reads quotas")
    assert step.partition("  # ")[2] == "changes nothing; reads quotas; CONTEXT: one that `kubectl config get-contexts` lists"
    assert command("git add x", None) == "git add x"


def test_every_option_that_writes_a_file_is_known() -> None:
    commands: Any = Commands()
    writing = [
        (name, option.opts[-1])
        for name in commands
        for option in commands[name].params
        if option.opts[-1].startswith("--") and re.match(r"(Write|Add) .*(this file|into)", option.help or "")
    ]
    assert len(writing) > 12
    assert not [one for one in writing if act_of(f"nodepools {' '.join(one)} x") is not Act.FILES]


def test_an_option_that_does_not_exist_is_found() -> None:
    with pytest.raises(Exception, match="does not have an option"):
        is_good("nodepools capacity --contxt NAME")
