"""What a program registers comes out as the real engine would take it."""

from collections.abc import Callable
from typing import Any

import pytest

from nodepools.engine.errors import ProgramFailed
from nodepools.engine.resource_registry import Registry

pytestmark = pytest.mark.program

Engine = Callable[..., Any]


def test_urns_hold_the_types_of_all_parents_and_no_stack(engine: Engine) -> None:
    graph = engine("""
        outer = Group("outer")
        inner = Group("inner", ResourceOptions(parent=outer))
        thing = Thing("thing", ResourceOptions(parent=inner))
        Thing("part", ResourceOptions(parent=thing))
        Thing("alone")
    """)
    start = "urn:pulumi:dev::shop::"
    assert graph["part"].urn == f"{start}test:index:Group$test:index:Group$test:index:Thing$test:index:Thing::part"
    assert graph["thing"].urn == f"{start}test:index:Group$test:index:Group$test:index:Thing::thing"
    assert graph["thing"].parent == graph["inner"].urn
    assert graph["alone"].urn == f"{start}test:index:Thing::alone"
    assert graph["alone"].parent == graph["shop-dev"].urn == f"{start}pulumi:pulumi:Stack::shop-dev"
    assert graph["shop-dev"].parent is None
    urns = [resource.urn for resource in graph.plan.resources]
    assert urns == sorted(urns)


def test_the_same_urn_twice_is_refused_with_the_place_of_the_second(engine: Engine) -> None:
    with pytest.raises(ProgramFailed) as failure:
        engine("""
            first, second = Group("first"), Group("second")
            Thing("twin", ResourceOptions(parent=first))
            Thing("twin", ResourceOptions(parent=second))
        """)
    message = failure.value.message
    assert message.startswith("Duplicate resource URN 'urn:pulumi:dev::shop::test:index:Group$test:index:Thing::twin'; try giving it a unique name")
    assert '__main__.py", line' in message


def test_options_are_inherited_as_the_engine_does(engine: Engine) -> None:
    graph = engine("""
        keeper = Thing("keeper")
        provider = Thing("provider", type_="pulumi:providers:test")
        given = pulumi.ProviderResource("test", "given")
        group = Group("group", ResourceOptions(
            protect=True, retain_on_delete=True, deleted_with=keeper, ignore_changes=["size"], providers={"test": given}))
        Thing("child", ResourceOptions(parent=group))
        Thing("own-way", ResourceOptions(parent=group, protect=False, retain_on_delete=False))
        Thing("grandchild", ResourceOptions(parent=Group("inner", ResourceOptions(parent=group))))
        Thing("other-package", ResourceOptions(parent=group), type_="other:index:Thing")
    """)
    keeper, given = graph["keeper"].urn, graph["given"].urn
    assert given == "urn:pulumi:dev::shop::pulumi:providers:test::given"
    inherited = {"custom": True, "deletedWith": keeper, "protect": True, "provider": given, "retainOnDelete": True}
    assert graph["child"].options == inherited
    assert graph["grandchild"].options == inherited
    assert graph["own-way"].options == {**inherited, "protect": False, "retainOnDelete": False}
    assert "provider" not in graph["other-package"].options
    assert graph["group"].options["ignoreChanges"] == ["size"]
    assert graph["inner"].options["providers"] == {"test": given}


def test_every_option_has_one_spelling(engine: Engine) -> None:
    graph = engine("""
        other = Thing("other")
        Thing("bare")
        Thing("thing", ResourceOptions(
            additional_secret_outputs=["token"],
            aliases=[
                Alias(name="old"), Alias(parent=None), Alias(type_="test:index/v20240101:Thing"), "urn:pulumi:dev::shop::test:index:Thing::older"],
            custom_timeouts=CustomTimeouts(create="30m", delete="1h"),
            delete_before_replace=False,
            deleted_with=other,
            depends_on=[other],
            hide_diffs=["noise"],
            ignore_changes=["size", "count"],
            import_="id-1",
            plugin_download_url="https://example.com",
            protect=True,
            replace_on_changes=["zone"],
            replace_with=[other],
            replacement_trigger="again",
            retain_on_delete=True,
            version="1.2.3",
        ))
    """)
    other = graph["other"].urn
    assert graph["bare"].options == {"custom": True}
    assert graph["thing"].dependencies == (other,)
    assert graph["thing"].options == {
        "additionalSecretOutputs": ["token"],
        "aliases": [{"name": "old"}, {"noParent": True}, "urn:pulumi:dev::shop::test:index:Thing::older"],
        "custom": True,
        "customTimeouts": {"create": "30m", "delete": "1h"},
        "deleteBeforeReplace": False,
        "deletedWith": other,
        "hideDiffs": ["noise"],
        "ignoreChanges": ["size", "count"],
        "importId": "id-1",
        "pluginDownloadURL": "https://example.com",
        "protect": True,
        "replaceOnChanges": ["zone"],
        "replaceWith": [other],
        "replacementTrigger": "again",
        "retainOnDelete": True,
        "version": "1.2.3",
    }
    assert list(graph["thing"].options) == sorted(graph["thing"].options)


