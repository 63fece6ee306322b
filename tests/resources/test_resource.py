"""Values as the engine's protocol has them, types by their tokens, and who belongs to whom."""

import pytest

from nodepools.engine.plan import PlannedResource
from nodepools.resources.resource import UNKNOWN, Kind, Resource, Secret, closed, has_secrets, kind_of, of_engine, of_plan, opened
from nodepools.resources.resource_set import DifferentCluster, UnknownCluster, named_owner, reached_owner

SIGNATURE = "4dabf18193072939515e22adb298388d"
SECRET = {SIGNATURE: "1b47061264138c4ac30d75fd1eb44270", "value": 3.0}
OUTPUT = {SIGNATURE: "d0e6a833031e9bbcd3f4e8bde6ca49a4"}
UNKNOWN_TEXT = "04da6b54-80e4-46f7-96ec-b56ff0331ba9"

VALUES = [
    ("text", "a", "a"),
    ("a whole number", 3.0, 3),
    ("a fraction", 0.5, 0.5),
    ("nothing", None, None),
    ("true", True, True),
    ("unknown", UNKNOWN_TEXT, UNKNOWN),
    ("an unknown number", "3eeb2bf0-c639-47a8-9e75-3b44932eb421", UNKNOWN),
    ("unknown in a list", [1.0, UNKNOWN_TEXT], [1, UNKNOWN]),
    ("a secret", SECRET, Secret(3)),
    ("a secret in a mapping", {"a": SECRET}, {"a": Secret(3)}),
    ("an output without a value", OUTPUT, UNKNOWN),
    ("an output with one", {**OUTPUT, "value": "a"}, "a"),
    ("a secret output", {**OUTPUT, "value": "a", "secret": True}, Secret("a")),
    ("an asset", {SIGNATURE: "c44067f5952c0a294b673a41bacd8c17", "text": "a"}, UNKNOWN),
]


@pytest.mark.parametrize(("value", "expected"), [row[1:] for row in VALUES], ids=[row[0] for row in VALUES])
def test_of_the_engine(value, expected):
    assert of_engine(value) == expected


def test_of_a_plan():
    planned = PlannedResource(
        "urn:a",
        "t:m:T",
        "a",
        "urn:p",
        {"known": {"x": [1]}, "unknown": {"$unknown": True}, "secret": {"$secret": True}},
        ("urn:b",),
        {"known": ("urn:b",)},
        {"provider": "urn:provider", "protect": True},
    )
    [made] = of_plan([planned])
    assert made.inputs == {"known": {"x": [1]}, "unknown": UNKNOWN, "secret": Secret(UNKNOWN)}
    assert (made.urn, made.parent, made.dependencies, made.property_dependencies) == ("urn:a", "urn:p", ("urn:b",), {"known": ("urn:b",)})
    assert (made.provider, made.options["protect"]) == ("urn:provider", True)


def test_a_secret_is_not_shown():
    resource = Resource("urn", "t", "n", {"a": [Secret({"b": "hunter2"})], "c": 1})
    assert "hunter2" not in repr(resource)
    assert (has_secrets(resource.inputs), has_secrets({"c": [1]})) == (True, False)
    assert opened(resource).inputs == {"a": [{"b": "hunter2"}], "c": 1}
    assert closed(resource).inputs == {"a": [UNKNOWN], "c": 1}


TOKENS = [
    ("azure-native:containerservice:ManagedCluster", Kind.AKS_CLUSTER),
    ("azure-native:containerservice/v20240901:AgentPool", Kind.AGENT_POOL),
    ("azure-native:containerservice/v20240902preview:AgentPool", Kind.AGENT_POOL),
    ("azure-native_containerservice_v20250101:containerservice:AgentPool", Kind.AGENT_POOL),
    ("azure-native:containerservice:MaintenanceConfiguration", Kind.MAINTENANCE),
    ("azure-native:containerservice:Snapshot", Kind.OTHER),
    ("azure-native:storage:StorageAccount", Kind.OTHER),
    ("aws:eks/cluster:Cluster", Kind.EKS_CLUSTER),
    ("aws:eks/accessEntry:AccessEntry", Kind.ACCESS_ENTRY),
    ("aws:eks/accessPolicyAssociation:AccessPolicyAssociation", Kind.ACCESS_POLICY),
    ("aws:eks/addon:Addon", Kind.ADD_ON),
    ("aws:eks/podIdentityAssociation:PodIdentityAssociation", Kind.POD_IDENTITY),
    ("aws:eks/identityProviderConfig:IdentityProviderConfig", Kind.IDENTITY_PROVIDER),
    ("aws:eks/nodeGroup:NodeGroup", Kind.OTHER),
    ("aws:rds/cluster:Cluster", Kind.OTHER),
    ("kubernetes:karpenter.sh/v1:NodePool", Kind.OBJECT),
    ("kubernetes:eks.amazonaws.com/v1:NodeClass", Kind.OBJECT),
    ("kubernetes:karpenter.azure.com/v1beta1:AKSNodeClass", Kind.OBJECT),
    ("kubernetes:core/v1:ConfigMap", Kind.OTHER),
    ("kubernetes:helm.sh/v3:Release", Kind.OTHER),
    ("nodepools:index:AksCluster", Kind.OTHER),
]


