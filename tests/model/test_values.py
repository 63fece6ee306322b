"""Frozen data classes that compile their methods late are those of the standard library."""

import copy
import dataclasses
import inspect
import pickle
from collections.abc import Callable
from typing import Any

import pytest

from nodepools.model.values import dataclass, field, replace


def classes(dataclass: Callable[..., Any]) -> list[Any]:
    """The same classes, with one decorator or the other."""

    @dataclass(frozen=True, slots=True)
    class Point:
        x: int
        y: "int | None" = None
        tags: dict[str, str] = field(default_factory=dict, compare=False, repr=False)
        seen: list[int] = field(init=False, default_factory=list, hash=False)

        def __post_init__(self) -> None:
            self.seen.append(self.x)

    @dataclass(frozen=True, slots=True, kw_only=True)
    class Named:  # noqa: PLW1641  # its hash is that of its fields
        """Has a text."""

        x: int
        y: int = 2

        def __repr__(self) -> str:
            return "named"

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Named)

    @dataclass(frozen=True)
    class Base:
        x: int

        def __hash__(self) -> int:
            return 7

    @dataclass(frozen=True, eq=False)
    class Derived(Base):
        y: int = 3

    return [Point, Named, Base, Derived]


PAIRS = [pytest.param(ours, theirs, id=ours.__name__) for ours, theirs in zip(classes(dataclass), classes(dataclasses.dataclass), strict=True)]
CALLS = [((), {}), ((1,), {}), ((1, 2), {}), ((), {"x": 1}), ((), {"x": 1, "y": 2}), ((1,), {"x": 1}), ((1, 2, {"a": "b"}), {}), ((), {"z": 1})]


def tried(action: Callable[[], object]) -> object:
    try:
        return action()
    except (TypeError, AttributeError) as error:
        return type(error), str(error)


@pytest.mark.parametrize(("ours", "theirs"), PAIRS)
def test_they_behave_as_those_of_the_standard_library(ours: Any, theirs: Any):
    def seen(made: Any) -> list[object]:
        results = [tried(lambda: made(*given, **named)) for given, named in CALLS]  # noqa: B023  # called at once
        found = [one if isinstance(one, tuple) else told(one, results) for one in results]
        arguments = [(one.name, one.kind, one.annotation) for one in inspect.signature(made).parameters.values()]
        return [*found, made.__match_args__, arguments, [one.name for one in dataclasses.fields(made)]]

    assert seen(ours) == seen(theirs)


def told(one: Any, others: list[Any]) -> list[object]:
    """What an object does."""
    actions: list[Callable[[], object]] = [
        lambda: repr(one),
        lambda: setattr(one, "x", 2),
        lambda: delattr(one, "x"),
        lambda: repr(replace(one, x=5)),
        lambda: hash(one) if type(one).__hash__ is not object.__hash__ else 1,
        lambda: [one == other for other in others],
        lambda: dataclasses.asdict(one),
        lambda: repr(copy.copy(one)),
        lambda: repr(copy.deepcopy(one)),
    ]
    return list(map(tried, actions))


@dataclass(frozen=True, slots=True)
class Pickled:
    x: int


class OfProgram(Pickled):
    def __init__(self) -> None:
        Pickled.__init__(self, 4)


def test_they_are_pickled_inherited_and_kept_in_sets():
    assert pickle.loads(pickle.dumps(Pickled(1))) == Pickled(1)  # noqa: S301  # our own
    assert OfProgram().x == 4
    assert len({Pickled(1), Pickled(1), Pickled(2)}) == 2
    assert Pickled(1) != OfProgram()
