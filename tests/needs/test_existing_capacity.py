"""What clusters that others manage need, and the room on their nodes."""

from dataclasses import replace
from typing import Any

import pytest

from nodepools.clouds.aks.existing_agent_pools import ExistingAgentPool, existing_network
from nodepools.clouds.amounts import Amount
from nodepools.clouds.item import Counter, ExistingStock, Stock, SubnetStock
from nodepools.manifests.existing.existing_pools import read_existing_pools
from nodepools.needs.existing_capacity import ExistingCapacity, rooms
from nodepools.placement.node_pools import ClusterPools
from tests.clouds.test_eks_self_managed import BY_ID, CLASS, LINUX
from tests.clouds.test_node_groups import GPU, NEWER, NO_TYPES, SEVERAL, WEB

ONE_SUBNET = replace(WEB, subnets=("subnet-1",))
TWO_SUBNETS = replace(WEB, subnets=("subnet-1", "subnet-2"))
CORES_IN_WESTEUROPE = Counter("vcpus", "cores", "westeurope")
D4, CORES, DS = "Standard_D4s_v5", "cores", "standardDSv5Family"
AGENTS = ExistingAgentPool(name="web", cluster="shop", vm_sizes=(D4,), count=3, least=2, most=5, max_pods=30)
LIMITED = LINUX.rstrip() + "\n  limits: {cpu: '100'}\n"
ON_DEMAND = LIMITED.replace("values: [c]}", "values: [c]}, {key: karpenter.sh/capacity-type, operator: In, values: [on-demand]}")
STATIC = LINUX.rstrip() + "\n  replicas: 2\n  limits: {nodes: '3'}\n"


def needs(*groups: Any, agents: tuple[ExistingAgentPool, ...] = (), files: tuple[str, ...] = ()) -> dict[str, tuple[int, int | None]]:
    provisioned = read_existing_pools([(text, f"{number}.yaml") for number, text in enumerate(files)]).provisioned if files else ()
    cluster = ExistingCapacity(name="shop", region="eu-west-1", groups=groups, agent_pools=agents, pools=ClusterPools(None, (), provisioned))
    return {f"{item.what} {item.name}": (item.needs.minimum, item.needs.maximum) for item in cluster.counted().items}


STANDARD = "vcpus Standard in eu-west-1"
ROWS = [
    pytest.param((WEB,), {STANDARD: (2, 12)}, id="a group between its sizes"),
    pytest.param((SEVERAL,), {STANDARD: (2, 24)}, id="a group with two types"),
    pytest.param((replace(WEB, capacity_type="SPOT"),), {"spot_vcpus Standard in eu-west-1": (2, 12)}, id="spot instances"),
    pytest.param(
        (replace(WEB, instance_types=("m6i.large", "g5.xlarge")),), {STANDARD: (0, 24), "vcpus G and VT in eu-west-1": (0, 24)}, id="two classes"
    ),
    pytest.param((GPU,), {"vcpus G and VT in eu-west-1": (4, 24)}, id="GPUs"),
    pytest.param((NEWER,), {STANDARD: (0, None)}, id="a type that is not known: of any class, which has a row at least"),
    pytest.param((NO_TYPES, GPU), {STANDARD: (0, None), "vcpus G and VT in eu-west-1": (4, None)}, id="no type: of each class that has a row"),
    pytest.param((replace(NO_TYPES, capacity_type="SPOT"), WEB), {STANDARD: (2, 12), f"spot_{STANDARD}": (0, None)}, id="spot has its own rows"),
    pytest.param((replace(WEB, instance_types=("m6i.large", "m99.large")),), {STANDARD: (0, None)}, id="a type that is not known among others"),
    pytest.param((replace(WEB, instance_types=("t3.nano",)),), {STANDARD: (1, None)}, id="a type without a size in the table"),
    pytest.param((WEB, replace(WEB, name="api")), {STANDARD: (4, 24)}, id="two groups"),
]


@pytest.mark.parametrize(("groups", "expected"), ROWS)
def test_vcpus_of_node_groups(groups: tuple[Any, ...], expected: dict[str, tuple[int, int | None]]) -> None:
    assert needs(*groups) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(LIMITED, {STANDARD: (0, 100), "spot_vcpus Standard in eu-west-1": (0, 100)}, id="both capacity types"),
        pytest.param(ON_DEMAND, {STANDARD: (0, 100)}, id="one of them"),
        pytest.param(LINUX, {STANDARD: (0, None), "spot_vcpus Standard in eu-west-1": (0, None)}, id="no limits"),
    ],
)
def test_vcpus_of_node_pools_next_to_them(text: str, expected: dict[str, tuple[int, int | None]]) -> None:
    found = needs(files=(text, CLASS))
    assert {name: amount for name, amount in found.items() if "subnets" not in name} == expected
    assert found["node_subnet subnets of default"] == (0, None)


