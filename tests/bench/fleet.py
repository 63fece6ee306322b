"""`check`, `diff` and `rollout plan` of a fleet: processor and memory for each stack, and what a second process saves."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

PROJECT = Path(__file__).resolve().parents[2]
SCRIPT = Path(sys.executable).with_name("nodepools")
FEWEST = 12
SIZES = (100, 1000)
LINEAR = 1.5
"""A stack of the largest fleet costs at most this many times one of the smallest."""
COMMANDS = ("check --all", "diff before --all", "rollout plan rollout.yaml before")
ROLLOUT = 'name: fleet\nat_most: 20\nafter: {prod-*: [dev-*]}\nwaves:\n  - {name: dev, stacks: [dev-*]}\n  - {name: rest, stacks: ["*"]}\n'


def project(folder: Path, stacks: int) -> Path:
    """Copies of the example, and what they were before an edit."""
    files = sorted((PROJECT / "examples/fleet/stacks").glob("*.yaml"))
    for side, cpu in (("before/", "64"), ("", "96")):
        at = folder / side
        (at / "stacks").mkdir(parents=True)
        shutil.copy(PROJECT / "examples/fleet/Pulumi.yaml", at)
        for number in range(stacks):
            file = files[number % len(files)]
            name = f"{file.stem}-{number // len(files)}"
            text = file.read_text(encoding="utf-8").replace(f"name: {file.stem}\n", f"name: {name}\n").replace('cpu: "64"', f'cpu: "{cpu}"')
            (at / "stacks" / f"{name}.yaml").write_text(text, encoding="utf-8")
    (folder / "rollout.yaml").write_text(ROLLOUT, encoding="utf-8")
    return folder


def used(command: str, folder: Path, jobs: int) -> tuple[float, float, float]:
    """Seconds of wall time and of all processors, and MiB of the largest process."""
    start = perf_counter()
    process = subprocess.Popen([str(SCRIPT), *command.split(), "--jobs", str(jobs)], cwd=folder, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{command}: exit code {process.returncode}")
    return perf_counter() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def fleet() -> None:
    """Prints a row for each command."""
    with tempfile.TemporaryDirectory() as scratch:
        folders = {size: project(Path(scratch, str(size)), size) for size in SIZES}
        first = project(Path(scratch, "first"), FEWEST)
        for command in COMMANDS:
            one = used(command, first, 1)
            found = {size: used(command, folder, 1) for size, folder in folders.items()}
            few, many = ((found[size][1] - one[1]) / (size - FEWEST) * 1000 for size in SIZES)
            wall, _, memory = found[SIZES[-1]]
            two, _, _ = used(command, folders[SIZES[-1]], 2)
            print(
                f"{command} of {SIZES[-1]} stacks: {wall:.1f} s, {two:.1f} s with --jobs 2; {memory:.0f} MiB; {many:.1f} ms of a processor a stack,"
                f" {many / few:.2f} x as with {SIZES[0]}, at most {LINEAR} x"
            )
