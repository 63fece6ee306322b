"""What `next` says: one command that the program reads, or one edit that names what is edited, never a choice."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from nodepools.cli.output.markdown_report import markdown_lines
from nodepools.cli.output.report import MORE, MOST_STEPS, OR, Act, Report, Step, act_of, command, edit, first_way, instead
from nodepools.cli.output.text_report import text_lines
from nodepools.cli.program import Commands
from tests.cli.conftest import Run
from tests.cli.test_brevity import CASES, NOON

TOOLS = ("nodepools", "pulumi", "az", "aws", "kubectl", "git", "terraform", "pip", "sh", "python", "curl", "cd", "export", ".venv/bin/nodepools")
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
    *("Restore", "Run", "Save", "Set", "Undo", "Use", "Wait", "Write", "Look", "Uncordon", "Quote", "Enable", "Give"),
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
    step = step.removeprefix(OR).removeprefix(MORE)
    if CHOICE.search(step):
        return False
    line, _, comment = step.partition("  # ")
    if line.split()[0] in TOOLS:
        for part in line.split(" && "):
            if part.startswith("nodepools "):
                parsed(part)
            if not names_its_cluster(part):
                return False
        return comment.startswith(act(line)) and all(f"{word}: " in comment for word in WORDS.findall(QUOTED.sub("_", line)))
    imperative = step.split(maxsplit=1)[0] in VERBS or any(f": {verb} " in f": {step}" for verb in VERBS)
    return imperative and ("`" in step or "https://" in step)


OF_CLUSTERS = {r"kubectl (?!config)": "--context ", r"az aks (?!install-cli)": "(--resource-group|-g) ", r"aws (eks|ec2) ": "--region "}
"""How commands about a cluster begin, and the option without which they are about the one that is current."""


def names_its_cluster(line: str) -> bool:
    return all(re.search(option, line) is not None for begins, option in OF_CLUSTERS.items() if re.match(begins, line))


CHANGING = re.compile(r"kubectl (patch|delete|annotate|label|cordon|uncordon|drain|scale|wait|(apply|diff) -[fkR])\b(?!`).*")


def test_no_command_changes_the_cluster_that_happens_to_be_current(project: Path) -> None:
    """The library writes such commands with the context: as text, or by `Fleet.kubectl`, which adds it."""
    written = [line for file in (project / "components").rglob("*.py") for line in file.read_text(encoding="utf-8").splitlines()]
    found = [match[0] for line in written if (match := CHANGING.search(line)) is not None]
    assert len(found) > 3
    assert [line for line in found if "--context" not in line] == []
    some = ("kubectl patch pdb web", "az aks show -n a", "aws eks describe-cluster --name a", "kubectl config view")
    assert [line for line in some if names_its_cluster(line)] == ["kubectl config view"]


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


# Some have pytest.mark.sweep.
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
    assert sum(not step.startswith((OR, MORE)) for step in steps) <= MOST_STEPS  # what a person can keep in mind


@pytest.mark.parametrize(
    "step",
    ["the same command with -o FOLDER writes the files", "set limits", "if it is intended, add --accept X", "correct the errors below", "Raise it"],
)
def test_half_a_command_and_a_choice_are_found(step: str) -> None:
    assert not is_good(step)


ACTS = {
    "changes the cloud": (
        r"(pulumi (-C \S+ )?|terraform )(up|apply|destroy)|az aks (operation-abort|upgrade|nodepool upgrade)|aws eks update-\S+|python \S+\.py"
    ),
    "changes the cluster": r"kubectl (apply|delete|patch|annotate)|sh \S+\.sh",
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
    parts = [part for part in re.split(r" (?:&&|\|) ", QUOTED.sub("_", line)) if not part.startswith(("cd ", "export "))]
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
    assert step.partition("  # ")[2] == "changes nothing; reads quotas; CONTEXT: that of the cluster, as `kubectl config get-contexts` lists it"
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


def shown(*steps: Step, columns: int = 60) -> list[str]:
    return list(text_lines(Report("dev", "blocked", steps), columns=columns, details=False))[1:]


LONG = "nodepools adopt settle state.json -o settled.json && pulumi stack import --stack prod --file settled.json && pulumi preview"


def test_one_step_is_recommended_and_the_others_follow_or_replace_it() -> None:
    steps = (
        edit("Set `a` to `b`"),
        instead(command("nodepools diff main", Act.NONE)),
        command("git add x", None),
        edit("Set `c` to `d`"),
        edit("Set `e`"),
    )
    assert shown(*steps) == ["next: Set `a` to `b`", "  or: nodepools diff main  # changes nothing", "then: git add x", "then: Set `c` to `d`"]
    assert shown(*steps, Step("more: Add `--details`"))[-2:] == ["then: Set `c` to `d`", "more: Add `--details`"]
    assert [line.partition(" Set")[0] for line in markdown_lines(Report("dev", "blocked", steps[:1]))] == ["**dev: blocked**", "", "* next:"]


def test_a_long_command_is_broken_only_before_options_and_joined_commands() -> None:
    assert shown(command(LONG, Act.STATE)) == [
        "next: nodepools adopt settle state.json -o settled.json \\",
        "      && pulumi stack import --stack prod \\",
        "      --file settled.json \\",
        "      && pulumi preview",
        "      # changes only the state of Pulumi",
    ]
    value = "'clusters.weu.pools.web.vm_size replaces \"Standard_D8ds_v5\": REASON'"
    assert f"      --accept {value}" in shown(command(f"nodepools diff old.yaml new.yaml --accept {value}", None))


def test_a_command_in_prose_stays_on_its_line() -> None:
    told = "`kubectl get nodes -o yaml`"
    assert any(told in line for line in shown(edit(f"Add to the exports of the cluster the output of {told}, which lists them")))


@pytest.mark.parametrize(
    ("fix", "first"),
    [
        ("Lower `min` to `3`, or raise `max` to `5`", "Lower `min` to `3`"),
        ("Use one (a, or b)", "Use one (a, or b)"),
        ("Set `a, or b`", "Set `a, or b`"),
    ],
)
def test_a_fix_is_told_without_its_alternatives(fix: str, first: str) -> None:
    assert first_way(fix) == first
