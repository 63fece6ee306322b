"""Every rule that a declaration is asked about its NodePools and node classes is asked of raw objects too, or there is a reason why not."""

import json
import re
from collections.abc import Iterator, Mapping
from datetime import date
from functools import cache
from typing import Any

import pytest

from nodepools.clouds.karpenter_objects import aks_node_class, eks_node_class, node_pool
from nodepools.manifests.manifest_objects import objects
from nodepools.manifests.object_checks import check_objects
from nodepools.manifests.object_samples import SAMPLES
from nodepools.model.aks.cluster import AksClusterArgs, AksNodeClass, AksNodePool, NodeProvisioning
from nodepools.model.aks.node_settings import LocalDns, LocalDnsOverride, Sysctls
from nodepools.model.base import Model
from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.model.eks.ec2_node_class import Ec2NodeClass, SelfManagedKarpenter
from nodepools.model.eks.node_class import (
    AdvancedNetworking,
    AutoMode,
    CapacityReservationTerm,
    CertificateBundle,
    EksNodeClass,
    EksNodePool,
    NetworkInterface,
    PlacementGroup,
    SelectorTerm,
)
from nodepools.model.karpenter import NodePool
from nodepools.model.maintenance import Budget, Disruption
from nodepools.model.platform import Platform
from nodepools.model.ref import revealed
from nodepools.rules.engine import samples
from nodepools.rules.engine.registry import RULES, Where, all_rules, limit_of
from nodepools.wire.eks.ec2_node_class import NODE_CLASS as EC2_TABLE
from nodepools.wire.karpenter import AKS_NODE_CLASS, EC2_NODE_CLASS, EKS_NODE_CLASS
from nodepools.wire.reading import write

all_rules()
DAY = date(2026, 11, 21)
OF_OBJECTS = {
    *(AutoMode, NodeProvisioning, NodePool, AksNodePool, EksNodePool, AksNodeClass, EksNodeClass, Disruption, Budget, LocalDns, LocalDnsOverride),
    *(AdvancedNetworking, CapacityReservationTerm, CertificateBundle, NetworkInterface, PlacementGroup, SelectorTerm, samples.Requirement, Sysctls),
}
"""What objects are made of. Taints are of agent pools too."""
OTHERWISE: Mapping[str, Model] = {
    "AKS326": AksNodeClass(tags={"azure-team": "web"}),
    "AKS369": AksNodeClass(tags={"Team": "web", "team": "web"}),
    "EKS016": EksNodeClass(tags={"team": "x" * 257}),
    "EKS042": samples.auto_mode({"web": samples.eks_pool(node_class="missing")}, {"own": EksNodeClass()}),
    "EKS049": samples.eks_pool(samples.Requirement("topology.kubernetes.io/zone", "In", ["use1-az1"])),
    "NAP006": samples.provisioning({"general": samples.aks_pool(node_class="missing")}, node_classes={"own": AksNodeClass()}),
    "NAP029": samples.provisioning(
        {"general": samples.aks_pool(samples.Requirement("kubernetes.azure.com/os-sku", "In", ["AzureLinux"]), node_class="own")},
        node_classes={"own": AksNodeClass()},
    ),
}
"""What breaks a rule in files, where its own sample is of a cluster, or leaves to it what files have to say."""


def about_objects(code: str) -> bool:
    """The rule is of a family about NodePools and node classes, or judges one of them or a part of one."""
    rule = RULES[code]
    return code[:3] in ("NAP", "KAR", "SMK") or any(set(kinds) & OF_OBJECTS for kinds in rule.parameter_types)


