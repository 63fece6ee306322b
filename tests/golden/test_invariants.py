"""What holds in the plan of every stack, whatever is stored: no rewriting of goldens changes it."""

import json
import re

import pytest

from nodepools.loading import load

pytestmark = pytest.mark.program

IN_CLUSTER = ("NodePool", "NodeClass", "AKSNodeClass", "DaemonSet")
GUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-")


@pytest.fixture(scope="session")
def platform(plan, project):
    return load(plan.stack, project)


def test_every_cluster_is_one_component_of_the_stack(plan, platform):
    components = {resource.name for resource in plan if resource.kind in ("AksCluster", "EksCluster")}
    assert components == {platform.stem(key) for key in platform.clusters}


def test_everything_belongs_to_the_component_of_a_cluster(plan):
    strays = [str(resource) for resource in plan if plan.component(resource).kind not in ("AksCluster", "EksCluster")]
    assert strays == []


def test_every_name_begins_with_the_stem(plan):
    for resource in plan:
        stem = plan.component(resource).name
        assert resource.name == stem or resource.name.startswith(f"{stem}-"), str(resource)


def test_nothing_is_a_child_of_a_custom_resource(plan):
    parents = {plan.by_urn[resource.parent].type.split(":")[0] for resource in plan if resource.parent in plan.by_urn}
    assert parents == {"nodepools"}


def test_kubeconfigs_are_secret_wherever_they_stand(plan):
    providers = plan.of_kind("kubernetes")
    assert all(provider.inputs["kubeconfig"] == {"$secret": True} for provider in providers)
    outputs = plan.json["outputs"]
    assert {name for name, value in outputs.items() if value == {"$secret": True}} == {f"kubeconfig-{key}" for key in outputs["clusters"]}
    assert "$secret" not in json.dumps(outputs["clusters"])
    assert "client-certificate" not in json.dumps(plan.json)


def test_every_kubernetes_provider_knows_which_cluster_it_is(plan):
    assert all(provider.inputs.get("clusterIdentifier") for provider in plan.of_kind("kubernetes"))


def test_in_cluster_objects_use_the_provider_of_their_own_cluster(plan):
    for kind in IN_CLUSTER:
        for resource in plan.of_kind(kind):
            provider = plan.by_urn[resource.options["provider"]]
            assert plan.component(provider) is plan.component(resource), str(resource)


def test_agent_pools_depend_on_their_cluster_and_on_each_other_in_one_order(plan):
    for pools in plan.by_component("AgentPool").values():
        edges = sorted(len(plan.direct(pool, "AgentPool")) for pool in pools)
        assert edges == list(range(len(pools))), "each depends on all before it"
        assert all(plan.direct(pool, "ManagedCluster") for pool in pools)


def test_no_pool_operation_of_a_cluster_runs_beside_another(plan):
    for pools in plan.by_component("AgentPool").values():
        for one in pools:
            for other in pools:
                assert one is other or other.urn in one.dependencies or one.urn in other.dependencies


def test_the_count_of_a_pool_is_ignored_exactly_where_it_is_autoscaled(plan):
    for pool in plan.of_kind("AgentPool"):
        assert (pool.options.get("ignoreChanges") == ["count"]) is (pool.inputs.get("enableAutoScaling") is True), str(pool)
        assert "count" in pool.inputs


def test_pools_say_type_and_size_and_never_leave_them_to_a_default(plan):
    inline = [profile for cluster in plan.of_kind("ManagedCluster") for profile in cluster.inputs["agentPoolProfiles"]]
    for pool in [*(pool.inputs for pool in plan.of_kind("AgentPool")), *inline]:
        assert pool["type"] == "VirtualMachineScaleSets"
        assert pool["vmSize"]


def test_there_is_one_inline_pool_and_it_is_the_isolated_system_pool(plan):
    for cluster in plan.of_kind("ManagedCluster"):
        [profile] = cluster.inputs["agentPoolProfiles"]
        assert (profile["mode"], profile["nodeTaints"]) == ("System", ["CriticalAddonsOnly=true:NoSchedule"])


def test_every_agent_pool_carries_its_label_and_a_list_of_taints(plan):
    for pool in plan.of_kind("AgentPool"):
        assert pool.inputs["nodeLabels"]["nodepools/name"]
        assert isinstance(pool.inputs["nodeTaints"], list)


def test_spot_pools_carry_the_spot_label_and_taint(plan):
    spot = [pool for pool in plan.of_kind("AgentPool") if pool.inputs.get("scaleSetPriority") == "Spot"]
    assert spot
    for pool in spot:
        assert pool.inputs["nodeLabels"]["kubernetes.azure.com/scalesetpriority"] == "spot"
        assert "kubernetes.azure.com/scalesetpriority=spot:NoSchedule" in pool.inputs["nodeTaints"]


def test_gpu_pools_are_tainted(plan):
    for pool in plan.of_kind("AgentPool"):
        if pool.inputs["vmSize"].startswith("Standard_NC"):
            assert "sku=gpu:NoSchedule" in pool.inputs["nodeTaints"]


def test_agent_pool_names_are_what_azure_takes(plan):
    for pool in plan.of_kind("AgentPool"):
        assert re.fullmatch(r"[a-z][a-z0-9]{0,11}", pool.inputs["agentPoolName"])
        assert pool.name.endswith(pool.inputs["agentPoolName"]), "the name in Pulumi turns with the generation too"


def test_no_aks_cluster_has_local_accounts(plan):
    assert all(cluster.inputs["disableLocalAccounts"] is True for cluster in plan.of_kind("ManagedCluster"))


