"""Tests that register rules of their own forget which rules apply to which parts: two tests can have the same number of different rules."""

from nodepools.rules.engine import runner


def forget_rules() -> None:
    runner.rules_of.cache_clear()
