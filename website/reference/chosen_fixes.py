"""One edit for the example of each rule whose fix is a choice: what an author could write, by code and by path.

A path is that of a field of the part with the finding, or of one around it; `HERE` is the place of the finding itself. The site shows an edit only if
`check` no longer reports the rule after it, and no other rule instead.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

HERE: Final = ""
REMOVED: Final = object()
"""Stands for a field, key or entry that is removed."""


@dataclass(frozen=True, slots=True)
class Renamed:
    """A key that gets another name."""

    name: str


def _requirement(key: str, *values: str) -> Mapping[str, object]:
    return {"key": key, "operator": "In", "values": [*values]}


_AZURE: Final = "/subscriptions/s/resourceGroups/g/providers"
_WORKSPACE: Final = {"workspace": f"{_AZURE}/Microsoft.OperationalInsights/workspaces/w"}
_KEY: Final = "https://v.vault.azure.net/keys/etcd/0123456789abcdef0123456789abcdef"
_VAULT: Final = f"{_AZURE}/Microsoft.KeyVault/vaults/v"
_NODES: Final = f"{_AZURE}/Microsoft.Network/virtualNetworks/v/subnets/nodes"
_OFFICE: Final = ["203.0.113.0/24"]
_PEM: Final = "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSUIKLS0tLS1FTkQgQ0VSVElGSUNBVEUtLS0tLQo="
_WEEKEND: Final = {"nodes": "0", "schedule": "0 9 * * sat", "duration": "8h"}
_ON_DEMAND: Final = _requirement("karpenter.sh/capacity-type", "on-demand")
_AMD64: Final = _requirement("kubernetes.io/arch", "amd64")
_ROLE: Final = "arn:aws:iam::111122223333:role"

_NONE: Final[Mapping[str, object]] = {}

CHOSEN: Final[Mapping[str, Mapping[str, object]]] = {
    "AKS001": {HERE: Renamed("web1")},
    "AKS021": {HERE: Renamed("example.com/mode")},
    "AKS022": {HERE: Renamed("example.com/worker")},
    "AKS023": {HERE: "web-and-mobile"},
    "AKS025": {HERE: Renamed("team")},
    "AKS040": {HERE: "172.16.0.0/16"},
    "AKS041": {HERE: "192.168.0.0/16"},
    "AKS042": {HERE: "10.10.99.0/24"},
    "AKS050": {HERE: f"{_AZURE}/Microsoft.Network/virtualNetworks/one/subnets/b"},
    "AKS051": {HERE: "192.168.0.0/20"},
    "AKS052": {"network_profile.plugin_mode": "overlay"},
    "AKS053": {"network_profile.load_balancer.managed_outbound_ips": REMOVED},
    "AKS058": {
        "node_public_ip_prefix_id": f"{_AZURE}/Microsoft.Network/publicIPPrefixes/p",
        "api_server.authorized_ip_ranges": ["203.0.113.0/24", "198.51.100.0/28"],
    },
    "AKS059": {"start": 80, "end": 443},
    "AKS070": {"kubernetes_version": "1.36"},
    "AKS071": {"kubernetes_version": "1.36"},
    "AKS074": {"start": "2026-12-20", "end": "2027-01-06"},
    "AKS082": {"tainted": True},
    "AKS106": {HERE: Renamed("weu")},
    "AKS107": {HERE: _NODES},
    "AKS110": {"maintenance": {"kind": "Weekly", "start": "22:00", "hours": 5, "days": "sun"}},
    "AKS135": {HERE: "fd00:20::/64"},
    "AKS137": {HERE: "fd00:20::/64"},
    "AKS140": {"location": "eastus2"},
    "AKS143": {"kubernetes_version": "1.37"},
    "AKS144": {HERE: "10.10.0.0/24"},
    "AKS145": {"pools.train": {"kind": "GpuPool", "vm_size": "Standard_NC4as_T4_v3"}},
    "AKS169": {"revisions": ["asm-1-30"]},
    "AKS212": {HERE: _OFFICE},
    "AKS217": {"api_server_subnet_id": f"{_AZURE}/Microsoft.Network/virtualNetworks/v/subnets/api"},
    "AKS223": {HERE: "192.168.0.0/16"},
    "AKS225": {HERE: "10.10.128.0/20"},
    "AKS226": {HERE: "10.10.128.0/20"},
    "AKS227": {"network_profile.plugin_mode": "overlay"},
    "AKS229": {"network_profile.dataplane": "cilium", "network_profile.policy": "cilium"},
    "AKS232": {"network_profile": {"dataplane": "azure"}},
    "AKS235": {HERE: "172.16.0.0/16"},
    "AKS243": {HERE: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIExampleExampleExampleExampleExampleExamp ops@example.com"},
    "AKS261": {"kubelet_identity": REMOVED},
    "AKS263": {HERE: f"{_AZURE}/Microsoft.ContainerRegistry/registries/shop"},
    "AKS274": {"workload_identities.more": REMOVED},
    "AKS289": {"http": "http://proxy.example.com:3128"},
    "AKS290": {HERE: "http://proxy.example.com:3128"},
    "AKS291": {HERE: "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n"},
    "AKS292": {HERE: _KEY},
    "AKS295": {"vault_id": _VAULT},
    "AKS300": {HERE: _WORKSPACE},
    "AKS301": {HERE: {**_WORKSPACE, "location": "westeurope"}},
    "AKS302": {HERE: {"key_id": _KEY, "vault_id": _VAULT}},
    "AKS304": {HERE: _WORKSPACE},
    "AKS308": {"network_profile": {"dataplane": "cilium"}},
    "AKS314": {HERE: {"interval": "168h"}},
    "AKS325": {HERE: Renamed("team-name")},
    "AKS326": {HERE: Renamed("team")},
    "AKS330": {HERE: "Standard_D4ds_v5"},
    "AKS331": {HERE: "Standard_D4ds_v5"},
    "AKS336": {HERE: f"{_AZURE}/Microsoft.Compute/proximityPlacementGroups/near"},
    "AKS340": {HERE: [{"key": "arch", "value": "arm64", "effect": "NoSchedule"}]},
    "AKS341": {HERE: "6f1a0c5e-8a3b-4c1d-9e2f-0123456789ab"},
    "AKS342": {HERE: "shop"},
    "AKS348": {"machines": REMOVED},
    "AKS350": {HERE: "2026-05-01"},
    "AKS354": {HERE: "http://proxy.example.com:3128"},
    "AKS355": {"key_vault_provider": {"vaults": [_VAULT]}},
    "AKS357": {HERE: f"{_AZURE}/Microsoft.KeyVault/vaults/another"},
    "AKS365": {"network_profile": {"static_egress_gateway": True}},
    "AKS368": {HERE: "other"},
    "AKS369": {HERE: REMOVED},
    "AKS373": {"system_pool": {"kind": "SystemPool", "vm_size": "Standard_D4ds_v5", "count": 3}},
    "AKS374": {"hosted_system": False},
    "AKS375": {"hosted_system_subnet_id": REMOVED},
    "AKS378": {"windows_profile": REMOVED},
    "AKS379": {"location": "westeurope"},
    "AKS384": {HERE: "8Gi"},
    "AKS385": {HERE: REMOVED},
    "AKS386": {HERE: Renamed("fixed")},
    "EKS006": {HERE: "us-east-1b"},
    "EKS008": {HERE: ["subnet-0a", "subnet-0b"]},
    "EKS010": {HERE: f"{_ROLE}/nodes"},
    "EKS016": {HERE: "web"},
    "EKS017": {"kubernetes_version": "1.36"},
    "EKS025": {HERE: {"tags": {"team": "web"}}},
    "EKS027": {HERE: "eks-web"},
    "EKS029": {HERE: REMOVED},
    "EKS034": {HERE: {"id": "cr-0123456789abcdef0"}},
    "EKS035": {HERE: _PEM},
    "EKS036": {HERE: "example.com"},
    "EKS041": {HERE: Renamed("custom-system")},
    "EKS042": {"node_class": REMOVED},
    "EKS043": {"built_in_node_pools": REMOVED},
    "EKS046": {HERE: Renamed("example.com/nodegroup")},
    "EKS047": {HERE: Renamed("example.com/rack")},
    "EKS048": {HERE: Renamed("example.com/managed-by")},
    "EKS049": {HERE: ["us-east-1a"]},
    "EKS053": {HERE: {"capacity_reservations": [{"id": "cr-1"}]}},
    "EKS056": {"disruption.budgets": [_NONE]},
    "EKS060": {"requirements": [_ON_DEMAND, _AMD64, _requirement("eks.amazonaws.com/instance-cpu", "2")]},
    "EKS061": {"requirements": [_AMD64, _requirement("karpenter.sh/capacity-type", "spot", "on-demand")]},
    "EKS065": {
        "requirements": [
            _AMD64,
            _requirement("karpenter.sh/capacity-type", "spot"),
            _requirement("topology.kubernetes.io/zone", "us-east-1a", "us-east-1b"),
        ]
    },
    "EKS070": {"kubernetes_version": "1.36"},
    "EKS071": {"kubernetes_version": "1.36"},
    "EKS080": {"admins": REMOVED},
    "EKS086": {HERE: REMOVED},
    "EKS095": {HERE: "arn:aws-us-gov:iam::111122223333:role/admins"},
    "EKS100": {"region": "eu-central-1"},
    "EKS101": {"kubernetes_version": "1.37"},
    "EKS130": {"requirements": [_AMD64, _requirement("karpenter.sh/capacity-type", "reserved", "on-demand")]},
    "EKS131": {HERE: "shop-2"},
    "EKS144": {"policies": ["AmazonS3ReadOnlyAccess"]},
    "EKS171": {"new_secrets_key": _NONE},
    "EKS175": {"groups": REMOVED, "policies": [{"name": "AmazonEKSClusterAdminPolicy"}]},
    "EKS176": {"policies": [{"name": "AmazonEKSViewPolicy"}]},
    "EKS179": {"requirements": [_ON_DEMAND, _AMD64]},
    "EKS181": {HERE: Renamed("team")},
    "EKS182": {HERE: _OFFICE},
    "EKS184": {"requirements": [_ON_DEMAND, _AMD64, _requirement("eks.amazonaws.com/instance-family", "m7i", "c7i")]},
    "EKS185": {HERE: "arn:aws:kms:us-east-1:111122223333:key/0a1b2c3d"},
    "EKS186": {"authorized_ip_ranges": _OFFICE},
    "EKS188": {HERE: {"Effect": "Allow", "Action": "s3:*", "Resource": "*"}},
    "EKS190": {HERE: "web and mobile"},
    "EKS191": {HERE: "arn:aws:iam::111122223333:policy/limit"},
    "EKS193": {HERE: "AmazonEKSViewPolicy"},
    "EKS194": {HERE: "eu-west-1b"},
    "EKS196": {HERE: "shop"},
    "EKS198": {HERE: _PEM},
    "EKS213": {"new_secrets_key": REMOVED},
    "EKS218": {"headroom.requests": {"cpu": "3"}},
    "KAR020": {"budgets": [_WEEKEND]},
    "KAR022": {"budgets": [_WEEKEND]},
    "KAR024": {"disruption.budgets": [_NONE]},
    "KAR025": {"budgets": [_NONE]},
    "KAR026": {"budgets": [{"nodes": "5"}]},
    "KAR027": {"disruption.budgets": [{"nodes": "0", "schedule": "@hourly", "duration": "30m"}]},
    "KAR029": {"disruption.budgets": [{"nodes": "20%"}]},
    "KAR030": {"startup_taints": REMOVED},
    "KAR031": {HERE: "web-and-mobile"},
    "KAR033": {HERE: "web-and-mobile"},
    "KAR040": {"requirements": [_ON_DEMAND, _AMD64]},
    "KAR041": {"requirements": [_ON_DEMAND, _AMD64]},
    "KAR049": {"requirements": [_ON_DEMAND, _AMD64, _requirement("example.com/l0", "x")]},
    "KAR074": {"disruption.budgets": [{"nodes": "10%"}]},
    "KAR086": {"taints": [{"key": "team", "value": "worker", "effect": "NoSchedule"}]},
    "KAR089": {"disruption.budgets": [_NONE]},
    "KAR092": {"headroom.pods": 1},
    "KAR094": {"requirements": [_ON_DEMAND, _AMD64]},
    "NAP006": {"node_class": REMOVED},
    "NAP008": {HERE: "example.com/rack"},
    "NAP017": {HERE: _NODES},
    "NAP020": {"image_family": "AzureLinux"},
    "NAP024": {
        HERE: [{"zone": ".", "forward_destination": "VnetDNS"}, {"zone": "cluster.local", "forward_destination": "ClusterCoreDNS"}],
    },
    "NAP027": {HERE: Renamed("ab")},
    "NAP028": {HERE: f"{_AZURE}/Microsoft.Network/virtualNetworks/one/subnets/b"},
    "NAP029": {"requirements": [_ON_DEMAND, _AMD64]},
    "NAP032": {"requirements": [_ON_DEMAND, _AMD64]},
    "NAP034": {HERE: "Standard_E4s_v5"},
    "NAP035": {"gpu_operator": True},
    "NAP040": {"must_fit[0].spec.tolerations": [{"key": "autoscaling.azure.com/cas-block", "operator": "Exists"}]},
    "NAP073": {"requirements": [_ON_DEMAND, _AMD64, _requirement("topology.kubernetes.io/zone", "westeurope-1")]},
    "NAP074": {"requirements": [_ON_DEMAND, _AMD64, _requirement("karpenter.azure.com/sku-name", "Standard_D4ds_v5", "Standard_E4ds_v5")]},
    "NAP075": {"requirements": [_ON_DEMAND, _AMD64, _requirement("karpenter.azure.com/sku-family", "F", "M")]},
    "NAP077": {HERE: [_ON_DEMAND, _AMD64, _requirement("kubernetes.azure.com/cluster", "shop-nodes")]},
    "PLT001": {HERE: {"web": {"kind": "UserPool", "vm_size": "Standard_D4ds_v5"}}},
    "PLT002": {HERE: Renamed("web-burst")},
    "PLT004": {HERE: "10.20.0.0/16"},
    "PLT030": {"must_fit[0].spec.nodeSelector": REMOVED},
    "PLT031": {"must_fit[0].spec.nodeSelector": REMOVED},
    "PLT032": {HERE: {"kind": "Pod", "metadata": {"name": "web"}, "spec": {"containers": [{"name": "web"}]}}},
    "PLT033": {"must_fit[0].spec.nodeSelector": {"nodepools/name": "web"}},
    "PLT069": {HERE: "shop"},
    "PLT070": {HERE: 1000},
    "SMK003": {HERE: {"alias": "al2023@v20260801"}},
    "SMK005": {HERE: [{"alias": "al2023@v20260801"}]},
    "SMK006": {HERE: "al2023@v20260801"},
    "SMK008": {HERE: "al2023@v20260801"},
    "SMK011": {HERE: {"tags": {"karpenter.sh/discovery": "web"}}},
    "SMK015": {HERE: {"id": "cr-0123456789abcdef0"}},
    "SMK017": {"connection_tracking": REMOVED},
    "SMK018": {HERE: [{"network_card_index": 0, "device_index": 0, "interface_type": "interface"}]},
    "SMK020": {HERE: "100Gi"},
    "SMK054": {HERE: {"cpu": "16"}},
    "SMK058": {"node_pools.web.requirements": [_requirement("node.kubernetes.io/instance-type", "m7i.4xlarge"), _AMD64, _ON_DEMAND]},
    "SMK032": {"kubelet": REMOVED},
    "SMK041": {"node_class": "own"},
    "SMK042": {HERE: "example.com/rack"},
    "SMK044": {HERE: "web"},
    "SMK045": {HERE: [_ON_DEMAND, _AMD64, _requirement("karpenter.k8s.aws/instance-family", "m7i")]},
    "SMK056": {"node_pools.web.requirements": [_requirement("karpenter.k8s.aws/instance-size", "2xlarge"), _AMD64, _ON_DEMAND]},
}


def _replaced(old: str, new: str) -> Callable[[str], str]:
    return lambda text: text.replace(old, new, 1)


def _first(text: str) -> str:
    """The first of two documents."""
    return text.partition("---\n")[0]


_VERSION: Final = '    kubernetes_version: "1.36"\n'
MENDED: Final[Mapping[str, Callable[[str], str]]] = {
    "CFG001": _replaced("region: us-east-1\n", f"region: us-east-1\n{_VERSION}"),
    "CFG002": _replaced("tag:", "tags:"),
    "CFG003": _replaced("AksNetwork", "EksNetwork"),
    "CFG004": _replaced("136", '"1.36"'),
    "CFG005": _replaced("standart", "STANDARD"),
    "CFG006": _replaced("1.36.1", "1.36"),
    "CFG007": _replaced("101", "100"),
    "CFG008": _replaced("clusters: {}\n", f"clusters:\n  use1:\n    kind: EksCluster\n    region: us-east-1\n{_VERSION}"),
    "CFG009": _replaced("many", "500m"),
    "CFG011": _replaced("    auto_mode:\n", ""),
    "CFG013": _replaced(_VERSION * 2, _VERSION),
    "CFG014": _replaced("010", '"010"'),
    "IGN001": lambda text: text.partition("\n")[2],
    "IGN003": _replaced("  weight: 10\n", ""),
    "IGN004": _replaced("    accepted_errors: {EKS001: moves next week}\n", ""),
    "OBJ001": _replaced("v1beta1", "v1"),
    "OBJ002": _replaced("v1alpha2", "v1beta1"),
    "OBJ004": _replaced("v2", "v1"),
    "OBJ005": _first,
    "OBJ007": _replaced("  weight: 10\n", ""),
    "OBJ008": _replaced("{tier: 3}", "{}"),
    "OBJ010": _replaced("{tier: web}", "{}"),
    "OBJ012": _replaced("name: system", "name: custom-system"),
    "OBJ013": _first,
    "OBJ014": _replaced("WhenEmpty", "WhenEmpty, consolidateAfter: 0s"),
    "OBJ016": _replaced("  replicas: 3\n", ""),
    "OBJ026": _replaced("  weight: 1\n", ""),
    "OBJ027": _replaced("010", "8"),
    "OBJ028": _first,
    "OBJ029": lambda text: f"{text}  weight: 10\n",
    "OBJ030": _replaced("spec:\n", "spec:\n  capacity: {example.com/gpu: 2}\n"),
    "OBJ054": _replaced("ignore", "Ignore"),
    "OBJ055": _replaced("30", "30s"),
}
"""What an author could write in the sample of each code without a rule."""
