"""Reading is the inverse of writing: what a declaration sends is declared again, and what is observed is sent again."""

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nodepools.adoption.adopted import Adopted, adopt, platform_data
from nodepools.adoption.proof import platform_of
from nodepools.adoption.read_exports import Exports
from nodepools.changes.platform_changes import requests_of
from tests.adoption.existing_eks import ADMIN, described, entry, node_pool, policies

NAMES = st.from_regex(r"[a-z][a-z0-9]{0,9}", fullmatch=True)
HOURS = st.integers(1, 400).map(lambda hours: f"{hours}h")
VALUES = st.lists(NAMES, min_size=1, max_size=3, unique=True)


def _pool(name: str, fields: dict[str, Any]) -> dict[str, Any]:
    found = node_pool(name)
    spec, template = found["spec"], found["spec"]["template"]
    spec["disruption"] = fields["disruption"]
    spec |= {key: fields[key] for key in ("weight", "limits") if fields[key] is not None}
    template["metadata"] = {"labels": fields["labels"]} if fields["labels"] else {}
    template["spec"] |= {"expireAfter": fields["expire"], "requirements": fields["requirements"]}
    template["spec"] |= {"taints": fields["taints"]} if fields["taints"] else {}
    return found


POOLS = st.builds(
    _pool,
    NAMES.map(lambda name: f"p{name}"),
    st.fixed_dictionaries(
        {
            "weight": st.none() | st.integers(1, 100),
            "limits": st.none() | st.fixed_dictionaries({"cpu": st.integers(1, 999).map(str) | st.integers(1, 999)}),
            "labels": st.dictionaries(NAMES.map(lambda name: f"example.com/{name}"), NAMES, max_size=2),
            "expire": HOURS,
            "taints": st.lists(
                st.fixed_dictionaries({"key": NAMES, "effect": st.sampled_from(["NoSchedule", "NoExecute"])}, optional={"value": NAMES}), max_size=2
            ),
            "requirements": st.lists(
                st.fixed_dictionaries({"key": NAMES.map(lambda name: f"example.com/{name}"), "operator": st.just("In"), "values": VALUES}), max_size=3
            ),
            "disruption": st.fixed_dictionaries(
                {
                    "consolidationPolicy": st.sampled_from(["WhenEmpty", "WhenEmptyOrUnderutilized"]),
                    "consolidateAfter": HOURS | st.just("Never"),
                    "budgets": st.lists(st.fixed_dictionaries({"nodes": st.integers(0, 100).map(lambda part: f"{part}%")}), min_size=1, max_size=2),
                }
            ),
        }
    ),
)
CLUSTERS = st.fixed_dictionaries(
    {
        "version": st.sampled_from(["1.33", "1.34", "1.35"]),
        "deletionProtection": st.booleans(),
        "upgradePolicy": st.sampled_from(["STANDARD", "EXTENDED"]).map(lambda kind: {"supportType": kind}),
        "controlPlaneScalingConfig": st.sampled_from(["standard", "tier-xl"]).map(lambda tier: {"tier": tier}),
        "accessConfig": st.sampled_from(["API", "API_AND_CONFIG_MAP"]).map(lambda mode: {"authenticationMode": mode}),
        "tags": st.dictionaries(NAMES, NAMES, max_size=3),
        "kubernetesNetworkConfig": st.sampled_from(["172.20.0.0/16", "10.100.0.0/16"]).map(
            lambda cidr: {"serviceIpv4Cidr": cidr, "ipFamily": "ipv4", "elasticLoadBalancing": {"enabled": True}}
        ),
    }
)


def _sent(one: Adopted) -> dict[str, Any]:
    """The `spec` of each NodePool that the declaration sends."""
    requests = requests_of(platform_of(platform_data("west", {"shop": one.declared})))
    return {request.key[2]: request.sent for request in requests.of("shop", "pool")}


def _adopted(fields: dict[str, Any], pools: list[dict[str, Any]]) -> tuple[Adopted, dict[str, dict[str, Any]]]:
    found = Exports()
    own = {one["metadata"]["name"]: one for one in pools}
    for value in (described(**fields), entry(ADMIN), policies(ADMIN, "AmazonEKSClusterAdminPolicy"), *own.values()):
        found.add(value, "shop/export.json")
    [one], wrong = found.clusters()
    assert wrong == []
    return adopt(one, "west", "shop"), own


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(fields=CLUSTERS, pools=st.lists(POOLS, max_size=3))
def test_what_is_observed_is_sent_again(fields: dict[str, Any], pools: list[dict[str, Any]]) -> None:
    """`write(read(observed)) == observed`: no argument differs, nothing is rejected, and each NodePool is sent with its own `spec`."""
    one, own = _adopted(fields, pools)
    assert (one.differences, one.rejected, one.changes) == ((), (), False)
    sent = _sent(one)
    assert sent.keys() == own.keys()
    for name, spec in ((name, pool["spec"]) for name, pool in own.items()):
        assert sent[name]["template"]["spec"].get("taints", []) == spec["template"]["spec"].get("taints", [])
        assert sent[name]["template"]["spec"]["requirements"] == spec["template"]["spec"]["requirements"]
        assert sent[name].get("weight") == spec.get("weight")


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(fields=CLUSTERS, pools=st.lists(POOLS, max_size=2))
def test_what_is_declared_is_declared_again(fields: dict[str, Any], pools: list[dict[str, Any]]) -> None:
    """`read(write(declaration)) == declaration`: the objects that a declaration sends, exported again, give the same declaration."""
    first, own = _adopted(fields, pools)
    sent = _sent(first)
    second, _ = _adopted(fields, [{**own[name], "spec": spec} for name, spec in sent.items()])
    assert second.declared == first.declared
