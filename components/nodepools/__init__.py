"""AKS and EKS node pools, declared once: what declarations and their checks need is imported from here.

Settings of the services of a cloud are in `nodepools.aks` and `nodepools.eks`, what own rules need is in `nodepools.rules`, typed label keys are in
`nodepools.keys`, tests of programs in `nodepools.testing`. All other paths are private. The names are listed in `__init__.pyi`.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from nodepools.model.error_wording import word_errors_with
from nodepools.public_names import public_names

if TYPE_CHECKING:
    from pydantic import ValidationError

    from nodepools.model.base import Model

__getattr__, __dir__, __all__ = public_names(__name__)


def _worded(error: "ValidationError", model: "type[Model]", written: Mapping[str, object]) -> Exception:
    from nodepools.loading import refusal  # imported for invalid declarations only

    return refusal(error, model, written)


word_errors_with(_worded)
