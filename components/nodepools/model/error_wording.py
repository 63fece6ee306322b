"""Who words the errors of invalid declarations: a layer above, which the package names. It is imported only if a declaration is invalid."""

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast

if TYPE_CHECKING:
    from pydantic import ValidationError

    from nodepools.model.base import Model

_WORDINGS: list[str] = []


class _Wording(Protocol):
    def refusal(self, error: "ValidationError", model: "type[Model]", written: Mapping[str, object]) -> Exception: ...


def word_errors_in(module: str) -> None:
    """Has the function `refusal` of a module word all errors."""
    _WORDINGS[:] = [module]


def refusal(error: "ValidationError", model: "type[Model]", written: Mapping[str, object]) -> Exception:
    """The exception that people see instead of pydantic's."""
    [module] = _WORDINGS
    return cast("_Wording", import_module(module)).refusal(error, model, written)
