"""Who words the errors of invalid declarations: a layer above, which the package names when it is imported."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from pydantic import ValidationError

    from nodepools.model.base import Model

Wording: TypeAlias = "Callable[[ValidationError, type[Model], Mapping[str, object]], Exception]"
"""Makes the exception that people see of pydantic's, the class, and the fields as written."""

_WORDINGS: list[Wording] = []


def word_errors_with(wording: Wording) -> None:
    """Has all later errors worded by `wording`."""
    _WORDINGS[:] = [wording]


def refusal(error: "ValidationError", model: "type[Model]", written: Mapping[str, object]) -> Exception:
    """The exception that people see instead of pydantic's."""
    [wording] = _WORDINGS
    return wording(error, model, written)