def test_an_aks_cluster_comes_after_the_role_of_its_identity_on_the_network(plan):
    for cluster in plan.of_kind("ManagedCluster"):
        [grant] = [one for one in plan.direct(cluster, "RoleAssignment") if one.name.endswith("-network")]
        assert grant.inputs["principalType"] == "ServicePrincipal"
        assert plan.of_kind("VirtualNetwork")
        assert any(plan.by_urn[urn].kind == "VirtualNetwork" for urn in plan.waits_for(grant) if urn in plan.by_urn)


def test_service_pod_and_network_ranges_do_not_meet(plan):
    from ipaddress import ip_network

    for cluster in plan.of_kind("ManagedCluster"):
        network = next(v for v in plan.of_kind("VirtualNetwork") if plan.component(v) is plan.component(cluster))
        profile = cluster.inputs["networkProfile"]
        ranges = [ip_network(text) for text in (*network.inputs["addressSpace"]["addressPrefixes"], profile["podCidr"], profile["serviceCidr"])]
        assert not any(a.overlaps(b) for i, a in enumerate(ranges) for b in ranges[i + 1 :])


def test_auto_mode_is_on_in_all_three_places_and_nothing_is_bootstrapped(plan):
    for cluster in plan.of_kind("Cluster"):
        switches = (
            cluster.inputs["computeConfig"]["enabled"],
            cluster.inputs["kubernetesNetworkConfig"]["elasticLoadBalancing"]["enabled"],
            cluster.inputs["storageConfig"]["blockStorage"]["enabled"],
        )
        assert switches == (True, True, True)
        assert cluster.inputs["bootstrapSelfManagedAddons"] is False
        assert cluster.inputs["accessConfig"]["authenticationMode"] == "API"


def test_an_eks_cluster_comes_after_the_policies_of_its_role(plan):
    for cluster in plan.of_kind("Cluster"):
        policies = {attachment.inputs["policyArn"].rpartition("/")[2] for attachment in plan.direct(cluster, "RolePolicyAttachment")}
        assert policies >= {f"AmazonEKS{part}Policy" for part in ("Cluster", "Compute", "BlockStorage", "LoadBalancing", "Networking")}


def test_a_node_class_depends_directly_on_what_its_nodes_need_to_go_away(plan):
    for made in plan.of_kind("NodeClass"):
        assert plan.direct(made, "RolePolicyAttachment"), "the policies of its node role"
        assert plan.direct(made, "Route"), "the routes to the NAT gateways"
        assert plan.direct(made, "NatGateway")
        assert plan.direct(made, "RouteTableAssociation")
        create_role = [
            entry for entry in plan.of_kind("AccessEntry") if entry.inputs.get("type") == "EC2" and plan.component(entry) is plan.component(made)
        ]
        assert bool(plan.direct(made, "AccessPolicyAssociation")) is bool(create_role)


def test_every_node_pool_depends_directly_on_its_class(plan):
    for pool in plan.of_kind("NodePool"):
        reference = pool.inputs["spec"]["template"]["spec"]["nodeClassRef"]
        classes = [c for c in plan.of_kind(reference["kind"]) if c.inputs["metadata"]["name"] == reference["name"]]
        if reference["name"] != "default":
            assert next(c.urn for c in classes if plan.component(c) is plan.component(pool)) in pool.dependencies


def test_in_cluster_objects_outlive_neither_cluster_nor_network(plan):
    for kind in IN_CLUSTER:
        for resource in plan.of_kind(kind):
            before = {plan.by_urn[urn].kind for urn in plan.waits_for(resource) if urn in plan.by_urn}
            assert before & {"ManagedCluster", "Cluster"}
            assert before & {"VirtualNetwork", "Vpc"}


def test_karpenter_objects_hold_text_and_are_awaited(plan):
    for pool in plan.of_kind("NodePool"):
        spec = pool.inputs["spec"]
        assert pool.inputs["metadata"]["annotations"]["pulumi.com/waitFor"] == "condition=Ready"
        assert spec["disruption"]["consolidateAfter"]
        assert all(isinstance(value, str) for requirement in spec["template"]["spec"]["requirements"] for value in requirement.get("values", []))
        assert all(isinstance(value, str) for value in spec.get("limits", {}).values())
        assert "deletedWith" not in pool.options


def test_regional_aws_resources_name_their_region(plan, platform):
    for resource in plan:
        if resource.type.startswith(("aws:ec2", "aws:eks")):
            key = plan.component(resource).name.removeprefix(f"{platform.name}-")
            assert resource.inputs["region"] == platform.clusters[key].region, str(resource)


def test_azure_and_aws_resources_that_take_tags_have_the_three(plan):
    for resource in plan:
        if resource.kind in ("ManagedCluster", "AgentPool", "Cluster", "Vpc", "VirtualNetwork", "Role", "ResourceGroup"):
            assert {"platform", "cluster", "environment"} <= set(resource.inputs["tags"]), str(resource)


def test_protect_is_on_all_that_holds_a_cluster_unless_it_is_declared_off(plan, platform):
    holding = {resource.urn for resource in plan if resource.kind in ("ManagedCluster", "ResourceGroup", "VirtualNetwork", "Cluster", "Vpc")}
    off = {platform.stem(key) for key in platform.clusters if not platform.cluster(key).is_protected}
    protected = {resource.urn for resource in plan if resource.options.get("protect")}
    assert protected == {urn for urn in holding if plan.component(plan.by_urn[urn]).name not in off}


def test_a_rendered_cluster_registers_nothing_inside(plan, platform):
    rendered = {platform.stem(key) for key, cluster in platform.clusters.items() if cluster.apply == "render"}
    inside = {plan.component(resource).name for resource in plan if resource.kind in (*IN_CLUSTER, "kubernetes")}
    assert not rendered & inside


def test_no_name_is_random(plan):
    assert not [str(resource) for resource in plan if GUID.search(resource.name)]
