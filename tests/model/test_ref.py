"""A secret in a declaration: valid like a reference, and never shown."""

import copy
import pickle

import pulumi
import pytest

from nodepools import StackOutput, check, derive
from nodepools.aks import WindowsProfile
from nodepools.model.ref import HiddenSecret, SecretValue, revealed

TEXT = "correct horse battery"
STACK = StackOutput("org/secrets/prod", "windows")


def profile(password: object) -> WindowsProfile:
    return WindowsProfile.model_validate({"admin_password": password})


@pytest.mark.parametrize("password", [TEXT, STACK, SecretValue(TEXT)], ids=["text", "an output of a stack", "a secret"])
def test_a_secret_is_revealed_on_request_only(password: object) -> None:
    declared = profile(password)
    assert revealed(declared.admin_password) == (TEXT if password != STACK else STACK)
    shown = (
        f"{declared!r} {declared} {declared.model_dump()} {declared.model_dump(mode='json')} {declared.model_dump_json()} {declared.admin_password}"
    )
    assert TEXT not in shown
    assert "[secret]" in shown


def test_the_output_of_a_stack_is_named_in_json() -> None:
    assert profile(STACK).model_dump(mode="json")["admin_password"] == {"stack": "org/secrets/prod", "output": "windows"}
    assert profile(TEXT).model_dump(mode="json")["admin_password"] == {"$secret": True}


@pytest.mark.usefixtures("loop")
def test_an_output_is_unknown_in_json() -> None:
    output = pulumi.Output.secret(TEXT)
    declared = profile(output)
    assert revealed(declared.admin_password) is output
    assert declared.model_dump(mode="json")["admin_password"] == {"$unknown": True}
    assert isinstance(declared.admin_password, SecretValue)
    assert declared.admin_password.text is None


def test_secrets_are_compared_by_their_content() -> None:
    assert profile(TEXT) == profile(TEXT)
    assert profile(TEXT) != profile("other")
    assert SecretValue(TEXT) != TEXT
    assert len({SecretValue(TEXT), SecretValue(TEXT), SecretValue("x")}) == 2
    assert revealed(TEXT) == TEXT


def test_a_copy_keeps_the_secret() -> None:
    declared = profile(TEXT)
    for made in (copy.deepcopy(declared), pickle.loads(pickle.dumps(declared)), derive(declared, hybrid_benefit=True)):  # noqa: S301  # our own
        assert revealed(made.admin_password) == TEXT


@pytest.mark.parametrize("password", [12345678, "", ["x"], {"stak": TEXT}], ids=["a number", "empty", "a list", "a mapping"])
def test_an_invalid_secret_is_not_shown(password: object) -> None:
    found = check(WindowsProfile(admin_password=password))  # type: ignore[arg-type]  # what people write
    assert found
    told = "\n\n".join([*map(str, found), *(str(finding.to_json()) for finding in found)])
    assert TEXT not in told
    assert "12345678" not in told


def test_pydantic_does_not_quote_the_input() -> None:
    with pytest.raises(ValueError, match="admin_username") as refused:
        WindowsProfile.model_validate({"admin_username": f"{TEXT}!", "admin_password": TEXT})
    assert TEXT not in str(refused.value)


def test_a_secret_that_is_not_there_equals_no_other() -> None:
    one = HiddenSecret()
    assert one != HiddenSecret()
    assert {one: "itself"}[one] == "itself"
    assert (one.text, repr(one)) == (None, "[secret]")
