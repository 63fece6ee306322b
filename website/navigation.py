"""Extends Sphinx: pages of rules, which are in one folder and not in the navigation, share its tree, which takes most of the time of a page."""

from collections.abc import Callable
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata

_BEFORE_THE_THEME = 400
_FOLDER = "reference/rules"


def setup(app: "Sphinx") -> "ExtensionMetadata":
    """Registers the extension."""
    known: list[str] = []

    def share(_app: "Sphinx", page: str, _template: str, context: dict[str, object], _doctree: object) -> None:
        folder, _, name = page.rpartition("/")
        if folder != _FOLDER or not name[-1].isdigit() or "toctree" not in context:
            return
        tree = cast("Callable[..., str]", context["toctree"])

        def first(**options: object) -> str:
            if not known:
                known.append(tree(**options))
            return known[0]

        context["toctree"] = first

    app.connect("html-page-context", share, priority=_BEFORE_THE_THEME)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
