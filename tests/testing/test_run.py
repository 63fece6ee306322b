"""Running a program: what it sees, and that nothing is left of it."""

import asyncio
import gc
import threading
import warnings

import pulumi
import pytest

from nodepools import testing

pytestmark = pytest.mark.program


def test_resources_have_ids_and_the_outputs_that_the_test_gives(thing):
    def program():
        pulumi.export("id", thing("a").id)
        pulumi.export("made", thing("b", size=2).made)

    fixture = {"cloud:index/thing:Thing": lambda name, inputs: {"made": f"{name} of {inputs.get('size')}"}}
    assert dict(testing.run(program, outputs=fixture).outputs) == {"id": "a-id", "made": "b of 2"}


@pytest.mark.parametrize("preview", [False, True])
def test_outputs_that_are_to_be_secret_are(thing, preview):
    def program():
        made = thing("a", pulumi.ResourceOptions(additional_secret_outputs=["made"]))
        pulumi.export("made", made.made)

    outputs = testing.run(program, preview=preview, outputs={"cloud:index/thing:Thing": lambda *_: {"made": "hush"}}).outputs
    assert outputs.secret("made")
    assert outputs["made"] is testing.UNKNOWN if preview else outputs["made"] == "hush"


def test_the_id_may_be_given_too(thing):
    graph = testing.run(lambda: pulumi.export("id", thing("a").id), outputs={"cloud:index/thing:Thing": lambda *_: {"id": "given"}})
    assert graph.outputs["id"] == "given"


def test_in_a_preview_nothing_is_known_but_the_inputs(thing):
    def program():
        made = thing("a")
        pulumi.export("id", made.id)
        pulumi.export("both", [made.made, "known"])

    graph = testing.run(program, preview=True, outputs={"cloud:index/thing:Thing": lambda *_: {"made": "told"}})
    assert graph.outputs["id"] is testing.UNKNOWN
    assert graph.outputs["both"] == [testing.UNKNOWN, "known"]


def test_of_what_is_there_already_a_preview_knows_the_outputs(thing):
    def program():
        pulumi.export("id", thing("a").id)

    assert testing.run(program, preview=True, since=testing.run(program)).outputs["id"] == "a-id"


def test_the_program_knows_where_it_runs():
    def program():
        pulumi.export("here", [pulumi.get_project(), pulumi.get_stack(), pulumi.Config("app").require("size")])

    graph = testing.run(program, project="p", stack="s", config={"app:size": "2"})
    assert graph.outputs["here"] == ["p", "s", "2"]


def test_runs_do_not_see_each_other(thing):
    def first():
        pulumi.runtime.register_stack_transformation(lambda args: pulumi.ResourceTransformationResult({"changed": True}, args.opts))
        thing("a")

    testing.run(first, stack="one", config={"app:size": "2"})
    graph = testing.run(lambda: thing("a", config=str(pulumi.Config("app").get("size"))), stack="two")
    assert graph.one("Thing/a").urn.startswith("urn:pulumi:two::")
    assert dict(graph.one("Thing/a").inputs) == {"config": "None"}


def test_what_the_program_raises_is_raised(thing):
    def program():
        thing("a")
        raise ValueError("boom")

    with pytest.raises(ValueError, match="boom"):
        testing.run(program)


def test_what_an_apply_raises_is_raised(thing):
    with pytest.raises(ZeroDivisionError):
        testing.run(lambda: thing("a").id.apply(lambda _: 1 / 0))


def test_a_name_that_is_used_twice_is_refused(thing):
    with pytest.raises(Exception, match="Duplicate resource URN 'urn:pulumi:dev::nodepools::cloud:index/thing:Thing::a'"):
        testing.run(lambda: (thing("a"), thing("a")))


@pytest.mark.parametrize("failing", [False, True])
def test_nothing_is_left_running(thing, failing):
    def program():
        thing("a")
        assert not failing

    before = set(threading.enumerate())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            testing.run(program)
        except AssertionError:
            assert failing
        gc.collect()
    assert set(threading.enumerate()) <= before
    with pytest.raises(RuntimeError):
        asyncio.get_running_loop()


def ask(token, **arguments):
    return pulumi.runtime.invoke(token, arguments).value


def test_a_cloud_answers_what_the_test_says():
    seen = []

    def program():
        seen.append(ask("cloud:index/find:find", name="x"))

    testing.run(program, calls={"cloud:index/find:find": lambda args: {"found": args["name"]}})
    assert seen == [{"found": "x"}]


def test_an_unknown_question_fails_with_its_token():
    with pytest.raises(LookupError, match=r"no result for `cloud:index/find:find`.*'name': 'x'"):
        testing.run(lambda: ask("cloud:index/find:find", name="x"))


@pytest.mark.parametrize("token", ["azure-native:authorization:getClientConfig", "aws:index/getCallerIdentity:getCallerIdentity"])
def test_questions_of_our_own_components_have_answers(token):
    testing.run(lambda: ask(token))


def test_a_question_is_asked_with_the_settings_of_the_provider():
    seen = []
    calls = {"aws:index/find:find": lambda args: {"region": args.get("region")}}

    class Provider(pulumi.ProviderResource):
        def __init__(self):
            super().__init__("aws", "own", {"region": "eu-west-1"})

    def program():
        own = pulumi.InvokeOptions(provider=Provider())
        seen.append(pulumi.runtime.invoke("aws:index/find:find", {}, own).value["region"])
        seen.append(ask("aws:index/find:find")["region"])

    testing.run(program, calls=calls, config={"aws:region": "us-east-1"})
    assert seen == ["eu-west-1", "us-east-1"]


def test_other_stacks_have_the_outputs_that_the_test_gives():
    def program():
        pulumi.export("told", pulumi.StackReference("ref", "acme/net/dev").require_output("subnet"))

    assert testing.run(program, stacks={"acme/net/dev": {"subnet": "s"}}).outputs["told"] == "s"


def test_of_another_stack_that_the_test_does_not_give_a_preview_knows_nothing():
    def program():
        pulumi.export("told", pulumi.StackReference("ref", "acme/net/dev").require_output("subnet"))

    assert testing.run(program, preview=True).outputs["told"] is testing.UNKNOWN
    with pytest.raises(testing.UnknownCallError, match=r"no outputs for the stack `acme/net/dev`: pass `stacks=\{\"acme/net/dev\": \{...\}\}`"):
        testing.run(program)
