"""Keys of secrets: which are registered, and that no edit takes a key from EKS without saying so first."""

import json
from itertools import product

import pytest

from nodepools import Platform
from nodepools.changes.platform_changes import diff
from nodepools.eks import NewKey
from nodepools.wire.table import Effect

KEY = "arn:aws:kms:us-east-1:111122223333:key/a"
OTHER = "arn:aws:kms:us-east-1:111122223333:key/b"
ROLE = "arn:aws:iam::111122223333:role/eks"
STATES = {
    "none": {},
    "existing": {"secrets_key": KEY},
    "other": {"secrets_key": OTHER},
    "new": {"new_secrets_key": NewKey()},
    "both": {"new_secrets_key": NewKey(), "secrets_key": KEY},
    "other and new": {"new_secrets_key": NewKey(), "secrets_key": OTHER},
}
LOSES_A_KEY = (Effect.REPLACES, Effect.DELETES)


def usable(graph):
    """The keys that the role of the cluster can use."""
    policies = graph.all("RolePolicy/dev-use1-cluster-role-secrets-key")
    return {resource for policy in policies for statement in json.loads(policy.inputs["policy"])["Statement"] for resource in statement["Resource"]}


@pytest.mark.parametrize("is_protected", [True, False], ids=["protected", "not protected"])
@pytest.mark.parametrize(("before", "after"), [pytest.param(*pair, id=" → ".join(pair)) for pair in product(STATES, STATES) if pair[0] != pair[1]])
def test_an_edit_that_takes_a_key_says_so_first(deploy, declare, before, after, is_protected):
    graphs = [deploy(**STATES[state], protect=is_protected) for state in (before, after)]
    old, new = (Platform(name="dev", clusters={"use1": declare(**STATES[state], protect=is_protected)}) for state in (before, after))
    worst, *_ = diff(old, new).all
    created, lost = [len(graph.all("Key")) for graph in graphs], usable(graphs[0]) - usable(graphs[1])
    sent = ["encryptionConfig" in graph.one("Cluster").inputs for graph in graphs]
    if sent == [True, False]:
        assert worst.effect in LOSES_A_KEY
    elif created == [1, 0]:
        assert (worst.effect, worst.path, str(worst.resource)) == (Effect.DELETES, "clusters.use1.new_secrets_key", "Key/dev-use1-secrets-key")
    else:
        kept = Effect.CREATES if created == [0, 1] else Effect.IGNORED
        assert worst.effect is (Effect.IN_PLACE_PODS if lost else kept if sent[0] else Effect.IN_PLACE)
    if worst.effect in LOSES_A_KEY:
        assert ("Protected: `pulumi up` rejects this" in worst.message) is is_protected
    replaced = [change for change in diff(old, new).all if change.effect is Effect.REPLACES]
    assert bool(replaced) is (sent == [True, False])


@pytest.mark.parametrize(("state", "keys"), [("none", 0), ("existing", 0), ("new", 1), ("both", 1)])
def test_a_new_key_is_there_for_as_long_as_it_is_declared(deploy, preview, state, keys):
    graph = deploy(**STATES[state], preview=preview)
    assert len(graph.all("Key")) == keys
    assert all(key.protect for key in graph.all("Key"))
    assert not deploy(**STATES[state], protect=False).all("Key") or not deploy(**STATES[state], protect=False).one("Key").protect


def test_the_existing_key_is_sent_and_the_role_can_use_both(deploy):
    graph = deploy(**STATES["both"])
    assert graph.one("Cluster").inputs["encryptionConfig"]["provider"] == {"keyArn": KEY}
    assert len(usable(graph)) == 2
    assert KEY in usable(graph)


def test_an_existing_role_loses_nothing(declare):
    old, new = (Platform(name="dev", clusters={"use1": declare(**STATES[state], cluster_role=ROLE)}) for state in ("existing", "other"))
    assert [change.effect for change in diff(old, new).all] == [Effect.IGNORED]


def test_the_cluster_role_can_use_the_key_of_the_secrets(deploy, preview):
    graph = deploy(secrets_key=KEY, preview=preview)
    policy = graph.one("RolePolicy/dev-use1-cluster-role-secrets-key")
    [statement] = json.loads(policy.inputs["policy"])["Statement"]
    assert statement["Resource"] == [KEY]
    assert {"kms:Encrypt", "kms:Decrypt", "kms:ListGrants", "kms:DescribeKey"} == set(statement["Action"])
    assert graph.one("Cluster").depends_on(policy)
    assert not deploy().all("RolePolicy")
    assert not deploy(secrets_key=KEY, cluster_role=ROLE).all("RolePolicy")


def test_a_new_key_of_secrets_is_rotated_and_protected(deploy, preview):
    graph = deploy(new_secrets_key=NewKey(rotation_days=90), preview=preview)
    key, cluster = graph.one("Key/dev-use1-secrets-key"), graph.one("Cluster")
    sent = {name: key.inputs[name] for name in ("enableKeyRotation", "rotationPeriodInDays", "deletionWindowInDays", "region")}
    assert sent == {"enableKeyRotation": True, "rotationPeriodInDays": 90, "deletionWindowInDays": 30, "region": "us-east-1"}
    assert key.protect
    assert cluster.depends_on(key)
    assert cluster.inputs["encryptionConfig"]["resources"] == ["secrets"]
    assert graph.one("RolePolicy/dev-use1-cluster-role-secrets-key").depends_on(key)


def test_the_order_of_up_has_the_key_before_its_cluster(declare, project):
    old, new = (Platform(name="dev", clusters={"use1": declare(**STATES[state])}) for state in ("none", "new"))
    waves = [[str(step) for step in wave] for wave in diff(old, new).order]
    assert waves == [["create Key/dev-use1-secrets-key"], ["update Cluster/dev-use1"]]
    guide = (project / "docs/guides/eks-services.md").read_text(encoding="utf-8")
    assert all(f"`{wave[0]}`" in guide for wave in waves)
