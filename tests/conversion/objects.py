"""Objects of clusters that move."""

from typing import Any

from nodepools.conversion.converted import Converted, convert
from nodepools.conversion.unconverted import ConversionOptions, Target, Unconverted

AUTO, NAP = Target.AUTO_MODE, Target.NAP


def pool(*requirements: dict[str, Any], group: str = "karpenter.k8s.aws", kind: str = "EC2NodeClass", **nodes: Any) -> dict[str, Any]:
    reference = {"nodeClassRef": {"group": group, "kind": kind, "name": "default"}} if group else {}
    return {
        "apiVersion": "karpenter.sh/v1",
        "kind": "NodePool",
        "metadata": {"name": "general"},
        "spec": {"template": {"spec": {**reference, "requirements": list(requirements), **nodes}}},
    }


def requirement(key: str, *values: str, operator: str = "In", **more: Any) -> dict[str, Any]:
    return {"key": key, "operator": operator, **({"values": list(values)} if values else {}), **more}


def node_class(version: str = "v1", **spec: Any) -> dict[str, Any]:
    return {"apiVersion": f"karpenter.k8s.aws/{version}", "kind": "EC2NodeClass", "metadata": {"name": "default"}, "spec": spec}


def deployment(kind: str = "Deployment", annotations: dict[str, str] | None = None, **pod: Any) -> dict[str, Any]:
    metadata = {"metadata": {"annotations": annotations}} if annotations else {}
    template = {**metadata, "spec": {"containers": [{"name": "web", "image": "web"}], **pod}}
    spec = {"jobTemplate": {"spec": {"template": template}}} if kind == "CronJob" else {"template": template}
    return {"apiVersion": "apps/v1", "kind": kind, "metadata": {"name": "web"}, "spec": spec}


def one(raw: dict[str, Any], target: Target = AUTO, **wanted: Any) -> Converted:
    [found] = convert([raw], ConversionOptions(target, **{"suffix": target.suffix, **wanted}))
    return found


def listed(found: Converted) -> list[tuple[str, str]]:
    return [(entry.outcome.value, entry.path) for entry in found.unconverted]


def entry(found: Converted, path: str) -> Unconverted:
    [only] = [each for each in found.unconverted if each.path == path]
    return only


def inside(raw: Any, *steps: str | int) -> Any:
    for step in steps:
        raw = raw[step]
    return raw


def nodes(found: Converted) -> Any:
    return inside(found.new, "spec", "template", "spec")


def spec(found: Converted) -> Any:
    return inside(found.new, "spec")
