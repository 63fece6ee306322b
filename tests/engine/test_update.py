"""Update mode: resources have ids and outputs, so applies run that a preview never reaches."""

from collections.abc import Callable
from typing import Any

import pytest

from nodepools.engine.errors import ProgramFailed

pytestmark = pytest.mark.program

Engine = Callable[..., Any]


def test_ids_and_outputs_are_known(engine: Engine) -> None:
    graph = engine(
        """
        first = Thing("first", ResourceOptions(additional_secret_outputs=["made"]), size=2)
        second = Thing("second", size=first.id, of=first.made)
        Thing("third", url=second.made.apply(lambda made: f"https://{made}"), bare=Thing("bare", type_="test:index:Bare").made)
        pulumi.export("made", first.made)
        pulumi.export("size", first.size)
        pulumi.export("preview", pulumi.runtime.is_dry_run())
        """,
        preview=False,
        outputs={"test:index:Thing": lambda name, inputs: {"made": f"{name} of {inputs.get('size')}"}},
    )
    assert graph["second"].inputs == {"of": {"$secret": True}, "size": "first-id"}
    assert graph["third"].inputs == {"url": "https://second of first-id"}
    assert graph.outputs == {"made": {"$secret": True}, "preview": False, "size": 2}


def test_other_stacks_give_the_outputs_of_a_fixture(engine: Engine) -> None:
    graph = engine(
        """
        network = pulumi.StackReference("network", stack_name="acme/network/prod")
        Thing("user", subnet=network.require_output("subnet"), ref=network.name, id=Thing("found", ResourceOptions(id="id-7")).id)
        """,
        preview=False,
        outputs={"pulumi:pulumi:StackReference": lambda _, inputs: {"outputs": {"subnet": f"subnet of {inputs['name']}"}}},
    )
    assert graph["user"].inputs == {"id": "id-7", "ref": "acme/network/prod", "subnet": "subnet of acme/network/prod"}


def test_a_stack_without_a_fixture_is_refused_with_how_to_give_one(engine: Engine) -> None:
    with pytest.raises(ProgramFailed, match="the stack 'acme/network/prod' cannot be read here") as failure:
        engine('pulumi.StackReference("acme/network/prod")', preview=False)
    assert 'outputs={"pulumi:pulumi:StackReference"' in failure.value.message


def test_resources_inside_outputs_come_back_as_resources(engine: Engine) -> None:
    graph = engine(
        """
        class Module(pulumi.runtime.ResourceModule if hasattr(pulumi.runtime, "ResourceModule") else object):
            def version(self):
                return None

            def construct(self, name, typ, urn):
                return Thing(name, ResourceOptions(urn=urn))

        pulumi.runtime.register_resource_module("test", "index", Module())
        first = Thing("first", size=3)
        second = Thing("second", friend=first)
        Thing("third", size=second.friend.apply(lambda friend: friend.made))
        """,
        preview=False,
        outputs={"test:index:Thing": lambda name, _: {"made": name}},
    )
    assert graph["second"].inputs == {"friend": {"$resource": graph["first"].urn}}
    assert graph["third"].inputs == {"size": "first"}


def test_a_fixture_that_fails_is_told_with_its_resource(engine: Engine) -> None:
    with pytest.raises(ProgramFailed) as failure:
        engine('Thing("thing")', preview=False, outputs={"test:index:Thing": lambda _, inputs: {"made": inputs["size"]}})
    assert failure.value.message == "outputs of 'thing' (test:index:Thing): the fixture failed: KeyError: 'size'"
