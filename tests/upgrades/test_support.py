"""When support ends, what it costs, and how late an upgrade can start."""

from datetime import date

import pytest

from nodepools import Daily, Platform, UpgradeSettings, Weekly
from nodepools.clouds.fleet import Fleet
from nodepools.upgrades.support import support
from tests.upgrades.declared import aks, eks, pool
from tests.upgrades.running import node

CASES = {
    "months before the end": (aks(), date(2026, 11, 22), "supported", date(2027, 3, 31)),
    "weeks before": (aks(), date(2027, 2, 1), "soon", date(2027, 3, 31)),
    "the last day": (aks(), date(2027, 3, 31), "soon", date(2027, 3, 31)),
    "the day after": (aks(), date(2027, 4, 1), "ended", date(2027, 3, 31)),
    "long-term support of AKS counts": (
        aks(support_plan="AKSLongTermSupport", tier="Premium"),
        date(2027, 4, 1),
        "supported",
        date(2028, 3, 31),
    ),
    "extended support of EKS costs more: standard support counts": (eks(), date(2027, 4, 1), "ended", date(2027, 3, 27)),
    "an end that is not announced": (eks(kubernetes_version="1.37"), date(2026, 11, 22), "unknown", None),
    "a version that is not in the table": (eks(kubernetes_version="1.40"), date(2026, 11, 22), "unknown", None),
}


@pytest.mark.parametrize(("platform", "today", "state", "end"), CASES.values(), ids=CASES)
def test_support_of_the_declared_version(platform, today, state, end):
    [found] = support([platform], today)
    assert (found.verdict, found.end) == (state, end)
    assert found.is_late is (state == "ended")
    assert found.days_left == (None if end is None else (end - today).days)


@pytest.mark.parametrize(
    ("policy", "today", "named"),
    [
        ("EXTENDED", date(2028, 3, 27), ("standard", date(2027, 3, 27))),
        ("EXTENDED", date(2028, 3, 28), ("extended", date(2028, 3, 27))),
        ("STANDARD", date(2028, 3, 28), ("standard", date(2027, 3, 27))),
    ],
)
def test_the_end_to_tell_is_that_of_extended_support_once_it_has_passed(policy, today, named):
    [found] = support([eks(upgrade_policy=policy)], today)
    assert found.named_end == named


@pytest.mark.parametrize("today", [date(2026, 12, 1), date(2027, 1, 27), date(2027, 3, 31)])
@pytest.mark.parametrize("version", ["1.32", "1.34", "1.35", "1.36"])
@pytest.mark.parametrize("declared", [aks, eks])
def test_the_version_to_go_to_has_support_for_a_while(declared, version, today):
    """1.34 of AKS ended the day before the first of these days, and that of EKS ends the day after."""
    [found] = support([declared(kubernetes_version=version)], today)
    [then] = support([declared(kubernetes_version=found.following)], today)
    assert then.verdict in ("supported", "unknown")


def test_no_version_to_go_to():
    assert [support([declared(kubernetes_version="1.37")], date(2026, 12, 1))[0].following for declared in (aks, eks)] == [None, None]


def test_worst_first():
    clusters = {**aks(kubernetes_version="1.33").clusters, **eks().clusters}
    whole = Platform(name="dev", clusters={**clusters, "new": eks(kubernetes_version="1.37").clusters["use1"]})
    found = support([whole, aks(kubernetes_version="1.34")], date(2026, 11, 22))
    assert [(one.cluster, one.verdict) for one in found] == [
        ("dev/weu", "ended"),
        ("dev/weu", "soon"),
        ("dev/new", "unknown"),
        ("dev/use1", "supported"),
    ]


STARTS = {
    "two hours and a half: the last day": ({}, date(2027, 3, 31)),
    "a day and more: earlier": ({"pools": {"web": pool(count=50, upgrade=UpgradeSettings(max_surge="1"))}}, date(2027, 3, 30)),
    "a part without limit: not known": ({"pools": {"web": pool(overrides={"upgrade_settings": {}})}}, None),
}


@pytest.mark.parametrize(("fields", "expected"), STARTS.values(), ids=STARTS)
def test_the_latest_start_leaves_time_for_the_drains(fields, expected):
    [found] = support([aks(**fields)], date(2026, 11, 22))
    assert found.latest_start == expected


