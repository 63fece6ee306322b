"""Which rules check resources, and which do not.

Most fields that only declarations have need no entry: a field without an input is not known, and a rule that reads it reports nothing.
"""

from typing import Final

from nodepools.manifests.rule_coverage import MISSING_CLASS
from nodepools.rules.engine.registry import About, all_rules

NAMES: Final = "names and keys follow from the declaration; resources have names of their own"
GENERATIONS: Final = "only declarations have generations: other programs rotate their pools by hand"
ELSEWHERE: Final = "others can create objects in the cluster too"

SKIPPED_RULES: Final = {
    "AKS001": NAMES,
    "AKS002": NAMES,
    "AKS003": GENERATIONS,
    "AKS004": GENERATIONS,
    "AKS005": GENERATIONS,
    "AKS007": NAMES,
    "AKS063": NAMES,
    "AKS242": NAMES,
    "EKS002": NAMES,
    "EKS133": NAMES,
    "EKS011": "the role is set with the pools that use it: EKS092 requires one with the other",
    "EKS019": "every NodeClass of a program names security groups, EKS's own among them",
    "PLT002": NAMES,
    "PLT003": NAMES,
    **dict.fromkeys(("PLT020", "PLT021"), "the inputs of a resource override nothing"),
}
"""Codes of rules that do not check resources, and why."""

NETWORK: Final = "networks are separate resources, which are not checked"
DEVICE_PLUGIN: Final = "only declarations add the device plugin"
WINDOW: Final = "only declarations have a window for both clouds: programs set AKS maintenance configurations, and budgets"
RIGHTS: Final = "identities and their role assignments are separate resources, which are not checked"
BASELINE: Final = "only a platform has a baseline: policy packs for other programs select rules by their codes"
SETTINGS: Final = "data collection rules and diagnostic settings are separate resources, which are not checked"
WORKSPACE: Final = "a cluster does not have the region of its workspace"
PLATFORM: Final = "the rule is about several clusters, or about workloads, of a declaration"
PRIORITIES: Final = "priorities are in a ConfigMap, which anyone can create"
RETAINED: Final = "retaining is an option that policies do not see"
LOG_GROUP: Final = "log groups are separate resources, which are not checked"
POLICIES: Final = "an association always has a role, whose policies are separate resources"

NOT_REPORTED: Final = {
    **dict.fromkeys(
        ("AKS042", "AKS043", "AKS052", "AKS097", "AKS106", "AKS107", "AKS144", "AKS225", "AKS226", "AKS227", "AKS136", "AKS235", "AKS239", "AKS320"),
        NETWORK,
    ),
    **dict.fromkeys(("EKS004", "EKS005", "EKS006", "EKS007", "EKS012", "EKS148", "EKS149", "EKS179", "EKS180"), NETWORK),
    "AKS342": "resource groups are separate resources, which are not checked",
    "EKS176": "a program cannot register two associations of one name",
    **dict.fromkeys(("AKS081", "AKS084", "AKS085", "AKS087", "NAP035"), DEVICE_PLUGIN),
    **dict.fromkeys(("AKS110", "AKS111", "KAR070", "KAR071", "KAR072", "KAR073", "PLT040"), WINDOW),
    **dict.fromkeys(("AKS237", "EKS131", "PLT004", "PLT030", "PLT031", "PLT032", "PLT033", "NAP040"), PLATFORM),
    **dict.fromkeys(("AKS130", "AKS132"), WORKSPACE),
    **dict.fromkeys(("AKS300", "AKS301", "AKS302", "AKS303", "AKS304", "AKS305", "AKS307", "AKS308", "AKS309", "AKS310"), BASELINE),
    **dict.fromkeys(("AKS311", "AKS312", "AKS313", "AKS314", "EKS170", "EKS171", "EKS172", "EKS173", "EKS174", "PLT050", "PLT065"), BASELINE),
    **dict.fromkeys(
        ("AKS260", "AKS262", "AKS263", "AKS264", "AKS265", "AKS266", "AKS267", "AKS268", "AKS270", "AKS271", "AKS272", "AKS273", "AKS274", "AKS275"),
        RIGHTS,
    ),
    **dict.fromkeys(("AKS280", "AKS281", "AKS282", "AKS283", "AKS284"), SETTINGS),
    **dict.fromkeys(("AKS076", "AKS077"), PRIORITIES),
    **dict.fromkeys(("AKS108", "AKS109"), RETAINED),
    **dict.fromkeys(("EKS087", "EKS088"), GENERATIONS),
    "AKS293": "the identity of a cluster is not read, because its roles are not known",
    "AKS145": "a user pool on a size with GPUs is read as a GPU pool, which AKS082 checks",
    **dict.fromkeys(("EKS140", "EKS141", "EKS142"), LOG_GROUP),
    **dict.fromkeys(("EKS144", "EKS145", "EKS147"), POLICIES),
    "EKS151": "networks and ingress classes are separate resources, which are not checked",
    "EKS082": "the name is read from the ARN",
    "EKS089": "a cluster whose switches are off may never have had them on",
    "EKS090": "it is not known who applies the objects in the cluster",
    "EKS094": "it is not known whose role a class has",
    "PLT013": "it is not known where a program runs",
}
"""Codes of rules that never report on resources: no input has what they read."""

OF_AUTO_MODE: Final = dict.fromkeys(("EKS085", "EKS086"), "the cluster has no Auto Mode")
"""Codes of rules that do not check a cluster without Auto Mode, in addition to those that read its fields."""

OF_ALL_OBJECTS: Final = {"PLT001": ELSEWHERE, "NAP004": ELSEWHERE}
"""Codes of rules that are certain only if all objects in a cluster are known: others can create some."""

OF_SEPARATE_POOLS: Final = {"AKS120": "all known pools are inside the cluster, so their versions can be sent with its own"}
"""Codes of rules that do not check a cluster without pools that are separate resources."""

NOT_OF_SECRETS: Final = frozenset({"AKS096"})
"""Codes of rules that report a value in plain text."""

SOFTENED: Final = {
    **dict.fromkeys(MISSING_CLASS, ELSEWHERE),
    "AKS120": "the cluster can be created; a later upgrade is rejected",
    "EKS014": "an existing cluster keeps the value of its creation",
}
"""Codes of errors that are warnings here, and why."""


def is_softened(code: str) -> bool:
    """An error of this code is a warning here. A rule about creation does not know whether the resource exists already."""
    rule = all_rules().get(code)
    return code in SOFTENED or (rule is not None and rule.about is About.CREATION)
