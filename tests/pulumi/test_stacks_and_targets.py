"""A stack that is renamed, and operations on one pool with `--target`: what docs/guides/fleets.md says of them."""

import json
import re
from dataclasses import replace

import pytest

DECLARED = """from nodepools import *

PLATFORM = Platform(name="dev", protect=False, clusters={{"weu": AksClusterArgs(
    location="westeurope", kubernetes_version="1.35", entra=None, system_pool=SystemPool(vm_size="Standard_D4ds_v5", count=3),
    pools={{{pools}}},
)}})
"""


def pool(key, **fields):
    return f'"{key}": UserPool(vm_size="Standard_D4ds_v5", {", ".join(f"{name}={value!r}" for name, value in fields.items())}), '


@pytest.fixture
def shop(clouds):
    made = clouds.project("shop", declared=DECLARED.format(pools=pool("a", count=1) + pool("b", count=1) + pool("c", count=1)))
    assert made.up()
    return made


def urns(project):
    """The URNs of the pools by key."""
    found = [one["urn"] for one in project.state()["deployment"]["resources"] if one["type"].endswith(":AgentPool")]
    return {urn.rpartition("dev-weu-")[2][0]: urn for urn in found}


def declare(project, *pools):
    (project.folder / "stacks/dev.py").write_text(DECLARED.format(pools="".join(pools)))


def targeted(project, command, *targets, more=()):
    options = [f"--target={urn}" for urn in targets]
    return [(kind, name.removeprefix("dev-weu-")[0]) for kind, name in project.operations(command, "--yes", "--skip-preview", *options, *more)]


def successor(project, key):
    """The URN of the pool that replaces another."""
    name = json.loads(project.pulumi("stack", "output", "clusters", "--json"))["weu"]["pools"][key]
    return urns(project)[key].rpartition("dev-weu-")[0] + f"dev-weu-{name}"


A, B, C = (pool(key, count=1) for key in "abc")
ROTATED = {key: pool(key, count=1, max_pods=60) for key in "abc"}


def test_a_renamed_stack_keeps_its_resources(shop):
    shop.pulumi("stack", "rename", "blue")
    blue = replace(shop, stack="blue")
    refused = blue.tried("preview")
    assert refused.returncode != 0
    [advice] = set(re.findall(r"keeps its resources with `pulumi (.*)`", refused.stdout + refused.stderr))
    blue.pulumi(*advice.split())
    assert blue.operations("preview") == []
    assert blue.up() == []
    assert blue.nodepools("check", "--stack", "blue").stdout.startswith("blue: no errors")


def test_one_pool_is_updated_and_destroyed_with_a_target(shop):
    declare(shop, pool("a", count=3), pool("b", count=3), C)
    assert targeted(shop, "up", urns(shop)["b"]) == [("update", "b")]
    assert shop.up() == [("update", urns(shop)["a"].rpartition("::")[2])]
    refused = shop.tried("destroy", "--yes", "--skip-preview", "--target", urns(shop)["b"])
    assert refused.returncode != 0
    assert "--target-dependents" in refused.stdout + refused.stderr
    assert targeted(shop, "destroy", urns(shop)["c"]) == [("delete", "c")]
    assert targeted(shop, "destroy", urns(shop)["a"], more=["--target-dependents"]) == [("delete", "b"), ("delete", "a")]
    assert [kind for kind, _ in shop.up()] == ["create"] * 3


def test_the_target_of_a_rotation_is_the_new_pool(shop):
    declare(shop, ROTATED["a"], B, C)
    old = urns(shop)["a"]
    assert targeted(shop, "up", old) == []
    assert targeted(shop, "up", old, more=["--target-dependents"]) == []
    new = successor(shop, "a")
    assert targeted(shop, "up", new) == [("create", "a")]
    assert shop.up() == [("delete", old.rpartition("::")[2])]


def test_the_old_pool_as_the_target_is_deleted_first_if_it_is_the_last(shop):
    declare(shop, A, B, ROTATED["c"])
    assert targeted(shop, "up", urns(shop)["c"]) == [("delete", "c")]
    assert [kind for kind, _ in shop.up()] == ["create"]


def test_a_pool_that_is_no_longer_declared_goes_with_a_target_if_it_is_the_last(shop):
    declare(shop, B, C)
    assert targeted(shop, "up", urns(shop)["a"]) == []
    declare(shop, A, B)
    assert targeted(shop, "up", urns(shop)["c"]) == [("delete", "c")]
