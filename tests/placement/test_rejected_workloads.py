"""Workloads of a cluster, whose fields the API server has accepted: what cannot be read is told."""

import pytest

from nodepools.model.kubernetes.raw_fields import PodError
from nodepools.placement.workloads.reader import read_workloads


@pytest.mark.parametrize("existing", [True, False])
@pytest.mark.parametrize(
    ("spec", "told"),
    [
        (5, "`spec` must be an object"),
        ({"containers": 5}, "`containers` must be a list of objects"),
        ({"containers": [{"name": "a", "resources": {"requests": {"cpu": "x"}}}]}, "`cpu` must be a quantity"),
        ({"containers": [{"name": "a"}], "nodeSelector": 5}, "`nodeSelector` must be an object"),
        ({"containers": [{"name": "a"}], "topologySpreadConstraints": [{"maxSkew": "x"}]}, "`maxSkew` must be a whole number"),
    ],
)
def test_a_pod_that_cannot_be_read(spec: object, told: str, existing: bool) -> None:  # noqa: FBT001
    raw = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a", "uid": "1"}, "spec": spec}
    with pytest.raises(PodError, match=f"Pod/a: {told}"):
        list(read_workloads(raw, existing=existing))


def test_a_workload_that_cannot_be_read() -> None:
    raw = {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "a", "uid": "1"},
        "spec": {"replicas": "two", "template": {"spec": {}}},
    }
    with pytest.raises(PodError, match=r"Deployment/a: .*replicas"):
        list(read_workloads(raw))