def test_vcpus_of_agent_pools() -> None:
    spot, newer = replace(AGENTS, name="spot", spot=True), replace(AGENTS, name="new", vm_sizes=("Standard_X9",))
    cluster = ExistingCapacity(name="shop", region="westeurope", agent_pools=(AGENTS, spot), pools=ClusterPools(None))
    found = {f"{item.what} {item.name}": (item.needs.minimum, item.needs.maximum) for item in cluster.counted().items if "vcpus" in item.what}
    assert found == {
        "vcpus cores in westeurope": (12, 24),
        "vcpus standardDSv5Family in westeurope": (12, 24),
        "spot_vcpus lowPriorityCores in westeurope": (8, 24),
    }
    unknown = replace(cluster, agent_pools=(newer,)).counted().items
    assert [(item.name, item.needs.maximum) for item in unknown if item.what == "vcpus"] == [("cores in westeurope", None)]


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        pytest.param({"vm_sizes": (D4, "Standard_D8s_v5")}, {CORES: (12, 48), DS: (12, 48)}, id="two sizes of one family"),
        pytest.param({"vm_sizes": (D4, "Standard_E8s_v5")}, {CORES: (12, 48), DS: (0, 48), "standardESv5Family": (0, 48)}, id="two families"),
        pytest.param({"vm_sizes": (D4, "Standard_X9")}, {CORES: (3, None), DS: (0, None)}, id="a size that no table has, next to a known one"),
        pytest.param({"is_counted": False}, {CORES: (8, None), DS: (8, None)}, id="any number of nodes"),
    ],
)
def test_vcpus_of_agent_pools_of_single_machines(changed: dict[str, Any], expected: dict[str, tuple[int, int | None]]) -> None:
    cluster = ExistingCapacity(name="shop", region="westeurope", agent_pools=(replace(AGENTS, **changed),), pools=ClusterPools(None))
    found = {item.name: (item.needs.minimum, item.needs.maximum) for item in cluster.counted().items if item.what == "vcpus"}
    assert found == {f"{name} in westeurope": amount for name, amount in expected.items()}


AUTOMATIC = """apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: any}
spec:
  template:
    spec:
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: default}
      requirements:
      - {key: karpenter.azure.com/sku-family, operator: In, values: [D]}
      - {key: karpenter.sh/capacity-type, operator: In, values: [KIND]}
"""
ON_AZURE = AUTOMATIC.replace("KIND", "on-demand")


@pytest.mark.parametrize(
    ("text", "agents", "expected"),
    [
        pytest.param(ON_AZURE, (AGENTS,), {CORES: (12, None), DS: (12, None)}, id="without limits, next to an agent pool"),
        pytest.param(ON_AZURE + "  limits: {cpu: '64'}\n", (AGENTS,), {CORES: (12, 88), DS: (12, 88)}, id="within limits"),
        pytest.param(AUTOMATIC.replace("KIND", "spot"), (AGENTS,), {CORES: (12, 24), DS: (12, 24), "lowPriorityCores": (0, None)}, id="on spot"),
        pytest.param(ON_AZURE, (), {CORES: (0, None)}, id="without the agent pools"),
    ],
)
def test_vcpus_of_node_auto_provisioning(text: str, agents: tuple[ExistingAgentPool, ...], expected: dict[str, tuple[int, int | None]]) -> None:
    """Nothing declares the cluster: what its NodePools can launch counts here."""
    found = needs(agents=agents, files=(text,))
    assert {name.split()[1]: amount for name, amount in found.items() if "vcpus" in name} == expected


@pytest.mark.parametrize(
    ("groups", "expected"),
    [
        pytest.param((ONE_SUBNET,), {"node_subnet subnet-1": (1, 6 * 435)}, id="all nodes in one subnet"),
        pytest.param((TWO_SUBNETS,), {"node_subnet subnet-1": (0, 6 * 435), "node_subnet subnet-2": (0, 6 * 435)}, id="any part of them in each"),
        pytest.param((replace(NEWER, subnets=("subnet-1",)),), {"node_subnet subnet-1": (1, None)}, id="interfaces that are not known"),
    ],
)
def test_addresses(groups: tuple[Any, ...], expected: dict[str, tuple[int, int | None]]) -> None:
    assert {name: found for name, found in needs(*groups).items() if name.startswith("node_subnet")} == expected


def test_quotas_and_subnets_of_exports() -> None:
    quotas = {Counter("vcpus", "standard", "eu-west-1", "1"): Stock(8)}
    subnets = {"subnet-1": SubnetStock("10.0.0.0/16", Stock(65531, 0, Amount(0, 0)))}
    cluster = ExistingCapacity(name="shop", region="eu-west-1", groups=(replace(ONE_SUBNET, least=6),), pools=ClusterPools(None))
    found = {item.what: item.verdict for item in cluster.counted(ExistingStock(quotas, subnets)).items}
    assert found == {"node_subnet": "fits", "vcpus": "does_not_fit"}


