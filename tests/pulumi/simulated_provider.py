"""Starts one provider of the simulated clouds, with the rules of the clouds that their model does not have.

Sources: `replacement.go` of pulumi-azure-native, docs/facts/aks.md and docs/facts/eks.md.

* azure-native replaces resource groups, networks, identities, public IP addresses and what collects logs and metrics in another location,
  and extensions of another resource.
* pulumi-aws replaces every resource in another region.
* A cluster of EKS has extended support, unless it sets another support type.
* AKS rejects a cluster without Entra ID or OIDC issuer that had it, and a Kubernetes version that is lower or skips a minor version.
* AKS Automatic has fixed settings; only it has hosted system nodes, with which a cluster needs no system pool.
* Azure rejects a VM size without quota, and zones of a pool of single virtual machines.
* Azure returns an agent pool that was created with its cluster as it returns others, and when a role assignment was created.
* AKS runs Gateways with application routing or with the mesh, and egress gateways of the mesh through the static egress gateway.
* A certificate authority of the mesh is read with the Key Vault provider; policies with domains, encryption and acceleration need Cilium.
* A gateway pool needs that feature, is not autoscaled, and has an address for each node; one of single virtual machines has at most five sizes.
* AKS rolls back no image of a pool while the cluster upgrades automatically.
* AKS adds to the hosts that are reached without an HTTP proxy what the cluster itself must reach.
* EKS keeps a cluster in its VPC, and requires a subnet in each zone in which it was created, and IPv6 ranges of them for an IPv6 cluster.
* EKS rejects a session policy of a pod identity whose sessions have tags.
* EKS has its sync period of autoscalers on the tier `standard`, and node ports in their order; IAM wants a statement to have its elements.
* KMS rotates keys every 90 to 2560 days, and deletes them after 7 to 30.
* EKS takes one identity provider of people, with a URL of https, and prefixes without `system:`; each change replaces it.
* EKS creates the log group of a cluster that has none, and CloudWatch rejects a second group of a name.
* AWS assigns an IPv6 range to a VPC that asks for one.
* azure-native is a package of one module and one version of its API if it gets both as a parameter; it has the settings of its own provider alone.

Arguments: the folder of the simulated clouds, the name of the provider, and the address of the engine, as Pulumi passes it.
"""

# The simulated clouds are outside of the project and have no types.
# pyright: reportMissingImports=false, reportUntypedBaseClass=false, reportAttributeAccessIssue=false, reportMissingParameterType=false
# pyright: reportUnknownMemberType=false, reportUnknownParameterType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

import json
import re
import sys
from base64 import b64decode
from concurrent import futures
from datetime import UTC, datetime

CLOUDS, NAME, *ENGINE = sys.argv[1:]
sys.path.insert(0, CLOUDS)

import aws_model  # noqa: E402  # of the simulated clouds, like the next ones
import azure_model  # noqa: E402
import grpc  # noqa: E402
from cloud import get  # noqa: E402
from provider import Provider  # noqa: E402
from pulumi.runtime.proto import provider_pb2, provider_pb2_grpc  # noqa: E402

OF_AUTOMATIC = {
    "sku.tier": "Standard",
    "autoUpgradeProfile.upgradeChannel": "stable",
    "autoUpgradeProfile.nodeOSUpgradeChannel": "NodeImage",
    "nodeResourceGroupProfile.restrictionLevel": "ReadOnly",
    "nodeProvisioningProfile.mode": "Auto",
    "networkProfile.outboundType": "managedNATGateway",
    "disableLocalAccounts": True,
}
EXTENDED = "resourceUri"
"""The resource that an extension is about, and a part of its id."""
OF_AKS = ("168.63.129.16", "konnectivity")
EXTENSIONS = {"DataCollectionRuleAssociation": "associationName", "DiagnosticSetting": "name"}
"""Resources that are about another one, and the argument with their name."""
SOLD_OUT = "Standard_D96ds_v5"
"""A VM size of which the subscription can have none."""
COLLECTING = ("DataCollectionRule", "DataCollectionEndpoint", "AzureMonitorWorkspace")


MOST_SIZES = 5
SIZE = 31
"""Of the public IP prefix of a gateway pool, by default."""
FEATURE = "networkProfile.staticEgressGatewayProfile.enabled"
SECRETS = "addonProfiles.azureKeyvaultSecretsProvider.enabled"
ADVANCED, OF_CILIUM = "networkProfile.advancedNetworking", ("security.enabled", "performance.accelerationMode")


