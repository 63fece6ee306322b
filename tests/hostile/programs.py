"""Stacks, programs and policy packs that end, print and raise what no code should."""

from typing import Final

from tests.hostile.case import Case

PROJECT: Final = {"Pulumi.yaml": "name: shop\nruntime: python\n"}
GOOD: Final = """
from nodepools import AksClusterArgs, Platform, SystemPool
PLATFORM = Platform(name="dev", clusters={"weu": AksClusterArgs(
    location="westeurope", kubernetes_version="1.35", system_pool=SystemPool(vm_size="Standard_D4ds_v5", count=3))})
"""
_PRINTS: Final = """
import atexit, os, subprocess, sys
print("print")
os.write(1, b"descriptor\\n")
subprocess.run(["echo", "subprocess"])
sys.__stdout__.write("original stream\\n")
atexit.register(print, "at the end")
atexit.register(os._exit, 7)
"""


def _stack(text: str) -> dict[str, str | bytes]:
    return {**PROJECT, "stacks/dev.py": text}


PROGRAMS: Final = (
    Case(
        "a stack that ends the process is one error",
        ("check", "--format", "json"),
        2,
        "stacks/dev.py:2: SystemExit: `os._exit`",
        _stack("import os\nos._exit(0)\n"),
        is_json=True,
    ),
    Case(
        "a stack that becomes another program is one error",
        ("check",),
        2,
        "stacks/dev.py:2: SystemExit: `os.execv` would end the command",
        _stack("import os\nos.execvp('true', ['true'])\n"),
    ),
    Case("a stack that raises an interrupt is one error", ("check",), 2, "stacks/dev.py:1: KeyboardInterrupt", _stack("raise KeyboardInterrupt\n")),
    Case(
        "an exception without a message is one error",
        ("check",),
        2,
        "stacks/dev.py:3: Bad: its message cannot be read (ValueError)",
        _stack("class Bad(BaseException):\n    def __str__(self): raise ValueError\nraise Bad\n"),
    ),
    Case("what a stack prints is not in JSON", ("check", "--format", "json"), 0, "at the end", _stack(_PRINTS + GOOD), is_json=True),
    Case(
        "a copy of the process that a stack makes answers nothing",
        ("check", "--format", "json"),
        0,
        "",
        _stack(f"import os\nos.fork()\n{GOOD}"),
        is_json=True,
    ),
    Case(
        "what an own rule prints is not in JSON",
        ("check", "--format", "json", "--own-rules", "own.py"),
        2,
        "raised SystemExit: 0",
        {
            **_stack(GOOD),
            "own.py": "from nodepools import AksClusterArgs; from nodepools.rules import rule\n\nprint('imported')\n\n\n@rule('ACME001', 'error')\n"
            'def every_cluster(cluster: AksClusterArgs):\n    """Every cluster."""\n    print(\'checked\')\n    raise SystemExit(0)\n',
        },
        is_json=True,
    ),
    Case(
        "a policy pack that prints more than a pipe holds and hangs ends at the time limit",
        ("preview", "--policy-pack", "pack", "--timeout", "6"),
        2,
        "did not end within 6 seconds, with the program, and was stopped",
        {
            **PROJECT,
            "__main__.py": "",
            "pack/PulumiPolicy.yaml": "runtime: python\n",
            "pack/__main__.py": "import sys, time\nprint('x' * 200_000, file=sys.stderr)\nopen('printed', 'w').close()\ntime.sleep(60)\n",
        },
        seconds=20,
    ),
    Case(
        "a program that hangs ends without an option",
        ("preview", "--format", "json"),
        2,
        "the program did not end within 2 seconds and was stopped; the environment variable `NODEPOOLS_PROGRAM_SECONDS` raises the limit",
        {**PROJECT, "__main__.py": "while True: pass\n"},
        environment={"NODEPOOLS_PROGRAM_SECONDS": "2"},
        is_json=True,
    ),
    Case(
        "of 100 MB that a program prints, the first are shown",
        ("preview", "--format", "json"),
        0,
        "note: 99.0 MiB of further output are not shown",
        {**PROJECT, "__main__.py": "import sys\nfor _ in range(100): sys.stdout.write('x' * (1 << 20))\n"},
        is_json=True,
    ),
    Case(
        "a program that floods standard error and aborts is one error, and what it wrote is bounded",
        ("preview", "--format", "json"),
        2,
        "the program was ended by signal SIGABRT",
        {**PROJECT, "__main__.py": "import os\nfor _ in range(100): os.write(2, b'x' * (1 << 20))\nos.abort()\n"},
        is_json=True,
    ),
    Case(
        "a resource of a thread that is missing leaves the plan incomplete",
        ("preview", "--format", "json"),
        2,
        "a thread of the program failed, and what it would have registered is missing",
        {
            **PROJECT,
            "__main__.py": "import threading, pulumi\nthread = threading.Thread(target=lambda: pulumi.CustomResource('t:i:T', 'a', {}))\n"
            "thread.start()\nthread.join()\n",
        },
        is_json=True,
    ),
    Case(
        "a program that ends the process is one error",
        ("preview", "--format", "json"),
        2,
        "the program ended its process before it was complete",
        {**PROJECT, "__main__.py": "import os\nos.write(1, b'descriptor')\nos._exit(0)\n"},
        is_json=True,
    ),
)
