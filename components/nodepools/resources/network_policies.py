"""Network policies of EKS Auto Mode in any program: whether something in it may turn their controller on."""

import re
from collections.abc import Mapping
from typing import Final, cast

from nodepools.manifests.auto_mode_objects import CONTROLLER, SWITCH
from nodepools.resources.resource import Resource
from nodepools.resources.resource_kinds import name_of
from nodepools.resources.resource_set import Members

_CONFIG_MAP: Final = re.compile(r"kubernetes:core/v1:ConfigMap(Patch)?")
_ANYTHING: Final = re.compile(r"kubernetes:(yaml|helm\.sh|kustomize)\b.*")
"""What may hold any object: files, charts."""


def policies_are_off(members: Members) -> bool:
    """All of the program is known, and nothing in it can turn the controller on."""
    return members.is_stack and not any(_may_switch(resource) for resource in members.resources)


def _may_switch(resource: Resource) -> bool:
    if _ANYTHING.fullmatch(resource.type):
        return True
    if not _CONFIG_MAP.fullmatch(resource.type) or name_of(resource.inputs) not in (None, CONTROLLER[1]):
        return False
    data = resource.inputs.get("data")
    value = cast("Mapping[str, object]", data).get(SWITCH) if isinstance(data, Mapping) else "unknown"
    return value is not None and value != "false"