def excluded(cluster):
    """What a cluster cannot have together."""
    mesh = get(cluster, "serviceMeshProfile.mode") == "Istio"
    egress = [(one.get("namespace"), one.get("name")) for one in get(cluster, "serviceMeshProfile.istio.components.egressGateways") or []]
    if mesh and get(cluster, "ingressProfile.webAppRouting.gatewayAPIImplementations.appRoutingIstio.mode") == "Enabled":
        yield "Application routing with Istio cannot be enabled with the Istio service mesh add-on."
    if (
        mesh
        and get(cluster, "serviceMeshProfile.istio.certificateAuthority")
        and not get(cluster, "addonProfiles.azureKeyvaultSecretsProvider.enabled")
    ):
        yield "A certificate authority of the mesh requires the Azure Key Vault provider for Secrets Store CSI driver add-on."
    if get(cluster, "networkProfile.networkDataplane") != "cilium" and any(get(cluster, f"{ADVANCED}.{name}") for name in OF_CILIUM):
        yield "Advanced container networking security and performance require the Cilium dataplane."
    if egress and not get(cluster, FEATURE):
        yield "Istio egress gateways require the static egress gateway feature."
    if len(set(egress)) < len(egress):
        yield "The names of Istio egress gateways must be unique in their namespace."
    if get(cluster, FEATURE) and len(get(cluster, "networkProfile.ipFamilies") or []) > 1:
        yield "The static egress gateway is not supported in dual-stack clusters."


class Azure(azure_model.Cloud):
    """Azure with the rules above."""

    def cluster(self, c, op, id_):
        old, new = c["objects"].get(id_, {}).get("inputs", {}), op.inputs
        for wrong, what in (
            (get(old, "aadProfile") and not get(new, "aadProfile"), "The integration with Microsoft Entra cannot be disabled."),
            (get(old, "oidcIssuerProfile.enabled") and not get(new, "oidcIssuerProfile.enabled"), "The OIDC issuer cannot be disabled."),
            (old and not _is_next(old["kubernetesVersion"], new["kubernetesVersion"]), "The Kubernetes version must be the same or the next."),
        ):
            if wrong:
                raise azure_model.arm("BadRequest", what)
        if wrong := next(excluded(new), ""):
            raise azure_model.arm("BadRequest", wrong)
        hosted, automatic = get(new, "hostedSystemProfile.enabled"), get(new, "sku.name") == "Automatic"
        if hosted and not automatic:
            raise azure_model.arm("BadRequest", "Hosted system profile is only available for the SKU Automatic.")
        if wrong := [name for name, value in OF_AUTOMATIC.items() if automatic and get(new, name) not in (None, value)]:
            raise azure_model.arm("BadRequest", f"Managed cluster 'Automatic' SKU should enable '{wrong[0]}' feature with recommended values")
        try:
            super().cluster(c, op, id_)
        except Exception as refusal:
            if not hosted or "MustDefineAtLeastOneSystemPool" not in str(refusal):
                raise

    def may_delete(self, c, op, cluster):
        hosted = get(c["objects"].get(cluster, {}).get("outputs", {}), "hostedSystemProfile.enabled")
        if op.short != "AgentPool" or not hosted:
            super().may_delete(c, op, cluster)

    def invoke(self, c, tok, args):
        if not tok.endswith(":getAgentPool"):
            return super().invoke(c, tok, args)
        place = f"/resourceGroups/{args['resourceGroupName']}/", f"/managedClusters/{args['resourceName']}/agentPools/{args['agentPoolName']}"
        found = [(id_, one) for id_, one in c["objects"].items() if place[0] in id_ and id_.endswith(place[1])]
        if not found:
            raise azure_model.arm("ResourceNotFound", f"The pool '{args['agentPoolName']}' was not found.")
        return {**found[0][1]["outputs"], "id": found[0][0]}

    def pool(self, c, op, cluster, mc, name, want, where):
        if want.get("vmSize") == SOLD_OUT:
            raise azure_model.arm("ErrCode_InsufficientVCPUQuota", f"Insufficient vcpu quota for {SOLD_OUT}.")
        if get(want, "virtualMachinesProfile") and get(want, "availabilityZones"):
            raise azure_model.arm("InvalidParameter", "Availability zones are not supported for VirtualMachines agent pools.")
        sizes, upgraded = get(want, "virtualMachinesProfile.scale.manual") or [], get(mc, "autoUpgradeProfile.upgradeChannel") or "none"
        if len({one["size"] for one in sizes}) > MOST_SIZES:
            raise azure_model.arm("InvalidParameter", f"A VirtualMachines agent pool has at most {MOST_SIZES} sizes.")
        if want.get("nodeImageVersion") and name in self.pools(c, cluster) and upgraded != "none":
            raise azure_model.arm("BadRequest", "Node image rollback requires the auto-upgrade channel none.")
        if want.get("mode") == "Gateway" and not get(mc, FEATURE):
            raise azure_model.arm("BadRequest", "Gateway agent pools require the static egress gateway feature.")
        if want.get("mode") == "Gateway" and (
            want.get("enableAutoScaling") or want["count"] > 2 ** (32 - get(want, "gatewayProfile.publicIPPrefixSize"))
        ):
            raise azure_model.arm("InvalidParameter", "Each node of a Gateway agent pool needs an address of its public IP prefix.")
        return super().pool(c, op, cluster, mc, name, want, where)

    def outputs(self, out, op, id_):
        made = super().outputs(out, op, id_)
        if op.short == "RoleAssignment":
            made.setdefault("createdOn", datetime.now(UTC).isoformat())
        return made

    def arm_id(self, op):
        if EXTENDED not in op.inputs:
            return super().arm_id(op)
        kind = f"Microsoft.Insights/{op.short[0].lower()}{op.short[1:]}s"
        return f"{op.inputs[EXTENDED]}/providers/{kind}/{op.inputs[self.key(op.short)]}", kind

    def cluster_outputs(self, out, id_):
        super().cluster_outputs(out, id_)
        proxy = out.get("httpProxyConfig")
        if proxy:
            out["httpProxyConfig"] = {**proxy, "noProxy": [*OF_AKS, *(one for one in proxy.get("noProxy", ()) if one not in OF_AKS)]}


