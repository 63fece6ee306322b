"""Configuration of Sphinx for the site."""

import os

from website.layout import PROJECT
from website.version import documented, header, short

project = "nodepools"
release = documented()
html_title = f"nodepools {short()}"
author = "nodepools"
extensions = ["myst_parser", "sphinx.ext.autodoc", "website.autodoc", "website.head", "website.navigation", "website.printed"]
myst_enable_extensions = ["deflist"]
myst_heading_anchors = 4
myst_ref_domains = ["std"]  # `#name` is an anchor of a page, not an attribute of that name
html_theme = "furo"
html_static_path = ["style"]
html_css_files = ["site.css"]
html_js_files = ["site.js"]
html_logo = html_favicon = str(PROJECT / "website/style/mark.svg")
html_theme_options = {
    "announcement": header(os.environ.get("REPOSITORY", "")),
    "light_css_variables": {"color-brand-primary": "#0f766e", "color-brand-content": "#0f766e", "color-brand-visited": "#0f766e"},
    "dark_css_variables": {"color-brand-primary": "#2dd4bf", "color-brand-content": "#2dd4bf", "color-brand-visited": "#2dd4bf"},
}
html_search_scorer = str(PROJECT / "website/style/scorer.js")
html_copy_source = False
html_show_copyright = False
html_show_sphinx = False
html_permalinks_icon = "#"
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"
nitpicky = True
smartquotes = False  # messages and values are shown as they are: people search for them
default_role = "literal"  # docstrings have code between single backticks
_UNSHOWN = ("class_getitem", "contains", "format", "getitem", "init", "iter", "len", "new", "new_member", "str", "weakref")
"""Methods that Python adds to enumerations and errors; the text of `__init__` is in that of the class."""
autodoc_class_signature = "mixed"
autodoc_default_options = {
    "members": True,
    "special-members": True,
    "exclude-members": ", ".join(f"__{name}__" for name in _UNSHOWN),
    "inherited-members": "BaseException, ComponentResource, Enum, Mapping, Resource, object, str, tuple",  # members of these are documented elsewhere
    "class-doc-from": "both",
}
autodoc_inherit_docstrings = False
autodoc_type_aliases = {"JsonValue": "JsonValue"}  # it contains itself
autodoc_member_order = "bysource"
python_maximum_signature_line_length = 110
toc_object_entries_show_parents = "hide"
nitpick_ignore_regex = [("py:class", r"(?!nodepools\.(testing\.)?[A-Z]\w+$).*")]  # types of other packages, and private ones
nitpick_ignore = [
    ("py:exc", name)
    for name in ("InvalidDeclarationError", "MissingExtraError", "RuleError", "RuleFailedError", "UnknownLossError", "WrongArgumentError")
]
"""Errors that are private: programs catch `DeclarationError`, or see the message."""
