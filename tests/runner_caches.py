"""Tests that register rules of their own forget which rules apply to which parts: two tests can have the same number of different rules."""

from nodepools.rules import applicable_rules


def forget_rules() -> None:
    applicable_rules.rules_of.cache_clear()