def _is_next(old: str, new: str) -> bool:
    return azure_model.minor(new)[1] - azure_model.minor(old)[1] in (0, 1)


SYNC = "kubeControllerManagerConfig.horizontalPodAutoscalerControllerConfig.horizontalPodAutoscalerSyncPeriod"
GROUP = "aws:cloudwatch/logGroup:LogGroup"


class Aws(aws_model.Cloud):
    """AWS with the rules above."""

    def replaces(self, op, path):
        return path == "region" or super().replaces(op, path)

    def put_Cluster(self, c, op):  # noqa: N802  # named by the simulated clouds
        old = c["objects"].get(f"{op.type}|{op.inputs['name']}")
        before, after = _subnets(c, get(old, "inputs") or {}), _subnets(c, op.inputs)
        if before and {subnet["vpcId"] for subnet in after} != {subnet["vpcId"] for subnet in before}:
            raise aws_model.eks("InvalidParameterException", "The subnets must be in the VPC of the cluster.")
        if not {subnet["availabilityZone"] for subnet in before} <= {subnet["availabilityZone"] for subnet in after}:
            raise aws_model.eks("InvalidParameterException", "Each zone in which the cluster was created must have a subnet.")
        if get(op.inputs, "kubernetesNetworkConfig.ipFamily") == "ipv6" and not all(subnet.get("ipv6CidrBlock") for subnet in after):
            raise aws_model.eks("InvalidParameterException", "The subnets of an IPv6 cluster must have IPv6 ranges.")
        if get(op.inputs, SYNC) and get(op.inputs, "controlPlaneScalingConfig.tier") in (None, "standard"):
            raise aws_model.eks("InvalidParameterException", "horizontalPodAutoscalerSyncPeriod requires a provisioned control plane.")
        ports = get(op.inputs, "kubeApiServerConfig.serviceNodePortRange") or {}
        if ports.get("minPort", 0) > ports.get("maxPort", 65535):
            raise aws_model.eks("InvalidParameterException", "minPort must not be greater than maxPort.")
        super().put_Cluster(c, op)
        name = f"/aws/eks/{op.inputs['name']}/cluster"
        group = {"type": GROUP, "urn": "", "inputs": {"name": name}, "outputs": {"name": name, "region": self.region, "retentionInDays": 0}}
        c["objects"].setdefault(f"{GROUP}|{name}", group)

    def put_RolePolicy(self, _, op):  # noqa: N802  # named by the simulated clouds
        for one in json.loads(op.inputs["policy"])["Statement"]:
            if not all(one.keys() & pair for pair in ({"Effect"}, {"Action", "NotAction"}, {"Resource", "NotResource"})):
                raise aws_model.Refused("operation error IAM: PutRolePolicy, MalformedPolicyDocument: Policy statement must contain its elements.")

    def put_Key(self, _, op):  # noqa: N802  # named by the simulated clouds
        for name, low, high in (("rotationPeriodInDays", 90, 2560), ("deletionWindowInDays", 7, 30)):
            if not low <= op.inputs.get(name, low) <= high:
                raise aws_model.Refused(f"operation error KMS: ValidationException: {name} must be from {low} to {high}")

    def put_PodIdentityAssociation(self, _, op):  # noqa: N802  # named by the simulated clouds
        if op.inputs.get("policy") and not op.inputs.get("disableSessionTags"):
            raise aws_model.eks("InvalidParameterException", "A policy requires that disableSessionTags is true.")

    def put_IdentityProviderConfig(self, c, op):  # noqa: N802  # named by the simulated clouds
        oidc = op.inputs["oidc"]
        others = [one for one in c["objects"].values() if one["type"] == op.type and one["inputs"]["clusterName"] == op.inputs["clusterName"]]
        for wrong, what in (
            (op.kind == "create" and others, "The cluster has an identity provider already."),
            (not oidc["issuerUrl"].startswith("https://"), "The URL of the issuer must begin with https://."),
            (any("system:" in oidc.get(prefix, "") for prefix in ("usernamePrefix", "groupsPrefix")), "A prefix cannot contain system:."),
        ):
            if wrong:
                raise aws_model.eks("InvalidParameterException", what)

    def put_LogGroup(self, c, op):  # noqa: N802  # named by the simulated clouds
        if op.kind == "create" and f"{op.type}|{op.inputs['name']}" in c["objects"]:
            raise aws_model.Refused("operation error CloudWatch Logs: CreateLogGroup, ResourceAlreadyExistsException: The log group already exists")

    def outputs(self, c, op, old):
        made = super().outputs(c, op, old)
        if op.type == "aws:ec2/vpc:Vpc" and op.inputs.get("assignGeneratedIpv6CidrBlock"):
            return {**made, "ipv6CidrBlock": "2001:db8:1234:1a00::/56"}
        return {"upgradePolicy": {"supportType": "EXTENDED"}, **made} if op.type == "aws:eks/cluster:Cluster" else made


