"""Codes with their public names and meanings: schema errors, objects in files, comments. Those of rules are in the registry."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from nodepools.model.severity import Severity


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


def _table(*rows: Code) -> Mapping[str, Code]:
    return {row.code: row for row in rows}


SCHEMA_CODES: Final = _table(
    Code("CFG001", "missing-field", Severity.ERROR, "A required field is missing."),
    Code("CFG002", "unknown-field", Severity.ERROR, "A part of the declaration has a field that its class does not have."),
    Code("CFG003", "wrong-kind", Severity.ERROR, "A field has a part of the wrong kind, such as an AKS network in an EKS cluster."),
    Code("CFG004", "wrong-type", Severity.ERROR, "A value has the wrong type, such as a number where text is required."),
    Code("CFG005", "unknown-value", Severity.ERROR, "A value is not one of the values that the field accepts."),
    Code("CFG006", "invalid-format", Severity.ERROR, "A text does not have the required format."),
    Code("CFG007", "number-out-of-range", Severity.ERROR, "A number is outside the range that the field accepts."),
    Code("CFG008", "wrong-number-of-entries", Severity.ERROR, "A list or a mapping has too few or too many entries."),
    Code(
        "CFG009",
        "unreadable-value",
        Severity.ERROR,
        "A taint, quantity, duration, address range, requirement or reference cannot be read.",
    ),
    Code("CFG010", "output-in-place-of-value", Severity.ERROR, "A Pulumi output is used in a field that requires a plain value."),
    Code("CFG011", "empty-field", Severity.ERROR, "A field of a file has no value."),
    Code("CFG012", "change-of-missing-entry", Severity.ERROR, "`derive()` changes an entry, such as a pool, that the base does not have."),
    Code("CFG013", "repeated-key-in-declaration", Severity.ERROR, "A mapping of a platform file has a key twice."),
    Code("CFG014", "number-with-leading-zero-in-declaration", Severity.ERROR, "A number such as `010` is 8 in YAML 1.1, and 10 in YAML 1.2."),
    Code("CFG015", "repeated-name", Severity.ERROR, "Two resources, or two pools of a cluster, have the same name in the cloud."),
)
"""Schema errors of a declaration."""

OBJECT_CODES: Final = _table(
    Code(
        "OBJ001",
        "removed-api-version",
        Severity.ERROR,
        "The object has an API version that no cluster serves any more; the fix is the converted object.",
    ),
    Code("OBJ002", "deprecated-api-version", Severity.WARNING, "The object has a deprecated API version, which clusters still serve."),
    Code(
        "OBJ003",
        "unchecked-provider",
        Severity.NOTE,
        "The object, or the node class of the NodePool, belongs to a provider whose rules are not checked.",
    ),
    Code("OBJ004", "unknown-kind-or-version", Severity.ERROR, "The API group of the object does not have this kind or version."),
    Code("OBJ005", "duplicate-object", Severity.WARNING, "A file contains the same object twice: the last one wins."),
    Code("OBJ007", "rejected-by-schema", Severity.ERROR, "The CRD of the cluster (`--crds`), with its schema and CEL rules, rejects the object."),
    Code("OBJ008", "unreadable-workload", Severity.WARNING, "The pods of a workload in the files cannot be read."),
    Code(
        "OBJ009",
        "no-object-for-ordinary-pods",
        Severity.WARNING,
        "No pool in the files accepts pods without tolerations. Only a note if the files have no nodes: other pools can exist.",
    ),
    Code("OBJ010", "selector-without-pool", Severity.WARNING, "A workload selects nodes that no pool in the files has."),
    Code(
        "OBJ011",
        "object-fits-both-autoscalers",
        Severity.NOTE,
        "A workload fits pools of two autoscalers, such as an AKS agent pool and a NodePool: both can add a node for it.",
    ),
    Code(
        "OBJ012",
        "name-of-built-in-object",
        Severity.WARNING,
        "The object has the name of a NodePool or node class that the cloud creates.",
    ),
    Code(
        "OBJ013",
        "self-managed-object-with-auto-mode",
        Severity.WARNING,
        "The object belongs to self-managed Karpenter; EKS Auto Mode, whose objects are in the same files, ignores it.",
    ),
    Code(
        "OBJ014",
        "consolidate-after-missing",
        Severity.WARNING,
        "A NodePool has `disruption` without `consolidateAfter`, which Karpenter before 1.15 rejects; with `--crds` the CRD decides.",
    ),
    Code(
        "OBJ015",
        "rule-not-checked",
        Severity.NOTE,
        "A CEL rule of the CRD (`--crds`) cannot be checked offline: it uses a function that is unknown here, or costs more than a check allows.",
    ),
    Code(
        "OBJ016",
        "not-in-this-karpenter",
        Severity.ERROR,
        "The object has a field, a value or a label that the version of Karpenter that runs (`--karpenter`) does not accept yet.",
    ),
    Code(
        "OBJ028",
        "kind-not-in-effect",
        Severity.WARNING,
        "The Karpenter of the cluster ignores this kind, or does so unless a feature gate is on. Only a note if the files do not tell.",
    ),
    Code(
        "OBJ029", "competing-overlays", Severity.WARNING, "Two NodeOverlays of the same weight set the same: one of them may not be applied at all."
    ),
    Code("OBJ030", "object-without-effect", Severity.WARNING, "A NodeOverlay, a CapacityBuffer or a field of them changes nothing."),
    Code("OBJ026", "repeated-key", Severity.WARNING, "A mapping of the file has a key twice: the API server and Helm take the last value."),
    Code("OBJ027", "number-with-leading-zero", Severity.WARNING, "A number such as `010` is 8 for Kubernetes (YAML 1.1), and 10 in YAML 1.2."),
)
"""Findings about an object in a file as a whole: its kind, its version, the objects next to it."""


IGNORE_CODES: Final = _table(
    Code(
        "IGN001",
        "unused-ignore",
        Severity.WARNING,
        "A comment `# nodepools: ignore CODE reason`, or an entry of a baseline, has no effect: it matches nothing here, or expired.",
    ),
    Code(
        "IGN002",
        "invalid-ignore",
        Severity.ERROR,
        "A comment `# nodepools: ignore CODE reason` has no reason, or an unknown code; an entry of a baseline has no reason.",
    ),
    Code(
        "IGN003",
        "ignored-error",
        Severity.WARNING,
        "A comment or a baseline accepts only warnings and notes, not errors: the cloud rejects what has an error, or it never works.",
    ),
    Code("IGN004", "unused-accepted-error", Severity.WARNING, "`accepted_errors` has a code that is not that of an error in the cluster."),
)
"""Findings about comments and fields that accept findings."""

OTHER_CODES: Final[Mapping[str, Code]] = {**SCHEMA_CODES, **OBJECT_CODES, **IGNORE_CODES}
"""All codes that do not belong to a rule."""

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
