"""Security groups that terms of a node class select: Karpenter replaces all nodes if another set is selected, and none otherwise.

Source: karpenter-provider-aws 1.14, `areSecurityGroupsDrifted` and pkg/providers/securitygroup: an id decides alone, then a name, then tags.
"""

from typing import Final

from nodepools.model.plain_data import mapping, sequence

TERMS: Final = "securityGroupSelectorTerms"
_WILDCARDS: Final = ("*", "?")


def selects_others(old: object, new: object) -> bool:
    """It is certain that both select other groups: both by ids, or both by names, which are not the same. Tags can be those of the same groups."""
    first, second = _named(old), _named(new)
    return first is not None and second is not None and first[0] == second[0] and first[1] != second[1]


def _named(terms: object) -> tuple[str, frozenset[str]] | None:
    """What all terms name, `id` or `name`, and the values; `None` if not all of them name the same."""
    found = [next(((key, str(term[key])) for key in ("id", "name") if term.get(key)), None) for term in map(mapping, sequence(terms))]
    exact = [one for one in found if one is not None and not any(mark in one[1] for mark in _WILDCARDS)]
    kinds = {kind for kind, _ in exact}
    return (kinds.pop(), frozenset(value for _, value in exact)) if len(exact) == len(found) and len(kinds) == 1 else None
