"""What the real engine does with our programs: the order of operations on a cloud that answers 409 as Azure does."""

import json
from pathlib import Path

AKS = """Platform(
    name="dev",
    protect=False,
    clusters={{
        "weu": AksClusterArgs(
            location="westeurope",
            kubernetes_version="{version}",
            network=AksNetworkArgs(cidr="10.10.0.0/16"),
            admins=[EntraPrincipal("00000000-0000-0000-0000-000000000001")],
            entra=Entra(deployer_is_admin=False),
            system_pool=SystemPool({system}),
            pools={{{pools}}},
        ),
    }},
)
"""
EKS = """Platform(
    name="dev",
    protect=False,
    clusters={
        "use1": EksClusterArgs(
            region="us-east-1",
            kubernetes_version="1.35",
            network=EksNetworkArgs(cidr="10.30.0.0/16", nat="single"),
            auto_mode=AutoMode(node_classes={"private": EksNodeClass()}, node_pools={"compute": EksNodePool(node_class="private")}),
        ),
    },
)
"""


def pool(key: str, size: str = "Standard_D4ds_v5") -> str:
    return f'"{key}": UserPool(vm_size="{size}", scale=Autoscale(1, 3)), '


def aks(*pools: str, system: str = 'vm_size="Standard_D4ds_v5", count=2', version: str = "1.35") -> str:
    return AKS.format(pools="".join(pools), system=system, version=version)


def test_agent_pools_are_made_changed_and_deleted_one_after_another(engine, pools):
    engine.declare(aks(pool("web"), pool("batch"), pool("data")))
    assert sorted(pools(engine.up())) == ["create batch", "create data", "create web"]
    assert engine.up() == []

    engine.declare(aks(pool("web", "Standard_D8ds_v5"), pool("batch", "Standard_D8ds_v5"), pool("data")))
    rotated = pools(engine.up())
    assert sorted(rotated[:2]) == ["create batch", "create web"]
    assert sorted(rotated[2:]) == ["delete batch", "delete web"]

    gone = [line.split()[1].rpartition(":")[2] for line in engine.destroy()]
    assert [kind for kind in gone if kind in ("AgentPool", "ManagedCluster")] == ["AgentPool"] * 3 + ["ManagedCluster"]


def test_the_first_system_pool_gives_way_and_no_pool_is_deleted(engine):
    after = 'vm_size="Standard_D8ds_v5", count=3'
    engine.declare(aks(f'"next": SystemPool({after}, retain=True)'))
    engine.up()
    name = json.loads(engine.run("stack", "output", "clusters", "--json", "--show-secrets").stdout)["weu"]["pools"]["next"]

    engine.declare(aks(system=f'{after}, name="{name}"'))
    assert engine.up() == ["update azure-native:containerservice:ManagedCluster dev-weu"]


def test_a_new_version_of_kubernetes_goes_to_the_cluster_and_then_to_its_pools(engine):
    engine.declare(aks(pool("web"), pool("batch"), version="1.34"))
    engine.up()
    engine.declare(aks(pool("web"), pool("batch"), version="1.35"))
    kinds = [line.rpartition(":")[2].split()[0] for line in engine.up()]
    assert kinds == ["ManagedCluster", "AgentPool", "AgentPool"]
    assert engine.up() == []
    assert engine.up() == []


def test_after_a_patch_by_azure_and_a_refresh_the_alias_is_sent_once_more_and_then_nothing(engine):
    engine.declare(aks(pool("web"), version="1.35"))
    engine.up()
    Path(engine.environment["SIMULATED_LOG"]).with_name("patched").write_text("1.35.7")
    assert engine.up() == [], "without a refresh nobody knows of the patch"
    assert engine.did("refresh", "--yes", "--skip-preview") == []
    kinds = [line.rpartition(":")[2].split()[0] for line in engine.up()]
    assert kinds == ["ManagedCluster", "AgentPool"]
    assert engine.up() == []


def test_auto_mode_goes_in_the_order_in_which_nothing_hangs(engine):
    engine.declare(EKS)
    made = [line.split()[1] for line in engine.up()]
    order = [
        "aws:iam/rolePolicyAttachment:RolePolicyAttachment",
        "aws:eks/cluster:Cluster",
        "aws:eks/accessEntry:AccessEntry",
        "aws:eks/accessPolicyAssociation:AccessPolicyAssociation",
        "kubernetes:eks.amazonaws.com/v1:NodeClass",
        "kubernetes:karpenter.sh/v1:NodePool",
    ]
    places = [made.index(kind) for kind in order]
    assert places == sorted(places)

    gone = [line.split()[1] for line in engine.destroy()]
    last = [max(place for place, kind in enumerate(gone) if kind == one) for one in reversed(order)]
    assert last == sorted(last)
    nodes_gone = gone.index("kubernetes:eks.amazonaws.com/v1:NodeClass")
    assert all(gone.index(kind) > nodes_gone for kind in ("aws:ec2/natGateway:NatGateway", "aws:ec2/route:Route"))
    assert gone.index("aws:ec2/natGateway:NatGateway") < gone.index("aws:ec2/eip:Eip")


def test_a_faulty_declaration_reaches_no_cloud(engine):
    engine.declare(aks('"web": UserPool(vm_size="Standard_D4ds_v5", scale=Autoscale(5, 1))'))
    refused = engine.run("preview")
    assert refused.returncode != 0
    assert "AKS010 error at clusters.weu.pools.web.scale.min: 5" in refused.stdout + refused.stderr
    assert "Traceback" not in refused.stdout + refused.stderr


def test_the_policy_pack_judges_a_program_of_somebody_else(engine, project):
    (engine.folder / "__main__.py").write_text(
        "import pulumi_kubernetes as k8s\n"
        "k8s.apiextensions.CustomResource('web', api_version='karpenter.sh/v1', kind='NodePool', spec={'weight': 500, 'template': {'spec': {\n"
        "    'nodeClassRef': {'group': 'eks.amazonaws.com', 'kind': 'NodeClass', 'name': 'default'}, 'requirements': []}}})\n"
    )
    judged = engine.run("preview", "--policy-pack", str(project / "policy"))
    assert judged.returncode != 0
    assert "path: spec.weight" in judged.stdout


def test_the_policy_pack_repairs_what_it_may_before_the_cloud_is_told(engine, project, tmp_path):
    (engine.folder / "__main__.py").write_text(
        "import pulumi_kubernetes as k8s\n"
        "k8s.apiextensions.CustomResource('web', api_version='karpenter.sh/v1', kind='NodePool', spec={'disruption': {}, 'template': {'spec': {\n"
        "    'nodeClassRef': {'group': 'eks.amazonaws.com', 'kind': 'NodeClass', 'name': 'default'}, 'requirements': []}}})\n"
    )
    settings = tmp_path / "policies.json"
    settings.write_text(json.dumps({"consolidate-after": {"enforcementLevel": "remediate", "after": "45s"}}))
    engine.did("up", "--yes", "--skip-preview", "--policy-pack", str(project / "policy"), "--policy-pack-config", str(settings))
    resources = json.loads(engine.run("stack", "export").stdout)["deployment"]["resources"]
    [pool] = [one for one in resources if one["type"].endswith(":NodePool")]
    assert pool["inputs"]["spec"]["disruption"] == {"consolidateAfter": "45s"}
