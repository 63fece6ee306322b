"""Macros: `has`, and those that evaluate an expression for each element of a list or a map."""

from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from functools import cmp_to_key
from typing import Final, TypeAlias, cast

from nodepools.cel.access import has_field
from nodepools.cel.errors import CostLimitError, EvaluationError, MismatchError, NotCheckedError
from nodepools.cel.scope import Compiled, Scope, condition
from nodepools.cel.syntax import Call, Field, Name, Node
from nodepools.cel.values import NONE, Optional, compared, named

Compile: TypeAlias = Callable[[Node, tuple[str, ...]], Compiled]
"""Compiles an argument that can use these variables."""
_OF_A_LIST: Final = 10
"""The cost of creating a list, as for each element that `map` returns."""


@contextmanager
def _bound(scope: Scope, names: tuple[str, ...]) -> Generator[None]:
    """Keeps the variables that the macro hides."""
    kept = {name: scope.variables[name] for name in names if name in scope.variables}
    try:
        yield
    finally:
        for name in names:
            scope.variables.pop(name, None)
        scope.variables.update(kept)


def _passes(scope: Scope, target: Compiled, names: tuple[str, ...]) -> Iterator[tuple[object, ...]]:
    """Sets the variables to each element in turn: to the element, or the key of a map; or to the index or key, and the value."""
    value = target(scope)
    if not isinstance(value, list | dict):
        raise MismatchError(f"visits the elements of {named(value)}")
    declaration = cast("list[object] | dict[object, object]", value)
    meter, variables = scope.meter, scope.variables
    with _bound(scope, names):
        if len(names) == 1:
            [name] = names
            for element in list(declaration):
                meter.spend(1)
                variables[name] = element
                yield (element,)
            return
        for row in list(declaration.items() if isinstance(declaration, dict) else enumerate(declaration)):
            meter.spend(1)
            variables.update(zip(names, row, strict=True))
            yield row


def _decides(target: Compiled, names: tuple[str, ...], body: Compiled, *, by: bool) -> Compiled:
    """Returns `exists` (decided by one true) or `all` (decided by one false). Errors of other elements do not matter then."""

    def decided(scope: Scope) -> bool:
        failed: Exception | None = None
        for _ in _passes(scope, target, names):
            try:
                if condition(body(scope)) is by:
                    return by
            except CostLimitError:
                raise
            except (EvaluationError, NotCheckedError) as error:
                failed = error
        if failed is not None:
            raise failed
        return not by

    return decided


def _exactly_one(target: Compiled, names: tuple[str, ...], body: Compiled) -> Compiled:
    return lambda scope: sum(condition(body(scope)) for _ in _passes(scope, target, names)) == 1


def _filter(target: Compiled, names: tuple[str, ...], body: Compiled) -> Compiled:
    def filtered(scope: Scope) -> object:
        found: list[object] = []
        for row in _passes(scope, target, names):
            if condition(body(scope)):
                scope.meter.spend(_OF_A_LIST)
                found.append(row[0])
        return found

    return filtered


def _mapped(target: Compiled, names: tuple[str, ...], only: Compiled | None, body: Compiled) -> Compiled:
    def mapped(scope: Scope) -> object:
        found: list[object] = []
        for _ in _passes(scope, target, names):
            if only is None or condition(only(scope)):
                scope.meter.spend(_OF_A_LIST)
                found.append(body(scope))
        return found

    return mapped


def _to_map(target: Compiled, names: tuple[str, ...], only: Compiled | None, body: Compiled, *, with_keys: bool) -> Compiled:
    def transformed(scope: Scope) -> object:
        found: dict[object, object] = {}
        for row in _passes(scope, target, names):
            if only is not None and not condition(only(scope)):
                continue
            made = cast("dict[object, object]", body(scope)) if with_keys else {row[0]: body(scope)}
            if not isinstance(made, dict):  # pyright: ignore[reportUnnecessaryIsInstance]  # the expression decides
                raise MismatchError(f"uses {named(made)} as an entry of a map")
            if made.keys() & found.keys():
                raise EvaluationError("insert failed: key already exists")
            found.update(made)
        return found

    return transformed


