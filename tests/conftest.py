"""Options and fixtures of all tests."""

import asyncio
import fcntl
import gc
import os
import pickle
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias, cast

import pytest
from hypothesis import settings
from pulumi.runtime import resource
from pulumi.runtime.proto.source_pb2 import StackTrace

from nodepools.engine.plan import Plan
from nodepools.engine.project import read_project
from nodepools.engine.run import Program, run

PROJECT = Path(__file__).resolve().parent.parent
HOSTS = PROJECT / "tests/hosts"
Once: TypeAlias = Callable[[str, Callable[[], object]], object]
"""Returns what a name stands for, and makes it if no process of this run did."""
_TRACES = "_get_stack_trace"
_WHOLE = getattr(resource, _TRACES)

# Properties are tried on machines that do other things too: no example has a deadline. Where a run decides whether a change may land it is
# the same every time; everywhere else each run looks further.
settings.register_profile("exploring", deadline=None)
settings.register_profile("deciding", deadline=None, derandomize=True)
settings.load_profile("deciding" if os.environ.get("CI") else "exploring")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--rewrite-golden", action="store_true", help="write the stored plans anew, in place of comparing")
    parser.addoption("--rule", metavar="CODE", help="of the cases that are named after a rule, run only those of this one")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Files with one case for each rule are most of the time of `make test-rule`."""
    _see_marks(items)
    code = cast("str | None", config.getoption("--rule"))
    if code is None:
        return
    others = [item for item in items if (named := re.findall(r"\b[A-Z]{3}\d{3}\b", _case(item))) and code not in named]
    config.hook.pytest_deselected(items=others)
    items[:] = [item for item in items if item not in set(others)]


def _see_marks(items: list[pytest.Item]) -> None:
    """`make test-slow` finds files by the text of their marks: a test that has its mark from elsewhere would never run."""
    marked = {(item.path, f"mark.{mark}") for item in items for mark in ("sweep", "program") if item.get_closest_marker(mark) is not None}
    if unseen := sorted((str(file), mark) for file, mark in marked if mark not in file.read_text(encoding="utf-8")):
        raise pytest.UsageError(f"files with a test that has a mark, and without its text: {unseen}")


def pytest_runtest_setup(item: pytest.Item) -> None:
    """The SDK keeps the 60 frames of pytest with each resource, a fifth of the time of a registration. No sweep reads them."""
    setattr(resource, _TRACES, StackTrace if item.get_closest_marker("sweep") is not None else _WHOLE)


def _case(item: pytest.Item) -> str:
    """What stands in brackets after the name of a parametrized test."""
    return item.name.partition("[")[2]


def pytest_collection_finish() -> None:
    """Tests are many objects that stay: the collector of garbage need not go through them again and again."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


@pytest.fixture(scope="session")
def project() -> Path:
    """The project itself."""
    return PROJECT


@pytest.fixture(scope="session")
def once(tmp_path_factory: pytest.TempPathFactory) -> Once:
    """What takes seconds to make is made once in a run, whichever process asks first."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base

    def made(name: str, make: Callable[[], object]) -> object:
        with (shared / name).open("a+b") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            file.seek(0)
            if not os.fstat(file.fileno()).st_size:
                pickle.dump(make(), file)
                file.flush()
                file.seek(0)
            return pickle.load(file)  # noqa: S301  # it is ours

    return made


@pytest.fixture(scope="session")
def planned(project: Path, once: Once) -> Callable[[str, str], Plan]:
    """The plan of a program of this project, by its folder and stack."""

    def plan(folder: str, stack: str) -> Plan:
        settings = read_project(project / folder, stack)
        program = Program(settings.directory, settings.name, stack, settings.config, settings.secret_keys)
        return cast("Plan", once(f"plan-{folder.replace('/', '-')}-{stack}", lambda: run(program, timeout=120)))

    return plan


@pytest.fixture(scope="session")
def _copies(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    address = str(tmp_path_factory.mktemp("hosts") / "address")
    with subprocess.Popen([sys.executable, "-P", HOSTS / "copies.py", address], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as copies:
        assert copies.stdout is not None
        copies.stdout.readline()
        yield address
        copies.communicate()


@pytest.fixture
def hosts(_copies: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands and programs that this test starts, or that what it starts does, are copies of a process with all imports: see tests/hosts."""
    monkeypatch.setenv("PYTHONPATH", str(HOSTS))
    monkeypatch.setenv("PROGRAM_HOSTS", _copies)


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Signals as on a terminal: a job in the background, or one below `nohup`, ignores two of them, and so does each process that it starts."""
    of_terminals = {signal.SIGINT: signal.default_int_handler, signal.SIGHUP: signal.SIG_DFL}
    handlers = {number: signal.signal(number, handler) for number, handler in of_terminals.items()}
    yield
    for number, handler in handlers.items():
        signal.signal(number, handler)


@pytest.fixture
def loop() -> Iterator[None]:
    """Outputs are made within an event loop, which a program has and a test has not."""
    made = asyncio.new_event_loop()
    asyncio.set_event_loop(made)
    yield
    made.run_until_complete(asyncio.sleep(0))
    asyncio.set_event_loop(None)
    made.close()