def test_extended_support_has_a_price_unless_eks_upgrades_first():
    [paid] = support([eks()], date(2026, 11, 22))
    [upgraded] = support([eks(upgrade_policy="STANDARD")], date(2026, 11, 22))
    assert paid.to_json()["cost_if_missed"] == {"usd_per_hour": 0.5, "usd_per_month": 365.0}
    assert upgraded.to_json()["cost_if_missed"] == {"usd_per_hour": 0.0, "usd_per_month": 0.0}
    assert "0.60 instead of 0.10 USD per hour" in paid.if_missed
    assert "automatically" in upgraded.if_missed


def test_the_offer_of_longer_support_is_for_clusters_without():
    [short] = support([aks()], date(2026, 11, 22))
    [long] = support([aks(support_plan="AKSLongTermSupport", tier="Premium")], date(2026, 11, 22))
    assert ("AKSLongTermSupport" in short.if_missed, "AKSLongTermSupport" in long.if_missed) == (True, False)


@pytest.mark.parametrize("fields", [{}, {"upgrade_policy": "STANDARD"}])
def test_after_extended_support_eks_offers_no_price(fields):
    [last] = support([eks(kubernetes_version="1.31", **fields)], date(2026, 11, 26))
    [after] = support([eks(kubernetes_version="1.31", **fields)], date(2026, 11, 27))
    assert after.if_missed == "EKS rejects new clusters of this version, and upgrades the control plane automatically" != last.if_missed
    assert (after.verdict, after.usd_per_month) == ("ended", 0.0)


def test_the_version_without_any_support_is_before_one_that_has_a_price():
    found = support([eks(kubernetes_version="1.32"), eks(kubernetes_version="1.31")], date(2026, 12, 1))
    assert [one.version for one in found] == ["1.31", "1.32"]


def test_after_long_term_support_aks_offers_none():
    [last] = support([aks(kubernetes_version="1.31")], date(2026, 11, 30))
    [after] = support([aks(kubernetes_version="1.31")], date(2026, 12, 1))
    assert ("AKSLongTermSupport" in last.if_missed, "AKSLongTermSupport" in after.if_missed) == (True, False)


def test_json_has_dates_or_null():
    [known] = support([aks()], date(2026, 11, 22))
    [unknown] = support([eks(kubernetes_version="1.37")], date(2026, 11, 22))
    assert {key: known.to_json()[key] for key in ("support_ends", "extended_ends", "latest_start", "newest", "as_of")} == {
        "support_ends": "2027-03-31",
        "extended_ends": "2028-03-31",
        "latest_start": "2027-03-31",
        "newest": "1.37",
        "as_of": "2026-08-21",
    }
    assert [unknown.to_json()[key] for key in ("support_ends", "extended_ends", "latest_start", "days_left")] == [None] * 4


def test_the_version_that_runs_counts_if_it_was_exported():
    today = date(2026, 11, 22)
    [found] = support([aks()], today, {("dev", "weu"): Fleet(control_plane="1.36.2", nodes=(node("web", 0, "1.35.4"),))})
    assert (found.version, found.end) == ("1.36.2", date(2027, 6, 30))
    [nodes_only] = support([aks()], today, {("dev", "weu"): Fleet(nodes=(node("web", 0, "1.35.4"),))})
    assert (nodes_only.version, nodes_only.end) == ("1.35", date(2027, 3, 31))


WINDOWS = {
    "without a window": ({}, None),
    "the last Sunday before the last day": ({"maintenance": Weekly(days="sun", start="02:00", hours=6)}, "2027-03-28T02:00:00+00:00"),
    "the last day itself": ({"maintenance": Weekly(days="wed", start="02:00", hours=6)}, "2027-03-31T02:00:00+00:00"),
    "a window that opens too late on the last day": ({"maintenance": Weekly(days="wed", start="22:00", hours=6)}, "2027-03-24T22:00:00+00:00"),
    "a window that opens on the day after where it is, and before midnight in UTC": (
        {"maintenance": Daily(start="00:30", hours=6, tz="Asia/Tokyo")},
        "2027-04-01T00:30:00+09:00",
    ),
    "a last day that is not known": (
        {"maintenance": Daily(start="02:00", hours=6), "pools": {"web": pool(overrides={"upgrade_settings": {}})}},
        None,
    ),
}


@pytest.mark.parametrize(("fields", "opens"), WINDOWS.values(), ids=WINDOWS)
def test_the_last_window_is_the_last_one_that_opens_in_time(fields, opens):
    [found] = support([aks(**fields)], date(2026, 11, 22))
    assert found.to_json()["latest_window"] == opens
