"""What texts of the code cite, as links: addresses, issues of GitHub, and pages of the project."""

import posixpath
import re

from website.layout import DECISIONS, pages

_CODE = re.compile(r"(`[^`]*`)")
_ADDRESS = re.compile(r"(?<![(<`\[])https?://[^\s;,)`>]*[^\s;,)`>.:]")
"""An address in a text, without the punctuation that follows it."""
_ISSUE = re.compile(r"(?<![\w/.-])([A-Za-z][\w-]*/[A-Za-z][\w.-]*)#(\d+)\b")
_PAGE = re.compile(r"(?<!\]\()(?<![\w/\[])docs/[\w/-]+(?:\.md)?")


def linked(text: str, address: str) -> str:
    """Returns a text of the page at `address` with links for what it cites; code stays as it is."""
    return "".join(part if part.startswith("`") else _links(part, address) for part in _CODE.split(text))


def _links(text: str, address: str) -> str:
    text = _ADDRESS.sub(r"<\g<0>>", text)
    text = _ISSUE.sub(r"[\g<0>](https://github.com/\1/issues/\2)", text)
    return _PAGE.sub(lambda found: _page(found[0], address), text)


def _page(cited: str, address: str) -> str:
    """Returns the link to a page that is cited by its file; decisions are also cited by their number."""
    known = {page.source: page.address for page in pages()} | {page.source.partition("-")[0]: page.address for page in DECISIONS}
    if cited not in known:
        return cited
    return f"[{cited}]({posixpath.relpath(known[cited], posixpath.dirname(address))}.md)"
