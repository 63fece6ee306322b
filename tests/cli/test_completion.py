"""Shells complete stacks, clusters, pools and rules, and nothing is printed into the line that somebody types."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from nodepools.cli.completion import names_in_stack
from nodepools.loading import read_stack
from nodepools.reading.project_folder import known_stacks
from tests.cli.conftest import Starter
from tests.cli.terminal import Terminal

BIN = Path(sys.executable).parent


def environment(**more: str) -> dict[str, str]:
    return {**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}", "TERM": "dumb", **more}


def words_of(line: str) -> dict[str, str]:
    """What bash tells of a line: the last word is not finished."""
    return environment(COMP_WORDS=line, COMP_CWORD=str(len(line.split(" ")) - 1), _NODEPOOLS_COMPLETE="complete_bash")


LINES = [
    pytest.param("nodepools che", {"check"}, id="a command"),
    pytest.param("nodepools adopt se", {"settle"}, id="a command below another"),
    pytest.param("nodepools adopt pending --form", {"--format"}, id="an option of it"),
    pytest.param("nodepools check --stack ", {"dev", "prod", "staging"}, id="stacks"),
    pytest.param("nodepools cost -s p", {"prod"}, id="stacks, by the short option"),
    pytest.param("nodepools check --format s", {"sarif"}, id="formats"),
    pytest.param("nodepools render --cluster ", {"neu", "use1", "weu"}, id="clusters"),
    pytest.param("nodepools explain --pool w", {"weu/batch", "weu/system", "weu/web"}, id="pools"),
    pytest.param("nodepools explain --stack prod --pool weu/b", {"weu/batch", "weu/batch-fallback"}, id="pools of another stack"),
    pytest.param("nodepools explain --file x.yaml --pool ", set[str](), id="pools of a file are not read"),
    pytest.param("nodepools instances --pool use1/c", {"use1/compute"}, id="NodePools"),
    pytest.param("nodepools rules AKS014", {"AKS014"}, id="a rule by its code"),
    pytest.param("nodepools rules hard-taint", {"hard-taint-on-system-pool"}, id="a rule by its name"),
    pytest.param("nodepools rules CFG00", {f"CFG00{number}" for number in range(1, 10)}, id="codes without a rule"),
    pytest.param("nodepools frobnicate p", {"preview"}, id="after a command that does not exist: commands"),
    pytest.param("nodepools check --frobnicate x --stack p", {"prod"}, id="an option that does not exist"),
    pytest.param("nodepools calendar --days x --stack p", {"prod"}, id="a value that is not valid"),
    pytest.param('nodepools check "unfinis', set[str](), id="a quote that is not closed"),
]


@pytest.mark.parametrize(("line", "words"), LINES)
def test_it_completes(starter: Starter, copy: Path, line: str, words: set[str]):
    answer = starter(cwd=copy, env=words_of(line))
    assert (set(answer.out.split()), answer.err) == (words, "")


PROJECTS = [
    pytest.param({}, id="no project"),
    pytest.param({"Pulumi.yaml": "name: shop"}, id="no stacks"),
    pytest.param({"Pulumi.yaml": "name: shop", "stacks/dev.py": "PLATFORM = Platform("}, id="a stack that is not Python"),
    pytest.param({"Pulumi.yaml": "name: shop", "stacks/dev.py": "\x00"}, id="a stack that is not text"),
]


@pytest.mark.parametrize("files", PROJECTS)
@pytest.mark.parametrize("line", ["nodepools render --cluster ", "nodepools explain --pool "])
def test_without_names_it_is_silent(starter: Starter, tmp_path: Path, files: dict[str, str], line: str):
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    answer = starter(cwd=tmp_path, env=words_of(line))
    assert (answer.out.strip(), answer.err) == ("", "")


def test_no_code_of_the_project_runs(starter: Starter, copy: Path):
    (copy / "stacks" / "dev.py").write_text('PLATFORM = open("ran", "w")\n')
    for line in ("nodepools check --stack ", "nodepools explain --pool ", "nodepools render --cluster "):
        starter(cwd=copy, env=words_of(line))
    assert not (copy / "ran").exists()


@pytest.mark.parametrize("stack", ["dev", "staging", "prod"])
def test_names_that_are_written_are_found(project: Path, stack: str):
    assert stack in known_stacks(project)
    platform = read_stack(stack, project)
    found = names_in_stack(project / "stacks", stack)
    assert set(found) == set(platform.clusters)
    declared = {str(pool) for pool in platform.pools()}
    computed = {"use1/compute-spot"} if stack == "prod" else set[str]()  # by a function, which is not executed
    assert declared - {f"{key}/{pool}" for key, pools in found.items() for pool in pools} - {f"{key}/system" for key in found} == computed


@pytest.mark.parametrize("line", ["nodepools ", "nodepools check --stack ", "nodepools explain --pool ", "nodepools rules AKS"])
def test_it_imports_no_sdk(copy: Path, line: str):
    script = f"import sys, atexit; atexit.register(lambda: print(*sorted(sys.modules), file=open('modules', 'w'))); sys.argv = ['nodepools']; {RUN}"
    subprocess.run([sys.executable, "-c", script], cwd=copy, env=words_of(line), capture_output=True, check=False)
    imported = {name.split(".")[0] for name in (copy / "modules").read_text().split()}
    assert "nodepools" in imported
    assert imported & {"pulumi", "pulumi_aws", "pulumi_azure_native", "pulumi_kubernetes", "grpc", "google", "yaml", "jsonschema"} == set()


RUN = "from nodepools.cli.main import main; main()"


def script(shell: str, folder: Path) -> Path:
    file = folder / f"nodepools.{shell}"
    printed = subprocess.run([BIN / "nodepools"], env=environment(_NODEPOOLS_COMPLETE=f"source_{shell}"), capture_output=True, text=True, check=True)
    file.write_text(printed.stdout)
    return file


def needs(shell: str) -> str:
    found = shutil.which(shell)
    if found is None:
        pytest.skip(f"{shell} is not installed")
    return found


INSTALLED = [
    pytest.param("bash", ".bash_completions/nodepools.sh", id="bash"),
    pytest.param("zsh", ".zfunc/_nodepools", id="zsh"),
    pytest.param("fish", ".config/fish/completions/nodepools.fish", id="fish"),
]


@pytest.mark.parametrize(("shell", "file"), INSTALLED)
def test_the_command_of_the_guide_installs_it(project: Path, tmp_path: Path, shell: str, file: str):
    """Of docs/guides/editors.md. It finds out which shell runs it."""
    [line] = re.findall(r"^```sh\n(nodepools --install.*?)\n```", (project / "docs/guides/editors.md").read_text(encoding="utf-8"), re.MULTILINE)
    command = [needs(shell), "-c", f"{line}; true"]  # with a second command, the shell stays the parent of the first
    subprocess.run(command, cwd=tmp_path, env=environment(HOME=str(tmp_path)), capture_output=True, text=True, check=True)
    assert "_NODEPOOLS_COMPLETE" in (tmp_path / file).read_text()


def test_bash_completes(copy: Path):
    lines = (
        f"source {script('bash', copy)}; COMP_WORDS=(nodepools rules AKS014) COMP_CWORD=2; _nodepools_completion nodepools; echo ${{COMPREPLY[@]}}"
    )
    done = subprocess.run([needs("bash"), "--norc", "-c", lines], cwd=copy, env=environment(), capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("AKS014\n", "")


def test_fish_completes(copy: Path):
    lines = f"source {script('fish', copy)}; complete --do-complete 'nodepools render --cluster '"
    env = environment(HOME=str(copy))
    done = subprocess.run([needs("fish"), "--no-config", "-c", lines], cwd=copy, env=env, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("neu\nuse1\nweu\n", "")


ZSH = [
    pytest.param("nodepools check --stack sta\t", "staging", id="a stack"),
    pytest.param("nodepools explain --pool use\t", "use1/compute", id="a pool"),
    pytest.param("nodepools rules hard-t\t", "hard-taint-on-system-pool", id="a rule"),
]


@pytest.mark.parametrize(("typed", "line"), ZSH)
def test_zsh_completes(copy: Path, typed: str, line: str):
    """In a terminal: zsh completes nowhere else."""
    command = [needs("zsh"), "-f", "-i"]
    with Terminal(command, copy, environment(PS1="ready> ", PS2="")) as zsh:
        zsh.type(f"unsetopt zle_bracketed_paste; autoload -Uz compinit; compinit -u -D; source {script('zsh', copy)}; echo set-$((1+1))\n")
        zsh.until("set-2")
        zsh.type(typed)
        shown = zsh.until(line)
    assert line in shown
    assert "rror" not in shown