def rendered(part: Model) -> Iterator[Mapping[str, Any]]:
    """The objects of a sample, as a cluster takes them."""
    match part:
        case Platform():
            for cluster in part.clusters.values():
                yield from rendered(cluster)
        case AksClusterArgs():
            yield from rendered(part.node_provisioning) if part.node_provisioning is not None else ()
        case EksClusterArgs():
            yield from rendered(part.auto_mode)
        case SelfManagedKarpenter():
            yield from (node_pool(name, pool, EC2_NODE_CLASS) for name, pool in part.node_pools.items())
            for name, declared in part.node_classes.items():
                spec = {**write(EC2_TABLE, declared), "userData": revealed(declared.user_data)}  # as files have it
                yield {"apiVersion": "karpenter.k8s.aws/v1", "kind": "EC2NodeClass", "metadata": {"name": name}, "spec": spec}
        case AutoMode() | NodeProvisioning():
            of = EKS_NODE_CLASS if isinstance(part, AutoMode) else AKS_NODE_CLASS
            yield from (node_pool(name, pool, of) for name, pool in part.node_pools.items())
            for name, declared in part.node_classes.items():
                yield eks_class(name, declared) if isinstance(declared, EksNodeClass) else aks_node_class(name, declared, str)
        case _:
            yield from rendered(whole(part))


def eks_class(name: str, declared: EksNodeClass) -> Mapping[str, Any]:
    return eks_node_class(name, declared, str, role="nodes", subnets=[{"id": "subnet-0"}], security_groups=[{"id": "sg-0"}])


def whole(part: Model) -> Model:
    """What holds a part, to make objects of it."""
    fields: list[tuple[type[Model], Any]] = [
        (AksNodePool, lambda: NodeProvisioning(node_pools={"web": part})),
        (EksNodePool, lambda: AutoMode(node_pools={"web": part})),
        (Disruption, lambda: AutoMode(node_pools={"web": EksNodePool(disruption=part)})),
        (samples.Requirement, lambda: AutoMode(node_pools={"web": EksNodePool(requirements=[part])})),
        (AksNodeClass, lambda: NodeProvisioning(node_classes={"own": part})),
        (LocalDnsOverride, lambda: NodeProvisioning(node_classes={"own": AksNodeClass(local_dns={"vnet_dns": [part], "kube_dns": [part]})})),
        (Ec2NodeClass, lambda: SelfManagedKarpenter(node_classes={"own": part})),
        (EksNodeClass, lambda: AutoMode(node_classes={"own": part})),
        (SelectorTerm, lambda: whole(EksNodeClass(security_groups=[part]))),
        (CapacityReservationTerm, lambda: whole(EksNodeClass(capacity_reservations=[part]))),
        (PlacementGroup, lambda: whole(EksNodeClass(placement_group=part))),
        (CertificateBundle, lambda: whole(EksNodeClass(certificate_bundles=[part]))),
        (AdvancedNetworking, lambda: whole(EksNodeClass(advanced_networking=part))),
        (NetworkInterface, lambda: whole(EksNodeClass(advanced_networking={"network_interfaces": [part]}))),
    ]
    return next((made() for kind, made in fields if isinstance(part, kind)), AutoMode())


@cache
def found(code: str) -> frozenset[str]:
    """The codes of what is said of the sample of a rule, as raw objects."""
    return told(OTHERWISE[code] if code in OTHERWISE else RULES[code].sample())


def told(part: Model) -> frozenset[str]:
    text = "\n---\n".join(json.dumps(one) for one in rendered(part))
    return frozenset(finding.code for finding in check_objects(list(objects(text, "x.yaml")), DAY).findings)


@pytest.mark.parametrize("code", sorted(filter(about_objects, RULES)))
def test_its_sample_is_found_in_files_or_there_is_a_reason(code):
    limit = limit_of(code, Where.FILES)
    if limit is None:
        assert code in found(code), f"{code} finds nothing in files: let them be asked, or write down in its limits why they cannot"
    else:
        assert code not in found(code), f"{code} is found: its reason not to be is gone"
        assert set(re.findall("OBJ[0-9]{3}", limit.reason)) <= set(SAMPLES)


@pytest.mark.parametrize("code", ["EKS020", "EKS040", "EKS041", "NAP005"])
def test_names_of_the_clouds_own_objects_are_told_by_their_own_code(code):
    assert "OBJ012" in found(code)


def test_a_sample_of_ones_own_is_there_only_where_that_of_the_rule_says_nothing():
    assert [code for code in OTHERWISE if code in told(RULES[code].sample())] == []
