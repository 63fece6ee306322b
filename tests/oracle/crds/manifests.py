"""Objects with one thing changed in them: sound ones, and for each field values that are right and wrong."""

from copy import deepcopy
from typing import Any

from hypothesis import strategies as st

REQUIREMENTS = "spec.template.spec.requirements"


def node_pool(group: str, kind: str) -> dict[str, Any]:
    requirements = [
        {"key": "karpenter.sh/capacity-type", "operator": "In", "values": ["on-demand", "spot"]},
        {"key": "kubernetes.io/arch", "operator": "In", "values": ["amd64"]},
    ]
    nodes = {
        "nodeClassRef": {"group": group, "kind": kind, "name": "default"},
        "requirements": requirements,
        "taints": [{"key": "team", "value": "ml", "effect": "NoSchedule"}],
        "expireAfter": "300h",
        "terminationGracePeriod": "24h",
    }
    return {
        "apiVersion": "karpenter.sh/v1",
        "kind": "NodePool",
        "metadata": {"name": "general"},
        "spec": {
            "template": {"metadata": {"labels": {"team": "ml"}}, "spec": nodes},
            "disruption": {"consolidationPolicy": "WhenEmpty", "consolidateAfter": "1m", "budgets": [{"nodes": "10%"}]},
            "weight": 10,
            "limits": {"cpu": "1000"},
        },
    }


SOUND: dict[str, dict[str, Any]] = {
    "eks pool": node_pool("eks.amazonaws.com", "NodeClass"),
    "aks pool": node_pool("karpenter.azure.com", "AKSNodeClass"),
    "eks class": {
        "apiVersion": "eks.amazonaws.com/v1",
        "kind": "NodeClass",
        "metadata": {"name": "private"},
        "spec": {
            "role": "nodes",
            "subnetSelectorTerms": [{"tags": {"tier": "private"}}],
            "securityGroupSelectorTerms": [{"id": "sg-0123456789abcdef0"}],
            "ephemeralStorage": {"size": "100Gi"},
        },
    },
    "ec2 pool": node_pool("karpenter.k8s.aws", "EC2NodeClass"),
    "ec2 class": {
        "apiVersion": "karpenter.k8s.aws/v1",
        "kind": "EC2NodeClass",
        "metadata": {"name": "own"},
        "spec": {
            "role": "nodes",
            "amiSelectorTerms": [{"alias": "al2023@v20260801"}],
            "subnetSelectorTerms": [{"tags": {"tier": "private"}}],
            "securityGroupSelectorTerms": [{"id": "sg-0123456789abcdef0"}],
        },
    },
    "aks class": {
        "apiVersion": "karpenter.azure.com/v1beta1",
        "kind": "AKSNodeClass",
        "metadata": {"name": "ubuntu"},
        "spec": {"imageFamily": "Ubuntu2204", "osDiskSizeGB": 128, "kubelet": {"cpuManagerPolicy": "static"}, "linuxOSConfig": {"sysctls": {}}},
    },
}

