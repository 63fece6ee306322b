"""Small resources, to ask the harness about."""

import pulumi
import pytest


class Thing(pulumi.CustomResource):
    """A resource of some cloud; its inputs are keywords."""

    made: pulumi.Output[str]

    def __init__(self, name, opts=None, /, **inputs):
        super().__init__("cloud:index/thing:Thing", name, {"made": None, **inputs}, opts)


class Group(pulumi.ComponentResource):
    """Two things, one after the other."""

    def __init__(self, name, opts=None):
        super().__init__("lab:index:Group", name, {}, opts)
        self.first = Thing(f"{name}-first", pulumi.ResourceOptions(parent=self))
        self.second = Thing(f"{name}-second", pulumi.ResourceOptions(parent=self, depends_on=[self.first]))
        self.register_outputs({"first": self.first.id})


@pytest.fixture
def thing():
    return Thing


@pytest.fixture
def group():
    return Group
