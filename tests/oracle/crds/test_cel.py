"""What a real API server says of rules: the table of `tests/manifests/cel_cases.py`, asked in one object with a field for each rule."""

from collections.abc import Iterable
from typing import Any

import pytest

from tests.manifests.cel_cases import CASES, COSTLY, FAILS, NOT_CHECKED, SCHEMA, SELF
from tests.oracle.conftest import until

NAMES = {"kind": "Case", "plural": "cases", "singular": "case", "listKind": "CaseList"}
PATH = "/apis/cel.example.com/v1/cases"
SAID = "does not hold"
FAILED = "rule: does not hold"


def crd(rules: list[str]) -> dict[str, Any]:
    fields = {f"f{index}": {**SCHEMA, "x-kubernetes-validations": [{"rule": rule, "message": SAID}]} for index, rule in enumerate(rules)}
    schema = {"type": "object", "properties": {"spec": {"type": "object", "properties": fields}}}
    version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "cases.cel.example.com"},
        "spec": {"group": "cel.example.com", "scope": "Cluster", "names": NAMES, "versions": [version]},
    }


def answer(of: Any, fields: Iterable[int]) -> dict[int, str]:
    """The message about each rule that does not hold, by its number, for an object that sets these fields."""
    spec = {f"f{index}": SELF for index in fields}
    manifest = {"apiVersion": "cel.example.com/v1", "kind": "Case", "metadata": {"name": "all"}, "spec": spec}
    status, body = of.send("POST", f"{PATH}?dryRun=All&fieldValidation=Strict", manifest)
    assert status == 422, body
    return {int(cause["field"].removeprefix("spec.f")): cause["message"] for cause in body["details"]["causes"]}


@pytest.fixture(scope="module")
def serving(server: Any) -> Any:
    of = server("karpenter")
    status, body = of.send("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", crd([*(rule for rule, _ in CASES), COSTLY]))
    assert status == 201, "\n".join(f"{cause['field']}: {cause['message']}" for cause in body["details"]["causes"])
    until(lambda: of.send("GET", PATH)[0] == 200)
    return of


@pytest.fixture(scope="module")
def told(serving: Any) -> dict[int, str]:
    return answer(serving, range(len(CASES)))


@pytest.mark.parametrize(("index", "expected"), list(enumerate(said for _, said in CASES)), ids=[rule for rule, _ in CASES])
def test_the_server_says_the_same(index, expected, told):
    message = told.get(index)
    if expected == NOT_CHECKED:
        return
    if expected is True:
        assert message is None
    elif expected is False:
        assert message is not None
        assert FAILED not in message
    else:
        assert expected == FAILS
        assert message is not None
        assert FAILED in message


def test_what_costs_too_much_here_costs_too_much_there(serving):
    [message] = answer(serving, [len(CASES)]).values()
    assert "cost limit exceeded" in message
