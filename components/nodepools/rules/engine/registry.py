"""The registry of rules: each is a short function with a code."""

from collections.abc import Callable, Iterator, Mapping
from datetime import date
from enum import Enum
from functools import cache
from importlib import import_module
from pkgutil import walk_packages
from types import UnionType
from typing import NamedTuple, TypeAlias, TypeVar, get_args

from nodepools import rules
from nodepools.model.base import Model
from nodepools.rules.engine.finding import NOT_GIVEN, PartFinding, Severity
from nodepools.rules.engine.fix import FixLike, fix_of
from nodepools.rules.engine.path import Step

"""The modules of rules."""

RULES: dict[str, "Rule"] = {}
"""Rules of the modules that are imported so far; `all_rules()` imports all of them."""

Kinds: TypeAlias = tuple[type[object], ...]
RuleFunction: TypeAlias = Callable[..., Iterator[PartFinding]]
F = TypeVar("F", bound=RuleFunction)


class About(Enum):
    """What the findings of a rule are about."""

    STATE = "state"
    """What is declared, whether it exists or not."""
    CREATION = "creation"
    """A request that creates it: what exists already, such as an adopted cluster or pool, does not send it."""


class Rule(NamedTuple):
    """A rule: code, severity, source, and the function that checks one part of a declaration."""

    code: str
    name: str
    """In kebab-case, such as `hard-taint-on-system-pool`."""
    severity: Severity
    source: str
    function: RuleFunction
    parameter_types: tuple[Kinds, ...]
    """Types of the parameters: the part that is checked, then its parents (optional with `| None`); a `date` is the day of the check."""
    sample: Callable[[], Model] | None
    """Makes the smallest declaration that breaks the rule; `None` for own rules without a sample."""
    since: date | None = None
    until: date | None = None
    place: str | None = None
    """File and line of an own rule of a team; `None` for rules of the library."""
    about: About = About.STATE

    @property
    def summary(self) -> str:
        """The docstring of the function."""
        return (self.function.__doc__ or "").strip()

    def holds_on(self, day: date) -> bool:
        """The rule applies on `day`: from `since` on, and before `until`."""
        return (self.since is None or self.since <= day) and (self.until is None or day < self.until)


def rule(
    code: str,
    severity: Severity,
    *,
    source: str,
    sample: Callable[[], Model],
    since: date | None = None,
    until: date | None = None,
    about: About = About.STATE,
) -> Callable[[F], F]:
    """Registers a rule. Its function checks every part that has the type of the first parameter; further parameters are parents of that part.

    The public name is the name of the function in kebab-case.
    """

    def register(function: F) -> F:
        if code in RULES:
            raise ValueError(f"the code {code} is already used by {RULES[code].name}")
        kinds = parameter_types(function.__annotations__)
        RULES[code] = Rule(code, name_of(function), severity, source, function, kinds, sample, since, until, about=about)
        return function

    return register


def finding(part: Model, message: str, *, fix: FixLike = None, path: Step | tuple[Step, ...] = (), value: object = NOT_GIVEN) -> PartFinding:
    """A finding about a part of the declaration.

    Args:
        part: the part.
        message: a sentence that stands alone, with fields as `ref()` and values to type as `literal()`.
        fix: advice as text, or operations (`set_to()`, `remove()`, `add()`, `rename()`) whose paths start at `part`.
        path: the field of `part`, or the path to a key or an entry inside it.
        value: the wrong value, if it is not the value at the path: a key, a sum, a default.
    """
    return PartFinding(part, path if isinstance(path, tuple) else (path,), message, fix_of(fix), value)


def all_rules() -> Mapping[str, Rule]:
    """Every rule by its code."""
    _import_families()
    return RULES


@cache
def _import_families() -> None:
    """Registers the rules of the library, once."""
    for module in rule_modules():
        import_module(module)


def rule_modules() -> Iterator[str]:
    """The modules with rules: all in the folders next to this one."""
    for found in walk_packages(rules.__path__, f"{rules.__name__}."):
        if not found.ispkg and not found.name.startswith(f"{rules.__name__}.engine."):
            yield found.name


def name_of(function: RuleFunction) -> str:
    """The public name of a rule: the name of its function in kebab-case."""
    return function.__name__.replace("_", "-")


def parameter_types(hints: Mapping[str, object]) -> tuple[Kinds, ...]:
    """The types of the parameters of a rule."""
    return tuple(_kinds(hint) for parameter, hint in hints.items() if parameter != "return")


def _kinds(hint: object) -> Kinds:
    kinds = get_args(hint) if isinstance(hint, UnionType) else (hint,)
    return tuple(kind for kind in kinds if isinstance(kind, type))
