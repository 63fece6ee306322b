"""A new grant takes minutes to reach the API server: what is in that cluster waits for it, and nothing else does."""

import pytest

SECONDS = 20
PROGRAM = f"""import asyncio
import pathlib
from types import SimpleNamespace

import pulumi
from nodepools import deploy, load
from nodepools.aks import role_assignments


async def sleep(seconds):
    pathlib.Path("waited").write_text(str(seconds))
    await asyncio.sleep({SECONDS})


role_assignments.asyncio = SimpleNamespace(sleep=sleep)
deploy(load(pulumi.get_stack()))
"""
CLUSTER = """AksClusterArgs(
    location="westeurope",
    kubernetes_version="1.35",
    network=AksNetworkArgs(cidr="{cidr}"),
    admins=[EntraPrincipal("00000000-0000-0000-0000-000000000001")],
    entra=Entra(deployer_is_admin=False),
    system_pool=SystemPool(vm_size="Standard_D4ds_v5", count=2),
    pools={{key: UserPool(vm_size="Standard_D4ds_v5") for key in ("web", "batch", "data")}},
    node_provisioning={provisioning},
)"""
ONE = CLUSTER.format(cidr="10.10.0.0/16", provisioning='NodeProvisioning(node_pools={"jobs": AksNodePool()})')
OTHER = CLUSTER.format(cidr="10.20.0.0/16", provisioning="None")


@pytest.fixture
def waited(engine):
    """The seconds that the program would have waited since this was last asked; `None` where it has not."""
    note = engine.folder / "waited"

    def seconds():
        found = int(note.read_text()) if note.exists() else None
        note.unlink(missing_ok=True)
        return found

    return seconds


def test_only_what_is_in_the_cluster_waits_and_only_once(engine, waited):
    (engine.folder / "__main__.py").write_text(PROGRAM)
    engine.declare(f'Platform(name="dev", clusters={{"weu": {ONE}, "neu": {OTHER}}})')

    engine.did("preview")
    assert waited() is None

    done = {line: at for at, line in engine.timed("up", "--yes", "--skip-preview")}
    [granted] = [at for line, at in done.items() if "RoleAssignment dev-weu-admin" in line]
    inside = {line for line in done if line.startswith("create kubernetes:")}
    assert [line.rpartition(" ")[2] for line in inside] == ["dev-weu-jobs"]
    assert sum(":AgentPool " in line for line in done) == 6
    assert all((at - granted >= SECONDS) == (line in inside) for line, at in done.items()), done
    assert waited() == 300

    engine.did("preview")
    assert engine.up() == []
    assert waited() is None
