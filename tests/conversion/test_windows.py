"""What requires Windows stays as it is: no target launches such nodes."""

from typing import Any

import pytest

from nodepools.conversion.converted import Converted, convert
from nodepools.conversion.targets import ConversionOptions, Target

OS, BUILD = "kubernetes.io/os", "node.kubernetes.io/windows-build"
KEEP = {Target.AUTO_MODE: "Keep Karpenter or a node group for its pods", Target.NAP: "Use an agent pool with Windows nodes for its pods"}


def requires(key: str, *values: str, operator: str = "In") -> dict[str, Any]:
    return {"key": key, "operator": operator, "values": list(values)}


def pool(*requirements: dict[str, Any], name: str = "win", node_class: str = "win") -> dict[str, Any]:
    reference = {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": node_class}
    spec = {
        "template": {"spec": {"nodeClassRef": reference, "requirements": list(requirements), "terminationGracePeriod": "1h", "expireAfter": "72h"}}
    }
    return {"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": {"name": name}, "spec": spec}


CLASS = {"apiVersion": "karpenter.k8s.aws/v1", "kind": "EC2NodeClass", "metadata": {"name": "win"}, "spec": {"role": "x"}}
LINUX = pool(requires(OS, "linux"), name="linux")


def converted(*objects: dict[str, Any], target: Target = Target.AUTO_MODE) -> list[Converted]:
    return convert(list(objects), ConversionOptions(target, suffix="-new", role="nodes"))


@pytest.mark.parametrize("target", Target)
@pytest.mark.parametrize(
    ("requirement", "stays"),
    [
        pytest.param(requires(OS, "windows"), True, id="Windows alone"),
        pytest.param(requires(BUILD, "10.0.20348"), True, id="a build of Windows"),
        pytest.param(requires(BUILD), False, id="no build, which is not valid"),
        pytest.param(requires(OS, "linux", "windows"), False, id="both systems"),
        pytest.param(requires(OS, "windows", operator="NotIn"), False, id="everything but Windows"),
        pytest.param(requires(OS, "linux", operator="NotIn"), True, id="everything but Linux"),
        pytest.param(requires(OS, operator="Exists"), False, id="any system"),
        pytest.param(requires(BUILD, operator="Exists"), True, id="any build of Windows"),
        pytest.param(requires(BUILD, operator="DoesNotExist"), False, id="no build of Windows"),
        pytest.param(requires("team", "windows"), False, id="another label"),
    ],
)
def test_a_node_pool_and_its_class(requirement: dict[str, Any], stays: bool, target: Target) -> None:  # noqa: FBT001  # a row
    found = converted(pool(requirement), CLASS, target=target)
    assert [not one.is_changed for one in found] == [stays, stays]
    kept = [value.fix for one in found for value in one.unconverted if "the object stays as it is" in value.message]
    assert kept == [KEEP[target]] * 2 * stays


def test_a_class_that_linux_nodes_use_too_is_converted() -> None:
    first, second, node_class = converted(pool(requires(OS, "windows")), LINUX, CLASS)
    assert [one.is_changed for one in (first, second, node_class)] == [False, True, True]
    assert node_class.new["kind"] == "NodeClass"


def test_a_former_version_becomes_v1() -> None:
    former = {**pool(requires(OS, "windows")), "apiVersion": "karpenter.sh/v1beta1"}
    [found] = converted(former)
    assert found.new["apiVersion"] == "karpenter.sh/v1"
    assert found.new["metadata"] == {"name": "win"}


def test_the_own_node_pools_of_the_target_are_not_touched() -> None:
    own = pool(requires(OS, "windows"))
    own["spec"]["template"]["spec"]["nodeClassRef"] = {"group": "eks.amazonaws.com", "kind": "NodeClass", "name": "default"}
    assert [(one.is_changed, one.unconverted) for one in converted(own)] == [(False, ())]


def affinity(*terms: dict[str, Any]) -> dict[str, Any]:
    required = {"nodeSelectorTerms": [{"matchExpressions": [term]} for term in terms]}
    return {"affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": required}}}


@pytest.mark.parametrize(
    ("spec", "stays"),
    [
        pytest.param({"nodeSelector": {OS: "windows"}}, True, id="a selector"),
        pytest.param({"nodeSelector": {BUILD: "10.0.20348"}}, True, id="a build"),
        pytest.param({"os": {"name": "windows"}}, True, id="the system of the pod"),
        pytest.param(affinity(requires(OS, "windows")), True, id="node affinity"),
        pytest.param(affinity(requires(OS, "windows"), requires("team", "a")), False, id="node affinity with another way"),
        pytest.param({"nodeSelector": {OS: "linux"}}, False, id="Linux"),
        pytest.param({}, False, id="nothing"),
    ],
)
def test_pods(spec: dict[str, Any], stays: bool) -> None:  # noqa: FBT001  # a row
    preferred = {"preference": {"matchExpressions": [requires("karpenter.k8s.aws/instance-cpu", "4")]}, "weight": 1}
    nodes = {**spec.get("affinity", {}).get("nodeAffinity", {}), "preferredDuringSchedulingIgnoredDuringExecution": [preferred]}
    [found] = converted({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "spec": {**spec, "affinity": {"nodeAffinity": nodes}}})
    assert found.is_changed is not stays
    assert any("the pods stay as they are" in value.message for value in found.unconverted) is stays
