"""One cluster, as the tests of EKS vary it."""

import pytest

from nodepools import AutoMode, EksClusterArgs, EksNodeClass, EksNodePool, ExistingEksNetwork, testing
from nodepools.eks.cluster import EksCluster

PRIVATE = AutoMode(
    built_in_node_pools=["system"],
    node_classes={"private": EksNodeClass()},
    node_pools={"compute": EksNodePool(node_class="private")},
)


@pytest.fixture(scope="module")
def where():
    """One of others, so that most tests register few resources; files about what a cluster makes for itself have a fixture of that name."""
    return {"network": ExistingEksNetwork(vpc_id="vpc-0123456789abcdef0", private_subnet_ids=[f"subnet-0123456789abcdef{n}" for n in range(2)])}


@pytest.fixture(scope="module")
def declare(where):
    """A declaration; its fields are keywords."""

    def declared(**fields):
        given = {"region": "us-east-1", "kubernetes_version": "1.35", "auto_mode": PRIVATE, "tags": {"platform": "dev"}} | where
        return EksClusterArgs(**(given | fields))

    return declared


def told(fields):
    """Outputs exist only while a program runs: a function makes what holds some."""
    return {name: value() if callable(value) else value for name, value in fields.items()}


@pytest.fixture(scope="session")
def known():
    """Graphs by what was declared: one is only asked, so tests that declare the same share it."""
    return {}


@pytest.fixture(scope="module")
def deploy(declare, known):
    """Registers a cluster called `dev-use1`; the fields of its declaration are keywords."""

    def deployed(*, opts=None, preview=False, **fields):
        run = {name: fields.pop(name) for name in ("config", "outputs", "stacks", "calls") if name in fields}
        register = lambda: EksCluster("dev-use1", declare(**told(fields)), opts() if opts else None)  # noqa: E731
        if opts or run or any(map(callable, fields.values())):
            return testing.run(register, preview=preview, **run)
        declared = (repr(declare(**fields).model_dump(exclude_unset=True)), preview)  # a default that is written can differ from none
        if declared not in known:
            known[declared] = testing.run(register, preview=preview)
        return known[declared]

    return deployed


@pytest.fixture(scope="session", params=[True, False], ids=["preview", "update"])
def preview(request):
    """Whether it is a preview: what is unknown there must still be linked."""
    return request.param
