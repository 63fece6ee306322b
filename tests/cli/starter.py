"""Starts the command many times in a short time: a process that has imported it, and makes a copy of itself for each run.

Most of the time of a command is its imports. Each run is a process of its own all the same, with its own folder, environment and streams. No SDK
of a cloud and nothing of gRPC is imported before it: they have threads, which no copy would have.
"""

import gc
import io
import json
import os
import sys
import time
import traceback
from datetime import datetime
from pathlib import Path

_PRELOADED = (
    "nodepools.cli.program",
    "nodepools.cli.inputs.sources",
    "nodepools.rules.engine.runner",
    "nodepools.rules.engine.runner",
    "nodepools.manifests.object_checks",
    "nodepools.cli.adopt.command",
    "nodepools.cli.capacity",
    "nodepools.cli.clusters.diagram",
    "nodepools.cli.clusters.doctor",
    "nodepools.cli.convert.command",
    "nodepools.cli.cost",
    "nodepools.cli.diff.command",
    "nodepools.cli.explain.command",
    "nodepools.cli.render",
    "nodepools.cli.upgrade.command",
    "nodepools.cli.calendar",
)


def main() -> None:
    for name in _PRELOADED:
        __import__(name)
    _warm()
    gc.freeze()  # what is there stays shared between the copies
    for line in sys.stdin:
        asked = json.loads(line)
        child = os.fork()
        if child == 0:
            _run(asked)
        _, ended = os.waitpid(child, 0)
        sys.stdout.write(f"{os.waitstatus_to_exitcode(ended)}\n")
        sys.stdout.flush()


def _warm() -> None:
    """Validators of models and tables of clouds are built when they are first asked for, and take longer than most commands."""
    from nodepools import check
    from nodepools.rules.engine.registry import all_rules

    for rule in [*all_rules().values()][::7]:
        check(rule.sample())


def _run(asked: dict[str, object]) -> None:
    status = 1
    try:
        status = _command(asked)
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 1 if end.code else 0
    except BaseException:  # noqa: BLE001  # as the interpreter does at its end
        traceback.print_exc()
    finally:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
        os._exit(status)


def _command(asked: dict[str, object]) -> int:
    folder = Path(str(asked["streams"]))
    os.chdir(str(asked["cwd"]))
    os.environ.clear()
    os.environ.update({str(name): str(value) for name, value in dict(asked["env"]).items()})
    if moment := os.environ.pop("RUN_AT", None):
        seconds = datetime.fromisoformat(moment).timestamp()
        time.time = lambda: seconds  # `date.today` asks it
    for number, flags in ((0, os.O_RDONLY), (1, os.O_WRONLY), (2, os.O_WRONLY)):
        opened = os.open(folder / str(number), flags)
        os.dup2(opened, number)
        os.close(opened)
    sys.stdin = io.TextIOWrapper(io.FileIO(0, "r", closefd=False), encoding="utf-8")
    sys.stdout = io.TextIOWrapper(io.BufferedWriter(io.FileIO(1, "w", closefd=False)), encoding="utf-8")
    sys.stderr = io.TextIOWrapper(io.FileIO(2, "w", closefd=False), encoding="utf-8", write_through=True)
    sys.argv = ["nodepools", *list(asked["arguments"])]
    sys.path[0] = str(asked["cwd"])
    from nodepools.cli.main import main as command

    command()
    return 0


if __name__ == "__main__":
    main()
