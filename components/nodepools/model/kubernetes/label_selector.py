"""A selector of pods by their labels."""

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from nodepools.model.kubernetes.pod import Expression
from nodepools.model.kubernetes.raw_fields import PodError, entries, mapping, text, texts

_OPERATORS = ("In", "NotIn", "Exists", "DoesNotExist")


@dataclass(frozen=True, slots=True)
class LabelSelector:
    """Expressions that must all match."""

    expressions: tuple[Expression, ...] | None
    """`None` matches nothing; no expressions match everything."""

    def matches(self, labels: Mapping[str, str]) -> bool:
        """It selects an object with these labels."""
        return self.expressions is not None and all(expression.matches(labels.get(expression.key)) for expression in self.expressions)

    def selects(self, labels: Mapping[str, str], unknown: AbstractSet[str] = frozenset()) -> bool | None:
        """As `matches`; `None` if that depends on the values of labels that it has, and whose values are unknown."""
        if self.expressions is None:
            return False
        found = [
            _decided(expression) if expression.key in unknown else expression.matches(labels.get(expression.key)) for expression in self.expressions
        ]
        return False if False in found else None if None in found else True

    def also(self, more: Iterable[Expression]) -> "LabelSelector":
        """It, with more expressions that must match; one that matches nothing still does."""
        return self if self.expressions is None else LabelSelector((*self.expressions, *more))


def _decided(expression: Expression) -> bool | None:
    """Whether a label with an unknown value matches."""
    return {"Exists": True, "DoesNotExist": False}.get(expression.operator)


def read_selector(raw: Mapping[str, object], name: str) -> LabelSelector:
    """Reads the selector in a field.

    Raises:
        PodError: it is not valid; the message says where and why.
    """
    if raw.get(name) is None:
        return LabelSelector(None)
    written = mapping(raw, name)
    exact = (Expression(key, "In", (text(value, key),)) for key, value in mapping(written, "matchLabels").items())
    return LabelSelector((*exact, *(_expression(entry, name) for entry in entries(written, "matchExpressions"))))


def _expression(raw: Mapping[str, object], name: str) -> Expression:
    operator = text(raw.get("operator"), "operator")
    if operator not in _OPERATORS:
        raise PodError(f"{name}: operator must be one of {', '.join(_OPERATORS)}, not {operator!r}")
    return Expression(text(raw.get("key"), "key"), operator, texts(raw, "values"))