WRONG_TYPES = [None, True, 3, "3", "", [], {}, ["x"], {"x": "y"}]
DURATIONS = ["0s", "1h", "90m", "1h30m", "1d", "Never", "never", "", "h", "1.5h", "300h", "-1h", "1h 30m"]
POOL_FIELDS: dict[str, list[Any]] = {
    "spec.weight": [0, 1, 50, 100, 101, -1, "10", 10.0, 1.5, True],
    "spec.replicas": [0, 3, -1, "3"],
    "spec.limits": [{}, {"cpu": 100}, {"cpu": "1.5"}, {"cpu": "x"}, {"memory": "16Gi"}, {"memory": "16GB"}, {"nvidia.com/gpu": 4}, {"cpu": ""}],
    "spec.wieght": [1],
    "spec.disruption": [{}, {"consolidateAfter": "0s"}, {"consolidationPolicy": "WhenEmpty"}, {"budgets": []}, []],
    "spec.disruption.consolidationPolicy": ["WhenEmpty", "WhenEmptyOrUnderutilized", "WhenUnderutilized", "WhenEmptyOrUnderUtilized", ""],
    "spec.disruption.consolidateAfter": [*DURATIONS, 5],
    "spec.disruption.budgets": [
        [],
        [{}],
        *([{"nodes": nodes}] for nodes in ("0", "5", "10%", "100%", "101%", "0%", "-1", "5.5", "x", "", 5)),
        [{"nodes": "0", "schedule": "0 9 * * mon-fri", "duration": "8h"}],
        [{"nodes": "0", "schedule": "0 9 * * mon-fri"}],
        [{"nodes": "0", "duration": "8h"}],
        *([{"nodes": "0", "schedule": "0 9 * * *", "duration": length}] for length in ("8h30m", "8h0m0s", "30s", "1d", "480m", "1h30", "0h")),
        [{"nodes": "0", "schedule": "@daily", "duration": "8h"}],
        [{"nodes": "0", "schedule": "@every 2h", "duration": "1h"}],
        [{"nodes": "0", "schedule": "9 *", "duration": "1h"}],
        [{"nodes": "0", "reasons": ["Drifted"]}],
        [{"nodes": "0", "reasons": ["Expired"]}],
        [{"nodes": "0", "reasons": ["Empty", "Empty"]}],
        [{"nodes": "1"}] * 51,
        ["10%"],
    ],
    "spec.template.spec.nodeClassRef": [{"kind": "NodeClass", "name": "x"}, {"group": "eks.amazonaws.com", "name": "x"}, "default"],
    "spec.template.spec.nodeClassRef.name": ["private", "", None],
    "spec.template.spec.expireAfter": [*DURATIONS, "480h", "720h"],
    "spec.template.spec.terminationGracePeriod": [*DURATIONS, "203h", "168h"],
    "spec.template.spec.kubelet": [{}],
    "spec.template.metadata.labels": [
        {"a": "b"},
        {"a": 1},
        {"a": "b c"},
        {"a": ""},
        {"a": "x" * 64},
        {"karpenter.sh/nodepool": "x"},
        {"kubernetes.io/hostname": "x"},
    ],
    "spec.template.metadata.annotations": [{"a": "b c"}, {"a": 1}, {}],
    "spec.template.spec.taints": [
        [],
        [{"key": "a", "effect": "NoSchedule"}],
        [{"key": "a"}],
        [{"effect": "NoSchedule"}],
        [{"key": "", "effect": "NoSchedule"}],
        [{"key": "a", "value": "b", "effect": "NoScheduled"}],
        [{"key": "a b", "effect": "NoSchedule"}],
        [{"key": "a", "value": "b c", "effect": "NoSchedule"}],
        [{"key": "a", "value": True, "effect": "NoSchedule"}],
        ["a=b:NoSchedule"],
    ],
    REQUIREMENTS: [
        [],
        [{"key": "team", "operator": "In", "values": []}],
        [{"key": "team", "operator": "In"}],
        [{"key": "team", "operator": "NotIn", "values": ["a"]}],
        [{"key": "team", "operator": "Is", "values": ["a"]}],
        [{"key": "team", "values": ["a"]}],
        [{"operator": "Exists"}],
        [{"key": "team", "operator": "Exists"}],
        [{"key": "team", "operator": "DoesNotExist"}],
        *([{"key": "rank", "operator": "Gt", "values": values}] for values in (["4"], ["0"], ["-1"], ["x"], ["1", "2"], [], [4])),
        *([{"key": "team", "operator": "In", "values": ["a", "b"], "minValues": least}] for least in (1, 2, 3, 0, 51, "1")),
        [{"key": "karpenter.sh/nodepool", "operator": "In", "values": ["x"]}],
        [{"key": "karpenter.sh/capacity", "operator": "Exists"}],
        [{"key": "x" * 317, "operator": "Exists"}],
        [{"key": "team", "operator": "Exists"}] * 101,
        [{"key": "team", "operator": "In", "values": ["a"], "value": "b"}],
        "team=ml",
        None,
    ],
}
EKS_POOL_FIELDS = {
    **POOL_FIELDS,
    "spec.template.metadata.labels": [
        *POOL_FIELDS["spec.template.metadata.labels"],
        *(
            {key: "x"}
            for key in ("eks.amazonaws.com/nodegroup", "ai.eks.amazonaws.com/x", "karpenter.k8s.aws/instance-cpus", "app.kubernetes.io/name")
        ),
        *({key: "x"} for key in ("node-restriction.kubernetes.io/team", "eks.amazonaws.com/unheard", "example.com/team")),
    ],
}
AKS_POOL_FIELDS = {
    **POOL_FIELDS,
    "spec.template.metadata.labels": [
        *POOL_FIELDS["spec.template.metadata.labels"],
        *({key: "x"} for key in ("agentpool", "kubernetes.azure.com/agentpool", "kubernetes.azure.com/mode", "app.kubernetes.io/name")),
        *({key: "x"} for key in ("karpenter.azure.com/sku-unheard", "kubernetes.azure.com/unheard")),
    ],
}
EKS_CLASS_FIELDS: dict[str, list[Any]] = {
    "spec.role": ["nodes", "", "x" * 64, "x" * 65, None, 3],
    "spec.subnetSelectorTerms": [
        *([], None, [{}], [{"id": "subnet-1"}], [{"id": "x"}], [{"tags": {"a": "b"}}], [{"tags": {"": "b"}}], [{"tags": {"a": ""}}]),
        *([{"id": "subnet-1", "tags": {"a": "b"}}], [{"name": "x"}], [{"id": "subnet-1"}] * 31, [{"tags": {f"k{i}": "v" for i in range(21)}}]),
    ],
    "spec.securityGroupSelectorTerms": [[], [{}], [{"name": "x"}], [{"id": "sg-1"}], [{"id": "sg_1"}], [{"id": "sg-1", "name": "x"}], None],
    "spec.snatPolicy": ["Random", "Disabled", "random"],
    "spec.networkPolicy": ["DefaultAllow", "DefaultDeny", "Deny"],
    "spec.networkPolicyEventLogs": ["Enabled", "Disabled", True],
    "spec.ephemeralStorage.size": [
        "80Gi",
        "59000Gi",
        "59001Gi",
        "64T",
        "65T",
        "58Ti",
        "59Ti",
        "100",
        "80000Mi",
        "1.5Ti",
        "0Gi",
        80,
        "64000G",
        "64001G",
    ],
    "spec.ephemeralStorage.iops": [3000, 16000, 2999, 16001, "3000"],
    "spec.ephemeralStorage.throughput": [125, 1000, 124, 1001],
    "spec.tags": [
        {"a": "b"},
        {"": "b"},
        {"karpenter.sh/nodepool": "x"},
        {"kubernetes.io/cluster/x": "y"},
        {"eks.amazonaws.com/nodeclass": "x"},
        {"a": 1},
    ],
    "spec.amiFamily": ["AL2023"],
}
EC2_CLASS_FIELDS: dict[str, list[Any]] = {
    "spec.role": ["nodes", "", None, 3],
    "spec.instanceProfile": ["nodes", ""],
    "spec.amiFamily": ["AL2", "AL2023", "Custom", "al2023"],
    "spec.amiSelectorTerms": [
        *([], None, [{}], [{"id": "ami-1"}], [{"alias": "al2023@latest"}], [{"alias": "al2023"}], [{"alias": "windows2022@v1"}], [{"owner": "self"}]),
        *([{"alias": "ubuntu@v1"}], [{"alias": "al2023@v1", "id": "ami-1"}], [{"alias": "al2023@v1"}, {"alias": "al2023@v2"}], [{"name": "own-*"}]),
    ],
    "spec.subnetSelectorTerms": [
        *(
            [],
            None,
            [{}],
            [{"id": "subnet-1"}],
            [{"id": "x"}],
            [{"tags": {"": "b"}}],
            [{"tags": {"a": ""}}],
            [{"id": "subnet-1", "tags": {"a": "b"}}],
        ),
        *([{"id": "subnet-1", "tags": {"a": "b"}}, {"id": "subnet-1"}], [{"id": "subnet-1"}] * 31),
    ],
    "spec.securityGroupSelectorTerms": [
        [],
        [{}],
        [{"name": "x"}],
        [{"id": "sg_1"}],
        [{"id": "sg-1", "name": "x"}],
        [{"name": "x", "tags": {"a": "b"}}],
    ],
    "spec.blockDeviceMappings": [
        [],
        [{}],
        *([{"ebs": {"volumeSize": size}}] for size in ("100Gi", "100", "59001Gi", "18Ti", "18T", 100, "1.5Ti", "064T")),
        [{"ebs": {}}],
        [{"ebs": {"snapshotID": "snap-1", "volumeInitializationRate": 99}}],
        [{"rootVolume": True}, {"rootVolume": True}],
    ],
    "spec.metadataOptions": [{}, {"httpTokens": "optional"}, {"httpTokens": "none"}, {"httpPutResponseHopLimit": 65}, None],
    "spec.kubelet": [{}, {"maxPods": 20}, {"maxPods": "x"}, "x"],
    "spec.connectionTracking": [{}, {"udpTimeout": 29}, {"udpTimeout": 30}],
    "spec.placementGroupSelector": [{}, {"name": "hpc"}, {"name": "hpc", "id": "pg-1"}, {"id": "x"}],
    "spec.networkInterfaces": [[], [{"networkCardIndex": 0, "deviceIndex": 1, "interfaceType": "interface"}]],
    "spec.userData": ["#!/bin/sh", 3, ""],
    "spec.tags": [{"a": "b"}, {"": "b"}, {"karpenter.sh/nodepool": "x"}, {"kubernetes.io/cluster/x": "y"}, {"a": ""}],
    "spec.cpuOptions": [{}, {"nestedVirtualization": "enabled"}, {"nestedVirtualization": "on"}, {"coreCount": 2}],
    "spec.enclaveOptions": [{}, {"enabled": True}, {"enabled": "true"}],
    "spec.ephemeralStorage": [{"size": "80Gi"}],
}
BYTES = ["50Mi", "1G", "50", "1.5Gi", "Mi", "50MB"]
ZONE = {
    "zone": ".",
    "forwardDestination": "VnetDNS",
    "forwardPolicy": "Random",
    "queryLogging": "Log",
    "protocol": "PreferUDP",
    "maxConcurrent": 10,
    "cacheDuration": "1h",
    "serveStale": "Verify",
    "serveStaleDuration": "1h",
}


