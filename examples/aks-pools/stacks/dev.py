"""All kinds of agent pools in one cluster, and pools for environments from a function."""

from collections.abc import Iterable

from nodepools import (
    AksClusterArgs,
    AksNetworkArgs,
    Autoscale,
    GpuPool,
    Platform,
    Spot,
    StackOutput,
    SystemPool,
    Taint,
    UpgradeSettings,
    UserPool,
    Weekly,
    WindowsPool,
)
from nodepools.aks import (
    AutoscalerProfile,
    DevicePlugin,
    MaintenanceConfigurations,
    MaintenanceWindow,
    NetworkProfile,
    RelativeMonthlySchedule,
    WindowsProfile,
)


def per_environment(environments: Iterable[str]) -> dict[str, UserPool]:
    """Returns a pool for each environment. A taint keeps other pods off, and a label selects the pool."""
    return {
        f"env-{name}": UserPool(
            vm_size="Standard_D2ds_v5",
            scale=Autoscale(0, 3),
            labels={"environment": name},
            taints=[Taint("environment", name, "NoSchedule")],
        )
        for name in environments
    }


# Without `baseline="cis"`: the example is about pools. docs/security-baseline.md lists what production needs.
PLATFORM = Platform(
    name="dev",
    protect=False,  # an example to try and to destroy
    clusters={
        "pools": AksClusterArgs(
            location="westeurope",
            kubernetes_version="1.35",
            network=AksNetworkArgs(cidr="10.40.0.0/16"),
            network_profile=NetworkProfile(dataplane="azure"),  # Cilium supports Linux nodes only
            system_pool=SystemPool(vm_size="Standard_D4ds_v5", count=3, zones=[1, 2, 3]),
            pools={
                "web": UserPool(
                    vm_size="Standard_D4ds_v5",
                    scale=Autoscale(2, 10),
                    os_disk_type="Ephemeral",
                    upgrade=UpgradeSettings(max_surge="33%", drain_timeout="30m", soak="5m"),
                ),
                "batch": UserPool(vm_size="Standard_D4ds_v5", scale=Autoscale(0, 20), spot=Spot()),
                "batch-fallback": UserPool(vm_size="Standard_D4ds_v5", scale=Autoscale(0, 5)),
                "train": GpuPool(vm_size="Standard_NC24ads_A100_v4", scale=Autoscale(0, 2), mig="MIG1g"),
                "win": WindowsPool(vm_size="Standard_D4ds_v5", scale=Autoscale(0, 3), os_sku="Windows2022"),
                **per_environment(["dev", "test", "qa"]),
            },
            device_plugin=DevicePlugin(mig_strategy="single"),
            windows_profile=WindowsProfile(admin_password=StackOutput("organization/secrets/dev", "windows_password")),
            autoscaler=AutoscalerProfile(expander="priority", priorities={50: ["batch"], 10: ["batch-fallback"]}),
            auto_upgrade="patch",
            node_os_upgrade="NodeImage",
            maintenance=Weekly(days="sat", start="02:00", hours=5, tz="Europe/Amsterdam"),  # releases and node images
            maintenance_configurations=MaintenanceConfigurations(  # AKS's own schedule: Kubernetes upgrades once a month
                upgrades=MaintenanceWindow(schedule=RelativeMonthlySchedule("First", "Sunday"), start_time="02:00"),
            ),
        ),
    },
)
