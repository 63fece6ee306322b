"""Which rules apply to a part of a declaration on a day, and with which of its parents as arguments."""

from collections.abc import Sequence
from datetime import date
from functools import cache
from types import NoneType
from typing import Final, TypeAlias

from nodepools.model.base import Model
from nodepools.rules.registry import Kinds, Rule, all_rules

Arguments: TypeAlias = tuple[int | None, ...]
"""The argument for each further parameter of a rule: the index of a parent, `TODAY` for the day, `None` for a missing optional parent."""
TODAY: Final = -1


class RulesOfDay:
    """The rules that apply on a day. Which of them apply to a part depends on types only, so it is remembered: programs check many declarations."""

    def __init__(self, day: date) -> None:
        self._by_checked_types: dict[Kinds, list[Rule]] = {}
        for rule in all_rules().values():
            if rule.holds_on(day):
                self._by_checked_types.setdefault(rule.parameter_types[0], []).append(rule)
        self._known: dict[tuple[type[Model], ...], Sequence[tuple[Rule, Arguments]]] = {}

    def applicable(self, kinds: tuple[type[Model], ...]) -> Sequence[tuple[Rule, Arguments]]:
        """The rules for a part of the first of `kinds` with parents of the other kinds, and the arguments of each."""
        found = self._known.get(kinds)
        if found is None:
            rules = [rule for checked, rules in self._by_checked_types.items() if issubclass(kinds[0], checked) for rule in rules]
            found = self._known[kinds] = [(rule, arguments) for rule in rules if (arguments := _arguments(rule, kinds)) is not None]
        return found


@cache
def rules_of(day: date, known: int) -> RulesOfDay:
    """The rules of a day. `known`, the number of rules, is part of the key: rules can be registered between two checks."""
    del known
    return RulesOfDay(day)


def _arguments(rule: Rule, kinds: tuple[type[Model], ...]) -> Arguments | None:
    """Selects the arguments of a rule of a part among its parents; both have the types `kinds`. `None` if a required one is missing."""
    _, *parents = kinds
    _, *further = rule.parameter_types
    arguments: list[int | None] = []
    for types in further:
        index = TODAY if types == (date,) else next((index for index, parent in enumerate(parents) if issubclass(parent, types)), None)
        if index is None and NoneType not in types:
            return None
        arguments.append(index)
    return tuple(arguments)
