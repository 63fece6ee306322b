"""Schema findings do not quote a secret: neither at its place, nor at a misspelling of it, nor where it was put by mistake."""

import pytest
from pydantic import ValidationError

from nodepools import AksClusterArgs, EksNodeClass, UserPool
from nodepools.aks import WindowsProfile
from nodepools.model.base import Model
from nodepools.rules.engine.finding import Finding
from nodepools.rules.engine.schema_findings import shape_findings

SEEDED = "correct horse battery"


def findings(whole: type[Model], **fields: object) -> list[Finding]:
    with pytest.raises(ValidationError) as refused:
        whole.model_validate(fields)
    return shape_findings(refused.value, whole)


MISPLACED = [
    pytest.param(WindowsProfile, {"admin_password": "x", "admin_pasword": SEEDED}, "CFG002 admin_pasword", id="a misspelt name"),
    pytest.param(WindowsProfile, {"admin_password": "x", "word": SEEDED}, "CFG002 word", id="an unknown field next to a secret"),
    pytest.param(UserPool, {"vm_size": "x", "user_data": SEEDED}, "CFG002 user_data", id="an unknown field with the name of a secret"),
    pytest.param(AksClusterArgs, {"windows_profile": SEEDED}, "CFG003 windows_profile", id="the secret instead of the part that holds it"),
    pytest.param(EksNodeClass, {"certificate_bundles": SEEDED}, "CFG004 certificate_bundles", id="the secret instead of a list"),
    pytest.param(EksNodeClass, {"certificate_bundles": [{"name": "x", "data": 12345678}]}, "CFG004 certificate_bundles[0].data", id="a number"),
]


@pytest.mark.parametrize(("whole", "fields", "found"), MISPLACED)
def test_a_misplaced_secret_is_not_shown(whole: type[Model], fields: dict[str, object], found: str) -> None:
    told = findings(whole, **fields)
    assert found in [f"{one.code} {one.path}" for one in told]
    shown = "\n".join([*map(str, told), *(str(one.to_json()) for one in told)])
    assert "battery" not in shown
    assert "12345678" not in shown


def test_an_unknown_field_elsewhere_is_shown() -> None:
    [one] = findings(UserPool, vm_size="x", max_nodes=7)
    assert (one.path, one.value) == ("max_nodes", 7)
