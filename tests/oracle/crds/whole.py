"""Objects in which every field of their CRD is said, for each to be broken in its turn."""

from copy import deepcopy
from typing import Any

from tests.oracle.crds.manifests import SOUND, ZONE


def _pool(kind: str, **nodes: Any) -> dict[str, Any]:
    made = deepcopy(SOUND[kind])
    spec = made["spec"]
    spec["template"]["metadata"]["annotations"] = {"example.com/owner": "web"}
    spec["template"]["spec"] |= {
        "taints": [{"key": "team", "value": "ml", "effect": "NoExecute", "timeAdded": "2026-11-21T04:40:00Z"}],
        "startupTaints": [{"key": "example.com/starting", "value": "yes", "effect": "NoExecute", "timeAdded": "2026-11-21T04:40:00Z"}],
        "requirements": [*spec["template"]["spec"]["requirements"], {"key": "team", "operator": "In", "values": ["ml"], "minValues": 1}],
        **nodes,
    }
    spec["disruption"] = {
        "consolidationPolicy": "WhenEmpty",
        "consolidateAfter": "1m",
        "budgets": [{"nodes": "10%"}, {"nodes": "0", "schedule": "0 9 * * mon-fri", "duration": "8h", "reasons": ["Drifted"]}],
    }
    return made


def _class(kind: str, **spec: Any) -> dict[str, Any]:
    made = deepcopy(SOUND[kind])
    made["spec"] |= spec
    return made


SYSCTLS = {
    "fsAioMaxNr": 65536,
    "fsFileMax": 12000,
    "fsInotifyMaxUserWatches": 781250,
    "fsNrOpen": 8192,
    "kernelThreadsMax": 20,
    "netCoreNetdevMaxBacklog": 1000,
    "netCoreOptmemMax": 20480,
    "netCoreRmemDefault": 212992,
    "netCoreRmemMax": 134217728,
    "netCoreSomaxconn": 4096,
    "netCoreWmemDefault": 212992,
    "netCoreWmemMax": 134217728,
    "netIPv4IPLocalPortRange": "32768 60999",
    "netIPv4NeighDefaultGcThresh1": 128,
    "netIPv4NeighDefaultGcThresh2": 80000,
    "netIPv4NeighDefaultGcThresh3": 100000,
    "netIPv4TCPFinTimeout": 5,
    "netIPv4TCPKeepaliveIntvl": 10,
    "netIPv4TCPKeepaliveProbes": 1,
    "netIPv4TCPKeepaliveTime": 30,
    "netIPv4TCPMaxSynBacklog": 128,
    "netIPv4TCPMaxTwBuckets": 8000,
    "netIPv4TCPTwReuse": True,
    "netNetfilterNfConntrackBuckets": 65536,
    "netNetfilterNfConntrackMax": 131072,
    "vmMaxMapCount": 65530,
    "vmSwappiness": 0,
    "vmVfsCachePressure": 100,
}
CLUSTER = {**ZONE, "zone": "cluster.local", "forwardDestination": "ClusterCoreDNS"}
WHOLE: dict[str, dict[str, Any]] = {
    "eks pool": _pool("eks pool", expireAfter="300h", terminationGracePeriod="24h"),
    "aks pool": _pool("aks pool"),
    "eks class": _class(
        "eks class",
        subnetSelectorTerms=[{"tags": {"tier": "private"}}, {"id": "subnet-0123456789abcdef0"}],
        securityGroupSelectorTerms=[{"tags": {"tier": "private"}}, {"id": "sg-0123456789abcdef0"}, {"name": "web"}],
        ephemeralStorage={"size": "100Gi", "iops": 4000, "throughput": 200},
        networkPolicy="DefaultDeny",
        networkPolicyEventLogs="Enabled",
        snatPolicy="Disabled",
        tags={"team": "web"},
    ),
    "ec2 pool": _pool("ec2 pool"),
    "ec2 class": _class(
        "ec2 class",
        amiFamily="AL2023",
        subnetSelectorTerms=[{"tags": {"tier": "private"}}, {"id": "subnet-0123456789abcdef0"}],
        securityGroupSelectorTerms=[{"tags": {"tier": "private"}}, {"id": "sg-0123456789abcdef0"}, {"name": "web"}],
        capacityReservationSelectorTerms=[
            {"id": "cr-0123456789abcdef0"},
            {"tags": {"tier": "private"}, "ownerID": "012345678901", "instanceMatchCriteria": "open"},
        ],
        associatePublicIPAddress=False,
        ipPrefixCount=1,
        networkInterfaces=[{"networkCardIndex": 0, "deviceIndex": 0, "interfaceType": "interface"}],
        connectionTracking={"tcpEstablishedTimeout": 60, "udpStreamTimeout": 60, "udpTimeout": 30},
        placementGroupSelector={"name": "hpc"},
        blockDeviceMappings=[
            {
                "deviceName": "/dev/xvda",
                "rootVolume": True,
                "ebs": {
                    "volumeSize": "100Gi",
                    "snapshotID": "snap-1",
                    "volumeType": "gp3",
                    "iops": 3000,
                    "throughput": 125,
                    "encrypted": True,
                    "kmsKeyID": "alias/nodes",
                    "deleteOnTermination": True,
                    "volumeInitializationRate": 100,
                },
            }
        ],
        instanceStorePolicy="RAID0",
        metadataOptions={"httpEndpoint": "enabled", "httpProtocolIPv6": "disabled", "httpPutResponseHopLimit": 1, "httpTokens": "required"},
        kubelet={"maxPods": 110},
        userData="#!/bin/sh",
        cpuOptions={"nestedVirtualization": "disabled"},
        enclaveOptions={"enabled": False},
        detailedMonitoring=True,
        context="fleet",
        tags={"team": "web"},
    ),
    "aks class": _class(
        "aks class",
        fipsMode="Disabled",
        maxPods=110,
        vnetSubnetID="/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/v/subnets/s",
        gpu={"mode": "Driver"},
        artifactStreaming={"enabled": False},
        security={"encryptionAtHost": True},
        kubelet={
            "cpuManagerPolicy": "static",
            "cpuCFSQuota": True,
            "cpuCFSQuotaPeriod": "100ms",
            "topologyManagerPolicy": "none",
            "imageGCHighThresholdPercent": 85,
            "imageGCLowThresholdPercent": 80,
            "allowedUnsafeSysctls": ["net.core.somaxconn"],
            "containerLogMaxSize": "50Mi",
            "containerLogMaxFiles": 5,
            "podPidsLimit": 1000,
            "failSwapOn": False,
        },
        linuxOSConfig={
            "sysctls": SYSCTLS,
            "transparentHugePageEnabled": "madvise",
            "transparentHugePageDefrag": "madvise",
            "swapFileSize": "1500Mi",
        },
        localDNS={
            "mode": "Required",
            "vnetDNSOverrides": [ZONE, CLUSTER],
            "kubeDNSOverrides": [{**ZONE, "forwardDestination": "ClusterCoreDNS"}, CLUSTER],
        },
        tags={"team": "web"},
    ),
}
IMAGES = _class(
    "ec2 class",
    instanceProfile="nodes",
    placementGroupSelector={"id": "pg-0123456789abcdef0"},
    amiFamily="AL2023",
    amiSelectorTerms=[
        {"id": "ami-0123456789abcdef0"},
        {"name": "own-*", "owner": "self", "tags": {"tier": "private"}},
        {"ssmParameter": "/own/image"},
    ],
)
del IMAGES["spec"]["role"]
OTHERWISE = {"ec2 class": IMAGES}
"""What a whole object cannot say: an alias excludes other images, a role an instance profile."""
