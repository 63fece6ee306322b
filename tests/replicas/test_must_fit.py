"""Workloads of `must_fit` of which some pods stay Pending."""

from typing import Any

import pytest

from nodepools import EksNodePool, Platform, UserPool
from nodepools.replicas.must_fit import unplaced
from tests.replicas.clusters import SMALL, ZONE, aks, apart, eks, web

TWO_ZONES = eks("a", "b", any=EksNodePool())
FIVE = aks(web=UserPool(vm_size=SMALL, count=5))

SPREAD_OUT = (
    "error: runs at most 2 of 5 pods: anti-affinity over `topology.kubernetes.io/zone` allows one of the pods for each value, "
    "and nodes have 2 values. Use `preferredDuringSchedulingIgnoredDuringExecution`"
)
CROWDED = (
    "warning: is certain to run only 10 of 12 pods: room on `c0/web` certain for 10 of 12 pods (at most 5 nodes with at most 3 each). "
    "Raise the number of `c0/web` to 6 nodes, or request less"
)
LOST = (
    "error: fits no pool and stays Pending (label `nodepools/name=wbe`, `c0/web` has `nodepools/name=web`). "
    "change `nodepools/name=wbe` to `nodepools/name=web`"
)
PERHAPS = "warning: may stay Pending (`c0/web` may lack label `kubernetes.azure.com/x=1`)"
WITH_DATA = {"containers": [{"name": "db"}], "volumes": [{"name": "data", "persistentVolumeClaim": {"claimName": "data"}}]}
STORED = {"kind": "Pod", "metadata": {"name": "db"}, "spec": WITH_DATA}
CLAIM = {"kind": "PersistentVolumeClaim", "metadata": {"name": "data"}, "spec": {"storageClassName": "auto-ebs"}}
UNREADABLE = {"kind": "PersistentVolumeClaim", "metadata": {"name": "data"}, "spec": {"storageClassName": 1}}
LACKING = (
    "warning: is certain to run only 0 of 1 pods: PersistentVolumeClaim `data` is not in the input. "
    "Save the output of `kubectl get pvc,pv -A -o yaml` in a file, and pass the file, too: the zone of its PersistentVolume decides"
)
JOB = {"restartPolicy": "Never", "nodeSelector": {"nodepools/name": "wbe"}, "containers": [{"name": "c"}]}
SUSPENDED = {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "j"}, "spec": {"suspend": True, "template": {"spec": JOB}}}
ROWS = [
    pytest.param([TWO_ZONES], web(5), [], id="all run"),
    pytest.param([TWO_ZONES], web(5, **apart(ZONE)), [SPREAD_OUT], id="some stay Pending"),
    pytest.param([TWO_ZONES, eks("a", "b", "c", "d", "e", any=EksNodePool())], web(5, **apart(ZONE)), [], id="one cluster that runs all is enough"),
    pytest.param([FIVE], web(3, nodeSelector={"nodepools/name": "wbe"}), [LOST], id="no pool"),
    pytest.param([FIVE], web(3, nodeSelector={"kubernetes.azure.com/x": "1"}), [PERHAPS], id="no certain pool"),
    pytest.param([FIVE], SUSPENDED, [LOST], id="what is suspended is asked about as it is resumed"),
    pytest.param([FIVE], web(12, requests={"cpu": "600m"}), [CROWDED], id="some may stay Pending"),
]


@pytest.mark.parametrize(("clusters", "workload", "expected"), ROWS)
def test_must_fit(clusters: list[Any], workload: Any, expected: list[str]) -> None:
    platform = Platform.model_validate({"name": "dev", "clusters": {f"c{n}": cluster for n, cluster in enumerate(clusters)}, "must_fit": [workload]})
    assert [f"{'error' if found.certain else 'warning'}: {found.problem}. {found.fix}".removesuffix(". ") for found in unplaced(platform)] == expected


OBJECTS = [
    pytest.param([STORED, CLAIM], [], id="a claim next to the workloads"),
    pytest.param([STORED], [LACKING], id="no claim"),
    pytest.param([STORED, UNREADABLE], [LACKING], id="one that cannot be read"),
]


@pytest.mark.parametrize(("entries", "expected"), OBJECTS)
def test_volumes_of_must_fit(entries: list[Any], expected: list[str]) -> None:
    platform = Platform.model_validate({"name": "dev", "clusters": {"c": TWO_ZONES}, "must_fit": entries})
    assert [f"{'error' if found.certain else 'warning'}: {found.problem}. {found.fix}".removesuffix(". ") for found in unplaced(platform)] == expected
