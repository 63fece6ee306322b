"""Random workloads: those that we reject are those that the API server's own code rejects."""

import json
import os
import random
import subprocess
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from nodepools.model.kubernetes.raw_fields import PodError
from nodepools.placement.workloads.reader import read_workloads
from tests.oracle.admission.random_workloads import Object, pod_of, workload

FRESH = int(os.environ.get("PLACEMENT_SEED", random.SystemRandom().randrange(10**9)))  # printed with the counts
CASES = 4000


def theirs(program: Path, objects: Sequence[Object]) -> list[str]:
    lines = "".join(f"{json.dumps(one)}\n" for one in objects)
    done = subprocess.run([str(program)], input=lines, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def ours(written: Object) -> str:
    try:
        list(read_workloads(written))
    except PodError as wrong:
        return str(wrong)
    return ""


def differences(program: Path, seed: int) -> tuple[Counter[str], list[str]]:
    chance = random.Random(seed)  # noqa: S311  # cases, no secrets
    made = [workload(chance) for _ in range(CASES)]
    of_workloads, of_pods = theirs(program, made), theirs(program, [pod_of(one) for one in made])
    verdicts: Counter[str] = Counter()
    found: list[str] = []
    for written, refused, of_pod in zip(made, of_workloads, of_pods, strict=True):
        expected, said = refused or of_pod, ours(written)
        verdicts["rejected" if expected else "accepted"] += 1
        if bool(expected) != bool(said):
            found.append(f"ours: {said or 'accepted'}\ntheirs: {expected or 'accepted'}\n{json.dumps(_short(written))}")
    return verdicts, found


def _short(written: Object) -> Any:
    return written["spec"]


def test_what_is_rejected_is_what_the_api_server_rejects(admission: Path) -> None:
    for seed in (33, FRESH):
        verdicts, found = differences(admission, seed)
        print(f"seed {seed}: {dict(verdicts)}, {len(found)} different")
        assert not found, "\n\n".join(found[:10])
        assert min(verdicts["rejected"], verdicts["accepted"]) > CASES / 5
