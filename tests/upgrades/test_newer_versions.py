"""What is said of versions that are newer than the tables: unknown, with the day of the table, and never an older version."""

import re
from collections.abc import Mapping
from datetime import date, timedelta

import pytest

from nodepools import Platform, check
from nodepools.data.version_support import AKS_SUPPORT, EKS_SUPPORT, NEWER, SupportTable, minor
from nodepools.rules.engine.finding import Severity
from tests.upgrades.declared import aks, eks, plan

CLUSTERS = {"aks": aks, "eks": eks}
TABLES: Mapping[str, SupportTable] = {"aks": AKS_SUPPORT, "eks": EKS_SUPPORT}
DAYS = [date(2025, 1, 1) + timedelta(days=91 * number) for number in range(16)]
VERSION = re.compile(r"(?<![\d.v])1\.([0-9]{2})(?![\d-])")


def versions(cloud: str) -> range:
    table = TABLES[cloud]
    return range(table.oldest.minor - 1, table.newest.minor + 4)


@pytest.mark.sweep
@pytest.mark.parametrize(("cloud", "number"), [(cloud, number) for cloud in CLUSTERS for number in versions(cloud)])
def test_no_fix_names_an_older_version(cloud: str, number: int) -> None:
    """A cluster that exists cannot go back, so no fix of any rule, on any day, names a version below its own."""
    for day in DAYS:
        for finding in check(CLUSTERS[cloud](kubernetes_version=f"1.{number}"), today=day):
            text = finding.fix.text if finding.fix is not None else ""
            assert [older for older in VERSION.findall(text) if int(older) < number] == [], (finding.code, day)


@pytest.mark.parametrize("cloud", CLUSTERS)
@pytest.mark.parametrize("above", [1, 2, 62])
def test_a_newer_version_is_one_warning_without_a_fix(cloud: str, above: int) -> None:
    table = TABLES[cloud]
    platform = CLUSTERS[cloud](kubernetes_version=f"1.{table.newest.minor + above}")
    known = {finding.code for finding in check(CLUSTERS[cloud](kubernetes_version=table.newest.version), today=table.day)}
    [found] = [finding for finding in check(platform, today=table.day) if finding.code not in known]
    assert (found.severity, found.fix) == (Severity.WARNING, None)
    assert f"newer than `nodepools` knows (table of {table.day}, up to {table.newest.version})" in found.message


def told(platform: Platform, to: str) -> list[tuple[str, str | None]]:
    found = plan(platform, to)
    assert found.verdict == "unknown"
    return [(blocker.message, blocker.fix) for blocker in found.blockers if NEWER in blocker.message]


@pytest.mark.parametrize("cloud", CLUSTERS)
@pytest.mark.parametrize(("below", "steps"), [(-1, 2), (0, 2), (1, 1)])
def test_each_step_to_a_newer_version_is_unknown(cloud: str, below: int, steps: int) -> None:
    """Also from a version that is newer itself: the rules have said it before, and the next version is still not known to exist."""
    table = TABLES[cloud]
    first, last = table.newest.minor + below, table.newest.minor + 2
    found = told(CLUSTERS[cloud](kubernetes_version=f"1.{first}"), f"1.{last}")
    assert len(found) == steps
    assert {fix for _, fix in found} <= {None}
    assert [minor(message.split()[1]) for message, _ in found] == list(range(last - steps + 1, last + 1))
