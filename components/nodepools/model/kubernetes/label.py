"""Labels: what Kubernetes takes as key and value, and the label that names our pools."""

import re

POOL_LABEL = "nodepools/name"
"""On every node of every pool: the pool's key. It never changes when the pool is rotated."""

_NAME = r"[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?"
_DNS = r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*"
_KEY = re.compile(rf"((?P<domain>{_DNS})/)?{_NAME}")
_DOMAIN_LENGTH = 253


def is_key(text: str) -> bool:
    """A qualified name: `team`, or `example.com/team` with a DNS subdomain of up to 253 characters and a name of up to 63."""
    match = _KEY.fullmatch(text)
    return match is not None and len(match["domain"] or "") <= _DOMAIN_LENGTH


def is_value(text: str) -> bool:
    """Empty, or up to 63 letters, digits, `-`, `_` and `.`, with a letter or digit at both ends."""
    return text == "" or re.fullmatch(_NAME, text) is not None


def domain(key: str) -> str:
    """What stands before the slash; empty where there is none."""
    return key.rpartition("/")[0]
