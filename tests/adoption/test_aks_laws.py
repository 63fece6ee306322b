"""Reading is the inverse of writing for AKS: what Azure has is sent again, and what is sent is declared again."""

import copy
from collections.abc import Mapping
from typing import Any, cast

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nodepools.changes.platform_changes import requests_of
from nodepools.clouds.change import POOL
from nodepools.wire.overrides import merge_overrides
from nodepools.wire.table import folded
from tests.adoption.existing import cluster, pool
from tests.adoption.test_adopted import SYSTEM, adopted, declared

NAMES = st.from_regex(r"[a-z][a-z0-9]{0,7}", fullmatch=True)
LABELS = st.dictionaries(NAMES.map(lambda name: f"example.com/{name}"), NAMES, max_size=3)
SCALED = st.tuples(st.integers(0, 5), st.integers(5, 100)).map(
    lambda bounds: {"enableAutoScaling": True, "minCount": bounds[0], "maxCount": bounds[1], "count": bounds[1]}
)
FIXED = st.integers(0, 100).map(lambda number: {"enableAutoScaling": False, "count": number})
POOLS = st.builds(
    lambda name, scale, rest: pool(name, **scale, **rest),
    NAMES.map(lambda name: f"p{name}"),
    SCALED | FIXED,
    st.fixed_dictionaries(
        {
            "nodeLabels": LABELS,
            "nodeTaints": st.lists(
                st.builds("{}={}:{}".format, NAMES, NAMES, st.sampled_from(["NoSchedule", "NoExecute", "PreferNoSchedule"])), max_size=2, unique=True
            ),
            "tags": st.dictionaries(NAMES, NAMES, max_size=2),
            "availabilityZones": st.lists(st.sampled_from("123"), max_size=3, unique=True),
            "maxPods": st.integers(30, 250),
            "osDiskSizeGb": st.integers(30, 2048),
            "upgradeSettings": st.sampled_from(["1", "10%", "33%"]).map(lambda surge: {"maxSurge": surge}),
        }
    ),
)
ON = {"enabled": True}
CLUSTERS = st.fixed_dictionaries(
    {
        "sku": st.sampled_from(["Free", "Standard", "Premium"]).map(lambda tier: {"name": "Base", "tier": tier}),
        "tags": st.dictionaries(NAMES, NAMES, max_size=3),
        "autoUpgradeProfile": st.sampled_from(["none", "patch", "stable", "node-image"]).map(lambda channel: {"upgradeChannel": channel}),
        "oidcIssuerProfile": st.booleans().map(lambda on: {"enabled": on}),
        "kubernetesVersion": st.sampled_from(["1.34", "1.35"]),
        "addonProfiles": st.fixed_dictionaries(
            {},
            optional={
                "azurepolicy": st.sampled_from([ON, {"enabled": False, "config": None}, {"enabled": True, "config": {"version": "v2"}}]),
                "azureKeyvaultSecretsProvider": st.sampled_from(
                    [
                        ON,
                        {"enabled": True, "config": {"enableSecretRotation": "true", "rotationPollInterval": "5m"}, "identity": {"objectId": "o"}},
                        {"enabled": False, "config": {"enableSecretRotation": "false", "rotationPollInterval": "2m"}},
                    ]
                ),
                "omsagent": st.just({"enabled": True, "config": {"logAnalyticsWorkspaceResourceID": "/w", "useAADAuth": "true"}}),
            },
        ),
        "azureMonitorProfile": st.sampled_from([None, {"metrics": {"enabled": True, "kubeStateMetrics": {"metricLabelsAllowlist": "pods=[a]"}}}]),
        "metricsProfile": st.sampled_from([None, {"costAnalysis": {"enabled": True}}, {"costAnalysis": {"enabled": False}}]),
        "workloadAutoScalerProfile": st.sampled_from([{"keda": None, "verticalPodAutoscaler": None}, {"keda": ON, "verticalPodAutoscaler": ON}]),
        "serviceMeshProfile": st.sampled_from(
            [
                None,
                {"mode": "Disabled"},
                {"mode": "Istio", "istio": {"revisions": ["asm-1-30"], "components": {"ingressGateways": [{"enabled": True, "mode": "Internal"}]}}},
            ]
        ),
        "storageProfile": st.sampled_from(
            [{"blobCsiDriver": None, "diskCsiDriver": ON, "fileCsiDriver": {"enabled": False}, "snapshotController": ON}, {"blobCsiDriver": ON}]
        ),
        "httpProxyConfig": st.sampled_from([None, {"httpProxy": "http://p", "noProxy": [".corp"], "trustedCa": "UEVN"}]),
        "securityProfile": st.fixed_dictionaries(
            {"workloadIdentity": st.sampled_from([None, ON])},
            optional={
                "imageCleaner": st.sampled_from([{"enabled": True, "intervalHours": 48}, {"enabled": False, "intervalHours": 168}]),
                "defender": st.just({"logAnalyticsWorkspaceResourceId": "/w", "securityMonitoring": ON}),
                "customCaTrustCertificates": st.just(["UEVN"]),
                "azureKeyVaultKms": st.sampled_from(
                    [
                        {"enabled": True, "keyId": "k", "keyVaultNetworkAccess": "Public", "keyVaultResourceId": ""},
                        {"enabled": True, "keyId": "k", "keyVaultNetworkAccess": "Private", "keyVaultResourceId": "/v"},
                    ]
                ),
            },
        ),
    }
)
LAW = settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def _sent(one: Any) -> dict[str, Mapping[str, object]]:
    """What is sent for each pool. The names of the overrides here, tags, are spelled alike everywhere."""
    requests = requests_of(declared(one)).of("west", POOL)
    return {request.agent_pool_name: merge_overrides(request.sent, request.overrides) for request in requests}


@LAW
@given(fields=CLUSTERS, pools=st.lists(POOLS, max_size=3, unique_by=lambda one: one["name"]))
def test_what_azure_has_is_sent_again(fields: dict[str, Any], pools: list[dict[str, Any]]) -> None:
    """`write(read(observed)) == observed`: no argument differs, and each pool that exists is sent."""
    one = adopted(cluster(**fields), SYSTEM, *pools)
    assert (one.differences, one.rejected, one.changes) == ((), (), False)
    assert _sent(one).keys() == {each["name"] for each in pools}


@LAW
@given(fields=CLUSTERS, pools=st.lists(POOLS, max_size=2, unique_by=lambda one: one["name"]))
def test_what_is_sent_is_declared_again(fields: dict[str, Any], pools: list[dict[str, Any]]) -> None:
    """`read(write(declaration)) == declaration`: pools that have exactly what is sent give the same declaration."""
    first = adopted(cluster(**fields), SYSTEM, *pools)
    sent = _sent(first)
    again = adopted(cluster(**fields), SYSTEM, *(_as_sent(each, sent[each["name"]]) for each in pools))
    assert again.declared == first.declared


def _as_sent(have: dict[str, Any], sent: Mapping[str, object]) -> dict[str, Any]:
    """The export of a pool, with each value that is sent in place of its own."""
    spelled = {folded(name): name for name in have}
    written = {spelled[folded(name)]: value for name, value in sent.items() if folded(name) in spelled and name not in ("type", "name")}
    return {**have, **cast("dict[str, Any]", copy.deepcopy(written))}
