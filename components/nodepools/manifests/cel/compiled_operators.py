"""Operators as functions that evaluate their compiled operands, as far as they are needed."""

from collections.abc import Callable
from typing import Final

from nodepools.manifests.cel.errors import CostLimitError, EvaluationError, MismatchError, NotCheckedError
from nodepools.manifests.cel.meter import Meter
from nodepools.manifests.cel.operators import BINARY, negated
from nodepools.manifests.cel.scope import Compiled, Scope, condition
from nodepools.manifests.cel.values import Optional, named

_STEPS: Final = (("&&", False), ("||", True))


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
    **{symbol: _logical(decisive) for symbol, decisive in _STEPS},
    "?:": _ternary,
    "!": _not,
    "negate": _negate,
}
"""What compiles each operator, from its compiled operands."""
