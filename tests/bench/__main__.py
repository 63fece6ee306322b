"""`make bench`: speed as ratios, both sides measured in turn in one run. Whole processes, wall time; medians."""

import json
import platform
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from statistics import median
from time import perf_counter

from tests.bench.adoption import adoption
from tests.bench.capacity import capacity
from tests.bench.changes import changes
from tests.bench.fleet import fleet
from tests.bench.manifests import manifests, processes
from tests.bench.nodes import nodes
from tests.bench.placement import placement
from tests.bench.replicas import replicas

PROJECT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).parent
SCRIPT = Path(sys.executable).with_name("nodepools")
ONE_MODEL = "from pydantic import BaseModel\nclass A(BaseModel):\n    x: int\nA(x=1)"


def seconds(command: list[str], folder: Path) -> tuple[float, str]:
    start = perf_counter()
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    return perf_counter() - start, done.stdout


def in_turn(ours: list[str], at: Path, other: list[str], there: Path, times: int) -> tuple[float, float, float]:
    """Medians of both and of their ratios pair by pair; one pair before the counted ones."""
    pairs = [(seconds(ours, at)[0], seconds(other, there)[0]) for _ in range(times + 1)][1:]
    return median(a for a, _ in pairs), median(b for _, b in pairs), median(a / b for a, b in pairs)


MANY = """
KINDS = list(PLATFORM.clusters.items())
IN_TURN = {{f"{{KINDS[n % 3][0]}}-{{n}}": KINDS[n % 3][1] for n in range({clusters})}}
PLATFORM = Platform(name="dev", protect=False, maintenance=PLATFORM.maintenance, clusters=IN_TURN)
"""
"""The end of stack dev: its clusters in turn, as many as the program that it is compared with registers."""


def project(folder: Path, program: Path, clusters: int, *, stacks: bool) -> Path:
    folder.mkdir()
    shutil.copy(program, folder / "__main__.py")
    (folder / "Pulumi.yaml").write_text("name: bench\nruntime: python\n")
    (folder / "Pulumi.dev.yaml").write_text(f"config:\n  bench:clusters: {clusters}\n")
    if stacks:
        shutil.copytree(PROJECT / "stacks", folder / "stacks", ignore=shutil.ignore_patterns("__pycache__"))
        with (folder / "stacks/dev.py").open("a") as stack:
            stack.write(MANY.format(clusters=clusters))
    return folder


def types(folder: Path) -> Counter[str]:
    """What a program registers, as the last line of a preview counts it: without the stack."""
    plan = json.loads(seconds([str(SCRIPT), "preview", "--format", "json"], folder)[1])
    return Counter(one["type"] for one in plan["resources"] if one["type"] != "pulumi:pulumi:Stack")


def without_components(made: Counter[str]) -> Counter[str]:
    return Counter({one: count for one, count in made.items() if not one.startswith(("nodepools:", "raw:"))})


def check() -> None:
    ours, model, ratio = in_turn([str(SCRIPT), "check", "--stack", "dev"], PROJECT, [sys.executable, "-c", ONE_MODEL], PROJECT, 15)
    print(f"check of stack dev: {ours * 1000:.0f} ms, {ratio:.2f} x a Python that defines one pydantic model ({model * 1000:.0f} ms); 15 pairs")
    ours, model, ratio = in_turn([str(SCRIPT), "--help"], PROJECT, [sys.executable, "-c", ONE_MODEL], PROJECT, 7)
    print(f"help: {ours * 1000:.0f} ms, {ratio:.2f} x the same; 7 pairs")


def completion() -> None:
    """The guide promises half a second, on a machine on which a Python that defines one model takes a fifth of one."""
    line = ["env", "_NODEPOOLS_COMPLETE=complete_bash", "COMP_WORDS=nodepools check --stack ", "COMP_CWORD=3", str(SCRIPT)]
    ours, model, ratio = in_turn(line, PROJECT, [sys.executable, "-c", ONE_MODEL], PROJECT, 7)
    print(f"completion of a stack: {ours * 1000:.0f} ms, {ratio:.2f} x a Python that defines one pydantic model ({model * 1000:.0f} ms); 7 pairs")


def preview(clusters: int, times: int) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        at = project(Path(scratch, "ours"), PROJECT / "__main__.py", clusters, stacks=True)
        there = project(Path(scratch, "raw"), HERE / "raw.py", clusters, stacks=False)
        made = types(at)
        ours_only, raw = without_components(made), without_components(types(there))
        if ours_only != raw:
            sys.exit(f"not the same resources: ours has {dict(ours_only - raw)} more, the raw program {dict(raw - ours_only)}")
        command = [str(SCRIPT), "preview", "--format", "json"]
        ours, other, ratio = in_turn(command, at, command, there, times)
    each = (ours - other) / made.total() * 1000
    print(
        f"preview of {clusters:2} clusters, {made.total():3} resources  {ours:5.2f} s, {ratio:.2f} x a raw program ({other:.2f} s), "
        f"{each:+.1f} ms of our own a resource; {times} pairs"
    )


if __name__ == "__main__":
    print(f"Python {platform.python_version()}, {platform.system()} {platform.machine()}")
    check()
    completion()
    preview(1, 5)
    preview(3, 5)
    preview(20, 3)
    manifests()
    processes()
    nodes("yaml")
    nodes("json")
    placement()
    replicas()
    capacity()
    adoption()
    changes()
    fleet()