def local_dns(**changes: Any) -> dict[str, Any]:
    vnet = [{**ZONE, **changes}, {**ZONE, "zone": "cluster.local", "forwardDestination": "ClusterCoreDNS"}]
    return {"mode": "Required", "vnetDNSOverrides": vnet, "kubeDNSOverrides": deepcopy([{**ZONE, "forwardDestination": "ClusterCoreDNS"}, vnet[1]])}


AKS_CLASS_FIELDS: dict[str, list[Any]] = {
    "spec.imageFamily": ["Ubuntu", "Ubuntu2404", "AzureLinux", "AzureContainerLinux", "ubuntu"],
    "spec.osDiskSizeGB": [29, 30, 2048, 2049, "128"],
    "spec.maxPods": [9, 10, 250, 251],
    "spec.vnetSubnetID": [
        "/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/v/subnets/s",
        *("subnet", "/subscriptions/s/resourceGroups/g/subnets/s", ""),
    ],
    "spec.tags": [{"a": "b"}, {"a<b": "c"}, {"a\\b": "c"}, {"x" * 513: "y"}, {"a": "x" * 257}, {"a": 1}],
    "spec.fipsMode": ["FIPS", "Disabled", "Enabled"],
    "spec.gpu.mode": ["Driver", "None", "driver"],
    "spec.security.encryptionAtHost": [True, "true"],
    "spec.security.encryptionatHost": [True],
    "spec.artifactStreaming.enabled": [True, "yes"],
    "spec.kubelet.cpuManagerPolicy": ["none", "static", "dynamic"],
    "spec.kubelet.containerLogMaxSize": BYTES,
    "spec.kubelet.containerLogMaxFiles": [1, 2],
    "spec.kubelet": [
        {"imageGCHighThresholdPercent": 80, "imageGCLowThresholdPercent": 70},
        {"imageGCHighThresholdPercent": 70, "imageGCLowThresholdPercent": 80},
        {"imageGCHighThresholdPercent": 101},
        {"podsPerCore": 3},
    ],
    "spec.linuxOSConfig.swapFileSize": BYTES,
    "spec.linuxOSConfig": [{"swapFileSize": "1500Mi"}, {"netCoreSomaxconn": 5000}, {"transparentHugePageEnabled": "sometimes"}],
    "spec.linuxOSConfig.sysctls": [
        *({"netCoreSomaxconn": value} for value in (4095, 4096)),
        {"netCoreRmemDefault": 300000, "netCoreRmemMax": 212992},
        {"netIPv4NeighDefaultGcThresh1": 80000, "netIPv4NeighDefaultGcThresh2": 512},
        *({"netIPv4IPLocalPortRange": ports} for ports in ("32768 60999", "1023 60999", "32768 70000", "60000 40000", "x", "32768")),
        {"vmSwappiness": 101},
    ],
    "spec.localDNS": [
        *(
            local_dns(),
            {"mode": "Disabled"},
            local_dns(zone="example.com"),
            local_dns(protocol="ForceTCP"),
            local_dns(forwardDestination="ClusterCoreDNS"),
        ),
        *(local_dns(cacheDuration="1d"), local_dns(maxConcurrent=-1), local_dns(zone=""), local_dns(zone="a b"), local_dns(serveStale="Never")),
    ],
    "spec.imageVersion": ["x"],
}
FIELDS = {
    "eks pool": EKS_POOL_FIELDS,
    "aks pool": AKS_POOL_FIELDS,
    "ec2 pool": POOL_FIELDS,
    "eks class": EKS_CLASS_FIELDS,
    "aks class": AKS_CLASS_FIELDS,
    "ec2 class": EC2_CLASS_FIELDS,
}