ROOMS = [
    pytest.param(
        ClusterPools(None, (WEB.nodes(None, autoscaled=None),)),
        ["web on m6i.large: cpu 1680m to 2, memory 6012Mi to 8Gi, pods 18 to 110"],
        id="a group",
    ),
    pytest.param(
        ClusterPools(None, (SEVERAL.nodes(None, autoscaled=None),)),
        ["web: cpu 1680m to 4, memory 6012Mi to 16Gi, pods 18 to 110"],
        id="a group with two types",
    ),
    pytest.param(
        ClusterPools(None, (NO_TYPES.nodes(None, autoscaled=None),)),
        ["web: cpu unknown, memory unknown, pods unknown"],
        id="types that are not known",
    ),
    pytest.param(
        ClusterPools(None, (AGENTS.nodes(None),)), ["web on Standard_D4s_v5: cpu 3260m to 3860m, memory 10964Mi to 16Gi, pods 30"], id="an agent pool"
    ),
]


@pytest.mark.parametrize(("pools", "expected"), ROOMS)
def test_room_on_a_node(pools: ClusterPools, expected: list[str]) -> None:
    assert [str(room) for room in rooms(pools)] == expected


def test_room_on_the_smallest_and_the_largest_node_of_a_node_pool() -> None:
    pools = read_existing_pools([(STATIC, "pool.yaml"), (CLASS, "class.yaml")])
    small, large = rooms(pools)
    assert str(small).startswith("web on c4.large: cpu 1680m to 2, memory ")
    assert large.to_json()["cpu"] == {"minimum": "382720m", "maximum": "384"}


def test_room_on_the_only_type_of_a_node_pool_with_an_image_that_is_not_known() -> None:
    one = LINUX.replace("values: [c]}", "values: [c]}, {key: node.kubernetes.io/instance-type, operator: In, values: [c5.large]}")
    pools = read_existing_pools([(one, "pool.yaml"), (BY_ID, "class.yaml")])
    [room] = rooms(pools)
    assert room.to_json() == {
        "pool": "web",
        "type": "c5.large",
        "cpu": {"minimum": "0", "maximum": "2"},
        "memory": {"minimum": "0", "maximum": "4Gi"},
        "pods": {"minimum": "0", "maximum": None},
    }
    assert ExistingCapacity(name="shop", region="", pools=pools).rooms == [room]


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        pytest.param({}, (3, 174), id="pods have addresses of the subnet"),
        pytest.param({"pod_subnet": "pods"}, (3, 6), id="pods have a subnet of their own"),
        pytest.param({"max_pods": None}, (3, None), id="any number of pods on a node"),
        pytest.param({"is_counted": False}, (2, None), id="any number of nodes"),
    ],
)
def test_addresses_of_agent_pools(changed: dict[str, Any], expected: tuple[int, int | None]) -> None:
    pools = (replace(AGENTS, node_subnet="nodes", **changed), replace(AGENTS, name="elsewhere"))
    cluster = ExistingCapacity(name="shop", region="westeurope", agent_pools=pools, pools=ClusterPools(None))
    [found] = [item for item in cluster.counted().items if item.what == "node_subnet"]
    assert (found.name, found.needs.minimum, found.needs.maximum) == ("nodes", *expected)


@pytest.mark.parametrize(("capacity", "floors"), [("spot, on-demand", [0, 0]), ("spot", [4])])
def test_static_nodes_of_auto_mode_are_certain_of_a_quota_only_with_one_capacity(capacity: str, floors: list[int]) -> None:
    pool = STATIC.replace("karpenter.k8s.aws, kind: EC2NodeClass", "eks.amazonaws.com, kind: NodeClass").replace(
        "karpenter.k8s.aws/", "eks.amazonaws.com/"
    )
    pool = pool.replace("values: [c]}", f"values: [c]}}, {{key: karpenter.sh/capacity-type, operator: In, values: [{capacity}]}}")
    assert [minimum for name, (minimum, _) in needs(files=(pool,)).items() if "vcpus" in name] == floors


