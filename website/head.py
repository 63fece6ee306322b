"""Extends Sphinx: what search engines and programs that show links read of a page."""

import os
from html import escape
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from docutils import nodes

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata

DESCRIPTION = "AKS and EKS node pools in typed Python: checked, explained and compared offline, deployed with Pulumi."
PICTURE = "_static/social.png"
ALT = "nodepools: a finding of `nodepools check` with its fix"
LENGTH = 160
"""Characters that results of a search show."""


def described(paragraph: str) -> str:
    """A paragraph as the description of its page: whole sentences, as many as fit; that of the site if it is no sentence."""
    text = " ".join(paragraph.split())
    while len(text) > LENGTH and ". " in text:
        text = text.rpartition(". ")[0] + "."
    return text if text.endswith(".") and len(text) <= LENGTH else DESCRIPTION


def setup(app: "Sphinx") -> "ExtensionMetadata":
    """Registers the extension."""
    app.connect("html-page-context", _tags)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _tags(_app: "Sphinx", page: str, _template: str, context: dict[str, object], doctree: nodes.document | None) -> None:
    paragraph = next(doctree.findall(nodes.paragraph), None) if doctree is not None and page != "index" else None
    description = described(paragraph.astext()) if paragraph is not None else DESCRIPTION
    site = os.environ.get("SITE", "")
    picture = urljoin(site, PICTURE) if site else "../" * page.count("/") + PICTURE
    title = str(context.get("title") or "nodepools") if page != "index" else "nodepools"
    named = {"description": description, "twitter:card": "summary_large_image"}
    properties = {
        "og:title": title,
        "og:description": description,
        "og:type": "website",
        "og:site_name": "nodepools",
        "og:image": picture,
        "og:image:width": "1200",
        "og:image:height": "630",
        "og:image:alt": ALT,
    }
    if site:
        properties["og:url"] = urljoin(site, f"{page}.html")
    lines = [f'<meta name="{name}" content="{escape(text)}">' for name, text in named.items()]
    lines += [f'<meta property="{name}" content="{escape(text)}">' for name, text in properties.items()]
    context["metatags"] = "\n".join([str(context.get("metatags") or ""), *lines])
