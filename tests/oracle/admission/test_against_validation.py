"""Random workloads, and good objects next to them with one field changed: those that we reject are those that the API server's own code rejects."""

import json
import os
import random
import re
import subprocess
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from nodepools.model.kubernetes.object_validation import check_object
from nodepools.model.kubernetes.raw_fields import PodError
from nodepools.placement.workloads.objects import read_workload_objects
from nodepools.placement.workloads.reader import read_workloads
from tests.oracle.admission.changed_objects import GOOD, WORKLOADS, changed
from tests.oracle.admission.random_workloads import Object, pod_of, workload

FRESH = int(os.environ.get("PLACEMENT_SEED", random.SystemRandom().randrange(10**9)))  # printed with the counts
CASES = 4000
NOT_READ: dict[str, str] = {
    "": r"metadata\.name: Required value|json: cannot unmarshal",  # people ask about objects that are not written completely
    **dict.fromkeys(
        ("Pod", "Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "Job", "CronJob"),
        # names and images that are not there yet; `volumeClaimTemplates` and time zones: not every version rejects them
        r"ontainers\[\d\]\.(image|name)|spec\.selector: Required|spec\.serviceName|volumeClaimTemplates|volumes\[\d\]|quantities must|schedule: Req"
        r"|timeZone|completionMode: Unsupported value: \"\"|selector: Required|template\.metadata\.labels",
    ),
    "DeviceClass": r"config|extendedResourceName|cel\.expression|selectors: Too many",  # a type error of CEL: a selector that is not known to match
    "HorizontalPodAutoscaler": r"metrics|quantities must|behavior\.|minReplicas: Invalid value: 0|scaleTargetRef",  # minReplicas: a gate
    "LimitRange": r"\[foo\]|\[requests\.x/y\]|limits\[\d\]\.type|max/min = -",
    "PersistentVolume": r"capacity: Unsupported|csi\.driver|volumeMode: Unsupported value: \"\"",
    "PersistentVolumeClaim": r"dataSource:|volumeAttributesClassName|volumeMode: Unsupported value: \"\"",
    "PodDisruptionBudget": r"unhealthyPodEvictionPolicy: Unsupported value: \"\"|metadata\.name",
    "PodGroup": r"podGroupTemplateRef",
    "PriorityClass": r"preemptionPolicy: Required value",
    "ResourceClaim": r"config|Duplicate value|Too many|tolerations|cel\.expression",
    "ResourceClaimTemplate": r"config|Duplicate value|Too many|tolerations|cel\.expression|spec\.metadata",
    "ResourceSlice": "",  # drivers write them, and people export them
    "RuntimeClass": r"tolerations\[\d\]: Duplicate",
    "StorageClass": r"parameters: Too long",
}
for of_devices in ("ResourceClaim", "ResourceClaimTemplate"):
    NOT_READ[of_devices] += r"|matchAttribute: .* prefix: a lowercase"  # only since Kubernetes 1.37
NOT_READ["StatefulSet"] += r"|metadata\.name: .*(dots|63 characters)"  # newer versions reject such a name: earlier ones create no pods of some
"""What the API server rejects and we do not, by kind, as part of its reason: fields that decide nothing here."""


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


def of_a_template(written: Object) -> bool:
    """A controller would create pods of it."""
    try:
        return pod_of(written)["spec"] is not None and written["kind"] in {good["kind"] for good in WORKLOADS}
    except (KeyError, TypeError):
        return False


def ours_of_object(written: Object) -> str:
    try:
        read_workload_objects([written])
        check_object(written["kind"], written)
    except PodError as wrong:
        return str(wrong)
    return ""


def test_one_changed_field_of_an_object_is_rejected_as_the_api_server_rejects_it(admission: Path) -> None:
    made = [(what, one) for good in (*GOOD, *WORKLOADS) for what, one in changed(good)]
    of_pods = theirs(admission, [pod_of(one) if of_a_template(one) else one for _, one in made])
    counts: Counter[str] = Counter()
    found: list[str] = []
    for (what, written), refused, of_pod in zip(made, theirs(admission, [one for _, one in made]), of_pods, strict=True):
        expected, kind = refused or of_pod, written["kind"]
        said = (ours if kind in {good["kind"] for good in WORKLOADS} else ours_of_object)(written)
        known = (NOT_READ[kind], NOT_READ[""]) if kind in NOT_READ else (NOT_READ[""],)
        missed = bool(expected) and not said
        counts["missed" if missed else "rejected" if expected else "accepted"] += 1
        if (said and not expected) or (missed and not any(re.search(one, expected) for one in known)):
            found.append(f"{kind}: {what}\nours: {said or 'accepted'}\ntheirs: {expected or 'accepted'}")
    print(dict(counts), f"{len(found)} different")
    assert not found, "\n\n".join(found[:10])
    assert min(counts["rejected"], counts["accepted"]) > len(made) / 5
    assert counts["missed"] < len(made) / 10
