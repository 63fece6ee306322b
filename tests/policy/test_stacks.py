"""The pack over the stacks of this project: nothing that `nodepools check` does not say; and over one with ten planted mistakes: all ten."""

from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from nodepools.engine.analyzer import Analysis, run_analyzer
from nodepools.engine.project import read_project
from nodepools.engine.run import Program, run
from nodepools.loading import read_stack
from nodepools.resources.violation_text import parse_violation
from nodepools.rules.engine.runner import check

pytestmark = pytest.mark.sweep

STACKS = ("dev", "staging", "prod")


@pytest.fixture(scope="module")
def said(pack, project: Path):
    """What the pack says of a stack, and of the rules also what is a note."""

    @cache
    def said(stack: str) -> Analysis:
        of = read_project(project, stack)
        plan = run(Program(of.directory, of.name, stack, of.config, of.secret_keys), timeout=120)
        return run_analyzer(pack, plan, dict.fromkeys(NOTES, "advisory"))

    return said


NOTES = ("AKS008", "AKS009", "AKS104", "NAP030", "NAP031", "PLT010", "EKS018", "KAR061")


@pytest.mark.parametrize("stack", STACKS)
def test_nothing_is_said_of_our_stacks_that_check_does_not_say(said, project, stack):
    of_check = Counter(finding.code for finding in check(read_stack(stack, project)))
    of_pack = Counter(breach.policy for breach in said(stack).breaches)
    assert of_pack <= of_check
    assert not {breach.policy for breach in said(stack).breaches} - set(NOTES), "nothing above a note"


def test_the_notes_of_our_stacks_are_found_from_their_resources(said):
    assert {breach.policy for stack in STACKS for breach in said(stack).breaches} >= {"AKS104", "NAP030", "NAP031", "PLT010"}


PLANTED = [
    ("AKS064", "dev-weu", "supportPlan"),
    ("NAP002", "dev-neu", "networkProfile.networkPolicy"),
    ("AKS010", "dev-weu-web", "minCount"),
    ("AKS016", "dev-weu-batch", "spotMaxPrice"),
    ("EKS013", "dev-use1", "storageConfig.blockStorage.enabled"),
    ("EKS023", "dev-use1-private", "spec.ephemeralStorage.size"),
    ("EKS044", "dev-use1-compute", "spec.template.spec.expireAfter"),
    ("KAR087", "dev-neu-general", "spec.template.spec.requirements[4].key"),
    ("KAR040", "dev-neu-general", "spec.template.spec.requirements[5]"),
    ("no-plain-kubeconfig", "nodepools-dev", "kubeconfig"),
]


def test_of_ten_planted_mistakes_all_ten_are_found_each_with_path_and_fix(pack, project):
    folder = Path(__file__).parent / "planted"
    plan = run(Program(folder, "nodepools", "dev", read_project(project, "dev").config), timeout=120)
    found = [(breach.policy, breach.urn.rpartition("::")[2], parse_violation(breach.message)) for breach in run_analyzer(pack, plan, {}).breaches]
    told = sorted((policy, name, said.path) for policy, name, said in found)
    assert len(told) == len(PLANTED)
    for (policy, name, path), (planted, resource, place) in zip(told, sorted(PLANTED), strict=True):
        assert (policy, path) == (planted, place)
        assert name.startswith(resource)
    assert all(said.message for _, _, said in found)
