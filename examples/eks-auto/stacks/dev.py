"""Built-in pools on, and a NodePool that uses their NodeClass `default`."""

from nodepools import ApiServer, AutoMode, EksClusterArgs, EksNetworkArgs, EksNodePool, Platform, keys

DEFAULT_POOL = EksNodePool(
    requirements=[
        keys.eks.capacity_type.one_of("spot", "on-demand"),
        keys.eks.instance_category.one_of("c", "m", "r"),
        keys.eks.instance_cpu.one_of(2, 4, 8),
        keys.eks.arch.one_of("amd64"),
    ],
    limits={"cpu": 200},
)

# Without `baseline="cis"`: the example is about NodePools. docs/security-baseline.md lists what production needs.
PLATFORM = Platform(
    name="dev",
    protect=False,  # an example to try and to destroy
    clusters={
        "auto": EksClusterArgs(
            region="us-east-1",
            kubernetes_version="1.35",
            network=EksNetworkArgs(cidr="10.40.0.0/16", nat="single"),
            api_server=ApiServer(authorized_ip_ranges=["203.0.113.0/24"]),
            auto_mode=AutoMode(built_in_node_pools=["general-purpose", "system"], node_pools={"default": DEFAULT_POOL}),
        ),
    },
)