def changed(kind: str, path: str, value: Any) -> dict[str, Any]:
    """The sound object, with one field of it said otherwise; `None` takes it away."""
    made = deepcopy(SOUND[kind])
    *steps, last = path.split(".")
    here = made
    for step in steps:
        here = here.setdefault(step, {})
    if value is None:
        here.pop(last, None)
    else:
        here[last] = deepcopy(value)
    return made


def wrong_types(kind: str) -> st.SearchStrategy[tuple[str, Any]]:
    """A field, and what is often of another type than it takes."""
    return st.tuples(st.sampled_from(sorted(FIELDS[kind])), st.sampled_from(WRONG_TYPES))


def numbers(kind: str) -> st.SearchStrategy[tuple[str, Any]]:
    """Numbers and short texts where something is bounded."""
    pool = st.one_of(
        st.tuples(st.just("spec.weight"), st.integers(-5, 110)),
        st.tuples(st.just("spec.disruption.consolidateAfter"), st.from_regex(r"([0-9]{1,3}[smhd]){0,3}", fullmatch=True)),
        st.tuples(st.just("spec.disruption.budgets"), st.from_regex(r"-?[0-9]{1,3}%?", fullmatch=True).map(lambda nodes: [{"nodes": nodes}])),
        st.tuples(
            st.just("spec.limits"), st.from_regex(r"[+-]?[0-9]{0,3}\.?[0-9]{0,2}(Gi|Mi|K|k|m|e3|E)?", fullmatch=True).map(lambda q: {"cpu": q})
        ),
        st.tuples(
            st.just("spec.template.spec.taints"),
            st.from_regex(r"[-a-z./_]{0,6}", fullmatch=True).map(lambda key: [{"key": key, "effect": "NoExecute"}]),
        ),
    )
    storage = st.from_regex(r"[0-9]{1,5}(Gi|G|Ti|T)", fullmatch=True)
    of_class = {
        "eks class": st.tuples(st.just("spec.ephemeralStorage.size"), storage),
        "ec2 class": st.tuples(st.just("spec.blockDeviceMappings"), storage.map(lambda size: [{"ebs": {"volumeSize": size}}])),
        "aks class": st.tuples(st.just("spec.osDiskSizeGB"), st.integers(0, 2100)),
    }
    return of_class.get(kind, pool)
