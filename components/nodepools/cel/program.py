"""Compiles expressions to functions that evaluate them."""

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cmp_to_key
from typing import Final, TypeAlias, cast

from nodepools.cel.functions import called
from nodepools.cel.libraries import NAMES_OF_TYPES, library
from nodepools.cel.meter import Compiled, CostLimitError, EvaluationError, Meter, MismatchError, NotCheckedError, Scope
from nodepools.cel.operators import BINARY, entry, field, has_field, negated, optional_entry, optional_field
from nodepools.cel.parser import Call, Entry, Field, ListOf, Literal, MapOf, Name, Node, names, parse
from nodepools.cel.values import NONE, Optional, compared, condition, named

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


class Program:
    """A compiled expression."""

    def __init__(self, text: str, variables: Iterable[str]) -> None:
        """Compiles an expression that can use these variables.

        Raises:
            RuleSyntaxError: the text is not an expression.
            NotCheckedError: it uses what is unknown here.
        """
        node = parse(text)
        try:
            self.names = frozenset(names(node))
            self._run = _compiled(node, frozenset(variables))
        except RecursionError:
            raise NotCheckedError("is nested too deeply") from None

    def evaluate(self, variables: dict[str, object], meter: Meter) -> object:
        """Returns the value of the expression.

        Raises:
            EvaluationError: the evaluation fails, as in the API server.
            NotCheckedError: the expression needs what is unknown here, or more than the limits allow.
        """
        meter.begin_rule()
        try:
            return self._run(Scope(variables, meter))
        except RecursionError:
            raise NotCheckedError("is nested too deeply") from None


def _compiled(node: Node, known: frozenset[str]) -> Compiled:
    """Compiles a part of an expression. One without variables is evaluated at once and costs nothing, as in the API server."""
    made = _of_node(node, known)
    if isinstance(node, Literal | Name) or any(name in known for name in names(node)) or _has_macro(node):
        return made
    try:
        value = made(Scope({}, Meter()))
    except (EvaluationError, NotCheckedError) as error:
        return _raising(error)
    return lambda _: value


def _has_macro(node: Node) -> bool:
    """Whether a call has variables of its own."""
    return isinstance(node, Call) and node.target is not None and any(isinstance(argument, Name) for argument in node.arguments)


def _raising(error: Exception) -> Compiled:
    def fail(_: Scope) -> object:
        raise error

    return fail


def _of_node(node: Node, known: frozenset[str]) -> Compiled:
    match node:
        case Name():
            return _name(node.text, known)
        case Field():
            return _field(node, known)
        case Entry():
            return _entry(node, known)
        case Call():
            return _call(node, known)
        case _:
            return _constructed(node, known)


def _constructed(node: Literal | ListOf | MapOf, known: frozenset[str]) -> Compiled:
    match node:
        case Literal():
            value = node.value
            return lambda _: value
        case ListOf():
            return _list([(_compiled(element, known), is_optional) for element, is_optional in node.elements])
        case MapOf():
            return _map([(_compiled(key, known), _compiled(value, known), is_optional) for key, value, is_optional in node.entries])


def _name(text: str, known: frozenset[str]) -> Compiled:
    if text in known:

        def read(scope: Scope) -> object:
            scope.meter.left -= 1
            return scope.variables[text]

        return read
    if text in NAMES_OF_TYPES:
        kind = NAMES_OF_TYPES[text]
        return lambda _: kind
    raise NotCheckedError(f"uses the unknown variable `{text}`")


def _dotted(node: Node | None) -> str | None:
    """Returns a name with dots, such as that of a type or a function."""
    if isinstance(node, Name):
        return node.text
    if isinstance(node, Field) and not node.is_optional and (of := _dotted(node.of)) is not None:
        return f"{of}.{node.name}"
    return None


def _field(node: Field, known: frozenset[str]) -> Compiled:
    dotted = _dotted(node)
    if dotted in NAMES_OF_TYPES and dotted.split(".")[0] not in known:
        kind = NAMES_OF_TYPES[dotted]
        return lambda _: kind
    of, name, read = _compiled(node.of, known), node.name, optional_field if node.is_optional else field

    def read_field(scope: Scope) -> object:
        scope.meter.left -= 1
        return read(of(scope), name)

    return read_field


def _entry(node: Entry, known: frozenset[str]) -> Compiled:
    of, key, read = _compiled(node.of, known), _compiled(node.key, known), optional_entry if node.is_optional else entry

    def read_entry(scope: Scope) -> object:
        scope.meter.left -= 1
        return read(of(scope), key(scope))

    return read_entry


