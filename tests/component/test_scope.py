"""How children are registered."""

from collections.abc import Callable, Mapping

import pulumi
import pytest

from nodepools import StackOutput, Timeouts, testing
from nodepools.aks import WindowsProfile
from nodepools.component.scope import ChildScope, secret_if, with_secrets
from nodepools.testing import Graph


class Child(pulumi.CustomResource):
    def __init__(self, name, opts, **inputs):
        super().__init__("test:index:Child", name, inputs, opts)


class Parent(pulumi.ComponentResource):
    def __init__(self, name, register, opts=None):
        super().__init__("test:index:Parent", name, {}, opts)
        register(ChildScope(self, name))
        self.register_outputs({})


def registered(register, **how):
    return testing.run(lambda: Parent("p", register), **how)


def test_a_child_is_named_with_the_stem_and_belongs_to_the_component():
    graph = registered(lambda scope: Child(scope.name("a", "b"), scope.options()))
    assert graph.one("Child/p-a-b").parent.name == "p"


def test_a_child_has_what_is_asked_for_and_nothing_else():
    def register(scope):
        first = Child(scope.name("first"), scope.options())
        Child(
            scope.name("second"),
            scope.options(depends_on=[first], ignore_changes=["count"], protect=True, timeouts=Timeouts(create="1h30m")),
        )

    graph = registered(register)
    second = graph.one("Child/p-second")
    assert second.depends_on("Child/p-first")
    assert second.ignore_changes == ("count",)
    assert second.protect
    assert second.timeouts == {"create": "1h30m", "update": "60m", "delete": "60m"}
    assert set(graph.one("Child/p-first").options) <= {"custom"}


def test_the_callers_options_do_not_leak():
    def program():
        other = Child("other", pulumi.ResourceOptions())
        options = pulumi.ResourceOptions(depends_on=[other], aliases=[pulumi.Alias(name="old")], ignore_changes=["x"])
        Parent("p", lambda scope: Child(scope.name("a"), scope.options()), options)

    child = testing.run(program).one("Child/p-a")
    assert not child.depends_on("Child/other")
    assert child.ignore_changes == ()
    assert "aliases" not in child.options


REFS = [
    pytest.param("plain", "plain", id="text is itself"),
    pytest.param(StackOutput("org/net/prod", "subnet"), "subnet-1", id="an output of another stack is looked up"),
]


@pytest.mark.parametrize(("ref", "value"), REFS)
def test_a_reference_is_resolved(ref, value):
    graph = registered(lambda scope: Child(scope.name("a"), scope.options(), of=scope.value(ref)), stacks={"org/net/prod": {"subnet": "subnet-1"}})
    assert graph.one("Child/p-a").inputs["of"] == value


def test_an_output_is_itself():
    graph = registered(lambda scope: Child(scope.name("a"), scope.options(), of=scope.value(pulumi.Output.from_input("late"))))
    assert graph.one("Child/p-a").inputs["of"] == "late"


def test_another_stack_is_referred_to_once():
    def register(scope):
        for output in ("subnet", "vnet"):
            Child(scope.name(output), scope.options(), of=scope.value(StackOutput("org/net/prod", output)))

    graph = registered(register, stacks={"org/net/prod": {"subnet": "a", "vnet": "b"}})
    assert graph.one("StackReference/*").parent.name == "p"


CONTENT = "correct horse"


class PlainChild(pulumi.CustomResource):
    def __init__(self, scope: ChildScope, name: str, inputs: Mapping[str, object]) -> None:
        super().__init__("test:index:Child", name, dict(inputs), scope.options())


class PlainParent(pulumi.ComponentResource):
    def __init__(self, register: Callable[[ChildScope], object]) -> None:
        super().__init__("test:index:Parent", "p")
        register(ChildScope(self, "p"))
        self.register_outputs({})


def registered_plainly(register: Callable[[ChildScope], object], stacks: Mapping[str, Mapping[str, str]] | None = None) -> Graph:
    return testing.run(lambda: PlainParent(register), stacks=stacks or {})


SECRETS = [
    pytest.param(CONTENT, id="text"),
    pytest.param(StackOutput("org/net/prod", "password"), id="an output of another stack that is not secret there"),
]


@pytest.mark.parametrize("content", SECRETS)
def test_a_secret_is_always_sent_as_one(content: str | StackOutput) -> None:
    secret = WindowsProfile(admin_password=content).admin_password
    child = registered_plainly(lambda scope: PlainChild(scope, "a", {"of": scope.value(secret)}), {"org/net/prod": {"password": CONTENT}}).one(
        "Child/a"
    )
    assert child.secret("of")
    assert child.inputs.text("of") == CONTENT


def test_secrets_among_arguments_are_sent_as_secrets() -> None:
    given = {
        "tags": {"team": "web", "api_key": "a1b2c3"},
        "profile": {"adminPassword": CONTENT, "adminUsername": "ops", "enablePassword": True},
        "proxy": ("http://proxy:3128", "http://ops:pass@proxy:3128"),
    }
    child = registered_plainly(lambda scope: PlainChild(scope, "a", with_secrets({**given, "late": pulumi.Output.from_input("x")}))).one("Child/a")
    secret = [("tags", "api_key"), ("profile", "adminPassword"), ("proxy", 1)]
    plain = [("tags", "team"), ("profile", "adminUsername"), ("profile", "enablePassword"), ("proxy", 0), ("late",)]
    assert [child.secret(*path) for path in secret] == [True] * 3
    assert [child.secret(*path) for path in plain] == [False] * 5
    assert child.inputs.text("profile", "adminPassword") == CONTENT


@pytest.mark.parametrize(("content", "is_secret"), [({"password": CONTENT}, True), ({"replicas": 2}, False)], ids=["with a secret", "without one"])
def test_text_made_of_a_secret_is_secret(content: Mapping[str, object], *, is_secret: bool) -> None:
    graph = registered_plainly(lambda scope: PlainChild(scope, "a", {"of": secret_if(pulumi.Output.from_input("text"), content)}))
    assert graph.one("Child/a").secret("of") == is_secret
