"""One cluster, as the tests of AKS vary it."""

import pytest

from nodepools import AksClusterArgs, SystemPool, testing
from nodepools.aks.cluster import AksCluster

SIZE = "Standard_D4ds_v5"
STEM = "dev-weu"


@pytest.fixture
def declare():
    """A declaration; its fields are keywords."""

    def declared(**fields):
        given = {
            "location": "westeurope",
            "kubernetes_version": "1.35",
            "system_pool": SystemPool(vm_size=SIZE, count=3),
            "tags": {"platform": "dev"},
        }
        return AksClusterArgs(**(given | fields))

    return declared


def told(fields):
    """Outputs exist only while a program runs: a function makes what holds some."""
    return {name: value() if callable(value) else value for name, value in fields.items()}


@pytest.fixture
def deploy(declare):
    """Registers a cluster called `dev-weu`; the fields of its declaration are keywords."""

    def deployed(*, opts=None, preview=False, **fields):
        run = {name: fields.pop(name) for name in ("config", "outputs", "stacks", "calls", "since") if name in fields}
        return testing.run(lambda: AksCluster(STEM, declare(**told(fields)), opts() if opts else None), preview=preview, **run)

    return deployed


@pytest.fixture(params=[True, False], ids=["preview", "update"])
def preview(request):
    """Whether it is a preview: what is unknown there must still be linked."""
    return request.param
