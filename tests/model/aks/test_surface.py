"""The whole surface of azure-native's AgentPool: each argument is modelled, follows from elsewhere, or is left out for a reason."""

import inspect
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from nodepools import GpuPool, SystemPool, UserPool, WindowsPool
from nodepools.model.aks.pools import AgentPool
from nodepools.model.aks.surface import CHANGEABLE, DERIVED, FIXED_FIELDS, LEFT, MODELLED
from nodepools.model.base import Model
from nodepools.model.schema import field_docs

KINDS = (SystemPool, UserPool, GpuPool, WindowsPool)
OURS = {"kind", "previous", "retain", "generation", "timeouts", "overrides"}
"""Fields that no argument says."""


def sdk_arguments() -> set[str]:
    from pulumi_azure_native.containerservice.agent_pool import AgentPool as Resource

    return set(inspect.signature(Resource._internal_init).parameters) - {"__self__", "resource_name", "opts", "__props__"}


@cache
def fields() -> dict[str, str]:
    return {name: text for kind in KINDS for base in kind.__mro__ if issubclass(base, Model) for name, text in field_docs(base).items()}


def test_every_argument_of_the_sdk_has_its_place() -> None:
    modelled = {one.name for one in MODELLED}
    assert modelled | set(DERIVED) | set(LEFT) == sdk_arguments()
    assert not modelled & set(DERIVED)
    assert not (modelled | set(DERIVED)) & set(LEFT)


def test_few_arguments_are_left_each_with_its_reason() -> None:
    assert len(LEFT) <= 10
    assert all(len(reason) > 40 for reason in LEFT.values())


def test_every_field_is_an_argument_or_ours() -> None:
    named = {field for one in MODELLED for field in one.fields}
    assert named | OURS == {name for kind in KINDS for name in kind.model_fields}


@pytest.mark.parametrize("field", sorted({name for kind in KINDS for name in kind.model_fields} - OURS - {"name"}))
def test_the_docstring_says_whether_the_field_is_fixed(field: str) -> None:
    text = fields()[field]
    if field == "os_sku":  # on Windows only
        return
    assert text.endswith("Fixed.") is (field in FIXED_FIELDS), field


@pytest.mark.parametrize("kind", KINDS)
def test_every_field_has_a_docstring(kind: type[AgentPool]) -> None:
    assert not [name for name in kind.model_fields if name != "kind" and not fields().get(name)]


def test_an_argument_that_is_fixed_in_part_is_fixed_as_an_override() -> None:
    assert "network_profile" not in CHANGEABLE
    assert {"enable_fips", "upgrade_settings", "mode"} <= CHANGEABLE


def test_the_page_in_the_docs_is_current(project: Path) -> None:
    subprocess.run([sys.executable, "tools/agent_pool_fields.py", "--check"], cwd=project, check=True)
