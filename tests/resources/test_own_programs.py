"""What our own components register is right by our own rules: no error and no warning beyond what `check` says of the declaration."""

import subprocess
import sys
from collections import Counter
from dataclasses import replace
from datetime import date

import pytest

from nodepools.model.severity import Severity
from nodepools.resources.resource import Kind, kind_of, of_plan
from nodepools.resources.resource_checks import check_resource, check_stack

pytestmark = pytest.mark.sweep

DAY = date(2026, 11, 21)
PROGRAMS = [
    *((".", stack) for stack in ("dev", "staging", "prod")),
    *((f"examples/{one}", "dev") for one in ("aks-existing-network", "aks-nap", "aks-pools", "eks-auto", "eks-existing-vpc", "eks-gpu-arm")),
]
CHECK = f"""
from datetime import date
from nodepools import load
from nodepools.rules.engine.runner import check
print(*(finding.code for finding in check(load({{stack!r}}), today=date{DAY.timetuple()[:3]}) if finding.severity != "note"))
"""


def declared_codes(project, folder, stack):
    """Codes of errors and warnings in the declaration; a program that has none in stacks declares what is right."""
    if not (project / folder / "stacks").is_dir():
        return Counter()
    done = subprocess.run([sys.executable, "-c", CHECK.format(stack=stack)], cwd=project / folder, capture_output=True, text=True, check=True)
    return Counter(done.stdout.split())


@pytest.fixture(scope="module", params=PROGRAMS, ids=[f"{folder} {stack}" for folder, stack in PROGRAMS])
def program(request, project, planned):
    folder, stack = request.param
    return of_plan(planned(folder, stack).resources), declared_codes(project, folder, stack)


def test_nothing_is_said_beyond_what_check_says(program):
    resources, declared = program
    found = [one for one in check_stack(resources, today=DAY) if one.finding.severity is not Severity.NOTE]
    assert not Counter({one.finding.code for one in found}) - declared, [f"{one.urn} {one.finding}" for one in found]


BOTH = {"ipFamily": "ipv6", "serviceIpv4Cidr": "172.20.0.0/16", "elasticLoadBalancing": {"enabled": True}}
SPOILED = {
    Kind.AKS_CLUSTER: ({"supportPlan": "AKSLongTermSupport"}, "AKS064"),
    Kind.EKS_CLUSTER: ({"kubernetesNetworkConfig": BOTH}, "EKS150"),
}


def test_a_spoiled_cluster_is_found_in_each(program):
    resources, _ = program
    spoiled = [replace(one, inputs={**one.inputs, **SPOILED[kind_of(one)][0]}) if kind_of(one) in SPOILED else one for one in resources]
    expected = {(one.urn, SPOILED[kind_of(one)][1]) for one in resources if kind_of(one) in SPOILED}
    found = {(one.urn, one.finding.code) for one in check_stack(spoiled, today=DAY) if one.finding.severity is Severity.ERROR}
    assert found == expected
    assert expected


def test_what_one_resource_says_is_said_in_the_stack_too(program):
    resources, _ = program
    stack = {(one.urn, one.finding.code, one.finding.path) for one in check_stack(resources, today=DAY) if one.alone}
    alone = {(one.urn, finding.code, finding.path) for one in resources for finding in check_resource(one, today=DAY)}
    assert stack <= alone
