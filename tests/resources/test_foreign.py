"""Programs that do not use our components: what is wrong with them is found, in their words, and nothing else."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

import pytest

from nodepools.model.severity import Severity
from nodepools.resources.resource import UNKNOWN, Resource
from nodepools.resources.resource_checks import check_resource, check_stack
from tests.resources.foreign import agent_pool, eks_cluster, managed_cluster, node_class, node_pool, provider_of, resource, system

DAY = date(2026, 11, 21)
AKS = managed_cluster()
WEB = agent_pool("web")
EKS = eks_cluster()
ON_EKS = provider_of(EKS)
NAP = managed_cluster(
    nodeProvisioningProfile={"mode": "Auto"},
    networkProfile={"networkPlugin": "azure", "networkPluginMode": "overlay", "networkDataplane": "azure"},
)
WINDOW = resource(
    "azure-native:containerservice:MaintenanceConfiguration",
    "images",
    {
        "resourceGroupName": "rg",
        "resourceName": "shop",
        "configName": "aksManagedNodeOSUpgradeSchedule",
        "maintenanceWindow": {"schedule": {"weekly": {"dayOfWeek": "Sunday", "intervalWeeks": 1}}, "durationHours": 4, "startTime": "02:00"},
    },
)
ON_AKS = provider_of(NAP)


def azure(name, **spec):
    limits = {"limits": {"cpu": "100"}, "expireAfter": "720h", "disruption": {"consolidateAfter": "1m"}}
    return node_pool(name, "karpenter.azure.com", provider=ON_AKS, **{**limits, **spec})


def aws(name, **spec):
    return node_pool(name, "eks.amazonaws.com", provider=ON_EKS, **{"disruption": {"consolidateAfter": "1m"}, **spec})


GATEWAY = {"networkPlugin": "azure", "networkPluginMode": "overlay", "outboundType": "managedNATGateway"}


def aks_class(name, **spec):
    manifest = {"apiVersion": "karpenter.azure.com/v1beta1", "kind": "AKSNodeClass", "metadata": {"name": name}, "spec": spec}
    return resource("kubernetes:karpenter.azure.com/v1beta1:AKSNodeClass", name, manifest, provider=ON_AKS)


VNET = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/v"
_MISSPELT = {("PLT051", "shop", "location"), ("AKS141", "web", "vmSize")}
NODE = "arn:aws:iam::111122223333:role/node"


def entered(cluster, *policies):
    entry = resource("aws:eks/accessEntry:AccessEntry", f"{cluster}-entry", {"clusterName": cluster, "principalArn": NODE, "type": "EC2"})
    given = {"clusterName": cluster, "principalArn": NODE, "accessScope": {"type": "cluster"}}
    token = "aws:eks/accessPolicyAssociation:AccessPolicyAssociation"  # noqa: S105  # a type
    arns = (f"arn:aws:eks::aws:cluster-access-policy/{policy}" for policy in policies)
    return [entry, *(resource(token, f"{cluster}-policy", {**given, "policyArn": arn}, entry) for arn in arns)]


def nameless(name, one):
    return replace(one, name=name, inputs={**one.inputs, "metadata": {}})


def found(resources: Sequence[Resource]) -> set[tuple[str, str, str]]:
    """Errors and warnings: the code, the name of the resource, the path in it."""
    return {
        (one.finding.code, one.urn.rpartition("::")[2], one.finding.path)
        for one in check_stack(resources, today=DAY)
        if one.finding.severity is not Severity.NOTE
    }


V1 = "azure-native:containerservice/v20240901"
V2 = "azure-native_containerservice_v20250101:containerservice"

PROGRAMS = [
    ("a sound AKS cluster with a pool beside it", [AKS, WEB], set()),
    ("a sound EKS cluster in Auto Mode", [EKS, ON_EKS, aws("web")], set()),
    ("a sound cluster with node auto provisioning", [NAP, WEB, WINDOW, ON_AKS, azure("web")], set()),
    ("a classic EKS cluster, which has no Auto Mode", [resource("aws:eks/cluster:Cluster", "c", {"version": "1.36", "vpcConfig": {}})], set()),
    (
        "one that is older than EKS has",
        [resource("aws:eks/cluster:Cluster", "c", {"version": "1.27", "vpcConfig": {}})],
        {("EKS001", "c", "version")},
    ),
    ("sizes and regions that are not known", [managed_cluster(location="westeuropa"), agent_pool("web", vmSize="Standard_D4ds_v55")], _MISSPELT),
    (
        "what is no matter of ours",
        [resource("azure-native:storage:StorageAccount", "a", {"sku": 1}), resource("aws:eks/nodeGroup:NodeGroup", "b", {"count": "x"})],
        set(),
    ),
    (
        "one system node, and no pool for applications",
        [managed_cluster(agentPoolProfiles=[system(count=1)])],
        {("AKS013", "shop", "agentPoolProfiles[0]"), ("PLT001", "shop", "")},
    ),
    (
        "node images that AKS rejects, and one that retires",
        [
            managed_cluster(windowsProfile={"adminUsername": "azureuser"}, networkProfile={"networkPlugin": "azure", "networkPluginMode": "overlay"}),
            WEB,
            agent_pool("secret", vmSize="Standard_DC4as_v5", enableFIPS=True),
            agent_pool("intel", vmSize="Standard_DC4es_v5"),
            agent_pool("flat", osSKU="flatcar"),
            agent_pool("odd", osSKU="Debian"),
            agent_pool("noble", osSKU="Ubuntu2404"),
            agent_pool("jammy", osSKU="Ubuntu2204", orchestratorVersion="1.35"),
            agent_pool("crossed", osSKU="Windows2022"),
            agent_pool("win", osType="Windows", nodeTaints=["os=windows:NoSchedule"], osSKU="Ubuntu"),
            agent_pool("annual", osType="Windows", nodeTaints=["os=windows:NoSchedule"], osSKU="WindowsAnnual"),
            agent_pool("later", osType="Windows", nodeTaints=["os=windows:NoSchedule"], osSKU="Windows2028"),
            agent_pool("gpu", vmSize="Standard_NC4as_T4_v3", nodeTaints=["sku=gpu:NoSchedule"], tags={"SkipGPUDriverInstall": "true"}),
        ],
        {
            ("AKS150", "secret", "enableFIPS"),
            ("AKS387", "secret", "enableFIPS"),
            ("AKS151", "intel", "vmSize"),
            ("AKS160", "flat", "osSKU"),
            ("AKS152", "odd", "osSKU"),
            ("AKS103", "jammy", "osSKU"),
            ("AKS154", "crossed", "osSKU"),
            ("CFG005", "win", "osSKU"),
            ("CFG005", "annual", "osSKU"),
            ("AKS164", "gpu", "tags.SkipGPUDriverInstall"),
        },
    ),
    (
        "networks that retire: kubenet, the Basic load balancer, and Azure's network policies",
        [
            managed_cluster("old", networkProfile={"networkPlugin": "kubenet", "loadBalancerSku": "basic"}),
            agent_pool("one", resourceName="old"),
            managed_cluster("npm", networkProfile={"networkPlugin": "azure", "networkPluginMode": "overlay", "networkPolicy": "azure"}),
            agent_pool("two", resourceName="npm"),
        ],
        {
            ("AKS166", "old", "networkProfile.networkPlugin"),
            ("AKS167", "old", "networkProfile.loadBalancerSku"),
            ("AKS165", "npm", "networkProfile.networkPolicy"),
        },
    ),
    (
        "a pool inside the cluster, tainted as system pools cannot be",
        [managed_cluster(agentPoolProfiles=[system(), system(name="more", nodeTaints=["a=b:NoSchedule", "x=y:NoSchedule"])]), WEB],
        {("AKS014", "shop", "agentPoolProfiles[1].nodeTaints[0]"), ("AKS014", "shop", "agentPoolProfiles[1].nodeTaints[1]")},
    ),
    (
        "pools of another version of the API, newer than the cluster",
        [
            managed_cluster(token=f"{V1}:ManagedCluster", kubernetesVersion="1.35"),
            agent_pool("web", token=f"{V1}:AgentPool", orchestratorVersion="1.36"),
            agent_pool("api", token=f"{V2}:AgentPool", scaleSetPriority="Spot", spotMaxPrice=0),
        ],
        {
            ("AKS060", "web", "orchestratorVersion"),
            ("AKS016", "api", "spotMaxPrice"),
            ("AKS017", "api", "scaleSetPriority"),
        },
    ),
    (
        "a version of the pool inside the cluster, while another pool is a resource of its own",
        [managed_cluster(agentPoolProfiles=[system(orchestratorVersion="1.36")]), WEB],
        {("AKS120", "shop", "agentPoolProfiles[0].orchestratorVersion")},
    ),
    (
        "versions of pools that are all inside the cluster",
        [
            managed_cluster(
                agentPoolProfiles=[system(orchestratorVersion="1.36"), system(name="web", mode="User", nodeTaints=[], orchestratorVersion="1.36")]
            )
        ],
        set(),
    ),
    (
        "an autoscaled system pool, whose changes the program may ignore",
        [managed_cluster(agentPoolProfiles=[system(enableAutoScaling=True, minCount=3, maxCount=5)]), WEB],
        set(),
    ),
    (
        "a pool that Azure refuses for its shape alone",
        [AKS, WEB, agent_pool("Web_Pool", count=5000, nodeTaints=["team"], maxPods=5)],
        {
            ("CFG006", "Web_Pool", "agentPoolName"),
            ("CFG007", "Web_Pool", "count"),
            ("CFG009", "Web_Pool", "nodeTaints[0]"),
            ("CFG007", "Web_Pool", "maxPods"),
        },
    ),
    (
        "words in another case, which Azure ignores",
        [
            managed_cluster(
                agentPoolProfiles=[system(mode="system", osType="linux", count=0)],
                sku={"name": "base", "tier": "free"},
                supportPlan="akslongtermsupport",
                networkProfile={"networkPlugin": "Azure", "networkPluginMode": "Overlay", "networkDataplane": "Cilium", "networkPolicy": "CALICO"},
            ),
            WEB,
            agent_pool("spot", scaleSetPriority="spot", upgradeSettings={"maxSurge": "1"}),
            agent_pool("windows", osType="windows", nodeTaints=["os=windows:NoSchedule"]),
            agent_pool("disk", mode="user", osDiskType="ephemeral", scaleDownMode="deallocate"),
        ],
        {
            ("AKS012", "shop", "agentPoolProfiles[0].count"),
            ("AKS045", "shop", "networkProfile.networkPolicy"),
            ("AKS064", "shop", "supportPlan"),
            ("AKS017", "spot", "scaleSetPriority"),
            ("AKS019", "spot", "upgradeSettings.maxSurge"),
            ("AKS006", "windows", "agentPoolName"),
            ("AKS098", "windows", ""),
            ("AKS029", "disk", "scaleDownMode"),
            ("AKS177", "disk", "osDiskType"),
        },
    ),
    (
        "Automatic in another case, where AKS decides every omitted field",
        [managed_cluster(sku={"name": "automatic"}, agentPoolProfiles=[], aadProfile=None)],
        set(),
    ),
    (
        "pools that no declaration can have",
        [
            managed_cluster(
                agentPoolProfiles=[system(name="win", osType="Windows"), system(name="spot", scaleSetPriority="Spot"), system(), system()]
            ),
            WEB,
            agent_pool("agentpool"),
            agent_pool("free", enableAutoScaling=True),
            agent_pool("open", enableAutoScaling="true", minCount="1"),
            agent_pool("fixed", minCount=1, maxCount=3),
            agent_pool("off", enableAutoScaling=False, maxCount=3),
            agent_pool("sound", enableAutoScaling=True, minCount=UNKNOWN, maxCount=3),
            agent_pool("later", enableAutoScaling=UNKNOWN, minCount=1, maxCount=3),
            agent_pool("disk", osDiskSizeGB=4096, maxPods="251"),
        ],
        {
            ("CFG005", "shop", "agentPoolProfiles[0].osType"),
            ("CFG005", "shop", "agentPoolProfiles[1].scaleSetPriority"),
            ("CFG015", "shop", "agentPoolProfiles[3].name"),
            ("CFG015", "agentpool", "agentPoolName"),
            ("CFG001", "free", "enableAutoScaling"),
            ("CFG001", "open", "enableAutoScaling"),
            ("CFG001", "fixed", "minCount"),
            ("CFG001", "off", "maxCount"),
            ("CFG007", "disk", "osDiskSizeGB"),
            ("CFG007", "disk", "maxPods"),
        },
    ),
    (
        "no system pool in the cluster: it can be updated, but not created",
        [managed_cluster(agentPoolProfiles=[system(mode="user")]), agent_pool("late", mode="System")],
        {("CFG008", "shop", "agentPoolProfiles")},
    ),
    (
        "a switch of Auto Mode as text, which the provider converts",
        [eks_cluster(computeConfig={"enabled": "true", "nodePools": ["general-purpose"], "nodeRoleArn": NODE})],
        set(),
    ),
    (
        "a switch that is off as text",
        [eks_cluster(storageConfig={"blockStorage": {"enabled": "false"}})],
        {("EKS013", "shop", "storageConfig.blockStorage.enabled")},
    ),
    (
        "names of clusters that EKS rejects",
        [eks_cluster("x" * 101), eks_cluster("-a")],
        {("CFG006", "x" * 101, "name"), ("CFG006", "-a", "name")},
    ),
    (
        "GPUs without a taint, and Windows without an administrator",
        [
            AKS,
            WEB,
            agent_pool("gpu", vmSize="Standard_NC24ads_A100_v4"),
            agent_pool("win", osType="Windows", osSKU="Windows2022"),
        ],
        {("AKS082", "gpu", "nodeTaints"), ("AKS146", "win", "nodeTaints")},
    ),
    (
        "Windows with a taint",
        [AKS, WEB, agent_pool("win", osType="Windows", osSKU="Windows2022", nodeTaints=["os=windows:NoSchedule"])],
        set(),
    ),
    (
        "network ranges that meet, and Calico on Cilium",
        [
            managed_cluster(
                networkProfile={
                    "networkPlugin": "azure",
                    "networkPluginMode": "overlay",
                    "networkDataplane": "cilium",
                    "networkPolicy": "calico",
                    "podCidr": "10.1.0.0/16",
                    "serviceCidr": "10.1.128.0/20",
                }
            ),
            WEB,
        ],
        {("AKS040", "shop", "networkProfile.serviceCidr"), ("AKS045", "shop", "networkProfile.networkPolicy")},
    ),
    (
        "a private zone of a public API server, and the tier without an uptime guarantee",
        [
            managed_cluster(apiServerAccessProfile={"privateDNSZone": "system", "authorizedIPRanges": ["10.0.0.0/8"]}, sku={"name": "Base"}),
            agent_pool("web", enableAutoScaling=True, minCount=1, maxCount=20),
        ],
        {("AKS055", "shop", "apiServerAccessProfile.privateDNSZone"), ("AKS078", "shop", "sku.tier")},
    ),
    (
        "no Entra ID",
        [managed_cluster(aadProfile=None), WEB],
        {("AKS062", "shop", "aadProfile.managed")},
    ),
    (
        "node auto provisioning beside the autoscaler, without a window, with a pool of kubelet's own labels",
        [
            NAP,
            agent_pool("web", enableAutoScaling=True, minCount=1, maxCount=3),
            ON_AKS,
            azure("web", labels={"agentpool": "x"}, requirements=[]),
        ],
        {
            ("NAP001", "web", "enableAutoScaling"),
            ("NAP012", "shop", "nodeProvisioningProfile.mode"),
            ("NAP007", "web", "spec.template.metadata.labels.agentpool"),
            ("KAR045", "web", "spec.template.spec.requirements"),
            ("KAR046", "web", "spec.template.spec.requirements"),
        },
    ),
    (
        "two of three switches of Auto Mode, and CONFIG_MAP",
        [eks_cluster(storageConfig=None, accessConfig={"authenticationMode": "CONFIG_MAP"})],
        {("EKS013", "shop", "storageConfig.blockStorage.enabled"), ("EKS014", "shop", "accessConfig.authenticationMode")},
    ),
    (
        "Auto Mode with EKS's own add-ons, one subnet, and a role without pools",
        [
            eks_cluster(
                bootstrapSelfManagedAddons=None,
                vpcConfig={"subnetIds": ["subnet-1"], "endpointPublicAccess": False, "publicAccessCidrs": ["203.0.113.0/24"]},
                computeConfig={"enabled": True, "nodeRoleArn": UNKNOWN},
            )
        ],
        {
            ("EKS014", "shop", "bootstrapSelfManagedAddons"),
            ("EKS008", "shop", "vpcConfig.subnetIds"),
            ("PLT012", "shop", "vpcConfig.publicAccessCidrs"),
            ("EKS092", "shop", "computeConfig.nodePools"),
        },
    ),
    (
        "raw NodePools: a misspelt field, a class that is not there, zones of another region, an age that EKS refuses",
        [
            EKS,
            ON_EKS,
            node_class("own", provider=ON_EKS),
            aws("web", node_class="wrong", disruption={"consolidateAfter": "1m", "consolidationPolicy": "WhenEmty"}, wieght=5),
            aws("zone", requirements=[{"key": "topology.kubernetes.io/zone", "operator": "In", "values": ["eu-west-1a"]}], expireAfter="Never"),
        ],
        {
            ("CFG002", "web", "spec.wieght"),
            ("CFG005", "web", "spec.disruption.consolidationPolicy"),
            ("EKS042", "web", "spec.template.spec.nodeClassRef.name"),
            ("EKS049", "zone", "spec.template.spec.requirements[0].values"),
            ("EKS044", "zone", "spec.template.spec.expireAfter"),
            ("KAR045", "zone", "spec.template.spec.requirements"),
            ("KAR046", "zone", "spec.template.spec.requirements"),
        },
    ),
    (
        "nodes that enter one cluster with their policy, and another without",
        [
            EKS,
            eks_cluster("other"),
            *entered("shop", "AmazonEKSAutoNodePolicy"),
            *entered("other"),
            resource("aws:eks/accessEntry:AccessEntry", "again", {"clusterName": "other", "principalArn": NODE, "type": "STANDARD"}),
        ],
        {("EKS084", "other-entry", ""), ("EKS080", "again", "principalArn")},
    ),
    (
        "an entry and an add-on of a cluster of another program",
        [
            resource("aws:eks/accessEntry:AccessEntry", "entry", {"clusterName": "there", "principalArn": "alice"}),
            resource("aws:eks/addon:Addon", "add-on", {"clusterName": "there", "addonName": "vpc-cni"}),
        ],
        {("EKS081", "entry", "principalArn")},
    ),
    (
        "node auto provisioning with pod subnets, kubenet and a class that is not there",
        [
            managed_cluster(
                agentPoolProfiles=[system(vnetSubnetID=f"{VNET}/subnets/nodes", podSubnetID=f"{VNET}/subnets/pods")],
                nodeProvisioningProfile={"mode": "Auto"},
                networkProfile={"networkPlugin": "kubenet", "loadBalancerSku": "basic"},
            ),
            WEB,
            WINDOW,
            ON_AKS,
            aks_class("own"),
            azure("web", node_class="wrong"),
        ],
        {
            ("NAP010", "shop", "agentPoolProfiles[0].podSubnetID"),
            ("NAP016", "shop", "networkProfile.networkPlugin"),
            ("AKS167", "shop", "networkProfile.loadBalancerSku"),
            ("NAP006", "web", "spec.template.spec.nodeClassRef.name"),
        },
    ),
    (
        "a NAT gateway that AKS manages, in a network of one's own and in its own",
        [
            managed_cluster("own", agentPoolProfiles=[system(vnetSubnetID=f"{VNET}/subnets/nodes")], networkProfile=GATEWAY),
            agent_pool("one", resourceName="own"),
            managed_cluster("its", networkProfile=GATEWAY),
            agent_pool("two", resourceName="its"),
        ],
        {("AKS044", "own", "networkProfile.outboundType")},
    ),
    (
        "services in public addresses, and a class with a role and a profile",
        [
            eks_cluster(kubernetesNetworkConfig={"elasticLoadBalancing": {"enabled": True}, "serviceIpv4Cidr": "8.8.0.0/16"}),
            ON_EKS,
            node_class("own", provider=ON_EKS, instanceProfile="eks-nodes"),
        ],
        {("EKS003", "shop", "kubernetesNetworkConfig.serviceIpv4Cidr"), ("EKS021", "own", "spec.instanceProfile")},
    ),
    (
        "add-ons that Auto Mode brings, and one too old for it",
        [
            EKS,
            resource("aws:eks/addon:Addon", "cni", {"clusterName": "shop", "addonName": "vpc-cni"}),
            resource("aws:eks/addon:Addon", "old", {"clusterName": "shop", "addonName": "snapshot-controller", "addonVersion": "v8.0.0-eksbuild.1"}),
        ],
        {("EKS086", "cni", ""), ("EKS085", "old", "addonVersion")},
    ),
    (
        "NodePools of a class that is not known yet, of two clusters that nobody names, and by a general token",
        [
            node_pool("unknown", UNKNOWN, weight=500, disruption={"consolidateAfter": "1m"}),
            replace(node_pool("web", "eks.amazonaws.com", disruption={}), urn="urn:pulumi:dev::shop::kubernetes:karpenter.sh/v1:NodePool::first"),
            replace(node_pool("web", "eks.amazonaws.com", disruption={}), urn="urn:pulumi:dev::shop::kubernetes:karpenter.sh/v1:NodePool::second"),
            replace(node_pool("custom", "karpenter.azure.com", disruption={}), type="kubernetes:apiextensions.k8s.io:CustomResource"),
        ],
        {
            ("CFG007", "unknown", "spec.weight"),
            ("OBJ014", "first", "spec.disruption.consolidateAfter"),
            ("OBJ014", "second", "spec.disruption.consolidateAfter"),
            ("OBJ014", "custom", "spec.disruption.consolidateAfter"),
        },
    ),
    (
        "a NodePool without a class, with a group of a version, and without a name, which it gets later",
        [
            node_pool("none", "eks.amazonaws.com", provider=ON_EKS, node_class=""),
            node_pool("group", "eks.amazonaws.com/v1", disruption={"consolidateAfter": "1m"}),
            nameless("Nameless", node_pool("Nameless", "eks.amazonaws.com", disruption={"consolidateAfter": "1m"})),
        ],
        {
            ("CFG001", "none", "spec.template.spec.nodeClassRef.name"),
            ("CFG006", "group", "spec.template.spec.nodeClassRef.group"),
        },
    ),
    (
        "an object of a version that no cluster serves, and one of self-hosted Karpenter",
        [
            resource(
                "kubernetes:karpenter.sh/v1beta1:NodePool",
                "old",
                {"apiVersion": "karpenter.sh/v1beta1", "kind": "NodePool", "metadata": {"name": "old"}, "spec": {"template": {"spec": {}}}},
            ),
            node_pool("self", "karpenter.k8s.aws"),
        ],
        {("OBJ001", "old", "apiVersion")},
    ),
]


def test_of_two_add_ons_of_one_name_the_first_is_judged_by_it():
    two = [resource("aws:eks/addon:Addon", name, {"clusterName": "shop", "addonName": "vpc-cni"}) for name in ("first", "second")]
    assert found([EKS, *two]) == {("EKS086", "first", ""), ("CFG015", "second", "addonName")}


AZURE = "pulumi:providers:azure-native"
AMAZON = "pulumi:providers:aws"
SHOP, ONE_GROUP = (
    managed_cluster(),
    {"property_dependencies": {"resourceGroupName": ("urn:pulumi:dev::shop::azure-native:resources:ResourceGroup::rg",)}},
)


def second(one, *, options=None, provider=None, **inputs):
    """The resource of another name for the same thing in the cloud, unless inputs or a provider differ."""
    urn = f"{one.urn}-2"
    return replace(
        one,
        urn=urn,
        name=f"{one.name}-2",
        inputs={**one.inputs, **inputs},
        options=options if options is not None else {},
        provider=provider.urn if provider is not None else one.provider,
    )


def by(provider, one):
    return replace(one, provider=provider.urn)


EAST, EAST_AGAIN, WEST = (resource(AMAZON, name, {"region": f"us-{name[:4]}-1", "version": name}) for name in ("east", "east-again", "west"))
SUB, SUB_AGAIN, OTHER = (
    resource(AZURE, name, {"subscriptionId": "a" if name != "other" else "b", "version": name}) for name in ("sub", "sub-again", "other")
)
SECRET_ROLE = [resource(AMAZON, name, {"assumeRole": {"roleArn": UNKNOWN}}) for name in ("mine", "yours")]
NAMELESS = {name: value for name, value in SHOP.inputs.items() if name != "resourceName"}


@pytest.mark.parametrize(
    ("program", "severity"),
    [
        pytest.param([SHOP, second(SHOP)], "error", id="two clusters of a group"),
        pytest.param([SHOP, second(SHOP, resourceName="SHOP", resourceGroupName="RG")], "error", id="in any case"),
        pytest.param([SHOP, second(SHOP, resourceGroupName="other")], None, id="in two groups"),
        pytest.param([SHOP, second(SHOP, resourceName="other")], None, id="of two names"),
        pytest.param([replace(SHOP, inputs=NAMELESS), replace(second(SHOP), inputs=NAMELESS)], None, id="generated names"),
        pytest.param([SHOP, second(SHOP, options={"importId": "/subscriptions/s"})], "warning", id="one that is imported"),
        pytest.param(
            [replace(one, inputs={**one.inputs, "resourceGroupName": UNKNOWN}, **ONE_GROUP) for one in (SHOP, second(SHOP))],
            "warning",
            id="in a group whose name is not known yet",
        ),
        pytest.param(
            [replace(one, inputs={**one.inputs, "resourceGroupName": UNKNOWN}) for one in (SHOP, second(SHOP))],
            None,
            id="in groups that are not known",
        ),
        pytest.param([SUB, SUB_AGAIN, by(SUB, SHOP), second(SHOP, provider=SUB_AGAIN)], "error", id="by two providers of a subscription"),
        pytest.param([SUB, OTHER, by(SUB, SHOP), second(SHOP, provider=OTHER)], None, id="in two subscriptions"),
        pytest.param([SUB, SHOP, second(SHOP, provider=SUB)], None, id="in the subscription of the program, and in one that may be another"),
        pytest.param([EKS, second(EKS)], "error", id="two clusters of a region"),
        pytest.param([EKS, second(EKS, region="us-west-2")], None, id="in two regions"),
        pytest.param([EKS, second(EKS, name="SHOP")], None, id="names on EKS differ by case"),
        pytest.param([EAST, EAST_AGAIN, by(EAST, eks_cluster(region=None)), second(EKS, provider=EAST_AGAIN)], "error", id="regions of providers"),
        pytest.param([EAST, WEST, by(EAST, eks_cluster(region=None)), second(EKS, provider=WEST, region=None)], None, id="two of them"),
        pytest.param([*SECRET_ROLE, by(SECRET_ROLE[0], EKS), second(EKS, provider=SECRET_ROLE[1])], None, id="roles that are not known"),
        pytest.param([SHOP, WEB, second(WEB)], "error", id="agent pools"),
        pytest.param([WEB, second(WEB)], "error", id="agent pools of a cluster that is elsewhere"),
        pytest.param([SHOP, WINDOW, second(WINDOW)], "error", id="maintenance configurations"),
        pytest.param([eks_cluster(region=UNKNOWN), second(EKS, region=UNKNOWN)], None, id="regions that are not known"),
    ],
)
def test_two_resources_for_one_thing(program, severity):
    repeated = [one.finding for one in check_stack(program, today=DAY) if one.finding.code == "CFG015"]
    assert [one.severity.value for one in repeated] == [severity] * (severity is not None)


@pytest.mark.parametrize(
    ("resource_", "severity"),
    [
        (managed_cluster(apiServerAccessProfile={"enablePrivateCluster": True, "authorizedIPRanges": ["203.0.113.0/24"]}), Severity.ERROR),
        (eks_cluster(vpcConfig={"endpointPublicAccess": False, "publicAccessCidrs": ["203.0.113.0/24"]}), Severity.WARNING),
    ],
    ids=["AKS rejects them", "EKS ignores them"],
)
def test_ranges_of_a_private_server_are_sent(resource_, severity):
    """Our components do not send them."""
    assert [one.finding.severity for one in check_stack([resource_]) if one.finding.code == "PLT012"] == [severity]


def test_what_declarations_have_by_default_is_set_in_resources():
    """To remove what is not there changes nothing: the default of the cloud is another one."""
    [found] = [one.finding for one in check_stack([managed_cluster(aadProfile=None), WEB]) if one.finding.code == "AKS062"]
    assert found.fix.text.startswith("Set `aadProfile` to `{managed: true")
    assert {operation.op for operation in found.fix.operations} == {"set"}


def test_what_is_only_read_is_not_judged():
    existing = replace(managed_cluster(), inputs={}, options={"read": "/subscriptions/s/…/managedClusters/shop"})
    assert check_resource(existing, today=DAY) == []
    assert found([existing, agent_pool("web", existing, nodeLabels={"agentpool": "x"})]) == {("AKS025", "web", "nodeLabels.agentpool")}


def test_pools_whose_cluster_is_not_known_are_judged_alone_and_may_be_any_clusters():
    two = [managed_cluster("one"), managed_cluster("two")]
    pool = agent_pool("web", *two, resourceName=UNKNOWN, count=0)
    assert found([*two, pool]) == set()
    assert found(two) == {("PLT001", "one", ""), ("PLT001", "two", "")}


def test_pools_are_their_clusters_by_what_their_names_are_made_of():
    cluster = managed_cluster(kubernetesVersion="1.35")
    other = managed_cluster("other", agentPoolProfiles=[system(), system(name="web", mode="User", nodeTaints=[])])
    pool = agent_pool("web", cluster, other, resourceName=UNKNOWN, orchestratorVersion="1.36")
    known = replace(pool, property_dependencies={"resourceName": (cluster.urn,)})
    assert found([cluster, other, known]) == {("AKS060", "web", "orchestratorVersion")}


@pytest.mark.parametrize(("program", "expected"), [row[1:] for row in PROGRAMS], ids=[row[0] for row in PROGRAMS])
def test_what_is_found(program, expected):
    assert found(program) == expected


@pytest.mark.parametrize("program", [row[1] for row in PROGRAMS], ids=[row[0] for row in PROGRAMS])
def test_the_order_of_resources_does_not_matter(program):
    assert {code for code, _, _ in found(program[::-1])} == {code for code, _, _ in found(program)}  # of two alike the second is wrong


@pytest.mark.parametrize("program", [row[1] for row in PROGRAMS], ids=[row[0] for row in PROGRAMS])
def test_one_resource_alone_says_nothing_that_the_stack_does_not(program):
    alone = {
        (finding.code, one.urn.rpartition("::")[2], finding.path)
        for one in program
        for finding in check_resource(one, today=DAY)
        if finding.severity != "note"
    }
    assert alone <= found(program)


@pytest.mark.parametrize("program", [row[1] for row in PROGRAMS], ids=[row[0] for row in PROGRAMS])
def test_every_finding_is_told_in_words_of_the_resource(program):
    for one in check_stack(program, today=DAY):
        text = one.finding.fix.text if one.finding.fix is not None else ""
        assert not any(word in text for word in ("Autoscale(", "Taint(", "keys.", "overrides", "ApiServer", "_pool", "Weekly(", "the key")), text
