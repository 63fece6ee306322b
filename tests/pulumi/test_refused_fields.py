"""Fields of the clouds' newer versions: what is accepted is created, and an edit that a rule reports as an error is rejected."""

from collections.abc import Collection

from tests.pulumi.cloud_copies import Clouds

AKS = """AksClusterArgs(
    location="westeurope", kubernetes_version="1.35", entra=Entra(deployer_is_admin=False), protect=False, apply="render", api_version="2026-05-01",
    system_pool=SystemPool(vm_size="Standard_D4ds_v5", count=2), accepted_errors=dict.fromkeys(CODES, "the cloud decides"), {fields}
)"""
EKS = """EksClusterArgs(
    region="us-east-1", kubernetes_version="1.35", protect=False, apply="render", accepted_errors=dict.fromkeys(CODES, "the cloud decides"),
    admins=["arn:aws:iam::123456789012:role/admins"], {fields}
)"""
CODES = ("AKS346", "AKS348", "AKS353", "AKS355", "AKS360", "AKS363", "AKS365", "AKS366", "AKS367", "AKS368", "EKS188", "EKS203")
ROUTED = 'network_profile={"static_egress_gateway": True}, '
MESH = 'istio={{"revisions": ["asm-1-30"], "egress": [{}]}}'
VAULT = "/subscriptions/s/resourceGroups/g/providers/Microsoft.KeyVault/vaults/mesh"
SIGNED = f'istio=Istio(["asm-1-30"], certificate_authority=MeshAuthority("{VAULT}", root="root", intermediate="ca", key="key", chain="chain"))'
PLAIN = 'network_profile={{"dataplane": "azure", "advanced": {}}}'
OUT, OTHER = '{"name": "out", "configuration": "fixed"}', '{"name": "other", "configuration": "fixed"}'
GATEWAYS = 'pools={{"gw": UserPool(vm_size="Standard_D4ds_v5", count={}, gateway_prefix_size=31)}}'
WEB = 'pools={{"web": UserPool(vm_size="Standard_D4ds_v5", count=2{})}}'
MACHINES = 'pools={{"web": UserPool(vm_size="Standard_D4ds_v5", count=1, machines=[Machines(size, count=1) for size in {}])}}'
SIZES = [f"Standard_D{cores}ds_v5" for cores in (2, 8, 16, 32, 48)]
POD = 'pod_identities={{"web": PodIdentity(namespace="a", service_account="b", statements=[{}])}}'
STATEMENT = '{"Effect": "Allow", "Action": "s3:GetObject", "Resource": "*"}'
EDITS = {
    "routing": (
        AKS,
        'gateway_api=True, app_routing={"gateway": True}',
        'gateway_api=True, app_routing={"gateway": True}, istio={"revisions": ["asm-1-30"]}',
    ),
    "egress": (AKS, ROUTED + MESH.format(OUT), MESH.format(OUT)),
    "authority": (AKS, f"{SIGNED}, key_vault_provider=KeyVaultProvider()", f"{SIGNED}, key_vault_provider=KeyVaultProvider(enabled=False)"),
    "dataplane": (AKS, PLAIN.format("{}"), PLAIN.format('{"acceleration": "BpfVeth"}')),
    "names": (AKS, ROUTED + MESH.format(f"{OUT}, {OTHER}"), ROUTED + MESH.format(f"{OUT}, {OUT}")),
    "families": (AKS, ROUTED, ROUTED.replace("}", ', "ip_families": ["IPv4", "IPv6"]}')),
    "gateways": (AKS, ROUTED + GATEWAYS.format(2), ROUTED + GATEWAYS.format(3)),
    "feature": (AKS, "", GATEWAYS.format(2)),
    "image": (AKS, WEB.format(""), WEB.format(', node_image_version="AKSUbuntu-2204gen2containerd-202610.12.0"') + ', auto_upgrade="patch"'),
    "sizes": (AKS, MACHINES.format(SIZES[:4]), MACHINES.format(SIZES)),
    "period": (EKS, "", 'control_plane=ControlPlane(autoscaler_sync_period="10s")'),
    "ports": (EKS, "control_plane=ControlPlane(first_node_port=31000)", "control_plane=ControlPlane(first_node_port=32000, last_node_port=31000)"),
    "statement": (EKS, POD.format(STATEMENT), POD.format(STATEMENT.replace(', "Resource": "*"', ""))),
}
KINDS = {
    **dict.fromkeys(("routing", "egress", "authority", "dataplane", "names", "families"), "ManagedCluster"),
    **dict.fromkeys(("gateways", "feature", "image", "sizes"), "AgentPool"),
    **dict.fromkeys(("period", "ports"), "Cluster"),
    "statement": "RolePolicy",
}
"""What the clouds reject of each."""


def stack(edited: Collection[str]) -> str:
    clusters = ", ".join(f'"{key}": {one.format(fields=after if key in edited else before)}' for key, (one, before, after) in EDITS.items())
    imports = "from nodepools import *; from nodepools.aks import *; from nodepools.eks import *"
    return f'{imports}\n\nCODES = {CODES}\nPLATFORM = Platform(name="dev", clusters={{{clusters}}})\n'


def test_what_is_accepted_is_created_and_what_is_not_is_rejected(empty_clouds: Clouds) -> None:
    """A program ends with the first rejections: the others are tried again without the edits that were rejected."""
    made = empty_clouds.up(stack(()))
    assert not made.failed, made.output
    left = set(EDITS)
    while left:
        failed = [one.split("-")[:2] for one in empty_clouds.up(stack(left), "--continue-on-error").failed]
        rejected = {cluster for kind, cluster in failed if kind == f"{KINDS[cluster]}/dev"}
        assert rejected, f"accepted: {left}"
        left -= rejected
