"""The registry of rules: each is a short function with a code, a sample that breaks it, and limits.

The limits at the end are those that several rules share. Most fields that only declarations have need none: a field without an input is not known,
and a rule that reads it reports nothing.
"""

from collections.abc import Callable, Iterator, Mapping
from datetime import date
from enum import Enum
from functools import cache, partial
from importlib import import_module
from pkgutil import walk_packages
from types import UnionType
from typing import Final, Generic, NamedTuple, TypeAlias, TypeVar, get_args

from nodepools import rules
from nodepools.model.base import Model
from nodepools.model.steps import Step
from nodepools.rules.engine.codes import NAMES, OTHER_CODES, Code, family
from nodepools.rules.engine.finding import NOT_GIVEN, FixLike, PartFinding, Severity, fix_of


class Where(Enum):
    """What is checked, other than a whole declaration."""

    RESOURCES = "resources of a program, which the rule does not check"
    UNREAD = "resources of a program, which the rule checks without ever finding anything: no input has what it reads"
    SOFTENED = "resources of a program, about which its error is a warning"
    OPEN_CLUSTER = "a cluster in which others can create objects"
    NO_AUTO_MODE = "an EKS cluster without Auto Mode"
    INLINE_POOLS = "an AKS cluster without separate agent pools"
    SECRETS = "the values of secrets"
    MISSING_CLASS = "node classes that may be elsewhere: its error is a warning, and is reported only if the kind has others here"
    FILES = "objects in files, which the rule does not check"


class Limit(NamedTuple):
    """What a rule does not check, or not with certainty."""

    where: Where
    reason: str
    kind: str = ""
    """The kind of the node classes that `Where.MISSING_CLASS` is about."""


_NEAR: Final = 3
"""Maximum number of suggestions."""
_SHORTEST_PART: Final = 5
"""Shorter texts are part of too many names."""
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
    LATER = "later"
    """A `pulumi up` after the cloud has upgraded something automatically."""


class Sample(NamedTuple):
    """The smallest declaration that breaks a rule."""

    path: str
    """Where the rule reports it."""
    make: Callable[[], Model]

    def __call__(self) -> Model:
        """A new copy of the declaration."""
        return self.make()


class Sampled(NamedTuple, Generic[F]):
    """The function of a rule with its sample."""

    function: F
    sample: Sample
    limits: tuple[Limit, ...] = ()


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
    """Makes the smallest declaration that breaks the rule; a `Sample` for each rule of the library, `None` for own rules without one."""
    since: date | None = None
    until: date | None = None
    limits: tuple[Limit, ...] = ()
    """What it does not check, other than declarations."""
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
    code: str, source: str, *, severity: Severity, since: date | None = None, until: date | None = None, about: About = About.STATE
) -> Callable[[Sampled[F]], F]:
    """Registers a rule with its `@sample`. Its function checks every part that has the type of the first parameter; others are parents of that part.

    The public name is the name of the function in kebab-case.
    """

    def register(sampled: Sampled[F]) -> F:
        function = sampled.function
        if code in RULES:
            raise ValueError(f"the code {code} is already used by {RULES[code].name}")
        kinds = parameter_types(function.__annotations__)
        add_rule(Rule(code, name_of(function), severity, source, function, kinds, sampled.sample, since, until, sampled.limits, about=about))
        return function

    return register


error = partial(rule, severity=Severity.ERROR)
warning = partial(rule, severity=Severity.WARNING)
note = partial(rule, severity=Severity.NOTE)
"""The decorators of rules, by severity."""


def sample(path: str, make: Callable[[], Model]) -> Callable[[F], Sampled[F]]:
    """The decorator below that of the rule: the smallest declaration that breaks it, and where the rule reports that."""
    return lambda function: Sampled(function, Sample(path, make))


def limited(*limits: Limit) -> Callable[[Sampled[F]], Sampled[F]]:
    """The decorator between that of the rule and its sample: what the rule does not check."""
    return lambda sampled: sampled._replace(limits=limits)


def add_rule(new: Rule) -> None:
    """Registers a rule, with its name."""
    RULES[new.code] = new
    NAMES[new.code] = new.name


