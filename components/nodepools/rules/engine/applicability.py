"""Where a rule says less than about a declaration, and why: each rule names its limits, and those that several rules share have a name here.

Most fields that only declarations have need none: a field without an input is not known, and a rule that reads it reports nothing.
"""

from enum import Enum
from typing import Final, NamedTuple


class Where(Enum):
    """What is checked, other than a whole declaration."""

    RESOURCES = "resources of a program, which the rule does not check"
    UNREAD = "resources of a program, which the rule checks without ever finding anything: no input has what it reads"
    SOFTENED = "resources of a program, about which its error is a warning"
    OPEN_CLUSTER = "a cluster in which others can create objects"
    NO_AUTO_MODE = "an EKS cluster without Auto Mode"
    INLINE_POOLS = "an AKS cluster without separate agent pools"
    SECRETS = "the values of secrets"
    MISSING_CLASS = "node classes that may be elsewhere: its error is a warning, and is reported only if the kind has others here"
    FILES = "objects in files, which the rule does not check"


class Limit(NamedTuple):
    """What a rule does not check, or not with certainty."""

    where: Where
    reason: str
    kind: str = ""
    """The kind of the node classes that `Where.MISSING_CLASS` is about."""


NAMES: Final = Limit(Where.RESOURCES, "names and keys follow from the declaration; resources have names of their own")
ROTATIONS: Final = Limit(Where.RESOURCES, "only declarations have generations: other programs rotate their pools by hand")
OVERRIDES: Final = Limit(Where.RESOURCES, "the inputs of a resource override nothing")

OTHER_OBJECTS: Final = Limit(Where.OPEN_CLUSTER, "others can create objects in the cluster too")
WITHOUT_AUTO_MODE: Final = Limit(Where.NO_AUTO_MODE, "the cluster has no Auto Mode")

NETWORKS: Final = Limit(Where.UNREAD, "networks are separate resources, which are not checked")
DEVICE_PLUGINS: Final = Limit(Where.UNREAD, "only declarations add the device plugin")
WINDOWS: Final = Limit(Where.UNREAD, "only declarations have a window for both clouds: programs set AKS maintenance configurations, and budgets")
RIGHTS: Final = Limit(Where.UNREAD, "identities and their role assignments are separate resources, which are not checked")
BASELINES: Final = Limit(Where.UNREAD, "only a platform has a baseline: policy packs for other programs select rules by their codes")
SETTINGS: Final = Limit(Where.UNREAD, "data collection rules and diagnostic settings are separate resources, which are not checked")
WORKSPACES: Final = Limit(Where.UNREAD, "a cluster does not have the region of its workspace")
PLATFORMS: Final = Limit(Where.UNREAD, "the rule is about several clusters, or about workloads, of a declaration")
PRIORITIES: Final = Limit(Where.UNREAD, "priorities are in a ConfigMap, which anyone can create")
RETAINED: Final = Limit(Where.UNREAD, "retaining is an option that policies do not see")
GENERATIONS: Final = Limit(Where.UNREAD, "only declarations have generations: other programs rotate their pools by hand")
LOG_GROUPS: Final = Limit(Where.UNREAD, "log groups are separate resources, which are not checked")
POLICIES: Final = Limit(Where.UNREAD, "an association always has a role, whose policies are separate resources")

BUILT_IN_POOLS: Final = Limit(Where.FILES, "files do not contain the built-in NodePools of the cluster")
FILES_WITHOUT_NETWORK: Final = Limit(Where.FILES, "files do not contain the network of the cluster")
FILES_WITHOUT_FAMILY: Final = Limit(Where.FILES, "files do not contain the address family of the cluster")
FILES_WITHOUT_CLUSTER: Final = Limit(Where.FILES, "the rule is about the cluster and its agent pools, which files do not contain")
FILES_WITHOUT_WINDOW: Final = Limit(Where.FILES, "only declarations have a maintenance window: objects have disruption budgets")
DECLARED_FIELDS: Final = Limit(Where.FILES, "the rule is about a field that only declarations have")
NAMES_OF_OBJECTS: Final = Limit(Where.FILES, "OBJ012 checks names in files: it allows for a cluster that is only partly known")
POOLS_OF_FILES: Final = Limit(Where.FILES, "OBJ011 checks pools in files: it allows for a cluster that is only partly known")