def test_secrets_are_hidden_and_unknown_values_are_named_each_for_itself(engine: Engine) -> None:
    graph = engine(
        """
        first = Thing("first", plain=3, half=1.5, flag=True, nothing=[None], deep={"list": [{"key": Output.secret("hush")}, "x"]})
        of_first = {"made_of": first.made, "id_of": first.id, "both": Output.secret(first.made)}
        second = Thing("second", ResourceOptions(additional_secret_outputs=["made"]), **of_first)
        password = pulumi.Config().require_secret("password")
        Thing("third", password=password, of_second=second.made)
        pulumi.export("password", {"nested": [password]})
        pulumi.export("id", first.id)
        pulumi.export("made", second.made)
        pulumi.export("region", pulumi.Config("aws").require("region"))
        pulumi.export("whole", 4.0)
        """,
        config={"shop:password": "hush", "aws:region": "us-east-1"},
        secret_keys=("shop:password",),
    )
    unknown, secret = {"$unknown": True}, {"$secret": True}
    assert graph["first"].inputs == {"deep": {"list": [{"key": secret}, "x"]}, "flag": True, "half": 1.5, "nothing": [None], "plain": 3}
    assert isinstance(graph["first"].inputs["plain"], int)
    assert graph["second"].inputs == {"both": secret, "id_of": unknown, "made_of": unknown}
    assert graph["second"].dependencies == (graph["first"].urn,)
    assert graph["second"].property_dependencies == dict.fromkeys(("both", "id_of", "made_of"), (graph["first"].urn,))
    assert graph["third"].inputs == {"of_second": secret, "password": secret}
    assert graph.outputs == {"id": unknown, "made": secret, "password": {"nested": [secret]}, "region": "us-east-1", "whole": 4}
    assert "hush" not in str(graph.plan)


def test_existing_resources_are_read_by_their_id(engine: Engine) -> None:
    graph = engine("""
        Thing("mine")
        found = Thing("found", ResourceOptions(id="id-7"), size=1)
        network = pulumi.StackReference("acme/network/prod")
        Thing("user", subnet=network.require_output("subnet"), found=found.id, made=found.made)
        Thing("later", ResourceOptions(id=Thing("new").id))
    """)
    assert graph["later"].options["read"] == {"$unknown": True}
    assert graph["found"].options == {"custom": True, "read": "id-7"}
    assert graph["found"].inputs == {"size": 1}
    reference = graph["acme/network/prod"]
    assert (reference.type, reference.options["read"]) == ("pulumi:pulumi:StackReference", "acme/network/prod")
    assert graph["user"].inputs == {"found": "id-7", "made": {"$unknown": True}, "subnet": {"$unknown": True}}
    assert set(graph["user"].dependencies) == {graph["found"].urn, reference.urn}


def test_components_keep_the_outputs_that_they_register(engine: Engine) -> None:
    graph = engine("""
        class Shop(Group):
            def __init__(self, name):
                super().__init__(name)
                thing = Thing(f"{name}-thing", ResourceOptions(parent=self), size=2)
                self.size = thing.size
                self.register_outputs({"size": thing.size, "thing": thing})

        Shop("shop")
    """)
    assert graph["shop"].outputs == {"size": 2, "thing": {"$resource": graph["shop-thing"].urn}}
    assert graph["shop"].inputs == {}
    assert "custom" not in graph["shop"].options


def test_hooks_and_migrations_and_packages_are_accepted(engine: Engine) -> None:
    graph = engine("""
        from pulumi import ResourceHook, ResourceHookBinding
        from pulumi.runtime.settings import register_package

        hook = ResourceHook("say", lambda args: None)
        Thing("hooked", ResourceOptions(hooks=ResourceHookBinding(before_create=[hook])))
        Thing("moved", ResourceOptions(state_migrations=[lambda args: None]))

        async def main():
            return {"package": await register_package("base", "1.0.0", "", "made-of-it", "2.0.0", "")}

        pulumi.run(main)
        pulumi.runtime.settings.require_pulumi_version(">=99.0.0")
    """)
    assert graph["hooked"].options["hooks"] == {"before_create": ["say"]}
    assert graph["moved"].options == {"custom": True}
    assert graph.outputs == {"package": "base@1.0.0/made-of-it@2.0.0"}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        pytest.param(
            "class R(pulumi.ComponentResource):\n    pass\n\nR('far:index:Away', 'far', {}, None, True)",
            "remote component 'far' (far:index:Away)",
            id="remote components",
        ),
        pytest.param("pulumi.runtime.call('far:index:Away/method', {}, Group('g'))", "call of far:index:Away/method", id="their methods"),
    ],
)
def test_what_runs_inside_a_plugin_is_refused_by_name(engine: Engine, text: str, says: str) -> None:
    with pytest.raises(ProgramFailed, match="runs inside a provider plugin") as failure:
        engine(text)
    assert says in failure.value.message


def test_an_empty_program_registers_the_stack_alone(engine: Engine) -> None:
    graph = engine("")
    assert [resource.type for resource in graph.plan.resources] == ["pulumi:pulumi:Stack"]
    assert graph.outputs == {}


def test_a_plan_without_a_stack_is_empty() -> None:
    assert Registry().plan("dev", ()).to_json() == {"stack": "dev", "resources": [], "outputs": {}, "findings": []}
