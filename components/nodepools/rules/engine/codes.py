"""Codes with their public names and meanings: schema errors, objects in files, comments (codes.json). Those of rules are in the registry."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from nodepools.model.severity import Severity
from nodepools.model.values import dataclass


@dataclass(frozen=True, slots=True)
class Code:
    """A code with its name, severity and meaning."""

    code: str
    name: str
    """In kebab-case; accepted wherever the code is."""
    severity: Severity
    summary: str
    """One sentence: what the rule requires, or what is wrong."""

    @property
    def title(self) -> str:
        """`AKS014 hard-taint-on-system-pool`."""
        return f"{self.code} {self.name}"


FAMILIES: Final[Mapping[str, str]] = {
    "CFG": "Shape of a declaration",
    "OBJ": "Objects in files",
    "IGN": "Comments and entries of a baseline that accept findings",
    "AKS": "Agent pools and clusters of AKS",
    "NAP": "Node auto provisioning of AKS",
    "EKS": "Clusters, Auto Mode and NodeClasses of EKS",
    "SMK": "EC2NodeClasses of self-managed Karpenter",
    "KAR": "Every Karpenter NodePool",
    "PLT": "Across pools and clusters",
}
"""The first letters of codes, with what their rules are about."""


def family(code: str) -> str:
    """The letters of a code."""
    return code.rstrip("0123456789")


OTHER_CODES: Final[Mapping[str, Code]] = {
    code: Code(code, name, Severity(severity), summary)
    for code, name, severity, summary in json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
}
"""All codes that do not belong to a rule."""


def _of(letters: str) -> Mapping[str, Code]:
    return {code: row for code, row in OTHER_CODES.items() if family(code) == letters}


SCHEMA_CODES: Final = _of("CFG")
"""Schema errors of a declaration."""
OBJECT_CODES: Final = _of("OBJ")
"""Findings about an object in a file as a whole: its kind, its version, the objects next to it."""
IGNORE_CODES: Final = _of("IGN")
"""Findings about comments and fields that accept findings."""

NAMES: Final = {code.code: code.name for code in OTHER_CODES.values()}
"""The public name of each code; `rule()` adds those of rules."""

RESERVED: Final = ("AKS", "CFG", "EKS", "IGN", "KAR", "NAP", "OBJ", "PLT", "SMK")
"""The letters of the codes of the library: own rules have others."""
SITE: Final[str | None] = None
"""Address of the published site, which ends with `/`. The release sets it: `tools/release.py stamp`. `None`: the site is not published."""


def rule_page(code: str, site: str | None = None) -> str | None:
    """Address of the page about a code; `None` for own rules and foreign policies, which have no page, and without a published site."""
    address, letters = site if site is not None else SITE, code[:3]
    return None if address is None or letters not in RESERVED else f"{address}reference/rules/{code.lower()}.html"
