"""Ten programs that use none of our components, judged by the pack over the real protocol: all that is expected, and nothing else."""

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TypeAlias

import pytest
from google.protobuf.empty_pb2 import Empty

from nodepools.engine.analyzer import Analysis, run_analyzer
from nodepools.engine.property_values import JsonValue
from nodepools.engine.protocol import AnalyzerCalls
from nodepools.resources.violation_text import parse_violation
from tests.policy.conftest import planned

pytestmark = pytest.mark.sweep

TODAY = "2026-11-21"
"""The day for which all are judged."""
PROGRAMS = Path(__file__).with_name("programs")
Row: TypeAlias = tuple[str, ...]
EXPECTED: Mapping[str, list[Row]] = {
    program.parent.name: [tuple(line.split()[2:]) for line in program.read_text(encoding="utf-8").splitlines() if line.startswith("# found: ")]
    for program in sorted(PROGRAMS.glob("*/__main__.py"))
}
"""What each program says of itself, before the pack was asked: nothing else may be reported. Notes are off, unless it configures them."""
CONFIGURED: Mapping[str, Mapping[str, object]] = {
    "organisation": {
        "isolated-system-pools": "mandatory",
        "zone-redundant-system-pools": {"enforcementLevel": "advisory", "zones": 3},
        "node-pool-limits": "mandatory",
        "private-api-server": "mandatory",
        "kubernetes-version-support": {"enforcementLevel": "mandatory", "days": 90, "today": "2027-03-01"},
        "allowed-vm-sizes": {"sizes": ["Standard_D*ds_v5"]},
        "allowed-instance-families": {"families": ["c", "m", "r"]},
        "maximum-vcpus": {"vcpus": 400},
        "no-spot-only-production": {"namespaces": ["production"]},
        "required-tags": {"tags": {"owner": None}},
        "required-labels": {"labels": ["team"]},
        "consolidate-after": {"after": "30s"},
    },
}
"""Configuration files of the programs that have one."""

NAMED = sorted({(program, row[0]) for program, rows in EXPECTED.items() for row in rows})


@pytest.fixture(scope="module")
def said(pack: AnalyzerCalls):
    """What the pack says of a program."""
    return cache(lambda program: run_analyzer(pack, planned(program), config(pack, program)))


def config(pack: AnalyzerCalls, program: str, off: str | None = None) -> dict[str, JsonValue]:
    """The configuration of a program, for a certain day; with one policy off, if one is named."""
    dated: dict[str, JsonValue] = {
        one.name: {"today": TODAY} for one in pack.information(Empty()).policies if "today" in one.configSchema.properties.fields
    }
    return {**dated, **CONFIGURED.get(program, {}), **({off: "disabled"} if off is not None else {})}


def rows(analysis: Analysis) -> Iterator[Row]:
    yield from ((one.policy, one.urn.rpartition("::")[2], parse_violation(one.message).path) for one in analysis.breaches)


@pytest.mark.parametrize("program", EXPECTED)
def test_the_pack_says_what_is_expected_and_nothing_else(said, program):
    assert sorted(rows(said(program))) == sorted(EXPECTED[program])


@pytest.mark.parametrize("program", EXPECTED)
def test_each_violation_says_what_stands_there_and_what_to_do(said, program):
    for breach in said(program).breaches:
        complaint = parse_violation(breach.message)
        assert complaint.path
        assert complaint.message
        assert complaint.source
        assert breach.description


@pytest.mark.parametrize(("program", "policy"), NAMED)
def test_switching_a_policy_off_loses_what_it_says_and_nothing_else(remembering, program, policy):
    left = run_analyzer(remembering, planned(program), config(remembering, program, off=policy))
    assert sorted(rows(left)) == sorted(row for row in EXPECTED[program] if row[0] != policy)


def test_many_rules_and_every_policy_of_the_organisation_are_among_them(pack):
    named = {policy for _, policy in NAMED}
    every = {one.name for one in pack.information(Empty()).policies}
    assert len({name for name in named if name.isupper()}) >= 80
    assert {name for name in every if not name[-1].isdigit()} <= named


@pytest.mark.parametrize("program", EXPECTED)
def test_no_program_uses_what_the_library_makes(program):
    assert not any(one.type.startswith("nodepools:") for one in planned(program).resources)


def test_configurations_are_of_programs():
    assert CONFIGURED.keys() <= EXPECTED.keys()
