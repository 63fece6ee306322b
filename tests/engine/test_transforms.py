"""Transforms run in the program, in the order of the engine, and all that they return counts."""

from collections.abc import Callable
from typing import Any

import pytest

from nodepools.engine.errors import ProgramFailed

pytestmark = pytest.mark.program

Engine = Callable[..., Any]


def test_own_transforms_come_first_then_the_parents_then_the_stacks(engine: Engine) -> None:
    graph = engine("""
        def adds(word):
            def transform(args):
                if "words" in args.props:
                    return pulumi.ResourceTransformResult({**args.props, "words": [*args.props["words"], word]}, args.opts)
            return transform

        pulumi.runtime.register_resource_transform(adds("stack-1"))
        pulumi.runtime.register_resource_transform(adds("stack-2"))
        outer = Group("outer", ResourceOptions(transforms=[adds("outer")]))
        inner = Group("inner", ResourceOptions(parent=outer, transforms=[adds("inner")]))
        Thing("thing", ResourceOptions(parent=inner, transforms=[adds("own-1"), adds("own-2")]), words=[])
        Thing("alone", words=[])
    """)
    assert graph["thing"].inputs["words"] == ["own-1", "own-2", "inner", "outer", "stack-1", "stack-2"]
    assert graph["alone"].inputs["words"] == ["stack-1", "stack-2"]


def test_every_option_that_a_transform_sets_is_taken(engine: Engine) -> None:
    graph = engine("""
        other = Thing("other")

        def transform(args):
            if args.name == "thing":
                return pulumi.ResourceTransformResult(args.props, ResourceOptions.merge(args.opts, ResourceOptions(
                    additional_secret_outputs=["token"],
                    aliases=[Alias(name="old")],
                    custom_timeouts=CustomTimeouts(update="5m"),
                    delete_before_replace=True,
                    deleted_with=other,
                    depends_on=[other],
                    ignore_changes=["count"],
                    protect=True,
                    provider=pulumi.ProviderResource("test", "given"),
                    replace_on_changes=["zone"],
                    replace_with=[other],
                    retain_on_delete=True,
                    version="9.9.9",
                )))

        pulumi.runtime.register_resource_transform(transform)
        Thing("thing", ResourceOptions(ignore_changes=["size"], aliases=[Alias(name="older")]), size=1)
    """)
    other = graph["other"].urn
    assert graph["thing"].dependencies == (other,)
    assert graph["thing"].inputs == {"size": 1}
    assert graph["thing"].options == {
        "additionalSecretOutputs": ["token"],
        "aliases": [{"name": "older"}, {"name": "old"}],
        "custom": True,
        "customTimeouts": {"update": "5m"},
        "deleteBeforeReplace": True,
        "deletedWith": other,
        "ignoreChanges": ["size", "count"],
        "protect": True,
        "provider": graph["given"].urn,
        "replaceOnChanges": ["zone"],
        "replaceWith": [other],
        "retainOnDelete": True,
        "version": "9.9.9",
    }


def test_secrets_unknowns_and_dependencies_survive_a_transform(engine: Engine) -> None:
    graph = engine("""
        first = Thing("first")

        def same(args):
            return pulumi.ResourceTransformResult(args.props, args.opts)

        inputs = {"made": first.made, "hush": Output.secret("hush"), "deep": {"both": Output.secret(first.made)}, "gone": first.id}
        Thing("returned", ResourceOptions(transforms=[same]), **inputs)
        Thing("untouched", ResourceOptions(transforms=[lambda args: None]), **inputs)
        Thing("cut", ResourceOptions(transforms=[lambda args: pulumi.ResourceTransformResult({"hush": args.props["hush"]}, args.opts)]), **inputs)
    """)
    first = graph["first"].urn
    for name in ("returned", "untouched"):
        assert graph[name].inputs["made"] == {"$unknown": True}
        assert graph[name].inputs["hush"] == {"$secret": True}
        assert graph[name].inputs["deep"] in ({"both": {"$secret": True}}, {"$secret": True})
        assert graph[name].dependencies == (first,)
        assert graph[name].property_dependencies == {"deep": (first,), "gone": (first,), "made": (first,)}
    assert graph["cut"].inputs == {"hush": {"$secret": True}}
    assert graph["cut"].property_dependencies == {}


def test_an_asynchronous_transform_may_ask_the_engine(engine: Engine) -> None:
    graph = engine(
        """
        async def transform(args):
            answer = await pulumi.runtime.invoke_async("test:index:ask", {})
            return pulumi.ResourceTransformResult({**args.props, "answer": answer["word"]}, args.opts)

        for number in range(40):
            Thing(f"thing-{number}", ResourceOptions(transforms=[transform]))
        """,
        fixtures={"test:index:ask": lambda _: {"word": "yes"}},
    )
    assert all(graph[f"thing-{number}"].inputs == {"answer": "yes"} for number in range(40))


def test_invoke_transforms_change_what_is_asked(engine: Engine) -> None:
    graph = engine(
        """
        def transform(args):
            return pulumi.InvokeTransformResult({**args.args, "count": args.args["count"] + 1}, args.opts)

        pulumi.runtime.register_invoke_transform(transform)

        async def main():
            answer = await pulumi.runtime.invoke_async("test:index:echo", {"count": 1})
            return {"count": answer["count"]}

        pulumi.run(main)
        """,
        fixtures={"test:index:echo": lambda args: args},
    )
    assert graph.outputs == {"count": 2}


def test_a_transform_that_the_sdk_cannot_return_is_told_too(engine: Engine) -> None:
    with pytest.raises(ProgramFailed) as failure:
        engine("""
            Thing("thing", ResourceOptions(transforms=[lambda args: pulumi.ResourceTransformResult({"size": object()}, args.opts)]))
        """)
    assert failure.value.message.startswith("a transform of 'thing' (test:index:Thing) failed: ")
    assert failure.value.message.endswith("unexpected input of type object for size")
    assert "site-packages" not in failure.value.message


def test_a_failing_transform_is_told_with_its_resource_and_line(engine: Engine) -> None:
    with pytest.raises(ProgramFailed) as failure:
        engine("""
            def transform(args):
                raise ValueError("not so")

            Thing("thing", ResourceOptions(transforms=[transform]))
        """)
    message = failure.value.message
    assert message.startswith("a transform of 'thing' (test:index:Thing) failed: not so")
    assert 'raise ValueError("not so")' in message
    assert "site-packages" not in message
