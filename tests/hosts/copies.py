"""Runs `nodepools` and Pulumi programs in copies of a process that has imported the SDKs of the clouds, which takes most of their time.

It listens at the socket of its argument until its standard input ends. No gRPC runs before a copy is made: its threads would be missing there.
"""

import atexit
import gc
import importlib
import io
import os
import runpy
import select
import signal
import socket
import sys
import threading
import traceback
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

_PRELOADED = (
    "nodepools.engine.run",
    "pulumi_azure_native.authorization",
    "pulumi_azure_native.containerregistry",
    "pulumi_azure_native.containerservice",
    "pulumi_azure_native.managedidentity",
    "pulumi_azure_native.network",
    "pulumi_azure_native.operationalinsights",
    "pulumi_azure_native.resources",
    "pulumi_aws.cloudwatch",
    "pulumi_aws.ec2",
    "pulumi_aws.eks",
    "pulumi_aws.iam",
    "pulumi_kubernetes",
    "pulumi_kubernetes.apiextensions",
    "nodepools.aks.cluster",
    "nodepools.eks.cluster",
)
_END = os._exit  # a command takes it from code of users
_OBJECTS = 1_000_000
"""As in nodepools/engine/host.py."""


def main(address: str) -> None:
    _prepare()
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(address)
    listener.listen(64)
    sys.stdout.write("\n")
    sys.stdout.flush()
    waiting: dict[int, socket.socket] = {}
    while True:
        ready, _, _ = select.select([0, woken, listener], [], [])
        if 0 in ready:
            return
        if woken in ready:
            os.read(woken, 4096)
            _report(waiting)
        if listener in ready:
            asking, _ = listener.accept()
            _, streams, _, _ = socket.recv_fds(asking, 1, 3)
            told = _whole(asking).split("\0")
            child = os.fork()
            if child == 0:
                signal.set_wakeup_fd(-1)
                for end in (woken, wake):
                    os.close(end)
                for ours in (asking, listener, *waiting.values()):
                    ours.close()
                _become(streams, told)
            waiting[child] = asking
            for stream in streams:
                os.close(stream)


def _prepare() -> None:
    gc.set_threshold(_OBJECTS)
    starter = runpy.run_path(str(Path(__file__).parents[1] / "cli/starter.py"))
    for name in (*starter["_PRELOADED"], *_PRELOADED):
        importlib.import_module(name)
    starter["_warm"]()
    tasks = Path("/proc/self/task")
    if tasks.is_dir() and len(list(tasks.iterdir())) > 1:
        sys.exit("an import starts threads, which no copy would have")
    gc.freeze()  # what is there stays shared between the copies
    gc.set_threshold(700, 10, 10)


def _whole(asking: socket.socket) -> str:
    return os.fsdecode(b"".join(iter(lambda: asking.recv(65536), b"")))


def _report(waiting: dict[int, socket.socket]) -> None:
    while waiting:
        child, ended = os.waitpid(-1, os.WNOHANG)
        if not child:
            return
        with waiting.pop(child) as asking, suppress(OSError):  # it was ended at the same time
            asking.sendall(str(os.waitstatus_to_exitcode(ended)).encode())


def _become(streams: list[int], told: list[str]) -> NoReturn:
    """Runs a module in this process, as `python -m` does, with what the process has that asked. What is there at its end is not taken apart."""
    folder, group, place, module, count, *rest = told
    arguments, environment = rest[: int(count)], rest[int(count) :]
    os.setpgid(0, int(group))
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(entry.partition("=")[::2] for entry in environment)
    sys.stdin = io.TextIOWrapper(io.FileIO(0, "r", closefd=False), encoding="utf-8")
    sys.stdout = io.TextIOWrapper(io.BufferedWriter(io.FileIO(1, "w", closefd=False)), encoding="utf-8", write_through=True)
    sys.stderr = io.TextIOWrapper(io.FileIO(2, "w", closefd=False), encoding="utf-8", errors="backslashreplace", write_through=True)
    sys.argv = [module, *arguments]
    sys.path[:0] = [place] if place else []
    status = 1
    try:
        runpy._run_module_as_main(module)
        status = 0
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 1 if end.code else 0
        if isinstance(end.code, str):
            sys.stderr.write(f"{end.code}\n")
    except BaseException:  # noqa: BLE001  # as the interpreter does at its end
        traceback.print_exc()
    finally:
        threading._shutdown()
        atexit._run_exitfuncs()
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                with suppress(OSError, ValueError):
                    stream.flush()
        _END(status)


if __name__ == "__main__":
    main(sys.argv[1])