@pytest.mark.parametrize(("token", "kind"), TOKENS, ids=[row[0] for row in TOKENS])
def test_kinds(token, kind):
    assert kind_of(Resource("urn", token, "n", {})) is kind


def test_an_object_says_its_kind_itself_too():
    inputs = {"apiVersion": "karpenter.sh/v1", "kind": "NodePool"}
    assert kind_of(Resource("urn", "kubernetes:apiextensions.k8s.io:CustomResource", "n", inputs)) is Kind.OBJECT
    assert kind_of(Resource("urn", "kubernetes:apiextensions.k8s.io:CustomResource", "n", {"apiVersion": UNKNOWN})) is Kind.OTHER


ONE = Resource("urn:one", "t", "one", {"name": "one"}, dependencies=("urn:net",))
TWO = Resource("urn:two", "t", "two", {"name": "two"}, dependencies=("urn:net",))
UNNAMED = Resource("urn:unnamed", "t", "unnamed", {"name": UNKNOWN})


def part(name, *needs, by=()):
    return Resource("urn:part", "t", "part", {"of": name}, dependencies=needs, property_dependencies={"of": by})


OWNERS = [
    ("by its name", part("two"), [ONE, TWO], TWO),
    ("of another program", part("three"), [ONE, TWO], DifferentCluster()),
    ("perhaps of one whose name is not known", part("three"), [ONE, UNNAMED], UnknownCluster()),
    ("by what its name is made of", part(UNKNOWN, "urn:one", "urn:two", by=("urn:two",)), [ONE, TWO], TWO),
    ("by what it depends on", part(UNKNOWN, "urn:net", "urn:one"), [ONE, TWO], ONE),
    ("by what the name is made of, where the owner does not say its own", part("made-up", by=("urn:unnamed",)), [ONE, UNNAMED], UNNAMED),
    ("not by what it depends on besides", part("three", "urn:one"), [ONE, UNNAMED], UnknownCluster()),
    ("of either", part(UNKNOWN, "urn:one", "urn:two"), [ONE, TWO], UnknownCluster()),
    ("of none that is here", part(UNKNOWN), [], DifferentCluster()),
]


@pytest.mark.parametrize(("one", "owners", "expected"), [row[1:] for row in OWNERS], ids=[row[0] for row in OWNERS])
def test_owners(one, owners, expected):
    assert named_owner(one, "of", owners, "name") == expected


def provider(*needs):
    return Resource("urn:provider", "pulumi:providers:kubernetes", "k8s", {}, dependencies=needs)


CONFIG = Resource("urn:config", "t", "config", {}, dependencies=("urn:one",))
BOTH = Resource("urn:both", "t", "both", {}, dependencies=("urn:one", "urn:two"))
REACHED = [
    ("of whom the provider is made", [provider("urn:one")], ONE),
    ("of whom that is made of which the provider is", [provider("urn:config"), CONFIG], ONE),
    ("of two", [provider("urn:both"), BOTH], None),
    ("of nobody here", [provider("urn:elsewhere")], None),
]


@pytest.mark.parametrize(("others", "expected"), [row[1:] for row in REACHED], ids=[row[0] for row in REACHED])
def test_reached_by_a_provider(others, expected):
    stack = {one.urn: one for one in [ONE, TWO, *others]}
    pool = Resource("urn:pool", "t", "pool", {}, dependencies=("urn:two",), provider="urn:provider")
    assert reached_owner(pool, [ONE, TWO], stack) is expected


def test_reached_without_a_provider():
    pool = Resource("urn:pool", "t", "pool", {}, dependencies=("urn:two",))
    assert reached_owner(pool, [ONE, TWO], {one.urn: one for one in (ONE, TWO)}) is TWO
