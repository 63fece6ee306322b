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


@pytest.fixture(scope="session")
def known():
    """Graphs by what was declared: one is only asked, so tests that declare the same share it."""
    return {}


@pytest.fixture
def deploy(declare, known):
    """Registers a cluster called `dev-weu`; the fields of its declaration are keywords."""

    def deployed(*, opts=None, preview=False, **fields):
        run = {name: fields.pop(name) for name in ("outputs", "stacks", "calls", "since") if name in fields}
        register = lambda: AksCluster(STEM, declare(**told(fields)), opts() if opts else None)  # noqa: E731
        if opts or run or any(map(callable, fields.values())):
            return testing.run(register, preview=preview, **run)
        declared = (repr(declare(**fields)), preview)
        if declared not in known:
            known[declared] = testing.run(register, preview=preview)
        return known[declared]

    return deployed


@pytest.fixture(params=[True, False], ids=["preview", "update"])
def preview(request):
    """Whether it is a preview: what is unknown there must still be linked."""
    return request.param
