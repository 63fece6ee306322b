"""Links between pages of the project, as links between pages of the site."""

import posixpath
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

_LINK = re.compile(r"(!?)\[([^\]]*)\]\((?!https?://|#)([^)\s#]+)(#[^)\s]*)?\)")
_RULE = re.compile(r"#([a-z]{3}\d{3})-")


@dataclass(slots=True)
class Links:
    """Rewrites the links of pages, and remembers what else they show."""

    addresses: Mapping[str, str]
    """The address of each page, by its path in the project."""
    shown: set[str] = field(default_factory=set[str])
    """Files and folders without a page of their own that pages link to."""
    pictures: set[str] = field(default_factory=set[str])

    def rewrite(self, text: str, source: str, address: str) -> str:
        """Returns the text of the page at `source`, with links that lead from `address` to other pages of the site."""
        here = posixpath.dirname(address)

        def link(found: re.Match[str]) -> str:
            picture, words, target, anchor = found[1], found[2], found[3], found[4] or ""
            path = posixpath.normpath(posixpath.join(posixpath.dirname(source), target))
            if picture:
                self.pictures.add(path)
                return f"![{words}]({posixpath.relpath(path, here or '.')})"
            return f"[{words}]({posixpath.relpath(self._page(path), here or '.')}.md{anchor})" if not _is_rule(path, anchor) else _rule(words, anchor)

        return _LINK.sub(link, text)

    def _page(self, path: str) -> str:
        if path in self.addresses:
            return self.addresses[path]
        self.shown.add(path)
        return f"source/{path}"


def _is_rule(path: str, anchor: str) -> bool:
    return path == "docs/rules.md" and _RULE.match(anchor) is not None


def _rule(words: str, anchor: str) -> str:
    found = _RULE.match(anchor)
    return f"[{words}](#{found[1]})" if found else words
