"""Rules: one short function each, known by its code."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from importlib import import_module
from types import UnionType
from typing import TypeAlias, TypeVar, get_args

from nodepools.model.base import Model
from nodepools.rules.finding import NOT_GIVEN, PartFinding, Severity
from nodepools.rules.fix import FixLike, fix_of
from nodepools.rules.path import Step

FAMILIES = (
    "aks_pools",
    "aks_labels",
    "aks_network",
    "aks_cluster",
    "aks_first_pool",
    "aks_rotation",
    "aks_upgrades",
    "aks_nodes",
    "aks_images",
    "aks_node_features",
    "aks_node_disks",
    "aks_node_settings",
    "aks_pool_dns",
    "aks_placement",
    "aks_gpu",
    "aks_windows",
    "aks_confidential",
    "aks_os_skus",
    "aks_retiring",
    "aks_subnets",
    "aks_dual_stack",
    "aks_outbound",
    "aks_api_server",
    "aks_services",
    "aks_pod_subnets",
    "aks_engines",
    "aks_maintenance",
    "aks_logs",
    "aks_ipv6",
    "nap_cluster",
    "nap_compatibility",
    "nap_node_pools",
    "nap_node_classes",
    "aks_local_dns",
    "eks_cluster",
    "eks_overrides",
    "eks_prerequisites",
    "eks_node_classes",
    "eks_node_class_fields",
    "eks_network_policies",
    "eks_network_interfaces",
    "eks_capacity_reservations",
    "eks_node_class_rotation",
    "eks_node_pools",
    "eks_instance_types",
    "eks_access",
    "eks_arns",
    "eks_add_ons",
    "karpenter",
    "karpenter_compatibility",
    "maintenance",
    "requirements",
    "pool_interactions",
    "platform",
    "must_fit",
    "version_support",
    "base_facts",
)
"""The modules of rules."""

RULES: dict[str, "Rule"] = {}
"""The rules of the modules that are imported; `all_rules()` imports them all."""

Kinds: TypeAlias = tuple[type[object], ...]
Find: TypeAlias = Callable[..., Iterator[PartFinding]]
F = TypeVar("F", bound=Find)


@dataclass(frozen=True, slots=True)
class Rule:
    """What is asked about every part of a declaration that it is about."""

    code: str
    name: str
    """What people remember and search for: `hard-taint-on-system-pool`."""
    severity: Severity
    source: str
    find: Find
    about: tuple[Kinds, ...]
    """The types of its parameters: what it judges, what must hold it, or may (`Platform | None`); a `date` is the day of the check."""
    sample: Callable[[], Model] | None
    """Makes the smallest declaration that breaks it; rules of teams may have none."""
    since: date | None = None
    until: date | None = None
    place: str | None = None
    """File and line of a rule of a team; `None` for those of the library."""

    @property
    def summary(self) -> str:
        """What it asks for."""
        return (self.find.__doc__ or "").strip()

    def holds_on(self, day: date) -> bool:
        """It is in force on `day`: from `since`, and before `until`."""
        return (self.since is None or self.since <= day) and (self.until is None or day < self.until)


def rule(  # a rule's own facts
    code: str, severity: Severity, *, source: str, sample: Callable[[], Model], since: date | None = None, until: date | None = None
) -> Callable[[F], F]:
    """Registers a rule. It is asked about every part of its first parameter's type; further parameters are what holds that part.

    Its public name is that of the function, in kebab-case.
    """

    def register(find: F) -> F:
        if code in RULES:
            raise ValueError(f"{code} is taken by {RULES[code].name}")
        RULES[code] = Rule(code, name_of(find), severity, source, find, parameter_types(find.__annotations__), sample, since, until)
        return find

    return register


def finding(of: Model, message: str, *, fix: FixLike = None, at: Step | tuple[Step, ...] = (), value: object = NOT_GIVEN) -> PartFinding:
    """A finding about a part of the declaration.

    Args:
        of: the part.
        message: a sentence that stands alone; it refers to fields and values by `ref()` and `literal()`.
        fix: advice as text, or operations on the declaration (`set_to()`, `remove()`, `add()`, `rename()`), from `of` on.
        at: the field of `of`, or the steps to a key or an entry inside it.
        value: the wrong value, where it is not what is found there: a key, a sum, a default.
    """
    return PartFinding(of, at if isinstance(at, tuple) else (at,), message, fix_of(fix), value)


def all_rules() -> Mapping[str, Rule]:
    """Every rule by its code."""
    for family in FAMILIES:
        import_module(f"nodepools.rules.{family}")
    return RULES


def name_of(find: Find) -> str:
    """The public name that follows from that of the function."""
    return find.__name__.replace("_", "-")


def parameter_types(hints: Mapping[str, object]) -> tuple[Kinds, ...]:
    """The types of the parameters of a rule."""
    return tuple(_kinds(hint) for parameter, hint in hints.items() if parameter != "return")


def _kinds(hint: object) -> Kinds:
    kinds = get_args(hint) if isinstance(hint, UnionType) else (hint,)
    return tuple(kind for kind in kinds if isinstance(kind, type))
