"""Changes that `explain` can offer for a pod: each is an operation on the pod, and its text is an instruction."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from typing import Final

from nodepools.model.kubernetes.label import Taint
from nodepools.model.kubernetes.pod import Expression, Pod, Term, Toleration
from nodepools.model.values import dataclass, field, replace
from nodepools.placement.allocatable import spelled


class Change(ABC):
    """A change that may let a pod run on a pool."""

    @property
    def options(self) -> "tuple[Change, ...]":
        """The definite changes to choose from."""
        return (self,)

    @property
    def guess(self) -> int:
        """How far it is from what was meant for certain, among changes for reasons of one kind."""
        return 0

    @property
    def label(self) -> str:
        """The key of the label that the pod no longer selects as before; empty: it selects the same."""
        return ""

    def apply(self, pod: Pod) -> Pod:
        """Returns the pod with this change."""
        return self._change(pod)

    def then(self, _later: "Change") -> "Change | None":
        """This change and a later one of what it made, as one change; `None` if the later one is about something else."""
        return None

    @abstractmethod
    def _change(self, pod: Pod) -> Pod: ...

    @abstractmethod
    def __str__(self) -> str:
        """The instruction, in lower case."""


@dataclass(frozen=True)
class AddToleration(Change):
    """Lets the pod tolerate a taint."""

    taint: Taint

    def _change(self, pod: Pod) -> Pod:
        return replace(pod, tolerations=(*pod.tolerations, Toleration(self.taint.key, "Equal", self.taint.value, self.taint.effect)))

    def __str__(self) -> str:
        return f"add toleration `{self.taint}`"


@dataclass(frozen=True)
class Select(Change):
    """Requires another label, or another value of a label."""

    old: Expression
    key: str
    values: tuple[str, ...]
    """The values to choose from. The first is applied."""
    condition: str = ""
    """A further condition: `, if the image runs on it`."""
    similar: bool = False
    """Whether the new key or value is spelled like the old one."""

    @property
    def options(self) -> tuple[Change, ...]:
        """One for each value."""
        return tuple(replace(self, values=(value,)) for value in self.values)

    @property
    def label(self) -> str:
        """The one that it selected."""
        return self.old.key

    @property
    def guess(self) -> int:
        """A similar spelling is a correction; any other value is a choice."""
        return 0 if self.similar else 1

    def _change(self, pod: Pod) -> Pod:
        new = Expression(self.key, "In", self.values[:1])
        return _edited(pod, lambda item: (new,) if item == self.old else (item,))

    def then(self, later: Change) -> Change | None:
        """One change from the first expression to the last."""
        made = Expression(self.key, "In", self.values)
        if isinstance(later, Select) and later.old == made:
            return replace(later, old=self.old)
        return Remove(self.old) if isinstance(later, Remove) and later.expression == made else None

    def __str__(self) -> str:
        new = [f"`{self.key}={value}`" for value in self.values]
        choice = f"one of {', '.join(new)}" if len(new) > 1 else new[0]
        return f"change `{self.old}` to {choice}{self.condition}"


@dataclass(frozen=True)
class Remove(Change):
    """Removes an expression of the nodeSelector or the required node affinity."""

    expression: Expression

    @property
    def label(self) -> str:
        """The one that it selected."""
        return self.expression.key

    @property
    def guess(self) -> int:
        """It was written for a purpose."""
        return 2

    def _change(self, pod: Pod) -> Pod:
        return _edited(pod, lambda item: () if item == self.expression else (item,))

    def __str__(self) -> str:
        return f"remove the selector `{self.expression}`"


@dataclass(frozen=True)
class RemoveLabel(Change):
    """Removes every expression about a label, of required and preferred node affinity."""

    key: str

    def _change(self, pod: Pod) -> Pod:
        def kept(expression: Expression) -> Iterable[Expression]:
            return () if expression.key == self.key else (expression,)

        edited = [replace(weighted, term=term) for weighted in pod.preferred for term in _terms([weighted.term], kept)]
        return replace(_edited(pod, kept), preferred=tuple(edited))

    def __str__(self) -> str:
        return f"remove `{self.key}` from the node affinity"


@dataclass(frozen=True)
class Edit(Change):
    """A change that is the same for each value: its text, and what it does."""

    text: str
    edit: Callable[[Pod], Pod] = field(compare=False)

    def _change(self, pod: Pod) -> Pod:
        return self.edit(pod)

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class SetZones(Change):
    """Gives a pool without zones the zones that the pod requires: for the pod the same as no requirement."""

    expression: Expression

    def _change(self, pod: Pod) -> Pod:
        return _edited(pod, lambda item: () if item == self.expression else (item,))

    def __str__(self) -> str:
        numbers = ", ".join(value.rpartition("-")[2] for value in self.expression.values)
        return f"set `zones` of the pool to `[{numbers}]`: its nodes are in no zone"


@dataclass(frozen=True)
class LowerRequest(Change):
    """Lowers a resource request."""

    resource: str
    amount: int
    """In thousandths."""
    overhead: int = 0
    """What of it the pod does not request itself."""

    @property
    def guess(self) -> int:
        """The smaller the reduction, the better."""
        return -self.amount

    def _change(self, pod: Pod) -> Pod:
        return replace(pod, requests=tuple((name, min(amount, self.amount) if name == self.resource else amount) for name, amount in pod.requests))

    def __str__(self) -> str:
        return f"request at most `{spelled(self.resource, self.amount - self.overhead)}` {self.resource}"


def _edited(pod: Pod, edit: Callable[[Expression], Iterable[Expression]]) -> Pod:
    """The pod with each required expression replaced by what `edit` returns for it."""
    selector = tuple((weighted.key, weighted.values[0]) for old in pod.selector for weighted in edit(old))
    return replace(pod if pod.required is None else _requiring(pod, _terms(pod.required, edit)), node_selector=selector)


def _terms(terms: Iterable[Term], edit: Callable[[Expression], Iterable[Expression]]) -> list[Term]:
    """The edited terms. A term that becomes empty is dropped: it would match no node."""
    edited = [(term, replace(term, expressions=tuple(new for expression in term.expressions for new in edit(expression)))) for term in terms]
    return [new for old, new in edited if old.empty or not new.empty]


def _requiring(pod: Pod, terms: list[Term]) -> Pod:
    """A pod that requires no term has no required node affinity."""
    return replace(pod, required=tuple(terms) if terms else None)


def _without_fields(pod: Pod) -> Pod:
    without = [replace(term, fields=()) for term in pod.required or ()]
    return _requiring(pod, [term for term in without if not term.empty])


NO_EMPTY_TERMS: Final = Edit(
    "remove the empty term of the node affinity", lambda pod: _requiring(pod, [term for term in pod.required or () if not term.empty])
)
NO_MATCH_FIELDS: Final = Edit("remove `matchFields` from the node affinity", _without_fields)
NO_PREFERENCES: Final = Edit("remove the preferred node affinity", lambda pod: replace(pod, preferred=()))


def set_system(system: str) -> Change:
    """Names the operating system whose nodes the pod selects."""
    return Edit(f"set `spec.os.name` to `{system}`, which the pod selects", lambda pod: replace(pod, system=system))