class Packages(Provider):
    """A provider that is also the packages that it gets parameters for: `provider_parameterize.go` of pulumi-azure-native."""

    versions = ("v20251001", "v20260101", "v20260201", "v20260301", "v20260401", "v20260501")

    def Parameterize(self, request, context):  # noqa: N802  # the name in the protocol
        parameter = json.loads(b64decode(request.value.value))
        if parameter["module"] != "containerservice" or parameter["version"] not in self.versions:
            context.abort(grpc.StatusCode.INTERNAL, f"failed to create parameterized schema: {parameter}")
        name = f"{self.name}_{parameter['module']}_{parameter['version']}"
        if (request.value.name, request.value.version) != (name, self.version):
            context.abort(grpc.StatusCode.INTERNAL, f"the package is {name} {self.version}")
        return provider_pb2.ParameterizeResponse(name=name, version=self.version)

    def op(self, kind, r, **values):
        made = super().op(kind, r, **values)
        made.type = re.sub(r"^azure-native_containerservice_v\d+:", "azure-native:", made.type)
        return made


def _subnets(c, cluster):
    return [c["objects"][f"aws:ec2/subnet:Subnet|{id_}"]["inputs"] for id_ in get(cluster, "vpcConfig.subnetIds") or []]


def main() -> None:
    azure_model.Cloud, aws_model.Cloud = Azure, Aws
    azure_model.NAME.update(EXTENSIONS)
    aws_model.FORCE_NEW["IdentityProviderConfig"] = "clusterName oidc"
    for kind in ("ResourceGroup", "VirtualNetwork", "UserAssignedIdentity", "PublicIPAddress", *COLLECTING):
        azure_model.FORCE_NEW.setdefault(kind, set()).add("location")
    for kind in EXTENSIONS:
        azure_model.FORCE_NEW.setdefault(kind, set()).add(EXTENDED)
    server = grpc.server(futures.ThreadPoolExecutor(max_workers=64))
    provider_pb2_grpc.add_ResourceProviderServicer_to_server(Packages(NAME, *ENGINE[:1] or [None]), server)
    print(server.add_insecure_port("127.0.0.1:0"), flush=True)  # noqa: T201  # Pulumi reads the port
    server.start()
    server.wait_for_termination()


main()
