"""A Graviton pool, spot with an on-demand fallback, GPU pools, and a static pool of two nodes."""

from nodepools import ApiServer, AutoMode, EksClusterArgs, EksNetworkArgs, EksNodeClass, EksNodePool, Platform, keys

AMD64 = [keys.eks.arch.one_of("amd64"), keys.eks.instance_category.one_of("c", "m", "r"), keys.eks.instance_generation.more_than(4)]

# Without `baseline="cis"`: the example is about NodePools. docs/security-baseline.md lists what production needs.
PLATFORM = Platform(
    name="dev",
    protect=False,  # an example to try and to destroy
    clusters={
        "ml": EksClusterArgs(
            region="us-east-1",
            kubernetes_version="1.35",
            network=EksNetworkArgs(cidr="10.50.0.0/16", nat="single"),
            api_server=ApiServer(authorized_ip_ranges=["203.0.113.0/24"]),
            auto_mode=AutoMode(
                built_in_node_pools=["system"],
                node_classes={"big-disks": EksNodeClass(ephemeral_storage="300Gi", tags={"team": "ml"})},
                node_pools={
                    "arm": EksNodePool.arm64(limits={"cpu": 200}),
                    **EksNodePool.spot_first("web", requirements=AMD64, limits={"cpu": 200}),
                    "gpu": EksNodePool.gpu(gpus=["l4", "l40s"], node_class="big-disks", limits={"nvidia.com/gpu": 8}),
                    "neuron": EksNodePool.neuron(accelerators=["inferentia2"], node_class="big-disks", limits={"aws.amazon.com/neuron": 4}),
                    "steady": EksNodePool.static(replicas=2, requirements=[keys.eks.instance_type.one_of("m7i.large", "m7a.large")]),
                },
            ),
        ),
    },
)
