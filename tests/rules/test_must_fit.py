"""Workloads that a platform names, in `check` and before anything is registered."""

import pytest

from nodepools import UserPool
from nodepools.model.base import to_plain
from nodepools.model.derive import derive
from nodepools.model.severity import Severity
from nodepools.rules.engine.runner import check
from nodepools.rules.engine.samples import SIZE, aks, eks, platform
from nodepools.wire.aks.generation import pool_name

CONTAINERS = [{"name": "main", "resources": {"requests": {"cpu": "100m"}}}]


def workload(**spec: object) -> dict[str, object]:
    return {"kind": "Pod", "metadata": {"name": "web"}, "spec": {"containers": CONTAINERS, **spec}}


def affinity(operator: str, *names: str) -> dict[str, object]:
    term = {"matchExpressions": [{"key": "kubernetes.azure.com/agentpool", "operator": operator, "values": names}]}
    return {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [term]}}}


ROWS = [
    pytest.param([workload()], [], id="a pod that fits some pool is no finding"),
    pytest.param([workload(nodeSelector={"eks.amazonaws.com/compute-type": "auto"})], [], id="in whatever cluster"),
    pytest.param(
        [workload(), workload(nodeSelector={"tier": "web"})],
        ["PLT030 must_fit[1] Pod/web: Workload `Pod/web` fits no pool and stays Pending (no pool has label `tier=web`)"],
        id="one that fits none is told with the reason",
    ),
    pytest.param(
        [workload(nodeSelector={"kubernetes.azure.com/node-image-version": "x"})],
        [
            (
                "PLT031 must_fit[0] Pod/web: Workload `Pod/web` may stay Pending "
                "(`weu/web`, `weu/own` may lack label `kubernetes.azure.com/node-image-version=x`)"
            )
        ],
        id="one of which it is not known is a warning",
    ),
    pytest.param(
        [workload(nodeSelector={"agentpool": pool_name(aks(), "web")})],
        [
            (
                f"PLT033 must_fit[0] Pod/web: Workload `Pod/web` selects `agentpool={pool_name(aks(), 'web')}`, "
                "a name that changes when the pool `web` rotates"
            )
        ],
        id="one that lands, until the pool rotates",
    ),
    pytest.param([workload(nodeSelector={"nodepools/name": "web"})], [], id="one that lands afterwards too"),
    pytest.param([workload(affinity=affinity("NotIn", pool_name(aks(), "web")))], [], id="one that keeps off"),
    pytest.param([workload(affinity=affinity("In", "own", "none"))], [], id="a name that does not turn"),
    pytest.param(
        [{"kind": "StorageClass", "metadata": {"name": "fast"}, "provisioner": "disk.csi.azure.com"}], [], id="what decides where volumes are"
    ),
    pytest.param(
        [{"kind": "StorageClass", "provisioner": 1}],
        ["PLT032 must_fit[0] StorageClass: `must_fit[0]` is not a valid workload (`provisioner` must be text, in quotes, but is `1`)"],
        id="what decides it, and is not valid",
    ),
    pytest.param([{"kind": "Secret"}], ["PLT032 must_fit[0] Secret: `must_fit[0]` creates no pods: its kind is `Secret`"], id="what makes no pods"),
    pytest.param(
        [workload(nodeSelector=["a"])],
        ['PLT032 must_fit[0] Pod: `must_fit[0]` is not a valid workload (Pod/web: `spec.nodeSelector` is `["a"]`, and must be an object)'],
        id="what is no pod",
    ),
]


@pytest.mark.parametrize(("named", "findings"), ROWS)
def test_must_fit(named: list[dict[str, object]], findings: list[str]) -> None:
    named_pool = UserPool(vm_size=SIZE, name="own")  # AKS004 is of another path
    declared = derive(platform(weu=aks(pools={"own": named_pool}), use1=eks()), must_fit=named)
    told = [finding for finding in check(declared) if finding.severity is not Severity.NOTE and finding.path.startswith("must_fit")]
    assert [f"{finding.code} {finding.path} {finding.value}: {finding.message}" for finding in told] == findings


def test_what_is_named_is_kept_as_it_was_written() -> None:
    assert to_plain(derive(platform(weu=aks()), must_fit=[workload()]).must_fit) == [workload()]
