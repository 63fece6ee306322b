"""Secrets are sent as secrets, wherever a declaration has them."""

from collections.abc import Callable, Mapping

import pulumi
import pytest

from nodepools import StackOutput, testing
from nodepools.aks import WindowsProfile
from nodepools.component.scope import ChildScope
from nodepools.component.secrets import secret_if, with_secrets
from nodepools.testing import Graph

CONTENT = "correct horse"


class Child(pulumi.CustomResource):
    def __init__(self, scope: ChildScope, name: str, inputs: Mapping[str, object]) -> None:
        super().__init__("test:index:Child", name, dict(inputs), scope.options())


class Parent(pulumi.ComponentResource):
    def __init__(self, register: Callable[[ChildScope], object]) -> None:
        super().__init__("test:index:Parent", "p")
        register(ChildScope(self, "p"))
        self.register_outputs({})


def registered(register: Callable[[ChildScope], object], stacks: Mapping[str, Mapping[str, str]] | None = None) -> Graph:
    return testing.run(lambda: Parent(register), stacks=stacks or {})


SECRETS = [
    pytest.param(CONTENT, id="text"),
    pytest.param(StackOutput("org/net/prod", "password"), id="an output of another stack that is not secret there"),
]


@pytest.mark.parametrize("content", SECRETS)
def test_a_secret_is_always_sent_as_one(content: str | StackOutput) -> None:
    secret = WindowsProfile(admin_password=content).admin_password
    child = registered(lambda scope: Child(scope, "a", {"of": scope.value(secret)}), {"org/net/prod": {"password": CONTENT}}).one("Child/a")
    assert child.secret("of")
    assert child.inputs.text("of") == CONTENT


def test_secrets_among_arguments_are_sent_as_secrets() -> None:
    given = {
        "tags": {"team": "web", "api_key": "a1b2c3"},
        "profile": {"adminPassword": CONTENT, "adminUsername": "ops", "enablePassword": True},
        "proxy": ("http://proxy:3128", "http://ops:pass@proxy:3128"),
    }
    child = registered(lambda scope: Child(scope, "a", with_secrets({**given, "late": pulumi.Output.from_input("x")}))).one("Child/a")
    secret = [("tags", "api_key"), ("profile", "adminPassword"), ("proxy", 1)]
    plain = [("tags", "team"), ("profile", "adminUsername"), ("profile", "enablePassword"), ("proxy", 0), ("late",)]
    assert [child.secret(*path) for path in secret] == [True] * 3
    assert [child.secret(*path) for path in plain] == [False] * 5
    assert child.inputs.text("profile", "adminPassword") == CONTENT


@pytest.mark.parametrize(("content", "is_secret"), [({"password": CONTENT}, True), ({"replicas": 2}, False)], ids=["with a secret", "without one"])
def test_text_made_of_a_secret_is_secret(content: Mapping[str, object], *, is_secret: bool) -> None:
    graph = registered(lambda scope: Child(scope, "a", {"of": secret_if(pulumi.Output.from_input("text"), content)}))
    assert graph.one("Child/a").secret("of") == is_secret
