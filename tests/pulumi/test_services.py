"""What the real engine does with what clusters have beside pools: logs, network policies, a second IP family."""

from tests.pulumi.conftest import Engine

AKS = """Platform(
    name="dev",
    protect=False,
    clusters={{
        "weu": AksClusterArgs(
            location="westeurope",
            kubernetes_version="1.35",
            network=AksNetworkArgs(cidr="10.10.0.0/16"),
            admins=[EntraPrincipal("00000000-0000-0000-0000-000000000001")],
            entra=Entra(deployer_is_admin=False),
            system_pool=SystemPool(vm_size="Standard_D4ds_v5", count=2),
            {fields}
        ),
    }},
)
"""
EKS = """Platform(
    name="dev",
    protect=False,
    clusters={{
        "use1": EksClusterArgs(
            region="us-east-1",
            kubernetes_version="1.35",
            network=EksNetworkArgs(cidr="10.30.0.0/16", nat="single"),
            auto_mode=AutoMode(node_classes={{"private": EksNodeClass({fields})}}, node_pools={{"compute": EksNodePool(node_class="private")}}),
        ),
    }},
)
"""
WORKSPACE = 'log_analytics_workspace_id="/subscriptions/s/resourceGroups/m/providers/Microsoft.OperationalInsights/workspaces/w",'
RULE, ASSOCIATION = "DataCollectionRule", "DataCollectionRuleAssociation"


def kinds(done: list[str]) -> list[str]:
    return [line.split()[1].rpartition(":")[2] for line in done]


def test_logs_are_turned_on_moved_and_taken_away_in_their_order(engine: Engine) -> None:
    engine.declare(AKS.format(fields=""))
    engine.up()
    engine.declare(AKS.format(fields=WORKSPACE))
    made = engine.up()
    assert [kind for kind in kinds(made) if kind.startswith(RULE)] == [RULE, ASSOCIATION]
    assert engine.up() == []

    engine.declare(AKS.format(fields=f'{WORKSPACE} log_analytics_workspace_location="northeurope",'))
    moved = engine.up()
    assert [f"{line.split()[0]} {kind}" for line, kind in zip(moved, kinds(moved), strict=True)] == [
        f"create {RULE}",
        f"update {ASSOCIATION}",
        f"delete {RULE}",
    ]

    gone = kinds(engine.destroy())
    assert gone.index(ASSOCIATION) < gone.index(RULE)
    assert gone.index(ASSOCIATION) < gone.index("ManagedCluster")


def test_network_policies_are_switched_on_before_the_class_changes(engine: Engine) -> None:
    engine.declare(EKS.format(fields=""))
    assert "ConfigMapPatch" not in kinds(engine.up())
    engine.declare(EKS.format(fields='network_policy="DefaultDeny"'))
    assert kinds(engine.up()) == ["ConfigMapPatch", "NodeClass"]
    assert engine.up() == []
    assert "NodeClass" in kinds(engine.destroy())


def test_a_second_family_is_added_in_place(engine: Engine) -> None:
    engine.declare(AKS.format(fields=""))
    engine.up()
    engine.declare(AKS.format(fields='network_profile=NetworkProfile(ip_families=["IPv4", "IPv6"]),'))
    assert sorted(line.split()[0] for line in engine.up()) == ["update"] * 3
    assert engine.up() == []


SERVICES = """
            logs=ContainerLogs("/subscriptions/s/resourceGroups/m/providers/Microsoft.OperationalInsights/workspaces/w", syslog=Syslog()),
            metrics=ManagedPrometheus(label_keys={{"pods": ["app"]}}),
            audit=AuditLogs("/subscriptions/s/resourceGroups/m/providers/Microsoft.OperationalInsights/workspaces/w"),
            azure_policy=True, keda=True, vertical_pod_autoscaler=True, cost_analysis=True,
            key_vault_provider=KeyVaultProvider(vaults=["/subscriptions/s/resourceGroups/k/providers/Microsoft.KeyVault/vaults/v"]),
            image_cleaner=ImageCleaner(), storage=StorageDrivers(blob=True), istio=Istio(["asm-1-30"], ingress=["Internal"]),
            defender=Defender("/subscriptions/s/resourceGroups/m/providers/Microsoft.OperationalInsights/workspaces/w"),
            http_proxy=HttpProxy(http="http://proxy.example.com:3128", no_proxy=[".corp"]),
            trusted_certificates=["-----BEGIN CERTIFICATE-----\\nMII=\\n-----END CERTIFICATE-----\\n"],
            etcd_key=EtcdKey("https://v.vault.azure.net/keys/etcd/0123456789abcdef",
                             vault_id="/subscriptions/s/resourceGroups/k/providers/Microsoft.KeyVault/vaults/v"),
""".replace("{{", "{").replace("}}", "}")


def test_a_cluster_with_all_services_is_made_once_and_taken_away_in_order(engine: Engine) -> None:
    engine.declare(AKS.format(fields=SERVICES))
    made = kinds(engine.up())
    wanted = {"AzureMonitorWorkspace": 1, "DataCollectionEndpoint": 1, RULE: 2, ASSOCIATION: 2, "DiagnosticSetting": 1}
    assert {kind: made.count(kind) for kind in wanted} == wanted
    gone = kinds(engine.destroy())
    for kind in (ASSOCIATION, "DiagnosticSetting"):
        assert gone.index(kind) < gone.index("ManagedCluster")
    assert len(gone) == len(made)


ROOM = 'pools={{"web": UserPool(vm_size="Standard_D2ds_v5", scale=Autoscale(1, 5), headroom=Headroom({room}))}},'
SMALL = '2, {"cpu": "500m"}'
WITHOUT_ADMINS = AKS.replace('admins=[EntraPrincipal("00000000-0000-0000-0000-000000000001")],', "")
"""A new grant would take minutes to reach the API server."""


def test_headroom_is_made_after_its_pool_edited_and_deleted_before_it(engine: Engine) -> None:
    engine.declare(WITHOUT_ADMINS.format(fields=ROOM.format(room=SMALL)))
    made = kinds(engine.up())
    assert made.index("AgentPool") < made.index("Deployment")
    assert made.count("PriorityClass") == 1
    assert engine.up() == []

    engine.declare(WITHOUT_ADMINS.format(fields=ROOM.format(room='3, {"cpu": "500m"}')))
    assert [line.split()[0] for line in engine.up()] == ["update"]
    engine.declare(WITHOUT_ADMINS.format(fields=ROOM.format(room=f'{SMALL}, by="capacity-buffer"')))
    done = engine.up()
    assert {(line.split()[0], kind) for line, kind in zip(done, kinds(done), strict=True)} == {
        *(("create", kind) for kind in ("PodTemplate", "CapacityBuffer")),
        *(("delete", kind) for kind in ("Deployment", "PriorityClass")),
    }
    assert engine.up() == []
    engine.destroy()


def test_headroom_of_a_node_pool_is_deleted_before_it(engine: Engine) -> None:
    room = 'network_policy="DefaultDeny"'
    whole = EKS.format(fields=room)
    declared = whole.replace('EksNodePool(node_class="private")', f'EksNodePool(node_class="private", headroom=Headroom({SMALL}))')
    engine.declare(declared)
    made = kinds(engine.up())
    assert made.index("NodePool") < made.index("Deployment")
    assert engine.up() == []
    engine.declare(whole.replace(', node_pools={"compute": EksNodePool(node_class="private")}', ""))
    gone = kinds(engine.up())
    assert gone.index("Deployment") < gone.index("NodePool")
    engine.destroy()
