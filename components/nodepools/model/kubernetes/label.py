"""Label syntax of Kubernetes, and the label with the pool key."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

POOL_LABEL = "nodepools/name"
"""Label with the pool key, on every node of every pool. It does not change when the pool is rotated."""

DEPRECATED_LABELS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "failure-domain.beta.kubernetes.io/zone": "topology.kubernetes.io/zone",
        "failure-domain.beta.kubernetes.io/region": "topology.kubernetes.io/region",
        "beta.kubernetes.io/arch": "kubernetes.io/arch",
        "beta.kubernetes.io/os": "kubernetes.io/os",
        "beta.kubernetes.io/instance-type": "node.kubernetes.io/instance-type",
    }
)
"""Deprecated labels, by the label that Karpenter reads them as (`NormalizedLabels`)."""

_NAME = r"[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?"
_DNS = r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*"
_KEY = re.compile(rf"((?P<domain>{_DNS})/)?{_NAME}")
_DOMAIN_LENGTH = 253
_ZONE = re.compile(r"(?P<ec2>[a-z]{2,3}(-[a-z]+)+-[0-9])([a-z]|-[a-z0-9-]+)|(?P<azure>[a-z0-9]+)-[0-9]")


def is_namespace(text: str) -> bool:
    """`text` can be the name of a namespace: a DNS label."""
    return re.fullmatch(r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?", text) is not None


def is_object_name(text: str) -> bool:
    """`text` can be the name of an object such as a service account: labels of DNS with dots between them, at most 253 characters."""
    return len(text) <= _DOMAIN_LENGTH and re.fullmatch(_DNS, text) is not None


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


def current_label(key: str) -> str:
    """The label that Karpenter reads a key as: deprecated ones are read as those that replaced them."""
    return DEPRECATED_LABELS.get(key, key)


def region_of_zone(zone: str) -> str:
    """The region in the name of a zone of EC2 (`us-east-1a`, `us-east-1-bos-1a`) or Azure (`westeurope-1`); empty: it does not say."""
    match = _ZONE.fullmatch(zone)
    return (match["ec2"] or match["azure"]) if match is not None else ""
