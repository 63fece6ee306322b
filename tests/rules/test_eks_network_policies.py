"""NodeClasses that rely on the controller of network policies: what is warned about beside what is not."""

import pytest

from nodepools import EksNodeClass
from nodepools.model.base import Model
from nodepools.model.derive import derive
from nodepools.rules.engine.samples import auto_mode, eks

AT = "EKS096 auto_mode.node_classes.own"


def off(**fields: object) -> Model:
    return derive(auto_mode(classes={"own": EksNodeClass.model_validate(fields)}), objects={"network_policies": False})


@pytest.mark.parametrize(
    ("declared", "found"),
    [
        pytest.param(auto_mode(classes={"own": EksNodeClass(network_policy="DefaultDeny")}), [], id="a class that denies brings the controller"),
        pytest.param(eks(objects={"network_policies": True}), [], id="the controller by itself"),
        pytest.param(off(), [], id="off, and nobody speaks of policies"),
        pytest.param(off(network_policy="DefaultAllow"), [], id="off, and the class allows"),
        pytest.param(off(network_policy="DefaultDeny"), [f"{AT}.network_policy"], id="off, and the class denies"),
        pytest.param(off(network_policy_event_logs="Enabled"), [f"{AT}.network_policy_event_logs"], id="off, and the class logs"),
    ],
)
def test_the_controller(declared: Model, found: list[str], judged) -> None:
    assert judged(declared) == found
