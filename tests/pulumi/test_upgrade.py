"""The plan of `nodepools upgrade` for the stack `dev`, carried out with the real engine: each step is accepted, and nothing else changes."""

import re
from datetime import date
from pathlib import Path

import pytest

from nodepools import load
from nodepools.model.path import Operation
from nodepools.upgrades.platform_upgrades import Inputs, upgrades, with_edits
from tests.pulumi.conftest import PROGRAM
from tests.pulumi.prerequisites import AT_ONCE
from tests.pulumi.versions import RefusedError, Versions

TARGETS = {"weu": "1.37", "neu": "1.37", "use1": "1.36"}
COMMAND = re.compile(r"az aks nodepool upgrade --resource-group \S+ --cluster-name (\S+) --name (\S+) --kubernetes-version (\S+)")


def declared(engine, stack: str, edits: list[Operation]) -> None:
    """The stack with its edited fields."""
    changes = "".join(f"PLATFORM = derive(PLATFORM, {nested(edit.path, edit.value)!r})\n" for edit in edits)
    (engine.folder / "stacks").mkdir(exist_ok=True)
    (engine.folder / "__main__.py").write_text(f"{AT_ONCE}{PROGRAM}")
    (engine.folder / "stacks" / "dev.py").write_text(f"{stack}\nfrom nodepools import derive\n\n{changes}")


def nested(steps, value):
    first, *rest = steps
    return {first: nested(rest, value) if rest else value}


def changed(lines: list[str]) -> list[str]:
    """`ManagedCluster dev-weu`, `AgentPool web`: what one `pulumi up` has updated, and nothing else."""
    found = [re.fullmatch(r"update \S+:(\w+) (?:dev-\w+-([a-z]+?)[a-z0-9]{4}|(dev-\w+))", line) for line in lines]
    assert all(found), lines
    return [f"{match[1]} {match[2] or match[3]}" for match in found if match]


def test_every_step_of_the_plan_is_accepted_and_nothing_else_changes(engine, project: Path):
    versions = Versions(Path(engine.environment["SIMULATED_LOG"]).with_name("versions.json"))
    stack, platform = (project / "stacks/dev.py").read_text(encoding="utf-8"), load("dev", project)
    declared(engine, stack, [])
    engine.up()
    done: list[Operation] = []
    for cluster, target in TARGETS.items():
        plan = next(found for found in upgrades(platform, target, date(2026, 11, 22), Inputs()) if found.cluster == cluster)
        for each in plan.rounds:
            done += [edit for step in each.steps for edit in step.edits]
            declared(engine, stack, done)
            kind = "Cluster" if cluster == "use1" else "ManagedCluster"
            followers = [f"AgentPool {step.name}" for step in each.steps if step.what == "pool"]
            assert changed(engine.up()) == [f"{kind} dev-{cluster}", *followers]
            for step in each.steps:
                if step.what == "first_pool":
                    match = COMMAND.fullmatch(step.how)
                    assert match is not None
                    versions.put_pool(*match.groups())
        assert set(versions.of(f"dev-{cluster}").values()) == {target}
    assert engine.up() == []
    assert all(found.steps == [] for found in upgrades(with_edits(platform, done), "1.36", date(2026, 11, 22), Inputs()) if found.cluster == "use1")


def test_a_first_pool_that_is_forgotten_stops_the_third_round(engine, project: Path):
    """The simulated cloud refuses what AKS refuses: the plan above was not accepted for want of rules."""
    stack = (project / "stacks/dev.py").read_text(encoding="utf-8").replace('kubernetes_version="1.35"', 'kubernetes_version="1.34"')
    declared(engine, stack, [])
    engine.up()
    for target in ("1.35", "1.36"):
        declared(engine, stack, [Operation("set", ("clusters", "weu", "kubernetes_version"), target)])
        engine.up()
    declared(engine, stack, [Operation("set", ("clusters", "weu", "kubernetes_version"), "1.37")])
    refused = engine.run("up", "--yes", "--skip-preview")
    assert refused.returncode != 0
    assert "NodePoolMcVersionIncompatible" in refused.stdout + refused.stderr


def test_the_agent_pool_api_skips_no_version(tmp_path: Path):
    versions = Versions(tmp_path / "versions.json")
    versions.put_cluster("dev", "1.34", ["system"])
    versions.put_cluster("dev", "1.35", ["system"])
    versions.put_cluster("dev", "1.36", ["system"])
    for wanted, refusal in (("1.36", "AgentPoolUpgradeVersionNotAllowed"), ("1.37", "NodePoolMcVersionIncompatible")):
        with pytest.raises(RefusedError, match=refusal):
            versions.put_pool("dev", "system", wanted)
    versions.put_pool("dev", "system", "1.35")
    assert versions.of("dev") == {"system": "1.35", "": "1.36"}
