"""What the real engine does with changes of the services of EKS clusters: logs, keys, roles of pods, subnets, a second IP family."""

from tests.pulumi.cloud_copies import Clouds

PLATFORM = """from nodepools import *; from nodepools.aks import *; from nodepools.eks import *

PLATFORM = Platform(name="dev", clusters={{"use1": EksClusterArgs(
    region="us-east-1",
    kubernetes_version="1.35",
    auto_mode=AutoMode(built_in_node_pools=["general-purpose"]),
    objects=ClusterObjects(storage_class=None, ingress_class=None),
    {fields}
)}})
"""
KEY = "arn:aws:kms:us-east-1:123456789012:key/a"
ROLE = "arn:aws:iam::123456789012:role/far"
SERVICES = f"""
    logs=LogGroup(retention_days=30, kms_key="{KEY}"),
    secrets_key="{KEY}",
    zonal_shift=True,
    control_plane=ControlPlane(event_ttl="30m", scoring="MostAllocated", scoring_weights={{"cpu": 2}}),
    permissions_boundary="arn:aws:iam::123456789012:policy/b",
    pod_identities={{"web": PodIdentity(namespace="shop", service_account="web", policies=["AmazonS3ReadOnlyAccess"], target_role="{ROLE}")}},
    add_ons={{"cw": AddOn(namespace="cw", pod_identity={{"b": PodRole(policies=["CloudWatchAgentServerPolicy"]), "a": PodRole(role="{ROLE}")}})}},
"""


def declared(*fields: str) -> str:
    return PLATFORM.format(fields="\n    ".join(fields))


def test_each_service_is_added_and_taken_away_without_the_cluster(empty_clouds: Clouds):
    empty_clouds.up(declared())
    added = [str(one) for one in empty_clouds.up(declared(SERVICES)).done]
    assert "update Cluster/dev-use1" in added
    assert "update LogGroup/dev-use1-logs" in added
    assert [one for one in added if one.startswith(("delete", "replace"))] == []
    order = [added.index(f"create {one}/dev-use1-{word}") for one, word in [("Role", "pod-web-role"), ("PodIdentityAssociation", "pod-identity-web")]]
    assert order == sorted(order)
    gone = [str(one) for one in empty_clouds.up(declared(f'secrets_key="{KEY}",')).done]
    assert gone.index("delete PodIdentityAssociation/dev-use1-pod-identity-web") < gone.index("delete Role/dev-use1-pod-web-role")
    assert "replace Cluster/dev-use1" not in gone


def test_the_group_that_eks_made_is_left_alone_or_imported(empty_clouds: Clouds):
    empty_clouds.up(declared("logs=LogGroup(existing=True),"))
    refused = empty_clouds.up(declared())
    assert refused.failed == {"LogGroup/dev-use1-logs"}
    assert refused.done == (), "the cluster waits for its log group"
    assert "ResourceAlreadyExistsException" in refused.output
    assert empty_clouds.up(declared("logs=LogGroup(existing=True),")).done == ()


def test_a_session_policy_needs_sessions_without_tags(empty_clouds: Clouds):
    """Whoever accepts EKS187 is rejected by EKS."""
    policy = 'pod_identities={{"web": PodIdentity(namespace="a", service_account="b", role="{role}", session_policy={{"Statement": []}}{tags})}},'
    empty_clouds.up(declared())
    refused = empty_clouds.up(declared(policy.format(role=ROLE, tags=""), 'accepted_errors={"EKS187": "tried"},'))
    assert refused.failed == {"PodIdentityAssociation/dev-use1-pod-identity-web"}
    taken = [str(one) for one in empty_clouds.up(declared(policy.format(role=ROLE, tags=", session_tags=False"))).done]
    assert "create PodIdentityAssociation/dev-use1-pod-identity-web" in taken


def test_a_new_key_encrypts_secrets_and_is_protected(empty_clouds: Clouds):
    new = "new_secrets_key=NewKey({}),"
    empty_clouds.up(declared())
    added = [str(one) for one in empty_clouds.up(declared(new.format(""))).done]
    assert added.index("create Key/dev-use1-secrets-key") < added.index("update Cluster/dev-use1")
    assert empty_clouds.up(declared(new.format(""))).done == ()
    assert {str(one) for one in empty_clouds.up(declared(new.format("rotation_days=90"))).done} == {"update Key/dev-use1-secrets-key"}
    other = empty_clouds.up(declared(f'secrets_key="{KEY}",'))
    assert other.failed, "the key that EKS goes on with is protected"


def test_another_identity_provider_comes_after_the_former_one(empty_clouds: Clouds):
    provider = 'identity_provider=IdentityProvider(name="people", issuer_url="{url}", client_id="{client}"),'
    first = provider.format(url="https://login.example.com", client="a")
    empty_clouds.up(declared(first))
    assert empty_clouds.up(declared(first)).done == ()
    other = empty_clouds.up(declared(provider.format(url="https://login.example.com", client="b")))
    assert not other.failed, other.output
    assert {str(one) for one in other.done} == {"replace IdentityProviderConfig/dev-use1-identity-provider"}
    refused = empty_clouds.up(declared(provider.format(url="http://login.example.com", client="b"), 'accepted_errors={"EKS210": "tried"},'))
    assert refused.failed == {"IdentityProviderConfig/dev-use1-identity-provider"}
    assert {str(one) for one in empty_clouds.up(declared()).done} <= {"delete IdentityProviderConfig/dev-use1-identity-provider"}


def test_public_subnets_and_a_second_family_are_added_in_place(empty_clouds: Clouds):
    empty_clouds.up(declared("network=EksNetworkArgs(nat=None, public_subnets=False),"))
    both = empty_clouds.up(declared('network=EksNetworkArgs(nat="single", ipv6=True),'))
    assert not [one for one in both.done if one.kind in ("replace", "delete")]
    assert empty_clouds.up(declared('network=EksNetworkArgs(nat="single", ipv6=True),')).done == ()
