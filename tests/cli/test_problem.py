"""What could not be read: one line each, in text and in the document, on every exit."""

import json
import os
import re
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
import typer

from nodepools.cli.command_run import CommandRun, Result, command_session
from nodepools.cli.inputs.file_search import files
from nodepools.cli.inputs.input_files import Exclusion, InputFiles
from nodepools.cli.problem import InputError, Problem


@pytest.mark.parametrize(
    ("line", "file", "where", "message"),
    [
        pytest.param("a.yaml:1:2: is not valid", "", "a.yaml:1:2", "is not valid", id="a file with its line"),
        pytest.param("my pools.yaml:1:2: is not valid", "", "my pools.yaml:1:2", "is not valid", id="a name with spaces and a line"),
        pytest.param("my pools.yaml: is not valid", "my pools.yaml", "my pools.yaml", "is not valid", id="a name with spaces that is known"),
        pytest.param("--days: must be a number", "", "--days", "must be a number", id="an option"),
        pytest.param("it failed twice: once more", "", "", "it failed twice: once more", id="a sentence"),
        pytest.param("a.yaml: https://ops:correct-horse@git is gone", "", "a.yaml", "https://[secret]@git is gone", id="credentials in a URL"),
    ],
)
def test_a_line_is_a_place_and_a_message(line: str, file: str, where: str, message: str) -> None:
    assert Problem.of(line, file) == Problem(where, message)


def interrupted() -> None:
    raise KeyboardInterrupt


def terminated() -> None:
    os.kill(os.getpid(), signal.SIGTERM)


def failed() -> None:
    message = "cannot reach https://ops:correct-horse@git.example.com"
    raise RuntimeError(message)


def left() -> None:
    raise SystemExit("enough")


def misused() -> None:
    raise InputError(Problem("--days", "must be a number"), Problem("a.yaml", "is not valid"))


@pytest.mark.parametrize(
    ("end", "code", "messages"),
    [
        pytest.param(interrupted, 130, ["interrupted"], id="Ctrl-C"),
        pytest.param(terminated, 143, ["ended by signal 15"], id="SIGTERM"),
        pytest.param(failed, 2, ["unexpected error: RuntimeError: cannot reach https://[secret]@git.example.com"], id="an exception with a secret"),
        pytest.param(left, 2, ["unexpected error: SystemExit: enough"], id="an exit of other code"),
        pytest.param(misused, 2, ["must be a number", "is not valid"], id="two problems with the input"),
    ],
)
def test_every_end_writes_the_result_so_far(end: Callable[[], None], code: int, messages: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    def command() -> None:
        with command_session("check", "json") as run:
            run.set_result(Result(fields=lambda: {"errors": 3}))
            end()

    with pytest.raises(typer.Exit) as exited:
        command()
    document = json.loads(capsys.readouterr().out)
    assert exited.value.exit_code == code
    assert (document["complete"], document["errors"]) == (False, 3)
    assert [re.sub(r" at \S+:\d+(?=:)", "", problem["message"]) for problem in document["problems"]] == messages


def test_a_folder_that_may_not_be_entered_is_a_problem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Tests can run as root, who may enter every folder: the operating system's answer is given by hand."""
    closed = tmp_path / "closed"
    closed.mkdir()
    (tmp_path / "a.yaml").write_text("kind: ConfigMap\n")
    entries = os.scandir

    def scandir(path: str) -> object:
        if Path(path) == closed:
            raise PermissionError(13, "Permission denied", str(closed))
        return entries(path)

    monkeypatch.setattr(os, "scandir", scandir)
    run = CommandRun("check", "json")
    assert [path.name for path in files(InputFiles([tmp_path], Exclusion(())), run)] == ["a.yaml"]
    run.write()
    [problem] = json.loads(capsys.readouterr().out)["problems"]
    assert problem == {"path": str(closed), "message": "Permission denied; the files in this folder were not read"}


def test_a_file_with_several_names_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "k8s").mkdir()
    (tmp_path / "k8s/a.yaml").write_text("a: 1\n")
    (tmp_path / "k8s/link.yaml").symlink_to("a.yaml")
    monkeypatch.chdir(tmp_path)
    paths = [Path("k8s/a.yaml"), Path("k8s"), tmp_path / "k8s", Path("k8s/../k8s/a.yaml"), Path("-"), Path("-")]
    assert list(files(InputFiles(paths, Exclusion(())), CommandRun("check", "json"))) == [Path("k8s/a.yaml"), Path("k8s/link.yaml"), Path("-")]


def test_links_to_folders_are_not_followed(tmp_path: Path) -> None:
    for name in ("k8s/base", "shared"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "a.yaml").write_text("a: 1\n")
    for name, target in {"itself": ".", "same": "base", "shared": "../shared", "excluded": "../shared"}.items():
        (tmp_path / "k8s" / name).symlink_to(target)
    found, run = [tmp_path / "k8s/base/a.yaml"], CommandRun("check", "json")
    assert list(files(InputFiles([tmp_path / "k8s"], Exclusion(((tmp_path, "*/excluded"),))), run)) == found
    [problem] = run.problems
    assert (problem.where, problem.message[:21]) == (str(tmp_path / "k8s/shared"), "is a link to a folder")
    both = CommandRun("check", "json")
    assert list(files(InputFiles([tmp_path / "k8s", tmp_path / "shared"], Exclusion(((tmp_path, "*/excluded"),))), both)) == [
        *found,
        tmp_path / "shared/a.yaml",
    ]
    assert not both.problems
