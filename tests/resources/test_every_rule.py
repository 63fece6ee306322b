"""Every rule is asked of resources too, or there is a reason why not: its own failing sample, registered without our components, is found."""

import re
from collections import defaultdict
from collections.abc import Mapping
from datetime import date
from typing import Any, cast

import pytest

from nodepools.model.access import ApiServer
from nodepools.model.aks import agent_pool, cluster, maintenance, network, node_settings
from nodepools.model.base import Model
from nodepools.model.derive import derive
from nodepools.model.eks import access
from nodepools.model.eks import cluster as eks_args
from nodepools.model.eks import node_class as eks_class
from nodepools.model.karpenter import NodePool
from nodepools.model.maintenance import Disruption
from nodepools.model.platform import Platform
from nodepools.resources.resource import Resource
from nodepools.resources.resource_checks import Violation, check_stack
from nodepools.resources.violation_text import ViolationText, format_violation
from nodepools.rules.engine import samples
from nodepools.rules.engine.registry import API_VERSIONS, RULES, Where, all_rules, limit_of
from tests.conftest import Once
from tests.python_syntax import SNAKE, python_in
from tests.resources.programs import stack_of

pytestmark = pytest.mark.sweep

all_rules()
DAY = date(2026, 11, 21)
UNDECLARED = {code for code in RULES if code.startswith("SMK")}
"""Rules about objects that no declaration has."""
OTHERWISE = "no input says it in the way of the sample: see test_foreign.py"
SILENT = {
    **dict.fromkeys(("AKS040", "AKS046", "AKS055", "AKS120", "AKS133", "AKS135", "AKS224", "AKS234", "NAP006", "PLT012"), OTHERWISE),
    **dict.fromkeys(("EKS003", "EKS042", "EKS150"), OTHERWISE),
    **dict.fromkeys(UNDECLARED, "no declaration has such objects: see test_self_managed.py"),
    "AKS373": "a resource without pools has them elsewhere, or is Automatic; an empty list is too short",
    "AKS377": "what an Automatic cluster does not declare is decided by AKS, and not known",
    "AKS357": "the vault is that of a role assignment, and no argument of the cluster names it",
    "EKS191": "the sample has a boundary of permissions, which is an argument of roles; other ARNs are found",
    "EKS213": "new_secrets_key is ours; inputs have the ARN of one key",
    "EKS189": "a registered NodePool has a policy, or leaves it to EKS: only a declaration leaves it to us",
    "NAP010": "the sample has a network of ours; a pod subnet of the first pool is found",
    "NAP029": "the class `default` is AKS's own, and may be changed there",
}
"""Rules whose sample says nothing to resources, and why."""


def clusters_of(parts: Mapping[str, Model]) -> dict[str, Model]:
    """Clusters that hold the parts, named after them; pools and classes share one."""
    apart = {name: _cluster(part) for name, part in parts.items()}
    shared = {name: part for name, part in apart.items() if isinstance(part, POOLS)}
    made = {name: part for name, part in apart.items() if name not in shared}
    held = {kind: {name: part for name, part in shared.items() if isinstance(part, kind)} for kind in POOLS}
    windows = {"admin_password": {"stack": "org/secrets/prod", "output": "windows"}}
    made["pools"] = derive(samples.aks(), pools=held[agent_pool.AgentPool], windows_profile=windows)
    made["nap"] = samples.provisioning(held[samples.AksNodePool], node_classes=held[cluster.AksNodeClass])
    made["auto"] = samples.auto_mode(held[eks_class.EksNodePool], held[eks_class.EksNodeClass])
    return made


POOLS = (agent_pool.AgentPool, eks_class.EksNodePool, samples.AksNodePool, eks_class.EksNodeClass, cluster.AksNodeClass)


