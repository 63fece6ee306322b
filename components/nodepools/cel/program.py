"""Compiles expressions to functions that evaluate them."""

from collections.abc import Callable, Iterable
from typing import Final

from nodepools.cel.access import entry, field, optional_entry, optional_field
from nodepools.cel.errors import CostLimitError, EvaluationError, MismatchError, NotCheckedError
from nodepools.cel.functions import Variant, called
from nodepools.cel.libraries import NAMES_OF_TYPES, library
from nodepools.cel.macros import macro
from nodepools.cel.meter import Meter
from nodepools.cel.operators import BINARY, negated
from nodepools.cel.parser import parse
from nodepools.cel.scope import Compiled, Scope, condition
from nodepools.cel.syntax import Call, Entry, Field, ListOf, Literal, MapOf, Name, Node, names
from nodepools.cel.values import Optional, named


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
    return _function(variants, [_compiled(part, known) for part in arguments])


def _function(variants: tuple[Variant, ...], arguments: list[Compiled]) -> Compiled:
    return lambda scope: called(variants, [argument(scope) for argument in arguments], scope.meter)


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
