"""Network policies of EKS Auto Mode in any program: tells whether a resource can turn on their controller."""

import re
from collections.abc import Mapping
from typing import Final, cast

from nodepools.manifests.auto_mode_objects import CONTROLLER, SWITCH
from nodepools.resources.resource import Resource
from nodepools.resources.resource_kinds import name_of
from nodepools.resources.resource_set import Members

_CONFIG_MAP: Final = re.compile(r"kubernetes:core/v1:ConfigMap(Patch)?")
_ANYTHING: Final = re.compile(r"kubernetes:(yaml|helm\.sh|kustomize)\b.*")
"""Types that can contain any object: manifest files, charts, kustomizations."""


def policies_are_off(members: Members) -> bool:
    """Tells whether the whole program is known, and no resource in it can turn on the controller."""
    return members.is_stack and not any(_can_turn_on(resource) for resource in members.resources)


def _can_turn_on(resource: Resource) -> bool:
    if _ANYTHING.fullmatch(resource.type):
        return True
    if not _CONFIG_MAP.fullmatch(resource.type) or name_of(resource.inputs) not in (None, CONTROLLER[1]):
        return False
    data = resource.inputs.get("data")
    value = cast("Mapping[str, object]", data).get(SWITCH) if isinstance(data, Mapping) else "unknown"
    return value is not None and value != "false"
