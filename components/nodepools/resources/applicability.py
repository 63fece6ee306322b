"""Which rules are asked of resources, and which are not.

Most of what is ours alone needs no word here: a field that no input says is not known, and a rule that reads it says nothing.
"""

from typing import Final

from nodepools.manifests.applicability import MISSING_CLASS

NAMES: Final = "names and keys follow from our declaration; resources have names of their own"
GENERATIONS: Final = "generations are ours: others rotate their pools by hand"
ELSEWHERE: Final = "what is in the cluster may be put there by others too"

SKIPPED_RULES: Final = {
    "AKS001": NAMES,
    "AKS002": NAMES,
    "AKS003": GENERATIONS,
    "AKS004": GENERATIONS,
    "AKS005": GENERATIONS,
    "AKS007": NAMES,
    "AKS063": NAMES,
    "AKS121": "others may ignore changes of agentPoolProfiles, which is an option that policies do not see",
    "EKS002": NAMES,
    "EKS011": "the role is said with the pools that use it: EKS092 asks for one with the other",
    "EKS019": "every NodeClass of a program names security groups, EKS's own among them",
    "PLT002": NAMES,
    "PLT003": NAMES,
    "PLT020": "what is said is not laid over anything",
}
"""Codes of rules that are not asked of resources, and why."""

NETWORK: Final = "networks are resources of their own, which are not judged"
DEVICE_PLUGIN: Final = "the device plugin is ours to bring"
WINDOW: Final = "a window for both clouds is ours: programs say AKS's own configurations, and budgets"
WORKSPACE: Final = "where a workspace is, is said by no cluster"
PLATFORM: Final = "it is about several clusters, or about workloads, of a declaration"
PRIORITIES: Final = "priorities are in a ConfigMap, which may be anyone's"
RETAINED: Final = "what is retained is an option that policies do not see"

NOT_SAID: Final = {
    **dict.fromkeys(
        ("AKS042", "AKS043", "AKS052", "AKS097", "AKS106", "AKS107", "AKS144", "AKS225", "AKS226", "AKS227", "AKS136", "AKS235"), NETWORK
    ),
    **dict.fromkeys(("EKS004", "EKS005", "EKS006", "EKS007", "EKS012"), NETWORK),
    **dict.fromkeys(("AKS081", "AKS084", "AKS085", "AKS087", "NAP035"), DEVICE_PLUGIN),
    **dict.fromkeys(("AKS110", "AKS111", "KAR070", "KAR071", "KAR072", "PLT040"), WINDOW),
    **dict.fromkeys(("PLT004", "PLT030", "PLT031", "PLT032", "PLT033", "NAP040"), PLATFORM),
    **dict.fromkeys(("AKS130", "AKS132"), WORKSPACE),
    **dict.fromkeys(("AKS076", "AKS077"), PRIORITIES),
    **dict.fromkeys(("AKS108", "AKS109"), RETAINED),
    **dict.fromkeys(("EKS087", "EKS088"), GENERATIONS),
    "AKS145": "a user pool on a size with GPUs is read as a GPU pool, which AKS082 judges",
    "EKS082": "the name is read from the ARN",
    "EKS089": "a cluster whose switches are off may never have had them on",
    "EKS090": "who applies what is in the cluster is not known",
    "EKS094": "whose role a class brings is not known",
    "PLT013": "from where a program is run is not known",
}
"""Codes of rules that are asked, and have nothing to say: what they read is in no resource."""

OF_AUTO_MODE: Final = dict.fromkeys(("EKS085", "EKS086"), "the cluster has no Auto Mode")
"""Codes of rules that are not asked of a cluster without Auto Mode, beside those that read what it has not."""

OF_ALL_OBJECTS: Final = {"PLT001": ELSEWHERE, "NAP004": ELSEWHERE}
"""Codes of rules that are certain only where all objects in a cluster are known: some may be put there by others."""

OF_POOLS_BESIDE: Final = {"AKS120": "all pools are inside the cluster, as far as is known: then their versions may be sent with its own"}
"""Codes of rules that are not asked of a cluster without pools that are resources of their own."""

NOT_OF_SECRETS: Final = frozenset({"AKS096"})
"""Codes of rules that blame a value for standing in the open."""

SOFTENED: Final = {
    **dict.fromkeys(MISSING_CLASS, ELSEWHERE),
    "AKS120": "the cluster can be made so; it is its later upgrade that is refused",
    "EKS014": "of a cluster that exists, what was said at its creation is kept",
}
"""Codes of errors that are warnings here, and why."""
