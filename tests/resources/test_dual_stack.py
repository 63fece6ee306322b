"""Both IP families in programs that do not use our components: their lists of ranges are read, and judged family by family."""

from datetime import date

import pytest

from nodepools.model.severity import Severity
from nodepools.model.unknowns import unread
from nodepools.resources.aks_clusters import managed_cluster
from nodepools.resources.resource import UNKNOWN
from nodepools.resources.resource_checks import check_stack
from tests.resources.foreign import agent_pool
from tests.resources.foreign import managed_cluster as registered

DAY = date(2026, 11, 21)
WEB = agent_pool("web")
OVERLAY = {"networkPlugin": "azure", "networkPluginMode": "overlay", "networkDataplane": "cilium", "networkPolicy": "cilium"}
BOTH = {**OVERLAY, "ipFamilies": ["IPv4", "IPv6"]}


@pytest.mark.parametrize(
    ("profile", "found"),
    [
        pytest.param(BOTH, set(), id="with what AKS takes itself"),
        pytest.param({**BOTH, "podCidrs": ["10.1.0.0/16", "fd00:1::/64"], "serviceCidrs": ["10.2.0.0/16", "fd00:2::/108"]}, set(), id="with ranges"),
        pytest.param({**BOTH, "serviceCidrs": ["10.2.0.0/16", "fd00:2::/64"]}, {("AKS134", "networkProfile.serviceCidrs")}, id="too many services"),
        pytest.param(
            {**BOTH, "podCidrs": ["10.1.0.0/16", "fd00:1::/64"], "serviceCidrs": ["10.2.0.0/16", "fd00:1::/112"]},
            {("AKS135", "networkProfile.serviceCidrs")},
            id="services among the pods",
        ),
        pytest.param({**BOTH, "podCidrs": ["10.1.0.0/16", "fd00:1::/80"]}, {("AKS137", "networkProfile.podCidrs")}, id="pods of one node"),
        pytest.param(
            {**OVERLAY, "serviceCidrs": ["10.2.0.0/16", "fd00:2::/112"]}, {("AKS133", "networkProfile.serviceCidrs")}, id="ranges of a second family"
        ),
        pytest.param(
            {**BOTH, "podCidrs": ["10.2.0.0/16", "fd00:1::/64"], "serviceCidrs": ["10.2.0.0/20", "fd00:2::/108"]},
            {("AKS040", "networkProfile.serviceCidr")},
            id="ranges of the first family meet",
        ),
        pytest.param({**BOTH, "serviceCidrs": UNKNOWN, "podCidrs": ["banana"]}, set(), id="what cannot be read"),
    ],
)
def test_ranges(profile, found):
    told = check_stack([registered(networkProfile=profile), WEB], today=DAY)
    assert {(one.finding.code, one.finding.path) for one in told if one.finding.severity is not Severity.NOTE} == found


@pytest.mark.parametrize("listed", [UNKNOWN, ["banana"], "x", ["fd00:2::/112"]], ids=["unknown", "no range", "no list", "no range of this family"])
def test_a_list_that_says_no_range_of_ipv4_leaves_it_open(listed):
    read = managed_cluster({"networkProfile": {**BOTH, "serviceCidrs": listed}})
    assert read is not None
    assert "service_cidr" in unread(read.network_profile)
