"""Label syntax of Kubernetes, and the label with the pool key."""

import re

POOL_LABEL = "nodepools/name"
"""Label with the pool key, on every node of every pool. It does not change when the pool is rotated."""

_NAME = r"[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?"
_DNS = r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*"
_KEY = re.compile(rf"((?P<domain>{_DNS})/)?{_NAME}")
_DOMAIN_LENGTH = 253


def is_key(text: str) -> bool:
    """A qualified name: `team`, or `example.com/team` with a DNS subdomain of at most 253 characters and a name of at most 63."""
    match = _KEY.fullmatch(text)
    return match is not None and len(match["domain"] or "") <= _DOMAIN_LENGTH


def is_value(text: str) -> bool:
    """Empty, or at most 63 letters, digits, `-`, `_` and `.`, starting and ending with a letter or digit."""
    return text == "" or re.fullmatch(_NAME, text) is not None


def domain(key: str) -> str:
    """The part before the slash; empty without a slash."""
    return key.rpartition("/")[0]
