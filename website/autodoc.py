"""Extends Sphinx's autodoc: signatures have the types that the code names, not what their aliases stand for."""

import ast
import builtins
import inspect
from importlib import import_module
from textwrap import dedent
from typing import TYPE_CHECKING

from docutils import nodes
from sphinx import addnodes
from sphinx.ext.napoleon.docstring import GoogleDocstring

from nodepools import testing
from nodepools.public_names import DOORS
from website.reference.python_pages import public_names

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata


def setup(app: "Sphinx") -> "ExtensionMetadata":
    """Registers the extension."""
    app.connect("autodoc-process-signature", _signature)
    app.connect("autodoc-process-docstring", _docstring)
    app.connect("doctree-read", _colons)
    app.connect("doctree-read", _built_in)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _docstring(_app: "Sphinx", _what: str, _name: str, _obj: object, _options: object, lines: list[str]) -> None:
    """Reads `Args`, `Raises` and so on. Sphinx's own hook would take the text of an attribute up to a colon for its type."""
    lines[:] = GoogleDocstring(lines).lines()


def _signature(_app: "Sphinx", what: str, _name: str, obj: object, _options: object, *_evaluated: str | None) -> tuple[str, str | None] | None:
    """Returns parameters and result as the code has them; none for a class that only the library creates."""
    if what in {"class", "exception"}:
        created = vars(obj).get("__init__")
        if not getattr(created, "__doc__", None):
            return ("", None) if created or what == "class" else None
        obj = created
    function = inspect.unwrap(obj) if callable(obj) else None
    if not inspect.isfunction(function):
        return None
    node = ast.parse(dedent(inspect.getsource(function))).body[0]
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return None
    node.args.args = [each for each in node.args.args if each.arg not in {"self", "cls"}]
    for each in ast.walk(node.args):
        if isinstance(each, ast.arg) and each.annotation is not None:
            each.annotation = _typed(each.annotation)
    is_created = what in {"class", "exception"}
    return f"({ast.unparse(node.args)})", ast.unparse(_typed(node.returns)) if node.returns is not None and not is_created else None


def _typed(annotation: ast.expr) -> ast.expr:
    found: ast.expr = _Public().visit(annotation)
    return found


def _colons(_app: "Sphinx", page: nodes.document) -> None:
    """Writes a colon between a parameter and its text. Sphinx writes two hyphens, which are a dash only with smart quotes."""
    for text in [found for field in page.findall(nodes.field_body) for found in field.findall(nodes.Text) if found == " -- "]:
        text.parent.replace(text, nodes.Text(": "))


def _built_in(_app: "Sphinx", page: nodes.document) -> None:
    """Leaves types of Python without a link: Sphinx would link `object` to `Finding.object`."""
    for reference in list(page.findall(addnodes.pending_xref)):
        if reference["refdomain"] == "py" and hasattr(builtins, str(reference["reftarget"])):
            reference.replace_self(reference.children)


class _Public(ast.NodeTransformer):
    """Writes public classes in full, after the `~` with which Sphinx shows the name alone and links to it."""

    names = {name: f"~{door}.{name}" for door in DOORS for name in dir(import_module(door))} | {
        name: f"~nodepools.testing.{name}" for name in public_names(testing)
    }

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.Name(self.names.get(node.id, node.id))

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        return self.visit(ast.parse(node.value, mode="eval").body) if isinstance(node.value, str) else node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        return node if isinstance(node.value, ast.Name) and node.value.id == "Literal" else self.generic_visit(node)
