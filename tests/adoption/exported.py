"""What `az`, `aws` and `kubectl` print about the clusters of a declaration, as if `pulumi up` had just created them."""

import copy
from collections.abc import Iterator
from typing import Any

from nodepools.changes.platform_changes import requests_of
from nodepools.clouds.change import AGENT_POOL, AKS_CLUSTER, EKS_CLUSTER, ENTRY, MAINTENANCE, POLICY, Request
from nodepools.clouds.karpenter_requests import as_object
from nodepools.model.platform import Platform

SUBSCRIPTION = "/subscriptions/11111111-2222-4333-8444-555555555555"
_TYPE = "Microsoft.ContainerService/ManagedClusters"
_READY: dict[str, Any] = {"provisioningState": "Succeeded", "powerState": {"code": "Running"}}
_ACCOUNT = "111122223333"


def exported(platform: Platform) -> list[Any]:
    """Each document; Kubernetes objects are one list for each cluster."""
    return [document for key in platform.clusters for document in _of_cluster(platform, key)]


def _of_cluster(platform: Platform, key: str) -> Iterator[Any]:
    stem, requests = platform.stem(key), requests_of(platform).of_cluster(key)
    principals: dict[str, str] = {}
    for request in requests:
        sent = copy.deepcopy(dict(request.sent))
        if request.resource.type == AKS_CLUSTER:
            yield from _aks(sent, stem)
        elif request.resource.type == AGENT_POOL:
            yield _pool(sent, request.agent_pool_name, stem)
        elif request.subject == MAINTENANCE:
            yield {
                "id": f"{_id(stem)}/maintenanceConfigurations/{request.key[2]}",
                "name": request.key[2],
                "type": f"{_TYPE}/maintenanceConfigurations",
                **sent,
            }
        elif request.resource.type == EKS_CLUSTER:
            yield {"cluster": _eks(sent)}
        elif request.subject == ENTRY:
            principals[request.key[2]] = str(sent["principalArn"])
            arn = f"{_arn(sent_region(requests), stem)}/role/{_ACCOUNT}/x/y".replace(":cluster/", ":access-entry/")
            yield {"accessEntry": {**sent, "clusterName": stem, "accessEntryArn": arn, "username": "generated"}}
        elif request.subject == POLICY:
            principal = principals[request.key[2].partition("-")[0]]
            policy = {"policyArn": f"arn:aws:eks::aws:cluster-access-policy/{sent['policyArn']}", "accessScope": sent["accessScope"]}
            yield {"clusterName": stem, "principalArn": principal, "associatedAccessPolicies": [policy]}
    objects = [_object(request, stem) for request in requests if request.resource.type.startswith("kubernetes:")]
    if objects:
        yield {"apiVersion": "v1", "kind": "List", "items": objects}


def sent_region(requests: list[Request]) -> str:
    """The region of an EKS cluster."""
    return next(str(request.sent["region"]) for request in requests if request.resource.type == EKS_CLUSTER)


def _id(stem: str) -> str:
    return f"{SUBSCRIPTION}/resourcegroups/{stem}/providers/Microsoft.ContainerService/managedClusters/{stem}"


def _aks(sent: dict[str, Any], stem: str) -> Iterator[Any]:
    [first] = sent.pop("agentPoolProfiles")
    password = None if "windowsProfile" in sent else "hunter2"
    del sent["resourceName"]
    identity = {"type": "UserAssigned", "userAssignedIdentities": {f"{SUBSCRIPTION}/resourcegroups/{stem}/identity": {"clientId": "c"}}}
    more = {
        "currentKubernetesVersion": f"{sent['kubernetesVersion']}.4",
        "supportPlan": "KubernetesOfficial",
        "windowsProfile": {**sent.get("windowsProfile", {}), "adminPassword": password},
    }
    yield {**sent, "id": _id(stem), "name": stem, "type": _TYPE, "identity": identity, **_READY, **more}
    yield _pool(first, "system", stem)


def _pool(sent: dict[str, Any], name: str, stem: str) -> dict[str, Any]:
    kept = {key: value for key, value in sent.items() if key not in ("type", "name", "vnetSubnetID")}
    subnet = f"{SUBSCRIPTION}/resourceGroups/{stem}/providers/Microsoft.Network/virtualNetworks/{stem}/subnets/{sent.get('vnetSubnetID')}"
    ids = {
        "id": f"{_id(stem)}/agentPools/{name}",
        "name": name,
        "type": f"{_TYPE}/agentPools",
        "typePropertiesType": sent["type"],
        "vnetSubnetId": subnet,
    }
    return {**kept, **ids, "maxPods": 250, "enableFips": False, **_READY}


def _arn(region: str, name: str) -> str:
    return f"arn:aws:eks:{region}:{_ACCOUNT}:cluster/{name}"


def _eks(sent: dict[str, Any]) -> dict[str, Any]:
    region, name = sent.pop("region"), sent["name"]
    del sent["bootstrapSelfManagedAddons"], sent["accessConfig"]["bootstrapClusterCreatorAdminPermissions"]  # AWS does not return them
    network = {**sent.pop("vpcConfig"), "subnetIds": ["subnet-1", "subnet-2"], "vpcId": "vpc-1", "publicAccessCidrs": ["0.0.0.0/0"]}
    logs = {"clusterLogging": [{"types": sent.pop("enabledClusterLogTypes"), "enabled": True}, {"types": ["scheduler"], "enabled": False}]}
    role = f"arn:aws:iam::{_ACCOUNT}:role{sent['roleArn']}"
    compute = {**sent["computeConfig"], "nodeRoleArn": f"arn:aws:iam::{_ACCOUNT}:role{sent['computeConfig'].get('nodeRoleArn')}"}
    arn = {"arn": _arn(region, name), "status": "ACTIVE"}
    return {**sent, **arn, "roleArn": role, "resourcesVpcConfig": network, "logging": logs, "computeConfig": compute}


def _object(request: Request, stem: str) -> dict[str, Any]:
    made = as_object(request, stem)
    version, _, kind = request.resource.type.removeprefix("kubernetes:").rpartition(":")
    metadata = {"name": made.resource.name, "uid": f"uid-of-{made.resource.name}"}
    return {"apiVersion": version, "kind": kind, "metadata": metadata, "spec": copy.deepcopy(dict(made.sent)), "status": {}}