def finding(part: Model, message: str, *, fix: FixLike = None, path: Step | tuple[Step, ...] = (), value: object = NOT_GIVEN) -> PartFinding:
    """A finding about a part of the declaration, for the function of a rule.

    >>> finding(UserPool(vm_size="Standard_D4ds_v5"), "The pool has no team", path="labels").message
    'The pool has no team'

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


def limit_of(code: str, *where: Where) -> Limit | None:
    """What keeps a rule from checking one of these; `None` for a code that is of no rule too."""
    found = RULES.get(code)
    return None if found is None else next((limit for limit in found.limits if limit.where in where), None)


def is_softened(code: str) -> bool:
    """An error of this code is a warning about resources: a rule about creation does not know whether the resource exists already."""
    found = all_rules().get(code)
    return found is not None and (found.about is About.CREATION or limit_of(code, Where.SOFTENED, Where.MISSING_CLASS) is not None)


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


def all_codes() -> Iterator[Code]:
    """Every code, including those of own rules."""
    yield from OTHER_CODES.values()
    yield from map(_of_rule, all_rules().values())


def known(code: str) -> Code | None:
    """The entry of `code`; `None` for a foreign code, such as a policy of another pack."""
    if code in OTHER_CODES:
        return OTHER_CODES[code]
    rule = all_rules().get(code)
    return _of_rule(rule) if rule is not None else None


def named(text: str) -> Code | None:
    """The entry that has `text` as its code or name, regardless of case."""
    return known(text.upper()) or next((code for code in all_codes() if code.name == text.lower()), None)


def numbered(text: str) -> Code | None:
    """The entry that `text` names, also without the zeros of its number: `aks14`."""
    same = (code for code in all_codes() if _letters_and_number(code.code) == _letters_and_number(text.upper()))
    found = named(text)
    return found if found is not None else next(same, None)


def _letters_and_number(code: str) -> tuple[str, str]:
    letters = family(code)
    return letters, code.removeprefix(letters).lstrip("0")


def not_a_code(text: str) -> str:
    """The error message for `text`, which is neither a code nor a name, with the closest matches."""
    from difflib import get_close_matches  # slow to import, and needed for errors only

    spellings = {spelling: code.title for code in all_codes() for spelling in (code.code.lower(), code.name)}
    same = numbered(text)
    if same is not None:
        return f"`{text}` is not a code: use {same.title}"
    part = [spelling for spelling in spellings if len(text) >= _SHORTEST_PART and text.lower() in spelling]
    near = list(dict.fromkeys(spellings[match] for match in (*part, *get_close_matches(text.lower(), spellings, _NEAR))))[:_NEAR]
    hint = (
        f"the nearest {'is' if len(near) == 1 else 'are'} {', '.join(near)}" if near else "`nodepools rules --search WORD` finds rules by their text"
    )
    return f"{f'`{text}`' if text else 'an empty text'} is neither the code nor the name of a rule: {hint}"


def described(code: str) -> str:
    """The summary of `code`; empty for a foreign code."""
    found = known(code)
    return found.summary if found is not None else ""


def is_certain(code: str, severity: Severity) -> bool:
    """The code is an error of the library, which no team can accept: a cloud rejects the declaration, or it never works."""
    rule = all_rules().get(code)
    return severity is Severity.ERROR and (rule.place is None if rule is not None else code in OTHER_CODES)


def _of_rule(rule: Rule) -> Code:
    return Code(rule.code, rule.name, rule.severity, rule.summary)


NAMES_OF_RESOURCES: Final = Limit(Where.RESOURCES, "names and keys follow from the declaration; resources have names of their own")
ROTATIONS: Final = Limit(Where.RESOURCES, "only declarations have generations: other programs rotate their pools by hand")
OVERRIDES: Final = Limit(Where.RESOURCES, "the inputs of a resource override nothing")

OTHER_OBJECTS: Final = Limit(Where.OPEN_CLUSTER, "others can create objects in the cluster too")
WITHOUT_AUTO_MODE: Final = Limit(Where.NO_AUTO_MODE, "the cluster has no Auto Mode")

NETWORKS: Final = Limit(Where.UNREAD, "networks are separate resources: only subnets in plans of Terraform are checked")
API_VERSIONS: Final = Limit(Where.UNREAD, "a resource names the version of the API that it is sent with, and a newer field is not read")
DEVICE_PLUGINS: Final = Limit(Where.UNREAD, "only declarations add the device plugin")
WINDOWS: Final = Limit(Where.UNREAD, "only declarations have a window for both clouds: programs set AKS maintenance configurations, and budgets")
RIGHTS: Final = Limit(Where.UNREAD, "identities and their role assignments are separate resources, which are not checked")
BASELINES: Final = Limit(Where.UNREAD, "only a platform has a baseline: policy packs for other programs select rules by their codes")
SETTINGS: Final = Limit(Where.UNREAD, "data collection rules and diagnostic settings are separate resources, which are not checked")
WORKSPACES: Final = Limit(Where.UNREAD, "a cluster does not have the region of its workspace")
PLATFORMS: Final = Limit(Where.UNREAD, "the rule is about several clusters, or about workloads, of a declaration")
PRIORITIES: Final = Limit(Where.UNREAD, "priorities are in a ConfigMap, which anyone can create")
RETAINED: Final = Limit(Where.UNREAD, "retaining is an option that policies do not see")
GENERATIONS: Final = Limit(Where.UNREAD, "only declarations have generations: other programs rotate their pools by hand")
LOG_GROUPS: Final = Limit(Where.UNREAD, "log groups are separate resources, which are not checked")
POLICIES: Final = Limit(Where.UNREAD, "an association always has a role, whose policies are separate resources")

HEADROOMS: Final = Limit(Where.UNREAD, "only declarations have headroom: its objects are separate resources, which are not checked")
EGRESS_OBJECTS: Final = Limit(Where.UNREAD, "configurations of egress are objects in the cluster, which are separate resources")

BUILT_IN_POOLS: Final = Limit(Where.FILES, "files do not contain the built-in NodePools of the cluster")
FILES_WITHOUT_NETWORK: Final = Limit(Where.FILES, "files do not contain the network of the cluster")
FILES_WITHOUT_FAMILY: Final = Limit(Where.FILES, "files do not contain the address family of the cluster")
FILES_WITHOUT_CLUSTER: Final = Limit(Where.FILES, "the rule is about the cluster and its agent pools, which files do not contain")
FILES_WITHOUT_WINDOW: Final = Limit(Where.FILES, "only declarations have a maintenance window: objects have disruption budgets")
DECLARED_FIELDS: Final = Limit(Where.FILES, "the rule is about a field that only declarations have")
NAMES_OF_OBJECTS: Final = Limit(Where.FILES, "OBJ012 checks names in files: it allows for a cluster that is only partly known")
POOLS_OF_FILES: Final = Limit(Where.FILES, "OBJ011 checks pools in files: it allows for a cluster that is only partly known")