OVERLAY = {"networkPluginMode": "overlay", "podCidr": "10.244.0.0/22", "outboundType": "loadBalancer"}
PORTS = {"allocatedOutboundPorts": 8000, "managedOutboundIPs": {"count": 1}}
IN_A_SUBNET = replace(AGENTS, node_subnet="/nodes", pod_subnet="/Pods")
NETWORKS = [
    pytest.param(
        AGENTS, {**OVERLAY, "podCidr": "10.244.0.0/20"}, {"pod_cidr server": "fits", "pod_cidr true_use": "fits"}, id="a range for 16 nodes"
    ),
    pytest.param(AGENTS, OVERLAY, {"pod_cidr server": "does_not_fit", "pod_cidr true_use": "does_not_fit"}, id="a range for 4 nodes"),
    pytest.param(AGENTS, {"podCidr": "10.244.0.0/22", "loadBalancerProfile": PORTS}, {}, id="no overlay, no load balancer"),
    pytest.param(
        replace(AGENTS, most=8), {"outboundType": "loadBalancer", "loadBalancerProfile": PORTS}, {"outbound_ports server": "does_not_fit"}, id="ports"
    ),
    pytest.param(AGENTS, {"outboundType": "loadBalancer", "loadBalancerProfile": PORTS}, {"outbound_ports server": "fits"}, id="enough ports"),
    pytest.param(IN_A_SUBNET, {}, {"pod_subnet server": "does_not_fit", "pod_subnet true_use": "does_not_fit"}, id="a subnet of pods"),
]


@pytest.mark.parametrize(("agents", "network", "expected"), NETWORKS)
def test_what_the_nodes_of_an_aks_cluster_share(agents: ExistingAgentPool, network: dict[str, object], expected: dict[str, str]) -> None:
    """Enough vCPUs and node addresses do not make it fit."""
    cluster = ExistingCapacity(name="shop", region="westeurope", agent_pools=(agents,), pools=ClusterPools(None), network=existing_network(network))
    known = {"/nodes": SubnetStock("10.1.0.0/16", Stock(65531, 0)), "/pods": SubnetStock("10.2.0.0/27", Stock(27, 0))}
    items = [item for item in cluster.counted(ExistingStock(subnets=known)).items if item.what not in ("vcpus", "node_subnet", "nodes", "pods")]
    assert {f"{item.what} {item.checked_by}": item.verdict for item in items} == expected


@pytest.mark.parametrize(
    ("most", "network", "expected"),
    [
        pytest.param(401, {"networkPlugin": "kubenet"}, {"web": "fits", "cluster": "does_not_fit"}, id="a table of routes has 400"),
        pytest.param(300, {"networkPlugin": "kubenet"}, {"web": "fits", "cluster": "fits"}, id="300 with kubenet"),
        pytest.param(401, {}, {"web": "fits", "cluster": "unknown"}, id="the network is not known"),
        pytest.param(400, {}, {"web": "fits", "cluster": "fits"}, id="as many as every network has"),
        pytest.param(401, {"networkPlugin": "azure"}, {"web": "fits", "cluster": "fits"}, id="5,000 with Azure CNI"),
        pytest.param(1000, OVERLAY, {"web": "does_not_fit", "cluster": "fits", "pods": "fits"}, id="an upgrade needs 1,001"),
    ],
)
def test_the_number_of_nodes_of_an_aks_cluster(most: int, network: dict[str, object], expected: dict[str, str]) -> None:
    """A pool that exists was accepted: the smaller sizes fit."""
    cluster = ExistingCapacity(
        name="shop", region="westeurope", agent_pools=(replace(AGENTS, most=most),), pools=ClusterPools(None), network=existing_network(network)
    )
    items = [item for item in cluster.counted().items if item.what in ("nodes", "pods")]
    assert {"pods" if item.what == "pods" else item.name: item.verdict for item in items} == expected
    assert {item.severity for item in items} <= {None, "warning"}


@pytest.mark.parametrize(("most", "verdict"), [(256, "does_not_fit"), (255, "fits")])
def test_nodes_with_kubenet_take_a_part_of_the_pod_range(most: int, verdict: str) -> None:
    """A /16 has 256 ranges, and an upgrade adds a node."""
    network = existing_network({"networkPlugin": "kubenet", "podCidr": "10.244.0.0/16"})
    agents = replace(AGENTS, most=most, surge="1")
    cluster = ExistingCapacity(name="shop", region="westeurope", agent_pools=(agents,), pools=ClusterPools(None), network=network)
    assert [(item.checked_by, item.verdict) for item in cluster.counted().items if item.what == "pod_cidr"] == [("true_use", verdict)]


def test_an_upgrade_needs_more_than_the_quota() -> None:
    """As many vCPUs as the quota has: no node can be added."""
    full = replace(AGENTS, count=5, least=5, surge="1")
    cluster = ExistingCapacity(name="shop", region="westeurope", agent_pools=(full,), pools=ClusterPools(None))
    [item] = [item for item in cluster.counted(ExistingStock({CORES_IN_WESTEUROPE: Stock(20, 20)})).items if item.name.startswith(CORES)]
    assert (item.verdict, item.severity, item.needed) == ("does_not_fit", "warning", 24)
    assert item.fix is not None
    assert "Azure portal" in item.fix