def _list(elements: list[tuple[Compiled, bool]]) -> Compiled:
    def build(scope: Scope) -> object:
        scope.meter.spend(10)
        return [part for element, is_optional in elements for part in _there(element(scope), is_optional=is_optional)]

    return build


def _map(entries: list[tuple[Compiled, Compiled, bool]]) -> Compiled:
    def build(scope: Scope) -> object:
        scope.meter.spend(30)
        return {key(scope): part for key, value, is_optional in entries for part in _there(value(scope), is_optional=is_optional)}

    return build


def _there(value: object, *, is_optional: bool) -> tuple[object, ...]:
    if not is_optional:
        return (value,)
    if not isinstance(value, Optional):
        raise NotCheckedError("marks a value with `?` that is not optional")
    return (value.value,) if value.is_there else ()


def _call(node: Call, known: frozenset[str]) -> Compiled:
    made = macro(node, lambda part, more: _compiled(part, known | frozenset(more)))
    if made is not None:
        return made
    if node.target is None and node.name in OPERATORS:
        return OPERATORS[node.name]([_compiled(part, known) for part in node.arguments])
    if node.target is not None and node.name in {"or", "orValue"} and len(node.arguments) == 1:
        return either(_compiled(node.target, known), _compiled(node.arguments[0], known), is_plain=node.name == "orValue")
    of = _dotted(node.target)
    variants = library().get((f"{of}.{node.name}", False, len(node.arguments))) if of is not None and of.split(".")[0] not in known else None
    arguments = node.arguments
    if variants is None:
        arguments = node.arguments if node.target is None else (node.target, *node.arguments)
        variants = library().get((node.name, node.target is not None, len(arguments)))
    if variants is None:
        if node.target is not None and of is None:
            _compiled(node.target, known)  # what is unknown in it comes first
        raise NotCheckedError(f"calls the unknown function `{f'{of}.' if of is not None and of not in known else ''}{node.name}`")
    compiled = [_compiled(part, known) for part in arguments]
    return lambda scope: called(variants, [argument(scope) for argument in compiled], scope.meter)


_DECISIVE: Final = (("&&", False), ("||", True))


def either(target: Compiled, other: Compiled, *, is_plain: bool) -> Compiled:
    """Returns `or` and `orValue` of an optional value. The other is evaluated only if it is needed."""

    def choose(scope: Scope) -> object:
        value = target(scope)
        if not isinstance(value, Optional):
            raise MismatchError(f"uses {named(value)} as an optional value")
        if value.is_there:
            return value.value if is_plain else value
        return other(scope)

    return choose


def _binary(apply: Callable[[object, object, Meter], object]) -> Callable[[list[Compiled]], Compiled]:
    def of(parts: list[Compiled]) -> Compiled:
        left, right = parts
        return lambda scope: apply(left(scope), right(scope), scope.meter)

    return of


def _logical(decisive: bool) -> Callable[[list[Compiled]], Compiled]:  # noqa: FBT001
    """Returns `||` (decided by true) or `&&` (decided by false). Errors of other parts do not matter then."""

    def of(parts: list[Compiled]) -> Compiled:
        def decide(scope: Scope) -> object:
            failed: Exception | None = None
            for part in parts:
                try:
                    if condition(part(scope)) is decisive:
                        return decisive
                except CostLimitError:
                    raise
                except (EvaluationError, NotCheckedError) as error:
                    failed = error if failed is None else failed
            if failed is not None:
                raise failed
            return not decisive

        return decide

    return of


def _ternary(parts: list[Compiled]) -> Compiled:
    test, then, otherwise = parts
    return lambda scope: then(scope) if condition(test(scope)) else otherwise(scope)


def _not(parts: list[Compiled]) -> Compiled:
    [part] = parts

    def negate(scope: Scope) -> object:
        scope.meter.left -= 1
        return not condition(part(scope))

    return negate


def _negate(parts: list[Compiled]) -> Compiled:
    [part] = parts
    return lambda scope: negated(part(scope))


OPERATORS: Final[dict[str, Callable[[list[Compiled]], Compiled]]] = {
    **{symbol: _binary(apply) for symbol, apply in BINARY.items()},
    **{symbol: _logical(decisive) for symbol, decisive in _DECISIVE},
    "?:": _ternary,
    "!": _not,
    "negate": _negate,
}
"""What compiles each operator, from its compiled operands."""
