"""A program that fails is told by its own lines and one message."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nodepools.engine.errors import ProgramFailed
from nodepools.engine.run import Program, run

pytestmark = pytest.mark.program

Engine = Callable[..., Any]


def files_in(message: str) -> set[str]:
    return {Path(file).name for file in re.findall(r'File "([^"]+)"', message)}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        pytest.param("def deep():\n    return {}['key']\n\ndeep()", "KeyError: 'key'", id="at the top"),
        pytest.param("Thing('b', size=Thing('a', size=1).size.apply(lambda size: 1 / 0))", "ZeroDivisionError: division by zero", id="in an apply"),
        pytest.param("async def main():\n    raise TypeError('no')\n\npulumi.run(main)", "TypeError: no", id="in an asynchronous program"),
        pytest.param("raise KeyboardInterrupt", "KeyboardInterrupt", id="an interrupt that nobody asked for"),
        pytest.param("class Stop(BaseException): pass\n\nraise Stop('now')", "Stop: now", id="no ordinary exception"),
        pytest.param(
            "class Stop(BaseException): pass\n\ndef stop(_): raise Stop('now')\n\nThing('a', size=1).size.apply(stop)",
            "Stop: now",
            id="no ordinary exception in an apply",
        ),
        pytest.param(
            "class Bad(Exception):\n    def __str__(self): raise ValueError\n\nraise Bad",
            "Bad: <exception str() failed>",
            id="no message",
        ),
        pytest.param("def f(): f()\n\nf()", "RecursionError: maximum recursion depth exceeded", id="too deep"),
        pytest.param(
            "try:\n    1 / 0\nexcept ZeroDivisionError as error:\n    raise ValueError('no') from error", "ValueError: no", id="one after another"
        ),
    ],
)
def test_an_exception_shows_the_lines_of_the_program_only(engine: Engine, text: str, says: str) -> None:
    with pytest.raises(ProgramFailed) as failure:
        engine(text)
    message = failure.value.message
    assert message.splitlines()[-1] == says
    assert files_in(message) == {"__main__.py"}
    assert "site-packages" not in message
    assert "nodepools" not in message
    assert message.count("Traceback") == 1


@pytest.mark.parametrize(
    "marked",
    ["'correct horse'", "{'a': ['correct horse']}", "Output.from_input('correct horse')", "Output.secret(Thing('a', pin='correct horse').pin)"],
)
def test_what_a_program_marks_as_secret_is_in_no_message(engine: Engine, marked: str) -> None:
    with pytest.raises(ProgramFailed) as failure:
        engine(f"def stop(value):\n    raise ValueError(f'no {{value}}')\n\nThing('b', size=Output.secret({marked}).apply(stop))")
    assert failure.value.message.splitlines()[-1].startswith("ValueError: no ")
    assert "correct horse" not in failure.value.message


def test_modules_of_the_program_are_its_own_lines_too(engine: Engine, tmp_path: Path) -> None:
    (tmp_path / "parts.py").write_text("def part():\n    raise ValueError('no')\n")
    with pytest.raises(ProgramFailed) as failure:
        engine("import parts\n\nparts.part()")
    assert files_in(failure.value.message) == {"__main__.py", "parts.py"}


def test_everything_is_shown_on_request(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NODEPOOLS_TRACEBACK", "full")
    with pytest.raises(ProgramFailed, match="in run_in_stack"):
        engine("1 / 0")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        pytest.param("pulumi.Config().require('size')", "Missing required configuration variable 'shop:size'", id="a missing configuration value"),
        pytest.param("import sys; sys.exit('not today')", "not today", id="an exit with a text"),
        pytest.param("import sys; sys.exit(3)", "the program exited with status 3", id="an exit with a number"),
        pytest.param(
            "import os; Thing('a'); os._exit(0)",
            "the program ended its process before it was complete, such as by `os._exit(0)`",
            id="a process that stops without an error",
        ),
        pytest.param(
            "import os; os.execvp('true', ['true'])",
            "the program ended its process before it was complete, such as by `os._exit(0)`",
            id="a process that becomes another program",
        ),
        pytest.param("import os; os._exit(5)", "the program ended with exit status 5, without a message", id="a process that stops"),
        pytest.param(
            "import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "the program was ended by signal SIGKILL", id="a process that is killed"
        ),
    ],
)
def test_an_end_that_is_no_exception_is_told_in_one_line(engine: Engine, text: str, says: str) -> None:
    with pytest.raises(ProgramFailed) as failure:
        engine(text)
    assert failure.value.message.splitlines()[0] == says
    assert "Traceback" not in failure.value.message


def test_an_exit_without_an_error_is_no_failure(engine: Engine) -> None:
    assert engine("import sys\n\nThing('a')\nsys.exit()")["a"].name == "a"


def test_an_end_after_the_last_line_is_no_failure(engine: Engine) -> None:
    assert engine("import atexit, os\n\nThing('a')\natexit.register(os._exit, 0)")["a"].name == "a"


def test_a_syntax_error_shows_its_line(engine: Engine) -> None:
    with pytest.raises(ProgramFailed) as failure:
        engine("x = = 1")
    assert failure.value.message.splitlines()[-1] == "SyntaxError: invalid syntax"
    assert "x = = 1" in failure.value.message
    assert files_in(failure.value.message) == {"__main__.py"}


@pytest.mark.parametrize("folder", [pytest.param(".", id="an empty folder"), pytest.param("nowhere", id="no folder")])
def test_a_folder_without_a_program_is_told_by_name(tmp_path: Path, folder: str) -> None:
    with pytest.raises(ProgramFailed, match=r"no program found: .*__main__\.py does not exist"):
        run(Program(tmp_path / folder, "shop", "dev"))


def test_what_was_logged_before_stays_beside_the_failure(engine: Engine) -> None:
    with pytest.raises(ProgramFailed) as failure:
        engine("pulumi.log.warn('careful')\npulumi.log.debug('detail')\n1 / 0")
    assert [(each.severity, each.message) for each in failure.value.diagnostics] == [("warning", "careful")]


def test_what_a_good_program_logs_is_in_its_plan(engine: Engine) -> None:
    graph = engine("pulumi.log.error('bad', resource=(thing := Thing('a')))\npulumi.log.info('so')\nThing('b', urn_of_a=thing.urn)")
    logged = {(each.severity, each.message, each.urn) for each in graph.plan.diagnostics}
    assert logged == {("error", "bad", graph["a"].urn), ("info", "so", "")}
