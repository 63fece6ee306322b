"""EKS clusters and access entries as people may declare them, for tests that hold for all."""

from hypothesis import strategies as st

from nodepools.model.eks.access import AccessEntry, AccessPolicy, AddOn, PodIdentity, PodRole
from nodepools.model.eks.cluster import EksClusterArgs, LogGroup
from nodepools.wire.eks.cluster import EksClusterContext

ROLE, NODES = "arn:aws:iam::111122223333:role/cluster", "arn:aws:iam::111122223333:role/nodes"
SUBNETS = ("subnet-1", "subnet-2")
AROUND = EksClusterContext("shop", ROLE, NODES, SUBNETS)

_words = st.sampled_from(["a", "b", "team/core"])
_arns = st.sampled_from([ROLE, NODES, "arn:aws:iam::111122223333:user/ada"])

clusters = st.builds(
    lambda said: EksClusterArgs.model_validate({"region": "us-east-1", "kubernetes_version": "1.36", **said}),
    st.fixed_dictionaries(
        {},
        optional={
            "auto_mode": st.sampled_from([{"built_in_node_pools": []}, {"built_in_node_pools": ["system"]}]),
            "name": st.sampled_from(["billing", "data_EU"]),
            "authentication_mode": st.sampled_from(["API", "API_AND_CONFIG_MAP"]),
            "security_group_ids": st.lists(st.sampled_from(["sg-1", "sg-2"]), unique=True),
            "service_cidr": st.sampled_from(["10.100.0.0/16", "172.20.0.0/16"]),
            "creator_is_admin": st.booleans(),
            "api_server": st.sampled_from([{"private": True}, {"authorized_ip_ranges": ["203.0.113.0/24"]}, {}]),
            "upgrade_policy": st.sampled_from(["STANDARD", "EXTENDED"]),
            "control_plane_tier": st.sampled_from(["standard", "tier-xl"]),
            "control_plane": st.fixed_dictionaries(
                {},
                optional={
                    "event_ttl": st.sampled_from(["1h", "30m"]),
                    "first_node_port": st.sampled_from([30000, 31000]),
                    "last_node_port": st.sampled_from([32000, 32767]),
                    "autoscaler_sync_period": st.sampled_from(["10s", "15s"]),
                    "terminated_pods": st.sampled_from([0, 500]),
                    "scoring": st.sampled_from(["LeastAllocated", "MostAllocated"]),
                    "scoring_weights": st.sampled_from([{"cpu": 2}, {"cpu": 1, "memory": 3}]),
                },
            ),
            "control_plane_egress": st.sampled_from(["AWS_MANAGED", "CUSTOMER_ROUTED"]),
            "zonal_shift": st.booleans(),
            "ip_family": st.sampled_from(["IPv4", "IPv6"]),
            "secrets_key": st.just("arn:aws:kms:us-east-1:111122223333:key/k"),
            "log_types": st.sampled_from([[], ["audit"], ["api", "scheduler"]]),
            "deletion_protection": st.booleans(),
            "tags": st.dictionaries(_words, _words),
        },
    ),
)
entries = st.builds(
    AccessEntry,
    principal=_arns,
    type=st.sampled_from(["STANDARD", "EC2"]),
    groups=st.lists(_words, unique=True),
    user_name=st.none() | _words,
)
policies = st.builds(AccessPolicy, name=st.sampled_from(["AmazonEKSViewPolicy", "AmazonEKSEditPolicy"]), namespaces=st.lists(_words, unique=True))
pod_identities = st.builds(PodIdentity, namespace=_words, service_account=_words, role=_arns, target_role=st.none() | _arns)
add_ons = st.builds(
    AddOn,
    version=st.none() | st.just("v1.19.0-eksbuild.1"),
    configuration=st.dictionaries(_words, st.integers() | _words | st.lists(_words)),
    role=st.none() | _arns,
    keep=st.booleans(),
    namespace=st.none() | st.just("monitoring"),
    pod_identity=st.dictionaries(_words, st.builds(PodRole, role=_arns)),
)
log_groups = st.builds(
    LogGroup, retention_days=st.sampled_from([0, 1, 90, 3653]), kms_key=st.none() | st.just("arn:aws:kms:eu-west-1:1:key/a"), keep=st.booleans()
)