def _sorted_by(target: Compiled, names: tuple[str, ...], body: Compiled) -> Compiled:
    def by_key(scope: Scope) -> object:
        keyed = [(body(scope), row[0]) for row in _passes(scope, target, names)]
        return [element for _, element in sorted(keyed, key=cmp_to_key(lambda item, other: compared(item[0], other[0])))]

    return by_key


def _of_optional(target: Compiled, names: tuple[str, ...], body: Compiled, *, flat: bool) -> Compiled:
    def mapped(scope: Scope) -> object:
        value = target(scope)
        if not isinstance(value, Optional):
            raise MismatchError(f"uses {named(value)} as an optional value")
        if not value.is_there:
            return NONE
        with _bound(scope, names):
            scope.variables.update(zip(names, (value.value,), strict=True))
            made = body(scope)
        return made if flat else Optional(made, is_there=True)

    return mapped


_ONE_BODY: Final[Mapping[tuple[str, int], Callable[[Compiled, tuple[str, ...], Compiled], Compiled]]] = {
    ("all", 1): lambda of, names, body: _decides(of, names, body, by=False),
    ("exists", 1): lambda of, names, body: _decides(of, names, body, by=True),
    ("exists_one", 1): _exactly_one,
    ("filter", 1): _filter,
    ("map", 1): lambda of, names, body: _mapped(of, names, None, body),
    ("sortBy", 1): _sorted_by,
    ("optMap", 1): lambda of, names, body: _of_optional(of, names, body, flat=False),
    ("optFlatMap", 1): lambda of, names, body: _of_optional(of, names, body, flat=True),
    ("all", 2): lambda of, names, body: _decides(of, names, body, by=False),
    ("exists", 2): lambda of, names, body: _decides(of, names, body, by=True),
    ("existsOne", 2): _exactly_one,
    ("exists_one", 2): _exactly_one,
    ("transformList", 2): lambda of, names, body: _mapped(of, names, None, body),
    ("transformMap", 2): lambda of, names, body: _to_map(of, names, None, body, with_keys=False),
    ("transformMapEntry", 2): lambda of, names, body: _to_map(of, names, None, body, with_keys=True),
}
"""Macros with one expression, by their name and the number of their variables."""
_WITH_CONDITION: Final[Mapping[tuple[str, int], Callable[[Compiled, tuple[str, ...], Compiled | None, Compiled], Compiled]]] = {
    ("map", 1): _mapped,
    ("transformList", 2): _mapped,
    ("transformMap", 2): lambda of, names, only, body: _to_map(of, names, only, body, with_keys=False),
    ("transformMapEntry", 2): lambda of, names, only, body: _to_map(of, names, only, body, with_keys=True),
}
"""Macros with a condition before their expression."""


def macro(call: Call, compile_: Compile) -> Compiled | None:
    """Returns a compiled macro; nothing if the call is not one."""
    if call.name == "has" and call.target is None and len(call.arguments) == 1 and isinstance(call.arguments[0], Field):
        tested = call.arguments[0]
        of = compile_(tested.of, ())
        return lambda scope: has_field(of(scope), tested.name)
    if call.target is None:
        return None
    for variables in (1, 2):
        names, bodies = call.arguments[:variables], call.arguments[variables:]
        key = (call.name, variables)
        known = [name.text for name in names if isinstance(name, Name)]
        if len(known) < variables or not ((key in _ONE_BODY and len(bodies) == 1) or (key in _WITH_CONDITION and len(bodies) == 2)):  # noqa: PLR2004
            continue
        of, made = compile_(call.target, ()), [compile_(body, tuple(known)) for body in bodies]
        return _ONE_BODY[key](of, tuple(known), made[0]) if len(made) == 1 else _WITH_CONDITION[key](of, tuple(known), made[0], made[1])
    return None
