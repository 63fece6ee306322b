"""Checks objects of files together: NodeClasses that set network policies, and the ConfigMap that turns on their controller."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, cast

from nodepools.manifests.auto_mode_objects import CONTROLLER, SWITCH
from nodepools.manifests.manifest_objects import ManifestObject
from nodepools.model.eks.node_class import EksNodeClass
from nodepools.rules.eks_network_policies import GUIDE, field_of, without_effect
from nodepools.rules.finding import Finding, Severity
from nodepools.rules.fix import Fix
from nodepools.rules.path import Step, spelled

_CODE: Final = "EKS096"
_FIELDS: Final = {"network_policy": "networkPolicy", "network_policy_event_logs": "networkPolicyEventLogs"}
_ON: Final = "true"


def without_controller(
    found: Sequence[ManifestObject], classes: Sequence[tuple[ManifestObject, EksNodeClass]]
) -> Iterator[tuple[ManifestObject, Finding]]:
    """Yields findings for NodeClasses that need the controller if no file turns it on, or for the ConfigMap that turns it off.

    `DefaultAllow` is in every object that a cluster prints, and does not show an intention.
    """
    needing = [(written, model) for written, model in classes if model.needs_network_policies]
    switches = [written for written in found if _is_controller(written)]
    if not needing or any(_value(switch) == _ON for switch in switches):
        return
    for switch in switches:
        message = f'`{SWITCH}` is not `"{_ON}"`: NodeClass `{needing[0][0].name}` has `networkPolicy`, and no network policy is enforced'
        yield switch, _finding(("data", SWITCH), _value(switch), message, f'Set `{SWITCH}: "{_ON}"`')
    for written, model in () if switches else needing:
        field = field_of(model)
        fix = f'Add ConfigMap `{CONTROLLER[1]}` in namespace `{CONTROLLER[0]}` with `{SWITCH}: "{_ON}"` to `data`'
        yield written, _finding(("spec", _FIELDS[field]), getattr(model, field), without_effect(model), fix)


def _finding(steps: tuple[Step, ...], value: object, message: str, fix: str) -> Finding:
    return Finding(_CODE, Severity.WARNING, spelled(steps), value, message, Fix(fix), GUIDE, steps=steps)


def _is_controller(written: ManifestObject) -> bool:
    """Tells whether the object is the controller's ConfigMap. Without a namespace, it gets the one that the user applies it to."""
    metadata = written.raw.get("metadata")
    namespace = cast("Mapping[str, object]", metadata).get("namespace") if isinstance(metadata, Mapping) else None
    return (written.kind, written.name) == ("ConfigMap", CONTROLLER[1]) and namespace in (None, CONTROLLER[0])


def _value(switch: ManifestObject) -> object:
    data = switch.raw.get("data")
    return cast("Mapping[str, object]", data).get(SWITCH) if isinstance(data, Mapping) else None