def _cluster(part: Model) -> Model:
    """A cluster with `part` in it, or a pool or class that many can share a cluster with."""
    user, size = agent_pool.UserPool, samples.SIZE
    fields: list[tuple[type[Model], Any]] = [
        (cluster.AksClusterArgs, lambda: part),
        (eks_args.EksClusterArgs, lambda: part),
        (agent_pool.AgentPool, lambda: part),
        (agent_pool.Autoscale, lambda: user(vm_size=size, scale=part)),
        (agent_pool.Spot, lambda: user(vm_size=size, scale=agent_pool.Autoscale(0, 5), spot=part)),
        (agent_pool.UpgradeSettings, lambda: user(vm_size=size, upgrade=part)),
        (agent_pool.HostPorts, lambda: user(vm_size=size, allowed_host_ports=[part])),
        (node_settings.KubeletConfig, lambda: user(vm_size=size, kubelet=part)),
        (node_settings.LocalDnsOverride, lambda: cluster.AksNodeClass(local_dns={"vnet_dns": [part], "kube_dns": [part]})),
        (cluster.AksNodeClass, lambda: part),
        (network.NetworkProfile, lambda: derive(samples.aks(), network_profile=part)),
        (network.LoadBalancer, lambda: derive(samples.aks(), network_profile={"load_balancer": part})),
        (network.AksNetworkArgs, lambda: samples.aks(network=part)),
        (cluster.AutoscalerProfile, lambda: derive(samples.aks(), autoscaler=part)),
        (node_settings.WindowsProfile, lambda: derive(samples.aks(), windows_profile=part)),
        (maintenance.Dates, lambda: _on_sundays(part)),
        (samples.NodeProvisioning, lambda: derive(samples.provisioning(), node_provisioning=part)),
        (ApiServer, lambda: samples.eks(api_server=part)),
        (eks_args.EksNetworkArgs, lambda: samples.eks(network=part)),
        (eks_args.ExistingEksNetwork, lambda: samples.eks(network=part)),
        (access.AccessEntry, lambda: samples.eks(access_entries={"probe": part})),
        (access.AccessPolicy, lambda: samples.eks(access_entries={"probe": {"principal": "arn:aws:iam::1:role/a", "policies": [part]}})),
        (access.IdentityProvider, lambda: samples.eks(identity_provider=part)),
        (access.PodIdentity, lambda: samples.eks(pod_identities={"probe": part})),
        (eks_class.AutoMode, lambda: samples.eks(auto_mode=part)),
        (eks_class.EksNodeClass, lambda: part),
        (eks_class.SelectorTerm, lambda: eks_class.EksNodeClass(security_groups=[part])),
        (eks_class.CapacityReservationTerm, lambda: eks_class.EksNodeClass(capacity_reservations=[part])),
        (eks_class.PlacementGroup, lambda: eks_class.EksNodeClass(placement_group=part)),
        (eks_class.CertificateBundle, lambda: eks_class.EksNodeClass(certificate_bundles=[part])),
        (eks_class.AdvancedNetworking, lambda: eks_class.EksNodeClass(advanced_networking=part)),
        (eks_class.NetworkInterface, lambda: eks_class.EksNodeClass(advanced_networking={"network_interfaces": [part]})),
        (Disruption, lambda: samples.eks_pool(disruption=part)),
        (NodePool, lambda: part),
        (samples.Requirement, lambda: samples.eks_pool(part)),
    ]
    return next(held for kind, held in fields if isinstance(part, kind))()


def _on_sundays(dates: Model) -> Model:
    window = {"schedule": {"kind": "WeeklySchedule", "day_of_week": "Sunday"}, "not_allowed": [dates]}
    return derive(samples.aks(), maintenance_configurations={"upgrades": window})


def sampled() -> list[Resource]:
    """All samples in one program."""
    parts: dict[str, Model] = {}
    unsent = {code for code, one in RULES.items() if API_VERSIONS in one.limits}  # the SDK has no such argument
    for code in RULES.keys() - {"KAR072", "EKS176"} - UNDECLARED - unsent:  # more budgets than an object can have, two resources of one name
        sample = RULES[code].sample()
        whole = list(sample.clusters.values()) if isinstance(sample, Platform) else [sample]
        parts |= {f"{code.lower()}{'x' * place}": part for place, part in enumerate(whole)}
    return stack_of(clusters_of(parts))


def judged() -> tuple[list[Resource], list[Violation]]:
    """All samples, and what is found in them."""
    resources = sampled()
    return resources, check_stack(resources, today=DAY)


@pytest.fixture(scope="module")
def found(once: Once) -> dict[str, list[Violation]]:
    """What is found, by the code whose sample it is."""
    told: dict[str, list[Violation]] = defaultdict(list)
    _, violations = cast("tuple[list[Resource], list[Violation]]", once("judged-samples", judged))
    for one in violations:
        for code in re.findall(r"[a-z]{3}[0-9]{3}", one.urn):
            told[code.upper()].append(one)
    return told


@pytest.mark.parametrize("code", sorted(RULES))
def test_its_sample_is_found_or_there_is_a_reason(code, found):
    hits = [one for one in found[code] if one.finding.code == code]
    if code in SILENT or limit_of(code, Where.RESOURCES, Where.UNREAD, Where.OPEN_CLUSTER) is not None:
        assert code == "PLT001" or not hits, f"{code} is found: its reason not to be is gone"
        return
    assert hits, f"{code} finds nothing: let the inputs say it, or write down why they cannot"
    for one in hits:
        finding = one.finding
        fix = finding.fix.text if finding.fix is not None else ""
        violation = format_violation(ViolationText(finding.path, finding.value, finding.message, fix))  # sources quote the clouds
        assert list(python_in(f"{violation}\n{finding}", SNAKE)) == [], violation


def test_only_rules_that_there_are_have_an_entry():
    assert set(SILENT) <= set(RULES)


def test_every_limit_has_a_reason():
    assert all(limit.reason for rule in RULES.values() for limit in rule.limits)
