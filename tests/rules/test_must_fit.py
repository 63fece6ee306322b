"""Workloads that a platform names, in `check` and before anything is registered."""

import pytest

from nodepools.model.base import plain
from nodepools.model.derive import derive
from nodepools.rules.fault import Severity
from nodepools.rules.judge import check
from nodepools.rules.samples import aks, eks, platform

CONTAINERS = [{"name": "main", "resources": {"requests": {"cpu": "100m"}}}]


def workload(**spec: object) -> dict[str, object]:
    return {"kind": "Pod", "metadata": {"name": "web"}, "spec": {"containers": CONTAINERS, **spec}}


ROWS = [
    pytest.param([workload()], [], id="a pod that fits some pool is no fault"),
    pytest.param([workload(nodeSelector={"eks.amazonaws.com/compute-type": "auto"})], [], id="in whatever cluster"),
    pytest.param(
        [workload(), workload(nodeSelector={"tier": "web"})],
        ["PLT030 must_fit[1] Pod/web: can land on no pool; nearest is weu/web: tier=web: its nodes have no label tier"],
        id="one that fits none is told with the nearest miss",
    ),
    pytest.param(
        [workload(nodeSelector={"kubernetes.azure.com/node-image-version": "x"})],
        [
            (
                "PLT031 must_fit[0] Pod/web: may land on no pool; nearest is weu/web: "
                "kubernetes.azure.com/node-image-version=x: what its nodes have there is not known offline"
            )
        ],
        id="one of which it is not known is a warning",
    ),
    pytest.param([{"kind": "Secret"}], ["PLT032 must_fit[0] Secret: makes no pods"], id="what makes no pods"),
    pytest.param(
        [workload(nodeSelector=["a"])],
        ["PLT032 must_fit[0] Pod: is no workload: Pod/web: nodeSelector: should be an object, not ('a',)"],
        id="what is no pod",
    ),
]


@pytest.mark.parametrize(("named", "faults"), ROWS)
def test_must_fit(named: list[dict[str, object]], faults: list[str]) -> None:
    declared = derive(platform(weu=aks(), use1=eks()), must_fit=named)
    told = [fault for fault in check(declared) if fault.severity is not Severity.NOTE and fault.path.startswith("must_fit")]
    assert [f"{fault.code} {fault.path} {fault.value}: {fault.message}" for fault in told] == faults


def test_what_is_named_is_kept_as_it_was_written() -> None:
    assert plain(derive(platform(weu=aks()), must_fit=[workload()]).must_fit) == [workload()]
