"""The plan as JSON: the contract of `preview --format json`."""

import json
from collections.abc import Callable
from typing import Any

import pytest

pytestmark = pytest.mark.program

Engine = Callable[..., Any]

PROGRAM = """
    import random, time

    provider = pulumi.ProviderResource("test", "given", {"region": "here"})
    group = Group("group", ResourceOptions(providers=[provider]))
    things = [Thing(f"thing-{n}", ResourceOptions(parent=group, depends_on=[provider]), **{f"key-{m}": m for m in range(5)}) for n in range(20)]
    random.shuffle(things)
    last = Thing("last", ResourceOptions(depends_on=things), ids=[thing.id.apply(lambda id: id) for thing in things])
    time.sleep(random.random() / 20)
    pulumi.export("b", last.id)
    pulumi.export("a", {"z": 1, "y": [Output.secret({"x": 1})]})
    pulumi.log.warn("careful")
"""


def test_two_runs_give_the_same_json_in_the_form_of_the_contract(engine: Engine) -> None:
    plan, again = (engine(PROGRAM).plan for _ in range(2))
    json_plan = plan.to_json(findings=[{"code": "AKS014"}])
    assert json.dumps(json_plan) == json.dumps(again.to_json(findings=[{"code": "AKS014"}]))
    assert list(json_plan) == ["stack", "resources", "outputs", "findings"]
    assert json_plan["stack"] == "dev"
    assert json_plan["outputs"] == {"a": {"y": [{"$secret": True}], "z": 1}, "b": {"$unknown": True}}
    assert json_plan["findings"] == [{"code": "AKS014"}]
    assert all(list(each) == ["urn", "type", "name", "parent", "inputs", "dependencies", "options"] for each in json_plan["resources"])
    last = next(each for each in json_plan["resources"] if each["name"] == "last")
    assert last["dependencies"] == sorted(f"urn:pulumi:dev::shop::test:index:Group$test:index:Thing::thing-{n}" for n in range(20))
    assert json.loads(json.dumps(json_plan)) == json_plan


def test_api_versions_of_azure_are_no_aliases_of_the_program(engine: Engine) -> None:
    graph = engine("""
        from pulumi_azure_native import containerservice

        containerservice.AgentPool(
            "web", resource_group_name="group", resource_name_="cluster", count=3,
            opts=ResourceOptions(aliases=[Alias(name="old")], ignore_changes=["count"]),
        )
    """)
    web = graph["web"]
    assert web.urn == "urn:pulumi:dev::shop::azure-native:containerservice:AgentPool::web"
    assert web.inputs == {"count": 3, "resourceGroupName": "group", "resourceName": "cluster"}
    assert web.options["aliases"] == [{"name": "old"}]
    assert web.options["ignoreChanges"] == ["count"]
    assert web.options["version"].startswith("3.")


def test_a_plan_contains_no_secret_that_a_program_did_not_mark(engine: Engine) -> None:
    plan = engine(
        """
        Thing("thing", admin_password="hunter2", url="http://ops:hunter2@host", marked=Output.secret({"a": ["correct horse"]}), size="small")
        pulumi.export("token", "hunter2")
        """
    ).plan
    written = plan.to_json()
    assert "hunter2" not in json.dumps(written)
    [thing] = [one for one in written["resources"] if one["name"] == "thing"]
    hidden = {"$secret": True}
    assert thing["inputs"] == {"admin_password": hidden, "url": hidden, "marked": hidden, "size": "small"}
    assert plan.secrets == ("correct horse",), "what the program marked is hidden in its messages"
